//! Numbers as Python gives them: of any size, and of any type.

use crate::failure::raise;
use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyFloat};
use ratelimit_core::{Error, Field};
use std::time::Duration;

/// Reads an integer; core judges its range. A `bool` and a `float` are none, even where they equal one.
pub(crate) fn integer(given: &Bound<'_, PyAny>, field: Field) -> PyResult<u64> {
    read(given).map_err(|problem| problem.raise(given, field))
}

/// Reads a duration in whole milliseconds.
pub(crate) fn milliseconds(given: &Bound<'_, PyAny>, field: Field) -> PyResult<Duration> {
    read(given).map(Duration::from_millis).map_err(|problem| match nanoseconds(given) {
        Some(value_ns) => raise(given.py(), &Error::NotWholeMilliseconds { field, value_ns }),
        None => problem.raise(given, field),
    })
}

/// Reads a duration in whole seconds, of the argument `name`.
pub(crate) fn seconds(given: &Bound<'_, PyAny>, name: &str, field: Field) -> PyResult<Duration> {
    match read(given) {
        Ok(seconds) => Ok(Duration::from_secs(seconds)),
        Err(Problem::Range) => {
            let text = text(given);
            // In milliseconds, as the rule is; what Python does not write in digits stays as it is.
            let digits = text.bytes().all(|sign| sign.is_ascii_digit() || sign == b'-');
            let value = if digits { text + "000" } else { text };
            Err(raise(given.py(), &Error::out_of_range(field, value)))
        }
        Err(Problem::Type) => {
            let rule = "must be an integer; a part of a second is given in milliseconds";
            Err(PyTypeError::new_err(format!("{name} is {}, {rule}", text(given))))
        }
        Err(Problem::Raised(error)) => Err(error),
    }
}

/// Reads a number that only a decision has.
pub(crate) fn below<T: TryFrom<u64>>(given: &Bound<'_, PyAny>, name: &str, greatest: u64) -> PyResult<T> {
    let wrong = || format!("{name} is {}, must be an integer from 0 to {greatest}", text(given));
    match read(given) {
        Ok(number) if number <= greatest => T::try_from(number).map_err(|_| PyValueError::new_err(wrong())),
        Err(Problem::Type) => Err(PyTypeError::new_err(wrong())),
        Err(Problem::Raised(error)) => Err(error),
        _ => Err(PyValueError::new_err(wrong())),
    }
}

/// Says why something is no `u64`.
enum Problem {
    Range,
    Type,
    /// What its own `__index__` has raised.
    Raised(PyErr),
}

impl Problem {
    #[cold]
    fn raise(self, given: &Bound<'_, PyAny>, field: Field) -> PyErr {
        let error = match self {
            Problem::Raised(error) => return error,
            Problem::Range => Error::out_of_range(field, text(given)),
            Problem::Type => Error::not_an_integer(field, text(given)),
        };
        raise(given.py(), &error)
    }
}

fn read(given: &Bound<'_, PyAny>) -> Result<u64, Problem> {
    if given.is_instance_of::<PyBool>() {
        return Err(Problem::Type);
    }
    given.extract::<u64>().map_err(|error| {
        if error.is_instance_of::<PyOverflowError>(given.py()) {
            Problem::Range
        } else if error.is_instance_of::<PyTypeError>(given.py()) {
            Problem::Type
        } else {
            Problem::Raised(error)
        }
    })
}

/// Returns a float of milliseconds that are not whole, in nanoseconds.
fn nanoseconds(given: &Bound<'_, PyAny>) -> Option<u128> {
    let ms = given.cast::<PyFloat>().ok()?.extract::<f64>().ok()?;
    let whole = ms.is_finite() && ms.fract() == 0.0;
    // Far from the numbers that a duration can be, and of those each is held.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a cast of a float saturates")]
    (ms.is_finite() && ms > 0.0 && !whole).then(|| (ms * 1e6).round() as u128)
}

/// Writes a value as Python does; of one that Python does not write, the type.
fn text(given: &Bound<'_, PyAny>) -> String {
    match given.repr() {
        Ok(text) => text.to_string(),
        Err(_) => given.get_type().name().map_or_else(|_| "an object".to_owned(), |name| name.to_string()),
    }
}
