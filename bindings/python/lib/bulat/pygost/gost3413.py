"""The modes of GOST R 34.13-2015 and R 1323565.1.017-2018, as in `pygost.gost3413`."""

from __future__ import annotations

import os
from collections.abc import Callable

from .. import decrypt, encrypt
from .. import mac as _mac
from .gost3412 import KEYSIZE, cipher_of

__all__ = [
    "KEYSIZE",
    "acpkm",
    "acpkm_master",
    "cbc_decrypt",
    "cbc_encrypt",
    "cfb_decrypt",
    "cfb_encrypt",
    "ctr",
    "ctr_acpkm",
    "ecb_decrypt",
    "ecb_encrypt",
    "mac",
    "mac_acpkm_master",
    "ofb",
    "pad1",
    "pad2",
    "pad3",
    "pad_iso10126",
    "pad_size",
    "unpad2",
    "unpad_iso10126",
]

Encrypter = Callable[[bytes], bytes]


def pad_size(data_size: int, blocksize: int) -> int:
    """Returns the number of padding bytes for a message of `data_size` bytes; an empty message needs a block."""
    return -data_size % blocksize if data_size else blocksize


def pad1(data: bytes, blocksize: int) -> bytes:
    """Procedure 1: zeros, if the last block is not full."""
    return data + bytes(pad_size(len(data), blocksize))


def pad2(data: bytes, blocksize: int) -> bytes:
    """Procedure 2: one bit, then zeros, always."""
    return data + b"\x80" + bytes(-(len(data) + 1) % blocksize)


def unpad2(data: bytes, blocksize: int) -> bytes:
    """Removes the padding of procedure 2."""
    last = bytes(data[-blocksize:])
    text, mark, zeros = last.rpartition(b"\x80")
    if not mark or any(zeros) or len(data) % blocksize:
        raise ValueError("Invalid padding")
    return bytes(data[: len(data) - len(last)]) + text


def pad3(data: bytes, blocksize: int) -> bytes:
    """Procedure 3: procedure 2, if the last block is not full."""
    return pad2(data, blocksize) if pad_size(len(data), blocksize) else data


def pad_iso10126(data: bytes, blocksize: int) -> bytes:
    """Appends random bytes, then the length of the padding."""
    pad = blocksize - len(data) % blocksize
    return data + os.urandom(pad - 1) + bytes([pad])


def unpad_iso10126(data: bytes, blocksize: int) -> bytes:
    """Removes the padding of ISO 10126."""
    if not data or len(data) % blocksize or not 1 <= data[-1] <= blocksize:
        raise ValueError("Invalid padding")
    return data[: -data[-1]]


def _apply(run: Callable[..., bytes], mode: str, function: Encrypter, bs: int, data: bytes, iv: bytes, **options: int) -> bytes:
    block = cipher_of(function, bs)
    return run(f"{block.name}-{mode}", block._key, data, iv, **options)


def _whole(data: bytes, bs: int, what: str) -> None:
    if not data or len(data) % bs:
        raise ValueError(f"{what} is not blocksize aligned")


def _register(iv: bytes, bs: int) -> None:
    if len(iv) < bs or len(iv) % bs:
        raise ValueError("Invalid IV size")


def ecb_encrypt(encrypter: Encrypter, bs: int, pt: bytes) -> bytes:
    """Encrypts whole blocks in ECB."""
    _whole(pt, bs, "Plaintext")
    return _apply(encrypt, "ecb", encrypter, bs, pt, b"")


def ecb_decrypt(decrypter: Encrypter, bs: int, ct: bytes) -> bytes:
    """Decrypts whole blocks in ECB."""
    _whole(ct, bs, "Ciphertext")
    return _apply(decrypt, "ecb", decrypter, bs, ct, b"")


def ctr(encrypter: Encrypter, bs: int, data: bytes, iv: bytes) -> bytes:
    """The counter mode; the IV is half a block."""
    if len(iv) != bs // 2:
        raise ValueError("Invalid IV size")
    return _apply(encrypt, "ctr", encrypter, bs, data, iv)


def ctr_acpkm(algo_class: type, encrypter: Encrypter, section_size: int, bs: int, data: bytes, iv: bytes) -> bytes:
    """The counter mode with a new key for each section."""
    _same(algo_class, encrypter, bs)
    if len(iv) != bs // 2:
        raise ValueError("Invalid IV size")
    if section_size < 1 or section_size % bs:
        raise ValueError("section_size must be multiple of bs")
    return _apply(encrypt, "ctr-acpkm", encrypter, bs, data, iv, section=section_size)


def ofb(encrypter: Encrypter, bs: int, data: bytes, iv: bytes) -> bytes:
    """The output feedback mode."""
    _register(iv, bs)
    return _apply(encrypt, "ofb", encrypter, bs, data, iv)


def cbc_encrypt(encrypter: Encrypter, bs: int, pt: bytes, iv: bytes) -> bytes:
    """Encrypts whole blocks in CBC."""
    _whole(pt, bs, "Plaintext")
    _register(iv, bs)
    return _apply(encrypt, "cbc", encrypter, bs, pt, iv)


def cbc_decrypt(decrypter: Encrypter, bs: int, ct: bytes, iv: bytes) -> bytes:
    """Decrypts whole blocks in CBC."""
    _whole(ct, bs, "Ciphertext")
    _register(iv, bs)
    return _apply(decrypt, "cbc", decrypter, bs, ct, iv)


def cfb_encrypt(encrypter: Encrypter, bs: int, pt: bytes, iv: bytes) -> bytes:
    """Encrypts in cipher feedback mode."""
    _register(iv, bs)
    return _apply(encrypt, "cfb", encrypter, bs, pt, iv)


def cfb_decrypt(encrypter: Encrypter, bs: int, ct: bytes, iv: bytes) -> bytes:
    """Decrypts in cipher feedback mode."""
    _register(iv, bs)
    return _apply(decrypt, "cfb", encrypter, bs, ct, iv)


def mac(encrypter: Encrypter, bs: int, data: bytes) -> bytes:
    """OMAC: the full block."""
    block = cipher_of(encrypter, bs)
    return _mac(f"{block.name}-omac", block._key, data)


def acpkm(encrypter: Encrypter, bs: int) -> bytes:
    """Returns the key of the next section."""
    cipher_of(encrypter, bs)
    return ecb_encrypt(encrypter, bs, bytes(range(0x80, 0x80 + KEYSIZE)))


def acpkm_master(algo_class: type, encrypter: Encrypter, key_section_size: int, bs: int, keymat_len: int) -> bytes:
    """Yields keys derived from a master key."""
    return ctr_acpkm(algo_class, encrypter, key_section_size, bs, bytes(keymat_len), b"\xff" * (bs // 2))


def mac_acpkm_master(
    algo_class: type, encrypter: Encrypter, key_section_size: int, section_size: int, bs: int, data: bytes
) -> bytes:
    """OMAC with a new key for each section, derived from a master key."""
    _same(algo_class, encrypter, bs)
    block = cipher_of(encrypter, bs)
    return _mac(f"{block.name}-omac-acpkm", block._key, data, section=section_size, period=key_section_size)


def _same(algo_class: type, encrypter: Encrypter, bs: int) -> None:
    if not isinstance(cipher_of(encrypter, bs), algo_class):
        raise ValueError("algo_class and encrypter are of two ciphers")
