"""Files in the container of ``bulat encrypt``: encrypted, authenticated, readable at any place.

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

A chunk's text comes out after its tag was verified, never before. The end of a file is believed after its last chunk was
verified. A program that stops reading before the end does not learn whether the file was cut off behind that place.
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

__all__ = ["MAX_ITERATIONS", "Reader", "TextWriter", "Writer", "decrypt", "encrypt", "info", "new_key", "open", "read_key"]

MAX_ITERATIONS: int = _bulat.MAX_ITERATIONS
_CHUNK: int = _bulat.CHUNK


class _RawReader(io.RawIOBase):
    """The plaintext without a buffer."""

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
    """The plaintext of a container, to be read at any place. Made by `open`."""

    def __init__(self, raw: _bulat.RawReader, buffer_size: int = io.DEFAULT_BUFFER_SIZE) -> None:
        self._core = raw
        super().__init__(_RawReader(raw), buffer_size)

    @property
    def mode(self) -> str:
        return "rb"

    @property
    def size(self) -> int:
        """Bytes of plaintext. The last chunk is verified first."""
        return self._core.size()


class _RawWriter(io.RawIOBase):
    """What becomes of the plaintext, without a buffer."""

    def __init__(self, raw: _bulat.RawWriter, name: object) -> None:
        self._raw = raw
        self.discarded = False
        #: Set when all text has come. Python's buffer closes this also when its own text could not be written.
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
        # Refused to a signal's handler while a write is going on: then the write counts.
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

    Closing it writes the last chunk, and gives a file that was named by its path this name. Nothing is there after an
    exception inside ``with``, after `discard`, and when it was forgotten.

    `close` in the wake of an exception keeps nothing either, and warns: so a wrapper that an exception closes leaves no half
    of a file. In an ``except`` block, in the ``finally`` of a generator that is closed and of a task that is cancelled `commit`
    says that the file is whole. A process that was forked has no part in it.
    """

    def __init__(self, raw: _bulat.RawWriter, buffer_size: int = io.DEFAULT_BUFFER_SIZE, name: object = None) -> None:
        self._pending = Pending()
        self._forgotten = False
        self._failed = False
        #: How far from `close` the caller is.
        self._level = 2
        self._end = _RawWriter(raw, name)
        super().__init__(self._end, buffer_size)

    @property
    def mode(self) -> str:
        return "wb"

    def write(self, data: Any, /) -> int:
        # A wrapper whose last write fails drops its text and closes this all the same.
        self._failed = True
        try:
            n = super().write(data)
        except (TypeError, BufferError):
            # These were no bytes, and none is lost.
            self._failed = False
            raise
        self._failed = False
        return n

    def detach(self) -> NoReturn:
        """Refused: without its buffer the file cannot tell whether it is whole."""
        raise io.UnsupportedOperation("detach")

    def close(self) -> None:
        """Closes it; the file has its name then, unless an exception is on its way that was not when it was opened, or the
        last write has failed."""
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
        """Closes it; the file has its name then, whatever exception is handled. If the rest of the text cannot be written,
        nothing is kept."""
        if self.closed:
            return
        if self._end.discarded:
            # A signal's handler did it in the midst of a write, and could not close it.
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
        """Closes it and leaves no file."""
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
        # A wrapper that nobody has closed says so before it closes this.
        self._forgotten = True
        _unclosed(source)

    def __del__(self) -> None:
        # What was never closed may be half of a file.
        if hasattr(self, "_end") and not self.closed:
            self.discard()
            _unclosed(self)


def _unclosed(file: object) -> None:
    warnings.warn(f"unclosed file {file!r}: nothing of it is kept", ResourceWarning, stacklevel=3, source=file)


class TextWriter(io.TextIOWrapper):
    """A container being written as text. Made by `open`; it promises what `Writer` does."""

    def close(self) -> None:
        """Closes it; the file has its name then, unless an exception is on its way that was not when it was opened."""
        if not self.closed:
            self._flush()
            self._writer._level = 3
            super().close()

    def commit(self) -> None:
        """Closes it; the file has its name then, whatever exception is handled."""
        if not self.closed:
            self._flush()
            self._writer.commit()

    def discard(self) -> None:
        """Closes it and leaves no file."""
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
) -> Reader: ...
@overload
def open(
    file: ReadFile,
    mode: Literal["rt"],
    *,
    key: Buffer | None = None,
    password: Password | None = None,
    max_iterations: int = MAX_ITERATIONS,
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
    iterations: int | None = None,
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
    iterations: int | None = None,
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
    iterations: int | None = None,
    max_iterations: int = MAX_ITERATIONS,
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
    iterations: int | None = None,
    max_iterations: int = MAX_ITERATIONS,
    encoding: str | None = None,
    errors: str | None = None,
    newline: str | None = None,
) -> Reader | Writer | io.TextIOWrapper:
    """Opens a container: a path, or a binary file object.

    ``"rb"`` reads its plaintext, which is seekable; a file object must be so, too, and is read from its start. ``"wb"`` writes
    one: to a path through a temporary file that gets the name when it is closed. ``"xb"`` refuses a path that exists. ``"rt"``,
    ``"wt"`` and ``"xt"`` are text, in UTF-8 unless ``encoding`` says another. As with `gzip.open`, ``"r"``, ``"w"`` and ``"x"``
    are bytes. A file object is not closed; to be written it must be at its start, for it is read from there. `encrypt` and
    `decrypt` work at any place of a file object.

    Give ``key``, 32 bytes, or ``password``. ``chunk``: bytes of plaintext in a chunk, a power of two from 4096 to 1048576.
    ``iterations``: of PBKDF2 for a password, by default as many as take about a second.
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
        reader = Reader(_bulat.RawReader(file, key, password, max_iterations))
        return io.TextIOWrapper(reader, **as_text) if mode == "rt" else reader
    replace = mode[0] == "w"
    raw = _bulat.RawWriter(file, key, password, cipher, chunk, iterations, replace)
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
    iterations: int | None = None,
    threads: int | None = None,
    replace: bool = True,
) -> int:
    """Encrypts a file into a container, on all processors; bytes of plaintext. Both are paths or file objects."""
    return _bulat.container_encrypt(source, destination, key, password, cipher, chunk, iterations, threads, replace)


def decrypt(
    source: ReadFile,
    destination: WriteFile,
    *,
    key: Buffer | None = None,
    password: Password | None = None,
    max_iterations: int = MAX_ITERATIONS,
    threads: int | None = None,
    replace: bool = True,
) -> int:
    """Decrypts a container, on all processors; bytes of plaintext.

    To a path the file gets its name when all of it was verified. To a file object the verified chunks are written as they
    come: on an exception do not use them, they are not the whole file.
    """
    return _bulat.container_decrypt(source, destination, key, password, max_iterations, threads, replace)


def info(file: ReadFile) -> Info:
    """What the header of a container says, and the size that follows from the file's. Nothing of it is authenticated."""
    return _bulat.container_info(file)


def read_key(path: str | os.PathLike[str]) -> bytes:
    """The key of a key file: its 32 bytes, or 64 hexadecimal digits as ``bulat key new`` writes them."""
    return _bulat.container_read_key(path)


def new_key() -> bytes:
    """A new key of 32 random bytes."""
    return os.urandom(32)
