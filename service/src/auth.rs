//! Who asks: tokens and client certificates.
