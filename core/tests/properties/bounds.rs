//! What each policy promises, found by brute force from nothing but the log of what was granted.

use crate::policies::{bucket, fixed, ms, sliding, stack};
use crate::world::{KEYS, Time, World, cases, worlds_of};
use proptest::prelude::*;
use ratelimit_core::{Kind, Policy};
use std::time::Duration;

/// What was granted to a key, by time.
#[derive(Default, Debug)]
pub(crate) struct Ledger(Vec<Grant>);

#[derive(Clone, Copy, Debug)]
struct Grant {
    at_ms: u64,
    cost: u64,
}

impl Ledger {
    pub(crate) fn add(&mut self, at_ms: u64, cost: u64) {
        self.0.push(Grant { at_ms, cost });
    }

    /// Takes permits back that were granted at `at_ms`, or in its fixed window; says whether there were as many.
    pub(crate) fn take_back(&mut self, policy: &Policy, at_ms: u64, permits: u64) -> bool {
        let mut left = permits;
        for grant in self.0.iter_mut().rev() {
            let holds = match policy {
                Policy::FixedWindow { window, .. } => grant.at_ms / ms(*window) == at_ms / ms(*window),
                _ => grant.at_ms == at_ms,
            };
            if holds {
                let taken = left.min(grant.cost);
                grant.cost -= taken;
                left -= taken;
            }
        }
        left == 0
    }

    /// Permits granted at the times that `within` says.
    fn sum(&self, within: impl Fn(u64) -> bool) -> u64 {
        self.0.iter().filter(|grant| within(grant.at_ms)).map(|grant| grant.cost).sum()
    }

    /// The most that may still be granted at `now`, no earlier than any grant, if the policy's promise is to hold.
    pub(crate) fn room(&self, policy: &Policy, now: u64) -> u64 {
        match *policy {
            Policy::FixedWindow { limit, window } => {
                let number = now / ms(window);
                limit.checked_sub(self.sum(|at_ms| at_ms / ms(window) == number)).expect("the promise holds")
            }
            Policy::SlidingWindow { limit, window } => {
                limit.checked_sub(self.sum(|at_ms| at_ms + ms(window) > now)).expect("the promise holds")
            }
            Policy::TokenBucket { capacity, refill, refill_period } => {
                let since = |from: u64| {
                    let gained = u128::from(refill) * u128::from(now - from);
                    let units = u128::from(capacity) * refill_period.as_millis() + gained;
                    let taken = u128::from(self.sum(|at_ms| at_ms >= from)) * refill_period.as_millis();
                    units.checked_sub(taken).expect("the promise holds") / refill_period.as_millis()
                };
                let room = self.0.iter().map(|grant| since(grant.at_ms)).min().unwrap_or(u128::MAX);
                u64::try_from(room).unwrap_or(u64::MAX).min(capacity)
            }
        }
    }

    /// Looks at every instant, or every pair of them: what matters happens at the grants.
    fn judge(&self, policy: &Policy) -> Result<(), TestCaseError> {
        for last in &self.0 {
            match *policy {
                Policy::FixedWindow { limit, window } => {
                    let number = last.at_ms / ms(window);
                    prop_assert!(self.sum(|at_ms| at_ms / ms(window) == number) <= limit);
                    let span = self.sum(|at_ms| at_ms <= last.at_ms && at_ms + ms(window) > last.at_ms);
                    prop_assert!(span <= 2 * limit);
                }
                Policy::SlidingWindow { limit, window } => {
                    let span = self.sum(|at_ms| at_ms <= last.at_ms && at_ms + ms(window) > last.at_ms);
                    prop_assert!(span <= limit, "{} granted in the {:?} up to {}", span, window, last.at_ms);
                }
                Policy::TokenBucket { capacity, refill, refill_period } => {
                    for first in self.0.iter().filter(|first| first.at_ms <= last.at_ms) {
                        let span = self.sum(|at_ms| at_ms >= first.at_ms && at_ms <= last.at_ms);
                        let gained = u128::from(refill) * u128::from(last.at_ms - first.at_ms);
                        let units = u128::from(capacity) * refill_period.as_millis() + gained;
                        prop_assert!(u128::from(span) * refill_period.as_millis() <= units, "{first:?} to {last:?}");
                    }
                }
            }
        }
        Ok(())
    }
}

/// Grants exactly what the promises leave room for: no permit more, and none less.
fn judge_grants(world: &World) -> Result<(), TestCaseError> {
    let limiter = world.limiter();
    let mut ledgers: Vec<Ledger> = (0..KEYS).map(|_| Ledger::default()).collect();
    for (index, step) in world.steps.iter().enumerate() {
        let (Some(call), Some(decision)) = (step.call(), step.run(&limiter)) else { continue };
        if decision.kind == Kind::ExceedsLimit {
            continue;
        }
        let ledger = &mut ledgers[usize::from(call.key)];
        let latest = ledger.0.last().map_or(0, |grant| grant.at_ms);
        prop_assert!(decision.at_ms >= call.now_ms.max(latest), "step {index}: time went back");
        let room = |ledger: &Ledger| world.policies.iter().map(|policy| ledger.room(policy, decision.at_ms)).min();
        let before = room(ledger).expect("there is a policy");
        let kind = if call.cost <= before { Kind::Allowed } else { Kind::Denied };
        prop_assert_eq!(decision.kind, kind, "step {}: room for {}", index, before);
        if decision.is_allowed() {
            ledger.add(decision.at_ms, call.cost);
        }
        prop_assert_eq!(Some(decision.remaining.into()), room(ledger), "step {}: {:?}", index, decision);
    }
    for ledger in &ledgers {
        world.policies.iter().try_for_each(|policy| ledger.judge(policy))?;
    }
    Ok(())
}

proptest! {
    #![proptest_config(cases(500))]

    #[test]
    fn a_fixed_window_grants_its_limit_in_each_window(
        world in worlds_of(fixed().prop_map(|policy| vec![policy]), Time::Free)
    ) {
        judge_grants(&world)?;
    }

    #[test]
    fn a_sliding_window_grants_its_limit_in_any_span(
        world in worlds_of(sliding().prop_map(|policy| vec![policy]), Time::Free)
    ) {
        judge_grants(&world)?;
    }

    #[test]
    fn a_bucket_grants_its_capacity_and_what_it_gained_since_any_instant(
        world in worlds_of(bucket().prop_map(|policy| vec![policy]), Time::Free)
    ) {
        judge_grants(&world)?;
    }

    #[test]
    fn a_stack_grants_what_every_policy_of_it_grants(world in worlds_of(stack(), Time::Free)) {
        judge_grants(&world)?;
    }

    #[test]
    fn twice_the_limit_passes_around_a_fixed_boundary_neither_more_nor_less(
        policy in fixed(), number in 1..=1_000_000_u64, shares in prop::collection::vec(any::<u64>(), 0..8)
    ) {
        let Policy::FixedWindow { limit, window } = policy.clone() else { unreachable!() };
        let boundary_ms = (number * ms(window)).min(1 << 51) / ms(window) * ms(window);
        let limiter = World { policies: vec![policy], steps: Vec::new() }.limiter();
        let mut granted = 0;
        for now_ms in [boundary_ms - 1, boundary_ms] {
            for share in &shares {
                let cost = 1 + share % limit;
                granted += if limiter.check_at("ada", now_ms, cost).unwrap().is_allowed() { cost } else { 0 };
            }
            let left = limiter.remaining_at("ada", now_ms).unwrap();
            if left > 0 {
                prop_assert!(limiter.check_at("ada", now_ms, left.into()).unwrap().is_allowed());
                granted += u64::from(left);
            }
            prop_assert_eq!(limiter.check_at("ada", now_ms, 1).unwrap().kind, Kind::Denied);
        }
        prop_assert_eq!(granted, 2 * limit);
        let last_ms = boundary_ms + ms(window) - 1;
        prop_assert_eq!(limiter.check_at("ada", last_ms, 1).unwrap().kind, Kind::Denied);
    }
}

/// The same around one boundary, in the numbers that the documentation states: 5 in a minute, 10 within a millisecond.
#[test]
fn ten_calls_pass_within_a_millisecond_of_a_boundary_of_five_a_minute() {
    let at = |policy: Policy, now_ms: [u64; 2]| {
        let limiter = World { policies: vec![policy], steps: Vec::new() }.limiter();
        now_ms.map(|now_ms| (0..20).filter(|_| limiter.check_at("ada", now_ms, 1).unwrap().is_allowed()).count())
    };
    let minute = Duration::from_secs(60);
    assert_eq!(at(Policy::fixed_window(5, minute), [59_999, 60_000]), [5, 5]);
    assert_eq!(at(Policy::sliding_window(5, minute), [59_999, 60_000]), [5, 0]);
}
