//! What can go wrong on the way in, as a status and a message.

use crate::error;
use crate::status::ratelimit_status;
use ratelimit_core::Error;
use std::any::Any;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Says why a call did nothing. Fields are named as the header names them.
#[derive(Debug)]
pub(crate) enum Failure {
    Core(Error),
    Null { field: &'static str },
    Unknown { field: &'static str, value: i64, known: &'static str },
    Size { field: &'static str, of: &'static str, size: usize, known: usize },
    TooLong { field: &'static str, length: usize },
    BufferTooSmall { capacity: usize, length: usize },
    Freed,
    NotALimiter,
    Panicked { says: String },
}

impl Failure {
    pub(crate) fn status(&self) -> ratelimit_status {
        use ratelimit_status::*;
        match self {
            Failure::Core(Error::OutOfRange { .. }) => RATELIMIT_OUT_OF_RANGE,
            Failure::Core(Error::NotWholeMilliseconds { .. }) => RATELIMIT_NOT_WHOLE_MILLISECONDS,
            Failure::Core(Error::BucketTooLarge { .. }) => RATELIMIT_BUCKET_TOO_LARGE,
            Failure::Core(Error::SlidingLogTooLong { .. }) => RATELIMIT_SLIDING_LOG_TOO_LONG,
            Failure::Core(Error::PolicyCount { .. }) => RATELIMIT_POLICY_COUNT,
            Failure::Core(Error::PolicySyntax { .. }) => RATELIMIT_POLICY_SYNTAX,
            Failure::Core(Error::NotAnInteger { .. }) => RATELIMIT_NOT_AN_INTEGER,
            Failure::Core(Error::Malformed { .. }) => RATELIMIT_MALFORMED,
            Failure::Null { .. } => RATELIMIT_NULL_POINTER,
            Failure::Unknown { .. } => RATELIMIT_UNKNOWN_VALUE,
            Failure::Size { .. } => RATELIMIT_CONFIG_SIZE,
            Failure::TooLong { .. } => RATELIMIT_TOO_LONG,
            Failure::BufferTooSmall { .. } => RATELIMIT_BUFFER_TOO_SMALL,
            Failure::Freed => RATELIMIT_FREED,
            Failure::NotALimiter => RATELIMIT_NOT_A_LIMITER,
            Failure::Panicked { .. } => RATELIMIT_PANICKED,
        }
    }

    pub(crate) fn field(&self) -> &'static str {
        match self {
            Failure::Core(error) => error.field().name(),
            Failure::Null { field }
            | Failure::Unknown { field, .. }
            | Failure::TooLong { field, .. }
            | Failure::Size { field, .. } => field,
            Failure::BufferTooSmall { .. } => "capacity",
            Failure::Freed | Failure::NotALimiter => "limiter",
            Failure::Panicked { .. } => "",
        }
    }

    pub(crate) fn offset(&self) -> Option<usize> {
        match self {
            Failure::Core(error) => error.offset(),
            _ => None,
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Core(error) => write!(f, "{error}"),
            Failure::Null { field } => write!(f, "{field} is NULL"),
            Failure::Unknown { field, value, known } => write!(f, "{field} is {value}, must be {known}"),
            Failure::Size { field, of, size, known } => {
                write!(f, "{field} is {size}, must be {known}, the size of a {of}")
            }
            Failure::TooLong { field, length } => {
                write!(f, "{field} is {length}, which is more than any memory holds")
            }
            Failure::BufferTooSmall { capacity, length } => {
                write!(f, "capacity is {capacity}, must be at least {length}")
            }
            Failure::Freed => f.write_str("limiter was freed before"),
            Failure::NotALimiter => f.write_str("limiter is not a pointer that ratelimit_new returned"),
            Failure::Panicked { says } => write!(f, "the library has a bug: {says}"),
        }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        Failure::Core(error)
    }
}

/// Runs a call at the border: a failure is remembered for this thread, a panic is stopped and becomes one.
#[inline(always)]
pub(crate) fn guarded(call: impl FnOnce() -> Result<(), Failure>) -> ratelimit_status {
    // What a panic leaves half-done is core's own, and core's locks do not know of it: the limiter goes on.
    match catch_unwind(AssertUnwindSafe(call)) {
        Ok(Ok(())) => ratelimit_status::RATELIMIT_OK,
        Ok(Err(failure)) => report(&failure),
        Err(payload) => report_panic(&*payload),
    }
}

#[cold]
fn report(failure: &Failure) -> ratelimit_status {
    error::remember(failure);
    failure.status()
}

#[cold]
fn report_panic(payload: &(dyn Any + Send)) -> ratelimit_status {
    let text = payload.downcast_ref::<&str>().copied().or(payload.downcast_ref::<String>().map(String::as_str));
    report(&Failure::Panicked { says: text.unwrap_or("it panicked").to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use ratelimit_core::{Field, Limiter, Policy};
    use std::time::Duration;

    #[test]
    fn an_error_of_core_has_its_number_here() {
        let made = |policy: Policy| Limiter::new(policy).unwrap_err();
        let second = Duration::from_secs(1);
        let errors = [
            made(Policy::fixed_window(1, Duration::ZERO)),
            made(Policy::fixed_window(1, Duration::from_nanos(1))),
            made(Policy::token_bucket(u32::MAX.into(), 1, Duration::from_secs(86_400))),
            made(Policy::sliding_window(1_000_000, 1000 * second)),
            "1/s;1/s;1/s;1/s;1/s".parse::<Limiter>().unwrap_err(),
            "1".parse::<Limiter>().unwrap_err(),
            Error::not_an_integer(Field::Cost, "1.5"),
            Error::malformed(Field::Names, "", "not empty"),
        ];
        for (error, code) in errors.into_iter().zip(1..) {
            assert_eq!((error.code(), Failure::Core(error).status() as i32), (code, code.into()));
        }
    }

    #[test]
    fn a_panic_of_any_payload_becomes_a_status() {
        let panics: [fn(); 3] = [|| panic!("text"), || panic!("{}", 1), || std::panic::panic_any(7)];
        for panic in panics {
            let call = || {
                panic();
                Ok(())
            };
            assert_eq!(guarded(call), ratelimit_status::RATELIMIT_PANICKED);
        }
    }
}
