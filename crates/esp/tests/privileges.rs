//! The filter of system calls ends a process at a foreign call, and lets the program's own calls pass. Each case is a
//! process of its own: this test starts itself again.
#![cfg(target_os = "linux")]

use std::io::ErrorKind;
use std::os::unix::process::ExitStatusExt as _;
use std::process::Command;
use std::sync::{Arc, Mutex};

use bulat_esp::sys::local::{self, Wake};
use bulat_esp::sys::privileges;

const CASE: &str = "BULAT_ESP_CASE";

/// Runs a case in a child. Returns its exit status and its signal.
fn run(case: &str) -> (Option<i32>, Option<i32>) {
    let mut command = Command::new(std::env::current_exe().expect("a path"));
    command.args(["--exact", "child", "--ignored", "--test-threads=1"]).env(CASE, case);
    let output = command.output().expect("starts");
    println!("{case}: {} {}", output.status, String::from_utf8_lossy(&output.stderr));
    (output.status.code(), output.status.signal())
}

#[test]
#[ignore = "a child of the other tests"]
fn child() {
    let Ok(case) = std::env::var(CASE) else { return };
    let file = std::fs::File::open("/proc/self/status").expect("a file");
    let (a, b) = std::os::unix::net::UnixStream::pair().expect("sockets");
    let shared = Arc::new(Mutex::new(0));
    let worker = shared.clone();
    let (sender, receiver) = std::sync::mpsc::channel::<u32>();
    let thread = std::thread::spawn(move || {
        let got = receiver.recv().expect("a number");
        *worker.lock().unwrap() += got;
    });
    let wake = Wake::new().expect("a descriptor");
    privileges::no_dumps().expect("dumps are forbidden");
    match privileges::filter_calls() {
        // A kernel or a processor without filters.
        Err(e) if matches!(e.kind(), ErrorKind::Unsupported | ErrorKind::InvalidInput) => {
            std::process::exit(77)
        }
        filtered => filtered.expect("a filter"),
    }
    match case.as_str() {
        "own" => {
            use std::io::{Read as _, Write as _};
            sender.send(7).expect("it waits");
            thread.join().expect("it ends");
            assert_eq!(*shared.lock().unwrap(), 7);
            wake.wake();
            let ready = local::poll(&[wake.wait()], 1000).expect("polls");
            assert!(ready[0].read);
            (&a).write_all(b"x").expect("writes");
            (&b).read_exact(&mut [0]).expect("reads");
            // Memory from the system.
            drop(vec![1u8; 64 << 20]);
            assert!(getrandom::u64().is_ok());
            std::thread::sleep(std::time::Duration::from_millis(1));
            println!("{:?}", std::time::SystemTime::now());
            drop(file);
        }
        "file" => drop(std::fs::File::open("/etc/passwd")),
        "socket" => drop(std::net::UdpSocket::bind("127.0.0.1:0")),
        "program" => drop(Command::new("/bin/true").spawn()),
        "thread" => drop(std::thread::Builder::new().spawn(|| {})),
        "option" => drop(a.set_read_timeout(Some(std::time::Duration::from_secs(1)))),
        "length" => drop(file.metadata()),
        case => panic!("{case}"),
    }
    std::process::exit(0);
}

#[test]
fn foreign_calls_end_the_process() {
    if run("own") == (Some(77), None) {
        println!("skipped: this system has no filter of system calls");
        return;
    }
    assert_eq!(run("own"), (Some(0), None));
    for case in ["file", "socket", "program", "thread", "option", "length"] {
        // SIGSYS.
        assert_eq!(run(case), (None, Some(31)), "{case}");
    }
}

#[test]
fn users_are_found() {
    let root = privileges::find("root").expect("root");
    assert_eq!((root.user, root.group), (0, 0));
    for name in ["no-such-user-here", ""] {
        assert_eq!(privileges::find(name).expect_err(name).kind(), ErrorKind::NotFound);
    }
    assert_eq!(privileges::find("a\0b").expect_err("0").kind(), ErrorKind::InvalidInput);
}
