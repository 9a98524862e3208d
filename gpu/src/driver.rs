//! What is asked of a driver: memory, a queue of copies and kernels.

use std::any::Any;
use std::sync::Arc;

use crate::{Program, Result};

/// What a device says of itself.
#[derive(Clone, Debug)]
pub struct Facts {
    /// `opencl` or `cuda`.
    pub driver: &'static str,
    /// Its name.
    pub name: String,
    /// Whose it is and which version.
    pub version: String,
    /// Bytes of its memory.
    pub memory: u64,
    /// Multiprocessors, or compute units.
    pub units: u32,
    /// Its clock in MHz, as it says.
    pub clock: u32,
    /// Operations on words that a unit does in a clock, where that is known: LOP3 of NVIDIA, VALU of AMD.
    pub gates: Option<u32>,
    /// Bytes a second of its memory, where that is known.
    pub bandwidth: Option<u64>,
    /// What compilers call its kind: `sm_90`, `gfx90a`.
    pub family: Option<String>,
    /// Whether it is a processor, which has nothing to gain from being a device.
    pub processor: bool,
}

/// A device's memory.
pub(crate) struct Memory {
    pub len: usize,
    /// The driver's own.
    pub handle: Box<dyn Any + Send + Sync>,
}

/// Memory of the host that the device reads and writes fast.
pub(crate) trait Pinned: Send {
    fn bytes(&mut self) -> &mut [u8];
}

/// An argument of a kernel.
pub(crate) enum Arg<'a> {
    /// Words that are the same for all threads.
    Uniform(&'a [u32]),
    Memory(&'a Memory),
    U32(u32),
    U64(u64),
}

pub(crate) trait Driver: Send + Sync {
    fn facts(&self) -> &Facts;
    /// Whether its kernels are those of three-input gates.
    fn ternary(&self) -> bool;
    /// Compiles or loads a program.
    fn load(&self, program: Program) -> Result<()>;
    fn allocate(&self, bytes: usize) -> Result<Memory>;
    fn pinned(&self, bytes: usize) -> Result<Box<dyn Pinned>>;
    fn queue(self: Arc<Self>) -> Result<Box<dyn Queue>>;
    /// Over a queue of the caller's, who answers for it.
    fn queue_on(self: Arc<Self>, queue: u64) -> Result<Box<dyn Queue>>;
    /// Memory of the caller's, who answers for it.
    fn memory_at(&self, address: u64, bytes: usize) -> Result<Memory>;
}

/// Work in order. What is enqueued may wait until `finish`.
pub(crate) trait Queue: Send {
    /// Copies to the device; the bytes may be changed after it.
    fn write(&mut self, to: &Memory, at: usize, bytes: &[u8]) -> Result<()>;
    /// Copies from the device, when all that was enqueued is done.
    fn read(&mut self, from: &Memory, at: usize, bytes: &mut [u8]) -> Result<()>;
    /// Overwrites the first bytes with zeros.
    fn wipe(&mut self, memory: &Memory, bytes: usize) -> Result<()>;
    /// Runs a kernel on at least so many threads.
    fn launch(
        &mut self,
        program: Program,
        kernel: &'static str,
        threads: u64,
        args: &[Arg<'_>],
    ) -> Result<()>;
    fn finish(&mut self) -> Result<()>;
}
