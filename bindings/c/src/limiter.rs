//! Making a limiter, and freeing it.

use crate::config::{config, ratelimit_config};
use crate::failure::{Failure, guarded};
use crate::memory::Answer;
use crate::policy::stack;
use crate::status::ratelimit_status;
use crate::warning::Warner;
use core::cell::UnsafeCell;
use core::ffi::c_char;
use core::mem::MaybeUninit;
use core::ptr;
use core::sync::atomic::{AtomicU64, Ordering};
use ratelimit_core::{Config, Limiter};
use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

/// Decides who may go on. One limiter is made and shared: any thread may use it, at the same time as others.
#[derive(Debug)]
pub struct ratelimit_limiter {
    /// What lies there is a [`Handle`].
    _opaque: (),
}

#[repr(C)]
struct Handle {
    /// [`LIVE`] or [`SPENT`]; whatever else stands here is no limiter. It comes first, so that a pointer to anything of
    /// 8 bytes can be looked at.
    state: AtomicU64,
    inside: UnsafeCell<MaybeUninit<Inside>>,
}

/// What a limiter of C has: core's, and whom to warn.
pub(crate) struct Inside {
    pub(crate) limiter: Limiter,
    warner: Warner,
}

// Safe because what is inside is shared only while it is live, and changes only when one thread makes or frees it.
unsafe impl Sync for Handle {}

/// Random words, which memory that is no limiter hardly ever holds.
const LIVE: u64 = 0x9d3c_56e1_07b8_f24b;
const SPENT: u64 = 0x31f0_8a6d_c2e9_5475;

/// Handles that are kept apart after they were freed.
const KEPT: usize = 1024;

/// Handles that were freed, the oldest first. Their memory is never given back, so that a pointer to one can always be
/// looked at and tells that it was freed; only the oldest are used again, once more than [`KEPT`] wait.
static FREED: Mutex<VecDeque<&'static Handle>> = Mutex::new(VecDeque::new());

impl Handle {
    fn make(inside: Inside) -> *mut ratelimit_limiter {
        let mut freed = FREED.lock().unwrap_or_else(PoisonError::into_inner);
        let oldest = if freed.len() > KEPT { freed.pop_front() } else { None };
        drop(freed);
        let handle = oldest.unwrap_or_else(|| {
            let inside = UnsafeCell::new(MaybeUninit::uninit());
            Box::leak(Box::new(Handle { state: AtomicU64::new(SPENT), inside }))
        });
        // Safe because the handle is not live and nobody else makes it so: it is new, or was taken out of the list.
        unsafe { (*handle.inside.get()).write(inside) };
        handle.state.store(LIVE, Ordering::Release);
        ptr::from_ref(handle).cast_mut().cast()
    }

    fn free(&'static self) -> Result<(), Failure> {
        // Of several threads one ends it.
        if self.state.swap(SPENT, Ordering::AcqRel) == SPENT {
            return Err(Failure::Freed);
        }
        // Safe because it was live and only this thread has ended that; the header forbids calls meanwhile.
        unsafe { (*self.inside.get()).assume_init_drop() };
        FREED.lock().unwrap_or_else(PoisonError::into_inner).push_back(self);
        Ok(())
    }
}

/// Returns the handle of a limiter that is live.
///
/// # Safety
/// A pointer that is not NULL came from [`Handle::make`], or points at 8 bytes that can be read.
#[inline]
unsafe fn handle(limiter: *const ratelimit_limiter) -> Result<&'static Handle, Failure> {
    let state: *const AtomicU64 = limiter.cast();
    if state.is_null() {
        return Err(Failure::Null { field: "limiter" });
    }
    if !state.is_aligned() {
        return Err(Failure::NotALimiter);
    }
    // Safe because the memory of a handle is never given back, and the caller promises 8 bytes of any other.
    match unsafe { &*state }.load(Ordering::Acquire) {
        // Safe because nothing else begins with this.
        LIVE => Ok(unsafe { &*limiter.cast() }),
        SPENT => Err(Failure::Freed),
        _ => Err(Failure::NotALimiter),
    }
}

/// Returns what a call needs of a limiter, after it has told what there is to tell.
///
/// # Safety
/// As for [`handle`]; and nobody frees the limiter before the call returns.
#[inline]
pub(crate) unsafe fn live<'a>(limiter: *const ratelimit_limiter) -> Result<&'a Limiter, Failure> {
    // Safe because the caller promises the same.
    let handle = unsafe { handle(limiter) }?;
    // Safe because it is live, and stays so until the call returns.
    let inside = unsafe { (*handle.inside.get()).assume_init_ref() };
    inside.warner.look();
    Ok(&inside.limiter)
}

/// Makes a limiter. It holds no thread and no file; free it with ratelimit_free.
///
/// - `config`: is copied; only its two functions and their contexts are needed on.
/// - `limiter`: receives the limiter.
///
/// Fails with RATELIMIT_NULL_POINTER, RATELIMIT_CONFIG_SIZE, RATELIMIT_UNKNOWN_VALUE, RATELIMIT_POLICY_COUNT,
/// RATELIMIT_OUT_OF_RANGE, RATELIMIT_BUCKET_TOO_LARGE, RATELIMIT_SLIDING_LOG_TOO_LONG.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ratelimit_new(
    config: *const ratelimit_config,
    limiter: *mut *mut ratelimit_limiter,
) -> ratelimit_status {
    guarded(|| {
        // Safe because the header asks for a config and for room for a pointer.
        let (answer, (config, warner)) = unsafe { (Answer::new(limiter, "limiter")?, self::config(config)?) };
        put(answer, config, warner)
    })
}

/// Makes a limiter of policies as text, such as "5/second; 1000/day", on the system's clock, with the default cap and
/// without warnings; ratelimit_policies_from_text reads the same text for a config.
///
/// - `text`: `length` bytes, no NUL needed.
/// - `limiter`: receives the limiter.
///
/// Fails as ratelimit_policies_from_text does.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ratelimit_new_from_text(
    text: *const c_char,
    length: usize,
    limiter: *mut *mut ratelimit_limiter,
) -> ratelimit_status {
    guarded(|| {
        // Safe because the header asks for `length` bytes and for room for a pointer.
        let (answer, stack) = unsafe { (Answer::new(limiter, "limiter")?, stack(text, length)?) };
        put(answer, Config::stack(stack), Warner::new(None, ptr::null_mut()))
    })
}

fn put(answer: Answer<*mut ratelimit_limiter>, config: Config, warner: Warner) -> Result<(), Failure> {
    let inside = Inside { limiter: Limiter::from_config(config)?, warner };
    answer.put(Handle::make(inside));
    Ok(())
}

/// Frees a limiter and all it remembers. NULL is allowed and does nothing.
///
/// No other call may be using the limiter, nor use it later. The library tells such a mistake where it can, and then
/// does nothing: a limiter that was freed is known for at least 1,024 more that are freed after it.
///
/// Fails with RATELIMIT_FREED, RATELIMIT_NOT_A_LIMITER.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ratelimit_free(limiter: *mut ratelimit_limiter) -> ratelimit_status {
    guarded(|| {
        if limiter.is_null() {
            return Ok(());
        }
        // Safe because the header asks for a pointer that ratelimit_new returned.
        unsafe { handle(limiter) }?.free()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::calls::*;
    use crate::clock::RATELIMIT_NOW;
    use crate::decision::ratelimit_decision;
    use crate::error::ratelimit_last_error_message;
    use crate::housekeeping::ratelimit_sweep;
    use crate::key::{ratelimit_key, ratelimit_key_kind};
    use core::ffi::CStr;
    use ratelimit_core::{Clock, Policy};

    /// Makes a limiter whose clock panics, as no clock of C can.
    fn panicking() -> *mut ratelimit_limiter {
        let config = Config::stack(Policy::parse_stack("5/minute").unwrap());
        let clock = Clock::from_fn(|| panic!("the clock fell down"));
        let limiter = Limiter::from_config(config.clock(clock)).unwrap();
        let inside = Inside { limiter, warner: Warner::new(None, ptr::null_mut()) };
        Handle::make(inside)
    }

    #[test]
    fn a_panic_becomes_a_status_and_leaves_the_answers_and_the_limiter() {
        let limiter = panicking();
        let key = ratelimit_key {
            bytes: c"ada".as_ptr().cast(),
            length: 3,
            kind: ratelimit_key_kind::RATELIMIT_KEY_PLAIN as i32,
        };
        let keys = [key, key];
        let untouched = ratelimit_decision {
            kind: -1,
            policy: 7,
            limit: 7,
            remaining: 7,
            cost: 7,
            reserved: 7,
            reset_after_ms: 7,
            retry_after_ms: 7,
            at_ms: 7,
        };
        let allowed = ratelimit_decision { kind: 0, policy: 0, ..untouched };
        let (mut decisions, mut permits, mut rows) = ([untouched; 2], 7_u32, 7_u64);
        let now = RATELIMIT_NOW;
        // Safe because each pointer is to what it says.
        let statuses = unsafe {
            [
                ratelimit_check(limiter, &key, 1, now, &mut decisions[0]),
                ratelimit_check_many(limiter, keys.as_ptr(), 2, 1, now, decisions.as_mut_ptr()),
                ratelimit_peek(limiter, &key, 1, now, &mut decisions[0]),
                ratelimit_remaining(limiter, &key, now, &mut permits),
                ratelimit_refund(limiter, &key, &allowed, now, &mut permits),
                ratelimit_sweep(limiter, now, &mut rows),
            ]
        };
        assert_eq!(statuses, [ratelimit_status::RATELIMIT_PANICKED; 6]);
        assert_eq!((decisions, permits, rows), ([untouched; 2], 7, 7));
        // Safe because the message ends in a NUL.
        let message = unsafe { CStr::from_ptr(ratelimit_last_error_message()) };
        assert_eq!(message, c"the library has a bug: the clock fell down");
        // Safe because each pointer is to what it says.
        let after = unsafe { [ratelimit_check(limiter, &key, 1, 0, &mut decisions[0]), ratelimit_free(limiter)] };
        assert_eq!(after, [ratelimit_status::RATELIMIT_OK; 2]);
        assert_eq!((decisions[0].kind, decisions[0].remaining), (0, 4));
    }
}
