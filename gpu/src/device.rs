//! A device, and what it does with data in its own memory.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock};

use bulat::Direction;

use crate::driver::{Driver, Facts, Memory, Queue};
use crate::{Channel, Error, Program, Result, selftest};

/// A device that was found and opened.
pub struct Device {
    pub(crate) driver: Arc<dyn Driver>,
    label: String,
    /// Programs that passed their self-test.
    ready: Mutex<HashMap<Program, Result<()>>>,
    lost: OnceLock<Error>,
    faults: Faults,
}

/// Faults to order, for tests: after so many launches the device fails, hangs, or is wrong; 0 for never.
#[doc(hidden)]
#[derive(Default)]
pub struct Faults {
    pub fails: AtomicU64,
    pub hangs: AtomicU64,
    pub wrong: AtomicU64,
    /// After so many allocations there is no memory.
    pub full: AtomicU64,
    /// Milliseconds that each launch takes longer.
    pub slow: AtomicU64,
}

impl Faults {
    /// Whether this launch is the one.
    pub(crate) fn now(counter: &AtomicU64) -> bool {
        counter.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |n| n.checked_sub(1)) == Ok(1)
    }
}

/// Memory of a device, at least as long as was asked for.
pub struct Buffer(pub(crate) Memory);

impl Buffer {
    /// Bytes.
    pub fn len(&self) -> usize {
        self.0.len
    }
    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.len == 0
    }
}

/// What is done with independent blocks beside the cipher.
#[derive(Clone, Copy)]
pub enum Map<'a> {
    /// Nothing.
    Ecb(Direction),
    /// CBC backwards: the block before the first.
    Cbc(&'a [u8]),
    /// CFB backwards: the block before the first.
    Cfb(&'a [u8]),
    /// The gamma of GOST 28147-89: the register before the first block.
    Cnt(&'a [u8; 8]),
}

impl Device {
    pub(crate) fn new(driver: Arc<dyn Driver>, label: String) -> Arc<Self> {
        Arc::new(Device {
            driver,
            label,
            ready: Mutex::default(),
            lost: OnceLock::new(),
            faults: Faults::default(),
        })
    }

    /// The same device anew, with the programs that it has, `tested` or to be tested again: for tests.
    #[doc(hidden)]
    pub fn anew(&self, tested: bool) -> Arc<Self> {
        let new = Self::new(self.driver.clone(), self.label.clone());
        if tested {
            let ready = self.ready.lock().unwrap_or_else(|e| e.into_inner()).clone();
            *new.ready.lock().unwrap_or_else(|e| e.into_inner()) = ready;
        }
        new
    }

    /// Orders faults: for tests.
    #[doc(hidden)]
    pub fn faults(&self) -> &Faults {
        &self.faults
    }

    /// What it says of itself.
    pub fn facts(&self) -> &Facts {
        self.driver.facts()
    }

    /// Its name; of devices of one name, with a number.
    pub fn label(&self) -> &str {
        &self.label
    }

    /// Why it is left out, if it is.
    pub fn lost(&self) -> Option<&Error> {
        self.lost.get()
    }

    /// Leaves it out from now on.
    pub(crate) fn lose(&self, why: Error) {
        let _ = self.lost.set(why);
    }

    /// A queue of work of its own.
    ///
    /// # Errors
    /// [`Error::Lost`]; the driver's.
    pub fn channel(self: &Arc<Self>) -> Result<Channel> {
        let queue = self.driver.clone().queue()?;
        self.channel_over(queue)
    }

    fn channel_over(self: &Arc<Self>, queue: Box<dyn Queue>) -> Result<Channel> {
        if let Some(why) = self.lost() {
            return Err(Error::Lost(why.to_string()));
        }
        Ok(Channel {
            device: self.clone(),
            queue,
            testing: false,
            rooms: Vec::new(),
            constants: None,
        })
    }

    /// The device of a `cl_command_queue` of the caller's, in the context of that: for [`Self::channel_on`] and
    /// [`Self::buffer_at`]. Its programs are compiled and tested anew.
    ///
    /// # Errors
    /// The driver's.
    ///
    /// # Safety
    /// `queue` is a `cl_command_queue` that lives; the device keeps its context alive.
    #[cfg(feature = "opencl")]
    #[allow(unsafe_code)]
    pub unsafe fn of_queue(queue: u64) -> Result<Arc<Self>> {
        let driver = crate::opencl::OpenCl::of_queue(queue)?;
        let label = driver.facts().name.clone();
        Ok(Self::new(Arc::new(driver), label))
    }

    /// Work in a queue of the caller's: a stream of CUDA, in the device's primary context, or a `cl_command_queue` that is in
    /// order, which is kept alive. What is done comes after what is in it, and waits for it.
    ///
    /// # Errors
    /// [`Error::Lost`]; [`Error::Foreign`] for a queue of another device or context.
    ///
    /// # Safety
    /// `queue` is a `cl_command_queue` that lives; or a stream of this device that lives as long as the channel, or 0 for the
    /// default one.
    #[allow(unsafe_code)]
    pub unsafe fn channel_on(self: &Arc<Self>, queue: u64) -> Result<Channel> {
        let queue = self.driver.clone().queue_on(queue)?;
        self.channel_over(queue)
    }

    /// Memory of the device that is another's: an address of CUDA's, or a `cl_mem`, which is kept alive.
    ///
    /// # Errors
    /// [`Error::Foreign`] for memory of another device or context; [`Error::Refused`] for a `cl_mem` that is shorter.
    ///
    /// # Safety
    /// `memory` is a `cl_mem` that lives; or so many bytes stand at this address, until the buffer is dropped and what was asked
    /// for with it is done. Nobody else writes there meanwhile but in the same queue.
    #[allow(unsafe_code)]
    pub unsafe fn buffer_at(&self, memory: u64, bytes: usize) -> Result<Buffer> {
        self.driver.memory_at(memory, bytes).map(Buffer)
    }

    /// Loads a program, and tests it, once.
    pub(crate) fn ready(self: &Arc<Self>, program: Program) -> Result<()> {
        if let Some(result) = self.ready.lock().unwrap_or_else(|e| e.into_inner()).get(&program) {
            return result.clone();
        }
        // Two threads may do this at once; the results are the same.
        let result = self.driver.load(program).and_then(|()| selftest::run(self, program));
        if let Err(e @ Error::Wrong(_)) = &result {
            self.lose(e.clone());
        }
        self.ready.lock().unwrap_or_else(|e| e.into_inner()).insert(program, result.clone());
        result
    }

    /// Loads and tests programs now, not at their first use.
    ///
    /// # Errors
    /// [`Error::Wrong`] with the kernel's name; the driver's.
    pub fn prepare(self: &Arc<Self>, programs: &[Program]) -> Result<()> {
        programs.iter().try_for_each(|p| self.ready(*p))
    }
}
