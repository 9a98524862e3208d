//! Counters at their carries: through 8, 16, 32, 64 and 128 bits, with the carry at every place of a
//! batch of the widest kernel; MGM's two counters, where a nonce is sought that brings them there; the
//! register of CNT, with the rule of its own for sums modulo 2^32 - 1.

use bulat::ParamSet;
use bulat::modes::{Ctr, Mgm, StreamCipher};
use bulat::{BlockCipher, Error, Gost28147, Kuznyechik, Magma};
use bulat_core::cipher::{Count, Shapes as _};
use reference::Cipher as Model;
use reference::magma::Gost89;
use reference::{kuznyechik, magma, mgm, modes};

use crate::kernels;
use testkit::Random;

/// How far before the carry a message may begin: more than the widest batch.
const BEFORE: usize = 520;
/// Blocks after the carry.
const AFTER: usize = 8;

fn key(dice: &mut Random) -> [u8; 32] {
    dice.bytes(32).try_into().expect("32 bytes")
}

/// The big-endian block of `n` bytes with low `bits` of 2^bits - `before` modulo 2^bits, the others random or, to
/// carry through all of them, ones.
fn at_carry(n: usize, bits: usize, before: u128, ones: bool, dice: &mut Random) -> Vec<u8> {
    let high =
        if ones { u128::MAX } else { u128::from(dice.word()) << 64 | u128::from(dice.word()) };
    let mask = if bits == 128 { u128::MAX } else { (1 << bits) - 1 };
    let number = high & !mask | mask.wrapping_sub(before - 1) & mask;
    number.to_be_bytes()[16 - n..].to_vec()
}

fn ctr<C: BlockCipher>(cipher: C, start: &[u8], text: &mut [u8]) -> Result<(), Error> {
    let mut block = <C::Block as bulat_core::cipher::Block>::ZERO;
    block.as_mut().copy_from_slice(start);
    Ctr::from_block(cipher, block).apply_keystream(text)
}

#[test]
fn ctr_carries_at_every_place_of_a_batch() {
    let dice = &mut Random::new(1);
    for (n, name) in [(16, "kuznyechik"), (8, "magma")] {
        for bits in [8, 16, 24, 32, 64, 128] {
            for ones in [false, true] {
                if bits > 8 * n || (n == 8 && bits == 64 && ones) {
                    continue;
                }
                let key = key(dice);
                // A message that begins later is the end of a message that begins earlier.
                let start = at_carry(n, bits, BEFORE as u128, ones, dice);
                let zeros = vec![0; (BEFORE + AFTER) * n];
                let model: Box<dyn Model> = match n {
                    16 => Box::new(kuznyechik::Kuznyechik::new(&key).expect("32 bytes")),
                    _ => Box::new(magma::Magma::new(&key).expect("32 bytes")),
                };
                let gamma = modes::ctr_full(&*model, &start, &zeros).expect("a block");
                for kernel in kernels(name) {
                    for later in (0..=BEFORE).step_by(if bits < 32 { 37 } else { 1 }) {
                        let mut start = start.clone();
                        Count::Whole.skip(&mut start, later as u64);
                        let mut text = vec![0; (BEFORE + AFTER - later) * n];
                        match n {
                            16 => ctr(Kuznyechik::new(&key).on(kernel).unwrap(), &start, &mut text),
                            _ => ctr(Magma::new(&key).on(kernel).unwrap(), &start, &mut text),
                        }
                        .unwrap();
                        assert!(
                            text == gamma[later * n..],
                            "{name} on {kernel}: {bits} bits carry after {} blocks",
                            BEFORE - later
                        );
                    }
                }
            }
        }
    }
}

/// Any place of a message, up to `end`, the last that the standard allows.
fn seeks<C: BlockCipher>(
    name: &str,
    make: impl Fn(&str) -> C,
    model: &dyn Model,
    (iv, end): (&[u8], u64),
    places: &[u64],
) {
    let n = C::BLOCK as u64;
    for kernel in kernels(name) {
        let mut ctr = Ctr::with(make(kernel), iv).unwrap();
        for &place in places {
            let mut start = [iv, &vec![0; iv.len()]].concat();
            Count::Whole.skip(&mut start, place / n);
            let gamma = modes::ctr_full(model, &start, &[0; 96]).expect("a block");
            let (within, len) = ((place % n) as usize, (end - place).min(80) as usize);
            let mut text = vec![0; len];
            ctr.seek(place).unwrap();
            ctr.apply_keystream(&mut text).unwrap();
            assert!(text == gamma[within..within + len], "byte {place} on {kernel}");
            if place + 80 >= end {
                assert_eq!(ctr.apply_keystream(&mut [0]), Err(Error::Limit));
            }
        }
    }
}

#[test]
fn ctr_seeks_to_any_byte() {
    let dice = &mut Random::new(2);
    let (key, iv) = (key(dice), dice.bytes(8));
    let mut places: Vec<u64> = vec![0, 1, (16 << 32) - 5, 16 << 32, (16 << 32) + 1, u64::MAX - 99];
    places.extend((0..100).map(|_| dice.word() >> dice.below(64)));
    let model = kuznyechik::Kuznyechik::new(&key).expect("32 bytes");
    let make = |kernel: &str| Kuznyechik::new(&key).on(kernel).unwrap();
    seeks("kuznyechik", make, &model, (&iv, u64::MAX), &places);
    // A part of each gamma block.
    for (kernel, s) in kernels("kuznyechik").flat_map(|kernel| [15, 1].map(|s| (kernel, s))) {
        let mut ctr = Ctr::with(make(kernel), &iv).unwrap().with_s(s).unwrap();
        let mut whole = [0; 300];
        ctr.apply_keystream(&mut whole).unwrap();
        for at in 0..300 {
            let mut part = vec![0; dice.below(301 - at)];
            ctr.seek(at as u64).unwrap();
            ctr.apply_keystream(&mut part).unwrap();
            assert_eq!(part, whole[at..][..part.len()], "s = {s}, byte {at} on {kernel}");
        }
    }

    let end = 8 << 32; // bytes of a message of Magma: 2^32 blocks
    places.iter_mut().for_each(|place| *place %= end);
    places.extend([end, end - 1, end - 8, end - 80]);
    let model = magma::Magma::new(&key).expect("32 bytes");
    let make = |kernel: &str| Magma::new(&key).on(kernel).unwrap();
    seeks("magma", make, &model, (&iv[..4], end), &places);
    assert_eq!(Ctr::with(make("portable"), &iv[..4]).unwrap().seek(end + 1), Err(Error::Limit));
}

/// Blocks before the carry: around the widths of vectors and batches.
const MGM_BEFORE: [usize; 24] =
    [1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129, 192, 256, 512, 513];

/// A nonce under which the gamma's counter Y (its right half) or the multiplier's Z (its left half) is
/// `counter`; `None` if it decrypts to a block with a wrong first bit: Y is E(0 || ICN), Z is
/// E(1 || ICN).
fn nonce(model: &dyn Model, left: bool, counter: &[u8]) -> Option<Vec<u8>> {
    let mut nonce = counter.to_vec();
    model.decrypt(&mut nonce);
    if (nonce[0] & 0x80 != 0) != left {
        return None;
    }
    nonce[0] &= 0x7f;
    Some(nonce)
}

/// A text in two pieces, of which a short first piece goes a different way than a second.
fn seal<C: BlockCipher>(cipher: C, nonce: &[u8], aad: &[u8], text: &[u8], first: usize) -> Vec<u8> {
    let mut sealer = Mgm::with(cipher).sealer(nonce).unwrap();
    let mut text = text.to_vec();
    sealer.aad(aad).unwrap();
    let (a, b) = text.split_at_mut(first);
    sealer.update(a).unwrap();
    sealer.update(b).unwrap();
    text.extend_from_slice(&sealer.finalize().unwrap());
    text
}

#[test]
fn mgm_counters_carry() {
    let dice = &mut Random::new(3);
    for n in [16, 8] {
        let key = key(dice);
        let model: Box<dyn Model> = match n {
            16 => Box::new(kuznyechik::Kuznyechik::new(&key).expect("32 bytes")),
            _ => Box::new(magma::Magma::new(&key).expect("32 bytes")),
        };
        for bits in [8, 16, 32, 64].into_iter().filter(|bits| *bits <= 4 * n) {
            for (left, before) in
                MGM_BEFORE.into_iter().flat_map(|before| [(false, before), (true, before)])
            {
                let nonce = std::iter::repeat_with(|| {
                    let half = at_carry(n / 2, bits, before as u128, false, dice);
                    let other = dice.bytes(n / 2);
                    let halves = if left { [half, other] } else { [other, half] };
                    nonce(&*model, left, &halves.concat())
                })
                .flatten()
                .next()
                .expect("every second one does");
                let text = dice.bytes((before + 3) * n + 5);
                // Associated data on every second text, so that Z carries within it, too.
                let aad = dice.bytes(if before.is_multiple_of(2) { 4 * before } else { 0 });
                let (sealed, tag) = mgm::encrypt(&*model, &nonce, &aad, &text, n).expect("valid");
                let expected = [sealed, tag].concat();
                let places = [0, before * n - 3, text.len()];
                for (kernel, first) in kernels(if n == 16 { "kuznyechik" } else { "magma" })
                    .flat_map(|kernel| places.map(|first| (kernel, first)))
                {
                    let got = if n == 16 {
                        let cipher = Kuznyechik::new(&key).on(kernel).unwrap();
                        seal(cipher, &nonce, &aad, &text, first)
                    } else {
                        seal(Magma::new(&key).on(kernel).unwrap(), &nonce, &aad, &text, first)
                    };
                    assert!(
                        got == expected,
                        "block {n} on {kernel}, {first} first: {bits} bits of the {} half carry after {before}",
                        if left { "left" } else { "right" }
                    );
                }
            }
        }
    }
}

/// The register of CNT: a sum of N4 that is exactly 2^32 - 1 stays, a sum of exactly 2^32 becomes 1
/// (RFC 5830, section 6); each at every place of a batch.
#[test]
fn cnt_register_sums() {
    const C1: u64 = 0x0101_0104;
    const ORDER: u64 = (1 << 32) - 1;
    let dice = &mut Random::new(4);
    for (set, name) in [
        (ParamSet::Tc26Z, "id-tc26-gost-28147-param-Z"),
        (ParamSet::CryptoProA, "id-Gost28147-89-CryptoPro-A-ParamSet"),
    ] {
        let key = key(dice);
        let table = magma::sbox(name).expect("a known set");
        let model = Gost89::new(&key, table).expect("32 bytes");
        for place in (1..=BEFORE as u64).step_by(3).chain([2, 3, 64, 128, 192, 512]) {
            for target in [0, 1] {
                // N4 with N4 + place·C1 = target mod 2^32 - 1; 0 is written as 2^32 - 1.
                let n4 = (target + ORDER * C1 - place * C1 % ORDER) % ORDER;
                let n4 = if n4 == 0 { ORDER } else { n4 } as u32;
                let n3 = (dice.word() as u32).to_le_bytes();
                let register: [u8; 8] = [n3, n4.to_le_bytes()].concat().try_into().expect("8");
                let mut iv = register;
                model.decrypt(&mut iv);
                let text = dice.bytes((place as usize + AFTER) * 8);
                let none = reference::gost28147::Meshing::None;
                let expected =
                    reference::gost28147::cnt(&key, table, &iv, none, &text).expect("valid");
                for kernel in kernels("magma") {
                    let cipher = Gost28147::new(&key, set).on(kernel).unwrap();
                    let (mut got, mut register) = (text.clone(), register);
                    cipher.stream(&mut register, Count::Cnt, got.as_mut_slice().into());
                    assert!(got == expected, "{name} on {kernel}: {target} after {place} steps");
                }
            }
        }
    }
}
