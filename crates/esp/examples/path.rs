//! The path with fixed keys between two machines or namespaces, to measure it. Nobody else may use fixed keys (RFC 9227,
//! section 5).
//!
//! `path TUN LOCAL:PORT REMOTE:PORT SIDE TRANSFORM [queues=N] [offloads=0|1] [carrier=udp|ip] [mtu=N] [tfc=N]`: SIDE is 0 or 1,
//! TRANSFORM 32 to 35. It ends with its standard input, and prints the counters.

use std::io::Read;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

use bulat::esp::Transform;
use bulat_esp::address::{Prefix, Selector};
use bulat_esp::path::{Devices, Options};
use bulat_esp::sa::{Carrier, Counters, Ends, Inbound, Limit, Outbound, Parameters};
use bulat_esp::table::{Policy, Table, Way};

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [tun, local, remote, side, transform, rest @ ..] = &args[..] else {
        panic!("TUN LOCAL:PORT REMOTE:PORT SIDE TRANSFORM");
    };
    let get = |key: &str, default: u32| {
        let value = |a: &String| a.strip_prefix(key)?.strip_prefix('=')?.parse().ok();
        rest.iter().find_map(value).unwrap_or(default)
    };
    let ip = rest.iter().any(|a| a == "carrier=ip");
    let (local, remote): (SocketAddr, SocketAddr) =
        (local.parse().expect("an address"), remote.parse().expect("an address"));
    let side: u32 = side.parse().expect("0 or 1");
    let transform = match transform.as_str() {
        "32" => Transform::KuznyechikMgm,
        "33" => Transform::MagmaMgm,
        "34" => Transform::KuznyechikMac,
        "35" => Transform::MagmaMac,
        _ => panic!("32 to 35"),
    };
    let queues = get("queues", 1);
    let ports = (0..queues as u16).map(|queue| local.port() + queue).collect();
    let options = Options {
        tun: tun.clone(),
        queues: queues as usize,
        tun_mtu: get("mtu", 1442),
        listen: vec![if local.is_ipv4() { [0; 4].into() } else { [0; 16].into() }],
        ports,
        raw: ip,
        mark: None,
        offloads: get("offloads", 1) == 1,
        buffer: 8 << 20,
        narrow: 600,
    };
    let devices = Devices::open(&options).unwrap_or_else(|error| panic!("{error}"));
    eprintln!("{:?}", devices.offload());
    let (table, events) = Table::new();
    let table = Arc::new(table);
    std::thread::spawn(move || events.iter().for_each(|event| eprintln!("{event:?}")));
    let running = devices.start(table.clone(), Arc::new(|_, _, _, _: &[u8]| {})).expect("threads");
    table.change(|view| {
        for queue in 0..queues {
            let parameters = |direction: u32| Parameters {
                spi: 0x1000 + direction * 256 + queue,
                transform,
                esn: true,
                reqid: 1,
                queue: (queues > 1).then_some(queue),
                window: 8192,
                tfc: get("tfc", 0) as u16,
                soft: Limit::default(),
                hard: Limit::default(),
                copy_dscp: false,
                mtu: get("path-mtu", 1500),
            };
            let carrier = |a: u16, b: u16| match ip {
                true => Carrier::Ip,
                false => Carrier::Udp { local: a + queue as u16, remote: b + queue as u16 },
            };
            let carrier = carrier(local.port(), remote.port());
            let key = |direction: u32| vec![(direction * 16 + queue) as u8; transform.key_len()];
            let ends = Ends { source: local.ip(), destination: remote.ip(), carrier };
            let sa = Outbound::new(parameters(side), ends, &key(side)).expect("an SA");
            view.outbound.entry(1).or_default().push(Arc::new(sa));
            let ends = Ends { source: remote.ip(), destination: local.ip(), carrier };
            let sa = Inbound::new(parameters(1 - side), ends, &key(1 - side)).expect("an SA");
            view.inbound.insert(sa.parameters.spi, Arc::new(sa));
        }
        for (way, all) in [(Way::Out, ""), (Way::In, "")]
            .into_iter()
            .flat_map(|(way, _)| [(way, "0.0.0.0/0"), (way, "::/0")])
        {
            let prefix: Prefix = all.parse().expect("a prefix");
            let selector = Selector {
                source: prefix,
                destination: prefix,
                protocol: 0,
                source_ports: 0..=u16::MAX,
                destination_ports: 0..=u16::MAX,
            };
            let tunnel = (local.ip(), remote.ip());
            view.policies.push(Policy {
                way,
                selector,
                reqid: 1,
                tunnel,
                priority: 0,
                used: Arc::default(),
            });
        }
    });
    let _ = std::io::stdin().read_to_end(&mut Vec::new());
    let show = |name: &str, spi: u32, c: &Counters| {
        let get = |counter: &std::sync::atomic::AtomicU64| counter.load(Relaxed);
        println!(
            "{name} {spi:#x}: packets {} bytes {} bad-icv {} replay {} selector {} malformed {} limit {} too-long {}",
            get(&c.packets),
            get(&c.bytes),
            get(&c.bad_icv),
            get(&c.replay),
            get(&c.selector),
            get(&c.malformed),
            get(&c.limit),
            get(&c.too_long)
        );
    };
    let view = table.view();
    view.outbound.values().flatten().for_each(|sa| show("out", sa.parameters.spi, &sa.counters));
    view.inbound.values().for_each(|sa| show("in", sa.parameters.spi, &sa.counters));
    let d = &table.dropped;
    println!(
        "dropped: no-policy {} no-outbound-sa {} no-inbound-sa {} short {} malformed {} congestion {} system {}",
        d.no_policy.load(Relaxed),
        d.no_outbound_sa.load(Relaxed),
        d.no_inbound_sa.load(Relaxed),
        d.short.load(Relaxed),
        d.malformed.load(Relaxed),
        d.congestion.load(Relaxed),
        d.system.load(Relaxed)
    );
    running.stop();
}
