//! The packets of bulat-esp inside and on the wire, and its search for a path's MTU.

use std::collections::BTreeSet;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use bulat::esp::{Association, Header, Packet, iv, pad, payload_len, seal};
use bulat_esp::control::message::parse;
use bulat_esp::control::state::{Facts, State};
use bulat_esp::control::value::TRANSFORMS;
use bulat_esp::packet::coalesce::Run;
use bulat_esp::packet::contents::{Contents, DUMMY};
use bulat_esp::packet::ip::{Inner, TCP, UDP, set_tos};
use bulat_esp::packet::sum::Sum;
use bulat_esp::packet::vnet::{self, Kind, Vnet};
use bulat_esp::packet::{ecn, fragment, icmp, probe, segment};
use bulat_esp::path::open;
use bulat_esp::search::{Quoted, Search};
use bulat_esp::sys::socket::Protocol;
use bulat_esp::table::Table;
use testkit::Random;

/// The packets of a TUN's read; none: it is refused.
fn cut(vnet: &Vnet, packet: &[u8]) -> Option<Vec<Vec<u8>>> {
    let (mut all, mut packet) = (Vec::new(), packet.to_vec());
    let inner = Inner::of(&packet)?;
    let longest = segment::longest(vnet, &packet, &inner);
    let fine =
        segment::segment(vnet, &mut packet, &inner, |head, piece| all.push([head, piece].concat()));
    assert!(fine || all.is_empty(), "a refused read gives no packet");
    assert!(all.iter().all(|packet| longest.is_some_and(|most| packet.len() <= most)));
    fine.then_some(all)
}

/// Any bytes of the TUN: packets of its length, or none. Fragments of a packet are its bytes. Returns whether there are
/// packets.
pub fn tun(input: &[u8]) -> bool {
    let Some((header, packet)) = input.split_first_chunk::<{ vnet::LEN }>() else { return false };
    let _ = (icmp::report(packet, false), icmp::report(packet, true));
    let vnet = Vnet::read(*header);
    let mut marked = packet.to_vec();
    set_tos(&mut marked, header[0]);
    let Some(inner) = Inner::of(packet) else { return false };
    assert!(inner.len <= packet.len() && inner.header <= inner.len);
    assert_eq!(Inner::of(&marked).map(|marked| marked.flow), Some(inner.flow));
    let all = cut(&vnet, packet);
    if let (Some(all), true) = (&all, vnet.kind != Kind::Single) {
        let head = all.iter().map(|one| Inner::of(one).expect("a packet")).collect::<Vec<_>>();
        assert!(
            head.iter().zip(all).all(|(now, one)| now.len == one.len() && now.flow == inner.flow)
        );
        let cut: usize = all.iter().map(Vec::len).sum();
        assert!(cut >= inner.len, "nothing is lost");
    }
    if let Some(answer) = icmp::too_big(packet, &inner, 1400) {
        let answer = Inner::of(&answer).expect("a packet");
        assert_eq!(
            (answer.flow.source, answer.flow.destination),
            (inner.flow.destination, inner.flow.source)
        );
    }
    if !inner.v6 {
        let mut bytes = Vec::new();
        let mtu = inner.header + 8 + usize::from(header[1]);
        let payload = &packet[inner.header..inner.len];
        let fine = fragment::fragment(&packet[..inner.len], inner.header, mtu, |head, piece| {
            assert!(head.len() + piece.len() <= mtu);
            bytes.extend_from_slice(piece);
        });
        assert!(fine && bytes == payload, "fragments are the packet");
    }
    all.is_some()
}

/// A peer's packets inside: any payload, and any text as inner packet, as dummy packet and as probe. Returns how many
/// are read.
pub fn inside(input: &[u8]) -> usize {
    let probe = [&probe::MARKER[..], &[1], input].concat();
    let version = if input.first().is_some_and(|first| first >> 4 == 6) { 41 } else { 4 };
    let whole = |(text, next): (&[u8], u8)| {
        let mut payload = text.to_vec();
        payload.resize(payload_len(text.len()), 0);
        pad(&mut payload, text.len(), next).expect("it has room");
        payload
    };
    let [packet, dummy, probe] = [(input, version), (input, DUMMY), (&probe[..], DUMMY)].map(whole);
    let mut read = 0;
    for (mut payload, is_dummy) in
        [(input.to_vec(), false), (packet, false), (dummy, true), (probe, true)]
    {
        let before = payload.clone();
        match Contents::of(&mut payload) {
            None => assert!(!is_dummy, "a dummy packet may have any text"),
            Some(Contents::Dummy(message)) => {
                read += usize::from(message.is_some());
                let equal = |message: probe::Message| before.starts_with(&message.bytes());
                assert!(message.is_none_or(equal), "a probe is written back equal");
            }
            Some(Contents::Packet(inner, packet)) => {
                read += 1;
                assert!(!is_dummy && before.starts_with(packet));
                assert_eq!(Inner::of(packet), Some(inner));
                assert_eq!(packet.len(), inner.len, "padding is cut off");
            }
        }
    }
    read
}

/// A search for a path's MTU, with a peer and routers that say anything: the MTU stays between its limits, only answers to
/// the probe and reports of it raise it, and the search ends. Returns how often an answer counted.
pub fn search(input: &[u8]) -> usize {
    let mut random = Random::given(input);
    let (v4, most) = (random.below(2) > 0, [1500, 1400, 9000, 65_535, 1280, 576][random.below(6)]);
    let (mut search, mut now) = (Search::new(most, v4), Instant::now());
    let least = most.min(if v4 { 576 } else { 1280 });
    let (mut probe, mut number, mut counted) = (None, 0, 0);
    while !random.is_spent() {
        let before = search.mtu;
        let mtu = [0, 575, 1200, before - 1, before, before + 1, most, u32::MAX][random.below(8)];
        let quoted = [Quoted::Probe, Quoted::Other, Quoted::Unknown][random.below(3)];
        let mut may_rise = quoted == Quoted::Probe;
        match random.below(10) {
            0 => now += Duration::from_secs([1, 3, 60, 600][random.below(4)]),
            1..=3 => {
                let (long, silent) = (random.below(4) > 0, random.below(2) > 0);
                search.begins(now, long, silent, Duration::from_secs(600));
                // A trial without a report ends so.
                may_rise = true;
                if let Some((id, size)) = search.next(now) {
                    assert!((least..=most).contains(&size), "a probe of {size} bytes");
                    (number, probe) = (number + 1, Some((id, size as u16)));
                    search.sealed(number, size as usize);
                }
            }
            4 | 5 => {
                let (id, len) = probe.unwrap_or_default();
                may_rise = search.answered(id, len, now).is_some();
                counted += usize::from(may_rise);
            }
            6 => {
                let (id, len) = probe.unwrap_or_default();
                assert_eq!(search.answered(id, len ^ 1, now), None, "the answer to another probe");
                assert_eq!(search.answered(random.array(), len, now), None);
                assert_eq!(search.mtu, before);
            }
            7 => search.report(mtu, quoted, now),
            8 => {
                let known = Some(mtu).filter(|mtu| (1280..before).contains(mtu));
                search.refused(known, before, quoted, now);
            }
            _ => {
                may_rise = true;
                match random.below(4) {
                    0 => search = search.moved(v4),
                    1 => search = search.successor(most),
                    2 => search.learn(mtu.clamp(least, most), Some(now)),
                    _ => search.unsent(),
                }
            }
        }
        assert!((least..=most).contains(&search.mtu), "an MTU of {}", search.mtu);
        assert!(may_rise || search.mtu <= before, "from {before} to {}", search.mtu);
        assert!(!search.rests() || search.next(now).is_none());
    }
    let ends = (0..200).any(|_| {
        now += Duration::from_secs(3);
        search.next(now).is_none() && search.rests()
    });
    assert!(ends, "a silent peer ends a search");
    counted
}

/// A packet of TCP or UDP with right checksums.
fn packet(random: &mut Random, number: u32, id: u16, len: usize) -> Vec<u8> {
    let (v6, tcp) = (random.below(4) == 0, random.below(4) > 0);
    let mut upper = vec![1, 2, 3, random.below(2) as u8];
    if tcp {
        upper.extend(number.to_be_bytes());
        let flags = [0x10, 0x10, 0x18, 0x11][random.below(4)];
        upper.extend([0, 0, 0, 1, 0x50, flags, 9, 9, 0, 0, 0, 0]);
    } else {
        upper.extend((len as u16 + 8).to_be_bytes());
        upper.extend([0, 0]);
    }
    upper.extend(random.bytes(len));
    let protocol = if tcp { TCP } else { UDP };
    let mut out = match v6 {
        true => {
            let [a, b] = (upper.len() as u16).to_be_bytes();
            [&[0x60, 0, 0, 0, a, b, protocol, 64][..], &[7; 32]].concat()
        }
        false => {
            let [a, b] = (upper.len() as u16 + 20).to_be_bytes();
            let [c, d] = id.to_be_bytes();
            let flags = [0, 0x40][random.below(2)];
            let mut head =
                vec![0x45, 0, a, b, c, d, flags, 0, 64, protocol, 0, 0, 10, 0, 0, 1, 10, 0, 0, 2];
            fragment::finish(&mut head);
            head
        }
    };
    let field = out.len() + if tcp { 16 } else { 6 };
    out.extend(&upper);
    let sum = Sum::pseudo(&out, protocol, upper.len()).plus(&upper);
    out[field..field + 2].copy_from_slice(&if tcp { sum.checksum() } else { sum.udp_checksum() });
    out
}

/// Packets of chosen flows, in a chosen order, some with a fault: super-packets of them are cut into equal packets, but
/// for IDs that have no meaning (DF). Returns the number of joined packets.
pub fn wire(input: &[u8]) -> usize {
    let mut random = Random::given(input);
    let (mut number, mut id, mut all) = (random.word() as u32, random.word() as u16, Vec::new());
    while !random.is_spent() && all.len() < 60 {
        let len = [100, 100, 100, 60, 0, 1, 101][random.below(7)];
        let mut packet = packet(&mut random, number, id, len);
        match random.below(24) {
            0 => number = number.wrapping_add(1),
            1 => id = id.wrapping_add(1),
            2 => set_tos(&mut packet, ecn::MASK),
            3..=5 => {
                let at = random.below(packet.len());
                packet[at] ^= 1 << random.below(8);
            }
            6 => packet.truncate(random.upto(packet.len())),
            _ => {}
        }
        (number, id) =
            (number.wrapping_add(len as u32), id.wrapping_add(random.below(8).min(1) as u16));
        all.push(packet);
    }
    let (mut rest, mut joined) = (all.as_slice(), 0);
    while let [first, others @ ..] = rest {
        let mut run = Run::begin(first);
        let count = 1 + run
            .as_mut()
            .map_or(0, |run| others.iter().take_while(|next| run.add(next)).count());
        let (now, after) = rest.split_at(count);
        rest = after;
        let Some(run) = run.filter(|_| count > 1) else { continue };
        joined += count;
        let headers = run.headers();
        let (header, head) = headers.split_first_chunk::<{ vnet::LEN }>().expect("a header");
        let mut whole = head.to_vec();
        now.iter().for_each(|packet| whole.extend_from_slice(&packet[run.head()..]));
        let again = cut(&Vnet::read(*header), &whole).expect("a super-packet");
        let plain = |packet: &Vec<u8>| {
            let mut packet = packet.clone();
            if packet[0] >> 4 == 4 && packet[6] & 0x40 != 0 {
                packet[4..6].fill(0);
                fragment::finish(&mut packet[..20]);
            }
            packet
        };
        assert!(again.iter().map(plain).eq(now.iter().map(plain)), "a super-packet is its packets");
    }
    joined
}

/// An inner packet with a number, of a protocol whose packets are not joined.
fn numbered(number: u64) -> Vec<u8> {
    let mut all = vec![0x45, 0, 0, 28, 0, 0, 0, 0, 64, 253, 0, 0, 10, 0, 0, 1, 10, 0, 0, 2];
    all.extend(number.to_be_bytes());
    all
}

/// Messages of the wire: genuine packets in any order, repeated and damaged ones, any bytes. Only what was sealed arrives,
/// once, and each packet that was the newest. Returns how many arrive.
pub fn datagrams(input: &[u8]) -> usize {
    let mut random = Random::given(input);
    let (id, transform, _) = TRANSFORMS[random.below(4)];
    let facts = Facts { tun: "t".into(), queues: 1, ports: vec![4500], raw: true, mark: 0 };
    let table = Arc::new(Table::new().0);
    let mut state = State::new(table.clone(), facts);
    let key = vec![7; transform.key_len()];
    let digits = "07".repeat(key.len());
    for text in [
        format!("add direction=in spi=0x100 source=192.0.2.2 destination=192.0.2.1 transform={id} key={digits} reqid=1 window=32 esn=1"),
        "policy-add direction=in source=10.0.0.0/8 destination=10.0.0.0/8 reqid=1 tunnel-source=192.0.2.2 tunnel-destination=192.0.2.1".into(),
    ] {
        let request = parse(text.replace(' ', "\n").as_bytes()).expect("right");
        assert!(matches!(state.work(request), Some(Ok(_))));
    }
    let mut associations = [Association::new(transform, &key).expect("the length")];
    let mut sealed = |number: u64| {
        let mut payload = numbered(number);
        payload.resize(payload_len(28), 0);
        pad(&mut payload, 28, 4).expect("room");
        let (header, mut icv) = (Header::new(0x100, number, true), vec![0; transform.icv_len()]);
        let packet = Packet::new(0, iv(number), &header, &mut payload, &mut icv);
        seal(&mut associations, &mut [packet]).expect("sealed");
        [&[0, 0, 1, 0][..], &(number as u32).to_be_bytes(), &iv(number), &payload, &icv].concat()
    };
    let (mut top, mut sent, mut newest) = (0, BTreeSet::new(), BTreeSet::new());
    let mut arrived = BTreeSet::new();
    let door = (Protocol::Udp, SocketAddr::from(([192, 0, 2, 1], 4500)));
    let len = sealed(1).len();
    while !random.is_spent() {
        let mut messages = Vec::new();
        for _ in 0..=random.below(5) {
            let mut bytes = Vec::new();
            for _ in 0..=random.below(3) {
                match random.below(8) {
                    0..4 => {
                        top += 1 + random.below(8) as u64 * random.below(8) as u64;
                        sent.insert(top);
                        newest.insert(top);
                        bytes.extend(sealed(top));
                    }
                    4 | 5 => {
                        let number = top.saturating_sub(random.below(40) as u64).max(1);
                        sent.insert(number);
                        top = top.max(number);
                        bytes.extend(sealed(number));
                    }
                    6 => {
                        let at = bytes.len() + random.below(len);
                        bytes.extend(sealed(top + 1));
                        bytes[at] ^= 1 << random.below(8);
                    }
                    _ => bytes.extend(random.bytes(len)),
                }
            }
            // Nothing of a genuine packet.
            if random.below(8) == 0 {
                let more = random.upto(len - 1);
                bytes.extend(random.bytes(more));
            }
            // Inside nothing is ECT: the mark CE would drop it.
            messages.push((random.below(3) as u8, len, bytes));
        }
        for written in open(&table, door, ([192, 0, 2, 2], 4500).into(), &mut messages) {
            let packet = &written[vnet::LEN..];
            let number = u64::from_be_bytes(packet[20..].try_into().expect("28 bytes"));
            assert_eq!(packet, numbered(number));
            assert!(sent.contains(&number) && arrived.insert(number), "{number} twice, or forged");
        }
    }
    assert!(newest.is_subset(&arrived), "{newest:?} {arrived:?}");
    arrived.len()
}
