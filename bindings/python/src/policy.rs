//! What a limiter allows.

use crate::failure::{self, OrRaise, wrong_type};
use crate::number;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use ratelimit_core::Field;
use std::time::Duration;

/// States how many permits a key may take, and when it gets new ones.
///
/// Made from text or by one of three functions. Plain data: whether its numbers are in their ranges is judged when a
/// limiter is made of it, and when it is pickled. Frozen, comparable, hashable. Several make a stack:
///
/// >>> from ratelimit import Limiter, Policy
/// >>> burst, day = Policy.token_bucket(10, refill_per_second=1), Policy("1000/day")
/// >>> Limiter([burst, day])
/// Limiter('bucket 10 + 1/second; fixed 1000/day', max_identities=100000)
#[pyclass(frozen, eq, hash, module = "ratelimit")]
#[derive(Debug, PartialEq, Eq, Hash)]
pub(crate) struct Policy(ratelimit_core::Policy);

#[pymethods]
impl Policy {
    #[new]
    #[pyo3(signature = (text, /))]
    fn new(text: &Bound<'_, PyAny>) -> PyResult<Policy> {
        let given = text.cast::<PyString>().map_err(|_| wrong_type("policy", text, "str"))?;
        given.to_string_lossy().parse().map(Policy).or_raise(text.py())
    }

    /// Allows `limit` permits in each window.
    ///
    /// Windows are aligned to the clock's zero, so up to twice the limit passes around the boundary of two.
    /// The window is given in whole seconds or in milliseconds, up to 366 days.
    #[staticmethod]
    #[pyo3(signature = (limit, *, per_seconds = None, window_ms = None))]
    fn fixed_window(
        limit: &Bound<'_, PyAny>,
        per_seconds: Option<&Bound<'_, PyAny>>,
        window_ms: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Policy> {
        let limit = number::integer(limit, Field::Limit)?;
        Ok(Policy(ratelimit_core::Policy::fixed_window(limit, window(per_seconds, window_ms)?)))
    }

    /// Allows `limit` permits in any span of the window, exactly; remembers each grant.
    ///
    /// The window is given in whole seconds or in milliseconds, up to 366 days. The smaller of `limit` and the window
    /// in milliseconds is at most 100,000.
    #[staticmethod]
    #[pyo3(signature = (limit, *, per_seconds = None, window_ms = None))]
    fn sliding_window(
        limit: &Bound<'_, PyAny>,
        per_seconds: Option<&Bound<'_, PyAny>>,
        window_ms: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Policy> {
        let limit = number::integer(limit, Field::Limit)?;
        Ok(Policy(ratelimit_core::Policy::sliding_window(limit, window(per_seconds, window_ms)?)))
    }

    /// Allows `capacity` permits at once, and then as many as flow back: `refill_per_second`, or `refill` every
    /// `refill_period_ms`, spread evenly.
    #[staticmethod]
    #[pyo3(signature = (capacity, *, refill_per_second = None, refill = None, refill_period_ms = None))]
    fn token_bucket(
        capacity: &Bound<'_, PyAny>,
        refill_per_second: Option<&Bound<'_, PyAny>>,
        refill: Option<&Bound<'_, PyAny>>,
        refill_period_ms: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Policy> {
        let capacity = number::integer(capacity, Field::Capacity)?;
        let (refill, period) = match (refill_per_second, refill, refill_period_ms) {
            (Some(refill), None, None) => (number::integer(refill, Field::Refill)?, Duration::from_secs(1)),
            (None, Some(refill), Some(period)) => {
                (number::integer(refill, Field::Refill)?, number::milliseconds(period, Field::RefillPeriodMs)?)
            }
            _ => return Err(PyTypeError::new_err("give refill_per_second, or refill and refill_period_ms")),
        };
        Ok(Policy(ratelimit_core::Policy::token_bucket(capacity, refill, period)))
    }

    /// How it counts: `"fixed_window"`, `"token_bucket"` or `"sliding_window"`.
    #[getter]
    fn algorithm(&self) -> &'static str {
        match self.0 {
            ratelimit_core::Policy::FixedWindow { .. } => "fixed_window",
            ratelimit_core::Policy::TokenBucket { .. } => "token_bucket",
            ratelimit_core::Policy::SlidingWindow { .. } => "sliding_window",
        }
    }

    /// Permits in a window, or that a bucket holds (its capacity).
    #[getter]
    fn limit(&self) -> u64 {
        match self.0 {
            ratelimit_core::Policy::TokenBucket { capacity: limit, .. }
            | ratelimit_core::Policy::FixedWindow { limit, .. }
            | ratelimit_core::Policy::SlidingWindow { limit, .. } => limit,
        }
    }

    /// Length in milliseconds of a window, or of a bucket's refill period.
    #[getter]
    fn window_ms(&self) -> u128 {
        match self.0 {
            ratelimit_core::Policy::TokenBucket { refill_period: window, .. }
            | ratelimit_core::Policy::FixedWindow { window, .. }
            | ratelimit_core::Policy::SlidingWindow { window, .. } => window.as_millis(),
        }
    }

    /// Permits that a bucket gains every window_ms; None for windows.
    #[getter]
    fn refill(&self) -> Option<u64> {
        match self.0 {
            ratelimit_core::Policy::TokenBucket { refill, .. } => Some(refill),
            _ => None,
        }
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("Policy('{}')", self.0)
    }

    fn __getnewargs__(&self, py: Python<'_>) -> PyResult<(String,)> {
        // Told here: the text of what no limiter is made of would be no policy where it is read again.
        self.0.validate().or_raise(py)?;
        Ok((self.0.to_string(),))
    }
}

fn window(per_seconds: Option<&Bound<'_, PyAny>>, window_ms: Option<&Bound<'_, PyAny>>) -> PyResult<Duration> {
    match (per_seconds, window_ms) {
        (Some(seconds), None) => number::seconds(seconds, "per_seconds", Field::WindowMs),
        (None, Some(ms)) => number::milliseconds(ms, Field::WindowMs),
        _ => Err(PyTypeError::new_err("give per_seconds or window_ms, not both")),
    }
}

/// Reads what a limiter is made of: text, a policy, or policies; the policies as core has them.
pub(crate) fn stack(given: &Bound<'_, PyAny>) -> PyResult<Vec<ratelimit_core::Policy>> {
    if let Ok(text) = given.cast::<PyString>() {
        return ratelimit_core::Policy::parse_stack(&text.to_string_lossy()).or_raise(given.py());
    }
    if let Ok(policy) = given.cast::<Policy>() {
        return Ok(vec![policy.get().0.clone()]);
    }
    let rule = "str, a Policy or a list of Policies";
    if given.is_instance_of::<PyBytes>() {
        return Err(wrong_type("policies", given, rule));
    }
    let mut policies = Vec::new();
    for item in failure::items("policies", given, rule)? {
        let item = item?;
        let policy = item.cast::<Policy>().map_err(|_| wrong_type("a policy", &item, "a Policy"))?;
        policies.push(policy.get().0.clone());
    }
    Ok(policies)
}

/// Hands a policy of core's out.
pub(crate) fn wrap(policy: &ratelimit_core::Policy) -> Policy {
    Policy(policy.clone())
}
