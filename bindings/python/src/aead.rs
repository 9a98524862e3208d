//! Authenticated encryption.

use std::ops::Range;
use std::sync::Arc;

use bulat::algorithm::{AeadSession, Key, Kind, Message, UnverifiedSession, Work};
use bulat::batch::Text;
use bulat::{Direction, Error};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::algorithm::{Lengths, Options, explained, find, options, parameters};
use crate::batch::prepared;
use crate::border::{
    Input, LARGE, Name, Number, Output, Shared, detached, exactly, given, in_pieces, part, through,
    wiped,
};
use crate::errors::{Class, refused};
use crate::fresh::Fresh;
use crate::mac::not_right;

/// A key of authenticated encryption, as in `cryptography`: prepared once, for any number of messages, from any thread. A nonce
/// must never repeat under one key.
///
/// >>> a = Aead("kuznyechik-mgm", bytes(32))
/// >>> sealed = a.encrypt(bytes(16), b"attack at dawn", b"header")
/// >>> a.decrypt(bytes(16), sealed, b"header")
/// b'attack at dawn'
#[pyclass(module = "bulat", frozen, subclass)]
pub(crate) struct Aead {
    pub(crate) key: Arc<Key>,
}

impl Aead {
    /// Begins a message. A wrong nonce is reported before any other error.
    fn begin(
        &self,
        py: Python<'_>,
        way: Direction,
        nonce: &[u8],
        aad: &[u8],
    ) -> PyResult<AeadSession> {
        let session = wiped(|| self.key.session(way, nonce).and_then(|s| s.aead()));
        let lengths = Lengths::default().iv(nonce.len());
        let algorithm = self.key.algorithm();
        let mut session =
            session.map_err(|e| explained(e, algorithm, lengths, &Options::default()))?;
        if !aad.is_empty() {
            self.authenticates()?;
            in_pieces(py, aad.len(), |range| session.aad(&aad[range]))?;
        }
        Ok(session)
    }
    /// Runs a message of few bytes under the key itself: a session would copy the key. CMS's algorithm derives keys on
    /// the stack.
    fn short(&self, nonce: &[u8], work: Work<'_>) -> PyResult<()> {
        let run = || Message { key: &self.key, iv: nonce, work }.run();
        let done = if self.authenticates().is_ok() { run() } else { wiped(run) };
        let lengths = Lengths::default().iv(nonce.len());
        done.map_err(|e| explained(e, self.key.algorithm(), lengths, &Options::default()))
    }
    /// Refuses associated data for CMS's algorithm, which has none; only that algorithm has sections.
    fn authenticates(&self) -> PyResult<()> {
        let algorithm = self.key.algorithm();
        if parameters(algorithm).contains(&"section") {
            let words = format!("associated_data: {} has none", algorithm.name);
            return Err(Class::InvalidInput.error(words));
        }
        Ok(())
    }
    /// Splits a sealed text into ciphertext and tag.
    fn split<'a>(&self, sealed: &'a [u8]) -> PyResult<(&'a [u8], &'a [u8])> {
        // A message shorter than a tag cannot be authentic.
        let n = sealed.len().checked_sub(self.key.tag_len()).ok_or(Error::Verify);
        Ok(sealed.split_at(n.map_err(refused)?))
    }
}

#[pymethods]
impl Aead {
    #[new]
    #[pyo3(signature = (name, key, *, tag_size=None, section=None))]
    fn new(
        name: Name,
        key: Input,
        tag_size: Option<Number<usize>>,
        section: Option<Number<usize>>,
    ) -> PyResult<Self> {
        let options = options!(tag_size section;);
        Ok(Aead { key: prepared(find(&name, &[Kind::Aead])?, &key, &options)? })
    }
    /// Encrypts a message. Returns its ciphertext, then its tag.
    #[pyo3(signature = (nonce, data, associated_data=None))]
    fn encrypt<'py>(
        &self,
        py: Python<'py>,
        nonce: Input,
        data: Input,
        associated_data: Option<Input>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let (nonce, text, aad) = (nonce.bytes(), data.bytes(), given(&associated_data));
        let tag_len = self.key.tag_len();
        if text.len().max(aad.len()) < LARGE && (aad.is_empty() || self.authenticates().is_ok()) {
            return PyBytes::new_with(py, text.len() + tag_len, |out| {
                let (out, tag) = out.split_at_mut(text.len());
                self.short(nonce, Work::Seal(aad, Text::Apart(text, out), tag))
            });
        }
        let mut out = Fresh::new(py, text.len().saturating_add(tag_len))?;
        let mut place = out.place();
        let mut session = self.begin(py, Direction::Encrypt, nonce, aad)?;
        in_pieces(py, text.len(), |range| place.seal(&mut session, range.start, &text[range]))?;
        place.tag(text.len(), &session.finalize().map_err(refused)?);
        out.finish(text.len() + tag_len)
    }
    /// Checks the tag at the end of a message and decrypts it; raises `InvalidTag`.
    #[pyo3(signature = (nonce, data, associated_data=None))]
    fn decrypt<'py>(
        &self,
        py: Python<'py>,
        nonce: Input,
        data: Input,
        associated_data: Option<Input>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let (nonce, aad) = (nonce.bytes(), given(&associated_data));
        let whole = data.len().max(aad.len()) < LARGE && data.len() >= self.key.tag_len();
        if whole && (aad.is_empty() || self.authenticates().is_ok()) {
            let (text, tag) = self.split(data.bytes())?;
            return PyBytes::new_with(py, text.len(), |out| {
                self.short(nonce, Work::Open(aad, Text::Apart(text, out), tag))
            });
        }
        let mut session = self.begin(py, Direction::Decrypt, nonce, aad)?;
        let (text, tag) = self.split(data.bytes())?;
        PyBytes::new_with(py, text.len(), |out| {
            let work = || session.open_b2b(text, out, tag);
            detached(py, text.len(), work).map_err(refused)
        })
    }
    /// Encrypts a message into a buffer of the length of text and tag. Returns that length. The text may be the start of the
    /// buffer. After an exception in mid-call, such as that of Ctrl-C, a part of it is ciphertext, and the nonce is used.
    #[pyo3(signature = (nonce, data, associated_data, buffer))]
    fn encrypt_into(
        &self,
        py: Python<'_>,
        nonce: Input,
        data: Input,
        associated_data: Option<Input>,
        mut buffer: Output,
    ) -> PyResult<usize> {
        let n = data.len();
        let whole = n + self.key.tag_len();
        exactly(&buffer, whole)?;
        buffer.apart(&nonce)?;
        associated_data.iter().try_for_each(|aad| buffer.apart(aad))?;
        let (nonce, aad) = (nonce.bytes(), given(&associated_data));
        let mut session = self.begin(py, Direction::Encrypt, nonce, aad)?;
        let (mut text, tag) = through(&data, &mut buffer, n)?;
        in_pieces(py, n, |range| session.update_inout(part(&mut text, range)?))?;
        tag.copy_from_slice(&session.finalize().map_err(refused)?);
        Ok(whole)
    }
    /// Decrypts a message into a buffer of the length of the text. Returns that length. The buffer may be the start of the
    /// message. An exception leaves it unchanged.
    #[pyo3(signature = (nonce, data, associated_data, buffer))]
    fn decrypt_into(
        &self,
        py: Python<'_>,
        nonce: Input,
        data: Input,
        associated_data: Option<Input>,
        mut buffer: Output,
    ) -> PyResult<usize> {
        buffer.apart(&nonce)?;
        associated_data.iter().try_for_each(|aad| buffer.apart(aad))?;
        let aad = given(&associated_data);
        let mut session = self.begin(py, Direction::Decrypt, nonce.bytes(), aad)?;
        let (text, tag) = self.split(data.bytes())?;
        let n = text.len();
        exactly(&buffer, n)?;
        let (mut text, _) = through(&data, &mut buffer, n)?;
        detached(py, n, || session.open_inout(part(&mut text, 0..n)?, tag)).map_err(refused)?;
        Ok(n)
    }
    /// Begins a message to seal in pieces.
    #[pyo3(signature = (nonce, /))]
    fn encryptor(&self, py: Python<'_>, nonce: Input) -> PyResult<SealContext> {
        let session = self.begin(py, Direction::Encrypt, nonce.bytes(), &[])?;
        Ok(SealContext(Shared::new(session)))
    }
    /// Begins a message to decrypt in pieces that come out BEFORE ITS TAG IS CHECKED. Until `verify` of the result returns, the
    /// text may be anything that an attacker wants.
    #[pyo3(signature = (nonce, /))]
    fn unverified_decryptor(&self, py: Python<'_>, nonce: Input) -> PyResult<UnverifiedContext> {
        let session = self.begin(py, Direction::Decrypt, nonce.bytes(), &[])?;
        let session = session.unverified().map_err(refused)?;
        Ok(UnverifiedContext(Shared::new(session)))
    }
    /// The name of the algorithm.
    #[getter]
    fn name(&self) -> &'static str {
        self.key.algorithm().name
    }
    /// The length of a tag in bytes.
    #[getter]
    fn tag_size(&self) -> usize {
        self.key.tag_len()
    }
    /// The length of a nonce in bytes.
    #[getter]
    fn nonce_size(&self) -> usize {
        self.key.algorithm().iv.usual()
    }
    fn __repr__(&self) -> String {
        format!("<bulat.Aead {}>", self.key.algorithm().name)
    }
}

/// A message that is sealed in pieces. Threads may share it; pieces are processed in the order of their calls.
///
/// >>> e = Aead("magma-mgm", bytes(32)).encryptor(bytes(8))
/// >>> e.update_aad(b"header")
/// >>> sealed = e.update(b"attack ") + e.update(b"at dawn") + e.finalize()
/// >>> Aead("magma-mgm", bytes(32)).decrypt(bytes(8), sealed, b"header")
/// b'attack at dawn'
#[pyclass(module = "bulat", frozen)]
pub(crate) struct SealContext(Shared<AeadSession>);

#[pymethods]
impl SealContext {
    /// Adds the next piece of the associated data. All of it comes before the text.
    #[pyo3(signature = (data, /))]
    fn update_aad(&self, py: Python<'_>, data: Input) -> PyResult<()> {
        let aad = data.bytes();
        self.0.pieces(py, aad.len(), |session, range| session.aad(&aad[range]))
    }
    /// Encrypts the next piece.
    #[pyo3(signature = (data, /))]
    fn update<'py>(&self, py: Python<'py>, data: Input) -> PyResult<Bound<'py, PyBytes>> {
        let text = data.bytes();
        let mut out = Fresh::new(py, text.len())?;
        let mut place = out.place();
        let seal =
            |session: &mut _, range: Range<usize>| place.seal(session, range.start, &text[range]);
        self.0.pieces(py, text.len(), seal)?;
        out.finish(text.len())
    }
    /// Encrypts the next piece into a buffer, which is the piece itself or does not overlap it. Returns the number of bytes. An
    /// exception in mid-call, such as that of Ctrl-C, ends the message.
    #[pyo3(signature = (data, buffer, /))]
    fn update_into(&self, py: Python<'_>, data: Input, mut buffer: Output) -> PyResult<usize> {
        let n = data.len();
        let (mut text, _) = through(&data, &mut buffer, n)?;
        let update = |session: &mut AeadSession, range: Range<usize>| {
            session.update_inout(part(&mut text, range)?)
        };
        self.0.pieces_into(py, n, update, |session| drop(session.finalize()))?;
        Ok(n)
    }
    /// Ends the message. Returns its tag.
    fn finalize<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let tag = self.0.with(py, 0, AeadSession::finalize)?.map_err(refused)?;
        Ok(PyBytes::new(py, &tag))
    }
    fn __repr__(&self) -> &'static str {
        "<bulat.SealContext>"
    }
}

/// A message that is decrypted in pieces, which come out before its tag is checked.
#[pyclass(module = "bulat", frozen)]
pub(crate) struct UnverifiedContext(Shared<UnverifiedSession>);

#[pymethods]
impl UnverifiedContext {
    /// Adds the next piece of the associated data. All of it comes before the text.
    #[pyo3(signature = (data, /))]
    fn update_aad(&self, py: Python<'_>, data: Input) -> PyResult<()> {
        let aad = data.bytes();
        self.0.pieces(py, aad.len(), |session, range| session.aad(&aad[range]))
    }
    /// Decrypts the next piece, unverified.
    #[pyo3(signature = (data, /))]
    fn update<'py>(&self, py: Python<'py>, data: Input) -> PyResult<Bound<'py, PyBytes>> {
        let text = data.bytes();
        PyBytes::new_with(py, text.len(), |out| {
            self.0.pieces(py, text.len(), |session, range| {
                session.update_b2b(&text[range.clone()], &mut out[range])
            })
        })
    }
    /// Decrypts the next piece, unverified, into a buffer, which is the piece itself or does not overlap it. Returns the number of
    /// bytes. An exception in mid-call, such as that of Ctrl-C, ends the message.
    #[pyo3(signature = (data, buffer, /))]
    fn update_into(&self, py: Python<'_>, data: Input, mut buffer: Output) -> PyResult<usize> {
        let n = data.len();
        let (mut text, _) = through(&data, &mut buffer, n)?;
        let update = |session: &mut UnverifiedSession, range: Range<usize>| {
            session.update_inout(part(&mut text, range)?)
        };
        // After that no tag verifies.
        let end = |session: &mut UnverifiedSession| {
            let _ = session.verify(&vec![0; session.tag_len()]);
        };
        self.0.pieces_into(py, n, update, end)?;
        Ok(n)
    }
    /// Ends the message and compares its tag in constant time. Raises `InvalidTag`: then discard the text.
    #[pyo3(signature = (tag, /))]
    fn verify(&self, py: Python<'_>, tag: Input) -> PyResult<()> {
        let tag = tag.bytes();
        self.0.with(py, 0, |session| session.verify(tag))?.map_err(|e| refused(not_right(e)))
    }
    fn __repr__(&self) -> &'static str {
        "<bulat.UnverifiedContext>"
    }
}
