//! Single short messages: nanoseconds for each, the least of many runs.
//!
//! `cargo bench -p bulat --bench short [-- WORD...]`: only the lines with a given word. `BULAT_KERNEL` names a kernel.
//!
//! | line | the message |
//! |---|---|
//! | `seal`, `open`, `mac`, `digest`, `ctr` | under a key or hash prepared before |
//! | `session` | the same through a session by name, which is how the provider for OpenSSL works |
//! | `new key` | the key's schedule, and a message |
//! | `wait` | 16 blocks or 16 compressions in turn: a message in MGM waits for three blocks, a short hash for 38 of 13
//! · 16 LPS |

mod clock;

use std::hint::black_box;
use std::time::Instant;

use bulat::algorithm::{Params, Session};
use bulat::modes::{Aead, Ctr, FromKey, Mac, Mgm, Omac, StreamCipher};
use bulat::{HmacStreebog256, Kuznyechik, Magma, Streebog256, Streebog512};
use bulat_core::cipher::{Block, Chain, Data};
use bulat_core::kernel::{self, HashLane, HashState, Shape};

const SIZES: [usize; 7] = [0, 8, 16, 32, 64, 128, 256];
/// Bytes of associated data, as a TLS record has.
const AAD: [u8; 13] = [2; 13];
const KEY: [u8; 32] = [7; 32];

/// A call on the first bytes of a buffer.
type Work = Box<dyn FnMut(&mut [u8])>;

/// Returns nanoseconds of a call: the least of many runs of 64.
fn cost(work: &mut Work, data: &mut [u8]) -> f64 {
    let mut least = f64::MAX;
    for _ in 0..40 {
        let start = Instant::now();
        (0..64).for_each(|_| work(black_box(&mut *data)));
        least = least.min(start.elapsed().as_secs_f64() * 1e9 / 64.0);
    }
    least
}

/// The lines of a primitive.
struct Lines<'a>(&'a str, &'a mut Vec<(String, Work)>);

impl Lines<'_> {
    fn add(&mut self, what: &str, work: impl FnMut(&mut [u8]) + 'static) {
        self.1.push((format!("{} {what}", self.0), Box::new(work)));
    }
}

fn ciphers<C: FromKey>(mut lines: Lines<'_>) {
    let nonce = &[1; 16][..C::BLOCK];
    let mgm = Mgm::<C>::new(&KEY);
    // A text that was sealed at each size: a wrong tag ends the call before it decrypts.
    let sealed = SIZES.map(|size| {
        let mut text = vec![0; size];
        let tag = mgm.seal_in_place(nonce, &AAD, &mut text).expect("a short text");
        (text, tag)
    });
    let opens = mgm.clone();
    lines.add("mgm seal", move |data| drop(black_box(mgm.seal_in_place(nonce, &AAD, data))));
    lines.add("mgm open", move |data| {
        let (text, tag) = sealed.iter().find(|(text, _)| text.len() == data.len()).expect("a size");
        opens.open_b2b(nonce, &AAD, text, data, tag).expect("what was sealed");
    });
    lines.add("mgm seal, new key", move |data| {
        drop(black_box(Mgm::<C>::new(black_box(&KEY)).seal_in_place(nonce, &AAD, data)));
    });
    let mut omac = Omac::<C>::new(&KEY);
    lines.add("omac mac", move |data| {
        omac.update(data);
        drop(black_box(omac.finalize_reset()));
    });
    lines.add("omac mac, new key", |data| drop(black_box(Omac::<C>::mac(black_box(&KEY), data))));
    let mut ctr = Ctr::<C>::new(&KEY, &nonce[..C::BLOCK / 2]).expect("an IV");
    lines.add("ctr", move |data| {
        ctr.reset(&nonce[..C::BLOCK / 2]).expect("an IV");
        ctr.apply_keystream(data).expect("a short text");
    });
    // Sixteen in a call: the cost of the call itself hardly counts.
    let (cipher, mut state) = (C::from_key(&KEY), C::Block::ZERO);
    lines.add("wait, 16 blocks", move |_| {
        cipher.chain(Chain::Mac, &mut state, Data::Read(&[0; 256][..16 * C::BLOCK]));
    });
}

fn sessions(all: &mut Vec<(String, Work)>) {
    for name in [
        "kuznyechik-mgm",
        "magma-mgm",
        "kuznyechik-omac",
        "magma-omac",
        "streebog256",
        "hmac-streebog256",
    ] {
        let a = bulat::algorithm(name).expect("a name");
        let iv: &'static [u8] = &[1; 16][..a.iv.usual()];
        let params = if a.key == 0 { Params::new(&[]) } else { Params::new(&KEY).iv(iv) };
        let mut lines = Lines(name, all);
        match a.session(&params).expect("parameters") {
            Session::Hash(mut hash) => lines.add("session", move |data| {
                let mut out = [0; 64];
                hash.update(data);
                black_box(hash.finalize_reset(&mut out)).expect("room");
            }),
            Session::Mac(mut mac) => lines.add("session", move |data| {
                mac.update(data);
                drop(black_box(mac.finalize_reset()));
            }),
            Session::Aead(mut aead) => lines.add("session", move |data| {
                aead.reset(iv).expect("an IV");
                aead.aad(&AAD).expect("before the text");
                aead.update(data).expect("a short text");
                drop(black_box(aead.finalize()));
            }),
            Session::Cipher(_) => unreachable!("none is listed"),
        }
    }
}

fn hashes(all: &mut Vec<(String, Work)>) {
    Lines("streebog256", all).add("digest", |data| _ = black_box(Streebog256::digest(data)));
    Lines("streebog512", all).add("digest", |data| _ = black_box(Streebog512::digest(data)));
    let mut hmac = HmacStreebog256::new(&KEY);
    let mut lines = Lines("hmac-streebog256", all);
    lines.add("mac", move |data| {
        hmac.update(data);
        drop(black_box(hmac.finalize_reset()));
    });
    lines.add("mac, new key", |data| drop(black_box(HmacStreebog256::mac(black_box(&KEY), data))));
    let kernel = kernel::pick(bulat_core::streebog::KERNELS, Shape::Messages);
    let mut state = HashState { h: [0; 64], n: [0; 64], sigma: [0; 64] };
    Lines("streebog", all).add("wait, 16 compressions", move |_| {
        kernel.blocks(&mut [HashLane { state: &mut state, blocks: &[0; 1024] }]);
    });
}

fn main() {
    clock::obey_environment();
    let (wanted, mut lines) = (clock::wanted(), Vec::new());
    ciphers::<Kuznyechik>(Lines("kuznyechik", &mut lines));
    ciphers::<Magma>(Lines("magma", &mut lines));
    hashes(&mut lines);
    sessions(&mut lines);
    lines.retain(|(what, _)| wanted(what));
    let mut data = clock::random(256);
    let mut least = vec![[f64::MAX; SIZES.len()]; lines.len()];
    // Each line in each round, so that a disturbance meets all alike.
    for _ in 0..5 {
        for ((_, work), least) in lines.iter_mut().zip(&mut least) {
            for (size, least) in SIZES.iter().zip(least) {
                *least = least.min(cost(work, &mut data[..*size]));
            }
        }
    }
    print!("{:<34}", "bytes of text; nanoseconds");
    SIZES.iter().for_each(|size| print!(" {size:>6}"));
    println!();
    for ((what, _), least) in lines.iter().zip(&least) {
        print!("{what:<34}");
        least.iter().for_each(|ns| print!(" {ns:>6.0}"));
        println!();
    }
}
