"""Traffic inside the tunnel, and its fate."""

import collections
import contextlib
import hashlib
import multiprocessing
import os
import random
import secrets
import socket
import struct
import time

import lab
import relay

LEFT, RIGHT, INSIDE = {4: "10.77.1.1", 6: "fd77:1::1"}, {4: "10.77.2.1", 6: "fd77:2::1"}, {4: "10.77.1.66", 6: "fd77:1:0:0:1::2"}
LONG = bool(os.environ.get("BULAT_ESP_LONG"))


def ping(host: lab.Host, source: str, destination: str, data: bytes = b"bulat" * 10, seconds: float = 20) -> bool:
    """Sends an echo request. Tells whether the answer comes."""
    six = ":" in source
    kind, protocol = (128, socket.IPPROTO_ICMPV6) if six else (8, socket.IPPROTO_ICMP)
    mark = secrets.token_bytes(4)
    packet = struct.pack(">BBH", kind, 0, 0) + mark + data
    if not six:
        packet = packet[:2] + relay.checksum(packet).to_bytes(2, "big") + packet[4:]
    with host.open(socket.SOCK_RAW, source, 0, protocol) as s:
        s.sendto(packet, (destination, 0))
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            s.settimeout(left)
            with contextlib.suppress(TimeoutError):
                answer = s.recv(70000)[0 if six else 20 :]
                if answer[0] == (129 if six else 0) and answer[4:] == mark + data:
                    return True
    return False


def transfer(client: lab.Host, server: lab.Host, source: str, destination: str, size: int = 3_000_017, seconds: float = 120):
    """Sends random bytes by TCP and gets others back; both ends compare hashes."""
    end = time.monotonic() + seconds

    def receive(s: socket.socket) -> bool:
        left, total = size + 32, hashlib.sha256()
        while left > 32:
            data = s.recv(min(left - 32, 1 << 18))
            assert data and time.monotonic() < end, f"{left} bytes are missing"
            total.update(data)
            left -= len(data)
        return total.digest() == s.recv(32, socket.MSG_WAITALL)

    def send(s: socket.socket):
        data = os.urandom(size)
        s.sendall(data + hashlib.sha256(data).digest())

    # Ends leave at once: no later test sees repeated packets of this.
    right, abort = [], struct.pack("ii", 1, 0)

    def serve():
        s, _ = listener.accept()
        s.settimeout(seconds)
        s.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, abort)
        with s, contextlib.suppress(OSError):
            right.append(receive(s))
            send(s)
            # Until the client has all: it closes, or ends with its test.
            s.recv(1)

    with server.open(socket.SOCK_STREAM, destination) as listener, client.open(socket.SOCK_STREAM, source) as s:
        listener.listen()
        s.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, abort)
        thread = lab.later(serve)
        s.settimeout(seconds)
        s.connect((destination, listener.getsockname()[1]))
        send(s)
        right.append(receive(s))
    thread.join(30)
    assert right == [True, True], f"hashes are equal: {right}"


def datagrams(sender: lab.Host, receiver: lab.Host, source: str, destination: str, sizes, batch: int = 40) -> list[int]:
    """Sends UDP datagrams of these sizes. Returns the sizes that did not arrive right."""
    content = lambda size: random.Random(size).randbytes(size)  # noqa: E731
    lost = []
    with sender.open(socket.SOCK_DGRAM, source) as s, receiver.open(socket.SOCK_DGRAM, destination) as r:
        r.settimeout(2)
        sizes = list(sizes)
        for at in range(0, len(sizes), batch):
            waiting = sizes[at : at + batch]
            for size in waiting:
                s.sendto(content(size), r.getsockname()[:2])
            with contextlib.suppress(TimeoutError):
                while waiting:
                    data = r.recv(70000)
                    assert data == content(len(data)), f"{len(data)} wrong bytes"
                    waiting.remove(len(data))
            lost += waiting
    return lost


fork = multiprocessing.get_context("fork")


def flood(s: socket.socket, contents: list[bytes], rate: int, seconds: float, sent=None, call: int = 1):
    """Sends contents of `call` packets in turn, at a rate of packets; for a process of its own. `sent` is their number."""
    start, n = time.monotonic(), 0
    while (now := time.monotonic() - start) < seconds:
        while n < now * rate and time.monotonic() - start < seconds:
            with contextlib.suppress(OSError):
                s.send(contents[n // call % len(contents)])
            n += call
            if sent is not None:
                sent.value = n
        time.sleep(0.0005)


class Stream:
    """Numbered UDP datagrams at a steady rate."""

    def __init__(self, sender: lab.Host, receiver: lab.Host, source: str, destination: str, rate: int = 1000, size: int = 200):
        self.sent, self.received, self.wrong = 0, collections.Counter(), 0
        self._filler = bytes(size - 8)
        self._out, self._in = sender.open(socket.SOCK_DGRAM, source), receiver.open(socket.SOCK_DGRAM, destination)
        self._in.settimeout(0.5)
        self._running, self._rate = True, rate
        self._threads = [lab.later(self._send), lab.later(self._receive)]

    def _send(self):
        start = time.monotonic()
        while self._running:
            while self.sent < (time.monotonic() - start) * self._rate:
                with contextlib.suppress(OSError):
                    self._out.sendto(self.sent.to_bytes(8, "big") + self._filler, self._in.getsockname()[:2])
                self.sent += 1
            time.sleep(0.002)

    def _receive(self):
        quiet = 0
        while True:
            try:
                data = self._in.recv(70000)
            except TimeoutError:
                quiet += 1
                # A busy machine may hold the last datagrams back for long.
                if not self._running and quiet > (1 if self.sent == len(self.received) else 5):
                    return
                continue
            quiet = 0
            self.received[data[:8]] += 1
            self.wrong += data[8:] != self._filler

    def stop(self):
        """Stops; nothing came twice or wrong. Returns the number of datagrams that were lost."""
        self._running = False
        for thread in self._threads:
            thread.join()
        self._out.close()
        self._in.close()
        assert not self.wrong, f"{self.wrong} datagrams with wrong content"
        twice = sum(n > 1 for n in self.received.values())
        assert not twice, f"{twice} datagrams came twice"
        return self.sent - len(self.received)
