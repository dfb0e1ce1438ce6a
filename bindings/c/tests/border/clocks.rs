//! Clocks of the host.

use crate::{UNTOUCHED, free, key, message};
use ratelimit::ratelimit_status::*;
use ratelimit::*;
use std::ffi::c_void;
use std::ptr::{null, null_mut};
use std::sync::atomic::{AtomicU64, Ordering};

struct Clock {
    now_ms: AtomicU64,
    readings: AtomicU64,
}

unsafe extern "C" fn read(context: *mut c_void) -> u64 {
    // Safe because the limiters here are made with such a clock.
    let clock = unsafe { &*context.cast::<Clock>() };
    clock.readings.fetch_add(1, Ordering::Relaxed);
    clock.now_ms.load(Ordering::Relaxed)
}

fn limiter(clock: &Clock) -> *mut ratelimit_limiter {
    let policy = ratelimit_policy { algorithm: 1, limit: 2, window_ms: 1000, refill: 0 };
    let config = ratelimit_config {
        size: size_of::<ratelimit_config>(),
        policies: &policy,
        policy_count: 1,
        max_identities: 10,
        clock: Some(read),
        clock_context: (&raw const *clock).cast_mut().cast(),
        warning: None,
        warning_context: null_mut(),
    };
    let mut limiter = null_mut();
    // Safe because each pointer is to what it says.
    assert_eq!(unsafe { ratelimit_new(&config, &mut limiter) }, RATELIMIT_OK, "{}", message());
    limiter
}

#[test]
fn each_call_for_now_reads_the_clock_once_and_a_call_with_a_time_never() {
    let clock = Clock { now_ms: AtomicU64::new(5), readings: AtomicU64::new(0) };
    let limiter = limiter(&clock);
    let ada = key(b"ada");
    let keys = [ada; 3];
    let mut decisions = [UNTOUCHED; 3];
    let decisions = decisions.as_mut_ptr();
    let given = ratelimit_decision { kind: 0, policy: 0, ..UNTOUCHED };
    let mut permits = 0;
    for (now_ms, readings) in [(RATELIMIT_NOW, 1), (5, 0)] {
        // Safe because each pointer is to what it says.
        let statuses = unsafe {
            let calls: [Box<dyn FnMut() -> ratelimit_status>; 7] = [
                Box::new(|| ratelimit_check(limiter, &ada, 1, now_ms, decisions)),
                Box::new(|| ratelimit_check_many(limiter, keys.as_ptr(), 3, 1, now_ms, decisions)),
                Box::new(|| ratelimit_check_many(limiter, null(), 0, 1, now_ms, null_mut())),
                Box::new(|| ratelimit_peek(limiter, &ada, 1, now_ms, decisions)),
                Box::new(|| ratelimit_remaining(limiter, &ada, now_ms, &mut permits)),
                Box::new(|| ratelimit_refund(limiter, &ada, &given, now_ms, null_mut())),
                Box::new(|| ratelimit_sweep(limiter, now_ms, null_mut())),
            ];
            calls.map(|mut call| {
                let before = clock.readings.load(Ordering::Relaxed);
                (call(), clock.readings.load(Ordering::Relaxed) - before)
            })
        };
        assert_eq!(statuses, [(RATELIMIT_OK, readings); 7]);
    }
    free(limiter);
}

#[test]
fn the_clock_is_the_one_that_decides() {
    let clock = Clock { now_ms: AtomicU64::new(5), readings: AtomicU64::new(0) };
    let limiter = limiter(&clock);
    let ada = key(b"ada");
    let check = || crate::check(limiter, &ada, RATELIMIT_NOW);
    assert_eq!([check(), check(), check()].map(|decision| decision.kind), [0, 0, 1]);
    assert_eq!(check().retry_after_ms, 995);
    clock.now_ms.store(1000, Ordering::Relaxed);
    assert_eq!((check().kind, check().at_ms), (0, 1000));
    clock.now_ms.store(u64::MAX, Ordering::Relaxed);
    assert_eq!(check().at_ms, (1 << 52) - 1, "no time is beyond the last one");
    free(limiter);
}

#[test]
fn a_limiter_without_a_clock_reads_unix_time() {
    let limiter = crate::limiter("5/minute");
    let unix_ms = || std::time::UNIX_EPOCH.elapsed().unwrap().as_millis();
    let (before, at_ms) = (unix_ms(), u128::from(crate::check(limiter, &key(b"ada"), RATELIMIT_NOW).at_ms));
    // It may lag by its resolution, and by what the machine's clock was set meanwhile.
    assert!(at_ms.abs_diff(before) < 60_000, "{at_ms} {before}");
    free(limiter);
}
