//! What calls allocate, counted by the allocator of this test: nothing, for a key that the limiter holds.

#![allow(unsafe_code, reason = "it calls as C does, and an allocator is an unsafe trait")]

use ratelimit::ratelimit_status::RATELIMIT_OK;
use ratelimit::*;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::ptr::null_mut;

struct Meter;

thread_local! {
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
    static HELD: Cell<isize> = const { Cell::new(0) };
}

// Safe because it hands every call on to the system's allocator as it came.
unsafe impl GlobalAlloc for Meter {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.with(|count| count.set(count.get() + 1));
        hold(layout.size().cast_signed());
        // Safe because the caller promises the same.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        hold(-layout.size().cast_signed());
        // Safe because the caller promises the same.
        unsafe { System.dealloc(pointer, layout) }
    }
}

fn hold(bytes: isize) {
    HELD.with(|held| held.set(held.get() + bytes));
}

#[global_allocator]
static METER: Meter = Meter;

fn allocations(run: impl FnOnce()) -> u64 {
    let before = ALLOCATIONS.with(Cell::get);
    run();
    ALLOCATIONS.with(Cell::get) - before
}

fn limiter(policies: &str) -> *mut ratelimit_limiter {
    let mut limiter = null_mut();
    // Safe because the text is as long as it says.
    let status = unsafe { ratelimit_new_from_text(policies.as_ptr().cast(), policies.len(), &mut limiter) };
    assert_eq!(status, RATELIMIT_OK);
    limiter
}

#[test]
fn a_key_that_the_limiter_holds_costs_no_allocation() {
    for policies in ["1000000/hour", "bucket 1000000 + 1/hour", "1000000/hour; bucket 1000000 + 1/hour"] {
        let limiter = limiter(policies);
        for (length, kind) in [(0, 0), (11, 0), (16, 1), (39, 0), (64, 1), (65, 0), (10_000, 1)] {
            let bytes = vec![b'k'; length];
            let key = ratelimit_key { bytes: bytes.as_ptr().cast(), length, kind };
            let keys = [key; 8];
            // Safe because any bytes make a decision.
            let mut decisions: [ratelimit_decision; 8] = unsafe { std::mem::zeroed() };
            let (mut remaining, mut refunded) = (0, 0);
            let mut calls = || {
                // Safe because each pointer is to what it says.
                let statuses = unsafe {
                    [
                        ratelimit_check(limiter, &key, 2, RATELIMIT_NOW, &mut decisions[0]),
                        ratelimit_refund(limiter, &key, &decisions[0], RATELIMIT_NOW, &mut refunded),
                        ratelimit_check_many(limiter, keys.as_ptr(), 8, 1, RATELIMIT_NOW, decisions.as_mut_ptr()),
                        ratelimit_peek(limiter, &key, 1, RATELIMIT_NOW, &mut decisions[0]),
                        ratelimit_remaining(limiter, &key, RATELIMIT_NOW, &mut remaining),
                        ratelimit_check(limiter, &key, 1_000_001, RATELIMIT_NOW, &mut decisions[1]),
                    ]
                };
                assert_eq!(statuses, [RATELIMIT_OK; 6]);
                assert!(decisions[2..].iter().all(|decision| decision.kind == 0));
            };
            assert!(allocations(&mut calls) > 0 || length != 0, "a new key takes memory, or nothing is counted");
            assert_eq!(allocations(&mut calls), 0, "{length} bytes, {policies}");
        }
        // Safe because it is freed once.
        assert_eq!(unsafe { ratelimit_free(limiter) }, RATELIMIT_OK);
    }
}

#[test]
fn an_error_is_remembered_without_an_allocation_of_its_own() {
    let limiter = limiter("5/minute");
    // Safe because a key that is NULL is not looked at.
    let call = || assert_ne!(unsafe { ratelimit_reset(limiter, std::ptr::null(), null_mut()) }, RATELIMIT_OK);
    assert_eq!(allocations(call), 0);
    // Safe because it is freed once.
    assert_eq!(unsafe { ratelimit_free(limiter) }, RATELIMIT_OK);
}

#[test]
fn a_limiter_that_is_freed_gives_back_what_it_took_but_for_its_handle() {
    let held = || HELD.with(Cell::get);
    let before = held();
    let limiter = limiter("sliding 10000/hour");
    let bytes = [b'k'; 40];
    for length in 0..bytes.len() {
        let key = ratelimit_key { bytes: bytes.as_ptr().cast(), length, kind: 0 };
        for now_ms in 0..100 {
            // Safe because any bytes make a decision.
            let mut decision: ratelimit_decision = unsafe { std::mem::zeroed() };
            // Safe because each pointer is to what it says.
            assert_eq!(unsafe { ratelimit_check(limiter, &key, 1, now_ms, &mut decision) }, RATELIMIT_OK);
        }
    }
    assert!(held() - before > 40 * 100 * 8, "the logs of the keys take memory");
    // Safe because it is freed once.
    assert_eq!(unsafe { ratelimit_free(limiter) }, RATELIMIT_OK);
    assert!(held() - before < 2000, "{} bytes are held on", held() - before);
}
