//! MGM of long messages, whose blocks a kernel may multiply beside its rounds, in batches: against the portable
//! kernels, over what can put the batches out of step with the text.

use bulat::modes::{Aead, Mgm};
use bulat::{BlockCipher, InOut, Kuznyechik, Magma};

/// A whole batch of the widest kernel of Magma; two are three of Kuznyechik's.
const BATCH: usize = 1536;

fn sealed<C: BlockCipher>(mgm: &mut Mgm<C>, aad: &[u8], text: &[u8], cuts: &[usize]) -> Vec<u8> {
    let n = C::BLOCK;
    let mut out = vec![0; text.len() + n];
    let (sealed, tag) = out.split_at_mut(text.len());
    mgm.reset(&vec![0x7e; n]).unwrap();
    mgm.aad(aad).unwrap();
    let mut from = 0;
    for to in cuts.iter().copied().chain([text.len()]) {
        let to = to.min(text.len());
        mgm.seal(InOut::new(&text[from..to], &mut sealed[from..to]).unwrap()).unwrap();
        from = to;
    }
    mgm.finish(tag).unwrap();
    out
}

fn check<C: BlockCipher>(fast: C, slow: C) {
    let n = C::BLOCK;
    let text: Vec<u8> = (0..9 * BATCH).map(|i| ((i * i) >> 3) as u8).collect();
    let nonce = vec![0x7e; n];
    let mut portable = Mgm::new(slow, &nonce, n).unwrap().gf_on("portable").unwrap();
    let mut fast = Mgm::new(fast, &nonce, n).unwrap();
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
            let want = sealed(&mut portable, aad, text, &[]);
            for cuts in [
                &[][..],
                &[1],
                &[8],
                &[100, 108],
                &[2 * BATCH + 5],
                &[4000, 4001, 8001],
                &[16 * 300],
            ] {
                assert!(sealed(&mut fast, aad, text, cuts) == want, "{} {len} {cuts:?}", aad.len());
            }
            let mut opened = want[..len].to_vec();
            fast.reset(&nonce).unwrap();
            fast.aad(aad).unwrap();
            fast.open((&mut opened[..]).into(), &want[len..]).unwrap();
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
