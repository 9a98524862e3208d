"""No secret is written to logs, audit, metrics, errors, database or backup; a sealed service has no keys in memory."""

import contextlib
import os
from base64 import b64decode
from pathlib import Path

import pytest

from bulatd import b64


def forms(secret: bytes):
    """Returns the forms in which a secret may be written."""
    yield secret
    yield secret.hex().encode()
    for shift in range(3):
        # The base64 of a text around it contains whole groups of it.
        yield b64(b"\0" * shift + secret)[4:-4].encode()


def found(secrets: dict[str, bytes], text: bytes) -> list[str]:
    return [name for name, secret in secrets.items() if any(form in text for form in forms(secret))]


@pytest.fixture
def used(servers, folder):
    """A server that has done all kinds of work, valid and invalid, on known secrets."""
    server = servers(extra='[log]\nlevel = "debug"\n').init().start()
    secrets = {f"{what} {n}": os.urandom(24) for what in ("text", "context", "input") for n in range(3)}
    server.data("POST", "transit/keys/plain", {"exportable": True})
    server.data("POST", "transit/keys/derived", {"derived": True})
    tokens = [server.new_token() for _ in range(3)] + [server.token]
    for n in range(3):
        text, context = b64(secrets[f"text {n}"]), b64(secrets[f"context {n}"])
        sealed = server.data("POST", "transit/encrypt/plain", {"plaintext": text}, token=tokens[n])["ciphertext"]
        assert server.data("POST", "transit/decrypt/plain", {"ciphertext": sealed})["plaintext"] == text
        derived = server.data("POST", "transit/encrypt/derived", {"plaintext": text, "context": context})["ciphertext"]
        server.data("POST", "transit/decrypt/derived", {"ciphertext": derived, "context": context})
        server.data("POST", "transit/hmac/plain", {"input": b64(secrets[f"input {n}"])})
        server.data("POST", "transit/hash", {"input": b64(secrets[f"input {n}"])})
        key = server.data("POST", "transit/datakey/plaintext/plain", {})
        secrets[f"data key {n}"] = b64decode(key["plaintext"])
        # Errors about a client's values.
        errors = [
            server.call("POST", "transit/encrypt/none-such/x", {"plaintext": text}),
            server.call("POST", "transit/encrypt/plain", {"plaintext": text + "!"}),
            server.call("POST", "transit/encrypt/plain", data=b'{"plaintext": "' + text.encode() + b'",'),
            server.call("POST", "transit/encrypt/derived", {"plaintext": text, "context": context + "*"}),
            server.call("POST", "transit/decrypt/plain", {"ciphertext": text}),
            server.call("POST", "transit/hash", {"input": text + "!", "algorithm": text}),
            server.call("GET", "transit/keys/plain", token=text),
            server.call("GET", f"auth/token/lookup/{tokens[n]}"),
        ]
        for response in errors:
            assert response.status_code >= 400
            server.errors = getattr(server, "errors", b"") + response.content
    secrets |= {
        f"key {version}": b64decode(key)
        for version, key in server.data("GET", "transit/export/encryption-key/plain")["keys"].items()
    }
    secrets["root key"] = bytes.fromhex((folder / "root.key").read_text())
    secrets |= {f"token {n}": token.encode() for n, token in enumerate(tokens)}
    # A wrong algorithm or ciphertext may not appear in the answer.
    return server, secrets


def test_no_secret_is_written(used, folder):
    server, secrets = used
    metrics = server.call("GET", "sys/metrics").content
    assert b"bulatd_" in metrics or b"vault_" in metrics
    assert found(secrets, metrics) == []
    assert found(secrets, server.errors) == []
    assert server.stop() == 0
    server.run("backup", "--output", folder / "backup")
    seen = 0
    for path in Path(folder).rglob("*"):
        if path.is_file() and path.name != "root.key":
            text = path.read_bytes()
            assert found(secrets, text) == [], path
            seen += len(text)
    assert server.audit.stat().st_size > 1000 and seen > 10_000


def test_what_is_looked_for_is_found():
    """The control: each form would be found."""
    secret = os.urandom(24)
    for text in (
        secret,
        secret.hex().encode(),
        b64(b"x" + secret + b"yz").encode(),
        b64(secret).encode(),
        b64(b"--" + secret).encode(),
    ):
        assert found({"it": secret}, b"around " + text + b" it") == ["it"]
    assert found({"it": secret}, os.urandom(1000)) == []


def test_the_audit_has_a_line_for_each_request(used):
    server, _ = used
    before = len(server.audit.read_text().splitlines())
    for n in range(11):
        server.call("POST", "transit/random", token="wrong" if n == 10 else "")
    lines = server.audit.read_text().splitlines()
    assert len(lines) == before + 11 and "transit/random" in lines[-1]


def memory(server) -> bytes:
    """Reads all writable memory of the process."""
    held = []
    with open(f"/proc/{server.process.pid}/mem", "rb", 0) as mem:
        for line in Path(f"/proc/{server.process.pid}/maps").read_text().splitlines():
            area, rights = line.split()[:2]
            if rights.startswith("rw") and "[v" not in line:
                start, end = (int(part, 16) for part in area.split("-"))
                mem.seek(start)
                with contextlib.suppress(OSError):
                    held.append(mem.read(end - start))
    return b"".join(held)


@pytest.mark.skipif(os.getuid() != 0, reason="only root reads another's memory")
def test_sealed_memory_has_no_keys(used):
    server, secrets = used
    keys = {name: secret for name, secret in secrets.items() if name.startswith("key ") or name == "root key"}
    server.data("PUT", "sys/seal")
    held = memory(server)
    assert len(held) > 100_000
    assert [name for name, key in keys.items() if key in held] == []


def test_no_core_is_written(used):
    server, _ = used
    limits = Path(f"/proc/{server.process.pid}/limits").read_text()
    core = next(line for line in limits.splitlines() if line.startswith("Max core"))
    assert core.split()[4] == "0", core
