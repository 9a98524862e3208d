//! The parsers on damaged input: a quick run of the function that `verification/fuzz/` calls for longer.

#[path = "../../../verification/fuzz/src/pkcs.rs"]
mod pkcs;

use bulat_pkcs::pem;
use testkit::Random;

/// Files of each kind, with the choice of `pkcs::read`.
fn seeds() -> Vec<Vec<u8>> {
    let data = |name: &str| std::fs::read(format!("tests/data/{name}")).expect("a file");
    let block = |name: &str| pem::decode(&data(name)).expect("PEM")[0].1.to_vec();
    let mut all = vec![[b"\x04", &data("rfc9548_a2_epki.pem")[..]].concat()];
    for name in ["rfc9548_a3", "bc_cp_exported", "csp_2012_256_pw"] {
        all.push([b"\0", &data(&format!("{name}.p12"))[..]].concat());
    }
    // The AuthenticatedSafe and a bag of a file.
    all.push([b"\x01", &data("rfc9548_a2.p12")[30..30 + 1201]].concat());
    all.push([b"\x02", &data("rfc9548_a2.p12")[57..57 + 693]].concat());
    all.push([b"\x03", &block("own_epki_kuznyechik-ctracpkm.pem")[..]].concat());
    all
}

#[test]
fn damaged_files() {
    let mut random = Random::new(44);
    let (mut read, mut refused) = (0, 0);
    for seed in seeds() {
        for round in 0..2000 {
            let mut input = seed.clone();
            for _ in 0..random.below(4).min(round) {
                let at = 1 + random.below(input.len() - 1);
                match random.below(5) {
                    0 => input[at] ^= 1 << random.below(8),
                    1 => input.truncate(at + 1),
                    2 => input.insert(at, [0, 1, 0x30, 0x80, 0xa0, 0xff][random.below(6)]),
                    3 if input.len() > 2 => drop(input.remove(at)),
                    _ => input[at] = 0x80,
                }
            }
            match pkcs::read(&input) {
                true => read += 1,
                false => refused += 1,
            }
        }
    }
    assert!(read > 100 && refused > 1000, "{read} read, {refused} refused");
}
