"""GOST symmetric cryptography, constant-time and fast: Streebog, Kuznyechik, Magma, GOST 28147-89.

>>> import bulat
>>> bulat.streebog256(b"abc").hexdigest()[:16]
'4e2919cf137ed41e'
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from . import _bulat, container
from ._bulat import Algorithm, Hash, __version__, digest
from ._errors import DamagedData, Error, InvalidInput, InvalidTag, InvalidType, StateError, WrongKey

algorithms: Mapping[str, Algorithm] = MappingProxyType(_bulat.algorithms)
"""Every algorithm by its name."""

algorithms_available: set[str] = {a.name for a in algorithms.values() if a.kind == "hash"}
"""The names of the hashes, as `hashlib` has them."""


def new(name: str, data: Any = b"", *, usedforsecurity: bool = True, sboxes: Any = None) -> Hash:
    """A hash by its name, alias or OID, in the manner of `hashlib.new`."""
    return Hash(name, data, usedforsecurity=usedforsecurity, sboxes=sboxes)


def _hash(algorithm: Algorithm) -> Callable[..., Hash]:
    name = algorithm.name

    def make(data: Any = b"", *, usedforsecurity: bool = True) -> Hash:
        return Hash(name, data)

    make.__name__ = make.__qualname__ = name.replace("-", "_")
    make.__doc__ = f"A {name} object, in the manner of `hashlib`. {algorithm.note}."
    return make


for _algorithm in algorithms.values():
    if _algorithm.kind == "hash":
        globals()[_algorithm.name.replace("-", "_")] = _hash(_algorithm)
