"""The installation of docs/SERVICE.md, line by line: the shipped unit and configuration, under a systemd of its own, in
namespaces, that knows no other unit. And the verdict of systemd-analyze."""

import contextlib
import json
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from bulatd import BINARY, PAGE, b64, wait

ROOT = PAGE.parents[1]
UNIT = Path(__file__).parents[1] / "bulatd.service"
SYSTEMD = Path("/lib/systemd/systemd")
# The first process of the namespaces runs this before it becomes systemd: a /run and cgroups of its own, mounts that spread as systemd
# needs them, folders over those that an installation writes to, a network with only this machine.
BEGIN = """
set -e
mount --make-rprivate / && mount --make-rshared /
mount -t proc proc /proc
mount -t tmpfs tmpfs /run
mount -t tmpfs tmpfs /var/lib && mount -t tmpfs tmpfs /var/log
umount -l /sys/fs/cgroup && mount -t cgroup2 none /sys/fs/cgroup
mount --bind {folder}/etc /etc/bulatd
mount --bind {folder}/units /etc/systemd/system
mount -t tmpfs tmpfs {folder}/over && mkdir {folder}/over/up {folder}/over/work
mount -t overlay overlay -o lowerdir=/usr/bin,upperdir={folder}/over/up,workdir={folder}/over/work /usr/bin
{python} -c 'import fcntl, socket, struct; fcntl.ioctl(socket.socket(), 0x8914, struct.pack("16sH14x", b"lo", 1))'
export container=lxc SYSTEMD_UNIT_PATH=/etc/systemd/system
exec {systemd} --system --unit=empty.target --log-target=console --show-status=false
"""


def blocks() -> list[str]:
    """Returns the shell blocks of the installation: the program, certificates, the start, without systemd, PostgreSQL."""
    section = PAGE.read_text().split("## Installation\n", 1)[1].split("\n## ", 1)[0]
    found = re.findall(r"```sh\n(.*?)```", section, re.S)
    assert len(found) == 5
    return found


class Systemd:
    def __init__(self, folder: Path):
        self.folder = folder
        units, etc = folder / "units", folder / "etc"
        units.mkdir()
        etc.mkdir()
        for target in ("empty", "sysinit", "basic", "shutdown", "network-online", "multi-user"):
            (units / f"{target}.target").write_text("[Unit]\nDescription=empty\nDefaultDependencies=no\n")
        (folder / "over").mkdir()
        self.log = folder / "log"
        (units / "bulatd.service.d").mkdir()
        # No journal runs.
        (units / "bulatd.service.d" / "test.conf").write_text(
            f"[Service]\nStandardOutput=append:{self.log}\nStandardError=append:{self.log}\n"
        )

    def start(self):
        begin = self.folder / "begin"
        begin.write_text(BEGIN.format(folder=self.folder, systemd=SYSTEMD, python=sys.executable))
        self.made = not Path("/etc/bulatd").exists()
        Path("/etc/bulatd").mkdir(exist_ok=True)
        self.said = self.folder / "systemd"
        namespaces = "--fork --pid --kill-child --mount --uts --ipc --cgroup --net"
        command = ["unshare", *namespaces.split(), "sh", str(begin)]
        # In its own cgroup, so that it moves and ends only its own processes.
        groups = (Path("/sys/fs/cgroup/unified"), Path("/sys/fs/cgroup"))
        self.group = next(group for group in groups if (group / "cgroup.procs").exists()) / f"bulatd-test-{os.getpid()}"
        self.group.mkdir()
        enter = f'echo $$ > {self.group}/cgroup.procs; exec "$@"'
        with open(self.said, "wb") as said:
            self.process = subprocess.Popen(["sh", "-c", enter, "sh", *command], stdout=said, stderr=said)
        end = time.monotonic() + 60
        while time.monotonic() < end and self.process.poll() is None:
            children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
            if children:
                self.pid = children[0]
                if self("systemctl", "is-system-running", "--wait", check=False).stdout.strip() in ("running", "degraded"):
                    return self
            time.sleep(0.1)
        raise OSError(self.said.read_text(errors="replace"))

    def __call__(self, *command, check=True):
        """Runs a command inside."""
        inside = ["nsenter", "-t", self.pid, "-m", "-p", "-C", "-n", "-u"]
        return subprocess.run([*inside, *command], check=check, capture_output=True, text=True, timeout=180)

    def sh(self, script: str) -> str:
        """Runs lines of a page."""
        ran = self("bash", "-euo", "pipefail", "-c", f"cd {ROOT}\n{script}", check=False)
        log = self.log.read_text(errors="replace") if self.log.exists() else ""
        assert ran.returncode == 0, f"{script}\n{ran.stdout}{ran.stderr}{log}"
        return ran.stdout

    def show(self, name: str) -> str:
        return self("systemctl", "show", "bulatd", "-P", name).stdout.strip()

    def end(self):
        self.process.kill()
        self.process.wait()
        # Its processes end a moment later.
        for _ in range(1200):
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
    except (OSError, subprocess.TimeoutExpired) as e:
        system.end()
        # An omitted check must show.
        if os.environ.get("CI"):
            raise
        pytest.skip(f"systemd cannot be started in namespaces: {str(e)[-200:]}")
    yield system
    system.end()


def test_the_installation(systemd, folder):
    install, certificates, begin, without, _ = blocks()

    def said():
        return systemd.log.read_text(errors="replace") if systemd.log.exists() else systemd.said.read_text(errors="replace")

    # The program is already built.
    build, *lines = install.splitlines()
    assert build == "cargo build --release -p bulatd"
    systemd.sh("\n".join(lines).replace("target/release/bulatd", BINARY))
    systemd.sh(certificates)
    # Without a root key it does not start, and gives the reason.
    systemd("systemctl", "daemon-reload")
    assert systemd("systemctl", "start", "bulatd", check=False).returncode != 0
    systemd("systemctl", "stop", "bulatd")
    assert json.loads(systemd.sh(f"{begin}\necho"))["data"]["key_version"] == 1
    token = systemd.sh("bulatd --root-key /etc/bulatd/root.key token create --policy root").split()[-1]

    def ask(path, **body) -> dict:
        curl = ["curl", "-sS", "--cacert", "/etc/bulatd/ca.pem", "-H", f"X-Vault-Token: {token}"]
        data = ["-d", json.dumps(body)] if body else []
        return json.loads(systemd(*curl, *data, f"https://localhost:8200/v1/{path}").stdout)

    assert systemd.show("ActiveState") == "active" and systemd.show("Type") == "notify"
    assert ask("sys/health")["sealed"] is False
    sent = {"plaintext": b64(b"text")}
    sealed = ask("transit/encrypt/k", **sent)["data"]["ciphertext"]
    pid = systemd.show("MainPID")
    status = systemd("cat", f"/proc/{pid}/status").stdout
    values = dict(line.split(":\t", 1) for line in status.splitlines() if ":\t" in line)
    assert values["Uid"].split()[0] != "0" and int(values["CapEff"], 16) == 0 and int(values["CapBnd"], 16) == 0
    assert values["NoNewPrivs"] == "1" and values["Seccomp"] == "2"
    # Only the service's user may read the root key; its folders are its own.
    files = ("/run/credentials/bulatd.service/root", "/var/lib/bulatd/bulatd.db", "/var/log/bulatd/audit.log")
    modes = systemd("stat", "-L", "-c", "%a", *files).stdout.split()
    assert len(modes) == 3 and all(int(mode, 8) & 0o077 == 0 for mode in modes), modes
    # Killed, it restarts with all its data; stopped, it ends with 0 and does not restart.
    systemd("kill", "-9", pid)
    wait(lambda: systemd.show("MainPID") not in (pid, "0") and systemd.show("ActiveState") == "active", said)
    assert systemd.show("NRestarts") == "1"
    # A reload accepts a new certificate of the same key, a restart one of a new key: systemd copies the key.
    served = "openssl s_client -connect localhost:8200 </dev/null 2>/dev/null | openssl x509 -noout -fingerprint -sha256"
    made = "openssl x509 -noout -fingerprint -sha256 -in /etc/bulatd/server.pem"
    renew = "\n".join(["cd /etc/bulatd", "rm server.pem", *certificates.splitlines()[4:]])
    systemd.sh(f"name=localhost\n{renew}")
    assert systemd.sh(served) != systemd.sh(made)
    systemd("systemctl", "reload", "bulatd")
    wait(lambda: systemd.sh(served) == systemd.sh(made), said)
    old = systemd.sh(served)
    again = "\n".join(line for line in certificates.splitlines() if "-x509 " not in line)
    systemd.sh(again)
    systemd("systemctl", "reload", "bulatd")
    wait(lambda: "old ones stay in use" in said(), said)
    assert systemd.sh(served) == old
    systemd("systemctl", "restart", "bulatd")
    assert systemd.sh(served) == systemd.sh(made) != old
    systemd("bulatd", "--root-key", "/etc/bulatd/root.key", "backup", "--output", "/var/lib/backup")
    assert ask("transit/decrypt/k", ciphertext=sealed)["data"] == sent
    systemd("systemctl", "stop", "bulatd")
    assert (systemd.show("ActiveState"), systemd.show("Result"), systemd.show("ExecMainStatus")) == ("inactive", "success", "0")
    assert '"stopped"' in said()
    # Without systemd: errors give their reasons, and the page's lines help.
    assert "--root-key" in systemd("bulatd", "server", check=False).stderr
    started = f"""bulatd server > {folder}/started 2>&1 &
for _ in $(seq 600); do if grep '"listening"' {folder}/started; then break; fi; sleep 0.1; done
kill $! && wait $! || cat {folder}/started
"""
    run = without.replace("bulatd server\n", started)
    assert run != without
    assert '"listening"' in systemd.sh(run)


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd is not installed (apt-get install systemd)")
def test_what_systemd_says_of_the_unit(folder):
    unit = folder / "bulatd.service"
    unit.write_text(UNIT.read_text().replace("/usr/bin/bulatd", "/bin/true"))
    ran = subprocess.run(["systemd-analyze", "verify", str(unit)], capture_output=True, text=True)
    assert ran.returncode == 0 and "bulatd.service" not in ran.stderr, ran.stderr
    ran = subprocess.run(["systemd-analyze", "security", "--offline=true", str(unit)], capture_output=True, text=True)
    level = next(line for line in ran.stdout.splitlines() if "Overall exposure" in line)
    print("\n" + level.strip())
    # 1.4 by version 252; later ones know more settings.
    version = subprocess.run(["systemd-analyze", "--version"], capture_output=True, text=True).stdout.split()[1]
    limit = 1.5 if version == "252" else 2.0
    assert float(re.search(r": ([0-9.]+) ", level)[1]) <= limit, ran.stdout
