//! Places for connections. If there is none left, the connection that has been idle for the longest time goes, first
//! among those that have shown no token. And one address has only a limited number of connections that have shown none.

use std::net::IpAddr;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use tokio::sync::{Notify, Semaphore};

use crate::locks::{OnDrop, lock};

/// The time that a connection has to show a token before another may replace it.
const GRACE: Duration = Duration::from_secs(1);
/// Refused bodies that are read to their end at once, for one connection that has shown no token.
const DRAINS: u32 = 8;

pub struct Places {
    all: Mutex<Vec<Arc<Place>>>,
    most: usize,
    strangers: usize,
    start: Instant,
    freed: Notify,
}

pub struct Place {
    places: Arc<Places>,
    from: u128,
    /// The time when it began, in milliseconds since the start.
    begun: AtomicU64,
    /// The time of its last activity.
    last: AtomicU64,
    known: AtomicBool,
    working: AtomicU32,
    draining: AtomicU32,
    /// Answers that have not left, and the time when the last one left.
    unread: AtomicU32,
    read: AtomicU64,
    /// Permits to look tokens up, while the connection has shown no known one.
    pub lookups: Semaphore,
    gone: Notify,
}

/// Concurrent look-ups of tokens for a connection that has shown no known one.
const LOOKUPS: usize = 8;

/// A request that was admitted, until its answer has left.
pub struct Busy(Arc<Place>);

/// A short answer to a client that was not admitted, until it has left.
pub struct Unread(Arc<Place>);

/// The place of a connection, until it ends.
pub struct Seat(Arc<Place>);

/// Returns the network of an address. All 2^64 addresses of an IPv6 network count as one.
fn network(address: Option<IpAddr>) -> u128 {
    match address.map(|address| address.to_canonical()) {
        None => 0,
        Some(IpAddr::V4(v4)) => u128::from(v4.to_ipv6_mapped()),
        Some(IpAddr::V6(v6)) => u128::from(v6) >> 64 << 64,
    }
}

impl Places {
    /// Makes room for `most` connections, and for `strangers` of one address that have shown no token.
    pub fn new(most: usize, strangers: usize) -> Arc<Places> {
        Arc::new(Places {
            all: Mutex::default(),
            most,
            strangers,
            start: Instant::now(),
            freed: Notify::new(),
        })
    }

    fn now(&self) -> u64 {
        u64::try_from(self.start.elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    /// Waits for a place for a connection from an address (none: a Unix socket), while all others work.
    pub async fn take(self: &Arc<Places>, address: Option<IpAddr>) -> Seat {
        let from = network(address);
        loop {
            if let Some(seat) = self.try_take(from) {
                return seat;
            }
            // A connection may become idle without a signal.
            let _ = tokio::time::timeout(Duration::from_millis(50), self.freed.notified()).await;
        }
    }

    fn try_take(self: &Arc<Places>, from: u128) -> Option<Seat> {
        let mut all = lock(&self.all);
        let due = self.now().saturating_sub(GRACE.as_millis() as u64);
        let of_one = all.iter().filter(|place| place.from == from && !place.known()).count();
        for _ in self.strangers..of_one + 1 {
            let push = |place: &Place| place.from == from && !place.known();
            if !evict(&mut all, due, push) {
                break;
            }
        }
        if all.len() >= self.most {
            // Connections that have shown a token stay while there are others; the newest of the others may still show one.
            let strangers = all.iter().any(|place| !place.known());
            let may = |place: &Place| {
                if strangers { !place.known() } else { place.working.load(Relaxed) == 0 }
            };
            if !evict(&mut all, due, may) {
                return None;
            }
        }
        let now = self.now();
        let place = Arc::new(Place {
            places: self.clone(),
            from,
            begun: AtomicU64::new(now),
            last: AtomicU64::new(now),
            known: AtomicBool::new(false),
            working: AtomicU32::new(0),
            draining: AtomicU32::new(0),
            unread: AtomicU32::new(0),
            read: AtomicU64::new(now),
            lookups: Semaphore::new(LOOKUPS),
            gone: Notify::new(),
        });
        all.push(place.clone());
        Some(Seat(place))
    }

    /// Makes room, when the system has no more descriptors.
    pub fn evict(&self) {
        let mut all = lock(&self.all);
        let _ = evict(&mut all, u64::MAX, |place| !place.known())
            || evict(&mut all, u64::MAX, |place| place.working.load(Relaxed) == 0);
    }
}

/// Ends the connection that has been idle for the longest time, among those that `may` go. Returns false if there is none.
fn evict(all: &mut Vec<Arc<Place>>, due: u64, may: impl Fn(&Place) -> bool) -> bool {
    let old = |place: &Place| place.last.load(Relaxed);
    let found = all
        .iter()
        .enumerate()
        .filter(|(_, place)| may(place) && place.begun.load(Relaxed) <= due)
        .min_by_key(|(_, place)| old(place))
        .map(|(i, _)| i);
    found.is_some_and(|i| {
        all.swap_remove(i).gone.notify_one();
        true
    })
}

impl Place {
    /// Returns whether the connection has shown a known token or certificate.
    pub fn known(&self) -> bool {
        self.known.load(Relaxed)
    }
    /// Notes an activity.
    pub fn touch(&self) {
        self.last.store(self.places.now(), Relaxed);
    }
    /// Notes that the connection has shown a known token.
    pub fn show(&self) {
        self.known.store(true, Relaxed);
    }
    /// Notes that a request was admitted.
    pub fn work(self: &Arc<Place>) -> Busy {
        self.working.fetch_add(1, Relaxed);
        Busy(self.clone())
    }
    /// Runs `read`, which reads a refused body to its end; for a connection that has shown no token only a few at once.
    pub async fn drain(&self, read: impl Future<Output = ()>) {
        let before = self.draining.fetch_add(1, Relaxed);
        let _counted = OnDrop(|| _ = self.draining.fetch_sub(1, Relaxed));
        if before < DRAINS || self.known() {
            read.await;
        }
    }
    /// Notes that a short answer is to be sent.
    pub fn answers(self: &Arc<Place>) -> Unread {
        if self.unread.fetch_add(1, Relaxed) == 0 {
            self.read.store(self.places.now(), Relaxed);
        }
        Unread(self.clone())
    }
    /// Ends when short answers have waited for `most` and none has left: the other end does not read.
    pub async fn reads_nothing(&self, most: Duration) {
        let millis = u64::try_from(most.as_millis()).unwrap_or(u64::MAX);
        loop {
            let since = self.places.now().saturating_sub(self.read.load(Relaxed));
            if self.unread.load(Relaxed) > 0 && since >= millis {
                return;
            }
            tokio::time::sleep(most.min(Duration::from_secs(10))).await;
        }
    }
}

impl Seat {
    pub fn place(&self) -> &Arc<Place> {
        &self.0
    }
    /// Runs a connection until its end, or until it must go.
    pub async fn run(self, connection: impl Future<Output = ()>) {
        tokio::select! {
            () = connection => {}
            () = self.0.gone.notified() => {}
        }
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        let mut all = lock(&self.0.places.all);
        if let Some(i) = all.iter().position(|place| Arc::ptr_eq(place, &self.0)) {
            all.swap_remove(i);
        }
        drop(all);
        self.0.places.freed.notify_one();
    }
}

impl Drop for Unread {
    fn drop(&mut self) {
        self.0.read.store(self.0.places.now(), Relaxed);
        self.0.unread.fetch_sub(1, Relaxed);
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        self.0.touch();
        self.0.working.fetch_sub(1, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn aged(places: &Arc<Places>, from: u128, last: u64) -> Seat {
        let seat = places.try_take(from).expect("a place");
        age(&seat, last);
        seat
    }

    fn age(seat: &Seat, last: u64) {
        seat.0.begun.store(last, Relaxed);
        seat.0.last.store(last, Relaxed);
    }

    fn gone(seat: &Seat) -> bool {
        !lock(&seat.0.places.all).iter().any(|place| Arc::ptr_eq(place, &seat.0))
    }

    /// Makes places as if the service had run for a while.
    fn places(most: usize, strangers: usize) -> Arc<Places> {
        let mut places = Places::new(most, strangers);
        let inner = Arc::get_mut(&mut places).expect("one owner");
        inner.start = Instant::now().checked_sub(Duration::from_secs(60)).expect("a clock");
        places
    }

    #[test]
    fn strangers_of_one_address_are_bounded() {
        let places = places(100, 2);
        let (a, b, other) = (aged(&places, 1, 20), aged(&places, 1, 10), aged(&places, 2, 0));
        let c = places.try_take(1).expect("a place");
        assert!(!gone(&a) && gone(&b) && !gone(&other) && !gone(&c));
        // A connection that has shown a token does not count, and none is closed at once.
        a.place().show();
        let d = places.try_take(1).expect("a place");
        let e = places.try_take(1).expect("a place");
        assert!([&a, &c, &d, &e].into_iter().all(|seat| !gone(seat)));
        age(&c, 0);
        age(&d, 1);
        let f = places.try_take(1).expect("a place");
        assert!(gone(&c) && gone(&d) && !gone(&e) && !gone(&f) && !gone(&a));
    }

    #[tokio::test]
    async fn a_drain_that_is_given_up_counts_no_more() {
        let places = places(10, 10);
        let seat = aged(&places, 1, 0);
        for _ in 0..2 * DRAINS {
            let never = seat.place().drain(std::future::pending());
            assert!(tokio::time::timeout(Duration::from_millis(1), never).await.is_err());
        }
        let mut read = false;
        seat.place().drain(async { read = true }).await;
        assert!(read);
    }

    #[test]
    fn the_oldest_idle_one_goes() {
        let places = places(3, 100);
        let (a, b, c) = (aged(&places, 1, 5), aged(&places, 2, 7), aged(&places, 3, 9));
        a.place().show();
        b.place().show();
        let busy = a.place().work();
        let d = aged(&places, 4, 11);
        assert!(gone(&c) && !gone(&d));
        d.place().show();
        let e = aged(&places, 5, 12);
        assert!(gone(&b) && !gone(&a));
        e.place().show();
        let works = [d.place().work(), e.place().work()];
        assert!(places.try_take(6).is_none());
        drop(busy);
        let f = places.try_take(6).expect("a place");
        assert!(gone(&a));
        // It has a second to show a token, and until then no connection that has shown one is closed for another.
        drop(works);
        assert!(places.try_take(7).is_none() && !gone(&d) && !gone(&e) && !gone(&f));
        age(&f, 20);
        drop(aged(&places, 7, 21));
        assert!(gone(&f));
        drop((d, e));
        assert!(lock(&places.all).is_empty());
    }

    #[test]
    fn an_ipv6_network_is_one() {
        let parse = |text: &str| network(Some(text.parse().expect("an address")));
        assert_eq!(parse("2001:db8::1"), parse("2001:db8::ffff:2"));
        assert_ne!(parse("2001:db8::1"), parse("2001:db8:0:1::1"));
        assert_eq!(parse("::ffff:10.0.0.1"), parse("10.0.0.1"));
        assert_ne!(parse("10.0.0.2"), parse("10.0.0.1"));
    }
}
