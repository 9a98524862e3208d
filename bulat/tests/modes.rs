//! Modes against the examples of their standards, and the rules of use: pieces, copies, errors.
use bulat::algorithm::{Kind, Params, find};
use bulat::{Direction, InOut};

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

include!("modes/examples.rs");

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
