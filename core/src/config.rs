//! What a limiter is made of.

use crate::clock::Clock;
use crate::policy::Policy;
use alloc::vec::Vec;

/// Rows that a limiter may keep unless it is told otherwise.
pub const DEFAULT_MAX_IDENTITIES: u64 = 100_000;

/// Collects what a limiter is made of: plain data, judged when the limiter is made.
///
/// ```
/// use ratelimit_core::{Config, Limiter, Policy};
/// use std::time::Duration;
///
/// let (second, hour) = (Duration::from_secs(1), Duration::from_secs(3600));
/// let policies = [Policy::fixed_window(5, second), Policy::sliding_window(1000, hour)];
/// let limiter = Limiter::from_config(Config::stack(policies).max_identities(10_000))?;
/// assert_eq!(limiter.max_identities(), 10_000);
/// # Ok::<(), ratelimit_core::Error>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Config {
    /// The policies, 1 to 4, all of which must allow a call.
    pub policies: Vec<Policy>,
    /// Rows that may exist, `1 ..= 2^32-1`. A new key beyond them is refused, none is forgotten for it.
    pub max_identities: u64,
    /// Where calls without a time of their own read it.
    pub clock: Clock,
}

impl Config {
    /// Starts from policies and a clock, with [`DEFAULT_MAX_IDENTITIES`].
    pub fn with_clock(policies: impl Into<Vec<Policy>>, clock: impl Into<Clock>) -> Config {
        Config { policies: policies.into(), max_identities: DEFAULT_MAX_IDENTITIES, clock: clock.into() }
    }

    /// Starts from one policy, on the system clock.
    #[cfg(feature = "std")]
    #[must_use]
    pub fn new(policy: Policy) -> Config {
        Config::stack([policy])
    }

    /// Starts from several policies, on the system clock.
    #[cfg(feature = "std")]
    pub fn stack(policies: impl Into<Vec<Policy>>) -> Config {
        Config::with_clock(policies, Clock::system())
    }

    /// Sets how many rows may exist.
    #[must_use]
    pub fn max_identities(mut self, max_identities: u64) -> Config {
        self.max_identities = max_identities;
        self
    }

    /// Sets the clock.
    #[must_use]
    pub fn clock(mut self, clock: impl Into<Clock>) -> Config {
        self.clock = clock.into();
        self
    }
}

/// Reads a stack of policies, as [`Policy::parse_stack`] does, on the system clock.
#[cfg(feature = "std")]
impl core::str::FromStr for Config {
    type Err = crate::Error;

    fn from_str(text: &str) -> Result<Config, crate::Error> {
        Policy::parse_stack(text).map(Config::stack)
    }
}
