//! Real threads on one limiter: nothing is granted twice, no row is one too many, nothing is lost.
//!
//! Times are given by the tests, so that the numbers are exact whatever the threads' pace.
#![cfg(feature = "std")]

mod cap;
mod clears;
mod crowd;
mod grants;
mod sweeps;
