//! Checks docs/FORMAT.md against the program: its examples, and a writer made only from the page over the models of
//! `verification/reference/`, which share no code with the library.

use bulat_container::digits::{hex, unhex};
use bulat_container::{Cipher, Credential, Header, Source, seal};
use reference::kdf::{Hash, hmac, kdf_tree, pbkdf2};
use reference::streebog::{hash256, hash512};
use reference::{kuznyechik::Kuznyechik, magma::Magma, mgm};

fn key() -> [u8; 32] {
    core::array::from_fn(|i| i as u8)
}

fn salt() -> [u8; 32] {
    core::array::from_fn(|i| 32 + i as u8)
}

const PASSWORD: &[u8] = b"password";

/// The two kinds of secrets for a file's keys.
const BY_KEY: Source = Source::KeyFile;
const BY_PASSWORD: Source = Source::Password { iterations: 2 };

fn program(cipher: Cipher, source: Source, chunk_log2: u8, text: &[u8]) -> Vec<u8> {
    let (key, password) = (key(), Credential::Password(PASSWORD));
    let secret = if source == BY_KEY { Credential::Key(&key) } else { password };
    let (header, keys) = Header::new(cipher, source, chunk_log2, salt(), secret).unwrap();
    let mut out = header.bytes().to_vec();
    seal(&keys, 1, &mut &*text, &mut out, &mut |_| Ok(())).unwrap();
    out
}

/// Returns the text and zeros, 64 bytes in all.
fn block(text: &str) -> Vec<u8> {
    let mut block = text.as_bytes().to_vec();
    block.resize(64, 0);
    block
}

/// Sections 2 to 4, implemented from the page: returns the header, and the chunks of these numbers.
fn page(
    number: u8,
    source: Source,
    c: u8,
    text: &[u8],
    wanted: impl Fn(usize, usize) -> bool,
) -> (Vec<u8>, Vec<(usize, Vec<u8>)>) {
    let mut out = b"bulat\x1a\x00\x01".to_vec();
    let k = match source {
        Source::KeyFile => {
            out.extend([number, 1, c, 0, 0, 0, 0, 0]);
            key().to_vec()
        }
        Source::Password { iterations } => {
            out.extend([number, 2, c, 0]);
            out.extend(iterations.to_be_bytes());
            let password = [&block("bulat/1 password"), PASSWORD].concat();
            pbkdf2(Hash::Streebog512, &password, &salt(), iterations, 32).unwrap()
        }
    };
    out.extend(salt());
    let s = hash512(&[&block("bulat/1 key")[..], &salt(), &k].concat());
    let derived = kdf_tree(&s, b"bulat/1 file", &salt(), 1, 96).unwrap();
    out.extend(&derived[32..64]);
    let code = hmac(Hash::Streebog256, &derived[64..], &out);
    out.extend(code);
    let a = hash256(&out);
    let (n, group) = if number == 1 { (16, 128 << 20) } else { (8, 2 << 20) };
    let empty: [&[u8]; 1] = [b""];
    let chunks: Vec<&[u8]> =
        if text.is_empty() { empty.into() } else { text.chunks(1 << c).collect() };
    let mut sealed = Vec::new();
    for (i, chunk) in chunks.iter().enumerate().filter(|(i, _)| wanted(*i, chunks.len())) {
        let g = (i / (group / (1 << c))) as u64;
        let key = kdf_tree(&derived[..32], b"bulat/1 group", &g.to_be_bytes(), 1, 32).unwrap();
        let mut nonce = vec![0; n];
        nonce[n - 7..].copy_from_slice(&(i as u64).to_be_bytes()[1..]);
        nonce[0] = u8::from(i + 1 == chunks.len());
        let (mut text, tag) = match number {
            1 => mgm::encrypt(&Kuznyechik::new(&key).unwrap(), &nonce, &a, chunk, n).unwrap(),
            _ => mgm::encrypt(&Magma::new(&key).unwrap(), &nonce, &a, chunk, n).unwrap(),
        };
        text.extend(tag);
        sealed.push((112 + i * ((1 << c) + n), text));
    }
    (out, sealed)
}

#[test]
fn examples_of_the_page() {
    let page = include_str!("../../docs/FORMAT.md");
    let (_, examples) = page.split_once("## 6. Examples").expect("the section");
    let blocks: Vec<&str> = examples.split("```").skip(1).step_by(2).collect();
    assert_eq!(blocks.len(), 2);
    for (block, source) in blocks.into_iter().zip([BY_KEY, BY_PASSWORD]) {
        let digits: String = block.split_whitespace().collect();
        let expected = unhex(digits.as_bytes()).unwrap_or_default();
        let (mut model, chunks) = self::page(1, source, 12, b"abc", |_, _| true);
        model.extend(&chunks[0].1);
        assert_eq!(hex(&model), hex(&expected), "the model and the page");
        let made = program(Cipher::Kuznyechik, source, 12, b"abc");
        assert_eq!(hex(&made), hex(&expected), "the program and the page");
    }
}

#[test]
fn page_and_program_agree() {
    let agree = |source, c: u8, len: usize| {
        let text: Vec<u8> = (0..len).map(|i| (i % 253) as u8).collect();
        for (number, cipher) in [(1, Cipher::Kuznyechik), (2, Cipher::Magma)] {
            let made = program(cipher, source, c, &text);
            // For a long file, only the first chunk and the last two.
            let wanted = |i: usize, of: usize| of < 4 || i == 0 || i + 2 >= of;
            let (header, chunks) = page(number, source, c, &text, wanted);
            assert!(made.starts_with(&header), "{cipher:?} {len}");
            for (at, chunk) in &chunks {
                assert!(made[*at..].starts_with(chunk), "{cipher:?} {len}, chunk at {at}");
            }
            let (at, last) = chunks.last().expect("one at least");
            assert_eq!(made.len(), at + last.len());
        }
    };
    // The last is a little more than 2 MiB, for Magma's second key.
    for len in [0, 1, 4095, 4096, 4097, 8192, 10_000, (2 << 20) + 4097] {
        agree(BY_KEY, 12, len);
    }
    agree(BY_PASSWORD, 12, 5000);
    agree(BY_KEY, 13, 8193);
}

/// The input of HMAC under a key of 32 bytes never begins like the input from which a container's keys are derived; nor
/// can that input be typed as a password.
#[test]
fn containers_have_hashes_of_their_own() {
    let ours = block("bulat/1 key");
    for pad in [0x36, 0x5c] {
        // The key, padded with zeros to a block and added to HMAC's pad.
        assert!(ours[32..].iter().all(|o| *o != pad));
    }
    assert!(block("bulat/1 password").contains(&0));
}
