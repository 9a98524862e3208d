//! One test being run: the checks that all families of tests are made of. A check compares an answer
//! of the subject with what the test demands and notes what went wrong; a test goes on after a failed
//! check, so that a report shows all of them.

use crate::report::Outcome;
use crate::subject::{Answer, Refused, Subject};
use crate::test::{Defect, Test, Verdict, from_hex, sha256, to_hex};

pub(crate) struct Case<'a> {
    pub subject: &'a dyn Subject,
    pub test: &'a Test,
    checks: usize,
    failures: Vec<String>,
    missing: Vec<&'static str>,
}

/// The first octets of a value, for messages.
fn short(octets: &[u8]) -> String {
    let shown = &octets[..octets.len().min(40)];
    format!(
        "{}{} ({} octets)",
        to_hex(shown),
        if shown.len() < octets.len() { "..." } else { "" },
        octets.len()
    )
}

impl<'a> Case<'a> {
    pub fn new(subject: &'a dyn Subject, test: &'a Test) -> Self {
        Case { subject, test, checks: 0, failures: Vec::new(), missing: Vec::new() }
    }

    /// Must the subject refuse this test's input?
    pub fn invalid(&self) -> bool {
        self.test.verdict == Verdict::Invalid
    }

    pub fn fail(&mut self, reason: String) {
        self.failures.push(reason);
    }

    /// Sorts out an answer: the value, if there is one to be checked.
    fn value<T>(&mut self, operation: &'static str, answer: Result<T, Refused>) -> Option<T> {
        match answer {
            Ok(value) => {
                self.checks += 1;
                return Some(value);
            }
            Err(Refused::Unsupported) if self.missing.contains(&operation) => {}
            Err(Refused::Unsupported) => self.missing.push(operation),
            Err(Refused::Input(reason)) => {
                self.checks += 1;
                self.fail(format!("{operation} refused valid input: {reason}"));
            }
        }
        None
    }

    /// The answer is the value that the test holds in `field`, `field`_sha256 or `field`Tail. Gives
    /// the answer back for further use.
    pub fn field(
        &mut self,
        operation: &'static str,
        field: &str,
        answer: Answer,
    ) -> Result<Option<Vec<u8>>, Defect> {
        let Some(got) = self.value(operation, answer) else { return Ok(None) };
        let test = self.test;
        let digest = format!("{field}_sha256");
        let tail = format!("{field}Tail");
        if test.has(&digest) {
            if got.len() as u64 != test.number(&format!("{field}_len"))? {
                self.fail(format!("{operation}: {field} has {} octets", got.len()));
            } else if sha256(&got) != test.text(&digest)? {
                self.fail(format!("{operation}: {field} is {}: another SHA-256", short(&got)));
            }
        } else if test.has(&tail) {
            let expected = test.octets(&tail)?;
            if !got.ends_with(&expected) {
                self.fail(format!("{operation}: {tail} is not {}", short(&expected)));
            }
        } else {
            self.compare(operation, field, &test.octets(field)?, &got);
        }
        Ok(Some(got))
    }

    /// The answer is `expected`, called `name` in messages.
    pub fn equal(&mut self, operation: &'static str, name: &str, expected: &[u8], answer: Answer) {
        if let Some(got) = self.value(operation, answer) {
            self.compare(operation, name, expected, &got);
        }
    }

    fn compare(&mut self, operation: &str, name: &str, expected: &[u8], got: &[u8]) {
        if expected != got {
            let (got, expected) = (short(got), short(expected));
            self.fail(format!("{operation}: {name} is {got}, not {expected}"));
        }
    }

    /// A value of the test that follows from its other values without the subject's help.
    pub fn follows(&mut self, name: &str, holds: bool) {
        if !holds {
            self.fail(format!("{name} does not follow from the other fields"));
        }
    }

    /// The subject refuses.
    pub fn refused(&mut self, operation: &'static str, answer: Answer) {
        match answer {
            Err(Refused::Input(_)) => self.checks += 1,
            other => {
                if let Some(got) = self.value(operation, other) {
                    self.fail(format!("{operation} took invalid input and gave {}", short(&got)));
                }
            }
        }
    }

    /// A verification succeeds.
    pub fn verified(&mut self, operation: &'static str, answer: Result<bool, Refused>) {
        if self.value(operation, answer) == Some(false) {
            self.fail(format!("{operation}: the right tag does not verify"));
        }
    }

    /// A verification fails; to refuse the input is a failure too.
    pub fn not_verified(&mut self, operation: &'static str, answer: Result<bool, Refused>) {
        match answer {
            Err(Refused::Input(_)) => self.checks += 1,
            other => {
                if self.value(operation, other) == Some(true) {
                    self.fail(format!("{operation}: a wrong tag verifies"));
                }
            }
        }
    }

    /// Message to ciphertext and back, or neither for an invalid test.
    pub fn both_ways(
        &mut self,
        operation: &'static str,
        forward: impl Fn(&[u8]) -> Answer,
        back: impl Fn(&[u8]) -> Answer,
    ) -> Result<(), Defect> {
        let message = self.test.octets("msg")?;
        if self.invalid() {
            self.refused(operation, forward(&message));
            self.refused(operation, back(&message));
            return Ok(());
        }
        let made = self.field(operation, "ct", forward(&message))?;
        let given = if self.test.has("ct") { Some(self.test.octets("ct")?) } else { made };
        if let Some(ciphertext) = given {
            self.equal(operation, "msg", &message, back(&ciphertext));
        }
        Ok(())
    }

    /// A tag computed and verified, and the same tag with one bit changed not verified; or the given
    /// wrong tag not verified for an invalid test.
    pub fn mac(
        &mut self,
        operation: &'static str,
        compute: impl FnOnce() -> Answer,
        verify: impl Fn(&[u8]) -> Result<bool, Refused>,
    ) -> Result<(), Defect> {
        let mut tag = self.test.octets("tag")?;
        if self.invalid() {
            self.not_verified(operation, verify(&tag));
            return Ok(());
        }
        self.field(operation, "tag", compute())?;
        self.verified(operation, verify(&tag));
        if let Some(last) = tag.last_mut() {
            *last ^= 1;
            self.not_verified(operation, verify(&tag));
        }
        Ok(())
    }

    /// The values of a list in the test, or in one of its records, against answers made one by one.
    pub fn list(
        &mut self,
        operation: &'static str,
        name: &str,
        values: &[serde_json::Value],
        mut answer: impl FnMut(usize) -> Answer,
    ) -> Result<(), Defect> {
        for (index, value) in values.iter().enumerate() {
            let expected = value
                .as_str()
                .and_then(from_hex)
                .ok_or_else(|| Defect(format!("field {name}: no hex at {index}")))?;
            self.equal(operation, &format!("{name}[{index}]"), &expected, answer(index));
        }
        Ok(())
    }

    /// How it ended, and what the subject does not have.
    pub fn outcome(self, result: Result<(), Defect>) -> (Outcome, Vec<&'static str>) {
        let acceptable = self.test.verdict == Verdict::Acceptable;
        let outcome = match result {
            Err(defect) => Outcome::Failed(format!("the vector itself: {defect}")),
            Ok(()) if !self.failures.is_empty() && acceptable => {
                Outcome::Differs(self.failures.join("; "))
            }
            Ok(()) if !self.failures.is_empty() => Outcome::Failed(self.failures.join("; ")),
            Ok(()) if self.checks == 0 && !self.missing.is_empty() => Outcome::Unsupported,
            Ok(()) if self.checks == 0 => Outcome::Failed("nothing was checked".into()),
            Ok(()) if acceptable => Outcome::Agrees,
            Ok(()) => Outcome::Passed,
        };
        (outcome, self.missing)
    }
}
