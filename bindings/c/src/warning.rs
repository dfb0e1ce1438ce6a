//! What the library tells unasked.

use core::ffi::{CStr, c_char, c_void};
use core::sync::atomic::{AtomicU64, Ordering};

/// Says what a warning is about.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ratelimit_warning {
    /// The process has forked since the limiter was made: parent and child count apart, so that a key can take its
    /// limit in each. Told once in each child that uses the limiter, by the first call that does.
    RATELIMIT_WARNING_FORKED = 1,
}

/// Receives a warning: a ratelimit_warning, and the same in English. `message` ends in a NUL and is valid until the
/// function returns. `context` is config.warning_context.
///
/// Called on the thread that makes the call which is warned of, and before that call does anything; no lock is held. It
/// may use the limiter, not free it. It must return: no exception, no longjmp, no exit of the thread.
pub type ratelimit_warning_fn =
    Option<unsafe extern "C" fn(context: *mut c_void, warning: i32, message: *const c_char)>;

const FORKED: &CStr = c"the process has forked since the limiter was made: parent and child count apart";

/// How many forks lie between this process and the one that loaded the library.
static FORKS: AtomicU64 = AtomicU64::new(0);

/// Tells the host of what it should know, if it wants to.
pub(crate) struct Warner {
    warn: ratelimit_warning_fn,
    context: *mut c_void,
    /// The forks that were counted when the limiter was made, or warned of.
    forks: AtomicU64,
}

// Safe because the header says that any thread may call the function with its context.
unsafe impl Send for Warner {}
// Safe because the header says that several threads may do so at once.
unsafe impl Sync for Warner {}

impl Warner {
    pub(crate) fn new(warn: ratelimit_warning_fn, context: *mut c_void) -> Warner {
        if warn.is_some() {
            fork::count();
        }
        Warner { warn, context, forks: AtomicU64::new(FORKS.load(Ordering::Relaxed)) }
    }

    /// Looks whether there is something to tell before a call.
    #[inline]
    pub(crate) fn look(&self) {
        let forks = FORKS.load(Ordering::Relaxed);
        if self.forks.load(Ordering::Relaxed) != forks {
            self.tell(forks);
        }
    }

    #[cold]
    fn tell(&self, forks: u64) {
        // Of several threads that see it, one tells.
        if self.forks.swap(forks, Ordering::Relaxed) == forks {
            return;
        }
        if let Some(warn) = self.warn {
            // Safe because the header asks for a function that takes this context for as long as the limiter lives.
            unsafe { warn(self.context, ratelimit_warning::RATELIMIT_WARNING_FORKED as i32, FORKED.as_ptr()) }
        }
    }
}

#[cfg(unix)]
mod fork {
    use super::{FORKS, Ordering};
    use std::sync::Once;

    /// Counts this process's forks from now on, in each child.
    pub(super) fn count() {
        static ONCE: Once = Once::new();
        extern "C" fn in_child() {
            FORKS.fetch_add(1, Ordering::Relaxed);
        }
        ONCE.call_once(|| {
            // Safe because the handler only adds to a number, which a child of any process may do.
            let failed = unsafe { libc::pthread_atfork(None, None, Some(in_child)) };
            assert!(failed == 0, "no memory to hear of forks");
        });
    }
}

#[cfg(not(unix))]
mod fork {
    /// Does nothing: here a process cannot fork.
    pub(super) fn count() {}
}
