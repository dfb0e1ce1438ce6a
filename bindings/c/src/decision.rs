//! What a limiter answers.

use crate::failure::Failure;
use crate::policy::RATELIMIT_MAX_POLICIES;
use core::mem::offset_of;
use ratelimit_core::{Decision, Kind};

/// As retry_after_ms, says that waiting never helps.
pub const RATELIMIT_NEVER: u64 = u64::MAX;

/// Says which of the four answers a decision is. Only RATELIMIT_ALLOWED took permits.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ratelimit_kind {
    /// The permits were taken (or, for a peek, could be).
    RATELIMIT_ALLOWED = 0,
    /// The policies leave too little for this cost now.
    RATELIMIT_DENIED = 1,
    /// The limiter holds max_identities other keys and has no room for a new one.
    RATELIMIT_SATURATED = 2,
    /// The cost is above the limit itself; waiting never helps.
    RATELIMIT_EXCEEDS_LIMIT = 3,
}

/// Tells whether a call was allowed, what is left, and when to come back.
///
/// Waits are milliseconds, counted from the call's own now_ms. For an HTTP header in seconds round up:
/// (retry_after_ms + 999) / 1000.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ratelimit_decision {
    /// A ratelimit_kind.
    pub kind: i32,
    /// Index of the policy that the decision speaks of; 0 when saturated, the first one exceeded when exceeds_limit.
    pub policy: u32,
    /// The limit of that policy.
    pub limit: u32,
    /// Permits that could still be taken at once, the smallest over the policies; 0 when saturated or exceeds_limit.
    pub remaining: u32,
    /// The permits that were asked for.
    pub cost: u32,
    /// 0; a later version may give it a meaning.
    pub reserved: u32,
    /// Time until `remaining` next goes up; 0 if it is full. Saturated: as retry_after_ms. Exceeds_limit: 0.
    pub reset_after_ms: u64,
    /// The least wait after which the same call succeeds if nobody else takes permits; 0 when allowed, the time until
    /// the next sweep when saturated, RATELIMIT_NEVER when exceeds_limit.
    pub retry_after_ms: u64,
    /// The time that was used: the greatest of now_ms, the time of the key's last allowed call, and that of the last
    /// sweep. Saturated and exceeds_limit: now_ms.
    pub at_ms: u64,
}

// Programs that were compiled long ago rely on each of these.
const _: () = assert!(size_of::<ratelimit_decision>() == 48);
const _: () = assert!(offset_of!(ratelimit_decision, kind) == 0);
const _: () = assert!(offset_of!(ratelimit_decision, policy) == 4);
const _: () = assert!(offset_of!(ratelimit_decision, limit) == 8);
const _: () = assert!(offset_of!(ratelimit_decision, remaining) == 12);
const _: () = assert!(offset_of!(ratelimit_decision, cost) == 16);
const _: () = assert!(offset_of!(ratelimit_decision, reserved) == 20);
const _: () = assert!(offset_of!(ratelimit_decision, reset_after_ms) == 24);
const _: () = assert!(offset_of!(ratelimit_decision, retry_after_ms) == 32);
const _: () = assert!(offset_of!(ratelimit_decision, at_ms) == 40);

/// Reads a field on its own. Core has just written the fields, each on its own; the compiler would read neighbours at
/// once, and such a read waits until the writes have left the processor's buffer: for a tenth of a check's time.
#[inline(always)]
fn apart<T: Copy>(field: &T) -> T {
    // Safe because a reference is to a value.
    unsafe { core::ptr::from_ref(field).read_volatile() }
}

impl From<&Decision> for ratelimit_decision {
    #[inline(always)]
    fn from(decision: &Decision) -> ratelimit_decision {
        let kind = match decision.kind {
            Kind::Allowed => ratelimit_kind::RATELIMIT_ALLOWED,
            Kind::Denied => ratelimit_kind::RATELIMIT_DENIED,
            Kind::Saturated => ratelimit_kind::RATELIMIT_SATURATED,
            Kind::ExceedsLimit => ratelimit_kind::RATELIMIT_EXCEEDS_LIMIT,
        };
        ratelimit_decision {
            kind: kind as i32,
            policy: apart(&decision.policy).into(),
            limit: apart(&decision.limit),
            remaining: apart(&decision.remaining),
            cost: apart(&decision.cost),
            reserved: 0,
            reset_after_ms: decision.reset_after_ms,
            retry_after_ms: decision.retry_after_ms.unwrap_or(RATELIMIT_NEVER),
            at_ms: decision.at_ms,
        }
    }
}

impl ratelimit_decision {
    /// Returns the decision as core makes it, or says what no limiter writes.
    pub(crate) fn to_core(self) -> Result<Decision, Failure> {
        let mut decision = Decision::default();
        decision.kind = match self.kind {
            0 => Kind::Allowed,
            1 => Kind::Denied,
            2 => Kind::Saturated,
            3 => Kind::ExceedsLimit,
            kind => {
                return Err(Failure::Unknown {
                    field: "decision.kind",
                    value: kind.into(),
                    known: "a ratelimit_kind, 0 to 3",
                });
            }
        };
        let policy = u8::try_from(self.policy).ok().filter(|policy| usize::from(*policy) < RATELIMIT_MAX_POLICIES);
        decision.policy = policy.ok_or(Failure::Unknown {
            field: "decision.policy",
            value: self.policy.into(),
            known: "the index of a policy, 0 to 3",
        })?;
        decision.limit = self.limit;
        decision.remaining = self.remaining;
        decision.cost = self.cost;
        decision.reset_after_ms = self.reset_after_ms;
        decision.retry_after_ms = Some(self.retry_after_ms).filter(|wait| *wait != RATELIMIT_NEVER);
        decision.at_ms = self.at_ms;
        Ok(decision)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ratelimit_core::Limiter;

    #[test]
    fn a_decision_of_core_comes_back_as_it_was() {
        let limiter: Limiter = "2/second; sliding 3/minute".parse().unwrap();
        let asks = [(1, "allowed"), (2, "denied"), (9, "exceeds_limit")];
        for (cost, kind) in asks {
            let decision = limiter.check_at("ada", 900, cost).unwrap();
            assert_eq!(decision.kind.as_str(), kind);
            assert_eq!(ratelimit_decision::from(&decision).to_core().unwrap(), decision);
        }
    }
}
