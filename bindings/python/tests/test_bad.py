"""Bad input of every kind: raises an exception of the package, with the command's message, and never aborts."""

from __future__ import annotations

import io
import random
from collections.abc import Callable
from typing import Any

import bulat
import numpy as np
import pytest
from bulat import container
from hypothesis import given, settings
from hypothesis import strategies as st

K, B16, B8 = bytes(32), bytes(16), bytes(8)
NOT_BYTES: list[Any] = ["text", 1, 1.5, None, [1, 2], {}, object(), b"x".decode, memoryview(b"abcd")[::2], np.arange(9)[::2]]


def test_one_tree() -> None:
    classes = [c for c in vars(bulat).values() if isinstance(c, type) and issubclass(c, BaseException)]
    assert len(classes) == 8 and all(issubclass(c, bulat.Error) for c in classes)
    assert all(c.__module__ == "bulat" and c.__doc__ for c in classes)
    assert issubclass(bulat.InvalidInput, ValueError) and issubclass(bulat.InvalidType, TypeError)


BAD, TYPE, TAG, DAMAGED = bulat.InvalidInput, bulat.InvalidType, bulat.InvalidTag, bulat.DamagedData
CASES: list[tuple[Callable[[], object], type[Exception], str]] = [
    (lambda: bulat.new("md5"), BAD, "md5: unknown algorithm"),
    (lambda: bulat.new("magma-cbc"), BAD, "magma-cbc: cipher, not hash"),
    (lambda: bulat.mac("streebog256", K, b""), BAD, "streebog256: hash, not mac"),
    (lambda: bulat.KuznyechikMGM(b"short"), BAD, "key: 5 bytes, not 32"),
    (lambda: bulat.KuznyechikMGM(K).encrypt(b"short", b"x"), BAD, "nonce: 5 bytes, not 16"),
    (lambda: bulat.KuznyechikMGM(K).encrypt(b"\xff" * 16, b"x"), BAD, "the first bit of the nonce must be 0"),
    (lambda: bulat.KuznyechikMGM(K).encrypt(B16, b""), BAD, "nothing to authenticate"),
    (lambda: bulat.KuznyechikMGM(K, tag_size=-1), BAD, "-1: out of range"),
    (lambda: bulat.KuznyechikMGM(K, tag_size="x"), TYPE, "str: not a whole number"),  # type: ignore[arg-type]
    (lambda: bulat.derive("kdf-tree", K, 1 << 70), BAD, "out of range"),
    (lambda: bulat.streebog256(np.arange(9, dtype="u1")[::2]), TYPE, "ndarray: ndarray is not C-contiguous"),
    (lambda: bulat.new(5), TYPE, "int: not a name"),  # type: ignore[arg-type]
    (lambda: bulat.new("\udcff"), TYPE, "str: not a name"),
    (lambda: bulat.KuznyechikMGM(K, tag_size=3), BAD, "tag_size: 3, not 4 to 16"),
    (lambda: bulat.KuznyechikMGM(K).decrypt(B16, b"short"), TAG, "authentication failed"),
    (lambda: bulat.KuznyechikMGM(K).decrypt(B16, bytes(40)), TAG, "authentication failed"),
    (lambda: bulat.KuznyechikMGM(K).encrypt_into(B16, b"x", None, bytearray(16)), BAD, "buffer: 16 bytes, not 17"),
    (lambda: bulat.KuznyechikMGM(K).encrypt_into(B16, b"x", None, bytes(17)), TYPE, "not writable"),
    (lambda: bulat.MagmaCTR_ACPKM_OMAC(K).encrypt(bytes(12), b"x", b"a"), BAD, "associated_data: magma-ctr-acpkm-omac has none"),
    (lambda: bulat.Cipher("kuznyechik-ctr", K, bytes(7)), BAD, "iv: 7 bytes, not 8"),
    (lambda: bulat.Cipher("kuznyechik-ctr", K, B8, padding="pkcs7"), BAD, "padding: no parameter of kuznyechik-ctr, which has s"),
    (lambda: bulat.Cipher("kuznyechik-cbc", K, B16, padding="zeros"), BAD, "padding zeros: none, pkcs7"),
    (lambda: bulat.Cipher("kuznyechik-ctr-acpkm", K, B8, section=17), BAD, "section=17: outside the standard"),
    (lambda: bulat.encrypt("kuznyechik-xts", bytes(64), bytes(16), B16), BAD, "the two keys must differ"),
    (lambda: bulat.encrypt("magma-ecb", K, b"odd"), BAD, "data: 3 bytes, not a multiple of 8"),
    (lambda: bulat.decrypt("magma-cbc", K, B8, B8, padding="pkcs7"), BAD, "wrong padding"),
    (lambda: bulat.encrypt("gost89", K, b"x", B8, sboxes="q"), BAD, "sboxes q: no such S-boxes"),
    (lambda: bulat.encrypt("gost89", K, b"x", B8, sboxes=bytes(128)), BAD, "not a permutation"),
    (lambda: bulat.encrypt("gost89", K, b"x", B8, sboxes=bytes(9)), BAD, "eight rows"),
    (lambda: bulat.encrypt("gost89", K, b"x", B8, sboxes=5), TYPE, "int: not a name"),  # type: ignore[arg-type]
    (lambda: bulat.derive("kdf-tree", K, 0), BAD, "length: from 1"),
    (lambda: bulat.derive("kdf-tree", K, 1 << 40), BAD, "length: from 1"),
    (
        lambda: bulat.derive("kdf-tree", K, 32, iterations=3),
        BAD,
        "iterations: no parameter of kdf-tree, which has label, seed, counter",
    ),
    (lambda: bulat.derive("pbkdf2-hmac-streebog512", K, 32), BAD, "salt: pbkdf2-hmac-streebog512 needs it"),
    (lambda: bulat.tlstree(K, masks="rot13"), BAD, "masks rot13"),
    (lambda: bulat.wrap("magma-kexp15", K, b"x", bytes(4)), BAD, "key: 32 bytes, not 64"),
    (
        lambda: bulat.unwrap("magma-kexp15", bytes(64), b"x", bytes(4)),
        BAD,
        "wrapped: 1 bytes, a length that magma-kexp15 does not have",
    ),
    (lambda: bulat.unwrap("magma-kexp15", bytes(64), bytes(40), bytes(4)), TAG, "authentication failed"),
    (lambda: bulat.unwrap("magma-kexp15", bytes(64), bytes(40), bytes(4), size=1 << 50), BAD, "wrapped: 40 bytes"),
    (lambda: bulat.force("abacus"), BAD, "unknown or unavailable kernel"),
    (lambda: bulat.Mac("magma-omac", K).verify(b""), TAG, "authentication failed"),
    (lambda: bulat.Mac("magma-omac", K).verify(B8), TAG, "authentication failed"),
    (lambda: bulat.Key("streebog256", b""), BAD, "hash, not mac or cipher or aead"),
    (lambda: bulat.batch("magma-omac", [b"", b""], [K]), BAD, "keys: 1 for 2 messages"),
    (lambda: bulat.batch("magma-omac", [b""], bulat.Key("magma-ctr", K)), BAD, "a key of magma-ctr"),
    (lambda: bulat.batch("streebog256", [b""], K), BAD, "keys does not apply to streebog256"),
    (lambda: bulat.batch("magma-omac", [b""], K, into=[bytearray(8)]), BAD, "into does not apply"),
    (lambda: bulat.batch("magma-mgm", [b"x"], K, B8, decrypt=True), TAG, "authentication failed"),
    (lambda: bulat.batch("magma-ctr", [b"xy"], K, bytes(4), into=[bytearray(1)]), BAD, "into: message 0 needs 2 bytes"),
    (lambda: bulat.kuznyechik_omac(K, section=4096), TypeError, "unexpected keyword argument 'section': it has tag_size"),
    (lambda: bulat.hkdf_streebog256(K, 32, info=b"i"), TypeError, "unexpected keyword argument 'info': it has salt, seed"),
    (lambda: bulat.KuznyechikMGM(K, section=4096), TypeError, "unexpected keyword argument 'section': it has tag_size"),
    (lambda: bulat.derive("hkdf-streebog256", K, 32, label=b"i"), BAD, "label: no parameter of hkdf-streebog256, which has"),
    (lambda: bulat.mac("kuznyechik-omac", K, b"", section=4096), BAD, "section: no parameter of kuznyechik-omac"),
    (lambda: bulat.pbkdf2_hmac_streebog512(b"p", 32, iterations=9), BAD, "salt: pbkdf2-hmac-streebog512 needs it"),
    (lambda: bulat.pbkdf2_hmac_streebog512(b"p", 32, salt=b""), BAD, "iterations: pbkdf2-hmac-streebog512 needs it"),
    (lambda: bulat.pbkdf2_hmac_streebog512(b"p", salt=b"", iterations=0), BAD, "iterations: 0, at least 1"),
    (lambda: bulat.derive("kdf-tree", K, 32, counter=9), BAD, "counter: 9, not 1 to 4"),
    (lambda: bulat.tlstree(K, 9, masks="magma-mgm-s"), BAD, "length: 9, not 32"),
    (lambda: bulat.tlstree(K), BAD, "masks: tlstree needs it"),
    (lambda: bulat.tlstree(b"k", masks="magma-mgm-s"), BAD, "key: 1 bytes, not 32"),
    (lambda: bulat.Cipher("kuznyechik-cbc", K, b"x"), BAD, "iv: 1 bytes, not a multiple of 16 up to"),
    (lambda: bulat.Cipher("magma-cfb", K, b"x"), BAD, "iv: 1 bytes, not 8 to"),
    (lambda: bulat.Cipher("magma-ecb", K, b"x"), BAD, "iv: 1 bytes, it has none"),
    (lambda: bulat.Cipher("magma-ctr", K, bytes(4)).encryptor().reset(b"x"), BAD, "iv: 1 bytes, not 4"),
    (lambda: bulat.encrypt("kuznyechik-xts", bytes(range(64)), b"x", B16), BAD, "data: 1 bytes, not 16 or more"),
    (lambda: bulat.batch("magma-cbc", [B8, b"x"], K, [B8, B16]), BAD, "data: 1 bytes, not a multiple of 8"),
    (lambda: bulat.batch("magma-omac", [b""], K, tags=[b"cut"]), TAG, "authentication failed"),
    (lambda: bulat.MagmaMGM(K).unverified_decryptor(B8).verify(b"cut"), TAG, "authentication failed"),
    (lambda: bulat.MagmaMGM(K).decrypt(b"", b""), BAD, "nonce: 0 bytes, not 8"),
    (lambda: bulat.MagmaCTR_ACPKM_OMAC(K, tag_size=4), BAD, "tag_size: 4, not 8"),
    (lambda: bulat.Key("magma-ctr", b"k"), BAD, "key: 1 bytes, not 32"),
    (lambda: bulat.new(K.hex()), BAD, "^the name: unknown algorithm"),
    (lambda: bulat.streebog256(b"x", string=b"y"), BAD, "data and string: give only one of them"),
    (lambda: container.read_key(K.hex()), BAD, "^no such file: 64 hexadecimal digits"),
    (lambda: container.open(io.BytesIO(b"x" * 200), key=K), DAMAGED, "not a bulat container"),
    (lambda: container.open(io.BytesIO(b"bulat\x1a\0\x02"), key=K), DAMAGED, "container format version 2"),
    (lambda: container.open(io.BytesIO(b"bulat\x1a\0\x01"), key=K), DAMAGED, "inside the header"),
    (lambda: container.open(io.BytesIO(), key=K), DAMAGED, "not a bulat container"),
    (lambda: container.open(io.BytesIO()), BAD, "no key and no password given"),
    (lambda: container.open(io.BytesIO(), key=K, password="x"), BAD, "not both"),
    (lambda: container.open(io.BytesIO(), key=K[1:]), BAD, "31 bytes, but the key must have 32"),
    (lambda: container.open(io.BytesIO(), password=""), BAD, "the password is empty"),
    (lambda: container.open(io.BytesIO(), password="a\0"), BAD, "a zero byte in the password"),
    (lambda: container.open(io.BytesIO(), "wb", key=K, chunk=5000), BAD, "chunk 5000: a power of two"),
    (lambda: container.open(io.BytesIO(), "wb", key=K, cipher="aes"), BAD, "cipher aes"),
    (lambda: container.open(io.BytesIO(), "wb", password="x", kdf="pbkdf2", iterations=9), BAD, "iterations 9: from 200000"),
    (lambda: container.open(io.BytesIO(), "wb", password="x", iterations=200000), BAD, "a password by pbkdf2"),
    (lambda: container.open(io.BytesIO(), "wb", password="x", memory=9), BAD, "memory 9: from 65536"),
    (lambda: container.open(io.BytesIO(), "wb", password="x", passes=2), BAD, "passes 2: from 3 to 64"),
    (lambda: container.open(io.BytesIO(), "wb", password="x", kdf="scrypt"), BAD, "kdf scrypt: argon2id or"),
    (lambda: container.open(io.BytesIO(), "wb", key=K, memory=65536), BAD, "a password by argon2id"),
    (lambda: container.open(io.BytesIO(), "wb", key=K, iterations=300000), BAD, "only for a password"),
    (lambda: container.open(io.BytesIO(), "r+", key=K), BAD, "mode r+"),  # type: ignore[call-overload]
    (lambda: container.open(io.StringIO("x"), key=K), TYPE, "not an object of bytes"),  # type: ignore[call-overload]
    (lambda: container.open(7, key=K), TYPE, "not a path and not a file"),  # type: ignore[call-overload]
    (lambda: container.open("/no/such/file", key=K), FileNotFoundError, "/no/such/file"),
    (lambda: container.open("/no/such/file", "wb", key=K), FileNotFoundError, "/no/such/file"),
    (lambda: container.open("/", "wb", key=K), IsADirectoryError, "/"),
    (lambda: container.read_key("/no/such/file"), FileNotFoundError, "/no/such/file"),
]


@pytest.mark.parametrize(("call", "error", "words"), CASES, ids=[words for *_, words in CASES])
def test_words(call: Callable[[], object], error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words.replace("+", r"\+")) as e:
        call()
    if issubclass(error, bulat.Error):
        assert type(e.value) is error


@pytest.mark.parametrize("bad", NOT_BYTES, ids=[str(type(bad).__name__) for bad in NOT_BYTES])
def test_what_is_not_bytes(bad: Any) -> None:
    aead, cipher = bulat.MagmaMGM(K), bulat.Cipher("magma-ctr", K, bytes(4))
    context, sealing, opening = cipher.encryptor(), aead.encryptor(B8), aead.unverified_decryptor(B8)
    calls: list[Callable[[], object]] = [
        lambda: bulat.streebog256().update(bad),
        lambda: bulat.digest("streebog256", bad),
        lambda: bulat.mac("magma-omac", bad, b""),
        lambda: bulat.mac("magma-omac", K, bad),
        lambda: bulat.Mac("magma-omac", K).update(bad),
        lambda: bulat.Mac("magma-omac", K).verify(bad),
        lambda: bulat.encrypt("magma-ctr", bad, b"", bytes(4)),
        lambda: bulat.encrypt("magma-ctr", K, bad, bytes(4)),
        lambda: context.update(bad),
        lambda: context.update_into(bad, bytearray(9)),
        lambda: context.update_into(b"", bad),
        lambda: context.reset(bad),
        lambda: aead.encrypt(bad, b"x"),
        lambda: aead.encrypt(B8, bad),
        lambda: aead.decrypt(B8, bad),
        lambda: aead.decrypt_into(B8, bytes(9), None, bad),
        lambda: sealing.update_aad(bad),
        lambda: sealing.update(bad),
        lambda: opening.update(bad),
        lambda: opening.verify(bad),
        lambda: bulat.derive("kdf-tree", bad, 32),
        lambda: bulat.wrap("magma-kexp15", bytes(64), bad, bytes(4)),
        lambda: bulat.batch("streebog256", [b"", bad]),
        lambda: bulat.batch("magma-omac", [b"", b""], [K, bad]),
        lambda: bulat.batch("magma-ctr", [b"x"], K, bytes(4), into=[bad]),
        lambda: bulat.streebog256(bad),
        lambda: bulat.Mac("magma-omac", K, bad),
        lambda: bulat.Cipher("magma-ctr", K, bad),
        lambda: bulat.derive("kdf-tree", K, 32, label=bad),
    ]
    for call in calls:
        with pytest.raises(bulat.InvalidType):
            call()
    # A list is not a message, and neither is a list of messages.
    if not hasattr(bad, "__iter__"):
        with pytest.raises(TypeError):
            bulat.batch("streebog256", bad)


def test_read_only_and_overlapping() -> None:
    context, aead = bulat.Cipher("magma-ctr", K, bytes(4)).encryptor(), bulat.MagmaMGM(K)
    frozen = np.zeros(16, dtype=np.uint8)
    frozen.flags.writeable = False
    for out in (b"x" * 16, memoryview(b"x" * 16), frozen):
        with pytest.raises(bulat.InvalidType):
            context.update_into(bytes(16), out)
    memory = bytearray(64)
    view = memoryview(memory)
    for source, out in ((view[0:16], view[1:17]), (view[1:17], view[0:16]), (view[0:32], view[16:48]), (view[4:8], view[0:32])):
        with pytest.raises(bulat.InvalidInput, match="overlapping"):
            context.update_into(source, out)
    assert memory == bytes(64)
    context.update_into(view[0:16], view[16:32])
    context.update_into(view[0:16], view[0:16])
    for data, aad, out in (
        (view[1:17], None, view[0:24]),
        (view[32:48], view[0:4], view[0:24]),
        (view[30:46], None, view[24:48]),
    ):
        with pytest.raises(bulat.InvalidInput, match="overlapping"):
            aead.encrypt_into(B8, data, aad, out)
    with pytest.raises(bulat.InvalidInput, match="overlapping"):
        aead.encrypt_into(view[0:8], b"x", None, view[0:9])
    keys = [K, bytes(range(32))]
    for into, data in (([view[0:8], view[7:15]], [B8, B8]), ([view[0:8], view[8:16]], [view[8:16], view[0:8]])):
        with pytest.raises(bulat.InvalidInput, match="overlapping"):
            bulat.batch("magma-ctr", data, keys, bytes(4), into=into)
    # A message in place over the end of another message, of an IV, of associated data; and an output over a message's tag.
    m, out = memoryview(bytearray(140)), bytearray(50)
    two, behind = [bytes(8), b"\1" * 8], bytes(36)
    entangled: list[tuple[Any, ...]] = [
        ("kuznyechik-ctr", [m[:50], m[40:]], two, None, [out, m[40:]], False),
        ("kuznyechik-ctr", [m[4:]], [m[:8]], None, [m[4:]], False),
        ("kuznyechik-ctr", [bytes(50), m[4:]], [m[:8], two[1]], None, [out, m[4:]], False),
        ("magma-mgm", [m[8:48]], [B8], [m[:9]], [m[8:56]], False),
        ("magma-mgm", [m[:44], behind], [B8, B8], None, [m[:36], m[40:68]], True),
    ]
    for name, data, ivs, aads, into, decrypt in entangled:
        with pytest.raises(bulat.InvalidInput, match="overlapping"):
            bulat.batch(name, data, K, ivs, associated_data=aads, into=into, decrypt=decrypt)
    assert m == bytes(140)
    assert bulat.batch("kuznyechik-ctr", [m[:40], m[40:]], K, two, into=[m[:40], m[40:]]) == [40, 100]
    both = [m[:44], m[44:80]]
    assert bulat.batch("magma-mgm", [x[:-8] for x in both], K, two, into=both) == [44, 36]
    assert bulat.batch("magma-mgm", both, K, two, into=[x[:-8] for x in both], decrypt=True) == [36, 28]
    assert bulat.batch("magma-ctr", [view[0:8], view[8:16]], keys, bytes(4), into=[view[0:8], view[8:16]]) == [8, 8]


def test_a_buffer_in_use_keeps_its_place() -> None:
    memory = bytearray(16)
    view = memoryview(memory)
    with pytest.raises(BufferError):
        memory.extend(bytes(1 << 20))
    del view
    bulat.streebog256(memory)
    memory.extend(b"x")  # no part of the call is left


def test_finished() -> None:
    aead = bulat.KuznyechikMGM(K)
    e = aead.encryptor(B16)
    e.update(b"x")
    with pytest.raises(bulat.StateError, match="operation out of order"):
        e.update_aad(b"x")
    e.finalize()
    for again in (lambda: e.update(b"x"), e.finalize, lambda: e.update_into(b"x", bytearray(1))):
        with pytest.raises(bulat.StateError, match="already finished"):
            again()
    d = aead.unverified_decryptor(B16)
    d.update(b"x")
    with pytest.raises(bulat.InvalidTag):
        d.verify(B16)
    with pytest.raises(bulat.StateError):
        d.update(b"x")
    for name, iv, options in (("kuznyechik-cbc", B16, {"padding": "pkcs7"}), ("kuznyechik-ctr", B8, {}), ("gost89", B8, {})):
        c = bulat.Cipher(name, K, iv, **options).encryptor()  # type: ignore[arg-type]
        first = c.update(b"x" * 16) + c.finalize()
        for again in (lambda c=c: c.update(b"x"), lambda c=c: c.update_into(b"x", bytearray(1)), c.finalize):  # type: ignore[misc]
            with pytest.raises(bulat.StateError, match="already finished"):
                again()
        c.reset(iv)
        assert c.update(b"x" * 16) + c.finalize() == first


#: A valid value for each parameter.
VALUES: dict[str, Any] = {
    "iv": B8, "tag_size": 8, "s": 8, "section": 4096, "period": 4096, "padding": "pkcs7", "sboxes": "a", "meshing": False,
    "salt": b"s", "label": b"l", "seed": b"s", "iterations": 1, "counter": 1, "masks": "magma-mgm-s", "record": 1,
}  # fmt: skip


@pytest.mark.parametrize("name", sorted(bulat.algorithms))
def test_parameters_are_those_that_it_accepts(name: str) -> None:
    a = bulat.algorithms[name]
    key, iv = bytes(range(a.key_size or 32)), bytes(a.iv_size)
    needed = {
        p: VALUES[p]
        for p in ("salt", "iterations", "masks")
        if p in a.parameters and (p != "salt" or "iterations" in a.parameters)
    }
    calls: dict[str, tuple[Any, tuple[str, ...]]] = {
        "hash": (lambda **o: bulat.new(name, **o), ("sboxes",)),
        "mac": (lambda **o: bulat.Mac(name, key, **o), ("iv", "tag_size", "section", "period", "sboxes", "meshing")),
        "cipher": (lambda **o: bulat.Cipher(name, key, iv, **o), ("padding", "s", "section", "sboxes", "meshing")),
        "aead": (lambda **o: bulat.Aead(name, key, **o), ("tag_size", "section")),
        "kdf": (
            lambda **o: bulat.derive(name, key, a.output_size or 32, **needed | o),
            ("salt", "label", "seed", "iterations", "counter", "masks", "record"),
        ),
        "wrap": (lambda **o: bulat.wrap(name, key, bytes(32), iv or b"12345678", **o), ("sboxes",)),
    }
    call, options = calls[a.kind]
    accepted = []
    for option in options:
        value = a.block_size if option == "tag_size" and a.kind == "aead" else VALUES[option]
        try:
            call(**{option: value})
            accepted.append(option)
        except bulat.InvalidInput as e:
            assert str(e).startswith(f"{option}: ") or (option == "iv" and "it has none" in str(e)), str(e)
    assert accepted == [p for p in options if p in a.parameters] and len(accepted) == len(a.parameters)


def test_exceptions_stand_in_the_list() -> None:
    aead, good = bulat.MagmaMGM(K), bulat.MagmaMGM(K).encrypt(B8, b"good")
    results = bulat.batch("magma-mgm", [good, b"bad", good[:-1] + b"x", good], aead, B8, decrypt=True, return_exceptions=True)
    assert results[0] == results[3] == b"good"
    assert all(isinstance(result, bulat.InvalidTag) for result in results[1:3])
    results = bulat.batch("magma-omac", [b"a"], K, tags=[B8], return_exceptions=True)
    assert isinstance(results[0], bulat.InvalidTag)


@settings(max_examples=300, deadline=None)
@given(name=st.sampled_from(sorted(bulat.algorithms)), seed=st.integers(0, 1 << 40))
def test_at_random(name: str, seed: int) -> None:
    """Random lengths and options give an answer or an exception of the package; a batch agrees."""
    rng, kind = random.Random(seed), bulat.algorithms[name].kind

    def some(*usual: int) -> bytes:
        return rng.randbytes(rng.choice([*usual, *usual, *usual, rng.randrange(70)]))

    options: dict[str, Any] = {}
    for option, values in (
        ("tag_size", [0, 4, 8, 16, 99]),
        ("section", [0, 8, 64, 4096, 5, 1 << 60]),
        ("meshing", [True, False]),
    ):
        if rng.random() < 0.3:
            options[option] = rng.choice(values)
    line = bulat.algorithms[name]
    key, iv, data = some(line.key_size), some(line.iv_size), some(0, 16, 64)
    try:
        if kind == "hash":
            bulat.new(name, data)
        elif kind == "mac":
            tag = bulat.mac(name, key, data, **options)
            assert bulat.batch(name, [data], key, **options) == [tag]
        elif kind == "cipher":
            options.pop("tag_size", None)
            sealed = bulat.encrypt(name, key, data, iv, **options)
            assert bulat.batch(name, [data], key, [iv], **options) == [sealed]
            assert bulat.batch(name, [sealed], key, [iv], decrypt=True, **options) == [data]
        elif kind == "aead":
            options.pop("meshing", None)
            sealed = bulat.Aead(name, key, **options).encrypt(iv, data)
            assert bulat.batch(name, [data], key, [iv], **options) == [sealed]
        elif kind == "kdf":
            bulat.derive(
                name, key, rng.choice([None, 1, 32, 100]), label=some(0, 4), seed=some(0, 8), iterations=rng.choice([None, 0, 2])
            )
        else:
            bulat.unwrap(name, key, some(44, 48), some(0, 8), size=rng.choice([None, 0, 32, 1000]))
            bulat.wrap(name, key, data, iv)
    except bulat.Error:
        pass
