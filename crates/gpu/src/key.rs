//! Keys in the kernels' form.

use bulat::batch::Key;
use bulat::{Gost28147, Kuznyechik, Magma};
use bulat_core::cipher::Chained as _;
use zeroize::Zeroizing;

use crate::Program;

/// The bits of round keys: a word for each bit, all ones or zero.
pub(crate) type Masks = Zeroizing<Vec<u32>>;

/// A key in the kernels' form.
pub(crate) struct Material {
    pub program: Program,
    /// The block's length in bytes.
    pub block: usize,
    /// The round keys as words, as in memory.
    words: Zeroizing<Vec<u32>>,
    /// The round keys for decryption, if they differ.
    backwards: Zeroizing<Vec<u32>>,
    /// The S-boxes as masks, if the program needs them.
    pub boxes: Option<Vec<u32>>,
}

fn masks(words: &[u32]) -> Masks {
    let bits = words.iter().flat_map(|w| (0..32).map(move |i| 0u32.wrapping_sub(w >> i & 1)));
    let mut all = Zeroizing::new(Vec::with_capacity(32 * words.len()));
    all.extend(bits);
    all
}

fn memory(keys: &[[u8; 16]]) -> impl Iterator<Item = u32> + '_ {
    keys.as_flattened().as_chunks::<4>().0.iter().map(|w| u32::from_le_bytes(*w))
}

pub(crate) fn program(key: &Key<'_>) -> Program {
    match key {
        Key::Kuznyechik(_) => Program::Kuznyechik,
        Key::Magma(_) => Program::Magma,
        Key::Gost28147(k) => match k.sboxes().param_set() {
            Some(set) => Program::Gost28147(set as u8),
            None => Program::OwnBoxes,
        },
    }
}

impl Material {
    pub fn new(key: &Key<'_>, ternary: bool) -> Self {
        match key {
            Key::Kuznyechik(k) => Self::kuznyechik(k, ternary),
            Key::Magma(k) => Self::magma(k),
            Key::Gost28147(k) => Self::gost28147(k),
        }
    }

    fn kuznyechik(key: &Kuznyechik, ternary: bool) -> Self {
        let (keys, inverse) = key.schedule().round_keys();
        // PI_CONSTANT of circuits.h.
        let constant = if ternary { 0xe8e8_e8e8 } else { 0 };
        let mut words = Zeroizing::new(Vec::with_capacity(40));
        words.extend(memory(&keys[..1]));
        words.extend(memory(&inverse[1..]).map(|w| w ^ constant));
        let mut backwards = Zeroizing::new(Vec::with_capacity(40));
        for key in keys.iter().rev() {
            backwards.extend(memory(core::slice::from_ref(key)));
        }
        Material { program: Program::Kuznyechik, block: 16, words, backwards, boxes: None }
    }

    fn magma(key: &Magma) -> Self {
        Self::words(Program::Magma, key.schedule().parts().0, None)
    }

    fn gost28147(key: &Gost28147) -> Self {
        let (words, boxes) = key.schedule().parts();
        match boxes.param_set() {
            Some(set) => Self::words(Program::Gost28147(set as u8), words, None),
            None => {
                let bit = |v: &u8| {
                    (0..4).map(|b| 0u32.wrapping_sub(u32::from(v >> b & 1))).collect::<Vec<_>>()
                };
                let masks = boxes.rows().as_flattened().iter().flat_map(bit).collect();
                Self::words(Program::OwnBoxes, words, Some(masks))
            }
        }
    }

    fn words(program: Program, words: &[u32; 8], boxes: Option<Vec<u32>>) -> Self {
        let words = Zeroizing::new(words.to_vec());
        Material { program, block: 8, words, backwards: Zeroizing::default(), boxes }
    }

    pub fn masks(&self) -> Masks {
        masks(&self.words)
    }

    pub fn masks_backwards(&self) -> Masks {
        masks(if self.backwards.is_empty() { &self.words } else { &self.backwards })
    }

    pub fn as_words(&self) -> &[u32] {
        &self.words
    }
}

/// Returns the constants C of Streebog as planes: plane 4 q + i of a row is word 4 (8 (16 r + q) + row) + i, for rounds r of
/// 0 to 11; without `LACKS` of streebog.cl.
pub(crate) fn streebog_constants(ternary: bool) -> Vec<u32> {
    let lacks = if ternary { 0x13df_e83d_a242_c0d0u64 } else { 0 };
    let mut words = vec![0; 12 * 512];
    for (r, c) in bulat_core::streebog::constants().iter().enumerate() {
        for (row, c) in c.as_chunks::<8>().0.iter().enumerate() {
            let c = u64::from_le_bytes(*c) ^ lacks;
            for i in 0..64 {
                words[4 * (8 * (16 * r + i / 4) + row) + i % 4] =
                    0u32.wrapping_sub((c >> i & 1) as u32);
            }
        }
    }
    words
}
