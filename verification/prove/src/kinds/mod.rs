//! The kinds of functions: how each is called, and on which classes of lengths.

mod apart;
mod bitslice;
mod chains;
mod field;
mod go;
mod kuznyechik;
pub mod magma;
mod planes;
mod streebog;

use std::rc::Rc;

pub use go::{Entry, entry};

use crate::call::Call;
use crate::machine::{Machine, Or};
use crate::program::Program;

/// A call to prove.
pub struct Task {
    /// The number of the function among the program's.
    pub function: usize,
    /// The class: direction, length, form.
    pub class: String,
    /// Set if the function finds that the processor was not asked before.
    pub asks: bool,
    pub call: Box<dyn Fn(&mut Call, usize) -> Or<()> + Send + Sync>,
}

/// The path of a function in the library without the crate's name, if it is in a module of kernels.
pub fn path(function: &str) -> Option<Vec<&str>> {
    const MODULES: [&str; 7] = ["gf", "gost94", "kuznyechik", "magma", "pi", "simd", "streebog"];
    if let Some(name) = go::way(function) {
        return Some(vec!["go", name]);
    }
    let path = function.trim_start_matches(['<', '&']);
    let path = path.strip_prefix("bulat::").or_else(|| path.strip_prefix("bulat_core::"))?;
    let path = path.split([' ', '<', '>', ',']).next()?;
    let parts: Vec<_> = path.split("::").filter(|p| !p.is_empty() && !p.starts_with('{')).collect();
    let module = parts.get(1)?.starts_with(|c: char| c.is_lowercase());
    let other = parts.starts_with(&["simd", "isa"]) || parts.contains(&"vartime");
    (MODULES.contains(&parts[0]) && module && !other).then_some(parts)
}

/// The sets of x86-64 and AArch64, by their words.
pub const SETS: [&str; 8] =
    ["gfni512", "avx512", "avx2gfni", "avx2", "ssse3", "neonsha3", "neon", "portable"];

/// The set that a path names.
pub fn set<'a>(path: &[&'a str]) -> Option<&'a str> {
    // Planes of integers are the kernels for any machine.
    if let ["kuznyechik" | "streebog", "bitslice", _]
    | ["kuznyechik", "bitslice", "block", "prepare"]
    | ["kuznyechik", "bitslice", "batch", "l_forward" | "l_backward"] = path
    {
        return Some("portable");
    }
    path.iter().rev().skip(1).find(|p| SETS.contains(p)).copied()
}

/// Returns whether a set is of x86-64, or of any processor.
fn of_x86(set: &str) -> bool {
    SETS[..5].contains(&set) || set == "portable"
}

/// The bytes below its own frame that a function's callers overwrite after the call, from the top of the stack: `Ready`'s calls
/// of `memory::overwrite_stack`, in crates/core/src/kernel/ready.rs.
pub fn overwritten(path: &[&str]) -> usize {
    match (path.first(), path.last()) {
        (Some(&"kuznyechik"), Some(&"prepare")) | (_, Some(&"next_keys")) => 2 << 10,
        (Some(&"kuznyechik"), Some(&"sections")) => 8 << 10,
        (_, Some(&"schedules")) => 32 << 10,
        _ => 0,
    }
}

/// The bytes of a set's vectors.
fn width(set: &str) -> usize {
    match set {
        "gfni512" | "avx512" => 64,
        "avx2" | "avx2gfni" => 32,
        _ => 16,
    }
}

/// The calls so far, and the function that gets further calls.
pub struct Tasks {
    all: Vec<Task>,
    function: usize,
}
impl Tasks {
    fn add(
        &mut self,
        class: String,
        call: impl Fn(&mut Call, usize) -> Or<()> + Send + Sync + 'static,
    ) {
        // Each second class, but for the first two; the only class of a function is for both.
        let before = self.all.iter().filter(|t| t.function == self.function).count();
        let asks = before > 2 && before % 2 == 1;
        self.all.push(Task { function: self.function, class, asks, call: Box::new(call) });
    }
}

/// All calls to prove.
pub fn tasks(p: &Program) -> Vec<Task> {
    match entry(p) {
        Some(entry) => go::tasks(p, entry),
        None => calls(p, false),
    }
}
/// Calls of all lengths up to several batches, to be run on numbers.
pub fn every(p: &Program) -> Vec<Task> {
    calls(p, true)
}

fn calls(p: &Program, every: bool) -> Vec<Task> {
    let mut tasks = Tasks { all: Vec::new(), function: 0 };
    let places = planes::Places::new(p);
    // The first instruction of a second function of the same module.
    let beside = |function: &str, name: &str| {
        let path = function.rsplit_once("::")?.0;
        let other = p.functions.iter().find(|f| f.path == format!("{path}::{name}"))?;
        Some(other.first)
    };
    for (i, f) in p.functions.iter().enumerate() {
        let Some(path) = path(&f.path) else { continue };
        let Some(name) = path.last() else { continue };
        // On AArch64 only the kernels of its vectors, and what they share, have calls.
        if set(&path) == Some("portable") && p.abi.link.is_some() {
            continue;
        }
        tasks.function = i;
        match (path[0], set(&path), every) {
            ("kuznyechik", Some(set), false) => kuznyechik::tasks(&mut tasks, set, name),
            ("kuznyechik", None, false) if path.ends_with(&["vbmi", "few"]) => {
                kuznyechik::tasks(&mut tasks, "", name);
            }
            ("kuznyechik", Some(set), true) => kuznyechik::every(&mut tasks, set, name),
            ("streebog", Some(set), false) => {
                streebog::tasks(&mut tasks, set, name, |name| beside(&f.path, name));
            }
            ("streebog", Some(_), true) => streebog::every(&mut tasks, name),
            ("magma", ..) if path.contains(&"rounds_x12") => {}
            ("magma", Some(set), false) => {
                magma::tasks(&mut tasks, set, name);
                planes::tasks(&mut tasks, set, name, &places);
            }
            ("magma", Some(set), true) => magma::every(&mut tasks, set, name),
            ("magma", None, false)
                if path.ends_with(&["schedule", "prepare"])
                    || path.ends_with(&["vbmi", "all_rounds"]) =>
            {
                magma::tasks(&mut tasks, "", name);
            }
            ("gf", set, false) => field::tasks(&mut tasks, name, set == Some("portable")),
            ("gf", _, true) => field::every(&mut tasks, name),
            _ => {}
        }
    }
    tasks.all
}

/// The choices between forms of kernels, as the program packs them: bit 31 says that they are made.
///
/// The processor has all sets, as the standard library notes it.
///
/// A call that asks finds neither, and asks for each anew: the answers are those numbers.
fn choices(call: &mut Call, forms: u32) {
    let (sets, forms) = (if call.asks { 0 } else { 255 }, 1 << 31 | forms);
    call.object("sets", "::detect::cache::CACHE", &[sets; 24]);
    let taken: u32 = if call.asks { 0 } else { forms };
    call.object("choices", "::tuning::TAKEN", &taken.to_le_bytes());
    if !call.asks {
        return;
    }
    let p = call.m.p;
    for (end, low, high) in
        [("::tuning::ask", u64::from(forms), None), ("::detect_and_initialize", !0, Some(!0))]
    {
        for f in p.functions.iter().filter(|f| f.path.ends_with(end)) {
            let answer = move |m: &mut Machine| {
                m.spoiled();
                m.set(0, low);
                high.into_iter().for_each(|high| m.set(2, high));
                Ok(())
            };
            call.m.replaced.push((f.first, Rc::new(answer)));
        }
    }
}
/// The words of an `InOut`.
fn in_out(call: &mut Call, from: u64, to: u64, len: usize) -> u64 {
    call.words("lengths", &[from, to, len as u64])
}
