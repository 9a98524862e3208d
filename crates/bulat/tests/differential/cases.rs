//! The comparisons: every algorithm of the table that has sessions, with the parameters that change its
//! path through the code, each with the reference's model of it.

use bulat::Direction::{self, Decrypt, Encrypt};
use bulat::Sboxes;
use bulat::algorithm::{ALGORITHMS, Algorithm, Kind, Padding, Params, Primitive, find};
use reference::gost28147 as gost;
use reference::{acpkm, cms, kdf, mgm, modes, xts};
use reference::{kuznyechik::Kuznyechik, magma, magma::Gost89, magma::Magma};
use testkit::Random;
use vectors::{Call, Cipher, Op, Sbox, Subject};

use crate::oracle::Reference;

/// The reference's input.
pub struct Given<'a> {
    pub key: &'a [u8],
    pub iv: &'a [u8],
    pub aad: &'a [u8],
    pub text: &'a [u8],
}

/// The reference's answer; `Err` where it refuses, as the library must too.
pub type Oracle = Box<dyn Fn(&Given<'_>) -> Result<Vec<u8>, reference::Error> + Send + Sync>;

/// How answer and library are put side by side.
#[derive(Clone, Copy, PartialEq)]
pub enum Shape {
    /// The output for a shorter text is the beginning of the output for a longer text, so one answer serves
    /// all lengths that are multiples of the unit. The others are refused.
    Prefix(usize),
    /// Each text has its own output.
    Whole,
    /// The same, but the length of the associated data varies.
    Aad,
    /// The library gets the answer and must give the text back: removal of padding, opening.
    Back,
}

/// The optional parameters of a session.
#[derive(Clone, Copy)]
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
    fn add(
        &mut self,
        name: &str,
        detail: &str,
        set: Set,
        [key, iv]: [usize; 2],
        shape: Shape,
        oracle: impl Fn(&Given<'_>) -> Result<Vec<u8>, reference::Error> + Send + Sync + 'static,
    ) {
        let label = format!("{name} {detail}");
        let oracle = Box::new(oracle);
        let algorithm = find(name).expect("a name of the table");
        self.0.push(Case { algorithm, label, set, key, iv, shape, dense: true, oracle });
    }

    fn last(&mut self) -> &mut Case {
        self.0.last_mut().expect("one was added")
    }
}

fn keyed(cipher: Cipher, key: &[u8]) -> Box<dyn reference::Cipher> {
    match cipher {
        Cipher::Kuznyechik => Box::new(Kuznyechik::new(key).expect("32 bytes")),
        Cipher::Magma => Box::new(Magma::new(key).expect("32 bytes")),
    }
}

/// A function of a cipher type, for the cipher named by a value.
macro_rules! of {
    ($cipher:expr, $($function:ident)::+ ( $($argument:expr),* $(,)? )) => {
        match $cipher {
            Cipher::Kuznyechik => $($function)::+::<Kuznyechik>($($argument),*),
            Cipher::Magma => $($function)::+::<Magma>($($argument),*),
        }
    };
}

/// Everything.
pub fn all() -> Vec<Case> {
    let mut cases = Cases(Vec::new());
    for cipher in [Cipher::Kuznyechik, Cipher::Magma] {
        blocks(cipher, &mut cases);
        streams(cipher, &mut cases);
        sections(cipher, &mut cases);
        tags(cipher, &mut cases);
    }
    for direction in [Encrypt, Decrypt] {
        let set = Set { direction, ..PLAIN };
        let detail = format!("{direction:?}");
        cases.add("kuznyechik-xts", &detail, set, [64, 16], Shape::Whole, move |g| {
            let (data, tweak) = g.key.split_at(32);
            match direction {
                Encrypt => xts::encrypt::<Kuznyechik>(data, tweak, g.iv, g.text),
                Decrypt => xts::decrypt::<Kuznyechik>(data, tweak, g.iv, g.text),
            }
        });
    }
    hashes(&mut cases);
    gost94(&mut cases);
    gost28147(&mut cases);
    macs(&mut cases);
    cases.0
}

fn name(cipher: Cipher, mode: &str) -> String {
    format!("{}-{mode}", if cipher == Cipher::Kuznyechik { "kuznyechik" } else { "magma" })
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

/// ECB and CBC, with registers of z blocks and with every padding.
fn blocks(cipher: Cipher, cases: &mut Cases) {
    let n = cipher.block();
    for direction in [Encrypt, Decrypt] {
        let set = Set { direction, ..PLAIN };
        let ecb = move |g: &Given<'_>| match direction {
            Encrypt => modes::ecb_encrypt(&*keyed(cipher, g.key), g.text),
            Decrypt => modes::ecb_decrypt(&*keyed(cipher, g.key), g.text),
        };
        let detail = format!("{direction:?}");
        cases.add(&name(cipher, "ecb"), &detail, set, [32, 0], Shape::Prefix(n), ecb);
        for z in [1, 2, 5] {
            let cbc = move |g: &Given<'_>| match direction {
                Encrypt => modes::cbc_encrypt(&*keyed(cipher, g.key), g.iv, g.text),
                Decrypt => modes::cbc_decrypt(&*keyed(cipher, g.key), g.iv, g.text),
            };
            let detail = format!("{direction:?} z={z}");
            cases.add(&name(cipher, "cbc"), &detail, set, [32, z * n], Shape::Prefix(n), cbc);
        }
    }
    use Padding::{Pkcs7, Procedure1, Procedure2, Procedure3};
    for padding in [Procedure1, Procedure2, Procedure3, Pkcs7] {
        let ecb = move |g: &Given<'_>| {
            modes::ecb_encrypt(&*keyed(cipher, g.key), &padded(padding, n, g.text))
        };
        let cbc = move |g: &Given<'_>| {
            modes::cbc_encrypt(&*keyed(cipher, g.key), g.iv, &padded(padding, n, g.text))
        };
        for (direction, shape) in [(Encrypt, Shape::Whole), (Decrypt, Shape::Back)] {
            if direction == Decrypt && !padding.removable() {
                continue;
            }
            let (set, detail) =
                (Set { direction, padding, ..PLAIN }, format!("{direction:?} {padding:?}"));
            cases.add(&name(cipher, "ecb"), &detail, set, [32, 0], shape, ecb);
            cases.add(&name(cipher, "cbc"), &detail, set, [32, n], shape, cbc);
        }
    }
}

/// CTR, OFB and CFB, with s bytes of gamma and registers of m bytes.
fn streams(cipher: Cipher, cases: &mut Cases) {
    let n = cipher.block();
    let any = Shape::Prefix(1);
    for s in [n, n - 3, 1] {
        let (set, detail) = (Set { s: Some(s), ..PLAIN }, format!("s={s}"));
        cases.add(&name(cipher, "ctr"), &detail, set, [32, n / 2], any, move |g| {
            modes::ctr(&*keyed(cipher, g.key), g.iv, s, g.text)
        });
    }
    for (z, s) in [(1, n), (1, 3), (2, n), (5, 5)] {
        let (set, detail) = (Set { s: Some(s), ..PLAIN }, format!("z={z} s={s}"));
        cases.add(&name(cipher, "ofb"), &detail, set, [32, z * n], any, move |g| {
            modes::ofb(&*keyed(cipher, g.key), g.iv, s, g.text)
        });
    }
    for (m, s) in [(n, n), (n, 1), (2 * n + 3, n), (5 * n + 1, 5), (4 * n, n)] {
        for direction in [Encrypt, Decrypt] {
            let set = Set { s: Some(s), direction, ..PLAIN };
            let detail = format!("{direction:?} m={m} s={s}");
            cases.add(&name(cipher, "cfb"), &detail, set, [32, m], any, move |g| match direction {
                Encrypt => modes::cfb_encrypt(&*keyed(cipher, g.key), g.iv, s, g.text),
                Decrypt => modes::cfb_decrypt(&*keyed(cipher, g.key), g.iv, s, g.text),
            });
        }
    }
}

/// CTR-ACPKM, OMAC-ACPKM and the authenticated encryption of CMS.
fn sections(cipher: Cipher, cases: &mut Cases) {
    let n = cipher.block();
    for (section, s) in [(n, n), (8 * n, n), (8 * n, 4), (1024, n)] {
        let set = Set { section: Some(section), s: Some(s), ..PLAIN };
        let detail = format!("N={section} s={s}");
        let shape = Shape::Prefix(1);
        cases.add(&name(cipher, "ctr-acpkm"), &detail, set, [32, n / 2], shape, move |g| {
            of!(cipher, acpkm::ctr_acpkm(g.key, g.iv, section, s, g.text))
        });
    }
    let material = 32 + n; // of which T* must be a multiple
    for (section, period, tag_len) in
        [(2 * n, 2 * material, n), (n, material, n), (512, 16 * material, n / 2)]
    {
        let (section_, period_, tag_len_) = (Some(section), Some(period), Some(tag_len));
        let set = Set { section: section_, period: period_, tag_len: tag_len_, ..PLAIN };
        let detail = format!("N={section} T*={period} tag={tag_len}");
        cases.add(&name(cipher, "omac-acpkm"), &detail, set, [32, 0], Shape::Whole, move |g| {
            of!(cipher, acpkm::omac_acpkm(g.key, section, period, g.text, tag_len))
        });
    }
    for (direction, shape) in [(Encrypt, Shape::Whole), (Decrypt, Shape::Back)] {
        let set = Set { section: Some(8 * n), direction, ..PLAIN };
        let detail = format!("{direction:?} N={}", 8 * n);
        let sizes = [32, n / 2 + 8];
        cases.add(&name(cipher, "ctr-acpkm-omac"), &detail, set, sizes, shape, move |g| {
            of!(cipher, cms::ctr_acpkm_omac_encrypt(g.key, g.iv, 8 * n, g.text))
                .map(|(text, tag)| [text, tag].concat())
        });
    }
}

/// The MACs of the table that have no case of their own, with the longest and the shortest tag.
fn macs(cases: &mut Cases) {
    for a in ALGORITHMS.iter().filter(|a| a.kind == Kind::Mac) {
        let compared = cases.0.iter().any(|case| case.algorithm.name == a.name);
        if compared || a.primitive == Primitive::Gost28147 {
            continue;
        }
        for tag_len in [*a.tags.end(), *a.tags.start()] {
            let (set, detail) = (Set { tag_len: Some(tag_len), ..PLAIN }, format!("tag={tag_len}"));
            cases.add(a.name, &detail, set, [a.key, a.iv.usual()], Shape::Whole, move |g| {
                let tag_len = Some(tag_len);
                let call = Call {
                    key: g.key,
                    iv: g.iv,
                    data: g.text,
                    tag_len,
                    ..Call::new(Op::Mac, a.name)
                };
                Reference.run(&call).map_err(|why| panic!("{}: {why:?}", a.name))
            });
        }
    }
}

/// MGM.
fn tags(cipher: Cipher, cases: &mut Cases) {
    let n = cipher.block();
    let tags = &find(&name(cipher, "mgm")).expect("a name of the table").tags;
    for tag_len in [*tags.end(), *tags.start()] {
        for (direction, shape) in
            [(Encrypt, Shape::Whole), (Encrypt, Shape::Aad), (Decrypt, Shape::Back)]
        {
            let set = Set { tag_len: Some(tag_len), direction, ..PLAIN };
            let what = if shape == Shape::Aad { " aad" } else { "" };
            let detail = format!("{direction:?} tag={tag_len}{what}");
            cases.add(&name(cipher, "mgm"), &detail, set, [32, n], shape, move |g| {
                mgm::encrypt(&*keyed(cipher, g.key), g.iv, g.aad, g.text, tag_len)
                    .map(|(text, tag)| [text, tag].concat())
            });
        }
    }
}

fn hashes(cases: &mut Cases) {
    for (bits, hash) in [(256, kdf::Hash::Streebog256), (512, kdf::Hash::Streebog512)] {
        let name = format!("streebog{bits}");
        cases.add(&name, "", PLAIN, [0, 0], Shape::Whole, move |g| Ok(hash.hash(g.text)));
        let hmac = move |g: &Given<'_>| Ok(kdf::hmac(hash, g.key, g.text));
        for key in [0, 32, 64, 65] {
            let (name, detail) = (format!("hmac-streebog{bits}"), format!("key={key}"));
            cases.add(&name, &detail, PLAIN, [key, 0], Shape::Whole, hmac);
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
        cases.add(name, detail, set, [0, 0], Shape::Whole, move |g| {
            Ok(reference::gost94::hash(&model, g.text))
        });
        cases.last().dense = table.is_none();
    }
}

/// GOST 28147-89 with every known set of S-boxes and with a set of our own.
fn gost28147(cases: &mut Cases) {
    let own = own_table();
    let known = Sbox::ALL.map(|sbox| (sbox.name(), *magma::sbox(sbox.name()).expect("known")));
    for (set_name, table) in known.into_iter().chain([("own", own)]) {
        let first = matches!(set_name, "id-tc26-gost-28147-param-Z" | "own");
        let from = cases.0.len();
        for meshing in [true, false] {
            if meshing || first {
                gost28147_modes(set_name, table, meshing, cases);
            }
        }
        cases.0[from..].iter_mut().for_each(|case| case.dense = first);
    }
}

/// S-boxes that are no known set: kernels with a circuit for each known set need a different way.
pub fn own_table() -> magma::Sbox {
    Random::new(89).sboxes()
}

fn gost28147_modes(set_name: &str, table: magma::Sbox, meshing: bool, cases: &mut Cases) {
    let mesh = if meshing { gost::Meshing::CryptoPro } else { gost::Meshing::None };
    let set = Set { table: Some(table), meshing: Some(meshing), ..PLAIN };
    let detail = format!("{set_name} meshing={meshing}");
    let any = Shape::Prefix(1);
    cases.add("gost89-cnt", &detail, set, [32, 8], any, move |g| {
        gost::cnt(g.key, &table, g.iv, mesh, g.text)
    });
    let imit = Set { tag_len: Some(8), ..set };
    cases.add("gost-mac", &detail, imit, [32, 8], Shape::Whole, move |g| {
        gost::imit(g.key, &table, g.iv, mesh, g.text, 8)
    });
    for direction in [Encrypt, Decrypt] {
        let (set, detail) = (Set { direction, ..set }, format!("{detail} {direction:?}"));
        cases.add("gost89", &detail, set, [32, 8], any, move |g| match direction {
            Encrypt => gost::cfb_encrypt(g.key, &table, g.iv, mesh, g.text),
            Decrypt => gost::cfb_decrypt(g.key, &table, g.iv, mesh, g.text),
        });
        cases.add(
            "gost89-cbc",
            &detail,
            set,
            [32, 8],
            Shape::Prefix(8),
            move |g| match direction {
                Encrypt => gost::cbc_encrypt(g.key, &table, g.iv, mesh, g.text),
                Decrypt => gost::cbc_decrypt(g.key, &table, g.iv, mesh, g.text),
            },
        );
        let ecb = Set { meshing: None, ..set };
        cases.add("gost89-ecb", &detail, ecb, [32, 0], Shape::Prefix(8), move |g| {
            let cipher = Gost89::new(g.key, &table)?;
            match direction {
                Encrypt => modes::ecb_encrypt(&cipher, g.text),
                Decrypt => modes::ecb_decrypt(&cipher, g.text),
            }
        });
    }
}
