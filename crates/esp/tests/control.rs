//! The control socket, spoken to as a daemon does: each verb, each error by its name, malformed messages, wiped keys.
//! No device is open, so no packet passes; nothing here needs root.
#![cfg(target_os = "linux")]

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;

use bulat_esp::address::Flow;
use bulat_esp::control::client::Client;
use bulat_esp::control::message::{Datagram, VERBS};
use bulat_esp::control::state::Facts;
use bulat_esp::control::{Handle, Listener, Server};
use bulat_esp::table::{Event, Table};
use testkit::Random;

/// A server in a folder of its own.
struct Control {
    path: PathBuf,
    table: Arc<Table>,
    handle: Handle,
    sent: Arc<Mutex<Vec<String>>>,
    thread: Option<JoinHandle<()>>,
}

impl Control {
    fn new() -> Self {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let (process, number) = (std::process::id(), NUMBER.fetch_add(1, Relaxed));
        let path = std::env::temp_dir().join(format!("bulat-esp-{process}-{number}"));
        let (table, events) = Table::new();
        let table = Arc::new(table);
        let facts =
            Facts { tun: "bulat0".into(), queues: 2, ports: vec![4500, 4501], raw: true, mark: 7 };
        let listener =
            Listener::bind(&path).expect("the folder for temporary files can be written");
        let server = Server::new(listener, facts, table.clone(), events).expect("starts");
        let (handle, sent) = (server.handle(), Arc::<Mutex<Vec<String>>>::default());
        let to = sent.clone();
        let thread = std::thread::spawn(move || {
            let send = move |d: &Datagram<'_>| match d.message {
                b"refuse" => Err(std::io::ErrorKind::NetworkUnreachable.into()),
                message => {
                    let message = String::from_utf8_lossy(message);
                    let text = format!("{} {} {} {message}", d.local, d.remote, d.dscp);
                    to.lock().unwrap().push(text);
                    Ok(())
                }
            };
            server.run(Box::new(send)).expect("runs");
        });
        Control { path, table, handle, sent, thread: Some(thread) }
    }

    fn connect(&self) -> Client {
        Client::connect(&self.path).expect("connects")
    }
}

impl Drop for Control {
    fn drop(&mut self) {
        self.handle.stop();
        let ended = self.thread.take().expect("it runs").join();
        let _ = std::fs::remove_file(&self.path);
        ended.expect("the server does not panic");
    }
}

fn text(answer: std::io::Result<Vec<u8>>) -> String {
    String::from_utf8(answer.expect("an answer")).expect("UTF-8")
}

/// Asks by a line with spaces for ends of lines; returns the answer in this form.
fn ask(client: &Client, request: &str) -> String {
    text(client.ask(request.replace(' ', "\n").as_bytes())).replace('\n', " ")
}

/// The answer's word with reason and field.
fn short(answer: &str) -> String {
    let parts: Vec<_> = answer.split(' ').take_while(|part| !part.starts_with("text=")).collect();
    parts.join(" ")
}

const KEY: &str =
    "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff0123456789abcdef01234567";

/// A request with a key of its own.
fn add(direction: &str, spi: &str, rest: &str) -> String {
    let ends = match direction {
        "in" => "source=192.0.2.2 destination=192.0.2.1",
        _ => "source=192.0.2.1 destination=192.0.2.2",
    };
    let rest = if rest.is_empty() { String::new() } else { format!(" {rest}") };
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let key = format!("{}{:08x}", &KEY[..80], NUMBER.fetch_add(1, Relaxed));
    format!("add direction={direction} spi={spi} {ends} transform=32 key={key} reqid=1{rest}")
}

#[test]
fn an_association_from_its_spi_to_its_end() {
    let control = Control::new();
    let c = control.connect();
    let hello = "ok version=1 tun=bulat0 queues=2 ports=4500,4501 transforms=32,33,34,35 mark=7";
    assert_eq!(ask(&c, "hello"), hello);
    let answer = ask(&c, "spi destination=192.0.2.1");
    let spi = answer.strip_prefix("ok spi=").expect("an SPI");
    assert_eq!(ask(&c, &add("in", spi, "ports=4500:4500 window=64 hard-seconds=100")), "ok");
    let request = add("out", "0xc0000002", "ports=4501:4500 esn=0 queue=1 tfc=mtu mtu=1400");
    assert_eq!(ask(&c, &request), "ok");
    let use_in = "ok bytes=0 packets=0 used=0 direction=in sequence=0 leaf=0000000000 bad-icv=0 replay=0 selector=0 malformed=0 limit=0 too-long=0 left=18446744073709551615";
    assert_eq!(ask(&c, &format!("query spi={spi} destination=192.0.2.1")), use_in);
    let answer = ask(&c, "query spi=0xC0000002 destination=192.0.2.2");
    assert!(answer.contains(" direction=out ") && answer.ends_with(" left=4294967295"), "{answer}");

    // A second SA of the reqid, as while keys change: the newest is the first.
    assert_eq!(ask(&c, &add("out", "0xc0000003", "")), "ok");
    assert_eq!(ask(&c, &add("in", "0xc0000004", "")), "ok", "without a reserved SPI");
    let order: Vec<_> =
        control.table.view().outbound[&1].iter().map(|sa| sa.parameters.spi).collect();
    assert_eq!(order, [0xc000_0003, 0xc000_0002]);

    let (unused, unknown) = ("ok bytes=0 packets=0 used=0", "error reason=not-found field=spi");
    let update = "update spi=0xc0000002 destination=192.0.2.2 new-destination=198.51.100.2";
    for (request, want) in [
        (&*format!("{update} new-source=192.0.2.7 new-ports=none"), "ok"),
        ("query spi=0xc0000002 destination=192.0.2.2", unknown),
        ("delete spi=0xc0000002 destination=198.51.100.2", unused),
        ("delete spi=0xc0000002 destination=198.51.100.2", unknown),
        ("flush", "ok"),
        (&format!("delete spi={spi} destination=192.0.2.1"), unknown),
    ] {
        assert_eq!(short(&ask(&c, request)), want, "{request}");
    }
    let view = control.table.view();
    assert!(view.inbound.is_empty() && view.outbound.is_empty());

    // A reserved SPI is given back, once.
    let answer = ask(&c, "spi destination=192.0.2.1");
    let delete = format!("delete spi={} destination=192.0.2.1", &answer["ok spi=".len()..]);
    assert_eq!([0; 2].map(|_| short(&ask(&c, &delete))), [unused, unknown]);
}

const POLICY: &str = "policy-add direction=out source=10.1.0.0/16 destination=10.2.0.0/16 reqid=1 tunnel-source=192.0.2.1 tunnel-destination=192.0.2.2";

/// Requests and their errors; a request that begins with a direction is `add` with this SPI and these fields.
const REFUSED: &[(&str, &str)] = &[
    (" ", "unknown-verb"),
    ("HELLO", "unknown-verb"),
    ("hello version=1", "unknown-field field=version"),
    ("hello x", "malformed"),
    ("spi", "missing-field field=destination"),
    ("spi destination=0.0.0.0", "bad-value field=destination"),
    ("spi destination=224.0.0.1", "bad-value field=destination"),
    ("spi destination=192.0.2.1 destination=192.0.2.1", "repeated-field field=destination"),
    ("query spi=0x100 destination=192.0.2.2", "not-found field=spi"),
    ("query spi=256 destination=192.0.2.1", "bad-value field=spi"),
    ("in 0x100", "exists field=spi"),
    ("out 0x200", "exists field=spi"),
    ("out 0xff", "bad-value field=spi"),
    ("out 0x0", "bad-value field=spi"),
    ("out 0x100000000", "bad-value field=spi"),
    ("up 0x300", "bad-value field=direction"),
    ("out 0x300 esn=2", "bad-value field=esn"),
    ("out 0x300 ports=4500", "bad-value field=ports"),
    ("out 0x300 ports=4500:0", "bad-value field=ports"),
    ("out 0x300 ports=4502:4500", "bad-value field=ports"),
    ("out 0x300 queue=2", "bad-value field=queue"),
    ("out 0x300 window=64", "bad-value field=window"),
    ("in 0x300 window=31", "bad-value field=window"),
    ("in 0x300 window=16777217", "bad-value field=window"),
    ("in 0x300 mtu=1500", "bad-value field=mtu"),
    ("in 0x300 tfc=mtu", "bad-value field=tfc"),
    ("out 0x300 tfc=65535", "bad-value field=tfc"),
    ("out 0x300 mtu=575", "bad-value field=mtu"),
    ("out 0x300 soft-bytes=-1", "bad-value field=soft-bytes"),
    ("out 0x300 hard-seconds=18446744073709551616", "bad-value field=hard-seconds"),
    ("out 0x300 hard-seconds=", "bad-value field=hard-seconds"),
    ("out 0x300 hard-seconds=+1", "bad-value field=hard-seconds"),
    (
        "update spi=0x200 destination=192.0.2.2 new-destination=::1",
        "bad-value field=new-destination",
    ),
    ("update spi=0x200 destination=192.0.2.2 new-ports=1:1", "bad-value field=new-ports"),
    ("update spi=0x201 destination=192.0.2.2", "not-found field=spi"),
    ("policy-query direction=out source=10.1.0.0/16 destination=10.3.0.0/16", "not-found"),
    ("policy-query direction=up source=10.1.0.0/16 destination=::/0", "bad-value field=direction"),
    ("policy-query direction=out source=10.1.0.0 destination=::/0", "bad-value field=source"),
    ("policy-delete direction=out source=10.1.0.0/16 destination=10.2.0.0/16 reqid=2", "not-found"),
];

/// Changes of a right request, which make it wrong: of `add`, and of [`POLICY`].
const CHANGED: [&[(&str, &str, &str)]; 2] = [
    &[
        ("transform=32", "transform=33", "bad-value field=key"),
        ("transform=32", "transform=36", "bad-value field=transform"),
        ("key=00", "key=0g", "bad-value field=key"),
        ("key=00", "key=", "bad-value field=key"),
        ("reqid=1", "reqid=0", "bad-value field=reqid"),
        (" reqid=1", "", "missing-field field=reqid"),
        ("source=192.0.2.1", "source=2001:db8::1", "bad-value field=destination"),
    ],
    &[
        ("destination=10.2.0.0/16", "destination=::/0", "bad-value field=destination"),
        ("source=192.0.2.1", "source=::1", "bad-value field=tunnel-destination"),
        ("reqid=1", "reqid=1 source-ports=2-1", "bad-value field=source-ports"),
        ("reqid=1", "reqid=1 protocol=256", "bad-value field=protocol"),
    ],
];

#[test]
fn each_error_has_its_name() {
    let control = Control::new();
    let c = control.connect();
    for right in [&*add("in", "0x100", ""), &*add("out", "0x200", ""), POLICY] {
        assert_eq!(ask(&c, right), "ok");
    }
    let before = control.table.generation();
    let refused = |request: &str, want: &str| {
        let answer = ask(&c, request);
        assert_eq!(short(&answer), format!("error reason={want}"), "{request}");
        assert!(answer.contains(" text="), "{answer}");
        assert!(!answer.contains("8899aabb"), "a part of the key: {answer}");
    };
    for (request, want) in REFUSED {
        match request.splitn(3, ' ').collect::<Vec<_>>()[..] {
            [direction @ ("in" | "out" | "up"), spi, ref rest @ ..] => {
                refused(&add(direction, spi, &rest.concat()), want);
            }
            _ => refused(request, want),
        }
    }
    for (changes, right) in CHANGED.into_iter().zip([&*add("out", "0x300", ""), POLICY]) {
        for (from, to, want) in changes {
            refused(&right.replace(from, to), want);
        }
    }
    // An SA does not move to another's name.
    assert_eq!(ask(&c, &add("out", "0x200", "").replace("192.0.2.2", "192.0.2.9")), "ok");
    let answer = ask(&c, "update spi=0x200 destination=192.0.2.9 new-destination=192.0.2.2");
    assert_eq!(short(&answer), "error reason=exists field=spi");
    assert_eq!(control.table.generation(), before + 1, "an error changes nothing");

    // No text, a key in the place of a name, and long messages.
    assert_eq!(short(&text(c.ask(b"hello\n\xff=1")).replace('\n', " ")), "error reason=malformed");
    let answer = text(c.ask(format!("hello\n{KEY}=1").as_bytes()));
    assert!(answer.contains("\nfield=?\n") && !answer.contains("8899"), "{answer}");
    for len in [65_537, 80_000] {
        let answer = text(c.ask(&vec![b'x'; len])).replace('\n', " ");
        assert_eq!(short(&answer), "error reason=too-long");
    }
    assert_eq!(ask(&c, "hello").split(' ').next(), Some("ok"), "the connection stays");
}

#[test]
fn policies_count_their_users() {
    let control = Control::new();
    let c = control.connect();
    let policy = "direction=out source=10.1.0.0/16 destination=10.2.0.0/16 protocol=6 destination-ports=80-81";
    let add =
        format!("policy-add {policy} reqid=1 tunnel-source=192.0.2.1 tunnel-destination=192.0.2");
    assert_eq!(ask(&c, &format!("{add}.2 priority=5")), "ok");
    assert_eq!(ask(&c, &format!("{add}.3 priority=9")), "ok");
    let other = add.replace("reqid=1", "reqid=2");
    assert_eq!(ask(&c, &format!("{other}.2 priority=7")), "ok");
    let priorities =
        || control.table.view().policies.iter().map(|p| p.priority).collect::<Vec<_>>();
    assert_eq!(priorities(), [7, 9]);
    assert_eq!(control.table.view().policies[1].tunnel.1.to_string(), "192.0.2.3");
    control.table.view().policies[1].used.store(77, Relaxed);
    assert_eq!(ask(&c, &format!("policy-query {policy}")), "ok used=77");
    let delete = format!("policy-delete {policy} reqid=1");
    for (left, want) in [(2, "ok"), (1, "ok"), (1, "error reason=not-found")] {
        assert_eq!(short(&ask(&c, &delete)), want);
        assert_eq!(control.table.view().policies.len(), left);
    }
    assert_eq!(ask(&c, "policy-flush"), "ok");
    assert!(control.table.view().policies.is_empty());
}

#[test]
fn events_reach_all_subscribers() {
    let control = Control::new();
    let (a, b) = (control.connect(), control.connect());
    assert_eq!(ask(&a, "subscribe"), "ok");
    assert_eq!(ask(&b, "subscribe"), "ok");
    let (near, far) = ("192.0.2.1".parse().unwrap(), "192.0.2.2".parse().unwrap());
    let flow =
        Flow { source: near, destination: far, protocol: 6, source_port: 1, destination_port: 2 };
    control.table.tell(Event::Expire { spi: 0x100, destination: near, hard: true });
    control.table.tell(Event::Acquire { reqid: 3, tunnel: (near, far), flow });
    let source = "[2001:db8::1]:77".parse().unwrap();
    control.table.tell(Event::Mapping { spi: 0x100, destination: near, source });
    control.table.tell(Event::Cloned);
    for client in [a, b] {
        for want in [
            "expire spi=0x00000100 destination=192.0.2.1 hard=1",
            "acquire reqid=3 tunnel-source=192.0.2.1 tunnel-destination=192.0.2.2 source=192.0.2.1 destination=192.0.2.2 protocol=6 source-port=1 destination-port=2",
            "mapping spi=0x00000100 destination=192.0.2.1 new-source=[2001:db8::1]:77",
            "cloned",
        ] {
            assert_eq!(text(client.receive()).replace('\n', " "), want);
        }
    }
}

#[test]
fn an_association_ends_by_its_seconds() {
    let control = Control::new();
    let c = control.connect();
    assert_eq!(ask(&c, "subscribe"), "ok");
    assert_eq!(ask(&c, &add("out", "0x100", "hard-seconds=1")), "ok");
    let sa = control.table.view().outbound[&1][0].clone();
    let event = text(c.receive()).replace('\n', " ");
    assert_eq!(event, "expire spi=0x00000100 destination=192.0.2.2 hard=1");
    assert!(sa.life.dead.load(Relaxed));
    assert_eq!(ask(&c, "delete spi=0x100 destination=192.0.2.2"), "ok bytes=0 packets=0 used=0");
}

#[test]
fn ike_messages_pass_both_ways() {
    let control = Control::new();
    let (first, second) = (control.connect(), control.connect());
    assert_eq!(ask(&first, "ike"), "ok");
    assert_eq!(ask(&second, "ike"), "ok");
    assert!(first.receive().is_err(), "the second replaces the first");
    let head = "local=192.0.2.1:4500 remote=192.0.2.2:4501 dscp=46";
    let mut long = format!("{head}\n").into_bytes();
    long.resize(65_000, b'y');
    second.send(format!("{head}\nhello\n").as_bytes()).unwrap();
    second.send(&long).unwrap();
    for (datagram, want) in [
        (format!("{head}\nrefuse"), "error reason=system"),
        (format!("{head} ttl=1\n"), "error reason=unknown-field field=ttl"),
        ("local=192.0.2.1:4500 dscp=0\n".into(), "error reason=missing-field field=remote"),
        (
            "local=192.0.2.1 remote=192.0.2.2:1 dscp=0\n".into(),
            "error reason=bad-value field=local",
        ),
        (head.replace("46", "64") + "\n", "error reason=bad-value field=dscp"),
        (head.replace("192.0.2.2", "[::1]") + "\n", "error reason=bad-value field=remote"),
        (head.into(), "error reason=malformed"),
        (String::new() + "x\n", "error reason=malformed"),
    ] {
        let answer = text(second.ask(datagram.as_bytes())).replace('\n', " ");
        assert_eq!(short(&answer), want, "{datagram}");
    }
    let sent = control.sent.lock().unwrap().clone();
    assert_eq!(sent[0], "192.0.2.1:4500 192.0.2.2:4501 46 hello\n");
    assert!(sent[1].ends_with("yyy") && sent.len() == 2);
    let [local, remote] = ["192.0.2.1:4500", "192.0.2.2:500"].map(|end| end.parse().unwrap());
    control.handle.ike(local, remote, 0, b"\0\xff\n");
    let want = b"local=192.0.2.1:4500 remote=192.0.2.2:500 dscp=0\n\0\xff\n";
    assert_eq!(second.receive().unwrap(), want);
}

#[test]
fn a_thousand_malformed_messages_change_nothing() {
    let control = Control::new();
    let c = control.connect();
    let good: Vec<String> = vec![
        add("in", "0x100", "ports=4500:4500 window=64"),
        add("out", "0x200", "tfc=mtu soft-packets=5"),
        POLICY.into(),
        "spi destination=192.0.2.1".into(),
    ];
    let mut random = Random::new(1);
    let mut reasons = BTreeMap::<String, u32>::new();
    while reasons.values().sum::<u32>() < 1000 {
        let mut bytes = good[random.below(good.len())].replace(' ', "\n").into_bytes();
        for _ in 0..1 + random.below(4) {
            let at = random.below(bytes.len());
            match random.below(4) {
                0 => bytes[at] = random.word() as u8,
                1 if bytes.len() > 1 => drop(bytes.remove(at)),
                2 => bytes.insert(at, b"\n=x0/"[random.below(5)]),
                _ => bytes.truncate(at.max(1)),
            }
        }
        // Some changes leave a right request, as with another address.
        let before = control.table.generation();
        let answer = text(c.ask(&bytes)).replace('\n', " ");
        if answer.starts_with("ok") {
            assert_eq!(ask(&c, "flush"), "ok");
            assert_eq!(ask(&c, "policy-flush"), "ok");
            continue;
        }
        assert_eq!(control.table.generation(), before, "{answer}");
        let reason = answer.split(' ').nth(1).expect("a reason").to_owned();
        *reasons.entry(reason).or_default() += 1;
    }
    println!("{reasons:?}");
    assert!(reasons.len() >= 5, "{reasons:?}");
}

/// PROTOCOL.md names the verbs and fields of the table in code.
#[test]
fn the_document_has_each_verb_and_field() {
    let page = include_str!("../PROTOCOL.md");
    let rows = page.lines().filter_map(|line| line.strip_prefix("| `")?.split_once("` | "));
    let rows: BTreeMap<&str, &str> = rows.collect();
    for verb in VERBS {
        let row = rows.get(verb.name).unwrap_or_else(|| panic!("no row for {}", verb.name));
        // The rows of policies refer to each other.
        if verb.name.starts_with("policy-") && verb.name != "policy-add" {
            continue;
        }
        for field in verb.fields {
            let named = [format!("`{}`", field.name), format!("`{}=", field.name)];
            assert!(named.iter().any(|name| row.contains(name)), "{} of {}", field.name, verb.name);
        }
    }
}

#[test]
fn texts_for_people_and_for_prometheus() {
    let control = Control::new();
    let c = control.connect();
    for n in 0..400 {
        let (direction, spi) = (["in", "out"][n % 2], format!("{:#x}", 256 + n));
        assert_eq!(ask(&c, &add(direction, &spi, "hard-seconds=1000 hard-bytes=5000")), "ok");
    }
    assert_eq!(ask(&c, "delete spi=0x100 destination=192.0.2.1"), "ok bytes=0 packets=0 used=0");
    let status = c.text("status").expect("several parts");
    assert!(status.len() > 60_000 && status.contains("\n399 SAs, 0 policies\n"), "{status}");
    assert!(status.contains("\nSA 0x00000101 out: 192.0.2.1 -> 192.0.2.2, protocol 50, kuznyechik-mgm-ktree, reqid 1, ESN\n"));
    assert!(status.contains("  hard limit in 5000 bytes, "), "{status}");
    let metrics = c.text("metrics").expect("several parts");
    let samples = prometheus(&metrics);
    assert_eq!(samples["bulat_esp_sas{direction=\"in\"}"], 199.0);
    assert_eq!(samples["bulat_esp_refused_total{direction=\"in\",cause=\"bad-icv\"}"], 0.0);
    let one = "direction=\"out\",spi=\"0x00000101\",destination=\"192.0.2.2\",reqid=\"1\"";
    for (name, value) in [("path_mtu_bytes", 1500.0), ("hard_bytes", 5000.0), ("leaf", 0.0)] {
        assert_eq!(samples[&*format!("bulat_esp_sa_{name}{{{one}}}")], value, "{name}");
    }
    assert!(!metrics.contains("bulat_esp_sa_hard_packets{"), "no limit of packets");
    assert!(metrics.lines().all(|line| !line.contains(&KEY[..16])));
}

/// Reads Prometheus text strictly: HELP, then TYPE, then the family's samples, each once.
fn prometheus(text: &str) -> BTreeMap<&str, f64> {
    let (mut samples, mut families) = (BTreeMap::new(), Vec::new());
    let mut lines = text.lines().peekable();
    assert!(text.ends_with('\n'));
    while let Some(line) = lines.next() {
        let (name, help) = line.strip_prefix("# HELP ").expect(line).split_once(' ').expect(line);
        let kind = lines.next().and_then(|line| line.strip_prefix("# TYPE ")?.strip_prefix(name));
        let kind = kind.expect("a TYPE of the family").trim();
        assert!(help.ends_with('.') && matches!(kind, "counter" | "gauge"), "{line}");
        assert_eq!(kind == "counter", name.ends_with("_total"), "{name}");
        assert!(!families.contains(&name), "{name} twice");
        families.push(name);
        while let Some(line) = lines.next_if(|line| !line.starts_with('#')) {
            let (sample, value) = line.rsplit_once(' ').expect(line);
            let labels = sample.strip_prefix(name).expect("the family's name");
            if !labels.is_empty() {
                let inside = labels.strip_prefix('{').and_then(|l| l.strip_suffix('}'));
                for label in inside.expect(line).split(',') {
                    let (name, value) = label.split_once('=').expect(line);
                    assert!(name.bytes().all(|b| b.is_ascii_lowercase() || b == b'_'), "{line}");
                    let value = value.strip_prefix('"').and_then(|v| v.strip_suffix('"'));
                    assert!(!value.expect(line).contains(['"', '\\']), "{line}");
                }
            }
            assert!(samples.insert(sample, value.parse().expect(line)).is_none(), "{line} twice");
        }
    }
    samples
}

#[test]
fn a_second_server_is_refused_and_a_dead_one_replaced() {
    let control = Control::new();
    let taken = Listener::bind(&control.path).err().expect("it is served");
    assert_eq!(taken.kind(), std::io::ErrorKind::AddrInUse);
    assert_eq!(ask(&control.connect(), "hello").split(' ').next(), Some("ok"));
    use std::os::unix::fs::PermissionsExt as _;
    let mode = std::fs::metadata(&control.path).unwrap().permissions().mode();
    assert_eq!(mode & 0o7777, 0o600);
    let path = control.path.with_extension("file");
    std::fs::write(&path, "no socket").unwrap();
    assert!(Listener::bind(&path).is_err(), "a file stays");
    std::fs::remove_file(&path).unwrap();
    drop(Listener::bind(&path).unwrap());
    drop(Listener::bind(&path).expect("nobody serves it"));
    std::fs::remove_file(&path).unwrap();
}
