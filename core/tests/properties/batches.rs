//! Many keys at once are as many checks, one after the other.

use crate::policies::policies;
use crate::world::{Cost, KEYS, cases, cost};
use proptest::prelude::*;
use ratelimit_core::{Config, Decision, Limiter, ManualClock};

proptest! {
    #![proptest_config(cases(200))]

    #[test]
    fn a_batch_equals_a_check_of_each_key_in_order(
        policies in policies(),
        batches in prop::collection::vec((prop::collection::vec(0..KEYS, 0..6), cost(), 0..=30_u64), 1..12),
        max_identities in 1..=4_u64,
    ) {
        let clock = ManualClock::new(0).expect("0 is in range");
        let config = Config::with_clock(policies.clone(), clock.clone()).max_identities(max_identities);
        let [batched, single] = [config.clone(), config].map(|config| Limiter::from_config(config).expect("in range"));
        for (keys, cost, wait_ms) in batches {
            clock.advance(wait_ms).expect("the time is in range");
            let cost = Cost::of(cost, &policies);
            let keys: Vec<[u8; 1]> = keys.iter().map(|key| [*key]).collect();
            let each: Vec<Decision> = keys.iter().map(|key| single.check_cost(key, cost).expect("in range")).collect();
            prop_assert_eq!(batched.check_many(&keys, cost), Ok(each));
        }
        prop_assert_eq!(batched.stats(), single.stats());
        prop_assert_eq!(batched.len(), single.len());
    }
}
