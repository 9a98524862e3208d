//! Every kernel of Kuznyechik against the reference: lengths around each batch size, counters at carries, many keys.
//! `lanes` has the chains.

mod forced;
mod shapes;

use bulat::{BlockCipher, Direction, Kuznyechik};
use bulat_core::cipher::{Count, Shapes as _};
use forced::kernels;
use reference::{Cipher as _, kuznyechik::Kuznyechik as Model};
use shapes::On;
use testkit::Random;

const COUNTS: [Count; 3] = [Count::Whole, Count::Right, Count::Left];

fn on(key: &[u8; 32]) -> On<Kuznyechik> {
    shapes::on("kuznyechik", |kernel| Kuznyechik::new(key).on(kernel))
}

/// The block under this key.
fn encrypted(key: &[u8; 32], mut block: [u8; 16]) -> [u8; 16] {
    Model::new(key).expect("32 bytes").encrypt(&mut block);
    block
}

#[test]
fn map_both_ways() {
    let mut random = Random::new(1);
    // Every short call, a batch of 64 and its neighbours, several batches and a tail.
    for blocks in (0..=70).chain([95, 96, 97, 127, 128, 129, 191, 192, 193, 256, 300, 577, 1024]) {
        let key = random.array();
        let model = Model::new(&key).expect("32 bytes");
        shapes::map(&on(&key), &model, &random.bytes(16 * blocks));
    }
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
    for blocks in [0, 1, 3, 9, 17, 63, 64, 65, 300, 577] {
        let key = random.array();
        let (on, model) = (on(&key), Model::new(&key).expect("32 bytes"));
        let plain = random.bytes(16 * blocks);
        for start in starts(blocks as u128) {
            for count in COUNTS {
                shapes::stream(&on, &model, (count, start.to_be_bytes()), &plain);
            }
        }
    }
}

/// Longer than one preparation of the counters' first rounds: 15 times 256 blocks, twice and a tail.
#[test]
fn long_streams() {
    let key = Random::new(6).array();
    let (on, portable) = (on(&key), Kuznyechik::new(&key).on("portable").unwrap());
    let blocks = 2 * 15 * 256 + 77;
    for start in [0u128, 1, 0x80, 0xff, (1 << 16) - 300, (1 << 64) - 4000, 0u128.wrapping_sub(7000)]
    {
        for count in COUNTS {
            let start = if count == Count::Left { start.rotate_left(64) } else { start };
            let mut counter = start.to_be_bytes();
            let mut gamma = Vec::new();
            for _ in 0..blocks {
                gamma.extend_from_slice(&counter);
                count.skip(&mut counter, 1);
            }
            portable.map(Direction::Encrypt, gamma.as_mut_slice().into());
            for (kernel, cipher) in &on {
                let (mut out, mut c) = (vec![0; 16 * blocks], start.to_be_bytes());
                cipher.stream(&mut c, count, out.as_mut_slice().into());
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
        let (first, key, block) = (random.array(), random.array(), random.array());
        let want = encrypted(&key, block);
        for (kernel, cipher) in on(&first) {
            let cipher = cipher.rekey(&key);
            for other in kernels("kuznyechik") {
                let mut b = block;
                let cipher = cipher.clone().on(other).expect("available");
                cipher.encrypt_block(&mut b);
                assert_eq!(b, want, "{kernel}'s schedule on {other}");
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
    let want: Vec<_> = keys.iter().map(|key| encrypted(key, block)).collect();
    for count in (0..=40).chain([47, 48, 63, 64, 65, 66, 80, 127, 128, 131, 200]) {
        for (kernel, first) in on(&[0; 32]) {
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
    for (i, key) in keys[..5].iter().enumerate() {
        for ((kernel, first), (_, own)) in on(&[0; 32]).iter().zip(on(key)) {
            let (mut one, mut other) = (plain.clone(), plain.clone());
            for direction in [Direction::Encrypt, Direction::Decrypt, Direction::Decrypt] {
                first.rekey_many(&keys[..5])[i].map(direction, (&mut one[..]).into());
                own.map(direction, (&mut other[..]).into());
                assert!(one == other, "{kernel}");
            }
        }
    }
}
