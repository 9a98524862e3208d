"""Servers for tests: bulatd and PostgreSQL. Each has a folder and a port of its own."""

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import time
from base64 import b64encode
from pathlib import Path

import hvac
import requests

# The memory of a server that is measured must not grow with the number of processors.
FEW_ARENAS = {"MALLOC_ARENA_MAX": "2"}
BINARY = os.environ.get("BULATD") or str(Path(__file__).parents[3] / "target" / "debug" / "bulatd")


def b64(data: bytes) -> str:
    return b64encode(data).decode()


def fill(place: Path):
    """Fills a file system to the last byte."""
    file = os.open(place / "filler", os.O_CREAT | os.O_WRONLY)
    for size in (65536, 1):
        with contextlib.suppress(OSError):
            while os.write(file, b"\0" * size):
                pass
    os.close(file)


def free_port() -> int:
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


class Server:
    """A bulatd: in development mode, or over a database with `extra` lines of TOML in its configuration."""

    TOKEN = "test-root-token"

    def __init__(self, folder: Path, *, dev=False, database=None, extra="", wrapper=(), env=None):
        self.folder, self.dev, self.wrapper = folder, dev, list(wrapper)
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.env = {**os.environ, **(env or {})}
        self.token = self.TOKEN
        self.process = None
        self.log = folder / f"log-{self.port}"
        self.http = requests.Session()
        # Proxies and authorities of the environment do not apply.
        self.http.trust_env = False
        if not dev:
            self.write_config(database or f"sqlite:{folder}/bulatd.db", extra)

    def write_config(self, database: str, extra: str):
        root = self.folder / "root.key"
        if not root.exists():
            root.write_bytes(os.urandom(32).hex().encode())
            root.chmod(0o600)
        self.config = self.folder / f"bulatd-{self.port}.toml"
        self.audit = self.folder / f"audit-{self.port}.log"
        self.config.write_text(
            f'[listen]\naddress = "127.0.0.1:{self.port}"\nplain = true\n'
            f'[database]\nurl = "{database}"\n[root]\nfile = "{root}"\n'
            f'[audit]\nfile = "{self.audit}"\n{extra}'
        )

    def run(self, *args, check=True, **kw) -> subprocess.CompletedProcess:
        """Runs a command of the program."""
        ran = subprocess.run([BINARY, *map(str, args)], env=self.env, capture_output=True, text=True, **kw)
        assert not check or ran.returncode == 0, f"bulatd {' '.join(map(str, args))}: {ran.stderr}"
        return ran

    def start(self, wait=True) -> "Server":
        if self.dev:
            command = [BINARY, "server", "--dev", "--listen", f"127.0.0.1:{self.port}", "--dev-token", self.TOKEN]
        else:
            command = [BINARY, "server", "--config", str(self.config)]
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(self.wrapper + command, env=self.env, stdout=log, stderr=log)
        if wait:
            self.ready()
        return self

    def init(self) -> "Server":
        """Initializes the database with its first token, which allows everything."""
        self.token = self.run("init", "--config", self.config).stdout.split()[-1]
        return self

    def ready(self, seconds=60.0):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            try:
                if self.http.get(self.url + "/v1/sys/health", timeout=2).status_code in (200, 503):
                    return
            except requests.RequestException:
                pass
            if self.process.poll() is not None:
                break
            time.sleep(0.02)
        raise AssertionError(f"bulatd does not start: {self.log.read_text(errors='replace')[-2000:]}")

    def kill(self):
        self.process.kill()
        self.process.wait()

    def stop(self, seconds=60) -> int:
        if self.process and self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                return self.process.wait(seconds)
            except subprocess.TimeoutExpired:
                self.kill()
                raise
        return self.process.returncode if self.process else 0

    def hvac(self, token=None) -> hvac.Client:
        # A build for tests is slow with a megabyte.
        return hvac.Client(url=self.url, token=token or self.token, timeout=120)

    def call(self, method: str, path: str, body=None, token="", **kw) -> requests.Response:
        """Sends a request with the first token, with another, or with none (None)."""
        headers = {} if token is None else {"X-Vault-Token": token or self.token}
        return self.http.request(
            method,
            f"{self.url}/v1/{path}",
            json=body,
            headers=headers | kw.pop("headers", {}),
            timeout=kw.pop("timeout", 30),
            **kw,
        )

    def data(self, method: str, path: str, body=None, **kw) -> dict:
        """Sends a request that must succeed, and returns the data of the answer."""
        response = self.call(method, path, body, **kw)
        assert response.status_code in (200, 204), f"{method} {path}: {response.status_code} {response.text[:300]}"
        return response.json()["data"] if response.content else {}

    def new_token(self, policy: str | None = None, **fields) -> str:
        """Makes a token with only this policy."""
        if policy is not None:
            name = f"policy-{abs(hash(policy))}"
            self.data("PUT", f"sys/policies/acl/{name}", {"policy": policy})
            fields["policies"] = [name]
        return self.call("POST", "auth/token/create", fields).json()["auth"]["client_token"]

    def memory(self) -> int:
        """Returns the resident bytes."""
        for line in Path(f"/proc/{self.process.pid}/status").read_text().splitlines():
            if line.startswith("VmRSS"):
                return int(line.split()[1]) * 1024
        return 0


class Postgres:
    """A cluster of Debian's PostgreSQL below a folder, on a Unix socket and a port of its own."""

    @staticmethod
    def programs() -> Path | None:
        found = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"))
        if found:
            return found[-1].parent
        return Path(shutil.which("postgres")).parent if shutil.which("postgres") and shutil.which("initdb") else None

    def __init__(self, folder: Path, *options):
        self.bin, self.folder, self.port = self.programs(), folder, free_port()
        self.as_user = []
        if os.getuid() == 0:
            # PostgreSQL refuses to run as root.
            shutil.chown(folder, "postgres")
            for parent in folder.parents:
                if parent != Path("/tmp") and parent != Path("/"):
                    parent.chmod(parent.stat().st_mode | 0o011)
            self.as_user = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"]
        self._do(
            "initdb", "-D", folder / "data", "-U", "bulatd", "-A", "trust", "--no-sync", "--no-locale", "-E", "UTF8", *options
        )
        with open(folder / "data" / "postgresql.conf", "a") as conf:
            conf.write(f"port = {self.port}\nlisten_addresses = '127.0.0.1'\nunix_socket_directories = '{folder}'\n")
        self.url = f"postgres://bulatd@127.0.0.1:{self.port}/postgres"

    def _do(self, program, *args):
        subprocess.run([*self.as_user, str(self.bin / program), *map(str, args)], check=True, stdout=subprocess.DEVNULL, cwd="/")

    def start(self):
        self._do("pg_ctl", "-D", self.folder / "data", "-w", "-l", self.folder / "log", "start")
        return self

    def runs(self) -> bool:
        return (
            subprocess.run(
                [*self.as_user, str(self.bin / "pg_ctl"), "-D", str(self.folder / "data"), "status"],
                cwd="/",
                stdout=subprocess.DEVNULL,
            ).returncode
            == 0
        )

    def stop(self, mode="fast"):
        self._do("pg_ctl", "-D", self.folder / "data", "-w", "-m", mode, "stop")

    def sql(self, text: str) -> str:
        return subprocess.run(
            ["psql", "-qtA", "-h", "127.0.0.1", "-p", str(self.port), "-U", "bulatd", "postgres", "-c", text],
            check=True,
            capture_output=True,
            text=True,
        ).stdout
