//! The Python module `ratelimit._ratelimit`: the classes of the package `ratelimit`, over core's.
//!
//! It translates arguments, calls core once and translates the answer. It never lets go of the interpreter while core
//! works, so a process cannot fork in the middle of a call (but for the command, whose limiters nobody else sees). A
//! panic of core's becomes an exception.

mod arrays;
#[cfg(feature = "bench")]
mod bench;
mod clock;
mod command;
mod decision;
mod decisions;
mod failure;
mod fork;
mod key;
mod limiter;
mod number;
mod policy;

use pyo3::prelude::*;

#[pymodule(gil_used = false)]
mod _ratelimit {
    #[pymodule_export]
    use super::arrays::{DecisionArrays, address_of};
    #[cfg(feature = "bench")]
    #[pymodule_export]
    use super::bench::{empty, empty_bool};
    #[pymodule_export]
    use super::clock::ManualClock;
    #[pymodule_export]
    use super::command::command;
    #[pymodule_export]
    use super::decision::Decision;
    #[pymodule_export]
    use super::decisions::Decisions;
    #[pymodule_export]
    use super::fork::forked;
    #[pymodule_export]
    use super::limiter::Limiter;
    #[pymodule_export]
    use super::policy::Policy;

    #[pymodule_export]
    const DEFAULT_MAX_IDENTITIES: u64 = ratelimit_core::DEFAULT_MAX_IDENTITIES;
    #[pymodule_export]
    const NEVER: u64 = super::arrays::NEVER;
    #[pymodule_export]
    #[allow(non_upper_case_globals, reason = "Python spells it so")]
    const __version__: &str = env!("CARGO_PKG_VERSION");
}
