//! The kernels' texts, common to all drivers, and the programs made from them.

/// The gates and address spaces of OpenCL C and CUDA C++.
const DEVICE: &str = include_str!("../kernels/device.h");
/// Written by `asmgen`.
const CIRCUITS: &str = include_str!("../kernels/circuits.h");
const MAGMA: &str = include_str!("../kernels/magma.cl");
const KUZNYECHIK: &str = include_str!("../kernels/kuznyechik.cl");
const STREEBOG: &str = include_str!("../kernels/streebog.cl");
const BESIDE: &str = include_str!("../kernels/beside.cl");
const GF: &str = include_str!("../kernels/gf.cl");

/// A unit of compilation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Program {
    /// Magma, with its byte order and S-boxes.
    Magma,
    /// GOST 28147-89 with the set of this number in `ParamSet::ALL`.
    Gost28147(u8),
    /// GOST 28147-89 with S-boxes given as data.
    OwnBoxes,
    /// Kuznyechik.
    Kuznyechik,
    /// Streebog, HMAC, PBKDF2.
    Streebog,
    /// Planes of keys, and masks of XTS.
    Beside,
    /// The products of MGM.
    Gf,
}

impl Program {
    /// All programs.
    pub const ALL: [Program; 14] = [
        Program::Magma,
        Program::Kuznyechik,
        Program::Streebog,
        Program::Beside,
        Program::Gf,
        Program::Gost28147(0),
        Program::Gost28147(1),
        Program::Gost28147(2),
        Program::Gost28147(3),
        Program::Gost28147(4),
        Program::Gost28147(5),
        Program::Gost28147(6),
        Program::Gost28147(7),
        Program::OwnBoxes,
    ];

    /// Returns the number of threads in a work-group.
    pub const fn threads(self) -> u32 {
        match self {
            Program::Streebog => 64,
            _ => 128,
        }
    }

    /// Returns the definitions before the text.
    pub fn definitions(self) -> String {
        let more = match self {
            Program::Magma => "#define BOXES 5\n#define TURN 24\n".into(),
            Program::Gost28147(set) => format!("#define BOXES {set}\n#define TURN 0\n"),
            Program::OwnBoxes => "#define OWN\n#define TURN 0\n".into(),
            // Six groups on a multiprocessor, which leaves each thread 168 registers.
            Program::Streebog => "#define BOUNDS THREADS, 6\n".into(),
            _ => String::new(),
        };
        format!("#define THREADS {}\n{more}", self.threads())
    }

    /// Returns the whole text.
    pub fn text(self) -> String {
        let body = match self {
            Program::Magma | Program::Gost28147(_) | Program::OwnBoxes => MAGMA,
            Program::Kuznyechik => KUZNYECHIK,
            Program::Streebog => STREEBOG,
            Program::Beside => return [&*self.definitions(), DEVICE, BESIDE].concat(),
            Program::Gf => return [&*self.definitions(), DEVICE, GF].concat(),
        };
        [&*self.definitions(), DEVICE, CIRCUITS, body].concat()
    }

    /// Returns the name used for files and tables.
    pub fn name(self) -> String {
        match self {
            Program::Magma => "magma".into(),
            Program::Gost28147(set) => format!("gost28147-{set}"),
            Program::OwnBoxes => "gost28147-own".into(),
            Program::Kuznyechik => "kuznyechik".into(),
            Program::Streebog => "streebog".into(),
            Program::Beside => "beside".into(),
            Program::Gf => "gf".into(),
        }
    }
}
