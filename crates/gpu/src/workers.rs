//! The workers of a call: threads of the processor, and threads that each feed a slot of a device.

use std::ops::Range;
use std::sync::Mutex;
use std::time::Instant;

use crate::Error;
use crate::engine::{Engine, Report, Split, lock};
use crate::queue::Queue;
use crate::slot::Slot;

/// Work in grains, which all workers share.
pub(crate) struct Call<'c> {
    engine: &'c Engine,
    work: &'c dyn Split,
    queue: Queue,
    report: &'c Mutex<Report>,
    /// The first error of the processor.
    failed: Mutex<Option<bulat::Error>>,
}

impl<'c> Call<'c> {
    pub fn new(
        engine: &'c Engine,
        work: &'c dyn Split,
        grains: usize,
        report: &'c Mutex<Report>,
    ) -> Self {
        Call { engine, work, queue: Queue::new(grains), report, failed: Mutex::default() }
    }

    /// Processes all grains with these slots of devices, and with the processor unless the options exclude it.
    pub fn run(self, slots: Vec<(usize, Slot)>) -> Result<(), bulat::Error> {
        let processor = Processor(&self);
        std::thread::scope(|scope| {
            for (device, slot) in slots {
                let card = Card { call: &self, device, slot };
                scope.spawn(move || card.work());
            }
            if self.engine.options.cpu {
                for _ in 1..rayon::current_num_threads() {
                    scope.spawn(move || processor.work());
                }
                processor.work();
            }
        });
        // If the processor was excluded, it still does the work that all devices left.
        processor.work();
        self.failed.into_inner().unwrap_or_else(|e| e.into_inner()).map_or(Ok(()), Err)
    }

    /// Counts the bytes that a device or the processor has done since `start`.
    fn done(&self, who: usize, bytes: usize, start: Instant) {
        self.queue.done();
        self.engine.measured(who, bytes, start.elapsed());
        let name = self.engine.devices.get(who).map_or("cpu", |device| device.label());
        *lock(self.report).bytes.entry(name.into()).or_default() += bytes as u64;
    }
}

/// A thread of the processor.
#[derive(Clone, Copy)]
struct Processor<'c>(&'c Call<'c>);

impl Processor<'_> {
    fn work(self) {
        let call = self.0;
        while let Some(grains) = call.queue.take(1) {
            let (start, mut bytes) = (Instant::now(), 0);
            for grain in grains {
                bytes += call.work.len(grain);
                if let Err(e) = call.work.cpu(grain) {
                    lock(&call.failed).get_or_insert(e);
                }
            }
            call.done(call.engine.devices.len(), bytes, start);
        }
    }
}

/// A thread that feeds a slot of a device.
struct Card<'c> {
    call: &'c Call<'c>,
    device: usize,
    slot: Slot,
}

impl Card<'_> {
    fn work(mut self) {
        let Call { engine, queue, report, .. } = self.call;
        while engine.devices[self.device].lost().is_none() {
            let most = engine.share(self.device, queue.left());
            let Some(grains) = queue.take(most) else {
                match self.slot.wipe(engine.options.patience) {
                    Ok(()) => lock(&engine.slots).push((self.device, self.slot)),
                    Err(e) => engine.lose(self.device, e, report),
                }
                return;
            };
            let (grains, bytes) = self.fitting(grains);
            let start = Instant::now();
            match self.piece(grains.clone(), bytes) {
                Ok(()) => self.call.done(self.device, bytes, start),
                Err(e) => {
                    queue.failed(grains);
                    engine.lose(self.device, e, report);
                    return;
                }
            }
        }
    }

    /// Gives back the grains after those of one kind that fit a piece. Returns the others, and their bytes.
    fn fitting(&self, grains: Range<usize>) -> (Range<usize>, usize) {
        let Call { engine, work, queue, .. } = self.call;
        let (mut bytes, kind) = (work.len(grains.start), work.kind(grains.start));
        for grain in grains.start + 1..grains.end {
            let more = bytes + work.len(grain);
            if more > engine.options.piece || work.kind(grain) != kind {
                queue.back(grain..grains.end);
                return (grains.start..grain, bytes);
            }
            bytes = more;
        }
        (grains, bytes)
    }

    fn piece(&mut self, grains: Range<usize>, bytes: usize) -> Result<(), Error> {
        let Call { engine, work, .. } = self.call;
        if bytes > engine.options.piece {
            // A grain that fits no device goes to the processor.
            return grains.into_iter().try_for_each(|g| work.cpu(g)).map_err(Error::from);
        }
        self.slot.run(
            work.step(grains.clone()),
            bytes,
            engine.options.patience.saturating_mul(work.patience()),
            |data| work.fill(grains.clone(), data),
            |data, beside| work.empty(grains.clone(), data, beside),
        )
    }
}
