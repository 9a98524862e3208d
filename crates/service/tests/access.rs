//! Access: tables of policies, tokens, certificates.

mod common;

use std::sync::Arc;
use std::time::{Duration, Instant};

use base64::Engine as _;
use bulat::Streebog256;
use bulatd::auth::{Auth, CertificateRule, NewToken, Who};
use bulatd::policy::{Policy, Rules};
use bulatd::store::StoreError;
use common::{MEMORY, open};

/// Writes rules such as `a/*: read update; b: deny` as a policy; leaves a policy as it is.
fn policy(text: &str) -> Policy {
    let rule = |rule: &str| {
        let (path, names) = rule.split_once(':').expect("a rule");
        let names: Vec<_> = names.split_whitespace().map(|name| format!("{name:?}")).collect();
        format!("path {path:?} {{ capabilities = [{}] }}\n", names.join(", "))
    };
    let whole = text.contains(['{', '[']);
    let text = if whole { text.into() } else { text.split("; ").map(rule).collect::<String>() };
    Policy::parse(&text).expect("a policy")
}

fn rules(texts: &[&str]) -> Rules {
    Rules::new(false, &texts.iter().map(|text| policy(text)).collect::<Vec<_>>())
}

/// Policies, a path, and the capabilities there.
const TABLE: &[(&[&str], &str, &str)] = &[
    (&[], "a", "deny"),
    (&["a: read"], "a", "read"),
    (&["/a: read"], "a", "read"),
    (&["a: read"], "a/b", "deny"),
    (&["a: read"], "A", "deny"),
    (&["a: read"], "a/", "deny"),
    (&["a: read"], "", "deny"),
    (&["a:"], "a", "deny"),
    (&["a*: update"], "abc/d", "update"),
    (&["a/*: update"], "a", "deny"),
    (&["a/*: update"], "a/", "update"),
    (&["a/*: update"], "a/b/c", "update"),
    (&["*: sudo"], "a/b", "sudo"),
    (&["a/+/c: list"], "a/b/c", "list"),
    (&["a/+/c: list"], "a//c", "deny"),
    (&["a/+/c: list"], "a/b/b/c", "deny"),
    (&["+/+: list"], "a/b", "list"),
    (&["+/+: list"], "a", "deny"),
    (&["a/+/c*: list"], "a/b/cd/e", "list"),
    // `deny` removes all others, within a rule and across policies.
    (&["a: read deny"], "a", "deny"),
    (&["a: read", "a: deny"], "a", "deny"),
    // A pattern in two policies gets the capabilities of both.
    (&["a: read", "a: update"], "a", "read update"),
    // The path itself comes before patterns, whatever they allow.
    (&["a/b: read; a/*: update deny"], "a/b", "read"),
    (&["a/b: deny; a/*: update"], "a/b", "deny"),
    // The longer of two prefixes wins.
    (&["a/b*: read; a/*: update"], "a/bc", "read"),
    (&["a/b*: read; a/*: update"], "a/c", "update"),
    // The later first wildcard wins.
    (&["a/+/c: read; a/b/*: update"], "a/b/c", "update"),
    (&["+/b/c: read; a/+/c: update"], "a/b/c", "update"),
    // With equal first wildcards: no * at the end, then fewer +.
    (&["a/+/c*: read; a/+/c: update"], "a/b/c", "update"),
    (&["a/+/+/d: read; a/+/c/d: update"], "a/b/c/d", "update"),
    // Other forms of policies.
    (&[r#"path "a*" { capabilities = ["update", "read",] }"#], "a", "read update"),
    (&[r#"{"path": {"a*": {"capabilities": ["read"]}}}"#], "ab", "read"),
    (&["[path.\"a*\"]\ncapabilities = [\"read\"]\n"], "ab", "read"),
    (&["# 1\n// 2\n/* 3 */ path \"a\" {\n  capabilities = [\"read\"] # 4\n}\n"], "a", "read"),
];

#[test]
fn policies() {
    for (texts, path, names) in TABLE {
        assert_eq!(rules(texts).on(path).names().join(" "), *names, "{texts:?} on {path}");
    }
    let all = Rules::new(true, &[]);
    assert!(all.on("sys/seal").has("sudo") && !all.on("x").has("deny") && !all.on("x").has("fly"));
    // Only one rule counts: the path with a slash, the path without it, then patterns.
    for (text, lists) in [
        ("keys: list", true),
        ("keys/: list", true),
        ("keys/*: list", true),
        ("key*: list", true),
        ("keys/a: list", false),
        ("keys/+: list", true),
        ("+: list", false),
        ("+/: list", true),
        ("keys/: list; keys: deny", true),
        ("keys/: deny; keys: list", false),
        ("keys: list; *: deny", true),
        ("keys: read; keys/*: list", false),
        ("keys/*: list; k*: deny", true),
        ("keys/+: list; keys/*: deny", true),
    ] {
        let rules = rules(&[text]);
        assert_eq!(rules.on_list("keys").has("list"), lists, "{text}");
        assert_eq!(rules.on_any("keys/").has("list"), lists, "{text}");
    }
}

#[test]
fn wrong_policies_are_refused() {
    for wrong in [
        "path",
        "path {",
        "path \"a\"",
        "path \"a\" {",
        "path \"a\" { }",
        "path \"a\" { capabilities = [\"fly\"] }",
        "path \"a\" { capabilities = [\"read\" \"list\"] }",
        "path \"a\" { capabilities = \"read\" }",
        "path \"a\" { capabilities = [\"read\"] ",
        "path \"a\" { capabilities = [\"read\"], x = 1 }",
        "path \"a",
        "path \"a\\n\" { capabilities = [] }",
        "path \"${a}\" { capabilities = [] }",
        "/* ",
        "\0",
        "я",
        "pathя \"a\"",
        "path \"a*b\" { capabilities = [] }",
        "path \"a+/b\" { capabilities = [] }",
        "path \"a/+*\" { capabilities = [] }",
        "path \"**\" { capabilities = [] }",
        "path \"{{identity.entity.name}}\" { capabilities = [\"deny\"] }",
        "path \"a/{{b\" { capabilities = [] }",
        "path \"a\" { capabilities = [] } path \"a\" { capabilities = [] }",
        "path \"a\" { capabilities = [] } path \"/a\" { capabilities = [] }",
        "{",
        "{\"path\": []}",
        "{\"path\": {\"a\": {\"capabilities\": [\"deny\"]}, \"a\": {\"capabilities\": [\"read\"]}}}",
        "{\"path\": {\"a\": {\"capabilities\": [\"deny\"]}, \"/a\": {\"capabilities\": [\"read\"]}}}",
        "{\"path\": {}, \"path\": {}}",
        "{\"path\": {\"a\": {\"capabilities\": [\"deny\"], \"capabilities\": [\"read\"]}}}",
        "[path.a]\ncapabilities = [\"deny\"]\n[path.a]\ncapabilities = [\"read\"]",
        "[path.a]\ncapabilities = [\"deny\"]\n[path.\"/a\"]\ncapabilities = [\"read\"]",
        "{\"paths\": {}}",
        "{\"path\": {\"a\": {\"capabilities\": [\"read\"], \"x\": 1}}}",
        "[path",
        "[paths]",
        "[path.a]",
    ] {
        assert!(Policy::parse(wrong).is_err(), "{wrong:?}");
        // No beginning of it causes a panic.
        wrong.char_indices().for_each(|(i, _)| drop(Policy::parse(&wrong[i..])));
    }
    assert!(Policy::parse(&"#".repeat(2 << 20)).is_err());
    assert_eq!(Policy::parse(""), Ok(Policy::default()));
    // Editors of Windows put a mark before a text in UTF-8.
    for text in
        ["path \"a\" { capabilities = [] }", "{\"path\": {}}", "[path.a]\ncapabilities = []"]
    {
        assert_eq!(Policy::parse(&format!("\u{feff}{text}")), Policy::parse(text), "{text}");
        assert!(Policy::parse(text).is_ok(), "{text}");
    }
}

fn new(policies: &[&str], ttl: Option<u64>) -> NewToken {
    let policies = policies.iter().map(|name| name.to_string()).collect();
    NewToken { policies, ttl, renewable: true, ..NewToken::default() }
}

#[test]
fn tokens() {
    let store = Arc::new(open(MEMORY));
    let auth = Auth::new(store.clone(), Vec::new());
    assert!(auth.token("").expect("an answer").is_none());
    let (token, record) = auth.create(&new(&["a"], None), None).expect("a token");
    // A token is 256 random bits, and none of them is in the database.
    assert_eq!(token.len(), "bulat.".len() + 43);
    assert_ne!(*token, *auth.create(&new(&["a"], None), None).expect("another").0);
    let dump = format!("{:?}", store.dump().expect("a dump"));
    assert!(!dump.contains(token.as_str()) && dump.contains(&record.accessor));
    assert!(auth.known(&token).is_none());
    let who = auth.token(&token).expect("an answer").expect("somebody");
    assert_eq!((who.policies.join(" "), who.root()), ("a default".into(), false));
    assert!(who.rules.on("auth/token/lookup-self").has("read"));
    // A known token counts for a second.
    assert!((0..60).any(|_| auth.token(&token).is_ok() && auth.known(&token).is_some()));
    let (longer, blank) = (format!("{}x", *token), format!("{} ", *token));
    for wrong in [&token[1..], &token[..token.len() - 1], "bulat.", &longer, &blank] {
        assert!(auth.token(wrong).expect("an answer").is_none() && auth.known(wrong).is_none());
    }
    // A written policy holds at once.
    assert!(!who.rules.on("x").has("read"));
    auth.policy_write("a", r#"path "x" { capabilities = ["read"] }"#).expect("a policy");
    assert!(auth.known(&token).is_none());
    assert!(auth.token(&token).expect("an answer").expect("somebody").rules.on("x").has("read"));
    assert!(matches!(auth.policy_write("a", "path {"), Err(StoreError::Invalid(_))));
    for name in ["root", "", "a/b", "a b", "я"] {
        assert!(auth.policy_write(name, "").is_err(), "{name}");
    }
    assert!(auth.policy_delete("default").is_err() && auth.policy_delete("root").is_err());
    // Another replica learns of a revocation within a second.
    let other = Auth::new(store.clone(), Vec::new());
    assert!(other.token(&token).expect("an answer").is_some());
    auth.revoke(&record.accessor).expect("revoked");
    assert!(auth.token(&token).expect("an answer").is_none());
    std::thread::sleep(Duration::from_millis(1100));
    assert!(other.known(&token).is_none());
    assert!(other.token(&token).expect("an answer").is_none());
    assert_eq!(auth.revoke(&record.accessor), Err(StoreError::NotFound));
}

#[test]
fn tokens_end() {
    let store = Arc::new(open(MEMORY));
    let auth = Auth::new(store.clone(), Vec::new());
    let (short, _) = auth.create(&new(&["a"], Some(5)), None).expect("a token");
    let (long, record) = auth.create(&new(&["a"], Some(100)), None).expect("a token");
    assert!(auth.token(&short).expect("an answer").is_some());
    assert!(auth.token(&long).expect("an answer").is_some());
    auth.create(&new(&["a"], Some(1)), None).expect("a token");
    std::thread::sleep(Duration::from_millis(5100));
    assert!(auth.known(&short).is_none());
    assert!(auth.token(&short).expect("an answer").is_none());
    // The token was seen to have expired, and is gone for every clock; the third was not seen.
    assert_eq!(store.token_list().map(|all| all.len()), Ok(2));
    assert!(auth.token(&long).expect("an answer").is_some());
    let renewed = auth.renew(&record.hash, None).expect("renewed");
    assert!(renewed.expires > record.expires && renewed.expires <= record.expires + 60);
    let fixed = NewToken { renewable: false, ..new(&["a"], Some(100)) };
    let (_, fixed) = auth.create(&fixed, None).expect("a token");
    assert!(matches!(auth.renew(&fixed.hash, None), Err(StoreError::Invalid(_))));
    assert_eq!(auth.sweep(), Ok(1));
}

#[test]
fn no_token_gives_more_than_it_has() {
    let auth = Auth::new(Arc::new(open(MEMORY)), Vec::new());
    let (root, record) = auth.create(&new(&["root"], None), None).expect("a token");
    assert_eq!((record.expires, record.policies), (0, vec!["root".to_string()]));
    let root = auth.token(&root).expect("an answer").expect("somebody");
    assert!(root.root() && root.rules.on("anything").has("sudo"));
    let (some, record) = auth.create(&new(&["a", "b"], Some(50)), Some(&root)).expect("a token");
    let some = auth.token(&some).expect("an answer").expect("somebody");
    for more in [&["root"][..], &["c"], &["a", "c"], &["a", "root"]] {
        let refused = auth.create(&new(more, None), Some(&some));
        assert!(matches!(refused, Err(StoreError::Invalid(_))), "{more:?}");
    }
    // No longer life either, at creation or by renewal.
    for ttl in [None, Some(0), Some(1000)] {
        let (_, child) = auth.create(&new(&["a"], ttl), Some(&some)).expect("a token");
        assert!(child.expires != 0 && child.expires <= record.expires);
        let renewed = auth.renew(&child.hash, None).expect("renewed");
        assert!(renewed.expires <= record.expires);
    }
    let (_, child) = auth.create(&new(&[], Some(10)), Some(&some)).expect("a token");
    assert_eq!(child.policies, ["a", "b", "default"]);
    assert!(matches!(auth.create(&new(&["a"], Some(0)), Some(&root)), Err(StoreError::Invalid(_))));
}

/// The time of a look-up reveals at most how much of a token's hash matches, and from a hash nobody gets the token,
/// which is 256 random bits. The cache does not reveal even that: tokens with a hash that begins like a valid one need
/// the time of others. (SQLite does: 3 ns of 3 µs for the first byte.)
#[test]
fn time_of_comparison() {
    let auth = Auth::new(Arc::new(open(MEMORY)), Vec::new());
    let (token, record) = auth.create(&new(&["a"], None), None).expect("a token");
    auth.token(&token).expect("an answer").expect("somebody");
    assert_eq!(token.len(), "bulat.".len() + 43);
    const TEXTS: usize = 64;
    let with = |fits: bool| {
        let texts = (0..).map(|n: u32| format!("{n:0>49}"));
        let found = texts
            .filter(|text| (Streebog256::digest(text.as_bytes())[0] == record.hash[0]) == fits);
        found.take(TEXTS).collect::<Vec<_>>()
    };
    let wrong = [with(false), with(true)];
    // Welch's statistic over the means of texts, each over the lower nine tenths of its times: how a text falls into
    // the cache's table differs from text to text, so a text is one sample.
    let t = || {
        let mut times = [const { [const { Vec::new() }; TEXTS] }; 2];
        for n in 0..300 * 2 * TEXTS {
            let (side, text) = (n % 2, n / 2 % TEXTS);
            let from = Instant::now();
            assert!(auth.known(&wrong[side][text]).is_none());
            times[side][text].push(from.elapsed().as_nanos() as f64);
        }
        let mean = |of: &[f64]| of.iter().sum::<f64>() / of.len() as f64;
        let [(a, va), (b, vb)] = times.map(|texts| {
            let means = texts.map(|mut times| {
                times.sort_unstable_by(f64::total_cmp);
                mean(&times[..times.len() * 9 / 10])
            });
            let middle = mean(&means);
            let spread = means.iter().map(|of| (of - middle).powi(2)).sum::<f64>();
            (middle, spread / (TEXTS * (TEXTS - 1)) as f64)
        });
        (a - b) / (va + vb).sqrt()
    };
    let least = (0..10).map(|_| t().abs()).fold(f64::MAX, f64::min);
    assert!(least < 5.0, "hashes that fit in their first byte against others: t = {least:.1}");
}

/// A certificate for orders.example and two.example; its subject is CN=other.
const CERTIFICATE: &str = "MIIBnjCCAUWgAwIBAgIUCpDiUZ4XUWekm9mq8V06b6euHNUwCgYIKoZIzj0EAwIwEDEOMAwGA1UEAwwFb3RoZXIwIBcNMjYxMTI1MTYxOTUwWhgPMjEyNjExMDExNjE5NTBaMBAxDjAMBgNVBAMMBW90aGVyMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAErPLadxuzfKLfJaT5fBP+MMde2qWVRUl48kw0/If5ZGu7FzKoJWUNB/+3ZS0xRD6rFIzSWr4cAxfgeuqtmqgSUaN7MHkwHQYDVR0OBBYEFJqf8RTgAzwN3MeMqO/U0g3fGLmKMB8GA1UdIwQYMBaAFJqf8RTgAzwN3MeMqO/U0g3fGLmKMA8GA1UdEwEB/wQFMAMBAf8wJgYDVR0RBB8wHYIOb3JkZXJzLmV4YW1wbGWCC3R3by5leGFtcGxlMAoGCCqGSM49BAMCA0cAMEQCICJM870DGq624vQfUgUaycKHKq72NlKgKcE1zQ7H6gEKAiBn1757lwJLsZFHvIkz9xLb/bjtShOhm4wVgVVkN3NQZw==";

/// A certificate for *.corp.example and 10.0.0.7.
const WILDCARD: &str = "MIIBmDCCAT6gAwIBAgIUTH563cGDsM2saL5y2m7yDU3Ppy4wCgYIKoZIzj0EAwIwEDEOMAwGA1UEAwwFb3RoZXIwIBcNMjYxMTI2MDMyOTM3WhgPMjEyNjExMDIwMzI5MzdaMBAxDjAMBgNVBAMMBW90aGVyMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE0qCUA1UO5+IPVGQBsyjXJ1IqbINoT8urUpkleX3ySOb5G7gkdn609KnVyca6l2ZydVdORLxhp/suIvGRGQjdiaN0MHIwHQYDVR0OBBYEFJPCdOz/xnvJk20dcKgFPt7xzsdjMB8GA1UdIwQYMBaAFJPCdOz/xnvJk20dcKgFPt7xzsdjMA8GA1UdEwEB/wQFMAMBAf8wHwYDVR0RBBgwFoIOKi5jb3JwLmV4YW1wbGWHBAoAAAcwCgYIKoZIzj0EAwIDSAAwRQIgJDh1gDMXOFrDEETCC9bEPfOxc7HMIe8nXZAwblRVBNUCIQD30XewnccWJiLzLlXGPhLSFohRlALElRXHJ0oQPru1Fw==";

fn rule(name: &str, policy: &str) -> CertificateRule {
    CertificateRule { name: name.into(), policies: vec![policy.into()] }
}

/// Returns the caller with a certificate under these rules.
fn shown(der: &[u8], rules: Vec<CertificateRule>) -> Option<Arc<Who>> {
    let auth = Auth::new(Arc::new(open(MEMORY)), rules);
    auth.policy_write("p", r#"path "x" { capabilities = ["read"] }"#).expect("a policy");
    auth.certificate(der, &Streebog256::digest(der)).expect("an answer")
}

fn der(text: &str) -> Vec<u8> {
    base64::engine::general_purpose::STANDARD.decode(text).expect("a certificate")
}

/// A rule's name must equal a name of the certificate, letter for letter: a wildcard matches no other.
#[test]
fn wildcards_are_no_names() {
    for (name, right, found) in [
        ("billing.corp.example", true, false),
        ("*.corp.example", false, false),
        ("corp.example", true, false),
        ("10.0.0.7", true, true),
        ("10.0.0.8", true, false),
    ] {
        assert_eq!(rule(name, "p").right(), right, "{name}");
        assert_eq!(shown(&der(WILDCARD), vec![rule(name, "p")]).is_some(), found, "{name}");
    }
}

#[test]
fn certificates() {
    let der = der(CERTIFICATE);
    let rules = [("third.example", "t"), ("orders.example", "p"), ("two.example", "q")]
        .map(|(n, p)| rule(n, p));
    let who = shown(&der, rules.to_vec()).expect("somebody");
    assert_eq!((who.name.as_str(), who.root()), ("certificate orders.example", false));
    assert_eq!(who.policies, ["p", "q"]);
    assert!(who.rules.on("x").has("read") && !who.rules.on("y").has("read"));
    // A token made with a certificate expires, although the certificate has no end.
    let auth = Auth::new(Arc::new(open(MEMORY)), Vec::new());
    let (_, child) = auth.create(&new(&["p"], Some(1 << 40)), Some(&who)).expect("a token");
    assert_eq!(child.ttl, 768 * 3600);
    // The subject is not a name, and a part of a name is not one.
    for wrong in
        ["other", "example", "orders", "a.orders.example", "*.example", "", "orders.example\0"]
    {
        assert!(shown(&der, vec![rule(wrong, "p")]).is_none(), "{wrong}");
    }
    let auth = Auth::new(Arc::new(open(MEMORY)), vec![rule("orders.example", "p")]);
    for n in 0..der.len() {
        let cut = auth.certificate(&der[..n], &Streebog256::digest(&der[..n]));
        assert!(cut.expect("an answer").is_none(), "{n}");
    }
}
