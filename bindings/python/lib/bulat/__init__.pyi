# Made by bindings/python/stubs.py.

from collections.abc import Mapping

from . import container, pkcs
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
    "UnsupportedAlgorithm",
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
    "pkcs",
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

def new(
    name: str,
    data: _Buffer = b"",
    *,
    usedforsecurity: object = True,
    sboxes: _Sboxes | None = None,
    string: _Buffer | None = None,
) -> Hash:
    """Returns a hash by its name, alias or OID, as `hashlib.new` does; `string` is another name for `data`.

    >>> new("md_gost12_256", b"abc").name
    'streebog256'
    """
    ...

def streebog256(data: _Buffer = b"", *, usedforsecurity: object = True, string: _Buffer | None = None) -> Hash:
    """Returns a new hash, as in `hashlib`.

    GOST R 34.11-2012, RFC 6986.
    """
    ...

def streebog512(data: _Buffer = b"", *, usedforsecurity: object = True, string: _Buffer | None = None) -> Hash:
    """Returns a new hash, as in `hashlib`.

    GOST R 34.11-2012, RFC 6986.
    """
    ...

def gost94(data: _Buffer = b"", *, usedforsecurity: object = True, string: _Buffer | None = None) -> Hash:
    """Returns a new hash, as in `hashlib`.

    GOST R 34.11-94, RFC 5831, CryptoPro S-boxes; old data only.
    """
    ...

def gost94_test(data: _Buffer = b"", *, usedforsecurity: object = True, string: _Buffer | None = None) -> Hash:
    """Returns a new hash, as in `hashlib`.

    GOST R 34.11-94, RFC 5831, test S-boxes; old data only.
    """
    ...

def kuznyechik_omac(key: _Buffer, data: _Buffer = b"", *, tag_size: int | None = None) -> Mac:
    """A message under this MAC.

    GOST R 34.13-2015, 5.6.
    """
    ...

def kuznyechik_omac_acpkm(
    key: _Buffer, data: _Buffer = b"", *, tag_size: int | None = None, section: int | None = None, period: int | None = None
) -> Mac:
    """A message under this MAC.

    RFC 8645, 6.3.6; N = 4096, T* = 4096 bytes by default.
    """
    ...

def magma_omac(key: _Buffer, data: _Buffer = b"", *, tag_size: int | None = None) -> Mac:
    """A message under this MAC.

    GOST R 34.13-2015, 5.6.
    """
    ...

def magma_omac_acpkm(
    key: _Buffer, data: _Buffer = b"", *, tag_size: int | None = None, section: int | None = None, period: int | None = None
) -> Mac:
    """A message under this MAC.

    RFC 8645, 6.3.6; N = 4096, T* = 1024 bytes by default.
    """
    ...

def gost_mac(
    key: _Buffer,
    data: _Buffer = b"",
    *,
    iv: _Buffer = b"",
    tag_size: int | None = None,
    sboxes: _Sboxes | None = None,
    meshing: bool | None = None,
) -> Mac:
    """A message under this MAC.

    RFC 5830, 8; S-boxes CryptoPro-A; key meshing; old data.
    """
    ...

def gost_mac_12(
    key: _Buffer,
    data: _Buffer = b"",
    *,
    iv: _Buffer = b"",
    tag_size: int | None = None,
    sboxes: _Sboxes | None = None,
    meshing: bool | None = None,
) -> Mac:
    """A message under this MAC.

    RFC 5830, 8; key meshing; old data.
    """
    ...

def hmac_streebog256(key: _Buffer, data: _Buffer = b"", *, msg: _Buffer | None = None, tag_size: int | None = None) -> Mac:
    """A message under this MAC. `msg` is another name for `data`, as in `hmac`.

    RFC 7836, 4.1.1; a key of any length.
    """
    ...

def hmac_streebog512(key: _Buffer, data: _Buffer = b"", *, msg: _Buffer | None = None, tag_size: int | None = None) -> Mac:
    """A message under this MAC. `msg` is another name for `data`, as in `hmac`.

    RFC 7836, 4.1.2; a key of any length.
    """
    ...

def kdf_gostr3411_2012_256(key: _Buffer, length: int | None = None, *, label: _Buffer = b"", seed: _Buffer = b"") -> bytes:
    """Derives bytes from a key, a secret or a password. `label` and `seed` distinguish the keys derived from one key.

    RFC 7836, 4.5.
    """
    ...

def kdf_tree(
    key: _Buffer, length: int | None = None, *, label: _Buffer = b"", seed: _Buffer = b"", counter: int | None = None
) -> bytes:
    """Derives bytes from a key, a secret or a password. `label` and `seed` distinguish the keys derived from one key.

    RFC 7836, 4.4.
    """
    ...

def tlstree(key: _Buffer, length: int | None = None, *, masks: _Masks, record: int | None = None) -> bytes:
    """Derives bytes from a key, a secret or a password. `masks`: the suite; `record`: the number of the record.

    RFC 9189, 8.1; RFC 9367, 4.1.2.
    """
    ...

def pbkdf2_hmac_streebog256(key: _Buffer, length: int | None = None, *, salt: _Buffer, iterations: int) -> bytes:
    """Derives bytes from a key, a secret or a password. `key` is the password. `salt` and `iterations` are required; `length` defaults to the hash's.

    RFC 8018, 5.2.
    """
    ...

def pbkdf2_hmac_streebog512(key: _Buffer, length: int | None = None, *, salt: _Buffer, iterations: int) -> bytes:
    """Derives bytes from a key, a secret or a password. `key` is the password. `salt` and `iterations` are required; `length` defaults to the hash's.

    RFC 9337, 4; R 50.1.111-2016.
    """
    ...

def prf_tls_gostr3411_2012_256(key: _Buffer, length: int | None = None, *, label: _Buffer = b"", seed: _Buffer = b"") -> bytes:
    """Derives bytes from a key, a secret or a password. `key` is the secret.

    RFC 7836, 4.2.1.1.
    """
    ...

def prf_tls_gostr3411_2012_512(key: _Buffer, length: int | None = None, *, label: _Buffer = b"", seed: _Buffer = b"") -> bytes:
    """Derives bytes from a key, a secret or a password. `key` is the secret.

    RFC 7836, 4.2.1.2.
    """
    ...

def prf_plus_streebog256(key: _Buffer, length: int | None = None, *, seed: _Buffer = b"") -> bytes:
    """Derives bytes from a key, a secret or a password. `key` is the secret.

    RFC 7836, 4.2.2; RFC 7296, 2.13.
    """
    ...

def prf_plus_streebog512(key: _Buffer, length: int | None = None, *, seed: _Buffer = b"") -> bytes:
    """Derives bytes from a key, a secret or a password. `key` is the secret.

    RFC 7836, 4.2.2; RFC 7296, 2.13.
    """
    ...

def hkdf_streebog256(key: _Buffer, length: int | None = None, *, salt: _Buffer = b"", seed: _Buffer = b"") -> bytes:
    """Derives bytes from a key, a secret or a password. `seed` is RFC 5869's info.

    RFC 5869; RFC 9367.
    """
    ...

def hkdf_streebog512(key: _Buffer, length: int | None = None, *, salt: _Buffer = b"", seed: _Buffer = b"") -> bytes:
    """Derives bytes from a key, a secret or a password. `seed` is RFC 5869's info.

    RFC 5869.
    """
    ...

class KuznyechikMGM(Aead):
    """Authenticated encryption under a key, as `Aead`.

    RFC 9058; the nonce's first bit must be 0.
    """
    def __new__(cls, key: _Buffer, *, tag_size: int | None = None) -> KuznyechikMGM:
        """Create and return a new object.  See help(type) for accurate signature."""
        ...
    @staticmethod
    def generate_key() -> bytes:
        """Returns a new random key."""
        ...
    @staticmethod
    def generate_nonce() -> bytes:
        """Returns a new random nonce."""
        ...

class KuznyechikCTR_ACPKM_OMAC(Aead):
    """Authenticated encryption under a key, as `Aead`.

    CMS, R 1323565.1.025-2019; IV = UKM, no associated data, sections of 262144 bytes.
    """
    def __new__(cls, key: _Buffer, *, tag_size: int | None = None, section: int | None = None) -> KuznyechikCTR_ACPKM_OMAC:
        """Create and return a new object.  See help(type) for accurate signature."""
        ...
    @staticmethod
    def generate_key() -> bytes:
        """Returns a new random key."""
        ...
    @staticmethod
    def generate_nonce() -> bytes:
        """Returns a new random nonce."""
        ...

class MagmaMGM(Aead):
    """Authenticated encryption under a key, as `Aead`.

    RFC 9058; the nonce's first bit must be 0.
    """
    def __new__(cls, key: _Buffer, *, tag_size: int | None = None) -> MagmaMGM:
        """Create and return a new object.  See help(type) for accurate signature."""
        ...
    @staticmethod
    def generate_key() -> bytes:
        """Returns a new random key."""
        ...
    @staticmethod
    def generate_nonce() -> bytes:
        """Returns a new random nonce. It has 63 random bits: use it for at most 65 536 messages under one key, or use a counter."""
        ...

class MagmaCTR_ACPKM_OMAC(Aead):
    """Authenticated encryption under a key, as `Aead`.

    CMS, R 1323565.1.025-2019; IV = UKM, no associated data, sections of 8192 bytes.
    """
    def __new__(cls, key: _Buffer, *, tag_size: int | None = None, section: int | None = None) -> MagmaCTR_ACPKM_OMAC:
        """Create and return a new object.  See help(type) for accurate signature."""
        ...
    @staticmethod
    def generate_key() -> bytes:
        """Returns a new random key."""
        ...
    @staticmethod
    def generate_nonce() -> bytes:
        """Returns a new random nonce."""
        ...
