//! A clock that is moved by hand, for tests.

use crate::failure::OrRaise;
use crate::number;
use pyo3::prelude::*;
use ratelimit_core::Field;

/// Stands still until it is told to move: the clock for tests, given to a limiter as `clock`.
///
/// Times are integers of milliseconds, 0 to 2**52 - 1; any other value is a TypeError or a ValueError and moves
/// nothing. Several limiters may share one clock.
///
/// >>> import ratelimit
/// >>> clock = ratelimit.ManualClock()
/// >>> limiter = ratelimit.Limiter("1/second", clock=clock)
/// >>> limiter.allow("ada"), limiter.allow("ada")
/// (True, False)
/// >>> clock.advance(1_000)
/// >>> limiter.allow("ada")
/// True
#[pyclass(frozen, module = "ratelimit")]
#[derive(Debug)]
pub(crate) struct ManualClock(pub(crate) ratelimit_core::ManualClock);

#[pymethods]
impl ManualClock {
    #[new]
    #[pyo3(signature = (now_ms = None), text_signature = "(now_ms=0)")]
    fn new(py: Python<'_>, now_ms: Option<&Bound<'_, PyAny>>) -> PyResult<ManualClock> {
        let now_ms = now_ms.map_or(Ok(0), |now_ms| number::integer(now_ms, Field::NowMs))?;
        ratelimit_core::ManualClock::new(now_ms).map(ManualClock).or_raise(py)
    }

    /// Reads the time.
    #[getter]
    fn now_ms(&self) -> u64 {
        self.0.now_ms()
    }

    /// Sets the time, forwards or back.
    fn set(&self, now_ms: &Bound<'_, PyAny>) -> PyResult<()> {
        self.0.set(number::integer(now_ms, Field::NowMs)?).or_raise(now_ms.py())
    }

    /// Moves the time on by so many milliseconds.
    fn advance(&self, ms: &Bound<'_, PyAny>) -> PyResult<()> {
        self.0.advance(number::integer(ms, Field::Ms)?).or_raise(ms.py())
    }

    fn __repr__(&self) -> String {
        format!("ManualClock({})", self.0.now_ms())
    }
}
