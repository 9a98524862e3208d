//! Checks docs/FORMAT.md against the program: its example, and a writer made only from the page over the models of
//! `verification/reference/`, which share no code with the library. Argon2id is the only function that both have from one
//! crate; the reader in `bindings/python/tests/format_reader.py` has its own.

use argon2::{Algorithm, Argon2, Params, Version};
use bulat_container::{Cipher, Credential, Header, Kdf, Source, seal};
use reference::kdf::{Hash, hmac, kdf_tree, pbkdf2};
use reference::streebog::{hash256, hash512};
use reference::{kuznyechik::Kuznyechik, magma::Magma, mgm};

/// Returns the bytes from this one on.
fn run<const N: usize>(from: u8) -> [u8; N] {
    core::array::from_fn(|i| from + i as u8)
}

/// A slot: its place, its source, its secret, its salt.
type Plan = (usize, Source, &'static [u8], [u8; 16]);

fn key_slot(at: usize) -> Plan {
    const KEY: [u8; 32] = {
        let (mut key, mut i) = ([0; 32], 0);
        while i < 32 {
            key[i] = i as u8;
            i += 1;
        }
        key
    };
    (at, Source::KeyFile, &KEY, run(0x60))
}

fn pbkdf2_slot(at: usize) -> Plan {
    (at, Source::Password(Kdf::Pbkdf2 { iterations: 2 }), b"password", run(0x70))
}

fn argon2_slot(at: usize) -> Plan {
    let kdf = Kdf::Argon2id { memory: 32, passes: 1, lanes: 4 };
    (at, Source::Password(kdf), b"another", run(0x80))
}

fn credential<'a>(plan: &Plan) -> Credential<'a> {
    match plan.1 {
        Source::KeyFile => Credential::Key(plan.2.try_into().unwrap()),
        Source::Password(_) => Credential::Password(plan.2),
    }
}

/// The container that the program makes. The first slot of the plan is at place 0.
fn program(cipher: Cipher, c: u8, name: &str, plans: &[Plan], text: &[u8]) -> Vec<u8> {
    let mut fresh: [u8; 80] = run(0x20);
    fresh[64..].copy_from_slice(&plans[0].3);
    let (mut header, keys) =
        Header::new(cipher, c, name, plans[0].1, credential(&plans[0]), &fresh).unwrap();
    for plan in &plans[1..] {
        // Slots before its place are filled, and emptied again.
        let mut before = Vec::new();
        loop {
            let at = header.add(&keys, plan.1, credential(plan), &plan.3).unwrap();
            if at == plan.0 {
                break;
            }
            before.push(at);
        }
        before.into_iter().for_each(|at| header.remove(&keys, at).unwrap());
    }
    let mut out = header.bytes().to_vec();
    seal(&keys, 1, &mut &*text, &mut out, &mut |_| Ok(())).unwrap();
    out
}

/// Returns the text and zeros, n bytes in all.
fn pad(n: usize, text: &str) -> Vec<u8> {
    let mut block = text.as_bytes().to_vec();
    block.resize(n, 0);
    block
}

/// Sections 2 to 6, implemented from the page: returns the header, and the chunks of these numbers.
fn page(
    number: u8,
    c: u8,
    name: &str,
    plans: &[Plan],
    text: &[u8],
    wanted: impl Fn(usize, usize) -> bool,
) -> (Vec<u8>, Vec<(usize, Vec<u8>)>) {
    let mut out = b"bulat\x1a\x00\x01".to_vec();
    out.extend([number, c, 0, name.len() as u8, 0, 0, 0, 0]);
    out.extend(run::<32>(0x20));
    out.extend(name.as_bytes());
    out.resize(480, 0);
    let a = hash256(&out);
    let d: [u8; 32] = run(0x40);
    out.resize(2016, 0);
    for (at, source, secret, salt) in plans {
        let password = [&pad(64, "bulat/1 password"), *secret].concat();
        let (kind, cost, k) = match *source {
            Source::KeyFile => (1, [0; 3], secret.to_vec()),
            Source::Password(Kdf::Pbkdf2 { iterations }) => {
                let k = pbkdf2(Hash::Streebog512, &password, salt, iterations, 32).unwrap();
                (2, [iterations, 0, 0], k)
            }
            Source::Password(Kdf::Argon2id { memory, passes, lanes }) => {
                let params = Params::new(memory, passes, lanes, Some(32)).unwrap();
                let mut k = vec![0; 32];
                Argon2::new(Algorithm::Argon2id, Version::V0x13, params)
                    .hash_password_into(&password, salt, &mut k)
                    .unwrap();
                (3, [memory, passes, lanes], k)
            }
        };
        let s = hash512(&[&pad(48, "bulat/1 key")[..], salt, &k].concat());
        let derived = kdf_tree(&s, b"bulat/1 slot", &a, 1, 64).unwrap();
        let wrapped: Vec<u8> = d.iter().zip(&derived).map(|(d, mask)| d ^ mask).collect();
        let mut slot = vec![kind, 0, 0, 0];
        cost.iter().for_each(|n| slot.extend(n.to_be_bytes()));
        slot.extend([&salt[..], &wrapped, &derived[32..]].concat());
        out[480 + 96 * at..][..96].copy_from_slice(&slot);
    }
    let derived = kdf_tree(&d, b"bulat/1 file", &a, 1, 64).unwrap();
    let code = hmac(Hash::Streebog256, &derived[32..], &out);
    out.extend(code);
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
        sealed.push((2048 + i * ((1 << c) + n), text));
    }
    (out, sealed)
}

/// Returns the bytes as the page prints them: places and digits, without lines of zeros.
fn printed(bytes: &[u8]) -> String {
    let lines = bytes.chunks(32).enumerate().filter(|(_, line)| line.iter().any(|b| *b != 0));
    lines
        .map(|(n, line)| format!("{:<5}{}\n", 32 * n, bulat_container::digits::hex(line)))
        .collect()
}

#[test]
fn example_of_the_page() {
    let page = include_str!("../../../docs/FORMAT.md");
    let (_, example) = page.split_once("## 8. Example").expect("the section");
    let block = example.split("```").nth(1).expect("the example").trim_start();
    let plans = [key_slot(0), pbkdf2_slot(1), argon2_slot(3)];
    let (mut model, chunks) = self::page(1, 12, "a.txt", &plans, b"abc", |_, _| true);
    model.extend(&chunks[0].1);
    let made = program(Cipher::Kuznyechik, 12, "a.txt", &plans, b"abc");
    assert!(model == made, "the model and the program");
    let model = printed(&model);
    assert!(model == block, "the page must have:\n{model}");
}

#[test]
fn page_and_program_agree() {
    let agree = |plans: &[Plan], name: &str, c: u8, len: usize| {
        let text: Vec<u8> = (0..len).map(|i| (i % 253) as u8).collect();
        for (number, cipher) in [(1, Cipher::Kuznyechik), (2, Cipher::Magma)] {
            let made = program(cipher, c, name, plans, &text);
            // For a long file, only the first chunk and the last two.
            let wanted = |i: usize, of: usize| of < 4 || i == 0 || i + 2 >= of;
            let (header, chunks) = page(number, c, name, plans, &text, wanted);
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
        agree(&[key_slot(0)], "", 12, len);
    }
    agree(&[pbkdf2_slot(0)], "", 12, 5000);
    agree(&[argon2_slot(0), key_slot(15)], "имя", 12, 5000);
    agree(&[pbkdf2_slot(0), argon2_slot(1), key_slot(7)], &"n".repeat(200), 13, 8193);
}

/// The input of HMAC under a key of 32 bytes never begins like the input from which a container's keys are derived; nor
/// can that input be typed as a password.
#[test]
fn containers_have_hashes_of_their_own() {
    let ours = pad(48, "bulat/1 key");
    for pad in [0x36, 0x5c] {
        // The key, padded with zeros to a block and added to HMAC's pad.
        assert!(ours[32..].iter().all(|o| *o != pad));
    }
    assert!(pad(64, "bulat/1 password").contains(&0));
}
