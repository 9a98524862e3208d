//! The cases: every algorithm of the table through the module's calls, with secret keys and texts, and the container.
//! Ciphertexts and tags to check are secret, too. Lengths, IVs, nonces, salts and labels are public. Each result is
//! compared with libbulat's on this machine.

use bulat::Direction::{self, Decrypt, Encrypt};
use bulat::algorithm::{ALGORITHMS, Algorithm, KdfParams, Kind, Padding, Params, Scheme};
use bulat::algorithm::{Session, WrapParams};
use bulat::kdf::TlsMasks;

use crate::machine::{Leak, Machine, Trap};

pub type Run = Box<dyn Fn(&mut Host) -> Result<(), Trap> + Sync>;

/// A name and the work.
pub struct Case(pub String, pub Run);

/// A message long enough for every layout of the module's kernels and for new keys, and a short message.
const LENGTHS: [usize; 2] = [1600 + 13, 29];
/// Codes of bulat.h.
const VERIFY: u32 = 15;
const PADDING: u32 = 16;

/// A module with the arguments of calls.
pub struct Host {
    pub machine: Machine,
    /// Which of the secrets.
    pub variant: u8,
    /// The kernel that is forced.
    pub kernel: Option<String>,
    /// The machine's trace up to where something public depends on the secret, if that is so.
    pub sealed: Option<u64>,
    /// Results that differ from libbulat's.
    pub wrong: Vec<String>,
}

/// Bytes of a fixed pattern; other ones for another variant.
fn pattern(n: usize, seed: u8, variant: u8) -> Vec<u8> {
    let other = |i: usize| (i * i + 7 * i) as u8 ^ (i >> 8) as u8;
    let byte = |i| (i as u8).wrapping_mul(167).wrapping_add(seed);
    (0..n).map(|i| byte(i).wrapping_add(variant.wrapping_mul(other(i) | 1))).collect()
}

impl Host {
    pub fn new(machine: &Machine, kernel: Option<&str>, variant: u8) -> Host {
        let (machine, kernel) = (machine.clone(), kernel.map(str::to_string));
        Host { machine, variant, kernel, sealed: None, wrong: vec![] }
    }
    fn bytes(&self, n: usize, seed: u8) -> Vec<u8> {
        pattern(n, seed, self.variant)
    }
    pub fn call(&mut self, name: &str, arguments: &[u32]) -> Result<u32, Trap> {
        self.machine.call(name, arguments)
    }
    /// A call that must return this code.
    fn returns(&mut self, code: u32, name: &str, arguments: &[u32]) -> Result<(), Trap> {
        let got = self.call(name, arguments)?;
        if got != code {
            self.wrong.push(format!("{name} returned {got}, not {code}"));
        }
        Ok(())
    }
    fn well(&mut self, name: &str, arguments: &[u32]) -> Result<(), Trap> {
        self.returns(0, name, arguments)
    }
    fn room(&mut self, n: usize) -> Result<u32, Trap> {
        self.call("web_alloc", &[n.max(1) as u32])
    }
    fn public(&mut self, bytes: &[u8]) -> Result<u32, Trap> {
        let at = self.room(bytes.len())?;
        self.machine.memory[at as usize..][..bytes.len()].copy_from_slice(bytes);
        Ok(at)
    }
    fn secret(&mut self, bytes: &[u8]) -> Result<u32, Trap> {
        let at = self.public(bytes)?;
        self.machine.secret[at as usize..][..bytes.len()].fill(0xff);
        Ok(at)
    }
    pub fn text(&mut self, text: &str) -> Result<u32, Trap> {
        self.public(format!("{text}\0").as_bytes())
    }
    fn words(&mut self, words: &[u32]) -> Result<u32, Trap> {
        self.public(&words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>())
    }
    fn take(&self, at: u32, n: usize) -> Vec<u8> {
        self.machine.memory[at as usize..][..n].to_vec()
    }
    /// A number that the module wrote; it must be public.
    fn number(&mut self, at: u32) -> u32 {
        if self.machine.secret[at as usize..][..4] != [0; 4] {
            self.machine.leak(0, 0, Leak::Result);
        }
        u32::from_le_bytes(self.take(at, 4).try_into().expect("4 bytes"))
    }
    /// A string at an address that the module returned.
    pub fn string(&self, at: u32) -> String {
        let bytes = self.machine.memory[at as usize..].iter().take_while(|byte| **byte != 0);
        bytes.map(|byte| char::from(*byte)).collect()
    }
    fn object(&mut self, name: &str, arguments: &[u32]) -> Result<u32, Trap> {
        let out = self.room(4)?;
        self.well(name, &[&[out], arguments].concat())?;
        Ok(self.number(out))
    }
    fn same(&mut self, what: &str, got: &[u8], expected: &[u8]) {
        if got != expected {
            self.wrong.push(format!("{what} differs from libbulat's"));
        }
    }
    fn find(&mut self, a: &Algorithm) -> Result<u32, Trap> {
        let name = self.text(a.name)?;
        self.call("bulat_algorithm_find", &[name])
    }
    fn key(&mut self, a: &Algorithm, key: &[u8], padding: Padding) -> Result<u32, Trap> {
        let (algorithm, bytes) = (self.find(a)?, self.secret(key)?);
        let mut options = [0; 13];
        (options[1], options[2]) = (section(a).unwrap_or(0), period(a).unwrap_or(0));
        options[4] = padding as u32;
        let options = self.words(&options)?;
        self.object("bulat_key_new", &[algorithm, bytes, key.len() as u32, options])
    }
}

fn key_len(a: &Algorithm) -> usize {
    if a.kind == Kind::Mac { 32 } else { a.key }
}

/// The bytes of a section, where the key changes after each.
fn section(a: &Algorithm) -> Option<u32> {
    let changes = matches!(a.scheme, Scheme::CtrAcpkm | Scheme::CtrAcpkmOmac | Scheme::OmacAcpkm);
    changes.then_some(512)
}

fn period(a: &Algorithm) -> Option<u32> {
    (a.scheme == Scheme::OmacAcpkm).then_some(1024)
}

/// A public IV of the usual length; the first bit is 0 for MGM.
fn iv(a: &Algorithm, seed: u8) -> Vec<u8> {
    pattern(a.iv.usual(), seed, 0).iter().map(|byte| byte & 0x7f).collect()
}

/// The result of libbulat on this machine: a digest, a tag, a text, a text and its tag.
fn native(
    a: &Algorithm,
    key: &[u8],
    iv: &[u8],
    (direction, padding): (Direction, Padding),
    aad: &[u8],
    text: &[u8],
) -> Result<Vec<u8>, bulat::Error> {
    let [section, period] = [section(a), period(a)].map(|n| n.map(|n| n as usize));
    let params =
        Params { section, period, ..Params::new(key).iv(iv).direction(direction).padding(padding) };
    let mut out = text.to_vec();
    match a.session(&params)? {
        Session::Hash(mut hash) => {
            hash.update(text);
            out = vec![0; a.out];
            hash.finalize_reset(&mut out)?;
        }
        Session::Mac(mut mac) => {
            mac.update(text);
            out = mac.finalize_reset()?.to_vec();
        }
        Session::Cipher(mut cipher) => {
            let (done, mut end) = (cipher.update(&mut out)?, [0; 64]);
            let n = cipher.finalize(&mut end)?;
            out.truncate(done);
            out.extend(&end[..n]);
        }
        Session::Aead(mut aead) => {
            if !aad.is_empty() {
                aead.aad(aad)?;
            }
            aead.update(&mut out)?;
            out.extend(&aead.finalize()?[..]);
        }
    }
    Ok(out)
}

const PLAIN: (Direction, Padding) = (Encrypt, Padding::None);

fn hash(h: &mut Host, a: &Algorithm, len: usize) -> Result<(), Trap> {
    let message = h.bytes(len, 3);
    let expected = native(a, &[], &[], PLAIN, &[], &message).expect("a hash");
    let (algorithm, at, out) = (h.find(a)?, h.secret(&message)?, h.room(a.out)?);
    let (n, size) = (len as u32, a.out as u32);
    h.well("bulat_hash", &[algorithm, at, n, out, size])?;
    h.same("the digest", &h.take(out, a.out), &expected);
    let ctx = h.object("bulat_hash_new", &[algorithm])?;
    h.well("bulat_hash_update", &[ctx, at, 20])?;
    h.well("bulat_hash_update", &[ctx, at + 20, n - 20])?;
    h.well("bulat_hash_final", &[ctx, out, size])?;
    h.same("the digest in pieces", &h.take(out, a.out), &expected);
    h.call("bulat_hash_free", &[ctx])?;
    Ok(())
}

fn mac(h: &mut Host, a: &Algorithm, len: usize) -> Result<(), Trap> {
    let (key, message) = (h.bytes(32, 1), h.bytes(len, 3));
    let mut expected = native(a, &key, &[], PLAIN, &[], &message).expect("a MAC");
    let (key, at) = (h.key(a, &key, Padding::None)?, h.secret(&message)?);
    let (n, size) = (len as u32, a.out as u32);
    let out = h.room(a.out)?;
    let ctx = h.object("bulat_mac_new", &[key, 0, 0])?;
    h.well("bulat_mac_update", &[ctx, at, 20])?;
    h.well("bulat_mac_update", &[ctx, at + 20, n - 20])?;
    h.well("bulat_mac_final", &[ctx, out, size])?;
    h.same("the tag", &h.take(out, a.out), &expected);
    let right = h.secret(&expected)?;
    h.well("bulat_mac_verify", &[key, at, n, right, size])?;
    expected[a.out - 1] ^= 1;
    let wrong = h.secret(&expected)?;
    h.well("bulat_mac_update", &[ctx, at, n])?;
    h.returns(VERIFY, "bulat_mac_final_verify", &[ctx, wrong, size])?;
    h.call("bulat_mac_free", &[ctx])?;
    h.call("bulat_key_free", &[key])?;
    Ok(())
}

fn cipher(
    h: &mut Host,
    a: &Algorithm,
    direction: Direction,
    padding: Padding,
    len: usize,
) -> Result<(), Trap> {
    let (key, iv) = (h.bytes(key_len(a), 1), iv(a, 2));
    let mut text = h.bytes(len, 3);
    let way = (direction, padding);
    if way.0 == Decrypt && padding != Padding::None && len > 100 {
        // A right padding; the short text has a wrong padding.
        text = native(a, &key, &iv, (Encrypt, padding), &[], &text[..len - 16]).expect("a text");
    }
    let expected = native(a, &key, &iv, way, &[], &text);
    let (key, iv_at, at) = (h.key(a, &key, padding)?, h.public(&iv)?, h.secret(&text)?);
    let (n, room) = (text.len() as u32, text.len() as u32 + 16);
    let (out, written) = (h.room(room as usize)?, h.room(4)?);
    let ivs = [iv_at, iv.len() as u32];
    let name = if direction == Encrypt { "bulat_encrypt" } else { "bulat_decrypt" };
    let code = if expected.is_ok() { 0 } else { PADDING };
    h.returns(code, name, &[key, ivs[0], ivs[1], at, n, out, room, written])?;
    let expected = expected.unwrap_or_default();
    let len = h.number(written) as usize;
    if code == 0 {
        h.same("the text", &h.take(out, len), &expected);
    }
    let ctx = h.object("bulat_cipher_new", &[key, direction as u32, ivs[0], ivs[1]])?;
    let mut got = vec![];
    // XTS has whole texts only.
    let pieces = if a.scheme == Scheme::Xts { vec![n] } else { vec![20.min(n), 0, n - 20.min(n)] };
    let mut from = at;
    for piece in pieces {
        h.well("bulat_cipher_update", &[ctx, from, from, piece, written])?;
        let len = h.number(written) as usize;
        got.extend(h.take(from, len));
        from += piece;
    }
    h.returns(code, "bulat_cipher_final", &[ctx, out, room, written])?;
    let len = h.number(written) as usize;
    got.extend(h.take(out, len));
    if code == 0 {
        h.same("the text in pieces", &got, &expected);
    }
    h.call("bulat_cipher_free", &[ctx])?;
    h.call("bulat_key_free", &[key])?;
    Ok(())
}

fn aead(h: &mut Host, a: &Algorithm, len: usize) -> Result<(), Trap> {
    let (key, nonce, text) = (h.bytes(a.key, 1), iv(a, 2), h.bytes(len, 3));
    let aad = pattern(if a.scheme == Scheme::Mgm { 20 } else { 0 }, 5, 0);
    let expected = native(a, &key, &nonce, PLAIN, &aad, &text).expect("a message");
    let (key, at, out) = (h.key(a, &key, Padding::None)?, h.secret(&text)?, h.room(len)?);
    let (nonce_at, aad_at, tag) = (h.public(&nonce)?, h.public(&aad)?, h.room(a.out)?);
    let (n, size) = (len as u32, a.out as u32);
    let head = [key, nonce_at, nonce.len() as u32, aad_at, aad.len() as u32];
    h.well("bulat_seal", &[&head[..], &[at, out, n, tag, size]].concat())?;
    h.same("the message", &[h.take(out, len), h.take(tag, a.out)].concat(), &expected);
    let (sealed, tag) = (h.secret(&expected[..len])?, h.secret(&expected[len..])?);
    h.well("bulat_open", &[&head[..], &[sealed, out, n, tag, size]].concat())?;
    h.same("the opened text", &h.take(out, len), &text);
    let wrong = h.public(&pattern(a.out, 4, 0))?;
    h.returns(VERIFY, "bulat_open", &[&head[..], &[at, out, n, wrong, size]].concat())?;
    let ctx = h.object("bulat_unverified_new", &head[..3])?;
    if !aad.is_empty() {
        h.well("bulat_unverified_aad", &[ctx, aad_at, head[4]])?;
    }
    h.well("bulat_unverified_update", &[ctx, sealed, sealed, n])?;
    h.same("the unverified text", &h.take(sealed, len), &text);
    h.well("bulat_unverified_verify", &[ctx, tag, size])?;
    h.call("bulat_unverified_free", &[ctx])?;
    h.call("bulat_key_free", &[key])?;
    Ok(())
}

fn derive(h: &mut Host, a: &Algorithm) -> Result<(), Trap> {
    let key = h.bytes(if a.key == 0 { 37 } else { a.key }, 1);
    let has = |schemes: &[Scheme]| schemes.contains(&a.scheme);
    let part = |has: bool, text: &'static [u8]| if has { text } else { &[] };
    let salt = part(has(&[Scheme::Pbkdf2, Scheme::Hkdf]), b"salt");
    let label = part(has(&[Scheme::Kdf256, Scheme::KdfTree, Scheme::PrfTls]), b"label");
    let seeded = [Scheme::Kdf256, Scheme::KdfTree, Scheme::PrfTls, Scheme::PrfPlus, Scheme::Hkdf];
    let seed = part(has(&seeded), b"seed");
    let iterations = has(&[Scheme::Pbkdf2]).then_some(3);
    let masks = has(&[Scheme::TlsTree]).then_some(TlsMasks::KUZNYECHIK_CTR_OMAC);
    let record = masks.is_some().then_some(77);
    let params =
        KdfParams { key: &key, salt, label, seed, iterations, counter: None, masks, record };
    let mut expected = vec![0; if a.out == 0 { 100 } else { a.out }];
    a.derive(&params, &mut expected).expect("the parameters are right");
    let mut words = vec![h.secret(&key)?, key.len() as u32];
    for part in [salt, label, seed] {
        words.extend([h.public(part)?, part.len() as u32]);
    }
    words.extend([iterations.unwrap_or(0), 0]);
    let numbers = masks.map_or([0; 3], |masks| masks.0);
    for number in numbers.into_iter().chain([record.unwrap_or(0)]) {
        words.extend([number as u32, (number >> 32) as u32]);
    }
    words.extend([0; 4]);
    let (algorithm, params, out) = (h.find(a)?, h.words(&words)?, h.room(expected.len())?);
    h.well("bulat_derive", &[algorithm, params, out, expected.len() as u32])?;
    h.same("the key", &h.take(out, expected.len()), &expected);
    Ok(())
}

fn wrap(h: &mut Host, a: &Algorithm) -> Result<(), Trap> {
    let (key, iv, secret) = (h.bytes(a.key, 1), iv(a, 2), h.bytes(32, 3));
    let len = a.wrapped_len(iv.len(), 32).expect("a wrap");
    let mut expected = vec![0; len];
    let params = WrapParams { key: &key, iv: &iv, sboxes: None };
    a.wrap(&params, &secret, &mut expected).expect("the parameters are right");
    let (algorithm, key, iv_at) = (h.find(a)?, h.secret(&key)?, h.public(&iv)?);
    let (at, out, n) = (h.secret(&secret)?, h.room(len)?, len as u32);
    let (key, iv_len) = ([algorithm, key, a.key as u32], iv.len() as u32);
    h.well("bulat_wrap", &[&key[..], &[iv_at, iv_len, 0, at, 32, out, n]].concat())?;
    h.same("the wrapped key", &h.take(out, len), &expected);
    // The other wraps hold the IV, which is public.
    let ivs = if a.scheme == Scheme::Kexp15 { [iv_at, iv_len] } else { [0, 0] };
    let held = if ivs[0] == 0 { iv.len() } else { 0 };
    let (wrapped, back) = (h.secret(&expected)?, h.room(32)?);
    h.machine.secret[wrapped as usize..][..held].fill(0);
    let head = [&key[..], &ivs, &[0]].concat();
    h.well("bulat_unwrap", &[&head[..], &[wrapped, n, back, 32]].concat())?;
    h.same("the key", &h.take(back, 32), &secret);
    expected[len - 1] ^= 1;
    let wrong = h.secret(&expected)?;
    h.machine.secret[wrong as usize..][..held].fill(0);
    h.returns(VERIFY, "bulat_unwrap", &[&head[..], &[wrong, n, back, 32]].concat())
}

/// Twenty messages of four lengths, each under its own key, in a call; six on the slow kernel.
fn batch(h: &mut Host, a: &Algorithm, direction: Direction) -> Result<(), Trap> {
    let work = match (a.kind, direction) {
        (Kind::Hash, _) => 1,
        (Kind::Mac, _) => 2,
        (Kind::Cipher, Encrypt) => 4,
        (Kind::Cipher, Decrypt) => 5,
        (_, Encrypt) => 6,
        (_, Decrypt) => 7,
    };
    let (mut jobs, mut expected) = (vec![], vec![]);
    let count = if h.kernel.as_deref() == Some("portable") { 6 } else { 20 };
    for i in 0..count {
        let (key, mut iv) = (h.bytes(key_len(a), i), iv(a, 2));
        iv.iter_mut().take(1).for_each(|byte| *byte = i);
        let text = h.bytes([16, 48, 160, 528][usize::from(i) % 4], i);
        let way = if a.kind == Kind::Aead { PLAIN } else { (direction, Padding::None) };
        let mut made = native(a, &key, &iv, way, &[], &text).expect("a message");
        let (key, iv_at) = (h.key(a, &key, Padding::None)?, h.public(&iv)?);
        let (source, tag) = match work {
            7 => {
                let tag = made.split_off(text.len());
                (h.secret(&made)?, h.secret(&tag)?)
            }
            _ => (h.secret(&text)?, h.room(a.out)?),
        };
        let cipher = work > 3;
        let out = if cipher { h.room(text.len())? } else { 0 };
        let job = [key, work, 0, iv_at, iv.len() as u32, 0, 0, source, out, text.len() as u32];
        let tag = if work == 4 || work == 5 { [0, 0] } else { [tag, a.out as u32] };
        jobs.extend([&job[..], &tag, &[0, 0]].concat());
        expected.push((if work == 7 { text.clone() } else { made }, out, tag, text.len()));
    }
    let at = h.words(&jobs)?;
    h.well("bulat_batch", &[at, count.into(), 0])?;
    for (expected, out, [tag, size], len) in expected {
        let mut got = if out == 0 { vec![] } else { h.take(out, len) };
        if work != 7 && size > 0 {
            got.extend(h.take(tag, size as usize));
        }
        h.same("a message of the batch", &got, &expected);
    }
    Ok(())
}

/// A sum of a file, as the page makes it.
fn sum(h: &mut Host, bits: u32) -> Result<(), Trap> {
    let a = bulat::algorithm(if bits == 256 { "streebog256" } else { "streebog512" });
    let (a, message) = (a.expect("a hash"), h.bytes(777, 1));
    let expected = native(a, &[], &[], PLAIN, &[], &message).expect("a hash");
    let (at, out) = (h.secret(&message)?, h.room(a.out)?);
    let sum = h.call("web_sum_new", &[bits])?;
    h.call("web_sum_update", &[sum, at, 777])?;
    h.call("web_sum_final", &[sum, out])?;
    h.same("the sum", &h.take(out, a.out), &expected);
    Ok(())
}

/// A key file: its digits made, and read with two ends; and its bytes.
fn key_file(h: &mut Host) -> Result<(), Trap> {
    let bytes = h.bytes(32, 1);
    let (key, digits, out) = (h.secret(&bytes)?, h.room(67)?, h.room(32)?);
    h.call("web_key_digits", &[key, digits])?;
    h.well("web_key", &[digits, 65, out])?;
    h.same("the key", &h.take(out, 32), &bytes);
    h.well("web_key", &[key, 32, out])
}

/// A container: sealed, opened, opened with a wrong secret. `kind` and `cost` are numbers of the format.
fn container(h: &mut Host, cipher: u32, kind: u32, cost: [u32; 3]) -> Result<(), Trap> {
    let (secret, text) = (h.bytes(32, 1), h.bytes(5000, 2));
    // A password has no line end and no zero byte.
    let secret: Vec<u8> = secret.iter().map(|byte| byte | 0x40).collect();
    // The file's public identity, its secret data key, its public salt.
    let fresh = h.public(&pattern(80, 3, 0))?;
    h.machine.secret[fresh as usize + 32..][..32].fill(0xff);
    let (at, cost, header) = (h.secret(&secret)?, h.words(&cost)?, h.room(2048)?);
    let feed = h.call("web_seal_new", &[cipher, 12, kind, cost, at, 32, fresh, header])?;
    if feed == 0 {
        h.wrong.push("no container".into());
        return Ok(());
    }
    let mut chunks = vec![];
    for (piece, last) in [(&text[..4096], 0), (&text[4096..], 1)] {
        let room = h.call("web_feed_room", &[feed])? as usize;
        h.machine.memory[room..][..piece.len()].copy_from_slice(piece);
        h.machine.secret[room..][..piece.len()].fill(0xff);
        let n = h.call("web_feed_work", &[feed, piece.len() as u32, last])? as usize;
        chunks.push(h.take(room as u32, n));
    }
    h.call("web_feed_free", &[feed])?;
    // The file is public, and differs for other secrets.
    h.sealed = Some(h.machine.trace);
    let header = h.take(header, 2048);
    let header = h.public(&header)?;
    let wrong = h.secret(&pattern(32, 9, 0).iter().map(|byte| byte | 0x40).collect::<Vec<u8>>())?;
    let open = |h: &mut Host, secret| {
        let limits = [1 << 20, 1 << 20];
        let arguments =
            [header, 2048, u32::from(kind > 1), secret, 32, limits[0], limits[1], 0, 0, 0];
        h.call("web_open_new", &arguments)
    };
    if open(h, wrong)? != 0 {
        h.wrong.push("a wrong secret opens the container".into());
    }
    let feed = open(h, at)?;
    let mut got = vec![];
    for (chunk, last) in chunks.iter().zip([0, 1]) {
        let room = h.call("web_feed_room", &[feed])?;
        h.machine.memory[room as usize..][..chunk.len()].copy_from_slice(chunk);
        h.machine.secret[room as usize..][..chunk.len()].fill(0);
        let n = h.call("web_feed_work", &[feed, chunk.len() as u32, last])? as usize;
        got.extend(h.take(room, n));
    }
    h.call("web_feed_free", &[feed])?;
    h.same("the opened text", &got, &text);
    Ok(())
}

/// Argon2id, the container's default: its addresses depend on the password, by design (RFC 9106).
pub fn argon2id() -> Run {
    Box::new(|h| container(h, 1, 3, [8, 1, 1]))
}

/// The module's own known answers.
pub fn selftest(h: &mut Host) -> Result<(), Trap> {
    h.well("bulat_selftest", &[])
}

/// The cases of the container, which both modules have.
pub fn files() -> Vec<Case> {
    let mut cases: Vec<Case> = vec![];
    let mut case = |name: &str, run: Run| cases.push(Case(name.into(), run));
    case("sums of files", Box::new(|h| sum(h, 256).and_then(|()| sum(h, 512))));
    case("key files", Box::new(key_file));
    case("container: Kuznyechik, key", Box::new(|h| container(h, 1, 1, [0; 3])));
    case("container: Magma, key", Box::new(|h| container(h, 2, 1, [0; 3])));
    case("container: password by PBKDF2", Box::new(|h| container(h, 1, 2, [3, 0, 0])));
    cases
}

/// The cases of the table, in every way to use an algorithm.
pub fn table() -> Vec<Case> {
    let mut cases: Vec<Case> = vec![];
    for a in ALGORITHMS {
        let mut case = |way: &str, run: Run| cases.push(Case(format!("{} {way}", a.name), run));
        let both = [(Encrypt, "encrypt"), (Decrypt, "decrypt")];
        for len in LENGTHS {
            match a.kind {
                Kind::Hash => case("hash", Box::new(move |h| hash(h, a, len))),
                Kind::Mac => case("tag, verify", Box::new(move |h| mac(h, a, len))),
                Kind::Aead => case("seal, open", Box::new(move |h| aead(h, a, len))),
                Kind::Cipher => {
                    let blocks = matches!(a.scheme, Scheme::Ecb | Scheme::Cbc);
                    let paddings = [Padding::None, Padding::Procedure2, Padding::Pkcs7];
                    for (direction, way) in both {
                        for padding in paddings.into_iter().take(if blocks { 3 } else { 1 }) {
                            let whole = padding == Padding::None || direction == Decrypt;
                            let len = if blocks && whole { len.next_multiple_of(16) } else { len };
                            let way = format!("{way} {padding:?} {len}");
                            case(&way, Box::new(move |h| cipher(h, a, direction, padding, len)));
                        }
                    }
                }
                Kind::Kdf | Kind::Wrap => {}
            }
        }
        match a.kind {
            Kind::Kdf => case("derive", Box::new(move |h| derive(h, a))),
            Kind::Wrap => case("wrap, unwrap", Box::new(move |h| wrap(h, a))),
            Kind::Hash | Kind::Mac => case("batch", Box::new(move |h| batch(h, a, Encrypt))),
            Kind::Cipher | Kind::Aead => {
                for (direction, way) in both {
                    case(&format!("batch {way}"), Box::new(move |h| batch(h, a, direction)));
                }
            }
        }
    }
    cases
}
