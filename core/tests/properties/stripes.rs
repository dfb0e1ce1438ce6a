//! Decisions depend neither on the number of stripes nor on the seed of the hash.

use crate::world::{Time, cases, worlds};
use proptest::prelude::*;
use ratelimit_core::{Config, Limiter, ManualClock, Policy};

/// A build without `std` is given its seed: another for each limiter, at its first call.
#[cfg(not(feature = "std"))]
fn seed(seed: u64) {
    ratelimit_core::seed_hash([seed, !seed]);
}

/// A build with `std` draws another seed for each limiter by itself.
#[cfg(feature = "std")]
fn seed(_: u64) {}

proptest! {
    #![proptest_config(cases(100))]

    /// Caps that none of these worlds comes to, of 1, 4 and 1024 stripes.
    #[test]
    fn limiters_of_one_stripe_and_of_many_agree(world in worlds(Time::Free)) {
        let limiters = [1000, 5000, u32::MAX.into()].map(|max_identities| world.limiter_of(max_identities));
        for (number, step) in world.steps.iter().enumerate() {
            let [one, four, many] = limiters.each_ref().map(|limiter| {
                seed(number as u64);
                step.run(limiter)
            });
            prop_assert_eq!(one, four);
            prop_assert_eq!(one, many);
            let swept = limiters.each_ref().map(|limiter| limiter.sweep_at(step.now_ms() / 2));
            prop_assert_eq!(&swept[0], &swept[1]);
            prop_assert_eq!(&swept[0], &swept[2]);
        }
        let lens = limiters.each_ref().map(Limiter::len);
        prop_assert_eq!(lens, [lens[0]; 3]);
    }

    #[test]
    fn limiters_of_other_seeds_agree_at_the_cap(world in worlds(Time::Free), max_identities in 1..=3_u64) {
        let limiters = [(); 2].map(|()| world.limiter_of(max_identities));
        for (number, step) in world.steps.iter().enumerate() {
            let [one, other] = [0, 1].map(|limiter| {
                seed(2 * number as u64 + limiter as u64);
                step.run(&limiters[limiter])
            });
            prop_assert_eq!(one, other);
        }
    }
}

/// Two stripes whose keys spread otherwise under each seed: only their sum is bounded.
#[test]
fn a_cap_over_several_stripes_is_one_cap() {
    let policy = Policy::fixed_window(1, std::time::Duration::from_secs(1));
    let limiters = [1, 2].map(|number| {
        let config = Config::with_clock([policy.clone()], ManualClock::new(0).unwrap()).max_identities(2500);
        seed(number);
        let limiter = Limiter::from_config(config).unwrap();
        limiter.check(b"0");
        limiter
    });
    for round in 0..3_u64 {
        for key in 0..4000_u64 {
            let [one, other] = limiters
                .each_ref()
                .map(|limiter| limiter.check_at(key.to_le_bytes(), round * 999 + key / 100, 1).unwrap());
            assert_eq!(one, other, "round {round}, key {key}");
        }
        assert_eq!(limiters.each_ref().map(Limiter::len), [2500; 2]);
        assert_eq!(limiters[0].stats(), limiters[1].stats());
    }
}
