//! Compares every kernel and mode on a device with the library: random lengths, keys and registers, counters at
//! carries. Uses any device; in CI this is PoCL, which runs OpenCL on the processor. `BULAT_GPU_CASES` sets the number
//! of cases of each kind.
#![cfg(any(feature = "opencl", feature = "cuda"))]

#[path = "jobs/device.rs"]
mod device;

use bulat::batch::{Job, Key, MacMode, Mode, run};
use bulat::kdf::pbkdf2;
use bulat::modes::{Meshing, Xts};
use bulat::{
    Aead, BlockCipher, BlockMode, Cbc, Cfb, Direction, Gost28147, HmacStreebog256, HmacStreebog512,
    Kuznyechik, KuznyechikMgm, Magma, MagmaMgm, ParamSet, Sboxes, StreamCipher, Streebog256,
    Streebog512,
};
use bulat_core::cipher::{Block, Chain, Count, Data, Shapes as _};
use bulat_gpu::{Buffer, Channel, Error, Map, Sections, Sectors, Spans};
use testkit::Random;

fn cases() -> usize {
    std::env::var("BULAT_GPU_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(6)
}

/// Returns work on the device, and numbers from this seed; `None` without a device.
fn start(seed: u64) -> Option<(Channel, Random)> {
    Some((device::device()?.channel().unwrap(), Random::new(seed)))
}

/// Returns a number of blocks: a few, about a group, or several groups.
fn blocks(r: &mut Random) -> usize {
    match r.below(4) {
        0 => 1 + r.below(40),
        1 => 1000 + r.below(50),
        2 => 1 + r.below(5000),
        _ => 1024 * (1 + r.below(3)),
    }
}

/// Returns a register: random, or shortly before a carry.
fn register<C: BlockCipher>(r: &mut Random) -> C::Block {
    let mut block = C::Block::ZERO;
    r.fill(block.as_mut());
    if r.below(3) > 0 {
        let n = C::BLOCK;
        let half = if r.below(2) == 0 { n } else { n / 2 };
        let carry = r.upto(half);
        block.as_mut()[half - carry..half].fill(0xff);
        if carry > 0 {
            // Up to 2^12 before it.
            block.as_mut()[half - 1] = r.below(256) as u8;
            if carry > 1 {
                block.as_mut()[half - 2] = 0xf0 | r.below(16) as u8;
            }
        }
    }
    block
}

/// Returns memory of the device with these bytes.
fn written(c: &mut Channel, bytes: &[u8]) -> Buffer {
    let buffer = c.allocate(bytes.len()).unwrap();
    c.write(&buffer, 0, bytes).unwrap();
    buffer
}

/// Returns the output of `work` on a text, which it writes to another buffer or to its own.
fn through(
    c: &mut Channel,
    text: &[u8],
    apart: bool,
    work: impl FnOnce(&mut Channel, &Buffer, &Buffer) -> Result<(), Error>,
) -> Vec<u8> {
    let source = written(c, text);
    let other = apart.then(|| c.allocate(text.len()).unwrap());
    let destination = other.as_ref().unwrap_or(&source);
    work(c, &source, destination).unwrap();
    let mut out = vec![0; text.len()];
    c.read(destination, 0, &mut out).unwrap();
    out
}

fn modes<C: BlockCipher>(
    seed: u64,
    new: impl Fn(&[u8; 32]) -> C,
    named: impl for<'a> Fn(&'a C) -> Key<'a>,
) {
    let Some((mut channel, mut r)) = start(seed) else { return };
    let c = &mut channel;
    let n = C::BLOCK;
    for case in 0..cases() {
        let cipher = new(&r.array());
        let work = named(&cipher);
        let size = blocks(&mut r) * n;
        let text = r.bytes(size);
        for direction in [Direction::Encrypt, Direction::Decrypt] {
            let mut want = text.clone();
            cipher.map(direction, want.as_mut_slice().into());
            let ecb = Map::Ecb(direction);
            let have = through(c, &text, case % 2 == 0, |c, s, d| c.map(&work, ecb, s, d, size));
            assert!(have == want, "ECB {direction:?}, {size} bytes");
        }
        // Not whole blocks.
        let part = size - r.below(n);
        for count in [Count::Whole, Count::Right, Count::Left] {
            let start = register::<C>(&mut r);
            let mut whole = text.clone();
            cipher.stream(&mut start.clone(), count, whole.as_mut_slice().into());
            let have = through(c, &text[..part], case % 2 == 1, |c, s, d| {
                c.stream(&work, start.as_ref(), count, Some(s), d, part)
            });
            assert!(have == whole[..part], "{count:?} from {:x?}, {part} bytes", start.as_ref());
        }
        if let Key::Gost28147(g) = work {
            let start: [u8; 8] = if case % 2 == 0 { [0xff; 8] } else { r.array() };
            let mut whole = text.clone();
            g.stream(&mut start.clone(), Count::Cnt, whole.as_mut_slice().into());
            let have = through(c, &text[..part], true, |c, s, d| {
                c.stream(&work, &start, Count::Cnt, Some(s), d, part)
            });
            assert!(have == whole[..part], "CNT, {part} bytes");
        }
        let iv = r.bytes(n);
        let mut want = text.clone();
        let mut cbc = Cbc::with(cipher.clone(), &iv, Direction::Decrypt).unwrap();
        cbc.update(&mut want).unwrap();
        let have = through(c, &text, true, |c, s, d| c.map(&work, Map::Cbc(&iv), s, d, size));
        assert!(have == want, "CBC backwards, {size} bytes");
        let mut want = text.clone();
        let mut cfb = Cfb::with(cipher.clone(), &iv, Direction::Decrypt).unwrap();
        cfb.apply_keystream(&mut want).unwrap();
        let have = through(c, &text, true, |c, s, d| c.map(&work, Map::Cfb(&iv), s, d, size));
        assert!(have == want, "CFB backwards, {size} bytes");
        sections(c, &mut r, &text, &new, &named);
        lanes(c, &mut r, &new, &named);
    }
}

/// Compares sections of any size, under their own keys or a common key.
fn sections<C: BlockCipher>(
    c: &mut Channel,
    r: &mut Random,
    text: &[u8],
    new: &impl Fn(&[u8; 32]) -> C,
    named: &impl for<'a> Fn(&'a C) -> Key<'a>,
) {
    let section = C::BLOCK * [1, 2, 31, 32, 33, 64, 100][r.below(7)];
    let size = text.len().min(40 * section);
    let keys: Vec<C> = (0..size.div_ceil(section)).map(|_| new(&r.array())).collect();
    let all: Vec<Key<'_>> = keys.iter().map(named).collect();
    let starts: Vec<C::Block> = keys.iter().map(|_| register::<C>(r)).collect();
    let registers: Vec<u8> = starts.iter().flat_map(|s| s.as_ref().to_vec()).collect();
    for (count, one) in [(Count::Whole, false), (Count::Right, true), (Count::Left, true)] {
        let mut want = text[..size].to_vec();
        for ((piece, key), start) in want.chunks_mut(section).zip(&keys).zip(&starts) {
            let key = if one { &keys[0] } else { key };
            key.stream(&mut start.clone(), count, piece.into());
        }
        let all = if one { &all[..1] } else { &all };
        let sections = Sections { registers: &registers, count, bytes: section };
        let have = through(c, &text[..size], r.below(2) == 0, |c, s, d| {
            c.sections(all, sections, Some(s), d, size)
        });
        assert!(have == want, "sections of {section}, {count:?}, {size} bytes");
    }
}

/// Compares chained streams of many lengths, one for each key.
fn lanes<C: BlockCipher>(
    c: &mut Channel,
    r: &mut Random,
    new: &impl Fn(&[u8; 32]) -> C,
    named: &impl for<'a> Fn(&'a C) -> Key<'a>,
) {
    let n = C::BLOCK;
    let keys: Vec<C> = (0..1 + r.below(70)).map(|_| new(&r.array())).collect();
    let all: Vec<Key<'_>> = keys.iter().map(named).collect();
    let count = keys.len();
    let at: Vec<u64> = (0..count).map(|i| (i * n * 9) as u64).collect();
    let lengths: Vec<u64> = (0..count).map(|_| (n * r.below(9)) as u64).collect();
    let (text, states) = (r.bytes(count * n * 9), r.bytes(count * n));
    let gost = matches!(all[0], Key::Gost28147(_));
    let chains = [Chain::CbcEncrypt, Chain::CfbEncrypt, Chain::Ofb, Chain::Mac, Chain::Imit];
    for chain in chains.into_iter().take(if gost { 5 } else { 4 }) {
        let mut want = text.clone();
        let mut want_states = states.clone();
        for i in 0..count {
            let piece = &mut want[at[i] as usize..][..lengths[i] as usize];
            let mut state = C::Block::ZERO;
            state.as_mut().copy_from_slice(&want_states[i * n..][..n]);
            let data = match chain {
                Chain::Mac | Chain::Imit => Data::Read(piece),
                _ => Data::Through(piece.into()),
            };
            keys[i].chain(chain, &mut state, data);
            want_states[i * n..][..n].copy_from_slice(state.as_ref());
        }
        let mut have_states = states.clone();
        let spans = Spans { at: &at, bytes: &lengths };
        let have =
            through(c, &text, false, |c, s, d| c.lanes(&all, chain, spans, &mut have_states, s, d));
        assert!(have == want, "{chain:?}, {count} streams");
        assert!(have_states == want_states, "{chain:?}, {count} states");
    }
}

#[test]
fn magma() {
    modes(1, Magma::new, |k| Key::Magma(k));
}

#[test]
fn kuznyechik() {
    modes(2, Kuznyechik::new, |k| Key::Kuznyechik(k));
}

/// Every parameter set in ECB; in all modes the test set, which Magma does not have, and other S-boxes.
#[test]
fn gost28147() {
    let Some((mut c, mut r)) = start(3) else { return };
    for set in ParamSet::ALL {
        let cipher = Gost28147::new(&r.array(), set);
        let text = r.bytes(8 * 1500);
        let mut want = text.clone();
        cipher.map(Direction::Encrypt, want.as_mut_slice().into());
        c.trust();
        let have = through(&mut c, &text, true, |c, s, d| {
            c.map(&Key::Gost28147(&cipher), Map::Ecb(Direction::Encrypt), s, d, text.len())
        });
        assert!(have == want, "{set:?}");
    }
    modes(4, |k| Gost28147::new(k, ParamSet::Test), |k| Key::Gost28147(k));
    let boxes = Sboxes::new(r.sboxes()).unwrap();
    modes(5, |k| Gost28147::new(k, boxes.clone()), |k| Key::Gost28147(k));
}

#[test]
fn xts() {
    let Some((mut c, mut r)) = start(6) else { return };
    for case in 0..cases() {
        let (one, two) = (r.array(), r.array());
        let (data, tweak, xts) =
            (Kuznyechik::new(&one), Kuznyechik::new(&two), Xts::new(&one, &two).unwrap());
        let sector = 16 * [1, 2, 32, 33, 256, 1000][r.below(6)];
        let count = 1 + r.below(1 + 40_000 / sector);
        let first = r.word() as u128;
        let text = r.bytes(sector * count);
        let mut tweaks: Vec<u8> = (0..count as u128).flat_map(|i| Xts::tweak(first + i)).collect();
        tweak.map(Direction::Encrypt, tweaks.as_mut_slice().into());
        let sectors = Sectors { tweaks: &tweaks, bytes: sector };
        for direction in [Direction::Encrypt, Direction::Decrypt] {
            let mut want = text.clone();
            xts.sectors(first, sector, direction, &mut want).unwrap();
            let have = through(&mut c, &text, case % 2 == 0, |c, s, d| {
                c.xts(&Key::Kuznyechik(&data), direction, sectors, s, d, text.len())
            });
            assert!(have == want, "{direction:?}, {count} sectors of {sector}");
        }
    }
}

#[test]
fn hashes() {
    let Some((mut c, mut r)) = start(8) else { return };
    for case in 0..cases() {
        let count = [1, 31, 32, 33, 256, 300][case % 6];
        let (mut at, mut lengths, mut end) = (Vec::new(), Vec::new(), 0usize);
        for _ in 0..count {
            let n = if r.below(4) == 0 { 64 * r.below(5) } else { r.below(400) };
            at.push(end as u64);
            lengths.push(n as u64);
            end = (end + n).next_multiple_of(4);
        }
        let text = r.bytes(end);
        let source = written(&mut c, &text);
        let spans = Spans { at: &at, bytes: &lengths };
        let long = c.hash(64, spans, &source).unwrap();
        let short = c.hash(32, spans, &source).unwrap();
        let lens: Vec<usize> = (0..count).map(|_| r.below(65)).collect();
        let secrets: Vec<Vec<u8>> = lens.into_iter().map(|n| r.bytes(n)).collect();
        let keys: Vec<&[u8]> = secrets.iter().map(|k| &k[..]).collect();
        let hmac = c.hmac(64, &keys, spans, &source).unwrap();
        let hmac_short = c.hmac(32, &keys, spans, &source).unwrap();
        for (i, key) in keys.iter().enumerate() {
            let message = &text[at[i] as usize..][..lengths[i] as usize];
            let (long, short) = (&long[64 * i..][..64], &short[32 * i..][..32]);
            assert_eq!(long, &Streebog512::digest(message)[..], "{} bytes", message.len());
            assert_eq!(short, &Streebog256::digest(message)[..], "{} bytes", message.len());
            assert_eq!(hmac[64 * i..][..64], HmacStreebog512::mac(key, message)[..]);
            assert_eq!(hmac_short[32 * i..][..32], HmacStreebog256::mac(key, message)[..]);
        }
    }
    let passwords: Vec<Vec<u8>> = (0..40).map(|i| r.bytes(i)).collect();
    let salts: Vec<Vec<u8>> = (0..40).map(|i| r.bytes(2 * i + 1)).collect();
    let (p, s): (Vec<&[u8]>, Vec<&[u8]>) =
        passwords.iter().zip(&salts).map(|(p, s)| (&p[..], &s[..])).unzip();
    for iterations in [1, 2, 5] {
        let have = c.pbkdf2(&p, &s, &[1; 40], iterations).unwrap();
        for i in 0..40 {
            let mut want = [0; 64];
            pbkdf2::<64>(p[i], s[i], iterations, &mut want).unwrap();
            assert_eq!(have[64 * i..][..64], want, "password {i}, {iterations} iterations");
        }
    }
}

/// MGM's sum of many blocks, more than there are threads.
#[test]
fn products() {
    let Some((mut c, mut r)) = start(9) else { return };
    let k = r.array();
    let (a, b) = (Kuznyechik::new(&k), Magma::new(&k));
    products_of(&mut c, &mut r, &a, Key::from(&a), KuznyechikMgm::new(&k));
    products_of(&mut c, &mut r, &b, Key::from(&b), MagmaMgm::new(&k));
}

fn products_of<C: BlockCipher>(
    c: &mut Channel,
    r: &mut Random,
    cipher: &C,
    named: Key<'_>,
    mgm: impl Aead,
) {
    let n = C::BLOCK;
    for blocks in [1, 2, 100, 16384, 20_001] {
        let mut nonce = C::Block::ZERO;
        r.fill(nonce.as_mut());
        nonce.as_mut()[0] &= 0x7f;
        let mut text = r.bytes(n * blocks);
        let tag = mgm.seal_in_place(nonce.as_ref(), &[], &mut text).unwrap();
        text.extend_from_slice(&[0; 16][..n / 2]);
        text.extend_from_slice(&(8 * (n * blocks) as u64).to_be_bytes()[8 - n / 2..]);
        nonce.as_mut()[0] |= 0x80;
        cipher.encrypt_block(&mut nonce);
        let source = written(c, &text);
        let mut sum = c.products(&named, nonce.as_ref(), text.len(), &source, text.len()).unwrap();
        cipher.map(Direction::Encrypt, sum.as_mut_slice().into());
        assert_eq!(sum[..], tag[..], "{blocks} blocks");
        // These bytes again, as many messages of equal length, the last shorter: each has its own sum.
        let section = n * (1 + blocks / 3).min(700);
        let count = text.len().div_ceil(section);
        let registers = r.bytes(n * count);
        let all = c.products(&named, &registers, section, &source, text.len()).unwrap();
        for (i, (piece, start)) in text.chunks(section).zip(registers.chunks(n)).enumerate() {
            let room = written(c, piece);
            let one = c.products(&named, start, piece.len(), &room, piece.len()).unwrap();
            assert_eq!(one, all[i * n..][..n], "message {i} of {count}");
        }
    }
}

#[test]
fn bad_input_is_refused() {
    let Some((mut c, _)) = start(0) else { return };
    let k = Kuznyechik::new(&[1; 32]);
    let (key, ecb) = (Key::from(&k), Map::Ecb(Direction::Encrypt));
    let room = c.allocate(64).unwrap();
    let refused = |result: Result<(), Error>| assert!(matches!(result, Err(Error::Refused(_))));
    let unsupported =
        |result: Result<(), Error>| assert!(matches!(result, Err(Error::Unsupported(_))));
    refused(c.map(&key, ecb, &room, &room, 1 << 20));
    refused(c.stream(&key, &[0; 8], Count::Whole, Some(&room), &room, 64));
    refused(c.hash(64, Spans { at: &[60], bytes: &[100] }, &room).map(drop));
    refused(c.cipher(&key, Mode::Ctr, &[0; 8], &room, &room, 65));
    unsupported(c.map(&key, Map::Cbc(&[0; 16]), &room, &room, 64));
    unsupported(c.cipher(&key, Mode::Cbc(Direction::Encrypt), &[0; 16], &room, &room, 64));
    assert!(matches!(c.allocate(1 << 50), Err(Error::Memory(_) | Error::Driver(..))));
    // Work continues afterwards.
    c.map(&key, ecb, &room, &room, 64).unwrap();
    c.finish().unwrap();
}

/// Whole texts in the library's modes, in buffers of exactly the text's length.
#[test]
fn whole_texts() {
    let Some((mut channel, mut r)) = start(10) else { return };
    let k = r.array();
    let (a, b) = (Kuznyechik::new(&k), Magma::new(&k));
    let c = Gost28147::new(&k, ParamSet::CryptoProA);
    let (a, b, c) = (Key::from(&a), Key::from(&b), Key::from(&c));
    let back = Direction::Decrypt;
    for case in 0..cases() {
        for (key, mode, iv) in [
            (a, Mode::Ecb(back), 0),
            (a, Mode::Ctr, 8),
            (b, Mode::Ctr, 4),
            (b, Mode::CtrAcpkm(1024), 4),
            (a, Mode::CtrAcpkm(4096), 8),
            (c, Mode::Cnt(Meshing::None), 8),
            (a, Mode::Cbc(back), 16),
            (c, Mode::Cbc28147(back, Meshing::None), 8),
            (b, Mode::Cfb(back), 8),
            (c, Mode::Cfb28147(back, Meshing::None), 8),
        ] {
            let chained =
                !matches!(mode, Mode::Ctr | Mode::CtrAcpkm(_) | Mode::Cnt(_) | Mode::Ecb(_));
            let blocks = matches!(mode, Mode::Ecb(_) | Mode::Cbc(_) | Mode::Cbc28147(..));
            let size = match case {
                0 => 0,
                1 => 5,
                _ => 1 + r.below(20_000),
            };
            let size = if blocks { size / 16 * 16 } else { size };
            let (text, iv) = (r.bytes(size), r.bytes(iv));
            let mut want = text.clone();
            assert_eq!(run(vec![Job::cipher(key, mode, &iv, &mut want)]), [Ok(())]);
            let have = through(&mut channel, &text, chained || case % 2 == 0, |c, s, d| {
                if iv.len() != 4 {
                    assert!(c.cipher(&key, mode, b"none", s, d, size).is_err());
                }
                c.cipher(&key, mode, &iv, s, d, size)
            });
            assert!(have == want, "{mode:?}, {size} bytes");
        }
    }
}

/// MACs of messages of equal length, which may end within a block, each under its own key.
#[test]
fn whole_messages() {
    let Some((mut c, mut r)) = start(11) else { return };
    for case in 0..cases() {
        let (rows, len) =
            (1 + r.below(40), if case % 2 == 0 { 8 * r.below(20) } else { r.below(170) });
        let step = len.next_multiple_of(8);
        let keys: Vec<[u8; 32]> = (0..rows).map(|_| r.array()).collect();
        let magma: Vec<Magma> = keys.iter().map(Magma::new).collect();
        let gost: Vec<Gost28147> =
            keys.iter().map(|k| Gost28147::new(k, ParamSet::CryptoProA)).collect();
        let text = r.bytes(rows * step);
        let source = written(&mut c, &text);
        let at: Vec<u64> = (0..rows).map(|i| (i * step) as u64).collect();
        let spans = Spans { at: &at, bytes: &vec![len as u64; rows] };
        for mode in [MacMode::Omac, MacMode::Imit(Meshing::None)] {
            let all: Vec<Key<'_>> = match mode {
                MacMode::Omac => magma.iter().map(Key::from).collect(),
                _ => gost.iter().map(Key::from).collect(),
            };
            let have = c.macs(&all, mode, spans, &source).unwrap();
            for (i, key) in all.iter().enumerate() {
                let (message, mut tag) = (&text[i * step..][..len], [0; 8]);
                run(vec![Job::mac(*key, mode, message, &mut tag)])[0].unwrap();
                assert_eq!(have[8 * i..][..8], tag, "{mode:?}, row {i} of {len} bytes");
            }
        }
    }
}
