//! CUDA without a card: the driver in `fake`, with the faults of real ones. Each test runs `work` in another process.
//!
//! `BULAT_GPU_RUNS` sets how many runs lose a card in `nothing_is_lost_with_a_card` (8).
#![cfg(all(feature = "cuda", target_os = "linux", target_pointer_width = "64"))]

mod jobs;

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use bulat::batch::{Job, Key, Mode, run_on_threads};
use bulat::kdf::{Candidate, pbkdf2_many};
use bulat::{Direction, Gost28147, Kuznyechik, KuznyechikMgm, Magma, ParamSet};
use bulat_gpu::{Device, Engine, Options, Program, Report, Sectors};
use jobs::{Keys, MODES, lists, text};
use testkit::Random;

/// Builds the fake driver, or prints that there is no C compiler.
fn driver() -> Option<&'static Path> {
    static FOLDER: OnceLock<Option<PathBuf>> = OnceLock::new();
    let made = FOLDER.get_or_init(|| {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("fake-cuda");
        let build = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fake/build");
        if !Command::new("cc").arg("--version").output().is_ok_and(|o| o.status.success()) {
            println!("skipped: no C compiler");
            return None;
        }
        let made = Command::new(build).arg(&folder).status().expect("bash");
        assert!(made.success(), "the fake driver does not compile");
        Some(folder)
    });
    made.as_deref()
}

/// The output of a process, and the number of the driver's calls.
struct Ran {
    said: String,
    calls: HashMap<String, u64>,
}

impl Ran {
    fn calls(&self, name: &str) -> u64 {
        self.calls.get(name).copied().unwrap_or(0)
    }
    #[track_caller]
    fn has(&self, words: &str) -> &Self {
        assert!(self.said.contains(words), "{words}: {}", self.said);
        self
    }
}

/// Runs these parts of `work` with these settings of the driver.
#[track_caller]
fn run(parts: &str, settings: &[(&str, &str)]) -> Option<Ran> {
    static NUMBER: std::sync::atomic::AtomicUsize = std::sync::atomic::AtomicUsize::new(0);
    let folder = driver()?;
    let number = NUMBER.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    let log = folder.join(format!("calls-{}-{number}", std::process::id()));
    let out = Command::new(std::env::current_exe().expect("a program"))
        .args(["--exact", "work", "--ignored", "--nocapture"])
        .env("OCL_ICD_VENDORS", "/nonexistent")
        .env("LD_LIBRARY_PATH", folder)
        .env("FAKE_LOG", &log)
        .env("FAKE_DIRTY", "1")
        .env("PARTS", parts)
        // So many threads have three slots for a device.
        .env("RAYON_NUM_THREADS", "4")
        .envs(settings.iter().copied())
        .output()
        .expect("it starts");
    let said = String::from_utf8_lossy(&out.stdout).into_owned();
    assert!(
        out.status.success(),
        "{parts}, {settings:?}: {said}{}",
        String::from_utf8_lossy(&out.stderr)
    );
    let calls = std::fs::read_to_string(&log).unwrap_or_default();
    let _ = std::fs::remove_file(&log);
    let calls = calls.lines().filter_map(|l| l.split_once(' '));
    let calls = calls.filter_map(|(name, n)| Some((name.into(), n.parse().ok()?))).collect();
    Some(Ran { said, calls })
}

/// The options, by `CPU` and by `PATIENCE`, in milliseconds.
fn options() -> Options {
    // A busy machine must not look like a device that hangs.
    let patience = std::env::var("PATIENCE").map_or(1_800_000, |p| p.parse().unwrap());
    let (patience, cpu) = (Duration::from_millis(patience), std::env::var("CPU").is_ok());
    Options { cpu, least: 1, piece: 256 << 10, patience }
}

fn tell(report: &Report) {
    report.warnings.iter().for_each(|w| println!("warning: {w}"));
    for (name, bytes) in report.bytes.iter().filter(|b| *b.1 > 0) {
        println!("{name}: {bytes}");
    }
}

/// The work for the tests below: compares devices with the processor, and prints who did it.
#[test]
#[ignore = "for the tests below"]
fn work() {
    let found = bulat_gpu::devices();
    found.remarks.iter().for_each(|r| println!("{r}"));
    for (i, d) in found.devices.iter().enumerate() {
        println!("device {i}: {}", d.label());
    }
    let engine = Engine::new(found.devices.clone(), options());
    for part in std::env::var("PARTS").unwrap_or_default().split_whitespace() {
        match part {
            "programs" => found.devices.iter().for_each(programs),
            "mgm" => mgm(&engine),
            "texts" => texts(&engine),
            "lists" => {
                let want = lists(|jobs| (run_on_threads(jobs), 0));
                let have = lists(|jobs| {
                    let (results, report) = engine.run(jobs);
                    tell(&report);
                    (results, 0)
                });
                assert!(have == want, "lists");
            }
            "pbkdf2-2" => passwords(&engine, 2),
            "pbkdf2-300" => passwords(&engine, 300),
            "growing" => growing(&found.devices[0]),
            cipher => text_of(&engine, cipher),
        }
    }
}

fn programs(device: &Arc<Device>) {
    for p in Program::ALL {
        match device.prepare(&[p]) {
            Ok(()) => println!("{} loads", p.name()),
            Err(e) => println!("{}: {e}", p.name()),
        }
    }
    println!("by {}", device.facts().driver);
}

fn mgm(engine: &Engine) {
    let key = KuznyechikMgm::new(&[7; 32]);
    let nonces: Vec<[u8; 16]> = (0..16).map(|i| [i; 16]).collect();
    let seal = |engine: Option<&Engine>| {
        let (mut texts, mut tags) = (vec![[3u8; 65536]; 16], [[0; 16]; 16]);
        let jobs = texts.iter_mut().zip(&mut tags).zip(&nonces);
        let jobs = jobs.map(|((text, tag), nonce)| Job::seal(&key, nonce, &[], text, tag));
        let (results, report) = match engine {
            Some(engine) => engine.run(jobs.collect()),
            None => (run_on_threads(jobs.collect()), Report::default()),
        };
        assert!(results.iter().all(Result::is_ok));
        tell(&report);
        (texts, tags)
    };
    assert!(seal(Some(engine)) == seal(None), "MGM");
}

fn texts(engine: &Engine) {
    let mut r = Random::new(2);
    let keys = Keys::new(&mut r);
    let (iv, plain) = (r.bytes(16), r.bytes(600_001));
    for n in 0..MODES {
        tell(&text(engine, &keys, n, n % 2 == 0, &iv, &plain));
    }
}

fn passwords(engine: &Engine, iterations: u32) {
    let derive = |engine: Option<&Engine>| {
        let mut keys = [[0; 64]; 70];
        let all = keys.iter_mut().map(|dk| Candidate { password: b"word", salt: b"salt", dk });
        let mut all: Vec<Candidate<'_>> = all.collect();
        let (result, report) = match engine {
            Some(engine) => engine.pbkdf2(iterations, &mut all),
            None => (pbkdf2_many::<64>(iterations, &mut all), Report::default()),
        };
        result.unwrap();
        tell(&report);
        keys
    };
    assert!(derive(Some(engine)) == derive(None), "PBKDF2");
}

/// Each text needs a larger buffer than those that are kept.
fn growing(device: &Arc<Device>) {
    let cipher = Kuznyechik::new(&[5; 32]);
    let mut channel = device.channel().unwrap();
    let data = channel.allocate(1 << 20).unwrap();
    for bytes in (16..=20).map(|n| 1 << n) {
        let (key, tweaks) = (Key::from(&cipher), vec![1; bytes / 256]);
        let sectors = Sectors { tweaks: &tweaks, bytes: 4096 };
        let done = channel.xts(&key, Direction::Encrypt, sectors, &data, &data, bytes);
        println!("{bytes} bytes: {done:?}");
    }
    channel.wipe(&data).unwrap();
    println!("more than it has: {:?}", channel.allocate(5 << 20).err());
}

fn text_of(engine: &Engine, cipher: &str) {
    let k = [5; 32];
    let (a, b) = (Kuznyechik::new(&k), Magma::new(&k));
    let c = Gost28147::new(&k, ParamSet::CryptoProA);
    let (key, iv): (Key<'_>, &[u8]) = match cipher {
        "kuznyechik" => (Key::from(&a), &[1; 8]),
        "magma" | "long" => (Key::from(&b), &[1; 4]),
        "gost28147" => (Key::from(&c), &[1; 4]),
        other => panic!("no part {other}"),
    };
    let mut have = vec![9; if cipher == "long" { 4 << 20 } else { (1 << 20) + 11 }];
    let mut want = have.clone();
    run_on_threads(vec![Job::cipher(key, Mode::Ctr, iv, &mut want)]);
    let (results, report) = engine.run(vec![Job::cipher(key, Mode::Ctr, iv, &mut have)]);
    assert!(results == [Ok(())] && have == want, "{cipher}");
    tell(&report);
}

/// Drivers from 530 on load the main programs, as PTX; OpenCL's are found if the driver is older.
#[test]
fn old_drivers() {
    for (version, main, others) in
        [("12.1", true, false), ("12.4", true, true), ("13.0", true, true)]
    {
        let Some(ran) = run("programs kuznyechik", &[("FAKE_VERSION", version)]) else { return };
        assert_eq!(ran.said.contains("kuznyechik loads\n"), main, "{version}: {}", ran.said);
        assert_eq!(ran.said.contains("gost28147-own loads\n"), others, "{version}: {}", ran.said);
        ran.has("Fake Card: 1048587");
    }
    let Some(ran) = run("kuznyechik", &[("FAKE_VERSION", "11.8")]) else { return };
    ran.has("CUDA: the driver is too old: version 530").has("cpu: 1048587");
    // A card after the machine code's generations, and none of the driver's compiler.
    let Some(ran) = run("kuznyechik", &[("FAKE_CARDS", "13.0")]) else { return };
    ran.has("Fake Card: 1048587");
    let Some(ran) = run("programs kuznyechik", &[("FAKE_NO_PTX", "1")]) else { return };
    ran.has("gost28147-0: the driver refused cuModuleLoadData: PTX JIT").has("Fake Card: 1048587");
}

/// A card that CUDA does not work on is used by OpenCL, if OpenCL has it: here the name is PoCL's.
#[test]
#[cfg(feature = "opencl")]
fn opencl_instead() {
    let found = bulat_gpu::devices().devices;
    let Some(pocl) = found.iter().find(|d| d.facts().driver == "opencl") else {
        println!("skipped: no device (apt-get install ocl-icd-libopencl1 pocl-opencl-icd)");
        return;
    };
    let name = pocl.facts().name.clone();
    let vendors = std::env::var("OCL_ICD_VENDORS").unwrap_or("/etc/OpenCL/vendors".into());
    let settings = [("FAKE_NAME", &*name), ("OCL_ICD_VENDORS", &*vendors)];
    let Some(ran) = run("magma", &settings) else { return };
    assert_eq!(ran.said.matches("device ").count(), 1, "{}", ran.said);
    assert!(ran.calls("cuLaunchKernel") > 0);
    // A card that is full at first is still CUDA's.
    let full = [settings[0], settings[1], ("FAKE_FAIL", "cuModuleLoadData:1=2")];
    let Some(ran) = run("magma", &full) else { return };
    assert!(ran.calls("cuLaunchKernel") > 0);
    let none = [settings[0], settings[1], ("FAKE_VERSION", "12.9"), ("FAKE_NO_PTX", "1")];
    let Some(ran) = run("magma", &none) else { return };
    ran.has("device 0").has(": 1048587");
    assert!(!ran.said.contains("cpu: ") && ran.calls("cuLaunchKernel") == 0, "{}", ran.said);
}

/// A bad card loses only itself, and no card is opened before it is needed.
#[test]
fn bad_cards() {
    let Some(ran) = run("kuznyechik", &[("FAKE_CARDS", "9.0,6.1")]) else { return };
    ran.has("CUDA: device 1: not supported on devices: NVIDIA").has("Fake Card: 1048587");
    let Some(ran) = run("", &[("FAKE_CARDS", "9.0,9.0,8.6")]) else { return };
    ran.has("device 2: Fake Card #3");
    assert_eq!(ran.calls("cuDevicePrimaryCtxRetain"), 0);
    // In exclusive use by another process.
    let busy = [("FAKE_CARDS", "9.0,9.0"), ("FAKE_FAIL", "cuDevicePrimaryCtxRetain:1=46")];
    let Some(ran) = run("kuznyechik", &busy) else { return };
    ran.has("warning: Fake Card #").has("busy or unavailable").has("Fake Card #");
    assert!(!ran.said.contains("cpu: "), "{}", ran.said);
    let Some(ran) = run("kuznyechik mgm", &[("FAKE_CARDS", "7.5,12.0")]) else { return };
    ran.has("Fake Card #1: ").has("Fake Card #2: ");
}

/// A program that does not load loses only itself.
#[test]
fn bad_programs() {
    let Some(ran) = run("magma kuznyechik magma", &[("FAKE_WITHOUT", "magma")]) else { return };
    ran.has("no kernel image is available").has("Fake Card: 1048587").has("cpu: 1048587");
    assert_eq!(ran.said.matches("warning: ").count(), 1, "{}", ran.said);
    let Some(ran) = run("gost28147 magma", &[("FAKE_WITHOUT", "gost28147-1")]) else { return };
    ran.has("cpu: 1048587").has("Fake Card: 1048587");
    // Without memory for it, it loads the next time.
    let full = [("FAKE_FAIL", "cuModuleLoadData:1=2")];
    let Some(ran) = run("magma magma", &full) else { return };
    ran.has("bytes of memory left").has("cpu: 1048587").has("Fake Card: 1048587");
    // Each image has its own reason.
    let none = [("FAKE_VERSION", "12.9"), ("FAKE_NO_PTX", "1")];
    let Some(ran) = run("magma", &none) else { return };
    ran.has("image is invalid").has("as PTX: PTX JIT compiler library not found");
}

/// Memory is kept from call to call, so that nothing is allocated or freed on the way; waits are few.
#[test]
fn few_calls() {
    let rounds = ["mgm magma"; 12].join(" ");
    let Some(ran) = run(&rounds, &[]) else { return };
    let [launches, waits, allocations, frees] =
        ["cuLaunchKernel", "cuEventSynchronize", "cuMemAlloc_v2", "cuMemFree_v2"]
            .map(|name| ran.calls(name));
    println!("{launches} launches, {waits} waits, {allocations} allocations, {frees} frees");
    // For three slots and the self-tests of three programs.
    assert!(allocations < 100 && frees <= allocations && launches > 2 * allocations);
    assert!(waits < 2 * launches);
    assert_eq!(ran.calls("cuStreamSynchronize"), 0);
}

/// 300 iterations are two launches, so that a card that shows a desktop answers in between.
#[test]
fn short_launches() {
    let Some(few) = run("pbkdf2-2", &[]) else { return };
    let Some(many) = run("pbkdf2-300", &[]) else { return };
    many.has("Fake Card: 4480");
    assert!(many.calls("cuLaunchKernel") > few.calls("cuLaunchKernel"));
}

/// Any call fails or finds no memory, with late streams: the result is right, and memory that is freed was overwritten.
#[test]
fn failing_calls() {
    for (call, error, words) in [
        ("cuMemAlloc_v2", "=2", "bytes of memory left"),
        ("cuMemHostAlloc", "=2", "bytes of memory left"),
        ("cuMemcpyHtoDAsync_v2", "", "cuMemcpyHtoDAsync"),
        ("cuMemcpyDtoHAsync_v2", "", "cuMemcpyDtoHAsync"),
        ("cuLaunchKernel", "", "cuLaunchKernel"),
        ("cuEventCreate", "", "cuEventCreate"),
        ("cuEventRecord", "", "cuEventRecord"),
        ("cuEventSynchronize", "", "cuEventSynchronize"),
        ("cuStreamCreate", "", "cuStreamCreate"),
        ("cuModuleLoadData", "=222", "cuModuleLoadData"),
    ] {
        for at in ["1+", if call == "cuModuleLoadData" { "2" } else { "20" }] {
            let fail = format!("{call}:{at}{error}");
            let settings = [("FAKE_FAIL", &*fail), ("FAKE_LATE", "20")];
            let Some(ran) = run("mgm magma", &settings) else { return };
            if at == "1+" {
                ran.has("warning").has(words);
            }
        }
    }
}

/// One of two cards fails or is full, at any point, with the processor's help and without; sometimes both fail.
#[test]
fn nothing_is_lost_with_a_card() {
    let cards = ("FAKE_CARDS", "9.0,9.0");
    let Some(whole) = run("texts lists", &[cards]) else { return };
    let runs = std::env::var("BULAT_GPU_RUNS").map_or(8, |n| n.parse().unwrap());
    let (mut r, mut lost) = (Random::new(3), 0);
    for i in 0..runs {
        let (call, error) = [("cuLaunchKernel", ""), ("cuMemAlloc_v2", "=2")][i % 2];
        let mut fail = String::new();
        for _ in 0..1 + i % 3 / 2 {
            let at = 1 + r.below(whole.calls(call) as usize);
            fail += &format!("{call}:{at}{error},");
        }
        let settings = [cards, ("FAKE_FAIL", &*fail), ("CPU", "1")];
        let part = if i % 4 < 2 { "texts" } else { "lists" };
        let Some(ran) = run(part, &settings[..2 + i / 2 % 2]) else { return };
        lost += usize::from(ran.said.contains("warning"));
    }
    println!("{lost} of {runs} runs lost a card");
    assert!(lost > 0);
    // The last launch, after the self-test.
    let Some(whole) = run("pbkdf2-2", &[]) else { return };
    let fail = format!("cuLaunchKernel:{}", whole.calls("cuLaunchKernel"));
    let Some(ran) = run("pbkdf2-2", &[("FAKE_FAIL", &*fail)]) else { return };
    ran.has("warning: Fake Card");
}

/// A card hangs: after the time limit another worker does its piece.
#[test]
fn a_card_that_hangs() {
    let Some(whole) = run("magma", &[]) else { return };
    // The last launch, after the self-test.
    let hang = format!("{}:8000000", whole.calls("cuLaunchKernel"));
    let settings = [("FAKE_HANG", &*hang), ("PATIENCE", "4000")];
    let Some(ran) = run("magma", &settings) else { return };
    ran.has("the device did not answer in time");
}

/// The self-test finds a wrong answer: the card is not used, and a warning says so.
#[test]
fn a_wrong_card() {
    let Some(ran) = run("magma magma", &[("FAKE_WRONG", "1")]) else { return };
    ran.has("wrong answer").has("cpu: 1048587");
    assert_eq!(ran.said.matches("warning: ").count(), 1, "{}", ran.said);
    assert!(!ran.said.contains("Fake Card: 1"), "{}", ran.said);
}

/// The slower of two cards does less.
#[test]
fn shares_follow_speed() {
    let settings = [("FAKE_CARDS", "9.0,9.0"), ("FAKE_LATE", "0,200000")];
    let Some(ran) = run("long long", &settings) else { return };
    let by = |card: &str| -> u64 {
        let lines = ran.said.lines().filter_map(|l| l.strip_prefix(card));
        lines.filter_map(|l| l.parse::<u64>().ok()).sum()
    };
    let (fast, slow) = (by("Fake Card #1: "), by("Fake Card #2: "));
    println!("bytes: {fast}, slow {slow}");
    assert!(fast > slow && slow > 0);
}

/// A copy in flight is awaited, even if the wait's own calls fail: page-locked memory is overwritten after it, not before.
#[test]
fn copies_in_flight() {
    for at in 9..20 {
        let fail = format!("cuEventRecord:{at}");
        let settings = [("FAKE_FAIL", &*fail), ("FAKE_LATE", "2000")];
        let Some(ran) = run("mgm magma", &settings) else { return };
        ran.has("warning").has("cuEventRecord");
    }
}

/// On a full card, buffers kept from earlier calls make room for a larger one.
#[test]
fn full_card() {
    let Some(ran) = run("growing", &[("FAKE_MEMORY", "2621440")]) else { return };
    ran.has("1048576 bytes: Ok(())").has("more than it has: Some(Memory(5242880))");
    assert!(!ran.said.contains("Err"), "{}", ran.said);
}
