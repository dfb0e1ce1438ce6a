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

    #[inline(always)]
    pub(super) fn is(&self, identity: &Identity<'_>) -> bool {
        // Equal tags mean equal lengths; the one that is known before the row is loaded is the quicker one.
        self.tag() == identity.tag && self.key.get(..identity.bytes.len()).is_some_and(|key| equal(key, identity.bytes))
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

    /// Lends what a decision needs, whatever the size of the key.
    #[inline]
    pub(super) fn memory(&mut self) -> Memory<'_, W> {
        Memory { head: &mut self.head, words: &mut self.words }
    }
}

/// A row's clock and words.
pub(super) struct Memory<'a, const W: usize> {
    head: &'a mut u64,
    pub(super) words: &'a mut [u64; W],
}

impl<const W: usize> Memory<'_, W> {
    #[inline]
    pub(super) fn clock(&self) -> u64 {
        *self.head >> TAG_BITS
    }

    #[inline]
    pub(super) fn set_clock(&mut self, clock: u64) {
        *self.head = clock << TAG_BITS | *self.head & TAG;
    }
}

/// Compares in place, in blocks of which the last may overlap the one before: a call to the C library's comparison
/// would cost the registers around it.
#[inline(always)]
fn equal(a: &[u8], b: &[u8]) -> bool {
    if let (Some(a_last), Some(b_last)) = (a.last_chunk::<16>(), b.last_chunk::<16>()) {
        let (a_blocks, b_blocks) = (a.as_chunks::<16>().0, b.as_chunks::<16>().0);
        return a_last == b_last && a_blocks.iter().zip(b_blocks).all(|(a, b)| a == b);
    }
    match (a.last_chunk::<8>(), b.last_chunk::<8>()) {
        (Some(a_last), Some(b_last)) => a_last == b_last && a.first_chunk::<8>() == b.first_chunk::<8>(),
        _ => a == b,
    }
}
