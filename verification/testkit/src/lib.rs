//! Shared by tests, benches and fuzz targets: a seeded source of numbers and bytes, hexadecimal literals, and a search
//! of freed memory.

pub mod freed;

/// The bytes of a hexadecimal literal; white space between digits is ignored.
///
/// # Panics
/// On anything that is no digit, and on half a byte.
pub fn hex(text: &str) -> Vec<u8> {
    let digits: Vec<u8> = (text.chars().filter(|c| !c.is_whitespace()))
        .map(|c| c.to_digit(16).unwrap_or_else(|| panic!("{c:?} in {text:?}")) as u8)
        .collect();
    assert!(digits.len().is_multiple_of(2), "half a byte at the end of {text:?}");
    digits.chunks_exact(2).map(|pair| pair[0] << 4 | pair[1]).collect()
}

/// SplitMix64 from a seed; a fuzzer's input first, where there is one.
#[derive(Clone, Debug)]
pub struct Random {
    state: u64,
    /// Words used before the generator's own, the last first.
    given: Vec<u64>,
}

impl Random {
    /// Starts from a seed; any will do.
    pub fn new(seed: u64) -> Self {
        Random { state: seed, given: Vec::new() }
    }

    /// Starts from a fuzzer's input: each choice is a byte of it, then the choices of the seed 0. So a change of
    /// one byte is the change of one choice.
    pub fn given(input: &[u8]) -> Self {
        Random {
            state: 0,
            given: input.iter().rev().map(|byte| u64::from(*byte) << 56 | 0x5a5a).collect(),
        }
    }

    /// Returns whether the input is used up; true without one.
    pub fn is_spent(&self) -> bool {
        self.given.is_empty()
    }

    /// A number below 2^64.
    pub fn word(&mut self) -> u64 {
        if let Some(word) = self.given.pop() {
            return word;
        }
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.state ^ self.state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// A number below `n`, which is not 0.
    pub fn below(&mut self, n: usize) -> usize {
        // The upper bits: a fuzzer's byte is there.
        ((u128::from(self.word()) * n as u128) >> 64) as usize
    }

    /// A number up to `most`.
    pub fn upto(&mut self, most: usize) -> usize {
        self.below(most + 1)
    }

    /// Fills with the generator's words, little-endian; a fuzzer's input is not used up for data.
    pub fn fill(&mut self, bytes: &mut [u8]) {
        let given = std::mem::take(&mut self.given);
        for chunk in bytes.chunks_mut(8) {
            let word = self.word().to_le_bytes();
            chunk.copy_from_slice(&word[..chunk.len()]);
        }
        self.given = given;
    }

    /// `len` bytes.
    pub fn bytes(&mut self, len: usize) -> Vec<u8> {
        let mut bytes = vec![0; len];
        self.fill(&mut bytes);
        bytes
    }

    /// S-boxes of GOST 28147-89: eight rows, each a permutation.
    pub fn sboxes(&mut self) -> [[u8; 16]; 8] {
        core::array::from_fn(|_| {
            let mut row = core::array::from_fn(|i| i as u8);
            (1..16).for_each(|i| row.swap(i, self.upto(i)));
            row
        })
    }

    /// An array of bytes: a key, a block.
    pub fn array<const N: usize>(&mut self) -> [u8; N] {
        let mut bytes = [0; N];
        self.fill(&mut bytes);
        bytes
    }
}

#[cfg(test)]
mod tests {
    use super::{Random, hex};

    #[test]
    fn hexadecimal() {
        assert_eq!(hex("00 fF\n10"), [0, 255, 16]);
        assert!(hex("").is_empty());
        for wrong in ["0", "0x00", "0g"] {
            assert!(std::panic::catch_unwind(|| hex(wrong)).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_seed_is_a_sequence() {
        // The first words of SplitMix64 from 1234567, as its author's program prints them.
        let mut r = Random::new(1_234_567);
        assert_eq!([r.word(), r.word()], [6_457_827_717_110_365_317, 3_203_168_211_198_807_973]);
        assert!((0..1000).all(|_| r.below(7) < 7));
        assert_eq!(r.bytes(13).len(), 13);
    }

    #[test]
    fn an_input_is_its_choices() {
        let mut r = Random::given(&[0, 128, 255]);
        assert_eq!([r.below(256), r.below(256), r.below(256)], [0, 128, 255]);
        assert!(r.is_spent());
    }
}
