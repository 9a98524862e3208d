//! What a processor allows a kernel: its vector operations for a byte over the processor's vector pipes.
//! The counts are those in the heads of the kernels' files.

use bulat::survey::{self, Cpu, Vendor};

/// What binds a kernel.
enum Bound {
    /// Operations for a byte, on vectors of so many bits.
    Operations(f64, u32),
    /// The same on 512 bits, in the first form of a choice (`bulat kernels`), and in this other one.
    Forms(f64, f64, &'static str, &'static str),
    /// The same as `Operations`, but on Zen 5 cycles for a byte, where two ports or latency bind.
    Tighter(f64, u32, f64),
    /// Cycles for a byte of what is not counted in operations alone: on Intel, on Zen 5.
    Chain(f64, f64),
}
use Bound::{Chain, Forms, Operations, Tighter};

/// Primitive, shape, kernel's word.
const BOUNDS: &[(&str, &str, &str, Bound)] = &[
    ("kuznyechik", "map", "gfni512", Forms(2.85, 2.43, "blocks", "pairs")),
    ("kuznyechik", "stream", "gfni512", Forms(2.57, 2.19, "gamma", "pairs")),
    ("kuznyechik", "map", "avx512", Operations(7.25, 512)),
    ("kuznyechik", "map", "avx2gfni", Operations(8.4, 256)),
    ("kuznyechik", "map", "avx2", Operations(16.2, 256)),
    ("kuznyechik", "map", "avx", Operations(32.4, 128)),
    ("kuznyechik", "map", "ssse3", Operations(32.4, 128)),
    ("magma", "map", "gfni512", Forms(1.34, 2.0, "blocks", "words")),
    ("magma", "stream", "gfni512", Forms(1.34, 2.0, "gamma", "words")),
    ("magma", "map", "avx512", Operations(1.44, 512)),
    ("magma", "map", "avx2gfni", Operations(5.97, 256)),
    ("magma", "map", "avx2", Operations(6.48, 256)),
    ("magma", "map", "avx", Operations(12.93, 128)),
    ("magma", "map", "ssse3", Operations(12.93, 128)),
    // 13 LPS, one after the other, of some 27 cycles on Intel; on Zen 5 the ports of 25 LPS allow no more.
    ("streebog", "messages", "gfni512", Chain(5.2, 4.8)),
    // 13 LPS of 43 cycles: S, look-ups on two ports, P.
    ("streebog", "messages", "avx512", Tighter(22.0, 512, 8.8)),
    // The same of 62 cycles.
    ("streebog", "messages", "avx2", Tighter(45.3, 256, 12.7)),
    // K_1, 30 cycles, then 840 look-ups, permutations, products and affine maps, which two ports share, then the last
    // product and sum, and a transposition, 17.
    ("streebog", "messages", "avx2gfni", Tighter(25.1, 256, 7.3)),
    ("streebog", "messages", "avx", Operations(88.5, 128)),
    ("streebog", "messages", "ssse3", Operations(88.5, 128)),
];

/// Vector operations that a processor begins in a cycle; `None` where nobody has looked.
fn pipes(cpu: Cpu, bits: u32) -> Option<f64> {
    match (cpu.vendor, cpu.family) {
        (Vendor::Intel, 6) => Some(if bits == 512 { 2.0 } else { 3.0 }),
        (Vendor::Amd, 0x19) => Some(if bits == 512 { 2.0 } else { 4.0 }),
        (Vendor::Amd, 0x1a) => Some(4.0),
        _ => None,
    }
}

/// Cycles for a byte that this processor allows an algorithm on the kernel that is picked. `None` where the algorithm
/// is not one long run of one shape, or nobody has counted.
pub fn bound(algorithm: &str) -> Option<f64> {
    let (primitive, shape) = match algorithm {
        "streebog256" | "streebog512" => ("streebog", "messages"),
        "kuznyechik-ecb" => ("kuznyechik", "map"),
        "kuznyechik-ctr" => ("kuznyechik", "stream"),
        "magma-ecb" | "gost89-ecb" => ("magma", "map"),
        "magma-ctr" => ("magma", "stream"),
        _ => return None,
    };
    let cpu = survey::processor();
    let picked = survey::shapes().into_iter();
    let mut picked = picked.filter(|s| s.primitive.starts_with(primitive) && s.shape == shape);
    let word = picked.next()?.picked;
    let zen5 = (cpu.vendor, cpu.family) == (Vendor::Amd, 0x1a);
    match BOUNDS.iter().find(|row| (row.0, row.1, row.2) == (primitive, shape, word))?.3 {
        Tighter(_, _, cycles) if zen5 => Some(cycles),
        Operations(count, bits) | Tighter(count, bits, _) => Some(count / pipes(cpu, bits)?),
        Forms(a, b, name, other) => {
            let takes =
                |f: &survey::Form| (f.primitive, f.name, f.taken) == (primitive, name, other);
            Some(if survey::forms().iter().any(takes) { b } else { a } / pipes(cpu, 512)?)
        }
        Chain(_, cycles) if zen5 => Some(cycles),
        Chain(cycles, _) => ((cpu.vendor, cpu.family) == (Vendor::Intel, 6)).then_some(cycles),
    }
}
