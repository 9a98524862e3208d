//! Modes against the examples of their standards and against the reference, and the rules of use: pieces,
//! copies, resets, errors.

mod beside;
mod errors;
mod examples;
mod model;

use bulat::algorithm::{ALGORITHMS, Algorithm, Iv, Kind, Params, Session, find};
use bulat::kernel::{NAMES, available};
use bulat::selftest::Verdict;
use bulat::{Direction, Error};
use examples::EXAMPLES;
use testkit::{Random, hex};

/// An example of a standard, in hexadecimal; an empty or `None` field is absent or the default.
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
                ..Params::new(&key).iv(&iv).direction(direction)
            };
            let (from, to) = match direction {
                Direction::Encrypt => (&msg, &ct),
                Direction::Decrypt => (&ct, &msg),
            };
            let mut out = vec![0; from.len()];
            match algorithm.session(&p).unwrap() {
                Session::Hash(_) => unreachable!("no example of a hash"),
                Session::Mac(mut mac) => {
                    mac.update(&msg);
                    assert_eq!(*mac.finalize_reset().unwrap(), tag, "{}", e.source);
                }
                Session::Aead(mut aead) => {
                    aead.aad(&aad).unwrap();
                    if direction == Direction::Decrypt {
                        aead.open_b2b(from, &mut out, &tag).unwrap();
                    } else {
                        aead.update_b2b(from, &mut out).unwrap();
                        assert_eq!(*aead.finalize().unwrap(), tag, "{}", e.source);
                    }
                    assert_eq!(&out, to, "{}", e.source);
                }
                Session::Cipher(mut cipher) => {
                    assert_eq!(cipher.update_b2b(from, &mut out), Ok(to.len()));
                    assert_eq!(&out, to, "{}", e.source);
                    assert_eq!(cipher.finalize(&mut vec![0; cipher.held()]), Ok(0));
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
    let sessions = ALGORITHMS.iter().filter(|a| a.has_sessions()).count();
    assert!(runs.iter().filter(|o| o.kernel == "portable").count() == sessions);
    for a in ALGORITHMS {
        assert!(runs.iter().any(|o| o.algorithm == a.name), "{} is not tested", a.name);
    }
    for kernel in NAMES.iter().filter(|k| available(k)) {
        assert!(runs.iter().any(|o| o.kernel == *kernel), "{kernel} is not tested");
    }
}

/// Gives the rest of a message to a session in pieces, ends it, and says all that came out.
fn rest(r: &mut Random, s: &mut Session, mut text: &[u8]) -> Vec<u8> {
    let mut out = vec![];
    let most = [3, 17, 64, 700, 5000][r.upto(4)];
    while !text.is_empty() {
        let (piece, tail) = text.split_at(r.upto(text.len().min(most)));
        give(r, s, piece, &mut out);
        text = tail;
    }
    end(s, &mut out);
    out
}

fn give(r: &mut Random, s: &mut Session, piece: &[u8], out: &mut Vec<u8>) {
    let (apart, mut buffer) = (r.upto(1) == 1, piece.to_vec());
    if apart {
        buffer.fill(0xee);
    }
    let n = match s {
        Session::Hash(hash) => return hash.update(piece),
        Session::Mac(mac) => return mac.update(piece),
        Session::Cipher(cipher) if apart => cipher.update_b2b(piece, &mut buffer).unwrap(),
        Session::Cipher(cipher) => cipher.update(&mut buffer).unwrap(),
        Session::Aead(aead) if apart => {
            aead.update_b2b(piece, &mut buffer).map(|()| piece.len()).unwrap()
        }
        Session::Aead(aead) => aead.update(&mut buffer).map(|()| piece.len()).unwrap(),
    };
    assert!(n <= piece.len());
    out.extend(&buffer[..n]);
}

fn end(s: &mut Session, out: &mut Vec<u8>) {
    let mut last = [0; 64];
    match s {
        Session::Hash(hash) => {
            let n = hash.finalize_reset(&mut last).unwrap();
            out.extend(&last[..n]);
        }
        Session::Mac(mac) => out.extend_from_slice(&mac.finalize_reset().unwrap()),
        Session::Cipher(cipher) => {
            let n = cipher.finalize(&mut last).unwrap();
            out.extend(&last[..n]);
            if cipher.held() > 0 {
                assert_eq!(cipher.finalize(&mut last), Err(Error::Finished));
                assert_eq!(cipher.update(&mut [0]), Err(Error::Finished));
            }
        }
        Session::Aead(aead) => {
            out.extend_from_slice(&aead.finalize().unwrap());
            assert_eq!(aead.finalize().err(), Some(Error::Finished));
            assert_eq!(aead.update(&mut [0]), Err(Error::Finished));
        }
    }
}

fn reset(s: &mut Session, iv: &[u8]) {
    match s {
        Session::Hash(hash) => hash.reset(),
        Session::Mac(mac) => mac.reset(iv).unwrap(),
        Session::Cipher(cipher) => cipher.reset(iv).unwrap(),
        Session::Aead(aead) => aead.reset(iv).unwrap(),
    }
}

/// Random parameters that the algorithm accepts.
fn params<'a>(r: &mut Random, a: &Algorithm, key: &'a [u8], iv: &'a [u8]) -> Params<'a> {
    let direction = [Direction::Encrypt, Direction::Decrypt][r.upto(1)];
    let mut p = Params::new(key).iv(iv).direction(direction);
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
    let mut iv = r.bytes(len);
    if let Some(first) = iv.first_mut() {
        *first &= 0x7f;
    }
    iv
}

#[test]
fn pieces_copies_and_resets_give_what_one_piece_gives() {
    let mut r = Random::new(0x0123_4567_89ab_cdef);
    for a in ALGORITHMS.iter().filter(|a| a.has_sessions()) {
        for round in 0..60 {
            let key = r.bytes(if a.kind == Kind::Mac { 32 } else { a.key });
            let (iv, other) = (iv(&mut r, a), iv(&mut r, a));
            let p = params(&mut r, a, &key, &iv);
            let mut len = if round < 50 { 16 + r.upto(700) } else { 16 + r.upto(9000) };
            if a.name.ends_with("-ecb") || a.name.ends_with("-cbc") {
                len = len / a.block * a.block;
            }
            let aad_len = r.below(70);
            let (text, aad) = (r.bytes(len), r.bytes(aad_len));
            let aad = if a.name.ends_with("-mgm") { aad } else { vec![] };
            let give_aad = |s: &mut Session, aad: &[u8]| {
                if let Session::Aead(aead) = s {
                    aead.aad(aad).unwrap();
                }
            };

            let mut whole = vec![];
            let mut one = a.session(&p).unwrap();
            let mut many = one.clone();
            give_aad(&mut one, &aad);
            give(&mut Random::new(1), &mut one, &text, &mut whole);
            end(&mut one, &mut whole);

            // A session that has done something else, reset; a copy taken in the middle.
            reset(&mut many, &other);
            let done_len = r.below(100) / a.block * a.block + 16;
            let done = r.bytes(done_len);
            give(&mut r, &mut many, &done, &mut vec![]);
            if round % 2 == 0 {
                end(&mut many, &mut vec![]);
            }
            reset(&mut many, &iv);
            let (x, y) = aad.split_at(r.upto(aad.len()));
            give_aad(&mut many, x);
            give_aad(&mut many, y);
            let cut = r.upto(text.len());
            let mut head = vec![];
            give(&mut r, &mut many, &text[..cut], &mut head);
            let mut copy = many.clone();
            for s in [&mut many, &mut copy] {
                let tail = rest(&mut r, s, &text[cut..]);
                assert!(whole == [head.clone(), tail].concat(), "{} {len} {cut}", a.name);
            }
        }
    }
}
