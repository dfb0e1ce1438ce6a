//! A refund gives back what is still owed, and never lifts anything above its limit.

use crate::bounds::Ledger;
use crate::policies::{MAX_NOW_MS, bucket, fixed, limit, min_limit, ms, policies, sliding, span_ms};
use crate::world::{Call, Cost, KEYS, Time, World, cases, cost, worlds, worlds_of};
use proptest::prelude::*;
use ratelimit_core::{Decision, Kind, Limiter, Policy};

/// What to refund after a step: a decision made before, as it was or forged.
#[derive(Clone, Debug)]
struct Intent {
    key: u8,
    which: prop::sample::Index,
    times: u8,
    late_ms: u64,
    forgery: Forgery,
}

#[derive(Clone, Debug)]
enum Forgery {
    None,
    Kind(Kind),
    Cost(u32),
    At(u64),
    All(Kind, u32, u64),
}

fn intents() -> impl Strategy<Value = Vec<Intent>> {
    let late_ms = prop_oneof![3 => Just(0), 2 => 1..=40_u64, 1 => any::<u64>()];
    let intent = (0..KEYS, any::<prop::sample::Index>(), 1..=3_u8, late_ms, forgery())
        .prop_map(|(key, which, times, late_ms, forgery)| Intent { key, which, times, late_ms, forgery });
    prop::collection::vec(intent, 1..20)
}

fn forgery() -> impl Strategy<Value = Forgery> {
    let kind = || prop::sample::select(vec![Kind::Allowed, Kind::Denied, Kind::Saturated, Kind::ExceedsLimit]);
    let cost = || prop_oneof![0..=6_u32, any::<u32>()];
    let at_ms = || prop_oneof![0..=100_u64, any::<u64>()];
    prop_oneof![
        6 => Just(Forgery::None),
        1 => kind().prop_map(Forgery::Kind),
        1 => cost().prop_map(Forgery::Cost),
        1 => at_ms().prop_map(Forgery::At),
        1 => (kind(), cost(), at_ms()).prop_map(|(kind, cost, at_ms)| Forgery::All(kind, cost, at_ms)),
    ]
}

impl Forgery {
    fn of(&self, mut decision: Decision) -> Decision {
        match *self {
            Forgery::None => {}
            Forgery::Kind(kind) => decision.kind = kind,
            Forgery::Cost(cost) => decision.cost = cost,
            Forgery::At(at_ms) => decision.at_ms = at_ms,
            Forgery::All(kind, cost, at_ms) => (decision.kind, decision.cost, decision.at_ms) = (kind, cost, at_ms),
        }
        decision
    }
}

/// What one refund did.
struct Refund {
    decision: Decision,
    key: u8,
    back: u64,
    before: u64,
    after: u64,
}

/// Takes a limiter through the world and refunds after each step; `judge` sees each step and each refund.
fn run(
    world: &World,
    intents: &[Intent],
    mut step_done: impl FnMut(&Call, &Decision) -> Result<(), TestCaseError>,
    mut refunded: impl FnMut(&Refund) -> Result<(), TestCaseError>,
) -> Result<(), TestCaseError> {
    let limiter = world.limiter();
    let mut decisions = vec![];
    for (step, intent) in world.steps.iter().zip(intents.iter().cycle()) {
        let decision = step.run(&limiter);
        decisions.extend(decision);
        if let (Some(call), Some(decision)) = (step.call(), decision) {
            step_done(call, &decision)?;
        }
        if decisions.is_empty() {
            continue;
        }
        let decision = intent.forgery.of(*intent.which.get(&decisions));
        let probe =
            Call { key: intent.key, now_ms: step.now_ms().saturating_add(intent.late_ms).min(MAX_NOW_MS), cost: 1 };
        for _ in 0..intent.times {
            refunded(&refund(&limiter, &probe, decision))?;
        }
    }
    Ok(())
}

fn refund(limiter: &Limiter, probe: &Call, decision: Decision) -> Refund {
    let before = probe.remaining(limiter);
    let back = limiter.refund_at([probe.key], &decision, probe.now_ms).expect("the time is in range");
    Refund { decision, key: probe.key, back: back.into(), before, after: probe.remaining(limiter) }
}

/// Judges one refund by what remained before and after it.
fn judge(world: &World, refund: &Refund) -> Result<(), TestCaseError> {
    let Refund { decision, back, before, after, .. } = *refund;
    prop_assert!(after <= min_limit(&world.policies), "{after} remain of {:?}", world.policies);
    prop_assert!(back <= decision.cost.into(), "more than was taken");
    prop_assert!(before <= after, "a refund took permits");
    if decision.kind != Kind::Allowed || u64::from(decision.cost) > min_limit(&world.policies) {
        prop_assert_eq!((back, after), (0, before), "this takes nothing, so nothing comes back: {:?}", decision);
    }
    match &*world.policies {
        [Policy::TokenBucket { .. }] => prop_assert!(after - before == back || after - before == back + 1),
        [_] => prop_assert_eq!(after - before, back),
        stack => {
            let rounding = u64::from(stack.iter().any(|policy| matches!(policy, Policy::TokenBucket { .. })));
            prop_assert!(after - before <= back + rounding);
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(cases(500))]

    #[test]
    fn a_refund_never_lifts_above_the_limit_whatever_is_refunded(world in worlds(Time::Free), intents in intents()) {
        run(&world, &intents, |_, _| Ok(()), |refund| judge(&world, refund))?;
    }

    /// The log of grants, less what came back, leaves exactly the room that is granted.
    #[test]
    fn a_window_grants_again_what_came_back_and_no_more(
        world in worlds_of(prop_oneof![fixed(), sliding()].prop_map(|policy| vec![policy]), Time::Free),
        intents in intents(),
    ) {
        let ledgers = std::cell::RefCell::new([(); KEYS as usize].map(|()| Ledger::default()));
        let granted = |call: &Call, decision: &Decision| {
            let ledger = &mut ledgers.borrow_mut()[usize::from(call.key)];
            if decision.kind == Kind::ExceedsLimit {
                return Ok(());
            }
            let room = ledger.room(&world.policies[0], decision.at_ms);
            prop_assert_eq!(decision.is_allowed(), call.cost <= room, "room for {}: {:?}", room, decision);
            if decision.is_allowed() {
                ledger.add(decision.at_ms, call.cost);
            }
            Ok(())
        };
        let refunded = |refund: &Refund| {
            let ledger = &mut ledgers.borrow_mut()[usize::from(refund.key)];
            prop_assert!(ledger.take_back(&world.policies[0], refund.decision.at_ms, refund.back), "never granted");
            Ok(())
        };
        run(&world, &intents, granted, refunded)?;
    }

    #[test]
    fn a_refund_at_once_undoes_its_check(
        world in worlds(Time::Forward), extras in prop::collection::vec((0..KEYS, cost()), 1..20), part in 0..=8_u64
    ) {
        let (refunding, plain) = (world.limiter(), world.limiter());
        let mut last_ms = world.steps[0].now_ms();
        for (step, (key, cost)) in world.steps.iter().zip(extras.iter().cycle()) {
            let now_ms = last_ms + (step.now_ms() - last_ms) / 8 * part;
            let extra = Call { key: *key, now_ms, cost: Cost::of(*cost, &world.policies) };
            let decision = extra.check(&refunding);
            let back = refunding.refund_at([*key], &decision, now_ms).expect("the time is in range");
            prop_assert_eq!(back, if decision.is_allowed() { decision.cost } else { 0 });
            last_ms = step.now_ms();
            prop_assert_eq!(step.run(&refunding), step.run(&plain));
        }
    }

    /// Of an emptied bucket, what is there after a refund is what the refund or time would have brought, whichever is
    /// more: never both.
    #[test]
    fn a_bucket_gives_back_only_what_time_has_not_brought_already(
        policy in bucket(), number in any::<u64>(), wait in prop_oneof![0..=1000_u64, 1001..=4000_u64]
    ) {
        let Policy::TokenBucket { capacity, refill, refill_period } = policy else { unreachable!() };
        let period_ms = ms(refill_period);
        let cost = 1 + number % capacity;
        // A part of the time in which the cost comes back by itself, in thousandths.
        let wait_ms = ((cost * period_ms).div_ceil(refill).saturating_mul(wait) / 1000).min(MAX_NOW_MS);
        let limiter = World { policies: vec![policy], steps: Vec::new() }.limiter();
        let decision = limiter.check_at("ada", 0, cost).expect("the numbers are in range");
        let rest = capacity - cost;
        prop_assert!(rest == 0 || limiter.check_at("ada", 0, rest).expect("in range").is_allowed());
        let gained = (u128::from(wait_ms) * u128::from(refill)).min(u128::from(capacity * period_ms));
        let refunded = u128::from(cost * period_ms).max(gained);
        let permits = |units: u128| u32::try_from(units / u128::from(period_ms)).expect("at most the capacity");
        // Judged with the row there: at the end of its filling a sweep would forget it.
        let back = limiter.refund_at("ada", &decision, wait_ms).expect("in range");
        prop_assert_eq!(back, permits(refunded - gained), "after {} ms", wait_ms);
        prop_assert_eq!(limiter.remaining_at("ada", wait_ms), Ok(permits(refunded)), "after {} ms", wait_ms);
    }

    #[test]
    fn a_refund_that_comes_too_late_gives_nothing_back(
        policies in policies(), start_ms in 0..=1_000_000_u64, number in any::<u64>()
    ) {
        let world = World { policies, steps: Vec::new() };
        let call = Call { key: 0, now_ms: start_ms, cost: 1 + number % min_limit(&world.policies) };
        let late_ms = world.policies.iter().map(|policy| match policy {
            Policy::FixedWindow { .. } => (start_ms / span_ms(policy) + 1) * span_ms(policy),
            Policy::SlidingWindow { .. } => start_ms + span_ms(policy),
            Policy::TokenBucket { refill, refill_period, .. } => {
                start_ms + (call.cost * ms(*refill_period)).div_ceil(*refill)
            }
        });
        let late_ms = late_ms.max().expect("there is a policy").min(MAX_NOW_MS);
        let limiter = world.limiter();
        let decision = call.check(&limiter);
        prop_assert!(decision.is_allowed());
        prop_assert_eq!(limiter.refund_at([0], &decision, late_ms), Ok(0));
        prop_assert_eq!(limiter.len(), 1, "judged with the row there, not after a sweep");
        if let [Policy::FixedWindow { .. } | Policy::SlidingWindow { .. }] = &*world.policies {
            let back = limiter.refund_at([0], &decision, late_ms - 1);
            prop_assert_eq!(back, Ok(decision.cost), "one millisecond earlier");
            prop_assert_eq!(limiter.refund_at([0], &decision, late_ms - 1), Ok(0), "a second time");
        }
        prop_assert!(call.remaining(&limiter) <= limit(&world.policies[0]));
    }
}
