//! The shape `lanes`: many chained streams or messages side by side, each with its own key, register
//! and data; and the parts that no mode shows on its own: the hash's counter and sum at their carries,
//! multiplication of many blocks. Every kernel against the reference.

mod forced;
mod shapes;

use bulat::{Gost28147, InOut, Kuznyechik, Magma, ParamSet, Sboxes};
use bulat_core::cipher::{Chain, Chained, Data, Lane};
use bulat_core::kernel::{HashLane, HashState, Kernel, Ready};
use bulat_core::{gf, streebog};
use reference::{kuznyechik, magma, mgm};

use forced::kernels;
use shapes::{Model, On, chained, on, xor};
use testkit::Random;

/// Numbers of lanes: all up to a few vectors, and around the widest.
fn counts() -> impl Iterator<Item = usize> {
    (1..=20).chain([31, 32, 33, 63, 64, 65, 127, 128, 129])
}

/// Numbers of lanes, and of blocks in a lane: no block, few, and more than one pass of a loop.
fn sizes() -> impl Iterator<Item = (usize, usize)> {
    counts().flat_map(|count| [0, 1, 2, 5, 16, 17].map(|blocks| (count, blocks)))
}

const CHAINS: [Chain; 4] = [Chain::CbcEncrypt, Chain::CfbEncrypt, Chain::Ofb, Chain::Mac];

/// Runs lanes of a chain on each kernel, in place and between buffers. `keyed` gives a lane the schedule and the model of
/// its key.
fn compare<C: Chained<N>, const N: usize>(
    on: &On<C>,
    keyed: impl Fn(usize, &[u8; 32]) -> (C::Schedule, Box<dyn Model>),
    chain: Chain,
    (count, blocks): (usize, usize),
) {
    let mut dice = Random::new((1000 * count + blocks) as u64);
    let read = matches!(chain, Chain::Mac | Chain::Imit);
    let (schedules, models): (Vec<_>, Vec<_>) = (0..count).map(|i| keyed(i, &dice.array())).unzip();
    let states: Vec<[u8; N]> = (0..count).map(|_| dice.array()).collect();
    // Unaligned, at a different offset in each lane.
    let texts: Vec<Vec<u8>> = (0..count).map(|i| dice.bytes(i % 16 + blocks * N)).collect();
    let mut ends = states.clone();
    let expected: Vec<Vec<u8>> = (0..count)
        .map(|i| chained(&*models[i], chain, &mut ends[i], &texts[i][i % 16..]))
        .collect();
    for ((kernel, cipher), in_place) in on.iter().flat_map(|on| [(on, true), (on, false)]) {
        let (mut states, mut targets) = (states.clone(), texts.clone());
        if !in_place {
            targets.iter_mut().for_each(|target| target.fill(0xa5));
        }
        let mut lanes: Vec<Lane<'_, _, N>> = (schedules.iter().zip(&mut states))
            .zip(texts.iter().zip(&mut targets))
            .enumerate()
            .map(|(i, ((schedule, state), (text, target)))| {
                let (text, target) = (&text[i % 16..], &mut target[i % 16..]);
                let data = match (read, in_place) {
                    (true, _) => Data::Read(text),
                    (_, true) => Data::Through(target.into()),
                    (_, false) => Data::Through(InOut::new(text, target).expect("equal")),
                };
                Lane { schedule, state, data }
            })
            .collect();
        cipher.lanes(chain, &mut lanes);
        drop(lanes);
        for i in 0..count {
            let what = || format!("{chain:?} on {kernel}: lane {i} of {count}, {blocks} blocks");
            assert!(states[i] == ends[i], "{}: the register", what());
            assert!(read || targets[i][i % 16..] == expected[i], "{}: the output", what());
        }
    }
}

#[test]
fn kuznyechik_lanes() {
    let on = on("kuznyechik", |kernel| Kuznyechik::new(&[0; 32]).on(kernel));
    let keyed = |_: usize, key: &[u8; 32]| -> (_, Box<dyn Model>) {
        let model = kuznyechik::Kuznyechik::new(key).expect("32 bytes");
        (Kuznyechik::new(key).schedule().clone(), Box::new(model))
    };
    for (chain, size) in sizes().flat_map(|size| CHAINS.map(|chain| (chain, size))) {
        compare::<Kuznyechik, 16>(&on, keyed, chain, size);
    }
}

/// Lanes of a single kind, and of every kind side by side.
#[test]
fn magma_lanes() {
    // Magma; GOST 28147-89 with every parameter set, and with boxes of no set.
    let mut kinds: Vec<Option<Sboxes>> = vec![None];
    kinds.extend(ParamSet::ALL.map(|set| Some(set.into())));
    kinds.extend([3, 89].map(|seed| Some(Sboxes::new(Random::new(seed).sboxes()).unwrap())));
    let mut cases: Vec<(Option<usize>, (usize, usize))> = Vec::new();
    for (i, size) in sizes().enumerate() {
        cases.extend([(Some(0), size), (Some(1 + i % (kinds.len() - 1)), size)]);
    }
    cases.extend((1..=200).map(|count| (Some(count % kinds.len()), (count, count % 4))));
    for kind in 0..kinds.len() {
        cases.extend([1, 2, 16, 17, 70, 192].map(|count| (Some(kind), (count, 9))));
    }
    cases.extend([2, 40, 200].map(|count| (None, (count, 17))));
    cases.extend([224, 255, 256, 257, 321].map(|count| (Some(count % kinds.len()), (count, 3))));
    cases.push((Some(0), (1, 40)));
    let on = on("magma", |kernel| Magma::new(&[0; 32]).on(kernel));
    for (kind, size) in cases {
        let keyed = |lane: usize, key: &[u8; 32]| -> (_, Box<dyn Model>) {
            // Every kind for three lanes in turn, where they are mixed.
            match &kinds[kind.unwrap_or(lane / 3 % kinds.len())] {
                None => {
                    let model = magma::Magma::new(key).expect("32 bytes");
                    (Magma::new(key).schedule().clone(), Box::new(model))
                }
                Some(sboxes) => {
                    let model = magma::Gost89::new(key, sboxes.rows()).expect("permutations");
                    (Gost28147::new(key, sboxes.clone()).schedule().clone(), Box::new(model))
                }
            }
        };
        // IMIT belongs to GOST 28147-89.
        let imit = kind.is_some_and(|kind| kinds[kind].is_some()).then_some(Chain::Imit);
        for chain in CHAINS.into_iter().chain(imit) {
            compare::<Magma, 8>(&on, keyed, chain, size);
        }
    }
}

fn hash_kernel(name: &str) -> Ready<bulat_core::kernel::HashKernel> {
    let listed = streebog::KERNELS.iter().find(|kernel| kernel.name() == name);
    listed.and_then(Ready::new).expect("an available kernel")
}

fn start(iv: u8) -> HashState {
    HashState { h: [iv; 64], n: [0; 64], sigma: [0; 64] }
}

/// Messages side by side: whole blocks in two calls, then ends of different lengths.
#[test]
fn streebog_lanes() {
    let mut dice = Random::new(6);
    for kernel in kernels("streebog512") {
        let ready = hash_kernel(kernel);
        for (count, blocks) in counts().flat_map(|count| [0, 1, 2, 7].map(|blocks| (count, blocks)))
        {
            // Both lengths of digest side by side: they differ only in the first state.
            let mut states: Vec<HashState> = (0..count).map(|i| start((i % 2) as u8)).collect();
            let texts: Vec<Vec<u8>> = (0..count)
                .map(|i| {
                    let end = if i % 3 == 0 { 0 } else { dice.below(64) };
                    dice.bytes(i % 16 + blocks * 64 + end)
                })
                .collect();
            let calls = [(0, Some(blocks / 2)), (blocks / 2, Some(blocks)), (blocks, None)];
            for (from, to) in calls {
                let mut lanes: Vec<HashLane<'_>> = (states.iter_mut().zip(&texts).enumerate())
                    .map(|(i, (state, text))| {
                        let text = &text[i % 16..];
                        let end = to.map_or(text.len(), |to| to * 64);
                        HashLane { state, blocks: &text[from * 64..end] }
                    })
                    .collect();
                match to {
                    Some(_) => ready.blocks(&mut lanes),
                    None => ready.finish(&mut lanes),
                }
            }
            for (i, (state, text)) in states.iter().zip(&texts).enumerate() {
                let text = &text[i % 16..];
                let digest = match i % 2 {
                    0 => reference::streebog::hash512(text),
                    _ => reference::streebog::hash256(text),
                };
                let got = &state.h[64 - digest.len()..];
                assert!(got == digest, "on {kernel}: lane {i} of {count}, {blocks} blocks");
            }
        }
    }
}

/// Σ with carries through every limb: sums of blocks of ones and of almost nothing.
#[test]
fn streebog_sum_carries() {
    let mut dice = Random::new(7);
    for _ in 0..300 {
        let blocks = 1 + dice.below(6);
        let mut text: Vec<u8> = Vec::new();
        for _ in 0..blocks {
            let mut block = [[0; 64], [0xff; 64]][dice.below(2)];
            if dice.below(2) == 0 {
                block[dice.below(64)] = [0, 1, 0xfe, 0xff][dice.below(4)];
            }
            text.extend(block);
        }
        text.truncate(text.len() - dice.below(64));
        for kernel in kernels("streebog512") {
            let mut hash = bulat::Streebog512::new().on(kernel).unwrap();
            hash.update(&text);
            assert!(hash.finalize()[..] == reference::streebog::hash512(&text), "on {kernel}");
        }
    }
}

/// N with carries: no message is so long, so kernels are compared from a state in the middle of a message,
/// and N with the sum by hand.
#[test]
fn streebog_count_carries() {
    let mut dice = Random::new(8);
    for bits in [9, 16, 32, 64, 72, 128, 256, 448, 512] {
        for before in 1..=9usize {
            // N = 2^bits - 512 · before, little-endian, modulo 2^512.
            let mut n = [0u8; 64];
            let mut borrow = 512 * before as u64;
            n.iter_mut().enumerate().take(64).for_each(|(i, byte)| {
                let have = u64::from(i == bits / 8) << (bits % 8);
                let less = borrow & 0xff;
                *byte = have.wrapping_sub(less) as u8;
                borrow = (borrow >> 8) + u64::from(have < less);
            });
            let h: [u8; 64] = dice.bytes(64).try_into().expect("64");
            let sigma: [u8; 64] = dice.bytes(64).try_into().expect("64");
            let (text, end) = (dice.bytes(10 * 64), dice.bytes(17));
            let runs: Vec<_> = kernels("streebog512")
                .map(|kernel| {
                    let mut state = HashState { h, n, sigma };
                    let ready = hash_kernel(kernel);
                    ready.blocks(&mut [HashLane { state: &mut state, blocks: &text }]);
                    let mut expected = n;
                    let mut carry = 10 * 512u64;
                    expected.iter_mut().for_each(|byte| {
                        carry += u64::from(*byte);
                        *byte = carry as u8;
                        carry >>= 8;
                    });
                    assert!(state.n == expected, "on {kernel}: 2^{bits} after {before} blocks");
                    ready.finish(&mut [HashLane { state: &mut state, blocks: &end }]);
                    state.h
                })
                .collect();
            assert!(runs.windows(2).all(|pair| pair[0] == pair[1]), "2^{bits}, {before} blocks");
        }
    }
}

/// Sums of products, of any number of blocks, with the elements where circuits break: columns full of ones, single bits at
/// the edges, zero.
#[test]
fn multiplication() {
    let mut dice = Random::new(9);
    for n in [8, 16] {
        let mut special = vec![vec![0; n], vec![0xff; n]];
        special.extend([0x11, 0x88].map(|columns| vec![columns; n]));
        for bit in [0, 1, 3, 4, 59, 60, 63, 64, 65, 120, 123, 124, 127].map(|bit| bit % (8 * n)) {
            let mut element = vec![0; n];
            element[n - 1 - bit / 8] = 1 << (bit % 8);
            special.push(element);
        }
        let pairs = special.iter().flat_map(|h| special.iter().map(move |a| (h, a)));
        pairs.for_each(|(h, a)| products(&vec![0; n], h, a));
        for count in (0..=70).chain([127, 128, 129, 192, 512]) {
            let mut elements = || -> Vec<u8> {
                (0..count)
                    .flat_map(|_| match dice.below(3) {
                        0 => special[dice.below(special.len())].clone(),
                        _ => dice.bytes(n),
                    })
                    .collect()
            };
            let (h, a) = (elements(), elements());
            products(&dice.bytes(n), &h, &a);
        }
    }
}

/// Every kernel's sum of products, not aligned.
fn products(first: &[u8], h: &[u8], a: &[u8]) {
    let (n, mut expected) = (first.len(), first.to_vec());
    h.chunks(n).zip(a.chunks(n)).for_each(|(h, a)| {
        xor(&mut expected, &mgm::multiply(h, a).expect("whole elements"));
    });
    let (h, a) = ([&[0], h].concat(), [&[0; 3], a].concat());
    for ready in gf::KERNELS.iter().filter_map(Ready::new) {
        let mut sum = first.to_vec();
        match sum.first_chunk_mut() {
            Some(sum) if n == 16 => ready.mac128(sum, &h[1..], &a[3..]),
            _ => ready.mac64(sum.first_chunk_mut().expect("8"), &h[1..], &a[3..]),
        }
        assert!(sum == expected, "{} blocks of {n} on {}", h.len() / n, ready.name());
    }
}
