//! The build without `std`: one thread, the caller's clock, the caller's seed.
#![cfg(not(feature = "std"))]

use ratelimit_core::{Clock, Config, Kind, Limiter, ManualClock, Policy, seed_hash};
use std::cell::Cell;
use std::time::Duration;

const MINUTE: Duration = Duration::from_secs(60);

#[test]
fn a_limiter_reads_the_clock_that_it_is_given() {
    let clock = ManualClock::new(59_999).expect("in range");
    let policies = [Policy::fixed_window(2, MINUTE), Policy::sliding_window(3, MINUTE)];
    let limiter = Limiter::from_config(Config::with_clock(policies, clock.clone())).expect("in range");
    assert!(limiter.allow("ada") && limiter.allow("ada") && !limiter.allow("ada"));
    clock.advance(1).expect("in range");
    assert!(limiter.allow("ada"));
    let denied = limiter.check("ada");
    assert_eq!((denied.kind, denied.policy, denied.retry_after_ms), (Kind::Denied, 1, Some(59_999)));
}

#[test]
fn a_limiter_reads_the_hosts_clock_once_a_call() {
    thread_local!(static READS: Cell<u64> = const { Cell::new(0) });
    let clock = Clock::from_fn(|| {
        READS.set(READS.get() + 1);
        1000 * READS.get()
    });
    let policy = Policy::token_bucket_per_second(1, 1);
    let limiter = Limiter::from_config(Config::with_clock([policy], clock)).expect("in range");
    assert_eq!(READS.get(), 0, "not read when it is made");
    assert_eq!(limiter.check("ada").at_ms, 1000);
    assert_eq!(limiter.peek("ada").at_ms, 2000);
    assert_eq!(limiter.check_many(&["ada", "bob"], 1).map(|both| [both[0].at_ms, both[1].at_ms]), Ok([3000, 3000]));
    assert_eq!(READS.get(), 3);
}

/// The seed may come after a limiter was made, as in a host that has no random numbers while it loads.
#[test]
fn limiters_of_other_seeds_decide_alike() {
    let made_early = Limiter::from_config(config()).expect("in range");
    let decisions = |limiter: &Limiter| {
        let keys = (0..5000_u64).map(|number| (number % 3000).to_le_bytes());
        keys.map(|key| limiter.check_at(key, 5, 1).expect("in range")).collect::<Vec<_>>()
    };
    let unseeded = decisions(&Limiter::from_config(config()).expect("in range"));
    seed_hash([0x0123_4567_89ab_cdef, 42]);
    assert_eq!(decisions(&made_early), unseeded);
    seed_hash([u64::MAX, u64::MAX]);
    assert_eq!(decisions(&Limiter::from_config(config()).expect("in range")), unseeded);
    let kinds = |kind| unseeded.iter().filter(|decision| decision.kind == kind).count();
    assert_eq!([Kind::Allowed, Kind::Denied, Kind::Saturated].map(kinds), [2500, 2000, 500]);
}

fn config() -> Config {
    let clock = ManualClock::new(0).expect("in range");
    Config::with_clock([Policy::fixed_window(1, MINUTE)], clock).max_identities(2500)
}

#[test]
fn every_operation_works_without_locks() {
    let limiter = Limiter::from_config(config().max_identities(2)).expect("in range");
    let decision = limiter.check_at("ada", 0, 1).expect("in range");
    assert_eq!(limiter.refund_at("ada", &decision, 0), Ok(1));
    assert_eq!(limiter.remaining("ada"), 1);
    assert!(limiter.allow("ada") && limiter.allow("bob"));
    assert_eq!(limiter.check("eve").kind, Kind::Saturated);
    assert!(limiter.reset("bob") && !limiter.reset("bob"));
    assert!(limiter.allow("eve"));
    assert_eq!(limiter.check_at("dan", 60_000, 1).map(|decision| decision.kind), Ok(Kind::Allowed));
    assert_eq!((limiter.sweep_at(120_000), limiter.len()), (Ok(1), 0));
    limiter.clear();
    assert!(limiter.is_empty());
    let stats = limiter.stats();
    assert_eq!([stats.allowed, stats.denied, stats.saturated, stats.exceeds_limit], [5, 0, 1, 0]);
}
