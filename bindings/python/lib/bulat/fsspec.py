"""Containers of `bulat encrypt` through fsspec: for pandas, Dask, pyarrow, s3fs and other users of fsspec.

`bulat::s3://bucket/key` is the plaintext of the container `s3://bucket/key`. A read fetches and opens only the chunks
that it needs. A new container appears under its name when it is complete.

    pandas.read_parquet("bulat::s3://bucket/table.parquet", storage_options={"key_file": "table.key"})

`compression="bulat"` reads and writes whole streams, with the key that the environment names (import `bulat.fsspec`
first).

The key is never in the URL and never an option. The option `key_file` or `password_file` names a file, or the
environment does (`BULAT_KEY_FILE`, `BULAT_KEY`, `BULAT_PASSWORD_FILE`). Each process that opens a container reads the
key itself.
"""

from __future__ import annotations

import io
import os
import threading
import warnings
from collections.abc import Callable
from contextlib import suppress
from typing import Any, ClassVar

import fsspec
from fsspec.caching import BaseCache, register_cache
from fsspec.compression import register_compression
from fsspec.implementations.chained import ChainedFileSystem
from fsspec.spec import AbstractBufferedFile, AbstractFileSystem

from . import container
from ._errors import Error, InvalidInput
from ._keys import Keys
from ._pending import Pending, words
from ._sink import Sink, part_of

#: The length of a container's header.
HEADER = 2048
#: The most bytes to fetch ahead of a sequential reader.
AHEAD = 8 << 20


class Layout:
    """The offsets of a container's chunks, from its header and its length, which are not authenticated yet."""

    def __init__(self, header: bytes, length: int) -> None:
        info = container.info(io.BytesIO(header))
        self.chunk: int = info["chunk"]
        self.tag = 8 if info["cipher"].startswith("magma") else 16
        self.length = length
        chunks = max(1, -(-(length - HEADER) // (self.chunk + self.tag)))
        #: Bytes of plaintext.
        self.size = max(0, length - HEADER - chunks * self.tag)

    def sealed(self, start: int, end: int) -> tuple[int, int]:
        """Returns the range of the chunks with the plaintext from `start` to `end`."""
        each = self.chunk + self.tag
        first, last = start // self.chunk, max(start, end - 1) // self.chunk
        return HEADER + first * each, min(self.length, HEADER + (last + 1) * each)


class Window(io.RawIOBase):
    """A container as a file; the part to read was fetched at once."""

    def __init__(self, header: bytes, length: int, fetch: Any, name: str) -> None:
        self.length, self.fetch, self.name = length, fetch, name
        self.pieces: list[tuple[int, bytes]] = [(0, header)]
        self.at = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = 0) -> int:
        self.at = offset + (0, self.at, self.length)[whence]
        return self.at

    def hold(self, start: int, piece: bytes) -> None:
        """Replaces the bytes held, besides the header."""
        self.pieces[1:] = [(start, piece)]

    def readinto(self, out: Any) -> int:
        out = memoryview(out).cast("B")
        want = min(len(out), max(0, self.length - self.at))
        for start, piece in reversed(self.pieces):
            if start <= self.at < start + len(piece):
                part = piece[self.at - start : self.at - start + want]
                break
        else:
            part = self.fetch(self.at, self.at + want) if want else b""
        out[: len(part)] = part
        self.at += len(part)
        return len(part)


class _Chunks(BaseCache):
    """Caches the chunks opened last, and fetches ahead for a sequential reader, twice as much each time."""

    name: ClassVar[str] = "bulat"

    def __init__(self, blocksize: int, fetcher: Any, size: int, chunk: int = 1) -> None:
        super().__init__(blocksize, fetcher, size)
        self.chunk, self.start, self.text = chunk, 0, b""
        self.ahead = 0
        self._lock = threading.Lock()

    def _fetch(self, start: int | None, stop: int | None) -> bytes:
        # Threads of DuckDB share a file: each seeks and reads while it holds the GIL, which a fetch releases.
        with self._lock:
            return self._locked(start, stop)

    def _locked(self, start: int | None, stop: int | None) -> bytes:
        start, stop = start or 0, self.size if stop is None else min(stop, self.size)
        if start >= stop:
            return b""
        end = self.start + len(self.text)
        if not self.start <= start < stop <= end:
            on = self.text and self.start <= start <= end
            self.ahead = min(max(2 * self.ahead, self.chunk), self.blocksize) if on else 0
            low = start // self.chunk * self.chunk
            keep = self.text[low - self.start :] if self.start <= low < end else b""
            low += len(keep)
            high = min(-(-(stop + self.ahead) // self.chunk) * self.chunk, self.size)
            self.text = keep + self.fetcher(low, high)
            self.start = low - len(keep)
        return self.text[start - self.start : stop - self.start]


register_cache(_Chunks, clobber=True)


class BulatFile(AbstractBufferedFile):
    """The plaintext of a container, for reading."""

    def __init__(
        self, fs: BulatFileSystem, path: str, block_size: int | None = None, cache_type: str = "bulat", **kwargs: Any
    ) -> None:
        # fsspec passes the size that it knows, which may be the container's.
        kwargs.pop("size", None)
        self.header, self.layout = fs._layout(path)
        options = {"chunk": self.layout.chunk} if cache_type == "bulat" else {}
        options.update(kwargs.pop("cache_options", None) or {})
        self._window = Window(self.header, self.layout.length, self._raw, path)
        self._text = container.open(self._window, "rb", **fs.keys.secret())
        self._lock = threading.Lock()
        super().__init__(
            fs, path, "rb", block_size or AHEAD, cache_type=cache_type, cache_options=options, size=self.layout.size, **kwargs
        )

    def _raw(self, start: int, end: int) -> bytes:
        return bytes(self.fs.fs.cat_file(self.path, start=start, end=end))

    def _fetch_range(self, start: int, end: int) -> bytes:
        low, high = self.layout.sealed(start, end)
        sealed = self._raw(low, high)
        # There is one decryptor, and a cache of fsspec has no lock.
        with self._lock:
            self._window.hold(low, sealed)
            # Bypass the buffer, to read only the requested bytes.
            raw: Any = self._text.raw
            raw.seek(start)
            # A raw read returns at most one chunk.
            text, done = memoryview(bytearray(end - start)), 0
            while done < len(text) and (n := raw.readinto(text[done:])):
                done += n
        return bytes(text[:done])

    def close(self) -> None:
        if not self.closed:
            super().close()
            self._text.close()


class _Writer(io.BufferedIOBase):
    """A new container. It gets its name when it is closed; an exception removes it, as with `container.Writer`."""

    def __init__(self, fs: BulatFileSystem, path: str, autocommit: bool) -> None:
        self.path, self.autocommit = path, autocommit
        self._pending, self._forgotten, self._failed, self._at = Pending(), False, False, 0
        self._sink: Sink | None = None
        secret = fs.keys.secret()
        self._sink = Sink(fs.fs, path)
        try:
            self._text = container.open(self._sink.file, "wb", cipher=fs.cipher, chunk=fs.chunk, **secret)
        except BaseException:
            self.discard()
            raise

    def __repr__(self) -> str:
        return f"<bulat.fsspec._Writer name={self.path!r}>"

    def writable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._at

    def write(self, text: Any) -> int:
        if self.closed:
            raise ValueError("write to a closed file")
        n = memoryview(text).nbytes
        # A wrapper drops its text and closes this even if its last write fails.
        self._failed = True
        self._text.write(text)
        self._failed = False
        self._at += n
        return n

    def close(self) -> None:
        if self.closed:
            return
        if self._forgotten:
            self.discard()
        elif self._pending or self._failed:
            self.discard()
            warnings.warn(words(self), RuntimeWarning, stacklevel=2)
        else:
            self._finish()

    def _finish(self) -> None:
        """Writes the end and gives the container its name, unless a transaction does that later."""
        self._pending.forget()
        try:
            super().close()
            self._text.commit()
        except BaseException:
            self.discard()
            raise
        if self.autocommit:
            self.commit()

    def commit(self) -> None:
        """Gives the container its name, even in a transaction or during an exception."""
        if not self.closed:
            self.autocommit = True
            self._finish()
        elif self._sink is not None:
            sink, self._sink = self._sink, None
            sink.commit()

    def discard(self) -> None:
        """Discards the container."""
        self._pending.forget()
        super().close()
        sink, self._sink = self._sink, None
        if sink is not None:
            sink.discard()
        if hasattr(self, "_text"):
            self._text.discard()

    def __exit__(self, kind: Any, *rest: Any) -> None:
        if kind is not None:
            self.discard()
        elif not self.closed:
            self._finish()

    def _dealloc_warn(self, source: object) -> None:
        # A wrapper that was not closed warns before it closes this.
        self._forgotten = True
        container._unclosed(source)

    def __del__(self) -> None:
        # It was not closed, so it may be incomplete.
        if not self.closed:
            began = self._sink is not None
            self.discard()
            if began:
                container._unclosed(self)


def _below(name: str) -> Any:
    """Makes a method that the file system below has, with the path there."""

    def call(self: BulatFileSystem, path: str, *more: Any, **kwargs: Any) -> Any:
        return getattr(self.fs, name)(self._path(path), *more, **kwargs)

    call.__name__, call.__qualname__ = name, f"BulatFileSystem.{name}"
    return call


class BulatFileSystem(ChainedFileSystem):
    """The plaintext of the containers on another file system.

    `key_file`, `password_file`: names of files; without them the environment decides. `cipher`, `chunk`: of new containers. A
    password costs about a second and 256 MiB of memory, once for each container in each process: for many containers use a
    key file.
    Without `target_protocol` or `fs` the files are this machine's. Files that are not containers are listed with their own
    length, and refused when they are opened.
    """

    protocol: ClassVar[str] = "bulat"

    def __init__(
        self,
        target_protocol: str | None = None,
        target_options: dict[str, Any] | None = None,
        fs: AbstractFileSystem | None = None,
        key_file: str | None = None,
        password_file: str | None = None,
        cipher: str = "kuznyechik-mgm",
        chunk: int = 131072,
        **kwargs: Any,
    ) -> None:
        for name in ("key", "password", "secret"):
            if name in kwargs:
                raise InvalidInput(f"{name}: a key is no option; name a file with key_file or password_file")
        super().__init__(**kwargs)
        if fs is not None and target_protocol is not None:
            raise InvalidInput("fs and target_protocol: give only one of them")
        # `bulat:///folder/file` is a file of this machine.
        self.fs: Any = fs if fs is not None else fsspec.filesystem(target_protocol or "file", **(target_options or {}))
        self.keys = Keys(key_file, password_file)
        self.cipher, self.chunk = cipher, chunk
        self._headers: dict[Any, bytes] = {}
        kind: Any = type(self)
        self._path: Callable[[Any], str] = lambda path: self.fs._strip_protocol(kind._strip_protocol(path))
        self._strip_protocol = self._path

    def _layout(self, path: str) -> tuple[bytes, Layout]:
        """Returns the header and its fields."""
        info = self.fs.info(path)
        header = self._header(path, info)
        return header, Layout(header, info["size"])

    def _header(self, path: str, info: dict[str, Any]) -> bytes:
        key = (path, info["size"], *(str(info.get(k)) for k in ("mtime", "ETag", "etag", "LastModified", "created")))
        if key not in self._headers:
            if len(self._headers) > 100_000:
                self._headers.clear()
            self._headers[key] = self.fs.cat_file(path, start=0, end=min(HEADER, info["size"]))
        return self._headers[key]

    def _clear(self, infos: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Returns the listing with the lengths of the plaintexts."""
        out = []
        for info in infos:
            if info["type"] == "file" and info["size"]:
                with suppress(Error):
                    sealed = info["size"]
                    info = {**info, "size": Layout(self._header(info["name"], info), sealed).size, "sealed_size": sealed}
            out.append(info)
        return out

    def _open(self, path: str, mode: str = "rb", block_size: int | None = None, autocommit: bool = True, **kwargs: Any) -> Any:
        if mode == "rb":
            return BulatFile(self, path, block_size, **kwargs)
        if mode == "xb" and self.fs.exists(path):
            raise FileExistsError(path)
        if mode not in ("wb", "xb"):
            raise InvalidInput(f"mode {mode}: rb, wb, xb; a container is read, or written from its start")
        return _Writer(self, path, autocommit)

    def info(self, path: str, **kwargs: Any) -> dict[str, Any]:
        return self._clear([self.fs.info(self._path(path), **kwargs)])[0]

    def ls(self, path: str, detail: bool = True, **kwargs: Any) -> Any:
        infos = self.fs.ls(self._path(path), detail=True, **kwargs)
        infos = [info for info in infos if not part_of(info["name"])]
        return self._clear(infos) if detail else [i["name"] for i in infos]

    def find(self, path: str, maxdepth: int | None = None, withdirs: bool = False, detail: bool = False, **kwargs: Any) -> Any:
        found = self.fs.find(self._path(path), maxdepth=maxdepth, withdirs=withdirs, detail=True, **kwargs)
        return self._found(found, detail)

    def glob(self, path: str, maxdepth: int | None = None, **kwargs: Any) -> Any:
        detail = kwargs.pop("detail", False)
        return self._found(self.fs.glob(self._path(path), maxdepth=maxdepth, detail=True, **kwargs), detail)

    def _found(self, found: dict[str, dict[str, Any]], detail: bool) -> Any:
        found = {name: info for name, info in found.items() if not part_of(name)}
        return dict(zip(found, self._clear(list(found.values())), strict=True)) if detail else list(found)

    def cat_file(self, path: str, start: int | None = None, end: int | None = None, **kwargs: Any) -> bytes:
        with self.open(path, "rb", cache_type="none", **kwargs) as file:
            size = file.size
            low, high, _ = slice(start, end).indices(size)
            file.seek(low)
            return bytes(file.read(max(0, high - low)))

    def pipe_file(self, path: str, value: bytes, mode: str = "overwrite", **kwargs: Any) -> None:
        with self.open(path, "xb" if mode == "create" else "wb") as file:
            file.write(value)

    exists = _below("exists")
    isdir = _below("isdir")
    isfile = _below("isfile")
    mkdir = _below("mkdir")
    makedirs = _below("makedirs")
    rmdir = _below("rmdir")
    rm_file = _below("rm_file")
    created = _below("created")
    modified = _below("modified")
    checksum = _below("checksum")
    ukey = _below("ukey")

    def rm(self, path: Any, recursive: bool = False, maxdepth: int | None = None) -> None:
        paths = [path] if isinstance(path, (str, os.PathLike)) else path
        self.fs.rm([self._path(p) for p in paths], recursive=recursive, maxdepth=maxdepth)

    def cp_file(self, path1: str, path2: str, **kwargs: Any) -> None:
        # The container itself.
        self.fs.cp_file(self._path(path1), self._path(path2), **kwargs)

    def mv(self, path1: str, path2: str, **kwargs: Any) -> None:
        self.fs.mv(self._path(path1), self._path(path2), **kwargs)

    def invalidate_cache(self, path: str | None = None) -> None:
        self.fs.invalidate_cache(path)


def _compressed(file: Any, mode: str = "rb", **kwargs: Any) -> Any:
    """`compression="bulat"` of `fsspec.open`."""
    return container.open(file, "wb" if "w" in mode else "rb", **Keys().secret(), **kwargs)


if "bulat" not in fsspec.available_compressions():
    register_compression("bulat", _compressed, "bulat")
if "bulat" not in fsspec.registry:
    fsspec.register_implementation("bulat", BulatFileSystem, clobber=True)
