"""Types for the stubs, and for type-checked programs."""

from __future__ import annotations

import os
from typing import Any, Literal, Protocol, TypeAlias, TypedDict


class Buffer(Protocol):
    """Bytes: bytes, bytearray, memoryview, arrays of numpy; contiguous. Equals Python's own type from 3.12 on."""

    def __buffer__(self, flags: int, /) -> memoryview: ...


WritableBuffer: TypeAlias = Buffer
"""Bytes to be written: so an object of `bytes` is refused."""
Password: TypeAlias = str | Buffer
Sboxes: TypeAlias = str | Buffer
"""S-boxes: the name of a set, or eight rows of 16 bytes."""
Masks: TypeAlias = str | tuple[int, int, int]
"""The masks of TLSTREE: a suite, or three numbers."""


class _Interface(Protocol):
    @property
    def __cuda_array_interface__(self) -> dict[str, Any]: ...


class _DLPack(Protocol):
    def __dlpack__(self, *, stream: Any = ...) -> Any: ...
    def __dlpack_device__(self) -> tuple[int, int]: ...


DeviceArray: TypeAlias = _Interface | _DLPack
"""An array in a device's memory: of CuPy, PyTorch and others."""


class _Reads(Protocol):
    def read(self, size: int, /) -> bytes: ...


class _Writes(Protocol):
    def write(self, data: bytes, /) -> object: ...


ReadFile: TypeAlias = str | os.PathLike[str] | _Reads
WriteFile: TypeAlias = str | os.PathLike[str] | _Writes


class _Kind(TypedDict):
    slot: int
    kind: Literal["key file", "password"]


class Slot(_Kind, total=False):
    """A password or a key file of a container; the numbers are a password's costs."""

    kdf: Literal["argon2id", "pbkdf2-streebog512"]
    iterations: int
    memory: int
    passes: int
    lanes: int


class Info(TypedDict):
    """The result of `bulat.container.info`."""

    format: str
    version: int
    cipher: str
    chunk: int
    identity: str
    name: str | None
    slots: list[Slot]
    code: str
    size: int | None
    chunks: int | None
    authenticated: bool
