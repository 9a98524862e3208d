"""Streebog-256, as in `pygost.gost34112012256`; `hmac.new` accepts the module."""

from __future__ import annotations

from .gost34112012 import GOST34112012

__all__ = ["GOST34112012256", "digest_size", "new"]

digest_size = 32


class GOST34112012256(GOST34112012):
    """Streebog of 32 bytes."""

    def __init__(self, data: bytes = b"") -> None:
        super().__init__(data, 32)


def new(data: bytes = b"") -> GOST34112012256:
    """A new message."""
    return GOST34112012256(data)
