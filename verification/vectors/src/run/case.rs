//! One test being run: the checks that all families of tests are made of. A check compares an answer
//! of the subject with the test's value and notes each difference; a test continues after a failed
//! check, so that a report shows all of them.

use crate::call::{Answer, Call, Op, Refused, Subject};
use crate::report::Outcome;
use crate::test::{Defect, Test, Verdict, from_hex, sha256, to_hex};

pub(crate) struct Case<'a> {
    pub subject: &'a dyn Subject,
    pub test: &'a Test,
    checks: usize,
    failures: Vec<String>,
    missing: Vec<String>,
}

/// The first bytes of a value, for messages.
fn short(bytes: &[u8]) -> String {
    let shown = &bytes[..bytes.len().min(40)];
    format!(
        "{}{} ({} bytes)",
        to_hex(shown),
        if shown.len() < bytes.len() { "..." } else { "" },
        bytes.len()
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

    fn fail(&mut self, reason: String) {
        self.failures.push(reason);
    }

    /// Sorts out an answer: the value, if there is one to be checked.
    fn value(&mut self, name: &str, answer: Answer) -> Option<Vec<u8>> {
        match answer {
            Ok(value) => {
                self.checks += 1;
                return Some(value);
            }
            Err(Refused::Unsupported) if self.missing.iter().any(|known| known == name) => {}
            Err(Refused::Unsupported) => self.missing.push(name.into()),
            Err(Refused::Input(reason)) => {
                self.checks += 1;
                self.fail(format!("{name} refused valid input: {reason}"));
            }
        }
        None
    }

    /// The answer to `call` is the value that the test has in `field`, `field`_sha256 or `field`Tail.
    /// Gives the answer back for further use.
    pub fn field(&mut self, call: &Call, field: &str) -> Result<Option<Vec<u8>>, Defect> {
        self.answer(&call.algorithm, field, self.subject.run(call))
    }

    /// The like of an answer that was composed of several calls, called `name` in messages.
    pub fn answer(
        &mut self,
        name: &str,
        field: &str,
        answer: Answer,
    ) -> Result<Option<Vec<u8>>, Defect> {
        let Some(got) = self.value(name, answer) else { return Ok(None) };
        let test = self.test;
        let digest = format!("{field}_sha256");
        let tail = format!("{field}Tail");
        if test.has(&digest) {
            if got.len() as u64 != test.number(&format!("{field}_len"))? {
                self.fail(format!("{name}: {field} has {} bytes", got.len()));
            } else if sha256(&got) != test.text(&digest)? {
                self.fail(format!("{name}: {field} is {}: another SHA-256", short(&got)));
            }
        } else if test.has(&tail) {
            let expected = test.bytes(&tail)?;
            if !got.ends_with(&expected) {
                self.fail(format!("{name}: {tail} is not {}", short(&expected)));
            }
        } else {
            self.compare(name, field, &test.bytes(field)?, &got);
        }
        Ok(Some(got))
    }

    /// The answer to `call` is `expected`, called `field` in messages.
    pub fn equal(&mut self, call: &Call, field: &str, expected: &[u8]) {
        self.composed(&call.algorithm, field, expected, self.subject.run(call));
    }

    /// An answer that was composed of several calls is `expected`.
    pub fn composed(&mut self, name: &str, field: &str, expected: &[u8], answer: Answer) {
        if let Some(got) = self.value(name, answer) {
            self.compare(name, field, expected, &got);
        }
    }

    fn compare(&mut self, name: &str, field: &str, expected: &[u8], got: &[u8]) {
        if expected != got {
            let (got, expected) = (short(got), short(expected));
            self.fail(format!("{name}: {field} is {got}, not {expected}"));
        }
    }

    /// A value of the test that follows from its other values without the subject's help.
    pub fn follows(&mut self, name: &str, holds: bool) {
        if !holds {
            self.fail(format!("{name} does not follow from the other fields"));
        }
    }

    /// The subject refuses.
    pub fn refused(&mut self, call: &Call) {
        match self.subject.run(call) {
            Err(Refused::Input(_)) => self.checks += 1,
            other => {
                let Call { op, algorithm, .. } = call;
                if let Some(got) = self.value(algorithm, other) {
                    self.fail(format!("{op:?} {algorithm} took wrong input: {}", short(&got)));
                }
            }
        }
    }

    /// Message to ciphertext and, by the operation `back`, to the message again; neither for an invalid
    /// test.
    pub fn both_ways(&mut self, call: &Call, back: Op) -> Result<(), Defect> {
        let message = self.test.bytes("msg")?;
        if self.invalid() {
            self.refused(&call.with(call.op, &message));
            self.refused(&call.with(back, &message));
            return Ok(());
        }
        let made = self.field(&call.with(call.op, &message), "ct")?;
        let given = if self.test.has("ct") { Some(self.test.bytes("ct")?) } else { made };
        if let Some(ciphertext) = given {
            self.equal(&call.with(back, &ciphertext), "msg", &message);
        }
        Ok(())
    }

    /// A tag computed and verified, and the same tag with one bit changed not verified; or the given
    /// wrong tag not verified for an invalid test.
    pub fn mac(&mut self, call: &Call) -> Result<(), Defect> {
        let (data, mut tag) = (self.test.bytes("msg")?, self.test.bytes("tag")?);
        let call = Call { tag_len: Some(self.test.len("tagLen")?), ..call.with(Op::Verify, &data) };
        if self.invalid() {
            self.refused(&Call { tag: &tag, ..call });
            return Ok(());
        }
        self.field(&call.with(Op::Mac, &data), "tag")?;
        self.equal(&Call { tag: &tag, ..call.clone() }, "the verified tag", &[]);
        if let Some(last) = tag.last_mut() {
            *last ^= 1;
            self.refused(&Call { tag: &tag, ..call });
        }
        Ok(())
    }

    /// Seals, opens; the field of the tag is `tag`. Or does not open for an invalid test.
    pub fn aead(&mut self, call: &Call, tag_field: &str) -> Result<(), Defect> {
        let (name, tag) = (&call.algorithm, self.test.bytes(tag_field)?);
        let open = |ciphertext| Call { tag: &tag, ..call.with(Op::Open, ciphertext) };
        if self.invalid() {
            self.refused(&open(&self.test.bytes("ct")?));
            return Ok(());
        }
        let message = self.test.bytes("msg")?;
        let sealed = self.subject.run(&call.with(Op::Seal, &message));
        let split = |sealed: &[u8]| {
            let (text, tag) = sealed.split_at(sealed.len().min(message.len()));
            (text.to_vec(), tag.to_vec())
        };
        let (text, mac) = match sealed {
            Ok(sealed) => (Ok(split(&sealed).0), Ok(split(&sealed).1)),
            Err(refused) => (Err(refused.clone()), Err(refused)),
        };
        let made = self.answer(name, "ct", text)?;
        self.answer(name, tag_field, mac)?;
        let given = if self.test.has("ct") { Some(self.test.bytes("ct")?) } else { made };
        if let Some(ciphertext) = given {
            self.equal(&open(&ciphertext), "msg", &message);
        }
        Ok(())
    }

    /// The values of a list in the test, or in one of its records, against answers made one by one.
    pub fn list(
        &mut self,
        name: &str,
        field: &str,
        values: &[serde_json::Value],
        mut answer: impl FnMut(usize) -> Answer,
    ) -> Result<(), Defect> {
        for (index, value) in values.iter().enumerate() {
            let expected = value
                .as_str()
                .and_then(from_hex)
                .ok_or_else(|| Defect(format!("field {field}: no hex at {index}")))?;
            self.composed(name, &format!("{field}[{index}]"), &expected, answer(index));
        }
        Ok(())
    }

    /// The end of the test, and the algorithms that the subject does not have.
    pub fn outcome(self, result: Result<(), Defect>) -> (Outcome, Vec<String>) {
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
