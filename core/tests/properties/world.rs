//! A random world: policies, and the steps that a limiter of them is taken through.

use crate::policies::{MAX_NOW_MS, MAX_PERMITS, min_limit, policies, span_ms};
use proptest::prelude::*;
use proptest::test_runner::RngAlgorithm;
use ratelimit_core::{Config, Decision, Limiter, ManualClock, Policy};

/// Keys that a world's calls are about: numbers below this.
pub(crate) const KEYS: u8 = 3;

/// A world. It prints as what it takes to repeat it.
#[derive(Clone, Debug)]
pub(crate) struct World {
    pub(crate) policies: Vec<Policy>,
    pub(crate) steps: Vec<Step>,
}

/// One call of a world.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    Check(Call),
    Sweep { now_ms: u64 },
}

/// What a check or a peek is asked.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    pub(crate) key: u8,
    pub(crate) now_ms: u64,
    pub(crate) cost: u64,
}

impl Call {
    pub(crate) fn check(&self, limiter: &Limiter) -> Decision {
        limiter.check_at([self.key], self.now_ms, self.cost).expect("the numbers are in range")
    }

    pub(crate) fn peek(&self, limiter: &Limiter) -> Decision {
        limiter.peek_at([self.key], self.now_ms, self.cost).expect("the numbers are in range")
    }

    pub(crate) fn remaining(&self, limiter: &Limiter) -> u64 {
        limiter.remaining_at([self.key], self.now_ms).expect("the time is in range").into()
    }
}

impl Step {
    /// Takes a limiter through this step; a check gives its decision.
    pub(crate) fn run(&self, limiter: &Limiter) -> Option<Decision> {
        match self {
            Step::Check(call) => Some(call.check(limiter)),
            Step::Sweep { now_ms } => {
                limiter.sweep_at(*now_ms).expect("the time is in range");
                None
            }
        }
    }

    pub(crate) fn now_ms(&self) -> u64 {
        match self {
            Step::Check(Call { now_ms, .. }) | Step::Sweep { now_ms } => *now_ms,
        }
    }

    /// The call, if it is a check.
    pub(crate) fn call(&self) -> Option<&Call> {
        match self {
            Step::Check(call) => Some(call),
            Step::Sweep { .. } => None,
        }
    }
}

impl World {
    /// A limiter of this world's policies before its first step.
    pub(crate) fn limiter(&self) -> Limiter {
        self.limiter_of(2048)
    }

    /// The same, under another cap.
    pub(crate) fn limiter_of(&self, max_identities: u64) -> Limiter {
        let clock = ManualClock::new(0).expect("0 is in range");
        let config = Config::with_clock(self.policies.clone(), clock).max_identities(max_identities);
        Limiter::from_config(config).expect("the policies are in range")
    }

    /// A limiter that was taken through the first `steps` steps.
    pub(crate) fn limiter_after(&self, steps: usize) -> Limiter {
        let limiter = self.limiter();
        for step in &self.steps[..steps] {
            step.run(&limiter);
        }
        limiter
    }

    /// The checks, in order.
    pub(crate) fn calls(&self) -> impl Iterator<Item = &Call> {
        self.steps.iter().filter_map(Step::call)
    }
}

/// Judges so many worlds. Their generator is a light one: the default's cipher takes half of a debug build's time.
pub(crate) fn cases(cases: u32) -> ProptestConfig {
    ProptestConfig { rng_algorithm: RngAlgorithm::XorShift, ..ProptestConfig::with_cases(cases) }
}

/// How time goes in a world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Time {
    /// Stands, walks and jumps on.
    Forward,
    /// Also goes back, a little or far.
    Free,
}

/// Worlds of any policies.
pub(crate) fn worlds(time: Time) -> impl Strategy<Value = World> {
    worlds_of(policies(), time)
}

/// Worlds of these policies.
pub(crate) fn worlds_of(policies: impl Strategy<Value = Vec<Policy>>, time: Time) -> impl Strategy<Value = World> {
    let steps = prop::collection::vec((intent(), motion(time)), 1..=40);
    (policies, start(), steps).prop_map(|(policies, start, plan)| {
        let mut now_ms = start.of(&policies);
        let mut steps = Vec::new();
        for (intent, motion) in plan {
            now_ms = motion.from(now_ms, &policies);
            steps.push(intent.at(now_ms, &policies));
        }
        World { policies, steps }
    })
}

/// A cost, before the policies are known.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Cost {
    One,
    /// This one of the costs up to the smallest limit, counted round.
    Within(u64),
    Limit,
    AboveLimit,
}

/// Costs: mostly ones that can be allowed.
pub(crate) fn cost() -> impl Strategy<Value = Cost> {
    prop_oneof![
        8 => Just(Cost::One),
        6 => any::<u64>().prop_map(Cost::Within),
        2 => Just(Cost::Limit),
        1 => Just(Cost::AboveLimit),
    ]
}

impl Cost {
    pub(crate) fn of(self, policies: &[Policy]) -> u64 {
        let limit = min_limit(policies);
        match self {
            Cost::One => 1,
            Cost::Within(number) => 1 + number % limit,
            Cost::Limit => limit,
            Cost::AboveLimit => (limit + 1).min(MAX_PERMITS),
        }
    }
}

#[derive(Clone, Debug)]
enum Intent {
    Check { key: u8, cost: Cost },
    Sweep,
}

fn intent() -> impl Strategy<Value = Intent> {
    prop_oneof![
        14 => (0..KEYS, cost()).prop_map(|(key, cost)| Intent::Check { key, cost }),
        1 => Just(Intent::Sweep),
    ]
}

impl Intent {
    fn at(&self, now_ms: u64, policies: &[Policy]) -> Step {
        match *self {
            Intent::Check { key, cost } => Step::Check(Call { key, now_ms, cost: cost.of(policies) }),
            Intent::Sweep => Step::Sweep { now_ms },
        }
    }
}

#[derive(Clone, Debug)]
enum Start {
    At(u64),
    /// This much before a multiple of the first policy's span.
    Before(u64),
    /// This many spans before the end of time.
    End(u64),
}

fn start() -> impl Strategy<Value = Start> {
    prop_oneof![
        prop::sample::select(vec![0, 1, 1_700_000_000_000]).prop_map(Start::At),
        (0..=2_u64).prop_map(Start::Before),
        (0..=5_u64).prop_map(Start::End),
    ]
}

impl Start {
    fn of(&self, policies: &[Policy]) -> u64 {
        let span_ms = span_ms(&policies[0]);
        match *self {
            Start::At(now_ms) => now_ms,
            Start::Before(ms) => (span_ms * 3).min(MAX_NOW_MS) - ms,
            Start::End(spans) => MAX_NOW_MS.saturating_sub(span_ms.saturating_mul(spans)),
        }
    }
}

/// What time does between two steps. Spans are those of the policies, counted round.
#[derive(Clone, Debug)]
enum Motion {
    On(u64),
    Back(u64),
    /// On by this part of a span, in thousandths.
    PartOn(usize, u64),
    PartBack(usize, u64),
    /// On to a span's end or a millisecond beside it.
    SpanOn(usize, u64),
}

fn motion(time: Time) -> impl Strategy<Value = Motion> {
    let back = u32::from(time == Time::Free);
    prop_oneof![
        5 => Just(Motion::On(0)),
        3 => (1..=3_u64).prop_map(Motion::On),
        4 => (0..4_usize, 0..=1000_u64).prop_map(|(policy, part)| Motion::PartOn(policy, part)),
        3 => (0..4_usize, 0..=2_u64).prop_map(|(policy, beside)| Motion::SpanOn(policy, beside)),
        1 => (0..4_usize, 1000..=9000_u64).prop_map(|(policy, part)| Motion::PartOn(policy, part)),
        2 * back => (1..=3_u64).prop_map(Motion::Back),
        2 * back => (0..4_usize, 0..=3000_u64).prop_map(|(policy, part)| Motion::PartBack(policy, part)),
    ]
}

impl Motion {
    fn from(&self, now_ms: u64, policies: &[Policy]) -> u64 {
        let part_ms = |policy: usize, thousandths: u64| {
            let span_ms = span_ms(&policies[policy % policies.len()]);
            span_ms.saturating_mul(thousandths) / 1000
        };
        match *self {
            Motion::On(ms) => now_ms + ms,
            Motion::Back(ms) => now_ms.saturating_sub(ms),
            Motion::PartOn(policy, part) => now_ms.saturating_add(part_ms(policy, part)),
            Motion::PartBack(policy, part) => now_ms.saturating_sub(part_ms(policy, part)),
            Motion::SpanOn(policy, beside) => (now_ms + part_ms(policy, 1000) + beside).saturating_sub(1),
        }
        .min(MAX_NOW_MS)
    }
}
