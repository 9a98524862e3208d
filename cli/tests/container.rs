//! The container under attack: every flipped bit, every truncation, chunks moved, doubled, left out, spliced. Valid
//! containers open, at all lengths near a boundary. Every test runs on a stream and, on POSIX, between files.

/// Tests between files.
#[cfg(unix)]
#[path = "container/files.rs"]
mod files;
#[cfg(not(unix))]
mod files {
    use super::{Error, Keys, Made};
    pub fn seal_the_same(_: &Made) {}
    pub fn open_the_same(_: &Keys, _: usize, _: &[u8], _: &[u8], _: &Result<(), Error>) {}
}

use bulat_container::header::LEN;
use bulat_container::{Cipher, Credential, Error, Header, Keys, Source, open, seal};

const KEY: [u8; 32] = [0x5a; 32];
const OTHER: [u8; 32] = [0xa5; 32];
const CHUNK: usize = 1 << 12;
const THREADS: usize = 3;
const CIPHERS: [Cipher; 2] = [Cipher::Kuznyechik, Cipher::Magma];

/// A container with the test's copy of its secret.
struct Made {
    bytes: Vec<u8>,
    header: Header,
    keys: Keys,
    text: Vec<u8>,
}

fn text(len: usize, tint: u8) -> Vec<u8> {
    (0..len).map(|i| (i * 7 % 251) as u8 ^ tint).collect()
}

fn make(cipher: Cipher, len: usize, salt: u8) -> Made {
    make_with(cipher, Source::KeyFile, Credential::Key(&KEY), len, salt)
}

fn make_with(cipher: Cipher, source: Source, secret: Credential<'_>, len: usize, salt: u8) -> Made {
    let text = text(len, salt);
    let (header, keys) = Header::new(cipher, source, 12, [salt; 32], secret).expect("allowed");
    let mut bytes = header.bytes().to_vec();
    seal(&keys, THREADS, &mut &*text, &mut bytes, &mut |_| Ok(())).expect("sealed");
    let made = Made { bytes, header, keys, text };
    files::seal_the_same(&made);
    made
}

/// Reads a container. Returns the output and the result.
fn read(bytes: &[u8], secret: Credential<'_>, max: u32) -> (Vec<u8>, Result<(), Error>) {
    let mut out = Vec::new();
    let result = (|| {
        let header = Header::parse(bytes)?;
        let keys = header.unlock(secret, max)?;
        let result =
            open(&keys, THREADS, &mut &bytes[LEN..], &mut out, &mut |_| Ok(())).map(|_| ());
        files::open_the_same(&keys, THREADS, &bytes[LEN..], &out, &result);
        result
    })();
    (out, result)
}

/// Reads chunks under unlocked keys. Requires a refusal after whole chunks of the text, and no other output.
#[track_caller]
fn refuse(made: &Made, chunks: &[u8], why: &str) -> Error {
    // Threads cost more than the work, so only some calls use them.
    let threads = if chunks.iter().fold(0, |a, x| a ^ x) % 32 == 0 { THREADS } else { 1 };
    let mut out = Vec::new();
    let result = open(&made.keys, threads, &mut &*chunks, &mut out, &mut |_| Ok(()));
    let result = result.map(|_| ());
    files::open_the_same(&made.keys, threads, chunks, &out, &result);
    let Err(error) = result else { panic!("accepted: {why}") };
    assert!(out.len().is_multiple_of(CHUNK) && made.text.starts_with(&out), "{why}: leaked");
    error
}

/// Returns the bytes of each chunk with its tag.
fn chunks(made: &Made) -> Vec<&[u8]> {
    made.bytes[LEN..].chunks(CHUNK + made.header.cipher.block()).collect()
}

#[test]
fn what_is_sealed_opens() {
    for cipher in CIPHERS {
        for len in [0, 1, 15, 16, 17, CHUNK - 1, CHUNK, CHUNK + 1, 2 * CHUNK, 3 * CHUNK + 5] {
            let made = make(cipher, len, 1);
            let n = len.div_ceil(CHUNK).max(1);
            assert_eq!(made.bytes.len(), LEN + len + n * cipher.block(), "one tag a chunk");
            let (out, result) = read(&made.bytes, Credential::Key(&KEY), 0);
            result.expect("whole");
            assert!(out == made.text, "{cipher:?}, {len} bytes");
        }
    }
}

#[test]
fn key_changes_between_groups() {
    // Magma encrypts 2 MiB under one key, so the last chunks here belong to the second group.
    let made = make(Cipher::Magma, (2 << 20) + CHUNK + 1, 1);
    let (out, result) = read(&made.bytes, Credential::Key(&KEY), 0);
    result.expect("whole");
    assert!(out == made.text);
    let pieces = chunks(&made);
    let group = (2 << 20) / CHUNK;
    let moved: Vec<u8> =
        pieces[..group].iter().chain([&pieces[group + 1]]).flat_map(|c| c.to_vec()).collect();
    refuse(&made, &moved, "second group's chunk moved");
}

#[test]
fn every_flipped_bit_is_refused_with_a_key_file() {
    for cipher in CIPHERS {
        // The whole container, from the header on, for one chunk.
        let made = make(cipher, 24, 2);
        for bit in 0..8 * made.bytes.len() {
            let mut bytes = made.bytes.clone();
            bytes[bit / 8] ^= 1 << (bit % 8);
            let (out, result) = read(&bytes, Credential::Key(&KEY), u32::MAX);
            let error = result.expect_err(&format!("bit {bit} flipped"));
            assert!(out.is_empty());
            match bit / 8 {
                0..6 => assert!(matches!(error, Error::Foreign)),
                6..8 => assert!(matches!(error, Error::Version(_))),
                8..16 => assert!(matches!(
                    error,
                    Error::Field(_) | Error::HeaderDamaged | Error::Credential { .. }
                )),
                16..80 => assert!(matches!(error, Error::WrongKey)),
                80..112 => assert!(matches!(error, Error::HeaderDamaged)),
                _ => assert!(matches!(error, Error::Damaged { chunk: 0, last: true })),
            }
        }
        // Only the chunks, a full one and a short one; one bit per byte of the full one's text.
        let made = make(cipher, CHUNK + 24, 2);
        for bit in 0..8 * (made.bytes.len() - LEN) {
            if bit / 8 < CHUNK && bit % 8 != bit / 8 % 8 {
                continue;
            }
            let mut bytes = made.bytes[LEN..].to_vec();
            bytes[bit / 8] ^= 1 << (bit % 8);
            let number = u64::from(bit / 8 >= CHUNK + cipher.block());
            let error = refuse(&made, &bytes, &format!("bit {bit} flipped"));
            assert!(matches!(error, Error::Damaged { chunk, .. } if chunk == number), "{error}");
        }
    }
}

#[test]
fn every_flipped_bit_of_a_password_header_is_refused() {
    let secret = Credential::Password(b"correct horse");
    let source = Source::Password { iterations: 2 };
    let made = make_with(Cipher::Kuznyechik, source, secret, 24, 3);
    let (out, result) = read(&made.bytes, secret, 2);
    result.expect("whole");
    assert!(out == made.text);
    for bit in 0..8 * LEN {
        let mut bytes = made.bytes.clone();
        bytes[bit / 8] ^= 1 << (bit % 8);
        // A higher limit would only be slow: the high bits flipped in the header's iterations exceed any limit.
        let (out, result) = read(&bytes, secret, 5000);
        assert!(result.is_err() && out.is_empty(), "bit {bit} flipped");
    }
}

#[test]
fn every_truncation_is_refused() {
    for cipher in CIPHERS {
        let made = make(cipher, 2 * CHUNK + 24, 4);
        for len in 0..made.bytes.len() {
            let cut = &made.bytes[..len];
            if len < LEN {
                let error = read(cut, Credential::Key(&KEY), 0).1.expect_err("a short header");
                assert!(matches!(error, Error::HeaderTruncated | Error::Foreign), "{len}: {error}");
                continue;
            }
            let error = refuse(&made, &cut[LEN..], &format!("cut to {len}"));
            let sealed = CHUNK + cipher.block();
            match (len - LEN) % sealed {
                // A cut between chunks is recognised as such.
                0 => assert!(matches!(error, Error::Truncated { .. }), "{len}: {error}"),
                n if n < cipher.block() => assert!(matches!(error, Error::Truncated { .. })),
                _ => assert!(matches!(error, Error::Damaged { last: true, .. }), "{len}: {error}"),
            }
        }
        // A full last chunk: cut by whole chunks, and by the last tag.
        let made = make(cipher, 2 * CHUNK, 4);
        let first = chunks(&made)[0];
        assert!(matches!(
            refuse(&made, first, "second chunk gone"),
            Error::Truncated { after: Some(0) }
        ));
        assert!(matches!(refuse(&made, &[], "both gone"), Error::Truncated { after: None }));
    }
}

#[test]
fn what_is_appended_is_refused() {
    for cipher in CIPHERS {
        for len in [0, 24, CHUNK - 1, CHUNK, CHUNK + 24] {
            let made = make(cipher, len, 5);
            for extra in [1, 7, 8, 16, 17, CHUNK, CHUNK + 16, 2 * CHUNK + 40] {
                for octet in [0, 0xff] {
                    let mut bytes = made.bytes[LEN..].to_vec();
                    bytes.extend(std::iter::repeat_n(octet, extra));
                    let error = refuse(&made, &bytes, &format!("{len} bytes and {extra} more"));
                    if len == CHUNK {
                        assert!(matches!(error, Error::Trailing { chunk: 0 }), "{error}");
                    }
                }
            }
        }
    }
}

#[test]
fn moved_doubled_missing_and_foreign_chunks_are_refused() {
    for cipher in CIPHERS {
        let made = make(cipher, 4 * CHUNK + 24, 6);
        let c = chunks(&made);
        let join = |order: &[&[u8]]| order.concat();
        for (why, order) in [
            ("first two swapped", vec![c[1], c[0], c[2], c[3], c[4]]),
            ("middle swapped", vec![c[0], c[2], c[1], c[3], c[4]]),
            ("first doubled", vec![c[0], c[0], c[1], c[2], c[3], c[4]]),
            ("last doubled", vec![c[0], c[1], c[2], c[3], c[4], c[4]]),
            ("first missing", vec![c[1], c[2], c[3], c[4]]),
            ("middle missing", vec![c[0], c[1], c[3], c[4]]),
            ("last but one missing", vec![c[0], c[1], c[2], c[4]]),
            ("last missing", vec![c[0], c[1], c[2], c[3]]),
            ("last alone", vec![c[4]]),
            ("reversed", vec![c[4], c[3], c[2], c[1], c[0]]),
        ] {
            refuse(&made, &join(&order), why);
        }
        // Two files under one key with equal texts and different salts: their chunks do not mix.
        let other = make(cipher, 4 * CHUNK + 24, 7);
        for i in 0..5 {
            let mut order = chunks(&made);
            order[i] = chunks(&other)[i];
            refuse(&made, &join(&order), &format!("chunk {i} of another file"));
        }
        // The header of one file with the chunks of another.
        let spliced = [&made.bytes[..LEN], &other.bytes[LEN..]].concat();
        let (out, result) = read(&spliced, Credential::Key(&KEY), 0);
        assert!(result.is_err() && out.is_empty());
    }
    // Chunks of the two ciphers under one key and salt.
    let (k, m) = (make(Cipher::Kuznyechik, 24, 8), make(Cipher::Magma, 24, 8));
    refuse(&k, &m.bytes[LEN..], "another cipher's chunk");
    refuse(&m, &k.bytes[LEN..], "another cipher's chunk");
}

#[test]
fn an_empty_last_chunk_belongs_to_an_empty_file() {
    // Sealed with the right keys, as only a faulty writer would do: a full chunk, then an empty last one.
    let made = make(Cipher::Kuznyechik, CHUNK, 9);
    let longer = make(Cipher::Kuznyechik, 2 * CHUNK, 9);
    let mut bytes = chunks(&longer)[0].to_vec();
    bytes.extend([0; 16]);
    refuse(&made, &bytes, "an empty chunk after a full one");
}

#[test]
fn secrets_of_another_kind_or_value_are_refused() {
    let made = make(Cipher::Kuznyechik, 24, 10);
    let by_password = make_with(
        Cipher::Kuznyechik,
        Source::Password { iterations: 3 },
        Credential::Password(b"one"),
        24,
        10,
    );
    let (_, result) = read(&made.bytes, Credential::Key(&OTHER), 0);
    assert!(matches!(result, Err(Error::WrongKey)));
    let (_, result) = read(&made.bytes, Credential::Password(b"one"), 9);
    assert!(matches!(result, Err(Error::Credential { password: false })));
    let (_, result) = read(&by_password.bytes, Credential::Key(&KEY), 9);
    assert!(matches!(result, Err(Error::Credential { password: true })));
    for password in [&b"two"[..], b"On", b"one ", b""] {
        let (_, result) = read(&by_password.bytes, Credential::Password(password), 9);
        assert!(matches!(result, Err(Error::WrongKey)));
    }
    let (_, result) = read(&by_password.bytes, Credential::Password(b"one"), 2);
    assert!(matches!(result, Err(Error::Iterations { asked: 3, allowed: 2 })));
}

#[test]
fn impossible_headers_are_not_made() {
    for log2 in [0, 11, 21, 63, 255] {
        let made =
            Header::new(Cipher::Magma, Source::KeyFile, log2, [0; 32], Credential::Key(&KEY));
        assert!(matches!(made, Err(Error::Field("chunk size"))));
    }
    let none = Source::Password { iterations: 0 };
    let made = Header::new(Cipher::Magma, none, 12, [0; 32], Credential::Password(b"x"));
    assert!(matches!(made, Err(Error::Field("number of iterations"))));
    let made = Header::new(Cipher::Magma, Source::KeyFile, 12, [0; 32], Credential::Password(b"x"));
    assert!(matches!(made, Err(Error::Credential { .. })));
}

/// A reader that returns small pieces and is interrupted now and then.
struct Dribble<'a>(&'a [u8], usize);

impl std::io::Read for Dribble<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        self.1 += 1;
        if self.1.is_multiple_of(3) {
            return Err(std::io::ErrorKind::Interrupted.into());
        }
        let n = (self.1 * 37 % 1001).max(1).min(buffer.len()).min(self.0.len());
        buffer[..n].copy_from_slice(&self.0[..n]);
        self.0 = &self.0[n..];
        Ok(n)
    }
}

/// A writer that is full after this many bytes.
struct Full(usize);

impl std::io::Write for Full {
    fn write(&mut self, octets: &[u8]) -> std::io::Result<usize> {
        let n = octets.len().min(self.0);
        self.0 -= n;
        if n == 0 { Err(std::io::ErrorKind::StorageFull.into()) } else { Ok(n) }
    }
    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn pieces_of_any_size_and_failures_of_either_side() {
    let made = make(Cipher::Kuznyechik, 3 * CHUNK + 5, 11);
    let mut sealed = Vec::new();
    seal(&made.keys, THREADS, &mut Dribble(&made.text, 0), &mut sealed, &mut |_| Ok(()))
        .expect("sealed");
    assert!(sealed == made.bytes[LEN..]);
    let mut out = Vec::new();
    open(&made.keys, THREADS, &mut Dribble(&sealed, 0), &mut out, &mut |_| Ok(())).expect("opened");
    assert!(out == made.text);
    for room in [0, 1, CHUNK, 2 * CHUNK + 3] {
        let result = seal(&made.keys, THREADS, &mut &*made.text, &mut Full(room), &mut |_| Ok(()));
        assert!(matches!(result, Err(Error::Write(_))));
        let result = open(&made.keys, THREADS, &mut &*sealed, &mut Full(room), &mut |_| Ok(()));
        assert!(matches!(result, Err(Error::Write(_))));
    }
}
