"""A database that hangs, is changed by others, or is read as a file; starts that do not use a key up.

BULATD_RESTARTS sets the number of servers that start for one message: 40 by default.
"""

import os
import shutil
import signal
import sqlite3
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from bulatd import AS_POSTGRES, Postgres, authority, b64, certificate, replicas, wait
from load import Nonces

RESTARTS = int(os.environ.get("BULATD_RESTARTS", 40))
REFUSE = '[keys]\nat_limit = "refuse"\n'


def test_a_lock_that_is_not_got_spoils_no_connection(servers, postgres):
    """A writer that gives up behind a restore leaves its connection fit for others."""
    server = servers(database=postgres.url).init()
    server.edit("[root]", "seconds = 2\nconnections = 1\n[root]")
    server.start()
    wait(lambda: server.call("POST", "transit/keys/a").ok)
    rows = 7_020_116
    asleep = "FROM pg_stat_activity WHERE wait_event = 'PgSleep'"
    lock = postgres.psql(f"SELECT pg_advisory_lock({rows}), pg_sleep(60)")
    with subprocess.Popen(lock, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        wait(lambda: postgres.sql(f"SELECT COUNT(*) {asleep}").strip() != "0", pause=0.05)
        answer = server.call("POST", "transit/keys/b")
        assert answer.status_code == 503, answer.text
        # Reads need no lock.
        assert server.data("GET", "transit/keys/a")["latest_version"] == 1
        assert process.poll() is None
        postgres.sql(f"SELECT pg_terminate_backend(pid) {asleep}")
        process.wait(60)
    server.data("POST", "transit/keys/b")
    assert server.data("LIST", "transit/keys")["keys"] == ["a", "b"]


def test_restarts_do_not_use_a_version_up(servers, folder):
    """One message for each start; every second server ends by SIGKILL. No count decreases, and no nonce repeats."""
    server = servers(extra=REFUSE).init()
    nonces, before = Nonces(), {}
    for n in range(RESTARTS):
        server.start()
        for type in ("kuznyechik-mgm", "magma-mgm"):
            if n == 0:
                server.data("POST", f"transit/keys/{type}", {"type": type})
            answer = server.call("POST", f"transit/encrypt/{type}", {"plaintext": b64(b"hello")})
            assert answer.status_code == 200, f"start {n + 1}: {answer.text}"
            nonces.add(type, type, [answer.json()["data"]["ciphertext"]])
        if n % 2:
            server.kill()
        else:
            assert server.stop() == 0
        with sqlite3.connect(folder / "bulatd.db") as database:
            rows = database.execute("SELECT name, used_messages, used_bytes FROM versions").fetchall()
        assert len(rows) == 2
        for name, messages, used in rows:
            old = before.get(name, (0, 0))
            assert messages > old[0] and used > old[1], f"{name}: {old} and then {messages, used}"
            before[name] = (messages, used)
    # A stopped server has given back all bytes that it did not use.
    assert before["kuznyechik-mgm"][1] <= RESTARTS * (1 << 20) / 2 + 200 * RESTARTS
    assert before["magma-mgm"][1] <= 200 * RESTARTS


def test_a_key_made_anew_on_another_replica(servers, postgres):
    one, other = replicas(servers, postgres.url)
    for _ in range(2):
        one.data("POST", "transit/keys/a")
        one.data("POST", "transit/keys/a/config", {"deletion_allowed": True})
        other.data("POST", "transit/encrypt/a", {"plaintext": ""})
        one.data("DELETE", "transit/keys/a")
        one.data("POST", "transit/keys/a")
        sealed = other.data("POST", "transit/encrypt/a", {"plaintext": "QQ=="})["ciphertext"]
        for replica in (one, other):
            assert replica.data("POST", "transit/decrypt/a", {"ciphertext": sealed})["plaintext"] == "QQ=="
        one.data("POST", "transit/keys/a/config", {"deletion_allowed": True})
        one.data("DELETE", "transit/keys/a")


def stopped(postgres):
    """Returns the processes of a cluster."""
    main = int((postgres.folder / "data" / "postmaster.pid").read_text().split()[0])
    pids = [main]
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == main:
            pids.append(int(path.parent.name))
    return pids


def test_a_postgresql_that_hangs(servers, postgres):
    server = servers(database=postgres.url).init()
    server.edit("[root]", "seconds = 2\n[root]")
    server.start()
    # The database itself may stand still for two seconds.
    wait(lambda: server.call("POST", "transit/keys/a").ok)
    sealed = server.data("POST", "transit/encrypt/a", {"plaintext": ""})["ciphertext"]
    wait(lambda: server.call("GET", "sys/ready", token=None).json() == {"ready": True, "sealed": False, "database": True})
    pids = stopped(postgres)
    for pid in pids:
        os.kill(pid, signal.SIGSTOP)
    try:
        time.sleep(1.1)
        from_ = time.monotonic()
        calls = [
            ("POST", "transit/encrypt/a", {"plaintext": ""}),
            ("POST", "transit/decrypt/a", {"ciphertext": sealed}),
            ("POST", "transit/keys/b", {}),
            ("POST", "auth/token/create", {}),
            ("GET", "sys/policies/acl/default", None),
            ("GET", "sys/ready", None),
        ] * 5

        def ask(call):
            answer = server.call(*call)
            return call[1], answer.status_code, answer.text

        with ThreadPoolExecutor(len(calls)) as pool:
            for path, status, said in pool.map(ask, calls):
                assert status == 503, f"{path}: {status} {said}"
                assert "ready" in said or "the database does not answer" in said, said
        took = time.monotonic() - from_
        assert took < 20, f"the last answer came after {took:.1f} s"
        assert server.call("GET", "sys/health", token=None).status_code == 200
        assert server.call("GET", "sys/ready", token=None).status_code == 503
    finally:
        for pid in pids:
            os.kill(pid, signal.SIGCONT)
    wait(lambda: server.call("GET", "sys/ready", token=None).ok, "the server does not find its database again")
    assert server.data("POST", "transit/decrypt/a", {"ciphertext": sealed})["plaintext"] == ""
    server.data("POST", "transit/encrypt/a", {"plaintext": ""})
    print(f"\nPostgreSQL stopped by a signal: {len(calls)} requests answered 503 within {took:.1f} s")


def test_tls_to_postgresql(servers, folder):
    if Postgres.programs() is None:
        pytest.skip("PostgreSQL is not installed (apt-get install postgresql)")
    place = folder / "postgres"
    place.mkdir()
    postgres = Postgres(place)
    for ca in ("ca", "other-ca"):
        authority(folder, ca)
    certificate(folder, "server", "subjectAltName=DNS:localhost")
    for name in ("server.key", "server.pem"):
        shutil.copy(folder / name, place / "data")
        (place / "data" / name).chmod(0o600)
        if AS_POSTGRES:
            shutil.chown(place / "data" / name, "postgres")
    with open(place / "data" / "postgresql.conf", "a") as conf:
        conf.write("ssl = on\nssl_cert_file = 'server.pem'\nssl_key_file = 'server.key'\n")
    # Only over TLS.
    hba = place / "data" / "pg_hba.conf"
    hba.write_text("local all all trust\nhostssl all all 127.0.0.1/32 trust\nhostssl all all ::1/128 trust\n")
    postgres.start()
    try:

        def url(host, ca, mode="verify-full"):
            return f"postgres://bulatd@{host}:{postgres.port}/postgres?sslmode={mode}&sslrootcert={folder}/{ca}"

        server = servers(database=url("localhost", "ca.pem")).init().start()
        server.data("POST", "transit/keys/a")
        server.data("POST", "transit/encrypt/a", {"plaintext": ""})
        for host, ca, mode, word in (
            ("127.0.0.1", "ca.pem", "verify-full", "not valid for name"),
            ("localhost", "other-ca.pem", "verify-full", "UnknownIssuer"),
            ("localhost", "ca.pem", "require", "sslmode"),
            ("localhost", "none.pem", "verify-full", "none.pem"),
        ):
            other = servers(database=url(host, ca, mode))
            ran = other.run("server", check=False, timeout=60)
            assert ran.returncode == 1 and word in ran.stderr, ran.stderr
        plain = servers(database=f"postgres://bulatd@localhost:{postgres.port}/postgres")
        ran = plain.run("server", check=False, timeout=60)
        assert ran.returncode == 1 and "pg_hba.conf" in ran.stderr, ran.stderr
        assert server.stop() == 0
    finally:
        postgres.stop("immediate")


def wraps(folder) -> dict:
    with sqlite3.connect(folder / "bulatd.db") as database:
        return {row[:2]: row[2] for row in database.execute("SELECT name, version, wrapped FROM versions")}


def kept(folder, wanted: dict) -> list:
    """Returns the names of wraps that are in a file of SQLite."""
    held = b"".join(file.read_bytes() for file in folder.glob("bulatd.db*"))
    return [name for name, wrap in wanted.items() if wrap in held]


def test_the_file_keeps_nothing_that_was_deleted(servers, folder):
    """Keys deleted, versions trimmed, the root key rotated, while the service runs: no old wrap is in any file of SQLite."""
    server = servers().init().start()
    for n in range(30):
        server.data("POST", f"transit/keys/k{n}")
    server.data("POST", "transit/keys/k0/rotate")
    first = wraps(folder)
    assert len(kept(folder, first)) == 31
    server.data("POST", "transit/keys/k0/config", {"min_decryption_version": 2, "min_encryption_version": 2})

    def delete(n):
        server.data("POST", f"transit/keys/k{n}/config", {"deletion_allowed": True})
        server.data("DELETE", f"transit/keys/k{n}")

    with ThreadPoolExecutor(10) as pool:
        list(pool.map(delete, range(1, 11)))
    server.data("POST", "transit/keys/k0/trim", {"min_available_version": 2})
    # The rest after a try of 0.3 s is cut off within the next seconds.
    wait(lambda: not kept(folder, {(f"k{n}", 1): first[f"k{n}", 1] for n in range(11)}), "wraps of deleted keys stay in the log")
    new = folder / "new.key"
    ran = server.run("root", "rotate", "--new", new)
    assert "may still be" not in ran.stderr, ran.stderr
    assert kept(folder, first) == []
    os.replace(new, folder / "root.key")
    wait(lambda: server.call("GET", "transit/keys/k20").ok)
    server.data("POST", "transit/encrypt/k20", {"plaintext": ""})


def test_a_reader_of_the_file_holds_up_nobody(servers, folder):
    """Keys are deleted while another program reads the database. Their remains leave the log when it has ended."""
    server = servers().init().start()
    names = [f"k{n}" for n in range(3)]
    for name in [*names, "busy"]:
        server.data("POST", f"transit/keys/{name}")
    for name in names:
        server.data("POST", f"transit/keys/{name}/config", {"deletion_allowed": True})
    first = {name: wrap for name, wrap in wraps(folder).items() if name[0] != "busy"}
    reader = sqlite3.connect(folder / "bulatd.db", isolation_level=None)
    reader.execute("BEGIN")
    reader.execute("SELECT COUNT(*) FROM keys").fetchall()

    with ThreadPoolExecutor(3) as pool:
        deleted = [pool.submit(server.data, "DELETE", f"transit/keys/{name}") for name in names]
        slowest, n = 0.0, 0
        end = time.monotonic() + 4
        while n < 20 or time.monotonic() < end:
            from_ = time.monotonic()
            assert server.call("POST", f"transit/keys/new{n}").status_code == 200
            assert server.call("POST", "transit/encrypt/busy", {"plaintext": ""}).status_code == 200
            slowest, n = max(slowest, time.monotonic() - from_), n + 1
        assert [one.result() for one in deleted] == [{}] * 3
    # A writer waits nine seconds for another.
    assert slowest < 8, f"a key was made in {slowest:.1f} s"
    reader.execute("COMMIT")
    wait(lambda: not kept(folder, first), "wraps of deleted keys stay in the log")


def test_a_key_that_rotates_is_trimmed(servers):
    """A busy key changes all the time, by its own rotation."""
    server = servers().init().start()
    server.data("POST", "transit/keys/m", {"type": "magma-mgm"})
    server.data("POST", "transit/keys/m/rotate")
    server.data("POST", "transit/keys/m/config", {"min_decryption_version": 2, "min_encryption_version": 2})
    with ThreadPoolExecutor(1) as pool:
        trim = pool.submit(server.data, "POST", "transit/keys/m/trim", {"min_available_version": 2})
        while not trim.done():
            server.data("POST", "transit/keys/m/rotate")
            time.sleep(0.1)
        trim.result()
    assert server.data("GET", "transit/keys/m")["min_available_version"] == 2


def test_rows_that_others_wrote_are_refused(servers, folder):
    """Somebody who can write to the database and has no root key. The client learns that it is damaged; the log names the row."""
    server = servers().init().start()
    server.data("POST", "transit/keys/a")
    with sqlite3.connect(folder / "bulatd.db") as database:
        database.execute("UPDATE keys SET exportable = 1, generation = generation + 1")
        # Each replica forgets what is in memory.
        database.execute("UPDATE counters SET value = 1 << 40 WHERE name = 'pruned'")
    time.sleep(1.1)
    for method, path in (("GET", "transit/export/encryption-key/a"), ("POST", "transit/encrypt/a")):
        answer = server.call(method, path, {"plaintext": ""} if method == "POST" else None)
        assert answer.status_code == 500 and "data" not in answer.json(), answer.text
        last = [line for line in server.log.read_text().splitlines() if "without the root key" in line][-1]
        assert "keys" in last, last


def answers(server):
    """Names with a NUL are refused, without PostgreSQL's own text."""
    return [
        (answer.status_code, answer.text if "request_id" not in answer.text else "")
        for answer in (
            server.call("GET", "transit/keys/a%00b"),
            server.call("POST", "transit/keys/a%00b"),
            server.call("POST", "transit/encrypt/a%00b", {"plaintext": ""}),
            server.call("POST", "auth/token/lookup-accessor", {"accessor": "a\0b"}),
            server.call("POST", "auth/token/lookup", {"token": "a\0b"}),
            server.call("POST", "auth/token/create", {"policies": ["a\0b"]}),
            server.call("POST", "auth/token/revoke-accessor", {"accessor": "a\0b"}),
            server.call("GET", "sys/policies/acl/a%00"),
            server.call("PUT", "sys/policies/acl/x", {"policy": "# \0\n"}),
            server.call("DELETE", "sys/policies/acl/a%00"),
            server.call("GET", "transit/keys/" + "x" * 5000),
        )
    ]


def test_answers_do_not_tell_which_database(servers, folder, postgres):
    (folder / "one").mkdir()
    one = servers(folder=folder / "one").init().start()
    other = servers(database=postgres.url).init().start()
    assert answers(one) == answers(other)
    assert all(400 <= status < 500 and "encoding" not in text and "UTF8" not in text for status, text in answers(other))


def test_a_clock_that_runs_ahead_ends_no_token_of_others(servers, postgres, faketime):
    one = servers(database=postgres.url).init().start()
    token = one.new_token(ttl="1h")
    ahead = servers(database=postgres.url, env=faketime | {"FAKETIME": "+48h"}).start()
    assert ahead.call("GET", "auth/token/lookup-self", token=token).status_code == 403
    time.sleep(1.2)
    assert one.call("GET", "auth/token/lookup-self", token=token).status_code == 200
