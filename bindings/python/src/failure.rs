//! Core's errors as Python exceptions.

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyIterator;
use ratelimit_core::Error;

/// Makes the exception for an error of core: its message, with `code`, `name`, `field` and `offset` as attributes.
///
/// A value of the wrong type is a `TypeError`, all else a `ValueError`.
pub(crate) fn raise(py: Python<'_>, error: &Error) -> PyErr {
    let message = error.to_string();
    let raised = match error {
        Error::NotAnInteger { .. } => PyTypeError::new_err(message),
        _ => PyValueError::new_err(message),
    };
    match tell(raised.value(py), error) {
        Ok(()) => raised,
        Err(failed) => failed,
    }
}

fn tell(raised: &Bound<'_, PyAny>, error: &Error) -> PyResult<()> {
    raised.setattr("code", error.code())?;
    raised.setattr("name", error.name())?;
    raised.setattr("field", error.field().name())?;
    raised.setattr("offset", error.offset())
}

/// Carries an answer of core over the border.
pub(crate) trait OrRaise<T> {
    /// Returns the answer, or the exception for the error.
    fn or_raise(self, py: Python<'_>) -> PyResult<T>;
}

impl<T> OrRaise<T> for Result<T, Error> {
    #[inline]
    fn or_raise(self, py: Python<'_>) -> PyResult<T> {
        self.map_err(|error| raise(py, &error))
    }
}

/// Makes the exception for an argument of the wrong type: `NAME is TYPE, must be RULE`.
pub(crate) fn wrong_type(name: &str, given: &Bound<'_, PyAny>, rule: &str) -> PyErr {
    match given.get_type().name() {
        Ok(kind) => PyTypeError::new_err(format!("{name} is {kind}, must be {rule}")),
        Err(failed) => failed,
    }
}

/// Goes through something item by item; what cannot be gone through is of the wrong type, and what it raises itself is
/// raised.
pub(crate) fn items<'py>(name: &str, given: &Bound<'py, PyAny>, rule: &str) -> PyResult<Bound<'py, PyIterator>> {
    given.try_iter().map_err(|error| match error.is_instance_of::<PyTypeError>(given.py()) {
        true => wrong_type(name, given, rule),
        false => error,
    })
}
