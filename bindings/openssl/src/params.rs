//! Reading and writing OSSL_PARAM: integers of any size and either sign, byte strings, texts.
#![allow(unsafe_code)]

use core::ffi::{CStr, c_char, c_uint};

use crate::abi::{
    INTEGER, OCTET_PTR, OCTET_STRING, Param, REAL, UNSIGNED_INTEGER, UTF8_PTR, UTF8_STRING,
};
use crate::fault::{Fault, Result};
use bulat::Error;

impl Param {
    /// The end of an array.
    pub const END: Self = Self::described(core::ptr::null(), 0);

    /// A parameter as the arrays of known ones have it: key and type.
    pub const fn described(key: *const c_char, data_type: c_uint) -> Self {
        Param { key, data_type, data: core::ptr::null_mut(), data_size: 0, return_size: 0 }
    }

    /// The key.
    pub fn key(&self) -> &str {
        // SAFETY: the key of an entry before the end is a C string, by the interface.
        unsafe { CStr::from_ptr(self.key) }.to_str().unwrap_or("")
    }

    /// The bytes that the caller gives: none only where their number is 0.
    fn given(&self) -> Result<&[u8]> {
        // SAFETY: a parameter's data has as many bytes as its size says, by the interface, and stays for the call.
        unsafe { crate::input(self.data.cast(), self.data_size) }
            .map_err(|fault| fault.about(self.key()))
    }

    /// Room for an answer, if the caller wants more than its size.
    fn room(&mut self) -> Result<Option<&mut [u8]>> {
        if self.data.is_null() {
            return Ok(None);
        }
        // SAFETY: a parameter's data has as many bytes as its size says, by the interface; for this call they are ours.
        unsafe { crate::output(self.data.cast(), self.data_size) }
            .map(Some)
            .map_err(|fault| fault.about(self.key()))
    }

    /// A number that is not negative, of any size and type.
    pub fn number(&self) -> Result<u64> {
        let wrong = || Fault::new("a parameter is no number that fits").about(self.key());
        let data = self.given()?;
        match self.data_type {
            INTEGER | UNSIGNED_INTEGER if !data.is_empty() => {
                let little =
                    |i: usize| if cfg!(target_endian = "big") { data.len() - 1 - i } else { i };
                let mut n = [0; 8];
                for i in 0..data.len() {
                    match n.get_mut(i) {
                        Some(byte) => *byte = data[little(i)],
                        None if data[little(i)] == 0 => {}
                        None => return Err(wrong()),
                    }
                }
                let top = data[little(data.len() - 1)];
                let negative = self.data_type == INTEGER && top & 0x80 != 0;
                if negative { Err(wrong()) } else { Ok(u64::from_le_bytes(n)) }
            }
            REAL => {
                let real = data.try_into().map(f64::from_ne_bytes).map_err(|_| wrong())?;
                let n = real as u64;
                if n as f64 == real { Ok(n) } else { Err(wrong()) }
            }
            _ => Err(wrong()),
        }
    }

    /// The same as a size.
    pub fn size(&self) -> Result<usize> {
        usize::try_from(self.number()?)
            .map_err(|_| Fault::new("a size is too large").about(self.key()))
    }

    /// Answers with a number.
    pub fn put_number(&mut self, n: u64) -> Result<()> {
        let wrong = |p: &Param| Fault::new("there is no room for a number").about(p.key());
        let signed = self.data_type == INTEGER;
        match self.data_type {
            INTEGER | UNSIGNED_INTEGER => {
                let Some(room) = self.room()? else {
                    self.return_size = 8;
                    return Ok(());
                };
                let len = room.len();
                let mut bytes = n.to_le_bytes().into_iter().chain(core::iter::repeat(0));
                room.iter_mut().for_each(|to| *to = bytes.next().unwrap_or(0));
                let top = room.last().copied();
                if cfg!(target_endian = "big") {
                    room.reverse();
                }
                let fits = len >= 8 || n >> (8 * len) == 0;
                if !fits || len == 0 || (signed && top.is_some_and(|top| top & 0x80 != 0)) {
                    return Err(wrong(self));
                }
                self.return_size = len;
                Ok(())
            }
            REAL => {
                let Some(room) = self.room()? else {
                    self.return_size = 8;
                    return Ok(());
                };
                if room.len() != 8 {
                    return Err(wrong(self));
                }
                room.copy_from_slice(&(n as f64).to_ne_bytes());
                self.return_size = 8;
                Ok(())
            }
            _ => Err(wrong(self)),
        }
    }

    /// Bytes.
    pub fn bytes(&self) -> Result<&[u8]> {
        let data = match self.data_type {
            OCTET_STRING | UTF8_STRING => self.data.cast_const().cast(),
            OCTET_PTR | UTF8_PTR if self.data.is_null() => core::ptr::null(),
            // SAFETY: `data` is not null and points to a pointer, by the type.
            OCTET_PTR | UTF8_PTR => unsafe { self.data.cast::<*const u8>().read() },
            _ => return Err(Fault::new("a parameter is no string of bytes").about(self.key())),
        };
        // SAFETY: as many bytes as the size says are there, by the interface, and stay for the call.
        unsafe { crate::input(data, self.data_size) }.map_err(|fault| fault.about(self.key()))
    }

    /// Bytes of a number that the parameter's meaning fixes; so they are there also where the size says 0.
    ///
    /// # Safety
    /// If the parameter's data is not null and its size is 0, then `N` bytes are there nevertheless.
    pub unsafe fn fixed<const N: usize>(&self) -> Result<[u8; N]> {
        let len =
            if self.data_type == OCTET_STRING && self.data_size == 0 { N } else { self.data_size };
        let whole = Param { data_size: len, ..*self };
        whole.bytes()?.try_into().map_err(|_| Error::Parameter.into())
    }

    /// Whether no bytes are given but their number.
    pub fn length_only(&self) -> bool {
        self.data.is_null()
    }

    /// A text; a NUL at its end is left out. A UTF8_STRING of size 0 ends at its NUL, since such a string always has one:
    /// the macro `OSSL_PARAM_utf8_string(key, text, 0)` makes it, and OpenSSL's own functions read it so.
    pub fn text(&self) -> Result<&str> {
        if self.data_type == UTF8_STRING {
            // SAFETY: OpenSSL's UTF8_STRING ends with a NUL where its size does not say its end.
            return unsafe { self.text_to_nul() };
        }
        self.text_of(self.bytes()?)
    }

    /// A text that, where the size says 0, ends at its NUL.
    ///
    /// # Safety
    /// If the parameter's data is not null and its size is 0, then a text that ends with a NUL is there.
    pub unsafe fn text_to_nul(&self) -> Result<&str> {
        let inline = matches!(self.data_type, UTF8_STRING | OCTET_STRING);
        if inline && self.data_size == 0 && !self.data.is_null() {
            // SAFETY: this function's promise.
            return self.text_of(unsafe { CStr::from_ptr(self.data.cast()) }.to_bytes());
        }
        self.text_of(self.bytes()?)
    }

    fn text_of<'a>(&self, bytes: &'a [u8]) -> Result<&'a str> {
        let end = bytes.iter().position(|b| *b == 0).unwrap_or(bytes.len());
        core::str::from_utf8(&bytes[..end])
            .map_err(|_| Fault::new("a parameter is no text").about(self.key()))
    }

    /// Refuses a parameter that the function does not know: what it asks for would not be done.
    #[cold]
    pub fn unknown(&self) -> Fault {
        Fault::new("a parameter that means nothing here").about(self.key())
    }

    /// Answers with bytes, which are copied; where a pointer is wanted, they must outlive the caller's use of it.
    pub fn put_bytes(&mut self, bytes: &[u8]) -> Result<()> {
        self.return_size = bytes.len();
        match self.data_type {
            OCTET_STRING => {
                let short =
                    Fault::new("there is no room for the bytes of a parameter").about(self.key());
                let Some(room) = self.room()? else { return Ok(()) };
                room.get_mut(..bytes.len()).ok_or(short)?.copy_from_slice(bytes);
                Ok(())
            }
            OCTET_PTR => {
                if !self.data.is_null() {
                    // SAFETY: `data` is not null and points to a pointer, by the type.
                    unsafe { self.data.cast::<*const u8>().write(bytes.as_ptr()) };
                }
                Ok(())
            }
            _ => Err(Fault::new("a parameter is no string of bytes").about(self.key())),
        }
    }

    /// Answers with bytes that end with the call: a pointer to them is refused.
    pub fn put_copy(&mut self, bytes: &[u8]) -> Result<()> {
        if self.data_type == OCTET_PTR {
            return Err(Fault::new("this parameter is copied alone").about(self.key()));
        }
        self.put_bytes(bytes)
    }

    /// Answers with a text that lives as long as the module.
    pub fn put_text(&mut self, text: &'static CStr) -> Result<()> {
        self.return_size = text.count_bytes();
        match self.data_type {
            UTF8_PTR => {
                if !self.data.is_null() {
                    // SAFETY: `data` is not null and points to a pointer, by the type.
                    unsafe { self.data.cast::<*const c_char>().write(text.as_ptr()) };
                }
                Ok(())
            }
            UTF8_STRING => {
                let bytes = text.to_bytes_with_nul();
                let short =
                    Fault::new("there is no room for the text of a parameter").about(self.key());
                let Some(room) = self.room()? else { return Ok(()) };
                room.get_mut(..bytes.len()).ok_or(short)?.copy_from_slice(bytes);
                Ok(())
            }
            _ => Err(Fault::new("a parameter is no text").about(self.key())),
        }
    }
}

/// The entries of a caller's array; null is an empty one.
///
/// # Safety
/// `params` is null, or an array that ends with a null key and lives as long as `'a`.
pub unsafe fn each<'a>(params: *const Param) -> impl Iterator<Item = &'a Param> {
    let mut at = params;
    core::iter::from_fn(move || {
        // SAFETY: not null and not past the end, at which the walk stops.
        let param = unsafe { at.as_ref() }.filter(|p| !p.key.is_null())?;
        at = at.wrapping_add(1);
        Some(param)
    })
}

/// The same, to be answered.
///
/// # Safety
/// As [`each`], and nobody else uses the array.
pub unsafe fn each_mut<'a>(params: *mut Param) -> impl Iterator<Item = &'a mut Param> {
    let mut at = params;
    core::iter::from_fn(move || {
        // SAFETY: not null and not past the end, at which the walk stops; each entry is given out once.
        let param = unsafe { at.as_mut() }.filter(|p| !p.key.is_null())?;
        at = at.wrapping_add(1);
        Some(param)
    })
}

/// An array of known parameters.
#[repr(transparent)]
pub struct Known<const N: usize>(pub [Param; N]);

// SAFETY: constants, which nobody writes to.
unsafe impl<const N: usize> Sync for Known<N> {}

/// `known!(NAME: "key" TYPE, ...)`: a static array of known parameters, and its end.
macro_rules! known {
    ($name:ident: $($key:literal $type:ident),* $(,)?) => {
        static $name: $crate::params::Known<{ [$($key),*].len() + 1 }> = $crate::params::Known([
            $($crate::abi::Param::described(concat!($key, "\0").as_ptr().cast(), $crate::abi::$type),)*
            $crate::abi::Param::END,
        ]);
    };
}
pub(crate) use known;
