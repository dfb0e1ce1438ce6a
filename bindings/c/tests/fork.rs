//! A process that forks: its child counts apart, and is told so.

#![allow(unsafe_code, reason = "it calls as C does, and forks")]
#![cfg(unix)]

use ratelimit::ratelimit_status::RATELIMIT_OK;
use ratelimit::*;
use std::ffi::{CStr, c_char, c_void};
use std::ptr::{null, null_mut};
use std::sync::Mutex;

type Warnings = Mutex<Vec<(i32, String)>>;

unsafe extern "C" fn warn(context: *mut c_void, warning: i32, message: *const c_char) {
    // Safe because the limiters here are made with such a context, and the library's messages end in a NUL.
    let (warnings, message) = unsafe { (&*context.cast::<Warnings>(), CStr::from_ptr(message)) };
    let message = message.to_str().expect("the library writes UTF-8").to_owned();
    warnings.lock().expect("no test panics with it").push((warning, message));
}

fn limiter(warning: ratelimit_warning_fn, warnings: &Warnings) -> *mut ratelimit_limiter {
    let policy = ratelimit_policy { algorithm: 1, limit: 2, window_ms: 1000, refill: 0 };
    let config = ratelimit_config {
        size: size_of::<ratelimit_config>(),
        policies: &policy,
        policy_count: 1,
        max_identities: 10,
        clock: None,
        clock_context: null_mut(),
        warning,
        warning_context: (&raw const *warnings).cast_mut().cast(),
    };
    let mut limiter = null_mut();
    // Safe because each pointer is to what it says.
    assert_eq!(unsafe { ratelimit_new(&config, &mut limiter) }, RATELIMIT_OK);
    limiter
}

/// Checks once at time 0; says what is left.
fn check(limiter: *mut ratelimit_limiter) -> u32 {
    let key = ratelimit_key { bytes: null(), length: 0, kind: 0 };
    // Safe because any bytes make a decision.
    let mut decision: ratelimit_decision = unsafe { std::mem::zeroed() };
    // Safe because each pointer is to what it says.
    assert_eq!(unsafe { ratelimit_check(limiter, &key, 1, 0, &mut decision) }, RATELIMIT_OK);
    decision.remaining
}

/// Runs in a child; says whether it came to its end with this answer.
fn in_child(run: impl FnOnce() -> bool) -> bool {
    // Safe because the child runs what a program of one thread may, and ends without running what its parent left.
    unsafe {
        let child = libc::fork();
        assert_ne!(child, -1, "the system has no room for a child");
        if child == 0 {
            libc::_exit(if run() { 0 } else { 1 });
        }
        let mut status = -1;
        assert_eq!(libc::waitpid(child, &mut status, 0), child);
        status == 0
    }
}

/// All in one test: while a test forks, no other thread may be in a call.
#[test]
fn a_child_is_warned_once_of_each_limiter_that_is_older_than_it() {
    let warnings = Warnings::default();
    let warned = || warnings.lock().unwrap().len();
    let (old, silent) = (limiter(Some(warn), &warnings), limiter(None, &warnings));
    assert_eq!((check(old), check(silent), warned()), (1, 1, 0));
    let told = in_child(|| {
        let once = (check(old), warned()) == (0, 1) && (check(old), warned()) == (0, 1);
        let expected = "the process has forked since the limiter was made: parent and child count apart";
        let said = *warnings.lock().unwrap() == [(1, expected.to_owned())];
        let young = limiter(Some(warn), &warnings);
        let quiet = (check(young), check(silent), warned()) == (1, 0, 1);
        let again = in_child(|| (check(young), warned()) == (0, 2) && (check(old), warned()) == (0, 3));
        once && said && quiet && again
    });
    assert!(told);
    assert_eq!((check(old), warned()), (0, 0), "the parent is not told, and counts apart");
    // Safe because each is freed once.
    assert_eq!(unsafe { [ratelimit_free(old), ratelimit_free(silent)] }, [RATELIMIT_OK; 2]);
}
