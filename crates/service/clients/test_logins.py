"""Tokens with limits and families, and logins: AppRole by hvac, certificates, and the calls by which programs look around."""

import contextlib
import json
import re
import secrets
import socket
import sqlite3
import time
from concurrent.futures import ThreadPoolExecutor

import hvac
import pytest
from hvac import exceptions

from bulatd import authority, certificate, refused

READ = 'path "transit/keys/*" { capabilities = ["create", "read", "update", "patch"] }'
MAKE = 'path "auth/token/*" { capabilities = ["create", "read", "update", "sudo"] }'


DATE = r"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ"


def self(server, token):
    return server.call("GET", "auth/token/lookup-self", token=token)


def make(server, path="create", token=None, **fields):
    answer = server.call("POST", f"auth/token/{path}", fields, token=token or server.token)
    assert answer.status_code == 200, answer.text
    return answer.json()["auth"]


def test_children_end_with_their_parent(dev):
    root = make(dev, policies=["root"])
    child = make(dev, token=root["client_token"], policies=["default"])
    orphans = [
        make(dev, "create-orphan", token=root["client_token"], policies=["default"]),
        make(dev, token=root["client_token"], policies=["default"], no_parent=True),
    ]
    assert child["orphan"] is False and all(one["orphan"] for one in orphans)
    seen = dev.data("POST", "auth/token/lookup", {"token": child["client_token"]})
    assert seen["orphan"] is False and seen["id"] == child["client_token"] and seen["path"] == "auth/token/create"
    for token in (child, *orphans):
        assert self(dev, token["client_token"]).status_code == 200
    dev.data("POST", "auth/token/revoke-accessor", {"accessor": root["accessor"]})
    assert self(dev, child["client_token"]).status_code == 403
    assert all(self(dev, one["client_token"]).status_code == 200 for one in orphans)


def test_three_generations(dev):
    tokens = [make(dev, policies=["root"])]
    for _ in range(3):
        tokens.append(make(dev, token=tokens[-1]["client_token"], policies=["root"]))
    dev.data("POST", "auth/token/revoke", {"token": tokens[1]["client_token"]})
    assert [self(dev, one["client_token"]).status_code for one in tokens] == [200, 403, 403, 403]


def test_no_life_beyond_the_creators(dev):
    policy = "maker-" + secrets.token_hex(4)
    dev.data("PUT", f"sys/policies/acl/{policy}", {"policy": MAKE})
    maker = make(dev, policies=[policy], ttl="1h")["client_token"]
    end = self(dev, maker).json()["data"]["expire_time"]
    for fields in ({"explicit_max_ttl": "87600h"}, {"period": "1h"}):
        orphan = make(dev, "create-orphan", token=maker, policies=["default"], **fields)["client_token"]
        time.sleep(1.2)
        assert re.fullmatch(DATE, end) and re.fullmatch(DATE, self(dev, orphan).json()["data"]["issue_time"])
        assert dev.call("POST", "auth/token/renew-self", {}, token=orphan).status_code == 200
        assert self(dev, orphan).json()["data"]["expire_time"] <= end
    writer = dev.new_token('path "auth/approle/role/*" { capabilities = ["create", "update"] }')
    long = {field: "87600h" for field in ("token_ttl", "token_max_ttl", "token_explicit_max_ttl")} | {"token_period": "1h"}
    for field, value in long.items():
        refused(dev.call("POST", "auth/approle/role/long", {field: value}, token=writer), "sudo")


def test_uses_are_counted(dev):
    token = make(dev, num_uses=3, policies=["default"])["client_token"]
    assert [self(dev, token).status_code for _ in range(5)] == [200, 200, 200, 403, 403]
    few = make(dev, num_uses=5, policies=["root"])["client_token"]
    refused(dev.call("POST", "auth/token/create", {}, token=few), "restricted use token")


def test_lifetimes(dev):
    # A child ends when its parent expires, and when its parent is shortened. All lives of 10 s pass at once.
    policy = "maker-" + secrets.token_hex(4)
    dev.data("PUT", f"sys/policies/acl/{policy}", {"policy": MAKE})
    child = make(dev, token=make(dev, policies=[policy], ttl="10s")["client_token"], ttl="1h")
    assert child["lease_duration"] <= 10
    assert self(dev, child["client_token"]).status_code == 200
    parent = make(dev, policies=["root"], ttl="1h")["client_token"]
    other = make(dev, token=parent, policies=["default"])
    assert self(dev, other["client_token"]).status_code == 200
    renewed = dev.call("POST", "auth/token/renew-self", {"increment": "10s"}, token=parent).json()["auth"]
    assert renewed["lease_duration"] <= 10
    assert self(dev, other["client_token"]).status_code == 200
    token = make(dev, ttl="1h", explicit_max_ttl="10s", policies=["default"])
    assert token["lease_duration"] <= 10
    dev.data("POST", "auth/token/renew", {"token": token["client_token"]})
    periodic = make(dev, period="12s", policies=["default"])["client_token"]
    for _ in range(3):
        time.sleep(4.2)
        renewed = dev.call("POST", "auth/token/renew-self", {}, token=periodic).json()["auth"]
        assert 1 <= renewed["lease_duration"] <= 12
    assert [self(dev, one["client_token"]).status_code for one in (child, other, token)] == [403] * 3
    seen = self(dev, periodic).json()["data"]
    assert seen["period"] == 12 and seen["explicit_max_ttl"] == 0 and seen["num_uses"] == 0
    # Who is not root may not do this without sudo.
    maker = 'path "auth/token/create" { capabilities = ["update"] }'
    plain = dev.new_token(maker)
    for field in ({"period": "1h"}, {"no_parent": True}):
        refused(dev.call("POST", "auth/token/create", field, token=plain), "sudo")
    for field in ("ttl", "lease"):
        # As in Vault, the period decides.
        answer = dev.call("POST", "auth/token/create", {"period": "1h", field: "2h"})
        assert 3590 < answer.json()["auth"]["lease_duration"] <= 3600


def test_renewal_by_others(dev):
    token = make(dev, ttl="1h", policies=["default"])
    by_token = dev.call("POST", "auth/token/renew", {"token": token["client_token"], "increment": "30m"}).json()["auth"]
    assert by_token["client_token"] == token["client_token"] and by_token["lease_duration"] <= 1800
    by_accessor = dev.call("POST", "auth/token/renew-accessor", {"accessor": token["accessor"]}).json()["auth"]
    assert by_accessor["client_token"] == "" and by_accessor["lease_duration"] > 1800
    assert dev.call("POST", "auth/token/renew", {"token": "no"}).status_code == 403


def test_what_programs_ask(dev):
    assert dev.call("GET", "sys/leader", token=None).json()["ha_enabled"] is False
    assert dev.data("GET", "sys/ha-status")["nodes"][0]["active_node"] is True
    assert dev.data("GET", "sys/mounts/transit/tune")["force_no_cache"] is False
    assert dev.data("GET", "sys/mounts/transit")["type"] == "transit"
    assert set(dev.data("GET", "sys/auth")) == {"token/", "approle/", "cert/"}
    assert dev.data("GET", "sys/auth/token/tune")["max_lease_ttl"] == 768 * 3600
    # The crate vaultrs expects it.
    assert dev.data("GET", "sys/auth")["approle/"]["config"]["token_type"] == "default-service"
    assert "transit/" in dev.data("GET", "sys/internal/ui/mounts")["secret"]
    assert dev.data("GET", "sys/internal/ui/mounts/transit")["path"] == "transit/"
    assert dev.call("POST", "sys/mounts/transit/tune", {"max_lease_ttl": ""}).status_code == 204
    for path, body, word in (
        ("sys/mounts/transit/tune", {"max_lease_ttl": "1h"}, "max_lease_ttl"),
        ("sys/mounts/kv", {"type": "kv"}, "only mount"),
        ("sys/auth/userpass", {"type": "userpass"}, "only logins"),
    ):
        refused(dev.call("POST", path, body), word)
    # Any token may look around; without a token no client may.
    plain = make(dev, policies=["default"])["client_token"]
    assert dev.call("GET", "sys/internal/ui/mounts", token=plain).status_code == 200
    assert dev.call("GET", "sys/internal/ui/mounts", token=None).status_code == 403
    assert dev.call("GET", "sys/ha-status", token=plain).status_code == 403


@pytest.fixture
def approle(dev):
    return dev.hvac().auth.approle


@pytest.mark.parametrize("uses", [1, 3])
def test_a_rotation_of_the_root_key_counts_no_login_twice(servers, folder, uses):
    server = servers().init().start()
    server.data("POST", "auth/approle/role/r", {"token_policies": "default", "secret_id_num_uses": uses})
    login = {"role_id": server.data("GET", "auth/approle/role/r/role-id")["role_id"]}
    login["secret_id"] = server.data("POST", "auth/approle/role/r/secret-id")["secret_id"]
    with contextlib.closing(sqlite3.connect(folder / "bulatd.db")) as database:
        # Each login meets another number of the root key, after it is counted.
        for change in ("UPDATE", "DELETE"):
            database.execute(
                f"CREATE TRIGGER r_{change} AFTER {change} ON records WHEN OLD.name LIKE 'secret/%' "
                "BEGIN UPDATE counters SET value = value + 1 WHERE name = 'root'; END"
            )
    for _ in range(uses):
        answer = server.call("POST", "auth/approle/login", login, token=None)
        assert answer.status_code == 200, answer.text
    assert server.call("POST", "auth/approle/login", login, token=None).status_code == 400


def test_approle_by_hvac(dev, approle):
    name = "role-" + secrets.token_hex(4)
    policy = "policy-" + name
    dev.data("PUT", f"sys/policies/acl/{policy}", {"policy": READ})
    approle.create_or_update_approle(name, token_policies=[policy], token_ttl="1h", secret_id_num_uses=2, token_num_uses=0)
    assert name in approle.list_roles()["data"]["keys"]
    assert approle.read_role(name)["data"]["token_policies"] == [policy]
    role_id = approle.read_role_id(name)["data"]["role_id"]
    made = approle.generate_secret_id(name)["data"]
    assert made["secret_id_num_uses"] == 2
    looked = approle.read_secret_id(name, made["secret_id"])["data"]
    assert looked["secret_id_accessor"] == made["secret_id_accessor"]
    # Times as Vault writes them: clients with types expect texts.
    assert re.fullmatch(DATE, looked["creation_time"]) and looked["expiration_time"] == "0001-01-01T00:00:00Z"
    assert approle.read_role(name)["data"]["token_type"] == "default"
    dev.data("POST", f"auth/approle/role/{name}", {"token_type": "service"})
    assert approle.read_role(name)["data"]["token_type"] == "service"
    for _ in range(2):
        client = hvac.Client(url=dev.url)
        answer = client.auth.approle.login(role_id, made["secret_id"])
        assert answer["auth"]["orphan"] is True and policy in answer["auth"]["policies"]
        assert answer["auth"]["metadata"] == {"role_name": name}
        client.secrets.transit.create_key(name)
    with pytest.raises(exceptions.InvalidRequest, match="invalid role or secret ID"):
        hvac.Client(url=dev.url).auth.approle.login(role_id, made["secret_id"])
    approle.update_role_id(name, "my-own-id")
    made = approle.generate_secret_id(name)["data"]
    hvac.Client(url=dev.url).auth.approle.login("my-own-id", made["secret_id"])
    with pytest.raises(exceptions.InvalidRequest):
        hvac.Client(url=dev.url).auth.approle.login(role_id, made["secret_id"])
    assert made["secret_id_accessor"] in approle.list_secret_id_accessors(name)["data"]["keys"]
    approle.destroy_secret_id_accessor(name, made["secret_id_accessor"])
    with pytest.raises(exceptions.InvalidRequest):
        hvac.Client(url=dev.url).auth.approle.login("my-own-id", made["secret_id"])
    approle.delete_role(name)
    with pytest.raises(exceptions.InvalidPath):
        approle.read_role(name)


def test_wrong_logins(dev, approle):
    approle.create_or_update_approle("one", token_policies=["default"], secret_id_ttl="1s")
    approle.create_or_update_approle("two", token_policies=["default"])
    ids = {name: approle.read_role_id(name)["data"]["role_id"] for name in ("one", "two")}
    short = approle.generate_secret_id("one")["data"]["secret_id"]
    other = approle.generate_secret_id("two")["data"]["secret_id"]
    time.sleep(2.1)
    said = set()
    for role, secret in ((ids["one"], short), (ids["one"], other), ("no", other), (ids["two"], "no"), (ids["two"], "a/b")):
        answer = dev.call("POST", "auth/approle/login", {"role_id": role, "secret_id": secret}, token=None)
        assert answer.status_code == 400, answer.text
        said.add(answer.json()["errors"][0])
    assert len(said) == 1
    for body, word in (({}, "role_id"), ({"role_id": ids["two"]}, "secret_id"), ({"role_id": "a", "x": 1}, "x")):
        refused(dev.call("POST", "auth/approle/login", body, token=None), word)
    assert dev.call("POST", "auth/approle/login", {"role_id": "a" * 9000}, token=None).status_code == 413
    assert dev.call("POST", "auth/cert/login", {}, token=None).status_code == 400
    for name in (".", "..", "%2e", "%2e%2e"):
        # Clients that make paths short cannot reach them.
        with socket.create_connection(("127.0.0.1", dev.port), timeout=60) as one:
            for path in (f"auth/approle/role/{name}", f"sys/policies/acl/{name}"):
                body = '{"policy": ""}' if "acl" in path else ""
                head = f"POST /v1/{path} HTTP/1.1\r\nHost: x\r\nX-Vault-Token: {dev.token}\r\nContent-Length: {len(body)}\r\n"
                one.sendall(f"{head}\r\n{body}".encode())
                assert b" 400 " in one.recv(4096).split(b"\r\n")[0], path
    wrong = [("bind_secret_id", False), ("token_bound_cidrs", ["10.0.0.0/8"])]
    for field, value in [*wrong, ("token_type", "batch"), ("token_type", "default-batch")]:
        refused(dev.call("POST", "auth/approle/role/three", {field: value}), field)
    # Nobody gives away policies by a role that he does not have.
    writer = dev.new_token('path "auth/approle/role/*" { capabilities = ["create", "update"] }')
    refused(dev.call("POST", "auth/approle/role/four", {"token_policies": ["root"]}, token=writer), "subset")
    refused(dev.call("POST", "auth/approle/role/four", {"token_policies": ["root"]}), "no root token")
    # A policy that denies a role means its only name.
    dev.data("POST", "auth/approle/role/guarded", {"token_policies": ["default"]})
    few = 'path "auth/approle/role/+/secret-id" { capabilities = ["update"] }\n'
    few = dev.new_token(few + 'path "auth/approle/role/guarded/secret-id" { capabilities = ["deny"] }')
    for name, status in (("guarded", 403), ("GUARDED", 400), ("Guarded", 400)):
        assert dev.call("POST", f"auth/approle/role/{name}/secret-id", {}, token=few).status_code == status


def test_no_change_of_a_role_is_lost(dev):
    """Two callers change one role at once: each setting stays until its own caller changes it."""
    path = "auth/approle/role/shared"
    dev.data("POST", path, {})

    def change(field):
        refused = 0
        for n in range(1, 41):
            while (answer := dev.call("POST", path, {field: n})).status_code != 204:
                assert answer.status_code == 409, answer.text
                refused += 1
            assert dev.data("GET", path)[field] == n
        return refused

    with ThreadPoolExecutor(2) as pool:
        print("refused:", list(pool.map(change, ["token_num_uses", "secret_id_num_uses"])))


def test_a_role_made_anew_has_no_old_secret(dev, approle):
    role_ids, made = [], []
    for _ in range(2):
        approle.create_or_update_approle("again", token_policies=["default"])
        role_ids.append(approle.read_role_id("again")["data"]["role_id"])
        made.append(approle.generate_secret_id("again")["data"]["secret_id"])
        approle.delete_role("again")
        approle.delete_role("again")
    approle.create_or_update_approle("again", token_policies=["default"])
    role_ids.append(approle.read_role_id("again")["data"]["role_id"])
    made.append(approle.generate_secret_id("again")["data"]["secret_id"])
    for i, role_id in enumerate(role_ids):
        for j, secret in enumerate(made):
            answer = dev.call("POST", "auth/approle/login", {"role_id": role_id, "secret_id": secret}, token=None)
            assert answer.status_code == (200 if i == j == 2 else 400)


def test_logins_in_the_audit_log(servers):
    server = servers().init().start()
    server.data("POST", "auth/approle/role/r", {"token_policies": ["default"]})
    role_id = server.data("GET", "auth/approle/role/r/role-id")["role_id"]
    secret = server.data("POST", "auth/approle/role/r/secret-id")["secret_id"]
    answer = server.call("POST", "auth/approle/login", {"role_id": role_id, "secret_id": secret}, token=None)
    assert answer.status_code == 200
    token = answer.json()["auth"]["client_token"]
    server.call("POST", "auth/approle/login", {"role_id": role_id, "secret_id": "wrong"}, token=None)
    text = server.audit.read_text()
    assert secret not in text and token not in text and role_id not in text
    lines = [json.loads(line) for line in text.splitlines()]
    good, bad = lines[-2:]
    assert good["path"] == "auth/approle/login" and good["status"] == 200 and "accessor" in good["answer"]
    assert bad["status"] == 400 and "secret_id" in bad["values"] and bad["error"] == "invalid role or secret ID"
    # Logins, too, survive a restart and a rotation of the root key.
    assert server.stop() == 0
    server.run("root", "rotate", "--new", server.folder / "new.key")
    (server.folder / "new.key").replace(server.folder / "root.key")
    server.start()
    assert self(server, token).status_code == 200
    answer = server.call("POST", "auth/approle/login", {"role_id": role_id, "secret_id": secret}, token=None)
    assert answer.status_code == 200


def test_a_login_by_a_certificate(servers, folder):
    authority(folder)
    for name in ("server", "orders.example", "other.example", "two.example"):
        host = "localhost" if name == "server" else name
        more = ",DNS:orders.example" if name == "two.example" else ""
        certificate(folder, name, f"subjectAltName=DNS:{host},IP:127.0.0.1{more}")
    rules = (("orders.example", "orders"), ("two.example", "two"), ("localhost", "root"))
    clients = (f'[[tls.clients]]\nname = "{name}"\npolicies = ["{policy}"]\n' for name, policy in rules)
    server = servers().over_tls(folder, "".join(clients)).init()
    server.start()
    server.data("PUT", "sys/policies/acl/orders", {"policy": READ})

    def login(name, body):
        cert = (str(folder / f"{name}.pem"), str(folder / f"{name}.key")) if name else None
        server.http.close()
        return server.call("POST", "auth/cert/login", body, token=None, cert=cert)

    auth = login("orders.example", {}).json()["auth"]
    assert auth["token_policies"] == ["default", "orders"] and auth["orphan"] is True and auth["renewable"] is False
    # All rules that fit, or the one that is named.
    for body, policies in (({}, ["orders", "two"]), ({"name": "two.example"}, ["two"]), ({"name": "orders.example"}, ["orders"])):
        assert login("two.example", body).json()["auth"]["token_policies"] == ["default", *policies]
    refused(login("server", {}), "no root token")
    assert login("orders.example", {"name": "orders.example"}).status_code == 200
    server.http.close()
    assert server.call("POST", "transit/keys/a", token=auth["client_token"]).status_code == 200
    for name, body in (("orders.example", {"name": "other"}), ("other.example", {}), (None, {})):
        assert login(name, body).status_code == 400
