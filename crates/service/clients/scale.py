"""Measures a service with many keys, and two replicas over PostgreSQL.

BULATD=target/release/bulatd python scale.py [KEYS [SECONDS]]: 1 KB encrypts with and without another key that changes all
the time, in turns; KEYS keys (20000) used once in 64 MB of memory; encrypts while the root key of all of them is rotated;
1000 starts of a replica. Each result is next to its bar. About 8 minutes with 20000 keys, for both databases.
The load comes from other processes on the same machine.
"""

import json
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from multiprocessing import Process, Queue
from pathlib import Path

from bulatd import BINARY, Postgres, Server, b64

STARTS = 1000
BODY = json.dumps({"plaintext": b64(b"x" * 1024)})


def request(token: str, path: str, body: str) -> bytes:
    head = f"POST /v1/{path} HTTP/1.1\r\nHost: x\r\nX-Vault-Token: {token}\r\nContent-Length: {len(body)}\r\n\r\n"
    return (head + body).encode()


def answers(stream) -> int:
    """Reads an answer, and returns its status."""
    status = int(stream.readline().split()[1])
    length = 0
    while (line := stream.readline().strip()) != b"":
        name, _, value = line.partition(b":")
        if name.lower() == b"content-length":
            length = int(value)
    stream.read(length)
    return status


def blast(port, token, paths, seconds, depth, out):
    """Sends requests on one connection, `depth` of them ahead of their answers, each path in turn; gives their times."""
    times, failed, n = [], 0, 0
    with socket.create_connection(("127.0.0.1", port)) as link:
        stream = link.makefile("rb", 1 << 16)
        end = time.monotonic() + seconds
        while (begin := time.monotonic()) < end:
            link.sendall(b"".join(request(token, paths[(n + i) % len(paths)], BODY) for i in range(depth)))
            for _ in range(depth):
                failed += answers(stream) != 200
            n += depth
            times.append(time.monotonic() - begin)
    out.put((n, failed, times))


def load(server, paths, seconds, connections=8, depth=16):
    """Returns requests a second, the failed ones, and all times."""
    out = Queue()
    args = (server.port, server.token, paths, seconds, depth, out)
    workers = [Process(target=blast, args=args) for _ in range(connections)]
    begin = time.monotonic()
    for worker in workers:
        worker.start()
    got = [out.get(timeout=seconds + 60) for _ in workers]
    took = time.monotonic() - begin
    for worker in workers:
        worker.join()
    return sum(n for n, _, _ in got) / took, sum(bad for _, bad, _ in got), sorted(t for _, _, all in got for t in all)


def changed(port, token, seconds, out):
    """Changes another key as often as it can, one request after the other; gives the number of times."""
    bodies = [request(token, "transit/keys/other/config", json.dumps({"auto_rotate_period": 3600 * n})) for n in (1, 2)]
    n = 0
    with socket.create_connection(("127.0.0.1", port)) as link:
        stream = link.makefile("rb", 1 << 16)
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            link.sendall(bodies[n % 2])
            assert answers(stream) in (200, 204)
            n += 1
    out.put(n)


def at(times, share) -> str:
    return f"{times[min(len(times) - 1, int(len(times) * share))] * 1e3:.1f} ms"


def side_by_side(server, changer, seconds):
    """Encrypts with and without changes of another key, in turns."""
    for name in ("busy", "other"):
        server.data("POST", f"transit/keys/{name}")
    rates, changes = {False: [], True: []}, 0
    for turn in range(6):
        out = Queue()
        other = Process(target=changed, args=(changer.port, changer.token, seconds, out))
        if turn % 2:
            other.start()
        rate, failed, _ = load(server, ["transit/encrypt/busy"], seconds)
        assert failed == 0
        rates[bool(turn % 2)].append(rate)
        if turn % 2:
            changes += out.get(timeout=60)
            other.join()
    still, busy = (statistics.median(rates[one]) for one in (False, True))
    print(f"  encrypt 1 KB: {still:.0f}/s; while another key changes {changes / (3 * seconds):.0f} times a second: {busy:.0f}/s")
    print(f"  ratio {busy / still:.2f} / at least 0.90")


def many_keys(server, keys):
    parts = [[f"transit/encrypt/k{n}" for n in range(start, keys, 8)] for start in range(8)]
    out = Queue()
    begin = time.monotonic()
    # Each key once: the time is only a bound.
    workers = [Process(target=once, args=(server.port, server.token, part, out)) for part in parts]
    for worker in workers:
        worker.start()
    assert sum(out.get(timeout=60 + keys / 20) for _ in workers) == 0
    value = server.metrics()
    print(
        f"  {keys} keys made and used once in {time.monotonic() - begin:.0f} s: {server.memory() >> 20} MB resident, "
        f"{value['bulatd_key_cache_bytes'] / 2**20:.1f} / at most 64.0 MB of keys, {value['bulatd_key_evictions_total']:.0f} made room"
    )


def once(port, token, paths, out):
    failed = 0
    with socket.create_connection(("127.0.0.1", port)) as link:
        stream = link.makefile("rb", 1 << 16)
        for path in paths:
            link.sendall(request(token, path, BODY))
            failed += answers(stream) != 200
    out.put(failed)


def rotation(server, keys):
    """Encrypts under keys in use, one request after the other on two connections, until the root key is another."""
    paths = [f"transit/encrypt/k{n}" for n in range(20)]
    still = load(server, paths, 3, connections=2, depth=1)
    new = server.folder / "next.key"
    begin = time.monotonic()
    end = begin + 120 + keys / 50
    command = subprocess.Popen([BINARY, "root", "rotate", "--config", str(server.config), "--new", str(new)])
    times, failed = [], 0
    while command.poll() is None:
        assert time.monotonic() < end, "the rotation does not end"
        _, bad, more = load(server, paths, 2, connections=2, depth=1)
        failed += bad
        times += more
    took = time.monotonic() - begin
    times.sort()
    print(
        f"  root key of {keys} keys rotated in {took:.0f} s: {len(times)} requests, {failed} / none refused, p50 {at(times, 0.5)}, "
        f"p99 {at(times, 0.99)} / at most 50 ms; before: p50 {at(still[2], 0.5)}, p99 {at(still[2], 0.99)}"
    )
    assert command.returncode == 0


def starts(server):
    """Starts and stops a replica again and again, each time with one message under a key of a low limit."""
    server.data("POST", "transit/keys/starts", {"type": "magma-mgm"})
    assert server.stop() == 0
    begin = time.monotonic()
    for _ in range(STARTS):
        server.start()
        server.data("POST", "transit/encrypt/starts", {"plaintext": b64(b"x" * 64)})
        assert server.stop() == 0
    took = time.monotonic() - begin
    server.start()
    latest = server.data("GET", "transit/keys/starts")["latest_version"]
    print(f"  {STARTS} starts of a replica in {took:.0f} s: {latest - 1} / 0 rotations")


def run(url, folder, keys, seconds, replicas):
    (folder / "x").mkdir()
    extra = "[keys]\ncache_bytes = 67108864\n"
    servers = [Server(folder / "x", database=url, extra=extra) for _ in range(replicas)]
    for server in servers:
        new = folder / "x" / "next.key"
        server.edit("[audit]", f'next = "{new}"\n[audit]')
    servers[0].init()
    try:
        for server in servers:
            server.start()
            server.token = servers[0].token
        side_by_side(servers[0], servers[-1], seconds)
        many_keys(servers[0], keys)
        rotation(servers[0], keys)
        starts(servers[-1])
    finally:
        for server in servers:
            server.kill()


def main():
    keys = int(sys.argv[1]) if len(sys.argv) > 1 else 20_000
    seconds = float(sys.argv[2]) if len(sys.argv) > 2 else 3
    print(f"load average {os.getloadavg()[0]:.1f}, {os.cpu_count()} processors")
    with tempfile.TemporaryDirectory(prefix="bulatd-scale-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        (folder / "sqlite").mkdir()
        print("SQLite, 1 process")
        run(f"sqlite:{folder}/sqlite/bulatd.db", folder / "sqlite", keys, seconds, 1)
        if Postgres.programs() is None:
            return
        (folder / "postgres").mkdir()
        cluster = Postgres(folder / "postgres").start()
        try:
            (folder / "two").mkdir()
            print("PostgreSQL, 2 replicas; the other one changes the key")
            run(cluster.url, folder / "two", keys, seconds, 2)
        finally:
            cluster.stop("immediate")


if __name__ == "__main__":
    main()
