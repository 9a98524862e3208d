"""`bulat.pygost` against the vectors, which pygost 4.4 confirms except where noted here; its arguments and refusals."""

from __future__ import annotations

import hashlib
import hmac
import json
import os
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from bulat.pygost import gost3413, gost28147, gost28147_mac, gost34112012256, gost34112012512, kdf, mgm, utils, wrap
from bulat.pygost.gost3412 import KEYSIZE, GOST3412Kuznechik, GOST3412Magma
from bulat.pygost.gost341194 import GOST341194
from bulat.pygost.gost34112012 import GOST34112012

VECTORS = Path(__file__).parents[3] / "verification" / "vectors" / "data"
#: Longer messages add nothing here.
MOST = 20_000
Case = dict[str, Any]


def value(case: Case, name: str) -> bytes:
    """Returns a value of a test, in the form of vectors/README.md."""
    if name in case:
        return bytes.fromhex(case[name])
    made = case[f"{name}_gen"]
    return bytes(made["len"]) if made["alg"] == "ZERO" else hashlib.shake_128(bytes.fromhex(made["seed"])).digest(made["len"])


def right(case: Case, name: str, got: bytes) -> bool:
    if name in case:
        return got == bytes.fromhex(case[name])
    return (len(got), hashlib.sha256(got).hexdigest()) == (case[f"{name}_len"], case[f"{name}_sha256"])


def cases(name: str, least: int, fits: Callable[[Case], Any] = bool) -> Iterator[Case]:
    """Yields at least so many valid tests of a file, those that fit."""
    if not VECTORS.is_dir():
        pytest.skip("no vectors next to the package")
    tests = (case for case in json.loads((VECTORS / f"{name}.json").read_text())["tests"] if case["result"] == "valid")
    fitting = [case for case in tests if case.get("msg_gen", case).get("len", 0) <= MOST and fits(case)]
    assert len(fitting) >= least, (name, len(fitting))
    yield from fitting


CIPHERS: dict[str, Any] = {"kuznyechik": GOST3412Kuznechik, "magma": GOST3412Magma}


def both_ways(case: Case, seal: Callable[[bytes], bytes], open: Callable[[bytes], bytes]) -> None:
    text = value(case, "msg")
    sealed = seal(text)
    assert right(case, "ct", sealed) and open(sealed) == text, case["id"]


@pytest.mark.parametrize("name", CIPHERS)
@pytest.mark.parametrize(("mode", "least"), [("ecb", 35), ("cbc", 35), ("ctr", 80), ("cfb", 75), ("ofb", 75)])
def test_modes(name: str, mode: str, least: int) -> None:
    kind = CIPHERS[name]
    bs = kind.blocksize

    def fits(case: Case) -> bool:
        return case.get("s", bs) == bs and "OddIv" not in case.get("flags", []) and value(case, "msg") != b""

    for case in cases(f"{name}_{mode}_random", least, fits):
        block = kind(value(case, "key"))
        iv = {} if mode == "ecb" else {"iv": value(case, "iv")}
        if mode in ("ctr", "ofb"):
            there = back = getattr(gost3413, mode)
        else:
            there, back = (getattr(gost3413, f"{mode}_{way}") for way in ("encrypt", "decrypt"))
        opener = block.decrypt if mode in ("ecb", "cbc") else block.encrypt
        both_ways(case, partial(there, block.encrypt, bs, **iv), partial(back, opener, bs, **iv))


@pytest.mark.parametrize("name", CIPHERS)
def test_blocks_macs_and_sections(name: str) -> None:
    kind = CIPHERS[name]
    bs, count = kind.blocksize, [0, 0]
    single = lambda case: not {"Iterated", "KeyChain"} & set(case.get("flags", [])) and "ct" in case  # noqa: E731
    for case in cases(f"{name}_block_random", 300, single):
        block = kind(value(case, "key"))
        assert block.encrypt(value(case, "pt")) == value(case, "ct") and block.decrypt(value(case, "ct")) == value(case, "pt")
    for case in cases(f"{name}_omac_random", 100):
        tag = gost3413.mac(kind(value(case, "key")).encrypt, bs, value(case, "msg"))
        assert tag[: case["tagLen"]] == value(case, "tag")
    for case in cases(f"{name}_ctr_acpkm_random", 40, lambda case: case["s"] == bs):
        block = kind(value(case, "key"))
        text = gost3413.ctr_acpkm(kind, block.encrypt, case["sectionSize"], bs, value(case, "msg"), value(case, "iv"))
        assert right(case, "ct", text)
    for case in cases(f"{name}_omac_acpkm_random", 100):
        block = kind(value(case, "key"))
        tag = gost3413.mac_acpkm_master(kind, block.encrypt, case["masterPeriod"], case["sectionSize"], bs, value(case, "msg"))
        assert tag[: case["tagLen"]] == value(case, "tag")
    for case in cases(f"{name}_acpkm_key_random", 1):
        key = value(case, "key")
        for following in case.get("key_next", []):
            key = gost3413.acpkm(kind(key).encrypt, bs)
            assert key.hex() == following
            count[0] += 1
        if "material" in case:
            material = bytes.fromhex("".join(case["material"]) if isinstance(case["material"], list) else case["material"])
            block = kind(key)
            assert gost3413.acpkm_master(kind, block.encrypt, case["masterPeriod"], bs, len(material)) == material
            count[1] += 1
    assert count[0] >= 20 and count[1] >= 3, count


@pytest.mark.parametrize("name", CIPHERS)
def test_mgm(name: str) -> None:
    kind = CIPHERS[name]
    fits = lambda case: case.get("aad_gen", case).get("len", 0) <= MOST and case["tagLen"] >= 4  # noqa: E731
    for case in cases(f"{name}_mgm_random", 150, fits):
        text, aad, nonce = (value(case, part) for part in ("msg", "aad", "iv"))
        aead = mgm.MGM(kind(value(case, "key")).encrypt, kind.blocksize, case["tagLen"])
        sealed = aead.seal(nonce, text, aad)
        assert right(case, "ct", sealed[: len(text)]) and sealed[len(text) :] == value(case, "tag")
        assert aead.open(nonce, sealed, aad) == text
        with pytest.raises(ValueError, match="Invalid authentication tag"):
            aead.open(nonce, sealed[:-1] + bytes([sealed[-1] ^ 1]), aad)
    assert mgm.nonce_prepare(b"\xff" * 16) == b"\x7f" + b"\xff" * 15


@pytest.mark.parametrize(("mode", "least"), [("ecb", 70), ("cbc", 90), ("cfb", 100), ("cnt", 80)])
def test_gost28147(mode: str, least: int) -> None:
    meshes = lambda case: case.get("keyMeshing", "none") != "none"  # noqa: E731

    def fits(case: Case) -> bool:
        return value(case, "msg") != b"" and not (mode == "cnt" and meshes(case)) and case["sbox"] in gost28147.SBOXES

    for case in cases(f"gost28147_{mode}_random", least, fits):
        text, key, mesh = value(case, "msg"), value(case, "key"), meshes(case)
        sbox: dict[str, Any] = {"sbox": case["sbox"]}
        if mode == "ecb":
            both_ways(case, partial(gost28147.ecb_encrypt, key, **sbox), partial(gost28147.ecb_decrypt, key, **sbox))
        elif mode == "cbc":
            iv, more = value(case, "iv"), {**sbox, "pad": False, "mesh": mesh}
            sealed = gost28147.cbc_encrypt(key, text, iv, **more)
            assert sealed[:8] == iv and right(case, "ct", sealed[8:]) and gost28147.cbc_decrypt(key, sealed, **more) == text
        elif mode == "cnt":
            both_ways(case, *[partial(gost28147.cnt, key, iv=value(case, "iv"), **sbox)] * 2)
        else:
            more = {**sbox, "mesh": mesh, "iv": value(case, "iv")}
            both_ways(case, partial(gost28147.cfb_encrypt, key, **more), partial(gost28147.cfb_decrypt, key, **more))
    for n in range(1, 20):
        text = os.urandom(n)
        assert gost28147.cbc_decrypt(bytes(32), gost28147.cbc_encrypt(bytes(32), text)) == text


def test_the_mac_of_gost28147() -> None:
    fits = lambda case: case.get("keyMeshing", "none") == "none" and case["sbox"] in gost28147.SBOXES  # noqa: E731
    # pygost's own value for up to 8 bytes is `altTag`; here it is CryptoPro's.
    for case in cases("gost28147_imit_random", 80, fits):
        mac = gost28147_mac.MAC(value(case, "key"), b"", value(case, "iv"), case["sbox"])
        text = value(case, "msg")
        mac.update(text[:3])
        copy = mac.copy()
        for one in (mac, copy):
            one.update(text[3:])
            assert one.digest()[: case["tagLen"]] == value(case, "tag") and one.digest_size == 8
    assert gost28147_mac.new(bytes(32), b"abc").hexdigest() == gost28147_mac.MAC(bytes(32), b"abc").digest().hex()


def test_hashes() -> None:
    for name, kind in (("streebog256", gost34112012256), ("streebog512", gost34112012512)):
        for case in cases(f"{name}_random", 200):
            text = value(case, "msg")
            hash = kind.new(text[:7])
            copy = hash.copy()
            hash.update(text[7:])
            copy.update(text[7:])
            assert hash.digest() == copy.digest() == value(case, "md") == bytes.fromhex(hash.hexdigest())
        for case in cases(f"hmac_{name}_random", 100):
            tag = hmac.new(value(case, "key"), value(case, "msg"), kind).digest()
            assert tag[: case.get("tagLen", len(tag))] == value(case, "tag")
    for case in cases("gostr341194_random", 40):
        assert GOST341194(value(case, "msg"), case["sbox"]).digest() == value(case, "md")
    assert GOST341194(b"abc").hexdigest() == "b285056dbf18d7392d7677369524dd14747459ed8143997e163b2986f92fd42c"
    assert GOST34112012(b"abc").digest() == gost34112012512.new(b"abc").digest()
    assert GOST34112012(digest_size=32).digest_size == gost34112012256.digest_size == 32
    with pytest.raises(ValueError, match="32 or 64"):
        GOST34112012(digest_size=20)
    with pytest.raises(ValueError, match="unknown S-box"):
        GOST341194(sbox="none")


def test_keys_from_keys() -> None:
    for case in cases("pbkdf2_streebog512_random", 10, lambda case: case["iterations"] <= 100):
        made = gost34112012512.pbkdf2(value(case, "password"), value(case, "salt"), case["iterations"], case["dkLen"])
        assert made == value(case, "dk")
    for case in cases("kdf_gostr3411_2012_256_random", 30, lambda case: case["type"] == "kdf" or case["L"] % 32 == 0):
        key, label, seed = (value(case, part) for part in ("key", "label", "seed"))
        if case["type"] == "kdf":
            assert kdf.kdf_gostr3411_2012_256(key, label, seed) == value(case, "dk")
        else:
            keys = kdf.kdf_tree_gostr3411_2012_256(key, label, seed, case["L"] // 32, case["R"])
            assert right(case, "dk", b"".join(keys)) and {len(key) for key in keys} == {32}


def test_wrapped_keys() -> None:
    for case in cases("kexp15_random", 20, lambda case: value(case, "secret")):
        kind = CIPHERS[case["cipher"].lower()]
        ciphers = kind(value(case, "kExpEnc")).encrypt, kind(value(case, "kExpMac")).encrypt, kind.blocksize
        secret, iv = value(case, "secret"), value(case, "iv")
        wrapped = wrap.kexp15(*ciphers, secret, iv)
        assert wrapped == value(case, "sexp") and wrap.kimp15(*ciphers, wrapped, iv) == secret
        with pytest.raises(ValueError, match="Invalid MAC"):
            wrap.kimp15(*ciphers, bytes([wrapped[0] ^ 1]) + wrapped[1:], iv)
    for case in cases("gost28147_keywrap_random", 50, lambda case: case["type"] in ("gost", "cryptopro")):
        there, back = (getattr(wrap, f"{way}_{case['type']}") for way in ("wrap", "unwrap"))
        ukm, kek, cek, sbox = value(case, "ukm"), value(case, "kek"), value(case, "cek"), case["sbox"]
        assert there(ukm, kek, cek, sbox) == value(case, "wrapped") and back(kek, value(case, "wrapped"), sbox) == cek
        with pytest.raises(ValueError, match="Invalid MAC"):
            back(kek, value(case, "wrapped")[:-1] + bytes([value(case, "wrapped")[-1] ^ 1]), sbox)
        with pytest.raises(ValueError, match="Invalid data length"):
            back(kek, value(case, "wrapped")[:-1], sbox)


def test_paddings() -> None:
    for bs in (8, 16):
        for n in range(3 * bs):
            text = os.urandom(n - 1) + b"\x01" if n else b""
            lacks = -n % bs if n else bs
            assert gost3413.pad_size(n, bs) == lacks
            assert gost3413.pad1(text, bs) == text + bytes(lacks)
            padded = gost3413.pad2(text, bs)
            assert padded == text + b"\x80" + bytes(-(n + 1) % bs) and gost3413.unpad2(padded, bs) == text
            assert gost3413.pad3(text, bs) == (padded if lacks else text)
            assert gost3413.unpad_iso10126(gost3413.pad_iso10126(text, bs), bs) == text
        for bad in (bytes(bs), b"\x80" + bytes(bs), b"x" * bs, b"\x80"):
            with pytest.raises(ValueError, match="Invalid padding"):
                gost3413.unpad2(bad, bs)
        with pytest.raises(ValueError, match="Invalid padding"):
            gost3413.unpad_iso10126(bytes(bs), bs)


def test_what_is_refused() -> None:
    block, magma = GOST3412Kuznechik(bytes(KEYSIZE)), GOST3412Magma(bytes(KEYSIZE))
    refused: list[tuple[type[Exception], Callable[[], Any]]] = [
        (ValueError, lambda: GOST3412Kuznechik(bytes(31))),
        (ValueError, lambda: block.encrypt(bytes(15))),
        (ValueError, lambda: gost3413.ecb_encrypt(block.encrypt, 16, bytes(15))),
        (ValueError, lambda: gost3413.ecb_encrypt(block.encrypt, 16, b"")),
        (ValueError, lambda: gost3413.cbc_encrypt(block.encrypt, 16, bytes(16), bytes(17))),
        (ValueError, lambda: gost3413.ctr(block.encrypt, 16, b"x", bytes(16))),
        (ValueError, lambda: gost3413.ctr(block.encrypt, 8, b"x", bytes(4))),
        (ValueError, lambda: gost3413.ctr_acpkm(GOST3412Magma, block.encrypt, 16, 16, b"x", bytes(8))),
        (ValueError, lambda: gost3413.ctr_acpkm(GOST3412Magma, magma.encrypt, 12, 8, b"x", bytes(4))),
        (TypeError, lambda: gost3413.ecb_encrypt(lambda text: text, 16, bytes(16))),
        (ValueError, lambda: mgm.MGM(block.encrypt, 16, 17)),
        (ValueError, lambda: mgm.MGM(block.encrypt, 16).seal(b"\xff" * 16, b"x", b"")),
        (ValueError, lambda: gost28147.cfb_encrypt(bytes(31), b"x")),
        (ValueError, lambda: gost28147.cfb_encrypt(bytes(32), b"x", bytes(7))),
        (ValueError, lambda: gost28147.cfb_encrypt(bytes(32), b"x", sbox="none")),
        (ValueError, lambda: gost28147.cbc_encrypt(bytes(32), b"x", pad=False)),
    ]
    for error, call in refused:
        with pytest.raises(error):
            call()


def test_helpers() -> None:
    assert utils.hexdec("00fF") == b"\x00\xff" and utils.hexenc(b"\x00\xff") == "00ff"
    assert utils.strxor(b"\x01\x02", b"\x03") == b"\x02"
    assert utils.long2bytes(258, 4) == b"\x00\x00\x01\x02" and utils.bytes2long(b"\x01\x02") == 258


def test_names_of_old_programs() -> None:
    from bulat.pygost import gost341194
    from bulat.pygost.gost28147 import block2ns, decrypt, ecb, encrypt, ns2block

    key, text = bytes(range(32)), os.urandom(64)
    for sbox in gost28147.SBOXES:
        sealed = ecb(key, text, encrypt, sbox)
        assert sealed == gost28147.ecb_encrypt(key, text, sbox)
        assert ecb(key, sealed, decrypt, sbox) == text
        assert ns2block(encrypt(sbox, key, block2ns(text[:8]))) == sealed[:8]
    # CryptoPro's wrap is GOST's under the diversified key.
    for ukm in (bytes(8), bytes(range(8)), b"\xff" * 8, os.urandom(8)):
        kek, cek = os.urandom(32), os.urandom(32)
        assert wrap.wrap_cryptopro(ukm, kek, cek) == wrap.wrap_gost(ukm, wrap.diversify(kek, ukm), cek)
    # PBKDF2 of GOST R 34.11-94: the vectors of pygost's own tests.
    for password, salt, n, length, dk in (
        (b"password", b"salt", 1, 32, "7314e7c04fb2e662c543674253f68bd0b73445d07f241bed872882da21662d58"),
        (b"password", b"salt", 4096, 32, "1f1829a94bdff5be10d0aeb36af498e7a97467f3b31116a5a7c1afff9deadafe"),
        (b"pass\0word", b"sa\0lt", 4096, 16, "43e06c5590b08c0225242373127edf9c8e9c3291"[:32]),
    ):
        got = gost341194.pbkdf2(password, salt, n, length)
        assert got.hex() == dk, (password, n)
