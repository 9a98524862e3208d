//! Kuznyechik in safe Rust, without look-ups: 64 blocks on bit planes, and few blocks one by one.

mod batch;
mod block;

use self::batch::{BATCH, Planes};
use self::block::PlaneKeys;
use super::constants::ROUND_CONSTANTS;
use super::schedule::{self, Halves, NUMBERS, half, numbers};
use super::{Schedule, counter};
use crate::InOut;
use crate::cipher::{Chain, Count, Data, Direction, Lane};
use crate::kernel::{BlockKernel, NewKey};
use crate::memory::Scratch;

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

/// From this many blocks on, a batch with idle lanes is cheaper than one block after the other.
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
    fn put(
        &mut self,
        planes: &Planes,
        less: &[u8; 16],
        place: impl Fn(&mut Schedule) -> &mut [u8; 16],
    ) {
        let mut planes = Scratch::of(planes);
        batch::add_blocks(&mut planes, &batch::splat(less));
        let mut blocks = Scratch::<[[u8; 16]; BATCH]>::new();
        batch::write(&planes, &mut blocks[..self.0.len()]);
        self.0.iter_mut().zip(&*blocks).for_each(|(k, block)| *place(k.schedule) = *block);
    }
}

impl Halves for Many<'_, '_> {
    type Half = Scratch<Planes>;
    fn take(&mut self, i: usize, to: &mut Scratch<Planes>) {
        self.0.iter_mut().for_each(|k| k.schedule.keys[i] = *half(k.key, i));
        batch::read(to, self.0.iter().map(|k| half(k.key, i)));
        batch::l_backward(to);
        self.put(to, &NUMBERS[0], |s| &mut s.inverse[i]);
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
        self.put(mixed, &ROUND_CONSTANTS[j - 1], |s| &mut s.keys[r]);
        self.put(half, &NUMBERS[j], |s| &mut s.inverse[r]);
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

/// One lane of the cipher.
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
