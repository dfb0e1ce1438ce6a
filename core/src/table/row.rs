//! One identity's memory: its key, its clock and its policies' words, in three sizes of key.

use crate::key::{Identity, TAG_BITS, tag_length};

/// Row of `W` words of state and room for `K` bytes of key.
///
/// `head` is the row's clock and, below, the key's tag: 52 bits and 9.
#[derive(Debug)]
pub(super) struct Row<const W: usize, const K: usize> {
    head: u64,
    pub(super) words: [u64; W],
    key: [u8; K],
}

const TAG: u64 = (1 << TAG_BITS) - 1;

impl<const W: usize, const K: usize> Row<W, K> {
    pub(super) fn new(identity: &Identity<'_>, clock: u64, words: [u64; W]) -> Row<W, K> {
        let mut key = [0; K];
        key[..identity.bytes.len()].copy_from_slice(identity.bytes);
        Row { head: clock << TAG_BITS | u64::from(identity.tag), words, key }
    }

    #[inline]
    pub(super) fn is(&self, identity: &Identity<'_>) -> bool {
        self.tag() == identity.tag && self.bytes() == identity.bytes
    }

    #[inline]
    fn tag(&self) -> u16 {
        (self.head & TAG) as u16
    }

    #[inline]
    pub(super) fn bytes(&self) -> &[u8] {
        &self.key[..tag_length(self.tag())]
    }

    #[inline]
    pub(super) fn clock(&self) -> u64 {
        self.head >> TAG_BITS
    }

    #[inline]
    pub(super) fn set_clock(&mut self, clock: u64) {
        self.head = clock << TAG_BITS | self.head & TAG;
    }
}
