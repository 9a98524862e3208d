//! Bursts of ESP packets against MGM and the key derivation by themselves.

mod line;

use bulat::esp::{Association, Packet, Transform, iv, open, seal};
use bulat::kdf::kdf_256;
use bulat::modes::{Aead, Mgm};
use bulat::{BlockCipher, Error, Kuznyechik, Magma};

const TRANSFORMS: [Transform; 4] =
    [Transform::KuznyechikMgm, Transform::MagmaMgm, Transform::KuznyechikMac, Transform::MagmaMac];

fn material(transform: Transform, tint: u8) -> Vec<u8> {
    (0..transform.key_len()).map(|i| i as u8 ^ tint).collect()
}

/// A packet, step by step: payload and ICV.
fn alone(t: Transform, key: &[u8], iv: [u8; 8], header: &[u8], text: &[u8]) -> (Vec<u8>, Vec<u8>) {
    let one = kdf_256(&key[..32], b"level1", &[0, iv[0]]);
    let two = kdf_256(&*one, b"level2", &iv[1..3]);
    let leaf = kdf_256(&*two, b"level3", &iv[3..5]);
    let nonce = [&[0], &iv[5..], &key[32..]].concat();
    let encrypts = matches!(t, Transform::KuznyechikMgm | Transform::MagmaMgm);
    let aad = if encrypts { header.to_vec() } else { [header, &iv, text].concat() };
    fn mgm<C: BlockCipher>(c: C, nonce: &[u8], aad: &[u8], text: &mut [u8], icv: &mut [u8]) {
        let mgm = Mgm::with(c).truncated(icv.len()).unwrap();
        icv.copy_from_slice(&mgm.seal_in_place(nonce, aad, text).unwrap());
    }
    let (mut text, mut icv) = (text.to_vec(), vec![0; t.icv_len()]);
    let part = if encrypts { &mut text[..] } else { &mut [] };
    match t.key_len() {
        44 => mgm(Kuznyechik::new(&leaf), &nonce, &aad, part, &mut icv),
        _ => mgm(Magma::new(&leaf), &nonce, &aad, part, &mut icv),
    }
    (text, icv)
}

#[test]
fn a_burst_is_its_packets() {
    let make = || {
        let all = (0..8).map(|i| (TRANSFORMS[i % 4], i as u8));
        all.map(|(t, i)| Association::new(t, &material(t, i)).unwrap()).collect::<Vec<_>>()
    };
    let (mut us, mut them) = (make(), make());
    // Numbers on both sides of a leaf's end, and of the next level's.
    let numbers = [0, 1, 0xff_ffff, 0x100_0000, 0xff_ffff_ffff, 0x100_0000_0000, u64::MAX];
    let plan: Vec<(usize, u64, Vec<u8>)> = (0..300)
        .map(|i| {
            (i * 5 % 8, numbers[i % 7].wrapping_add(i as u64 / 7), vec![i as u8; i * 11 % 1600])
        })
        .collect();
    let mut payloads: Vec<_> = plan.iter().map(|(.., text)| text.clone()).collect();
    let mut icvs: Vec<_> =
        plan.iter().map(|(a, ..)| vec![0; TRANSFORMS[a % 4].icv_len()]).collect();
    let header = [0x11; 12];
    let mut packets: Vec<_> = plan
        .iter()
        .zip(payloads.iter_mut().zip(&mut icvs))
        .map(|((a, number, _), (payload, icv))| Packet::new(*a, iv(*number), &header, payload, icv))
        .collect();
    assert_eq!(seal(&mut us, &mut packets), Ok(()));
    drop(packets);
    for ((a, number, text), (payload, icv)) in plan.iter().zip(payloads.iter().zip(&icvs)) {
        let t = TRANSFORMS[a % 4];
        let key = material(t, *a as u8);
        let (want, tag) = alone(t, &key, iv(*number), &header, text);
        assert!(*payload == want && *icv == tag, "{t:?} {number:x} {}", text.len());
    }
    // Every seventh is damaged in the payload, the ICV or the header's number: only it is refused.
    let sealed = payloads.clone();
    for (i, icv) in icvs.iter_mut().enumerate() {
        icv[0] ^= u8::from(i % 7 == 3);
    }
    let mut packets: Vec<_> = plan
        .iter()
        .zip(payloads.iter_mut().zip(&mut icvs))
        .map(|((a, number, _), (payload, icv))| Packet::new(*a, iv(*number), &header, payload, icv))
        .collect();
    assert_eq!(open(&mut them, &mut packets), Err(Error::Verify));
    let results: Vec<_> = packets.iter().map(Packet::result).collect();
    for (i, result) in results.into_iter().enumerate() {
        let (want, text) = match i % 7 {
            3 => (Err(Error::Verify), &sealed[i]),
            _ => (Ok(()), &plan[i].2),
        };
        assert_eq!(result, want, "{i}");
        assert!(payloads[i] == *text, "{i}");
    }
}

#[test]
fn misuse_is_an_error() {
    let t = Transform::MagmaMgm;
    assert_eq!(Association::new(t, &[0; 44]).err(), Some(Error::KeyLength));
    let mut all = [Association::new(t, &[1; 36]).unwrap()];
    let (mut a, mut b, mut icv, mut short) = ([0; 8], [0; 8], [0; 8], [0; 7]);
    let mut packets = [
        Packet::new(1, iv(0), &[0; 8], &mut a, &mut icv),
        Packet::new(0, iv(0), &[0; 8], &mut b, &mut short),
    ];
    assert_eq!(packets[0].result(), Err(Error::Order));
    assert_eq!(seal(&mut all, &mut packets), Err(Error::Parameter));
    assert_eq!(packets.map(|p| p.result()), [Err(Error::Parameter), Err(Error::TagLength)]);
}

/// Two payloads sealed under one IV give their XOR away.
#[test]
fn no_iv_is_used_twice_in_a_burst() {
    let t = Transform::KuznyechikMgm;
    let make = |n: u8| Association::new(t, &material(t, n)).unwrap();
    let mut us = [make(1), make(2)];
    // The first and the last packet, of association 0, have the same IV; so has a packet of association 1, which is no
    // reuse.
    let plan = [(0, 7), (0, 8), (1, 7), (0, 9), (0, 7)];
    let text = [0x5a; 40];
    let (mut payloads, mut icvs) = ([text; 5], [[0; 12]; 5]);
    let mut packets: Vec<_> = (plan.iter().zip(payloads.iter_mut().zip(&mut icvs)))
        .map(|((a, n), (payload, icv))| Packet::new(*a, iv(*n), &[0; 8], payload, icv))
        .collect();
    assert_eq!(seal(&mut us, &mut packets), Err(Error::IvReuse));
    let results: Vec<_> = packets.iter().map(Packet::result).collect();
    assert_eq!(results, [Err(Error::IvReuse), Ok(()), Ok(()), Ok(()), Err(Error::IvReuse)]);
    // To refuse a packet received twice is up to the window of the caller.
    let (wire, icv) = (payloads[1], icvs[1]);
    for (i, ((a, n), (payload, icv))) in plan.iter().zip(payloads.iter().zip(&icvs)).enumerate() {
        if i == 0 || i == 4 {
            assert!(*payload == text && *icv == [0; 12], "{i} is as it was");
        } else {
            let want = alone(t, &material(t, *a as u8 + 1), iv(*n), &[0; 8], &text);
            assert!((payload.to_vec(), icv.to_vec()) == want, "{i}");
        }
    }
    let (mut wires, mut icvs) = ([wire; 2], [icv; 2]);
    let mut packets: Vec<_> = (wires.iter_mut().zip(&mut icvs))
        .map(|(payload, icv)| Packet::new(0, iv(8), &[0; 8], payload, icv))
        .collect();
    assert_eq!(open(&mut us, &mut packets), Ok(()));
    drop(packets);
    assert_eq!(wires, [text; 2]);
}

/// The eight packets of RFC 9227, Appendix A: two of each transform.
#[test]
fn the_packets_of_the_rfc() {
    let files = vectors::load().expect("the vectors are whole");
    let file = files.iter().find(|file| file.name == "esp_kat.json").expect("is there");
    let mut counts = [0; 4];
    for test in &file.tests {
        let field = |name: &str| test.bytes(name).unwrap();
        let (aad, iv): (_, [u8; 8]) = (field("aad"), field("iv").try_into().unwrap());
        let (header, rest) = aad.split_at(8);
        let (transform, text, wire) = match (test.text("cipher").unwrap(), rest.is_empty()) {
            ("kuznyechik", true) => (Transform::KuznyechikMgm, field("msg"), field("ct")),
            ("magma", true) => (Transform::MagmaMgm, field("msg"), field("ct")),
            // The data of the MAC: header, IV, payload.
            (cipher, false) => {
                assert_eq!(rest[..8], iv);
                let mac =
                    if cipher == "magma" { Transform::MagmaMac } else { Transform::KuznyechikMac };
                (mac, rest[8..].to_vec(), rest[8..].to_vec())
            }
            (other, _) => panic!("{other}"),
        };
        let material = [field("key"), field("salt")].concat();
        let mut all = [Association::new(transform, &material).unwrap()];
        let (mut payload, mut icv) = (text.clone(), vec![0; transform.icv_len()]);
        let mut packet = [Packet::new(0, iv, header, &mut payload, &mut icv)];
        assert_eq!(seal(&mut all, &mut packet), Ok(()));
        assert_eq!((&payload, &icv), (&wire, &field("tag")));
        let mut packet = [Packet::new(0, iv, header, &mut payload, &mut icv)];
        assert_eq!(open(&mut all, &mut packet), Ok(()));
        assert_eq!(payload, text);
        counts[transform as usize] += 1;
    }
    assert_eq!(counts, [2; 4]);
}

/// A packet sealed at a number, and whether it opens.
struct Wire(u64, [u8; 40], [u8; 12]);

impl Wire {
    fn new(us: &mut [Association], number: u64) -> Self {
        let mut wire = Wire(number, [0x5a; 40], [0; 12]);
        let mut packet = [Packet::new(0, iv(number), &[0; 8], &mut wire.1, &mut wire.2)];
        assert_eq!(seal(us, &mut packet), Ok(()));
        wire
    }
    fn open(&self, them: &mut [Association]) -> Result<(), Error> {
        let Wire(number, mut payload, mut icv) = *self;
        let result = open(them, &mut [Packet::new(0, iv(number), &[0; 8], &mut payload, &mut icv)]);
        assert_eq!(result.is_ok(), payload == [0x5a; 40]);
        result
    }
    fn forged(number: u64) -> Self {
        Wire(number, [1; 40], [2; 12])
    }
}

/// Packets of forged leaves are opened up to a limit, and never in place of the leaves of genuine packets.
#[test]
fn forged_leaves_do_not_displace_genuine_ones() {
    let make = || [Association::new(Transform::KuznyechikMgm, &[3; 44]).unwrap()];
    let (mut us, mut them) = (make(), make());
    let leaf = |n: u64| n << 24;
    let first: Vec<_> = (0..40).map(|n| Wire::new(&mut us, n)).collect();
    let second: Vec<_> = (0..40).map(|n| Wire::new(&mut us, leaf(1) + n)).collect();
    let third: Vec<_> = (0..40).map(|n| Wire::new(&mut us, leaf(2) + n)).collect();
    assert_eq!(first[0].open(&mut them), Ok(()));
    let flood = |them: &mut [Association], from: u64| {
        let results = (from..from + 1000).map(|n| Wire::forged(n << 40 | n << 24).open(them));
        results.filter(|result| *result == Err(Error::Verify)).count()
    };
    // Sixteen, and every sixteenth packet.
    let tried = flood(&mut them, 1000);
    assert!((16 + 1000 / 16..=18 + 1000 / 16).contains(&tried), "{tried}");
    // The leaf in use, the next leaf, and the leaf after it, in the middle of the flood.
    for i in 1..40 {
        assert_eq!(first[i].open(&mut them), Ok(()));
        assert_eq!(Wire::forged(leaf(1) + 1000).open(&mut them), Err(Error::Verify));
        flood(&mut them, 3000 * i as u64);
        assert_eq!(second[i].open(&mut them), Ok(()));
        if i > 20 {
            assert_eq!(third[i].open(&mut them), Ok(()));
            break;
        }
    }
    // A forged packet and an older leaf change nothing.
    assert_eq!(them[0].newest_leaf(), Some([0, 0, 0, 0, 2]));
    assert_eq!(make()[0].newest_leaf(), None);
    // Two leaves stay: the first has gone, and comes back when a leaf may be tried again.
    assert!((0..20).any(|_| first[0].open(&mut them).is_ok()));
}

/// A sender may jump: leaves of genuine packets are not limited.
#[test]
fn genuine_leaves_are_not_limited() {
    let make = || [Association::new(Transform::KuznyechikMgm, &[3; 44]).unwrap()];
    let (mut us, mut them) = (make(), make());
    for n in 0..200_u64 {
        let number = n.wrapping_mul(0x1234_5678_9abc_def1) & !0xff_ffff;
        assert_eq!(Wire::new(&mut us, number).open(&mut them), Ok(()), "{n}");
    }
}

#[test]
fn a_bad_line_delivers_each_text_once() {
    let mut all = [0; 4];
    for seed in 0..200 {
        let counts = line::run(&mut testkit::Random::new(seed), 300);
        all.iter_mut().zip(counts).for_each(|(all, n)| *all += n);
    }
    let [arrived, window, open, trailer] = all;
    assert!(arrived > 30_000 && window > 5_000 && open > 5_000 && trailer > 1_000, "{all:?}");
}
