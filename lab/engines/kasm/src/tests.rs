//! Every variant against the reference; the refusals of `open`.

use super::*;
use engine::Input;
use reference::kuznyechik::Kuznyechik;

fn case(variant: &str, size: usize) -> Case {
    Case { variant: variant.into(), ..Case::new(ALGORITHM, size) }
}

/// Numbers of blocks on all sides of every loop, at odd addresses, each stream under its own key.
#[test]
fn every_variant_is_the_cipher() {
    let ciphers: Vec<_> = (0..2).map(|i| Kuznyechik::new(&key(i, 32)).expect("32 bytes")).collect();
    let expected: Vec<Vec<u8>> = ciphers
        .iter()
        .enumerate()
        .map(|(i, c)| reference::modes::ecb_encrypt(c, &text(i, 16 * 19)).expect("whole blocks"))
        .collect();
    let mut tried = 0;
    for (name, _) in here() {
        for blocks in [0, 1, 3, 5, 7, 19] {
            let mut case = case(name, 16 * blocks);
            (case.streams, case.offset) = (2, 5);
            let mut work = Kasm.open(&case).unwrap_or_else(|why| panic!("{name}: {why}"));
            let mut input = Input::new(&case, 0);
            work(&mut input);
            for (text, expected) in input.texts().zip(&expected) {
                assert_eq!(text, &expected[..16 * blocks], "{name}, {blocks} blocks");
            }
        }
        tried += 1;
    }
    assert!(tried > if cfg!(target_arch = "x86_64") { 60 } else { 0 }, "{tried} variants");
}

#[test]
fn what_is_no_encryption_of_blocks_is_refused() {
    let refused = |case: &Case| Kasm.open(case).err().expect("refused");
    assert_eq!(refused(&case("plain", 17)), "17 bytes are no whole number of blocks");
    assert_eq!(refused(&case("none", 16)), "no variant none on this processor");
    assert!(refused(&Case { decrypt: true, ..case("plain", 16) }).contains("encryption"));
    assert!(
        refused(&Case { algorithm: "magma-ecb".into(), ..case("plain", 16) }).contains(ALGORITHM)
    );
}

#[test]
fn a_wrong_block_is_refused() {
    let wrong: Encrypt = Box::new(|t, k, text| {
        plain_vartime(t, k, text);
        text[16 * 26] ^= 1;
    });
    assert_eq!(check(&wrong), Err("block 26 is wrong".into()));
}

#[test]
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
fn the_readme_has_the_number_of_variants() {
    let bits = if cfg!(target_arch = "x86_64") { "variants of 64 bits" } else { "of 32 bits" };
    let said = format!("{} {bits}", variants::VARIANTS.len());
    assert!(include_str!("../README.md").contains(&said), "{said}");
}
