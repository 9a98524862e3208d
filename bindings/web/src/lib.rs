//! The WebAssembly modules of the package for the web and Node: memory, Streebog and the file container; with the feature
//! `library` also the calls of libbulat. There is no cryptography here. `lib/core.js` is the only caller.
//!
//! Duties of the caller: addresses lead to as many bytes as their length says; objects were made here and not freed. A call
//! that can fail returns 0 or a negative number then, and [`web_error`] has the reason. A panic ends the module.

use std::alloc::{Layout, alloc_zeroed};
use std::cell::RefCell;

use bulat::{Streebog256, Streebog512};
use bulat_container::digits::{self, Form};
use bulat_container::{
    Cipher, Credential, Direction, Error, Feed, Header, Limits, Name, Source, header,
};
use zeroize::{Zeroize, Zeroizing};

#[cfg(feature = "library")]
use bulat_capi as _;

thread_local! {
    /// The reason of the last failure: its name, a line end, its message.
    static FAILURE: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Keeps the reason.
fn fail(name: &str, message: &dyn std::fmt::Display) {
    FAILURE.set(format!("{name}\n{message}"));
}

fn failed(error: &Error) {
    let name = match error {
        Error::Foreign => "FOREIGN",
        Error::Version(_) => "VERSION",
        Error::Field(_) | Error::Slot { .. } | Error::HeaderDamaged => "HEADER",
        Error::Damaged { .. } | Error::Trailing { .. } => "DAMAGED",
        Error::HeaderTruncated | Error::Truncated { .. } => "TRUNCATED",
        Error::Credential { password: true } => "NEEDS_PASSWORD",
        Error::Credential { password: false } => "NEEDS_KEY",
        Error::Cost { .. } => "COST",
        Error::Password => "PASSWORD",
        Error::Memory { .. } => "MEMORY",
        Error::Name { .. } => "NAME",
        Error::WrongKey => "WRONG_KEY",
        Error::TooLong { .. } => "LIMIT",
        _ => "INTERNAL",
    };
    fail(name, error);
}

/// Returns the bytes at an address.
///
/// # Safety
/// `len` bytes are readable there, and no other code writes them meanwhile.
unsafe fn bytes<'a>(at: *const u8, len: usize) -> &'a [u8] {
    if len == 0 {
        return &[];
    }
    // SAFETY: this function requires the bytes to be readable.
    unsafe { std::slice::from_raw_parts(at, len) }
}

/// Returns the place to write to.
///
/// # Safety
/// `len` bytes are writable there, and no other code uses them meanwhile.
unsafe fn place<'a>(at: *mut u8, len: usize) -> &'a mut [u8] {
    // SAFETY: this function requires the bytes to be writable.
    unsafe { std::slice::from_raw_parts_mut(at, len) }
}

/// Allocates bytes, all zeros. Returns null for no bytes, and if there is no room for them.
#[unsafe(no_mangle)]
pub extern "C" fn web_alloc(len: usize) -> *mut u8 {
    match Layout::array::<u8>(len) {
        // SAFETY: the size is not 0.
        Ok(layout) if len > 0 => unsafe { alloc_zeroed(layout) },
        _ => std::ptr::null_mut(),
    }
}

/// Defines calls. The caller has its duties.
macro_rules! calls {
    ($($(#[$doc:meta])* fn $name:ident($($arg:ident: $type:ty),*) $(-> $out:ty)? $body:block)*) => {$(
        $(#[$doc])*
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name($($arg: $type),*) $(-> $out)? {
            // SAFETY: the duties are at the top of this file; numbers are aligned, and results have their room.
            unsafe { $body }
        }
    )*};
}

calls! {
    /// Wipes and frees bytes.
    fn web_free(at: *mut u8, len: usize) {
        let mut bytes = Box::from_raw(std::ptr::slice_from_raw_parts_mut(at, len));
        bytes.zeroize();
    }
    /// Returns the address of the last failure's text, and writes its length.
    fn web_error(len: *mut usize) -> *const u8 {
        FAILURE.with_borrow(|text| {
            len.write(text.len());
            text.as_ptr()
        })
    }
}

/// A message being hashed.
pub enum Sum {
    /// 32 bytes.
    Short(Box<Streebog256>),
    /// 64 bytes.
    Long(Box<Streebog512>),
}

/// Begins a message; `bits` is 256 or 512.
#[unsafe(no_mangle)]
pub extern "C" fn web_sum_new(bits: u32) -> *mut Sum {
    Box::into_raw(Box::new(match bits {
        256 => Sum::Short(Box::default()),
        _ => Sum::Long(Box::default()),
    }))
}

calls! {
    /// Adds a piece.
    fn web_sum_update(sum: *mut Sum, at: *const u8, len: usize) {
        match (&mut *sum, bytes(at, len)) {
            (Sum::Short(sum), piece) => sum.update(piece),
            (Sum::Long(sum), piece) => sum.update(piece),
        }
    }
    /// Ends the message, writes its digest and frees the object.
    fn web_sum_final(sum: *mut Sum, digest: *mut u8) {
        match *Box::from_raw(sum) {
            Sum::Short(sum) => place(digest, 32).copy_from_slice(&sum.finalize()),
            Sum::Long(sum) => place(digest, 64).copy_from_slice(&sum.finalize()),
        }
    }
    /// Frees the object.
    fn web_sum_free(sum: *mut Sum) {
        drop(Box::from_raw(sum));
    }
    /// Reads the key in the bytes of a key file to `key`, 32 bytes. Returns 0, or -1 for a failure.
    fn web_key(at: *const u8, len: usize, key: *mut u8) -> i32 {
        let (file, key) = (bytes(at, len), place(key, header::KEY));
        let refused = match digits::form(file) {
            Form::Digits(64) => {
                digits::decode(&file[..64], key);
                return 0;
            }
            Form::Bytes if file.try_into().is_ok_and(|key| !bulat_container::key_begins(key)) => {
                key.copy_from_slice(file);
                return 0;
            }
            // Not before: it branches on bytes of the file.
            _ if bulat_container::begins(file) => "the key file is under a password",
            Form::Digits(_) => "the key file has hexadecimal digits, but not 64",
            Form::Nearly => {
                "the key file is nearly hexadecimal, but not 64 digits and at most one line end"
            }
            Form::Bytes => "the key file has neither 32 bytes nor 64 hexadecimal digits",
        };
        fail("KEY_FILE", &refused);
        -1
    }
}

/// Returns the credential: a password or a key.
fn credential(secret: &[u8], password: bool) -> Result<Credential<'_>, Error> {
    if password {
        return Ok(Credential::Password(secret));
    }
    secret.try_into().map(Credential::Key).map_err(|_| bulat::Error::KeyLength.into())
}

/// Returns the object's address, or null after a failure.
fn made(feed: Result<Feed, Error>) -> *mut Feed {
    match feed {
        Ok(feed) => Box::into_raw(Box::new(feed)),
        Err(error) => {
            failed(&error);
            std::ptr::null_mut()
        }
    }
}

calls! {
    /// Begins a container and writes its header, 2048 bytes. `cipher` and `kind` are numbers of the format, as are the
    /// three numbers of the cost; `fresh` has 80 random bytes.
    fn web_seal_new(
        cipher: u32, chunk_log2: u32, kind: u32, cost: *const u32, secret: *const u8, len: usize,
        fresh: *const u8, header: *mut u8
    ) -> *mut Feed {
        let (secret, cost) = (bytes(secret, len), cost.cast::<[u32; 3]>().read());
        let (fresh, out) = (bytes(fresh, header::FRESH), place(header, header::LEN));
        let mut new = || {
            let cipher = if cipher == 2 { Cipher::Magma } else { Cipher::Kuznyechik };
            let source = Source::parse(kind as u8, cost).map_err(Error::Field)?;
            let fresh = fresh.try_into().expect("80 bytes");
            let secret = credential(secret, source != Source::KeyFile)?;
            let (header, keys) = Header::new(cipher, chunk_log2 as u8, "", source, secret, fresh)?;
            out.copy_from_slice(&header.bytes());
            Ok(Feed::new(keys, Direction::Encrypt))
        };
        made(new())
    }
    /// Parses the first bytes of a container and writes 68 numbers: the cipher, the bytes of a chunk's plaintext and of
    /// a tag, the bytes of the name; for each slot its kind, 0 if it is not used, and its cost. Returns 0, or -1 for a
    /// failure.
    fn web_header(at: *const u8, len: usize, out: *mut u32) -> i32 {
        match Header::parse(bytes(at, len)) {
            Ok(header) => {
                let cipher = 1 + u32::from(header.cipher == Cipher::Magma);
                let mut numbers = [0; 4 + 4 * header::SLOTS];
                numbers[0] = cipher;
                numbers[1] = header.chunk() as u32;
                numbers[2] = header.cipher.block() as u32;
                numbers[3] = header.name.len() as u32;
                for (slot, to) in header.slots.iter().zip(numbers[4..].chunks_exact_mut(4)) {
                    let (kind, cost) = slot.map_or((0, [0; 3]), |slot| slot.source.numbers());
                    to[0] = kind.into();
                    to[1..].copy_from_slice(&cost);
                }
                out.cast::<[u32; 4 + 4 * header::SLOTS]>().write(numbers);
                0
            }
            Err(error) => {
                failed(&error);
                -1
            }
        }
    }
    /// Begins to read a container that has this header. `known` is 0 if the file's name is not known, 1 if it is
    /// `name`, and 2 if any name is accepted.
    fn web_open_new(
        header: *const u8, header_len: usize, password: u32, secret: *const u8, len: usize,
        most_iterations: u32, most_memory: u32, known: u32, name: *const u8, name_len: usize
    ) -> *mut Feed {
        let (header, secret) = (bytes(header, header_len), bytes(secret, len));
        let name = bytes(name, name_len);
        let open = || {
            let limits = Limits { iterations: most_iterations, memory: most_memory };
            let name = match known {
                0 => Name::Unknown,
                1 => Name::of(std::path::Path::new(&*String::from_utf8_lossy(name))),
                _ => Name::Any,
            };
            let secret = credential(secret, password != 0)?;
            Ok(Feed::new(Header::parse(header)?.unlock(secret, &limits, &name)?, Direction::Decrypt))
        };
        made(open())
    }
    /// Returns the room of the next chunk, which stays at its place; results are there, too.
    fn web_feed_room(feed: *mut Feed) -> *mut u8 {
        (&mut *feed).room().as_mut_ptr()
    }
    /// Returns the bytes of a full chunk.
    fn web_feed_full(feed: *const Feed) -> usize {
        (&*feed).full()
    }
    /// Seals or opens the chunk in the room. Returns the length of its result, or -1 for a failure.
    fn web_feed_work(feed: *mut Feed, n: usize, last: u32) -> isize {
        match (&mut *feed).work(n, last != 0) {
            Ok(done) => done.len() as isize,
            Err(error) => {
                failed(&error);
                -1
            }
        }
    }
    /// Wipes and frees the object.
    fn web_feed_free(feed: *mut Feed) {
        drop(Box::from_raw(feed));
    }
    /// A new random key of 32 bytes, as the digits of a key file: 65 bytes.
    fn web_key_digits(key: *const u8, out: *mut u8) {
        let (key, out) = (bytes(key, header::KEY), place(out, 65));
        out[..64].copy_from_slice(&Zeroizing::new(digits::encode(key)));
        out[64] = b'\n';
    }
}
