//! Every kernel in every shape, on buffers that end before a page that nothing may touch, or begin after such a page:
//! lengths 0..=1100 and some of whole batches, in place and from a buffer that cannot be written to a second buffer.
//! The results equal the results on common memory.

use bulat::ParamSet;
use bulat::modes::{Ctr, Mgm, StreamCipher, Xts};
use bulat::{BlockCipher, Direction, Gost28147, InOut, Kuznyechik};
use bulat_core::cipher::{Block, Chain, Chained as _, Count, Data, Lane};
use bulat_core::kernel::{HashLane, HashState, NAMES, Ready, available};

use crate::pages::Pages;

/// More than any buffer here.
const ROOM: usize = 16 * 1024;
/// How many lanes: around the widths of the kernels.
const LANES: [usize; 14] = [1, 2, 3, 4, 5, 8, 9, 16, 17, 63, 64, 65, 192, 203];

fn pattern(len: usize, seed: usize) -> Vec<u8> {
    (0..len).map(|i| (i * 167 + seed * 31 + i / 256) as u8).collect()
}

fn lengths(unit: usize) -> impl Iterator<Item = usize> {
    let long = [2048, 2064, 4096, 4104, 4112, 5136, 8192, 8200].into_iter();
    (0..=1100).chain(long).filter(move |len| len % unit == 0)
}

/// A transformation of whole units.
fn through(what: &str, unit: usize, mut run: impl FnMut(InOut<'_, '_>)) {
    let (mut a, mut b) = (Pages::new(ROOM), Pages::new(ROOM));
    let mut input = Pages::new(ROOM);
    for len in lengths(unit) {
        let text = pattern(len, 1);
        let mut expected = text.clone();
        run(expected.as_mut_slice().into());
        for last in [false, true] {
            let data = a.bytes(len, last);
            data.copy_from_slice(&text);
            run((&mut *data).into());
            assert!(data == expected, "{what}: {len} bytes in place");
            let out = b.bytes(len, !last);
            run(InOut::new(input.constant(&text, last), &mut *out).expect("one length"));
            assert!(out == expected, "{what}: {len} bytes");
        }
    }
}

/// The shapes that every cipher has, and modes of any length over them.
fn cipher<C: BlockCipher>(what: &str, cipher: &C, counts: &[Count], chains: &[Chain]) {
    let n = C::BLOCK;
    let mut pages = Pages::new(ROOM);
    for last in [false, true] {
        // The key schedule: the same cipher comes out.
        let key = pages.bytes(32, last);
        key.copy_from_slice(&pattern(32, 7));
        let key = (&*key).try_into().expect("32 bytes");
        let (mut x, mut y) = (C::Block::ZERO, C::Block::ZERO);
        cipher.rekey(key).encrypt_block(&mut x);
        cipher.rekey(&pattern(32, 7).try_into().expect("32")).encrypt_block(&mut y);
        assert!(x == y, "{what}: key");
    }
    for direction in [Direction::Encrypt, Direction::Decrypt] {
        through(&format!("{what} {direction:?}"), n, |data| cipher.map(direction, data));
    }
    for &count in counts {
        through(&format!("{what} {count:?}"), n, |data| {
            let mut counter = C::Block::ZERO;
            counter.as_mut().fill(0xff);
            cipher.stream(&mut counter, count, data);
        });
    }
    for &chain in chains {
        let read = matches!(chain, Chain::Mac | Chain::Imit);
        through(&format!("{what} {chain:?}"), n, |mut data| {
            let mut state = C::Block::ZERO;
            if !read {
                return cipher.chain(chain, &mut state, Data::Through(data));
            }
            // The result replaces the first block, so that it is compared.
            cipher.chain(chain, &mut state, Data::Read(data.get_in()));
            let input = data.get_in().to_vec();
            data.get_out().copy_from_slice(&input);
            if let Some(first) = data.get_out().get_mut(..n) {
                first.copy_from_slice(state.as_ref());
            }
        });
    }
    let iv = pattern(n, 0);
    through(&format!("{what} in CTR"), 1, |data| {
        let mut ctr = Ctr::with(cipher.clone(), &iv[..n / 2]).expect("length");
        ctr.apply_keystream_inout(data).expect("short");
    });
    // A short text goes one way when it comes first, a different way after a text, if only an empty text.
    for first in [true, false] {
        through(&format!("{what} in MGM, first: {first}"), 1, |data| {
            let mut sealer = Mgm::with(cipher.clone()).sealer(&iv).expect("length");
            sealer.aad(b"associated").expect("first");
            if !first {
                sealer.update(&mut []).expect("empty");
            }
            sealer.update_inout(data).expect("short");
        });
    }
}

/// Lanes over one buffer: $cipher by reference, $n bytes in a block.
macro_rules! lanes {
    ($what:expr, $cipher:expr, $n:literal, $chains:expr) => {
        let (mut pages, mut registers) = (Pages::new(1 << 17), Pages::new(ROOM));
        for (chain, count) in $chains.into_iter().flat_map(|c| LANES.map(|l| (c, l))) {
            for blocks in [1, 2, 3, 9] {
                let len = blocks * $n;
                let run = |states: &mut [u8], texts: &mut [u8]| {
                    let parts =
                        states.as_chunks_mut::<$n>().0.iter_mut().zip(texts.chunks_mut(len));
                    let mut lanes: Vec<_> = parts
                        .map(|(state, text)| Lane {
                            schedule: $cipher.schedule(),
                            state,
                            data: match chain {
                                Chain::Mac | Chain::Imit => Data::Read(text),
                                _ => Data::Through(text.into()),
                            },
                        })
                        .collect();
                    $cipher.lanes(chain, &mut lanes);
                };
                let (states, texts) = (pattern(count * $n, 2), pattern(count * len, 3));
                let mut expected = (states.clone(), texts.clone());
                run(&mut expected.0, &mut expected.1);
                for last in [false, true] {
                    let state = registers.bytes(states.len(), last);
                    state.copy_from_slice(&states);
                    let text = pages.bytes(texts.len(), last);
                    text.copy_from_slice(&texts);
                    run(state, text);
                    assert!(state == expected.0, "{} {chain:?}: {count} lanes", $what);
                    assert!(text == expected.1, "{} {chain:?}: {count} lanes", $what);
                }
            }
        }
    };
}

const CHAINS: [Chain; 4] = [Chain::CbcEncrypt, Chain::CfbEncrypt, Chain::Ofb, Chain::Mac];
const COUNTS: [Count; 3] = [Count::Whole, Count::Right, Count::Left];

#[test]
fn kuznyechik() {
    for kernel in NAMES.iter().filter(|k| available(k)) {
        let Ok(c) = Kuznyechik::new(&[7; 32]).on(kernel) else { continue };
        cipher(&format!("{kernel} kuznyechik"), &c, &COUNTS, &CHAINS);
        lanes!(format!("{kernel} kuznyechik"), c, 16, CHAINS);
        let xts = Xts::new(&[1; 32], &[2; 32]).and_then(|xts| xts.on(kernel)).expect("keys");
        for direction in [Direction::Encrypt, Direction::Decrypt] {
            through(&format!("{kernel} kuznyechik in XTS"), 1, |mut data| {
                if data.len() < 16 {
                    // No data unit.
                    let text = data.get_in().to_vec();
                    return data.get_out().copy_from_slice(&text);
                }
                xts.sector_inout(&Xts::tweak(9), direction, data).expect("length");
            });
        }
    }
}

#[test]
fn gost28147() {
    for kernel in NAMES.iter().filter(|k| available(k)) {
        let Ok(c) = Gost28147::new(&[7; 32], ParamSet::Tc26Z).on(kernel) else { continue };
        let counts = [Count::Whole, Count::Right, Count::Left, Count::Cnt];
        let chains = [CHAINS[0], CHAINS[1], CHAINS[2], CHAINS[3], Chain::Imit];
        cipher(&format!("{kernel} gost28147"), &c, &counts, &chains);
        lanes!(format!("{kernel} gost28147"), c, 8, chains);
    }
}

#[test]
fn streebog() {
    let mut pages = Pages::new(1 << 16);
    for kernel in bulat_core::streebog::KERNELS.iter().filter_map(Ready::new) {
        let run = |texts: &[u8], count: usize| {
            let mut states = vec![HashState { h: [1; 64], n: [0; 64], sigma: [0; 64] }; count];
            let len = texts.len() / count;
            let whole = len / 64 * 64;
            for end in [false, true] {
                let part = |i: usize| {
                    let text = &texts[i * len..][..len];
                    if end { &text[whole..] } else { &text[..whole] }
                };
                let lanes = states.iter_mut().enumerate();
                let lanes = lanes.map(|(i, state)| HashLane { state, blocks: part(i) });
                let mut lanes: Vec<_> = lanes.collect();
                if end { kernel.finish(&mut lanes) } else { kernel.blocks(&mut lanes) }
            }
            states.iter().flat_map(|s| s.h).collect::<Vec<u8>>()
        };
        for (len, count) in (0..=1100)
            .map(|len| (len, 1))
            .chain((1..=19).flat_map(|count| [0, 1, 63, 64, 100, 128, 192].map(|len| (len, count))))
        {
            let texts = pattern(len * count, 5);
            let expected = run(&texts, count);
            for last in [false, true] {
                let digest = run(pages.constant(&texts, last), count);
                assert!(digest == expected, "{}: {count} times {len} bytes", kernel.name());
            }
        }
    }
}

#[test]
fn gf() {
    let (mut hs, mut texts, mut sums) = (Pages::new(ROOM), Pages::new(ROOM), Pages::new(16));
    for kernel in bulat_core::gf::KERNELS.iter().filter_map(Ready::new) {
        for (len, last) in lengths(8).flat_map(|len| [(len, false), (len, true)]) {
            let (h, a) = (pattern(len, 1), pattern(len, 2));
            let (h_there, a_there) = (hs.constant(&h, last), texts.constant(&a, last));
            let mut expected = [3; 8];
            kernel.mac64(&mut expected, &h, &a);
            let sum = sums.bytes(8, last);
            sum.fill(3);
            kernel.mac64((&mut *sum).try_into().expect("8"), h_there, a_there);
            assert!(sum == expected, "{} mac64, {len}", kernel.name());
            if len % 16 == 0 {
                let mut expected = [3; 16];
                kernel.mac128(&mut expected, &h, &a);
                let sum = sums.bytes(16, last);
                sum.fill(3);
                kernel.mac128((&mut *sum).try_into().expect("16"), h_there, a_there);
                assert!(sum == expected, "{} mac128, {len}", kernel.name());
            }
        }
    }
}
