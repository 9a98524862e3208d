//! Bursts of sectors in XTS against the same sectors in single calls.

use bulat::modes::Xts;
use bulat::{Direction, Error};

fn bytes(len: usize) -> Vec<u8> {
    testkit::Random::new(1).bytes(len)
}

#[test]
fn a_burst_is_its_sectors() {
    for kernel in bulat::kernel::NAMES.iter().filter(|k| bulat::kernel::available(k)) {
        let Ok(xts) = Xts::new(&[1; 32], &[2; 32]).and_then(|x| x.on(kernel)) else { continue };
        for size in [16, 48, 512, 520, 1008, 4096, 5000] {
            for count in [0, 1, 2, 3, 8, 63, 64, 65, 130] {
                let text = bytes(size * count);
                let scattered: Vec<u128> =
                    (0..count as u128).map(|i| ((i * i) << 60) ^ (0xff << 96)).collect();
                let start = u128::from(u64::MAX) - 1; // past 64 bits on the way
                let consecutive: Vec<u128> = (0..count as u128).map(|i| start + i).collect();
                for direction in [Direction::Encrypt, Direction::Decrypt] {
                    for numbers in [&consecutive, &scattered] {
                        let mut wanted = text.clone();
                        for (sector, number) in wanted.chunks_mut(size).zip(numbers) {
                            xts.sector(&Xts::tweak(*number), direction, sector).unwrap();
                        }
                        let mut own = text.clone();
                        xts.sectors_at(numbers, size, direction, &mut own).unwrap();
                        assert!(own == wanted, "{kernel}: {count} of {size}");
                        let mut apart = vec![0; text.len()];
                        xts.sectors_at_b2b(numbers, size, direction, &text, &mut apart).unwrap();
                        assert!(apart == wanted, "{kernel}: {count} of {size}, apart");
                        if numbers == &consecutive {
                            let mut own = text.clone();
                            xts.sectors(start, size, direction, &mut own).unwrap();
                            assert!(own == wanted, "{kernel}: {count} of {size}, consecutive");
                            apart.fill(0);
                            xts.sectors_b2b(start, size, direction, &text, &mut apart).unwrap();
                            assert!(apart == wanted, "{kernel}: {count} of {size}, both");
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn what_is_refused_stays_as_it_was() {
    let xts = Xts::new(&[1; 32], &[2; 32]).unwrap();
    let mut data = bytes(4096);
    let before = data.clone();
    let mut refused = |first: u128, size: usize, len: usize, error: Error| {
        let data = &mut data[..len];
        assert_eq!(xts.sectors(first, size, Direction::Encrypt, data), Err(error));
    };
    refused(0, 0, 4096, Error::DataLength);
    refused(0, 15, 15, Error::DataLength);
    refused(0, 512, 4095, Error::DataLength);
    refused(0, (Xts::LIMIT + 1) as usize, 0, Error::Limit);
    refused(u128::MAX - 6, 512, 4096, Error::Limit);
    let answer = xts.sectors_b2b(0, 512, Direction::Encrypt, &before, &mut data[1..]);
    assert_eq!(answer, Err(Error::BufferLength));
    for numbers in [7, 9] {
        let numbers = vec![0; numbers];
        let answer = xts.sectors_at(&numbers, 512, Direction::Encrypt, &mut data);
        assert_eq!(answer, Err(Error::Parameter));
    }
    assert!(data == before);
    xts.sectors(u128::MAX - 7, 512, Direction::Encrypt, &mut data).unwrap();
    assert!(data != before);
}
