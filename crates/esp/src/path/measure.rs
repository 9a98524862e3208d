//! Packets without a cipher, to measure the path, or by a chosen kernel: only with the feature `measure`, which no
//! release has.

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

/// Forces the kernel that the variable BULAT_KERNEL names.
#[cfg(feature = "measure")]
pub fn choose() {
    if let Ok(name) = std::env::var("BULAT_KERNEL") {
        bulat::kernel::force(Some(&name)).expect("BULAT_KERNEL names a kernel of this machine");
    }
}

/// The fastest kernel serves.
#[cfg(not(feature = "measure"))]
pub fn choose() {}
