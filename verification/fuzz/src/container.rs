//! The container under known keys, so that damage is found behind the tags, too. Both functions read a fuzzer's
//! input as choices; `crates/cli/tests/parsers.rs` gives them random ones.
#![allow(dead_code)] // each target has one of the two

use bulat_container::{
    Cipher, Credential, Header, Kdf, Keys, Limits, Name, Source, header, open, seal,
};
use testkit::Random;

const KEY: [u8; 32] = [0x42; 32];
const PASSWORD: &[u8] = b"fuzz";
/// More than any header here asks for.
const LIMITS: Limits = Limits { iterations: 60, memory: 64 };
/// A name that may be bound.
const NAME: &str = "name";

fn credential(source: Source) -> Credential<'static> {
    match source {
        Source::KeyFile => Credential::Key(&KEY),
        Source::Password(_) => Credential::Password(PASSWORD),
    }
}

/// A source, not always a legal source.
fn source(r: &mut Random) -> Source {
    let n = r.below(4) as u32;
    match r.below(4) {
        0 | 1 => Source::KeyFile,
        2 => Source::Password(Kdf::Pbkdf2 { iterations: n }),
        _ => Source::Password(Kdf::Argon2id { memory: 7 + n, passes: n, lanes: 1 }),
    }
}

fn legal(source: Source) -> bool {
    match source {
        Source::KeyFile => true,
        Source::Password(Kdf::Pbkdf2 { iterations }) => iterations > 0,
        Source::Password(Kdf::Argon2id { memory, passes, .. }) => memory > 7 && passes > 0,
    }
}

/// The text read from a container, and true if to the end.
fn opened(keys: &Keys, threads: usize, mut sealed: &[u8]) -> (Vec<u8>, bool) {
    let mut out = Vec::new();
    let whole = open(keys, threads, &mut sealed, &mut out, &mut |_| Ok(())).is_ok();
    (out, whole)
}

fn sealed(keys: &Keys, threads: usize, mut text: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    seal(keys, threads, &mut text, &mut out, &mut |_| Ok(())).expect("a short text");
    out
}

/// A header of chosen fields opens only under its keys and only as it was made; a header of bytes is an error or is
/// written back unchanged. Returns whether the fields were allowed.
pub fn fields(input: &[u8]) -> bool {
    if let Ok(header) = Header::parse(input) {
        assert_eq!(header.bytes(), input[..header::LEN]);
        for secret in [Credential::Key(&KEY), Credential::Password(PASSWORD)] {
            assert!(header.unlock(secret, &LIMITS, &Name::Any).is_err(), "made up");
        }
    }
    let mut r = Random::given(input);
    let cipher = [Cipher::Kuznyechik, Cipher::Magma][r.below(2)];
    let first = source(&mut r);
    let log2 = [12, 13, 20, r.below(256) as u8][r.below(4)];
    let name = ["", NAME][r.below(2)];
    let made = Header::new(cipher, log2, name, first, credential(first), &r.array());
    let allowed = (12..=20).contains(&log2) && legal(first);
    assert_eq!(made.is_ok(), allowed);
    let Ok((mut header, keys)) = made else { return false };
    for _ in 0..r.below(4) {
        let more = source(&mut r);
        let added = header.add(&keys, more, credential(more), &r.array());
        assert_eq!(added.is_ok(), legal(more));
    }
    let bytes = header.bytes();
    let read = Header::parse(&bytes).expect("its own");
    assert_eq!(read, header);
    let named = Name::Is(NAME.into());
    let again = read.unlock(credential(first), &LIMITS, &named).expect("its own");
    let other = read.unlock(credential(first), &LIMITS, &Name::Unknown);
    assert_eq!(other.is_ok(), name.is_empty());
    let text = r.bytes(100);
    assert_eq!(opened(&again, 1, &sealed(&keys, 1, &text)), (text, true));
    for secret in [Credential::Key(&[0x43; 32]), Credential::Password(b"fuzy")] {
        assert!(read.unlock(secret, &LIMITS, &Name::Any).is_err());
    }
    // Damage, which may undo itself.
    let mut damaged = bytes;
    for _ in 0..1 + r.below(3) {
        damaged[r.below(header::LEN)] ^= 1 << r.below(8);
    }
    if let Ok(read) = Header::parse(&damaged) {
        assert_eq!(read.bytes(), damaged);
        let opens = read.unlock(credential(first), &LIMITS, &Name::Any).is_ok();
        assert_eq!(opens, damaged == bytes);
    }
    true
}

/// The chunks of two texts under one set of keys, put together in a chosen way: the output is the text of the
/// chunks at their places, up to the first that is not. Returns whether all are.
pub fn chunks(input: &[u8]) -> bool {
    let mut r = Random::given(input);
    let cipher = [Cipher::Kuznyechik, Cipher::Magma][r.below(2)];
    let key = credential(Source::KeyFile);
    let made = Header::new(cipher, 12, "", Source::KeyFile, key, &[7; header::FRESH]);
    let (header, keys) = made.expect("allowed");
    let (plain, full) = (header.chunk(), header.chunk() + cipher.block());
    let texts = [0, 1].map(|_| {
        let len = [0, 1, plain - 1, plain, plain + 1, 2 * plain, 3 * plain + 77][r.below(7)];
        r.bytes(len)
    });
    let files = texts.each_ref().map(|text| sealed(&keys, 1 + r.below(2), text));
    let pieces: Vec<&[u8]> = files.iter().flat_map(|file| file.chunks(full)).collect();
    let own = files[0].len().div_ceil(full);
    let mut order: Vec<usize> = (0..own).collect();
    for _ in 0..r.below(4) {
        if order.is_empty() {
            break;
        }
        let (at, other) = (r.below(order.len()), r.below(order.len()));
        match r.below(5) {
            0 => order.swap(at, other),
            1 => drop(order.remove(at)),
            2 => order.insert(at, order[other]),
            3 => order[at] = r.below(pieces.len()),
            _ => order.truncate(at),
        }
    }
    let mut file: Vec<u8> = order.iter().flat_map(|i| pieces[*i]).copied().collect();
    if !file.is_empty() {
        let at = r.below(file.len());
        match r.below(8) {
            0 => file.truncate(at),
            1 => file[at] ^= 1 << r.below(8),
            2 => file.insert(at, 0x5a),
            3 => drop(file.remove(at)),
            4 => file.push(0x5a),
            _ => {}
        }
    }
    let (mut expected, mut whole) = (Vec::new(), false);
    for (i, chunk) in file.chunks(full).enumerate() {
        let last = (i + 1) * full >= file.len();
        let genuine = files.iter().position(|file| {
            file.chunks(full).nth(i) == Some(chunk) && ((i + 1) * full >= file.len()) == last
        });
        let Some(which) = genuine else { break };
        let text = &texts[which];
        expected.extend_from_slice(&text[i * plain..text.len().min((i + 1) * plain)]);
        whole = last;
    }
    assert!(opened(&keys, 1 + r.below(2), &file) == (expected, whole));
    whole
}
