//! Runs every algorithm of the table on every kernel that valgrind can run, with keys and texts marked
//! undefined: memcheck then reports each branch and each address that depends on them.
//!
//! `bash tools/ci/4-constant-time.sh` prints a line per case and fails on a finding. The control, a table kernel, must be found out.

#[allow(unsafe_code)] // its calls have pointers as arguments
mod border;
// The command's own file: its library would bring the parser of the command line.
#[path = "../../../crates/container/src/digits.rs"]
#[allow(dead_code)]
mod digits;
mod many;
mod typed;
mod valgrind;

use bulat::algorithm::{ALGORITHMS, Algorithm, Kind, Padding, Params, Scheme, Session};
use bulat::kernel::NAMES;
use bulat::{Direction, Error};

/// The control's name in the kernel lists.
const CONTROL: &str = "table_vartime";

/// A message long enough for every layout: bulk, the mix of short calls, a ragged tail.
const LONG: usize = 5 * 1024 + 13;
/// A length that never leaves the layout of a single block, and is no whole number of blocks.
const SHORT: usize = 29;

/// Bytes of a fixed pattern: no secret hides in their value, only in their marking.
pub fn pattern(n: usize, seed: u8) -> Vec<u8> {
    (0..n).map(|i| (i as u8).wrapping_mul(167).wrapping_add(seed)).collect()
}

/// [`pattern`], marked secret.
pub fn secret(n: usize, seed: u8) -> Vec<u8> {
    let bytes = pattern(n, seed);
    valgrind::secret(&bytes);
    bytes
}

/// The findings of one case: errors that `run` adds.
pub fn findings(run: impl FnOnce()) -> usize {
    let before = valgrind::errors();
    run();
    valgrind::errors() - before
}

/// One message through a session: key and text secret, IV, lengths and the tag to check public. Whether
/// the primitive has a kernel of this name.
fn session(
    a: &Algorithm,
    kernel: &str,
    direction: Direction,
    len: usize,
    padding: Padding,
) -> bool {
    let key = match (a.kind, a.key) {
        (Kind::Mac, 0) => secret(32, 1),
        (_, n) => secret(n, 1),
    };
    let iv = pattern(a.iv.usual(), 2).iter().map(|b| b & 0x7f).collect::<Vec<u8>>();
    let params = Params::new(&key).iv(&iv).direction(direction).kernel(kernel).padding(padding);
    let session = match a.session(&params) {
        Err(Error::UnknownKernel) => return false,
        session => session.expect("the parameters are right"),
    };
    let mut text = secret(len, 3);
    let mut out = [0; 64];
    let wrong = pattern(a.out, 4);
    let done = match (session, direction) {
        (Session::Hash(mut hash), _) => {
            hash.update(&text);
            hash.finalize_reset(&mut out).map(drop)
        }
        (Session::Mac(mut mac), Direction::Encrypt) => {
            mac.update(&text);
            mac.finalize_reset().map(drop)
        }
        (Session::Mac(mut mac), Direction::Decrypt) => {
            mac.update(&text);
            mac.verify_reset(&wrong).ok();
            Ok(())
        }
        (Session::Cipher(mut cipher), _) => {
            if matches!(a.scheme, Scheme::Ctr | Scheme::CtrAcpkm | Scheme::Cnt) {
                // Short pieces, which have gamma made ahead.
                for _ in 0..4 {
                    let _ = cipher.update(&mut text[..len.min(20)]);
                }
            }
            cipher.update(&mut text).and_then(|_| cipher.finalize(&mut out)).map(drop)
        }
        (Session::Aead(mut aead), Direction::Encrypt) => {
            aead.aad(&pattern(20, 5)).ok();
            aead.update(&mut text).and_then(|()| aead.finalize()).map(drop)
        }
        (Session::Aead(mut aead), Direction::Decrypt) => {
            aead.aad(&wrong).ok();
            aead.open(&mut text, &wrong).ok();
            Ok(())
        }
    };
    if let Err(e) = done {
        // The padding of a text that was never padded is wrong, as it should be.
        assert!(padding != Padding::None, "{} on {kernel}: {e}", a.name);
    }
    for bytes in [&key[..], &text, &out] {
        valgrind::public(bytes);
    }
    true
}

/// Every way to use the algorithm, in one or two lengths.
fn algorithm(a: &Algorithm, kernel: &str) -> Option<usize> {
    let both = [Direction::Encrypt, Direction::Decrypt];
    let directions = if a.kind == Kind::Hash { &both[..1] } else { &both[..] };
    let blocks = a.name.ends_with("-ecb") || a.name.ends_with("-cbc");
    let (mut found, mut ran) = (0, false);
    for &direction in directions {
        for len in [SHORT, LONG] {
            let paddings: &[Padding] = if blocks {
                &[Padding::None, Padding::Procedure2, Padding::Pkcs7]
            } else {
                &[Padding::None]
            };
            for &padding in paddings {
                let whole = blocks && (padding == Padding::None || direction == Direction::Decrypt);
                let len = if whole { len.next_multiple_of(16) } else { len };
                found += findings(|| ran |= session(a, kernel, direction, len, padding));
            }
        }
    }
    ran.then_some(found)
}

/// Marks the bytes that the library declassifies.
#[cfg(feature = "control")]
fn declassify() {
    bulat_core::memory::DECLASSIFY.set(|byte| valgrind::public(byte)).expect("set once");
}
#[cfg(not(feature = "control"))]
fn declassify() {}

fn main() {
    declassify();
    if !valgrind::running() {
        println!("not under valgrind: nothing is measured; see docs/ASSURANCE.md for the command");
    }
    // For work on some cases: a part of their names.
    let only = std::env::args().nth(1).unwrap_or_default();
    let (mut cases, mut total) = (0, 0);
    let mut report = |kernel: &str, name: &str, found: usize| {
        println!("{kernel:10} {name:40} {found} findings");
        cases += 1;
        total += found;
    };
    for &kernel in NAMES.iter().filter(|k| **k != CONTROL) {
        if !bulat::kernel::available(kernel) {
            println!("{kernel:10} skipped: not available here (valgrind masks AVX-512 and GFNI)");
            continue;
        }
        bulat::kernel::force(Some(kernel)).expect("available");
        for a in ALGORITHMS.iter().filter(|a| a.has_sessions() && a.name.contains(&only)) {
            if let Some(found) = algorithm(a, kernel) {
                report(kernel, a.name, found);
            }
        }
        for (name, run) in typed::CASES.iter().chain(&many::CASES).chain(&border::CASES) {
            if !name.contains(&only) {
                continue;
            }
            report(kernel, name, findings(*run));
        }
    }
    if !cfg!(feature = "control") {
        println!("{cases} cases, {total} findings; built without the control: --features control");
        std::process::exit(1);
    }
    let control: usize = ["kuznyechik-ctr", "magma-ctr", "streebog512"]
        .map(|name| {
            let a = bulat::algorithm::find(name).expect("in the table");
            let found = findings(|| {
                session(a, CONTROL, Direction::Encrypt, LONG, Padding::None);
            });
            println!("{CONTROL:10} {name:40} {found} findings (control: must be found out)");
            if valgrind::running() && found == 0 { 0 } else { 1 }
        })
        .iter()
        .sum();
    println!("{cases} cases, {total} findings; control found out in {control} of 3");
    std::process::exit(i32::from(total > 0 || control < 3));
}
