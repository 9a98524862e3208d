//! The traits of the RustCrypto crates (feature `rustcrypto`): `cipher` 0.5 for [`Kuznyechik`], [`Magma`]
//! and [`Ctr`], `digest` 0.11 for [`Streebog`], [`Hmac`] and [`Omac`], `aead` 0.6 for [`Mgm`].
//!
//! ```
//! use aead::{AeadInOut, KeyInit};
//! use bulat::{KuznyechikCtr, KuznyechikMgm, Streebog256};
//! use cipher::{KeyIvInit, StreamCipher};
//! use digest::Digest;
//!
//! assert_eq!(<Streebog256 as Digest>::digest(b"abc")[..2], [0x4e, 0x29]);
//!
//! let mut text = *b"of any length";
//! let mut ctr = <KuznyechikCtr as KeyIvInit>::new(&[7; 32].into(), &[1; 8].into());
//! ctr.try_apply_keystream(&mut text)?;
//!
//! let aead = <KuznyechikMgm as KeyInit>::new(&[7; 32].into());
//! let tag = aead.encrypt_inout_detached(&[1; 16].into(), b"header", text.as_mut_slice().into())?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Tags are always full, even after [`Mgm::truncated`] or [`Omac::truncated`].
//!
//! The FIRST BIT of MGM's nonce MUST BE 0 (RFC 9058, section 4). The `aead` crate does not know this: half of the
//! nonces from its `generate_nonce`, or from any other random source, fail with `aead::Error`. Clear the bit; both
//! sides then use, and send, the cleared nonce.
//!
//! ```
//! use aead::{AeadInOut, KeyInit};
//! let aead = <bulat::KuznyechikMgm as KeyInit>::new(&[7; 32].into());
//! let mut nonce = [0xa5; 16]; // in place of random bytes
//! assert!(aead.encrypt_inout_detached(&nonce.into(), b"header", (&mut [][..]).into()).is_err());
//! nonce[0] &= 0x7f;
//! assert!(aead.encrypt_inout_detached(&nonce.into(), b"header", (&mut [][..]).into()).is_ok());
//! ```
//!
//! Not implemented: `SerializableState` of [`Streebog`], and traits for [`crate::Gost94`] and [`crate::Gost28147`].
//!
//! Names clash. [`Ctr`] has its own methods `new` and `seek`, which Rust prefers to the traits': write `<KuznyechikCtr
//! as KeyIvInit>::new` and `StreamCipherSeek::seek(&mut ctr, n)`. [`crate::StreamCipher`] and `cipher::StreamCipher`
//! share their name and their methods' names: import either trait, not `bulat::*` with `cipher`'s (E0034).

use aead::{AeadCore, AeadInOut, TagPosition};
use cipher::array::{Array, ArraySize};
use cipher::common::{BlockSizeUser, InvalidLength, IvSizeUser, KeySizeUser, ParBlocksSizeUser};
use cipher::consts::{U4, U8, U16, U32, U64, U128};
use cipher::inout::InOutBuf;
use cipher::{
    Block, BlockCipherDecBackend, BlockCipherDecClosure, BlockCipherDecrypt, BlockCipherEncBackend,
    BlockCipherEncClosure, BlockCipherEncrypt, Iv, Key, KeyInit, KeyIvInit, OverflowError,
    ParBlocks, SeekNum, StreamCipher, StreamCipherError, StreamCipherSeek,
};
use digest::{
    FixedOutput, FixedOutputReset, HashMarker, MacMarker, Output, OutputSizeUser, Reset, Update,
};
use zeroize::ZeroizeOnDrop;

use crate::cipher::Shapes;
use crate::modes::{Aead, Ctr, Mac, Mgm, Omac};
use crate::{BlockCipher, Direction, Error, Hmac, InOut, Kuznyechik, Magma, Streebog, Tag};

/// Transforms all blocks in one call of the kernel, in place at the destination.
fn map<C: BlockCipher, N: ArraySize<ArrayType<u8>: Copy>>(
    cipher: &C,
    direction: Direction,
    blocks: InOutBuf<'_, '_, Array<u8, N>>,
) {
    let blocks = blocks.into_out_with_copied_in();
    cipher.map(direction, Array::slice_as_flattened_mut(blocks).into());
}

macro_rules! block_cipher {
    ($cipher:ident, $block:ident, $half:ident, $parallel:ident) => {
        impl KeySizeUser for $cipher {
            type KeySize = U32;
        }
        impl KeyInit for $cipher {
            fn new(key: &Key<Self>) -> Self {
                $cipher::new(&key.0)
            }
        }
        impl BlockSizeUser for $cipher {
            type BlockSize = $block;
        }
        impl ParBlocksSizeUser for $cipher {
            type ParBlocksSize = $parallel;
        }
        impl ZeroizeOnDrop for $cipher {}
        impl BlockCipherEncrypt for $cipher {
            fn encrypt_with_backend(&self, f: impl BlockCipherEncClosure<BlockSize = $block>) {
                f.call(self);
            }
            fn encrypt_blocks_inout(&self, blocks: InOutBuf<'_, '_, Block<Self>>) {
                map(self, Direction::Encrypt, blocks);
            }
        }
        impl BlockCipherDecrypt for $cipher {
            fn decrypt_with_backend(&self, f: impl BlockCipherDecClosure<BlockSize = $block>) {
                f.call(self);
            }
            fn decrypt_blocks_inout(&self, blocks: InOutBuf<'_, '_, Block<Self>>) {
                map(self, Direction::Decrypt, blocks);
            }
        }
        impl BlockCipherEncBackend for $cipher {
            fn encrypt_block(&self, block: cipher::inout::InOut<'_, '_, Block<Self>>) {
                Shapes::map(self, Direction::Encrypt, block.into_buf());
            }
            fn encrypt_par_blocks(&self, blocks: cipher::inout::InOut<'_, '_, ParBlocks<Self>>) {
                map(self, Direction::Encrypt, blocks.into_buf());
            }
            fn encrypt_tail_blocks(&self, blocks: InOutBuf<'_, '_, Block<Self>>) {
                map(self, Direction::Encrypt, blocks);
            }
        }
        impl BlockCipherDecBackend for $cipher {
            fn decrypt_block(&self, block: cipher::inout::InOut<'_, '_, Block<Self>>) {
                Shapes::map(self, Direction::Decrypt, block.into_buf());
            }
            fn decrypt_par_blocks(&self, blocks: cipher::inout::InOut<'_, '_, ParBlocks<Self>>) {
                map(self, Direction::Decrypt, blocks.into_buf());
            }
            fn decrypt_tail_blocks(&self, blocks: InOutBuf<'_, '_, Block<Self>>) {
                map(self, Direction::Decrypt, blocks);
            }
        }

        impl IvSizeUser for Ctr<$cipher> {
            type IvSize = $half;
        }
        impl KeyIvInit for Ctr<$cipher> {
            fn new(key: &Key<Self>, iv: &Iv<Self>) -> Self {
                Ctr::with($cipher::new(&key.0), iv).expect("an IV of n/2 bytes, by its type")
            }
        }

        impl KeyInit for Omac<$cipher> {
            fn new(key: &Key<Self>) -> Self {
                Omac::with($cipher::new(&key.0))
            }
        }
        impl OutputSizeUser for Omac<$cipher> {
            type OutputSize = $block;
        }
        impl KeyInit for Mgm<$cipher> {
            fn new(key: &Key<Self>) -> Self {
                Mgm::with($cipher::new(&key.0))
            }
        }
        impl AeadCore for Mgm<$cipher> {
            type NonceSize = $block;
            type TagSize = $block;
            const TAG_POSITION: TagPosition = TagPosition::Postfix;
        }
        impl AeadInOut for Mgm<$cipher> {
            fn encrypt_inout_detached(
                &self,
                nonce: &aead::Nonce<Self>,
                aad: &[u8],
                text: InOut<'_, '_>,
            ) -> aead::Result<aead::Tag<Self>> {
                let tag = full(self).seal_inout(nonce, aad, text).map_err(|_| aead::Error)?;
                aead::Tag::<Self>::try_from(&*tag).map_err(|_| aead::Error)
            }
            fn decrypt_inout_detached(
                &self,
                nonce: &aead::Nonce<Self>,
                aad: &[u8],
                text: InOut<'_, '_>,
                tag: &aead::Tag<Self>,
            ) -> aead::Result<()> {
                full(self).open_inout(nonce, aad, text, tag).map_err(|_| aead::Error)
            }
        }
    };
}

block_cipher!(Kuznyechik, U16, U8, U64);
block_cipher!(Magma, U8, U4, U128);

/// Returns this key with the full tag.
fn full<C: BlockCipher>(mgm: &Mgm<C>) -> Mgm<C> {
    mgm.clone().truncated(C::BLOCK).expect("a full tag")
}

impl<C: BlockCipher> KeySizeUser for Mgm<C> {
    type KeySize = U32;
}
impl<C: BlockCipher> ZeroizeOnDrop for Mgm<C> {}

impl<C: BlockCipher> KeySizeUser for Omac<C> {
    type KeySize = U32;
}

/// Implements `digest::Mac` for a MAC, with the full tag.
macro_rules! mac {
    ([$($generics:tt)*] $mac:ty, $len:expr) => {
        impl<$($generics)*> MacMarker for $mac where Self: OutputSizeUser {}
        impl<$($generics)*> ZeroizeOnDrop for $mac {}
        impl<$($generics)*> Update for $mac {
            fn update(&mut self, data: &[u8]) {
                Mac::update(self, data);
            }
        }
        impl<$($generics)*> FixedOutput for $mac
        where
            Self: OutputSizeUser,
        {
            fn finalize_into(self, out: &mut Output<Self>) {
                let tag: Result<Tag, Error> = self.truncated($len).and_then(Mac::finalize);
                out.copy_from_slice(&tag.expect("a full tag"));
            }
        }
        impl<$($generics)*> Reset for $mac {
            fn reset(&mut self) {
                Mac::reset(self);
            }
        }
        impl<$($generics)*> FixedOutputReset for $mac
        where
            Self: OutputSizeUser,
        {
            fn finalize_into_reset(&mut self, out: &mut Output<Self>) {
                self.clone().finalize_into(out);
                Mac::reset(self);
            }
        }
    };
}

mac!([C: BlockCipher] Omac<C>, C::BLOCK);
mac!([const OUT: usize] Hmac<Streebog<OUT>>, OUT);

impl<const OUT: usize> KeySizeUser for Hmac<Streebog<OUT>> {
    type KeySize = U64;
}
impl<const OUT: usize> KeyInit for Hmac<Streebog<OUT>> {
    fn new(key: &Key<Self>) -> Self {
        Self::new(key)
    }
    fn new_from_slice(key: &[u8]) -> Result<Self, InvalidLength> {
        Ok(Self::new(key))
    }
}
impl OutputSizeUser for Hmac<Streebog<32>> {
    type OutputSize = U32;
}
impl OutputSizeUser for Hmac<Streebog<64>> {
    type OutputSize = U64;
}

impl<C: BlockCipher> KeySizeUser for Ctr<C> {
    type KeySize = U32;
}
impl<C: BlockCipher> ZeroizeOnDrop for Ctr<C> {}
impl<C: BlockCipher> StreamCipher for Ctr<C> {
    fn check_remaining(&self, len: usize) -> Result<(), StreamCipherError> {
        self.check(len).map_err(|_| StreamCipherError)
    }
    fn unchecked_apply_keystream_inout(&mut self, data: InOut<'_, '_>) {
        self.run(data);
    }
    fn unchecked_write_keystream(&mut self, gamma: &mut [u8]) {
        gamma.fill(0);
        self.run(gamma.into());
    }
}
impl<C: BlockCipher> StreamCipherSeek for Ctr<C> {
    fn try_current_pos<T: SeekNum>(&self) -> Result<T, OverflowError> {
        let (blocks, used, s) = self.position();
        T::from_block_byte(blocks, used, s)
    }
    fn try_seek<T: SeekNum>(&mut self, position: T) -> Result<(), StreamCipherError> {
        let byte = position.into_block_byte::<u64>(1)?.0;
        Ctr::seek(self, byte).map_err(|_| StreamCipherError)
    }
}

macro_rules! hash {
    ($bytes:literal, $output:ident) => {
        impl OutputSizeUser for Streebog<$bytes> {
            type OutputSize = $output;
        }
        impl FixedOutput for Streebog<$bytes> {
            fn finalize_into(self, out: &mut Output<Self>) {
                out.copy_from_slice(&self.finalize());
            }
        }
        impl FixedOutputReset for Streebog<$bytes> {
            fn finalize_into_reset(&mut self, out: &mut Output<Self>) {
                out.copy_from_slice(&self.finalize_reset());
            }
        }
    };
}

hash!(32, U32);
hash!(64, U64);

impl<const OUT: usize> HashMarker for Streebog<OUT> {}
impl<const OUT: usize> ZeroizeOnDrop for Streebog<OUT> {}
impl<const OUT: usize> BlockSizeUser for Streebog<OUT> {
    type BlockSize = U64;
}
impl<const OUT: usize> Update for Streebog<OUT> {
    fn update(&mut self, data: &[u8]) {
        Streebog::update(self, data);
    }
}
impl<const OUT: usize> Reset for Streebog<OUT> {
    fn reset(&mut self) {
        Streebog::reset(self);
    }
}
