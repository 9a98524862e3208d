"""The MAC of GOST 28147-89, as in `pygost.gost28147_mac`: for old data only. Users usually keep its first 4 bytes."""

from __future__ import annotations

from .. import Mac
from .gost28147 import DEFAULT_SBOX, _set
from .gost34112012 import _Digest

__all__ = ["MAC", "digest_size", "new"]

digest_size = 8


class MAC(_Digest):
    """A message under this MAC: 8 bytes, as in pygost."""

    block_size = 8

    def __init__(self, key: bytes, data: bytes = b"", iv: bytes = bytes(8), sbox: str = DEFAULT_SBOX) -> None:
        name = _set(key, sbox, iv)
        super().__init__(Mac("gost-mac", key, data, iv=iv, tag_size=8, sboxes=name, meshing=False))


def new(key: bytes, data: bytes = b"", iv: bytes = bytes(8), sbox: str = DEFAULT_SBOX) -> MAC:
    """A new message."""
    return MAC(key, data, iv, sbox)
