//! The speed limit of a kernel on a processor: its vector operations per byte, divided by the processor's vector pipes.
//! The kernels' files count the operations in their heads.

use bulat::survey::{self, Cpu, Vendor};

/// The resource that limits a kernel.
enum Bound {
    /// Operations per byte, on vectors of this many bits.
    Operations(f64, u32),
    /// Operations per byte on 512 bits, in the first form of a choice (`bulat kernels`) and in this other form.
    Forms(f64, f64, &'static str, &'static str),
    /// Like `Operations`, but on Zen 5 cycles per byte, because two ports or the latency limit it.
    Tighter(f64, u32, f64),
    /// Cycles per byte of a kernel that operations do not limit: on Intel, on Zen 5.
    Chain(f64, f64),
}
use Bound::{Chain, Forms, Operations, Tighter};

/// Primitive, shape, kernel's name.
const BOUNDS: &[(&str, &str, &str, Bound)] = &[
    ("kuznyechik", "map", "gfni512", Forms(2.85, 2.43, "blocks", "pairs")),
    ("kuznyechik", "stream", "gfni512", Forms(2.57, 2.19, "gamma", "pairs")),
    ("kuznyechik", "map", "avx512", Operations(7.25, 512)),
    ("kuznyechik", "map", "avx2gfni", Operations(8.4, 256)),
    ("kuznyechik", "map", "avx2", Operations(16.2, 256)),
    ("kuznyechik", "map", "ssse3", Operations(32.4, 128)),
    ("magma", "map", "gfni512", Forms(1.34, 2.0, "blocks", "words")),
    ("magma", "stream", "gfni512", Forms(1.34, 2.0, "gamma", "words")),
    ("magma", "map", "avx512", Operations(1.44, 512)),
    ("magma", "map", "avx2gfni", Operations(5.97, 256)),
    ("magma", "map", "avx2", Operations(6.48, 256)),
    ("magma", "map", "ssse3", Operations(12.93, 128)),
    // 13 LPS in turn, of some 27 cycles on Intel; on Zen 5 the ports limit 25 LPS to as much.
    ("streebog", "messages", "gfni512", Chain(5.2, 4.8)),
    // 13 LPS of 43 cycles: S, look-ups on two ports, P.
    ("streebog", "messages", "avx512", Tighter(22.0, 512, 8.8)),
    // 13 LPS of 62 cycles.
    ("streebog", "messages", "avx2", Tighter(45.3, 256, 12.7)),
    // K_1, 30 cycles; then 840 look-ups, permutations, products and affine maps, which share two ports; then the last
    // product and sum; and a transposition, 17.
    ("streebog", "messages", "avx2gfni", Tighter(25.1, 256, 7.3)),
    ("streebog", "messages", "ssse3", Operations(88.5, 128)),
];

/// Returns how many vector operations a processor starts per cycle; `None` where nobody has measured it.
fn pipes(cpu: Cpu, bits: u32) -> Option<f64> {
    match (cpu.vendor, cpu.family) {
        (Vendor::Intel, 6) => Some(if bits == 512 { 2.0 } else { 3.0 }),
        (Vendor::Amd, 0x19) => Some(if bits == 512 { 2.0 } else { 4.0 }),
        (Vendor::Amd, 0x1a) => Some(4.0),
        _ => None,
    }
}

/// Returns this processor's limit for an algorithm on the picked kernel, in cycles per byte. `None` where the algorithm
/// is not a long run of a single shape, or its operations were not counted.
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
