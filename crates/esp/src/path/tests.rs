//! The path without devices: messages of a sender are given to a receiver.

use std::collections::BTreeSet;
use std::io::{self, IoSlice};
use std::net::{IpAddr, SocketAddr};
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex, mpsc};
use std::time::{Duration, Instant};

use bulat::esp::{Association, Header, Packet, Transform, iv, payload_len, seal};
use testkit::Random;

use super::inward::Inward;
use super::outward::Outward;
use super::reports::Reports;
use super::{Lost, Tun, Wire};
use crate::address::{Prefix, Selector};
use crate::control::state::Sa;
use crate::packet::icmp::{self, Report};
use crate::packet::ip::{ICMP, ICMP6, Inner, TCP, UDP, set_tos};
use crate::packet::probe::Message as Probe;
use crate::packet::tests::{check_sums, cut, packet, strange, super_packet, tcp, udp};
use crate::packet::vnet::{self, Kind, Vnet};
use crate::sa::{Carrier, Counters, Ends, Inbound, Limit, Outbound, Parameters, lock};
use crate::search::Quoted;
use crate::sys::message::{Meta, Outgoing};
use crate::sys::socket::Protocol;
use crate::table::{Event, Policy, Table, View, Way};

const TRANSFORMS: [Transform; 4] =
    [Transform::KuznyechikMgm, Transform::MagmaMgm, Transform::KuznyechikMac, Transform::MagmaMac];
const SPI: u32 = 0xc123_4567;
const KEY: [u8; 44] = [7; 44];

fn address(text: &str) -> IpAddr {
    text.parse().expect("an address")
}

fn here() -> SocketAddr {
    (address("192.0.2.1"), 4500).into()
}

fn there() -> SocketAddr {
    (address("192.0.2.2"), 4500).into()
}

/// A message of the wire: TOS, the length of a segment, bytes.
type Message = (u8, usize, Vec<u8>);

/// A wire that keeps all.
#[derive(Default)]
struct Kept {
    messages: Vec<Message>,
    /// The longest datagram, and the MTU that the system names then.
    mtu: Option<(usize, u32)>,
    /// Datagrams that are to be cut.
    cut: u64,
    single: bool,
}

impl Wire for Kept {
    fn send(&mut self, _: &Ends, parts: &[IoSlice<'_>], messages: &[Outgoing]) -> Lost {
        let mut lost = Lost::default();
        for message in messages {
            let bytes: Vec<u8> =
                parts[message.parts.clone()].iter().flat_map(|p| p.to_vec()).collect();
            assert!(bytes.len() <= 65_507, "a message has at most 65507 bytes");
            let segment = if message.segment == 0 { bytes.len() } else { message.segment.into() };
            assert!(bytes.len().div_ceil(segment) <= 64, "a message has at most 64 datagrams");
            self.cut += u64::from(message.cut);
            assert!(!message.cut || message.segment == 0, "a message that is cut is a datagram");
            if self.mtu.is_some_and(|(most, _)| segment > most && !message.cut) {
                lost.too_long += bytes.len().div_ceil(segment) as u64;
            } else {
                self.messages.push((message.tos, segment, bytes));
            }
        }
        lost
    }
    fn segments(&self) -> bool {
        !self.single
    }
    fn mtu(&mut self, _: IpAddr) -> Option<u32> {
        self.mtu.map(|(_, mtu)| mtu)
    }
}

/// A TUN that keeps all.
#[derive(Default)]
struct Written {
    packets: Vec<Vec<u8>>,
    /// It refuses super-packets of UDP.
    old: bool,
}

impl Tun for Written {
    fn write(&mut self, parts: &[IoSlice<'_>]) -> io::Result<()> {
        let bytes: Vec<u8> = parts.iter().flat_map(|part| part.to_vec()).collect();
        if self.old && bytes[1] == 5 {
            return Err(io::Error::from_raw_os_error(libc::EINVAL));
        }
        self.packets.push(bytes);
        Ok(())
    }
}

impl Written {
    /// The packets as a receiver sees them.
    fn all(&self) -> Vec<Vec<u8>> {
        let split = |bytes: &Vec<u8>| {
            let (header, packet) = bytes.split_first_chunk::<{ vnet::LEN }>().expect("a header");
            cut(&Vnet::read(*header), packet).expect("a packet")
        };
        self.packets.iter().flat_map(split).collect()
    }
}

fn parameters(transform: Transform) -> Parameters {
    Parameters {
        spi: SPI,
        transform,
        esn: true,
        reqid: 1,
        queue: None,
        window: 256,
        tfc: 0,
        soft: Limit::default(),
        hard: Limit::default(),
        copy_dscp: false,
        mtu: 1500,
    }
}

fn everything() -> [Policy; 4] {
    let policy = |(way, all): (Way, &str)| Policy {
        way,
        selector: Selector {
            source: all.parse::<Prefix>().expect("a prefix"),
            destination: all.parse::<Prefix>().expect("a prefix"),
            protocol: 0,
            source_ports: 0..=u16::MAX,
            destination_ports: 0..=u16::MAX,
        },
        reqid: 1,
        tunnel: (here().ip(), there().ip()),
        priority: 0,
        used: Arc::default(),
    };
    [(Way::Out, "0.0.0.0/0"), (Way::Out, "::/0"), (Way::In, "0.0.0.0/0"), (Way::Forward, "::/0")]
        .map(policy)
}

/// A sender and a receiver.
struct Pair {
    out: Outward,
    inward: Inward,
    wire: Kept,
    /// ICMP's answers.
    answers: Written,
    tun: Written,
    sender: Arc<Outbound>,
    receiver: Arc<Inbound>,
    table: Arc<Table>,
    events: mpsc::Receiver<Event>,
    ike: Arc<Mutex<Vec<Vec<u8>>>>,
}

impl Pair {
    fn new(parameters: &Parameters) -> Self {
        Self::with(parameters, |_| {})
    }
    fn with(parameters: &Parameters, change: impl FnOnce(&mut View)) -> Self {
        let (table, events) = Table::new();
        let table = Arc::new(table);
        let carrier = Carrier::Udp { local: 4500, remote: 4500 };
        let ends = Ends { source: here().ip(), destination: there().ip(), carrier };
        let key = &KEY[..parameters.transform.key_len()];
        let sender = Arc::new(Outbound::new(parameters.clone(), ends, key).expect("an SA"));
        let receiver = Arc::new(Inbound::new(parameters.clone(), ends, key).expect("an SA"));
        table.change(|view| {
            view.outbound.insert(1, vec![sender.clone()]);
            view.inbound.insert(SPI, receiver.clone());
            view.policies.extend(everything());
            change(view);
        });
        let ike = Arc::new(Mutex::new(Vec::new()));
        // Nothing asks about the path, but where a test wants it.
        sender.search().checked = Some(Instant::now());
        let kept = ike.clone();
        let keep = move |_, _, _, message: &[u8]| lock(&kept).push(message.to_vec());
        Pair {
            out: Outward::new(table.clone(), 0, 600),
            inward: Inward::new(table.clone(), Arc::new(keep), true),
            wire: Kept::default(),
            answers: Written::default(),
            tun: Written::default(),
            sender,
            receiver,
            table,
            events,
            ike,
        }
    }

    fn send(&mut self, packets: &[(Vnet, Vec<u8>)]) -> Vec<Message> {
        self.out.begin();
        for (vnet, packet) in packets {
            let mut bytes = [&vnet.bytes()[..], packet].concat();
            self.out.take(&mut bytes, &mut self.wire, &mut self.answers);
        }
        self.out.end(&mut self.wire);
        std::mem::take(&mut self.wire.messages)
    }

    fn receive(&mut self, messages: Vec<Message>) {
        self.receive_from(here(), messages);
    }

    fn receive_from(&mut self, source: SocketAddr, messages: Vec<Message>) {
        let mut all: Vec<(Meta, Vec<u8>)> = (messages.into_iter())
            .map(|(tos, segment, bytes)| (Meta::of(source, segment, tos), bytes))
            .collect();
        let messages = all.iter_mut().map(|(meta, bytes)| (&*meta, bytes.as_mut_slice()));
        self.inward.take((Protocol::Udp, there()), messages, &mut self.tun);
        self.inward.answer(&mut self.wire);
    }

    /// Sends packets through, and returns the received packets.
    fn through(&mut self, packets: &[(Vnet, Vec<u8>)]) -> Vec<Vec<u8>> {
        let messages = self.send(packets);
        self.receive(messages);
        let all = self.tun.all();
        self.tun.packets.clear();
        all
    }

    /// A packet of ESP with any payload, genuine.
    fn genuine(&self, number: u64, payload: &[u8]) -> Message {
        let transform = self.receiver.parameters.transform;
        let key = &KEY[..transform.key_len()];
        let mut associations = [Association::new(transform, key).expect("an association")];
        let (mut payload, mut icv) = (payload.to_vec(), vec![0; transform.icv_len()]);
        let (header, iv) = (Header::new(SPI, number, true), iv(number));
        seal(&mut associations, &mut [Packet::new(0, iv, &header, &mut payload, &mut icv)])
            .expect("sealed");
        let low = (number as u32).to_be_bytes();
        (0, 1 << 16, [&SPI.to_be_bytes()[..], &low, &iv, &payload, &icv].concat())
    }

    /// A genuine packet with an inner packet.
    fn wrapped(&self, number: u64, packet: &[u8]) -> Message {
        let mut payload = packet.to_vec();
        payload.resize(payload_len(packet.len()), 0);
        let next = if packet[0] >> 4 == 4 { 4 } else { 41 };
        bulat::esp::pad(&mut payload, packet.len(), next).expect("padded");
        self.genuine(number, &payload)
    }

    /// The refusals of the receiver's SA: replays, wrong ICVs, selectors, malformed packets.
    fn refused(&self) -> [u64; 4] {
        let Counters { replay, bad_icv, selector, malformed, .. } = &self.receiver.counters;
        [replay, bad_icv, selector, malformed].map(|counter| counter.load(Relaxed))
    }
}

fn single(packet: Vec<u8>) -> (Vnet, Vec<u8>) {
    (Vnet::default(), packet)
}

#[test]
fn packets_arrive_as_they_were() {
    let mut random = Random::new(1);
    for transform in TRANSFORMS {
        for change in 0..4 {
            let mut parameters = parameters(transform);
            parameters.tfc = [0, 0, 200, u16::MAX][change];
            parameters.esn = change != 1;
            let mut pair = Pair::new(&parameters);
            pair.wire.single = change == 1;
            let lens = (0..120).chain([1300, 1380]);
            let small: Vec<_> = lens
                .map(|len| single(packet(random.below(2) > 0, UDP, &udp(&random.bytes(len)))))
                .collect();
            let sent: Vec<_> = small.iter().map(|(_, packet)| packet.clone()).collect();
            assert_eq!(pair.through(&small), sent, "{transform:?}");
            for _ in 0..20 {
                let (vnet, packet) = super_packet(&mut random);
                let sent = cut(&vnet, &packet).expect("packets");
                let got = pair.through(&[(vnet, packet)]);
                let fits = sent[0].len() <= 1454 - transform.icv_len();
                assert_eq!(got.len(), if fits { sent.len() } else { 0 });
                assert!(!fits || got == sent, "{transform:?}");
            }
            assert_eq!(pair.refused(), [0; 4]);
            let (a, b) = (&pair.sender.counters, &pair.receiver.counters);
            assert_eq!(a.packets.load(Relaxed), b.packets.load(Relaxed));
            assert_eq!(a.bytes.load(Relaxed), b.bytes.load(Relaxed));
        }
    }
}

#[test]
fn super_packets_stay_super_packets() {
    let mut random = Random::new(2);
    let mut pair = Pair::new(&parameters(Transform::MagmaMgm));
    let text = random.bytes(40 * 1390);
    let vnet = Vnet { kind: Kind::Tcp4, segment: 1390, ..Vnet::default() };
    let messages = pair.send(&[(vnet, packet(false, TCP, &tcp(0, 9, 0x10, &text)))]);
    assert_eq!(messages.len(), 1, "a message of 40 datagrams");
    pair.receive(messages);
    assert_eq!(pair.tun.packets.len(), 1);
    // A system that refuses super-packets of UDP gets the packets.
    pair.tun = Written { old: true, ..Written::default() };
    let vnet = Vnet { kind: Kind::Udp, segment: 1390, ..Vnet::default() };
    for _ in 0..2 {
        let sent = (vnet, packet(false, UDP, &udp(&text)));
        assert_eq!(pair.through(&[sent]).len(), 40);
    }
    assert_eq!(pair.table.dropped.system.load(Relaxed), 0);
}

#[test]
fn packets_of_many_sas_share_a_burst() {
    let mut pair = Pair::new(&parameters(Transform::KuznyechikMgm));
    let mut second = parameters(Transform::MagmaMgm);
    (second.spi, second.reqid) = (SPI + 1, 2);
    let ends = pair.sender.ends();
    pair.table.change(|view| {
        let out = Outbound::new(second.clone(), ends, &KEY[..36]).expect("an SA");
        view.outbound.insert(2, vec![Arc::new(out)]);
        let inbound = Inbound::new(second.clone(), ends, &KEY[..36]).expect("an SA");
        view.inbound.insert(SPI + 1, Arc::new(inbound));
        for mut policy in everything() {
            (policy.reqid, policy.selector.protocol) = (2, TCP);
            view.policies.insert(0, policy);
        }
    });
    let packets: Vec<_> = (0..150)
        .map(|n: u32| match n % 2 {
            0 => single(packet(true, TCP, &tcp(0, n, 0x18, &[5; 100]))),
            _ => single(packet(true, UDP, &udp(&[n as u8; 100]))),
        })
        .collect();
    let messages = pair.send(&packets);
    // A burst of 64 packets has a message of each SA.
    assert_eq!(messages.len(), 6);
    pair.receive(messages);
    let mut got = pair.tun.all();
    let mut sent: Vec<_> = packets.into_iter().map(|(_, packet)| packet).collect();
    got.sort();
    sent.sort();
    assert!(got == sent);
}

#[test]
fn replays_forgeries_and_strangers_are_dropped() {
    let mut pair = Pair::new(&parameters(Transform::KuznyechikMgm));
    let text = packet(false, UDP, &udp(b"text"));
    let message = pair.wrapped(5, &text);
    // Twice in a burst, and again.
    let (tos, _, bytes) = message.clone();
    pair.receive(vec![(tos, bytes.len(), [&bytes[..], &bytes].concat())]);
    assert_eq!((pair.tun.all().len(), pair.refused()), (1, [1, 0, 0, 0]));
    pair.receive(vec![message.clone()]);
    assert_eq!((pair.tun.all().len(), pair.refused()), (1, [2, 0, 0, 0]));
    for place in 8..bytes.len() {
        let mut bad = pair.wrapped(6, &text);
        bad.2[place] ^= 0x40;
        pair.receive(vec![bad]);
    }
    assert_eq!(pair.tun.all().len(), 1);
    assert_eq!(pair.refused(), [2, bytes.len() as u64 - 8, 0, 0]);
    let zero = pair.wrapped(0, &text);
    pair.receive(vec![zero]);
    assert_eq!(pair.refused()[0], 3, "number 0");
    // Keepalives, short datagrams, another SPI, lengths that are no multiple of 4.
    let all = [&[0xff][..], &[1], &[1, 2, 3, 4], &bytes[..20], &bytes[..bytes.len() - 1]];
    pair.receive(all.map(|bytes| (0, bytes.len().max(1), bytes.to_vec())).into());
    let dropped = &pair.table.dropped;
    assert_eq!((dropped.short.load(Relaxed), dropped.no_inbound_sa.load(Relaxed)), (3, 1));
    pair.receive(vec![(0, 100, vec![0, 0, 0, 0, 9, 8, 7])]);
    assert_eq!(*lock(&pair.ike), [vec![9, 8, 7]]);
}

#[test]
fn the_payload_of_a_genuine_packet_may_be_anything() {
    let mut random = Random::new(3);
    let mut pair = Pair::new(&parameters(Transform::MagmaMgm));
    let mut number = 0;
    for _ in 0..4000 {
        let messages: Vec<Message> = (0..1 + random.below(8))
            .map(|_| {
                number += 1;
                let bytes = strange(&mut random);
                let next = [4, 4, 41, 41, 59, random.word() as u8][random.below(6)];
                let mut payload = bytes;
                let text = payload.len();
                payload
                    .resize((text + 2 + random.below(9)).next_multiple_of(4), random.word() as u8);
                if random.below(8) > 0 {
                    let _ = bulat::esp::pad(&mut payload, text, next);
                }
                let mut message = pair.genuine(number, &payload);
                message.0 = random.word() as u8;
                message
            })
            .collect();
        pair.receive(messages);
    }
    let got = pair.tun.all().len();
    assert_eq!(pair.refused()[..2], [0, 0]);
    assert!(got > 2000 && pair.refused()[3] > 2000, "{got}, {:?}", pair.refused());
    // And datagrams of any bytes.
    for _ in 0..4000 {
        let len = random.below(100);
        let mut bytes = random.bytes(len);
        if random.below(2) > 0
            && let Some(start) = bytes.first_chunk_mut()
        {
            *start = SPI.to_be_bytes();
        }
        pair.receive(vec![(0, 1 + random.below(100), bytes)]);
    }
    assert_eq!(pair.tun.all().len(), got);
}

#[test]
fn the_tun_may_give_anything() {
    let mut random = Random::new(4);
    let mut pair = Pair::new(&parameters(Transform::MagmaMgm));
    pair.sender.search().mtu = 700;
    let mut sent = 0;
    for _ in 0..20_000 {
        let mut bytes = [random.bytes(vnet::LEN), strange(&mut random)].concat();
        if random.below(3) > 0 {
            bytes[..vnet::LEN].fill(0);
            bytes[1] = [0, 0, 1, 4, 5, 0x81][random.below(6)];
            let segment = random.below(600) as u16;
            bytes[4..6].copy_from_slice(&segment.to_ne_bytes());
        }
        if random.below(50) == 0 {
            bytes.truncate(random.below(30));
        }
        pair.out.begin();
        pair.out.take(&mut bytes, &mut pair.wire, &mut pair.answers);
        pair.out.end(&mut pair.wire);
        for (_, segment, bytes) in std::mem::take(&mut pair.wire.messages) {
            let long = u64::from(segment > 700 - 28);
            pair.wire.cut -= long;
            assert!(segment <= 1280 + 48 && !bytes.is_empty());
            sent += bytes.len().div_ceil(segment);
        }
    }
    assert_eq!(pair.wire.cut, 0, "what is too long is cut");
    assert!(sent > 10_000 && pair.answers.packets.len() > 50, "{sent}");
}

#[test]
fn padding_dummies_and_next_headers_are_checked() {
    let mut pair = Pair::new(&parameters(Transform::KuznyechikMgm));
    let text = packet(false, UDP, &udp(&[1; 10]));
    let end = |bytes: &[u8]| [&text[..], bytes].concat();
    let refused = |pair: &Pair| pair.refused()[3];
    for (number, (payload, malformed, got)) in [
        (end(&[0, 4]), 0, 1),
        (end(&[1, 2, 3, 4, 4, 4]), 0, 1),
        // For traffic flow confidentiality.
        (end(&[0, 0, 0, 0, 0, 4]), 0, 1),
        (end(&[9, 9, 9, 9, 0, 4]), 0, 1),
        (end(&[1, 2, 3, 5, 4, 4]), 1, 0),
        (end(&[0, 41]), 1, 0),
        (end(&[0, 6]), 1, 0),
        (end(&[0, 59]), 0, 0),
        (vec![1, 2, 2, 59], 0, 0),
        (vec![1, 2, 200, 4], 1, 0),
        ([&text[..18], &[0, 4]].concat(), 1, 0),
    ]
    .into_iter()
    .enumerate()
    {
        let before = refused(&pair);
        pair.tun.packets.clear();
        let message = pair.genuine(number as u64 + 1, &payload);
        pair.receive(vec![message]);
        assert_eq!((refused(&pair) - before, pair.tun.packets.len()), (malformed, got), "{number}");
        if got > 0 {
            assert_eq!(pair.tun.all(), [&text[..]]);
        }
    }
}

#[test]
fn only_what_the_policies_allow_passes() {
    let mut pair = Pair::with(&parameters(Transform::KuznyechikMgm), |view| {
        for policy in &mut view.policies {
            policy.selector.protocol = UDP;
            policy.selector.destination_ports = 53..=53;
        }
    });
    let (good, bad) =
        (packet(false, UDP, &udp(b"text")), packet(false, TCP, &tcp(0, 1, 0x10, b"text")));
    let mut other = udp(b"text");
    other[3] = 54;
    let other = packet(false, UDP, &other);
    let messages = [&good, &bad, &other].map(|packet| single(packet.clone()));
    assert_eq!(pair.through(&messages), [&good[..]]);
    assert_eq!(pair.table.dropped.no_policy.load(Relaxed), 2);
    let messages = vec![pair.wrapped(7, &bad), pair.wrapped(8, &other), pair.wrapped(9, &good)];
    pair.receive(messages);
    assert_eq!((pair.tun.all(), pair.refused()), (vec![good.clone()], [0, 0, 2, 0]));
    // Policies of another reqid allow nothing.
    pair.table.change(|view| view.policies.iter_mut().for_each(|policy| policy.reqid = 2));
    let message = pair.wrapped(10, &good);
    pair.receive(vec![message]);
    assert_eq!((pair.tun.all().len(), pair.refused()[2]), (1, 3));
}

#[test]
fn marks_go_out_and_come_back() {
    for copy_dscp in [false, true] {
        let mut parameters = parameters(Transform::KuznyechikMgm);
        parameters.copy_dscp = copy_dscp;
        let mut pair = Pair::new(&parameters);
        let with = |tos| {
            let mut packet = packet(false, UDP, &udp(b"text"));
            set_tos(&mut packet, tos);
            packet
        };
        for inner in [0b1011_1000, 0b1011_1001, 0b1011_1010, 0b1011_1011] {
            let messages = pair.send(&[single(with(inner))]);
            assert_eq!(messages[0].0, if copy_dscp { inner } else { inner & 3 });
            // A router marked congestion, and changed the DSCP.
            let (_, segment, bytes) = messages[0].clone();
            pair.receive(vec![(0b0001_0011, segment, bytes)]);
            let want = if copy_dscp { 0b0001_0011 } else { 0b1011_1011 };
            let want = if inner & 3 == 0 { vec![] } else { vec![with(want)] };
            assert_eq!(pair.tun.all(), want);
            pair.tun.packets.clear();
        }
        assert_eq!(pair.table.dropped.congestion.load(Relaxed), 1);
    }
}

#[test]
fn limits_end_an_sa() {
    let mut parameters = parameters(Transform::KuznyechikMgm);
    parameters.soft = Limit { packets: 3, ..Limit::default() };
    parameters.hard = Limit { packets: 5, ..Limit::default() };
    let mut pair = Pair::new(&parameters);
    let packets = vec![single(packet(false, UDP, &udp(b"text"))); 8];
    let messages = pair.send(&packets);
    assert_eq!(messages.iter().map(|(_, segment, bytes)| bytes.len() / segment).sum::<usize>(), 5);
    assert!(pair.send(&packets).is_empty());
    assert_eq!(pair.sender.counters.limit.load(Relaxed), 11);
    let told: Vec<_> = pair.events.try_iter().map(|event| format!("{event:?}")).collect();
    let hard = |n: usize| told[n].contains("hard: true");
    assert_eq!((told.len(), hard(0), hard(1)), (2, true, false));
    // The receiver.
    pair.receive(messages);
    assert_eq!(pair.tun.all().len(), 5);
    let message = pair.wrapped(9, &packets[0].1);
    pair.receive(vec![message]);
    assert_eq!((pair.tun.all().len(), pair.receiver.counters.limit.load(Relaxed)), (5, 1));
    assert_eq!(pair.events.try_iter().count(), 2);
}

#[test]
fn a_limit_inside_a_burst_ends_an_inbound_sa() {
    let text = packet(false, UDP, &udp(b"text"));
    for hard in [
        Limit { packets: 3, ..Limit::default() },
        Limit { bytes: 3 * text.len() as u64, ..Limit::default() },
    ] {
        let mut parameters = parameters(Transform::KuznyechikMgm);
        parameters.hard = hard;
        let mut pair = Pair::new(&parameters);
        let messages = (1..=8).map(|n| pair.wrapped(n, &text)).collect();
        pair.receive(messages);
        assert_eq!((pair.tun.all().len(), pair.receiver.counters.limit.load(Relaxed)), (3, 5));
        assert_eq!(pair.receiver.counters.packets.load(Relaxed), 3);
        assert_eq!(pair.events.try_iter().count(), 1);
    }
}

#[test]
fn short_packets_of_many_sas_leave_room_for_others() {
    let base = parameters(Transform::KuznyechikMgm);
    let mut pair = Pair::with(&base, |view| {
        let of = view.inbound.get(&SPI).cloned().expect("an SA");
        for spi in 1000..1064 {
            let parameters = Parameters { spi, ..of.parameters.clone() };
            let ends = *of.ends.read().expect("no thread panics");
            let sa = Inbound::new(parameters, ends, &KEY).expect("an SA");
            view.inbound.insert(spi, Arc::new(sa));
        }
    });
    let short = |spi: u32| (0, 1 << 16, [&spi.to_be_bytes()[..], &[0; 9]].concat());
    let text = packet(false, UDP, &udp(b"text"));
    let messages = (1000..1064).map(short).chain([pair.wrapped(1, &text)]).collect();
    pair.receive(messages);
    assert_eq!(pair.tun.all().len(), 1);
}

/// Senders of four queues share an SA. Its limit ends it, or the daemon does: no number and no IV comes twice.
#[test]
fn senders_of_one_sa_share_its_numbers() {
    let text = packet(false, UDP, &udp(b"text"));
    for ends in [false, true] {
        let mut parameters = parameters(Transform::MagmaMgm);
        parameters.hard.packets = 20_000;
        let pair = Pair::new(&parameters);
        let input = [&Vnet::default().bytes()[..], &text].concat();
        let (input, table) = (&input, &pair.table);
        let send = |queue| {
            let mut out = Outward::new(table.clone(), queue, 600);
            let (mut wire, mut tun) =
                (Kept { single: true, ..Kept::default() }, Written::default());
            let mut input = input.clone();
            for _ in 0..100 {
                out.begin();
                (0..64).for_each(|_| out.take(&mut input, &mut wire, &mut tun));
                out.end(&mut wire);
            }
            wire.messages
        };
        let messages: Vec<Message> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..4).map(|queue| scope.spawn(move || send(queue))).collect();
            if ends {
                while pair.sender.counters.packets.load(Relaxed) < 2000 {
                    std::thread::yield_now();
                }
                Sa::Out(pair.sender.clone()).end();
            }
            threads.into_iter().flat_map(|thread| thread.join().expect("no panic")).collect()
        });
        let numbers: BTreeSet<_> = messages.iter().map(|(_, _, bytes)| &bytes[4..8]).collect();
        let ivs: BTreeSet<_> = messages.iter().map(|(_, _, bytes)| &bytes[8..16]).collect();
        let count = pair.sender.counters.packets.load(Relaxed) as usize;
        assert_eq!((numbers.len(), ivs.len(), messages.len()), (count, count, count));
        assert!(if ends { count < 20_000 } else { count == 20_000 }, "{count}");
        assert_eq!(pair.sender.counters.limit.load(Relaxed) as usize, 4 * 6400 - count);
        // All are under the key of the SA.
        let (mut pair, mut messages) = (pair, messages);
        messages.sort_by(|(.., a), (.., b)| a[4..8].cmp(&b[4..8]));
        for message in messages {
            pair.receive(vec![message]);
        }
        assert_eq!(pair.refused()[1], 0);
    }
}

#[test]
fn numbers_end_an_sa() {
    let mut parameters = parameters(Transform::KuznyechikMgm);
    parameters.esn = false;
    let mut pair = Pair::new(&parameters);
    // A receiver without extended numbers accepts the last, and none after it.
    let text = packet(false, UDP, &udp(b"text"));
    pair.receiver
        .receiving
        .lock()
        .expect("a lock")
        .window
        .accept(u64::from(u32::MAX) - 1)
        .expect("new");
    assert_eq!(pair.through(&[single(text)]).len(), 0);
    assert_eq!(pair.refused()[0], 1);
}

#[test]
fn a_receiver_finds_later_numbers() {
    let mut pair = Pair::new(&parameters(Transform::KuznyechikMgm));
    let text = packet(false, UDP, &udp(b"text"));
    // More than 2^32 packets are lost.
    let far = (2 << 32) + 1000;
    let messages: Vec<_> = (0..70).map(|n| pair.wrapped(far + n, &text)).collect();
    for message in messages {
        pair.receive(vec![message]);
    }
    let [_, bad, ..] = pair.refused();
    assert_eq!((bad, pair.tun.all().len()), (64, 7), "the 64th is tried again");
    assert_ne!(pair.receiver.counters.used.load(Relaxed), 0);
}

#[test]
fn a_peer_that_moves_is_reported() {
    let mut pair = Pair::new(&parameters(Transform::KuznyechikMgm));
    let text = packet(false, UDP, &udp(b"text"));
    let elsewhere: SocketAddr = (address("198.51.100.7"), 999).into();
    let message = |pair: &Pair, number| vec![pair.wrapped(number, &text)];
    let messages = message(&pair, 10);
    pair.receive(messages);
    // Older than the newest: perhaps an attacker repeats a packet that was held back.
    let messages = message(&pair, 9);
    pair.receive_from(elsewhere, messages);
    assert_eq!(pair.events.try_iter().count(), 0);
    for number in 11..20 {
        let messages = message(&pair, number);
        pair.receive_from(elsewhere, messages);
    }
    let told: Vec<_> = pair.events.try_iter().collect();
    assert!((1..=2).contains(&told.len()), "once a second");
    assert!(matches!(told[0], Event::Mapping { spi: SPI, source, .. } if source == elsewhere));
    assert_eq!(pair.tun.all().len(), 11);
}

#[test]
fn a_missing_sa_is_asked_for() {
    let mut pair = Pair::new(&parameters(Transform::KuznyechikMgm));
    pair.table.change(|view| view.outbound.clear());
    let packets = vec![single(packet(false, UDP, &udp(b"text"))); 8];
    assert!(pair.send(&packets).is_empty());
    let told: Vec<_> = pair.events.try_iter().collect();
    assert!(
        matches!(told[..], [Event::Acquire { reqid: 1, flow, .. }] if flow.destination_port == 53),
        "once a second"
    );
    assert_eq!(pair.table.dropped.no_outbound_sa.load(Relaxed), 8);
}

#[test]
fn long_packets_are_answered_or_cut() {
    let mut pair = Pair::new(&parameters(Transform::KuznyechikMgm));
    // 1500 - 20 - 8 - 16 - 12 = 1444, less pad length and next header.
    let text = |len: usize, whole: bool| {
        let mut packet = packet(false, UDP, &udp(&vec![3; len - 28]));
        if !whole {
            packet[6] = 0;
            crate::packet::fragment::finish(&mut packet[..20]);
        }
        packet
    };
    assert_eq!(pair.through(&[single(text(1442, true))]).len(), 1);
    assert_eq!(pair.through(&[single(text(1443, true))]).len(), 0);
    assert_eq!(pair.sender.counters.too_long.load(Relaxed), 1);
    let answer = pair.answers.all().remove(0);
    check_sums(&answer);
    assert_eq!(
        (answer[9], answer[20], answer[21], &answer[26..28]),
        (ICMP, 3, 4, &1442u16.to_be_bytes()[..])
    );
    let pieces = pair.through(&[single(text(4000, false))]);
    assert_eq!(pieces.len(), 3);
    assert!(pieces.iter().all(|piece| Inner::of(piece).is_some_and(|inner| inner.fragment)));
    // IPv6.
    let long = packet(true, UDP, &udp(&[3; 1395]));
    assert_eq!(pair.through(&[single(long)]).len(), 0);
    let answer = pair.answers.all().remove(1);
    check_sums(&answer);
    assert_eq!((answer[40], &answer[44..48]), (2, &1442u32.to_be_bytes()[..]));
}

#[test]
fn the_system_lowers_the_mtu() {
    let mut pair = Pair::new(&parameters(Transform::KuznyechikMgm));
    let sent = [single(packet(false, UDP, &udp(&[3; 1380])))];
    let mtu = |pair: &Pair| pair.sender.search().mtu;
    pair.wire.mtu = Some((1300, 1328));
    assert!(pair.through(&sent).is_empty() && pair.answers.packets.is_empty());
    assert_eq!(mtu(&pair), 1328);
    assert!(pair.through(&sent).is_empty());
    assert_eq!((pair.answers.packets.len(), pair.sender.counters.too_long.load(Relaxed)), (1, 2));
    // After ten minutes a dummy packet is lost, and no other: the path is as it was.
    let small = [single(packet(false, UDP, &udp(&[3; 1200])))];
    let later = |pair: &Pair| {
        let mut search = pair.sender.search();
        search.lowered = search.lowered.map(|at| at - Duration::from_secs(600));
    };
    later(&pair);
    assert_eq!((pair.through(&small).len(), mtu(&pair)), (1, 1328));
    assert_eq!((pair.sender.counters.too_long.load(Relaxed), pair.through(&small).len()), (3, 1));
    // A wider device, then the widest.
    pair.wire.mtu = Some((1350, 1378));
    later(&pair);
    assert_eq!((pair.through(&small).len(), mtu(&pair)), (1, 1378));
    pair.wire.mtu = None;
    later(&pair);
    let messages = pair.send(&small);
    assert_eq!(messages.iter().map(|(_, len, _)| *len).collect::<Vec<_>>(), [1260, 1472]);
    pair.receive(messages);
    assert_eq!((pair.tun.packets.len(), pair.refused()), (1, [0; 4]));
    assert_eq!((pair.send(&small).len(), mtu(&pair)), (1, 1378));
    pass(&pair, 3);
    assert_eq!((pair.send(&[]).len(), pair.send(&sent).len(), mtu(&pair)), (0, 1, 1500));
    // A device below 1280 bytes: the packet that tries the path does not raise the MTU that was found.
    pair.sender.search().report(1000, Quoted::Other, Instant::now());
    later(&pair);
    pair.wire.mtu = Some((1000, 1000));
    let short = [single(packet(false, UDP, &udp(&[3; 500])))];
    assert_eq!((pair.send(&short).len(), mtu(&pair)), (1, 1000));
    let lowered = pair.sender.search().lowered.expect("a time");
    assert!(lowered.elapsed() < Duration::from_secs(300), "and the time begins again");
    pair.sender.search().mtu = 1500;
    // A system that believes a forged report, and not below the floor.
    pair.wire.mtu = Some((100, 100));
    assert!(pair.send(&sent).is_empty());
    assert_eq!(mtu(&pair), 1468);
    pair.sender.search().mtu = 600;
    assert!(pair.send(&[single(packet(false, UDP, &udp(&[3; 500])))]).is_empty());
    assert_eq!(mtu(&pair), 576);
}

#[test]
fn short_packets_of_ipv6_are_cut_outside() {
    let mut pair = Pair::new(&parameters(Transform::KuznyechikMgm));
    pair.sender.search().mtu = 1300;
    let text = |len: usize| packet(true, UDP, &udp(&vec![3; len - 48]));
    let vnet = Vnet { kind: Kind::Udp, segment: 1232, ..Vnet::default() };
    let sent =
        [single(text(1280)), single(text(1281)), single(text(1240)), (vnet, text(48 + 5000))];
    assert_eq!(pair.through(&sent).len(), 7);
    // Four of the super-packet.
    assert_eq!((pair.wire.cut, pair.answers.packets.len()), (5, 1));
    assert_eq!(pair.sender.search().mtu, 1300);
}

/// A router's report of ESP in UDP from 192.0.2.1 to 192.0.2.2, or of protocol 50 between addresses of IPv6.
fn reported(v6: bool, mtu: u16, esp: &[u8]) -> Vec<u8> {
    let [high, low] = mtu.to_be_bytes();
    if v6 {
        let to = match there().ip() {
            IpAddr::V6(_) => unreachable!(),
            IpAddr::V4(ip) => ip.to_ipv6_mapped().octets(),
        };
        return [
            &[2, 0, 9, 9, 0, 0, high, low, 0x60, 0, 0, 0, 9, 9, 50, 64][..],
            &[0; 16],
            &to,
            esp,
        ]
        .concat();
    }
    let mut quoted = packet(false, UDP, &[&[0x11, 0x94, 0x11, 0x94, 9, 9, 0, 0][..], esp].concat());
    quoted[16..20].copy_from_slice(&[192, 0, 2, 2]);
    let icmp = [&[3, 4, 0, 0, 0, 0, high, low][..], &quoted].concat();
    let mut whole = packet(false, ICMP, &icmp);
    let sum = crate::packet::sum::Sum::default().plus(&icmp).checksum();
    whole[22..24].copy_from_slice(&sum);
    whole
}

#[test]
fn reports_of_routers() {
    let esp = [&SPI.to_be_bytes()[..], &[0, 0, 0, 7]].concat();
    let carrier = Carrier::Udp { local: 4500, remote: 4500 };
    let want = |mtu, number| Some(Report { mtu, destination: there().ip(), carrier, number });
    let number = Some((SPI, 7));
    for (mtu, esp, want) in [
        (1400, &esp[..], want(1400, number)),
        (68, &esp, want(68, number)),
        (67, &esp, None),
        (1400, &esp[..7], want(1400, None)),
        (1400, &[], want(1400, None)),
    ] {
        let bytes = reported(false, mtu, esp);
        assert_eq!(icmp::report(&bytes, false), want);
        for place in 0..bytes.len() {
            // Any byte is under the checksum, or in a header before it; no end inside makes it panic.
            let mut bad = bytes.clone();
            bad[place] ^= 1;
            assert!(place < 20 || icmp::report(&bad, false).is_none(), "{place}");
            let _ = (icmp::report(&bytes[..place], false), icmp::report(&bytes[..place], true));
        }
    }
    let v6 =
        |mtu| icmp::report(&reported(true, mtu, &esp), true).map(|r| (r.mtu, r.carrier, r.number));
    assert_eq!(v6(1280), Some((1280, Carrier::Ip, number)));
    assert_eq!(v6(1279), None);
    assert_eq!(icmp::report(&packet(true, ICMP6, &esp), true), None);
}

#[test]
fn only_reports_of_packets_that_were_sent_lower_the_mtu() {
    let mut pair = Pair::new(&parameters(Transform::KuznyechikMgm));
    let mut reports = Reports::new(pair.table.clone());
    let (mtu, carrier) = (1300, Carrier::Udp { local: 4500, remote: 4500 });
    let report = |number| Report { mtu, destination: there().ip(), carrier, number };
    let mut hear = |pair: &Pair, report: Report| {
        reports.refresh();
        reports.take(&report);
        pair.sender.search().mtu
    };
    // None is sent yet.
    for low in [0, 1, u32::MAX] {
        assert_eq!(hear(&pair, report(Some((SPI, low)))), 1500);
    }
    pair.send(&vec![single(packet(false, UDP, &udp(b"text"))); 5]);
    for (spi, low) in [(SPI, 0), (SPI, 6), (SPI, u32::MAX), (SPI, 1 << 31), (SPI + 1, 3)] {
        assert_eq!(hear(&pair, report(Some((spi, low)))), 1500);
    }
    assert_eq!(hear(&pair, Report { destination: here().ip(), ..report(Some((SPI, 3))) }), 1500);
    assert_eq!(hear(&pair, Report { carrier: Carrier::Ip, ..report(None) }), 1500);
    assert_eq!(hear(&pair, Report { mtu: 1500, ..report(Some((SPI, 3))) }), 1500);
    assert!(pair.sender.search().lowered.is_none());
    // The first packet and the last; the least MTU stays.
    assert_eq!(hear(&pair, report(Some((SPI, 1)))), 1300);
    assert_eq!(hear(&pair, Report { mtu: 1400, ..report(Some((SPI, 5))) }), 1300);
    // Without an SPI only so far, and of protocol 50 or IPv6 not at all.
    let other = Report { mtu: 600, carrier: Carrier::Ip, ..report(None) };
    assert_eq!(hear(&pair, other), 1300);
    assert_eq!(hear(&pair, Report { mtu: 600, ..report(None) }), 1280);
    assert_eq!(hear(&pair, Report { mtu: 600, ..report(Some((SPI, 2))) }), 600);
    assert_eq!(hear(&pair, Report { mtu: 70, ..report(Some((SPI, 2))) }), 576);
    // The eighth packet, after two of these texts, tries the path: a report of a different packet ends the trial.
    let wider = |number| Report { mtu: 1400, ..report(number) };
    let late = |pair: &Pair| {
        pair.sender.search().lowered = Some(Instant::now() - Duration::from_secs(600));
    };
    late(&pair);
    assert_eq!(pair.send(&vec![single(packet(false, UDP, &udp(b"text"))); 2]).len(), 2);
    assert_eq!((hear(&pair, wider(Some((SPI, 7)))), pair.sender.search().rests()), (576, true));
    // Only a report of the probe, the eleventh, raises the MTU.
    late(&pair);
    assert_eq!(pair.send(&vec![single(packet(false, UDP, &udp(b"text"))); 2]).len(), 2);
    assert_eq!(hear(&pair, wider(Some((SPI, 11)))), 1400);
    // A router that does not say which packet ends the trial, and the MTU stays.
    late(&pair);
    assert_eq!(pair.send(&[single(packet(false, UDP, &udp(b"text")))]).len(), 2);
    assert_eq!((hear(&pair, wider(None)), pair.sender.search().rests()), (1400, true));
    // The SA is gone.
    pair.table.change(|view| view.outbound.clear());
    assert_eq!(hear(&pair, report(Some((SPI, 1)))), 1400);
}

/// Seconds pass for the search.
fn pass(pair: &Pair, seconds: u64) {
    let back = |at: Instant| at - Duration::from_secs(seconds);
    let mut search = pair.sender.search();
    search.probe.sent = search.probe.sent.map(back);
    search.checked = search.checked.map(back);
    search.lowered = search.lowered.map(back);
}

/// A pair with an SA back, so that it answers itself: its path asks at once.
fn answering() -> Pair {
    let parameters = Parameters { spi: SPI + 1, ..parameters(Transform::MagmaMgm) };
    let pair = Pair::with(&self::parameters(Transform::MagmaMgm), |view| {
        let carrier = Carrier::Udp { local: 4500, remote: 4500 };
        let ends = Ends { source: there().ip(), destination: here().ip(), carrier };
        let out = Outbound::new(parameters.clone(), ends, &KEY[..36]).expect("an SA");
        let inbound = Inbound::new(parameters.clone(), ends, &KEY[..36]).expect("an SA");
        view.outbound.entry(1).or_default().push(Arc::new(out));
        view.inbound.insert(SPI + 1, Arc::new(inbound));
    });
    pair.sender.search().checked = None;
    pair
}

/// Seconds of long packets over a path that drops packets longer than this, without a word.
fn long_packets(pair: &mut Pair, seconds: usize, most: usize) -> u32 {
    let long = [single(packet(false, UDP, &udp(&[3; 1200])))];
    for _ in 0..seconds {
        let mut messages = pair.send(&long);
        while !messages.is_empty() {
            messages.retain(|(_, _, bytes)| bytes.len() + 28 <= most);
            pair.receive(messages);
            messages = std::mem::take(&mut pair.wire.messages);
        }
        pass(pair, 1);
        pair.receiver.probed.store(0, Relaxed);
    }
    pair.sender.search().mtu
}

#[test]
fn a_path_that_drops_long_packets_is_found_out() {
    let mut pair = answering();
    let counts = |pair: &Pair| {
        let Counters { probes, answered, lowered, .. } = &pair.sender.counters;
        [probes, answered, lowered].map(|counter| counter.load(Relaxed))
    };
    // A wide path costs a probe, and then one in a minute.
    assert_eq!((long_packets(&mut pair, 50, 1500), counts(&pair)), (1500, [1, 1, 0]));
    assert_eq!((long_packets(&mut pair, 20, 1500), counts(&pair)), (1500, [2, 2, 0]));
    // Nothing passes: a silent peer is asked earlier, and its MTU stays.
    pair.sender.heard.store(u64::MAX, Relaxed);
    assert_eq!((long_packets(&mut pair, 12, 0), counts(&pair)), (1500, [2, 2, 0]));
    pair.sender.heard.store(0, Relaxed);
    assert_eq!((long_packets(&mut pair, 8, 0), counts(&pair)), (1500, [8, 2, 0]));
    for (seconds, most) in [(120, 1400), (700, 1400), (120, 1300), (700, 1500)] {
        assert_eq!(long_packets(&mut pair, seconds, most), most as u32, "after {seconds} s");
    }
    assert_eq!(counts(&pair)[2], 2);
    assert_eq!(pair.refused(), [0; 4]);
    // A path that was down for a while, whenever it came back, is as wide as before.
    for seconds in 1..20 {
        long_packets(&mut pair, seconds, 0);
        assert_eq!(long_packets(&mut pair, 30, 1500), 1500, "down for {seconds} s");
    }
    // The next SA of this path knows it.
    let next = pair.sender.search().successor(1500);
    assert_eq!((next.mtu, next.lowered), (1500, None));
}

#[test]
fn associations_with_the_same_ends_share_an_mtu() {
    let mut pair = answering();
    let ends = pair.sender.ends();
    let [same, other] = [ends, Ends { destination: address("192.0.2.3"), ..ends }].map(|ends| {
        let parameters = Parameters { spi: SPI + 2, reqid: 2, ..parameters(Transform::MagmaMgm) };
        Arc::new(Outbound::new(parameters, ends, &KEY[..36]).expect("an SA"))
    });
    pair.table.change(|view| view.outbound.insert(2, vec![same.clone(), other.clone()]));
    for (seconds, most) in [(120, 1400), (700, 1500)] {
        assert_eq!(long_packets(&mut pair, seconds, most), most as u32);
        assert_eq!([&same, &other].map(|sa| sa.search().mtu), [most as u32, 1500]);
    }
    assert_eq!(same.counters.probes.load(Relaxed), 0);
    // An SA that has found a narrower path itself learns that it is wider, and keeps the time of the next trial.
    let (now, mut search) = (Instant::now(), same.search());
    search.report(1300, Quoted::Other, now);
    search.learn(1400, None);
    assert_eq!((search.mtu, search.lowered), (1400, Some(now)));
}

#[test]
fn a_peer_that_answers_no_probe_changes_nothing() {
    let mut pair = Pair::new(&parameters(Transform::MagmaMgm));
    pair.sender.search().checked = None;
    assert_eq!(long_packets(&mut pair, 500, 1400), 1500);
    let count = |pair: &Pair| pair.sender.counters.probes.load(Relaxed);
    assert_eq!((count(&pair), long_packets(&mut pair, 300, 1400), count(&pair)), (18, 1500, 24));
    // Short packets ask nothing.
    let mut pair = answering();
    assert_eq!(pair.send(&[single(packet(false, UDP, &udp(b"text")))]).len(), 1);
    assert!(pair.sender.search().rests());
}

#[test]
fn few_probes_are_answered_and_no_forged_ones() {
    let mut pair = answering();
    let payload = |message: Probe| {
        let mut payload = message.bytes().to_vec();
        payload.resize(payload_len(20), 0);
        bulat::esp::pad(&mut payload, 20, 59).expect("padded");
        payload
    };
    let asks = payload(Probe { answers: false, len: 0, id: [7; 8] });
    let messages: Vec<_> = (1..=40).map(|number| pair.genuine(number, &asks)).collect();
    let mut forged = messages.clone();
    forged.iter_mut().for_each(|(_, _, bytes)| bytes[30] ^= 1);
    pair.receive(forged);
    assert!(pair.wire.messages.is_empty());
    pair.receive(messages.clone());
    let answers = std::mem::take(&mut pair.wire.messages).len();
    assert!((4..=8).contains(&answers), "{answers} in a second or two");
    std::thread::sleep(Duration::from_millis(1100));
    pair.receive(messages);
    assert!(pair.wire.messages.is_empty(), "replays");
    // Answers to no probe of ours.
    pair.send(&[single(packet(false, UDP, &udp(&[3; 1200])))]);
    let answer = payload(Probe { answers: true, len: 1472, id: [7; 8] });
    let message = pair.genuine(50, &answer);
    pair.receive(vec![message]);
    assert_eq!((pair.sender.counters.answered.load(Relaxed), pair.tun.packets.len()), (0, 0));
}

#[test]
fn a_queue_has_its_own_sa() {
    let mut pair = Pair::new(&parameters(Transform::KuznyechikMgm));
    let ends = pair.sender.ends();
    let make = |queue, spi| {
        let parameters = Parameters { queue, spi, ..parameters(Transform::KuznyechikMgm) };
        Arc::new(Outbound::new(parameters, ends, &KEY).expect("an SA"))
    };
    let all = [(Some(1), 500), (Some(0), 400), (None, 300), (Some(0), 200)];
    pair.table.change(|view| {
        view.outbound.insert(1, all.map(|(queue, spi)| make(queue, spi)).into());
    });
    let sent = [single(packet(false, UDP, &udp(b"text")))];
    let spi =
        |messages: &[Message]| messages[0].2.first_chunk().map(|spi| u32::from_be_bytes(*spi));
    assert_eq!(spi(&pair.send(&sent)), Some(400), "the newest of the queue");
    pair.table.change(|view| {
        view.outbound.insert(1, vec![make(Some(1), 500), make(None, 300)]);
    });
    assert_eq!(spi(&pair.send(&sent)), Some(300), "the newest of no queue");
}
