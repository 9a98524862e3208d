//! Files under passwords: the functions below `bulat/pkcs.py`.

use bulat_pkcs::pbes2::{Cipher, Pbes2};
use bulat_pkcs::pfx::{self, Attribute, Bag, Content, Pfx};
use bulat_pkcs::pkcs8::{self, PrivateKey};
use bulat_pkcs::{Error, Limits, Scheme, check_new_password, pem};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use zeroize::Zeroizing;

use crate::border::{Input, Name, Number, number, waited, wiped};
use crate::errors::{Class, pkcs as refused};

/// A password: text in UTF-8, or its bytes.
pub(crate) struct Password(pub(crate) Zeroizing<Vec<u8>>);

impl<'a, 'py> FromPyObject<'a, 'py> for Password {
    type Error = PyErr;
    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        Ok(Password(Zeroizing::new(match object.cast::<PyString>() {
            Ok(text) => text.to_str()?.as_bytes().to_vec(),
            Err(_) => object.extract::<Input>()?.bytes().to_vec(),
        })))
    }
}

/// Runs a derivation on another thread, so that Ctrl-C ends the wait.
fn derived<T: Send + 'static>(
    py: Python<'_>,
    f: impl FnOnce() -> Result<T, Error> + Send + 'static,
) -> PyResult<T> {
    waited(py, move || wiped(f))?.map_err(refused)
}

fn limits(max_iterations: u64) -> Limits {
    Limits { iterations: max_iterations, ..Limits::default() }
}

/// Refuses a file that is too long before it is copied.
fn copied(file: &Input) -> PyResult<Zeroizing<Vec<u8>>> {
    let (asked, allowed) = (file.len() as u64, Limits::default().size as u64);
    if asked > allowed {
        return Err(refused(Error::Cost { what: "bytes", asked, allowed }));
    }
    Ok(Zeroizing::new(file.bytes().to_vec()))
}

/// The options of a new file.
fn manner(cipher: &str, iterations: Option<Number<u32>>) -> PyResult<(Cipher, u32)> {
    let found = Cipher::find(cipher).ok_or_else(|| {
        let names: Vec<_> = Cipher::WRITTEN.iter().map(|cipher| cipher.name()).collect();
        Class::InvalidInput.error(format_args!("cipher {cipher}: {}", names.join(", ")))
    })?;
    let iterations = match number(iterations) {
        Some(n) => n,
        None => bulat_container::iterations_of_a_second()
            .map_err(|e| Class::InvalidInput.error(format_args!("iterations: {e}")))?,
    };
    Ok((found, iterations))
}

/// Checks a PrivateKeyInfo. Returns the object identifier of its algorithm, and its name.
#[pyfunction]
pub(crate) fn pkcs_key(der: Input) -> PyResult<(String, String)> {
    let key = PrivateKey::from_der(copied(&der)?).map_err(refused)?;
    Ok((key.algorithm().to_string(), key.algorithm_name()))
}

/// Checks the outer form of a certificate.
#[pyfunction]
pub(crate) fn pkcs_certificate(der: Input) -> PyResult<()> {
    Content::certificate(&copied(&der)?).map(drop).map_err(refused)
}

/// Returns the DER in a PEM file's only block of this label, or DER as it is.
#[pyfunction]
pub(crate) fn pem_one<'py>(
    py: Python<'py>,
    data: Input,
    label: Name,
) -> PyResult<Bound<'py, PyBytes>> {
    let der = pem::one(&copied(&data)?, &label).map_err(refused)?;
    Ok(PyBytes::new(py, &der))
}

/// Returns the blocks of a PEM file: their labels and their DER.
#[pyfunction]
pub(crate) fn pem_blocks<'py>(
    py: Python<'py>,
    data: Input,
) -> PyResult<Vec<(String, Bound<'py, PyBytes>)>> {
    let blocks = pem::decode(&copied(&data)?).map_err(refused)?;
    Ok(blocks.into_iter().map(|(label, der)| (label, PyBytes::new(py, &der))).collect())
}

/// Encodes DER as PEM.
#[pyfunction]
pub(crate) fn pem_encode<'py>(
    py: Python<'py>,
    label: Name,
    der: Input,
) -> PyResult<Bound<'py, PyBytes>> {
    let text = pem::encode(&label, der.bytes()).map_err(refused)?;
    Ok(PyBytes::new(py, &text))
}

/// Encrypts a PrivateKeyInfo.
#[pyfunction]
pub(crate) fn pkcs8_encrypt<'py>(
    py: Python<'py>,
    key: Input,
    password: Password,
    cipher: Name,
    iterations: Option<Number<u32>>,
) -> PyResult<Bound<'py, PyBytes>> {
    check_new_password(&password.0).map_err(refused)?;
    let key = PrivateKey::from_der(copied(&key)?).map_err(refused)?;
    let (cipher, iterations) = manner(&cipher, iterations)?;
    let made = derived(py, move || {
        pkcs8::encrypt(&key, &password.0, &Pbes2::generate(cipher, iterations)?)
    })?;
    Ok(PyBytes::new(py, &made))
}

/// Decrypts an EncryptedPrivateKeyInfo.
#[pyfunction]
pub(crate) fn pkcs8_decrypt<'py>(
    py: Python<'py>,
    sealed: Input,
    password: Password,
    max_iterations: Number<u64>,
) -> PyResult<Bound<'py, PyBytes>> {
    let sealed = copied(&sealed)?;
    let key = derived(py, move || pkcs8::decrypt(&sealed, &password.0, &limits(max_iterations.0)))?;
    Ok(PyBytes::new(py, key.der()))
}

/// The cipher, the derivation and the iterations of an encryption.
type Told = (&'static str, &'static str, u32);

fn told(scheme: &Scheme) -> Told {
    (scheme.cipher(), scheme.kdf(), scheme.iterations())
}

/// Returns the encryption of an EncryptedPrivateKeyInfo, which is not authenticated.
#[pyfunction]
pub(crate) fn pkcs8_info(sealed: Input) -> PyResult<Told> {
    pkcs8::inspect(&copied(&sealed)?).map(|scheme| told(&scheme)).map_err(refused)
}

/// An item of a PFX: "key", "certificate" or "other"; the DER; the object identifier; the name; the ID.
type Item<'py> = (
    &'static str,
    Bound<'py, PyBytes>,
    Option<String>,
    Option<String>,
    Option<Bound<'py, PyBytes>>,
);

/// Opens a PFX. Returns the hash of its MAC, or None, and its items.
#[pyfunction]
pub(crate) fn pkcs12_open<'py>(
    py: Python<'py>,
    file: Input,
    password: Password,
    require_mac: bool,
    max_iterations: Number<u64>,
) -> PyResult<(Option<&'static str>, Vec<Item<'py>>)> {
    let file = copied(&file)?;
    let limits = limits(max_iterations.0);
    if pfx::inspect(&file, &limits).map_err(refused)?.mac.is_none() && require_mac {
        return Err(
            Class::DamagedData.error("the file has no MAC, so that anyone may have changed it")
        );
    }
    let opened = derived(py, move || pfx::open(&file, &password.0, &limits))?;
    let items = opened.bags().map(|bag| {
        let bytes = |bytes: &[u8]| PyBytes::new(py, bytes);
        let (kind, der, oid) = match &bag.content {
            Content::Key(key, _) => ("key", bytes(key.der()), Some(key.algorithm().to_string())),
            Content::Certificate(der) => ("certificate", bytes(der), None),
            Content::Other(kind) => ("other", bytes(b""), Some(kind.to_string())),
            _ => ("other", bytes(b""), None),
        };
        (kind, der, oid, bag.friendly_name(), bag.local_key_id().map(|id| bytes(&id)))
    });
    Ok((opened.mac.as_ref().map(|mac| mac.hash.name()), items.collect()))
}

/// Encrypts items: "key" or "certificate", the DER, the name, the ID. Returns a PFX.
#[pyfunction]
pub(crate) fn pkcs12_seal<'py>(
    py: Python<'py>,
    items: Vec<(Name, Input, Option<Name>, Option<Input>)>,
    password: Password,
    cipher: Name,
    iterations: Option<Number<u32>>,
) -> PyResult<Bound<'py, PyBytes>> {
    check_new_password(&password.0).map_err(refused)?;
    let mut bags = Vec::new();
    for (kind, der, name, id) in items {
        let der = copied(&der)?;
        let content = match &*kind {
            "key" => PrivateKey::from_der(der).map(|key| Content::Key(key, None)),
            _ => Content::certificate(&der),
        };
        let mut attributes = Vec::new();
        attributes.extend(id.map(|id| Attribute::local_key_id(id.bytes())));
        attributes.extend(name.map(|name| Attribute::friendly_name(&name)));
        bags.push(Bag { content: content.map_err(refused)?, attributes });
    }
    let (cipher, iterations) = manner(&cipher, iterations)?;
    let made = derived(py, move || Pfx::protect(bags, cipher, iterations)?.seal(&password.0))?;
    Ok(PyBytes::new(py, &made))
}
