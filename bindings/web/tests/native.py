"""Answers calls by libbulat, for fuzz.test.mjs: native.py LIBRARY, a call in JSON a line, a result a line: digits, or "error" and its message."""

import ctypes as c
import json
import sys

lib = c.CDLL(sys.argv[1])
lib.bulat_algorithm_find.restype = c.c_void_p
lib.bulat_result_message.restype = c.c_char_p
for name in ("bulat_key_tag_size", "bulat_wrapped_size"):
    getattr(lib, name).restype = c.c_size_t


class Algorithm(c.Structure):
    _fields_ = [*((name, c.c_void_p) for name in ("name", "oid", "note", "aliases")), ("kind", c.c_int), *((name, c.c_size_t) for name in ("key", "block", "output", "iv", "least", "most", "step"))]


class Options(c.Structure):
    _fields_ = [*((name, c.c_size_t) for name in ("tagSize", "section", "period", "s")), ("padding", c.c_int), ("meshing", c.c_int), *((name, c.c_char_p) for name in ("sboxes", "rows", "kernel")), ("reserved", c.c_size_t * 4)]


class Params(c.Structure):
    _fields_ = [
        *(field for name in ("key", "salt", "label", "seed") for field in ((name, c.c_char_p), (f"{name}_len", c.c_size_t))),
        ("iterations", c.c_uint32), ("counter", c.c_uint32), ("masks", c.c_uint64 * 3), ("record", c.c_uint64), ("reserved", c.c_size_t * 4),
    ]  # fmt: skip


class Failed(Exception):
    pass


def check(result: int):
    if result:
        raise Failed(result)


def with_length(*all: bytes):
    return [part for data in all for part in (c.c_char_p(data), c.c_size_t(len(data)))]


def options(of: dict) -> Options:
    numbers = {name: of[name] for name in ("tagSize", "section", "period", "s") if name in of}
    paddings = ["none", "procedure1", "procedure2", "procedure3", "pkcs7"]
    return Options(**numbers, padding=paddings.index(of.get("padding", "none")), meshing={None: 0, True: 1, False: 2}[of.get("meshing")], sboxes=of.get("sboxes", "").encode() or None)


def answer(call: str, name: str, of: dict, key=b"", iv=b"", data=b"", aad=b"", length=0, **params) -> bytes:
    algorithm = c.c_void_p(lib.bulat_algorithm_find(name.encode()))
    entry = c.cast(algorithm, c.POINTER(Algorithm)).contents
    if call == "derive":
        out = c.create_string_buffer(length)
        given = {name: bytes.fromhex(value) for name, value in params.items() if name in ("salt", "label", "seed")} | {"key": key}
        filled = Params(
            **{part: value for name, data in given.items() for part, value in ((name, data), (f"{name}_len", len(data)))},
            iterations=params.get("iterations", 0), counter=params.get("counter", 0), masks=(c.c_uint64 * 3)(*map(int, params.get("masks", []))), record=int(params.get("record", 0)),
        )  # fmt: skip
        check(lib.bulat_derive(algorithm, c.byref(filled), out, c.c_size_t(length)))
        return out.raw
    if call in ("wrap", "unwrap"):
        if call == "wrap":
            size = lib.bulat_wrapped_size(algorithm, c.c_size_t(len(iv)), c.c_size_t(len(data)))
        elif entry.least < entry.most:
            size = 64 if len(data) >= 72 else 32
        else:
            size = max(len(data) - lib.bulat_wrapped_size(algorithm, c.c_size_t(len(iv) or entry.iv), c.c_size_t(32)) + 32, 0)
        out = c.create_string_buffer(size)
        check(getattr(lib, f"bulat_{call}")(algorithm, *with_length(key, iv), c.byref(options(of)), *with_length(data), out, c.c_size_t(size)))
        return out.raw
    made = c.c_void_p()
    check(lib.bulat_key_new(c.byref(made), algorithm, *with_length(key), c.byref(options(of))))
    tag_size = lib.bulat_key_tag_size(made)
    try:
        if call == "mac":
            ctx, out = c.c_void_p(), c.create_string_buffer(tag_size)
            check(lib.bulat_mac_new(c.byref(ctx), made, *with_length(iv)))
            try:
                check(lib.bulat_mac_update(ctx, *with_length(data)))
                check(lib.bulat_mac_final(ctx, out, c.c_size_t(tag_size)))
            finally:
                lib.bulat_mac_free(ctx)
            return out.raw
        if call == "seal":
            out, tag = c.create_string_buffer(len(data)), c.create_string_buffer(tag_size)
            check(lib.bulat_seal(made, *with_length(iv, aad), c.c_char_p(data), out, c.c_size_t(len(data)), tag, c.c_size_t(tag_size)))
            return out.raw + tag.raw
        written, out = c.c_size_t(), c.create_string_buffer(len(data) + 16)
        check(getattr(lib, f"bulat_{call}")(made, *with_length(iv, data), out, c.c_size_t(len(data) + 16), c.byref(written)))
        return out.raw[: written.value]
    finally:
        lib.bulat_key_free(made)


def hashed(name: str, data: bytes) -> bytes:
    algorithm = c.c_void_p(lib.bulat_algorithm_find(name.encode()))
    out = c.create_string_buffer(c.cast(algorithm, c.POINTER(Algorithm)).contents.output)
    check(lib.bulat_hash(algorithm, *with_length(data), out, c.c_size_t(len(out))))
    return out.raw


for line in sys.stdin:
    given = json.loads(line)
    for name in ("key", "iv", "data", "aad"):
        if name in given:
            given[name] = bytes.fromhex(given[name])
    try:
        print((hashed(given["name"], given["data"]) if given["call"] == "hash" else answer(**given)).hex())
    except Failed as failed:
        print("error", lib.bulat_result_message(failed.args[0]).decode())
