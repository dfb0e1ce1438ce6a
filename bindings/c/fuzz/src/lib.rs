//! What the fuzzers run; `bindings/c/tests/fuzz.rs` runs the same on every test run, for seconds and on stable Rust.

pub mod calls;
pub mod texts;
pub mod twin;
mod world;
