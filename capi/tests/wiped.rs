//! What the calls free holds no key: every block of memory is looked through when it is given back.

use bulat_capi::*;
use core::ffi::c_void;
use core::ptr::{null, null_mut};
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

struct Looking;

/// Blocks in which a piece of the key stood.
static FOUND: AtomicUsize = AtomicUsize::new(0);

/// Sixteen bytes of the key that are nowhere else, and those of its words the other way round.
const PIECE: [u8; 16] = *b"\xa7key\x91of\xe3sixteen!";
const TURNED: [u8; 16] = {
    let (mut turned, mut i) = ([0; 16], 0);
    while i < 16 {
        turned[i] = PIECE[i / 4 * 4 + 3 - i % 4];
        i += 1;
    }
    turned
};

// SAFETY: the system's, which is only looked at.
unsafe impl GlobalAlloc for Looking {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's word. Zeros, so that what is read later was written.
        unsafe { System.alloc_zeroed(layout) }
    }
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: the block is alive until it is given back below.
        let bytes = unsafe { core::slice::from_raw_parts(block, layout.size()) };
        if bytes.windows(16).any(|w| w == PIECE || w == TURNED) {
            FOUND.fetch_add(1, Ordering::Relaxed);
        }
        // SAFETY: the caller's word.
        unsafe { System.dealloc(block, layout) }
    }
}

#[global_allocator]
static MEMORY: Looking = Looking;

/// A key, contexts of it, a copy of each, messages; all freed.
///
/// # Safety
/// The algorithm is of the table.
unsafe fn used(a: *const bulat_algorithm, bytes: &[u8; 64]) {
    let (iv, mut text, mut tag, mut n) = ([1u8; 16], [5u8; 320], [0u8; 64], 0);
    let (iv, at, tag) =
        (iv.as_ptr().cast::<c_void>(), text.as_mut_ptr().cast(), tag.as_mut_ptr().cast());
    // SAFETY: buffers with their lengths, objects of the calls before.
    unsafe {
        let info = &*a;
        let len = if info.key_size == 0 { 64 } else { info.key_size };
        let mut key = null_mut();
        assert_eq!(bulat_key_new(&mut key, a, bytes.as_ptr().cast(), len, null()), BULAT_OK);
        let size = bulat_key_tag_size(key);
        match info.kind {
            BULAT_MAC => {
                let (mut ctx, mut copy) = (null_mut(), null_mut());
                assert_eq!(bulat_mac(key, at, 320, tag, size), BULAT_OK);
                assert_eq!(bulat_mac_new(&mut ctx, key, null(), 0), BULAT_OK);
                assert_eq!(bulat_mac_update(ctx, at, 100), BULAT_OK);
                assert_eq!(bulat_mac_copy(&mut copy, ctx), BULAT_OK);
                bulat_mac_free(ctx);
                bulat_mac_free(copy);
            }
            BULAT_CIPHER => {
                let (mut ctx, mut copy) = (null_mut(), null_mut());
                let whole = bulat_encrypt(key, iv, info.iv_size, at, 320, at, 320, &mut n);
                assert_eq!(whole, BULAT_OK);
                let made = bulat_cipher_new(&mut ctx, key, BULAT_DECRYPT, iv, info.iv_size);
                assert_eq!(made, BULAT_OK);
                assert_eq!(bulat_cipher_update(ctx, at, at, 100, &mut n), BULAT_OK);
                assert_eq!(bulat_cipher_copy(&mut copy, ctx), BULAT_OK);
                bulat_cipher_free(ctx);
                bulat_cipher_free(copy);
            }
            _ => {
                let (mut ctx, mut open) = (null_mut(), null_mut());
                let sealed = bulat_seal(key, iv, info.iv_size, null(), 0, at, at, 320, tag, size);
                assert_eq!(sealed, BULAT_OK);
                let made = bulat_aead_new(&mut ctx, key, BULAT_ENCRYPT, iv, info.iv_size);
                assert_eq!(made, BULAT_OK);
                assert_eq!(bulat_aead_update(ctx, at, at, 100), BULAT_OK);
                assert_eq!(bulat_unverified_new(&mut open, key, iv, info.iv_size), BULAT_OK);
                bulat_aead_free(ctx);
                bulat_unverified_free(open);
            }
        }
        bulat_key_free(key);
    }
}

#[test]
fn nothing_freed_holds_a_key() {
    let mut bytes = [0; 64];
    bytes[..16].copy_from_slice(&PIECE);
    bytes[16..32].copy_from_slice(b"and another half");
    bytes[32..48].copy_from_slice(b"a second key....");
    // What is found is found.
    drop(std::hint::black_box(Box::new(bytes)));
    assert_eq!(FOUND.swap(0, Ordering::Relaxed), 1);
    let (mut algorithms, mut left) = (0, Vec::new());
    for i in 0..bulat_algorithm_count() {
        let a = bulat_algorithm_at(i);
        // SAFETY: of the table.
        if !matches!(unsafe { (*a).kind }, BULAT_MAC | BULAT_CIPHER | BULAT_AEAD) {
            continue;
        }
        // SAFETY: of the table.
        unsafe { used(a, &bytes) };
        algorithms += 1;
        // SAFETY: of the table, its name a constant.
        let name = unsafe { core::ffi::CStr::from_ptr((*a).name) };
        let found = FOUND.swap(0, Ordering::Relaxed);
        if found > 0 {
            left.push(format!("{name:?} {found}"));
        }
    }
    assert!(algorithms > 25);
    assert!(left.is_empty(), "keys are left by {left:?}");
}
