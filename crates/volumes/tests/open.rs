//! Opening, and its errors: files in use by others, truncated volumes, hidden volumes with their own secrets.

mod common;

use std::fs::{self, File};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use bulat_block::hold::{self, Access};
use bulat_block::luks2::{Create, SIZES};
use bulat_block::open::{Luks, Secrets, VeraCrypt};
use bulat_block::veracrypt::{self, Place, Prf};
use bulat_block::{Apart, Error, Hash, Memory, Open, Store};
use common::*;

/// Makes a file in a new folder.
fn file() -> (tempfile::TempDir, PathBuf) {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("volume");
    fs::write(&path, [0; 4096]).unwrap();
    (dir, path)
}

fn is_busy(opened: Result<File, Error>) -> bool {
    matches!(opened, Err(Error::Busy(_)))
}

#[test]
fn who_writes_has_it_alone() {
    let (dir, path) = file();
    let open = |access| hold::open(&path, access);
    for (first, second, together) in [
        (Access::Write, Access::Write, false),
        (Access::Write, Access::Read, false),
        (Access::Write, Access::Look, true),
        (Access::Read, Access::Write, false),
        (Access::Read, Access::Read, true),
        (Access::Look, Access::Write, true),
    ] {
        let held = open(first).unwrap();
        assert_eq!(!is_busy(open(second)), together, "{first:?}, {second:?}");
        drop(held);
    }
    assert!(matches!(hold::open(dir.path(), Access::Look), Err(Error::Io(_))));
}

/// While a server has the file, one program at a time changes the header, and only as long as a server is there.
#[cfg(target_os = "linux")]
#[test]
fn a_header_while_it_is_served() {
    let (_dir, path) = file();
    let open = |access| hold::open(&path, access);
    let busy = |write| matches!(hold::header(&path, write), Err(Error::Busy(_)));
    for access in [Access::Write, Access::Read] {
        // A server that still reads the header, or another program.
        let server = open(access).unwrap();
        assert_eq!((busy(true), busy(false)), (true, access == Access::Write));
        hold::serve(&server);
        let change = hold::header(&path, true).unwrap();
        assert_eq!((busy(true), busy(false)), (true, true), "two change it");
        change.write_at(&[1], 0).unwrap();
        assert!(is_busy(open(Access::Write)) && is_busy(open(Access::Read)));
        drop(server);
        let other = open(Access::Look).unwrap();
        other.lock().unwrap();
        let ended = change.write_at(&[2], 0).unwrap_err();
        assert!(ended.to_string().contains("server has ended"), "{ended}");
        drop(other);
        change.write_at(&[2], 0).unwrap();
        assert!(is_busy(open(Access::Write)) && is_busy(open(Access::Read)), "it still changes");
        assert!(is_busy(hold::unchanged(&path)));
        drop(change);
        let server = open(access).unwrap();
        hold::serve(&server);
        let reads = hold::header(&path, false).unwrap();
        assert_eq!((busy(true), busy(false)), (true, false), "two read it");
        hold::unchanged(&path).unwrap();
        drop(reads);
        // Without a server nobody else may use the file.
        drop(server);
        let change = hold::header(&path, true).unwrap();
        assert!(is_busy(open(Access::Read)) && busy(true));
        change.write_at(&[3], 0).unwrap();
    }
}

/// A server that ends between the stripes of a keyslot and the header that names them: the change is completed.
#[cfg(target_os = "linux")]
#[test]
fn a_server_that_ends_during_a_change() {
    struct Ending {
        header: hold::Header,
        server: Mutex<Option<File>>,
    }
    impl Store for Ending {
        fn read_at(&self, buffer: &mut [u8], offset: u64) -> std::io::Result<()> {
            self.header.read_at(buffer, offset)
        }
        fn write_at(&self, bytes: &[u8], offset: u64) -> std::io::Result<()> {
            self.header.write_at(bytes, offset)?;
            self.server.lock().unwrap().take();
            Ok(())
        }
        fn sync(&self) -> std::io::Result<()> {
            self.header.sync()
        }
        fn size(&self) -> std::io::Result<u64> {
            Store::size(&self.header)
        }
    }
    let (_dir, path) = file();
    for in_place in [true, false] {
        let Small { store, mut header, key } = Small::new();
        fs::write(&path, store.bytes()).unwrap();
        let server = hold::open(&path, Access::Write).unwrap();
        hold::serve(&server);
        let opened = hold::header(&path, true).unwrap();
        let store = Ending { header: opened, server: Mutex::new(Some(server)) };
        match in_place {
            true => header.change_in_place(&store, &key, b"two", &slot(), 0),
            false => header.change(&store, &key, b"two", &slot(), 0),
        }
        .unwrap();
        assert!(store.server.lock().unwrap().is_none());
        assert!(opens(&store, b"two") && !opens(&store, b"one"));
    }
}

/// A detached header, and the file of another volume as its data: it opens only for reading.
#[test]
fn the_wrong_data_of_a_detached_header() {
    let header = zeros(1 << 20);
    let apart = Apart::new(header.clone(), 1 << 20).unwrap();
    create().make(&apart, b"one", &mut |_| ()).unwrap();
    let open = |store: &Arc<Memory>, writable| {
        let (header, password) = (Some(header.clone() as Arc<dyn Store>), b"one".to_vec().into());
        let open = Open::Luks(Luks { header, password, ..Default::default() });
        open.open(store.clone(), writable).map(drop)
    };
    let attached = Small::new().store;
    let refuses =
        |store| matches!(open(store, true), Err(Error::Force(_))) && open(store, false).is_ok();
    assert!(refuses(&attached));
    attached.write_at(&[0; 512], 0).unwrap();
    assert!(refuses(&attached), "the second copy");
    attached.write_at(&[0; 512], SIZES[0]).unwrap();
    open(&attached, true).unwrap();
    attached.write_at(b"LUKS\xba\xbe\0\x01", 0).unwrap();
    assert!(refuses(&attached), "LUKS1");
    // A header that is not detached, with its own volume.
    let small = Small::new();
    let (backup, password) = (Arc::new(small.backup()), b"one".to_vec().into());
    let open = Open::Luks(Luks { header: Some(backup), password, ..Default::default() });
    assert!(open.open(small.store, true).unwrap().is_writable());
}

/// qemu's protocol: byte 100 + n means that a program uses permission n (0: it reads, 1: it writes), byte 200 + n that
/// no other may.
#[cfg(target_os = "linux")]
#[test]
fn the_locks_of_qemu() {
    use bulat_block::system::bytes::{is_taken, share};
    let (_dir, path) = file();
    let open = |access| hold::open(&path, access);
    let qemu = |bytes: &[u64]| {
        let file = File::options().read(true).write(true).open(&path).unwrap();
        bytes.iter().for_each(|at| share(&file, *at).unwrap());
        file
    };
    if share(&qemu(&[]), 100).is_err() {
        println!("skipped: there are no such locks here");
        return;
    }
    for (theirs, writes, reads) in [
        (&[100, 101, 203][..], false, false), // it writes, as qemu-nbd does
        (&[100], true, true),                 // it reads, others may write
        (&[100, 201, 203], false, true),      // it reads, nobody else may write
        (&[200], false, false),               // nobody may read
    ] {
        let held = qemu(theirs);
        assert_eq!(!is_busy(open(Access::Write)), writes, "{theirs:?}");
        assert_eq!(!is_busy(open(Access::Read)), reads, "{theirs:?}");
        drop(held);
    }
    let other = qemu(&[]);
    let taken = |held: File| {
        let taken = [100, 101, 200, 201].map(|at| is_taken(&other, at).unwrap());
        drop(held);
        taken
    };
    assert_eq!(taken(open(Access::Write).unwrap()), [true, true, false, true]);
    assert_eq!(taken(open(Access::Read).unwrap()), [true, false, false, true]);
    assert_eq!(taken(open(Access::Look).unwrap()), [false; 4]);
}

#[test]
fn a_volume_that_is_cut_short() {
    let whole = zeros(2 << 20);
    let new = Create { keyslots: 512 << 10, ..create() };
    new.make(&*whole, b"one", &mut |_| ()).unwrap();
    let cut = |len: usize| Arc::new(Memory::new(whole.bytes()[..len].to_vec()));
    let open = Open::Luks(Luks { password: b"one".to_vec().into(), ..Default::default() });
    for len in [100 << 10, 300 << 10] {
        fails!(Short, open.open(cut(len), false), len);
    }
    assert!(open.open(cut(1 << 20), false).is_ok());
    // A damaged header is still reported as damaged.
    let store = cut(1 << 20);
    store.write_at(&[0xff; 64], 5000).unwrap();
    store.write_at(&[0xff; 64], 0x4000 + 5000).unwrap();
    fails!(Damaged, open.open(store, false));
    let plain = bulat_block::plain::Plain { offset: 4096, ..Default::default() };
    let open = Open::Plain(plain, (0..64).collect::<Vec<u8>>().into());
    fails!(Short, open.open(zeros(512), false));
}

#[test]
fn a_hidden_volume_with_secrets_of_its_own() {
    let store = zeros(1 << 20);
    veracrypt::create(&*store, &key(b"outer", &[b"one"], Hash::Sha512), None).unwrap();
    let mut inner = key(b"hidden", &[b"two"], Hash::Sha256);
    inner.pim = 2;
    veracrypt::create(&*store, &inner, Some(256 << 10)).unwrap();
    let secrets = |password: &[u8], keyfile: &[u8], pim, hash| Secrets {
        password: password.to_vec().into(),
        keyfiles: vec![keyfile.to_vec().into()],
        pim,
        hash: Some(Prf::Pbkdf2(hash)),
        cipher: None,
    };
    let hidden = secrets(b"hidden", b"two", 2, Hash::Sha256);
    let open = |protect: Secrets| {
        let secrets = secrets(b"outer", b"one", 1, Hash::Sha512);
        let places = vec![Place::Volume];
        let open = Open::VeraCrypt(VeraCrypt { secrets, places, protect: Some(protect) });
        open.open(store.clone(), true)
    };
    for wrong in [
        Secrets { pim: 1, ..hidden.clone() },
        Secrets { keyfiles: Vec::new(), ..hidden.clone() },
        Secrets { hash: Some(Prf::Pbkdf2(Hash::Sha512)), ..hidden.clone() },
    ] {
        fails!(WrongKey, open(wrong));
    }
    let volume = open(hidden).unwrap();
    let begin = (1 << 20) - 2 * veracrypt::GROUP - (256 << 10);
    volume.write_at(&[1; 512], begin - 512).unwrap();
    fails!(ReadOnly, volume.write_at(&[1; 512], begin));
}

/// A backup header left at the end, with a filesystem at the beginning of the store: nothing is written there.
#[test]
fn a_veracrypt_header_left_under_a_filesystem() {
    let store = zeros(1 << 20);
    veracrypt::create(&*store, &key(b"old", &[], Hash::Sha256), None).unwrap();
    let open = |writable, places| {
        let secrets = Secrets {
            password: b"old".to_vec().into(),
            pim: 1,
            hash: Some(Prf::Pbkdf2(Hash::Sha256)),
            ..Default::default()
        };
        Open::VeraCrypt(VeraCrypt { secrets, places, protect: None }).open(store.clone(), writable)
    };
    // The first header is lost, and the store begins with nothing else.
    store.write_at(&[0; 64 << 10], 0).unwrap();
    assert!(open(true, vec![]).unwrap().is_writable());
    store.write_at(b"\x53\xef", 1080).unwrap();
    for places in [vec![], vec![Place::Backup]] {
        assert!(fails!(Force, open(true, places.clone())).contains("ext4"));
        assert!(!open(false, places).unwrap().is_writable());
    }
}
