//! Kernels with a layout that depends on the processor (Magma's planes or words, Kuznyechik's look-ups): both
//! layouts give the same output. The other tests see the layout that this processor has.

use bulat::ParamSet;
use bulat::modes::{Aead, CtrAcpkm, Mgm, StreamCipher, acpkm};
use bulat::{BlockCipher, Direction, Gost28147, Kuznyechik, Magma, Streebog512};
use bulat_core::cipher::{Block, Chain, Chained as _, Count, Data, Lane, Shapes as _};
use bulat_core::kernel::{NAMES, assume_forms, available};

fn text(len: usize) -> Vec<u8> {
    (0..len as u64).map(|i| (i * i / 8) as u8).collect()
}

/// The output of a cipher for texts of every number of blocks up to a few batches.
fn blocks<C: BlockCipher>(cipher: &C) -> Vec<Vec<u8>> {
    let mut all = Vec::new();
    for blocks in (0..150).chain([191, 192, 511, 512, 513, 700, 1200]) {
        let text = text(blocks * C::BLOCK);
        for direction in [Direction::Encrypt, Direction::Decrypt] {
            let mut text = text.clone();
            cipher.map(direction, (&mut text[..]).into());
            all.push(text);
        }
        for count in [Count::Whole, Count::Left, Count::Right] {
            let (mut text, mut counter) = (text.clone(), C::Block::ZERO);
            counter.as_mut().fill(0xff);
            counter.as_mut()[C::BLOCK - 1] = blocks as u8;
            cipher.stream(&mut counter, count, (&mut text[..]).into());
            all.extend([text, counter.as_ref().to_vec()]);
        }
    }
    all
}

/// The output of CBC for streams side by side, a key for each.
fn streams(ciphers: &[Kuznyechik]) -> Vec<Vec<u8>> {
    let mut all = Vec::new();
    for n in 1..=ciphers.len() {
        let mut texts: Vec<Vec<u8>> = (0..n).map(|i| vec![i as u8; 5 * 16]).collect();
        let mut states = vec![[3; 16]; n];
        let lanes = ciphers.iter().zip(&mut states).zip(&mut texts);
        let mut lanes: Vec<_> = lanes
            .map(|((cipher, state), text)| Lane {
                schedule: cipher.schedule(),
                state,
                data: Data::Through((&mut text[..]).into()),
            })
            .collect();
        ciphers[0].lanes(Chain::CbcEncrypt, &mut lanes);
        drop(lanes);
        all.extend(texts);
    }
    all
}

/// CTR-ACPKM over sections, of whole batches and others, that may be done side by side; and single sections.
fn sections(cipher: &Kuznyechik) -> Vec<Vec<u8>> {
    let mut all = Vec::new();
    for section in [1024, 4096, 4112, 8192] {
        for len in [2 * section - 16, 2 * section, 20_000, 9 * section + 1, 9 * section + 5000] {
            let iv = [[0xff; 8], [7; 8]][len / 16 % 2];
            let mut text = text(len);
            let mut want = text.clone();
            let mut ctr = CtrAcpkm::with(cipher.clone(), &iv, section).expect("lengths");
            ctr.apply_keystream(&mut text).expect("short");
            let (mut cipher, mut counter) = (cipher.clone(), [0; 16]);
            counter[..8].copy_from_slice(&iv);
            for (i, part) in want.chunks_mut(section).enumerate() {
                if i > 0 {
                    cipher = acpkm(&cipher);
                }
                let mut gamma = vec![0; part.len().next_multiple_of(16)];
                cipher.stream(&mut counter, Count::Whole, (&mut gamma[..]).into());
                part.iter_mut().zip(&gamma).for_each(|(x, gamma)| *x ^= gamma);
            }
            assert!(text == want, "{len} bytes in sections of {section}");
            all.push(text);
        }
    }
    // From any counter, with a carry anywhere; to a second buffer.
    for low in [0, 1, 0x80, 0xc1, 0xff, 0xff01, 0xffff_ffff_ffff_ff77_u64] {
        let (mut one, mut other) = (cipher.clone(), cipher.clone());
        let mut counters = [(u128::from(low) | 5 << 64).to_be_bytes(); 2];
        let text: Vec<u8> = (0..5 * 4096).map(|i| (i / 3) as u8).collect();
        let mut out = vec![0; text.len()];
        let data = bulat::InOut::new(&text, &mut out).expect("one length");
        let done = one.sections(&mut counters[0], 4096, data);
        for (i, part) in text[..done].chunks(4096).enumerate() {
            if i > 0 {
                other = acpkm(&other);
            }
            let mut part = part.to_vec();
            other.stream(&mut counters[1], Count::Whole, (&mut part[..]).into());
            assert!(out[4096 * i..][..4096] == part, "section {i} from {low:x}");
        }
        let mut blocks = [[9; 16]; 2];
        one.encrypt_block(&mut blocks[0]);
        other.encrypt_block(&mut blocks[1]);
        assert_eq!((blocks[0], counters[0]), (blocks[1], counters[1]), "the last key");
    }
    all
}

/// The output of a chain for one stream of blocks that are all different.
fn stream(cipher: &Magma) -> Vec<Vec<u8>> {
    let chains = [Chain::CbcEncrypt, Chain::CfbEncrypt, Chain::Ofb];
    let made = chains.map(|chain| {
        let (mut text, mut state) = ((0..=255).collect::<Vec<u8>>(), [3; 8]);
        let data = Data::Through((&mut text[..]).into());
        let schedule = cipher.schedule();
        cipher.lanes(chain, &mut [Lane { schedule, state: &mut state, data }]);
        [text, state.to_vec()]
    });
    made.into_iter().flatten().collect()
}

/// MGM of long messages, with products that may go along with the rounds: text and tag.
fn mgm<C: BlockCipher>(cipher: &C) -> Vec<Vec<u8>> {
    let nonce = vec![0x71; C::BLOCK];
    let mgm = Mgm::with(cipher.clone());
    let mut all = Vec::new();
    for (aad, len) in [(0, 3073), (13, 3080), (32, 4608), (5, 4609), (40, 9000), (16, 20_000)] {
        let mut text = text(len);
        let tag = mgm.seal_in_place(&nonce, &vec![7; aad], &mut text).expect("short");
        text.extend_from_slice(&tag);
        all.push(text);
    }
    all
}

/// Digests of single messages.
fn digests(kernel: &str) -> Vec<Vec<u8>> {
    let Ok(hash) = Streebog512::new().on(kernel) else { return Vec::new() };
    let text = text(2000);
    let digest = |len: &usize| {
        let mut hash = hash.clone();
        hash.update(&text[..*len]);
        hash.finalize().to_vec()
    };
    [0, 1, 63, 64, 65, 127, 128, 191, 640, 1999].iter().map(digest).collect()
}

#[test]
fn layouts_agree() {
    for kernel in NAMES.iter().filter(|k| available(k)) {
        let magma = Magma::new(&[5; 32]).on(kernel).ok();
        let gost = Gost28147::new(&[5; 32], ParamSet::CryptoProA).on(kernel).ok();
        let made = [0, 1, 2].map(|form| {
            assume_forms(Some(form));
            let ciphers: Vec<_> =
                (0..70).flat_map(|i| Kuznyechik::new(&[i; 32]).on(kernel)).collect();
            let kuznyechik =
                ciphers.first().map(|c| (blocks(c), streams(&ciphers), sections(c), mgm(c)));
            let old = gost.as_ref().map(mgm);
            (
                magma.as_ref().map(|m| (blocks(m), stream(m), mgm(m))),
                old,
                kuznyechik,
                digests(kernel),
            )
        });
        assert!(made[0] == made[1] && made[0] == made[2], "{kernel}");
        println!("{kernel}: the same");
    }
    assume_forms(None);
}
