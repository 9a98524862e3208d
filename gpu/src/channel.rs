//! Ordered work on a device: memory, copies, launches, and the common parts of all kernels.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use bulat::batch::Key;
use bulat_core::cipher::Count;

use crate::driver::{Arg, Queue};
use crate::key::Material;
use crate::{Buffer, Device, Error, Program, Result};

/// Ordered work on a device, with data that stays there. Calls return before their work is done, except `read` and
/// `finish`, which wait.
pub struct Channel {
    pub(crate) device: Arc<Device>,
    pub(crate) queue: Box<dyn Queue>,
    /// Set during the self-test: programs need not have passed it yet.
    pub(crate) testing: bool,
    /// Buffers for intermediate data, kept for the next call.
    pub(crate) rooms: Vec<Buffer>,
    pub(crate) constants: Option<Buffer>,
}

/// The parts of a buffer that are streams in chained modes, or messages of a hash, processed side by side.
#[derive(Clone, Copy)]
pub struct Spans<'a> {
    /// The offset of each in bytes; a multiple of the block's length, or of 4 for a hash.
    pub at: &'a [u64],
    /// The length of each in bytes.
    pub bytes: &'a [u64],
}

/// The sections of a keystream.
#[derive(Clone, Copy)]
pub struct Sections<'a> {
    /// The registers before the first block of each section, concatenated.
    pub registers: &'a [u8],
    /// How the registers advance; not [`Count::Cnt`].
    pub count: Count,
    /// The length of a section in bytes.
    pub bytes: usize,
}

/// The sectors of XTS.
#[derive(Clone, Copy)]
pub struct Sectors<'a> {
    /// The encrypted tweaks: 16 bytes for each sector.
    pub tweaks: &'a [u8],
    /// The length of a sector in bytes.
    pub bytes: usize,
}

impl Channel {
    /// Uses programs without their self-test: for tests, which then compile only the programs that they run.
    #[doc(hidden)]
    pub fn trust(&mut self) {
        self.testing = true;
    }

    /// Returns the device.
    pub fn device(&self) -> &Arc<Device> {
        &self.device
    }

    /// Allocates memory on the device.
    ///
    /// # Errors
    /// [`Error::Memory`].
    pub fn allocate(&self, bytes: usize) -> Result<Buffer> {
        if crate::device::Faults::now(&self.device.faults().full) {
            return Err(Error::Memory(bytes as u64));
        }
        // Ends of texts are written as whole blocks.
        Ok(Buffer(self.device.driver.allocate(bytes.next_multiple_of(64))?))
    }

    /// Copies to the device.
    ///
    /// # Errors
    /// The driver's.
    pub fn write(&mut self, to: &Buffer, at: usize, bytes: &[u8]) -> Result<()> {
        self.queue.write(&to.0, at, bytes)
    }

    /// Copies from the device, after all earlier work is done.
    ///
    /// # Errors
    /// The driver's.
    pub fn read(&mut self, from: &Buffer, at: usize, bytes: &mut [u8]) -> Result<()> {
        self.queue.read(&from.0, at, bytes)?;
        if crate::device::Faults::now(&self.device.faults().wrong)
            && let Some(b) = bytes.first_mut()
        {
            *b ^= 1;
        }
        Ok(())
    }

    /// Waits for all earlier work.
    ///
    /// # Errors
    /// The driver's.
    pub fn finish(&mut self) -> Result<()> {
        self.queue.finish()
    }

    pub(crate) fn launch(
        &mut self,
        program: Program,
        kernel: &'static str,
        threads: u64,
        args: &[Arg<'_>],
    ) -> Result<()> {
        if crate::device::Faults::now(&self.device.faults().fails) {
            return Err(Error::Driver("a launch", "simulated".into()));
        }
        let slow = self.device.faults().slow.load(Ordering::Relaxed);
        if slow > 0 {
            std::thread::sleep(std::time::Duration::from_millis(slow));
        }
        if crate::device::Faults::now(&self.device.faults().hangs) {
            std::thread::sleep(std::time::Duration::from_secs(20));
            return Err(Error::Hangs);
        }
        if threads == 0 {
            return Ok(());
        }
        self.queue.launch(program, kernel, threads, args)
    }

    pub(crate) fn room(&mut self, bytes: usize) -> Result<Buffer> {
        match self.rooms.iter().position(|r| r.len() >= bytes) {
            Some(i) => Ok(self.rooms.swap_remove(i)),
            None => self.allocate(bytes),
        }
    }

    pub(crate) fn upload(&mut self, bytes: &[u8]) -> Result<Buffer> {
        let room = self.room(bytes.len())?;
        self.write(&room, 0, bytes)?;
        Ok(room)
    }

    /// Returns buffers after their last use has been enqueued: the queue keeps the order.
    pub(crate) fn give(&mut self, rooms: impl IntoIterator<Item = Buffer>) -> Result<()> {
        self.rooms.extend(rooms);
        let more = self.rooms.drain(self.rooms.len().min(16)..).collect::<Vec<_>>();
        more.into_iter().try_for_each(|room| self.secret(room))
    }

    pub(crate) fn ready(&self, program: Program) -> Result<()> {
        if self.testing { self.device.driver.load(program) } else { self.device.ready(program) }
    }

    pub(crate) fn start(&self, key: &Key<'_>) -> Result<Material> {
        let material = Material::new(key, self.device.driver.ternary());
        self.ready(material.program)?;
        Ok(material)
    }

    pub(crate) fn blocks(material: &Material, bytes: usize, buffers: &[&Buffer]) -> Result<u64> {
        let whole = bytes.next_multiple_of(material.block);
        if buffers.iter().any(|b| b.len() < whole) {
            return Err(Error::Refused(bulat::Error::BufferLength));
        }
        Ok((whole / material.block) as u64)
    }

    /// Overwrites a buffer with zeros, after all earlier work.
    ///
    /// # Errors
    /// The driver's.
    pub fn wipe(&mut self, buffer: &Buffer) -> Result<()> {
        self.wipe_first(buffer, buffer.len())
    }

    /// Overwrites only the first bytes with zeros.
    pub(crate) fn wipe_first(&mut self, buffer: &Buffer, bytes: usize) -> Result<()> {
        self.queue.wipe(&buffer.0, bytes)
    }

    /// Frees memory that held a secret, after overwriting it.
    pub(crate) fn secret(&mut self, room: Buffer) -> Result<()> {
        self.wipe(&room)
    }

    /// Overwrites and frees the buffers kept for later calls.
    pub(crate) fn forget(&mut self) -> Result<()> {
        while let Some(room) = self.rooms.pop() {
            self.secret(room)?;
        }
        Ok(())
    }
}

impl Drop for Channel {
    fn drop(&mut self) {
        if self.device.lost().is_none() {
            // A failed queue cannot overwrite anything.
            let _ = self.forget();
        }
    }
}
