//! The standards here against the RFCs: their examples, and their texts where there is a folder of them.

use super::{PI, kuznyechik, magma, numbers, streebog};
use crate::bytes::number;
use crate::domain::{Byte, ZERO};

fn hex(text: &str) -> Vec<Byte> {
    let digits: Vec<char> = text.chars().filter(char::is_ascii_hexdigit).collect();
    let byte = |d: &[char]| u8::from_str_radix(&String::from_iter(d), 16).expect("digits");
    numbers(&digits.chunks(2).map(byte).collect::<Vec<_>>())
}
fn reversed(mut bytes: Vec<Byte>) -> Vec<Byte> {
    bytes.reverse();
    bytes
}

/// RFC 7801, sections 5.4 to 5.6.
#[test]
fn kuznyechik_example() {
    let cipher = kuznyechik::Cipher::new();
    let key = hex("8899aabbccddeeff0011223344556677fedcba98765432100123456789abcdef");
    let keys = cipher.keys(&key);
    assert_eq!(keys[144..160], hex("72e9dd7416bcf45b755dbaa88e4a4043"));
    let (text, code) =
        (hex("1122334455667700ffeeddccbbaa9988"), hex("7f679d90bebc24305a468d42b9d4edcd"));
    assert_eq!(cipher.encrypt(&keys, &text), code);
    assert_eq!(cipher.decrypt(&keys, &code), text);
}

/// RFC 8891, appendix A.
#[test]
fn magma_example() {
    let key = hex("ffeeddccbbaa99887766554433221100f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff");
    let words: Vec<Byte> = key.chunks(4).flat_map(|w| reversed(w.to_vec())).collect();
    let (text, code) = (hex("fedcba9876543210"), hex("4ee901e5c2d8ca3d"));
    assert_eq!(magma::cipher(&magma::PI, &words, &text, false, 32), code);
    assert_eq!(magma::cipher(&magma::PI, &words, &code, true, 32), text);
}

/// RFC 6986, section 10.1: 63 bytes, 512 bits of digest; both as numbers.
#[test]
fn streebog_example() {
    let text: Vec<u8> = (0..63).map(|i| b'0' + (i % 10) as u8).collect();
    let zeros = vec![ZERO; 64];
    let block = [numbers(&text), vec![Byte::new(1)]].concat();
    let mut count = zeros.clone();
    (count[0], count[1]) = (Byte::new(0xf8), Byte::new(1));
    let mut h = streebog::g(&zeros, &zeros, &block);
    h = streebog::g(&zeros, &h, &count);
    h = streebog::g(&zeros, &h, &streebog::sum(&zeros, &block));
    let digest = "486f64c1917879417fef082b3381a4e211c324f074654c38823a7b76f830ad00\
                  fa1fbae42b1285c0352f227524bc9ab16254288dd6863dccd5b9f54a1ad0541b";
    assert_eq!(reversed(h), hex(digest));
}

/// In RFC 9058's field of 64 bits, x^63 times x is x^4 + x^3 + x + 1.
#[test]
fn field_example() {
    let (mut a, mut b) = (vec![ZERO; 8], vec![ZERO; 8]);
    (a[7], b[0]) = (Byte::new(0x80), Byte::new(2));
    let p = super::field::product(&a, &b).expect("numbers");
    assert_eq!(number(&p), Some(0x1b));
}

/// Constants by a second way: substitutions are permutations, maps undo each other, and a set that the RFC prints
/// twice is the same in both.
#[test]
fn constants_agree_with_themselves() {
    let mut seen = PI;
    seen.sort_unstable();
    assert!(seen.iter().enumerate().all(|(i, x)| i == usize::from(*x)));
    let block = std::array::from_fn(|i| (i * 37 + 5) as u8);
    assert_eq!(kuznyechik::backward(kuznyechik::forward(block)), block);
    for rows in magma::all_rows() {
        for mut row in rows {
            row.sort_unstable();
            assert!(row.iter().enumerate().all(|(i, x)| i == usize::from(*x)));
        }
    }
    // The first row of it, by the other print's column.
    let first = magma::all_rows()[2][0];
    assert_eq!(first, [9, 6, 3, 2, 8, 11, 1, 7, 10, 4, 14, 15, 12, 0, 13, 5]);
    let mut constants = streebog::C.to_vec();
    constants.sort_unstable();
    constants.dedup();
    assert_eq!(constants.len(), 12);
}

/// The constants, read from the RFCs' texts in the folder that BULAT_STANDARDS names.
#[test]
fn constants_are_the_rfcs() {
    let Ok(folder) = std::env::var("BULAT_STANDARDS") else {
        println!(
            "skipped: BULAT_STANDARDS names no folder with rfc7801.txt, rfc6986.txt and the others"
        );
        return;
    };
    let read = |name: &str| {
        // Without the lines between pages.
        let text = std::fs::read_to_string(format!("{folder}/{name}")).expect(name);
        let page = |l: &&str| !l.starts_with("RFC ") && !l.contains("[Page ");
        text.lines().filter(page).collect::<Vec<_>>().join("\n")
    };
    let list = |text: &str| -> Vec<u64> {
        let words = text.split(|c: char| !c.is_ascii_digit()).filter(|w| !w.is_empty());
        words.map(|w| w.parse().expect("digits")).collect()
    };
    // The permutation is one of the lists of 256 numbers below 256 in parentheses.
    for name in ["rfc7801.txt", "rfc6986.txt"] {
        let text = read(name);
        let found = text.split('(').filter_map(|p| p.split(')').next()).map(list);
        let want: Vec<u64> = PI.iter().map(|x| u64::from(*x)).collect();
        assert!(found.into_iter().any(|l| l == want), "pi of {name}");
    }
    let text = read("rfc7801.txt");
    for c in kuznyechik::COEFFICIENTS.iter().filter(|c| **c != 1) {
        assert!(text.contains(&format!("{c}*")), "the coefficient {c}");
    }
    let text = read("rfc6986.txt");
    let section = text.split("6.4.  Linear Transformations").last().expect("section 6.4");
    let words = section.split(|c: char| !c.is_ascii_hexdigit()).filter(|w| w.len() == 16);
    let rows: Vec<u64> =
        words.take(64).map(|w| u64::from_str_radix(w, 16).expect("digits")).collect();
    assert_eq!(rows, streebog::A);
    let section = text.split("6.5.  Iteration Constants").last().expect("section 6.5");
    let words = section.split(|c: char| !c.is_ascii_hexdigit()).filter(|w| w.len() == 32);
    let parts: Vec<u128> =
        words.take(48).map(|w| u128::from_str_radix(w, 16).expect("digits")).collect();
    assert_eq!(parts, streebog::C.concat());
    let text = read("rfc8891.txt");
    for (i, row) in magma::PI.iter().enumerate() {
        let marker = format!("Pi'_{i} = (");
        let line = text.split(&marker).filter_map(|p| p.split(')').next()).map(list);
        let want: Vec<u64> = row.iter().map(|x| u64::from(*x)).collect();
        assert!(line.into_iter().any(|l| l == want), "row {i}");
    }
    let text = read("rfc4357.txt").replace([' ', ':', '\n'], "");
    for set in magma::SETS {
        let digits: String = set.iter().map(|w| format!("{w:08X}")).collect();
        assert!(text.contains(&digits), "a set of RFC 4357");
    }
}
