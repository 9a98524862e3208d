"""hvac from PyPI, unmodified: every call of transit that it has, and those of sys and auth/token that a client needs."""

import secrets
from base64 import b64decode

import hvac
import pytest
from hvac import exceptions

from bulatd import b64

TEXT = b64(b"the quick brown fox")


@pytest.fixture
def name():
    return "key-" + secrets.token_hex(6)


@pytest.fixture
def client(dev):
    return dev.hvac()


@pytest.fixture
def transit(client):
    return client.secrets.transit


def refused(call, *args, error=exceptions.InvalidRequest, match=None, **fields):
    with pytest.raises(error, match=match):
        call(*args, **fields)


def batch(call, name, items, **fields) -> list[dict]:
    return call(name, batch_input=items, **fields)["data"]["batch_results"]


def create(client, name, type, **fields):
    """Creates a key: hvac's create_key accepts only types that it knows; its write accepts all."""
    client.write_data(f"transit/keys/{name}", data={"type": type, **fields})


def test_sys(client):
    assert client.is_authenticated()
    assert client.sys.is_initialized()
    assert not client.sys.is_sealed()
    assert client.sys.read_health_status().status_code == 200
    health = client.sys.read_health_status(method="GET")
    assert health["initialized"] and not health["sealed"]
    seal = client.sys.read_seal_status()
    assert seal["sealed"] is False and "t" in seal and "n" in seal
    assert client.sys.list_mounted_secrets_engines()["data"]["transit/"]["type"] == "transit"
    assert not hvac.Client(url=client.url, token="wrong").is_authenticated()
    assert not hvac.Client(url=client.url).is_authenticated()


def test_keys(transit, client, name):
    transit.create_key(name)
    key = transit.read_key(name)["data"]
    assert key["type"] == "kuznyechik-mgm" and key["name"] == name
    assert list(key["keys"]) == ["1"] and key["latest_version"] == 1
    assert key["min_decryption_version"] == 1 and key["min_encryption_version"] == 0
    assert not (key["deletion_allowed"] or key["derived"] or key["exportable"] or key["allow_plaintext_backup"])
    assert key["supports_encryption"] and key["supports_decryption"]
    assert key["supports_derivation"] and not key["supports_signing"]
    assert name in transit.list_keys()["data"]["keys"]
    assert name in hvac.Client(url=client.url, token=client.token, strict_http=True).secrets.transit.list_keys()["data"]["keys"]
    transit.rotate_key(name)
    assert list(transit.read_key(name)["data"]["keys"]) == ["1", "2"]
    # Creating it again changes nothing.
    transit.create_key(name)
    assert transit.read_key(name)["data"]["latest_version"] == 2


@pytest.mark.parametrize("type", ["aes256-gcm96", "chacha20-poly1305", "ed25519", "ecdsa-p256", "rsa-2048"])
def test_other_types_are_refused(transit, name, type):
    refused(transit.create_key, name, key_type=type)
    refused(transit.read_key, name, error=exceptions.InvalidPath)


def test_convergent(transit, client, name):
    for fields in ({}, {"derived": True, "type": "magma-mgm"}):
        refused(client.write_data, f"transit/keys/{name}", data={"convergent_encryption": True, **fields}, match="convergent")
    transit.create_key(name, convergent_encryption=True, derived=True)

    def sealed(text, context):
        return transit.encrypt_data(name, b64(text), context=b64(context))["data"]["ciphertext"]

    one = sealed(b"a text", b"one")
    assert sealed(b"a text", b"one") == one
    assert len({one, sealed(b"a text", b"two"), sealed(b"a texT", b"one"), sealed(b"", b"one")}) == 4
    assert transit.decrypt_data(name, one, context=b64(b"one"))["data"]["plaintext"] == b64(b"a text")
    refused(transit.decrypt_data, name, one, context=b64(b"two"))
    transit.rotate_key(name)
    assert sealed(b"a text", b"one").startswith("vault:v2:")


def test_backup_and_restore(transit, client, name):
    create(client, name, "kuznyechik-mgm")
    sealed = transit.encrypt_data(name, TEXT)["data"]["ciphertext"]
    backup = transit.backup_key(name)["data"]["backup"]
    refused(transit.restore_key, backup, match="exists")
    transit.update_key_configuration(name, deletion_allowed=True)
    transit.delete_key(name)
    for wrong in ("", "A" + backup[1:], backup[:-8] + "AAAAAAA=", backup[:40]):
        refused(transit.restore_key, wrong, name=name)
    refused(transit.restore_key, backup, name=name + "-other", match="bound")
    transit.restore_key(backup)
    assert transit.decrypt_data(name, sealed)["data"]["plaintext"] == TEXT
    # Numbers of nonces in a backup are out of date: only a new version encrypts.
    assert transit.encrypt_data(name, TEXT)["data"]["ciphertext"].startswith("vault:v2:")
    refused(client.write_data, f"transit/encrypt/{name}", data={"plaintext": TEXT, "key_version": 1})
    client.write_data(f"transit/keys/{name}/config", data={"min_encryption_version": 1})
    refused(client.write_data, f"transit/encrypt/{name}", data={"plaintext": TEXT, "key_version": 1})


@pytest.mark.parametrize("type", ["kuznyechik-mgm", "magma-mgm"])
def test_encrypt_decrypt(transit, client, name, type):
    create(client, name, type)
    sealed = transit.encrypt_data(name, plaintext=TEXT)["data"]
    assert sealed["ciphertext"].startswith("vault:v1:") and sealed["key_version"] == 1
    assert transit.decrypt_data(name, ciphertext=sealed["ciphertext"])["data"]["plaintext"] == TEXT
    assert transit.encrypt_data(name, plaintext=TEXT)["data"]["ciphertext"] != sealed["ciphertext"]
    empty = transit.encrypt_data(name, plaintext="")["data"]["ciphertext"]
    assert transit.decrypt_data(name, ciphertext=empty)["data"]["plaintext"] == ""
    large = b64(bytes(range(256)) * 4096)
    sealed = transit.encrypt_data(name, plaintext=large)["data"]["ciphertext"]
    assert transit.decrypt_data(name, ciphertext=sealed)["data"]["plaintext"] == large


@pytest.mark.parametrize("type", ["kuznyechik-mgm", "magma-mgm"])
def test_versions(transit, client, name, type):
    create(client, name, type)
    first = transit.encrypt_data(name, plaintext=TEXT)["data"]["ciphertext"]
    transit.rotate_key(name)
    second = transit.encrypt_data(name, plaintext=TEXT)["data"]["ciphertext"]
    assert second.startswith("vault:v2:")
    assert transit.encrypt_data(name, plaintext=TEXT, key_version=1)["data"]["ciphertext"].startswith("vault:v1:")
    again = transit.rewrap_data(name, ciphertext=first)["data"]["ciphertext"]
    assert again.startswith("vault:v2:")
    assert transit.decrypt_data(name, ciphertext=again)["data"]["plaintext"] == TEXT
    # A ciphertext is bound to its version: one of version 1 does not open as version 2.
    refused(transit.decrypt_data, name, ciphertext=first.replace("vault:v1:", "vault:v2:"))
    transit.update_key_configuration(name, min_decryption_version=2)
    refused(transit.decrypt_data, name, ciphertext=first)
    assert transit.decrypt_data(name, ciphertext=second)["data"]["plaintext"] == TEXT
    refused(transit.encrypt_data, name, plaintext=TEXT, key_version=1)
    transit.update_key_configuration(name, min_decryption_version=1)
    assert transit.decrypt_data(name, ciphertext=first)["data"]["plaintext"] == TEXT
    for wrong in ({"min_decryption_version": 3}, {"min_encryption_version": 3}):
        refused(transit.update_key_configuration, name, **wrong)
    transit.update_key_configuration(name, min_encryption_version=2)
    refused(transit.encrypt_data, name, plaintext=TEXT, key_version=1)


def test_trim(transit, name):
    transit.create_key(name)
    first = transit.encrypt_data(name, plaintext=TEXT)["data"]["ciphertext"]
    transit.rotate_key(name)
    refused(transit.trim_key, name, min_version=2)
    transit.update_key_configuration(name, min_decryption_version=2, min_encryption_version=0)
    transit.update_key_configuration(name, min_encryption_version=2)
    transit.trim_key(name, min_version=2)
    assert transit.read_key(name)["data"]["min_available_version"] == 2
    refused(transit.update_key_configuration, name, min_decryption_version=1)
    refused(transit.decrypt_data, name, ciphertext=first)


def test_delete(transit, name):
    transit.create_key(name)
    refused(transit.delete_key, name)
    transit.update_key_configuration(name, deletion_allowed=True)
    transit.delete_key(name)
    refused(transit.read_key, name, error=exceptions.InvalidPath)
    # A new key with an old name is another key, and only a new key starts its nonces anew.
    transit.create_key(name)
    assert transit.read_key(name)["data"]["latest_version"] == 1


def test_export(transit, client, name):
    transit.create_key(name)
    refused(transit.export_key, name, "encryption-key")
    transit.create_key(name + "-open", exportable=True)
    transit.rotate_key(name + "-open")
    keys = transit.export_key(name + "-open", "encryption-key")["data"]
    assert keys["name"] == name + "-open" and set(keys["keys"]) == {"1", "2"}
    assert all(len(b64decode(key)) == 32 for key in keys["keys"].values())
    assert transit.export_key(name + "-open", "encryption-key", version="2")["data"]["keys"] == {"2": keys["keys"]["2"]}
    assert transit.export_key(name + "-open", "encryption-key", version="latest")["data"]["keys"] == {"2": keys["keys"]["2"]}
    for wrong in ("0", "3", "x"):
        refused(transit.export_key, name + "-open", "encryption-key", version=wrong, error=exceptions.VaultError)
    create(client, name + "-hmac", "hmac-streebog512", exportable=True)
    assert len(b64decode(transit.export_key(name + "-hmac", "hmac-key")["data"]["keys"]["1"])) in (32, 64)
    refused(transit.export_key, name + "-open", "signing-key")


def test_derived(transit, name):
    transit.create_key(name, derived=True)
    one, other = b64(b"user 1"), b64(b"user 2")
    sealed = transit.encrypt_data(name, plaintext=TEXT, context=one)["data"]["ciphertext"]
    assert transit.decrypt_data(name, ciphertext=sealed, context=one)["data"]["plaintext"] == TEXT
    for wrong in ({"context": other}, {}, {"context": ""}, {"context": "?"}):
        refused(transit.decrypt_data, name, ciphertext=sealed, **wrong)
    refused(transit.encrypt_data, name, plaintext=TEXT)
    again = transit.rewrap_data(name, ciphertext=sealed, context=one)["data"]["ciphertext"]
    assert transit.decrypt_data(name, ciphertext=again, context=one)["data"]["plaintext"] == TEXT


def test_associated_data(transit, name):
    transit.create_key(name)
    sealed = transit.encrypt_data(name, plaintext=TEXT, associated_data=b64(b"header"))["data"]["ciphertext"]
    assert transit.decrypt_data(name, ciphertext=sealed, associated_data=b64(b"header"))["data"]["plaintext"] == TEXT
    for wrong in ({}, {"associated_data": b64(b"other")}):
        refused(transit.decrypt_data, name, ciphertext=sealed, **wrong)


def test_names_are_bound(transit, name):
    transit.create_key(name)
    transit.create_key(name + "2")
    sealed = transit.encrypt_data(name, plaintext=TEXT)["data"]["ciphertext"]
    refused(transit.decrypt_data, name + "2", ciphertext=sealed)


WRONG = "x vault: vault:v1 vault:v1: vault:v0:AAAA vault:v2:AAAA vault:v1:AAAA vault:v1:! vault:v-1:AAAA bulat:v1:AAAA".split()


@pytest.mark.parametrize("wrong", ["", *WRONG, "vault:v99999999999999999999:AAAA", "vault:v1:" + "A" * 63])
def test_wrong_ciphertexts(transit, name, wrong):
    transit.create_key(name)
    refused(transit.decrypt_data, name, ciphertext=wrong)


def test_changed_ciphertexts(transit, name):
    transit.create_key(name)
    sealed = transit.encrypt_data(name, plaintext=TEXT)["data"]["ciphertext"]
    head, body = sealed[:9], bytearray(b64decode(sealed[9:]))
    for at in range(len(body)):
        body[at] ^= 1
        refused(transit.decrypt_data, name, ciphertext=head + b64(bytes(body)))
        body[at] ^= 1
    for length in range(0, len(body)):
        refused(transit.decrypt_data, name, ciphertext=head + b64(bytes(body[:length])))
    assert transit.decrypt_data(name, ciphertext=head + b64(bytes(body)))["data"]["plaintext"] == TEXT


def test_batches(transit, name):
    transit.create_key(name)
    texts = [b64(bytes([n]) * n) for n in range(100)]
    sealed = batch(transit.encrypt_data, name, [{"plaintext": text, "reference": str(n)} for n, text in enumerate(texts)])
    assert [item["reference"] for item in sealed] == [str(n) for n in range(100)]
    assert len({item["ciphertext"] for item in sealed}) == 100
    transit.rotate_key(name)
    sent = [{"ciphertext": item["ciphertext"]} for item in sealed]
    again = batch(transit.rewrap_data, name, sent, ciphertext="")
    assert all(item["ciphertext"].startswith("vault:v2:") and item["key_version"] == 2 for item in again)
    for items in (sent, [{"ciphertext": item["ciphertext"]} for item in again]):
        assert [item["plaintext"] for item in batch(transit.decrypt_data, name, items)] == texts


def test_batches_with_wrong_items(dev, transit, name):
    transit.create_key(name)
    good = transit.encrypt_data(name, plaintext=TEXT)["data"]["ciphertext"]
    items = [{"ciphertext": good}, {"ciphertext": "vault:v1:AAAA"}, {}, {"ciphertext": good}]
    response = dev.call("POST", f"transit/decrypt/{name}", {"batch_input": items})
    results = response.json()["data"]["batch_results"]
    assert response.status_code == 400
    assert [("plaintext" in item and item["plaintext"] == TEXT) for item in results] == [True, False, False, True]
    assert all(item.get("error") for item in results[1:3])
    response = dev.call("POST", f"transit/decrypt/{name}", {"batch_input": items, "partial_failure_response_code": 200})
    assert response.status_code == 200
    for empty in ([], None):
        assert dev.call("POST", f"transit/decrypt/{name}", {"batch_input": empty}).status_code == 400


@pytest.mark.parametrize("bits", [None, 128, 256, 512])
@pytest.mark.parametrize("kind", ["plaintext", "wrapped"])
def test_data_keys(transit, name, kind, bits):
    transit.create_key(name)
    answer = transit.generate_data_key(name, kind, bits=bits)["data"]
    opened = transit.decrypt_data(name, ciphertext=answer["ciphertext"])["data"]["plaintext"]
    assert len(b64decode(opened)) == (bits or 256) // 8
    assert answer.get("plaintext") == (opened if kind == "plaintext" else None)


def test_data_keys_of_derived(transit, name):
    transit.create_key(name, derived=True)
    answer = transit.generate_data_key(name, "plaintext", context=b64(b"user"))["data"]
    opened = transit.decrypt_data(name, ciphertext=answer["ciphertext"], context=b64(b"user"))["data"]["plaintext"]
    assert opened == answer["plaintext"]


@pytest.mark.parametrize("type", ["hmac-streebog256", "hmac-streebog512", "kuznyechik-mgm", "magma-mgm"])
def test_hmac(transit, client, name, type):
    create(client, name, type)
    mac = transit.generate_hmac(name, TEXT)["data"]["hmac"]
    assert mac.startswith("vault:v1:")
    assert len(b64decode(mac[9:])) == (64 if type == "hmac-streebog512" else 32)
    assert transit.verify_signed_data(name, TEXT, hmac=mac)["data"]["valid"] is True
    assert transit.verify_signed_data(name, b64(b"other"), hmac=mac)["data"]["valid"] is False
    transit.rotate_key(name)
    assert transit.generate_hmac(name, TEXT)["data"]["hmac"].startswith("vault:v2:")
    assert transit.generate_hmac(name, TEXT, key_version=1)["data"]["hmac"] == mac
    assert transit.verify_signed_data(name, TEXT, hmac=mac)["data"]["valid"] is True
    results = client.write_data(f"transit/hmac/{name}", data={"batch_input": [{"input": TEXT}, {}, {"input": ""}]})
    results = (results.json() if hasattr(results, "json") else results)["data"]["batch_results"]
    assert "hmac" in results[0] and "error" in results[1] and "hmac" in results[2]


def test_hmac_keys_do_not_encrypt(transit, client, name):
    create(client, name, "hmac-streebog256")
    refused(transit.encrypt_data, name, plaintext=TEXT)
    refused(transit.generate_data_key, name, "plaintext")


def test_hash(transit, client):
    assert transit.hash_data(b64(b"abc"))["data"]["sum"] == "4e2919cf137ed41ec4fb6270c61826cc4fffb660341e0af3688cd0626d23b481"
    for algorithm, start in (("streebog256", "4e2919cf137ed41e"), ("streebog512", "28156e28317da7c9")):
        assert client.write_data(f"transit/hash/{algorithm}", data={"input": b64(b"abc")})["data"]["sum"].startswith(start)
        named = {"input": b64(b"abc"), "algorithm": algorithm}
        assert client.write_data("transit/hash", data=named)["data"]["sum"].startswith(start)
    assert b64decode(transit.hash_data(b64(b"abc"), output_format="base64")["data"]["sum"]).hex().startswith("4e2919cf")
    refused(transit.hash_data, b64(b"abc"), algorithm="sha2-256")


def test_random(transit, client):
    assert len(b64decode(transit.generate_random_bytes()["data"]["random_bytes"])) == 32
    assert len(bytes.fromhex(transit.generate_random_bytes(n_bytes=100, output_format="hex")["data"]["random_bytes"])) == 100
    assert len(b64decode(client.write_data("transit/random/64", data={})["data"]["random_bytes"])) == 64
    assert len(b64decode(client.write_data("transit/random/all/16", data={})["data"]["random_bytes"])) == 16
    for wrong in (0, -1, 1 << 30):
        refused(transit.generate_random_bytes, n_bytes=wrong)


def test_not_there(transit, name):
    transit.create_key(name)
    refused(transit.sign_data, name, TEXT, error=exceptions.VaultError)
    for fields in ({}, {"name": name}):
        refused(transit.restore_key, "x", error=exceptions.VaultError, **fields)


def test_upsert(dev, transit, name):
    sealed = transit.encrypt_data(name, plaintext=TEXT)["data"]["ciphertext"]
    assert transit.decrypt_data(name, ciphertext=sealed)["data"]["plaintext"] == TEXT
    transit.encrypt_data(name + "-derived", plaintext=TEXT, context=b64(b"user"))
    assert transit.read_key(name + "-derived")["data"]["derived"] is True
    only_update = dev.hvac(dev.new_token('path "transit/encrypt/*" { capabilities = ["update"] }'))
    refused(only_update.secrets.transit.encrypt_data, name + "-not", plaintext=TEXT, error=exceptions.VaultError)


def test_tokens(client):
    made = client.auth.token.create(policies=["default"], ttl="1h", display_name="someone")["auth"]
    other = hvac.Client(url=client.url, token=made["client_token"])
    assert other.is_authenticated()
    seen = other.auth.token.lookup_self()["data"]
    assert seen["accessor"] == made["accessor"] and 3500 < seen["ttl"] <= 3600 and "default" in seen["policies"]
    assert client.auth.token.lookup(made["client_token"])["data"]["accessor"] == made["accessor"]
    client.auth.token.revoke(made["client_token"])
    assert not other.is_authenticated()
    third = client.auth.token.create(ttl="1h")["auth"]
    hvac.Client(url=client.url, token=third["client_token"]).auth.token.revoke_self()
    assert not hvac.Client(url=client.url, token=third["client_token"]).is_authenticated()
    fourth = client.auth.token.create(ttl="1h")["auth"]
    client.auth.token.revoke_accessor(fourth["accessor"])
    assert not hvac.Client(url=client.url, token=fourth["client_token"]).is_authenticated()


def test_policies(client):
    text = 'path "transit/encrypt/a*" {\n  capabilities = ["update"]\n}\n'
    client.sys.create_or_update_policy("some", text)
    assert client.sys.read_acl_policy("some")["data"]["policy"] == text
    assert "some" in client.sys.list_acl_policies()["data"]["keys"]
    client.sys.create_or_update_acl_policy("more", {"path": {"transit/decrypt/*": {"capabilities": ["update"]}}})
    for wrong in ("path {", 'path "x" { capabilities = ["fly"] }', "\u0000"):
        refused(client.sys.create_or_update_policy, "wrong", wrong)
    client.sys.delete_policy("some")
    client.sys.delete_policy("more")
    assert "some" not in client.sys.list_acl_policies()["data"]["keys"]


def test_capabilities(dev):
    client = dev.hvac(dev.new_token('path "transit/encrypt/a*" { capabilities = ["update"] }'))
    answer = client.sys.get_capabilities(["transit/encrypt/abc", "transit/decrypt/abc"])
    data = answer["data"]
    assert data["transit/encrypt/abc"] == ["update"] and data["transit/decrypt/abc"] == ["deny"]
