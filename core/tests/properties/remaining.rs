//! What remains is what a check can have, to the permit.

use crate::policies::{MAX_NOW_MS, MAX_PERMITS, min_limit};
use crate::world::{Call, Time, cases, worlds};
use proptest::prelude::*;
use ratelimit_core::{Decision, Limiter};

fn remaining_after(call: &Call, limiter: &Limiter, decision: &Decision) -> u64 {
    Call { now_ms: decision.at_ms, ..call.clone() }.remaining(limiter)
}

proptest! {
    #![proptest_config(cases(400))]

    #[test]
    fn remaining_is_the_largest_cost_that_a_check_allows(world in worlds(Time::Free), max_identities in 1..=4_u64) {
        let limiter = world.limiter_of(max_identities);
        for step in &world.steps {
            if let Some(call) = step.call() {
                let remaining = call.remaining(&limiter);
                prop_assert!(remaining <= min_limit(&world.policies));
                let asks = |cost| Call { cost, ..call.clone() }.peek(&limiter).is_allowed();
                prop_assert!(remaining == 0 || asks(remaining), "{} remaining, and refused", remaining);
                prop_assert!(remaining == MAX_PERMITS || !asks(remaining + 1), "{} remaining, and more", remaining);
            }
            step.run(&limiter);
        }
    }

    #[test]
    fn taking_what_remains_leaves_nothing(world in worlds(Time::Free)) {
        let limiter = world.limiter();
        for step in &world.steps {
            step.run(&limiter);
            let Some(call) = step.call() else { continue };
            let remaining = call.remaining(&limiter);
            if remaining > 0 {
                let decision = Call { cost: remaining, ..call.clone() }.check(&limiter);
                prop_assert!(decision.is_allowed());
                prop_assert_eq!(decision.remaining, 0);
            }
            prop_assert_eq!(call.remaining(&limiter), 0);
        }
    }

    #[test]
    fn a_decision_says_what_remains_after_it_and_when_that_goes_up(world in worlds(Time::Forward)) {
        let limiter = world.limiter();
        for (index, step) in world.steps.iter().enumerate() {
            let (Some(call), Some(decision)) = (step.call(), step.run(&limiter)) else { continue };
            if call.cost > min_limit(&world.policies) {
                continue;
            }
            prop_assert_eq!(u64::from(decision.remaining), remaining_after(call, &limiter, &decision));
            let reset_ms = call.now_ms + decision.reset_after_ms;
            if decision.reset_after_ms == 0 || reset_ms > MAX_NOW_MS {
                continue;
            }
            let at = |now_ms| Call { now_ms, ..call.clone() }.remaining(&world.limiter_after(index + 1));
            prop_assert_eq!(at(reset_ms - 1), u64::from(decision.remaining), "before the reset of {:?}", decision);
            // A policy of a stack that is full at its limit stays there, whatever the others do.
            if u64::from(decision.remaining) < min_limit(&world.policies) {
                prop_assert!(at(reset_ms) > u64::from(decision.remaining), "at the reset of {:?}", decision);
            }
        }
    }
}
