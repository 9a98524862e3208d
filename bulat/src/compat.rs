//! The traits of the RustCrypto crates (feature `rustcrypto`): `cipher` 0.5 for [`Kuznyechik`], [`Magma`]
//! and [`Ctr`], `digest` 0.11 for [`Streebog`], and, in types of their own since those traits know no
//! errors, `digest::Mac` for OMAC and `aead` 0.6 for MGM with the full tag.
//!
//! ```
//! use bulat::compat::KuznyechikMgm;
//! use bulat::{Kuznyechik, Streebog256, modes::Ctr};
//! use aead::{AeadInOut, KeyInit};
//! use cipher::{KeyIvInit, StreamCipher};
//! use digest::Digest;
//!
//! assert_eq!(<Streebog256 as Digest>::digest(b"abc")[..2], [0x4e, 0x29]);
//!
//! let mut text = *b"of any length";
//! let mut ctr = <Ctr<Kuznyechik> as KeyIvInit>::new(&[7; 32].into(), &[1; 8].into());
//! ctr.try_apply_keystream(&mut text)?;
//!
//! let aead = KuznyechikMgm::new(&[7; 32].into());
//! let tag = aead.encrypt_inout_detached(&[1; 16].into(), b"header", text.as_mut_slice().into())?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! MGM's nonces are a block whose FIRST BIT IS 0 (RFC 9058, section 4). The `aead` crate does not know
//! that: half of the nonces that its `generate_nonce` or any other random source gives are refused with
//! `aead::Error`. Clear the bit; both sides then use, and send, the nonce so made.
//!
//! ```
//! use aead::{AeadInOut, KeyInit};
//! let aead = bulat::compat::KuznyechikMgm::new(&[7; 32].into());
//! let mut nonce = [0xa5; 16]; // in place of random octets
//! assert!(aead.encrypt_inout_detached(&nonce.into(), b"header", (&mut [][..]).into()).is_err());
//! nonce[0] &= 0x7f;
//! assert!(aead.encrypt_inout_detached(&nonce.into(), b"header", (&mut [][..]).into()).is_ok());
//! ```
#![forbid(unsafe_code)]

use aead::{AeadCore, AeadInOut, TagPosition};
use cipher::array::{Array, ArraySize};
use cipher::common::{BlockSizeUser, IvSizeUser, KeySizeUser, ParBlocksSizeUser};
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

use crate::modes::{Aead, Ctr, Mac, Mgm, Omac};
use crate::{BlockCipher, Direction, InOut, Kuznyechik, Magma, Streebog};

/// All blocks in one call of the kernel, in place at the destination.
fn map<C: BlockCipher, N: ArraySize<ArrayType<u8>: Copy>>(
    cipher: &C,
    direction: Direction,
    blocks: InOutBuf<'_, '_, Array<u8, N>>,
) {
    let blocks = blocks.into_out_with_copied_in();
    cipher.map(direction, Array::slice_as_flattened_mut(blocks).into());
}

macro_rules! block_cipher {
    ($cipher:ident, $block:ident, $half:ident, $parallel:ident, $omac:ident, $mgm:ident) => {
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
                BlockCipher::map(self, Direction::Encrypt, block.into_buf());
            }
            fn encrypt_par_blocks(
                &self,
                blocks: cipher::inout::InOut<'_, '_, ParBlocks<Self>>,
            ) {
                map(self, Direction::Encrypt, blocks.into_buf());
            }
            fn encrypt_tail_blocks(&self, blocks: InOutBuf<'_, '_, Block<Self>>) {
                map(self, Direction::Encrypt, blocks);
            }
        }
        impl BlockCipherDecBackend for $cipher {
            fn decrypt_block(&self, block: cipher::inout::InOut<'_, '_, Block<Self>>) {
                BlockCipher::map(self, Direction::Decrypt, block.into_buf());
            }
            fn decrypt_par_blocks(
                &self,
                blocks: cipher::inout::InOut<'_, '_, ParBlocks<Self>>,
            ) {
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
                Ctr::new($cipher::new(&key.0), iv).expect("an IV of n/2 octets, by its type")
            }
        }

        #[doc = concat!("OMAC over ", stringify!($cipher), " as a `digest::Mac`, with the full tag.")]
        #[derive(Clone)]
        pub struct $omac(Omac<$cipher>);

        impl KeySizeUser for $omac {
            type KeySize = U32;
        }
        impl KeyInit for $omac {
            fn new(key: &Key<Self>) -> Self {
                let omac = Omac::new($cipher::new(&key.0), $cipher::BLOCK);
                $omac(omac.expect("a full tag"))
            }
        }
        impl OutputSizeUser for $omac {
            type OutputSize = $block;
        }
        impl MacMarker for $omac {}
        impl ZeroizeOnDrop for $omac {}
        impl Update for $omac {
            fn update(&mut self, data: &[u8]) {
                self.0.update(data).expect("what ends a message also consumes or resets it");
            }
        }
        impl FixedOutput for $omac {
            fn finalize_into(mut self, out: &mut Output<Self>) {
                self.finalize_into_reset(out);
            }
        }
        impl Reset for $omac {
            fn reset(&mut self) {
                self.0.reset(&[]).expect("no IV");
            }
        }
        impl FixedOutputReset for $omac {
            fn finalize_into_reset(&mut self, out: &mut Output<Self>) {
                self.0.finish(out).expect("a full tag, not finished before");
                Reset::reset(self);
            }
        }

        #[doc = concat!("MGM over ", stringify!($cipher), " as an `aead::AeadInOut`, with the full tag.")]
        ///
        /// A nonce whose first bit is 1 is refused: see the module.
        #[derive(Clone)]
        pub struct $mgm($cipher);

        impl KeySizeUser for $mgm {
            type KeySize = U32;
        }
        impl KeyInit for $mgm {
            fn new(key: &Key<Self>) -> Self {
                $mgm($cipher::new(&key.0))
            }
        }
        impl ZeroizeOnDrop for $mgm {}
        impl AeadCore for $mgm {
            type NonceSize = $block;
            type TagSize = $block;
            const TAG_POSITION: TagPosition = TagPosition::Postfix;
        }
        impl AeadInOut for $mgm {
            fn encrypt_inout_detached(
                &self,
                nonce: &aead::Nonce<Self>,
                aad: &[u8],
                text: InOut<'_, '_>,
            ) -> aead::Result<aead::Tag<Self>> {
                let mut tag = aead::Tag::<Self>::default();
                Mgm::new(self.0.clone(), nonce, tag.len())
                    .and_then(|mut mgm| {
                        mgm.aad(aad)?;
                        mgm.seal(text)?;
                        mgm.finish(&mut tag)
                    })
                    .map_err(|_| aead::Error)?;
                Ok(tag)
            }
            fn decrypt_inout_detached(
                &self,
                nonce: &aead::Nonce<Self>,
                aad: &[u8],
                text: InOut<'_, '_>,
                tag: &aead::Tag<Self>,
            ) -> aead::Result<()> {
                Mgm::new(self.0.clone(), nonce, tag.len())
                    .and_then(|mut mgm| {
                        mgm.aad(aad)?;
                        mgm.open(text, tag)
                    })
                    .map_err(|_| aead::Error)
            }
        }
    };
}

block_cipher!(Kuznyechik, U16, U8, U64, KuznyechikOmac, KuznyechikMgm);
block_cipher!(Magma, U8, U4, U128, MagmaOmac, MagmaMgm);

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
        let octet = position.into_block_byte::<u64>(1)?.0;
        Ctr::seek(self, octet).map_err(|_| StreamCipherError)
    }
}

macro_rules! hash {
    ($octets:literal, $output:ident) => {
        impl OutputSizeUser for Streebog<$octets> {
            type OutputSize = $output;
        }
        impl FixedOutput for Streebog<$octets> {
            fn finalize_into(self, out: &mut Output<Self>) {
                out.copy_from_slice(&self.finish());
            }
        }
        impl FixedOutputReset for Streebog<$octets> {
            fn finalize_into_reset(&mut self, out: &mut Output<Self>) {
                out.copy_from_slice(&self.finish());
                self.reset();
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
