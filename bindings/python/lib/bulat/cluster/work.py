"""The work of a worker: a call for a group of objects. It reads its key itself, from a file or from its environment."""

from __future__ import annotations

import errno
import os
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

from .. import batch, container
from .. import new as new_hash
from .._errors import Error, InvalidInput, InvalidTag, WrongKey
from .._keys import Keys
from .._sink import Sink, local
from ..fsspec import HEADER, Layout, Window

#: Bytes read at a time: they fit the second-level cache together with the hash.
PIECE = 1 << 20
#: Objects up to this many bytes are hashed side by side: the library is faster with eight at a time.
SMALL = 8 << 20
#: The most bytes of them in memory at once.
TOGETHER = 32 << 20
#: The number of messages that the library hashes side by side.
WIDTH = 8
#: Bytes per request to an object store.
BLOCK = 8 << 20
#: Objects of an object store that a worker's thread processes at once.
REQUESTS = 8

#: The exit codes of the command.
MISMATCH, USAGE, IO, KEY, DATA = 1, 2, 3, 4, 5


@dataclass
class Result:
    """The result of an object."""

    name: str
    state: str  #: "done", "skipped" or "failed"
    bytes: int = 0
    digest: str = ""
    why: str = ""
    exit: int = 0


@dataclass(frozen=True)
class Item:
    """An object: its name for people, and its URLs."""

    name: str
    source: str
    size: int = 0
    target: str = ""
    there: bool = True  #: the target existed when the work was distributed


def failed(item: Item, error: BaseException) -> Result:
    """Returns the result of an object that raised an exception."""
    kinds = {WrongKey: KEY, InvalidTag: KEY, InvalidInput: USAGE, OSError: IO}
    exit = next((code for kind, code in kinds.items() if isinstance(error, kind)), DATA)
    words = str(error) or type(error).__name__
    if isinstance(error, OSError) and error.strerror:
        words = error.strerror
    return Result(item.name, "failed", why=words, exit=exit)


def _each(near: bool, items: list[Item], work: Callable[[Item], Result]) -> list[Result]:
    """Runs them in turn, or several at a time if each is a request to another machine."""

    def tried(item: Item) -> Result:
        try:
            return work(item)
        except Exception as error:
            return failed(item, error)

    if near or len(items) <= 1:
        return [tried(item) for item in items]
    with ThreadPoolExecutor(min(REQUESTS, len(items))) as pool:
        return list(pool.map(tried, items))


def _stamp(file: int) -> tuple[int, int, int]:
    at = os.fstat(file)
    return at.st_size, at.st_mtime_ns, at.st_ino


def _digest(fs: Any, path: str, algorithm: str) -> tuple[str, int]:
    """Returns the digest of an object, and its length."""
    hash, length = new_hash(algorithm), 0
    if local(fs):
        piece = memoryview(bytearray(PIECE))
        with open(path, "rb", buffering=0) as file:
            before = _stamp(file.fileno())
            while n := file.readinto(piece):
                hash.update(piece[:n])
                length += n
            if _stamp(file.fileno()) != before:
                raise OSError(errno.EBUSY, "the file changed while it was read")
    else:
        with fs.open(path, "rb", block_size=BLOCK) as file:
            while text := file.read(BLOCK):
                hash.update(text)
                length += len(text)
    return hash.hexdigest(), length


def hash_group(fs: Any, algorithm: str, items: list[Item]) -> list[Result]:
    """Hashes objects: small objects side by side, larger objects in turn."""
    near = local(fs)
    results: dict[str, Result] = {}
    room = _room() if near else memoryview(b"")

    def whole(item: Item) -> Result:
        digest, length = _digest(fs, item.source, algorithm)
        return Result(item.name, "done", length, digest)

    for part in _parts([item for item in items if item.size <= SMALL]):
        texts: dict[str, Any] = {}
        places = dict(zip([item.name for item in part], accumulate((i.size + 1 for i in part), initial=0), strict=False))

        def read(item: Item, texts: dict[str, Any] = texts, places: dict[str, int] = places) -> Result:
            if near:
                texts[item.name] = _text(item, room[places[item.name] :][: item.size + 1])
            else:
                texts[item.name] = fs.cat_file(item.source)
            if len(texts[item.name]) > item.size:
                # The file has grown.
                del texts[item.name]
                return whole(item)
            return Result(item.name, "done", len(texts[item.name]))

        results.update((result.name, result) for result in _each(near, part, read))
        for name, digest in zip(texts, batch(algorithm, texts.values()), strict=True):
            results[name].digest = bytes(digest).hex()
    results.update((r.name, r) for r in _each(near, [item for item in items if item.size > SMALL], whole))
    return [results[item.name] for item in items]


_kept = threading.local()


def _room() -> memoryview:
    """A thread's buffer, which is kept: new memory from the system costs a third of the time of hashing."""
    if not hasattr(_kept, "room"):
        _kept.room = memoryview(bytearray(TOGETHER))
    room: memoryview = _kept.room
    return room


def _parts(items: list[Item]) -> list[list[Item]]:
    """Groups objects that fit into memory together, or into the cache if that allows `WIDTH` of them."""
    parts: list[list[Item]] = []
    used = TOGETHER
    for item in items:
        if used + item.size + 1 > TOGETHER or (used > TOGETHER // 4 and len(parts[-1]) >= WIDTH):
            parts.append([])
            used = 0
        parts[-1].append(item)
        used += item.size + 1
    return parts


def _text(item: Item, room: memoryview) -> memoryview:
    """Reads a file into a buffer that has room for it and a byte more."""
    with open(item.source, "rb", buffering=0) as file:
        before, n = _stamp(file.fileno()), 0
        while more := file.readinto(room[n:]):
            n += more
        if _stamp(file.fileno()) != before:
            raise OSError(errno.EBUSY, "the file changed while it was read")
    return room[:n]


@dataclass(frozen=True)
class Recode:
    """Encrypts, decrypts, or reencrypts: the keys of source and target."""

    source: Any
    target: Any
    open: Keys | None  #: the key of the source; None: it is plaintext
    seal: Keys | None  #: the key of the target; None: it is plaintext
    cipher: str = "kuznyechik-mgm"
    chunk: int = 131072
    threads: int = 1
    force: bool = False


def recode_group(job: Recode, items: list[Item]) -> list[Result]:
    """Encrypts, decrypts or reencrypts a group of objects. Each gets its name when it is complete."""
    try:
        old = job.open.secret() if job.open else None
        new = job.seal.secret() if job.seal else None
    except Exception as error:
        return [failed(item, error) for item in items]

    def one(item: Item) -> Result:
        if item.there and not job.force and _is_done(job, item, new):
            return Result(item.name, "skipped", item.size)
        return Result(item.name, "done", _recode(job, item, old, new))

    return _each(local(job.source) and local(job.target), items, one)


def _recode(job: Recode, item: Item, old: Any, new: Any) -> int:
    """Writes the object. Returns the length of the plaintext."""
    made: dict[str, Any] = {"cipher": job.cipher, "chunk": job.chunk}
    near = local(job.source)
    if near and local(job.target) and (old is None or new is None):
        # Between files a single call does everything, and renames at the end.
        os.makedirs(os.path.dirname(item.target), exist_ok=True)
        if new is not None:
            return container.encrypt(item.source, item.target, **made, **new, threads=job.threads)
        return container.decrypt(item.source, item.target, **old, threads=job.threads)
    length = 0
    with ExitStack() as stack:
        source: Any = open(item.source, "rb", buffering=0) if near else job.source.open(item.source, "rb", block_size=BLOCK)
        stack.enter_context(source)
        before = _stamp(source.fileno()) if near else None
        reader = source if old is None else stack.enter_context(container.open(source, "rb", **old))
        sink = Sink(job.target, item.target)
        sealed: container.Writer | None = None
        try:
            if new is not None:
                sealed = container.open(sink.file, "wb", **made, **new)
            writer = sink.file if sealed is None else sealed
            while text := reader.read(PIECE):
                writer.write(text)
                length += len(text)
            if before is not None and _stamp(source.fileno()) != before:
                raise OSError(errno.EBUSY, "the file changed while it was read")
            if sealed is not None:
                sealed.commit()
            sink.commit()
        except BaseException:
            if sealed is not None:
                sealed.discard()
            sink.discard()
            raise
    return length


def _plain_size(fs: Any, path: str, length: int, secret: Any = None) -> int:
    """Returns the length of a container's plaintext by its header; with a secret the header is authenticated."""
    header = fs.cat_file(path, start=0, end=min(HEADER, length))
    layout = Layout(header, length)
    if secret is not None:
        window = Window(header, length, lambda low, high: fs.cat_file(path, start=low, end=high), path)
        container.open(window, "rb", **secret).close()
    return layout.size


def _is_done(job: Recode, item: Item, new: Any) -> bool:
    """Returns whether the target exists for this source, under the new key. It is complete: incomplete ones have no name.

    "For this source" means: of its length and not older. Other existing files are not overwritten.
    """
    try:
        have = job.target.info(item.target)
    except FileNotFoundError:
        return False
    in_place = job.source == job.target and item.source == item.target
    size = have["size"]
    if new is not None:
        try:
            size = _plain_size(job.target, item.target, size, new)
        except Error as error:
            if in_place:
                return False
            raise FileExistsError(errno.EEXIST, f"{item.target} exists, and is no container under this key ({error})") from error
        if in_place:
            return True
    try:
        older = job.target.modified(item.target) < job.source.modified(item.source)
    except NotImplementedError:
        return False
    if older:
        return False
    same = size == (item.size if job.open is None else _plain_size(job.source, item.source, item.size))
    if new is None and not same:
        raise FileExistsError(errno.EEXIST, f"{item.target} exists, and differs from the container")
    return bool(same)
