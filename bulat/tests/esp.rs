//! Bursts of ESP packets against MGM and the key derivation by themselves.

use bulat::esp::{Association, Packet, Transform, iv, open, seal};
use bulat::kdf::kdf_256;
use bulat::modes::{Aead, Mgm};
use bulat::{BlockCipher, Error, Kuznyechik, Magma};

const TRANSFORMS: [Transform; 4] =
    [Transform::KuznyechikMgm, Transform::MagmaMgm, Transform::KuznyechikMac, Transform::MagmaMac];

fn material(transform: Transform, tint: u8) -> Vec<u8> {
    (0..transform.key_len()).map(|i| i as u8 ^ tint).collect()
}

/// One packet, step by step: payload and ICV.
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
    assert!(seal(&mut us, &mut packets).iter().all(|result| result.is_ok()));
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
    let results = open(&mut them, &mut packets);
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
    assert_eq!(seal(&mut all, &mut packets), [Err(Error::Parameter), Err(Error::TagLength)]);
}

/// Two payloads sealed under one IV give their XOR away.
#[test]
fn no_iv_is_used_twice_in_a_burst() {
    let t = Transform::KuznyechikMgm;
    let make = |n: u8| Association::new(t, &material(t, n)).unwrap();
    let mut us = [make(1), make(2)];
    // Of the five, the first and the last of association 0 have the same IV; that of association 1 is another's.
    let plan = [(0, 7), (0, 8), (1, 7), (0, 9), (0, 7)];
    let text = [0x5a; 40];
    let (mut payloads, mut icvs) = ([text; 5], [[0; 12]; 5]);
    let mut packets: Vec<_> = (plan.iter().zip(payloads.iter_mut().zip(&mut icvs)))
        .map(|((a, n), (payload, icv))| Packet::new(*a, iv(*n), &[0; 8], payload, icv))
        .collect();
    let results = seal(&mut us, &mut packets);
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
    assert!(open(&mut us, &mut packets).iter().all(|result| result.is_ok()));
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
        let field = |name: &str| test.octets(name).unwrap();
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
        assert_eq!(seal(&mut all, &mut packet), [Ok(())]);
        assert_eq!((&payload, &icv), (&wire, &field("tag")));
        let mut packet = [Packet::new(0, iv, header, &mut payload, &mut icv)];
        assert_eq!(open(&mut all, &mut packet), [Ok(())]);
        assert_eq!(payload, text);
        counts[transform as usize] += 1;
    }
    assert_eq!(counts, [2; 4]);
}
