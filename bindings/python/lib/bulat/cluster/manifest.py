"""A list of checksums of a tree: what `bulat hash --check` reads, with a head and an end that make it whole.

    # bulat.cluster manifest 1
    # root: s3://bucket/data
    <hex>  <name>
    # end: 2 files, 1234 bytes, streebog256 <hex of all lines before this one>
    # mac: hmac-streebog256 <hex of all lines before this one, under a key>

The end tells a list that was cut or damaged, and nothing of one that somebody has made anew: the last line does, which is
there when a key was given.

Lines that begin with `#` are passed over by `bulat hash --check`. Names are relative to the root: check with the command
in that folder. A list without head and end (of `bulat hash`, `gost12sum`, OpenSSL) is read, too.
"""

from __future__ import annotations

import os
import re
import tempfile
from dataclasses import dataclass, field

from .. import Mac, derive
from .. import new as new_hash
from .._errors import DamagedData, InvalidTag

HEAD = b"# bulat.cluster manifest 1\n"
_END = re.compile(rb"# end: (\d+) files, (\d+) bytes, (\S+) ([0-9a-f]+)\n")
_MAC = re.compile(rb"# mac: hmac-streebog256 ([0-9a-f]{64})\n")
_LINE = re.compile(rb"[ \t]*(\\?)([0-9A-Fa-f]{32,}) (?:[ *](?=.))?(.+)", re.DOTALL)
_BSD = re.compile(rb"(\\?)([A-Za-z0-9_./-]{1,31}) ?\((.+)\) ?= ([0-9A-Fa-f]{32,})", re.DOTALL)
_LETTERS = {b"\n": b"\\n", b"\r": b"\\r", b"\\": b"\\\\"}


@dataclass(frozen=True)
class Line:
    """A name and its digest; the algorithm where the line or the list names it."""

    name: str
    digest: str
    algorithm: str | None = None


@dataclass
class Manifest:
    """What a list says."""

    lines: list[Line] = field(default_factory=list)
    root: str | None = None
    own: bool = False  #: it has the head of such a list
    malformed: int = 0


def _escaped(name: str) -> bytes:
    """The name as a line has it, and before it the mark of an escaped one: a name that holds `\\` is escaped itself."""
    raw = os.fsencode(name)
    shown = re.sub(rb"[\n\r\\]", lambda m: _LETTERS[m[0]], raw)
    return shown if shown == raw else b"\\" + shown


def shown(name: str) -> str:
    """A name for a terminal: on one line, and it draws nothing."""
    text = _escaped(name).decode("utf-8", "backslashreplace")
    return "".join(c if c.isprintable() else f"\\x{ord(c):02x}" for c in text)


def line(digest: str, name: str) -> bytes:
    """A line of the list, as coreutils have it."""
    shown = _escaped(name)
    mark = b"" if shown == os.fsencode(name) else b"\\"
    return mark + digest.encode() + b"  " + shown.removeprefix(mark) + b"\n"


def _mac(key: bytes, text: bytes) -> Mac:
    """The MAC of a list, under a key that comes of a key file's: no container's key does so."""
    return Mac("hmac-streebog256", derive("kdf-gostr3411-2012-256", key, label=b"bulat/1 manifest"), text)


def write(
    path: str, root: str | None, algorithm: str, entries: list[tuple[str, str]], total: int, key: bytes | None = None
) -> None:
    """Writes the list, sorted by name: whole, or not at all."""
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
    folder, name = os.path.split(os.path.abspath(path))
    part = tempfile.NamedTemporaryFile(dir=folder, prefix=f".{name}.", suffix=".part", delete=False)
    try:
        with part:
            part.write(body)
            part.flush()
            os.fsync(part.fileno())
        os.chmod(part.name, 0o666 & ~_umask())
        os.replace(part.name, path)
    except BaseException:
        os.unlink(part.name)
        raise


def _umask() -> int:
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


def read(path: str, key: bytes | None = None) -> Manifest:
    """Reads a list; one with a head must have its end, and be what was written. With a key it must have the MAC, too."""
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
            raise InvalidTag(f"{path}: the manifest is not what was written under this key") from None
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
    """A line's name, digest and algorithm."""
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
