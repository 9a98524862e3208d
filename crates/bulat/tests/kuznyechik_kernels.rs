//! Every kernel of Kuznyechik against the reference: lengths around each batch
//! size, in place and between buffers at odd addresses, counters at carries, many keys. `lanes` has the chains.

use bulat::{BlockCipher, Direction, InOut, Kuznyechik};
use bulat_core::cipher::{Count, Shapes as _};
use bulat_core::kernel::Ready;
use bulat_core::kuznyechik;
use reference::Cipher as _;
use testkit::Random;

/// The reference, straight from RFC 7801, section 4.
struct Model(reference::kuznyechik::Kuznyechik);
impl Model {
    fn new(key: &[u8; 32]) -> Self {
        Model(reference::kuznyechik::Kuznyechik::new(key).expect("32 bytes"))
    }
    fn encrypt(&self, mut block: [u8; 16]) -> [u8; 16] {
        self.0.encrypt(&mut block);
        block
    }
    fn decrypt(&self, mut block: [u8; 16]) -> [u8; 16] {
        self.0.decrypt(&mut block);
        block
    }
}

/// The kernels this machine can run, by name.
fn kernels() -> impl Iterator<Item = &'static str> {
    kuznyechik::KERNELS.iter().filter(|k| Ready::new(*k).is_some()).map(|k| k.name)
}

fn on(kernel: &str, key: &[u8; 32]) -> Kuznyechik {
    Kuznyechik::new(key).on(kernel).expect("available")
}

/// Lengths in blocks: every short call, a batch of 64 and its neighbours, several batches and a tail.
fn lengths() -> impl Iterator<Item = usize> {
    (0..=70).chain([95, 96, 97, 127, 128, 129, 191, 192, 193, 256, 300, 577, 1024])
}

/// Runs `f` in place and between two buffers, all at odd addresses; both must give `expected`.
fn both(input: &[u8], expected: &[u8], what: &str, mut f: impl FnMut(InOut<'_, '_>)) {
    for shift in [0, 1, 13] {
        let mut buffer = vec![0xaa; shift];
        buffer.extend_from_slice(input);
        buffer.push(0x55);
        let end = shift + input.len();
        f((&mut buffer[shift..end]).into());
        assert!(buffer[shift..end] == *expected, "{what} in place at {shift}");
        assert_eq!(buffer[end], 0x55, "{what} wrote past the end");

        let mut source = vec![0; shift];
        source.extend_from_slice(input);
        let mut out = vec![0x55; input.len() + 2];
        f(InOut::new(&source[shift..], &mut out[1..input.len() + 1]).expect("one length"));
        assert!(out[1..input.len() + 1] == *expected, "{what} between buffers at {shift}");
        assert!(source[shift..] == *input, "{what} between buffers at {shift} wrote to the source");
        let around = [out[0], out[input.len() + 1]];
        assert_eq!(around, [0x55; 2], "{what} between buffers at {shift} wrote outside");
    }
}

#[test]
fn map_both_ways() {
    let mut random = Random::new(1);
    for kernel in kernels() {
        for blocks in lengths() {
            let key = random.array();
            let (cipher, model) = (on(kernel, &key), Model::new(&key));
            let plain = random.bytes(16 * blocks);
            let (chunks, _) = plain.as_chunks();
            let encrypted: Vec<u8> = chunks.iter().flat_map(|b| model.encrypt(*b)).collect();
            let decrypted: Vec<u8> = chunks.iter().flat_map(|b| model.decrypt(*b)).collect();
            both(&plain, &encrypted, &format!("{kernel} encrypt {blocks}"), |d| {
                cipher.map(Direction::Encrypt, d);
            });
            both(&plain, &decrypted, &format!("{kernel} decrypt {blocks}"), |d| {
                cipher.map(Direction::Decrypt, d);
            });
        }
    }
}

/// The counter after a block, by the definitions of GOST R 34.13 and RFC 9058.
fn step(counter: [u8; 16], count: Count) -> [u8; 16] {
    let mut c = counter;
    let range = match count {
        Count::Whole => 0..16,
        Count::Left => 0..8,
        _ => 8..16,
    };
    for byte in c[range].iter_mut().rev() {
        *byte = byte.wrapping_add(1);
        if *byte != 0 {
            break;
        }
    }
    c
}

#[test]
fn stream_counts() {
    let mut random = Random::new(2);
    // Carries out of the last 8, 32, 64 and 128 bits, and out of both halves, at the start, inside a
    // batch, at its edge, and no carry.
    let starts = |blocks: u128| {
        let near = [1, 2, 64, 65, blocks.max(1), 250];
        let mut v: Vec<u128> = vec![0x1234_5678_90ab_cef0_0000_0000_0000_0000, 0x33];
        for n in near {
            v.push((0x77 << 64 | 0x100) - n);
            v.push((1 << 32) - n);
            v.push((1 << 64) - n);
            v.push(0u128.wrapping_sub(n));
            v.push((0u64.wrapping_sub(n as u64) as u128) << 64 | 0xfffe);
        }
        v
    };
    for kernel in kernels() {
        for blocks in lengths().filter(|b| [0, 1, 3, 9, 17, 63, 64, 65, 130, 300, 577].contains(b))
        {
            let key = random.array();
            let (cipher, model) = (on(kernel, &key), Model::new(&key));
            let plain = random.bytes(16 * blocks);
            for start in starts(blocks as u128) {
                for count in [Count::Whole, Count::Right, Count::Left] {
                    let mut counter = start.to_be_bytes();
                    let mut expected = plain.clone();
                    for block in expected.chunks_mut(16) {
                        let gamma = model.encrypt(counter);
                        block.iter_mut().zip(gamma).for_each(|(a, b)| *a ^= b);
                        counter = step(counter, count);
                    }
                    let what = format!("{kernel} {count:?} {blocks} from {start:x}");
                    both(&plain, &expected, &what, |d| {
                        let mut c = start.to_be_bytes();
                        cipher.stream(&mut c, count, d);
                        assert_eq!(c, counter, "{what}: the counter left");
                    });
                }
            }
        }
    }
}

/// Longer than one preparation of the counters' first rounds: 15 times 256 blocks, twice and a tail.
#[test]
fn long_streams() {
    let mut random = Random::new(6);
    let key = random.array();
    let blocks = 2 * 15 * 256 + 77;
    for start in [0u128, 1, 0x80, 0xff, (1 << 16) - 300, (1 << 64) - 4000, 0u128.wrapping_sub(7000)]
    {
        for count in [Count::Whole, Count::Right, Count::Left] {
            let start = match count {
                Count::Left => start.rotate_left(64),
                _ => start,
            };
            let mut counter = start.to_be_bytes();
            let mut gamma = Vec::new();
            for _ in 0..blocks {
                gamma.extend_from_slice(&counter);
                counter = step(counter, count);
            }
            on("portable", &key).map(Direction::Encrypt, gamma.as_mut_slice().into());
            for kernel in kernels() {
                let mut out = vec![0; 16 * blocks];
                let mut c = start.to_be_bytes();
                on(kernel, &key).stream(&mut c, count, out.as_mut_slice().into());
                assert!(out == gamma && c == counter, "{kernel} {count:?} from {start:x}");
            }
        }
    }
}

/// The schedules of all kernels are equal.
#[test]
fn schedules_agree() {
    let mut random = Random::new(4);
    for _ in 0..50 {
        let (first, key) = (random.array(), random.array());
        let model = Model::new(&key);
        let block = random.array();
        for kernel in kernels() {
            let cipher = on(kernel, &first).rekey(&key);
            for other in kernels() {
                let mut b = block;
                let cipher = cipher.clone().on(other).expect("available");
                cipher.encrypt_block(&mut b);
                assert_eq!(b, model.encrypt(block), "{kernel}'s schedule on {other}");
                cipher.decrypt_block(&mut b);
                assert_eq!(b, block, "{kernel}'s schedule on {other}");
            }
        }
    }
}

/// Many keys at once give the ciphers that each gives: every round key, both ways, in any number of them.
#[test]
fn many_keys() {
    let mut random = Random::new(5);
    let block: [u8; 16] = random.array();
    let keys: Vec<[u8; 32]> = (0..200).map(|_| random.array()).collect();
    let want: Vec<_> = keys.iter().map(|key| Model::new(key).encrypt(block)).collect();
    for count in (0..=40).chain([47, 48, 63, 64, 65, 66, 80, 127, 128, 131, 200]) {
        for kernel in kernels() {
            let first = on(kernel, &[0; 32]);
            let mut all = first.rekey_many(&keys[..count]);
            all.extend(Kuznyechik::new_many(&keys[..count]));
            assert_eq!(all.len(), 2 * count);
            for (i, cipher) in all.iter().enumerate() {
                // Its schedules on its own functions, and on others that read them byte by byte.
                for cipher in [cipher.clone(), cipher.clone().on("portable").unwrap()] {
                    let mut b = block;
                    cipher.encrypt_block(&mut b);
                    assert_eq!(b, want[i % count], "{kernel}: key {i} of {count}");
                    cipher.decrypt_block(&mut b);
                    assert_eq!(b, block, "{kernel}: key {i} of {count}, back");
                }
            }
        }
    }
    let plain = random.bytes(16 * 70);
    for kernel in kernels() {
        for (cipher, key) in on(kernel, &[0; 32]).rekey_many(&keys[..5]).iter().zip(&keys) {
            let (mut one, mut other) = (plain.clone(), plain.clone());
            for direction in [Direction::Encrypt, Direction::Decrypt, Direction::Decrypt] {
                cipher.map(direction, (&mut one[..]).into());
                on(kernel, key).map(direction, (&mut other[..]).into());
                assert!(one == other, "{kernel}");
            }
        }
    }
}
