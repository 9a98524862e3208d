"""A second reader, made from docs/FORMAT.md only, and the library agree: on random files, on damaged ones, on the example.

BULAT_RANDOM_FILES names the program that makes the files (`cargo build -p bulat-container --example random_files`);
BULAT_RANDOM is their number, 60 by default.
"""

from __future__ import annotations

import io
import os
import random
import subprocess
from pathlib import Path

import bulat
import format_reader
import pytest
from bulat import container

MAKER = os.environ.get("BULAT_RANDOM_FILES")
COUNT = int(os.environ.get("BULAT_RANDOM", 60))
#: More than a random file asks for, and less than a flipped bit may.
LIMITS = {"max_iterations": 500, "max_memory": 128}


def test_argon2id() -> None:
    # RFC 9106 has a secret and associated data in its example; this is the reference implementation's, without them.
    made = format_reader.argon2id(b"password", b"somesalt", 256, 2, 1, 32)
    assert made.hex() == "9dfeb910e80bad0311fee20f9c0e2b12c17987b4cac90c2ef54d5b3021c68bfe"
    made = format_reader.argon2id(b"password", b"somesalt", 256, 2, 2, 32)
    assert made.hex() == "6d093c501fd5999645e0ea3bf620d7b8be7fd2db59c20d9fff9539da2bf57037"


def test_the_example() -> None:
    page = Path(__file__).parents[3] / "docs" / "FORMAT.md"
    if not page.exists():
        pytest.skip("no docs/FORMAT.md: not a checkout")
    example = page.read_text().partition("## 8. Example")[2].split("```")[1]
    lines = [line.split() for line in example.strip().splitlines()]
    data = bytearray(int(lines[-1][0]) + len(lines[-1][1]) // 2)
    for at, digits in lines:
        data[int(at) : int(at) + len(digits) // 2] = bytes.fromhex(digits)
    key, name = bytes(range(32)), "a.txt.bulat"
    assert format_reader.read(bytes(data), key=key, name=name) == b"abc"
    assert format_reader.read(bytes(data), password=b"password", name=name) == b"abc"
    assert format_reader.read(bytes(data), password=b"another", name=name) == b"abc"
    out = io.BytesIO()
    container.decrypt(io.BytesIO(data), out, key=key, any_name=True)
    assert out.getvalue() == b"abc"
    assert container.info(io.BytesIO(data)) == {
        "format": "bulat container",
        "version": 1,
        "cipher": "kuznyechik-mgm",
        "chunk": 4096,
        "identity": bytes(range(0x20, 0x40)).hex(),
        "name": "a.txt",
        "slots": [
            {"slot": 0, "kind": "key file"},
            {"slot": 1, "kind": "password", "kdf": "pbkdf2-streebog512", "iterations": 2},
            {"slot": 3, "kind": "password", "kdf": "argon2id", "memory": 32, "passes": 1, "lanes": 4},
        ],
        "code": data[2016:2048].hex(),
        "size": 3,
        "chunks": 1,
        "authenticated": False,
    }
    with pytest.raises(format_reader.Refused, match="name of the file"):
        format_reader.read(bytes(data), key=key, name="b.txt.bulat")
    with pytest.raises(format_reader.WrongSecret):
        format_reader.read(bytes(data), password=b"Password", name=name)


def library(data: bytes, secret: dict[str, bytes]) -> bytes | None:
    out = io.BytesIO()
    try:
        container.decrypt(io.BytesIO(data), out, **secret, **LIMITS, any_name=True)
    except (bulat.DamagedData, bulat.WrongKey, bulat.InvalidInput):
        return None
    return out.getvalue()


def second(data: bytes, secret: dict[str, bytes]) -> bytes | None:
    try:
        return format_reader.read(data, **secret, **LIMITS, any_name=True)
    except format_reader.Refused:
        return None


@pytest.mark.skipif(not MAKER, reason="BULAT_RANDOM_FILES names no program")
def test_random_files(tmp_path: Path) -> None:
    assert MAKER
    subprocess.run([MAKER, tmp_path, str(COUNT)], check=True)
    rng, slots, damaged = random.Random(7), 0, 0
    for n in range(COUNT):
        data, plain = (tmp_path / f"{n}.bulat").read_bytes(), (tmp_path / f"{n}.plain").read_bytes()
        secrets = [line.split() for line in (tmp_path / f"{n}.secrets").read_text().splitlines()]
        slots += len(secrets)
        # Some of its slots; all of them cost much in Python.
        for kind, digits in rng.sample(secrets, min(3, len(secrets))):
            secret = {kind: bytes.fromhex(digits)}
            assert second(data, secret) == plain, n
            assert library(data, secret) == plain, n
            wrong = {kind: bytes(32) if kind == "key" else b"wrong"}
            assert second(data, wrong) is None
            assert library(data, wrong) is None
        secret = {secrets[0][0]: bytes.fromhex(secrets[0][1])}
        for _ in range(3):
            at = rng.choice([rng.randrange(2048), rng.randrange(480, 2048), rng.randrange(len(data))])
            bad = bytearray(data)
            bad[at] ^= 1 << rng.randrange(8)
            cut = data[: rng.randrange(len(data))]
            for changed in (bytes(bad), cut):
                assert second(changed, secret) is None, (n, at)
                assert library(changed, secret) is None, (n, at)
                damaged += 1
    print(f"{COUNT} files with {slots} slots, {damaged} damaged ones")
