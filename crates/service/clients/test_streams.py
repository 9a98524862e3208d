"""Faults of streams: connections cut, the server killed, texts cut or changed, the database gone. A plaintext
that is not whole never looks whole, what did come is right, and memory stays as it is.

BULATD_STREAM sets the MB of the longest stream: 8 by default.
"""

import contextlib
import http.client
import os
import random
import re
import socket
import threading
import time

import pytest

from bulatd import FEW_ARENAS, curl, wait

LONG = int(os.environ.get("BULATD_STREAM", 8)) << 20
CHUNK, HEADER, TAG = 1 << 17, 2048, 16
CUT = object()


class Stream:
    """A request on its own connection: one thread sends its body while another reads the answer. Without a length
    the body is sent in chunks of HTTP; at CUT the connection is closed for writing."""

    def __init__(self, server, path, pieces, length=None):
        self.socket = socket.create_connection(("127.0.0.1", server.port), timeout=60)
        how = "Transfer-Encoding: chunked" if length is None else f"Content-Length: {length}"
        head = f"POST /v1/transit/stream/{path} HTTP/1.1\r\nHost: x\r\nX-Vault-Token: {server.token}\r\n{how}\r\n\r\n"
        self.socket.sendall(head.encode())
        self.sender = threading.Thread(target=self.send, args=(pieces, length is None))
        self.sender.start()
        self.answer = http.client.HTTPResponse(self.socket, method="POST")

    def send(self, pieces, chunked):
        # Some tests stop the server.
        with contextlib.suppress(OSError):
            for piece in pieces:
                if piece is CUT:
                    return self.socket.shutdown(socket.SHUT_WR)
                if chunked:
                    piece = b"%x\r\n%b\r\n" % (len(piece), piece)
                self.socket.sendall(piece)
            if chunked:
                self.socket.sendall(b"0\r\n\r\n")

    def read(self, most=None):
        """Returns the status, the body, and whether it looks whole."""
        try:
            self.answer.begin()
            found = self.answer.read(most)
            return self.answer.status, found, most is None
        except http.client.IncompleteRead as e:
            return self.answer.status, e.partial, False
        except (http.client.HTTPException, OSError):
            return 0, b"", False
        finally:
            if most is None:
                self.close()

    def close(self):
        with contextlib.suppress(OSError):
            self.socket.shutdown(socket.SHUT_RDWR)
        self.sender.join()
        self.answer.close()
        self.socket.close()


def ask(server, path, body, length=None, cut=False):
    """Sends a body in pieces, which end with a cut or properly."""
    pieces = [body[i : i + 50_000] for i in range(0, len(body), 50_000)] + [CUT] * cut
    return Stream(server, path, pieces, length).read()


def whole(server, path, body) -> bytes:
    status, found, complete = ask(server, path, body)
    assert status == 200 and complete, (status, found[:200])
    return found


def head_of(sealed: bytes) -> int:
    return sealed.index(b"\n") + 1 + HEADER


@pytest.fixture
def server(servers):
    server = servers(extra="[limits]\nstreams = 4\nread_seconds = 6\n", env=FEW_ARENAS).init().start()
    server.data("POST", "transit/keys/k")
    return server


def test_a_body_that_is_cut(server):
    """A cut at any place, with a length and without: no answer looks whole, and of the plaintext only sealed chunks arrive."""
    text = random.randbytes(5 * CHUNK + 1000)
    sealed = whole(server, "encrypt/k", text)
    head = head_of(sealed)
    edges = [0, 1, head - 1, head, head + 1, head + CHUNK + TAG, head + 3 * (CHUNK + TAG), len(sealed) - 1, len(sealed)]
    for at in edges + [random.randrange(len(sealed)) for _ in range(15)]:
        for length in (None, len(sealed) + 1):
            status, found, complete = ask(server, "decrypt/k", sealed[:at], length, cut=True)
            assert (status >= 400 or not complete) and (status != 200 or text.startswith(found)), (at, length, status)
            status, found, complete = ask(server, "encrypt/k", text[:at], length and len(text) + 1, cut=True)
            assert status >= 400 or not complete, (at, length, status)
            # The output before the cut does not open as a whole.
            if status == 200:
                status, _, complete = ask(server, "decrypt/k", found)
                assert status >= 400 or not complete
    assert whole(server, "decrypt/k", sealed) == text


def test_a_text_that_is_changed(server):
    """Bodies cut, extended, with a changed bit, or with chunks in another order: no answer looks whole."""
    text = random.randbytes(5 * CHUNK + 1000)
    sealed = whole(server, "encrypt/k", text)
    head, step = head_of(sealed), CHUNK + TAG
    cuts = [head, head + step, head + 5 * step, len(sealed) - 1, *random.choices(range(len(sealed)), k=15)]
    wrong = [sealed[:at] for at in cuts]
    wrong += [sealed + b"\0", sealed + sealed, sealed[:head] + sealed[head + step :]]
    wrong.append(sealed[:head] + sealed[head + step : head + 2 * step] + sealed[head : head + step] + sealed[head + 2 * step :])
    other = whole(server, "encrypt/k", text)
    wrong.append(other[: head_of(other)] + sealed[head:])
    chosen = [*random.choices(range(head), k=15), *random.choices(range(len(sealed)), k=15)]
    for at in [0, 8, 20, head - HEADER, head - 1, head, *chosen]:
        changed = bytearray(sealed)
        changed[at] ^= 1 << random.randrange(8)
        wrong.append(bytes(changed))
    for n, body in enumerate(wrong):
        status, found, complete = ask(server, "decrypt/k", body)
        assert status in (0, 200, 400) and (status == 400 or not complete), (n, status)
        assert status == 400 or (text.startswith(found) and len(found) % CHUNK == 0), n


def test_what_a_stream_is_bound_to(server):
    """A part opens only as the part, the stream and the chunk that it was made as, and under its own key."""
    server.data("POST", "transit/keys/m", {"type": "magma-mgm"})
    for key, tag in (("k", TAG), ("m", 8)):
        text = random.randbytes(5 * CHUNK + 1000)
        own = f"{key}?stream=a&part=3&last=false"
        for size in (0, 1, CHUNK):
            assert whole(server, f"decrypt/{own}", whole(server, f"encrypt/{own}", text[:size])) == text[:size]
        sealed = whole(server, f"encrypt/{own}", text)
        head = head_of(sealed)
        # From a later chunk on.
        late = sealed[:head] + sealed[head + 3 * (CHUNK + tag) :]
        assert whole(server, f"decrypt/{own}&chunk=3", late) == text[3 * CHUNK :]
        # No text has gone out before the error: it is a refusal.
        assert ask(server, f"decrypt/{own}&chunk=2", late)[0] == 400
        for other in ("stream=a&part=4&last=false", "stream=b&part=3&last=false", "stream=a&part=3"):
            assert ask(server, f"decrypt/{key}?{other}", sealed)[0] == 400, other
        for size in (0, 20, head - 1):
            assert ask(server, f"decrypt/{own}", sealed[:size])[0] == 400, size
        # The chunks before a changed bit arrive, and no end.
        changed = bytearray(sealed[: head + 3 * (CHUNK + tag)])
        changed[head + 2 * (CHUNK + tag) + 5] ^= 1
        status, found, complete = ask(server, f"decrypt/{own}", bytes(changed))
        assert (status, complete) == (200, False) and found == text[: 2 * CHUNK]


def test_without_an_end_of_its_own(server):
    """In HTTP/1.0, the default of nginx, an answer ends with its connection: one that breaks off would look whole. So streams
    are refused there, and those whose body has neither a length nor chunks."""
    text = random.randbytes(3 * CHUNK)
    sealed = whole(server, "encrypt/k", text)
    for path, body in (("encrypt/k", text), ("decrypt/k", sealed), ("decrypt/k", sealed[: 2 * CHUNK])):
        for version, more, status, word in (
            ("1.0", f"Content-Length: {len(body)}\r\n", b"505", b"grpc_pass"),
            ("1.0", f"Content-Length: {len(body)}\r\nConnection: keep-alive\r\n", b"505", b"HTTP/1.0"),
            ("1.0", "", b"505", b"HTTP/1.0"),
            ("1.1", "", b"411", b"content-length"),
            # Proxies of Go lose a part of such a body.
            ("1.1", "Transfer-Encoding: chunked\r\nX-Forwarded-For: 127.0.0.1\r\n", b"411", b"behind this proxy"),
            ("1.1", "Transfer-Encoding: chunked\r\nVia: 1.1 Caddy\r\n", b"411", b"behind this proxy"),
        ):
            head = f"POST /v1/transit/stream/{path} HTTP/{version}\r\nHost: x\r\nX-Vault-Token: {server.token}\r\n{more}\r\n"
            with socket.create_connection(("127.0.0.1", server.port), timeout=30) as one:
                one.sendall(head.encode() + (body if "Length" in more else b""))
                answer = one.recv(65536)
            assert status in answer.split(b"\r\n")[0] and word in answer and b"errors" in answer, answer[:300]
    # Answers of JSON have a length; a text of no bytes has one, too.
    shown = ["-H", f"X-Vault-Token: {server.token}"]
    answer = curl("--http1.0", "-D", "-", *shown, "-d", "{}", f"{server.url}/v1/transit/random", check=True).stdout
    assert b" 200 " in answer and b"content-length" in answer.lower()
    assert ask(server, "encrypt/k", b"", length=0)[0] == 200


def test_lengths(server):
    """A body with a length gets an answer with a length: behind proxies that end a broken answer properly, only that shows it."""
    for size in (0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK):
        text = random.randbytes(size)
        for kind in ("--http1.1", "--http2-prior-knowledge"):

            def post(path, body, kind=kind):
                words = [kind, "-i", "-H", f"X-Vault-Token: {server.token}", "-H", "Expect:", "--data-binary", "@-"]
                ran = curl(*words, f"{server.url}/v1/transit/stream/{path}", input=body)
                head, _, body = ran.stdout.partition(b"\r\n\r\n")
                length = re.search(rb"(?i)\ncontent-length: (\d+)", head)
                return ran.returncode, int(head.split()[1] if head else 0), length and int(length[1]), body

            rc, status, length, sealed = post("encrypt/k", text)
            assert (rc, status, length) == (0, 200, len(sealed))
            rc, status, length, opened = post("decrypt/k", sealed)
            assert (rc, status, length, opened) == (0, 200, size or None, text)
            # Whatever is cut or added: a refusal, or fewer bytes than announced.
            step = head_of(sealed) + CHUNK + TAG
            added = [sealed + b"\0", sealed + bytes(TAG), sealed[:step] + bytes(5), sealed[:step] + bytes(TAG)]
            for wrong in (sealed[:-1], sealed[:-TAG], sealed[:step], *added):
                if wrong != sealed:
                    rc, status, length, opened = post("decrypt/k", wrong)
                    assert status == 400 or (rc and len(opened) < (length or 1)), (size, len(wrong), rc, status, length)
    # The first chunk is changed: a refusal with words.
    changed = bytearray(sealed)
    changed[head_of(sealed) + 5] ^= 1
    rc, status, _, answer = post("decrypt/k", bytes(changed))
    assert (rc, status) == (0, 400) and b"errors" in answer


def test_refusals_arrive(server):
    """Also those of long bodies that are not read: HTTP/2 must not break the request off before the answer."""
    body = bytes(8 << 20)
    calls = [("transit/stream/encrypt/none", "", 400), ("transit/stream/encrypt/k", "x", 403), ("transit/hash", "x", 403)]
    for path, token, status in calls * 5:
        words = ["-H", f"X-Vault-Token: {token or server.token}", "--data-binary", "@-", "-w", "%{http_code}", "-o", "/dev/null"]
        ran = curl("--http2-prior-knowledge", *words, f"{server.url}/v1/{path}", input=body)
        # curl 7.88 that sees the status before the rest of the answer ends its request with fewer bytes than announced: a
        # malformed request by RFC 9113, 8.1.1, and h2 resets it.
        reset = ran.returncode == 92 and b"PROTOCOL_ERROR" in ran.stderr
        assert (ran.returncode == 0 or reset) and ran.stdout.decode() == str(status), (path, ran)


def test_clients_that_go(server):
    """Clients that stop reading or sending, or disconnect, leave their places to others."""
    text = random.randbytes(4 << 20)

    def place():
        kept = "streams that do not go on keep their places"
        wait(lambda: ask(server, "encrypt/k", b"text")[::2] == (200, True), kept, pause=0.2)

    for _ in range(5):
        streams = [Stream(server, "encrypt/k", [text[: random.randrange(len(text))], CUT]) for _ in range(4)]
        for stream in streams:
            stream.read(random.choice([1, 1000, 100_000]))
            stream.close()
    place()
    for pieces in ([text] * 20, [b"text"]):
        # One client reads nothing, one sends no more; each until its time is over.
        waiting = []
        while len(waiting) < 4:
            begun = begun if waiting else time.monotonic()
            waiting.append(Stream(server, "encrypt/k", pieces, length=100 << 20))
            waiting[-1].answer.begin()
            # Earlier ones may still be ending.
            if waiting[-1].answer.status == 429:
                waiting.pop().close()
                time.sleep(0.1)
        # On a slow machine their time may be over already.
        assert ask(server, "encrypt/k", b"text")[0] == 429 or time.monotonic() - begun > 5
        place()
        for stream in waiting:
            stream.close()
    assert server.stop() == 0


def test_killed_in_a_stream_and_resumed(server):
    """The text before the fault is right and has no end; a resumed decryption and parts sent again give the whole text."""
    text = random.randbytes(20 * CHUNK + 77)
    sealed = whole(server, "encrypt/k", text)
    head, step = head_of(sealed), CHUNK + TAG
    found = b""
    for _ in range(4):
        first = len(found) // CHUNK
        found = found[: first * CHUNK]
        body = sealed[:head] + sealed[head + first * step :]

        def slowly(body=body):
            for i in range(0, len(body), 20_000):
                yield body[i : i + 20_000]
                time.sleep(0.003)

        stream = Stream(server, f"decrypt/k?chunk={first}", slowly())
        status, some, _ = stream.read(random.randrange(1, 5 * CHUNK))
        server.kill()
        _, rest, complete = stream.read()
        found += some + rest
        assert status == 200 and text.startswith(found) and (not complete or found == text)
        server.start()
    first = len(found) // CHUNK
    body = sealed[:head] + sealed[head + first * step :]
    assert found[: first * CHUNK] + whole(server, f"decrypt/k?chunk={first}", body) == text
    # In parts: only the broken one is sent again.
    size, parts = 7 * CHUNK, []
    cut = [text[i : i + size] for i in range(0, len(text), size)]
    query = [f"k?stream=s&part={n}&last={'true' if n == len(cut) - 1 else 'false'}" for n in range(len(cut))]
    for n, part in enumerate(cut):
        status, _, complete = ask(server, f"encrypt/{query[n]}", part[: len(part) // 2], len(part), cut=True)
        assert not complete or status >= 400
        server.kill()
        server.start()
        parts.append(whole(server, f"encrypt/{query[n]}", part))
    assert b"".join(whole(server, f"decrypt/{query[n]}", part) for n, part in enumerate(parts)) == text
    for n in range(len(cut)):
        # In the place of another, or as a last part that it is not.
        assert ask(server, f"decrypt/{query[n]}", parts[n - 1])[0] == 400
        assert ask(server, f"decrypt/k?stream=s&part={n}&last={'false' if n == len(cut) - 1 else 'true'}", parts[n])[0] == 400


def test_memory_of_streams(server):
    """Four long streams at once, two of them read slowly."""
    piece = random.randbytes(1 << 18)
    whole(server, "encrypt/k", piece)
    before, most = server.memory(), 0
    results = []

    def through(pause):
        stream = Stream(server, "encrypt/k", (piece for _ in range(LONG >> 18)))
        stream.answer.begin()
        size = 0
        while got := stream.answer.read(1 << 18):
            size += len(got)
            time.sleep(pause)
        stream.close()
        results.append(size)

    threads = [threading.Thread(target=through, args=(pause,)) for pause in (0, 0, 0.01, 0.02)]
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        most = max(most, server.memory())
        time.sleep(0.02)
    assert len(results) == 4 and all(size > LONG for size in results)
    print(f"\n4 streams of {LONG >> 20} MB: memory {before >> 10} KiB before, {most >> 10} KiB at most")
    assert most - before < 8 << 20


def test_the_database_goes_in_a_stream(servers, postgres):
    """A stream that has begun needs no database; new ones are refused until it is back."""
    server = servers(database=postgres.url).init().start()
    server.data("POST", "transit/keys/k")
    text = random.randbytes(8 * CHUNK)
    go = threading.Event()

    def pieces(body):
        yield body[: 3 * CHUNK]
        go.wait()
        yield body[3 * CHUNK :]

    sealed = whole(server, "encrypt/k", text)
    streams = [Stream(server, "encrypt/k", pieces(text)), Stream(server, "decrypt/k", pieces(sealed))]
    for stream in streams:
        stream.answer.begin()
    postgres.stop("immediate")
    time.sleep(1.2)
    status, found, _ = ask(server, "encrypt/k", text)
    assert status >= 500 and b"errors" in found
    go.set()
    (encrypted, decrypted) = (stream.answer.read() for stream in streams)
    for stream in streams:
        stream.close()
    assert decrypted == text
    postgres.start()
    wait(lambda: ask(server, "encrypt/k", b"")[0] == 200)
    assert whole(server, "decrypt/k", encrypted) == text
