#!/usr/bin/env python3
"""Measures the CPU time that a server needs for a request of 4 KiB: nbdkit with a file, the plugin without encryption, the
plugin with each sector size. fio reads and writes at random places on tmpfs, with one request and with 16 at once. The
servers take turns; prints a table of medians, and in brackets of minima, in microseconds for each request.

requests.py COMMAND PLUGIN[,PLUGIN...] [ROUNDS] [REQUESTS of each run]

Several builds of the plugin are compared in the same rounds. It needs nbdkit and fio.
"""
import json, os, pathlib, statistics, subprocess, sys, tempfile, time

BULAT = os.path.abspath(sys.argv[1])
PLUGINS = [os.path.abspath(path) for path in sys.argv[2].split(",")]
ROUNDS, REQUESTS = map(int, [*sys.argv[3:], *["15", "20000"][len(sys.argv) - 3:]])
PASSES = [(access, depth) for depth in (1, 16) for access in ("randread", "randwrite")]
MIB = 128


def run(*command):
    return subprocess.run(command, check=True, stdin=subprocess.DEVNULL, capture_output=True, text=True).stdout


def used(pid):
    """The CPU time of a process in seconds, its ended threads included: the clock of clock_getcpuclockid(3)."""
    return time.clock_gettime(~pid << 3 | 2)


def measure(pid, socket, access, depth):
    before = used(pid)
    text = run("fio", "--output-format=json", "--name=requests", "--ioengine=nbd", f"--uri=nbd+unix:///?socket={socket}",
               f"--rw={access}", "--bs=4k", f"--size={MIB}M", f"--iodepth={depth}", f"--number_ios={REQUESTS}", "--norandommap")
    after = used(pid)
    job = json.loads(text[text.index("{"):])["jobs"][0][access.removeprefix("rand")]
    assert job["total_ios"] == REQUESTS, job["total_ios"]
    return (after - before) / REQUESTS * 1e6


with tempfile.TemporaryDirectory(dir="/dev/shm") as here:
    os.chdir(here)
    os.umask(0o077)
    pathlib.Path("one").write_text("one")
    pathlib.Path("raw").write_bytes(bytes(MIB << 20))
    for sector in "4096", "512":
        run(BULAT, "volume", "create", "--pbkdf", "pbkdf2", "--iterations", "1000", "-p", "one", "--sector-size", sector,
            "--size", f"{MIB + 16}M", "--wipe", sector)
    ways = {"`nbdkit file`": ["file", "raw"]}
    for number, plugin in enumerate(PLUGINS):
        name = "the plugin" if len(PLUGINS) == 1 else f"plugin {number + 1}"
        ways[f"{name}, no encryption"] = [plugin, "raw", "type=none"]
        for sector in "4096", "512":
            ways[f"{name}, sectors of {sector} bytes"] = [plugin, sector, "password-file=one"]
    found = {}
    for round in range(ROUNDS):
        # Each goes first as often as the others.
        names = list(ways)
        for name in names[round % len(names):] + names[:round % len(names)]:
            pathlib.Path("socket").unlink(missing_ok=True)
            # As many threads as `bulat volume open` asks for.
            server = subprocess.Popen(["nbdkit", "-f", "-t", str(os.cpu_count()), "-U", "socket", *ways[name]])
            while not os.path.exists("socket"):
                assert server.poll() is None, name
                time.sleep(0.02)
            try:
                for each in PASSES:
                    found.setdefault((name, each), []).append(measure(server.pid, "socket", *each))
            finally:
                server.terminate()
                server.wait()
    print("| CPU, µs for each request |", *(f"{access.removeprefix('rand')}, {depth} at once |" for access, depth in PASSES))
    print("|---|" + "--:|" * len(PASSES))
    for name in ways:
        times = (found[name, each] for each in PASSES)
        print(f"| {name} |", *(f"{statistics.median(t):.2f} ({min(t):.2f}) |" for t in times))
