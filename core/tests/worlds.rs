//! Random worlds: the model and the crate, two authors of one contract, agree on all of them.

mod subject;

use ratelimit_testkit::{Way, Worlds, drive_world};
use std::env;
use std::time::{SystemTime, UNIX_EPOCH};
use subject::Core;

/// Without std the decisions are the same code under another lock, which fewer worlds show.
const WORLDS: usize = if cfg!(feature = "std") { 10_000 } else { 1_000 };

/// The seed of `$RATELIMIT_SEED`, else one taken from the time of day; it is printed so that it can be given.
fn seed() -> u64 {
    match env::var("RATELIMIT_SEED") {
        Ok(seed) => seed.parse().expect("RATELIMIT_SEED is a number below 2^32"),
        Err(_) => {
            let now = SystemTime::now().duration_since(UNIX_EPOCH).expect("it is later than 1970");
            now.subsec_nanos().into()
        }
    }
}

#[test]
fn random_worlds_come_out_as_the_model_says() {
    let seed = seed();
    println!("RATELIMIT_SEED={seed}");
    let mut worlds = Worlds::stream(seed, WORLDS).unwrap();
    let mut ways = [0; Way::ALL.len()];
    let mut seen = 0;
    while let Some(world) = worlds.read().unwrap() {
        // Each world as checks, and in one other way in turn.
        let others: Vec<_> = Way::ALL[1..].iter().copied().filter(|way| way.fits(world.policies.len())).collect();
        for way in [Way::Check, others[seen % others.len()]] {
            ways[way as usize] += 1;
            if let Err(difference) = drive_world(&Core, &world, way) {
                panic!("RATELIMIT_SEED={seed} {} ({}): {}\n  {difference}", world.name, way.name(), world.why);
            }
        }
        seen += 1;
    }
    let summary = worlds.finish().unwrap();
    println!("{seen} worlds, {} steps: {:?}", summary.steps, summary.counts);
    for (way, worlds) in Way::ALL.iter().zip(ways) {
        println!("  {:<16} {worlds:>6} worlds", way.name());
        assert!(worlds > 0, "no world was run as {}", way.name());
    }
    assert_eq!((seen, summary.worlds), (WORLDS, WORLDS));
}
