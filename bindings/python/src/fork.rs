//! Tells a process that it is a fork.

use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::atomic::{AtomicU64, Ordering};

const MESSAGE: &str = "the process has forked since the limiter was made: parent and child count apart";

/// How many forks lie between this process and the one that loaded the module.
static FORKS: AtomicU64 = AtomicU64::new(0);

/// Counts a fork: Python calls it in each child.
#[pyfunction]
#[pyo3(name = "_forked")]
pub(crate) fn forked() {
    FORKS.fetch_add(1, Ordering::Relaxed);
}

/// Warns once in each child that uses a limiter which is older than it.
#[derive(Debug)]
pub(crate) struct Warner(AtomicU64);

impl Warner {
    pub(crate) fn new() -> Warner {
        Warner(AtomicU64::new(FORKS.load(Ordering::Relaxed)))
    }

    /// Looks whether there is something to tell before a call.
    #[inline]
    pub(crate) fn look(&self, py: Python<'_>) {
        let forks = FORKS.load(Ordering::Relaxed);
        if self.0.load(Ordering::Relaxed) != forks {
            self.tell(py, forks);
        }
    }

    #[cold]
    fn tell(&self, py: Python<'_>, forks: u64) {
        // Of several threads that see it, one tells.
        if self.0.swap(forks, Ordering::Relaxed) == forks {
            return;
        }
        if let Err(failed) = log(py) {
            failed.write_unraisable(py, None);
        }
    }
}

fn log(py: Python<'_>) -> PyResult<()> {
    // At the end of an interpreter there may be none any more; whatever else fails is to be seen.
    let Ok(logging) = py.import("logging") else {
        return Ok(());
    };
    let logger = logging.call_method1("getLogger", ("ratelimit",))?;
    let options = PyDict::new(py);
    let extra = PyDict::new(py);
    extra.set_item("ratelimit_warning", "forked")?;
    options.set_item("extra", extra)?;
    logger.call_method("warning", (MESSAGE,), Some(&options)).map(drop)
}
