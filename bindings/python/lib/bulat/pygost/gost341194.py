"""GOST R 34.11-94, as in `pygost.gost341194`: for old data only."""

from __future__ import annotations

import hmac
from typing import Any

from .. import Hash
from .gost34112012 import _Digest

__all__ = ["DEFAULT_SBOX", "GOST341194", "digest_size", "new", "pbkdf2"]

DEFAULT_SBOX = "id-GostR3411-94-CryptoProParamSet"
_NAMES = {
    "id-GostR3411-94-TestParamSet": "gost94-test",
    "id-GostR3411-94-CryptoProParamSet": "gost94",
    "GostR3411_94_TestParamSet": "gost94-test",
    "GostR3411_94_CryptoProParamSet": "gost94",
}
digest_size = 32


class GOST341194(_Digest):
    """A message being hashed."""

    block_size = 32

    def __init__(self, data: bytes = b"", sbox: str = DEFAULT_SBOX) -> None:
        if sbox not in _NAMES:
            raise ValueError(f"unknown S-box: {sbox}")
        super().__init__(Hash(_NAMES[sbox], data))


def new(data: bytes = b"", sbox: str = DEFAULT_SBOX) -> GOST341194:
    """A new message."""
    return GOST341194(data, sbox)


def pbkdf2(password: bytes, salt: bytes, iterations: int, dklen: int) -> bytes:
    """PBKDF2 with HMAC over this hash. Like pygost's, it is slow: each iteration runs in Python."""
    hash: Any = GOST341194
    keyed = hmac.new(password, digestmod=hash)

    def tag(text: bytes) -> bytes:
        h = keyed.copy()
        h.update(text)
        return h.digest()

    derived = b""
    for block in range(1, -(-dklen // digest_size) + 1):
        u = tag(salt + block.to_bytes(4, "big"))
        total = int.from_bytes(u, "big")
        for _ in range(iterations - 1):
            u = tag(u)
            total ^= int.from_bytes(u, "big")
        derived += total.to_bytes(digest_size, "big")
    return derived[:dklen]
