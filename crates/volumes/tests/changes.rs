//! Headers that are changed, cut off during a change, and damaged bit by bit.

mod common;

use std::slice::from_ref;
use std::sync::Arc;

use bulat_block::luks2::{self, Copy, NewSlot};
use bulat_block::veracrypt::{self, Key, Place};
use bulat_block::{Error, Hash, Kdf, Limits, Memory, Result, Store};
use common::*;
use serde_json::json;

#[test]
fn keys_come_and_go() {
    let mut small = Small::new();
    let (key, slot0) = small.unlock(b"one", None).unwrap();
    assert_eq!(slot0, 0);
    let volume = small.header.open(small.store.clone(), &key, true).unwrap();
    volume.write_at(b"the data", 4090).unwrap();
    let argon2 = Kdf::Argon2 { id: true, time: 1, memory: 64, lanes: 2 };
    let second = NewSlot { kdf: argon2, ..NewSlot::gost(1) };
    assert_eq!(small.add(b"two", &second, Some(7)).unwrap(), 7);
    assert_eq!(small.add(b"three", &NewSlot::gost(2), None).unwrap(), 1);
    fails!(Invalid, small.add(b"x", &slot(), Some(7)));
    fails!(Full, small.add(b"four", &slot(), None));
    for password in [&b"one"[..], b"two", b"three"] {
        assert!(small.opens(password));
    }
    fails!(WrongKey, small.unlock(b"four", None));
    assert!(small.unlock(b"two", Some(1)).is_err());
    small.remove(0).unwrap();
    assert!(!small.opens(b"one") && small.opens(b"two"));
    small.change(b"changed", 7).unwrap();
    assert!(!small.opens(b"two") && small.opens(b"changed"));
    small.remove(1).unwrap();
    fails!(Force, small.remove(7), "the last");
    let found = luks2::read(&*small.store).unwrap();
    assert_eq!((found.first, found.second), (Copy::Good, Copy::Good));
    let (again, slot) = found.header.unlock(&*small.store, b"changed", None, &LIMITS()).unwrap();
    assert_eq!((again == key, slot), (true, 7));
    let volume = found.header.open(small.store, &again, false).unwrap();
    assert_eq!(part(&volume, 4090, 8), b"the data");
    // A wrong volume key cannot add a password.
    let other = zeros(1 << 20);
    fails!(WrongKey, found.header.clone().add(&*other, &[1; 64], b"x", &second, None));
}

/// Unknown parts of the text are kept.
#[test]
fn tokens_are_kept() {
    let mut small = Small::new();
    small.set(&[
        ("/tokens/0", json!({"type": "of-others", "keyslots": ["0"], "x": [1, {"y": "z"}]})),
        ("/config/flags", json!(["allow-discards"])),
        ("/keyslots/0/priority", json!(2)),
        ("/keyslots/0/x", json!("y")),
    ]);
    small.change(b"changed", 0).unwrap();
    let changed = &small.header.text()["keyslots"]["0"];
    assert_eq!((&changed["priority"], &changed["x"]), (&json!(2), &json!("y")));
    small.add(b"two", &slot(), None).unwrap();
    small.remove(0).unwrap();
    let text = luks2::read(&*small.store).unwrap().header.text().clone();
    assert_eq!(text["tokens"]["0"]["x"][1]["y"], "z");
    assert_eq!(text["tokens"]["0"]["keyslots"], json!([]));
    assert_eq!(text["config"]["flags"][0], "allow-discards");
}

/// A keyslot with the data's key among others with other keys: the last one of the data counts as the last.
#[test]
fn the_last_keyslot_of_the_data() {
    let mut small = Small::new();
    small.add(b"unbound", &slot(), None).unwrap();
    let digest = small.header.text()["digests"]["0"].clone();
    small.set(&[
        ("/digests/1", digest),
        ("/digests/0/keyslots", json!(["0"])),
        ("/digests/1/keyslots", json!(["1"])),
        ("/digests/1/segments", json!([])),
    ]);
    let store = small.store.clone();
    refuses!(store, Force, small.remove(0));
    refuses!(store, Invalid, small.change(b"x", 1));
    fails!(Invalid, small.unlock(b"unbound", Some(1)));
    fails!(Damaged, small.header.unlock_without(&*store, b"one", 0, &LIMITS()));
    // The other keyslot does not count.
    small.remove(1).unwrap();
    assert!(small.opens(b"one"));
}

/// A second copy left by an old volume, under something else, is not a header.
#[test]
fn a_leftover_under_another_sign() {
    let other = Small::new().backup();
    for (at, sign, what) in [
        (512, &b"LABELONE"[..], "LVM"),
        (1080, b"\x53\xef", "ext4"),
        (0, b"XFSB", "XFS"),
        (510, b"\x55\xaa", "boot sector"),
    ] {
        let mut small = Small::new();
        let store = small.store.clone();
        store.write_at(&vec![0; small.header.size as usize], 0).unwrap();
        // Without another sign the copy saves the volume.
        assert!(small.opens(b"one"));
        store.write_at(sign, at).unwrap();
        let read = refuses!(store, Ambiguous, luks2::read(&*store), what);
        assert!(read.contains(what), "{read}");
        refuses!(store, Force, small.restore(&other, false), what);
        // `find` reads it anyway.
        let found = luks2::find(&*store).unwrap().other.unwrap_or_default();
        assert_eq!(Error::Ambiguous(found.into()).to_string(), read);
        small.header.rewrite(&*store).unwrap();
        assert!(small.opens(b"one"));
    }
}

/// A backup is restored only to its own volume or to an empty store; anything else is kept, every byte of it, without
/// `force`.
#[test]
fn backups_go_where_nothing_is_lost() {
    let mut small = Small::new();
    let backup = small.backup();
    let restore = |store: &Memory, force| luks2::restore(store, &backup, force);
    for (what, at, bytes) in [
        ("ext4", 1080, &b"\x53\xef"[..]),
        ("data", 700_000, b"x"),
        ("LUKS1", 0, b"LUKS\xba\xbe\0\x01"),
        ("a boot sector", 510, b"\x55\xaa"),
    ] {
        let other = zeros(1 << 20);
        other.write_at(bytes, at).unwrap();
        refuses!(other, Force, restore(&other, false), what);
        restore(&other, true).unwrap();
        assert!(opens(&*other, b"one"), "{what}");
    }
    for size in [0, 512, 40_000, small.header.area() - 512] {
        let store = zeros(size);
        refuses!(store, Short, restore(&store, true), "a small store");
    }
    let cut = Memory::new(backup.bytes()[..300_000].to_vec());
    refuses!(small.store, Short, small.restore(&cut, true), "a backup that is cut short");
    // Both copies are damaged, but one still identifies the volume.
    let hurt = small.copy();
    for at in [0, hurt.header.size] {
        hurt.store.write_at(&[0xff], at + 5000).unwrap();
    }
    hurt.restore(&backup, false).unwrap();
    assert!(hurt.opens(b"one"));
    // The volume has another key now, as after a reencryption.
    let salt = ("/digests/0/salt", json!("AAAAAAAAAAAAAAAAAAAAAA=="));
    hurt.write(from_ref(&salt));
    refuses!(hurt.store, Force, hurt.restore(&backup, false), "another key");
    hurt.write(&[salt, REENCRYPTION()]);
    refuses!(hurt.store, Force, hurt.restore(&backup, false), "a reencryption");
    // Every place for keyslots is in use: the old ones cannot be kept meanwhile.
    small.add(b"two", &slot(), None).unwrap();
    small.add(b"three", &slot(), None).unwrap();
    small.remove(0).unwrap();
    small.add(b"four", &slot(), Some(0)).unwrap();
    refuses!(small.store, Force, small.restore(&backup, false), "no room");
    small.restore(&backup, true).unwrap();
    assert!(small.opens(b"one") && !small.opens(b"two"));
}

/// A requirement of a volume in the middle of a reencryption.
const REENCRYPTION: fn() -> (&'static str, serde_json::Value) =
    || ("/config/requirements", json!({"mandatory": ["online-reencrypt"]}));

/// The work for a password is limited over all keyslots, and the error names the keyslots that were not tried.
#[test]
fn what_a_wrong_password_costs() {
    let mut small = Small::new();
    for n in [1, 2] {
        small.add(&[n], &slot(), None).unwrap();
    }
    // Three times one iteration; and three times a thousand of the digest, which have their own limit.
    let unlock = |password: &[u8], only, iterations| {
        let limits = Limits { iterations, ..LIMITS() };
        small.header.unlock(&*small.store, password, only, &limits)
    };
    let over = fails!(Limit, unlock(b"wrong", None, 2999));
    assert!(over.contains("3000"), "{over}");
    fails!(WrongKey, unlock(b"wrong", None, 3000));
    assert!(unlock(b"one", Some(0), 1000).is_ok());
    small.set(&[
        ("/keyslots/1/area/encryption", json!("aes-cbc-essiv:sha256")),
        ("/keyslots/2/priority", json!(0)),
    ]);
    let left = fails!(Untried, small.unlock(b"wrong", None));
    for word in ["wrong password", "keyslot 1: the cipher \"aes-cbc-essiv:sha256\"", "keyslot 2"] {
        assert!(left.contains(word), "{word} in {left}");
    }
    assert!(small.unlock(&[2], Some(2)).is_ok());
}

/// A change that cannot be completed writes nothing.
#[test]
fn refused_changes_write_nothing() {
    let mut small = Small::new();
    let store = small.store.clone();
    let long = "x".repeat(12_100 - small.header.text().to_string().len());
    small.set(&[("/tokens/0", json!({"type": "long", "keyslots": [], "x": long}))]);
    refuses!(store, Full, small.add(b"two", &slot(), None));
    let nothing = NewSlot::common(Kdf::Pbkdf2 { hash: Hash::Sha256, iterations: 0 });
    let new = luks2::Create { keyslots: 258_048, ..luks2::Create::new(nothing) };
    refuses!(store, Invalid, new.make(&*store, b"x", &mut |_| ()));
    // Another volume is in the store now.
    let other = Memory::new(vec![7; 1 << 20]);
    refuses!(other, Invalid, small.header.remove(&other, 0, true));
}

/// Chooses every point within the headers, and some within the stripes.
fn points(places: &[u64], every: usize) -> Vec<usize> {
    let in_headers = |n: &usize| n.is_multiple_of(every) || places[*n] < 2 * luks2::SIZES[0];
    (0..places.len()).filter(in_headers).collect()
}

/// The power is cut after each piece of 512 bytes that a change writes: an old or a new password opens, and the data's
/// key is unchanged.
#[test]
fn a_cut_at_any_point_of_a_change() {
    let small = Small::new();
    let (key, backup, one) = (&small.key, small.backup(), small.store.bytes());
    let mut two = small.copy();
    two.add(b"two", &slot(), None).unwrap();
    // Another password in this place: the backup's keyslot has to move.
    let mut moved = small.copy();
    moved.change(b"two", 0).unwrap();
    moved.add(b"three", &slot(), None).unwrap();
    moved.remove(0).unwrap();
    moved.add(b"two", &slot(), Some(0)).unwrap();
    let (two, moved) = (two.store.bytes(), moved.store.bytes());
    let read = |cut: &Cut| luks2::read(cut).map(|found| found.header);
    let changes: [(&str, &[u8], &dyn Fn(&Cut) -> Result<()>); 4] = [
        ("add", &one, &|cut| read(cut)?.add(cut, key, b"two", &slot(), None).map(drop)),
        ("change", &one, &|cut| read(cut)?.change(cut, key, b"two", &slot(), 0)),
        ("remove", &two, &|cut| read(cut)?.remove(cut, 0, false)),
        ("restore", &moved, &|cut| luks2::restore(cut, &backup, false).map(drop)),
    ];
    for (name, start, change) in changes {
        let (count, pieces) = cut_off(
            start,
            change,
            |places| points(places, 61),
            |n, store| {
                let found = luks2::read(store).unwrap_or_else(|e| panic!("{name} {n}: {e}"));
                let unlock = |password| found.header.unlock(store, password, None, &LIMITS());
                let opened = unlock(b"one").or_else(|_| unlock(b"two"));
                let (opened, _) = opened.unwrap_or_else(|e| panic!("{name} {n}: {e}"));
                assert!(opened == *key, "{name} {n}");
            },
        );
        println!("{name}: cut at {count} points of {pieces}, opened each time");
    }
}

/// The area of keyslots is full, so a password is changed in its place. After a cut the other passwords open the volume,
/// and so do the old or the new password, or the backup brings the old password back.
#[test]
fn changed_in_place() {
    let mut small = Small::new();
    small.add(b"b", &slot(), None).unwrap();
    small.add(b"c", &slot(), None).unwrap();
    let (store, start, backup) = (small.store.clone(), small.store.bytes(), small.backup());
    refuses!(store, Full, small.change(b"two", 0));
    let change = |store: &dyn Store| {
        luks2::read(store)?.header.change_in_place(store, &small.key, b"two", &slot(), 0)
    };
    change(&*store).unwrap();
    assert!(small.opens(b"two") && !small.opens(b"one"));
    let mut restored = 0;
    let points = |places: &[u64]| (0..places.len()).step_by(23);
    cut_off(
        &start,
        |cut| change(cut),
        points,
        |n, store| {
            assert!(opens(store, b"b") && opens(store, b"c"), "{n}");
            if !opens(store, b"one") && !opens(store, b"two") {
                fails!(Force, luks2::restore(store, &backup, false));
                luks2::restore(store, &backup, true).unwrap();
                assert!(opens(store, b"one"), "{n}");
                restored += 1;
            }
        },
    );
    assert!(restored > 0);
}

/// The power is cut in two successive changes, with no repair between.
#[test]
fn two_cuts_in_a_row() {
    let small = Small::new();
    let change = |store: &Cut, new: &[u8]| {
        luks2::read(store)?.header.change(store, &small.key, new, &slot(), 0)
    };
    let mut count = 0;
    // The second change has something to repair first.
    let first = |places: &[u64]| points(places, 101).into_iter().step_by(7);
    cut_off(
        &small.store.bytes(),
        |cut| change(cut, b"two"),
        first,
        |first, left| {
            let password = if opens(left, b"one") { &b"one"[..] } else { b"two" };
            let second = |places: &[u64]| points(places, 101).into_iter().step_by(3);
            let then = |second, store: &Memory| {
                let opened = opens(store, password) || opens(store, b"three");
                assert!(opened, "cut at {first}, then at {second}");
            };
            count += cut_off(&left.bytes(), |cut| change(cut, b"three"), second, then).0;
        },
    );
    println!("{count} pairs of cuts, opened each time");
}

/// The newer copy is whole, but it has unknown requirements, as during a reencryption, or its text is invalid: the older
/// copy, with a removed password, does not replace it.
#[test]
fn a_newer_copy_that_is_not_understood() {
    let rule = ("/keyslots/0/priority", json!("high"));
    for (part, damaged) in [(REENCRYPTION(), false), (rule, true)] {
        for newer in [0, luks2::SIZES[0]] {
            let small = Small::new();
            let (store, sequence) = (&small.store, small.header.sequence);
            small.write_copy(newer, sequence + 1, from_ref(&part));
            match damaged {
                true => refuses!(store, Damaged, luks2::read(&**store)),
                false => refuses!(store, Unsupported, luks2::read(&**store)),
            };
            // An older copy that is not understood does not prevent opening.
            small.write_copy(newer, sequence - 1, from_ref(&part));
            assert!(small.opens(b"one"));
        }
    }
}

/// The first copy is damaged, the second has unknown requirements: the error says so, and restoring a backup over a
/// volume in the middle of a reencryption needs `force`.
#[test]
fn a_damaged_copy_before_one_that_is_not_understood() {
    let small = Small::new();
    let backup = small.backup();
    small.write(&[REENCRYPTION()]);
    small.store.write_at(&[0xff], 5000).unwrap();
    fails!(Unsupported, luks2::read(&*small.store));
    refuses!(small.store, Force, small.restore(&backup, false));
}

/// Another sign counts even if no copy can be read, and if the header's place is all zeros.
#[test]
fn a_backup_asks_before_another_sign() {
    let small = Small::new();
    let backup = small.backup();
    let put = |store: &Memory, what: &str| {
        let said = refuses!(store, Force, luks2::restore(store, &backup, false), what);
        assert!(said.contains(what), "{said}");
        luks2::restore(store, &backup, true).unwrap();
        assert!(opens(store, b"one"));
    };
    let old = &small.copy().store;
    old.write_at(&vec![0; small.header.size as usize], 0).unwrap();
    old.write_at(b"LABELONE", 512).unwrap();
    old.write_at(&[0xff], small.header.size + 5000).unwrap();
    put(old, "LVM");
    for (sign, what) in [(b"EFI PART", "GPT"), (b"conectix", "VHD")] {
        let blank = zeros(1 << 20);
        blank.write_at(sign, (1 << 20) - 512).unwrap();
        put(&blank, what);
    }
}

/// A LUKS header of another kind over the second copy left by an old volume.
#[test]
fn a_leftover_under_another_luks_header() {
    let whole = Small::new();
    let backup = whole.backup();
    for version in [1, 3] {
        let small = whole.copy();
        // It may have the old UUID, as after a conversion.
        small.store.write_at(&[0; 160], 8).unwrap();
        small.store.write_at(&[0, version], 6).unwrap();
        let read = refuses!(small.store, Ambiguous, luks2::read(&*small.store));
        assert!(read.matches("LUKS").count() > 1, "{read}");
        refuses!(small.store, Force, small.restore(&backup, false));
    }
}

/// An older copy identifies the volume as well as a new copy: an old partition table at the end raises no doubt.
#[test]
fn an_older_copy_beside_an_old_table() {
    let mut small = Small::new();
    let store = small.store.clone();
    let first = store.bytes();
    small.add(b"two", &slot(), None).unwrap();
    store.write_at(&first[..small.header.size as usize], 0).unwrap();
    store.write_at(b"EFI PART", (1 << 20) - 512).unwrap();
    let found = luks2::read(&*store).unwrap();
    assert_eq!((found.first, found.second), (Copy::Older, Copy::Good));
    assert!(small.opens(b"two"));
    // A new volume leaves no such table.
    create().make(&*store, b"one", &mut |_| ()).unwrap();
    store.write_at(&[0xff], 5000).unwrap();
    assert!(small.opens(b"one"));
}

/// A keyslot that is tried only by number counts as a keyslot that stays.
#[test]
fn a_keyslot_that_stays() {
    let mut small = Small::new();
    small.add(b"two", &slot(), Some(1)).unwrap();
    small.set(&[("/keyslots/1/priority", json!(0))]);
    fails!(Untried, small.unlock(b"two", None));
    let without = small.header.unlock_without(&*small.store, b"two", 0, &LIMITS());
    assert_eq!(without.unwrap().1, 1);
}

/// A new password's cost always opens: the digest's iterations have their own limit.
#[test]
fn as_many_iterations_as_are_allowed() {
    let mut small = Small::new();
    let many = Kdf::Pbkdf2 { hash: Hash::Sha256, iterations: 2000 };
    small.header.change(&*small.store, &small.key, b"two", &NewSlot::common(many), 0).unwrap();
    let limits = Limits { iterations: 2000, ..LIMITS() };
    assert_eq!(many.beyond(&limits), None);
    assert!(small.header.unlock(&*small.store, b"two", None, &limits).is_ok());
}

#[test]
fn backups_of_headers() {
    let mut small = Small::new();
    let (store, backup) = (small.store.clone(), small.backup());
    assert_eq!(backup.size().unwrap(), small.header.area());
    small.change(b"two", 0).unwrap();
    small.add(b"three", &slot(), None).unwrap();
    small.restore(&backup, false).unwrap();
    assert!(small.opens(b"one") && !small.opens(b"two") && !small.opens(b"three"));
    // Nothing is left of the header.
    store.write_at(&vec![0; small.header.area() as usize], 0).unwrap();
    fails!(Foreign, luks2::read(&*store));
    small.restore(&backup, false).unwrap();
    assert!(small.opens(b"one"));
    let other = Small::new();
    fails!(Force, other.restore(&backup, false));
    assert!(other.opens(b"one"));
    other.restore(&backup, true).unwrap();
    assert_eq!(luks2::read(&*other.store).unwrap().header.uuid(), small.header.uuid());
    fails!(Invalid, small.restore(&Memory::default(), true));
}

/// Flips every bit of both copies of the header, one at a time.
#[test]
fn every_bit_of_a_header() {
    let small = Small::new();
    let (store, header) = (&*small.store, &small.header);
    let mut count = 0;
    const ALL: bool = cfg!(feature = "every-bit");
    let text = 4096 + header.text().to_string().len() as u64;
    for at in [0, header.size] {
        for byte in 0..header.size {
            // Only some bits of the zeros after the text, unless all are wanted.
            let bits = match byte < 512 || (4096..text).contains(&byte) || ALL {
                true => 0..8,
                false => 0..u32::from(byte % 61 == 0),
            };
            for bit in bits {
                let mut old = [0];
                store.read_at(&mut old, at + byte).unwrap();
                store.write_at(&[old[0] ^ 1 << bit], at + byte).unwrap();
                let found = luks2::read(store).unwrap_or_else(|e| panic!("{at} {byte} {bit}: {e}"));
                let (hit, other) =
                    if at == 0 { (found.first, found.second) } else { (found.second, found.first) };
                // The rest of the checksum's field, after its 32 bytes, has no meaning.
                let nothing = (480..512).contains(&byte);
                assert_eq!(hit == Copy::Good, nothing, "{at} {byte} {bit}: {hit:?}");
                assert_eq!(other, Copy::Good);
                assert!(found.header.is_key(&small.key).unwrap());
                store.write_at(&old, at + byte).unwrap();
                count += 1;
            }
        }
    }
    // Both copies are damaged.
    for at in [0, header.size] {
        store.write_at(&[0xff], at + 5000).unwrap();
    }
    fails!(Damaged, luks2::read(store));
    println!("{count} bits, one at a time: the other copy is read");
}

fn read(store: &dyn Store, key: &Key, places: &[Place]) -> Result<veracrypt::Header> {
    veracrypt::Header::read(store, key, places)
}

#[test]
fn veracrypt_volumes() {
    let store = zeros(1 << 20);
    let outer = key(b"outer", &[], Hash::Sha512);
    let hidden = key(b"hidden", &[b"a keyfile", &[9; 300]], Hash::Sha512);
    veracrypt::create(&*store, &outer, None).unwrap();
    let made = veracrypt::create(&*store, &hidden, Some(256 << 10)).unwrap();
    assert_eq!((made.place, made.offset), (Place::Hidden, (1 << 20) - (384 << 10)));
    let open = |key: &Key, places: &[Place]| read(&*store, key, places);
    let (a, b) =
        (open(&outer, &[Place::Volume]).unwrap(), open(&hidden, &[Place::Hidden]).unwrap());
    for (key, place) in [(&outer, Place::Backup), (&hidden, Place::HiddenBackup)] {
        assert_eq!(open(key, &[place]).unwrap().place, place);
        fails!(WrongKey, open(key, &[]));
    }
    fails!(WrongKey, open(&key(b"hidden", &[], Hash::Sha512), &[Place::Hidden]));
    let inner = b.open(store.clone(), true).unwrap();
    inner.write_at(&[1; 100_000], 3).unwrap();
    let mut volume = a.open(store.clone(), true).unwrap();
    let range = b.within(&a).unwrap();
    volume.protect(range.clone());
    volume.write_at(&[2; 5000], range.start - 5000).unwrap();
    // A refused discard loses nothing, so later writes are not refused.
    fails!(ReadOnly, volume.discard(range.start, 4096));
    assert!(volume.is_writable());
    fails!(ReadOnly, volume.zero_at(range.start - 100, 200));
    fails!(ReadOnly, volume.write_at(&[0; 512], range.start));
    // After a refused write, all writes are refused.
    fails!(ReadOnly, volume.write_at(&[3; 512], 0));
    assert!(!volume.is_writable());
    fails!(ReadOnly, volume.discard(0, 4096));
    part(&volume, range.start - 5000, 5000);
    assert!(part(&inner, 3, 100_000) == [1; 100_000]);
    // The header is gone: its backup opens.
    store.write_at(&[0; 512], 0).unwrap();
    assert!(open(&outer, &[Place::Volume]).is_err());
    let header = open(&outer, &[Place::Volume, Place::Backup]).unwrap();
    header.write(&*store, &outer).unwrap();
    assert!(open(&outer, &[Place::Volume]).is_ok());
}

/// A change of a VeraCrypt password, cut at any point: the old or the new one opens.
#[test]
fn a_cut_at_any_point_of_a_veracrypt_change() {
    let base = zeros(512 << 10);
    let (old, new) = (key(b"old", &[], Hash::Sha256), key(b"new", &[], Hash::Sha256));
    let header = veracrypt::create(&*base, &old, None).unwrap();
    cut_off(
        &base.bytes(),
        |cut| header.write(cut, &new),
        |places| 0..places.len(),
        |_, store| {
            let open = |key| read(store, key, &[Place::Volume, Place::Backup]);
            assert!(open(&old).or_else(|_| open(&new)).is_ok());
        },
    );
    header.write(&*base, &new).unwrap();
    assert!(read(&*base, &old, &Place::ALL).is_err());
}

/// A volume of [`OLD`] bytes with a hidden one, whose file grows.
struct Growing {
    store: Memory,
    outer: Key,
    hidden: Key,
    /// The header before the growth.
    old: veracrypt::Header,
}

const OLD: u64 = 1 << 20;

fn key_of(password: &[u8]) -> Key {
    let mut key = key(password, &[], Hash::Sha512);
    key.cipher = Some(veracrypt::ALGORITHMS[0]);
    key
}

fn header_at(store: &dyn Store, key: &Key, place: Place) -> Result<veracrypt::Header> {
    read(store, key, &[place])
}

impl Growing {
    fn new() -> Growing {
        let (outer, hidden) = (key_of(b"one"), key_of(b"two"));
        let store = zeros(OLD);
        let old = veracrypt::create(&*store, &outer, None).unwrap();
        veracrypt::create(&*store, &hidden, Some(256 << 10)).unwrap();
        old.open(store.clone(), true).unwrap().write_at(b"outer", 4090).unwrap();
        let inner = header_at(&*store, &hidden, Place::Hidden).unwrap();
        inner.open(store.clone(), true).unwrap().write_at(b"hidden", 100).unwrap();
        Growing { store: Memory::new(store.bytes()), outer, hidden, old }
    }

    /// Returns a copy of the store with this size.
    fn longer(&self, size: u64) -> Arc<Memory> {
        let mut bytes = self.store.bytes();
        bytes.resize(size as usize, 0);
        Arc::new(Memory::new(bytes))
    }

    /// Checks that the growth is refused with these words, and nothing is written.
    fn refuses(&self, store: &Memory, what: &str) {
        let refused = refuses!(store, Invalid, self.old.grow(store, &self.outer), what);
        assert!(refused.contains(what), "{refused}");
    }

    /// Checks that both volumes open with their data, and after the growth both backups. Returns the header.
    fn holds(&self, store: &Arc<Memory>, size: u64, grown: bool) -> veracrypt::Header {
        let (outer, hidden) = (&self.outer, &self.hidden);
        let found = header_at(&**store, outer, Place::Volume).unwrap();
        let inner = header_at(&**store, hidden, Place::Hidden).unwrap();
        for (header, at, text) in [(&found, 4090, &b"outer"[..]), (&inner, 100, b"hidden")] {
            assert_eq!(part(&header.open(store.clone(), false).unwrap(), at, text.len()), text);
        }
        if grown {
            assert_eq!((found.len, found.size), (size - (256 << 10), size - (256 << 10)));
            let backup = header_at(&**store, outer, Place::Backup).unwrap();
            assert!(backup.is_same_volume(&found));
            assert!(header_at(&**store, hidden, Place::HiddenBackup).is_ok());
            let group = (OLD - veracrypt::GROUP) as usize..OLD as usize;
            let old = Memory::new(store.bytes()[group].to_vec());
            assert!(header_at(&old, outer, Place::Volume).is_err(), "no old header in the data");
            assert!(header_at(&old, hidden, Place::Hidden).is_err());
        }
        found
    }
}

/// A volume with a hidden one grows. After a cut both open with their data, and the next call completes the growth.
#[test]
fn a_veracrypt_volume_grows() {
    let growing = Growing::new();
    let (old, outer) = (&growing.old, &growing.outer);
    for size in [OLD + (128 << 10), 2 * OLD] {
        let whole = Cut::new(growing.longer(size), usize::MAX);
        old.grow(&whole, outer).unwrap();
        growing.holds(&whole.store, size, true);
        let (places, mut unfinished) = (whole.places(), 0);
        let points = [0, 1, 255, 256, 257, 300, 512, 513];
        for n in points.into_iter().filter(|n| *n < places.len()) {
            let cut = Cut::new(growing.longer(size), n);
            assert!(old.grow(&cut, outer).is_err(), "{n} of {}", places.len());
            let found = growing.holds(&cut.store, size, false);
            if found.len == old.len {
                found.grow(&*cut.store, outer).unwrap();
                unfinished += 1;
            }
            growing.holds(&cut.store, size, true);
        }
        assert!(places.len() == 514 && unfinished == 8, "{} {unfinished}", places.len());
    }
}

#[test]
fn a_veracrypt_volume_that_cannot_grow() {
    let growing = Growing::new();
    for (size, what) in [
        (OLD, "has not grown"),
        (OLD + 512, "at least 1179648 bytes"),
        (OLD + (128 << 10) - 512, "at least 1179648 bytes"),
        (OLD + (128 << 10) + 1, "whole sectors"),
    ] {
        growing.refuses(&growing.longer(size), what);
    }
    // A hidden volume does not grow, and a backup that is not there is not replaced by other data.
    let store = growing.longer(2 * OLD);
    let inner = header_at(&*store, &growing.hidden, Place::Hidden).unwrap();
    fails!(Invalid, inner.grow(&*store, &growing.hidden));
    let lost = growing.longer(2 * OLD);
    lost.write_at(&[0; 512], OLD - veracrypt::GROUP).unwrap();
    lost.write_at(&[5; 512], 2 * OLD - veracrypt::GROUP).unwrap();
    growing.refuses(&lost, "no backup of the header at byte 917504");
    // Anything at the new end stays: a partition table.
    for size in [OLD + (128 << 10), 2 * OLD] {
        for (back, bytes) in [(veracrypt::GROUP, &[5][..]), (512, b"EFI PART"), (1, &[1])] {
            let store = growing.longer(size);
            store.write_at(bytes, size - back).unwrap();
            growing.refuses(&store, "must be zeros");
        }
    }
}

/// The hidden volume's password changes after its file has grown, or during a growth that was cut.
#[test]
fn a_hidden_password_that_changes_in_a_growing_volume() {
    let (growing, three) = (Growing::new(), key_of(b"three"));
    let (old, outer, hidden) = (&growing.old, &growing.outer, &growing.hidden);
    let change = |store: &Memory| {
        header_at(store, hidden, Place::Hidden).unwrap().write(store, &three).unwrap();
    };
    for size in [OLD + (128 << 10), 2 * OLD] {
        let store = growing.longer(size);
        change(&store);
        refuses!(store, Invalid, old.grow(&*store, outer));
        fails!(Invalid, old.check_end(&*store));
        // After the backups have been copied, a hidden password that changes is kept.
        let cut = Cut::new(growing.longer(size), 256);
        assert!(old.grow(&cut, outer).is_err());
        change(&cut.store);
        old.grow(&*cut.store, outer).unwrap().check_end(&*cut.store).unwrap();
        for place in [Place::Hidden, Place::HiddenBackup] {
            assert!(header_at(&*cut.store, &three, place).is_ok(), "{place:?}");
            assert!(header_at(&*cut.store, hidden, place).is_err(), "{place:?}");
        }
    }
}

/// The backup header's place is within the data of a truncated volume: nothing is written there.
#[test]
fn a_cut_veracrypt_volume_keeps_its_data() {
    let whole = zeros(1 << 20);
    let old = key(b"old", &[], Hash::Sha256);
    veracrypt::create(&*whole, &old, None).unwrap();
    for cut in [512, 64 << 10, 200 << 10] {
        let store = Memory::new(whole.bytes()[..(1 << 20) - cut].to_vec());
        let header = header_at(&store, &old, Place::Volume).unwrap();
        refuses!(store, Short, header.write(&store, &old));
    }
}

/// The header that was read is overwritten last, since it may be the only good one.
#[test]
fn the_only_good_veracrypt_header_is_written_last() {
    const SIZE: u64 = 512 << 10;
    let store = zeros(SIZE);
    let (outer, hidden) = (key(b"outer", &[], Hash::Sha256), key(b"hidden", &[], Hash::Sha256));
    veracrypt::create(&*store, &outer, None).unwrap();
    veracrypt::create(&*store, &hidden, Some(64 << 10)).unwrap();
    for (key, place) in [
        (&outer, Place::Volume),
        (&outer, Place::Backup),
        (&hidden, Place::Hidden),
        (&hidden, Place::HiddenBackup),
    ] {
        let header = header_at(&*store, key, place).unwrap();
        let cut = Cut::new(store.clone(), usize::MAX);
        header.write(&cut, key).unwrap();
        let places = cut.places();
        assert_eq!((places.len(), places.last().copied()), (2, place.offset(SIZE)), "{place:?}");
    }
}
