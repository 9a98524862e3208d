//! The published designs of GOST ciphers and hashes, written again from their descriptions, as an engine of
//! the lab.
//!
//! # TABLES ON SECRETS: NEVER FOR USE
//!
//! These functions look up tables at addresses made of keys and texts. Anyone who shares the machine can learn the
//! key from their times and their traces in the caches; keys are never wiped. They exist to be measured against the
//! library, which does none of this. Each is named `*_vartime`, the crate is not published, and nothing
//! but the lab may depend on it.
//!
//! `README.md` has the list of variants. Without arguments this is an engine; `designs hash VARIANT FILE` is a whole process
//! for a timer of processes.

mod commands;
mod constants;
mod e_kuz;
mod e_mag;
mod g_node;
mod k_asm;
mod kuznyechik;
mod list;
mod m_avx2;
mod magma;
mod modes;
mod s_files;
#[cfg(target_arch = "x86_64")]
mod simd;
mod streams;
#[cfg(test)]
mod tests;

use std::process::ExitCode;

use engine::{Case, Engine, Work, serve};

struct Designs;

impl Engine for Designs {
    fn name(&self) -> (String, String) {
        (env!("CARGO_PKG_NAME").into(), env!("CARGO_PKG_VERSION").into())
    }

    fn list(&self) -> Vec<(String, String)> {
        list::all().iter().map(|d| (d.algorithm.into(), d.variant.into())).collect()
    }

    fn open(&self, case: &Case) -> Result<Work, String> {
        let all = list::all();
        let Some(design) =
            all.iter().find(|d| d.algorithm == case.algorithm && d.variant == case.variant)
        else {
            let (algorithm, variant) = (&case.algorithm, &case.variant);
            return Err(if all.iter().any(|d| d.variant == variant) {
                format!("{variant} does not have {algorithm}")
            } else {
                format!("{variant} is not among the designs of this machine")
            });
        };
        match list::refusal(case) {
            Some(why) => Err(why),
            None => Ok((design.work)(case)),
        }
    }
}

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let done = match words[..] {
        [] => serve(&Designs).map_err(|e| e.to_string()),
        _ => commands::run(&words),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("designs: {why}");
            ExitCode::FAILURE
        }
    }
}
