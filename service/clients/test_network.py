"""The ways in: TLS with HTTP/1.1 and HTTP/2, a client's certificate, a Unix socket, limits of rate and size, slow clients."""

import socket
import subprocess
import time

import hvac
import pytest
import requests

from bulatd import b64


def openssl(*args, cwd):
    subprocess.run(["openssl", *args], cwd=cwd, check=True, capture_output=True)


@pytest.fixture(scope="module")
def certificates(tmp_path_factory):
    """An authority, a server's certificate, a client's, and a client's of another authority."""
    folder = tmp_path_factory.mktemp("certificates")
    folder.chmod(0o755)
    for ca in ("ca", "other-ca"):
        openssl(
            "req",
            "-x509",
            "-newkey",
            "ec",
            "-pkeyopt",
            "ec_paramgen_curve:P-256",
            "-nodes",
            "-keyout",
            f"{ca}.key",
            "-out",
            f"{ca}.pem",
            "-days",
            "2",
            "-subj",
            f"/CN={ca}",
            cwd=folder,
        )
    for name, ca, extension in (
        ("server", "ca", "subjectAltName=IP:127.0.0.1,DNS:localhost"),
        ("client", "ca", "subjectAltName=DNS:client.example"),
        ("stranger", "other-ca", "subjectAltName=DNS:client.example"),
    ):
        openssl(
            "req",
            "-newkey",
            "ec",
            "-pkeyopt",
            "ec_paramgen_curve:P-256",
            "-nodes",
            "-keyout",
            f"{name}.key",
            "-out",
            f"{name}.csr",
            "-subj",
            f"/CN={name}.example",
            cwd=folder,
        )
        (folder / "extension").write_text(extension)
        openssl(
            "x509",
            "-req",
            "-in",
            f"{name}.csr",
            "-CA",
            f"{ca}.pem",
            "-CAkey",
            f"{ca}.key",
            "-CAcreateserial",
            "-out",
            f"{name}.pem",
            "-days",
            "2",
            "-extfile",
            "extension",
            cwd=folder,
        )
    return folder


@pytest.fixture
def secure(servers, certificates):
    """A server with TLS."""
    server = servers(
        extra=f'[tls]\ncertificate = "{certificates}/server.pem"\nkey = "{certificates}/server.key"\nclient_ca = "{certificates}/ca.pem"\n'
    )
    server.config.write_text(server.config.read_text().replace("plain = true\n", ""))
    server.url = server.url.replace("http:", "https:")
    server.http.verify = str(certificates / "ca.pem")
    return server.init().start()


def test_tls(secure, certificates):
    client = hvac.Client(url=secure.url, token=secure.token, verify=str(certificates / "ca.pem"))
    client.secrets.transit.create_key("a")
    sealed = client.secrets.transit.encrypt_data("a", plaintext=b64(b"text"))["data"]["ciphertext"]
    assert client.secrets.transit.decrypt_data("a", ciphertext=sealed)["data"]["plaintext"] == b64(b"text")
    with pytest.raises(requests.exceptions.SSLError):
        requests.get(secure.url + "/v1/sys/health", timeout=5)
    with pytest.raises(requests.exceptions.ConnectionError):
        requests.get(secure.url.replace("https", "http") + "/v1/sys/health", timeout=5)
    assert secure.call("GET", "sys/health", token=None).status_code == 200


@pytest.mark.parametrize("version,word", [("--http1.1", "1.1"), ("--http2", "2")])
def test_versions_of_http(secure, certificates, version, word):
    ran = subprocess.run(
        [
            "curl",
            "-sS",
            version,
            "--cacert",
            str(certificates / "ca.pem"),
            "-o",
            "/dev/null",
            "-w",
            "%{http_version} %{http_code}",
            secure.url + "/v1/sys/health",
        ],
        capture_output=True,
        text=True,
        check=True,
    )
    assert ran.stdout == f"{word} 200"


def test_http2_without_tls(dev):
    ran = subprocess.run(
        [
            "curl",
            "-sS",
            "--http2-prior-knowledge",
            "-H",
            f"X-Vault-Token: {dev.token}",
            "-d",
            "{}",
            "-w",
            "%{http_version} %{http_code}",
            "-o",
            "/dev/null",
            dev.url + "/v1/transit/random",
        ],
        capture_output=True,
        text=True,
        check=True,
    )
    assert ran.stdout == "2 200"


def test_old_tls_is_refused(secure, certificates):
    ran = subprocess.run(
        [
            "openssl",
            "s_client",
            "-connect",
            secure.url.removeprefix("https://"),
            "-tls1_1",
            "-CAfile",
            str(certificates / "ca.pem"),
        ],
        input=b"",
        capture_output=True,
    )
    assert ran.returncode != 0


def test_certificates_of_clients(secure, certificates):
    """A certificate of another authority ends the connection; one without policies may do nothing."""

    def ask(name):
        return requests.get(
            secure.url + "/v1/transit/keys/a",
            cert=(str(certificates / f"{name}.pem"), str(certificates / f"{name}.key")),
            verify=str(certificates / "ca.pem"),
            timeout=5,
        )

    secure.data("POST", "transit/keys/a")
    with pytest.raises(requests.exceptions.ConnectionError):
        ask("stranger")
    assert ask("client").status_code == 403


def test_a_unix_socket(servers, folder):
    server = servers()
    path = folder / "socket"
    text = server.config.read_text()
    server.config.write_text(text.replace(f'address = "127.0.0.1:{server.port}"\nplain = true\n', f'unix = "{path}"\n'))
    server.init().start(wait=False)
    end = time.monotonic() + 20
    while not path.exists():
        assert time.monotonic() < end
        time.sleep(0.02)
    ran = subprocess.run(
        [
            "curl",
            "-sS",
            "--unix-socket",
            str(path),
            "-H",
            f"X-Vault-Token: {server.token}",
            "-d",
            "{}",
            "-w",
            "%{http_code}",
            "-o",
            "/dev/null",
            "http://localhost/v1/transit/random",
        ],
        capture_output=True,
        text=True,
        check=True,
    )
    assert ran.stdout == "200"
    assert server.stop() == 0 and not path.exists()


@pytest.mark.parametrize(
    "wrong",
    [
        "unknown = 1\n",
        '[listen]\naddress = "0.0.0.0:1"\nplain = true\n',
        "[listen]\nplain = true\n[batch]\nwindow_us = 201\n",
        "[",
        "",
    ],
)
def test_wrong_configurations(servers, wrong):
    server = servers()
    server.config.write_text(wrong)
    ran = server.run("server", "--config", server.config, check=False)
    assert ran.returncode != 0 and ran.stderr.startswith("bulatd: ") and "panicked" not in ran.stderr


def test_a_rate(servers):
    server = servers(extra="[limits]\nrate = 5\n").init().start()
    codes = [server.call("POST", "transit/random").status_code for _ in range(40)]
    assert 200 in codes and 429 in codes
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
        connection.settimeout(5)
        said = connection.recv(1000)
        assert said == b"" or said.startswith(b"HTTP/1.1 4"), said
        connection.close()
    assert server.call("POST", "transit/random").status_code == 200
