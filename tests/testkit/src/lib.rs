//! Loads the vectors and random worlds, and drives a subject through them.
//!
//! The contract of a limiter is a folder of files: limiters, calls, times, and what must come out. A [`Subject`] is
//! anything that can make such a limiter: an implementation, a binding, a backend. The testkit speaks in plain types
//! of its own and knows no limiter, so all are held to the same cases in the same ways:
//!
//! - [`Vectors::load`] and [`Vectors::drive`] run the committed files in every [`Way`];
//! - [`Worlds::stream`] starts the generator of random worlds and hands them over one by one.
//!
//! A [`Report`] says how much ran, names what was left out, and holds every failure as text.

mod case;
mod decision;
mod drive;
pub mod http;
mod key;
mod report;
mod step;
mod subject;
mod vectors;
mod way;
mod worlds;

pub use case::{Case, Config, Parsed, Policy, Text, World};
pub use decision::{Decision, Failure, Kind, Stats};
pub use drive::{drive_config, drive_text, drive_world};
pub use key::Key;
pub use report::Report;
pub use step::{Call, Given, Step};
pub use subject::{Limiter, Subject};
pub use vectors::{VectorFile, Vectors};
pub use way::Way;
pub use worlds::{Summary, Worlds};
