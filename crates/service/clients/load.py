"""Clients at work. They remember every acknowledged change, and the nonces that they have seen, to check them after faults."""

import random
import struct
import threading
from base64 import b64decode
from concurrent.futures import ThreadPoolExecutor

import requests

from bulatd import b64

# Digits of base64 with the nonce, and their format for struct: the number is the last 8 bytes of the nonce.
NONCE = {"kuznyechik-mgm": (24, "8xQ2x"), "magma-mgm": (16, "Q4x")}


class Nonces:
    """The numbers at the end of nonces, each used once under a key and version: a byte for each, 1 if it was seen."""

    def __init__(self):
        self.seen, self.lock, self.count = {}, threading.Lock(), 0

    def add(self, key, type, ciphertexts):
        """Adds ciphertexts, as text or bytes."""
        versions, (digits, form) = {}, NONCE[type]
        for text in ciphertexts:
            text = text if isinstance(text, bytes) else text.encode()
            at = text.index(b":", 7)
            versions.setdefault(int(text[7:at]), []).append(text[at + 1 : at + 1 + digits])
        for version, found in versions.items():
            numbers = struct.unpack(">" + form * len(found), b64decode(b"".join(found)))
            with self.lock:
                seen = self.seen.setdefault((key, version), bytearray())
                most = max(numbers)
                assert most < 1 << 31, f"no count: {key} {version} {most}"
                if most >= len(seen):
                    seen.extend(bytes(most + 1 - len(seen) + (1 << 16)))
                for number in numbers:
                    assert not seen[number], f"a nonce comes twice: {key} {version} {number}"
                    seen[number] = 1
                self.count += len(numbers)

    def both(self, other) -> list:
        """Returns keys and versions with a number that was used twice."""

        def common(a, b):
            return any(x & y for x, y in zip(a, b, strict=False))

        return [key for key, seen in self.seen.items() if common(seen, other.seen.get(key, b""))]

    def __len__(self):
        return self.count


class Client:
    """Works as a client, and remembers acknowledged changes."""

    TYPES = ("kuznyechik-mgm", "magma-mgm")
    # Beyond these numbers new ones are rare, so that a check of all ends.
    KEYS = 25

    def __init__(self, servers, seed, nonces, **settings):
        self.servers, self.random, self.nonces = servers, random.Random(seed), nonces
        self.name = f"c{seed}"
        self.keys = {}  # name: [type, latest version, period of rotation, an answer of a rotation got lost]
        self.texts = []  # name, ciphertext, text
        self.tokens, self.revoked = [], []
        self.settings = settings  # of each key
        self.changed, self.checked = set(), [0, 0, 0]  # keys; the numbers of texts and tokens at the last check
        self.done = self.failed = self.wrote = self.opened = 0
        self.http = requests.Session()

    def call(self, method, path, body=None):
        """Asks one of the servers. Returns its answer, or None if there is none or an error above 499."""
        server = self.random.choice(self.servers)
        headers = {"X-Vault-Token": server.token}
        try:
            response = self.http.request(method, f"{server.url}/v1/{path}", json=body, headers=headers, timeout=60)
        except requests.RequestException:
            self.failed += 1
            return None
        said = f"{method} {path} {body}: {response.status_code} {response.text}"
        assert response.status_code < 400 or response.status_code >= 500, said
        if response.status_code >= 500:
            self.failed += 1
            assert response.json()["errors"]
            return None
        self.done += 1
        self.wrote += not path.startswith("transit/decrypt/")
        return response.json() if response.content else {}

    def step(self):
        choice = self.random.random()
        if not self.keys or choice < (0.1 if len(self.keys) < self.KEYS else 0.01):
            name, type = f"{self.name}-{len(self.keys)}-{self.random.getrandbits(32):x}", self.random.choice(self.TYPES)
            if self.call("POST", f"transit/keys/{name}", {"type": type} | self.settings) is not None:
                self.keys[name] = [type, 1, 1, False]
                self.changed.add(name)
            return
        name = self.random.choice(list(self.keys))
        key = self.keys[name]
        if choice < 0.2:
            self.changed.add(name)
            answer = self.call("POST", f"transit/keys/{name}/rotate")
            # The request of a lost answer may have rotated the key.
            if answer is not None:
                key[1] += 1
            else:
                key[3] = True
        elif choice < 0.25:
            self.changed.add(name)
            least = self.random.randint(1, key[1])
            settings = {"min_decryption_version": 1, "auto_rotate_period": 3600 * least}
            answer = self.call("POST", f"transit/keys/{name}/config", settings)
            key[2] = None if answer is None else 3600 * least
        elif choice < 0.3:
            answer = self.call("POST", "auth/token/create", {"ttl": "1h", "policies": ["default"]})
            if answer is not None:
                self.tokens.append(answer["auth"]["client_token"])
            if self.tokens and self.random.random() < 0.5:
                token = self.tokens.pop()
                self.checked[1] = min(self.checked[1], len(self.tokens))
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

    def check(self, server, all=False):
        """Checks that the changes since the last check are there, and some of those before; or all."""

        def some(things, since):
            return things if all else things[since:] + self.random.sample(things[:since], min(since, 20))

        for name in self.keys if all else self.changed:
            type, latest, period, lost = self.keys[name]
            key = server.data("GET", f"transit/keys/{name}")
            assert key["type"] == type
            assert key["latest_version"] >= latest, f"{name}: {latest} was acknowledged, {key['latest_version']} is the latest"
            # Magma's keys rotate at their limit.
            assert lost or type == "magma-mgm" or key["latest_version"] == latest
            self.keys[name][1], self.keys[name][3] = key["latest_version"], False
            if period not in (None, 1):
                assert key["auto_rotate_period"] == period
        self.opened += opens(server, some(self.texts, self.checked[0]))
        for tokens, since, status in ((self.tokens, self.checked[1], 200), (self.revoked, self.checked[2], 403)):
            for token in some(tokens, since):
                answer = server.call("GET", "auth/token/lookup-self", token=token)
                assert answer.status_code == status, f"{answer.status_code} for {status}: {answer.text}"
        self.changed.clear()
        self.checked = [len(self.texts), len(self.tokens), len(self.revoked)]


def opens(server, texts) -> int:
    """Checks that each opens to its text: key, ciphertext, text. Returns their number."""
    by_name = {}
    for name, sealed, text in texts:
        by_name.setdefault(name, []).append((sealed, text))
    for name, pairs in by_name.items():
        for start in range(0, len(pairs), 5000):
            part = pairs[start : start + 5000]
            body = {"batch_input": [{"ciphertext": sealed} for sealed, _ in part]}
            results = server.data("POST", f"transit/decrypt/{name}", body, timeout=120)["batch_results"]
            assert [item.get("plaintext") for item in results] == [text for _, text in part], name
    return len(texts)


def check(clients, server, all=False):
    """Runs the checks of several clients at once."""
    with ThreadPoolExecutor(len(clients)) as pool:
        list(pool.map(lambda client: client.check(server, all), clients))


class Load:
    """Keeps clients at work while a block runs."""

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
    def sum_of(count):
        return sum(map(count, clients))

    print(
        f"\n{what}: {sum_of(lambda c: c.wrote)} writes acknowledged, {sum_of(lambda c: c.failed)} requests without an answer, "
        f"{sum_of(lambda c: len(c.keys))} keys, {sum_of(lambda c: len(c.texts))} ciphertexts, "
        f"{sum_of(lambda c: c.opened)} times opened, {len(nonces)} nonces, all different"
    )
