"""Faults: the server killed under load, a full disk, the clock set back, PostgreSQL gone, replicas
that rotate at once. No acknowledged change is lost, every ciphertext opens, no nonce repeats.

BULATD_KILLS and BULATD_NONCES set the length: 20 and 60000 by default, 200 and 10000000 in the long form.
"""

import contextlib
import json
import os
import random
import re
import signal
import socket
import time
from concurrent.futures import ThreadPoolExecutor

from bulatd import Postgres, b64, fill, wait
from bulatd import replicas as two_replicas
from load import Client, Load, Nonces, check, opens, said

KILLS = int(os.environ.get("BULATD_KILLS", 20))
NONCES = int(os.environ.get("BULATD_NONCES", 60_000))


def test_killed_under_load(servers, database):
    server = servers(database=database).init()
    nonces, start = Nonces(), time.monotonic()
    clients = [Client([server], seed, nonces) for seed in range(4)]
    for n in range(KILLS):
        server.start()
        check(clients, server)
        with Load(clients):
            time.sleep(random.uniform(0.05, 0.5))
            wait(lambda n=n: sum(client.done for client in clients) > n + 1, "the clients get no answers", pause=0.01)
            server.kill()
    server.start()
    check(clients, server, all=True)
    assert sum(client.done for client in clients) > KILLS
    kind = database.split(":")[0]
    said(f"{kind}, killed {KILLS} times in {time.monotonic() - start:.0f} s", clients, nonces)
    assert server.stop() == 0


def test_commands_next_to_the_service(servers, database):
    """Opens and closes the database in other processes meanwhile."""
    server = servers(database=database).init().start()
    nonces = Nonces()
    clients = [Client([server], seed, nonces) for seed in range(4)]
    with Load(clients):
        for _ in range(5):
            time.sleep(0.2)
            server.run("token", "list")
        server.kill()
    server.start()
    check(clients, server, all=True)
    said(f"{database.split(':')[0]}, with commands next to it", clients, nonces)


def test_stopped_under_load(servers):
    """A server that is told to stop finishes the requests it has accepted: no connection breaks within an answer."""
    server = servers().init()
    nonces = Nonces()
    clients = [Client([server], seed, nonces) for seed in range(4)]
    for _ in range(5):
        server.start()
        with Load(clients):
            time.sleep(0.3)
            assert server.stop() == 0
    server.start()
    check(clients, server, all=True)
    said("stopped 5 times", clients, nonces)


def test_a_stop_waits_for_a_body(servers):
    """The rest of a body arrives when the server no longer listens."""
    server = servers(dev=True).start()
    server.data("POST", "transit/keys/a")
    body = b'{"plaintext":"aGVsbG8="}'
    head = f"X-Vault-Token: {server.token}\r\nContent-Length: {len(body)}\r\nExpect: 100-continue\r\nConnection: close"
    with socket.create_connection(("127.0.0.1", server.port), timeout=60) as slow:
        slow.sendall(f"POST /v1/transit/encrypt/a HTTP/1.1\r\nHost: x\r\n{head}\r\n\r\n".encode())
        assert slow.recv(25) == b"HTTP/1.1 100 Continue\r\n\r\n"
        slow.sendall(body[:5])
        server.process.send_signal(signal.SIGTERM)

        def refuses():
            with contextlib.suppress(ConnectionError):
                socket.create_connection(("127.0.0.1", server.port), timeout=60).close()
                return False
            return True

        wait(refuses, "it still listens", pause=0.01)
        slow.sendall(body[5:])
        answer = b"".join(iter(lambda: slow.recv(4096), b""))
    assert answer.startswith(b"HTTP/1.1 200 ") and b"vault:v1:" in answer, answer
    assert server.process.wait(60) == 0


def test_the_disk_is_full(servers, mount):
    small_disk = mount("small", 4)
    server = servers(database=f"sqlite:{small_disk}/bulatd.db").init().start()
    nonces = Nonces()
    client = Client([server], 1, nonces)
    for _ in range(100):
        client.step()
    fill(small_disk)
    done = client.done
    for _ in range(300):
        client.step()
    refused = client.failed
    assert refused > 0
    (small_disk / "filler").unlink()
    client.check(server)
    for _ in range(100):
        client.step()
    assert client.failed == refused
    client.check(server)
    server.kill()
    server.start()
    client.check(server, all=True)
    said(f"the disk full: {refused} refused, {client.done - done} answered since", [client], nonces)


def test_the_audit_has_no_room(servers, mount):
    small_disk = mount("small", 4)
    server = servers()
    server.edit(str(server.audit), str(small_disk / "audit.log"))
    server.audit = small_disk / "audit.log"
    server.init().start()
    server.data("POST", "transit/keys/a")
    sealed = server.data("POST", "transit/encrypt/a", {"plaintext": b64(b"text")})["ciphertext"]
    fill(small_disk)
    answered = 0
    # Some room was reserved before; after that nothing is answered.
    while server.call("POST", "transit/decrypt/a", {"ciphertext": sealed}).status_code == 200:
        answered += 1
        assert answered < 5000, "answers without a line in the audit log"
    for _ in range(100):
        response = server.call("POST", "transit/decrypt/a", {"ciphertext": sealed})
        assert response.status_code >= 500 and response.json()["errors"] and not response.json().get("data")
    assert server.call("GET", "sys/health", token=None).status_code == 200
    (small_disk / "filler").unlink()
    assert server.data("POST", "transit/decrypt/a", {"ciphertext": sealed})["plaintext"] == b64(b"text")
    # Each line is whole.
    for line in server.audit.read_text().splitlines():
        json.loads(line)


def test_the_clock_is_set_back(servers, folder, faketime):
    clock = folder / "clock"

    def set_clock(hours):
        clock.write_text(f"{hours:+d}h\n")
        time.sleep(0.3)

    set_clock(0)
    server = servers(env=faketime | {"FAKETIME_TIMESTAMP_FILE": str(clock), "FAKETIME_NO_CACHE": "1"}).init().start()
    nonces = Nonces()
    client = Client([server], 1, nonces)
    for _ in range(100):
        client.step()
    short = server.new_token(ttl="1h")
    set_clock(2)
    assert server.call("GET", "auth/token/lookup-self", token=short).status_code == 403
    client.tokens.clear()
    for hours in (-48, -47, 0, -24):
        set_clock(hours)
        for _ in range(100):
            client.step()
        assert server.call("GET", "auth/token/lookup-self", token=short).status_code == 403, (
            "a token that had expired lives again"
        )
    # A rotation may be due.
    for key in client.keys.values():
        key[3] = True
    client.check(server)
    server.kill()
    set_clock(-72)
    server.start()
    for _ in range(100):
        client.step()
    for key in client.keys.values():
        key[3] = True
    client.check(server, all=True)
    said("the clock set back", [client], nonces)


def test_postgresql_goes_and_comes_back(servers, postgres):
    server = servers(database=postgres.url).init().start()
    nonces = Nonces()
    clients = [Client([server], seed, nonces) for seed in range(3)]
    for mode in ("fast", "immediate", "fast"):
        with Load(clients):
            time.sleep(0.6)
            postgres.stop(mode)
            time.sleep(0.6)
            postgres.start()
            time.sleep(0.6)
        key = next(iter(clients[0].keys))
        wait(lambda key=key: server.call("GET", f"transit/keys/{key}").ok, "the server does not find its database again")
        check(clients, server, all=True)
    said("PostgreSQL stopped and started 3 times", clients, nonces)


def test_replicas_rotate_at_once(servers, postgres):
    replicas = two_replicas(servers, postgres.url)
    replicas[0].data("POST", "transit/keys/shared")
    nonces, texts, acknowledged, unknown = Nonces(), [], [], []

    def work(n):
        replica = replicas[n % 2]
        for _ in range(15):
            rotated = replica.call("POST", "transit/keys/shared/rotate", {})
            assert rotated.status_code in (200, 204, 409) or rotated.status_code >= 500, rotated.text
            if rotated.ok:
                acknowledged.append(1)
            elif rotated.status_code >= 500:
                # It may have been committed.
                unknown.append(1)
            batch = {"batch_input": [{"plaintext": b64(bytes([n]))}] * 50}
            sealed = replica.data("POST", "transit/encrypt/shared", batch)
            found = [item["ciphertext"] for item in sealed["batch_results"]]
            nonces.add("shared", "kuznyechik-mgm", found)
            texts.extend((n, text) for text in found)

    with ThreadPoolExecutor(6) as pool:
        for done in [pool.submit(work, n) for n in range(6)]:
            done.result()
    # A replica sees the other's last change within a second.
    time.sleep(1.2)
    latest = replicas[0].data("GET", "transit/keys/shared")["latest_version"]
    sure = len(acknowledged)
    assert 0 < sure <= latest - 1 <= sure + len(unknown), f"{sure} rotations acknowledged, the latest version is {latest}"
    for replica in replicas:
        opens(replica, [("shared", text, b64(bytes([n]))) for n, text in texts])
    print(
        f"\n2 replicas: {len(acknowledged)} of 90 rotations acknowledged, {len(texts)} ciphertexts open on both, "
        f"{len(nonces)} nonces, all different"
    )


def test_the_disk_of_postgresql_is_full(servers, folder, mount):
    place = mount("postgres", 80)
    # Segments of 1 MB, so that the write-ahead log soon needs room.
    postgres = Postgres(place, "--wal-segsize=1").start()
    server = servers(database=postgres.url).init().start()
    nonces = Nonces()
    clients = [Client([server], seed, nonces) for seed in range(2)]
    for client in clients:
        for _ in range(100):
            client.step()
    fill(place)
    for client in clients:
        end = time.monotonic() + 60
        while client.failed < 20 and time.monotonic() < end:
            client.step()
    refused = sum(client.failed for client in clients)
    assert refused > 0
    assert server.call("GET", "sys/health", token=None).status_code in (200, 503)
    (place / "filler").unlink()
    # Without room for its log PostgreSQL stops.
    ended = not postgres.runs()
    if ended:
        postgres.start()
    key = next(iter(clients[0].keys))
    wait(lambda: server.call("POST", f"transit/keys/{key}/rotate").ok, "the server does not find its database again")
    next(iter(clients[0].keys.values()))[3] = True
    check(clients, server, all=True)
    for client in clients:
        failed = client.failed
        for _ in range(50):
            client.step()
        assert client.failed == failed
    check(clients, server, all=True)
    said(f"the disk of PostgreSQL full, which {'ended' if ended else 'ran on'}: {refused} refused", clients, nonces)
    postgres.stop("immediate")


def test_nonces(servers, database):
    """Many messages in large batches, over replicas, rotations and kills, under one key of each type."""
    replicas = two_replicas(servers, database) if database.startswith("postgres") else [servers(database=database).init().start()]
    # SQLite's share is small: the long form is for replicas.
    share = NONCES if len(replicas) == 2 else min(NONCES, 60_000)
    batch = min(10_000, share // 60)
    body = json.dumps({"batch_input": [{"plaintext": "AAAA"}] * batch})
    nonces, start = Nonces(), time.monotonic()
    ciphertext = re.compile(rb"vault:v[^\"]*")

    def work(replica, type, total, rotate):
        for n in range(-(-total // batch)):
            response = replica.call("POST", f"transit/encrypt/{type}", data=body, timeout=120)
            assert response.ok, response.text[:500]
            found = ciphertext.findall(response.content)
            assert len(found) == batch
            nonces.add(type, type, found)
            if rotate and n % 20 == 0:
                response = replica.call("POST", f"transit/keys/{type}/rotate")
                assert response.status_code in (200, 204, 409) or response.status_code >= 500

    for type, part in (("kuznyechik-mgm", share * 3 // 4), ("magma-mgm", share // 4)):
        replicas[0].data("POST", f"transit/keys/{type}", {"type": type})
        # Killed between the parts: numbers that were drawn and not used are never used.
        for _ in range(4):
            with ThreadPoolExecutor(4) as pool:
                jobs = [pool.submit(work, replicas[n % len(replicas)], type, part // 16, n == 0) for n in range(4)]
                for job in jobs:
                    job.result()
            replicas[-1].kill()
            replicas[-1].start()
    versions = {type: replicas[0].data("GET", f"transit/keys/{type}")["latest_version"] for type in Client.TYPES}
    kind = database.split(":")[0]
    print(f"\n{kind}: {len(nonces)} nonces, all different, in {time.monotonic() - start:.0f} s; versions {versions}")
