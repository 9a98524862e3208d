//! PLACEHOLDER: correct, slow, not constant-time; to be replaced by the circuits.

use super::add512;
use super::consts::{A, C};
use crate::kernel::{HashKernel, HashLane, HashState};
use crate::kuznyechik::consts::PI;

pub(super) const KERNEL: HashKernel =
    HashKernel { name: "portable", available: || true, g, blocks, lanes: Some(lanes) };

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
fn blocks(s: &mut HashState, blocks: &[u8]) {
    let mut step = [0; 64];
    step[1] = 2;
    for m in blocks.chunks_exact(64) {
        let m = m.try_into().expect("64");
        g(&mut s.h, &s.n, m);
        add512(&mut s.n, &step);
        add512(&mut s.sigma, m);
    }
}
fn lanes(lanes: &mut [HashLane<'_>]) {
    for lane in lanes {
        blocks(lane.state, lane.blocks);
    }
}
