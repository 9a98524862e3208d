//! The other commands: kernels, raw modes with tags, wrapping, pages, gost12sum and gostsum.

mod bin;

#[cfg(unix)]
use std::os::unix::fs::symlink;

use bin::*;

#[test]
fn kernels_are_chosen_by_name() {
    let dir = folder();
    let forced = |value: &str, line: &str| {
        ran(command(&dir, line).env("BULAT_KERNEL", value).output().unwrap())
    };
    let of_portable = passed(forced("portable", "kernels"));
    assert!(String::from_utf8_lossy(&of_portable).contains("forced: portable"));
    passed(forced("", "kernels"));
    bad(&dir, "--kernel nonsense list", 2, &["--kernel nonsense"]);
    good(&dir, "kernels --kernel portable");
    // If nobody has measured on this processor, the output says so.
    let text = said(&dir, "kernels");
    let row = bulat::survey::row();
    assert!(text.contains(&format!("row of the tuning table: {row}\n")), "{text}");
    assert!(!text.contains("choice within") || text.contains("measured"), "{text}");
    let json = json(&dir, "kernels --json");
    assert!(json["kernels"].as_array().unwrap().iter().any(|k| k["name"] == "portable"));
    assert_eq!(json["row"], row, "{json}");
    // A wrong name: commands that compute refuse it, commands that help do not.
    put(&dir, "abc", "abc");
    for line in ["hash abc", "gost12sum abc", "selftest"] {
        let ran = forced("nonsense", line);
        check(&ran, line, 2, &["BULAT_KERNEL=nonsense", "bulat kernels"]);
    }
    for line in ["--help", "-V", "-v", "help", "hash -h", "list", "man", "completions bash"] {
        let ran = forced("nonsense", line);
        assert_eq!((ran.code, &*ran.err), (Some(0), ""), "{line}");
        assert!(!ran.out.is_empty(), "{line}");
    }
    let kernels = forced("nonsense", "kernels");
    check(&kernels, "kernels", 0, &["warning: BULAT_KERNEL=nonsense"]);
    assert_eq!(kernels.out, good(&dir, "kernels"));
    // The option overrides the variable.
    let ran = forced("nonsense", "hash --kernel portable abc");
    assert_eq!((ran.code, &*ran.err, ran.out), (Some(0), "", good(&dir, "hash abc")));
    let ran = forced("nonsense", "kernels --kernel portable");
    assert_eq!((ran.code, ran.out, &*ran.err), (Some(0), of_portable, ""));
}

#[test]
fn help_is_a_command() {
    let dir = folder();
    assert_eq!(good(&dir, "help"), good(&dir, "--help"));
    assert_eq!(good(&dir, "help encrypt"), good(&dir, "encrypt --help"));
    assert_eq!(good(&dir, "help volume create"), good(&dir, "volume create --help"));
    assert_eq!(good(&dir, "-v"), good(&dir, "--version"));
    bad(&dir, "help nonsense", 2, &["nonsense"]);
    assert!(!said(&dir, "man").contains("bulat\\-help"));
    bad(&dir, "hash .", 3, &["encrypt and decrypt have -r"]);
}

#[test]
fn options_that_are_refused_are_named() {
    let dir = folder();
    good(&dir, "key new -o key");
    put(&dir, "in", "text");
    let iv = "00".repeat(16);
    let raw = format!("raw encrypt -k key -o x in --iv {iv} --cipher");
    bad(&dir, &format!("{raw} kuznyechik-cfb -s 0"), 2, &["-s <N>", "1..=16"]);
    bad(&dir, &format!("{raw} kuznyechik-mgm --tag-len 0"), 2, &["--tag-len", "4..=16"]);
    let words = ["--tag-len", "kuznyechik-ctr-acpkm-omac has no tags of that length", "16 bytes"];
    bad(&dir, &format!("{raw} kuznyechik-ctr-acpkm-omac --tag-len 8"), 2, &words);
    let ctr = "raw encrypt -k key -o x in --cipher kuznyechik-ctr --iv";
    let words = ["--iv: 'x' is not a hexadecimal digit", "0x"];
    bad(&dir, &format!("{ctr} 0x12345678"), 2, &words);
    bad(&dir, &format!("{ctr}=123"), 2, &["--iv: an odd number of hexadecimal digits"]);
    let blank =
        ["raw", "encrypt", "-k", "key", "in", "--cipher", "kuznyechik-ctr", "--iv", "12 34"];
    bad(&dir, &blank, 2, &["--iv: ' ' is not a hexadecimal digit"]);
    let key = "mac -a magma-omac --key 0g in";
    bad(&dir, key, 2, &["--key: 'g' is not a hexadecimal digit"]);
    for (name, most) in [
        ("magma-omac", 8),
        ("kuznyechik-omac", 16),
        ("gost-mac", 8),
        ("hmac-streebog256", 32),
        ("hmac-streebog512", 64),
    ] {
        let with = |n: usize| run(&dir, &format!("mac -a {name} -k key in --tag-len {n}"));
        passed(with(most));
        for n in [0, most + 1] {
            let words = [&*format!("--tag-len {n}: {name}"), &*format!("of 1 to {most} bytes")];
            check(&with(n), &[name], 2, &words);
        }
    }
}

#[test]
fn calibration_names_what_is_picked() {
    let dir = folder();
    let quick = "bench --calibrate --seconds 0.2";
    let measured = json(&dir, &format!("{quick} --json"));
    assert!(measured["hertz"].as_f64().unwrap() > 1e8);
    let rows = measured["rows"].as_array().unwrap();
    assert!(rows.len() >= 12);
    for row in rows {
        let cycles = row["cycles_per_byte"].as_object().unwrap();
        assert!(cycles.contains_key("portable"), "{row}");
        assert!(cycles.contains_key(row["picked"].as_str().unwrap()), "{row}");
        assert!(cycles.values().all(|c| c.as_f64().is_some_and(|c| c > 0.0 && c < 1e5)), "{row}");
        let of = |name: &serde_json::Value| cycles[name.as_str().unwrap()].as_f64().unwrap();
        assert!(cycles.values().all(|c| c.as_f64() >= Some(of(&row["best"]))), "{row}");
    }
    // Every choice within kernels, one at a time, and the table's row from the measurements.
    let kernels = json(&dir, "kernels --json");
    let choices = kernels["forms"].as_array().unwrap();
    let forms = measured["forms"].as_array().unwrap();
    let here = |kernel: &serde_json::Value| {
        let of = |k: &&serde_json::Value| k["name"] == *kernel;
        kernels["kernels"].as_array().unwrap().iter().find(of).unwrap()["available"] == true
    };
    assert_eq!(forms.len(), choices.iter().filter(|c| here(&c["kernel"])).count());
    let row = measured["tuning_row"].as_str().unwrap();
    assert!(row.starts_with("    Row {\n        name: \"") && row.ends_with("\n    },"), "{row}");
    for form in forms {
        let cycles = form["cycles_per_byte"].as_object().unwrap();
        let choice = |c: &&serde_json::Value| {
            (&c["primitive"], &c["choice"]) == (&form["primitive"], &form["choice"])
        };
        let choice = choices.iter().find(choice).unwrap();
        let of: Vec<_> =
            choice["of"].as_array().unwrap().iter().map(|f| f.as_str().unwrap()).collect();
        assert!(of.len() == cycles.len() && of.iter().all(|f| cycles.contains_key(*f)), "{form}");
        assert_eq!(form["picked"], choice["picked"]);
        let taken = form["better"].as_str().or(form["picked"].as_str()).unwrap();
        let entry = format!(", {taken:?}, Some(\"{taken} ");
        assert!(row.contains(&entry), "{entry} in {row}");
    }
    let text = said(&dir, &format!("{quick} --kernel portable"));
    assert!(text.contains("portable is forced") && text.contains("GHz"), "{text}");
    assert!(text.contains("The row of the tuning table") && text.contains("    Row {\n"), "{text}");
}

#[test]
fn the_overview_has_every_algorithm() {
    let dir = folder();
    let quick = "bench --no-peer --seconds 0.2";
    let json = json(&dir, &format!("{quick} --json"));
    let rows = json["rows"].as_array().unwrap();
    let list = said(&dir, "list");
    assert!(rows.len() > 30);
    for row in rows {
        assert!(list.contains(row["algorithm"].as_str().unwrap()), "{row}");
        assert!(row["cycles_per_byte"].as_f64().is_some_and(|c| c > 0.0 && c < 1e5), "{row}");
    }
    let text = said(&dir, quick);
    assert!(text.contains("Picked:") && text.contains("none is asked for"), "{text}");
}

#[test]
fn raw_mgm_with_its_tag_inside_and_beside() {
    let dir = folder();
    good(&dir, "key new -o key");
    for (cipher, n) in [("kuznyechik-mgm", 16), ("magma-mgm", 8)] {
        let iv = "11".repeat(n);
        for len in [0, 1, 100_000] {
            put(&dir, "in", text(len));
            let common = format!("-k key --cipher {cipher} --iv {iv}");
            let go =
                |verb, more: &str| run(&dir, &format!("raw {verb} {common} --aad 0102 {more}"));
            let inside = go("encrypt", "in").out;
            assert_eq!(inside.len(), len + n);
            passed(go("encrypt", "--tag-file tag -f -o sealed in"));
            assert!([read(&dir, "sealed"), read(&dir, "tag")].concat() == inside);
            put(&dir, "inside", &inside);
            assert!(go("decrypt", "inside").out == text(len));
            assert!(go("decrypt", "--tag-file tag sealed").out == text(len));
            let tag: String = inside[len..].iter().map(|o| format!("{o:02x}")).collect();
            assert!(go("decrypt", &format!("--tag {tag} sealed")).out == text(len));
            // A wrong tag, and a short one: nothing is written.
            let wrong = "00".repeat(n);
            for (tag, code) in [(&*wrong, 1), (&tag[..2 * n - 2], 2)] {
                let ran = go("decrypt", &format!("--tag {tag} -o x sealed"));
                let words = if code == 2 { "the expected length" } else { "the tag" };
                check(&ran, tag, code, &[words]);
                assert!(!dir.path().join("x").exists());
            }
            let ran = run(&dir, &format!("raw decrypt {common} inside"));
            // With neither text nor associated data RFC 9058, section 4 requires a refusal anyway.
            check(&ran, "no --aad", if len == 0 { 5 } else { 1 }, &["inside"]);
            assert!(ran.out.is_empty());
        }
    }
    // Associated data from standard input, by its name.
    let raw = "raw encrypt -k key --cipher magma-mgm --iv 1111111111111111 in";
    let fed = passed(piped(&dir, &format!("{raw} --aad-file -"), &[1, 2]));
    assert_eq!(fed, good(&dir, &format!("{raw} --aad 0102")));
    // Nothing to authenticate: RFC 9058, section 4 forbids it.
    put(&dir, "in", "");
    bad(&dir, raw, 5, &["nothing to authenticate"]);
}

/// XTS has the lowest limit: 16 MiB in one data unit.
#[test]
fn raw_says_that_a_limit_was_reached_and_how_much_is_right() {
    let dir = folder();
    good(&dir, "key new --size 64 -o key");
    put(&dir, "most", vec![7; 16 << 20]);
    put(&dir, "more", vec![7; (16 << 20) + 16]);
    let iv = "00".repeat(16);
    let raw = format!("raw encrypt --cipher kuznyechik-xts -k key --iv {iv} -o");
    let whole = good(&dir, &format!("{raw} - most"));
    let words = "more: kuznyechik-xts: more data than the standard allows";
    bad(&dir, &format!("{raw} x more"), 6, &[words, "another IV"]);
    assert_eq!(names(&dir), ["key", "more", "most"]);
    let ran = run(&dir, &format!("{raw} - more"));
    let right = format!("the {} bytes that are written are right", ran.out.len());
    check(&ran, "to standard output", 6, &[words, &right]);
    assert!(ran.out.len() > 15 << 20 && whole.starts_with(&ran.out));
}

#[test]
fn raw_padding() {
    let dir = folder();
    good(&dir, "key new -o key");
    for (len, padding, sealed, back) in [
        (16, "none", 16, 16),
        (15, "pkcs7", 16, 15),
        (16, "pkcs7", 32, 16),
        (15, "2", 16, 15),
        (16, "2", 32, 16),
        (15, "1", 16, 16),
        (16, "1", 16, 16),
    ] {
        put(&dir, "in", text(len));
        let ecb = format!("-k key --cipher kuznyechik-ecb --padding {padding}");
        let go = |verb, file| good(&dir, &format!("raw {verb} {ecb} {file}"));
        let out = go("encrypt", "in");
        assert_eq!(out.len(), sealed, "{padding} {len}");
        put(&dir, "sealed", out);
        let out = go("decrypt", "sealed");
        assert_eq!(out.len(), back, "{padding} {len}");
        assert!(out[..len] == text(len));
    }
}

#[test]
fn short_tags_are_verified_only_when_asked_for() {
    let dir = folder();
    good(&dir, "key new -o key");
    put(&dir, "in", "text");
    let mac = "mac -a kuznyechik-omac -k key in";
    let tag = said(&dir, mac);
    good(&dir, &format!("{mac} --verify {}", &tag[..32]));
    good(&dir, &format!("{mac} --tag-len 4 --verify {}", &tag[..8]));
    for short in [&tag[..2], ""] {
        bad(&dir, &format!("{mac} --verify={short}"), 2, &["--tag-len"]);
    }
}

#[test]
fn wrapped_keys() {
    let dir = folder();
    good(&dir, "key new -o key");
    good(&dir, "key new --raw -o bytes");
    good(&dir, "key new --size 64 -o kek");
    good(&dir, "key new --size 64 -o other");
    for (cipher, half) in [("kuznyechik", 8), ("magma", 4)] {
        for key in ["key", "bytes"] {
            let iv = "a5".repeat(half);
            let go = |line: &str| good(&dir, &format!("{line} --cipher {cipher} -k kek"));
            // With an IV the output is only KExp15; without one the IV comes first.
            let bare = go(&format!("wrap --iv {iv} {key}"));
            assert_eq!(bare.len(), 32 + 2 * half);
            put(&dir, "bare", &bare);
            let unwrapped = go(&format!("unwrap --iv {iv} bare"));
            if key == "bytes" {
                assert_eq!(unwrapped, read(&dir, "bytes"));
            }
            let wrong = |kek, file| {
                let iv = if file == "bare" { format!("--iv {iv}") } else { String::new() };
                let line = format!("unwrap --cipher {cipher} -k {kek} -o x {file} {iv}");
                bad(&dir, &line, 4, &["wrong wrapping keys"]);
            };
            // Magma's IV is too short to be random.
            let random = if cipher == "kuznyechik" { Some("random") } else { None };
            for file in ["bare"].into_iter().chain(random) {
                if file == "random" {
                    let random = go(&format!("wrap {key}"));
                    assert_eq!(random.len(), half + bare.len());
                    put(&dir, "random", random);
                    assert_eq!(unwrapped, go("unwrap random"));
                }
                wrong("other", file);
                let whole = read(&dir, file);
                put(&dir, file, &whole[..whole.len() - 1]);
                wrong("kek", file);
            }
            assert!(!dir.path().join("x").exists());
        }
    }
}

#[test]
fn pages_and_completions() {
    let dir = folder();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let out = said(&dir, &format!("completions {shell}"));
        assert!(out.contains("encrypt") && out.contains("bulat"), "{shell}");
    }
    let page = said(&dir, "man");
    assert!(page.contains(".TH bulat 1") && page.contains("Exit codes"));
    good(&dir, "man .");
    for name in ["bulat.1", "bulat-hash.1", "bulat-raw-encrypt.1", "bulat-key-new.1"] {
        assert!(names(&dir).contains(&name.into()), "{name}");
    }
    bad(&dir, "man missing", 3, &["missing"]);
}

#[cfg(unix)]
#[test]
fn a_link_is_a_personality() {
    let dir = folder();
    symlink(BULAT, dir.path().join("gost12sum")).unwrap();
    put(&dir, "abc", "abc");
    let link = dir.path().join("gost12sum");
    let ran = ran(program(link, &dir).arg("abc").output().unwrap());
    let digest = "4e2919cf137ed41ec4fb6270c61826cc4fffb660341e0af3688cd0626d23b481";
    assert_eq!(String::from_utf8_lossy(&ran.out), format!("{digest} abc\n"));
    assert_eq!(good(&dir, "gost12sum abc"), ran.out);
}

#[test]
fn lists_are_json_too() {
    let dir = folder();
    let list = json(&dir, "list --json");
    let all = list.as_array().unwrap();
    assert_eq!(all.len(), bulat::algorithm::ALGORITHMS.len());
    assert!(all.iter().any(|a| a["name"] == "kuznyechik-mgm" && a["iv"] == 16));
    assert_eq!(said(&dir, "list").lines().count(), 1 + all.len());
    let lines = json(&dir, "selftest --json");
    assert!(lines.as_array().unwrap().iter().all(|l| l["right"] == true));
    assert!(said(&dir, "selftest").ends_with("all right\n"));
}
