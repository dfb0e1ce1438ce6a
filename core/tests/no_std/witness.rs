//! Compiles only while neither `ratelimit-core` nor anything below it brings `std` along: a program has one panic
//! handler, and `std` has one. No target of cargo's, since the tests' own crates do bring it; `make test` compiles it.
#![no_std]

use core::panic::PanicInfo;
use core::time::Duration;
use ratelimit_core::{Config, Error, Limiter, ManualClock, Policy};

#[panic_handler]
fn panic(_: &PanicInfo<'_>) -> ! {
    loop {
        core::hint::spin_loop();
    }
}

/// Decides, so that what is compiled against is more than a name.
pub fn decide(key: &[u8], now_ms: u64) -> Result<bool, Error> {
    let policy = Policy::fixed_window(1, Duration::from_secs(1));
    let limiter = Limiter::from_config(Config::with_clock([policy], ManualClock::new(now_ms)?))?;
    Ok(limiter.allow(key))
}
