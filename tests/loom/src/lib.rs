//! Runs the core's own table, locks and counters replaced by loom's, under every order in which two threads can meet
//! there with up to three changes of thread at the worst moment; loom also lets a relaxed read see any value that it
//! may. Built for that only: `make loom`.
#![cfg(all(loom, test))]

mod cap;
mod sweeps;

use loom::model::Builder;
use loom::thread;
use ratelimit_core::{Config, Decision, Limiter, ManualClock, Policy};
use std::sync::Arc;
use std::time::Duration;

const SECOND: Duration = Duration::from_secs(1);

/// Runs a model in every order.
fn in_every_order(model: impl Fn() + Send + Sync + 'static) {
    let mut builder = Builder::new();
    builder.preemption_bound = None;
    builder.check(model);
}

/// Makes a limiter that grants `limit` a second.
fn limiter(limit: u64, max_identities: u64) -> Arc<Limiter> {
    let clock = ManualClock::new(0).expect("0 is in range");
    let config = Config::with_clock([Policy::fixed_window(limit, SECOND)], clock).max_identities(max_identities);
    Arc::new(Limiter::from_config(config).expect("the policy is in range"))
}

fn check(limiter: &Limiter, key: &str, now_ms: u64) -> Decision {
    limiter.check_at(key, now_ms, 1).expect("the numbers are in range")
}

/// Runs both at once; returns what each came to.
fn both<A, B>(limiter: &Arc<Limiter>, one: fn(&Limiter) -> A, other: fn(&Limiter) -> B) -> (A, B)
where
    A: Send + 'static,
    B: Send + 'static,
{
    let theirs = Arc::clone(limiter);
    let thread = thread::spawn(move || other(&theirs));
    let ours = one(limiter);
    (ours, thread.join().expect("the other thread came to its end"))
}
