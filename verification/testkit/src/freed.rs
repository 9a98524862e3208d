//! Freed blocks of the heap with pieces of secrets. A test sets the allocator:
//! `#[global_allocator] static HEAP: Searched = Searched;`.
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::RwLock;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicUsize, Ordering::SeqCst};

/// The system's allocator, which searches a block before it frees it.
pub struct Searched;

static SEARCHES: AtomicBool = AtomicBool::new(false);
static FOUND: AtomicUsize = AtomicUsize::new(0);
/// A block that is not searched.
static EXCEPT: AtomicPtr<u8> = AtomicPtr::new(std::ptr::null_mut());
static PIECES: RwLock<Pieces> = RwLock::new(Pieces { len: 0, sorted: Vec::new() });
thread_local! {
    static ALLOCATED: Cell<usize> = const { Cell::new(0) };
}

/// All pieces of `len` bytes of the secrets.
struct Pieces {
    len: usize,
    sorted: Vec<Vec<u8>>,
}

impl Pieces {
    fn are_in(&self, block: &[u8]) -> bool {
        block.windows(self.len).any(|w| self.sorted.binary_search_by(|p| p[..].cmp(w)).is_ok())
    }
}

// SAFETY: the system's allocator, but for a look at freed blocks. `realloc` is the trait's: a new block, a copy, and
// this `dealloc`.
unsafe impl GlobalAlloc for Searched {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let _ = ALLOCATED.try_with(|n| n.set(n.get() + 1));
        // SAFETY: the caller passes a valid layout. Zeros, so that a freed block may be read as bytes.
        unsafe { System.alloc_zeroed(layout) }
    }
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        if SEARCHES.load(SeqCst) && block != EXCEPT.load(SeqCst) {
            // SAFETY: a block of this size that no other code uses. It came as zeros; where its last user left
            // padding, the bytes are formally undetermined: any value does, this is a test.
            let bytes = unsafe { std::slice::from_raw_parts(block, layout.size()) };
            if PIECES.read().is_ok_and(|pieces| pieces.are_in(bytes)) {
                FOUND.fetch_add(1, SeqCst);
            }
        }
        // SAFETY: a block of `alloc` with its layout.
        unsafe { System.dealloc(block, layout) }
    }
}

/// Sets the secrets, of which `len` consecutive bytes count, and tests the search with a copy of the first.
///
/// # Panics
/// If the search does not find the copy: another allocator is set.
pub fn search(len: usize, secrets: &[&[u8]]) {
    let mut sorted: Vec<_> = secrets.iter().flat_map(|s| s.windows(len).map(Vec::from)).collect();
    sorted.sort_unstable();
    *PIECES.write().expect("no panic") = Pieces { len, sorted };
    // Without black_box an optimised build neither allocates nor frees the copy.
    let control = found(|| std::hint::black_box(secrets[0].to_vec()));
    assert_eq!(control, 1, "the control: a copy that nobody wipes is found");
}

/// Counts the blocks that are freed meanwhile with a piece of a secret.
pub fn found<T>(run: impl FnOnce() -> T) -> usize {
    FOUND.store(0, SeqCst);
    SEARCHES.store(true, SeqCst);
    drop(run());
    SEARCHES.store(false, SeqCst);
    FOUND.load(SeqCst)
}

/// Leaves this block out of the search.
pub fn except<T>(block: *const T) {
    EXCEPT.store(block.cast_mut().cast(), SeqCst);
}

/// Returns the number of blocks that this thread has asked for.
pub fn allocated() -> usize {
    ALLOCATED.get()
}
