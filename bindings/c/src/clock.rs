//! Where a limiter reads the time when a call does not give it.

use core::ffi::c_void;
use ratelimit_core::{Clock, Limiter};

/// Given as now_ms, lets a call read the limiter's clock.
pub const RATELIMIT_NOW: u64 = u64::MAX;

/// Returns the time in milliseconds; one beyond 2^52 - 1 counts as that.
///
/// Called once by each call that is given RATELIMIT_NOW, on the thread that makes the call: so by several threads at
/// once if several use the limiter. No lock is held meanwhile. It must return: no exception, no longjmp, no exit of the
/// thread. `context` is config.clock_context.
pub type ratelimit_clock_fn = Option<unsafe extern "C" fn(context: *mut c_void) -> u64>;

/// A clock of the host: its function, and what the function is called with.
#[derive(Clone, Copy)]
struct HostClock {
    now_ms: unsafe extern "C" fn(*mut c_void) -> u64,
    context: *mut c_void,
}

// Safe because the header says that any thread may call the function with its context.
unsafe impl Send for HostClock {}
// Safe because the header says that several threads may do so at once.
unsafe impl Sync for HostClock {}

impl HostClock {
    fn read(&self) -> u64 {
        // Safe because the header asks for a function that takes this context for as long as the limiter lives.
        unsafe { (self.now_ms)(self.context) }
    }
}

/// Returns the host's clock, or the system's if the host gives none.
pub(crate) fn clock(now_ms: ratelimit_clock_fn, context: *mut c_void) -> Clock {
    match now_ms {
        Some(now_ms) => {
            let host = HostClock { now_ms, context };
            Clock::from_fn(move || host.read())
        }
        None => Clock::system(),
    }
}

/// Returns the time that a call is given; reads the limiter's clock if that is RATELIMIT_NOW.
#[inline]
pub(crate) fn time(limiter: &Limiter, now_ms: u64) -> u64 {
    if now_ms == RATELIMIT_NOW { limiter.clock().now_ms() } else { now_ms }
}
