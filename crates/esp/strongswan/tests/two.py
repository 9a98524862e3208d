#!/usr/bin/env python3
"""Two strongSwans with the plugin kernel-bulat, in two network namespaces, and a router between them.

    two.py --plugin build/libstrongswan-kernel-bulat.so --esp bulat-esp [--charon /usr/lib/ipsec/charon] [TEST ...]

It needs root, strongSwan with swanctl, and iproute2. Tests are the functions `test_...` below; without a name all run.
"""

import argparse
import contextlib
import itertools
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../../tests/network"))
import lab  # noqa: E402
import rfc9227  # noqa: E402
import traffic  # noqa: E402
from daemon import CLOCK  # noqa: E402
from data import esp_frames  # noqa: E402

wait = lab.until
SECONDS = 300
PSK = "0sY29ycmVjdCBob3JzZSBiYXR0ZXJ5IHN0YXBsZQ=="


def run(*command, check=True, **options):
    """Runs a command; its output is the result."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    if check and done.returncode:
        raise AssertionError(f"{' '.join(command)}: {done.stdout}")
    return done.stdout


def bounded(*_):
    raise TimeoutError(f"not done in {SECONDS} s")


class Skipped(Exception):
    """What a test lacks."""


def need(program, package):
    """Skips a test without the program."""
    if not shutil.which(program):
        raise Skipped(f"no {program} (apt-get install {package})")


class Host:
    """A host with bulat-esp and charon."""

    def __init__(self, setup, name, number, peer):
        self.setup, self.name = setup, name
        self.outer, self.peer = f"192.0.2.{number * 64 + 1}", f"192.0.2.{peer * 64 + 1}"
        self.inner, self.net = f"10.{number}.0.1", f"10.{number}.0.0/16"
        self.peer_inner, self.peer_net = f"10.{peer}.0.1", f"10.{peer}.0.0/16"
        self.outer6, self.peer6 = f"2001:db8:{number}::1", f"2001:db8:{peer}::1"
        self.inner6, self.net6 = f"fd00:{number}::1", f"fd00:{number}::/32"
        self.peer_inner6, self.peer_net6 = f"fd00:{peer}::1", f"fd00:{peer}::/32"
        self.folder = os.path.join(setup.folder, name)
        self.charon = self.esp = None
        os.makedirs(os.path.join(self.folder, "run"))
        os.makedirs(os.path.join(self.folder, "swanctl"))

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def enter(self, *command):
        return ["ip", "netns", "exec", self.space.name, *command]

    def run(self, *command, check=True):
        return run(*self.enter(*command), check=check)

    def log(self, name):
        with open(self.path(name), encoding="utf-8", errors="replace") as file:
            return file.read()

    def configure(self, esp="kuznyechikmgm-esn", ike="aes256-sha256-ecp256", outer=None, peer=None, local_ts=None,
                  remote_ts=None, connection="", child="", auth="psk", local="", rest="", options=""):
        """Writes the files; texts go into the connection, its child, its local part, and behind the connections."""
        plugins = "include /etc/strongswan.d/charon/*.conf" if self.setup.modular else ""
        with open(self.path("strongswan.conf"), "w", encoding="utf-8") as file:
            file.write(f"""
charon {{
    load_modular = {"yes" if self.setup.modular else "no"}
    {"" if self.setup.modular else "load = " + self.setup.load}
    plugins {{
        {plugins}
        kernel-bulat {{
            load = yes
            socket = {self.path("run", "control")}
        }}
        vici {{
            socket = unix://{self.path("run", "vici")}
        }}
    }}
    filelog {{
        log {{
            path = {self.path("charon.log")}
            time_format = %H:%M:%S
            flush_line = yes
            default = 1
            ike = 1
            cfg = 2
            knl = 2
            chd = 4
            enc = 3
            net = 2
            lib = 1
        }}
    }}
    retransmit_timeout = 1
    retransmit_tries = 3
    {options}
}}
swanctl {{
    load = pem pkcs1 x509 revocation constraints pubkey openssl random
}}
""")
        with open(self.path("swanctl", "swanctl.conf"), "w", encoding="utf-8") as file:
            file.write(f"""
connections {{
    gost {{
        version = 2
        local_addrs = {outer or self.outer}
        remote_addrs = {peer or self.peer}
        proposals = {ike}
        {connection}
        local {{
            auth = {auth}
            id = {self.name}.example
            {local}
        }}
        remote {{
            auth = {auth}
        }}
        children {{
            net {{
                local_ts = {local_ts or self.net}
                remote_ts = {remote_ts or self.peer_net}
                esp_proposals = {esp}
                {child}
            }}
        }}
    }}
}}
secrets {{
    ike-psk {{
        secret = {PSK}
    }}
}}
{rest}
""")

    def start_esp(self, **environment):
        out = open(self.path("esp.log"), "a", encoding="utf-8")
        command = [self.setup.esp, "run", "--socket", self.path("run", "control"), "--mark", "0x42", "--user", "root"]
        self.esp = subprocess.Popen(self.enter(*command), stdout=out, stderr=out, env={**os.environ, **environment})
        wait(lambda: " SAs, " in self.status(check=False), f"bulat-esp of {self.name}")
        # as with bulat-esp's unit for systemd, where it is never root
        os.chown(self.path("run", "control"), 65534, 65534)

    def status(self, check=True):
        return run(self.setup.esp, "status", "--socket", self.path("run", "control"), check=check)

    def stop_esp(self, signal_=signal.SIGTERM):
        self.esp.send_signal(signal_)
        self.esp.wait()
        self.esp = None

    def start(self):
        mounts = (f"mount --bind {self.path('run')} /run && mount --bind {self.setup.plugins} {self.setup.plugin_folder}"
                  f" && exec {self.setup.charon}")
        out = open(self.path("out"), "a", encoding="utf-8")
        self.charon = subprocess.Popen(
            self.enter("unshare", "-m", "--propagation", "slave", "sh", "-c", mounts), stdout=out, stderr=out,
            env={**os.environ, "STRONGSWAN_CONF": self.path("strongswan.conf")})
        wait(lambda: os.path.exists(self.path("run", "vici")) and "uptime" in self.swanctl("--stats", check=False), f"vici of {self.name}")
        self.swanctl("--load-all")

    def stop(self, signal_=signal.SIGTERM):
        self.charon.send_signal(signal_)
        self.charon.wait()
        self.charon = None
        for name in ("vici", "charon.pid"):
            if os.path.exists(self.path("run", name)):
                os.unlink(self.path("run", name))

    def swanctl(self, command, *arguments, check=True):
        return run(*self.enter(self.setup.swanctl, command, *arguments, "--uri", "unix://" + self.path("run", "vici")),
                   check=check, env={**os.environ, "STRONGSWAN_CONF": self.path("strongswan.conf"),
                                     "SWANCTL_DIR": self.path("swanctl")})

    def sas(self):
        return self.swanctl("--list-sas")

    def children(self, name="net"):
        """Numbers of installed CHILD SAs."""
        return re.findall(name + r": #(\d+), reqid \d+, INSTALLED", self.sas())

    def rekey(self, *which):
        """Asks for new keys of an IKE SA or a CHILD SA, and waits until it has them alone."""
        found = (lambda: re.findall(r"gost: #(\d+), ESTABLISHED", self.sas())) if "--ike" in which else self.children
        before = set(found())
        self.swanctl("--rekey", *which)
        wait(lambda: (now := set(found())) and not now & before, f"new keys of {self.name}: {which}")

    def ping(self, count=3, check=True, source=None, destination=None):
        """Pings from the inner address to the peer's."""
        # all at once; the interval is how long it waits for the rest
        limit = "20" if check else "2"
        out = self.run("ping", "-n", "-c", str(count), "-l", str(count), "-i", limit, "-W", limit, "-I", source or self.inner,
                       destination or self.peer_inner, check=False)
        lost = f"{count} packets transmitted, {count} received" not in out
        if lost and check:
            raise AssertionError(out)
        return not lost


class Setup:
    """The namespaces, the programs and both hosts."""

    def __init__(self, options):
        self.folder = tempfile.mkdtemp(prefix="bulat-two-")
        self.charon, self.swanctl, self.esp = options.charon, options.swanctl, options.esp
        self.pki = options.pki
        self.modular = options.load is None
        self.load = options.load
        self.plugin_folder = options.plugins
        self.plugins = os.path.join(self.folder, "plugins")
        shutil.copytree(options.plugins, self.plugins)
        shutil.copy(options.plugin, os.path.join(self.plugins, "libstrongswan-kernel-bulat.so"))
        with open(options.plugin, "rb") as file:
            self.prf = b"prfstreebog512" in file.read()
        self.hosts = [Host(self, "left", 0, 1), Host(self, "right", 1, 0)]
        self.left, self.right = self.hosts

    def links(self):
        """Links both hosts through a router."""
        self.router = lab.Host("router")
        for number, host in enumerate(self.hosts):
            host.space = lab.Host(host.name)
            host.space.ip(f"link add eth0 type veth peer name {host.name} netns {self.router.name}",
                          f"addr add {host.outer}/26 dev eth0", f"addr add {host.outer6}/64 dev eth0 nodad",
                          f"addr add {host.inner}/32 dev lo", f"addr add {host.inner6}/128 dev lo", "link set eth0 up")
            gateway, gateway6 = f"192.0.2.{number * 64 + 62}", f"2001:db8:{number}::2"
            self.router.ip(f"addr add {gateway}/26 dev {host.name}", f"addr add {gateway6}/64 dev {host.name} nodad",
                           f"link set {host.name} up")
            host.space.ip(f"route add default via {gateway}", f"route add default via {gateway6}")
        self.router.forwards()

    def start(self, left=None, right=None, **both):
        """Starts both hosts, with settings for each and for both."""
        for host, own in zip(self.hosts, (left, right)):
            host.configure(**both, **(own or {}))
            host.start_esp()
            host.start()

    def initiate(self, ping=True):
        """Lets the left host begin."""
        before = set(self.right.children())
        out = self.left.swanctl("--initiate", "--child", "net", "--timeout", "60", check=False)
        assert "initiate completed successfully" in out, out
        # swanctl returns before the responder has installed its outbound SA
        wait(lambda: set(self.right.children()) - before, "CHILD SA of the responder")
        if ping:
            self.left.ping()

    def close(self):
        for host in self.hosts:
            if host.charon:
                host.stop()
            if host.esp:
                if host.esp.poll() is not None:
                    print(f"bulat-esp of {host.name} ended before: {host.esp.returncode}", flush=True)
                host.stop_esp()
            host.space.close()
        self.router.close()


def captured(wire):
    """The frames at the router's device `left` so far, with the side that sent them."""
    frames = []
    with contextlib.suppress(BlockingIOError):
        while True:
            frame, address = wire.recvfrom(70000, socket.MSG_DONTWAIT)
            frames.append((address[2] == socket.PACKET_OUTGOING, frame))
    return frames


def dumped(log, title):
    """The bytes of each dump with this title."""
    def row(line):
        return re.search(r"\] +\d+: ((?:[0-9A-F]{2} )+)", line)

    return [bytes.fromhex("".join(row(line).group(1) for line in itertools.takewhile(row, dump.split("\n")[1:])))
            for dump in log.split(f" {title} => ")[1:]]


def test_established(setup):
    """An SA of each transform, with ESN and without, as protocol 50; the second implementation opens the echoes under charon's keys."""
    cases = (("kuznyechikmgm-esn", 44), ("magmamgm-esn", 36), ("kuznyechikmgmmac", 44), ("magmamgmmac", 36))
    for number, (esp, bytes_) in enumerate(cases, 32):
        for host in setup.hosts:
            host.configure(esp=esp)
            if not host.esp:
                host.start_esp()
                host.start()
            host.swanctl("--load-all")
        with setup.router.packets("left") as wire:
            setup.initiate()
            frames = captured(wire)
        sas = setup.left.sas()
        assert esp.split("-")[0][:5].upper() in sas.upper(), sas
        assert f"deriving {bytes_} bytes" in setup.right.log("charon.log")
        for side, (name, way, kind) in enumerate((("initiator", "out", 8), ("responder", "in", 0))):
            key, spi = dumped(setup.left.log("charon.log"), f"encryption {name} key")[-1], re.search(rf"{way} +([0-9a-f]{{8}}),", sas).group(1)
            association = rfc9227.Association(int(spi, 16), number, key, "-esn" in esp)
            opened = [association.open(packet) for _, packet in esp_frames(frames, side)]
            assert [(o.sequence, o.next_header, o.text[9], o.text[20]) for o in opened] == [(n, 4, 1, kind) for n in (1, 2, 3)], opened
        # on the wire a transform of 8 bytes, which has no attribute (RFC 7296, section 3.3.2), then the one of ESN
        wire = f"03 00 00 08 01 00 00 {number:02X} 00 00 00 08 05 00 00 0{int('esn' in esp)}"
        assert wire in setup.right.log("charon.log"), wire
        assert ", protocol 50, " in setup.left.status(), setup.left.status()
        out = setup.left.swanctl("--terminate", "--ike", "gost")
        assert "completed successfully" in out, out
        wait(lambda: not setup.right.children(), "end at the responder")


def test_encap(setup):
    """ESP in UDP."""
    setup.start(connection="encap = yes")
    setup.initiate()
    assert ", UDP 4500:4500, " in setup.left.status(), setup.left.status()


def test_prf(setup):
    """PRF_HMAC_STREEBOG_512 of an IKE SA, and of the one that follows it: the slow reference derives the same keys."""
    if not setup.prf:
        raise Skipped("the plugin is built without libbulat")
    sys.path.insert(0, os.path.join(HERE, "../../../../verification/vectors/data/ref"))
    from gostref import hmac_streebog  # pylint: disable=import-error,import-outside-toplevel
    setup.start(ike="aes256gcm16-prfstreebog512-ecp256", options="filelog {\nlog {\nike = 4\n}\n}")
    setup.initiate()
    assert "/PRF_HMAC_STREEBOG_512/" in setup.left.sas(), setup.left.sas()
    log = setup.left.log("charon.log")
    # Transform Type 2, ID 9
    assert re.search("0[03] 00 00 08 02 00 00 09", log)
    # what AUTH is of, first of this side: its message, the other's nonce, and 64 bytes
    theirs, ours = (text[-96:-64] for text in dumped(log, "= message + nonce + prf(Sk_px, IDx')")[:2])
    # the second name is strongSwan 6's
    secrets = dumped(log, "shared Diffie Hellman secret") or dumped(log, "key exchange secret")
    assert dumped(log, "SKEYSEED")[0] == hmac_streebog(512, ours + theirs, secrets[0])
    for _ in range(2):
        log = setup.right.log("charon.log")
        key, seed = (dumped(log, title)[-1] for title in ("Sk_d secret", "seed"))
        first = hmac_streebog(512, key, seed + b"\1")
        stream = first + hmac_streebog(512, key, first + seed + b"\2")
        keys = [dumped(log, f"encryption {side} key")[-1] for side in ("initiator", "responder")]
        assert len(key) == 64 and b"".join(keys) == stream[:88], (key, seed, keys)
        setup.left.rekey("--ike", "gost")
        setup.left.rekey("--child", "net")
        time.sleep(1)
    setup.left.ping()


def test_refused(setup):
    """Ciphers other than those of RFC 9227."""
    setup.start(esp="aes256-sha256")
    out = setup.left.swanctl("--initiate", "--child", "net", "--timeout", "60", check=False)
    assert "failed" in out, out
    assert "not a transform of RFC 9227" in setup.right.log("charon.log") + setup.left.log("charon.log")


def test_rekey(setup):
    """A CHILD SA's change of keys, asked for by each side in turn, with PFS, without loss; then an IKE SA's."""
    setup.start(esp="kuznyechikmgm-ecp256-esn")
    setup.initiate()
    streams = [traffic.Stream(a.space, b.space, a.inner, b.inner, 100) for a, b in (setup.hosts, setup.hosts[::-1])]
    for host in setup.hosts:
        host.rekey("--child", "net")
        time.sleep(1)
    setup.left.rekey("--ike", "gost")
    wait(lambda: setup.left.children() and setup.right.children(), "the CHILD SA of the new IKE SA")
    time.sleep(7)  # the old SAs end meanwhile
    lost = [stream.stop() for stream in streams]
    assert lost == [0, 0], f"of {[stream.sent for stream in streams]} datagrams {lost} are lost"


def test_rekeyings(setup):
    """100 changes of a CHILD SA's keys (BULAT_ESP_LONG=1: 1,000), by each side in turn, under load both ways, without loss."""
    setup.start()
    setup.initiate()
    streams = [traffic.Stream(a.space, b.space, a.inner, b.inner, 500) for a, b in (setup.hosts, setup.hosts[::-1])]
    start, most = time.monotonic(), 1000 if traffic.LONG else 100
    for number in range(1, most + 1):
        setup.hosts[number % 2].rekey("--child", "net")
        if number >= most // 4 and time.monotonic() > start + most * 0.2:
            print(f"rekeyings: only {number}, on a busy machine", flush=True)
            break
    lost = [stream.stop() for stream in streams]
    assert lost == [0, 0], f"of {[stream.sent for stream in streams]} datagrams {lost} are lost"


def test_rekey_by_time(setup):
    """A CHILD SA's change of keys by time, without PFS, without loss; both sides begin, at times together."""
    setup.start(child="rekey_time = 2s\nlife_time = 60s\nrand_time = 0s")
    setup.initiate()
    streams = [traffic.Stream(a.space, b.space, a.inner, b.inner, 100) for a, b in (setup.hosts, setup.hosts[::-1])]
    for _ in range(4):
        before = set(setup.left.children())
        wait(lambda: (now := set(setup.left.children())) and not now & before, "new keys by time")  # noqa: B023
    lost = [stream.stop() for stream in streams]
    assert lost == [0, 0], f"of {[stream.sent for stream in streams]} datagrams {lost} are lost"


def test_killed(setup):
    """A killed charon that starts again."""
    setup.start()
    setup.initiate()
    setup.left.stop(signal.SIGKILL)
    # the data path lives on
    setup.left.ping()
    setup.left.start()
    setup.initiate()


def test_dead_peer(setup):
    """Both programs of the peer are killed and start again: dead peer detection notices, and connects again."""
    setup.start(connection="dpd_delay = 1s", child="dpd_action = restart")
    setup.initiate()
    before = set(setup.left.children())
    setup.right.stop(signal.SIGKILL)
    setup.right.stop_esp(signal.SIGKILL)
    assert not setup.left.ping(count=1, check=False)
    setup.right.start_esp()
    setup.right.start()
    wait(lambda: set(setup.left.children()) - before, "a CHILD SA after dead peer detection")
    wait(lambda: setup.left.ping(check=False), "packets through it")
    assert "giving up after" in setup.left.log("charon.log")


def test_esp_restarts(setup):
    """bulat-esp starts again under a running charon: policies and SAs come back."""
    setup.start()
    setup.initiate()
    for _ in range(3):
        before = setup.left.children()
        setup.left.stop_esp(signal.SIGKILL)
        # no packet leaves in the clear meanwhile
        assert "10.1.0.0/16 dev bulat0" in setup.left.run("ip", "route", "show", "table", "220")
        assert not setup.left.ping(count=1, check=False)
        setup.left.start_esp()
        wait(lambda: setup.left.children() and setup.left.children() != before, "a new CHILD SA")  # noqa: B023
        wait(lambda: setup.left.ping(check=False), "packets through it")
    # strongSwan sends a lost message again only after seconds
    for running in setup.left.log("charon.log").split("bulat-esp is there")[1:]:
        assert "bulat-esp refuses it" not in running.split("closed the connection")[0]


def test_trap(setup):
    """A trap policy negotiates at the first packet."""
    setup.start(child="start_action = trap")
    setup.left.ping(count=1, check=False)
    wait(lambda: setup.left.children() and setup.right.children(), "a CHILD SA")
    setup.left.ping()
    setup.left.swanctl("--terminate", "--child", "net")
    assert "bulat0" in setup.left.run("ip", "route", "show", "table", "220"), "the trap keeps its route"


def test_hard_limit(setup):
    """An SA that ends at its hard limit, without a soft one, is followed by a new CHILD SA."""
    setup.start(child="rekey_packets = 0\nlife_packets = 50\nrand_packets = 0")
    setup.initiate()
    before = setup.left.children()
    setup.left.run("ping", "-n", "-q", "-i", "0.01", "-c", "60", "-W", "1", "-I", setup.left.inner, setup.left.peer_inner,
                   check=False)
    wait(lambda: setup.left.children() and setup.left.children() != before, "a CHILD SA after the hard limit")


def test_clone(setup):
    """The clock of the day jumps, as after a snapshot: a new IKE SA with its CHILD SA. A small library moves the clock."""
    need("cc", "gcc")
    library, ahead = os.path.join(setup.folder, "clock.so"), os.path.join(setup.folder, "ahead")
    run("cc", "-shared", "-fPIC", "-o", library, "-x", "c", "-", input=CLOCK)
    with open(ahead, "wb") as file:
        file.write(bytes(8))
    for host in setup.hosts:
        host.configure()
        host.start_esp(**({"LD_PRELOAD": library, "AHEAD": ahead} if host is setup.left else {}))
        host.start()
    setup.initiate()
    before = re.search(r"gost: #(\d+)", setup.left.sas()).group(1)
    with open(ahead, "r+b") as file:
        file.write((86400).to_bytes(8, "little"))
    wait(lambda: (found := re.search(r"gost: #(\d+), ESTABLISHED", setup.left.sas())) and found.group(1) != before,
         "a new IKE SA after a clone")
    wait(setup.left.children, "its CHILD SA")


def test_mobike(setup):
    """Another address of the initiator."""
    # else it may move to IPv6 between two of the commands below
    setup.left.run("ip", "address", "del", f"{setup.left.outer6}/64", "dev", "eth0")
    setup.start(left={"outer": "%any"})
    setup.initiate()
    other = "192.0.2.9"
    setup.left.run("ip", "address", "add", f"{other}/26", "dev", "eth0")
    setup.left.run("ip", "address", "del", f"{setup.left.outer}/26", "dev", "eth0")
    setup.left.run("ip", "address", "add", f"{other}/26", "dev", "eth0", check=False)
    setup.left.run("ip", "route", "add", "default", "via", "192.0.2.62", check=False)
    wait(lambda: other in setup.right.sas(), "the address at the peer")
    wait(setup.left.children, "its CHILD SA")
    wait(lambda: setup.left.ping(check=False), "packets from the new address")


def test_data(setup):
    """Each family inside, and outside by protocol 50 and by UDP: ping, TCP each way equal by hash, UDP of many sizes."""
    for outer, encap in itertools.product((4, 6), ("no", "yes")):
        for host in setup.hosts:
            ends = {"outer": host.outer6, "peer": host.peer6} if outer == 6 else {}
            host.configure(**ends, local_ts=f"{host.net},{host.net6}", remote_ts=f"{host.peer_net},{host.peer_net6}", connection=f"encap = {encap}")
            if not host.esp:
                host.start_esp()
                host.start()
            host.swanctl("--load-all")
        setup.initiate()
        setup.left.ping(source=setup.left.inner6, destination=setup.left.peer_inner6)
        left, right = setup.left.space, setup.right.space
        for a, b in ((setup.left.inner, setup.right.inner), (setup.left.inner6, setup.right.inner6)):
            traffic.transfer(left, right, a, b)
            # in small batches: the TUN's queue has room for 500 fragments
            lost = traffic.datagrams(left, right, a, b, (*range(0, 1501, 7), *range(2000, 60001, 2900)), 10)
            assert not lost, f"{a} in IPv{outer}, encap = {encap}: datagrams of these sizes are lost: {lost}"
        setup.left.swanctl("--terminate", "--ike", "gost")
        wait(lambda: not setup.right.children(), "end at the responder")


def nat(setup, ports, seconds):
    """Lets the router hide the left host behind ports, which it remembers for some seconds."""
    rules = f"""flush ruleset
table ip nat {{
    chain out {{
        type nat hook postrouting priority 100;
        oifname "right" ip protocol udp masquerade to :{ports}
        oifname "right" masquerade
    }}
}}
"""
    run("ip", "netns", "exec", setup.router.name, "nft", "-f", "-", input=rules)
    option = "net.netfilter.nf_conntrack_udp_timeout"
    run("ip", "netns", "exec", setup.router.name, "sysctl", "-qw", f"{option}={seconds}", f"{option}_stream={seconds}")


def second(host, protocol):
    """The text of a second CHILD SA, for one protocol."""
    return (f"}}\n{protocol} {{\nlocal_ts = {host.net}[{protocol}]\nremote_ts = {host.peer_net}[{protocol}]\n"
            "esp_proposals = magmamgm-esn")


def test_nat(setup):
    """A NAT before the initiator; then it forgets, and uses another port: packets of one CHILD SA move the other, too."""
    need("nft", "nftables")
    nat(setup, "5000-5100", 2)
    setup.start({"child": second(setup.left, "tcp")}, {"child": second(setup.right, "tcp"), "peer": "%any"})
    setup.initiate()
    setup.left.swanctl("--initiate", "--child", "tcp", "--timeout", "60")
    assert "is behind NAT" in setup.left.log("charon.log")
    before = re.search(r"192\.0\.2\.126\[(\d+)\]", setup.right.sas()).group(1)
    nat(setup, "6000-6100", 2)
    time.sleep(4)
    nat(setup, "6000-6100", 60)  # else each ping may have another port
    wait(lambda: setup.left.ping(check=False), "packets through the other port")
    after = re.search(r"192\.0\.2\.126\[(\d+)\]", setup.right.sas()).group(1)
    assert before != after, (before, after)
    wait(lambda: re.findall(r" out: .*, UDP 4500:(\d+), ", setup.right.status()) == [after] * 2, "the other port in both CHILD SAs")
    assert "NAT mappings of CHILD_SA" in setup.right.log("charon.log")


def test_host_to_host(setup):
    """Traffic between the peers' outer addresses themselves: the mark keeps IKE and ESP out of the tunnel."""
    setup.start(local_ts="dynamic", remote_ts="dynamic")
    setup.initiate(ping=False)
    setup.left.ping(source=setup.left.outer, destination=setup.left.peer)
    assert "0 packets" not in re.search(r"in .*bytes, +\d+ packets", setup.right.sas()).group(0), setup.right.sas()
    setup.left.rekey("--ike", "gost")
    time.sleep(1)
    setup.left.ping(source=setup.left.outer, destination=setup.left.peer)


def test_virtual_address(setup):
    """An address from the responder's pool, and all traffic through the tunnel."""
    setup.start({"local_ts": "dynamic", "remote_ts": "0.0.0.0/0", "connection": "vips = 0.0.0.0"},
                {"local_ts": "0.0.0.0/0", "remote_ts": "dynamic", "connection": "pools = inside", "peer": "%any",
                 "rest": "pools {\ninside {\naddrs = 10.9.0.0/24\n}\n}"})
    setup.initiate(ping=False)
    assert "10.9.0.1" in setup.left.run("ip", "address", "show")
    setup.left.ping(source="10.9.0.1")
    setup.left.rekey("--ike", "gost")
    setup.left.rekey("--child", "net")
    time.sleep(2)
    setup.left.ping(source="10.9.0.1")
    setup.left.swanctl("--terminate", "--ike", "gost")
    wait(lambda: "10.9.0.1" not in setup.left.run("ip", "address", "show"), "end of the address")
    assert not setup.left.run("ip", "route", "show", "table", "220", check=False).strip()


CLEAR = "table ip clear { chain in { type filter hook prerouting priority 0; ip daddr 10.1.0.0/16 counter; }; }"


def test_virtual_address_by_trap(setup):
    """The first packet begins, by the outer address; the next ones have the address from the pool, and the trap's again later; none is clear."""
    need("nft", "nftables")
    run("ip", "netns", "exec", setup.router.name, "nft", "-f", "-", input=CLEAR)
    setup.start({"local_ts": "dynamic", "connection": "vips = 0.0.0.0", "child": "start_action = trap"},
                {"remote_ts": "dynamic", "connection": "pools = inside", "peer": "%any", "rest": "pools {\ninside {\naddrs = 10.9.0.0/24\n}\n}"})
    reached = lambda: " 1 received" in setup.left.run("ping", "-n", "-c", "1", "-W", "1", setup.right.inner, check=False)  # noqa: E731
    source = lambda: re.search(r"10\.1\.0\.0/16 .* src (\S+)", setup.left.run("ip", "route", "show", "table", "220")).group(1)  # noqa: E731
    numbers = lambda: set(re.findall(r"gost: #(\d+), ESTABLISHED", setup.left.sas()))  # noqa: E731
    flow = subprocess.Popen(setup.left.enter("ping", "-n", "-q", "-w", "200", "-i", "0.002", setup.right.inner), stdout=subprocess.DEVNULL)
    for _ in range(3):
        wait(reached, "packets by the pool's address")
        assert source() == "10.9.0.1"
        before = numbers()
        setup.left.swanctl("--terminate", "--ike", "gost")
        wait(lambda: not numbers() & before, "end of the IKE SA")
    flow.kill()
    flow.wait()
    setup.left.swanctl("--terminate", "--ike", "gost", check=False)
    wait(lambda: source() == setup.left.outer, "the trap's route")
    rules = run("ip", "netns", "exec", setup.router.name, "nft", "list", "ruleset")
    assert "counter packets 0 bytes 0" in rules, rules


def test_ends_in_order(setup):
    """docs/NETWORK.md's blackhole: while charon ends in order and starts again, no packet of the peer's network is clear."""
    need("nft", "nftables")
    run("ip", "netns", "exec", setup.router.name, "nft", "-f", "-", input=CLEAR)
    setup.start(child="start_action = trap")
    setup.left.run("ip", "route", "add", "blackhole", setup.left.peer_net, "metric", "4096")
    setup.initiate()
    ping = setup.left.enter("ping", "-n", "-q", "-w", "200", "-i", "0.002", "-I", setup.left.inner, setup.left.peer_inner)
    flow = subprocess.Popen(ping, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    setup.left.stop()
    assert "bulat0" not in setup.left.run("ip", "route", "show", "table", "220", check=False), "routes are removed"
    assert not setup.left.ping(count=1, check=False)
    setup.left.start()
    wait(lambda: setup.left.ping(check=False), "packets by a new SA")
    assert flow.poll() is None
    flow.kill()
    flow.wait()
    rules = run("ip", "netns", "exec", setup.router.name, "nft", "list", "ruleset")
    assert "counter packets 0 bytes 0" in rules, rules


def test_certificates(setup):
    """Authentication by ECDSA certificates."""
    need(setup.pki, "strongswan-pki")
    ca = os.path.join(setup.folder, "ca")

    def pki(*arguments, out):
        with open(out, "wb") as file:
            subprocess.run([setup.pki, *arguments, "--outform", "pem"], stdout=file, stderr=subprocess.DEVNULL, check=True)

    pki("--gen", "--type", "ecdsa", "--size", "256", out=ca + ".key")
    pki("--self", "--ca", "--in", ca + ".key", "--type", "ecdsa", "--dn", "CN=test CA", out=ca + ".pem")
    for host in setup.hosts:
        for name in ("x509", "x509ca", "private"):
            os.makedirs(host.path("swanctl", name))
        key, request = host.path("swanctl", "private", "host.pem"), host.path("public.pem")
        pki("--gen", "--type", "ecdsa", "--size", "256", out=key)
        pki("--pub", "--in", key, "--type", "ecdsa", out=request)
        pki("--issue", "--cacert", ca + ".pem", "--cakey", ca + ".key", "--type", "pub", "--in", request, "--dn",
            f"CN={host.name}.example", "--san", f"{host.name}.example", out=host.path("swanctl", "x509", "host.pem"))
        shutil.copy(ca + ".pem", host.path("swanctl", "x509ca"))
        host.configure(auth="pubkey", local="certs = host.pem")
        host.start_esp()
        host.start()
    setup.initiate()


def test_limits(setup):
    """Limits of packets: the data path asks for new keys; TFC padding; dead peer detection."""
    setup.start(connection="dpd_delay = 1s", child="rekey_packets = 200\nlife_packets = 400\nrand_packets = 0\n"
                                                  "tfc_padding = mtu")
    setup.initiate()
    assert re.search(r"soft limit in 19\d packets", setup.left.status()), setup.left.status()
    sent = lambda: int(setup.left.run("cat", "/sys/class/net/eth0/statistics/tx_bytes"))  # noqa: E731
    fresh = lambda host: re.findall(r" out: (?:.+\n)+?  soft limit in (\d+) packets", host.status())[-1:] != ["0"]  # noqa: E731
    before, bytes_ = setup.left.children(), sent()
    for number in range(600):
        if number % 150 == 0:  # else the hard limit may come before a busy machine has new keys
            wait(lambda: all(map(fresh, setup.hosts)), "an SA below its soft limit")
        assert traffic.ping(setup.left.space, setup.left.inner, setup.left.peer_inner), f"packet {number} is lost"
        time.sleep(0.01)
    assert setup.left.children() != before
    assert sent() - bytes_ > 600 * 1400, "packets are padded"
    # A host that the other asks each second does not ask itself.
    wait(lambda: any("sending DPD request" in host.log("charon.log") for host in setup.hosts), "dead peer detection")


def test_late_esp(setup):
    """charon starts before bulat-esp, and has a trap policy for it."""
    setup.left.configure(child="start_action = trap")
    setup.left.start()
    setup.right.configure()
    setup.right.start_esp()
    setup.right.start()
    setup.left.start_esp()
    wait(lambda: "bulat-esp is there" in setup.left.log("charon.log"), "bulat-esp")
    wait(lambda: "10.1.0.0/16 dev bulat0" in setup.left.run("ip", "route", "show", "table", "220", check=False), "its route")
    setup.left.ping(count=1, check=False)
    wait(lambda: setup.left.children() and setup.right.children(), "a CHILD SA")
    setup.left.ping()


def test_shunts(setup):
    """Policies that pass and drop, inside a wider tunnel; the syntax of the examples."""
    shunt = "{name} {{\nmode = {name}\nlocal_ts = 10.0.0.0/16\nremote_ts = {net}\nstart_action = trap\n}}\n"
    shunts = shunt.format(name="pass", net="10.1.2.0/24") + shunt.format(name="drop", net="10.1.3.0/24")
    setup.start({"rest": f"connections {{\nshunts {{\nremote_addrs = 127.0.0.1\nchildren {{\n{shunts}}}\n}}\n}}"})
    setup.initiate()
    routes = setup.left.run("ip", "route", "show", "table", "220")
    assert "throw 10.1.2.0/24" in routes and "10.1.3.0/24 dev bulat0" in routes, routes
    with open(os.path.join(HERE, "../../../../docs/NETWORK.md"), encoding="utf-8") as file:
        page = re.search("```\n(connections {.*?)```", file.read(), re.S).group(1)
    with open(setup.left.path("page.conf"), "w", encoding="utf-8") as file:
        file.write(page)
    out = setup.left.swanctl("--load-conns", "--file", setup.left.path("page.conf"))
    assert "loaded connection 'gost'" in out, out
    out = setup.left.swanctl("--load-conns", "--file", os.path.join(HERE, "../examples/certificates.conf"), check=False)
    assert "loaded connection 'gost'" in out or "loading certs certificate" in out, out
    setup.left.swanctl("--terminate", "--ike", "gost")


def test_shared_route(setup):
    """Two CHILD SAs for one net, one for each protocol: the end of the first leaves the route to the second."""
    setup.start(*({"local_ts": host.net + "[tcp]", "remote_ts": host.peer_net + "[tcp]", "child": second(host, "icmp")}
                  for host in setup.hosts))
    setup.initiate(ping=False)
    out = setup.left.swanctl("--initiate", "--child", "icmp", "--timeout", "60")
    assert "completed successfully" in out, out
    wait(lambda: setup.right.children("icmp"), "the second CHILD SA of the responder")
    setup.left.swanctl("--terminate", "--child", "net")
    assert f"{setup.left.peer_net} dev bulat0" in setup.left.run("ip", "route", "show", "table", "220")
    setup.left.ping()
    assert re.search(r"out .* 3 packets", setup.left.sas()), setup.left.sas()
    setup.left.swanctl("--terminate", "--child", "icmp")
    wait(lambda: "bulat0" not in setup.left.run("ip", "route", "show", "table", "220", check=False), "end of the route")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--plugin", required=True)
    parser.add_argument("--plugins", default="/usr/lib/ipsec/plugins", help="the folder of strongSwan's plugins")
    parser.add_argument("--charon", default="/usr/lib/ipsec/charon")
    parser.add_argument("--swanctl", default="swanctl")
    parser.add_argument("--pki", default="pki")
    parser.add_argument("--load", help="the list of plugins, for a strongSwan without files for each")
    parser.add_argument("--esp", required=True, help="the program bulat-esp")
    parser.add_argument("--keep", action="store_true", help="leave the folder with the logs")
    parser.add_argument("tests", nargs="*")
    options = parser.parse_args()
    failed = 0
    signal.signal(signal.SIGALRM, bounded)
    for name, test in list(globals().items()):
        if not name.startswith("test_") or options.tests and name[5:] not in options.tests:
            continue
        setup = Setup(options)
        start = time.time()
        signal.alarm(SECONDS)
        try:
            setup.links()
            test(setup)
            print(f"{name[5:]}: passed, {time.time() - start:.1f} s", flush=True)
        except Skipped as skipped:
            print(f"{name[5:]}: skipped: {skipped}", flush=True)
        except Exception as error:  # pylint: disable=broad-exception-caught
            failed += 1
            line = error.__traceback__.tb_next.tb_lineno
            print(f"{name[5:]}: FAILED in line {line}, logs in {setup.folder}: {error!r}", flush=True)
        finally:
            signal.alarm(60)
            setup.close()
            signal.alarm(0)
        if not failed and not options.keep:
            shutil.rmtree(setup.folder)
    sys.exit(1 if failed else 0)


main()
