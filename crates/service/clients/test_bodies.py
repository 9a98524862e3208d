"""Hostile requests: the answer to any input is an error in JSON below 500, and the server still works. And the server's
description of itself (OpenAPI) is true, by schemathesis."""

import os
import socket
import time
from urllib.parse import quote

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis.specs.openapi.checks import positive_data_acceptance

from bulatd import Server, b64

MANY = int(os.environ.get("BULATD_EXAMPLES", 40))
quick = settings(max_examples=MANY, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))

NAMES = """plaintext ciphertext context associated_data nonce batch_input key_version type input hmac signature algorithm
format bits bytes derived exportable min_decryption_version min_encryption_version min_available_version deletion_allowed
auto_rotate_period ttl policies policy reference partial_failure_response_code convergent_encryption token accessor paths""".split()
WORDS = "AAAA QQ== vault:v1:AAAA vault:v1: true 1 -1 24h 99999999999999999999 kuznyechik-mgm streebog256".split()
scalars = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(max_size=40),
    st.sampled_from(["", *WORDS]),
    st.binary(max_size=40).map(b64),
)
items = st.dictionaries(st.one_of(st.sampled_from(NAMES), st.text(max_size=8)), scalars, max_size=4)
values = st.one_of(scalars, st.lists(st.one_of(scalars, items), max_size=5), items)
bodies = st.one_of(values, st.dictionaries(st.one_of(st.sampled_from(NAMES), st.text(max_size=8)), values, max_size=6))

CALLS = """transit/encrypt/f transit/decrypt/f transit/rewrap/f transit/encrypt/f-derived transit/decrypt/f-derived
transit/datakey/plaintext/f transit/hmac/f transit/verify/f transit/hash transit/random transit/keys/f transit/keys/f-new
transit/keys/f/config transit/keys/f/trim auth/token/create auth/token/lookup sys/policies/acl/f sys/capabilities-self""".split()


@pytest.fixture(scope="module")
def target(tmp_path_factory):
    server = Server(tmp_path_factory.mktemp("bodies"), dev=True).start()
    server.data("POST", "transit/keys/f")
    server.data("POST", "transit/keys/f-derived", {"derived": True})
    yield server
    assert server.stop() == 0


def answered(server, response):
    assert response.status_code < 500, (
        f"{response.request.method} {response.request.url} {response.request.body!r}: {response.text[:300]}"
    )
    if response.content:
        assert response.headers["Content-Type"] == "application/json"
        said = response.json()
        if response.status_code >= 400:
            assert "errors" in said or "data" in said
    assert server.process.poll() is None


@pytest.mark.parametrize("path", CALLS)
def test_any_json(target, path):
    @quick
    @given(bodies)
    def run(body):
        answered(target, target.call("POST", path, body))

    run()


@pytest.mark.parametrize("path", ["transit/encrypt/f", "transit/decrypt/f", "auth/token/create"])
def test_any_bytes(target, path):
    cut = st.text(max_size=100).map(lambda text: ('{"plaintext": "' + text).encode("utf-8", "surrogatepass"))

    @quick
    @given(st.one_of(st.binary(max_size=200), cut))
    def run(body):
        answered(target, target.call("POST", path, data=body))

    run()


def test_deep_and_large(target):
    for body in (
        b"[" * 100_000,
        b'{"a":' * 50_000,
        b'{"plaintext": "' + b"A" * (1 << 20),
        b'{"batch_input": [' + b"{}," * 100_000 + b"{}]}",
    ):
        answered(target, target.call("POST", "transit/encrypt/f", data=body))
    # Larger than a request may be: refused before it is read.
    response = target.call("POST", "transit/encrypt/f", data=b'{"plaintext": "' + b"A" * (40 << 20) + b'"}')
    assert response.status_code == 413


def test_any_ciphertext(target):
    good = target.data("POST", "transit/encrypt/f", {"plaintext": b64(b"text")})["ciphertext"]
    changed = st.builds(lambda at, to: good[:at] + to + good[at + 1 :], st.integers(0, len(good) - 1), st.text(max_size=2))
    built = st.builds(
        lambda version, body: f"vault:v{version}:{body}",
        st.one_of(st.integers(), st.text(max_size=5)),
        st.one_of(st.text(max_size=80), st.binary(max_size=80).map(b64)),
    )

    @settings(quick, max_examples=5 * MANY)
    @given(st.one_of(st.text(max_size=100), changed, built))
    def run(text):
        response = target.call("POST", "transit/decrypt/f", {"ciphertext": text})
        answered(target, response)
        assert response.status_code == (200 if text == good else 400), text

    run()


def test_any_name(target):
    @quick
    @given(st.text(min_size=1, max_size=40))
    def run(name):
        answered(target, target.call("POST", "transit/keys/" + quote(name, safe="")))

    run()


def test_the_description_matches(target):
    """Requests made from the description, valid and invalid: each answer is one that it names. No description says which texts
    are ciphertexts of a key, so a request of the right form may be refused."""
    schema = schemathesis.openapi.from_url(target.url + "/v1/sys/internal/specs/openapi")
    tried = 0
    for found in schema.get_all_operations():
        operation = found.ok()
        # Calls that would seal the server or revoke its token.
        if "seal" in operation.path or "revoke" in operation.path:
            continue

        @settings(quick, max_examples=max(5, MANY // 4))
        @given(case=operation.as_strategy())
        def run(case):
            case.call_and_validate(headers={"X-Vault-Token": target.token}, excluded_checks=[positive_data_acceptance])

        run()
        tried += 1
    assert tried > 30


def test_a_refused_path_keeps_the_connection(servers):
    """The body arrives when the answer is already clear; the next request is answered on the same connection."""
    one = servers().init().start()
    begun = -9.0
    # The server waits a second for the body: a client that stood still for so long begins again.
    while time.monotonic() - begun > 0.9:
        connection, begun = socket.create_connection(("127.0.0.1", one.port), timeout=60), time.monotonic()
        connection.sendall(b"POST /v1/transit/encrypt/a%00b HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n")
        time.sleep(0.2)
        connection.sendall(b"{}")
    with connection:
        assert connection.recv(65536).startswith(b"HTTP/1.1 400 ")
        connection.sendall(b"GET /v1/sys/health HTTP/1.1\r\nHost: x\r\n\r\n")
        assert connection.recv(65536).startswith(b"HTTP/1.1 200 ")
