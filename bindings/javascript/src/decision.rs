//! A decision as numbers.

use crate::failure::Failure;
use crate::number::{judged, shown, whole};
use crate::slots::{DECISION, DECISION_LENGTH, Slots};
use ratelimit_core::{Decision, Error, Field, Kind};

/// How kinds are counted; `node/src/decision.ts` lists their words.
const KINDS: [Kind; 4] = [Kind::Allowed, Kind::Denied, Kind::Saturated, Kind::ExceedsLimit];
/// A wait that never ends.
const NEVER: f64 = -1.0;

/// Writes a decision; its first number is its kind.
#[inline(always)]
pub(crate) fn write(decision: &Decision, to: &mut [f64; DECISION_LENGTH]) {
    to[0] = match decision.kind {
        Kind::Allowed => 0.0,
        Kind::Denied => 1.0,
        Kind::Saturated => 2.0,
        Kind::ExceedsLimit => 3.0,
    };
    to[1] = f64::from(apart(decision.policy));
    to[2] = f64::from(apart(decision.limit));
    to[3] = f64::from(apart(decision.remaining));
    to[4] = f64::from(apart(decision.cost));
    to[5] = shown(decision.reset_after_ms);
    to[6] = decision.retry_after_ms.map_or(NEVER, shown);
    to[7] = shown(decision.at_ms);
}

/// Reads a field on its own: core has just written each on its own, and a read of neighbours at once would have to wait
/// for the writes.
#[inline(always)]
fn apart<T>(field: T) -> T {
    core::hint::black_box(field)
}

/// Reads what a refund looks at: the kind, the cost and the time.
pub(crate) fn read(slots: &Slots) -> Result<Decision, Failure> {
    let mut decision = Decision::default();
    let kind = KINDS.iter().zip(0_u8..).find(|(_, number)| f64::from(*number) == slots[DECISION]);
    decision.kind = *kind.ok_or(Failure::Bug("a decision's kind is none"))?.0;
    let cost = whole(Field::Cost, slots[DECISION + 4])?;
    decision.cost = u32::try_from(cost).map_err(|_| Error::out_of_range(Field::Cost, cost))?;
    decision.at_ms = judged(Field::NowMs, slots[DECISION + 7])?;
    Ok(decision)
}
