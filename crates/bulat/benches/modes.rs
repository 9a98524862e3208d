//! Modes, and the shape of the kernel that each is made of, in one run: cycles for each byte, and how
//! many times the shape's.
//!
//! `cargo bench -p bulat --bench modes [-- WORD...]`: only the groups with a given word, which are
//! named by kernel, cipher and length.

mod clock;

use std::hint::black_box;

use bulat::Magma;
use bulat::kernel::NAMES;
use bulat::modes::{Aead, CtrAcpkm, Mgm, StreamCipher, Xts};
use bulat::{BlockCipher, Direction, Kuznyechik};
use bulat_core::cipher::{Count, Shapes as _};

/// Bytes of a section of CTR-ACPKM, for Kuznyechik and for Magma: the sizes in RFC 8645 and TLS.
const SECTIONS: [usize; 2] = [4096, 1024];

/// Prints the lines of a group; the others are compared with the first.
struct Group {
    name: String,
    len: usize,
    base: f64,
}

impl Group {
    fn line(&mut self, mode: &str, f: impl FnMut()) {
        self.burst(mode, self.len, f);
    }
    /// A call of a different length.
    fn burst(&mut self, mode: &str, len: usize, mut f: impl FnMut()) {
        // Calls of a few hundred bytes are repeated, so that the timer is a small part.
        let times = 4096_usize.div_ceil(len);
        let (min, median) = clock::measure(len * times, || (0..times).for_each(|_| f()));
        if self.base == 0.0 {
            self.base = min;
        }
        println!(
            "{:<40} {min:8.3} {median:8.3} {:8.2}",
            format!("{} {mode}", self.name),
            min / self.base
        );
    }
}

fn main() {
    let wanted = clock::wanted();
    println!("{:<40} {:>8} {:>8} {:>8}   cycles for each byte", "", "minimum", "median", "times");
    for kernel in NAMES.iter().filter(|k| bulat::kernel::available(k)) {
        for len in [64, 512, 1504, 4096, 16384, 65536] {
            let group = |name: &str| {
                let name = format!("{kernel} {name} {len}");
                wanted(&name).then_some(Group { name, len, base: 0.0 })
            };
            let mut data: Vec<u8> = clock::random(len);
            if let Ok(cipher) = Kuznyechik::new(&[7; 32]).on(kernel) {
                let xts = Xts::new(&[7; 32], &[8; 32]).and_then(|x| x.on(kernel)).expect("keys");
                for (word, d) in [("", Direction::Encrypt), ("^-1", Direction::Decrypt)] {
                    let Some(mut group) = group("kuznyechik blocks") else { continue };
                    group.line(&format!("ecb{word}"), || {
                        cipher.map(d, black_box(&mut data[..]).into());
                    });
                    group.line(&format!("xts{word}"), || {
                        xts.sector(&Xts::tweak(7), d, black_box(&mut data)).expect("length");
                    });
                    if len == 512 || len == 4096 {
                        // 128 KB of consecutive sectors, and as many blocks in ECB.
                        let mut many = clock::random(1 << 17);
                        group.burst(&format!("ecb{word}, 128 KB"), 1 << 17, || {
                            cipher.map(d, black_box(&mut many[..]).into());
                        });
                        group.burst(&format!("xts{word} sectors, 128 KB"), 1 << 17, || {
                            xts.sectors(7, len, d, black_box(&mut many)).expect("whole sectors");
                        });
                    }
                }
                if let Some(group) = group("kuznyechik gamma") {
                    gammas(group, cipher, &mut data);
                }
            }
            let magma = Magma::new(&[7; 32]).on(kernel).ok();
            if let Some((group, cipher)) = group("magma gamma").zip(magma) {
                gammas(group, cipher, &mut data);
            }
        }
    }
}

/// The modes over a counter: a message in each call, under keys made before.
fn gammas<C: BlockCipher>(mut group: Group, cipher: C, data: &mut [u8]) {
    let mut counter = <C::Block as bulat_core::cipher::Block>::ZERO;
    group.line("ctr", || cipher.stream(&mut counter, Count::Whole, black_box(&mut *data).into()));
    let mut acpkm = CtrAcpkm::with(
        cipher.clone(),
        &[1; 16][..C::BLOCK / 2],
        SECTIONS[usize::from(C::BLOCK == 8)],
    )
    .expect("lengths");
    group.line("ctr-acpkm", || {
        acpkm.reset(&[1; 16][..C::BLOCK / 2]).expect("length");
        acpkm.apply_keystream(black_box(&mut *data)).expect("below the limit");
    });
    let nonce = &[1; 16][..C::BLOCK];
    let (mgm, aad) = (Mgm::with(cipher), &[2; 13]);
    let mut tag = None;
    group.line("mgm", || {
        let sealed = mgm.seal_in_place(nonce, aad, black_box(&mut *data));
        tag = Some(sealed.expect("below the limit"));
    });
    let tag = tag.expect("a run");
    // From the last sealed text, to a second buffer.
    let mut opened = vec![0; data.len()];
    group.line("mgm^-1", || {
        mgm.open_b2b(nonce, aad, black_box(data), &mut opened, &tag).expect("what was sealed");
    });
}
