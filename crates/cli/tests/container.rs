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

use bulat_container::header::{FRESH, LEN, SLOTS};
use bulat_container::{
    Cipher, Credential, Error, Header, Kdf, Keys, Limits, Name, Source, open, seal,
};

const KEY: [u8; 32] = [0x5a; 32];
const SECRET: Credential<'_> = Credential::Key(&KEY);
const CHUNK: usize = 1 << 12;
const THREADS: usize = 3;
/// The functions of passwords, as cheap as they can be.
const CHEAP: [Source; 2] = [
    Source::Password(Kdf::Pbkdf2 { iterations: 2 }),
    Source::Password(Kdf::Argon2id { memory: 8, passes: 1, lanes: 1 }),
];
/// More than [`CHEAP`] costs in all slots, but little.
const LIMITS: Limits = Limits { iterations: 5000, memory: 64 };
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
    make_with(cipher, Source::KeyFile, SECRET, len, salt)
}

fn make_with(cipher: Cipher, source: Source, secret: Credential<'_>, len: usize, salt: u8) -> Made {
    let text = text(len, salt);
    let (header, keys) =
        Header::new(cipher, 12, "", source, secret, &[salt; FRESH]).expect("allowed");
    let mut bytes = header.bytes().to_vec();
    seal(&keys, THREADS, &mut &*text, &mut bytes, &mut |_| Ok(())).expect("sealed");
    let made = Made { bytes, header, keys, text };
    files::seal_the_same(&made);
    made
}

/// Makes a header of Magma, with the smallest chunks.
fn header(name: &str, source: Source, secret: Credential<'_>) -> Result<(Header, Keys), Error> {
    Header::new(Cipher::Magma, 12, name, source, secret, &[1; FRESH])
}

/// Reads a container. Returns the output and the result.
fn read(bytes: &[u8], secret: Credential<'_>) -> (Vec<u8>, Result<(), Error>) {
    let mut out = Vec::new();
    let result = (|| {
        let header = Header::parse(bytes)?;
        let keys = header.unlock(secret, &LIMITS, &Name::Unknown)?;
        let result =
            open(&keys, THREADS, &mut &bytes[LEN..], &mut out, &mut |_| Ok(())).map(|_| ());
        files::open_the_same(&keys, THREADS, &bytes[LEN..], &out, &result);
        result
    })();
    (out, result)
}

/// Reads a container, which must open.
fn opens(made: &Made, secret: Credential<'_>) {
    let (out, result) = read(&made.bytes, secret);
    result.expect("whole");
    assert!(out == made.text, "{:?}, {} bytes", made.header.cipher, made.text.len());
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
            opens(&made, SECRET);
        }
    }
}

#[test]
fn key_changes_between_groups() {
    // Magma encrypts 2 MiB under one key, so the last chunks here belong to the second group.
    let made = make(Cipher::Magma, (2 << 20) + CHUNK + 1, 1);
    opens(&made, SECRET);
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
            let (out, result) = read(&bytes, SECRET);
            let error = result.expect_err(&format!("bit {bit} flipped"));
            assert!(out.is_empty());
            match bit / 8 {
                0..6 => assert!(matches!(error, Error::Foreign)),
                6..8 => assert!(matches!(error, Error::Version(_))),
                // Cipher, chunk, identity: other keys.
                8 | 9 | 16..48 => assert!(matches!(error, Error::Field(_) | Error::WrongKey)),
                10..16 => assert!(matches!(error, Error::Field(_))),
                48..480 => assert!(matches!(error, Error::Field("name"))),
                480..496 => assert!(matches!(error, Error::Slot { slot: 0, .. })),
                // The slot's salt and commitment, and its data key.
                496..512 | 544..576 => assert!(matches!(error, Error::WrongKey)),
                512..544 => assert!(matches!(error, Error::HeaderDamaged)),
                // Slots that are not used; one becomes a slot of a key file.
                at @ 576..2016 => assert!(match error {
                    Error::Slot { slot, .. } => slot == (at - 480) / 96,
                    Error::HeaderDamaged => at % 96 == 0 && bit % 8 == 0,
                    _ => false,
                }),
                2016..LEN => assert!(matches!(error, Error::HeaderDamaged)),
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

/// A header with all slots used, of all kinds, and a bound name: no secret opens it with a flipped bit.
#[test]
fn every_flipped_bit_of_sixteen_slots_is_refused() {
    let name = Name::Is("имя".into());
    let (mut header, keys) = header("имя", Source::KeyFile, SECRET).expect("allowed");
    let passwords: Vec<String> = (1..SLOTS).map(|n| format!("password {n}")).collect();
    for (n, password) in passwords.iter().enumerate() {
        let (source, salt) = (CHEAP[n % 2], [n as u8; 16]);
        let added = header.add(&keys, source, Credential::Password(password.as_bytes()), &salt);
        assert_eq!(added.expect("a free slot"), n + 1);
    }
    assert!(matches!(header.add(&keys, Source::KeyFile, SECRET, &[9; 16]), Err(Error::NoSlot)));
    let whole = header.bytes();
    let secrets = || {
        let passwords = passwords.iter().map(|p| Credential::Password(p.as_bytes()));
        std::iter::once(SECRET).chain(passwords)
    };
    let mut sealed = Vec::new();
    seal(&keys, 1, &mut &b"text"[..], &mut sealed, &mut |_| Ok(())).expect("sealed");
    for (n, secret) in secrets().enumerate() {
        let keys = Header::parse(&whole).expect("whole").unlock(secret, &LIMITS, &name);
        let (keys, mut out) = (keys.expect("any slot opens"), Vec::new());
        assert_eq!(keys.slot(), n);
        open(&keys, 1, &mut &*sealed, &mut out, &mut |_| Ok(())).expect("opened");
        assert_eq!(out, b"text");
    }
    for bit in 0..8 * LEN {
        let mut bytes = whole;
        bytes[bit / 8] ^= 1 << (bit % 8);
        let Ok(header) = Header::parse(&bytes) else { continue };
        // The key, and a password: the one of the changed slot, or any.
        let slot = (bit / 8).saturating_sub(480) / 96;
        for secret in [SECRET, secrets().nth(slot.clamp(1, 15)).expect("16 of them")] {
            assert!(header.unlock(secret, &LIMITS, &name).is_err(), "bit {bit} flipped");
        }
    }
}

#[test]
fn slots_are_added_changed_and_removed() {
    let (one, two) = (Credential::Password(b"one"), Credential::Password(b"two"));
    let opens = |header: &Header, secret| {
        let read = Header::parse(&header.bytes()).expect("its own");
        assert_eq!(read, *header);
        read.unlock(secret, &LIMITS, &Name::Unknown).map(|keys| keys.slot())
    };
    for source in CHEAP {
        let (mut header, keys) = header("", source, one).expect("allowed");
        let first = header.bytes();
        assert!(matches!(header.remove(&keys, 0), Err(Error::LastSlot)));
        for slot in [1, 15, 16, usize::MAX] {
            assert!(matches!(header.remove(&keys, slot), Err(Error::Unused { .. })));
            let changed = header.change(&keys, slot, source, two, &[2; 16]);
            assert!(matches!(changed, Err(Error::Unused { .. })));
        }
        assert_eq!(header.bytes(), first, "refusals change nothing");
        assert_eq!(header.add(&keys, Source::KeyFile, SECRET, &[2; 16]).unwrap(), 1);
        assert_eq!(header.bytes()[..576], first[..576], "fixed part and first slot");
        assert_eq!(opens(&header, one).unwrap(), 0);
        assert_eq!(opens(&header, SECRET).unwrap(), 1);
        header.change(&keys, 0, source, two, &[3; 16]).unwrap();
        assert!(matches!(opens(&header, one), Err(Error::WrongKey)));
        assert_eq!(opens(&header, two).unwrap(), 0);
        // Keys that were opened by another slot do as well.
        let by_key = header.unlock(SECRET, &LIMITS, &Name::Unknown).unwrap();
        header.remove(&by_key, 0).unwrap();
        assert!(matches!(opens(&header, two), Err(Error::Credential { password: false })));
        assert_eq!(opens(&header, SECRET).unwrap(), 1);
        assert_eq!(header.add(&by_key, source, one, &[4; 16]).unwrap(), 0, "the free place");
        // Keys of another file.
        let other = Header::new(Cipher::Magma, 12, "", source, one, &[5; FRESH]).unwrap().1;
        assert!(header.add(&other, source, two, &[6; 16]).is_err());
        assert!(header.remove(&other, 0).is_err());
    }
}

/// Slots, and slots with the code, of another file under one secret.
#[test]
fn slots_of_another_file_open_nothing() {
    let make = |cipher, name, fresh: [u8; FRESH]| {
        Header::new(cipher, 12, name, Source::KeyFile, SECRET, &fresh).unwrap().0.bytes()
    };
    let mut identity = [1; FRESH];
    identity[0] = 2;
    let ours = make(Cipher::Magma, "", [1; FRESH]);
    for theirs in [
        make(Cipher::Magma, "", identity),
        make(Cipher::Kuznyechik, "", [1; FRESH]),
        make(Cipher::Magma, "a", [1; FRESH]),
    ] {
        for end in [576, LEN] {
            let mut mixed = ours;
            mixed[480..end].copy_from_slice(&theirs[480..end]);
            let mixed = Header::parse(&mixed).unwrap().unlock(SECRET, &LIMITS, &Name::Any);
            assert!(matches!(mixed, Err(Error::WrongKey)));
        }
    }
}

#[test]
fn bound_names_are_compared() {
    let bound = header("a.txt", Source::KeyFile, SECRET).unwrap().0;
    let opens = |name| bound.unlock(SECRET, &LIMITS, &name);
    for name in [Name::Is("a.txt".into()), Name::Any] {
        assert!(opens(name).is_ok());
    }
    for name in [Name::Unknown, Name::Is("b.txt".into()), Name::Is("A.TXT".into())] {
        assert!(matches!(opens(name), Err(Error::Name { .. })));
    }
    for (name, legal) in [
        ("n".repeat(432), true),
        ("n".repeat(433), false),
        ("a/b".into(), false),
        ("a\0b".into(), false),
    ] {
        let made = header(&name, Source::KeyFile, SECRET);
        assert_eq!(made.is_ok(), legal, "{name:?}");
        let parsed = made.map(|made| Header::parse(&made.0.bytes()).unwrap().name);
        assert!(parsed.is_err() || parsed.unwrap() == name);
    }
}

/// A field of a valid header is replaced: the place, the bytes, the refusal.
#[test]
fn unknown_fields_are_refused_by_name() {
    let source = Source::Password(Kdf::Argon2id { memory: 8, passes: 1, lanes: 1 });
    let whole = header("", source, Credential::Password(b"x")).unwrap().0.bytes();
    for (at, bytes, words) in [
        (0, &b"c"[..], "not a bulat container"),
        (6, &[0, 2], "version 2; this program reads version 1"),
        (8, &[3], "impossible cipher"),
        (9, &[11], "impossible chunk size"),
        (9, &[21], "impossible chunk size"),
        (10, &[1, 177], "impossible length of the name"),
        (10, &[0, 1], "impossible name"),
        (10, &[0, 1, 0, 0, 0, 1], "impossible flag"),
        (48, b"n", "impossible name"),
        (480, &[4], "impossible kind of slot 0"),
        (480, &[0], "impossible kind of slot 0"),
        (481, &[1], "impossible reserved byte of slot 0"),
        (480, &[1], "impossible cost of slot 0"),
        (480, &[2], "impossible cost of slot 0"),
        (484, &[0, 0, 0, 7], "impossible cost of slot 0"),
        (488, &[0, 0, 0, 0], "impossible cost of slot 0"),
        (492, &[0, 0, 0, 0], "impossible cost of slot 0"),
        (484, &[0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 17], "impossible cost of slot 0"),
        (480, &[0; 96], "none is used"),
        (480 + 15 * 96, &[9], "impossible kind of slot 15"),
        (480 + 15 * 96 + 95, &[1], "impossible kind of slot 15"),
    ] {
        let mut changed = whole;
        changed[at..at + bytes.len()].copy_from_slice(bytes);
        let error = Header::parse(&changed).expect_err(words).to_string();
        assert!(error.contains(words), "{at} {bytes:?}: {error}");
    }
}

#[test]
fn costs_beyond_the_limits_are_refused_before_any_work() {
    let secret = Credential::Password(b"x");
    let pbkdf2 = |iterations| Source::Password(Kdf::Pbkdf2 { iterations });
    let argon2 = |memory, passes| Source::Password(Kdf::Argon2id { memory, passes, lanes: 1 });
    let (mut ours, keys) = header("", Source::KeyFile, SECRET).unwrap();
    // As a hostile writer would: the costs are written over slots of an existing header.
    let with = |sources: &[Source]| {
        let mut header = ours.clone();
        for (slot, source) in header.slots[1..].iter_mut().zip(sources) {
            let (source, salt, wrapped, commitment) = (*source, [0; 16], [0; 32], [0; 32]);
            *slot = Some(bulat_container::Slot { source, salt, wrapped, commitment });
        }
        Header::parse(&header.bytes()).expect("legal")
    };
    let most = u32::MAX;
    for (sources, words) in [
        (&[pbkdf2(80_000_001)][..], "80000001 iterations of PBKDF2, more than 80000000"),
        (&[pbkdf2(most); 15], "iterations of PBKDF2"),
        (&[pbkdf2(40_000_000), pbkdf2(40_000_001)], "80000001 iterations"),
        (&[argon2((1 << 20) + 1, 1)], "1048577 KiB of memory for Argon2id, more than 1048576"),
        (&[argon2(1 << 20, 65)], "68157440 KiB in all passes of Argon2id, more than 67108864"),
        (&[argon2(1 << 20, 8); 9], "KiB in all passes"),
        (&[argon2(8, most), argon2(1 << 20, most)], "KiB in all passes"),
        (&[argon2(most, most); 15], "KiB of memory"),
    ] {
        let header = with(sources);
        let begun = std::time::Instant::now();
        let limits = Limits::default();
        let error = header.unlock(secret, &limits, &Name::Any).err().expect(words);
        assert!(matches!(error, Error::Cost { .. }), "{error}");
        assert!(error.to_string().contains(words), "{error}");
        assert!(header.openable(true, &limits).is_err() && begun.elapsed().as_secs() < 30);
        // A key file causes none of that work: here the header is not authentic.
        let error = header.unlock(SECRET, &limits, &Name::Any).err().expect(words);
        assert!(matches!(error, Error::HeaderDamaged), "{error}");
    }
    // Nobody could open such a file without an option, so none is made.
    for source in [pbkdf2(most), argon2(most, 1), argon2(1 << 20, 65)] {
        assert!(matches!(header("", source, secret), Err(Error::Cost { .. })));
        assert!(matches!(ours.add(&keys, source, secret, &[0; 16]), Err(Error::Cost { .. })));
    }
}

#[test]
fn every_truncation_is_refused() {
    for cipher in CIPHERS {
        let made = make(cipher, 2 * CHUNK + 24, 4);
        for len in 0..made.bytes.len() {
            let cut = &made.bytes[..len];
            if len < LEN {
                let error = read(cut, SECRET).1.expect_err("a short header");
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
        let error = refuse(&made, first, "second chunk gone");
        assert!(matches!(error, Error::Truncated { after: Some(0) }));
        assert!(matches!(refuse(&made, &[], "both gone"), Error::Truncated { after: None }));
    }
}

#[test]
fn what_is_appended_is_refused() {
    for cipher in CIPHERS {
        for len in [0, 24, CHUNK - 1, CHUNK, CHUNK + 24] {
            let made = make(cipher, len, 5);
            for extra in [1, 7, 8, 16, 17, CHUNK, CHUNK + 16, 2 * CHUNK + 40] {
                for byte in [0, 0xff] {
                    let mut bytes = made.bytes[LEN..].to_vec();
                    bytes.extend(std::iter::repeat_n(byte, extra));
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
            refuse(&made, &order.concat(), why);
        }
        // Two files under one key with equal texts and different salts: their chunks do not mix.
        let other = make(cipher, 4 * CHUNK + 24, 7);
        for i in 0..5 {
            let mut order = chunks(&made);
            order[i] = chunks(&other)[i];
            refuse(&made, &order.concat(), &format!("chunk {i} of another file"));
        }
        // The header of one file with the chunks of another.
        let spliced = [&made.bytes[..LEN], &other.bytes[LEN..]].concat();
        let (out, result) = read(&spliced, SECRET);
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
    assert!(matches!(read(&made.bytes, Credential::Key(&[0xa5; 32])).1, Err(Error::WrongKey)));
    assert!(matches!(
        read(&made.bytes, Credential::Password(b"one")).1,
        Err(Error::Credential { password: false })
    ));
    for source in CHEAP {
        let made = make_with(Cipher::Kuznyechik, source, Credential::Password(b"one"), 24, 10);
        opens(&made, Credential::Password(b"one"));
        assert!(matches!(read(&made.bytes, SECRET).1, Err(Error::Credential { password: true })));
        for password in [&b"two"[..], b"On", b"one ", &[1; 1 << 16]] {
            assert!(matches!(
                read(&made.bytes, Credential::Password(password)).1,
                Err(Error::WrongKey)
            ));
        }
        for password in [&b""[..], b"one\0", &[1; (1 << 16) + 1]] {
            assert!(matches!(
                read(&made.bytes, Credential::Password(password)).1,
                Err(Error::Password)
            ));
            let made = header("", source, Credential::Password(password));
            assert!(matches!(made, Err(Error::Password)));
        }
    }
}

#[test]
fn impossible_headers_are_not_made() {
    let fresh = [0; FRESH];
    for log2 in [0, 11, 21, 63, 255] {
        let made = Header::new(Cipher::Magma, log2, "", Source::KeyFile, SECRET, &fresh);
        assert!(matches!(made, Err(Error::Field("chunk size"))));
    }
    let password = Credential::Password(b"x");
    for kdf in [
        Kdf::Pbkdf2 { iterations: 0 },
        Kdf::Argon2id { memory: 7, passes: 1, lanes: 1 },
        Kdf::Argon2id { memory: 8, passes: 0, lanes: 1 },
        Kdf::Argon2id { memory: 8, passes: 1, lanes: 0 },
        Kdf::Argon2id { memory: 8, passes: 1, lanes: 2 },
        Kdf::Argon2id { memory: 1000, passes: 1, lanes: 17 },
        Kdf::Argon2id { memory: 1000, passes: 1, lanes: u32::MAX },
    ] {
        let made = header("", Source::Password(kdf), password);
        assert!(matches!(made, Err(Error::Slot { slot: 0, field: "cost" })), "{kdf:?}");
    }
    let made = header("", Source::KeyFile, password);
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
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let n = bytes.len().min(self.0);
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
