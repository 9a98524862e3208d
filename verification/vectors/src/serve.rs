//! Programs as subjects: a binding's `serve` answers a line on its standard output for each line of its input.
//!
//! A line is an operation, an algorithm, and parameters `NAME=VALUE`: `seal magma-mgm key=.. iv=.. data=.. tag_size=8`.
//! The operations are those of [`Op`] in lower case, the algorithms those of `bulat list`.
//!
//! | parameters | value |
//! |---|---|
//! | `key`, `data` | hexadecimal digits, maybe none: always there, but for the key of a hash |
//! | `iv`, `aad`, `tag`, `salt`, `label`, `seed` | hexadecimal digits, unless there are none |
//! | `iv` of a cipher, `salt` of a password | hexadecimal digits, maybe none |
//! | `tag_size`, `s`, `section`, `period`, `counter`, `record`, `iterations` | a number, if the call has it |
//! | `size` | the length of what is derived or unwrapped |
//! | `sboxes` | `test`, `a`, `b`, `c`, `d`, `z`, `hash-test`, `hash-cryptopro` |
//! | `meshing` | 0 or 1 |
//! | `suite`, `masks` | of TLSTREE: `magma-mgm-l`; its three masks, hexadecimal, with commas |
//! | `times` | a block is encrypted that many times, each time the output |
//!
//! The answer is `=` and hexadecimal digits (none for a right tag), or `!` with the name of the exception and its words, or
//! `?` if the face does not have the operation. Anything else is a failure, and so is the end of the program.

use std::io::{self, BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::Mutex;

use crate::call::{Answer, Call, Op, Refused};
use crate::parameters::{Meshing, Sbox};
use crate::test::{from_hex, to_hex};

/// A program that answers each line with a line.
pub struct Program {
    child: Child,
    pipes: Mutex<(ChildStdin, BufReader<ChildStdout>)>,
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Program {
    /// Starts a program.
    pub fn start(command: &mut Command) -> io::Result<Self> {
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let pipes = child.stdin.take().zip(child.stdout.take());
        let (input, output) = pipes.ok_or(io::ErrorKind::BrokenPipe)?;
        Ok(Program { child, pipes: Mutex::new((input, BufReader::new(output))) })
    }

    /// The answer to a line. Panics if there is none.
    pub fn ask(&self, line: &str) -> Answer {
        let mut pipes = self.pipes.lock().expect("no other test failed here");
        let mut answer = String::new();
        let asked = writeln!(pipes.0, "{line}").and_then(|()| pipes.1.read_line(&mut answer));
        let head = || line.get(..200).unwrap_or(line);
        let bytes = match (asked, answer.trim_end().split_at_checked(1)) {
            (Ok(_), Some(("=", digits))) => from_hex(digits),
            (Ok(_), Some(("!", words))) => return Err(Refused::Input(words.to_owned())),
            (Ok(_), Some(("?", _))) => return Err(Refused::Unsupported),
            (asked, _) => panic!("{}: {asked:?} {answer:?}", head()),
        };
        bytes.map(Ok).unwrap_or_else(|| panic!("{}: no hexadecimal digits", head()))
    }
}

pub(crate) fn word(op: Op) -> String {
    format!("{op:?}").to_lowercase()
}

const fn short(sbox: Sbox) -> &'static str {
    match sbox {
        Sbox::Test => "test",
        Sbox::CryptoProA => "a",
        Sbox::CryptoProB => "b",
        Sbox::CryptoProC => "c",
        Sbox::CryptoProD => "d",
        Sbox::Tc26Z => "z",
        Sbox::HashTest => "hash-test",
        Sbox::HashCryptoPro => "hash-cryptopro",
    }
}

/// A call as a line.
pub(crate) fn request(call: &Call) -> String {
    let mut line = format!("{} {}", word(call.op), call.algorithm);
    let mut add = |name: &str, value: Option<String>| {
        if let Some(value) = value {
            line += &format!(" {name}={value}");
        }
    };
    let some = |bytes: &[u8]| Some(to_hex(bytes)).filter(|digits| !digits.is_empty());
    let number = |value: Option<usize>| value.map(|value| value.to_string());
    add("key", (call.op != Op::Hash).then(|| to_hex(call.key)));
    add("data", Some(to_hex(call.data)));
    let text = matches!(call.op, Op::Encrypt | Op::Decrypt | Op::Seal | Op::Open);
    let has_iv = text && !call.algorithm.ends_with("-ecb");
    add("iv", if has_iv { Some(to_hex(call.iv)) } else { some(call.iv) });
    add("aad", some(call.aad));
    add("tag", some(call.tag));
    let password = call.op == Op::Derive && call.times.is_some();
    add("salt", if password { Some(to_hex(call.salt)) } else { some(call.salt) });
    add("label", some(call.label));
    add("seed", some(call.seed));
    add("tag_size", number(call.tag_len));
    // s of a block is no choice.
    let block = call.mode().map(|(cipher, _)| cipher.block());
    add("s", number(call.s.filter(|s| Some(*s) != block)));
    add("section", number(call.section));
    add("period", number(call.period));
    add("counter", number(call.counter));
    add("record", call.record.map(|record| record.to_string()));
    add("sboxes", call.sbox.map(|sbox| short(sbox).to_owned()));
    add("meshing", call.meshing.map(|it| u8::from(it == Meshing::CryptoPro).to_string()));
    add(
        "size",
        match call.op {
            Op::Derive => Some(call.len.unwrap_or(32).to_string()),
            Op::Unwrap => Some(call.secret_len().to_string()),
            _ => None,
        },
    );
    let times = call.times.map(|times| times.to_string());
    add(if call.op == Op::Derive { "iterations" } else { "times" }, times);
    add(
        "suite",
        call.suite.map(|suite| {
            suite
                .name()
                .trim_start_matches("TLS_GOSTR341112_256_WITH_")
                .to_lowercase()
                .replace('_', "-")
        }),
    );
    add(
        "masks",
        call.suite.map(|suite| suite.masks().map(|mask| format!("{mask:016x}")).join(",")),
    );
    line
}
