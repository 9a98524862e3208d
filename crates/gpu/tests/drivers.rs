//! Machines without a driver, and with an old one: the message says so, and nothing else happens.
#![cfg(all(feature = "opencl", feature = "cuda", target_os = "linux"))]

use std::process::Command;

/// Prints the devices found; the tests below run it in another process.
#[test]
#[ignore = "for the tests below"]
fn found() {
    let found = bulat_gpu::devices();
    println!("devices {}", found.devices.len());
    found.remarks.iter().for_each(|r| println!("{r}"));
}

fn found_with(libraries: &std::path::Path) -> String {
    let own = std::env::current_exe().expect("a program");
    let out = Command::new(own)
        .args(["--exact", "found", "--ignored", "--nocapture"])
        .env("OCL_ICD_VENDORS", "/nonexistent")
        .env("LD_LIBRARY_PATH", libraries)
        .output()
        .expect("it starts");
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    String::from_utf8_lossy(&out.stdout).into_owned()
}

#[test]
fn no_driver() {
    let said = found_with("/nonexistent".as_ref());
    println!("{said}");
    assert!(said.contains("OpenCL: no"));
    // If CUDA's library is installed, it is found.
    assert!(said.contains("CUDA: no driver is installed") || !said.contains("devices 0"));
}

/// A library that lacks some of the driver's functions, as old ones do, and one that fails to start.
#[test]
fn an_old_driver() {
    let folder = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("old-cuda");
    std::fs::create_dir_all(&folder).expect("a folder");
    let text = folder.join("cuda.c");
    for (functions, words) in [
        ("int cuInit(unsigned f) { return f; }", "CUDA: the driver is too old"),
        ("int unrelated(void) { return 0; }", "CUDA: the driver is too old"),
        (
            "int cuInit(unsigned f) { return 803 + f; }
             int cuGetErrorString(int e, const char** s) { *s = \"unsupported\"; return e - e; }
             int cuGetErrorName(int e, const char** s) { *s = \"MISMATCH\"; return e - e; }",
            "CUDA: the driver refused cuInit: unsupported (MISMATCH)",
        ),
        (
            "int cuInit(unsigned f) { return f; }
             int cuDeviceGetCount(int* n) { *n = 0; return 0; }",
            "CUDA: the driver has no device",
        ),
    ] {
        std::fs::write(&text, functions).expect("written");
        let made = Command::new("cc")
            .args(["-shared", "-fPIC", "-o"])
            .args([folder.join("libcuda.so"), text.clone()])
            .status();
        if !made.is_ok_and(|status| status.success()) {
            println!("skipped: no C compiler");
            return;
        }
        let said = found_with(&folder);
        assert!(said.contains("devices 0") && said.contains(words), "{words}: {said}");
    }
}
