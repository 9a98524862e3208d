"""Every algorithm of the table, in every way: one call, pieces of random lengths, buffers of every kind, in place, batches."""

from __future__ import annotations

import array
import mmap
import random
from collections.abc import Callable, Iterator
from typing import Any

import bulat
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

TABLE = list(bulat.algorithms.values())


def of(*kinds: str) -> Any:
    names = [a.name for a in TABLE if a.kind in kinds]
    return pytest.mark.parametrize("name", names)


def key_of(name: str) -> bytes:
    """Returns bytes that differ: K1 and K2 of XTS must not be equal."""
    return random.Random(name).randbytes(bulat.algorithms[name].key_size or 32)


def iv_of(name: str) -> bytes:
    """The first bit of MGM's is 0."""
    return b"\x01" + bytes(range(1, bulat.algorithms[name].iv_size)) if bulat.algorithms[name].iv_size else b""


def pieces(data: bytes, rng: random.Random, multiple: int = 1) -> Iterator[bytes]:
    at = 0
    while at < len(data):
        n = multiple * rng.choice([0, 1, 2, 3, 15, 16, 17, 31, 64, 65, 255, 1024, 4096])
        yield data[at : at + n]
        at += n


def mapped(data: bytes) -> mmap.mmap:
    m = mmap.mmap(-1, max(len(data), 1))
    m[: len(data)] = data
    return m


BUFFERS: dict[str, Callable[[bytes], Any]] = {
    "bytes": bytes,
    "bytearray": bytearray,
    "memoryview": memoryview,
    "part of a memoryview": lambda data: memoryview(b"x" + data + b"y")[1:-1],
    "array": lambda data: array.array("B", data),
    "numpy": lambda data: np.frombuffer(data, dtype=np.uint8),
    "numpy, two dimensions": lambda data: np.frombuffer(data, dtype=np.uint8).reshape(4, -1),
    "numpy of words": lambda data: np.frombuffer(data, dtype="<u4"),
    "memoryview of words": lambda data: memoryview(data).cast("I"),
    "mmap": mapped,
}

lengths = st.one_of(st.integers(0, 300), st.sampled_from([1023, 1024, 2047, 2048, 2049, 4096, 8191, 16384, 40000]))


@of("hash")
@settings(max_examples=40, deadline=None)
@given(n=lengths, seed=st.integers(0, 1 << 32))
def test_hash_in_pieces(name: str, n: int, seed: int) -> None:
    rng = random.Random(seed)
    data = rng.randbytes(n)
    whole = bulat.digest(name, data)
    h, copies = bulat.new(name), []
    for piece in pieces(data, rng):
        copies.append((h.copy(), h.digest()))
        h.update(piece)
    assert h.digest() == bulat.new(name, data).digest() == whole
    assert h.hexdigest() == whole.hex() == bulat.batch(name, [data, b"", data])[2].hex()
    assert all(copy.digest() == digest for copy, digest in copies)
    assert (h.name, h.digest_size, len(whole)) == (name, len(whole), bulat.algorithms[name].output_size)


@of("mac")
@settings(max_examples=40, deadline=None)
@given(n=lengths, seed=st.integers(0, 1 << 32))
def test_mac_in_pieces(name: str, n: int, seed: int) -> None:
    rng = random.Random(seed)
    data, key = rng.randbytes(n), key_of(name)
    whole = bulat.mac(name, key, data)
    m = bulat.Mac(name, key)
    for piece in pieces(data, rng):
        copy = m.copy()
        m.update(piece)
        assert copy.digest_size == m.digest_size
    assert m.digest() == whole == bulat.Mac(name, key, data).digest() == bytes.fromhex(m.hexdigest())
    m.verify(whole)
    assert bulat.batch(name, [b"", data], key) == [bulat.mac(name, key, b""), whole]
    assert bulat.batch(name, [data], [key], tags=[whole]) == [True]
    for bad in (whole[:-1], whole + b"\0", bytes([whole[0] ^ 1]) + whole[1:], b""):
        with pytest.raises(bulat.Error):
            m.verify(bad)
        with pytest.raises(bulat.Error):
            bulat.batch(name, [data], key, tags=[bad])


@of("cipher")
@settings(max_examples=40, deadline=None)
@given(n=lengths, seed=st.integers(0, 1 << 32))
def test_cipher_in_pieces(name: str, n: int, seed: int) -> None:
    rng, line = random.Random(seed), bulat.algorithms[name]
    whole_blocks = name.endswith(("-ecb", "-cbc"))
    if whole_blocks or name.endswith("-xts"):
        n += -n % line.block_size
    if name.endswith("-xts"):
        n = max(n, 16)
    data, key, iv = rng.randbytes(n), key_of(name), iv_of(name)
    sealed = bulat.encrypt(name, key, data, iv)
    assert len(sealed) == n and bulat.decrypt(name, key, sealed, iv) == data
    cipher = bulat.Cipher(name, key, iv)
    for context, source, wanted in ((cipher.encryptor(), data, sealed), (cipher.decryptor(), sealed, data)):
        for _ in range(2):
            out = b"".join(context.update(piece) for piece in pieces(source, rng)) + context.finalize()
            assert out == wanted
            context.reset(iv)
        # Into a separate buffer, then in place; the held bytes come at the end.
        apart, done = bytearray(n), context.update_into(source, bytearray(n))
        context.reset(iv)
        assert context.update_into(source, apart) == done
        assert bytes(apart[:done]) + context.finalize() == wanted
        context.reset(iv)
        place = np.frombuffer(bytearray(source), dtype=np.uint8)
        done = context.update_into(place, place)
        assert place[:done].tobytes() + context.finalize() == wanted
    # Under a key an IV serves a single message; a prepared copy of the key counts as another key.
    keys = [key, bulat.Key(name, key)]
    assert bulat.batch(name, [data, data], keys, [iv, iv] if iv else None)[1] == sealed
    buffers = [bytearray(data), bytearray(data)]
    assert bulat.batch(name, buffers, keys, iv or None, into=buffers, threads=2) == [n, n]
    assert buffers == [sealed, sealed]
    assert bulat.batch(name, [sealed], bulat.Key(name, key), iv or None, decrypt=True) == [data]


@of("aead")
@settings(max_examples=40, deadline=None)
@given(n=lengths, m=st.integers(0, 100), seed=st.integers(0, 1 << 32))
def test_aead_in_pieces(name: str, n: int, m: int, seed: int) -> None:
    rng = random.Random(seed)
    n += 2  # a message without text and associated data is refused, also a sealed message that lacks a byte
    data, key, nonce = rng.randbytes(n), key_of(name), iv_of(name)
    aad = b"" if "acpkm" in name else rng.randbytes(m)
    aead = bulat.Aead(name, key)
    sealed = aead.encrypt(nonce, data, aad)
    assert aead.decrypt(nonce, sealed, aad) == data
    e = aead.encryptor(nonce)
    for piece in pieces(aad, rng):
        e.update_aad(piece)
    assert b"".join(e.update(piece) for piece in pieces(data, rng)) + e.finalize() == sealed
    d = aead.unverified_decryptor(nonce)
    for piece in pieces(aad, rng):
        d.update_aad(piece)
    assert b"".join(d.update(piece) for piece in pieces(sealed[:n], rng)) == data
    d.verify(sealed[n:])
    # In place, then into another buffer.
    buffer = bytearray(data + bytes(aead.tag_size))
    assert aead.encrypt_into(nonce, memoryview(buffer)[:n], aad, buffer) == len(sealed)
    assert buffer == sealed
    assert aead.decrypt_into(nonce, buffer, aad, memoryview(buffer)[:n]) == n
    assert buffer[:n] == data
    out = bytearray(n)
    aead.decrypt_into(nonce, sealed, aad, out)
    assert out == data
    again = bulat.batch(name, [data, data], [aead, key], [nonce, nonce], associated_data=aad or None)
    assert again == [sealed, sealed]
    assert bulat.batch(name, [sealed], aead, nonce, associated_data=aad or None, decrypt=True) == [data]
    buffers = [bytearray(data + bytes(aead.tag_size))]
    views = [memoryview(buffers[0])[:n]]
    bulat.batch(name, views, key, nonce, associated_data=aad or None, into=buffers)
    assert buffers[0] == sealed
    # One bit anywhere.
    at = rng.randrange(8 * len(sealed))
    bad = bytearray(sealed)
    bad[at // 8] ^= 1 << at % 8
    out = bytearray(b"\xaa" * n)
    for call in (
        lambda: aead.decrypt(nonce, bad, aad),
        lambda: aead.decrypt_into(nonce, bad, aad, out),
        lambda: aead.decrypt(nonce, sealed[:-1], aad),
        lambda: bulat.batch(name, [bad], aead, nonce, associated_data=aad or None, decrypt=True),
    ):
        with pytest.raises(bulat.InvalidTag):
            call()
    assert out == b"\xaa" * n


@pytest.mark.parametrize("kind", BUFFERS)
def test_buffers_of_every_kind(kind: str) -> None:
    data = random.Random(1).randbytes(4096)
    buffer, key, iv = BUFFERS[kind](data), bytes(32), bytes(8)
    h = bulat.streebog256(buffer)
    h.update(buffer)
    assert h.digest() == bulat.digest("streebog256", data + data)
    assert bulat.mac("magma-omac", key, buffer) == bulat.mac("magma-omac", key, data)
    assert bulat.encrypt("kuznyechik-ctr", key, buffer, iv) == bulat.encrypt("kuznyechik-ctr", key, data, iv)
    aead = bulat.MagmaMGM(key)
    assert aead.encrypt(iv, buffer, buffer) == aead.encrypt(iv, data, data)
    assert bulat.batch("streebog512", [buffer]) == [bulat.streebog512(data).digest()]
    if kind in ("bytes", "memoryview", "part of a memoryview", "numpy", "numpy, two dimensions", "numpy of words"):
        return  # over bytes: read-only
    if kind == "memoryview of words":
        return
    out = BUFFERS[kind](bytes(4096))
    assert bulat.Cipher("kuznyechik-ctr", key, iv).encryptor().update_into(buffer, out) == 4096
    assert bytes(out) == bulat.encrypt("kuznyechik-ctr", key, data, iv)


def test_numpy_in_place() -> None:
    image = np.arange(3000, dtype=np.float64)
    c = bulat.Cipher("magma-ctr", bytes(32), bytes(4))
    before = image.copy()
    assert c.encryptor().update_into(image, image) == 24000
    assert not np.array_equal(image, before)
    c.decryptor().update_into(image, image)
    assert np.array_equal(image, before)


@pytest.mark.parametrize("padding", ["pkcs7", "2", "1"])
@pytest.mark.parametrize("name", ["kuznyechik-cbc", "magma-cbc", "kuznyechik-ecb", "gost89-cbc"])
def test_paddings(name: str, padding: str) -> None:
    line = bulat.algorithms[name]
    for n in range(0, 3 * line.block_size + 1):
        data, key, iv = bytes(range(1, n + 1)), bytes(32), bytes(line.iv_size)
        sealed = bulat.encrypt(name, key, data, iv, padding=padding)
        text = bulat.decrypt(name, key, sealed, iv, padding=padding)
        assert len(sealed) % line.block_size == 0
        if padding == "1":
            assert text.rstrip(b"\0") == data
        else:
            assert text == data
        e = bulat.Cipher(name, key, iv, padding=padding).encryptor()
        assert b"".join(e.update(data[i : i + 1]) for i in range(n)) + e.finalize() == sealed


@of("mac", "aead")
def test_truncated_tags(name: str) -> None:
    line, key = bulat.algorithms[name], key_of(name)
    for size in range(line.tag_sizes.stop + 1):
        if size not in line.tag_sizes:
            with pytest.raises(bulat.InvalidInput):
                (bulat.Mac if line.kind == "mac" else bulat.Aead)(name, key, tag_size=size)
        elif line.kind == "mac":
            m = bulat.Mac(name, key, b"message", tag_size=size)
            assert m.digest() == bulat.mac(name, key, b"message", tag_size=line.tag_sizes[-1])[:size]
            assert m.digest_size == size
            m.verify(m.digest())
            assert bulat.batch(name, [b"message"], key, tag_size=size) == [m.digest()]
        else:
            aead = bulat.Aead(name, key, tag_size=size)
            sealed = aead.encrypt(iv_of(name), b"message")
            assert len(sealed) == 7 + size == 7 + aead.tag_size
            assert aead.decrypt(iv_of(name), sealed) == b"message"


@of("kdf")
def test_every_kdf_by_its_own_name(name: str) -> None:
    options: dict[str, Any] = {"salt": b"", "iterations": 3} if name.startswith("pbkdf2") else {}
    if name == "tlstree":
        options = {"masks": "magma-mgm-s", "record": 5}
    length = bulat.algorithms[name].output_size or 50
    by_name = getattr(bulat, name.replace("-", "_"))
    derived = by_name(bytes(32), length, **options)
    assert derived == bulat.derive(name, bytes(32), length, **options) and len(derived) == length


@of("wrap")
def test_every_wrap(name: str) -> None:
    line = bulat.algorithms[name]
    key, iv, secret = bytes(line.key_size), b"\x01" * line.iv_size, bytes(range(32))
    wrapped = bulat.wrap(name, key, secret, iv)
    given_iv = iv if "kexp15" in name else b""
    assert bulat.unwrap(name, key, wrapped, given_iv) == secret
    for i in range(len(wrapped)):
        bad = bytearray(wrapped)
        bad[i] ^= 1
        with pytest.raises(bulat.InvalidTag):
            bulat.unwrap(name, key, bad, given_iv)


def test_every_name_of_the_table_is_here() -> None:
    for a in TABLE:
        if a.kind in ("hash", "mac", "kdf"):
            assert callable(getattr(bulat, a.name.replace("-", "_")))
        for alias in (*a.aliases, *([a.oid] if a.oid else []), a.name.upper()):
            if a.kind == "hash":
                assert bulat.new(alias, b"").name == a.name
    assert {c for c in bulat.__all__ if hasattr(getattr(bulat, c), "generate_key")} == {
        "KuznyechikMGM",
        "KuznyechikCTR_ACPKM_OMAC",
        "MagmaMGM",
        "MagmaCTR_ACPKM_OMAC",
    }
    assert bulat.algorithms_available == {"streebog256", "streebog512", "gost94", "gost94-test"}


@pytest.mark.parametrize("kernel", [name for name, missing in bulat.kernels().items() if missing is None])
def test_every_kernel(kernel: str) -> None:
    want = bulat.streebog256(b"abc" * 999).digest()
    sealed = bulat.KuznyechikMGM(bytes(32)).encrypt(bytes(16), b"text" * 999)
    bulat.force(kernel)
    try:
        assert bulat.forced() == kernel
        assert bulat.streebog256(b"abc" * 999).digest() == want
        assert bulat.KuznyechikMGM(bytes(32)).encrypt(bytes(16), b"text" * 999) == sealed
    finally:
        bulat.force(None)
    assert bulat.forced() is None and set(bulat.picked().values()) <= set(bulat.kernels())


def test_selftest() -> None:
    assert bulat.selftest()
