#!/usr/bin/env bash
# cipher_magma (Rust): its CTR-ACPKM changes the key after each 16 bytes, the section of the standard's example, and no call sets another length. A
# text in two calls is another ciphertext, since each call begins with the first key; CTR in calls, too, unless they end at whole blocks.
#
# Crates: cipher_magma 0.8.3 and, to compare, magma 0.10.0 (crates.io, RustCrypto's); seen with Rust 1.95 on 2026-12-01.
# Input: 3000 bytes by MagmaStream in the modes CTR and CTR_ACPKM, whole and in two calls of encrypt(); MAC, in two calls of update(), too. To compare:
#   CTR, CTR-ACPKM (RFC 8645, 6.2.2) with sections of 16 bytes, and of 1024 bytes as gost-engine has them, made of magma's block cipher.
# Behaviour: encrypt() keeps the counter and, at its end, sets the key back to the first. It counts a block for each part of 8 bytes, so a call that
#   ends within a block throws the rest of the block's mask away. update() pads the last block of each call. Nothing fails, and the crate's decrypt()
#   reads its own text, if it gets calls of the same lengths.
#
# Output seen (the first byte that differs):
#   CTR-ACPKM, whole, from sections of 16 bytes: none
#   CTR-ACPKM, whole, from sections of 1024 bytes: 16
#   CTR-ACPKM, 16 and the rest, from whole: 16
#   CTR-ACPKM, 1024 and the rest, from whole: 1024
#   CTR, whole, from the standard's: none
#   CTR, 1024 and the rest, from whole: none
#   CTR, 1001 and the rest, from whole: 1001
#   MAC, 1024 and the rest: equal
#   MAC, 1001 and the rest: another
# Exit status: 0 if all of this is still so; 1 if it changed; 2 if the crates cannot be had.
set -euo pipefail
script=$(realpath "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/try/src"
cd "$work/try"
cat >Cargo.toml <<'TOML'
[package]
name = "try"
version = "0.1.0"
edition = "2021"

[dependencies]
cipher_magma = "=0.8.3"
magma = "=0.10.0"
TOML
cat >src/main.rs <<'RUST'
use cipher_magma::{mac, CipherMode, MagmaStream};
use magma::cipher::{Array, BlockCipherEncrypt, KeyInit};
use magma::Magma;

const KEY: [u8; 32] = [
    0x88, 0x99, 0xaa, 0xbb, 0xcc, 0xdd, 0xee, 0xff, 0x00, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0xfe, 0xdc, 0xba, 0x98, 0x76, 0x54, 0x32,
    0x10, 0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef,
];
const IV: u32 = 0x12345678;

fn block(cipher: &Magma, bytes: [u8; 8]) -> [u8; 8] {
    let mut block = Array::from(bytes);
    cipher.encrypt_block(&mut block);
    block.into()
}

/// CTR whose key changes after each `section` bytes.
fn standard(text: &[u8], section: usize) -> Vec<u8> {
    let mut cipher = Magma::new(&Array::from(KEY));
    let mut out = Vec::new();
    for (number, part) in text.chunks(8).enumerate() {
        if number > 0 && number * 8 % section == 0 {
            let key: Vec<u8> = (0..4).flat_map(|i| block(&cipher, std::array::from_fn(|j| 0x80 + 8 * i + j as u8))).collect();
            cipher = Magma::new(&Array::try_from(&key[..]).unwrap());
        }
        let mask = block(&cipher, (u64::from(IV) << 32 | number as u64).to_be_bytes());
        out.extend(part.iter().zip(mask).map(|(byte, mask)| byte ^ mask));
    }
    out
}

fn stream(mode: CipherMode, text: &[u8], first: usize) -> Vec<u8> {
    let mut magma = MagmaStream::new(KEY, mode);
    magma.set_iv(&[u64::from(IV) << 32]);
    let mut out = magma.encrypt(&text[..first]);
    out.extend(magma.encrypt(&text[first..]));
    out
}

fn code(text: &[u8], first: usize) -> u32 {
    let mut magma = MagmaStream::new(KEY, CipherMode::MAC);
    mac::update(&mut magma, &text[..first]);
    mac::update(&mut magma, &text[first..]);
    mac::finalize(&mut magma)
}

fn differ(name: &str, one: &[u8], other: &[u8]) {
    let place = one.iter().zip(other).position(|(a, b)| a != b);
    println!("{name}: {}", place.map_or("none".to_string(), |place| place.to_string()));
}

fn main() {
    let text: Vec<u8> = (0..3000).map(|i| (i * i % 251) as u8).collect();
    let whole = stream(CipherMode::CTR_ACPKM, &text, 3000);
    differ("CTR-ACPKM, whole, from sections of 16 bytes", &whole, &standard(&text, 16));
    differ("CTR-ACPKM, whole, from sections of 1024 bytes", &whole, &standard(&text, 1024));
    for first in [16, 1024] {
        differ(&format!("CTR-ACPKM, {first} and the rest, from whole"), &stream(CipherMode::CTR_ACPKM, &text, first), &whole);
    }
    let whole = stream(CipherMode::CTR, &text, 3000);
    differ("CTR, whole, from the standard's", &whole, &standard(&text, usize::MAX));
    for first in [1024, 1001] {
        differ(&format!("CTR, {first} and the rest, from whole"), &stream(CipherMode::CTR, &text, first), &whole);
    }
    let mut magma = MagmaStream::new(KEY, CipherMode::MAC);
    let whole = mac::calculate(&mut magma, &text);
    for first in [1024, 1001] {
        println!("MAC, {first} and the rest: {}", if code(&text, first) == whole { "equal" } else { "another" });
    }
}
RUST
CARGO_TARGET_DIR=$work/target cargo build -q >cargo.log 2>&1 || { tail -5 cargo.log; exit 2; }
"$work/target/debug/try" | tee seen
sed -n '/^# Output seen/,/^# Exit status/s/^#   //p' "$script" >expected
if cmp -s seen expected; then echo "as described"; else echo "no longer as described"; exit 1; fi
