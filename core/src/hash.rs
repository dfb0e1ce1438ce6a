//! The seeded hash of a key's words, and the stripe it picks.

use core::hash::Hasher;
use foldhash::{SharedSeed, fast::FoldHasher};

/// Secrets that the hash depends on, so that nobody can choose keys that collide.
pub(crate) struct HashSeed {
    own: u64,
    shared: SharedSeed,
}

/// Digits of pi: bits of no pattern for numbers that have one. Seeds of 0 alone would hash badly.
const PATTERNLESS: [u64; 2] = [0x243f_6a88_85a3_08d3, 0x1319_8a2e_0370_7344];

impl HashSeed {
    pub(crate) fn new(own: u64, shared: u64) -> HashSeed {
        HashSeed { own: own ^ PATTERNLESS[0], shared: SharedSeed::from_u64(shared ^ PATTERNLESS[1]) }
    }

    /// Returns a seed that is always the same, as runs must be that loom compares.
    #[cfg(loom)]
    pub(crate) fn draw() -> HashSeed {
        HashSeed::new(1, 2)
    }

    /// Draws a seed from those that the standard library has read from the operating system.
    #[cfg(all(feature = "std", not(loom)))]
    pub(crate) fn draw() -> HashSeed {
        use std::hash::{BuildHasher, RandomState};
        let state = RandomState::new();
        HashSeed::new(state.hash_one(0_u8), state.hash_one(1_u8))
    }

    #[cfg(feature = "std")]
    #[inline(always)]
    pub(crate) fn hash(&self, words: &[u64]) -> u64 {
        let mut hasher = FoldHasher::with_seed(self.own, &self.shared);
        for word in words {
            hasher.write_u64(*word);
        }
        hasher.finish()
    }

    /// Returns the hash of the first `length` words; of an odd number, a 0 follows the last.
    #[cfg(not(feature = "std"))]
    #[inline(always)]
    pub(crate) fn hash_padded(&self, words: &[u64; 8], length: usize) -> u64 {
        let mut hasher = FoldHasher::with_seed(self.own, &self.shared);
        let mut pair = |at: usize| hasher.write_u128(u128::from(words[at + 1]) << 64 | u128::from(words[at]));
        pair(0);
        if length > 2 {
            pair(2);
            pair(4);
        }
        if length > 5 {
            pair(6);
        }
        hasher.finish()
    }
}

/// Deals keys out to stripes, to some twice as many as to others.
///
/// A table doubles when it is full. Equal stripes would all double at about the same time, and a limiter that has just
/// passed that point would take twice the memory a key. Shares that go smoothly from 3/4 to 3/2 of the average make the
/// stripes double one after the other, so that about as much is spare at any number of keys.
pub(crate) struct Shares(u64);

impl Shares {
    pub(crate) fn new(stripes: usize) -> Shares {
        Shares(((stripes as u64) << 25) / 3)
    }

    /// Picks a stripe by bits that a stripe's own table uses little: it takes the top seven and the lowest.
    ///
    /// A fraction x of all hashes picks a stripe below x(4-x)/3 of all, whose slope falls from 4/3 to 2/3.
    #[inline(always)]
    pub(crate) fn pick(&self, hash: u64) -> usize {
        let x = (hash >> 26) & ((1 << 31) - 1);
        let thrice = (x * ((4 << 31) - x)) >> 31;
        usize::try_from((thrice * self.0) >> 56).unwrap_or(0)
    }
}

#[cfg(not(feature = "std"))]
mod host {
    use super::HashSeed;
    use crate::sync::{AtomicU64, Ordering};

    static OWN: AtomicU64 = AtomicU64::new(0);
    static SHARED: AtomicU64 = AtomicU64::new(0);

    /// Gives the process its hash seed: random numbers from the host, before any limiter's first call.
    ///
    /// A limiter takes the seed at its first call, so it may be made before. Without a seed keys can be chosen to
    /// collide, which makes calls slow, never wrong.
    pub fn seed_hash(seed: [u64; 2]) {
        OWN.store(seed[0], Ordering::Relaxed);
        SHARED.store(seed[1], Ordering::Relaxed);
    }

    pub(crate) fn host_seed() -> HashSeed {
        HashSeed::new(OWN.load(Ordering::Relaxed), SHARED.load(Ordering::Relaxed))
    }
}

#[cfg(not(feature = "std"))]
pub(crate) use host::host_seed;
#[cfg(not(feature = "std"))]
pub use host::seed_hash;

#[cfg(test)]
mod tests {
    use super::{HashSeed, Shares};
    use crate::key::{AsKey, with_identity};
    use alloc::format;
    use alloc::string::String;
    use alloc::vec;
    use alloc::vec::Vec;

    fn hash(seed: &HashSeed, key: impl AsKey) -> u64 {
        #[cfg(feature = "std")]
        return with_identity!(key.as_key(), identity => seed.hash(&identity.words));
        #[cfg(not(feature = "std"))]
        return with_identity!(key.as_key(), identity => {
            let (words, length) = identity.words.padded();
            seed.hash_padded(words, length)
        });
    }

    /// Counts the keys at each of `places`, a power of two, where a table begins to look for them.
    fn at_each(places: usize, hashes: impl Iterator<Item = u64>) -> Vec<u64> {
        let mut counts = vec![0; places];
        for hash in hashes {
            counts[usize::try_from(hash % places as u64).expect("below places")] += 1;
        }
        counts
    }

    fn most(counts: &[u64]) -> u64 {
        counts.iter().copied().max().unwrap_or(0)
    }

    #[test]
    fn keys_chosen_to_meet_under_one_seed_are_spread_by_another() {
        let (known, other) = (HashSeed::new(11, 12), HashSeed::new(13, 14));
        let chosen: Vec<_> = (0_u64..).filter(|key| hash(&known, key.to_le_bytes()) % 1024 == 5).take(1024).collect();
        let spread = |seed| at_each(1024, chosen.iter().map(|key| hash(seed, key.to_le_bytes())));
        assert_eq!(most(&spread(&known)), 1024);
        let fullest = most(&spread(&other));
        assert!(fullest <= 12, "{fullest} of 1,024 keys at one of 1,024 places");
    }

    /// A look-up reads the 16 places around its first one at once, and goes on only if all are taken.
    #[test]
    fn a_million_keys_of_one_prefix_are_as_even_as_chance() {
        type Family = (&'static str, fn(u64) -> String);
        let families: [Family; 4] = [
            ("numbers at the end", |number| format!("tenant-7:user:{number:026}")),
            ("numbers at the start", |number| format!("{number:08}:a-name-that-all-of-them-share")),
            ("addresses", |number| format!("10.{}.{}.{}", number >> 16, number >> 8 & 255, number & 255)),
            ("two letters", |number| (0..40).map(|bit| if number >> (bit / 2) & 1 == 0 { 'a' } else { 'b' }).collect()),
        ];
        let seed = HashSeed::new(0, 0);
        for (name, key) in families {
            let groups = at_each(1 << 17, (0..1_000_000).map(|number| hash(&seed, &*key(number)) >> 4));
            // By chance there are 8.6 keys in a key's group on average, itself included, and some 27 in the fullest.
            let tenths = groups.iter().map(|count| count * count).sum::<u64>() / 100_000;
            assert!(tenths <= 95, "{tenths} tenths of a key in a key's group: {name}");
            assert!(most(&groups) <= 50, "{} keys in a group: {name}", most(&groups));
        }
    }

    #[test]
    fn shares_go_from_three_quarters_of_the_average_to_three_halves() {
        for stripes in [1_usize, 2, 3, 64] {
            let (shares, mut counts) = (Shares::new(stripes), vec![0_usize; stripes]);
            let parts = stripes << 12;
            for part in 0..parts {
                counts[shares.pick((part as u64 * (1 << 31) / parts as u64) << 26)] += 1;
            }
            assert!(counts.is_sorted());
            assert!(counts[0] >= (1 << 12) * 3 / 4 && counts[stripes - 1] <= (1 << 12) * 3 / 2, "{counts:?}");
        }
    }
}
