"""Answers the runner of the vectors, a line for each line: `verification/vectors/src/serve.rs` has the protocol."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import Any

import bulat

TEXTS = {"key", "data", "iv", "aad", "tag", "salt", "label", "seed"}
WORDS = {"sboxes", "suite", "masks"}


def pieces(data: bytes) -> Iterator[bytes]:
    """Cuts a message in pieces of growing, odd lengths."""
    at, size = 0, 1
    while at < len(data):
        yield data[at : at + size]
        at, size = at + size, size * 3 % 65_537 + 1


def fed(context: Any, data: bytes) -> Any:
    for piece in pieces(data):
        context.update(piece)
    return context


def same(first: bytes, *others: bytes) -> bytes:
    """Returns what several manners must give alike."""
    if any(other != first for other in others):
        raise AssertionError("the manners differ")
    return first


def stream(begin: Callable[[], Any], data: bytes, end: str = "finalize") -> bytes:
    """Transforms a message in pieces, then in place."""
    context, out = begin(), bytearray()
    for piece in pieces(data):
        out += context.update(piece)
    out += getattr(context, end)()
    other, buffer, written = begin(), bytearray(data), 0
    if len(data) % 16 == 0:  # no block is held back
        written = other.update_into(buffer, buffer)
        buffer[written:] = getattr(other, end)()
        same(bytes(out), bytes(buffer))
    return bytes(out)


def crypt(op: str, name: str, key: bytes, data: bytes, times: int = 1, **options: Any) -> bytes:
    cipher = bulat.Cipher(name, key, **options)
    begin = getattr(cipher, op + "or")
    if times > 1:
        context = begin()
        for _ in range(times):
            data = context.update(data)
        return data
    return same(getattr(bulat, op)(name, key, data, **options), stream(begin, data))


def seal(aead: bulat.Aead, nonce: bytes, data: bytes, aad: bytes) -> bytes:
    def begin() -> bulat.SealContext:
        context = aead.encryptor(nonce)
        for piece in pieces(aad):
            context.update_aad(piece)
        return context

    buffer = bytearray(data) + bytes(aead.tag_size)
    aead.encrypt_into(nonce, memoryview(buffer)[: len(data)], aad, buffer)
    return same(aead.encrypt(nonce, data, aad), stream(begin, data), bytes(buffer))


def unseal(aead: bulat.Aead, nonce: bytes, data: bytes, aad: bytes, tag: bytes) -> bytes:
    context = aead.unverified_decryptor(nonce)
    context.update_aad(aad)
    text = b"".join(map(context.update, pieces(data)))
    context.verify(tag)
    buffer = bytearray(data + tag)
    aead.decrypt_into(nonce, buffer, aad, memoryview(buffer)[: len(data)])
    return same(text, aead.decrypt(nonce, data + tag, aad), bytes(buffer[: len(data)]))


def answer(op: str, name: str, data: bytes, key: bytes = b"", **o: Any) -> bytes:
    match op:
        case "hash":
            whole = bulat.digest(name, data, **o)
            return same(whole, fed(bulat.new(name, **o), data).digest(), bulat.batch(name, [data], **o)[0])
        case "encrypt" | "decrypt":
            return crypt(op, name, key, data, **o)
        case "mac":
            return same(bulat.mac(name, key, data, **o), fed(bulat.Mac(name, key, **o), data).digest())
        case "verify":
            tag = o.pop("tag", b"")
            bulat.Mac(name, key, data, **o).verify(tag)
            return b""
        case "seal" | "open":
            nonce, aad, tag = (o.pop(field, b"") for field in ("iv", "aad", "tag"))
            aead = bulat.Aead(name, key, **o)
            return seal(aead, nonce, data, aad) if op == "seal" else unseal(aead, nonce, data, aad, tag)
        case "derive":
            o["masks"] = o.pop("suite", None)
            return bulat.derive(name, key, o.pop("size"), **o)
        case "wrap":
            return bulat.wrap(name, key, data, o.pop("iv", b""), **o)
        case _:
            return bulat.unwrap(name, key, data, **o)


for line in sys.stdin:
    op, name, *fields = line.split()
    options: dict[str, Any] = {}
    for field, value in (pair.split("=") for pair in fields):
        options[field] = bytes.fromhex(value) if field in TEXTS else value if field in WORDS else int(value)
    if "meshing" in options:
        options["meshing"] = bool(options["meshing"])
    try:
        said = "=" + answer(op, name, **options).hex() if name in bulat.algorithms else "?"
    except bulat.Error as e:
        said = f"!{type(e).__name__} {e}"
    print(said, flush=True)
