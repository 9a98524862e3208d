//! Functions that are proved apart, so that calls of others may use what they do as proved.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Mutex;

use crate::call::Call;
use crate::domain;
use crate::machine::{Fault, Or, Replaced, refuse};

/// The most instructions of such a proof.
const MOST: usize = 5_000_000;

/// Functions that are proved, by their first instructions, with what says how; and all that their proofs have used: a fault
/// in none of it leaves them proved.
pub struct Apart<T> {
    found: Vec<(usize, T)>,
    code: BTreeSet<usize>,
    constants: BTreeSet<u64>,
}

impl<T> Apart<T> {
    pub fn new() -> Self {
        Apart { found: Vec::new(), code: BTreeSet::new(), constants: BTreeSet::new() }
    }
    /// Adds a function whose last proof was this call, of which [`Apart::saw`] has noted all proofs.
    pub fn add(&mut self, first: usize, how: T) {
        self.found.push((first, how));
    }
    /// Notes what a proof has used.
    pub fn saw(&mut self, c: &Call) {
        let seen = c.m.seen.iter().enumerate().filter(|(_, seen)| **seen);
        self.code.extend(seen.map(|(i, _)| i));
        self.constants.extend(&c.m.constants);
    }
    fn has(&self, fault: &Fault) -> bool {
        match fault {
            Fault::Flip(at, _) => self.constants.contains(at),
            Fault::Skip(i) | Fault::Number(i, _) | Fault::Code(i, _) => self.code.contains(i),
        }
    }
}

/// What was proved, by a name of the functions.
pub type Known<K, T> = Mutex<BTreeMap<K, Apart<T>>>;

/// Puts the effects of functions for the functions, which are proved first: once without faults, and again with a fault in what
/// that proof has used. On numbers the functions run themselves.
pub fn replace<K: Ord, T: Clone>(
    c: &mut Call,
    known: &Known<K, T>,
    key: K,
    prove: impl Fn(&mut Call) -> Apart<T>,
    effect: impl Fn(T) -> Replaced,
) -> Or<()> {
    if domain::are_numbers() {
        return Ok(());
    }
    // Their instructions are none of the call's.
    let (count, most, keeps) = (c.m.count, c.m.most, c.m.keep_constants);
    (c.m.most, c.m.keep_constants) = (MOST, true);
    let prove = |c: &mut Call| {
        c.m.count = 0;
        prove(c)
    };
    let faults = std::mem::take(&mut c.m.faults);
    let (found, spoiled) = {
        let mut known = known.lock().unwrap_or_else(|e| e.into_inner());
        let proved = known.entry(key).or_insert_with(|| prove(c));
        (proved.found.clone(), faults.iter().any(|f| proved.has(f)))
    };
    c.m.faults = faults;
    let still = !spoiled || prove(c).found.len() == found.len();
    c.again();
    (c.m.count, c.m.most, c.m.keep_constants) = (count, most, keeps);
    if !still {
        return refuse("the fault is in a function that is proved apart, and is refused there");
    }
    for (first, how) in found {
        let effect = effect(how);
        let counted: Replaced = Rc::new(move |m| {
            effect(m)?;
            m.spoiled();
            m.replacements += 1;
            Ok(())
        });
        c.m.replaced.push((first, counted));
    }
    Ok(())
}

/// Refuses a call that has used no such function, as its class says that it does; on numbers none is put.
pub fn were_used(c: &Call) -> Or<()> {
    if c.m.replacements == 0 && !domain::are_numbers() {
        return refuse("no function that is proved apart was used");
    }
    Ok(())
}
