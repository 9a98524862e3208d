"""The interface of `hashlib`, and other implementations as oracles."""

from __future__ import annotations

import hashlib
import hmac
import io
import json
import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import bulat
import pytest

HASHES = sorted(bulat.algorithms_available)


@pytest.mark.parametrize("name", HASHES)
def test_file_digest_and_hmac(name: str, tmp_path: Path) -> None:
    make = getattr(bulat, name.replace("-", "_"))
    data = random.Random(name).randbytes(300_000)
    (tmp_path / "f").write_bytes(data)
    with open(tmp_path / "f", "rb") as f:
        assert hashlib.file_digest(f, make).digest() == bulat.digest(name, data)
    assert hashlib.file_digest(io.BytesIO(data), make).hexdigest() == make(data).hexdigest()
    for key in (b"", b"key", bytes(200)):
        tag = hmac.new(key, data, make)
        assert hmac.compare_digest(tag.digest(), hmac.digest(key, data, make))
        if name.startswith("streebog"):
            assert tag.digest() == bulat.mac("hmac-" + name, key, data)
        copy = tag.copy()
        copy.update(b"more")
        assert copy.digest() != tag.digest()


@pytest.mark.parametrize("name", HASHES)
def test_attributes(name: str) -> None:
    h, sha = bulat.new(name, usedforsecurity=False), hashlib.sha256(usedforsecurity=False)
    for attribute in ("name", "digest_size", "block_size", "update", "digest", "hexdigest", "copy"):
        assert type(getattr(h, attribute)) is type(getattr(sha, attribute))
    assert (name, "Hash") == (h.name, type(h).__name__) and name in repr(h)
    assert bulat.new(name, bytearray(b"ab")).digest() == bulat.new(name, b"ab").digest()


PROGRAM = """
import hashlib, json, sys
out = {}
for name in ("md_gost12_256", "md_gost12_512"):
    out[name] = [hashlib.new(name, bytes(range(256)) * 4096 + bytes(n)).hexdigest() for n in range(0, 200, 7)]
print(json.dumps(out))
"""


def module(name: str) -> Path | None:
    """Returns an OpenSSL provider: gost-engine's, which is independent, or this project's, named by BULAT_PROVIDER or in the
    system's folder of modules."""
    if name == "bulat" and "BULAT_PROVIDER" in os.environ:
        return Path(os.environ["BULAT_PROVIDER"])
    found = subprocess.run(["openssl", "version", "-m"], capture_output=True, text=True, check=False).stdout
    path = Path(found.partition('"')[2].partition('"')[0]) / f"{name}.so"
    return path if path.is_file() else None


@pytest.mark.parametrize("provider", ["gostprov", "bulat"])
def test_hashlib_through_the_provider(provider: str, tmp_path: Path) -> None:
    try:
        path = module(provider)
    except OSError:
        path = None
    if path is None:
        pytest.skip(f"OpenSSL has no {provider}.so")
    conf = tmp_path / "openssl.cnf"
    conf.write_text(
        "openssl_conf = init\n[init]\nproviders = all\n[all]\ndefault = d\nother = o\n[d]\nactivate = 1\n"
        f"[o]\nidentity = {provider}\nmodule = {path}\nactivate = 1\n"
    )
    environment = os.environ | {"OPENSSL_CONF": str(conf), "OPENSSL_MODULES": str(path.parent)}
    run = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, env=environment, check=False)
    if run.returncode:
        pytest.skip(f"this Python's OpenSSL does not load {provider}: {run.stderr.strip().splitlines()[-1]}")
    for name, digests in json.loads(run.stdout).items():
        for n, digest in zip(range(0, 200, 7), digests, strict=True):
            assert bulat.new(name, bytes(range(256)) * 4096 + bytes(n)).hexdigest() == digest


def test_gostcrypto() -> None:
    """An independent implementation in Python. It is correct for whole blocks at a time, and for 256 blocks of CTR."""
    try:
        from gostcrypto import gostcipher, gosthash, gosthmac, gostpbkdf
    except ImportError:
        pytest.skip("gostcrypto is not installed")
    rng = random.Random(2)
    for name in ("streebog256", "streebog512"):
        for n in (0, 1, 63, 64, 65, 1000, 20_000):
            data = rng.randbytes(n)
            assert bytes(gosthash.new(name, data=bytearray(data)).digest()) == bulat.new(name, data).digest()
    for theirs, ours in (("kuznechik", "kuznyechik"), ("magma", "magma")):
        n, key = bulat.algorithms[ours + "-ecb"].block_size, rng.randbytes(32)
        modes: dict[str, tuple[int, int]] = {
            "ecb": (0, 640),
            "cbc": (2 * n, 640),
            "cfb": (2 * n, 643),
            "ofb": (2 * n, 643),
            "ctr": (n // 2, 256 * n),
        }
        for mode, (iv_size, size) in modes.items():
            data, iv = rng.randbytes(size), rng.randbytes(iv_size)
            options: dict[str, Any] = {"init_vect": bytearray(iv)} if iv else {}
            other = gostcipher.new(theirs, bytearray(key), getattr(gostcipher, "MODE_" + mode.upper()), **options)
            assert bytes(other.encrypt(bytearray(data))) == bulat.encrypt(f"{ours}-{mode}", key, data, iv), (ours, mode)
        data = rng.randbytes(1001)
        mac = gostcipher.new(theirs, bytearray(key), gostcipher.MODE_MAC)
        mac.update(bytearray(data))
        assert bytes(mac.digest(n)) == bulat.mac(ours + "-omac", key, data)
    data, key = rng.randbytes(1001), rng.randbytes(32)
    theirs_hmac = gosthmac.new("HMAC_GOSTR3411_2012_512", bytearray(key), data=bytearray(data))
    assert bytes(theirs_hmac.digest()) == bulat.mac("hmac-streebog512", key, data)
    theirs_key = gostpbkdf.new(bytearray(b"password"), salt=bytearray(b"salt"), counter=3).derive(100)
    assert bytes(theirs_key) == bulat.pbkdf2_hmac_streebog512(b"password", 100, salt=b"salt", iterations=3)


def test_the_names_and_truths_of_hashlib() -> None:
    want = bulat.streebog256(b"abc").digest()
    assert bulat.streebog256(string=b"abc", usedforsecurity=0).digest() == want
    assert bulat.new("streebog256", string=b"abc", usedforsecurity=[]).digest() == want
    assert bulat.Hash("streebog256", b"abc", usedforsecurity=None).digest() == want
    tag = bulat.hmac_streebog256(b"k", b"abc").digest()
    assert bulat.hmac_streebog256(b"k", msg=b"abc").digest() == tag == hmac.new(b"k", b"abc", bulat.streebog256).digest()
    assert bulat.hmac_streebog256(b"k", msg=None).digest() == bulat.hmac_streebog256(b"k").digest()
    for length, name in ((32, "streebog256"), (64, "streebog512")):
        derive = getattr(bulat, f"pbkdf2_hmac_{name}")
        assert derive(b"p", None, salt=b"s", iterations=2) == derive(b"p", length, salt=b"s", iterations=2)
