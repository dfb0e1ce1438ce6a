//! A peek says what a check would, and leaves no trace.

use crate::policies::min_limit;
use crate::world::{Call, Cost, KEYS, Time, cases, cost, worlds};
use proptest::prelude::*;

/// Peeks to strew among a world's steps.
fn probes() -> impl Strategy<Value = Vec<(u8, Cost)>> {
    prop::collection::vec((0..KEYS, cost()), 1..30)
}

proptest! {
    #![proptest_config(cases(400))]

    #[test]
    fn a_peek_and_a_second_one_equal_the_check_that_follows(world in worlds(Time::Free), max_identities in 1..=4_u64) {
        let limiter = world.limiter_of(max_identities);
        for step in &world.steps {
            let peeks = step.call().map(|call| [call.peek(&limiter), call.peek(&limiter)]);
            let len = peeks.map(|_| limiter.len());
            let decision = step.run(&limiter);
            prop_assert_eq!(peeks, decision.map(|decision| [decision; 2]));
            if decision.is_some_and(|decision| !decision.is_allowed()) {
                prop_assert_eq!(len, Some(limiter.len()));
            }
        }
        let stats = limiter.stats();
        let counted = stats.allowed + stats.denied + stats.saturated + stats.exceeds_limit;
        prop_assert_eq!(counted, world.calls().count() as u64, "peeks are not counted");
    }

    /// Peeked at the time of the call that follows, since the first peek of an epoch makes its sweep fall due, as any
    /// call would.
    #[test]
    fn peeks_of_any_key_at_a_calls_time_change_nothing(
        world in worlds(Time::Free), probes in probes(), max_identities in 1..=4_u64
    ) {
        let (peeked, plain) = (world.limiter_of(max_identities), world.limiter_of(max_identities));
        for (step, (key, cost)) in world.steps.iter().zip(probes.iter().cycle()) {
            if let Some(call) = step.call().filter(|call| call.cost <= min_limit(&world.policies)) {
                let probe = Call { key: *key, cost: cost.of(&world.policies), ..*call };
                probe.peek(&peeked);
                probe.remaining(&peeked);
            }
            prop_assert_eq!(step.run(&peeked), step.run(&plain));
        }
        prop_assert_eq!(peeked.len(), plain.len());
        prop_assert_eq!(peeked.stats(), plain.stats());
    }

    #[test]
    fn peeks_at_any_moment_change_nothing_while_time_goes_on_and_there_is_room(
        world in worlds(Time::Forward), probes in probes(), part in 0..=8_u64
    ) {
        let (peeked, plain) = (world.limiter(), world.limiter());
        let mut last_ms = world.steps[0].now_ms();
        for (step, (key, cost)) in world.steps.iter().zip(probes.iter().cycle()) {
            let now_ms = last_ms + (step.now_ms() - last_ms) / 8 * part;
            let probe = Call { key: *key, now_ms, cost: cost.of(&world.policies) };
            probe.peek(&peeked);
            probe.remaining(&peeked);
            last_ms = step.now_ms();
            prop_assert_eq!(step.run(&peeked), step.run(&plain));
        }
        prop_assert_eq!(peeked.stats(), plain.stats());
    }
}
