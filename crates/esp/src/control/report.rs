//! The state for people, and as text for Prometheus.

use std::fmt::{Display, Write as _};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Instant;

use super::message;
use super::state::{CAUSES, PROBES, Sa, State, Sum, hex, now, sas};
use super::value::TRANSFORMS;
use crate::sa::{Carrier, Ends, Limit};
use crate::table::{Dropped, Policy, Way};

/// Packets that no SA counts, by their causes.
const DROPPED: [(&str, fn(&Dropped) -> &AtomicU64); 7] = [
    ("no-policy", |d| &d.no_policy),
    ("no-outbound-sa", |d| &d.no_outbound_sa),
    ("no-inbound-sa", |d| &d.no_inbound_sa),
    ("short", |d| &d.short),
    ("malformed", |d| &d.malformed),
    ("congestion", |d| &d.congestion),
    ("system", |d| &d.system),
];

/// The SAs in the order of their ages, the oldest first.
fn ordered(state: &State) -> Vec<Sa> {
    let mut all: Vec<Sa> = sas(&state.table.view()).collect();
    all.sort_by_key(|sa| (sa.added(), sa.parameters().spi));
    all
}

fn name_of(sa: &Sa) -> &'static str {
    let found = TRANSFORMS.iter().find(|(_, transform, _)| *transform == sa.parameters().transform);
    found.map_or("", |(.., name)| name)
}

fn carrier(ends: &Ends) -> String {
    match ends.carrier {
        Carrier::Ip => "protocol 50".into(),
        Carrier::Udp { local, remote } => format!("UDP {local}:{remote}"),
    }
}

fn since(seconds: u64) -> String {
    match seconds {
        0 => "never".into(),
        at => format!("{} s ago", now().saturating_sub(at)),
    }
}

/// A limit and its rest.
fn limit(out: &mut String, word: &str, limit: &Limit, bytes: u64, packets: u64, age: u64) {
    let parts = [
        ("bytes", limit.bytes, bytes),
        ("packets", limit.packets, packets),
        ("s", limit.seconds, age),
    ];
    let parts: Vec<_> = (parts.iter())
        .filter(|(_, most, _)| *most > 0)
        .map(|(unit, most, now)| format!("{} {unit}", most.saturating_sub(*now)))
        .collect();
    if !parts.is_empty() {
        let _ = writeln!(out, "  {word} limit in {}", parts.join(", "));
    }
}

/// The state for people.
pub fn status(state: &State) -> String {
    let (facts, sas) = (&state.facts, ordered(state));
    let policies = &state.table.view().policies;
    let mut out = String::new();
    let ports: Vec<_> = facts.ports.iter().map(u16::to_string).collect();
    let raw = if facts.raw { "on" } else { "off" };
    // A string has room.
    let _ = writeln!(
        out,
        "bulat-esp {}: {} with {} queues; UDP ports {}; protocol 50 {raw}; mark {:#x}\n{} SAs, {} policies",
        env!("CARGO_PKG_VERSION"),
        facts.tun,
        facts.queues,
        ports.join(", "),
        facts.mark,
        sas.len(),
        policies.len(),
    );
    for sa in &sas {
        one(&mut out, sa);
    }
    for policy in policies {
        let Policy { selector: s, reqid, tunnel, priority, .. } = policy;
        let protocol = if s.protocol == 0 { "all".into() } else { s.protocol.to_string() };
        let _ = writeln!(
            out,
            "\npolicy {} {}[{}-{}] -> {}[{}-{}], protocol {protocol}, reqid {reqid}, tunnel {} -> {}, priority {priority}, used {}",
            way(policy.way),
            s.source,
            s.source_ports.start(),
            s.source_ports.end(),
            s.destination,
            s.destination_ports.start(),
            s.destination_ports.end(),
            tunnel.0,
            tunnel.1,
            since(policy.used.load(Relaxed)),
        );
    }
    let counts: Vec<_> = (DROPPED.iter())
        .map(|(name, of)| format!("{name} {}", of(&state.table.dropped).load(Relaxed)))
        .collect();
    let _ = writeln!(out, "\ndropped: {}", counts.join(", "));
    out
}

fn way(way: Way) -> &'static str {
    match way {
        Way::Out => "out",
        Way::In => "in",
        Way::Forward => "forward",
    }
}

/// An SA for people.
fn one(out: &mut String, sa: &Sa) {
    let (p, ends, counters) = (sa.parameters(), sa.ends(), sa.counters());
    let age = sa.added().elapsed().as_secs();
    let (packets, bytes) = (counters.packets.load(Relaxed), counters.bytes.load(Relaxed));
    let (sequence, left, leaf) = sa.numbers();
    let dead = if sa.life().dead.load(Relaxed) { ", ENDED" } else { "" };
    let _ = writeln!(
        out,
        "\nSA {} {}: {} -> {}, {}, {}, reqid {}, {}{}{dead}\n  {packets} packets, {bytes} bytes, last {}, added {age} s ago\n  \
         sequence number {sequence}, {left} left; leaf {}",
        message::spi(p.spi),
        sa.direction(),
        ends.source,
        ends.destination,
        carrier(&ends),
        name_of(sa),
        p.reqid,
        if p.esn { "ESN" } else { "no ESN" },
        p.queue.map_or(String::new(), |queue| format!(", queue {queue}")),
        since(counters.used.load(Relaxed)),
        hex(leaf),
    );
    match sa {
        Sa::In(_) => _ = writeln!(out, "  window of {} packets", p.window),
        Sa::Out(sa) => {
            let probes = PROBES.map(|(name, of)| format!("{} {name}", of(counters).load(Relaxed)));
            let mtu = sa.search().mtu;
            let _ = writeln!(out, "  path MTU {mtu} bytes; probes: {}", probes.join(", "));
        }
    }
    let refused: Vec<_> = (CAUSES.iter())
        .map(|(name, of)| (name, of(counters).load(Relaxed)))
        .filter(|(_, n)| *n > 0)
        .map(|(name, n)| format!("{name} {n}"))
        .collect();
    if !refused.is_empty() {
        let _ = writeln!(out, "  refused: {}", refused.join(", "));
    }
    limit(out, "soft", &p.soft, bytes, packets, age);
    limit(out, "hard", &p.hard, bytes, packets, age);
}

/// Writes families of metrics.
struct Families(String);

impl Families {
    fn family(&mut self, name: &str, kind: &str, help: &str) {
        // A string has room.
        let _ = writeln!(self.0, "# HELP bulat_esp_{name} {help}\n# TYPE bulat_esp_{name} {kind}");
    }
    /// A sample; no label's value has a quote, a backslash or a line's end.
    fn sample(&mut self, name: &str, labels: &[(&str, &dyn Display)], value: impl Display) {
        let labels: Vec<_> = labels.iter().map(|(name, of)| format!("{name}=\"{of}\"")).collect();
        let labels =
            if labels.is_empty() { String::new() } else { format!("{{{}}}", labels.join(",")) };
        let _ = writeln!(self.0, "bulat_esp_{name}{labels} {value}");
    }
}

/// The state as text for Prometheus.
pub fn metrics(state: &State) -> String {
    let (sas, moment) = (ordered(state), Instant::now());
    let mut out = Families(String::new());
    out.family("info", "gauge", "The version.");
    out.sample("info", &[("version", &env!("CARGO_PKG_VERSION"))], 1);

    let mut sums = state.ended;
    for sa in &sas {
        sums[usize::from(matches!(sa, Sa::Out(_)))].add(sa.counters());
    }
    let directions: [(&str, Sum); 2] = [("in", sums[0]), ("out", sums[1])];
    out.family(
        "packets_total",
        "counter",
        "Packets opened and accepted, or sealed, of all SAs so far.",
    );
    for (direction, sum) in &directions {
        out.sample("packets_total", &[("direction", direction)], sum.packets);
    }
    out.family("bytes_total", "counter", "Inner bytes of these packets.");
    for (direction, sum) in &directions {
        out.sample("bytes_total", &[("direction", direction)], sum.bytes);
    }
    out.family("refused_total", "counter", "Packets that an SA refused, of all SAs so far.");
    for (direction, sum) in &directions {
        for ((cause, _), n) in CAUSES.iter().zip(sum.refused) {
            out.sample("refused_total", &[("direction", direction), ("cause", cause)], n);
        }
    }
    out.family("probes_total", "counter", "Probes of paths, of all SAs so far.");
    for ((event, _), n) in PROBES.iter().zip(sums[1].probes) {
        out.sample("probes_total", &[("event", event)], n);
    }
    out.family("dropped_total", "counter", "Packets that belong to no SA.");
    for (cause, of) in &DROPPED {
        out.sample("dropped_total", &[("cause", cause)], of(&state.table.dropped).load(Relaxed));
    }
    out.family("sas", "gauge", "Security associations.");
    for direction in ["in", "out"] {
        let n = sas.iter().filter(|sa| sa.direction() == direction).count();
        out.sample("sas", &[("direction", &direction)], n);
    }
    out.family("policies", "gauge", "Policies.");
    out.sample("policies", &[], state.table.view().policies.len());

    type Value = fn(&Sa, Instant) -> Option<u64>;
    let families: [(&str, &str, &str, Value); 8] = [
        ("sa_packets_total", "counter", "Packets of an SA.", |sa, _| {
            Some(sa.counters().packets.load(Relaxed))
        }),
        ("sa_bytes_total", "counter", "Inner bytes of an SA.", |sa, _| {
            Some(sa.counters().bytes.load(Relaxed))
        }),
        ("sa_age_seconds", "gauge", "Seconds since the SA was added.", |sa, now| {
            Some(now.saturating_duration_since(sa.added()).as_secs())
        }),
        (
            "sa_last_used_timestamp_seconds",
            "gauge",
            "The time of the SA's last packet, 0 for never.",
            |sa, _| Some(sa.counters().used.load(Relaxed)),
        ),
        ("sa_sequence_left", "gauge", "Sequence numbers left.", |sa, _| Some(sa.numbers().1)),
        ("sa_ended", "gauge", "1 if a hard limit was reached.", |sa, _| {
            Some(sa.life().dead.load(Relaxed).into())
        }),
        ("sa_hard_seconds", "gauge", "Seconds until the hard limit of time.", |sa, now| {
            let hard = sa.parameters().hard.seconds;
            let age = now.saturating_duration_since(sa.added()).as_secs();
            (hard > 0).then(|| hard.saturating_sub(age))
        }),
        ("sa_path_mtu_bytes", "gauge", "The path's MTU.", |sa, _| match sa {
            Sa::In(_) => None,
            Sa::Out(sa) => Some(sa.search().mtu.into()),
        }),
    ];
    let labels: Vec<_> = (sas.iter())
        .map(|sa| (message::spi(sa.parameters().spi), sa.ends().destination, sa.parameters().reqid))
        .collect();
    for (name, kind, help, value) in families {
        out.family(name, kind, help);
        for (sa, (spi, destination, reqid)) in sas.iter().zip(&labels) {
            let labels: [(&str, &dyn Display); 4] = [
                ("direction", &sa.direction()),
                ("spi", spi),
                ("destination", destination),
                ("reqid", reqid),
            ];
            if let Some(value) = value(sa, moment) {
                out.sample(name, &labels, value);
            }
        }
    }
    let kinds = [
        ("sa_refused_total", "Packets that an SA refused.", "cause", &CAUSES[..]),
        ("sa_probes_total", "Probes of an SA's path.", "event", &PROBES[..]),
    ];
    for (name, help, label, counters) in kinds {
        out.family(name, "counter", help);
        for (sa, (spi, destination, reqid)) in sas.iter().zip(&labels) {
            if label == "event" && matches!(sa, Sa::In(_)) {
                continue;
            }
            for (word, of) in counters {
                let labels: [(&str, &dyn Display); 5] = [
                    ("direction", &sa.direction()),
                    ("spi", spi),
                    ("destination", destination),
                    ("reqid", reqid),
                    (label, word),
                ];
                out.sample(name, &labels, of(sa.counters()).load(Relaxed));
            }
        }
    }
    out.0
}
