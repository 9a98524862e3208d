//! S by gates, on bit planes: circuits of the S-boxes of the known parameter sets, as data, in two-input gates and in
//! three-input look-up gates.
//!
//! Box `8 * set + row`, in the order of [`crate::magma::ParamSet`] and of `constants::ROWS`; `a, b, c, d` are the
//! bits 0..3 of the nibble, then every gate is named by the next letter. The circuits were found by
//! search: of two inputs at random, 108 to 131 gates a set and the inverters; of three by a SAT solver,
//! 48 to 50 a set, and a gate for each output, which also adds the old half. The test below checks each
//! against its row on all sixteen inputs.

use crate::simd::Gates;

/// y ^ S(x) by the gates that the word has.
#[inline(always)]
pub(in crate::magma) fn sbox<G: Gates, const BOX: usize>(x: [G; 4], y: [G; 4]) -> [G; 4] {
    if G::TERNARY {
        three::<G, BOX>(x, y)
    } else {
        let s = two::<G, BOX>(x);
        core::array::from_fn(|i| y[i] ^ s[i])
    }
}

/// S(x) in two-input gates; inverters are extra.
#[rustfmt::skip]
#[inline(always)]
pub fn two<G: Gates, const BOX: usize>([a, b, c, d]: [G; 4]) -> [G; 4] {
    match BOX {
        // Test
        0 => { let e = a & d; let f = c | e; let g = b ^ f; let h = d & g; let i = c ^ h; let j = a ^ g; let k = j & !i; let l = d ^ k; let m = l & !g; let n = j ^ m; let o = a & m; let p = i ^ o; [g, l, !p, n] }
        1 => { let e = c ^ d; let f = a ^ b; let g = f & !e; let h = d & !g; let i = b ^ h; let j = d & !i; let k = f ^ j; let l = c ^ f; let m = k & !l; let n = d ^ m; let o = i & !a; let p = n | o; let q = l ^ p; [k, i, !q, !n] }
        2 => { let e = b & !a; let f = c ^ e; let g = a ^ f; let h = b ^ g; let i = d ^ f; let j = h & i; let k = g ^ j; let l = f & k; let m = i ^ l; let n = k & !f; let o = m & !n; let p = h ^ o; [!k, f, !p, !m] }
        3 => { let e = a ^ c; let f = a & c; let g = d & !f; let h = b ^ e; let i = b & !c; let j = a & h; let k = g ^ j; let l = i ^ k; let m = b ^ j; let n = d | m; let o = h ^ n; let p = l & !e; let q = a ^ p; let r = o ^ q; let s = o | p; let t = m ^ s; [r, !t, !l, !o] }
        4 => { let e = a ^ c; let f = e & !d; let g = b ^ f; let h = a & c; let i = d & !a; let j = b & !i; let k = h | j; let l = d ^ j; let m = g ^ l; let n = c ^ m; let o = a | g; let p = l ^ o; [!p, !k, g, n] }
        5 => { let e = a ^ c; let f = c & e; let g = b ^ f; let h = d | g; let i = e ^ h; let j = g & !f; let k = e & !i; let l = j ^ k; let m = e & !l; let n = c ^ d; let o = m ^ n; let p = a & h; let q = m ^ p; let r = b ^ q; [o, r, i, !l] }
        6 => { let e = b ^ d; let f = a ^ d; let g = c ^ e; let h = f & g; let i = b ^ h; let j = a & d; let k = c & !j; let l = h | k; let m = i & !j; let n = a ^ g; let o = m ^ n; let p = b & !k; let q = j ^ p; let r = h | q; [!r, o, i, !l] }
        7 => { let e = a & d; let f = c | e; let g = b ^ d; let h = a | d; let i = g & h; let j = f ^ i; let k = g & !a; let l = c & !k; let m = h ^ l; let n = c ^ e; let o = g | m; let p = n ^ o; let q = j | p; let r = m | q; let s = a ^ r; [s, m, !j, !p] }
        // CryptoPro-A
        8 => { let e = a & !d; let f = b ^ d; let g = a ^ f; let h = b | g; let i = h & !c; let j = e | i; let k = f ^ j; let l = a | b; let m = c & l; let n = k ^ m; let o = c | d; let p = a | m; let q = h & p; let r = o ^ q; let s = i | k; let t = s & !r; let u = a ^ t; [!r, j, n, !u] }
        9 => { let e = b ^ d; let f = c ^ d; let g = a & f; let h = c & !g; let i = e & !h; let j = b ^ g; let k = i | j; let l = a ^ k; let m = e & l; let n = f ^ m; let o = m | n; let p = j ^ o; let q = j & !l; let r = e ^ p; let s = q ^ r; [!n, !p, l, s] }
        10 => { let e = a ^ c; let f = b ^ d; let g = e & !f; let h = b ^ c; let i = g ^ h; let j = a | e; let k = a ^ b; let l = c & !f; let m = k & !l; let n = j & !m; let o = c | d; let p = k & o; let q = l | p; let r = d | i; let s = r & !q; let t = b ^ s; [q, !t, !n, !i] }
        11 => { let e = a ^ b; let f = a ^ d; let g = b ^ c; let h = f & !g; let i = e ^ h; let j = g | i; let k = b & i; let l = c ^ j; let m = a & f; let n = l ^ m; let o = k ^ n; let p = f ^ g; let q = p & !k; let r = m ^ q; let s = c & p; let t = o ^ s; let u = d ^ t; [u, !r, !i, !o] }
        12 => { let e = a & b; let f = d ^ e; let g = b ^ c; let h = g & !f; let i = b & !c; let j = a & !h; let k = i ^ j; let l = c ^ d; let m = b & !l; let n = k & !m; let o = g ^ n; let p = a ^ m; let q = f | p; let r = b ^ q; let s = h ^ q; let t = a & !l; let u = s ^ t; [!u, !o, r, !k] }
        13 => { let e = a | d; let f = b ^ e; let g = a ^ d; let h = a ^ c; let i = f & !h; let j = g ^ i; let k = d ^ f; let l = j & k; let m = h ^ l; let n = j & m; let o = k ^ n; let p = d ^ n; [!o, !m, p, j] }
        14 => { let e = c ^ d; let f = b ^ c; let g = d & !f; let h = a ^ f; let i = b & h; let j = i & !d; let k = c ^ j; let l = b & e; let m = h | l; let n = j ^ m; let o = a ^ d; let p = o & !l; let q = g | p; let r = f & !o; let s = e & !r; let t = i | s; [!t, k, n, q] }
        15 => { let e = b ^ d; let f = c & !e; let g = b & !c; let h = a & !e; let i = c ^ d; let j = h | i; let k = j & !g; let l = a | g; let m = f ^ l; let n = j ^ m; let o = a ^ g; let p = m & !o; let q = d ^ p; let r = c & !n; let s = p | r; let t = f | s; [!k, !t, n, !q] }
        // CryptoPro-B
        16 => { let e = b ^ c; let f = e & !d; let g = b & !f; let h = a ^ g; let i = e & !h; let j = d ^ i; let k = c ^ f; let l = j & !k; let m = h ^ l; let n = a | k; let o = b & !d; let p = n ^ o; let q = e ^ o; let r = m & q; let s = k ^ r; [s, j, p, !m] }
        17 => { let e = c & !d; let f = c & !b; let g = c ^ d; let h = b | c; let i = b | g; let j = i & !a; let k = h ^ j; let l = k & !a; let m = i & !e; let n = l ^ m; let o = a ^ f; let p = o & !m; let q = g ^ p; let r = a & d; let s = c | r; let t = i & s; [q, n, t, k] }
        18 => { let e = d & !a; let f = a & d; let g = b ^ f; let h = a ^ g; let i = b ^ c; let j = h & i; let k = d ^ j; let l = c | j; let m = l & !e; let n = k ^ m; let o = c & h; let p = m ^ o; let q = i | p; let r = q & !f; let s = c & !p; let t = a | s; let u = q ^ t; [n, !u, !r, !k] }
        19 => { let e = c | d; let f = b ^ c; let g = b & e; let h = b ^ e; let i = a ^ e; let j = h & i; let k = d ^ j; let l = e ^ k; let m = d | l; let n = f ^ m; let o = a & !g; let p = n | o; let q = i ^ p; let r = q & !l; let s = b ^ r; let t = n & !s; let u = i ^ t; [!q, !u, !n, k] }
        20 => { let e = b & !d; let f = d & !c; let g = a ^ c; let h = c & !d; let i = e | g; let j = h ^ i; let k = j & !b; let l = a & !b; let m = i ^ l; let n = m & !k; let o = f | n; let p = o & !b; let q = a ^ p; let r = j & !g; let s = f ^ r; let t = p | s; [q, !t, j, n] }
        21 => { let e = d & !c; let f = b ^ e; let g = a & f; let h = c ^ d; let i = g ^ h; let j = a & !h; let k = f | j; let l = d ^ k; let m = i | l; let n = f ^ i; let o = m & n; let p = a ^ o; let q = i ^ l; let r = p & q; let s = n ^ r; [s, l, i, !p] }
        22 => { let e = b & c; let f = b & !a; let g = b | c; let h = a ^ c; let i = d ^ h; let j = f | i; let k = g & j; let l = g & !a; let m = e | i; let n = l ^ m; let o = b ^ n; let p = j & !o; let q = h ^ p; let r = g ^ q; let s = n | r; let t = d ^ s; [!q, n, !t, k] }
        23 => { let e = a & !c; let f = a ^ b; let g = d ^ e; let h = b & d; let i = f | h; let j = g ^ i; let k = c ^ i; let l = j & !b; let m = k | l; let n = a ^ m; let o = g ^ h; let p = n & !o; let q = c ^ p; let r = n & !c; let s = i ^ l; let t = r ^ s; [q, j, t, n] }
        // CryptoPro-C
        24 => { let e = c | d; let f = a ^ e; let g = b & !f; let h = a & !d; let i = a | d; let j = c ^ h; let k = g | j; let l = i & k; let m = c & !f; let n = b | m; let o = j ^ n; let p = i & !a; let q = n | p; let r = m ^ q; let s = o & q; let t = d & !g; let u = s ^ t; [!r, l, u, o] }
        25 => { let e = b & d; let f = a ^ c; let g = b & f; let h = c ^ d; let i = e ^ h; let j = a & i; let k = b ^ j; let l = c | g; let m = d & !a; let n = l & !m; let o = k ^ n; let p = k & !n; let q = e | p; let r = f ^ q; let s = c | m; let t = g ^ s; let u = j ^ t; [r, o, k, u] }
        26 => { let e = a | c; let f = b ^ e; let g = e & !d; let h = b ^ c; let i = f & !g; let j = a | d; let k = f & h; let l = g ^ j; let m = k ^ l; let n = j & !h; let o = l & !n; let p = i | o; let q = b & !a; let r = i | n; let s = q ^ r; let t = b & d; let u = n | t; let v = f ^ u; let w = a ^ v; [m, s, p, !w] }
        27 => { let e = a & b; let f = c ^ e; let g = c ^ d; let h = f & g; let i = b ^ h; let j = i & !d; let k = a | j; let l = f ^ k; let m = a ^ j; let n = g | l; let o = m ^ n; let p = c ^ i; let q = k & !d; let r = p | q; let s = b ^ r; [!l, !i, s, o] }
        28 => { let e = a ^ d; let f = b & e; let g = b ^ c; let h = a ^ b; let i = c | f; let j = d & h; let k = i ^ j; let l = d & !g; let m = h | l; let n = m & !f; let o = b ^ l; let p = k | n; let q = o ^ p; let r = g ^ h; let s = o & !r; let t = d ^ s; [n, t, q, !k] }
        29 => { let e = a & !c; let f = d ^ e; let g = b | f; let h = a ^ g; let i = e ^ g; let j = c ^ d; let k = b ^ j; let l = i & k; let m = e | l; let n = i & !h; let o = b | n; let p = l ^ o; let q = j & !a; let r = l | q; let s = f ^ r; [m, h, !s, !p] }
        30 => { let e = d & !a; let f = b & !d; let g = a & d; let h = c ^ g; let i = b | h; let j = a ^ f; let k = i ^ j; let l = h & !g; let m = e ^ l; let n = j ^ m; let o = n & !f; let p = n & !c; let q = k | p; let r = a ^ q; let s = n ^ q; let t = g ^ s; let u = b ^ t; [o, !k, r, !u] }
        31 => { let e = a | b; let f = d & !a; let g = c ^ f; let h = e & !g; let i = d ^ h; let j = b ^ g; let k = e ^ i; let l = j & k; let m = c ^ l; let n = c & k; let o = j & !n; let p = a ^ o; let q = m ^ p; let r = i & !q; let s = j ^ r; [!p, !i, !s, m] }
        // CryptoPro-D
        32 => { let e = a ^ b; let f = c ^ e; let g = a & d; let h = c & d; let i = f ^ h; let j = a | i; let k = g ^ j; let l = b ^ d; let m = j & l; let n = h | m; let o = i & !b; let p = g | o; let q = c ^ p; let r = q & !n; let s = i ^ r; let t = d ^ s; [!k, !q, !n, !t] }
        33 => { let e = c | d; let f = d & !a; let g = a ^ d; let h = b & e; let i = c ^ f; let j = b ^ i; let k = c ^ g; let l = j & k; let m = d ^ l; let n = g | m; let o = h ^ n; let p = k & o; let q = j | p; let r = c ^ q; let s = o | r; let t = j ^ m; let u = s ^ t; [!u, !m, o, !r] }
        34 => { let e = b & c; let f = b | c; let g = c & !d; let h = b ^ d; let i = a ^ e; let j = h & !i; let k = c ^ j; let l = a ^ f; let m = l & !j; let n = g | m; let o = d ^ i; let p = n | o; let q = b ^ p; let r = q & !k; let s = r & !m; let t = o ^ s; [!t, k, n, q] }
        35 => { let e = c ^ d; let f = a ^ e; let g = d & !f; let h = c & !a; let i = b & !g; let j = h ^ i; let k = c & !j; let l = e & !k; let m = i ^ l; let n = b | f; let o = n & !k; let p = a ^ o; let q = j & !m; let r = n ^ q; let s = c ^ r; [!m, p, s, j] }
        36 => { let e = d & !c; let f = a ^ b; let g = b ^ e; let h = d ^ g; let i = c ^ f; let j = h | i; let k = g ^ j; let l = b | i; let m = k & l; let n = h ^ m; let o = a & l; let p = k & !h; let q = o ^ p; let r = f | p; let s = i & n; let t = r ^ s; [q, t, k, n] }
        37 => { let e = a & !d; let f = a | c; let g = a ^ f; let h = c ^ d; let i = a ^ c; let j = i & !h; let k = b | j; let l = e ^ k; let m = f & !k; let n = j | m; let o = d ^ n; let p = b ^ i; let q = d | o; let r = p ^ q; let s = b & !g; let t = h & !r; let u = s ^ t; [r, u, l, !o] }
        38 => { let e = a | c; let f = b & !d; let g = b ^ d; let h = a & !f; let i = a ^ c; let j = b & !i; let k = h ^ j; let l = e & !g; let m = d | i; let n = l ^ m; let o = n & !a; let p = i & !f; let q = o ^ p; let r = e ^ m; let s = b & !o; let t = r ^ s; [!k, !q, t, n] }
        39 => { let e = c & !d; let f = a & !e; let g = c ^ d; let h = g & !b; let i = f ^ h; let j = b | c; let k = b ^ f; let l = b & d; let m = k & !l; let n = c ^ m; let o = g & j; let p = i & !c; let q = b | p; let r = l & o; let s = q ^ r; let t = l ^ n; let u = p | t; let v = a ^ u; [!s, n, v, i] }
        // tc26-Z
        40 => { let e = b ^ c; let f = b | d; let g = a | c; let h = a ^ e; let i = b ^ d; let j = h & i; let k = a ^ j; let l = k & !d; let m = h & !l; let n = f ^ m; let o = i | m; let p = g & o; let q = h ^ p; let r = b | q; let s = l ^ r; [s, n, !p, !k] }
        41 => { let e = a ^ b; let f = c & !e; let g = e & !b; let h = f ^ g; let i = c & !b; let j = b ^ c; let k = d & !f; let l = g | j; let m = k ^ l; let n = d ^ i; let o = m | n; let p = e ^ o; let q = p & !i; let r = n | q; let s = a ^ r; [p, !s, !m, h] }
        42 => { let e = a ^ b; let f = e & !c; let g = d & !e; let h = a & !f; let i = c ^ h; let j = g | i; let k = b ^ d; let l = j & !k; let m = f ^ l; let n = c & j; let o = k & !n; let p = g ^ o; let q = c | p; let r = q & !i; let s = d ^ r; [!j, !p, s, !m] }
        43 => { let e = b | c; let f = c ^ d; let g = a ^ e; let h = b ^ d; let i = f | h; let j = i & !g; let k = c ^ j; let l = f ^ g; let m = k & !l; let n = g ^ m; let o = n & !l; let p = h ^ o; let q = n & !p; let r = l ^ q; [k, p, !n, !r] }
        44 => { let e = c & !b; let f = a ^ e; let g = d ^ e; let h = c ^ g; let i = h & !g; let j = b ^ i; let k = f & j; let l = g ^ k; let m = f & h; let n = l | m; let o = j ^ n; let p = h | o; let q = p & !a; let r = j ^ q; [!r, !o, !l, f] }
        45 => { let e = b ^ d; let f = e & !a; let g = d ^ f; let h = c ^ e; let i = g | h; let j = a ^ i; let k = g ^ j; let l = c & !k; let m = e ^ l; let n = h ^ j; let o = b & n; let p = l | o; let q = n & !c; let r = a | k; let s = q ^ r; [!p, m, !s, j] }
        46 => { let e = d & !a; let f = c ^ d; let g = a ^ b; let h = d ^ g; let i = f & !h; let j = b ^ i; let k = d ^ j; let l = c | k; let m = g ^ l; let n = f ^ g; let o = n & !e; let p = l & !o; let q = e ^ k; let r = b & !q; let s = n ^ r; [p, s, m, !j] }
        47 => { let e = a ^ d; let f = b & !e; let g = a ^ f; let h = a ^ c; let i = g & h; let j = b ^ i; let k = e & !i; let l = c | f; let m = k ^ l; let n = h | j; let o = c | k; let p = n ^ o; let q = c | j; let r = e & q; let s = g ^ r; [!m, j, p, s] }
        // GOST R 34.11-94 Test
        48 => { let e = a ^ b; let f = a ^ c; let g = d & !e; let h = a ^ g; let i = b ^ c; let j = i & !a; let k = g & !c; let l = d | j; let m = k ^ l; let n = i ^ m; let o = n & !f; let p = h ^ o; let q = b | d; let r = n ^ q; let s = p ^ r; let t = d | f; let u = e ^ t; let v = p ^ u; [m, p, !s, v] }
        49 => { let e = a ^ b; let f = b & !d; let g = e | f; let h = c & !a; let i = b & !h; let j = g ^ i; let k = c & g; let l = d | j; let m = k ^ l; let n = c & !d; let o = i ^ n; let p = h ^ o; let q = c ^ e; let r = o & q; let s = d ^ r; [j, !p, !m, !s] }
        50 => { let e = c ^ d; let f = a ^ b; let g = c | f; let h = a | d; let i = h & !b; let j = e & g; let k = i ^ j; let l = e ^ g; let m = k | l; let n = f ^ m; let o = c ^ j; let p = m ^ o; let q = b ^ p; let r = o & !k; let s = n & !r; let t = l ^ s; [!k, n, !t, q] }
        51 => { let e = b & c; let f = a & !e; let g = d ^ f; let h = b ^ g; let i = g & h; let j = c & !i; let k = a ^ j; let l = g ^ k; let m = b & !l; let n = c ^ m; let o = d | h; let p = n & o; let q = l ^ p; [!q, !k, !n, h] }
        52 => { let e = c & !a; let f = a ^ b; let g = b | c; let h = d ^ f; let i = c ^ h; let j = g & !e; let k = i & j; let l = f ^ k; let m = c & !l; let n = h | m; let o = j ^ n; let p = l | o; let q = p & !h; let r = m ^ q; let s = h | l; let t = s & !f; let u = g & !t; [u, !o, !r, l] }
        53 => { let e = a ^ b; let f = d | e; let g = b ^ d; let h = a & !d; let i = c | h; let j = g ^ i; let k = g & !b; let l = c | k; let m = a & f; let n = l ^ m; let o = j ^ m; let p = l & !o; let q = e ^ p; let r = n & !b; let s = q ^ r; let t = i ^ s; [n, j, !t, q] }
        54 => { let e = c ^ d; let f = a | e; let g = b ^ f; let h = c | g; let i = a ^ h; let j = c ^ i; let k = j & !d; let l = g ^ k; let m = a ^ k; let n = i & m; let o = d ^ n; let p = l | o; let q = j ^ p; [!o, q, !l, !i] }
        55 => { let e = a ^ d; let f = c & e; let g = a | b; let h = a & c; let i = b ^ f; let j = h | i; let k = e ^ j; let l = c ^ i; let m = d & !l; let n = k & !m; let o = c ^ n; let p = d & j; let q = g & !l; let r = p ^ q; let s = e & !m; let t = h | s; let u = r ^ t; [!u, r, o, k] }
        // GOST R 34.11-94 CryptoPro
        56 => { let e = c | d; let f = b | d; let g = a ^ f; let h = b ^ e; let i = g | h; let j = c ^ i; let k = j & !h; let l = g ^ k; let m = g | j; let n = d ^ m; let o = n & !l; let p = h ^ o; [l, !p, j, !n] }
        57 => { let e = b | c; let f = c | d; let g = b | d; let h = a ^ c; let i = h & !g; let j = c ^ i; let k = g ^ h; let l = k & !j; let m = b ^ l; let n = d ^ j; let o = n & !l; let p = e & !o; let q = f ^ m; let r = p & q; let s = h ^ r; [!p, s, !m, j] }
        58 => { let e = b ^ d; let f = d & e; let g = b & !a; let h = c | g; let i = h & !f; let j = d & !g; let k = a & !b; let l = c & !k; let m = j ^ l; let n = c ^ e; let o = n & !f; let p = k ^ o; let q = d | m; let r = q & !g; let s = n ^ r; [!s, !i, !m, p] }
        59 => { let e = c & d; let f = a ^ e; let g = b | d; let h = f ^ g; let i = f & !b; let j = c ^ i; let k = h & !j; let l = d ^ k; let m = d & !j; let n = h | m; let o = b ^ n; [l, h, !j, o] }
        60 => { let e = b ^ c; let f = d ^ e; let g = c ^ d; let h = g & !e; let i = a & d; let j = a & !h; let k = b | d; let l = k & !j; let m = c ^ l; let n = g & !j; let o = f & !m; let p = n ^ o; let q = b | i; let r = d & !m; let s = q & !r; let t = j ^ s; let u = a ^ h; let v = t & !u; let w = e ^ v; [!t, !m, !p, w] }
        61 => { let e = b ^ c; let f = a ^ d; let g = a ^ b; let h = e & g; let i = f ^ h; let j = c | g; let k = j & !i; let l = d ^ k; let m = c & !e; let n = i & !m; let o = a ^ n; let p = e & f; let q = k | p; let r = m ^ q; [!i, !r, !o, l] }
        62 => { let e = b & !a; let f = c & d; let g = a ^ b; let h = b & c; let i = f | g; let j = h ^ i; let k = c ^ d; let l = e | k; let m = i ^ l; let n = a ^ d; let o = m & !l; let p = n ^ o; let q = a ^ m; let r = g & !n; let s = q ^ r; [!j, m, !p, !s] }
        63 => { let e = c & !d; let f = b ^ e; let g = c ^ f; let h = g & !a; let i = d ^ h; let j = g & i; let k = a & !j; let l = f & !e; let m = k ^ l; let n = d & !j; let o = k | n; let p = o & !e; let q = m ^ p; let r = a ^ i; let s = f | p; let t = r ^ s; [!i, m, t, q] }
        _ => unreachable!(),
    }
}

/// y ^ S(x) in three-input gates.
#[rustfmt::skip]
#[inline(always)]
pub fn three<G: Gates, const BOX: usize>([a, b, c, d]: [G; 4], y: [G; 4]) -> [G; 4] {
    match BOX {
        // Test
        0 => { let e = d.lut::<0x28>(c, a); let f = d.lut::<0x3a>(c, b); let g = e.lut::<0x56>(c, b); let h = g.lut::<0x64>(c, a); let i = g.lut::<0x3e>(f, a); let j = i.lut::<0x54>(g, e); [y[0].lut::<0x3c>(g, c), y[1].lut::<0x96>(j, h), y[2].lut::<0x69>(i, d), y[3].lut::<0x96>(h, f)] }
        1 => { let e = d.lut::<0x78>(c, b); let f = e.lut::<0x58>(c, a); let g = f.lut::<0x5e>(d, b); let h = f.lut::<0xc4>(d, c); let i = h.lut::<0xd6>(g, a); let j = h.lut::<0x62>(g, a); [y[0].lut::<0x96>(i, f), y[1].lut::<0x96>(h, b), y[2].lut::<0x69>(j, c), y[3].lut::<0x69>(g, b)] }
        2 => { let e = c.lut::<0xb4>(b, a); let f = d.lut::<0xc4>(c, b); let g = f.lut::<0x02>(c, b); let h = f.lut::<0x42>(d, a); let i = h.lut::<0x0a>(f, d); let j = i.lut::<0x9e>(b, a); [y[0].lut::<0xe1>(h, g), y[1].lut::<0x5a>(i, e), y[2].lut::<0x69>(j, g), y[3].lut::<0x69>(i, f)] }
        3 => { let e = c.lut::<0x8e>(b, a); let f = c.lut::<0x78>(b, a); let g = d.lut::<0x98>(c, a); let h = d.lut::<0x70>(c, a); let i = f.lut::<0xb8>(d, b); let j = i.lut::<0x16>(e, b); [y[0].lut::<0x96>(i, e), y[1].lut::<0x69>(j, g), y[2].lut::<0x69>(h, e), y[3].lut::<0x69>(i, g)] }
        4 => { let e = d.lut::<0x56>(c, a); let f = e.lut::<0xca>(d, c); let g = f.lut::<0xa6>(e, b); let h = f.lut::<0x9c>(e, b); let i = g.lut::<0x6e>(e, d); let j = i.lut::<0x78>(g, a); [y[0].lut::<0x69>(j, a), y[1].lut::<0x69>(h, g), y[2].lut::<0x3c>(g, a), y[3].lut::<0x96>(i, c)] }
        5 => { let e = c.lut::<0x9e>(b, a); let f = d.lut::<0x8e>(b, a); let g = f.lut::<0xac>(c, a); let h = f.lut::<0x56>(e, c); let i = h.lut::<0xc2>(g, d); let j = i.lut::<0x86>(e, b); [y[0].lut::<0x96>(g, d), y[1].lut::<0x3c>(h, a), y[2].lut::<0x96>(i, b), y[3].lut::<0x69>(j, b)] }
        6 => { let e = d.lut::<0xb2>(c, a); let f = e.lut::<0x96>(d, b); let g = f.lut::<0xe0>(d, a); let h = g.lut::<0x16>(d, a); let i = h.lut::<0x12>(e, c); let j = i.lut::<0x06>(f, a); [y[0].lut::<0xe1>(j, h), y[1].lut::<0x96>(g, c), y[2].lut::<0x96>(h, b), y[3].lut::<0x69>(i, h)] }
        7 => { let e = c.lut::<0x60>(b, a); let f = d.lut::<0xda>(c, a); let g = d.lut::<0x76>(c, a); let h = d.lut::<0xea>(c, b); let i = h.lut::<0x6a>(g, f); let j = i.lut::<0xa6>(g, d); [y[0].lut::<0x96>(j, h), y[1].lut::<0xb4>(g, e), y[2].lut::<0x69>(j, e), y[3].lut::<0x69>(i, b)] }
        // CryptoPro-A
        8 => { let e = c.lut::<0xd6>(b, a); let f = d.lut::<0x1e>(c, a); let g = e.lut::<0xf6>(d, b); let h = f.lut::<0x8a>(c, b); let i = g.lut::<0x18>(d, a); let j = h.lut::<0xba>(d, a); [y[0].lut::<0x2d>(h, g), y[1].lut::<0x96>(i, f), y[2].lut::<0x96>(i, e), y[3].lut::<0x87>(j, g)] }
        9 => { let e = d.lut::<0x9a>(c, a); let f = e.lut::<0x7c>(b, a); let g = e.lut::<0x8e>(d, b); let h = e.lut::<0x8e>(d, c); let i = h.lut::<0x7e>(d, b); let j = h.lut::<0xe6>(f, c); [y[0].lut::<0x69>(g, c), y[1].lut::<0x69>(i, g), y[2].lut::<0x78>(j, f), y[3].lut::<0x96>(j, e)] }
        10 => { let e = d.lut::<0xb4>(c, a); let f = e.lut::<0x96>(b, a); let g = f.lut::<0xf6>(c, a); let h = f.lut::<0x5c>(e, c); let i = h.lut::<0xa6>(g, b); let j = i.lut::<0x7e>(d, a); [y[0].lut::<0x96>(h, f), y[1].lut::<0x69>(i, f), y[2].lut::<0x69>(j, h), y[3].lut::<0x69>(g, e)] }
        11 => { let e = c.lut::<0x9a>(b, a); let f = d.lut::<0x2e>(b, a); let g = d.lut::<0x12>(c, a); let h = d.lut::<0x96>(c, a); let i = h.lut::<0xa6>(f, b); let j = i.lut::<0x78>(f, e); [y[0].lut::<0x96>(i, e), y[1].lut::<0x69>(j, h), y[2].lut::<0x69>(g, f), y[3].lut::<0x69>(i, g)] }
        12 => { let e = c.lut::<0x86>(b, a); let f = e.lut::<0x68>(d, a); let g = f.lut::<0x5e>(e, b); let h = g.lut::<0x2a>(e, a); let i = g.lut::<0x16>(e, d); let j = i.lut::<0xde>(d, c); [y[0].lut::<0x69>(j, h), y[1].lut::<0x69>(g, c), y[2].lut::<0x96>(i, a), y[3].lut::<0xe1>(f, e)] }
        13 => { let e = d.lut::<0x9a>(b, a); let f = e.lut::<0x74>(c, a); let g = e.lut::<0x56>(d, b); let h = g.lut::<0xc6>(f, b); let i = g.lut::<0x56>(f, c); let j = i.lut::<0xb2>(h, d); [y[0].lut::<0x69>(j, g), y[1].lut::<0x69>(i, h), y[2].lut::<0x3c>(j, g), y[3].lut::<0x96>(i, d)] }
        14 => { let e = c.lut::<0x16>(b, a); let f = e.lut::<0xd6>(d, c); let g = f.lut::<0x98>(d, a); let h = g.lut::<0x6c>(e, b); let i = h.lut::<0xb6>(d, c); let j = h.lut::<0x08>(f, b); [y[0].lut::<0x69>(i, e), y[1].lut::<0x96>(j, c), y[2].lut::<0x3c>(h, d), y[3].lut::<0x96>(f, b)] }
        15 => { let e = d.lut::<0x7a>(c, a); let f = d.lut::<0x42>(c, a); let g = e.lut::<0x96>(b, a); let h = f.lut::<0xd4>(d, b); let i = g.lut::<0x24>(c, a); let j = h.lut::<0x42>(f, a); [y[0].lut::<0x69>(h, c), y[1].lut::<0xe1>(j, i), y[2].lut::<0x96>(j, g), y[3].lut::<0x69>(i, d)] }
        // CryptoPro-B
        16 => { let e = c.lut::<0x7a>(b, a); let f = c.lut::<0xe4>(b, a); let g = d.lut::<0x52>(b, a); let h = d.lut::<0x1c>(c, b); let i = f.lut::<0x36>(e, d); let j = g.lut::<0xbc>(d, c); [y[0].lut::<0x96>(i, g), y[1].lut::<0x96>(h, f), y[2].lut::<0x3c>(j, a), y[3].lut::<0x69>(i, f)] }
        17 => { let e = d.lut::<0x9c>(c, b); let f = e.lut::<0x58>(b, a); let g = e.lut::<0x4c>(d, a); let h = e.lut::<0xf8>(d, a); let i = f.lut::<0x42>(b, a); let j = h.lut::<0x42>(g, b); [y[0].lut::<0x96>(i, g), y[1].lut::<0x96>(j, d), y[2].lut::<0xd2>(j, h), y[3].lut::<0x96>(f, c)] }
        18 => { let e = c.lut::<0x24>(b, a); let f = d.lut::<0x7c>(c, a); let g = d.lut::<0xc8>(c, a); let h = f.lut::<0xb6>(d, b); let i = h.lut::<0x4c>(d, a); let j = i.lut::<0x12>(g, b); [y[0].lut::<0xb4>(f, e), y[1].lut::<0x69>(h, a), y[2].lut::<0x69>(j, f), y[3].lut::<0x69>(i, e)] }
        19 => { let e = d.lut::<0x56>(c, b); let f = e.lut::<0x90>(b, a); let g = e.lut::<0x0e>(c, a); let h = e.lut::<0xa8>(d, a); let i = f.lut::<0x9a>(d, c); let j = i.lut::<0x7e>(b, a); [y[0].lut::<0x69>(j, g), y[1].lut::<0x69>(j, h), y[2].lut::<0x69>(i, e), y[3].lut::<0x96>(f, d)] }
        20 => { let e = d.lut::<0x86>(b, a); let f = e.lut::<0x94>(c, a); let g = e.lut::<0xb6>(c, a); let h = e.lut::<0x0e>(c, b); let i = h.lut::<0x68>(f, d); let j = h.lut::<0xf4>(g, b); [y[0].lut::<0x96>(j, d), y[1].lut::<0x69>(f, d), y[2].lut::<0xd2>(i, g), y[3].lut::<0x96>(i, b)] }
        21 => { let e = d.lut::<0x78>(b, a); let f = d.lut::<0x48>(c, a); let g = d.lut::<0xec>(c, a); let h = d.lut::<0x2c>(c, a); let i = h.lut::<0x3e>(b, a); let j = i.lut::<0x20>(h, e); [y[0].lut::<0x96>(j, a), y[1].lut::<0x96>(i, g), y[2].lut::<0x96>(g, e), y[3].lut::<0x4b>(i, f)] }
        22 => { let e = d.lut::<0x98>(b, a); let f = d.lut::<0x9e>(c, b); let g = e.lut::<0x4e>(c, a); let h = g.lut::<0x5e>(d, c); let i = h.lut::<0x7c>(e, d); let j = i.lut::<0xe6>(f, a); let k = j.lut::<0x46>(g, d); [y[0].lut::<0x69>(i, b), y[1].lut::<0x96>(g, f), y[2].lut::<0x69>(k, b), y[3].lut::<0x96>(j, h)] }
        23 => { let e = d.lut::<0x9c>(c, b); let f = e.lut::<0x6c>(c, a); let g = e.lut::<0xe4>(d, a); let h = g.lut::<0xc6>(e, b); let i = h.lut::<0x9e>(f, d); let j = i.lut::<0x2e>(c, a); [y[0].lut::<0xd2>(j, i), y[1].lut::<0x96>(g, b), y[2].lut::<0x96>(j, f), y[3].lut::<0x96>(i, e)] }
        // CryptoPro-C
        24 => { let e = c.lut::<0x94>(b, a); let f = d.lut::<0x82>(b, a); let g = d.lut::<0xdc>(b, a); let h = g.lut::<0xbc>(c, a); let i = h.lut::<0x42>(f, d); let j = h.lut::<0xba>(g, d); [y[0].lut::<0x69>(h, c), y[1].lut::<0x96>(i, a), y[2].lut::<0x96>(j, e), y[3].lut::<0x96>(f, e)] }
        25 => { let e = d.lut::<0x68>(c, a); let f = e.lut::<0x34>(b, a); let g = f.lut::<0x06>(c, a); let h = g.lut::<0xd2>(e, b); let i = h.lut::<0x6c>(d, a); let j = i.lut::<0x42>(c, a); [y[0].lut::<0x96>(j, h), y[1].lut::<0x96>(f, c), y[2].lut::<0x96>(j, f), y[3].lut::<0x96>(i, g)] }
        26 => { let e = d.lut::<0x92>(b, a); let f = e.lut::<0xd6>(d, c); let g = f.lut::<0x64>(d, b); let h = g.lut::<0x4a>(f, c); let i = h.lut::<0x82>(b, a); let j = h.lut::<0xb6>(b, a); let k = j.lut::<0x18>(d, a); [y[0].lut::<0x96>(k, h), y[1].lut::<0x1e>(i, g), y[2].lut::<0x96>(j, e), y[3].lut::<0x69>(f, b)] }
        27 => { let e = c.lut::<0x22>(b, a); let f = c.lut::<0xd6>(b, a); let g = d.lut::<0xbc>(c, a); let h = d.lut::<0x24>(c, b); let i = g.lut::<0x8c>(b, a); let j = h.lut::<0x68>(f, d); [y[0].lut::<0x2d>(h, f), y[1].lut::<0x69>(i, h), y[2].lut::<0x96>(j, e), y[3].lut::<0x96>(j, g)] }
        28 => { let e = c.lut::<0xbe>(b, a); let f = d.lut::<0x68>(b, a); let g = d.lut::<0x8a>(c, a); let h = d.lut::<0x1a>(c, b); let i = h.lut::<0xe2>(f, c); let j = h.lut::<0x94>(f, c); [y[0].lut::<0x96>(h, g), y[1].lut::<0x96>(j, d), y[2].lut::<0xd2>(h, e), y[3].lut::<0xc3>(i, b)] }
        29 => { let e = c.lut::<0xc6>(b, a); let f = d.lut::<0x28>(b, a); let g = d.lut::<0x06>(b, a); let h = f.lut::<0x74>(c, b); let i = f.lut::<0x7e>(e, d); let j = h.lut::<0x16>(d, c); [y[0].lut::<0x96>(j, e), y[1].lut::<0x96>(i, a), y[2].lut::<0x69>(h, g), y[3].lut::<0xe1>(j, f)] }
        30 => { let e = d.lut::<0x86>(c, a); let f = d.lut::<0xb0>(c, a); let g = e.lut::<0x16>(b, a); let h = e.lut::<0x84>(d, b); let i = f.lut::<0xb4>(e, b); let j = i.lut::<0xb8>(b, a); [y[0].lut::<0x1e>(i, f), y[1].lut::<0x69>(j, d), y[2].lut::<0x96>(h, g), y[3].lut::<0x69>(g, c)] }
        31 => { let e = d.lut::<0x6c>(b, a); let f = d.lut::<0xd4>(c, b); let g = f.lut::<0x52>(d, a); let h = g.lut::<0xea>(c, b); let i = h.lut::<0x96>(e, c); let j = h.lut::<0x9e>(g, d); let k = j.lut::<0x3e>(i, b); [y[0].lut::<0x69>(j, c), y[1].lut::<0x4b>(k, i), y[2].lut::<0x69>(k, g), y[3].lut::<0x96>(i, f)] }
        // CryptoPro-D
        32 => { let e = d.lut::<0x9e>(b, a); let f = d.lut::<0x92>(c, b); let g = e.lut::<0x74>(c, b); let h = f.lut::<0x52>(e, a); let i = g.lut::<0xc6>(d, a); let j = i.lut::<0x60>(f, c); [y[0].lut::<0x69>(i, g), y[1].lut::<0x69>(f, e), y[2].lut::<0x69>(j, f), y[3].lut::<0x69>(h, c)] }
        33 => { let e = c.lut::<0xd2>(b, a); let f = d.lut::<0x18>(b, a); let g = f.lut::<0x56>(e, d); let h = g.lut::<0xc6>(e, c); let i = h.lut::<0xbc>(g, b); let j = i.lut::<0x56>(d, a); [y[0].lut::<0xc3>(g, b), y[1].lut::<0x69>(i, c), y[2].lut::<0x96>(h, f), y[3].lut::<0x69>(j, b)] }
        34 => { let e = c.lut::<0x78>(b, a); let f = d.lut::<0xac>(c, a); let g = e.lut::<0x7e>(d, a); let h = f.lut::<0xac>(c, b); let i = f.lut::<0x6e>(d, a); let j = f.lut::<0x86>(d, b); [y[0].lut::<0x69>(i, h), y[1].lut::<0x96>(j, e), y[2].lut::<0xd2>(j, g), y[3].lut::<0x96>(g, b)] }
        35 => { let e = c.lut::<0x38>(b, a); let f = c.lut::<0x68>(b, a); let g = d.lut::<0x0c>(b, a); let h = d.lut::<0x92>(c, a); let i = f.lut::<0xb6>(d, c); let j = g.lut::<0x3e>(f, b); [y[0].lut::<0x69>(j, i), y[1].lut::<0x96>(i, g), y[2].lut::<0x96>(j, h), y[3].lut::<0x96>(j, e)] }
        36 => { let e = d.lut::<0x90>(c, b); let f = d.lut::<0x1e>(c, b); let g = d.lut::<0x60>(c, b); let h = e.lut::<0x72>(b, a); let i = f.lut::<0x16>(b, a); let j = f.lut::<0x98>(b, a); let k = i.lut::<0x0e>(g, c); [y[0].lut::<0x1e>(j, e), y[1].lut::<0x96>(k, d), y[2].lut::<0x1e>(i, g), y[3].lut::<0x96>(h, f)] }
        37 => { let e = d.lut::<0xd6>(b, a); let f = d.lut::<0x68>(c, a); let g = d.lut::<0xee>(c, b); let h = d.lut::<0x52>(c, b); let i = g.lut::<0x74>(e, a); let j = i.lut::<0x90>(f, d); [y[0].lut::<0x96>(h, f), y[1].lut::<0x96>(i, d), y[2].lut::<0x78>(g, e), y[3].lut::<0x69>(j, e)] }
        38 => { let e = c.lut::<0x0c>(b, a); let f = c.lut::<0x38>(b, a); let g = c.lut::<0x42>(b, a); let h = d.lut::<0x2a>(b, a); let i = d.lut::<0x34>(c, a); let j = h.lut::<0x42>(f, d); [y[0].lut::<0x69>(h, e), y[1].lut::<0xe1>(i, g), y[2].lut::<0x1e>(j, e), y[3].lut::<0x96>(i, f)] }
        39 => { let e = d.lut::<0x8a>(b, a); let f = d.lut::<0x9e>(c, a); let g = d.lut::<0xec>(c, b); let h = e.lut::<0x2e>(d, b); let i = f.lut::<0x76>(c, b); let j = i.lut::<0x82>(d, b); [y[0].lut::<0x69>(i, g), y[1].lut::<0x96>(h, f), y[2].lut::<0x96>(i, e), y[3].lut::<0x96>(j, f)] }
        // tc26-Z
        40 => { let e = d.lut::<0x56>(b, a); let f = e.lut::<0x4a>(d, c); let g = f.lut::<0x16>(d, b); let h = g.lut::<0x8e>(c, b); let i = g.lut::<0xb2>(e, c); let j = i.lut::<0x9a>(d, a); [y[0].lut::<0x5a>(i, h), y[1].lut::<0x96>(f, b), y[2].lut::<0xc3>(i, c), y[3].lut::<0x69>(j, g)] }
        41 => { let e = c.lut::<0x42>(b, a); let f = c.lut::<0x28>(b, a); let g = e.lut::<0xf2>(d, c); let h = f.lut::<0x26>(d, b); let i = f.lut::<0xa4>(d, c); let j = h.lut::<0xd4>(g, b); [y[0].lut::<0x96>(j, a), y[1].lut::<0x69>(i, g), y[2].lut::<0x69>(h, g), y[3].lut::<0x96>(e, c)] }
        42 => { let e = c.lut::<0x56>(b, a); let f = d.lut::<0x3e>(b, a); let g = d.lut::<0x2c>(b, a); let h = d.lut::<0x2e>(c, b); let i = f.lut::<0x4a>(c, a); let j = f.lut::<0x98>(e, c); [y[0].lut::<0xe1>(j, i), y[1].lut::<0x69>(i, g), y[2].lut::<0x96>(j, h), y[3].lut::<0x69>(i, e)] }
        43 => { let e = d.lut::<0x9e>(b, a); let f = d.lut::<0x84>(c, a); let g = e.lut::<0x38>(c, a); let h = e.lut::<0x26>(c, a); let i = h.lut::<0xa4>(d, b); let j = h.lut::<0x18>(f, b); [y[0].lut::<0x96>(i, f), y[1].lut::<0x96>(i, b), y[2].lut::<0x69>(g, d), y[3].lut::<0x69>(j, e)] }
        44 => { let e = d.lut::<0x46>(c, b); let f = e.lut::<0x94>(c, a); let g = f.lut::<0x1e>(c, a); let h = f.lut::<0xa4>(d, b); let i = g.lut::<0xe8>(e, d); let j = i.lut::<0x32>(h, f); [y[0].lut::<0x69>(i, h), y[1].lut::<0x69>(h, c), y[2].lut::<0x69>(j, d), y[3].lut::<0xb4>(g, f)] }
        45 => { let e = c.lut::<0xd8>(b, a); let f = d.lut::<0xb4>(c, a); let g = d.lut::<0x98>(c, a); let h = d.lut::<0xae>(c, b); let i = d.lut::<0x24>(c, b); let j = g.lut::<0xde>(f, b); [y[0].lut::<0x69>(i, e), y[1].lut::<0x96>(h, f), y[2].lut::<0xe1>(i, g), y[3].lut::<0x96>(j, a)] }
        46 => { let e = c.lut::<0xda>(b, a); let f = d.lut::<0x7a>(c, b); let g = d.lut::<0x4e>(c, b); let h = g.lut::<0x94>(f, a); let i = h.lut::<0xe8>(d, c); let j = i.lut::<0x56>(g, b); [y[0].lut::<0x96>(h, c), y[1].lut::<0x96>(f, e), y[2].lut::<0x96>(j, a), y[3].lut::<0x69>(i, f)] }
        47 => { let e = c.lut::<0x7e>(b, a); let f = c.lut::<0x86>(b, a); let g = d.lut::<0xc0>(b, a); let h = d.lut::<0x7c>(b, a); let i = d.lut::<0x54>(c, a); let j = f.lut::<0xd6>(e, d); [y[0].lut::<0x69>(j, a), y[1].lut::<0x1e>(g, f), y[2].lut::<0x96>(i, e), y[3].lut::<0x78>(h, e)] }
        // GOST R 34.11-94 Test
        48 => { let e = c.lut::<0x96>(b, a); let f = d.lut::<0x5c>(c, a); let g = e.lut::<0x92>(d, a); let h = e.lut::<0xd0>(d, a); let i = g.lut::<0xb6>(b, a); let j = h.lut::<0x38>(d, c); [y[0].lut::<0x1e>(j, h), y[1].lut::<0x96>(i, f), y[2].lut::<0x69>(j, i), y[3].lut::<0x96>(i, b)] }
        49 => { let e = c.lut::<0x78>(b, a); let f = e.lut::<0xec>(b, a); let g = e.lut::<0xca>(d, a); let h = f.lut::<0x28>(d, c); let i = h.lut::<0xd6>(e, d); let j = i.lut::<0x1c>(c, a); [y[0].lut::<0x96>(h, g), y[1].lut::<0x69>(h, b), y[2].lut::<0x69>(j, g), y[3].lut::<0x69>(i, f)] }
        50 => { let e = d.lut::<0x9e>(b, a); let f = e.lut::<0xa6>(d, c); let g = e.lut::<0xda>(d, c); let h = g.lut::<0x96>(f, a); let i = h.lut::<0x56>(g, d); let j = i.lut::<0x62>(f, b); [y[0].lut::<0x69>(g, b), y[1].lut::<0x96>(i, e), y[2].lut::<0x69>(j, a), y[3].lut::<0x96>(i, h)] }
        51 => { let e = d.lut::<0xb4>(c, a); let f = e.lut::<0xc6>(c, b); let g = f.lut::<0x8a>(e, c); let h = g.lut::<0xc6>(b, a); let i = g.lut::<0x8c>(d, b); let j = h.lut::<0x6a>(f, e); [y[0].lut::<0xc3>(j, f), y[1].lut::<0x69>(g, a), y[2].lut::<0xc3>(f, e), y[3].lut::<0x96>(i, h)] }
        52 => { let e = d.lut::<0x68>(b, a); let f = e.lut::<0xc8>(d, c); let g = f.lut::<0x44>(b, a); let h = f.lut::<0x96>(e, c); let i = h.lut::<0xe8>(f, b); let j = i.lut::<0xe6>(h, a); [y[0].lut::<0x1e>(h, g), y[1].lut::<0x69>(j, d), y[2].lut::<0xe1>(f, e), y[3].lut::<0x96>(i, a)] }
        53 => { let e = c.lut::<0x16>(b, a); let f = d.lut::<0x3e>(c, a); let g = e.lut::<0x7c>(c, b); let h = f.lut::<0xa6>(d, a); let i = g.lut::<0x6c>(e, a); let j = i.lut::<0x16>(d, b); [y[0].lut::<0x96>(j, h), y[1].lut::<0x96>(f, b), y[2].lut::<0x69>(j, e), y[3].lut::<0xd2>(j, g)] }
        54 => { let e = d.lut::<0xde>(c, a); let f = e.lut::<0x62>(d, b); let g = e.lut::<0x0a>(d, b); let h = f.lut::<0x74>(c, a); let i = f.lut::<0xb6>(c, a); let j = i.lut::<0x36>(h, d); [y[0].lut::<0x69>(g, d), y[1].lut::<0x96>(j, c), y[2].lut::<0x69>(i, g), y[3].lut::<0xe1>(h, g)] }
        55 => { let e = d.lut::<0x9e>(c, b); let f = e.lut::<0x4a>(b, a); let g = e.lut::<0xd8>(b, a); let h = g.lut::<0x8e>(f, c); let i = g.lut::<0x46>(f, d); let j = i.lut::<0x7e>(h, e); [y[0].lut::<0x69>(h, a), y[1].lut::<0x96>(j, g), y[2].lut::<0x96>(f, c), y[3].lut::<0x96>(i, d)] }
        // GOST R 34.11-94 CryptoPro
        56 => { let e = d.lut::<0xda>(c, b); let f = e.lut::<0xd8>(c, a); let g = f.lut::<0x78>(b, a); let h = g.lut::<0x7e>(d, a); let i = h.lut::<0x78>(g, c); let j = i.lut::<0xda>(f, b); [y[0].lut::<0x78>(h, f), y[1].lut::<0x69>(j, c), y[2].lut::<0x78>(i, h), y[3].lut::<0x69>(h, d)] }
        57 => { let e = d.lut::<0xd2>(c, a); let f = e.lut::<0x9e>(b, a); let g = f.lut::<0x9e>(d, c); let h = g.lut::<0xf6>(d, a); let i = g.lut::<0xb6>(e, c); let j = i.lut::<0x68>(g, d); [y[0].lut::<0xa5>(h, g), y[1].lut::<0x96>(h, f), y[2].lut::<0x69>(j, b), y[3].lut::<0xd2>(j, i)] }
        58 => { let e = c.lut::<0xb2>(b, a); let f = c.lut::<0x58>(b, a); let g = c.lut::<0xf4>(b, a); let h = d.lut::<0x38>(b, a); let i = g.lut::<0x48>(d, b); let j = g.lut::<0x94>(f, d); [y[0].lut::<0xe1>(j, i), y[1].lut::<0x2d>(i, g), y[2].lut::<0x69>(h, f), y[3].lut::<0x96>(j, e)] }
        59 => { let e = d.lut::<0x62>(c, b); let f = e.lut::<0x60>(c, a); let g = e.lut::<0xa6>(d, a); let h = g.lut::<0xd2>(f, d); let i = h.lut::<0x9c>(c, b); let j = i.lut::<0x06>(g, e); [y[0].lut::<0x96>(j, d), y[1].lut::<0x96>(g, b), y[2].lut::<0x4b>(i, f), y[3].lut::<0x96>(h, d)] }
        60 => { let e = c.lut::<0xd0>(b, a); let f = c.lut::<0x68>(b, a); let g = d.lut::<0x9e>(b, a); let h = d.lut::<0x46>(c, b); let i = f.lut::<0x1c>(d, c); let j = i.lut::<0xec>(f, a); [y[0].lut::<0x69>(i, g), y[1].lut::<0x69>(i, h), y[2].lut::<0x69>(i, e), y[3].lut::<0x96>(j, e)] }
        61 => { let e = c.lut::<0x36>(b, a); let f = d.lut::<0x10>(b, a); let g = e.lut::<0x36>(d, a); let h = g.lut::<0x86>(e, c); let i = h.lut::<0x46>(g, c); let j = i.lut::<0x4e>(g, e); [y[0].lut::<0x69>(j, e), y[1].lut::<0x69>(j, f), y[2].lut::<0x69>(i, a), y[3].lut::<0x96>(h, d)] }
        62 => { let e = c.lut::<0xbc>(b, a); let f = c.lut::<0x68>(b, a); let g = d.lut::<0xb6>(b, a); let h = f.lut::<0xd6>(d, a); let i = h.lut::<0x68>(d, c); let j = i.lut::<0x92>(g, c); [y[0].lut::<0x69>(i, g), y[1].lut::<0x96>(j, h), y[2].lut::<0x69>(i, f), y[3].lut::<0x69>(i, e)] }
        63 => { let e = d.lut::<0x9e>(c, b); let f = e.lut::<0x9e>(d, a); let g = f.lut::<0x9a>(b, a); let h = g.lut::<0x56>(d, a); let i = h.lut::<0xa4>(e, c); let j = i.lut::<0x42>(f, d); [y[0].lut::<0x69>(h, f), y[1].lut::<0x96>(f, c), y[2].lut::<0x96>(i, b), y[3].lut::<0x96>(j, g)] }
        _ => unreachable!(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::magma::constants::ROWS;

    /// Bit i of the nibbles 0..=15, and of the rows of a box.
    const INPUT: [u64; 4] = [0xaaaa, 0xcccc, 0xf0f0, 0xff00];

    fn check<const BOX: usize>() {
        let row = ROWS[BOX / 8][BOX % 8];
        let want: [u64; 4] = core::array::from_fn(|i| {
            (0..16).map(|n| u64::from(row[n] >> i & 1) << n).fold(0, |a, b| a | b)
        });
        assert_eq!(two::<u64, BOX>(INPUT).map(|s| s & 0xffff), want, "two-input, box {BOX}");
        let y = [0x1234, 0x5678, 0x9abc, 0xdef0];
        let got = three::<u64, BOX>(INPUT, y);
        for i in 0..4 {
            assert_eq!((got[i] ^ y[i]) & 0xffff, want[i], "three-input, box {BOX}, bit {i}");
        }
    }

    /// Every circuit equals its row on all sixteen inputs.
    #[test]
    fn circuits_are_the_rows() {
        macro_rules! set {
            ($($s:literal)*) => { $(
                check::<{ 8 * $s }>(); check::<{ 8 * $s + 1 }>();
                check::<{ 8 * $s + 2 }>(); check::<{ 8 * $s + 3 }>();
                check::<{ 8 * $s + 4 }>(); check::<{ 8 * $s + 5 }>();
                check::<{ 8 * $s + 6 }>(); check::<{ 8 * $s + 7 }>();
            )* };
        }
        set!(0 1 2 3 4 5 6 7);
    }
}
