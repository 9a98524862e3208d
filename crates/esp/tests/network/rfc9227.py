"""A second implementation of ESP with RFC 9227's transforms, written from the RFCs over the project's slow reference ciphers.

It shares no code with the library: it reads packets of bulat-esp from the wire, and makes packets that bulat-esp must accept or refuse.
"""

import json
import socket
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[4]
sys.path.insert(0, str(ROOT / "verification/vectors/data/ref"))
import gostref  # noqa: E402

KUZNYECHIK, MAGMA, KUZNYECHIK_MAC, MAGMA_MAC = TRANSFORMS = (32, 33, 34, 35)
IPV4, IPV6, DUMMY = 4, 41, 59
UDP, ESP = 17, 50


class Wrong(Exception):
    """A packet differs from the RFCs."""


def check(right: bool, text: str):
    if not right:
        raise Wrong(text)


def padding(text: int, least: int = 0) -> bytes:
    """1, 2, 3 .. up to a multiple of 4 with pad length and next header (RFC 4303, 2.4)."""
    return bytes(range(1, least + (-(text + least + 2) % 4) + 1))


@dataclass
class Opened:
    sequence: int
    leaf: bytes
    number: int
    text: bytes
    next_header: int


class Association:
    """A direction: the SPI, the transform and its keying material (4.4)."""

    def __init__(self, spi: int, transform: int, key: bytes, esn: bool):
        self.spi, self.transform, self.esn = spi, transform, esn
        self.cipher, self.icv = (gostref.Kuznyechik, 12) if transform in (KUZNYECHIK, KUZNYECHIK_MAC) else (gostref.Magma, 8)
        self.encrypts = transform in (KUZNYECHIK, MAGMA)
        self.key, self.salt = key[:32], key[32:]
        check(len(key) == (44 if self.icv == 12 else 36), f"keying material of {len(key)} bytes")
        self.leaves = {}

    def leaf(self, iv: bytes):
        """The cipher under K_msg (4.1). A zero comes before i1."""
        if iv[:5] not in self.leaves:
            key = self.key
            for label, seed in ((b"level1", b"\0" + iv[:1]), (b"level2", iv[1:3]), (b"level3", iv[3:5])):
                key = gostref.kdf_256(key, label, seed)
            self.leaves[iv[:5]] = self.cipher(key)
        return self.leaves[iv[:5]]

    def _mgm(self, sequence: int, iv: bytes, body: bytes) -> tuple:
        """The parameters of MGM: nonce (4.3), associated data and text (4.7.1)."""
        nonce = b"\0" + iv[5:8] + self.salt
        header = self.spi.to_bytes(4, "big")
        header += sequence.to_bytes(8, "big") if self.esn else (sequence & 0xFFFFFFFF).to_bytes(4, "big")
        return (nonce, header, body) if self.encrypts else (nonce, header + iv + body, b"")

    def seal(self, sequence: int, iv: int, text: bytes, next_header: int = IPV4, pad: bytes | None = None, tail: bytes | None = None) -> bytes:
        """An ESP packet. `pad` replaces the padding, and `tail` all bytes after the text, to make wrong packets."""
        iv = iv.to_bytes(8, "big")
        pad = padding(len(text)) if pad is None else pad
        body = text + (pad + bytes([len(pad), next_header]) if tail is None else tail)
        nonce, aad, message = self._mgm(sequence, iv, body)
        sealed, tag = gostref.mgm_encrypt(self.leaf(iv), nonce, aad, message, self.icv)
        head = self.spi.to_bytes(4, "big") + (sequence & 0xFFFFFFFF).to_bytes(4, "big") + iv
        return head + (sealed if self.encrypts else body) + tag

    def open(self, packet: bytes, high: int = 0) -> Opened:
        """Opens an ESP packet; `high` is the upper half of its sequence number."""
        check(len(packet) >= 16 + self.icv + 4 and len(packet) % 4 == 0, f"an ESP packet of {len(packet)} bytes")
        spi, low, iv = packet[:4], int.from_bytes(packet[4:8], "big"), packet[8:16]
        check(int.from_bytes(spi, "big") == self.spi, "the SPI")
        body, icv = packet[16 : -self.icv], packet[-self.icv :]
        nonce, aad, message = self._mgm(high << 32 | low, iv, body)
        opened = gostref.mgm_decrypt(self.leaf(iv), nonce, aad, message, icv)
        check(opened is not None, "the ICV")
        body = opened if self.encrypts else body
        length, next_header = body[-2:]
        check(length + 2 <= len(body), f"a pad length of {length}")
        end = len(body) - 2 - length
        check(body[end:-2] == bytes(range(1, length + 1)), "the padding is not 1, 2, 3 ..")
        return Opened(high << 32 | low, iv[:5], int.from_bytes(iv[5:], "big"), body[:end], next_header)


@dataclass
class Outer:
    """An IP packet of the wire without its Ethernet header."""

    version: int
    source: str
    destination: str
    protocol: int
    fragment: bool
    tos: int
    ttl: int
    dont_fragment: bool
    body: bytes

    @property
    def ports(self) -> tuple[int, int]:
        return int.from_bytes(self.body[:2], "big"), int.from_bytes(self.body[2:4], "big")

    @property
    def esp(self) -> bytes | None:
        """The ESP packet, or none: an IKE message and a keepalive are no ESP (RFC 3948)."""
        if self.protocol == ESP:
            return self.body
        if self.protocol != UDP or not any(4500 <= port < 4600 for port in self.ports):
            return None
        inside = self.body[8:]
        return inside if len(inside) > 8 and inside[:4] != bytes(4) else None


def outer(frame: bytes) -> Outer | None:
    """Reads an Ethernet frame; none if it contains no IP packet."""
    kind, ip = frame[12:14], frame[14:]
    if kind == b"\x08\0":
        end, length = 4 * (ip[0] & 15), int.from_bytes(ip[2:4], "big")
        flags = int.from_bytes(ip[6:8], "big")
        addresses = [socket.inet_ntop(socket.AF_INET, ip[n : n + 4]) for n in (12, 16)]
        return Outer(4, *addresses, ip[9], bool(flags & 0x3FFF), ip[1], ip[8], bool(flags & 0x4000), ip[end:length])
    if kind == b"\x86\xdd":
        length = int.from_bytes(ip[4:6], "big")
        addresses = [socket.inet_ntop(socket.AF_INET6, ip[n : n + 16]) for n in (8, 24)]
        tos = int.from_bytes(ip[:2], "big") >> 4 & 255
        return Outer(6, *addresses, ip[6], ip[6] == 44, tos, ip[7], True, ip[40 : 40 + length])
    return None


def known_answers():
    """The examples of RFC 9227, Appendix A."""
    tests = json.loads((ROOT / "verification/vectors/data/esp_kat.json").read_text())["tests"]
    for test in tests:
        get = lambda name, test=test: bytes.fromhex(test[name])  # noqa: E731
        spi, sequence = int.from_bytes(get("aad")[:4], "big"), int.from_bytes(get("aad")[4:8], "big")
        encrypts, kuznyechik = test["flags"] == ["Encrypt"], test["cipher"] == "kuznyechik"
        sa = Association(spi, 33 - kuznyechik + 2 * (not encrypts), get("key") + get("salt"), False)
        payload = get("msg") if encrypts else get("aad")[16:]
        packet = get("aad")[:8] + get("iv") + (get("ct") if encrypts else payload) + get("tag")
        opened = sa.open(packet)
        check(opened.text == payload[: -2 - payload[-2]] and opened.next_header == IPV4, f"example {test['id']}")
        sealed = sa.seal(sequence, int.from_bytes(get("iv"), "big"), opened.text, pad=payload[len(opened.text) : -2])
        check(sealed == packet, f"example {test['id']}, sealed")
    return len(tests)
