//! Table look-ups by secret bytes: NOT constant-time. The control of the constant-time evidence, and for
//! the lab; compiled only with the feature `vartime`, never chosen unless asked for by name.

use super::constants::{A, C};
use super::counter::add512;
use crate::kernel::{HashKernel, HashKeys, HashLane, HashState};
use crate::pi::PI;

pub(super) const KERNEL: HashKernel =
    HashKernel { name: "table_vartime", available: || true, initial: &NONE, keys, blocks, finish };

/// It has no use for them.
static NONE: [HashKeys; 2] = [const { HashKeys([[0; 64]; 13]) }; 2];

fn keys(_: &HashState) -> HashKeys {
    NONE[0].clone()
}

fn lps(x: &mut [u8; 64]) {
    let mut t = [0u8; 64];
    for i in 0..8 {
        for j in 0..8 {
            t[8 * i + j] = PI[x[8 * j + i] as usize];
        }
    }
    for (x, t) in x.chunks_exact_mut(8).zip(t.chunks_exact(8)) {
        let v = u64::from_le_bytes(t.try_into().expect("8"));
        let mut r = 0;
        for (i, a) in A.iter().enumerate() {
            r ^= a & 0u64.wrapping_sub(v >> (63 - i) & 1);
        }
        x.copy_from_slice(&r.to_le_bytes());
    }
}
fn xor(a: &mut [u8; 64], b: &[u8; 64]) {
    a.iter_mut().zip(b).for_each(|(a, b)| *a ^= b);
}
fn g(h: &mut [u8; 64], n: &[u8; 64], m: &[u8; 64]) {
    let mut k = *h;
    xor(&mut k, n);
    lps(&mut k);
    let mut x = *m;
    for c in &C {
        xor(&mut x, &k);
        lps(&mut x);
        xor(&mut k, c);
        lps(&mut k);
    }
    xor(&mut x, &k);
    xor(&mut x, m);
    xor(h, &x);
}
fn blocks(_: Option<&HashKeys>, lanes: &mut [HashLane<'_>]) {
    let mut step = [0; 64];
    step[1] = 2;
    for HashLane { state, blocks } in lanes {
        for m in blocks.as_chunks::<64>().0 {
            g(&mut state.h, &state.n, m);
            add512(&mut state.n, &step);
            add512(&mut state.sigma, m);
        }
    }
}
fn finish(_: Option<&HashKeys>, lanes: &mut [HashLane<'_>]) {
    for HashLane { state, blocks } in lanes {
        let mut m = crate::Secret::new([0; 64]);
        m[..blocks.len()].copy_from_slice(blocks);
        m[blocks.len()] = 1;
        g(&mut state.h, &state.n, &m);
        let mut bits = [0; 64];
        bits[..2].copy_from_slice(&(8 * blocks.len() as u16).to_le_bytes());
        add512(&mut state.n, &bits);
        add512(&mut state.sigma, &m);
        g(&mut state.h, &[0; 64], &state.n);
        g(&mut state.h, &[0; 64], &state.sigma);
    }
}
