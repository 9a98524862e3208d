"""The box in the middle: a thread that carries frames between two interfaces and can lose, delay, repeat, change or keep them."""

import heapq
import itertools
import random
import select
import socket
import struct
import threading
import time

from rfc9227 import UDP

ETH_P_ALL = 3
PACKET_OUTGOING = 4


def checksum(data: bytes) -> int:
    total = sum(struct.unpack(f">{len(data) // 2}H", data[: len(data) // 2 * 2])) + (data[-1] << 8 if len(data) % 2 else 0)
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return ~total & 0xFFFF


def ipv4(source: bytes, destination: bytes, protocol: int, body: bytes, length: int | None = None) -> bytes:
    """An IPv4 packet; `length` is a wrong total length."""
    head = struct.pack(">BBHHHBBH", 0x45, 0, 20 + len(body) if length is None else length, 0, 0x4000, 64, protocol, 0)
    head += source + destination
    return head[:10] + checksum(head).to_bytes(2, "big") + head[12:] + body


def udp(source: int, destination: int, data: bytes) -> bytes:
    """A UDP datagram without checksum."""
    return struct.pack(">HHHH", source, destination, 8 + len(data), 0) + data


def report(frame: bytes, mtu: int, router: bytes, quoted: int = 1000) -> bytes:
    """The frame of a router to the sender of a frame that is too long for its next link (RFC 1191, RFC 4443). It quotes
    IP's header and some bytes behind it."""
    macs = frame[6:12] + frame[:6]
    if frame[12:14] == b"\x08\0":
        body = struct.pack(">BBHHH", 3, 4, 0, 0, mtu) + frame[14 : 34 + quoted]
        return macs + b"\x08\0" + ipv4(router, frame[26:30], 1, body[:2] + checksum(body).to_bytes(2, "big") + body[4:])
    body = struct.pack(">BBHI", 2, 0, 0, mtu) + frame[14 : 54 + quoted]
    ends = router + frame[22:38]
    sum_ = checksum(ends + struct.pack(">II", len(body), 58) + body)
    return macs + b"\x86\xdd" + struct.pack(">IHBB", 6 << 28, len(body), 58, 64) + ends + body[:2] + sum_.to_bytes(2, "big") + body[4:]


class Relay:
    """Carries frames both ways. `act(side, frame)` turns a frame from side 0 (left) or 1 (right): a list of
    (seconds, frame), or of nothing."""

    def __init__(self, sockets: list[socket.socket]):
        self.sockets = sockets
        self.random = random.Random(9227)
        self.forward()
        self._waiting: list = []
        self._count = itertools.count()
        self._running = True
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def forward(self):
        """Only forwards, and keeps no frames."""
        self.act, self.frames = lambda side, frame: [(0, frame)], None

    def capture(self) -> list[tuple[int, bytes]]:
        """Begins a new list of all frames that arrive, with their side."""
        self.frames = []
        return self.frames

    def inject(self, frame: bytes, side: int):
        """Sends a frame as if it came from the side."""
        while True:
            try:
                self.sockets[1 - side].send(frame)
                return
            except BlockingIOError:
                select.select([], [self.sockets[1 - side]], [], 1)

    def trouble(self, loss=0.0, twice=0.0, late=0.0, delay=0.0):
        """Loses, repeats and delays frames of IP by chance; delayed frames are overtaken by others."""

        def act(side, frame):
            if frame[12:14] not in (b"\x08\0", b"\x86\xdd") or self.random.random() >= loss:
                seconds = delay + (self.random.random() * 0.02 if self.random.random() < late else 0)
                return [(seconds, frame)] * (2 if self.random.random() < twice else 1)
            return []

        self.act = act

    def nat(self, inside: tuple[bytes, int], outside: tuple[bytes, int]):
        """Translates the address and port of UDP packets of the left side."""

        def act(side, frame):
            at, now, then = (26, inside, outside) if side == 0 else (30, outside, inside)
            port = 34 if side == 0 else 36
            if frame[12:14] != b"\x08\0" or frame[23] != UDP or frame[14] != 0x45:
                return [(0, frame)]
            if frame[at : at + 4] != now[0] or int.from_bytes(frame[port : port + 2], "big") != now[1]:
                # The address behind the NAT cannot be reached.
                return [] if side == 1 and frame[at : at + 4] == then[0] else [(0, frame)]
            changed = bytearray(frame)
            changed[at : at + 4], changed[port : port + 2] = then[0], then[1].to_bytes(2, "big")
            changed[40:42], changed[24:26] = bytes(2), bytes(2)
            changed[24:26] = checksum(changed[14:34]).to_bytes(2, "big")
            return [(0, bytes(changed))]

        self.act = act

    def narrow(self, mtu: int, router: bytes, quoted: int = 1000):
        """Drops longer packets, and says so as a router, unless it may cut them: those pass."""

        def act(side, frame):
            whole = frame[12:14] == b"\x86\xdd" or frame[12:14] == b"\x08\0" and frame[20] & 0x40
            if len(frame) - 14 <= mtu or not whole:
                return [(0, frame)]
            self.inject(report(frame, mtu, router, quoted), 1 - side)
            return []

        self.act = act

    def _run(self):
        while self._running:
            timeout = max(0, self._waiting[0][0] - time.monotonic()) if self._waiting else 0.2
            ready, _, _ = select.select(self.sockets, [], [], min(timeout, 0.2))
            for s in ready:
                side = self.sockets.index(s)
                for _ in range(64):
                    try:
                        frame, address = s.recvfrom(70000, socket.MSG_DONTWAIT)
                    except BlockingIOError:
                        break
                    if address[2] == PACKET_OUTGOING:
                        continue
                    if self.frames is not None:
                        self.frames.append((side, frame))
                    for seconds, changed in self.act(side, frame):
                        if seconds:
                            heapq.heappush(self._waiting, (time.monotonic() + seconds, next(self._count), side, changed))
                        else:
                            self.inject(changed, side)
            while self._waiting and self._waiting[0][0] <= time.monotonic():
                _, _, side, frame = heapq.heappop(self._waiting)
                self.inject(frame, side)

    def stop(self):
        self._running = False
        self._thread.join()
        for s in self.sockets:
            s.close()
