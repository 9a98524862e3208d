//! Hashes and MACs as [`std::io::Write`].

/// Implements [`std::io::Write`] by `update`, so that `std::io::copy` works. Writing never fails.
macro_rules! io_write {
    ([$($generics:tt)*] $name:ty) => {
        #[cfg(feature = "std")]
        impl<$($generics)*> std::io::Write for $name {
            fn write(&mut self, data: &[u8]) -> std::io::Result<usize> {
                self.update(data);
                Ok(data.len())
            }
            fn flush(&mut self) -> std::io::Result<()> {
                Ok(())
            }
        }
    };
}
#[cfg_attr(not(feature = "std"), allow(unused_imports))]
pub(crate) use io_write;
