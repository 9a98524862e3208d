//! Freed memory contains no password and no key: every block is searched when it is freed.

mod common;

use std::sync::Arc;

use bulat_block::luks2::{self, Create, NewSlot};
use bulat_block::plain::Plain;
use bulat_block::{Hash, Kdf, Memory, Open, veracrypt};
use common::*;
use testkit::freed::{Searched, found, search};

#[global_allocator]
static HEAP: Searched = Searched;

#[test]
fn nothing_is_left() {
    let password = *b"\xa7pass\x91word-of-the-test";
    let mut raw = [0; 64];
    raw.iter_mut().enumerate().for_each(|(i, b)| *b = 100 + 2 * i as u8);
    search(8, &[&password, &raw]);
    let store = zeros(1 << 20);
    let argon2 = Kdf::Argon2 { id: true, time: 1, memory: 64, lanes: 2 };
    let new = Create { slot: NewSlot::common(argon2), ..create() };
    let mut made = None;
    let make = || made = Some(new.make(&*store, &password, &mut |_| ()).unwrap());
    assert_eq!(found(make), 0, "a new LUKS2");
    let (mut header, key) = made.unwrap();
    search(8, &[&password, &key, &raw]);
    let changes = || {
        luks2_changes(&mut header, &store, &key, &password);
        drop(key);
    };
    assert_eq!(found(changes), 0, "LUKS2");

    let plain = || {
        let open = Open::Plain(Plain::default(), raw.to_vec().into());
        open.open(store.clone(), true).unwrap().write_at(&[1; 100], 5).unwrap();
        Plain::default().open(store.clone(), &raw, true).unwrap();
    };
    assert_eq!(found(plain), 0, "plain");

    for keyfiles in [&[][..], &[&b"a keyfile"[..]]] {
        assert_eq!(found(|| of_veracrypt(&password, keyfiles)), 0, "VeraCrypt");
    }
    println!("no secret in freed memory");
}

fn luks2_changes(header: &mut luks2::Header, store: &Arc<Memory>, key: &[u8], password: &[u8]) {
    header.add(&**store, key, password, &NewSlot::gost(2), None).unwrap();
    header.change(&**store, key, password, &slot(), 0).unwrap();
    for slot in [0, 1] {
        let header = luks2::read(&**store).unwrap().header;
        let unlocked = header.unlock(&**store, password, Some(slot), &LIMITS());
        let (key, _) = unlocked.unwrap();
        let volume = header.open(store.clone(), &key, true).unwrap();
        volume.write_at(&[1; 10_000], 77).unwrap();
        volume.read_at(&mut [0; 5000], 3).unwrap();
        drop(volume);
    }
    assert!(header.unlock(&**store, b"another", None, &LIMITS()).is_err());
}

fn of_veracrypt(password: &[u8], keyfiles: &[&[u8]]) {
    let store = zeros(512 << 10);
    let key = key(password, keyfiles, Hash::Sha512);
    veracrypt::create(&*store, &key, None).unwrap();
    let header = veracrypt::Header::read(&*store, &key, &veracrypt::Place::ALL).unwrap();
    drop(header.open(store, true).unwrap());
}
