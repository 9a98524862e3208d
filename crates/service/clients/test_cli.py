"""Replays the requests of the official command line, by its public documentation (`vault ... -output-curl-string`); the recipes of
docs/SERVICE.md; and the table of calls.

That command writes with PUT, lists with `GET ?list=true`, sends every value as a string, `null` if there is none, and the
headers `X-Vault-Request: true` and `X-Vault-Token`.
"""

import os
import re
import secrets
import subprocess
from pathlib import Path

import pytest

from bulatd import BINARY, b64
from calls import DIFFERS, NOT, PAGE, THERE, TRANSIT, table

TEXT = b64(b"my secret data")

# The command line; method, path and body of its request; the status, and fields that the answer has.
# {key} is a key that only this table uses, {sealed} a ciphertext of it.
COMMANDS = [
    ("vault status", "GET", "sys/seal-status", None, 200, None),
    ("vault token lookup", "GET", "auth/token/lookup-self", None, 200, ["policies", "ttl", "accessor"]),
    ("vault secrets list", "GET", "sys/mounts", None, 200, ["transit/"]),
    (
        "vault secrets enable transit",
        "POST",
        "sys/mounts/transit",
        {"type": "transit", "description": "", "config": {}},
        400,
        None,
    ),
    ("vault write -f transit/keys/my-key", "PUT", "transit/keys/{key}", None, (200, 204), None),
    (
        "vault write -f transit/keys/my-key type=magma-mgm",
        "PUT",
        "transit/keys/{key}-magma",
        {"type": "magma-mgm", "exportable": "true"},
        (200, 204),
        None,
    ),
    ("vault write transit/keys/my-key derived=true", "PUT", "transit/keys/{key}-derived", {"derived": "true"}, (200, 204), None),
    ("vault read transit/keys/my-key", "GET", "transit/keys/{key}", None, 200, ["name", "type", "keys", "latest_version"]),
    ("vault list transit/keys", "GET", "transit/keys?list=true", None, 200, ["keys"]),
    (
        "vault write transit/encrypt/my-key plaintext=...",
        "PUT",
        "transit/encrypt/{key}",
        {"plaintext": TEXT},
        200,
        ["ciphertext", "key_version"],
    ),
    (
        "vault write transit/decrypt/my-key ciphertext=...",
        "PUT",
        "transit/decrypt/{key}",
        {"ciphertext": "{sealed}"},
        200,
        ["plaintext"],
    ),
    ("vault write -f transit/keys/my-key/rotate", "PUT", "transit/keys/{key}/rotate", None, (200, 204), None),
    (
        "vault write transit/encrypt/my-key key_version=1",
        "PUT",
        "transit/encrypt/{key}",
        {"plaintext": TEXT, "key_version": "1"},
        200,
        ["ciphertext"],
    ),
    (
        "vault write transit/rewrap/my-key ciphertext=...",
        "PUT",
        "transit/rewrap/{key}",
        {"ciphertext": "{sealed}"},
        200,
        ["ciphertext"],
    ),
    (
        "vault write -f transit/datakey/plaintext/my-key",
        "PUT",
        "transit/datakey/plaintext/{key}",
        None,
        200,
        ["plaintext", "ciphertext"],
    ),
    (
        "vault write -f transit/datakey/wrapped/my-key bits=512",
        "PUT",
        "transit/datakey/wrapped/{key}",
        {"bits": "512"},
        200,
        ["ciphertext"],
    ),
    ("vault write transit/hmac/my-key input=...", "PUT", "transit/hmac/{key}", {"input": TEXT}, 200, ["hmac"]),
    ("vault write transit/hash/streebog512 input=...", "PUT", "transit/hash/streebog512", {"input": TEXT}, 200, ["sum"]),
    ("vault write -f transit/random/32", "PUT", "transit/random/32", None, 200, ["random_bytes"]),
    (
        "vault write transit/keys/my-key/config min_decryption_version=2",
        "PUT",
        "transit/keys/{key}/config",
        {"min_decryption_version": "2"},
        (200, 204),
        None,
    ),
    (
        "vault write transit/keys/my-key/config auto_rotate_period=24h",
        "PUT",
        "transit/keys/{key}/config",
        {"auto_rotate_period": "24h"},
        (200, 204),
        None,
    ),
    (
        "vault write transit/keys/my-key/config auto_rotate_period=1s",
        "PUT",
        "transit/keys/{key}/config",
        {"auto_rotate_period": "1s"},
        400,
        None,
    ),
    (
        "vault write transit/decrypt/my-key ciphertext=vault:v1:...",
        "PUT",
        "transit/decrypt/{key}",
        {"ciphertext": "{sealed}"},
        400,
        None,
    ),
    (
        "vault read transit/export/encryption-key/my-key/1",
        "GET",
        "transit/export/encryption-key/{key}-magma/1",
        None,
        200,
        ["keys", "name"],
    ),
    (
        "vault write transit/keys/my-key/config deletion_allowed=true",
        "PUT",
        "transit/keys/{key}/config",
        {"deletion_allowed": "true"},
        (200, 204),
        None,
    ),
    ("vault delete transit/keys/my-key", "DELETE", "transit/keys/{key}", None, 204, None),
    ("vault read transit/keys/my-key", "GET", "transit/keys/{key}", None, 404, None),
    (
        "vault policy write my-policy file",
        "PUT",
        "sys/policies/acl/{key}",
        {"policy": 'path "transit/*" { capabilities = ["read"] }'},
        204,
        None,
    ),
    ("vault policy read my-policy", "GET", "sys/policies/acl/{key}", None, 200, ["policy"]),
    ("vault policy list", "GET", "sys/policies/acl?list=true", None, 200, ["keys"]),
    ("vault policy delete my-policy", "DELETE", "sys/policies/acl/{key}", None, 204, None),
    ("vault token create -ttl=1h", "POST", "auth/token/create", {"ttl": "1h", "policies": ["default"]}, 200, None),
]


def test_the_command_line(dev):
    key, sealed = "cli-" + secrets.token_hex(6), ""
    for command, method, path, body, want, fields in COMMANDS:
        if body is not None:
            body = {name: sealed if value == "{sealed}" else value for name, value in body.items()}
        json = body if body is not None or method != "PUT" else None
        headers = {"X-Vault-Request": "true"}
        kw = {"data": b"null"} if method == "PUT" and json is None else {}
        response = dev.call(method, path.replace("{key}", key), json, headers=headers, **kw)
        wanted = want if isinstance(want, tuple) else (want,)
        assert response.status_code in wanted, f"{command}: {response.status_code} {response.text[:300]}"
        if fields:
            data = response.json()["data"]
            assert all(field in data for field in fields), f"{command}: {data}"
            if command.startswith("vault write transit/encrypt") and not sealed:
                sealed = data["ciphertext"]
        if response.status_code >= 400:
            assert isinstance(response.json()["errors"], list), command
            assert response.headers["Content-Type"] == "application/json", command


def test_every_answer_has_the_envelope(dev):
    answer = dev.call("POST", "transit/random").json()
    assert answer["request_id"] and answer["lease_id"] == "" and answer["renewable"] is False and answer["lease_duration"] == 0
    assert {"wrap_info", "warnings", "auth", "data", "mount_type"} <= set(answer)
    # As Vault from 1.16 on: clients check it.
    dev.data("POST", "auth/approle/role/kind", {})
    for method, path, kind in (
        ("POST", "transit/random", "transit"),
        ("POST", "transit/keys/kind", "transit"),
        ("LIST", "transit/keys", "transit"),
        ("GET", "sys/mounts", "system"),
        ("GET", "sys/internal/ui/mounts", "system"),
        ("LIST", "sys/policies/acl", "system"),
        ("POST", "auth/token/create", "token"),
        ("GET", "auth/token/lookup-self", "token"),
        ("GET", "auth/approle/role/kind/role-id", "approle"),
    ):
        assert dev.call(method, path).json()["mount_type"] == kind, path
    # These calls have their data twice, in Vault, too.
    for path, name in (("sys/mounts", "transit/"), ("sys/auth", "token/"), ("sys/mounts/transit", "type"), ("sys/ha-status", "nodes"), ("sys/policy", "policies")):
        answer = dev.call("GET", path).json()
        assert answer[name] == answer["data"][name], path
    answer = dev.call("POST", "sys/capabilities-self", {"paths": ["data", "auth", "mount_type", 'a"b']}).json()
    assert set(answer["data"]) == {"data", "auth", "mount_type", 'a"b'} and answer['a"b'] == ["root"] and answer["mount_type"] == "system"
    mount = dev.data("GET", "sys/mounts")["transit/"]
    assert mount["plugin_version"] == "" and mount["running_plugin_version"].startswith("v") and mount["running_sha256"] == ""
    # Refusals and the calls for load balancers have no envelope, in Vault, too.
    for path in ("transit/keys/none-such", "sys/health", "sys/seal-status", "sys/leader"):
        assert "mount_type" not in dev.call("GET", path).json()
    assert len({dev.call("POST", "transit/random").json()["request_id"] for _ in range(20)}) == 20


def test_the_form_of_a_request_does_not_matter(dev):
    """curl's --data names another type of content; Bearer is a token, too."""
    for headers in ({"Content-Type": "application/x-www-form-urlencoded"}, {"Content-Type": "text/plain"}, {}):
        assert dev.call("POST", "transit/hash", headers=headers, data=b'{"input": "YWJj"}').status_code == 200
    assert (
        dev.call("GET", "auth/token/lookup-self", token=None, headers={"Authorization": f"Bearer {dev.token}"}).status_code == 200
    )
    assert dev.call("POST", "transit/hash", data=b'{"input": "YWJj"').status_code == 400
    assert dev.call("POST", "transit/hash", data=b"[]").status_code == 400
    assert dev.call("POST", "transit/hash", data=b"\xff").status_code == 400


@pytest.mark.parametrize("row", TRANSIT, ids=lambda row: f"{row[0]} {row[1]}")
def test_the_table_of_calls(dev, row):
    method, path, state, _ = row
    name = "table-" + secrets.token_hex(6)
    dev.data("POST", f"transit/keys/{name}", {"exportable": True})
    sealed = dev.data("POST", f"transit/encrypt/{name}", {"plaintext": TEXT})["ciphertext"]
    mac = dev.data("POST", f"transit/hmac/{name}", {"input": TEXT})["hmac"]
    body = {
        "encrypt": {"plaintext": TEXT},
        "decrypt": {"ciphertext": sealed},
        "rewrap": {"ciphertext": sealed},
        "hmac": {"input": TEXT},
        "verify": {"input": TEXT, "hmac": mac},
        "hash": {"input": TEXT},
    }.get(path.split("/")[0], {})
    if path.endswith("trim"):
        dev.data("POST", f"transit/keys/{name}/config", {"min_encryption_version": 1})
        body = {"min_available_version": 1}
    elif path.startswith("restore"):
        body = {"backup": dev.data("GET", f"transit/backup/{name}")["backup"]}
        dev.data("POST", f"transit/keys/{name}/config", {"deletion_allowed": True})
        dev.data("DELETE", f"transit/keys/{name}")
    elif method == "DELETE":
        dev.data("POST", f"transit/keys/{name}/config", {"deletion_allowed": True})
    filled = (
        path.replace(":name", name)
        .replace(":version", "1")
        .replace(":algorithm", "streebog256")
        .replace(":plaintext", "plaintext")
    )
    filled = filled.replace(":bytes", "8").replace(":source", "all" if path.startswith("random") else name)
    filled = filled.replace(":type", "encryption-key").replace(":destination", name)
    response = dev.call(method, "transit/" + filled, body if method in ("POST", "PUT") else None)
    if state == NOT:
        assert response.status_code in (404, 405), response.text
        assert response.json()["errors"]
    else:
        assert state in (THERE, DIFFERS)
        assert response.status_code in (200, 204), response.text


def test_the_document_has_the_table():
    assert table() in PAGE.read_text(), f"out of date: python {Path(__file__).with_name('calls.py')}"


def recipes():
    """Returns each block ```sh of the section of recipes, with the heading above it."""
    section = PAGE.read_text().split("## Recipes", 1)[1].split("\n## ", 1)[0]
    blocks = re.findall(r"```sh\n(.*?)```", section, re.S)
    assert blocks
    return blocks


def test_the_recipes(dev, tmp_path):
    """One shell runs all of them in order: each line prints the text after its # ->."""
    script = "set -euo pipefail\n"
    checks = []
    for line in "".join(recipes()).splitlines():
        command, _, said = line.partition("# -> ")
        script += f"{command}\n"
        if said:
            checks.append(said.strip())
            script += 'echo "<<END>>"\n'
    env = {**os.environ, "VAULT_ADDR": dev.url, "VAULT_TOKEN": dev.token, "PATH": f"{Path(BINARY).parent}:{os.environ['PATH']}"}
    ran = subprocess.run(["bash", "-c", script], env=env, cwd=tmp_path, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    for want, said in zip(checks, ran.stdout.split("<<END>>"), strict=False):
        assert want in said, f"{want!r} is not in {said!r}"


def test_the_table_is_whole():
    """The list is Vault's own: no call twice, and each with a state."""
    assert len({(method, path) for method, path, _, _ in TRANSIT}) == len(TRANSIT) == 37
