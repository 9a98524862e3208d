//! Containers between files: equal to those of streams; files that fail, and files that change during the work.
#![cfg(unix)]

use std::cell::RefCell;
use std::fs::File;
use std::os::unix::fs::FileExt as _;

use bulat::Direction;
use bulat_container::between_files;
use bulat_container::stamp::Stamp;

use super::*;

/// Returns an unnamed file with this content.
fn file(bytes: &[u8]) -> File {
    let file = tempfile::tempfile().expect("a file");
    file.write_all_at(bytes, 0).expect("written");
    file
}

fn run(
    direction: Direction,
    keys: &Keys,
    threads: usize,
    from: &File,
    to: &File,
) -> Result<u64, Error> {
    between_files(direction, keys, threads, from, to, &mut |_| Ok(()))
}

fn content(file: &File) -> Vec<u8> {
    let mut bytes = vec![0; file.metadata().expect("its length").len() as usize];
    file.read_exact_at(&mut bytes, 0).expect("read");
    bytes
}

/// Requires sealing between files to give the stream's container.
pub fn seal_the_same(made: &Made) {
    let (from, to) = (file(&made.text), file(&made.header.bytes()));
    let n = run(Direction::Encrypt, &made.keys, THREADS, &from, &to).expect("sealed");
    assert!(n == made.text.len() as u64 && content(&to) == made.bytes, "between files");
}

/// Requires opening between files to give the stream's result. The stream wrote `out`; each chunk must be written whole
/// or not at all.
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
        let result = run(Direction::Decrypt, keys, threads, from, to).map(|_| ());
        assert_eq!(format!("{result:?}"), format!("{stream:?}"));
        let written = content(to);
        if result.is_ok() || threads == 1 {
            assert!(written == out, "the same text");
        } else {
            // Later chunks may already be written.
            assert!(written.len() >= out.len() && written.starts_with(out));
        }
    });
}

#[test]
fn between_files_failures_of_either_side() {
    let made = make(Cipher::Kuznyechik, 3 * CHUNK + 5, 12);
    // Files opened only for reading, or only for writing.
    let dir = tempfile::tempdir().expect("a folder");
    let path = dir.path().join("file");
    std::fs::write(&path, &made.text).expect("written");
    let read_only = File::open(&path).expect("opened");
    let write_only = File::options().write(true).open(&path).expect("opened");
    for threads in [1, THREADS] {
        let result = run(Direction::Encrypt, &made.keys, threads, &read_only, &read_only);
        assert!(matches!(result, Err(Error::Write(_))));
        let result = run(Direction::Encrypt, &made.keys, threads, &write_only, &file(&[]));
        assert!(matches!(result, Err(Error::Read(_))));
    }
    // The progress ends at the plaintext's length.
    let (mut most, from, to) = (0, file(&made.bytes), file(&[]));
    let mut told = |n| {
        most = n;
        Ok(())
    };
    let n = between_files(Direction::Decrypt, &made.keys, THREADS, &from, &to, &mut told);
    assert_eq!((n.expect("opened"), most), (made.text.len() as u64, made.text.len() as u64));
}

#[test]
fn files_that_change_meanwhile_are_refused() {
    let made = make(Cipher::Kuznyechik, 40 * CHUNK, 13);
    // The only thread has done two chunks when the file is cut: then nothing marks the last chunk.
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

/// The file is cut and rewritten with other content, so that its length does not change.
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
    // The chunks themselves do not show it.
    let result = between_files(Direction::Encrypt, &made.keys, 1, &from, &to, &mut { anew });
    assert_eq!(result.expect("sealed"), made.text.len() as u64);
    assert!(stamp.after(&from).is_err_and(|e| e.to_string().contains("changed")));
}
