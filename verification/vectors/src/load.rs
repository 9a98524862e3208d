//! The loader: every file that data/MANIFEST names, in its order, checked against the length, the
//! SHA-256 and the counts given there.

use crate::test::{Defect, Test, sha256};
use serde::Deserialize;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::path::Path;

/// One file of vectors.
#[derive(Clone, Debug)]
pub struct File {
    /// Its name in data/.
    pub name: String,
    /// Where its values come from.
    pub sources: Vec<String>,
    /// Its tests, in order.
    pub tests: Vec<Test>,
}

#[derive(Deserialize)]
struct Manifest {
    schema: String,
    tests: usize,
    files: Vec<Entry>,
}

#[derive(Deserialize)]
struct Entry {
    file: String,
    tests: usize,
    results: BTreeMap<String, usize>,
    size: usize,
    sha256: String,
}

#[derive(Deserialize)]
struct Head {
    schema: String,
    algorithm: String,
    mode: String,
    sources: Vec<String>,
    #[serde(rename = "numberOfTests")]
    number_of_tests: usize,
    tests: Vec<Map<String, Value>>,
}

/// All files in the order of MANIFEST.
pub fn load() -> Result<Vec<File>, Defect> {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("data");
    let read = |name: &str| {
        std::fs::read(data.join(name)).map_err(|error| Defect(format!("{name}: {error}")))
    };
    let manifest: Manifest = serde_json::from_slice(&read("MANIFEST")?)
        .map_err(|error| Defect(format!("MANIFEST: {error}")))?;
    if manifest.schema != "gost-kat-manifest/1" {
        return Err(Defect(format!("MANIFEST: schema {}", manifest.schema)));
    }
    let files = manifest
        .files
        .iter()
        .map(|entry| {
            read(&entry.file)
                .and_then(|bytes| parse(entry, &bytes))
                .map_err(|Defect(what)| Defect(format!("{}: {what}", entry.file)))
        })
        .collect::<Result<Vec<_>, _>>()?;
    let tests: usize = files.iter().map(|file| file.tests.len()).sum();
    if tests != manifest.tests {
        return Err(Defect(format!("MANIFEST: {} tests promised, {tests} found", manifest.tests)));
    }
    Ok(files)
}

fn parse(entry: &Entry, bytes: &[u8]) -> Result<File, Defect> {
    let ensure =
        |holds: bool, what: &str| if holds { Ok(()) } else { Err(Defect(what.to_string())) };
    ensure(bytes.len() == entry.size, "another length than in MANIFEST")?;
    ensure(sha256(bytes) == entry.sha256, "another SHA-256 than in MANIFEST")?;
    let head: Head = serde_json::from_slice(bytes).map_err(|error| Defect(error.to_string()))?;
    ensure(head.schema == "gost-kat/1", "unknown schema")?;
    let tests =
        head.tests.iter().map(|fields| test(&head, fields)).collect::<Result<Vec<_>, _>>()?;
    let mut results = BTreeMap::new();
    for test in &tests {
        *results.entry(test.fields["result"].as_str().unwrap_or("").to_string()).or_insert(0) += 1;
    }
    ensure(tests.len() == head.number_of_tests, "another number of tests than in its head")?;
    ensure(tests.len() == entry.tests, "another number of tests than in MANIFEST")?;
    ensure(results == entry.results, "other results than in MANIFEST")?;
    Ok(File { name: entry.file.clone(), sources: head.sources, tests })
}

fn test(head: &Head, fields: &Map<String, Value>) -> Result<Test, Defect> {
    let id = fields.get("id").and_then(Value::as_u64).ok_or(Defect("a test without id".into()))?;
    let own = |field: &str, file: &str| {
        fields.get(field).and_then(Value::as_str).unwrap_or(file).to_string()
    };
    let field = |name: &str| fields.get(name).cloned().unwrap_or(Value::Null);
    let verdict = serde_json::from_value(field("result"))
        .map_err(|error| Defect(format!("test {id}: {error}")))?;
    let flags = match field("flags") {
        Value::Null => Vec::new(),
        flags => {
            serde_json::from_value(flags).map_err(|error| Defect(format!("test {id}: {error}")))?
        }
    };
    Ok(Test {
        id,
        algorithm: own("algorithm", &head.algorithm),
        mode: own("mode", &head.mode),
        verdict,
        flags,
        fields: fields.clone(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One byte changed anywhere is noticed, and so is a missing one.
    #[test]
    fn an_altered_file_is_refused() {
        let bytes = br#"{"schema":"gost-kat/1","algorithm":"A","mode":"M","sources":[],
            "numberOfTests":1,"tests":[{"id":1,"result":"valid"}]}"#;
        let entry = |bytes: &[u8]| Entry {
            file: "a.json".into(),
            tests: 1,
            results: BTreeMap::from([("valid".into(), 1)]),
            size: bytes.len(),
            sha256: sha256(bytes),
        };
        assert!(parse(&entry(bytes), bytes).is_ok());
        let mut altered = bytes.to_vec();
        altered[25] ^= 1;
        assert!(parse(&entry(bytes), &altered).is_err());
        assert!(parse(&entry(bytes), &bytes[1..]).is_err());
        let other = Entry { results: BTreeMap::from([("invalid".into(), 1)]), ..entry(bytes) };
        assert!(parse(&other, bytes).is_err());
    }

    #[test]
    fn the_whole_of_it() {
        let files = load().expect("the vectors are whole");
        let tests: usize = files.iter().map(|file| file.tests.len()).sum();
        let told = format!("\n{tests} tests in {} files,", files.len());
        assert!(include_str!("../README.md").contains(&told), "README.md: not{told}");
        assert!(files.iter().all(|file| !file.tests.is_empty()));
    }
}
