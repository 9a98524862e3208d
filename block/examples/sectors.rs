//! What the library's call takes for bursts of sectors, in ns a byte on one core: `nbdkit/tests/speed.sh` sets it beside
//! what the server takes. Medians of many calls, encrypting and decrypting in turn.

use std::time::Instant;

use bulat::{Direction, Xts};

fn main() -> Result<(), bulat::Error> {
    let xts = Xts::new(&[1; 32], &[2; 32])?;
    for size in [4096, 512] {
        for burst in [128 << 10, 4 << 10] {
            let numbers: Vec<u128> = (0..(burst / size) as u128).collect();
            let (source, mut destination) = (vec![3; burst], vec![0; burst]);
            let mut times = Vec::new();
            for n in 0..(256 << 20) / burst {
                let direction = [Direction::Encrypt, Direction::Decrypt][n % 2];
                let begun = Instant::now();
                xts.sectors_at_b2b(&numbers, size, direction, &source, &mut destination)?;
                times.push(begun.elapsed());
            }
            times.sort();
            let nanoseconds = times[times.len() / 2].as_nanos() as f64 / burst as f64;
            println!("{size} {burst} {nanoseconds:.3}");
        }
    }
    Ok(())
}
