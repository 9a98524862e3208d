//! The command line: options, errors, exit status; and the running program, where this test is root and has a TUN.
#![cfg(target_os = "linux")]

use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};
use std::{fs, thread};

use bulat_esp::sys::{local, privileges};

const PROGRAM: &str = env!("CARGO_BIN_EXE_bulat-esp");

fn bulat_esp(arguments: &[&str]) -> Output {
    Command::new(PROGRAM).args(arguments).output().expect("starts")
}

/// Output and errors of a call that fails, or does not.
fn said(output: &Output, success: bool) -> String {
    let texts = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text));
    assert_eq!(output.status.success(), success, "{texts:?}");
    texts.concat()
}

#[test]
fn options_and_errors() {
    let version = said(&bulat_esp(&["--version"]), true);
    assert_eq!(version, concat!("bulat-esp ", env!("CARGO_PKG_VERSION"), "\n"));
    let help = said(&bulat_esp(&["run", "--help"]), true);
    assert!(!help.contains("--key") && help.contains("--mark"), "{help}");
    let page = said(&bulat_esp(&["man"]), true);
    assert!(page.contains("tun\\-mtu") && !page.contains("help\\-"), "{page}");
    for (arguments, want) in [
        (&["run", "--port", "0"][..], "--port"),
        (&["run", "--port", "4500", "--port", "4500"], "--port 4500 is there twice"),
        (&["run", "--listen", "::1", "--listen", "::1"], "--listen ::1 is there twice"),
        (&["run", "--listen", "here"], "--listen"),
        (&["run", "--mark", "0"], "a mark is a number"),
        (&["run", "--mark", "0x100000000"], "a mark is a number"),
        (&["run", "--queues", "65"], "--queues"),
        (&["run", "--tun", "a/b"], "a device's name"),
        (&["run", "--tun", "sixteen-letters-"], "a device's name"),
        (&["run", "--tun-mtu", "100"], "--tun-mtu"),
        (&["run", "--key", "00"], "--key"),
        (&["status", "--socket", "/none/control"], "no bulat-esp runs there"),
        (&["metrics", "--socket", "/none/control"], "no bulat-esp runs there"),
        (&["status", "--socket", &"/long".repeat(30)], "a socket's path"),
        (&["remove", "--tun", "no-such-tun"], "no TUN device has this name"),
        (&["remove", "--tun", "../net/lo"], "no TUN device has this name"),
        (&["remove", "--tun", "lo"], "no TUN device has this name"),
        (&["fly"], "fly"),
    ] {
        let text = said(&bulat_esp(arguments), false);
        assert!(text.contains(want), "{arguments:?}: {text}");
    }
    if local::user() == 0 {
        let text = said(&bulat_esp(&["run", "--user", "no-such-user"]), false);
        assert!(text.contains("the user no-such-user does not exist"), "{text}");
    }
}

/// A folder that its test removes.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        let path = std::env::temp_dir().join(format!("bulat-esp-run-{}", std::process::id()));
        fs::create_dir(&path).expect("the folder for temporary files can be written");
        Folder(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A program that ends with its test.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Waits for a file.
fn appears(path: &Path) {
    let end = Instant::now() + Duration::from_secs(60);
    while !path.exists() {
        assert!(Instant::now() < end, "no {}", path.display());
        thread::sleep(Duration::from_millis(20));
    }
}

/// The running program, in a separate network namespace: another user without rights; it answers only root, until SIGTERM.
#[test]
fn it_runs_without_rights() {
    let lacks = |what| println!("skipped: the running program: {what}");
    let works = |program: &str, arguments: &[&str]| {
        Command::new(program).args(arguments).output().is_ok_and(|o| o.status.success())
    };
    if local::user() != 0 || !Path::new("/dev/net/tun").exists() {
        return lacks("no root, or no /dev/net/tun");
    }
    if !works("unshare", &["--net", "true"]) || privileges::find("nobody").is_err() {
        return lacks("no network namespaces, or no user nobody");
    }
    let folder = Folder::new();
    let socket = folder.0.join("control");
    let name = socket.to_str().expect("UTF-8");
    let mut child = Command::new("unshare")
        .args(["--net", PROGRAM, "run", "--user", "nobody", "--socket", name])
        .stderr(Stdio::null())
        .spawn()
        .map(Running)
        .expect("starts");
    appears(&socket);
    let status = said(&bulat_esp(&["status", "--socket", name]), true);
    assert!(status.contains("0 SAs, 0 policies"), "{status}");
    assert!(said(&bulat_esp(&["metrics", "--socket", name]), true).contains("bulat_esp_sas"));

    let id = child.0.id().to_string();
    let remove = || {
        let arguments = ["--net", "--target", &id, PROGRAM, "remove"];
        Command::new("nsenter").args(arguments).output().expect("starts")
    };
    assert!(said(&remove(), false).contains("bulat0: a program uses it"));

    let rights = fs::read_to_string(format!("/proc/{id}/status")).expect("it runs");
    let line = |name: &str| {
        let found = rights.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'));
        found
            .unwrap_or_else(|| panic!("no {name}"))
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ")
    };
    let nobody = privileges::find("nobody").expect("a user");
    assert_eq!(line("Uid"), vec![nobody.user.to_string(); 4].join(" "));
    assert_eq!(line("Gid"), vec![nobody.group.to_string(); 4].join(" "));
    for (name, want) in [
        ("CapPrm", "0"),
        ("CapEff", "0"),
        ("CapBnd", "0"),
        ("CapAmb", "0"),
        ("NoNewPrivs", "1"),
        ("Seccomp", "2"),
        ("Groups", ""),
    ] {
        assert_eq!(line(name).trim_start_matches('0'), want.trim_start_matches('0'), "{name}");
    }
    let limits = fs::read_to_string(format!("/proc/{id}/limits")).expect("it runs");
    assert!(limits.lines().any(|l| l.starts_with("Max core file size") && l.contains(" 0 ")));

    // A user who may open the socket, but is not root. Only the file's mode changes.
    let open = |path: &Path, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode));
    open(&folder.0, 0o755).expect("our folder");
    open(&socket, 0o666).expect("our socket");
    let copy = folder.0.join("program");
    let copy = copy.to_str().expect("UTF-8");
    // Not by this process: a child of a test at the same time would have the file open for writing, and it could not start.
    assert!(works("cp", &[PROGRAM, copy]) && works("chmod", &["755", copy]));
    let arguments = ["--reuid", "12345", "--clear-groups", copy, "status", "--socket", name];
    match Command::new("setpriv").args(arguments).output() {
        Ok(output) => {
            let text = said(&output, false);
            assert!(text.contains("only root may use this socket"), "{text}");
        }
        Err(_) => lacks("no setpriv"),
    }

    assert!(works("kill", &["-TERM", &id]));
    assert!(child.0.wait().expect("it ends").success());
    assert!(said(&bulat_esp(&["status", "--socket", name]), false).contains("no bulat-esp runs"));
}
