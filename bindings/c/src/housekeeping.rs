//! Keeping house.

use crate::clock::time;
use crate::failure::guarded;
use crate::key::{key, ratelimit_key};
use crate::limiter::{live, ratelimit_limiter};
use crate::memory::{self, Answer};
use crate::status::ratelimit_status;

/// Counts a limiter's decisions by kind, since it was made. Peeks count nothing.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ratelimit_stats_t {
    /// Checks that took what they asked for.
    pub allowed: u64,
    /// Checks that a policy refused.
    pub denied: u64,
    /// Checks of a new key that found no room.
    pub saturated: u64,
    /// Checks that asked for more than a limit.
    pub exceeds_limit: u64,
}

/// Forgets a key, and all it owes.
///
/// - `had_row`: receives whether there was something to forget; may be NULL.
///
/// Fails with RATELIMIT_NULL_POINTER, RATELIMIT_UNKNOWN_VALUE, RATELIMIT_TOO_LONG (`key`), RATELIMIT_FREED,
/// RATELIMIT_NOT_A_LIMITER.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ratelimit_reset(
    limiter: *mut ratelimit_limiter,
    key: *const ratelimit_key,
    had_row: *mut bool,
) -> ratelimit_status {
    guarded(|| {
        // Safe because the header asks for a limiter and a key.
        let (limiter, key) = unsafe { (live(limiter)?, self::key(key)?) };
        let had = limiter.reset(key);
        // Safe because the header asks for NULL or room for a bool.
        unsafe { memory::put_if_wanted(had_row, had) }
        Ok(())
    })
}

/// Forgets every key that owes nothing any more. No program has to: limiters do it by themselves, in small slices.
///
/// - `now_ms`: as for ratelimit_check; no key is decided at an earlier time after it.
/// - `removed`: receives how many keys were forgotten; may be NULL.
///
/// Fails with RATELIMIT_OUT_OF_RANGE (`now_ms`), RATELIMIT_NULL_POINTER, RATELIMIT_FREED, RATELIMIT_NOT_A_LIMITER.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ratelimit_sweep(
    limiter: *mut ratelimit_limiter,
    now_ms: u64,
    removed: *mut u64,
) -> ratelimit_status {
    guarded(|| {
        // Safe because the header asks for a limiter.
        let limiter = unsafe { live(limiter) }?;
        let rows = limiter.sweep_at(time(limiter, now_ms))?;
        // Safe because the header asks for NULL or room for a number.
        unsafe { memory::put_if_wanted(removed, rows) }
        Ok(())
    })
}

/// Counts the keys that the limiter holds, at most config.max_identities. A sweep that is under way is finished first,
/// so this can take a while with many keys.
///
/// - `len`: receives the number.
///
/// Fails with RATELIMIT_NULL_POINTER, RATELIMIT_FREED, RATELIMIT_NOT_A_LIMITER.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ratelimit_len(limiter: *const ratelimit_limiter, len: *mut u64) -> ratelimit_status {
    guarded(|| {
        // Safe because the header asks for a limiter and for room for a number.
        let (limiter, answer) = unsafe { (live(limiter)?, Answer::new(len, "len")?) };
        answer.put(limiter.len());
        Ok(())
    })
}

/// Reads how many decisions of each kind there were since the limiter was made.
///
/// - `stats`: receives the counts.
///
/// Fails with RATELIMIT_NULL_POINTER, RATELIMIT_FREED, RATELIMIT_NOT_A_LIMITER.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ratelimit_stats(
    limiter: *const ratelimit_limiter,
    stats: *mut ratelimit_stats_t,
) -> ratelimit_status {
    guarded(|| {
        // Safe because the header asks for a limiter and for room for the counts.
        let (limiter, answer) = unsafe { (live(limiter)?, Answer::new(stats, "stats")?) };
        let stats = limiter.stats();
        answer.put(ratelimit_stats_t {
            allowed: stats.allowed,
            denied: stats.denied,
            saturated: stats.saturated,
            exceeds_limit: stats.exceeds_limit,
        });
        Ok(())
    })
}

/// Forgets every key and every time that the limiter has seen. The counts of ratelimit_stats stay.
///
/// Fails with RATELIMIT_NULL_POINTER, RATELIMIT_FREED, RATELIMIT_NOT_A_LIMITER.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ratelimit_clear(limiter: *mut ratelimit_limiter) -> ratelimit_status {
    guarded(|| {
        // Safe because the header asks for a limiter.
        unsafe { live(limiter) }?.clear();
        Ok(())
    })
}
