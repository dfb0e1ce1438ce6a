//! What reading the clock adds to a check.

use crate::Outcome;
use crate::keys::Keys;
use crate::peers::fixed;
use crate::speed::check_each;
use ratelimit_bench::{at_most, note};
use ratelimit_core::{Clock, Config, Error, Limiter, ManualClock};
use std::hint::black_box;
use std::time::Instant;

const PASSES: usize = 2_000;

/// Compares checks with the system's clock and with one that stands still, which is one number in memory. If the one
/// takes at most 1.25 of the other, the clock is at most a fifth of it.
pub(crate) fn run() -> Outcome {
    let keys = Keys::new(1_000);
    let still = ManualClock::new(Clock::system().now_ms())?;
    let checks = |clock: Clock| -> Result<_, Error> {
        let limiter = Limiter::from_config(Config::new(fixed()).max_identities(100_000).clock(clock))?;
        Ok(move || check_each(&limiter, keys, PASSES))
    };
    let operations = u32::try_from(PASSES * keys.len())?;
    let ratio =
        at_most("check-1k-vs-with-clock-still", 1.25, operations, checks(Clock::system())?, checks(still.into())?);
    let (clock, start) = (Clock::system(), Instant::now());
    for _ in 0..operations {
        black_box(black_box(&clock).now_ms());
    }
    let alone = start.elapsed().as_secs_f64() * 1e9 / f64::from(operations);
    note(&format!("about {alone:.1} ns for reading the clock and nothing else"));
    Ok(vec![ratio])
}
