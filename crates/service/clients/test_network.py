"""The network: TLS with HTTP/1.1 and HTTP/2, clients' certificates, a Unix socket, limits of rate and size, slow clients."""

import contextlib
import shutil
import signal
import socket
import ssl
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor

import hvac
import pytest
import requests

from bulatd import authority, b64, certificate, curl, openssl, wait

# Certificates: name, issuer, days, extensions.
SERVER = "subjectAltName=IP:127.0.0.1,DNS:localhost"
CLIENT = "subjectAltName=DNS:client.example"
CERTIFICATES = [
    ("server", "ca", 2, SERVER),
    ("client", "ca", 2, CLIENT),
    ("unnamed", "ca", 2, "subjectAltName=DNS:other.example"),
    ("subject", "ca", 2, "basicConstraints=CA:FALSE"),
    ("stranger", "other-ca", 2, CLIENT),
    ("self", "self", 2, CLIENT),
    ("expired", "ca", -1, CLIENT),
    ("for-servers", "ca", 2, CLIENT + "\nextendedKeyUsage=serverAuth"),
]


@pytest.fixture(scope="module")
def certificates(tmp_path_factory):
    """Two authorities, a server's certificate, and clients' certificates of each kind."""
    folder = tmp_path_factory.mktemp("certificates")
    folder.chmod(0o755)
    for ca in ("ca", "other-ca"):
        authority(folder, ca)
    for name, ca, days, extensions in CERTIFICATES:
        certificate(folder, name, extensions, ca, days)
    return folder


@pytest.fixture
def secure(servers, certificates):
    """A server with TLS."""
    return servers().over_tls(certificates).init().start()


def session(certificates, name):
    """A client that shows a certificate."""
    http = requests.Session()
    http.trust_env, http.verify = False, str(certificates / "ca.pem")
    http.cert = (str(certificates / f"{name}.pem"), str(certificates / f"{name}.key"))
    return http


def revocations(folder, files, *words):
    """Runs `openssl ca`, which keeps an authority's list of revoked certificates, with the authority's files."""
    if not (folder / "ca.conf").exists():
        (folder / "index.txt").write_text("")
        (folder / "number").write_text("01\n")
        (folder / "ca.conf").write_text(
            f"[ca]\ndefault_ca = a\n[a]\ndatabase = {folder}/index.txt\ncrlnumber = {folder}/number\n"
            "default_md = sha256\ndefault_crl_days = 2\n"
        )
    openssl("ca", "-config", folder / "ca.conf", "-cert", "ca.pem", "-keyfile", "ca.key", *words, cwd=files)


def test_tls(secure, certificates):
    client = hvac.Client(url=secure.url, token=secure.token, verify=str(certificates / "ca.pem"))
    client.secrets.transit.create_key("a")
    sealed = client.secrets.transit.encrypt_data("a", plaintext=b64(b"text"))["data"]["ciphertext"]
    assert client.secrets.transit.decrypt_data("a", ciphertext=sealed)["data"]["plaintext"] == b64(b"text")
    with pytest.raises(requests.exceptions.SSLError):
        requests.get(secure.url + "/v1/sys/health", timeout=60)
    with pytest.raises(requests.exceptions.ConnectionError):
        requests.get(secure.url.replace("https", "http") + "/v1/sys/health", timeout=60)
    assert secure.call("GET", "sys/health", token=None).status_code == 200


def test_certificates_are_read_again(secure, certificates, folder):
    """SIGHUP replaces certificates, also the clients' authorities; invalid files leave the old ones in use."""
    own = folder / "own"
    shutil.copytree(certificates, own)
    secure.stop()
    secure.edit(str(certificates), str(own))
    secure.start()

    def shown():
        return ssl.get_server_certificate(("127.0.0.1", secure.port)).strip()

    def files(name):
        return [(own / f"{name}.{end}").read_text() for end in ("pem", "key")]

    def replace(certificate, key):
        (own / "server.pem").write_text(certificate)
        (own / "server.key").write_text(key)
        lines = secure.log.read_text().count("certificates")
        secure.process.send_signal(signal.SIGHUP)
        wait(lambda: secure.log.read_text().count("certificates") != lines, "SIGHUP changes nothing", pause=0.02)

    old = files("server")
    assert shown() == old[0].strip()
    replace(*files("for-servers"))
    assert shown() == files("for-servers")[0].strip()
    # No certificate; the key of another; no file.
    for wrong in (("", old[1]), (old[0], files("client")[1])):
        replace(*wrong)
        assert shown() == files("for-servers")[0].strip()
        assert "the old ones stay in use" in secure.log.read_text()
    (own / "ca.pem").unlink()
    replace(*old)
    assert shown() == files("for-servers")[0].strip()
    shutil.copy(own / "other-ca.pem", own / "ca.pem")
    replace(*old)
    assert shown() == old[0].strip()
    health = secure.url + "/v1/sys/health"
    assert session(certificates, "stranger").get(health, timeout=60).status_code == 200
    with pytest.raises(requests.exceptions.ConnectionError):
        session(certificates, "client").get(health, timeout=60)


def test_files_as_editors_leave_them(secure, certificates, folder):
    """PEM with a mark before UTF-8, blanks, empty lines and other line ends, as OpenSSL reads it."""
    authority(folder)
    revocations(folder, folder, "-gencrl", "-out", "crl.pem")
    own = folder / "own"
    shutil.copytree(certificates, own)
    secure.stop()
    secure.edit("client_ca", f'client_crl = "{own}/crl.pem"\nclient_ca')
    secure.edit(str(certificates), str(own))
    for change in (
        lambda text: "\ufeff" + text,
        lambda text: text.replace("\n", " \n"),
        lambda text: text.replace("-----\n", "-----\n\n", 1),
        lambda text: "".join("    " + line for line in text.splitlines(keepends=True)),
        lambda text: "\ufeff" + text.replace("\n", " \r\n"),
    ):
        for name in ("server.pem", "server.key", "ca.pem", "crl.pem"):
            source = folder if name == "crl.pem" else certificates
            (own / name).write_bytes(change((source / name).read_text()).encode())
        root = folder / "root.key"
        root.write_bytes(b"\xef\xbb\xbf" + root.read_bytes().removeprefix(b"\xef\xbb\xbf"))
        assert secure.start().call("GET", "sys/health", token=None).status_code == 200
        assert secure.stop() == 0


def test_a_revoked_certificate_is_refused(secure, certificates, folder):
    """A list of revoked certificates, read again by SIGHUP."""
    revocations(folder, certificates, "-gencrl", "-out", folder / "crl.pem")
    secure.stop()
    secure.edit("client_ca", f'client_crl = "{folder}/crl.pem"\nclient_ca')
    secure.start()
    http = session(certificates, "unnamed")
    assert http.get(secure.url + "/v1/sys/health", timeout=60).status_code == 200
    http.close()
    revocations(folder, certificates, "-revoke", "unnamed.pem")
    revocations(folder, certificates, "-gencrl", "-out", folder / "crl.pem")
    secure.process.send_signal(signal.SIGHUP)
    wait(lambda: "certificates read again" in secure.log.read_text(), pause=0.02)
    with pytest.raises(requests.exceptions.ConnectionError):
        http.get(secure.url + "/v1/sys/health", timeout=60)


@pytest.mark.parametrize("version,word", [("--http1.1", "1.1"), ("--http2", "2")])
def test_versions_of_http(secure, certificates, version, word):
    said = ["-o", "/dev/null", "-w", "%{http_version} %{http_code}"]
    ran = curl(version, "--cacert", certificates / "ca.pem", *said, secure.url + "/v1/sys/health", check=True)
    assert ran.stdout.decode() == f"{word} 200"


def test_http2_without_tls(dev):
    said = ["-o", "/dev/null", "-w", "%{http_version} %{http_code}", "-H", f"X-Vault-Token: {dev.token}"]
    ran = curl("--http2-prior-knowledge", *said, "-d", "{}", dev.url + "/v1/transit/random", check=True)
    assert ran.stdout == b"2 200"


def test_old_tls_is_refused(secure, certificates):
    command = ["openssl", "s_client", "-connect", f"127.0.0.1:{secure.port}", "-tls1_1", "-CAfile", certificates / "ca.pem"]
    assert subprocess.run(command, input=b"", capture_output=True).returncode != 0


@pytest.fixture(params=["a token will do", "a certificate must be shown"])
def mutual(servers, certificates, request):
    """A server that knows a client's certificate by its name, and allows it to encrypt with one key."""
    must = "require_client = true\n" if "must" in request.param else ""
    rule = '[[tls.clients]]\nname = "client.example"\npolicies = ["orders"]\n'
    server = servers().over_tls(certificates, must + rule)
    server.must = bool(must)

    def ask(name, method, path, body=None, **headers):
        return requests.request(
            method,
            f"{server.url}/v1/{path}",
            json=body,
            headers=headers,
            cert=name and (str(certificates / f"{name}.pem"), str(certificates / f"{name}.key")),
            verify=str(certificates / "ca.pem"),
            timeout=60,
        )

    server.ask = ask
    server.init()
    rules = server.folder / "rules"
    rules.write_text('path "transit/encrypt/orders" { capabilities = ["update"] }\n')
    server.run("policy", "write", "orders", rules)
    server.start(wait=False)

    def answers():
        with contextlib.suppress(requests.ConnectionError):
            return ask("client", "GET", "sys/health").status_code == 200

    wait(answers, pause=0.05)
    return server


def test_a_certificate_lets_in(mutual):
    """A client with a configured certificate may do only what its policy allows."""
    with_token = {"X-Vault-Token": mutual.token}
    for name in ("orders", "others"):
        assert mutual.ask("client", "POST", f"transit/keys/{name}", **with_token).status_code == 200
    sent = {"plaintext": b64(b"text")}
    answer = mutual.ask("client", "POST", "transit/encrypt/orders", sent)
    assert answer.status_code == 200
    sealed = {"ciphertext": answer.json()["data"]["ciphertext"]}
    for method, path, body in (
        ("POST", "transit/encrypt/others", sent),
        ("POST", "transit/decrypt/orders", sealed),
        ("POST", "transit/rewrap/orders", sealed),
        ("POST", "transit/keys/orders/rotate", None),
        ("GET", "transit/keys/orders", None),
        ("GET", "transit/keys?list=true", None),
        ("POST", "auth/token/create", {}),
        ("PUT", "sys/policies/acl/orders", {"policy": ""}),
        ("PUT", "sys/seal", None),
    ):
        assert mutual.ask("client", method, path, body).status_code == 403, path
    # If a client shows a token, it decides, and not the certificate: even a wrong one.
    opened = mutual.ask("client", "POST", "transit/decrypt/orders", sealed, **with_token)
    assert opened.json()["data"]["plaintext"] == sent["plaintext"]
    wrong = {"X-Vault-Token": "bulat.wrong"}
    assert mutual.ask("client", "POST", "transit/encrypt/orders", sent, **wrong).status_code == 403
    # The log names the certificate.
    assert '"caller":"certificate client.example"' in mutual.audit.read_text()


@pytest.mark.parametrize("name", ["stranger", "self", "expired", "for-servers"])
def test_certificates_that_end_the_connection(mutual, name):
    before = len(mutual.audit.read_text().splitlines())
    for headers in ({}, {"X-Vault-Token": mutual.token}):
        with pytest.raises(requests.exceptions.ConnectionError):
            mutual.ask(name, "POST", "transit/encrypt/orders", {"plaintext": ""}, **headers)
    assert len(mutual.audit.read_text().splitlines()) == before
    assert mutual.ask("client", "GET", "sys/health").status_code == 200


@pytest.mark.parametrize("name", [None, "unnamed", "subject"])
def test_certificates_that_bring_nothing(mutual, name):
    """No certificate, one with another name, one with the name only in its subject."""
    if name is None and mutual.must:
        with pytest.raises(requests.exceptions.ConnectionError):
            mutual.ask(None, "GET", "sys/health")
        return
    for method, path in (("POST", "transit/encrypt/orders"), ("GET", "transit/keys/orders"), ("POST", "transit/random")):
        assert mutual.ask(name, method, path, {"plaintext": ""} if method == "POST" else None).status_code == 403
    answer = mutual.ask(name, "POST", "transit/random", **{"X-Vault-Token": mutual.token})
    assert answer.status_code == 200


def test_a_unix_socket(servers, folder):
    server = servers()
    path = folder / "socket"
    server.edit(f'address = "127.0.0.1:{server.port}"\nplain = true\n', f'unix = "{path}"\n')
    server.init().start(wait=False)
    wait(lambda: '"listening"' in server.log.read_text(), pause=0.02)
    said = ["-o", "/dev/null", "-w", "%{http_code}", "-H", f"X-Vault-Token: {server.token}"]
    ran = curl("--unix-socket", path, *said, "-d", "{}", "http://localhost/v1/transit/random", check=True)
    assert ran.stdout == b"200"
    assert server.stop() == 0 and not path.exists()


@pytest.mark.parametrize("wrong", ["unknown = 1\n", "[", ""])
def test_wrong_configurations(servers, wrong):
    server = servers()
    server.config.write_text(wrong)
    ran = server.run("server", check=False)
    assert ran.returncode != 0 and ran.stderr.startswith("bulatd: ") and "panicked" not in ran.stderr


def test_a_rate(servers):
    server = servers(extra="[limits]\nrate = 5\n").init().start()

    def ask(_):
        return server.call("POST", "transit/random").status_code

    codes = set()
    # Also a slow machine answers more than five in a second, if not at once.
    with ThreadPoolExecutor(8) as pool:
        wait(lambda: codes.update(pool.map(ask, range(40))) or codes >= {200, 429}, lambda: str(codes), pause=0)
    time.sleep(1.1)
    assert server.call("POST", "transit/random").status_code == 200


def test_slow_clients_do_not_stop_the_others(servers):
    server = servers(extra="[limits]\nread_seconds = 1\n").init().start()
    slow = []
    for head in (
        b"",
        b"POST /v1/transit/random HTTP/1.1\r\n",
        b"POST /v1/transit/random HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n{",
    ):
        for _ in range(20):
            connection = socket.create_connection(("127.0.0.1", server.port))
            connection.sendall(head)
            slow.append(connection)
    assert server.call("POST", "transit/random").status_code == 200
    time.sleep(3)
    for connection in slow:
        connection.settimeout(20)
        said = connection.recv(1000)
        assert said == b"" or said.startswith(b"HTTP/1.1 4"), said
        connection.close()
    assert server.call("POST", "transit/random").status_code == 200


def test_a_client_that_takes_no_answer_is_let_go(servers):
    server = servers(extra="[limits]\nread_seconds = 2\n").init().start()
    deaf = socket.create_connection(("127.0.0.1", server.port))
    deaf.settimeout(5)
    # Its answers fill every buffer between.
    with contextlib.suppress(TimeoutError, ConnectionError):
        while True:
            deaf.sendall(b"GET /v1/sys/internal/specs/openapi HTTP/1.1\r\nHost: x\r\n\r\n" * 100)
    wait(lambda: server.metrics()["bulatd_connections"] == 1, "it is still there", pause=0.5)
    deaf.close()
