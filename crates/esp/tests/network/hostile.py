"""Packets of others: repeated, changed, forged, outside of the policies, malformed under the right keys; a program that is killed."""

import collections
import random
import socket
import time

import lab
import relay
import rfc9227
from data import esp_frames, inner_udp
from lab import RELAYED, Lab, until
from traffic import LEFT, LONG, RIGHT, Stream, flood, fork, ping

FAULTS = ("bad-icv", "replay", "selector", "malformed")


def faults(way: lab.Way) -> collections.Counter:
    return collections.Counter({name: n for name, n in way.counts(way.receiver).items() if name in FAULTS and n})


def inject(net: Lab, frames):
    """Sends frames to the right, not faster than a loaded machine can read them."""
    for n, frame in enumerate(frames, 1):
        net.relay.inject(frame, 0)
        if n % 32 == 0:
            time.sleep(0.004)


def test_replay(net: Lab):
    """A whole capture sent again, in order and shuffled: each packet is refused and counted."""
    with net.tunnel(RELAYED) as tunnel:
        # With ESN a packet below the window has another number, and a wrong ICV: here the window holds all.
        for transform, esn, window in ((33, False, 64), (32, True, 4096)):
            tunnel.flush()
            there, _ = tunnel.connect(transform, esn, into={"window": window})
            frames = net.relay.capture()
            stream = Stream(net.left, net.right, LEFT[4], RIGHT[4], 2000, 100)
            time.sleep(0.5)
            lost = stream.stop()
            assert not lost, f"{lost} of {stream.sent} datagrams are lost"
            captured = [frame for side, frame in frames if side == 0 and (o := rfc9227.outer(frame)) and o.esp]
            before = there.counts(tunnel.right)
            assert before["packets"] == len(captured) and not faults(there), before
            again = captured + captured[::-1] + random.sample(captured, len(captured))
            inject(net, again)
            until(lambda: faults(there)["replay"] >= len(again), lambda: f"{len(again)} replays: {faults(there)}")  # noqa: B023
            after = there.counts(tunnel.right)
            assert after["packets"] == before["packets"] and faults(there) == {"replay": len(again)}, after


def test_each_bit(net: Lab):
    """Each bit of a packet changed: refused; then the packet itself passes."""
    with net.tunnel(RELAYED) as tunnel, net.right.open(socket.SOCK_DGRAM, RIGHT[4]) as s:
        for transform in rfc9227.TRANSFORMS:
            tunnel.flush()
            there, _ = tunnel.connect(transform)
            esp = there.association.seal(1, 0, inner_udp(LEFT[4], RIGHT[4], s.getsockname()[1], b"genuine"))
            unknown = tunnel.right.dropped("no-inbound-sa")
            whole, bits = int.from_bytes(esp, "big"), 8 * len(esp)
            inject(net, (net.frame(there, (whole ^ 1 << bit).to_bytes(len(esp), "big")) for bit in range(bits)))
            refused = bits - 32  # The other changes name other SPIs.
            until(lambda: faults(there).total() >= refused, lambda: f"{refused} refusals: {faults(there)}")  # noqa: B023
            assert faults(there).total() == refused and not there.counts(tunnel.right)["packets"], faults(there)
            assert tunnel.right.dropped("no-inbound-sa") == unknown + 32, "packets of other SPIs are counted"
            net.relay.inject(net.frame(there, esp), 0)
            assert s.recv(100) == b"genuine", f"transform {transform}"


def test_forged_flood(net: Lab):
    """Forged packets with the right SPI, 20,000 a second, from the peer's address and from a different port, under the leaf in use and
    under leaves by chance: genuine packets pass, nothing else changes, and other leaves cost three times as much at most."""
    with net.tunnel(RELAYED) as tunnel:
        events = tunnel.right.connection("subscribe")
        for transform in (32, 33):
            costs = []
            for leaf in (5, 0):
                tunnel.flush()
                there, _ = tunnel.connect(transform)
                chance = random.Random(transform)
                forged = []
                for n in range(4000):
                    # A number above the window costs a look at the ICV.
                    esp = there.association.spi.to_bytes(4, "big") + (n + (1 << 24)).to_bytes(4, "big") + bytes(leaf)
                    frame = net.frame(there, esp + chance.randbytes(8 - leaf + 4 * chance.randrange(4, 20) + there.association.icv))
                    forged.append(frame[:34] + (4500 + n % 2).to_bytes(2, "big") + frame[36:])
                # A machine that stops for a moment loses packets: tried three times.
                for _ in range(3):
                    assert ping(net.left, LEFT[4], RIGHT[4])
                    forger = fork.Process(target=flood, args=(net.relay.sockets[1], forged, 20_000, 10 if LONG else 2.5), daemon=True)
                    costly, refused = lab.processor(tunnel.right.process.pid), faults(there)["bad-icv"]
                    forger.start()
                    stream = Stream(net.left, net.right, LEFT[4], RIGHT[4], 500)
                    time.sleep(8 if LONG else 2)
                    lost = stream.stop()
                    forger.join()
                    seen = faults(there)
                    if lost <= stream.sent * 0.02:
                        break
                refused = seen["bad-icv"] - refused
                costs.append((lab.processor(tunnel.right.process.pid) - costly) / refused)
                assert lost <= stream.sent * 0.02, f"{lost} of {stream.sent} genuine datagrams are lost"
                assert set(seen) == {"bad-icv"} and refused > 10_000, seen
                assert ping(net.left, LEFT[4], RIGHT[4])
                ends = lambda *fields: [[there.query(program)[field] for field in fields] for program in tunnel.programs]  # noqa: B023, E731
                until(lambda: len(set(map(tuple, ends("sequence", "leaf")))) == 1, lambda: f"window and leaf stay: {ends('sequence', 'leaf')}")  # noqa: B023
                (sent,), (got,) = ends("packets")
                assert int(got) <= int(sent), f"forged packets are counted as genuine: {got} of {sent}"
            assert costs[1] <= 3 * costs[0], f"transform {transform}: nanoseconds of a forged packet: {costs}"
        try:
            raise AssertionError(f"forged packets move the peer: {events.event('mapping', 0.3)}")
        except TimeoutError:
            pass


def test_malformed_inside(net: Lab):
    """Packets under the right keys that are no proper IP packets stop nobody."""
    with net.tunnel(RELAYED) as tunnel, net.right.open(socket.SOCK_DGRAM, RIGHT[4]) as s:
        there, _ = tunnel.connect()
        a, b = (socket.inet_aton(address) for address in (LEFT[4], RIGHT[4]))
        good = inner_udp(LEFT[4], RIGHT[4], s.getsockname()[1], b"good")
        six = bytes.fromhex("6000000000003b40") + b"".join(socket.inet_pton(socket.AF_INET6, x) for x in (LEFT[6], RIGHT[6]))
        wrong = [
            (b"", 4), (b"\x45", 4), (b"\x60", 41), (good[:19], 4), (six[:39], 41), (bytes(40), 4), (good, 41), (six, 4),
            (b"\x44" + good[1:], 4), (b"\x4f" + good[1:24], 4), (good[:2] + b"\xff\xff" + good[4:], 4), (good[:2] + b"\0\x13" + good[4:], 4),
            (good[:2] + bytes(2) + good[4:], 4), (six[:4] + b"\0\1" + six[6:], 41), (good, 17), (good, 0), (good, 255), (b"\x75" + good[1:], 4),
        ]  # fmt: skip
        trailers = [b"\3\2\1\3\4", b"\0\0\0\3\4", b"\xff\4", b"\1\2\3\4\7\4", b"\2\1\4"]
        packets = [there.association.seal(n, n, text, header) for n, (text, header) in enumerate(wrong, 1)]
        for tail in trailers:
            text = good + bytes(-len(good + tail) % 4)
            packets.append(there.association.seal(len(packets) + 1, len(packets) + 1, text, tail=tail))
        # Packets that IP can carry, with upper layers cut off or wrong.
        for protocol in (1, 6, 17, 58, 0, 44, 255):
            for body in (b"", b"\0", bytes(7), bytes(12) + b"\0", bytes(12) + b"\xf0" + bytes(7), b"\xff" * 30):
                packets.append(there.association.seal(len(packets) + 1, len(packets) + 1, relay.ipv4(a, b, protocol, body)))
                text = six[:4] + len(body).to_bytes(2, "big") + bytes([protocol]) + six[7:] + body
                packets.append(there.association.seal(len(packets) + 1, len(packets) + 1, text, 41))
        chance = random.Random(4303)
        for _ in range(3000 if LONG else 150):
            text = bytes([chance.choice((0x45, 0x46, 0x60, 0x4F))]) + chance.randbytes(chance.randrange(120))
            packets.append(there.association.seal(len(packets) + 1, len(packets) + 1, text, 4 if text[0] < 0x50 else 41))
        # No ESP: keepalives, short packets, bytes by chance.
        packets += [b"\xff", *(there.association.spi.to_bytes(4, "big")[: n % 5] + chance.randbytes(n % 60) for n in range(300))]
        malformed = len(wrong) + len(trailers)
        for n, esp in enumerate(packets[:malformed], 1):
            inject(net, [net.frame(there, esp)])
            until(lambda: faults(there) == {"malformed": n}, lambda: f"packet {n} is malformed: {faults(there)}")  # noqa: B023
        inject(net, (net.frame(there, esp) for esp in packets[malformed:]))
        net.relay.inject(net.frame(there, there.association.seal(len(packets) + 1, len(packets) + 1, good)), 0)
        assert s.recv(100) == b"good"
        assert not faults(there)["replay"], faults(there)


def test_extended_numbers(net: Lab):
    """The upper half of a sequence number is guessed from the lower (RFC 4303, A2)."""
    with net.tunnel(RELAYED) as tunnel, net.right.open(socket.SOCK_DGRAM, RIGHT[4]) as s:
        for esn in (True, False):
            tunnel.flush()
            there, _ = tunnel.connect(rfc9227.MAGMA, esn)
            numbers = (1 << 31, (1 << 32) - 20, (1 << 32) + 3, (1 << 32) - 5, (1 << 32) + 4) if esn else (1, (1 << 32) - 20, (1 << 32) - 1)
            for n, sequence in enumerate(numbers):
                text = inner_udp(LEFT[4], RIGHT[4], s.getsockname()[1], b"%d" % sequence)
                net.relay.inject(net.frame(there, there.association.seal(sequence, n, text)), 0)
                until(lambda: there.counts(tunnel.right)["packets"] == n + 1, lambda: f"ESN {esn}: {sequence}: {faults(there)}")  # noqa: B023
                assert s.recv(100) == b"%d" % sequence
            assert not faults(there), faults(there)
        # 2^32 packets are lost: after many refused packets later numbers are tried (A3).
        there, _ = tunnel.add(rfc9227.MAGMA)
        inject(net, [net.frame(there, there.association.seal(1 << 31, 0, text))])
        later = (net.frame(there, there.association.seal((2 << 32) + n, n, text)) for n in range(5000, 5100))
        inject(net, later)
        for n in range(5100, 5105):
            time.sleep(0.5)
            inject(net, [net.frame(there, there.association.seal((2 << 32) + n, n, text))])
        until(lambda: there.counts(tunnel.right)["sequence"] == (2 << 32) + 5104, lambda: there.query(tunnel.right))


def test_policies(net: Lab):
    """Packets outside of the policies are dropped and counted, both ways; a policy's ports and priority count."""
    with net.tunnel(RELAYED) as tunnel:
        there, _ = tunnel.connect()
        net.left.ip("addr add 10.66.0.1/32 dev lo")
        frames = net.relay.capture()
        try:
            before = tunnel.left.dropped("no-policy")
            with net.left.open(socket.SOCK_DGRAM, "10.66.0.1") as s:
                for _ in range(10):
                    s.sendto(b"outside", (RIGHT[4], 7000))
            until(lambda: tunnel.left.dropped("no-policy") >= before + 10, "10 packets without a policy are counted")
        finally:
            net.left.ip("addr del 10.66.0.1/32 dev lo")
        assert not esp_frames(frames)
        with net.right.open(socket.SOCK_DGRAM, RIGHT[4]) as s:
            s.settimeout(0.5)
            port = s.getsockname()[1]
            ends = (("10.66.0.1", RIGHT[4]), (LEFT[4], "10.66.0.1"), (RIGHT[4], LEFT[4]), (RIGHT[4], RIGHT[4]))
            for n, (source, destination) in enumerate(ends, 1):
                net.relay.inject(net.frame(there, there.association.seal(n, n, inner_udp(source, destination, port, b"outside"))), 0)
            until(lambda: faults(there)["selector"] == 4, lambda: f"4 packets outside of the policies: {faults(there)}")
            try:
                raise AssertionError(f"a packet outside of the policies arrives: {s.recv(100)}")
            except TimeoutError:
                pass
        # Only UDP to some ports.
        tunnel.flush()
        tunnel.policies(protocol=17, destination_ports="7000-7001")
        tunnel.add()
        for port, passes in ((6999, False), (7000, True), (7001, True), (7002, False)):
            with net.left.open(socket.SOCK_DGRAM, LEFT[4]) as s, net.right.open(socket.SOCK_DGRAM, RIGHT[4], port) as r:
                s.sendto(b"x", (RIGHT[4], port))
                r.settimeout(60 if passes else 0.3)
                try:
                    arrived = bool(r.recv(10))
                except TimeoutError:
                    arrived = False
                assert arrived == passes, f"port {port}"
        assert not ping(net.left, LEFT[4], RIGHT[4], seconds=0.3), "no policy is for ICMP"


def test_kill(net: Lab):
    """kill -9 of an end under load: nothing leaves in the clear, since the TUN stays with its routes; after a start new SAs work."""
    with net.tunnel(RELAYED) as tunnel:
        ways = tunnel.connect()
        frames = net.relay.capture()
        for n, program in enumerate(tunnel.programs * (10 if LONG else 1)):
            stream = Stream(net.left, net.right, LEFT[4], RIGHT[4], 1000)
            time.sleep(0.2)
            program.process.kill()
            program.process.wait()
            time.sleep(0.3)
            program.start()
            for way in ways:
                survivor = way.receiver if way.sender is program else way.sender
                survivor.control("delete", spi=way.spi, destination=way.destination)
            other = tunnel.programs[1 - tunnel.programs.index(program)]
            other.control("policy-flush")
            ways = tunnel.connect((32, 33)[n % 2])
            time.sleep(0.2)
            stream.stop()
            assert ping(net.left, LEFT[4], RIGHT[4]) and ping(net.right, RIGHT[6], LEFT[6])
        inner = ("10.77.", "fd77:")
        clear = [o for _, frame in frames if (o := rfc9227.outer(frame)) and (o.source.startswith(inner) or o.destination.startswith(inner))]
        assert not clear, f"{len(clear)} packets in the clear, first: {clear[0]}"
        assert esp_frames(frames)
