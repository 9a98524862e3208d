//! The module's portable code, as Go's compiler has made it for amd64: the functions that work on keys and texts.

use super::{Task, enter};
use crate::call::Call;
use crate::domain::{Byte, ZERO, are_numbers, vars};
use crate::kinds::field::reversed;
use crate::kinds::magma::Kind;
use crate::kinds::planes::bits;
use crate::machine::Or;
use crate::program::Program;
use crate::standard::field::product;
use crate::standard::kuznyechik::Cipher;
use crate::standard::{numbers, streebog, xor};

/// The package, and its functions that are called.
pub const PACKAGE: &str = "/bindings/go/internal/pure.";
pub const FUNCTIONS: [&str; 7] = [
    "compress",
    "multiply64",
    "multiply128",
    "(*Cipher).expandKuznyechik",
    "(*Cipher).block",
    "(*Cipher).mapKuznyechik",
    "(*Cipher).blockMagma",
];

/// The places of fields in `Cipher` of bindings/go/internal/pure/cipher.go: round keys, their planes, words of a key,
/// polynomials.
const KEYS: usize = 56;
const PLANES: usize = 216;
const WORDS: usize = 376;
const ANF: usize = 408;
const SIZE: usize = 472;

/// A class without a comparison of its results.
const NOT_COMPARED: &str = "one block, its branches and addresses only";

/// Calls a function of the package on a large stack, with the package's variables as they begin, and compares its results.
fn go(c: &mut Call, first: usize, arguments: &[u64]) -> Or<()> {
    if let Some((at, bytes)) = c.m.p.variables() {
        c.m.region("variables", at, bytes.iter().map(|b| Some(Byte::new(*b))).collect(), false);
    }
    enter(c, first, arguments, 0x5_0000)?;
    c.compare()
}

pub fn tasks(p: &Program, all: &mut Vec<Task>) {
    let find =
        |name: &str| p.functions.iter().position(|f| f.path.ends_with(&format!("{PACKAGE}{name}")));
    let mut add =
        |name: &str, class: String, call: Box<dyn Fn(&mut Call, usize) -> Or<()> + Send + Sync>| {
            if let Some(function) = find(name) {
                all.push(Task { function, class, call, asks: false });
            }
        };
    add("compress", "one block".into(), Box::new(compress));
    add("multiply64", NOT_COMPARED.into(), Box::new(|c, f| multiply(c, f, 8)));
    add("multiply128", NOT_COMPARED.into(), Box::new(|c, f| multiply(c, f, 16)));
    add(
        "(*Cipher).expandKuznyechik",
        "a key".into(),
        Box::new(|c, f| {
            let key = vars(32);
            let keys = Cipher::new().keys(&key);
            let at = c.leaves("cipher", SIZE);
            c.wants("keys", at + KEYS as u64, &keys);
            c.wants("planes of the keys", at + PLANES as u64, &planes(&keys));
            let key = c.reads("key", &key, 1);
            go(c, f, &[at, key, 32, 32])
        }),
    );
    for decrypts in [false, true] {
        for (name, blocks) in [("block", 1), ("mapKuznyechik", 2)] {
            let class = format!("{blocks} blocks, decrypts {decrypts}");
            add(
                &format!("(*Cipher).{name}"),
                class,
                Box::new(move |c, f| {
                    let (cipher, keys) = (Cipher::new(), vars(160));
                    let mut data = vec![ZERO; SIZE];
                    data[KEYS..PLANES].copy_from_slice(&keys);
                    data[PLANES..WORDS].copy_from_slice(&planes(&keys));
                    let at = c.reads("cipher", &data, 0);
                    blocks_of(c, f, (at, decrypts), 16, blocks, |b| match decrypts {
                        true => cipher.decrypt(&keys, b),
                        false => cipher.encrypt(&keys, b),
                    })
                }),
            );
        }
        for old in [false, true] {
            let class = format!("1 block, old {old}, decrypts {decrypts}");
            add(
                "(*Cipher).blockMagma",
                class,
                Box::new(move |c, f| {
                    let (kind, key) = (Kind::of(old), vars(32));
                    let mut data = vec![ZERO; SIZE];
                    data[0] = Byte::new(1 + u8::from(old));
                    let all = kind.schedule_of(&key);
                    data[WORDS..ANF].copy_from_slice(&all[..32]);
                    data[ANF..].copy_from_slice(&all[160..224]);
                    let at = c.reads("cipher", &data, 0);
                    blocks_of(c, f, (at, decrypts), 8, 1, |b| kind.block(&all[..32], b, decrypts))
                }),
            );
        }
    }
}

/// Round keys as planes, four in a word: bit j of the 16 bits at 16 * b is bit b of byte j.
fn planes(keys: &[Byte]) -> Vec<Byte> {
    let of = |key: &[Byte], k: usize| bits(|t| (k / 2, key[8 * (k % 2) + t]));
    keys.chunks(16).flat_map(|key| (0..16).map(move |k| of(key, k))).collect()
}

fn blocks_of(
    c: &mut Call,
    f: usize,
    (cipher, decrypts): (u64, bool),
    block: usize,
    blocks: usize,
    of: impl Fn(&[Byte]) -> Vec<Byte>,
) -> Or<()> {
    let text = vars(block * blocks);
    let want: Vec<Byte> = text.chunks(block).flat_map(&of).collect();
    let (from, to) = c.data(blocks == 2, &text, want, [3, 5]);
    let len = text.len() as u64;
    go(c, f, &[cipher, decrypts.into(), to, len, len, from, len, len])
}

fn compress(c: &mut Call, f: usize) -> Or<()> {
    let (h, m) = (vars(64), vars(64));
    let n = numbers(&std::array::from_fn::<u8, 64, _>(|i| (i as u8).wrapping_mul(157)));
    let want = streebog::g(&n, &h, &m);
    let (n, m) = (c.reads("n", &n, 1), c.reads("block", &m, 3));
    let h = c.updates("state", &h, want, 5);
    go(c, f, &[h, n, m])
}

/// Its sums are too large to be compared as functions: they are on numbers only.
fn multiply(c: &mut Call, f: usize, n: usize) -> Or<()> {
    let (old, h, a) = (vars(n), vars(n), vars(n));
    let sum = xor(&old, &reversed(&product(&reversed(&h), &reversed(&a))?));
    let at = c.leaves("sum", n);
    old.iter().enumerate().try_for_each(|(i, b)| c.m.store(at + i as u64, &[*b]))?;
    if are_numbers() {
        c.wants("sum", at, &sum);
    }
    let (h, a, n) = (c.reads("h", &h, 1), c.reads("a", &a, 3), n as u64);
    go(c, f, &[at, n, n, h, n, n, a, n, n])
}
