//! The kinds of functions: how each is called, and on which classes of lengths.

mod chains;
mod field;
mod kuznyechik;
mod magma;
mod planes;
mod streebog;

use crate::call::Call;
use crate::machine::Or;
use crate::program::Program;

/// A call to prove.
pub struct Task {
    /// The number of the function among the program's.
    pub function: usize,
    /// The class: direction, length, form.
    pub class: String,
    pub call: Box<dyn Fn(&mut Call, usize) -> Or<()> + Send + Sync>,
}

/// The path of a function in the library without the crate's name, if it is in a module of kernels.
pub fn path(function: &str) -> Option<Vec<&str>> {
    const MODULES: [&str; 7] = ["gf", "gost94", "kuznyechik", "magma", "pi", "simd", "streebog"];
    let path = function.trim_start_matches(['<', '&']);
    let path = path.strip_prefix("bulat::").or_else(|| path.strip_prefix("bulat_core::"))?;
    let path = path.split([' ', '<', '>', ',']).next()?;
    let parts: Vec<_> = path.split("::").filter(|p| !p.is_empty() && !p.starts_with('{')).collect();
    let module = parts.get(1)?.starts_with(|c: char| c.is_lowercase());
    let other = parts.starts_with(&["simd", "isa"]) || parts.contains(&"vartime");
    (MODULES.contains(&parts[0]) && module && !other).then_some(parts)
}

/// The sets of x86-64, by their words.
pub const SETS: [&str; 7] = ["gfni512", "avx512", "avx2gfni", "avx2", "avx", "ssse3", "portable"];

/// The set that a path names.
pub fn set<'a>(path: &[&'a str]) -> Option<&'a str> {
    // Planes of integers are the kernels for any machine.
    if let ["kuznyechik" | "streebog", "bitslice", _]
    | ["kuznyechik", "bitslice", "block", "prepare"] = path
    {
        return Some("portable");
    }
    path.iter().rev().skip(1).find(|p| SETS.contains(p)).copied()
}

/// Why a function is in no call.
pub fn left_out(path: &[&str]) -> &'static str {
    match path {
        [.., "sections" | "section_round"] => {
            "sections of CTR-ACPKM on planes: rounds under keys of eighths have no call here"
        }
        _ => "no call of it is described here",
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
        self.all.push(Task { function: self.function, class, call: Box::new(call) });
    }
}

/// All calls to prove.
pub fn tasks(p: &Program) -> Vec<Task> {
    let mut tasks = Tasks { all: Vec::new(), function: 0 };
    let places = planes::Places::new(p);
    // The first instruction of another function of the same module.
    let beside = |function: &str, name: &str| {
        let path = function.rsplit_once("::")?.0;
        let other = p.functions.iter().find(|f| f.path == format!("{path}::{name}"))?;
        Some(other.first)
    };
    for (i, f) in p.functions.iter().enumerate() {
        let Some(path) = path(&f.path) else { continue };
        let Some(name) = path.last() else { continue };
        tasks.function = i;
        match (path[0], set(&path)) {
            ("kuznyechik", Some(set)) => {
                kuznyechik::tasks(&mut tasks, set, name);
            }
            ("streebog", Some(set)) => {
                streebog::tasks(&mut tasks, set, name, |name| beside(&f.path, name));
            }
            ("magma", Some(set)) if !path.contains(&"rounds_x12") => {
                magma::tasks(&mut tasks, set, name);
                planes::tasks(&mut tasks, set, name, &places);
            }
            ("magma", None) if path.ends_with(&["schedule", "prepare"]) => {
                magma::tasks(&mut tasks, "", name);
            }
            ("gf", set) => field::tasks(&mut tasks, name, set == Some("portable")),
            _ => {}
        }
    }
    tasks.all
}

/// The choices between forms of kernels, as the program packs them: bit 31 says that they are made.
///
/// The processor has all sets, as the standard library notes it.
fn choices(call: &mut Call, forms: u32) {
    call.object("sets", "::detect::cache::CACHE", &[255; 24]);
    call.object("choices", "::tuning::TAKEN", &(1 << 31 | forms).to_le_bytes());
}
/// The words of an `InOut`.
fn in_out(call: &mut Call, from: u64, to: u64, len: usize) -> u64 {
    call.words("lengths", &[from, to, len as u64])
}
