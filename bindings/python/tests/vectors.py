"""Runs a test of `verification/vectors/` through the package. The schema is in verification/vectors/README.md; verification/vectors/src/run is the Rust version."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import bulat

DATA = Path(__file__).parents[3] / "verification" / "vectors" / "data"

SBOXES = {
    "id-Gost28147-89-TestParamSet": "test",
    "id-Gost28147-89-CryptoPro-A-ParamSet": "a",
    "id-Gost28147-89-CryptoPro-B-ParamSet": "b",
    "id-Gost28147-89-CryptoPro-C-ParamSet": "c",
    "id-Gost28147-89-CryptoPro-D-ParamSet": "d",
    "id-tc26-gost-28147-param-Z": "z",
    "id-GostR3411-94-TestParamSet": "hash-test",
    "id-GostR3411-94-CryptoProParamSet": "hash-cryptopro",
}
WRAPS = {"gost": "gost28147-keywrap", "cryptopro": "cryptopro-keywrap", "rfc7836": "gost28147-keywrap-12"}
# The standards' names for the constants of key meshing and of ACPKM.
MESH = bytes.fromhex("6900722264c904238d3adb9646e92ac418feac9400ed0712c086dcc2ef4ca92b")
ACPKM = bytes(range(0x80, 0xA0))
# The package has no call for these: round keys, steps of a round, a counter of a whole block, S-boxes as tables.
UNREACHABLE = {"KEYSCHEDULE", "TRANSFORM", "CTR-FULLBLOCK", "SBOX"}
LONG = 16 << 20


class Skip(Exception):
    """The reason that a test does not run."""


class Test:
    """One test: its fields by name, in bytes where they are hexadecimal digits."""

    __test__ = False

    def __init__(self, fields: dict[str, Any], head: dict[str, Any]) -> None:
        self.fields = fields
        self.algorithm: str = fields.get("algorithm", head["algorithm"])
        self.mode: str = fields.get("mode", head["mode"])
        self.result: str = fields["result"]
        self.flags: list[str] = fields.get("flags", [])

    def has(self, name: str) -> bool:
        return name in self.fields

    def __getitem__(self, name: str) -> Any:
        return self.fields[name]

    def octets(self, name: str) -> bytes:
        if name in self.fields:
            return bytes.fromhex(self.fields[name])
        made = self.fields[name + "_gen"]
        if made["len"] > LONG:
            raise Skip("long: the library's own tests run it")
        if made["alg"] == "ZERO":
            return bytes(made["len"])
        return hashlib.shake_128(bytes.fromhex(made["seed"])).digest(made["len"])

    def number(self, name: str) -> int:
        return int(self.fields[name])

    @property
    def invalid(self) -> bool:
        return self.result == "invalid"

    def is_(self, name: str, got: bytes) -> bytes:
        """Compares a result with the test's value of this name."""
        if self.has(name + "_sha256"):
            assert len(got) == self.number(name + "_len"), name
            assert hashlib.sha256(got).hexdigest() == self[name + "_sha256"], name
        elif self.has(name + "Tail"):
            assert got.endswith(self.octets(name + "Tail")), name
        else:
            assert got == self.octets(name), name
        return got


def refused(call: Callable[[], object]) -> None:
    try:
        call()
    except bulat.Error:
        return
    raise AssertionError("took invalid input")


def both_ways(t: Test, name: str, iv: bytes, **options: Any) -> None:
    key, message = t.octets("key"), t.octets("msg")
    if t.invalid:
        refused(lambda: bulat.encrypt(name, key, message, iv, **options))
        refused(lambda: bulat.decrypt(name, key, message, iv, **options))
        return
    ciphertext = t.is_("ct", bulat.encrypt(name, key, message, iv, **options))
    assert bulat.decrypt(name, key, ciphertext, iv, **options) == message
    context = bulat.Cipher(name, key, iv, **options).decryptor()
    assert context.update(ciphertext) + context.finalize() == message


def mac(t: Test, name: str, key: bytes, **options: Any) -> None:
    tag, message = t.octets("tag"), t.octets("msg")
    if t.invalid:
        refused(lambda: bulat.Mac(name, key, message, **options).verify(tag))
        return
    m = bulat.Mac(name, key, message, **options)
    t.is_("tag", m.digest())
    m.verify(tag)
    assert bulat.mac(name, key, message, **options) == tag
    refused(lambda: m.verify(tag[:-1] + bytes([tag[-1] ^ 1])))


def ecb(cipher: str, key: bytes, text: bytes, **options: Any) -> bytes:
    return bulat.encrypt(cipher + "-ecb", key, text, **options)


def block(t: Test, cipher: str, **options: Any) -> None:
    key, plain = t.octets("key"), t.octets("pt")
    if t.invalid:
        refused(lambda: ecb(cipher, key, plain, **options))
        return
    if t.has("rounds"):
        for _ in range(t.number("rounds")):
            e = bulat.Cipher(cipher + "-ecb", key, **options).encryptor()
            for _ in range(1000):
                plain = e.update(plain)
            key = bytes(k ^ plain[i % len(plain)] for i, k in enumerate(key))
        t.is_("ct", plain)
        return
    c = bulat.Cipher(cipher + "-ecb", key, **options)
    e, d, text = c.encryptor(), c.decryptor(), plain
    for _ in range(t.number("iterations") if t.has("iterations") else 1):
        text = e.update(text)
    back = t.is_("ct", text)
    for _ in range(t.number("iterations") if t.has("iterations") else 1):
        back = d.update(back)
    assert back == plain


def modes(t: Test, cipher: str) -> None:
    n = bulat.algorithms[cipher + "-ecb"].block_size
    iv = t.octets("iv") if t.has("iv") else b""
    s = {"s": t.number("s")} if t.has("s") and t.number("s") != n else {}
    match t.mode:
        case "BLOCK":
            block(t, cipher)
        case "ECB" | "CBC":
            both_ways(t, f"{cipher}-{t.mode.lower()}", iv)
        case "CTR" | "OFB" | "CFB":
            both_ways(t, f"{cipher}-{t.mode.lower()}", iv, **s)
        case "CTR-ACPKM":
            both_ways(t, cipher + "-ctr-acpkm", iv, section=t.number("sectionSize"), **s)
        case "MAC":
            key = t.octets("key")
            if t.has("R"):
                t.is_("R", ecb(cipher, key, bytes(n)))
            mac(t, cipher + "-omac", key, tag_size=t.number("tagLen"))
        case "MGM":
            mgm(t, cipher)
        case _ if t.has("tag"):
            names = {"section": "sectionSize", "period": "masterPeriod", "tag_size": "tagLen"}
            options = {name: t.number(field) for name, field in names.items() if t.has(field)}
            mac(t, f"{cipher}-{t.mode.lower()}", t.octets("key"), **options)
        case "ACPKM" if t.has("material"):
            zeros = bytes(t.number("sections") * (32 + n))
            iv, period = b"\xff" * (n // 2), t.number("masterPeriod")
            t.is_("material", bulat.encrypt(cipher + "-ctr-acpkm", t.octets("key"), zeros, iv, section=period))
        case "ACPKM":
            key = t.octets("key")
            for expected in t["key_next"]:
                key = ecb(cipher, key, ACPKM)
                assert key.hex() == expected
        case _:
            raise Skip(f"no call: {t.mode}")


def mgm(t: Test, cipher: str) -> None:
    key, nonce, aad, tag_size = t.octets("key"), t.octets("iv"), t.octets("aad"), t.number("tagLen")
    name, tag = cipher + "-mgm", t.octets("tag")
    if t.invalid:
        ciphertext = t.octets("ct")
        refused(lambda: opened(bulat.Aead(name, key, tag_size=tag_size), nonce, ciphertext, tag, aad))
        if {"NonceMsbSet", "NonceLength", "EmptyAll"} & set(t.flags):
            refused(lambda: bulat.Aead(name, key, tag_size=tag_size).encrypt(nonce, ciphertext, aad))
        return
    aead, message = bulat.Aead(name, key, tag_size=tag_size), t.octets("msg")
    sealed = aead.encrypt(nonce, message, aad)
    t.is_("ct", sealed[: len(message)])
    t.is_("tag", sealed[len(message) :])
    assert aead.decrypt(nonce, sealed, aad) == message
    assert opened(aead, nonce, sealed[: len(message)], tag, aad) == message


def opened(aead: bulat.Aead, nonce: bytes, ciphertext: bytes, tag: bytes, aad: bytes) -> bytes:
    """With a tag of any length."""
    if len(tag) == aead.tag_size:
        return aead.decrypt(nonce, ciphertext + tag, aad)
    u = aead.unverified_decryptor(nonce)
    u.update_aad(aad)
    text = u.update(ciphertext)
    u.verify(tag)
    return text


def gost28147(t: Test) -> None:
    if t.mode == "SBOX":
        raise Skip("no call: SBOX")
    sboxes = SBOXES[t["sbox"]]
    if t.mode == "KEYWRAP":
        wraps(t, sboxes)
        return
    if t.mode == "BLOCK" and "Mesh" in t.flags:
        key = bulat.decrypt("gost89-ecb", t.octets("key"), MESH, sboxes=sboxes)
        t.is_("key_next", key)
        t.is_("iv_next", ecb("gost89", key, t.octets("iv"), sboxes=sboxes))
        return
    if t.mode == "BLOCK":
        block(t, "gost89", sboxes=sboxes)
        return
    if t.mode == "ECB":
        both_ways(t, "gost89-ecb", b"", sboxes=sboxes)
        return
    meshing, iv = t["keyMeshing"] == "CryptoPro", t.octets("iv")
    if t.mode == "IMIT":
        options = {"sboxes": sboxes, "meshing": meshing, "iv": iv, "tag_size": t.number("tagLen")}
        mac(t, "gost-mac", t.octets("key"), **options)
        return
    name = {"CNT": "gost89-cnt", "CFB": "gost89", "CBC": "gost89-cbc"}[t.mode]
    both_ways(t, name, iv, sboxes=sboxes, meshing=meshing)


def wraps(t: Test, sboxes: str) -> None:
    name, kek, wrapped = WRAPS[t["type"]], t.octets("kek"), t.octets("wrapped")
    options = {} if t["type"] == "rfc7836" else {"sboxes": sboxes}
    if t.invalid:
        refused(lambda: bulat.unwrap(name, kek, wrapped, **options))
        return
    t.is_("wrapped", bulat.wrap(name, kek, t.octets("cek"), t.octets("ukm"), **options))
    t.is_("cek", bulat.unwrap(name, kek, wrapped, **options))


def kexp15(t: Test) -> None:
    name, iv, sexp = t["cipher"].lower() + "-kexp15", t.octets("iv"), t.octets("sexp")
    keys = t.octets("kExpMac") + t.octets("kExpEnc")
    if t.invalid:
        refused(lambda: bulat.unwrap(name, keys, sexp, iv))
        return
    t.is_("sexp", bulat.wrap(name, keys, t.octets("secret"), iv))
    t.is_("secret", bulat.unwrap(name, keys, sexp, iv))


def cms(t: Test) -> None:
    cipher, cek, ukm, section = t["cipher"].lower(), t.octets("cek"), t.octets("ukm"), t.number("sectionSize")
    if not t.has("encryptedMac"):
        t.fields["key"] = t["cek"]
        n = bulat.algorithms[cipher + "-ecb"].block_size
        both_ways(t, cipher + "-ctr-acpkm", ukm[: n // 2], section=section)
        return
    if t.invalid:
        sealed = t.octets("ct") + t.octets("encryptedMac")
        refused(lambda: bulat.Aead(cipher + "-ctr-acpkm-omac", cek, section=section).decrypt(ukm, sealed))
        return
    aead, message = bulat.Aead(cipher + "-ctr-acpkm-omac", cek, section=section), t.octets("msg")
    sealed = aead.encrypt(ukm, message)
    t.is_("ct", sealed[: len(message)])
    t.is_("encryptedMac", sealed[len(message) :])
    assert aead.decrypt(ukm, sealed) == message


def streebog(t: Test) -> None:
    name, message = "streebog" + t.algorithm[-3:], t.octets("msg")
    t.is_("md", bulat.new(name, message).digest())
    assert bulat.digest(name, message) == bulat.batch(name, [message])[0] == t.octets("md")


def hmac(t: Test) -> None:
    key = t.octets("key")
    name = "hmac-streebog" + t.algorithm[-3:]
    mac(t, name, key, tag_size=t.number("tagLen"))


def pbkdf2(t: Test) -> None:
    if t.number("iterations") > 100_000:
        raise Skip("long: the library's own tests run it")
    name, options = "pbkdf2-hmac-streebog" + t.algorithm[-3:], {"iterations": t.number("iterations")}
    t.is_("dk", bulat.derive(name, t.octets("password"), t.number("dkLen"), salt=t.octets("salt"), **options))


def kdf(t: Test) -> None:
    key, label, seed = t.octets("key"), t.octets("label"), t.octets("seed")
    if t["type"] == "kdf":
        t.is_("dk", bulat.derive("kdf-gostr3411-2012-256", key, label=label, seed=seed))
        return

    def made() -> bytes:
        return bulat.derive("kdf-tree", key, t.number("L"), label=label, seed=seed, counter=t.number("R"))

    if t.invalid:
        refused(made)
    else:
        t.is_("dk", made())


def prf(t: Test) -> None:
    size = str(t.number("size")) if t.has("size") else t.algorithm[-3:]
    match t["type"]:
        case "prf_tls":
            name, label = f"prf-tls-gostr3411-2012-{size}", t.octets("label")
            t.is_("out", bulat.derive(name, t.octets("key"), t.number("L"), label=label, seed=t.octets("seed")))
        case "prf_plus":
            t.is_("out", bulat.derive("prf-plus-streebog" + size, t.octets("key"), t.number("L"), seed=t.octets("seed")))
        case "hkdf":
            options = {"salt": t.octets("salt"), "seed": t.octets("info")}
            t.is_("out", bulat.derive("hkdf-streebog" + size, t.octets("ikm"), t.number("L"), **options))
        case "hkdf_extract":
            t.is_("prk", bulat.mac("hmac-streebog" + size, t.octets("salt"), t.octets("ikm")))
        case "hkdf_expand":
            out, piece, info = b"", b"", t.octets("info")
            while len(out) < t.number("L"):
                count = bytes([len(out) // (int(size) // 8) + 1])
                piece = bulat.mac("hmac-streebog" + size, t.octets("prk"), piece + info + count)
                out += piece
            t.is_("out", out[: t.number("L")])


def suite(t: Test) -> str:
    return str(t["suite"]).removeprefix("TLS_GOSTR341112_256_WITH_").lower().replace("_", "-")


def tlstree(t: Test) -> None:
    t.is_("dk", bulat.tlstree(t.octets("key"), masks=suite(t), record=t.number("seqnum")))


def record(t: Test) -> None:
    if t["version"] == "1.2-CNT_IMIT":
        cnt_imit(t)
        return
    masks, seqnum, message, iv = suite(t), t.number("seqnum"), t.octets("msg"), t.octets("writeIv")
    cipher = masks.split("-")[0]
    n = bulat.algorithms[cipher + "-ecb"].block_size
    key = bulat.tlstree(t.octets("writeKey"), masks=masks, record=seqnum)

    def header(kind: int, size: int) -> bytes:
        return bytes([kind, 3, 3]) + size.to_bytes(2, "big")

    if t["version"] == "1.3":
        nonce = bytearray((int.from_bytes(iv, "big") ^ seqnum).to_bytes(n, "big"))
        nonce[0] &= 0x7F
        head = header(23, len(message) + n)
        aead = bulat.Aead(cipher + "-mgm", key)
        sealed = aead.encrypt(nonce, message, head)
        t.is_("record", head + sealed)
        assert aead.decrypt(nonce, sealed, head) == message
        return
    kind = t.number("contentType")
    mac_key = bulat.tlstree(t.octets("macKey"), masks=masks, record=seqnum)
    covered = seqnum.to_bytes(8, "big") + header(kind, len(message)) + message
    tag = bulat.mac(cipher + "-omac", mac_key, covered)
    counter = ((int.from_bytes(iv, "big") + seqnum) % (1 << (4 * n))).to_bytes(n // 2, "big")
    body = bulat.encrypt(cipher + "-ctr-acpkm", key, message + tag, counter, section=256 * n)
    # The sections of TLS: 1 KiB for Magma, 4 KiB for Kuznyechik.
    if n == 8:
        body = bulat.encrypt(cipher + "-ctr-acpkm", key, message + tag, counter, section=1024)
    t.is_("record", header(kind, len(body)) + body)


def cnt_imit(t: Test) -> None:
    covered, text, ends = b"", b"", []
    for i, size in enumerate(t["fragments"]):
        covered += i.to_bytes(8, "big") + bytes([23, 3, 3]) + size.to_bytes(2, "big") + bytes(size)
        tag = bulat.mac("gost-mac-12", t.octets("macKey"), covered, iv=bytes(8), meshing=True)
        assert tag.hex() == t["macs"][i]
        text += bytes(size) + tag
        ends.append(len(text))
    sealed, start = bulat.encrypt("gost89-cnt-12", t.octets("writeKey"), text, t.octets("writeIv"), meshing=True), 0
    for i, end in enumerate(ends):
        t.is_(f"record{i}", bytes([23, 3, 3]) + (end - start).to_bytes(2, "big") + sealed[start:end])
        start = end


def esp(t: Test) -> None:
    iv, key = t.octets("iv"), t.octets("key")
    for label, seed in [(b"level1", b"\0" + iv[:1]), (b"level2", iv[1:3]), (b"level3", iv[3:5])]:
        key = bulat.kdf_gostr3411_2012_256(key, label=label, seed=seed)
    t.is_("dk", key)
    nonce = b"\0" + iv[5:] + t.octets("salt")
    t.is_("nonce", nonce)
    if t.has("ct"):
        aead = bulat.Aead(t["cipher"].lower() + "-mgm", key, tag_size=t.number("tagLen"))
        assert aead.encrypt(nonce, t.octets("msg"), t.octets("aad")) == t.octets("ct") + t.octets("tag")


def gost94(t: Test) -> None:
    t.is_("md", bulat.new("gost94", t.octets("msg"), sboxes=SBOXES[t["sbox"]]).digest())


FAMILIES: dict[str, Callable[[Test], None]] = {
    "GOST28147-89": gost28147,
    "GOSTR3411-94": gost94,
    "STREEBOG-256": streebog,
    "STREEBOG-512": streebog,
    "HMAC-STREEBOG-256": hmac,
    "HMAC-STREEBOG-512": hmac,
    "PBKDF2-HMAC-STREEBOG-256": pbkdf2,
    "PBKDF2-HMAC-STREEBOG-512": pbkdf2,
    "KDF_GOSTR3411_2012_256": kdf,
    "PRF-STREEBOG": prf,
    "TLSTREE": tlstree,
    "TLS-RECORD": record,
    "ESP": esp,
    "KEXP15": kexp15,
    "CMS-CTR-ACPKM": cms,
}


def run(path: Path) -> Counter[str]:
    """Returns the number of passed tests of a file, and of skipped ones by reason."""
    count: Counter[str] = Counter()
    head = json.loads(path.read_text())
    for fields in head["tests"]:
        t = Test(fields, head)
        try:
            if t.result == "unverified":
                raise Skip("not verified against the standard")
            if t.algorithm in ("KUZNYECHIK", "MAGMA"):
                modes(t, t.algorithm.lower())
            else:
                FAMILIES[t.algorithm](t)
        except Skip as e:
            count[str(e)] += 1
        except Exception as e:
            e.add_note(f"{path.name}, test {fields.get('tcId', fields.get('id'))}: {t.algorithm} {t.mode} {t.flags}")
            raise
        else:
            count["passed"] += 1
    return count
