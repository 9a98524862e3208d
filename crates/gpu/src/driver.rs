//! The interface of drivers: memory, and a queue of copies and kernels.

use std::any::Any;
use std::sync::Arc;

use crate::{Program, Result};

/// A device's own description.
#[derive(Clone, Debug)]
pub struct Facts {
    /// `opencl` or `cuda`.
    pub driver: &'static str,
    /// The device's name.
    pub name: String,
    /// The vendor and the version.
    pub version: String,
    /// The size of its memory in bytes.
    pub memory: u64,
    /// The number of multiprocessors or compute units.
    pub units: u32,
    /// The clock in MHz, if the driver states it: some say 0.
    pub clock: Option<u32>,
    /// Operations on words per unit and clock, if known: LOP3 of NVIDIA, VALU of AMD.
    pub gates: Option<u32>,
    /// The bandwidth of its memory in bytes per second, if known.
    pub bandwidth: Option<u64>,
    /// The compilers' name of its architecture: `sm_90`, `gfx90a`.
    pub family: Option<String>,
    /// The number of its PCI bus, if the driver tells it.
    pub bus: Option<u32>,
    /// Set for a processor, which gains nothing by being used as a device.
    pub processor: bool,
}

/// A device's memory.
pub(crate) struct Memory {
    pub len: usize,
    /// The driver's handle.
    pub handle: Box<dyn Any + Send + Sync>,
}

/// Memory of the host that the device can access fast.
pub(crate) trait Pinned: Send {
    fn bytes(&mut self) -> &mut [u8];
}

/// An argument of a kernel.
pub(crate) enum Arg<'a> {
    /// Words common to all threads.
    Uniform(&'a [u32]),
    Memory(&'a Memory),
    U32(u32),
    U64(u64),
}

macro_rules! arguments {
    ($($from:ty, $x:ident => $arg:expr;)*) => {$(
        impl<'a> From<$from> for Arg<'a> {
            fn from($x: $from) -> Self {
                $arg
            }
        }
    )*};
}
arguments! {
    &'a [u32], words => Arg::Uniform(words);
    &'a crate::Buffer, buffer => Arg::Memory(&buffer.0);
    u32, x => Arg::U32(x);
    u64, x => Arg::U64(x);
}

/// The arguments of a kernel, in their order.
macro_rules! args {
    ($($x:expr),*) => { [$($crate::driver::Arg::from($x)),*] };
}
pub(crate) use args;

pub(crate) trait Driver: Send + Sync {
    fn facts(&self) -> &Facts;
    /// Returns whether its kernels use three-input gates.
    fn ternary(&self) -> bool;
    /// Compiles or loads a program.
    fn load(&self, program: Program) -> Result<()>;
    fn allocate(&self, bytes: usize) -> Result<Memory>;
    fn pinned(&self, bytes: usize) -> Result<Box<dyn Pinned>>;
    fn queue(self: Arc<Self>) -> Result<Box<dyn Queue>>;
    /// Wraps a queue of the caller, who guarantees that it is valid.
    fn queue_on(self: Arc<Self>, queue: u64) -> Result<Box<dyn Queue>>;
    /// Wraps memory of the caller, who guarantees that it is valid.
    fn memory_at(&self, address: u64, bytes: usize) -> Result<Memory>;
}

/// Ordered work. Enqueued work may be delayed until `finish`.
pub(crate) trait Queue: Send {
    /// Copies to the device; returns when `bytes` may change.
    fn write(&mut self, to: &Memory, at: usize, bytes: &[u8]) -> Result<()>;
    /// Copies from the device, after all enqueued work.
    fn read(&mut self, from: &Memory, at: usize, bytes: &mut [u8]) -> Result<()>;
    /// Overwrites the first bytes with zeros.
    fn wipe(&mut self, memory: &Memory, bytes: usize) -> Result<()>;
    /// Runs a kernel on at least this many threads.
    fn launch(
        &mut self,
        program: Program,
        kernel: &'static str,
        threads: u64,
        args: &[Arg<'_>],
    ) -> Result<()>;
    fn finish(&mut self) -> Result<()>;
}
