//! The explanation of a limit: what it lets through, when it is full again, what it costs.

mod bound;
mod words;

use crate::args::ExplainArgs;
use crate::failure::Failure;
use bound::Numbers;
use ratelimit_core::{Config, Limiter};
use serde::Serialize;

/// A limit in numbers. Its JSON has the members in this order.
#[derive(Debug, Serialize)]
pub(crate) struct Explanation {
    limit: String,
    policies: Vec<PolicyExplanation>,
    /// The most that a rested key can take at one instant, and the largest cost.
    burst: u64,
    /// Index of the policy that lets the least through in the long run.
    slowest: Option<usize>,
    sweep_interval_ms: u64,
    max_identities: u64,
    bytes_per_identity_at_worst: u64,
    bytes_at_worst: u64,
}

#[derive(Debug, Serialize)]
struct PolicyExplanation {
    policy: String,
    #[serde(skip)]
    numbers: Numbers,
    algorithm: &'static str,
    burst: u64,
    /// In the long run: so many permits in each span.
    sustained: u64,
    span_ms: u64,
    /// The most in any span of that length, wherever it begins.
    most_in_any_span: u64,
    empty_to_full_ms: u64,
    /// Index of a policy of the stack beside which this one never refuses.
    idle_beside: Option<usize>,
    /// In a stack: after what time all that the other policies let through uses this one up, if it does.
    used_up_after_ms: Option<u64>,
}

impl Explanation {
    /// Works out what a limit means.
    pub(crate) fn new(args: &ExplainArgs) -> Result<Explanation, Failure> {
        let config = Config::stack(args.limit.policies.clone()).max_identities(args.max_identities);
        let limiter = Limiter::from_config(config).map_err(|error| Failure::Usage(error.to_string()))?;
        let numbers: Vec<Numbers> = limiter.policies().iter().map(Numbers::of).collect();
        let bytes = limiter.max_bytes_per_identity();
        let policies = limiter.policies().iter().enumerate().map(|(index, policy)| PolicyExplanation {
            policy: policy.to_string(),
            numbers: numbers[index],
            algorithm: numbers[index].algorithm(),
            burst: numbers[index].burst(),
            sustained: numbers[index].sustained(),
            span_ms: numbers[index].span_ms(),
            most_in_any_span: numbers[index].most_in(numbers[index].span_ms()),
            empty_to_full_ms: numbers[index].empty_to_full_ms(),
            idle_beside: idle_beside(&numbers, index),
            used_up_after_ms: used_up_after_ms(&numbers, index),
        });
        Ok(Explanation {
            limit: args.limit.to_string(),
            policies: policies.collect(),
            burst: numbers.iter().map(|policy| policy.burst()).min().unwrap_or(0),
            slowest: slowest(&numbers, None),
            sweep_interval_ms: limiter.sweep_interval_ms(),
            max_identities: limiter.max_identities(),
            bytes_per_identity_at_worst: bytes,
            bytes_at_worst: bytes.saturating_mul(limiter.max_identities()),
        })
    }

    /// Writes it as JSON, indented.
    pub(crate) fn json(&self) -> serde_json::Result<String> {
        serde_json::to_string_pretty(self).map(|json| json + "\n")
    }
}

/// Finds a policy beside which the one at `index` never refuses; of two that are alike, only the later is idle.
fn idle_beside(policies: &[Numbers], index: usize) -> Option<usize> {
    let policy = policies[index];
    (0..policies.len()).find(|&other| {
        let mutual = policies[other].is_idle_beside(policy);
        other != index && policy.is_idle_beside(policies[other]) && (!mutual || other < index)
    })
}

/// Finds the policy, but for the one at `without`, that lets the least through in the long run.
fn slowest(policies: &[Numbers], without: Option<usize>) -> Option<usize> {
    // One permit more in a shorter span: the fractions are compared by their cross products.
    let slower = |&one: &usize, &other: &usize| {
        let (one, other) = (policies[one], policies[other]);
        let product = |permits: Numbers, span: Numbers| u128::from(permits.sustained()) * u128::from(span.span_ms());
        product(one, other).cmp(&product(other, one))
    };
    (0..policies.len()).filter(|&index| Some(index) != without).min_by(slower)
}

/// Returns after what time a key that takes all the others let through has used up a window.
fn used_up_after_ms(policies: &[Numbers], index: usize) -> Option<u64> {
    let (Numbers::Fixed { limit, window_ms } | Numbers::Sliding { limit, window_ms }) = policies[index] else {
        return None;
    };
    let pace = policies[slowest(policies, Some(index))?];
    let ms = u128::from(limit) * u128::from(pace.span_ms()) / u128::from(pace.sustained().max(1));
    u64::try_from(ms)
        .ok()
        .filter(|&ms| ms < window_ms && pace.sustained() > 0 && idle_beside(policies, index).is_none())
}
