//! Kuznyechik in safe Rust, without look-ups: 64 blocks on bit planes, and few blocks in turn.

use self::batch::{BATCH, Planes};
use self::block::PlaneKeys;
use super::constants::ROUND_CONSTANTS;
use super::schedule::{self, Halves, NUMBERS, half, numbers};
use super::{Schedule, counter};
use crate::InOut;
use crate::cipher::{Chain, Count, Data, Direction, Lane};
use crate::kernel::{BlockKernel, NewKey};
use crate::memory::Scratch;
use crate::simd::rolled;

pub(super) const KERNEL: BlockKernel<Schedule, 16> = BlockKernel {
    name: "portable",
    available: || true,
    prepare: block::prepare,
    schedules: Some(schedules),
    map: Some(map),
    stream: Some(stream),
    lanes: Some(lanes),
    sections: None,
    products: None,
    next_keys: None,
};

/// From this many blocks on, a batch with idle lanes is cheaper than block after block.
const FEW: usize = 6;

/// Pieces for a batch, the last of them perhaps less than full, then single blocks.
fn pieces<'i, 'o>(data: InOut<'i, 'o>) -> impl Iterator<Item = InOut<'i, 'o>> {
    let mut rest = Some(data);
    core::iter::from_fn(move || {
        let data = rest.take().filter(|d| !d.is_empty())?;
        let size = if data.len() < 16 * FEW { 16 } else { data.len().min(16 * BATCH) };
        let (piece, r) = data.split_at(size);
        rest = Some(r);
        Some(piece)
    })
}

/// The planes of the keys of a batch.
struct BatchKeys(Option<Scratch<[Planes; 10]>>);

impl BatchKeys {
    /// One key for all, made when first used.
    fn of(&mut self, s: &Schedule) -> &[Planes; 10] {
        self.0.get_or_insert_with(|| {
            let mut keys = Scratch::<[Planes; 10]>::new();
            keys.iter_mut().zip(&s.keys).for_each(|(p, k)| *p = batch::splat(k));
            keys
        })
    }
}

/// The keys of a batch.
struct Many<'a, 'b>(&'a mut [NewKey<'b, Schedule>]);

impl Many<'_, '_> {
    /// Writes blocks, less `less`, to `place`.
    fn write(
        &mut self,
        planes: &Planes,
        less: &[u8; 16],
        place: impl Fn(&mut Schedule) -> &mut [u8; 16],
    ) {
        let mut planes = Scratch::of(planes);
        batch::add_blocks(&mut planes, &batch::splat(less));
        let mut blocks = Scratch::<[[u8; 16]; BATCH]>::new();
        batch::write(&planes, &mut blocks[..self.0.len()]);
        for n in rolled(self.0.len()) {
            *place(self.0[n].schedule) = blocks[n];
        }
    }
}

impl Halves for Many<'_, '_> {
    type Half = Scratch<Planes>;
    fn take(&mut self, i: usize, to: &mut Scratch<Planes>) {
        // Or the compiler writes the rest a second time, for no keys.
        assert!(!self.0.is_empty());
        for n in rolled(self.0.len()) {
            let k = &mut self.0[n];
            k.schedule.keys[i] = *half(k.key, i);
        }
        batch::read(to, self.0.iter().map(|k| half(k.key, i)));
        batch::l_backward(to);
        self.write(to, &NUMBERS[0], |s| &mut s.inverse[i]);
        batch::add_blocks(to, &batch::splat(&NUMBERS[1 - i]));
    }
    fn first(&mut self, half: &mut Scratch<Planes>, mixed: &mut Scratch<Planes>) {
        **mixed = **half;
        batch::l_forward(mixed);
    }
    fn step(&mut self, half: &mut Scratch<Planes>, mixed: &mut Scratch<Planes>, j: usize) {
        batch::substitute(mixed);
        batch::add_blocks(half, mixed);
        batch::add_blocks(half, &batch::splat(&NUMBERS[numbers(j)]));
        self.first(half, mixed);
    }
    fn put(&mut self, r: usize, j: usize, half: &Scratch<Planes>, mixed: &Scratch<Planes>) {
        self.write(mixed, &ROUND_CONSTANTS[j - 1], |s| &mut s.keys[r]);
        self.write(half, &NUMBERS[j], |s| &mut s.inverse[r]);
    }
}

fn schedules(keys: &mut [NewKey<'_, Schedule>]) {
    for keys in keys.chunks_mut(BATCH) {
        if keys.len() < FEW {
            keys.iter_mut().for_each(|k| block::prepare(k.key, k.schedule));
        } else {
            let [mut x, mut w, mut y] = [Scratch::new(), Scratch::new(), Scratch::new()];
            schedule::expand(&mut Many(keys), [&mut x, &mut w, &mut y]);
        }
    }
}

fn map(s: &Schedule, direction: Direction, data: InOut<'_, '_>) {
    let (keys, mut batch_keys) = (PlaneKeys::new(s), BatchKeys(None));
    let mut state = Scratch::<Planes>::new();
    for mut piece in pieces(data) {
        if let [block] = piece.get_in().as_chunks().0 {
            let mut block = *block;
            keys.cipher(direction, &mut block);
            piece.get_out().copy_from_slice(&block);
        } else {
            batch::read(&mut state, piece.get_in().as_chunks().0.iter());
            batch::cipher(batch_keys.of(s), direction, &mut state);
            batch::write(&state, piece.get_out().as_chunks_mut().0);
        }
    }
}

fn stream(s: &Schedule, counter: &mut [u8; 16], count: Count, data: InOut<'_, '_>) {
    let (keys, mut batch_keys) = (PlaneKeys::new(s), BatchKeys(None));
    let mut state = Scratch::<Planes>::new();
    let mut gamma = Scratch::<[[u8; 16]; BATCH]>::new();
    for piece in pieces(data) {
        let gamma = &mut gamma[..piece.len() / 16];
        counter::fill(counter, count, gamma);
        if let [block] = gamma {
            keys.cipher(Direction::Encrypt, block);
        } else {
            batch::read(&mut state, gamma.iter());
            batch::cipher(batch_keys.of(s), Direction::Encrypt, &mut state);
            batch::write(&state, gamma);
        }
        counter::add(piece, gamma);
    }
}

fn lanes(chain: Chain, lanes: &mut [Lane<'_, Schedule, 16>]) {
    for lanes in lanes.chunks_mut(BATCH) {
        let blocks = lanes[0].data.len() / 16;
        if lanes.len() < FEW {
            for lane in lanes {
                let keys = PlaneKeys::new(lane.schedule);
                for i in 0..blocks {
                    let mut x = before(chain, lane, i);
                    keys.cipher(Direction::Encrypt, &mut x);
                    after(chain, lane, i, &x);
                }
            }
            continue;
        }
        let mut keys = Scratch::<[Planes; 10]>::new();
        for (r, planes) in keys.iter_mut().enumerate() {
            batch::read(planes, lanes.iter().map(|l| &l.schedule.keys[r]));
        }
        let mut state = Scratch::<Planes>::new();
        let mut buffer = Scratch::<[[u8; 16]; BATCH]>::new();
        let buffer = &mut buffer[..lanes.len()];
        for i in 0..blocks {
            for (x, lane) in buffer.iter_mut().zip(lanes.iter()) {
                *x = before(chain, lane, i);
            }
            batch::read(&mut state, buffer.iter());
            batch::cipher(&keys, Direction::Encrypt, &mut state);
            batch::write(&state, buffer);
            for (x, lane) in buffer.iter().zip(lanes.iter_mut()) {
                after(chain, lane, i, x);
            }
        }
    }
}

/// A lane of the cipher.
type Stream<'a, S> = Lane<'a, S, 16>;

/// The input of the cipher for block `i` of the lane.
#[inline(always)]
fn before<S>(chain: Chain, lane: &Stream<'_, S>, i: usize) -> [u8; 16] {
    match (chain, &lane.data) {
        (Chain::Mac, Data::Read(data)) => sum(lane.state, &data[16 * i..]),
        (Chain::CbcEncrypt, Data::Through(data)) => sum(lane.state, &data.get_in()[16 * i..]),
        _ => *lane.state,
    }
}

/// Sets the register and the output from the cipher's result.
#[inline(always)]
fn after<S>(chain: Chain, lane: &mut Stream<'_, S>, i: usize, made: &[u8; 16]) {
    *lane.state = *made;
    if let Data::Through(data) = &mut lane.data {
        let mut y = *made;
        if chain != Chain::CbcEncrypt {
            y = sum(&y, &data.get_in()[16 * i..]);
        }
        if chain == Chain::CfbEncrypt {
            *lane.state = y;
        }
        data.get_out()[16 * i..16 * i + 16].copy_from_slice(&y);
    }
}

fn sum(a: &[u8; 16], b: &[u8]) -> [u8; 16] {
    core::array::from_fn(|i| a[i] ^ b[i])
}

/// Kuznyechik on bit planes: 64 blocks at once, no look-up (GOST R 34.12-2015; RFC 7801, section 4).
///
/// Bit n of the word `planes[j][b]` is bit b of byte j of block n, j in memory order (a_15 is byte 0).
/// L is as the standard defines it, sixteen steps of its shift register: a byte of the result is
/// Σ c_k · byte k, by Horner's rule over the bits of the constants, and the register is a window that
/// moves over 32 bytes, so that the code of a step serves all.
mod batch {
    use crate::cipher::Direction;
    use crate::kuznyechik::constants::L;
    use crate::pi::{pi, pi_inverse};
    use crate::simd::rolled;

    /// A byte of 64 blocks.
    pub(super) type Byte = [u64; 8];
    /// 64 blocks, or a round key for each.
    pub(super) type Planes = [Byte; 16];
    /// Blocks in a batch.
    pub(super) const BATCH: usize = 64;

    /// A matrix of 64 × 64 bits transposed: bit c of row r and bit r of row c change places.
    #[inline(always)]
    fn transpose(m: &mut [u64; 64]) {
        let mut half = 32;
        let mut mask = u64::MAX >> 32;
        while half != 0 {
            for i in 0..32 {
                let a = i / half * 2 * half + i % half;
                let t = (m[a] >> half ^ m[a + half]) & mask;
                m[a + half] ^= t;
                m[a] ^= t << half;
            }
            half /= 2;
            mask ^= mask << half;
        }
    }

    /// Reads up to 64 blocks into planes; missing ones are zero.
    pub(super) fn read<'a>(planes: &mut Planes, mut blocks: impl Iterator<Item = &'a [u8; 16]>) {
        let mut rows = [[0u64; 64]; 2];
        for n in rolled(64) {
            let Some(block) = blocks.next() else { break };
            let v = u128::from_le_bytes(*block);
            (rows[0][n], rows[1][n]) = (v as u64, (v >> 64) as u64);
        }
        for (rows, planes) in rows.iter_mut().zip(planes.chunks_exact_mut(8)) {
            transpose(rows);
            planes.as_flattened_mut().copy_from_slice(rows);
        }
    }

    /// Puts up to 64 blocks.
    pub(super) fn write(planes: &Planes, blocks: &mut [[u8; 16]]) {
        let mut rows = [[0u64; 64]; 2];
        for (rows, planes) in rows.iter_mut().zip(planes.chunks_exact(8)) {
            rows.copy_from_slice(planes.as_flattened());
            transpose(rows);
        }
        for (n, block) in blocks.iter_mut().enumerate() {
            let v = u128::from(rows[0][n]) | u128::from(rows[1][n]) << 64;
            *block = v.to_le_bytes();
        }
    }

    /// The planes of a byte string in every block.
    pub(super) fn splat(bytes: &[u8; 16]) -> Planes {
        bytes.map(|o| core::array::from_fn(|b| 0u64.wrapping_sub(u64::from(o >> b & 1))))
    }

    /// a += b.
    #[inline(always)]
    fn add(a: &mut Byte, b: &Byte) {
        a.iter_mut().zip(b).for_each(|(a, b)| *a ^= b);
    }

    /// a += b for whole blocks.
    #[inline(always)]
    pub(super) fn add_blocks(a: &mut Planes, b: &Planes) {
        a.iter_mut().zip(b).for_each(|(a, b)| add(a, b));
    }

    /// x · a modulo x^8 + x^7 + x^6 + x + 1.
    #[inline(always)]
    fn times_x([a0, a1, a2, a3, a4, a5, a6, a7]: Byte) -> Byte {
        [a7, a0 ^ a7, a1, a2, a3, a4, a5 ^ a7, a6 ^ a7]
    }

    /// Σ c_k · (byte k of the window), c_0..c_14 of l, which read the same backwards.
    #[inline(always)]
    fn l(window: &[Byte]) -> Byte {
        // pairs[k]: the bytes that c_k = c_(14-k) multiplies, added
        let mut pairs: [Byte; 8] = core::array::from_fn(|k| window[k]);
        for k in 0..7 {
            add(&mut pairs[k], &window[14 - k]);
        }
        let mut sum = [0; 8];
        for bit in (0..8).rev() {
            sum = times_x(sum);
            for k in 0..8 {
                if L[k] >> bit & 1 != 0 {
                    add(&mut sum, &pairs[k]);
                }
            }
        }
        sum
    }

    /// L: the register shifts towards a_0, new bytes enter before byte 0.
    pub(super) fn l_forward(state: &mut Planes) {
        let mut window = [[0; 8]; 32];
        window[16..].copy_from_slice(state);
        for i in (0..16).rev() {
            let mut new = l(&window[i + 1..i + 16]);
            add(&mut new, &window[i + 16]);
            window[i] = new;
        }
        state.copy_from_slice(&window[..16]);
    }

    /// L^-1: the same register backwards.
    pub(super) fn l_backward(state: &mut Planes) {
        let mut window = [[0; 8]; 32];
        window[..16].copy_from_slice(state);
        for i in 0..16 {
            let mut new = l(&window[i + 1..i + 16]);
            add(&mut new, &window[i]);
            window[i + 16] = new;
        }
        state.copy_from_slice(&window[16..]);
    }

    /// S.
    pub(super) fn substitute(state: &mut Planes) {
        state.iter_mut().for_each(|byte| *byte = pi(*byte));
    }

    /// 64 blocks, each under its own keys K_1..K_10.
    pub(super) fn cipher(keys: &[Planes; 10], direction: Direction, state: &mut Planes) {
        match direction {
            Direction::Encrypt => {
                for key in &keys[..9] {
                    for (byte, key) in state.iter_mut().zip(key) {
                        add(byte, key);
                        *byte = pi(*byte);
                    }
                    l_forward(state);
                }
                add_blocks(state, &keys[9]);
            }
            Direction::Decrypt => {
                add_blocks(state, &keys[9]);
                for key in keys[..9].iter().rev() {
                    l_backward(state);
                    for (byte, key) in state.iter_mut().zip(key) {
                        *byte = pi_inverse(*byte);
                        add(byte, key);
                    }
                }
            }
        }
    }
}

/// Kuznyechik on bit planes of a single block, for chained streams, few blocks and the key schedule
/// (GOST R 34.12-2015; RFC 7801, section 4): constant-time without 63 empty lanes.
///
/// A block is eight planes of 16 bits, four in a word: bit j of the 16 bits at 16·b is bit b of byte j,
/// j in memory order. L is Σ_d C_d · (the bytes rotated by d places), C_d a byte for each place; by
/// Horner's rule over the bits of the constants it is rotations, masks and additions of whole words.
mod block {
    use crate::cipher::Direction;
    use crate::kuznyechik::Schedule;
    use crate::kuznyechik::constants::{INVERSE_ROWS, ROUND_CONSTANTS, ROWS};
    use crate::kuznyechik::schedule::{self, Halves, NUMBERS, half, numbers};
    use crate::memory::Scratch;
    use crate::pi::{pi, pi_inverse};

    /// A single block.
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
            sum = [
                sum[0] << 16 ^ top ^ top << 16,
                (sum[1] << 16 | sum[0] >> 48) ^ top << 32 ^ top << 48,
            ];
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

        /// A single block.
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
}
