//! Arguments that C cannot keep out.

use crate::{UNTOUCHED, check, field, free, key, limiter, message};
use ratelimit::ratelimit_status::*;
use ratelimit::*;
use std::ptr::{null, null_mut};

/// A pointer that no memory has: whoever looks at it crashes.
fn nowhere<T>() -> *mut T {
    std::ptr::without_provenance_mut(64)
}

type Call<'a> = Box<dyn FnOnce() -> ratelimit_status + 'a>;

#[test]
fn each_pointer_that_is_null_is_named() {
    let limiter = limiter("5/minute");
    let key = key(b"ada");
    let (mut decision, mut permits, mut number) = (UNTOUCHED, 0, 0);
    let (mut buffer, mut length, mut bytes) = ([0; 64], 0, [0_u8; 64]);
    let mut policies = [ratelimit_policy { algorithm: 1, limit: 5, window_ms: 1, refill: 0 }; 4];
    let (decision, permits, number) = (&raw mut decision, &raw mut permits, &raw mut number);
    let (buffer, length, bytes) = ((&raw mut buffer).cast(), &raw mut length, (&raw mut bytes).cast());
    let (one, policies) = (&raw const key, policies.as_mut_ptr());
    let part = ratelimit_part { bytes: null(), length: 1 };
    let no_bytes = ratelimit_key { bytes: null(), length: 1, kind: 0 };
    let mut made = null_mut();
    // Safe because each pointer is NULL or to what it says.
    let calls: Vec<(&str, Call<'_>)> = unsafe {
        vec![
            ("limiter", Box::new(|| ratelimit_check(null_mut(), one, 1, 0, decision))),
            ("key", Box::new(|| ratelimit_check(limiter, null(), 1, 0, decision))),
            ("key.bytes", Box::new(|| ratelimit_check(limiter, &no_bytes, 1, 0, decision))),
            ("decision", Box::new(|| ratelimit_check(limiter, one, 1, 0, null_mut()))),
            ("limiter", Box::new(|| ratelimit_check_many(null_mut(), one, 1, 1, 0, decision))),
            ("keys", Box::new(|| ratelimit_check_many(limiter, null(), 1, 1, 0, decision))),
            ("decisions", Box::new(|| ratelimit_check_many(limiter, one, 1, 1, 0, null_mut()))),
            ("limiter", Box::new(|| ratelimit_peek(null(), one, 1, 0, decision))),
            ("key", Box::new(|| ratelimit_peek(limiter, null(), 1, 0, decision))),
            ("decision", Box::new(|| ratelimit_peek(limiter, one, 1, 0, null_mut()))),
            ("limiter", Box::new(|| ratelimit_remaining(null(), one, 0, permits))),
            ("key", Box::new(|| ratelimit_remaining(limiter, null(), 0, permits))),
            ("remaining", Box::new(|| ratelimit_remaining(limiter, one, 0, null_mut()))),
            ("limiter", Box::new(|| ratelimit_refund(null_mut(), one, decision, 0, permits))),
            ("key", Box::new(|| ratelimit_refund(limiter, null(), decision, 0, permits))),
            ("decision", Box::new(|| ratelimit_refund(limiter, one, null(), 0, permits))),
            ("limiter", Box::new(|| ratelimit_reset(null_mut(), one, null_mut()))),
            ("key", Box::new(|| ratelimit_reset(limiter, null(), null_mut()))),
            ("limiter", Box::new(|| ratelimit_sweep(null_mut(), 0, number))),
            ("limiter", Box::new(|| ratelimit_len(null(), number))),
            ("len", Box::new(|| ratelimit_len(limiter, null_mut()))),
            ("limiter", Box::new(|| ratelimit_stats(null(), nowhere()))),
            ("stats", Box::new(|| ratelimit_stats(limiter, null_mut()))),
            ("limiter", Box::new(|| ratelimit_clear(null_mut()))),
            ("config", Box::new(|| ratelimit_new(null(), &mut made))),
            ("limiter", Box::new(|| ratelimit_new(nowhere(), null_mut()))),
            ("text", Box::new(|| ratelimit_new_from_text(null(), 1, nowhere()))),
            ("limiter", Box::new(|| ratelimit_new_from_text(nowhere(), 1, null_mut()))),
            ("parts", Box::new(|| ratelimit_key_join(null(), 1, bytes, 64, length))),
            ("part.bytes", Box::new(|| ratelimit_key_join(&part, 1, bytes, 64, length))),
            ("buffer", Box::new(|| ratelimit_key_join(null(), 0, null_mut(), 1, length))),
            ("length", Box::new(|| ratelimit_key_join(null(), 0, bytes, 64, null_mut()))),
            ("text", Box::new(|| ratelimit_policies_from_text(null(), 1, policies, 4, length))),
            ("policies", Box::new(|| ratelimit_policies_from_text(nowhere(), 1, null_mut(), 4, length))),
            ("count", Box::new(|| ratelimit_policies_from_text(nowhere(), 1, policies, 4, null_mut()))),
            ("policies", Box::new(|| ratelimit_policies_to_text(null(), 1, buffer, 64, length))),
            ("buffer", Box::new(|| ratelimit_policies_to_text(policies, 1, null_mut(), 64, length))),
        ]
    };
    for (number, (name, call)) in calls.into_iter().enumerate() {
        assert_eq!((call(), field()), (RATELIMIT_NULL_POINTER, name), "call {number}");
        assert_eq!(message(), format!("{name} is NULL"));
    }
    assert_eq!(check(limiter, &key, 0).remaining, 4, "no call has taken anything");
    free(limiter);
}

#[test]
fn a_number_that_names_nothing_in_its_enum_is_refused() {
    let limiter = limiter("5/minute");
    let ada = key(b"ada");
    for wrong in [2, 3, -1, 256, i32::MAX, i32::MIN] {
        let mut decision = UNTOUCHED;
        let key = ratelimit_key { kind: wrong, ..ada };
        // Safe because each pointer is to what it says.
        let status = unsafe { ratelimit_check(limiter, &key, 1, 0, &mut decision) };
        assert_eq!((status, field(), decision), (RATELIMIT_UNKNOWN_VALUE, "key.kind", UNTOUCHED));
        assert_eq!(
            message(),
            format!("key.kind is {wrong}, must be RATELIMIT_KEY_PLAIN (0) or RATELIMIT_KEY_PARTS (1)")
        );
    }
    for wrong in [4, -1, 257, i32::MAX, i32::MIN] {
        let given = ratelimit_decision { kind: wrong, ..check(limiter, &ada, 0) };
        let mut permits = 7;
        // Safe because each pointer is to what it says.
        let status = unsafe { ratelimit_refund(limiter, &ada, &given, 0, &mut permits) };
        assert_eq!((status, field(), permits), (RATELIMIT_UNKNOWN_VALUE, "decision.kind", 7));
    }
    for wrong in [4, 256, u32::MAX] {
        let given = ratelimit_decision { policy: wrong, ..check(limiter, &ada, 0) };
        let mut permits = 7;
        // Safe because each pointer is to what it says.
        let status = unsafe { ratelimit_refund(limiter, &ada, &given, 0, &mut permits) };
        assert_eq!((status, field(), permits), (RATELIMIT_UNKNOWN_VALUE, "decision.policy", 7));
    }
    for wrong in [0, 4, -1, i32::MAX, i32::MIN] {
        let policy = ratelimit_policy { algorithm: wrong, limit: 1, window_ms: 1, refill: 1 };
        let mut length = 7;
        // Safe because each pointer is to what it says.
        let status = unsafe { ratelimit_policies_to_text(&policy, 1, std::ptr::null_mut(), 0, &mut length) };
        assert_eq!((status, field(), length), (RATELIMIT_UNKNOWN_VALUE, "policy.algorithm", 7));
    }
    free(limiter);
}

#[test]
fn a_length_that_no_memory_has_is_refused_and_nothing_is_read() {
    let limiter = limiter("5/minute");
    let mut decision = UNTOUCHED;
    let mut length = 7;
    let one = key(b"ada");
    for huge in [usize::MAX, isize::MAX as usize + 1] {
        let key = ratelimit_key { bytes: nowhere::<std::ffi::c_void>(), length: huge, kind: 0 };
        let part = ratelimit_part { bytes: nowhere::<std::ffi::c_void>(), length: huge };
        let bytes = nowhere();
        // Safe because each pointer is to what it says, or has a length that is looked at before it.
        let statuses = unsafe {
            [
                (ratelimit_check(limiter, &key, 1, 0, &mut decision), field()),
                (ratelimit_check_many(limiter, &key, 1, 1, 0, &mut decision), field()),
                (ratelimit_reset(limiter, &key, null_mut()), field()),
                (ratelimit_check_many(limiter, nowhere(), huge, 1, 0, nowhere()), field()),
                (ratelimit_check_many(limiter, nowhere(), huge / 24, 1, 0, nowhere()), field()),
                (ratelimit_key_join(&part, 1, bytes, 64, &mut length), field()),
                (ratelimit_key_join(nowhere(), huge, bytes, 64, &mut length), field()),
                (ratelimit_key_join(nowhere(), 0, bytes, huge, &mut length), field()),
                (ratelimit_policies_from_text(nowhere(), huge, nowhere(), 4, &mut length), field()),
                (ratelimit_policies_from_text(nowhere(), 1, nowhere(), huge, &mut length), field()),
                (ratelimit_new_from_text(nowhere(), huge, nowhere()), field()),
            ]
        };
        let named = ["key.length", "key.length", "key.length", "count", "count", "part.length", "count", "capacity"];
        let named = named.into_iter().chain(["length", "capacity", "length"]);
        for (number, (is, name)) in statuses.into_iter().zip(named).enumerate() {
            // A count of keys that has a size, of decisions twice as large has none.
            assert_eq!(is, (RATELIMIT_TOO_LONG, name), "call {number} with {huge}");
        }
    }
    assert_eq!((decision, length), (UNTOUCHED, 7));
    assert_eq!(check(limiter, &one, 0).remaining, 4, "nothing was taken");
    free(limiter);
}

#[test]
fn no_bytes_need_no_pointer() {
    let limiter = limiter("5/minute");
    let empty = ratelimit_key { bytes: null(), length: 0, kind: 0 };
    assert_eq!(check(limiter, &empty, 0).remaining, 4);
    assert_eq!(check(limiter, &key(b""), 0).remaining, 3, "it is the key of no bytes, wherever they are not");
    // Safe because no keys need no pointer, nor do no decisions.
    assert_eq!(unsafe { ratelimit_check_many(limiter, null(), 0, 1, 0, null_mut()) }, RATELIMIT_OK);
    let mut made = null_mut();
    // Safe because no text needs no pointer.
    assert_eq!(unsafe { ratelimit_new_from_text(null(), 0, &mut made) }, RATELIMIT_POLICY_SYNTAX);
    assert!(made.is_null());
    free(limiter);
}

#[test]
fn numbers_are_judged_by_core_and_named_as_it_names_them() {
    let limiter = limiter("5/minute");
    let key = key(b"ada");
    let mut decision = UNTOUCHED;
    let beyond = 1 << 52;
    // Safe because each pointer is to what it says, and no keys need none.
    let statuses = unsafe {
        [
            (ratelimit_check(limiter, &key, 0, 0, &mut decision), field()),
            (ratelimit_check(limiter, &key, 1 << 32, RATELIMIT_NOW, &mut decision), field()),
            (ratelimit_peek(limiter, &key, u64::MAX, 0, &mut decision), field()),
            (ratelimit_check_many(limiter, null(), 0, 0, 0, null_mut()), field()),
            (ratelimit_check(limiter, &key, 1, beyond, &mut decision), field()),
            (ratelimit_check_many(limiter, null(), 0, 1, beyond, null_mut()), field()),
            (ratelimit_check_many(limiter, &key, 1, 0, beyond, &mut decision), field()),
            (ratelimit_remaining(limiter, &key, RATELIMIT_NOW - 1, nowhere()), field()),
            (ratelimit_refund(limiter, &key, &UNTOUCHED_ALLOWED, beyond, null_mut()), field()),
            (ratelimit_sweep(limiter, beyond, null_mut()), field()),
        ]
    };
    let named = ["cost", "cost", "cost", "cost", "now_ms", "now_ms", "now_ms", "now_ms", "now_ms", "now_ms"];
    for (number, (is, name)) in statuses.into_iter().zip(named).enumerate() {
        assert_eq!(is, (RATELIMIT_OUT_OF_RANGE, name), "call {number}");
    }
    assert_eq!(decision, UNTOUCHED);
    // Safe because a cost is judged before anything is done.
    assert_eq!(unsafe { ratelimit_check(limiter, &key, 0, 0, &mut decision) }, RATELIMIT_OUT_OF_RANGE);
    assert_eq!(message(), "cost is 0, must be from 1 to 4294967295");
    free(limiter);
}

const UNTOUCHED_ALLOWED: ratelimit_decision = ratelimit_decision { kind: 0, policy: 0, ..UNTOUCHED };
