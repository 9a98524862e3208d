//! The comparisons: every algorithm of the table that has sessions, with the parameters that change its
//! path through the code, each with the reference's model of it.

use bulat::Direction::{self, Decrypt, Encrypt};
use bulat::Sboxes;
use bulat::algorithm::{ALGORITHMS, Algorithm, Kind, Padding, Params, Primitive, find};
use reference::gost28147 as gost;
use reference::{kuznyechik::Kuznyechik, magma};
use reference::{modes, xts};
use testkit::Random;
use vectors::{Call, Op, Refused, Sbox, Subject};

use crate::oracle::Reference;

/// The reference's input.
pub struct Given<'a> {
    pub key: &'a [u8],
    pub iv: &'a [u8],
    pub aad: &'a [u8],
    pub text: &'a [u8],
}

/// The reference's answer; `None` where it refuses, as the library must too.
pub type Oracle = Box<dyn Fn(&Given<'_>) -> Option<Vec<u8>> + Send + Sync>;

/// How answer and library are put side by side.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Shape {
    /// The output for a shorter text is the beginning of the output for a longer text, so one answer serves
    /// all lengths that are multiples of the unit. The others are refused.
    Prefix(usize),
    /// Each text has its own output.
    Whole,
    /// As `Whole`, but the length of the associated data varies.
    Aad,
    /// The library gets the answer and must give the text back: removal of padding, opening.
    Back,
}

/// The optional parameters of a session.
#[derive(Clone, Copy, Debug)]
pub struct Set {
    pub direction: Direction,
    pub tag_len: Option<usize>,
    pub s: Option<usize>,
    pub section: Option<usize>,
    pub period: Option<usize>,
    pub padding: Padding,
    pub table: Option<magma::Sbox>,
    pub meshing: Option<bool>,
}

const PLAIN: Set = Set {
    direction: Encrypt,
    tag_len: None,
    s: None,
    section: None,
    period: None,
    padding: Padding::None,
    table: None,
    meshing: None,
};

impl Set {
    pub fn params<'a>(&self, key: &'a [u8], iv: &'a [u8], kernel: &'a str) -> Params<'a> {
        Params {
            tag_len: self.tag_len,
            s: self.s,
            section: self.section,
            period: self.period,
            padding: self.padding,
            sboxes: self.table.map(|rows| Sboxes::new(rows).expect("permutations")),
            meshing: self.meshing,
            kernel: Some(kernel),
            ..Params::new(key).iv(iv).direction(self.direction)
        }
    }
}

/// A line of the comparison.
pub struct Case {
    pub algorithm: &'static Algorithm,
    pub label: String,
    pub set: Set,
    /// Bytes of key and of IV.
    pub key: usize,
    pub iv: usize,
    pub shape: Shape,
    /// Every length of the sweep, or every 13th: for parameter sets beyond the first ones.
    pub dense: bool,
    pub oracle: Oracle,
}

struct Cases(Vec<Case>);

impl Cases {
    /// Adds a case with the model that the vectors have for the algorithm.
    fn add(&mut self, name: &str, set: Set, sizes: [usize; 2], shape: Shape) {
        let algorithm = find(name).expect("a name of the table");
        let op = match (algorithm.kind, set.direction) {
            (Kind::Hash, _) => Op::Hash,
            (Kind::Mac, _) => Op::Mac,
            (Kind::Aead, _) => Op::Seal,
            (_, Decrypt) if shape != Shape::Back => Op::Decrypt,
            _ => Op::Encrypt,
        };
        let Set { tag_len, s, section, period, padding, .. } = set;
        self.by(name, "", set, sizes, shape, move |g| {
            let data = &padded(padding, algorithm.block, g.text)[..];
            let Given { key, iv, aad, .. } = *g;
            let call = Call::new(op, algorithm.name);
            let call = Call { key, iv, aad, data, tag_len, s, section, period, ..call };
            match Reference.run(&call) {
                Err(Refused::Unsupported) => panic!("no model of {}", algorithm.name),
                answer => answer.ok(),
            }
        });
    }

    /// Adds a case with a model of its own.
    fn by(
        &mut self,
        name: &str,
        detail: &str,
        set: Set,
        [key, iv]: [usize; 2],
        shape: Shape,
        oracle: impl Fn(&Given<'_>) -> Option<Vec<u8>> + Send + Sync + 'static,
    ) {
        let shown = Set { table: None, ..set };
        let label = format!("{name} {detail}, key of {key}, IV of {iv}, {shape:?}, {shown:?}");
        let oracle = Box::new(oracle);
        let algorithm = find(name).expect("a name of the table");
        self.0.push(Case { algorithm, label, set, key, iv, shape, dense: true, oracle });
    }
}

/// Everything.
pub fn all() -> Vec<Case> {
    let mut cases = Cases(Vec::new());
    for cipher in ["kuznyechik", "magma"] {
        modes_of(cipher, &mut cases);
    }
    for direction in [Encrypt, Decrypt] {
        let set = Set { direction, ..PLAIN };
        cases.by("kuznyechik-xts", "", set, [64, 16], Shape::Whole, move |g| {
            let (data, tweak) = g.key.split_at(32);
            let transform = match direction {
                Encrypt => xts::encrypt::<Kuznyechik>,
                Decrypt => xts::decrypt::<Kuznyechik>,
            };
            transform(data, tweak, g.iv, g.text).ok()
        });
    }
    for bits in [256, 512] {
        cases.add(&format!("streebog{bits}"), PLAIN, [0, 0], Shape::Whole);
        for key in [0, 32, 64, 65, 1000] {
            cases.add(&format!("hmac-streebog{bits}"), PLAIN, [key, 0], Shape::Whole);
        }
    }
    gost94(&mut cases);
    gost28147(&mut cases);
    macs(&mut cases);
    cases.0
}

/// Text with the padding that the library adds.
fn padded(padding: Padding, n: usize, text: &[u8]) -> Vec<u8> {
    match padding {
        Padding::None => text.to_vec(),
        Padding::Procedure1 => modes::pad1(n, text),
        Padding::Procedure2 => modes::pad2(n, text),
        Padding::Procedure3 => modes::pad3(n, text),
        Padding::Pkcs7 => {
            let count = n - text.len() % n;
            [text, &vec![count as u8; count]].concat()
        }
    }
}

/// Every padding to encrypt; those that decryption removes also to decrypt.
fn paddings() -> impl Iterator<Item = (Padding, Direction, Shape)> {
    use Padding::{Pkcs7, Procedure1, Procedure2, Procedure3};
    let all = [Procedure1, Procedure2, Procedure3, Pkcs7];
    let removable = all.into_iter().filter(|padding| padding.removable());
    let back = removable.map(|padding| (padding, Decrypt, Shape::Back));
    all.map(|padding| (padding, Encrypt, Shape::Whole)).into_iter().chain(back)
}

/// The modes of Kuznyechik or Magma.
fn modes_of(cipher: &str, cases: &mut Cases) {
    let n = if cipher == "kuznyechik" { 16 } else { 8 };
    let mut add = |mode: &str, set: Set, iv: usize, shape: Shape| {
        cases.add(&format!("{cipher}-{mode}"), set, [32, iv], shape);
    };
    let (any, whole) = (Shape::Prefix(1), Shape::Prefix(n));
    // Registers of z blocks.
    for direction in [Encrypt, Decrypt] {
        let set = Set { direction, ..PLAIN };
        add("ecb", set, 0, whole);
        for z in [1, 2, 5] {
            add("cbc", set, z * n, whole);
        }
    }
    for (padding, direction, shape) in paddings() {
        let set = Set { direction, padding, ..PLAIN };
        add("ecb", set, 0, shape);
        add("cbc", set, n, shape);
    }
    // s bytes of gamma, and registers of m bytes.
    let with_s = |s| Set { s: Some(s), ..PLAIN };
    for s in [n, n - 3, 1] {
        add("ctr", with_s(s), n / 2, any);
    }
    for (z, s) in [(1, n), (1, 3), (2, n), (5, 5)] {
        add("ofb", with_s(s), z * n, any);
    }
    for (m, s) in [(n, n), (n, 1), (2 * n + 3, n), (5 * n + 1, 5), (4 * n, n)] {
        for direction in [Encrypt, Decrypt] {
            add("cfb", Set { direction, ..with_s(s) }, m, any);
        }
    }
    for (section, s) in [(n, n), (8 * n, n), (8 * n, 4), (1024, n), (4096, n)] {
        add("ctr-acpkm", Set { section: Some(section), ..with_s(s) }, n / 2, any);
    }
    let material = 32 + n; // of which T* must be a multiple
    for (section, period, tag_len) in
        [(2 * n, 2 * material, n), (n, material, n), (512, 16 * material, n / 2)]
    {
        let [section, period, tag_len] = [section, period, tag_len].map(Some);
        add("omac-acpkm", Set { section, period, tag_len, ..PLAIN }, 0, Shape::Whole);
    }
    for (direction, shape) in [(Encrypt, Shape::Whole), (Decrypt, Shape::Back)] {
        let set = Set { section: Some(8 * n), direction, ..PLAIN };
        add("ctr-acpkm-omac", set, n / 2 + 8, shape);
    }
    for tag_len in [n, 4].map(Some) {
        for (direction, shape) in
            [(Encrypt, Shape::Whole), (Encrypt, Shape::Aad), (Decrypt, Shape::Back)]
        {
            add("mgm", Set { tag_len, direction, ..PLAIN }, n, shape);
        }
    }
}

/// The MACs of the table that have no case of their own, with the longest and the shortest tag.
fn macs(cases: &mut Cases) {
    for a in ALGORITHMS.iter().filter(|a| a.kind == Kind::Mac) {
        let compared = cases.0.iter().any(|case| case.algorithm.name == a.name);
        if compared || a.primitive == Primitive::Gost28147 {
            continue;
        }
        for tag_len in [*a.tags.end(), *a.tags.start()].map(Some) {
            cases.add(a.name, Set { tag_len, ..PLAIN }, [a.key, a.iv.usual()], Shape::Whole);
        }
    }
}

/// GOST R 34.11-94 with its two sets of S-boxes and with others.
fn gost94(cases: &mut Cases) {
    for (name, detail, table) in [
        ("gost94", "", None),
        ("gost94-test", "", None),
        ("gost94", "own", Some(own_table())),
        ("gost94", "Z", Some(*magma::sbox(Sbox::Tc26Z.name()).expect("known"))),
    ] {
        let usual = if name == "gost94" { Sbox::HashCryptoPro } else { Sbox::HashTest };
        let model = table.unwrap_or_else(|| *magma::sbox(usual.name()).expect("known"));
        let set = Set { table, ..PLAIN };
        cases.by(name, detail, set, [0, 0], Shape::Whole, move |g| {
            Some(reference::gost94::hash(&model, g.text))
        });
        cases.0.last_mut().expect("it was added").dense = table.is_none();
    }
}

/// GOST 28147-89 with every known set of S-boxes and with a set of our own.
fn gost28147(cases: &mut Cases) {
    let own = own_table();
    let known = Sbox::ALL.map(|sbox| (sbox.name(), *magma::sbox(sbox.name()).expect("known")));
    for (name, table) in known.into_iter().chain([("own", own)]) {
        let first = matches!(name, "id-tc26-gost-28147-param-Z" | "own");
        let from = cases.0.len();
        for meshing in [true, false] {
            if meshing || first {
                gost28147_modes(name, table, meshing, cases);
            }
        }
        cases.0[from..].iter_mut().for_each(|case| case.dense = first);
    }
}

/// S-boxes that are no known set: kernels with a circuit for each known set need a different way.
pub fn own_table() -> magma::Sbox {
    Random::new(89).sboxes()
}

fn gost28147_modes(name: &str, table: magma::Sbox, meshing: bool, cases: &mut Cases) {
    let mesh = if meshing { gost::Meshing::CryptoPro } else { gost::Meshing::None };
    let set = Set { table: Some(table), meshing: Some(meshing), ..PLAIN };
    let (any, whole) = (Shape::Prefix(1), Shape::Prefix(8));
    cases.by("gost89-cnt", name, set, [32, 8], any, move |g| {
        gost::cnt(g.key, &table, g.iv, mesh, g.text).ok()
    });
    let imit = Set { tag_len: Some(8), ..set };
    cases.by("gost-mac", name, imit, [32, 8], Shape::Whole, move |g| {
        gost::imit(g.key, &table, g.iv, mesh, g.text, 8).ok()
    });
    for direction in [Encrypt, Decrypt] {
        let set = Set { direction, ..set };
        cases.by("gost89", name, set, [32, 8], any, move |g| {
            let model = if direction == Encrypt { gost::cfb_encrypt } else { gost::cfb_decrypt };
            model(g.key, &table, g.iv, mesh, g.text).ok()
        });
        cases.by("gost89-cbc", name, set, [32, 8], whole, move |g| {
            let model = if direction == Encrypt { gost::cbc_encrypt } else { gost::cbc_decrypt };
            model(g.key, &table, g.iv, mesh, g.text).ok()
        });
        let ecb = Set { meshing: None, ..set };
        cases.by("gost89-ecb", name, ecb, [32, 0], whole, move |g| {
            let model = if direction == Encrypt { gost::ecb_encrypt } else { gost::ecb_decrypt };
            model(g.key, &table, g.text).ok()
        });
    }
    // Padding depends on no S-box.
    for (padding, direction, shape) in paddings().filter(|_| name == "own") {
        let set = Set { padding, direction, ..set };
        cases.by("gost89-cbc", name, set, [32, 8], shape, move |g| {
            gost::cbc_encrypt(g.key, &table, g.iv, mesh, &padded(padding, 8, g.text)).ok()
        });
    }
}
