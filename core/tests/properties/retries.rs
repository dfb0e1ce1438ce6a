//! Waits: exact to the millisecond, and never too long to count.

use crate::policies::{MAX_NOW_MS, bucket, fixed, sliding, stack};
use crate::world::{Time, World, cases, worlds_of};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use ratelimit_core::{Decision, Kind, Policy};
use std::cell::Cell;

/// A wait that no wait may reach.
const TOO_LONG_MS: u64 = 1 << 53;

/// Where a denied decision's wait came from.
#[derive(Default, Debug)]
struct Seen {
    denied: Cell<u32>,
    /// Denied at a time after the caller's, because of the row's clock or the sweep time.
    ahead: Cell<u32>,
}

/// Repeats the world up to each denied call, and comes back one millisecond too early, and in time.
fn judge_retries(world: &World, seen: &Seen) -> Result<(), TestCaseError> {
    let limiter = world.limiter();
    for (index, step) in world.steps.iter().enumerate() {
        let (Some(call), Some(decision)) = (step.call(), step.run(&limiter)) else { continue };
        judge_waits(&decision)?;
        if decision.kind != Kind::Denied {
            continue;
        }
        let wait_ms = decision.retry_after_ms.expect("a denied call can be retried");
        prop_assert!(wait_ms > 0, "step {index}: {decision:?}");
        seen.denied.set(seen.denied.get() + 1);
        seen.ahead.set(seen.ahead.get() + u32::from(decision.at_ms > call.now_ms));
        let mut retry = call.clone();
        retry.now_ms += wait_ms;
        if retry.now_ms > MAX_NOW_MS {
            continue;
        }
        let twin = world.limiter_after(index + 1);
        let mut early = retry.clone();
        early.now_ms -= 1;
        let early = early.check(&twin);
        prop_assert_eq!(early.kind, Kind::Denied, "step {} one millisecond before {:?}", index, decision);
        prop_assert_eq!(early.retry_after_ms, Some(1), "step {} one millisecond before {:?}", index, decision);
        prop_assert_eq!(retry.check(&twin).kind, Kind::Allowed, "step {} in time after {:?}", index, decision);
    }
    Ok(())
}

fn judge_waits(decision: &Decision) -> Result<(), TestCaseError> {
    prop_assert!(decision.reset_after_ms < TOO_LONG_MS, "{decision:?}");
    prop_assert!(decision.retry_after_ms.is_none_or(|ms| ms < TOO_LONG_MS), "{decision:?}");
    let wait_ms = match decision.kind {
        Kind::Allowed => Some(0),
        Kind::ExceedsLimit => None,
        Kind::Denied | Kind::Saturated => decision.retry_after_ms,
    };
    prop_assert_eq!(decision.retry_after_ms, wait_ms);
    Ok(())
}

/// Judges worlds of these policies, and that enough of them came to a refusal, also one at a time ahead.
fn judge_worlds(policies: impl Strategy<Value = Vec<Policy>>) {
    let seen = Seen::default();
    let mut runner = TestRunner::new(cases(CASES));
    let judged = runner.run(&worlds_of(policies, Time::Free), |world| judge_retries(&world, &seen));
    assert!(judged.is_ok(), "{}", judged.map_or_else(|failure| failure.to_string(), |()| String::new()));
    let (denied, ahead) = (seen.denied.get(), seen.ahead.get());
    assert!(denied > CASES && ahead > CASES / 4, "too few refusals to judge: {seen:?} in {CASES} worlds");
}

const CASES: u32 = 400;

#[test]
fn a_fixed_window_denies_until_the_retry_and_allows_at_it() {
    judge_worlds(fixed().prop_map(|policy| vec![policy]));
}

#[test]
fn a_bucket_denies_until_the_retry_and_allows_at_it() {
    judge_worlds(bucket().prop_map(|policy| vec![policy]));
}

#[test]
fn a_sliding_window_denies_until_the_retry_and_allows_at_it() {
    judge_worlds(sliding().prop_map(|policy| vec![policy]));
}

#[test]
fn a_stack_denies_until_the_retry_and_allows_at_it() {
    judge_worlds(stack());
}
