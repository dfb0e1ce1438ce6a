//! What callers build on besides decisions: who may hold what, and how a wrong number is refused.

use ratelimit_core::{
    AsKey, Clock, Config, Decision, Error, Field, Key, KeyRef, Kind, Limiter, ManualClock, Policy, Stats,
};
use std::fmt::{Debug, Display};
use std::slice::from_ref;
use std::time::Duration;

const MINUTE: Duration = Duration::from_secs(60);
const MAX_NOW_MS: u64 = (1 << 52) - 1;
const MAX_PERMITS: u64 = u32::MAX as u64;

fn limiter(policies: &[Policy]) -> Limiter {
    let clock = ManualClock::new(0).expect("0 is in range");
    Limiter::from_config(Config::with_clock(policies, clock)).expect("the policies are in range")
}

/// The compiler judges these.
#[test]
fn a_limiter_is_shared_and_all_else_is_plain_data() {
    fn shared<T: Send + Sync + Debug + 'static>() {}
    fn data<T: Clone + Send + Sync + Debug + 'static>() {}
    fn error<T: std::error::Error + Display + PartialEq + Send + Sync + 'static>() {}
    fn key<T: AsKey + ?Sized>() {}
    #[cfg(feature = "std")]
    shared::<Limiter>();
    shared::<Decision>();
    data::<Policy>();
    data::<Config>();
    data::<Decision>();
    data::<Kind>();
    data::<Stats>();
    data::<Clock>();
    data::<ManualClock>();
    data::<Key>();
    data::<KeyRef<'static>>();
    error::<Error>();
    key::<str>();
    key::<&str>();
    key::<String>();
    key::<[u8]>();
    key::<[u8; 4]>();
    key::<Vec<u8>>();
    key::<Key>();
    key::<&&KeyRef<'static>>();
}

#[cfg(feature = "std")]
#[test]
fn a_limiter_in_an_arc_outlives_the_thread_that_made_it() {
    use std::sync::Arc;
    let limiter: Arc<Limiter> = Arc::new("3/minute".parse().expect("the policy is right"));
    let own = Arc::clone(&limiter);
    let thread = std::thread::spawn(move || own.allow("ada"));
    assert!(thread.join().expect("the thread ends"));
    assert_eq!(limiter.remaining("ada"), 2);
}

#[test]
fn a_key_is_its_bytes_however_it_is_given() {
    let limiter = limiter(&[Policy::fixed_window(8, MINUTE)]);
    let bytes = [97_u8, 100, 97];
    let text = String::from("ada");
    let left = [
        limiter.check("ada").remaining,
        limiter.check(&text).remaining,
        limiter.check(text).remaining,
        limiter.check(bytes).remaining,
        limiter.check(&bytes[..]).remaining,
        limiter.check(bytes.to_vec()).remaining,
        limiter.check(KeyRef::plain(&bytes)).remaining,
    ];
    assert_eq!(left, [7, 6, 5, 4, 3, 2, 1]);
    assert_eq!(limiter.len(), 1);
    assert!(
        limiter.check(Key::parts(&["ada"])).remaining == 7 && limiter.check(KeyRef::parts(b"3:ada")).remaining == 6
    );
}

/// A row remembers a long key as its digest, and that it did.
#[test]
fn a_key_that_equals_the_digest_of_a_longer_one_is_another() {
    let limiter = limiter(&[Policy::fixed_window(1, MINUTE)]);
    let long = [b'k'; 65];
    let hex = "f39cdc2584758c99cf81c1f41d2572f54e17066afffc9d187aeafe5f7cbe2122";
    let digest: Vec<u8> = (0..32).map(|at| u8::from_str_radix(&hex[2 * at..2 * at + 2], 16).expect("hex")).collect();
    assert!(limiter.allow(long) && limiter.allow(hex) && limiter.allow(&digest));
    assert!(limiter.allow(KeyRef::parts(&long)) && limiter.allow(KeyRef::parts(&digest)));
    assert!(!limiter.allow(long) && !limiter.allow(hex) && !limiter.allow(digest));
    assert_eq!(limiter.len(), 5);
}

/// Each with the field and the value that its error must name.
#[test]
fn a_policy_outside_its_range_is_refused_by_the_number_that_is_wrong() {
    let longest = Duration::from_secs(366 * 24 * 3600);
    let past = longest + Duration::from_millis(1);
    let wrong = [
        (Policy::fixed_window(MAX_PERMITS + 1, MINUTE), 1, Field::Limit, "4294967296"),
        (Policy::sliding_window(u64::MAX, MINUTE), 1, Field::Limit, "18446744073709551615"),
        (Policy::fixed_window(1, Duration::ZERO), 1, Field::WindowMs, "window_ms is 0"),
        (Policy::sliding_window(1, past), 1, Field::WindowMs, "31622400001"),
        (Policy::fixed_window(1, Duration::MAX), 2, Field::WindowMs, "whole milliseconds"),
        (Policy::fixed_window(1, Duration::from_secs(u64::MAX)), 1, Field::WindowMs, "18446744073709551615000"),
        (Policy::fixed_window(1, Duration::from_micros(1500)), 2, Field::WindowMs, "1500000 ns"),
        (Policy::token_bucket(MAX_PERMITS + 1, 1, MINUTE), 1, Field::Capacity, "4294967296"),
        (Policy::token_bucket(1, 0, MINUTE), 1, Field::Refill, "refill is 0"),
        (Policy::token_bucket(1, MAX_PERMITS + 1, MINUTE), 1, Field::Refill, "4294967296"),
        (Policy::token_bucket(1, 1, Duration::ZERO), 1, Field::RefillPeriodMs, "refill_period_ms is 0"),
        (Policy::token_bucket(1, 1, Duration::from_nanos(1)), 2, Field::RefillPeriodMs, "1 ns"),
        (Policy::token_bucket((1 << 20) + 1, 1, Duration::from_millis(1 << 32)), 3, Field::Capacity, "1048577"),
        (Policy::sliding_window(100_001, Duration::from_millis(100_001)), 4, Field::Limit, "100001"),
    ];
    for (policy, code, field, says) in wrong {
        let error = policy.validate().expect_err("the policy is wrong");
        assert_eq!((error.code(), error.field(), error.offset()), (code, field, None), "{policy:?}");
        let text = error.to_string();
        assert!(text.contains(field.name()) && text.contains(says), "{text}");
        let clock = ManualClock::new(0).expect("0 is in range");
        assert_eq!(Limiter::from_config(Config::with_clock([policy], clock)).map(drop), Err(error));
    }
}

#[test]
fn the_text_of_a_stack_is_no_policy() {
    let error = "5/second; 1000/day".parse::<Policy>().expect_err("there are two");
    assert_eq!((error.code(), error.field(), error.offset()), (5, Field::Policies, None));
    assert_eq!(error.to_string(), "policies are 2, must be 1");
}

#[test]
fn policies_at_the_ends_of_the_ranges_are_accepted() {
    let longest = Duration::from_secs(366 * 24 * 3600);
    let ends = [
        Policy::fixed_window(0, Duration::from_millis(1)),
        Policy::fixed_window(MAX_PERMITS, longest),
        Policy::sliding_window(100_000, longest),
        Policy::sliding_window(MAX_PERMITS, Duration::from_millis(100_000)),
        Policy::token_bucket(0, 1, longest),
        Policy::token_bucket(1 << 20, MAX_PERMITS, Duration::from_millis(1 << 32)),
        Policy::token_bucket(MAX_PERMITS, 1, Duration::from_millis(1 << 20)),
    ];
    assert!(ends.iter().all(|policy| policy.validate() == Ok(())));
    assert_eq!(limiter(&ends[..4]).policies(), &ends[..4]);
}

#[test]
fn a_configuration_is_refused_by_its_policies_first_and_its_cap_last() {
    let config = |policies: &[Policy], max_identities| {
        let clock = ManualClock::new(0).expect("0 is in range");
        let error = Limiter::from_config(Config::with_clock(policies, clock).max_identities(max_identities));
        error.map(drop).map_err(|error| (error.code(), error.field()))
    };
    let (right, wrong) = (Policy::fixed_window(1, MINUTE), Policy::fixed_window(1, Duration::ZERO));
    assert_eq!(config(&[], 0), Err((5, Field::Policies)));
    assert_eq!(config(&[const { Policy::fixed_window(1, Duration::ZERO) }; 5], 0), Err((5, Field::Policies)));
    assert_eq!(config(&[right.clone(), wrong], 0), Err((1, Field::WindowMs)));
    assert_eq!(config(from_ref(&right), 0), Err((1, Field::MaxIdentities)));
    assert_eq!(config(from_ref(&right), 1 << 32), Err((1, Field::MaxIdentities)));
    assert_eq!(config(from_ref(&right), 1), Ok(()));
    assert_eq!(config(from_ref(&right), MAX_PERMITS), Ok(()));
}

#[test]
fn an_argument_outside_its_range_is_refused_and_touches_nothing() {
    let limiter = limiter(&[Policy::fixed_window(5, MINUTE)]);
    let wrong = |result: Result<(), Error>| result.map_err(|error| (error.code(), error.field()));
    let decision = Decision::default();
    for cost in [0, MAX_PERMITS + 1, u64::MAX] {
        let refused = Err((1, Field::Cost));
        assert_eq!(wrong(limiter.check_cost("ada", cost).map(drop)), refused);
        assert_eq!(wrong(limiter.check_at("ada", MAX_NOW_MS, cost).map(drop)), refused);
        assert_eq!(wrong(limiter.peek_cost("ada", cost).map(drop)), refused);
        assert_eq!(wrong(limiter.peek_at("ada", MAX_NOW_MS, cost).map(drop)), refused);
        assert_eq!(wrong(limiter.check_many(&["ada"], cost).map(drop)), refused);
        assert_eq!(wrong(limiter.check_at("ada", u64::MAX, cost).map(drop)), Err((1, Field::NowMs)), "the time first");
    }
    for now_ms in [MAX_NOW_MS + 1, u64::MAX] {
        let refused = Err((1, Field::NowMs));
        assert_eq!(wrong(limiter.check_at("ada", now_ms, 1).map(drop)), refused);
        assert_eq!(wrong(limiter.peek_at("ada", now_ms, 1).map(drop)), refused);
        assert_eq!(wrong(limiter.remaining_at("ada", now_ms).map(drop)), refused);
        assert_eq!(wrong(limiter.refund_at("ada", &decision, now_ms).map(drop)), refused);
        assert_eq!(wrong(limiter.sweep_at(now_ms).map(drop)), refused);
        assert_eq!(wrong(ManualClock::new(now_ms).map(drop)), refused);
    }
    assert_eq!((limiter.len(), limiter.stats()), (0, Stats::default()));
    // Neither the first call's time nor the sweep time was set: the first call still is at 0.
    assert_eq!(limiter.check("ada").at_ms, 0);
}

#[test]
fn a_manual_clock_that_is_told_too_much_stands_where_it_stood() {
    let clock = ManualClock::new(7).expect("7 is in range");
    let says = |moved: Result<(), Error>| moved.map_err(|error| (error.code(), error.to_string()));
    let refused = |told: &str| Err((1, format!("{told}, must be from 0 to 4503599627370495")));
    assert_eq!(says(clock.set(MAX_NOW_MS + 1)), refused("now_ms is 4503599627370496"));
    assert_eq!(says(clock.advance(MAX_NOW_MS + 1)), refused("ms is 4503599627370496"));
    assert_eq!(says(clock.advance(u64::MAX)), refused("ms is 18446744073709551615"));
    assert_eq!(says(clock.advance(MAX_NOW_MS)), refused("now_ms is 4503599627370502"), "where it would come to");
    assert_eq!(clock.now_ms(), 7);
    assert_eq!((clock.advance(MAX_NOW_MS - 7), clock.now_ms()), (Ok(()), MAX_NOW_MS));
}

#[test]
fn a_hosts_clock_beyond_the_range_counts_as_the_end_of_it() {
    let config = Config::with_clock([Policy::fixed_window(1, MINUTE)], Clock::from_fn(|| u64::MAX));
    let limiter = Limiter::from_config(config).expect("the policy is in range");
    assert_eq!(limiter.check("ada").at_ms, MAX_NOW_MS);
    assert_eq!(limiter.clock().now_ms(), MAX_NOW_MS);
}
