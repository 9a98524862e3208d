//! CUDA: opens the driver's library at run time. The kernels are embedded in the program, compiled by `crates/gpu/build-cuda`.
#![allow(unsafe_code)]

use std::collections::HashMap;
use std::ffi::{CString, c_void};
use std::sync::{Arc, Mutex, OnceLock};

use cudarc::driver::result::{self, DriverError};
use cudarc::driver::sys;

use crate::driver::{Arg, Driver, Facts, Memory, Pinned, Queue};
use crate::{Error, Program, Result};

fn refused(call: &'static str) -> impl Fn(DriverError) -> Error {
    move |e| {
        let text = |s: std::result::Result<&std::ffi::CStr, DriverError>| {
            s.map(|s| s.to_string_lossy().into_owned()).unwrap_or_default()
        };
        Error::Driver(call, format!("{} ({})", text(e.error_string()), text(e.error_name())))
    }
}

/// Returns the error of a call that allocates.
fn full(call: &'static str, bytes: usize) -> impl Fn(DriverError) -> Error {
    move |e| match e.0 {
        sys::CUresult::CUDA_ERROR_OUT_OF_MEMORY => Error::Memory(bytes as u64),
        _ => refused(call)(e),
    }
}

/// The oldest version of CUDA with drivers that load the programs, and the drivers' number.
const OLDEST: i32 = 12010;
const OLDEST_DRIVER: u32 = 530;

/// An image at an address that drivers accept.
#[repr(align(64))]
struct Aligned<T: ?Sized>(T);

/// Returns the compiled programs, each of which suffices: machine code for several generations, which needs a driver
/// of CUDA 13, then PTX, which every driver compiles.
fn images(program: Program) -> [Option<&'static [u8]>; 2] {
    macro_rules! image {
        ($file:expr) => {{
            static IMAGE: &Aligned<[u8]> = &Aligned(*include_bytes!($file));
            &IMAGE.0
        }};
    }
    macro_rules! both {
        ($name:literal) => {
            [
                Some(image!(concat!("../cuda/", $name, ".fatbin"))),
                Some(image!(concat!("../cuda/ptx/", $name, ".fatbin"))),
            ]
        };
    }
    macro_rules! fatbins {
        ($($name:literal)*) => {
            [$(image!(concat!("../cuda/gost28147-", $name, ".fatbin"))),*]
        };
    }
    match program {
        Program::Magma => both!("magma"),
        Program::Kuznyechik => both!("kuznyechik"),
        Program::Streebog => both!("streebog"),
        Program::Beside => both!("beside"),
        Program::Gf => both!("gf"),
        Program::Gost28147(set) => [fatbins!(0 1 2 3 4 5 6 7).get(usize::from(set)).copied(), None],
        Program::OwnBoxes => [Some(image!("../cuda/gost28147-own.fatbin")), None],
    }
}

/// Returns the usable devices, and the reasons why there are none or some are left out.
pub(crate) fn devices() -> (Vec<Arc<dyn Driver>>, Vec<String>) {
    // SAFETY: it only opens libraries by name and closes them.
    if !unsafe { sys::is_culib_present() } {
        return (Vec::new(), vec!["CUDA: no driver is installed (libcuda was not found)".into()]);
    }
    let open = || -> Result<(Vec<Arc<dyn Driver>>, Vec<String>)> {
        let (mut found, mut remarks): (Vec<Arc<dyn Driver>>, _) = (Vec::new(), Vec::new());
        result::init().map_err(refused("cuInit"))?;
        let count = result::device::get_count().map_err(refused("cuDeviceGetCount"))?;
        if count == 0 {
            remarks.push("CUDA: the driver has no device".into());
            return Ok((found, remarks));
        }
        let mut version = 0;
        // SAFETY: the function writes a number.
        unsafe { sys::cuDriverGetVersion(&mut version) }
            .result()
            .map_err(refused("cuDriverGetVersion"))?;
        if version < OLDEST {
            return Err(Error::Old(OLDEST_DRIVER));
        }
        for i in 0..count {
            match Cuda::open(i, version) {
                Ok(device) => found.push(Arc::new(device)),
                Err(e) => remarks.push(format!("CUDA: device {i}: {e}")),
            }
        }
        Ok((found, remarks))
    };
    // Calling a function that an old driver's library lacks panics.
    match std::panic::catch_unwind(open) {
        Ok(Ok(found)) => found,
        Ok(Err(e)) => (Vec::new(), vec![format!("CUDA: {e}")]),
        Err(_) => (Vec::new(), vec![format!("CUDA: {}", Error::Old(OLDEST_DRIVER))]),
    }
}

struct Handle<T>(T);
// SAFETY: contexts, modules and streams may be used from any thread that has made their context current.
unsafe impl<T> Send for Handle<T> {}
unsafe impl<T> Sync for Handle<T> {}

/// The primary context of a device, retained at its first use. Its users make it current.
struct Current(OnceLock<Handle<sys::CUcontext>>, sys::CUdevice);
impl Current {
    fn enter(&self) -> Result<()> {
        let context = match self.0.get() {
            Some(context) => context.0,
            None => {
                // SAFETY: the driver returned this device; its context is released below or by `drop`.
                let new = unsafe { result::primary_ctx::retain(self.1) }
                    .map_err(full("cuDevicePrimaryCtxRetain", 0))?;
                if self.0.set(Handle(new)).is_err() {
                    // SAFETY: another thread retained it too; one of both counts is returned.
                    let _ = unsafe { result::primary_ctx::release(self.1) };
                }
                new
            }
        };
        // SAFETY: the context is retained until `drop`.
        unsafe { result::ctx::set_current(context) }.map_err(refused("cuCtxSetCurrent"))
    }
}
impl Drop for Current {
    fn drop(&mut self) {
        if self.0.get().is_some() {
            // SAFETY: the context was retained once, and is released once.
            let _ = unsafe { result::primary_ctx::release(self.1) };
        }
    }
}

pub(crate) struct Cuda {
    facts: Facts,
    context: Arc<Current>,
    modules: Mutex<HashMap<Program, Handle<sys::CUmodule>>>,
}

impl Cuda {
    fn open(ordinal: i32, version: i32) -> Result<Self> {
        use sys::CUdevice_attribute::*;
        let device = result::device::get(ordinal).map_err(refused("cuDeviceGet"))?;
        // SAFETY: the driver returned this device.
        let attribute = |a| {
            unsafe { result::device::get_attribute(device, a) }
                .map_err(refused("cuDeviceGetAttribute"))
        };
        let (major, minor) = (
            attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)?,
            attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)?,
        );
        if (major, minor) < (7, 5) {
            return Err(Error::Unsupported("NVIDIA devices before compute capability 7.5"));
        }
        let width = attribute(CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH)? as u64 / 8;
        let clock = attribute(CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE)? as u64 * 1000;
        let facts = Facts {
            driver: "cuda",
            name: result::device::get_name(device).map_err(refused("cuDeviceGetName"))?,
            version: format!(
                "compute capability {major}.{minor}, driver of CUDA {}.{}",
                version / 1000,
                version % 1000 / 10
            ),
            // SAFETY: the driver returned this device.
            memory: unsafe { result::device::total_mem(device) }
                .map_err(refused("cuDeviceTotalMem"))? as u64,
            units: attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)? as u32,
            clock: Some(attribute(CU_DEVICE_ATTRIBUTE_CLOCK_RATE)? as u32 / 1000)
                .filter(|mhz| *mhz > 0),
            // For all generations since 7.5.
            gates: Some(64),
            family: Some(format!("sm_{major}{minor}")),
            bandwidth: (clock > 0).then_some(2 * width * clock),
            bus: attribute(CU_DEVICE_ATTRIBUTE_PCI_BUS_ID).ok().map(|bus| bus as u32),
            processor: false,
        };
        let context = Arc::new(Current(OnceLock::new(), device));
        Ok(Cuda { facts, context, modules: Mutex::default() })
    }
}

impl Drop for Cuda {
    fn drop(&mut self) {
        // A context is not retained only for this.
        if self.context.0.get().is_some() && self.context.enter().is_ok() {
            for module in self.modules.get_mut().into_iter().flat_map(|m| m.values()) {
                // SAFETY: the module was loaded once, and is unloaded once.
                let _ = unsafe { result::module::unload(module.0) };
            }
        }
    }
}

struct Room {
    at: sys::CUdeviceptr,
    len: usize,
    context: Arc<Current>,
    /// Cleared for the caller's memory.
    owned: bool,
}
impl Drop for Room {
    fn drop(&mut self) {
        if self.owned && self.context.enter().is_ok() {
            // After an error the memory may still hold a secret.
            // SAFETY: the memory was allocated once, with this length, and is freed once, when no work uses it.
            unsafe {
                let _ = sys::cuCtxSynchronize().result();
                let _ = sys::cuMemsetD8_v2(self.at, 0, self.len).result();
                let _ = result::free_sync(self.at);
            }
        }
    }
}

struct Locked {
    at: *mut u8,
    len: usize,
    context: Arc<Current>,
}
impl Locked {
    /// Allocates in the current context.
    fn new(bytes: usize, context: &Arc<Current>) -> Result<Self> {
        // SAFETY: the number of bytes is positive. Not write-combined, because results are read from this memory.
        let at = unsafe { result::malloc_host(bytes.max(1), 0) }
            .map_err(full("cuMemHostAlloc", bytes))?;
        // SAFETY: `malloc_host` returned at least `bytes` bytes.
        unsafe { std::ptr::write_bytes(at.cast::<u8>(), 0, bytes) };
        Ok(Locked { at: at.cast(), len: bytes, context: context.clone() })
    }
}
// SAFETY: only this object refers to the memory.
unsafe impl Send for Locked {}
impl Pinned for Locked {
    fn bytes(&mut self) -> &mut [u8] {
        // SAFETY: the memory was allocated with this length, and zeroed.
        unsafe { std::slice::from_raw_parts_mut(self.at, self.len) }
    }
}
impl Drop for Locked {
    fn drop(&mut self) {
        if self.context.enter().is_ok() {
            // SAFETY: the memory was allocated once and is freed once.
            let _ = unsafe { result::free_host(self.at.cast()) };
        }
    }
}

impl Driver for Cuda {
    fn facts(&self) -> &Facts {
        &self.facts
    }
    fn ternary(&self) -> bool {
        true
    }
    fn load(&self, program: Program) -> Result<()> {
        let mut all = self.modules.lock().unwrap_or_else(|e| e.into_inner());
        if all.contains_key(&program) {
            return Ok(());
        }
        self.context.enter()?;
        let mut refusals = Vec::new();
        for image in images(program).into_iter().flatten() {
            // SAFETY: the image is a whole fatbin, which contains its own length.
            match unsafe { result::module::load_data(image.as_ptr().cast()) } {
                Ok(module) => {
                    all.insert(program, Handle(module));
                    return Ok(());
                }
                Err(e) => match full("cuModuleLoadData", image.len())(e) {
                    Error::Driver(_, answer) if refusals.contains(&answer) => {}
                    Error::Driver(_, answer) => refusals.push(answer),
                    // The program may load when there is memory.
                    e => return Err(e),
                },
            }
        }
        Err(Error::Driver("cuModuleLoadData", refusals.join("; as PTX: ")))
    }
    fn allocate(&self, bytes: usize) -> Result<Memory> {
        self.context.enter()?;
        // SAFETY: the number of bytes is positive.
        let at = unsafe { result::malloc_sync(bytes.max(1)) }.map_err(full("cuMemAlloc", bytes))?;
        Ok(Memory {
            len: bytes,
            handle: Box::new(Room { at, len: bytes, context: self.context.clone(), owned: true }),
        })
    }
    fn pinned(&self, bytes: usize) -> Result<Box<dyn Pinned>> {
        self.context.enter()?;
        Ok(Box::new(Locked::new(bytes, &self.context)?))
    }
    fn queue(self: Arc<Self>) -> Result<Box<dyn Queue>> {
        self.context.enter()?;
        let stream = result::stream::create(result::stream::StreamKind::NonBlocking)
            .map_err(full("cuStreamCreate", 0))?;
        let work = Work::on(self, stream, true);
        if work.is_err() {
            // SAFETY: the stream was created above, and has no work.
            let _ = unsafe { result::stream::destroy(stream) };
        }
        Ok(Box::new(work?))
    }
    fn queue_on(self: Arc<Self>, stream: u64) -> Result<Box<dyn Queue>> {
        self.context.enter()?;
        let stream = std::ptr::with_exposed_provenance_mut(stream as usize);
        Ok(Box::new(Work::on(self, stream, false)?))
    }
    fn memory_at(&self, address: u64, bytes: usize) -> Result<Memory> {
        self.context.enter()?;
        let mut ordinal = -1i32;
        // SAFETY: the attribute is a number of 32 bits; the driver refuses an address that it does not know.
        unsafe {
            sys::cuPointerGetAttribute(
                (&raw mut ordinal).cast(),
                sys::CUpointer_attribute::CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL,
                address,
            )
        }
        .result()
        .map_err(|_| Error::Foreign("an address outside CUDA's memory"))?;
        if result::device::get(ordinal).ok() != Some(self.context.1) {
            return Err(Error::Foreign("memory of another device"));
        }
        let context = self.context.clone();
        let room = Room { at: address, len: bytes, context, owned: false };
        Ok(Memory { len: bytes, handle: Box::new(room) })
    }
}

struct Work {
    driver: Arc<Cuda>,
    stream: Handle<sys::CUstream>,
    /// Cleared for the caller's stream.
    owned: bool,
    functions: HashMap<(Program, &'static str), Handle<sys::CUfunction>>,
    /// The end of the enqueued work, for which a thread waits without spinning.
    end: Handle<sys::CUevent>,
    /// Page-locked copies of small writes, of which nothing waits for the end, and how many bytes are in use.
    small: Option<Locked>,
    filled: usize,
}

/// The most bytes of a small write, and of all of them together.
const SMALL: usize = 64 << 10;
const ALL_SMALL: usize = 256 << 10;

impl Work {
    /// Creates all that a wait needs, before anything is enqueued.
    fn on(driver: Arc<Cuda>, stream: sys::CUstream, owned: bool) -> Result<Self> {
        use sys::CUevent_flags::*;
        let flags = [CU_EVENT_BLOCKING_SYNC, CU_EVENT_DISABLE_TIMING];
        let mut end = std::ptr::null_mut();
        // SAFETY: the function writes a handle, which `drop` destroys.
        unsafe { sys::cuEventCreate(&mut end, flags.map(|f| f as u32).iter().sum()) }
            .result()
            .map_err(full("cuEventCreate", 0))?;
        let (functions, stream, end) = (HashMap::new(), Handle(stream), Handle(end));
        Ok(Work { driver, stream, owned, functions, end, small: None, filled: 0 })
    }

    /// Waits for the enqueued work, in the current context. No copy is in progress afterwards, even after an error.
    fn wait(&mut self) -> Result<()> {
        // SAFETY: this object owns the event; it owns the stream too, or its creator guarantees that it lives.
        let waited = unsafe {
            result::event::record(self.end.0, self.stream.0)
                .map_err(refused("cuEventRecord"))
                .and_then(|()| {
                    result::event::synchronize(self.end.0).map_err(refused("cuEventSynchronize"))
                })
        };
        if waited.is_err() {
            // If this fails too, the context has failed, and nothing runs in it any more.
            // SAFETY: as above.
            let _ = unsafe { result::stream::synchronize(self.stream.0) };
            return waited;
        }
        if let Some(small) = &mut self.small {
            zeroize::Zeroize::zeroize(&mut small.bytes()[..self.filled]);
            self.filled = 0;
        }
        Ok(())
    }

    /// Returns a page-locked copy of bytes that lives until the queue's end is reached.
    fn keep(&mut self, bytes: &[u8]) -> Result<&[u8]> {
        if self.filled + bytes.len() > ALL_SMALL {
            self.wait()?;
        }
        let small = match &mut self.small {
            Some(small) => small,
            none => none.insert(Locked::new(ALL_SMALL, &self.driver.context)?),
        };
        let copy = &mut small.bytes()[self.filled..][..bytes.len()];
        copy.copy_from_slice(bytes);
        self.filled += bytes.len();
        Ok(copy)
    }
}

impl Drop for Work {
    fn drop(&mut self) {
        if self.filled > 0 {
            // A failed stream reads nothing any more.
            let _ = self.finish();
        }
        if let Some(small) = &mut self.small {
            zeroize::Zeroize::zeroize(&mut small.bytes()[..self.filled]);
        }
        if self.driver.context.enter().is_err() {
            return;
        }
        // SAFETY: this object created the event.
        let _ = unsafe { result::event::destroy(self.end.0) };
        if self.owned {
            // SAFETY: this object created the stream; the driver frees it when its work is done.
            let _ = unsafe { result::stream::destroy(self.stream.0) };
        }
    }
}

fn at(memory: &Memory) -> sys::CUdeviceptr {
    memory.handle.downcast_ref::<Room>().expect("memory of another driver").at
}

impl Queue for Work {
    fn write(&mut self, to: &Memory, place: usize, bytes: &[u8]) -> Result<()> {
        assert!(place + bytes.len() <= to.len);
        if bytes.is_empty() {
            return Ok(());
        }
        self.driver.context.enter()?;
        let (stream, to) = (self.stream.0, at(to) + place as u64);
        // In the caller's stream nobody would wait for the copy's end.
        if self.owned && bytes.len() <= SMALL {
            let copy = self.keep(bytes)?;
            // SAFETY: the range is within the memory; the copy changes only after `finish`.
            return unsafe { result::memcpy_htod_async(to, copy, stream) }
                .map_err(refused("cuMemcpyHtoDAsync"));
        }
        // SAFETY: the range is within the memory; the wait below ensures that `bytes` are read before they can change.
        unsafe { result::memcpy_htod_async(to, bytes, stream) }
            .map_err(refused("cuMemcpyHtoDAsync"))?;
        self.wait()
    }
    fn read(&mut self, from: &Memory, place: usize, bytes: &mut [u8]) -> Result<()> {
        assert!(place + bytes.len() <= from.len);
        self.driver.context.enter()?;
        if !bytes.is_empty() {
            // SAFETY: the range is within the memory; the wait below ensures that `bytes` are written before the borrow
            // ends.
            unsafe {
                result::memcpy_dtoh_async(bytes, at(from) + place as u64, self.stream.0)
                    .map_err(refused("cuMemcpyDtoHAsync"))?;
            }
        }
        self.wait()
    }
    fn wipe(&mut self, memory: &Memory, bytes: usize) -> Result<()> {
        self.driver.context.enter()?;
        // SAFETY: at most `memory.len` bytes are written.
        unsafe {
            result::memset_d8_async(at(memory), 0, bytes.min(memory.len), self.stream.0)
                .map_err(refused("cuMemsetD8Async"))
        }
    }
    fn launch(
        &mut self,
        program: Program,
        kernel: &'static str,
        threads: u64,
        args: &[Arg<'_>],
    ) -> Result<()> {
        self.driver.context.enter()?;
        let function = match self.functions.get(&(program, kernel)) {
            Some(f) => f.0,
            None => {
                let all = self.driver.modules.lock().unwrap_or_else(|e| e.into_inner());
                let module =
                    all.get(&program).ok_or(Error::Unsupported("a program that is not loaded"))?.0;
                let name = CString::new(kernel).unwrap_or_default();
                // SAFETY: the module is loaded.
                let new = unsafe { result::module::get_function(module, name) }
                    .map_err(refused("cuModuleGetFunction"))?;
                self.functions.insert((program, kernel), Handle(new));
                new
            }
        };
        let places: Vec<u64> =
            args.iter().map(|a| if let Arg::Memory(m) = a { at(m) } else { 0 }).collect();
        let values = args.iter().zip(&places).map(|(arg, place)| match arg {
            Arg::Uniform(words) => words.as_ptr().cast_mut().cast(),
            Arg::Memory(_) => std::ptr::from_ref(place).cast_mut().cast(),
            Arg::U32(x) => std::ptr::from_ref(x).cast_mut().cast(),
            Arg::U64(x) => std::ptr::from_ref(x).cast_mut().cast(),
        });
        let mut values: Vec<*mut c_void> = values.collect();
        let block = program.threads();
        let blocks = u32::try_from(threads.div_ceil(block.into()))
            .map_err(|_| Error::Unsupported("more threads than a launch can have"))?;
        let (grid, block, stream) = ((blocks, 1, 1), (block, 1, 1), self.stream.0);
        // SAFETY: the driver copies the arguments. Their types are the kernel's: only `device.rs` and its neighbours
        // call kernels, and the self-test runs each. `Uniform` has as many words as the kernel's structure.
        unsafe { result::launch_kernel(function, grid, block, 0, stream, &mut values) }
            .map_err(refused("cuLaunchKernel"))
    }
    fn finish(&mut self) -> Result<()> {
        self.driver.context.enter()?;
        self.wait()
    }
}
