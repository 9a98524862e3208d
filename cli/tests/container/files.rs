//! Between files: the same as of the stream; files that fail, and files that change meanwhile.
#![cfg(unix)]

use std::cell::RefCell;
use std::fs::File;
use std::os::unix::fs::FileExt as _;

use bulat::Direction;
use bulat_container::between_files;
use bulat_container::stamp::Stamp;

use super::*;

/// A file without a name that holds this.
fn file(bytes: &[u8]) -> File {
    let file = tempfile::tempfile().expect("a file");
    file.write_all_at(bytes, 0).expect("written");
    file
}

fn content(file: &File) -> Vec<u8> {
    let mut bytes = vec![0; file.metadata().expect("its length").len() as usize];
    file.read_exact_at(&mut bytes, 0).expect("read");
    bytes
}

/// Demands the same container between files.
pub fn seal_the_same(made: &Made) {
    let (from, to) = (file(&made.text), file(&made.header.bytes()));
    let n = between_files(Direction::Encrypt, &made.keys, THREADS, &from, &to, &mut |_| Ok(()))
        .expect("sealed");
    assert!(n == made.text.len() as u64 && content(&to) == made.bytes, "the same between files");
}

/// Demands the same verdict between files as of the stream, which wrote `out`; and that of each chunk
/// either all is written there or nothing.
#[track_caller]
pub fn open_the_same(
    keys: &Keys,
    threads: usize,
    chunks: &[u8],
    out: &[u8],
    stream: &Result<(), Error>,
) {
    thread_local!(static FILES: RefCell<[File; 2]> = RefCell::new([file(&[]), file(&[])]));
    FILES.with_borrow(|[from, to]| {
        from.set_len(0).and_then(|()| to.set_len(0)).expect("emptied");
        from.write_all_at(&[0; LEN], 0).expect("written");
        from.write_all_at(chunks, LEN as u64).expect("written");
        let result =
            between_files(Direction::Decrypt, keys, threads, from, to, &mut |_| Ok(())).map(|_| ());
        assert_eq!(format!("{result:?}"), format!("{stream:?}"));
        let written = content(to);
        if result.is_ok() || threads == 1 {
            assert!(written == out, "the same text");
        } else {
            // Later chunks may be there already.
            assert!(written.len() >= out.len() && written.starts_with(out));
        }
    });
}

#[test]
fn between_files_failures_of_either_side() {
    let made = make(Cipher::Kuznyechik, 3 * CHUNK + 5, 12);
    // Opened for reading alone, or for writing alone.
    let dir = tempfile::tempdir().expect("a folder");
    let path = dir.path().join("file");
    std::fs::write(&path, &made.text).expect("written");
    let read_only = File::open(&path).expect("opened");
    let write_only = File::options().write(true).open(&path).expect("opened");
    for threads in [1, THREADS] {
        let result = between_files(
            Direction::Encrypt,
            &made.keys,
            threads,
            &read_only,
            &read_only,
            &mut |_| Ok(()),
        );
        assert!(matches!(result, Err(Error::Write(_))));
        let result = between_files(
            Direction::Encrypt,
            &made.keys,
            threads,
            &write_only,
            &file(&[]),
            &mut |_| Ok(()),
        );
        assert!(matches!(result, Err(Error::Read(_))));
    }
    // The progress ends with the plaintext.
    let mut most = 0;
    let n = between_files(
        Direction::Decrypt,
        &made.keys,
        THREADS,
        &file(&made.bytes),
        &file(&[]),
        &mut |n| {
            most = n;
            Ok(())
        },
    );
    assert_eq!((n.expect("opened"), most), (made.text.len() as u64, made.text.len() as u64));
}

#[test]
fn files_that_change_meanwhile_are_refused() {
    let made = make(Cipher::Kuznyechik, 40 * CHUNK, 13);
    // One thread has two chunks done when the file is cut: then nothing marks the last one.
    let (from, to) = (file(&made.text), file(&[]));
    let cut = |n: u64| {
        if n == 2 * CHUNK as u64 {
            from.set_len(CHUNK as u64).expect("cut");
        }
        Ok(())
    };
    let result = between_files(Direction::Encrypt, &made.keys, 1, &from, &to, &mut { cut });
    assert!(matches!(&result, Err(Error::Read(e)) if e.to_string().contains("changed")));
    let from = file(&made.bytes);
    let cut = |n: u64| {
        if n == 2 * CHUNK as u64 {
            from.set_len((LEN + CHUNK + 16) as u64).expect("cut");
        }
        Ok(())
    };
    let result = between_files(Direction::Decrypt, &made.keys, 1, &from, &to, &mut { cut });
    assert!(matches!(&result, Err(Error::Read(e)) if e.to_string().contains("changed")));
}

/// Cut and written anew with other content, so that its length says nothing.
#[test]
fn stamps_tell_of_files_that_are_written_anew() {
    let made = make(Cipher::Kuznyechik, 4 * CHUNK, 14);
    let other = make(Cipher::Kuznyechik, 4 * CHUNK, 15);
    let (from, to) = (file(&made.text), file(&[]));
    let stamp = Stamp::before(&from).expect("a file");
    stamp.after(&from).expect("unchanged");
    let anew = |n: u64| {
        if n == CHUNK as u64 {
            from.set_len(0).and_then(|()| from.write_all_at(&other.text, 0)).expect("written");
        }
        Ok(())
    };
    // The chunks alone do not tell.
    let result = between_files(Direction::Encrypt, &made.keys, 1, &from, &to, &mut { anew });
    assert_eq!(result.expect("sealed"), made.text.len() as u64);
    assert!(stamp.after(&from).is_err_and(|e| e.to_string().contains("changed")));
}
