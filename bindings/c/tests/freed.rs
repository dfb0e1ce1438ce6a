//! How long a limiter is known as freed, and what becomes of its memory.

#![allow(unsafe_code, reason = "it calls as C does")]

use ratelimit::ratelimit_status::{RATELIMIT_FREED, RATELIMIT_OK};
use ratelimit::*;
use std::collections::BTreeSet;

fn limiter() -> *mut ratelimit_limiter {
    let mut limiter = std::ptr::null_mut();
    // Safe because the text is as long as it says.
    assert_eq!(unsafe { ratelimit_new_from_text(c"5/minute".as_ptr(), 8, &mut limiter) }, RATELIMIT_OK);
    limiter
}

fn free(limiter: *mut ratelimit_limiter) -> ratelimit_status {
    // Safe because a limiter that was freed can be looked at.
    unsafe { ratelimit_free(limiter) }
}

fn remaining(limiter: *mut ratelimit_limiter) -> u32 {
    let key = ratelimit_key { bytes: std::ptr::null(), length: 0, kind: 0 };
    // Safe because any bytes make a decision.
    let mut decision: ratelimit_decision = unsafe { std::mem::zeroed() };
    // Safe because each pointer is to what it says.
    assert_eq!(unsafe { ratelimit_check(limiter, &key, 1, 0, &mut decision) }, RATELIMIT_OK);
    decision.remaining
}

/// One test alone in its process: whatever else frees limiters would count.
#[test]
fn a_limiter_is_known_as_freed_for_1024_more_and_then_its_memory_is_used_again() {
    for _ in 0..3 {
        let early = limiter();
        assert_eq!(free(early), RATELIMIT_OK);
        for _ in 0..1024 {
            // While it lives: it may not have taken the other's place.
            let later = limiter();
            assert_eq!(free(early), RATELIMIT_FREED);
            assert_eq!(free(later), RATELIMIT_OK);
        }
    }
    let mut places = BTreeSet::new();
    for _ in 0..5000 {
        let limiter = limiter();
        assert_eq!(remaining(limiter), 4, "nothing is left of the one before");
        places.insert(limiter.addr());
        assert_eq!(free(limiter), RATELIMIT_OK);
    }
    assert_eq!(places.len(), 1025);
}
