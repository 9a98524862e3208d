"""An object that is written completely or not at all, on any file system of fsspec."""

from __future__ import annotations

import os
import re
import secrets
from contextlib import suppress
from typing import Any

from fsspec.implementations.local import LocalFileSystem

from ._errors import StateError

#: On these an object appears only when its upload is completed.
_OBJECT_STORES = {"s3", "s3a", "gs", "gcs", "abfs", "abfss", "az", "oss", "oci", "obs", "cos", "tos"}
_PART = re.compile(r"(.*/|)\.(.+)\.[A-Za-z0-9]{6}\.part", re.DOTALL)


def part_of(path: str) -> str | None:
    """Returns the object of a part file: `.NAME.123456.part` belongs to `NAME`, as in the container's module and the command."""
    found = _PART.fullmatch(path)
    return found and found[1] + found[2]


def direct(fs: Any) -> bool:
    """Returns whether an object of this file system appears only when it is complete."""
    names = {fs.protocol} if isinstance(fs.protocol, str) else set(fs.protocol)
    return bool(names & _OBJECT_STORES)


def local(fs: Any) -> bool:
    """Returns whether the paths of this file system are the operating system's."""
    return isinstance(fs, LocalFileSystem)


class Sink:
    """A new object. Write its bytes to `file`; `commit` gives it its name, `discard` removes it.

    An object store shows an object when its upload is completed. Elsewhere the object is written in its folder under
    another name, and renamed.
    """

    def __init__(self, fs: Any, path: str) -> None:
        self.fs, self.path = fs, path
        #: The process that began the object; a forked child does not touch it.
        self.process = os.getpid()
        self.direct = direct(fs)
        folder, slash, name = path.rpartition("/")
        # A name of 255 bytes cannot be extended.
        name = name if len(os.fsencode(name)) < 200 else "bulat"
        self.part = path if self.direct else f"{folder}{slash}.{name}.{secrets.token_hex(3)}.part"
        if not self.direct and (folder := fs._parent(path)):
            fs.makedirs(folder, exist_ok=True)
        self.file: Any
        if local(fs):
            self.file = open(self.part, "xb", buffering=0)
        else:
            self.file = fs.open(self.part, "wb", autocommit=True)

    def commit(self) -> None:
        """Gives the object its name. This completes the upload to an object store."""
        if self.process != os.getpid():
            raise StateError("the file belongs to the process that opened it, before a fork")
        file, self.file = self.file, None
        try:
            if local(self.fs):
                # The bytes must reach the disk before the rename does.
                with file:
                    os.fsync(file.fileno())
                os.replace(self.part, self.path)
                return
            file.close()
            if not self.direct:
                self.fs.mv(self.part, self.path)
        except BaseException:
            self.file = file
            self.discard()
            raise
        self.fs.invalidate_cache(self.fs._parent(self.path))

    def discard(self) -> None:
        """Removes the object. An older object of its name stays."""
        file, self.file = self.file, None
        if self.process != os.getpid():
            # Closing it would write its buffer.
            with suppress(AttributeError):
                file.closed = True
            return
        if self.direct:
            if file is not None:
                file.discard()
                file.closed = True
            return
        if file is not None:
            file.close()
        with suppress(FileNotFoundError):
            self.fs.rm_file(self.part)
