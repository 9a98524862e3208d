//! Instruction sets: word, features, proof token, and `enter!`, which compiles a function for a set.
//!
//! A token is a zero-sized value that exists only where the instruction set does: `detect` makes it, or
//! `assume` inside a function that was entered through detection. A new set is a line of the list
//! below; where it has vectors of a new kind, a file in this folder.

/// Declares the instruction sets, fastest first, and from them the tokens, `enter!`, [`SETS`], and the primitives'
/// lists: `vector_sets!` and `kernels!`. A line ends with the set's vector that looks up by nibbles, if the set has
/// such a vector, and with `+ Field` if that vector multiplies in the field of AES, too: then the primitives work in
/// that field.
macro_rules! instruction_sets {
    ($d:tt $($(#[$doc:meta])* $name:ident, $word:ident, $place:literal, $cfg:meta, [$($f:tt)*] $($vector:ident $(+ $field:ident)?)?;)*) => {
        $(
            $(#[$doc])*
            #[cfg($cfg)]
            #[derive(Clone, Copy)]
            pub(crate) struct $name(());
            #[cfg($cfg)]
            #[allow(dead_code)]
            impl $name {
                pub(crate) const WORD: &'static str = stringify!($word);
                /// Returns whether this machine has every feature.
                #[inline]
                pub(crate) fn available() -> bool {
                    true $(&& detect!($f))*
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
        )*

        /// Every set of every processor: its word, and why this machine cannot run it, if it cannot.
        pub(crate) const SETS: &[(&str, fn() -> Option<&'static str>)] = &[$({
            #[cfg($cfg)]
            fn missing() -> Option<&'static str> {
                (!$name::available()).then_some(concat!("needs" $(, " ", $f)*))
            }
            #[cfg(not($cfg))]
            fn missing() -> Option<&'static str> {
                Some(concat!("needs ", $place))
            }
            (stringify!($word), missing)
        }),*];

        /// Every kernel's word, fastest first.
        pub(crate) const WORDS: &[&str] = &[
            $(stringify!($word),)*
            Portable::WORD,
            #[cfg(feature = "vartime")]
            "table_vartime",
        ];

        /// Compiles functions for an instruction set: `enter!(word => fn ..)`.
        ///
        /// The body is `#[inline(always)]` code over the traits of `simd`, so that it is compiled with
        /// the features of the function it was entered from.
        macro_rules! enter {
            (portable => $d($d item:tt)*) => { $d($d item)* };
            $( ($word => $d($d item:tt)*) => {
                #[target_feature($(enable = $f),*)]
                $d($d item)*
            }; )*
        }

        /// For each set with vectors that look up by nibbles: `f! { #[cfg(..)] word, Token, Vector }`, with `+ Field`
        /// after the vector where the line has it.
        macro_rules! vector_sets {
            ($d f:ident) => { $($( $d f! { #[cfg($cfg)] $word, $name, $vector $(+ $field)? } )?)* };
        }

        /// A primitive's list, fastest first: `KERNEL` of the widest set, which looks up whole bytes, of each of those
        /// sets, of the portable module and of `vartime`.
        macro_rules! kernels {
            ($d of:ident) => { kernels!($d of, portable) };
            ($d of:ident, $d portable:ident) => {
                [
                    #[cfg(target_arch = "x86_64")]
                    listed!($d of::gfni512::KERNEL, $d portable),
                    $($(
                        #[cfg($cfg)]
                        listed!($d of::$word::KERNEL, $d portable $vector),
                    )?)*
                    $d portable::KERNEL,
                    #[cfg(feature = "vartime")]
                    vartime::KERNEL,
                ]
            };
        }
    };
}

/// The kernel of a set. In the unit tests, which are about arithmetic, and in a build for one set (`--cfg bulat_set`) the
/// others have the functions of `portable`: kernels cost minutes to compile, and the tests in `tests/` check them. `vector`
/// is for the caller: its list repeats for the sets that have a vector.
macro_rules! listed {
    ($kernel:expr, $portable:ident $($vector:ident)?) => {{
        let mut kernel = $kernel;
        if !$crate::simd::compiled(kernel.name) {
            let (name, available) = (kernel.name, kernel.available);
            kernel = $portable::KERNEL;
            (kernel.name, kernel.available) = (name, available);
        }
        kernel
    }};
}

/// Returns whether the build has the functions of this set.
pub(crate) const fn compiled(word: &str) -> bool {
    match word.as_bytes() {
        _ if cfg!(not(any(test, bulat_set))) => true,
        b"gfni512" => cfg!(bulat_set = "gfni512"),
        b"avx2gfni" => cfg!(bulat_set = "avx2gfni"),
        b"avx2" => cfg!(bulat_set = "avx2"),
        b"neon" => cfg!(bulat_set = "neon"),
        _ => false,
    }
}

/// True if a feature is there: asked at run time with `std`, else of the build.
macro_rules! detect {
    // With `std`, "aes" of AArch64 is AES alone; the compiler's feature has PMULL, too.
    ("aes") => {{
        #[cfg(all(feature = "std", target_arch = "aarch64"))]
        {
            std::arch::is_aarch64_feature_detected!("aes")
                && std::arch::is_aarch64_feature_detected!("pmull")
        }
        #[cfg(not(all(feature = "std", target_arch = "aarch64")))]
        {
            cfg!(target_feature = "aes")
        }
    }};
    ($feature:tt) => {{
        #[cfg(all(feature = "std", any(target_arch = "x86", target_arch = "x86_64")))]
        {
            std::is_x86_feature_detected!($feature)
        }
        #[cfg(all(feature = "std", target_arch = "aarch64"))]
        {
            std::arch::is_aarch64_feature_detected!($feature)
        }
        #[cfg(any(not(feature = "std"), target_arch = "wasm32"))]
        {
            cfg!(target_feature = $feature)
        }
    }};
}

instruction_sets! { $
    /// AVX-512 with VBMI and GFNI: Ice Lake, Sapphire Rapids, Zen 4, Zen 5.
    Gfni512, gfni512, "x86-64", target_arch = "x86_64",
    ["avx512f" "avx512bw" "avx512vl" "avx512vbmi" "gfni" "avx2" "bmi2"];
    /// AVX-512 with bytes: Skylake-X, Cascade Lake.
    Avx512, avx512, "x86-64", target_arch = "x86_64", ["avx512f" "avx512bw" "avx512vl" "avx2"] Bytes512;
    /// AVX2 with GFNI: Alder Lake and later without AVX-512.
    Avx2Gfni, avx2gfni, "x86", any(target_arch = "x86", target_arch = "x86_64"), ["avx2" "gfni"] Bytes256 + Field;
    /// AVX2: Haswell, Zen.
    Avx2, avx2, "x86", any(target_arch = "x86", target_arch = "x86_64"), ["avx2"] Bytes256;
    /// The first shuffle of bytes: Core 2, and all later processors without AVX2.
    Ssse3, ssse3, "x86", any(target_arch = "x86", target_arch = "x86_64"), ["ssse3"] Bytes128;
    /// VPCLMULQDQ in 512 bits: Ice Lake, Sapphire Rapids, Zen 4, Zen 5.
    Vpclmul512, vpclmul512, "x86", any(target_arch = "x86", target_arch = "x86_64"),
    ["avx512f" "avx512bw" "vpclmulqdq"];
    /// VPCLMULQDQ in 256 bits: Zen 3, Alder Lake and later without AVX-512.
    Vpclmul256, vpclmul256, "x86", any(target_arch = "x86", target_arch = "x86_64"),
    ["avx2" "vpclmulqdq"];
    /// PCLMULQDQ: Westmere, Bulldozer.
    Clmul, clmul, "x86", any(target_arch = "x86", target_arch = "x86_64"), ["pclmulqdq" "ssse3"];
    /// AArch64 with sums of three vectors.
    NeonSha3, neonsha3, "AArch64", target_arch = "aarch64", ["neon" "sha3"] BytesNeon;
    /// AArch64.
    Neon, neon, "AArch64", target_arch = "aarch64", ["neon"] BytesNeon;
    /// AArch64 with products of polynomials.
    Pmull, pmull, "AArch64", target_arch = "aarch64", ["neon" "aes"];
    /// WebAssembly built for 128-bit vectors.
    Simd128, simd128, "WebAssembly built for simd128", all(target_arch = "wasm32", target_feature = "simd128"), ["simd128"] BytesWasm;
}

/// Safe Rust for any machine: circuits on u64 words.
#[derive(Clone, Copy)]
pub(crate) struct Portable(());

impl Portable {
    pub(crate) const WORD: &'static str = "portable";
    /// Needs no proof.
    pub(crate) const TOKEN: Self = Portable(());
}

/// Whether kernels named `word` can run: `Some(None)` when this machine can run them, `Some(Some(why))` when
/// not, `None` when the word is unknown.
pub(crate) fn missing(word: &str) -> Option<Option<&'static str>> {
    match word {
        Portable::WORD => Some(None),
        #[cfg(feature = "vartime")]
        "table_vartime" => Some(None),
        _ => SETS.iter().find(|(name, _)| *name == word).map(|(_, missing)| missing()),
    }
}

/// Returns whether this machine can run the kernels of this word.
pub(crate) fn available(word: &str) -> bool {
    missing(word).is_some_and(|m| m.is_none())
}
