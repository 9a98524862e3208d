//! Every known answer, with its provenance, on every kernel of this machine.
//! `cargo test -p bulat --test vectors -- --nocapture` prints the tables of cases.

mod forced;
mod library;
mod manners;

use bulat::kernel;
use forced::Forced;
use library::Library;
use vectors::{Filter, Long};

/// Parts that the library does not offer: the steps inside a cipher and the subkeys of OMAC. The
/// reference shows them.
const UNSUPPORTED: [&str; 14] = [
    "kuznyechik-C",
    "kuznyechik-F",
    "kuznyechik-L",
    "kuznyechik-L_inv",
    "kuznyechik-R",
    "kuznyechik-R_inv",
    "kuznyechik-S",
    "kuznyechik-S_inv",
    "kuznyechik-omac-subkeys",
    "kuznyechik-round-keys",
    "magma-g",
    "magma-omac-subkeys",
    "magma-round-keys",
    "magma-t",
];

/// 5 unverified values; 6 messages of 3 to 4 GiB and 1 key derivation of 2^24 iterations.
const SKIPPED: usize = 5 + 6 + 1;

#[test]
fn every_vector_on_every_kernel() {
    let files = vectors::load().expect("the vectors are whole");
    let cases: usize = files.iter().map(|file| file.tests.len()).sum();
    for name in kernel::NAMES {
        if let Some(why) = kernel::missing(name) {
            println!("skipped: kernel {name} ({why})");
            continue;
        }
        let _forced = Forced::on(Some(name));
        let report = vectors::run(&Library, &files, &Filter::default());
        println!("kernel {name}: {}\n{report}\n", primitives(name));
        report.demand(&UNSUPPORTED);
        let missing: Vec<&str> = report.missing.keys().map(String::as_str).collect();
        assert_eq!(missing, UNSUPPORTED, "{name}: supported by now");
        let total = report.total();
        assert_eq!(total.skipped, SKIPPED, "{name}");
        let run = total.passed + total.agrees + total.unsupported;
        assert_eq!(run + total.skipped, cases, "{name}");
    }
    assert!(kernel::available("portable"));
}

/// The examples of the standards on the kernels that are picked here: an emulated processor can run these
/// in little time.
#[test]
fn examples_on_the_picked_kernels() {
    for shape in bulat::survey::shapes() {
        println!("{} {}: {}", shape.primitive, shape.shape, shape.picked);
    }
    let files = vectors::load().expect("the vectors are whole");
    let _forced = Forced::on(None);
    let report = vectors::run(&Library, &files, &Filter { file: "_kat", ..Filter::default() });
    println!("{report}");
    report.demand(&UNSUPPORTED);
    assert!(report.total().passed > 200);
}

/// The cases that need minutes, on the fastest kernel.
#[test]
#[ignore = "24 GB of text: cargo test --release -p bulat --test vectors -- --ignored huge"]
fn huge() {
    let name = kernel::NAMES.iter().find(|name| kernel::available(name)).expect("portable");
    let files = vectors::load().expect("the vectors are whole");
    let _forced = Forced::on(Some(name));
    let filter = Filter { long: Long::Only, ..Filter::default() };
    let report = vectors::run(&Library, &files, &filter);
    println!("kernel {name}: {}\n{report}", primitives(name));
    report.demand(&[]);
    assert_eq!(report.total().passed, 6 + 1);
}

/// Which primitives have the kernel; the others run on their fastest.
fn primitives(kernel: &str) -> String {
    let primitives = ["kuznyechik", "magma", "streebog256", "gf"];
    let (own, others): (Vec<&str>, Vec<&str>) =
        primitives.into_iter().partition(|primitive| forced::has(primitive, kernel));
    format!("of {}; others have none: {}", own.join(", "), others.join(", "))
}
