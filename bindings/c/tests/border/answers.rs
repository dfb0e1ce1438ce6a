//! Answers: written when a call succeeds, and at no other time.

use crate::{UNTOUCHED, check, free, key, limiter};
use ratelimit::ratelimit_status::*;
use ratelimit::*;
use std::ptr::null_mut;

#[test]
fn each_kind_of_decision_is_written_in_full() {
    let limiter = limiter("2/minute");
    let ada = key(b"ada");
    let first = ratelimit_decision {
        kind: ratelimit_kind::RATELIMIT_ALLOWED as i32,
        policy: 0,
        limit: 2,
        remaining: 1,
        cost: 1,
        reserved: 0,
        reset_after_ms: 59_000,
        retry_after_ms: 0,
        at_ms: 1000,
    };
    assert_eq!(check(limiter, &ada, 1000), first);
    assert_eq!(check(limiter, &ada, 1000), ratelimit_decision { remaining: 0, ..first });
    let denied = ratelimit_kind::RATELIMIT_DENIED as i32;
    let refused = ratelimit_decision { kind: denied, remaining: 0, retry_after_ms: 59_000, ..first };
    assert_eq!(check(limiter, &ada, 1000), refused);
    let mut exceeds = UNTOUCHED;
    // Safe because each pointer is to what it says.
    assert_eq!(unsafe { ratelimit_check(limiter, &ada, 3, 1000, &mut exceeds) }, RATELIMIT_OK);
    let kind = ratelimit_kind::RATELIMIT_EXCEEDS_LIMIT as i32;
    let never = RATELIMIT_NEVER;
    let expected =
        ratelimit_decision { kind, remaining: 0, cost: 3, reset_after_ms: 0, retry_after_ms: never, ..first };
    assert_eq!(exceeds, expected);
    free(limiter);
}

#[test]
fn a_peek_takes_nothing_and_a_refund_gives_back() {
    let limiter = limiter("2/minute");
    let ada = key(b"ada");
    let allowed = check(limiter, &ada, 0);
    let (mut peeked, mut remaining, mut refunded) = (UNTOUCHED, 7, 7);
    // Safe because each pointer is to what it says.
    unsafe {
        assert_eq!(ratelimit_peek(limiter, &ada, 1, 0, &mut peeked), RATELIMIT_OK);
        assert_eq!(ratelimit_remaining(limiter, &ada, 0, &mut remaining), RATELIMIT_OK);
        assert_eq!((peeked.kind, peeked.remaining, remaining), (0, 0, 1));
        assert_eq!(ratelimit_refund(limiter, &ada, &allowed, 0, &mut refunded), RATELIMIT_OK);
        assert_eq!(ratelimit_remaining(limiter, &ada, 0, &mut remaining), RATELIMIT_OK);
        assert_eq!((refunded, remaining), (1, 2));
        let refused = ratelimit_decision { kind: ratelimit_kind::RATELIMIT_DENIED as i32, ..allowed };
        assert_eq!(ratelimit_refund(limiter, &ada, &refused, 0, &mut refunded), RATELIMIT_OK);
        assert_eq!(refunded, 0);
    }
    free(limiter);
}

#[test]
fn many_keys_are_checked_in_order_at_one_time() {
    let limiter = limiter("2/minute");
    let keys = [key(b"ada"), key(b"bob"), key(b"ada"), key(b"ada")];
    let mut decisions = [UNTOUCHED; 5];
    let now_ms = 5;
    // Safe because there are as many keys and decisions.
    let status = unsafe { ratelimit_check_many(limiter, keys.as_ptr(), 4, 1, now_ms, decisions.as_mut_ptr()) };
    assert_eq!(status, RATELIMIT_OK);
    assert_eq!(decisions.map(|decision| decision.kind), [0, 0, 0, 1, UNTOUCHED.kind]);
    assert!(decisions[..4].iter().all(|decision| decision.at_ms == now_ms));
    free(limiter);
}

#[test]
fn a_wrong_key_among_many_leaves_all_of_them_unchecked() {
    let limiter = limiter("2/minute");
    let (ada, wrong) = (key(b"ada"), ratelimit_key { kind: 9, ..key(b"bob") });
    let keys = [ada, wrong];
    let mut decisions = [UNTOUCHED; 2];
    // Safe because there are as many keys and decisions.
    let status = unsafe { ratelimit_check_many(limiter, keys.as_ptr(), 2, 1, 0, decisions.as_mut_ptr()) };
    assert_eq!((status, decisions), (RATELIMIT_UNKNOWN_VALUE, [UNTOUCHED; 2]));
    assert_eq!(check(limiter, &ada, 0).remaining, 1);
    free(limiter);
}

#[test]
fn housekeeping_answers_what_core_answers() {
    let limiter = limiter("2/minute");
    let (ada, bob) = (key(b"ada"), key(b"bob"));
    for key in [&ada, &bob, &ada, &ada] {
        check(limiter, key, 0);
    }
    let (mut len, mut had_row, mut removed) = (7, false, 7);
    let mut stats = ratelimit_stats_t { allowed: 7, denied: 7, saturated: 7, exceeds_limit: 7 };
    // Safe because each pointer is to what it says.
    unsafe {
        assert_eq!((ratelimit_len(limiter, &mut len), len), (RATELIMIT_OK, 2));
        assert_eq!((ratelimit_reset(limiter, &ada, &mut had_row), had_row), (RATELIMIT_OK, true));
        assert_eq!((ratelimit_reset(limiter, &ada, &mut had_row), had_row), (RATELIMIT_OK, false));
        assert_eq!((ratelimit_sweep(limiter, 60_000, &mut removed), removed), (RATELIMIT_OK, 1));
        check(limiter, &ada, 60_000);
        assert_eq!(ratelimit_clear(limiter), RATELIMIT_OK);
        assert_eq!((ratelimit_len(limiter, &mut len), len), (RATELIMIT_OK, 0));
        assert_eq!(ratelimit_stats(limiter, &mut stats), RATELIMIT_OK);
    }
    assert_eq!(stats, ratelimit_stats_t { allowed: 4, denied: 1, saturated: 0, exceeds_limit: 0 });
    free(limiter);
}

#[test]
fn answers_that_nobody_wants_need_no_place() {
    let limiter = limiter("2/minute");
    let ada = key(b"ada");
    let allowed = check(limiter, &ada, 0);
    // Safe because these may be NULL.
    unsafe {
        assert_eq!(ratelimit_refund(limiter, &ada, &allowed, 0, null_mut()), RATELIMIT_OK);
        assert_eq!(ratelimit_reset(limiter, &ada, null_mut()), RATELIMIT_OK);
        assert_eq!(ratelimit_sweep(limiter, 0, null_mut()), RATELIMIT_OK);
    }
    free(limiter);
}

#[test]
fn memory_of_the_caller_need_not_be_aligned() {
    let limiter = limiter("2/minute");
    let mut space = [0_u8; 256];
    let at = |offset: usize| space.as_ptr().align_offset(8) + offset;
    let (key_at, decision_at) = (at(1), at(65));
    // Safe because there is room for both, one byte beside where they would be aligned.
    unsafe {
        space.as_mut_ptr().add(key_at).cast::<ratelimit_key>().write_unaligned(key(b"ada"));
        let decision = space.as_mut_ptr().add(decision_at).cast::<ratelimit_decision>();
        assert_eq!(ratelimit_check(limiter, space.as_ptr().add(key_at).cast(), 1, 0, decision), RATELIMIT_OK);
        assert_eq!(decision.read_unaligned().remaining, 1);
    }
    free(limiter);
}
