//! Decides rate limits: fixed window, token bucket and exact sliding window, one or a stack, over a table of identities
//! with an exact cap.
//!
//! ```
//! use ratelimit_core::{Limiter, Policy};
//! use std::time::Duration;
//!
//! let limiter = Limiter::new(Policy::fixed_window(100, Duration::from_secs(60)))?;
//! let decision = limiter.check("203.0.113.7");
//! assert!(decision.is_allowed());
//! assert_eq!(decision.remaining, 99);
//! # Ok::<(), ratelimit_core::Error>(())
//! ```
//!
//! A refusal is a value, a [`Decision`] of another [`Kind`]; an [`Error`] is only for what cannot be asked. All
//! arithmetic is on integers and nothing is rounded in favour of either side: for every denied decision, the same call
//! one millisecond before `retry_after_ms` is denied and at it is allowed, if nobody else takes permits.
//!
//! # Features
//!
//! - `std` (default): locks, the system clock, a hash seed from the operating system. Without it the crate needs only
//!   `alloc`: a limiter belongs to one thread, reads the clock it is given
//!   ([`Config::with_clock`]), and takes the seed of its hash from `seed_hash`.
//! - `serde`: `Serialize` and `Deserialize` for [`Policy`], [`Decision`], [`Kind`] and [`Stats`].

#![cfg_attr(not(feature = "std"), no_std)]
#![forbid(unsafe_code)]

extern crate alloc;

mod algorithm;
mod clock;
mod config;
mod decimal;
mod decision;
mod error;
mod hash;
pub mod http;
mod key;
mod limiter;
mod policy;
mod sync;
mod table;

pub use clock::{Clock, ManualClock};
pub use config::{Config, DEFAULT_MAX_IDENTITIES};
pub use decision::{Decision, Kind};
pub use error::{Error, Field};
#[cfg(not(feature = "std"))]
pub use hash::seed_hash;
pub use key::{AsKey, Key, KeyRef};
pub use limiter::{Limiter, Stats};
pub use policy::Policy;
