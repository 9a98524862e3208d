"""Kuznyechik and Magma, as in `pygost.gost3412`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from .. import decrypt, encrypt

KEYSIZE = 32


class _Block:
    """A block cipher under a key. Its methods are the `encrypter` and `decrypter` of `gost3413` and `mgm`."""

    name: ClassVar[str]
    blocksize: ClassVar[int]

    def __init__(self, key: bytes) -> None:
        if len(key) != KEYSIZE:
            raise ValueError("Invalid key length")
        self._key = bytes(key)

    def _block(self, block: bytes, run: Callable[..., bytes]) -> bytes:
        if len(block) != self.blocksize:
            raise ValueError("Invalid block size")
        return run(f"{self.name}-ecb", self._key, block)

    def encrypt(self, blk: bytes) -> bytes:
        """Encrypts one block."""
        return self._block(blk, encrypt)

    def decrypt(self, blk: bytes) -> bytes:
        """Decrypts one block."""
        return self._block(blk, decrypt)


class GOST3412Kuznechik(_Block):
    """Kuznyechik: blocks of 16 bytes."""

    name = "kuznyechik"
    blocksize = 16


class GOST3412Magma(_Block):
    """Magma: blocks of 8 bytes."""

    name = "magma"
    blocksize = 8


def cipher_of(function: Callable[..., Any], bs: int) -> _Block:
    """Returns the object of a bound method."""
    block = getattr(function, "__self__", None)
    if not isinstance(block, _Block):
        raise TypeError("the encrypter must be a method of an object of bulat.pygost.gost3412")
    if bs != block.blocksize:
        raise ValueError(f"Invalid block size: {block.name} has {block.blocksize}")
    return block


#: The correct spelling.
GOST3412Kuz = GOST3412Kuznechik
