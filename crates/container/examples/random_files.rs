//! Makes random containers with random slots, for readers in other languages: in DIR the files `N.bulat`, `N.plain`, and
//! `N.secrets`, a line for each slot: `key` or `password`, and its bytes in digits. The costs of passwords are far too small.
//!
//! ```sh
//! cargo run -p bulat-container --example random_files -- DIR COUNT
//! ```

use std::error::Error;
use std::fs;
use std::path::Path;

use bulat_container::digits::hex;
use bulat_container::header::SLOTS;
use bulat_container::{Cipher, Credential, Header, Kdf, Source, seal};
use testkit::Random;

/// A slot's source, and its secret.
fn secret(r: &mut Random) -> (Source, Vec<u8>) {
    let lanes = 1 + r.below(3) as u32;
    let kdf = match r.below(3) {
        0 => return (Source::KeyFile, r.bytes(32)),
        1 => Kdf::Pbkdf2 { iterations: 1 + r.below(9) as u32 },
        _ => Kdf::Argon2id {
            memory: 8 * lanes + r.below(30) as u32,
            passes: 1 + r.below(2) as u32,
            lanes,
        },
    };
    let len = 1 + r.below(100);
    // A password of the command has no zero byte.
    (Source::Password(kdf), r.bytes(len).iter().map(|byte| byte.max(&1)).copied().collect())
}

fn credential(source: Source, secret: &[u8]) -> Credential<'_> {
    match source {
        Source::KeyFile => Credential::Key(secret.try_into().expect("32 bytes")),
        Source::Password(_) => Credential::Password(secret),
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().collect();
    let [_, dir, count] = &args[..] else { return Err("usage: random_files DIR COUNT".into()) };
    let mut r = Random::new(44);
    for n in 0..count.parse()? {
        let at = |end: &str| Path::new(dir).join(format!("{n}.{end}"));
        let cipher = [Cipher::Kuznyechik, Cipher::Magma][r.below(2)];
        let log2 = 12 + r.below(3) as u8;
        let name = ["", "a.txt", "имя", "n".repeat(432).as_str()][r.below(4)].to_string();
        let (source, first) = secret(&mut r);
        let made = Header::new(cipher, log2, &name, source, credential(source, &first), &r.array());
        let (mut header, keys) = made?;
        let mut secrets = vec![(0, source, first)];
        for _ in 0..[0, r.below(4), SLOTS - 1][r.below(3)] {
            let (source, more) = secret(&mut r);
            let slot = header.add(&keys, source, credential(source, &more), &r.array())?;
            secrets.push((slot, source, more));
        }
        // Some slots are changed, and some removed.
        for _ in 0..r.below(4) {
            let at = r.below(secrets.len());
            let (slot, source, old) = &mut secrets[at];
            if r.below(2) == 0 {
                *old = secret(&mut r).1;
                *source = match old.len() {
                    32 => Source::KeyFile,
                    _ => Source::Password(Kdf::Pbkdf2 { iterations: 3 }),
                };
                header.change(&keys, *slot, *source, credential(*source, old), &r.array())?;
            } else if header.remove(&keys, *slot).is_ok() {
                secrets.remove(at);
            }
        }
        let len = [0, 1, 4095, 4096, 4097, r.below(40_000)][r.below(6)];
        let plain = r.bytes(len);
        let mut sealed = header.bytes().to_vec();
        seal(&keys, 1, &mut &plain[..], &mut sealed, &mut |_| Ok(()))?;
        let lines = secrets.iter().map(|(_, source, secret)| {
            let kind = if *source == Source::KeyFile { "key" } else { "password" };
            format!("{kind} {}\n", hex(secret))
        });
        fs::write(at("secrets"), lines.collect::<String>())?;
        fs::write(at("plain"), plain)?;
        fs::write(at("bulat"), sealed)?;
    }
    Ok(())
}
