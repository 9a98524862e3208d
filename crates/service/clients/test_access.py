"""Access: every endpoint without a token, and with a wrong, an expired, a revoked and another's; a table of policies."""

import time

import pytest
import requests

from bulatd import b64, refused

TEXT = b64(b"text")
# The calls that need no token, as in Vault, and readiness.
OPEN = {
    *("sys/health", "sys/ready", "sys/seal-status", "sys/init", "sys/leader", "sys/internal/specs/openapi"),
    # Logins: test_logins.py.
    *("auth/approle/login", "auth/cert/login"),
}
SAMPLE = {
    "name": "guarded",
    "type": "encryption-key",
    "plaintext": "plaintext",
    "version": "1",
    "algorithm": "streebog256",
    "bytes": "8",
    "source": "all",
}


def operations(server):
    """Returns method and path of every operation in the server's description."""
    paths = server.call("GET", "sys/internal/specs/openapi", token=None).json()["paths"]
    for path, item in paths.items():
        filled = path
        for name in [part[1:-1] for part in path.split("/") if part.startswith("{")]:
            filled = filled.replace("{" + name + "}", SAMPLE.get(name, "guarded"))
        for method, operation in item.items():
            if any(one.get("name") == "list" and one.get("required") for one in operation.get("parameters", [])):
                yield "GET", filled.removeprefix("/v1/").lstrip("/") + "?list=true"
            elif method in ("get", "post", "put", "delete", "head", "patch"):
                yield method.upper(), filled.removeprefix("/v1/").lstrip("/")


def test_every_endpoint_wants_a_token(dev):
    dev.data("POST", "transit/keys/guarded")
    expired = dev.new_token(ttl="1s")
    revoked = dev.new_token()
    dev.data("POST", "auth/token/revoke", {"token": revoked})
    others = dev.new_token('path "transit/keys/others" { capabilities = ["read"] }')
    time.sleep(1.2)
    tried = 0
    for method, path in operations(dev):
        if path in OPEN or (method == "GET" and path == "sys/metrics"):
            continue
        for kind, token in (("none", None), ("wrong", "s." + "A" * 24), ("expired", expired), ("revoked", revoked)):
            response = dev.call(method, path, token=token)
            assert response.status_code == 403, f"{method} {path} with {kind} token: {response.status_code} {response.text[:200]}"
            if method != "HEAD":
                assert response.json()["errors"], path
            tried += 1
        if not path.startswith(("auth/token/", "sys/internal/ui/")) and path != "sys/capabilities-self":
            response = dev.call(method, path, token=others)
            assert response.status_code == 403, (
                f"{method} {path} with another's token: {response.status_code} {response.text[:200]}"
            )
            tried += 1
    assert tried > 100
    assert dev.call("GET", "transit/keys/guarded").status_code == 200


def test_methods_that_are_not_described_are_refused(dev):
    for method in ("PATCH", "TRACE", "OPTIONS", "PROPFIND"):
        assert dev.call(method, "transit/keys/guarded").status_code in (403, 404, 405, 501)


def test_statuses_of_refusals(servers):
    server = servers(dev=True).start()
    for method, path, body, status in (
        ("GET", "nothing", b"", 404),
        ("DELETE", "transit/random", b"", 405),
        ("PATCH", "transit/random", b"", 405),
        ("POST", "transit/keys/%ff", b"", 400),
        ("POST", "transit/keys/-a", b"", 400),
        ("POST", "transit/keys/a%2Fb", b"", 404),
        ("POST", "transit/keys/a?x=" + "y" * 9000, b"", 414),
        ("POST", "transit/random", b"{", 400),
        ("GET", "transit/keys/none", b"", 404),
        ("LIST", "transit/keys", b"", 404),
        ("POST", "transit/encrypt/a", b" " * ((32 << 20) + 1), 413),
    ):
        answer = server.call(method, path, data=body)
        assert answer.status_code == status, f"{method} {path}: {answer.status_code} {answer.text[:200]}"
        assert answer.headers["Content-Type"] == "application/json" and isinstance(answer.json()["errors"], list), path


ODD = ["transit/keys/../../sys/seal", "transit/keys/a%2Fb", "transit/keys/%2e%2e", "transit//keys/x", "transit/keys/a%00b"]
ODD += ["transit/keys/%ff", "transit/keys/a b", "../v1/sys/seal", "transit/keys/" + "a" * 1000]


@pytest.mark.parametrize("path", ODD)
def test_odd_paths(dev, path):
    response = dev.http.send(odd(dev, "POST", path), timeout=60)
    assert 400 <= response.status_code < 500, response.text[:200]
    assert dev.call("GET", "sys/seal-status", token=None).json()["sealed"] is False


def odd(server, method, path):
    """Sends a request with the path as it is."""
    request = requests.Request(method, server.url, headers={"X-Vault-Token": server.token}).prepare()
    request.url = f"{server.url}/v1/{path}"
    return request


def rule(path, *capabilities):
    return f'path "{path}" {{ capabilities = [{", ".join(chr(34) + c + chr(34) for c in capabilities)}] }}\n'


# A policy, and the calls that it allows and refuses. Keys p-a and p-b exist. tests/access.rs has the patterns of policies.
POLICIES = [
    ("nothing", "", "GET auth/token/lookup-self", "GET transit/keys/p-a, POST transit/encrypt/p-a"),
    (
        "only encrypt",
        rule("transit/encrypt/p-a", "update"),
        "POST transit/encrypt/p-a, PUT transit/encrypt/p-a",
        "POST transit/encrypt/p-b, POST transit/decrypt/p-a, POST transit/rewrap/p-a, GET transit/keys/p-a",
    ),
    (
        "a part",
        rule("transit/+/p-a", "update"),
        "POST transit/hmac/p-a",
        "POST transit/encrypt/p-b, POST transit/keys/p-a/rotate",
    ),
    ("read", rule("transit/keys/p-a", "read"), "GET transit/keys/p-a", "DELETE transit/keys/p-a, POST transit/keys/p-a/config"),
    ("list", rule("transit/keys", "list"), "LIST transit/keys, GET transit/keys?list=true", "GET transit/keys/p-a"),
    ("list, in Vault's order", rule("transit/keys", "read") + rule("transit/keys/*", "list"), "", "LIST transit/keys"),
    (
        "rotate",
        rule("transit/keys/p-a/rotate", "update"),
        "POST transit/keys/p-a/rotate",
        "POST transit/keys/p-b/rotate, POST transit/keys/p-a/config",
    ),
    (
        "only wrapped data keys",
        rule("transit/datakey/wrapped/*", "update"),
        "POST transit/datakey/wrapped/p-a",
        "POST transit/datakey/plaintext/p-a",
    ),
    ("no sudo", rule("*", "create", "read", "update", "delete", "list"), "GET transit/keys/p-a", "PUT sys/seal"),
    ("tokens", rule("transit/*", "update"), "", "POST auth/token/create, PUT sys/policies/acl/mine"),
]


@pytest.mark.parametrize("name,policy,allowed,refused", POLICIES, ids=[row[0] for row in POLICIES])
def test_policies(dev, name, policy, allowed, refused):
    for key in ("p-a", "p-b"):
        dev.data("POST", f"transit/keys/{key}")
    token = dev.new_token(policy) if policy else dev.new_token(policies=["default"])
    sealed = dev.data("POST", "transit/encrypt/p-a", {"plaintext": TEXT})["ciphertext"]
    bodies = {"encrypt": {"plaintext": TEXT}, "decrypt": {"ciphertext": sealed}, "rewrap": {"ciphertext": sealed}}
    bodies["hmac"] = {"input": TEXT}
    for call, let in [(call, calls is allowed) for calls in (allowed, refused) for call in calls.split(", ") if call]:
        method, path = call.split()
        sent = bodies.get(path.split("/")[1], {}) if method in ("POST", "PUT") else None
        response = dev.call(method, path, sent, token=token)
        assert (response.status_code != 403) == let, f"{name}: {method} {path}: {response.status_code} {response.text[:200]}"
        assert not let or response.status_code < 300, response.text


def test_sealed(servers):
    server = servers(dev=True).start()
    server.data("POST", "transit/keys/a")
    server.data("PUT", "sys/seal")
    assert server.call("GET", "sys/health", token=None).status_code == 503
    assert server.call("GET", "sys/seal-status", token=None).json()["sealed"] is True
    for method, path in (
        ("GET", "transit/keys/a"),
        ("POST", "transit/encrypt/a"),
        ("POST", "transit/random"),
        ("GET", "auth/token/lookup-self"),
    ):
        response = server.call(method, path, {"plaintext": TEXT} if method == "POST" else None)
        assert response.status_code == 503 and response.json()["errors"], response.text
    assert server.stop() == 0


def test_who_may_seal_and_unseal(servers):
    server = servers().init().start()
    sealer = server.new_token(rule("sys/seal", "update", "sudo"))
    unsealer = server.new_token(rule("sys/unseal", "update", "sudo"))
    server.data("POST", "transit/keys/a")
    for half in (rule("sys/seal", "sudo"), rule("sys/seal", "update")):
        assert server.call("PUT", "sys/seal", token=server.new_token(half)).status_code == 403
    assert server.call("PUT", "sys/seal", token=unsealer).status_code == 403
    assert server.call("PUT", "sys/seal", token=sealer).status_code == 204
    # Not every caller may undo the seal.
    for token in (None, "s.wrong", sealer):
        assert server.call("PUT", "sys/unseal", token=token).status_code == 403
        assert server.call("GET", "sys/seal-status", token=None).json()["sealed"] is True
    assert server.call("PUT", "sys/unseal", token=unsealer).json()["sealed"] is False
    assert server.call("GET", "transit/keys/a").status_code == 200
    assert server.stop() == 0


def test_development_mode_unseals(servers):
    server = servers(dev=True).start()
    sealed = server.data("POST", "transit/encrypt/a", {"plaintext": TEXT})["ciphertext"]
    assert server.call("PUT", "sys/seal").status_code == 204
    assert server.call("PUT", "sys/unseal", {"key": "a share"}).status_code == 400
    assert server.call("PUT", "sys/unseal", {"key": "", "migrate": False}).json()["sealed"] is False
    assert server.data("POST", "transit/decrypt/a", {"ciphertext": sealed})["plaintext"] == TEXT


@pytest.mark.parametrize("header", ["X-Vault-Wrap-TTL", "X-Vault-Namespace", "X-Vault-Policy-Override", "X-Vault-Index"])
def test_what_is_not_there_is_refused(dev, header):
    dev.data("POST", "transit/keys/guarded")
    refused(dev.call("POST", "transit/datakey/plaintext/guarded", headers={header: "60"}), header.lower())


def test_the_root_namespace_is_the_only_one(dev):
    for name, status in (("", 200), ("root", 200), ("root/", 200), ("/", 200), ("team", 400), ("root/team", 400)):
        answer = dev.call("GET", "auth/token/lookup-self", headers={"X-Vault-Namespace": name})
        assert answer.status_code == status, f"{name}: {answer.text}"


def test_questions_and_settings_are_short(dev):
    assert dev.call("POST", "sys/capabilities-self", {"paths": ["a"] * 1001}).status_code == 400
    assert dev.call("POST", "sys/capabilities-self", {"paths": ["a" * (5 << 20)]}).status_code == 413
