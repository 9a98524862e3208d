"""Unknown fields and parameters are refused by name; fields that clients of Vault always send are accepted. Known ones take effect."""

import json
import re
import secrets
import socket
import subprocess

import pytest

from bulatd import b64, refused

TEXT = b64(b"text")


@pytest.fixture
def key(dev):
    name = "field-" + secrets.token_hex(6)
    dev.data("POST", f"transit/keys/{name}")
    return name


# A call, a valid body; an addition that is refused by its name.
REFUSED = [
    ("transit/encrypt/{key}", {"plaintext": TEXT}, ["ciphertext", "contxt", "input", "id"]),
    ("transit/decrypt/{key}", {"ciphertext": "vault:v1:AAAA"}, ["plaintext", "asociated_data", "key_version"]),
    ("transit/rewrap/{key}", {"ciphertext": "vault:v1:AAAA"}, ["plaintext"]),
    ("transit/datakey/plaintext/{key}", {}, ["padding_scheme", "key_version"]),
    ("transit/hmac/{key}", {"input": TEXT}, ["context", "hash_algo"]),
    ("transit/verify/{key}", {"input": TEXT, "hmac": "vault:v1:AAAA"}, ["prehashed", "signature", "context"]),
    ("transit/hash", {"input": TEXT}, ["key_version"]),
    ("transit/random", {}, ["byts"]),
    ("transit/keys/{key}", {}, ["convergent_encryption", "allow_plaintext_backup", "deletion_allowed", "derive"]),
    ("transit/keys/{key}/config", {}, ["derived", "allow_plaintext_backup", "min_decrypt_version"]),
    ("transit/keys/{key}/rotate", {}, ["managed_key_name"]),
    ("transit/keys/{key}/trim", {"min_available_version": 1}, ["force"]),
    ("auth/token/create", {}, ["id", "meta", "no_parent", "explicit_max_ttl", "period", "num_uses", "entity_alias", "role"]),
    ("auth/token/lookup", {"token": "x"}, ["accessor"]),
    ("auth/token/renew-self", {}, ["ttl"]),
    ("sys/policies/acl/some", {"policy": ""}, ["ttl"]),
    ("sys/capabilities-self", {"paths": ["a"]}, ["token"]),
]


@pytest.mark.parametrize("row", REFUSED, ids=lambda row: row[0])
def test_fields_of_no_use_are_refused(dev, key, row):
    path, body, wrong = row
    for name in wrong:
        refused(dev.call("POST", path.format(key=key), {**body, name: "something"}), name)
        # Null counts as absent, for a field that exists.
        assert dev.call("POST", path.format(key=key), {**body, name: {}}).status_code in (200, 204, 400, 403, 404)
    refused(dev.call("POST", path.format(key=key), data=b'{"\\u0000": 1}'), "unknown field")


def test_items_of_batches(dev, key):
    for path, item, wrong in (
        ("encrypt", {"plaintext": TEXT}, "contxt"),
        ("decrypt", {"ciphertext": ""}, "plaintext"),
        ("hmac", {"input": TEXT}, "algorithm"),
    ):
        refused(dev.call("POST", f"transit/{path}/{key}", {"batch_input": [item, {**item, wrong: "x"}]}), wrong)
    # Next to a batch these would apply to no item.
    for name, value in (("plaintext", TEXT), ("context", TEXT), ("associated_data", TEXT), ("key_version", 1)):
        refused(dev.call("POST", f"transit/encrypt/{key}", {"batch_input": [{"plaintext": TEXT}], name: value}), name)
    sent = {"batch_input": [{"plaintext": TEXT}], "plaintext": "", "context": None, "key_version": 0}
    assert dev.call("POST", f"transit/encrypt/{key}", sent).status_code == 200


def test_twice_and_of_another_type(dev, key):
    for body, word in (
        (b'{"plaintext":"QQ==","plaintext":"Qg=="}', "plaintext"),
        (b'{"batch_input":[{"plaintext":"QQ==","plaintext":"Qg=="}]}', "plaintext"),
        (b'{"plaintext":1}', "plaintext"),
        (b'{"plaintext":"QQ==","key_version":"one"}', "key_version"),
        (b'{"plaintext":"QQ==","key_version":-1}', "key_version"),
        (b'{"batch_input":{}}', "batch_input"),
        (b'{"batch_input":[{"plaintext":"QQ=="}],"partial_failure_response_code":7}', "partial_failure_response_code"),
    ):
        refused(dev.call("POST", f"transit/encrypt/{key}", data=body), word)
    refused(dev.call("POST", f"transit/keys/{key}-n", {"derived": "perhaps"}), "derived")
    refused(dev.call("POST", "auth/token/create", {"policies": "root"}), "policies")


# Fields that hvac, the official command, Go's client and Spring Vault always send.
ALWAYS = [
    ("auth/token/create", {"display_name": "", "entity_alias": "", "explicit_max_ttl": "0s", "num_uses": 0, "period": "0s"}),
    ("auth/token/create", {"renewable": True, "ttl": "1h", "type": "service", "policies": ["default"], "display_name": "token"}),
    ("auth/token/create", {"no_parent": False, "no_default_policy": False}),
    ("auth/token/create", {"id": "", "meta": None, "type": None}),
    ("auth/token/create", {"meta": {}, "type": ""}),
    ("transit/keys/{key}", {"type": "kuznyechik-mgm", "derived": False, "convergent_encryption": False, "exportable": False}),
    ("transit/keys/{key}", {"allow_plaintext_backup": False}),
    ("transit/encrypt/{key}", {"plaintext": TEXT, "context": "", "nonce": "", "convergent_encryption": False}),
    # VaultSharp uses one class for requests and items, and names Vault's default type in both.
    ("transit/encrypt/{key}", {"plaintext": TEXT, "type": "aes256_gcm96", "convergent_encryption": False}),
    ("transit/encrypt/{key}", {"type": "aes256-gcm96", "batch_input": [{"plaintext": TEXT, "type": "aes256_gcm96"}]}),
    ("transit/encrypt/{key}", {"batch_input": [{"plaintext": TEXT, "convergent_encryption": False}]}),
    ("transit/encrypt/{key}", {"batch_input": [{"plaintext": TEXT, "partial_failure_response_code": None}]}),
    ("transit/verify/{key}", {"name": "{key}", "input": TEXT, "hmac": "{mac}", "signature": "", "prehashed": False}),
    ("transit/hash/streebog256", {"algorithm": "streebog256", "input": TEXT}),
    ("transit/random/16", {"bytes": 16}),
    ("auth/token/renew-self", {"increment": 0}),
    ("auth/token/renew-self", {"increment": None}),
    # The crate vaultrs names the source in the body; hvac has the number in the path.
    ("transit/random", {"bytes": 16, "source": "platform"}),
    ("transit/random/16", {"source": "seal"}),
    ("transit/random/all/16", {"source": "all", "bytes": 16}),
    # Vault's word for a role without a type.
    ("auth/approle/role/always", {"token_type": "default"}),
    ("auth/approle/role/always", {"token_type": "default-service", "local_secret_ids": "False"}),
    ("sys/auth/approle/tune", {"token_type": "default-service"}),
]


@pytest.mark.parametrize("path,body", ALWAYS)
def test_what_clients_always_send_passes(dev, key, path, body):
    mac = dev.data("POST", f"transit/hmac/{key}", {"input": TEXT})["hmac"]
    body = json.loads(json.dumps(body).replace("{key}", key).replace("{mac}", mac))
    token = dev.new_token(ttl="1h", renewable=True) if "renew" in path else dev.token
    response = dev.call("POST", path.format(key=key), body, token=token)
    assert response.status_code in (200, 204), response.text


def test_the_path_decides(dev, key):
    refused(dev.call("POST", "transit/hash/streebog256", {"algorithm": "streebog512", "input": TEXT}), "algorithm")
    refused(dev.call("POST", f"transit/verify/{key}", {"name": "other", "input": TEXT, "hmac": "vault:v1:AAAA"}), "name")
    refused(dev.call("POST", "transit/random/16", {"bytes": 17}), "bytes")
    refused(dev.call("POST", "transit/random/platform", {"source": "seal"}), "source")
    refused(dev.call("POST", "transit/random", {"source": "dice"}), "source")
    refused(dev.call("POST", "transit/random/dice"), "source")


def test_queries_and_bodies_of_no_use(dev, key):
    for method, path, word in (
        ("GET", f"transit/keys/{key}?version=1", "version"),
        ("GET", "transit/keys?list=true&before=a", "before"),
        ("GET", "transit/keys?list=true&limit=a", "limit"),
        ("GET", "sys/health?sealedcod=200", "sealedcod"),
        ("GET", "sys/metrics?format=json", "format"),
        ("POST", f"transit/stream/encrypt/{key}?prt=1", "prt"),
        ("POST", f"transit/stream/encrypt/{key}?part=1&part=2", "part"),
    ):
        refused(dev.call(method, path), word)
    for path in ("sys/health?standbyok=true&perfstandbyok=true&uninitcode=501", "sys/metrics?format=prometheus"):
        assert dev.call("GET", path, token=None).status_code == 200
    refused(dev.call("GET", "sys/health", {"a": 1}, token=None), "no body")
    refused(dev.call("GET", f"transit/keys/{key}", {"version": 1}), "version")
    refused(dev.call("DELETE", f"transit/keys/{key}", {"force": True}), "force")
    assert dev.call("GET", f"transit/keys/{key}", {}).status_code == 200
    response = dev.call("POST", "transit/hash", data=b"\x1f\x8b", headers={"Content-Encoding": "gzip"})
    assert response.status_code == 415


# Go's words for true and false, as Vault reads them.
TRUE, FALSE = ("1", "t", "T", "TRUE", "true", "True"), ("0", "f", "F", "FALSE", "false", "False")


def test_flags_in_queries(dev, key):
    for path in ("transit/keys", "sys/policies/acl", "auth/approle/role"):
        dev.data("POST", "auth/approle/role/flags", {})
        for word in TRUE:
            assert dev.data("GET", f"{path}?list={word}")["keys"]
        for word in (*FALSE, ""):
            assert dev.call("GET", f"{path}?list={word}").status_code == 405
    for word in (*FALSE, ""):
        assert dev.data("GET", f"transit/keys/{key}?list={word}")["name"] == key
    for word in ("yes", "TrUe", "2", "on", " true"):
        assert dev.call("GET", f"transit/keys?list={word}").status_code in (400, 405)
        refused(dev.call("GET", f"transit/keys/{key}?list={word}"), "list")
    text = b"a part"
    for word in TRUE + FALSE:
        sealed = dev.call("POST", f"transit/stream/encrypt/{key}?last={word}", data=text).content
        for other in TRUE + FALSE:
            opened = dev.call("POST", f"transit/stream/decrypt/{key}?last={other}", data=sealed)
            same = (word in TRUE) == (other in TRUE)
            assert (opened.status_code, opened.content == text) == (200 if same else 400, same), (word, other)
    for word in ("", "yes", "2"):
        refused(dev.call("POST", f"transit/stream/encrypt/{key}?last={word}", data=text), "last")


def test_a_token_that_is_given_twice(dev):
    for name in ("X-Vault-Token", "Authorization"):
        head = "GET /v1/auth/token/lookup-self HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
        with socket.create_connection(("127.0.0.1", dev.port), timeout=60) as one:
            one.sendall(f"{head}{name}: Bearer x\r\n{name}: {dev.token}\r\n\r\n".encode())
            answer = b"".join(iter(lambda one=one: one.recv(4096), b""))
        assert b" 400 " in answer and b"occurs twice" in answer, answer


def test_a_key_that_is_there_is_no_other(dev, key):
    for field in ({"type": "magma-mgm"}, {"exportable": True}, {"derived": True}, {"auto_rotate_period": "24h"}):
        refused(dev.call("POST", f"transit/keys/{key}", field), next(iter(field)))
    assert dev.call("POST", f"transit/keys/{key}", {"type": "kuznyechik-mgm", "exportable": False}).status_code == 200
    refused(dev.call("POST", f"transit/encrypt/{key}", {"plaintext": TEXT, "type": "magma-mgm"}), "type")
    item = {"plaintext": TEXT, "type": "magma-mgm"}
    answer = dev.call("POST", f"transit/encrypt/{key}", {"batch_input": [item]})
    assert answer.status_code == 400 and "type" in answer.json()["data"]["batch_results"][0]["error"]


def test_renewals_and_lookups_answer_the_token_to_who_shows_it(dev):
    token = dev.new_token(ttl="1h", renewable=True)
    assert dev.call("POST", "auth/token/renew-self", {}, token=token).json()["auth"]["client_token"] == token
    seen = dev.data("GET", "auth/token/lookup-self", token=token)
    assert seen["id"] == token
    assert dev.data("POST", "auth/token/lookup", {"token": token})["id"] == token
    assert dev.data("POST", "auth/token/lookup-accessor", {"accessor": seen["accessor"]})["id"] == ""


def test_data_keys_are_bound(dev, key):
    made = dev.data("POST", f"transit/datakey/plaintext/{key}", {"associated_data": b64(b"header")})
    opened = {"ciphertext": made["ciphertext"], "associated_data": b64(b"header")}
    assert dev.data("POST", f"transit/decrypt/{key}", opened)["plaintext"] == made["plaintext"]
    assert dev.call("POST", f"transit/decrypt/{key}", {"ciphertext": made["ciphertext"]}).status_code == 400


def test_the_version_of_a_batch_of_macs(dev, key):
    dev.data("POST", f"transit/keys/{key}/rotate")
    batch = [{"input": TEXT}, {"input": TEXT, "key_version": 2}]
    made = dev.data("POST", f"transit/hmac/{key}", {"key_version": 1, "batch_input": batch})["batch_results"]
    single = dev.data("POST", f"transit/hmac/{key}", {"key_version": 1, "input": TEXT})["hmac"]
    assert made[0]["hmac"] == single and made[1]["hmac"].startswith("vault:v2:")
    dev.data("POST", f"transit/keys/{key}/config", {"min_encryption_version": 2})
    for version in (1, 7):
        assert dev.call("POST", f"transit/hmac/{key}", {"key_version": version, "batch_input": batch}).status_code == 400
    # To verify, no input means an empty text.
    empty = dev.data("POST", f"transit/hmac/{key}", {"input": ""})["hmac"]
    assert dev.data("POST", f"transit/verify/{key}", {"hmac": empty})["valid"] is True
    refused(dev.call("POST", f"transit/hmac/{key}", {}), "input")


def test_no_key_is_made_for_nothing(dev, key):
    name = key + "-not"
    for body in (
        {"batch_input": [{"plaintext": TEXT, "context": TEXT}, {"plaintext": TEXT}]},
        {"plaintext": "!"},
        {"plaintext": TEXT, "context": "!"},
        {"batch_input": [{"plaintext": "!"}, {}]},
        {},
    ):
        assert dev.call("POST", f"transit/encrypt/{name}", body).status_code == 400
        assert dev.call("GET", f"transit/keys/{name}").status_code == 404, body


def audit(server) -> list[dict]:
    return [json.loads(line) for line in server.audit.read_text().splitlines()]


def test_the_audit_log_has_what_was_asked(servers):
    server = servers().init().start()
    server.data("POST", "transit/keys/k", {"exportable": True, "type": "magma-mgm"})
    line = audit(server)[-1]
    assert line["settings"] == {"exportable": "true", "type": "magma-mgm"}
    sealed = server.data("POST", "transit/encrypt/k", {"plaintext": TEXT})["ciphertext"]
    line = audit(server)[-1]
    plain, made = line["values"]["plaintext"], line["answer"]["ciphertext"]
    # A value can be found by its MAC, in failed calls, too.
    wrong = sealed[:-4] + ("AAA=" if sealed[-4:] != "AAA=" else "BBB=")
    for text, error in ((sealed, False), (wrong, True)):
        server.call("POST", "transit/decrypt/k", {"ciphertext": text})
        line = audit(server)[-1]
        assert (line["values"]["ciphertext"] == made) == (text == sealed)
        assert ("error" in line) == error and (line.get("answer", {}).get("plaintext") == plain) != error
    server.call("POST", "transit/hash", {"input": TEXT})
    assert audit(server)[-1]["values"]["input"] == plain
    server.data("PUT", "sys/policies/acl/p", {"policy": ""})
    assert "policy" in audit(server)[-1]["values"]
    server.call("POST", "auth/token/create", {"policies": ["p"], "ttl": "1h", "renewable": False})
    line = audit(server)[-1]
    assert "policies" in line["values"] and line["settings"] == {"renewable": "false", "ttl": "1h"}
    server.call("POST", "transit/encrypt/k", {"plaintext": TEXT, "wrong": 1})
    line = audit(server)[-1]
    assert line["status"] == 400 and "unknown field" in line["error"] and "body" in line["values"]
    # The log's own texts have nothing that the client has sent.
    answer = server.call("PUT", "sys/policies/acl/p", {"policy": 'path "a" { capabilities = ["SECRETWORD"] }'})
    assert answer.status_code == 400 and "SECRETWORD" in answer.text and audit(server)[-1]["error"]
    server.call("POST", "transit/encrypt/k", {"plaintext": TEXT, "SECRETWORD": 1})
    assert "SECRETWORD" not in server.audit.read_text()
    assert TEXT not in server.audit.read_text() and sealed not in server.audit.read_text()


def test_a_token_in_a_path_is_not_written(servers):
    server = servers().init().start()
    with socket.create_connection(("127.0.0.1", server.port), timeout=60) as one:
        head = f"GET /v1/auth/token/lookup/{server.token} HTTP/1.1\r\nHost: x\r\nX-Vault-Token: {server.token}\r\n\r\n"
        one.sendall(head.encode())
        assert b" 404 " in one.recv(100)
    text = server.audit.read_text()
    assert server.token not in text and audit(server)[-1]["path"].count("*") == 1


def test_nothing_is_done_that_a_device_does_not_take(servers):
    server = servers().init()
    server.edit(str(server.audit), "/dev/full")
    server.start()
    for _ in range(2):
        assert server.call("POST", "transit/keys/z").status_code == 500
        assert server.call("GET", "sys/health", token=None).status_code == 200
    server.stop()
    server.edit("/dev/full", str(server.audit))
    server.start()
    assert server.call("GET", "transit/keys/z").status_code == 404


def test_a_service_without_an_audit_log_says_so(servers):
    server = servers()
    server.edit(f'file = "{server.audit}"\n', "")
    server.init().start()
    assert "no audit log" in server.log.read_text()


def test_names_that_begin_with_a_hyphen(servers, folder):
    server = servers().init()
    # This token stays, also if the first accessor of the loop begins with a hyphen.
    server.run("token", "create", "--policy", "-p")
    for n in range(100):
        made = server.run("token", "create", "--policy", "-p").stdout.split()
        if n == 99 or made[1].startswith("-"):
            server.run("token", "revoke", made[1])
            break
    ran = server.run("token", "revoke", "-Poc1wkxyz", check=False)
    assert ran.returncode == 1 and "unexpected argument" not in ran.stderr, ran.stderr
    (folder / "rules").write_text('path "a" { capabilities = ["read"] }\n')
    server.run("policy", "write", "-p", folder / "rules")
    assert "path" in server.run("policy", "read", "-p").stdout
    server.run("policy", "delete", "-p")
    listed = server.run("token", "list").stdout
    assert re.search(r"created=20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ expires=20\d\d-", listed) and "expires=never" in listed


def test_words_for_a_newcomer(servers, folder):
    server = servers()
    text = server.config.read_text()
    key = folder / "root.key"
    ran = server.run("init", "--new-root-key", check=False)
    assert ran.returncode == 1 and "there is a root key already" in ran.stderr and str(key) in ran.stderr
    server.init()
    key.unlink()
    ran = server.run("init", "--new-root-key", check=False)
    # The database has a root key, so no other is written.
    assert "the database has a root key already" in ran.stderr and not key.exists()
    server.config.write_text(text.replace(f'file = "{key}"', 'credential = "root"', 1))
    for command in (["server"], ["root", "rotate", "--new", str(folder / "n")], ["backup", "--output", str(folder / "b")]):
        ran = server.run(*command, check=False)
        assert "--root-key" in ran.stderr and "BULATD_ROOT_KEY" in ran.stderr, ran.stderr
    key.write_text("11" * 32)
    key.chmod(0o600)
    server.config.write_text(text.replace(f"{server.audit}", f"{folder}/none/audit").replace("bulatd.db", "other.db"))
    server.run("init")
    ran = server.run("server", check=False)
    assert f"install -d -m 700 {folder}/none" in ran.stderr, ran.stderr
    tls = f'\n[tls]\ncertificate = "{folder}/no.pem"\nkey = "/run/credentials/bulatd.service/tls-key"\n'
    server.config.write_text(text.replace("plain = true\n", "").replace("bulatd.db", "other.db") + tls)
    ran = server.run("server", check=False)
    assert "[tls] certificate" in ran.stderr and "cannot listen" not in ran.stderr, ran.stderr
    with socket.create_server(("127.0.0.1", server.port)):
        server.config.write_text(text.replace("bulatd.db", "other.db"))
        ran = server.run("server", check=False)
        assert f"cannot listen on 127.0.0.1:{server.port}" in ran.stderr, ran.stderr


def test_a_command_finds_the_root_key_in_the_environment(servers, folder):
    server = servers().init()
    key = folder / "root.key"
    server.edit(f'file = "{key}"', 'credential = "root"')
    server.env["BULATD_ROOT_KEY"] = str(key)
    server.run("backup", "--output", folder / "backup")
    assert subprocess.run(["test", "-s", folder / "backup"], check=False).returncode == 0
