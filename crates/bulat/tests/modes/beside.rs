//! MGM of long messages, with blocks that a kernel may multiply along with its rounds, in batches: against the
//! portable kernels, over the lengths that can put the batches out of step with the text.

use bulat::modes::{Aead, Mgm};
use bulat::{BlockCipher, Kuznyechik, Magma};
use bulat_core::cipher::{Block, Count};
use bulat_core::gf;
use bulat_core::kernel::Ready;

/// A whole batch of the widest kernel of Magma; two are three of Kuznyechik's.
const BATCH: usize = 1536;

fn sealed<C: BlockCipher>(mgm: &Mgm<C>, aad: &[u8], text: &[u8], cuts: &[usize]) -> Vec<u8> {
    let n = C::BLOCK;
    let mut sealed = vec![0; text.len()];
    let mut sealer = mgm.sealer(&vec![0x7e; n]).unwrap();
    sealer.aad(aad).unwrap();
    let mut from = 0;
    for to in cuts.iter().copied().chain([text.len()]) {
        let to = to.min(text.len());
        sealer.update_b2b(&text[from..to], &mut sealed[from..to]).unwrap();
        from = to;
    }
    sealed.extend_from_slice(&sealer.finalize().unwrap());
    sealed
}

fn check<C: BlockCipher>(fast: C, slow: C) {
    let n = C::BLOCK;
    let text: Vec<u8> = (0..9 * BATCH).map(|i| ((i * i) >> 3) as u8).collect();
    let nonce = vec![0x7e; n];
    let portable = Mgm::with(slow).gf_on("portable").unwrap();
    let fast = Mgm::with(fast);
    for aad in [0, 1, 8, 13, 16, 24, 31, 32, 33, 1600] {
        for len in [
            BATCH,
            2 * BATCH - 1,
            2 * BATCH,
            2 * BATCH + 1,
            2 * BATCH + 8,
            3 * BATCH - 16,
            3 * BATCH,
            4096,
            4100,
            5120,
            9 * BATCH,
        ] {
            let (aad, text) = (&text[7..7 + aad], &text[..len]);
            let want = sealed(&portable, aad, text, &[]);
            for cuts in [
                &[][..],
                &[1],
                &[8],
                &[100, 108],
                &[2 * BATCH + 5],
                &[4000, 4001, 8001],
                &[16 * 300],
            ] {
                assert!(sealed(&fast, aad, text, cuts) == want, "{} {len} {cuts:?}", aad.len());
            }
            let mut opened = want[..len].to_vec();
            fast.open_in_place(&nonce, aad, &mut opened, &want[len..]).unwrap();
            assert!(opened == text, "{} {len}", aad.len());
        }
    }
}

#[test]
fn mgm_multiplied_beside_the_rounds() {
    let key = core::array::from_fn(|i| (i * 37) as u8);
    check(Magma::new(&key), Magma::new(&key).on("portable").unwrap());
    check(Kuznyechik::new(&key), Kuznyechik::new(&key).on("portable").unwrap());
}

/// Only the sum, from any counter and with any number of blocks before: the part of it that is done equals the sum
/// that the portable kernels make of the same blocks.
fn sums<C: BlockCipher>(fast: &C, slow: &C, mac: impl Fn(&mut C::Block, &[u8], &[u8])) -> usize {
    let (n, mut done_at_all) = (C::BLOCK, 0);
    let text: Vec<u8> = (0..600 * n).map(|i| ((i * i) >> 3) as u8 ^ i as u8).collect();
    for left in
        [0, 255, u64::MAX, u64::MAX - 0xff, 0xffff_ff40, 0xff_ffff_ffff_ff81, 0x1234_ffff_fff0]
    {
        let mut counter = C::Block::ZERO;
        counter.as_mut().fill(0xff);
        counter.as_mut()[..n / 2].copy_from_slice(&left.to_be_bytes()[8 - n / 2..]);
        for before in [0, 1, 3, 63, 64, 65] {
            for blocks in [0, 1, 127, 128, 129, 191, 193, 257, 321, 385, 500] {
                let (waiting, rest) = text.split_at(before * n);
                let (mut now, mut sum) = (counter, counter);
                let done = fast.products(&mut now, waiting, &rest[..blocks * n], &mut sum);
                let whole = done < blocks.max(1) * n && done % n == 0;
                assert!(whole, "{left:x}: {done} bytes done of {blocks} blocks after {before}");
                let (mut want_now, mut want) = (counter, counter);
                if done > 0 {
                    let all = &text[..before * n + done];
                    let mut h = vec![0; all.len()];
                    slow.stream(&mut want_now, Count::Left, (&mut h[..]).into());
                    mac(&mut want, &h, all);
                    done_at_all += 1;
                }
                assert!(sum == want && now == want_now, "{left:x}: {before} and {blocks}");
            }
        }
    }
    done_at_all
}

#[test]
fn sums_of_products_alone() {
    let key = core::array::from_fn(|i| (i * 37) as u8);
    let gf = gf::KERNELS.iter().filter_map(Ready::new).next_back().unwrap();
    let (k, m) = (Kuznyechik::new(&key), Magma::new(&key));
    let slow = (k.clone().on("portable").unwrap(), m.clone().on("portable").unwrap());
    let done = [
        sums(&k, &slow.0, |sum, h, a| gf.mac128(sum, h, a)),
        sums(&m, &slow.1, |sum, h, a| gf.mac64(sum, h, a)),
    ];
    println!("sums made beside the cipher: Kuznyechik {}, Magma {}", done[0], done[1]);
}
