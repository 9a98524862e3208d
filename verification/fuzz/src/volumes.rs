//! Headers of LUKS1 and VeraCrypt, made of a good header by chosen changes: each is read or refused, and of a header
//! that is read all places lie where they may. `crates/volumes/tests/parsers.rs` gives the functions random choices.
#![allow(dead_code)] // each target has one of the two

use std::sync::Arc;

use bulat_block::veracrypt::{self, ALGORITHMS, Place, Prf};
use bulat_block::{Limits, Memory, luks1};
use testkit::Random;

const SIZE: u64 = 1 << 20;
/// Room for eight keyslots of 4000 stripes of 64 bytes.
const LUKS1: u64 = 2 << 20;

/// The most that a header may ask for here, so that a run is short.
const LIMITS: Limits = Limits { iterations: 5000, memory: 256, passes: 4 };

/// Mostly the first.
fn pick<T: Copy>(r: &mut Random, list: &[T]) -> T {
    if r.below(8) != 0 { list[0] } else { list[r.below(list.len())] }
}

/// A LUKS1 header that opens nothing. Whether it was read.
pub fn luks1(input: &[u8]) -> bool {
    let mut r = Random::given(input);
    let mut bytes = [0u8; luks1::LEN];
    bytes[..8].copy_from_slice(b"LUKS\xba\xbe\0\x01");
    let mut put = |at: usize, text: &[u8]| bytes[at..at + text.len()].copy_from_slice(text);
    put(8, pick(&mut r, &[&b"kuznyechik"[..], b"aes", b"magma"]));
    put(40, pick(&mut r, &[&b"xts-plain64"[..], b"xts-plain", b"cbc-essiv:sha256"]));
    put(72, pick(&mut r, &[&b"sha256"[..], b"stribog512", b"sha1"]));
    put(104, &pick(&mut r, &[4032u32, 600, 0, u32::MAX]).to_be_bytes());
    put(108, &pick(&mut r, &[64u32, 32, 0, u32::MAX]).to_be_bytes());
    put(164, &pick(&mut r, &[1u32, 10, 0, u32::MAX]).to_be_bytes());
    for slot in 0..8 {
        let used = r.below(3) == 0;
        put(208 + 48 * slot, &if used { 0x00ac_71f3u32 } else { 0xdead }.to_be_bytes());
        put(212 + 48 * slot, &pick(&mut r, &[1u32, 3, 0, u32::MAX]).to_be_bytes());
        // Else few were read.
        let chance = |r: &mut Random| r.below(20) == 0;
        let place = 8 + 500 * slot as u32;
        let other =
            if chance(&mut r) { pick(&mut r, &[place + 1, 8, 0, 3600, u32::MAX]) } else { place };
        put(248 + 48 * slot, &other.to_be_bytes());
        let other = if chance(&mut r) { pick(&mut r, &[400u32, 1, 0, u32::MAX]) } else { 4000 };
        put(252 + 48 * slot, &other.to_be_bytes());
    }
    for _ in 0..r.below(4) {
        let at = r.below(luks1::LEN);
        bytes[at] ^= 1 << r.below(8);
    }
    let size = pick(&mut r, &[LUKS1, 4032 * 512, 4096]);
    let Ok(header) = luks1::Header::parse(&bytes, size) else { return false };
    let store = Arc::new(Memory::new(vec![0x5a; size as usize]));
    assert!(header.offset <= size && header.end <= header.offset);
    for slot in &header.slots {
        let end = slot.offset + 4000 * header.key_len as u64;
        assert!(slot.offset >= luks1::LEN as u64 && end <= header.end);
    }
    assert!(header.unlock(&*store, b"one", &LIMITS).is_err());
    let key: [u8; 64] = std::array::from_fn(|i| i as u8);
    let volume = header.open(store, &key[..header.key_len.min(64)], false);
    assert_eq!(volume.is_err(), header.unsupported().is_some());
    assert!(volume.is_ok_and(|volume| volume.len() <= size) || header.unsupported().is_some());
    true
}

/// The 448 bytes of a VeraCrypt header. Whether it was read.
pub fn veracrypt(input: &[u8]) -> bool {
    let mut r = Random::given(input);
    let mut text = vec![0u8; 448];
    let mut put = |at: usize, bytes: &[u8]| text[at..at + bytes.len()].copy_from_slice(bytes);
    put(0, b"VERA");
    put(4, &pick(&mut r, &[5u16, 4, 3, 6, u16::MAX]).to_be_bytes());
    put(6, &pick(&mut r, &[0x010bu16, 0, 0x0126, 0x0127, u16::MAX]).to_be_bytes());
    const LONG: [u64; 8] = [SIZE / 2, 131_072, 512, 0, 1, SIZE, u64::MAX - 511, u64::MAX];
    for at in [28, 36, 44, 52] {
        put(at, &pick(&mut r, &LONG).to_be_bytes());
    }
    put(60, &pick(&mut r, &[0u32, 1, 2, u32::MAX]).to_be_bytes());
    put(64, &pick(&mut r, &[512u32, 4096, 0, 513, u32::MAX]).to_be_bytes());
    let (cipher, hash) = (pick(&mut r, &ALGORITHMS), pick(&mut r, &Prf::ALL));
    let keys = r.bytes(64 * cipher.blocks.len());
    put(192, &keys);
    for _ in 0..r.below(3) {
        text[r.below(448)] ^= 1 << r.below(8);
    }
    let crc = |bytes: &[u8]| {
        !bytes.iter().fold(!0u32, |crc, byte| {
            (0..8)
                .fold(crc ^ u32::from(*byte), |c, _| c >> 1 ^ 0xedb8_8320 & (c & 1).wrapping_neg())
        })
    };
    if r.below(8) != 0 {
        let keys = crc(&text[192..]).to_be_bytes();
        text[8..12].copy_from_slice(&keys);
    }
    if r.below(8) != 0 {
        let sum = crc(&text[..188]).to_be_bytes();
        text[188..192].copy_from_slice(&sum);
    }
    let read = veracrypt::Header::parse(text.into(), hash, cipher, Place::Volume);
    let Ok(Some(header)) = read else { return false };
    assert!(header.offset.checked_add(header.len).is_some() && header.len > 0);
    if let Ok(volume) = header.open(Arc::new(Memory::new(vec![0; SIZE as usize])), true) {
        volume.write_at(&[1; 100], volume.len() - 100).expect("in memory");
        volume.read_at(&mut [0; 100], 0).expect("in memory");
    }
    true
}
