"""Wrapped keys, as in `pygost.wrap`."""

from __future__ import annotations

from .. import InvalidTag, unwrap, wrap
from .gost3412 import cipher_of
from .gost3413 import Encrypter
from .gost28147 import DEFAULT_SBOX, _set, cfb_encrypt

__all__ = ["diversify", "kexp15", "kimp15", "unwrap_cryptopro", "unwrap_gost", "wrap_cryptopro", "wrap_gost"]


def wrap_gost(ukm: bytes, kek: bytes, cek: bytes, sbox: str = DEFAULT_SBOX) -> bytes:
    """The key wrap of RFC 4357, 6.1: UKM, wrapped key, MAC."""
    return _with_ukm("gost28147-keywrap", ukm, kek, cek, sbox)


def unwrap_gost(kek: bytes, data: bytes, sbox: str = DEFAULT_SBOX) -> bytes:
    """Unwraps the result of `wrap_gost`."""
    return _without_ukm("gost28147-keywrap", kek, data, sbox)


def wrap_cryptopro(ukm: bytes, kek: bytes, cek: bytes, sbox: str = DEFAULT_SBOX) -> bytes:
    """CryptoPro's key wrap, RFC 4357, 6.3."""
    return _with_ukm("cryptopro-keywrap", ukm, kek, cek, sbox)


def unwrap_cryptopro(kek: bytes, data: bytes, sbox: str = DEFAULT_SBOX) -> bytes:
    """Unwraps the result of `wrap_cryptopro`."""
    return _without_ukm("cryptopro-keywrap", kek, data, sbox)


def diversify(kek: bytes, ukm: bytes, sbox: str = DEFAULT_SBOX) -> bytes:
    """CryptoPro's key diversification, RFC 4357, 6.5."""
    _set(kek, sbox, ukm)
    key = bytes(kek)
    for byte in ukm:
        words = [int.from_bytes(key[at : at + 4], "little") for at in range(0, 32, 4)]
        sums = [sum(word for i, word in enumerate(words) if byte >> i & 1 == bit) & 0xFFFFFFFF for bit in (1, 0)]
        key = cfb_encrypt(key, key, b"".join(s.to_bytes(4, "little") for s in sums), sbox)
    return key


def _with_ukm(name: str, ukm: bytes, kek: bytes, cek: bytes, sbox: str) -> bytes:
    return wrap(name, kek, cek, ukm, sboxes=_set(kek, sbox, ukm))


def _without_ukm(name: str, kek: bytes, data: bytes, sbox: str) -> bytes:
    if len(data) != 44:
        raise ValueError("Invalid data length")
    return _unwrapped(name, kek, data, b"", _set(kek, sbox))


def _unwrapped(name: str, key: bytes, data: bytes, iv: bytes, sboxes: str | None = None) -> bytes:
    try:
        return unwrap(name, key, data, iv, sboxes=sboxes)
    except InvalidTag as error:
        raise ValueError("Invalid MAC") from error


def kexp15(encrypter_key: Encrypter, encrypter_mac: Encrypter, bs: int, key: bytes, iv: bytes) -> bytes:
    """KExp15: encrypts the key with its MAC."""
    name, keys = _pair(encrypter_key, encrypter_mac, bs)
    return wrap(name, keys, key, iv)


def kimp15(encrypter_key: Encrypter, encrypter_mac: Encrypter, bs: int, kexp: bytes, iv: bytes) -> bytes:
    """Unwraps the result of `kexp15`. Raises `ValueError` if the MAC does not verify."""
    name, keys = _pair(encrypter_key, encrypter_mac, bs)
    return _unwrapped(name, keys, kexp, iv)


def _pair(encrypter_key: Encrypter, encrypter_mac: Encrypter, bs: int) -> tuple[str, bytes]:
    block, other = cipher_of(encrypter_key, bs), cipher_of(encrypter_mac, bs)
    return f"{block.name}-kexp15", other._key + block._key
