//! Who may do what, and what is written down of it: tokens, certificates, policies, the audit log, backups.

mod common;

use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

use base64::Engine as _;
use bulatd::audit::{Audit, Request};
use bulatd::auth::{Auth, CertificateRule, NewToken};
use bulatd::backup::{backup, restore};
use bulatd::policy::{Policy, Rules};
use bulatd::root::{Root, RootKey};
use bulatd::store::{Changes, Limits, NewKey, Store, StoreError};
use common::{open, sqlite};

const MEMORY: &str = "sqlite::memory:";

fn rules(texts: &[&str]) -> Rules {
    let policies: Vec<_> =
        texts.iter().map(|text| Policy::parse(text).expect("a policy")).collect();
    Rules::new(false, &policies)
}

/// Policies, a path, and the names of what is let there.
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
    // deny takes all, within a rule and over policies.
    (&[r#"path "a" { capabilities = ["read", "deny"] }"#], "a", "deny"),
    (
        &[r#"path "a" { capabilities = ["read"] }"#, r#"path "a" { capabilities = ["deny"] }"#],
        "a",
        "deny",
    ),
    // The same pattern in two policies: both.
    (
        &[r#"path "a" { capabilities = ["read"] }"#, r#"path "a" { capabilities = ["update"] }"#],
        "a",
        "read update",
    ),
    // The path itself before patterns, whatever they let.
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
    // The longer of two prefixes.
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
    // The later first wildcard.
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
    // Equal first wildcards: no * at the end, then fewer +.
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
    // The other forms.
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
        ("+", true),
    ] {
        let text = format!("path \"{rule}\" {{ capabilities = [\"list\"] }}");
        assert_eq!(rules(&[&text]).on_list("keys").has("list"), let_, "{rule}");
    }
    for (deny, list) in [("keys", "keys/"), ("keys/", "keys")] {
        let text = format!(
            "path \"{deny}\" {{ capabilities = [\"deny\"] }} path \"{list}\" {{ capabilities = [\"list\"] }}"
        );
        assert!(!rules(&[&text]).on_list("keys").has("list"));
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
        "path \"**\" { capabilities = [] }",
        "path \"a\" { capabilities = [] } path \"a\" { capabilities = [] }",
        "{",
        "{\"path\": []}",
        "{\"paths\": {}}",
        "{\"path\": {\"a\": {\"capabilities\": [\"read\"], \"x\": 1}}}",
        "[path",
        "[paths]",
        "[path.a]",
    ] {
        assert!(Policy::parse(wrong).is_err(), "{wrong:?}");
        // Nor does a part of it do harm.
        (0..wrong.len())
            .filter(|i| wrong.is_char_boundary(*i))
            .for_each(|i| drop(Policy::parse(&wrong[i..])));
    }
    assert!(Policy::parse(&"#".repeat(2 << 20)).is_err());
    assert_eq!(Policy::parse(""), Ok(Policy::default()));
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
    // 256 random bits, and nothing of them in the database.
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
    // A policy that is written counts at once.
    assert!(!who.rules.on("x").has("read"));
    auth.policy_write("a", r#"path "x" { capabilities = ["read"] }"#).expect("a policy");
    assert!(auth.known(&token).is_none());
    assert!(auth.token(&token).expect("an answer").expect("somebody").rules.on("x").has("read"));
    assert!(matches!(auth.policy_write("a", "path {"), Err(StoreError::Invalid(_))));
    for name in ["root", "", "a/b", "a b", "я"] {
        assert!(auth.policy_write(name, "").is_err(), "{name}");
    }
    assert!(auth.policy_delete("default").is_err() && auth.policy_delete("root").is_err());
    // Another replica hears of a revocation within a second.
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
    let (short, _) = auth.create(&new(&["a"], Some(1)), None).expect("a token");
    let (long, record) = auth.create(&new(&["a"], Some(100)), None).expect("a token");
    assert!(auth.token(&short).expect("an answer").is_some());
    assert!(auth.token(&long).expect("an answer").is_some());
    std::thread::sleep(Duration::from_millis(2000));
    assert!(auth.known(&short).is_none());
    assert!(auth.token(&short).expect("an answer").is_none());
    // It was seen to have ended, and is gone for every clock.
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
    // Nor a longer life, by itself or by renewal.
    for ttl in [None, Some(0), Some(1000)] {
        let (_, child) = auth.create(&new(&["a"], ttl), Some(&some)).expect("a token");
        assert!(child.expires != 0 && child.expires <= record.expires && !child.renewable);
    }
    let (_, child) = auth.create(&new(&[], Some(10)), Some(&some)).expect("a token");
    assert_eq!(child.policies, ["a", "b", "default"]);
    assert!(matches!(auth.create(&new(&["a"], Some(0)), Some(&root)), Err(StoreError::Invalid(_))));
}

/// Tokens wrong in their first and in their last character take the same time, known to the cache or not: what is compared
/// is a hash, in constant time.
#[test]
fn time_of_comparison() {
    let auth = Auth::new(Arc::new(open(MEMORY)), Vec::new());
    let (token, _) = auth.create(&new(&["a"], None), None).expect("a token");
    auth.token(&token).expect("an answer").expect("somebody");
    let other = |i: usize| {
        let mut bytes = token.as_bytes().to_vec();
        bytes[i] ^= 1;
        String::from_utf8(bytes).expect("a text")
    };
    let wrong = [other(6), other(token.len() - 1)];
    let mut times = [Vec::new(), Vec::new()];
    for n in 0..6000 {
        let i = n % 2;
        let from = Instant::now();
        assert!(auth.known(&wrong[i]).is_none());
        times[i].push(from.elapsed().as_nanos());
    }
    let quarter = times.map(|mut times| {
        times.sort_unstable();
        [1, 2, 3].map(|q| times[q * times.len() / 4])
    });
    eprintln!("quartiles in ns, wrong at the first and at the last character: {quarter:?}");
    let spread = quarter.map(|q| q[2] - q[0]).into_iter().max().expect("two");
    assert!(quarter[0][1].abs_diff(quarter[1][1]) <= spread.max(quarter[0][1] / 20));
}

/// A certificate for orders.example and two.example; its subject is CN=other.
const CERTIFICATE: &str = "MIIBnjCCAUWgAwIBAgIUCpDiUZ4XUWekm9mq8V06b6euHNUwCgYIKoZIzj0EAwIwEDEOMAwGA1UEAwwFb3RoZXIwIBcNMjYxMTI1MTYxOTUwWhgPMjEyNjExMDExNjE5NTBaMBAxDjAMBgNVBAMMBW90aGVyMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAErPLadxuzfKLfJaT5fBP+MMde2qWVRUl48kw0/If5ZGu7FzKoJWUNB/+3ZS0xRD6rFIzSWr4cAxfgeuqtmqgSUaN7MHkwHQYDVR0OBBYEFJqf8RTgAzwN3MeMqO/U0g3fGLmKMB8GA1UdIwQYMBaAFJqf8RTgAzwN3MeMqO/U0g3fGLmKMA8GA1UdEwEB/wQFMAMBAf8wJgYDVR0RBB8wHYIOb3JkZXJzLmV4YW1wbGWCC3R3by5leGFtcGxlMAoGCCqGSM49BAMCA0cAMEQCICJM870DGq624vQfUgUaycKHKq72NlKgKcE1zQ7H6gEKAiBn1757lwJLsZFHvIkz9xLb/bjtShOhm4wVgVVkN3NQZw==";

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
        auth.certificate(&der).expect("an answer")
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
    // A subject is no name, nor is a part of one.
    for wrong in
        ["other", "example", "orders", "a.orders.example", "*.example", "", "orders.example\0"]
    {
        assert!(with(vec![rule(wrong, "p")]).is_none(), "{wrong}");
    }
    let auth = Auth::new(Arc::new(open(MEMORY)), vec![rule("orders.example", "p")]);
    assert!(auth.certificate(b"").expect("an answer").is_none());
    (0..der.len()).for_each(|n| assert!(auth.certificate(&der[..n]).expect("an answer").is_none()));
}

fn unsealed(store: &Store) -> Arc<Root> {
    let (root, key) = (Root::default(), RootKey::parse(&[1; 32]).expect("a key"));
    match Root::create(store, &key) {
        Ok(()) | Err(StoreError::Exists) => {}
        Err(e) => panic!("{e}"),
    }
    root.unseal(store, &key).expect("the root key");
    Arc::new(root)
}

fn request(path: &str) -> Request {
    Request { id: "1".into(), operation: "update", path: path.into(), remote: "127.0.0.1:1".into() }
}

fn lines(path: &Path) -> Vec<serde_json::Value> {
    let text = std::fs::read_to_string(path).expect("the log");
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

#[test]
fn audit() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("audit.log");
    let root = unsealed(&open(MEMORY));
    let audit = Audit::open(Some(&path), root.clone()).expect("a log");
    let mut line = audit.begin(request("transit/encrypt/a")).expect("room");
    line.caller("accessor", &["a".into()]);
    line.value("plaintext", b"secret text");
    line.value("again", b"secret text");
    line.value("other", b"secret texT");
    line.end(200).expect("written");
    // Given up before its end; hostile texts; sealed: no values.
    drop(audit.begin(request("given/up")).expect("room"));
    let odd = audit.begin(request(&format!("\"\n\u{1}{}", "\u{1}я".repeat(5000)))).expect("room");
    odd.end(404).expect("written");
    root.seal();
    let mut line = audit.begin(request("sealed")).expect("room");
    line.value("plaintext", b"secret text");
    line.end(503).expect("written");
    let all = lines(&path);
    assert_eq!(all.len(), 4);
    assert_eq!(
        (&all[0]["status"], &all[0]["caller"], &all[0]["path"]),
        (&200.into(), &"accessor".into(), &"transit/encrypt/a".into())
    );
    let value = |name: &str| all[0]["values"][name].as_str().expect("a value").to_string();
    assert_eq!(value("plaintext"), value("again"));
    assert_ne!(value("plaintext"), value("other"));
    assert!(value("other").starts_with("hmac-streebog256:") && value("other").len() == 17 + 64);
    assert_eq!(
        (&all[1]["status"], &all[2]["status"], &all[3]["status"]),
        (&0.into(), &404.into(), &503.into())
    );
    assert!(all[3].get("values").is_none());
    assert!(!std::fs::read_to_string(&path).expect("the log").contains("secret"));
    // Moved away and opened again; lines of many threads stay whole.
    std::fs::rename(&path, folder.path().join("old")).expect("a move");
    audit.reopen().expect("a log");
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                (0..500).for_each(|_| {
                    audit.begin(request("x")).expect("room").end(200).expect("written")
                })
            });
        }
    });
    assert_eq!(lines(&path).len(), 4000);
    use std::os::unix::fs::MetadataExt as _;
    assert!(std::fs::metadata(&path).expect("a file").mode() & 0o077 == 0);
    drop(audit);
    let meta = std::fs::metadata(&path).expect("a file");
    assert!(meta.blocks() * 512 < meta.len() + (64 << 10), "the room that was kept is given back");
    assert!(Audit::open(Some(Path::new("/nowhere/a")), root).is_err());
}

/// A log that may not grow: a request is refused before it is worked on, and the log goes on when there is room.
#[test]
fn audit_without_room() {
    let out = Command::new("sh")
        .args(["-c", "trap '' XFSZ; ulimit -S -f 100; exec \"$0\" \"$@\""])
        .arg(std::env::current_exe().expect("this program"))
        .args(["child_audits", "--exact", "--nocapture", "--ignored"])
        .output()
        .expect("a child");
    assert!(
        out.status.success(),
        "{}{}",
        String::from_utf8_lossy(&out.stdout),
        String::from_utf8_lossy(&out.stderr)
    );
}

/// The process whose files may not grow.
#[test]
#[ignore = "a part of `audit_without_room`"]
fn child_audits() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("audit.log");
    let audit = Audit::open(Some(&path), unsealed(&open(MEMORY))).expect("a log");
    let mut good = 0;
    let mut refused = 0;
    for _ in 0..2000 {
        match audit.begin(request("x")) {
            Ok(line) => match line.end(200) {
                Ok(()) => good += 1,
                Err(why) => assert!(why.starts_with("audit: "), "{why}"),
            },
            Err(_) => refused += 1,
        }
    }
    // One is worked on in vain, then none is begun.
    assert!(good > 100 && refused == 1999 - good, "{good} {refused}");
    let limit = Command::new("prlimit")
        .args(["--fsize=unlimited", "--pid"])
        .arg(std::process::id().to_string())
        .status();
    if !limit.is_ok_and(|status| status.success()) {
        eprintln!("prlimit is not there, or may not: the second half is left out");
        return;
    }
    audit.begin(request("y")).expect("room").end(200).expect("written");
    drop(audit);
    let text = std::fs::read_to_string(&path).expect("the log");
    let all: Vec<serde_json::Value> =
        text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    // At most the line that broke off is none.
    assert!(text.lines().count() - all.len() <= 1);
    assert_eq!(all.iter().filter(|line| line["path"] == "x").count(), good);
    assert_eq!(all.iter().filter(|line| line["path"] == "y").count(), 1);
    assert!(all.iter().any(|line| line["lost"].as_u64().is_some_and(|lost| lost > 0)));
}

#[test]
fn backups() {
    let folder = tempfile::tempdir().expect("a folder");
    let (url, file) = (sqlite(folder.path()), folder.path().join("backup"));
    let store = open(&url);
    let root = unsealed(&store);
    for (name, kind, len) in [("a", "kuznyechik-mgm", 64), ("b", "hmac-streebog256", 32)] {
        let wrapped = root.wrap(name, kind, 1, &vec![9; len]).expect("a wrap");
        let (name, kind) = (name.into(), kind.into());
        let key = NewKey {
            name,
            kind,
            derived: true,
            exportable: false,
            allow_plaintext_backup: false,
            auto_rotate_period: 7,
            wrapped,
            created: 1,
        };
        store.create(&key).expect("a key");
    }
    let many = Limits { messages: u64::MAX, bytes: u64::MAX };
    let auth = Auth::new(Arc::new(open(&url)), Vec::new());
    let (token, _) = auth.create(&new(&["p"], None), None).expect("a token");
    auth.policy_write("p", "").expect("a policy");
    store.reserve("a", 1, 100, 100, many).expect("numbers");
    assert_eq!(backup(&store, &root, 5, &file), Ok(2));
    assert!(backup(&store, &root, 5, &file).expect_err("a file is there").contains("exists"));
    let text = std::fs::read(&file).expect("a backup");
    // No secret in it.
    assert!(
        !text.windows(16).any(|w| w == [9; 16])
            && !String::from_utf8_lossy(&text).contains(token.as_str())
    );
    // Used after the backup was made: what it says of the counters is old.
    store.reserve("a", 1, 1000, 1000, many).expect("numbers");

    let (key, other) =
        (RootKey::parse(&[1; 32]).expect("a key"), RootKey::parse(&[2; 32]).expect("a key"));
    let target = open(&format!("{url}2"));
    let into = |key: &RootKey, force, tokens| restore(&target, key, 9, &file, force, tokens);
    assert!(into(&other, false, false).expect_err("another root key").contains("another root key"));
    // A byte changed, or the end cut off: anywhere.
    for i in (0..text.len()).step_by(7).chain(text.len() - 70..text.len()) {
        let mut wrong = text.clone();
        wrong[i] ^= 1;
        std::fs::write(&file, &wrong).expect("a file");
        assert!(into(&key, false, false).is_err(), "byte {i}");
        std::fs::write(&file, &text[..i]).expect("a file");
        assert!(into(&key, false, false).is_err(), "cut at {i}");
    }
    assert_eq!(target.list(), Ok(Vec::new()));
    std::fs::write(&file, &text).expect("a file");
    assert_eq!(into(&key, false, false), Ok(2));
    assert!(into(&key, false, false).expect_err("not empty").contains("--force"));
    assert_eq!(into(&key, true, true), Ok(2));
    assert_eq!(target.token_list().map(|all| all.len()), Ok(1));
    assert_eq!(into(&key, true, false), Ok(2));
    assert_eq!(target.token_list().map(|all| all.len()), Ok(0));
    assert_eq!(target.policy("p"), Ok(Some(String::new())));

    // Old versions open what they closed, and never encrypt again, whatever is configured.
    let there = Root::default();
    there.unseal(&target, &key).expect("the root key");
    for (name, len) in [("a", 64), ("b", 32)] {
        let key = target.key(name).expect("an answer").expect("a key");
        assert_eq!(
            (key.latest, key.min_encryption_version, key.auto_rotate_period, key.derived),
            (2, 2, 7, true)
        );
        let secret = |i: usize| {
            there.unwrap(name, &key.kind, i as u32 + 1, &key.versions[i].wrapped).expect("it opens")
        };
        assert_eq!(secret(0).as_slice(), vec![9; len]);
        assert!(secret(1).len() == len && secret(1) != secret(0));
    }
    let back = Changes { min_encryption_version: Some(1), ..Changes::default() };
    target.configure("a", &back).expect("changes");
    assert_eq!(target.reserve("a", 1, 1, 1, many), Err(StoreError::Limit));
    assert_eq!(target.reserve("a", 2, 1, 1, many).map(|got| got.first), Ok(0));
}

/// The root key from a file, with its rights and its forms.
#[test]
fn root_key_files() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("key");
    RootKey::random().expect("a key").write_new(&path).expect("a file");
    assert!(RootKey::from_file(&path, true).is_ok());
    assert!(RootKey::random().expect("a key").write_new(&path).is_err());
    for (text, right) in [
        (&[7u8; 32][..], true),
        (&[b'a'; 64], true),
        (b"", false),
        (&[7; 31], false),
        (&[7; 33], false),
        (&[b'g'; 64], false),
        (&[b'0'; 63], false),
        (&[b'0'; 66], false),
        (&[b'0'; 200], false),
    ] {
        std::fs::write(&path, text).expect("a file");
        assert_eq!(RootKey::from_file(&path, true).is_ok(), right, "{text:?}");
    }
    std::fs::write(&path, [7; 32]).expect("a file");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o640)).expect("rights");
    let Err(why) = RootKey::from_file(&path, true) else { panic!("taken") };
    assert!(why.contains("chmod"));
    assert!(RootKey::from_file(&path, false).is_ok());
    let credential = |name: &str| bulatd::config::RootConfig {
        credential: Some(name.into()),
        ..Default::default()
    };
    assert!(RootKey::read(&credential("../key")).is_err());
    let descriptor = bulatd::config::RootConfig { descriptor: Some(9999), ..Default::default() };
    assert!(RootKey::read(&descriptor).is_err());
    assert!(matches!(RootKey::read(&Default::default()), Ok(None)));
}
