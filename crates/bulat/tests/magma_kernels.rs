//! Every Magma kernel against the text of the standard: all shapes, byte orders, S-boxes and counters,
//! over the lengths at which kernels change their ways.

use bulat::ParamSet;
use bulat::{BlockCipher, Direction, Gost28147, InOut, Magma, Sboxes, survey};
use bulat_core::cipher::{Chain, Chained as _, Count, Data, Lane, Shapes as _};
use bulat_core::kernel::{assume_forms, available, take_form};
use bulat_core::magma::{KERNELS, Schedule};
use testkit::Random;

/// RFC 5830, sections 5, 6 and 8, nibble by nibble; Magma is the same with every byte string reversed
/// (RFC 8891, section 4).
struct Model {
    keys: [u32; 8],
    rows: [[u8; 16]; 8],
    magma: bool,
}

impl Model {
    fn new(key: &[u8; 32], rows: &[[u8; 16]; 8], magma: bool) -> Self {
        let word = |i: usize| -> [u8; 4] { key[4 * i..4 * i + 4].try_into().unwrap() };
        let keys = core::array::from_fn(|i| {
            if magma { u32::from_be_bytes(word(i)) } else { u32::from_le_bytes(word(i)) }
        });
        Model { keys, rows: *rows, magma }
    }
    fn rounds(
        &self,
        order: impl Iterator<Item = usize>,
        last: bool,
        mut block: [u8; 8],
    ) -> [u8; 8] {
        if self.magma {
            block.reverse();
        }
        let mut n1 = u32::from_le_bytes(block[..4].try_into().unwrap());
        let mut n2 = u32::from_le_bytes(block[4..].try_into().unwrap());
        for i in order {
            let t = n1.wrapping_add(self.keys[i]);
            let s =
                (0..8).map(|j| u32::from(self.rows[j][(t >> (4 * j) & 15) as usize]) << (4 * j));
            (n1, n2) = (s.sum::<u32>().rotate_left(11) ^ n2, n1);
        }
        if last {
            (n1, n2) = (n2, n1);
        }
        block[..4].copy_from_slice(&n1.to_le_bytes());
        block[4..].copy_from_slice(&n2.to_le_bytes());
        if self.magma {
            block.reverse();
        }
        block
    }
    fn encrypt(&self, block: [u8; 8]) -> [u8; 8] {
        self.rounds((0..24).map(|i| i % 8).chain((0..8).rev()), true, block)
    }
    fn decrypt(&self, block: [u8; 8]) -> [u8; 8] {
        self.rounds((0..8).chain((0..24).rev().map(|i| i % 8)), true, block)
    }
    fn imit(&self, block: [u8; 8]) -> [u8; 8] {
        self.rounds((0..16).map(|i| i % 8), false, block)
    }
    fn map(&self, direction: Direction, data: &[u8]) -> Vec<u8> {
        blocks(data)
            .flat_map(|b| {
                if direction == Direction::Encrypt { self.encrypt(b) } else { self.decrypt(b) }
            })
            .collect()
    }
    fn stream(&self, c: &mut [u8; 8], count: Count, data: &[u8]) -> Vec<u8> {
        let mut out = Vec::new();
        for b in blocks(data) {
            if count == Count::Cnt {
                let n3 = u32::from_le_bytes(c[..4].try_into().unwrap()).wrapping_add(0x0101_0101);
                let n4 = u64::from(u32::from_le_bytes(c[4..].try_into().unwrap())) + 0x0101_0104;
                let n4 = if n4 >> 32 == 1 { n4 - (1 << 32) + 1 } else { n4 };
                c[..4].copy_from_slice(&n3.to_le_bytes());
                c[4..].copy_from_slice(&(n4 as u32).to_le_bytes());
            }
            out.extend(xor(b, self.encrypt(*c)));
            let (left, right) = c.split_at_mut(4);
            let step = |half: &mut [u8]| {
                let n = u32::from_be_bytes((&*half).try_into().unwrap()).wrapping_add(1);
                half.copy_from_slice(&n.to_be_bytes());
            };
            match count {
                Count::Whole => *c = u64::from_be_bytes(*c).wrapping_add(1).to_be_bytes(),
                Count::Right => step(right),
                Count::Left => step(left),
                Count::Cnt => {}
            }
        }
        out
    }
    fn chain(&self, chain: Chain, z: &mut [u8; 8], data: &[u8]) -> Vec<u8> {
        let mut out = Vec::new();
        for x in blocks(data) {
            match chain {
                Chain::CbcEncrypt => {
                    *z = self.encrypt(xor(x, *z));
                    out.extend(*z);
                }
                Chain::CfbEncrypt => {
                    *z = xor(x, self.encrypt(*z));
                    out.extend(*z);
                }
                Chain::Ofb => {
                    *z = self.encrypt(*z);
                    out.extend(xor(x, *z));
                }
                Chain::Mac => *z = self.encrypt(xor(x, *z)),
                Chain::Imit => *z = self.imit(xor(x, *z)),
            }
        }
        out
    }
}

fn blocks(data: &[u8]) -> impl Iterator<Item = [u8; 8]> {
    data.chunks_exact(8).map(|b| b.try_into().unwrap())
}

fn xor(a: [u8; 8], b: [u8; 8]) -> [u8; 8] {
    core::array::from_fn(|i| a[i] ^ b[i])
}

/// A key of either byte order, with its model.
enum Cipher {
    Magma(Magma),
    Gost(Gost28147),
}

impl Cipher {
    fn random(r: &mut Random, sboxes: Option<Sboxes>, kernel: &str) -> (Self, Model) {
        let key = r.array();
        match sboxes {
            None => {
                let rows = *Sboxes::from(ParamSet::Tc26Z).rows();
                (Cipher::Magma(Magma::new(&key).on(kernel).unwrap()), Model::new(&key, &rows, true))
            }
            Some(s) => {
                let model = Model::new(&key, s.rows(), false);
                (Cipher::Gost(Gost28147::new(&key, s).on(kernel).unwrap()), model)
            }
        }
    }
    fn map(&self, d: Direction, data: InOut<'_, '_>) {
        match self {
            Cipher::Magma(c) => c.map(d, data),
            Cipher::Gost(c) => c.map(d, data),
        }
    }
    fn stream(&self, c: &mut [u8; 8], count: Count, data: InOut<'_, '_>) {
        match self {
            Cipher::Magma(k) => k.stream(c, count, data),
            Cipher::Gost(k) => k.stream(c, count, data),
        }
    }
    fn chain(&self, chain: Chain, z: &mut [u8; 8], data: Data<'_>) {
        match self {
            Cipher::Magma(c) => c.chain(chain, z, data),
            Cipher::Gost(c) => c.chain(chain, z, data),
        }
    }
    fn schedule(&self) -> &Schedule {
        match self {
            Cipher::Magma(c) => c.schedule(),
            Cipher::Gost(c) => c.schedule(),
        }
    }
}

fn kernels() -> impl Iterator<Item = &'static str> {
    KERNELS.iter().filter(|k| (k.available)()).map(|k| k.name)
}

/// Magma; every parameter set; boxes of no set.
fn every_sboxes(r: &mut Random) -> Vec<Option<Sboxes>> {
    let mut all = vec![None];
    all.extend([0, 1].map(|_| Some(Sboxes::new(r.sboxes()).unwrap())));
    all.extend(ParamSet::ALL.map(|s| Some(s.into())));
    all
}

/// Numbers of blocks at which kernels change their way: vectors of 16 to 64 blocks, one to four
/// or twelve of them side by side, batches of planes, and a block more or less.
fn lengths() -> Vec<usize> {
    let mut all: Vec<usize> = (0..=70).collect();
    for n in [96, 128, 160, 192, 256, 320, 384, 512, 768, 1024] {
        all.extend([n - 1, n, n + 1]);
    }
    all.extend([
        192 + 128 + 64 + 32 + 16 + 3, // every width of groups once, and a tail
        512 + 192 + 31,
        3 * 512 + 5, // two batches of planes, a single batch, and a tail
    ]);
    all
}

/// Runs once in place and once between buffers, both off any alignment.
fn both_ways(data: &[u8], mut run: impl FnMut(InOut<'_, '_>)) -> Vec<u8> {
    let mut place = vec![0; data.len() + 1];
    place[1..].copy_from_slice(data);
    run((&mut place[1..]).into());
    let mut source = vec![0; data.len() + 3];
    source[3..].copy_from_slice(data);
    let mut out = vec![0; data.len() + 5];
    run(InOut::new(&source[3..], &mut out[5..]).unwrap());
    assert_eq!(place[1..], out[5..], "in place and between buffers");
    assert_eq!(&source[3..], data, "the source is left alone");
    out.split_off(5)
}

#[test]
fn independent_blocks() {
    let mut r = Random::new(1);
    for kernel in kernels() {
        for sboxes in every_sboxes(&mut r) {
            let (cipher, model) = Cipher::random(&mut r, sboxes, kernel);
            for n in lengths() {
                let data = r.bytes(8 * n);
                for d in [Direction::Encrypt, Direction::Decrypt] {
                    let got = both_ways(&data, |data| cipher.map(d, data));
                    assert!(got == model.map(d, &data), "{kernel}, {n} blocks, {d:?}");
                }
            }
        }
    }
}

#[test]
fn counters() {
    let mut r = Random::new(2);
    let counts = [Count::Whole, Count::Right, Count::Left, Count::Cnt];
    // Carries out of 16, 32 and 64 bits and the two zeros of the end-around carry, each near the start,
    // in the middle of a group and of a batch.
    let carries = [
        0x0000_0000_0000_0000,
        0x1234_5678_ffff_fff5,
        0x1234_5678_ffff_ff80,
        0x1234_5678_ffff_fd00,
        0xffff_ffff_ffff_ff00,
        0xffff_ff80_1234_5678,
        0xffff_fffe_0000_fff0,
        u64::MAX,
    ];
    for kernel in kernels() {
        for sboxes in every_sboxes(&mut r) {
            // CNT belongs to GOST 28147-89, and is the last of the counts.
            let counts = &counts[..if sboxes.is_some() { 4 } else { 3 }];
            let (cipher, model) = Cipher::random(&mut r, sboxes, kernel);
            for (i, n) in lengths().into_iter().enumerate() {
                let data = r.bytes(8 * n);
                for &count in counts {
                    let carry: u64 = carries[(i + count as usize) % carries.len()];
                    for start in [carry.to_be_bytes(), carry.to_le_bytes(), r.array()] {
                        let mut want_left = start;
                        let want = model.stream(&mut want_left, count, &data);
                        let mut left = start;
                        let got = both_ways(&data, |data| {
                            left = start;
                            cipher.stream(&mut left, count, data);
                        });
                        assert!(got == want, "{kernel}, {n} blocks, {count:?} from {start:x?}");
                        assert_eq!(
                            left, want_left,
                            "{kernel}, {n} blocks, {count:?} from {start:x?}"
                        );
                    }
                }
            }
        }
    }
}

/// Lanes of a single kind, and of every kind side by side; a key for each.
#[test]
fn chained_lanes() {
    let mut r = Random::new(3);
    let chains = [Chain::CbcEncrypt, Chain::CfbEncrypt, Chain::Ofb, Chain::Mac, Chain::Imit];
    let kinds = every_sboxes(&mut r);
    let mut cases: Vec<(usize, usize, Option<usize>)> = Vec::new();
    for m in 1..=200 {
        cases.push((m, m % 4, Some(m % kinds.len())));
    }
    for kind in 0..kinds.len() {
        for m in [1, 2, 16, 17, 70, 192] {
            cases.push((m, 9, Some(kind)));
        }
    }
    for m in [2, 40, 200] {
        cases.push((m, 17, None));
    }
    for m in [224, 255, 256, 257, 321] {
        cases.push((m, 3, Some(m % kinds.len())));
    }
    cases.push((1, 40, Some(0)));
    for kernel in kernels() {
        for &(m, n, kind) in &cases {
            let keys: Vec<(Cipher, Model)> = (0..m)
                .map(|i| {
                    // Every kind for three lanes in turn, where they are mixed.
                    let kind = kind.unwrap_or(i / 3 % kinds.len());
                    Cipher::random(&mut r, kinds[kind].clone(), kernel)
                })
                .collect();
            let on = Magma::new(&[0; 32]).on(kernel).unwrap();
            let data: Vec<Vec<u8>> = (0..m).map(|_| r.bytes(8 * n)).collect();
            let starts: Vec<[u8; 8]> = (0..m).map(|_| r.array()).collect();
            // IMIT belongs to GOST 28147-89, and is the last of the chains.
            let old = kind.is_some_and(|kind| kinds[kind].is_some());
            for &chain in &chains[..if old { 5 } else { 4 }] {
                let read = matches!(chain, Chain::Mac | Chain::Imit);
                for in_place in [true, false] {
                    let mut out = data.clone();
                    let mut states = starts.clone();
                    let mut lanes: Vec<_> = (keys.iter().zip(&data).zip(&mut out).zip(&mut states))
                        .map(|(((key, x), y), state)| Lane {
                            schedule: key.0.schedule(),
                            state,
                            data: if read {
                                Data::Read(x)
                            } else if in_place {
                                Data::Through(y.as_mut_slice().into())
                            } else {
                                y.fill(0xaa);
                                Data::Through(InOut::new(x, y).unwrap())
                            },
                        })
                        .collect();
                    on.lanes(chain, &mut lanes);
                    for i in 0..m {
                        let at = format!(
                            "{kernel}, {chain:?}, lane {i} of {m}, {n} blocks, kind {kind:?}"
                        );
                        let mut z = starts[i];
                        let want = keys[i].1.chain(chain, &mut z, &data[i]);
                        assert_eq!(states[i], z, "{at}");
                        assert!(if read { out[i] == data[i] } else { out[i] == want }, "{at}");
                    }
                }
            }
        }
    }
}

/// A single stream, and one block or two, in every form that a kernel has for them, not only the form that
/// this processor prefers.
#[test]
fn one_stream_in_every_form() {
    let mut r = Random::new(5);
    let chains = [Chain::CbcEncrypt, Chain::CfbEncrypt, Chain::Ofb, Chain::Mac, Chain::Imit];
    let forms = survey::forms();
    let one = forms.iter().find(|f| (f.primitive, f.name) == ("magma", "one stream")).unwrap();
    assert!(one.forms.len() >= 3 && one.forms.contains(&one.taken));
    if !available(one.kernel) {
        return;
    }
    for form in one.forms {
        take_form(one.primitive, one.name, form).unwrap();
        for sboxes in every_sboxes(&mut r) {
            let old = sboxes.is_some();
            let (cipher, model) = Cipher::random(&mut r, sboxes, one.kernel);
            for n in (1..20).chain([64, 65, 200]) {
                let data = r.bytes(8 * n);
                for d in [Direction::Encrypt, Direction::Decrypt] {
                    let got = both_ways(&data, |data| cipher.map(d, data));
                    assert!(got == model.map(d, &data), "{form}, {n} blocks, {d:?}");
                }
                let start: [u8; 8] = r.array();
                for &chain in &chains[..if old { 5 } else { 4 }] {
                    let mut want_left = start;
                    let want = model.chain(chain, &mut want_left, &data);
                    let mut left = start;
                    if matches!(chain, Chain::Mac | Chain::Imit) {
                        cipher.chain(chain, &mut left, Data::Read(&data));
                    } else {
                        let got = both_ways(&data, |data| {
                            left = start;
                            cipher.chain(chain, &mut left, Data::Through(data));
                        });
                        assert!(got == want, "{form}, {n} blocks, {chain:?}");
                    }
                    assert_eq!(left, want_left, "{form}, {n} blocks, {chain:?}");
                }
            }
        }
    }
    assume_forms(None);
    assert!(take_form("magma", "one stream", "none").is_err());
    assert!(take_form("magma", "no choice", "zmm").is_err());
}

/// Sections side by side equal sections in turn, and a kernel of planes has them side by side.
#[test]
fn sections() {
    let mut r = Random::new(4);
    let mut together = Vec::new();
    for kernel in kernels() {
        for (sboxes, blocks) in [None, Some(ParamSet::Tc26Z), Some(ParamSet::CryptoProA)]
            .into_iter()
            .flat_map(|s| [1, 3, 32, 64, 96, 128, 256, 512].map(|b| (s, b)))
        {
            for count in [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 15, 17, 35] {
                let key = r.array();
                let rows = *Sboxes::from(sboxes.unwrap_or(ParamSet::Tc26Z)).rows();
                let data = r.bytes(8 * blocks * count + 5 * 8);
                let start = [0xffff_ffff_ffff_ff80_u64, 0xffff_fe80, 1 << 40, 0][count % 4];
                let mut left = [0; 8];
                let (mut done, mut last) = (0, [0; 8]);
                let mut out = both_ways(&data, |mut data| {
                    left = start.to_be_bytes();
                    last = [9; 8];
                    match sboxes {
                        None => {
                            let mut c = Magma::new(&key).on(kernel).unwrap();
                            done = c.sections(&mut left, 8 * blocks, data.reborrow());
                            c.encrypt_block(&mut last);
                        }
                        Some(set) => {
                            let mut c = Gost28147::new(&key, set).on(kernel).unwrap();
                            done = c.sections(&mut left, 8 * blocks, data.reborrow());
                            c.encrypt_block(&mut last);
                        }
                    }
                    // The rest has not been written.
                    let n = data.len();
                    let text = data.get_in()[done..].to_vec();
                    data.get_out()[done..n].copy_from_slice(&text);
                });
                let what = format!("{kernel}, {sboxes:?}, {count} sections of {blocks}");
                let whole = done <= 8 * blocks * count && done.is_multiple_of(8 * blocks);
                assert!(whole, "{what}: {done} bytes done");
                let mut key = key;
                let mut counter = start.to_be_bytes();
                let mut want = Vec::new();
                let mut model = Model::new(&key, &rows, sboxes.is_none());
                for (i, section) in data[..done].chunks(8 * blocks).enumerate() {
                    if i > 0 {
                        let d: [u8; 32] = core::array::from_fn(|i| 0x80 + i as u8);
                        key = model.map(Direction::Encrypt, &d).try_into().unwrap();
                        model = Model::new(&key, &rows, sboxes.is_none());
                    }
                    want.extend(model.stream(&mut counter, Count::Whole, section));
                }
                assert!(out.drain(..done).eq(want), "{what}");
                assert_eq!(left, counter, "{what}");
                assert_eq!(last, model.encrypt([9; 8]), "{what}");
                if done > 0 {
                    together.push((kernel, blocks));
                }
            }
        }
    }
    together.dedup();
    println!("side by side: {together:?}");
    // A batch of planes in 512 bits has 4096 bytes: two, four or eight sections.
    if kernels().any(|k| k == "avx512") {
        for blocks in [64, 128, 256] {
            assert!(together.contains(&("avx512", blocks)), "{blocks} blocks, one after the other");
        }
    }
}
