//! Rows come and go one by one, whoever asks.

use crate::{both, check, in_every_order, limiter};
use ratelimit_core::Kind::{Allowed, Denied, Saturated};

#[test]
fn two_threads_on_a_new_key_are_granted_exactly_its_limit() {
    in_every_order(|| {
        let limiter = limiter(1, 10);
        let (one, other) = both(&limiter, |limiter| check(limiter, "ada", 0), |limiter| check(limiter, "ada", 0));
        assert!(matches!((one.kind, other.kind), (Allowed, Denied) | (Denied, Allowed)));
        assert_eq!((limiter.stats().allowed, limiter.stats().denied, limiter.len()), (1, 1, 1));
    });
}

/// Of one stripe and of several: with loom each row of the cap brings a stripe.
#[test]
fn two_new_keys_do_not_both_get_the_last_slot() {
    for cap in [1, 4] {
        in_every_order(move || {
            let limiter = limiter(1, cap);
            assert!((1..cap).all(|number| check(&limiter, &number.to_string(), 0).is_allowed()));
            let (one, other) = both(&limiter, |limiter| check(limiter, "ada", 0), |limiter| check(limiter, "dan", 0));
            assert!(matches!((one.kind, other.kind), (Allowed, Saturated) | (Saturated, Allowed)));
            assert_eq!(limiter.len(), cap);
        });
    }
}

#[test]
fn a_key_that_another_thread_has_just_put_in_is_not_refused_as_new() {
    in_every_order(|| {
        let limiter = limiter(2, 1);
        let (one, other) = both(&limiter, |limiter| check(limiter, "ada", 0), |limiter| check(limiter, "ada", 0));
        assert!(one.is_allowed() && other.is_allowed());
        assert_eq!((limiter.remaining("ada"), limiter.len()), (0, 1));
    });
}

#[test]
fn a_reset_beside_a_check_neither_loses_a_slot_nor_makes_one() {
    in_every_order(|| {
        let limiter = limiter(1, 1);
        let (decision, _) = both(&limiter, |limiter| check(limiter, "ada", 0), |limiter| limiter.reset("ada"));
        assert!(decision.is_allowed());
        let rows = limiter.len();
        assert_eq!(u64::from(limiter.reset("ada")), rows);
        assert!(check(&limiter, "bob", 0).is_allowed());
        assert_eq!(check(&limiter, "cleo", 0).kind, Saturated);
    });
}

#[test]
fn a_key_is_never_seen_half_written() {
    in_every_order(|| {
        let limiter = limiter(5, 10);
        let (decision, left) = both(&limiter, |limiter| check(limiter, "ada", 7), |limiter| limiter.remaining("ada"));
        assert_eq!((decision.remaining, decision.at_ms), (4, 7));
        assert!(left == 5 || left == 4);
    });
}
