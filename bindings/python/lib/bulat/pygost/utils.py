"""Small helpers, as in `pygost.utils`."""

from __future__ import annotations


def hexdec(data: str | bytes) -> bytes:
    """Hexadecimal digits to bytes."""
    return bytes.fromhex(data if isinstance(data, str) else data.decode("ascii"))


def hexenc(data: bytes) -> str:
    """Bytes to hexadecimal digits."""
    return bytes(data).hex()


def strxor(a: bytes, b: bytes) -> bytes:
    """Returns the XOR of two strings, with the length of the shorter."""
    return bytes(x ^ y for x, y in zip(a, b, strict=False))


def bytes2long(raw: bytes) -> int:
    """A big-endian number."""
    return int.from_bytes(raw, "big")


def long2bytes(n: int, size: int = 32) -> bytes:
    """Returns a big-endian number in at least `size` bytes."""
    return n.to_bytes(max(size, (n.bit_length() + 7) // 8), "big")
