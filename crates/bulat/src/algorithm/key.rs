//! Keys of algorithms by name, prepared once, and many messages under such keys in one call.

use alloc::boxed::Box;
use alloc::vec::Vec;

use super::{Algorithm, Params, Session, open};
use crate::batch::{self, AeadKey, Job, MacMode, Mode, Text};
use crate::kdf::{HmacStreebog256, HmacStreebog512};
use crate::modes::{CtrAcpkmOmac, Meshing, Mgm, Padding, Xts};
use crate::session::{FromParams, gost28147, section};
use crate::{Direction, Error, Gost28147, InOut, Kuznyechik, Magma, ParamSet, Sboxes};

/// A key under an algorithm named at run time, with its options: prepared once, used for any number of messages, from
/// any thread.
///
/// ```
/// use bulat::algorithm::{Message, Params, Work, run};
/// use bulat::Direction::Encrypt;
/// let key = bulat::algorithm("kuznyechik-cbc")?.key(&Params::new(&[7; 32]))?;
/// let (mut a, mut b) = ([1; 64], [2; 32]);
/// let results = run(vec![
///     Message { key: &key, iv: &[1; 16], work: Work::Cipher(Encrypt, (&mut a).into()) },
///     Message { key: &key, iv: &[2; 16], work: Work::Cipher(Encrypt, (&mut b).into()) },
/// ]);
/// assert!(results.iter().all(|result| result.is_ok()));
///
/// let mut single = key.session(Encrypt, &[2; 16])?.cipher()?;
/// let mut text = [2; 32];
/// single.update(&mut text)?;
/// assert_eq!(text, b);
/// # Ok::<(), bulat::Error>(())
/// ```
pub struct Key {
    algorithm: &'static Algorithm,
    /// Sessions without data, which are cloned for each message.
    encrypt: Session,
    decrypt: Option<Session>,
    lanes: Option<Lanes>,
    plain: bool,
}

impl Algorithm {
    /// Prepares a key. The IV and direction in the parameters are ignored: each message has its own.
    ///
    /// # Errors
    /// As [`Self::session`].
    pub fn key(&'static self, params: &Params<'_>) -> Result<Key, Error> {
        let zeros = [0; super::MAX_REGISTER];
        let params = Params { iv: &zeros[..self.iv.usual()], ..params.clone() };
        let encrypt = self.session(&params.clone().direction(Direction::Encrypt))?;
        let both = matches!(encrypt, Session::Cipher(_) | Session::Aead(_));
        let decrypt = both.then(|| self.session(&params.clone().decrypt())).transpose()?;
        let lanes = match self.lanes {
            Some(lanes) => Some(lanes(&params)?),
            None => None,
        };
        let plain = params.padding == Padding::None && params.s.is_none();
        let plain = plain && (self.key > 0 || params.kernel.is_none());
        Ok(Key { algorithm: self, encrypt, decrypt, lanes, plain })
    }
}

impl Key {
    /// Returns the algorithm.
    pub fn algorithm(&self) -> &'static Algorithm {
        self.algorithm
    }
    /// Begins a message. The direction matters for ciphers and AEAD. A MAC or a hash accepts an empty IV for its
    /// default.
    ///
    /// # Errors
    /// [`Error::IvLength`], [`Error::Nonce`].
    pub fn session(&self, direction: Direction, iv: &[u8]) -> Result<Session, Error> {
        let mut session = match (&self.decrypt, direction) {
            (Some(decrypt), Direction::Decrypt) => decrypt.clone(),
            _ => self.encrypt.clone(),
        };
        match &mut session {
            Session::Hash(_) if !iv.is_empty() => return Err(Error::IvLength),
            Session::Hash(_) => {}
            Session::Mac(mac) => mac.reset(iv)?,
            Session::Cipher(cipher) => cipher.reset(iv)?,
            Session::Aead(aead) => aead.reset(iv)?,
        }
        Ok(session)
    }
    /// Returns the length of the key's tags in bytes; 0 if it makes no tags.
    pub fn tag_len(&self) -> usize {
        match &self.encrypt {
            Session::Mac(mac) => mac.tag_len(),
            Session::Aead(aead) => aead.tag_len(),
            _ => 0,
        }
    }
}

/// A message under a [`Key`].
pub struct Message<'a> {
    /// The key. A hash has a key too, prepared from [`Params`] with an empty key.
    pub key: &'a Key,
    /// The IV or nonce, for this message only.
    pub iv: &'a [u8],
    /// The operation.
    pub work: Work<'a>,
}

/// The operation on a message, with its buffers.
pub enum Work<'a> {
    /// Hashes a message into a digest of exactly the hash's length.
    Hash(&'a [u8], &'a mut [u8]),
    /// Computes the MAC of a message into a tag of [`Key::tag_len`] bytes.
    Mac(&'a [u8], &'a mut [u8]),
    /// Checks the MAC of a message in constant time.
    Verify(&'a [u8], &'a [u8]),
    /// Encrypts or decrypts without authentication and without padding.
    Cipher(Direction, Text<'a>),
    /// Encrypts and authenticates: associated data, text, and the buffer for the tag.
    Seal(&'a [u8], Text<'a>, &'a mut [u8]),
    /// Checks and decrypts: associated data, text, tag. On an error the destination holds no plaintext.
    Open(&'a [u8], Text<'a>, &'a [u8]),
}

/// Runs every message to its end, side by side where [`crate::batch`] can. Returns a result for each, in order.
pub fn run(messages: Vec<Message<'_>>) -> Vec<Result<(), Error>> {
    run_by(messages, batch::run)
}

/// Like [`run`], but `jobs` runs the jobs of the batch and returns a result for each, in order.
pub fn run_by<'a>(
    messages: Vec<Message<'a>>,
    batch: impl FnOnce(Vec<Job<'a>>) -> Vec<Result<(), Error>>,
) -> Vec<Result<(), Error>> {
    let (mut results, jobs, numbers) = sorted(messages, |alone, results| {
        alone.into_iter().for_each(|(i, message)| results[i] = message.alone());
    });
    numbers.into_iter().zip(batch(jobs)).for_each(|(i, result)| results[i] = result);
    results
}

/// Like [`run`], on the threads of the calling thread's rayon pool: see [`batch::run_on_threads`].
#[cfg(feature = "threads")]
pub fn run_on_threads(messages: Vec<Message<'_>>) -> Vec<Result<(), Error>> {
    use rayon::prelude::*;
    let (mut results, jobs, numbers) = sorted(messages, |alone, results| {
        let done: Vec<_> = alone.into_par_iter().map(|(i, m)| (i, m.alone())).collect();
        done.into_iter().for_each(|(i, result)| results[i] = result);
    });
    let done = batch::run_on_threads(jobs);
    numbers.into_iter().zip(done).for_each(|(i, result)| results[i] = result);
    results
}

type Sorted<'a> = (Vec<Result<(), Error>>, Vec<Job<'a>>, Vec<usize>);

/// Runs the messages that no batch can, and returns the others as jobs with their indices.
fn sorted<'a>(
    messages: Vec<Message<'a>>,
    run_alone: impl FnOnce(Vec<(usize, Message<'a>)>, &mut [Result<(), Error>]),
) -> Sorted<'a> {
    let mut results = alloc::vec![Ok(()); messages.len()];
    let (mut alone, mut jobs, mut numbers) = (Vec::new(), Vec::new(), Vec::new());
    for (i, message) in messages.into_iter().enumerate() {
        match message.job() {
            Ok(Ok(job)) => {
                jobs.push(job);
                numbers.push(i);
            }
            Ok(Err(message)) => alone.push((i, message)),
            Err(e) => results[i] = Err(e),
        }
    }
    run_alone(alone, &mut results);
    (results, jobs, numbers)
}

impl<'a> Message<'a> {
    /// Converts the message to a job of [`crate::batch`], or returns it unchanged if no job can run it.
    ///
    /// # Errors
    /// An invalid length.
    pub fn job(self) -> Result<Result<Job<'a>, Self>, Error> {
        let Message { key, iv, work } = self;
        let Some(lanes) = key.lanes.as_ref().filter(|_| key.plain) else {
            return Ok(Err(Message { key, iv, work }));
        };
        Ok(match (lanes, work) {
            (Lanes::Hash256, Work::Hash(message, digest)) if iv.is_empty() => {
                Ok(Job::Hash256(message, digest.try_into().map_err(|_| Error::BufferLength)?))
            }
            (Lanes::Hash512, Work::Hash(message, digest)) if iv.is_empty() => {
                Ok(Job::Hash512(message, digest.try_into().map_err(|_| Error::BufferLength)?))
            }
            (Lanes::Gost94(sboxes), Work::Hash(message, digest)) if iv.is_empty() => {
                let digest = digest.try_into().map_err(|_| Error::BufferLength)?;
                Ok(Job::Gost94(sboxes, message, digest))
            }
            (_, Work::Mac(_, tag)) if tag.len() != key.tag_len() => return Err(Error::TagLength),
            // Batches compute full tags; a session computes truncated tags.
            (Lanes::Hmac256(hmac), Work::Mac(message, tag)) if iv.is_empty() && tag.len() == 32 => {
                Ok(Job::Hmac256(hmac, message, tag.try_into().map_err(|_| Error::TagLength)?))
            }
            (Lanes::Hmac512(hmac), Work::Mac(message, tag)) if iv.is_empty() && tag.len() == 64 => {
                Ok(Job::Hmac512(hmac, message, tag.try_into().map_err(|_| Error::TagLength)?))
            }
            (Lanes::Block(cipher, Use::Mac(mode)), Work::Mac(message, tag)) => {
                Ok(Job::Mac { key: cipher.into(), mode: *mode, iv, message, tag })
            }
            (Lanes::Block(cipher, Use::Cipher(encrypt, decrypt)), Work::Cipher(way, text)) => {
                let mode = if way == Direction::Encrypt { *encrypt } else { *decrypt };
                Ok(Job::Cipher { key: cipher.into(), mode, iv, text })
            }
            (Lanes::Xts(xts), Work::Cipher(direction, text)) => {
                let tweak = iv.try_into().map_err(|_| Error::IvLength)?;
                Ok(Job::Sector { key: xts, tweak, direction, text })
            }
            (Lanes::Aead(aead), Work::Seal(aad, text, tag)) => {
                Ok(Job::Seal { key: aead.into(), nonce: iv, aad, text, tag })
            }
            (Lanes::Aead(aead), Work::Open(aad, text, tag)) => {
                Ok(Job::Open { key: aead.into(), nonce: iv, aad, text, tag })
            }
            (_, work) => Err(Message { key, iv, work }),
        })
    }

    /// Runs the message to its end: under the key itself where a job can, else in a session, which copies the key.
    ///
    /// # Errors
    /// The algorithm's.
    pub fn run(self) -> Result<(), Error> {
        match self.job()? {
            Ok(job) => batch::run_one(job),
            Err(message) => message.alone(),
        }
    }

    /// Runs the message in a session.
    fn alone(self) -> Result<(), Error> {
        let Message { key, iv, work } = self;
        let way = match work {
            Work::Cipher(way, _) => way,
            Work::Open(..) => Direction::Decrypt,
            _ => Direction::Encrypt,
        };
        match (key.session(way, iv)?, work) {
            (Session::Hash(mut hash), Work::Hash(message, digest)) => {
                if digest.len() != hash.output_len() {
                    return Err(Error::BufferLength);
                }
                hash.update(message);
                hash.finalize_reset(digest).map(|_| ())
            }
            (Session::Mac(mut mac), Work::Mac(message, tag)) => {
                if tag.len() != mac.tag_len() {
                    return Err(Error::TagLength);
                }
                mac.update(message);
                tag.copy_from_slice(&mac.finalize_reset()?);
                Ok(())
            }
            (Session::Mac(mut mac), Work::Verify(message, tag)) => {
                mac.update(message);
                mac.verify_reset(tag)
            }
            (Session::Cipher(mut cipher), Work::Cipher(_, text)) => {
                let text = text.buffers()?;
                // Padding would make the text longer.
                if !key.plain && cipher.held() > 0 {
                    return Err(Error::Padding);
                }
                whole(&mut cipher, text)
            }
            (Session::Aead(mut aead), Work::Seal(aad, text, tag)) => {
                if tag.len() != aead.tag_len() {
                    return Err(Error::TagLength);
                }
                aead.aad(aad)?;
                aead.update_inout(text.buffers()?)?;
                tag.copy_from_slice(&aead.finalize()?);
                Ok(())
            }
            (Session::Aead(mut aead), Work::Open(aad, text, tag)) => {
                aead.aad(aad)?;
                aead.open_inout(text.buffers()?, tag)
            }
            _ => Err(Error::Order),
        }
    }
}

/// Transforms a whole text, including the end that the mode may hold back.
fn whole(cipher: &mut super::CipherSession, mut text: InOut<'_, '_>) -> Result<(), Error> {
    let done = cipher.update_inout(text.reborrow())?;
    cipher.finalize(&mut text.get_out()[done..]).map(|_| ())
}

/// Prepared keys for the jobs of a batch. Each key is in a box of its own size: an enum of several sizes, when moved,
/// also copies the bytes behind a smaller variant, which other calls left on the stack and no code would wipe.
pub(super) enum Lanes {
    Hash256,
    Hash512,
    Gost94(Box<Sboxes>),
    Hmac256(Box<HmacStreebog256>),
    Hmac512(Box<HmacStreebog512>),
    Block(Cipher, Use),
    Aead(Authenticated),
    Xts(Box<Xts>),
}

/// Keys in boxes, which lend themselves to the jobs of a batch.
macro_rules! boxed {
    ($(#[$doc:meta])* $boxed:ident, $($lent:ident)::+: $($variant:ident($key:ty),)*) => {
        $(#[$doc])*
        pub(super) enum $boxed {
            $($variant(Box<$key>),)*
        }
        impl<'a> From<&'a $boxed> for $($lent)::+<'a> {
            fn from(key: &'a $boxed) -> Self {
                match key {
                    $($boxed::$variant(key) => (&**key).into(),)*
                }
            }
        }
        $(impl From<$key> for $boxed {
            fn from(key: $key) -> Self {
                $boxed::$variant(Box::new(key))
            }
        })*
    };
}

boxed! {
    /// A block cipher under a key.
    Cipher, batch::Key:
    Kuznyechik(Kuznyechik),
    Magma(Magma),
    Gost28147(Gost28147),
}

boxed! {
    /// A key of authenticated encryption.
    Authenticated, AeadKey:
    KuznyechikMgm(Mgm<Kuznyechik>),
    MagmaMgm(Mgm<Magma>),
    KuznyechikCms(CtrAcpkmOmac<Kuznyechik>),
    MagmaCms(CtrAcpkmOmac<Magma>),
}

/// The use of a cipher.
pub(super) enum Use {
    Mac(MacMode),
    /// The modes to encrypt and to decrypt.
    Cipher(Mode, Mode),
}

pub(super) type Prepare = fn(&Params<'_>) -> Result<Lanes, Error>;

fn both(mode: impl Fn(Direction) -> Mode) -> Use {
    Use::Cipher(mode(Direction::Encrypt), mode(Direction::Decrypt))
}

fn block<C: FromParams + Into<Cipher>>(p: &Params<'_>, used: Use) -> Result<Lanes, Error> {
    Ok(Lanes::Block(C::from_params(p)?.into(), used))
}
/// Prepares a mode of GOST 28147-89 with its default meshing, or with the chosen meshing.
fn old(
    p: &Params<'_>,
    usual: ParamSet,
    meshing: fn(&Gost28147) -> Meshing,
    used: impl Fn(Meshing) -> Use,
) -> Result<Lanes, Error> {
    let key = gost28147(p, usual)?;
    let meshing = match p.meshing {
        None => meshing(&key),
        Some(true) => Meshing::CryptoPro,
        Some(false) => Meshing::None,
    };
    Ok(Lanes::Block(key.into(), used(meshing)))
}
fn of_sboxes(key: &Gost28147) -> Meshing {
    Meshing::of(key.sboxes())
}
fn without(_: &Gost28147) -> Meshing {
    Meshing::None
}
fn cnt(p: &Params<'_>, usual: ParamSet) -> Result<Lanes, Error> {
    old(p, usual, of_sboxes, |m| Use::Cipher(Mode::Cnt(m), Mode::Cnt(m)))
}
pub(super) fn mac<C: FromParams + Into<Cipher>>(
    p: &Params<'_>,
    mode: MacMode,
) -> Result<Lanes, Error> {
    block::<C>(p, Use::Mac(mode))
}
pub(super) fn gost94(p: &Params<'_>, usual: ParamSet) -> Result<Lanes, Error> {
    Ok(Lanes::Gost94(Box::new(p.sboxes.clone().unwrap_or_else(|| usual.into()))))
}

/// Functions that the table names: of the parameters, for a cipher `C`.
macro_rules! prepare {
    ($($name:ident $(<$cipher:ident>)? ($p:ident) = $lanes:expr;)*) => {$(
        pub(super) fn $name $(<$cipher>)? ($p: &Params<'_>) -> Result<Lanes, Error>
        $(where
            $cipher: FromParams,
            Cipher: From<$cipher>,
            Authenticated: From<Mgm<$cipher>> + From<CtrAcpkmOmac<$cipher>>)?
        {
            $lanes
        }
    )*};
}

prepare! {
    ecb<C>(p) = block::<C>(p, both(Mode::Ecb));
    cbc<C>(p) = block::<C>(p, both(Mode::Cbc));
    cfb<C>(p) = block::<C>(p, both(Mode::Cfb));
    ofb<C>(p) = block::<C>(p, both(|_| Mode::Ofb));
    ctr<C>(p) = block::<C>(p, both(|_| Mode::Ctr));
    acpkm<C>(p) = block::<C>(p, both(|_| Mode::CtrAcpkm(p.section.unwrap_or(section(C::BLOCK)))));
    omac_acpkm<C>(p) = {
        let (section, period) = (p.section.unwrap_or(4096), p.period.unwrap_or(section(C::BLOCK)));
        block::<C>(p, Use::Mac(MacMode::OmacAcpkm { section, period }))
    };
    mgm<C>(p) = Ok(Lanes::Aead(open::mgm_key::<C>(p)?.into()));
    cms<C>(p) = Ok(Lanes::Aead(open::cms_key::<C>(p)?.into()));
    xts(p) = Ok(Lanes::Xts(Box::new(open::xts_key(p)?)));
    hmac256(p) = Ok(Lanes::Hmac256(Box::new(HmacStreebog256::new(p.key))));
    hmac512(p) = Ok(Lanes::Hmac512(Box::new(HmacStreebog512::new(p.key))));
    hash256(_p) = Ok(Lanes::Hash256);
    hash512(_p) = Ok(Lanes::Hash512);
    ecb28147(p) = old(p, ParamSet::Tc26Z, without, |_| both(Mode::Ecb));
    cfb28147(p) = old(p, ParamSet::Tc26Z, of_sboxes, |m| both(|way| Mode::Cfb28147(way, m)));
    cbc28147(p) = old(p, ParamSet::Tc26Z, without, |m| both(|way| Mode::Cbc28147(way, m)));
    cnt_a(p) = cnt(p, ParamSet::CryptoProA);
    cnt_z(p) = cnt(p, ParamSet::Tc26Z);
    imit_a(p) = old(p, ParamSet::CryptoProA, of_sboxes, |m| Use::Mac(MacMode::Imit(m)));
    imit_z(p) = old(p, ParamSet::Tc26Z, of_sboxes, |m| Use::Mac(MacMode::Imit(m)));
}
