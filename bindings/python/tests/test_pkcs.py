"""PKCS#8 and PKCS#12: published files, files there and back, refusals by cause."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import bulat
import pytest
from bulat import pkcs

DATA = Path(__file__).parents[3] / "crates/pkcs/tests/data"
PUBLISHED = ["rfc9548_a2", "rfc9548_a3", "r50_1_112_2016", "bc_cp_exported", "csp_2001", "csp_2012_256", "csp_2012_256_pw"]
CIPHERS = ["kuznyechik-ctr-acpkm-omac", "kuznyechik-ctr-acpkm", "magma-ctr-acpkm-omac", "magma-ctr-acpkm"]
PASSWORD = "Пароль для PFX"
pytestmark = pytest.mark.skipif(not DATA.exists(), reason="not in the source tree")


def protect(**options: Any) -> pkcs.BestAvailableEncryption:
    return pkcs.BestAvailableEncryption(PASSWORD, **{"iterations": 1000} | options)


@pytest.mark.parametrize("stem", PUBLISHED)
def test_published_files(stem: str) -> None:
    facts = json.loads((DATA / f"{stem}.json").read_text())
    file = (DATA / f"{stem}.p12").read_bytes()
    opened = pkcs.load_pkcs12(file, facts["password"])
    assert opened.key is not None and opened.cert is not None and opened.mac is not None
    assert opened.cert.certificate == (DATA / f"{stem}.cer").read_bytes()
    if "privateKeyInfo" in facts["expected"]:
        assert opened.key.der.hex() == facts["expected"]["privateKeyInfo"]
    assert pkcs.load_key_and_certificates(file, facts["password"].encode()) == (opened.key, opened.cert.certificate, [])
    with pytest.raises(bulat.WrongKey):
        pkcs.load_pkcs12(file, facts["password"] + "x")


def test_a_private_key_in_pem() -> None:
    pem, der = (DATA / "rfc9548_a2_epki.pem").read_bytes(), (DATA / "rfc9548_a2.p8").read_bytes()
    key = pkcs.load_pem_private_key(pem, PASSWORD)
    assert key.der == der and key.oid == "1.2.643.7.1.1.1.2" and key.algorithm == "GOST R 34.10-2012, 512 bits"
    assert repr(key) == "<bulat.pkcs.PrivateKey of GOST R 34.10-2012, 512 bits>"
    clear = key.private_bytes(pkcs.Encoding.PEM, pkcs.NoEncryption())
    assert clear.startswith(b"-----BEGIN PRIVATE KEY-----") and pkcs.load_pem_private_key(clear, None) == key
    assert key.private_bytes(pkcs.Encoding.DER, pkcs.NoEncryption()) == der
    for data, password, words in ((clear, "x", "not encrypted"), (pem, None, "no password was given")):
        with pytest.raises(bulat.InvalidType, match=words):
            pkcs.load_pem_private_key(data, password)
    for label, words in (
        (b"EC PRIVATE", "a private key in SEC 1: `openssl pkcs8"),
        (b"PUBLIC", "but a public key"),
        (b"X", "label"),
    ):
        with pytest.raises(bulat.DamagedData, match=words):
            pkcs.load_pem_private_key(pem.replace(b"ENCRYPTED PRIVATE", label), PASSWORD)
    with pytest.raises(bulat.DamagedData, match="damaged PEM, line 3: not base64"):
        pkcs.load_pem_private_key(pem[:110] + b"!" + pem[111:], PASSWORD)
    # As OpenSSL and cryptography read them.
    for loose in (b"\xef\xbb\xbf" + pem, pem.replace(b"\n", b" \r\n  "), pem.replace(b"\n", b"\n\n", 1)):
        assert pkcs.load_pem_private_key(loose, PASSWORD) == key


@pytest.mark.parametrize("cipher", CIPHERS)
def test_there_and_back(cipher: str) -> None:
    key = pkcs.load_der_private_key((DATA / "rfc9548_a2.p8").read_bytes(), None)
    certificate = (DATA / "rfc9548_a2.cer").read_bytes()
    sealed = key.private_bytes(pkcs.Encoding.DER, protect(cipher=cipher))
    assert pkcs.load_der_private_key(sealed, PASSWORD.encode()) == key
    with pytest.raises(bulat.WrongKey):
        pkcs.load_der_private_key(sealed, "x")
    file = pkcs.serialize_key_and_certificates(
        "Ключ", key, certificate, [certificate, pkcs.PKCS12Certificate(certificate, "CA")], protect(cipher=cipher)
    )
    opened = pkcs.load_pkcs12(file, PASSWORD)
    assert (opened.key, opened.friendly_name, opened.mac) == (key, "Ключ", "streebog512")
    assert opened.cert == pkcs.PKCS12Certificate(certificate, "Ключ")
    assert [c.friendly_name for c in opened.additional_certs] == [None, "CA"] and opened.additional_keys == []
    only = pkcs.serialize_key_and_certificates(None, None, certificate, None, protect())
    assert pkcs.load_pkcs12(only, PASSWORD).key is None
    assert [c.certificate for c in pkcs.load_pkcs12(only, PASSWORD).additional_certs] == [certificate]


def test_refusals_by_cause() -> None:
    file = (DATA / "rfc9548_a2.p12").read_bytes()
    with pytest.raises(bulat.WrongKey, match="wrong password, or the data is damaged"):
        pkcs.load_pkcs12(file, None)
    with pytest.raises(bulat.DamagedData, match="PFX"):
        pkcs.load_pkcs12(file[:-1], PASSWORD)
    with pytest.raises(bulat.InvalidInput, match="needs 4096 iterations, more than the limit of 4000"):
        pkcs.load_pkcs12(file, PASSWORD, max_iterations=4000)
    at = file.rindex(bytes.fromhex("2a85030701010203"))
    with pytest.raises(bulat.UnsupportedAlgorithm, match="MAC: unknown algorithm 1.2.643.7.1.1.2.9"):
        pkcs.load_pkcs12(file[: at + 7] + b"\t" + file[at + 8 :], PASSWORD)
    no_mac = bytes.fromhex("3016020103301106092a864886f70d010701a00404023000")
    with pytest.raises(bulat.DamagedData, match="no MAC"):
        pkcs.load_pkcs12(no_mac, None)
    assert pkcs.load_pkcs12(no_mac, None, require_mac=False).mac is None
    for size in range(0, len(file), 97):
        with pytest.raises(bulat.DamagedData):
            pkcs.load_pkcs12(file[:size], PASSWORD)


def test_arguments() -> None:
    key = pkcs.load_der_private_key((DATA / "rfc9548_a2.p8").read_bytes(), None)
    for options, words in (
        ({"cipher": "rot13"}, "cipher rot13: kuznyechik-ctr-acpkm-omac"),
        ({"iterations": 999}, "at least 1000"),
        ({"iterations": 1 << 33}, "out of range"),
    ):
        with pytest.raises(bulat.InvalidInput, match=words):
            key.private_bytes(pkcs.Encoding.DER, protect(**options))
    for password, words in (("", "empty"), ("a\0", "zero byte")):
        with pytest.raises(bulat.InvalidInput, match=words):
            key.private_bytes(pkcs.Encoding.DER, pkcs.BestAvailableEncryption(password, iterations=1000))
    refusals: list[tuple[type[Exception], str, Callable[[], Any]]] = [
        (bulat.InvalidType, "not an Encoding", lambda: key.private_bytes("PEM", protect())),
        (bulat.InvalidType, "neither Best", lambda: key.private_bytes(pkcs.Encoding.PEM, None)),
        (
            bulat.InvalidType,
            "needs Best",
            lambda: pkcs.serialize_key_and_certificates(None, key, None, None, pkcs.NoEncryption()),
        ),
        (
            bulat.InvalidInput,
            "a key or a certificate",
            lambda: pkcs.serialize_key_and_certificates(None, None, None, None, protect()),
        ),
        (bulat.InvalidInput, "name", lambda: pkcs.serialize_key_and_certificates(b"\xff", key, None, None, protect())),
        (bulat.DamagedData, "certificate", lambda: pkcs.serialize_key_and_certificates(None, key, key.der, None, protect())),
    ]
    for error, words, call in refusals:
        with pytest.raises(error, match=words):
            call()
    for load in (pkcs.PrivateKey, lambda data: pkcs.load_der_private_key(data, None), lambda data: pkcs.load_pkcs12(data, None)):
        for bad in (5, "text", None):
            with pytest.raises(TypeError):
                load(bad)  # type: ignore[arg-type]
    assert "Пароль" not in repr(protect())
