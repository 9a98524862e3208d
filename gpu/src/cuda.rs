//! CUDA: opens the driver's library at run time. The kernels are embedded in the program, compiled by `gpu/build-cuda`.
#![allow(unsafe_code)]

use std::collections::HashMap;
use std::ffi::{CString, c_void};
use std::sync::{Arc, Mutex};

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

/// The compiled programs: SASS for several generations, and PTX.
fn image(program: Program) -> &'static [u8] {
    macro_rules! fatbin {
        ($name:literal) => {
            include_bytes!(concat!("../cuda/", $name, ".fatbin"))
        };
    }
    match program {
        Program::Magma => fatbin!("magma"),
        Program::Kuznyechik => fatbin!("kuznyechik"),
        Program::Streebog => fatbin!("streebog"),
        Program::Beside => fatbin!("beside"),
        Program::Gf => fatbin!("gf"),
        Program::Gost28147(0) => fatbin!("gost28147-0"),
        Program::Gost28147(1) => fatbin!("gost28147-1"),
        Program::Gost28147(2) => fatbin!("gost28147-2"),
        Program::Gost28147(3) => fatbin!("gost28147-3"),
        Program::Gost28147(4) => fatbin!("gost28147-4"),
        Program::Gost28147(5) => fatbin!("gost28147-5"),
        Program::Gost28147(6) => fatbin!("gost28147-6"),
        Program::Gost28147(_) => fatbin!("gost28147-7"),
        Program::OwnBoxes => fatbin!("gost28147-own"),
    }
}

/// Returns the devices, or the reason why there are none.
pub(crate) fn devices() -> (Vec<Arc<dyn Driver>>, Option<String>) {
    // SAFETY: it only opens libraries by name and closes them.
    if !unsafe { sys::is_culib_present() } {
        return (Vec::new(), Some("CUDA: no driver is installed (libcuda was not found)".into()));
    }
    let open = || -> std::result::Result<Vec<Arc<dyn Driver>>, Error> {
        result::init().map_err(refused("cuInit"))?;
        let count = result::device::get_count().map_err(refused("cuDeviceGetCount"))?;
        let mut found: Vec<Arc<dyn Driver>> = Vec::new();
        for i in 0..count {
            found.push(Arc::new(Cuda::open(i)?));
        }
        Ok(found)
    };
    // Calling a function that an old driver's library lacks panics.
    match std::panic::catch_unwind(open) {
        Ok(Ok(found)) if found.is_empty() => (found, Some("CUDA: the driver has no device".into())),
        Ok(Ok(found)) => (found, None),
        Ok(Err(e)) => (Vec::new(), Some(format!("CUDA: {e}"))),
        Err(_) => (Vec::new(), Some("CUDA: the driver is too old".into())),
    }
}

struct Handle<T>(T);
// SAFETY: contexts, modules and streams may be used from any thread that has made their context current.
unsafe impl<T> Send for Handle<T> {}
unsafe impl<T> Sync for Handle<T> {}

/// The primary context of a device. Its users make it current.
struct Current(Handle<sys::CUcontext>, sys::CUdevice);
impl Current {
    fn enter(&self) -> Result<()> {
        // SAFETY: the context is retained until `drop`.
        unsafe { result::ctx::set_current(self.0.0) }.map_err(refused("cuCtxSetCurrent"))
    }
}
impl Drop for Current {
    fn drop(&mut self) {
        // SAFETY: the context was retained once, and is released once.
        let _ = unsafe { result::primary_ctx::release(self.1) };
    }
}

pub(crate) struct Cuda {
    facts: Facts,
    context: Arc<Current>,
    modules: Mutex<HashMap<Program, Handle<sys::CUmodule>>>,
}

impl Cuda {
    fn open(ordinal: i32) -> Result<Self> {
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
        let bus = attribute(CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH)? as u64 / 8;
        let clock = attribute(CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE)? as u64 * 1000;
        let facts = Facts {
            driver: "cuda",
            name: result::device::get_name(device).map_err(refused("cuDeviceGetName"))?,
            version: format!("compute capability {major}.{minor}"),
            // SAFETY: the driver returned this device.
            memory: unsafe { result::device::total_mem(device) }
                .map_err(refused("cuDeviceTotalMem"))? as u64,
            units: attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)? as u32,
            clock: attribute(CU_DEVICE_ATTRIBUTE_CLOCK_RATE)? as u32 / 1000,
            // For all generations since 7.5.
            gates: Some(64),
            family: Some(format!("sm_{major}{minor}")),
            bandwidth: (clock > 0).then_some(2 * bus * clock),
            processor: false,
        };
        // SAFETY: the driver returned this device; `drop` releases its context.
        let context = unsafe { result::primary_ctx::retain(device) }
            .map_err(refused("cuDevicePrimaryCtxRetain"))?;
        let context = Arc::new(Current(Handle(context), device));
        Ok(Cuda { facts, context, modules: Mutex::default() })
    }
}

impl Drop for Cuda {
    fn drop(&mut self) {
        if self.context.enter().is_ok() {
            for module in self.modules.get_mut().into_iter().flat_map(|m| m.values()) {
                // SAFETY: the module was loaded once, and is unloaded once.
                let _ = unsafe { result::module::unload(module.0) };
            }
        }
    }
}

struct Room {
    at: sys::CUdeviceptr,
    context: Arc<Current>,
    /// Cleared for the caller's memory.
    owned: bool,
}
impl Drop for Room {
    fn drop(&mut self) {
        if self.owned && self.context.enter().is_ok() {
            // SAFETY: the memory was allocated once and is freed once; the driver waits for work that uses it.
            let _ = unsafe { result::free_sync(self.at) };
        }
    }
}

struct Locked {
    at: *mut u8,
    len: usize,
    context: Arc<Current>,
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
        // SAFETY: `image` is a whole fatbin, which contains its own length.
        let module = unsafe { result::module::load_data(image(program).as_ptr().cast()) }
            .map_err(refused("cuModuleLoadData"))?;
        all.insert(program, Handle(module));
        Ok(())
    }
    fn allocate(&self, bytes: usize) -> Result<Memory> {
        self.context.enter()?;
        // SAFETY: the number of bytes is positive.
        let at = unsafe { result::malloc_sync(bytes.max(1)) }.map_err(|e| match e.0 {
            sys::CUresult::CUDA_ERROR_OUT_OF_MEMORY => Error::Memory(bytes as u64),
            _ => refused("cuMemAlloc")(e),
        })?;
        Ok(Memory {
            len: bytes,
            handle: Box::new(Room { at, context: self.context.clone(), owned: true }),
        })
    }
    fn pinned(&self, bytes: usize) -> Result<Box<dyn Pinned>> {
        self.context.enter()?;
        // SAFETY: the number of bytes is positive. Not write-combined, because results are read from this memory.
        let at =
            unsafe { result::malloc_host(bytes.max(1), 0) }.map_err(refused("cuMemHostAlloc"))?;
        // SAFETY: `malloc_host` returned at least `bytes` bytes.
        unsafe { std::ptr::write_bytes(at.cast::<u8>(), 0, bytes) };
        Ok(Box::new(Locked { at: at.cast(), len: bytes, context: self.context.clone() }))
    }
    fn queue(self: Arc<Self>) -> Result<Box<dyn Queue>> {
        self.context.enter()?;
        let stream = result::stream::create(result::stream::StreamKind::NonBlocking)
            .map_err(refused("cuStreamCreate"))?;
        Ok(Box::new(Work {
            driver: self,
            stream: Handle(stream),
            owned: true,
            functions: HashMap::new(),
        }))
    }
    fn queue_on(self: Arc<Self>, stream: u64) -> Result<Box<dyn Queue>> {
        let stream = Handle(std::ptr::with_exposed_provenance_mut(stream as usize));
        Ok(Box::new(Work { driver: self, stream, owned: false, functions: HashMap::new() }))
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
        let room = Room { at: address, context: self.context.clone(), owned: false };
        Ok(Memory { len: bytes, handle: Box::new(room) })
    }
}

struct Work {
    driver: Arc<Cuda>,
    stream: Handle<sys::CUstream>,
    /// Cleared for the caller's stream.
    owned: bool,
    functions: HashMap<(Program, &'static str), Handle<sys::CUfunction>>,
}

impl Drop for Work {
    fn drop(&mut self) {
        if self.owned && self.driver.context.enter().is_ok() {
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
        // SAFETY: the range is within the memory; the synchronisation below ensures that `bytes` are read before they
        // can change.
        unsafe {
            result::memcpy_htod_async(at(to) + place as u64, bytes, self.stream.0)
                .map_err(refused("cuMemcpyHtoDAsync"))?;
        }
        self.finish()
    }
    fn read(&mut self, from: &Memory, place: usize, bytes: &mut [u8]) -> Result<()> {
        assert!(place + bytes.len() <= from.len);
        self.driver.context.enter()?;
        if !bytes.is_empty() {
            // SAFETY: the range is within the memory; the synchronisation below ensures that `bytes` are written before
            // the borrow ends.
            unsafe {
                result::memcpy_dtoh_async(bytes, at(from) + place as u64, self.stream.0)
                    .map_err(refused("cuMemcpyDtoHAsync"))?;
            }
        }
        self.finish()
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
        let mut values: Vec<*mut c_void> = args
            .iter()
            .zip(&places)
            .map(|(arg, place)| match arg {
                Arg::Uniform(words) => words.as_ptr().cast_mut().cast(),
                Arg::Memory(_) => std::ptr::from_ref(place).cast_mut().cast(),
                Arg::U32(x) => std::ptr::from_ref(x).cast_mut().cast(),
                Arg::U64(x) => std::ptr::from_ref(x).cast_mut().cast(),
            })
            .collect();
        let block = program.threads();
        let blocks = u32::try_from(threads.div_ceil(block.into()))
            .map_err(|_| Error::Unsupported("so many threads"))?;
        // SAFETY: the driver copies the arguments. Their types are the kernel's: only `device.rs` and its neighbours
        // call kernels, and the self-test runs each. `Uniform` has as many words as the kernel's structure.
        unsafe {
            result::launch_kernel(
                function,
                (blocks, 1, 1),
                (block, 1, 1),
                0,
                self.stream.0,
                &mut values,
            )
        }
        .map_err(refused("cuLaunchKernel"))
    }
    fn finish(&mut self) -> Result<()> {
        self.driver.context.enter()?;
        // SAFETY: this object owns the stream, or its creator guarantees that it lives.
        unsafe { result::stream::synchronize(self.stream.0) }
            .map_err(refused("cuStreamSynchronize"))
    }
}
