//! Random input for the parser of the control socket, and for inner packets: the functions of the fuzz targets `control`
//! and `packet`.
#![cfg(target_os = "linux")]

#[path = "../../../verification/fuzz/src/control.rs"]
mod control;
#[path = "../../../verification/fuzz/src/packet.rs"]
mod packet;

use testkit::Random;

#[test]
fn messages_by_the_table() {
    let mut random = Random::new(1);
    let right = (0..100_000).filter(|_| control::message(&random.bytes(64))).count();
    assert!((10_000..60_000).contains(&right), "{right} of 100000 are right");
}

#[test]
fn any_bytes() {
    let pieces = "add;delete;\n;\n;=;spi;key;destination;0x100;192.0.2.1; ;\0;local=192.0.2.1:1;\
                  remote=[::1]:2;remote=192.0.2.2:2;dscp=0;hello;\u{fe00}";
    let pieces: Vec<&str> = pieces.split(';').collect();
    let mut random = Random::new(2);
    for _ in 0..200_000 {
        let mut input = Vec::new();
        for _ in 0..random.upto(12) {
            match random.below(10) {
                0 => input.push(random.word() as u8),
                _ => input.extend_from_slice(pieces[random.below(pieces.len())].as_bytes()),
            }
        }
        control::bytes(&input);
    }
    control::bytes(&vec![b'a'; 64 << 10]);
    control::bytes(&vec![b'='; 71 << 10]);
}

#[test]
fn bytes_of_the_tun() {
    let mut random = Random::new(3);
    let mut cut = 0;
    for _ in 0..100_000 {
        let len = random.upto(300);
        let mut input = random.bytes(len);
        // Mostly the beginnings of packets with plausible lengths.
        for (at, values) in [
            (1, &[0u8, 0, 1, 4, 5, 0x81][..]),
            (4, &[0, 1, 20, 100]),
            (5, &[0, 0, 0, 1]),
            (6, &[0, 20, 40]),
            (7, &[0]),
            (8, &[6, 16, 80]),
            (9, &[0]),
            (10, &[0x45, 0x45, 0x46, 0x60, 0x60, 0x4f]),
            (12, &[0, 0, 0, 1]),
            (13, &[20, 28, 40, 100, 200]),
            (14, &[0]),
            (15, &[8, 20, 100, 200]),
            (16, &[0, 6, 17, 44, 0x20, 0x40]),
            (19, &[1, 6, 17]),
            (42, &[0x50, 0x80, 0xf0]),
        ] {
            if let Some(byte) = input.get_mut(at) {
                *byte = values[random.below(values.len())];
            }
        }
        cut += usize::from(packet::tun(&input));
    }
    assert!(cut > 10_000, "{cut}");
}

#[test]
fn packets_of_the_wire() {
    let mut random = Random::new(4);
    let mut joined = 0;
    for _ in 0..20_000 {
        let len = random.upto(400);
        joined += packet::wire(&random.bytes(len));
    }
    assert!(joined > 5_000, "{joined}");
}

#[test]
fn contents_and_searches() {
    let mut random = Random::new(5);
    let (mut read, mut counted) = (0, 0);
    for _ in 0..20_000 {
        let len = random.upto(200);
        let mut input = random.bytes(len);
        counted += packet::search(&input);
        // Beginnings of packets, and of the rest of a probe.
        for (at, values) in [(0, &[0x45u8, 0x60, 1, 2][..]), (2, &[0]), (3, &[20, 40]), (9, &[50])]
        {
            if let Some(byte) = input.get_mut(at) {
                *byte = values[random.below(values.len())];
            }
        }
        read += packet::inside(&input);
    }
    assert!(read > 5_000 && counted > 5_000, "{read}, {counted}");
}

#[test]
fn requests_and_datagrams() {
    let mut random = Random::new(6);
    let (mut accepted, mut arrived) = (0, 0);
    for _ in 0..2_000 {
        let len = random.upto(400);
        accepted += control::work(&random.bytes(len));
        let len = random.upto(900);
        arrived += packet::datagrams(&random.bytes(len));
    }
    assert!(accepted > 10_000 && arrived > 10_000, "{accepted}, {arrived}");
}
