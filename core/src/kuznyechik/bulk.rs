//! Both layouts on vectors that look up by nibbles: batches by `octets`.

use core::marker::PhantomData;

use super::Schedule;
use super::constants::PI;
use super::counter;
use super::layout::{Diagonal, Half, Layout};
use super::round::{self, Arithmetic, Compiled, Isa, Kappa, Page, V, Window};
use crate::InOut;
use crate::cipher::split;
use crate::cipher::{Count, Direction};
use crate::memory::Scratch;
use crate::simd::Nibbles;

/// Bytes of the largest batch.
const MOST: usize = 16 * 64;

#[derive(Clone, Copy)]
pub(super) struct Bulk<C>(PhantomData<C>);

impl<C: Compiled> Layout for Bulk<C> {
    type Isa = Isa<C::A>;
    type V = V<C>;
    const LEN: usize = V::<C>::LEN;
    const FEW: usize = C::A::FEW;
    const FEW_GAMMA: usize = C::A::FEW_GAMMA;
    const FEW_LANES: usize = C::A::FEW_LANES;
    const TOGETHER: bool = false;

    #[inline(always)]
    fn load(isa: Self::Isa, octets: &[u8], i: usize) -> V<C> {
        V::<C>::load(isa, &octets[Self::LEN * i..])
    }
    #[inline(always)]
    fn store(v: V<C>, octets: &mut [u8], i: usize) {
        v.store(&mut octets[Self::LEN * i..]);
    }
    #[inline(always)]
    fn gather(isa: Self::Isa, blocks: [&[u8; 16]; 4]) -> V<C> {
        V::<C>::gather(isa, blocks)
    }
    #[inline(always)]
    fn repeat(isa: Self::Isa, block: &[u8; 16]) -> V<C> {
        V::<C>::repeat(isa, block)
    }
    #[inline(always)]
    fn splat(isa: Self::Isa, octet: u8) -> V<C> {
        V::<C>::splat(isa, octet)
    }
    #[inline(always)]
    fn store_one(v: V<C>, block: &mut [u8; 16]) {
        v.store_one(block);
    }
    #[inline(always)]
    fn xor(a: V<C>, b: V<C>) -> V<C> {
        a.xor(b)
    }

    type Sbox = ();
    const MOVED: u8 = PI[0];
    #[inline(always)]
    fn sbox(_: Self::Isa, _: Direction) {}
    #[inline(always)]
    fn enter(isa: Self::Isa, v: V<C>) -> V<C> {
        C::A::enter(isa, v)
    }
    #[inline(always)]
    fn leave(isa: Self::Isa, v: V<C>) -> V<C> {
        C::A::leave(isa, v)
    }
    #[inline(always)]
    fn substituted(isa: Self::Isa, direction: Direction, (): &(), v: V<C>) -> V<C> {
        let place = &V::<C>::fresh(C::A::EVERYWHERE)[direction as usize];
        let first = V::<C>::repeat(isa, &place.tables[0]);
        C::A::substitute(isa, direction, v, place, first)
    }
    #[inline(always)]
    fn mixed(isa: Self::Isa, direction: Direction, v: V<C>, e: V<C>) -> V<C> {
        C::A::mixed(isa, direction, v, e)
    }
    #[inline(always)]
    fn mixed_one(isa: Self::Isa, direction: Direction, v: V<C>, e: V<C>) -> V<C> {
        C::A::mixed_one(isa, direction, v, e)
    }

    #[inline(always)]
    fn map<'i, 'o>(
        isa: Self::Isa,
        s: &Schedule,
        direction: Direction,
        data: InOut<'i, 'o>,
    ) -> InOut<'i, 'o> {
        let mut rest = data;
        if rest.len() <= 16 * Self::FEW {
            return rest;
        }
        let mut page = Page::new();
        let tables = round::tables::<C::A>(isa, direction, s, &mut page);
        while rest.len() > 16 * Self::FEW {
            let (mut piece, r) = split(rest, 16 * Self::LEN);
            rest = r;
            let len = piece.len();
            let mut buffer = None;
            let from = if len == 16 * Self::LEN {
                piece.get_in()
            } else {
                let buffer = buffer.insert(Scratch::<[u8; MOST]>::new());
                // Where there is no text, the first key: it is added, and what the compiler spills then
                // is no key.
                round::write(&[round::first_key::<V<C>>(isa, direction, s); 16], &mut **buffer);
                buffer[..len].copy_from_slice(piece.get_in());
                &**buffer
            };
            let v = round::cipher::<C>(isa, direction, s, tables, from);
            if let Some(buffer) = &mut buffer {
                round::write(&v, &mut **buffer);
                piece.get_out().copy_from_slice(&buffer[..len]);
            } else {
                round::write(&v, piece.get_out());
            }
        }
        rest
    }

    #[inline(always)]
    fn stream<'i, 'o>(
        isa: Self::Isa,
        s: &Schedule,
        ctr: &mut [u8; 16],
        count: Count,
        data: InOut<'i, 'o>,
    ) -> InOut<'i, 'o> {
        let mut rest = data;
        if rest.len() <= 16 * Self::FEW_GAMMA {
            return rest;
        }
        let mut page = Page::new();
        let tables = round::tables::<C::A>(isa, Direction::Encrypt, s, &mut page);
        let mut window = Scratch::<Window>::new();
        while rest.len() > 16 * Self::FEW_GAMMA {
            window.fill::<C>(isa, s, tables, ctr, count, rest.len() / 16);
            let start = Scratch::<[u8; 16]>::of(ctr);
            let mut offset = 0;
            while offset < Window::BLOCKS && rest.len() > 16 * Self::FEW_GAMMA {
                let (mut piece, r) = split(rest, 16 * Self::LEN);
                rest = r;
                let gamma = window.batch::<C>(isa, s, tables, &start, count, offset);
                let blocks = piece.len() / 16;
                if blocks == Self::LEN {
                    for i in 0..16 {
                        let x = Self::load(isa, piece.get_in(), i).xor(gamma[i]);
                        Self::store(x, piece.get_out(), i);
                    }
                } else {
                    let mut buffer = Scratch::<[u8; MOST]>::new();
                    round::write(&gamma, &mut *buffer);
                    counter::add(piece, &buffer.as_chunks().0[..blocks]);
                }
                offset += Self::LEN;
                *ctr = counter::advanced(ctr, count, blocks as u64);
            }
        }
        rest
    }

    type Kappa = Kappa;
    #[inline(always)]
    fn kappa(isa: Self::Isa, kappa: &mut Kappa, r: usize, keys: [V<C>; 16]) {
        let mut v = Self::sliced(isa, keys);
        round::scale::<C::A>(isa, &mut v);
        for i in 0..16 {
            v[i].store(&mut kappa[r][i]);
        }
    }
    #[inline(always)]
    fn sliced(_: Self::Isa, v: [V<C>; 16]) -> [V<C>; 16] {
        round::ordered(Direction::Encrypt, round::transposed(v))
    }
    #[inline(always)]
    fn unsliced(_: Self::Isa, v: [V<C>; 16]) -> [V<C>; 16] {
        round::transposed(round::ordered(Direction::Encrypt, v))
    }
    #[inline(always)]
    fn rounds(isa: Self::Isa, kappa: &Kappa, v: &mut [V<C>; 16]) {
        C::encrypt_each(isa, v, kappa);
        round::finish::<C::A>(isa, v);
    }
    #[inline(always)]
    fn expand(isa: Self::Isa, half: &mut Half, mixed: &mut Half, octet: Option<u8>) {
        C::expand(isa, half, mixed, octet);
    }
    #[inline(always)]
    fn scaled(isa: Self::Isa, by: Diagonal, v: [V<C>; 16]) -> [V<C>; 16] {
        round::diagonal::<C::A>(isa, by, v)
    }
}
