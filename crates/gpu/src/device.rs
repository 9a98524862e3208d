//! A device, and work on data in its own memory.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock};

use bulat::Direction;

use crate::driver::{Driver, Facts, Memory, Queue};
use crate::{Channel, Error, Program, Result, selftest};

/// An opened device.
pub struct Device {
    /// The drivers that have it, the best first.
    drivers: Vec<Arc<dyn Driver>>,
    /// The first of them that loads programs, once one was needed.
    driver: OnceLock<Arc<dyn Driver>>,
    label: String,
    /// The programs that were tested, with the results.
    ready: Mutex<HashMap<Program, Result<()>>>,
    lost: OnceLock<Error>,
}

/// Memory of a device, at least as long as requested.
pub struct Buffer(pub(crate) Memory);

impl Buffer {
    /// Returns the length in bytes.
    pub fn len(&self) -> usize {
        self.0.len
    }
    /// Returns whether it is empty.
    pub fn is_empty(&self) -> bool {
        self.0.len == 0
    }
}

/// The mode of independent blocks.
#[derive(Clone, Copy)]
pub enum Map<'a> {
    /// ECB.
    Ecb(Direction),
    /// Decryption in CBC: the block before the first.
    Cbc(&'a [u8]),
    /// Decryption in CFB: the block before the first.
    Cfb(&'a [u8]),
    /// The gamma of GOST 28147-89: the register before the first block.
    Cnt(&'a [u8; 8]),
}

impl Device {
    pub(crate) fn new(drivers: Vec<Arc<dyn Driver>>, label: String) -> Arc<Self> {
        Arc::new(Device {
            drivers,
            driver: OnceLock::new(),
            label,
            ready: Mutex::default(),
            lost: OnceLock::new(),
        })
    }

    /// Returns the device's own description, by the driver that is used, or would be tried first.
    pub fn facts(&self) -> &Facts {
        self.driver.get().unwrap_or(&self.drivers[0]).facts()
    }

    /// Returns the driver that is used.
    pub(crate) fn driver(&self) -> &Arc<dyn Driver> {
        self.driver.get_or_init(|| {
            // The smallest program shows whether a driver loads any; without memory it may later.
            let loads = |d: &&Arc<dyn Driver>| {
                matches!(d.load(Program::Beside), Ok(()) | Err(Error::Memory(_)))
            };
            let last = self.drivers.len() - 1;
            self.drivers[..last].iter().find(loads).unwrap_or(&self.drivers[last]).clone()
        })
    }

    /// Returns the driver for queues and memory of the caller, which belong to the first.
    fn first(&self) -> Result<&Arc<dyn Driver>> {
        match self.driver() {
            d if Arc::ptr_eq(d, &self.drivers[0]) => Ok(d),
            _ => {
                Err(Error::Foreign("the device's CUDA driver loads no programs, so OpenCL is used"))
            }
        }
    }

    /// Returns the name, with a number if several devices have that name.
    pub fn label(&self) -> &str {
        &self.label
    }

    /// Returns the reason why the device is no longer used, if it is not.
    pub fn lost(&self) -> Option<&Error> {
        self.lost.get()
    }

    /// Stops using the device.
    pub(crate) fn lose(&self, why: Error) {
        let _ = self.lost.set(why);
    }

    /// Creates a queue for work.
    ///
    /// # Errors
    /// [`Error::Lost`]; the driver's.
    pub fn channel(self: &Arc<Self>) -> Result<Channel> {
        let queue = self.driver().clone().queue()?;
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
            clean: Vec::new(),
            rooms: Vec::new(),
            constants: None,
        })
    }

    /// Opens the device of a caller's `cl_command_queue`, in the queue's context: for [`Self::channel_on`] and
    /// [`Self::buffer_at`]. Its programs are compiled and tested again.
    ///
    /// # Errors
    /// The driver's.
    ///
    /// # Safety
    /// `queue` must be a live `cl_command_queue`; the device keeps its context alive.
    #[cfg(feature = "opencl")]
    #[allow(unsafe_code)]
    pub unsafe fn of_queue(queue: u64) -> Result<Arc<Self>> {
        let driver = crate::opencl::OpenCl::of_queue(queue)?;
        let label = driver.facts().name.clone();
        Ok(Self::new(vec![Arc::new(driver)], label))
    }

    /// Creates a channel on a caller's queue: a stream of CUDA, in the device's primary context, or an in-order
    /// `cl_command_queue`, which is kept alive. The channel's work comes after earlier work in the queue.
    ///
    /// # Errors
    /// [`Error::Lost`]; [`Error::Foreign`] for a queue of another device or context.
    ///
    /// # Safety
    /// `queue` must be a live `cl_command_queue`; or a stream of this device that lives as long as the channel, or 0
    /// for the default stream.
    #[allow(unsafe_code)]
    pub unsafe fn channel_on(self: &Arc<Self>, queue: u64) -> Result<Channel> {
        let queue = self.first()?.clone().queue_on(queue)?;
        self.channel_over(queue)
    }

    /// Wraps the caller's memory on the device: an address of CUDA, or a `cl_mem`, which is kept alive.
    ///
    /// # Errors
    /// [`Error::Foreign`] for memory of another device or context; [`Error::Refused`] for a `cl_mem` that is too short.
    ///
    /// # Safety
    /// `memory` must be a live `cl_mem`; or an address with `bytes` bytes that live until the buffer is dropped and all
    /// work with it is done. Meanwhile only work in this queue may write there.
    #[allow(unsafe_code)]
    pub unsafe fn buffer_at(&self, memory: u64, bytes: usize) -> Result<Buffer> {
        self.first()?.memory_at(memory, bytes).map(Buffer)
    }

    /// Loads and tests a program, once.
    pub(crate) fn ready(self: &Arc<Self>, program: Program) -> Result<()> {
        if let Some(result) = self.ready.lock().unwrap_or_else(|e| e.into_inner()).get(&program) {
            return result.clone();
        }
        // Two threads may do this at once; the results are equal.
        let result = self.driver().load(program).and_then(|()| selftest::run(self, program));
        match &result {
            Err(e @ Error::Wrong(_)) => self.lose(e.clone()),
            // There may be memory the next time.
            Err(Error::Memory(_)) => return result,
            _ => {}
        }
        self.ready.lock().unwrap_or_else(|e| e.into_inner()).insert(program, result.clone());
        result
    }

    /// Loads and tests programs now, not at their first use. A program that the driver refuses is not used; the others
    /// still are.
    ///
    /// # Errors
    /// [`Error::Wrong`] with the kernel's name, and then the device is not used; the driver's.
    pub fn prepare(self: &Arc<Self>, programs: &[Program]) -> Result<()> {
        programs.iter().try_for_each(|p| self.ready(*p))
    }
}
