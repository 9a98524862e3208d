//! The variants that `build.rs` has written, behind a check of the processor.
#![allow(unsafe_code)] // Calls of assembly.
#![allow(non_snake_case)] // Functions have the variants' names, whose letters differ by case.

use crate::cipher::{RoundKeys, Tables};

include!(concat!(env!("OUT_DIR"), "/variants.rs"));

/// Encrypts a number of blocks in place.
#[cfg(target_arch = "x86_64")]
type Function = unsafe extern "sysv64" fn(*const Tables, *const RoundKeys, *mut u8, usize);
/// Encrypts a number of blocks in place.
#[cfg(not(target_arch = "x86_64"))]
type Function = unsafe extern "cdecl" fn(*const Tables, *const RoundKeys, *mut u8, usize);

/// Assembly under a name of the paper's scheme.
pub struct Variant {
    /// Set, kernel, registers, modifiers.
    pub name: &'static str,
    needs: Needs,
    run: Function,
}

/// Instructions beyond those that every processor of the target has.
#[derive(Clone, Copy)]
enum Needs {
    Nothing,
    Sse,
    Sse2,
    Ssse3,
    Sse41,
    Avx,
    Avx2,
}

impl Variant {
    /// Whether this processor has its instructions.
    pub fn runs_here(&self) -> bool {
        macro_rules! have {
            ($feature:tt) => {{
                #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
                let have = std::is_x86_feature_detected!($feature);
                #[cfg(not(any(target_arch = "x86", target_arch = "x86_64")))]
                let have = false;
                have
            }};
        }
        match self.needs {
            Needs::Nothing => true,
            Needs::Sse => have!("sse"),
            Needs::Sse2 => have!("sse2"),
            Needs::Ssse3 => have!("ssse3"),
            Needs::Sse41 => have!("sse4.1"),
            Needs::Avx => have!("avx"),
            Needs::Avx2 => have!("avx2"),
        }
    }

    /// Encrypts whole blocks in place, by tables that take time by the data.
    ///
    /// # Panics
    /// On a processor that lacks its instructions.
    pub fn encrypt_vartime(&self, tables: &Tables, keys: &RoundKeys, text: &mut [u8]) {
        assert!(self.runs_here(), "{} on a processor without its instructions", self.name);
        // SAFETY: the processor has the instructions; the function reads the tables and the keys, and reads
        // and writes so many whole blocks of the text.
        unsafe { (self.run)(tables, keys, text.as_mut_ptr(), text.len() / 16) }
    }
}
