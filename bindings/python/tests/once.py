"""Makes every call once, right and wrong, without other packages: for valgrind, and for a bare Python."""

from __future__ import annotations

import io
import subprocess
import sys
import threading
from typing import Any

import bulat
from bulat import container, pkcs

K = bytes(range(32))


def refused(call: object, *arguments: object, **options: object) -> None:
    try:
        call(*arguments, **options)  # type: ignore[operator]
    except (bulat.Error, TypeError):
        return
    raise AssertionError(f"{call} took {arguments}")


def iv_of(a: bulat.Algorithm) -> bytes:
    return b"\1" * a.iv_size


def one(a: bulat.Algorithm, data: bytes) -> None:
    key, iv, name = bytes(range(a.key_size or 32)), iv_of(a), a.name
    match a.kind:
        case "hash":
            h = bulat.new(name, data)
            h.update(bytearray(data))
            assert h.copy().digest() == h.digest() == bulat.batch(name, [data + data], threads=2)[0]
            refused(h.update, "text")
            refused(h.update, memoryview(b"abcd")[::2])
        case "mac":
            m = bulat.Mac(name, key, data)
            m.verify(m.digest())
            assert bulat.batch(name, [data] * 3, [key, key, bulat.Key(name, key)]) == [m.digest()] * 3
            refused(m.verify, b"")
            refused(bulat.mac, name, key, 5)
        case "cipher":
            sealed = bulat.encrypt(name, key, data, iv)
            c = bulat.Cipher(name, key, iv)
            e = c.decryptor()
            assert e.update(sealed) + e.finalize() == data
            buffer = bytearray(data)
            n = c.encryptor().update_into(buffer, buffer)
            assert buffer[:n] == sealed[:n]
            buffers = [bytearray(data), bytearray(data)]
            twice: list[Any] = [key, bulat.Key(name, key)]
            bulat.batch(name, buffers, twice, iv or None, into=buffers)
            assert buffers[1] == sealed
            if iv:
                refused(bulat.batch, name, [data, data], key, iv)
            refused(c.encryptor().update_into, memoryview(buffer)[1:], memoryview(buffer)[:-1])
            refused(c.encryptor().update_into, data, bytes(data))
            refused(bulat.encrypt, name, b"", data, iv)
        case "aead":
            aead = bulat.Aead(name, key)
            sealed = aead.encrypt(iv, data)
            assert aead.decrypt(iv, sealed) == data
            buffer = bytearray(data) + bytes(aead.tag_size)
            aead.encrypt_into(iv, memoryview(buffer)[: len(data)], None, buffer)
            assert buffer == sealed
            aead.decrypt_into(iv, buffer, None, memoryview(buffer)[: len(data)])
            pieces = aead.encryptor(iv)
            assert pieces.update(data) + pieces.finalize() == sealed
            refused(pieces.update, data)
            refused(aead.decrypt, iv, sealed[:-1])
            refused(aead.encrypt_into, iv, data, None, bytearray(3))
            assert bulat.batch(name, [sealed], aead, iv, decrypt=True) == [data]
            d = aead.unverified_decryptor(iv)
            assert d.update(sealed[: len(data)]) == data
            d.verify(sealed[len(data) :])
        case "kdf":
            options: dict[str, Any] = (
                {"salt": b"", "iterations": 2} if "pbkdf2" in name else {"masks": "magma-ctr-omac"} if name == "tlstree" else {}
            )
            bulat.derive(name, key, a.output_size or 40, **options)
            refused(bulat.derive, name, key, 0)
        case "wrap":
            wrapped = bulat.wrap(name, bytes(a.key_size), K, iv)
            given = iv if "kexp15" in name else b""
            assert bulat.unwrap(name, bytes(a.key_size), wrapped, given) == K
            refused(bulat.unwrap, name, bytes(a.key_size), wrapped[:-1], given)


def files() -> None:
    text, file = bytes(20_000), io.BytesIO()
    with container.open(file, "wb", key=K, chunk=4096) as writer:
        for at in range(0, len(text), 3000):
            writer.write(text[at : at + 3000])
    with container.open(file, key=K) as reader:
        assert reader.read(10) == text[:10] and reader.read() == text[10:]
        reader.seek(-5, 2)
        assert len(reader.read()) == 5
    out = io.BytesIO()
    container.decrypt(io.BytesIO(file.getvalue()), out, key=K, threads=2)
    assert out.getvalue() == text
    bad = bytearray(file.getvalue())
    bad[-1] ^= 1
    refused(container.decrypt, io.BytesIO(bad), io.BytesIO(), key=K)
    refused(container.open, io.BytesIO(bad), key=bytes(32))
    refused(container.open, io.BytesIO(b"x"), key=K)
    assert container.info(file)["size"] == 20_000


def private_keys() -> None:
    key = pkcs.PrivateKey(bytes.fromhex("301d020100300606042a0304050410") + bytes(16))
    for cipher in ("kuznyechik-ctr-acpkm-omac", "magma-ctr-acpkm"):
        protect = pkcs.BestAvailableEncryption("password", cipher, 1000)
        sealed = key.private_bytes(pkcs.Encoding.PEM, protect)
        assert pkcs.load_pem_private_key(sealed, "password") == key
        refused(pkcs.load_pem_private_key, sealed, "other")
        refused(pkcs.load_der_private_key, sealed, "password")
        file = pkcs.serialize_key_and_certificates(
            "name", key, None, [bytes.fromhex("3014300d020101" + 6 * "3000" + "030100")], protect
        )
        opened = pkcs.load_pkcs12(file, "password")
        assert opened.key == key and len(opened.additional_certs) == 1
        refused(pkcs.load_pkcs12, file[:-1], "password")
        refused(pkcs.load_pkcs12, file, None)


def shared() -> None:
    h = bulat.streebog256()

    def work() -> None:
        for n in (10, 3000, 10):
            h.update(bytes(n))

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert h.digest() == bulat.digest("streebog256", bytes(3 * 3020))


def interpreters() -> None:
    """Only the first interpreter of a process that imports the package has it: others would share its classes."""
    for order in (["main", "legacy", "legacy"], ["legacy", "isolated", "legacy", "main"], ["isolated", "legacy"]):
        child = subprocess.run([sys.executable, "-c", IMPORT_IN, *order], capture_output=True, text=True, timeout=60)
        words = child.stdout.split()
        # From 3.12 on an isolated interpreter refuses the module; before, it shares the lock.
        first = int(order[0] == "isolated" and sys.version_info >= (3, 12))
        right = ["4e2919cf" if i == first else "ImportError" for i in range(len(order))]
        assert words == right, (order, child)


IMPORT_IN = """
import os, sys
if sys.version_info >= (3, 13):
    import _interpreters as api
    make, run = api.create, api.exec
else:
    import _xxsubinterpreters as api
    make, run = lambda kind: api.create(isolated=kind == "isolated"), api.run_string
code = '''
import os
try:
    import bulat
    word = bulat.streebog256(b"abc").hexdigest()[:8]
except ImportError as e:
    word = "ImportError" if "interpreter" in str(e) else ascii(e)
os.write(1, word.encode() + b" ")
'''
for kind in sys.argv[1:]:
    exec(code) if kind == "main" else run(make(kind), code)
"""


def main() -> None:
    for a in bulat.algorithms.values():
        for n in (16, 48, 4096):
            one(a, bytes(i & 0xFF for i in range(n)))
    files()
    private_keys()
    shared()
    interpreters()
    print(f"once: {len(bulat.algorithms)} algorithms, Python {sys.version.split()[0]}")


main()
