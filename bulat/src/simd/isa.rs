//! Instruction sets: word, features, proof token, and `enter!`, which compiles a function for one.
//!
//! A token is a zero-sized value that exists only where the instruction set does: `detect` makes it, or
//! `assume` inside a function that was entered through detection.

/// Declares an instruction set: `isa!(Name, "word", detect [features])`.
macro_rules! isa {
    ($(#[$doc:meta])* $name:ident, $word:literal, [$($feature:tt),*]) => {
        $(#[$doc])*
        #[derive(Clone, Copy)]
        pub(crate) struct $name(());
        #[allow(dead_code)]
        impl $name {
            pub(crate) const WORD: &'static str = $word;
            pub(crate) const FEATURES: &'static [&'static str] = &[$($feature),*];
            /// Whether this machine has every feature.
            #[inline]
            pub(crate) fn available() -> bool {
                true $(&& detect!($feature))*
            }
            /// The token, where the machine has every feature.
            #[inline(always)]
            pub(crate) fn detect() -> Option<Self> {
                Self::available().then_some($name(()))
            }
            /// The token, unchecked.
            ///
            /// # Safety
            /// Only where `available()` is true.
            #[inline(always)]
            pub(crate) unsafe fn assume() -> Self {
                $name(())
            }
        }
    };
}

/// Whether a feature is there: asked at run time with `std`, else what the build was compiled for.
macro_rules! detect {
    ($feature:tt) => {{
        #[cfg(feature = "std")]
        {
            std::is_x86_feature_detected!($feature)
        }
        #[cfg(not(feature = "std"))]
        {
            cfg!(target_feature = $feature)
        }
    }};
}

/// Compiles functions for an instruction set; the features are those of its `isa!`.
///
/// The body is `#[inline(always)]` code over the traits of `simd`, so that it is compiled with the
/// features of the function it was entered from.
macro_rules! enter {
    (portable => $($item:tt)*) => { $($item)* };
    (gfni512 => $($item:tt)*) => {
        #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni,avx2,bmi2")]
        $($item)*
    };
    (clmul => $($item:tt)*) => {
        #[target_feature(enable = "pclmulqdq,ssse3,sse4.1")]
        $($item)*
    };
}

isa!(
    /// Safe Rust for any machine: circuits on u64 words.
    Portable, "portable", []
);

impl Portable {
    /// Needs no proof.
    pub(crate) const TOKEN: Self = Portable(());
}

#[cfg(target_arch = "x86_64")]
isa!(
    /// PCLMULQDQ: every x86-64 of the last dozen years.
    Clmul, "clmul", ["pclmulqdq", "ssse3", "sse4.1"]
);

#[cfg(target_arch = "x86_64")]
isa!(
    /// AVX-512 with VBMI and GFNI: Ice Lake, Sapphire Rapids, Zen 4, Zen 5.
    Gfni512, "gfni512",
    ["avx512f", "avx512bw", "avx512vl", "avx512vbmi", "gfni", "avx2", "bmi2"]
);

/// Whether this machine has the instruction set of this word.
pub(crate) fn available(word: &str) -> bool {
    missing(word).is_some_and(|m| m.is_none())
}

/// Of the instruction set of this word: `Some(None)` when it is there, `Some(Some(why))` when not,
/// `None` when the word is unknown.
pub(crate) fn missing(word: &str) -> Option<Option<&'static str>> {
    match word {
        Portable::WORD => Some(None),
        #[cfg(feature = "vartime")]
        "table_vartime" => Some(None),
        #[cfg(target_arch = "x86_64")]
        Gfni512::WORD => Some(
            (!Gfni512::available())
                .then_some("needs avx512f, avx512bw, avx512vl, avx512vbmi, gfni, avx2 and bmi2"),
        ),
        #[cfg(target_arch = "x86_64")]
        Clmul::WORD => Some((!Clmul::available()).then_some("needs pclmulqdq, ssse3 and sse4.1")),
        #[cfg(not(target_arch = "x86_64"))]
        "clmul" => Some(Some("needs x86-64 with PCLMULQDQ")),
        #[cfg(not(target_arch = "x86_64"))]
        "gfni512" => Some(Some("needs x86-64 with AVX-512 VBMI and GFNI")),
        _ => None,
    }
}
