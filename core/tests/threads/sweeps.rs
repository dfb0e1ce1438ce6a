//! Sweeps all the time, while threads take permits of rows that come and go.

use crate::crowd::{crowd_beside, limiter};
use ratelimit_core::Policy;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

const THREADS: u64 = 16;
const CALLS: u64 = 6000;
const KEYS: u64 = 4;

/// The key and the time of a tick. Keys take turns of 100 ms, between which their rows come to owe nothing. A thread
/// that was held up comes with a time from before its row was swept.
fn turn(tick: u64) -> (u64, u64) {
    let turn_ms = tick / 4;
    // Not at the start of a window, or the sweeps that fall due would always come first.
    (tick % (KEYS / 2) + turn_ms / 100 % 2 * (KEYS / 2), 1013 + turn_ms)
}

/// Hammers some keys, with a sweep now and then, while one more thread only sweeps; returns the times of each key's
/// grants, in order.
fn grants(policy: Policy) -> Vec<Vec<u64>> {
    let limiter = limiter(&[policy], 5000);
    let (tick, swept) = (AtomicU64::new(0), AtomicU64::new(0));
    let sweep = |now_ms| {
        swept.fetch_add(limiter.sweep_at(now_ms).expect("the time is in range"), Ordering::Relaxed);
    };
    let sweep_now = || sweep(turn(tick.load(Ordering::Relaxed)).1);
    let logs = crowd_beside(THREADS, sweep_now, |_| {
        let mut log = Vec::new();
        for number in 0..CALLS {
            let (key, now_ms) = turn(tick.fetch_add(1, Ordering::Relaxed));
            let decision = limiter.check_at(key.to_le_bytes(), now_ms, 1).expect("the numbers are in range");
            if decision.is_allowed() {
                log.push((key, decision.at_ms));
            }
            if number % 16 == 0 {
                sweep(now_ms);
            }
        }
        log
    });
    assert!(swept.into_inner() > 0, "no sweep found an idle row");
    let stats = limiter.stats();
    assert_eq!(stats.allowed, logs.iter().map(Vec::len).sum::<usize>() as u64);
    assert_eq!(stats.allowed + stats.denied, THREADS * CALLS);
    assert!(stats.denied > 0, "the limit was never reached");
    let of = |key| {
        let mut times: Vec<u64> = logs.iter().flatten().filter(|grant| grant.0 == key).map(|grant| grant.1).collect();
        times.sort_unstable();
        times
    };
    (0..KEYS).map(of).collect()
}

#[test]
fn no_span_of_a_sliding_window_sees_more_than_the_limit_while_sweeps_go_on() {
    for times in grants(Policy::sliding_window(20, Duration::from_millis(50))) {
        for run in times.windows(21) {
            assert!(run[20] - run[0] >= 50, "21 grants within {} ms, from {}", run[20] - run[0], run[0]);
        }
    }
}

#[test]
fn no_fixed_window_sees_more_than_the_limit_while_sweeps_go_on() {
    for times in grants(Policy::fixed_window(20, Duration::from_millis(50))) {
        for run in times.windows(21) {
            assert!(run[20] / 50 > run[0] / 50, "21 grants in the window of {}", run[0]);
        }
    }
}

#[test]
fn no_two_instants_see_more_than_a_bucket_holds_and_gains_while_sweeps_go_on() {
    // Half a permit a millisecond: counted in halves.
    let full = 40;
    for times in grants(Policy::token_bucket(20, 1, Duration::from_millis(2))) {
        let (mut level, mut clock) = (full, 0);
        for now in times {
            level = (level + (now - clock)).min(full);
            clock = now;
            assert!(level >= 2, "one grant too many at {now}");
            level -= 2;
        }
    }
}
