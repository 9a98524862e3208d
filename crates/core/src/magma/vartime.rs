//! Table look-ups by secret bytes: NOT constant-time. The control of the constant-time evidence, and for
//! the lab; compiled only with the feature `vartime`, never chosen unless asked for by name.

use super::constants::key_index;
use super::schedule::{Order, Schedule};
use crate::InOut;
use crate::cipher::{Chain, Count, Data, Direction, Lane};
use crate::kernel::BlockKernel;

pub(super) const KERNEL: BlockKernel<Schedule, 8> = BlockKernel {
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

pub(super) fn prepare(key: &[u8; 32], s: &mut Schedule) {
    for (w, k) in s.keys.iter_mut().zip(key.chunks_exact(4)) {
        let k = k.try_into().expect("4 bytes");
        *w = if s.order == Order::Magma { u32::from_be_bytes(k) } else { u32::from_le_bytes(k) };
    }
}

/// 32 or 16 rounds on (N1, N2); 32 rounds end without the last exchange.
fn rounds(s: &Schedule, dir: Direction, n: usize, v: &mut [u8; 8]) {
    if s.order == Order::Magma {
        v.reverse();
    }
    let mut n1 = u32::from_le_bytes(v[..4].try_into().expect("4"));
    let mut n2 = u32::from_le_bytes(v[4..].try_into().expect("4"));
    for i in 0..n {
        let k = s.keys[key_index(if dir == Direction::Encrypt { i } else { 31 - i })];
        let t = n1.wrapping_add(k);
        let mut r = 0u32;
        for (j, row) in s.sboxes.rows().iter().enumerate() {
            r |= u32::from(row[(t >> (4 * j)) as usize & 15]) << (4 * j);
        }
        (n1, n2) = (n2 ^ r.rotate_left(11), n1);
    }
    if n == 32 {
        (n1, n2) = (n2, n1);
    }
    v[..4].copy_from_slice(&n1.to_le_bytes());
    v[4..].copy_from_slice(&n2.to_le_bytes());
    if s.order == Order::Magma {
        v.reverse();
    }
}

fn each(data: InOut<'_, '_>, mut f: impl FnMut(&mut [u8; 8])) {
    let mut rest = data;
    while !rest.is_empty() {
        let (mut one, r) = rest.split_at(8);
        let mut b: [u8; 8] = one.get_in().try_into().expect("8");
        f(&mut b);
        one.get_out().copy_from_slice(&b);
        rest = r;
    }
}

fn map(s: &Schedule, dir: Direction, data: InOut<'_, '_>) {
    each(data, |b| rounds(s, dir, 32, b));
}

fn stream(s: &Schedule, ctr: &mut [u8; 8], count: Count, data: InOut<'_, '_>) {
    each(data, |b| {
        if count == Count::Cnt {
            let n3 = u32::from_le_bytes(ctr[..4].try_into().expect("4")).wrapping_add(0x0101_0101);
            let n4 = u32::from_le_bytes(ctr[4..].try_into().expect("4"));
            let (sum, carry) = n4.overflowing_add(0x0101_0104);
            ctr[..4].copy_from_slice(&n3.to_le_bytes());
            ctr[4..].copy_from_slice(&(sum + u32::from(carry)).to_le_bytes());
        }
        let mut g = *ctr;
        rounds(s, Direction::Encrypt, 32, &mut g);
        let v = u64::from_be_bytes(*ctr);
        let (l, r) = ((v >> 32) as u32, v as u32);
        match count {
            Count::Whole => *ctr = v.wrapping_add(1).to_be_bytes(),
            Count::Right => ctr[4..].copy_from_slice(&r.wrapping_add(1).to_be_bytes()),
            Count::Left => ctr[..4].copy_from_slice(&l.wrapping_add(1).to_be_bytes()),
            Count::Cnt => {}
        }
        b.iter_mut().zip(g).for_each(|(b, g)| *b ^= g);
    });
}

fn lanes(chain: Chain, lanes: &mut [Lane<'_, Schedule, 8>]) {
    for lane in lanes {
        let s = lane.schedule;
        let z = &mut *lane.state;
        let xor = |a: &mut [u8; 8], b: &[u8]| a.iter_mut().zip(b).for_each(|(a, b)| *a ^= b);
        match &mut lane.data {
            Data::Read(d) => {
                for x in d.chunks_exact(8) {
                    xor(z, x);
                    rounds(s, Direction::Encrypt, if chain == Chain::Imit { 16 } else { 32 }, z);
                }
            }
            Data::Through(d) => each(d.reborrow(), |b| match chain {
                Chain::CbcEncrypt => {
                    xor(z, b);
                    rounds(s, Direction::Encrypt, 32, z);
                    *b = *z;
                }
                Chain::CfbEncrypt => {
                    rounds(s, Direction::Encrypt, 32, z);
                    xor(z, b);
                    *b = *z;
                }
                _ => {
                    rounds(s, Direction::Encrypt, 32, z);
                    xor(b, z);
                }
            }),
        }
    }
}
