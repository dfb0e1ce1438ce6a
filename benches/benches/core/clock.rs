//! What reading the clock costs, beside a whole check.

use crate::Outcome;
use crate::keys::Keys;
use crate::peers::{fixed, limiter};
use ratelimit_bench::at_most;
use ratelimit_core::Clock;
use std::hint::black_box;

pub(crate) fn run() -> Outcome {
    let keys = Keys::new(1_000);
    let limiter = limiter(&[fixed()], 100_000)?;
    let clock = Clock::system();
    let passes = 2_000;
    let operations = u32::try_from(passes * keys.len())?;
    let reads = || {
        for _ in 0..passes * keys.len() {
            black_box(black_box(&clock).now_ms());
        }
    };
    let checks = || {
        for _ in 0..passes {
            keys.each(|key| assert!(black_box(limiter.check(black_box(key)).is_allowed())));
        }
    };
    Ok(vec![at_most("clock-of-a-check-1k", 0.2, operations, reads, checks)])
}
