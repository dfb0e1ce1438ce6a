//! Policies as numbers.

use crate::failure::Failure;
use crate::number::{index, shown, whole};
use crate::slots::{COUNT, LIST, POLICY_LENGTH, Slots};
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::time::Duration;
use ratelimit_core::{Error, Field, Policy};

/// How algorithms are counted; `node/src/policy.ts` lists their words.
const FIXED: f64 = 0.0;
const BUCKET: f64 = 1.0;
const SLIDING: f64 = 2.0;

/// Reads as many policies as the count says. How many there are is judged first, as core does.
pub(crate) fn read(slots: &Slots) -> Result<Vec<Policy>, Box<Failure>> {
    let count = index(slots[COUNT]);
    if shown(count as u64) > shown(Field::Policies.max()) {
        return Err(Error::PolicyCount { count, offset: None }.into());
    }
    let mut policies = Vec::with_capacity(count);
    for numbers in slots[LIST..].chunks_exact(POLICY_LENGTH).take(count) {
        policies.push(read_one(numbers)?);
    }
    Ok(policies)
}

fn read_one(numbers: &[f64]) -> Result<Policy, Box<Failure>> {
    let ms = |field, value| whole(field, value).map(Duration::from_millis);
    let policy = match *numbers {
        [BUCKET, capacity, refill, period] => Policy::token_bucket(
            whole(Field::Capacity, capacity)?,
            whole(Field::Refill, refill)?,
            ms(Field::RefillPeriodMs, period)?,
        ),
        [SLIDING, limit, window, _] => {
            Policy::sliding_window(whole(Field::Limit, limit)?, ms(Field::WindowMs, window)?)
        }
        [FIXED, limit, window, _] => Policy::fixed_window(whole(Field::Limit, limit)?, ms(Field::WindowMs, window)?),
        _ => return Err(Failure::bug("a policy's algorithm is none")),
    };
    policy.validate()?;
    Ok(policy)
}

/// Writes policies that were judged, and returns how many.
pub(crate) fn write(policies: &[Policy], slots: &mut Slots) -> f64 {
    // Judged to be whole milliseconds, and far fewer than there could be.
    let ms = |duration: Duration| shown(duration.as_secs() * 1000 + u64::from(duration.subsec_millis()));
    for (policy, to) in policies.iter().zip(slots[LIST..].chunks_exact_mut(POLICY_LENGTH)) {
        to.copy_from_slice(&match *policy {
            Policy::FixedWindow { limit, window } => [FIXED, shown(limit), ms(window), 0.0],
            Policy::TokenBucket { capacity, refill, refill_period } => {
                [BUCKET, shown(capacity), shown(refill), ms(refill_period)]
            }
            Policy::SlidingWindow { limit, window } => [SLIDING, shown(limit), ms(window), 0.0],
        });
    }
    shown(policies.len() as u64)
}
