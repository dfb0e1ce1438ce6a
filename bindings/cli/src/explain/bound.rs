//! What a policy lets through at most, in integers.

use ratelimit_core::Policy;
use std::time::Duration;

/// A policy's numbers, with durations in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Numbers {
    Fixed { limit: u64, window_ms: u64 },
    Bucket { capacity: u64, refill: u64, period_ms: u64 },
    Sliding { limit: u64, window_ms: u64 },
}

impl Numbers {
    pub(super) fn of(policy: &Policy) -> Numbers {
        let ms = |length: Duration| u64::try_from(length.as_millis()).unwrap_or(u64::MAX);
        match *policy {
            Policy::FixedWindow { limit, window } => Numbers::Fixed { limit, window_ms: ms(window) },
            Policy::SlidingWindow { limit, window } => Numbers::Sliding { limit, window_ms: ms(window) },
            Policy::TokenBucket { capacity, refill, refill_period } => {
                Numbers::Bucket { capacity, refill, period_ms: ms(refill_period) }
            }
        }
    }

    /// Returns the permits that a rested key can take at one instant, which is also the largest cost.
    pub(super) fn burst(self) -> u64 {
        match self {
            Numbers::Fixed { limit, .. } | Numbers::Sliding { limit, .. } => limit,
            Numbers::Bucket { capacity, .. } => capacity,
        }
    }

    /// Returns its own span: the window, or the refill period.
    pub(super) fn span_ms(self) -> u64 {
        match self {
            Numbers::Fixed { window_ms, .. } | Numbers::Sliding { window_ms, .. } => window_ms,
            Numbers::Bucket { period_ms, .. } => period_ms,
        }
    }

    /// Returns what it lets through in the long run: permits in every [`span_ms`](Numbers::span_ms).
    pub(super) fn sustained(self) -> u64 {
        match self {
            Numbers::Fixed { limit, .. } | Numbers::Sliding { limit, .. } => limit,
            Numbers::Bucket { capacity: 0, .. } => 0,
            Numbers::Bucket { refill, .. } => refill,
        }
    }

    /// Returns the most permits that it lets through in any span of that many milliseconds, wherever the span begins.
    pub(super) fn most_in(self, span_ms: u64) -> u64 {
        match self {
            // A span of one window's length and a bit can touch three windows; one up to that length, two.
            Numbers::Fixed { limit, window_ms } => limit.saturating_mul((span_ms.max(1) - 1).div_ceil(window_ms) + 1),
            Numbers::Sliding { limit, window_ms } => limit.saturating_mul(span_ms.div_ceil(window_ms)),
            Numbers::Bucket { capacity, refill, period_ms } => {
                let gained = u128::from(span_ms.max(1) - 1) * u128::from(refill) / u128::from(period_ms);
                // It is full again every millisecond if it gains that much.
                let full_each = capacity.saturating_mul(span_ms.max(1));
                capacity.saturating_add(u64::try_from(gained).unwrap_or(u64::MAX)).min(full_each)
            }
        }
    }

    /// Returns how long a key that took all it could has to rest until it can do so again, at most.
    pub(super) fn empty_to_full_ms(self) -> u64 {
        match self {
            Numbers::Fixed { window_ms, .. } | Numbers::Sliding { window_ms, .. } => window_ms,
            Numbers::Bucket { capacity, refill, period_ms } => {
                capacity.saturating_mul(period_ms).div_ceil(refill.max(1))
            }
        }
    }

    /// Says whether this policy refuses nothing that `other`, in one stack with it, lets through.
    pub(super) fn is_idle_beside(self, other: Numbers) -> bool {
        match (self, other) {
            (Numbers::Fixed { limit, window_ms }, Numbers::Fixed { limit: theirs, window_ms: inner_ms })
                if window_ms.is_multiple_of(inner_ms) =>
            {
                theirs.saturating_mul(window_ms / inner_ms) <= limit
            }
            (Numbers::Fixed { limit, window_ms } | Numbers::Sliding { limit, window_ms }, _) => {
                other.most_in(window_ms) <= limit
            }
            (
                Numbers::Bucket { capacity, refill, period_ms },
                Numbers::Bucket { capacity: less, refill: slower, period_ms: longer_ms },
            ) => {
                less <= capacity
                    && u128::from(slower) * u128::from(period_ms) <= u128::from(refill) * u128::from(longer_ms)
            }
            (Numbers::Bucket { .. }, _) => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use ratelimit_core::{Config, Limiter, Policy};

    fn small() -> impl Strategy<Value = Policy> {
        let ms = Duration::from_millis;
        prop_oneof![
            (0u64..5, 1u64..12).prop_map(move |(limit, window)| Policy::fixed_window(limit, ms(window))),
            (0u64..5, 1u64..12).prop_map(move |(limit, window)| Policy::sliding_window(limit, ms(window))),
            (0u64..5, 1u64..4, 1u64..12).prop_map(move |(capacity, refill, period)| Policy::token_bucket(
                capacity,
                refill,
                ms(period)
            )),
        ]
    }

    /// Takes as much as it can from `start` on, and returns what was granted at each millisecond.
    fn greedy(policies: &[Policy], start: u64, length: u64) -> Vec<u64> {
        let limiter = Limiter::from_config(Config::stack(policies).max_identities(1)).unwrap();
        let granted = |now: u64| (0..9).filter(|_| limiter.check_at("k", now, 1).unwrap().is_allowed()).count() as u64;
        (start..start + length).map(granted).collect()
    }

    #[test]
    fn around_a_boundary_a_fixed_window_lets_twice_its_limit_through() {
        let fixed = Numbers::of(&"100/minute".parse().unwrap());
        assert_eq!([1, 2, 60_000, 60_001, 60_002].map(|span_ms| fixed.most_in(span_ms)), [100, 200, 200, 200, 300]);
        let bucket = Numbers::of(&"bucket 10 + 1/s".parse().unwrap());
        assert_eq!([1, 1000, 1001, 10_001].map(|span_ms| bucket.most_in(span_ms)), [10, 10, 11, 20]);
        assert_eq!(bucket.empty_to_full_ms(), 10_000);
    }

    proptest! {
        #[test]
        fn nothing_exceeds_the_bound_and_somebody_greedy_reaches_it(policy in small(), span_ms in 1u64..30) {
            let most = Numbers::of(&policy).most_in(span_ms);
            let best = (0..12)
                .flat_map(|start| {
                    let granted = greedy(std::slice::from_ref(&policy), start, 60);
                    let length = usize::try_from(span_ms).unwrap();
                    granted.windows(length).map(|span| span.iter().sum::<u64>()).collect::<Vec<_>>()
                })
                .max();
            let spills = match Numbers::of(&policy) {
                // A bucket that gains nearly all it holds each millisecond spills what is left of a permit.
                Numbers::Bucket { capacity, refill, period_ms } => refill + period_ms > capacity * period_ms,
                _ => false,
            };
            prop_assert!(best == Some(most) || spills && best < Some(most), "{best:?} of {most}");
        }

        #[test]
        fn what_is_called_idle_changes_no_grant(
            one in small(),
            other in small(),
            calls in proptest::collection::vec((0u64..4, 1u64..4), 1..60),
        ) {
            if Numbers::of(&one).is_idle_beside(Numbers::of(&other)) {
                let both = Limiter::from_config(Config::stack([one, other.clone()])).unwrap();
                let alone = Limiter::new(other).unwrap();
                let mut now = 0;
                for (step, cost) in calls {
                    now += step;
                    let allowed = |limiter: &Limiter| limiter.check_at("k", now, cost).unwrap().is_allowed();
                    prop_assert_eq!(allowed(&both), allowed(&alone));
                }
            }
        }
    }
}
