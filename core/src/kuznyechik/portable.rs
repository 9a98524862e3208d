//! Kuznyechik in safe Rust, without look-ups: 64 blocks on bit planes, and few blocks one by one.

use super::consts::ROUND_CONSTANTS;
use super::expand::{self, Halves, NUMBERS, half, numbers};
use super::planes::{self, BATCH, Planes};
use super::single::{self, PlaneKeys};
use super::{Schedule, chain, counter};
use crate::InOut;
use crate::cipher::{Chain, Count, Direction, Lane};
use crate::kernel::{BlockKernel, NewKey};
use crate::memory::Scratch;

pub(super) const KERNEL: BlockKernel<Schedule, 16> = BlockKernel {
    name: "portable",
    available: || true,
    prepare: single::prepare,
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
            keys.iter_mut().zip(&s.keys).for_each(|(p, k)| *p = planes::splat(k));
            keys
        })
    }
}

/// The keys of a batch.
struct Many<'a, 'b>(&'a mut [NewKey<'b, Schedule>]);

impl Many<'_, '_> {
    /// Blocks, plus what they are to lose, to where `place` says.
    fn put(
        &mut self,
        planes: &Planes,
        less: &[u8; 16],
        place: impl Fn(&mut Schedule) -> &mut [u8; 16],
    ) {
        let mut planes = Scratch::of(planes);
        planes::add_blocks(&mut planes, &planes::splat(less));
        let mut blocks = Scratch::<[[u8; 16]; BATCH]>::new();
        planes::write(&planes, &mut blocks[..self.0.len()]);
        self.0.iter_mut().zip(&*blocks).for_each(|(k, block)| *place(k.schedule) = *block);
    }
}

impl Halves for Many<'_, '_> {
    type Half = Scratch<Planes>;
    fn take(&mut self, i: usize, to: &mut Scratch<Planes>) {
        self.0.iter_mut().for_each(|k| k.schedule.keys[i] = *half(k.key, i));
        planes::read(to, self.0.iter().map(|k| half(k.key, i)));
        planes::l_backward(to);
        self.put(to, &NUMBERS[0], |s| &mut s.inverse[i]);
        planes::add_blocks(to, &planes::splat(&NUMBERS[1 - i]));
    }
    fn first(&mut self, half: &mut Scratch<Planes>, mixed: &mut Scratch<Planes>) {
        **mixed = **half;
        planes::l_forward(mixed);
    }
    fn step(&mut self, half: &mut Scratch<Planes>, mixed: &mut Scratch<Planes>, j: usize) {
        planes::substitute(mixed);
        planes::add_blocks(half, mixed);
        planes::add_blocks(half, &planes::splat(&NUMBERS[numbers(j)]));
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
            keys.iter_mut().for_each(|k| single::prepare(k.key, k.schedule));
        } else {
            let [mut x, mut w, mut y] = [Scratch::new(), Scratch::new(), Scratch::new()];
            expand::expand(&mut Many(keys), [&mut x, &mut w, &mut y]);
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
            planes::read(&mut state, piece.get_in().as_chunks().0.iter());
            planes::cipher(batch_keys.of(s), direction, &mut state);
            planes::write(&state, piece.get_out().as_chunks_mut().0);
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
            planes::read(&mut state, gamma.iter());
            planes::cipher(batch_keys.of(s), Direction::Encrypt, &mut state);
            planes::write(&state, gamma);
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
                    let mut x = chain::before(chain, lane, i);
                    keys.cipher(Direction::Encrypt, &mut x);
                    chain::after(chain, lane, i, &x);
                }
            }
            continue;
        }
        let mut keys = Scratch::<[Planes; 10]>::new();
        for (r, planes) in keys.iter_mut().enumerate() {
            planes::read(planes, lanes.iter().map(|l| &l.schedule.keys[r]));
        }
        let mut state = Scratch::<Planes>::new();
        let mut buffer = Scratch::<[[u8; 16]; BATCH]>::new();
        let buffer = &mut buffer[..lanes.len()];
        for i in 0..blocks {
            for (x, lane) in buffer.iter_mut().zip(lanes.iter()) {
                *x = chain::before(chain, lane, i);
            }
            planes::read(&mut state, buffer.iter());
            planes::cipher(&keys, Direction::Encrypt, &mut state);
            planes::write(&state, buffer);
            for (x, lane) in buffer.iter().zip(lanes.iter_mut()) {
                chain::after(chain, lane, i, x);
            }
        }
    }
}
