//! An engine's half of the conversation.

use std::hint::black_box;
use std::io::{self, BufRead as _, Write as _};
use std::sync::Barrier;
use std::time::{Duration, Instant};

use crate::{Case, Engine, Input, Work, crowd, cycle};

/// Bytes written and read to empty the caches: more than the last level of most machines.
const CACHES: usize = 256 << 20;

/// Work that is open: for each thread its texts and its function.
struct Open {
    case: Case,
    threads: Vec<(Input, Work)>,
}

/// Answers the questions on standard input until it ends. Errors: of standard input and output.
pub fn serve(engine: &impl Engine) -> io::Result<()> {
    let mut out = io::stdout().lock();
    let (name, version) = engine.name();
    writeln!(out, "engine {name} {version}")?;
    out.flush()?;
    let mut open = None;
    for line in io::stdin().lock().lines() {
        let line = line?;
        let (word, rest) = line.split_once(' ').unwrap_or((&line, ""));
        let answer = match (word, rest.parse(), &mut open) {
            ("list", ..) => {
                let can = engine.list().into_iter();
                can.map(|(algorithm, variant)| format!("can {algorithm} {variant}\n"))
                    .collect::<String>()
                    + "end"
            }
            ("open", ..) => match case(rest).and_then(|case| prepare(engine, case)) {
                Ok(work) => {
                    open = Some(work);
                    String::from("ready")
                }
                Err(why) => {
                    open = None;
                    format!("no {}", why.replace('\n', "; "))
                }
            },
            ("check", _, Some(open)) => {
                for (thread, (input, work)) in open.threads.iter_mut().enumerate() {
                    *input = Input::new(&open.case, thread);
                    work(input);
                }
                format!("sum {:016x}", open.threads[0].0.sum())
            }
            ("time", Ok(calls), Some(open)) => {
                // Wide vectors lower the clock for some time: it is read when it has settled.
                time(open, calls / 8 + 1);
                took(|| time(open, calls))
            }
            ("cold", Ok(calls), Some(open)) => took(|| cold(open, calls)),
            ("time" | "cold", Err(_), Some(_)) => String::from("no number of calls"),
            ("check" | "time" | "cold", _, None) => String::from("no case is open"),
            _ => format!("no question {word:?}"),
        };
        writeln!(out, "{answer}")?;
        out.flush()?;
    }
    Ok(())
}

/// Reads the case out of `key=value` words.
fn case(words: &str) -> Result<Case, String> {
    let value = |name: &str| {
        let mut pairs = words.split(' ').filter_map(|word| word.split_once('='));
        pairs.find_map(|(key, value)| (key == name).then_some(value))
    };
    let number = |name: &str, default| match value(name) {
        None => Ok(default),
        Some(n) => match n.parse::<usize>() {
            Ok(n) if n as u64 <= 1 << 40 => Ok(n),
            _ => Err(format!("{name}={n} is no number, or too large")),
        },
    };
    Ok(Case {
        algorithm: value("algorithm").ok_or("no algorithm")?.into(),
        variant: value("variant").unwrap_or("-").into(),
        decrypt: value("direction") == Some("decrypt"),
        size: number("size", 16384)?,
        offset: number("offset", 0)?,
        streams: number("streams", 1)?.max(1),
        threads: number("threads", 1)?.max(1),
    })
}

fn prepare(engine: &impl Engine, case: Case) -> Result<Open, String> {
    let one = |thread| Ok((Input::new(&case, thread), engine.open(&case)?));
    let threads = (0..case.threads).map(one).collect::<Result<_, String>>()?;
    Ok(Open { case, threads })
}

/// Times it between two readings of the clock.
fn took(f: impl FnOnce() -> Duration) -> String {
    let (full, before) = (crowd(), cycle());
    let taken = f();
    let after = cycle();
    let crowd = full.max(crowd());
    format!("took {} {:.2} {:.2} {crowd:.3}", taken.as_nanos(), before * 1e12, after * 1e12)
}

fn time(open: &mut Open, calls: u64) -> Duration {
    let run = |(input, work): &mut (Input, Work)| (0..calls).for_each(|_| work(black_box(input)));
    if let [one] = &mut open.threads[..] {
        let start = Instant::now();
        run(one);
        return start.elapsed();
    }
    let ready = Barrier::new(open.threads.len() + 1);
    std::thread::scope(|scope| {
        let workers: Vec<_> = open
            .threads
            .iter_mut()
            .map(|one| {
                scope.spawn(|| {
                    ready.wait();
                    let start = Instant::now();
                    run(one);
                    (start, Instant::now())
                })
            })
            .collect();
        ready.wait();
        // From the first that began to the last that ended.
        let spans: Vec<_> = workers.into_iter().map(|w| w.join().expect("a worker ends")).collect();
        let begin = spans.iter().map(|(begin, _)| *begin).min().expect("workers");
        let end = spans.iter().map(|(_, end)| *end).max().expect("workers");
        end - begin
    })
}

fn cold(open: &mut Open, calls: u64) -> Duration {
    let mut large = vec![1u8; CACHES];
    let (input, work) = &mut open.threads[0];
    let one = |_| {
        large.iter_mut().step_by(64).for_each(|b| *b = b.wrapping_add(1));
        black_box(&mut large);
        let start = Instant::now();
        work(black_box(input));
        start.elapsed()
    };
    (0..calls).map(one).sum()
}
