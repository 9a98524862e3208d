"""A list of checksums of a tree, readable by `bulat hash --check`, with a head and an end.

    # bulat.cluster manifest 1
    # root: s3://bucket/data
    <hex>  <name>
    # end: 2 files, 1234 bytes, streebog256 <hex of all lines before this>
    # mac: hmac-streebog256 <hex of all lines before this, under a key>

The end detects a truncated or damaged list. The last line, which needs a key, also detects a list that somebody else has
made.

`bulat hash --check` ignores lines that begin with `#`. Names are relative to the root: run the command in that folder.
Lists without head and end (of `bulat hash`, `gost12sum`, OpenSSL) are read, too.
"""

from __future__ import annotations

import io
import os
import re
from dataclasses import dataclass, field

from fsspec.implementations.local import LocalFileSystem

from .. import Mac, derive
from .. import new as new_hash
from .._errors import DamagedData, InvalidTag
from .._sink import Sink

HEAD = b"# bulat.cluster manifest 1\n"
_END = re.compile(rb"# end: (\d+) files, (\d+) bytes, (\S+) ([0-9a-f]+)\n")
_MAC = re.compile(rb"# mac: hmac-streebog256 ([0-9a-f]{64})\n")
_LINE = re.compile(rb"[ \t]*(\\?)([0-9A-Fa-f]{32,}) (?:[ *](?=.))?(.+)", re.DOTALL)
_BSD = re.compile(rb"(\\?)([A-Za-z0-9_./-]{1,31}) ?\((.+)\) ?= ([0-9A-Fa-f]{32,})", re.DOTALL)
_LETTERS = {b"\n": b"\\n", b"\r": b"\\r", b"\\": b"\\\\"}


@dataclass(frozen=True)
class Line:
    """A name and its digest, and the algorithm if the line or the list names it."""

    name: str
    digest: str
    algorithm: str | None = None


@dataclass
class Manifest:
    """The content of a list."""

    lines: list[Line] = field(default_factory=list)
    root: str | None = None
    own: bool = False  #: the list has a head
    malformed: int = 0


def _escaped(name: str) -> bytes:
    """Returns the name for a line. A name with a line end or `\\` is escaped, with a mark before it."""
    raw = os.fsencode(name)
    shown = re.sub(rb"[\n\r\\]", lambda m: _LETTERS[m[0]], raw)
    return shown if shown == raw else b"\\" + shown


def shown(name: str) -> str:
    """Returns a name for a terminal: on one line, without control characters."""
    text = _escaped(name).decode("utf-8", "backslashreplace")
    return "".join(c if c.isprintable() else f"\\x{ord(c):02x}" for c in text)


def line(digest: str, name: str) -> bytes:
    """Returns a line of the list, in the form of coreutils."""
    shown = _escaped(name)
    mark = b"" if shown == os.fsencode(name) else b"\\"
    return mark + digest.encode() + b"  " + shown.removeprefix(mark) + b"\n"


def _mac(key: bytes, text: bytes) -> Mac:
    """Returns the MAC of a list. Its key is derived from the key file's, differently from every container's key."""
    return Mac("hmac-streebog256", derive("kdf-gostr3411-2012-256", key, label=b"bulat/1 manifest"), text)


class Chain:
    """The MACs of lines that are written in turn: each of the line and the MAC before it, so that no line can be
    changed, moved or left out before another."""

    FIRST = bytes(32)

    def __init__(self, key: bytes) -> None:
        self.key = derive("kdf-gostr3411-2012-256", key, label=b"bulat/1 journal")
        self.last = self.FIRST

    def sealed(self, line: bytes) -> bytes:
        """Returns a line, without its end, with its MAC."""
        self.last = Mac("hmac-streebog256", self.key, self.last + line).digest()
        return self.last.hex().encode() + b" " + line

    def verified(self, line: bytes) -> bytes:
        """Returns the text of a line of the file."""
        tag, _, text = line.removesuffix(b"\n").partition(b" ")
        if not re.fullmatch(rb"[0-9a-f]{64}", tag):
            raise InvalidTag("a line without a MAC")
        Mac("hmac-streebog256", self.key, self.last + text).verify(bytes.fromhex(tag.decode()))
        self.last = bytes.fromhex(tag.decode())
        return text


def write(
    path: str, root: str | None, algorithm: str, entries: list[tuple[str, str]], total: int, key: bytes | None = None
) -> None:
    """Writes the list, sorted by name: completely, or not at all."""
    text = [HEAD]
    if root is not None:
        text.append(b"# root: " + _escaped(root) + b"\n")
    text += [line(digest, name) for name, digest in sorted(entries, key=lambda e: os.fsencode(e[0]))]
    body = b"".join(text)
    hash = new_hash(algorithm)
    hash.update(body)
    body += f"# end: {len(entries)} files, {total} bytes, {algorithm} {hash.hexdigest()}\n".encode()
    if key is not None:
        body += f"# mac: hmac-streebog256 {_mac(key, body).hexdigest()}\n".encode()
    sink = Sink(LocalFileSystem(), os.path.abspath(path))
    try:
        file = io.BufferedWriter(sink.file)
        file.write(body)
        file.flush()
        sink.commit()
    except BaseException:
        sink.discard()
        raise


def read(path: str, key: bytes | None = None) -> Manifest:
    """Reads a list. If it has a head, it must have its end and be unchanged. With a key it must also have the MAC."""
    with open(path, "rb") as file:
        text = file.read()
    manifest = Manifest()
    named = None
    keyed = _MAC.fullmatch(text[text.rstrip(b"\n").rfind(b"\n") + 1 :])
    if keyed:
        text = text[: -len(keyed[0])]
    if key is not None:
        if not keyed:
            raise InvalidTag(f"{path}: the manifest has no MAC: it was made without a key")
        try:
            _mac(key, text).verify(bytes.fromhex(keyed[1].decode()))
        except InvalidTag:
            raise InvalidTag(f"{path}: the manifest was not written under this key, or was changed") from None
    if text.startswith(HEAD):
        manifest.own = True
        at = text.rstrip(b"\n").rfind(b"\n") + 1
        end = _END.fullmatch(text[at:])
        if not end:
            raise DamagedData(f"{path}: the manifest has no end: it was cut")
        named = end[3].decode()
        hash = new_hash(named)
        hash.update(text[:at])
        if hash.hexdigest() != end[4].decode():
            raise DamagedData(f"{path}: the manifest is not as it was written")
    for raw in text.split(b"\n"):
        if raw.startswith(b"# root: ") and named:
            manifest.root = os.fsdecode(_plain(raw[8:]))
        if not raw or raw.startswith(b"#") or raw == b"\r":
            continue
        parsed = parse(raw.removesuffix(b"\r"))
        if parsed is None:
            manifest.malformed += 1
        else:
            manifest.lines.append(Line(parsed[0], parsed[1], parsed[2] or named))
    return manifest


def _plain(raw: bytes) -> bytes:
    if not raw.startswith(b"\\"):
        return raw
    return _unescaped(raw[1:]) or raw


def _unescaped(raw: bytes) -> bytes | None:
    if re.search(rb"\\(?:[^nr\\]|$)", raw.replace(b"\\\\", b"")):
        return None
    return re.sub(rb"\\([nr\\])", lambda m: {b"n": b"\n", b"r": b"\r", b"\\": b"\\"}[m[1]], raw)


def parse(raw: bytes) -> tuple[str, str, str | None] | None:
    """Returns a line's name, digest and algorithm."""
    if found := _LINE.fullmatch(raw):
        mark, digest, name, algorithm = found[1], found[2], found[3], None
    elif found := _BSD.fullmatch(raw):
        mark, algorithm, name, digest = found[1], found[2].decode(), found[3], found[4]
    else:
        return None
    plain = _unescaped(name) if mark else name
    if plain is None or len(digest) % 2:
        return None
    return os.fsdecode(plain), digest.decode().lower(), algorithm
