"""GOST symmetric cryptography, constant-time and fast: Streebog, Kuznyechik, Magma, GOST 28147-89.

>>> import bulat
>>> bulat.streebog256(b"abc").hexdigest()[:16]
'4e2919cf137ed41e'
>>> aead = bulat.KuznyechikMGM(bulat.KuznyechikMGM.generate_key())
>>> nonce = bytes(16)  # never the same twice under one key; its first bit is 0
>>> aead.decrypt(nonce, aead.encrypt(nonce, b"attack at dawn", b"header"), b"header")
b'attack at dawn'

====================  ==========================================================================
hashes                `streebog256`, `streebog512`, `gost94`, `new`, `digest`: as in `hashlib`
authenticated         `KuznyechikMGM` and others, `Aead`: as in `cryptography`
ciphers               `Cipher`, `encrypt`, `decrypt`
MACs                  `Mac`, `mac`, and by name: `kuznyechik_omac`, `hmac_streebog256`, ...
keys                  `derive`, and by name: `kdf_tree`, ...; `wrap`, `unwrap`
many messages         `batch`, `Key`
files                 `bulat.container`
what there is         `algorithms`, `algorithms_available`, `kernels`, `picked`, `force`, `selftest`
====================  ==========================================================================

Every name comes from the table of algorithms. The exceptions are one tree under `Error`.
"""

from __future__ import annotations

import os as _os
from types import MappingProxyType as _MappingProxyType

from . import _bulat, container
from ._bulat import (
    Aead,
    Algorithm,
    Cipher,
    CipherContext,
    Hash,
    Key,
    Mac,
    SealContext,
    UnverifiedContext,
    __version__,
    batch,
    decrypt,
    derive,
    digest,
    encrypt,
    force,
    forced,
    kernels,
    mac,
    picked,
    selftest,
    unwrap,
    wrap,
)
from ._errors import DamagedData, Error, InvalidInput, InvalidTag, InvalidType, StateError, WrongKey

__all__ = [
    "Aead",
    "Algorithm",
    "Cipher",
    "CipherContext",
    "DamagedData",
    "Error",
    "Hash",
    "InvalidInput",
    "InvalidTag",
    "InvalidType",
    "Key",
    "Mac",
    "SealContext",
    "StateError",
    "UnverifiedContext",
    "WrongKey",
    "__version__",
    "algorithms",
    "algorithms_available",
    "batch",
    "container",
    "decrypt",
    "derive",
    "digest",
    "encrypt",
    "force",
    "forced",
    "kernels",
    "mac",
    "new",
    "picked",
    "selftest",
    "unwrap",
    "wrap",
]

# Every algorithm by its name; the names of the hashes, as `hashlib` has them.
algorithms = _MappingProxyType(_bulat.algorithms)
algorithms_available = {name for name, algorithm in algorithms.items() if algorithm.kind == "hash"}


def new(name, data=b"", *, usedforsecurity=True, sboxes=None):
    """A hash by its name, alias or OID, in the manner of `hashlib.new`.

    >>> new("md_gost12_256", b"abc").name
    'streebog256'
    """
    return Hash(name, data, sboxes=sboxes)


def _hash(name):
    def make(data=b"", *, usedforsecurity=True):
        return Hash(name, data)

    return make, "A hash of this kind, in the manner of `hashlib`."


def _mac(name):
    def make(key, data=b"", *, iv=b"", tag_size=None, section=None, period=None, sboxes=None, meshing=None):
        return Mac(
            name,
            key,
            data,
            iv=iv,
            tag_size=tag_size,
            section=section,
            period=period,
            sboxes=sboxes,
            meshing=meshing,
        )

    return make, "A message under this MAC."


def _kdf(name):
    def make(
        key,
        length=None,
        *,
        salt=b"",
        label=b"",
        seed=b"",
        iterations=None,
        counter=None,
        masks=None,
        record=None,
    ):
        return derive(
            name,
            key,
            length,
            salt=salt,
            label=label,
            seed=seed,
            iterations=iterations,
            counter=counter,
            masks=masks,
            record=record,
        )

    return make, "Derives bytes from a key, a secret or a password."


def _aead(name):
    def make(cls, key, *, tag_size=None, section=None):
        return Aead.__new__(cls, name, key, tag_size=tag_size, section=section)

    def generate_key():
        """A new random key."""
        return _os.urandom(algorithms[name].key_size)

    about = {"__new__": make, "generate_key": staticmethod(generate_key), "__slots__": ()}
    words = name.split("-")
    return type(words[0].title() + "_".join(word.upper() for word in words[1:]), (Aead,), about)


def _names():
    for name, algorithm in algorithms.items():
        if algorithm.kind == "aead":
            made, note = _aead(name), "Authenticated encryption under a key, as `Aead`."
        elif algorithm.kind in ("hash", "mac", "kdf"):
            made, note = {"hash": _hash, "mac": _mac, "kdf": _kdf}[algorithm.kind](name)
            made.__name__ = made.__qualname__ = name.replace("-", "_")
        else:
            continue
        made.__module__ = __name__
        made.__doc__ = f"{note}\n\n{algorithm.note}."
        globals()[made.__name__] = made
        __all__.append(made.__name__)


_names()
