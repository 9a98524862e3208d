//! The allocator of a library that holds keys: it wipes every block before it gives it back.
//!
//! Types wipe their fields when they are dropped. A move into a box copies more than fields: the bytes between them, and those
//! of an enum that its present variant does not use. What an earlier call left on the stack goes along, another context's
//! key too. So the block is wiped as a whole.

use std::alloc::{GlobalAlloc, Layout, System};

/// The system's allocator, and blocks that are wiped.
pub struct Wiping;

// SAFETY: blocks are the system's, by its rules. `realloc` is the trait's own: a new block, a copy, `dealloc` of the old block.
unsafe impl GlobalAlloc for Wiping {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the promise of this function's caller is that of the system's.
        unsafe { System.alloc(layout) }
    }
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the promise of this function's caller is that of the system's.
        unsafe { System.alloc_zeroed(layout) }
    }
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: the block has as many bytes, which nobody uses any more, and is the system's.
        unsafe {
            block.write_bytes(0, layout.size());
            zeroize::optimization_barrier(core::slice::from_raw_parts(block, layout.size()));
            System.dealloc(block, layout);
        }
    }
}

#[global_allocator]
static WIPING: Wiping = Wiping;
