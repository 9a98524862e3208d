"""Hosts for tests: network namespaces with a wire between them, bulat-esp in each, and the IKEv2 daemon's part of its protocol.

    inside --- left === right      10.98.0.1, .2 and fd98::1, ::2: a veth pair
                  \\\\ relay //       10.99.0.1, .2 and fd99::1, ::2: through the relay, with offloads off

The networks of the tunnel are 10.77.1.0/24 and fd77:1::/64 on the left, 10.77.2.0/24 and fd77:2::/64 on the right. The host `inside`
(10.77.1.66, fd77:1:0:0:1::2) sends by way of `left`.
"""

import contextlib
import ctypes
import fcntl
import os
import secrets
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path

import relay
import rfc9227

BINARY = os.environ.get("BULAT_ESP") or str(rfc9227.ROOT / "target/debug/bulat-esp")
libc = ctypes.CDLL(None, use_errno=True)
CLONE_NEWNET, PR_SET_PDEATHSIG = 0x40000000, 1
DIRECT, RELAYED = "98", "99"
TUN = "esp0"


def missing() -> str | None:
    """Names a thing that the tests need and this machine lacks."""
    if sys.version_info < (3, 11):
        return "no Python 3.11"
    if os.geteuid():
        return "no root"
    if not os.access("/dev/net/tun", os.R_OK | os.W_OK):
        return "no /dev/net/tun"
    if not shutil.which("ip"):
        return "no ip (apt-get install iproute2)"
    if subprocess.run(["unshare", "--net", "true"], capture_output=True).returncode:
        return "no network namespaces"
    return None if os.access(BINARY, os.X_OK) else "no bulat-esp (cargo build -p bulat-esp)"


def until(condition, text, seconds: float = 60):
    """Waits for the condition; the limit is for a busy machine. `text` names the condition, or is a function that does."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, f"not in {seconds} s: {text() if callable(text) else text}"
        time.sleep(0.01)


def processor(pid: int) -> int:
    """Nanoseconds of processor time of all threads of a program, with their system calls."""
    total = 0
    for task in Path(f"/proc/{pid}/task").iterdir():
        with contextlib.suppress(OSError):
            total += int((task / "schedstat").read_text().split()[0])
    return total


class Host:
    """A network namespace. Sockets of this process can belong to any."""

    def __init__(self, name: str):
        self.name = f"bulat-{os.getpid()}-{name}"
        subprocess.run(["ip", "netns", "add", self.name], check=True)
        self.file = os.open(f"/run/netns/{self.name}", os.O_RDONLY)
        self.ip("link set lo up")

    def ip(self, *lines: str):
        done = subprocess.run(["ip", "-n", self.name, "-batch", "-"], input="\n".join(lines) + "\n", capture_output=True, text=True)
        assert done.returncode == 0, f"{self.name}: {lines}: {done.stderr}"

    def _enter(self):
        assert libc.setns(self.file, CLONE_NEWNET) == 0, os.strerror(ctypes.get_errno())

    @contextlib.contextmanager
    def entered(self):
        with open("/proc/thread-self/ns/net") as home:
            self._enter()
            try:
                yield
            finally:
                assert libc.setns(home.fileno(), CLONE_NEWNET) == 0

    def open(self, kind: int, address: str, port: int = 0, protocol: int = 0) -> socket.socket:
        """A socket with this address; it waits 30 s at most."""
        with self.entered():
            s = socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET, kind, protocol)
        s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        with contextlib.suppress(PermissionError):
            s.setsockopt(socket.SOL_SOCKET, 33, 4 << 20)  # SO_RCVBUFFORCE
        s.bind((address, port))
        s.settimeout(30)
        return s

    def packets(self, device: str) -> socket.socket:
        """A socket for all frames of a device."""
        with self.entered():
            s = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(relay.ETH_P_ALL))
        s.bind((device, relay.ETH_P_ALL))
        s.setsockopt(socket.SOL_SOCKET, 33, 16 << 20)
        return s

    def start(self, command: list, **options) -> subprocess.Popen:
        """Starts a program that ends with this process."""

        def enter():
            self._enter()
            libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)

        return subprocess.Popen([str(word) for word in command], preexec_fn=enter, **options)

    def offloads(self, device: str, on: bool):
        """Without them the kernel segments packets and computes checksums before the device."""
        value = ctypes.create_string_buffer(struct.pack("II", 0x17, on))  # ETHTOOL_STXCSUM
        with self.entered(), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:
            fcntl.ioctl(s, 0x8946, struct.pack("16sP16x", device.encode(), ctypes.addressof(value)))  # SIOCETHTOOL

    def forwards(self):
        """Makes it a router."""
        for name in ("ipv4/ip_forward", "ipv6/conf/all/forwarding"):
            with self.entered():
                Path("/proc/sys/net", name).write_text("1")

    def close(self):
        os.close(self.file)
        subprocess.run(["ip", "netns", "del", self.name], check=False)


def link(a: Host, first: str, b: Host, second: str):
    a.ip(f"link add {first} type veth peer name {second} netns {b.name}", f"link set {first} addrgenmode none up")
    b.ip(f"link set {second} addrgenmode none up")


class Refused(Exception):
    """The program's answer `error`."""

    def __init__(self, fields: dict[str, str]):
        super().__init__(str(fields))
        self.reason, self.field = fields.get("reason"), fields.get("field")


def parse(message: str) -> tuple[str, dict[str, str]]:
    verb, *lines = message.rstrip("\n").split("\n")
    return verb, dict(line.split("=", 1) for line in lines if "=" in line)


class Control:
    """A connection to the control socket."""

    def __init__(self, path: str):
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.socket.settimeout(60)
        self.socket.connect(path)

    def text(self, verb: str, **fields) -> str:
        lines = [verb, *(f"{name.replace('_', '-')}={value}" for name, value in fields.items())]
        self.socket.send("\n".join(lines).encode())
        return self.socket.recv(1 << 17).decode()

    def __call__(self, verb: str, **fields) -> dict[str, str]:
        answer, values = parse(self.text(verb, **fields))
        if answer != "ok":
            raise Refused(values)
        return values

    def event(self, kind: str, seconds: float = 30) -> dict[str, str]:
        """Waits for an event of this kind; TimeoutError if none comes."""
        end = time.monotonic() + seconds
        while True:
            self.socket.settimeout(max(0.01, end - time.monotonic()))
            name, values = parse(self.socket.recv(1 << 17).decode())
            if name == kind:
                return values


def inner_network(host: Host, side: int, mtu: int):
    """Gives a host's TUN its addresses and the routes to the other side."""
    own, peer = (1, 2) if side == 0 else (2, 1)
    host.ip(
        f"addr replace 10.77.{own}.1/32 dev {TUN}",
        f"addr replace fd77:{own}::1/128 dev {TUN} nodad",
        f"link set {TUN} mtu {mtu} up",
        f"route replace 10.77.{peer}.0/24 dev {TUN} src 10.77.{own}.1",
        f"route replace fd77:{peer}::/64 dev {TUN} src fd77:{own}::1",
    )


class Program:
    """bulat-esp on a host."""

    def __init__(self, host: Host, folder: Path, side: int, mtu: int, options: tuple, env: dict | None):
        self.host, self.side, self.mtu = host, side, mtu
        self.path, self.log = str(folder / f"control-{side}"), folder / f"log-{side}"
        self.command, self.env = [BINARY, "run", "--socket", self.path, "--tun", TUN, "--user", "nobody", *options], {**os.environ, **(env or {})}
        self.start()

    def start(self):
        Path(self.path).unlink(missing_ok=True)
        with self.log.open("ab") as log:
            self.process = self.host.start(self.command, stdout=log, stderr=log, env=self.env)
        until(lambda: self._answers(), f"bulat-esp answers: {self.log.read_text()}")
        inner_network(self.host, self.side, self.mtu)

    def _answers(self) -> bool:
        assert self.process.poll() is None, f"bulat-esp ended: {self.log.read_text()}"
        with contextlib.suppress(OSError):
            self.control = Control(self.path)
            return self.control("hello")["version"] == "1"
        return False

    def connection(self, verb: str) -> Control:
        """A further connection for `subscribe` or `ike`."""
        control = Control(self.path)
        control(verb)
        return control

    def dropped(self, cause: str) -> float:
        return self.metrics()[f'bulat_esp_dropped_total{{cause="{cause}"}}']

    def metrics(self) -> dict[str, float]:
        text = self.control.text("metrics").split("\n", 1)[1]
        lines = [line for line in text.splitlines() if line and not line.startswith("#")]
        return {name: float(value) for name, value in (line.rsplit(" ", 1) for line in lines)}

    def close(self):
        """Ends the program, and removes the TUN, which outlives it."""
        self.control.socket.close()
        try:
            self.process.terminate()
            self.process.wait(5)
        finally:
            self.process.kill()
            self.host.ip(f"link del {TUN}")


@dataclass
class Way:
    """An SA: its sender and receiver, how requests name it, and its association for the second implementation."""

    sender: Program
    receiver: Program
    spi: str
    source: str
    destination: str
    association: rfc9227.Association

    def query(self, program: Program) -> dict[str, str]:
        return program.control("query", spi=self.spi, destination=self.destination)

    def counts(self, program: Program) -> dict[str, int]:
        return {name: int(value) for name, value in self.query(program).items() if value.isdigit()}


class Tunnel:
    """Two programs, and the requests of an IKEv2 daemon at each end; the keys of each SA are new and random."""

    REQID = 7

    def __init__(self, lab: "Lab", via: str = DIRECT, family: int = 4, mtu: int = 1400, options: tuple = (), env: dict | None = None):
        self.lab, self.via = lab, via
        self.ends = [f"10.{via}.0.{n}" if family == 4 else f"fd{via}::{n}" for n in (1, 2)]
        self.programs: list[Program] = []
        self._arguments = mtu, options, env

    def add(self, transform=rfc9227.KUZNYECHIK, esn=True, ports: str | None = "4500:4500", out=None, into=None, reqid=REQID):
        """A pair of SAs, the inbound first. Returns the way to the right and the way to the left."""
        ways = []
        for sender, receiver, source, destination in self._sides():
            spi = receiver.control("spi", destination=destination)["spi"]
            key = secrets.token_bytes(44 if transform in (32, 34) else 36)
            ways.append(Way(sender, receiver, spi, source, destination, rfc9227.Association(int(spi, 16), transform, key, esn)))
        for direction, extra in (("in", into), ("out", out)):
            for way in ways:
                fields = {"ports": ports} if ports else {}
                program = way.receiver if direction == "in" else way.sender
                key = (way.association.key + way.association.salt).hex()
                common = {"direction": direction, "spi": way.spi, "source": way.source, "destination": way.destination}
                program.control("add", **common, transform=transform, key=key, reqid=reqid, esn=int(esn), **fields, **(extra or {}))
        return ways

    def policies(self, reqid=REQID, **more):
        """All traffic between the two networks."""
        for sender, receiver, source, destination in self._sides():
            a, b = (1, 2) if sender is self.left else (2, 1)
            for networks in ((f"10.77.{a}.0/24", f"10.77.{b}.0/24"), (f"fd77:{a}::/64", f"fd77:{b}::/64")):
                for program, direction in ((sender, "out"), (receiver, "in"), (receiver, "forward")):
                    ends = {"tunnel_source": source, "tunnel_destination": destination, "reqid": reqid}
                    program.control("policy-add", direction=direction, source=networks[0], destination=networks[1], **ends, **more)

    def connect(self, *arguments, **options) -> list[Way]:
        """Policies and a pair of SAs."""
        self.policies()
        return self.add(*arguments, **options)

    def flush(self):
        for program in self.programs:
            program.control("flush")
            program.control("policy-flush")

    def _sides(self):
        a, b = self.ends
        return ((self.left, self.right, a, b), (self.right, self.left, b, a))

    @contextlib.contextmanager
    def running(self):
        """The programs run; an error carries the ends of their logs."""
        with tempfile.TemporaryDirectory(prefix="bulat-esp-") as folder, contextlib.ExitStack() as stack:
            stack.callback(self.lab.relay.forward)
            try:
                for side, host in enumerate((self.lab.left, self.lab.right)):
                    self.programs.append(Program(host, Path(folder), side, *self._arguments))
                    stack.callback(self.programs[-1].close)
                self.left, self.right = self.programs
                yield self
            except Exception as error:
                for program in self.programs:
                    error.add_note(f"{program.host.name}: exit {program.process.poll()}: {program.log.read_text()[-1000:]}")
                raise


class Lab:
    """The hosts and their links; `close` removes them."""

    def __init__(self):
        with contextlib.ExitStack() as made:
            hosts = []
            for name in ("left", "right", "inside", "middle"):
                hosts.append(Host(name))
                made.callback(hosts[-1].close)
            self.left, self.right, self.inside, self.middle = hosts
            link(self.left, "direct", self.right, "direct")
            link(self.left, "wire", self.middle, "m0")
            link(self.right, "wire", self.middle, "m1")
            link(self.left, "lan", self.inside, "lan")
            for n, host in enumerate(hosts[:2], 1):
                for device, network in (("direct", DIRECT), ("wire", RELAYED)):
                    host.ip(f"addr add 10.{network}.0.{n}/24 dev {device}", f"addr add fd{network}::{n}/64 dev {device} nodad")
                # A packet that no route of the tunnel holds back appears on the wire.
                host.ip(f"route add default via 10.99.0.{3 - n}")
                host.offloads("wire", False)
            for n, host in ((1, self.left), (2, self.inside)):
                host.ip(f"addr add 10.77.1.{64 + n}/26 dev lan", f"addr add fd77:1:0:0:1::{n}/80 dev lan nodad")
            self.inside.ip("route add default via 10.77.1.65", "route add default via fd77:1:0:0:1::1")
            self.left.forwards()
            self.relay = relay.Relay([self.middle.packets("m0"), self.middle.packets("m1")])
            made.callback(self.relay.stop)
            self.close = made.pop_all().close

    def tunnel(self, *arguments, **options):
        return Tunnel(self, *arguments, **options).running()

    def mac(self, host: Host) -> bytes:
        with host.entered(), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:
            return fcntl.ioctl(s, 0x8927, struct.pack("256s", b"wire"))[18:24]  # SIOCGIFHWADDR

    def frame(self, way: Way, esp: bytes, udp: bool = True) -> bytes:
        """A frame of the relayed wire with an ESP packet."""
        macs = b"".join(self.mac(host) for host in (way.receiver.host, way.sender.host))
        protocol, body = (rfc9227.UDP, relay.udp(4500, 4500, esp)) if udp else (rfc9227.ESP, esp)
        if ":" not in way.source:
            addresses = [socket.inet_aton(address) for address in (way.source, way.destination)]
            return macs + b"\x08\0" + relay.ipv4(*addresses, protocol, body)
        addresses = b"".join(socket.inet_pton(socket.AF_INET6, address) for address in (way.source, way.destination))
        if udp:  # In IPv6 the checksum is compulsory.
            pseudo = addresses + struct.pack(">II", len(body), protocol)
            body = body[:6] + (relay.checksum(pseudo + body) or 0xFFFF).to_bytes(2, "big") + body[8:]
        return macs + b"\x86\xdd" + struct.pack(">IHBB", 6 << 28, len(body), protocol, 64) + addresses + body


def later(work, *arguments) -> threading.Thread:
    """Runs work in a thread."""
    thread = threading.Thread(target=work, args=arguments, daemon=True)
    thread.start()
    return thread
