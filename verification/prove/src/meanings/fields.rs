//! Products in GF(2^8), matrices over GF(2), and products of polynomials over GF(2).

use super::words::{short, two};
use super::{Meaning, immediate, operand, plain};
use crate::bytes::{matrix, op, product};
use crate::domain::{Byte, Kind, ZERO, combined, lift, linear, made};
use crate::machine::refuse;
use crate::polynomials;

pub fn meaning(name: &str) -> Option<Meaning> {
    match short(name) {
        "gf2p8mulb" => plain(|m, i| {
            let (n, a, b, old) = two(m, i)?;
            let mut lanes = [ZERO; 64];
            for k in 0..n {
                lanes[k] = match (a[k].number(), b[k].number()) {
                    (_, Some(c)) => times(c, a[k]),
                    (Some(c), _) => times(c, b[k]),
                    _ => lift(op::PRODUCT, [a[k], b[k]], |[a, b]| product(a, b)),
                };
            }
            m.finish(operand(i, 0)?, &lanes, 1, old)
        }),
        "gf2p8affineqb" => plain(|m, i| {
            let (n, a, b, old) = two(m, i)?;
            let added = Byte::new(immediate(i, i.operands.len() - 1)? as u8);
            let mut lanes = [ZERO; 64];
            for k in (0..n).step_by(8) {
                let mut rows = [0; 8];
                for (row, entry) in rows.iter_mut().zip(&b[k..k + 8]) {
                    match entry.number() {
                        Some(b) => *row = b,
                        None => return transposed(m, i, n, &a, &b, added, old),
                    }
                }
                let g = matrix(rows);
                for j in k..k + 8 {
                    lanes[j] = linear(g, a[j]) ^ added;
                }
            }
            m.finish(operand(i, 0)?, &lanes, 1, old)
        }),
        s => {
            let halves = s.strip_prefix("pclmul")?.strip_suffix("dq")?;
            let (a, b) = match halves {
                "lqlq" => (0, 0),
                "hqlq" => (8, 0),
                "lqhq" => (0, 8),
                "hqhq" => (8, 8),
                _ => return None,
            };
            plain(move |m, i| {
                let (n, x, y, old) = two(m, i)?;
                let mut lanes = [ZERO; 64];
                for k in (0..n).step_by(16) {
                    let p = polynomials::product(&x[k + a..k + a + 8], &y[k + b..k + b + 8])?;
                    lanes[k..k + 16].copy_from_slice(&p);
                }
                m.finish(operand(i, 0)?, &lanes, 8, old)
            })
        }
    }
}

fn times(c: u8, x: Byte) -> Byte {
    linear(made(Kind::Product, c.into(), |x| product(x, c)), x)
}

/// A matrix of data times a constant: bits of the rows change places.
fn transposed(
    m: &mut crate::machine::Machine,
    i: &crate::program::Code,
    n: usize,
    a: &crate::machine::Lanes,
    b: &crate::machine::Lanes,
    added: Byte,
    old: bool,
) -> crate::machine::Or<()> {
    let mut lanes = [ZERO; 64];
    for k in (0..n).step_by(8) {
        for j in k..k + 8 {
            let Some(x) = a[j].number() else { return refuse("a matrix of data times data") };
            // The parity of the row under x goes to its bit.
            let part = |bit: usize| {
                let parity = |r: u8| (((r & x).count_ones() & 1) as u8) << bit;
                (made(Kind::Parity, u64::from(x) << 3 | bit as u64, parity), b[k + 7 - bit])
            };
            lanes[j] = combined(std::array::from_fn::<_, 8, _>(part).into_iter()) ^ added;
        }
    }
    m.finish(operand(i, 0)?, &lanes, 1, old)
}
