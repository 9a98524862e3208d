"""Clients without a token, or with one that may do nothing, cost others neither memory nor places: bodies that never arrive,
large bodies, connections that stay open. Each attack is bounded, and others are served all the time."""

import collections
import contextlib
import http.client
import socket
import threading
import time

import pytest

from bulatd import FEW_ARENAS, b64, wait

TEXT = b'{"plaintext":"' + b64(b"text").encode() + b'"}'
MB = 1 << 20


def frame(kind: int, flags: int, stream: int, payload: bytes = b"") -> bytes:
    return len(payload).to_bytes(3, "big") + bytes([kind, flags]) + stream.to_bytes(4, "big") + payload


def head(method: str, path: str, **more) -> bytes:
    """Encodes a request's headers, without compression."""
    fields = {":method": method, ":path": path, ":scheme": "http", ":authority": "x", **more}
    return b"".join(
        b"\0" + bytes([len(name)]) + name + bytes([len(value)]) + value
        for name, value in ((n.replace("_", "-").encode(), v.encode()) for n, v in fields.items())
    )


class Two:
    """A connection of HTTP/2 that sends heads of requests and counts the answers."""

    def __init__(self, port: int, settings=b""):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=60)
        self.socket.sendall(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + frame(4, 0, 0, settings))
        self.next, self.left, self.answered = 1, b"", 0
        # HPACK has a number for each of these.
        self.statuses = collections.Counter()

    def send(self, block: bytes, count: int):
        """Sends heads of requests with bodies that never arrive."""
        frames = [frame(1, 4, self.next + 2 * i, block) for i in range(count)]
        self.next += 2 * count
        self.socket.sendall(b"".join(frames))

    def read(self, seconds: float):
        """Reads for this time."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            self.socket.settimeout(left)
            try:
                data = self.socket.recv(1 << 16)
            except TimeoutError:
                return
            if not data:
                return
            self.left += data
            while len(self.left) >= 9 and len(self.left) >= 9 + int.from_bytes(self.left[:3], "big"):
                size = int.from_bytes(self.left[:3], "big")
                kind, flags = self.left[3], self.left[4]
                if kind == 1:
                    self.answered += 1
                    self.statuses[{0x88: 200, 0x8C: 400}.get(self.left[9], 0)] += 1
                elif kind == 4 and not flags & 1:
                    self.socket.sendall(frame(4, 1, 0))
                elif kind == 6 and not flags & 1:
                    self.socket.sendall(frame(6, 1, 0, self.left[9 : 9 + size]))
                self.left = self.left[9 + size :]


def others(server, times=10, seconds=25) -> collections.Counter:
    """Returns the answers that new clients get within a time, each on its own connection. The server waits 30 s for a body."""
    seen = collections.Counter()
    for _ in range(times):
        for name, method, path, body in (
            ("health", "GET", "sys/health", None),
            ("encrypt", "POST", "transit/encrypt/k", TEXT),
        ):
            one = http.client.HTTPConnection("127.0.0.1", server.port, timeout=seconds)
            try:
                one.request(method, f"/v1/{path}", body, {} if body is None else {"X-Vault-Token": server.token})
                seen[name, one.getresponse().status] += 1
            except OSError as e:
                seen[name, type(e).__name__] += 1
            finally:
                one.close()
    return seen


def served(server, times=10, seconds=25):
    assert others(server, times, seconds) == {("health", 200): times, ("encrypt", 200): times}


@pytest.fixture
def server(servers):
    def make(limits=""):
        server = servers(extra=f"[limits]\n{limits}", env=FEW_ARENAS).init().start()
        server.data("POST", "transit/keys/k")
        return server

    return make


@pytest.mark.parametrize("requests", [64, 1024])
def test_open_calls_wait_for_no_body(server, requests):
    """Requests for health with bodies that never arrive are all answered at once, and no client waits."""
    server = server(f"requests = {requests}\n")
    connections = [Two(server.port) for _ in range(20)]
    for one in connections:
        one.send(head("GET", "/v1/sys/health", content_length="100"), 60)
    served(server)
    answered(connections, 60 * 20)
    assert [one.answered for one in connections] == [60] * 20
    served(server)


def test_requests_without_a_token_take_no_place(server):
    """A stream of heads of requests without a token, and without bodies."""
    server = server("requests = 100\n")
    stop = threading.Event()
    answered = []

    def attack():
        block = head("POST", "/v1/transit/encrypt/x", content_length="100")
        while not stop.is_set():
            with contextlib.suppress(OSError):
                one = Two(server.port)
                for _ in range(4):
                    one.send(block, 60)
                    one.read(0.5)
                answered.append(one.answered)
                one.socket.close()

    threads = [threading.Thread(target=attack) for _ in range(4)]
    for one in threads:
        one.start()
    time.sleep(0.5)
    seen = collections.Counter()
    end = time.monotonic() + 3
    # A slow machine needs longer until enough was answered.
    while time.monotonic() < end or (sum(answered) <= 200 and time.monotonic() < end + 60):
        seen += others(server, 1)
        time.sleep(0.05)
    stop.set()
    for one in threads:
        one.join()
    assert set(seen) == {("health", 200), ("encrypt", 200)} and sum(answered) > 200, (seen, answered)


def answered(held, count):
    """Waits for a number of heads of answers."""

    def all_read():
        for one in held:
            one.read(0.01)
        return sum(one.answered for one in held) >= count

    wait(all_read, lambda: f"{[one.answered for one in held]} of {count}", pause=0)


def test_answers_that_nobody_reads(server):
    """Clients ask many times for the longest answer that needs no token, and read none; in time their connections end."""
    server = server("read_seconds = 6\n")
    server.call("GET", "sys/internal/specs/openapi", token=None)
    before = server.memory()
    # A window of 0 bytes.
    held = [Two(server.port, b"\0\4\0\0\0\0") for _ in range(40)]
    for one in held:
        one.send(head("GET", "/v1/sys/internal/specs/openapi"), 60)
    answered(held, 60 * 40)
    grown = server.memory() - before
    assert grown < 24 * MB, f"{grown / MB:.1f} MB"
    # The connections end after twice the time.
    served(server, 3, 10)

    def gone():
        for one in held:
            with contextlib.suppress(OSError):
                one.read(0.01)
        return connections(server) <= 5

    wait(gone, "who reads nothing stays")


def test_wrong_tokens_hold_up_nobody(server):
    """60 connections send 60 wrong tokens each; new clients with a valid token are served."""
    server = server()
    block = head("POST", "/v1/transit/encrypt/k", content_length="0", x_vault_token="wrong")
    held = [Two(server.port) for _ in range(60)]
    for one in held:
        one.send(block, 60)
    served(server, 5)
    answered(held, 60 * 60)


def test_an_empty_body_of_no_known_length(server):
    """HTTP/2: the end of the request comes in its own frame, without data."""
    one = Two(server().port)
    one.socket.sendall(frame(1, 4, 1, head("GET", "/v1/sys/health")) + frame(0, 1, 1))
    answered([one], 1)
    assert one.answered == 1 and one.statuses == {200: 1}, one.statuses


def hold(server, path, size, count, token=None):
    """Opens connections that send a body without its last byte, as far as the server reads it."""
    piece = b" " * (1 << 20)
    held = []
    for _ in range(count):
        one = socket.create_connection(("127.0.0.1", server.port), timeout=2)
        shown = f"X-Vault-Token: {token}\r\n" if token else ""
        method = "GET" if token is None else "POST"
        one.sendall(f"{method} /v1/{path} HTTP/1.1\r\nHost: x\r\n{shown}Content-Length: {size}\r\n\r\n".encode())
        with contextlib.suppress(OSError):
            for start in range(0, size - 1, len(piece)):
                one.sendall(piece[: min(len(piece), size - 1 - start)])
        held.append(one)
    time.sleep(0.3)
    return held


def test_open_calls_keep_no_body(server):
    server = server()
    before = server.memory()
    held = hold(server, "sys/health", 4 * MB, 50)
    assert server.memory() - before < 40 * MB
    served(server, 3)
    for one in held:
        one.close()


@pytest.mark.parametrize("path", ["transit/encrypt/k", "transit/decrypt/k"])
def test_a_token_that_may_do_nothing_keeps_no_body(server, path):
    server = server()
    token = server.new_token(policies=["nothing"])
    before = server.memory()
    held = hold(server, path, 32 * MB, 8, token)
    assert server.memory() - before < 60 * MB
    served(server, 3)
    for one in held:
        one.close()


def test_all_bodies_have_a_bound(server):
    """Callers that may encrypt share the room for bodies, too, and give it back. Short bodies need none."""
    server = server("body_bytes = 8388608\nbodies_bytes = 25165824\nread_seconds = 4\n")
    before = server.memory()
    held = hold(server, "transit/encrypt/k", 8 * MB, 12, server.token)
    assert server.memory() - before < 50 * MB
    served(server, 3)
    refused = 0
    for one in held:
        one.setblocking(False)
        with contextlib.suppress(OSError):
            refused += b" 429 " in one.recv(200)
        one.close()
    # A refused client may see the end of the connection before it has read the reason.
    assert refused < 12
    large = {"plaintext": b64(b"x" * (5 * MB))}
    wait(lambda: server.call("POST", "transit/encrypt/k", large).ok, "the room was not given back", pause=0.2)


class Stays:
    """Opens connections that ask for health now and then, and stay."""

    def __init__(self, port, count, addresses=("127.0.0.1",), two=False):
        self.all = []
        for n in range(count):
            source = (addresses[n % len(addresses)], 0)
            with contextlib.suppress(OSError):
                one = socket.create_connection(("127.0.0.1", port), timeout=5, source_address=source)
                if two:
                    one.sendall(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + frame(4, 0, 0))
                self.all.append(one)

    def ask(self):
        for one in self.all:
            with contextlib.suppress(OSError):
                one.sendall(b"GET /v1/sys/health HTTP/1.1\r\nHost: x\r\n\r\n")

    def close(self):
        for one in self.all:
            one.close()


def connections(server) -> float:
    return server.metrics()["bulatd_connections"]


class Known:
    """A client that has shown a token, on a connection that stays."""

    def __init__(self, server):
        self.server = server
        self.connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
        self.works()

    def works(self):
        self.connection.request("POST", "/v1/transit/encrypt/k", TEXT, {"X-Vault-Token": self.server.token})
        answer = self.connection.getresponse()
        assert answer.status == 200 and answer.read()


@pytest.mark.parametrize("two", [False, True], ids=["HTTP/1.1", "HTTP/2"])
def test_connections_of_one_address_are_bounded(server, two):
    server = server("connections = 200\nstrangers = 20\nread_seconds = 120\n")
    known = Known(server)
    stay = Stays(server.port, 100, two=two)
    if not two:
        stay.ask()
    time.sleep(1.2)
    served(server, 5)

    def few():
        # Each new connection ends connections that are a second old.
        served(server, 1)
        return connections(server) < 40

    wait(few, "one address keeps its places")
    known.works()
    stay.close()


def test_full_places_are_given_to_who_comes(server):
    """More connections than places, from many addresses, all active."""
    server = server("connections = 40\nstrangers = 20\nread_seconds = 120\n")
    known = Known(server)
    stay = Stays(server.port, 120, [f"127.0.0.{n}" for n in range(2, 30)])
    for _ in range(3):
        stay.ask()
        time.sleep(1.1)
        served(server, 3)
    wait(lambda: connections(server) <= 41, "too many connections stay")
    known.works()
    stay.close()
