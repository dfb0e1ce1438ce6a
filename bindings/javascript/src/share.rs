//! Limiters that other threads of the process may open.

use ratelimit_core::Limiter;
use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

/// By a number that other processes do not guess. They stay: who will open one, and when, nobody can know.
static SHARED: LazyLock<Mutex<HashMap<u64, Arc<Limiter>>>> = LazyLock::new(Mutex::default);
static NUMBERS: LazyLock<RandomState> = LazyLock::new(RandomState::new);

/// JavaScript counts exactly up to here.
const BITS: u32 = 53;

/// Gives a limiter its number; the same one each time.
pub(crate) fn share(limiter: &Arc<Limiter>) -> u64 {
    let mut shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((number, _)) = shared.iter().find(|(_, other)| Arc::ptr_eq(other, limiter)) {
        return *number;
    }
    let number = (shared.len()..)
        .map(|count| NUMBERS.hash_one(count) >> (u64::BITS - BITS))
        .find(|number| !shared.contains_key(number))
        .unwrap_or_default();
    shared.insert(number, Arc::clone(limiter));
    number
}

/// Returns the limiter of that number.
pub(crate) fn open(number: u64) -> Option<Arc<Limiter>> {
    SHARED.lock().unwrap_or_else(PoisonError::into_inner).get(&number).cloned()
}
