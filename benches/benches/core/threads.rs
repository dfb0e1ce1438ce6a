//! Two threads at once: on one hot key, and on a million. A ratio is one of times for the same number of calls.

use crate::Outcome;
use crate::keys::Keys;
use crate::peers::{Governor, fixed, governor, limiter};
use ratelimit_bench::at_most;
use ratelimit_core::Limiter;
use std::hint::black_box;
use std::thread;

pub(crate) fn run() -> Outcome {
    let hot = Keys::new(1);
    let million = Keys::new(1_000_000);
    let calls = [Keys::shuffled(1_000_000), million];
    let (limiter, peer) = (limiter(&[fixed()], 2_000_000)?, governor());
    million.each(|key| assert!(limiter.allow(key) && peer.check_key(&key).is_ok()));

    let hot_calls = 2_000_000;
    let on_hot = || two_threads([hot; 2], hot_calls, |key| allow(&limiter, key));
    let theirs_on_hot = || two_threads([hot; 2], hot_calls, |key| pass(&peer, key));
    let ours = || two_threads(calls, 1, |key| allow(&limiter, key));
    let theirs = || two_threads(calls, 1, |key| pass(&peer, key));
    let alone = || calls.iter().for_each(|calls| calls.each(|key| assert!(allow(&limiter, key))));
    Ok(vec![
        at_most("hot-key-2-threads-vs-governor", 1.0 / 1.7, 2 * hot_calls, on_hot, theirs_on_hot),
        at_most("1m-2-threads-vs-governor", 1.0 / 2.0, 2_000_000, ours, theirs),
        at_most("1m-2-threads-vs-1-thread", 1.0 / 1.3, 2_000_000, ours, alone),
    ])
}

fn allow(limiter: &Limiter, key: &'static str) -> bool {
    black_box(limiter.check(black_box(key)).is_allowed())
}

fn pass(peer: &Governor, key: &'static str) -> bool {
    black_box(peer.check_key(black_box(&key)).is_ok())
}

fn two_threads(keys: [Keys; 2], passes: u32, check: impl Fn(&'static str) -> bool + Sync) {
    thread::scope(|scope| {
        for keys in keys {
            let check = &check;
            scope.spawn(move || (0..passes).for_each(|_| keys.each(|key| assert!(check(key)))));
        }
    });
}
