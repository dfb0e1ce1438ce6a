//! The crate as a subject of the vectors, by its public names only.

use ratelimit_core as core;
use ratelimit_core::{AsKey, Config, KeyRef, ManualClock};
use ratelimit_testkit::{Decision, Failure, Key, Kind, Limiter, Parsed, Policy, Stats, Subject};
use std::time::Duration;

/// Makes limiters of the crate.
#[derive(Debug)]
pub(crate) struct Core;

/// A limiter and the clock by which its batches are told the time.
pub(crate) struct OnManualClock {
    limiter: core::Limiter,
    clock: ManualClock,
}

impl Subject for Core {
    type Limiter = OnManualClock;

    fn make(&self, policies: &[Policy], max_identities: Option<u64>) -> Result<OnManualClock, Failure> {
        let clock = ManualClock::default();
        let policies: Vec<_> = policies.iter().map(policy).collect();
        let mut config = Config::with_clock(policies, clock.clone());
        if let Some(max_identities) = max_identities {
            config = config.max_identities(max_identities);
        }
        let limiter = core::Limiter::from_config(config).map_err(|error| failure(&error))?;
        Ok(OnManualClock { limiter, clock })
    }

    fn parse(&self, text: &str) -> Result<Parsed, Failure> {
        let policies = core::Policy::parse_stack(text).map_err(|error| failure(&error))?;
        let canonical: Vec<_> = policies.iter().map(core::Policy::to_string).collect();
        Ok(Parsed { policies: policies.iter().map(plain_policy).collect(), canonical: canonical.join("; ") })
    }
}

impl Limiter for OnManualClock {
    fn check(&self, key: &Key, cost: u64, now_ms: u64) -> Result<Decision, Failure> {
        let made = self.limiter.check_at(BorrowedKey::of(key), now_ms, cost);
        made.map(plain).map_err(|error| failure(&error))
    }

    fn check_many(&self, keys: &[Key], cost: u64, now_ms: u64) -> Result<Vec<Decision>, Failure> {
        self.clock.set(now_ms).map_err(|error| failure(&error))?;
        let keys: Vec<_> = keys.iter().map(BorrowedKey::of).collect();
        let made = self.limiter.check_many(&keys, cost).map_err(|error| failure(&error))?;
        Ok(made.into_iter().map(plain).collect())
    }

    fn peek(&self, key: &Key, cost: u64, now_ms: u64) -> Result<Decision, Failure> {
        let made = self.limiter.peek_at(BorrowedKey::of(key), now_ms, cost);
        made.map(plain).map_err(|error| failure(&error))
    }

    fn remaining(&self, key: &Key, now_ms: u64) -> Result<u64, Failure> {
        let remaining = self.limiter.remaining_at(BorrowedKey::of(key), now_ms);
        remaining.map(u64::from).map_err(|error| failure(&error))
    }

    fn refund(&self, key: &Key, decision: &Decision, now_ms: u64) -> Result<u64, Failure> {
        let back = self.limiter.refund_at(BorrowedKey::of(key), &given(decision), now_ms);
        back.map(u64::from).map_err(|error| failure(&error))
    }

    fn reset(&self, key: &Key) -> bool {
        self.limiter.reset(BorrowedKey::of(key))
    }

    fn sweep(&self, now_ms: u64) -> Result<u64, Failure> {
        self.limiter.sweep_at(now_ms).map_err(|error| failure(&error))
    }

    fn len(&self) -> u64 {
        self.limiter.len()
    }

    fn stats(&self) -> Stats {
        let core::Stats { allowed, denied, saturated, exceeds_limit, .. } = self.limiter.stats();
        Stats { allowed, denied, saturated, exceeds_limit }
    }

    fn clear(&self) {
        self.limiter.clear();
    }
}

/// A key in each of the forms in which the crate takes one.
enum BorrowedKey<'a> {
    Text(&'a str),
    Bytes(&'a [u8]),
    Parts(core::Key),
}

impl BorrowedKey<'_> {
    fn of(key: &Key) -> BorrowedKey<'_> {
        match key {
            Key::Text(text) => BorrowedKey::Text(text),
            Key::Bytes(bytes) => BorrowedKey::Bytes(bytes),
            Key::Parts(parts) => BorrowedKey::Parts(core::Key::parts(parts)),
        }
    }
}

impl AsKey for BorrowedKey<'_> {
    fn as_key(&self) -> KeyRef<'_> {
        match self {
            BorrowedKey::Text(text) => text.as_key(),
            BorrowedKey::Bytes(bytes) => bytes.as_key(),
            BorrowedKey::Parts(key) => key.as_key(),
        }
    }
}

pub(crate) fn policy(policy: &Policy) -> core::Policy {
    match *policy {
        Policy::FixedWindow { limit, window_ms } => core::Policy::fixed_window(limit, Duration::from_millis(window_ms)),
        Policy::SlidingWindow { limit, window_ms } => {
            core::Policy::sliding_window(limit, Duration::from_millis(window_ms))
        }
        Policy::TokenBucket { capacity, refill, refill_period_ms } => {
            core::Policy::token_bucket(capacity, refill, Duration::from_millis(refill_period_ms))
        }
    }
}

fn plain_policy(policy: &core::Policy) -> Policy {
    let ms = |duration: Duration| u64::try_from(duration.as_millis()).expect("a window is at most 366 days");
    match *policy {
        core::Policy::FixedWindow { limit, window } => Policy::FixedWindow { limit, window_ms: ms(window) },
        core::Policy::SlidingWindow { limit, window } => Policy::SlidingWindow { limit, window_ms: ms(window) },
        core::Policy::TokenBucket { capacity, refill, refill_period } => {
            Policy::TokenBucket { capacity, refill, refill_period_ms: ms(refill_period) }
        }
    }
}

fn plain(made: core::Decision) -> Decision {
    Decision {
        kind: match made.kind {
            core::Kind::Allowed => Kind::Allowed,
            core::Kind::Denied => Kind::Denied,
            core::Kind::Saturated => Kind::Saturated,
            core::Kind::ExceedsLimit => Kind::ExceedsLimit,
        },
        policy: made.policy.into(),
        limit: made.limit.into(),
        remaining: made.remaining.into(),
        cost: made.cost.into(),
        reset_after_ms: made.reset_after_ms,
        retry_after_ms: made.retry_after_ms,
        at_ms: made.at_ms,
    }
}

pub(crate) fn given(decision: &Decision) -> core::Decision {
    let narrow = |number: u64| u32::try_from(number).expect("a decision's number is below 2^32");
    let mut made = core::Decision::default();
    made.kind = match decision.kind {
        Kind::Allowed => core::Kind::Allowed,
        Kind::Denied => core::Kind::Denied,
        Kind::Saturated => core::Kind::Saturated,
        Kind::ExceedsLimit => core::Kind::ExceedsLimit,
    };
    made.policy = u8::try_from(decision.policy).expect("a policy's index is at most 3");
    made.limit = narrow(decision.limit);
    made.remaining = narrow(decision.remaining);
    made.cost = narrow(decision.cost);
    made.reset_after_ms = decision.reset_after_ms;
    made.retry_after_ms = decision.retry_after_ms;
    made.at_ms = decision.at_ms;
    made
}

pub(crate) fn failure(error: &core::Error) -> Failure {
    Failure {
        code: error.code().into(),
        name: error.name().to_owned(),
        field: error.field().name().to_owned(),
        offset: error.offset().map(|offset| u64::try_from(offset).expect("an offset is below 2^64")),
    }
}
