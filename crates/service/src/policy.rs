//! Policies: rules by path and capability, as users of Vault write them.
//!
//! ```text
//! path "transit/encrypt/orders-*" { capabilities = ["update"] }
//! path "transit/keys/+/rotate" { capabilities = ["update", "sudo"] }
//! ```
//! JSON and TOML are other forms: `{"path": {"transit/encrypt/orders-*": {"capabilities": ["update"]}}}`.
//!
//! One rule of all counts for a path: that of the path itself, or else that of the pattern which Vault prefers (`order`).
//! A pattern in several policies gets the capabilities of all of them; `deny` removes them all.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};

/// The policy that allows everything; it cannot be written or deleted.
pub const ROOT: &str = "root";
/// The policy that each token has in addition to its own.
pub const DEFAULT: &str = "default";
/// The rules of [`DEFAULT`] until somebody writes others: a caller may ask about itself.
pub const DEFAULT_RULES: &str = r#"path "auth/token/lookup-self" { capabilities = ["read"] }
path "auth/token/renew-self" { capabilities = ["update"] }
path "auth/token/revoke-self" { capabilities = ["update"] }
path "sys/capabilities-self" { capabilities = ["update"] }
"#;

/// The capabilities of a rule: a set, with a bit for each member.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Capabilities(u8);

/// The names of capabilities. A name's position is its bit.
/// No call needs `patch`; policies of other services have it.
const NAMES: [&str; 8] = ["create", "read", "update", "delete", "list", "sudo", "patch", "deny"];
const DENY: u8 = 1 << 7;

impl Capabilities {
    /// Returns the set of one name; `None` if there is no such capability.
    pub fn one(name: &str) -> Option<Capabilities> {
        NAMES.iter().position(|n| *n == name).map(|i| Capabilities(1 << i))
    }
    /// Returns the union of two sets; `deny` removes all others.
    pub fn and(self, other: Capabilities) -> Capabilities {
        let both = self.0 | other.0;
        Capabilities(if both & DENY != 0 { DENY } else { both })
    }
    pub fn has(self, name: &str) -> bool {
        Capabilities::one(name).is_some_and(|one| self.0 & one.0 != 0)
    }
    /// Returns the names; for an empty set `deny`.
    pub fn names(self) -> Vec<&'static str> {
        let set = if self.0 == 0 { DENY } else { self.0 };
        (0..NAMES.len()).filter(|i| set >> i & 1 != 0).map(|i| NAMES[i]).collect()
    }
    /// Returns all capabilities except `deny`.
    pub fn all() -> Capabilities {
        Capabilities(DENY - 1)
    }
}

/// The rules of a policy: patterns of paths with their capabilities.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Policy(BTreeMap<String, Capabilities>);

/// The longest text of a policy.
const LONGEST: usize = 1 << 20;

impl Policy {
    /// Reads a policy in any of its three forms. Errors: a sentence that says what is wrong.
    pub fn parse(text: &str) -> Result<Policy, String> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Form {
            #[serde(default)]
            path: Paths,
        }
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Rule {
            capabilities: Vec<String>,
        }
        /// In the order of the text: a map would keep only the last rule of a path.
        #[derive(Default)]
        struct Paths(Vec<(String, Rule)>);
        impl<'de> Deserialize<'de> for Paths {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                deserializer.deserialize_map(Paths::default())
            }
        }
        impl<'de> Visitor<'de> for Paths {
            type Value = Paths;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("paths with their capabilities")
            }
            fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> Result<Paths, A::Error> {
                while let Some(rule) = map.next_entry()? {
                    self.0.push(rule);
                }
                Ok(self)
            }
        }
        if text.len() > LONGEST {
            return Err("policy: too long".into());
        }
        if text.chars().any(|c| c.is_control() && !c.is_whitespace()) {
            return Err("policy: control characters are not allowed".into());
        }
        // Editors of Windows put a mark before a text in UTF-8.
        let text = text.trim_start_matches('\u{feff}');
        let start = text.trim_start();
        let rules = if start.starts_with('{') {
            serde_json::from_str::<Form>(text).map_err(|e| format!("policy: {e}"))?
        } else if start.starts_with('[') {
            toml::from_str::<Form>(text).map_err(|e| format!("policy: {}", e.message()))?
        } else {
            let rules = hcl(text)?.into_iter();
            let rules = rules.map(|(pattern, capabilities)| (pattern, Rule { capabilities }));
            Form { path: Paths(rules.collect()) }
        };
        let mut policy = Policy::default();
        for (pattern, rule) in rules.path.0 {
            let pattern = pattern.strip_prefix('/').unwrap_or(&pattern);
            check_pattern(pattern)?;
            let mut set = Capabilities::default();
            for name in &rule.capabilities {
                let one = Capabilities::one(name).ok_or_else(|| {
                    format!("policy: unknown capability {name:?}; supported: {}", NAMES.join(", "))
                })?;
                set = set.and(one);
            }
            if policy.0.insert(pattern.into(), set).is_some() {
                return Err(format!("policy: path {pattern:?} occurs twice"));
            }
        }
        Ok(policy)
    }
}

/// Checks that `*` is at the end and that `+` is a whole segment: elsewhere they would not do what they seem to do.
fn check_pattern(pattern: &str) -> Result<(), String> {
    if pattern.contains("{{") || pattern.contains("}}") {
        return Err(format!("policy: path {pattern:?}: templates are not supported"));
    }
    let body = pattern.strip_suffix('*').unwrap_or(pattern);
    if body.contains('*') {
        return Err(format!("policy: path {pattern:?}: * is allowed only at the end"));
    }
    if body.split('/').any(|segment| segment != "+" && segment.contains('+'))
        || pattern.ends_with("+*")
    {
        return Err(format!("policy: path {pattern:?}: + is allowed only as a whole segment"));
    }
    Ok(())
}

/// The rules of all policies of one caller.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rules {
    all: bool,
    /// The most preferred first.
    rules: Vec<(String, Capabilities)>,
}

impl Rules {
    /// Joins policies; with `all`, everything is allowed.
    pub fn new<'a>(all: bool, policies: impl IntoIterator<Item = &'a Policy>) -> Rules {
        let mut sum = BTreeMap::<String, Capabilities>::new();
        for (pattern, set) in policies.into_iter().flat_map(|policy| &policy.0) {
            let there = sum.entry(pattern.clone()).or_insert(*set);
            *there = there.and(*set);
        }
        let mut rules: Vec<_> = sum.into_iter().collect();
        rules.sort_by(|a, b| order(&b.0, &a.0));
        Rules { all, rules }
    }

    /// Returns the capabilities on a path (without `/v1/`).
    pub fn on(&self, path: &str) -> Capabilities {
        if self.all {
            return Capabilities::all();
        }
        let rule = self.rules.iter().find(|(pattern, _)| matches(pattern, path));
        rule.map_or(Capabilities::default(), |(_, set)| *set)
    }

    /// Returns the capabilities on a path that is to be listed. In Vault's order: the rule of the path with a slash at
    /// its end; then of the path without it; then patterns.
    pub fn on_list(&self, path: &str) -> Capabilities {
        self.on_any(&format!("{}/", path.trim_end_matches('/')))
    }

    /// Returns the capabilities on a path for any operation, as `sys/capabilities-self` answers.
    pub fn on_any(&self, path: &str) -> Capabilities {
        let exact = |path: &str| {
            let rule = self.rules.iter().find(|(pattern, _)| pattern == path && plain(pattern));
            rule.map(|(_, set)| *set)
        };
        if self.all {
            return Capabilities::all();
        }
        exact(path).or_else(|| exact(path.strip_suffix('/')?)).unwrap_or_else(|| self.on(path))
    }
}

/// Returns whether the path of a rule has no wildcard.
fn plain(pattern: &str) -> bool {
    !pattern.ends_with('*') && pattern.split('/').all(|segment| segment != "+")
}

/// Returns whether a path matches a pattern. It compares text as it is: the caller decodes a path once, before.
fn matches(pattern: &str, path: &str) -> bool {
    let (body, open) = match pattern.strip_suffix('*') {
        Some(body) => (body, true),
        None => (pattern, false),
    };
    let (mut words, mut parts) = (body.split('/').peekable(), path.split('/').peekable());
    while let Some(word) = words.next() {
        let Some(part) = parts.next() else { return false };
        let last = words.peek().is_none();
        let fits = match word {
            // The path of a list ends with an empty part.
            "+" => !part.is_empty() || last && parts.peek().is_none(),
            _ if last && open => part.starts_with(word),
            _ => part == word,
        };
        if !fits {
            return false;
        }
    }
    open || parts.next().is_none()
}

/// Compares patterns by Vault's preference; the greater one is preferred: a path without wildcards, then the later first
/// wildcard, no `*` at the end, fewer `+`, the longer one, the greater text.
fn order(a: &str, b: &str) -> Ordering {
    let plus = |p: &str| p.split('/').filter(|segment| *segment == "+").count();
    let first = |p: &str| {
        let mut at = 0;
        for segment in p.split('/') {
            if segment == "+" {
                return at;
            }
            at += segment.len() + 1;
        }
        if p.ends_with('*') { p.len() - 1 } else { usize::MAX }
    };
    (first(a).cmp(&first(b)))
        .then_with(|| b.ends_with('*').cmp(&a.ends_with('*')))
        .then_with(|| plus(b).cmp(&plus(a)))
        .then_with(|| a.len().cmp(&b.len()))
        .then_with(|| a.cmp(b))
}

/// Reads the part of HCL that policies need: `path "…" { capabilities = ["…", …] }` and comments.
fn hcl(text: &str) -> Result<Vec<(String, Vec<String>)>, String> {
    let mut words = words(text)?.into_iter().peekable();
    let mut rules = Vec::new();
    while words.peek().is_some() {
        expect(&mut words, "path")?;
        let pattern = match words.next() {
            Some(Word::Text(pattern)) => pattern,
            other => return Err(unexpected(other, "a text")),
        };
        for word in ["{", "capabilities", "=", "["] {
            expect(&mut words, word)?;
        }
        let mut names = Vec::new();
        loop {
            match words.next() {
                Some(Word::Text(name)) => names.push(name.into()),
                Some(Word::Bare("]")) => break,
                other => return Err(unexpected(other, "a capability or ]")),
            }
            match words.next() {
                Some(Word::Bare(",")) => {}
                Some(Word::Bare("]")) => break,
                other => return Err(unexpected(other, ", or ]")),
            }
        }
        expect(&mut words, "}")?;
        rules.push((pattern.into(), names));
    }
    Ok(rules)
}

fn expect<'a>(words: &mut impl Iterator<Item = Word<'a>>, wanted: &str) -> Result<(), String> {
    match words.next() {
        Some(Word::Bare(word)) if word == wanted => Ok(()),
        other => Err(unexpected(other, wanted)),
    }
}

fn unexpected(seen: Option<Word<'_>>, wanted: &str) -> String {
    let seen = match seen {
        None => "the end".into(),
        Some(Word::Text(text)) => format!("{text:?}"),
        Some(Word::Bare(word)) => word.into(),
    };
    format!("policy: found {seen}, expected {wanted}")
}

enum Word<'a> {
    /// A text in quotation marks.
    Text(&'a str),
    /// A name or a sign.
    Bare(&'a str),
}

fn words(text: &str) -> Result<Vec<Word<'_>>, String> {
    let mut words = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        if first == '#' || rest.starts_with("//") {
            rest = rest.find('\n').map_or("", |end| &rest[end..]);
        } else if let Some(comment) = rest.strip_prefix("/*") {
            let end = comment.find("*/").ok_or("policy: a comment does not end")?;
            rest = &comment[end + 2..];
        } else if first == '"' {
            let end = rest[1..].find('"').ok_or("policy: a text does not end")? + 1;
            let inner = &rest[1..end];
            if inner.contains(['\\', '\n']) || inner.contains("${") {
                return Err("policy: a text with \\, ${ or a line's end".into());
            }
            words.push(Word::Text(inner));
            rest = &rest[end + 1..];
        } else {
            let letter = |c: char| c.is_ascii_alphanumeric() || c == '_';
            let end = match rest.find(|c| !letter(c)) {
                Some(0) => first.len_utf8(),
                Some(end) => end,
                None => rest.len(),
            };
            words.push(Word::Bare(&rest[..end]));
            rest = &rest[end..];
        }
        rest = rest.trim_start();
    }
    Ok(words)
}
