//! The limiter: core's, with keys and numbers as Python gives them.

use crate::arrays::{self, KeyArray};
use crate::clock::ManualClock;
use crate::decision::Decision;
use crate::decisions::Decisions;
use crate::failure::{self, OrRaise, wrong_type};
use crate::fork::Warner;
use crate::key::{self, GivenKey};
use crate::number::integer;
use crate::policy::{self, Policy};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};
use ratelimit_core::{Clock, Config, Field};

/// The limiter as core has it; `ratelimit.Limiter` adds what is best said in Python.
#[pyclass(frozen, subclass, weakref, module = "ratelimit._ratelimit")]
#[derive(Debug)]
pub(crate) struct Limiter {
    limiter: ratelimit_core::Limiter,
    warner: Warner,
}

/// A cost that may be left out, and is 1 then; `None` is no cost.
struct Cost<'a, 'py>(Option<Borrowed<'a, 'py, PyAny>>);

impl<'a, 'py> FromPyObject<'a, 'py> for Cost<'a, 'py> {
    type Error = PyErr;

    fn extract(given: Borrowed<'a, 'py, PyAny>) -> PyResult<Cost<'a, 'py>> {
        Ok(Cost(Some(given)))
    }
}

impl Cost<'_, '_> {
    /// Says whether the call has core's form without a cost, which cannot fail and so is quicker.
    #[inline]
    fn is_left_out(&self) -> bool {
        self.0.is_none()
    }

    #[inline]
    fn read(&self) -> PyResult<u64> {
        self.0.as_ref().map_or(Ok(1), |given| integer(given, Field::Cost))
    }
}

#[pymethods]
impl Limiter {
    #[new]
    #[pyo3(
        signature = (policies, /, *, max_identities = None, clock = None),
        text_signature = "(policies, /, *, max_identities=100000, clock=None)"
    )]
    fn new(
        py: Python<'_>,
        policies: &Bound<'_, PyAny>,
        max_identities: Option<&Bound<'_, PyAny>>,
        clock: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Limiter> {
        let clock = match clock {
            None => Clock::system(),
            Some(given) => given
                .cast::<ManualClock>()
                .map_err(|_| wrong_type("clock", given, "a ManualClock"))?
                .get()
                .0
                .clone()
                .into(),
        };
        let mut config = Config::with_clock(policy::stack(policies)?, clock);
        if let Some(given) = max_identities {
            config = config.max_identities(integer(given, Field::MaxIdentities)?);
        }
        let limiter = ratelimit_core::Limiter::from_config(config).or_raise(py)?;
        Ok(Limiter { limiter, warner: Warner::new() })
    }

    /// Decides now, and takes `cost` permits if allowed.
    ///
    /// `key` is a str (which is its UTF-8), bytes, a bytearray, a memoryview, or a tuple of these, a key of its own
    /// kind; any other is a TypeError. `cost` is an integer from 1 to 2**32 - 1: another number is a ValueError,
    /// another type a TypeError. What raised has touched nothing. A refusal is no error: the decision is false then.
    ///
    /// >>> limiter = Limiter("1/hour")
    /// >>> bool(limiter.check("ada")), bool(limiter.check("ada")), bool(limiter.check(("ada", b"POST")))
    /// (True, False, True)
    #[pyo3(signature = (key, cost = Cost(None)), text_signature = "($self, key, cost=1)")]
    fn check<'py>(&self, key: &Bound<'py, PyAny>, cost: Cost<'_, '_>) -> PyResult<Bound<'py, Decision>> {
        self.warner.look(key.py());
        key::with(key, |given| match cost.is_left_out() {
            true => Decision::object(key.py(), self.limiter.check(given)),
            false => Decision::object(key.py(), self.limiter.check_cost(given, cost.read()?).or_raise(key.py())?),
        })
    }

    /// Does what `check` does, at the caller's time `now_ms`: an integer of milliseconds, 0 to 2**52 - 1.
    ///
    /// Time never goes back for a key: an older one mints no permits. A time far in the future freezes keys until then;
    /// `clear` ends that. So give no time that came from outside.
    ///
    /// >>> Limiter("2/minute").check_at("ada", 15_000, cost=2).reset_after
    /// 45.0
    #[pyo3(signature = (key, now_ms, cost = Cost(None)), text_signature = "($self, key, now_ms, cost=1)")]
    fn check_at<'py>(
        &self,
        key: &Bound<'py, PyAny>,
        now_ms: &Bound<'_, PyAny>,
        cost: Cost<'_, '_>,
    ) -> PyResult<Bound<'py, Decision>> {
        self.warner.look(key.py());
        key::with(key, |given| {
            let now_ms = integer(now_ms, Field::NowMs)?;
            Decision::object(key.py(), self.limiter.check_at(given, now_ms, cost.read()?).or_raise(key.py())?)
        })
    }

    /// Does what `check` does, and says only whether it was allowed.
    ///
    /// >>> limiter = Limiter("1/hour")
    /// >>> limiter.allow("ada"), limiter.allow("ada")
    /// (True, False)
    #[pyo3(signature = (key, cost = Cost(None)), text_signature = "($self, key, cost=1)")]
    fn allow(&self, key: &Bound<'_, PyAny>, cost: Cost<'_, '_>) -> PyResult<bool> {
        self.warner.look(key.py());
        key::with(key, |given| match cost.is_left_out() {
            true => Ok(self.limiter.allow(given)),
            false => self.limiter.check_cost(given, cost.read()?).map(|made| made.is_allowed()).or_raise(key.py()),
        })
    }

    /// Checks each key in order at one reading of the clock, each on its own, repeats included.
    ///
    /// Takes anything that gives keys one by one, and returns their decisions in their order. Of a numpy array of dtype
    /// S or uint64 the keys are read where they lie, and the decisions are returned as arrays. A key or a cost that is
    /// wrong raises as in `check`, and then no key was touched.
    ///
    /// >>> limiter = Limiter("2/hour")
    /// >>> [decision.remaining for decision in limiter.check_many(["ada", "bob", "ada"])]
    /// [1, 1, 0]
    #[pyo3(signature = (keys, cost = Cost(None)), text_signature = "($self, keys, cost=1)")]
    fn check_many<'py>(&self, keys: &Bound<'py, PyAny>, cost: Cost<'_, '_>) -> PyResult<Bound<'py, PyAny>> {
        let py = keys.py();
        self.warner.look(py);
        if let Ok(list) = keys.cast::<PyList>() {
            return self.check_list(&list.to_tuple(), &cost);
        }
        if let Some(array) = arrays::as_array(keys)? {
            // First the cost: to read it can run what moves the array.
            let cost = cost.read()?;
            let array = KeyArray::read(&array)?;
            return Ok(Bound::new(py, arrays::check_many(&self.limiter, &array, cost)?)?.into_any());
        }
        if key::is_one(keys) {
            return Err(wrong_type("keys", keys, "a list of keys"));
        }
        let items = failure::items("keys", keys, "a list of keys")?;
        self.check_list(&PyTuple::new(py, items.collect::<PyResult<Vec<_>>>()?)?, &cost)
    }

    /// Returns what `check` would, and takes nothing.
    ///
    /// >>> limiter = Limiter("2/hour")
    /// >>> limiter.peek("ada").remaining, limiter.peek("ada").remaining, len(limiter)
    /// (1, 1, 0)
    #[pyo3(signature = (key, cost = Cost(None)), text_signature = "($self, key, cost=1)")]
    fn peek<'py>(&self, key: &Bound<'py, PyAny>, cost: Cost<'_, '_>) -> PyResult<Bound<'py, Decision>> {
        self.warner.look(key.py());
        key::with(key, |given| {
            Decision::object(key.py(), self.limiter.peek_cost(given, cost.read()?).or_raise(key.py())?)
        })
    }

    /// Does what `peek` does, at the caller's time `now_ms`.
    #[pyo3(signature = (key, now_ms, cost = Cost(None)), text_signature = "($self, key, now_ms, cost=1)")]
    fn peek_at<'py>(
        &self,
        key: &Bound<'py, PyAny>,
        now_ms: &Bound<'_, PyAny>,
        cost: Cost<'_, '_>,
    ) -> PyResult<Bound<'py, Decision>> {
        self.warner.look(key.py());
        key::with(key, |given| {
            let now_ms = integer(now_ms, Field::NowMs)?;
            Decision::object(key.py(), self.limiter.peek_at(given, now_ms, cost.read()?).or_raise(key.py())?)
        })
    }

    /// Returns the largest cost that `check` would allow now; 0 if none, also for a new key that finds no room.
    ///
    /// A snapshot: other threads may take permits before its answer is read. To take, `check`.
    ///
    /// >>> limiter = Limiter("5/hour")
    /// >>> bool(limiter.check("ada", 2)), limiter.remaining("ada")
    /// (True, 3)
    fn remaining(&self, key: &Bound<'_, PyAny>) -> PyResult<u32> {
        self.warner.look(key.py());
        key::with(key, |given| Ok(self.limiter.remaining(given)))
    }

    /// Does what `remaining` does, at the caller's time `now_ms`.
    fn remaining_at(&self, key: &Bound<'_, PyAny>, now_ms: &Bound<'_, PyAny>) -> PyResult<u32> {
        self.warner.look(key.py());
        key::with(key, |given| self.limiter.remaining_at(given, integer(now_ms, Field::NowMs)?).or_raise(key.py()))
    }

    /// Gives back what an allowed decision took, while its window, log entry or unrefilled level still holds it.
    ///
    /// Returns the permits given back: 0 for any other decision, or when time has given them back already. Nothing
    /// rises above its limit, however often a decision is refunded.
    ///
    /// >>> limiter = Limiter("2/hour")
    /// >>> decision = limiter.check("ada")
    /// >>> limiter.refund("ada", decision), limiter.remaining("ada")
    /// (1, 2)
    fn refund(&self, key: &Bound<'_, PyAny>, decision: &Bound<'_, PyAny>) -> PyResult<u32> {
        self.warner.look(key.py());
        key::with(key, |given| Ok(self.limiter.refund(given, &given_decision(decision)?)))
    }

    /// Does what `refund` does, at the caller's time `now_ms`.
    fn refund_at(
        &self,
        key: &Bound<'_, PyAny>,
        decision: &Bound<'_, PyAny>,
        now_ms: &Bound<'_, PyAny>,
    ) -> PyResult<u32> {
        self.warner.look(key.py());
        key::with(key, |given| {
            let decision = given_decision(decision)?;
            self.limiter.refund_at(given, &decision, integer(now_ms, Field::NowMs)?).or_raise(key.py())
        })
    }

    /// Forgets a key, and all it owes; says whether it had a row.
    ///
    /// >>> limiter = Limiter("1/hour")
    /// >>> limiter.allow("ada"), limiter.reset("ada"), limiter.allow("ada"), limiter.reset("bob")
    /// (True, True, True, False)
    fn reset(&self, key: &Bound<'_, PyAny>) -> PyResult<bool> {
        self.warner.look(key.py());
        key::with(key, |given| Ok(self.limiter.reset(given)))
    }

    /// Removes every row that owes nothing any more, and returns how many.
    ///
    /// Sweeps also fall due by themselves, and then go on in small slices with the calls that follow; rows that such a
    /// sweep was still to remove are not counted here.
    ///
    /// >>> clock = ManualClock()
    /// >>> limiter = Limiter("1/second", clock=clock)
    /// >>> limiter.allow("ada"), limiter.sweep()
    /// (True, 0)
    /// >>> clock.advance(1_000)
    /// >>> limiter.sweep()
    /// 1
    fn sweep(&self, py: Python<'_>) -> u64 {
        self.warner.look(py);
        self.limiter.sweep()
    }

    /// Does what `sweep` does, at the caller's time `now_ms`: no key is decided at an earlier time after it.
    fn sweep_at(&self, now_ms: &Bound<'_, PyAny>) -> PyResult<u64> {
        self.warner.look(now_ms.py());
        self.limiter.sweep_at(integer(now_ms, Field::NowMs)?).or_raise(now_ms.py())
    }

    /// Forgets every key and every time seen; the counts of `stats` stay.
    fn clear(&self, py: Python<'_>) {
        self.warner.look(py);
        self.limiter.clear();
    }

    /// The decisions counted since the limiter was made: allowed, denied, saturated, exceeds_limit.
    fn _counts(&self) -> (u64, u64, u64, u64) {
        let stats = self.limiter.stats();
        (stats.allowed, stats.denied, stats.saturated, stats.exceeds_limit)
    }

    /// The policies, in the order that a decision's `policy` counts them.
    #[getter]
    fn policies<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let policies = self.limiter.policies().iter().map(policy::wrap).collect::<Vec<Policy>>();
        PyTuple::new(py, policies)
    }

    /// How many keys may have a row; a new key beyond them is answered `"saturated"`.
    #[getter]
    fn max_identities(&self) -> u64 {
        self.limiter.max_identities()
    }

    fn __len__(&self) -> usize {
        usize::try_from(self.limiter.len()).unwrap_or(usize::MAX)
    }

    fn __bool__(&self) -> bool {
        true
    }

    fn __repr__(&self) -> String {
        let policies: Vec<String> = self.limiter.policies().iter().map(ToString::to_string).collect();
        format!("Limiter('{}', max_identities={})", policies.join("; "), self.limiter.max_identities())
    }
}

impl Limiter {
    /// Checks keys that nobody can change meanwhile.
    fn check_list<'py>(&self, keys: &Bound<'py, PyTuple>, cost: &Cost<'_, '_>) -> PyResult<Bound<'py, PyAny>> {
        let items: Vec<_> = keys.iter_borrowed().collect();
        // With room for all: one that is collected for as long as each is text would grow again and again.
        let mut texts = Vec::with_capacity(items.len());
        texts.extend(items.iter().map_while(|key| key::text(key)));
        let decisions = if texts.len() == items.len() {
            self.limiter.check_many(&texts, cost.read()?)
        } else {
            let given = items.iter().map(|key| GivenKey::read(key)).collect::<PyResult<Vec<_>>>()?;
            self.limiter.check_many(&given, cost.read()?)
        };
        Ok(Bound::new(keys.py(), Decisions(decisions.or_raise(keys.py())?))?.into_any())
    }
}

fn given_decision(given: &Bound<'_, PyAny>) -> PyResult<ratelimit_core::Decision> {
    let decision = given.cast::<Decision>().map_err(|_| wrong_type("decision", given, "a Decision"))?;
    Ok(decision.get().0)
}
