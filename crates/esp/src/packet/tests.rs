//! The functions of this room over packets of all kinds, and over bytes of no kind.

use std::net::IpAddr;

use testkit::Random;

use super::coalesce::Run;
use super::ip::{ICMP, ICMP6, Inner, TCP, UDP, set_tos};
use super::sum::Sum;
use super::vnet::{self, Kind, Vnet};
use super::{ecn, fragment, icmp, put, segment, word};

/// The sum by its definition.
fn slow(parts: &[&[u8]]) -> u16 {
    let bytes = parts.concat();
    let words = bytes.chunks(2).map(|w| u64::from(w[0]) << 8 | u64::from(*w.get(1).unwrap_or(&0)));
    let mut sum: u64 = words.sum();
    while sum > 0xffff {
        sum = (sum & 0xffff) + (sum >> 16);
    }
    sum as u16
}

/// The sum of the pseudo-header and of the part above IP.
fn upper_sum(packet: &[u8]) -> u16 {
    let inner = Inner::of(packet).expect("a packet");
    let upper = &packet[inner.header..];
    let addresses = if inner.v6 { &packet[8..40] } else { &packet[12..20] };
    let tail = [&(upper.len() as u32).to_be_bytes()[..], &[0, inner.flow.protocol]].concat();
    slow(&[addresses, &tail, upper])
}

/// Asserts that the checksums of a packet are right.
pub fn check_sums(packet: &[u8]) {
    let inner = Inner::of(packet).expect("a packet");
    if !inner.v6 {
        assert_eq!(slow(&[&packet[..inner.header]]), 0xffff, "IPv4's checksum");
    }
    if matches!(inner.flow.protocol, TCP | UDP | ICMP6) && !inner.fragment {
        assert_eq!(upper_sum(packet), 0xffff, "the checksum above IP");
    }
}

/// A packet of IP with checksums.
pub fn packet(v6: bool, protocol: u8, upper: &[u8]) -> Vec<u8> {
    let mut out = if v6 {
        let mut head = vec![0x60, 0, 0, 0, 0, 0, protocol, 64];
        head.extend([0xfd, 0x77, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]);
        head.extend([0xfd, 0x77, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2]);
        put(&mut head, 4, (upper.len() as u16).to_be_bytes());
        head
    } else {
        let mut head = vec![0x45, 0, 0, 0, 0x12, 0x34, 0x40, 0, 64, protocol, 0, 0];
        head.extend([10, 77, 0, 1, 10, 77, 0, 2]);
        put(&mut head, 2, (upper.len() as u16 + 20).to_be_bytes());
        fragment::finish(&mut head);
        head
    };
    let head = out.len();
    out.extend(upper);
    let field = match protocol {
        TCP => head + 16,
        UDP => head + 6,
        ICMP6 => head + 2,
        _ => return out,
    };
    if Inner::of(&out).is_none() {
        return out;
    }
    put(&mut out, field, [0, 0]);
    let sum = !upper_sum(&out);
    put(&mut out, field, if protocol == UDP && sum == 0 { [0xff; 2] } else { sum.to_be_bytes() });
    out
}

/// TCP's header and a payload.
pub fn tcp(options: usize, sequence: u32, flags: u8, payload: &[u8]) -> Vec<u8> {
    let mut out = vec![0x12, 0x34, 0, 80];
    out.extend(sequence.to_be_bytes());
    out.extend([1, 2, 3, 4, (5 + options as u8) << 4, flags, 0xff, 0xff, 0, 0, 0, 0]);
    out.extend(std::iter::repeat_n(1, options * 4));
    out.extend(payload);
    out
}

/// UDP's header and a payload.
pub fn udp(payload: &[u8]) -> Vec<u8> {
    let mut out = vec![0x12, 0x34, 0, 53];
    out.extend((payload.len() as u16 + 8).to_be_bytes());
    out.extend([0, 0]);
    out.extend(payload);
    out
}

/// A super-packet of the TUN.
pub fn super_packet(random: &mut Random) -> (Vnet, Vec<u8>) {
    let (v6, is_tcp) = (random.below(2) > 0, random.below(2) > 0);
    let size = 1 + random.below(1460);
    let len = (size + 1 + random.below(size * 40)).min(64_000);
    let payload = random.bytes(len);
    let options = if is_tcp { random.below(11) } else { 0 };
    let flags = 0x10 | if random.below(2) > 0 { 0x08 } else { 0 };
    let (kind, upper, offset) = match is_tcp {
        true => (
            if v6 { Kind::Tcp6 } else { Kind::Tcp4 },
            tcp(options, random.word() as u32, flags, &payload),
            16,
        ),
        false => (Kind::Udp, udp(&payload), 6),
    };
    let protocol = if is_tcp { TCP } else { UDP };
    let mut packet = packet(v6, protocol, &upper);
    let start = packet.len() - upper.len();
    // The sum of the pseudo-header.
    let sum = Sum::pseudo(&packet, protocol, upper.len()).fold();
    put(&mut packet, start + offset, sum);
    let header = start + upper.len() - payload.len();
    let vnet = Vnet {
        flags: vnet::NEEDS_CHECKSUM,
        kind,
        header: header as u16,
        segment: size as u16,
        start: start as u16,
        offset: offset as u16,
    };
    (vnet, packet)
}

/// The packets of a super-packet.
pub fn cut(vnet: &Vnet, packet: &[u8]) -> Option<Vec<Vec<u8>>> {
    let (mut all, mut packet) = (Vec::new(), packet.to_vec());
    let inner = Inner::of(&packet)?;
    let longest = segment::longest(vnet, &packet, &inner)?;
    let fine =
        segment::segment(vnet, &mut packet, &inner, |head, piece| all.push([head, piece].concat()));
    assert!(fine || all.is_empty());
    assert!(all.iter().all(|packet| packet.len() <= longest));
    fine.then_some(all)
}

/// The super-packets of packets.
fn join(packets: &[Vec<u8>]) -> Vec<(Vec<u8>, usize)> {
    let (mut all, mut rest) = (Vec::new(), packets);
    while let [first, others @ ..] = rest {
        let mut run = Run::begin(first);
        let count =
            1 + run.as_mut().map_or(0, |run| others.iter().take_while(|p| run.add(p)).count());
        let (now, after) = rest.split_at(count);
        let bytes = match &run {
            Some(run) if count > 1 => {
                let payloads = now.iter().flat_map(|p| p[run.head()..].to_vec());
                run.headers().iter().copied().chain(payloads).collect()
            }
            Some(run) => [&run.single()[..], first].concat(),
            None => [&Vnet::default().bytes()[..], first].concat(),
        };
        all.push((bytes, count));
        rest = after;
    }
    all
}

#[test]
fn sums_are_their_definition() {
    let mut random = Random::new(1);
    for len in (0..200).chain([1443, 1444, 65_535]) {
        let (bytes, more) = (random.bytes(len), random.bytes(len));
        assert_eq!(Sum::default().plus(&bytes).fold(), slow(&[&bytes]).to_be_bytes(), "{len}");
        if len % 2 == 0 {
            let both = Sum::default().plus(&bytes).plus(&more).fold();
            assert_eq!(both, slow(&[&bytes, &more]).to_be_bytes(), "{len} twice");
        }
    }
    assert_eq!(Sum::default().plus(&[0xff; 64]).udp_checksum(), [0xff; 2], "0 is no checksum");
}

#[test]
fn a_super_packet_is_cut_and_joined() {
    let mut random = Random::new(2);
    for round in 0..400 {
        let (vnet, packet) = super_packet(&mut random);
        let inner = Inner::of(&packet).expect("a packet");
        let all = cut(&vnet, &packet).expect("packets");
        let (head, size) = (usize::from(vnet.header), usize::from(vnet.segment));
        assert_eq!(all.len(), (packet.len() - head).div_ceil(size));
        let payload: Vec<u8> = all.iter().flat_map(|packet| packet[head..].to_vec()).collect();
        assert_eq!(payload, packet[head..], "round {round}");
        for (index, now) in all.iter().enumerate() {
            check_sums(now);
            let this = Inner::of(now).expect("a packet");
            assert_eq!((this.len, this.flow), (now.len(), inner.flow));
            if inner.flow.protocol == TCP {
                let flags = now[inner.header + 13];
                let last = index + 1 == all.len();
                assert_eq!(flags & 0x08 != 0, last && packet[inner.header + 13] & 0x08 != 0);
            }
        }
        let most = if inner.flow.protocol == UDP { 64 } else { usize::MAX };
        if all.len() <= most {
            let joined = join(&all);
            assert_eq!(joined.len(), 1, "round {round}: {} packets", all.len());
            assert_eq!(joined[0].0, [&vnet.bytes()[..], &packet].concat(), "round {round}");
        }
    }
}

#[test]
fn cwr_is_for_the_first_segment_and_fin_for_the_last() {
    let upper = tcp(0, 7, 0x80 | 0x10 | 0x08 | 0x01, &[0; 250]);
    let packet = packet(false, TCP, &upper);
    let vnet = Vnet { kind: Kind::Tcp4, segment: 100, ..Vnet::default() };
    let all = cut(&vnet, &packet).expect("packets");
    let flags: Vec<u8> = all.iter().map(|packet| packet[33]).collect();
    assert_eq!(flags, [0x90, 0x10, 0x19]);
    let ids: Vec<_> = all.iter().map(|packet| word(packet, 4)).collect();
    assert_eq!(ids, [Some(0x1234), Some(0x1235), Some(0x1236)]);
}

#[test]
fn a_checksum_is_completed() {
    for (protocol, upper, offset) in [(TCP, tcp(2, 1, 0x18, b"text"), 16), (UDP, udp(b"text"), 6)] {
        for v6 in [false, true] {
            let right = packet(v6, protocol, &upper);
            let start = right.len() - upper.len();
            let mut partial = right.clone();
            let sum = Sum::pseudo(&right, protocol, upper.len()).fold();
            put(&mut partial, start + offset, sum);
            let (flags, start, offset) = (vnet::NEEDS_CHECKSUM, start as u16, offset as u16);
            let vnet = Vnet { flags, start, offset, ..Vnet::default() };
            assert_eq!(cut(&vnet, &partial), Some(vec![right]));
            for (start, offset) in [(start, 9000), (9000, offset), (u16::MAX, u16::MAX)] {
                assert_eq!(cut(&Vnet { start, offset, ..vnet }, &partial), None);
            }
        }
    }
}

#[test]
fn only_packets_that_follow_are_joined() {
    let make = |number: u32, flags: u8, text: &[u8], id: u16| {
        let mut packet = packet(false, TCP, &tcp(3, number, flags, text));
        put(&mut packet, 4, id.to_be_bytes());
        fragment::finish(&mut packet[..20]);
        packet
    };
    let counts =
        |packets: &[Vec<u8>]| -> Vec<usize> { join(packets).iter().map(|j| j.1).collect() };
    let first = make(100, 0x10, &[1; 50], 7);
    let next = |f: &dyn Fn(&mut Vec<u8>)| {
        let mut packet = make(150, 0x10, &[2; 50], 8);
        f(&mut packet);
        vec![first.clone(), packet, make(200, 0x10, &[3; 50], 9)]
    };
    assert_eq!(counts(&next(&|_| {})), [3]);
    assert_eq!(counts(&next(&|p| *p = make(150, 0x18, &[2; 50], 8))), [2, 1], "PSH ends");
    assert_eq!(
        counts(&next(&|p| *p = make(150, 0x10, &[2; 40], 8))),
        [2, 1],
        "a short packet ends"
    );
    assert_eq!(counts(&next(&|p| *p = make(150, 0x10, &[2; 60], 8))), [1, 1, 1], "a longer packet");
    assert_eq!(counts(&next(&|p| *p = make(151, 0x10, &[2; 50], 8))), [1, 1, 1], "a gap");
    assert_eq!(counts(&next(&|p| *p = make(150, 0x11, &[2; 50], 8))), [1, 1, 1], "FIN");
    assert_eq!(counts(&next(&|p| *p = make(150, 0x10, &[2; 50], 11))), [1, 1, 1], "a gap of IDs");
    assert_eq!(counts(&next(&|p| p[60] ^= 1)), [1, 1, 1], "a wrong checksum");
    assert_eq!(counts(&next(&|p| p[10] ^= 1)), [1, 1, 1], "a wrong checksum of IPv4");
    assert_eq!(counts(&next(&|p| set_tos(p, 3))), [1, 1, 1], "a mark");
    // With DF the ID may stay.
    let same = [first.clone(), make(150, 0x10, &[2; 50], 7), make(200, 0x10, &[3; 50], 7)];
    assert_eq!(counts(&same), [3]);
    let mut broken = first.clone();
    broken[60] ^= 1;
    assert_eq!(counts(&[broken, make(150, 0x10, &[2; 50], 8)]), [1, 1]);
    for short in 0..20 {
        let all =
            vec![packet(false, UDP, &udp(&[5; 9])[..short.min(17)]), packet(false, UDP, &udp(&[]))];
        assert_eq!(counts(&all).len(), 2);
    }
}

#[test]
fn marks_are_combined_as_rfc_6040_says() {
    // Figure 4: rows are the inner marks, columns the outer: Not-ECT, ECT(0), ECT(1), CE.
    let (not, zero, one, ce) = (0, 2, 1, 3);
    let columns = [not, zero, one, ce];
    for (inner, row) in [
        (not, [Some(not), Some(not), Some(not), None]),
        (zero, [Some(zero), Some(zero), Some(one), Some(ce)]),
        (one, [Some(one), Some(one), Some(one), Some(ce)]),
        (ce, [Some(ce); 4]),
    ] {
        assert_eq!(columns.map(|outer| ecn::combine(inner, outer)), row, "inner {inner}");
    }
}

#[test]
fn tos_changes_and_checksums_stay() {
    for v6 in [false, true] {
        for tos in 0..=255 {
            let mut packet = packet(v6, UDP, &udp(b"text"));
            set_tos(&mut packet, tos);
            assert_eq!(Inner::of(&packet).map(|inner| inner.tos), Some(tos));
            check_sums(&packet);
        }
    }
}

#[test]
fn fragments_are_the_packet() {
    let mut random = Random::new(3);
    // Options: record route, which is not copied, and a source route, which is.
    for options in [&[][..], &[7, 7, 4, 0, 0, 0, 0, 1, 0x83, 7, 4, 1, 2, 3, 4, 0]] {
        let payload = random.bytes(3000);
        let mut whole = packet(false, UDP, &udp(&payload));
        whole.splice(20..20, options.iter().copied());
        let header = 20 + options.len();
        whole[0] = 0x40 | (header / 4) as u8;
        let total = whole.len() as u16;
        put(&mut whole, 2, total.to_be_bytes());
        put(&mut whole, 6, [0, 0]);
        fragment::finish(&mut whole[..header]);
        for mtu in [header + 8, 68, 576, 1400, 1401, 4000] {
            let mut pieces = Vec::new();
            // Twice: fragments are cut again.
            assert!(fragment::fragment(&whole, header, 2000, |head, piece| {
                let first = [head, piece].concat();
                assert!(fragment::fragment(&first, head.len(), mtu, |head, piece| {
                    pieces.push((head.to_vec(), piece.to_vec()));
                }));
            }));
            let mut got = vec![0; whole.len() - header];
            for (index, (head, piece)) in pieces.iter().enumerate() {
                let inner = Inner::of(&[&head[..], piece].concat()).expect("a packet");
                assert!(inner.len <= mtu);
                assert_eq!((inner.header, inner.later_fragment), (head.len(), index > 0));
                assert_eq!(slow(&[head]), 0xffff);
                let place = word(head, 6).expect("a header");
                assert_eq!(place & 0x2000 != 0, index + 1 < pieces.len(), "more fragments");
                let from = usize::from(place & 0x1fff) * 8;
                got[from..from + piece.len()].copy_from_slice(piece);
                if index > 0 && !options.is_empty() {
                    assert_eq!(head[20..], [0x83, 7, 4, 1, 2, 3, 4, 0]);
                }
            }
            assert_eq!(got, whole[header..]);
        }
        assert!(!fragment::fragment(&whole, header, header + 7, |_, _| panic!("no room")));
    }
}

#[test]
fn too_long_packets_are_answered() {
    for v6 in [false, true] {
        let long = packet(v6, TCP, &tcp(0, 1, 0x10, &[0; 3000]));
        let inner = Inner::of(&long).expect("a packet");
        let answer = icmp::too_big(&long, &inner, 1400).expect("an answer");
        check_sums(&answer);
        let this = Inner::of(&answer).expect("a packet");
        assert_eq!((this.len, this.flow.source), (answer.len(), inner.flow.destination));
        assert_eq!(this.flow.destination, inner.flow.source);
        let (kind, mtu, quoted, len) = match v6 {
            false => (0x0304, word(&answer, 26), 28, 576),
            true => (0x0200, word(&answer, 46), 48, 1280),
        };
        assert_eq!((this.flow.destination_port, mtu, answer.len()), (kind, Some(1400), len));
        assert_eq!(answer[quoted..], long[..answer.len() - quoted]);
        if !v6 {
            assert_eq!(slow(&[&answer[20..]]), 0xffff);
        }
        // No answer to an answer.
        assert_eq!(icmp::too_big(&answer, &this, 100), None);
    }
    let mut strange = packet(false, UDP, &udp(&[0; 2000]));
    strange[12] = 224;
    let inner = Inner::of(&strange).expect("a packet");
    assert_eq!(icmp::too_big(&strange, &inner, 1400), None, "from a multicast address");
    let ping = packet(false, ICMP, &[8, 0, 0, 0, 0, 0, 0, 0]);
    let inner = Inner::of(&ping).expect("a packet");
    assert!(icmp::too_big(&ping, &inner, 20).is_some());
}

#[test]
fn headers_of_ip_are_read() {
    let tcp = packet(true, TCP, &tcp(0, 1, 0x10, b"text"));
    let inner = Inner::of(&tcp).expect("a packet");
    let address = |text: &str| text.parse::<IpAddr>().expect("an address");
    assert_eq!(
        (inner.flow.source, inner.flow.destination),
        (address("fd77::1"), address("fd77::2"))
    );
    assert_eq!((inner.flow.source_port, inner.flow.destination_port), (0x1234, 80));
    // Hop-by-hop options, destination options, a later fragment, and TCP behind them.
    let mut long = packet(
        true,
        0,
        &[&[60, 0, 0, 0, 0, 0, 0, 0, 44, 1], &[0; 14][..], &[6, 0, 0, 9, 1, 2, 3, 4], &[0; 4]]
            .concat(),
    );
    let inner = Inner::of(&long).expect("a packet");
    assert_eq!((inner.header, inner.flow.protocol, inner.later_fragment), (72, TCP, true));
    assert_eq!((inner.flow.source_port, inner.fragment), (0, true));
    // The first fragment must have the ports.
    put(&mut long, 66, [0, 1]);
    let inner = Inner::of(&long).expect("a packet");
    assert!(inner.fragment && !inner.later_fragment);
    long.truncate(long.len() - 2);
    put(&mut long, 4, 34u16.to_be_bytes());
    assert_eq!(Inner::of(&long), None);
    let icmp = packet(true, ICMP6, &[128, 5, 0, 0, 0, 0, 0, 0]);
    assert_eq!(Inner::of(&icmp).map(|inner| inner.flow.destination_port), Some(128 * 256 + 5));
    for bad in [&[][..], &[0x45], &[0x45; 19], &[0x44; 40], &[0x65; 39], &[0x50; 60]] {
        assert_eq!(Inner::of(bad), None);
    }
}

/// A packet with changes, or bytes of no kind.
pub fn strange(random: &mut Random) -> Vec<u8> {
    let kind = random.below(8);
    let v6 = random.below(2) > 0;
    let len = random.below(200);
    let payload = random.bytes(len);
    let mut bytes = match kind {
        0 => random.bytes(len),
        1 => packet(v6, random.word() as u8, &payload),
        2 => packet(
            v6,
            if v6 { ICMP6 } else { ICMP },
            &[&[random.word() as u8, 0, 0, 0][..], &payload].concat(),
        ),
        3 => packet(true, [0, 43, 44, 60][random.below(4)], &payload),
        4 => super_packet(random).1,
        5 => packet(v6, UDP, &udp(&payload)),
        _ => packet(
            v6,
            TCP,
            &tcp(random.below(11), random.word() as u32, random.word() as u8, &payload),
        ),
    };
    for _ in 0..random.below(4) {
        let place = random.below(bytes.len().min(70));
        let value = random.word() as u8;
        if let Some(byte) = bytes.get_mut(place) {
            *byte = value;
        }
    }
    if random.below(4) == 0 {
        bytes.truncate(random.below(bytes.len() + 1));
    }
    bytes
}
