//! Access: tables of policies, tokens, certificates.

mod common;

use std::sync::Arc;
use std::time::{Duration, Instant};

use base64::Engine as _;
use bulat::Streebog256;
use bulatd::auth::{Auth, CertificateRule, NewToken};
use bulatd::policy::{Policy, Rules};
use bulatd::store::StoreError;
use common::{MEMORY, open};

fn rules(texts: &[&str]) -> Rules {
    let policies: Vec<_> =
        texts.iter().map(|text| Policy::parse(text).expect("a policy")).collect();
    Rules::new(false, &policies)
}

/// Policies, a path, and the capabilities there.
const TABLE: &[(&[&str], &str, &str)] = &[
    (&[], "a", "deny"),
    (&[r#"path "a" { capabilities = ["read"] }"#], "a", "read"),
    (&[r#"path "/a" { capabilities = ["read"] }"#], "a", "read"),
    (&[r#"path "a" { capabilities = ["read"] }"#], "a/b", "deny"),
    (&[r#"path "a" { capabilities = ["read"] }"#], "A", "deny"),
    (&[r#"path "a" { capabilities = ["read"] }"#], "a/", "deny"),
    (&[r#"path "a" { capabilities = ["read"] }"#], "", "deny"),
    (&[r#"path "a" { capabilities = [] }"#], "a", "deny"),
    (&[r#"path "a*" { capabilities = ["update", "read",] }"#], "a", "read update"),
    (&[r#"path "a*" { capabilities = ["update"] }"#], "abc/d", "update"),
    (&[r#"path "a/*" { capabilities = ["update"] }"#], "a", "deny"),
    (&[r#"path "a/*" { capabilities = ["update"] }"#], "a/", "update"),
    (&[r#"path "a/*" { capabilities = ["update"] }"#], "a/b/c", "update"),
    (&[r#"path "*" { capabilities = ["sudo"] }"#], "a/b", "sudo"),
    (&[r#"path "a/+/c" { capabilities = ["list"] }"#], "a/b/c", "list"),
    (&[r#"path "a/+/c" { capabilities = ["list"] }"#], "a//c", "deny"),
    (&[r#"path "a/+/c" { capabilities = ["list"] }"#], "a/b/b/c", "deny"),
    (&[r#"path "+/+" { capabilities = ["list"] }"#], "a/b", "list"),
    (&[r#"path "+/+" { capabilities = ["list"] }"#], "a", "deny"),
    (&[r#"path "a/+/c*" { capabilities = ["list"] }"#], "a/b/cd/e", "list"),
    // `deny` removes all others, within a rule and across policies.
    (&[r#"path "a" { capabilities = ["read", "deny"] }"#], "a", "deny"),
    (
        &[r#"path "a" { capabilities = ["read"] }"#, r#"path "a" { capabilities = ["deny"] }"#],
        "a",
        "deny",
    ),
    // One pattern in two policies gets the capabilities of both.
    (
        &[r#"path "a" { capabilities = ["read"] }"#, r#"path "a" { capabilities = ["update"] }"#],
        "a",
        "read update",
    ),
    // The path itself comes before patterns, whatever they allow.
    (
        &[
            r#"path "a/b" { capabilities = ["read"] } path "a/*" { capabilities = ["update", "deny"] }"#,
        ],
        "a/b",
        "read",
    ),
    (
        &[r#"path "a/b" { capabilities = ["deny"] } path "a/*" { capabilities = ["update"] }"#],
        "a/b",
        "deny",
    ),
    // The longer of two prefixes wins.
    (
        &[r#"path "a/b*" { capabilities = ["read"] } path "a/*" { capabilities = ["update"] }"#],
        "a/bc",
        "read",
    ),
    (
        &[r#"path "a/b*" { capabilities = ["read"] } path "a/*" { capabilities = ["update"] }"#],
        "a/c",
        "update",
    ),
    // The later first wildcard wins.
    (
        &[r#"path "a/+/c" { capabilities = ["read"] } path "a/b/*" { capabilities = ["update"] }"#],
        "a/b/c",
        "update",
    ),
    (
        &[r#"path "+/b/c" { capabilities = ["read"] } path "a/+/c" { capabilities = ["update"] }"#],
        "a/b/c",
        "update",
    ),
    // With equal first wildcards: no * at the end, then fewer +.
    (
        &[
            r#"path "a/+/c*" { capabilities = ["read"] } path "a/+/c" { capabilities = ["update"] }"#,
        ],
        "a/b/c",
        "update",
    ),
    (
        &[
            r#"path "a/+/+/d" { capabilities = ["read"] } path "a/+/c/d" { capabilities = ["update"] }"#,
        ],
        "a/b/c/d",
        "update",
    ),
    // The other forms of policies.
    (&[r#"{"path": {"a*": {"capabilities": ["read"]}}}"#], "ab", "read"),
    (&["[path.\"a*\"]\ncapabilities = [\"read\"]\n"], "ab", "read"),
    (
        &["# one\n// two\n/* three */ path \"a\" {\n  capabilities = [\"read\"] # four\n}\n"],
        "a",
        "read",
    ),
];

#[test]
fn policies() {
    for (texts, path, names) in TABLE {
        assert_eq!(rules(texts).on(path).names().join(" "), *names, "{texts:?} on {path}");
    }
    let all = Rules::new(true, &[]);
    assert!(all.on("sys/seal").has("sudo") && !all.on("x").has("deny") && !all.on("x").has("fly"));
    for (rule, let_) in [
        ("keys", true),
        ("keys/", true),
        ("keys/*", true),
        ("key*", true),
        ("keys/a", false),
        ("keys/+", true),
        ("+", false),
        ("+/", true),
    ] {
        let text = format!("path \"{rule}\" {{ capabilities = [\"list\"] }}");
        assert_eq!(rules(&[&text]).on_list("keys").has("list"), let_, "{rule}");
    }
    // Only one rule counts: the path with a slash, the path without it, then patterns.
    for (rules_, lists) in [
        (&[("keys/", "list"), ("keys", "deny")], true),
        (&[("keys/", "deny"), ("keys", "list")], false),
        (&[("keys", "list"), ("*", "deny")], true),
        (&[("keys", "read"), ("keys/*", "list")], false),
        (&[("keys/*", "list"), ("k*", "deny")], true),
        (&[("keys/+", "list"), ("keys/*", "deny")], true),
    ] {
        let text = |(path, name): &(&str, &str)| {
            format!("path \"{path}\" {{ capabilities = [\"{name}\"] }}\n")
        };
        let text: String = rules_.iter().map(text).collect();
        assert_eq!(rules(&[&text]).on_list("keys").has("list"), lists, "{text}");
        assert_eq!(rules(&[&text]).on_any("keys/").has("list"), lists, "{text}");
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
        (0..wrong.len())
            .filter(|i| wrong.is_char_boundary(*i))
            .for_each(|i| drop(Policy::parse(&wrong[i..])));
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
    assert!(auth.known(&token).is_some());
    for wrong in [
        &token[1..],
        &token[..token.len() - 1],
        "bulat.",
        &format!("{}x", *token),
        &format!("{} ", *token),
    ] {
        assert!(auth.token(wrong).expect("an answer").is_none());
        assert!(auth.known(wrong).is_none());
    }
    // A written policy takes effect at once.
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
    let (short, _) = auth.create(&new(&["a"], Some(3)), None).expect("a token");
    let (long, record) = auth.create(&new(&["a"], Some(100)), None).expect("a token");
    assert!(auth.token(&short).expect("an answer").is_some());
    assert!(auth.token(&long).expect("an answer").is_some());
    std::thread::sleep(Duration::from_millis(3100));
    assert!(auth.known(&short).is_none());
    assert!(auth.token(&short).expect("an answer").is_none());
    // The token was seen to have expired, and is gone for every clock.
    assert_eq!(store.token_list().map(|all| all.len()), Ok(1));
    assert!(auth.token(&long).expect("an answer").is_some());
    let renewed = auth.renew(&record.hash, None).expect("renewed");
    assert!(renewed.expires > record.expires && renewed.expires <= record.expires + 10);
    let fixed = NewToken { renewable: false, ..new(&["a"], Some(100)) };
    let (_, fixed) = auth.create(&fixed, None).expect("a token");
    assert!(matches!(auth.renew(&fixed.hash, None), Err(StoreError::Invalid(_))));
    auth.create(&new(&["a"], Some(1)), None).expect("a token");
    std::thread::sleep(Duration::from_millis(2000));
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
        assert!(
            matches!(auth.create(&new(more, None), Some(&some)), Err(StoreError::Invalid(_))),
            "{more:?}"
        );
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

/// A rule's name must equal one of the certificate's, letter for letter: a wildcard matches no other.
#[test]
fn wildcards_are_no_names() {
    let der = base64::engine::general_purpose::STANDARD.decode(WILDCARD).expect("a certificate");
    for (name, right, found) in [
        ("billing.corp.example", true, false),
        ("*.corp.example", false, false),
        ("corp.example", true, false),
        ("10.0.0.7", true, true),
        ("10.0.0.8", true, false),
    ] {
        let rule = CertificateRule { name: name.into(), policies: vec!["p".into()] };
        assert_eq!(rule.right(), right, "{name}");
        let auth = Auth::new(Arc::new(open(MEMORY)), vec![rule]);
        assert_eq!(
            auth.certificate(&der, &Streebog256::digest(&der)).expect("an answer").is_some(),
            found,
            "{name}"
        );
    }
}

#[test]
fn certificates() {
    let der = base64::engine::general_purpose::STANDARD.decode(CERTIFICATE).expect("a certificate");
    let rule = |name: &str, policy: &str| CertificateRule {
        name: name.into(),
        policies: vec![policy.into()],
    };
    let with = |rules: Vec<CertificateRule>| {
        let auth = Auth::new(Arc::new(open(MEMORY)), rules);
        auth.policy_write("p", r#"path "x" { capabilities = ["read"] }"#).expect("a policy");
        auth.certificate(&der, &Streebog256::digest(&der)).expect("an answer")
    };
    let who = with(vec![
        rule("third.example", "t"),
        rule("orders.example", "p"),
        rule("two.example", "q"),
    ])
    .expect("somebody");
    assert_eq!(
        (who.name.as_str(), who.policies.join(" "), who.root()),
        ("certificate orders.example", "p q".into(), false)
    );
    assert!(who.rules.on("x").has("read") && !who.rules.on("y").has("read"));
    // A token made with a certificate expires, although the certificate has no end.
    let auth = Auth::new(Arc::new(open(MEMORY)), Vec::new());
    let (_, child) = auth.create(&new(&["p"], Some(1 << 40)), Some(&who)).expect("a token");
    assert_eq!(child.ttl, 768 * 3600);
    // The subject is not a name, and a part of a name is not one.
    for wrong in
        ["other", "example", "orders", "a.orders.example", "*.example", "", "orders.example\0"]
    {
        assert!(with(vec![rule(wrong, "p")]).is_none(), "{wrong}");
    }
    let auth = Auth::new(Arc::new(open(MEMORY)), vec![rule("orders.example", "p")]);
    assert!(auth.certificate(b"", &[0; 32]).expect("an answer").is_none());
    (0..der.len()).for_each(|n| {
        assert!(
            auth.certificate(&der[..n], &Streebog256::digest(&der[..n]))
                .expect("an answer")
                .is_none()
        )
    });
}
