//! What is allowed: the three kinds of policy, as plain data that is judged once.

mod text;

use crate::decimal::Decimal;
use crate::error::{Error, Field};
use alloc::vec::Vec;
use core::fmt;
use core::str::FromStr;
use core::time::Duration;

/// Largest `capacity * refill_period_ms`: a bucket's level is counted in units of a permit's `refill_period_ms`-th.
const MAX_BUCKET_UNITS: u64 = 1 << 52;
/// Most entries that a sliding window may have to remember for one key.
const MAX_LOG: u64 = 100_000;

/// States how many permits a key may take, and when it gets new ones.
///
/// Plain data: nothing is judged until a limiter is made of it, or [`validate`](Policy::validate) is called.
///
/// | | permits | so |
/// |---|---|---|
/// | fixed window | `limit` in each window aligned to the clock's zero | cheapest; `2 * limit` around a boundary |
/// | token bucket | `capacity` at once, then `refill` every `refill_period`, spread evenly | smooth after a burst |
/// | sliding window | at most `limit` in any span of `window`, exactly | strictest; remembers each grant |
///
/// ```
/// use ratelimit_core::Policy;
/// use std::time::Duration;
///
/// let policy = Policy::fixed_window(100, Duration::from_secs(60));
/// assert_eq!(policy.to_string(), "fixed 100/minute");
/// assert_eq!("100 per minute".parse::<Policy>()?, policy);
/// # Ok::<(), ratelimit_core::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(tag = "algorithm", rename_all = "snake_case", deny_unknown_fields)
)]
pub enum Policy {
    /// At most `limit` permits in each window; windows are aligned, number `now / window`.
    FixedWindow {
        /// Permits per window, `0 ..= 2^32-1`; 0 admits nothing.
        limit: u64,
        /// Length of a window: whole milliseconds, 1 ms to 366 days.
        #[cfg_attr(feature = "serde", serde(rename = "window_ms", with = "milliseconds"))]
        window: Duration,
    },
    /// A bucket that starts full and gains `refill` permits every `refill_period`, spread evenly.
    ///
    /// `capacity` times `refill_period` in milliseconds is at most 2^52.
    TokenBucket {
        /// Permits the bucket holds, `0 ..= 2^32-1`; 0 admits nothing.
        capacity: u64,
        /// Permits gained each period, `1 ..= 2^32-1`.
        refill: u64,
        /// Length of a period: whole milliseconds, 1 ms to 366 days.
        #[cfg_attr(feature = "serde", serde(rename = "refill_period_ms", with = "milliseconds"))]
        refill_period: Duration,
    },
    /// At most `limit` permits in any span of `window`, at every instant.
    ///
    /// The smaller of `limit` and `window` in milliseconds is at most 100 000.
    SlidingWindow {
        /// Permits per window, `0 ..= 2^32-1`; 0 admits nothing.
        limit: u64,
        /// Length of the window: whole milliseconds, 1 ms to 366 days.
        #[cfg_attr(feature = "serde", serde(rename = "window_ms", with = "milliseconds"))]
        window: Duration,
    },
}

impl Policy {
    /// Builds a fixed window: at most `limit` permits in each `window`.
    #[must_use]
    pub const fn fixed_window(limit: u64, window: Duration) -> Policy {
        Policy::FixedWindow { limit, window }
    }

    /// Builds a token bucket: `capacity` at once, then `refill` permits every `refill_period`, spread evenly.
    #[must_use]
    pub const fn token_bucket(capacity: u64, refill: u64, refill_period: Duration) -> Policy {
        Policy::TokenBucket { capacity, refill, refill_period }
    }

    /// Builds a token bucket that gains `refill_per_second` permits a second.
    #[must_use]
    pub const fn token_bucket_per_second(capacity: u64, refill_per_second: u64) -> Policy {
        Policy::token_bucket(capacity, refill_per_second, Duration::from_secs(1))
    }

    /// Builds a sliding window: at most `limit` permits in any span of `window`.
    #[must_use]
    pub const fn sliding_window(limit: u64, window: Duration) -> Policy {
        Policy::SlidingWindow { limit, window }
    }

    /// Reads a stack of 1 to 4 policies, separated by `;`.
    ///
    /// Each is `[fixed | sliding | bucket] LIMIT / [N] UNIT`, with `per` for `/` if you like, or
    /// `bucket CAPACITY + REFILL / [N] UNIT`. Units are ms, s, m or min, h, d and their words; letters of either case;
    /// spaces and tabs between tokens as you like. Without a word it is a fixed window.
    ///
    /// # Errors
    /// With the offset of the first token that cannot stand where it stands, or of the number that is out of its range.
    ///
    /// ```
    /// use ratelimit_core::Policy;
    ///
    /// let stack = Policy::parse_stack("sliding 5/s; bucket 10 + 1/30s")?;
    /// assert_eq!(stack[0].to_string(), "sliding 5/second");
    /// assert_eq!(stack[1].to_string(), "bucket 10 + 1/30s");
    /// let error = Policy::parse_stack("5 per fortnight").unwrap_err();
    /// assert_eq!(error.offset(), Some(6));
    /// # Ok::<(), ratelimit_core::Error>(())
    /// ```
    pub fn parse_stack(text: &str) -> Result<Vec<Policy>, Error> {
        text::parse(text)
    }

    /// Judges the policy.
    ///
    /// # Errors
    /// With the first field, in the order they are declared, that is out of its range; then the rule that binds two.
    pub fn validate(&self) -> Result<(), Error> {
        self.numbers().map(drop)
    }

    /// Returns the policy's numbers in the order of its fields, durations in milliseconds (a window has two), all
    /// judged.
    pub(crate) fn numbers(&self) -> Result<[u64; 3], Error> {
        match *self {
            Policy::FixedWindow { limit, window } => {
                Ok([Field::Limit.judge(limit)?, whole_ms(Field::WindowMs, window)?, 0])
            }
            Policy::SlidingWindow { limit, window } => {
                let window_ms = (Field::Limit.judge(limit).and_then(|_| whole_ms(Field::WindowMs, window)))?;
                if limit.min(window_ms) > MAX_LOG {
                    return Err(Error::SlidingLogTooLong { limit, window_ms, offset: None });
                }
                Ok([limit, window_ms, 0])
            }
            Policy::TokenBucket { capacity, refill, refill_period } => {
                Field::Capacity.judge(capacity)?;
                Field::Refill.judge(refill)?;
                let refill_period_ms = whole_ms(Field::RefillPeriodMs, refill_period)?;
                match capacity.checked_mul(refill_period_ms) {
                    Some(units) if units <= MAX_BUCKET_UNITS => Ok([capacity, refill, refill_period_ms]),
                    _ => Err(Error::BucketTooLarge { capacity, refill_period_ms, offset: None }),
                }
            }
        }
    }
}

/// Returns a duration that is whole milliseconds and in `field`'s range.
fn whole_ms(field: Field, duration: Duration) -> Result<u64, Error> {
    if !duration.subsec_nanos().is_multiple_of(1_000_000) {
        return Err(Error::NotWholeMilliseconds { field, value_ns: duration.as_nanos() });
    }
    match milliseconds_of(duration) {
        Some(ms) => field.judge(ms),
        None => Err(Error::out_of_range(field, Decimal::of_wide(duration.as_millis()).as_str())),
    }
}

/// Returns a duration's whole milliseconds, if they are fewer than 2^64.
fn milliseconds_of(duration: Duration) -> Option<u64> {
    duration.as_secs().checked_mul(1000)?.checked_add(duration.subsec_millis().into())
}

/// Reads exactly one policy; a text of two or more is a [`PolicyCount`](Error::PolicyCount) error.
impl FromStr for Policy {
    type Err = Error;

    fn from_str(text: &str) -> Result<Policy, Error> {
        let mut stack = text::parse(text)?;
        match stack.len() {
            1 => Ok(stack.remove(0)),
            count => Err(Error::PolicyCount { count, offset: None }),
        }
    }
}

impl Policy {
    /// Writes the text that reads back as this policy, its algorithm always named, as its `Display` does; to a text in
    /// less code than that takes, which a build that is sent over a network saves.
    ///
    /// # Errors
    /// If the writer fails; a text does not.
    pub fn write_to(&self, f: &mut impl fmt::Write) -> fmt::Result {
        let (algorithm, permits, refill, period) = match self {
            Policy::FixedWindow { limit, window } => ("fixed ", *limit, None, window),
            Policy::SlidingWindow { limit, window } => ("sliding ", *limit, None, window),
            Policy::TokenBucket { capacity, refill, refill_period } => {
                ("bucket ", *capacity, Some(*refill), refill_period)
            }
        };
        f.write_str(algorithm)?;
        f.write_str(Decimal::of(permits).as_str())?;
        if let Some(refill) = refill {
            f.write_str(" + ")?;
            f.write_str(Decimal::of(refill).as_str())?;
        }
        text::write_period(f, *period)
    }
}

/// Writes the text that reads back as this policy, its algorithm always named.
impl fmt::Display for Policy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write_to(f)
    }
}

/// Durations as `window_ms` and `refill_period_ms`.
#[cfg(feature = "serde")]
mod milliseconds {
    use core::time::Duration;
    use serde::{Deserialize, Deserializer, Serializer, ser::Error};

    pub(super) fn serialize<S: Serializer>(duration: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
        match u64::try_from(duration.as_millis()) {
            Ok(ms) if duration.subsec_nanos().is_multiple_of(1_000_000) => serializer.serialize_u64(ms),
            _ => Err(S::Error::custom("duration must be whole milliseconds")),
        }
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Duration, D::Error> {
        u64::deserialize(deserializer).map(Duration::from_millis)
    }
}
