//! From the wire to the TUN: ESP becomes packets, and packets of a flow a super-packet.

use std::io::IoSlice;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Instant;

use arrayvec::ArrayVec;
use bulat::esp::{Header, Packet, open};

use super::eyes::Eyes;
use super::measure::plain;
use super::outward::{self, ESP, MOST};
use super::{Ike, Tun, Wire};
use crate::packet::coalesce::Run;
use crate::packet::contents::Contents;
use crate::packet::ecn;
use crate::packet::ip::set_tos;
use crate::packet::probe::Message;
use crate::packet::vnet::Vnet;
use crate::sa::{Carrier, Inbound, Outbound, Parameters, Receiving, lock};
use crate::sys::message::Meta;
use crate::sys::socket::Protocol;
use crate::table::{self, Event, Table};

/// Inner packets that wait for the TUN.
const HELD: usize = 4 * MOST;
/// A burst of this many bytes is opened: about a message's.
const BYTES: usize = 60_000;
/// After this many refused packets in a row later numbers are tried (RFC 4303, A3), once a second.
const LOST: u32 = 64;
/// The subspaces of 2^32 numbers that are tried.
const SUBSPACES: u32 = 3;
/// The most answers to probes of an SA in a second. Below 8: the count is in three bits of `probed`.
const ANSWERS: u64 = 4;
/// The non-ESP marker (RFC 3948, 2.2).
const MARKER: [u8; 4] = [0; 4];
/// Where a message came in: its protocol, and our address and port.
pub type Door = (Protocol, SocketAddr);

/// A packet of a burst.
struct Entry<'a> {
    /// The place of its SA.
    place: usize,
    /// From the SPI to the ICV.
    bytes: &'a mut [u8],
    tos: Option<u8>,
    door: Protocol,
    source: SocketAddr,
    sequence: u64,
    state: State,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// The packet's number was not seen before.
    New,
    /// The packet is lost.
    Refused,
    /// The packet is genuine.
    Open,
}

/// The work of a receiver.
pub struct Inward {
    table: Arc<Table>,
    eyes: Eyes,
    ike: Ike,
    /// The TUN accepts super-packets of UDP.
    joins_udp: bool,
    joins: bool,
    /// Answers to probes, which wait for [`Self::answer`].
    answers: ArrayVec<(Arc<Outbound>, Message), 16>,
}

/// The packets of a burst and their SAs.
struct Burst<'a> {
    entries: ArrayVec<Entry<'a>, MOST>,
    sas: ArrayVec<Arc<Inbound>, MOST>,
    bytes: usize,
    /// Inner packets of this burst and of bursts before: super-packets of the sender lie across bursts.
    packets: ArrayVec<&'a [u8], HELD>,
}

impl Inward {
    /// A receiver; `joins`: the TUN gets super-packets.
    pub fn new(table: Arc<Table>, ike: Ike, joins: bool) -> Self {
        let eyes = Eyes::new(table.clone());
        Inward { table, eyes, ike, joins, joins_udp: joins, answers: ArrayVec::new() }
    }

    /// Sees the table as it is.
    pub fn refresh(&mut self) {
        self.eyes.refresh();
    }

    /// Handles received messages.
    pub fn take<'a>(
        &mut self,
        (protocol, local): Door,
        messages: impl Iterator<Item = (&'a Meta, &'a mut [u8])>,
        tun: &mut impl Tun,
    ) {
        self.eyes.refresh();
        let mut burst = Burst {
            entries: ArrayVec::new(),
            sas: ArrayVec::new(),
            bytes: 0,
            packets: ArrayVec::new(),
        };
        for (meta, bytes) in messages {
            for datagram in bytes.chunks_mut(meta.segment.max(1)) {
                let full = burst.entries.is_full() || burst.sas.is_full();
                if full || burst.bytes >= BYTES {
                    self.end(&mut burst, tun);
                }
                self.sort(protocol, local, meta, datagram, &mut burst);
            }
        }
        self.end(&mut burst, tun);
        self.write(&burst.packets, tun);
    }

    /// Puts a datagram where it belongs.
    fn sort<'a>(
        &mut self,
        protocol: Protocol,
        local: SocketAddr,
        meta: &Meta,
        bytes: &'a mut [u8],
        burst: &mut Burst<'a>,
    ) {
        let dropped = &self.table.dropped;
        let udp = protocol == Protocol::Udp;
        // A keepalive of NAT (RFC 3948, 2.3).
        if udp && *bytes == [0xff] {
            return;
        }
        let Some(spi) = bytes.first_chunk::<4>() else {
            dropped.short.fetch_add(1, Relaxed);
            return;
        };
        if *spi == MARKER {
            if let (true, Some(message)) = (udp, bytes.get(4..)) {
                let ip = meta.local.unwrap_or(local.ip());
                let dscp = meta.tos.unwrap_or(0) >> 2;
                (self.ike)(SocketAddr::new(ip, local.port()), meta.source, dscp, message);
            } else {
                dropped.short.fetch_add(1, Relaxed);
            }
            return;
        }
        let spi = u32::from_be_bytes(*spi);
        let found = burst.sas.iter().rposition(|sa| sa.parameters.spi == spi);
        let place = match (found, self.eyes.view.inbound.get(&spi)) {
            (Some(place), _) => place,
            // It has room: a full burst was opened.
            (None, Some(sa)) if burst.sas.try_push(sa.clone()).is_ok() => burst.sas.len() - 1,
            _ => {
                dropped.no_inbound_sa.fetch_add(1, Relaxed);
                return;
            }
        };
        let icv = burst.sas.get(place).map_or(0, |sa| sa.parameters.transform.icv_len());
        let payload = bytes.len().checked_sub(ESP + icv).filter(|len| *len >= 4);
        if payload.is_none_or(|len| len % 4 != 0) {
            dropped.short.fetch_add(1, Relaxed);
            return;
        }
        burst.bytes += bytes.len();
        // It has room: a full burst was opened.
        let _ = burst.entries.try_push(Entry {
            place,
            bytes,
            tos: meta.tos,
            door: protocol,
            source: meta.source,
            sequence: 0,
            state: State::New,
        });
    }

    /// Opens a burst. Writes packets into the TUN if many wait.
    fn end<'a>(&mut self, burst: &mut Burst<'a>, tun: &mut impl Tun) {
        if !burst.entries.is_empty() {
            let now = table::now();
            for (place, sa) in burst.sas.iter().enumerate() {
                self.open(place, sa, &mut burst.entries, now);
            }
            for entry in burst.entries.drain(..).filter(|entry| entry.state == State::Open) {
                let Some(sa) = burst.sas.get(entry.place) else { continue };
                // It has room for all entries of a burst.
                burst.packets.extend(self.inner(sa, entry, now).map(|packet| &*packet));
            }
            for sa in burst.sas.iter().filter(|sa| sa.reached(&sa.parameters.soft)) {
                self.table.soft_limit(sa);
            }
            if burst.packets.remaining_capacity() < MOST {
                self.write(&burst.packets, tun);
                burst.packets.clear();
            }
        }
        burst.entries.clear();
        burst.sas.clear();
        burst.bytes = 0;
    }

    /// Opens the packets of an SA.
    fn open(&self, place: usize, sa: &Inbound, entries: &mut [Entry<'_>], now: u64) {
        let Parameters { hard, reqid, esn, .. } = &sa.parameters;
        // It has room for all entries of a burst.
        let mut mine: ArrayVec<&mut Entry<'_>, MOST> =
            entries.iter_mut().filter(|entry| entry.place == place).collect();
        if sa.reached(hard) {
            self.table.hard_limit(sa);
        }
        if sa.life.dead.load(Relaxed) {
            mine.iter_mut().for_each(|entry| entry.state = State::Refused);
            sa.counters.limit.fetch_add(mine.len() as u64, Relaxed);
            return;
        }
        let mut receiving = lock(&sa.receiving);
        let (replay, bad) = authenticate(&mut receiving, &sa.parameters, &mut mine);
        receiving.failed = match mine.iter().any(|entry| entry.state == State::Open) {
            true => 0,
            false => receiving.failed.saturating_add((replay + bad) as u32),
        };
        if *esn && receiving.failed >= LOST && receiving.tried != now {
            receiving.tried = now;
            if let Some(last) = mine.last_mut() {
                find_later(&mut receiving, &sa.parameters, last);
            }
        }
        let top = receiving.window.top();
        drop(receiving);
        for (counter, n) in [(&sa.counters.replay, replay), (&sa.counters.bad_icv, bad)] {
            if n > 0 {
                counter.fetch_add(n, Relaxed);
            }
        }
        let newest = |entry: &&&mut Entry<'_>| entry.state == State::Open && entry.sequence == top;
        if let Some(Entry { door, source, .. }) = mine.iter().find(newest) {
            if sa.counters.used.swap(now, Relaxed) != now {
                let all = self.eyes.view.outbound.get(reqid).into_iter().flatten();
                all.for_each(|out| out.heard.store(now, Relaxed));
            }
            self.moved(sa, *door, *source, now);
        }
    }

    /// Tells the daemon, at most once a second, if the newest packet came from another address than the peer's.
    fn moved(&self, sa: &Inbound, door: Protocol, source: SocketAddr, now: u64) {
        let ends = sa.ends();
        let known = match (ends.carrier, door) {
            (Carrier::Udp { remote, .. }, Protocol::Udp) => (ends.source, remote).into(),
            (Carrier::Ip, Protocol::Esp) => (ends.source, source.port()).into(),
            _ => source,
        };
        if !same(known, source) && sa.moved.swap(now, Relaxed) != now {
            let (spi, destination) = (sa.parameters.spi, ends.destination);
            self.table.tell(Event::Mapping { spi, destination, source });
        }
    }

    /// Checks the contents of a genuine packet, and returns the inner packet.
    fn inner<'a>(&mut self, sa: &Inbound, entry: Entry<'a>, now: u64) -> Option<&'a mut [u8]> {
        let (parameters, counters) = (&sa.parameters, &sa.counters);
        // Within a burst, too, and with several receivers.
        let before = counters.packets.fetch_add(1, Relaxed);
        if parameters.hard.reached(counters.bytes.load(Relaxed), before) {
            counters.packets.fetch_sub(1, Relaxed);
            counters.limit.fetch_add(1, Relaxed);
            self.table.hard_limit(sa);
            return None;
        }
        let len = entry.bytes.len();
        let end = len.checked_sub(parameters.transform.icv_len())?;
        let (inner, packet) = match entry.bytes.get_mut(ESP..end).and_then(Contents::of) {
            Some(Contents::Packet(inner, packet)) => (inner, packet),
            Some(Contents::Dummy(message)) => {
                if let Some(message) = message {
                    self.probed(sa, message, len, now);
                }
                return None;
            }
            None => {
                counters.malformed.fetch_add(1, Relaxed);
                return None;
            }
        };
        counters.bytes.fetch_add(packet.len() as u64, Relaxed);
        let Some(place) = self.eyes.inbound(&inner.flow, parameters.reqid) else {
            counters.selector.fetch_add(1, Relaxed);
            return None;
        };
        if let Some(policy) = self.eyes.view.policies.get(place)
            && policy.used.load(Relaxed) != now
        {
            policy.used.store(now, Relaxed);
        }
        let outer = entry.tos.unwrap_or(inner.tos & !ecn::MASK);
        let Some(marks) = ecn::combine(inner.tos, outer) else {
            self.table.dropped.congestion.fetch_add(1, Relaxed);
            return None;
        };
        let rest = if parameters.copy_dscp { outer } else { inner.tos };
        let tos = rest & !ecn::MASK | marks;
        if tos != inner.tos {
            set_tos(packet, tos);
        }
        Some(packet)
    }

    /// Handles a probe of `len` bytes, or the answer to ours: the SAs to the peer have the reqid.
    fn probed(&mut self, sa: &Inbound, message: Message, len: usize, now: u64) {
        let Some(all) = self.eyes.view.outbound.get(&sa.parameters.reqid) else { return };
        if message.answers {
            all.iter().for_each(|out| self.answered(out, message));
            return;
        }
        let peer = sa.ends().source;
        let to =
            |out: &&Arc<Outbound>| !out.life.dead.load(Relaxed) && out.ends().destination == peer;
        let count = |last: u64| {
            let next = if last / 8 == now { last + 1 } else { now * 8 };
            (next % 8 < ANSWERS).then_some(next)
        };
        if let Some(out) = all.iter().find(to)
            && sa.probed.fetch_update(Relaxed, Relaxed, count).is_ok()
        {
            let answer = Message { answers: true, len: len as u16, ..message };
            // Without room the peer asks again.
            let _ = self.answers.try_push((out.clone(), answer));
        }
    }

    /// Handles the answer to a probe, if this SA has sent it. The SAs with the same ends have the same path.
    fn answered(&self, out: &Arc<Outbound>, message: Message) {
        let now = Instant::now();
        let mut search = out.search();
        let before = search.mtu;
        let Some(fell) = search.answered(message.id, message.len, now) else { return };
        let (mtu, lowered) = (search.mtu, search.lowered);
        drop(search);
        out.counters.answered.fetch_add(1, Relaxed);
        out.counters.lowered.fetch_add(fell.into(), Relaxed);
        if mtu != before {
            let ends = out.ends();
            let others = self.eyes.view.outbound.values().flatten();
            for other in others.filter(|other| !Arc::ptr_eq(other, out) && other.ends() == ends) {
                other.search().learn(mtu, lowered);
            }
        }
    }

    /// Answers the probes of received messages.
    pub fn answer(&mut self, wire: &mut impl Wire) {
        for (out, message) in self.answers.drain(..) {
            outward::probe(&out, message, None, &self.table, wire);
        }
    }

    /// Writes packets into the TUN: packets of a flow that follow each other together.
    fn write(&mut self, packets: &[&[u8]], tun: &mut impl Tun) {
        let mut rest = packets;
        while let [first, others @ ..] = rest {
            let run = if self.joins { Run::begin(first) } else { None };
            let mut run = run.filter(|run| self.joins_udp || !run.is_udp());
            let mut count = 1;
            if let Some(run) = &mut run {
                count += others.iter().take(MOST - 1).take_while(|next| run.add(next)).count();
            }
            let Some((now, after)) = rest.split_at_checked(count) else { return };
            let mut written = false;
            if let (Some(run), true) = (&run, count > 1) {
                let headers = run.headers();
                let mut parts = ArrayVec::<IoSlice<'_>, { MOST + 1 }>::new();
                parts.push(IoSlice::new(&headers));
                let payloads =
                    now.iter().map(|packet| packet.get(run.head()..).unwrap_or_default());
                parts.extend(payloads.map(IoSlice::new));
                match tun.write(&parts) {
                    Ok(()) => written = true,
                    // Kernels before 6.2 lack super-packets of UDP.
                    Err(error) if error.raw_os_error() == Some(libc::EINVAL) && run.is_udp() => {
                        self.joins_udp = false;
                    }
                    Err(_) => {
                        self.table.dropped.system.fetch_add(count as u64, Relaxed);
                        written = true;
                    }
                }
            }
            if !written {
                let plain = Vnet::default().bytes();
                let header = match &run {
                    Some(run) if count == 1 => run.single(),
                    _ => plain,
                };
                for packet in now {
                    if tun.write(&[IoSlice::new(&header), IoSlice::new(packet)]).is_err() {
                        self.table.dropped.system.fetch_add(1, Relaxed);
                    }
                }
            }
            rest = after;
        }
    }
}

/// The lower half of a packet's number.
fn low(bytes: &[u8]) -> u32 {
    let low = bytes.get(4..).and_then(|bytes| bytes.first_chunk());
    low.map_or(0, |low| u32::from_be_bytes(*low))
}

/// Opens packets of an SA with new numbers. Returns how many are replays, and how many are not genuine.
fn authenticate(
    receiving: &mut Receiving,
    parameters: &Parameters,
    all: &mut [&mut Entry<'_>],
) -> (u64, u64) {
    let Receiving { associations, window, .. } = receiving;
    let (mut replay, mut bad) = (0, 0);
    let mut headers = ArrayVec::<Header, MOST>::new();
    for entry in all.iter_mut() {
        if let Ok(sequence) = window.check(low(entry.bytes)) {
            entry.sequence = sequence;
            headers.push(Header::new(parameters.spi, sequence, parameters.esn));
        } else {
            entry.state = State::Refused;
            replay += 1;
        }
    }
    let new = |entry: &&mut &mut Entry<'_>| entry.state == State::New;
    let mut sealed = ArrayVec::<Packet<'_>, MOST>::new();
    for (entry, header) in all.iter_mut().filter(new).zip(&headers) {
        let Entry { bytes, state, .. } = &mut **entry;
        match packet(bytes, header, parameters.transform.icv_len()) {
            Some(packet) => sealed.push(packet),
            // Otherwise the next packet's result would be this one's.
            None => *state = State::Refused,
        }
    }
    let fine = plain() || open(associations, &mut sealed).is_ok();
    let results: ArrayVec<bool, MOST> =
        sealed.iter().map(|packet| fine || packet.result().is_ok()).collect();
    drop(sealed);
    for (entry, good) in all.iter_mut().filter(new).zip(results) {
        entry.state = State::Refused;
        if !good {
            bad += 1;
        } else if window.accept(entry.sequence).is_err() {
            replay += 1;
        } else {
            entry.state = State::Open;
        }
    }
    (replay, bad)
}

/// Opens a refused packet under later numbers (RFC 4303, A3).
fn find_later(receiving: &mut Receiving, parameters: &Parameters, entry: &mut Entry<'_>) {
    let Receiving { associations, window, failed, .. } = receiving;
    for subspaces in 1..=SUBSPACES {
        let Some(sequence) = window.later(low(entry.bytes), subspaces) else { return };
        let header = Header::new(parameters.spi, sequence, true);
        let sealed = packet(entry.bytes, &header, parameters.transform.icv_len());
        let Some(sealed) = sealed else { return };
        if open(associations, &mut [sealed]).is_ok() && window.accept(sequence).is_ok() {
            (entry.state, entry.sequence, *failed) = (State::Open, sequence, 0);
            return;
        }
    }
}

/// A packet for the cipher.
fn packet<'p>(bytes: &'p mut [u8], header: &'p Header, icv: usize) -> Option<Packet<'p>> {
    let iv = *bytes.get(8..)?.first_chunk()?;
    let body = bytes.get_mut(ESP..)?;
    let (payload, icv) = body.split_at_mut_checked(body.len().checked_sub(icv)?)?;
    Some(Packet::new(0, iv, header, payload, icv))
}

/// Compares addresses without the scope.
fn same(a: SocketAddr, b: SocketAddr) -> bool {
    let plain = |address: SocketAddr| -> (IpAddr, u16) { (address.ip(), address.port()) };
    plain(a) == plain(b)
}
