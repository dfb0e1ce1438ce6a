//! What the bench compares with: functions that take what a check takes, return what it returns, and decide nothing.

use crate::decision::Decision;
use pyo3::prelude::*;

/// Takes text and returns a decision.
#[pyfunction]
#[pyo3(name = "_empty")]
pub(crate) fn empty(key: &str) -> Decision {
    let mut made = ratelimit_core::Decision::default();
    made.at_ms = key.len() as u64;
    Decision(made)
}

/// Takes text and returns a bool.
#[pyfunction]
#[pyo3(name = "_empty_bool")]
pub(crate) fn empty_bool(key: &str) -> bool {
    !key.is_empty()
}
