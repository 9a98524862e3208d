//! Work on a device in order: its memory, copies, launches, and what all kernels need.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use bulat::batch::Key;
use bulat_core::cipher::Count;

use crate::driver::{Arg, Queue};
use crate::key::Material;
use crate::{Buffer, Device, Error, Program, Result};

/// Work on a device in order, with data that stays there. What is asked for may still run when a call returns; `read` and
/// `finish` wait.
pub struct Channel {
    pub(crate) device: Arc<Device>,
    pub(crate) queue: Box<dyn Queue>,
    /// For the self-test: programs need not have passed it.
    pub(crate) testing: bool,
    /// Room for what is between, kept for the next call.
    pub(crate) rooms: Vec<Buffer>,
    pub(crate) constants: Option<Buffer>,
}

/// Streams side by side in chained modes, or messages of a hash.
#[derive(Clone, Copy)]
pub struct Spans<'a> {
    /// Where each begins, in bytes; a multiple of the block, or of 4 for a hash.
    pub at: &'a [u64],
    /// How many bytes each has.
    pub bytes: &'a [u64],
}

/// Sections of a keystream.
#[derive(Clone, Copy)]
pub struct Sections<'a> {
    /// Before the first block of each, one after the other.
    pub registers: &'a [u8],
    /// How they go on; not [`Count::Cnt`].
    pub count: Count,
    /// How many bytes a section has.
    pub bytes: usize,
}

/// Sectors in XTS.
#[derive(Clone, Copy)]
pub struct Sectors<'a> {
    /// Their tweaks, encrypted already: 16 bytes for each.
    pub tweaks: &'a [u8],
    /// How many bytes a sector has.
    pub bytes: usize,
}

impl Channel {
    /// Programs are taken without their self-test: for tests, which compile no more than they run.
    #[doc(hidden)]
    pub fn trust(&mut self) {
        self.testing = true;
    }

    /// The device.
    pub fn device(&self) -> &Arc<Device> {
        &self.device
    }

    /// Memory of the device.
    ///
    /// # Errors
    /// [`Error::Memory`].
    pub fn allocate(&self, bytes: usize) -> Result<Buffer> {
        if crate::device::Faults::now(&self.device.faults().full) {
            return Err(Error::Memory(bytes as u64));
        }
        // Tails are written as whole blocks.
        Ok(Buffer(self.device.driver.allocate(bytes.next_multiple_of(64))?))
    }

    /// Copies to the device.
    ///
    /// # Errors
    /// The driver's.
    pub fn write(&mut self, to: &Buffer, at: usize, bytes: &[u8]) -> Result<()> {
        self.queue.write(&to.0, at, bytes)
    }

    /// Copies from the device, when all that was asked for before is done.
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

    /// Waits for all that was asked for.
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

    /// Gives rooms back, when what uses them is in the queue: later work comes after it.
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

    /// Overwrites a buffer with zeros, after what was asked for before.
    ///
    /// # Errors
    /// The driver's.
    pub fn wipe(&mut self, buffer: &Buffer) -> Result<()> {
        self.wipe_first(buffer, buffer.len())
    }

    /// The first bytes alone.
    pub(crate) fn wipe_first(&mut self, buffer: &Buffer, bytes: usize) -> Result<()> {
        self.queue.wipe(&buffer.0, bytes)
    }

    /// Frees memory that had a secret, when it is overwritten.
    pub(crate) fn secret(&mut self, room: Buffer) -> Result<()> {
        self.wipe(&room)
    }

    /// Overwrites and frees what calls have left for the next one.
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
            // What no longer takes orders cannot be overwritten.
            let _ = self.forget();
        }
    }
}
