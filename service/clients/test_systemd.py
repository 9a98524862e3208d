"""The unit as systemd starts it: a systemd of its own, in namespaces, that knows this unit alone. And what systemd-analyze says."""

import contextlib
import os
import shutil
import subprocess
import time
from pathlib import Path

import pytest
import requests

from bulatd import BINARY, b64, free_port

UNIT = Path(__file__).parents[1] / "bulatd.service"
SYSTEMD = Path("/lib/systemd/systemd")
# What the namespaces' first process does before it becomes systemd: a /run and cgroups of its own, mounts that spread as systemd
# wants them, the configuration and the program where the unit looks for them.
BEGIN = """
set -e
mount --make-rprivate / && mount --make-rshared /
mount -t proc proc /proc
mount -t tmpfs tmpfs /run
mount -t tmpfs tmpfs /var/lib && mount -t tmpfs tmpfs /var/log
umount -l /sys/fs/cgroup && mount -t cgroup2 none /sys/fs/cgroup
mount --bind {folder}/etc /etc/bulatd
export container=lxc SYSTEMD_UNIT_PATH={folder}/units
exec {systemd} --system --unit=empty.target --log-target=console --show-status=false
"""


class Systemd:
    def __init__(self, folder: Path):
        self.folder = folder
        units, etc = folder / "units", folder / "etc"
        units.mkdir()
        etc.mkdir()
        for target in ("empty", "sysinit", "basic", "shutdown", "network-online", "multi-user"):
            (units / f"{target}.target").write_text("[Unit]\nDescription=empty\nDefaultDependencies=no\n")
        program = folder / "bulatd"
        shutil.copy(BINARY, program)
        program.chmod(0o755)
        text = UNIT.read_text()
        assert text.count("/usr/bin/bulatd") == 1
        self.log = folder / "log"
        text = text.replace("/usr/bin/bulatd", str(program))
        (units / "bulatd.service").write_text(text)
        (units / "bulatd.service.d").mkdir()
        # There is no journal. The program lies in a folder below /tmp, which PrivateTmp hides.
        (units / "bulatd.service.d" / "test.conf").write_text(
            f"[Service]\nStandardOutput=append:{self.log}\nStandardError=append:{self.log}\nBindReadOnlyPaths={program}\n"
        )

    def start(self):
        begin = self.folder / "begin"
        begin.write_text(BEGIN.format(folder=self.folder, systemd=SYSTEMD))
        self.made = not Path("/etc/bulatd").exists()
        Path("/etc/bulatd").mkdir(exist_ok=True)
        self.said = self.folder / "systemd"
        command = ["unshare", "--fork", "--pid", "--kill-child", "--mount", "--uts", "--ipc", "--cgroup", "sh", str(begin)]
        # In a cgroup of its own: what it moves and ends are its own processes.
        groups = [
            group for group in (Path("/sys/fs/cgroup/unified"), Path("/sys/fs/cgroup")) if (group / "cgroup.procs").exists()
        ]
        self.group = groups[0] / f"bulatd-test-{os.getpid()}"
        self.group.mkdir()
        enter = f'echo $$ > {self.group}/cgroup.procs; exec "$@"'
        with open(self.said, "wb") as said:
            self.process = subprocess.Popen(["sh", "-c", enter, "sh", *command], stdout=said, stderr=said)
        end = time.monotonic() + 10
        while time.monotonic() < end and self.process.poll() is None:
            children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
            if children:
                self.pid = children[0]
                if self("systemctl", "is-system-running", "--wait", check=False).stdout.strip() in ("running", "degraded"):
                    return self
            time.sleep(0.1)
        raise OSError(self.said.read_text(errors="replace"))

    def __call__(self, *command, check=True):
        """A command inside."""
        return subprocess.run(
            ["nsenter", "-t", self.pid, "-m", "-p", "-C", *command], check=check, capture_output=True, text=True, timeout=60
        )

    def show(self, name: str) -> str:
        return self("systemctl", "show", "bulatd", "-P", name).stdout.strip()

    def end(self):
        self.process.kill()
        self.process.wait()
        # Its processes are gone a moment later.
        for _ in range(100):
            with contextlib.suppress(OSError):
                for group in sorted(self.group.rglob("*/"), reverse=True):
                    group.rmdir()
                self.group.rmdir()
                break
            time.sleep(0.05)
        if self.made:
            with contextlib.suppress(OSError):
                Path("/etc/bulatd").rmdir()


@pytest.fixture
def systemd(folder):
    if os.getuid() != 0 or not SYSTEMD.exists() or not shutil.which("nsenter"):
        pytest.skip("systemd can be started by root alone, where it is installed")
    system = Systemd(folder)
    try:
        system.start()
    except OSError as e:
        system.end()
        pytest.skip(f"systemd cannot be started in namespaces: {str(e)[-200:]}")
    yield system
    system.end()


def test_the_unit(systemd, folder):
    port = free_port()
    etc = folder / "etc"
    (etc / "bulatd.toml").write_text(
        f'[listen]\naddress = "127.0.0.1:{port}"\nplain = true\n[root]\ncredential = "root"\n'
        '[audit]\nfile = "/var/log/bulatd/audit.log"\n'
    )
    for name in ("root.key", "server.key"):
        (etc / name).write_text(os.urandom(32).hex())
        (etc / name).chmod(0o600)

    def url(path):
        return f"http://127.0.0.1:{port}/v1/{path}"

    def said():
        return systemd.log.read_text(errors="replace") if systemd.log.exists() else systemd.said.read_text(errors="replace")

    # Without a database that knows the root key it does not start, and says why.
    assert systemd("systemctl", "start", "bulatd", check=False).returncode != 0
    assert "bulatd: " in said(), said()
    systemd("systemctl", "stop", "bulatd")
    # As the page says.
    (etc / "root.key").unlink()
    command = [str(folder / "bulatd"), "--root-key", "/etc/bulatd/root.key"]
    systemd("install", "-d", "-m", "700", "/var/lib/bulatd")
    token = {"X-Vault-Token": systemd(*command, "init", "--new-root-key").stdout.split()[-1]}
    # `start` ends when the service has said READY=1: it answers at once.
    systemd("systemctl", "start", "bulatd")
    assert systemd.show("ActiveState") == "active" and systemd.show("Type") == "notify"
    assert requests.get(url("sys/health"), timeout=5).status_code == 200
    sent = {"plaintext": b64(b"text")}
    sealed = requests.post(url("transit/encrypt/k"), json=sent, headers=token, timeout=5).json()["data"]["ciphertext"]
    pid = systemd.show("MainPID")
    status = systemd("cat", f"/proc/{pid}/status").stdout
    values = dict(line.split(":\t", 1) for line in status.splitlines() if ":\t" in line)
    assert values["Uid"].split()[0] != "0" and int(values["CapEff"], 16) == 0 and int(values["CapBnd"], 16) == 0
    assert values["NoNewPrivs"] == "1" and values["Seccomp"] == "2"
    # No more than its user may read the root key; its own folders are its own.
    listed = systemd(
        "sh", "-c", "stat -L -c '%a %n' /run/credentials/bulatd.service/root /var/lib/bulatd/bulatd.db /var/log/bulatd/audit.log"
    )
    modes = {Path(name).name: int(mode, 8) for mode, name in (line.split() for line in listed.stdout.splitlines())}
    assert all(mode & 0o077 == 0 for mode in modes.values()), modes
    # Killed, it comes back by itself with all that it had; stopped, it ends with 0 and stays so.
    systemd("kill", "-9", pid)
    end = time.monotonic() + 20
    while systemd.show("MainPID") in (pid, "0") or systemd.show("ActiveState") != "active":
        assert time.monotonic() < end, said()
        time.sleep(0.1)
    assert systemd.show("NRestarts") == "1"
    systemd("systemctl", "restart", "bulatd")
    systemd(*command, "backup", "--output", "/var/lib/backup")
    opened = requests.post(url("transit/decrypt/k"), json={"ciphertext": sealed}, headers=token, timeout=5)
    assert opened.json()["data"] == sent
    systemd("systemctl", "stop", "bulatd")
    assert (systemd.show("ActiveState"), systemd.show("Result"), systemd.show("ExecMainStatus")) == ("inactive", "success", "0")
    assert '"stopped"' in said()


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd is not installed (apt-get install systemd)")
def test_what_systemd_says_of_the_unit(folder):
    unit = folder / "bulatd.service"
    unit.write_text(UNIT.read_text().replace("/usr/bin/bulatd", "/bin/true"))
    ran = subprocess.run(["systemd-analyze", "verify", str(unit)], capture_output=True, text=True)
    assert ran.returncode == 0 and "bulatd.service" not in ran.stderr, ran.stderr
    ran = subprocess.run(
        ["systemd-analyze", "security", "--offline=true", "--threshold=15", str(unit)], capture_output=True, text=True
    )
    level = next(line for line in ran.stdout.splitlines() if "Overall exposure" in line)
    print("\n" + level.strip())
    assert ran.returncode == 0, ran.stdout
