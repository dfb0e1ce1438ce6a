//! An allocator that counts, for each thread on its own, so that tests do not see each other.
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
    static BYTES: Cell<i64> = const { Cell::new(0) };
}

/// The system's allocator, counted.
pub(crate) struct Meter;

// Safe because every call goes to the system's allocator as it came; the counters are plain numbers of the thread, and
// need neither an allocation nor a destructor.
unsafe impl GlobalAlloc for Meter {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        note(1, layout.size(), 0);
        // Safe because the caller promises what `alloc` asks for.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        note(0, 0, layout.size());
        // Safe because the caller promises what `dealloc` asks for, and all memory comes from the system's allocator.
        unsafe { System.dealloc(place, layout) }
    }

    unsafe fn realloc(&self, place: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        note(1, new_size, layout.size());
        // Safe because the caller promises what `realloc` asks for, and all memory comes from the system's allocator.
        unsafe { System.realloc(place, layout, new_size) }
    }
}

fn note(allocations: u64, taken: usize, given_back: usize) {
    let signed = |bytes| i64::try_from(bytes).unwrap_or(i64::MAX);
    ALLOCATIONS.set(ALLOCATIONS.get() + allocations);
    BYTES.set(BYTES.get() + signed(taken) - signed(given_back));
}

/// Counts the allocations, growths included, that this thread makes in `run`.
pub(crate) fn allocations(run: impl FnOnce()) -> u64 {
    let before = ALLOCATIONS.get();
    run();
    ALLOCATIONS.get() - before
}

/// Returns the bytes that this thread has allocated and not given back.
pub(crate) fn live_bytes() -> i64 {
    BYTES.get()
}
