"""What `__init__.py` makes from the table of algorithms, for type checkers: `stubtest` says where the two differ."""

from collections.abc import Mapping

from . import container
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
from ._types import Buffer as _Buffer
from ._types import Masks as _Masks
from ._types import Sboxes as _Sboxes

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
    "KuznyechikCTR_ACPKM_OMAC",
    "KuznyechikMGM",
    "Mac",
    "MagmaCTR_ACPKM_OMAC",
    "MagmaMGM",
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
    "gost94",
    "gost94_test",
    "gost_mac",
    "gost_mac_12",
    "hkdf_streebog256",
    "hkdf_streebog512",
    "hmac_streebog256",
    "hmac_streebog512",
    "kdf_gostr3411_2012_256",
    "kdf_tree",
    "kernels",
    "kuznyechik_omac",
    "kuznyechik_omac_acpkm",
    "mac",
    "magma_omac",
    "magma_omac_acpkm",
    "new",
    "pbkdf2_hmac_streebog256",
    "pbkdf2_hmac_streebog512",
    "picked",
    "prf_plus_streebog256",
    "prf_plus_streebog512",
    "prf_tls_gostr3411_2012_256",
    "prf_tls_gostr3411_2012_512",
    "selftest",
    "streebog256",
    "streebog512",
    "tlstree",
    "unwrap",
    "wrap",
]

algorithms: Mapping[str, Algorithm]
algorithms_available: set[str]

def new(name: str, data: _Buffer = b"", *, usedforsecurity: bool = True, sboxes: _Sboxes | None = None) -> Hash: ...

# Hashes.

def streebog256(data: _Buffer = b"", *, usedforsecurity: bool = True) -> Hash: ...
def streebog512(data: _Buffer = b"", *, usedforsecurity: bool = True) -> Hash: ...
def gost94(data: _Buffer = b"", *, usedforsecurity: bool = True) -> Hash: ...
def gost94_test(data: _Buffer = b"", *, usedforsecurity: bool = True) -> Hash: ...

# Authenticated encryption.

class KuznyechikMGM(Aead):
    def __new__(cls, key: _Buffer, *, tag_size: int | None = None, section: int | None = None) -> KuznyechikMGM: ...
    @staticmethod
    def generate_key() -> bytes: ...

class KuznyechikCTR_ACPKM_OMAC(Aead):
    def __new__(cls, key: _Buffer, *, tag_size: int | None = None, section: int | None = None) -> KuznyechikCTR_ACPKM_OMAC: ...
    @staticmethod
    def generate_key() -> bytes: ...

class MagmaMGM(Aead):
    def __new__(cls, key: _Buffer, *, tag_size: int | None = None, section: int | None = None) -> MagmaMGM: ...
    @staticmethod
    def generate_key() -> bytes: ...

class MagmaCTR_ACPKM_OMAC(Aead):
    def __new__(cls, key: _Buffer, *, tag_size: int | None = None, section: int | None = None) -> MagmaCTR_ACPKM_OMAC: ...
    @staticmethod
    def generate_key() -> bytes: ...

# MACs.

def kuznyechik_omac(
    key: _Buffer,
    data: _Buffer = b"",
    *,
    iv: _Buffer = b"",
    tag_size: int | None = None,
    section: int | None = None,
    period: int | None = None,
    sboxes: _Sboxes | None = None,
    meshing: bool | None = None,
) -> Mac: ...
def kuznyechik_omac_acpkm(
    key: _Buffer,
    data: _Buffer = b"",
    *,
    iv: _Buffer = b"",
    tag_size: int | None = None,
    section: int | None = None,
    period: int | None = None,
    sboxes: _Sboxes | None = None,
    meshing: bool | None = None,
) -> Mac: ...
def magma_omac(
    key: _Buffer,
    data: _Buffer = b"",
    *,
    iv: _Buffer = b"",
    tag_size: int | None = None,
    section: int | None = None,
    period: int | None = None,
    sboxes: _Sboxes | None = None,
    meshing: bool | None = None,
) -> Mac: ...
def magma_omac_acpkm(
    key: _Buffer,
    data: _Buffer = b"",
    *,
    iv: _Buffer = b"",
    tag_size: int | None = None,
    section: int | None = None,
    period: int | None = None,
    sboxes: _Sboxes | None = None,
    meshing: bool | None = None,
) -> Mac: ...
def gost_mac(
    key: _Buffer,
    data: _Buffer = b"",
    *,
    iv: _Buffer = b"",
    tag_size: int | None = None,
    section: int | None = None,
    period: int | None = None,
    sboxes: _Sboxes | None = None,
    meshing: bool | None = None,
) -> Mac: ...
def gost_mac_12(
    key: _Buffer,
    data: _Buffer = b"",
    *,
    iv: _Buffer = b"",
    tag_size: int | None = None,
    section: int | None = None,
    period: int | None = None,
    sboxes: _Sboxes | None = None,
    meshing: bool | None = None,
) -> Mac: ...
def hmac_streebog256(
    key: _Buffer,
    data: _Buffer = b"",
    *,
    iv: _Buffer = b"",
    tag_size: int | None = None,
    section: int | None = None,
    period: int | None = None,
    sboxes: _Sboxes | None = None,
    meshing: bool | None = None,
) -> Mac: ...
def hmac_streebog512(
    key: _Buffer,
    data: _Buffer = b"",
    *,
    iv: _Buffer = b"",
    tag_size: int | None = None,
    section: int | None = None,
    period: int | None = None,
    sboxes: _Sboxes | None = None,
    meshing: bool | None = None,
) -> Mac: ...

# Key derivation.

def kdf_gostr3411_2012_256(
    key: _Buffer,
    length: int | None = None,
    *,
    salt: _Buffer = b"",
    label: _Buffer = b"",
    seed: _Buffer = b"",
    iterations: int | None = None,
    counter: int | None = None,
    masks: _Masks | None = None,
    record: int | None = None,
) -> bytes: ...
def kdf_tree(
    key: _Buffer,
    length: int | None = None,
    *,
    salt: _Buffer = b"",
    label: _Buffer = b"",
    seed: _Buffer = b"",
    iterations: int | None = None,
    counter: int | None = None,
    masks: _Masks | None = None,
    record: int | None = None,
) -> bytes: ...
def tlstree(
    key: _Buffer,
    length: int | None = None,
    *,
    salt: _Buffer = b"",
    label: _Buffer = b"",
    seed: _Buffer = b"",
    iterations: int | None = None,
    counter: int | None = None,
    masks: _Masks | None = None,
    record: int | None = None,
) -> bytes: ...
def pbkdf2_hmac_streebog256(
    key: _Buffer,
    length: int | None = None,
    *,
    salt: _Buffer = b"",
    label: _Buffer = b"",
    seed: _Buffer = b"",
    iterations: int | None = None,
    counter: int | None = None,
    masks: _Masks | None = None,
    record: int | None = None,
) -> bytes: ...
def pbkdf2_hmac_streebog512(
    key: _Buffer,
    length: int | None = None,
    *,
    salt: _Buffer = b"",
    label: _Buffer = b"",
    seed: _Buffer = b"",
    iterations: int | None = None,
    counter: int | None = None,
    masks: _Masks | None = None,
    record: int | None = None,
) -> bytes: ...
def prf_tls_gostr3411_2012_256(
    key: _Buffer,
    length: int | None = None,
    *,
    salt: _Buffer = b"",
    label: _Buffer = b"",
    seed: _Buffer = b"",
    iterations: int | None = None,
    counter: int | None = None,
    masks: _Masks | None = None,
    record: int | None = None,
) -> bytes: ...
def prf_tls_gostr3411_2012_512(
    key: _Buffer,
    length: int | None = None,
    *,
    salt: _Buffer = b"",
    label: _Buffer = b"",
    seed: _Buffer = b"",
    iterations: int | None = None,
    counter: int | None = None,
    masks: _Masks | None = None,
    record: int | None = None,
) -> bytes: ...
def prf_plus_streebog256(
    key: _Buffer,
    length: int | None = None,
    *,
    salt: _Buffer = b"",
    label: _Buffer = b"",
    seed: _Buffer = b"",
    iterations: int | None = None,
    counter: int | None = None,
    masks: _Masks | None = None,
    record: int | None = None,
) -> bytes: ...
def prf_plus_streebog512(
    key: _Buffer,
    length: int | None = None,
    *,
    salt: _Buffer = b"",
    label: _Buffer = b"",
    seed: _Buffer = b"",
    iterations: int | None = None,
    counter: int | None = None,
    masks: _Masks | None = None,
    record: int | None = None,
) -> bytes: ...
def hkdf_streebog256(
    key: _Buffer,
    length: int | None = None,
    *,
    salt: _Buffer = b"",
    label: _Buffer = b"",
    seed: _Buffer = b"",
    iterations: int | None = None,
    counter: int | None = None,
    masks: _Masks | None = None,
    record: int | None = None,
) -> bytes: ...
def hkdf_streebog512(
    key: _Buffer,
    length: int | None = None,
    *,
    salt: _Buffer = b"",
    label: _Buffer = b"",
    seed: _Buffer = b"",
    iterations: int | None = None,
    counter: int | None = None,
    masks: _Masks | None = None,
    record: int | None = None,
) -> bytes: ...
