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

    /// Makes a parameter of an array of known ones: key and type.
    pub const fn described(key: *const c_char, data_type: c_uint) -> Self {
        Param { key, data_type, data: core::ptr::null_mut(), data_size: 0, return_size: 0 }
    }

    pub fn key(&self) -> &str {
        // SAFETY: `self` is before the end of its array, so its key is not null, and OpenSSL's keys are C strings.
        unsafe { CStr::from_ptr(self.key) }.to_str().unwrap_or("")
    }

    /// Returns the bytes that the caller passed.
    fn given(&self) -> Result<&[u8]> {
        // SAFETY: `data` is null or points to `data_size` bytes, which stay as they are during the call: OSSL_PARAM(3).
        unsafe { crate::input(self.data.cast(), self.data_size) }
            .map_err(|fault| fault.about(self.key()))
    }

    /// Returns the room for an answer; `None` if the caller asks only for its size.
    fn room(&mut self) -> Result<Option<&mut [u8]>> {
        if self.data.is_null() {
            return Ok(None);
        }
        // SAFETY: `data` is not null and points to `data_size` bytes that only this call uses: OSSL_PARAM(3).
        unsafe { crate::output(self.data.cast(), self.data_size) }
            .map(Some)
            .map_err(|fault| fault.about(self.key()))
    }

    /// Reads a number of any size and type; refuses a negative one.
    pub fn number(&self) -> Result<u64> {
        let wrong = || Fault::new("invalid number in a parameter").about(self.key());
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

    pub fn size(&self) -> Result<usize> {
        usize::try_from(self.number()?)
            .map_err(|_| Fault::new("a size is too large").about(self.key()))
    }

    pub fn put_number(&mut self, n: u64) -> Result<()> {
        let (kind, signed) = (self.data_type, self.data_type == INTEGER);
        let wrong = |p: &Param| Fault::new("the buffer of a number is too small").about(p.key());
        if !matches!(kind, INTEGER | UNSIGNED_INTEGER | REAL) {
            return Err(wrong(self));
        }
        let Some(room) = self.room()? else {
            self.return_size = 8;
            return Ok(());
        };
        let len = room.len();
        let fits = if kind == REAL {
            if len == 8 {
                room.copy_from_slice(&(n as f64).to_ne_bytes());
            }
            len == 8
        } else {
            let (low, high) = room.split_at_mut(len.min(8));
            low.copy_from_slice(&n.to_le_bytes()[..low.len()]);
            high.fill(0);
            let top = room.last().copied();
            if cfg!(target_endian = "big") {
                room.reverse();
            }
            let whole = len >= 8 || (len > 0 && n >> (8 * len) == 0);
            whole && !(signed && top.is_some_and(|top| top & 0x80 != 0))
        };
        if !fits {
            return Err(wrong(self));
        }
        self.return_size = len;
        Ok(())
    }

    pub fn bytes(&self) -> Result<&[u8]> {
        let data = match self.data_type {
            OCTET_STRING | UTF8_STRING => self.data.cast_const().cast(),
            OCTET_PTR | UTF8_PTR if self.data.is_null() => core::ptr::null(),
            // SAFETY: `data` is not null, and with this type it points to a pointer: OSSL_PARAM(3).
            OCTET_PTR | UTF8_PTR => unsafe { self.data.cast::<*const u8>().read() },
            _ => return Err(Fault::new("a parameter must be a string of bytes").about(self.key())),
        };
        // SAFETY: `data` is null or points to `data_size` bytes, which stay as they are during the call: OSSL_PARAM(3).
        unsafe { crate::input(data, self.data_size) }.map_err(|fault| fault.about(self.key()))
    }

    /// Reads `N` bytes of a parameter that always has as many, even if its size says 0.
    ///
    /// # Safety
    /// If the parameter's data is not null and its size is 0, `N` bytes are there.
    pub unsafe fn fixed<const N: usize>(&self) -> Result<[u8; N]> {
        let len =
            if self.data_type == OCTET_STRING && self.data_size == 0 { N } else { self.data_size };
        let whole = Param { data_size: len, ..*self };
        whole.bytes()?.try_into().map_err(|_| Error::Parameter.into())
    }

    /// Returns whether the caller passed a length without bytes.
    pub fn length_only(&self) -> bool {
        self.data.is_null()
    }

    /// Reads a text, without a NUL at its end. A UTF8_STRING of size 0 ends at its NUL: the macro
    /// `OSSL_PARAM_utf8_string(key, text, 0)` makes such ones, and OpenSSL's own functions read them in this way.
    pub fn text(&self) -> Result<&str> {
        if self.data_type == UTF8_STRING {
            // SAFETY: a UTF8_STRING of size 0 ends with a NUL: OSSL_PARAM(3).
            return unsafe { self.text_to_nul() };
        }
        self.text_of(self.bytes()?)
    }

    /// Reads a text that ends at its NUL if the size says 0.
    ///
    /// # Safety
    /// If the parameter's data is not null and its size is 0, a text that ends with a NUL is there.
    pub unsafe fn text_to_nul(&self) -> Result<&str> {
        let inline = matches!(self.data_type, UTF8_STRING | OCTET_STRING);
        if inline && self.data_size == 0 && !self.data.is_null() {
            // SAFETY: `data` is not null and the size is 0, so a text with its NUL is there, by this function's contract.
            return self.text_of(unsafe { CStr::from_ptr(self.data.cast()) }.to_bytes());
        }
        self.text_of(self.bytes()?)
    }

    fn text_of<'a>(&self, bytes: &'a [u8]) -> Result<&'a str> {
        let end = bytes.iter().position(|b| *b == 0).unwrap_or(bytes.len());
        core::str::from_utf8(&bytes[..end])
            .map_err(|_| Fault::new("a parameter must be a text").about(self.key()))
    }

    /// The error for a parameter that the algorithm does not know. To ignore it would leave a request undone in silence.
    #[cold]
    pub fn unknown(&self) -> Fault {
        Fault::new("unknown parameter").about(self.key())
    }

    /// Copies an answer into the caller's room, if there is one.
    fn fill(&mut self, bytes: &[u8]) -> Result<()> {
        match self.room()?.map(|room| room.get_mut(..bytes.len())) {
            None => Ok(()),
            Some(Some(room)) => {
                room.copy_from_slice(bytes);
                Ok(())
            }
            Some(None) => {
                Err(Fault::new("the buffer of a parameter is too small").about(self.key()))
            }
        }
    }

    /// Answers with a copy of bytes, or with a pointer to them if the caller asks for one. They must then live as long as
    /// the caller uses it.
    pub fn put_bytes(&mut self, bytes: &[u8]) -> Result<()> {
        self.return_size = bytes.len();
        match self.data_type {
            OCTET_STRING => self.fill(bytes),
            OCTET_PTR => {
                if !self.data.is_null() {
                    // SAFETY: `data` is not null, and with this type it points to room for a pointer: OSSL_PARAM(3).
                    unsafe { self.data.cast::<*const u8>().write(bytes.as_ptr()) };
                }
                Ok(())
            }
            _ => Err(Fault::new("a parameter must be a string of bytes").about(self.key())),
        }
    }

    /// Answers with a copy of bytes that live only as long as the call. It gives no pointer to them.
    pub fn put_copy(&mut self, bytes: &[u8]) -> Result<()> {
        if self.data_type == OCTET_PTR {
            return Err(
                Fault::new("a pointer to this parameter is not available").about(self.key())
            );
        }
        self.put_bytes(bytes)
    }

    pub fn put_text(&mut self, text: &'static CStr) -> Result<()> {
        self.return_size = text.count_bytes();
        match self.data_type {
            UTF8_PTR => {
                if !self.data.is_null() {
                    // SAFETY: `data` is not null, and with this type it points to room for a pointer: OSSL_PARAM(3).
                    unsafe { self.data.cast::<*const c_char>().write(text.as_ptr()) };
                }
                Ok(())
            }
            UTF8_STRING => self.fill(text.to_bytes_with_nul()),
            _ => Err(Fault::new("a parameter must be a text").about(self.key())),
        }
    }
}

/// Iterates over a caller's array; null is an empty one.
///
/// # Safety
/// `params` is null, or an array that ends with a null key and lives as long as `'a`.
pub unsafe fn each<'a>(params: *const Param) -> impl Iterator<Item = &'a Param> + Clone {
    let mut at = params;
    core::iter::from_fn(move || {
        // SAFETY: `at` is null or in the array: it stays at the null key, which ends the array.
        let param = unsafe { at.as_ref() }.filter(|p| !p.key.is_null())?;
        at = at.wrapping_add(1);
        Some(param)
    })
}

/// Iterates over a caller's array, to answer its entries.
///
/// # Safety
/// As [`each`]; and only the caller uses the array as long as `'a`.
pub unsafe fn each_mut<'a>(params: *mut Param) -> impl Iterator<Item = &'a mut Param> {
    let mut at = params;
    core::iter::from_fn(move || {
        // SAFETY: `at` is null or in the array: it stays at the null key, which ends the array. It yields each entry once.
        let param = unsafe { at.as_mut() }.filter(|p| !p.key.is_null())?;
        at = at.wrapping_add(1);
        Some(param)
    })
}

/// An array of known parameters.
#[repr(transparent)]
pub struct Known<const N: usize>(pub [Param; N]);

// SAFETY: the arrays are constants: their pointers lead to string literals, and nobody writes through them.
unsafe impl<const N: usize> Sync for Known<N> {}

/// Lists known parameters. `known!(NAME: "key" TYPE, ...)` makes a static array and its end; `known!(fn name(_): ...)`
/// makes a function that returns a pointer to it, with as many arguments as OpenSSL passes.
macro_rules! known {
    ($name:ident: $($key:literal $type:ident),* $(,)?) => {
        static $name: $crate::params::Known<{ [$($key),*].len() + 1 }> = $crate::params::Known([
            $($crate::abi::Param::described(concat!($key, "\0").as_ptr().cast(), $crate::abi::$type),)*
            $crate::abi::Param::END,
        ]);
    };
    (fn $name:ident($($argument:tt),*): $($list:tt)*) => {
        unsafe extern "C" fn $name($($argument: *mut core::ffi::c_void),*) -> *const $crate::abi::Param {
            $crate::params::known!(LIST: $($list)*);
            LIST.0.as_ptr()
        }
    };
}
pub(crate) use known;
