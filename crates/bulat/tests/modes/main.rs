//! Modes against the reference, and the rules of use: pieces, copies, resets, errors. `vectors` has the known answers.

mod beside;
mod errors;
#[path = "../manners/mod.rs"]
mod manners;
mod model;

use bulat::Direction;
use bulat::algorithm::{ALGORITHMS, Algorithm, Iv, Kind, Params};
use bulat::kernel::{NAMES, available};
use bulat::selftest::Verdict;
use manners::Message;
use testkit::Random;

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

/// Random parameters that the algorithm accepts.
fn params<'a>(r: &mut Random, a: &Algorithm, key: &'a [u8], iv: &'a [u8]) -> Params<'a> {
    let direction = [Direction::Encrypt, Direction::Decrypt][r.upto(1)];
    let mut p = Params::new(key).iv(iv).direction(direction);
    let n = a.block;
    if a.kind == Kind::Aead {
        p.direction = Direction::Encrypt;
    }
    if !a.tags.is_empty() {
        p.tag_len = Some(a.tags.start() + r.upto(a.tags.end() - a.tags.start()));
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
            let iv = iv(&mut r, a);
            let p = params(&mut r, a, &key, &iv);
            let mut len = if round < 50 { 16 + r.upto(700) } else { 16 + r.upto(9000) };
            if a.name.ends_with("-ecb") || a.name.ends_with("-cbc") {
                len = len / a.block * a.block;
            }
            let aad_len = r.below(70);
            let (text, aad) = (r.bytes(len), r.bytes(aad_len));
            let aad = if a.name.ends_with("-mgm") { aad } else { vec![] };
            let message = Message { aad: &aad, text: &text, tag: None };
            manners::every(a, &p, message).unwrap();
        }
    }
}
