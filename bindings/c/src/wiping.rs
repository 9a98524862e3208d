//! The allocator of a library that holds keys: it wipes every block before it frees it.
//!
//! Types wipe their fields on drop. But moving a value into a box copies more than its fields: also the bytes between
//! them, and those of an enum that its present variant does not use. They contain remains of earlier calls' stacks,
//! even of another context's key. So the whole block is wiped.

use std::alloc::{GlobalAlloc, Layout, System};

/// The system's allocator, which wipes blocks before freeing them.
pub struct Wiping;

// SAFETY: the system allocates and frees the blocks. The default `realloc` allocates a new block, copies, and calls
// `dealloc` for the old one.
unsafe impl GlobalAlloc for Wiping {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the rules of `GlobalAlloc`, which are the system's.
        unsafe { System.alloc(layout) }
    }
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the rules of `GlobalAlloc`, which are the system's.
        unsafe { System.alloc_zeroed(layout) }
    }
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: the block has `layout.size()` bytes, came from the system, and nobody uses it any more.
        unsafe {
            block.write_bytes(0, layout.size());
            zeroize::optimization_barrier(core::slice::from_raw_parts(block, layout.size()));
            System.dealloc(block, layout);
        }
    }
}

#[global_allocator]
static WIPING: Wiping = Wiping;
