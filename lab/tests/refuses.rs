//! An engine with wrong answers is not timed, and the run fails.

use std::fs;
use std::path::Path;
use std::process::Command;

/// Runs the lab on the engines of the example: `right`, and one of this manifest.
fn lab(manifest: &str, size: usize) -> (Option<i32>, String, String) {
    let folder = tempfile::tempdir().unwrap();
    let put = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    let program = std::env::current_exe().unwrap();
    let example = program.ancestors().nth(2).unwrap().join("examples/broken");
    let example = example.to_str().unwrap();
    put("engines/right/engine.toml", &format!("about = ''\nbuild = []\nrun = ['{example}']\n"));
    put("engines/other/engine.toml", &manifest.replace("EXAMPLE", example));
    let bench = "title = 'T'\nabout = ''\nengines = ['right/portable', 'other/portable']\n[[bench]]\n\
                 algorithms = ['magma-ctr', 'streebog256']\nsizes = [SIZE]\n";
    let bench = &bench.replace("SIZE", &size.to_string());
    put("definitions/t.toml", bench);
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    let out = Command::new(env!("CARGO_BIN_EXE_lab"))
        .args(["run", "--quick", "--engines", &at("engines"), "--definitions", &at("definitions")])
        .args(["--csv", &at("rows.csv"), "--html", &at("page.html"), "--json", &at("rows.json")])
        .output()
        .unwrap();
    let rows = fs::read_to_string(at("rows.csv")).unwrap_or_default();
    assert!(
        !Path::new(&at("page.html")).exists()
            || fs::read_to_string(at("page.html")).unwrap().contains("<h2>T")
    );
    (out.status.code(), String::from_utf8(out.stdout).unwrap(), rows)
}

#[test]
fn a_broken_kernel() {
    let (code, out, rows) = lab("about = ''\nbuild = []\nrun = ['EXAMPLE', 'broken']\n", 1000);
    assert_eq!(code, Some(1), "{out}");
    let refusal = "REFUSED: other/portable (magma-ctr 1000 B): it gives a wrong answer";
    assert!(out.contains(refusal), "{out}");
    assert!(out.contains("REFUSED: other/portable (streebog256"), "{out}");
    assert!(rows.contains(",right,portable,") && !rows.contains(",other,"), "{rows}");
}

#[test]
fn a_broken_one_on_a_text_too_long_for_the_reference() {
    let (code, out, rows) = lab("about = ''\nbuild = []\nrun = ['EXAMPLE', 'broken']\n", 1 << 17);
    assert_eq!(code, Some(1), "{out}");
    assert!(
        out.contains("REFUSED: other/portable (magma-ctr 131072 B): it gives a wrong answer over"),
        "{out}"
    );
    assert!(rows.contains(",right,portable,") && !rows.contains(",other,"), "{rows}");
}

#[test]
fn a_right_one() {
    let (code, out, rows) = lab("about = ''\nbuild = []\nrun = ['EXAMPLE']\n", 1000);
    assert_eq!(code, Some(0), "{out}");
    assert_eq!(rows.lines().count(), 1 + 4, "{rows}");
}

#[test]
fn one_that_cannot_be_built() {
    let manifest =
        "about = ''\nbuild = ['false']\nrun = ['EXAMPLE']\nneeds = 'apt-get install it'\n";
    let (code, out, rows) = lab(manifest, 1000);
    assert_eq!(code, Some(0), "{out}");
    assert!(out.contains("skipped: engine other: apt-get install it"), "{out}");
    assert_eq!(rows.lines().count(), 1 + 2, "{rows}");
}
