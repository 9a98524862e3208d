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

from bulatd import BINARY, PAGE, b64

TEXT = b64(b"my secret data")

# A command of `vault`, its status, and fields of its answer. KEY is a key that only this table uses, SEALED a ciphertext of it.
COMMANDS = [
    ("status", 200, ""),
    ("token lookup", 200, "policies ttl accessor"),
    ("secrets list", 200, "transit/"),
    ("secrets enable transit", 400, ""),
    ("write -f transit/keys/KEY", 200, ""),
    ("write transit/keys/KEY-magma type=magma-mgm exportable=true", 200, ""),
    ("write transit/keys/KEY-derived derived=true", 200, ""),
    ("read transit/keys/KEY", 200, "name type keys latest_version"),
    ("list transit/keys", 200, "keys"),
    ("write transit/encrypt/KEY plaintext=TEXT", 200, "ciphertext key_version"),
    ("write transit/decrypt/KEY ciphertext=SEALED", 200, "plaintext"),
    ("write -f transit/keys/KEY/rotate", 200, ""),
    ("write transit/encrypt/KEY plaintext=TEXT key_version=1", 200, "ciphertext"),
    ("write transit/rewrap/KEY ciphertext=SEALED", 200, "ciphertext"),
    ("write -f transit/datakey/plaintext/KEY", 200, "plaintext ciphertext"),
    ("write transit/datakey/wrapped/KEY bits=512", 200, "ciphertext"),
    ("write transit/hmac/KEY input=TEXT", 200, "hmac"),
    ("write transit/hash/streebog512 input=TEXT", 200, "sum"),
    ("write -f transit/random/32", 200, "random_bytes"),
    ("write transit/keys/KEY/config min_decryption_version=2", 200, ""),
    ("write transit/keys/KEY/config auto_rotate_period=24h", 200, ""),
    ("write transit/keys/KEY/config auto_rotate_period=1s", 400, ""),
    ("write transit/decrypt/KEY ciphertext=SEALED", 400, ""),
    ("read transit/export/encryption-key/KEY-magma/1", 200, "keys name"),
    ("write transit/keys/KEY/config deletion_allowed=true", 200, ""),
    ("delete transit/keys/KEY", 204, ""),
    ("read transit/keys/KEY", 404, ""),
    ("policy write KEY file", 204, ""),
    ("policy read KEY", 200, "policy"),
    ("policy list", 200, "keys"),
    ("policy delete KEY", 204, ""),
    ("token create -ttl=1h", 200, ""),
]
# The requests of commands that name no path.
REQUESTS = {
    "status": ("GET", "sys/seal-status", None),
    "token lookup": ("GET", "auth/token/lookup-self", None),
    "secrets list": ("GET", "sys/mounts", None),
    "secrets enable transit": ("POST", "sys/mounts/transit", {"type": "transit", "description": "", "config": {}}),
    "policy write KEY file": ("PUT", "sys/policies/acl/KEY", {"policy": 'path "transit/*" { capabilities = ["read"] }'}),
    "policy read KEY": ("GET", "sys/policies/acl/KEY", None),
    "policy list": ("GET", "sys/policies/acl?list=true", None),
    "policy delete KEY": ("DELETE", "sys/policies/acl/KEY", None),
    "token create -ttl=1h": ("POST", "auth/token/create", {"ttl": "1h", "policies": ["default"]}),
}
METHODS = {"write": "PUT", "read": "GET", "list": "GET", "delete": "DELETE"}


def request(command):
    """Returns the method, the path and the body of a command's request."""
    if command in REQUESTS:
        return REQUESTS[command]
    word, *rest = command.replace("-f ", "").split()
    path = rest[0] + ("?list=true" if word == "list" else "")
    return METHODS[word], path, dict(pair.split("=", 1) for pair in rest[1:]) or None


def test_the_command_line(dev):
    key, sealed = "cli-" + secrets.token_hex(6), ""
    for command, status, fields in COMMANDS:
        method, path, body = request(command)
        values = {"TEXT": TEXT, "SEALED": sealed}
        json = body and {name: values.get(str(value), value) for name, value in body.items()}
        kw = {"data": b"null"} if method == "PUT" and json is None else {}
        response = dev.call(method, path.replace("KEY", key), json, headers={"X-Vault-Request": "true"}, **kw)
        assert response.status_code == status, f"{command}: {response.status_code} {response.text[:300]}"
        if fields:
            data = response.json()["data"]
            assert all(field in data for field in fields.split()), f"{command}: {data}"
            if command.startswith("write transit/encrypt") and not sealed:
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
    twice = {"sys/mounts": "transit/", "sys/auth": "token/", "sys/mounts/transit": "type", "sys/ha-status": "nodes"}
    for path, name in (twice | {"sys/policy": "policies"}).items():
        answer = dev.call("GET", path).json()
        assert answer[name] == answer["data"][name], path
    answer = dev.call("POST", "sys/capabilities-self", {"paths": ["data", "auth", "mount_type", 'a"b']}).json()
    assert set(answer["data"]) == {"data", "auth", "mount_type", 'a"b'}
    assert answer['a"b'] == ["root"] and answer["mount_type"] == "system"
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
    bearer = {"Authorization": f"Bearer {dev.token}"}
    assert dev.call("GET", "auth/token/lookup-self", token=None, headers=bearer).status_code == 200
    for wrong in (b'{"input": "YWJj"', b"[]", b"\xff"):
        assert dev.call("POST", "transit/hash", data=wrong).status_code == 400


# Every call of transit in Vault's public list, as the document has it: method, path, state.
CALLS = PAGE.read_text().split("<!-- calls -->")[1].split("<!-- end -->")[0]
TRANSIT = re.findall(r"^\| `(\w+) (\S+)` \| (as Vault|differs|not there) \|", CALLS, re.M)


@pytest.mark.parametrize("method,path,state", TRANSIT)
def test_the_table_of_calls(dev, method, path, state):
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
    values = {"version": "1", "algorithm": "streebog256", "plaintext": "plaintext", "bytes": "8", "type": "encryption-key"}
    values["source"] = "all" if path.startswith("random") else name
    filled = re.sub(r":(\w+)", lambda word: values.get(word[1], name), path)
    response = dev.call(method, "transit/" + filled, body if method == "POST" else None)
    if state == "not there":
        assert response.status_code in (404, 405) and response.json()["errors"], response.text
    else:
        assert response.status_code in (200, 204), response.text


def test_the_table_is_whole():
    """Each line has a state and no call is there twice; the sentence below the table has the right numbers."""
    states = [state for _, _, state in TRANSIT]
    assert len({row[:2] for row in TRANSIT}) == len(TRANSIT) == CALLS.count("\n| `") == 37
    counts = ", ".join(f"{states.count(state)} {state}" for state in ("as Vault", "differs", "not there"))
    assert f"37 calls: {counts}." in CALLS


def test_the_recipes(dev, tmp_path):
    """One shell runs all of them in order: each line prints the text after its # ->."""
    script = "set -euo pipefail\n"
    checks = []
    section = PAGE.read_text().split("## Recipes", 1)[1].split("\n## ", 1)[0]
    for line in "".join(re.findall(r"```sh\n(.*?)```", section, re.S)).splitlines():
        command, _, said = line.partition("# -> ")
        script += f"{command}\n"
        if said:
            checks.append(said.strip())
            script += 'echo "<<END>>"\n'
    assert checks
    env = {**os.environ, "VAULT_ADDR": dev.url, "VAULT_TOKEN": dev.token, "PATH": f"{Path(BINARY).parent}:{os.environ['PATH']}"}
    ran = subprocess.run(["bash", "-c", script], env=env, cwd=tmp_path, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    for want, said in zip(checks, ran.stdout.split("<<END>>"), strict=False):
        assert want in said, f"{want!r} is not in {said!r}"
