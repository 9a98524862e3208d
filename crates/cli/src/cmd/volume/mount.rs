//! `bulat volume mount` and `unmount`: nbdkit, nbdfuse, a loop device and mount behind one command.
//!
//! The command asks for the password, starts a keeper, and waits until the keeper has mounted the volume. The keeper stays
//! in the background. It ends everything once a part of it ends: a server, the mount, or itself by a signal. If the
//! keeper or the command is killed before the mount is complete, the other one cleans up. Afterwards nothing is lost with
//! the keeper: `unmount` finds all parts by the folder's name.

use std::ffi::{OsStr, OsString};
use std::fs::{self, DirBuilder, File};
use std::io::{BufRead as _, BufReader, ErrorKind, Read as _, Write as _};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use bulat_block::signs;
use rustix::event::{PollFd, PollFlags, poll};
use rustix::process::{Pid, Signal, geteuid, kill_process, setsid};
use zeroize::Zeroizing;

use super::serve;
use crate::cli::{VolumeKind, VolumeMountArgs, VolumeUnmountArgs};
use crate::error::{Error, Exit, Result, name, note};
use crate::io::print;

/// The folder of all mounts. It is empty after a reboot.
const ALL: &str = "/run/bulat";

/// The kernel's block devices.
const BLOCK: &str = "/sys/block";

/// The keeper's word that the mount is complete.
const READY: &str = "ready\n";

/// The time that a server may need to start, or to end.
const PATIENCE: Duration = Duration::from_secs(30);

/// The pause between two looks.
const PAUSE: Duration = Duration::from_millis(20);

/// The files of one mount, named after its folder.
struct Run {
    /// Where the filesystem is mounted.
    dir: PathBuf,
    /// Has the files below.
    folder: PathBuf,
    /// The folder of nbdfuse.
    fuse: PathBuf,
    /// The file of the plaintext, in that folder.
    disk: PathBuf,
    socket: PathBuf,
    /// The errors of the servers.
    log: PathBuf,
    /// nbdkit's process number.
    pid: PathBuf,
}

impl Run {
    /// Returns the files of a keeper. Each has its own, so that one that ends does not touch the next one's.
    fn of(dir: &Path, keeper: u32) -> Self {
        Self::at(dir, Path::new(ALL).join(format!("{}.{keeper}", digits(dir))))
    }

    fn at(dir: &Path, folder: PathBuf) -> Self {
        let fuse = folder.join("fuse");
        let mut own = OsString::from("bulat-");
        own.push(folder.file_name().unwrap_or_default());
        let (disk, socket, pid) = (fuse.join(own), folder.join("socket"), folder.join("pid"));
        let log = folder.join("errors");
        Run { dir: dir.into(), folder, fuse, disk, socket, log, pid }
    }

    /// Returns all mounts of a folder, also those left behind.
    fn all(dir: &Path) -> Vec<Self> {
        let begin = format!("{}.", digits(dir));
        let entries = fs::read_dir(ALL).into_iter().flatten().flatten();
        let ours =
            entries.filter(|entry| entry.file_name().as_bytes().starts_with(begin.as_bytes()));
        ours.map(|entry| Self::at(dir, entry.path())).collect()
    }

    /// Returns the loop devices over the plaintext. While there is one, a filesystem may still read and write.
    fn loops(&self) -> Vec<PathBuf> {
        // Once nbdfuse's folder is detached, its file is shown in the root.
        let detached = Path::new("/").join(self.disk.file_name().unwrap_or_default());
        let is_ours = |device: &fs::DirEntry| {
            let file = fs::read(device.path().join("loop/backing_file")).unwrap_or_default();
            let ours = |ours: &Path| match file.strip_prefix(ours.as_os_str().as_bytes()) {
                Some(rest) => rest.starts_with(b"\n") || rest.starts_with(b" "),
                None => false,
            };
            ours(&self.disk) || ours(&detached)
        };
        let devices = fs::read_dir(BLOCK).into_iter().flatten().flatten();
        devices.filter(is_ours).map(|device| Path::new("/dev").join(device.file_name())).collect()
    }

    /// Returns whether the folder has this volume's filesystem.
    fn is_mounted(&self) -> bool {
        let loops = self.loops();
        mounts().iter().any(|(at, source)| *at == self.dir && loops.contains(source))
    }

    /// Returns whether `umount` of the folder would end this volume's filesystem, and not one mounted over it.
    fn is_on_top(&self) -> bool {
        let loops = self.loops();
        let last = mounts().into_iter().rfind(|(at, _)| *at == self.dir);
        last.is_some_and(|(_, source)| loops.contains(&source))
    }

    /// Ends everything that is left, in the order of its layers. Waits for a filesystem that still writes or is in
    /// use elsewhere: only its last user ends it. Returns whether nothing is left.
    fn clear(&self) -> bool {
        let (mut idle, mut told) = (Duration::ZERO, false);
        while idle < PATIENCE {
            // Politely first.
            let how: &[&str] = if idle.as_secs() < 2 { &[] } else { &["--lazy"] };
            let mut pause = PAUSE;
            if self.is_on_top() {
                silent("umount", how, &self.dir);
            } else if !self.loops().is_empty() {
                // The kernel unmounts before it writes the rest, and the mount may have copies.
                if idle.as_secs() >= 2 && !told {
                    told = true;
                    note(format_args!("{} is still being written, or in use", name(&self.dir)));
                }
                if told {
                    pause = 10 * PAUSE;
                    idle -= pause;
                }
            } else if mounts().iter().any(|(at, _)| *at == self.fuse) {
                silent("umount", how, &self.fuse);
            } else if !self.end_servers() {
                // A server that starts meanwhile fails without the folder, or leaves a file here and is found.
                let _ = fs::remove_file(&self.pid);
                let _ = fs::remove_file(&self.socket);
                let _ = fs::remove_file(&self.log);
                let _ = fs::remove_dir(&self.fuse);
                match fs::remove_dir(&self.folder) {
                    Ok(()) => return true,
                    Err(e) if e.kind() == ErrorKind::NotFound => return true,
                    Err(_) => {}
                }
            }
            thread::sleep(pause);
            idle += pause;
        }
        false
    }

    /// Returns nbdkit's address for nbdfuse.
    fn address(&self) -> OsString {
        let mut address = OsString::from("nbd+unix:///?socket=");
        address.push(&self.socket);
        address
    }

    /// Ends nbdkit, the shell that started it, and an nbdfuse without a mount, and returns whether there was one.
    /// nbdkit waits for its clients; nbdfuse opens several connections before it mounts, and if nbdkit is told to end
    /// between two of them, each waits for the other. nbdkit and the shell name the pid file in their command lines;
    /// nbdkit writes the file only after it has derived the key. Anybody can have such a command line, so root must
    /// have started them.
    fn end_servers(&self) -> bool {
        let address = self.address();
        let named: [[&[u8]; 2]; 2] = [
            [b"--pidfile", self.pid.as_os_str().as_bytes()],
            [self.disk.as_os_str().as_bytes(), address.as_bytes()],
        ];
        let mut found = false;
        for process in fs::read_dir("/proc").into_iter().flatten().flatten() {
            let number = process.file_name().to_str().and_then(|name| name.parse().ok());
            let Some(pid) = number.and_then(Pid::from_raw) else { continue };
            // A process that has ended has no command line.
            let line = fs::read(process.path().join("cmdline")).unwrap_or_default();
            let words: Vec<&[u8]> = line.split(|byte| *byte == 0).collect();
            if words.windows(2).any(|two| named.iter().any(|named| two == named))
                && is_of_root(&process.path())
            {
                found = true;
                let _ = kill_process(pid, Signal::TERM);
            }
        }
        found
    }
}

/// Returns whether root started this process. The owner of its folder does not say that: it is root for a process that
/// forbids core dumps, and for a program with the set-user-ID bit.
fn is_of_root(process: &Path) -> bool {
    let status = fs::read(process.join("status")).unwrap_or_default();
    let ids = status.split(|b| *b == b'\n').find_map(|line| line.strip_prefix(b"Uid:\t"));
    // The real user comes first.
    ids.is_some_and(|ids| ids.starts_with(b"0\t"))
}

/// Returns an error if the loop devices cannot be seen: the servers would end while a filesystem still writes.
fn loops_are_known() -> Result<()> {
    fs::read_dir(BLOCK).map(drop).map_err(|e| Error::read(Path::new(BLOCK), &e))
}

/// Returns digits in place of a folder's name, which may be too long for a socket's.
fn digits(dir: &Path) -> String {
    let mut hash = bulat::Streebog256::new();
    hash.update(dir.as_os_str().as_bytes());
    hash.finalize()[..8].iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Returns the folders where something is mounted, with its source.
fn mounts() -> Vec<(PathBuf, PathBuf)> {
    let lines = fs::read("/proc/self/mountinfo").unwrap_or_default();
    let line = |line: &[u8]| {
        let words: Vec<&[u8]> = line.split(|b| *b == b' ').collect();
        let end = words.iter().position(|word| *word == b"-")?;
        Some((unescaped(words.get(4)?), unescaped(words.get(end + 2)?)))
    };
    lines.split(|b| *b == b'\n').filter_map(line).collect()
}

/// Returns a path of `mountinfo`, which has a space as `\040`.
fn unescaped(text: &[u8]) -> PathBuf {
    let (mut out, mut at) = (Vec::new(), 0);
    while at < text.len() {
        let digits = text.get(at + 1..at + 4).and_then(|digits| str::from_utf8(digits).ok());
        let number = digits.and_then(|digits| u8::from_str_radix(digits, 8).ok());
        match number.filter(|_| text[at] == b'\\') {
            Some(byte) => (out.push(byte), at += 4),
            None => (out.push(text[at]), at += 1),
        };
    }
    OsStr::from_bytes(&out).into()
}

fn silent(program: &str, options: &[&str], path: &Path) {
    let mut command = Command::new(program);
    let command = command.args(options).arg(path).stdin(Stdio::null());
    let _ = command.stdout(Stdio::null()).stderr(Stdio::null()).status();
}

/// Returns the folder's full name.
fn folder(dir: &Path) -> Result<PathBuf> {
    let dir = fs::canonicalize(dir).map_err(|e| {
        let error = Error::read(dir, &e);
        let missing = e.kind() == ErrorKind::NotFound;
        if missing { error.remedy(format_args!("mkdir -p {}", name(dir))) } else { error }
    })?;
    if !geteuid().is_root() {
        return Err(Error::new(Exit::Io, "only root can mount").remedy(
            "run it by sudo; or bulat volume open, which any user can run, and nbdcopy or qemu",
        ));
    }
    Ok(dir)
}

pub fn mount(args: &VolumeMountArgs) -> Result<Exit> {
    let dir = folder(&args.dir)?;
    if args.kept {
        return keep(args, &Run::of(&dir, std::process::id()));
    }
    // A plain mapping's wrong key, and another volume's header, give noise, in which a filesystem cannot be seen.
    let unsure = match (args.serve.access.kind, &args.serve.volume.header) {
        (VolumeKind::Plain, _) => Some("--type plain"),
        (_, header) => header.as_ref().map(|_| "--header"),
    };
    if let Some(option) = unsure.filter(|_| args.format.is_some()) {
        return Err(Error::usage(format_args!("--format: not with {option}"))
            .remedy("serve it by bulat volume open, and make the filesystem there"));
    }
    if !dir.is_dir() {
        return Err(Error::at(Exit::Io, &dir, "not a folder"));
    }
    if mounts().iter().any(|(at, _)| *at == dir) {
        return Err(Error::at(Exit::Io, &dir, "something is mounted there")
            .remedy("name another folder, or unmount it"));
    }
    // Refuses a wrong command before it asks for a password.
    if let Some(kind) = &args.format {
        can_be_mounted(kind)?;
    }
    serve::nbdkit(&args.serve, Path::new("socket"), &[])?;
    let secrets = serve::piped(&serve::secrets(&args.serve)?)?;
    let fail = |e| Error::new(Exit::Io, format_args!("the keeper does not start: {e}"));
    let mut words: Vec<_> = std::env::args_os().skip(1).collect();
    let volume = words.iter().position(|word| word == "volume").unwrap_or(0);
    let at = words[volume..].iter().position(|word| word == "mount").unwrap_or(0);
    words.insert(volume + at + 1, "--kept".into());
    let mut keeper = Command::new(std::env::current_exe().map_err(fail)?)
        .args(words)
        .stdin(secrets)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(fail)?;
    // The keeper outlives this command, so it must not have its standard error.
    let errors = keeper.stderr.take().map(|mut errors| {
        thread::spawn(move || std::io::copy(&mut errors, &mut std::io::stderr()))
    });
    let said = keeper.stdout.take().map(BufReader::new);
    if said.is_some_and(|said| said.lines().map_while(Result::ok).any(|line| line == READY.trim()))
    {
        return print(format!("{} is mounted at {}\n", name(&args.serve.volume.file), name(&dir)))
            .map(|()| Exit::Success);
    }
    // The keeper has ended, and so have the programs that it waited for, which have its standard output too.
    let status = keeper.wait().map_err(fail)?;
    let _ = errors.map(thread::JoinHandle::join);
    match status.code().and_then(Exit::of) {
        // It has said why, and cleaned up.
        Some(exit) => Ok(exit),
        None => {
            Run::of(&dir, keeper.id()).clear();
            Err(Error::new(Exit::Io, format_args!("the keeper ended: {status}")))
        }
    }
}

/// Something that ends a mount.
enum Event {
    /// A program of this name ended.
    Ended(&'static str),
    /// A filesystem was mounted or unmounted somewhere.
    Mounts,
    /// A signal.
    Signal,
}

/// A server. Its errors go to a file, so that it does not need the keeper.
struct Server {
    child: Arc<Mutex<Child>>,
}

fn locked<T>(value: &Mutex<T>) -> MutexGuard<'_, T> {
    value.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Server {
    /// Starts a server. Its end is an event.
    fn start(
        command: &mut Command,
        program: &'static str,
        run: &Run,
        to: &Sender<Event>,
    ) -> Result<Self> {
        let log = File::options().append(true).create(true).open(&run.log);
        let log = log.map_err(|e| Error::write(&run.log, &e))?;
        let child = command.stdout(Stdio::null()).stderr(log).spawn();
        let child = child.map_err(|e| serve::absent(program, program, &e))?;
        let child = Arc::new(Mutex::new(child));
        let (to, child_too) = (to.clone(), child.clone());
        thread::spawn(move || {
            while matches!(locked(&child_too).try_wait(), Ok(None)) {
                thread::sleep(5 * PAUSE);
            }
            let _ = to.send(Event::Ended(program));
        });
        Ok(Server { child })
    }
}

/// Gives the notes of the plugin to the user.
fn notes(run: &Run) {
    let log = fs::read_to_string(&run.log).unwrap_or_default();
    let notes = log.lines().take(50).filter_map(|line| line.strip_prefix("bulat: "));
    notes.filter(|said| !said.contains(" is served at ")).for_each(note);
}

/// Returns the errors of the servers.
fn reasons(run: &Run) -> String {
    let log = fs::read_to_string(&run.log).unwrap_or_default();
    let errors = log.lines().take(50).filter(|line| !line.starts_with("bulat: ")).map(|line| {
        let line = line.strip_prefix("nbdkit: ").unwrap_or(line);
        line.strip_prefix("error: ").unwrap_or(line)
    });
    errors.collect::<Vec<_>>().join("\n")
}

/// Serves and mounts the volume, and stays until it ends. Standard input has the secrets; standard output is read by
/// the command.
fn keep(args: &VolumeMountArgs, run: &Run) -> Result<Exit> {
    // Ctrl-C in the terminal ends only the command.
    let _ = setsid();
    let fail = |path: &Path, e: std::io::Error| Error::at(Exit::Io, path, e);
    let mut secrets = Zeroizing::new(Vec::with_capacity(1 << 16));
    std::io::stdin().read_to_end(&mut secrets).map_err(|e| fail(Path::new("stdin"), e))?;
    let ((to, events), mut servers) = (channel(), Vec::new());
    watch(&to)?;
    loops_are_known()?;
    let private = |path: &Path| DirBuilder::new().mode(0o700).create(path);
    match private(Path::new(ALL)) {
        Err(e) if e.kind() != ErrorKind::AlreadyExists => return Err(fail(Path::new(ALL), e)),
        _ => {}
    }
    // The lock is on the folder under the mount. The keeper of an interrupted command has it until its servers have ended.
    let lock = File::open(&run.dir).map_err(|e| fail(&run.dir, e))?;
    let is_ours = (0..100).any(|n| {
        thread::sleep(if n == 0 { Duration::ZERO } else { PAUSE });
        lock.try_lock().is_ok()
    });
    if !is_ours || mounts().iter().any(|(at, _)| *at == run.dir) {
        let what = "another mount uses it";
        return Err(Error::at(Exit::Io, &run.dir, what));
    }
    // Left behind by a keeper that was killed.
    for left in Run::all(&run.dir).iter().filter(|left| left.loops().is_empty()) {
        left.clear();
    }
    private(&run.folder).map_err(|e| fail(&run.folder, e))?;
    let mounted = private(&run.fuse)
        .map_err(|e| fail(&run.fuse, e))
        .and_then(|()| mounted(args, run, &secrets, &mut servers, &to, &events));
    drop(secrets);
    let mut said = std::io::stdout();
    let told = mounted.and_then(|()| {
        // If nobody listens, the command was killed.
        let told = said.write_all(READY.as_bytes()).and_then(|()| said.flush());
        told.map_err(|e| fail(Path::new("the command"), e))
    });
    if let Err(e) = told {
        // A function of the password may need minutes; nothing can be lost before the mount.
        if !run.is_mounted() && run.loops().is_empty() {
            servers.iter().for_each(|server: &Server| drop(locked(&server.child).kill()));
        }
        run.clear();
        return Err(e);
    }
    loop {
        match events.recv_timeout(PATIENCE) {
            Ok(Event::Mounts) if run.is_mounted() => {}
            // Errors of a disk must not fill the memory.
            Err(RecvTimeoutError::Timeout) => {
                let log = File::options().write(true).open(&run.log);
                let _ = log.and_then(|log| {
                    if log.metadata()?.len() > 1 << 20 { log.set_len(0) } else { Ok(()) }
                });
            }
            _ => break,
        }
    }
    // Others may use the folder again.
    drop(lock);
    run.clear();
    Ok(Exit::Success)
}

/// Sends an event for each signal, and for each change of the system's mounts.
fn watch(to: &Sender<Event>) -> Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    let fail = |e: std::io::Error| Error::new(Exit::Io, format_args!("the keeper: {e}"));
    let mut signals =
        signal_hook::iterator::Signals::new([SIGHUP, SIGINT, SIGTERM]).map_err(fail)?;
    let changes = File::open("/proc/self/mountinfo").map_err(fail)?;
    let (signaled, changed) = (to.clone(), to.clone());
    thread::spawn(move || signals.forever().all(|_| signaled.send(Event::Signal).is_ok()));
    thread::spawn(move || {
        loop {
            let mut wait = [PollFd::new(&changes, PollFlags::PRI)];
            if poll(&mut wait, None).is_err() {
                thread::sleep(PAUSE);
            }
            if changed.send(Event::Mounts).is_err() {
                return;
            }
        }
    });
    Ok(())
}

/// Starts the servers and mounts the filesystem.
fn mounted(
    args: &VolumeMountArgs,
    run: &Run,
    secrets: &[u8],
    servers: &mut Vec<Server>,
    to: &Sender<Event>,
    events: &Receiver<Event>,
) -> Result<()> {
    // nbdkit ends when nbdfuse leaves.
    let more: [&OsStr; 3] =
        ["--filter=exitlast".as_ref(), "--pidfile".as_ref(), run.pid.as_os_str()];
    let nbdkit = serve::nbdkit(&args.serve, &run.socket, &more)?;
    // Debian's nbdkit ends with its parent. A shell in between outlives a keeper that is killed.
    let mut shell = Command::new("sh");
    shell.args(["-c", "\"$@\"; exit $?", "sh"]).arg(nbdkit.get_program()).args(nbdkit.get_args());
    servers.push(Server::start(shell.stdin(serve::piped(secrets)?), "nbdkit", run, to)?);
    let served = appears(&run.pid, run, events);
    notes(run);
    served?;
    let mut nbdfuse = Command::new("nbdfuse");
    if args.serve.read_only {
        nbdfuse.arg("--readonly");
    }
    nbdfuse.arg(&run.disk).arg(run.address()).stdin(Stdio::null());
    servers.push(Server::start(&mut nbdfuse, "nbdfuse", run, to)?);
    appears(&run.disk, run, events)?;
    if let Some(kind) = &args.format {
        is_wanted()?;
        format(run, kind)?;
    }
    let mut options = OsString::from(if args.serve.read_only { "loop,ro" } else { "loop" });
    if let Some(more) = &args.options {
        options.push(",");
        options.push(more);
    }
    is_wanted()?;
    let mut mount = Command::new("mount");
    mount.arg("-o").arg(options).arg(&run.disk).arg(&run.dir);
    done(&mut mount, "mount", "mount").map_err(|e| match content(run) {
        _ if args.serve.access.kind == VolumeKind::Plain => {
            e.remedy("check the key, --cipher, --offset, --skip and --sector-size")
        }
        Ok(None) => {
            e.remedy("if the volume is new, it has no filesystem yet: --format ext4 makes one")
        }
        _ if e.what.contains("unknown filesystem type") => e.remedy(
            "mount it where the kernel has this filesystem; or, to lose it: bulat volume create --force",
        ),
        _ => e,
    })?;
    let loops = run.loops();
    if loops.is_empty() {
        silent("umount", &[], &run.dir);
        let what = "the loop device is not there";
        return Err(Error::new(Exit::Io, format_args!("{BLOCK}: {what}")));
    }
    // Without a second copy of the data in memory. A kernel that refuses this keeps the copy.
    for device in loops {
        silent("losetup", &["--direct-io=on"], &device);
    }
    Ok(())
}

/// Returns an error if the command was interrupted, so that nobody reads standard output.
fn is_wanted() -> Result<()> {
    let out = std::io::stdout();
    let mut wait = [PollFd::new(&out, PollFlags::empty())];
    let now = rustix::event::Timespec { tv_sec: 0, tv_nsec: 0 };
    let _ = poll(&mut wait, Some(&now));
    match wait[0].revents().contains(PollFlags::ERR) {
        true => Err(interrupted()),
        false => Ok(()),
    }
}

fn interrupted() -> Error {
    Error::new(Exit::Io, "interrupted")
}

/// Returns the name of anything with a sign in the volume.
fn content(run: &Run) -> Result<Option<String>> {
    let disk = File::open(&run.disk).map_err(|e| Error::read(&run.disk, &e))?;
    let found = signs::sign(&disk).map_err(|e| Error::new(Exit::Io, e))?;
    if let Some(what) = found {
        return Ok(Some(what.into()));
    }
    // It knows more of them. Only this number says that there is nothing; another is for several signs.
    let mut blkid = Command::new("blkid");
    let ran = blkid.args(["--probe", "--output", "value"]).arg(&run.disk).output();
    let ran = ran.map_err(|e| serve::absent("blkid", "util-linux", &e))?;
    Ok((ran.status.code() != Some(2)).then(|| "something that blkid knows".into()))
}

/// Refuses a filesystem that this system could make, and not mount.
fn can_be_mounted(kind: &str) -> Result<()> {
    use rustix::mount::{FsOpenFlags, fsopen};
    // Programs that make filesystems of another name, and programs that mount without the kernel's help.
    let name = match kind {
        "fat" => "vfat",
        "ntfs" => "ntfs3",
        kind => kind,
    };
    let helper = format!("mount.{kind}");
    let paths = std::env::var_os("PATH").unwrap_or_default();
    let mut paths = std::env::split_paths(&paths).chain(["/sbin".into(), "/usr/sbin".into()]);
    // This loads a module, as mount does. Other errors say nothing: it may be forbidden, or the kernel too old.
    let is_unknown = matches!(fsopen(name, FsOpenFlags::empty()), Err(rustix::io::Errno::NODEV));
    if is_unknown && !paths.any(|path| path.join(&helper).exists()) {
        return Err(Error::usage(format_args!(
            "--format: this system's kernel cannot mount {kind}"
        ))
        .remedy(
            "name another filesystem, such as ext4; cat /proc/filesystems names those in use",
        ));
    }
    Ok(())
}

/// Makes a filesystem, unless there is anything.
fn format(run: &Run, kind: &str) -> Result<()> {
    if let Some(what) = content(run)? {
        return Err(Error::usage(format_args!("--format: there is {what} in the volume"))
            .remedy("to mount it, leave --format out; to lose it: bulat volume create --force"));
    }
    let program = format!("mkfs.{kind}");
    let mut command = Command::new(&program);
    // Below 512 MiB ext4 takes blocks of 1 KiB, and a write of a part of a sector reads and decrypts the whole first.
    let room = fs::metadata(&run.disk).map_or(0, |disk| disk.len());
    if kind.starts_with("ext") && room >= 64 << 20 {
        command.args(["-b", "4096"]);
    }
    done(command.arg(&run.disk), &program, "e2fsprogs, xfsprogs or btrfs-progs")
}

/// Runs a program to its end. It has this process's standard output, so that the command sees its end.
fn done(command: &mut Command, program: &str, package: &str) -> Result<()> {
    let ran = command.stdin(Stdio::null()).stdout(Stdio::inherit()).output();
    let ran = ran.map_err(|e| serve::absent(program, package, &e))?;
    if ran.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&ran.stderr);
    Err(Error::new(Exit::Io, format_args!("{program}: {}: {}", ran.status, said.trim())))
}

/// Words of a server that ended, the exit code, and the advice.
const ENDS: [(&str, Exit, &str); 9] = [
    ("wrong password or key", Exit::Key, "check the password, --key-file, --pim and --type"),
    ("the password was not tried", Exit::Key, "name the keyslot with --slot"),
    ("not supported: ", Exit::Data, ""),
    ("damaged header", Exit::Data, "restore the header: bulat volume restore-header"),
    (
        "no LUKS header",
        Exit::Data,
        "VeraCrypt and plain mappings cannot be recognised: give --type",
    ),
    ("cut short", Exit::Data, "copy the whole file or device again: the present part is intact"),
    ("a detached header", Exit::Data, "name its data, and this file with --header"),
    (
        "refused before any work",
        Exit::Usage,
        "if you trust the volume: --max-iterations, --max-memory",
    ),
    ("not found", Exit::Io, "apt-get install nbdkit"),
];

/// Waits for a file of the last server.
fn appears(path: &Path, run: &Run, events: &Receiver<Event>) -> Result<()> {
    while !path.exists() {
        match events.recv_timeout(PAUSE) {
            Err(RecvTimeoutError::Timeout) | Ok(Event::Mounts) => is_wanted()?,
            Ok(Event::Ended(program)) => {
                let reason = reasons(run);
                let found = ENDS.iter().find(|(words, ..)| reason.contains(words));
                let exit = found.map_or(Exit::Io, |(_, exit, _)| *exit);
                let error = Error::new(exit, format_args!("{program} ended: {reason}"));
                return Err(match (reason.split_once("not supported: "), found) {
                    (Some((_, what)), _) => error.remedy(super::remedy(what)),
                    (_, Some((_, _, remedy))) => error.remedy(remedy),
                    _ => error,
                });
            }
            _ => return Err(interrupted()),
        }
    }
    Ok(())
}

pub fn unmount(args: &VolumeUnmountArgs) -> Result<Exit> {
    let dir = folder(&args.dir)?;
    loops_are_known()?;
    let all = Run::all(&dir);
    if all.is_empty() {
        let what = "bulat has not mounted anything there";
        return Err(Error::at(Exit::Io, &dir, what));
    }
    for run in &all {
        if run.is_mounted() {
            if !run.is_on_top() {
                let what = "another filesystem is mounted over the volume's";
                return Err(Error::at(Exit::Io, &dir, what)
                    .remedy(format_args!("unmount that one first: umount {}", name(&dir))));
            }
            // Only the polite way: open files would be lost to their programs.
            done(Command::new("umount").arg(&dir), "umount", "mount")
                .map_err(|e| e.remedy(format_args!("close its files: fuser -vm {}", name(&dir))))?;
        }
        // The keeper does the same, unless it was killed. The volume is free when nbdkit has ended.
        if !run.clear() {
            return Err(Error::at(Exit::Io, &dir, "the servers do not end")
                .remedy("see which program uses the loop device: losetup -l"));
        }
    }
    Ok(Exit::Success)
}
