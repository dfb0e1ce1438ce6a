//! The command `ratelimit`, as `python -m ratelimit`.

use pyo3::prelude::*;
use std::ffi::OsString;

/// Runs the command with these arguments, the first of which is its own name, and returns the exit status.
///
/// It reads and writes the process's own streams, and lets other threads run meanwhile.
#[pyfunction]
#[pyo3(name = "_command")]
pub(crate) fn command(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    py.detach(|| ratelimit_cli::run(arguments))
}
