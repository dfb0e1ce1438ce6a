//! How much memory one key can take, by the core's layout of a row.

use super::bound::Numbers;

/// A row: its clock and tag, the policies' words, and room for the longest key.
const HEAD: u64 = 8;
const WORD: u64 = 8;
const KEY: u64 = 64;
/// An entry of a sliding window's log, and what a log and the list of logs take beside their entries.
const LOG_ENTRY: u64 = 12;
const LOG_HEAD: u64 = 64;

/// Returns the bytes that a key takes at worst: a long key, in a table that has just doubled, its logs just grown.
pub(super) fn at_worst(policies: &[Numbers]) -> u64 {
    let words: u64 = policies.iter().map(|policy| if let Numbers::Sliding { .. } = policy { 2 } else { 1 }).sum();
    let row = HEAD + WORD * words.next_power_of_two() + KEY;
    // A table with a byte of its own for each slot is at least 7/16 full after it has doubled.
    let slots = ((row + 1) * 16).div_ceil(7);
    policies.iter().map(|policy| log(*policy)).fold(slots, u64::saturating_add)
}

/// Returns the bytes of a sliding window's log at its longest: one entry a millisecond, in room that has just doubled.
fn log(policy: Numbers) -> u64 {
    match policy {
        Numbers::Sliding { limit, window_ms } => limit.min(window_ms) * 2 * LOG_ENTRY + LOG_HEAD,
        Numbers::Fixed { .. } | Numbers::Bucket { .. } => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sliding_window_costs_by_its_limit_and_the_others_the_same() {
        let fixed = Numbers::Fixed { limit: 100, window_ms: 60_000 };
        let bucket = Numbers::Bucket { capacity: 1000, refill: 1, period_ms: 1000 };
        let sliding = |limit| Numbers::Sliding { limit, window_ms: 60_000 };
        assert_eq!(at_worst(&[fixed]), 186);
        assert_eq!(at_worst(&[bucket]), at_worst(&[fixed]));
        assert_eq!(at_worst(&[fixed, bucket]), 204);
        assert_eq!(at_worst(&[sliding(1000)]) - at_worst(&[sliding(10)]), 990 * 24);
        assert_eq!(
            at_worst(&[sliding(100_000)]),
            at_worst(&[sliding(60_000)]),
            "an entry holds a millisecond's permits"
        );
    }
}
