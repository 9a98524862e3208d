//! The table of algorithms for Python, and its options as parameters of the library.

use bulat::algorithm::{ALGORITHMS, Algorithm, Iv, Kind, MAX_REGISTER, Padding, Params};
use bulat::{Error, ParamSet, Sboxes};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::border::{Input, Name};
use crate::errors::{Class, refused};

/// A line of the table of algorithms.
#[pyclass(name = "Algorithm", module = "bulat", frozen, eq, hash)]
#[derive(PartialEq, Eq, Hash)]
pub(crate) struct PyAlgorithm(usize);

impl PyAlgorithm {
    fn line(&self) -> &'static Algorithm {
        &ALGORITHMS[self.0]
    }
}

#[pymethods]
impl PyAlgorithm {
    /// The name, lower case.
    #[getter]
    fn name(&self) -> &'static str {
        self.line().name
    }
    /// Other names that tools use.
    #[getter]
    fn aliases<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.line().aliases)
    }
    /// The object identifier, dotted.
    #[getter]
    fn oid(&self) -> Option<&'static str> {
        self.line().oid
    }
    /// The kind: hash, mac, cipher, aead, kdf or wrap.
    #[getter]
    fn kind(&self) -> &'static str {
        self.line().kind.word()
    }
    /// The length of a key in bytes; 0: no key, or any length.
    #[getter]
    fn key_size(&self) -> usize {
        self.line().key
    }
    /// The length of the usual IV or nonce in bytes; 0: none.
    #[getter]
    fn iv_size(&self) -> usize {
        self.line().iv.usual()
    }
    /// The lengths that an IV may have, in bytes.
    #[getter]
    fn iv_sizes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let (from, to, step) = self.line().iv.range();
        py.import("builtins")?.getattr("range")?.call1((from, to + 1, step))
    }
    /// The lengths that a tag may have, in bytes; empty: no tag.
    #[getter]
    fn tag_sizes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let tags = &self.line().tags;
        py.import("builtins")?.getattr("range")?.call1((*tags.start(), tags.end() + 1))
    }
    /// The length of a block in bytes.
    #[getter]
    fn block_size(&self) -> usize {
        self.line().block
    }
    /// The length in bytes of a digest, of the usual tag, of the derived key or of the wrapped secret; 0: any length, or none.
    #[getter]
    fn output_size(&self) -> usize {
        self.line().out
    }
    /// The names of its rarer parameters.
    #[getter]
    fn parameters<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, parameters(self.line()))
    }
    /// The standard and its clause, or a warning.
    #[getter]
    fn note(&self) -> &'static str {
        self.line().note
    }
    fn __repr__(&self) -> String {
        format!("<bulat.Algorithm {}: {}>", self.line().name, self.kind())
    }
}

/// Every algorithm by its name.
pub(crate) fn table(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let table = PyDict::new(py);
    for (i, algorithm) in ALGORITHMS.iter().enumerate() {
        table.set_item(algorithm.name, PyAlgorithm(i))?;
    }
    Ok(table)
}

/// Returns the names of an algorithm's rarer parameters. A test compares them with the parameters that it accepts.
pub(crate) fn parameters(a: &Algorithm) -> &'static [&'static str] {
    let old = a.name.starts_with("gost89") || a.name.starts_with("gost-mac");
    let mode = a.name.split_once('-').map_or("", |(_, mode)| mode);
    match (a.kind, mode) {
        (Kind::Hash, _) if a.name.starts_with("gost94") => &["sboxes"],
        (Kind::Mac, _) if old => &["iv", "tag_size", "sboxes", "meshing"],
        (Kind::Mac, "omac-acpkm") => &["tag_size", "section", "period"],
        (Kind::Mac, _) => &["tag_size"],
        (Kind::Aead, "mgm") => &["tag_size"],
        (Kind::Aead, _) => &["tag_size", "section"],
        (Kind::Cipher, "cbc") if old => &["padding", "sboxes", "meshing"],
        (Kind::Cipher, "ecb") if old => &["padding", "sboxes"],
        (Kind::Cipher, _) if old => &["sboxes", "meshing"],
        (Kind::Cipher, "ecb" | "cbc") => &["padding"],
        (Kind::Cipher, "ctr" | "cfb" | "ofb") => &["s"],
        (Kind::Cipher, "ctr-acpkm") => &["s", "section"],
        (Kind::Kdf, "tree") => &["label", "seed", "counter"],
        (Kind::Kdf, _) if a.name == "tlstree" => &["masks", "record"],
        (Kind::Kdf, _) if a.name.starts_with("pbkdf2") => &["salt", "iterations"],
        (Kind::Kdf, _) if a.name.starts_with("hkdf") => &["salt", "seed"],
        (Kind::Kdf, _) if a.name.starts_with("prf-plus") => &["seed"],
        (Kind::Kdf, _) => &["label", "seed"],
        (Kind::Wrap, "keywrap") => &["sboxes"],
        _ => &[],
    }
}

/// Returns the algorithm of this name, alias or OID, which must be of this kind.
pub(crate) fn find(name: &str, wanted: &[Kind]) -> PyResult<&'static Algorithm> {
    let found = bulat::algorithm(name).map_err(|e| {
        // This does not print a key that was passed as the name.
        let key = name.len() >= 32 && name.bytes().all(|c| c.is_ascii_hexdigit());
        let shown = if key { "the name" } else { name };
        Class::InvalidInput.error(format_args!("{shown}: {e}"))
    })?;
    if wanted.contains(&found.kind) {
        return Ok(found);
    }
    let (is, wanted) = (found.kind.word(), wanted.iter().map(|k| k.word()).collect::<Vec<_>>());
    Err(Class::InvalidInput.error(format_args!("{name}: {is}, not {}", wanted.join(" or "))))
}

/// The lengths of the arguments of a refused call.
#[derive(Clone, Copy, Default)]
pub(crate) struct Lengths {
    pub(crate) key: Option<usize>,
    pub(crate) iv: Option<usize>,
    pub(crate) data: Option<usize>,
}

impl Lengths {
    pub(crate) fn key(n: usize) -> Self {
        Lengths { key: Some(n), ..Lengths::default() }
    }
    pub(crate) fn iv(self, n: usize) -> Self {
        Lengths { iv: Some(n), ..self }
    }
    pub(crate) fn data(self, n: usize) -> Self {
        Lengths { data: Some(n), ..self }
    }
}

/// Returns the lengths of an IV in words.
fn iv_words(iv: Iv) -> String {
    match iv {
        Iv::None => "it has none".into(),
        Iv::Exact(n) => format!("not {n}"),
        Iv::Optional(n) => format!("not 0 or {n}"),
        Iv::Multiple(n) => format!("not a multiple of {n} up to {}", MAX_REGISTER / n * n),
        Iv::Between(from, to) => format!("not {from} to {to}"),
    }
}

/// Converts an error of the library: names the parameter, its value and the expected values.
pub(crate) fn explained(e: Error, a: &'static Algorithm, n: Lengths, options: &Options) -> PyErr {
    let name = a.name;
    let words = match (e, n) {
        (Error::KeyLength, Lengths { key: Some(n), .. }) if a.key > 0 => {
            format!("key: {n} bytes, not {} ({name})", a.key)
        }
        (Error::IvLength, Lengths { iv: Some(n), .. }) => {
            let what = if a.kind == Kind::Aead { "nonce" } else { "iv" };
            format!("{what}: {n} bytes, {} ({name})", iv_words(a.iv))
        }
        (Error::TagLength, _) if options.tag_size.is_some() => {
            let (first, last) = (a.tags.start(), a.tags.end());
            let wanted =
                if first == last { format!("{first}") } else { format!("{first} to {last}") };
            format!("tag_size: {}, not {wanted} ({name})", options.tag_size.unwrap_or_default())
        }
        (Error::DataLength, Lengths { data: Some(n), .. }) if name.ends_with("-xts") => {
            format!("data: {n} bytes, not {} or more ({name})", a.block)
        }
        (Error::DataLength, Lengths { data: Some(n), .. }) => {
            format!("data: {n} bytes, not a multiple of {} ({name} without padding)", a.block)
        }
        (Error::Parameter, _) => return options.refused(a),
        _ => return refused(e),
    };
    Class::InvalidInput.error(words)
}

/// The error for a parameter that an algorithm does not have.
pub(crate) fn unknown(a: &Algorithm, parameter: &str) -> PyErr {
    let knows = match parameters(a) {
        [] => "none".into(),
        some => some.join(", "),
    };
    Class::InvalidInput
        .error(format_args!("{parameter}: no parameter of {}, which has {knows}", a.name))
}

/// Options from variables of their names: numbers, then others.
macro_rules! options {
    ($($number:ident)*; $($other:ident)*) => {
        $crate::algorithm::Options {
            $($number: $crate::border::number($number),)*
            $($other,)*
            ..Default::default()
        }
    };
}
pub(crate) use options;

/// The rarer parameters, by their names in Python.
#[derive(Default)]
pub(crate) struct Options {
    pub(crate) tag_size: Option<usize>,
    pub(crate) s: Option<usize>,
    pub(crate) section: Option<usize>,
    pub(crate) period: Option<usize>,
    pub(crate) padding: Option<PaddingName>,
    pub(crate) sboxes: Option<SboxesName>,
    pub(crate) meshing: Option<bool>,
}

impl Options {
    pub(crate) fn params<'a>(&self, key: &'a [u8]) -> Params<'a> {
        Params {
            tag_len: self.tag_size,
            s: self.s,
            section: self.section,
            period: self.period,
            padding: self.padding.as_ref().map_or(Padding::None, |p| p.0),
            sboxes: self.sboxes.as_ref().map(|s| s.0.clone()),
            meshing: self.meshing,
            ..Params::new(key)
        }
    }
    /// Returns the parameter that an algorithm refuses: it does not have it, or the value is out of range.
    fn refused(&self, a: &'static Algorithm) -> PyErr {
        let padding = self.padding.as_ref().map(|p| format!("{:?}", p.0));
        let number = |n: &Option<usize>| n.map(|n| n.to_string());
        let given = [
            ("tag_size", number(&self.tag_size)),
            ("s", number(&self.s)),
            ("section", number(&self.section)),
            ("period", number(&self.period)),
            ("padding", padding.filter(|_| self.params(&[]).padding != Padding::None)),
            ("sboxes", self.sboxes.is_some().then(String::new)),
            ("meshing", self.meshing.map(|m| m.to_string())),
        ];
        let given = given.into_iter().filter_map(|(name, value)| Some((name, value?)));
        let known = |name: &str| parameters(a).contains(&name);
        let given: Vec<_> = given.collect();
        if let Some((name, _)) = given.iter().find(|(name, _)| !known(name)) {
            return unknown(a, name);
        }
        let some: Vec<_> = given.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let note = match a.block {
            0 => String::new(),
            block => format!(" (blocks of {block} bytes)"),
        };
        let words =
            format!("{}: outside the standard's range for {}{note}", some.join(", "), a.name);
        Class::InvalidInput.error(words)
    }
}

/// Returns a padding by its name.
pub(crate) struct PaddingName(Padding);

impl<'a, 'py> FromPyObject<'a, 'py> for PaddingName {
    type Error = PyErr;
    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        let name: Name = object.extract()?;
        Ok(PaddingName(match &*name {
            "none" => Padding::None,
            "pkcs7" => Padding::Pkcs7,
            "1" => Padding::Procedure1,
            "2" => Padding::Procedure2,
            "3" => Padding::Procedure3,
            _ => {
                let words = format!("padding {}: none, pkcs7, 1, 2 or 3", &*name);
                return Err(Class::InvalidInput.error(words));
            }
        }))
    }
}

/// Returns S-boxes by the name of their set, or from eight rows of 16 bytes.
pub(crate) struct SboxesName(pub(crate) Sboxes);

impl<'a, 'py> FromPyObject<'a, 'py> for SboxesName {
    type Error = PyErr;
    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(rows) = object.extract::<Input>() {
            let rows: &[u8; 128] = rows.bytes().try_into().map_err(|_| {
                Class::InvalidInput
                    .error("S-boxes: eight rows of 16 bytes, the first for the lowest four bits")
            })?;
            let rows = rows.as_chunks::<16>().0;
            let rows: [[u8; 16]; 8] = rows.try_into().map_err(|_| refused(bulat::Error::Sbox))?;
            return Ok(SboxesName(Sboxes::new(rows).map_err(refused)?));
        }
        let name: Name = object.extract()?;
        let set = ParamSet::find(&name).ok_or_else(|| {
            let words = "test, a, b, c, d, z, hash-test or hash-cryptopro";
            Class::InvalidInput.error(format_args!("sboxes {}: no such S-boxes: {words}", &*name))
        })?;
        Ok(SboxesName(set.into()))
    }
}
