//! Measures the core against governor's keyed limiter and against itself.
//!
//! Of every comparison: fixed windows unless its name says otherwise, keys of 40 bytes that have rows, nothing refused,
//! each side on its own clock. Governor borrows its keys.

mod clock;
mod keys;
mod memory;
mod peers;
mod speed;
mod sweeps;
mod threads;

use ratelimit_bench::{Ratio, write};
use stats_alloc::{INSTRUMENTED_SYSTEM, StatsAlloc};
use std::alloc::System;
use std::env;

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

type Outcome = Result<Vec<Ratio>, Box<dyn std::error::Error>>;
type Part = (&'static str, fn() -> Outcome);

/// Runs all parts, or those that are named: `cargo bench --bench core -- memory sweeps`.
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let named: Vec<String> = env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    let parts: [Part; 5] = [
        ("clock", clock::run),
        ("memory", memory::run),
        ("speed", speed::run),
        ("threads", threads::run),
        ("sweeps", sweeps::run),
    ];
    let mut ratios = Vec::new();
    for (_, run) in parts.iter().filter(|(name, _)| named.is_empty() || named.iter().any(|other| other == name)) {
        ratios.append(&mut run()?);
    }
    if named.is_empty() {
        write("core", &ratios)?;
    }
    Ok(())
}
