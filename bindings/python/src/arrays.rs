//! Many keys and decisions at once, as numpy arrays: read where they lie, and handed out without a copy.

use crate::failure::OrRaise;
use numpy::{IntoPyArray, PyArray1, PyArrayMethods, PyReadonlyArray1};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use ratelimit_core::{KeyRef, Limiter};

/// In arrays, says that waiting never helps.
pub(crate) const NEVER: u64 = u64::MAX;

const RULE: &str = "must be of one dimension and of dtype S or uint64";

/// The decisions that check_many makes of an array of keys: one array for each field, in the order of the keys.
#[pyclass(frozen, get_all, module = "ratelimit")]
#[derive(Debug)]
pub(crate) struct DecisionArrays {
    /// Whether the permits were taken; of dtype bool.
    allowed: Py<PyArray1<bool>>,
    /// Which of the four answers each is, as an index into `KINDS`; of dtype uint8.
    kind: Py<PyArray1<u8>>,
    /// Index of the policy that each speaks of; of dtype uint8.
    policy: Py<PyArray1<u8>>,
    /// The limit or capacity of that policy; of dtype uint32.
    limit: Py<PyArray1<u32>>,
    /// Permits that could still be taken at once; of dtype uint32.
    remaining: Py<PyArray1<u32>>,
    /// Milliseconds until `remaining` next goes up; of dtype uint64.
    reset_after_ms: Py<PyArray1<u64>>,
    /// The least wait in ms after which the same call succeeds, `NEVER` where none does; of dtype uint64.
    retry_after_ms: Py<PyArray1<u64>>,
    /// The time that was used, in milliseconds; of dtype uint64.
    at_ms: Py<PyArray1<u64>>,
    /// The permits that were asked for, of each key alike.
    cost: u64,
}

#[pymethods]
impl DecisionArrays {
    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        self.allowed.bind(py).len()
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("<DecisionArrays of {} decisions>", self.__len__(py)?))
    }
}

/// Keys of one length that lie one after the other.
pub(crate) struct KeyArray<'py> {
    bytes: PyReadonlyArray1<'py, u8>,
    /// Bytes of each key; at least 1.
    length: usize,
    /// Whether trailing zeros are not part of a key, as numpy sees those of dtype S.
    padded: bool,
}

impl<'py> KeyArray<'py> {
    /// Reads the keys of an array. Nothing of the caller's may run while this lives: it could move them.
    pub(crate) fn read(array: &Array<'py>) -> PyResult<KeyArray<'py>> {
        let Array { numpy, array } = array;
        let dtype = array.getattr("dtype")?;
        let (kind, length) =
            (dtype.getattr("kind")?.extract::<char>()?, dtype.getattr("itemsize")?.extract::<usize>()?);
        let padded = match (kind, length) {
            ('S', 1..) => true,
            ('u', 8) => false,
            _ => return Err(PyTypeError::new_err(format!("keys is an array of dtype {dtype}, {RULE}"))),
        };
        if array.getattr("ndim")?.extract::<usize>()? != 1 {
            return Err(PyValueError::new_err(format!(
                "keys is an array of shape {}, {RULE}",
                array.getattr("shape")?
            )));
        }
        // Neither copies what lies in one piece and in the order of bytes that a key has.
        let ordered = if padded { array.clone() } else { in_order(array)? };
        let whole = numpy.call_method1("ascontiguousarray", (ordered,))?;
        let bytes = whole.call_method1("view", ("u1",))?.cast_into::<PyArray1<u8>>()?;
        Ok(KeyArray { bytes: bytes.try_readonly()?, length, padded })
    }

    fn keys(&self) -> PyResult<impl Iterator<Item = KeyRef<'_>>> {
        let bytes = self.bytes.as_slice().map_err(|_| PyValueError::new_err(format!("keys {RULE}")))?;
        Ok(bytes.chunks_exact(self.length).map(|key| KeyRef::plain(if self.padded { unpadded(key) } else { key })))
    }
}

fn unpadded(key: &[u8]) -> &[u8] {
    let length = key.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
    &key[..length]
}

/// An array of numpy's own class, and numpy.
pub(crate) struct Array<'py> {
    numpy: Bound<'py, PyAny>,
    array: Bound<'py, PyAny>,
}

/// Returns a numpy array as one of numpy's own class, whatever a class of the caller's says of it; none if it is
/// something else. Without numpy, or while another thread still imports it, there are no arrays.
pub(crate) fn as_array<'py>(given: &Bound<'py, PyAny>) -> PyResult<Option<Array<'py>>> {
    let py = given.py();
    let modules = py.import(intern!(py, "sys"))?.getattr(intern!(py, "modules"))?.cast_into::<PyDict>()?;
    let Some(numpy) = modules.get_item(intern!(py, "numpy"))?.filter(|numpy| !numpy.is_none()) else {
        return Ok(None);
    };
    let array = match numpy.getattr_opt(intern!(py, "ndarray"))? {
        Some(class) if given.is_exact_instance(&class) => given.clone(),
        Some(class) if given.is_instance(&class)? => numpy.call_method1("asarray", (given,))?,
        _ => return Ok(None),
    };
    Ok(Some(Array { numpy, array }))
}

/// Returns the numbers with their least byte first.
fn in_order<'py>(given: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let options = PyDict::new(given.py());
    options.set_item("copy", false)?;
    given.call_method("astype", ("<u8",), Some(&options))
}

/// Checks each key of an array.
pub(crate) fn check_many(limiter: &Limiter, array: &KeyArray<'_>, cost: u64) -> PyResult<DecisionArrays> {
    let py = array.bytes.py();
    let keys: Vec<KeyRef<'_>> = array.keys()?.collect();
    let made = limiter.check_many(&keys, cost).or_raise(py)?;
    macro_rules! column {
        ($value:expr) => {
            made.iter().map($value).collect::<Vec<_>>().into_pyarray(py).unbind()
        };
    }
    Ok(DecisionArrays {
        allowed: column!(|one| one.is_allowed()),
        kind: column!(|one| one.kind as u8),
        policy: column!(|one| one.policy),
        limit: column!(|one| one.limit),
        remaining: column!(|one| one.remaining),
        reset_after_ms: column!(|one| one.reset_after_ms),
        retry_after_ms: column!(|one| one.retry_after_ms.unwrap_or(NEVER)),
        at_ms: column!(|one| one.at_ms),
        cost,
    })
}

/// Returns where check_many reads the keys of an array: the array's own address if nothing was copied.
#[pyfunction]
#[pyo3(name = "_address_of")]
pub(crate) fn address_of(keys: &Bound<'_, PyAny>) -> PyResult<Option<usize>> {
    let Some(array) = as_array(keys)? else {
        return Ok(None);
    };
    let array = KeyArray::read(&array)?;
    let first = array.keys()?.next();
    Ok(first.map(|key| key.bytes().as_ptr().addr()))
}
