//! The names of hash functions: of options and of lists of other programs.

use bulat::algorithm::{Algorithm, Kind};

use crate::error::Result;

/// The name of GOST R 34.11-94 with CryptoPro's S-boxes in rhash.
const CRYPTOPRO: &str = "GOST94-CRYPTOPRO";
/// A name that means the hash with the test S-boxes in lists of rhash, and the one with CryptoPro's elsewhere.
pub const AMBIGUOUS: &str = "GOST94";

/// Returns the hash function of this name.
pub fn find(name: &str) -> Result<&'static Algorithm> {
    let known = if name.eq_ignore_ascii_case(CRYPTOPRO) { "gost94" } else { name };
    crate::cmd::algorithm(known, &[Kind::Hash], "hash function").map_err(|e| match name {
        "gost" => {
            e.remedy("streebog256, streebog512 (GOST R 34.11-2012) or gost94 (GOST R 34.11-94)")
        }
        _ => e,
    })
}

/// Returns the name for BSD lines, chosen so that no program reads it as another function.
pub fn tag(algorithm: &Algorithm) -> String {
    if algorithm.name == "gost94" { CRYPTOPRO.into() } else { algorithm.name.to_uppercase() }
}

/// Returns the algorithms that the name in a BSD line may mean.
pub fn tagged(name: &str) -> Vec<&'static Algorithm> {
    let names = match name.eq_ignore_ascii_case(AMBIGUOUS) {
        true => &["gost94", "gost94-test"][..],
        false => &[name],
    };
    names.iter().filter_map(|name| find(name).ok()).collect()
}
