//! What a limiter answers.

use core::fmt;

/// Says which of the four answers a [`Decision`] is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum Kind {
    /// The permits were taken (or, for a peek, could be).
    #[default]
    Allowed,
    /// The policies leave too little for this cost now. Nothing was taken.
    Denied,
    /// The table holds `max_identities` other keys and has no room for a new one. Nothing was taken.
    Saturated,
    /// The cost is above the limit itself; waiting never helps. Nothing was taken.
    ExceedsLimit,
}

impl Kind {
    /// Returns the kind's word, the same in every language.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Kind::Allowed => "allowed",
            Kind::Denied => "denied",
            Kind::Saturated => "saturated",
            Kind::ExceedsLimit => "exceeds_limit",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Tells whether a call was allowed, what is left, and when to come back.
///
/// Waits are milliseconds counted from the caller's own `now_ms`. A refusal is a value, not an error, and takes
/// nothing.
///
/// ```
/// use ratelimit_core::{Kind, Limiter};
///
/// let limiter: Limiter = "1/minute".parse()?;
/// limiter.check_at("ada", 15_000, 1)?;
/// let decision = limiter.check_at("ada", 15_001, 1)?;
/// assert_eq!(decision.kind, Kind::Denied);
/// assert_eq!(decision.retry_after_ms, Some(44_999));
/// assert_eq!(decision.retry_after_seconds(), Some(45));
/// # Ok::<(), ratelimit_core::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Decision {
    /// Which of the four answers this is.
    pub kind: Kind,
    /// Index of the policy that the decision speaks of; 0 when saturated, the first that is exceeded when
    /// exceeds_limit.
    pub policy: u8,
    /// The limit or capacity of that policy.
    pub limit: u32,
    /// Permits that could still be taken at once, the smallest over the policies; 0 when saturated or exceeds_limit.
    pub remaining: u32,
    /// The permits that were asked for.
    pub cost: u32,
    /// Time until `remaining` next goes up; 0 if it is full. Saturated: as `retry_after_ms`. Exceeds_limit: 0.
    pub reset_after_ms: u64,
    /// The least wait after which the same call succeeds if nobody else takes permits; 0 when allowed, the time until
    /// the next sweep when saturated, none when exceeds_limit.
    pub retry_after_ms: Option<u64>,
    /// The time that was used: the greatest of `now_ms`, the row's clock and the sweep time. Saturated and
    /// exceeds_limit: `now_ms`.
    pub at_ms: u64,
}

impl Decision {
    /// Returns whether the permits were taken.
    #[must_use]
    pub const fn is_allowed(&self) -> bool {
        matches!(self.kind, Kind::Allowed)
    }

    /// Returns `reset_after_ms` in whole seconds, rounded up.
    #[must_use]
    pub const fn reset_after_seconds(&self) -> u64 {
        self.reset_after_ms.div_ceil(1000)
    }

    /// Returns `retry_after_ms` in whole seconds, rounded up: at least 1 when denied or saturated.
    #[must_use]
    pub const fn retry_after_seconds(&self) -> Option<u64> {
        match self.retry_after_ms {
            Some(ms) => Some(ms.div_ceil(1000)),
            None => None,
        }
    }
}
