//! Ordered work on a device: memory, copies, launches, and the common parts of all kernels.

use std::sync::Arc;

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
    /// Buffers for intermediate data, kept for the next call: overwritten ones, and those that still have content.
    pub(crate) clean: Vec<Buffer>,
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

/// The most buffers that are kept.
const MOST_KEPT: usize = 16;

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
        // Ends of texts are written as whole blocks.
        Ok(Buffer(self.device.driver().allocate(bytes.next_multiple_of(64))?))
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
        self.queue.read(&from.0, at, bytes)
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
        if threads == 0 {
            return Ok(());
        }
        self.queue.launch(program, kernel, threads, args)
    }

    /// Returns a buffer for intermediate data: the smallest that fits, or a new one. Freeing memory makes a driver wait
    /// for the whole device, so buffers are given back and kept.
    pub(crate) fn room(&mut self, bytes: usize) -> Result<Buffer> {
        // Few sizes, so that buffers fit the next call.
        let size = match bytes {
            0..0x10_0000 => bytes.next_power_of_two().max(4096),
            _ => bytes.next_multiple_of(0x10_0000),
        };
        for kept in [&mut self.rooms, &mut self.clean] {
            // A far larger one stays for larger data: a secret in it would cost a wipe of all of it.
            let fits = |r: &Buffer| r.len() >= bytes && r.len() / 4 <= size;
            let all = kept.iter().enumerate().filter(|(_, r)| fits(r));
            if let Some((i, _)) = all.min_by_key(|(_, r)| r.len()) {
                return Ok(kept.swap_remove(i));
            }
        }
        match self.allocate(size) {
            // The kept buffers may fill the device.
            Err(Error::Memory(_)) if self.kept() > 0 => {
                self.free()?;
                self.allocate(size)
            }
            result => result,
        }
    }

    fn kept(&self) -> usize {
        self.rooms.len() + self.clean.len()
    }

    /// Frees the kept buffers, overwritten.
    fn free(&mut self) -> Result<()> {
        self.forget()?;
        self.clean.clear();
        Ok(())
    }

    pub(crate) fn upload(&mut self, bytes: &[u8]) -> Result<Buffer> {
        let room = self.room(bytes.len())?;
        self.write(&room, 0, bytes)?;
        Ok(room)
    }

    /// Returns buffers after their last use has been enqueued: the queue keeps the order.
    pub(crate) fn give(&mut self, rooms: impl IntoIterator<Item = Buffer>) -> Result<()> {
        self.rooms.extend(rooms);
        self.few()
    }

    /// Frees the smallest buffers if there are many.
    fn few(&mut self) -> Result<()> {
        while self.kept() > MOST_KEPT {
            self.forget()?;
            let all = self.clean.iter().enumerate();
            if let Some((i, _)) = all.min_by_key(|(_, r)| r.len()) {
                drop(self.clean.swap_remove(i));
            }
        }
        Ok(())
    }

    pub(crate) fn ready(&self, program: Program) -> Result<()> {
        if self.testing { self.device.driver().load(program) } else { self.device.ready(program) }
    }

    pub(crate) fn start(&self, key: &Key<'_>) -> Result<Material> {
        let material = Material::new(key, self.device.driver().ternary());
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

    /// Returns a buffer that held a secret, overwritten.
    pub(crate) fn secret(&mut self, room: Buffer) -> Result<()> {
        self.wipe(&room)?;
        self.clean.push(room);
        self.few()
    }

    /// Overwrites the buffers kept for later calls.
    pub(crate) fn forget(&mut self) -> Result<()> {
        while let Some(room) = self.rooms.pop() {
            self.wipe(&room)?;
            self.clean.push(room);
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

#[cfg(all(test, any(feature = "opencl", feature = "cuda")))]
mod tests {
    use super::*;

    /// Few buffers are kept, of like size; `full_card` in tests/fake.rs has a device that is full.
    #[test]
    fn kept_buffers() {
        let Some(device) = crate::devices().devices.into_iter().next() else {
            println!("skipped: no device (apt-get install ocl-icd-libopencl1 pocl-opencl-icd)");
            return;
        };
        let mut channel = device.channel().unwrap();
        for i in 1..40 {
            let room = channel.allocate(i << 14).unwrap();
            channel.secret(room).unwrap();
            assert!(channel.kept() <= MOST_KEPT);
        }
        // The largest are kept, and not used for little.
        assert!(channel.clean.iter().any(|r| r.len() == 39 << 14));
        assert_eq!(channel.room(64).unwrap().len(), 4096);
    }
}
