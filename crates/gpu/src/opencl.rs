//! OpenCL: the device's driver compiles programs from their text.
#![allow(unsafe_code)]

use std::collections::HashMap;
use std::ffi::{CString, c_void};
use std::ptr;
use std::sync::{Arc, Mutex};

use opencl3::command_queue as queues;
use opencl3::context::{Context, context as contexts};
use opencl3::device::{CL_DEVICE_TYPE_ALL, CL_DEVICE_TYPE_CPU, Device};
use opencl3::kernel as kernels;
use opencl3::memory::{self, CL_MAP_READ, CL_MAP_WRITE, CL_MEM_ALLOC_HOST_PTR, CL_MEM_READ_WRITE};
use opencl3::program as programs;
use opencl3::types::{
    CL_BLOCKING, cl_command_queue, cl_context, cl_device_id, cl_event, cl_int, cl_kernel, cl_mem,
    cl_program,
};

use crate::driver::{Arg, Driver, Facts, Memory, Pinned, Queue};
use crate::{Error, Program, Result};

fn refused(call: &'static str) -> impl Fn(cl_int) -> Error {
    move |code| Error::Driver(call, opencl3::error_codes::error_text(code).to_string())
}

/// Returns the devices of every platform, or the reason why there are none.
pub(crate) fn devices() -> (Vec<Arc<dyn Driver>>, Option<String>) {
    // PoCL fails if two threads do this at once for the first time.
    static ONE: Mutex<()> = Mutex::new(());
    let _one = ONE.lock().unwrap_or_else(|e| e.into_inner());
    let platforms = match opencl3::platform::get_platforms() {
        Ok(p) if !p.is_empty() => p,
        Ok(_) => return (Vec::new(), Some("OpenCL: no driver is installed".into())),
        Err(e) => {
            return (Vec::new(), Some(format!("OpenCL: no library or no driver ({e})")));
        }
    };
    let mut found: Vec<Arc<dyn Driver>> = Vec::new();
    let mut why = None;
    for platform in platforms {
        for id in platform.get_devices(CL_DEVICE_TYPE_ALL).unwrap_or_default() {
            match OpenCl::open(Device::new(id), &platform.name().unwrap_or_default(), None) {
                Ok(device) => found.push(Arc::new(device)),
                Err(e) => why = Some(format!("OpenCL: {e}")),
            }
        }
    }
    if found.is_empty() && why.is_none() {
        why = Some("OpenCL: the drivers have no device".into());
    }
    (found, why)
}

struct Handle<T>(T);
// SAFETY: OpenCL's objects may be used from any thread (OpenCL 1.2, appendix A.2), except for clSetKernelArg on one
// kernel, which only `Work` calls, on its own kernels.
unsafe impl<T> Send for Handle<T> {}
unsafe impl<T> Sync for Handle<T> {}

pub(crate) struct OpenCl {
    facts: Facts,
    device: Device,
    context: Context,
    programs: Mutex<HashMap<Program, Handle<cl_program>>>,
}

impl OpenCl {
    /// Opens the device in a new context, or in the caller's.
    fn open(device: Device, platform: &str, context: Option<cl_context>) -> Result<Self> {
        let get = |code: opencl3::error_codes::ClError| {
            Error::Driver("clGetDeviceInfo", code.to_string())
        };
        let kind = device.dev_type().map_err(get)?;
        if !device.endian_little().map_err(get)? {
            return Err(Error::Unsupported("a big-endian device"));
        }
        let name: String = device.name().map_err(get)?.trim().into();
        // AMD's driver uses the architecture as name.
        let family = name.split(':').next().filter(|n| n.starts_with("gfx")).map(String::from);
        let facts = Facts {
            driver: "opencl",
            version: format!("{platform}, {}", device.version().map_err(get)?.trim()),
            memory: device.global_mem_size().map_err(get)?,
            units: device.max_compute_units().map_err(get)?,
            clock: device.max_clock_frequency().ok().filter(|mhz| *mhz > 0),
            gates: family.as_ref().map(|_| 64),
            bandwidth: None,
            family,
            name,
            // NVIDIA's drivers tell it; only their devices are CUDA's too.
            bus: device.pci_bus_id_nv().ok(),
            processor: kind & CL_DEVICE_TYPE_CPU != 0,
        };
        let context = match context {
            Some(context) => {
                // SAFETY: the caller guarantees that the context is alive; `Context` releases it.
                unsafe { contexts::retain_context(context) }.map_err(refused("clRetainContext"))?;
                Context::new(context, &[device.id()])
            }
            None => Context::from_device(&device)
                .map_err(|e| Error::Driver("clCreateContext", e.to_string()))?,
        };
        Ok(OpenCl { facts, device, context, programs: Mutex::default() })
    }

    /// Opens the device of a caller's queue, in the queue's context.
    pub(crate) fn of_queue(queue: u64) -> Result<Self> {
        let queue = foreign(queue);
        let id = asked(queue, queues::CL_QUEUE_DEVICE)? as cl_device_id;
        let device = Device::new(id);
        let platform = device.platform().map(opencl3::platform::Platform::new);
        let name = platform.ok().and_then(|p| p.name().ok()).unwrap_or_default();
        Self::open(device, &name, Some(asked(queue, queues::CL_QUEUE_CONTEXT)? as cl_context))
    }

    fn work(self: Arc<Self>, queue: cl_command_queue) -> Box<dyn Queue> {
        let (kernels, uniform) = (HashMap::new(), Vec::new());
        Box::new(Work { driver: self, queue: Handle(queue), kernels, uniform })
    }

    fn new_queue(&self) -> Result<cl_command_queue> {
        // SAFETY: context and device are alive and belong together.
        unsafe { queues::create_command_queue(self.context.get(), self.device.id(), 0) }
            .map_err(refused("clCreateCommandQueue"))
    }

    fn buffer(&self, bytes: usize, flags: u64) -> Result<Buffer> {
        // SAFETY: the host pointer is null, so no memory of the host is used.
        unsafe { memory::create_buffer(self.context.get(), flags, bytes.max(1), ptr::null_mut()) }
            .map(|b| Buffer(Handle(b)))
            .map_err(|code| match code {
                -4 | -5 | -6 | -61 => Error::Memory(bytes as u64), // no memory, no resources, too large
                _ => refused("clCreateBuffer")(code),
            })
    }
}

impl Drop for OpenCl {
    fn drop(&mut self) {
        for program in self.programs.get_mut().into_iter().flat_map(|p| p.values()) {
            // SAFETY: this object created the program, and releases it once.
            let _ = unsafe { programs::release_program(program.0) };
        }
    }
}

struct Buffer(Handle<cl_mem>);
impl Drop for Buffer {
    fn drop(&mut self) {
        // SAFETY: this object owns a reference, and releases it once; the driver keeps the memory while work uses it.
        let _ = unsafe { memory::release_mem_object(self.0.0) };
    }
}

struct Mapped {
    at: *mut u8,
    len: usize,
    buffer: Buffer,
    queue: cl_command_queue,
}
// SAFETY: only this object refers to the memory.
unsafe impl Send for Mapped {}
impl Pinned for Mapped {
    fn bytes(&mut self) -> &mut [u8] {
        // SAFETY: the memory is mapped for reading and writing, with this length, until `drop`.
        unsafe { std::slice::from_raw_parts_mut(self.at, self.len) }
    }
}
impl Drop for Mapped {
    fn drop(&mut self) {
        let (room, at) = (self.buffer.0.0, self.at.cast());
        // SAFETY: the memory was mapped once and is unmapped once, on the queue that is released after it.
        unsafe {
            let _ =
                queues::enqueue_unmap_mem_object(self.queue, room, at, 0, ptr::null()).map(done);
            let _ = queues::finish(self.queue);
            let _ = queues::release_command_queue(self.queue);
        }
    }
}

impl Driver for OpenCl {
    fn facts(&self) -> &Facts {
        &self.facts
    }
    fn ternary(&self) -> bool {
        false
    }
    fn load(&self, program: Program) -> Result<()> {
        let mut all = self.programs.lock().unwrap_or_else(|e| e.into_inner());
        if all.contains_key(&program) {
            return Ok(());
        }
        let text = program.text();
        let new = programs::create_program_with_source(self.context.get(), &[&text])
            .map_err(refused("clCreateProgramWithSource"))?;
        let id = self.device.id();
        // No options: optimisations of floating point do not affect integers. Only the dialect matters.
        if let Err(code) =
            programs::build_program(new, &[id], c"-cl-std=CL1.2", None, ptr::null_mut())
        {
            let log = programs::get_program_build_info(new, id, programs::CL_PROGRAM_BUILD_LOG)
                .map(|log| log.to_string())
                .unwrap_or_default();
            // SAFETY: the program was created above, and is released once.
            let _ = unsafe { programs::release_program(new) };
            let log: String = log.chars().take(500).collect();
            let why = format!("{} {log}", opencl3::error_codes::error_text(code));
            return Err(Error::Driver("clBuildProgram", why));
        }
        all.insert(program, Handle(new));
        Ok(())
    }
    fn allocate(&self, bytes: usize) -> Result<Memory> {
        Ok(Memory { len: bytes, handle: Box::new(self.buffer(bytes, CL_MEM_READ_WRITE)?) })
    }
    fn pinned(&self, bytes: usize) -> Result<Box<dyn Pinned>> {
        let buffer = self.buffer(bytes, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR)?;
        let queue = self.new_queue()?;
        let mut at: *mut c_void = ptr::null_mut();
        let (room, how, to) = (buffer.0.0, CL_MAP_READ | CL_MAP_WRITE, &mut at);
        // SAFETY: the buffer has this many bytes, and nothing else uses it.
        let mapped = unsafe {
            queues::enqueue_map_buffer(queue, room, CL_BLOCKING, how, 0, bytes, to, 0, ptr::null())
        };
        match mapped {
            Ok(event) => {
                done(event);
                Ok(Box::new(Mapped { at: at.cast(), len: bytes, buffer, queue }))
            }
            Err(code) => {
                // SAFETY: this function created the queue.
                let _ = unsafe { queues::release_command_queue(queue) };
                Err(refused("clEnqueueMapBuffer")(code))
            }
        }
    }
    fn queue(self: Arc<Self>) -> Result<Box<dyn Queue>> {
        let queue = self.new_queue()?;
        Ok(self.work(queue))
    }
    fn queue_on(self: Arc<Self>, queue: u64) -> Result<Box<dyn Queue>> {
        let queue = foreign(queue);
        if asked(queue, queues::CL_QUEUE_CONTEXT)? != self.context.get().addr() as isize {
            let why = "a queue of another context: Device::of_queue has its device";
            return Err(Error::Foreign(why));
        }
        if asked(queue, queues::CL_QUEUE_DEVICE)? != self.device.id().addr() as isize {
            return Err(Error::Foreign("a queue of another device"));
        }
        let how = queues::get_command_queue_info(queue, queues::CL_QUEUE_PROPERTIES)
            .map_err(refused("clGetCommandQueueInfo"))?;
        if u64::from(how) & queues::CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE != 0 {
            return Err(Error::Foreign("an out-of-order queue"));
        }
        // SAFETY: the caller guarantees that the queue is alive; `Work` releases it.
        unsafe { queues::retain_command_queue(queue) }.map_err(refused("clRetainCommandQueue"))?;
        Ok(self.work(queue))
    }
    fn memory_at(&self, address: u64, bytes: usize) -> Result<Memory> {
        let buffer: cl_mem = foreign(address);
        let asked =
            |what| memory::get_mem_object_info(buffer, what).map_err(refused("clGetMemObjectInfo"));
        if isize::from(asked(memory::CL_MEM_CONTEXT)?) != self.context.get().addr() as isize {
            let why = "memory of another context: Device::of_queue has its device";
            return Err(Error::Foreign(why));
        }
        if usize::from(asked(memory::CL_MEM_SIZE)?) < bytes {
            return Err(Error::Refused(bulat::Error::BufferLength));
        }
        // SAFETY: the caller guarantees that the memory is alive; `Buffer` releases it.
        unsafe { memory::retain_mem_object(buffer) }.map_err(refused("clRetainMemObject"))?;
        Ok(Memory { len: bytes, handle: Box::new(Buffer(Handle(buffer))) })
    }
}

fn foreign<T>(handle: u64) -> *mut T {
    ptr::with_exposed_provenance_mut(handle as usize)
}

fn asked(queue: cl_command_queue, what: u32) -> Result<isize> {
    queues::get_command_queue_info(queue, what)
        .map(isize::from)
        .map_err(refused("clGetCommandQueueInfo"))
}

struct Work {
    driver: Arc<OpenCl>,
    queue: Handle<cl_command_queue>,
    kernels: HashMap<(Program, &'static str), Handle<cl_kernel>>,
    /// Memory that running kernels may read: masks of keys.
    uniform: Vec<Memory>,
}

impl Work {
    /// Overwrites and frees memory that no kernel reads any more, because all enqueued work is done.
    fn wipe_uniform(&mut self) -> Result<()> {
        for memory in std::mem::take(&mut self.uniform) {
            self.write(&memory, 0, &vec![0; memory.len])?;
        }
        Ok(())
    }
}

impl Drop for Work {
    fn drop(&mut self) {
        // The queue of a failed device cannot overwrite anything.
        let _ = self.finish();
        // SAFETY: this object owns the kernels and the queue, and releases them once.
        unsafe {
            for kernel in self.kernels.values() {
                let _ = kernels::release_kernel(kernel.0);
            }
            let _ = queues::release_command_queue(self.queue.0);
        }
    }
}

fn raw(memory: &Memory) -> cl_mem {
    memory.handle.downcast_ref::<Buffer>().expect("memory of another driver").0.0
}

fn done(event: cl_event) {
    // SAFETY: the call that created the event succeeded, and nobody waits for the event.
    let _ = unsafe { opencl3::event::release_event(event) };
}

impl Queue for Work {
    fn write(&mut self, to: &Memory, at: usize, bytes: &[u8]) -> Result<()> {
        assert!(at + bytes.len() <= to.len);
        if bytes.is_empty() {
            return Ok(());
        }
        let (queue, to, n, from) = (self.queue.0, raw(to), bytes.len(), bytes.as_ptr().cast());
        // SAFETY: the range is within the buffer; the call blocks, so `bytes` are read before they can change.
        unsafe { queues::enqueue_write_buffer(queue, to, CL_BLOCKING, at, n, from, 0, ptr::null()) }
            .map(done)
            .map_err(refused("clEnqueueWriteBuffer"))
    }
    fn read(&mut self, from: &Memory, at: usize, bytes: &mut [u8]) -> Result<()> {
        assert!(at + bytes.len() <= from.len);
        if bytes.is_empty() {
            return self.finish();
        }
        let (queue, from, n, to) =
            (self.queue.0, raw(from), bytes.len(), bytes.as_mut_ptr().cast());
        // SAFETY: the range is within the buffer; the call blocks, so `bytes` are written before the borrow ends.
        unsafe { queues::enqueue_read_buffer(queue, from, CL_BLOCKING, at, n, to, 0, ptr::null()) }
            .map(done)
            .map_err(refused("clEnqueueReadBuffer"))?;
        self.wipe_uniform()
    }
    fn wipe(&mut self, memory: &Memory, bytes: usize) -> Result<()> {
        let (bytes, zeros) = (bytes.min(memory.len), [0u8; 16]);
        if bytes == 0 {
            return Ok(());
        }
        let (queue, to, zeros) = (self.queue.0, raw(memory), zeros.as_ptr().cast());
        let n = if bytes.is_multiple_of(16) { 16 } else { 1 };
        // SAFETY: the range is within the buffer; the call copies the pattern, and its length divides the range's.
        unsafe { queues::enqueue_fill_buffer(queue, to, zeros, n, 0, bytes, 0, ptr::null()) }
            .map(done)
            .map_err(refused("clEnqueueFillBuffer"))
    }
    fn launch(
        &mut self,
        program: Program,
        kernel: &'static str,
        threads: u64,
        args: &[Arg<'_>],
    ) -> Result<()> {
        let handle = match self.kernels.get(&(program, kernel)) {
            Some(k) => k.0,
            None => {
                let all = self.driver.programs.lock().unwrap_or_else(|e| e.into_inner());
                let program_of =
                    all.get(&program).ok_or(Error::Unsupported("a program that is not loaded"))?.0;
                let name = CString::new(kernel).unwrap_or_default();
                let new =
                    kernels::create_kernel(program_of, &name).map_err(refused("clCreateKernel"))?;
                self.kernels.insert((program, kernel), Handle(new));
                new
            }
        };
        for (i, arg) in args.iter().enumerate() {
            let set = |size: usize, value: *const c_void| {
                // SAFETY: `value` has `size` bytes, which the call copies. The types are the kernel's: only `device.rs`
                // and its neighbours call kernels, and the self-test runs each.
                unsafe { kernels::set_kernel_arg(handle, i as u32, size, value) }
                    .map_err(refused("clSetKernelArg"))
            };
            match arg {
                Arg::Uniform(words) => {
                    let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_ne_bytes()).collect();
                    let bytes = zeroize::Zeroizing::new(bytes);
                    let memory = self.driver.allocate(bytes.len())?;
                    let mem = raw(&memory);
                    set(size_of::<cl_mem>(), (&raw const mem).cast())?;
                    self.write(&memory, 0, &bytes)?;
                    self.uniform.push(memory);
                }
                Arg::Memory(memory) => {
                    let mem = raw(memory);
                    set(size_of::<cl_mem>(), (&raw const mem).cast())?;
                }
                Arg::U32(x) => set(4, (&raw const *x).cast())?,
                Arg::U64(x) => set(8, (&raw const *x).cast())?,
            }
        }
        let local = program.threads() as usize;
        let global = (threads as usize).next_multiple_of(local);
        let (queue, none) = (self.queue.0, ptr::null());
        let (all, group) = (&raw const global, &raw const local);
        // SAFETY: both pointers have one element, for one dimension; the driver keeps the memory of the arguments alive
        // until the queue has finished with it.
        unsafe {
            queues::enqueue_nd_range_kernel(queue, handle, 1, none, all, group, 0, ptr::null())
        }
        .map(done)
        .map_err(refused("clEnqueueNDRangeKernel"))?;
        queues::flush(self.queue.0).map_err(refused("clFlush"))
    }
    fn finish(&mut self) -> Result<()> {
        queues::finish(self.queue.0).map_err(refused("clFinish"))?;
        self.wipe_uniform()
    }
}
