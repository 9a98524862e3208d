"""Files in the container of ``bulat encrypt``: encrypted, authenticated, readable at any offset.

>>> import io
>>> from bulat import container
>>> key, sealed = container.new_key(), io.BytesIO()
>>> with container.open(sealed, "wb", key=key) as f:
...     n = f.write(b"attack at dawn")
>>> with container.open(sealed, key=key) as f:
...     f.seek(7), f.read()
(7, b'at dawn')
>>> container.info(sealed)["cipher"]
'kuznyechik-mgm'

A chunk's text comes out only after its tag is verified, and the end of a file only after its last chunk is verified. A
program that stops reading earlier does not notice that the file was truncated after that position.
"""

from __future__ import annotations

import io
import os
import warnings
from typing import TYPE_CHECKING, Any, NoReturn, cast, overload

from . import _bulat
from ._errors import InvalidInput, StateError
from ._pending import Pending, words

if TYPE_CHECKING:
    from types import TracebackType
    from typing import Literal

    from ._types import Buffer, Info, Password, ReadFile, WriteFile

__all__ = [
    "MAX_ITERATIONS",
    "MAX_MEMORY",
    "Reader",
    "TextWriter",
    "Writer",
    "decrypt",
    "encrypt",
    "info",
    "new_key",
    "open",
    "read_key",
]

MAX_ITERATIONS: int = _bulat.MAX_ITERATIONS
MAX_MEMORY: int = _bulat.MAX_MEMORY
_CHUNK: int = _bulat.CHUNK


class _RawReader(io.RawIOBase):
    """The unbuffered plaintext, for reading."""

    def __init__(self, raw: _bulat.RawReader) -> None:
        self._raw = raw

    def readinto(self, buffer: Any, /) -> int:
        return self._raw.readinto(buffer)

    def readall(self) -> bytes:
        return self._raw.readall()

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = 0, /) -> int:
        return self._raw.seek(offset, whence)

    def tell(self) -> int:
        return self._raw.tell()

    def close(self) -> None:
        if not self.closed:
            self._raw.close()
            super().close()


class Reader(io.BufferedReader):
    """The plaintext of a container, readable at any offset. Made by `open`."""

    def __init__(self, raw: _bulat.RawReader, buffer_size: int = io.DEFAULT_BUFFER_SIZE) -> None:
        self._core = raw
        super().__init__(_RawReader(raw), buffer_size)

    @property
    def mode(self) -> str:
        return "rb"

    @property
    def size(self) -> int:
        """Returns the length of the plaintext, after it has verified the last chunk."""
        return self._core.size()


class _RawWriter(io.RawIOBase):
    """The unbuffered plaintext, for writing."""

    def __init__(self, raw: _bulat.RawWriter, name: object) -> None:
        self._raw = raw
        self.discarded = False
        #: Set when all text has arrived. Python's buffer closes this even if it could not write its own text.
        self.whole = False
        if name is not None:
            self.name = name

    def write(self, data: Any, /) -> int:
        return memoryview(data).nbytes if self.discarded else self._raw.write(data)

    def writable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._raw.tell()

    def discard(self) -> None:
        # A signal's handler may not do this during a write: the write counts then.
        self._raw.discard()
        self.discarded = True

    def close(self) -> None:
        if not self.closed:
            try:
                if self.whole:
                    self._raw.finish()
                else:
                    self._raw.discard()
            finally:
                super().close()


class Writer(io.BufferedWriter):
    """A container being written. Made by `open`.

    Closing it writes the last chunk and gives a file its name. No file is left after an exception inside ``with``, after
    `discard`, or if the object is never closed.

    `close` during an exception also removes the file, and warns. So a wrapper that an exception closes leaves no incomplete
    file. In an ``except`` block, and in the ``finally`` of a closed generator or a cancelled task, call `commit` to keep the
    file. A forked child cannot write to it.
    """

    def __init__(self, raw: _bulat.RawWriter, buffer_size: int = io.DEFAULT_BUFFER_SIZE, name: object = None) -> None:
        self._pending = Pending()
        self._forgotten = False
        self._failed = False
        #: The number of frames from `close` to its caller.
        self._level = 2
        self._end = _RawWriter(raw, name)
        super().__init__(self._end, buffer_size)

    @property
    def mode(self) -> str:
        return "wb"

    def write(self, data: Any, /) -> int:
        # A wrapper drops its text and closes this even if its last write fails.
        self._failed = True
        try:
            n = super().write(data)
        except (TypeError, BufferError):
            # The argument was not bytes, so no text is lost.
            self._failed = False
            raise
        self._failed = False
        return n

    def detach(self) -> NoReturn:
        """Refused: without its buffer the file cannot know whether it is complete."""
        raise io.UnsupportedOperation("detach")

    def close(self) -> None:
        """Closes it and gives the file its name, unless an exception is being handled that was not at `open`, or the last write
        has failed."""
        if self.closed:
            return
        if self._forgotten:
            self.discard()
        elif self._pending or self._failed:
            said = words(self)
            self.discard()
            warnings.warn(said, RuntimeWarning, stacklevel=self._level)
        else:
            self.commit()

    def commit(self) -> None:
        """Closes it and gives the file its name, even during an exception. If the rest of the text cannot be written, the file
        is removed."""
        if self.closed:
            return
        if self._end.discarded:
            # A signal's handler did it during a write, and could not close it.
            self.discard()
            raise StateError(f"{self!r} was discarded")
        try:
            self.flush()
        except BaseException:
            self.discard()
            raise
        self._end.whole = True
        self._pending.forget()
        super().close()

    def discard(self) -> None:
        """Closes it and removes the file."""
        self._pending.forget()
        if not self.closed:
            self._end.discard()
            super().close()

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc_value: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if exc_type is None:
            self.commit()
        else:
            self.discard()

    def _dealloc_warn(self, source: object) -> None:
        # A wrapper that was not closed warns before it closes this.
        self._forgotten = True
        _unclosed(source)

    def __del__(self) -> None:
        # A file that was never closed may be incomplete.
        if hasattr(self, "_end") and not self.closed:
            self.discard()
            _unclosed(self)


def _unclosed(file: object) -> None:
    warnings.warn(f"unclosed file {file!r}: nothing of it is kept", ResourceWarning, stacklevel=3, source=file)


class TextWriter(io.TextIOWrapper):
    """A container being written as text. Made by `open`; works like `Writer`."""

    def close(self) -> None:
        """Closes it and gives the file its name, unless an exception is being handled that was not at `open`."""
        if not self.closed:
            self._flush()
            self._writer._level = 3
            super().close()

    def commit(self) -> None:
        """Closes it and gives the file its name, even during an exception."""
        if not self.closed:
            self._flush()
            self._writer.commit()

    def discard(self) -> None:
        """Closes it and removes the file."""
        if not self.closed:
            self._writer.discard()

    def _flush(self) -> None:
        try:
            self.flush()
        except BaseException:
            self.discard()
            raise

    @property
    def _writer(self) -> Writer:
        return cast(Writer, self.buffer)

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc_val: BaseException | None,
        exc_tb: TracebackType | None,
    ) -> None:
        if exc_type is None:
            self.commit()
        else:
            self.discard()


@overload
def open(
    file: ReadFile,
    mode: Literal["rb", "r"] = "rb",
    *,
    key: Buffer | None = None,
    password: Password | None = None,
    max_iterations: int = MAX_ITERATIONS,
    max_memory: int = MAX_MEMORY,
    any_name: bool = False,
) -> Reader: ...
@overload
def open(
    file: ReadFile,
    mode: Literal["rt"],
    *,
    key: Buffer | None = None,
    password: Password | None = None,
    max_iterations: int = MAX_ITERATIONS,
    max_memory: int = MAX_MEMORY,
    any_name: bool = False,
    encoding: str | None = None,
    errors: str | None = None,
    newline: str | None = None,
) -> io.TextIOWrapper: ...
@overload
def open(
    file: WriteFile,
    mode: Literal["wb", "xb", "w", "x"],
    *,
    key: Buffer | None = None,
    password: Password | None = None,
    cipher: str = "kuznyechik-mgm",
    chunk: int = _CHUNK,
    kdf: str | None = None,
    iterations: int | None = None,
    memory: int | None = None,
    passes: int | None = None,
    bind_name: bool = False,
) -> Writer: ...
@overload
def open(
    file: WriteFile,
    mode: Literal["wt", "xt"],
    *,
    key: Buffer | None = None,
    password: Password | None = None,
    cipher: str = "kuznyechik-mgm",
    chunk: int = _CHUNK,
    kdf: str | None = None,
    iterations: int | None = None,
    memory: int | None = None,
    passes: int | None = None,
    bind_name: bool = False,
    encoding: str | None = None,
    errors: str | None = None,
    newline: str | None = None,
) -> TextWriter: ...
@overload
def open(
    file: Any,
    mode: str,
    *,
    key: Buffer | None = None,
    password: Password | None = None,
    cipher: str = "kuznyechik-mgm",
    chunk: int = _CHUNK,
    kdf: str | None = None,
    iterations: int | None = None,
    memory: int | None = None,
    passes: int | None = None,
    bind_name: bool = False,
    max_iterations: int = MAX_ITERATIONS,
    max_memory: int = MAX_MEMORY,
    any_name: bool = False,
    encoding: str | None = None,
    errors: str | None = None,
    newline: str | None = None,
) -> Reader | Writer | io.TextIOWrapper: ...
def open(
    file: Any,
    mode: str = "rb",
    *,
    key: Buffer | None = None,
    password: Password | None = None,
    cipher: str = "kuznyechik-mgm",
    chunk: int = _CHUNK,
    kdf: str | None = None,
    iterations: int | None = None,
    memory: int | None = None,
    passes: int | None = None,
    bind_name: bool = False,
    max_iterations: int = MAX_ITERATIONS,
    max_memory: int = MAX_MEMORY,
    any_name: bool = False,
    encoding: str | None = None,
    errors: str | None = None,
    newline: str | None = None,
) -> Reader | Writer | io.TextIOWrapper:
    """Opens a container: a path, or a binary file object.

    ``"rb"`` reads its plaintext and is seekable; a file object must be seekable, too, and is read from its start. ``"wb"``
    writes a container; a path is written through a temporary file, which gets the name when it is closed. ``"xb"`` refuses an
    existing path. ``"rt"``, ``"wt"`` and ``"xt"`` are text, in UTF-8 unless ``encoding`` names another. As in `gzip.open`,
    ``"r"``, ``"w"`` and ``"x"`` are bytes. A file object is not closed. To write one, it must be at its start. `encrypt` and
    `decrypt` work at any position of a file object.

    Give ``key``, 32 bytes, or ``password``. ``chunk``: bytes of plaintext in a chunk, a power of two from 4096 to 1048576.
    For a password, ``kdf`` is ``"argon2id"``, with ``memory`` in KiB and ``passes``, or ``"pbkdf2"``, with ``iterations``, by
    default about a second's worth. A reader refuses more than ``max_iterations`` and ``max_memory`` KiB.

    ``bind_name`` binds the container to the name of its file. A reader refuses such a container under another name, or if a
    file object has no ``name``, unless ``any_name``.
    """
    if mode not in _MODES:
        raise InvalidInput(f"mode {mode}: {', '.join(_MODES)}; a container is read, or written from its start")
    as_text: dict[str, Any] = {"encoding": encoding, "errors": errors, "newline": newline}
    if not mode.endswith("t"):
        for name, value in as_text.items():
            if value is not None:
                raise InvalidInput(f"{name}: mode {mode} is bytes, not text")
    elif encoding is None:
        as_text["encoding"] = "utf-8"
    if mode[0] == "r":
        reader = Reader(_bulat.RawReader(file, key, password, (max_iterations, max_memory, any_name)))
        return io.TextIOWrapper(reader, **as_text) if mode == "rt" else reader
    replace = mode[0] == "w"
    asked = (kdf, iterations, memory, passes)
    raw = _bulat.RawWriter(file, key, password, cipher, chunk, asked, bind_name, replace)
    path = isinstance(file, str) or hasattr(file, "__fspath__")
    writer = Writer(raw, name=file if path else getattr(file, "name", None))
    if not mode.endswith("t"):
        return writer
    try:
        return TextWriter(writer, **as_text)
    except BaseException:
        writer.discard()
        raise


_MODES = ("rb", "rt", "wb", "wt", "xb", "xt", "r", "w", "x")


def encrypt(
    source: ReadFile,
    destination: WriteFile,
    *,
    key: Buffer | None = None,
    password: Password | None = None,
    cipher: str = "kuznyechik-mgm",
    chunk: int = _CHUNK,
    kdf: str | None = None,
    iterations: int | None = None,
    memory: int | None = None,
    passes: int | None = None,
    bind_name: bool = False,
    threads: int | None = None,
    replace: bool = True,
) -> int:
    """Encrypts a file into a container, on all processors. Returns the length of the plaintext.

    Both are paths or file objects."""
    asked = (kdf, iterations, memory, passes)
    return _bulat.container_encrypt(source, destination, key, password, cipher, chunk, asked, bind_name, threads, replace)


def decrypt(
    source: ReadFile,
    destination: WriteFile,
    *,
    key: Buffer | None = None,
    password: Password | None = None,
    max_iterations: int = MAX_ITERATIONS,
    max_memory: int = MAX_MEMORY,
    any_name: bool = False,
    threads: int | None = None,
    replace: bool = True,
) -> int:
    """Decrypts a container, on all processors. Returns the length of the plaintext.

    A path gets its name when everything is verified. A file object gets each chunk when it is verified: after an exception
    do not use the chunks, as they are not the whole file.
    """
    accepted = (max_iterations, max_memory, any_name)
    return _bulat.container_decrypt(source, destination, key, password, accepted, threads, replace)


def info(file: ReadFile) -> Info:
    """Returns the fields of a container's header, and the size computed from the file's. Nothing of it is authenticated."""
    return _bulat.container_info(file)


def read_key(path: str | os.PathLike[str]) -> bytes:
    """Reads the key in a key file: 32 bytes, or 64 hexadecimal digits as ``bulat key new`` writes them."""
    return _bulat.container_read_key(path)


def new_key() -> bytes:
    """Returns a new key of 32 random bytes."""
    return os.urandom(32)
