//! Allocations of single calls.

use crate::limiter;
use crate::meter::allocations;
use ratelimit_core::{Key, Kind, Limiter, Policy};
use std::time::Duration;

const MINUTE: Duration = Duration::from_secs(60);
const HOUR: Duration = Duration::from_secs(3600);

/// Keys of every size of row, at its ends, and ones that are kept as a digest.
fn keys() -> Vec<Vec<u8>> {
    [0, 1, 15, 16, 17, 39, 40, 41, 63, 64, 65, 10_000].map(|length| vec![b'k'; length]).into()
}

/// Policies under which a row still owes something after a quarter of an hour, so that no sweep forgets it.
fn stacks() -> Vec<Vec<Policy>> {
    let (fixed, bucket) = (Policy::fixed_window(1_000_000, HOUR), Policy::token_bucket(1_000_000, 1, HOUR));
    vec![
        vec![fixed.clone()],
        vec![bucket.clone()],
        vec![fixed.clone(), bucket.clone()],
        vec![fixed.clone(), bucket.clone(), fixed, bucket],
    ]
}

/// Makes every call that a key with a row can see, over a quarter of an hour, in which fifteen sweeps fall due.
fn make_every_call(limiter: &Limiter, key: &[u8]) {
    for now_ms in (0..900_000).step_by(7919) {
        let decision = limiter.check_at(key, now_ms, 3).expect("the numbers are in range");
        assert_eq!(decision.kind, Kind::Allowed);
        assert_eq!(limiter.refund_at(key, &decision, now_ms), Ok(3));
        assert!(limiter.peek_at(key, now_ms, 1).is_ok_and(|decision| decision.is_allowed()));
        assert!(limiter.remaining_at(key, now_ms).is_ok_and(|remaining| remaining > 0));
    }
    assert!(limiter.allow(key) && limiter.check(key).is_allowed() && limiter.peek(key).is_allowed());
    assert!(limiter.check_cost(key, 2).is_ok_and(|decision| decision.is_allowed()));
    assert_eq!(limiter.check_at(key, 0, 1_000_001).map(|decision| decision.kind), Ok(Kind::ExceedsLimit));
    let all = limiter.remaining(key);
    assert!(limiter.check_cost(key, all.into()).is_ok_and(|decision| decision.is_allowed()));
    assert!(!limiter.allow(key));
}

#[test]
fn a_key_that_has_a_row_costs_no_allocation() {
    for stack in stacks() {
        for key in keys() {
            let limiter = limiter(&stack, 100_000);
            limiter.check(&key);
            assert_eq!(allocations(|| make_every_call(&limiter, &key)), 0, "{} bytes, {stack:?}", key.len());
        }
    }
}

/// A sweep goes on with the calls, and the next one gives back what was not needed since: one allocation for each table
/// that it shrinks.
#[test]
fn a_call_that_ends_a_sweep_of_most_rows_allocates_only_to_shrink_their_table() {
    let limiter = limiter(&[Policy::token_bucket(1000, 1, MINUTE)], 1000);
    (0..900_u64).for_each(|number| assert!(limiter.allow(number.to_le_bytes())));
    assert_eq!(limiter.check_cost("ada", 600).map(|decision| decision.kind), Ok(Kind::Allowed));
    let call = |now_ms| limiter.check_at("ada", now_ms, 1).is_ok_and(|decision| decision.is_allowed());
    for (due_at, times) in [(60_000, 0), (120_000, 1), (180_000, 0)] {
        assert_eq!(allocations(|| assert!((due_at..due_at + 100).all(call))), times, "the sweep of {due_at}");
        assert_eq!(limiter.len(), 1, "the calls have swept");
    }
}

#[test]
fn a_key_of_parts_that_has_a_row_costs_no_allocation() {
    let limiter = limiter(&stacks()[0], 100_000);
    for part in keys() {
        let key = Key::parts(&[&part, &part]);
        limiter.check(&key);
        assert_eq!(allocations(|| assert!(limiter.check(&key).is_allowed())), 0, "{} bytes", part.len());
    }
}

#[test]
fn a_sliding_window_of_two_grants_costs_no_allocation() {
    let limiter = limiter(&[Policy::sliding_window(1_000_000, MINUTE)], 100_000);
    for key in keys() {
        limiter.check(&key);
        // Every second grant is out when the next comes.
        let sparse = |now_ms| limiter.check_at(&key, now_ms, 1).is_ok_and(|decision| decision.is_allowed());
        assert_eq!(allocations(|| assert!((0..100).map(|number| number * 31_000).all(sparse))), 0);
    }
}

/// Five rows leave room for two more in a table that has just doubled.
#[test]
fn a_new_key_of_a_sliding_window_begins_without_a_log() {
    let limiter = limiter(&[Policy::sliding_window(5, MINUTE)], 1000);
    (0..5_u64).for_each(|number| assert!(limiter.allow(number.to_le_bytes())));
    let grants = |now_ms| limiter.check_at(5_u64.to_le_bytes(), now_ms, 1).is_ok_and(|decision| decision.is_allowed());
    assert_eq!(allocations(|| assert!((0..2).all(grants))), 0);
    assert!(allocations(|| assert!(grants(2))) > 0, "the third has no room in the row");
}

/// The log doubles: so many grants cost about as many allocations as their number has binary digits.
#[test]
fn a_sliding_window_allocates_only_when_its_log_has_outgrown_its_room() {
    for grants in [100, 1000, 10_000_u64] {
        let limiter = limiter(&[Policy::sliding_window(grants, MINUTE)], 100_000);
        limiter.check("ada");
        let grant = |now_ms| limiter.check_at("ada", now_ms, 1).is_ok_and(|decision| decision.is_allowed());
        let growing = allocations(|| assert!((1..grants).all(grant)));
        assert!(growing <= u64::from(grants.ilog2()) + 2, "{growing} allocations for {grants} grants");
        assert!(growing > 2, "so many grants have no room in a row, or the meter is broken: {growing}");
        assert_eq!(allocations(|| assert!((1..grants).all(|now_ms| !grant(now_ms)))), 0, "refusals allocated");
        let turn = |start_ms: u64| (0..grants).all(|number| grant(start_ms + number));
        assert_eq!(allocations(|| assert!(turn(60_000) && turn(120_000))), 0, "a full log that goes round allocated");
    }
}

#[test]
fn peeks_and_refusals_of_new_keys_allocate_nothing() {
    let new = |number: u64| [&number.to_le_bytes()[..], &[b'n'; 60]].concat();
    for policy in
        [Policy::fixed_window(5, MINUTE), Policy::sliding_window(5, MINUTE), Policy::token_bucket(5, 1, MINUTE)]
    {
        let limiter = limiter(&[policy], 10);
        let strangers: Vec<Vec<u8>> = (0..1000).map(new).collect();
        limiter.check("first");
        let peeked = allocations(|| {
            for key in &strangers {
                assert_eq!(limiter.peek(key).kind, Kind::Allowed);
                assert_eq!(limiter.remaining(key), 5);
                assert_eq!(limiter.check_at(key, 0, 6).map(|decision| decision.kind), Ok(Kind::ExceedsLimit));
            }
        });
        assert_eq!((peeked, limiter.len()), (0, 1));
        (1..10_u64).for_each(|number| assert!(limiter.allow(number.to_le_bytes())));
        let refused = allocations(|| {
            for key in &strangers {
                assert_eq!(limiter.check(key).kind, Kind::Saturated);
                assert_eq!(limiter.peek(key).kind, Kind::Saturated);
                assert_eq!(limiter.remaining(key), 0);
            }
        });
        assert_eq!((refused, limiter.len()), (0, 10));
    }
}
