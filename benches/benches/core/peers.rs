//! The two sides, each with limits that nobody meets.

use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};
use ratelimit_core::{Config, Error, Limiter, Policy};
use std::num::NonZeroU32;
use std::time::Duration;

pub(crate) const MINUTE: Duration = Duration::from_secs(60);
/// More than any bench takes.
pub(crate) const MANY: u64 = u32::MAX as u64;

pub(crate) type Governor = DefaultKeyedRateLimiter<&'static str>;

pub(crate) fn governor() -> Governor {
    RateLimiter::keyed(Quota::per_second(NonZeroU32::MAX))
}

pub(crate) fn limiter(policies: &[Policy], max_identities: u64) -> Result<Limiter, Error> {
    Limiter::from_config(Config::stack(policies).max_identities(max_identities))
}

pub(crate) fn fixed() -> Policy {
    Policy::fixed_window(MANY, MINUTE)
}
