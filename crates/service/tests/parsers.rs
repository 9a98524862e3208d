//! Random input for the parsers: the functions of the fuzz target `service`.

#[path = "../../../verification/fuzz/src/service.rs"]
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

/// Requires that a parser reads some of many inputs, and not all of them.
#[track_caller]
fn some(seed: u64, mut read: impl FnMut(&mut Random, usize) -> bool) {
    let mut random = Random::new(seed);
    let count = (0..100_000).filter(|n| read(&mut random, *n)).count();
    assert!(count > 1000 && count < 90_000, "{count} of 100000 are read");
}

#[test]
fn ciphertexts() {
    let pieces = ["vault:v", "1", "0", "4294967295", ":", "AAAA", "QQ==", "=", "+/", "-", " "];
    some(1, |random, n| {
        let mut input = text(random, &pieces);
        if n % 2 == 0 {
            input.splice(..0, *b"vault:v1:");
        }
        service::ciphertext(&input)
    });
}

#[test]
fn bodies() {
    let mut pieces: Vec<_> =
        r#"{ } [ ] : , " \ null true 1 -1 1e9 "plaintext": "batch_input":[ "context":"
        "key_version":"2" "QQ==" {"plaintext":"QQ=="} \u0000"#
            .split_whitespace()
            .collect();
    pieces.push("\u{fe00}");
    some(2, |random, n| {
        let mut input = text(random, &pieces);
        if n % 2 == 0 {
            input.splice(..0, *b"{");
            input.push(b'}');
        }
        service::body(&input)
    });
}

#[test]
fn times() {
    let mut random = Random::new(3);
    for _ in 0..100_000 {
        let pieces = ["1", "9999999999", "s", "m", "h", "d", "-", "\u{fe00}"];
        service::time(&text(&mut random, &pieces));
    }
}

#[test]
fn policies() {
    let mut pieces: Vec<_> =
        r#"path " { } [ ] = , : # // /* */ \ + * transit/ capabilities "read" "update" "\u0041""#
            .split(' ')
            .collect();
    pieces.extend([" ", "\n", "\u{fe00}"]);
    pieces.push("path \"a/+/b*\" { capabilities = [\"read\", \"list\"] }\n");
    pieces.push("{\"path\": {\"a\": {\"capabilities\": [\"deny\"]}}}");
    pieces.push("[path.\"a\"]\ncapabilities = [\"sudo\"]\n");
    some(4, |random, _| service::policy(&text(random, &pieces)));
}

#[test]
fn root_keys() {
    some(5, |random, _| {
        let length = [30 + random.below(4), 60 + random.below(8)][random.below(2)];
        let mut input = vec![b"09afAF"[random.below(6)]; length];
        if random.below(4) == 0 {
            let at = random.below(input.len());
            input[at] = random.word() as u8;
        }
        input.extend_from_slice([&b""[..], b"\n", b"\r\n", b"\r"][random.below(4)]);
        service::root_key(&input)
    });
}

#[test]
fn backups() {
    let mut pieces: Vec<_> =
        r#"{"bulatd_backup":3, "created":1, "dump":{ "root":1, "meta":[ "keys":[ "tokens":[
        "policies":[ "records":[ {"name":"root","value":"QQ=="} ] } , 0f null -1 4294967296"#
            .split_whitespace()
            .collect();
    pieces.push("\n");
    let whole = "{\"bulatd_backup\":3,\"created\":1,\"dump\":{\"root\":1,\"meta\":[],\"keys\":[],\"tokens\":[],\
                 \"policies\":[],\"records\":[]}}\n";
    let mut random = Random::new(6);
    for n in 0..50_000 {
        let mut input = text(&mut random, &pieces);
        if n % 2 == 0 {
            // Mostly whole, with one change.
            let at = random.below(whole.len());
            input.splice(..0, whole.bytes().take(at));
            input.extend(whole.bytes().skip(at));
        }
        input.extend_from_slice(b"00ff\n");
        service::backup(&input);
    }
}
