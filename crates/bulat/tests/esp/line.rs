//! A tunnel over a bad line: packets lost, repeated, reordered, damaged and forged, a sender that breaks the rules.
//! verification/fuzz runs it, too.

use std::collections::BTreeSet;

use bulat::esp::{
    Association, Header, Numbers, Packet, Trailer, Transform, Window, iv, open, pad, payload_len,
    seal,
};
use testkit::Random;

/// A packet on the line, and what its sender meant: the text, unless it has no right trailer.
#[derive(Clone)]
struct Wire {
    low: u32,
    iv: [u8; 8],
    payload: Vec<u8>,
    icv: Vec<u8>,
    /// The whole sequence number and the text; `None`: damaged or forged.
    meant: Option<(u64, Option<Vec<u8>>)>,
}

impl Wire {
    /// A packet that differs from all packets that were sent.
    fn damaged(mut self, r: &mut Random) -> Self {
        let flip = |r: &mut Random, bytes: &mut [u8]| {
            let at = r.below(bytes.len());
            bytes[at] ^= 1 << r.below(8);
        };
        match r.below(5) {
            0 => self.low ^= 1 << r.below(32),
            1 => flip(r, &mut self.iv),
            2 if !self.payload.is_empty() => flip(r, &mut self.payload),
            3 if !self.payload.is_empty() => self.payload.truncate(r.below(self.payload.len())),
            _ => flip(r, &mut self.icv),
        }
        Wire { meant: None, ..self }
    }

    fn forged(r: &mut Random, icv: usize) -> Self {
        let iv = if r.below(2) == 0 { iv(r.word()) } else { iv((r.below(3) as u64) << 24) };
        let payload = vec![r.word() as u8; r.upto(40)];
        Wire { low: r.word() as u32, iv, payload, icv: vec![0; icv], meant: None }
    }
}

/// Sends some `packets`. Each text arrives at most once, under its own number, and nothing else does. Returns how many
/// arrived, were refused by the window, by [`open`], and by their trailer.
pub fn run(r: &mut Random, packets: usize) -> [usize; 4] {
    let transform = [
        Transform::KuznyechikMgm,
        Transform::MagmaMgm,
        Transform::KuznyechikMac,
        Transform::MagmaMac,
    ][r.below(4)];
    let (key, esn, spi) = (r.bytes(transform.key_len()), r.below(2) == 0, 256);
    let make = || [Association::new(transform, &key).expect("its length")];
    let (mut us, mut them, mut numbers) = (make(), make(), Numbers::new(transform, esn));
    let mut window = Window::new(32 + r.upto(300) as u32, esn).expect("a size");
    let mut line = Vec::new();
    while line.len() < packets {
        // A packet that takes most of a leaf of Magma, now and then.
        let taken = if r.below(20) == 0 { 1 << 27 } else { 0 };
        let text = r.upto(80);
        let (text, broken) = (r.bytes(text), r.below(16) == 0);
        let mut payload = text.clone();
        if !broken {
            payload.resize(payload_len(text.len()) + 4 * r.upto(3), 0);
            pad(&mut payload, text.len(), 4).expect("a multiple of 4");
        }
        let number = numbers.next(payload.len() + taken).expect("the first leaves");
        let mut icv = vec![0; transform.icv_len()];
        let header = Header::new(spi, number.sequence, esn);
        let packet = Packet::new(0, number.iv, &header, &mut payload, &mut icv);
        seal(&mut us, &mut [packet]).expect("a new IV");
        let meant = Some((number.sequence, (!broken).then_some(text)));
        let wire = Wire { low: number.sequence as u32, iv: number.iv, payload, icv, meant };
        for _ in 0..[1, 1, 1, 1, 0, 2, 3, 1][r.below(8)] {
            let at = line.len() - r.upto(line.len().min(40));
            line.insert(at, wire.clone());
        }
        match r.below(6) {
            0 => line.push(wire.damaged(r)),
            1 => line.push(Wire::forged(r, transform.icv_len())),
            _ => {}
        }
    }
    let (mut arrived, mut counts, mut rest) = (BTreeSet::new(), [0; 4], &mut line[..]);
    while !rest.is_empty() {
        let (burst, others) = rest.split_at_mut(1 + r.below(rest.len().min(9)));
        rest = others;
        let (mut received, mut headers) = (Vec::new(), Vec::new());
        for wire in burst {
            match window.check(wire.low) {
                Ok(sequence) => {
                    headers.push((sequence, Header::new(spi, sequence, esn)));
                    received.push(wire);
                }
                Err(_) => counts[1] += 1,
            }
        }
        let mut packets: Vec<_> = (received.iter_mut().zip(&headers))
            .map(|(w, (_, header))| Packet::new(0, w.iv, header, &mut w.payload, &mut w.icv))
            .collect();
        let _ = open(&mut them, &mut packets);
        let results: Vec<_> = packets.iter().map(Packet::result).collect();
        for ((wire, (sequence, _)), result) in received.into_iter().zip(headers).zip(results) {
            if result.is_err() {
                counts[2] += 1;
                continue;
            }
            let (meant, text) = wire.meant.clone().expect("no damaged packet opens");
            assert_eq!(sequence, meant);
            if window.accept(sequence).is_err() {
                counts[1] += 1;
                continue;
            }
            assert!(arrived.insert(sequence), "{sequence} arrives twice");
            let trailer = Trailer::of(&wire.payload);
            match text {
                Some(text) => {
                    let trailer = trailer.expect("a trailer");
                    assert!(wire.payload[..trailer.text] == text && trailer.next_header == 4);
                    counts[0] += 1;
                }
                // Any bytes: a trailer within them, or no trailer.
                None => {
                    assert!(
                        trailer.is_err() || trailer.is_ok_and(|t| t.text <= wire.payload.len())
                    );
                    counts[3] += 1;
                }
            }
        }
    }
    counts
}
