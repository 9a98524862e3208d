//! The shapes of a cipher, on every kernel, against their definitions over the reference.
#![allow(dead_code)] // not every test that includes this file

use bulat::{BlockCipher, Direction, Error, InOut};
use bulat_core::cipher::{Chain, Count, Data};
use reference::{Cipher, kuznyechik, magma};

use crate::forced::kernels;

/// A cipher of the reference under a key.
pub trait Model: Cipher {
    /// The step of IMIT.
    fn imit(&self, _: &mut [u8]) {
        unreachable!("IMIT belongs to GOST 28147-89")
    }
}

impl Model for kuznyechik::Kuznyechik {}
impl Model for magma::Magma {}
impl Model for magma::Gost89 {
    fn imit(&self, block: &mut [u8]) {
        self.mac_step(block);
    }
}

/// A cipher under a key, on each of its kernels.
pub type On<C> = Vec<(&'static str, C)>;

pub fn on<C>(algorithm: &str, make: impl Fn(&'static str) -> Result<C, Error>) -> On<C> {
    kernels(algorithm).map(|kernel| (kernel, make(kernel).expect("available"))).collect()
}

pub fn xor(a: &mut [u8], b: &[u8]) {
    a.iter_mut().zip(b).for_each(|(a, b)| *a ^= b);
}

/// The definition of [`Count`]: adds gamma to the text and leaves the counter.
pub fn gamma(model: &dyn Model, count: Count, counter: &mut [u8], text: &mut [u8]) {
    let half = counter.len() / 2;
    for block in text.chunks_mut(counter.len()) {
        if count == Count::Cnt {
            let word = |at: usize| u32::from_le_bytes(counter[at..at + 4].try_into().expect("4"));
            let (n3, n4) = (word(0).wrapping_add(0x0101_0101), u64::from(word(4)) + 0x0101_0104);
            let n4 = if n4 >> 32 == 1 { n4 - (1 << 32) + 1 } else { n4 };
            counter[..4].copy_from_slice(&n3.to_le_bytes());
            counter[4..].copy_from_slice(&(n4 as u32).to_le_bytes());
        }
        let mut mask = counter.to_vec();
        model.encrypt(&mut mask);
        xor(block, &mask);
        let number = match count {
            Count::Whole => &mut counter[..],
            Count::Left => &mut counter[..half],
            Count::Right => &mut counter[half..],
            Count::Cnt => &mut [],
        };
        for byte in number.iter_mut().rev() {
            *byte = byte.wrapping_add(1);
            if *byte != 0 {
                break;
            }
        }
    }
}

/// The definition of [`Chain`]: leaves the register and returns the output.
pub fn chained(model: &dyn Model, chain: Chain, z: &mut [u8], data: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    for x in data.chunks(z.len()) {
        if matches!(chain, Chain::CbcEncrypt | Chain::Mac | Chain::Imit) {
            xor(z, x);
        }
        match chain {
            Chain::Imit => model.imit(z),
            _ => model.encrypt(z),
        }
        if chain == Chain::CfbEncrypt {
            xor(z, x);
        }
        out.extend_from_slice(z);
        if chain == Chain::Ofb {
            let at = out.len() - z.len();
            xor(&mut out[at..], x);
        }
    }
    out
}

/// Runs `f` in place and between two buffers, at odd addresses. The result is `want`, and nothing else is written.
pub fn both_ways(
    text: &[u8],
    want: &[u8],
    what: &dyn Fn() -> String,
    mut f: impl FnMut(InOut<'_, '_>),
) {
    for shift in [0, 1, 13] {
        let source = [&vec![0x55; shift][..], text, &[0x55]].concat();
        let (mut place, end) = (source.clone(), shift + text.len());
        f((&mut place[shift..end]).into());
        assert!(place[shift..end] == *want, "{}: in place at {shift}", what());
        let mut out = vec![0x55; text.len() + 2];
        let apart = &mut out[1..text.len() + 1];
        f(InOut::new(&source[shift..end], &mut *apart).expect("one length"));
        assert!(apart == want, "{}: between buffers at {shift}", what());
        assert!(source[shift..end] == *text, "{}: the source at {shift} was changed", what());
        let around = [&place[..shift], &place[end..], &out[..1], &out[text.len() + 1..]].concat();
        assert!(around.iter().all(|byte| *byte == 0x55), "{}: written outside", what());
    }
}

/// Independent blocks, in both directions.
pub fn map<C: BlockCipher>(on: &On<C>, model: &dyn Model, text: &[u8]) {
    for direction in [Direction::Encrypt, Direction::Decrypt] {
        let mut want = text.to_vec();
        want.chunks_mut(C::BLOCK).for_each(|block| match direction {
            Direction::Encrypt => model.encrypt(block),
            Direction::Decrypt => model.decrypt(block),
        });
        for (kernel, cipher) in on {
            let what = || format!("{kernel}: {direction:?}, {} blocks", text.len() / C::BLOCK);
            both_ways(text, &want, &what, |data| cipher.map(direction, data));
        }
    }
}

/// Gamma from a first counter.
pub fn stream<C: BlockCipher>(
    on: &On<C>,
    model: &dyn Model,
    (count, start): (Count, C::Block),
    text: &[u8],
) {
    let (mut after, mut want) = (start, text.to_vec());
    gamma(model, count, after.as_mut(), &mut want);
    for (kernel, cipher) in on {
        let (blocks, from) = (text.len() / C::BLOCK, start.as_ref());
        let what = || format!("{kernel}: {count:?}, {blocks} blocks from {from:02x?}");
        both_ways(text, &want, &what, |data| {
            let mut counter = start;
            cipher.stream(&mut counter, count, data);
            assert!(counter == after, "{}: the counter", what());
        });
    }
}

/// A single chained stream from a first register.
pub fn chain<C: BlockCipher>(
    on: &On<C>,
    model: &dyn Model,
    (chain, start): (Chain, C::Block),
    text: &[u8],
) {
    let mut after = start;
    let want = chained(model, chain, after.as_mut(), text);
    for (kernel, cipher) in on {
        let what = || format!("{kernel}: {chain:?}, {} blocks", text.len() / C::BLOCK);
        let run = |data: Data<'_>| {
            let mut state = start;
            cipher.chain(chain, &mut state, data);
            assert!(state == after, "{}: the register", what());
        };
        match chain {
            Chain::Mac | Chain::Imit => run(Data::Read(text)),
            _ => both_ways(text, &want, &what, |data| run(Data::Through(data))),
        }
    }
}
