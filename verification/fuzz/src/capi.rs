//! The calls of libbulat in a chosen order, with chosen buffers of one piece of memory, so that they overlap at times, and chosen
//! objects. A call writes only the buffers that it was given to write; every answer is a known code, and no answer an
//! internal error.

use bulat_capi::*;
use core::ffi::c_void;
use core::ptr::{null, null_mut};
use testkit::Random;

/// Bytes of memory that all buffers are parts of.
const ARENA: usize = 1024;
/// Objects of each kind that are alive at once.
const MOST: usize = 4;

/// Some bytes of the arena, or no bytes, or null.
#[derive(Clone, Copy)]
struct Buffer {
    at: *mut c_void,
    len: usize,
}

/// The objects of a kind, and the call that frees them.
struct Pool<T>(Vec<*mut T>, unsafe extern "C" fn(*mut T));

impl<T> Pool<T> {
    /// An object, or null.
    fn pick(&self, r: &mut Random) -> *mut T {
        self.0.get(r.below(self.0.len() + 1)).copied().unwrap_or(null_mut())
    }
    /// Keeps what a call makes.
    fn add(&mut self, make: impl FnOnce(*mut *mut T) -> bulat_result) -> Done {
        let mut made = null_mut();
        let result = make(&mut made);
        assert_eq!(made.is_null(), result != BULAT_OK);
        self.0.extend((!made.is_null()).then_some(made));
        if self.0.len() > MOST {
            // SAFETY: ours, once.
            unsafe { self.1(self.0.remove(0)) };
        }
        (result, vec![])
    }
}

impl<T> Drop for Pool<T> {
    fn drop(&mut self) {
        for object in &self.0 {
            // SAFETY: ours, once.
            unsafe { self.1(*object) };
        }
    }
}

struct World<'r> {
    r: &'r mut Random,
    arena: *mut u8,
    keys: Pool<bulat_key>,
    hashes: Pool<bulat_hash_ctx>,
    macs: Pool<bulat_mac_ctx>,
    ciphers: Pool<bulat_cipher_ctx>,
    aeads: Pool<bulat_aead_ctx>,
    unverified: Pool<bulat_unverified_ctx>,
    stores: Pool<bulat_pfx>,
    made: Pool<bulat_bytes>,
}

impl World<'_> {
    fn buffer(&mut self, len: usize) -> Buffer {
        let len = len.min(ARENA);
        match self.r.below(24) {
            0 => Buffer { at: null_mut(), len: [0, len][self.r.below(2)] },
            _ => {
                let at = self.r.below(ARENA - len + 1);
                Buffer { at: self.arena.wrapping_add(at).cast(), len }
            }
        }
    }
    /// A buffer of a usual length, mostly.
    fn some(&mut self) -> Buffer {
        let len = match self.r.below(6) {
            0 => self.r.below(300),
            1 => 0,
            n => [32, 16, 8, 64][n - 2],
        };
        self.buffer(len)
    }
    /// `source`, mostly, or a second buffer as long.
    fn destination(&mut self, source: Buffer) -> Buffer {
        if self.r.below(2) == 0 { source } else { self.buffer(source.len) }
    }
    fn algorithm(&mut self) -> *const bulat_algorithm {
        let number = self.r.below(bulat_algorithm_count() + 2);
        bulat_algorithm_at(number)
    }
    fn key(&mut self) -> *const bulat_key {
        self.keys.pick(self.r).cast_const()
    }
    /// An IV of the algorithm's length, mostly.
    fn iv(&mut self, key: *const bulat_key) -> Buffer {
        // SAFETY: a key of ours or null, an algorithm of the table or null.
        let size = unsafe { bulat_key_algorithm(key).as_ref() }.map_or(0, |a| a.iv_size);
        let size = if self.r.below(9) == 0 { self.r.below(40) } else { size };
        self.buffer(size)
    }
    fn tag(&mut self, key: *const bulat_key) -> Buffer {
        // SAFETY: a key of ours or null.
        let size = unsafe { bulat_key_tag_size(key) };
        let size = if self.r.below(9) == 0 { self.r.below(40) } else { size };
        self.buffer(size)
    }
}

/// A row of calls; returns how many succeeded.
pub fn calls(input: &[u8]) -> usize {
    let r = &mut Random::given(input);
    let mut arena = r.bytes(ARENA);
    let mut world = World {
        r,
        arena: arena.as_mut_ptr(),
        keys: Pool(Vec::new(), bulat_key_free),
        hashes: Pool(Vec::new(), bulat_hash_free),
        macs: Pool(Vec::new(), bulat_mac_free),
        ciphers: Pool(Vec::new(), bulat_cipher_free),
        aeads: Pool(Vec::new(), bulat_aead_free),
        unverified: Pool(Vec::new(), bulat_unverified_free),
        stores: Pool(Vec::new(), bulat_pfx_free),
        made: Pool(Vec::new(), bulat_bytes_free),
    };
    let mut well = 0;
    let steps = 4 + world.r.below(60);
    for _ in 0..steps {
        // SAFETY: all of the arena, which no other code has.
        let before = unsafe { core::slice::from_raw_parts(world.arena, ARENA) }.to_vec();
        // SAFETY: every pointer is null, of the arena with its length, or an object of ours.
        let (result, written) = unsafe { call(&mut world) };
        assert_ne!(result, BULAT_ERR_INTERNAL);
        // SAFETY: the answer is a constant text.
        let words = unsafe { core::ffi::CStr::from_ptr(bulat_result_message(result)) };
        assert_ne!(words, c"unknown result");
        // SAFETY: as above.
        let after = unsafe { core::slice::from_raw_parts(world.arena, ARENA) };
        let start = world.arena as usize;
        for (i, (a, b)) in before.iter().zip(after).enumerate() {
            let allowed = written.iter().any(|buffer| {
                let from = (buffer.at as usize).wrapping_sub(start);
                (from..from.saturating_add(buffer.len)).contains(&i)
            });
            assert!(a == b || allowed, "byte {i} was written by a call that was not given it");
        }
        well += usize::from(result == BULAT_OK);
    }
    well
}

/// The result of a call, and the buffers that it may write.
type Done = (bulat_result, Vec<Buffer>);

/// One call.
///
/// # Safety
/// The world's objects are alive.
unsafe fn call(w: &mut World<'_>) -> Done {
    let one = match w.r.below(32) {
        0..6 => new_key,
        6 => hash,
        7 => new_hash,
        8 => hash_step,
        9 => mac,
        10 => new_mac,
        11..13 => mac_step,
        13..15 => crypt,
        15 => new_cipher,
        16..19 => cipher_step,
        19..21 => seal_or_open,
        21 => new_aead,
        22..24 => aead_step,
        24..26 => unverified_step,
        26 => derive,
        27 => wrap_or_unwrap,
        28 => private_key,
        29 => store,
        _ => batch,
    };
    // SAFETY: the objects are alive, by this function's contract.
    unsafe { one(w) }
}

/// Calls with the contract of [`call`]: buffers are null or of the arena with their length, objects null or alive.
macro_rules! steps {
    ($($(#[$doc:meta])* fn $name:ident($w:ident) $body:block)*) => {$(
        $(#[$doc])*
        unsafe fn $name($w: &mut World<'_>) -> Done {
            // SAFETY: as `call` promises.
            unsafe { $body }
        }
    )*};
}

steps! {
    /// A key of any algorithm, with options of any kind.
    fn new_key(w) {
        let a = w.algorithm();
        let size = a.as_ref().map_or(0, |a| if a.key_size == 0 { 20 } else { a.key_size });
        let bytes = if w.r.below(8) == 0 { w.some() } else { w.buffer(size) };
        let hash = a.as_ref().is_some_and(|a| a.kind == BULAT_HASH);
        let len = if hash { 0 } else { bytes.len };
        let options = bulat_options {
            tag_size: w.r.below(20),
            section: [0, 64, 1024, 77][w.r.below(4)],
            period: [0, 96, 5][w.r.below(3)],
            s: [0, 1, 8, 99][w.r.below(4)],
            padding: w.r.below(6) as bulat_padding,
            meshing: w.r.below(4) as bulat_meshing,
            sboxes: [null(), c"a".as_ptr(), c"no".as_ptr()][w.r.below(3)],
            sbox_rows: null(),
            kernel: [null(), c"portable".as_ptr(), c"no".as_ptr()][w.r.below(3)],
            reserved: [0, 0, 0, usize::from(w.r.below(9) == 0)],
        };
        let options = if w.r.below(4) == 0 { &raw const options } else { null() };
        w.keys.add(|to| bulat_key_new(to, a, bytes.at, len, options))
    }
    /// A digest in one call.
    fn hash(w) {
        let (a, message, digest) = (w.algorithm(), w.some(), w.some());
        (bulat_hash(a, message.at, message.len, digest.at, digest.len), vec![digest])
    }
    /// A hash that messages are given to in pieces.
    fn new_hash(w) {
        let a = w.algorithm();
        w.hashes.add(|to| bulat_hash_new(to, a))
    }
    /// A call on a hash.
    fn hash_step(w) {
        let (ctx, piece, digest) = (w.hashes.pick(w.r), w.some(), w.some());
        match w.r.below(4) {
            0 => (bulat_hash_final(ctx, digest.at, digest.len), vec![digest]),
            1 => (bulat_hash_reset(ctx), vec![]),
            2 => w.hashes.add(|to| bulat_hash_copy(to, ctx)),
            _ => (bulat_hash_update(ctx, piece.at, piece.len), vec![]),
        }
    }
    /// A MAC in one call, made or checked.
    fn mac(w) {
        let key = w.key();
        let (message, tag) = (w.some(), w.tag(key));
        if w.r.below(2) == 0 {
            return (bulat_mac_verify(key, message.at, message.len, tag.at, tag.len), vec![]);
        }
        (bulat_mac(key, message.at, message.len, tag.at, tag.len), vec![tag])
    }
    /// A MAC that messages are given to in pieces.
    fn new_mac(w) {
        let key = w.key();
        let iv = w.iv(key);
        w.macs.add(|to| bulat_mac_new(to, key, iv.at, iv.len))
    }
    /// A call on a MAC.
    fn mac_step(w) {
        let (ctx, piece, tag) = (w.macs.pick(w.r), w.some(), w.some());
        match w.r.below(5) {
            0 => (bulat_mac_final(ctx, tag.at, tag.len), vec![tag]),
            1 => (bulat_mac_final_verify(ctx, tag.at, tag.len), vec![]),
            2 => (bulat_mac_reset(ctx, null(), 0), vec![]),
            3 => w.macs.add(|to| bulat_mac_copy(to, ctx)),
            _ => (bulat_mac_update(ctx, piece.at, piece.len), vec![]),
        }
    }
    /// A text encrypted or decrypted in one call.
    fn crypt(w) {
        let mut number = 0usize;
        let key = w.key();
        let (iv, from) = (w.iv(key), w.some());
        let mut to = w.destination(from);
        let start = w.arena as usize;
        if !to.at.is_null() && w.r.below(2) == 0 {
            // Room for padding.
            to.len = (to.len + 16).min(start + ARENA - to.at as usize);
        }
        let one = if w.r.below(2) == 0 { bulat_encrypt } else { bulat_decrypt };
        let result = one(key, iv.at, iv.len, from.at, from.len, to.at, to.len, &mut number);
        assert!(number <= to.len && (result == BULAT_OK || number == 0));
        (result, vec![to])
    }
    /// A cipher that texts are given to in pieces.
    fn new_cipher(w) {
        let (key, way) = (w.key(), w.r.below(3) as bulat_direction);
        let iv = w.iv(key);
        w.ciphers.add(|to| bulat_cipher_new(to, key, way, iv.at, iv.len))
    }
    /// A call on a cipher.
    fn cipher_step(w) {
        let mut number = 0usize;
        let (ctx, from) = (w.ciphers.pick(w.r), w.some());
        let to = w.destination(from);
        match w.r.below(5) {
            0 => {
                let result = bulat_cipher_final(ctx, to.at, to.len, &mut number);
                assert!(number <= to.len && number <= bulat_cipher_held(ctx));
                (result, vec![to])
            }
            1 => (bulat_cipher_reset(ctx, from.at, from.len), vec![]),
            2 => w.ciphers.add(|to| bulat_cipher_copy(to, ctx)),
            _ => {
                let result = bulat_cipher_update(ctx, from.at, to.at, from.len, &mut number);
                assert!(number <= from.len);
                (result, vec![Buffer { len: from.len, ..to }])
            }
        }
    }
    /// A message sealed or opened in one call.
    fn seal_or_open(w) {
        let key = w.key();
        let (nonce, aad, from, tag) = (w.iv(key), w.some(), w.some(), w.tag(key));
        let to = Buffer { len: from.len, ..w.destination(from) };
        if w.r.below(2) == 0 {
            let result = bulat_open(
                key, nonce.at, nonce.len, aad.at, aad.len, from.at, to.at, from.len, tag.at,
                tag.len,
            );
            return (result, if result == BULAT_OK { vec![to] } else { vec![] });
        }
        let result = bulat_seal(
            key, nonce.at, nonce.len, aad.at, aad.len, from.at, to.at, from.len, tag.at, tag.len,
        );
        (result, vec![to, tag])
    }
    /// An AEAD, or an AEAD that releases unverified text.
    fn new_aead(w) {
        let (key, way) = (w.key(), w.r.below(3) as bulat_direction);
        let nonce = w.iv(key);
        let (at, len) = (nonce.at, nonce.len);
        if w.r.below(2) == 0 {
            return w.aeads.add(|to| bulat_aead_new(to, key, way, at, len));
        }
        w.unverified.add(|to| bulat_unverified_new(to, key, at, len))
    }
    /// A call on an AEAD.
    fn aead_step(w) {
        let (ctx, from, tag) = (w.aeads.pick(w.r), w.some(), w.some());
        let to = Buffer { len: from.len, ..w.destination(from) };
        match w.r.below(6) {
            0 => (bulat_aead_aad(ctx, from.at, from.len), vec![]),
            1 => (bulat_aead_final(ctx, tag.at, tag.len), vec![tag]),
            2 => {
                let result = bulat_aead_open(ctx, from.at, to.at, from.len, tag.at, tag.len);
                (result, if result == BULAT_OK { vec![to] } else { vec![] })
            }
            3 => (bulat_aead_reset(ctx, from.at, from.len), vec![]),
            4 => w.aeads.add(|to| bulat_aead_copy(to, ctx)),
            _ => (bulat_aead_update(ctx, from.at, to.at, from.len), vec![to]),
        }
    }
    /// A call on an AEAD that releases unverified text.
    fn unverified_step(w) {
        let (ctx, from, tag) = (w.unverified.pick(w.r), w.some(), w.some());
        let to = Buffer { len: from.len, ..w.destination(from) };
        match w.r.below(5) {
            0 => (bulat_unverified_aad(ctx, from.at, from.len), vec![]),
            1 => (bulat_unverified_verify(ctx, tag.at, tag.len), vec![]),
            2 => (bulat_unverified_reset(ctx, from.at, from.len), vec![]),
            3 => w.unverified.add(|to| bulat_unverified_copy(to, ctx)),
            _ => (bulat_unverified_update(ctx, from.at, to.at, from.len), vec![to]),
        }
    }
    /// A key derived.
    fn derive(w) {
        let a = w.algorithm();
        let [key, salt, label, seed, out] = core::array::from_fn(|_| w.some());
        let mut params = bulat_kdf_params {
            key: key.at,
            key_len: key.len,
            salt: salt.at,
            salt_len: salt.len,
            label: label.at,
            label_len: label.len,
            seed: seed.at,
            seed_len: seed.len,
            iterations: w.r.below(4) as u32,
            counter_size: w.r.below(6) as u32,
            masks: [w.r.below(2) as u64; 3],
            record: w.r.below(2) as u64,
            reserved: [0; 4],
        };
        if w.r.below(2) == 0 {
            (params.salt_len, params.counter_size) = (0, 0);
            (params.iterations, params.masks, params.record) = (0, [0; 3], 0);
        }
        (bulat_derive(a, &params, out.at, out.len), vec![out])
    }
    /// A secret wrapped or unwrapped.
    fn wrap_or_unwrap(w) {
        let a = w.algorithm();
        let sizes = a.as_ref().map_or((0, 0), |a| (a.key_size, a.iv_size));
        let (key, iv, secret) = (w.buffer(sizes.0), w.buffer(sizes.1), w.some());
        let out = w.buffer(bulat_wrapped_size(a, iv.len, secret.len));
        if w.r.below(2) == 0 {
            let (wrapped, size) = (out.at, out.len);
            let result = bulat_unwrap(
                a, key.at, key.len, iv.at, iv.len, null(), wrapped, size, secret.at, secret.len,
            );
            return (result, if result == BULAT_OK { vec![secret] } else { vec![] });
        }
        let result = bulat_wrap(
            a, key.at, key.len, iv.at, iv.len, null(), secret.at, secret.len, out.at, out.len,
        );
        (result, vec![out])
    }
}

/// Options of files under passwords, mostly cheap.
fn pkcs_options(w: &mut World<'_>) -> bulat_pkcs_options {
    bulat_pkcs_options {
        max_iterations: 4000,
        cipher: [null(), c"magma-ctr-acpkm".as_ptr(), c"no".as_ptr()]
            [w.r.below(9).saturating_sub(6)],
        iterations: 1000 - u32::from(w.r.below(9) == 0),
        encoding: [BULAT_DER, BULAT_PEM, 7][w.r.below(9).saturating_sub(6)],
        without_mac: w.r.below(2) as i32,
        reserved: [0, 0, 0, usize::from(w.r.below(9) == 0)],
    }
}

/// A PrivateKeyInfo.
const KEY: [u8; 16] = [0x30, 14, 2, 1, 0, 0x30, 6, 6, 4, 0x2a, 3, 4, 5, 4, 1, 7];

steps! {
    /// A private key under a password, or a file opened, sometimes a file of ours.
    fn private_key(w) {
        let options = pkcs_options(w);
        let (password, text) = (w.buffer(3), w.some());
        let (old, size) = match w.made.pick(w.r) {
            old if old.is_null() => (text.at.cast_const(), text.len),
            old => (bulat_bytes_data(old).cast(), bulat_bytes_size(old)),
        };
        let (at, len) = (password.at, password.len);
        let key: (*const c_void, _) = (KEY.as_ptr().cast(), KEY.len());
        match w.r.below(4) {
            0 => w.made.add(|to| bulat_pkcs8_encrypt(to, key.0, key.1, at, len, &options)),
            1 => w.made.add(|to| bulat_pkcs8_encrypt(to, text.at, text.len, at, len, &options)),
            2 => w.made.add(|to| bulat_pkcs8_decrypt(to, old, size, at, len, &options)),
            _ => w.stores.add(|to| bulat_pfx_open(to, old, size, at, len, &options)),
        }
    }
    /// A PFX with a further item, described, or sealed.
    fn store(w) {
        let options = pkcs_options(w);
        let (id, text, pfx) = (w.buffer(4), w.some(), w.stores.pick(w.r));
        let name = [null(), c"name".as_ptr(), c"\xff".as_ptr()][w.r.below(3)];
        let result = match w.r.below(6) {
            0 => return w.stores.add(|to| bulat_pfx_new(to)),
            1 => bulat_pfx_add_key(pfx, KEY.as_ptr().cast(), KEY.len(), name, id.at, id.len),
            2 => bulat_pfx_add_certificate(pfx, text.at, text.len, name, id.at, id.len),
            3 => {
                let mut item = core::mem::MaybeUninit::zeroed();
                bulat_pfx_at(pfx, w.r.below(3), item.as_mut_ptr())
            }
            _ => w.made.add(|to| bulat_pfx_seal(to, pfx, id.at, id.len, &options)).0,
        };
        assert!(bulat_pfx_count(pfx) < 100 && !bulat_pkcs_reason().is_null());
        (result, vec![])
    }
    /// Up to six jobs.
    fn batch(w) {
        let mut written = Vec::new();
        let count = w.r.below(7);
        let mut jobs: Vec<bulat_job> = (0..count)
            .map(|_| {
                let key = w.key();
                let (iv, source, aad, tag) = (w.iv(key), w.some(), w.some(), w.tag(key));
                let to = w.destination(source);
                written.extend([Buffer { len: source.len, ..to }, tag]);
                bulat_job {
                    key,
                    work: w.r.below(9) as bulat_work,
                    result: -1,
                    iv: iv.at,
                    iv_len: iv.len,
                    aad: aad.at,
                    aad_len: if w.r.below(2) == 0 { 0 } else { aad.len },
                    source: source.at,
                    destination: to.at,
                    len: source.len,
                    tag: tag.at,
                    tag_size: tag.len,
                    reserved: [0; 2],
                }
            })
            .collect();
        let result = bulat_batch(jobs.as_mut_ptr(), count, null());
        let all = jobs.iter().all(|job| job.result == BULAT_OK);
        assert!(jobs.iter().all(|job| job.result >= 0 && job.result != BULAT_ERR_INTERNAL));
        assert_eq!(result, if all { BULAT_OK } else { BULAT_ERR_JOB });
        (result, written)
    }
}
