#!/usr/bin/env python3
"""Tests `bulat volume mount` and `unmount`: their errors, and kills at random moments. After a kill the folder has the whole
volume or nothing, and nothing is left of the servers, the loop device and the files in /run.

mounts.py COMMAND PLUGIN KILLS [SEED]

It needs root, /dev/fuse, loop devices, nbdkit, nbdfuse and mkfs.ext4; without them it is skipped, with a message.
"""
import os, pathlib, random, shutil, signal, subprocess, sys, tempfile, time

BULAT, PLUGIN = (os.path.abspath(path) for path in sys.argv[1:3])
KILLS = int(sys.argv[3])
SEED = int(sys.argv[4]) if len(sys.argv) > 4 else random.randrange(1 << 32)
CHEAP = ["--pbkdf", "pbkdf2", "--iterations", "1000"]
RUN = "/run/bulat"


def run(*command, **options):
    return subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=600, **options)


def mount(volume, folder, *more):
    return [BULAT, "volume", "mount", "-p", "one", "--plugin", PLUGIN, *more, volume, folder]


def refuses(*command, code, words):
    ran = run(*command)
    assert ran.returncode == code and all(word in ran.stderr for word in words), (command, words, ran)
    nothing(60)


def text(path):
    try:
        return pathlib.Path(path).read_bytes()
    except OSError:
        return b""


def ours():
    """The processes of a mount in this folder: the command, its keeper, the servers and their children."""
    found = []
    for entry in os.listdir("/proc"):
        if entry.isdigit() and int(entry) != os.getpid():
            line = text(f"/proc/{entry}/cmdline").split(b"\0")
            if (os.fsencode(BULAT) in line and b"volume" in line) or any(RUN.encode() in word for word in line):
                found.append(int(entry))
    return found


def left():
    """Everything of a mount that exists."""
    mounts = [line for line in text("/proc/self/mountinfo").decode().splitlines() if HERE in line or RUN in line]
    loops = [str(path) for path in pathlib.Path("/sys/block").glob("loop*/loop/backing_file") if RUN.encode() in text(path)]
    return [*mounts, *loops, *os.listdir(RUN if os.path.isdir(RUN) else "empty"), *map(str, ours())]


def until(is_true, seconds):
    end = time.monotonic() + seconds
    while not is_true():
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


def nothing(seconds):
    assert until(lambda: not left(), seconds), ("left behind", left(), "seed", SEED)


def whole():
    """Returns whether the filesystem is there and works."""
    return os.path.ismount("folder") and text("folder/kept") == b"kept"


def errors():
    refuses(*mount("volume", "absent"), code=3, words=["absent", "mkdir -p"])
    refuses(*mount("volume", "one"), code=3, words=["one: not a folder"])
    refuses(*mount("absent", "folder"), code=3, words=["absent: "])
    refuses(*mount("volume", "folder"), code=3, words=["mount: ", "if the volume is new", "--format ext4"])
    refuses(BULAT, "volume", "mount", "-p", "two", "--plugin", PLUGIN, "volume", "folder", code=4, words=["wrong password or key", "to do: check the password"])
    pathlib.Path("key").write_bytes(bytes(range(64)))
    plain = [BULAT, "volume", "mount", "--type", "plain", "--key-file", "key", "--plugin", PLUGIN, "volume", "folder"]
    refuses(*plain, "--format", "ext4", code=2, words=["--format: not with --type plain"])
    refuses(*mount("volume", "folder", "--format", "ext4", "--header", "one"), code=2, words=["--format: not with --header"])
    refuses(*plain, code=3, words=["check the key, --cipher"])
    refuses(*mount("volume", "folder", "--format", "nosuch"), code=2, words=["kernel cannot mount nosuch", "ext4"])
    refuses(BULAT, "volume", "unmount", "folder", code=3, words=["bulat has not mounted anything there"])
    ran = run(*mount("volume", "folder", "--format", "ext4"))
    assert ran.returncode == 0 and "volume is mounted at " in ran.stdout, ran
    pathlib.Path("folder/kept").write_text("kept")
    ran = run(*mount("other", "folder"))
    assert ran.returncode == 3 and "something is mounted there" in ran.stderr, ran
    ran = run(*mount("volume", "second"))
    assert ran.returncode == 3 and "another program has it open" in ran.stderr, ran
    # Its password changes meanwhile.
    for old, new in ("one", "two"), ("two", "one"):
        ran = run(BULAT, "volume", "change-key", *CHEAP, "-p", old, "--new-password-file", new, "volume")
        assert ran.returncode == 0 and whole(), ran
    with open("folder/kept"):
        ran = run(BULAT, "volume", "unmount", "folder")
        assert ran.returncode == 3 and "fuser -vm" in ran.stderr and whole(), ran
    assert run(BULAT, "volume", "unmount", "folder").returncode == 0
    # The volume is free at once; the keeper needs a moment.
    ran = run(*mount("volume", "folder", "--format", "ext4"))
    assert ran.returncode == 2 and "there is an ext2, ext3 or ext4 filesystem" in ran.stderr, ran
    ran = run(*mount("volume", "a folder", "--read-only", "-o", "noatime"))
    assert ran.returncode == 0 and text("a folder/kept") == b"kept", ran
    assert subprocess.run(["touch", "a folder/new"], stderr=subprocess.DEVNULL).returncode, "read-only"
    # The system's own umount is enough.
    assert run("umount", "a folder").returncode == 0
    nothing(60)
    print("mount and unmount: a filesystem made, kept, read-only, busy; each error by its name", flush=True)


def signs():
    """--format refuses a volume in which blkid sees several filesystems, and a system without blkid."""
    if not shutil.which("nbdcopy"):
        print("skipped: signs in a volume: no nbdcopy (apt-get install libnbd-bin)")
        return
    put = ["nbdkit", "-U", "-", PLUGIN, "file=other", "password-file=one", "--run", "nbdcopy image $uri"]
    image = bytearray(8 << 20)
    image[:8], image[1024:1028] = b"-rom1fs-", b"\xf5\xfc\x01\xa5"
    pathlib.Path("image").write_bytes(image)
    assert subprocess.run(put, stderr=subprocess.DEVNULL).returncode == 0
    refuses(*mount("other", "folder", "--format", "ext4"), code=2, words=["--format: there is something that blkid knows", "create --force"])
    pathlib.Path("image").write_bytes(bytes(8 << 20))
    assert subprocess.run(put, stderr=subprocess.DEVNULL).returncode == 0
    os.mkdir("programs")
    for program in "nbdkit", "nbdfuse", "fusermount3", "sh", "umount", "mount", "mkfs.ext4":
        os.symlink(shutil.which(program), f"programs/{program}")
    few = ["env", f"PATH={HERE}/programs"]
    refuses(*few, *mount("other", "folder", "--format", "ext4"), code=3, words=["blkid does not start", "util-linux"])
    print("--format: refuses several signs, and a system without blkid", flush=True)
    camellia = ["--type", "veracrypt", "--pim", "1", "--hash", "sha512"]
    run(BULAT, "volume", "create", *camellia, "--cipher", "camellia", "-p", "one", "--size", "1M", "camellia")
    os.unlink("programs/nbdfuse"), os.symlink("/bin/false", "programs/nbdfuse")
    ran = run(*few, *mount("camellia", "folder", *camellia))
    assert ran.returncode == 3 and ran.stderr.count("constant-time") == 1 and "nbdfuse ended" in ran.stderr, ran
    nothing(60)


def without_sys():
    """Without the kernel's list of loop devices the servers could end too early: refused."""
    for hide in "umount -l /sys", "mount -t tmpfs none /sys/block":
        command = ["unshare", "-m", "sh", "-c", f'{hide} && exec "$@"', "sh", *mount("volume", "folder")]
        refuses(*command, code=3, words=["/sys/block"])
    assert run(*mount("volume", "folder")).returncode == 0
    ran = run("unshare", "-m", "sh", "-c", 'umount -l /sys && exec "$@"', "sh", BULAT, "volume", "unmount", "folder")
    assert ran.returncode == 3 and "/sys/block" in ran.stderr and whole(), ran
    assert run(BULAT, "volume", "unmount", "folder").returncode == 0
    nothing(60)
    print("without /sys/block: refused", flush=True)


def covered():
    """A stranger's mount over ours is not unmounted, and ours stays as long."""
    assert run(*mount("volume", "folder")).returncode == 0
    assert run("mount", "-t", "tmpfs", "none", "folder").returncode == 0
    pathlib.Path("folder/stranger").touch()
    ran = run(BULAT, "volume", "unmount", "folder")
    assert ran.returncode == 3 and "another filesystem is mounted over" in ran.stderr, ran
    keeper = [pid for pid in ours() if b"--kept" in text(f"/proc/{pid}/cmdline")]
    assert len(keeper) == 1, "the keeper stays"
    os.kill(keeper[0], signal.SIGTERM)
    time.sleep(3)
    assert os.path.exists("folder/stranger")
    assert run("umount", "folder").returncode == 0
    nothing(60)
    print("another filesystem over the volume's: unmount refuses, a signal waits", flush=True)


def in_use_elsewhere():
    """The filesystem has a second mount: the servers stay until that mount ends too, and unmount waits for it."""
    assert run(*mount("volume", "folder")).returncode == 0
    assert run("mount", "--bind", "folder", "second").returncode == 0
    waits = subprocess.Popen([BULAT, "volume", "unmount", "folder"], stderr=subprocess.PIPE, text=True)
    assert any("in use" in line for line in waits.stderr), "it says why it waits"
    data = os.urandom(10 << 20)
    pathlib.Path("second/data").write_bytes(data)
    os.sync()
    assert waits.poll() is None, "it waits"
    # The rest is written while it ends.
    pathlib.Path("second/more").write_bytes(data)
    assert run("umount", "second").returncode == 0
    assert waits.wait(60) == 0
    nothing(60)
    assert run(*mount("volume", "folder")).returncode == 0
    assert all(text(f"folder/{name}") == data for name in ("data", "more"))
    # Unsynchronised writes are not lost with a quick unmount.
    for n in range(3):
        pathlib.Path("folder/more").write_bytes(data[n:])
        assert run("umount", "folder").returncode == 0
        nothing(60)
        assert run(*mount("volume", "folder")).returncode == 0
        assert text("folder/more") == data[n:]
    # A signal to the keeper while a file is open: the file stays usable until it is closed.
    keeper = [pid for pid in ours() if b"--kept" in text(f"/proc/{pid}/cmdline")]
    with open("folder/more", "r+b") as file:
        os.kill(keeper[0], signal.SIGTERM)
        assert until(lambda: not os.path.ismount("folder"), 60), "detached"
        time.sleep(3)
        file.write(b"late")
        os.fsync(file.fileno())
    nothing(60)
    assert run(*mount("volume", "folder")).returncode == 0
    assert text("folder/more")[:4] == b"late"
    os.unlink("folder/data"), os.unlink("folder/more")
    assert run(BULAT, "volume", "unmount", "folder").returncode == 0
    print("a filesystem in use elsewhere, unsynchronised writes, a signal while a file is open: nothing is lost", flush=True)


def decoys():
    """Another user's processes with the server's command line do not hold up the end, nor do they end."""
    python = shutil.which("python3", path="/usr/bin:/bin")
    if not python:
        return print("skipped: processes of another user: no python3 that all can run")
    assert run(*mount("volume", "folder")).returncode == 0
    (folder,) = os.listdir(RUN)
    wait = "import ctypes, signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); ctypes.CDLL(None).prctl(4, {}, 0, 0, 0); print(flush=True); time.sleep(300)"
    # The second process forbids core dumps: then the folder of the process in /proc belongs to root.
    others = [subprocess.Popen([python, "-c", wait.format(dumps), "--pidfile", f"{RUN}/{folder}/pid"], user=65534,
                               cwd="/", stdout=subprocess.PIPE) for dumps in (1, 0)]
    try:
        for other in others:
            other.stdout.readline()
        begin = time.monotonic()
        ran = run(BULAT, "volume", "unmount", "folder")
        assert ran.returncode == 0 and time.monotonic() - begin < 20, (ran, time.monotonic() - begin)
        assert all(other.poll() is None for other in others)
    finally:
        for other in others:
            other.kill(), other.wait()
    nothing(60)
    print("unmount: processes of another user with the server's command line do not hold it up", flush=True)


def grown():
    """The volume's file grows, and its filesystem while it is mounted; the loop device keeps no second copy of the data."""
    if not shutil.which("resize2fs"):
        return print("skipped: a volume that grows: no resize2fs (apt-get install e2fsprogs)")
    for sector in "512", "4096":
        made = run(BULAT, "volume", "create", *CHEAP, "-p", "one", "--size", "40M", "--sector-size", sector, "growing")
        assert made.returncode == 0, made
        assert run(*mount("growing", "folder", "--format", "ext4")).returncode == 0
        kept = os.urandom(3_000_001)
        pathlib.Path("folder/kept").write_bytes(kept)
        before = shutil.disk_usage("folder").total
        assert run(BULAT, "volume", "unmount", "folder").returncode == 0
        os.truncate("growing", 100 << 20)
        assert run(*mount("growing", "folder")).returncode == 0 and text("folder/kept") == kept
        device = run("findmnt", "-no", "SOURCE", "folder").stdout.strip()
        direct = text(f"/sys/block/{os.path.basename(device)}/loop/dio").strip()
        ran = run("resize2fs", device)
        if may := "Permission denied to resize" not in ran.stderr:
            assert ran.returncode == 0 and shutil.disk_usage("folder").total > before + (50 << 20), ran
        # Half of the filesystem, be it larger or smaller.
        more = kept * (15 if may else 3)
        pathlib.Path("folder/more").write_bytes(more)
        assert run(BULAT, "volume", "unmount", "folder").returncode == 0
        assert run(*mount("growing", "folder", "--read-only")).returncode == 0
        assert text("folder/kept") == kept and text("folder/more") == more
        assert run(BULAT, "volume", "unmount", "folder").returncode == 0
        nothing(60)
        os.remove("growing")
        grows = "a mounted ext4 grows with its volume" if may else "skipped: a mounted ext4 that grows: no CAP_SYS_RESOURCE"
        print(f"{grows}; sectors of {sector} bytes, direct I/O of the loop device: {direct.decode()}", flush=True)


def interrupted():
    """An interruption while nbdkit derives a key, for seconds: no server is left, and the next mount works at once."""
    slow = ["--pbkdf", "pbkdf2", "--iterations", "12000000", "-p", "one", "--new-password-file", "two"]
    assert run(BULAT, "volume", "add-key", *slow, "other").returncode == 0
    ran = run(*mount("other", "folder", "--format", "ext4"))
    assert ran.returncode == 0, ran
    assert run(BULAT, "volume", "unmount", "folder").returncode == 0
    for victim, how in (cases := [("command", signal.SIGINT), ("command", signal.SIGKILL), ("keeper", signal.SIGKILL), ("keeper", signal.SIGTERM)]):
        command = [BULAT, "volume", "mount", "-p", "two", "--plugin", PLUGIN, "other", "folder"]
        command = subprocess.Popen(command, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        lines = lambda: {pid: text(f"/proc/{pid}/cmdline") for pid in ours()}
        assert until(lambda: any(line.startswith(b"nbdkit\0") for line in lines().values()), 60)
        # It works on the slow keyslot.
        time.sleep(0.3)
        keeper = [pid for pid, line in lines().items() if b"--kept" in line]
        os.kill(command.pid if victim == "command" else keeper[0], how)
        assert command.wait(60) or len(cases) < 12, "it was interrupted"
        if not command.returncode:
            # This process stood still until the key was derived: once more.
            run(BULAT, "volume", "unmount", "folder"), nothing(60), cases.append((victim, how))
            continue
        ran = run(*mount("other", "folder"))
        assert ran.returncode == 0, (victim, how, ran)
        assert run(BULAT, "volume", "unmount", "folder").returncode == 0
        nothing(60)
    print("interruptions while a key is derived: no server is left, and the next mount works at once", flush=True)


def waiting():
    """The keeper is killed while nbdfuse is connected and has not mounted yet: nbdkit, which waits for its clients, ends."""
    os.mkdir("slow")
    pathlib.Path("slow/nbdfuse").write_text(
        f"#!{sys.executable}\nimport pathlib, socket, sys, time\nclient = socket.socket(socket.AF_UNIX)\n"
        "client.connect(sys.argv[-1].partition('socket=')[2])\n"
        f"pathlib.Path({HERE + '/connected'!r}).touch()\ntime.sleep(600)\n")
    os.chmod("slow/nbdfuse", 0o700)
    path = f"{HERE}/slow:{os.environ['PATH']}"
    command = subprocess.Popen(mount("volume", "folder"), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL, env={**os.environ, "PATH": path})
    assert until(lambda: os.path.exists("connected"), 60)
    keeper = [pid for pid in ours() if b"--kept" in text(f"/proc/{pid}/cmdline")]
    os.kill(keeper[0], signal.SIGKILL)
    assert command.wait(60)
    nothing(60)
    print("the keeper is killed while nbdfuse connects: no server is left", flush=True)


def kills():
    random.seed(SEED)
    begin = time.monotonic()
    assert run(*mount("volume", "folder")).returncode == 0
    usual = time.monotonic() - begin
    assert run(BULAT, "volume", "unmount", "folder").returncode == 0
    count = {"while it mounts": 0, "mounted": 0, "while it unmounts": 0}
    ends = {"whole": 0, "nothing": 0}
    for n in range(KILLS):
        moment = random.choice(list(count))
        how = random.choice([signal.SIGKILL, signal.SIGKILL, signal.SIGTERM])
        command = subprocess.Popen(mount("volume", "folder"), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
        if moment == "while it mounts":
            time.sleep(random.random() * usual * 1.2)
        else:
            assert command.wait(60) == 0, "it mounts"
            if moment == "while it unmounts":
                pathlib.Path("folder/data").write_bytes(os.urandom(100_000))
                command = subprocess.Popen([BULAT, "volume", "unmount", "folder"], stderr=subprocess.DEVNULL)
                time.sleep(random.random() * 0.1)
        running, victim = ours(), b"nobody"
        if running:
            try:
                pid = random.choice(running)
                victim = text(f"/proc/{pid}/cmdline")[:60]
                os.kill(pid, how)
                count[moment] += 1
            except ProcessLookupError:
                pass
        command.wait(60)
        # The rest needs a moment to see it. Then it is a mount that works, or nothing.
        assert until(lambda: not left() or whole(), 60), (n, moment, how, victim, left(), "seed", SEED)
        time.sleep(0.3)
        state = "whole" if whole() else "nothing"
        ends[state] += 1
        if state == "whole":
            run(BULAT, "volume", "unmount", "folder")
        nothing(60)
        # Nothing of the volume is lost.
        if n % 5 == 4:
            assert run(*mount("volume", "folder")).returncode == 0 and whole(), "after kills"
            assert run(BULAT, "volume", "unmount", "folder").returncode == 0
    print(f"kills of mount and unmount: {count}, afterwards {ends}, nothing half; seed {SEED}", flush=True)


if os.getuid() or not os.path.exists("/dev/fuse") or not os.path.exists("/dev/loop-control"):
    print("skipped: volume mount: it needs root, /dev/fuse and loop devices")
    sys.exit()
for program in "nbdkit", "nbdfuse", "mkfs.ext4", "losetup":
    if not shutil.which(program):
        print(f"skipped: volume mount: no {program} (apt-get install nbdkit nbdfuse e2fsprogs)")
        sys.exit()
if run("unshare", "--mount", "mount", "-t", "tmpfs", "none", "/mnt").returncode or run("losetup", "-f").returncode:
    print("skipped: volume mount: no right to mount, or no loop device")
    sys.exit()
with tempfile.TemporaryDirectory() as HERE:
    os.chdir(HERE)
    os.umask(0o077)
    for folder in "folder", "second", "a folder", "empty":
        os.mkdir(folder)
    pathlib.Path("one").write_text("one")
    pathlib.Path("two").write_text("two")
    for volume in "volume", "other":
        made = run(BULAT, "volume", "create", *CHEAP, "-p", "one", "--size", "48M", volume)
        assert made.returncode == 0, made
    try:
        errors()
        signs()
        without_sys()
        covered()
        in_use_elsewhere()
        decoys()
        grown()
        interrupted()
        waiting()
        kills()
    finally:
        for folder in "folder", "second", "a folder":
            run("umount", "--lazy", folder)
        os.chdir("/")
