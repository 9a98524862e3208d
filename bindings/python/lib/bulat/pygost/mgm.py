"""The Multilinear Galois Mode, as in `pygost.mgm`."""

from __future__ import annotations

from .. import Aead, InvalidTag
from .gost3412 import cipher_of
from .gost3413 import Encrypter

__all__ = ["MGM", "nonce_prepare"]


def nonce_prepare(nonce: bytes) -> bytes:
    """Returns the nonce with its first bit set to 0."""
    return bytes([nonce[0] & 0x7F]) + bytes(nonce[1:])


class MGM:
    """Authenticated encryption under the key of a cipher: text and tag together."""

    def __init__(self, encrypter: Encrypter, bs: int, tag_size: int | None = None) -> None:
        block = cipher_of(encrypter, bs)
        self.tag_size = bs if tag_size is None else tag_size
        if not 4 <= self.tag_size <= bs:
            raise ValueError("Invalid tag_size")
        self._aead = Aead(f"{block.name}-mgm", block._key, tag_size=self.tag_size)

    def seal(self, nonce: bytes, plaintext: bytes, additional_data: bytes) -> bytes:
        """Encrypts. Returns the ciphertext, then the tag."""
        return self._aead.encrypt(nonce, plaintext, additional_data)

    def open(self, nonce: bytes, ciphertext: bytes, additional_data: bytes) -> bytes:
        """Decrypts. Raises `ValueError` if the tag does not verify."""
        try:
            return self._aead.decrypt(nonce, ciphertext, additional_data)
        except InvalidTag as error:
            raise ValueError("Invalid authentication tag") from error
