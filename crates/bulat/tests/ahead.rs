//! The modes of a counter make gamma ahead of short pieces: up to a limit, in a section, and where a counter wraps.
//! `differential` has pieces of any length, copies and resets.

use bulat::modes::{Ctr, CtrAcpkm, StreamCipher};
use bulat::{Error, Kuznyechik, Magma};

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
