//! bulat's algorithms on GPUs: bit-sliced kernels for OpenCL and CUDA, from the circuits of the library. Results are those
//! of the processor, bit for bit.
//!
//! Drivers are looked for at run time. A program without any starts, [`devices`] says in words what was found and what was
//! not, and the work is done on the processor.
//!
//! | I want to | |
//! |---|---|
//! | see what there is | [`devices`] |
//! | do jobs on the processor and all devices | [`Engine::run`] |
//! | have keys derived of many passwords | [`Engine::pbkdf2`] |
//! | work on data in a device's memory | [`Device::channel`], [`Channel`] |
//! | the same in memory and queues of others | [`Device::channel_on`], [`Device::buffer_at`] |
//! | see how fast it is, and how fast it could be | [`measure`] |
//!
//! No kernel looks anything up by a secret or branches on one. In the machine code for NVIDIA `gpu/constant-time` shows it; what
//! OpenCL's drivers make of the text has not been looked at. On a device, keys and the engine's texts are overwritten after a
//! call that succeeded; nothing is after a device has failed.
//! `docs/GPU.md` has the rest.

// Built without a driver, it says so, and the engine has the processor alone.
#![cfg_attr(not(any(feature = "opencl", feature = "cuda")), allow(dead_code))]

mod channel;
mod ciphers;
#[cfg(feature = "cuda")]
mod cuda;
mod device;
mod driver;
mod engine;
mod error;
mod hashes;
mod key;
pub mod measure;
mod messages;
#[cfg(feature = "opencl")]
mod opencl;
mod passwords;
mod queue;
mod resident;
mod sealed;
mod selftest;
mod slot;
mod source;
mod texts;

use std::sync::Arc;

pub use channel::{Channel, Sections, Sectors, Spans};
pub use device::{Buffer, Device, Map};
pub use driver::Facts;
pub use engine::{Engine, Options, Report};
pub use error::{Error, Result};
pub use source::Program;

/// What was looked for and found.
pub struct Found {
    /// Devices that answer, in the order of their drivers.
    pub devices: Vec<Arc<Device>>,
    /// Why a driver has none, in words.
    pub remarks: Vec<String>,
}

/// Looks for devices: those of CUDA, then those of OpenCL that CUDA has not.
pub fn devices() -> Found {
    #[allow(unused_mut)]
    let (mut drivers, mut remarks): (Vec<Arc<dyn driver::Driver>>, Vec<String>) =
        Default::default();
    #[cfg(feature = "cuda")]
    {
        let (found, why) = cuda::devices();
        drivers.extend(found);
        remarks.extend(why);
    }
    #[cfg(feature = "opencl")]
    {
        let (found, why) = opencl::devices();
        let new = |d: &Arc<dyn driver::Driver>| {
            !drivers
                .iter()
                .any(|c| c.facts().name == d.facts().name && c.facts().driver != "opencl")
        };
        let found: Vec<_> = found.into_iter().filter(new).collect();
        drivers.extend(found);
        remarks.extend(why);
    }
    if !cfg!(any(feature = "opencl", feature = "cuda")) {
        remarks.push("built without OpenCL and CUDA".into());
    }
    let names: Vec<String> = drivers.iter().map(|d| d.facts().name.clone()).collect();
    let label = |i: usize| {
        let same = |n: &&String| **n == names[i];
        match names.iter().filter(same).count() {
            1 => names[i].clone(),
            _ => format!("{} #{}", names[i], names[..i].iter().filter(same).count() + 1),
        }
    };
    let devices = drivers.into_iter().enumerate().map(|(i, d)| Device::new(d, label(i)));
    Found { devices: devices.collect(), remarks }
}
