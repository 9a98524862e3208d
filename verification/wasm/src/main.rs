//! Evidence that in the web package's module no branch and no address depends on a secret: an interpreter runs it and
//! follows secrets through values and memory, bit by bit.
//!
//! `wasm-ct MODULE NAMED [WORD]`: NAMED is the module as it was linked, with the names of its functions; MODULE must have
//! its code. `bindings/web/build.sh` makes both. With a word only the cases that have it in their names.
//!
//! A finding is a condition (`if`, `br_if`, `br_table`), the address of a load or store, a place or length of a copy, the
//! index of an indirect call, an operand of a division, or a number for the caller, that depends on a secret. `select` is
//! data flow, as are shifts, products and `i8x16.swizzle`. An instruction that the modules do not have is refused by its
//! number in the specification.
//!
//! The interpreter is shown right by known answers: the module's self-test, and libbulat's result for each case. That
//! it follows secrets is shown by a second run of each case with other secrets, in which all public bits of all
//! results must be equal; and by faults planted in the module, and Argon2id, which must be found.

mod binary;
mod cases;
mod lanes;
mod machine;
mod plant;

use std::collections::{BTreeMap, BTreeSet};
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use binary::Module;
use cases::{Case, Host, Run};
use machine::{Code, Declared, Leak, Machine};

/// The values that become public, as docs/ASSURANCE.md declares them.
const DECLARED: &[Declared] = &[
    // The answer whether a tag is right.
    Declared { name: "6memory6verify", bytes: 0, conditions: 1 },
    // The answer whether a padding is right, and the length without it.
    Declared { name: "7Padding5unpad", bytes: 8, conditions: 1 },
    // The form of a key file.
    Declared { name: "6digits5forms", bytes: 0, conditions: 0 },
    // The answer whether the bytes of a key begin a container.
    Declared { name: "15bulat_container10key_begins", bytes: 0, conditions: 0 },
    // The answer whether a password has a zero byte.
    Declared { name: "5slots8has_zero", bytes: 0, conditions: 0 },
];

/// Places for each planted fault.
const PLACES: usize = 12;

/// The outcome of a run.
struct Outcome {
    machine: Machine,
    wrong: Vec<String>,
}

/// Runs a case in a new instance, on a kernel, with the first or the second secret.
fn run(machine: &Machine, kernel: Option<&str>, variant: u8, case: &Run) -> Outcome {
    let mut host = Host::new(machine, kernel, variant);
    let result = (|| {
        if let Some(kernel) = kernel {
            let name = host.text(kernel)?;
            host.call("bulat_kernel_force", &[name])?;
        }
        case(&mut host)
    })();
    if let Err(trap) = result {
        host.wrong.push(trap.to_string());
    }
    host.machine.settle();
    host.machine.trace = host.sealed.unwrap_or(host.machine.trace);
    Outcome { machine: host.machine, wrong: host.wrong }
}

/// Does the work for each number below `n`, on all processors.
fn side_by_side(n: usize, work: impl Fn(usize) + Sync) {
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, |n| n.get()) {
            scope.spawn(|| {
                loop {
                    let i = next.fetch_add(1, Ordering::Relaxed);
                    if i >= n {
                        return;
                    }
                    work(i);
                }
            });
        }
    });
}

/// The sums over all runs.
#[derive(Default)]
struct Totals {
    findings: usize,
    wrong: usize,
    forms: BTreeMap<u16, u64>,
    ran: Vec<bool>,
    selects: BTreeSet<(u32, u32)>,
}

impl Totals {
    fn add(&mut self, name: &str, outcome: &Outcome) {
        let machine = &outcome.machine;
        for ((function, at, leak), count) in &machine.found {
            self.findings += 1;
            let place = &machine.code.module.names[*function as usize];
            println!("{name}: {leak:?} by a secret, {count} times: {place} at {at:#x}");
        }
        for wrong in &outcome.wrong {
            self.wrong += 1;
            println!("{name}: {wrong}");
        }
        for (form, count) in &machine.forms {
            *self.forms.entry(*form).or_default() += count;
        }
        self.ran.resize(machine.ran.len(), false);
        self.ran.iter_mut().zip(&machine.ran).for_each(|(all, one)| *all |= one);
        self.selects.extend(&machine.selects);
    }
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [path, named, words @ ..] = &arguments[..] else {
        eprintln!("wasm-ct MODULE NAMED [WORD]");
        return ExitCode::from(2);
    };
    let read = |path| Module::read(&std::fs::read(path).expect("a readable file"));
    let (mut module, named) = (read(path), read(named));
    let differ = module.differences(&named);
    if let Some(differ) = differ {
        println!("{path} is not of the same code: {differ}");
        return ExitCode::FAILURE;
    }
    module.names = named.names;
    let code = match Code::new(module, DECLARED) {
        Ok(code) => Arc::new(code),
        Err(missing) => {
            println!("{path}: {missing}");
            return ExitCode::FAILURE;
        }
    };
    let word = words.first().map_or("", String::as_str);
    let whole = code.module.exports.contains_key("bulat_version");
    let machine = Machine::new(code.clone());
    let totals = Mutex::new(Totals::default());

    // The container runs on the kernels that the module picks, as on a page.
    let (files, mut table, mut kernels) = (cases::files(), vec![], vec![]);
    if whole {
        kernels = names(&machine);
        table = cases::table();
    }
    let mut jobs: Vec<_> = files.iter().map(|case| (case, None)).collect();
    jobs.extend(
        table.iter().flat_map(|case| kernels.iter().map(move |k| (case, Some(k.as_str())))),
    );
    // Minutes, and only by name: the other cases are compared with libbulat.
    let selftest = Case("self-test".into(), Box::new(cases::selftest));
    jobs.push((&selftest, None));
    jobs.retain(|(case, _)| match word {
        "" => case.0 != "self-test",
        word => case.0.contains(word),
    });
    side_by_side(jobs.len(), |i| {
        let (Case(name, case), kernel) = jobs[i];
        let [mut one, other] = [0, 1].map(|variant| run(&machine, kernel, variant, case));
        if one.machine.found.is_empty() && one.machine.trace != other.machine.trace {
            one.wrong.push("public bits depend on the secret".into());
        }
        let name = format!("{} {name}", kernel.unwrap_or("picked"));
        let mut totals = totals.lock().expect("no panic");
        totals.add(&name, &one);
        totals.add(&name, &other);
    });

    let control = run(&machine, None, 0, &cases::argon2id());
    let argon2 = control.machine.found.keys().filter(|(_, _, leak)| *leak == Leak::LoadAddress);
    let argon2 = argon2.count();
    let (planted, found) = planted(&machine, &jobs);

    let totals = totals.into_inner().expect("no panic");
    let (mut reached, mut instructions) = (0, 0);
    for (function, name) in code.module.names.iter().enumerate() {
        if name.contains("10bulat_core") || name.contains("5bulat") {
            let ran = &totals.ran[code.starts[function]..code.starts[function + 1]];
            reached += ran.iter().filter(|ran| **ran).count();
            instructions += ran.len();
        }
    }
    for (function, at) in &totals.selects {
        println!("selects by a secret: {} at {at:#x}", code.module.names[*function as usize]);
    }
    let run: u64 = totals.forms.values().sum();
    println!(
        "{path}: {} cases, each with two secrets: {} findings, {} wrong results; {run} instructions of {} forms; \
         {reached} of the {instructions} instructions of the library's functions; {} places select by a secret",
        jobs.len(),
        totals.findings,
        totals.wrong,
        totals.forms.len(),
        totals.selects.len(),
    );
    println!(
        "controls: {found} of {planted} planted faults found; Argon2id: {argon2} addresses found"
    );
    let good = totals.findings + totals.wrong == 0 && found == planted && planted > 0 && argon2 > 0;
    if good { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// The kernels that the module can run.
fn names(machine: &Machine) -> Vec<String> {
    let mut host = Host::new(machine, None, 0);
    let mut names = vec![];
    for i in 0..host.call("bulat_kernel_count", &[]).expect("a number") {
        let name = host.call("bulat_kernel_name", &[i]).expect("a name");
        if host.call("bulat_kernel_missing", &[name]).expect("a reason") == 0 {
            names.push(host.string(name));
        }
    }
    names
}

/// Plants each fault at several places of several cases; returns how many there were and how many were found, with no
/// finding elsewhere.
fn planted(machine: &Machine, jobs: &[(&Case, Option<&str>)]) -> (usize, usize) {
    // Spread over the cases, so that all kinds have some.
    let some: Vec<_> = jobs.iter().step_by(jobs.len().div_ceil(PLACES)).collect();
    let found = AtomicUsize::new(0);
    let count = AtomicUsize::new(0);
    side_by_side(some.len(), |i| {
        let (Case(name, case), kernel) = some[i];
        let mut recording = machine.clone();
        recording.sites = Some(BTreeMap::new());
        let clean = run(&recording, *kernel, 0, case);
        let sites = clean.machine.sites.into_iter().flatten();
        let sites: Vec<_> = sites.filter(|(_, secret)| *secret).map(|(site, _)| site).collect();
        for (n, (what, leak, bytes)) in plant::PLANTS.iter().enumerate() {
            let Some((function, at)) =
                sites.get((2 * n + 1) * sites.len() / (2 * plant::PLANTS.len()))
            else {
                continue;
            };
            let mut machine = machine.clone();
            let body = machine.code.body(*function);
            let (parameters, _) = machine.code.module.types
                [machine.code.module.functions[*function as usize] as usize];
            let bytes = plant::code(bytes, parameters + body.locals);
            machine.plant(*function, *at as usize, &bytes);
            let outcome = run(&machine, *kernel, 0, case);
            count.fetch_add(1, Ordering::Relaxed);
            let kinds: BTreeSet<_> =
                outcome.machine.found.keys().map(|(f, _, l)| (*f, *l)).collect();
            if kinds == BTreeSet::from([(*function, *leak)]) {
                found.fetch_add(1, Ordering::Relaxed);
            } else {
                let place = &machine.code.module.names[*function as usize];
                println!("{name}: {what} planted in {place} at {at:#x}: {kinds:?}");
            }
        }
    });
    (count.into_inner(), found.into_inner())
}
