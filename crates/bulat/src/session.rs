//! Sessions: successive messages under an algorithm named at run time. Each kind of session has its own calls. The table
//! of algorithms names the function that opens a session from [`Params`].

use alloc::boxed::Box;

use crate::magma::{ParamSet, Sboxes};
use crate::modes::{AeadMessage, BlockMode, Mac, Meshing, Padding, StreamCipher, both};
use crate::{
    BlockCipher, Direction, Error, Gost94, Gost28147, InOut, Kuznyechik, Magma, Streebog, Tag,
};

pub(crate) type Opened = Result<Session, Error>;

/// The parameters of a session. `None` selects the algorithm's default.
#[derive(Clone)]
pub struct Params<'a> {
    /// The key; empty for a hash.
    pub key: &'a [u8],
    /// The IV, nonce or tweak.
    pub iv: &'a [u8],
    /// Encryption or decryption: ciphers and AEAD.
    pub direction: Direction,
    /// The tag's length in bytes: MACs and AEAD.
    pub tag_len: Option<usize>,
    /// s of GOST R 34.13 in bytes: CTR, OFB, CFB.
    pub s: Option<usize>,
    /// The ACPKM section in bytes.
    pub section: Option<usize>,
    /// T*, the period of the ACPKM master key, in bytes: OMAC-ACPKM.
    pub period: Option<usize>,
    /// The padding of ECB and CBC.
    pub padding: Padding,
    /// The S-boxes of GOST 28147-89.
    pub sboxes: Option<Sboxes>,
    /// CryptoPro key meshing of GOST 28147-89.
    pub meshing: Option<bool>,
    /// The kernel's name, for tests and the lab.
    pub kernel: Option<&'a str>,
}

impl<'a> Params<'a> {
    /// Creates parameters with this key (empty for a hash) and the defaults: no IV, encryption.
    pub fn new(key: &'a [u8]) -> Self {
        Params {
            key,
            iv: &[],
            direction: Direction::Encrypt,
            tag_len: None,
            s: None,
            section: None,
            period: None,
            padding: Padding::None,
            sboxes: None,
            meshing: None,
            kernel: None,
        }
    }
    /// Sets the IV, nonce or tweak.
    pub fn iv(self, iv: &'a [u8]) -> Self {
        Params { iv, ..self }
    }
    /// Sets the direction.
    pub fn direction(self, direction: Direction) -> Self {
        Params { direction, ..self }
    }
    /// Sets the direction to decryption.
    pub fn decrypt(self) -> Self {
        self.direction(Direction::Decrypt)
    }
    /// Sets the tag's length in bytes.
    pub fn tag_len(self, len: usize) -> Self {
        Params { tag_len: Some(len), ..self }
    }
    /// Sets the padding.
    pub fn padding(self, padding: Padding) -> Self {
        Params { padding, ..self }
    }
    /// Forces the kernel of this name, for tests and the lab.
    pub fn kernel(self, name: &'a str) -> Self {
        Params { kernel: Some(name), ..self }
    }
}

/// The optional parameters, as an algorithm lists those it accepts.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Takes {
    TagLen,
    S,
    Section,
    Period,
    Padding,
    Sboxes,
    Meshing,
}

impl Params<'_> {
    /// Refuses parameters that mean nothing to the algorithm. Errors: [`Error::Parameter`] for a given parameter that
    /// is not in the list.
    pub(crate) fn only(&self, takes: &[Takes]) -> Result<(), Error> {
        let given = [
            (Takes::TagLen, self.tag_len.is_some()),
            (Takes::S, self.s.is_some()),
            (Takes::Section, self.section.is_some()),
            (Takes::Period, self.period.is_some()),
            (Takes::Padding, self.padding != Padding::None),
            (Takes::Sboxes, self.sboxes.is_some()),
            (Takes::Meshing, self.meshing.is_some()),
        ];
        let meaningless = |(what, given): &(Takes, bool)| *given && !takes.contains(what);
        if given.iter().any(meaningless) { Err(Error::Parameter) } else { Ok(()) }
    }
    /// Returns the key of 32 bytes.
    pub(crate) fn key32(&self) -> Result<&[u8; 32], Error> {
        self.key.try_into().map_err(|_| Error::KeyLength)
    }
    /// Refuses an IV.
    pub(crate) fn no_iv(&self) -> Result<(), Error> {
        if self.iv.is_empty() { Ok(()) } else { Err(Error::IvLength) }
    }
}

/// A block cipher that can be made from [`Params`].
pub(crate) trait FromParams: BlockCipher {
    /// Makes the cipher from its key and kernel, and from its own parameters. The modes share one copy of it.
    fn from_params(p: &Params<'_>) -> Result<Self, Error>;
}

impl FromParams for Kuznyechik {
    #[inline(never)]
    fn from_params(p: &Params<'_>) -> Result<Self, Error> {
        let cipher = Kuznyechik::new(p.key32()?);
        if let Some(name) = p.kernel { cipher.on(name) } else { Ok(cipher) }
    }
}

impl FromParams for Magma {
    #[inline(never)]
    fn from_params(p: &Params<'_>) -> Result<Self, Error> {
        let cipher = Magma::new(p.key32()?);
        if let Some(name) = p.kernel { cipher.on(name) } else { Ok(cipher) }
    }
}

/// Makes GOST 28147-89 with the given S-boxes, or with the usual ones.
pub(crate) fn gost28147(p: &Params<'_>, usual: ParamSet) -> Result<Gost28147, Error> {
    let sboxes = p.sboxes.clone().unwrap_or_else(|| usual.into());
    let cipher = Gost28147::new(p.key32()?, sboxes);
    p.kernel.map_or(Ok(cipher.clone()), |name| cipher.on(name))
}

/// Sets the meshing of `mode` if the parameters choose a meshing.
pub(crate) fn meshed<M>(p: &Params<'_>, mode: M, set: fn(M, Meshing) -> M) -> M {
    match p.meshing {
        None => mode,
        Some(true) => set(mode, Meshing::CryptoPro),
        Some(false) => set(mode, Meshing::None),
    }
}

/// The section in bytes of RFC 9189's TLS suites, which is also the default of OpenSSL's GOST provider.
pub(crate) const fn section(block: usize) -> usize {
    if block == 16 { 4096 } else { 1024 }
}

/// A session of any of the four kinds.
#[derive(Clone)]
pub enum Session {
    /// A hash.
    Hash(HashSession),
    /// A message authentication code.
    Mac(MacSession),
    /// Encryption without authentication.
    Cipher(CipherSession),
    /// Authenticated encryption.
    Aead(AeadSession),
}

impl Session {
    /// Returns the hash session.
    ///
    /// # Errors
    /// [`Error::Order`] when the session is of a different kind.
    pub fn hash(self) -> Result<HashSession, Error> {
        if let Session::Hash(session) = self { Ok(session) } else { Err(Error::Order) }
    }
    /// Returns the MAC session.
    ///
    /// # Errors
    /// As [`Self::hash`].
    pub fn mac(self) -> Result<MacSession, Error> {
        if let Session::Mac(session) = self { Ok(session) } else { Err(Error::Order) }
    }
    /// Returns the cipher session.
    ///
    /// # Errors
    /// As [`Self::hash`].
    pub fn cipher(self) -> Result<CipherSession, Error> {
        if let Session::Cipher(session) = self { Ok(session) } else { Err(Error::Order) }
    }
    /// Returns the session of authenticated encryption.
    ///
    /// # Errors
    /// As [`Self::hash`].
    pub fn aead(self) -> Result<AeadSession, Error> {
        if let Session::Aead(session) = self { Ok(session) } else { Err(Error::Order) }
    }
}

/// A box of an object is cloned with the object.
macro_rules! clone {
    ($($object:ident)*) => {$(
        impl Clone for Box<dyn $object> {
            fn clone(&self) -> Self {
                self.dup()
            }
        }
    )*};
}
clone!(HashObject MacObject CipherObject AeadObject);

/// A message being hashed.
#[derive(Clone)]
pub struct HashSession(Box<dyn HashObject>);

trait HashObject: Send + Sync {
    fn update(&mut self, data: &[u8]);
    fn output_len(&self) -> usize;
    fn finalize_reset(&mut self, out: &mut [u8]);
    fn reset(&mut self);
    fn dup(&self) -> Box<dyn HashObject>;
}

impl HashSession {
    /// Adds the next piece of the message.
    pub fn update(&mut self, data: &[u8]) {
        self.0.update(data);
    }
    /// Returns the digest's length in bytes.
    pub fn output_len(&self) -> usize {
        self.0.output_len()
    }
    /// Ends the message, writes its digest to the start of `out` and returns the digest's length. Begins a new message.
    ///
    /// # Errors
    /// [`Error::BufferLength`] when `out` is shorter than [`Self::output_len`]; the message then continues.
    pub fn finalize_reset(&mut self, out: &mut [u8]) -> Result<usize, Error> {
        let n = self.0.output_len();
        self.0.finalize_reset(out.get_mut(..n).ok_or(Error::BufferLength)?);
        Ok(n)
    }
    /// Discards the message and begins a new message.
    pub fn reset(&mut self) {
        self.0.reset();
    }
}

macro_rules! hash_object {
    ([$($generics:tt)*] $hash:ty, $len:expr) => {
        impl<$($generics)*> HashObject for $hash {
            fn update(&mut self, data: &[u8]) {
                self.update(data);
            }
            fn output_len(&self) -> usize {
                $len
            }
            fn finalize_reset(&mut self, out: &mut [u8]) {
                out.copy_from_slice(&self.finalize_reset());
            }
            fn reset(&mut self) {
                self.reset();
            }
            fn dup(&self) -> Box<dyn HashObject> {
                Box::new(self.clone())
            }
        }
        impl<$($generics)*> From<$hash> for Session {
            fn from(hash: $hash) -> Self {
                Session::Hash(HashSession(Box::new(hash)))
            }
        }
    };
}
hash_object!([const OUT: usize] Streebog<OUT>, OUT);
hash_object!([] Gost94, 32);

/// A message under a message authentication code.
#[derive(Clone)]
pub struct MacSession(Box<dyn MacObject>);

trait MacObject: Send + Sync {
    fn update(&mut self, data: &[u8]);
    fn tag_len(&self) -> usize;
    fn finalize_reset(&mut self) -> Result<Tag, Error>;
    fn reset_iv(&mut self, iv: &[u8]) -> Result<(), Error>;
    fn dup(&self) -> Box<dyn MacObject>;
}

impl<M: Mac + Sync + 'static> MacObject for M {
    fn update(&mut self, data: &[u8]) {
        self.update(data);
    }
    fn tag_len(&self) -> usize {
        self.tag_len()
    }
    fn finalize_reset(&mut self) -> Result<Tag, Error> {
        self.finalize_reset()
    }
    fn reset_iv(&mut self, iv: &[u8]) -> Result<(), Error> {
        self.reset_iv(iv)
    }
    fn dup(&self) -> Box<dyn MacObject> {
        Box::new(self.clone())
    }
}

impl MacSession {
    pub(crate) fn over(mac: impl Mac + Sync + 'static) -> Session {
        Session::Mac(MacSession(Box::new(mac)))
    }
    /// Adds the next piece of the message.
    pub fn update(&mut self, data: &[u8]) {
        self.0.update(data);
    }
    /// Returns the tag's length in bytes.
    pub fn tag_len(&self) -> usize {
        self.0.tag_len()
    }
    /// Ends the message and returns its tag. Begins a new message under this key and IV.
    ///
    /// # Errors
    /// [`Error::Limit`] when the message was longer than the MAC allows.
    pub fn finalize_reset(&mut self) -> Result<Tag, Error> {
        self.0.finalize_reset()
    }
    /// Ends the message and compares its tag with `tag` in constant time. Begins a new message.
    ///
    /// # Errors
    /// [`Error::Verify`]; [`Error::TagLength`] unless `tag` has [`Self::tag_len`] bytes; [`Error::Limit`].
    pub fn verify_reset(&mut self, tag: &[u8]) -> Result<(), Error> {
        crate::verify(&self.0.finalize_reset()?, tag)
    }
    /// Discards the message and begins a new message under this key. An empty IV selects the default.
    ///
    /// # Errors
    /// [`Error::IvLength`].
    pub fn reset(&mut self, iv: &[u8]) -> Result<(), Error> {
        self.0.reset_iv(iv)
    }
}

/// A message under a cipher, in one direction.
#[derive(Clone)]
pub struct CipherSession(Box<dyn CipherObject>);

trait CipherObject: Send + Sync {
    fn update(&mut self, data: InOut<'_, '_>) -> Result<usize, Error>;
    fn held(&self) -> usize;
    fn finalize(&mut self, out: &mut [u8]) -> Result<usize, Error>;
    fn reset(&mut self, iv: &[u8]) -> Result<(), Error>;
    fn dup(&self) -> Box<dyn CipherObject>;
}

#[derive(Clone)]
struct Stream<M>(M);

impl<M: StreamCipher + Sync + 'static> CipherObject for Stream<M> {
    fn update(&mut self, data: InOut<'_, '_>) -> Result<usize, Error> {
        let n = data.len();
        self.0.apply_keystream_inout(data).map(|()| n)
    }
    fn held(&self) -> usize {
        0
    }
    fn finalize(&mut self, _out: &mut [u8]) -> Result<usize, Error> {
        Ok(0)
    }
    fn reset(&mut self, iv: &[u8]) -> Result<(), Error> {
        self.0.reset(iv)
    }
    fn dup(&self) -> Box<dyn CipherObject> {
        Box::new(self.clone())
    }
}

#[derive(Clone)]
struct Blocks<M>(M);

impl<M: BlockMode + Sync + 'static> CipherObject for Blocks<M> {
    fn update(&mut self, data: InOut<'_, '_>) -> Result<usize, Error> {
        self.0.update_inout(data)
    }
    fn held(&self) -> usize {
        M::HELD
    }
    fn finalize(&mut self, out: &mut [u8]) -> Result<usize, Error> {
        self.0.finalize(out)
    }
    fn reset(&mut self, iv: &[u8]) -> Result<(), Error> {
        self.0.reset(iv)
    }
    fn dup(&self) -> Box<dyn CipherObject> {
        Box::new(self.clone())
    }
}

impl CipherSession {
    pub(crate) fn stream(mode: impl StreamCipher + Sync + 'static) -> Session {
        Session::Cipher(CipherSession(Box::new(Stream(mode))))
    }
    pub(crate) fn blocks(mode: impl BlockMode + Sync + 'static) -> Session {
        Session::Cipher(CipherSession(Box::new(Blocks(mode))))
    }
    /// Transforms the next piece in place. Returns the length of the output at the start of `data`, never more than the
    /// piece has (see [`BlockMode`]).
    ///
    /// # Errors
    /// [`Error::Limit`]: nothing was transformed; [`Error::Finished`].
    pub fn update(&mut self, data: &mut [u8]) -> Result<usize, Error> {
        self.0.update(data.into())
    }
    /// Transforms the next piece from `source` to `destination`, of equal length. Returns the length of the output at
    /// the start of the destination.
    ///
    /// # Errors
    /// [`Error::BufferLength`]; as [`Self::update`].
    pub fn update_b2b(&mut self, source: &[u8], destination: &mut [u8]) -> Result<usize, Error> {
        self.0.update(both(source, destination)?)
    }
    /// Transforms the next piece, in place or between two buffers.
    ///
    /// # Errors
    /// As [`Self::update`].
    pub fn update_inout(&mut self, data: InOut<'_, '_>) -> Result<usize, Error> {
        self.0.update(data)
    }
    /// Returns the most bytes that `finalize` may write.
    pub fn held(&self) -> usize {
        self.0.held()
    }
    /// Ends the message, writes the rest of the text to the start of `out` and returns its length. Call [`Self::reset`]
    /// before the next message.
    ///
    /// # Errors
    /// [`Error::DataLength`], [`Error::Padding`], [`Error::BufferLength`], [`Error::Finished`]: see [`BlockMode`].
    pub fn finalize(&mut self, out: &mut [u8]) -> Result<usize, Error> {
        self.0.finalize(out)
    }
    /// Begins a new message under this key.
    ///
    /// # Errors
    /// [`Error::IvLength`].
    pub fn reset(&mut self, iv: &[u8]) -> Result<(), Error> {
        self.0.reset(iv)
    }
}

/// A message under authenticated encryption, in one direction. To seal, call `aad`, then `update` and `finalize`; to
/// decrypt, call `open`, which releases no plaintext before the tag is checked. The calls of the other direction return
/// [`Error::Order`].
#[derive(Clone)]
pub struct AeadSession {
    object: Box<dyn AeadObject>,
    direction: Direction,
}

/// A message in a box, which can be copied.
trait AeadObject: AeadMessage + Sync {
    fn dup(&self) -> Box<dyn AeadObject>;
}

impl<M: AeadMessage + Clone + Sync + 'static> AeadObject for M {
    fn dup(&self) -> Box<dyn AeadObject> {
        Box::new(self.clone())
    }
}

impl AeadSession {
    pub(crate) fn over(
        message: impl AeadMessage + Clone + Sync + 'static,
        direction: Direction,
    ) -> Session {
        Session::Aead(AeadSession { object: Box::new(message), direction })
    }
    fn toward(&mut self, direction: Direction) -> Result<&mut dyn AeadObject, Error> {
        if self.direction == direction { Ok(&mut *self.object) } else { Err(Error::Order) }
    }
    /// Adds the next piece of the associated data.
    ///
    /// # Errors
    /// [`Error::Order`] after text, and for algorithms without associated data; [`Error::Limit`], [`Error::Finished`].
    pub fn aad(&mut self, aad: &[u8]) -> Result<(), Error> {
        self.object.aad(aad)
    }
    /// Encrypts the next piece in place.
    ///
    /// # Errors
    /// [`Error::Limit`], [`Error::Finished`]: nothing was encrypted. [`Error::Order`].
    pub fn update(&mut self, data: &mut [u8]) -> Result<(), Error> {
        self.update_inout(data.into())
    }
    /// Encrypts the next piece from `source` to `destination`.
    ///
    /// # Errors
    /// [`Error::BufferLength`] unless the lengths are equal; as [`Self::update`].
    pub fn update_b2b(&mut self, source: &[u8], destination: &mut [u8]) -> Result<(), Error> {
        self.update_inout(both(source, destination)?)
    }
    /// Encrypts the next piece, in place or between two buffers.
    ///
    /// # Errors
    /// As [`Self::update`].
    pub fn update_inout(&mut self, data: InOut<'_, '_>) -> Result<(), Error> {
        self.toward(Direction::Encrypt)?.seal(data)
    }
    /// Returns the tag's length in bytes.
    pub fn tag_len(&self) -> usize {
        self.object.tag_len()
    }
    /// Ends sealing and returns the tag. Call [`Self::reset`] before the next message.
    ///
    /// # Errors
    /// [`Error::Empty`], [`Error::Finished`], [`Error::Order`].
    pub fn finalize(&mut self) -> Result<Tag, Error> {
        self.toward(Direction::Encrypt)?.finish()
    }
    /// Checks the tag over the associated data given so far and the whole ciphertext, then decrypts it in place. On an
    /// error the text is unchanged. Call [`Self::reset`] before the next message.
    ///
    /// # Errors
    /// [`Error::Verify`], [`Error::TagLength`], [`Error::Empty`], [`Error::Limit`], [`Error::Finished`],
    /// [`Error::Order`].
    pub fn open(&mut self, text: &mut [u8], tag: &[u8]) -> Result<(), Error> {
        self.open_inout(text.into(), tag)
    }
    /// Checks the tag, then decrypts the ciphertext from `source` to `destination`: see [`Self::open`].
    ///
    /// # Errors
    /// [`Error::BufferLength`] unless the lengths are equal; as [`Self::open`].
    pub fn open_b2b(
        &mut self,
        source: &[u8],
        destination: &mut [u8],
        tag: &[u8],
    ) -> Result<(), Error> {
        self.open_inout(both(source, destination)?, tag)
    }
    /// Checks the tag, then decrypts the ciphertext in place or between two buffers: see [`Self::open`].
    ///
    /// # Errors
    /// As [`Self::open`].
    pub fn open_inout(&mut self, text: InOut<'_, '_>, tag: &[u8]) -> Result<(), Error> {
        self.toward(Direction::Decrypt)?.open(text, tag)
    }
    /// Begins a new message under this key.
    ///
    /// # Errors
    /// [`Error::IvLength`], [`Error::Nonce`].
    pub fn reset(&mut self, nonce: &[u8]) -> Result<(), Error> {
        self.object.reset(nonce)
    }
    /// Turns this into a session that decrypts in pieces and releases them before the tag is checked.
    ///
    /// # Errors
    /// [`Error::Order`] unless the session was opened for decryption.
    pub fn unverified(mut self) -> Result<UnverifiedSession, Error> {
        self.toward(Direction::Decrypt)?;
        Ok(UnverifiedSession(self.object))
    }
}

/// Decrypts a message piece by piece and RELEASES PLAINTEXT THAT IS NOT VERIFIED: for protocols and interfaces that
/// cannot hold a message. Until [`Self::verify`] returns `Ok` the text may be anything an attacker wants; on an error
/// discard it. [`AeadSession::open`] does not have this risk.
///
/// ```
/// use bulat::algorithm::Params;
/// let (key, nonce, mut text) = ([7; 32], [1; 8], *b"secret");
/// let aead = bulat::algorithm("magma-mgm")?;
/// let mut sealer = aead.session(&Params::new(&key).iv(&nonce))?.aead()?;
/// sealer.update(&mut text)?;
/// let tag = sealer.finalize()?;
///
/// let opener = aead.session(&Params::new(&key).iv(&nonce).decrypt())?.aead()?;
/// let mut opener = opener.unverified()?;
/// opener.update(&mut text[..3])?;
/// opener.update(&mut text[3..])?;
/// opener.verify(&tag)?; // only now is the text to be trusted
/// assert_eq!(&text, b"secret");
/// # Ok::<(), bulat::Error>(())
/// ```
#[derive(Clone)]
pub struct UnverifiedSession(Box<dyn AeadObject>);

impl UnverifiedSession {
    /// Adds the next piece of the associated data, which must all come before the text.
    ///
    /// # Errors
    /// As [`AeadSession::aad`].
    pub fn aad(&mut self, aad: &[u8]) -> Result<(), Error> {
        self.0.aad(aad)
    }
    /// Decrypts the next piece in place, unverified.
    ///
    /// # Errors
    /// [`Error::Limit`], [`Error::Finished`]: nothing was decrypted.
    pub fn update(&mut self, data: &mut [u8]) -> Result<(), Error> {
        self.0.release(data.into())
    }
    /// Decrypts the next piece from `source` to `destination`, unverified.
    ///
    /// # Errors
    /// [`Error::BufferLength`] unless the lengths are equal; as [`Self::update`].
    pub fn update_b2b(&mut self, source: &[u8], destination: &mut [u8]) -> Result<(), Error> {
        self.0.release(both(source, destination)?)
    }
    /// Decrypts the next piece, unverified, in place or between two buffers.
    ///
    /// # Errors
    /// As [`Self::update`].
    pub fn update_inout(&mut self, data: InOut<'_, '_>) -> Result<(), Error> {
        self.0.release(data)
    }
    /// Returns the tag's length in bytes.
    pub fn tag_len(&self) -> usize {
        self.0.tag_len()
    }
    /// Sets the tag's length for this message and the next ones: for interfaces that learn it late.
    ///
    /// # Errors
    /// [`Error::TagLength`].
    pub fn set_tag_len(&mut self, len: usize) -> Result<(), Error> {
        self.0.set_tag_len(len)
    }
    /// Ends the message and compares the tag in constant time. Call [`Self::reset`] before the next message.
    ///
    /// # Errors
    /// [`Error::Verify`]: discard the plaintext. [`Error::TagLength`], [`Error::Empty`], [`Error::Finished`].
    pub fn verify(&mut self, tag: &[u8]) -> Result<(), Error> {
        self.0.check_tag(tag)
    }
    /// Begins a new message under this key.
    ///
    /// # Errors
    /// As [`AeadSession::reset`].
    pub fn reset(&mut self, nonce: &[u8]) -> Result<(), Error> {
        self.0.reset(nonce)
    }
}
