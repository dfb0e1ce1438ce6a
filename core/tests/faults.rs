//! Faults that other limiters had and that take more calls than a vector holds: long runs, long rests, floods of keys.

use ratelimit_core::{Config, Decision, Kind, Limiter, ManualClock, Policy};
use std::collections::BTreeMap;
use std::time::Duration;

const MAX_NOW_MS: u64 = (1 << 52) - 1;
const HOUR_MS: u64 = 3_600_000;

fn limiter(policy: Policy, max_identities: u64) -> Limiter {
    let clock = ManualClock::new(0).expect("0 is in range");
    let config = Config::with_clock([policy], clock).max_identities(max_identities);
    Limiter::from_config(config).expect("the policy is in range")
}

fn check(limiter: &Limiter, now_ms: u64, cost: u64) -> Decision {
    limiter.check_at("ada", now_ms, cost).expect("the numbers are in range")
}

/// Seen elsewhere: many that waited for ten permits each took half as many again as the quota.
#[test]
fn eight_that_wait_for_ten_permits_each_take_a_burst_and_the_rate_together() {
    let limiter = limiter(Policy::token_bucket_per_second(1200, 20), 1);
    let mut grants: Vec<u64> = Vec::new();
    // Who comes when: a waiter that is refused comes again when it was told to, one that is served at once.
    let mut due: BTreeMap<(u64, u8), ()> = (0..8).map(|waiter| ((0, waiter), ())).collect();
    while let Some(((now_ms, waiter), ())) = due.pop_first() {
        if now_ms > 60_000 {
            break;
        }
        let decision = check(&limiter, now_ms, 10);
        let wait_ms = decision.retry_after_ms.expect("ten permits are within the capacity");
        if decision.is_allowed() {
            grants.push(now_ms);
        }
        due.insert((now_ms + wait_ms, waiter), ());
    }
    assert_eq!(grants.len() * 10, 1200 + 20 * 60);
    for (number, now_ms) in grants.iter().enumerate() {
        assert!((number as u64 + 1) * 10_000 <= 1_200_000 + 20 * now_ms, "too much by {now_ms}");
    }
}

/// Seen elsewhere: the bucket jumped back to full each period, at twice the rate.
#[test]
fn a_bucket_that_is_asked_often_grants_its_capacity_and_its_rate() {
    let limiter = limiter(Policy::token_bucket_per_second(3, 3), 1);
    let mut granted = 0;
    let mut last: Option<(u64, u32)> = None;
    for now_ms in (0..10_000).step_by(100) {
        let before = limiter.remaining_at("ada", now_ms).expect("the time is in range");
        if let Some((last_ms, left)) = last {
            assert!(u64::from(before - left) <= (now_ms - last_ms) * 3 / 1000 + 1, "a jump at {now_ms}");
        }
        let decision = check(&limiter, now_ms, 1);
        granted += u64::from(decision.is_allowed());
        last = Some((now_ms, decision.remaining));
    }
    assert_eq!(granted, 3 + 3 * 9900 / 1000);
}

/// Seen elsewhere: after a rest any number could be taken, or the balance had overflowed and was negative.
#[test]
fn a_bucket_gains_what_its_rate_brings_and_is_never_fuller_than_full_after_any_rest() {
    let rests_ms = [1, 999, HOUR_MS, 12 * HOUR_MS, 10 * 366 * 24 * HOUR_MS, MAX_NOW_MS];
    let most = u64::from(u32::MAX);
    // An ordinary one; one that fills in an instant; two of the greatest product, which fill in all of time.
    for (capacity, refill, period_ms) in
        [(10_000, 10_000, 1000), (most, most, 1), (most, 1, 1 << 20), (1 << 20, 1, 1 << 32)]
    {
        for rest_ms in rests_ms {
            let limiter = limiter(Policy::token_bucket(capacity, refill, Duration::from_millis(period_ms)), 1);
            assert_eq!(check(&limiter, 0, capacity).remaining, 0);
            assert_eq!(check(&limiter, 0, 1).kind, Kind::Denied);
            let gained = u128::from(rest_ms) * u128::from(refill) / u128::from(period_ms);
            let level = limiter.remaining_at("ada", rest_ms).map(u64::from);
            assert_eq!(level, Ok(u64::try_from(gained).unwrap_or(u64::MAX).min(capacity)), "after {rest_ms} ms");
            let level = level.unwrap_or(0);
            assert!(level == 0 || check(&limiter, rest_ms, level).is_allowed());
            assert_eq!(check(&limiter, rest_ms, 1).kind, Kind::Denied);
        }
    }
}

/// Seen elsewhere: at a large capacity and rate nothing was counted.
#[test]
fn six_thousand_of_six_thousand_and_one_calls_at_once_pass_a_bucket_of_six_thousand() {
    let limiter = limiter(Policy::token_bucket_per_second(6000, 6000), 1);
    let remaining: Vec<u32> = (0..6001)
        .map(|_| check(&limiter, 0, 1))
        .filter(Decision::is_allowed)
        .map(|decision| decision.remaining)
        .collect();
    assert_eq!(remaining, (0..6000).rev().collect::<Vec<u32>>());
}

/// Seen elsewhere: keys stayed in memory for ever.
#[test]
fn a_million_keys_over_a_hundred_seconds_leave_only_the_last_rows() {
    let limiter = limiter(Policy::fixed_window(1, Duration::from_millis(10)), 100_000);
    for key in 0..1_000_000_u64 {
        let decision = limiter.check_at(key.to_le_bytes(), key / 10, 1).expect("the numbers are in range");
        assert!(decision.is_allowed());
        if key % 1000 == 999 {
            // Ten keys a millisecond: those of the window, and of the sweep interval before it, which is as long.
            assert!(limiter.len() <= 200, "{} rows at {}", limiter.len(), key / 10);
        }
    }
}

/// Seen elsewhere: a table that stood in for an outside store had no cap.
#[test]
fn ten_times_as_many_keys_as_the_cap_get_the_cap_and_the_rest_is_saturated() {
    for cap in [1, 100, 10_000] {
        let limiter = limiter(Policy::fixed_window(5, Duration::from_secs(60)), cap);
        for key in 0..10 * cap {
            let decision = limiter.check_at(key.to_le_bytes(), 1000, 1).expect("the numbers are in range");
            let (kind, retry_after_ms) = if key < cap { (Kind::Allowed, 0) } else { (Kind::Saturated, 60_000) };
            assert_eq!((decision.kind, decision.retry_after_ms), (kind, Some(retry_after_ms)));
        }
        assert_eq!((limiter.len(), limiter.stats().saturated), (cap, 9 * cap));
        // Who has a row is limited as ever.
        assert!((0..cap).all(|key| limiter.remaining_at(key.to_le_bytes(), 1000) == Ok(4)));
    }
}
