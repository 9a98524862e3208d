"""Streebog, as in `pygost.gost34112012`."""

from __future__ import annotations

from typing import Self

from .. import Hash, Mac, derive


class _Digest:
    """A hash object as in PEP 247."""

    block_size = 64

    def __init__(self, hash: Hash | Mac) -> None:
        self._hash = hash

    @property
    def digest_size(self) -> int:
        """The length of the digest in bytes."""
        return self._hash.digest_size

    def copy(self) -> Self:
        """Returns an independent copy."""
        new = object.__new__(type(self))
        _Digest.__init__(new, self._hash.copy())
        return new

    def update(self, data: bytes) -> None:
        """Adds the next piece of the message."""
        self._hash.update(data)

    def digest(self) -> bytes:
        """Returns the digest of the message so far."""
        return self._hash.digest()

    def hexdigest(self) -> str:
        """Returns the digest so far in hexadecimal digits."""
        return self.digest().hex()


class GOST34112012(_Digest):
    """Streebog of 32 or 64 bytes."""

    def __init__(self, data: bytes = b"", digest_size: int = 64) -> None:
        if digest_size not in (32, 64):
            raise ValueError("digest_size: 32 or 64")
        super().__init__(Hash(f"streebog{8 * digest_size}", data))


def pbkdf2(password: bytes, salt: bytes, iterations: int, dklen: int) -> bytes:
    """PBKDF2 with HMAC over Streebog-512."""
    return derive("pbkdf2-hmac-streebog512", password, dklen, salt=salt, iterations=iterations)
