//! The trait of block ciphers under a key.

pub(crate) use bulat_core::cipher::*;

/// A block cipher under a key: [`Kuznyechik`](crate::Kuznyechik), [`Magma`](crate::Magma) and
/// [`Gost28147`](crate::Gost28147). The modes are written over it.
///
/// `Clone` duplicates the key schedule: streaming objects can be duplicated. Both wipe themselves.
pub trait BlockCipher: Shapes {
    /// Gives the cipher a new key; kernels and S-boxes stay: ACPKM, key meshing.
    fn rekey(&self, key: &[u8; 32]) -> Self;
    /// Encrypts a block in place.
    fn encrypt_block(&self, block: &mut Self::Block) {
        self.map(Direction::Encrypt, block.as_mut().into());
    }
    /// Decrypts a block in place.
    fn decrypt_block(&self, block: &mut Self::Block) {
        self.map(Direction::Decrypt, block.as_mut().into());
    }
}

/// A cipher of modes whose kernels have lanes.
#[cfg(feature = "alloc")]
pub(crate) trait Chained<const B: usize>:
    BlockCipher<Block = [u8; B]> + bulat_core::cipher::Chained<B>
{
}
#[cfg(feature = "alloc")]
impl<const B: usize, C: BlockCipher<Block = [u8; B]> + bulat_core::cipher::Chained<B>> Chained<B>
    for C
{
}
