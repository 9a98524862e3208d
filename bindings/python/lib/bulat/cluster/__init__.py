"""Trees of files and objects on a Dask cluster: hashed, verified, encrypted, decrypted, encrypted to a new key.

    from bulat import cluster

    report = cluster.hash("s3://bucket/data", "data.sums", client=client)
    report = cluster.encrypt("s3://bucket/data", "s3://bucket/sealed", key_file="/etc/keys/data.key", client=client)
    print(report)

Places are URLs of fsspec, `bulat::` among them. Without a client a local cluster is started, with a worker for each core.

A call may be repeated: it skips finished objects and continues interrupted work. An object gets its name when it is
complete. A lost worker costs only its time. Keys are never sent: each worker reads the file that `key_file` names, on
its own machine, or its own environment (`BULAT_KEY_FILE`, `BULAT_KEY`; for the new key of `reencrypt`
`BULAT_NEW_KEY_FILE`, `BULAT_NEW_KEY`). A password costs Argon2id, about a second and 256 MiB of memory, once for each
container in each process, also for skipped ones: for more than a few objects use a key file.

These containers are not bound to their names: two swapped ones are both authentic. A list of the tree made with a key
(`key_file` of `hash`) detects it.
"""

from __future__ import annotations

import json
import os
import sys
import time
import uuid
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field
from typing import Any

import distributed
import fsspec
from dask.utils import format_bytes
from distributed.scheduler import KilledWorker

from .. import new as new_hash
from .._errors import DamagedData, InvalidInput, InvalidTag
from .._keys import Keys
from .._sink import direct, local, part_of
from ..container import read_key
from . import manifest as manifests
from . import work
from .work import Item, Recode, Result

__all__ = ["Report", "decrypt", "encrypt", "hash", "reencrypt", "verify"]

#: The most objects, and bytes, of a task.
_OBJECTS, _BYTES = 256, 64 << 20


@dataclass
class Report:
    """The result of a call."""

    operation: str
    objects: int = 0
    done: int = 0
    skipped: int = 0
    bytes: int = 0  #: plaintext processed
    seconds: float = 0.0
    workers: int = 0
    lost: int = 0  #: workers lost during the call
    changed: list[str] = field(default_factory=list)  #: `verify`: names with another digest
    failed: list[tuple[str, str]] = field(default_factory=list)  #: names, and the reasons
    remarks: list[tuple[str, str]] = field(default_factory=list)  #: names that were skipped, and the reasons
    exit: int = 0  #: the exit code of the command

    def __bool__(self) -> bool:
        return self.exit == 0

    def __str__(self) -> str:
        rate = self.bytes / self.seconds if self.seconds else 0
        lines = [
            f"{self.operation}: {self.done} done, {self.skipped} skipped, {len(self.changed)} changed, "
            f"{len(self.failed)} failed, of {self.objects}; {format_bytes(self.bytes)} in {self.seconds:.1f} s "
            f"({format_bytes(int(rate))}/s, {self.workers} workers, {self.lost} lost)"
        ]
        named = [f"  {manifests.shown(name)}: changed" for name in self.changed]
        named += [f"  {manifests.shown(name)}: {why}" for name, why in self.failed]
        named += [f"  {manifests.shown(name)}: {why}, skipped" for name, why in self.remarks]
        lines += named[:20] + ([f"  and {len(named) - 20} more"] if len(named) > 20 else [])
        return "\n".join(lines)

    def json(self) -> str:
        """Returns the report as JSON."""
        return json.dumps(asdict(self))

    def _refuse(self, name: str, why: str) -> None:
        """Counts an object that no worker gets."""
        self.objects += 1
        self._take(Result(name, "failed", why=why, exit=work.USAGE))

    def _take(self, result: Result) -> None:
        if result.state == "failed":
            self.failed.append((result.name, result.why))
            self.exit = self.exit or result.exit
        elif result.state == "skipped":
            self.skipped += 1
        else:
            self.done += 1
            self.bytes += result.bytes


@contextmanager
def _connected(client: distributed.Client | None, workers: int | None = None) -> Iterator[distributed.Client]:
    """Returns the given client, or the current client, or the client of a local cluster that ends with the call."""
    if client is None:
        with suppress(ValueError):
            client = distributed.default_client()
    if client is not None:
        yield client
        return
    count = workers or os.cpu_count() or 1
    with (
        distributed.LocalCluster(n_workers=count, threads_per_worker=1, dashboard_address="127.0.0.1:0") as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client


class _Bar:
    """A progress bar on the terminal: bytes, objects, rate."""

    def __init__(self, on: bool, label: str, objects: int, size: int) -> None:
        self.on, self.label, self.objects, self.size = on, label, objects, max(size, 1)
        self.done, self.bytes, self.begun, self.drawn = 0, 0, time.monotonic(), 0.0

    def step(self, objects: int, size: int) -> None:
        self.done += objects
        self.bytes += size
        now = time.monotonic()
        if self.on and (now - self.drawn > 0.1 or self.done == self.objects):
            self.drawn = now
            part = min(1.0, self.bytes / self.size) if self.size > 1 else self.done / max(self.objects, 1)
            rate = self.bytes / max(now - self.begun, 1e-9)
            bar = ("#" * int(30 * part)).ljust(30)
            text = f"\r{self.label} [{bar}] {100 * part:3.0f}% {self.done}/{self.objects} {format_bytes(int(rate))}/s "
            print(text, end="", file=sys.stderr, flush=True)

    def end(self) -> None:
        if self.on and self.drawn:
            print(file=sys.stderr)


def _groups(items: list[Item], threads: int) -> list[list[Item]]:
    """Groups the work into tasks: long objects first, then groups of short ones, smaller towards the end, so that all workers
    end together."""
    left = sum(item.size for item in items)
    groups: list[list[Item]] = []
    group: list[Item] = []
    size = limit = 0
    for item in sorted(items, key=lambda i: (-i.size, i.name)):
        if not group or size + item.size > limit or len(group) >= _OBJECTS:
            group = []
            groups.append(group)
            size, limit = 0, min(_BYTES, max(1 << 20, left // (4 * max(threads, 1))))
        group.append(item)
        size += item.size
        left -= item.size
    return groups


def _run(
    client: distributed.Client, report: Report, items: list[Item], progress: Any, call: Any, *arguments: Any
) -> Iterator[list[Result]]:
    """Runs the groups on the workers, and yields the result of each when it ends."""
    begun = time.monotonic()
    workers = client.nthreads()
    report.workers, report.objects = len(workers), report.objects + len(items)
    threads = sum(workers.values())
    token, label = uuid.uuid4().hex[:8], f"bulat-{report.operation}"
    waiting: dict[Any, list[Item]] = {}
    count = 0

    def submit(group: list[Item]) -> Any:
        nonlocal count
        count += 1
        # Dask's pages group tasks by the key without its last dash and digits.
        future = client.submit(call, *arguments, group, key=(f"{label}-{token}", count), pure=False, priority=-count)
        waiting[future] = group
        return future

    def ended() -> Iterator[tuple[list[Item], Any, BaseException | None]]:
        suspects: list[Item] = []
        for futures in distributed.as_completed(list(waiting), raise_errors=False).batches():
            for future, (results, error) in zip(futures, _results(client, futures), strict=True):
                group = waiting.pop(future)
                if isinstance(error, KilledWorker):
                    suspects += group
                else:
                    yield group, results, error
        # One of these tasks kills every worker that runs it: run each separately now.
        for item in suspects:
            future = submit([item])
            distributed.wait(future)
            yield waiting.pop(future), *_results(client, [future])[0]

    for group in _groups(items, threads):
        submit(group)
    if progress == "dask" and waiting:
        distributed.progress(list(waiting))
    bar = _Bar(progress is True or progress == "bar", report.operation, len(items), sum(i.size for i in items))
    for group, results, error in ended():
        if isinstance(error, KilledWorker):
            results = [Result(item.name, "failed", why="it ended every worker that took it", exit=work.IO) for item in group]
        elif error is not None:
            results = [work.failed(item, error) for item in group]
        for result in results:
            report._take(result)
        bar.step(len(group), sum(i.size for i in group))
        yield results
    bar.end()
    report.lost = len(set(workers) - set(client.nthreads()))
    report.seconds = time.monotonic() - begun


def _results(client: distributed.Client, futures: list[Any]) -> list[tuple[list[Result], BaseException | None]]:
    """Returns the results of finished tasks, or an error."""
    with suppress(Exception):
        # In one message.
        return [(results, None) for results in client.gather(futures)]
    out: list[tuple[list[Result], BaseException | None]] = []
    for future in futures:
        try:
            out.append((future.result(), None))
        except Exception as error:
            out.append(([], error))
    return out


def _place(url: str, options: dict[str, Any] | None) -> tuple[Any, str]:
    fs, path = fsspec.url_to_fs(os.fspath(url), **(options or {}))
    return fs, path.rstrip("/") if len(path) > 1 else path


def _tree(fs: Any, root: str, report: Report | None = None) -> list[tuple[Item, dict[str, Any]]]:
    """Returns the objects under a URL, or the object there, with their properties; the report lists other entries."""
    fs.invalidate_cache()
    found = fs.find(root, detail=True)
    if not found:
        fs.info(root)
    items = []
    for path, info in found.items():
        name = path.rpartition("/")[2] if path == root else path[len(root) :].lstrip("/")
        if info.get("type") != "file":
            if report is not None and info.get("type") != "directory":
                report.remarks.append((name, "a link to nothing" if info.get("islink") else "no regular file"))
        elif name and part_of(path) not in found:
            items.append((Item(name, path, info["size"] or 0), info))
    return items


def _stamp(info: dict[str, Any]) -> list[str]:
    """Returns a value that changes when the object does."""
    return [str(info.get(k)) for k in ("size", "mtime", "ino", "ETag", "etag", "LastModified", "last_modified", "generation")]


def hash(
    source: str,
    manifest: str,
    *,
    algorithm: str = "streebog256",
    key_file: str | None = None,
    client: distributed.Client | None = None,
    storage_options: dict[str, Any] | None = None,
    progress: bool | str = False,
) -> Report:
    """Hashes the tree at `source` into the list `manifest`, a local file that `bulat hash --check` reads.

    With `key_file`, which is read here, the list has a MAC: `verify` with that key refuses a list that somebody else has made.

    Digests are written to `manifest` + `.partial` as they are computed. After an interruption the next call continues from
    there, with the objects that have not changed since. After a failure there is no manifest, and the next call repeats
    the failed objects. With `key_file` each line of that file has a MAC too, and the next call uses no line that somebody
    else has written.
    """
    new_hash(algorithm)
    key = read_key(key_file) if key_file is not None else None
    report = Report("hash")
    fs, root = _place(source, storage_options)
    own = {os.path.abspath(manifest), os.path.abspath(manifest) + ".partial"} if local(fs) else set()
    tree = [(item, info) for item, info in _tree(fs, root, report) if item.source not in own]
    title = fs.unstrip_protocol(root)
    with _Journal(manifest + ".partial", [algorithm, title], key) as journal, _connected(client) as client:
        stamps = {item.name: _stamp(info) for item, info in tree}
        entries, sizes = [], 0
        left = []
        for item, _ in tree:
            if (known := journal.known.get(item.name)) and known[2] == stamps[item.name]:
                entries.append((item.name, known[0]))
                sizes += known[1]
                report.skipped += 1
                report.objects += 1
            else:
                left.append(item)
        for results in _run(client, report, left, progress, work.hash_group, fs, algorithm):
            done = [r for r in results if r.state == "done"]
            entries += [(r.name, r.digest) for r in done]
            sizes += sum(r.bytes for r in done)
            journal.add([[r.name, r.digest, r.bytes, stamps[r.name]] for r in done])
        if not report.failed:
            manifests.write(manifest, title, algorithm, entries, sizes, key)
            journal.done()
    return report


class _Journal:
    """The objects hashed so far, a line for each. With a key each line has a MAC of all lines up to it."""

    def __init__(self, path: str, head: list[str], key: bytes | None) -> None:
        self.path = path
        self.known: dict[str, tuple[str, int, list[str]]] = {}
        self.chain = None if key is None else manifests.Chain(key)
        good, last = 0, b""
        try:
            with open(path, "rb") as file:
                for number, line in enumerate(file):
                    if not line.endswith(b"\n"):
                        break
                    # The MAC comes first: nothing of a line is used before it.
                    entry = json.loads(line if self.chain is None else self.chain.verified(line))
                    if number == 0 and entry != head:
                        break
                    if number:
                        self.known[entry[0]] = (entry[1], entry[2], entry[3])
                    good += len(line)
                    last = self.chain.last if self.chain else b""
        except (FileNotFoundError, ValueError, IndexError, TypeError, InvalidTag):
            pass
        if self.chain is not None:
            self.chain.last = last or manifests.Chain.FIRST
        self.file = open(path, "r+b" if good else "wb")
        self.file.truncate(good)
        self.file.seek(good)
        if not good:
            self._write(head)

    def __enter__(self) -> _Journal:
        return self

    def __exit__(self, *_: Any) -> None:
        self.file.close()

    def _write(self, entry: Any) -> None:
        line = json.dumps(entry).encode()
        self.file.write((line if self.chain is None else self.chain.sealed(line)) + b"\n")

    def add(self, entries: Iterable[Any]) -> None:
        for entry in entries:
            self._write(entry)
        self.file.flush()

    def done(self) -> None:
        self.file.close()
        os.unlink(self.path)


def verify(
    manifest: str,
    source: str | None = None,
    *,
    algorithm: str | None = None,
    key_file: str | None = None,
    client: distributed.Client | None = None,
    storage_options: dict[str, Any] | None = None,
    progress: bool | str = False,
) -> Report:
    """Hashes the objects of the list, below `source` or the root of the list, and compares.

    `report.changed` names changed objects, `report.failed` unreadable ones; then the exit code is 1. `report.remarks` names
    objects that are not in the list. Without the `key_file` of `hash`, anyone may have written the list.
    """
    report = Report("verify")
    listed = manifests.read(manifest, read_key(key_file) if key_file is not None else None)
    root = source if source is not None else listed.root or os.getcwd()
    fs, top = _place(root, storage_options)
    by: dict[str, dict[str, tuple[Item, str]]] = {}
    one = listed.lines[0].name if len(listed.lines) == 1 else None
    single = one is not None and not one.startswith("/") and fs.isfile(top) and top.rpartition("/")[2] == one
    known = {} if single else _sizes(fs, top)
    for line in listed.lines:
        how = algorithm or line.algorithm or {64: "streebog256", 128: "streebog512"}.get(len(line.digest))
        if how is None:
            listed.malformed += 1
            continue
        absolute = line.name.startswith("/")
        if ".." in line.name.split("/") or (absolute and (listed.own or not local(fs))):
            report._refuse(line.name, "a name that leads out of the tree")
            continue
        path = top if single else line.name if absolute else f"{top.rstrip('/')}/{line.name}"
        by.setdefault(how.lower(), {})[line.name] = (Item(line.name, path, known.get(path, 0)), line.digest)
    if listed.own and not single:
        expected = {item.source for entries in by.values() for item, _ in entries.values()}
        expected.add(os.path.abspath(manifest))
        report.remarks += [(path[len(top) :].lstrip("/"), "not in the list") for path in known if path not in expected]
    if not by and not report.failed:
        raise DamagedData(f"{manifest}: no properly formatted checksum line found")
    with _connected(client) as client:
        for how, entries in by.items():
            new_hash(how)
            items = [item for item, _ in entries.values()]
            for results in _run(client, report, items, progress, work.hash_group, fs, how):
                for result in results:
                    if result.state == "done" and result.digest != entries[result.name][1]:
                        report.changed.append(result.name)
    report.changed.sort()
    report.done -= len(report.changed)
    if report.changed or report.failed:
        report.exit = work.MISMATCH
    return report


def _sizes(fs: Any, root: str) -> dict[str, int]:
    """Returns the lengths of the objects, to divide the work equally."""
    try:
        return {item.source: item.size for item, _ in _tree(fs, root)}
    except FileNotFoundError:
        return {}


def _recode(
    operation: str,
    source: str,
    target: str | None,
    rename: Any,
    job: dict[str, Any],
    client: distributed.Client | None,
    options: dict[str, Any] | None,
    target_options: dict[str, Any] | None,
    progress: bool | str,
) -> Report:
    report = Report(operation)
    fs, root = _place(source, options)
    if target is None:
        to, top = fs, root
    else:
        same = source.partition("://")[0] == target.partition("://")[0]
        to, top = _place(target, options if target_options is None and same else target_options)
        if to == fs and (f"{top}/".startswith(f"{root}/") or f"{root}/".startswith(f"{top}/")):
            raise InvalidInput("source and target: one lies in the other")
    items, names = [], set()
    to.invalidate_cache()
    there = set(to.find(top)) if to.exists(top) else set()
    for item, _ in _tree(fs, root, report):
        # After a killed decryption it is plaintext; or somebody's own: a run that left it out must not end well.
        name = rename(item.name)
        if part_of(item.source):
            report._refuse(item.name, "it has the name of what a killed run leaves")
        elif name is None:
            report._refuse(item.name, "not named *.bulat")
        elif ".." in name.split("/"):
            report._refuse(item.name, "a name that leads out of the tree")
        else:
            path = item.source if target is None else f"{top}/{name}"
            items.append(Item(item.name, item.source, item.size, path, path in there))
            names.add(path)
    call = Recode(fs, to, **job)
    with _connected(client) as client:
        for _ in _run(client, report, items, progress, work.recode_group, call):
            pass
    _clean(to, top, names)
    return report


def _clean(fs: Any, top: str, names: set[str]) -> None:
    """Removes partial files of these objects that lost workers left."""
    if direct(fs) or not fs.exists(top):
        return
    for path in fs.find(top):
        if part_of(path) in names:
            with suppress(FileNotFoundError):
                fs.rm_file(path)


def encrypt(
    source: str,
    target: str,
    *,
    key_file: str | None = None,
    password_file: str | None = None,
    cipher: str = "kuznyechik-mgm",
    chunk: int = 131072,
    suffix: str = ".bulat",
    force: bool = False,
    client: distributed.Client | None = None,
    storage_options: dict[str, Any] | None = None,
    target_options: dict[str, Any] | None = None,
    progress: bool | str = False,
) -> Report:
    """Encrypts the tree at `source` into containers below `target`, named with `suffix`.

    A target that exists under this key, with the length of its source and not older, is skipped; `force` writes all again.
    """
    job = {"open": None, "seal": Keys(key_file, password_file), "cipher": cipher, "chunk": chunk, "force": force}
    return _recode("encrypt", source, target, lambda name: name + suffix, job, client, storage_options, target_options, progress)


def decrypt(
    source: str,
    target: str,
    *,
    key_file: str | None = None,
    password_file: str | None = None,
    suffix: str = ".bulat",
    force: bool = False,
    client: distributed.Client | None = None,
    storage_options: dict[str, Any] | None = None,
    target_options: dict[str, Any] | None = None,
    progress: bool | str = False,
) -> Report:
    """Decrypts the containers at `source` into files below `target`, their names without `suffix`.

    A file gets its name when the whole container is verified. A file that exists, with the length of the plaintext and not
    older, is skipped; `force` writes all again.
    """

    def rename(name: str) -> str | None:
        plain = name.removesuffix(suffix)
        return plain if not suffix or (plain != name and plain and not plain.endswith("/")) else None

    job = {"open": Keys(key_file, password_file), "seal": None, "force": force}
    return _recode("decrypt", source, target, rename, job, client, storage_options, target_options, progress)


def reencrypt(
    source: str,
    target: str | None = None,
    *,
    key_file: str | None = None,
    password_file: str | None = None,
    new_key_file: str | None = None,
    new_password_file: str | None = None,
    cipher: str = "kuznyechik-mgm",
    chunk: int = 131072,
    force: bool = False,
    client: distributed.Client | None = None,
    storage_options: dict[str, Any] | None = None,
    target_options: dict[str, Any] | None = None,
    progress: bool | str = False,
) -> Report:
    """Encrypts the containers at `source` to a new key, in place or below `target`.

    A container that opens with the new key is skipped. Each is replaced at once, after all of it was verified under the
    old key and written under the new key.
    """
    job = {
        "open": Keys(key_file, password_file),
        "seal": Keys(new_key_file, new_password_file, "BULAT_NEW"),
        "cipher": cipher,
        "chunk": chunk,
        "force": force,
    }
    return _recode("reencrypt", source, target, lambda name: name, job, client, storage_options, target_options, progress)
