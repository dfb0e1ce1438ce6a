//! Rows that nobody would miss go while others are called.

use crate::{both, check, in_every_order, limiter};

#[test]
fn a_call_that_comes_late_beside_a_sweep_is_not_granted_its_window_twice() {
    in_every_order(|| {
        let limiter = limiter(1, 10);
        assert!(check(&limiter, "ada", 500).is_allowed());
        let (removed, late) = both(&limiter, |limiter| limiter.sweep_at(1_000), |limiter| check(limiter, "ada", 600));
        assert!(removed.is_ok_and(|rows| rows <= 1));
        // Either the row was there, and refused it, or the sweep had its time count.
        assert!(!late.is_allowed() || late.at_ms == 1_000);
        assert_ne!(check(&limiter, "ada", 1_000).is_allowed(), late.is_allowed());
        assert_eq!(limiter.len(), 1);
    });
}

#[test]
fn two_calls_that_find_a_sweep_due_remove_each_idle_row_once() {
    in_every_order(|| {
        let limiter = limiter(1, 2);
        assert!(check(&limiter, "ada", 0).is_allowed());
        let (one, other) =
            both(&limiter, |limiter| check(limiter, "bob", 1_000), |limiter| check(limiter, "cleo", 1_000));
        assert!(one.is_allowed() && other.is_allowed());
        assert_eq!(limiter.len(), 2);
        assert!(!limiter.reset("ada"));
        assert!(limiter.reset("bob") && limiter.reset("cleo"));
        assert_eq!(limiter.len(), 0);
    });
}

#[test]
fn a_full_limiter_finds_the_room_that_a_due_sweep_makes_for_both_threads() {
    in_every_order(|| {
        let limiter = limiter(1, 1);
        assert!(check(&limiter, "ada", 0).is_allowed());
        let (one, other) =
            both(&limiter, |limiter| check(limiter, "bob", 1_000), |limiter| check(limiter, "bob", 1_000));
        assert_ne!(one.is_allowed(), other.is_allowed());
        assert_eq!((limiter.stats().denied, limiter.stats().saturated, limiter.len()), (1, 0, 1));
    });
}

#[test]
fn no_key_stays_at_the_time_of_a_sweep_that_was_cleared() {
    in_every_order(|| {
        let limiter = limiter(1, 10);
        assert!(check(&limiter, "ada", 0).is_allowed());
        assert_eq!(limiter.sweep_at(5_000), Ok(1));
        both(&limiter, |limiter| limiter.clear(), |limiter| check(limiter, "bob", 10));
        assert_eq!(check(&limiter, "bob", 20).at_ms, 20);
        assert_eq!(check(&limiter, "cleo", 20).at_ms, 20);
    });
}
