"""GOST 28147-89, as in `pygost.gost28147`: for old data only."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from .. import decrypt as _decrypt
from .. import encrypt as _encrypt

__all__ = [
    "BLOCKSIZE",
    "DEFAULT_SBOX",
    "KEYSIZE",
    "MESH_MAX_DATA",
    "SBOXES",
    "block2ns",
    "cbc_decrypt",
    "cbc_encrypt",
    "cfb_decrypt",
    "cfb_encrypt",
    "cnt",
    "decrypt",
    "ecb",
    "ecb_decrypt",
    "ecb_encrypt",
    "encrypt",
    "ns2block",
    "validate_iv",
    "validate_key",
    "validate_sbox",
]

KEYSIZE = 32
BLOCKSIZE = 8
MESH_MAX_DATA = 1024
DEFAULT_SBOX = "id-Gost28147-89-CryptoPro-A-ParamSet"
#: The sets of S-boxes, with their names in `bulat`.
SBOXES = {
    "id-Gost28147-89-TestParamSet": "test",
    "id-Gost28147-89-CryptoPro-A-ParamSet": "a",
    "id-Gost28147-89-CryptoPro-B-ParamSet": "b",
    "id-Gost28147-89-CryptoPro-C-ParamSet": "c",
    "id-Gost28147-89-CryptoPro-D-ParamSet": "d",
    "id-tc26-gost-28147-param-Z": "z",
    "id-GostR3411-94-TestParamSet": "hash-test",
    "id-GostR3411-94-CryptoProParamSet": "hash-cryptopro",
}


def validate_key(key: bytes) -> None:
    """Refuses a key of another length than 32 bytes."""
    if len(key) != KEYSIZE:
        raise ValueError("Invalid key size")


def validate_iv(iv: bytes) -> None:
    """Refuses an IV of another length than 8 bytes."""
    if len(iv) != BLOCKSIZE:
        raise ValueError("Invalid IV size")


def validate_sbox(sbox: str) -> None:
    """Refuses a name that is not in `SBOXES`."""
    if sbox not in SBOXES:
        raise ValueError(f"Unknown sbox supplied: {sbox}")


def _set(key: bytes, sbox: str, iv: bytes | None = None) -> str:
    validate_key(key)
    validate_sbox(sbox)
    if iv is not None:
        validate_iv(iv)
    return SBOXES[sbox]


def _whole(data: bytes) -> None:
    if not data or len(data) % BLOCKSIZE:
        raise ValueError("Data is not blocksize aligned")


Words = tuple[int, int]


def block2ns(data: bytes) -> Words:
    """Returns the two words of a block."""
    return int.from_bytes(data[:4], "little"), int.from_bytes(data[4:8], "little")


def ns2block(ns: Words) -> bytes:
    """Returns a block of two words in the order of the cipher: the second first."""
    n1, n2 = ns
    return n2.to_bytes(4, "little") + n1.to_bytes(4, "little")


def _words(run: Callable[..., bytes], sbox: str, key: bytes, ns: Words) -> Words:
    n1, n2 = ns
    block = n1.to_bytes(4, "little") + n2.to_bytes(4, "little")
    second, first = block2ns(run("gost89-ecb", key, block, sboxes=_set(key, sbox)))
    return first, second


def encrypt(sbox: str, key: bytes, ns: Words) -> Words:
    """Encrypts a block. Returns two words; `ns2block` makes a block of them."""
    return _words(_encrypt, sbox, key, ns)


def decrypt(sbox: str, key: bytes, ns: Words) -> Words:
    """Decrypts a block. Returns two words; `ns2block` makes a block of them."""
    return _words(_decrypt, sbox, key, ns)


def ecb(key: bytes, data: bytes, action: Callable[[str, bytes, Words], Words], sbox: str = DEFAULT_SBOX) -> bytes:
    """ECB of whole blocks, by `encrypt` or `decrypt`."""
    _whole(data)
    run = partial(action, sbox, key)
    return b"".join(ns2block(run(block2ns(data[at : at + BLOCKSIZE]))) for at in range(0, len(data), BLOCKSIZE))


def ecb_encrypt(key: bytes, data: bytes, sbox: str = DEFAULT_SBOX) -> bytes:
    """Encrypts whole blocks in ECB."""
    _whole(data)
    return _encrypt("gost89-ecb", key, data, sboxes=_set(key, sbox))


def ecb_decrypt(key: bytes, data: bytes, sbox: str = DEFAULT_SBOX) -> bytes:
    """Decrypts whole blocks in ECB."""
    _whole(data)
    return _decrypt("gost89-ecb", key, data, sboxes=_set(key, sbox))


def cbc_encrypt(
    key: bytes, data: bytes, iv: bytes = bytes(8), pad: bool = True, sbox: str = DEFAULT_SBOX, mesh: bool = False
) -> bytes:
    """Encrypts in CBC. Returns the IV, then the ciphertext. `pad` first appends one bit and zeros."""
    name = _set(key, sbox, iv)
    if not data:
        raise ValueError("No data supplied")
    if pad:
        data = bytes(data) + b"\x80" + bytes(-(len(data) + 1) % BLOCKSIZE)
    _whole(data)
    return bytes(iv) + _encrypt("gost89-cbc", key, data, iv, sboxes=name, meshing=mesh)


def cbc_decrypt(key: bytes, data: bytes, pad: bool = True, sbox: str = DEFAULT_SBOX, mesh: bool = False) -> bytes:
    """Decrypts the result of `cbc_encrypt`."""
    iv, text = data[:BLOCKSIZE], data[BLOCKSIZE:]
    name = _set(key, sbox, iv)
    _whole(text)
    plain = _decrypt("gost89-cbc", key, text, iv, sboxes=name, meshing=mesh)
    if not pad:
        return plain
    plain, mark, zeros = plain.rpartition(b"\x80")
    if not mark or len(zeros) >= BLOCKSIZE or any(zeros):
        raise ValueError("Invalid padding")
    return plain


def cnt(key: bytes, data: bytes, iv: bytes = bytes(8), sbox: str = DEFAULT_SBOX) -> bytes:
    """The counter mode."""
    return _encrypt("gost89-cnt", key, data, iv, sboxes=_set(key, sbox, iv), meshing=False)


def cfb_encrypt(key: bytes, data: bytes, iv: bytes = bytes(8), sbox: str = DEFAULT_SBOX, mesh: bool = False) -> bytes:
    """Encrypts in cipher feedback mode."""
    return _encrypt("gost89", key, data, iv, sboxes=_set(key, sbox, iv), meshing=mesh)


def cfb_decrypt(key: bytes, data: bytes, iv: bytes = bytes(8), sbox: str = DEFAULT_SBOX, mesh: bool = False) -> bytes:
    """Decrypts in cipher feedback mode."""
    return _decrypt("gost89", key, data, iv, sboxes=_set(key, sbox, iv), meshing=mesh)
