//! A decision as numbers: on its way out packed, as JavaScript reads it quickest; on its way in a number in each place.

use crate::failure::Failure;
use crate::number::{decimal, index, judged, shown, whole};
use crate::slots::DECISION_LENGTH;
use alloc::boxed::Box;
use ratelimit_core::{Decision, Error, Field, Kind};

/// How kinds are counted; `node/src/decision.ts` lists their words.
const KINDS: [Kind; 4] = [Kind::Allowed, Kind::Denied, Kind::Saturated, Kind::ExceedsLimit];
/// A wait that never ends.
const NEVER: f64 = -1.0;
/// An integer of JavaScript's arrays that is not negative has so many bits.
const PLAIN_BITS: u32 = 31;

/// Writes a decision and returns its kind. In the places of the first four numbers lie eight integers of 32 bits: the
/// kind, policy, limit, remaining, cost, a 0, the wait until the reset, and whether the decision is plain: allowed, and
/// none of these too large. The two waits and the time follow as numbers.
#[allow(clippy::cast_possible_truncation, reason = "a wait that is too large is read elsewhere")]
#[inline(always)]
pub(crate) fn write(decision: &Decision, to: &mut [f64; DECISION_LENGTH]) -> f64 {
    let kind = match decision.kind {
        Kind::Allowed => 0,
        Kind::Denied => 1,
        Kind::Saturated => 2,
        Kind::ExceedsLimit => 3,
    };
    let [limit, remaining, cost] = [apart(decision.limit), apart(decision.remaining), apart(decision.cost)];
    let reset_after_ms = decision.reset_after_ms;
    let is_plain = kind == 0 && (u64::from(limit | remaining | cost) | reset_after_ms) >> PLAIN_BITS == 0;
    to[0] = pair(kind, apart(decision.policy).into());
    to[1] = pair(limit, remaining);
    to[2] = pair(cost, 0);
    to[3] = pair(reset_after_ms as u32, is_plain.into());
    to[4] = shown(reset_after_ms);
    to[5] = decision.retry_after_ms.map_or(NEVER, shown);
    to[6] = shown(decision.at_ms);
    kind.into()
}

/// Puts two integers in the place of one number, where an array of integers has them one after the other.
#[inline(always)]
fn pair(first: u32, second: u32) -> f64 {
    let [low, high] = if cfg!(target_endian = "big") { [second, first] } else { [first, second] };
    f64::from_bits(u64::from(high) << u32::BITS | u64::from(low))
}

/// Reads a field on its own: core has just written each on its own, and a read of neighbours at once would have to wait
/// for the writes. The wasm module has to be small first.
#[inline(always)]
fn apart<T>(field: T) -> T {
    if cfg!(target_arch = "wasm32") { field } else { core::hint::black_box(field) }
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
