"""An object that is written whole or not at all, on any file system of fsspec."""

from __future__ import annotations

import os
import re
import secrets
from contextlib import suppress
from typing import Any

from fsspec.implementations.local import LocalFileSystem

from ._errors import StateError

#: Their objects appear when the upload is completed, and not before.
_OBJECT_STORES = {"s3", "s3a", "gs", "gcs", "abfs", "abfss", "az", "oss", "oci", "obs", "cos", "tos"}
_PART = re.compile(r"(.*/|)\.(.+)\.[A-Za-z0-9]{6}\.part", re.DOTALL)


def part_of(path: str) -> str | None:
    """The object of which this is a part being written: `.NAME.123456.part` is one of `NAME`, as the container's module and
    the command have it, too."""
    found = _PART.fullmatch(path)
    return found and found[1] + found[2]


def direct(fs: Any) -> bool:
    """Whether an object of this file system appears when it is complete, and not before."""
    names = {fs.protocol} if isinstance(fs.protocol, str) else set(fs.protocol)
    return bool(names & _OBJECT_STORES)


def local(fs: Any) -> bool:
    """Whether the paths of this file system are the operating system's."""
    return isinstance(fs, LocalFileSystem)


class Sink:
    """A new object. `file` takes its bytes; `commit` puts it under its name; `discard` leaves nothing of it.

    An object store shows an object when its upload is completed. Elsewhere the object is written beside its place under
    another name, and renamed.
    """

    def __init__(self, fs: Any, path: str) -> None:
        self.fs, self.path = fs, path
        #: A process that was forked has this, too, and leaves the object to the one that began it.
        self.process = os.getpid()
        self.direct = direct(fs)
        folder, slash, name = path.rpartition("/")
        # A name of 255 bytes has no room for more.
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
        """Puts the object under its name. The upload of an object store is completed here."""
        if self.process != os.getpid():
            raise StateError("the file belongs to the process that opened it, before a fork")
        file, self.file = self.file, None
        try:
            if local(self.fs):
                # A rename that outlives a power cut must not outlive the bytes.
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
        """Leaves nothing of the object; what was under its name stays."""
        file, self.file = self.file, None
        if self.process != os.getpid():
            # Its own end would write what it holds.
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
