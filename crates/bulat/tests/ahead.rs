//! The modes of a counter make gamma ahead of short pieces: any pieces, copies, resets and seeks give what one call gives.

use bulat::algorithm::{ALGORITHMS, CipherSession, Params, Scheme};
use bulat::modes::{Ctr, CtrAcpkm, StreamCipher};
use bulat::{Error, Kuznyechik, Magma};
use testkit::Random;

/// The length of the next piece: mostly a few blocks, at times long or empty.
fn piece(r: &mut Random, left: usize) -> usize {
    let most = [20, 20, 70, 70, 300, 2500][r.below(6)];
    r.below(most).min(left)
}

/// Transforms `text` in pieces. At times a copy goes on, or the rest of the message is given up and begun again.
fn in_pieces(session: &mut CipherSession, iv: &[u8], text: &mut [u8], r: &mut Random) {
    let whole = text.to_vec();
    let mut done = 0;
    while done < text.len() {
        match r.below(16) {
            0 => {
                let copy = session.clone();
                session.update(&mut vec![0; r.below(400)]).expect("a short text");
                *session = copy;
            }
            1 if r.below(8) == 0 => {
                session.reset(iv).expect("the same IV");
                (text[..done]).copy_from_slice(&whole[..done]);
                done = 0;
            }
            _ => {}
        }
        let len = piece(r, text.len() - done);
        session.update(&mut text[done..done + len]).expect("a short text");
        done += len;
    }
}

#[test]
fn pieces_of_any_length_give_the_whole() {
    let mut r = Random::new(0x5a3c_9e71_0b46_d28f);
    let counters = [Scheme::Ctr, Scheme::CtrAcpkm, Scheme::Cnt];
    for a in ALGORITHMS.iter().filter(|a| counters.contains(&a.scheme)) {
        for round in 0..40 {
            let (key, iv): ([u8; 32], _) = (r.array(), r.bytes(a.iv.usual()));
            let len = r.below(12_000);
            let (mut own, mut p) = (r.bytes(len), Params::new(&key).iv(&iv));
            if a.scheme == Scheme::CtrAcpkm {
                p.section = Some(a.block * [1, 2, 7, 64, 500][round % 5]);
            }
            if a.scheme != Scheme::Cnt && round % 8 == 7 {
                p.s = Some(a.block / 2);
            }
            let session = || a.session(&p).expect("parameters").cipher().expect("a cipher");
            let mut whole = own.clone();
            session().update(&mut whole).expect("a short text");
            in_pieces(&mut session(), &iv, &mut own, &mut r);
            assert!(own == whole, "{}, round {round}, {len} bytes", a.name);
        }
    }
}

/// Near the limit of a message the blocks ahead stop at the limit, and the last bytes are right.
#[test]
fn no_block_is_made_past_the_limit() {
    let mut ctr = Ctr::with(Magma::new(&[7; 32]), &[0x5c; 4]).expect("an IV");
    let start = (8 << 32) - 3000;
    ctr.seek(start).expect("within the limit");
    let mut whole = [0; 3000];
    ctr.apply_keystream(&mut whole).expect("within the limit");
    assert_eq!(ctr.apply_keystream(&mut [0]), Err(Error::Limit));
    for size in [1, 5, 8, 9, 24, 129] {
        ctr.seek(start).expect("within the limit");
        let mut own = [0; 3000];
        for piece in own.chunks_mut(size) {
            ctr.apply_keystream(piece).expect("within the limit");
        }
        assert!(own == whole, "pieces of {size}");
        assert_eq!(ctr.apply_keystream(&mut [0]), Err(Error::Limit), "pieces of {size}");
        ctr.seek(start + 7).expect("within the limit");
        let mut seven = [0; 40];
        ctr.apply_keystream(&mut seven[..20]).expect("within the limit");
        ctr.apply_keystream(&mut seven[20..]).expect("within the limit");
        assert!(seven == whole[7..47], "a seek");
        assert_eq!(ctr.apply_keystream(&mut [0; 3000]), Err(Error::Limit), "too much at once");
        let mut rest = [0; 3000 - 47];
        ctr.apply_keystream(&mut rest).expect("nothing was transformed");
        assert!(rest == whole[47..], "the rest");
    }
}

/// A counter that is a whole block wraps within the blocks ahead.
#[test]
fn a_counter_wraps_ahead() {
    let mut block = [0xff; 16];
    block[15] = 0xf0;
    let cipher = Kuznyechik::new(&[7; 32]);
    let mut whole = [0; 1500];
    Ctr::from_block(cipher.clone(), block).apply_keystream(&mut whole).expect("no limit");
    let (mut ctr, mut own) = (Ctr::from_block(cipher, block), [0; 1500]);
    own.chunks_mut(13).for_each(|piece| ctr.apply_keystream(piece).expect("no limit"));
    assert!(own == whole);
}

/// The blocks ahead stay within the section: the next section has another key.
#[test]
fn sections_bound_the_blocks_ahead() {
    for section in (16..400).step_by(16) {
        let key = Kuznyechik::new(&[9; 32]);
        let mut whole = [0; 2000];
        let mut ctr = CtrAcpkm::with(key, &[3; 8], section).expect("a section");
        ctr.apply_keystream(&mut whole).expect("a short text");
        for size in [3, 16, 31, 48, 100] {
            ctr.reset(&[3; 8]).expect("an IV");
            let mut own = [0; 2000];
            own.chunks_mut(size)
                .for_each(|piece| ctr.apply_keystream(piece).expect("a short text"));
            assert!(own == whole, "sections of {section}, pieces of {size}");
        }
    }
}
