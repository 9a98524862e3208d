//! bulat's algorithms on GPUs: bit-sliced kernels for OpenCL and CUDA, made from the library's circuits. Results equal
//! those of the processor, bit for bit.
//!
//! Drivers are loaded at run time. A program starts without any driver: [`devices`] lists the devices and says
//! why a driver has none, and the processor does the work.
//!
//! | I want to | |
//! |---|---|
//! | list the devices | [`devices`] |
//! | run jobs on the processor and all devices | [`Engine::run`] |
//! | derive keys from many passwords | [`Engine::pbkdf2`] |
//! | work on data in a device's memory | [`Device::channel`], [`Channel`] |
//! | work in memory and queues of other libraries | [`Device::channel_on`], [`Device::buffer_at`] |
//! | measure speed, and its limits | [`measure`] |
//!
//! No kernel looks anything up by a secret or branches on one. For NVIDIA `crates/gpu/constant-time` verifies this in the
//! machine code; the output of OpenCL's compilers has not been examined. On a device, keys and the engine's texts are
//! overwritten after a call that succeeded, but not after a device has failed. `docs/GPU.md` describes the rest.

// Built without a driver, the crate reports so, and the engine has only the processor.
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
mod workers;

use std::sync::Arc;

pub use channel::{Channel, Sections, Sectors, Spans};
pub use device::{Buffer, Device, Map};
pub use driver::Facts;
pub use engine::{Engine, Options, Report};
pub use error::{Error, Result};
pub use source::Program;

/// The devices found.
pub struct Found {
    /// Devices that respond, in the order of their drivers.
    pub devices: Vec<Arc<Device>>,
    /// The reasons why a driver has no devices, or some are left out.
    pub remarks: Vec<String>,
}

/// Finds devices: those of CUDA, then those of OpenCL that CUDA does not have. A device of both is used by CUDA; if
/// that loads no programs, by OpenCL. Processors, which OpenCL can have too, are left out if there is a card. No
/// device is used yet.
pub fn devices() -> Found {
    // The drivers of each device.
    #[allow(unused_mut)]
    let (mut all, mut remarks): (Vec<Vec<Arc<dyn driver::Driver>>>, Vec<String>) =
        Default::default();
    #[cfg(feature = "cuda")]
    {
        let (found, why) = cuda::devices();
        all.extend(found.into_iter().map(|d| vec![d]));
        remarks.extend(why);
    }
    #[cfg(feature = "opencl")]
    {
        let (found, why) = opencl::devices();
        for device in found {
            // A device of CUDA without OpenCL's driver yet; the bus tells apart equal cards, of which CUDA may refuse one.
            let same = |of: &&mut Vec<Arc<dyn driver::Driver>>| {
                let first = of[0].facts();
                let one = first.bus.zip(device.facts().bus).is_none_or(|(a, b)| a == b);
                of.len() == 1 && first.driver == "cuda" && first.name == device.facts().name && one
            };
            match all.iter_mut().find(same) {
                Some(of) => of.push(device),
                None => all.push(vec![device]),
            }
        }
        remarks.extend(why);
    }
    if !cfg!(any(feature = "opencl", feature = "cuda")) {
        remarks.push("built without OpenCL and CUDA".into());
    }
    // A processor is slower as a device than as itself, and compilers of OpenCL for processors can end the whole program.
    if all.iter().any(|d| !d[0].facts().processor) {
        all.retain(|d| {
            let facts = d[0].facts();
            if facts.processor {
                remarks.push(format!(
                    "OpenCL: {}: a processor, not used where there is a card",
                    facts.name
                ));
            }
            !facts.processor
        });
    }
    let names: Vec<String> = all.iter().map(|d| d[0].facts().name.clone()).collect();
    let label = |i: usize| {
        let same = |n: &&String| **n == names[i];
        match names.iter().filter(same).count() {
            1 => names[i].clone(),
            _ => format!("{} #{}", names[i], names[..i].iter().filter(same).count() + 1),
        }
    };
    let devices = all.into_iter().enumerate().map(|(i, d)| Device::new(d, label(i)));
    Found { devices: devices.collect(), remarks }
}
