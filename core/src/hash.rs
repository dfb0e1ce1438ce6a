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

    /// Draws a seed from those that the standard library has read from the operating system.
    #[cfg(feature = "std")]
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

/// Picks one of `stripes` by bits that a stripe's own table uses little: it takes the top seven and the lowest.
#[inline]
pub(crate) fn stripe_of(hash: u64, stripes: usize) -> usize {
    let middle = (hash >> 25) & u64::from(u32::MAX);
    usize::try_from((middle * stripes as u64) >> 32).unwrap_or(0)
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
