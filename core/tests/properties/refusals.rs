//! A refused call takes nothing, moves nothing and extends nothing.

use crate::policies::min_limit;
use crate::world::{Call, Cost, KEYS, Time, cases, cost, worlds};
use proptest::prelude::*;
use ratelimit_core::Limiter;

/// Calls to strew among a world's steps wherever they are refused.
fn attempts() -> impl Strategy<Value = Vec<(u8, Cost)>> {
    prop::collection::vec((0..KEYS, cost()), 1..30)
}

/// Makes the call a few times, as a client that does not wait, if it is refused. Says how often it did.
fn hammer(limiter: &Limiter, call: &Call) -> Result<u64, TestCaseError> {
    const TIMES: u64 = 3;
    if call.peek(limiter).is_allowed() {
        return Ok(0);
    }
    let len = limiter.len();
    for _ in 0..TIMES {
        prop_assert!(!call.check(limiter).is_allowed());
    }
    prop_assert_eq!(limiter.len(), len, "a refused call made a row");
    Ok(TIMES)
}

proptest! {
    #![proptest_config(cases(400))]

    /// Made at the time of the call that follows, so that the same sweeps fall due.
    #[test]
    fn refused_calls_change_no_decision_that_follows(
        world in worlds(Time::Free), attempts in attempts(), max_identities in 1..=4_u64
    ) {
        let (hammered, plain) = (world.limiter_of(max_identities), world.limiter_of(max_identities));
        let mut refused = 0;
        for (step, (key, cost)) in world.steps.iter().zip(attempts.iter().cycle()) {
            if let Some(call) = step.call().filter(|call| call.cost <= min_limit(&world.policies)) {
                let call = Call { key: *key, cost: cost.of(&world.policies), ..*call };
                refused += hammer(&hammered, &call)?;
            }
            prop_assert_eq!(step.run(&hammered), step.run(&plain));
        }
        prop_assert_eq!(hammered.len(), plain.len());
        let refusals = |limiter: &Limiter| {
            let stats = limiter.stats();
            stats.denied + stats.saturated + stats.exceeds_limit
        };
        prop_assert_eq!(refusals(&hammered), refusals(&plain) + refused, "refused calls are counted");
        prop_assert_eq!(hammered.stats().allowed, plain.stats().allowed);
    }

    #[test]
    fn refused_calls_at_any_moment_change_nothing_while_time_goes_on_and_there_is_room(
        world in worlds(Time::Forward), attempts in attempts(), part in 0..=8_u64
    ) {
        let (hammered, plain) = (world.limiter(), world.limiter());
        let mut last_ms = world.steps[0].now_ms();
        for (step, (key, cost)) in world.steps.iter().zip(attempts.iter().cycle()) {
            let now_ms = last_ms + (step.now_ms() - last_ms) / 8 * part;
            hammer(&hammered, &Call { key: *key, now_ms, cost: cost.of(&world.policies) })?;
            last_ms = step.now_ms();
            prop_assert_eq!(step.run(&hammered), step.run(&plain));
        }
    }
}
