//! Encryption without authentication.

use std::ops::Range;

use bulat::algorithm::{Algorithm, CipherSession, Key, Kind};
use bulat::{Direction, Error};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::algorithm::{Lengths, Options, PaddingName, SboxesName, explained, find, options};
use crate::border::{
    Given, Input, Name, Number, Output, Shared, destination, in_pieces, part, through, wiped,
};
use crate::errors::{Class, refused};
use crate::fresh::{Fresh, shortened};

/// A cipher under a key and an IV, as in `cryptography`. It holds no message, so threads may share it.
///
/// >>> c = Cipher("kuznyechik-ctr", bytes(32), b"8 bytes!")
/// >>> e, d = c.encryptor(), c.decryptor()
/// >>> d.update(e.update(b"attack at dawn"))
/// b'attack at dawn'
#[pyclass(module = "bulat", frozen)]
pub(crate) struct Cipher {
    key: Key,
    iv: Vec<u8>,
}

#[pymethods]
impl Cipher {
    #[new]
    #[pyo3(
        signature = (name, key, iv=Given::default(), *, padding=None, s=None, section=None, sboxes=None, meshing=None),
        text_signature = "(name, key, iv=b'', *, padding='none', s=None, section=None, sboxes=None, meshing=None)"
    )]
    fn new(
        name: Name,
        key: Input,
        iv: Given,
        padding: Option<PaddingName>,
        s: Option<Number<usize>>,
        section: Option<Number<usize>>,
        sboxes: Option<SboxesName>,
        meshing: Option<bool>,
    ) -> PyResult<Self> {
        let options = options!(s section; padding sboxes meshing);
        let algorithm = find(&name, &[Kind::Cipher])?;
        let iv = iv.bytes().to_vec();
        let lengths = Lengths::key(key.len()).iv(iv.len());
        // Report a wrong IV now, not with the first message.
        let made = || {
            let key = algorithm.key(&options.params(key.bytes()))?;
            key.session(Direction::Encrypt, &iv)?;
            Ok(key)
        };
        let key = wiped(made).map_err(|e| explained(e, algorithm, lengths, &options))?;
        Ok(Cipher { key, iv })
    }
    /// Begins a message to encrypt.
    fn encryptor(&self) -> PyResult<CipherContext> {
        self.context(Direction::Encrypt)
    }
    /// Begins a message to decrypt.
    fn decryptor(&self) -> PyResult<CipherContext> {
        self.context(Direction::Decrypt)
    }
    /// The name of the algorithm.
    #[getter]
    fn name(&self) -> &'static str {
        self.key.algorithm().name
    }
    /// The length of a block in bytes.
    #[getter]
    fn block_size(&self) -> usize {
        self.key.algorithm().block
    }
    fn __repr__(&self) -> String {
        format!("<bulat.Cipher {}>", self.key.algorithm().name)
    }
}

impl Cipher {
    fn context(&self, way: Direction) -> PyResult<CipherContext> {
        let session = wiped(|| self.key.session(way, &self.iv).and_then(|s| s.cipher()));
        let session = session.map_err(refused)?;
        let held = session.held();
        let algorithm = self.key.algorithm();
        Ok(CipherContext {
            algorithm,
            session: Shared::new(Begun { session, finished: false }),
            held,
        })
    }
}

/// A message, and whether it has ended: stream modes do not track that.
#[derive(Clone)]
struct Begun {
    session: CipherSession,
    finished: bool,
}

impl Begun {
    fn open(&mut self) -> Result<&mut CipherSession, Error> {
        if self.finished { Err(Error::Finished) } else { Ok(&mut self.session) }
    }
}

/// A message under a cipher, in one direction. Threads may share it; pieces are processed in the order of their calls.
#[pyclass(module = "bulat", frozen)]
pub(crate) struct CipherContext {
    algorithm: &'static Algorithm,
    session: Shared<Begun>,
    held: usize,
}

#[pymethods]
impl CipherContext {
    /// Transforms the next piece. If the cipher works on whole blocks, a partial block comes out with a later piece.
    #[pyo3(signature = (data, /))]
    fn update<'py>(&self, py: Python<'py>, data: Input) -> PyResult<Bound<'py, PyBytes>> {
        let source = data.bytes();
        let mut out = Fresh::new(py, source.len())?;
        let (mut place, mut done) = (out.place(), 0);
        self.session.pieces(py, source.len(), |begun, range| {
            done += place.update(begun.open()?, done, &source[range])?;
            Ok(())
        })?;
        out.finish(done)
    }
    /// Transforms the next piece into a buffer of at least its length, which is the piece itself or does not overlap it. Returns
    /// the number of bytes written. An exception in mid-call, such as that of Ctrl-C, ends the message.
    #[pyo3(signature = (data, buffer, /))]
    fn update_into(&self, py: Python<'_>, data: Input, mut buffer: Output) -> PyResult<usize> {
        let n = data.len();
        let (mut text, _) = through(&data, &mut buffer, n)?;
        let mut done = 0;
        let update = |begun: &mut Begun, range: Range<usize>| {
            let at = range.start;
            let new = begun.open()?.update_inout(part(&mut text, range)?)?;
            // With whole blocks, output lags by the bytes of the held block.
            if done < at {
                destination(&mut text).copy_within(at..at + new, done);
            }
            done += new;
            Ok(())
        };
        self.session.pieces_into(py, n, update, |begun| begun.finished = true)?;
        Ok(done)
    }
    /// Ends the message. Returns the rest of the text.
    fn finalize<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let mut out = vec![0; self.held];
        let end = |begun: &mut Begun| {
            let n = begun.open()?.finalize(&mut out)?;
            begun.finished = true;
            Ok(n)
        };
        let n = self.session.with(py, 0, end)?;
        let n = n.map_err(|e| match e {
            Error::DataLength => {
                let block = self.algorithm.block;
                let words = format!("data: in all not a multiple of {block} bytes");
                Class::InvalidInput.error(format_args!("{words} ({})", self.algorithm.name))
            }
            e => refused(e),
        })?;
        Ok(PyBytes::new(py, &out[..n]))
    }
    /// Begins a new message under this key.
    #[pyo3(signature = (iv, /))]
    fn reset(&self, py: Python<'_>, iv: Input) -> PyResult<()> {
        let iv = iv.bytes();
        let again = |begun: &mut Begun| {
            begun.session.reset(iv)?;
            begun.finished = false;
            Ok(())
        };
        let lengths = Lengths::default().iv(iv.len());
        let options = Options::default();
        self.session
            .with(py, 0, again)?
            .map_err(|e| explained(e, self.algorithm, lengths, &options))
    }
    fn __repr__(&self) -> &'static str {
        "<bulat.CipherContext>"
    }
}

macro_rules! one_shot {
    ($(#[$doc:meta])* $name:ident, $way:expr) => {
        $(#[$doc])*
        #[pyfunction]
        #[pyo3(
            signature = (name, key, data, iv=Given::default(), *, padding=None, s=None, section=None, sboxes=None, meshing=None),
            text_signature = "(name, key, data, iv=b'', *, padding='none', s=None, section=None, sboxes=None, meshing=None)"
        )]
        pub(crate) fn $name<'py>(
            py: Python<'py>,
            name: Name,
            key: Input,
            data: Input,
            iv: Given,
            padding: Option<PaddingName>,
            s: Option<Number<usize>>,
            section: Option<Number<usize>>,
            sboxes: Option<SboxesName>,
            meshing: Option<bool>,
        ) -> PyResult<Bound<'py, PyBytes>> {
            let options = options!(s section; padding sboxes meshing);
            whole(py, find(&name, &[Kind::Cipher])?, $way, &key, &iv, &options, &data)
        }
    };
}

one_shot!(
    /// Encrypts a message in one call. Nothing authenticates it.
    ///
    /// >>> encrypt("magma-cbc", bytes(32), b"text", bytes(8), padding="pkcs7").hex()
    /// 'cd928545ee7ad686'
    encrypt, Direction::Encrypt
);
one_shot!(
    /// Decrypts a message in one call. Nothing authenticates it.
    decrypt, Direction::Decrypt
);

fn whole<'py>(
    py: Python<'py>,
    algorithm: &'static Algorithm,
    way: Direction,
    key: &Input,
    iv: &Given,
    options: &Options,
    data: &Input,
) -> PyResult<Bound<'py, PyBytes>> {
    let params = options.params(key.bytes()).iv(iv.bytes()).direction(way);
    let lengths = Lengths::key(key.len()).iv(iv.bytes().len()).data(data.len());
    let refuse = |e| explained(e, algorithm, lengths, options);
    let session = wiped(|| algorithm.session(&params).and_then(|s| s.cipher()));
    let mut session = session.map_err(refuse)?;
    let source = data.bytes();
    let held = session.held();
    if held == 0 {
        let mut out = Fresh::new(py, source.len())?;
        let (mut place, mut done) = (out.place(), 0);
        wiped(|| {
            in_pieces(py, source.len(), |range| {
                done += place.update(&mut session, done, &source[range])?;
                Ok(())
            })
        })?;
        return out.finish(done);
    }
    let most = source.len().checked_add(held).ok_or_else(|| refused(Error::DataLength))?;
    shortened(py, most, |out| {
        let mut done = 0;
        wiped(|| {
            in_pieces(py, source.len(), |range| {
                let out = &mut out[done..done + range.len()];
                done += session.update_b2b(&source[range], out)?;
                Ok(())
            })?;
            Ok(done + session.finalize(&mut out[done..]).map_err(refuse)?)
        })
    })
}
