//! Queues and memory of an OpenCL caller: used in place, kept alive, and refused if they belong to another context.
#![cfg(feature = "opencl")]
#![allow(unsafe_code)]

use std::ptr;

use bulat::Kuznyechik;
use bulat::batch::{Job, Key, Mode, run};
use bulat_gpu::{Device, Error};
use opencl3::command_queue::{
    CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, create_command_queue, enqueue_read_buffer,
    enqueue_write_buffer, finish, release_command_queue,
};
use opencl3::context::Context;
use opencl3::memory::{CL_MEM_READ_WRITE, create_buffer, release_mem_object};
use opencl3::types::{CL_BLOCKING, CL_NON_BLOCKING, cl_command_queue, cl_mem};

struct Caller {
    context: Context,
    device: opencl3::device::Device,
    queue: cl_command_queue,
    memory: cl_mem,
}

fn caller(bytes: usize, how: u64) -> Option<Caller> {
    let platforms = opencl3::platform::get_platforms().unwrap_or_default();
    let id = platforms.iter().find_map(|p| {
        p.get_devices(opencl3::device::CL_DEVICE_TYPE_ALL).ok().and_then(|d| d.first().copied())
    });
    let Some(id) = id else {
        println!("skipped: no device (apt-get install ocl-icd-libopencl1 pocl-opencl-icd)");
        return None;
    };
    let device = opencl3::device::Device::new(id);
    let context = Context::from_device(&device).unwrap();
    // SAFETY: context and device are alive; the host pointer is null.
    let (queue, memory) = unsafe {
        (
            create_command_queue(context.get(), id, how).unwrap(),
            create_buffer(context.get(), CL_MEM_READ_WRITE, bytes, ptr::null_mut()).unwrap(),
        )
    };
    Some(Caller { context, device, queue, memory })
}

fn number<T>(handle: *mut T) -> u64 {
    handle.expose_provenance() as u64
}

/// In sequence: PoCL fails if two threads do this at once for the first time.
#[test]
fn queues_and_memory_of_the_caller() {
    work_goes_where_the_caller_says();
    what_is_of_another_context_is_refused();
}

fn work_goes_where_the_caller_says() {
    let text: Vec<u8> = (0..10_007).map(|i| (i * 7) as u8).collect();
    let Some(own) = caller(text.len(), 0) else { return };
    let cipher = Kuznyechik::new(&[3; 32]);
    let key = Key::from(&cipher);
    let mut want = text.clone();
    assert_eq!(run(vec![Job::cipher(key, Mode::Ctr, &[9; 8], &mut want)]), [Ok(())]);
    // SAFETY: the queue and the memory live until they are released below.
    unsafe {
        let device = Device::of_queue(number(own.queue)).unwrap();
        let mut channel = device.channel_on(number(own.queue)).unwrap();
        channel.trust();
        let room = device.buffer_at(number(own.memory), text.len()).unwrap();
        // The caller's own earlier work, for which nobody waits.
        let (queue, memory, n) = (own.queue, own.memory, text.len());
        let at = text.as_ptr().cast();
        enqueue_write_buffer(queue, memory, CL_NON_BLOCKING, 0, n, at, 0, ptr::null()).unwrap();
        channel.cipher(&key, Mode::Ctr, &[9; 8], &room, &room, n).unwrap();
        let mut have = vec![0u8; n];
        let at = have.as_mut_ptr().cast();
        enqueue_read_buffer(queue, memory, CL_BLOCKING, 0, n, at, 0, ptr::null()).unwrap();
        assert!(have == want);
        // Longer than the memory.
        let refused = device.buffer_at(number(memory), n + 1).err();
        assert_eq!(refused, Some(Error::Refused(bulat::Error::BufferLength)));
        // The channel and the buffer keep both alive.
        release_command_queue(queue).unwrap();
        release_mem_object(memory).unwrap();
        channel.cipher(&key, Mode::Ctr, &[9; 8], &room, &room, n).unwrap();
        channel.read(&room, 0, &mut have).unwrap();
        assert!(have == text);
    }
    drop(own.context);
}

fn what_is_of_another_context_is_refused() {
    let (Some(own), Some(other)) = (caller(64, 0), caller(64, 0)) else { return };
    let found = bulat_gpu::devices().devices;
    // SAFETY: queues and memory live until they are released below.
    unsafe {
        let device = Device::of_queue(number(own.queue)).unwrap();
        for device in found.iter().filter(|d| d.facts().driver == "opencl").chain([&device]) {
            let refused = device.channel_on(number(other.queue)).err();
            assert!(matches!(refused, Some(Error::Foreign(_))), "{refused:?}");
            let refused = device.buffer_at(number(other.memory), 64).err();
            assert!(matches!(refused, Some(Error::Foreign(_))), "{refused:?}");
        }
        // Memory of the library's own context does not work with the caller's queue, nor the reverse.
        device.channel_on(number(own.queue)).unwrap().finish().unwrap();
        // Out-of-order queues are refused.
        let id = own.device.id();
        let loose =
            create_command_queue(own.context.get(), id, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
        if let Ok(loose) = loose {
            assert!(matches!(device.channel_on(number(loose)).err(), Some(Error::Foreign(_))));
            finish(loose).unwrap();
            release_command_queue(loose).unwrap();
        }
        for caller in [&own, &other] {
            release_command_queue(caller.queue).unwrap();
            release_mem_object(caller.memory).unwrap();
        }
    }
}
