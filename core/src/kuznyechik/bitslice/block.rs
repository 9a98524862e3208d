//! Kuznyechik on bit planes of one block, for chained streams, few blocks and the key schedule
//! (GOST R 34.12-2015; RFC 7801, section 4): constant-time without 63 empty lanes.
//!
//! A block is eight planes of 16 bits, four in a word: bit j of the 16 bits at 16·b is bit b of byte j,
//! j in memory order. L is Σ_d C_d · (the bytes rotated by d places), C_d a byte for each place; by
//! Horner's rule over the bits of the constants it is rotations, masks and additions of whole words.

use crate::cipher::Direction;
use crate::kuznyechik::Schedule;
use crate::kuznyechik::constants::{INVERSE_ROWS, ROUND_CONSTANTS, ROWS};
use crate::kuznyechik::schedule::{self, Halves, NUMBERS, half, numbers};
use crate::memory::Scratch;
use crate::pi::{pi, pi_inverse};

/// One block.
type BlockPlanes = [u64; 2];
/// The masks of L or L^-1: for a bit of the constants and a rotation, the places where the constant has
/// the bit, in each of the four planes.
type Masks = [[u64; 16]; 8];

static L: Masks = masks(&ROWS);
static L_INVERSE: Masks = masks(&INVERSE_ROWS);

const fn masks(rows: &[[u8; 16]; 16]) -> Masks {
    let mut m = [[0; 16]; 8];
    let mut n = 0;
    while n < 8 * 256 {
        let (bit, d, j) = (n / 256, n / 16 % 16, n % 16);
        if rows[j][(j + d) % 16] >> bit & 1 != 0 {
            m[bit][d] |= 0x0001_0001_0001_0001 << j;
        }
        n += 1;
    }
    m
}

/// The bits of an 8 × 8 matrix transposed: bit j of byte b and bit b of byte j change places.
const fn transpose(mut x: u64) -> u64 {
    let t = (x ^ x >> 7) & 0x00aa_00aa_00aa_00aa;
    x ^= t ^ t << 7;
    let t = (x ^ x >> 14) & 0x0000_cccc_0000_cccc;
    x ^= t ^ t << 14;
    let t = (x ^ x >> 28) & 0x0000_0000_f0f0_f0f0;
    x ^ t ^ t << 28
}

/// Four bytes to the low halves of four places of 16 bits, and back.
const fn spread(x: u64) -> u64 {
    let x = (x | x << 16) & 0x0000_ffff_0000_ffff;
    (x | x << 8) & 0x00ff_00ff_00ff_00ff
}
const fn gather(x: u64) -> u64 {
    let x = x & 0x00ff_00ff_00ff_00ff;
    let x = (x | x >> 8) & 0x0000_ffff_0000_ffff;
    (x | x >> 16) & 0xffff_ffff
}

fn read(bytes: &[u8; 16]) -> BlockPlanes {
    let v = u128::from_le_bytes(*bytes);
    let (low, high) = (transpose(v as u64), transpose((v >> 64) as u64));
    let word = |i: u32| {
        spread(low >> (32 * i) & 0xffff_ffff) | spread(high >> (32 * i) & 0xffff_ffff) << 8
    };
    [word(0), word(1)]
}

fn write(x: BlockPlanes) -> [u8; 16] {
    let low = transpose(gather(x[0]) | gather(x[1]) << 32);
    let high = transpose(gather(x[0] >> 8) | gather(x[1] >> 8) << 32);
    (u128::from(low) | u128::from(high) << 64).to_le_bytes()
}

fn add(a: BlockPlanes, b: BlockPlanes) -> BlockPlanes {
    [a[0] ^ b[0], a[1] ^ b[1]]
}

/// A circuit on the planes.
#[inline(always)]
fn substitute(x: BlockPlanes, circuit: impl Fn([u32; 8]) -> [u32; 8]) -> BlockPlanes {
    let y = circuit(core::array::from_fn(|b| (x[b / 4] >> (16 * (b % 4))) as u32));
    let word = |i: usize| (0..4).fold(0, |w, b| w | u64::from(y[4 * i + b] as u16) << (16 * b));
    [word(0), word(1)]
}

fn linear(x: BlockPlanes, masks: &Masks) -> BlockPlanes {
    let mut rotated = [x; 16];
    for (d, r) in rotated.iter_mut().enumerate().skip(1) {
        // the bits that stay in their 16 when each word moves down by d
        let stay = 0x0001_0001_0001_0001 * (0xffff >> d);
        *r = x.map(|w| w >> d & stay | w << (16 - d) & !stay);
    }
    let mut sum = [0u64; 2];
    for masks in masks.iter().rev() {
        // x · sum modulo x^8 + x^7 + x^6 + x + 1
        let top = sum[1] >> 48;
        sum =
            [sum[0] << 16 ^ top ^ top << 16, (sum[1] << 16 | sum[0] >> 48) ^ top << 32 ^ top << 48];
        for (r, mask) in rotated.iter().zip(masks) {
            sum = [sum[0] ^ r[0] & mask, sum[1] ^ r[1] & mask];
        }
    }
    sum
}

/// K_1..K_10 as planes.
pub(super) struct PlaneKeys(Scratch<[BlockPlanes; 10]>);

impl PlaneKeys {
    pub(super) fn new(schedule: &Schedule) -> Self {
        let mut keys = Scratch::<[BlockPlanes; 10]>::new();
        keys.iter_mut().zip(&schedule.keys).for_each(|(k, key)| *k = read(key));
        PlaneKeys(keys)
    }

    /// One block.
    pub(super) fn cipher(&self, direction: Direction, block: &mut [u8; 16]) {
        let keys = &*self.0;
        let mut x = read(block);
        match direction {
            Direction::Encrypt => {
                for key in &keys[..9] {
                    x = linear(substitute(add(x, *key), pi), &L);
                }
                x = add(x, keys[9]);
            }
            Direction::Decrypt => {
                x = add(x, keys[9]);
                for key in keys[..9].iter().rev() {
                    x = add(substitute(linear(x, &L_INVERSE), pi_inverse), *key);
                }
            }
        }
        *block = write(x);
    }
}

/// The key schedule: RFC 7801, section 4.4.
pub(super) fn prepare(key: &[u8; 32], schedule: &mut Schedule) {
    let mut halves = Scratch::<[BlockPlanes; 3]>::new();
    schedule::expand(&mut OneSchedule(key, schedule), halves.each_mut());
}

struct OneSchedule<'a>(&'a [u8; 32], &'a mut Schedule);

impl Halves for OneSchedule<'_> {
    type Half = BlockPlanes;
    fn take(&mut self, i: usize, to: &mut BlockPlanes) {
        let OneSchedule(key, schedule) = self;
        schedule.keys[i] = *half(key, i);
        let inverse = linear(read(half(key, i)), &L_INVERSE);
        schedule.inverse[i] = write(inverse);
        *to = add(inverse, read(&NUMBERS[1 - i]));
    }
    fn first(&mut self, half: &mut BlockPlanes, mixed: &mut BlockPlanes) {
        *mixed = linear(*half, &L);
    }
    fn step(&mut self, half: &mut BlockPlanes, mixed: &mut BlockPlanes, j: usize) {
        *half = add(*half, add(substitute(*mixed, pi), read(&NUMBERS[numbers(j)])));
        *mixed = linear(*half, &L);
    }
    fn put(&mut self, r: usize, j: usize, half: &BlockPlanes, mixed: &BlockPlanes) {
        self.1.keys[r] = write(add(*mixed, read(&ROUND_CONSTANTS[j - 1])));
        self.1.inverse[r] = write(add(*half, read(&NUMBERS[j])));
    }
}
