"""Private keys and certificates under passwords: PKCS#8 and PKCS#12 (PFX), with GOST by RFC 9337 and RFC 9548.

The calls have the names and the order of `cryptography`'s `serialization` and `pkcs12`. A private key is opaque: bytes with the
name of their algorithm, for other packages to use. A certificate is its DER.

>>> from bulat import pkcs
>>> key = pkcs.load_der_private_key(bytes.fromhex("301d020100300606042a0304050410") + bytes(16), None)
>>> key.oid
'1.2.3.4.5'
>>> protect = pkcs.BestAvailableEncryption(b"password", iterations=1000)
>>> pem = key.private_bytes(pkcs.Encoding.PEM, protect)
>>> pem.splitlines()[0]
b'-----BEGIN ENCRYPTED PRIVATE KEY-----'
>>> pkcs.load_pem_private_key(pem, b"password") == key
True
>>> file = pkcs.serialize_key_and_certificates("work", key, None, None, protect)
>>> opened = pkcs.load_pkcs12(file, b"password")
>>> opened.key == key, opened.friendly_name, opened.mac
(True, 'work', 'streebog512')
>>> pkcs.load_pkcs12(file, b"wrong")
Traceback (most recent call last):
bulat.WrongKey: wrong password, or the data is damaged

Reading raises `WrongKey` for a wrong password, also for damage that only decryption shows; `DamagedData` for a damaged or foreign
structure; `UnsupportedAlgorithm` for an algorithm or a form that is not supported, with its name; `InvalidInput` for a file that
costs more than the limits. Nothing in a PFX is decrypted before its MAC was checked.

Older files are read, too: GOST 28147-89, GOST R 34.11-94, AES, and the exports of CryptoPro CSP.
"""

from __future__ import annotations

import enum
import hmac
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from . import _bulat
from ._errors import DamagedData, InvalidInput, InvalidType

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ._types import Buffer, Password

__all__ = [
    "MAX_ITERATIONS",
    "BestAvailableEncryption",
    "Encoding",
    "NoEncryption",
    "PKCS12Certificate",
    "PKCS12KeyAndCertificates",
    "PrivateKey",
    "load_der_private_key",
    "load_key_and_certificates",
    "load_pem_private_key",
    "load_pkcs12",
    "serialize_key_and_certificates",
]

MAX_ITERATIONS: int = _bulat.MAX_ITERATIONS

_KEY = "PRIVATE KEY"
_SEALED = "ENCRYPTED PRIVATE KEY"


class Encoding(enum.Enum):
    """The encoding of a file that is written."""

    PEM = "PEM"
    DER = "DER"


@dataclass(frozen=True)
class BestAvailableEncryption:
    """Encryption under a password.

    `cipher` is `kuznyechik-ctr-acpkm-omac` or `magma-ctr-acpkm-omac`; OpenSSL with gost-engine reads only
    `kuznyechik-ctr-acpkm` and `magma-ctr-acpkm`, which have no MAC of their own. `iterations` of PBKDF2, at least 1000, are by
    default those of about a second.
    """

    password: Password = field(repr=False)
    cipher: str = "kuznyechik-ctr-acpkm-omac"
    iterations: int | None = None


@dataclass(frozen=True)
class NoEncryption:
    """No encryption, for a private key in PKCS#8."""


class PrivateKey:
    """A private key: the DER of a PrivateKeyInfo. Its bytes are opaque."""

    __slots__ = ("_der", "_name", "_oid")

    def __init__(self, der: Buffer) -> None:
        self._oid, self._name = _bulat.pkcs_key(der)
        self._der = bytes(der)

    @property
    def der(self) -> bytes:
        """The PrivateKeyInfo, without encryption."""
        return self._der

    @property
    def oid(self) -> str:
        """The object identifier of its algorithm."""
        return self._oid

    @property
    def algorithm(self) -> str:
        """The name of its algorithm, or the object identifier."""
        return self._name

    def private_bytes(self, encoding: Encoding, encryption_algorithm: BestAvailableEncryption | NoEncryption) -> bytes:
        """Returns it as PKCS#8, encrypted or not."""
        if not isinstance(encoding, Encoding):
            raise InvalidType("encoding: not an Encoding")
        label, der = _KEY, self._der
        if isinstance(encryption_algorithm, BestAvailableEncryption):
            e = encryption_algorithm
            label, der = _SEALED, _bulat.pkcs8_encrypt(der, e.password, e.cipher, e.iterations)
        elif not isinstance(encryption_algorithm, NoEncryption):
            raise InvalidType("encryption_algorithm: neither BestAvailableEncryption nor NoEncryption")
        return der if encoding is Encoding.DER else _bulat.pem_encode(label, der)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PrivateKey) and hmac.compare_digest(self._der, other._der)

    def __hash__(self) -> int:
        return hash(self._der)

    def __repr__(self) -> str:
        return f"<bulat.pkcs.PrivateKey of {self._name}>"


@dataclass(frozen=True)
class PKCS12Certificate:
    """A certificate of a PFX: its DER, and its name."""

    certificate: bytes
    friendly_name: str | None = None


@dataclass(frozen=True)
class PKCS12KeyAndCertificates:
    """The contents of a PFX. Made by `load_pkcs12`."""

    #: The first private key.
    key: PrivateKey | None
    #: The certificate with the key's local ID.
    cert: PKCS12Certificate | None
    additional_certs: list[PKCS12Certificate]
    #: The name of the key.
    friendly_name: str | None = None
    #: Private keys after the first.
    additional_keys: list[PrivateKey] = field(default_factory=list)
    #: The hash of the MAC that was checked; None if there was none.
    mac: str | None = None


def _private_key(der: bytes, password: Password | None, max_iterations: int) -> PrivateKey:
    if password is not None:
        try:
            _bulat.pkcs8_info(der)
        except DamagedData:
            _bulat.pkcs_key(der)
            raise InvalidType("a password was given, but the private key is not encrypted") from None
        return PrivateKey(_bulat.pkcs8_decrypt(der, password, max_iterations))
    try:
        return PrivateKey(der)
    except DamagedData:
        _bulat.pkcs8_info(der)
        raise InvalidType("no password was given, but the private key is encrypted") from None


def load_der_private_key(data: Buffer, password: Password | None, *, max_iterations: int = MAX_ITERATIONS) -> PrivateKey:
    """Reads a private key of PKCS#8 in DER: under a password, or without encryption if the password is None."""
    return _private_key(bytes(memoryview(data)), password, max_iterations)


def load_pem_private_key(data: Buffer, password: Password | None, *, max_iterations: int = MAX_ITERATIONS) -> PrivateKey:
    """Reads the only private key of a PEM file: under a password, or without encryption if the password is None."""
    keys = [der for label, der in _bulat.pem_blocks(data) if label in (_KEY, _SEALED)]
    if not keys:
        _bulat.pem_one(data, _KEY)  # Raises, with the name of what the file has.
    if len(keys) != 1:
        raise DamagedData(f"PEM: {len(keys)} private keys, not one")
    return _private_key(keys[0], password, max_iterations)


def load_pkcs12(
    data: Buffer, password: Password | None, *, require_mac: bool = True, max_iterations: int = MAX_ITERATIONS
) -> PKCS12KeyAndCertificates:
    """Opens a PFX in DER or PEM: checks its MAC, then decrypts its contents. None is the empty password.

    A file without a MAC is refused as `DamagedData`, unless `require_mac` is False: anyone may have changed it. Items that are
    neither private keys nor X.509 certificates are left out. `max_iterations` limits the work that the file may cause.
    """
    der = _bulat.pem_one(data, "PKCS12")
    mac, items = _bulat.pkcs12_open(der, "" if password is None else password, require_mac, max_iterations)
    keys = [(PrivateKey(der), name, id) for kind, der, _, name, id in items if kind == "key"]
    certificates = [(PKCS12Certificate(der, name), id) for kind, der, _, name, id in items if kind == "certificate"]
    own = None
    if keys:
        of = keys[0][2]
        pairs = [certificate for certificate, id in certificates if id == of]
        # Without IDs only a single certificate surely belongs to the key.
        if pairs and (of is not None or len(certificates) == 1):
            own = pairs[0]
    return PKCS12KeyAndCertificates(
        keys[0][0] if keys else None,
        own,
        [certificate for certificate, _ in certificates if certificate is not own],
        keys[0][1] if keys else None,
        [key for key, _, _ in keys[1:]],
        mac,
    )


def load_key_and_certificates(
    data: Buffer, password: Password | None, *, require_mac: bool = True, max_iterations: int = MAX_ITERATIONS
) -> tuple[PrivateKey | None, bytes | None, list[bytes]]:
    """Opens a PFX as `load_pkcs12` does. Returns the key, its certificate and the other certificates, in DER."""
    opened = load_pkcs12(data, password, require_mac=require_mac, max_iterations=max_iterations)
    own = None if opened.cert is None else opened.cert.certificate
    return opened.key, own, [certificate.certificate for certificate in opened.additional_certs]


def _item(certificate: Buffer | PKCS12Certificate) -> tuple[bytes, str | None]:
    if isinstance(certificate, PKCS12Certificate):
        return certificate.certificate, certificate.friendly_name
    return bytes(memoryview(certificate)), None


def serialize_key_and_certificates(
    name: str | bytes | None,
    key: PrivateKey | None,
    cert: Buffer | None,
    cas: Iterable[Buffer | PKCS12Certificate] | None,
    encryption_algorithm: BestAvailableEncryption,
) -> bytes:
    """Returns a PFX of RFC 9548 in DER, with a MAC of Streebog-512.

    `name` is the friendlyName of the key and of its certificate `cert`. Certificates are DER.
    """
    if not isinstance(encryption_algorithm, BestAvailableEncryption):
        raise InvalidType("encryption_algorithm: a PFX with a private key needs BestAvailableEncryption")
    if key is None and cert is None and not cas:
        raise InvalidInput("a PFX needs a key or a certificate")
    if isinstance(name, bytes):
        try:
            name = name.decode()
        except UnicodeDecodeError as error:
            raise InvalidInput(f"name: {error}") from None
    items: list[tuple[str, Buffer, str | None, bytes | None]] = []
    own = b"\0\0\0\1" if key is not None else None
    if cert is not None:
        items.append(("certificate", cert, name, own))
    items += [("certificate", *_item(ca), None) for ca in cas or ()]
    if key is not None:
        items.append(("key", key.der, name, own))
    e = encryption_algorithm
    return _bulat.pkcs12_seal(items, e.password, e.cipher, e.iterations)
