//! Calls of the kernels of a program of Go.
//!
//! They begin at `Set.Run` of `bindings/go/internal/native`, as Go's compiler calls it: the set in rax, the address of a
//! `Call` in rbx, the thread's `g` in r14, 0 in xmm15, room for the two arguments above the return address. A class of
//! another program becomes such a call: one message, one lane, and the form that the module has.

mod portable;

use super::{Task, Tasks, kuznyechik, magma, planes, streebog};
use crate::bytes::{bytes, number};
use crate::call::Call;
use crate::domain::ZERO;
use crate::machine::{Or, STACK, STACK_LEN, refuse};
use crate::program::{Program, THREAD};

/// The sets, as `names` of `native_amd64.go` has them; the first is number 1.
const SETS: [&str; 3] = ["gfni512", "avx2gfni", "avx2"];

/// The pointers and the numbers of a call of a work, from the arguments of the kernel's function.
type Pass = fn(&mut Call, &[u64]) -> Or<[u64; 8]>;

/// A call of a work on a set.
#[derive(Clone, Copy)]
pub struct Entry {
    pub first: usize,
    set: u64,
    work: u64,
    pass: Pass,
}

/// The registers of arguments.
const ARGUMENTS: [usize; 9] = [0, 3, 1, 7, 6, 8, 9, 10, 11];

/// Calls a function as Go's compiler does, on a stack with this many bytes more than the functions down to there need.
fn enter(c: &mut Call, first: usize, arguments: &[u64], frame: u64) -> Or<()> {
    // The stack ends where a stub's frame does: the guard, the third word, lets no larger frame pass. Nothing below may
    // be touched.
    let (top, guard) = (STACK + STACK_LEN, STACK + STACK_LEN - frame - 64);
    let known = c.m.regions.iter().find(|r| r.name == "g").map(|r| r.at);
    let g = known.unwrap_or_else(|| c.words("g", &[STACK, top, guard, guard]));
    let m = &mut c.m;
    m.begin();
    if known.is_none() {
        m.region("thread", THREAD - 8, bytes::<8>(g).map(Some).into(), false);
        m.region("room of arguments", top, vec![None; 8 * ARGUMENTS.len()], true);
    }
    ARGUMENTS.into_iter().zip(arguments).for_each(|(r, n)| m.set(r, *n));
    m.set(14, g);
    m.settle(1 << 15);
    m.vectors[15][..16].fill(ZERO);
    (m.kept, m.lowest) = (&[5, 14], guard);
    m.call(first)?;
    m.settle(1 << 15);
    if m.vectors[15][..16] == [ZERO; 16] {
        return Ok(());
    }
    refuse("xmm15 is not 0 for Go")
}

impl Entry {
    /// Calls Go's function, as Go's compiler does.
    pub fn call(self, c: &mut Call, arguments: &[u64]) -> Or<()> {
        let rest = (self.pass)(c, arguments)?;
        let words = [&[self.work][..], &rest, &[0]].concat();
        let call = c.words("call", &words);
        c.done = call + 9 * 8;
        let frame = if (16..24).contains(&self.work) { 65536 } else { 24576 };
        enter(c, self.first, &[self.set, call], frame)
    }
}

/// The program's `Set.Run`, if it is of Go.
pub fn entry(p: &Program) -> Option<usize> {
    p.functions.iter().position(|f| way(&f.path) == Some("Set.Run"))
}

/// The name of a function on the way from there to the kernels.
pub fn way(function: &str) -> Option<&str> {
    const OF_GO: [&str; 5] = ["Set.Run", "(*Call).wrong", "run", "call", "deep"];
    if ["bulat_go", "memcpy", "memmove", "memset", "bcmp"].contains(&function) {
        return Some(function);
    }
    if let Some((_, name)) = function.split_once(portable::PACKAGE) {
        return portable::FUNCTIONS.contains(&name).then_some(name);
    }
    let name = function.split_once("/bindings/go/internal/native.")?.1;
    let stub = name.strip_suffix(".abi0").map(|n| &n[..n.len().min(4)]);
    OF_GO.contains(&stub.unwrap_or(name)).then_some(name)
}

/// The numbers at an address.
fn numbers<const N: usize>(c: &mut Call, at: u64) -> Or<[u64; N]> {
    let mut out = [0; N];
    for (i, word) in out.iter_mut().enumerate() {
        match number(&c.m.load(at + 8 * i as u64, 8)?) {
            Some(n) => *word = n,
            None => return refuse("an argument hangs on data"),
        }
    }
    Ok(out)
}

fn prepare(_: &mut Call, a: &[u64]) -> Or<[u64; 8]> {
    Ok([a[1], a[0], 0, 0, 0, 0, 0, 0])
}
fn map(c: &mut Call, a: &[u64]) -> Or<[u64; 8]> {
    let [from, to, len] = numbers(c, a[2])?;
    Ok([a[0], to, from, 0, 0, len, a[1], 0])
}
fn stream(c: &mut Call, a: &[u64]) -> Or<[u64; 8]> {
    let [from, to, len] = numbers(c, a[3])?;
    Ok([a[0], to, from, a[1], 0, len, a[2], 0])
}
fn lanes(c: &mut Call, a: &[u64]) -> Or<[u64; 8]> {
    let [kind, first, second, third, schedule, state] = numbers(c, a[1])?;
    match (a[2], kind) {
        (1, 0) => Ok([schedule, 0, first, state, 0, second, a[0], 0]),
        (1, _) => Ok([schedule, second, first, state, 0, third, a[0], 0]),
        _ => refuse("more than one lane"),
    }
}
fn products(_: &mut Call, a: &[u64]) -> Or<[u64; 8]> {
    Ok([a[0], a[1], a[2], a[4], a[6], a[3], a[5], 0])
}
fn hash(c: &mut Call, a: &[u64]) -> Or<[u64; 8]> {
    let [state, message, len] = numbers(c, a[1])?;
    match (a[0], a[2]) {
        // The state of a first block is a number: 0, or 1 in each byte.
        (first @ 0..=2, 1) => Ok([state, message, 0, 0, 0, len, first, 0]),
        _ => refuse("keys of a caller, or more than one message"),
    }
}
fn mac(_: &mut Call, a: &[u64]) -> Or<[u64; 8]> {
    Ok([a[0], a[1], a[3], 0, 0, a[2], 0, 0])
}
fn boxes(_: &mut Call, a: &[u64]) -> Or<[u64; 8]> {
    Ok([a[0], a[1], 0, 0, 0, a[2], 0, 0])
}

/// The works of a cipher after its first: names, and how arguments are passed.
const CIPHER: [(&str, Pass); 6] = [
    ("prepare", prepare),
    ("map", map),
    ("stream", stream),
    ("lanes", lanes),
    ("sections", stream),
    ("products", products),
];

/// All calls to prove: each class is named by set, family and work before its own words.
pub fn tasks(p: &Program, function: usize) -> Vec<Task> {
    let first = p.functions[function].first;
    let mut all = Vec::new();
    // The rounds on planes, which Go's calls use as proved.
    let places = planes::Places::new(p);
    for (i, f) in p.functions.iter().enumerate().filter(|(_, f)| f.path.ends_with("::two")) {
        let mut tasks = Tasks { all, function: i };
        planes::tasks(
            &mut tasks,
            super::set(&super::path(&f.path).unwrap_or_default()).unwrap_or(""),
            "two",
            &places,
        );
        all = tasks.all;
    }
    portable::tasks(p, &mut all);
    for (set, k) in SETS.iter().copied().zip(1..) {
        let mut add = |family: &str, name: &str, work: u64, pass: Pass, of: &dyn Fn(&mut Tasks)| {
            let mut tasks = Tasks { all: Vec::new(), function };
            of(&mut tasks);
            let entry = Entry { first, set: k, work, pass };
            for Task { class, call, .. } in tasks.all.into_iter().filter(|t| is_go(name, &t.class))
            {
                let own = class.split(", form ").next().unwrap_or(&class);
                let class = format!("{set} {family} {name}: {own}");
                let call = Box::new(move |c: &mut Call, f: usize| {
                    c.entry = Some(entry);
                    call(c, f)
                });
                all.push(Task { function, class, call, asks: false });
            }
        };
        for (work, (name, pass)) in (8..).zip(CIPHER) {
            add("kuznyechik", name, work, pass, &|t| kuznyechik::tasks(t, set, name));
            add("magma", name, work + 8, pass, &|t| magma::tasks(t, set, name));
        }
        add("magma", "sboxes", 24, boxes, &magma::boxes);
        add("streebog", "blocks", 0, hash, &|t| streebog::tasks(t, set, "blocks", |_| None));
        add("streebog", "finish", 1, hash, &|t| streebog::tasks(t, set, "finish", |_| None));
        add("streebog", "blocks", 0, hash, &|t| streebog::beginnings(t, false));
        add("streebog", "finish", 1, hash, &|t| streebog::beginnings(t, true));
        for (name, work) in [("mac64", 25), ("mac128", 26)] {
            add("gf", name, work, mac, &|t| super::field::tasks(t, name, false));
        }
    }
    all
}

/// Returns whether a class of products has half a block.
fn halves(class: &str) -> bool {
    let bytes = class.split_once(" bytes of powers").and_then(|(n, _)| n.parse().ok());
    bytes.is_some_and(|n: usize| !n.is_multiple_of(16))
}

/// Returns whether the module has such a call: of one message or lane, and in its forms.
fn is_go(name: &str, class: &str) -> bool {
    let one = |word: &str, of: &str| !class.contains(word) || class.contains(of);
    let form = class.split(", form ").nth(1).or(class.strip_prefix("form "));
    // Magma's blocks and gamma are the same in all forms; what its sections and products leave undone is not.
    let forms: &[&str] =
        if matches!(name, "sections" | "products") { &["0"] } else { &["0", "1400"] };
    one(" lanes of ", " 1 lanes of ")
        && one(" messages", "1 messages")
        && form.is_none_or(|f| forms.contains(&f))
        && !class.contains("by words, old true")
        // The form is before the place.
        && !class.ends_with(", placed otherwise")
        // Go passes whole blocks.
        && !(name == "mac128" && halves(class))
}
