//! Counters for Prometheus. Their labels are words of the table of routes, never a client's name.

use std::fmt::Write as _;
use std::sync::Mutex;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use crate::locks::lock;

/// Upper bounds of the latency histogram, in microseconds.
const LATENCY: [u64; 14] = [
    50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000, 500_000, 1_000_000,
    5_000_000,
];
/// Upper bounds of the batch width.
const WIDTH: [u64; 9] = [1, 2, 4, 8, 16, 32, 64, 128, 256];
/// Upper bounds of the used share of a version's limit, in thousandths.
const SHARE: [u64; 6] = [100, 250, 500, 750, 900, 990];

/// Counts values by upper bound.
pub struct Histogram<const N: usize> {
    bounds: [u64; N],
    counts: [AtomicU64; N],
    all: AtomicU64,
    sum: AtomicU64,
}

impl<const N: usize> Histogram<N> {
    const fn new(bounds: [u64; N]) -> Self {
        Histogram {
            bounds,
            counts: [const { AtomicU64::new(0) }; N],
            all: AtomicU64::new(0),
            sum: AtomicU64::new(0),
        }
    }
    pub fn add(&self, value: u64) {
        if let Some(i) = self.bounds.iter().position(|bound| value <= *bound) {
            self.counts[i].fetch_add(1, Relaxed);
        }
        self.all.fetch_add(1, Relaxed);
        self.sum.fetch_add(value, Relaxed);
    }
    fn write(&self, out: &mut String, name: &str, help: &str, unit: f64) {
        let _ = writeln!(out, "# HELP {name} {help}\n# TYPE {name} histogram");
        let mut below = 0;
        for (bound, count) in self.bounds.iter().zip(&self.counts) {
            below += count.load(Relaxed);
            let _ = writeln!(out, "{name}_bucket{{le=\"{}\"}} {below}", *bound as f64 * unit);
        }
        let all = self.all.load(Relaxed);
        let sum = self.sum.load(Relaxed) as f64 * unit;
        let _ = writeln!(
            out,
            "{name}_bucket{{le=\"+Inf\"}} {all}\n{name}_sum {sum}\n{name}_count {all}"
        );
    }
}

pub struct Metrics {
    /// Requests by operation and status.
    requests: Mutex<Vec<(&'static str, u16, u64)>>,
    pub received: AtomicU64,
    pub sent: AtomicU64,
    pub working: AtomicI64,
    pub connections: AtomicI64,
    /// Messages that wait for a batch.
    pub queue: AtomicI64,
    /// Messages in a batch.
    pub width: Histogram<9>,
    /// The time from a request's head to the head of its answer.
    pub latency: Histogram<14>,
    /// Versions that were made because of a limit of use.
    pub rotations: AtomicU64,
    /// The used share of a version's limit, at each draw from it.
    pub share: Histogram<6>,
    pub cached: AtomicI64,
    /// Keys that had to make room in memory.
    pub evictions: AtomicU64,
}

impl Default for Metrics {
    fn default() -> Self {
        Metrics {
            requests: Mutex::default(),
            received: AtomicU64::new(0),
            sent: AtomicU64::new(0),
            working: AtomicI64::new(0),
            connections: AtomicI64::new(0),
            queue: AtomicI64::new(0),
            width: Histogram::new(WIDTH),
            latency: Histogram::new(LATENCY),
            rotations: AtomicU64::new(0),
            share: Histogram::new(SHARE),
            cached: AtomicI64::new(0),
            evictions: AtomicU64::new(0),
        }
    }
}

impl Metrics {
    pub fn request(&self, operation: &'static str, status: u16, took: Duration) {
        self.latency.add(u64::try_from(took.as_micros()).unwrap_or(u64::MAX));
        let mut rows = lock(&self.requests);
        match rows.iter_mut().find(|row| row.0 == operation && row.1 == status) {
            Some(row) => row.2 += 1,
            None => rows.push((operation, status, 1)),
        }
    }

    pub fn text(&self) -> String {
        let mut out = String::new();
        out.push_str("# HELP bulatd_requests_total Requests answered.\n# TYPE bulatd_requests_total counter\n");
        for (operation, status, n) in lock(&self.requests).iter() {
            let _ = writeln!(
                out,
                "bulatd_requests_total{{operation=\"{operation}\",status=\"{status}\"}} {n}"
            );
        }
        for (name, help, value) in [
            ("bulatd_received_bytes_total", "Bytes of request bodies.", &self.received),
            ("bulatd_sent_bytes_total", "Bytes of response bodies.", &self.sent),
            (
                "bulatd_limit_rotations_total",
                "Key versions made at a limit of use.",
                &self.rotations,
            ),
            (
                "bulatd_key_evictions_total",
                "Keys that made room for others in memory.",
                &self.evictions,
            ),
        ] {
            let value = value.load(Relaxed);
            let _ = writeln!(out, "# HELP {name} {help}\n# TYPE {name} counter\n{name} {value}");
        }
        for (name, help, value) in [
            ("bulatd_requests_working", "Requests being worked on.", &self.working),
            ("bulatd_connections", "Open connections.", &self.connections),
            ("bulatd_queue_messages", "Messages that wait for a batch.", &self.queue),
            ("bulatd_key_cache_bytes", "Bytes of keys in memory.", &self.cached),
        ] {
            let value = value.load(Relaxed);
            let _ = writeln!(out, "# HELP {name} {help}\n# TYPE {name} gauge\n{name} {value}");
        }
        self.width.write(&mut out, "bulatd_batch_width", "Messages of a batch.", 1.0);
        let help = "Used share of a version's limit, at each draw from it.";
        self.share.write(&mut out, "bulatd_limit_share", help, 1e-3);
        self.latency.write(&mut out, "bulatd_request_seconds", "From request to answer.", 1e-6);
        out
    }
}
