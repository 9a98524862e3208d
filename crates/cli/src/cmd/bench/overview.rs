//! `bulat bench` without other options: an overview of this machine within a minute.

use std::fmt::Write as _;
use std::time::Duration;

use bulat::algorithm::{ALGORITHMS, Algorithm, Kind, Params, Session};
use bulat::survey;
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;

use super::{bounds, clock, peer};
use crate::error::{Exit, Result};
use crate::io::print;

/// The bytes of the text, which fits in the cache.
const TEXT: usize = 16 << 10;

/// The results of an algorithm.
struct Row {
    algorithm: &'static Algorithm,
    /// Cycles per byte.
    cycles: f64,
    /// The bound of the picked kernel, in cycles per byte.
    bound: Option<f64>,
    /// The peer's speed in bytes per second.
    peer: Option<f64>,
}

/// Runs `bulat bench`.
pub fn run(seconds: f64, with_peer: bool, json: bool) -> Result<Exit> {
    let all: Vec<&Algorithm> = ALGORITHMS.iter().filter(|a| a.has_sessions()).collect();
    let bar = ProgressBar::new(all.len() as u64); // draws only on terminals
    if let Ok(style) = ProgressStyle::with_template("{msg:28} {bar:24} {pos}/{len}, {eta} left") {
        bar.set_style(style);
    }
    let peer = match with_peer {
        true => peer::find(),
        false => Err("none is asked for".into()),
    };
    let each = Duration::from_secs_f64(seconds / all.len() as f64);
    let (mut rows, mut clock) = (Vec::new(), Vec::new());
    for algorithm in all {
        bar.set_message(algorithm.name);
        if let Some(work) = work(algorithm) {
            rows.push(Row {
                algorithm,
                // The median, because the peer reports a total over its runs.
                cycles: clock::measure(work, TEXT, each, &mut clock).1,
                bound: bounds::bound(algorithm.name),
                peer: peer.as_ref().ok().and_then(|_| peer::speed(algorithm.name)),
            });
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    clock.sort_by(f64::total_cmp);
    let hertz = 1.0 / clock.get(clock.len() / 2).copied().unwrap_or(f64::NAN);
    print(if json { as_json(&rows, hertz, &peer) } else { as_text(&rows, hertz, &peer) })
        .map(|()| Exit::Success)
}

/// Prepares a message of [`TEXT`] bytes to encrypt, seal, hash or authenticate; the key is set up once.
fn work(a: &'static Algorithm) -> Option<impl FnMut()> {
    let key = clock::random(if a.kind == Kind::Hash { 0 } else { a.key.max(32) });
    let iv = vec![1; a.iv.usual()];
    let mut session = a.session(&Params::new(&key).iv(&iv)).ok()?;
    let (mut text, mut out) = (clock::random(TEXT), [0; 64]);
    Some(move || match &mut session {
        Session::Hash(hash) => {
            hash.update(&text);
            hash.finalize_reset(&mut out).expect("room");
        }
        Session::Mac(mac) => {
            mac.update(&text);
            mac.finalize_reset().expect("a tag");
        }
        Session::Cipher(cipher) => {
            cipher.reset(&iv).expect("the same IV");
            cipher.update(&mut text).expect("update");
            cipher.finalize(&mut out).expect("whole blocks");
        }
        Session::Aead(aead) => {
            aead.reset(&iv).expect("the same IV");
            aead.update(&mut text).expect("update");
            aead.finalize().expect("a tag");
        }
    })
}

fn as_json(rows: &[Row], hertz: f64, peer: &std::result::Result<String, String>) -> String {
    let rows = rows.iter().map(|row| {
        json!({
            "algorithm": row.algorithm.name, "bytes": TEXT, "cycles_per_byte": row.cycles,
            "bytes_per_second": hertz / row.cycles, "bound_cycles_per_byte": row.bound,
            "peer_bytes_per_second": row.peer,
        })
    });
    let kernels = survey::shapes().into_iter();
    let all = json!({
        "processor": survey::processor().to_string(), "hertz": hertz, "peer": peer.as_ref().ok(),
        "kernels": kernels.map(|s| json!({
            "primitive": s.primitive, "shape": s.shape, "picked": s.picked,
        })).collect::<Vec<_>>(),
        "rows": rows.collect::<Vec<_>>(),
    });
    format!("{all:#}\n")
}

fn as_text(rows: &[Row], hertz: f64, peer: &std::result::Result<String, String>) -> String {
    let mut out = format!("Processor: {}, at {:.2} GHz now.\n", survey::processor(), hertz / 1e9);
    let (here, not): (Vec<_>, Vec<_>) = survey::kernels().partition(|(_, why)| why.is_none());
    let names = |list: &[(&str, Option<&str>)]| {
        let names: Vec<&str> = list.iter().map(|(name, _)| *name).collect();
        names.join(" ")
    };
    let _ = writeln!(out, "Kernels it can run: {}; not: {}.", names(&here), names(&not));
    let mut last = "";
    out.push_str("Picked:");
    for s in survey::shapes() {
        if s.primitive != last {
            let _ = write!(out, "{} {}", if last.is_empty() { "" } else { ";" }, s.primitive);
            last = s.primitive;
        }
        let _ = write!(out, " {}={}", s.shape, s.picked);
    }
    let theirs = peer.as_ref().map_or("", |_| "peer, MB/s   times");
    let head = format!(
        "{:26}{:>9}{:>8}{:>14}   {theirs}",
        "16 KiB, one message", "cycles/B", "MB/s", "of the bound"
    );
    let _ = write!(out, ".\n\n{}\n", head.trim_end());
    for row in rows {
        let speed = hertz / row.cycles;
        let _ = write!(out, "{:26}{:>9.2}{:>8.0}", row.algorithm.name, row.cycles, speed / 1e6);
        match row.bound {
            Some(bound) => _ = write!(out, "{:>12.0} %", bound / row.cycles * 100.0),
            None => _ = write!(out, "{:>14}", "-"),
        }
        if let Some(peer) = row.peer {
            let _ = write!(out, "{:>13.0}{:>8.1}", peer / 1e6, speed / peer);
        }
        out.push('\n');
    }
    out.push_str(
        "\nMedians, without the setup of the key. The bound follows from the kernel's operations on this\n\
         processor. Modes that chain blocks or need several passes have none here; in them many messages side by\n\
         side are several times faster (bulat::batch).\n",
    );
    match peer {
        Ok(name) => {
            _ = writeln!(
                out,
                "Peer: {name}, one run of `openssl speed`; the lab's pairs are more reliable."
            )
        }
        Err(why) => _ = writeln!(out, "No peer to compare with: {why}."),
    }
    out.push_str(
        "Every kernel: bulat bench --calibrate. All peers and the literature: the folder lab/.\n",
    );
    out
}
