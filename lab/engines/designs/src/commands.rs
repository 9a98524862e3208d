//! The command besides the engine.

use std::fs::File;
use std::io::Read as _;

use crate::list;
use crate::s_files::Hash;

const USAGE: &str = "usage: designs                              an engine of the lab
       designs hash VARIANT FILE [256|512]  a file's Streebog, by one of the variants s-files-*";

/// Runs the command in `words`.
pub fn run(words: &[&str]) -> Result<(), String> {
    match words {
        ["hash", variant, file] | ["hash", variant, file, "512"] => hash(variant, file, false),
        ["hash", variant, file, "256"] => hash(variant, file, true),
        _ => Err(USAGE.into()),
    }
}

/// Prints the digest of a file, read in pieces of 1 MB.
fn hash(variant: &str, name: &str, short: bool) -> Result<(), String> {
    let all = list::versions();
    let compress = all.iter().find(|(name, _)| *name == variant).map(|(_, compress)| *compress);
    let Some(compress) = compress else {
        let names: Vec<&str> = all.iter().map(|(name, _)| *name).collect();
        return Err(format!(
            "no variant {variant} on this machine; there are {}",
            names.join(", ")
        ));
    };
    let why = |e| format!("{name}: {e}");
    let mut file = File::open(name).map_err(why)?;
    let mut hash = Hash::new(compress, short);
    let mut piece = vec![0; 1 << 20];
    loop {
        match file.read(&mut piece).map_err(why)? {
            0 => break,
            n => hash.update(&piece[..n]),
        }
    }
    let digest = hash.finish();
    let hex = digest[if short { 32 } else { 0 }..].iter().map(|byte| format!("{byte:02x}"));
    println!("{}  {name}", hex.collect::<String>());
    Ok(())
}
