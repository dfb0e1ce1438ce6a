//! The wasm module: the engine of `bindings/javascript`, its slots and a buffer for bytes, in the module's own memory.
//!
//! JavaScript writes bytes to the buffer and numbers to the slots, calls `run`, and reads the slots. The module imports
//! nothing: time comes with each call, and the seed of the hash before the first key. It has one thread, and a panic
//! ends in a trap, after which JavaScript does not call it again.

#![cfg_attr(target_arch = "wasm32", no_std)]

#[cfg(target_arch = "wasm32")]
mod exports;
