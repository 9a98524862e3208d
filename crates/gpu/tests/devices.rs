//! Compares every kernel and mode on a device with the library: random lengths, keys and registers, counters at
//! carries. Uses any device; in CI this is PoCL, which runs OpenCL on the processor. `BULAT_GPU_CASES` sets the number
//! of cases of each kind.
#![cfg(any(feature = "opencl", feature = "cuda"))]

use std::sync::{Arc, OnceLock};

use bulat::batch::Key;
use bulat::kdf::pbkdf2;
use bulat::modes::{AcpkmMaster, CtrAcpkm, Xts};
use bulat::{
    BlockCipher, BlockMode, Direction, Gost28147, HmacStreebog256, HmacStreebog512, Kuznyechik,
    Magma, Omac, ParamSet, Sboxes, StreamCipher, Streebog256, Streebog512, executor,
};
use bulat_core::cipher::{Block, Chain, Count, Data, Shapes as _};
use bulat_gpu::{Channel, Device, Error, Map, Sections, Sectors, Spans};
use testkit::Random;

fn cases() -> usize {
    std::env::var("BULAT_GPU_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(6)
}

/// Returns the first device, or prints that there is none.
fn device() -> Option<Arc<Device>> {
    static DEVICE: OnceLock<Option<Arc<Device>>> = OnceLock::new();
    let found = DEVICE.get_or_init(|| {
        let found = bulat_gpu::devices();
        found.remarks.iter().for_each(|r| println!("{r}"));
        if found.devices.is_empty() {
            println!("skipped: no device (apt-get install ocl-icd-libopencl1 pocl-opencl-icd)");
        }
        found.devices.into_iter().next()
    });
    found.clone()
}

fn bytes(r: &mut Random, n: usize) -> Vec<u8> {
    let mut all = vec![0; n];
    r.fill(&mut all);
    all
}

fn key(r: &mut Random) -> [u8; 32] {
    let mut key = [0; 32];
    r.fill(&mut key);
    key
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

struct Bench {
    channel: Channel,
}

impl Bench {
    fn run(
        &mut self,
        text: &[u8],
        apart: bool,
        work: impl FnOnce(&mut Channel, &bulat_gpu::Buffer, &bulat_gpu::Buffer) -> Result<(), Error>,
    ) -> Vec<u8> {
        let c = &mut self.channel;
        let source = c.allocate(text.len()).unwrap();
        c.write(&source, 0, text).unwrap();
        let mut out = vec![0; text.len()];
        if apart {
            let destination = c.allocate(text.len()).unwrap();
            work(c, &source, &destination).unwrap();
            c.read(&destination, 0, &mut out).unwrap();
        } else {
            work(c, &source, &source).unwrap();
            c.read(&source, 0, &mut out).unwrap();
        }
        out
    }
}

fn modes<C: BlockCipher>(
    seed: u64,
    new: impl Fn(&[u8; 32]) -> C,
    named: impl for<'a> Fn(&'a C) -> Key<'a>,
) {
    let Some(device) = device() else { return };
    let mut bench = Bench { channel: device.channel().unwrap() };
    let mut r = Random::new(seed);
    let n = C::BLOCK;
    for case in 0..cases() {
        let cipher = new(&key(&mut r));
        let work = named(&cipher);
        let size = blocks(&mut r) * n;
        let text = bytes(&mut r, size);
        for direction in [Direction::Encrypt, Direction::Decrypt] {
            let mut want = text.clone();
            cipher.map(direction, want.as_mut_slice().into());
            let have = bench
                .run(&text, case % 2 == 0, |c, s, d| c.map(&work, Map::Ecb(direction), s, d, size));
            assert!(have == want, "ECB {direction:?}, {size} bytes");
        }
        // Not whole blocks.
        let part = size - r.below(n);
        for count in [Count::Whole, Count::Right, Count::Left] {
            let start = register::<C>(&mut r);
            let mut whole = text.clone();
            cipher.stream(&mut start.clone(), count, whole.as_mut_slice().into());
            let have = bench.run(&text[..part], case % 2 == 1, |c, s, d| {
                c.stream(&work, start.as_ref(), count, Some(s), d, part)
            });
            assert!(have == whole[..part], "{count:?} from {:x?}, {part} bytes", start.as_ref());
        }
        if let Key::Gost28147(g) = work {
            let start: [u8; 8] =
                if case % 2 == 0 { [0xff; 8] } else { bytes(&mut r, 8).try_into().unwrap() };
            let mut whole = text.clone();
            g.stream(&mut start.clone(), Count::Cnt, whole.as_mut_slice().into());
            let have = bench.run(&text[..part], true, |c, s, d| {
                c.stream(&work, &start, Count::Cnt, Some(s), d, part)
            });
            assert!(have == whole[..part], "CNT, {part} bytes");
        }
        let iv = bytes(&mut r, n);
        for cfb in [false, true] {
            let mut want = text.clone();
            if cfb {
                bulat::Cfb::with(cipher.clone(), &iv, Direction::Decrypt)
                    .unwrap()
                    .apply_keystream(&mut want)
                    .unwrap();
            } else {
                bulat::Cbc::with(cipher.clone(), &iv, Direction::Decrypt)
                    .unwrap()
                    .update(&mut want)
                    .unwrap();
            }
            let map = if cfb { Map::Cfb(&iv) } else { Map::Cbc(&iv) };
            let have = bench.run(&text, true, |c, s, d| c.map(&work, map, s, d, size));
            assert!(have == want, "CBC or CFB ({cfb}) backwards, {size} bytes");
        }
        // Sections of any size, each under its own key.
        let section = n * [1, 2, 31, 32, 33, 64, 100][r.below(7)];
        let size = size.min(40 * section);
        let keys: Vec<C> = (0..size.div_ceil(section)).map(|_| new(&key(&mut r))).collect();
        let all: Vec<Key<'_>> = keys.iter().map(&named).collect();
        let starts: Vec<C::Block> = keys.iter().map(|_| register::<C>(&mut r)).collect();
        let registers: Vec<u8> = starts.iter().flat_map(|s| s.as_ref().to_vec()).collect();
        for (count, one) in [(Count::Whole, false), (Count::Right, true), (Count::Left, true)] {
            let mut want = text[..size].to_vec();
            for ((piece, key), start) in want.chunks_mut(section).zip(&keys).zip(&starts) {
                let key = if one { &keys[0] } else { key };
                key.stream(&mut start.clone(), count, piece.into());
            }
            let all = if one { &all[..1] } else { &all };
            let sections = Sections { registers: &registers, count, bytes: section };
            let have = bench.run(&text[..size], case % 2 == 0, |c, s, d| {
                c.sections(all, sections, Some(s), d, size)
            });
            assert!(have == want, "sections of {section}, {count:?}, {size} bytes");
        }
        lanes(&mut bench, &mut r, &new, &named);
    }
}

/// Compares chained streams of many lengths, one for each key.
fn lanes<C: BlockCipher>(
    bench: &mut Bench,
    r: &mut Random,
    new: &impl Fn(&[u8; 32]) -> C,
    named: &impl for<'a> Fn(&'a C) -> Key<'a>,
) {
    let n = C::BLOCK;
    let count = 1 + r.below(70);
    let keys: Vec<C> = (0..count).map(|_| new(&key(r))).collect();
    let all: Vec<Key<'_>> = keys.iter().map(named).collect();
    let (mut at, mut lengths, mut end) = (Vec::new(), Vec::new(), 0);
    for _ in 0..count {
        at.push(end as u64);
        lengths.push((n * r.below(9)) as u64);
        end += n * 9;
    }
    let text = bytes(r, end);
    let states = bytes(r, count * n);
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
            bench.run(&text, false, |c, s, d| c.lanes(&all, chain, spans, &mut have_states, s, d));
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
    let Some(device) = device() else { return };
    let mut r = Random::new(3);
    let mut bench = Bench { channel: device.channel().unwrap() };
    for set in ParamSet::ALL {
        let cipher = Gost28147::new(&key(&mut r), set);
        let text = bytes(&mut r, 8 * 1500);
        let mut want = text.clone();
        cipher.map(Direction::Encrypt, want.as_mut_slice().into());
        bench.channel.trust();
        let have = bench.run(&text, true, |c, s, d| {
            c.map(&Key::Gost28147(&cipher), Map::Ecb(Direction::Encrypt), s, d, text.len())
        });
        assert!(have == want, "{set:?}");
    }
    modes(4, |k| Gost28147::new(k, ParamSet::Test), |k| Key::Gost28147(k));
    let rows = core::array::from_fn(|i| core::array::from_fn(|v| (7 * v + 3 * i) as u8 % 16));
    let boxes = Sboxes::new(rows).unwrap();
    modes(5, |k| Gost28147::new(k, boxes.clone()), |k| Key::Gost28147(k));
}

#[test]
fn xts() {
    let Some(device) = device() else { return };
    let mut r = Random::new(6);
    let mut bench = Bench { channel: device.channel().unwrap() };
    for case in 0..cases() {
        let (one, two) = (key(&mut r), key(&mut r));
        let (data, tweak, xts) =
            (Kuznyechik::new(&one), Kuznyechik::new(&two), Xts::new(&one, &two).unwrap());
        let sector = 16 * [1, 2, 32, 33, 256, 1000][r.below(6)];
        let count = 1 + r.below(1 + 40_000 / sector);
        let first = r.word() as u128;
        let text = bytes(&mut r, sector * count);
        let mut tweaks: Vec<u8> = (0..count as u128).flat_map(|i| Xts::tweak(first + i)).collect();
        tweak.map(Direction::Encrypt, tweaks.as_mut_slice().into());
        for direction in [Direction::Encrypt, Direction::Decrypt] {
            let mut want = text.clone();
            xts.sectors(first, sector, direction, &mut want).unwrap();
            let have = bench.run(&text, case % 2 == 0, |c, s, d| {
                c.xts(
                    &Key::Kuznyechik(&data),
                    direction,
                    Sectors { tweaks: &tweaks, bytes: sector },
                    s,
                    d,
                    text.len(),
                )
            });
            assert!(have == want, "{direction:?}, {count} sectors of {sector}");
        }
    }
}

/// CTR-ACPKM as a whole, and OMAC.
#[test]
fn chains_of_keys() {
    let Some(device) = device() else { return };
    let mut r = Random::new(7);
    let mut bench = Bench { channel: device.channel().unwrap() };
    let k = key(&mut r);
    let (section, text) = (1024, bytes(&mut r, 20_000));
    let mut keys = vec![Kuznyechik::new(&k)];
    while keys.len() < text.len().div_ceil(section) {
        keys.push(bulat::modes::acpkm(&keys[keys.len() - 1]));
    }
    let all: Vec<Key<'_>> = keys.iter().map(Key::from).collect();
    let iv = [9; 8];
    let mut want = text.clone();
    CtrAcpkm::<Kuznyechik>::new(&k, &iv, section).unwrap().apply_keystream(&mut want).unwrap();
    let mut registers = Vec::new();
    for i in 0..keys.len() {
        let mut register = [0; 16];
        register[..8].copy_from_slice(&iv);
        Count::Whole.skip(&mut register, (i * section / 16) as u64);
        registers.extend(register);
    }
    let sections = Sections { registers: &registers, count: Count::Whole, bytes: section };
    let have =
        bench.run(&text, false, |c, s, d| c.sections(&all, sections, Some(s), d, text.len()));
    assert!(have == want);
    // OMAC: the device does all whole blocks but the last.
    let ciphers: Vec<Magma> = (0..50).map(|_| Magma::new(&key(&mut r))).collect();
    let lengths: Vec<usize> = (0..50).map(|i| 1 + 13 * i).collect();
    let at: Vec<u64> = (0..50).map(|i| 1000 * i).collect();
    let body: Vec<u64> = lengths.iter().map(|l| ((l - 1) / 8 * 8) as u64).collect();
    let mut states = vec![0; 50 * 8];
    let text = bytes(&mut r, 51_000);
    let all: Vec<Key<'_>> = ciphers.iter().map(Key::from).collect();
    bench.run(&text, false, |c, s, d| {
        c.lanes(&all, Chain::Mac, Spans { at: &at, bytes: &body }, &mut states, s, d)
    });
    for i in 0..50 {
        use bulat::Mac;
        let message = &text[at[i] as usize..][..lengths[i]];
        let mut want = Omac::with(ciphers[i].clone());
        want.update(message);
        let mut have = executor::omac_after(
            Omac::with(ciphers[i].clone()),
            states[8 * i..][..8].try_into().unwrap(),
        );
        have.update(&message[body[i] as usize..]);
        assert_eq!(have.finalize().unwrap()[..], want.finalize().unwrap()[..], "{i}");
    }
    let _ = AcpkmMaster::new(Magma::new(&k), 64);
}

#[test]
fn hashes() {
    let Some(device) = device() else { return };
    let mut r = Random::new(8);
    let mut channel = device.channel().unwrap();
    for case in 0..cases() {
        let count = [1, 31, 32, 33, 256, 300][case % 6];
        let (mut at, mut lengths, mut end) = (Vec::new(), Vec::new(), 0usize);
        for _ in 0..count {
            let n = if r.below(4) == 0 { 64 * r.below(5) } else { r.below(400) };
            at.push(end as u64);
            lengths.push(n as u64);
            end = (end + n).next_multiple_of(4);
        }
        let text = bytes(&mut r, end);
        let source = channel.allocate(end).unwrap();
        channel.write(&source, 0, &text).unwrap();
        let message = |i: usize| &text[at[i] as usize..][..lengths[i] as usize];
        let spans = Spans { at: &at, bytes: &lengths };
        let have = channel.hash(64, spans, &source).unwrap();
        let short = channel.hash(32, spans, &source).unwrap();
        let secrets: Vec<Vec<u8>> = (0..count)
            .map(|_| {
                let n = r.below(65);
                bytes(&mut r, n)
            })
            .collect();
        let keys: Vec<&[u8]> = secrets.iter().map(|k| &k[..]).collect();
        let hmac = channel.hmac(64, &keys, spans, &source).unwrap();
        let hmac_short = channel.hmac(32, &keys, spans, &source).unwrap();
        for i in 0..count {
            assert_eq!(
                have[64 * i..][..64],
                Streebog512::digest(message(i))[..],
                "{} bytes",
                lengths[i]
            );
            assert_eq!(
                short[32 * i..][..32],
                Streebog256::digest(message(i))[..],
                "{} bytes",
                lengths[i]
            );
            assert_eq!(hmac[64 * i..][..64], HmacStreebog512::mac(keys[i], message(i))[..]);
            assert_eq!(hmac_short[32 * i..][..32], HmacStreebog256::mac(keys[i], message(i))[..]);
        }
    }
    let passwords: Vec<Vec<u8>> = (0..40).map(|i| bytes(&mut r, i)).collect();
    let salts: Vec<Vec<u8>> = (0..40).map(|i| bytes(&mut r, 2 * i + 1)).collect();
    let (p, s): (Vec<&[u8]>, Vec<&[u8]>) =
        passwords.iter().zip(&salts).map(|(p, s)| (&p[..], &s[..])).unzip();
    for iterations in [1, 2, 5] {
        let have = channel.pbkdf2(&p, &s, &[1; 40], iterations).unwrap();
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
    use bulat::{Aead, KuznyechikMgm, MagmaMgm};
    fn one<C: BlockCipher>(
        device: &Arc<Device>,
        r: &mut Random,
        cipher: C,
        named: Key<'_>,
        mgm: impl Aead,
    ) {
        let n = C::BLOCK;
        let mut channel = device.channel().unwrap();
        for blocks in [1, 2, 100, 16384, 20_001] {
            let mut nonce = C::Block::ZERO;
            r.fill(nonce.as_mut());
            nonce.as_mut()[0] &= 0x7f;
            let mut text = bytes(r, n * blocks);
            let tag = mgm.seal_in_place(nonce.as_ref(), &[], &mut text).unwrap();
            text.extend_from_slice(&[0; 16][..n / 2]);
            text.extend_from_slice(&(8 * (n * blocks) as u64).to_be_bytes()[8 - n / 2..]);
            nonce.as_mut()[0] |= 0x80;
            cipher.encrypt_block(&mut nonce);
            let source = channel.allocate(text.len()).unwrap();
            channel.write(&source, 0, &text).unwrap();
            let mut sum =
                channel.products(&named, nonce.as_ref(), text.len(), &source, text.len()).unwrap();
            cipher.map(Direction::Encrypt, sum.as_mut_slice().into());
            assert_eq!(sum[..], tag[..], "{blocks} blocks");
            // These bytes again, as many messages of one length, the last one shorter: each has its own sum.
            let section = n * (1 + blocks / 3).min(700);
            let count = text.len().div_ceil(section);
            let registers = bytes(r, n * count);
            let source = channel.allocate(text.len()).unwrap();
            channel.write(&source, 0, &text).unwrap();
            let all = channel.products(&named, &registers, section, &source, text.len()).unwrap();
            for (i, (piece, start)) in text.chunks(section).zip(registers.chunks(n)).enumerate() {
                let room = channel.allocate(piece.len()).unwrap();
                channel.write(&room, 0, piece).unwrap();
                let one = channel.products(&named, start, piece.len(), &room, piece.len()).unwrap();
                assert_eq!(one, all[i * n..][..n], "message {i} of {count}");
            }
        }
    }
    let Some(device) = device() else { return };
    let mut r = Random::new(9);
    let k = key(&mut r);
    let (a, b) = (Kuznyechik::new(&k), Magma::new(&k));
    one(&device, &mut r, a.clone(), Key::from(&a), KuznyechikMgm::new(&k));
    one(&device, &mut r, b.clone(), Key::from(&b), MagmaMgm::new(&k));
}

#[test]
fn bad_input_is_refused() {
    let Some(device) = device() else { return };
    let mut c = device.channel().unwrap();
    let k = Kuznyechik::new(&[1; 32]);
    let key = Key::from(&k);
    let room = c.allocate(64).unwrap();
    assert!(matches!(
        c.map(&key, Map::Ecb(Direction::Encrypt), &room, &room, 1 << 20),
        Err(Error::Refused(_))
    ));
    assert!(matches!(
        c.map(&key, Map::Cbc(&[0; 16]), &room, &room, 64),
        Err(Error::Unsupported(_))
    ));
    assert!(matches!(
        c.stream(&key, &[0; 8], Count::Whole, Some(&room), &room, 64),
        Err(Error::Refused(_))
    ));
    let spans = Spans { at: &[60], bytes: &[100] };
    assert!(matches!(c.hash(64, spans, &room), Err(Error::Refused(_))));
    assert!(matches!(c.allocate(1 << 50), Err(Error::Memory(_) | Error::Driver(..))));
    // Work continues afterwards.
    c.map(&key, Map::Ecb(Direction::Encrypt), &room, &room, 64).unwrap();
    c.finish().unwrap();
}

/// Whole texts and messages in the library's modes, in buffers of exactly the text's length.
#[test]
fn whole_messages() {
    use bulat::batch::{Job, MacMode, Mode, run};
    use bulat::modes::Meshing;
    let Some(device) = device() else { return };
    let mut r = Random::new(10);
    let mut channel = device.channel().unwrap();
    let k = key(&mut r);
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
            let (text, iv) = (bytes(&mut r, size), bytes(&mut r, iv));
            let mut want = text.clone();
            assert_eq!(run(vec![Job::cipher(key, mode, &iv, &mut want)]), [Ok(())]);
            let (here, there) =
                (channel.allocate(size.max(1)).unwrap(), channel.allocate(size.max(1)).unwrap());
            channel.write(&here, 0, &text).unwrap();
            let to = if chained || case % 2 == 0 { &there } else { &here };
            channel.cipher(&key, mode, &iv, &here, to, size).unwrap();
            let mut have = vec![0; size];
            channel.read(to, 0, &mut have).unwrap();
            assert!(have == want, "{mode:?}, {size} bytes");
            assert!(channel.cipher(&key, mode, b"none", &here, to, size).is_err() || iv.len() == 4);
        }
        // A key for each row of any length.
        let (rows, len) = (1 + r.below(40), 8 * r.below(20) + if case % 2 == 0 { 0 } else { 8 });
        let keys: Vec<[u8; 32]> = (0..rows).map(|_| self::key(&mut r)).collect();
        let magma: Vec<Magma> = keys.iter().map(Magma::new).collect();
        let gost: Vec<Gost28147> =
            keys.iter().map(|k| Gost28147::new(k, ParamSet::CryptoProA)).collect();
        let text = bytes(&mut r, rows * len);
        let source = channel.allocate(text.len()).unwrap();
        channel.write(&source, 0, &text).unwrap();
        let at: Vec<u64> = (0..rows).map(|i| (i * len) as u64).collect();
        let lengths = vec![len as u64; rows];
        let spans = Spans { at: &at, bytes: &lengths };
        for mode in [MacMode::Omac, MacMode::Imit(Meshing::None)] {
            let all: Vec<Key<'_>> = match mode {
                MacMode::Omac => magma.iter().map(Key::from).collect(),
                _ => gost.iter().map(Key::from).collect(),
            };
            let have = channel.macs(&all, mode, spans, &source).unwrap();
            for (i, key) in all.iter().enumerate() {
                let (message, mut tag) = (&text[i * len..][..len], [0; 8]);
                run(vec![Job::mac(*key, mode, message, &mut tag)])[0].unwrap();
                assert_eq!(have[8 * i..][..8], tag, "{mode:?}, row {i} of {len} bytes");
            }
        }
    }
    let text = channel.allocate(64).unwrap();
    let refused = channel.cipher(&a, Mode::Cbc(Direction::Encrypt), &[0; 16], &text, &text, 64);
    assert!(matches!(refused, Err(Error::Unsupported(_))));
    let refused = channel.cipher(&a, Mode::Ctr, &[0; 8], &text, &text, 65);
    assert!(matches!(refused, Err(Error::Refused(_))));
}
