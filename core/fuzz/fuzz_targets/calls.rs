//! Any calls at any times: a peek foretells its check, nothing passes its limit, rows stay within the cap.
#![no_main]

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use ratelimit_core::{Config, Decision, Limiter, Policy};
use std::time::Duration;

#[derive(Arbitrary, Debug)]
enum Rule {
    Fixed { limit: u32, window_ms: u64 },
    Sliding { limit: u32, window_ms: u64 },
    Bucket { capacity: u32, refill: u32, period_ms: u64 },
}

#[derive(Arbitrary, Debug)]
enum Call {
    Check { key: u8, step_ms: i32, cost: u8 },
    CheckAnywhere { key: u8, now_ms: u64, cost: u64 },
    Refund { key: u8, back: u8 },
    Remaining { key: u8 },
    Reset { key: u8 },
    Sweep,
    Clear,
}

#[derive(Arbitrary, Debug)]
struct World {
    rules: Vec<Rule>,
    max_identities: u8,
    start_ms: u32,
    calls: Vec<Call>,
}

fn policy(rule: &Rule) -> Policy {
    match *rule {
        Rule::Fixed { limit, window_ms } => Policy::fixed_window(limit.into(), Duration::from_millis(window_ms)),
        Rule::Sliding { limit, window_ms } => Policy::sliding_window(limit.into(), Duration::from_millis(window_ms)),
        Rule::Bucket { capacity, refill, period_ms } => {
            Policy::token_bucket(capacity.into(), refill.into(), Duration::from_millis(period_ms))
        }
    }
}

/// Checks, after a peek that has to say the same.
fn check(limiter: &Limiter, key: u8, now_ms: u64, cost: u64) -> Option<Decision> {
    let peeked = limiter.peek_at([key], now_ms, cost);
    let decision = limiter.check_at([key], now_ms, cost);
    assert_eq!(peeked, decision);
    let decision = decision.ok()?;
    assert!(decision.remaining <= decision.limit);
    assert!(decision.at_ms >= now_ms);
    Some(decision)
}

fuzz_target!(|world: World| {
    let policies: Vec<Policy> = world.rules.iter().map(policy).collect();
    let config = Config::stack(policies).max_identities(world.max_identities.into());
    let Ok(limiter) = Limiter::from_config(config) else { return };
    let mut now_ms = u64::from(world.start_ms);
    let mut decisions = Vec::new();
    for call in world.calls {
        match call {
            Call::Check { key, step_ms, cost } => {
                now_ms = now_ms.saturating_add_signed(step_ms.into());
                decisions.extend(check(&limiter, key, now_ms, cost.into()));
            }
            Call::CheckAnywhere { key, now_ms, cost } => decisions.extend(check(&limiter, key, now_ms, cost)),
            Call::Refund { key, back } => {
                if let Some(decision) = decisions.iter().rev().nth(back.into()) {
                    let given = limiter.refund_at([key], decision, now_ms).expect("the time is in range");
                    assert!(given <= decision.cost);
                }
            }
            Call::Remaining { key } => {
                let remaining = limiter.remaining_at([key], now_ms).expect("the time is in range");
                assert!(limiter.policies().iter().all(|policy| u64::from(remaining) <= most(policy)));
            }
            Call::Reset { key } => {
                limiter.reset([key]);
            }
            Call::Sweep => {
                limiter.sweep_at(now_ms).expect("the time is in range");
            }
            Call::Clear => limiter.clear(),
        }
        assert!(limiter.len() <= limiter.max_identities());
    }
});

fn most(policy: &Policy) -> u64 {
    match policy {
        Policy::FixedWindow { limit, .. } | Policy::SlidingWindow { limit, .. } => *limit,
        Policy::TokenBucket { capacity, .. } => *capacity,
    }
}
