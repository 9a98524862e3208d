"""Streebog-512, as in `pygost.gost34112012512`; `hmac.new` accepts the module."""

from __future__ import annotations

from .gost34112012 import GOST34112012, pbkdf2

__all__ = ["GOST34112012512", "digest_size", "new", "pbkdf2"]

digest_size = 64


class GOST34112012512(GOST34112012):
    """Streebog of 64 bytes."""

    def __init__(self, data: bytes = b"") -> None:
        super().__init__(data, 64)


def new(data: bytes = b"") -> GOST34112012512:
    """A new message."""
    return GOST34112012512(data)
