"""Backups under load, and the restored service; the root key rotated under load. No acknowledged change is
lost, and no nonce repeats under one secret, while the original service continues."""

import os
import time
from base64 import b64decode

from bulatd import b64, wait
from bulatd import replicas as two_replicas
from load import Client, Load, Nonces, check, opens, said


def secrets_of(server, names) -> dict:
    """Returns the secrets of all versions."""
    found = {}
    for name in names:
        for version, secret in server.data("GET", f"transit/export/encryption-key/{name}")["keys"].items():
            found[name, int(version)] = b64decode(secret)
    return found


def another(servers, folder, name, kind, request):
    """A server over another, empty database, with the same root key."""
    if kind == "postgres":
        request.getfixturevalue("postgres").sql(f"CREATE DATABASE {name}")
        return servers(database=request.getfixturevalue("postgres").url.replace("/postgres", f"/{name}"))
    return servers(database=f"sqlite:{folder}/{name}.db")


def root_token(server) -> str:
    return server.run("token", "create", "--policy", "root").stdout.split()[-1]


def test_a_backup_under_load(servers, folder, database, request):
    old = servers(database=database).init().start()
    nonces = Nonces()
    clients = [Client([old], seed, nonces, exportable=True) for seed in range(3)]
    with Load(clients):
        time.sleep(1)
        wait(lambda: all(client.texts for client in clients), "the clients get no answers")
        before = [(len(client.texts), {name: key[1] for name, key in dict(client.keys).items()}) for client in clients]
        old.run("backup", "--output", folder / "backup")
        time.sleep(0.5)
    # The old service continues: its counters pass those of the backup.
    check(clients, old, all=True)
    secrets = secrets_of(old, [name for client in clients for name in client.keys])

    # Two restores of one backup know nothing of each other.
    restored = []
    for n in range(2):
        server = another(servers, folder, f"restored{n}", database.split(":")[0], request)
        wrong = server.run("restore", "--input", server.config, check=False)
        assert wrong.returncode == 1 and "the backup is not complete" in wrong.stderr
        server.run("restore", "--input", folder / "backup")
        again = server.run("restore", "--input", folder / "backup", check=False)
        assert again.returncode == 1 and "--force" in again.stderr
        server.start()
        assert server.call("GET", "auth/token/lookup-self", token=old.token).status_code == 403, "tokens came back unasked"
        server.token = root_token(server)
        restored.append(server)
    opened = 0
    for server in restored:
        for client, (texts, keys) in zip(clients, before, strict=True):
            for name, latest in keys.items():
                assert server.data("GET", f"transit/keys/{name}")["latest_version"] > latest
            opened += opens(server, client.texts[:texts])
    # Each of the three works under keys that the others do not have, so their nonces cannot collide.
    there = [{name for _, keys in before for name in keys}] * 2
    used = []
    for server, names in zip(restored, there, strict=True):
        ours = Nonces()
        for name in names:
            type = server.data("GET", f"transit/keys/{name}")["type"]
            old_versions = [version for key, version in secrets if key == name]
            for version in old_versions:
                # A request for an old version, by any call, is refused, or the restored service has another with that number.
                server.call("POST", f"transit/keys/{name}/config", {"min_encryption_version": version})
                for asked in (version, 0):
                    answer = server.call("POST", f"transit/encrypt/{name}", {"plaintext": b64(b"x"), "key_version": asked})
                    if answer.ok:
                        ours.add(name, type, [answer.json()["data"]["ciphertext"]])
                    else:
                        assert answer.status_code == 400, answer.text
            server.data("POST", f"transit/keys/{name}/config", {"min_encryption_version": 0})
            answer = server.data("POST", f"transit/encrypt/{name}", {"batch_input": [{"plaintext": ""}] * 100})
            ours.add(name, type, [item["ciphertext"] for item in answer["batch_results"]])
        now = secrets_of(server, names)
        used.append({now[key] for key in ours.seen})
    assert used[0] and all(not used[0] & other for other in (used[1], set(secrets.values())))
    assert not used[1] & set(secrets.values())
    # The clients continue with a restored service, and find its acknowledged changes.
    fresh = [Client([restored[0]], seed + 10, Nonces()) for seed in range(2)]
    with Load(fresh):
        time.sleep(0.5)
        restored[0].kill()
    restored[0].start()
    check(fresh, restored[0], all=True)
    said(f"{database.split(':')[0]}, restored twice: {opened} older ciphertexts opened", clients, nonces)


def test_destroyed_secrets_of_roles_are_not_restored(servers, folder):
    server = servers().init().start()
    server.data("POST", "auth/approle/role/r", {"token_policies": ["default"]})
    login = {"role_id": server.data("GET", "auth/approle/role/r/role-id")["role_id"]}
    login["secret_id"] = server.data("POST", "auth/approle/role/r/secret-id")["secret_id"]
    server.run("backup", "--output", folder / "backup")
    assert server.call("POST", "auth/approle/login", login, token=None).status_code == 200
    server.data("POST", "auth/approle/role/r/secret-id/destroy", {"secret_id": login["secret_id"]})
    for more, status in (([], 400), (["--tokens"], 200)):
        said = server.run("restore", "--input", folder / "backup", "--force", *more).stdout
        assert ("no secrets of roles" in said) == (not more)
        # Within a second the service finds the root key's new number.
        wait(lambda: server.call("POST", "auth/approle/login", login, token=None).status_code != 503)
        answer = server.call("POST", "auth/approle/login", login, token=None)
        assert answer.status_code == status, answer.text
    assert server.data("GET", "auth/approle/role/r")["token_policies"] == ["default"]


def test_a_restore_in_place(servers, folder, database):
    """Restores a backup in the same database, while the service works."""
    server = servers(database=database).init().start()
    for type in Client.TYPES:
        server.data("POST", f"transit/keys/{type}", {"type": type, "exportable": True})
    nonces, sealed = Nonces(), []

    def encrypt(n=50):
        for type in Client.TYPES:
            answer = server.call("POST", f"transit/encrypt/{type}", {"batch_input": [{"plaintext": "AAAA"}] * n})
            if answer.ok:
                found = [item["ciphertext"] for item in answer.json()["data"]["batch_results"]]
                nonces.add(type, type, found)
                sealed.extend((type, text) for text in found)
            else:
                assert answer.status_code >= 500, answer.text

    encrypt()
    server.run("backup", "--output", folder / "backup")
    for _ in range(20):
        encrypt()
    server.run("restore", "--input", folder / "backup", "--force", "--tokens")
    begun = time.monotonic()
    while time.monotonic() < begun + 3 or any(text.startswith("vault:v1:") for text in dict(sealed).values()):
        assert time.monotonic() < begun + 60, "the key in use is an old one"
        encrypt()
    for type in Client.TYPES:
        # Magma's keys rotate at their limit.
        latest = server.data("GET", f"transit/keys/{type}")["latest_version"]
        assert latest == 2 or (latest > 2 and type == "magma-mgm")
        assert dict(sealed)[type].startswith(f"vault:v{latest}:")
    opens(server, [(type, text, "AAAA") for type, text in sealed])
    print(
        f"\n{database.split(':')[0]}, restored in place: {len(sealed)} ciphertexts, all open, {len(nonces)} nonces, all different"
    )


def test_the_root_key_is_rotated_under_load(servers, folder, database):
    replicas = two_replicas(servers, database)
    nonces = Nonces()
    clients = [Client(replicas, seed, nonces) for seed in range(3)]
    root = folder / "root.key"
    old = root.read_bytes()
    with Load(clients):
        for n in range(3):
            time.sleep(0.7)
            new = folder / f"root-{n}"
            replicas[0].run("root", "rotate", "--new", new)
            # Meanwhile a replica has only the old key: it refuses, or works with the keys it has unwrapped.
            time.sleep(0.2 * n)
            os.replace(new, root)
            time.sleep(1.5)
            for replica in replicas:
                wait(lambda one=replica: one.call("GET", "sys/health", token=None).ok, "a replica does not find the new root key")
    # A replica sees another's change within a second.
    time.sleep(1.2)
    for replica in replicas:
        check(clients, replica, all=True)
        assert replica.stop() == 0
    # A start with the first key fails with a reason; with the last one all is there.
    last = root.read_bytes()
    root.write_bytes(old)
    ran = replicas[0].run("server", check=False, timeout=60)
    assert ran.returncode == 1 and "root key" in ran.stderr, ran.stderr
    root.write_bytes(last)
    replicas[0].start()
    check(clients, replicas[0], all=True)
    said(f"{database.split(':')[0]}, 2 replicas, the root key rotated 3 times", clients, nonces)


def test_the_root_key_from_a_pipe(servers, folder):
    root = folder / "root.key"
    server = servers(wrapper=("bash", "-c", f'exec "$0" "$@" 3< <(cat {root})')).init()
    server.edit(f'file = "{root}"', "descriptor = 3")
    server.start()
    assert server.call("GET", "sys/health", token=None).status_code == 200
    server.data("POST", "transit/keys/a")
    assert server.stop() == 0


def test_commands_find_the_next_root_key(servers, folder):
    server = servers()
    new = folder / "next.key"
    server.edit("[audit]", f'next = "{new}"\n[audit]')
    server.init()
    server.run("root", "rotate", "--new", new)
    (folder / "rules").write_text("")
    for args in (("token", "list"), ("policy", "write", "p", folder / "rules"), ("backup", "--output", folder / "backup")):
        server.run(*args)
