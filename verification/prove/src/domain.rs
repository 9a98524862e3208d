//! Bytes as sums of functions of one variable.
//!
//! A byte is a constant XOR functions of single variables, each a table of 256 values with 0 at 0. Equal functions
//! have equal forms, since the variables are independent; forms are kept once and named by numbers, so that
//! equality is `==`. An operation that leaves this domain needs a cut, or becomes a new unknown.

use std::cell::RefCell;
use std::hash::Hasher;
use std::ops::BitXor;

use crate::sums::{Cache, Fast, Map, Numbers, Sums};

mod variables;
pub use variables::{evaluate, junk, name, pairs, secret, shorten, shortened, terms, var, vars};

/// The number of a table.
pub type Table = u32;
/// The number of a variable.
pub type Var = u32;
/// No proof needs more functions than this.
const MOST_TABLES: usize = 3 << 19;

/// A byte: the number of its sum, above its constant.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Byte(u32);

/// The byte 0.
pub const ZERO: Byte = Byte(0);

impl Byte {
    /// A number.
    pub const fn new(n: u8) -> Self {
        Byte(n as u32)
    }
    /// The value of the byte, if it is a number.
    pub fn number(self) -> Option<u8> {
        (self.0 < 256).then_some(self.0 as u8)
    }
    /// The constant of the byte's form.
    pub fn constant(self) -> u8 {
        self.0 as u8
    }
    fn sum(self) -> usize {
        self.0 as usize >> 8
    }
    fn of(sum: usize, constant: u8) -> Self {
        assert!(sum < 1 << 24, "too many sums");
        Byte((sum as u32) << 8 | u32::from(constant))
    }
    /// A number that orders bytes, so that operands that may be exchanged are.
    pub fn raw(self) -> u32 {
        self.0
    }
    /// The byte with a different constant.
    pub fn with(self, constant: u8) -> Self {
        Byte(self.0 & !255 | u32::from(constant))
    }
}

impl BitXor for Byte {
    type Output = Byte;
    fn bitxor(self, other: Byte) -> Byte {
        let constant = (self.0 ^ other.0) as u8;
        let (a, b) = (self.sum(), other.sum());
        if a == 0 || b == 0 {
            return Byte(((a | b) as u32) << 8 | u32::from(constant));
        }
        if a == b {
            return Byte::new(constant);
        }
        with(|d| Byte::of(d.add(a, b), constant))
    }
}

/// The kinds of functions with tables that are made once.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    Mask,
    Up,
    Down,
    Fill,
    Product,
    Matrix,
    Entry,
    Difference,
    Bit,
    Parity,
    Wide,
}

/// A byte of the standard that a byte of the machine may be a linear function of.
struct Cut {
    /// The sum of the byte's form.
    form: usize,
    /// The index in the sum of a table with values that span all bytes, if there is one.
    key: Option<usize>,
    /// The name of the byte, or a different form of it.
    is: Byte,
}

struct Domain {
    scratch: Vec<(Var, Table)>,
    numbers: Option<crate::record::Random>,
    tables: Vec<[u8; 256]>,
    table_numbers: Numbers,
    added_tables: Map<(Table, Table), Table>,
    after: Map<(Table, Table), Table>,
    over: Map<(Table, Table), Option<Table>>,
    /// For each table, whether it is linear, once that was asked.
    linear: Vec<Option<bool>>,
    /// The bits that may be set in each table.
    support: Vec<u8>,
    lifted: Map<(u64, [u64; 3]), (u8, Table)>,
    /// Tables by the kinds of their functions, and numbers that say which of the kind; the commonest, or the largest number.
    made: Map<(Kind, u64), Table>,
    common: [[Table; 256]; 3],
    /// Both bytes of products of polynomials: by the images of bits, and by what.
    products: Map<([u8; 8], u8), [Table; 2]>,
    // For a single proof.
    sums: Sums,
    added: Cache,
    mapped: Cache,
    secret: Vec<bool>,
    cuts: Map<Vec<Var>, Vec<Cut>>,
    /// The forms that were named, by the name; and the names, by the form.
    forms: Map<Var, usize>,
    named: Map<usize, Byte>,
    cut: Map<u32, Byte>,
    /// Set if some of these are shorter forms.
    short: bool,
    unknown: Map<Vec<u32>, Var>,
    pairs: Map<(Var, Var), [Byte; 8]>,
}

thread_local! {
    static DOMAIN: RefCell<Domain> = RefCell::new(Domain::new());
}

fn with<T>(f: impl FnOnce(&mut Domain) -> T) -> T {
    DOMAIN.with_borrow_mut(f)
}

impl Domain {
    fn new() -> Self {
        let mut new = Domain {
            scratch: Vec::new(),
            numbers: None,
            tables: Vec::new(),
            table_numbers: Numbers::default(),
            added_tables: Map::default(),
            after: Map::default(),
            over: Map::default(),
            linear: Vec::new(),
            support: Vec::new(),
            lifted: Map::default(),
            made: Map::default(),
            common: [[Table::MAX; 256]; 3],
            products: Map::default(),
            sums: Sums::default(),
            added: Cache::default(),
            mapped: Cache::default(),
            secret: Vec::new(),
            cuts: Map::default(),
            forms: Map::default(),
            named: Map::default(),
            cut: Map::default(),
            short: false,
            unknown: Map::default(),
            pairs: Map::default(),
        };
        new.table([0; 256]);
        new.forget();
        new
    }

    fn forget(&mut self) {
        self.sums.clear();
        self.added.clear();
        self.mapped.clear();
        (self.cuts, self.forms, self.cut) = (Map::default(), Map::default(), Map::default());
        (self.unknown, self.short) = (Map::default(), false);
        (self.pairs, self.named) = (Map::default(), Map::default());
        self.secret.clear();
        self.intern(&[]);
    }

    fn table(&mut self, values: [u8; 256]) -> Table {
        let mut hash = Fast::default();
        hash.write(&values);
        let tables = &self.tables;
        let number = self.table_numbers.number(hash.finish(), |n| tables[n] == values);
        number.unwrap_or_else(|n| {
            // A fault can make functions without end, which no proof needs.
            assert!(n < MOST_TABLES, "too many functions");
            self.support.push(values.iter().fold(0, |a, b| a | b));
            self.linear.push(None);
            self.tables.push(values);
            n
        }) as Table
    }

    fn made(&mut self, kind: Kind, which: u64, f: impl Fn(u8) -> u8) -> Table {
        if let (Kind::Mask | Kind::Up | Kind::Down, 0..256) = (kind, which) {
            let known = self.common[kind as usize][which as usize];
            if known != Table::MAX {
                return known;
            }
            let t = self.table(std::array::from_fn(|x| f(x as u8)));
            self.common[kind as usize][which as usize] = t;
            return t;
        }
        self.made.get(&(kind, which)).copied().unwrap_or_else(|| {
            let t = self.table(std::array::from_fn(|x| f(x as u8)));
            self.made.insert((kind, which), t);
            t
        })
    }

    fn mask(&mut self, mask: u8) -> Table {
        self.made(Kind::Mask, mask.into(), |x| x & mask)
    }

    fn intern(&mut self, sum: &[(Var, Table)]) -> usize {
        self.sums.number(sum)
    }

    fn add_tables(&mut self, a: Table, b: Table) -> Table {
        if a == b {
            return 0;
        }
        if a == 0 || b == 0 {
            return a | b;
        }
        let key = (a.min(b), a.max(b));
        if let Some(sum) = self.added_tables.get(&key) {
            return *sum;
        }
        let (a, b) = (&self.tables[a as usize], &self.tables[b as usize]);
        let sum = std::array::from_fn(|i| a[i] ^ b[i]);
        let sum = self.table(sum);
        self.added_tables.insert(key, sum);
        sum
    }

    fn add(&mut self, a: usize, b: usize) -> usize {
        let key = (a.min(b) as u64) << 32 | a.max(b) as u64;
        if let Some(sum) = self.added.get(key) {
            return sum as usize;
        }
        let mut sum = std::mem::take(&mut self.scratch);
        let (x, y) = (self.sums.range(a), self.sums.range(b));
        let (mut i, mut j) = (x.start, y.start);
        while i < x.end && j < y.end {
            let (p, q) = (self.sums.terms[i], self.sums.terms[j]);
            if p.0 == q.0 {
                let table = self.add_tables(p.1, q.1);
                if table != 0 {
                    sum.push((p.0, table));
                }
                (i, j) = (i + 1, j + 1);
            } else if p.0 < q.0 {
                sum.push(p);
                i += 1;
            } else {
                sum.push(q);
                j += 1;
            }
        }
        sum.extend_from_slice(&self.sums.terms[i..x.end]);
        sum.extend_from_slice(&self.sums.terms[j..y.end]);
        let number = self.intern(&sum);
        sum.clear();
        self.scratch = sum;
        self.added.put(key, number as u32);
        number
    }

    /// The table `g` after the table `t`, where `g` has 0 at 0.
    fn after(&mut self, g: Table, t: Table) -> Table {
        if let Some(r) = self.after.get(&(g, t)) {
            return *r;
        }
        let (a, b) = (&self.tables[g as usize], &self.tables[t as usize]);
        let r = std::array::from_fn(|i| a[b[i] as usize]);
        let r = self.table(r);
        self.after.insert((g, t), r);
        r
    }

    fn map(&mut self, g: Table, sum: usize) -> usize {
        let key = u64::from(g) << 32 | sum as u64;
        if let Some(r) = self.mapped.get(key) {
            return r as usize;
        }
        let mut new = std::mem::take(&mut self.scratch);
        for i in self.sums.range(sum) {
            let (v, t) = self.sums.terms[i];
            let t = self.after(g, t);
            if t != 0 {
                new.push((v, t));
            }
        }
        let r = self.intern(&new);
        new.clear();
        self.scratch = new;
        self.mapped.put(key, r as u32);
        r
    }

    fn linear(&mut self, t: Table) -> bool {
        let table = &self.tables[t as usize];
        *self.linear[t as usize].get_or_insert_with(|| {
            let lowest = |x: usize| x & x.wrapping_neg();
            table[0] == 0 && (1..256).all(|x| table[x] == table[lowest(x)] ^ table[x & (x - 1)])
        })
    }

    /// The linear g with t = g(f), where the values of f span all bytes.
    fn over(&mut self, t: Table, f: Table) -> Option<Table> {
        if let Some(g) = self.over.get(&(t, f)) {
            return *g;
        }
        let g = self.linear_of([(f, t)].into_iter()).filter(|(_, whole)| *whole).map(|(g, _)| g);
        self.over.insert((t, f), g);
        g
    }

    /// The linear g with t = g(f) for each of these (f, t), and whether the values of all f span all bytes; outside of what
    /// they span it is any.
    fn linear_of(&mut self, all: impl Iterator<Item = (Table, Table)>) -> Option<(Table, bool)> {
        // Values of f by their top bits, with the values of t that belong to them.
        let mut basis = [(0u8, 0u8); 8];
        let reduce = |basis: &[(u8, u8); 8], mut x: u8, mut y: u8| {
            for (bit, (p, q)) in basis.iter().enumerate().rev() {
                if *p != 0 && x >> bit & 1 != 0 {
                    (x, y) = (x ^ p, y ^ q);
                }
            }
            (x, y)
        };
        for (f, t) in all {
            for (x, y) in self.tables[f as usize].iter().zip(&self.tables[t as usize]) {
                let (x, y) = reduce(&basis, *x, *y);
                match x.checked_ilog2() {
                    Some(bit) => basis[bit as usize] = (x, y),
                    None if y != 0 => return None,
                    None => {}
                }
            }
        }
        let whole = basis.iter().all(|(p, _)| *p != 0);
        Some((self.table(std::array::from_fn(|x| reduce(&basis, x as u8, 0).1)), whole))
    }

    fn var(&mut self, secret: bool) -> Var {
        self.secret.push(secret);
        self.secret.len() as Var - 1
    }

    fn identity(&mut self, v: Var) -> Byte {
        let identity = self.table(std::array::from_fn(|i| i as u8));
        Byte::of(self.intern(&[(v, identity)]), 0)
    }

    fn depends(&self, bytes: impl IntoIterator<Item = Byte>) -> bool {
        bytes.into_iter().any(|b| self.sums[b.sum()].iter().any(|(v, _)| self.secret[*v as usize]))
    }

    /// The unknown of an operation and its operands, at this place of its result.
    fn unknown(&mut self, operation: u64, place: u32, operands: &[Byte]) -> Byte {
        let mut key = vec![operation as u32, (operation >> 32) as u32, place];
        key.extend(operands.iter().map(|b| b.0));
        let v = match self.unknown.get(&key) {
            Some(v) => *v,
            None => {
                let secret = self.depends(operands.iter().copied());
                let v = self.var(secret);
                self.unknown.insert(key, v);
                v
            }
        };
        self.identity(v)
    }

    /// A byte of several variables as a linear function of a byte of the standard, or else as an unknown.
    fn single(&mut self, a: Byte) -> Byte {
        if self.sums[a.sum()].len() < 2 {
            return a;
        }
        if let Some(b) = self.cut.get(&(a.sum() as u32)) {
            return *b ^ Byte::new(a.constant());
        }
        let b = match self.found(a.sum()) {
            Some(b) => self.single(b),
            // Takes only those bits of the unknown that the sum may have, so that a mask of them leaves it as it is.
            None => {
                let sum = &self.sums[a.sum()];
                let bits = sum.iter().fold(0, |b, (_, t)| b | self.support[*t as usize]);
                let new = self.unknown(0, 0, &[a.with(0)]);
                let mask = self.mask(bits);
                Byte::of(self.map(mask, new.sum()), 0)
            }
        };
        self.cut.insert(a.sum() as u32, b);
        b ^ Byte::new(a.constant())
    }

    /// Notes what a sum is, which the machine's sums may be linear functions of; if no table in it spans all bytes, only at
    /// will.
    fn note(&mut self, form: usize, is: Byte, at_will: bool) {
        // A table with values that span all bytes is linear over itself.
        let sum = self.sums[form].to_vec();
        let key = sum.iter().position(|(_, t)| self.over(*t, *t).is_some());
        if key.is_some() || at_will {
            let vars = sum.iter().map(|(v, _)| *v).collect();
            let noted = self.cuts.entry(vars).or_default();
            // The first note is found first.
            if noted.iter().all(|cut| cut.form != form) {
                noted.push(Cut { form, key, is });
            }
        }
    }

    /// A sum as a linear function of a named byte.
    fn found(&mut self, sum: usize) -> Option<Byte> {
        let sum = self.sums[sum].to_vec();
        let vars: Vec<Var> = sum.iter().map(|(v, _)| *v).collect();
        let candidates = self.cuts.remove(&vars)?;
        let mut found = None;
        for cut in &candidates {
            let form = self.sums.range(cut.form);
            let g = match cut.key {
                Some(key) => {
                    let Some(g) = self.over(sum[key].1, self.sums[cut.form][key].1) else {
                        continue;
                    };
                    let same =
                        |(f, t): (usize, &(Var, Table))| self.after(g, self.sums.terms[f].1) == t.1;
                    form.zip(&sum).all(same).then_some(g)
                }
                None => {
                    let form = self.sums[cut.form].to_vec();
                    let pairs = form.iter().zip(&sum).map(|(f, t)| (f.1, t.1));
                    self.linear_of(pairs).map(|(g, _)| g)
                }
            };
            if let Some(g) = g {
                let constant = self.tables[g as usize][cut.is.constant() as usize];
                found = Some(Byte::of(self.map(g, cut.is.sum()), constant));
                break;
            }
        }
        self.cuts.insert(vars, candidates);
        found
    }
}

/// From here on variables are numbers that look random, or variables again.
pub fn numbers(seed: Option<u64>) {
    with(|d| d.numbers = seed.map(crate::record::Random));
}
/// Returns whether variables are numbers.
pub fn are_numbers() -> bool {
    with(|d| d.numbers.is_some())
}
fn number() -> Option<Byte> {
    with(|d| d.numbers.as_mut().map(|r| Byte::new(r.next() as u8)))
}
/// Lets go of the tables of earlier proofs when there are many of them. No `Table` may be kept over this.
pub fn trim() {
    with(|d| {
        if d.tables.len() > MOST_TABLES / 16 {
            *d = Domain { numbers: d.numbers.take(), ..Domain::new() };
        }
    });
}
/// Begins a new proof.
pub fn forget() {
    // A proof that panicked has not ended them.
    crate::planes::end();
    crate::bits::forget();
    crate::carries::forget();
    crate::polynomials::selections(false);
    with(Domain::forget);
}
fn new(secret: bool) -> Byte {
    number().unwrap_or_else(|| {
        with(|d| {
            let v = d.var(secret);
            d.identity(v)
        })
    })
}
/// The standard's byte before an S-box: itself if it hangs on one variable, else a new variable, which the
/// machine's bytes may be found to be functions of.
pub fn cut(form: Byte) -> Byte {
    with(|d| {
        let sum = d.sums[form.sum()].to_vec();
        if sum.len() < 2 {
            return form;
        }
        if let Some(name) = d.named.get(&form.sum()) {
            return *name ^ Byte::new(form.constant());
        }
        // A byte that differs from one named before by a linear function has its name.
        if let Some(b) = d.found(form.sum()) {
            return b ^ Byte::new(form.constant());
        }
        let secret = d.depends([form]);
        let name = d.var(secret);
        d.forms.insert(name, form.sum());
        let is = d.identity(name);
        d.note(form.sum(), is, true);
        // One name, wherever the standard or the machine has this sum.
        d.named.insert(form.sum(), is);
        d.cut.entry(form.sum() as u32).or_insert(is);
        is ^ Byte::new(form.constant())
    })
}

/// As [`cut`], of a byte that may be looked up by its halves: of a half fewer variables may be left.
pub fn cut_in_halves(form: Byte) -> Byte {
    let name = cut(form);
    if several(form) && name != form {
        for mask in [15, 0xf0] {
            let (half, is) = (masked(mask, form), masked(mask, name));
            with(|d| d.note(half.sum(), is ^ Byte::new(half.constant()), true));
        }
    }
    name
}

/// The table of a function.
pub fn table(f: impl Fn(u8) -> u8) -> Table {
    let values = std::array::from_fn(|i| f(i as u8));
    with(|d| d.table(values))
}
/// The table of a function of a kind, made once for each number.
pub fn made(kind: Kind, which: u64, f: impl Fn(u8) -> u8) -> Table {
    with(|d| d.made(kind, which, f))
}
/// The tables of both bytes of a product by a number, of the byte with these images of bits.
pub fn products(f: [u8; 8], by: u8, of: impl Fn(u8) -> u16) -> [Table; 2] {
    with(|d| {
        if let Some(known) = d.products.get(&(f, by)) {
            return *known;
        }
        let new =
            [0, 8].map(|shift| d.table(std::array::from_fn(|x| (of(x as u8) >> shift) as u8)));
        d.products.insert((f, by), new);
        new
    })
}
/// Returns whether a table is linear.
pub fn is_linear(t: Table) -> bool {
    with(|d| d.linear(t))
}
/// A linear table's function of a byte.
pub fn linear(g: Table, x: Byte) -> Byte {
    debug_assert!(is_linear(g));
    with(|d| {
        let constant = d.tables[g as usize][x.constant() as usize];
        if x.sum() == 0 { Byte::new(constant) } else { Byte::of(d.map(g, x.sum()), constant) }
    })
}
/// The sum of linear functions of bytes.
pub fn combined(parts: impl Iterator<Item = (Table, Byte)>) -> Byte {
    with(|d| {
        let (mut terms, mut constant) = (Vec::new(), 0);
        for (g, b) in parts {
            constant ^= d.tables[g as usize][b.constant() as usize];
            for i in d.sums.range(b.sum()) {
                let (v, t) = d.sums.terms[i];
                let t = d.after(g, t);
                if t != 0 {
                    terms.push((v, t));
                }
            }
        }
        terms.sort_unstable_by_key(|(v, _)| *v);
        let mut sum: Vec<(Var, Table)> = Vec::with_capacity(terms.len());
        for (v, t) in terms {
            match sum.last_mut() {
                Some(last) if last.0 == v => last.1 = d.add_tables(last.1, t),
                _ => sum.push((v, t)),
            }
        }
        sum.retain(|(_, t)| *t != 0);
        Byte::of(d.intern(&sum), constant)
    })
}
/// A byte under a mask.
pub fn masked(mask: u8, x: Byte) -> Byte {
    if let Some(n) = x.number() {
        return Byte::new(n & mask);
    }
    linear(with(|d| d.mask(mask)), x)
}
/// A byte shifted up by less than 8 bits.
pub fn shifted_up(bits: u32, x: Byte) -> Byte {
    if let Some(n) = x.number() {
        return Byte::new(n << bits);
    }
    linear(made(Kind::Up, bits.into(), |x| x << bits), x)
}
/// A byte shifted down by less than 8 bits.
pub fn shifted_down(bits: u32, x: Byte) -> Byte {
    if let Some(n) = x.number() {
        return Byte::new(n >> bits);
    }
    linear(made(Kind::Down, bits.into(), |x| x >> bits), x)
}
/// The bits that may be set.
pub fn support(x: Byte) -> u8 {
    if let Some(n) = x.number() {
        return n;
    }
    with(|d| {
        let terms = d.sums[x.sum()].iter();
        terms.fold(x.constant(), |bits, (_, t)| bits | d.support[*t as usize])
    })
}
/// Returns whether a byte is of several variables.
pub fn several(x: Byte) -> bool {
    with(|d| d.sums[x.sum()].len() > 1)
}
/// Returns whether a variable is the name of a byte of the standard.
pub fn is_name(v: Var) -> bool {
    with(|d| d.forms.contains_key(&v))
}
/// Returns whether a byte is of the variables of the byte with this name.
pub fn is_named(x: Byte, v: Var) -> bool {
    with(|d| {
        let form = d.forms.get(&v).map(|form| &d.sums[*form]);
        form.is_some_and(|form| form.iter().map(|f| f.0).eq(d.sums[x.sum()].iter().map(|t| t.0)))
    })
}
/// A byte of several variables as a function of one variable: a cut or an unknown.
pub fn single(a: Byte) -> Byte {
    if a.number().is_some() { a } else { with(|d| d.single(a)) }
}
/// An unknown that is named by an operation, a place of its result and its operands.
pub fn unknown(operation: u64, place: usize, operands: &[Byte]) -> Byte {
    with(|d| d.unknown(operation, place as u32, operands))
}

/// A function of bytes that hang on one variable; of several, the unknown named by the operation.
pub fn lift<const N: usize>(
    operation: u64,
    operands: [Byte; N],
    f: impl Fn([u8; N]) -> u8,
) -> Byte {
    let operands = operands.map(single);
    if operands.iter().all(|b| b.number().is_some()) {
        return Byte::new(f(operands.map(Byte::constant)));
    }
    with(|d| {
        let mut variable = None;
        let mut key = [u64::MAX; 3];
        for (key, b) in key.iter_mut().zip(&operands) {
            *key = b.constant().into();
            if let Some((v, t)) = d.sums[b.sum()].first().copied() {
                if variable.is_some_and(|w| w != v) {
                    return d.unknown(operation, 0, &operands);
                }
                variable = Some(v);
                *key |= u64::from(t) << 8;
            }
        }
        let v = variable.expect("one of them is no number");
        let (constant, t) = match d.lifted.get(&(operation, key)) {
            Some(r) => *r,
            None => {
                let tables = operands.map(|b| match d.sums[b.sum()].first() {
                    Some((_, t)) => d.tables[*t as usize],
                    None => [0; 256],
                });
                let value =
                    |x: usize| f(std::array::from_fn(|i| operands[i].constant() ^ tables[i][x]));
                let constant = value(0);
                let t = std::array::from_fn(|x| value(x) ^ constant);
                let r = (constant, d.table(t));
                d.lifted.insert((operation, key), r);
                r
            }
        };
        if t == 0 { Byte::new(constant) } else { Byte::of(d.intern(&[(v, t)]), constant) }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A half of a byte of several variables has its name, though it lacks some of them.
    #[test]
    fn halves_are_found() {
        forget();
        let [a, b, c] = [var(), var(), var()];
        let form = a ^ masked(0x0f, b) ^ masked(0xc0, c) ^ Byte::new(0x5a);
        let name = cut_in_halves(form);
        assert!(several(form) && !several(name));
        for mask in [255, 15, 0xf0] {
            assert_eq!(single(masked(mask, form)), masked(mask, name));
        }
        assert_eq!(single(shifted_down(4, form)), shifted_down(4, name));
        assert_ne!(single(masked(15, a ^ masked(7, b))), masked(15, name));
    }

    /// A byte without a part that may be any byte has one name, for the standard and for the machine.
    #[test]
    fn bytes_of_parts_have_one_name() {
        forget();
        let [a, b] = [var(), var()];
        let form = shifted_down(5, a) ^ shifted_up(3, b) ^ Byte::new(9);
        let name = cut_in_halves(form);
        assert_eq!(cut_in_halves(form), name);
        assert_eq!(cut(form ^ Byte::new(3)), name ^ Byte::new(3));
        assert_eq!(single(form), name);
        assert_eq!(single(masked(15, form)), masked(15, name));
        // A sum that the machine has had before keeps its variable, and has the name nowhere.
        let other = shifted_down(3, a) ^ shifted_up(5, b);
        let before = single(other);
        assert_eq!(single(other), before);
        assert_eq!(cut(other), cut(other));
    }

    /// A linear function of a half, put by the half's name, has the value of the function, for all numbers.
    #[test]
    fn halves_have_their_values() {
        let mut random = crate::record::Random(4);
        for _ in 0..200 {
            forget();
            let mut draw = || random.next() as u8;
            let all = [var(), var(), var()];
            let masks = [draw(), draw(), draw()];
            let parts = all.iter().zip(masks).map(|(v, mask)| masked(mask, *v));
            let form = parts.fold(Byte::new(draw()), |sum, part| sum ^ part);
            let name = cut_in_halves(form);
            let values = [draw(), draw(), draw()];
            let names = all.map(|v| variables::name(v).expect("a variable"));
            let known = |v: Var| names.iter().position(|name| *name == v).map(|i| values[i]);
            let value = evaluate(form, known).expect("of these three");
            // The value of the name: of the form without its constant.
            let own = variables::name(name).filter(|_| several(form));
            let named = |v: Var| {
                if own == Some(v) { Some(value ^ form.constant()) } else { known(v) }
            };
            for mask in [255, 15, 0xf0] {
                let images: [u8; 8] = std::array::from_fn(|_| draw());
                let map =
                    table(|x| (0..8).filter(|i| x >> i & 1 != 0).fold(0, |r, i| r ^ images[i]));
                let long = linear(map, masked(mask, form)) ^ Byte::new(draw());
                if let Some(short) = evaluate(single(long), named) {
                    assert_eq!(Some(short), evaluate(long, known));
                }
                assert!(evaluate(single(masked(mask, form)), named).is_some());
            }
        }
    }
}
