//! What the limiter allocates, counted by the allocator of this test: nothing for a key that has a row, little for an
//! empty limiter, and no more than that after a flood is over.

mod calls;
mod memory;
mod meter;

use meter::Meter;
use ratelimit_core::{Config, Limiter, ManualClock, Policy};

#[global_allocator]
static METER: Meter = Meter;

/// A limiter whose clock stands at 0.
fn limiter(policies: &[Policy], max_identities: u64) -> Limiter {
    let clock = ManualClock::new(0).expect("0 is in range");
    let config = Config::with_clock(policies, clock).max_identities(max_identities);
    Limiter::from_config(config).expect("the policies are in range")
}
