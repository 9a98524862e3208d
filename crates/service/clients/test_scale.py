"""Many keys and replicas: a pooler in front of PostgreSQL, used keys in bounded memory, lists in pages, the root key
rotated and a backup made while requests continue."""

import contextlib
import json
import os
import shutil
import socket
import sqlite3
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from bulatd import AS_POSTGRES, FEW_ARENAS, b64, free_port, wait
from bulatd import replicas as two_replicas
from load import Client, Load, Nonces, check, said


@pytest.fixture
def pooler(postgres, folder):
    """pgbouncer, which gives each transaction another connection to the server."""
    program = shutil.which("pgbouncer") or shutil.which("/usr/sbin/pgbouncer")
    if program is None:
        pytest.skip("pgbouncer is not installed (apt-get install pgbouncer)")
    place = folder / "pooler"
    place.mkdir()
    port = free_port()
    (place / "ini").write_text(
        f"[databases]\npostgres = host=127.0.0.1 port={postgres.port} dbname=postgres user=bulatd\n"
        f"[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = {port}\nunix_socket_dir =\nauth_type = any\n"
        "pool_mode = transaction\ndefault_pool_size = 3\nserver_round_robin = 1\n"
    )
    if AS_POSTGRES:
        shutil.chown(place, "postgres")
    with open(folder / "pooler.log", "wb") as log:
        process = subprocess.Popen([*AS_POSTGRES, program, str(place / "ini")], stdout=log, stderr=log)

    def listens():
        assert process.poll() is None, (folder / "pooler.log").read_text()
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
            return True

    wait(listens, (folder / "pooler.log").read_text, pause=0.05)
    yield f"postgres://bulatd@127.0.0.1:{port}/postgres"
    process.terminate()
    process.wait(60)


def test_two_replicas_behind_a_pooler(servers, pooler, folder):
    replicas = two_replicas(servers, pooler)
    nonces = Nonces()
    clients = [Client(replicas, seed, nonces) for seed in range(4)]
    with Load(clients):
        time.sleep(2)
        replicas[0].run("backup", "--output", folder / "backup")
    # A replica sees another's change within a second.
    time.sleep(1.2)
    for replica in replicas:
        check(clients, replica, all=True)
        assert replica.stop() == 0
    assert sum(client.failed for client in clients) == 0
    said("2 replicas behind pgbouncer in transaction mode", clients, nonces)


def test_a_key_rotated_elsewhere_is_seen_in_time(servers, database):
    """Each replica learns of the other's changes from the log, of keys, tokens and policies."""
    one, two = two_replicas(servers, database)
    for n in range(20):
        one.data("POST", f"transit/keys/k{n}")
        two.data("POST", f"transit/encrypt/k{n}", {"plaintext": ""})
    token = one.new_token('path "transit/keys/*" { capabilities = ["read"] }')
    assert two.call("GET", "transit/keys/k0", token=token).status_code == 200
    for n in range(0, 20, 2):
        one.data("POST", f"transit/keys/k{n}/rotate")
    one.data("POST", "auth/token/revoke", {"token": token})
    one.data("POST", "transit/keys/k1/config", {"deletion_allowed": True})
    time.sleep(1.2)
    versions = [two.data("POST", f"transit/encrypt/k{n}", {"plaintext": ""})["key_version"] for n in range(20)]
    assert versions == [2, 1] * 10
    assert two.call("GET", "transit/keys/k0", token=token).status_code == 403
    sealed = two.data("POST", "transit/encrypt/k1", {"plaintext": ""})["ciphertext"]
    one.data("DELETE", "transit/keys/k1")
    assert two.call("GET", "transit/keys/k1").status_code == 404
    assert two.call("POST", "transit/decrypt/k1", {"ciphertext": sealed}).status_code in (400, 404)


def test_used_keys_have_bounded_memory(servers, folder):
    keys = int(os.environ.get("BULATD_KEYS", 3000))
    bound = 64 << 20 if keys >= 100_000 else 1 << 20
    server = servers(extra=f"[keys]\ncache_bytes = {bound}\n", env=FEW_ARENAS).init().start()
    sealed = {}

    def use(n):
        sealed[n] = server.data("POST", f"transit/encrypt/k{n}", {"plaintext": b64(b"%d" % n)})["ciphertext"]

    with ThreadPoolExecutor(4) as pool:
        # With the first third the bound is reached, and connections and threads have their memory.
        list(pool.map(use, range(keys // 3)))
        before = server.memory()
        list(pool.map(use, range(keys // 3, keys)))
    value = server.metrics()
    assert 0 < value["bulatd_key_cache_bytes"] <= bound
    assert value["bulatd_key_evictions_total"] > keys / 20
    for n in range(0, keys, 97):
        assert server.data("POST", f"transit/decrypt/k{n}", {"ciphertext": sealed[n]})["plaintext"] == b64(b"%d" % n)
    more = server.memory() - before
    print(f"\n{keys} keys used once: {server.memory() >> 20} MB resident, {more >> 10} KB for the last two thirds")
    # Half of what they would need without the bound, of about 4.5 KB each (docs/SERVICE.md).
    assert more < keys * 2 // 3 * 2250
    # The bytes that were drawn for forgotten keys go back.
    time.sleep(2.5)
    assert server.stop() == 0
    with sqlite3.connect(folder / "bulatd.db") as database:
        (kept,) = database.execute("SELECT COUNT(*) FROM versions WHERE used_bytes >= 1 << 20").fetchone()
    # A key that is forgotten while it draws keeps its bytes.
    assert kept < keys / 100


def test_lists_have_pages(dev):
    names = [f"page-{n:02}" for n in range(7)]
    for name in names:
        dev.data("POST", f"transit/keys/{name}")
    found, after = [], "page-"
    while True:
        answer = dev.call("LIST", f"transit/keys?after={after}&limit=3")
        if answer.status_code == 404:
            break
        part = answer.json()["data"]["keys"]
        assert len(part) <= 3
        found += part
        after = part[-1]
    assert [name for name in found if name.startswith("page-")] == names
    assert dev.data("GET", "transit/keys?list=true&limit=1")["keys"] == sorted(dev.data("LIST", "transit/keys")["keys"])[:1]
    dev.data("PUT", "sys/policies/acl/page", {"policy": ""})
    assert dev.data("LIST", "sys/policies/acl?after=pag&limit=1")["keys"] == ["page"]


def test_a_rotation_of_the_root_key_holds_up_nobody(servers, database, folder):
    """Requests to used keys continue while every key is wrapped anew; with `next` also afterwards."""
    new = folder / "next.key"
    server = servers(database=database)
    server.edit("[audit]", f'next = "{new}"\n[audit]')
    server.init().start()
    keys = int(os.environ.get("BULATD_ROTATED", 400))
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda n: server.data("POST", f"transit/keys/k{n}"), range(keys)))
    body = json.dumps({"plaintext": b64(b"x" * 1024)})
    times, refused = [], []
    with ThreadPoolExecutor(1) as pool:
        rotation = pool.submit(server.run, "root", "rotate", "--new", new)
        end = None
        n = 0
        while end is None or time.monotonic() < end:
            n += 1
            begin = time.monotonic()
            answer = server.call("POST", f"transit/encrypt/k{n % 5}", data=body)
            times.append(time.monotonic() - begin)
            if answer.status_code != 200:
                refused.append(answer.text)
            if rotation.done() and end is None:
                rotation.result()
                end = time.monotonic() + 2.5
    assert not refused, (len(times), len(refused), set(refused))
    assert server.call("POST", f"transit/encrypt/k{keys - 1}", data=body).status_code == 200
    times.sort()
    print(
        f"\n{database.split(':')[0]}, {keys} keys wrapped anew: {len(times)} requests, none refused, "
        f"p50 {times[len(times) // 2] * 1e3:.1f} ms, p99 {times[len(times) * 99 // 100] * 1e3:.1f} ms"
    )
    os.replace(new, folder / "root.key")
    with contextlib.suppress(FileNotFoundError):
        new.unlink()
    assert server.stop() == 0
    server.start()
    assert server.call("POST", "transit/encrypt/k0", data=body).status_code == 200
