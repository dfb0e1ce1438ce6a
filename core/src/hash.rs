//! The seeded hash of a key's words, and the stripe it picks.

use core::hash::Hasher;
use foldhash::{SharedSeed, fast::FoldHasher};

/// Secrets that the hash depends on, so that nobody can choose keys that collide.
#[derive(Debug)]
pub(crate) struct HashSeed {
    own: u64,
    shared: SharedSeed,
}

impl HashSeed {
    pub(crate) fn new(own: u64, shared: u64) -> HashSeed {
        HashSeed { own, shared: SharedSeed::from_u64(shared) }
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

    #[inline(always)]
    pub(crate) fn hash(&self, words: &[u64]) -> u64 {
        let mut hasher = FoldHasher::with_seed(self.own, &self.shared);
        for word in words {
            hasher.write_u64(*word);
        }
        hasher.finish()
    }
}

/// Deals keys out to stripes, to some twice as many as to others.
///
/// A table doubles when it is full. Equal stripes would all double at about the same time, and a limiter that has just
/// passed that point would take twice the memory a key. Shares that go smoothly from 3/4 to 3/2 of the average make the
/// stripes double one after the other, so that about as much is spare at any number of keys.
#[derive(Debug)]
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
