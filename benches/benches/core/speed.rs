//! One thread: against governor, against our own fixed window, and in batches.

use crate::Outcome;
use crate::keys::Keys;
use crate::peers::{MANY, MINUTE, fixed, governor, limiter};
use ratelimit_bench::{Ratio, at_most};
use ratelimit_core::{Clock, Config, Limiter, Policy};
use std::error::Error;
use std::hint::black_box;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Calls of a side in a round.
const CALLS: usize = 2_000_000;
/// Permits that a bucket and a sliding window of the comparison hold; calls are spread so that nobody meets them.
const LIMIT: u64 = 100;

pub(crate) fn run() -> Outcome {
    let thousand = Keys::new(1_000);
    let million = Keys::new(1_000_000);
    // Those of a thousand keys first: a million leave memory in pieces.
    Ok(vec![
        against_governor("fixed-1k-vs-governor", 0.5, thousand, thousand)?,
        against_fixed("bucket-1k-vs-fixed", 1.3, thousand, &[Policy::token_bucket(MANY, MANY, MINUTE)])?,
        sliding_against_fixed("sliding-1k-vs-fixed", 1.3, thousand)?,
        against_fixed("stack-of-two-1k-vs-one", 1.6, thousand, &[fixed(), fixed()])?,
        against_governor("fixed-1m-vs-governor", 0.4, million, Keys::shuffled(1_000_000))?,
        against_governor("fixed-1m-zipf-vs-governor", 0.5, million, Keys::zipf(1_000_000, CALLS)?)?,
        batches("check-many-64-1m-vs-one-by-one", 0.7, million, Keys::shuffled(1_000_000))?,
    ])
}

/// Checks each key, and the whole of it so many times.
pub(crate) fn check_each(limiter: &Limiter, keys: Keys, passes: usize) {
    for _ in 0..passes {
        keys.each(|key| assert!(black_box(limiter.check(black_box(key)).is_allowed())));
    }
}

/// Compares calls with `calls`; all of `keys` have rows, and governor has borrowed those.
fn against_governor(name: &str, bound: f64, keys: Keys, calls: Keys) -> Result<Ratio, Box<dyn Error>> {
    let limiter = limiter(&[fixed()], 2_000_000)?;
    let peer = governor();
    keys.each(|key| assert!(limiter.allow(key) && peer.check_key(&key).is_ok()));
    let passes = CALLS / calls.len();
    let theirs = || {
        for _ in 0..passes {
            calls.each(|key| assert!(black_box(peer.check_key(black_box(&key)).is_ok())));
        }
    };
    let operations = u32::try_from(passes * calls.len())?;
    Ok(at_most(name, bound, operations, || check_each(&limiter, calls, passes), theirs))
}

fn against_fixed(name: &str, bound: f64, keys: Keys, policies: &[Policy]) -> Result<Ratio, Box<dyn Error>> {
    let (ours, plain) = (limiter(policies, 100_000)?, limiter(&[fixed()], 100_000)?);
    let passes = CALLS / keys.len();
    let operations = u32::try_from(passes * keys.len())?;
    let (ours, plain) = (|| check_each(&ours, keys, passes), || check_each(&plain, keys, passes));
    Ok(at_most(name, bound, operations, ours, plain))
}

/// Compares sliding windows of a limit of 100, half full all the time: each pass is a fiftieth of a window later, so
/// what the next one takes has just come free. Both read the clock, which is moved on by as much.
fn sliding_against_fixed(name: &str, bound: f64, keys: Keys) -> Result<Ratio, Box<dyn Error>> {
    let passes = CALLS / keys.len();
    let operations = u32::try_from(passes * keys.len())?;
    let at_a_pace = |policy| -> Result<_, ratelimit_core::Error> {
        let ahead = Arc::new(AtomicU64::new(0));
        let (system, moved) = (Clock::system(), Arc::clone(&ahead));
        let clock = Clock::from_fn(move || system.now_ms() + moved.load(Ordering::Relaxed));
        let limiter = Limiter::from_config(Config::new(policy).max_identities(100_000).clock(clock))?;
        Ok(move || {
            for _ in 0..passes {
                ahead.fetch_add(60_000 / (LIMIT / 2), Ordering::Relaxed);
                check_each(&limiter, keys, 1);
            }
        })
    };
    let (sliding, plain) = (at_a_pace(Policy::sliding_window(LIMIT, MINUTE))?, at_a_pace(fixed())?);
    Ok(at_most(name, bound, operations, sliding, plain))
}

fn batches(name: &str, bound: f64, keys: Keys, calls: Keys) -> Result<Ratio, Box<dyn Error>> {
    let limiter = limiter(&[fixed()], 2_000_000)?;
    keys.each(|key| assert!(limiter.allow(key)));
    let operations = u32::try_from(calls.len())?;
    let in_batches = || {
        let mut batch = Vec::with_capacity(64);
        for start in (0..calls.len()).step_by(64) {
            batch.clear();
            batch.extend((start..calls.len().min(start + 64)).map(|at| calls.get(at)));
            let decisions = limiter.check_many(black_box(&batch), 1);
            assert!(decisions.is_ok_and(|decisions| decisions.iter().all(|decision| decision.is_allowed())));
        }
    };
    Ok(at_most(name, bound, operations, in_batches, || check_each(&limiter, calls, 1)))
}
