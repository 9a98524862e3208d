"""Keys in files, trees of files, and an S3 server on the loopback that records its requests."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from bulat import container


def written(path: Path) -> str:
    path.write_text(container.new_key().hex() + "\n")
    return str(path)


@pytest.fixture
def key_file(tmp_path: Path) -> str:
    return written(tmp_path / "key")


@pytest.fixture
def new_key_file(tmp_path: Path) -> str:
    return written(tmp_path / "new-key")


@pytest.fixture(autouse=True)
def no_keys_around(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.startswith("BULAT_")]:
        monkeypatch.delenv(name)


class S3:
    """The server: its address, and every request since `requests` was cleared: method, path, range."""

    def __init__(self) -> None:
        from moto.server import DomainDispatcherApplication, create_backend_app
        from werkzeug.serving import make_server

        app = DomainDispatcherApplication(create_backend_app)
        self.requests: list[tuple[str, str, str | None]] = []

        def written_down(environ: dict[str, Any], start: Any) -> Any:
            self.requests.append((environ["REQUEST_METHOD"], environ["PATH_INFO"], environ.get("HTTP_RANGE")))
            return app(environ, start)

        self.server = make_server("127.0.0.1", 0, written_down, threaded=True)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        self.options = {"key": "test", "secret": "test", "endpoint_url": self.url, "skip_instance_cache": True}
        threading.Thread(target=self.server.serve_forever, daemon=True).start()


@pytest.fixture(scope="session")
def s3_server() -> Iterator[S3]:
    pytest.importorskip("s3fs")
    pytest.importorskip("moto.server")
    server = S3()
    yield server
    server.server.shutdown()


@pytest.fixture
def s3(s3_server: S3, request: pytest.FixtureRequest) -> S3:
    """The server, with a bucket for the test."""
    import hashlib

    import s3fs

    s3_server.bucket = "b" + hashlib.sha256(request.node.nodeid.encode()).hexdigest()[:20]  # type: ignore[attr-defined]
    s3_server.fs = s3fs.S3FileSystem(**s3_server.options)  # type: ignore[attr-defined]
    s3_server.fs.mkdir(s3_server.bucket)  # type: ignore[attr-defined]
    s3_server.requests.clear()
    return s3_server
