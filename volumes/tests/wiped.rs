//! Freed memory contains no password and no key: every block is searched when it is freed.
#![allow(unsafe_code)]

mod common;

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use bulat_block::luks2::{self, Create, NewSlot};
use bulat_block::plain::Plain;
use bulat_block::{Hash, Kdf, Kind, Limits, Memory, Open, veracrypt};

struct Looking;

/// The number of blocks with a piece of a secret.
static FOUND: AtomicUsize = AtomicUsize::new(0);

/// Eight bytes of each secret; zeros if there is none yet.
static SECRETS: [AtomicU64; 4] = [const { AtomicU64::new(0) }; 4];

// SAFETY: it calls the system's allocator with unchanged arguments, and only reads the blocks.
unsafe impl GlobalAlloc for Looking {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller passes a valid layout, as `GlobalAlloc` requires. Zeroed, so that later reads see
        // initialised bytes.
        unsafe { System.alloc_zeroed(layout) }
    }
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: the block has `layout.size()` bytes, initialised by `alloc`, and is freed only below.
        let bytes = unsafe { core::slice::from_raw_parts(block, layout.size()) };
        let secrets = SECRETS.each_ref().map(|s| s.load(Ordering::Relaxed).to_le_bytes());
        let mut known = secrets.iter().filter(|s| **s != [0; 8]);
        if known.any(|secret| bytes.windows(8).any(|w| w == secret)) {
            FOUND.fetch_add(1, Ordering::Relaxed);
        }
        // SAFETY: the caller passes a block of `alloc` with its layout, as `GlobalAlloc` requires.
        unsafe { System.dealloc(block, layout) }
    }
}

#[global_allocator]
static MEMORY: Looking = Looking;

fn look_for(n: usize, secret: &[u8]) {
    let piece: [u8; 8] = secret[..8].try_into().unwrap();
    SECRETS[n].store(u64::from_le_bytes(piece), Ordering::Relaxed);
}

fn found() -> usize {
    FOUND.swap(0, Ordering::Relaxed)
}

#[test]
fn nothing_is_left() {
    let password = *b"\xa7pass\x91word-of-the-test";
    look_for(0, &password);
    // The search itself works.
    drop(password.to_vec());
    assert_eq!(found(), 1, "the control");

    let store = Arc::new(Memory::new(vec![0; 1 << 20]));
    let argon2 = Kdf::Argon2 { id: true, time: 1, memory: 64, lanes: 2 };
    let new = Create { keyslots: 3 * 258_048, ..Create::new(NewSlot::common(argon2)) };
    let (mut header, key) = new.make(&*store, &password, &mut |_| ()).unwrap();
    look_for(1, &key[..32]);
    look_for(2, &key[32..]);
    header.add(&*store, &key, &password, &NewSlot::gost(2), None).unwrap();
    header.change(&*store, &key, &password, &common::slot(), 0).unwrap();
    drop(key);
    for slot in [0, 1] {
        let header = luks2::read(&*store).unwrap().header;
        let unlocked = header.unlock(&*store, &password, Some(slot), &Limits::default());
        let (key, _) = unlocked.unwrap();
        let volume = header.open(store.clone(), &key, true).unwrap();
        volume.write_at(&[1; 10_000], 77).unwrap();
        volume.read_at(&mut [0; 5000], 3).unwrap();
        drop(volume);
    }
    assert!(header.unlock(&*store, b"another", None, &Limits::default()).is_err());
    assert_eq!(found(), 0, "LUKS2");

    let mut raw = [0; 64];
    raw.iter_mut().enumerate().for_each(|(i, b)| *b = 100 + 2 * i as u8);
    look_for(3, &raw);
    let open = Open {
        kind: Kind::Plain,
        secret: raw.to_vec().into(),
        writable: true,
        ..Default::default()
    };
    open.open(store.clone()).unwrap().write_at(&[1; 100], 5).unwrap();
    Plain::default().open(store.clone(), &raw, true).unwrap();
    drop(open);
    assert_eq!(found(), 0, "plain");

    for keyfiles in [&[][..], &[&b"a keyfile"[..]]] {
        let store = Arc::new(Memory::new(vec![0; 512 << 10]));
        let mut key = veracrypt::Key::new(&password, keyfiles, 1).unwrap();
        key.hash = Some(veracrypt::Prf::Pbkdf2(Hash::Sha512));
        veracrypt::create(&*store, &key, None).unwrap();
        let header = veracrypt::Header::read(&*store, &key, &veracrypt::Place::ALL).unwrap();
        drop(header.open(store, true).unwrap());
    }
    assert_eq!(found(), 0, "VeraCrypt");
    println!("no secret in freed memory");
}
