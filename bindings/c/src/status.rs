//! What every call returns.

use core::ffi::{CStr, c_char};

/// Says how a call went. With any status but RATELIMIT_OK nothing was written to the caller's memory. A refusal is no
/// failure: it is a decision, and the status is RATELIMIT_OK.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ratelimit_status {
    /// The call did what it says.
    RATELIMIT_OK = 0,
    /// A number lies outside its range.
    RATELIMIT_OUT_OF_RANGE = 1,
    /// Not reported in C, where milliseconds are integers; the numbers below 100 are the same in every language.
    RATELIMIT_NOT_WHOLE_MILLISECONDS = 2,
    /// The limit of a token bucket times its window_ms is above 2^52.
    RATELIMIT_BUCKET_TOO_LARGE = 3,
    /// A sliding window could have to remember more than 100,000 grants for one key.
    RATELIMIT_SLIDING_LOG_TOO_LONG = 4,
    /// There is no policy, or there are more than RATELIMIT_MAX_POLICIES.
    RATELIMIT_POLICY_COUNT = 5,
    /// The text of a policy does not follow the grammar.
    RATELIMIT_POLICY_SYNTAX = 6,
    /// Not reported in C, where arguments are integers.
    RATELIMIT_NOT_AN_INTEGER = 7,
    /// A text, or one of a few values, is none that its field can have.
    RATELIMIT_MALFORMED = 8,
    /// A pointer is NULL that must not be.
    RATELIMIT_NULL_POINTER = 100,
    /// A number names nothing in its enum.
    RATELIMIT_UNKNOWN_VALUE = 101,
    /// The size of a ratelimit_config, or of another struct that says its own, is none that this library knows.
    RATELIMIT_CONFIG_SIZE = 102,
    /// A length or count is greater than any memory.
    RATELIMIT_TOO_LONG = 103,
    /// An answer does not fit the caller's buffer.
    RATELIMIT_BUFFER_TOO_SMALL = 104,
    /// The limiter was freed before.
    RATELIMIT_FREED = 105,
    /// The pointer is not one that ratelimit_new returned.
    RATELIMIT_NOT_A_LIMITER = 106,
    /// A bug in the library ended the call; the call may have taken its permits.
    RATELIMIT_PANICKED = 107,
}

/// Returns a status in a few words of English, also for a number that is no status. Never NULL; never free it.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn ratelimit_status_text(status: i32) -> *const c_char {
    text(status).as_ptr()
}

const fn text(status: i32) -> &'static CStr {
    match status {
        0 => c"ok",
        1 => c"a number is out of its range",
        2 => c"a duration is not a whole number of milliseconds",
        3 => c"a token bucket is too large",
        4 => c"a sliding window's log is too long",
        5 => c"too few or too many policies",
        6 => c"the text of a policy does not follow the grammar",
        7 => c"a value is not an integer",
        8 => c"a value is none that its field can have",
        100 => c"a pointer is NULL",
        101 => c"a number names nothing in its enum",
        102 => c"the size of a struct is unknown",
        103 => c"a length is greater than any memory",
        104 => c"the buffer is too small",
        105 => c"the limiter was freed before",
        106 => c"the pointer is not a limiter",
        107 => c"a bug in the library ended the call",
        _ => c"unknown status",
    }
}
