//! Deciding.

use crate::clock::{RATELIMIT_NOW, time};
use crate::decision::ratelimit_decision;
use crate::failure::{Failure, guarded};
use crate::key::{self, key, ratelimit_key};
use crate::limiter::{live, ratelimit_limiter};
use crate::memory::{self, Answer, Items};
use crate::status::ratelimit_status;
use ratelimit_core::{Decision, Error, Field, KeyRef};

/// Keys that are handed to core at a time.
const BATCH: usize = 64;

/// Decides whether a call that asks for `cost` permits may go on, and takes them if it may.
///
/// A refusal is a decision too: it takes nothing, and the status is RATELIMIT_OK. Look at decision->kind.
///
/// - `cost`: permits, 1 to 2^32 - 1.
/// - `now_ms`: milliseconds on the limiter's clock, 0 to 2^52 - 1, or RATELIMIT_NOW. Time never goes back for a key;
///   one far in the future freezes keys until then, so pass no time from outside.
/// - `decision`: receives the decision.
///
/// Fails with RATELIMIT_OUT_OF_RANGE (`cost`, `now_ms`), RATELIMIT_NULL_POINTER, RATELIMIT_UNKNOWN_VALUE,
/// RATELIMIT_TOO_LONG (`key`), RATELIMIT_FREED, RATELIMIT_NOT_A_LIMITER.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ratelimit_check(
    limiter: *mut ratelimit_limiter,
    key: *const ratelimit_key,
    cost: u64,
    now_ms: u64,
    decision: *mut ratelimit_decision,
) -> ratelimit_status {
    guarded(|| {
        // Safe because the header asks for a limiter, a key, and room for a decision.
        let (limiter, key, answer) = unsafe { (live(limiter)?, self::key(key)?, Answer::new(decision, "decision")?) };
        put(answer, &limiter.check_at(key, time(limiter, now_ms), cost))
    })
}

/// Checks several keys in order at one time, each on its own, repeats included; as ratelimit_check does for one.
///
/// - `keys`: `count` of them; may be NULL if `count` is 0.
/// - `cost`: what is asked of each.
/// - `now_ms`: as for ratelimit_check; the clock is read once.
/// - `decisions`: receives `count` decisions; may be NULL if `count` is 0.
///
/// Fails as ratelimit_check does, and then has checked none of the keys.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ratelimit_check_many(
    limiter: *mut ratelimit_limiter,
    keys: *const ratelimit_key,
    count: usize,
    cost: u64,
    now_ms: u64,
    decisions: *mut ratelimit_decision,
) -> ratelimit_status {
    guarded(|| {
        // Safe because the header asks for a limiter, `count` keys, and room for as many decisions.
        let (limiter, keys, answers) = unsafe {
            let keys = Items::new(keys, count, ["keys", "count"])?;
            (live(limiter)?, keys, Answer::several(decisions, count, ["decisions", "count"])?)
        };
        if now_ms != RATELIMIT_NOW {
            Field::NowMs.judge(now_ms)?;
        }
        for key in keys.iter() {
            // Safe because the header asks that a key points at its bytes.
            unsafe { key::borrow(key) }?;
        }
        // Judged here too, for there may be no key.
        Field::Cost.judge(cost)?;
        let now_ms = time(limiter, now_ms);
        let (mut written, mut batch) = (0, [KeyRef::plain(&[]); BATCH]);
        for first in (0..count).step_by(BATCH) {
            let batch = &mut batch[..BATCH.min(count - first)];
            for (slot, key) in batch.iter_mut().zip(keys.from(first)) {
                // Safe because the header asks that a key points at its bytes.
                *slot = unsafe { key::borrow(key) }?;
            }
            limiter.check_each_at(batch, now_ms, cost, |decision| {
                // Safe because there is room for as many decisions as there are keys.
                unsafe { answers.at(written) }.put((&decision).into());
                written += 1;
            })?;
        }
        Ok(())
    })
}

/// Writes what was decided, from where core has left it.
#[inline(always)]
fn put(answer: Answer<ratelimit_decision>, decided: &Result<Decision, Error>) -> Result<(), Failure> {
    match decided {
        Ok(decision) => {
            answer.put(decision.into());
            Ok(())
        }
        Err(error) => Err(error.clone().into()),
    }
}

/// Returns the decision that ratelimit_check would make, and takes nothing.
///
/// Another thread may come between a peek and a check: to take, check, and look at its decision.
///
/// Arguments and failures are those of ratelimit_check.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ratelimit_peek(
    limiter: *const ratelimit_limiter,
    key: *const ratelimit_key,
    cost: u64,
    now_ms: u64,
    decision: *mut ratelimit_decision,
) -> ratelimit_status {
    guarded(|| {
        // Safe because the header asks for a limiter, a key, and room for a decision.
        let (limiter, key, answer) = unsafe { (live(limiter)?, self::key(key)?, Answer::new(decision, "decision")?) };
        put(answer, &limiter.peek_at(key, time(limiter, now_ms), cost))
    })
}

/// Finds the largest cost that ratelimit_check would allow: 0 if none, also for a new key that finds no room.
///
/// A snapshot: another thread may take permits before the answer is read.
///
/// - `now_ms`: as for ratelimit_check.
/// - `remaining`: receives the permits.
///
/// Fails with RATELIMIT_OUT_OF_RANGE (`now_ms`), and as ratelimit_check does for the others.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ratelimit_remaining(
    limiter: *const ratelimit_limiter,
    key: *const ratelimit_key,
    now_ms: u64,
    remaining: *mut u32,
) -> ratelimit_status {
    guarded(|| {
        // Safe because the header asks for a limiter, a key, and room for a number.
        let (limiter, key, answer) = unsafe { (live(limiter)?, self::key(key)?, Answer::new(remaining, "remaining")?) };
        answer.put(limiter.remaining_at(key, time(limiter, now_ms))?);
        Ok(())
    })
}

/// Gives back what an allowed decision took, while its window, log entry or unrefilled level still holds it.
///
/// Any other decision gives back nothing, and nothing rises above its limit, whatever is refunded and however often.
///
/// - `key`: the one that was checked.
/// - `decision`: what the check wrote.
/// - `now_ms`: as for ratelimit_check.
/// - `refunded`: receives the permits that were given back; may be NULL.
///
/// Fails with RATELIMIT_OUT_OF_RANGE (`now_ms`), RATELIMIT_UNKNOWN_VALUE (`decision`), and as ratelimit_check does for
/// the others.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ratelimit_refund(
    limiter: *mut ratelimit_limiter,
    key: *const ratelimit_key,
    decision: *const ratelimit_decision,
    now_ms: u64,
    refunded: *mut u32,
) -> ratelimit_status {
    guarded(|| {
        // Safe because the header asks for a limiter, a key and a decision.
        let (limiter, key, given) = unsafe { (live(limiter)?, self::key(key)?, memory::read(decision, "decision")?) };
        let decision = given.to_core()?;
        let permits = limiter.refund_at(key, &decision, time(limiter, now_ms))?;
        // Safe because the header asks for NULL or room for a number.
        unsafe { memory::put_if_wanted(refunded, permits) }
        Ok(())
    })
}
