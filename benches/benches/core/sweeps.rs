//! How long a check takes while a sweep of a million rows goes on, calls coming at a fixed pace.

use crate::Outcome;
use crate::keys::Keys;
use governor::{Quota, RateLimiter};
use ratelimit_bench::of_rounds;
use ratelimit_core::{Config, Limiter, ManualClock, Policy};
use std::hint::black_box;
use std::num::NonZeroU32;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

const ROWS: usize = 1_000_000;
/// Calls that are looked at: a second of them. The sweep falls due at the first, and each does its share.
const CALLS: usize = 100_000;
/// Time from one call to the next.
const PACE: Duration = Duration::from_micros(10);
const ROUNDS: usize = 5;

/// The sweeps to look at: of rows that nobody would miss, and of rows that all still owe.
const KINDS: [(&str, Duration); 2] = [("idle", Duration::from_secs(1)), ("live", Duration::from_secs(3600))];

pub(crate) fn run() -> Outcome {
    let (keys, calls) = (Keys::new(ROWS), Keys::shuffled(ROWS));
    let mut rounds = [const { Vec::new() }; 4];
    for _ in 0..ROUNDS {
        let theirs = under_governors_sweeps(keys, calls);
        for (kind, (_, window)) in KINDS.iter().enumerate() {
            let [calm, swept] = without_and_with_sweep(keys, calls, *window)?;
            rounds[2 * kind].push([swept, calm]);
            rounds[2 * kind + 1].push([swept, theirs]);
        }
    }
    let mut ratios = Vec::new();
    for ((name, _), times) in KINDS.iter().zip(rounds.chunks(2)) {
        ratios.push(of_rounds(&format!("p99.9-sweep-of-{name}-rows-vs-none"), 4.0, &times[0]));
        ratios.push(of_rounds(&format!("p99.9-sweep-of-{name}-rows-vs-governor"), 0.01, &times[1]));
    }
    Ok(ratios)
}

/// Returns the p99.9 of calls while nothing is swept, then of as many that find a sweep due.
fn without_and_with_sweep(keys: Keys, calls: Keys, window: Duration) -> Result<[f64; 2], Box<dyn std::error::Error>> {
    let clock = ManualClock::new(0)?;
    let config = Config::with_clock([Policy::fixed_window(1_000, window)], clock.clone());
    let limiter = Limiter::from_config(config.max_identities(2_000_000))?;
    keys.each(|key| assert!(limiter.allow(key)));
    let check = |key| assert!(limiter.allow(black_box(key)));
    let calm = p999(calls, check);
    clock.set(60_000)?;
    Ok([calm, p999(calls, check)])
}

/// Returns the p99.9 of governor's checks while another thread has it look for old keys, over and over; all owe.
fn under_governors_sweeps(keys: Keys, calls: Keys) -> f64 {
    let peer = RateLimiter::dashmap(Quota::per_hour(NonZeroU32::MIN.saturating_add(999)));
    keys.each(|key| assert!(peer.check_key(&key).is_ok()));
    let done = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                peer.retain_recent();
            }
        });
        let p999 = p999(calls, |key| assert!(peer.check_key(black_box(&key)).is_ok()));
        done.store(true, Ordering::Relaxed);
        p999
    })
}

/// Calls at the pace; returns the time that 999 of 1,000 calls stay below, in seconds.
fn p999(calls: Keys, check: impl Fn(&'static str)) -> f64 {
    let mut times = Vec::with_capacity(CALLS);
    let start = Instant::now();
    let mut due = Duration::ZERO;
    for at in 0..CALLS {
        while start.elapsed() < due {
            std::hint::spin_loop();
        }
        due += PACE;
        let before = Instant::now();
        check(calls.get(at));
        times.push(before.elapsed());
    }
    times.sort_unstable();
    times[CALLS - 1 - CALLS / 1_000].as_secs_f64()
}
