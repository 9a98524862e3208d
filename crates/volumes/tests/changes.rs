//! Headers that are changed, cut off during a change, and damaged bit by bit.

mod common;

use std::sync::Arc;

use bulat_block::luks2::{self, Copy, NewSlot};
use bulat_block::veracrypt::{self, Place, Prf};
use bulat_block::{Error, Hash, Kdf, Limits, Memory, Store};
use common::*;
use serde_json::json;

const LIMITS: fn() -> Limits = Limits::default;

#[test]
fn keys_come_and_go() {
    let (store, mut header) = small();
    let (key, slot0) = header.unlock(&*store, b"one", None, &LIMITS()).unwrap();
    assert_eq!(slot0, 0);
    let volume = header.open(store.clone(), &key, true).unwrap();
    volume.write_at(b"the data", 4090).unwrap();
    let argon2 = Kdf::Argon2 { id: true, time: 1, memory: 64, lanes: 2 };
    let second = NewSlot { kdf: argon2, ..NewSlot::gost(1) };
    assert_eq!(header.add(&*store, &key, b"two", &second, Some(7)).unwrap(), 7);
    assert_eq!(header.add(&*store, &key, b"three", &NewSlot::gost(2), None).unwrap(), 1);
    assert!(matches!(header.add(&*store, &key, b"x", &slot(), Some(7)), Err(Error::Invalid(_))));
    let full = header.add(&*store, &key, b"four", &slot(), None);
    assert!(matches!(full, Err(Error::Full(_))), "no room");
    for password in [&b"one"[..], b"two", b"three"] {
        assert!(opens(&*store, password));
    }
    assert!(matches!(header.unlock(&*store, b"four", None, &LIMITS()), Err(Error::WrongKey)));
    assert!(header.unlock(&*store, b"two", Some(1), &LIMITS()).is_err());
    header.remove(&*store, 0, false).unwrap();
    assert!(!opens(&*store, b"one") && opens(&*store, b"two"));
    header.change(&*store, &key, b"changed", &slot(), 7).unwrap();
    assert!(!opens(&*store, b"two") && opens(&*store, b"changed"));
    header.remove(&*store, 1, false).unwrap();
    assert!(matches!(header.remove(&*store, 7, false), Err(Error::Force(_))), "the last");
    let found = luks2::read(&*store).unwrap();
    assert_eq!((found.first, found.second), (Copy::Good, Copy::Good));
    let (again, slot) = found.header.unlock(&*store, b"changed", None, &LIMITS()).unwrap();
    assert_eq!((again == key, slot), (true, 7));
    let mut text = [0; 8];
    found.header.open(store, &again, false).unwrap().read_at(&mut text, 4090).unwrap();
    assert_eq!(&text, b"the data");
    // A wrong volume key cannot add a password.
    let wrong =
        found.header.clone().add(&Memory::new(vec![0; 1 << 20]), &[1; 64], b"x", &second, None);
    assert!(matches!(wrong, Err(Error::WrongKey)));
}

/// Unknown parts of the text are kept.
#[test]
fn tokens_are_kept() {
    let (store, header) = small();
    let mut text = header.text().clone();
    text["tokens"]["0"] =
        serde_json::json!({"type": "of-others", "keyslots": ["0"], "x": [1, {"y": "z"}]});
    text["config"]["flags"] = serde_json::json!(["allow-discards"]);
    text["keyslots"]["0"]["priority"] = json!(2);
    text["keyslots"]["0"]["x"] = json!("y");
    put(&store, &header, &text.to_string());
    let mut header = luks2::read(&*store).unwrap().header;
    let (key, _) = header.unlock(&*store, b"one", None, &LIMITS()).unwrap();
    header.change(&*store, &key, b"changed", &slot(), 0).unwrap();
    let changed = &header.text()["keyslots"]["0"];
    assert_eq!((&changed["priority"], &changed["x"]), (&json!(2), &json!("y")));
    header.add(&*store, &key, b"two", &slot(), None).unwrap();
    header.remove(&*store, 0, false).unwrap();
    let text = luks2::read(&*store).unwrap().header.text().clone();
    assert_eq!(text["tokens"]["0"]["x"][1]["y"], "z");
    assert_eq!(text["tokens"]["0"]["keyslots"], serde_json::json!([]));
    assert_eq!(text["config"]["flags"][0], "allow-discards");
}

/// Writes a text to both copies, with right checksums.
fn put(store: &Memory, header: &luks2::Header, text: &str) {
    for at in [0, header.size] {
        put_copy(store, at, header.size, text, header.sequence);
    }
}

fn put_copy(store: &Memory, at: u64, size: u64, text: &str, sequence: u64) {
    let mut bytes = vec![0; size as usize];
    store.read_at(&mut bytes, at).unwrap();
    bytes[16..24].copy_from_slice(&sequence.to_be_bytes());
    bytes[4096..].fill(0);
    bytes[4096..4096 + text.len()].copy_from_slice(text.as_bytes());
    bytes[448..512].fill(0);
    let sum = Hash::Sha256.digest(&[&bytes]);
    bytes[448..480].copy_from_slice(&sum);
    store.write_at(&bytes, at).unwrap();
}

/// A keyslot with the data's key among others with other keys: the last one of the data counts as the last.
#[test]
fn the_last_keyslot_of_the_data() {
    let (store, mut header) = small();
    let (key, _) = header.unlock(&*store, b"one", None, &LIMITS()).unwrap();
    header.add(&*store, &key, b"unbound", &slot(), None).unwrap();
    let mut text = header.text().clone();
    text["digests"]["1"] = text["digests"]["0"].clone();
    text["digests"]["0"]["keyslots"] = json!(["0"]);
    (text["digests"]["1"]["keyslots"], text["digests"]["1"]["segments"]) =
        (json!(["1"]), json!([]));
    put(&store, &header, &text.to_string());
    let mut header = luks2::read(&*store).unwrap().header;
    let before = store.bytes();
    let last = header.remove(&*store, 0, false);
    assert!(matches!(last, Err(Error::Force(_))), "{last:?}");
    assert!(matches!(header.change(&*store, &key, b"x", &slot(), 1), Err(Error::Invalid(_))));
    let named = header.unlock(&*store, b"unbound", Some(1), &LIMITS());
    assert!(matches!(named, Err(Error::Invalid(_))), "{named:?}");
    let only = header.unlock_without(&*store, b"one", 0, &LIMITS());
    assert!(matches!(only, Err(Error::Damaged(_))), "{only:?}");
    assert!(store.bytes() == before);
    // The other keyslot does not count.
    header.remove(&*store, 1, false).unwrap();
    assert!(opens(&*store, b"one"));
}

/// A second copy left by an old volume, under something else, is not a header.
#[test]
fn a_leftover_under_another_sign() {
    for (at, sign, what) in [
        (512, &b"LABELONE"[..], "LVM"),
        (1080, b"\x53\xef", "ext4"),
        (0, b"XFSB", "XFS"),
        (510, b"\x55\xaa", "boot sector"),
    ] {
        let (store, mut header) = small();
        store.write_at(&vec![0; header.size as usize], 0).unwrap();
        // Without another sign the copy saves the volume.
        assert!(opens(&*store, b"one"));
        store.write_at(sign, at).unwrap();
        let before = store.bytes();
        let read = luks2::read(&*store).map(drop);
        assert!(matches!(&read, Err(Error::Ambiguous(w)) if w.contains(what)), "{read:?}");
        let (good, _) = small();
        let other = luks2::read(&*good).unwrap().header.backup(&*good).unwrap();
        let put = luks2::restore(&*store, &Memory::new(other), false).map(drop);
        assert!(matches!(put, Err(Error::Force(_))), "{put:?}");
        assert!(store.bytes() == before, "{what}");
        // `find` reads it anyway.
        assert_eq!(
            luks2::find(&*store).unwrap().other.unwrap_or_default(),
            read.unwrap_err().what()
        );
        header.rewrite(&*store).unwrap();
        assert!(opens(&*store, b"one"));
    }
}

trait What {
    fn what(&self) -> &str;
}

impl What for Error {
    fn what(&self) -> &str {
        match self {
            Error::Ambiguous(what) => what,
            _ => "",
        }
    }
}

/// A backup is restored only to its own volume or to an empty store; anything else is kept, every byte of it, without
/// `force`.
#[test]
fn backups_go_where_nothing_is_lost() {
    let (store, header) = small();
    let (key, _) = header.unlock(&*store, b"one", None, &LIMITS()).unwrap();
    let backup = Memory::new(header.backup(&*store).unwrap());
    let refused =
        |store: &Memory, backup: &Memory, force: bool, is: fn(&Error) -> bool, what: &str| {
            let before = store.bytes();
            let error = luks2::restore(store, backup, force).map(drop).expect_err(what);
            assert!(is(&error), "{what}: {error:?}");
            assert!(store.bytes() == before, "{what}");
        };
    let asks = |e: &Error| matches!(e, Error::Force(_));
    let short = |e: &Error| matches!(e, Error::Short(_));
    let with = |at: usize, bytes: &[u8]| {
        let mut all = vec![0; 1 << 20];
        all[at..at + bytes.len()].copy_from_slice(bytes);
        Memory::new(all)
    };
    for (what, other) in [
        ("ext4", with(1080, b"\x53\xef")),
        ("data", with(700_000, b"x")),
        ("LUKS1", with(0, b"LUKS\xba\xbe\0\x01")),
        ("a boot sector", with(510, b"\x55\xaa")),
    ] {
        refused(&other, &backup, false, asks, what);
        luks2::restore(&other, &backup, true).unwrap();
        assert!(opens(&other, b"one"), "{what}");
    }
    for size in [0, 512, 40_000, header.area() - 512] {
        refused(&Memory::new(vec![0; size as usize]), &backup, true, short, "a small store");
    }
    let cut = Memory::new(backup.bytes()[..300_000].to_vec());
    refused(&store, &cut, true, short, "a backup that is cut short");
    // Both copies are damaged, but one still identifies the volume.
    let hurt = Memory::new(store.bytes());
    for at in [0, header.size] {
        hurt.write_at(&[0xff], at + 5000).unwrap();
    }
    luks2::restore(&hurt, &backup, false).unwrap();
    assert!(opens(&hurt, b"one"));
    // The volume has another key now, as after a reencryption.
    let mut text = header.text().clone();
    text["digests"]["0"]["salt"] = json!("AAAAAAAAAAAAAAAAAAAAAA==");
    put(&hurt, &header, &text.to_string());
    refused(&hurt, &backup, false, asks, "another key");
    text["config"]["requirements"] = json!({"mandatory": ["online-reencrypt"]});
    put(&hurt, &header, &text.to_string());
    refused(&hurt, &backup, false, asks, "a reencryption");
    // Every place for keyslots is in use: the old ones cannot be kept meanwhile.
    let mut full = luks2::read(&*store).unwrap().header;
    full.add(&*store, &key, b"two", &slot(), None).unwrap();
    full.add(&*store, &key, b"three", &slot(), None).unwrap();
    full.remove(&*store, 0, false).unwrap();
    full.add(&*store, &key, b"four", &slot(), Some(0)).unwrap();
    refused(&store, &backup, false, asks, "no room");
    luks2::restore(&*store, &backup, true).unwrap();
    assert!(opens(&*store, b"one") && !opens(&*store, b"two"));
}

/// The work for a password is limited over all keyslots, and the error names the keyslots that were not tried.
#[test]
fn what_a_wrong_password_costs() {
    let (store, mut header) = small();
    let (key, _) = header.unlock(&*store, b"one", None, &LIMITS()).unwrap();
    for n in [1, 2] {
        header.add(&*store, &key, &[n], &slot(), None).unwrap();
    }
    // Three times one iteration; and three times a thousand of the digest, which have their own limit.
    let limits = |iterations| Limits { iterations, ..LIMITS() };
    let over = header.unlock(&*store, b"wrong", None, &limits(2999));
    assert!(matches!(&over, Err(Error::Limit(what)) if what.contains("3000")), "{over:?}");
    assert!(matches!(header.unlock(&*store, b"wrong", None, &limits(3000)), Err(Error::WrongKey)));
    assert!(header.unlock(&*store, b"one", Some(0), &limits(1000)).is_ok());
    let mut text = header.text().clone();
    text["keyslots"]["1"]["area"]["encryption"] = json!("aes-cbc-essiv:sha256");
    text["keyslots"]["2"]["priority"] = json!(0);
    put(&store, &header, &text.to_string());
    let header = luks2::read(&*store).unwrap().header;
    let left = header.unlock(&*store, b"wrong", None, &LIMITS()).unwrap_err();
    assert!(matches!(left, Error::Untried(_)), "{left:?}");
    for word in ["wrong password", "keyslot 1: the cipher \"aes-cbc-essiv:sha256\"", "keyslot 2"] {
        assert!(left.to_string().contains(word), "{word} in {left}");
    }
    assert!(header.unlock(&*store, &[2], Some(2), &LIMITS()).is_ok());
}

/// A change that cannot be completed writes nothing.
#[test]
fn refused_changes_write_nothing() {
    let (store, mut header) = small();
    let (key, _) = header.unlock(&*store, b"one", None, &LIMITS()).unwrap();
    let mut text = header.text().clone();
    text["tokens"]["0"] =
        json!({"type": "long", "keyslots": [], "x": "x".repeat(12_100 - text.to_string().len())});
    put(&store, &header, &text.to_string());
    header = luks2::read(&*store).unwrap().header;
    let before = store.bytes();
    let full = header.add(&*store, &key, b"two", &slot(), None);
    assert!(matches!(full, Err(Error::Full(_))), "{full:?}");
    assert!(store.bytes() == before);
    let nothing = NewSlot::common(Kdf::Pbkdf2 { hash: Hash::Sha256, iterations: 0 });
    let new = luks2::Create { keyslots: 258_048, ..luks2::Create::new(nothing) };
    assert!(matches!(new.make(&*store, b"x", &mut |_| ()), Err(Error::Invalid(_))));
    assert!(store.bytes() == before);
    // Another volume is in the store now.
    let other = Memory::new(vec![7; 1 << 20]);
    let gone = header.remove(&other, 0, true);
    assert!(matches!(gone, Err(Error::Invalid(_))), "{gone:?}");
    assert!(other.bytes() == vec![7; 1 << 20]);
}

/// The power is cut after each piece of 512 bytes that a change writes: an old or a new password opens, and the data's
/// key is unchanged.
#[test]
fn a_cut_at_any_point_of_a_change() {
    let (before, header) = small();
    let (key, _) = header.unlock(&*before, b"one", None, &LIMITS()).unwrap();
    let backup = Memory::new(header.backup(&*before).unwrap());
    let changes: [(&str, &dyn Fn(&Cut) -> bulat_block::Result<()>); 4] = [
        ("add", &|cut| {
            let mut header = luks2::read(cut)?.header;
            header.add(cut, &key, b"two", &slot(), None).map(|_| ())
        }),
        ("change", &|cut| {
            let mut header = luks2::read(cut)?.header;
            header.change(cut, &key, b"two", &slot(), 0)
        }),
        ("remove", &|cut| luks2::read(cut)?.header.remove(cut, 0, false)),
        ("restore", &|cut| luks2::restore(cut, &backup, false).map(|_| ())),
    ];
    for (name, change) in changes {
        let image = || {
            let store = Arc::new(Memory::new(before.bytes()));
            match name {
                "remove" => {
                    let mut header = luks2::read(&*store).unwrap().header;
                    header.add(&*store, &key, b"two", &slot(), None).unwrap();
                }
                // Another password in this place: the backup's keyslot has to move.
                "restore" => {
                    let mut header = luks2::read(&*store).unwrap().header;
                    header.change(&*store, &key, b"two", &slot(), 0).unwrap();
                    header.add(&*store, &key, b"three", &slot(), None).unwrap();
                    header.remove(&*store, 0, false).unwrap();
                    let mut header = luks2::read(&*store).unwrap().header;
                    header.add(&*store, &key, b"two", &slot(), Some(0)).unwrap();
                }
                _ => {}
            }
            store
        };
        let base = image();
        let whole = Cut::new(base.clone(), usize::MAX);
        let start = base.bytes();
        change(&whole).unwrap();
        let (places, pieces) = (whole.places(), whole.places().len());
        // Every point within the headers, and some within the stripes.
        let points = (0..pieces).filter(|n| n % 61 == 0 || places[*n] < 2 * header.size);
        let mut count = 0;
        for n in points {
            let cut = Cut::new(Arc::new(Memory::new(start.clone())), n);
            assert!(change(&cut).is_err(), "{name} {n}");
            let store = &*cut.store;
            let found = luks2::read(store).unwrap_or_else(|e| panic!("{name} {n}: {e}"));
            let one = found.header.unlock(store, b"one", None, &LIMITS());
            let two = found.header.unlock(store, b"two", None, &LIMITS());
            let opened = one.or(two).unwrap_or_else(|e| panic!("{name} {n}: {e}"));
            assert!(opened.0 == key, "{name} {n}");
            count += 1;
        }
        println!("{name}: cut at {count} points of {pieces}, opened each time");
    }
}

/// The area of keyslots is full, so a password is changed in its place. After a cut the other passwords open the volume,
/// and so do the old or the new password, or the backup brings the old password back.
#[test]
fn changed_in_place() {
    let (store, mut header) = small();
    let (key, _) = header.unlock(&*store, b"one", None, &LIMITS()).unwrap();
    header.add(&*store, &key, b"b", &slot(), None).unwrap();
    header.add(&*store, &key, b"c", &slot(), None).unwrap();
    let start = store.bytes();
    let full = header.change(&*store, &key, b"two", &slot(), 0);
    assert!(matches!(full, Err(Error::Full(_))) && store.bytes() == start, "{full:?}");
    let backup = Memory::new(header.backup(&*store).unwrap());
    let change = |store: &dyn Store| {
        luks2::read(store)?.header.change_in_place(store, &key, b"two", &slot(), 0)
    };
    let whole = Cut::new(Arc::new(Memory::new(start.clone())), usize::MAX);
    change(&whole).unwrap();
    assert!(opens(&*whole.store, b"two") && !opens(&*whole.store, b"one"));
    let places = whole.places();
    let mut restored = 0;
    for n in (0..places.len()).step_by(23) {
        let cut = Cut::new(Arc::new(Memory::new(start.clone())), n);
        assert!(change(&cut).is_err(), "{n}");
        let store = &*cut.store;
        assert!(opens(store, b"b") && opens(store, b"c"), "{n}");
        if !opens(store, b"one") && !opens(store, b"two") {
            assert!(matches!(luks2::restore(store, &backup, false), Err(Error::Force(_))));
            luks2::restore(store, &backup, true).unwrap();
            assert!(opens(store, b"one"), "{n}");
            restored += 1;
        }
    }
    assert!(restored > 0);
}

/// The power is cut in two successive changes, with no repair between.
#[test]
fn two_cuts_in_a_row() {
    let (before, header) = small();
    let (key, _) = header.unlock(&*before, b"one", None, &LIMITS()).unwrap();
    let change = |store: &dyn Store, new: &[u8]| -> bulat_block::Result<()> {
        let mut header = luks2::read(store)?.header;
        header.change(store, &key, new, &slot(), 0)
    };
    // The pieces of the headers, in a change that has nothing to repair first, and in a change that has.
    let points = |start: &[u8]| -> Vec<usize> {
        let whole = Cut::new(Arc::new(Memory::new(start.to_vec())), usize::MAX);
        change(&whole, b"x").unwrap();
        let places = whole.places();
        let all = 0..places.len();
        all.filter(|n| n % 101 == 0 || places[*n] < 2 * header.size).collect()
    };
    let start = before.bytes();
    let mut count = 0;
    for first in points(&start).into_iter().step_by(7) {
        let cut = Cut::new(Arc::new(Memory::new(start.clone())), first);
        assert!(change(&cut, b"two").is_err());
        let left = cut.store.bytes();
        let password = if opens(&*cut.store, b"one") { &b"one"[..] } else { b"two" };
        for second in points(&left).into_iter().step_by(3) {
            let cut = Cut::new(Arc::new(Memory::new(left.clone())), second);
            assert!(change(&cut, b"three").is_err());
            let opened = opens(&*cut.store, password) || opens(&*cut.store, b"three");
            assert!(opened, "cut at {first}, then at {second}");
            count += 1;
        }
    }
    println!("{count} pairs of cuts, opened each time");
}

/// The newer copy has unknown requirements, as during a reencryption: the older copy does not replace it.
#[test]
fn a_newer_copy_that_is_not_understood() {
    for newer in [0, luks2::SIZES[0]] {
        let (store, header) = small();
        let mut text = header.text().clone();
        text["config"]["requirements"] = serde_json::json!({"mandatory": ["online-reencrypt"]});
        put_copy(&store, newer, header.size, &text.to_string(), header.sequence + 1);
        assert!(matches!(luks2::read(&*store), Err(Error::Unsupported(_))));
        // An older copy that is not understood does not prevent opening.
        put_copy(&store, newer, header.size, &text.to_string(), header.sequence - 1);
        assert!(opens(&*store, b"one"));
    }
}

/// Requires a refusal that changes no byte.
fn refuses<T>(store: &Memory, call: impl FnOnce() -> bulat_block::Result<T>, what: &str) -> Error {
    let before = store.bytes();
    let error = call().map(drop).expect_err(what);
    assert!(store.bytes() == before, "{what}: {error}");
    error
}

/// The first copy is damaged, the second has unknown requirements: the error says so, and restoring a backup over a
/// volume in the middle of a reencryption needs `force`.
#[test]
fn a_damaged_copy_before_one_that_is_not_understood() {
    let (store, header) = small();
    let backup = Memory::new(header.backup(&*store).unwrap());
    let mut text = header.text().clone();
    text["config"]["requirements"] = json!({"mandatory": ["online-reencrypt"]});
    put(&store, &header, &text.to_string());
    store.write_at(&[0xff], 5000).unwrap();
    assert!(matches!(luks2::read(&*store), Err(Error::Unsupported(_))));
    let error = refuses(&store, || luks2::restore(&*store, &backup, false), "a reencryption");
    assert!(matches!(error, Error::Force(_)), "{error:?}");
}

/// Another sign counts even if no copy can be read, and if the header's place is all zeros.
#[test]
fn a_backup_asks_before_another_sign() {
    let (store, header) = small();
    let backup = Memory::new(header.backup(&*store).unwrap());
    let put = |store: &Memory, what: &str| {
        let error = refuses(store, || luks2::restore(store, &backup, false), what);
        assert!(matches!(&error, Error::Force(w) if w.contains(what)), "{error:?}");
        luks2::restore(store, &backup, true).unwrap();
        assert!(opens(store, b"one"));
    };
    let old = Memory::new(store.bytes());
    old.write_at(&vec![0; header.size as usize], 0).unwrap();
    old.write_at(b"LABELONE", 512).unwrap();
    old.write_at(&[0xff], header.size + 5000).unwrap();
    put(&old, "LVM");
    for (sign, what) in [(b"EFI PART", "GPT"), (b"conectix", "VHD")] {
        let blank = Memory::new(vec![0; 1 << 20]);
        blank.write_at(sign, (1 << 20) - 512).unwrap();
        put(&blank, what);
    }
}

/// A LUKS header of another kind over the second copy left by an old volume.
#[test]
fn a_leftover_under_another_luks_header() {
    let (whole, header) = small();
    let backup = Memory::new(header.backup(&*whole).unwrap());
    for version in [1, 3] {
        let store = Memory::new(whole.bytes());
        // It may have the old UUID, as after a conversion.
        store.write_at(&[0; 160], 8).unwrap();
        store.write_at(&[0, version], 6).unwrap();
        let read = refuses(&store, || luks2::read(&store), "another version");
        assert!(matches!(&read, Error::Ambiguous(w) if w.contains("LUKS")), "{read:?}");
        let error = refuses(&store, || luks2::restore(&store, &backup, false), "another version");
        assert!(matches!(error, Error::Force(_)), "{error:?}");
    }
}

/// The newer copy is whole, but its text is invalid: the older copy, with a removed password, does not replace it.
#[test]
fn a_newer_copy_that_breaks_a_rule() {
    for newer in [0, luks2::SIZES[0]] {
        let (store, header) = small();
        let mut text = header.text().clone();
        text["keyslots"]["0"]["priority"] = json!("high");
        put_copy(&store, newer, header.size, &text.to_string(), header.sequence + 1);
        let read = refuses(&store, || luks2::read(&*store), "a broken rule");
        assert!(matches!(read, Error::Damaged(_)), "{read:?}");
        put_copy(&store, newer, header.size, &text.to_string(), header.sequence - 1);
        assert!(opens(&*store, b"one"));
    }
}

/// An older copy identifies the volume as well as a new copy: an old partition table at the end raises no doubt.
#[test]
fn an_older_copy_beside_an_old_table() {
    let (store, mut header) = small();
    let (key, _) = header.unlock(&*store, b"one", None, &LIMITS()).unwrap();
    let first = store.bytes();
    header.add(&*store, &key, b"two", &slot(), None).unwrap();
    store.write_at(&first[..header.size as usize], 0).unwrap();
    store.write_at(b"EFI PART", (1 << 20) - 512).unwrap();
    let found = luks2::read(&*store).unwrap();
    assert_eq!((found.first, found.second), (Copy::Older, Copy::Good));
    assert!(opens(&*store, b"two"));
    // A new volume leaves no such table.
    let new = luks2::Create { keyslots: 3 * 258_048, ..luks2::Create::new(slot()) };
    new.make(&*store, b"one", &mut |_| ()).unwrap();
    store.write_at(&[0xff], 5000).unwrap();
    assert!(opens(&*store, b"one"));
}

/// A keyslot that is tried only by number counts as a keyslot that stays.
#[test]
fn a_keyslot_that_stays() {
    let (store, mut header) = small();
    let (key, _) = header.unlock(&*store, b"one", None, &LIMITS()).unwrap();
    header.add(&*store, &key, b"two", &slot(), Some(1)).unwrap();
    let mut text = header.text().clone();
    text["keyslots"]["1"]["priority"] = json!(0);
    put(&store, &header, &text.to_string());
    let header = luks2::read(&*store).unwrap().header;
    assert!(matches!(header.unlock(&*store, b"two", None, &LIMITS()), Err(Error::Untried(_))));
    assert_eq!(header.unlock_without(&*store, b"two", 0, &LIMITS()).unwrap().1, 1);
}

/// A new password's cost always opens: the digest's iterations have their own limit.
#[test]
fn as_many_iterations_as_are_allowed() {
    let (store, mut header) = small();
    let (key, _) = header.unlock(&*store, b"one", None, &LIMITS()).unwrap();
    let many = Kdf::Pbkdf2 { hash: Hash::Sha256, iterations: 2000 };
    header.change(&*store, &key, b"two", &NewSlot::common(many), 0).unwrap();
    let limits = Limits { iterations: 2000, ..LIMITS() };
    assert_eq!(many.beyond(&limits), None);
    assert!(header.unlock(&*store, b"two", None, &limits).is_ok());
}

#[test]
fn backups_of_headers() {
    let (store, mut header) = small();
    let (key, _) = header.unlock(&*store, b"one", None, &LIMITS()).unwrap();
    let backup = Memory::new(header.backup(&*store).unwrap());
    assert_eq!(backup.size().unwrap(), header.area());
    header.change(&*store, &key, b"two", &slot(), 0).unwrap();
    header.add(&*store, &key, b"three", &slot(), None).unwrap();
    luks2::restore(&*store, &backup, false).unwrap();
    assert!(opens(&*store, b"one") && !opens(&*store, b"two") && !opens(&*store, b"three"));
    // Nothing is left of the header.
    store.write_at(&vec![0; header.area() as usize], 0).unwrap();
    assert!(matches!(luks2::read(&*store), Err(Error::Foreign)));
    luks2::restore(&*store, &backup, false).unwrap();
    assert!(opens(&*store, b"one"));
    let (other, _) = small();
    assert!(matches!(luks2::restore(&*other, &backup, false), Err(Error::Force(_))));
    assert!(opens(&*other, b"one"));
    luks2::restore(&*other, &backup, true).unwrap();
    assert_eq!(luks2::read(&*other).unwrap().header.uuid(), header.uuid());
    assert!(matches!(luks2::restore(&*store, &Memory::default(), true), Err(Error::Invalid(_))));
}

/// Flips every bit of both copies of the header, one at a time.
#[test]
fn every_bit_of_a_header() {
    let (store, header) = small();
    let (key, _) = header.unlock(&*store, b"one", None, &LIMITS()).unwrap();
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
                let found =
                    luks2::read(&*store).unwrap_or_else(|e| panic!("{at} {byte} {bit}: {e}"));
                let (hit, other) =
                    if at == 0 { (found.first, found.second) } else { (found.second, found.first) };
                // The rest of the checksum's field, after its 32 bytes, has no meaning.
                let nothing = (480..512).contains(&byte);
                assert_eq!(hit == Copy::Good, nothing, "{at} {byte} {bit}: {hit:?}");
                assert_eq!(other, Copy::Good);
                assert!(found.header.is_key(&key).unwrap());
                store.write_at(&old, at + byte).unwrap();
                count += 1;
            }
        }
    }
    // Both copies are damaged.
    for at in [0, header.size] {
        store.write_at(&[0xff], at + 5000).unwrap();
    }
    assert!(matches!(luks2::read(&*store), Err(Error::Damaged(_))));
    println!("{count} bits, one at a time: the other copy is read");
}

/// A PIM of 0 means 500,000 iterations, so tests use the smallest PIM.
fn key(password: &[u8], keyfiles: &[&[u8]], hash: Hash) -> veracrypt::Key {
    let mut key = veracrypt::Key::new(password, keyfiles, 1).unwrap();
    key.hash = Some(Prf::Pbkdf2(hash));
    key
}

#[test]
fn veracrypt_volumes() {
    let store = Arc::new(Memory::new(vec![0; 1 << 20]));
    let outer = key(b"outer", &[], Hash::Sha512);
    let hidden = key(b"hidden", &[b"a keyfile", &[9; 300]], Hash::Sha512);
    veracrypt::create(&*store, &outer, None).unwrap();
    let made = veracrypt::create(&*store, &hidden, Some(256 << 10)).unwrap();
    assert_eq!((made.place, made.offset), (Place::Hidden, (1 << 20) - (384 << 10)));
    let open = |k: &veracrypt::Key, places: &[Place]| veracrypt::Header::read(&*store, k, places);
    let (a, b) =
        (open(&outer, &[Place::Volume]).unwrap(), open(&hidden, &[Place::Hidden]).unwrap());
    for (k, place) in [(&outer, Place::Backup), (&hidden, Place::HiddenBackup)] {
        assert_eq!(open(k, &[place]).unwrap().place, place);
        assert!(matches!(open(k, &[Place::Volume, place.backup()][..0]), Err(Error::WrongKey)));
    }
    assert!(matches!(
        open(&key(b"hidden", &[], Hash::Sha512), &[Place::Hidden]),
        Err(Error::WrongKey)
    ));
    let inner = b.open(store.clone(), true).unwrap();
    inner.write_at(&[1; 100_000], 3).unwrap();
    let mut volume = a.open(store.clone(), true).unwrap();
    let part = b.within(&a).unwrap();
    volume.protect(part.clone());
    volume.write_at(&[2; 5000], part.start - 5000).unwrap();
    // A refused discard loses nothing, so later writes are not refused.
    assert!(matches!(volume.discard(part.start, 4096), Err(Error::ReadOnly)));
    assert!(volume.is_writable());
    assert!(matches!(volume.zero_at(part.start - 100, 200), Err(Error::ReadOnly)));
    assert!(matches!(volume.write_at(&[0; 512], part.start), Err(Error::ReadOnly)));
    // After a refused write, all writes are refused.
    assert!(matches!(volume.write_at(&[3; 512], 0), Err(Error::ReadOnly)) && !volume.is_writable());
    assert!(matches!(volume.discard(0, 4096), Err(Error::ReadOnly)));
    volume.read_at(&mut [0; 5000], part.start - 5000).unwrap();
    let mut text = vec![0; 100_000];
    inner.read_at(&mut text, 3).unwrap();
    assert!(text == [1; 100_000]);
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
    let base = Memory::new(vec![0; 512 << 10]);
    let (old, new) = (key(b"old", &[], Hash::Sha256), key(b"new", &[], Hash::Sha256));
    let header = veracrypt::create(&base, &old, None).unwrap();
    for n in 0..2 {
        let cut = Cut::new(Arc::new(Memory::new(base.bytes())), n);
        assert!(header.write(&cut, &new).is_err());
        let places = [Place::Volume, Place::Backup];
        let opened = veracrypt::Header::read(&*cut.store, &old, &places);
        assert!(opened.or_else(|_| veracrypt::Header::read(&*cut.store, &new, &places)).is_ok());
    }
    header.write(&base, &new).unwrap();
    assert!(veracrypt::Header::read(&base, &old, &Place::ALL).is_err());
}

/// A volume of [`OLD`] bytes with a hidden one, whose file grows.
struct Growing {
    store: Memory,
    outer: veracrypt::Key,
    hidden: veracrypt::Key,
    /// The header before the growth.
    old: veracrypt::Header,
}

const OLD: u64 = 1 << 20;

fn key_of(password: &[u8]) -> veracrypt::Key {
    let mut key = veracrypt::Key::new(password, &[], 1).unwrap();
    key.hash = Some(Prf::Pbkdf2(Hash::Sha512));
    key.cipher = Some(veracrypt::ALGORITHMS[0]);
    key
}

fn header_at(
    store: &dyn Store,
    key: &veracrypt::Key,
    place: Place,
) -> Result<veracrypt::Header, Error> {
    veracrypt::Header::read(store, key, &[place])
}

impl Growing {
    fn new() -> Growing {
        let (outer, hidden) = (key_of(b"one"), key_of(b"two"));
        let store = Arc::new(Memory::new(vec![0; OLD as usize]));
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
        let before = store.bytes();
        let refused = self.old.grow(store, &self.outer).map(drop).unwrap_err().to_string();
        assert!(refused.contains(what) && store.bytes() == before, "{refused}");
    }

    /// Checks that both volumes open with their data, and after the growth both backups. Returns the header.
    fn holds(&self, store: &Arc<Memory>, size: u64, grown: bool) -> veracrypt::Header {
        let (outer, hidden) = (&self.outer, &self.hidden);
        let found = header_at(&**store, outer, Place::Volume).unwrap();
        let inner = header_at(&**store, hidden, Place::Hidden).unwrap();
        for (header, at, text) in [(&found, 4090, &b"outer"[..]), (&inner, 100, b"hidden")] {
            let mut read = vec![0; text.len()];
            header.open(store.clone(), false).unwrap().read_at(&mut read, at).unwrap();
            assert_eq!(read, text);
        }
        if grown {
            assert_eq!((found.len, found.size), (size - (256 << 10), size - (256 << 10)));
            let backup = header_at(&**store, outer, Place::Backup).unwrap();
            assert!(backup.is_same_volume(&found));
            assert!(header_at(&**store, hidden, Place::HiddenBackup).is_ok());
            let mut group = vec![0; veracrypt::GROUP as usize];
            store.read_at(&mut group, OLD - veracrypt::GROUP).unwrap();
            let old = Memory::new(group);
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
    assert!(matches!(inner.grow(&*store, &growing.hidden), Err(Error::Invalid(_))));
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
        let before = store.bytes();
        assert!(old.grow(&*store, outer).is_err() && store.bytes() == before);
        assert!(matches!(old.check_end(&*store), Err(Error::Invalid(_))));
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
    let whole = Memory::new(vec![0; 1 << 20]);
    let old = key(b"old", &[], Hash::Sha256);
    veracrypt::create(&whole, &old, None).unwrap();
    for cut in [512, 64 << 10, 200 << 10] {
        let store = Memory::new(whole.bytes()[..(1 << 20) - cut].to_vec());
        let header = veracrypt::Header::read(&store, &old, &[Place::Volume]).unwrap();
        let error = refuses(&store, || header.write(&store, &old), "a cut volume");
        assert!(matches!(error, Error::Short(_)), "{error:?}");
    }
}

/// The header that was read is overwritten last, since it may be the only good one.
#[test]
fn the_only_good_veracrypt_header_is_written_last() {
    const SIZE: u64 = 512 << 10;
    let store = Arc::new(Memory::new(vec![0; SIZE as usize]));
    let (outer, hidden) = (key(b"outer", &[], Hash::Sha256), key(b"hidden", &[], Hash::Sha256));
    veracrypt::create(&*store, &outer, None).unwrap();
    veracrypt::create(&*store, &hidden, Some(64 << 10)).unwrap();
    for (key, place) in [
        (&outer, Place::Volume),
        (&outer, Place::Backup),
        (&hidden, Place::Hidden),
        (&hidden, Place::HiddenBackup),
    ] {
        let header = veracrypt::Header::read(&*store, key, &[place]).unwrap();
        let cut = Cut::new(store.clone(), usize::MAX);
        header.write(&cut, key).unwrap();
        let places = cut.places();
        assert_eq!((places.len(), places.last().copied()), (2, place.offset(SIZE)), "{place:?}");
    }
}
