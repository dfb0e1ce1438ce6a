//! One identity's memory: its clock and tag in one number, then its policies' words, then its key.

use crate::key::TAG_BITS;

/// What a decision reads and writes of a row, wherever that lies.
pub(super) trait Memory {
    fn clock(&self) -> u64;
    fn set_clock(&mut self, clock: u64);
    fn words_mut(&mut self) -> &mut [u64];
}

const TAG: u64 = (1 << TAG_BITS) - 1;

/// Writes a row's clock and, below, its key's tag: 52 bits and 9.
#[inline(always)]
pub(super) fn head(clock: u64, tag: u64) -> u64 {
    clock << TAG_BITS | tag
}

#[inline(always)]
pub(super) fn tag(head: u64) -> u64 {
    head & TAG
}
