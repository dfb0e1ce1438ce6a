//! What a limiter is made of.

use crate::{field, free, key, message};
use ratelimit::ratelimit_status::*;
use ratelimit::*;
use std::ptr::{null, null_mut};

const POLICY: ratelimit_policy = ratelimit_policy { algorithm: 1, limit: 2, window_ms: 1000, refill: 0 };

fn config(policies: &[ratelimit_policy]) -> ratelimit_config {
    ratelimit_config {
        size: size_of::<ratelimit_config>(),
        policies: policies.as_ptr(),
        policy_count: policies.len(),
        max_identities: RATELIMIT_DEFAULT_MAX_IDENTITIES,
        clock: None,
        clock_context: null_mut(),
        warning: None,
        warning_context: null_mut(),
    }
}

/// Makes a limiter that cannot be made; says why, and sees that nothing was written.
fn refuse(config: &ratelimit_config) -> (ratelimit_status, &'static str) {
    let untouched = std::ptr::without_provenance_mut(64);
    let mut limiter = untouched;
    // Safe because each pointer is to what it says.
    let status = unsafe { ratelimit_new(config, &mut limiter) };
    assert_eq!(limiter, untouched, "the answer was written over");
    (status, field())
}

#[test]
fn a_config_of_another_size_is_refused() {
    let known = size_of::<ratelimit_config>();
    for size in [0, 1, 8, known - 1, known + 1, known + 8, usize::MAX] {
        let config = ratelimit_config { size, ..config(&[POLICY]) };
        assert_eq!(refuse(&config), (RATELIMIT_CONFIG_SIZE, "config.size"));
        assert_eq!(message(), format!("config.size is {size}, must be {known}, the size of a ratelimit_config"));
    }
}

#[test]
fn nothing_is_read_behind_a_size_that_is_too_small() {
    // A page that ends right behind the size would show it too; valgrind and the sanitizers see it here.
    let size = Box::new(8_usize);
    let mut limiter = null_mut();
    // Safe because of a config of 8 bytes only those are read.
    let status = unsafe { ratelimit_new((&raw const *size).cast(), &mut limiter) };
    assert_eq!(status, RATELIMIT_CONFIG_SIZE);
}

#[test]
fn policies_are_counted_before_they_are_read() {
    assert_eq!(refuse(&config(&[])), (RATELIMIT_POLICY_COUNT, "policies"));
    for policy_count in [5, usize::MAX] {
        assert_eq!(
            refuse(&ratelimit_config { policy_count, policies: null(), ..config(&[]) }),
            (RATELIMIT_POLICY_COUNT, "policies")
        );
        assert_eq!(message(), format!("policies are {policy_count}, must be from 1 to 4"));
    }
    let nowhere = ratelimit_config { policy_count: 1, policies: null(), ..config(&[]) };
    assert_eq!(refuse(&nowhere), (RATELIMIT_NULL_POINTER, "config.policies"));
}

#[test]
fn numbers_of_a_config_are_judged_by_core() {
    let with = |policy| refuse(&config(&[POLICY, policy]));
    assert_eq!(with(ratelimit_policy { limit: 1 << 32, ..POLICY }), (RATELIMIT_OUT_OF_RANGE, "limit"));
    assert_eq!(with(ratelimit_policy { window_ms: 0, ..POLICY }), (RATELIMIT_OUT_OF_RANGE, "window_ms"));
    assert_eq!(with(ratelimit_policy { window_ms: u64::MAX, ..POLICY }), (RATELIMIT_OUT_OF_RANGE, "window_ms"));
    assert_eq!(message(), "window_ms is 18446744073709551615, must be from 1 to 31622400000");
    let bucket = ratelimit_policy { algorithm: 2, refill: 1, ..POLICY };
    assert_eq!(with(ratelimit_policy { refill: 0, ..bucket }), (RATELIMIT_OUT_OF_RANGE, "refill"));
    assert_eq!(with(ratelimit_policy { window_ms: 0, ..bucket }), (RATELIMIT_OUT_OF_RANGE, "refill_period_ms"));
    let (limit, window_ms) = (u32::MAX.into(), 31_622_400_000);
    assert_eq!(with(ratelimit_policy { limit, window_ms, ..bucket }), (RATELIMIT_BUCKET_TOO_LARGE, "capacity"));
    let sliding = ratelimit_policy { algorithm: 3, limit, window_ms, refill: 0 };
    assert_eq!(with(sliding), (RATELIMIT_SLIDING_LOG_TOO_LONG, "limit"));
    assert_eq!(with(ratelimit_policy { algorithm: 0, ..POLICY }), (RATELIMIT_UNKNOWN_VALUE, "policy.algorithm"));
    for max_identities in [0, 1 << 32, u64::MAX] {
        let config = ratelimit_config { max_identities, ..config(&[POLICY]) };
        assert_eq!(refuse(&config), (RATELIMIT_OUT_OF_RANGE, "max_identities"));
    }
}

#[test]
fn a_limiter_keeps_its_cap_and_nothing_of_its_config() {
    let mut policies = vec![POLICY, ratelimit_policy { algorithm: 2, limit: 1, window_ms: 100, refill: 1 }];
    let mut config = Box::new(ratelimit_config { max_identities: 1, ..config(&policies) });
    let mut limiter = null_mut();
    // Safe because each pointer is to what it says.
    assert_eq!(unsafe { ratelimit_new(&*config, &mut limiter) }, RATELIMIT_OK);
    policies.fill(ratelimit_policy { algorithm: 9, limit: 9, window_ms: 9, refill: 9 });
    config.max_identities = 9;
    drop((policies, config));
    let allowed = crate::check(limiter, &key(b"ada"), 0);
    assert_eq!((allowed.kind, allowed.policy, allowed.limit), (0, 1, 1), "the bucket has the least left");
    let saturated = crate::check(limiter, &key(b"bob"), 0);
    assert_eq!(saturated.kind, ratelimit_kind::RATELIMIT_SATURATED as i32);
    free(limiter);
}
