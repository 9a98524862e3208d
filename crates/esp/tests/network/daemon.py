"""The daemon's requests and events: changes of keys, limits, NAT and roaming, IKE messages, counters."""

import os
import re
import shutil
import signal
import socket
import subprocess
import time
from pathlib import Path

import relay
import rfc9227
from data import esp_frames
from lab import RELAYED, Lab, Refused, until
from traffic import LEFT, LONG, RIGHT, Stream, datagrams, ping, transfer


def test_change_of_keys(net: Lab):
    """New SAs under load, again and again: nothing is lost."""
    with net.tunnel() as tunnel:
        ways = tunnel.connect()
        stream, back = Stream(net.left, net.right, LEFT[4], RIGHT[4], 2000), Stream(net.right, net.left, RIGHT[6], LEFT[6], 500)
        for n in range(1000 if LONG else 50):
            new = tunnel.add(rfc9227.TRANSFORMS[n % 4], n % 3 > 0)
            until(lambda: new[0].counts(tunnel.left)["packets"], "the newest SA sends")  # noqa: B023
            for way in ways:
                sent = int(way.sender.control("delete", spi=way.spi, destination=way.destination)["packets"])
                until(lambda: way.counts(way.receiver)["packets"] == sent, "all packets arrive")  # noqa: B023
                way.receiver.control("delete", spi=way.spi, destination=way.destination)
            ways = new
        lost = stream.stop() + back.stop()
        assert not lost, f"{lost} of {stream.sent + back.sent} datagrams are lost"


def test_limits(net: Lab):
    """Soft and hard limits make events, and after the hard limit no packet passes."""
    with net.tunnel() as tunnel:
        events = tunnel.left.connection("subscribe")
        tunnel.policies()
        assert not ping(net.left, LEFT[4], RIGHT[4], seconds=0.3)
        acquire = events.event("acquire")
        assert (acquire["reqid"], acquire["tunnel-destination"], acquire["destination"]) == (str(tunnel.REQID), tunnel.ends[1], RIGHT[4]), acquire
        there, _ = tunnel.add(out={"soft_packets": 20, "hard_packets": 40})
        datagrams(net.left, net.right, LEFT[4], RIGHT[4], range(25))
        soft = events.event("expire")
        assert (soft["hard"], int(soft["spi"], 16), soft["destination"]) == ("0", there.association.spi, there.destination), soft
        lost = datagrams(net.left, net.right, LEFT[4], RIGHT[4], range(100, 130))
        assert len(lost) == 15, f"{len(lost)} of 30 datagrams are lost"
        assert events.event("expire")["hard"] == "1"
        assert there.counts(tunnel.right)["packets"] == 40
        tunnel.flush()
        tunnel.connect(out={"soft_seconds": 2, "hard_seconds": 4})
        assert ping(net.left, LEFT[4], RIGHT[4])
        assert events.event("expire")["hard"] == "0" and events.event("expire")["hard"] == "1"
        assert not ping(net.left, LEFT[4], RIGHT[4], seconds=0.3)


def test_nat_and_roaming(net: Lab):
    """A NAT in the middle gives the left another address, then again another: an event, an update, and the keys stay."""
    with net.tunnel(RELAYED) as tunnel:
        there, back = tunnel.connect()
        events = tunnel.right.connection("subscribe")
        mac = net.mac(net.left).hex(":")
        inside = (socket.inet_aton("10.99.0.1"), 4500)
        assert ping(net.left, LEFT[4], RIGHT[4])
        for n, (address, port) in enumerate((("10.99.0.77", 61234), ("10.99.0.77", 1024), ("10.99.0.78", 4500))):
            net.right.ip(f"neigh replace {address} lladdr {mac} dev wire")
            net.relay.nat(inside, (socket.inet_aton(address), port))
            frames = net.relay.capture()
            stream = Stream(net.left, net.right, LEFT[4], RIGHT[4], 200)
            # Packets of the address before may have made further events.
            while (mapping := events.event("mapping"))["new-source"] != f"{address}:{port}":
                pass
            assert int(mapping["spi"], 16) == there.association.spi, mapping
            until(lambda: len(frames) > 40, "traffic flows")  # noqa: B023
            assert not stream.stop(), "packets from the new address are accepted"
            if n == 0:
                assert not ping(net.left, LEFT[4], RIGHT[4], seconds=0.5), "without an update the answers go to the old address"
            ports = f"4500:{port}"
            tunnel.right.control("update", spi=there.spi, destination=there.destination, new_source=address, new_ports=ports)
            tunnel.right.control("update", spi=back.spi, destination=back.destination, new_destination=address, new_ports=ports)
            back.destination = address
            assert ping(net.left, LEFT[4], RIGHT[4]), f"through {address}:{port}"
            transfer(net.left, net.right, LEFT[6], RIGHT[6], 200_000)
        assert there.counts(tunnel.right)["packets"] > 100, "the SA is still the first"
        # Genuine packets that are late, and forged packets, move no peer.
        time.sleep(1.1)
        top = int(there.query(tunnel.right)["sequence"])
        esp = [there.association.seal(top + n, 1 << 24 | n, b"", rfc9227.DUMMY) for n in (200, 100)]
        for packet, port in ((esp[0], 4500), (esp[1], 4999), (esp[1][:-1] + b"?", 4999)):
            frame = bytearray(net.frame(there, packet))
            frame[26:30], frame[34:36] = socket.inet_aton("10.99.0.78"), port.to_bytes(2, "big")
            frame[24:26] = bytes(2)
            frame[24:26] = relay.checksum(frame[14:34]).to_bytes(2, "big")
            net.relay.inject(bytes(frame), 0)
        until(lambda: there.counts(tunnel.right)["sequence"] == top + 200, "the packets are accepted")
        try:
            # The true address of before may have made further events.
            while (mapping := events.event("mapping", 0.5))["new-source"] == "10.99.0.78:4500":
                pass
            raise AssertionError(f"an event: {mapping}")
        except TimeoutError:
            pass


def test_ike(net: Lab):
    """IKE messages at the port of ESP go to the daemon without the marker, and back; keepalives go nowhere."""
    for family in (4, 6):
        with net.tunnel(RELAYED, family) as tunnel:
            tunnel.connect()
            left, right = (program.connection("ike") for program in tunnel.programs)
            a, b = (f"[{end}]:4500" if family == 6 else f"{end}:4500" for end in tunnel.ends)
            frames = net.relay.capture()
            for size in (28, 300, 1300, 4000):
                for sender, receiver, local, remote in ((left, right, a, b), (right, left, b, a)):
                    message = os.urandom(size)
                    sender.socket.send(f"local={local} remote={remote} dscp=0\n".encode() + message)
                    head, _, body = receiver.socket.recv(1 << 17).partition(b"\n")
                    assert body == message, f"{size} bytes"
                    fields = dict(word.split("=", 1) for word in head.decode().split())
                    assert (fields["local"], fields["remote"]) == (remote, local), head
            first = next(o for _, frame in frames if (o := rfc9227.outer(frame)) and o.protocol == rfc9227.UDP)
            assert first.body[8:12] == bytes(4) and first.ports == (4500, 4500), "the marker is on the wire"
            assert ping(net.left, LEFT[4], RIGHT[4])
            again = tunnel.left.connection("ike")
            right.socket.send(f"local={b} remote={a} dscp=0\n".encode() + b"to the new connection")
            assert again.socket.recv(1 << 17).endswith(b"\nto the new connection")


def test_counts(net: Lab):
    """Counters of SAs, metrics and the text for people."""
    with net.tunnel() as tunnel:
        there, back = tunnel.connect()
        sizes = list(range(100, 600, 50))
        assert not datagrams(net.left, net.right, LEFT[4], RIGHT[4], sizes)
        for program in tunnel.programs:
            counts = there.counts(program)
            assert (counts["packets"], counts["bytes"]) == (len(sizes), sum(sizes) + 28 * len(sizes)), counts
            assert abs(counts["used"] - time.time()) < 30, counts
        fields = there.query(tunnel.left)
        assert (fields["direction"], fields["leaf"], fields["sequence"]) == ("out", "0000000000", str(len(sizes))), fields
        assert back.counts(tunnel.left)["packets"] == 0
        text = tunnel.left.control.text("metrics").split("\n", 1)[1]
        for line in text.splitlines():
            assert re.fullmatch(r"# (HELP|TYPE) \w+ .*|\w+(\{(\w+=\"[^\"]*\",?)*\})? [-+.\deE]+", line), f"no Prometheus text: {line}"
        assert any(value == len(sizes) for value in tunnel.left.metrics().values()), text
        assert there.spi in tunnel.left.control.text("status")
        used = tunnel.left.control("policy-query", direction="out", source="10.77.1.0/24", destination="10.77.2.0/24")["used"]
        assert abs(int(used) - time.time()) < 30, used
        gone = tunnel.left.control("delete", spi=there.spi, destination=there.destination)
        assert int(gone["packets"]) == len(sizes), gone


CLOCK = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
static volatile long *ahead;
__attribute__((constructor)) static void begin(void) {
    ahead = mmap(0, 8, PROT_READ, MAP_SHARED, open(getenv("AHEAD"), O_RDONLY), 0);
}
int clock_gettime(clockid_t clock, struct timespec *now) {
    static int (*real)(clockid_t, struct timespec *);
    if (!real) real = dlsym(RTLD_NEXT, "clock_gettime");
    int result = real(clock, now);
    if (clock == CLOCK_REALTIME) now->tv_sec += *ahead;
    return result;
}
"""


def test_messages_of_the_kernel(net: Lab):
    """A thousand messages about devices, while the program is busy, are no sign of a clone."""
    device = Path("/sys/class/mem/null/uevent")
    if not os.access(device, os.W_OK):
        print("skipped: messages of the kernel: no writable /sys")
        return
    with net.tunnel() as tunnel:
        there, _ = tunnel.connect()
        tunnel.left.process.send_signal(signal.SIGSTOP)
        for _ in range(1000):
            device.write_text("change")
        tunnel.left.process.send_signal(signal.SIGCONT)
        time.sleep(0.3)
        there.query(tunnel.left)
        assert ping(net.left, LEFT[4], RIGHT[4])


def test_clone(net: Lab, folder: Path):
    """The clock of the day jumps, as after a snapshot: all SAs end, and the daemon is told. A small library moves the clock."""
    if not shutil.which("cc"):
        print("skipped: the clone: no cc (apt-get install gcc)")
        return
    (folder / "ahead").write_bytes(bytes(8))
    done = subprocess.run(["cc", "-shared", "-fPIC", "-o", folder / "clock.so", "-x", "c", "-"], input=CLOCK, text=True, capture_output=True)
    assert done.returncode == 0, done.stderr
    with net.tunnel(RELAYED, env={"LD_PRELOAD": f"{folder}/clock.so", "AHEAD": f"{folder}/ahead"}) as tunnel:
        there, _ = tunnel.connect()
        events = tunnel.left.connection("subscribe")
        assert ping(net.left, LEFT[4], RIGHT[4])
        frames = net.relay.capture()
        (folder / "ahead").open("r+b").write((86400).to_bytes(8, "little"))
        events.event("cloned", 15)
        try:
            there.query(tunnel.left)
            raise AssertionError("the SA is still in use")
        except Refused as refused:
            assert refused.reason == "not-found", refused
        before = len(esp_frames(frames))
        assert not ping(net.left, LEFT[4], RIGHT[4], seconds=0.5) and len(esp_frames(frames)) == before
