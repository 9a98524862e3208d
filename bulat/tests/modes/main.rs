//! Modes against the examples of their standards and against the reference, and the rules of use: pieces,
//! copies, resets, errors.

mod beside;
mod errors;
mod examples;
mod model;

use bulat::algorithm::{ALGORITHMS, Algorithm, Iv, Kind, Params, Session, find};
use bulat::kernel::{NAMES, available};
use bulat::selftest::Verdict;
use bulat::{Direction, Error, InOut};
use examples::EXAMPLES;

fn hex(s: &str) -> Vec<u8> {
    (0..s.len() / 2).map(|i| u8::from_str_radix(&s[2 * i..2 * i + 2], 16).unwrap()).collect()
}

/// An example of a standard, in hexadecimal; what is empty or `None` the algorithm has not or is its default.
struct Example {
    source: &'static str,
    algorithm: &'static str,
    key: &'static str,
    iv: &'static str,
    aad: &'static str,
    msg: &'static str,
    ct: &'static str,
    tag: &'static str,
    section: Option<usize>,
    period: Option<usize>,
}

#[test]
fn examples_of_the_standards() {
    for e in EXAMPLES {
        let algorithm = find(e.algorithm).unwrap();
        let [key, iv, aad, msg, ct, tag] = [e.key, e.iv, e.aad, e.msg, e.ct, e.tag].map(hex);
        for direction in [Direction::Encrypt, Direction::Decrypt] {
            let p = Params {
                tag_len: (!tag.is_empty()).then_some(tag.len()),
                section: e.section,
                period: e.period,
                ..Params::new(&key, &iv, direction)
            };
            let mut s = algorithm.open.unwrap()(&p).unwrap();
            let (from, to) = match direction {
                Direction::Encrypt => (&msg, &ct),
                Direction::Decrypt => (&ct, &msg),
            };
            let mut out = vec![0; from.len()];
            let mut end = vec![0; s.finish_len()];
            match algorithm.kind {
                Kind::Mac => {
                    s.absorb(&msg).unwrap();
                    s.finish(&mut end).unwrap();
                    assert_eq!(end, tag, "{}", e.source);
                }
                Kind::Aead if direction == Direction::Decrypt => {
                    s.aad(&aad).unwrap();
                    s.open(InOut::new(from, &mut out).unwrap(), &tag).unwrap();
                    assert_eq!(&out, to, "{}", e.source);
                }
                Kind::Aead => {
                    s.aad(&aad).unwrap();
                    s.update(InOut::new(from, &mut out).unwrap()).unwrap();
                    assert_eq!(&out, to, "{}", e.source);
                    s.finish(&mut end).unwrap();
                    assert_eq!(end, tag, "{}", e.source);
                }
                _ => {
                    let n = s.update(InOut::new(from, &mut out).unwrap()).unwrap();
                    assert_eq!(n, to.len());
                    assert_eq!(&out, to, "{}", e.source);
                    assert_eq!(s.finish(&mut end), Ok(0));
                }
            }
        }
    }
}

#[test]
fn selftest() {
    let mut runs = vec![];
    let good = bulat::selftest::run(|outcome| runs.push(outcome));
    assert!(good, "{:#?}", runs.iter().filter(|o| o.verdict != Verdict::Right).collect::<Vec<_>>());
    let sessions = ALGORITHMS.iter().filter(|a| a.open.is_some()).count();
    assert!(runs.iter().filter(|o| o.kernel == "portable").count() == sessions);
    for a in ALGORITHMS {
        assert!(runs.iter().any(|o| o.algorithm == a.name), "{} is not tested", a.name);
    }
    for kernel in NAMES.iter().filter(|k| available(k)) {
        assert!(runs.iter().any(|o| o.kernel == *kernel), "{kernel} is not tested");
    }
}

/// Octets and numbers that look random and are the same every time (xorshift64).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
    /// 0..=max.
    fn upto(&mut self, max: usize) -> usize {
        (self.next() % (max as u64 + 1)) as usize
    }
    fn octets(&mut self, len: usize) -> Vec<u8> {
        (0..len).map(|_| self.next() as u8).collect()
    }
    fn key(&mut self) -> [u8; 32] {
        self.octets(32).try_into().unwrap()
    }
}

/// Gives the rest of a message to a session in pieces, ends it, and says all that came out.
fn rest(r: &mut Random, kind: Kind, s: &mut Box<dyn Session>, mut text: &[u8]) -> Vec<u8> {
    let mut out = vec![];
    let most = [3, 17, 64, 700, 5000][r.upto(4)];
    while !text.is_empty() {
        let (piece, tail) = text.split_at(r.upto(text.len().min(most)));
        give(r, kind, s, piece, &mut out);
        text = tail;
    }
    end(s, &mut out);
    out
}

fn give(r: &mut Random, kind: Kind, s: &mut Box<dyn Session>, piece: &[u8], out: &mut Vec<u8>) {
    if matches!(kind, Kind::Hash | Kind::Mac) {
        return s.absorb(piece).unwrap();
    }
    let mut buffer = piece.to_vec();
    let n = if r.upto(1) == 0 {
        s.update(buffer.as_mut_slice().into()).unwrap()
    } else {
        buffer.fill(0xee);
        s.update(InOut::new(piece, &mut buffer).unwrap()).unwrap()
    };
    assert!(n <= piece.len());
    out.extend(&buffer[..n]);
}

fn end(s: &mut Box<dyn Session>, out: &mut Vec<u8>) {
    let mut last = vec![0; s.finish_len()];
    let n = s.finish(&mut last).unwrap();
    out.extend(&last[..n]);
    assert_eq!(s.finish(&mut last), Err(Error::Finished));
    assert_eq!(s.update(InOut::from(&mut [0u8; 1][..])), Err(Error::Finished));
    assert_eq!(s.absorb(&[0]), Err(Error::Finished));
}

/// Random parameters that the algorithm takes.
fn params<'a>(r: &mut Random, a: &Algorithm, key: &'a [u8], iv: &'a [u8]) -> Params<'a> {
    let mut p = Params::new(key, iv, [Direction::Encrypt, Direction::Decrypt][r.upto(1)]);
    let n = a.block;
    if a.kind == Kind::Aead {
        p.direction = Direction::Encrypt;
    }
    if matches!(a.kind, Kind::Mac) || a.name.ends_with("-mgm") {
        p.tag_len = Some(4 + r.upto(a.out - 4));
    }
    if a.name.contains("acpkm") {
        p.section = Some(n * (1 + r.upto(8)));
    }
    if a.name.ends_with("-omac-acpkm") {
        p.period = Some(n * (1 + r.upto(20)));
    }
    if !a.name.starts_with("gost89") {
        if ["-ctr", "-ofb", "-cfb"].iter().any(|mode| a.name.ends_with(mode)) {
            p.s = Some(1 + r.upto(n - 1));
        }
        if a.name.ends_with("-ctr-acpkm") {
            p.s = Some(n >> r.upto(2));
        }
    }
    p
}

fn iv(r: &mut Random, a: &Algorithm) -> Vec<u8> {
    let len = match a.iv {
        Iv::None => 0,
        Iv::Exact(n) => n,
        Iv::Multiple(n) => n * (1 + r.upto(3)),
        Iv::Optional(n) => n * r.upto(1),
        Iv::Between(n, most) => n + r.upto((2 * n).min(most - n)),
    };
    let mut iv = r.octets(len);
    if let Some(first) = iv.first_mut() {
        *first &= 0x7f;
    }
    iv
}

#[test]
fn pieces_copies_and_resets_give_what_one_piece_gives() {
    let mut r = Random(0x0123_4567_89ab_cdef);
    for (a, open) in ALGORITHMS.iter().filter_map(|a| Some((a, a.open?))) {
        for round in 0..60 {
            let key = r.octets(if a.kind == Kind::Mac { 32 } else { a.key });
            let (iv, other) = (iv(&mut r, a), iv(&mut r, a));
            let p = params(&mut r, a, &key, &iv);
            let mut len = if round < 50 { 16 + r.upto(700) } else { 16 + r.upto(9000) };
            if a.name.ends_with("-ecb") || a.name.ends_with("-cbc") {
                len = len / a.block * a.block;
            }
            let (text, aad) = (r.octets(len), r.octets(r.0 as usize % 70));
            let with_aad = a.name.ends_with("-mgm");

            let mut whole = vec![];
            let mut one = open(&p).unwrap();
            let mut other_one = one.dup();
            if with_aad {
                one.aad(&aad).unwrap();
            }
            give(&mut Random(1), a.kind, &mut one, &text, &mut whole);
            end(&mut one, &mut whole);

            // A session that has done something else, reset; a copy taken in the middle.
            let reset = |s: &mut Box<dyn Session>, iv: &[u8]| s.reset(iv).unwrap();
            reset(&mut other_one, &other);
            let done = r.octets(r.0 as usize % 100 / a.block * a.block + 16);
            give(&mut r, a.kind, &mut other_one, &done, &mut vec![]);
            if round % 2 == 0 {
                end(&mut other_one, &mut vec![]);
            }
            let mut many = other_one;
            reset(&mut many, &iv);
            if with_aad {
                let (x, y) = aad.split_at(r.upto(aad.len()));
                many.aad(x).unwrap();
                many.aad(y).unwrap();
            }
            let cut = r.upto(text.len());
            let mut head = vec![];
            give(&mut r, a.kind, &mut many, &text[..cut], &mut head);
            let mut copy = many.dup();
            for s in [&mut many, &mut copy] {
                let tail = rest(&mut r, a.kind, s, &text[cut..]);
                assert!(whole == [head.clone(), tail].concat(), "{} {len} {cut}", a.name);
            }
        }
    }
}
