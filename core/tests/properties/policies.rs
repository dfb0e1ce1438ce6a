//! Policies to judge: small ones, where everything happens within a few calls, and ones at the ends of the ranges.

use proptest::prelude::*;
use ratelimit_core::Policy;
use std::time::Duration;

/// The greatest time.
pub(crate) const MAX_NOW_MS: u64 = (1 << 52) - 1;
/// The greatest length of a window or of a refill period: 366 days.
const MAX_WINDOW_MS: u64 = 31_622_400_000;
/// The greatest limit, capacity, refill and cost.
pub(crate) const MAX_PERMITS: u64 = u32::MAX as u64;
/// The greatest product of a bucket's capacity and refill period.
const MAX_UNITS: u64 = 1 << 52;
/// The greatest of the smaller of a sliding window's limit and length.
const MAX_LOG: u64 = 100_000;

/// Any policy alone, or a stack of two to four.
pub(crate) fn policies() -> impl Strategy<Value = Vec<Policy>> {
    prop_oneof![
        fixed().prop_map(|policy| vec![policy]),
        bucket().prop_map(|policy| vec![policy]),
        sliding().prop_map(|policy| vec![policy]),
        stack(),
    ]
}

/// Two to four policies of any kind.
pub(crate) fn stack() -> impl Strategy<Value = Vec<Policy>> {
    prop::collection::vec(prop_oneof![fixed(), bucket(), sliding()], 2..=4)
}

/// A fixed window.
pub(crate) fn fixed() -> impl Strategy<Value = Policy> {
    (permits(), length()).prop_map(|(limit, window_ms)| Policy::fixed_window(limit, Duration::from_millis(window_ms)))
}

/// A sliding window; where its log would be too long, the limit or the length is cut.
pub(crate) fn sliding() -> impl Strategy<Value = Policy> {
    (permits(), length(), any::<bool>()).prop_map(|(limit, window_ms, cut_limit)| {
        let (limit, window_ms) = match limit.min(window_ms) > MAX_LOG {
            true if cut_limit => (MAX_LOG, window_ms),
            true => (limit, MAX_LOG),
            false => (limit, window_ms),
        };
        Policy::sliding_window(limit, Duration::from_millis(window_ms))
    })
}

/// A token bucket; where it would hold too many units, its period is cut to the greatest that is accepted.
pub(crate) fn bucket() -> impl Strategy<Value = Policy> {
    (permits(), permits(), length()).prop_map(|(capacity, refill, period_ms)| {
        let period_ms = period_ms.min(MAX_UNITS / capacity);
        Policy::token_bucket(capacity, refill, Duration::from_millis(period_ms))
    })
}

fn permits() -> impl Strategy<Value = u64> {
    prop_oneof![
        12 => 1..=6_u64,
        2 => 7..=100_u64,
        1 => prop::sample::select(vec![1 << 20, (1 << 29) - 1, 1 << 29, 1 << 31, MAX_PERMITS]),
        1 => 1..=MAX_PERMITS,
    ]
}

fn length() -> impl Strategy<Value = u64> {
    prop_oneof![
        12 => 1..=40_u64,
        2 => 41..=3000_u64,
        1 => prop::sample::select(vec![60_000, 60_001, MAX_LOG, 1 << 32, MAX_WINDOW_MS]),
        1 => 1..=MAX_WINDOW_MS,
    ]
}

/// The permits that a policy holds at most.
pub(crate) fn limit(policy: &Policy) -> u64 {
    match *policy {
        Policy::FixedWindow { limit, .. } | Policy::SlidingWindow { limit, .. } => limit,
        Policy::TokenBucket { capacity, .. } => capacity,
    }
}

/// The largest cost that several policies can ever allow.
pub(crate) fn min_limit(policies: &[Policy]) -> u64 {
    policies.iter().map(limit).min().unwrap_or(0)
}

/// A time in which something of this policy comes to its end: its window, or a bucket's filling.
pub(crate) fn span_ms(policy: &Policy) -> u64 {
    match *policy {
        Policy::FixedWindow { window, .. } | Policy::SlidingWindow { window, .. } => ms(window),
        Policy::TokenBucket { capacity, refill, refill_period } => (capacity * ms(refill_period)).div_ceil(refill),
    }
}

/// A duration in milliseconds.
pub(crate) fn ms(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).expect("policies here are in range")
}
