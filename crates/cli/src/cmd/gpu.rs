//! `bulat devices`, `bulat bench --gpu`, and `--device`: GPUs that help the processor.

use std::fmt::Write as _;
use std::sync::Arc;
use std::time::Instant;

use bulat::batch::{Job, run_on_threads};
use bulat::{KuznyechikMgm, MagmaMgm};
use bulat_container::Cipher;
use bulat_gpu::measure::{self, Plan, Row};
use bulat_gpu::{Device, Engine, Facts, Options, Program};
use serde_json::json;

use crate::error::{Error, Exit, Result, note};
use crate::io::print;

/// The bytes of chunks in one call: several pieces for each of a card's slots.
pub const BATCH: usize = 256 << 20;
/// `auto` opens no device for less than this: opening one would need more time.
const AUTO: u64 = 256 << 20;
/// `auto` opens no device if the processor seals more bytes in a second. An H100 and 16 threads together seal files with
/// 3.8 GB/s, the threads alone with 5.7 (docs/GPU.md).
const FAST: f64 = 3.5e9;

/// Prints the devices found. Each is tested by all kernel families in turn.
pub fn devices(quick: bool, json: bool) -> Result<Exit> {
    let found = bulat_gpu::devices();
    let mut all = Vec::new();
    for device in &found.devices {
        let state = if quick {
            "not tested".into()
        } else {
            note(format_args!("testing {} ...", device.label()));
            tested(device)
        };
        all.push((device, state));
    }
    if json {
        let devices = all.iter().enumerate().map(|(i, (device, state))| {
            let f = device.facts();
            json!({
                "number": i, "name": device.label(), "driver": f.driver, "version": f.version,
                "memory": f.memory, "units": f.units, "clock_mhz": f.clock, "kind": f.family,
                "processor": f.processor, "selftest": state,
            })
        });
        let all = json!({ "devices": devices.collect::<Vec<_>>(), "remarks": found.remarks });
        return print(format!("{all:#}\n")).map(|()| Exit::Success);
    }
    let mut out = String::new();
    for (i, (device, state)) in all.iter().enumerate() {
        let _ = writeln!(out, "{i}  {}", about(device));
        let _ = writeln!(out, "   self-test: {state}");
    }
    found.remarks.iter().for_each(|r| _ = writeln!(out, "{r}"));
    if all.is_empty() {
        out.push_str("No device: everything is done on the processor.\n");
    }
    print(out).map(|()| Exit::Success)
}

/// Loads and tests all programs of a device, and returns the result in words.
fn tested(device: &Arc<Device>) -> String {
    let mut faults: Vec<(String, bulat_gpu::Error)> = Vec::new();
    for program in Program::ALL {
        if let Err(e) = device.prepare(&[program]) {
            if device.lost().is_some() {
                return format!("left out: {e}");
            }
            faults.push((program.name(), e));
        }
    }
    let Some((_, first)) = faults.first() else { return "all right".into() };
    if faults.len() == Program::ALL.len() {
        return format!("left out: {first}");
    }
    let names: Vec<&str> = faults.iter().map(|(name, _)| &**name).collect();
    format!("all right, but the processor does {}: {first}", names.join(", "))
}

fn about(device: &Device) -> String {
    let Facts { driver, version, memory, units, clock, processor, .. } = device.facts();
    let name = device.label();
    let which = if *processor { "; a processor: used only by name" } else { "" };
    let clock = clock.map(|mhz| format!(" at {mhz} MHz")).unwrap_or_default();
    format!("{name}: {driver}, {version}; {} MiB, {units} units{clock}{which}", memory >> 20)
}

/// Returns the chosen devices, or an error that says why there are none.
fn chosen(found: bulat_gpu::Found, name: &str) -> Result<Vec<Arc<Device>>> {
    let bulat_gpu::Found { devices, remarks } = found;
    let remedy = "list the devices: bulat devices";
    if matches!(name, "gpu" | "auto") {
        let gpus: Vec<_> = devices.into_iter().filter(|d| !d.facts().processor).collect();
        if gpus.is_empty() && name == "gpu" {
            let why = remarks.join("; ");
            let what = format_args!("--device gpu: no GPU was found. {why}").to_string();
            return Err(Error::usage(what.trim_end()).remedy(remedy));
        }
        return Ok(gpus);
    }
    let matching = |(i, d): &(usize, &Arc<Device>)| {
        let label = d.label().to_lowercase();
        name.parse() == Ok(*i) || label == name.to_lowercase()
    };
    match devices.iter().enumerate().find(matching) {
        Some((_, device)) => Ok(vec![device.clone()]),
        None => Err(Error::usage(format_args!("--device {name}: no such device")).remedy(remedy)),
    }
}

/// Returns the devices that can load the cipher's programs and compute correctly.
fn working(devices: Vec<Arc<Device>>, name: &str, cipher: Cipher) -> Result<Vec<Arc<Device>>> {
    let cipher = match cipher {
        Cipher::Kuznyechik => Program::Kuznyechik,
        Cipher::Magma => Program::Magma,
    };
    let (mut work, mut faults) = (Vec::new(), Vec::new());
    for device in devices {
        match device.prepare(&[cipher, Program::Gf]) {
            Ok(()) => work.push(device),
            Err(e) => faults.push(format!("{}: {e}", device.label())),
        }
    }
    if work.is_empty() {
        let what = format!("--device {name}: no device works: {}", faults.join("; "));
        return Err(Error::usage(what)
            .remedy("see: bulat devices; with --device auto the processor does the work"));
    }
    faults.iter().for_each(|fault| note(format_args!("warning: left out: {fault}")));
    Ok(work)
}

/// Returns the engine for a file of this length; `None` for only the processor, without opening a driver. If the user
/// named devices, at least one must work.
pub fn engine(name: &str, cipher: Cipher, len: Option<u64>) -> Result<Option<Engine>> {
    if name == "cpu" || (name == "auto" && len.is_some_and(|n| n < AUTO)) {
        return Ok(None);
    }
    if name == "auto" && sealed_a_second(cipher) > FAST {
        return Ok(None);
    }
    let mut devices = chosen(bulat_gpu::devices(), name)?;
    if devices.is_empty() {
        return Ok(None);
    }
    if name != "auto" {
        devices = working(devices, name, cipher)?;
    }
    // The processor helps unless the user named the device.
    let options = Options { cpu: name == "auto", ..Options::default() };
    Ok(Some(Engine::new(devices, options)))
}

/// Returns how many bytes all threads seal in a second, from some milliseconds of it.
fn sealed_a_second(cipher: Cipher) -> f64 {
    let (k, m) = (KuznyechikMgm::new(&[1; 32]), MagmaMgm::new(&[1; 32]));
    let (nonce, mut text, mut tags) = ([1; 16], vec![0; 16 << 20], vec![[0; 16]; 256]);
    let mut seal = || {
        let start = Instant::now();
        let chunks = text.chunks_exact_mut(64 << 10).zip(&mut tags);
        let jobs = chunks.map(|(chunk, tag)| match cipher {
            Cipher::Kuznyechik => Job::seal(&k, &nonce, b"", chunk, tag),
            Cipher::Magma => Job::seal(&m, &nonce[..8], b"", chunk, &mut tag[..8]),
        });
        run_on_threads(jobs.collect());
        start.elapsed().as_secs_f64()
    };
    // The first time starts the threads.
    seal();
    let took = seal();
    text.len() as f64 / took.max(1e-6)
}

/// Runs jobs, and reports devices that failed.
pub fn run(engine: &Engine, jobs: Vec<Job<'_>>) -> Vec<Result<(), bulat::Error>> {
    let (results, report) = engine.run(jobs);
    report.warnings.iter().for_each(|w| note(format_args!("warning: {w}")));
    results
}

/// Prints the speed of every device.
pub fn bench(seconds: f64, json: bool) -> Result<Exit> {
    let found = bulat_gpu::devices();
    let mut all = Vec::new();
    for remark in &found.remarks {
        note(format_args!("{remark}"));
    }
    if found.devices.is_empty() {
        note(format_args!("no device: nothing to measure"));
    }
    if !json {
        print(measure::HEAD)?;
    }
    for device in &found.devices {
        if !json {
            print(format!("\n{}\n", about(device)))?;
        }
        // Seventeen rows, each with a warm-up run.
        let plan = Plan::of(device, seconds / 34.0 / found.devices.len() as f64);
        let mut rows = Vec::new();
        let mut told = Ok(());
        let tell = &mut |row: Row| {
            if !json && told.is_ok() {
                told = print(format!("{row}\n"));
            }
            rows.push(row);
        };
        let done = measure::device(device, plan, tell);
        told?;
        if let Err(e) = &done {
            note(format_args!("{}: {e}", device.label()));
        }
        all.push(json!({
            "device": device.label(), "error": done.err().map(|e| e.to_string()),
            "resident_bytes": plan.resident, "host_bytes": plan.host,
            "rows": rows.iter().map(|r| json!({
                "work": r.work, "place": r.place.name(), "bytes_per_second": r.rate,
                "bounds": r.bounds.iter().map(|b| json!({ "what": b.0, "bytes_per_second": b.1 }))
                    .collect::<Vec<_>>(),
            })).collect::<Vec<_>>(),
        }));
    }
    if json {
        print(format!("{:#}\n", json!({ "devices": all, "remarks": found.remarks })))?;
    }
    Ok(Exit::Success)
}
