"""Measures `bulat.cluster` and the command on this machine.

    python bindings/python/cluster_bench.py [--bulat target/release/bulat] [--place /dev/shm] [--small 2000] [--large 20]

2000 files of 1 MB and 20 of 100 MB are hashed and encrypted by a single worker and by two, and by the command `bulat`, on
two threads, several times in turn; the median counts. The command also measures the gain of two processors: a process
with a single thread, and two that share the files.
The exit code is 1 if the gain of two workers is below 1.8 and below 95 % of the machine's own gain (processors that share
a core or a cache gain less than 2).
"""

from __future__ import annotations

import argparse
import importlib
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from bulat import cluster, container

MB = 1_000_000


def arguments() -> argparse.Namespace:
    out = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    out.add_argument("--bulat", default=shutil.which("bulat") or "target/release/bulat", help="the command")
    out.add_argument("--place", default="/dev/shm", help="a folder on tmpfs")
    out.add_argument("--small", type=int, default=2000, help="files of 1 MB")
    out.add_argument("--large", type=int, default=20, help="files of 100 MB")
    out.add_argument("--rounds", type=int, default=3)
    return out.parse_args()


def make(place: Path, small: int, large: int) -> int:
    """Makes the tree. Returns its size. Each file is another part of a random string."""
    pool = os.urandom(101 * MB)
    for folder, count, size in (("small", small, MB), ("large", large, 100 * MB)):
        (place / folder).mkdir(parents=True)
        for i in range(count):
            at = i * 4093 % MB
            (place / folder / f"{i:04}").write_bytes(memoryview(pool)[at : at + size])
    return small * MB + large * 100 * MB


def timed(call: Callable[[], Any]) -> float:
    begun = time.perf_counter()
    call()
    return time.perf_counter() - begun


class Bench:
    """The tree, the key, and the clusters of a single worker and of two."""

    def __init__(self, place: Path, given: argparse.Namespace) -> None:
        self.given, self.data, self.sealed = given, place / "data", place / "sealed"
        self.sums, self.key_file = place / "sums", place / "key"
        self.key_file.write_text(container.new_key().hex() + "\n")
        self.key_file.chmod(0o600)
        self.bytes = make(self.data, given.small, given.large)

    def hash(self, client: Any) -> cluster.Report:
        return cluster.hash(str(self.data), str(self.sums), client=client)

    def encrypt(self, client: Any) -> cluster.Report:
        return cluster.encrypt(str(self.data), str(self.sealed), key_file=str(self.key_file), client=client)

    def command_hash(self, processes: int, threads: int) -> None:
        files = [str(path) for path in sorted(self.data.rglob("*")) if path.is_file()]
        running = [
            subprocess.Popen([self.given.bulat, "hash", "--jobs", str(threads), *files[i::processes]], stdout=subprocess.DEVNULL)
            for i in range(processes)
        ]
        if any([process.wait() for process in running]):
            raise RuntimeError("bulat hash failed")

    def command_encrypt(self, processes: int) -> None:
        # The command processes one file at a time.
        files = [path for path in sorted(self.data.rglob("*"), key=lambda p: -p.stat().st_size) if path.is_file()]
        for path in files:
            (self.sealed / path.relative_to(self.data)).parent.mkdir(parents=True, exist_ok=True)
        lines = "".join(f"{path}\0{self.sealed / path.relative_to(self.data)}.bulat\0" for path in files)
        program = 'exec "$0" encrypt --jobs 1 --key-file "$1" -o "$3" "$2"'
        words = ["xargs", "-0", "-n", "2", "-P", str(processes), "sh", "-c", program, self.given.bulat, str(self.key_file)]
        subprocess.run(words, input=lines, text=True, check=True)

    def clear(self) -> None:
        shutil.rmtree(self.sealed, ignore_errors=True)

    def by(self, workers: int, call: Callable[[Any], Any]) -> float:
        """Returns the time of a running cluster of this many workers, with imports done."""
        with cluster._connected(None, workers) as client:
            client.run(importlib.import_module, "bulat.cluster.work")
            return timed(lambda: call(client))

    def speeds(self) -> dict[str, dict[str, float]]:
        """Returns MB/s of each."""
        hashing, encrypting = partial(partial, self.command_hash), partial(partial, self.command_encrypt)
        ways: dict[str, dict[str, Callable[[], float]]] = {
            operation: {
                "one worker": partial(self.by, 1, call),
                "two workers": partial(self.by, 2, call),
                "command": partial(timed, command),
                "one process": partial(timed, one),
                "two processes": partial(timed, two),
            }
            for operation, call, command, one, two in (
                ("hash", self.hash, hashing(1, 2), hashing(1, 1), hashing(2, 1)),
                ("encrypt", self.encrypt, encrypting(2), encrypting(1), encrypting(2)),
            )
        }
        out: dict[str, dict[str, float]] = {}
        for operation, calls in ways.items():
            times: dict[str, list[float]] = {way: [] for way in calls}
            # Touch the memory first.
            calls["two workers"]()
            for _ in range(self.given.rounds):
                for way, call in calls.items():
                    self.clear()
                    times[way].append(call())
            out[operation] = {way: self.bytes / MB / statistics.median(each) for way, each in times.items()}
        return out


def speeds(bench: Bench, given: argparse.Namespace) -> bool:
    """Prints a table: one worker, two workers, the command. Returns whether two workers gain enough."""
    found = bench.speeds()
    print(f"\n{given.small} files of 1 MB and {given.large} of 100 MB in {given.place}, MB/s, median of {given.rounds}\n")
    print("| | one worker | two workers | times | the machine | command, two threads | share |\n|---|--:|--:|--:|--:|--:|--:|")
    rows = {}
    for operation, of in found.items():
        times, machine = of["two workers"] / of["one worker"], of["two processes"] / of["one process"]
        share = 100 * of["two workers"] / of["command"]
        print(
            f"| {operation} | {of['one worker']:.0f} | {of['two workers']:.0f} | {times:.2f} | {machine:.2f}"
            f" | {of['command']:.0f} | {share:.0f} % |"
        )
        rows[operation] = times, machine
    print(flush=True)
    enough = {operation: times >= min(1.8, 0.95 * machine) for operation, (times, machine) in rows.items()}
    for operation, right in enough.items():
        print(f"{'right' if right else 'WRONG'}: {operation}: two workers over one: 1.8, or 95 % of the machine's own gain")
    return all(enough.values())


def main() -> int:
    given = arguments()
    place = Path(tempfile.mkdtemp(prefix="bulat-cluster-", dir=given.place))
    try:
        return 0 if speeds(Bench(place, given), given) else 1
    finally:
        shutil.rmtree(place)


if __name__ == "__main__":
    sys.exit(main())
