//! Everything at once: checks, peeks, refunds, resets, sweeps and clears from many threads.

use crate::crowd::{crowd, crowd_beside, limiter};
use ratelimit_core::{Kind, Limiter, Policy};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

const THREADS: u64 = 8;
const CALLS: u64 = 4000;
const CAP: u64 = 12;
const KEYS: u64 = 16;

/// Draws numbers below a bound, the same ones in each run.
struct Draw(u64);

impl Draw {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }
}

/// Makes calls of every kind, checks most often; returns how many checks it made.
fn mix(limiter: &Limiter, draw: &mut Draw, now_ms: &AtomicU64) -> u64 {
    let mut checks = 0;
    for _ in 0..CALLS {
        let now_ms = now_ms.fetch_add(draw.below(2), Ordering::Relaxed);
        let key = draw.below(KEYS).to_le_bytes();
        let min_limit = 5;
        match draw.below(40) {
            0 => limiter.clear(),
            1..=2 => assert!(limiter.sweep_at(now_ms).expect("the time is in range") <= CAP),
            3..=5 => drop(limiter.reset(key)),
            6..=9 => assert!(limiter.remaining_at(key, now_ms).expect("the time is in range") <= min_limit),
            10..=11 => assert!(limiter.len() <= CAP, "more rows than the cap"),
            12..=14 => drop(limiter.peek_at(key, now_ms, 1)),
            _ => {
                checks += 1;
                let decision = limiter.check_at(key, now_ms, 1 + draw.below(6)).expect("the numbers are in range");
                assert!(decision.remaining <= min_limit && decision.at_ms >= now_ms);
                if decision.is_allowed() && draw.below(3) == 0 {
                    let back = limiter.refund_at(key, &decision, now_ms).expect("the time is in range");
                    assert!(back <= decision.cost);
                }
            }
        }
    }
    checks
}

fn judge(policies: &[Policy]) {
    let limiter = limiter(policies, CAP);
    let now_ms = AtomicU64::new(0);
    let checks: u64 = crowd(THREADS, |thread| mix(&limiter, &mut Draw(thread), &now_ms)).iter().sum();
    let stats = limiter.stats();
    assert_eq!(stats.allowed + stats.denied + stats.saturated + stats.exceeds_limit, checks);
    assert!([stats.allowed, stats.denied, stats.saturated, stats.exceeds_limit].iter().all(|count| *count > 0));
    limiter.clear();
    assert_eq!(limiter.len(), 0);
    assert_eq!(limiter.stats(), stats);
    // As good as new: time starts again, and the cap has all its room.
    for key in 0..CAP {
        let decision = limiter.check_at(key.to_le_bytes(), 0, 5).expect("the numbers are in range");
        assert_eq!((decision.kind, decision.at_ms), (Kind::Allowed, 0));
    }
    assert_eq!(limiter.len(), CAP);
}

#[test]
fn every_call_at_once_loses_no_row_and_no_count_of_a_fixed_window() {
    judge(&[Policy::fixed_window(5, Duration::from_millis(40))]);
}

#[test]
fn every_call_at_once_loses_no_row_and_no_count_of_a_bucket() {
    judge(&[Policy::token_bucket(5, 1, Duration::from_millis(10))]);
}

#[test]
fn every_call_at_once_loses_no_row_and_no_count_of_a_sliding_window() {
    judge(&[Policy::sliding_window(5, Duration::from_millis(40))]);
}

#[test]
fn every_call_at_once_loses_no_row_and_no_count_of_a_stack() {
    let window = Duration::from_millis(40);
    judge(&[Policy::sliding_window(5, window), Policy::token_bucket(6, 1, window), Policy::sliding_window(8, window)]);
}

/// A clear ends what a time too far ahead has frozen, also while calls go on: none of them leaves a key frozen.
#[test]
fn a_clear_while_calls_go_on_leaves_no_key_at_the_old_sweep_time() {
    let keys = || (0..2000_u64).map(u64::to_le_bytes);
    for _ in 0..20 {
        let limiter = limiter(&[Policy::fixed_window(5, Duration::from_millis(40))], 20_000);
        limiter.sweep_at(1 << 50).expect("the time is in range");
        let call_all = || keys().for_each(|key| drop(limiter.check_at(key, 0, 1)));
        crowd_beside(1, call_all, |_| {
            while limiter.stats().allowed < 100 {
                std::thread::yield_now();
            }
            limiter.clear();
        });
        let frozen = keys().filter(|key| limiter.peek_at(key, 0, 1).is_ok_and(|decision| decision.at_ms > 0)).count();
        assert_eq!(frozen, 0, "keys still at the old sweep time after a clear");
    }
}
