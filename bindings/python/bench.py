#!/usr/bin/env python3
"""Compares the speed with other packages, in one run, after comparing every answer.

    python bindings/python/bench.py [--library target/release/libbulat_capi.so] [--seconds 0.3]

The others: libbulat through ctypes, which is the Rust code without the package; streebog-rs and gostcrypto if installed;
`hashlib` over gost-engine's provider if OpenSSL has it.
"""

from __future__ import annotations

import argparse
import ctypes
import hashlib
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import bulat

SIZES = {"64 B": 64, "1 KB": 1 << 10, "1 MB": 1 << 20, "64 MB": 64 << 20}
# These are too slow for longer texts: their speed is measured at these lengths.
SLOW = {"gostcrypto": 4 << 10, "streebog-rs": 64 << 10}
KEY, IV = bytes(range(32)), bytes(range(8))
GOSTPROV = {"streebog256": "md_gost12_256", "streebog512": "md_gost12_512"}


def data_of(size: int) -> bytes:
    return random.Random(size).randbytes(size)


def best(calls: dict[str, Callable[[], object]], seconds: float) -> dict[str, float]:
    """Returns the least time of a call, with runs in turn."""
    loops, times = {}, dict.fromkeys(calls, float("inf"))
    for name, call in calls.items():
        begun = time.perf_counter()
        call()
        loops[name] = max(1, int(0.005 / max(time.perf_counter() - begun, 1e-7)))
    begun = time.perf_counter()
    rounds = 0
    while rounds < 3 or time.perf_counter() - begun < seconds * len(calls):
        rounds += 1
        for name, call in calls.items():
            each = range(loops[name])
            start = time.perf_counter()
            for _ in each:
                call()
            times[name] = min(times[name], (time.perf_counter() - start) / loops[name])
    return times


class Library:
    """libbulat through ctypes."""

    def __init__(self, path: Path) -> None:
        self.lib = ctypes.CDLL(str(path))
        self.lib.bulat_algorithm_find.restype = ctypes.c_void_p

    def hash(self, name: str, data: bytes) -> tuple[Callable[[], object], ctypes.Array[ctypes.c_char]]:
        algorithm = ctypes.c_void_p(self.lib.bulat_algorithm_find(name.encode()))
        out = ctypes.create_string_buffer(bulat.algorithms[name].output_size)
        size, n = ctypes.c_size_t(len(data)), ctypes.c_size_t(len(out))
        return lambda: self.lib.bulat_hash(algorithm, data, size, out, n), out

    def ctr(self, data: bytes) -> tuple[Callable[[], object], ctypes.Array[ctypes.c_char]]:
        algorithm = ctypes.c_void_p(self.lib.bulat_algorithm_find(b"kuznyechik-ctr"))
        key, context, written = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_size_t()
        size = ctypes.c_size_t(len(data))
        self.lib.bulat_key_new(ctypes.byref(key), algorithm, KEY, ctypes.c_size_t(32), None)
        self.lib.bulat_cipher_new(ctypes.byref(context), key, 1, IV, ctypes.c_size_t(8))
        out = ctypes.create_string_buffer(len(data))
        into = ctypes.cast(out, ctypes.c_void_p)

        def call() -> None:
            self.lib.bulat_cipher_reset(context, IV, ctypes.c_size_t(8))
            self.lib.bulat_cipher_update(context, data, into, size, ctypes.byref(written))

        return call, out


def gostprov(seconds: float) -> dict[str, Any]:
    """Measures `hashlib` over gost-engine's provider in another process, which has OpenSSL's configuration."""
    try:
        found = subprocess.run(["openssl", "version", "-m"], capture_output=True, text=True, check=False).stdout
    except OSError:
        return {}
    path = Path(found.partition('"')[2].partition('"')[0]) / "gostprov.so"
    if not path.is_file():
        return {}
    with tempfile.NamedTemporaryFile("w", suffix=".cnf") as conf:
        conf.write("openssl_conf = i\n[i]\nproviders = p\n[p]\ndefault = d\ngostprov = g\n[d]\nactivate = 1\n[g]\nactivate = 1\n")
        conf.write(f"module = {path}\n")
        conf.flush()
        environment = os.environ | {"OPENSSL_CONF": conf.name, "OPENSSL_MODULES": str(path.parent)}
        child = [sys.executable, __file__, "--child", "--seconds", str(seconds)]
        run = subprocess.run(child, capture_output=True, text=True, env=environment, check=False)
    return dict(json.loads(run.stdout)) if run.returncode == 0 else {}


def child(seconds: float) -> None:
    times: dict[str, Any] = {}
    for name, theirs in GOSTPROV.items():
        for label, size in SIZES.items():
            data = data_of(size)
            got = best({"": lambda theirs=theirs, data=data: hashlib.new(theirs, data).digest()}, min(seconds, 0.3))
            times[f"{name} {label}"] = [got[""], hashlib.new(theirs, data).hexdigest()]
    print(json.dumps(times))


def hashes(name: str, library: Library | None, provider: dict[str, Any], seconds: float) -> None:
    make = getattr(bulat, name)
    for label, size in SIZES.items():
        data = data_of(size)
        want = make(data).digest()
        calls: dict[str, Callable[[], object]] = {"bulat": lambda data=data: make(data).digest()}
        if library:
            calls["library"], out = library.hash(name, data)
            calls["library"]()
            assert out.raw == want
        times = best(calls, seconds)
        if f"{name} {label}" in provider:
            times["hashlib, gostprov"], digest = provider[f"{name} {label}"]
            assert bytes.fromhex(digest) == want
        try:
            import streebog_rs

            rs = getattr(streebog_rs, name.replace("bog", "bog_"))
            assert bytes.fromhex(rs(data[: SLOW["streebog-rs"]])) == make(data[: SLOW["streebog-rs"]]).digest()
            times["streebog-rs"] = slow("streebog-rs", data, lambda part, rs=rs: rs(part))
        except ImportError:
            pass
        try:
            from gostcrypto import gosthash

            def theirs(part: bytes) -> bytes:
                return bytes(gosthash.new(name, data=bytearray(part)).digest())

            assert theirs(data[:1000]) == make(data[:1000]).digest()
            times["gostcrypto"] = slow("gostcrypto", data, theirs)
        except ImportError:
            pass
        report(name, label, size, times)


def ctr(library: Library | None, seconds: float) -> None:
    cipher = bulat.Cipher("kuznyechik-ctr", KEY, IV)
    for label, size in SIZES.items():
        data, out = data_of(size), bytearray(size)
        context = cipher.encryptor()

        def into(data: bytes = data, out: bytearray = out, context: bulat.CipherContext = context) -> None:
            context.reset(IV)
            context.update_into(data, out)

        into()
        assert bytes(out) == bulat.encrypt("kuznyechik-ctr", KEY, data, IV)
        calls: dict[str, Callable[[], object]] = {
            "bulat": into,
            "bulat, new bytes and key": lambda data=data: bulat.encrypt("kuznyechik-ctr", KEY, data, IV),
        }
        if library:
            calls["library"], made = library.ctr(data)
            calls["library"]()
            assert made.raw == out
        times = best(calls, seconds)
        try:
            from gostcrypto import gostcipher

            def theirs(part: bytes) -> bytes:
                made = gostcipher.new("kuznechik", bytearray(KEY), gostcipher.MODE_CTR, init_vect=bytearray(IV))
                return bytes(made.encrypt(bytearray(part)))

            assert theirs(data[:1000]) == out[:1000]
            times["gostcrypto"] = slow("gostcrypto", data, theirs)
        except ImportError:
            pass
        report("kuznyechik-ctr", label, size, times)


def slow(package: str, data: bytes, call: Callable[[bytes], object]) -> float:
    """Extrapolates the time for all of the data from a part of it."""
    part = data[: SLOW[package]]
    return best({"": lambda: call(part)}, 0)[""] * len(data) / len(part)


def report(name: str, label: str, size: int, times: dict[str, float]) -> None:
    ours = times["bulat"]
    for other, t in times.items():
        ratio = "" if other == "bulat" else f"{t / ours:.3g}" if other != "library" else f"{t / ours:.1%} of it"
        print(f"| {name} | {label} | {other} | {size / t / 1e6:.4g} | {ratio} |")


def overhead(seconds: float) -> None:
    print("\n| a call with no data | ns |\n|---|--:|")
    h, sha = bulat.streebog256(), hashlib.sha256()
    mine = bulat.KuznyechikMGM(KEY)
    calls: dict[str, Callable[[], object]] = {
        "hashlib.sha256()": hashlib.sha256,
        "bulat.streebog256()": bulat.streebog256,
        'hashlib.new("sha256")': lambda: hashlib.new("sha256"),
        'bulat.new("streebog256")': lambda: bulat.new("streebog256"),
        'sha256.update(b"")': lambda: sha.update(b""),
        'streebog256.update(b"")': lambda: h.update(b""),
        "sha256.digest()": sha.digest,
        "streebog256.digest() (a block is compressed three times)": h.digest,
        "sha256(16 bytes).digest()": lambda: hashlib.sha256(IV * 2).digest(),
        "streebog256(16 bytes).digest()": lambda: bulat.streebog256(IV * 2).digest(),
        'bulat.digest("streebog256", 16 bytes)': lambda: bulat.digest("streebog256", IV * 2),
        'KuznyechikMGM.encrypt(nonce, b"x")': lambda: mine.encrypt(bytes(16), b"x"),
    }
    for name, t in best(calls, seconds).items():
        print(f"| {name} | {t * 1e9:.0f} |")


def batches(seconds: float) -> None:
    for size in (29, 1024):
        batches_of(size, seconds)
    print("(the batch's keys are prepared before: `bulat.Key`)")


def batches_of(size: int, seconds: float) -> None:
    print(
        f"\n| 10 000 messages of {size} bytes, a key each | loop, ms | batch, ms | times | batch, all processors, ms |\n|---|--:|--:|--:|--:|"
    )
    rng = random.Random(9)
    messages = [rng.randbytes(size) for _ in range(10_000)]
    keys = [rng.randbytes(32) for _ in messages]
    loops: dict[str, Callable[[], list[bytes]]] = {
        "streebog256": lambda: [bulat.digest("streebog256", m) for m in messages],
        "hmac-streebog256": lambda: [bulat.mac("hmac-streebog256", k, m) for k, m in zip(keys, messages, strict=True)],
        "kuznyechik-omac": lambda: [bulat.mac("kuznyechik-omac", k, m) for k, m in zip(keys, messages, strict=True)],
        "magma-omac": lambda: [bulat.mac("magma-omac", k, m) for k, m in zip(keys, messages, strict=True)],
        "kuznyechik-ctr": lambda: [bulat.encrypt("kuznyechik-ctr", k, m, IV) for k, m in zip(keys, messages, strict=True)],
        "kuznyechik-mgm": lambda: [
            bulat.Aead("kuznyechik-mgm", k).encrypt(bytes(16), m) for k, m in zip(keys, messages, strict=True)
        ],
    }
    for name, loop in loops.items():
        kind = bulat.algorithms[name].kind
        k = None if kind == "hash" else [bulat.Key(name, key) for key in keys]
        iv = {"cipher": IV, "aead": bytes(16)}.get(kind)
        many: Callable[..., list[bytes]] = lambda threads=1, name=name, k=k, iv=iv: bulat.batch(
            name, messages, k, iv, threads=threads
        )
        assert many() == loop() == many(0)
        times = best({"loop": loop, "batch": many, "all": lambda many=many: many(0)}, seconds)
        a, b, c = (times[which] * 1e3 for which in ("loop", "batch", "all"))
        print(f"| {name} | {a:.1f} | {b:.1f} | {a / b:.2f} | {c:.1f} |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--library", type=Path, default=Path(__file__).parents[2] / "target/release/libbulat_capi.so")
    parser.add_argument("--seconds", type=float, default=0.3, help="for each figure")
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.child:
        child(args.seconds)
        return
    library = Library(args.library) if args.library.is_file() else None
    provider = gostprov(args.seconds)
    print(f"Python {sys.version.split()[0]}, bulat {bulat.__version__}, {sorted(set(bulat.picked().values()))}")
    for what, there in (("libbulat_capi.so", library), ("gostprov", provider)):
        if not there:
            print(f"skipped: no {what}")
    print(f"\nSlow packages are timed at these lengths: {SLOW}.\n\n| | size | | MB/s | its time / ours |\n|---|--:|---|--:|--:|")
    for name in GOSTPROV:
        hashes(name, library, provider, args.seconds)
    ctr(library, args.seconds)
    overhead(args.seconds)
    batches(args.seconds)


main()
