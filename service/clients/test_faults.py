"""What must hold when things break: the server killed under load, no room on a disk, the clock set back, PostgreSQL gone, replicas
that rotate at once. Nothing that was acknowledged is lost, every ciphertext opens, no nonce comes twice.

BULATD_KILLS and BULATD_NONCES set how long: 25 and 100000 by default, 200 and 10000000 in the long form.
"""

import contextlib
import os
import random
import subprocess
import threading
import time
from base64 import b64decode
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import requests

from bulatd import b64

KILLS = int(os.environ.get("BULATD_KILLS", 25))
NONCES = int(os.environ.get("BULATD_NONCES", 100_000))
NONCE = {"kuznyechik-mgm": 16, "magma-mgm": 8}


class Nonces:
    """Every nonce that was seen, with its key and version; a second one is an error."""

    def __init__(self):
        self.seen, self.lock = {}, threading.Lock()

    def add(self, key, type, ciphertexts):
        split = [text.split(":", 2) for text in ciphertexts]
        found = [(version, b64decode(body[:24])[: NONCE[type]]) for _, version, body in split]
        with self.lock:
            for version, nonce in found:
                seen = self.seen.setdefault((key, version), set())
                assert nonce not in seen, f"a nonce comes twice: {key} {version} {nonce.hex()}"
                seen.add(nonce)

    def __len__(self):
        return sum(map(len, self.seen.values()))


class Client:
    """Does what clients do and remembers what was acknowledged."""

    TYPES = ("kuznyechik-mgm", "magma-mgm")

    def __init__(self, servers, seed, nonces):
        self.servers, self.random, self.nonces = servers, random.Random(seed), nonces
        self.name = f"c{seed}"
        self.keys = {}  # name: [type, latest version, least version for decryption, contested]
        self.texts = []  # name, ciphertext, text
        self.tokens, self.revoked = [], []
        self.done = self.failed = 0
        self.http = requests.Session()

    def call(self, method, path, body=None):
        """The answer of one of the servers, or None when it has none or an error above 499."""
        server = self.random.choice(self.servers)
        try:
            response = self.http.request(
                method, f"{server.url}/v1/{path}", json=body, headers={"X-Vault-Token": server.token}, timeout=20
            )
        except requests.RequestException:
            self.failed += 1
            return None
        assert response.status_code < 400 or response.status_code >= 500, (
            f"{method} {path} {body}: {response.status_code} {response.text}"
        )
        if response.status_code >= 500:
            self.failed += 1
            assert response.json()["errors"]
            return None
        self.done += 1
        return response.json() if response.content else {}

    def step(self):
        choice = self.random.random()
        if not self.keys or choice < 0.1:
            name, type = f"{self.name}-{len(self.keys)}-{self.random.getrandbits(32):x}", self.random.choice(self.TYPES)
            if self.call("POST", f"transit/keys/{name}", {"type": type}) is not None:
                self.keys[name] = [type, 1, 1, False]
            return
        name = self.random.choice(list(self.keys))
        key = self.keys[name]
        if choice < 0.2:
            answer = self.call("POST", f"transit/keys/{name}/rotate")
            # An answer that got lost may have rotated.
            if answer is not None:
                key[1] += 1
            else:
                key[3] = True
        elif choice < 0.25:
            least = self.random.randint(1, key[1])
            if (
                self.call(
                    "POST", f"transit/keys/{name}/config", {"min_decryption_version": 1, "auto_rotate_period": 3600 * least}
                )
                is not None
            ):
                key[2] = 3600 * least
            else:
                key[2] = None
        elif choice < 0.3:
            answer = self.call("POST", "auth/token/create", {"ttl": "1h", "policies": ["default"]})
            if answer is not None:
                self.tokens.append(answer["auth"]["client_token"])
            if self.tokens and self.random.random() < 0.5:
                token = self.tokens.pop()
                if self.call("POST", "auth/token/revoke", {"token": token}) is not None:
                    self.revoked.append(token)
        elif choice < 0.6:
            text = b64(self.random.randbytes(self.random.randint(0, 200)))
            answer = self.call("POST", f"transit/encrypt/{name}", {"plaintext": text})
            if answer is not None:
                self.texts.append((name, answer["data"]["ciphertext"], text))
                self.nonces.add(name, key[0], [answer["data"]["ciphertext"]])
        elif choice < 0.8:
            texts = [b64(self.random.randbytes(20)) for _ in range(20)]
            answer = self.call("POST", f"transit/encrypt/{name}", {"batch_input": [{"plaintext": text} for text in texts]})
            if answer is not None:
                sealed = [item["ciphertext"] for item in answer["data"]["batch_results"]]
                self.texts += zip([name] * 20, sealed, texts, strict=True)
                self.nonces.add(name, key[0], sealed)
        elif self.texts:
            name, sealed, text = self.random.choice(self.texts)
            answer = self.call("POST", f"transit/decrypt/{name}", {"ciphertext": sealed})
            assert answer is None or answer["data"]["plaintext"] == text

    def run(self, stop):
        while not stop.is_set():
            self.step()

    def check(self, server, most=500):
        """All that was acknowledged is there: of the ciphertexts the latest, and some of the others."""
        for name, (type, latest, period, lost) in self.keys.items():
            key = server.data("GET", f"transit/keys/{name}")
            assert key["type"] == type
            assert key["latest_version"] >= latest, (
                f"{name}: version {latest} was acknowledged, the latest is {key['latest_version']}"
            )
            # Magma rotates by itself, at its limit.
            assert lost or type == "magma-mgm" or key["latest_version"] == latest
            self.keys[name][1] = key["latest_version"]
            if period not in (None, 1):
                assert key["auto_rotate_period"] == period
        some = self.texts[-most // 2 :] + self.random.sample(self.texts, min(len(self.texts), most // 2))
        by_name = {}
        for name, sealed, text in some:
            by_name.setdefault(name, []).append((sealed, text))
        for name, pairs in by_name.items():
            results = server.data(
                "POST", f"transit/decrypt/{name}", {"batch_input": [{"ciphertext": sealed} for sealed, _ in pairs]}
            )["batch_results"]
            assert [item.get("plaintext") for item in results] == [text for _, text in pairs], name
        for token in self.tokens[-20:]:
            assert server.call("GET", "auth/token/lookup-self", token=token).status_code == 200
        for token in self.revoked[-20:]:
            assert server.call("GET", "auth/token/lookup-self", token=token).status_code == 403


class Load:
    """Clients at work while a block runs."""

    def __init__(self, clients):
        self.clients, self.stop, self.pool = clients, threading.Event(), ThreadPoolExecutor(len(clients))

    def __enter__(self):
        self.running = [self.pool.submit(client.run, self.stop) for client in self.clients]
        return self

    def __exit__(self, *_):
        self.stop.set()
        for one in self.running:
            one.result()


def said(what, clients, nonces):
    print(
        f"\n{what}: {sum(c.done for c in clients)} requests acknowledged, {sum(c.failed for c in clients)} without an answer, "
        f"{sum(len(c.keys) for c in clients)} keys, {sum(len(c.texts) for c in clients)} ciphertexts, {len(nonces)} nonces, all different"
    )


def test_killed_under_load(servers):
    server = servers().init()
    nonces = Nonces()
    clients = [Client([server], seed, nonces) for seed in range(4)]
    for n in range(KILLS):
        server.start()
        for client in clients:
            client.check(server, most=100 if n < KILLS - 1 else 100_000)
        with Load(clients):
            time.sleep(random.uniform(0.05, 0.5))
            server.kill()
    server.start()
    for client in clients:
        client.check(server, most=2000)
    assert sum(client.done for client in clients) > KILLS
    said(f"killed {KILLS} times", clients, nonces)
    assert server.stop() == 0


def test_stopped_under_load(servers):
    """What a server that is asked to stop has taken, it finishes: no connection is cut in the midst of an answer."""
    server = servers().init()
    nonces = Nonces()
    clients = [Client([server], seed, nonces) for seed in range(4)]
    for _ in range(5):
        server.start()
        with Load(clients):
            time.sleep(0.3)
            assert server.stop() == 0
    server.start()
    for client in clients:
        client.check(server)
    said("stopped 5 times", clients, nonces)


@pytest.fixture
def small_disk(folder):
    """A file system of 4 MB."""
    place = folder / "small"
    place.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4m", "bulatd-test", str(place)], capture_output=True).returncode:
        pytest.skip("a file system cannot be mounted")
    yield place
    subprocess.run(["umount", "-l", str(place)], check=False)


def fill(place: Path):
    """Writes until there is no room, and then until there is none for a byte."""
    file = os.open(place / "filler", os.O_CREAT | os.O_WRONLY)
    for size in (65536, 1):
        with contextlib.suppress(OSError):
            while os.write(file, b"\0" * size):
                pass
    os.close(file)


def test_the_disk_is_full(servers, small_disk):
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
    client.check(server)
    said(f"the disk full: {refused} refused, {client.done - done} answered since", [client], nonces)


def test_the_audit_has_no_room(servers, small_disk, folder):
    server = servers()
    text = server.config.read_text().replace(str(server.audit), str(small_disk / "audit.log"))
    server.config.write_text(text)
    server.audit = small_disk / "audit.log"
    server.init().start()
    server.data("POST", "transit/keys/a")
    sealed = server.data("POST", "transit/encrypt/a", {"plaintext": b64(b"text")})["ciphertext"]
    fill(small_disk)
    answered = 0
    # Some room was kept before; then nothing more is answered.
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
    import json

    for line in server.audit.read_text().splitlines():
        json.loads(line)


def test_the_clock_is_set_back(servers, folder):
    library = next(Path("/usr/lib").glob("*/faketime/libfaketime.so.1"), None)
    if library is None:
        pytest.skip("libfaketime is not installed (apt-get install faketime)")
    clock = folder / "clock"

    def set_clock(hours):
        clock.write_text(f"{hours:+d}h\n")
        time.sleep(0.3)

    set_clock(0)
    server = servers(
        env={
            "LD_PRELOAD": str(library),
            "FAKETIME_TIMESTAMP_FILE": str(clock),
            "FAKETIME_NO_CACHE": "1",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
        }
    )
    server.init().start()
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
    # A period of rotation may be over.
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
    client.check(server)
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
        end = time.monotonic() + 15
        while server.call("GET", f"transit/keys/{next(iter(clients[0].keys))}").status_code != 200:
            assert time.monotonic() < end, "the server does not find its database again"
            time.sleep(0.1)
        for client in clients:
            client.check(server)
    said("PostgreSQL stopped and started 3 times", clients, nonces)


def test_replicas_rotate_at_once(servers, postgres):
    replicas = [servers(database=postgres.url)]
    replicas[0].init().start()
    replicas.append(servers(database=postgres.url).start())
    replicas[1].token = replicas[0].token
    replicas[0].data("POST", "transit/keys/shared")
    nonces, texts, acknowledged = Nonces(), [], []

    def work(n):
        replica = replicas[n % 2]
        http = requests.Session()
        for _ in range(15):

            def post(path, body):
                return http.post(
                    f"{replica.url}/v1/transit/{path}", json=body, headers={"X-Vault-Token": replica.token}, timeout=30
                )

            rotated = post("keys/shared/rotate", {})
            assert rotated.status_code in (200, 204, 409) or rotated.status_code >= 500, rotated.text
            if rotated.ok:
                acknowledged.append(1)
            sealed = post("encrypt/shared", {"batch_input": [{"plaintext": b64(bytes([n]))}] * 50})
            assert sealed.ok, sealed.text
            found = [item["ciphertext"] for item in sealed.json()["data"]["batch_results"]]
            nonces.add("shared", "kuznyechik-mgm", found)
            texts.extend((n, text) for text in found)

    with ThreadPoolExecutor(6) as pool:
        for done in [pool.submit(work, n) for n in range(6)]:
            done.result()
    # A replica sees the other's last change within a second.
    time.sleep(1.2)
    latest = replicas[0].data("GET", "transit/keys/shared")["latest_version"]
    assert latest - 1 == len(acknowledged) > 0, f"{len(acknowledged)} rotations acknowledged, the latest version is {latest}"
    for replica in replicas:
        for start in range(0, len(texts), 1000):
            part = texts[start : start + 1000]
            results = replica.data("POST", "transit/decrypt/shared", {"batch_input": [{"ciphertext": text} for _, text in part]})[
                "batch_results"
            ]
            assert [item["plaintext"] for item in results] == [b64(bytes([n])) for n, _ in part]
    print(
        f"\n2 replicas: {len(acknowledged)} of 90 rotations acknowledged, {len(texts)} ciphertexts open on both, {len(nonces)} nonces, all different"
    )


def test_replicas_see_each_others_changes(servers, postgres):
    one = servers(database=postgres.url).init().start()
    other = servers(database=postgres.url).start()
    other.token = one.token
    one.data("POST", "transit/keys/k")
    assert other.data("POST", "transit/encrypt/k", {"plaintext": ""})["key_version"] == 1
    one.data("POST", "transit/keys/k/rotate")
    time.sleep(1.2)
    sealed = other.data("POST", "transit/encrypt/k", {"plaintext": ""})
    assert sealed["key_version"] == 2
    one.data("POST", "transit/keys/k/config", {"deletion_allowed": True, "min_decryption_version": 2})
    time.sleep(1.2)
    token = one.new_token()
    assert other.call("GET", "auth/token/lookup-self", token=token).status_code == 200
    one.data("POST", "auth/token/revoke", {"token": token})
    time.sleep(1.2)
    assert other.call("GET", "auth/token/lookup-self", token=token).status_code == 403
    one.data("DELETE", "transit/keys/k")
    time.sleep(1.2)
    assert other.call("POST", "transit/decrypt/k", {"ciphertext": sealed["ciphertext"]}).status_code in (400, 404)


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_nonces(servers, request, kind):
    """Many messages in batches, over replicas and restarts, under one key of each type."""
    if kind == "postgres":
        postgres = request.getfixturevalue("postgres")
        replicas = [servers(database=postgres.url).init().start(), servers(database=postgres.url).start()]
        replicas[1].token = replicas[0].token
    else:
        replicas = [servers().init().start()]
    share = NONCES // 2
    sizes = {"kuznyechik-mgm": share * 3 // 4, "magma-mgm": share // 4}
    for type in sizes:
        replicas[0].data("POST", f"transit/keys/{type}", {"type": type})
    nonces, start = Nonces(), time.monotonic()
    for type, total in sizes.items():
        # Killed between the parts: what was reserved and not used is never used.
        for _ in range(4):

            def work(n, type=type, total=total):
                replica, http = replicas[n % len(replicas)], requests.Session()
                body = {"batch_input": [{"plaintext": "AAAA"}] * 1000}
                for _ in range(max(1, total // 16 // 1000)):
                    response = http.post(
                        f"{replica.url}/v1/transit/encrypt/{type}",
                        json=body,
                        headers={"X-Vault-Token": replica.token},
                        timeout=60,
                    )
                    assert response.ok, response.text[:500]
                    nonces.add(type, type, [item["ciphertext"] for item in response.json()["data"]["batch_results"]])

            with ThreadPoolExecutor(4) as pool:
                for done in [pool.submit(work, n) for n in range(4)]:
                    done.result()
            replicas[-1].kill()
            replicas[-1].start()
    versions = {type: replicas[0].data("GET", f"transit/keys/{type}")["latest_version"] for type in sizes}
    print(f"\n{kind}: {len(nonces)} nonces, all different, in {time.monotonic() - start:.0f} s; versions {versions}")
