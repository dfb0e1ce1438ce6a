//! Rows of any size in one list of numbers: one piece of code for all widths and sizes, and so little of it. Without
//! `std`, for builds that are sent over a network.
//!
//! A table has places of so many numbers each. A key's row lies in the first place on from where its hash points that
//! was free when it came; a search ends at a place that never was in use.

use super::row::{self, Memory};
use crate::hash::HashSeed;
use crate::key::{Identity, TAG_BITS, Words};
use alloc::vec;
use alloc::vec::Vec;

/// First number of a place that never was in use, and of one whose row was taken out. A row's has a bit that they lack.
const FREE: u64 = 0;
const LEFT: u64 = 1;
const ROW: u64 = 1 << 63;

/// Numbers that each size of key takes.
const KEYS: [usize; 3] = [2, 5, 8];

/// A key of any size.
pub(super) trait Size: AsRef<[u64]> + Copy + 'static {
    fn hash(&self, seed: &HashSeed) -> u64;
}

impl Size for Words {
    #[inline(always)]
    fn hash(&self, seed: &HashSeed) -> u64 {
        let (words, length) = self.padded();
        seed.hash_padded(words, length)
    }
}

/// The rows of a stripe, by the size of their keys.
pub(super) struct Sizes<const W: usize>([Rows; KEYS.len()]);

/// Rows of one size.
struct Rows {
    numbers: Vec<u64>,
    places: usize,
    /// Places that are not free, and those with rows.
    used: usize,
    len: usize,
    /// Numbers of a row's state, and of all of it.
    words: usize,
    stride: usize,
}

/// One row.
pub(super) struct Row<'a> {
    numbers: &'a mut [u64],
    words: usize,
}

impl Memory for Row<'_> {
    #[inline(always)]
    fn clock(&self) -> u64 {
        clock(self.numbers[0])
    }

    #[inline(always)]
    fn set_clock(&mut self, clock: u64) {
        self.numbers[0] = ROW | row::head(clock, row::tag(self.numbers[0]));
    }

    #[inline(always)]
    fn words_mut(&mut self) -> &mut [u64] {
        &mut self.numbers[1..][..self.words]
    }
}

#[inline(always)]
fn clock(head: u64) -> u64 {
    (head & !ROW) >> TAG_BITS
}

impl Rows {
    fn new(words: usize, key: usize) -> Rows {
        Rows { numbers: Vec::new(), places: 0, used: 0, len: 0, words, stride: 1 + words + key }
    }

    /// Returns where a hash points to, by bits that pick no stripe.
    #[inline(always)]
    fn home(&self, hash: u64) -> usize {
        let place = ((hash & 0xffff_ffff) * self.places as u64) >> 32;
        usize::try_from(place).unwrap_or(0) * self.stride
    }

    /// Finds where a key's row begins.
    #[inline(always)]
    fn find(&self, hash: u64, identity: &Identity<impl Size>) -> Option<usize> {
        let mut start = self.home(hash);
        // With nothing in it there is no place to look at.
        while let Some(place) = self.numbers.get(start..start + self.stride) {
            if place[0] & ROW != 0 {
                // From the end: keys begin alike.
                let same = |(a, b): (&u64, &u64)| a == b;
                let key = place[1 + self.words..].iter().rev();
                if row::tag(place[0]) == identity.tag && key.zip(identity.words.as_ref().iter().rev()).all(same) {
                    return Some(start);
                }
            } else if place[0] == FREE {
                return None;
            }
            start = self.after(start);
        }
        None
    }

    #[inline(always)]
    fn after(&self, start: usize) -> usize {
        let next = start + self.stride;
        if next == self.numbers.len() { 0 } else { next }
    }

    /// Writes a row into the first place on from its home that has none.
    fn put(&mut self, hash: u64, head: u64, words: &[u64], key: &[u64]) {
        let mut start = self.home(hash);
        while self.numbers[start] & ROW != 0 {
            start = self.after(start);
        }
        self.used += usize::from(self.numbers[start] == FREE);
        self.len += 1;
        let place = &mut self.numbers[start..start + self.stride];
        place[0] = head;
        let (state, rest) = place[1..].split_at_mut(self.words);
        state.copy_from_slice(&words[..state.len()]);
        rest.copy_from_slice(key);
    }

    /// Frees a row's place.
    fn take_out(&mut self, start: usize) {
        // A search need not go on beyond it if it would end at the next one.
        let is_last = self.numbers[self.after(start)] == FREE;
        self.numbers[start] = if is_last { FREE } else { LEFT };
        self.used -= usize::from(is_last);
        self.len -= 1;
    }

    /// Lays the rows out anew, over places of which `len` rows take 8 of 15.
    #[inline(never)]
    fn lay_out(&mut self, len: usize, seed: &HashSeed) {
        let places = if len == 0 { 0 } else { (len * 15).div_ceil(8).max(4) };
        let old = core::mem::replace(&mut self.numbers, vec![0; places * self.stride]);
        (self.places, self.used, self.len) = (places, 0, 0);
        for place in old.chunks_exact(self.stride).filter(|place| place[0] & ROW != 0) {
            let (words, key) = place[1..].split_at(self.words);
            let mut padded = [0; 8];
            padded[..key.len()].copy_from_slice(key);
            self.put(seed.hash_padded(&padded, key.len()), place[0], words, key);
        }
    }
}

impl<const W: usize> Sizes<W> {
    /// How many sizes there are.
    pub(super) const COUNT: usize = KEYS.len();

    pub(super) fn new(words: usize) -> Sizes<W> {
        Sizes(KEYS.map(|key| Rows::new(words, key)))
    }

    /// Returns the most bytes that a row can take: the longest key's, in a table that has just grown, 8 of whose 15
    /// places are taken.
    pub(super) fn max_row_bytes(words: usize) -> u64 {
        ((1 + words + KEYS[KEYS.len() - 1]) as u64 * 8 * 15).div_ceil(8)
    }

    pub(super) fn len(&self) -> u64 {
        self.0.iter().map(|rows| rows.len as u64).sum()
    }

    #[inline(always)]
    fn of(&mut self, identity: &Identity<impl Size>) -> &mut Rows {
        let size = match identity.words.as_ref().len() {
            2 => 0,
            5 => 1,
            _ => 2,
        };
        &mut self.0[size]
    }

    #[inline(always)]
    pub(super) fn find<'a>(&'a mut self, hash: u64, identity: &Identity<impl Size>) -> Option<Row<'a>> {
        let rows = self.of(identity);
        let start = rows.find(hash, identity)?;
        Some(Row { numbers: &mut rows.numbers[start..start + rows.stride], words: rows.words })
    }

    /// Puts in a row of a key that has none; says whether rows may have changed places.
    pub(super) fn insert(
        &mut self,
        hash: u64,
        identity: &Identity<impl Size>,
        clock: u64,
        words: [u64; W],
        seed: &HashSeed,
    ) -> bool {
        let rows = self.of(identity);
        let is_full = 5 * (rows.used + 1) > 4 * rows.places;
        if is_full {
            rows.lay_out(rows.len + 1, seed);
        }
        rows.put(hash, ROW | row::head(clock, identity.tag), &words, identity.words.as_ref());
        is_full
    }

    /// Takes a key's row out and returns its words.
    pub(super) fn remove(&mut self, hash: u64, identity: &Identity<impl Size>) -> Option<[u64; W]> {
        let rows = self.of(identity);
        let start = rows.find(hash, identity)?;
        let mut words = [0; W];
        words[..rows.words].copy_from_slice(&rows.numbers[start + 1..][..rows.words]);
        rows.take_out(start);
        Some(words)
    }

    /// Takes out the rows that are idle of up to `budget` places of a size on from `place`; returns the place that it
    /// has come to, if there are more.
    pub(super) fn sweep(
        &mut self,
        size: usize,
        place: usize,
        budget: usize,
        mut idle: impl FnMut(u64, &mut [u64]) -> bool,
    ) -> Option<usize> {
        let rows = &mut self.0[size];
        let end = rows.places.min(place.saturating_add(budget));
        for place in place..end {
            let start = place * rows.stride;
            let (head, state) = (rows.numbers[start], &mut rows.numbers[start + 1..][..rows.words]);
            if head & ROW != 0 && idle(clock(head), state) {
                rows.take_out(start);
            }
        }
        (end < rows.places).then_some(end)
    }

    /// Tells whether the memory of a size is much too large for its rows.
    pub(super) fn is_sparse(&self, size: usize) -> bool {
        self.0[size].places > 5 * self.0[size].len
    }

    /// Gives back memory of a size, and puts its rows into other places.
    pub(super) fn shrink(&mut self, size: usize, seed: &HashSeed) {
        let rows = &mut self.0[size];
        rows.lay_out(2 * rows.len, seed);
    }
}

#[cfg(test)]
mod tests {
    use super::Rows;
    use crate::hash::HashSeed;
    use alloc::collections::BTreeSet;

    #[test]
    fn homes_are_spread_over_all_places() {
        let seed = HashSeed::new(1, 2);
        let mut rows = Rows::new(1, 2);
        rows.lay_out(1000, &seed);
        assert_eq!((rows.places, rows.numbers.len()), (1875, 1875 * 4));
        let hash = |number| seed.hash_padded(&[number, 0, 0, 0, 0, 0, 0, 0], 2);
        let homes: BTreeSet<_> = (0..1000).map(|number| rows.home(hash(number)) / 4).collect();
        // By chance so many keys have 775 homes of so many.
        assert!(homes.len() > 725, "{} homes", homes.len());
        assert!(homes.first() < Some(&50) && homes.last() > Some(&1825) && homes.last() < Some(&1875));
    }
}
