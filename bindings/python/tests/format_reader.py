"""A second reader of the container, written only from docs/FORMAT.md: no code of the library's container.

Streebog, HMAC, PBKDF2 and MGM are `bulat`'s; KDF_TREE (RFC 7836, 4.4) and Argon2id (RFC 9106) are here.
"""

from __future__ import annotations

import hashlib
import hmac
import os

import bulat


class Refused(Exception):
    """The file is refused."""


class WrongSecret(Refused):
    """No slot opens."""


MASK = (1 << 64) - 1
LOW = (1 << 32) - 1


def compress(x: list[int], y: list[int]) -> list[int]:
    """G of Argon2."""
    r = [a ^ b for a, b in zip(x, y, strict=True)]
    z = r[:]
    rows = [list(range(16 * i, 16 * i + 16)) for i in range(8)]
    columns = [[2 * i + 16 * k + j for k in range(8) for j in (0, 1)] for i in range(8)]
    for at in rows + columns:
        v = [z[i] for i in at]
        for a, b, c, d in (
            *((i, i + 4, i + 8, i + 12) for i in range(4)),
            *((i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4) for i in range(4)),
        ):
            va, vb, vc, vd = v[a], v[b], v[c], v[d]
            for right, left in ((32, 24), (16, 63)):
                va = (va + vb + 2 * (va & LOW) * (vb & LOW)) & MASK
                vd ^= va
                vd = (vd >> right | vd << (64 - right)) & MASK
                vc = (vc + vd + 2 * (vc & LOW) * (vd & LOW)) & MASK
                vb ^= vc
                vb = (vb >> left | vb << (64 - left)) & MASK
            v[a], v[b], v[c], v[d] = va, vb, vc, vd
        for i, value in zip(at, v, strict=True):
            z[i] = value
    return [a ^ b for a, b in zip(z, r, strict=True)]


def le32(n: int) -> bytes:
    return n.to_bytes(4, "little")


def long_hash(text: bytes, size: int) -> bytes:
    """H' of Argon2."""
    if size <= 64:
        return hashlib.blake2b(le32(size) + text, digest_size=size).digest()
    v = hashlib.blake2b(le32(size) + text).digest()
    out = v[:32]
    while size - len(out) > 64:
        v = hashlib.blake2b(v).digest()
        out += v[:32]
    return out + hashlib.blake2b(v, digest_size=size - len(out)).digest()


def words(block: bytes) -> list[int]:
    return [int.from_bytes(block[i : i + 8], "little") for i in range(0, 1024, 8)]


def argon2id(password: bytes, salt: bytes, memory: int, passes: int, lanes: int, size: int) -> bytes:
    start = b"".join(le32(n) for n in (lanes, size, memory, passes, 0x13, 2))
    start += le32(len(password)) + password + le32(len(salt)) + salt + le32(0) + le32(0)
    h0 = hashlib.blake2b(start).digest()
    segment = memory // (4 * lanes)
    length = 4 * segment
    zero = [0] * 128
    b: list[list[list[int]]] = [
        [words(long_hash(h0 + le32(j) + le32(lane), 1024)) if j < 2 else zero for j in range(length)] for lane in range(lanes)
    ]
    for r in range(passes):
        for part in range(4):
            for lane in range(lanes):
                independent = r == 0 and part < 2
                addresses: list[int] = []
                for i in range(segment):
                    if independent and i % 128 == 0:
                        seed = [r, lane, part, length * lanes, passes, 2, i // 128 + 1] + [0] * 121
                        addresses = compress(zero, compress(zero, seed))
                    j = part * segment + i
                    if r == 0 and j < 2:
                        continue
                    before = b[lane][(j - 1) % length]
                    pseudo = addresses[i % 128] if independent else before[0]
                    j1, j2 = pseudo & LOW, pseudo >> 32
                    other = lane if r == 0 and part == 0 else j2 % lanes
                    area = part * segment if r == 0 else length - segment
                    area += i - 1 if other == lane else -(i == 0)
                    z = area - 1 - (area * (j1 * j1 >> 32) >> 32)
                    first = 0 if r == 0 else (part + 1) * segment % length
                    made = compress(before, b[other][(first + z) % length])
                    b[lane][j] = made if r == 0 else [x ^ y for x, y in zip(made, b[lane][j], strict=True)]
    last = b[0][-1]
    for lane in range(1, lanes):
        last = [x ^ y for x, y in zip(last, b[lane][-1], strict=True)]
    return long_hash(b"".join(x.to_bytes(8, "little") for x in last), size)


def kdf_tree(key: bytes, label: bytes, seed: bytes, size: int) -> bytes:
    length = (8 * size).to_bytes(2, "big")
    blocks = (bulat.hmac_streebog256(key, bytes([j]) + label + b"\0" + seed + length).digest() for j in range(1, size // 32 + 1))
    return b"".join(blocks)


def pad(n: int, text: bytes) -> bytes:
    return text.ljust(n, b"\0")


def number(field: bytes) -> int:
    return int.from_bytes(field, "big")


def need(condition: bool, why: str) -> None:
    if not condition:
        raise Refused(why)


def short_name(path: str | os.PathLike[str]) -> str:
    name = os.path.basename(os.fspath(path))
    return name[: -len(".bulat")] if name.endswith(".bulat") and name != ".bulat" else name


Slot = tuple[int, int, tuple[int, int, int], bytes, bytes, bytes]


class Header:
    """Section 2."""

    def __init__(self, data: bytes) -> None:
        need(data[:6] == b"bulat\x1a"[: len(data)] and len(data) > 0, "not a container")
        need(len(data) < 8 or number(data[6:8]) == 1, "version")
        need(len(data) >= 2048, "shorter than its header")
        self.bytes = data[:2048]
        self.cipher, self.c = data[8], data[9]
        need(self.cipher in (1, 2), "cipher")
        need(12 <= self.c <= 20, "chunk")
        length = number(data[10:12])
        need(length <= 432, "length of the name")
        need(number(data[12:16]) == 0, "flags")
        name, rest = data[48 : 48 + length], data[48 + length : 480]
        need(not any(rest) and b"\0" not in name and b"/" not in name, "name")
        try:
            self.name = name.decode()
        except UnicodeDecodeError:
            raise Refused("name") from None
        self.slots: list[Slot] = []
        for i in range(16):
            slot = data[480 + 96 * i : 576 + 96 * i]
            if not any(slot):
                continue
            kind, cost = slot[0], (number(slot[4:8]), number(slot[8:12]), number(slot[12:16]))
            first, second, third = cost
            legal = {
                1: cost == (0, 0, 0),
                2: first >= 1 and (second, third) == (0, 0),
                3: 1 <= third <= 16 and second >= 1 and first >= 8 * third,
            }
            need(kind in legal, f"slot {i}: kind")
            need(legal[kind], f"slot {i}: cost")
            need(not any(slot[1:4]), f"slot {i}: reserved")
            self.slots.append((i, kind, cost, slot[16:32], slot[32:64], slot[64:96]))
        need(bool(self.slots), "no slot is used")


def read(
    data: bytes,
    *,
    key: bytes | None = None,
    password: bytes | None = None,
    name: str | None = None,
    any_name: bool = False,
    max_iterations: int = 80_000_000,
    max_memory: int = 1 << 20,
) -> bytes:
    """Returns the plaintext."""
    header = Header(data)
    need(password is None or (1 <= len(password) <= 65536 and 0 not in password), "password")
    slots = [slot for slot in header.slots if (slot[1] == 1) == (key is not None)]
    need(bool(slots), "no slot of this kind")
    if password is not None:
        need(sum(cost[0] for _, kind, cost, *_ in slots if kind == 2) <= max_iterations, "iterations")
        need(all(cost[0] <= max_memory for _, kind, cost, *_ in slots if kind == 3), "memory")
        need(sum(cost[0] * cost[1] for _, kind, cost, *_ in slots if kind == 3) <= 64 * max_memory, "memory times passes")
    a = bulat.streebog256(data[:480]).digest()
    for _, kind, cost, salt, wrapped, commitment in slots:
        if kind == 1:
            assert key is not None
            k = key
        else:
            assert password is not None
            p = pad(64, b"bulat/1 password") + password
            k = bulat.pbkdf2_hmac_streebog512(p, 32, salt=salt, iterations=cost[0]) if kind == 2 else argon2id(p, salt, *cost, 32)
        s = bulat.streebog512(pad(48, b"bulat/1 key") + salt + k).digest()
        derived = kdf_tree(s, b"bulat/1 slot", a, 64)
        if hmac.compare_digest(derived[32:], commitment):
            d = bytes(x ^ y for x, y in zip(wrapped, derived[:32], strict=True))
            break
    else:
        raise WrongSecret("wrong key or password, or damaged header")
    derived = kdf_tree(d, b"bulat/1 file", a, 64)
    root, header_key = derived[:32], derived[32:]
    code = bulat.hmac_streebog256(header_key, data[:2016]).digest()
    need(hmac.compare_digest(code, data[2016:2048]), "header code")
    if header.name and not any_name:
        need(name is not None and short_name(name) == header.name, "name of the file")
    return chunks(header, root, a, data[2048:])


def chunks(header: Header, root: bytes, a: bytes, body: bytes) -> bytes:
    """Section 6."""
    n, most, aead = (16, 1 << 27, bulat.KuznyechikMGM) if header.cipher == 1 else (8, 1 << 21, bulat.MagmaMGM)
    size = 1 << header.c
    sealed = [body[i : i + size + n] for i in range(0, len(body), size + n)]
    need(bool(sealed), "no chunk")
    out = b""
    for i, chunk in enumerate(sealed):
        last = i + 1 == len(sealed)
        need(len(chunk) >= n and (len(chunk) > n or len(sealed) == 1), "an empty chunk")
        group = i // (most // size)
        nonce = bytes([last]) + bytes(n - 8) + i.to_bytes(7, "big")
        try:
            out += aead(kdf_tree(root, b"bulat/1 group", group.to_bytes(8, "big"), 32)).decrypt(nonce, chunk, a)
        except bulat.InvalidTag:
            raise Refused(f"chunk {i}") from None
    return out
