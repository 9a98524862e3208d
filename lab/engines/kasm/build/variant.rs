//! A variant by its letters, and the parts of the grid.

/// An instruction set that a variant is named by.
#[derive(Clone, Copy)]
pub struct Set {
    pub name: &'static str,
    /// Its kernels; one that would use no instruction of this set is with an earlier set.
    pub kernels: &'static str,
    pub bank: Bank,
    /// Instructions of three operands, with a VEX prefix.
    pub vex: bool,
}

/// The registers that hold the state.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Bank {
    General,
    Mmx,
    Xmm,
    /// State in XMM, bytes spread out in YMM.
    Ymm,
}

const fn set(name: &'static str, kernels: &'static str, bank: Bank, vex: bool) -> Set {
    Set { name, kernels, bank, vex }
}

pub const SETS: &[Set] = &[
    set("gpr", "RM", Bank::General, false),
    set("mmx", "LURMF", Bank::Mmx, false),
    set("sse2", "LURM", Bank::Xmm, false),
    set("ssse3", "F", Bank::Xmm, false),
    set("sse41", "WBR", Bank::Xmm, false),
    set("avx", "LWBURMF", Bank::Xmm, true),
    set("avx2", "LWUF", Bank::Ymm, true),
];

/// Combinations, each tried with each kernel of each set: `-` is none; a leading number is the number of
/// registers.
pub const MODIFIERS: &str = "
    -    1    2    8    E    KE   P2   P3   P4   P6   P8   P12  P16  A    C    X    G    n    f    l    t
    P4A  P4C  P4X  P4G  P4n  P4f  P4l  P4t  P4AC  P4Al  P4At  P4Ct  P4ACt  P4Clt  P4ACXlt
    1P4  2P4  8P4  EP4  EP4A EP4C EP4ACt  KEP4  KEP4A  KEP4C  KEP3  KEP2  KEP2A  KEP2C
    P2A  P2C  P2t  P2Ct  P2ACt  P2Xf
    P8A  P8C  P8X  P8G  P8n  P8f  P8l  P8t  P8AC  P8AX  P8AG  P8Af  P8Al  P8At  P8Ct  P8ACt  P8AXf
    KEP6  KEP6A  1P8A  2P8A  8P8A  EP8  EP8A  P3A  P6A  P12A  P16A  P12Al  P12AX
    EA   EC   EAC  EACt KEA  KEC  KEAC
";

/// One variant.
pub struct Variant {
    pub set: Set,
    pub kernel: char,
    /// Address registers.
    pub registers: usize,
    /// `Pn`: blocks in one turn of the loop.
    pub blocks: usize,
    /// The other letters.
    pub letters: String,
}

impl Variant {
    /// Reads the text after the kernel's letter: the number of registers, then modifiers.
    pub fn new(set: &Set, kernel: char, rest: &str) -> Self {
        let letters = rest.trim_start_matches(|c: char| c.is_ascii_digit());
        let registers = rest[..rest.len() - letters.len()].parse().expect("a number of registers");
        let blocks = letters.split_once('P').map_or("1", |(_, n)| n);
        Variant {
            set: *set,
            kernel,
            registers,
            blocks: blocks
                .trim_end_matches(char::is_alphabetic)
                .parse()
                .expect("a number of blocks"),
            letters: letters.into(),
        }
    }

    /// Returns whether it has this modifier.
    pub fn has(&self, letter: char) -> bool {
        self.letters.contains(letter)
    }

    /// `SET-KERNEL n MODIFIERS` without spaces.
    pub fn name(&self) -> String {
        format!("{}-{}{}{}", self.set.name, self.kernel, self.registers, self.letters)
    }

    /// The member of `Needs` that says which instructions must be there.
    pub fn needs(&self) -> &'static str {
        match (self.set.name, self.kernel) {
            ("gpr", _) => "Nothing",
            ("mmx", 'F') | ("ssse3", _) => "Ssse3",
            ("mmx", _) => "Sse",
            ("sse2", _) => "Sse2",
            ("sse41", _) => "Sse41",
            ("avx", _) => "Avx",
            _ => "Avx2",
        }
    }
}

/// The differences of 64-bit and 32-bit code.
pub struct Machine {
    /// Calling convention of the functions.
    pub abi: &'static str,
    /// Bytes of a general register.
    pub word: usize,
    /// XMM registers.
    pub xmm: usize,
}

impl Machine {
    /// By cargo's name of the architecture.
    pub fn of(arch: &str) -> Option<Machine> {
        match arch {
            "x86_64" => Some(Machine { abi: "sysv64", word: 8, xmm: 16 }),
            "x86" => Some(Machine { abi: "cdecl", word: 4, xmm: 8 }),
            _ => None,
        }
    }
}
