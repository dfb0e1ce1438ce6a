//! The decisions of a batch: kept as core makes them, and made into objects when they are read.

use crate::decision::Decision;
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::{PyIterator, PyList, PyType};

/// The decisions that check_many makes of keys, in the order of the keys.
///
/// Indexed, sliced, iterated and compared as a list of them; frozen. Each becomes an object when it is read, so that
/// those nobody reads cost little. Pickled, it becomes a list.
///
/// >>> decisions = Limiter("2/hour").check_many(["ada", "bob", "ada"])
/// >>> len(decisions), decisions[-1].remaining, [bool(decision) for decision in decisions]
/// (3, 0, [True, True, True])
#[pyclass(frozen, sequence, module = "ratelimit")]
#[derive(Debug)]
pub(crate) struct Decisions(pub(crate) Vec<ratelimit_core::Decision>);

#[pymethods]
impl Decisions {
    fn __len__(&self) -> usize {
        self.0.len()
    }

    fn __getitem__<'py>(&self, index: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let Ok(at) = index.extract::<isize>() else {
            return self.list(index.py())?.as_any().get_item(index);
        };
        let from_end = if at < 0 { self.0.len() } else { 0 };
        let made = from_end.checked_add_signed(at).and_then(|at| self.0.get(at));
        let made = made.ok_or_else(|| PyIndexError::new_err(format!("{at} is beyond {} decisions", self.0.len())))?;
        Ok(Decision::object(index.py(), *made)?.into_any())
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        self.list(py)?.try_iter()
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> PyResult<bool> {
        match other.cast::<Decisions>() {
            Ok(other) => Ok(self.0 == other.get().0),
            Err(_) => self.list(other.py())?.eq(other),
        }
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("Decisions({})", self.list(py)?.repr()?))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyType>, (Bound<'py, PyList>,))> {
        Ok((py.get_type::<PyList>(), (self.list(py)?,)))
    }
}

impl Decisions {
    fn list<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        PyList::new(py, self.0.iter().copied().map(Decision))
    }
}
