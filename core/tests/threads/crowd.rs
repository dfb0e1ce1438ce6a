//! Threads that start together.

use ratelimit_core::{Config, Limiter, ManualClock, Policy};
use std::sync::Barrier;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

/// Runs `run` in so many threads at once, each with its number, and returns what they returned.
pub(crate) fn crowd<R: Send>(threads: u64, run: impl Fn(u64) -> R + Sync) -> Vec<R> {
    let start = Barrier::new(usize::try_from(threads).expect("a handful"));
    thread::scope(|scope| {
        let spawn = |number| {
            let (start, run) = (&start, &run);
            scope.spawn(move || {
                start.wait();
                run(number)
            })
        };
        let running: Vec<_> = (0..threads).map(spawn).collect();
        running.into_iter().map(|thread| thread.join().expect("the thread panicked")).collect()
    })
}

/// Runs a crowd, and `beside` over and over in one more thread, from before the crowd starts until all of it has ended.
pub(crate) fn crowd_beside<R: Send>(threads: u64, beside: impl Fn() + Sync, run: impl Fn(u64) -> R + Sync) -> Vec<R> {
    let running = AtomicU64::new(threads);
    let results = crowd(threads + 1, |number| {
        if number < threads {
            let _ended = Ended(&running);
            return Some(run(number));
        }
        while running.load(Ordering::Relaxed) > 0 {
            beside();
        }
        None
    });
    results.into_iter().flatten().collect()
}

/// Counts a thread down when it ends, also by a panic.
struct Ended<'a>(&'a AtomicU64);

impl Drop for Ended<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// A limiter whose clock stands at 0; these tests give the times.
pub(crate) fn limiter(policies: &[Policy], max_identities: u64) -> Limiter {
    let clock = ManualClock::new(0).expect("0 is in range");
    let config = Config::with_clock(policies, clock).max_identities(max_identities);
    Limiter::from_config(config).expect("the policies are in range")
}
