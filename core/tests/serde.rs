//! Policies, decisions and counts as data: written, read back, and refused when they are not what they say.
#![cfg(feature = "serde")]

use ratelimit_core::{Config, Decision, Kind, Limiter, ManualClock, Policy, Stats};
use serde_json::{from_str, json, to_string, to_value};
use std::time::Duration;

fn limiter(policy: Policy) -> Limiter {
    let clock = ManualClock::new(0).expect("0 is in range");
    Limiter::from_config(Config::with_clock([policy], clock).max_identities(1)).expect("the policy is in range")
}

#[test]
fn a_policy_is_written_in_milliseconds_and_reads_back() {
    let longest = Duration::from_secs(366 * 24 * 3600);
    let texts = [
        (
            Policy::fixed_window(100, Duration::from_secs(60)),
            json!({"algorithm": "fixed_window", "limit": 100, "window_ms": 60_000}),
        ),
        (
            Policy::token_bucket(10, 1, Duration::from_millis(250)),
            json!({"algorithm": "token_bucket", "capacity": 10, "refill": 1, "refill_period_ms": 250}),
        ),
        (
            Policy::sliding_window(u32::MAX.into(), Duration::from_millis(1)),
            json!({"algorithm": "sliding_window", "limit": 4_294_967_295_u64, "window_ms": 1}),
        ),
        (
            Policy::fixed_window(0, longest),
            json!({"algorithm": "fixed_window", "limit": 0, "window_ms": 31_622_400_000_u64}),
        ),
    ];
    for (policy, value) in texts {
        assert_eq!(to_value(&policy).unwrap(), value);
        assert_eq!(from_str::<Policy>(&value.to_string()).unwrap(), policy);
    }
}

#[test]
fn a_policy_of_the_wrong_numbers_or_names_is_not_read() {
    let right = r#"{"algorithm":"fixed_window","limit":5,"window_ms":1000}"#;
    assert!(from_str::<Policy>(right).is_ok());
    let wrong = [
        r#"{"algorithm":"fixed_window","limit":5,"window_ms":1000,"burst":1}"#,
        r#"{"algorithm":"fixed_window","limit":5,"window":1000}"#,
        r#"{"algorithm":"fixed_window","limit":5}"#,
        r#"{"algorithm":"fixed_window","limit":-5,"window_ms":1000}"#,
        r#"{"algorithm":"fixed_window","limit":5.5,"window_ms":1000}"#,
        r#"{"algorithm":"fixed_window","limit":"5","window_ms":1000}"#,
        r#"{"algorithm":"fixed_window","limit":null,"window_ms":1000}"#,
        r#"{"algorithm":"fixed_window","limit":true,"window_ms":1000}"#,
        r#"{"algorithm":"fixed_window","limit":5,"window_ms":-1}"#,
        r#"{"algorithm":"fixed_window","limit":5,"window_ms":0.5}"#,
        r#"{"algorithm":"fixed_window","limit":18446744073709551616,"window_ms":1000}"#,
        r#"{"algorithm":"token_bucket","capacity":5,"refill":0.5,"refill_period_ms":1000}"#,
        r#"{"algorithm":"token_bucket","limit":5,"window_ms":1000}"#,
        r#"{"algorithm":"leaky_bucket","limit":5,"window_ms":1000}"#,
        r#"{"limit":5,"window_ms":1000}"#,
    ];
    for text in wrong {
        assert!(from_str::<Policy>(text).is_err(), "{text}");
    }
}

/// What is data is judged when a limiter is made of it.
#[test]
fn a_policy_outside_its_range_is_read_and_then_refused() {
    let policy: Policy = from_str(r#"{"algorithm":"fixed_window","limit":4294967296,"window_ms":0}"#).unwrap();
    assert_eq!(policy.validate().unwrap_err().to_string(), "limit is 4294967296, must be from 0 to 4294967295");
}

#[test]
fn a_policy_that_is_not_whole_milliseconds_is_not_written() {
    for window in [Duration::from_micros(1500), Duration::from_secs(u64::MAX), Duration::MAX] {
        assert!(to_string(&Policy::fixed_window(1, window)).is_err(), "{window:?}");
    }
}

#[test]
fn decisions_of_every_kind_read_back() {
    let limiter = limiter(Policy::fixed_window(1, Duration::from_secs(60)));
    let decisions = [("ada", 1), ("ada", 1), ("bob", 1), ("ada", 2)]
        .map(|(key, cost)| limiter.check_at(key, 1000, cost).expect("the numbers are in range"));
    let kinds = [Kind::Allowed, Kind::Denied, Kind::Saturated, Kind::ExceedsLimit];
    assert_eq!(decisions.map(|decision| decision.kind), kinds);
    for decision in decisions {
        assert_eq!(from_str::<Decision>(&to_string(&decision).unwrap()).unwrap(), decision);
        assert_eq!(to_value(decision.kind).unwrap(), json!(decision.kind.as_str()));
    }
    let denied = json!({
        "kind": "denied", "policy": 0, "limit": 1, "remaining": 0, "cost": 1,
        "reset_after_ms": 59_000, "retry_after_ms": 59_000, "at_ms": 1000,
    });
    assert_eq!(to_value(decisions[1]).unwrap(), denied);
    assert_eq!(to_value(decisions[3]).unwrap()["retry_after_ms"], json!(null));
    let stats = limiter.stats();
    assert_eq!(to_value(stats).unwrap(), json!({"allowed": 1, "denied": 1, "saturated": 1, "exceeds_limit": 1}));
    assert_eq!(from_str::<Stats>(&to_string(&stats).unwrap()).unwrap(), stats);
}

/// A decision that was kept elsewhere can still be refunded.
#[test]
fn a_decision_that_was_read_back_is_refunded_like_the_one_that_was_written() {
    let limiter = limiter(Policy::fixed_window(3, Duration::from_secs(60)));
    let written = to_string(&limiter.check_at("ada", 1000, 2).expect("the numbers are in range")).unwrap();
    assert_eq!(limiter.refund_at("ada", &from_str(&written).unwrap(), 2000), Ok(2));
    assert_eq!(limiter.remaining_at("ada", 2000), Ok(3));
}

#[test]
fn a_decision_of_the_wrong_numbers_is_not_read() {
    let right = to_value(Decision::default()).unwrap();
    assert!(from_str::<Decision>(&right.to_string()).is_ok());
    for (field, wrong) in [
        ("kind", json!("Allowed")),
        ("policy", json!(256)),
        ("limit", json!(-1)),
        ("cost", json!(4_294_967_296_u64)),
        ("at_ms", json!(0.5)),
        ("retry_after_ms", json!("0")),
    ] {
        let mut value = right.clone();
        value[field] = wrong;
        assert!(from_str::<Decision>(&value.to_string()).is_err(), "{value}");
    }
}
