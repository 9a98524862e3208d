//! Contexts: an algorithm, its key, its present message.

use std::sync::Arc;

use bulat::algorithm::{Algorithm, Key, Padding, Params, Primitive, Session};
use bulat::{Direction, Error, ParamSet, Sboxes, Streebog};
use jni_sys::{jboolean, jbyteArray, jint, jintArray, jlong, jobject};
use zeroize::{Zeroize, Zeroizing};

use crate::border::{Fault, Range};
use crate::{line, natives};

/// The numbers of the options in Java's array; -1 leaves an option out.
type Options = [jint; 7];

/// A prepared key with the bytes it was made from, so that `start` can tell a new key from the present key.
struct Prepared {
    key: Key,
    bytes: Zeroizing<Vec<u8>>,
}

/// See the head of `lib.rs`.
pub(crate) struct Context {
    algorithm: &'static Algorithm,
    options: Options,
    rows: Vec<u8>,
    /// The key with the options, unless they have changed since.
    prepared: Option<Arc<Prepared>>,
    changed: bool,
    session: Option<(Session, Direction)>,
    /// Memory that the class `Context` sees as a buffer: a call with its key and IV needs no call back.
    desk: Vec<u8>,
}

impl Context {
    /// Returns the context at an address.
    ///
    /// # Safety
    /// Java got the address from `context` or `copy`, has not freed it, and lets only this thread use it.
    pub(crate) unsafe fn at<'a>(address: jlong) -> Result<&'a mut Self, Fault> {
        let pointer = address as usize as *mut Context;
        // SAFETY: the address is 0 or of a live context that only this thread uses, as this function requires.
        unsafe { pointer.as_mut() }.ok_or(Fault::Internal)
    }
    fn new(algorithm: &'static Algorithm) -> Self {
        Context {
            algorithm,
            options: [-1; 7],
            rows: Vec::new(),
            prepared: None,
            changed: false,
            session: None,
            desk: Vec::new(),
        }
    }
    fn address(self) -> jlong {
        Box::into_raw(Box::new(self)) as usize as jlong
    }
    pub(crate) fn key(&self) -> Result<&Key, Fault> {
        Ok(&self.prepared.as_ref().ok_or(Fault::Internal)?.key)
    }
    fn session(&mut self) -> Result<&mut Session, Fault> {
        Ok(&mut self.session.as_mut().ok_or(Error::Finished)?.0)
    }
    /// Adds a piece of a message or of associated data.
    fn absorb(&mut self, input: &Range) -> Result<(), Fault> {
        let session = self.session()?;
        input.pieces(|piece| {
            match session {
                Session::Hash(hash) => hash.update(piece),
                Session::Mac(mac) => mac.update(piece),
                Session::Aead(aead) => aead.aad(piece)?,
                Session::Cipher(_) => return Err(Fault::Internal),
            }
            Ok(())
        })
    }
    /// Encrypts or decrypts a piece.
    fn transform(&mut self, input: &Range, output: &Range) -> Result<usize, Fault> {
        match self.session()? {
            Session::Cipher(cipher) if cipher.held() == 0 => {
                input.straight(output, |text| cipher.update_inout(text).map(|_| ()))
            }
            Session::Cipher(cipher) => input.through(output, |piece| Ok(cipher.update(piece)?)),
            Session::Aead(aead) => input.straight(output, |text| aead.update_inout(text)),
            _ => Err(Fault::Internal),
        }
    }
    /// Ends the message after its last piece.
    fn finish(&mut self, input: &Range, output: &Range) -> Result<usize, Fault> {
        let opens = matches!(&self.session, Some((Session::Aead(_), Direction::Decrypt)));
        if opens {
            return self.open(input, output);
        }
        let mut done = 0;
        if matches!(self.session()?, Session::Cipher(_) | Session::Aead(_)) {
            done = self.transform(input, output)?;
        } else {
            self.absorb(input)?;
        }
        let output = output.after(done)?;
        let mut end = Zeroizing::new([0; 64]);
        let put = |end: &mut [u8; 64], tag: &[u8]| {
            end[..tag.len()].copy_from_slice(tag);
            tag.len()
        };
        let n = match self.session()? {
            Session::Hash(hash) => hash.finalize_reset(&mut *end)?,
            Session::Mac(mac) => put(&mut end, &mac.finalize_reset()?),
            Session::Cipher(cipher) => cipher.finalize(&mut *end)?,
            Session::Aead(aead) => put(&mut end, &aead.finalize()?),
        };
        output.write(0, &end[..n])?;
        Ok(done + n)
    }
    /// Checks the tag at the end of the ciphertext, then decrypts. The ciphertext is a copy, which no thread can change
    /// between the two.
    fn open(&mut self, input: &Range, output: &Range) -> Result<usize, Fault> {
        let Session::Aead(aead) = self.session()? else { return Err(Fault::Internal) };
        let mut text = input.copy()?;
        let n = text.len().checked_sub(aead.tag_len()).ok_or(Error::Verify)?;
        let (text, tag) = text.split_at_mut(n);
        aead.open(text, tag)?;
        output.write(0, text)?;
        Ok(n)
    }
}

/// Returns the S-boxes of a set by its number, or of the rows.
pub(crate) fn sboxes(set: jint, rows: &[u8]) -> Result<Option<Sboxes>, Fault> {
    let Ok(set) = usize::try_from(set) else { return Ok(None) };
    if let Some(set) = ParamSet::ALL.get(set) {
        return Ok(Some((*set).into()));
    }
    let rows: [[u8; 16]; 8] = rows.as_chunks::<16>().0.try_into().map_err(|_| Error::Sbox)?;
    Ok(Some(Sboxes::new(rows)?))
}

fn prepare(
    algorithm: &'static Algorithm,
    bytes: &[u8],
    options: Options,
    rows: &[u8],
) -> Result<Prepared, Fault> {
    let [tag, s, section, period, padding, set, meshing] = options;
    let number = |n: jint| usize::try_from(n).ok();
    let params = Params {
        tag_len: number(tag),
        s: number(s),
        section: number(section),
        period: number(period),
        padding: match padding {
            -1 | 0 => Padding::None,
            1 => Padding::Procedure1,
            2 => Padding::Procedure2,
            3 => Padding::Procedure3,
            _ => Padding::Pkcs7,
        },
        sboxes: sboxes(set, rows)?,
        meshing: number(meshing).map(|n| n != 0),
        ..Params::new(bytes)
    };
    Ok(Prepared { key: algorithm.key(&params)?, bytes: Zeroizing::new(bytes.to_vec()) })
}

/// Returns whether two keys are equal, in a time that depends only on their lengths.
fn equal(a: &[u8], b: &[u8]) -> bool {
    a.len() == b.len() && bulat::verify(a, b).is_ok()
}

impl Context {
    /// Begins a message under the key and the IV at the start of the desk, or under the present key; no message without
    /// the length of an IV. Returns whether the key is the present key.
    fn start(
        &mut self,
        way: Direction,
        key: Option<usize>,
        iv: Option<usize>,
    ) -> Result<bool, Fault> {
        let (bytes, rest) = self.desk.split_at_checked(key.unwrap_or(0)).ok_or(Fault::Internal)?;
        let iv = match iv {
            Some(len) => Some(rest.get(..len).ok_or(Fault::Internal)?),
            None => None,
        };
        let mut same = true;
        if key.is_some() {
            same = self.prepared.as_ref().is_some_and(|present| equal(&present.bytes, bytes));
            if !same || self.changed {
                self.session = None;
                // A refused key leaves the present key: only so is a nonce that the present key has used refused
                // afterwards.
                let prepared = prepare(self.algorithm, bytes, self.options, &self.rows)?;
                (self.prepared, self.changed) = (Some(Arc::new(prepared)), false);
            }
        }
        let Some(iv) = iv else { return Ok(same) };
        let session = match (self.session.take(), &self.prepared) {
            (Some((mut session, before)), Some(_)) if before == way => {
                match &mut session {
                    Session::Hash(hash) => hash.reset(),
                    Session::Mac(mac) => mac.reset(iv)?,
                    Session::Cipher(cipher) => cipher.reset(iv)?,
                    Session::Aead(aead) => aead.reset(iv)?,
                }
                session
            }
            (_, Some(prepared)) => prepared.key.session(way, iv)?,
            (_, None) => self.algorithm.session(&Params::new(&[]))?,
        };
        self.session = Some((session, way));
        Ok(same)
    }
}

/// Hashes a message by a state on the stack: a state on the heap costs 80 ns more, and a state that a thread keeps
/// would hold the library in memory after its class loader.
fn short<const OUT: usize>(input: &Range, digest: &mut [u8; 64]) -> Result<usize, Fault> {
    let mut hash = Streebog::<OUT>::new();
    input.pieces(|piece| {
        hash.update(piece);
        Ok(())
    })?;
    digest[..OUT].copy_from_slice(&hash.finalize());
    Ok(OUT)
}

natives! {
    /// Makes a context and returns its address.
    fn Java_io_github_bulatcrypto_Native_context(_env, algorithm: jint) -> jlong {
        Ok(Context::new(line(algorithm)?).address())
    }
    /// Makes a copy, which continues independently.
    fn Java_io_github_bulatcrypto_Native_copy(_env on context) -> jlong {
        Ok(Context {
            options: context.options,
            rows: context.rows.clone(),
            prepared: context.prepared.clone(),
            changed: context.changed,
            session: context.session.clone(),
            ..Context::new(context.algorithm)
        }
        .address())
    }
    /// Wipes and frees a context.
    fn Java_io_github_bulatcrypto_Native_free(_env, context: jlong) -> jint {
        if context > 0 {
            // SAFETY: the context came from a box and is freed only here, once, as this function requires.
            drop(unsafe { Box::from_raw(context as usize as *mut Context) });
        }
        Ok(0)
    }
    /// Wipes the key and the message.
    fn Java_io_github_bulatcrypto_Native_wipe(_env on context) -> jint {
        (context.prepared, context.session) = (None, None);
        Ok(0)
    }
    /// Sets the options of the next key.
    fn Java_io_github_bulatcrypto_Native_options(
        env on context, options: jintArray, rows: jbyteArray,
    ) -> jint {
        (context.options, context.rows) = (env.numbers(options)?, env.bytes(rows)?);
        context.changed = true;
        Ok(0)
    }
    /// Makes the desk, which has `size` bytes, and returns a buffer over it. The desk before it ends.
    fn Java_io_github_bulatcrypto_Native_desk(env on context, size: jint) -> jobject {
        let size = usize::try_from(size).map_err(|_| Fault::Internal)?;
        let mut desk = Vec::new();
        desk.try_reserve_exact(size).map_err(|_| Fault::Memory)?;
        desk.resize(size, 0);
        context.desk = desk;
        // SAFETY: the class `Context` uses the buffer only while the context is alive and this is its desk.
        unsafe { env.buffer(&mut context.desk) }
    }
    /// Begins a message. At the start of the desk are `key` bytes of a key and `iv` bytes of an IV, which are wiped. If
    /// `key` is negative, the present key is kept; a hash has no key. If `iv` is negative, no message is begun. Returns
    /// the length of the key's tags, and in bit 16 whether the key is the present key.
    fn Java_io_github_bulatcrypto_Native_start(
        _env on context, encrypt: jboolean, key: jint, iv: jint,
    ) -> jint {
        let way = if encrypt { Direction::Encrypt } else { Direction::Decrypt };
        let (key, iv) = (usize::try_from(key).ok(), usize::try_from(iv).ok());
        let same = context.start(way, key, iv);
        let used = (key.unwrap_or(0) + iv.unwrap_or(0)).min(context.desk.len());
        context.desk[..used].zeroize();
        let tag = context.prepared.as_ref().map_or(0, |prepared| prepared.key.tag_len());
        Ok(tag as jint | jint::from(same?) << 16)
    }
    /// Adds a piece of a message or of associated data.
    fn Java_io_github_bulatcrypto_Native_absorb(
        env on context, array: jbyteArray, buffer: jobject, at: jint, len: jint,
    ) -> jint {
        context.absorb(&env.range(array, buffer, at, len)?)?;
        Ok(0)
    }
    /// Encrypts or decrypts a piece and returns the length of the output.
    fn Java_io_github_bulatcrypto_Native_transform(
        env on context, array: jbyteArray, buffer: jobject, at: jint, len: jint,
        output: jbyteArray, output_buffer: jobject, output_at: jint, room: jint,
    ) -> jint {
        let input = env.range(array, buffer, at, len)?;
        Ok(context.transform(&input, &env.range(output, output_buffer, output_at, room)?)? as jint)
    }
    /// Ends the message with its last piece: the digest, the tag, the rest of the text, text and tag, or the checked
    /// text.
    fn Java_io_github_bulatcrypto_Native_finish(
        env on context, array: jbyteArray, buffer: jobject, at: jint, len: jint,
        output: jbyteArray, output_buffer: jobject, output_at: jint, room: jint,
    ) -> jint {
        let input = env.range(array, buffer, at, len)?;
        Ok(context.finish(&input, &env.range(output, output_buffer, output_at, room)?)? as jint)
    }
    /// Hashes a message in one call, without a context.
    fn Java_io_github_bulatcrypto_Native_digest(
        env, algorithm: jint, array: jbyteArray, at: jint, len: jint, output: jbyteArray,
        output_at: jint, room: jint,
    ) -> jint {
        let line = line(algorithm)?;
        let none = core::ptr::null_mut();
        let input = env.range(array, none, at, len)?;
        let mut digest = Zeroizing::new([0; 64]);
        let n = match line.primitive {
            Primitive::Streebog256 => short::<32>(&input, &mut digest)?,
            Primitive::Streebog512 => short::<64>(&input, &mut digest)?,
            _ => {
                let mut hash = line.session(&Params::new(&[]))?.hash()?;
                input.pieces(|piece| {
                    hash.update(piece);
                    Ok(())
                })?;
                hash.finalize_reset(&mut *digest)?
            }
        };
        env.range(output, none, output_at, room)?.write(0, &digest[..n])?;
        Ok(n as jint)
    }
}
