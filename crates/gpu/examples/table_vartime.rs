//! Compares kernels with tables, as published elsewhere, with this library's on the same card, queue and text. Every answer
//! is checked. Tables leak keys through caches: these kernels are only for measurements. PoCL, which runs OpenCL on the
//! processor, shows that this program works, but not the speed of a card.
//!
//! `cargo run --release -p bulat-gpu --features opencl --example table_vartime -- [MIB] [SECONDS]`
#![allow(unsafe_code)]

use std::ffi::c_void;
use std::ptr;
use std::time::Instant;

use bulat::batch::{Job, Key, Mode, run_on_threads};
use bulat::{Kuznyechik, Magma};
use bulat_gpu::Device;
use opencl3::command_queue as queues;
use opencl3::context::Context;
use opencl3::device::{self, CL_DEVICE_TYPE_ALL};
use opencl3::kernel as kernels;
use opencl3::memory::{CL_MEM_READ_WRITE, create_buffer};
use opencl3::program as programs;
use opencl3::types::{CL_BLOCKING, cl_command_queue, cl_event, cl_int, cl_mem, cl_program};
use testkit::Random;

const TEXT: &str = include_str!("table_vartime.cl");
const KEY: [u8; 32] = [0x2a; 32];

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

fn said<T>(call: &str, result: std::result::Result<T, cl_int>) -> Result<T> {
    result.map_err(|code| format!("{call}: {}", opencl3::error_codes::error_text(code)).into())
}

struct Card {
    device: device::Device,
    context: Context,
    queue: cl_command_queue,
}

impl Card {
    fn first() -> Result<Card> {
        let mut found = Vec::new();
        for platform in opencl3::platform::get_platforms()? {
            for id in platform.get_devices(CL_DEVICE_TYPE_ALL)? {
                found.push(device::Device::new(id));
            }
        }
        // Cards come before processors.
        found.sort_by_key(|d| d.dev_type().unwrap_or(0) & device::CL_DEVICE_TYPE_CPU != 0);
        let device = found.into_iter().next().ok_or("no device of OpenCL")?;
        let context = Context::from_device(&device)?;
        // SAFETY: context and device are alive.
        let queue = unsafe { queues::create_command_queue(context.get(), device.id(), 0) };
        Ok(Card { queue: said("clCreateCommandQueue", queue)?, device, context })
    }

    fn memory(&self, bytes: &[u8]) -> Result<cl_mem> {
        // SAFETY: the context is alive, and the blocking copy in `write` reads `bytes` before they can change.
        unsafe {
            let (context, flags) = (self.context.get(), CL_MEM_READ_WRITE);
            let memory = create_buffer(context, flags, bytes.len(), ptr::null_mut());
            let memory = said("clCreateBuffer", memory)?;
            said("clEnqueueWriteBuffer", self.write(memory, bytes))?;
            Ok(memory)
        }
    }

    /// # Safety
    /// `to` must have at least `bytes.len()` bytes.
    unsafe fn write(&self, to: cl_mem, bytes: &[u8]) -> std::result::Result<cl_event, cl_int> {
        let (at, n) = (bytes.as_ptr().cast(), bytes.len());
        // SAFETY: `to` is long enough, as this function requires; the call blocks until `bytes` have been read.
        unsafe {
            queues::enqueue_write_buffer(self.queue, to, CL_BLOCKING, 0, n, at, 0, ptr::null())
        }
    }

    fn read(&self, from: cl_mem, bytes: &mut [u8]) -> Result<()> {
        let (at, n) = (bytes.as_mut_ptr().cast(), bytes.len());
        // SAFETY: the memory has at least `bytes.len()` bytes; the call blocks until they have been written.
        let done = unsafe {
            queues::enqueue_read_buffer(self.queue, from, CL_BLOCKING, 0, n, at, 0, ptr::null())
        };
        said("clEnqueueReadBuffer", done).map(|_| ())
    }
}

/// Returns GB/s: the best of several calls after a first one.
fn rate(bytes: usize, seconds: f64, mut work: impl FnMut() -> Result<()>) -> Result<f64> {
    work()?;
    let (start, mut best) = (Instant::now(), 0.0f64);
    while start.elapsed().as_secs_f64() < seconds {
        let one = Instant::now();
        work()?;
        best = best.max(bytes as f64 / one.elapsed().as_secs_f64() / 1e9);
    }
    Ok(best)
}

/// Kuznyechik's tables: S and L of each byte at each place. Then its round keys.
fn kuznyechik() -> Result<(Vec<u8>, Vec<u8>)> {
    let model = reference::kuznyechik::Kuznyechik::new(&KEY).map_err(|e| format!("{e:?}"))?;
    let mut tables = Vec::new();
    for j in 0..16 {
        for v in reference::kuznyechik::PI {
            let mut block = [0; 16];
            block[j] = v;
            tables.extend(reference::kuznyechik::l(block));
        }
    }
    Ok((tables, model.round_keys().concat()))
}

/// Magma's tables: two S-boxes and the rotation of each byte at each place. Then its round keys.
fn magma() -> Result<(Vec<u8>, Vec<u8>)> {
    let model = reference::magma::Magma::new(&KEY).map_err(|e| format!("{e:?}"))?;
    let boxes =
        reference::magma::sbox("id-tc26-gost-28147-param-Z").ok_or("no S-boxes of Magma")?;
    let mut tables = Vec::new();
    for j in 0..4 {
        for v in 0..256u32 {
            let byte = reference::magma::t(v << (8 * j), boxes) & 255 << (8 * j);
            tables.extend(byte.rotate_left(11).to_ne_bytes());
        }
    }
    Ok((tables, model.round_keys().iter().flat_map(|k| k.to_ne_bytes()).collect()))
}

/// Compares the two kernels of a cipher on one text.
fn compare(
    card: &Card,
    program: cl_program,
    (name, key, iv): (&str, Key<'_>, &[u8]),
    (tables, keys): (Vec<u8>, Vec<u8>),
    bytes: usize,
    seconds: f64,
) -> Result<()> {
    let text = Random::new(1).bytes(bytes);
    let mut want = text.clone();
    run_on_threads(vec![Job::cipher(key, Mode::Ctr, iv, &mut want)]).remove(0)?;
    let (tables, keys, memory) = (card.memory(&tables)?, card.memory(&keys)?, card.memory(&text)?);
    let entry = std::ffi::CString::new(format!("{name}_vartime"))?;
    let kernel = said("clCreateKernel", kernels::create_kernel(program, &entry))?;
    // The counter's halves have the words' length.
    let half = iv.len();
    let high = iv.iter().fold(0u64, |n, b| n << 8 | u64::from(*b)).to_le_bytes();
    let (low, blocks) = ([0u8; 8], (bytes / (2 * half)) as u64);
    let place = |m: &cl_mem| (size_of::<cl_mem>(), ptr::from_ref(m).cast::<c_void>());
    let args = [
        place(&tables),
        place(&keys),
        (half, high.as_ptr().cast()),
        (half, low.as_ptr().cast()),
        place(&memory),
        (8, (&raw const blocks).cast()),
    ];
    for (i, (size, value)) in args.into_iter().enumerate() {
        // SAFETY: `value` points to `size` bytes of the kernel's type, which the call copies.
        let set = unsafe { kernels::set_kernel_arg(kernel, i as u32, size, value) };
        said("clSetKernelArg", set)?;
    }
    let (local, global) = (256usize, (blocks as usize).next_multiple_of(256).min(1 << 20));
    let by_tables = || -> Result<()> {
        let (to, none, sizes) = (card.queue, ptr::null(), (&raw const global, &raw const local));
        // SAFETY: both pointers have one element, for one dimension; the memory is alive.
        let launched = unsafe {
            queues::enqueue_nd_range_kernel(to, kernel, 1, none, sizes.0, sizes.1, 0, ptr::null())
        };
        said("clEnqueueNDRangeKernel", launched)?;
        said("clFinish", queues::finish(card.queue))
    };
    // SAFETY: the queue and the memory live as long as this program.
    let (_device, mut channel, room) = unsafe {
        let device = Device::of_queue(card.queue.expose_provenance() as u64)?;
        let channel = device.channel_on(card.queue.expose_provenance() as u64)?;
        let room = device.buffer_at(memory.expose_provenance() as u64, bytes)?;
        (device, channel, room)
    };
    let mut have = vec![0; bytes];
    let mut check = |who: &str| -> Result<()> {
        card.read(memory, &mut have)?;
        // SAFETY: the memory has the text's length.
        said("clEnqueueWriteBuffer", unsafe { card.write(memory, &text) })?;
        if have == want { Ok(()) } else { Err(format!("{name}: {who}: a wrong answer").into()) }
    };
    by_tables()?;
    check("tables")?;
    channel.cipher(&key, Mode::Ctr, iv, &room, &room, bytes)?;
    check("bit slices")?;
    let tables = rate(bytes, seconds, by_tables)?;
    let ours = rate(bytes, seconds, || {
        channel.cipher(&key, Mode::Ctr, iv, &room, &room, bytes)?;
        Ok(channel.finish()?)
    })?;
    println!("  {name}-ctr: tables {tables:.3}, bit slices {ours:.3}; answers are equal");
    Ok(())
}

fn main() -> Result<()> {
    let mut args = std::env::args().skip(1);
    let bytes = args.next().map_or(Ok(64), |n| n.parse::<usize>())?.clamp(1, 1 << 14) << 20;
    let seconds: f64 = args.next().map_or(Ok(2.0), |n| n.parse())?;
    let card = Card::first()?;
    println!("{}: {} MiB in its memory, GB/s", card.device.name()?, bytes >> 20);
    let program = said("text", programs::create_program_with_source(card.context.get(), &[TEXT]))?;
    let id = card.device.id();
    let built = programs::build_program(program, &[id], c"-cl-std=CL1.2", None, ptr::null_mut());
    said("clBuildProgram", built)?;
    let (k, m) = (Kuznyechik::new(&KEY), Magma::new(&KEY));
    // The counter soon carries.
    let k = ("kuznyechik", Key::from(&k), &[0xff; 8][..]);
    compare(&card, program, k, kuznyechik()?, bytes, seconds)?;
    let m = ("magma", Key::from(&m), &[0xff; 4][..]);
    compare(&card, program, m, magma()?, bytes, seconds)
}
