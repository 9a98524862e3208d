//! Which processor this is: vendor, family, model, by CPUID leaves 0 and 1 (Intel's Software Developer's
//! Manual, volume 2; AMD's Architecture Programmer's Manual, volume 3). Only kernels of x86 need it.

use core::fmt;

/// Who made a processor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Vendor {
    /// Intel.
    Intel,
    /// AMD.
    Amd,
    /// A different vendor, or no x86.
    Other,
}

/// A processor's generation, as CPUID has it; zeros elsewhere than on x86.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Cpu {
    /// The maker of the processor.
    pub vendor: Vendor,
    /// The family, with its extension.
    pub family: u32,
    /// The model, with its extension.
    pub model: u32,
}

impl Cpu {
    /// The processor of this machine.
    #[cfg(all(any(target_arch = "x86", target_arch = "x86_64"), not(target_env = "sgx")))]
    pub(crate) fn here() -> Self {
        #[cfg(target_arch = "x86")]
        use core::arch::x86::__cpuid;
        #[cfg(target_arch = "x86_64")]
        use core::arch::x86_64::__cpuid;
        let name = __cpuid(0);
        let vendor = match [name.ebx, name.edx, name.ecx].map(u32::to_le_bytes).as_flattened() {
            b"GenuineIntel" => Vendor::Intel,
            b"AuthenticAMD" => Vendor::Amd,
            _ => Vendor::Other,
        };
        Self::of(vendor, __cpuid(1).eax)
    }
    /// This machine's: not known.
    #[cfg(not(all(any(target_arch = "x86", target_arch = "x86_64"), not(target_env = "sgx"))))]
    pub(crate) fn here() -> Self {
        Cpu { vendor: Vendor::Other, family: 0, model: 0 }
    }
    /// The name that this machine's gives itself (leaves 0x80000002 to 0x80000004).
    #[cfg(feature = "alloc")]
    pub(crate) fn brand() -> Option<alloc::string::String> {
        #[cfg(all(any(target_arch = "x86", target_arch = "x86_64"), not(target_env = "sgx")))]
        {
            #[cfg(target_arch = "x86")]
            use core::arch::x86::__cpuid;
            #[cfg(target_arch = "x86_64")]
            use core::arch::x86_64::__cpuid;
            const LAST: u32 = 0x8000_0004;
            if __cpuid(0x8000_0000).eax >= LAST {
                let leaf = |leaf| {
                    let id = __cpuid(leaf);
                    [id.eax, id.ebx, id.ecx, id.edx].map(u32::to_le_bytes)
                };
                let name = [leaf(LAST - 2), leaf(LAST - 1), leaf(LAST)];
                let name = name.as_flattened().as_flattened().iter();
                let name: alloc::string::String =
                    name.filter(|c| matches!(c, b' '..=b'~')).map(|c| char::from(*c)).collect();
                return Some(name.trim().into());
            }
        }
        None
    }
    /// From the signature, EAX of leaf 1: the family is extended where it is 15, the model where the
    /// family is 6 or 15.
    #[allow(dead_code)] // where nobody asks
    fn of(vendor: Vendor, signature: u32) -> Self {
        let (family, model) = (signature >> 8 & 15, signature >> 4 & 15);
        let more = |from: u32, bits: u32| signature >> from & ((1 << bits) - 1);
        Cpu {
            vendor,
            family: if family == 15 { family + more(20, 8) } else { family },
            model: if matches!(family, 6 | 15) { model | more(16, 4) << 4 } else { model },
        }
    }
}

impl fmt::Display for Cpu {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.vendor {
            Vendor::Other => f.write_str("unknown"),
            vendor => write!(f, "{vendor:?}, family {:#x}, model {:#x}", self.family, self.model),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signatures() {
        for (vendor, signature, family, model) in [
            (Vendor::Intel, 0x0003_0678, 6, 0x37),  // Silvermont
            (Vendor::Intel, 0x0005_0654, 6, 0x55),  // Skylake-X
            (Vendor::Intel, 0x0000_0f4a, 15, 4),    // Pentium 4
            (Vendor::Amd, 0x0080_0f12, 0x17, 1),    // Zen
            (Vendor::Amd, 0x00b4_0f40, 0x1a, 0x44), // Zen 5
        ] {
            assert_eq!(Cpu::of(vendor, signature), Cpu { vendor, family, model });
        }
    }
}
