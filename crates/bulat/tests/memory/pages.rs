//! Memory of our own from the system: pages between two that nothing may touch, and a thread's stack.
#![allow(unsafe_code)]

use std::ffi::c_void;
use std::ptr::{null_mut, slice_from_raw_parts_mut};

// SAFETY: only this object has the mapping.
unsafe impl Send for Pages {}

/// Pages that can be used; the page before them and the page after them end the program when touched.
pub struct Pages {
    /// The first usable byte.
    at: *mut u8,
    len: usize,
}

/// A multiple of every system's page, as `mprotect` wants: some have 16 or 64 KiB.
const PAGE: usize = 64 << 10;

impl Pages {
    /// Room for at least `len` bytes.
    pub fn new(bytes: usize) -> Self {
        let len = bytes.next_multiple_of(PAGE).max(PAGE);
        // SAFETY: a new mapping, which no reference knows yet; the answers are checked.
        unsafe {
            let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
            let all = libc::mmap(null_mut(), len + 2 * PAGE, libc::PROT_NONE, flags, -1, 0);
            assert!(all != libc::MAP_FAILED, "mmap");
            let at = all.cast::<u8>().add(PAGE);
            let pages = Pages { at, len };
            pages.protect(libc::PROT_READ | libc::PROT_WRITE);
            pages
        }
    }

    fn protect(&self, rights: i32) {
        // SAFETY: pages of the mapping that this object owns.
        let answer = unsafe { libc::mprotect(self.at.cast::<c_void>(), self.len, rights) };
        assert_eq!(answer, 0, "mprotect");
    }

    /// The last or the first bytes.
    pub fn bytes(&mut self, len: usize, last: bool) -> &mut [u8] {
        assert!(len <= self.len);
        let from = if last { self.len - len } else { 0 };
        // SAFETY: inside the mapping, readable and writable, borrowed with the object.
        unsafe { &mut *slice_from_raw_parts_mut(self.at.add(from), len) }
    }

    /// A copy of the bytes there, which cannot be written until the next call of `writable`.
    pub fn constant(&mut self, bytes: &[u8], last: bool) -> &[u8] {
        self.protect(libc::PROT_READ | libc::PROT_WRITE);
        self.bytes(bytes.len(), last).copy_from_slice(bytes);
        self.protect(libc::PROT_READ);
        self.bytes(bytes.len(), last)
    }

    /// Moves an object to the first bytes, shows its memory, drops it there.
    pub fn with<T, R>(&mut self, object: T, look: impl FnOnce(&[u8]) -> R) -> R {
        assert!(size_of::<T>() <= self.len && align_of::<T>() <= PAGE);
        let at = self.at.cast::<T>();
        // SAFETY: there is room, aligned; the memory was zeros or bytes before, so that it may be read
        // as bytes; the object is dropped once.
        unsafe {
            at.write(object);
            let seen = look(self.bytes(size_of::<T>(), false));
            at.drop_in_place();
            seen
        }
    }

    /// The traces of `run` on the stack of a thread that had this memory, all 0xa5 before: from the deepest
    /// byte that was written.
    pub fn stack_after(run: impl FnOnce() + Send) -> Vec<u8> {
        type Job<'a> = Option<Box<dyn FnOnce() + Send + 'a>>;
        extern "C" fn start(job: *mut c_void) -> *mut c_void {
            // SAFETY: `job` is the value below, which waits until the thread has ended.
            let job = unsafe { (*job.cast::<Job<'_>>()).take() };
            job.expect("one thread")();
            null_mut()
        }
        let mut pages = Pages::new(1 << 20);
        let len = pages.len;
        pages.bytes(len, false).fill(0xa5);
        let mut job: Job<'_> = Some(Box::new(run));
        // SAFETY: the attributes are initialised before they are used; the stack outlives the thread,
        // which is joined here; `job` too.
        unsafe {
            let (mut attributes, mut thread) = (std::mem::zeroed(), std::mem::zeroed());
            assert_eq!(libc::pthread_attr_init(&mut attributes), 0);
            assert_eq!(libc::pthread_attr_setstack(&mut attributes, pages.at.cast(), len), 0);
            let job = (&raw mut job).cast();
            assert_eq!(libc::pthread_create(&mut thread, &attributes, start, job), 0, "pthread");
            assert_eq!(libc::pthread_join(thread, null_mut()), 0);
            libc::pthread_attr_destroy(&mut attributes);
        }
        let stack = pages.bytes(len, false);
        let from = stack.iter().position(|&x| x != 0xa5).expect("a thread uses its stack");
        stack[from..].to_vec()
    }
}

impl Drop for Pages {
    fn drop(&mut self) {
        // SAFETY: the whole mapping, which only this object knows.
        unsafe { libc::munmap(self.at.sub(PAGE).cast::<c_void>(), self.len + 2 * PAGE) };
    }
}
