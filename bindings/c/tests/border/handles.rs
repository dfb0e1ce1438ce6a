//! Limiters that are none any more, and pointers that never were one.

use crate::{UNTOUCHED, field, free, key, limiter, message};
use ratelimit::ratelimit_status::*;
use ratelimit::*;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};
use std::thread;

/// Makes every call on a pointer; says what each returned, and sees that none wrote an answer.
fn every_call(limiter: *mut ratelimit_limiter) -> Vec<ratelimit_status> {
    let ada = key(b"ada");
    let (mut decision, mut permits, mut number, mut flag) = (UNTOUCHED, 7, 7, true);
    let stats = ratelimit_stats_t { allowed: 7, denied: 7, saturated: 7, exceeds_limit: 7 };
    let mut counts = stats;
    let given = ratelimit_decision { kind: 0, policy: 0, ..UNTOUCHED };
    // Safe because each other pointer is to what it says.
    let statuses = unsafe {
        vec![
            ratelimit_check(limiter, &ada, 1, 0, &mut decision),
            ratelimit_check_many(limiter, &ada, 1, 1, 0, &mut decision),
            ratelimit_peek(limiter, &ada, 1, 0, &mut decision),
            ratelimit_remaining(limiter, &ada, 0, &mut permits),
            ratelimit_refund(limiter, &ada, &given, 0, &mut permits),
            ratelimit_reset(limiter, &ada, &mut flag),
            ratelimit_sweep(limiter, 0, &mut number),
            ratelimit_len(limiter, &mut number),
            ratelimit_stats(limiter, &mut counts),
            ratelimit_clear(limiter),
            ratelimit_free(limiter),
        ]
    };
    assert_eq!((decision, permits, number, flag, counts), (UNTOUCHED, 7, 7, true, stats));
    statuses
}

#[test]
fn a_limiter_that_was_freed_is_refused_by_every_call() {
    let limiter = limiter("5/minute");
    free(limiter);
    assert_eq!(every_call(limiter), [RATELIMIT_FREED; 11]);
    assert_eq!((message(), field()), ("limiter was freed before", "limiter"));
}

#[test]
fn a_pointer_to_something_else_is_refused_by_every_call() {
    let mut other = [0_u64; 128];
    assert_eq!(every_call((&raw mut other).cast()), [RATELIMIT_NOT_A_LIMITER; 11]);
    other.fill(u64::MAX);
    assert_eq!(every_call((&raw mut other).cast()), [RATELIMIT_NOT_A_LIMITER; 11]);
    let limiter = limiter("5/minute");
    let beside = limiter.wrapping_byte_add(1);
    assert_eq!(every_call(beside), [RATELIMIT_NOT_A_LIMITER; 11], "no limiter begins at an odd address");
    assert_eq!((message(), field()), ("limiter is not a pointer that ratelimit_new returned", "limiter"));
    free(limiter);
}

#[test]
fn null_is_freed_as_nothing() {
    // Safe because NULL is allowed.
    assert_eq!(unsafe { ratelimit_free(null_mut()) }, RATELIMIT_OK);
}

#[test]
fn of_two_threads_that_free_one_limiter_at_once_one_succeeds() {
    const ROUNDS: usize = if cfg!(miri) { 10 } else { 500 };
    let places: Vec<AtomicPtr<ratelimit_limiter>> = (0..ROUNDS).map(|_| AtomicPtr::new(limiter("5/minute"))).collect();
    let arrivals = AtomicUsize::new(0);
    let free_each = || {
        let free = |(round, place): (usize, &AtomicPtr<ratelimit_limiter>)| {
            arrivals.fetch_add(1, Ordering::AcqRel);
            let mut spins = 0_u32;
            while arrivals.load(Ordering::Acquire) < 2 * (round + 1) {
                // Spins, so that both go on at once; the other may have no processor yet.
                spins += 1;
                if spins.is_multiple_of(4096) { thread::yield_now() } else { std::hint::spin_loop() }
            }
            // Safe because a freed limiter can be looked at.
            unsafe { ratelimit_free(place.load(Ordering::Relaxed)) }
        };
        places.iter().enumerate().map(free).collect::<Vec<ratelimit_status>>()
    };
    let [one, other] =
        thread::scope(|scope| [scope.spawn(free_each), scope.spawn(free_each)].map(|thread| thread.join().unwrap()));
    for pair in one.into_iter().zip(other) {
        assert!(matches!(pair, (RATELIMIT_OK, RATELIMIT_FREED) | (RATELIMIT_FREED, RATELIMIT_OK)), "{pair:?}");
    }
}
