"""GOST symmetric cryptography, constant-time and fast: Streebog, Kuznyechik, Magma, GOST 28147-89.

>>> import bulat
>>> bulat.streebog256(b"abc").hexdigest()[:16]
'4e2919cf137ed41e'
>>> aead = bulat.KuznyechikMGM(bulat.KuznyechikMGM.generate_key())
>>> nonce = aead.generate_nonce()  # must not repeat under one key
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
private keys          `bulat.pkcs`: PKCS#8, PKCS#12
information           `algorithms`, `algorithms_available`, `kernels`, `picked`, `force`, `selftest`
====================  ==========================================================================

The names come from the table of algorithms. All exceptions derive from `Error`.
"""

import inspect as _inspect
import os as _os
from types import MappingProxyType as _MappingProxyType

# Names without `_` are the package's: the end of this file lists them.
# ruff: noqa: F401
from . import _bulat, container, pkcs
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
from ._errors import DamagedData, Error, InvalidInput, InvalidTag, InvalidType, StateError, UnsupportedAlgorithm, WrongKey

# Every algorithm by name, and the names of the hashes, as in `hashlib`.
algorithms = _MappingProxyType(_bulat.algorithms)
algorithms_available = {name for name, algorithm in algorithms.items() if algorithm.kind == "hash"}


def _message(data, other, name):
    """Returns the data to hash, which `hashlib` and `hmac` pass under other names."""
    if other is None:
        return data
    if data != b"":
        raise InvalidInput(f"data and {name}: give only one of them")
    return other


def new(name, data=b"", *, usedforsecurity=True, sboxes=None, string=None):
    """Returns a hash by its name, alias or OID, as `hashlib.new` does; `string` is another name for `data`.

    >>> new("md_gost12_256", b"abc").name
    'streebog256'
    """
    return Hash(name, data if string is None else _message(data, string, "string"), sboxes=sboxes)


def _hash(name):
    def make(data=b"", *, usedforsecurity=True, string=None):
        return Hash(name, data if string is None else _message(data, string, "string"))

    return make, "Returns a new hash, as in `hashlib`."


# The defaults of the rarer parameters. The others are required.
_DEFAULTS = {"iv": b"", "salt": b"", "label": b"", "seed": b""}


def _signed(make, name, title, *first):
    """Gives a function the parameter names of an algorithm; it refuses others as Python does."""
    algorithm = algorithms[name]
    kind = _inspect.Parameter
    needed = {"masks", "iterations"} | ({"salt"} if "iterations" in algorithm.parameters else set())
    parameters = list(first)
    for parameter in algorithm.parameters:
        default = kind.empty if parameter in needed else _DEFAULTS.get(parameter)
        parameters.append(kind(parameter, kind.KEYWORD_ONLY, default=default))
    make.__signature__ = _inspect.Signature(parameters)
    known = frozenset(algorithm.parameters)

    def checked(given):
        for parameter in given:
            if parameter not in known:
                names = ", ".join(algorithm.parameters)
                raise TypeError(f"{title}() got an unexpected keyword argument '{parameter}': it has {names}")

    return checked


def _mac(name):
    hmac = name.startswith("hmac-")

    def make(key, data=b"", **given):
        if hmac:
            data = _message(data, given.pop("msg", None), "msg")
        if given:
            checked(given)
        return Mac(name, key, data, **given)

    kind = _inspect.Parameter
    first = [kind("key", kind.POSITIONAL_OR_KEYWORD), kind("data", kind.POSITIONAL_OR_KEYWORD, default=b"")]
    if hmac:
        first.append(kind("msg", kind.KEYWORD_ONLY, default=None))
    checked = _signed(make, name, name.replace("-", "_"), *first)
    words = "A message under this MAC."
    return make, words + (" `msg` is another name for `data`, as in `hmac`." if hmac else "")


# Notes for parameters with other names in the standards.
_MEANINGS = {
    "hkdf": "`seed` is RFC 5869's info.",
    "pbkdf2": "`key` is the password. `salt` and `iterations` are required; `length` defaults to the hash's.",
    "tlstree": "`masks`: the suite; `record`: the number of the record.",
    "kdf": "`label` and `seed` distinguish the keys derived from one key.",
    "prf": "`key` is the secret.",
}


def _kdf(name):
    def make(key, length=None, **given):
        checked(given)
        return derive(name, key, length, **given)

    kind = _inspect.Parameter
    first = [kind("key", kind.POSITIONAL_OR_KEYWORD), kind("length", kind.POSITIONAL_OR_KEYWORD, default=None)]
    checked = _signed(make, name, name.replace("-", "_"), *first)
    return make, f"Derives bytes from a key, a secret or a password. {_MEANINGS[name.partition('-')[0]]}"


def _aead(name):
    def make(cls, key, **given):
        checked(given)
        return Aead.__new__(cls, name, key, **given)

    def generate_key():
        """Returns a new random key."""
        return _os.urandom(algorithms[name].key_size)

    def generate_nonce():
        """Returns a new random nonce."""
        nonce = bytearray(_os.urandom(algorithms[name].iv_size))
        if name.endswith("-mgm"):
            nonce[0] &= 0x7F
        return bytes(nonce)

    words = name.split("-")
    title = words[0].title() + "_".join(word.upper() for word in words[1:])
    kind = _inspect.Parameter
    first = [kind("cls", kind.POSITIONAL_OR_KEYWORD), kind("key", kind.POSITIONAL_OR_KEYWORD)]
    checked = _signed(make, name, title, *first)
    make.__name__ = "__new__"
    for function in (make, generate_key, generate_nonce):
        function.__qualname__, function.__module__ = f"{title}.{function.__name__}", __name__
    if name == "magma-mgm":
        generate_nonce.__doc__ += " It has 63 random bits: use it for at most 65 536 messages under one key, or use a counter."
    about = {
        "__new__": make,
        "generate_key": staticmethod(generate_key),
        "generate_nonce": staticmethod(generate_nonce),
        "__slots__": (),
    }
    return type(title, (Aead,), about)


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


_names()
__all__ = ["__version__", *(name for name in globals() if not name.startswith("_"))]
