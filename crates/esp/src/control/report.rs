//! The state for people, and as text for Prometheus.

use std::fmt::{Display, Write as _};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::message;
use super::state::{CAUSES, PROBES, Sa, State, add, hex, sas};
use super::value::{TRANSFORMS, WAYS};
use crate::sa::{Carrier, Counters, Ends, Limit, Parameters};
use crate::table::{Dropped, Policy, now};

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
    all.sort_by_key(|sa| (sa.added, sa.parameters.spi));
    all
}

fn name_of(sa: &Sa) -> &'static str {
    let found = TRANSFORMS.iter().find(|(_, transform, _)| *transform == sa.parameters.transform);
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
        let way = WAYS.iter().find(|(_, way)| *way == policy.way).map_or("", |(word, _)| word);
        let protocol = if s.protocol == 0 { "all".into() } else { s.protocol.to_string() };
        let _ = writeln!(
            out,
            "\npolicy {way} {}[{}-{}] -> {}[{}-{}], protocol {protocol}, reqid {reqid}, tunnel {} -> {}, priority {priority}, used {}",
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

/// An SA for people.
fn one(out: &mut String, sa: &Sa) {
    let (p, ends, counters) = (&sa.parameters, sa.ends(), &sa.counters);
    let age = sa.added.elapsed().as_secs();
    let (packets, bytes) = (counters.packets.load(Relaxed), counters.bytes.load(Relaxed));
    let (sequence, left, leaf) = sa.numbers();
    let dead = if sa.life.dead.load(Relaxed) { ", ENDED" } else { "" };
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

/// Labels of a sample with their values.
type Labels<'a> = [(&'a str, &'a dyn Display)];

/// Writes families of metrics.
struct Families(String);

impl Families {
    fn family(&mut self, name: &str, kind: &str, help: &str) {
        // A string has room.
        let _ = writeln!(self.0, "# HELP bulat_esp_{name} {help}\n# TYPE bulat_esp_{name} {kind}");
    }

    /// A sample; no label's value has a quote, a backslash or a line's end.
    fn sample(&mut self, name: &str, labels: &Labels<'_>, value: impl Display) {
        let labels: Vec<_> = labels.iter().map(|(name, of)| format!("{name}=\"{of}\"")).collect();
        let labels =
            if labels.is_empty() { String::new() } else { format!("{{{}}}", labels.join(",")) };
        let _ = writeln!(self.0, "bulat_esp_{name}{labels} {value}");
    }

    /// A sample of an SA, perhaps with a further label.
    fn sample_of(&mut self, sa: &Sa, name: &str, more: &Labels<'_>, value: u64) {
        let Parameters { spi, reqid, .. } = &sa.parameters;
        let (spi, destination) = (message::spi(*spi), sa.ends().destination);
        let labels: &Labels<'_> = &[
            ("direction", &sa.direction()),
            ("spi", &spi),
            ("destination", &destination),
            ("reqid", reqid),
        ];
        self.sample(name, &[labels, more].concat(), value);
    }
}

/// The state as text for Prometheus.
pub fn metrics(state: &State) -> String {
    let sas = ordered(state);
    let mut out = Families(String::new());
    out.family("info", "gauge", "The version.");
    out.sample("info", &[("version", &env!("CARGO_PKG_VERSION"))], 1);
    all(&mut out, state, &sas);
    each(&mut out, &sas);
    out.0
}

/// The families of the program.
fn all(out: &mut Families, state: &State, sas: &[Sa]) {
    let sums = <[Counters; 2]>::default();
    sums.iter().zip(&state.ended).for_each(|(sum, ended)| add(sum, ended));
    sas.iter().for_each(|sa| add(&sums[usize::from(matches!(sa, Sa::Out(_)))], &sa.counters));
    let directions = [("in", &sums[0]), ("out", &sums[1])];
    out.family(
        "packets_total",
        "counter",
        "Packets opened and accepted, or sealed, of all SAs so far.",
    );
    for (direction, sum) in &directions {
        out.sample("packets_total", &[("direction", direction)], sum.packets.load(Relaxed));
    }
    out.family("bytes_total", "counter", "Inner bytes of these packets.");
    for (direction, sum) in &directions {
        out.sample("bytes_total", &[("direction", direction)], sum.bytes.load(Relaxed));
    }
    out.family("refused_total", "counter", "Packets that an SA refused, of all SAs so far.");
    for (direction, sum) in &directions {
        for (cause, of) in &CAUSES {
            let labels: &Labels<'_> = &[("direction", direction), ("cause", cause)];
            out.sample("refused_total", labels, of(sum).load(Relaxed));
        }
    }
    out.family("probes_total", "counter", "Probes of paths, of all SAs so far.");
    for (event, of) in &PROBES {
        out.sample("probes_total", &[("event", event)], of(&sums[1]).load(Relaxed));
    }
    out.family("dropped_total", "counter", "Packets that belong to no SA.");
    for (cause, of) in &DROPPED {
        out.sample("dropped_total", &[("cause", cause)], of(&state.table.dropped).load(Relaxed));
    }
    out.family("sas", "gauge", "Security associations.");
    for (direction, _) in &directions {
        let n = sas.iter().filter(|sa| sa.direction() == *direction).count();
        out.sample("sas", &[("direction", direction)], n);
    }
    out.family("policies", "gauge", "Policies.");
    out.sample("policies", &[], state.table.view().policies.len());
}

fn count(counter: &AtomicU64) -> Option<u64> {
    Some(counter.load(Relaxed))
}

/// A family of SAs: its name, its kind, its help, and an SA's value.
type Family = (&'static str, &'static str, &'static str, fn(&Sa) -> Option<u64>);

/// What is left of a hard limit, if there is one.
fn rest(most: u64, now: u64) -> Option<u64> {
    (most > 0).then(|| most.saturating_sub(now))
}

const EACH: [Family; 11] = [
    ("sa_packets_total", "counter", "Packets of an SA.", |sa| count(&sa.counters.packets)),
    ("sa_bytes_total", "counter", "Inner bytes of an SA.", |sa| count(&sa.counters.bytes)),
    ("sa_age_seconds", "gauge", "Seconds since the SA was added.", |sa| {
        Some(sa.added.elapsed().as_secs())
    }),
    (
        "sa_last_used_timestamp_seconds",
        "gauge",
        "The time of the SA's last packet, 0 for never.",
        |sa| count(&sa.counters.used),
    ),
    ("sa_sequence_left", "gauge", "Sequence numbers left.", |sa| Some(sa.numbers().1)),
    ("sa_ended", "gauge", "1 if a hard limit was reached.", |sa| {
        Some(sa.life.dead.load(Relaxed).into())
    }),
    ("sa_hard_seconds", "gauge", "Seconds until the hard limit of time.", |sa| {
        rest(sa.parameters.hard.seconds, sa.added.elapsed().as_secs())
    }),
    ("sa_hard_bytes", "gauge", "Bytes until the hard limit of bytes.", |sa| {
        rest(sa.parameters.hard.bytes, sa.counters.bytes.load(Relaxed))
    }),
    ("sa_hard_packets", "gauge", "Packets until the hard limit of packets.", |sa| {
        rest(sa.parameters.hard.packets, sa.counters.packets.load(Relaxed))
    }),
    ("sa_leaf", "gauge", "The number of the newest leaf of the tree of keys.", |sa| {
        Some(sa.numbers().2.iter().fold(0, |n, byte| n << 8 | u64::from(*byte)))
    }),
    ("sa_path_mtu_bytes", "gauge", "The path's MTU.", |sa| match sa {
        Sa::In(_) => None,
        Sa::Out(sa) => Some(sa.search().mtu.into()),
    }),
];

/// The families of each SA.
fn each(out: &mut Families, sas: &[Sa]) {
    for (name, kind, help, value) in EACH {
        out.family(name, kind, help);
        for sa in sas {
            if let Some(value) = value(sa) {
                out.sample_of(sa, name, &[], value);
            }
        }
    }
    out.family("sa_refused_total", "counter", "Packets that an SA refused.");
    for sa in sas {
        for (cause, of) in &CAUSES {
            let n = of(&sa.counters).load(Relaxed);
            out.sample_of(sa, "sa_refused_total", &[("cause", cause)], n);
        }
    }
    out.family("sa_probes_total", "counter", "Probes of an SA's path.");
    for sa in sas.iter().filter(|sa| matches!(sa, Sa::Out(_))) {
        for (event, of) in &PROBES {
            let n = of(&sa.counters).load(Relaxed);
            out.sample_of(sa, "sa_probes_total", &[("event", event)], n);
        }
    }
}
