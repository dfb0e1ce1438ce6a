//! Carries calls from JavaScript to core, whatever lies between: the native addon and the wasm module both wrap this.
//!
//! JavaScript holds a limiter as a number, writes a call's numbers into [`Slots`], names a [`Verb`] and hands over at
//! most one run of bytes; the addon takes a batch's keys one by one. The answer stands in the slots. So a call crosses
//! the border with next to nothing to convert.

#![cfg_attr(not(feature = "std"), no_std)]
#![forbid(unsafe_code)]

extern crate alloc;

/// The wasm module's allocator; here, for this crate is built for size and that one for speed.
#[cfg(all(target_arch = "wasm32", not(feature = "std")))]
#[global_allocator]
static ALLOCATOR: talc::wasm::WasmDynamicTalc = talc::wasm::new_wasm_dynamic_allocator();

mod decision;
mod engine;
mod failure;
mod http;
mod number;
mod pack;
mod policy;
#[cfg(feature = "std")]
mod share;
mod shelf;
mod slots;
mod verb;

pub use engine::Engine;
pub use failure::Failure;
pub use slots::{BATCH, SLOTS, Slots};
pub use verb::Verb;
