"""The examples of the standards. `tools/ci/9-python.sh` runs all of `verification/vectors/` through `serve.py`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import bulat
import pytest

DATA = Path(__file__).parents[3] / "verification" / "vectors" / "data"


def examples(file: str) -> Any:
    """Returns the examples of a file, their digits as bytes."""
    if not DATA.is_dir():
        pytest.skip("verification/vectors/ is not here: run from a clone")
    for test in json.loads((DATA / f"{file}.json").read_text())["tests"]:
        texts = ("key", "iv", "aad", "msg", "ct", "tag", "md")
        yield test["algorithm"].lower(), test["mode"].lower(), test | {f: bytes.fromhex(test[f]) for f in texts if f in test}


def test_hashes() -> None:
    for name, _, t in examples("streebog_kat"):
        if "msg" in t and "md" in t:
            assert bulat.digest(name.replace("-", ""), t["msg"]) == t["md"]


def test_modes() -> None:
    count = 0
    for cipher, mode, t in examples("gost3413_2015_kat"):
        name, key, count = f"{cipher}-{mode}", t["key"], count + 1
        if mode == "mac":
            bulat.Mac(f"{cipher}-omac", key, t["msg"], tag_size=t["tagLen"]).verify(t["tag"])
            continue
        assert bulat.encrypt(name, key, t["msg"], t.get("iv", b"")) == t["ct"], name
        assert bulat.decrypt(name, key, t["ct"], t.get("iv", b"")) == t["msg"], name
    assert count == 16


def test_mgm() -> None:
    for cipher, _, t in examples("mgm_kat"):
        aead = bulat.Aead(f"{cipher}-mgm", t["key"], tag_size=t["tagLen"])
        assert aead.encrypt(t["iv"], t["msg"], t["aad"]) == t["ct"] + t["tag"]
        assert aead.decrypt(t["iv"], t["ct"] + t["tag"], t["aad"]) == t["msg"]


def test_hmac() -> None:
    for name, mode, t in examples("hmac_kdf_kat"):
        if mode == "hmac":
            assert bulat.mac("hmac-streebog" + name[-3:], t["key"], t["msg"], tag_size=t["tagLen"]) == t["tag"]
