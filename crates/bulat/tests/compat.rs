//! The RustCrypto traits against our own interface: the same bytes through generic code of others.

use aead::{AeadInOut, KeyInit};
use bulat::{
    Aead, Ctr, Direction, HmacStreebog256, Kuznyechik, KuznyechikMgm, KuznyechikOmac, Magma,
    MagmaMgm, MagmaOmac, Mgm, Streebog256, Streebog512,
};
use bulat_core::cipher::Shapes as _;
use cipher::array::Array;
use cipher::{BlockCipherDecrypt, BlockCipherEncrypt, KeyIvInit, StreamCipher, StreamCipherSeek};
use digest::{Digest, FixedOutputReset};

/// Bytes without a pattern of a block.
fn text(len: usize) -> Vec<u8> {
    (0..len as u32).map(|i| (i.wrapping_mul(0x9e37_79b1) >> 24) as u8).collect()
}

const KEY: [u8; 32] = [7; 32];

macro_rules! over {
    ($test:ident, $cipher:ident, $n:literal, $omac:ident, $mgm:ident, $counter:ident) => {
        #[test]
        fn $test() {
            let cipher = <$cipher as KeyInit>::new(&KEY.into());
            // One, a tail, a parallel batch and a tail, two batches.
            for blocks in [1, 5, 64 + 7, 128, 2 * 128 + 1] {
                let mut want = text($n * blocks);
                let mut own: Vec<Array<u8, _>> =
                    want.chunks($n).map(|b| b.try_into().unwrap()).collect();
                cipher.map(Direction::Encrypt, want.as_mut_slice().into());
                let plain = own.clone();
                let mut out = own.clone();
                cipher.encrypt_blocks_b2b(&own, &mut out).unwrap();
                cipher.encrypt_blocks(&mut own);
                assert_eq!(Array::slice_as_flattened(&own), want);
                assert_eq!(out, own);
                let mut one = plain[0];
                BlockCipherEncrypt::encrypt_block(&cipher, &mut one);
                assert_eq!(one, own[0]);
                BlockCipherDecrypt::decrypt_block(&cipher, &mut one);
                assert_eq!(one, plain[0]);
                cipher.decrypt_blocks(&mut own);
                assert_eq!(own, plain);
            }

            // CTR: the generic code of the crate `ctr`, which uses the parallel backend, and ours.
            let (iv, mut start) = ([5; $n / 2], [0; $n]);
            start[..$n / 2].copy_from_slice(&iv);
            let (mut want, mut own) = (text(5001), text(5001));
            ctr::$counter::<$cipher>::new(&KEY.into(), &start.into()).apply_keystream(&mut want);
            let mut ours = <Ctr<$cipher> as KeyIvInit>::new(&KEY.into(), &iv.into());
            let (head, tail) = own.split_at_mut(77);
            ours.apply_keystream(head);
            assert_eq!(ours.current_pos::<u64>(), 77);
            ours.apply_keystream(tail);
            assert_eq!(own, want);
            for at in [0u64, 1, $n, $n + 1, 4999] {
                StreamCipherSeek::seek(&mut ours, at);
                assert_eq!(ours.current_pos::<u64>(), at);
                let mut part = text(5001)[at as usize..].to_vec();
                ours.apply_keystream(&mut part);
                assert_eq!(part, want[at as usize..]);
            }
            let mut same = text(5001);
            let mut ctr = Ctr::with(cipher.clone(), &iv).unwrap();
            bulat::StreamCipher::apply_keystream(&mut ctr, &mut same).unwrap();
            assert_eq!(same, want);

            // OMAC: the generic code of the crate `cmac`, and ours both ways.
            for len in [0, 1, $n, $n + 1, 1000] {
                use digest::Mac as _;
                let mut generic = <cmac::Cmac<$cipher> as KeyInit>::new(&KEY.into());
                generic.update(&text(len));
                let want = generic.finalize().into_bytes();
                let mut ours = <$omac as KeyInit>::new(&KEY.into());
                ours.update(&text(len));
                assert_eq!(ours.clone().finalize().into_bytes(), want);
                assert!(ours.clone().verify_truncated_left(&want[..4]).is_ok());
                assert!(ours.clone().verify_slice(&[0; $n]).is_err());
                assert_eq!(ours.finalize_fixed_reset(), want);
                ours.update(&text(len));
                assert_eq!(ours.finalize().into_bytes(), want);
                assert_eq!(want[..], $omac::mac(&KEY, &text(len))[..]);
                // A truncated tag gives the full tag here.
                let mut short = $omac::with(cipher.clone()).truncated(4).unwrap();
                digest::Update::update(&mut short, &text(len));
                assert_eq!(digest::Mac::finalize(short).into_bytes(), want);
            }

            // MGM.
            let aead = <$mgm as KeyInit>::new(&KEY.into());
            let (nonce, mut sealed) = ([1; $n], text(100));
            let mut buffer = sealed.clone();
            let data = buffer.as_mut_slice().into();
            let tag = aead.encrypt_inout_detached(&nonce.into(), b"aad", data).unwrap();
            let own_tag = Mgm::with(cipher).seal_in_place(&nonce, b"aad", &mut sealed).unwrap();
            assert_eq!((&buffer, &tag[..]), (&sealed, &own_tag[..]));
            let wrong = [0; $n].into();
            let data = buffer.as_mut_slice().into();
            assert!(aead.decrypt_inout_detached(&nonce.into(), b"aad", data, &wrong).is_err());
            assert_eq!(buffer, sealed);
            let data = buffer.as_mut_slice().into();
            aead.decrypt_inout_detached(&nonce.into(), b"aad", data, &tag).unwrap();
            assert_eq!(buffer, text(100));
            let data = buffer.as_mut_slice().into();
            assert!(aead.encrypt_inout_detached(&[0x80; $n].into(), b"aad", data).is_err());
        }
    };
}

over!(kuznyechik, Kuznyechik, 16, KuznyechikOmac, KuznyechikMgm, Ctr128BE);
over!(magma, Magma, 8, MagmaOmac, MagmaMgm, Ctr64BE);

#[test]
fn streebog() {
    let mut hash = Streebog256::default();
    Digest::update(&mut hash, b"a");
    Digest::update(&mut hash, b"bc");
    assert_eq!(hash.clone().finalize()[..], Streebog256::digest(b"abc"));
    assert_eq!(hash.finalize_reset()[..], Streebog256::digest(b"abc"));
    assert_eq!(hash.finalize_fixed_reset()[..], Streebog256::digest(b""));
    assert_eq!(<Streebog512 as Digest>::digest(b"abc")[..], Streebog512::digest(b"abc"));
}

#[test]
fn hmac() {
    use digest::Mac as _;
    for key in [&b"a key"[..], &[7; 100]] {
        let mut hmac = <HmacStreebog256 as digest::KeyInit>::new_from_slice(key).unwrap();
        hmac.update(b"a message");
        assert_eq!(hmac.finalize().into_bytes()[..], HmacStreebog256::mac(key, b"a message")[..]);
    }
}
