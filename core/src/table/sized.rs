//! Rows by the size of their keys, each size a type with tables of its own: the quickest, and most code. With `std`.

use super::row::{self, Memory};
use crate::hash::HashSeed;
use crate::key::{Identity, Long, Middle, Short, TAG_BITS};
use hashbrown::HashTable;

/// Row of `W` words of state, for keys that `B` holds.
pub(super) struct Row<const W: usize, B> {
    head: u64,
    words: [u64; W],
    key: B,
}

impl<const W: usize, B: AsRef<[u64]>> Row<W, B> {
    #[inline(always)]
    fn is(&self, identity: &Identity<B>) -> bool {
        // Word by word: the identity has just been written so, and a wider read of it would have to wait.
        let same = |(a, b): (&u64, &u64)| a == b;
        row::tag(self.head) == identity.tag && self.key.as_ref().iter().zip(identity.words.as_ref()).all(same)
    }
}

impl<const W: usize, B> Memory for &mut Row<W, B> {
    #[inline(always)]
    fn clock(&self) -> u64 {
        self.head >> TAG_BITS
    }

    #[inline(always)]
    fn set_clock(&mut self, clock: u64) {
        self.head = row::head(clock, row::tag(self.head));
    }

    #[inline(always)]
    fn words_mut(&mut self) -> &mut [u64] {
        &mut self.words
    }
}

/// The rows of a stripe, by the size of their keys, the most usual size first.
#[repr(C)]
pub(super) struct Sizes<const W: usize> {
    middle: HashTable<Row<W, Middle>>,
    short: HashTable<Row<W, Short>>,
    long: HashTable<Row<W, Long>>,
}

/// A size of key, with a table of its own.
pub(super) trait Size: AsRef<[u64]> + Copy + 'static {
    fn table<const W: usize>(rows: &mut Sizes<W>) -> &mut HashTable<Row<W, Self>>;
    fn hash(&self, seed: &HashSeed) -> u64;
}

macro_rules! size {
    ($size:ident, $table:ident) => {
        impl Size for $size {
            #[inline(always)]
            fn table<const W: usize>(rows: &mut Sizes<W>) -> &mut HashTable<Row<W, $size>> {
                &mut rows.$table
            }

            #[inline(always)]
            fn hash(&self, seed: &HashSeed) -> u64 {
                seed.hash(self)
            }
        }
    };
}
size!(Short, short);
size!(Middle, middle);
size!(Long, long);

impl<const W: usize> Sizes<W> {
    /// How many sizes there are.
    pub(super) const COUNT: usize = 3;

    pub(super) fn new(_words: usize) -> Sizes<W> {
        Sizes { middle: HashTable::new(), short: HashTable::new(), long: HashTable::new() }
    }

    /// Returns the most bytes that a row can take: the longest key's, with the byte that its table keeps of each
    /// bucket, in a table that has just doubled and so is 49/128 full: by half of 7/8 of 7/8, as [`make_room`] says.
    pub(super) fn max_row_bytes(_words: usize) -> u64 {
        ((size_of::<Row<W, Long>>() as u64 + 1) * 128).div_ceil(49)
    }

    pub(super) fn len(&self) -> u64 {
        (self.short.len() + self.middle.len() + self.long.len()) as u64
    }

    #[inline(always)]
    pub(super) fn find<'a, B: Size>(&'a mut self, hash: u64, identity: &Identity<B>) -> Option<&'a mut Row<W, B>> {
        B::table(self).find_mut(hash, |row| row.is(identity))
    }

    /// Puts in a row of a key that has none; says whether rows may have changed places.
    pub(super) fn insert<B: Size>(
        &mut self,
        hash: u64,
        identity: &Identity<B>,
        clock: u64,
        words: [u64; W],
        seed: &HashSeed,
    ) -> bool {
        let table = B::table(self);
        let moves = table.len() == table.capacity();
        if moves {
            make_room(table, seed);
        }
        let row = Row { head: row::head(clock, identity.tag), words, key: identity.words };
        table.insert_unique(hash, row, |row| row.key.hash(seed));
        moves
    }

    /// Takes a key's row out and returns its words.
    pub(super) fn remove<B: Size>(&mut self, hash: u64, identity: &Identity<B>) -> Option<[u64; W]> {
        let entry = B::table(self).find_entry(hash, |row| row.is(identity)).ok()?;
        Some(entry.remove().0.words)
    }

    /// Takes out the rows that are idle of up to `budget` buckets of a size on from `bucket`; returns the bucket that
    /// it has come to, if there are more.
    pub(super) fn sweep(
        &mut self,
        size: usize,
        bucket: usize,
        budget: usize,
        idle: impl FnMut(u64, &mut [u64]) -> bool,
    ) -> Option<usize> {
        match size {
            0 => sweep(&mut self.middle, bucket, budget, idle),
            1 => sweep(&mut self.short, bucket, budget, idle),
            _ => sweep(&mut self.long, bucket, budget, idle),
        }
    }

    /// Tells whether the memory of a size is much too large for its rows.
    pub(super) fn is_sparse(&self, size: usize) -> bool {
        let (len, capacity) = match size {
            0 => (self.middle.len(), self.middle.capacity()),
            1 => (self.short.len(), self.short.capacity()),
            _ => (self.long.len(), self.long.capacity()),
        };
        capacity > 4 * len
    }

    /// Gives back memory of a size, and puts its rows into other places.
    pub(super) fn shrink(&mut self, size: usize, seed: &HashSeed) {
        match size {
            0 => shrink(&mut self.middle, seed),
            1 => shrink(&mut self.short, seed),
            _ => shrink(&mut self.long, seed),
        }
    }
}

fn sweep<const W: usize, B>(
    table: &mut HashTable<Row<W, B>>,
    bucket: usize,
    budget: usize,
    mut idle: impl FnMut(u64, &mut [u64]) -> bool,
) -> Option<usize> {
    let end = table.num_buckets().min(bucket.saturating_add(budget));
    for bucket in bucket..end {
        let Ok(entry) = table.get_bucket_entry(bucket) else { continue };
        let (clock, mut words) = (entry.get().head >> TAG_BITS, entry.get().words);
        if idle(clock, &mut words) {
            entry.remove();
        }
    }
    (end < table.num_buckets()).then_some(end)
}

/// Lays the rows of a table that has no room out anew, in as many buckets, if an eighth or more of what it may take are
/// only marks of rows that went. Left alone it would double as soon as more than a half of that are rows, and as keys
/// come and go take twice the memory that their number needs.
#[cold]
#[inline(never)]
fn make_room<const W: usize, B: Size>(table: &mut HashTable<Row<W, B>>, seed: &HashSeed) {
    let full = table.num_buckets() / 8 * 7;
    if table.len() < full - full / 8 {
        let rows = core::mem::replace(table, HashTable::with_capacity(full));
        for row in rows {
            table.insert_unique(row.key.hash(seed), row, |row| row.key.hash(seed));
        }
    }
}

fn shrink<const W: usize, B: Size>(table: &mut HashTable<Row<W, B>>, seed: &HashSeed) {
    table.shrink_to(2 * table.len(), |row| row.key.hash(seed));
}
