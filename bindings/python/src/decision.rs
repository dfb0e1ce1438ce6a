//! What a limiter answers.

use crate::failure::wrong_type;
use crate::number::below;
use pyo3::exceptions::PyValueError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyTuple};
use ratelimit_core::Kind;

const KINDS: [Kind; 4] = [Kind::Allowed, Kind::Denied, Kind::Saturated, Kind::ExceedsLimit];
/// The greatest index of a policy.
const LAST_POLICY: u64 = 3;

/// Tells whether a call was allowed, what is left, and when to come back. True if and only if it was allowed.
///
/// Frozen, comparable, hashable and picklable. Waits are counted from the call's own time. A refusal is a value, not
/// an exception, and takes nothing. Limiters make decisions; one made by hand, by keywords, is for tests.
///
/// >>> import ratelimit
/// >>> limiter = ratelimit.Limiter("1/minute")
/// >>> decision = limiter.check_at("ada", 15_000)
/// >>> bool(decision), decision.remaining
/// (True, 0)
/// >>> match limiter.check_at("ada", 15_001):
/// ...     case ratelimit.Decision(kind="denied", retry_after=seconds):
/// ...         print(f"come back in {seconds} s")
/// come back in 44.999 s
#[pyclass(frozen, eq, hash, module = "ratelimit")]
#[derive(Debug, PartialEq, Eq, Hash)]
pub(crate) struct Decision(pub(crate) ratelimit_core::Decision);

#[pymethods]
impl Decision {
    #[classattr]
    fn __match_args__() -> (&'static str, &'static str, &'static str, &'static str) {
        ("kind", "remaining", "retry_after", "reset_after")
    }

    #[new]
    #[pyo3(signature = (*, kind, policy, limit, remaining, cost, reset_after_ms, retry_after_ms, at_ms))]
    #[allow(clippy::too_many_arguments, reason = "a decision has so many fields, and each is named")]
    fn new(
        kind: &Bound<'_, PyAny>,
        policy: &Bound<'_, PyAny>,
        limit: &Bound<'_, PyAny>,
        remaining: &Bound<'_, PyAny>,
        cost: &Bound<'_, PyAny>,
        reset_after_ms: &Bound<'_, PyAny>,
        retry_after_ms: Option<&Bound<'_, PyAny>>,
        at_ms: &Bound<'_, PyAny>,
    ) -> PyResult<Decision> {
        let number = |given, name| below::<u32>(given, name, u32::MAX.into());
        let ms = |given, name| below::<u64>(given, name, u64::MAX);
        let mut made = ratelimit_core::Decision::default();
        made.kind = read_kind(kind)?;
        made.policy = below(policy, "policy", LAST_POLICY)?;
        made.limit = number(limit, "limit")?;
        made.remaining = number(remaining, "remaining")?;
        made.cost = number(cost, "cost")?;
        made.reset_after_ms = ms(reset_after_ms, "reset_after_ms")?;
        made.retry_after_ms = retry_after_ms.map(|given| ms(given, "retry_after_ms")).transpose()?;
        made.at_ms = ms(at_ms, "at_ms")?;
        Ok(Decision(made))
    }

    /// Which of the four answers this is: `"allowed"`, `"denied"`, `"saturated"` or `"exceeds_limit"`.
    #[getter]
    fn kind<'py>(&self, py: Python<'py>) -> &Bound<'py, PyString> {
        kind_word(py, self.0.kind)
    }

    /// Whether the permits were taken (or, for a peek, could be).
    #[getter]
    fn allowed(&self) -> bool {
        self.0.is_allowed()
    }

    /// Index of the policy that the decision speaks of; 0 when saturated, the first that is exceeded when
    /// exceeds_limit.
    #[getter]
    fn policy(&self) -> u8 {
        self.0.policy
    }

    /// The limit or capacity of that policy.
    #[getter]
    fn limit(&self) -> u32 {
        self.0.limit
    }

    /// Permits that could still be taken at once, the smallest over the policies.
    ///
    /// 0 when saturated or exceeds_limit.
    #[getter]
    fn remaining(&self) -> u32 {
        self.0.remaining
    }

    /// The permits that were asked for.
    #[getter]
    fn cost(&self) -> u32 {
        self.0.cost
    }

    /// Seconds until `remaining` next goes up: `reset_after_ms / 1000`.
    #[getter]
    fn reset_after(&self) -> f64 {
        seconds(self.0.reset_after_ms)
    }

    /// Seconds after which the same call succeeds if nobody else takes permits: `retry_after_ms / 1000`, or None.
    #[getter]
    fn retry_after(&self) -> Option<f64> {
        self.0.retry_after_ms.map(seconds)
    }

    /// Milliseconds until `remaining` next goes up; 0 if it is full.
    ///
    /// Saturated: as retry_after_ms. Exceeds_limit: 0.
    #[getter]
    fn reset_after_ms(&self) -> u64 {
        self.0.reset_after_ms
    }

    /// The least wait in milliseconds after which the same call succeeds if nobody else takes permits.
    ///
    /// 0 when allowed, the time until the next sweep when saturated, None when exceeds_limit: waiting never helps then.
    #[getter]
    fn retry_after_ms(&self) -> Option<u64> {
        self.0.retry_after_ms
    }

    /// The time that was used, in milliseconds: the greatest of the call's, that of the key's last allowed call and
    /// that of the last sweep. Saturated and exceeds_limit: the call's.
    #[getter]
    fn at_ms(&self) -> u64 {
        self.0.at_ms
    }

    fn __bool__(&self) -> bool {
        self.0.is_allowed()
    }

    fn __repr__(&self) -> String {
        let made = &self.0;
        let retry_after_ms = made.retry_after_ms.map_or_else(|| "None".to_owned(), |ms| ms.to_string());
        format!(
            "Decision(kind='{}', policy={}, limit={}, remaining={}, cost={}, reset_after_ms={}, \
             retry_after_ms={retry_after_ms}, at_ms={})",
            made.kind, made.policy, made.limit, made.remaining, made.cost, made.reset_after_ms, made.at_ms
        )
    }

    fn __getnewargs_ex__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyTuple>, Bound<'py, PyDict>)> {
        let fields = PyDict::new(py);
        fields.set_item("kind", self.kind(py))?;
        fields.set_item("policy", self.0.policy)?;
        fields.set_item("limit", self.0.limit)?;
        fields.set_item("remaining", self.0.remaining)?;
        fields.set_item("cost", self.0.cost)?;
        fields.set_item("reset_after_ms", self.0.reset_after_ms)?;
        fields.set_item("retry_after_ms", self.0.retry_after_ms)?;
        fields.set_item("at_ms", self.0.at_ms)?;
        Ok((PyTuple::empty(py), fields))
    }
}

impl Decision {
    /// Makes the object of a decision at once. One that is moved first, into a result, is moved as soon as it is made,
    /// and the processor would wait until it is written.
    #[inline]
    pub(crate) fn object(py: Python<'_>, made: ratelimit_core::Decision) -> PyResult<Bound<'_, Decision>> {
        Bound::new(py, Decision(made))
    }
}

/// Below 2^53, so that no millisecond is lost.
#[allow(clippy::cast_precision_loss, reason = "below 2^53")]
fn seconds(ms: u64) -> f64 {
    ms as f64 / 1000.0
}

fn kind_word(py: Python<'_>, kind: Kind) -> &Bound<'_, PyString> {
    match kind {
        Kind::Allowed => intern!(py, "allowed"),
        Kind::Denied => intern!(py, "denied"),
        Kind::Saturated => intern!(py, "saturated"),
        Kind::ExceedsLimit => intern!(py, "exceeds_limit"),
    }
}

fn read_kind(given: &Bound<'_, PyAny>) -> PyResult<Kind> {
    let words = KINDS.map(Kind::as_str).join(", ");
    let text = given.cast::<PyString>().map_err(|_| wrong_type("kind", given, "str"))?;
    let kind = KINDS.into_iter().find(|kind| text == kind.as_str());
    kind.ok_or_else(|| PyValueError::new_err(format!("kind is '{text}', must be one of {words}")))
}
