"""Packets on the wire and inside: formats, data equal at both ends, troubles of the line, path MTU."""

import contextlib
import itertools
import shutil
import socket
import struct
import time

import lab
import relay
import rfc9227
from lab import RELAYED, Lab
from traffic import INSIDE, LEFT, LONG, RIGHT, Stream, datagrams, ping, transfer


def esp_frames(frames, side: int = 0) -> list[tuple[rfc9227.Outer, bytes]]:
    """The ESP packets from a side, with their outer packets."""
    outers = [rfc9227.outer(frame) for n, frame in frames if n == side]
    return [(o, o.esp) for o in outers if o and o.esp]


def inner_udp(source: str, destination: str, port: int, data: bytes) -> bytes:
    """An inner packet of IPv4."""
    body = relay.udp(4000, port, data)
    return relay.ipv4(socket.inet_aton(source), socket.inet_aton(destination), rfc9227.UDP, body)


def test_known_answers(_: Lab):
    assert rfc9227.known_answers() == 8


def test_second_implementation(net: Lab):
    """Each transform, ESN, carrier and family: packets of bulat-esp are opened by the second implementation, and the other way."""
    for family in (4, 6):
        with net.tunnel(RELAYED, family) as tunnel:
            for udp, transform, esn in itertools.product((True, False), rfc9227.TRANSFORMS, (True, False)):
                label = f"IPv{family}, {'UDP' if udp else 'protocol 50'}, transform {transform}, ESN {esn}"
                tunnel.flush()
                there, back = tunnel.connect(transform, esn, "4500:4500" if udp else None)
                frames = net.relay.capture()
                for size in (0, 1, 2, 3, 200):
                    for inside in (4, 6):
                        assert ping(net.left, LEFT[inside], RIGHT[inside], b"x" * size), f"{label}: ping IPv{inside}, {size} bytes"
                for way, side in ((there, 0), (back, 1)):
                    found = esp_frames(frames, side)
                    assert len(found) == 10, f"{label}: {len(found)} ESP packets"
                    for n, (outer, esp) in enumerate(found):
                        opened = way.association.open(esp)
                        version = opened.text[0] >> 4
                        assert (opened.sequence, opened.leaf, opened.number) == (n + 1, bytes(5), n), f"{label}: {opened}"
                        assert opened.next_header == {4: rfc9227.IPV4, 6: rfc9227.IPV6}[version], f"{label}: {opened}"
                        length = struct.unpack(">H", opened.text[2:4])[0] if version == 4 else 40 + struct.unpack(">H", opened.text[4:6])[0]
                        assert length == len(opened.text), f"{label}: {opened}"
                        assert (outer.version, outer.protocol) == (family, rfc9227.UDP if udp else rfc9227.ESP), label
                        assert outer.dont_fragment and not outer.fragment and outer.ttl == 64, f"{label}: {outer}"
                with net.right.open(socket.SOCK_DGRAM, RIGHT[4]) as s:
                    for n, data in enumerate((b"", b"from the second implementation")):
                        text = inner_udp(LEFT[4], RIGHT[4], s.getsockname()[1], data)
                        # The leaf is not the first, and the padding is longer than it must be.
                        esp = there.association.seal(11 + n, 1 << 24 | 7 + n, text, pad=rfc9227.padding(len(text), 8 * n))
                        net.relay.inject(net.frame(there, esp, udp), 0)
                        assert s.recv(100) == data, label
                counts = there.counts(tunnel.right)
                assert counts["packets"] == 12, f"{label}: {counts}"
                assert not any(counts[fault] for fault in ("bad-icv", "replay", "selector", "malformed")), f"{label}: {counts}"


def test_data(net: Lab):
    """TCP each way equal by hash and UDP of all sizes; IPv4 and IPv6, inside and outside; UDP and protocol 50; without offloads."""
    for family, options in ((4, ()), (6, ()), (4, ("--no-offloads",))):
        with net.tunnel(family=family, options=options) as tunnel:
            for transform, ports, esn in ((32, "4500:4500", True), (33, "4500:4500", False), (33, None, True), (32, None, False)):
                tunnel.flush()
                tunnel.connect(transform, esn, ports)
                for inside in (4, 6):
                    transfer(net.left, net.right, LEFT[inside], RIGHT[inside], 30_000_017 if LONG else 3_000_017)
                    if LONG or (transform, ports is None) == (33, False):
                        sizes = [*range(1501), *range(2000, 9000, 777), *range(9000, 60001, 5100)]
                        lost = datagrams(net.left, net.right, LEFT[inside], RIGHT[inside], sizes)
                        assert not lost, f"IPv{inside} in IPv{family}: datagrams of these sizes are lost: {lost}"


def test_forwarding(net: Lab):
    """A host behind the gateway: its packets, with offloads of their own, pass through the forward policies."""
    with net.tunnel() as tunnel:
        tunnel.connect(rfc9227.MAGMA)
        for inside in (4, 6):
            assert ping(net.inside, INSIDE[inside], RIGHT[inside]), f"ping IPv{inside}"
            transfer(net.inside, net.right, INSIDE[inside], RIGHT[inside])
            # The first that is too long only tells the sender of the TUN's MTU.
            lost = datagrams(net.inside, net.right, INSIDE[inside], RIGHT[inside], (1450, *range(0, 9000, 97)))
            assert lost in ([], [1450]), f"IPv{inside}: datagrams of these sizes are lost: {lost}"


def test_leaves(net: Lab):
    """A leaf of Magma ends after 2^28 bytes, in the middle of a transfer."""
    with net.tunnel() as tunnel:
        there, _ = tunnel.connect(rfc9227.MAGMA)
        transfer(net.left, net.right, LEFT[4], RIGHT[4], 600_000_000 if LONG else 280_000_000, 100)
        leaf = int(there.query(tunnel.right)["leaf"], 16)
        assert leaf == (2 if LONG else 1), f"leaf {leaf}"
        assert [leaf] == [value for name, value in tunnel.right.metrics().items() if "sa_leaf{" in name and there.spi in name]


def test_queues(net: Lab):
    """Two queues with a UDP port and a pair of SAs each."""
    with net.tunnel(options=("--queues", "2", "--port", "4500", "--port", "4501")) as tunnel:
        hello = tunnel.left.control("hello")
        assert (hello["queues"], hello["ports"]) == ("2", "4500,4501"), hello
        tunnel.policies()
        pairs = [tunnel.add(rfc9227.MAGMA, ports=f"{port}:{port}", out={"queue": queue}) for queue, port in enumerate((4500, 4501))]
        for _ in range(8):
            transfer(net.left, net.right, LEFT[4], RIGHT[4], 300_000)
        for there, _ in pairs:
            assert there.counts(tunnel.right)["packets"], "each pair carries flows"


def test_many_associations(net: Lab):
    """Many flows together, each under its own policy and SA: each SA carries its flow and no other."""
    with net.tunnel(RELAYED) as tunnel, contextlib.ExitStack() as stack:
        flows = []
        for n in range(24):
            tunnel.policies(n + 1, protocol=17, destination_ports=f"{7000 + n}-{7000 + n}")
            there, _ = tunnel.add(rfc9227.TRANSFORMS[n % 4], reqid=n + 1)
            flows.append((there, stack.enter_context(net.right.open(socket.SOCK_DGRAM, RIGHT[4], 7000 + n))))
        s = stack.enter_context(net.left.open(socket.SOCK_DGRAM, LEFT[4]))
        for packet in range(100):
            for n, _ in enumerate(flows):
                s.sendto(bytes([n]) * (packet + n), (RIGHT[4], 7000 + n))
            time.sleep(0.002)
        for n, (there, r) in enumerate(flows):
            for packet in range(100):
                assert r.recv(1000) == bytes([n]) * (packet + n), f"flow {n}, packet {packet}"
            assert there.counts(tunnel.right)["packets"] == 100, there.counts(tunnel.right)
        # A packet of the first flow, under its own keys and then under the second flow's.
        for n, (there, _) in enumerate(flows[:2]):
            net.relay.inject(net.frame(there, there.association.seal(101, 1 << 24, inner_udp(LEFT[4], RIGHT[4], 7000, b"x"))), 0)
            want = {"packets": 101, "selector": n}
            lab.until(lambda: want.items() <= there.counts(tunnel.right).items(), lambda: f"SA {n}: {there.counts(tunnel.right)}")  # noqa: B023


def test_trouble_of_the_line(net: Lab):
    """Loss, reordering, duplicates and delay: all that arrives is right, and nothing arrives twice."""
    with net.tunnel(RELAYED) as tunnel:
        there, _ = tunnel.connect(rfc9227.MAGMA)
        net.relay.trouble(loss=0.05, twice=0.1, late=0.2, delay=0.005)
        stream = Stream(net.left, net.right, LEFT[4], RIGHT[4], 1500)
        time.sleep(20 if LONG else 3)
        lost = stream.stop()
        assert lost < stream.sent * 0.1, f"{lost} of {stream.sent} datagrams are lost"
        counts = there.counts(tunnel.right)
        assert counts["replay"] > stream.sent * 0.05 and not counts["bad-icv"], counts
        net.relay.trouble(loss=0.005, twice=0.02, late=0.05)
        transfer(net.left, net.right, LEFT[6], RIGHT[6], 1_000_000)


def test_ecn(net: Lab):
    """RFC 6040: ECT is copied out, and DSCP is not; CE comes back to ECT packets, and CE on a packet that is not ECT drops it."""
    with net.tunnel(RELAYED) as tunnel:
        there, _ = tunnel.connect()

        def congest(side, frame):
            if frame[12:14] == b"\x08\0" and frame[23] == rfc9227.UDP:
                head = bytearray(frame[14:34])
                head[1] |= 3
                head[10:12] = bytes(2)
                head[10:12] = relay.checksum(head).to_bytes(2, "big")
                frame = frame[:14] + bytes(head) + frame[34:]
            return [(0, frame)]

        with net.left.open(socket.SOCK_DGRAM, LEFT[4]) as s, net.right.open(socket.SOCK_DGRAM, RIGHT[4]) as r:
            r.setsockopt(socket.IPPROTO_IP, 13, 1)  # IP_RECVTOS
            for tos, congested, want in ((0, False, 0), (1, False, 1), (2, False, 2), (3, False, 3), (0xB9, False, 0xB9), (2, True, 3), (1, True, 3), (0, True, None)):
                frames = net.relay.capture()
                net.relay.act = congest if congested else lambda side, frame: [(0, frame)]
                s.setsockopt(socket.IPPROTO_IP, socket.IP_TOS, tos)
                s.sendto(bytes([tos]), r.getsockname())
                r.settimeout(30 if want is not None else 0.5)
                try:
                    _, ancillary, _, _ = r.recvmsg(100, 100)
                    got = ancillary[0][2][0]
                except TimeoutError:
                    got = None
                assert got == want, f"inner ECN {tos}, congested {congested}: {got} arrives, not {want}"
                found = [(o.tos, there.association.open(esp)) for o, esp in esp_frames(frames)]
                assert len(found) == 1 and found[0][0] == tos & 3, f"inner {tos}: {found}"


def test_padding_of_flows(net: Lab):
    """TFC: packets of equal length outside, cut by the inner length; dummy packets are no fault."""
    with net.tunnel(RELAYED) as tunnel:
        there, _ = tunnel.connect(out={"tfc": 600})
        frames = net.relay.capture()
        assert not datagrams(net.left, net.right, LEFT[4], RIGHT[4], range(0, 500, 99))
        lengths = {len(esp) for _, esp in esp_frames(frames)}
        assert len(lengths) == 1, f"lengths with TFC: {lengths}"
        for _, esp in esp_frames(frames):
            opened = there.association.open(esp)
            length = int.from_bytes(opened.text[2:4], "big")
            assert not any(opened.text[length:]) and len(opened.text) >= 600, "zeros follow the packet"
        with net.right.open(socket.SOCK_DGRAM, RIGHT[4]) as s:
            text = inner_udp(LEFT[4], RIGHT[4], s.getsockname()[1], b"padded") + bytes(300)
            for n, (inside, header) in enumerate(((b"", 59), (b"anything", 59), (bytes(1200), 59), (text, 4))):
                net.relay.inject(net.frame(there, there.association.seal(1000 + n, 1 << 20 | n, inside, header)), 0)
            assert s.recv(2000) == b"padded"
        counts = there.counts(tunnel.right)
        assert counts["bytes"] == sum(28 + size for size in (*range(0, 500, 99), 6)), counts
        assert not any(counts[fault] for fault in ("bad-icv", "replay", "selector", "malformed")), counts


ASKS, ANSWERS = b"bulatMTU\1\1", b"bulatMTU\1\2"
ROUTER = {4: socket.inet_aton("10.99.0.254"), 6: socket.inet_pton(socket.AF_INET6, "fd99::fe")}


def path_mtu(program: lab.Program, way: lab.Way) -> float:
    return next(value for name, value in program.metrics().items() if "path_mtu" in name and way.spi in name)


def test_path_mtu(net: Lab):
    """The path's MTU falls in a run: senders inside are told, the transfer continues, and no outer packet is a fragment."""
    with net.tunnel(RELAYED, mtu=1442) as tunnel:
        there, _ = tunnel.connect(rfc9227.MAGMA)
        assert not datagrams(net.left, net.right, LEFT[4], RIGHT[4], (1400, 5000))
        narrow = lab.later(lambda: (time.sleep(0.1), net.relay.narrow(1350, ROUTER[4])))
        frames = net.relay.capture()
        transfer(net.left, net.right, LEFT[4], RIGHT[4], 8_000_000)
        narrow.join()
        transfer(net.left, net.right, LEFT[6], RIGHT[6], 500_000)
        assert not any(outer.fragment for frame in frames if (outer := rfc9227.outer(frame[1]))), "an outer packet is a fragment"
        for family, level, name, discover in ((4, socket.IPPROTO_IP, 14, 10), (6, socket.IPPROTO_IPV6, 24, 23)):
            with net.left.open(socket.SOCK_DGRAM, LEFT[family]) as s:
                s.setsockopt(level, discover, 2)  # IP_MTU_DISCOVER, DO
                s.connect((RIGHT[family], 9))
                for _ in range(3):
                    try:
                        s.send(bytes(1380))
                    except OSError:
                        break
                    time.sleep(0.2)
                mtu = s.getsockopt(level, name)  # IP_MTU
                assert 1280 <= mtu <= 1350 - 28 - 16 - 8 - 2, f"IPv{family}: senders are told an MTU of {mtu}"
        assert path_mtu(tunnel.left, there) == 1350
        # Without DF long packets go as fragments inside.
        with net.left.open(socket.SOCK_DGRAM, LEFT[4]) as s, net.right.open(socket.SOCK_DGRAM, RIGHT[4]) as r:
            s.setsockopt(socket.IPPROTO_IP, 10, 0)
            s.sendto(bytes(1390), r.getsockname())
            assert len(r.recv(2000)) == 1390


def test_reports(net: Lab):
    """Routers' reports: the quoted packet must be one that was sent. One who cannot see SPIs lowers the MTU to 1280 at most."""
    for family, udp in ((4, True), (4, False), (6, True), (6, False)):
        with net.tunnel(RELAYED, family) as tunnel:
            there, _ = tunnel.connect(ports="4500:4500" if udp else None)
            frames = net.relay.capture()
            assert not datagrams(net.left, net.right, LEFT[4], RIGHT[4], range(1000, 1005))
            genuine = next(frame for side, frame in frames if side == 0 and (o := rfc9227.outer(frame)) and o.esp)
            start = 14 + (20 if family == 4 else 40) + (8 if udp else 0)
            other = 30 if family == 4 else 38

            def told(mtu: int, want: int, label: str, change: int | None = None, quoted: int = 1000):
                """Sends a report, after which the path's MTU is `want`; a changed byte of the packet makes it a forged one."""
                frame = bytearray(genuine)
                if change is not None:
                    frame[change] ^= 0x40
                net.relay.inject(relay.report(bytes(frame), mtu, ROUTER[family], quoted), 1)  # noqa: B023
                time.sleep(0.15)
                found = lambda: path_mtu(tunnel.left, there)  # noqa: B023, E731
                lab.until(lambda: found() == want, lambda: f"{label}: the path's MTU is {found()}, not {want}", 10)

            label = f"IPv{family}, UDP: {udp}"
            # SPI, sequence number, destination.
            for change in (start, start + 3, start + 4, start + 7, other):
                told(1300, 1500, f"{label}: a forged report is believed: byte {change}", change)
            assert ping(net.left, LEFT[4], RIGHT[4], bytes(1360)) and path_mtu(tunnel.left, there) == 1500, f"{label}: the system believes them"
            if udp:
                told(1300, 1500, f"{label}: another port", start - 5, 8)
                # A router of IPv6 quotes more.
                told(1290, 1290 if family == 4 else 1500, f"{label}: a router that quotes 8 bytes", quoted=8)
                if family == 4:
                    told(600, 1280, f"{label}: 8 bytes do not lower below 1280", quoted=8)
            else:
                told(1300, 1500, f"{label}: a report without SPI and number", quoted=0)
            want = {4: 800, 6: 1285}[family]
            told(want, 1285 if family == 6 and not udp else min(want, 1285), label)
            told(want - 20, want - 20 if family == 4 else want, label)
            assert ping(net.left, LEFT[4], RIGHT[4]), label


def test_wider_path(net: Lab):
    """A narrow path is tried again by dummy packets: no other packet is lost meanwhile, and a wider path is used again."""
    with net.tunnel(RELAYED, options=("--narrow", "1")) as tunnel:
        there, _ = tunnel.connect(rfc9227.MAGMA)
        net.relay.narrow(1400, ROUTER[4])
        datagrams(net.left, net.right, LEFT[4], RIGHT[4], (1372,) * 2)
        assert path_mtu(tunnel.left, there) == 1400
        frames = net.relay.capture()
        stream = Stream(net.left, net.right, LEFT[4], RIGHT[4], 200, 1200)
        tried = lambda: [esp for o, esp in esp_frames(frames) if len(o.body) == 1480]  # noqa: E731
        lab.until(lambda: len(tried()) > 1, "two dummy packets")
        assert path_mtu(tunnel.left, there) == 1400
        net.relay.narrow(1450, ROUTER[4])
        lab.until(lambda: path_mtu(tunnel.left, there) == 1450, "the path is wider")
        net.relay.forward()
        lab.until(lambda: path_mtu(tunnel.left, there) == 1500, "the path is wide")
        lost = stream.stop()
        assert not lost, f"{lost} of {stream.sent} datagrams are lost"
        opened = there.association.open(tried()[0])
        assert opened.next_header == rfc9227.DUMMY and opened.text.startswith(ASKS) and not any(opened.text[20:]), opened
        assert not datagrams(net.left, net.right, LEFT[4], RIGHT[4], (1372,))


SILENT_ROUTER = """add table inet t; add chain inet t out { type filter hook output priority 0; };
    add rule inet t out icmp type destination-unreachable drop; add rule inet t out icmpv6 type packet-too-big drop"""


def test_black_hole(net: Lab):
    """A router with links of 1400 bytes sends no ICMP: TCP goes through both ways, and each end finds the path's MTU."""
    if not shutil.which("nft"):
        print("skipped: the silent router: no nft (apt-get install nftables)")
        return
    router = lab.Host("router")
    try:
        for n, host in enumerate((net.left, net.right)):
            lab.link(host, "hop", router, f"h{n}")
            host.ip(f"addr add 10.97.0.{n + 1}/32 dev hop", f"addr add fd97::{n + 1}/128 dev hop nodad")
            host.ip("route add 10.97.0.254 dev hop", f"route add 10.97.0.{2 - n} via 10.97.0.254")
            host.ip("route add fd97::fe dev hop", f"route add fd97::{2 - n} via fd97::fe")
            # It asks for neighbours from its local address.
            router.ip(f"addr add fe80::{n + 1}/64 dev h{n} nodad", f"addr add 10.97.0.254/32 dev h{n}", f"addr add fd97::fe/128 dev h{n} nodad")
            router.ip(f"route add 10.97.0.{n + 1} dev h{n} mtu lock 1400", f"route add fd97::{n + 1} dev h{n} mtu lock 1400")
        router.forwards()
        assert router.start(["nft", SILENT_ROUTER]).wait(10) == 0
        for family, udp in ((4, True), (6, False)):
            with net.tunnel("97", family) as tunnel:
                there, back = tunnel.connect(ports="4500:4500" if udp else None)
                transfer(net.left, net.right, LEFT[4], RIGHT[4], 1_000_000)
                mtus = lambda: (path_mtu(tunnel.left, there), path_mtu(tunnel.right, back))  # noqa: B023, E731
                lab.until(lambda: mtus() == (1400, 1400), lambda: f"IPv{family}: {mtus()}")  # noqa: B023
                assert not datagrams(net.left, net.right, LEFT[4], RIGHT[4], (1300, 3000))
                assert [probes(program)["lowered"] for program in tunnel.programs] == [1, 1]
    finally:
        router.close()


def probes(program: lab.Program) -> dict[str, float]:
    return {event: program.metrics()[f'bulat_esp_probes_total{{event="{event}"}}'] for event in ("sent", "answered", "lowered")}


def test_probes(net: Lab):
    """Probes of the second implementation are answered, few of them, no replay and no forged one. A peer that answers none is
    left as it was; the next SAs find out that the path drops long packets."""
    with net.tunnel(RELAYED) as tunnel:
        there, back = tunnel.connect()
        frames = net.relay.capture()
        asks = [there.association.seal(n, n, ASKS + bytes(2) + b"12345678" + bytes(99), rfc9227.DUMMY) for n in range(101, 121)]
        for esp in (*asks, *asks, asks[0][:4] + b"\0\0\1" + asks[0][7:]):
            net.relay.inject(net.frame(there, esp), 0)
        lab.until(lambda: len(esp_frames(frames, 1)) >= 4, "four answers")
        time.sleep(0.5)
        answers = [back.association.open(esp) for _, esp in esp_frames(frames, 1)]
        assert 4 <= len(answers) <= 8, answers
        want = (rfc9227.DUMMY, ANSWERS + len(asks[0]).to_bytes(2, "big") + b"12345678")
        assert all((answer.next_header, answer.text) == want for answer in answers), answers
        lab.until(lambda: there.counts(tunnel.right)["packets"] == 20, lambda: f"20 asks: {there.counts(tunnel.right)}")
        tunnel.right.control("delete", spi=back.spi, destination=back.destination)
        hole = lambda most: lambda side, frame: [] if len(frame) - 14 > most else [(0, frame)]  # noqa: E731
        net.relay.act = hole(1400)
        assert len(datagrams(net.left, net.right, LEFT[4], RIGHT[4], (1372,) * 3)) == 3
        lab.until(lambda: probes(tunnel.left)["sent"] == 6, lambda: f"six probes: {probes(tunnel.left)}")
        time.sleep(1.5)
        assert path_mtu(tunnel.left, there) == 1500 and probes(tunnel.left) == {"sent": 6, "answered": 0, "lowered": 0}
        assert not datagrams(net.left, net.right, LEFT[4], RIGHT[4], (1000, 1300))
        there, _ = tunnel.add()
        datagrams(net.left, net.right, LEFT[4], RIGHT[4], (1372,))
        lab.until(lambda: path_mtu(tunnel.left, there) == 1400, lambda: f"found: {path_mtu(tunnel.left, there)}")
        if LONG:
            net.relay.act = hole(1300)
            stream = Stream(net.left, net.right, LEFT[4], RIGHT[4], 100, 1300)
            lab.until(lambda: path_mtu(tunnel.left, there) == 1300, lambda: f"in a run: {path_mtu(tunnel.left, there)}")
            stream.stop()


def test_short_packets_of_ipv6(net: Lab):
    """Packets of IPv6 up to 1280 bytes pass a path that is too narrow for them: in fragments outside, or cut by routers."""
    for family, udp in ((4, True), (4, False), (6, True)):
        with net.tunnel(RELAYED, family) as tunnel:
            tunnel.connect(ports="4500:4500" if udp else None)
            net.relay.narrow({4: 900, 6: 1280}[family], ROUTER[family])
            # The first tells the narrow path, the second tells the sender.
            for size in (1232, 3000):
                datagrams(net.left, net.right, LEFT[6], RIGHT[6], (size,))
            frames = net.relay.capture()
            lost = datagrams(net.left, net.right, LEFT[6], RIGHT[6], (1232, 1231, 0, 1200, 3000))
            assert not lost, f"IPv{family}, UDP: {udp}: datagrams of these sizes are lost: {lost}"
            outers = [outer for _, frame in frames if (outer := rfc9227.outer(frame))]
            assert any(outer.fragment if udp else not outer.dont_fragment for outer in outers)
            transfer(net.left, net.right, LEFT[6], RIGHT[6], 300_000)


def test_narrow_device(net: Lab):
    """The MTU of the outer devices falls: the transfer continues."""

    def devices(mtu: int):
        # Both: a veth drops what its peer's MTU does not allow, without a word, but for super-packets.
        for host in (net.left, net.right):
            host.ip(f"link set direct mtu {mtu}")

    with net.tunnel(family=6, mtu=1420) as tunnel:
        tunnel.connect()
        try:
            narrow = lab.later(lambda: (time.sleep(0.1), devices(1400)))
            for inside in (4, 6):
                transfer(net.left, net.right, LEFT[inside], RIGHT[inside], 8_000_000)
            narrow.join()
            assert not datagrams(net.left, net.right, LEFT[4], RIGHT[4], (1000, 3000, 9000))
        finally:
            devices(1500)
