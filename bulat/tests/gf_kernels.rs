//! Every kernel of MGM's multiplication against RFC 9058's own definition, bit by bit.

use bulat_core::{gf::KERNELS, kernel::Ready};

/// x ⊗ y over blocks of `n` bytes, first byte highest, reduced by x^(8n) + `low`.
fn multiply(x: &[u8], y: &[u8], low: u8) -> Vec<u8> {
    let n = x.len();
    let mut z = vec![0; n];
    for i in 0..8 * n {
        // z = z · x
        let carry = z[0] >> 7;
        for k in 0..n {
            z[k] = z[k] << 1 | z.get(k + 1).map_or(0, |next| next >> 7);
        }
        z[n - 1] ^= low * carry;
        if y[i / 8] >> (7 - i % 8) & 1 == 1 {
            z.iter_mut().zip(x).for_each(|(z, x)| *z ^= x);
        }
    }
    z
}

/// acc ⊕ Σ h_i ⊗ a_i.
fn sum(acc: &[u8], h: &[u8], a: &[u8]) -> Vec<u8> {
    let low = if acc.len() == 8 { 0x1b } else { 0x87 };
    let mut sum = acc.to_vec();
    for (h, a) in h.chunks(acc.len()).zip(a.chunks(acc.len())) {
        sum.iter_mut().zip(multiply(h, a, low)).for_each(|(s, p)| *s ^= p);
    }
    sum
}

fn check(acc: &[u8], h: &[u8], a: &[u8]) {
    let expected = sum(acc, h, a);
    for kernel in KERNELS.iter().filter_map(Ready::new) {
        match <[u8; 8]>::try_from(acc) {
            Ok(mut acc) => {
                kernel.mac64(&mut acc, h, a);
                assert_eq!(acc[..], expected, "{} {}", kernel.name(), h.len());
            }
            Err(_) => {
                let mut acc: [u8; 16] = acc.try_into().unwrap();
                kernel.mac128(&mut acc, h, a);
                assert_eq!(acc[..], expected, "{} {}", kernel.name(), h.len());
            }
        }
    }
}

#[test]
fn lengths() {
    let mut x = 1u32;
    let mut next = || {
        x = x.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (x >> 24) as u8
    };
    let data: Vec<u8> = (0..1200).map(|_| next()).collect();
    for blocks in 0..=33 {
        for size in [8, 16] {
            // Not aligned, and starting from an accumulator that is not zero.
            let len = blocks * size;
            check(&data[..size], &data[1..][..len], &data[601..][..len]);
        }
    }
}

/// Columns full of ones, single bits at the edges, and zero.
#[test]
fn edges() {
    for size in [8, 16] {
        let mut blocks = vec![vec![0xff; size], vec![0; size], vec![0x11; size], vec![0x88; size]];
        for bit in [0, 1, 3, 4, 59, 60, 63, 64, 65, 123, 124, 127] {
            if bit < 8 * size {
                let mut block = vec![0; size];
                block[size - 1 - bit / 8] = 1 << (bit % 8);
                blocks.push(block);
            }
        }
        for h in &blocks {
            for a in &blocks {
                check(&vec![0; size], h, a);
            }
        }
    }
}
