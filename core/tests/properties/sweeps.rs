//! A sweep removes what owes nothing, all of it, and changes no decision.

use crate::bounds::Ledger;
use crate::policies::{MAX_NOW_MS, limit, min_limit, policies};
use crate::world::{Call, KEYS, Time, World, cases, worlds};
use proptest::prelude::*;
use ratelimit_core::Kind;

/// The latest time before each step at which a sweep comes before no later call: the least time from there on.
fn latest_sweeps(world: &World) -> Vec<u64> {
    let mut least_ms = u64::MAX;
    let mut latest: Vec<u64> = Vec::new();
    for step in world.steps.iter().rev() {
        least_ms = least_ms.min(step.now_ms());
        latest.push(least_ms);
    }
    latest.reverse();
    latest
}

proptest! {
    #![proptest_config(cases(400))]

    #[test]
    fn sweeps_at_any_moment_change_no_decision_at_or_after_them(
        world in worlds(Time::Free), earlier_ms in prop::collection::vec(prop_oneof![Just(0), 0..=50_u64], 1..10)
    ) {
        let (swept, plain) = (world.limiter(), world.limiter());
        let sweeps = latest_sweeps(&world).into_iter().zip(earlier_ms.iter().cycle());
        for (step, (latest_ms, earlier_ms)) in world.steps.iter().zip(sweeps) {
            swept.sweep_at(latest_ms.saturating_sub(*earlier_ms)).expect("the time is in range");
            prop_assert_eq!(step.run(&swept), step.run(&plain));
        }
        prop_assert_eq!(swept.stats(), plain.stats());
    }

    #[test]
    fn a_sweep_leaves_exactly_the_rows_that_owe_something(world in worlds(Time::Free)) {
        let limiter = world.limiter();
        let mut ledgers: Vec<(u64, Ledger)> = (0..KEYS).map(|_| (0, Ledger::default())).collect();
        for step in &world.steps {
            let (Some(call), Some(decision)) = (step.call(), step.run(&limiter)) else { continue };
            if decision.is_allowed() {
                let (clock, ledger) = &mut ledgers[usize::from(call.key)];
                *clock = decision.at_ms;
                ledger.add(decision.at_ms, call.cost);
            }
            let (before, removed) = (limiter.len(), limiter.sweep_at(call.now_ms).expect("the time is in range"));
            prop_assert_eq!(limiter.len(), before - removed);
            // A key that never called is decided at the sweep time.
            let sweep_time = limiter.peek_at("nobody", 0, 1).expect("the numbers are in range").at_ms;
            let owes = |(clock, ledger): &&(u64, Ledger)| {
                *clock > sweep_time
                    || world.policies.iter().any(|policy| ledger.room(policy, sweep_time) < limit(policy))
            };
            prop_assert_eq!(limiter.len(), ledgers.iter().filter(owes).count() as u64, "after {:?}", decision);
        }
    }

    /// Refunded in whole, it owes nothing; yet without it an earlier time could come back.
    #[test]
    fn a_row_ahead_of_the_sweep_time_stays_though_it_owes_nothing(
        policies in policies(), now_ms in 1..=1_000_000_u64, earlier_ms in 1..=50_u64, number in any::<u64>()
    ) {
        let world = World { policies, steps: Vec::new() };
        let call = Call { key: 0, now_ms, cost: 1 + number % min_limit(&world.policies) };
        let early = Call { now_ms: now_ms.saturating_sub(earlier_ms), ..call.clone() };
        let limiter = world.limiter();
        let decision = call.check(&limiter);
        prop_assert_eq!(limiter.refund_at([0], &decision, now_ms), Ok(decision.cost));
        prop_assert_eq!((limiter.sweep_at(early.now_ms), limiter.len()), (Ok(0), 1));
        prop_assert_eq!(early.peek(&limiter).at_ms, now_ms);
        prop_assert_eq!((limiter.sweep_at(now_ms), limiter.len()), (Ok(1), 0));
    }

    #[test]
    fn a_saturated_call_is_saturated_until_its_retry_which_comes_after_a_sweep(
        world in worlds(Time::Free), max_identities in 1..=2_u64
    ) {
        let limiter = world.limiter_of(max_identities);
        for step in &world.steps {
            let (Some(call), Some(decision)) = (step.call(), step.run(&limiter)) else { continue };
            prop_assert!(limiter.len() <= max_identities);
            if decision.kind != Kind::Saturated {
                continue;
            }
            prop_assert_eq!(limiter.len(), max_identities, "saturated, yet there was room");
            let wait_ms = decision.retry_after_ms.expect("a saturated call can be retried");
            let retry = Call { now_ms: call.now_ms + wait_ms, ..call.clone() };
            prop_assert!(wait_ms > 0);
            if retry.now_ms > MAX_NOW_MS {
                continue;
            }
            let early = Call { now_ms: retry.now_ms - 1, ..retry.clone() }.peek(&limiter);
            prop_assert_eq!((early.kind, early.retry_after_ms), (Kind::Saturated, Some(1)));
            if retry.peek(&limiter).kind == Kind::Saturated {
                prop_assert_eq!(limiter.sweep_at(retry.now_ms), Ok(0), "saturated, yet a row was idle");
            }
        }
    }
}
