//! Tables of many rows, which a sweep goes through in more than one slice while calls go on.

use crate::world::{World, cases};
use proptest::prelude::*;
use ratelimit_core::{Kind, Limiter, Policy};
use std::time::Duration;

const SECOND: Duration = Duration::from_secs(1);

fn limiter(policy: Policy, max_identities: u64) -> Limiter {
    World { policies: vec![policy], steps: Vec::new() }.limiter_of(max_identities)
}

/// A key that is short, of middle length or long, by its number.
fn key(number: u64) -> Vec<u8> {
    let mut key = number.to_le_bytes().to_vec();
    let length = match number % 3 {
        0 => 8,
        1 => 30,
        _ => 60,
    };
    key.resize(length, b'.');
    key
}

fn kind_at(limiter: &Limiter, number: u64, now_ms: u64) -> Kind {
    limiter.check_at(key(number), now_ms, 1).expect("the numbers are in range").kind
}

proptest! {
    #![proptest_config(cases(150))]

    /// New rows come while the sweep goes on, tables grow and rows change places.
    #[test]
    fn a_sweep_among_new_keys_misses_no_idle_row(old in 1..1500_u64, new in 1..800_u64) {
        let limiter = limiter(Policy::fixed_window(1, SECOND), 2500);
        prop_assert!((0..old).all(|number| kind_at(&limiter, number, 0) == Kind::Allowed));
        prop_assert!((old..old + new).all(|number| kind_at(&limiter, number, 1000) == Kind::Allowed));
        prop_assert_eq!(limiter.len(), new);
    }

    /// One stripe, one size of key, and a table of 1024 buckets, which holds 896 rows, about to be full: it grows, and
    /// its rows change places, while a sweep is half-way through it.
    #[test]
    fn a_sweep_of_a_table_that_grows_misses_no_idle_row(room in 1..4_u64, one_idle_of in 4..9_u64) {
        let limiter = limiter(Policy::sliding_window(1, SECOND), 2000);
        let call = |number: u64, now_ms| limiter.check_at(number.to_le_bytes(), now_ms, 1);
        let allowed = |number, now_ms| call(number, now_ms).is_ok_and(|decision| decision.is_allowed());
        prop_assert_eq!(limiter.peek_at("nobody", 0, 1).map(|decision| decision.kind), Ok(Kind::Allowed));
        let (idle, busy): (Vec<u64>, Vec<u64>) = (0..896 - room).partition(|number| number % one_idle_of == 0);
        prop_assert!(idle.iter().all(|number| allowed(*number, 500)));
        prop_assert!(busy.iter().all(|number| allowed(*number, 1400)));
        prop_assert!((1000..1050).all(|number| allowed(number, 2000)));
        prop_assert_eq!(limiter.len(), busy.len() as u64 + 50);
    }

    /// The cap is reached, a sweep is due, and of all rows only those of the first keys are idle.
    #[test]
    fn a_new_key_finds_the_few_idle_rows_among_many(rows in 1..2000_u64, idle in 1..5_u64) {
        let idle = idle.min(rows);
        let limiter = limiter(Policy::sliding_window(1, SECOND), rows);
        prop_assert_eq!(limiter.peek_at("nobody", 0, 1).map(|decision| decision.kind), Ok(Kind::Allowed));
        prop_assert!((0..idle).all(|number| kind_at(&limiter, number, 500) == Kind::Allowed));
        prop_assert!((idle..rows).all(|number| kind_at(&limiter, number, 1400) == Kind::Allowed));
        let new = |number: u64| kind_at(&limiter, rows + number, 2000);
        prop_assert!((0..idle).all(|number| new(number) == Kind::Allowed));
        prop_assert_eq!(new(idle), Kind::Saturated);
        prop_assert_eq!(limiter.len(), rows);
    }
}
