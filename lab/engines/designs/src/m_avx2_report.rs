//! The report of M-AVX2, as its source makes it: the round function scalar against vectors on fixed inputs, one
//! random block, timed encryption (80 million scalar blocks and 10 million times eight with `--full`), and
//! the gain of aligned loads.

use std::hint::black_box;
use std::time::Instant;

use crate::m_avx2::{
    eight_aligned_vartime, eight_vartime, g_of_eight_vartime, g_vartime, scalar_vartime,
};
use crate::magma::{ENCRYPT, Keys};

/// The inputs of the source.
const INPUTS: [u32; 8] =
    [0x0123_4567, 0x89ab_cdef, 0xfedc_ba98, 0x7654_3210, 0, 0xffff_ffff, 0x1234_5678, 0x9abc_def0];

/// Blocks of a timed run of the source.
const BLOCKS: usize = 80_000_000;
/// By default one in 40 of them is run.
const FRACTION: usize = 40;

/// Texts of this many blocks, which stay in the first cache, are encrypted again and again.
const TEXT: usize = 1024;

/// Prints the report, or says why it cannot.
pub fn run(full: bool) -> Result<(), String> {
    if std::is_x86_feature_detected!("avx2") {
        report(if full { BLOCKS } else { BLOCKS / FRACTION })
    } else {
        Err("this processor has no AVX2".into())
    }
}

/// A timed run.
struct Timed {
    blocks: usize,
    operations: usize,
    seconds: f64,
}

impl Timed {
    /// Texts through `many`, N blocks an operation, at this offset from a multiple of 64.
    fn new<const N: usize>(blocks: usize, offset: usize, many: impl Fn(&mut [[u8; 8]; N])) -> Self {
        let mut storage = vec![0; 8 * TEXT + 128];
        let start = storage.as_ptr().align_offset(64) + offset;
        let text = &mut storage[start..][..8 * TEXT];
        let rounds = blocks / TEXT;
        let time = Instant::now();
        for _ in 0..rounds {
            let (groups, _) = black_box(&mut *text).as_chunks_mut().0.as_chunks_mut();
            groups.iter_mut().for_each(&many);
        }
        let seconds = time.elapsed().as_secs_f64();
        Timed { blocks: rounds * TEXT, operations: rounds * TEXT / N, seconds }
    }

    fn print(&self, name: &str) {
        let Timed { blocks, operations, seconds } = self;
        println!("\n{name}");
        println!("  blocks        {blocks}");
        println!("  time          {seconds:.3} s");
        println!("  operations/s  {:.0}", *operations as f64 / seconds);
        println!("  ns/operation  {:.2}", 1e9 * seconds / *operations as f64);
        println!("  Gbit/s        {:.3}", 64e-9 * *blocks as f64 / seconds);
    }

    fn per_block(&self) -> f64 {
        self.seconds / self.blocks as f64
    }
}

fn verdict(right: bool) -> &'static str {
    if right { "ok" } else { "WRONG" }
}

fn report(blocks: usize) -> Result<(), String> {
    let one: Keys<1> = Keys::of_lanes(|_| 0, u32::from_be_bytes);
    let eight: Keys<8> = Keys::of_lanes(|_| 0, u32::from_be_bytes);

    let k = one.0[0][0];
    println!("round function, k = {k:08x}\n  input     scalar    AVX2");
    let mut right = true;
    for (x, vector) in INPUTS.into_iter().zip(g_of_eight_vartime(INPUTS, k)) {
        let scalar = g_vartime(x, k);
        println!("  {x:08x}  {scalar:08x}  {vector:08x}  {}", verdict(scalar == vector));
        right &= scalar == vector;
    }

    let mut block = [[0; 8]];
    engine::bytes(unpredictable(), &mut block[0]);
    let mut copies = [block[0]; 8];
    print!("\nrandom block {:016x}: ", u64::from_be_bytes(block[0]));
    scalar_vartime(&one, ENCRYPT, &mut block);
    eight_vartime(&eight, ENCRYPT, &mut copies);
    let same = copies == [block[0]; 8];
    println!("{:016x}, {}", u64::from_be_bytes(block[0]), verdict(same));
    if !right || !same {
        return Err("scalar and AVX2 differ: nothing is timed".into());
    }

    let scalar = Timed::new(blocks, 0, |blocks| scalar_vartime(&one, ENCRYPT, blocks));
    scalar.print("scalar, a block an operation");
    let run = |offset| Timed::new(blocks, offset, |b| eight_vartime(&eight, ENCRYPT, b));
    let vectors = run(0);
    vectors.print("AVX2, eight blocks an operation");
    println!("\nspeed-up {:.2}", scalar.per_block() / vectors.per_block());

    println!("\nloads and stores of eight blocks, ns/operation, least of five");
    let least = |timed: &dyn Fn() -> Timed| {
        let times = (0..5).map(|_| 8e9 * timed().per_block());
        times.fold(f64::INFINITY, f64::min)
    };
    let aligned = || Timed::new(blocks / 8, 0, |b| eight_aligned_vartime(&eight, ENCRYPT, b));
    let rows: [(&str, &dyn Fn() -> Timed); 4] = [
        ("aligned text, aligned instructions", &aligned),
        ("aligned text, unaligned instructions", &|| run(0)),
        ("text off by 1", &|| run(1)),
        ("text off by 8", &|| run(8)),
    ];
    for (name, timed) in rows {
        println!("  {name:38} {:.2}", least(timed));
    }
    Ok(())
}

/// A seed that differs from run to run.
fn unpredictable() -> u64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    since.map_or(0, |time| time.as_nanos() as u64)
}
