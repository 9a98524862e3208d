//! Packets without a cipher, to measure the path: only with the feature `measure`, which no release has.

/// Tells whether packets stay as they are: the variable BULAT_ESP_PLAIN is set.
#[cfg(feature = "measure")]
pub fn plain() -> bool {
    static PLAIN: std::sync::OnceLock<bool> = std::sync::OnceLock::new();
    *PLAIN.get_or_init(|| std::env::var_os("BULAT_ESP_PLAIN").is_some())
}

/// Packets are always sealed.
#[cfg(not(feature = "measure"))]
pub fn plain() -> bool {
    false
}
