#!/usr/bin/env python3
"""Measures a mounted volume by fio: `bulat volume mount`, its programs started by hand, nbdkit's memory plugin mounted in the
same way, and a loop device without encryption. The last lines compare the CPU time that encryption adds with XTS in the library.
The volume is on tmpfs and has ext4. Each pass reads or writes all blocks once in random order, from an empty cache, with 32
requests at once of each of two jobs; a sync after writes counts. The last pass reads only one block of 16, so that reading ahead
is in vain. Prints a table of medians: MB/s and, in brackets, CPU time of nbdkit and nbdfuse in ns per byte.

mounted.py COMMAND PLUGIN [MIB of each job] [ROUNDS]

Run it as root on an idle machine: it empties the system's cache. It needs nbdkit, nbdfuse, fuse3, mkfs.ext4, and fio.
"""
import contextlib, json, os, pathlib, statistics, subprocess, sys, tempfile, time

BULAT, PLUGIN = (os.path.abspath(path) for path in sys.argv[1:3])
MIB, ROUNDS = map(int, [*sys.argv[3:], *["256", "3"][len(sys.argv) - 3:]])
PASSES = [(access, size, 1) for size in ("128k", "4k") for access in ("randwrite", "randread")] + [("randread", "4k", 16)]


def run(*command):
    return subprocess.run(command, check=True, stdin=subprocess.DEVNULL, capture_output=True, text=True).stdout.strip()


@contextlib.contextmanager
def loop(disk, new=False):
    device = run("losetup", "-f", "--show", *(["--direct-io=on"] if new else []), disk)
    if new:
        run("mkfs.ext4", "-q", "-b", "4096", device)
    run("mount", device, "folder")
    yield
    run("umount", "folder")
    run("losetup", "-d", device)


@contextlib.contextmanager
def served(*commands, new=False):
    """Starts servers, the last of them nbdfuse."""
    servers = []
    for command, ready in commands:
        servers.append(subprocess.Popen(command, stdout=subprocess.DEVNULL))
        while not os.path.exists(ready):
            assert servers[-1].poll() is None, command
            time.sleep(0.02)
    with loop("fuse/disk", new):
        yield
    run("fusermount3", "-u", "fuse")
    for server in reversed(servers):
        server.terminate()
        server.wait()


def one_command():
    return served((["nbdfuse", "fuse/disk", "--command", "nbdkit", "-s", "--", PLUGIN, "disk", "password-file=one"], "fuse/disk"))


def by_hand():
    serve = [BULAT, "volume", "open", "-p", "one", "--plugin", PLUGIN, "--socket", "socket", "disk"]
    return served((serve, "socket"), (["nbdfuse", "fuse/disk", "nbd+unix:///?socket=socket"], "fuse/disk"))


def memory():
    """The servers of `volume mount`, with as many threads, over the memory plugin."""
    pathlib.Path("memory").unlink(missing_ok=True)
    serve = ["nbdkit", "--foreground", "--threads", str(len(os.sched_getaffinity(0))), "--unix", "memory", "memory", room]
    return served((serve, "memory"), (["nbdfuse", "fuse/disk", "nbd+unix:///?socket=memory"], "fuse/disk"), new=True)


def xts():
    """Nanoseconds for each byte of XTS in the library, on one core."""
    rows = json.loads(run(BULAT, "bench", "--no-peer", "--seconds", "4", "--json"))["rows"]
    return 1e9 / {row["algorithm"]: row["bytes_per_second"] for row in rows}["kuznyechik-xts"]


@contextlib.contextmanager
def mount(*more, direct=True):
    run(BULAT, "volume", "mount", "-p", "one", "--plugin", PLUGIN, *more, "disk", "folder")
    if not direct:
        run("losetup", "--direct-io=off", run("findmnt", "-no", "SOURCE", "--target", "folder"))
    yield
    run(BULAT, "volume", "unmount", "folder")


def servers():
    """The CPU time in seconds of each nbdkit and nbdfuse of this machine."""
    used = {}
    for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            name, rest = stat.read_text().split("(", 1)[1].rsplit(") ", 1)
            if name in ("nbdkit", "nbdfuse"):
                used[stat] = sum(map(int, rest.split()[11:13])) / os.sysconf("SC_CLK_TCK")
    return used


def measure(access, size, of):
    fio = ["fio", "--output-format=json", "--name=speed", "--directory=folder", "--ioengine=libaio", "--direct=1", f"--rw={access}", f"--bs={size}",
           f"--size={MIB}M", f"--io_size={MIB // of}M", "--numjobs=2", "--iodepth=32", "--overwrite=1", "--end_fsync=1", "--group_reporting"]
    # The files are made before.
    run(*fio, "--create_only=1")
    os.sync()
    pathlib.Path("/proc/sys/vm/drop_caches").write_text("3")
    before = servers()
    text = run(*fio)
    job = json.loads(text[text.index("{"):])["jobs"][0][access.removeprefix("rand")]
    cpu = sum(now - before.get(stat, now) for stat, now in servers().items())
    return job["io_bytes"] / job["runtime"] / 1e3, cpu * 1e9 / job["io_bytes"]


with tempfile.TemporaryDirectory(dir="/dev/shm") as here:
    os.chdir(here)
    os.umask(0o077)
    for folder in "folder", "fuse":
        os.mkdir(folder)
    pathlib.Path("one").write_text("one")
    room = f"{2 * MIB + 128}M"
    run(BULAT, "volume", "create", "--pbkdf", "pbkdf2", "--iterations", "1000", "-p", "one", "--size", room, "disk")
    run("truncate", "-s", room, "raw")
    run("mkfs.ext4", "-q", "-b", "4096", "raw")
    ways = {
        "a loop device, no encryption": lambda: loop("raw"),
        "`nbdfuse --command nbdkit`, loop": one_command,
        "`volume open`, nbdfuse, loop": by_hand,
        "nbdkit's memory plugin, nbdfuse, loop": memory,
        "`volume mount`": mount,
        "`volume mount`, the loop device through the cache": lambda: mount(direct=False),
    }
    try:
        with mount("--format", "ext4"):
            pass
        found, cipher = {}, []
        for _ in range(ROUNDS):
            cipher.append(xts())
            for name, way in ways.items():
                with way():
                    for each in PASSES:
                        found.setdefault((name, each), []).append(measure(*each))
        print("| MB/s (CPU) |", *(f"{access.removeprefix('rand')} {size}{', scattered' if of > 1 else ''} |" for access, size, of in PASSES))
        print("|---|" + "--:|" * len(PASSES))
        for name in ways:
            medians = ([statistics.median(values) for values in zip(*found[name, each])] for each in PASSES)
            print(f"| {name} |", *(f"{rate:.0f} ({cpu:.2f}) |" for rate, cpu in medians))
        cipher = statistics.median(cipher)
        for access, size, of in PASSES:
            with_it, without = (statistics.median(cpu for _, cpu in found[name, (access, size, of)]) for name in ("`volume mount`", "nbdkit's memory plugin, nbdfuse, loop"))
            print(f"{access.removeprefix('rand')} {size}, {of}: `volume mount` adds {with_it - without:.2f} ns a byte to the memory plugin, {(with_it - without) / cipher:.2f} times XTS ({cipher:.2f})")
    finally:
        subprocess.run(["umount", "-l", "folder", "fuse"], stderr=subprocess.DEVNULL)
        os.chdir("/")
