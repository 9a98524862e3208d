//! Private keys and certificates under passwords: PKCS#8 and PKCS#12 (PFX), by RFC 9337 and RFC 9548.

use core::cell::Cell;
use core::ffi::{c_char, c_int, c_void};
use std::ffi::CString;

use bulat_pkcs::pbes2::{Cipher, Pbes2};
use bulat_pkcs::pfx::{self, Attribute, Bag, Content, Pfx};
use bulat_pkcs::pkcs8::{self, PrivateKey};
use bulat_pkcs::{Bytes, Error, Limits, check_new_password, pem};
use zeroize::Zeroizing;

use crate::border::{Fault, calls, guard_value, input, make, name, object, object_mut, write};
use crate::result::{
    BULAT_ERR_COST, BULAT_ERR_DAMAGED, BULAT_ERR_INTERNAL, BULAT_ERR_NO_MAC, BULAT_ERR_PARAMETER,
    BULAT_ERR_PASSWORD, BULAT_ERR_RANDOM, BULAT_ERR_UNSUPPORTED, bulat_result,
};

/// The encoding of a file that a call writes. Calls that read accept both.
pub type bulat_encoding = c_int;
/// DER.
pub const BULAT_DER: bulat_encoding = 0;
/// PEM.
pub const BULAT_PEM: bulat_encoding = 1;

/// The kind of an item of a PFX.
pub type bulat_pfx_kind = c_int;
/// A private key.
pub const BULAT_PFX_KEY: bulat_pfx_kind = 1;
/// An X.509 certificate.
pub const BULAT_PFX_CERTIFICATE: bulat_pfx_kind = 2;
/// A different type, which is not read.
pub const BULAT_PFX_OTHER: bulat_pfx_kind = 3;

/// The options of a file under a password. Zeros select the defaults: `bulat_pkcs_options options = {0};`. A call accepts
/// null for them.
#[repr(C)]
pub struct bulat_pkcs_options {
    /// To read: the most iterations that a file may cost in all; 0: 20000000.
    pub max_iterations: u64,
    /// To write: the cipher, "kuznyechik-ctr-acpkm-omac" if null. Also "magma-ctr-acpkm-omac", and without a MAC of
    /// their own "kuznyechik-ctr-acpkm" and "magma-ctr-acpkm".
    pub cipher: *const c_char,
    /// To write: the iterations of PBKDF2, at least 1000; 0: 200000.
    pub iterations: u32,
    /// To write: BULAT_DER or BULAT_PEM.
    pub encoding: bulat_encoding,
    /// To read a PFX: 1 accepts a PFX without a MAC, which anyone may have changed.
    pub without_mac: c_int,
    /// Must be zeros.
    pub reserved: [usize; 4],
}

/// Bytes that a call has made. Freeing wipes them.
pub struct bulat_bytes(Bytes);

/// The contents of a PFX. Any number of threads may read it at once. Freeing wipes it.
pub struct bulat_pfx {
    mac: Option<CString>,
    items: Vec<Item>,
}

/// An item of a PFX. Its pointers lead into the PFX, and are valid until it is freed or gets a different item.
#[repr(C)]
pub struct bulat_pfx_item {
    /// BULAT_PFX_KEY and so on.
    pub kind: bulat_pfx_kind,
    /// A key as a PrivateKeyInfo without encryption, or a certificate; in DER. Null for a different type.
    pub data: *const c_void,
    /// The length of `data` in bytes.
    pub len: usize,
    /// The object identifier, dotted: of the key's algorithm, or of a different type. Null for a certificate.
    pub oid: *const c_char,
    /// The friendlyName in UTF-8, or null.
    pub name: *const c_char,
    /// The localKeyID, equal for a key and its certificate, or null.
    pub id: *const c_void,
    /// The length of `id` in bytes.
    pub id_len: usize,
    /// Zeros.
    pub reserved: [usize; 4],
}

/// A bag, and its parts for C.
struct Item {
    bag: Bag,
    oid: Option<CString>,
    name: Option<CString>,
    id: Option<Vec<u8>>,
}

impl Item {
    fn new(bag: Bag) -> Item {
        let text = |text: String| CString::new(text).ok();
        let oid = match &bag.content {
            Content::Key(key, _) => text(key.algorithm().to_string()),
            Content::Other(kind) => text(kind.to_string()),
            _ => None,
        };
        // C cannot hold a zero byte in a name.
        let name = bag.friendly_name().map(|name| name.replace('\0', ""));
        Item { oid, name: name.and_then(text), id: bag.local_key_id(), bag }
    }
    fn for_c(&self) -> bulat_pfx_item {
        let null = core::ptr::null();
        let (kind, data): (_, &[u8]) = match &self.bag.content {
            Content::Key(key, _) => (BULAT_PFX_KEY, key.der()),
            Content::Certificate(der) => (BULAT_PFX_CERTIFICATE, der),
            _ => (BULAT_PFX_OTHER, &[]),
        };
        let text = |text: &Option<CString>| text.as_ref().map_or(core::ptr::null(), |t| t.as_ptr());
        bulat_pfx_item {
            kind,
            data: if data.is_empty() { null } else { data.as_ptr().cast() },
            len: data.len(),
            oid: text(&self.oid),
            name: text(&self.name),
            id: self.id.as_ref().map_or(null, |id| id.as_ptr().cast()),
            id_len: self.id.as_ref().map_or(0, Vec::len),
            reserved: [0; 4],
        }
    }
}

/// The room for a reason, with its final zero byte.
const ROOM: usize = 160;

thread_local! {
    // Without a destructor, so that a pointer into it lives as long as the thread.
    static REASON: Cell<[u8; ROOM]> = const { Cell::new([0; ROOM]) };
}

/// Keeps the reason of a refusal for bulat_pkcs_reason.
fn keep(words: &str) {
    let mut room = [0; ROOM];
    let end = (0..=words.len().min(ROOM - 1)).rev().find(|n| words.is_char_boundary(*n));
    let words = &words.as_bytes()[..end.unwrap_or(0)];
    room[..words.len()].copy_from_slice(words);
    REASON.set(room);
}

fn refuse(code: bulat_result, words: &str) -> Fault {
    keep(words);
    Fault(code)
}

impl From<Error> for Fault {
    fn from(error: Error) -> Self {
        let code = match error {
            Error::Password => BULAT_ERR_PASSWORD,
            Error::Damaged(_) | Error::Pem { .. } | Error::Form { .. } => BULAT_ERR_DAMAGED,
            Error::Algorithm(..) | Error::Scope(_) => BULAT_ERR_UNSUPPORTED,
            Error::Cost { .. } => BULAT_ERR_COST,
            Error::Parameter(_) => BULAT_ERR_PARAMETER,
            Error::Random => BULAT_ERR_RANDOM,
            _ => BULAT_ERR_INTERNAL,
        };
        refuse(code, &error.to_string())
    }
}

/// The options in the forms of the crate.
struct Options {
    limits: Limits,
    cipher: Cipher,
    iterations: u32,
    pem: bool,
    without_mac: bool,
}

impl Options {
    /// Reads the options; null selects the defaults.
    ///
    /// # Safety
    /// `options` is null or valid for its type, with a valid name of a cipher.
    unsafe fn read(options: *const bulat_pkcs_options) -> Result<Options, Fault> {
        keep("");
        let mut read = Options {
            limits: Limits::default(),
            cipher: Cipher::KuznyechikCtrAcpkmOmac,
            iterations: 200_000,
            pem: false,
            without_mac: false,
        };
        if options.is_null() {
            return Ok(read);
        }
        let wrong = |words| refuse(BULAT_ERR_PARAMETER, words);
        // SAFETY: `options` is not null, so it is a valid structure, as this function requires.
        let given = unsafe { object(options)? };
        if given.reserved != [0; 4] {
            return Err(wrong("options: a reserved field is not 0"));
        }
        if given.max_iterations > 0 {
            read.limits.iterations = given.max_iterations;
        }
        if given.iterations > 0 {
            read.iterations = given.iterations;
        }
        if !given.cipher.is_null() {
            // SAFETY: the pointer is not null, so it is a string, as this function requires.
            let name = unsafe { name(given.cipher) }.unwrap_or_default();
            read.cipher = Cipher::find(name).ok_or_else(|| {
                wrong("cipher: kuznyechik- or magma-, then ctr-acpkm-omac or ctr-acpkm")
            })?;
        }
        read.pem = match given.encoding {
            BULAT_DER => false,
            BULAT_PEM => true,
            _ => return Err(wrong("encoding: not BULAT_DER, not BULAT_PEM")),
        };
        read.without_mac = match given.without_mac {
            0 => false,
            1 => true,
            _ => return Err(wrong("without_mac: not 0, not 1")),
        };
        Ok(read)
    }
    /// Refuses a file that is too long before it is copied.
    fn fits(&self, file: &[u8]) -> Result<(), Fault> {
        let (asked, allowed) = (file.len() as u64, self.limits.size as u64);
        if asked > allowed {
            return Err(Error::Cost { what: "bytes", asked, allowed }.into());
        }
        Ok(())
    }
    /// Returns a file to write, in DER or PEM.
    fn written(&self, der: Vec<u8>, label: &str) -> Result<bulat_bytes, Fault> {
        Ok(bulat_bytes(if self.pem { pem::encode(label, &der)? } else { Zeroizing::new(der) }))
    }
}

calls! {
    /// Encrypts a private key under a password: makes *sealed, an EncryptedPrivateKeyInfo. `key` is a PrivateKeyInfo in
    /// DER or PEM. The password is UTF-8, not empty, without zero bytes.
    fn bulat_pkcs8_encrypt(
        sealed: *mut *mut bulat_bytes, key: *const c_void, len: usize, password: *const c_void,
        password_len: usize, options: *const bulat_pkcs_options
    ) {
        make(sealed, || {
            let options = Options::read(options)?;
            let (key, password) = (input(key, len)?, input(password, password_len)?);
            options.fits(key)?;
            check_new_password(password)?;
            let key = PrivateKey::from_der(pem::one(key, pem::PRIVATE_KEY)?)?;
            let pbes2 = Pbes2::generate(options.cipher, options.iterations)?;
            options.written(pkcs8::encrypt(&key, password, &pbes2)?, pem::ENCRYPTED_PRIVATE_KEY)
        })
    }
    /// Decrypts a private key: makes *key, a PrivateKeyInfo. `sealed` is an EncryptedPrivateKeyInfo in DER or PEM.
    /// Returns BULAT_ERR_PASSWORD for a wrong password and for damage that only decryption shows; without a MAC (see
    /// the ciphers) such damage may go unnoticed.
    fn bulat_pkcs8_decrypt(
        key: *mut *mut bulat_bytes, sealed: *const c_void, len: usize, password: *const c_void,
        password_len: usize, options: *const bulat_pkcs_options
    ) {
        make(key, || {
            let options = Options::read(options)?;
            let (sealed, password) = (input(sealed, len)?, input(password, password_len)?);
            options.fits(sealed)?;
            let sealed = pem::one(sealed, pem::ENCRYPTED_PRIVATE_KEY)?;
            let key = pkcs8::decrypt(&sealed, password, &options.limits)?;
            options.written(key.der().to_vec(), pem::PRIVATE_KEY)
        })
    }
    /// Opens a PFX: checks its MAC, then decrypts all items. A PFX without a MAC is refused with BULAT_ERR_NO_MAC,
    /// unless the options accept it. An empty password may be null.
    fn bulat_pfx_open(
        pfx: *mut *mut bulat_pfx, file: *const c_void, len: usize, password: *const c_void,
        password_len: usize, options: *const bulat_pkcs_options
    ) {
        make(pfx, || {
            let options = Options::read(options)?;
            let (file, password) = (input(file, len)?, input(password, password_len)?);
            options.fits(file)?;
            let file = pem::one(file, pem::PKCS12)?;
            if pfx::inspect(&file, &options.limits)?.mac.is_none() && !options.without_mac {
                return Err(refuse(BULAT_ERR_NO_MAC, "the file has no MAC"));
            }
            let opened = pfx::open(&file, password, &options.limits)?;
            let mac = opened.mac.as_ref().and_then(|mac| CString::new(mac.hash.name()).ok());
            let bags = opened.sections.into_iter().flat_map(|section| section.bags);
            Ok(bulat_pfx { mac, items: bags.map(Item::new).collect() })
        })
    }
    /// Makes an empty PFX, to add items.
    fn bulat_pfx_new(pfx: *mut *mut bulat_pfx) {
        make(pfx, || Ok(bulat_pfx { mac: None, items: Vec::new() }))
    }
}

/// Adds an item.
///
/// # Safety
/// As [`bulat_pfx_add_key`].
unsafe fn add(
    pfx: *mut bulat_pfx,
    content: impl FnOnce() -> Result<Content, Fault>,
    friendly: *const c_char,
    id: *const c_void,
    id_len: usize,
) -> Result<(), Fault> {
    keep("");
    // SAFETY: the pointers are valid or null, as this function requires; `border` refuses bad ones.
    unsafe {
        let mut attributes = Vec::new();
        if id_len > 0 {
            attributes.push(Attribute::local_key_id(input(id, id_len)?));
        }
        if !friendly.is_null() {
            let name = name(friendly);
            let name = name.ok_or_else(|| refuse(BULAT_ERR_PARAMETER, "the name is not UTF-8"))?;
            attributes.push(Attribute::friendly_name(name));
        }
        let bag = Bag { content: content()?, attributes };
        object_mut(pfx)?.items.push(Item::new(bag));
    }
    Ok(())
}

calls! {
    /// Adds a private key, a PrivateKeyInfo in DER or PEM. `name` and `id` may be null. Give a key and its certificate
    /// one id, so that readers find the pair.
    fn bulat_pfx_add_key(
        pfx: *mut bulat_pfx, key: *const c_void, len: usize, name: *const c_char, id: *const c_void,
        id_len: usize
    ) {
        let content = || {
            let der = pem::one(input(key, len)?, pem::PRIVATE_KEY)?;
            Ok(Content::Key(PrivateKey::from_der(der)?, None))
        };
        add(pfx, content, name, id, id_len)
    }
    /// Adds an X.509 certificate in DER or PEM. `name` and `id` may be null.
    fn bulat_pfx_add_certificate(
        pfx: *mut bulat_pfx, certificate: *const c_void, len: usize, name: *const c_char,
        id: *const c_void, id_len: usize
    ) {
        let content = || {
            Ok(Content::certificate(&pem::one(input(certificate, len)?, pem::CERTIFICATE)?)?)
        };
        add(pfx, content, name, id, id_len)
    }
    /// Encrypts the items under a password: makes *file, a PFX of RFC 9548 with a MAC of Streebog-512. The certificates
    /// are encrypted together, each key under an encryption of its own. The password is UTF-8, not empty, without zero
    /// bytes.
    fn bulat_pfx_seal(
        file: *mut *mut bulat_bytes, pfx: *const bulat_pfx, password: *const c_void,
        password_len: usize, options: *const bulat_pkcs_options
    ) {
        make(file, || {
            let options = Options::read(options)?;
            let (pfx, password) = (object(pfx)?, input(password, password_len)?);
            check_new_password(password)?;
            if pfx.items.is_empty() {
                return Err(refuse(BULAT_ERR_PARAMETER, "a PFX without items"));
            }
            let bags = pfx.items.iter().map(|item| item.bag.clone()).collect();
            let made = Pfx::protect(bags, options.cipher, options.iterations)?;
            options.written(made.seal(password)?, pem::PKCS12)
        })
    }
    /// Returns the hash of the MAC that bulat_pfx_open has checked, such as "streebog512"; null if it had no MAC.
    fn bulat_pfx_mac(pfx: *const bulat_pfx) -> *const c_char = core::ptr::null() => {
        Ok(object(pfx)?.mac.as_ref().map_or(core::ptr::null(), |mac| mac.as_ptr()))
    }
    /// Returns the number of items; 0 for null.
    fn bulat_pfx_count(pfx: *const bulat_pfx) -> usize = 0 => {
        Ok(object(pfx)?.items.len())
    }
    /// Describes the item with this index, from 0, in the order of the file. Returns BULAT_ERR_PARAMETER after the
    /// last.
    fn bulat_pfx_at(pfx: *const bulat_pfx, index: usize, item: *mut bulat_pfx_item) {
        let found = object(pfx)?.items.get(index);
        let found = found.ok_or_else(|| refuse(BULAT_ERR_PARAMETER, "no item of this index"))?;
        write(item, found.for_c())
    }
    /// Wipes and frees a PFX; null is ignored.
    free bulat_pfx_free(pfx: *mut bulat_pfx);
    /// Returns the first of the bytes, valid until they are freed; null for null.
    fn bulat_bytes_data(bytes: *const bulat_bytes) -> *const u8 = core::ptr::null() => {
        Ok(object(bytes)?.0.as_ptr())
    }
    /// Returns the number of bytes; 0 for null.
    fn bulat_bytes_size(bytes: *const bulat_bytes) -> usize = 0 => {
        Ok(object(bytes)?.0.len())
    }
    /// Wipes and frees bytes; null is ignored.
    free bulat_bytes_free(bytes: *mut bulat_bytes);
}

/// Returns the reason of this thread's last refusal among the calls for PKCS#8 and PKCS#12, such as "cipher of PBES2:
/// unknown algorithm 1.2.3"; "" without a refusal. Valid until the thread's next such call.
#[unsafe(no_mangle)]
pub extern "C" fn bulat_pkcs_reason() -> *const c_char {
    guard_value(c"".as_ptr(), || REASON.with(|reason| reason.as_ptr().cast_const().cast()))
}
