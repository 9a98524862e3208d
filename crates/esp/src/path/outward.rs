//! From the TUN to the wire: packets become bursts of ESP.

use std::io::IoSlice;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

use arrayvec::ArrayVec;
use bulat::esp::{Header, Packet, pad, payload_len, seal};

use super::eyes::Eyes;
use super::measure::plain;
use super::{Tun, Wire};
use crate::packet::contents::DUMMY;
use crate::packet::ip::Inner;
use crate::packet::probe::Message;
use crate::packet::vnet::{self, Vnet};
use crate::packet::{ecn, fragment, icmp, segment};
use crate::sa::{Carrier, Ends, Outbound, Sending, lock};
use crate::search::{Quoted, SILENT};
use crate::sys::message::Outgoing;
use crate::table::{self, Table};

/// Packets of a burst. Eight are enough for the cipher; more serve the system calls.
pub const MOST: usize = 64;
/// SPI and sequence number, and the IV.
pub const ESP: usize = 16;
/// The most bytes of the datagrams of a message, and of a burst: longer bursts delay packets and leave the cache.
const MESSAGE: usize = 65_507;
/// The longest packet of protocol 50: without UDP it may be a burst.
const LONGEST: usize = 66_560;
/// ICMP errors of a thread in a second.
const ERRORS: u32 = 100;
/// The least MTU of IPv6 (RFC 8200): such a packet inside must pass. And reports that anyone can forge lower an MTU no
/// further.
pub const SAFE: u32 = 1280;

/// A packet of a burst. The packets lie one after another in the burst's buffer.
struct Entry {
    route: usize,
    at: usize,
    payload: usize,
    icv: usize,
    /// Bytes of the inner packet.
    inner: usize,
    tos: u8,
    /// The packet is too long for the path, and goes in fragments.
    cut: bool,
    iv: [u8; 8],
    /// The packet is sealed.
    ready: bool,
}

impl Entry {
    fn len(&self) -> usize {
        ESP + self.payload + self.icv
    }
}

/// An SA of a burst, and its state when the burst began.
struct Route {
    sa: Arc<Outbound>,
    ends: Ends,
    icv: usize,
    /// The path's MTU.
    mtu: u32,
    /// The longest inner packet.
    most: usize,
    /// The least bytes that an inner packet is padded to.
    tfc: usize,
    /// Bytes of the outer headers before ESP.
    outer: usize,
    /// Longer packets are worth a probe of the path; some were sent.
    base: usize,
    long: bool,
    /// It is for a probe only.
    probes: bool,
}

impl Route {
    fn new(sa: Arc<Outbound>) -> Self {
        let (mtu, base) = {
            let search = sa.search();
            (search.mtu, search.base() as usize)
        };
        let (ends, icv) = (sa.ends(), sa.parameters.transform.icv_len());
        let (long, probes) = (false, false);
        let mut route = Route { sa, ends, icv, mtu, most: 0, tfc: 0, outer: 0, base, long, probes };
        route.fit(mtu);
        route
    }

    /// Fits the packets to an MTU.
    fn fit(&mut self, mtu: u32) {
        let ip = if self.ends.destination.is_ipv4() { 20 } else { 40 };
        let udp = if self.ends.carrier == Carrier::Ip { 0 } else { 8 };
        (self.mtu, self.outer) = (mtu.min(65_535), ip + udp);
        // Payload, pad length and next header are a multiple of 4 bytes.
        let payload = (self.mtu as usize).saturating_sub(self.outer + ESP + self.icv) & !3;
        self.most = payload.saturating_sub(2);
        self.tfc = usize::from(self.sa.parameters.tfc).min(self.most);
    }
}

/// Packets that are sealed and sent together.
struct Burst {
    buffer: Vec<u8>,
    used: usize,
    entries: ArrayVec<Entry, MOST>,
    routes: ArrayVec<Route, MOST>,
}

impl Burst {
    fn new() -> Self {
        let buffer = vec![0; LONGEST];
        Burst { buffer, used: 0, entries: ArrayVec::new(), routes: ArrayVec::new() }
    }

    /// Adds an inner packet. A full burst is sent before.
    fn push(
        &mut self,
        (index, next_header): (usize, u8),
        tos: u8,
        (head, piece): (&[u8], &[u8]),
        out: &mut Out<'_, impl Wire>,
    ) {
        let Some(route) = self.routes.get_mut(index) else { return };
        let (icv, text) = (route.icv, head.len() + piece.len());
        let cut = text > route.most;
        let padded = text.max(route.tfc);
        let payload = payload_len(padded);
        let len = ESP + payload + icv;
        route.long |= route.outer + len > route.base;
        if self.entries.is_full() || self.used + len > MESSAGE {
            self.flush(out);
        }
        let place = self.buffer.get_mut(self.used..self.used + len);
        let body = place.and_then(|place| place.get_mut(ESP..ESP + payload));
        let Some((first, rest)) = body.and_then(|body| body.split_at_mut_checked(head.len()))
        else {
            return;
        };
        first.copy_from_slice(head);
        let Some((second, rest)) = rest.split_at_mut_checked(piece.len()) else { return };
        second.copy_from_slice(piece);
        // The padding of traffic flow confidentiality; the rest is written by `pad`.
        if let Some(zeros) = rest.get_mut(..padded - text) {
            zeros.fill(0);
        }
        let from = self.used + ESP;
        let padded = self.buffer.get_mut(from..from + payload).map(|p| pad(p, padded, next_header));
        if padded != Some(Ok(())) {
            return;
        }
        let entry = Entry {
            route: index,
            at: self.used,
            payload,
            icv,
            inner: if next_header == DUMMY { 0 } else { text },
            tos,
            cut,
            iv: [0; 8],
            ready: false,
        };
        // It has room: a full burst was sent.
        if self.entries.try_push(entry).is_ok() {
            self.used += len;
        }
    }

    /// Seals and sends all packets.
    fn flush(&mut self, out: &mut Out<'_, impl Wire>) {
        if self.entries.is_empty() {
            return;
        }
        let now = table::now();
        for index in 0..self.routes.len() {
            if self.seal(index, out.table, now) {
                self.send(index, out);
            }
        }
        self.entries.clear();
        self.used = 0;
    }

    /// Numbers and seals the packets of an SA. Returns whether there are any.
    fn seal(&mut self, index: usize, table: &Table, now: u64) -> bool {
        let Some(route) = self.routes.get(index) else { return false };
        let (sa, parameters) = (&*route.sa, &route.sa.parameters);
        let mine = |entry: &&mut Entry| entry.route == index;
        if !self.entries.iter().any(|entry| entry.route == index) {
            return false;
        }
        let mut sending = lock(&sa.sending);
        let Sending { associations, numbers } = &mut *sending;
        let counters = &sa.counters;
        let (mut bytes, mut packets) =
            (counters.bytes.load(Relaxed), counters.packets.load(Relaxed));
        let (mut refused, mut sent) = (0, 0);
        let mut headers = ArrayVec::<Header, MOST>::new();
        let mut buffer = self.buffer.as_mut_slice();
        for entry in self.entries.iter_mut().filter(mine) {
            let limit = sa.life.dead.load(Relaxed) || parameters.hard.reached(bytes, packets);
            let number = if limit { None } else { numbers.next(entry.payload).ok() };
            let place = buffer.get_mut(entry.at..).and_then(<[u8]>::first_chunk_mut::<ESP>);
            let (Some(number), Some(place)) = (number, place) else {
                refused += 1;
                continue;
            };
            let [a, b, c, d] = parameters.spi.to_be_bytes();
            let [e, f, g, h] = (number.sequence as u32).to_be_bytes();
            let [i, j, k, l, m, n, o, p] = number.iv;
            *place = [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p];
            (entry.iv, entry.ready) = (number.iv, true);
            if route.probes {
                sa.search().sealed(number.sequence as u32, entry.len());
            }
            headers.push(Header::new(parameters.spi, number.sequence, parameters.esn));
            bytes += entry.inner as u64;
            packets += 1;
            sent += 1;
        }
        let mut sealed = ArrayVec::<Packet<'_>, MOST>::new();
        let mut headers = headers.iter();
        for entry in &self.entries {
            let Some((packet, rest)) =
                std::mem::take(&mut buffer).split_at_mut_checked(entry.len())
            else {
                break;
            };
            buffer = rest;
            if entry.route != index || !entry.ready {
                continue;
            }
            let body =
                packet.get_mut(ESP..).and_then(|body| body.split_at_mut_checked(entry.payload));
            if let (Some((payload, icv)), Some(header)) = (body, headers.next()) {
                sealed.push(Packet::new(0, entry.iv, header, payload, icv));
            }
        }
        let all = plain() || seal(associations, &mut sealed).is_ok();
        let mut results: ArrayVec<bool, MOST> =
            sealed.iter().map(|packet| all || packet.result().is_ok()).collect();
        drop(sealed);
        // In the order of the packets; a packet that the cipher has not sealed does not go.
        let mut results = results.drain(..);
        for entry in self.entries.iter_mut().filter(|entry| entry.route == index && entry.ready) {
            entry.ready = results.next() == Some(true);
            refused += u64::from(!entry.ready);
        }
        counters.bytes.store(bytes, Relaxed);
        counters.packets.store(packets, Relaxed);
        drop(sending);
        if sent > 0 {
            counters.used.store(now, Relaxed);
        }
        if refused > 0 {
            counters.limit.fetch_add(refused, Relaxed);
            table.hard_limit(sa);
        }
        if sa.reached(&parameters.soft) {
            table.soft_limit(sa);
        }
        sent > 0
    }

    /// Sends the sealed packets of an SA: packets of equal length, and a shorter packet after them, in a message.
    fn send(&mut self, index: usize, out: &mut Out<'_, impl Wire>) {
        let Some(route) = self.routes.get(index) else { return };
        let segments = route.ends.carrier != Carrier::Ip && out.wire.segments();
        let mut ranges = ArrayVec::<(usize, usize), MOST>::new();
        let mut messages = ArrayVec::<Outgoing, MOST>::new();
        // The length of the last message's first packet, of its last packet, and of all.
        let (mut size, mut last, mut total) = (0, 0, 0);
        for entry in self.entries.iter().filter(|entry| entry.route == index && entry.ready) {
            let len = entry.len();
            let joins = segments && last == size && len <= size && total + len <= MESSAGE;
            let alike = |m: &&mut Outgoing| joins && m.tos == entry.tos && !m.cut && !entry.cut;
            match messages.last_mut().filter(alike) {
                Some(message) => {
                    message.segment = size as u16;
                    match ranges.last_mut().filter(|range| range.1 == entry.at) {
                        Some(range) => range.1 += len,
                        None => ranges.push((entry.at, entry.at + len)),
                    }
                    message.parts.end = ranges.len();
                    (last, total) = (len, total + len);
                }
                None => {
                    let from = ranges.len();
                    ranges.push((entry.at, entry.at + len));
                    let parts = from..from + 1;
                    let (tos, cut) = (entry.tos, entry.cut);
                    messages.push(Outgoing { tos, segment: 0, cut, parts });
                    (size, last, total) = (len, len, len);
                }
            }
        }
        let parts: ArrayVec<IoSlice<'_>, MOST> = (ranges.iter())
            .map(|(from, to)| IoSlice::new(self.buffer.get(*from..*to).unwrap_or_default()))
            .collect();
        let sent = out.wire.send(&route.ends, &parts, &messages);
        if sent.lost > 0 {
            out.table.dropped.system.fetch_add(sent.lost, Relaxed);
            if route.probes {
                route.sa.search().unsent();
            }
        }
        if sent.too_long > 0 {
            route.sa.counters.too_long.fetch_add(sent.too_long, Relaxed);
            lower(route, out.wire.mtu(route.ends.destination));
        }
    }
}

/// Lowers the path's MTU after the system refused a packet of the route: it is too long for the outer device.
fn lower(route: &Route, known: Option<u32>) {
    // The system may not know it, or believe a forged report: then it is found in steps.
    let known = known.filter(|known| (SAFE..route.mtu).contains(known));
    let quoted = if route.probes { Quoted::Probe } else { Quoted::Other };
    route.sa.search().refused(known, route.mtu, quoted, Instant::now());
}

/// Sends a probe, or the answer to it, as a dummy packet in a burst without others. `size`: its length with all headers;
/// none: the least, without padding of the SA.
pub fn probe(
    sa: &Arc<Outbound>,
    mut message: Message,
    size: Option<u32>,
    table: &Table,
    wire: &mut impl Wire,
) {
    let (mut burst, mut route) = (Burst::new(), Route::new(sa.clone()));
    route.tfc = 0;
    if let Some(size) = size {
        route.fit(size);
        (route.tfc, route.probes) = (route.most, true);
        message.len = (ESP + payload_len(route.most) + route.icv) as u16;
    }
    burst.routes.push(route);
    let out = &mut Out { wire, table };
    burst.push((0, DUMMY), 0, (&[], &message.bytes()), out);
    burst.flush(out);
}

/// The wire, and the table with its counters.
struct Out<'a, W> {
    wire: &'a mut W,
    table: &'a Table,
}

/// The errors that a thread may still send in this second.
struct Errors {
    since: Instant,
    left: u32,
}

/// The work of a sender.
pub struct Outward {
    table: Arc<Table>,
    eyes: Eyes,
    queue: u32,
    /// For each policy an SA of this queue.
    chosen: Vec<Option<Arc<Outbound>>>,
    burst: Burst,
    errors: Errors,
    scratch: Vec<u8>,
    /// Seconds since the epoch when the burst began.
    now: u64,
    /// The time until a narrow path is tried again.
    narrow: Duration,
    /// The SAs that this thread searches the paths of.
    searches: Vec<Arc<Outbound>>,
}

impl Outward {
    /// The sender of a queue; `narrow` seconds later a narrow path is tried again.
    pub fn new(table: Arc<Table>, queue: u32, narrow: u64) -> Self {
        let eyes = Eyes::new(table.clone());
        let chosen = vec![None; eyes.view.policies.len()];
        let errors = Errors { since: Instant::now(), left: ERRORS };
        let burst = Burst::new();
        let (scratch, searches, narrow) = (Vec::new(), Vec::new(), Duration::from_secs(narrow));
        let now = 0;
        Outward { table, eyes, queue, chosen, burst, errors, scratch, now, narrow, searches }
    }

    /// Begins a burst: gets a new view.
    pub fn begin(&mut self) {
        if self.eyes.refresh() {
            self.chosen.clear();
            self.chosen.resize(self.eyes.view.policies.len(), None);
        }
        self.burst.routes.clear();
        self.now = table::now();
    }

    /// Sends the burst, then probes of paths, each in a burst: no other packet is lost with it.
    pub fn end(&mut self, wire: &mut impl Wire) {
        let Outward { burst, table, searches, .. } = self;
        burst.flush(&mut Out { wire, table });
        let now = Instant::now();
        for Route { sa, long, .. } in burst.routes.drain(..) {
            let silent = self.now.saturating_sub(sa.heard.load(Relaxed)) >= SILENT;
            if sa.search().begins(now, long, silent, self.narrow) {
                searches.push(sa);
            }
        }
        searches.retain(|sa| {
            if sa.life.dead.load(Relaxed) {
                return false;
            }
            let due = sa.search().next(now);
            if let Some((id, size)) = due {
                sa.counters.probes.fetch_add(1, Relaxed);
                probe(sa, Message { answers: false, len: 0, id }, Some(size), table, wire);
            }
            !sa.search().rests()
        });
    }

    /// Tells whether [`Self::end`] must be called soon, without a packet, too.
    pub fn searches(&self) -> bool {
        !self.searches.is_empty()
    }

    /// Handles the bytes of a TUN's read: the header, then a packet or super-packet.
    pub fn take(&mut self, bytes: &mut [u8], wire: &mut impl Wire, tun: &mut impl Tun) {
        let dropped = &self.table.dropped;
        let read = bytes.split_first_chunk_mut::<{ vnet::LEN }>().and_then(|(vnet, packet)| {
            let (vnet, inner) = (Vnet::read(*vnet), Inner::of(packet)?);
            let longest = segment::longest(&vnet, packet, &inner)?;
            Some((vnet, packet, inner, longest))
        });
        let Some((vnet, packet, inner, longest)) = read else {
            dropped.malformed.fetch_add(1, Relaxed);
            return;
        };
        let Some(place) = self.eyes.outbound(&inner.flow) else {
            dropped.no_policy.fetch_add(1, Relaxed);
            return;
        };
        let Some(index) = self.route(place, &inner) else { return };
        let Some(route) = self.burst.routes.get(index) else { return };
        let most = route.most;
        let marks = if route.sa.parameters.copy_dscp { 0xff } else { ecn::MASK };
        let tos = inner.tos & marks;
        // Longer packets are cut inside, or their sender is told. IPv6 has no smaller MTU: such packets are cut outside
        // (RFC 2473, 7.1), where the system can: it hears of no path's MTU for protocol 50, and routers of IPv6 do not cut.
        let cuts = route.ends.carrier != Carrier::Ip || route.ends.destination.is_ipv4();
        let long = longest > most && !(cuts && inner.v6 && longest <= SAFE as usize);
        if long && inner.whole {
            route.sa.counters.too_long.fetch_add(1, Relaxed);
            self.too_long(packet, &inner, most, tun);
            return;
        }
        let Outward { burst, table, scratch, .. } = self;
        let mut out = Out { wire, table };
        let next = inner.next_header();
        let mut push =
            |head: &[u8], piece: &[u8]| burst.push((index, next), tos, (head, piece), &mut out);
        let fine = match long {
            false => segment::segment(&vnet, packet, &inner, push),
            true => segment::segment(&vnet, packet, &inner, |head, piece| {
                scratch.clear();
                scratch.extend_from_slice(head);
                scratch.extend_from_slice(piece);
                fragment::fragment(scratch, inner.header, most, &mut push);
            }),
        };
        if !fine {
            table.dropped.malformed.fetch_add(1, Relaxed);
        }
    }

    /// The place in the burst of the SA for a policy's packets. Without an SA the daemon is asked for it.
    fn route(&mut self, place: usize, inner: &Inner) -> Option<usize> {
        let policy = self.eyes.view.policies.get(place)?;
        let chosen = self.chosen.get_mut(place)?;
        // An SA that ended may have a successor.
        if chosen.as_ref().is_none_or(|sa| sa.life.dead.load(Relaxed)) {
            let all = self.eyes.view.outbound.get(&policy.reqid).map_or(&[][..], Vec::as_slice);
            let queue = self.queue;
            let find = |queue: Option<u32>| {
                let alive = |sa: &&Arc<Outbound>| !sa.life.dead.load(Relaxed);
                all.iter().filter(alive).find(|sa| sa.parameters.queue == queue)
            };
            *chosen = find(Some(queue)).or_else(|| find(None)).or(all.first()).cloned();
        }
        let now = self.now;
        let Some(sa) = chosen else {
            self.table.dropped.no_outbound_sa.fetch_add(1, Relaxed);
            self.table.acquire(policy, inner.flow);
            return None;
        };
        if policy.used.load(Relaxed) != now {
            policy.used.store(now, Relaxed);
        }
        let routes = &mut self.burst.routes;
        if let Some(index) = routes.iter().rposition(|route| Arc::ptr_eq(&route.sa, sa)) {
            return Some(index);
        }
        // There are never more SAs than packets, and a burst is ended after that many.
        routes.try_push(Route::new(sa.clone())).ok()?;
        Some(routes.len() - 1)
    }

    /// Answers a packet that is too long.
    fn too_long(&mut self, packet: &[u8], inner: &Inner, most: usize, tun: &mut impl Tun) {
        let mtu = if inner.v6 { most.max(SAFE as usize) } else { most };
        if self.errors.since.elapsed().as_secs() > 0 {
            self.errors = Errors { since: Instant::now(), left: ERRORS };
        }
        if self.errors.left == 0 || inner.v6 && inner.len <= SAFE as usize {
            return;
        }
        if let Some(answer) = icmp::too_big(packet, inner, mtu) {
            self.errors.left -= 1;
            let header = Vnet::default().bytes();
            if tun.write(&[IoSlice::new(&header), IoSlice::new(&answer)]).is_err() {
                self.table.dropped.system.fetch_add(1, Relaxed);
            }
        }
    }
}
