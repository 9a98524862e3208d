//! Table look-ups by secret bytes: NOT constant-time. The control of the constant-time evidence, and for
//! the lab; compiled only with the feature `vartime`, never chosen unless asked for by name.

use super::Schedule;
use super::constants::{L, PI};
use crate::InOut;
use crate::cipher::{Chain, Count, Data, Direction, Lane};
use crate::kernel::BlockKernel;

pub(super) const KERNEL: BlockKernel<Schedule, 16> = BlockKernel {
    name: "table_vartime",
    available: || true,
    prepare,
    schedules: None,
    map: Some(map),
    stream: Some(stream),
    lanes: Some(lanes),
    sections: None,
    products: None,
    next_keys: None,
};

static MUL: [[u8; 256]; 256] = {
    let mut t = [[0u8; 256]; 256];
    let mut a = 0;
    while a < 256 {
        let mut bit = 0;
        let mut x = a as u16;
        while bit < 8 {
            let b = 1usize << bit;
            let mut j = 0;
            while j < b {
                t[a][b + j] = t[a][j] ^ x as u8;
                j += 1;
            }
            x = (x << 1) ^ if x & 0x80 != 0 { 0x1c3 } else { 0 };
            bit += 1;
        }
        a += 1;
    }
    t
};

static PI_INV: [u8; 256] = {
    let mut t = [0u8; 256];
    let mut i = 0;
    while i < 256 {
        t[PI[i] as usize] = i as u8;
        i += 1;
    }
    t
};

fn l(b: &mut [u8; 16]) {
    for _ in 0..16 {
        let x = b.iter().zip(L).fold(0, |s, (b, c)| s ^ MUL[c as usize][*b as usize]);
        b.copy_within(0..15, 1);
        b[0] = x;
    }
}
fn l_inv(b: &mut [u8; 16]) {
    for _ in 0..16 {
        b.rotate_left(1);
        b[15] = b.iter().zip(L).fold(0, |s, (b, c)| s ^ MUL[c as usize][*b as usize]);
    }
}
fn xor(a: &mut [u8; 16], b: &[u8]) {
    a.iter_mut().zip(b).for_each(|(a, b)| *a ^= b);
}

pub(super) fn prepare(key: &[u8; 32], s: &mut Schedule) {
    let mut a: [u8; 16] = key[..16].try_into().expect("16");
    let mut b: [u8; 16] = key[16..].try_into().expect("16");
    (s.keys[0], s.keys[1]) = (a, b);
    for i in 1..=32 {
        let mut c = [0; 16];
        c[15] = i;
        l(&mut c);
        xor(&mut c, &a);
        c.iter_mut().for_each(|x| *x = PI[*x as usize]);
        l(&mut c);
        xor(&mut c, &b);
        (a, b) = (c, a);
        if i % 8 == 0 {
            let i = i as usize / 4;
            (s.keys[i], s.keys[i + 1]) = (a, b);
        }
    }
    s.inverse = s.keys;
    s.inverse.iter_mut().for_each(l_inv);
}

fn cipher(s: &Schedule, dir: Direction, b: &mut [u8; 16]) {
    if dir == Direction::Encrypt {
        for k in &s.keys[..9] {
            xor(b, k);
            b.iter_mut().for_each(|x| *x = PI[*x as usize]);
            l(b);
        }
        xor(b, &s.keys[9]);
    } else {
        for k in s.keys[1..].iter().rev() {
            xor(b, k);
            l_inv(b);
            b.iter_mut().for_each(|x| *x = PI_INV[*x as usize]);
        }
        xor(b, &s.keys[0]);
    }
}

fn each(data: InOut<'_, '_>, mut f: impl FnMut(&mut [u8; 16])) {
    let mut rest = data;
    while !rest.is_empty() {
        let (mut one, r) = rest.split_at(16);
        let mut b: [u8; 16] = one.get_in().try_into().expect("16");
        f(&mut b);
        one.get_out().copy_from_slice(&b);
        rest = r;
    }
}

fn map(s: &Schedule, dir: Direction, data: InOut<'_, '_>) {
    each(data, |b| cipher(s, dir, b));
}

fn stream(s: &Schedule, ctr: &mut [u8; 16], count: Count, data: InOut<'_, '_>) {
    each(data, |b| {
        let mut g = *ctr;
        cipher(s, Direction::Encrypt, &mut g);
        let v = u128::from_be_bytes(*ctr);
        let (l, r) = ((v >> 64) as u64, v as u64);
        match count {
            Count::Whole => *ctr = v.wrapping_add(1).to_be_bytes(),
            Count::Right => ctr[8..].copy_from_slice(&r.wrapping_add(1).to_be_bytes()),
            Count::Left => ctr[..8].copy_from_slice(&l.wrapping_add(1).to_be_bytes()),
            Count::Cnt => unreachable!("CNT belongs to GOST 28147-89"),
        }
        xor(b, &g);
    });
}

fn lanes(chain: Chain, lanes: &mut [Lane<'_, Schedule, 16>]) {
    for lane in lanes {
        let s = lane.schedule;
        let z = &mut *lane.state;
        match &mut lane.data {
            Data::Read(d) => {
                for x in d.chunks_exact(16) {
                    xor(z, x);
                    cipher(s, Direction::Encrypt, z);
                }
            }
            Data::Through(d) => each(d.reborrow(), |b| match chain {
                Chain::CbcEncrypt => {
                    xor(z, b);
                    cipher(s, Direction::Encrypt, z);
                    *b = *z;
                }
                Chain::CfbEncrypt => {
                    cipher(s, Direction::Encrypt, z);
                    xor(z, b);
                    *b = *z;
                }
                _ => {
                    cipher(s, Direction::Encrypt, z);
                    xor(b, z);
                }
            }),
        }
    }
}
