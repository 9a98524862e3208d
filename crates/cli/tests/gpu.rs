//! `--device`, `devices`: without a driver, and on PoCL, OpenCL on the processor, where it is installed.
#![cfg(all(feature = "gpu", target_os = "linux"))]

mod bin;

use bin::{bulat, check, folder, ran, text};

fn run(dir: &std::path::Path, drivers: bool, args: &[&str]) -> bin::Ran {
    let mut command = bulat(dir);
    command.args(args);
    if !drivers {
        // OpenCL's loader looks for drivers here; tests have none of CUDA.
        command.env("OCL_ICD_VENDORS", "/nonexistent");
    }
    ran(command.output().expect("it starts"))
}

#[test]
fn a_program_without_drivers_says_so_and_works() {
    let dir = folder();
    let plain = text(300_000);
    std::fs::write(dir.path().join("plain"), &plain).expect("written");
    let listed = run(dir.path(), false, &["devices"]);
    assert_eq!(listed.code, Some(0), "{}", listed.err);
    let out = String::from_utf8_lossy(&listed.out);
    assert!(out.contains("OpenCL: no") && out.contains("on the processor"), "{out}");
    assert_eq!(run(dir.path(), false, &["key", "new", "-o", "key"]).code, Some(0));
    let args = ["encrypt", "-k", "key", "--device", "gpu", "plain"];
    check(&run(dir.path(), false, &args), &args, 2, &["no GPU was found", "OpenCL"]);
    let args = ["encrypt", "-k", "key", "--device", "another", "plain"];
    check(&run(dir.path(), false, &args), &args, 2, &["another: no such device"]);
    assert!(!dir.path().join("plain.bulat").exists());
    for device in ["auto", "cpu"] {
        let args = ["encrypt", "-f", "-k", "key", "--device", device, "plain"];
        assert_eq!(run(dir.path(), false, &args).code, Some(0), "{device}");
        let args = ["decrypt", "-k", "key", "--device", device, "-o", "-", "plain.bulat"];
        assert!(run(dir.path(), false, &args).out == plain, "{device}");
    }
}

#[test]
fn a_device_and_the_processor_open_what_the_other_sealed() {
    let dir = folder();
    let listed = run(dir.path(), true, &["devices", "--quick", "--json"]);
    if String::from_utf8_lossy(&listed.out).contains("\"devices\": []") {
        println!("skipped: no device (apt-get install ocl-icd-libopencl1 pocl-opencl-icd)");
        return;
    }
    let plain = text((5 << 20) + 4321);
    std::fs::write(dir.path().join("plain"), &plain).expect("written");
    assert_eq!(run(dir.path(), true, &["key", "new", "-o", "key"]).code, Some(0));
    for (one, other) in [("0", "cpu"), ("cpu", "0")] {
        let args = ["encrypt", "-f", "-k", "key", "--device", one, "plain"];
        let sealed = run(dir.path(), true, &args);
        assert_eq!((sealed.code, &*sealed.err), (Some(0), ""));
        let args = ["decrypt", "-k", "key", "--device", other, "-o", "-", "plain.bulat"];
        let opened = run(dir.path(), true, &args);
        assert_eq!((opened.code, &*opened.err), (Some(0), ""));
        assert!(opened.out == plain);
    }
    // A flipped bit and a cut are reported as on the processor.
    let mut sealed = std::fs::read(dir.path().join("plain.bulat")).expect("there");
    sealed[2_000_000] ^= 1;
    std::fs::write(dir.path().join("changed.bulat"), &sealed).expect("written");
    sealed.truncate(3_000_000);
    sealed[2_000_000] ^= 1;
    std::fs::write(dir.path().join("cut.bulat"), &sealed).expect("written");
    for (name, word) in [("changed.bulat", "changed"), ("cut.bulat", "cut")] {
        let say = |device| {
            let args = ["decrypt", "-k", "key", "--device", device, "-o", "out", name];
            let ran = run(dir.path(), true, &args);
            assert_eq!(ran.code, Some(5), "{word}: {}", ran.err);
            ran.err
        };
        assert_eq!(say("0"), say("cpu"));
    }
    assert!(!dir.path().join("out").exists());
}

/// A wish for a device has one answer, whatever the driver lacks: on the CUDA driver of the GPU's tests.
#[test]
fn a_device_that_cannot_work_is_refused() {
    let dir = folder();
    let listed = run(dir.path(), true, &["devices", "--quick"]);
    if !String::from_utf8_lossy(&listed.out).contains("Fake Card") {
        println!("skipped: not on the tests' CUDA driver (crates/gpu/tests/fake)");
        return;
    }
    let mut command = bulat(dir.path());
    let command = command.args(["devices", "--quick"]).env("FAKE_NO_CLOCK", "1");
    let silent = ran(command.output().expect("it starts"));
    let (clock, silent) =
        (String::from_utf8_lossy(&listed.out), String::from_utf8_lossy(&silent.out));
    assert!(clock.contains("2 units at 1000 MHz\n") && silent.contains("2 units\n"), "{silent}");
    std::fs::write(dir.path().join("plain"), "text").expect("written");
    assert_eq!(run(dir.path(), true, &["key", "new", "-o", "key"]).code, Some(0));
    for (settings, words) in [
        (&[("FAKE_CARDS", "")][..], "no GPU was found"),
        (&[("FAKE_CARDS", "6.1")], "before compute capability 7.5"),
        (&[("FAKE_VERSION", "11.8")], "too old: version 530"),
        (&[("FAKE_VERSION", "12.9"), ("FAKE_NO_PTX", "1")], "no device works"),
        (&[("FAKE_FAIL", "cuDevicePrimaryCtxRetain:1+=46")], "no device works"),
        (&[("FAKE_WITHOUT", "kuznyechik")], "no device works"),
    ] {
        let args = ["encrypt", "-k", "key", "--device", "gpu", "plain"];
        let mut command = bulat(dir.path());
        command.args(args).envs(settings.iter().copied());
        check(&ran(command.output().expect("it starts")), &args, 2, &[words]);
        assert!(!dir.path().join("plain.bulat").exists(), "{settings:?}");
    }
    let args = ["encrypt", "-k", "key", "--device", "gpu", "plain"];
    assert_eq!(run(dir.path(), true, &args).code, Some(0));
}
