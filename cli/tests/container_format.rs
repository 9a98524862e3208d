//! docs/FORMAT.md against the program: the example there, and a writer made from the page alone.

use bulat::kdf::{Hmac256, kdf_tree};
use bulat::modes::{Aead as _, Mac as _, Mgm};
use bulat::{Kuznyechik, Magma, Streebog256};
use bulat_cli::container::{Cipher, Credential, Header, Source, seal};
use bulat_cli::sums::{hex, unhex};

fn key() -> [u8; 32] {
    core::array::from_fn(|i| i as u8)
}

fn salt() -> [u8; 32] {
    core::array::from_fn(|i| 32 + i as u8)
}

fn program(cipher: Cipher, chunk_log2: u8, text: &[u8]) -> Vec<u8> {
    let secret = Credential::Key(&key());
    let (header, keys) = Header::new(cipher, Source::KeyFile, chunk_log2, salt(), secret).unwrap();
    let mut out = header.bytes().to_vec();
    seal(&keys, 1, &mut &*text, &mut out, &mut |_| ()).unwrap();
    out
}

/// Sections 2 to 4, written from the page.
fn page(number: u8, c: u8, text: &[u8]) -> Vec<u8> {
    let mut out = b"bulat\x1a\x00\x01".to_vec();
    out.extend([number, 1, c, 0, 0, 0, 0, 0]);
    out.extend(salt());
    let mut derived = [0; 96];
    kdf_tree(&key(), b"bulat/1 file", &salt(), 1, &mut derived).unwrap();
    out.extend(&derived[32..64]);
    let mut hmac = Hmac256::new(&derived[64..]);
    hmac.update(&out).unwrap();
    let mut code = [0; 32];
    hmac.finish(&mut code).unwrap();
    out.extend(code);
    let a = Streebog256::digest(&out);
    let (n, group) = if number == 1 { (16, 128 << 20) } else { (8, 2 << 20) };
    let empty: [&[u8]; 1] = [b""];
    let chunks: Vec<&[u8]> =
        if text.is_empty() { empty.into() } else { text.chunks(1 << c).collect() };
    for (i, chunk) in chunks.iter().enumerate() {
        let g = (i / (group / (1 << c))) as u64;
        let mut key = [0; 32];
        kdf_tree(&derived[..32], b"bulat/1 group", &g.to_be_bytes(), 1, &mut key).unwrap();
        let mut nonce = vec![0; n];
        nonce[n - 7..].copy_from_slice(&(i as u64).to_be_bytes()[1..]);
        nonce[0] = u8::from(i + 1 == chunks.len());
        let (mut text, mut tag) = (chunk.to_vec(), vec![0; n]);
        if number == 1 {
            let mut mgm = Mgm::new(Kuznyechik::new(&key), &nonce, n).unwrap();
            mgm.aad(&a).unwrap();
            mgm.seal(text[..].as_mut().into()).unwrap();
            mgm.finish(&mut tag).unwrap();
        } else {
            let mut mgm = Mgm::new(Magma::new(&key), &nonce, n).unwrap();
            mgm.aad(&a).unwrap();
            mgm.seal(text[..].as_mut().into()).unwrap();
            mgm.finish(&mut tag).unwrap();
        }
        out.extend(text);
        out.extend(tag);
    }
    out
}

#[test]
fn container_format() {
    let page = include_str!("../../docs/FORMAT.md");
    let (_, example) = page.split_once("## 6. Example").expect("the section");
    let block = example.split("```").nth(1).expect("a block");
    let digits: String = block.split_whitespace().collect();
    let expected = unhex(digits.as_bytes()).unwrap_or_default();
    let made = program(Cipher::Kuznyechik, 12, b"abc");
    assert_eq!(hex(&made), hex(&expected));
}

#[test]
fn page_and_program_agree() {
    // The last: 2 MiB and a little, for Magma's second key.
    for len in [0, 1, 4095, 4096, 4097, 8192, 10_000, (2 << 20) + 4097] {
        let text: Vec<u8> = (0..len).map(|i: usize| (i % 253) as u8).collect();
        for (number, cipher) in [(1, Cipher::Kuznyechik), (2, Cipher::Magma)] {
            assert!(page(number, 12, &text) == program(cipher, 12, &text), "{cipher:?} {len}");
        }
    }
    assert!(page(2, 17, &[7; 200_000]) == program(Cipher::Magma, 17, &[7; 200_000]));
}
