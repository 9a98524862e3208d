//! Through libbulat's calls: one algorithm of each kind, keys and texts secret.

use bulat_capi::*;
use core::ffi::c_void;
use core::ptr::{null, null_mut};

use crate::typed::Case;
use crate::{pattern, secret, valgrind};

/// Every case; each is run on the kernel that is forced at the time.
pub const CASES: [Case; 7] = [
    ("C: hash", || {
        let (text, mut digest) = (secret(777, 1), [0u8; 64]);
        let streebog = algorithm(c"streebog512");
        // SAFETY: buffers with their lengths.
        unsafe {
            well(bulat_hash(streebog, at(&text), text.len(), at_mut(&mut digest), 64));
            let mut ctx = null_mut();
            well(bulat_hash_new(&mut ctx, streebog));
            well(bulat_hash_update(ctx, at(&text), 100));
            well(bulat_hash_final(ctx, at_mut(&mut digest), 64));
            bulat_hash_free(ctx);
        }
    }),
    ("C: MAC", || {
        let (key, text, mut tag) = (key(c"magma-omac"), secret(777, 1), [0u8; 8]);
        // SAFETY: buffers with their lengths, objects of the calls before.
        unsafe {
            well(bulat_mac(key, at(&text), text.len(), at_mut(&mut tag), 8));
            let wrong = bulat_mac_verify(key, at(&text), text.len(), at(&pattern(8, 9)), 8);
            assert_eq!(wrong, BULAT_ERR_VERIFY);
            let mut ctx = null_mut();
            well(bulat_mac_new(&mut ctx, key, null(), 0));
            well(bulat_mac_update(ctx, at(&text), 100));
            well(bulat_mac_final(ctx, at_mut(&mut tag), 8));
            bulat_mac_free(ctx);
            bulat_key_free(key);
        }
    }),
    ("C: cipher", || {
        let (key, iv, mut text) = (key(c"kuznyechik-cbc"), pattern(16, 2), secret(1040, 1));
        let (mut copy, mut n) = (vec![0; 1040], 0);
        // SAFETY: buffers with their lengths, objects of the calls before.
        unsafe {
            let (from, to, len) = (at(&text), at_mut(&mut copy), text.len());
            well(bulat_encrypt(key, at(&iv), 16, from, len, to, len, &mut n));
            well(bulat_decrypt(key, at(&iv), 16, to, len, to, len, &mut n));
            let mut ctx = null_mut();
            well(bulat_cipher_new(&mut ctx, key, BULAT_ENCRYPT, at(&iv), 16));
            let text = at_mut(&mut text);
            well(bulat_cipher_update(ctx, text, text, 160, &mut n));
            well(bulat_cipher_final(ctx, null_mut(), 0, &mut n));
            bulat_cipher_free(ctx);
            bulat_key_free(key);
        }
    }),
    ("C: AEAD", || {
        let (key, nonce, mut text) = (key(c"kuznyechik-mgm"), pattern(16, 2), secret(777, 1));
        let (mut tag, len) = ([0u8; 16], text.len());
        // SAFETY: buffers with their lengths, objects of the calls before.
        unsafe {
            let (nonce, text) = (at(&nonce), at_mut(&mut text));
            let sealed =
                bulat_seal(key, nonce, 16, null(), 0, text, text, len, at_mut(&mut tag), 16);
            well(sealed);
            valgrind::public(&tag);
            well(bulat_open(key, nonce, 16, null(), 0, text, text, len, at(&tag), 16));
            let mut ctx = null_mut();
            well(bulat_unverified_new(&mut ctx, key, nonce, 16));
            well(bulat_unverified_update(ctx, text, text, len));
            assert_eq!(bulat_unverified_verify(ctx, at(&tag), 16), BULAT_ERR_VERIFY);
            bulat_unverified_free(ctx);
            bulat_key_free(key);
        }
    }),
    ("C: key derivation", || {
        let (key, mut out) = (secret(32, 1), [0u8; 64]);
        // SAFETY: zeros are no bytes of each.
        let mut params: bulat_kdf_params = unsafe { core::mem::zeroed() };
        (params.key, params.key_len) = (at(&key), 32);
        // SAFETY: buffers with their lengths.
        unsafe { well(bulat_derive(algorithm(c"kdf-tree"), &params, at_mut(&mut out), 64)) };
    }),
    ("C: key wrap", || {
        let (key, iv, mut secret_key) = (secret(64, 1), pattern(8, 2), secret(32, 3));
        let (mut out, wrap) = ([0u8; 48], algorithm(c"kuznyechik-kexp15"));
        // SAFETY: buffers with their lengths.
        unsafe {
            let (key, iv, inner) = (at(&key), at(&iv), at_mut(&mut secret_key));
            let wrapped = at_mut(&mut out);
            well(bulat_wrap(wrap, key, 64, iv, 8, null(), inner, 32, wrapped, 48));
            well(bulat_unwrap(wrap, key, 64, iv, 8, null(), wrapped, 48, inner, 32));
        }
    }),
    ("C: batch, own keys", || {
        let keys: Vec<_> = (0..20).map(|_| key(c"magma-cbc")).collect();
        let (iv, mut texts) = (pattern(8, 2), vec![secret(160, 4); 20]);
        let mut jobs: Vec<bulat_job> = (keys.iter().zip(&mut texts))
            .map(|(key, text)| {
                // SAFETY: zeros are nothing of each.
                let mut job: bulat_job = unsafe { core::mem::zeroed() };
                (job.key, job.work, job.iv, job.iv_len) = (*key, BULAT_WORK_ENCRYPT, at(&iv), 8);
                (job.len, job.destination) = (text.len(), at_mut(text));
                job.source = job.destination;
                job
            })
            .collect();
        // SAFETY: jobs over buffers of their own.
        unsafe {
            well(bulat_batch(jobs.as_mut_ptr(), jobs.len(), null()));
            keys.into_iter().for_each(|key| bulat_key_free(key));
        }
    }),
];

fn at(bytes: &[u8]) -> *const c_void {
    bytes.as_ptr().cast()
}

fn at_mut(bytes: &mut [u8]) -> *mut c_void {
    bytes.as_mut_ptr().cast()
}

/// The result of a call is public.
fn well(result: bulat_result) {
    assert_eq!(result, BULAT_OK);
}

fn algorithm(name: &core::ffi::CStr) -> *const bulat_algorithm {
    // SAFETY: a text that ends with a zero.
    unsafe { bulat_algorithm_find(name.as_ptr()) }
}

/// A secret key under the algorithm.
fn key(name: &core::ffi::CStr) -> *mut bulat_key {
    let (bytes, mut key) = (secret(32, 1), null_mut());
    // SAFETY: a buffer with its length.
    unsafe { well(bulat_key_new(&mut key, algorithm(name), at(&bytes), 32, null())) };
    key
}
