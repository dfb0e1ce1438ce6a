//! The identities that a log has: each distinct key once, numbered in the order of its first request.

use foldhash::fast::RandomState;
use indexmap::IndexMap;

/// Numbers distinct keys and counts the requests of each. This is all of a replay that grows with the log.
#[derive(Debug, Default)]
pub(crate) struct Identities {
    requests: IndexMap<Box<[u8]>, u64, RandomState>,
}

impl Identities {
    /// Counts a request of a key, and returns the key's number.
    pub(crate) fn count(&mut self, key: &[u8]) -> usize {
        if let Some((number, _, requests)) = self.requests.get_full_mut(key) {
            *requests += 1;
            return number;
        }
        self.requests.insert_full(key.into(), 1).0
    }

    /// Returns how many there are.
    pub(crate) fn len(&self) -> usize {
        self.requests.len()
    }

    /// Returns the key of that number and its requests.
    pub(crate) fn get(&self, number: usize) -> (&[u8], u64) {
        self.requests.get_index(number).map_or((&[], 0), |(key, requests)| (key, *requests))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_keeps_the_number_of_its_first_request() {
        let mut identities = Identities::default();
        assert_eq!(["b", "a", "b", "", "b"].map(|key| identities.count(key.as_bytes())), [0, 1, 0, 2, 0]);
        assert_eq!(identities.len(), 3);
        assert_eq!(identities.get(0), (&b"b"[..], 3));
        assert_eq!(identities.get(2), (&b""[..], 1));
    }
}
