//! `--device`, `devices`: without a driver, and on PoCL, OpenCL on the processor, where it is installed.
#![cfg(all(feature = "gpu", target_os = "linux"))]

mod bin;

use bin::*;

#[test]
fn a_program_without_drivers_says_so_and_works() {
    let dir = folder();
    // OpenCL's loader looks for drivers here; tests have none of CUDA.
    let bare = |line: &str| {
        ran(command(&dir, line).env("OCL_ICD_VENDORS", "/nonexistent").output().unwrap())
    };
    let plain = text(300_000);
    put(&dir, "plain", &plain);
    let out = String::from_utf8(passed(bare("devices"))).unwrap();
    assert!(out.contains("OpenCL: no") && out.contains("on the processor"), "{out}");
    good(&dir, "key new -o key");
    let line = "encrypt -k key --device gpu plain";
    check(&bare(line), line, 2, &["no GPU was found", "OpenCL"]);
    let line = "encrypt -k key --device another plain";
    check(&bare(line), line, 2, &["another: no such device"]);
    assert!(!dir.path().join("plain.bulat").exists());
    for device in ["auto", "cpu"] {
        passed(bare(&format!("encrypt -f -k key --device {device} plain")));
        let opened = bare(&format!("decrypt -k key --device {device} -o - plain.bulat"));
        assert!(opened.out == plain, "{device}");
    }
}

#[test]
fn a_device_and_the_processor_open_what_the_other_sealed() {
    let dir = folder();
    if said(&dir, "devices --quick --json").contains("\"devices\": []") {
        println!("skipped: no device (apt-get install ocl-icd-libopencl1 pocl-opencl-icd)");
        return;
    }
    let plain = text((5 << 20) + 4321);
    put(&dir, "plain", &plain);
    good(&dir, "key new -o key");
    for (one, other) in [("0", "cpu"), ("cpu", "0")] {
        let sealed = run(&dir, &format!("encrypt -f -k key --device {one} plain"));
        assert_eq!((sealed.code, &*sealed.err), (Some(0), ""));
        let opened = run(&dir, &format!("decrypt -k key --device {other} -o - plain.bulat"));
        assert_eq!((opened.code, &*opened.err), (Some(0), ""));
        assert!(opened.out == plain);
    }
    // A flipped bit and a cut are reported as on the processor.
    let mut sealed = read(&dir, "plain.bulat");
    sealed[2_000_000] ^= 1;
    put(&dir, "changed.bulat", &sealed);
    sealed.truncate(3_000_000);
    sealed[2_000_000] ^= 1;
    put(&dir, "cut.bulat", &sealed);
    for name in ["changed.bulat", "cut.bulat"] {
        let say = |device| {
            bad(&dir, &format!("decrypt -k key --device {device} -o out {name}"), 5, &[]).err
        };
        assert_eq!(say("0"), say("cpu"));
    }
    assert!(!dir.path().join("out").exists());
}

/// A wish for a device has one answer, whatever the driver lacks: on the CUDA driver of the GPU's tests.
#[test]
fn a_device_that_cannot_work_is_refused() {
    let dir = folder();
    let clock = said(&dir, "devices --quick");
    if !clock.contains("Fake Card") {
        println!("skipped: not on the tests' CUDA driver (crates/gpu/tests/fake)");
        return;
    }
    let with = |line: &str, settings: &[(&str, &str)]| {
        ran(command(&dir, line).envs(settings.iter().copied()).output().unwrap())
    };
    let silent = with("devices --quick", &[("FAKE_NO_CLOCK", "1")]).out;
    let silent = String::from_utf8_lossy(&silent);
    assert!(clock.contains("2 units at 1000 MHz\n") && silent.contains("2 units\n"), "{silent}");
    put(&dir, "plain", "text");
    good(&dir, "key new -o key");
    let line = "encrypt -k key --device gpu plain";
    for (settings, words) in [
        (&[("FAKE_CARDS", "")][..], "no GPU was found"),
        (&[("FAKE_CARDS", "6.1")], "before compute capability 7.5"),
        (&[("FAKE_VERSION", "11.8")], "too old: version 530"),
        (&[("FAKE_VERSION", "12.9"), ("FAKE_NO_PTX", "1")], "no device works"),
        (&[("FAKE_FAIL", "cuDevicePrimaryCtxRetain:1+=46")], "no device works"),
        (&[("FAKE_WITHOUT", "kuznyechik")], "no device works"),
    ] {
        check(&with(line, settings), line, 2, &[words]);
        assert!(!dir.path().join("plain.bulat").exists(), "{settings:?}");
    }
    good(&dir, line);
}
