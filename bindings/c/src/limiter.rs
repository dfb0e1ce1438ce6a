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
use core::sync::atomic::{AtomicU64, Ordering};
use core::{fmt, ptr};
use ratelimit_core::{Config, Limiter};
use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

/// Decides who may go on. One limiter is made and shared: any thread may use it, at the same time as others.
pub struct ratelimit_limiter {
    /// [`LIVE`] or [`SPENT`]; whatever else stands here is no limiter.
    state: AtomicU64,
    inside: UnsafeCell<MaybeUninit<Inside>>,
}

/// What a limiter of C has: core's, and whom to warn.
pub(crate) struct Inside {
    pub(crate) limiter: Limiter,
    warner: Warner,
}

impl fmt::Debug for ratelimit_limiter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ratelimit_limiter").finish_non_exhaustive()
    }
}

// Safe because what is inside is shared only while it is live, and changes only when one thread makes or frees it.
unsafe impl Sync for ratelimit_limiter {}

/// Random words, which memory that is no limiter hardly ever holds.
const LIVE: u64 = 0x9d3c_56e1_07b8_f24b;
const SPENT: u64 = 0x31f0_8a6d_c2e9_5475;

/// Handles that are kept apart after they were freed.
const KEPT: usize = 1024;

/// Handles that were freed, the oldest first. Their memory is never given back, so that a pointer to one can always be
/// looked at and tells that it was freed; only the oldest are used again, once more than [`KEPT`] wait.
static FREED: Mutex<VecDeque<&'static ratelimit_limiter>> = Mutex::new(VecDeque::new());

impl ratelimit_limiter {
    fn make(inside: Inside) -> &'static ratelimit_limiter {
        let mut freed = FREED.lock().unwrap_or_else(PoisonError::into_inner);
        let oldest = if freed.len() > KEPT { freed.pop_front() } else { None };
        drop(freed);
        let handle = oldest.unwrap_or_else(|| {
            Box::leak(Box::new(ratelimit_limiter {
                state: AtomicU64::new(SPENT),
                inside: UnsafeCell::new(MaybeUninit::uninit()),
            }))
        });
        // Safe because the handle is not live and nobody else makes it so: it is new, or was taken out of the list.
        unsafe { (*handle.inside.get()).write(inside) };
        handle.state.store(LIVE, Ordering::Release);
        handle
    }

    fn free(&'static self) -> Result<(), Failure> {
        match self.state.compare_exchange(LIVE, SPENT, Ordering::AcqRel, Ordering::Acquire) {
            Ok(_) => {
                // Safe because it was live and this thread alone has ended that; the header forbids calls meanwhile.
                unsafe { (*self.inside.get()).assume_init_drop() };
                FREED.lock().unwrap_or_else(PoisonError::into_inner).push_back(self);
                Ok(())
            }
            Err(state) => Err(gone(state)),
        }
    }
}

#[cold]
fn gone(state: u64) -> Failure {
    if state == SPENT { Failure::Freed } else { Failure::NotALimiter }
}

/// Returns the handle that a pointer points at, live or freed.
///
/// # Safety
/// A pointer that is not NULL came from `ratelimit_new`, or points at 8 bytes that can be read.
#[inline]
unsafe fn handle(limiter: *const ratelimit_limiter) -> Result<&'static ratelimit_limiter, Failure> {
    if limiter.is_null() {
        return Err(Failure::Null { field: "limiter" });
    }
    if !limiter.is_aligned() {
        return Err(Failure::NotALimiter);
    }
    // Safe because the memory of a handle is never given back.
    Ok(unsafe { &*limiter })
}

/// Returns what a call needs of a limiter, after it has told what there is to tell.
///
/// # Safety
/// As for [`handle`]; and nobody frees the limiter before the call returns.
#[inline]
pub(crate) unsafe fn live<'a>(limiter: *const ratelimit_limiter) -> Result<&'a Limiter, Failure> {
    // Safe because the caller promises the same.
    let handle = unsafe { handle(limiter) }?;
    let state = handle.state.load(Ordering::Acquire);
    if state != LIVE {
        return Err(gone(state));
    }
    // Safe because it is live, and stays so until the call returns.
    let inside = unsafe { (*handle.inside.get()).assume_init_ref() };
    inside.warner.look();
    Ok(&inside.limiter)
}

/// Makes a limiter and writes it to `limiter`. It holds no thread and no file; free it with ratelimit_free.
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
/// `text`: `length` bytes, no NUL needed.
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
    answer.put(ptr::from_ref(ratelimit_limiter::make(inside)).cast_mut());
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
