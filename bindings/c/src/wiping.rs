//! The allocator of a library that holds keys: it wipes every block before it frees it.
//!
//! Types wipe their fields on drop. But moving a value into a box copies more than its fields: also the bytes between
//! them, and the bytes of an enum that its present variant does not use. They contain remains of earlier calls' stacks,
//! even of a different context's key. So the whole block is wiped.

use std::alloc::{GlobalAlloc, Layout, System};

/// The system's allocator, which wipes blocks before freeing them.
pub struct Wiping;

/// The alignment of all blocks of the system, at least.
const LEAST: usize = 2 * size_of::<usize>();

/// Returns the layout in which the system allocates a block of a greater alignment: room for the block at any place in it,
/// and before the block for the address of the whole. glibc's own aligned allocation costs four times as much.
fn around(layout: Layout) -> Option<Layout> {
    let size = layout.size().checked_add(layout.align())?;
    Layout::from_size_align(size, LEAST).ok()
}

// SAFETY: the system allocates and frees the blocks. A block of a greater alignment is a part of the system's block: it
// begins at the first aligned address after the start, at least `LEAST` bytes after it and at most `align`, so that its
// `size` bytes and the address before it are within. The default `realloc` allocates a new block, copies, and calls
// `dealloc` for the old block.
unsafe impl GlobalAlloc for Wiping {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if layout.align() <= LEAST {
            // SAFETY: the caller keeps the rules of `GlobalAlloc`, which are the system's.
            return unsafe { System.alloc(layout) };
        }
        let Some(around) = around(layout) else { return core::ptr::null_mut() };
        // SAFETY: the size of the layout is not 0, and the block is at most `align` bytes after the start of `whole`. A
        // `*mut u8` is written before it, where at least `LEAST` bytes are, aligned as the block is.
        unsafe {
            let whole = System.alloc(around);
            if whole.is_null() {
                return whole;
            }
            let block = whole.add(layout.align() - whole.addr() % layout.align());
            block.cast::<*mut u8>().sub(1).write(whole);
            block
        }
    }
    #[inline]
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: the block has `layout.size()` bytes, came from `alloc` with this layout, and is no longer used. Before a
        // block of a greater alignment is the address of the system's block; `alloc` computed the same layout.
        unsafe {
            block.write_bytes(0, layout.size());
            zeroize::optimization_barrier(core::slice::from_raw_parts(block, layout.size()));
            match around(layout) {
                Some(around) if layout.align() > LEAST => {
                    System.dealloc(block.cast::<*mut u8>().sub(1).read(), around);
                }
                _ => System.dealloc(block, layout),
            }
        }
    }
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if layout.align() <= LEAST {
            // SAFETY: the caller keeps the rules of `GlobalAlloc`, which are the system's.
            return unsafe { System.alloc_zeroed(layout) };
        }
        // SAFETY: the caller keeps the rules of `GlobalAlloc`; the block has `layout.size()` bytes if it is there.
        unsafe {
            let block = self.alloc(layout);
            if !block.is_null() {
                block.write_bytes(0, layout.size());
            }
            block
        }
    }
}

#[global_allocator]
static WIPING: Wiping = Wiping;
