"""Servers for tests: bulatd and PostgreSQL. Each has its own folder and port."""

import contextlib
import os
import re
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
# PostgreSQL refuses to run as root.
AS_POSTGRES = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"] if os.getuid() == 0 else []
NEW_KEY = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
BINARY = os.environ.get("BULATD") or str(Path(__file__).parents[3] / "target" / "debug" / "bulatd")

PAGE = Path(__file__).parents[3] / "docs" / "SERVICE.md"


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


def wait(done, why="it does not come in time", seconds=60, pause=0.1):
    """Waits until a function returns something true, and returns that."""
    end = time.monotonic() + seconds
    while not (found := done()):
        assert time.monotonic() < end, why() if callable(why) else why
        time.sleep(pause)
    return found


def openssl(*args, cwd):
    subprocess.run(["openssl", *map(str, args)], cwd=cwd, check=True, capture_output=True)


def authority(folder: Path, name="ca"):
    """Makes an authority of certificates: NAME.pem, NAME.key."""
    files = ["-keyout", f"{name}.key", "-out", f"{name}.pem"]
    openssl("req", "-x509", *NEW_KEY, *files, "-days", "2", "-subj", f"/CN={name}", cwd=folder)


def certificate(folder: Path, name: str, extensions: str, ca="ca", days=2):
    """Makes NAME.pem and NAME.key, signed by an authority, or by its own key."""
    openssl("req", *NEW_KEY, "-keyout", f"{name}.key", "-out", f"{name}.csr", "-subj", "/CN=client.example", cwd=folder)
    (folder / "extensions").write_text(extensions)
    by = ["-signkey", f"{name}.key"] if ca == name else ["-CA", f"{ca}.pem", "-CAkey", f"{ca}.key", "-CAcreateserial"]
    files = ["-in", f"{name}.csr", "-out", f"{name}.pem", "-extfile", "extensions"]
    openssl("x509", "-req", *by, *files, "-days", days, cwd=folder)


def refused(response: requests.Response, word: str):
    """Checks that a request was refused as wrong, with a word in the reason."""
    assert response.status_code == 400 and word in response.json()["errors"][0], response.text


def curl(*args, **options) -> subprocess.CompletedProcess:
    return subprocess.run(["curl", "-sS", *map(str, args)], capture_output=True, **options)


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

    def edit(self, old: str, new: str):
        """Replaces a text of the configuration."""
        text = self.config.read_text()
        assert old in text, old
        self.config.write_text(text.replace(old, new))

    def over_tls(self, folder: Path, more="") -> "Server":
        """Speaks TLS by the certificates `server` and `ca` of a folder, with `more` lines of TOML."""
        files = f'certificate = "{folder}/server.pem"\nkey = "{folder}/server.key"\nclient_ca = "{folder}/ca.pem"\n'
        self.edit("plain = true\n", f"[tls]\n{files}{more}")
        self.url = self.url.replace("http:", "https:")
        self.http.verify = str(folder / "ca.pem")
        return self

    def run(self, *args, check=True, **kw) -> subprocess.CompletedProcess:
        """Runs a command of the program with the server's configuration."""
        command = [BINARY, "--config", str(self.config), *map(str, args)]
        ran = subprocess.run(command, env=self.env, capture_output=True, text=True, **kw)
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
        self.token = self.run("init").stdout.split()[-1]
        return self

    def ready(self, seconds=60.0):
        def answers():
            assert self.process.poll() is None, f"bulatd does not start: {self.log.read_text(errors='replace')[-2000:]}"
            with contextlib.suppress(requests.RequestException):
                return self.http.get(self.url + "/v1/sys/health", timeout=2).status_code in (200, 503)

        wait(answers, "bulatd does not answer", seconds, 0.02)

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
            timeout=kw.pop("timeout", 60),
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

    def metrics(self) -> dict[str, float]:
        """Returns the values of all series, by their names with labels."""
        text = self.call("GET", "sys/metrics", token=None).text
        return {name: float(value) for name, value in re.findall(r"^([^#].*) (\S+)$", text, re.M)}

    def memory(self) -> int:
        """Returns the resident bytes."""
        for line in Path(f"/proc/{self.process.pid}/status").read_text().splitlines():
            if line.startswith("VmRSS"):
                return int(line.split()[1]) * 1024
        return 0


class Postgres:
    """A cluster of Debian's PostgreSQL below a folder, on a Unix socket and its own port."""

    @staticmethod
    def programs() -> Path | None:
        found = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"))
        if found:
            return found[-1].parent
        return Path(shutil.which("postgres")).parent if shutil.which("postgres") and shutil.which("initdb") else None

    def __init__(self, folder: Path, *options):
        self.bin, self.folder, self.port = self.programs(), folder, free_port()
        if AS_POSTGRES:
            shutil.chown(folder, "postgres")
            for parent in folder.parents:
                if parent != Path("/tmp") and parent != Path("/"):
                    parent.chmod(parent.stat().st_mode | 0o011)
        words = ["-U", "bulatd", "-A", "trust", "--no-sync", "--no-locale", "-E", "UTF8"]
        self._do("initdb", "-D", folder / "data", *words, *options)
        with open(folder / "data" / "postgresql.conf", "a") as conf:
            conf.write(f"port = {self.port}\nlisten_addresses = '127.0.0.1'\nunix_socket_directories = '{folder}'\n")
        self.url = f"postgres://bulatd@127.0.0.1:{self.port}/postgres"

    def _do(self, program, *args, check=True) -> int:
        command = [*AS_POSTGRES, str(self.bin / program), *map(str, args)]
        return subprocess.run(command, check=check, stdout=subprocess.DEVNULL, cwd="/").returncode

    def start(self):
        self._do("pg_ctl", "-D", self.folder / "data", "-w", "-l", self.folder / "log", "start")
        return self

    def runs(self) -> bool:
        return self._do("pg_ctl", "-D", self.folder / "data", "status", check=False) == 0

    def stop(self, mode="fast"):
        self._do("pg_ctl", "-D", self.folder / "data", "-w", "-m", mode, "stop")

    def psql(self, text: str) -> list[str]:
        """Returns a command that runs a statement."""
        return ["psql", "-qtA", "-h", "127.0.0.1", "-p", str(self.port), "-U", "bulatd", "postgres", "-c", text]

    def sql(self, text: str) -> str:
        return subprocess.run(self.psql(text), check=True, capture_output=True, text=True).stdout


def replicas(servers, database: str) -> list[Server]:
    """Starts two replicas over an empty database."""
    both = [servers(database=database).init().start(), servers(database=database).start()]
    both[1].token = both[0].token
    return both
