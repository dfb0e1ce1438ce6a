//! Permits of one key that many threads want at once.

use crate::crowd::{crowd, limiter};
use ratelimit_core::{Decision, Kind, Policy};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

const THREADS: u64 = 8;
const ROUNDS: u64 = 150;
const LIMIT: u64 = 20;
const HOUR: Duration = Duration::from_secs(3600);

/// Lets the threads want one new key at once, many times over, each more than there is. Each permit is granted once:
/// what the allowed calls say remains are all the numbers below the limit in steps of the cost.
fn judge(policies: &[Policy], cost: u64) {
    let limiter = limiter(policies, 100_000);
    let calls = LIMIT / cost;
    for key in 0..ROUNDS {
        let check = || limiter.check_at(key.to_le_bytes(), 5000, cost).expect("the numbers are in range");
        let granted = crowd(THREADS, |_| {
            let granted = (0..calls).map(|_| check()).filter(Decision::is_allowed);
            granted.map(|decision| decision.remaining.into()).collect::<Vec<u64>>()
        });
        let mut granted = granted.concat();
        granted.sort_unstable();
        let wanted: Vec<u64> = (0..calls).map(|call| LIMIT % cost + call * cost).collect();
        assert_eq!(granted, wanted, "round {key}");
    }
    let stats = limiter.stats();
    assert_eq!((stats.allowed, stats.denied), (ROUNDS * calls, ROUNDS * calls * (THREADS - 1)));
    assert_eq!(limiter.len(), ROUNDS);
}

#[test]
fn threads_on_a_new_key_of_a_fixed_window_are_granted_exactly_the_limit() {
    judge(&[Policy::fixed_window(LIMIT, HOUR)], 1);
}

#[test]
fn threads_on_a_new_key_of_a_bucket_are_granted_exactly_the_capacity() {
    judge(&[Policy::token_bucket(LIMIT, 1, HOUR)], 1);
}

#[test]
fn threads_on_a_new_key_of_a_sliding_window_are_granted_exactly_the_limit() {
    judge(&[Policy::sliding_window(LIMIT, HOUR)], 1);
}

#[test]
fn threads_on_a_new_key_of_a_stack_are_granted_exactly_the_smallest_limit() {
    let stack = [Policy::sliding_window(LIMIT, HOUR), Policy::token_bucket(LIMIT + 5, 1, HOUR)];
    judge(&stack, 1);
    judge(&[Policy::fixed_window(LIMIT + 1, HOUR), Policy::fixed_window(LIMIT, HOUR * 24)], 1);
}

#[test]
fn threads_that_ask_for_several_permits_are_granted_as_many_whole_costs_as_fit() {
    judge(&[Policy::fixed_window(LIMIT, HOUR)], 3);
    judge(&[Policy::token_bucket(LIMIT, 1, HOUR)], 7);
    judge(&[Policy::sliding_window(LIMIT, HOUR)], 3);
}

#[test]
fn sixty_four_threads_are_granted_a_thousand_of_their_calls_on_a_bucket_of_a_thousand() {
    let bucket = Policy::token_bucket(1000, 1, Duration::from_secs(366 * 24 * 3600));
    let limiter = limiter(&[bucket], 1);
    let granted = crowd(64, |_| (0..10_000).filter(|_| limiter.allow("ada")).count());
    assert_eq!(granted.iter().sum::<usize>(), 1000);
    assert_eq!(limiter.stats().denied, 64 * 10_000 - 1000);
}

/// A rate above one permit a nanosecond: two threads that ask for less are never refused.
#[test]
fn two_threads_are_never_refused_by_a_bucket_that_fills_faster_than_they_take() {
    let limiter = limiter(&[Policy::token_bucket_per_second(u32::MAX.into(), 1_000_000_001)], 1);
    let now_ms = AtomicU64::new(0);
    crowd(2, |_| {
        for _ in 0..100_000 {
            // Each millisecond brings 1 000 000.001 permits and sees at most one call.
            let now_ms = now_ms.fetch_add(1, Ordering::Relaxed);
            assert_eq!(limiter.check_at("ada", now_ms, 1_000_000).map(|decision| decision.kind), Ok(Kind::Allowed));
        }
    });
}
