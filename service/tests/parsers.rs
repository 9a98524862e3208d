//! Random input for the parsers: the functions of the fuzz target `service`.

#[path = "../../verification/fuzz/src/service.rs"]
mod service;

use testkit::Random;

/// Makes a text of pieces that a parser looks for, and of others between them.
fn text(random: &mut Random, pieces: &[&str]) -> Vec<u8> {
    let mut out = Vec::new();
    for _ in 0..random.upto(12) {
        if random.below(8) == 0 {
            out.push(random.word() as u8);
        } else {
            out.extend_from_slice(pieces[random.below(pieces.len())].as_bytes());
        }
    }
    out
}

#[test]
fn ciphertexts() {
    let pieces = ["vault:v", "1", "0", "4294967295", ":", "AAAA", "QQ==", "=", "+/", "-", " "];
    let mut random = Random::new(1);
    let read = (0..100_000)
        .filter(|n| {
            let mut input = text(&mut random, &pieces);
            if n % 2 == 0 {
                input.splice(..0, *b"vault:v1:");
            }
            service::ciphertext(&input)
        })
        .count();
    assert!(read > 1000, "{read} of 100000 are ciphertexts");
}

#[test]
fn bodies() {
    let pieces = [
        "{",
        "}",
        "[",
        "]",
        ":",
        ",",
        "\"",
        "\\",
        "null",
        "true",
        "1",
        "-1",
        "1e9",
        "\"plaintext\":",
        "\"batch_input\":[",
        "\"context\":\"",
        "\"key_version\":\"2\"",
        "\"QQ==\"",
        "{\"plaintext\":\"QQ==\"}",
        "\\u0000",
        "\u{fe00}",
    ];
    let mut random = Random::new(2);
    let read = (0..100_000)
        .filter(|n| {
            let mut input = text(&mut random, &pieces);
            if n % 2 == 0 {
                input.splice(..0, *b"{");
                input.push(b'}');
            }
            service::body(&input)
        })
        .count();
    assert!(read > 1000, "{read} of 100000 are requests");
}

#[test]
fn times() {
    let mut random = Random::new(3);
    for _ in 0..100_000 {
        service::time(&text(
            &mut random,
            &["1", "9999999999", "s", "m", "h", "d", "-", "\u{fe00}"],
        ));
    }
}

#[test]
fn policies() {
    let pieces = [
        "path ",
        "\"a\"",
        "\"a/+\"",
        "\"a/b*\"",
        "\"+/b/\"",
        "\"*\"",
        " {",
        "}",
        " capabilities = ",
        "[",
        "]",
        ",",
        "\"read\"",
        "\"list\"",
        "\"deny\"",
        "# c\n",
        "/*",
        "*/",
        "\\",
        "{\"path\":",
        ":",
        "[path.a]\n",
        "\"",
        "capabilities = [\"update\", \"sudo\"]",
        "path \"a/b\" { capabilities = [\"create\"] }\n",
    ];
    let mut random = Random::new(4);
    let read = (0..100_000)
        .filter(|n| {
            let mut input = text(&mut random, &pieces);
            if n % 2 == 0 {
                input.splice(..0, *b"path \"a/*\" { capabilities = [\"read\"]");
            }
            service::policy(&input)
        })
        .count();
    assert!(read > 1000, "{read} of 100000 are policies");
}
