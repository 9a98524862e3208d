//! The variants that `build.rs` has written, behind a check of the processor.
#![allow(unsafe_code)] // Calls of assembly.
#![allow(non_snake_case)] // Functions have the variants' names, which differ by case.

use crate::Encrypt;
use crate::cipher::{RoundKeys, Tables};
use crate::intrinsics::sse2_vartime;

include!(concat!(env!("OUT_DIR"), "/variants.rs"));

/// Encrypts a number of blocks in place.
#[cfg(target_arch = "x86_64")]
type Function = unsafe extern "sysv64" fn(*const Tables, *const RoundKeys, *mut u8, usize);
/// Encrypts a number of blocks in place.
#[cfg(target_arch = "x86")]
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
    /// Returns whether this processor has its instructions.
    fn runs_here(&self) -> bool {
        match self.needs {
            Needs::Nothing => true,
            Needs::Sse => std::is_x86_feature_detected!("sse"),
            Needs::Sse2 => std::is_x86_feature_detected!("sse2"),
            Needs::Ssse3 => std::is_x86_feature_detected!("ssse3"),
            Needs::Sse41 => std::is_x86_feature_detected!("sse4.1"),
            Needs::Avx => std::is_x86_feature_detected!("avx"),
            Needs::Avx2 => std::is_x86_feature_detected!("avx2"),
        }
    }
}

/// The baseline of intrinsics and all variants by name, as far as this processor runs them.
pub fn here() -> Vec<(&'static str, Encrypt)> {
    let mut all: Vec<(&str, Encrypt)> = Vec::new();
    if std::is_x86_feature_detected!("sse2") {
        // SAFETY: the processor has SSE2.
        let encrypt =
            |t: &Tables, k: &RoundKeys, text: &mut [u8]| unsafe { sse2_vartime(t, k, text) };
        all.push(("sse2-intrinsics", Box::new(encrypt)));
    }
    for variant in VARIANTS.iter().filter(|v| v.runs_here()) {
        let run = variant.run;
        // SAFETY: the processor has the instructions; the function reads the tables and the keys, and reads
        // and writes that number of whole blocks of the text.
        let encrypt = move |t: &Tables, k: &RoundKeys, text: &mut [u8]| unsafe {
            run(t, k, text.as_mut_ptr(), text.len() / 16);
        };
        all.push((variant.name, Box::new(encrypt)));
    }
    all
}
