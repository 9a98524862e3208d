//! Reads, works and writes in parallel. [`run`] is for streams: one thread reads, several work, and the caller's thread
//! writes, in order. Buffers are reused, so memory is bounded for any input. [`deal`] is for files with known
//! positions: each worker does all three.

use std::io::{self, ErrorKind, Read};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread::{Builder, scope};

use crate::queue::{Give, Take, queue};

/// A reader of pieces, with a way for other threads to end a read that waits.
pub struct Source<'a> {
    pub(crate) read: &'a mut (dyn Read + Send),
    pub(crate) stop: &'a dyn Fn(),
}

impl<'a> Source<'a> {
    /// Creates a source. After `stop` has been called its reads must return soon, with any result.
    pub fn new(read: &'a mut (dyn Read + Send), stop: &'a dyn Fn()) -> Self {
        Source { read, stop }
    }
}

/// A source with reads that never wait for long.
impl<'a, R: Read + Send> From<&'a mut R> for Source<'a> {
    fn from(read: &'a mut R) -> Self {
        Source { read, stop: &|| () }
    }
}

/// Returns the number of threads to use: at least one; by default a thread per processor.
pub fn threads(asked: Option<usize>) -> usize {
    let system = || std::thread::available_parallelism().map_or(1, usize::from);
    asked.filter(|n| *n > 0).unwrap_or_else(system)
}

/// Reads until the buffer is full or the source ends. Returns the number of bytes.
pub fn fill(source: &mut (impl Read + ?Sized), buffer: &mut [u8]) -> io::Result<usize> {
    let mut n = 0;
    while n < buffer.len() {
        match source.read(&mut buffer[n..]) {
            Ok(0) => break,
            Ok(more) => n += more,
            Err(e) if e.kind() == ErrorKind::Interrupted => {}
            Err(e) => return Err(e),
        }
    }
    Ok(n)
}

/// Fills buffers with `read` until it returns false, works on them, and passes them to `take` in the order of reading.
///
/// Each worker runs on its own thread and keeps its own state; a single worker gets all buffers in order. If `beside` is
/// false, the first worker does everything, on this thread. `make` makes a buffer. `stop` is called on an error, while `read` may
/// be waiting on its thread: `read` must then return.
///
/// # Errors
/// The first error in the order of the buffers; no buffer after it is taken.
///
/// # Panics
/// When there are no workers.
pub fn run<B: Send, E: Send, W>(
    beside: bool,
    mut workers: Vec<W>,
    make: impl Fn() -> B,
    mut read: impl FnMut(&mut B) -> Result<bool, E> + Send,
    mut take: impl FnMut(&mut B) -> Result<(), E>,
    stop: impl Fn(),
) -> Result<(), E>
where
    W: FnMut(&mut B) -> Result<(), E> + Send,
{
    if !beside {
        return one_by_one(workers.swap_remove(0), make(), read, take);
    }
    scope(|scope| {
        // Starts the threads before it deals out roles: a limit may allow fewer threads, or no thread.
        let (give, roles) = queue::<Box<dyn FnOnce() + Send + '_>>();
        let thread = |_: &usize| {
            let roles = roles.clone();
            let role = move || roles.take().into_iter().for_each(|role| role());
            Builder::new().spawn_scoped(scope, role).is_ok()
        };
        let threads = (0..=workers.len()).take_while(thread).count();
        if threads < 2 {
            drop(give);
            return one_by_one(workers.swap_remove(0), make(), read, take);
        }
        workers.truncate(threads - 1);
        // A buffer is being read, a buffer is being taken, and each worker has two, of which the second is ready.
        let (give_back, free) = queue();
        for _ in 0..2 * workers.len() + 2 {
            give_back.give(make());
        }
        let (todo, work) = queue::<(u64, B)>();
        let (done, ready) = queue::<(u64, Result<B, E>)>();
        for worker in workers {
            let (work, done) = (work.clone(), done.clone());
            give.give(Box::new(move || serve(&work, &done, worker)));
        }
        drop(work);
        let reader = move || {
            // When a giver goes, its takers end.
            for (number, mut buffer) in (0..).zip(std::iter::from_fn(|| free.take())) {
                match read(&mut buffer) {
                    Ok(true) if todo.give((number, buffer)) => {}
                    Ok(_) => break,
                    Err(e) => {
                        done.give((number, Err(e)));
                        break;
                    }
                }
            }
        };
        give.give(Box::new(reader));
        // Few results are ready before their turn.
        let mut early = Vec::new();
        let mut next = 0;
        let in_order = |element| {
            early.push(element);
            while let Some(at) = early.iter().position(|(number, _)| *number == next) {
                let (_, result) = early.swap_remove(at);
                let mut buffer = result?;
                take(&mut buffer)?;
                // The reader may already have ended.
                give_back.give(buffer);
                next += 1;
            }
            Ok(())
        };
        // Drops the rest of the queues before it waits for the threads.
        std::iter::from_fn(move || ready.take()).try_for_each(in_order).inspect_err(|_| stop())
    })
}

/// Reads, works and writes in turn, on this thread.
fn one_by_one<B, E>(
    mut work: impl FnMut(&mut B) -> Result<(), E>,
    mut buffer: B,
    mut read: impl FnMut(&mut B) -> Result<bool, E>,
    mut take: impl FnMut(&mut B) -> Result<(), E>,
) -> Result<(), E> {
    while read(&mut buffer)? {
        work(&mut buffer)?;
        take(&mut buffer)?;
    }
    Ok(())
}

/// Works until the queue ends.
fn serve<B, E>(
    work: &Take<(u64, B)>,
    done: &Give<(u64, Result<B, E>)>,
    mut f: impl FnMut(&mut B) -> Result<(), E>,
) {
    while let Some((number, mut buffer)) = work.take() {
        let result = f(&mut buffer).map(|()| buffer);
        if !done.give((number, result)) {
            break;
        }
    }
}

/// Deals out the numbers from 0 to the workers, each on a thread, the first on the caller's, until a worker returns
/// false.
///
/// # Errors
/// The first error in the order of the numbers. Work in progress is finished; no new work begins.
pub fn deal<E: Send, W>(workers: Vec<W>) -> Result<(), E>
where
    W: FnMut(u64) -> Result<bool, E> + Send,
{
    // Processors of 32 bits may have no atomic of 64.
    let (next, over) = (Mutex::new(0..), AtomicBool::new(false));
    let first: Mutex<Option<(u64, E)>> = Mutex::new(None);
    let serve = |mut worker: W| {
        while !over.load(Ordering::Relaxed) {
            let number = next.lock().unwrap_or_else(PoisonError::into_inner).next();
            let Some(number) = number else { break };
            let result = worker(number);
            if !matches!(result, Ok(true)) {
                over.store(true, Ordering::Relaxed);
            }
            if let Err(e) = result {
                // Smaller numbers may still be in progress.
                let first = &mut *first.lock().unwrap_or_else(PoisonError::into_inner);
                if first.as_ref().is_none_or(|(n, _)| number < *n) {
                    *first = Some((number, e));
                }
            }
        }
    };
    scope(|scope| {
        let mut workers = workers.into_iter();
        let own = workers.next();
        for worker in workers {
            // If the system gives fewer threads, the existing threads do all the work.
            if Builder::new().spawn_scoped(scope, || serve(worker)).is_err() {
                break;
            }
        }
        own.map(serve);
    });
    match first.into_inner().unwrap_or_else(PoisonError::into_inner) {
        Some((_, e)) => Err(e),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_is_kept_and_the_first_error_wins() {
        for threads in [1, 2, 5] {
            for bad in [None, Some(0), Some(37), Some(99)] {
                let (mut n, mut taken) = (0, Vec::new());
                let worker = |b: &mut u32| {
                    if b.is_multiple_of(7) {
                        std::thread::yield_now();
                    }
                    if Some(*b) == bad { Err(*b) } else { Ok(()) }
                };
                let result = run(
                    threads > 1,
                    vec![worker; threads],
                    || 0u32,
                    |b| {
                        *b = n;
                        n += 1;
                        Ok(*b < 100)
                    },
                    |b| {
                        taken.push(*b);
                        Ok(())
                    },
                    || (),
                );
                assert_eq!(result, bad.map_or(Ok(()), Err));
                assert_eq!(taken, (0..bad.unwrap_or(100)).collect::<Vec<_>>());
            }
        }
    }

    #[test]
    fn an_error_calls_off_a_read_that_waits() {
        for threads in [1, 2, 5] {
            let (stop, stopped) = std::sync::mpsc::channel();
            let mut n = 0;
            let result = run(
                true,
                vec![|b: &mut u32| if *b == 1 { Err("work") } else { Ok(()) }; threads],
                || 0,
                move |b| {
                    *b = n;
                    n += 1;
                    match n {
                        1..=3 => Ok(true),
                        _ => stopped.recv().map(|()| false).map_err(|_| "read"),
                    }
                },
                |_| Ok(()),
                || stop.send(()).expect("read waits"),
            );
            assert_eq!(result, Err("work"));
        }
    }

    #[test]
    fn every_number_is_dealt_once_and_the_first_error_wins() {
        for threads in [1, 2, 5] {
            for bad in [&[][..], &[0], &[37, 38], &[99]] {
                let seen = Mutex::new(Vec::new());
                let worker = |n: u64| {
                    if n.is_multiple_of(7) {
                        std::thread::yield_now();
                    }
                    seen.lock().unwrap().push(n);
                    if bad.contains(&n) { Err(n) } else { Ok(n < 99) }
                };
                let result = deal(vec![worker; threads]);
                assert_eq!(result, bad.first().map_or(Ok(()), |n| Err(*n)));
                let mut seen = seen.into_inner().unwrap();
                seen.sort_unstable();
                let least = *bad.first().unwrap_or(&99) as usize;
                assert!(seen.len() > least, "{seen:?}");
                assert!((0..).zip(&seen).all(|(i, n)| i == *n), "each once, none left out");
            }
        }
    }
}
