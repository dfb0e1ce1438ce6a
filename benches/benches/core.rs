//! Measures a check against governor's keyed limiter: one thread, each with its own clock, 40-byte keys with rows.
//!
//! Governor borrows its keys, which spares it a copy and, since the same key is shown again, a miss.

use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};
use ratelimit_bench::{Ratio, at_most, write};
use ratelimit_core::{Limiter, Policy};
use std::hint::black_box;
use std::num::NonZeroU32;
use std::time::Duration;

const MINUTE: Duration = Duration::from_secs(60);
const MANY: u64 = u32::MAX as u64;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let thousand = Keys::new(1_000);
    let million = Keys::new(1_000_000);
    let fixed = Policy::fixed_window(MANY, MINUTE);
    let ratios = [
        against_governor("fixed-1k-vs-governor", 0.5, &thousand, fixed.clone())?,
        against_governor("fixed-1m-vs-governor", 0.4, &million, fixed)?,
    ];
    write("core", &ratios)?;
    Ok(())
}

/// Compares passes over all keys; in the order of their bytes in memory, so at random in both tables.
fn against_governor(name: &str, bound: f64, keys: &Keys, policy: Policy) -> Result<Ratio, ratelimit_core::Error> {
    let limiter = Limiter::from_config(ratelimit_core::Config::new(policy).max_identities(2_000_000))?;
    let peer: DefaultKeyedRateLimiter<&'static str> = RateLimiter::keyed(Quota::per_second(NonZeroU32::MAX));
    let passes = 2_000_000 / keys.len();
    let operations = u32::try_from(passes * keys.len()).unwrap_or(u32::MAX);
    let ours = || {
        for _ in 0..passes {
            keys.each(|key| assert!(black_box(limiter.check(black_box(key)).is_allowed())));
        }
    };
    let theirs = || {
        for _ in 0..passes {
            keys.each(|key| assert!(black_box(peer.check_key(black_box(&key)).is_ok())));
        }
    };
    Ok(at_most(name, bound, operations, ours, theirs))
}

/// Keys of 40 bytes, one after the other in memory.
struct Keys(&'static str);

impl Keys {
    fn new(count: usize) -> Keys {
        let text: String = (0..count).map(|number| format!("tenant-7:user:{number:026}")).collect();
        Keys(text.leak())
    }

    fn len(&self) -> usize {
        self.0.len() / 40
    }

    fn each(&self, mut run: impl FnMut(&'static str)) {
        for number in 0..self.len() {
            run(&self.0[number * 40..][..40]);
        }
    }
}
