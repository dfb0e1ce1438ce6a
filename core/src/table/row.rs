//! One identity's memory: its key, its clock and its policies' words.

use crate::key::{Identity, TAG_BITS};

/// Row of `W` words of state, for keys that `B` holds.
///
/// `head` is the row's clock and, below, the key's tag: 52 bits and 9.
#[derive(Debug)]
pub(super) struct Row<const W: usize, B> {
    head: u64,
    words: [u64; W],
    pub(super) key: B,
}

const TAG: u64 = (1 << TAG_BITS) - 1;

impl<const W: usize, B: AsRef<[u64]> + Copy> Row<W, B> {
    pub(super) fn new(identity: &Identity<B>, clock: u64, words: [u64; W]) -> Row<W, B> {
        Row { head: clock << TAG_BITS | identity.tag, words, key: identity.words }
    }

    #[inline(always)]
    pub(super) fn is(&self, identity: &Identity<B>) -> bool {
        // Word by word: the identity has just been written so, and a wider read of it would have to wait.
        let same = |(a, b): (&u64, &u64)| a == b;
        self.head & TAG == identity.tag && self.key.as_ref().iter().zip(identity.words.as_ref()).all(same)
    }

    #[inline]
    pub(super) fn clock(&self) -> u64 {
        self.head >> TAG_BITS
    }

    #[inline]
    pub(super) fn set_clock(&mut self, clock: u64) {
        self.head = clock << TAG_BITS | self.head & TAG;
    }

    pub(super) fn words(&self) -> [u64; W] {
        self.words
    }

    #[inline]
    pub(super) fn words_mut(&mut self) -> &mut [u64; W] {
        &mut self.words
    }
}
