//! The requests' work on the table of SAs and policies.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet, VecDeque};
use std::hash::{BuildHasher, RandomState};
use std::net::IpAddr;
use std::ops::Deref;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use bulat::esp::Association;
use zeroize::Zeroizing;

use super::message::{self, Add, Answer, PolicyAdd, PolicyDelete, PolicyQuery, Reason, Refusal};
use super::message::{Request, Update};
use super::value::{Direction, Host, Spi};
use crate::address::Selector;
use crate::sa::{Carrier, Common, Counters, Ends, Inbound, Limit, Outbound, Parameters};
use crate::table::{Policy, Table, View};

/// The SAs at most, and the policies at most.
const MOST: usize = 65_536;
/// The keys of this many SAs are remembered.
const KEYS: usize = 1 << 20;
/// Half of the sequence numbers without ESN: the soft limit of packets at most.
const HALF: u64 = 1 << 31;
/// How long an SPI is reserved: as long as the kernel waits for an SA.
const RESERVED: Duration = Duration::from_secs(165);

/// The facts that the program tells of itself.
#[derive(Clone, Debug)]
pub struct Facts {
    /// The name of the TUN device.
    pub tun: String,
    /// Its queues.
    pub queues: usize,
    /// Our UDP ports.
    pub ports: Vec<u16>,
    /// Protocol 50 is on.
    pub raw: bool,
    /// The mark of outer packets, 0 for none.
    pub mark: u32,
}

/// The causes of refused packets with their names.
pub const CAUSES: [(&str, fn(&Counters) -> &AtomicU64); 6] = [
    ("bad-icv", |c| &c.bad_icv),
    ("replay", |c| &c.replay),
    ("selector", |c| &c.selector),
    ("malformed", |c| &c.malformed),
    ("limit", |c| &c.limit),
    ("too-long", |c| &c.too_long),
];

/// The events of a path's probes with their names.
pub const PROBES: [(&str, fn(&Counters) -> &AtomicU64); 3] =
    [("sent", |c| &c.probes), ("answered", |c| &c.answered), ("lowered", |c| &c.lowered)];

/// Adds an SA's counters to a sum, which keeps the counts of removed SAs.
pub fn add(sum: &Counters, counters: &Counters) {
    let more: [fn(&Counters) -> &AtomicU64; 2] = [|c| &c.packets, |c| &c.bytes];
    for of in CAUSES.into_iter().chain(PROBES).map(|(_, of)| of).chain(more) {
        of(sum).fetch_add(of(counters).load(Relaxed), Relaxed);
    }
}

/// An SA of either direction.
pub enum Sa {
    /// From the wire.
    In(Arc<Inbound>),
    /// To the wire.
    Out(Arc<Outbound>),
}

impl Deref for Sa {
    type Target = Common;
    fn deref(&self) -> &Common {
        match self {
            Sa::In(sa) => sa,
            Sa::Out(sa) => sa,
        }
    }
}

impl Sa {
    /// Returns the word of its direction.
    pub fn direction(&self) -> &'static str {
        match self {
            Sa::In(_) => "in",
            Sa::Out(_) => "out",
        }
    }
    /// Returns the last sequence number, the sequence numbers left, and the newest leaf.
    pub fn numbers(&self) -> (u64, u64, [u8; 5]) {
        match self {
            Sa::In(sa) => {
                let receiving = sa.receiving.lock().expect("no thread panics");
                let top = receiving.window.top();
                let last = if sa.parameters.esn { u64::MAX } else { u32::MAX.into() };
                (top, last - top, receiving.associations[0].newest_leaf().unwrap_or_default())
            }
            Sa::Out(sa) => {
                let sending = sa.sending.lock().expect("no thread panics");
                let leaf = sending.associations[0].newest_leaf().unwrap_or_default();
                (sending.numbers.sequence(), sending.numbers.left(), leaf)
            }
        }
    }

    /// Ends the SA at once, also for threads that still hold it: no packet passes, and the key is gone.
    pub fn end(&self) {
        self.life.dead.store(true, Relaxed);
        let transform = self.parameters.transform;
        // A thread that does not look at `dead` seals under a key that nobody knows. Without random numbers the thread
        // must not go on.
        let mut key = Zeroizing::new([0; 44]);
        getrandom::fill(&mut *key).expect("the system has random numbers");
        let new = Association::new(transform, &key[..transform.key_len()]).expect("the length");
        match self {
            Sa::In(sa) => sa.receiving.lock().expect("no thread panics").associations = [new],
            Sa::Out(sa) => sa.sending.lock().expect("no thread panics").associations = [new],
        }
        clean_stack();
    }
}

/// All SAs of a view.
pub fn sas(view: &View) -> impl Iterator<Item = Sa> {
    let inbound = view.inbound.values().cloned().map(Sa::In);
    inbound.chain(view.outbound.values().flatten().cloned().map(Sa::Out))
}

fn find(view: &View, spi: u32, destination: IpAddr) -> Option<Sa> {
    let inbound = view.inbound.get(&spi).cloned().map(Sa::In);
    let outbound = view.outbound.values().flatten().filter(|sa| sa.parameters.spi == spi);
    let mut all = inbound.into_iter().chain(outbound.cloned().map(Sa::Out));
    all.find(|sa| sa.ends().destination == destination)
}

fn remove(view: &mut View, sa: &Sa) {
    match sa {
        Sa::In(sa) => drop(view.inbound.remove(&sa.parameters.spi)),
        Sa::Out(sa) => {
            if let Some(list) = view.outbound.get_mut(&sa.parameters.reqid) {
                list.retain(|other| !Arc::ptr_eq(other, sa));
                if list.is_empty() {
                    view.outbound.remove(&sa.parameters.reqid);
                }
            }
        }
    }
}

/// Overwrites the stack below the caller, where calls have moved keys.
#[inline(never)]
fn clean_stack() {
    let room = [0u8; 64 << 10];
    zeroize::optimization_barrier(&room);
}

/// The traffic that a request names.
macro_rules! selector {
    ($request:expr) => {
        Selector {
            source: $request.source,
            destination: $request.destination,
            protocol: $request.protocol,
            source_ports: $request.source_ports.0,
            destination_ports: $request.destination_ports.0,
        }
    };
}

/// The keys that SAs had. A key that came again would see its nonces again, and a receiver under it old packets.
#[derive(Default)]
struct Keys {
    /// A number for each key. It tells nothing of the key, since it has 64 bits of a hash with a secret.
    seen: HashSet<u64>,
    /// These numbers, the oldest first.
    order: VecDeque<u64>,
    secret: RandomState,
}

impl Keys {
    fn number(&self, key: &[u8]) -> u64 {
        self.secret.hash_one(key)
    }

    fn knows(&self, key: &[u8]) -> bool {
        self.seen.contains(&self.number(key))
    }

    fn remember(&mut self, key: &[u8]) {
        let number = self.number(key);
        if self.seen.insert(number) {
            self.order.push_back(number);
        }
        if self.order.len() > KEYS
            && let Some(oldest) = self.order.pop_front()
        {
            self.seen.remove(&oldest);
        }
    }
}

/// The state behind the requests.
pub struct State {
    /// The SAs and policies.
    pub table: Arc<Table>,
    /// The facts that the program tells of itself.
    pub facts: Facts,
    /// The sums of removed SAs, inbound and outbound.
    pub ended: [Counters; 2],
    /// The users of each policy.
    users: Vec<(Policy, u32)>,
    reserved: HashMap<Spi, (IpAddr, Instant)>,
    keys: Keys,
}

impl State {
    /// A state with no SA.
    pub fn new(table: Arc<Table>, facts: Facts) -> Self {
        State {
            table,
            facts,
            ended: Default::default(),
            users: Vec::new(),
            reserved: HashMap::new(),
            keys: Keys::default(),
        }
    }

    /// Does the work of a request that is for the table; none: it is for the connection. Errors: [`Refusal`]: nothing
    /// has changed.
    pub fn work(&mut self, request: Request) -> Option<Result<Answer, Refusal>> {
        let answer = match request {
            Request::Hello(_) => Ok(self.hello()),
            Request::ReserveSpi(r) => self.reserve(r.destination.0),
            Request::Add(r) => {
                let answer = self.add(r);
                clean_stack();
                answer
            }
            Request::Update(r) => self.update(&r),
            Request::Query(r) => self.query(r.spi, r.destination),
            Request::Delete(r) => self.delete(r.spi, r.destination),
            Request::Flush(_) => {
                self.flush();
                Ok(Answer::ok())
            }
            Request::PolicyAdd(r) => self.policy_add(r),
            Request::PolicyQuery(r) => self.policy_query(r),
            Request::PolicyDelete(r) => self.policy_delete(r),
            Request::PolicyFlush(_) => {
                self.users.clear();
                self.table.change(|view| view.policies.clear());
                Ok(Answer::ok())
            }
            Request::Subscribe(_) | Request::Ike(_) | Request::Status(_) | Request::Metrics(_) => {
                return None;
            }
        };
        Some(answer)
    }

    fn hello(&self) -> Answer {
        let ports: Vec<_> = self.facts.ports.iter().map(u16::to_string).collect();
        let transforms = super::value::TRANSFORMS.map(|(number, ..)| number);
        let mut answer = Answer::ok();
        answer.field("version", 1).field("tun", &self.facts.tun);
        answer.field("queues", self.facts.queues).field("ports", ports.join(","));
        answer.field("transforms", transforms.join(",")).field("mark", self.facts.mark);
        answer
    }

    fn reserve(&mut self, destination: IpAddr) -> Result<Answer, Refusal> {
        let view = self.table.view();
        if view.inbound.len() + self.reserved.len() >= MOST {
            return Err(Refusal::new(Reason::Busy, "too many SAs and reserved SPIs"));
        }
        loop {
            let number = getrandom::u32()
                .map_err(|_| Refusal::new(Reason::System, "the system has no random numbers"))?;
            let spi = Spi(number);
            if number < 256
                || view.inbound.contains_key(&number)
                || self.reserved.contains_key(&spi)
            {
                continue;
            }
            self.reserved.insert(spi, (destination, Instant::now()));
            let mut answer = Answer::ok();
            answer.field("spi", message::spi(number));
            return Ok(answer);
        }
    }

    /// Checks a carrier against the program's options.
    fn check(&self, field: &'static str, carrier: Carrier) -> Result<(), Refusal> {
        match carrier {
            Carrier::Udp { local, .. } => {
                let text = format!("port {local} is no UDP port of bulat-esp");
                fits(self.facts.ports.contains(&local), field, text)
            }
            Carrier::Ip => {
                fits(self.facts.raw, field, "protocol 50 is switched off: the SA needs UDP ports")
            }
        }
    }

    /// Its frame has keys, so the caller must not contain it: the caller cleans the stack below its own frame.
    #[inline(never)]
    fn add(&mut self, r: Add) -> Result<Answer, Refusal> {
        let (source, destination) = (r.source.0, r.destination.0);
        let carrier = r.ports.map_or(Carrier::Ip, Carrier::from);
        family("destination", "source", source.is_ipv4() == destination.is_ipv4())?;
        let text = format!("the transform needs a key of {} digits", 2 * r.transform.key_len());
        fits(r.key.0.len() == r.transform.key_len(), "key", text)?;
        self.check("ports", carrier)?;
        let text = format!("queue must be below {}, the number of queues", self.facts.queues);
        fits(r.queue.is_none_or(|queue| (queue as usize) < self.facts.queues), "queue", text)?;
        let only = |given: bool, field: &'static str, direction: &str| {
            fits(!given, field, format!("{field} is for the direction {direction}"))
        };
        match r.direction {
            Direction::In => {
                only(r.tfc.is_some(), "tfc", "out")?;
                only(r.mtu.is_some(), "mtu", "out")?;
            }
            Direction::Out => only(r.window.is_some(), "window", "in")?,
        }
        let view = self.table.view();
        let taken = r.direction == Direction::In && view.inbound.contains_key(&r.spi.0);
        if taken || find(&view, r.spi.0, destination).is_some() {
            return Err(exists(r.spi));
        }
        if view.inbound.len() + view.outbound.values().map(Vec::len).sum::<usize>() >= MOST {
            return Err(Refusal::new(Reason::Busy, format!("there are {MOST} SAs already")));
        }
        drop(view);
        let text = "an SA had this key before: each needs a new key";
        fits(!self.keys.knows(&r.key.0), "key", text)?;
        let mut soft =
            Limit { bytes: r.soft_bytes, packets: r.soft_packets, seconds: r.soft_seconds };
        if r.direction == Direction::Out && !r.esn {
            // Numbers of 32 bits may end before the daemon's limits.
            soft.packets = match soft.packets {
                0 => HALF,
                packets => packets.min(HALF),
            };
        }
        let parameters = Parameters {
            spi: r.spi.0,
            transform: r.transform,
            esn: r.esn,
            reqid: r.reqid.0,
            queue: r.queue,
            window: r.window.map_or(4096, |w| w.0),
            tfc: r.tfc.map_or(0, |t| t.0),
            soft,
            hard: Limit { bytes: r.hard_bytes, packets: r.hard_packets, seconds: r.hard_seconds },
            copy_dscp: r.copy_dscp,
            mtu: r.mtu.map_or(1500, |m| m.0),
        };
        let ends = Ends { source, destination, carrier };
        let wrong = |_| Refusal::value("key", "the key does not fit the transform");
        match r.direction {
            Direction::In => {
                let sa = Arc::new(Inbound::new(parameters, ends, &r.key.0).map_err(wrong)?);
                self.table.change(|view| view.inbound.insert(r.spi.0, sa));
                self.reserved.remove(&r.spi);
            }
            Direction::Out => {
                let sa = Arc::new(Outbound::new(parameters, ends, &r.key.0).map_err(wrong)?);
                self.table.change(|view| {
                    let all = view.outbound.entry(r.reqid.0).or_default();
                    // The SA before it knows the path.
                    let same = |before: &&Arc<Outbound>| before.ends() == ends;
                    if let Some(before) = all.first().filter(same) {
                        let search = before.search().successor(sa.parameters.mtu);
                        *sa.search() = search;
                    }
                    // The newest first.
                    all.insert(0, sa);
                });
            }
        }
        self.keys.remember(&r.key.0);
        Ok(Answer::ok())
    }

    fn update(&mut self, r: &Update) -> Result<Answer, Refusal> {
        let view = self.table.view();
        let sa = find(&view, r.spi.0, r.destination.0).ok_or(not_found(r.spi))?;
        let mut ends = sa.ends();
        ends.source = r.new_source.map_or(ends.source, |h| h.0);
        ends.destination = r.new_destination.map_or(ends.destination, |h| h.0);
        ends.carrier = r.new_ports.unwrap_or(ends.carrier);
        let same = ends.source.is_ipv4() == ends.destination.is_ipv4();
        family("new-destination", "the source", same)?;
        self.check("new-ports", ends.carrier)?;
        if ends.destination != r.destination.0 && find(&view, r.spi.0, ends.destination).is_some() {
            return Err(exists(r.spi));
        }
        // Under the table's lock, so that the threads see the new generation after the new ends.
        self.table.change(|_| {
            *sa.ends.write().expect("no thread panics") = ends;
            if let Sa::Out(sa) = &sa {
                // The new path may be wider.
                let mut search = sa.search();
                *search = search.moved(ends.destination.is_ipv4());
            }
        });
        Ok(Answer::ok())
    }

    fn query(&self, spi: Spi, destination: Host) -> Result<Answer, Refusal> {
        let sa = find(&self.table.view(), spi.0, destination.0).ok_or(not_found(spi))?;
        let mut answer = Answer::ok();
        used(&mut answer, Some(&sa.counters));
        let (sequence, left, leaf) = sa.numbers();
        answer.field("direction", sa.direction()).field("sequence", sequence);
        answer.field("leaf", hex(leaf));
        for (name, of) in CAUSES {
            answer.field(name, of(&sa.counters).load(Relaxed));
        }
        answer.field("left", left);
        Ok(answer)
    }

    fn delete(&mut self, spi: Spi, destination: Host) -> Result<Answer, Refusal> {
        let mut answer = Answer::ok();
        let Some(sa) = find(&self.table.view(), spi.0, destination.0) else {
            // The daemon gives a reserved SPI back.
            if self.reserved.get(&spi).is_some_and(|(ours, _)| *ours == destination.0) {
                self.reserved.remove(&spi);
                used(&mut answer, None);
                return Ok(answer);
            }
            return Err(not_found(spi));
        };
        self.table.change(|view| remove(view, &sa));
        self.finish(&sa);
        used(&mut answer, Some(&sa.counters));
        Ok(answer)
    }

    /// Wipes an SA that the table has no more.
    fn finish(&mut self, sa: &Sa) {
        sa.end();
        add(&self.ended[usize::from(matches!(sa, Sa::Out(_)))], &sa.counters);
    }

    /// Removes all SAs and reserved SPIs, and wipes their keys.
    pub fn flush(&mut self) {
        let all: Vec<Sa> = sas(&self.table.view()).collect();
        self.reserved.clear();
        // First no thread uses them.
        all.iter().for_each(|sa| sa.life.dead.store(true, Relaxed));
        self.table.change(|view| {
            view.inbound.clear();
            view.outbound.clear();
        });
        all.iter().for_each(|sa| self.finish(sa));
    }

    fn policy_add(&mut self, r: PolicyAdd) -> Result<Answer, Refusal> {
        let selector = selector!(r);
        let alike = selector.source.is_ipv4() == selector.destination.is_ipv4();
        family("destination", "source", alike)?;
        let tunnel = (r.tunnel_source, r.tunnel_destination);
        let alike = tunnel.0.is_ipv4() == tunnel.1.is_ipv4();
        family("tunnel-destination", "tunnel-source", alike)?;
        let new = Policy {
            way: r.way,
            selector,
            reqid: r.reqid.0,
            tunnel,
            priority: r.priority,
            used: Arc::default(),
        };
        if let Some((old, users)) = self.users.iter_mut().find(|(old, _)| same(old, &new)) {
            *users += 1;
            // The last request has the ends and the priority.
            (old.tunnel, old.priority) = (new.tunnel, new.priority);
        } else if self.users.len() >= MOST {
            let text = format!("there are {MOST} policies already");
            return Err(Refusal::new(Reason::Busy, text));
        } else {
            self.users.push((new, 1));
        }
        self.show();
        Ok(Answer::ok())
    }

    /// Shows the policies to the threads.
    fn show(&self) {
        let mut policies: Vec<_> = self.users.iter().map(|(policy, _)| policy.clone()).collect();
        policies.sort_by_key(|policy| policy.priority);
        self.table.change(|view| view.policies = policies);
    }

    fn policy_query(&self, r: PolicyQuery) -> Result<Answer, Refusal> {
        let selector = selector!(r);
        let found = self.users.iter().filter(|(p, _)| p.way == r.way && p.selector == selector);
        let used = found.map(|(p, _)| p.used.load(Relaxed)).max();
        let mut answer = Answer::ok();
        answer.field("used", used.ok_or(no_policy())?);
        Ok(answer)
    }

    fn policy_delete(&mut self, r: PolicyDelete) -> Result<Answer, Refusal> {
        let selector = selector!(r);
        let key = (r.way, r.reqid.0);
        let at = (self.users.iter())
            .position(|(p, _)| (p.way, p.reqid) == key && p.selector == selector)
            .ok_or(no_policy())?;
        self.users[at].1 -= 1;
        if self.users[at].1 == 0 {
            self.users.remove(at);
            self.show();
        }
        Ok(Answer::ok())
    }

    /// Tells of limits in seconds, wipes the keys of SAs at a hard limit, frees old SPIs. Called each second.
    pub fn tick(&mut self, now: Instant) {
        let since = |time: Instant| now.saturating_duration_since(time);
        self.reserved.retain(|_, (_, reserved)| since(*reserved) < RESERVED);
        for sa in sas(&self.table.view()) {
            let age = since(sa.added).as_secs();
            let over = |limit: &Limit| limit.seconds > 0 && age >= limit.seconds;
            if over(&sa.parameters.hard) {
                self.table.hard_limit(&sa);
            } else if over(&sa.parameters.soft) {
                self.table.soft_limit(&sa);
            }
            if sa.life.dead.load(Relaxed) && !sa.life.wiped.swap(true, Relaxed) {
                sa.end();
            }
        }
    }
}

fn same(a: &Policy, b: &Policy) -> bool {
    (a.way, a.reqid, &a.selector) == (b.way, b.reqid, &b.selector)
}

/// Refuses a field's value that does not fit.
fn fits(
    right: bool,
    field: &'static str,
    text: impl Into<Cow<'static, str>>,
) -> Result<(), Refusal> {
    if right { Ok(()) } else { Err(Refusal::value(field, text)) }
}

/// Refuses an address of another family than the first.
fn family(field: &'static str, first: &str, same: bool) -> Result<(), Refusal> {
    fits(same, field, format!("{field} must be of the family of {first}"))
}

fn exists(spi: Spi) -> Refusal {
    let text = format!("an SA with the SPI {} exists", message::spi(spi.0));
    Refusal { reason: Reason::Exists, field: Some("spi".into()), text: text.into() }
}

fn not_found(spi: Spi) -> Refusal {
    let text = format!("no SA has the SPI {} and this destination", message::spi(spi.0));
    Refusal { reason: Reason::NotFound, field: Some("spi".into()), text: text.into() }
}

fn no_policy() -> Refusal {
    Refusal::new(Reason::NotFound, "there is no such policy")
}

/// The fields of an SA's use.
fn used(answer: &mut Answer, counters: Option<&Counters>) {
    let of = |f: fn(&Counters) -> &AtomicU64| counters.map_or(0, |c| f(c).load(Relaxed));
    answer.field("bytes", of(|c| &c.bytes)).field("packets", of(|c| &c.packets));
    answer.field("used", of(|c| &c.used));
}

/// The ten digits of a leaf.
pub fn hex(leaf: [u8; 5]) -> String {
    leaf.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Quoted;
    use crate::table::Event;

    fn state() -> State {
        let facts =
            Facts { tun: "bulat0".into(), queues: 1, ports: vec![4500], raw: true, mark: 0 };
        State::new(Arc::new(Table::new().0), facts)
    }

    fn ask(state: &mut State, request: &str) -> Result<Answer, Refusal> {
        let request = message::parse(request.replace(' ', "\n").as_bytes())?;
        state.work(request).expect("for the table")
    }

    fn add(state: &mut State, direction: &str, spi: u32, key: &str) -> Option<Refusal> {
        let key = format!("{key:0>88}");
        let ends = "source=192.0.2.1 destination=192.0.2.2 transform=32 reqid=1";
        ask(state, &format!("add direction={direction} spi={spi:#x} {ends} key={key}")).err()
    }

    #[test]
    fn no_key_serves_twice() {
        let mut state = state();
        assert_eq!(add(&mut state, "out", 0x100, "1"), None);
        let again = |state: &mut State, direction, spi| {
            let refusal = add(state, direction, spi, "1").expect("refused");
            assert_eq!((refusal.reason, refusal.field.as_deref()), (Reason::BadValue, Some("key")));
        };
        again(&mut state, "out", 0x200);
        again(&mut state, "in", 0x200);
        ask(&mut state, "delete spi=0x100 destination=192.0.2.2").expect("deleted");
        again(&mut state, "out", 0x100);
        state.flush();
        again(&mut state, "out", 0x100);
        // A refused request uses no key.
        assert_eq!(add(&mut state, "out", 0x300, "2"), None);
        assert!(add(&mut state, "out", 0x300, "3").is_some_and(|r| r.reason == Reason::Exists));
        assert_eq!(add(&mut state, "in", 0x400, "3"), None);
    }

    #[test]
    fn an_sa_without_esn_is_replaced_in_time() {
        let mut state = state();
        let requests = [
            ("out", "esn=0", HALF),
            ("out", "esn=0 soft-packets=5000000000", HALF),
            ("out", "esn=0 soft-packets=7", 7),
            ("out", "esn=1", 0),
            ("in", "esn=0", 0),
        ];
        for (n, (direction, rest, want)) in requests.into_iter().enumerate() {
            let ends = "source=192.0.2.1 destination=192.0.2.2 transform=32 reqid=1";
            let request =
                format!("add direction={direction} spi={:#x} {ends} key={n:088} {rest}", 256 + n);
            assert!(ask(&mut state, &request).is_ok(), "{request}");
            let sa = find(&state.table.view(), 256 + n as u32, [192, 0, 2, 2].into());
            assert_eq!(sa.expect("an SA").parameters.soft.packets, want, "{request}");
        }
    }

    /// The clock is the test's: a busy machine may hold a thread for seconds.
    #[test]
    fn an_sa_ends_by_its_seconds() {
        let (table, events) = Table::new();
        let mut state = State { table: Arc::new(table), ..state() };
        let ends = "source=192.0.2.1 destination=192.0.2.2 transform=32 reqid=1";
        let limits = "soft-seconds=10 hard-seconds=20";
        let request = format!("add direction=out spi=0x100 {ends} key={:088} {limits}", 1);
        ask(&mut state, &request).expect("added");
        let sa = find(&state.table.view(), 0x100, [192, 0, 2, 2].into()).expect("an SA");
        // Seconds since the SA was added; the event told, `hard`; whether the SA has ended.
        let times = [(0, None, false), (9, None, false), (10, Some(false), false)];
        let late = [(19, None, false), (20, Some(true), true), (30, None, true)];
        for (seconds, want, dead) in times.into_iter().chain(late) {
            state.tick(sa.added + Duration::from_secs(seconds));
            let told = events.try_iter().map(|event| match event {
                Event::Expire { spi: 0x100, hard, .. } => hard,
                _ => panic!("another event"),
            });
            assert_eq!(told.collect::<Vec<_>>(), Vec::from_iter(want), "{seconds} s");
            assert_eq!(sa.life.dead.load(Relaxed), dead, "{seconds} s");
            assert_eq!(sa.life.wiped.load(Relaxed), dead, "{seconds} s");
        }
    }

    #[test]
    fn a_new_sa_knows_the_path_of_the_sa_before_it() {
        let mut state = state();
        let mtu = |state: &State, spi| match find(&state.table.view(), spi, [192, 0, 2, 2].into()) {
            Some(Sa::Out(sa)) => sa.search().mtu,
            _ => 0,
        };
        assert_eq!(add(&mut state, "out", 0x100, "1"), None);
        if let Some(Sa::Out(sa)) = find(&state.table.view(), 0x100, [192, 0, 2, 2].into()) {
            sa.search().report(1400, Quoted::Other, Instant::now());
        }
        assert_eq!(add(&mut state, "out", 0x200, "2"), None);
        assert_eq!((mtu(&state, 0x100), mtu(&state, 0x200)), (1400, 1400));
        // The path of other ends is another.
        let update = "update spi=0x200 destination=192.0.2.2 new-destination=192.0.2.3";
        ask(&mut state, update).expect("updated");
        assert_eq!(add(&mut state, "out", 0x300, "3"), None);
        assert_eq!(mtu(&state, 0x300), 1500);
    }

    #[test]
    fn the_memory_of_keys_is_limited() {
        let mut keys = Keys::default();
        (0..KEYS as u64 + 10).for_each(|n| keys.remember(&n.to_ne_bytes()));
        assert_eq!((keys.seen.len(), keys.order.len()), (KEYS, KEYS));
        assert!(!keys.knows(&9u64.to_ne_bytes()) && keys.knows(&10u64.to_ne_bytes()));
    }
}
