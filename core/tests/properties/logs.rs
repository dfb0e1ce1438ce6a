//! Sliding windows of keys that come often, whose grants lie in a log: each field of each answer, against a plain list.

use proptest::prelude::*;
use ratelimit_core::{Config, Decision, Kind, Limiter, ManualClock, Policy};
use std::time::Duration;

const KEY: &str = "ada";
const DAY_MS: u64 = 86_400_000;

#[derive(Clone, Copy, Debug)]
enum Step {
    Check {
        cost: u64,
    },
    Peek {
        cost: u64,
    },
    /// Gives back one of the last decisions.
    Refund {
        back: usize,
    },
    Remaining,
}

/// A list of what was granted and when, the simplest thing that could be right.
struct Plain {
    limit: u64,
    window_ms: u64,
    grants: Vec<(u64, u64)>,
}

impl Plain {
    fn live(&self, now: u64) -> impl Iterator<Item = &(u64, u64)> {
        self.grants.iter().filter(move |(at_ms, permits)| *permits > 0 && at_ms + self.window_ms > now)
    }

    fn left(&self, now: u64) -> u64 {
        self.limit - self.live(now).map(|(_, permits)| permits).sum::<u64>()
    }

    /// Returns kind, remaining, reset_after and retry_after.
    fn answer(&self, now: u64, cost: u64) -> (Kind, u64, u64, u64) {
        let left = self.left(now);
        let until = |at_ms: u64| at_ms + self.window_ms - now;
        let oldest = self.live(now).map(|(at_ms, _)| until(*at_ms)).next();
        if cost <= left {
            return (Kind::Allowed, left - cost, oldest.unwrap_or(self.window_ms), 0);
        }
        let mut free = left;
        let retry = self.live(now).find(|(_, permits)| {
            free += permits;
            free >= cost
        });
        (Kind::Denied, left, oldest.unwrap_or(0), retry.map_or(0, |(at_ms, _)| until(*at_ms)))
    }

    fn take(&mut self, now: u64, cost: u64) {
        match self.grants.last_mut() {
            Some((at_ms, permits)) if *at_ms == now => *permits += cost,
            _ => self.grants.push((now, cost)),
        }
    }

    fn refund(&mut self, now: u64, decision: &Decision) -> u64 {
        let (window_ms, at_ms) = (self.window_ms, decision.at_ms);
        let grant = self.grants.iter_mut().find(|(at, _)| *at == at_ms && at_ms + window_ms > now);
        grant.map_or(0, |(_, permits)| {
            let back = (*permits).min(decision.cost.into());
            *permits -= back;
            back
        })
    }
}

/// Days and thousandths of a window to the next step: mostly so little that a log stays full, at times none or far more
/// than its entries can tell apart.
fn pauses() -> impl Strategy<Value = (u64, u64)> {
    prop_oneof![
        60 => (Just(0), 0..40_u64),
        10 => (Just(0), Just(1000_u64)),
        3 => (Just(0), 900..2500_u64),
        1 => (0..400_u64, Just(0)),
    ]
}

fn steps() -> impl Strategy<Value = Step> {
    prop_oneof![
        20 => (1..4_u64).prop_map(|cost| Step::Check { cost }),
        1 => (1..40_u64).prop_map(|cost| Step::Check { cost }),
        2 => (1..40_u64).prop_map(|cost| Step::Peek { cost }),
        2 => (0..60_usize).prop_map(|back| Step::Refund { back }),
        1 => Just(Step::Remaining),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn a_busy_window_answers_as_a_plain_list_does(
        limit in 1..120_u64,
        window_ms in prop_oneof![1..2000_u64, 99_999..100_003_u64, 1_000_000..366 * DAY_MS, Just(366 * DAY_MS)],
        start in prop_oneof![Just(0_u64), 0..1_u64 << 50],
        run in prop::collection::vec((pauses(), steps()), 50..500),
    ) {
        let policy = Policy::sliding_window(limit, Duration::from_millis(window_ms));
        let limiter = Limiter::from_config(Config::with_clock([policy], ManualClock::default()))?;
        let mut plain = Plain { limit, window_ms, grants: Vec::new() };
        let (mut now, mut made) = (start, Vec::<Decision>::new());
        for ((days, thousandths), step) in run {
            now += days * DAY_MS + thousandths * window_ms / 1000;
            match step {
                Step::Check { cost } | Step::Peek { cost } => {
                    let cost = cost.min(limit);
                    let is_check = matches!(step, Step::Check { .. });
                    let decision = if is_check {
                        limiter.check_at(KEY, now, cost)?
                    } else {
                        limiter.peek_at(KEY, now, cost)?
                    };
                    let answer = (
                        decision.kind,
                        decision.remaining.into(),
                        decision.reset_after_ms,
                        decision.retry_after_ms.unwrap_or(u64::MAX),
                    );
                    prop_assert_eq!(answer, plain.answer(now, cost), "at {}, {:?}", now, step);
                    if is_check && decision.is_allowed() {
                        plain.take(now, cost);
                        made.push(decision);
                    }
                }
                Step::Refund { back } => {
                    let Some(decision) = made.len().checked_sub(back + 1).map(|at| made[at]) else { continue };
                    let given = limiter.refund_at(KEY, &decision, now)?;
                    prop_assert_eq!(u64::from(given), plain.refund(now, &decision), "at {}", now);
                }
                Step::Remaining => {
                    prop_assert_eq!(u64::from(limiter.remaining_at(KEY, now)?), plain.left(now), "at {}", now);
                }
            }
        }
    }
}
