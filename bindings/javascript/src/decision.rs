//! A decision as numbers.

use crate::failure::Failure;
use crate::number::{decimal, index, judged, shown, whole};
use crate::slots::DECISION_LENGTH;
use alloc::boxed::Box;
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

/// Reads a decision. JavaScript has judged its numbers, but for the cost and the time.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the casts saturate")]
pub(crate) fn read(from: &[f64; DECISION_LENGTH]) -> Result<Decision, Box<Failure>> {
    let mut decision = Decision::default();
    decision.kind = *KINDS.get(index(from[0])).ok_or_else(|| Failure::bug("a decision's kind is none"))?;
    [decision.limit, decision.remaining] = [from[2], from[3]].map(|number| number as u32);
    decision.policy = from[1] as u8;
    let cost = whole(Field::Cost, from[4])?;
    decision.cost = u32::try_from(cost).map_err(|_| Error::out_of_range(Field::Cost, decimal(cost)))?;
    decision.reset_after_ms = from[5] as u64;
    decision.retry_after_ms = (from[6] != NEVER).then_some(from[6] as u64);
    decision.at_ms = judged(Field::NowMs, from[7])?;
    Ok(decision)
}
