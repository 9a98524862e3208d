"""Fixtures: one server in development mode for a whole run, and fresh ones for tests that break them."""

import contextlib
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest

from bulatd import Postgres, Server


@pytest.fixture
def folder():
    """A folder that all users may enter: PostgreSQL runs as its own user."""
    path = Path(tempfile.mkdtemp(prefix="bulatd-"))
    path.chmod(0o755)
    yield path
    shutil.rmtree(path, ignore_errors=True)


@pytest.fixture(scope="session")
def dev(tmp_path_factory):
    server = Server(tmp_path_factory.mktemp("dev"), dev=True).start()
    yield server
    assert server.stop() == 0


@pytest.fixture
def servers(folder):
    """Starts servers, and stops those that still run at the end."""
    made = []

    def make(**options) -> Server:
        made.append(Server(options.pop("folder", folder), **options))
        return made[-1]

    yield make
    for server in made:
        if server.process and server.process.poll() is None:
            server.kill()


@pytest.fixture
def postgres(folder):
    if Postgres.programs() is None:
        pytest.skip("PostgreSQL is not installed (apt-get install postgresql)")
    (folder / "postgres").mkdir()
    cluster = Postgres(folder / "postgres").start()
    yield cluster
    with contextlib.suppress(Exception):
        cluster.stop("immediate")


@pytest.fixture(params=["sqlite", "postgres"])
def database(request, folder):
    """The url of an empty database of each kind."""
    return request.getfixturevalue("postgres").url if request.param == "postgres" else f"sqlite:{folder}/bulatd.db"


@pytest.fixture
def mount(folder):
    """Makes file systems of a number of MB."""
    made = []

    def make(name: str, megabytes: int) -> Path:
        place = folder / name
        place.mkdir()
        command = ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m,mode=755", "bulatd-test", str(place)]
        if subprocess.run(command, capture_output=True).returncode:
            pytest.skip("a file system cannot be mounted")
        made.append(place)
        return place

    yield make
    for place in made:
        subprocess.run(["umount", "-l", str(place)], check=False)


@pytest.fixture
def faketime():
    """The environment of a process with another clock."""
    library = next(Path("/usr/lib").glob("*/faketime/libfaketime.so.1"), None)
    if library is None:
        pytest.skip("libfaketime is not installed (apt-get install faketime)")
    return {"LD_PRELOAD": str(library), "FAKETIME_DONT_FAKE_MONOTONIC": "1"}


def pytest_terminal_summary(terminalreporter):
    """Prints the totals in the form of CI's other steps."""
    count = {word: len(terminalreporter.stats.get(word, [])) for word in ("passed", "failed", "error", "skipped")}
    terminalreporter.write_line(
        f"{count['passed']} passed, {count['failed'] + count['error']} failed, {count['skipped']} skipped"
    )
