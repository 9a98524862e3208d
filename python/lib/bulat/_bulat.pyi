"""The compiled half of the package."""

import os
from collections.abc import Iterable
from typing import Any, Literal, final

from typing_extensions import disjoint_base

from ._types import Buffer, DeviceArray, Info, Masks, Password, ReadFile, Sboxes, WritableBuffer, WriteFile

__all__ = [
    "CHUNK",
    "MAX_ITERATIONS",
    "Aead",
    "Algorithm",
    "Cipher",
    "CipherContext",
    "Device",
    "Engine",
    "Hash",
    "Key",
    "Mac",
    "RawReader",
    "RawWriter",
    "SealContext",
    "UnverifiedContext",
    "__version__",
    "algorithms",
    "batch",
    "container_decrypt",
    "container_encrypt",
    "container_info",
    "container_read_key",
    "decrypt",
    "derive",
    "digest",
    "encrypt",
    "force",
    "forced",
    "gpu_devices",
    "kernels",
    "mac",
    "picked",
    "selftest",
    "unwrap",
    "wrap",
]

__version__: str
algorithms: dict[str, Algorithm]
MAX_ITERATIONS: int
CHUNK: int

@final
class Algorithm:
    @property
    def name(self) -> str: ...
    @property
    def aliases(self) -> tuple[str, ...]: ...
    @property
    def oid(self) -> str | None: ...
    @property
    def kind(self) -> Literal["hash", "mac", "cipher", "aead", "kdf", "wrap"]: ...
    @property
    def key_size(self) -> int: ...
    @property
    def iv_size(self) -> int: ...
    @property
    def iv_sizes(self) -> range: ...
    @property
    def block_size(self) -> int: ...
    @property
    def output_size(self) -> int: ...
    @property
    def note(self) -> str: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Hash:
    def __new__(
        cls,
        name: str,
        data: Buffer = b"",
        *,
        usedforsecurity: bool = True,
        sboxes: Sboxes | None = None,
    ) -> Hash: ...
    @property
    def name(self) -> str: ...
    @property
    def digest_size(self) -> int: ...
    @property
    def block_size(self) -> int: ...
    def update(self, data: Buffer, /) -> None: ...
    def digest(self) -> bytes: ...
    def hexdigest(self) -> str: ...
    def copy(self) -> Hash: ...
    def __copy__(self) -> Hash: ...

@final
class Mac:
    def __new__(
        cls,
        name: str,
        key: Buffer,
        data: Buffer = b"",
        *,
        iv: Buffer = b"",
        tag_size: int | None = None,
        section: int | None = None,
        period: int | None = None,
        sboxes: Sboxes | None = None,
        meshing: bool | None = None,
    ) -> Mac: ...
    @property
    def name(self) -> str: ...
    @property
    def digest_size(self) -> int: ...
    @property
    def block_size(self) -> int: ...
    def update(self, data: Buffer, /) -> None: ...
    def digest(self) -> bytes: ...
    def hexdigest(self) -> str: ...
    def verify(self, tag: Buffer, /) -> None: ...
    def copy(self) -> Mac: ...
    def __copy__(self) -> Mac: ...

@final
class Cipher:
    def __new__(
        cls,
        name: str,
        key: Buffer,
        iv: Buffer = b"",
        *,
        padding: str = "none",
        s: int | None = None,
        section: int | None = None,
        sboxes: Sboxes | None = None,
        meshing: bool | None = None,
    ) -> Cipher: ...
    @property
    def name(self) -> str: ...
    @property
    def block_size(self) -> int: ...
    def encryptor(self) -> CipherContext: ...
    def decryptor(self) -> CipherContext: ...

@final
class CipherContext:
    def update(self, data: Buffer, /) -> bytes: ...
    def update_into(self, data: Buffer, buffer: WritableBuffer, /) -> int: ...
    def finalize(self) -> bytes: ...
    def reset(self, iv: Buffer, /) -> None: ...

@disjoint_base
class Aead:
    def __new__(cls, name: str, key: Buffer, *, tag_size: int | None = None, section: int | None = None) -> Aead: ...
    @property
    def name(self) -> str: ...
    @property
    def tag_size(self) -> int: ...
    @property
    def nonce_size(self) -> int: ...
    def encrypt(self, nonce: Buffer, data: Buffer, associated_data: Buffer | None = None) -> bytes: ...
    def decrypt(self, nonce: Buffer, data: Buffer, associated_data: Buffer | None = None) -> bytes: ...
    def encrypt_into(self, nonce: Buffer, data: Buffer, associated_data: Buffer | None, buffer: WritableBuffer) -> int: ...
    def decrypt_into(self, nonce: Buffer, data: Buffer, associated_data: Buffer | None, buffer: WritableBuffer) -> int: ...
    def encryptor(self, nonce: Buffer, /) -> SealContext: ...
    def unverified_decryptor(self, nonce: Buffer, /) -> UnverifiedContext: ...

@final
class SealContext:
    def update_aad(self, data: Buffer, /) -> None: ...
    def update(self, data: Buffer, /) -> bytes: ...
    def update_into(self, data: Buffer, buffer: WritableBuffer, /) -> int: ...
    def finalize(self) -> bytes: ...

@final
class UnverifiedContext:
    def update_aad(self, data: Buffer, /) -> None: ...
    def update(self, data: Buffer, /) -> bytes: ...
    def update_into(self, data: Buffer, buffer: WritableBuffer, /) -> int: ...
    def verify(self, tag: Buffer, /) -> None: ...

@final
class Key:
    def __new__(
        cls,
        name: str,
        key: Buffer,
        *,
        tag_size: int | None = None,
        s: int | None = None,
        section: int | None = None,
        period: int | None = None,
        sboxes: Sboxes | None = None,
        meshing: bool | None = None,
    ) -> Key: ...
    @property
    def name(self) -> str: ...
    @property
    def tag_size(self) -> int: ...

def digest(name: str, data: Buffer, *, sboxes: Sboxes | None = None) -> bytes: ...
def mac(
    name: str,
    key: Buffer,
    data: Buffer,
    *,
    iv: Buffer = b"",
    tag_size: int | None = None,
    section: int | None = None,
    period: int | None = None,
    sboxes: Sboxes | None = None,
    meshing: bool | None = None,
) -> bytes: ...
def encrypt(
    name: str,
    key: Buffer,
    data: Buffer,
    iv: Buffer = b"",
    *,
    padding: str = "none",
    s: int | None = None,
    section: int | None = None,
    sboxes: Sboxes | None = None,
    meshing: bool | None = None,
) -> bytes: ...
def decrypt(
    name: str,
    key: Buffer,
    data: Buffer,
    iv: Buffer = b"",
    *,
    padding: str = "none",
    s: int | None = None,
    section: int | None = None,
    sboxes: Sboxes | None = None,
    meshing: bool | None = None,
) -> bytes: ...
def derive(
    name: str,
    key: Buffer,
    length: int | None = None,
    *,
    salt: Buffer = b"",
    label: Buffer = b"",
    seed: Buffer = b"",
    iterations: int | None = None,
    counter: int | None = None,
    masks: Masks | None = None,
    record: int | None = None,
) -> bytes: ...
def wrap(name: str, key: Buffer, secret: Buffer, iv: Buffer, *, sboxes: Sboxes | None = None) -> bytes: ...
def unwrap(
    name: str,
    key: Buffer,
    wrapped: Buffer,
    iv: Buffer = b"",
    *,
    size: int | None = None,
    sboxes: Sboxes | None = None,
) -> bytes: ...
def batch(
    name: str,
    data: Iterable[Buffer],
    keys: Buffer | Key | Aead | Iterable[Buffer | Key | Aead] | None = None,
    ivs: Buffer | Iterable[Buffer] | None = None,
    *,
    associated_data: Buffer | Iterable[Buffer] | None = None,
    tags: Iterable[Buffer] | None = None,
    decrypt: bool = False,
    into: Iterable[WritableBuffer] | None = None,
    threads: int = 1,
    return_exceptions: bool = False,
    tag_size: int | None = None,
    s: int | None = None,
    section: int | None = None,
    period: int | None = None,
    sboxes: Sboxes | None = None,
    meshing: bool | None = None,
) -> list[Any]: ...
def kernels() -> dict[str, str | None]: ...
def picked() -> dict[tuple[str, str], str]: ...
def force(name: str | None, /) -> None: ...
def forced() -> str | None: ...
def selftest() -> bool: ...

# `bulat.gpu`, where it is built.

def gpu_devices() -> tuple[list[Device], list[str]]: ...

@final
class Device:
    @property
    def name(self) -> str: ...
    @property
    def driver(self) -> str: ...
    @property
    def version(self) -> str: ...
    @property
    def memory(self) -> int: ...
    @property
    def processor(self) -> bool: ...
    @property
    def lost(self) -> str | None: ...
    def selftest(self) -> None: ...
    def encrypt(
        self,
        name: str,
        key: Buffer,
        iv: Buffer,
        array: DeviceArray,
        out: DeviceArray | None = None,
        *,
        stream: int | None = None,
        section: int | None = None,
        sboxes: Sboxes | None = None,
        meshing: bool | None = None,
    ) -> None: ...
    def decrypt(
        self,
        name: str,
        key: Buffer,
        iv: Buffer,
        array: DeviceArray,
        out: DeviceArray | None = None,
        *,
        stream: int | None = None,
        section: int | None = None,
        sboxes: Sboxes | None = None,
        meshing: bool | None = None,
    ) -> None: ...
    def hash(self, name: str, rows: DeviceArray, *, stream: int | None = None) -> list[bytes]: ...
    def mac(
        self,
        name: str,
        keys: Buffer | Iterable[Buffer],
        rows: DeviceArray,
        *,
        stream: int | None = None,
        tag_size: int | None = None,
        sboxes: Sboxes | None = None,
        meshing: bool | None = None,
    ) -> list[bytes]: ...

@final
class Engine:
    def __new__(cls, devices: list[Device] | None = None, *, cpu: bool = True, least: int | None = None) -> Engine: ...
    @property
    def devices(self) -> list[Device]: ...
    @property
    def bytes(self) -> dict[str, int]: ...
    def batch(
        self,
        name: str,
        data: Iterable[Buffer],
        keys: Buffer | Key | Aead | Iterable[Buffer | Key | Aead] | None = None,
        ivs: Buffer | Iterable[Buffer] | None = None,
        *,
        associated_data: Buffer | Iterable[Buffer] | None = None,
        tags: Iterable[Buffer] | None = None,
        decrypt: bool = False,
        into: Iterable[WritableBuffer] | None = None,
        return_exceptions: bool = False,
        tag_size: int | None = None,
        s: int | None = None,
        section: int | None = None,
        period: int | None = None,
        sboxes: Sboxes | None = None,
        meshing: bool | None = None,
    ) -> list[Any]: ...

# The raw ends of `bulat.container`.

@final
class RawReader:
    def __new__(
        cls,
        file: ReadFile,
        key: Buffer | None,
        password: Password | None,
        max_iterations: int,
    ) -> RawReader: ...
    def readinto(self, buffer: WritableBuffer) -> int: ...
    def readall(self) -> bytes: ...
    def size(self) -> int: ...
    def tell(self) -> int: ...
    def seek(self, offset: int, whence: int) -> int: ...
    def close(self) -> None: ...

@final
class RawWriter:
    def __new__(
        cls,
        file: WriteFile,
        key: Buffer | None,
        password: Password | None,
        cipher: str,
        chunk: int,
        iterations: int | None,
        replace: bool,
    ) -> RawWriter: ...
    def write(self, data: Buffer) -> int: ...
    def tell(self) -> int: ...
    def finish(self) -> None: ...
    def discard(self) -> None: ...

def container_encrypt(
    source: ReadFile,
    destination: WriteFile,
    key: Buffer | None,
    password: Password | None,
    cipher: str,
    chunk: int,
    iterations: int | None,
    threads: int | None,
    replace: bool,
) -> int: ...
def container_decrypt(
    source: ReadFile,
    destination: WriteFile,
    key: Buffer | None,
    password: Password | None,
    max_iterations: int,
    threads: int | None,
    replace: bool,
) -> int: ...
def container_info(file: ReadFile) -> Info: ...
def container_read_key(path: str | os.PathLike[str]) -> bytes: ...
