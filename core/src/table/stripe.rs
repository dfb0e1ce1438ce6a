//! A share of the rows under one lock.
//!
//! A row is read and written by whoever holds that lock, and by nobody else: it is reached through the guard, and the
//! compiler sees to that, there being no `unsafe` here. So nobody sees a row half written, and a sweep finds each row
//! as one call left it and the next one will find it. Loom tries it in every order (`tests/loom`).

use super::row::Row;
use crate::algorithm::{Call, Logs, OneWord, Outcome, Rules, State};
use crate::hash::HashSeed;
#[cfg(feature = "std")]
use crate::key::Short;
use crate::key::{Identity, Long, Middle};
use core::fmt::Debug;
use hashbrown::HashTable;

#[derive(Debug, Default)]
pub(super) struct Stripe<const W: usize> {
    rows: Sizes<W>,
    logs: Logs,
    pub(super) allowed: u64,
    pub(super) denied: u64,
    pub(super) saturated: u64,
    /// Counts the times that rows may have changed places, which a sweep half-way must know.
    moves: u64,
}

/// The rows, by the size of their keys.
#[derive(Debug, Default)]
pub(super) struct Sizes<const W: usize> {
    #[cfg(feature = "std")]
    short: HashTable<Row<W, Short>>,
    middle: HashTable<Row<W, Middle>>,
    long: HashTable<Row<W, Long>>,
}

impl<const W: usize> Sizes<W> {
    fn len(&self) -> u64 {
        let rows = self.middle.len() + self.long.len();
        #[cfg(feature = "std")]
        let rows = rows + self.short.len();
        rows as u64
    }
}

const SIZES: usize = if cfg!(feature = "std") { 3 } else { 2 };

/// A size of key, with a table of its own.
pub(super) trait Size: AsRef<[u64]> + Copy + Debug {
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
#[cfg(feature = "std")]
size!(Short, short);
size!(Middle, middle);
size!(Long, long);

/// Where a sweep stands within a stripe.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Cursor {
    size: usize,
    bucket: usize,
    moves: u64,
}

/// How a sweep judges rows.
#[derive(Clone, Copy)]
pub(super) struct Broom<'a> {
    pub(super) rules: &'a Rules,
    pub(super) sweep_time: u64,
    pub(super) seed: &'a HashSeed,
    /// Buckets that may be looked at.
    pub(super) budget: usize,
}

/// A row that was found, and what a decision for it changes.
pub(super) struct Found<'a, const W: usize, B> {
    row: &'a mut Row<W, B>,
    logs: &'a mut Logs,
    allowed: &'a mut u64,
    denied: &'a mut u64,
}

impl<const W: usize, B: Size> Found<'_, W, B> {
    /// Decides at `call.now`, or the row's clock if that is later.
    pub(super) fn decide(self, rules: &Rules, call: Call, take: bool) -> Outcome {
        self.decide_by(call, take, |words, logs, clock, call| {
            rules.decide(&mut State { clock, words, logs }, call, take)
        })
    }

    /// Decides as [`decide`](Found::decide) does, by a rule of one word.
    #[inline(always)]
    pub(super) fn decide_one_word(self, rule: &OneWord, call: Call, take: bool) -> Outcome {
        self.decide_by(call, take, |words, _, clock, call| rule.decide(&mut words[0], clock, call, take))
    }

    #[inline(always)]
    fn decide_by(
        self,
        mut call: Call,
        take: bool,
        decide: impl FnOnce(&mut [u64; W], &mut Logs, u64, Call) -> Outcome,
    ) -> Outcome {
        let clock = self.row.clock();
        if clock > call.now {
            call.now = ahead(clock);
        }
        let outcome = decide(self.row.words_mut(), self.logs, clock, call);
        if take && outcome.is_allowed() {
            self.row.set_clock(call.now);
            *self.allowed += 1;
        } else if take {
            *self.denied += 1;
        }
        outcome
    }

    /// Reads or changes what the row remembers, at `now`, or the row's clock if that is later.
    pub(super) fn visit<R>(self, now: u64, visit: impl FnOnce(&mut State<'_>, u64) -> R) -> R {
        let clock = self.row.clock();
        visit(&mut State { clock, words: self.row.words_mut(), logs: self.logs }, now.max(clock))
    }
}

/// Returns the clock of a row that is ahead. A call, so that the usual case is a branch that is foreseen: what follows
/// from the time then need not wait for the row to come from memory.
#[cold]
#[inline(never)]
fn ahead(clock: u64) -> u64 {
    clock
}

impl<const W: usize> Stripe<W> {
    /// Bytes of a row of the longest key, with the byte that its table keeps of each bucket.
    pub(super) const MAX_ROW_BYTES: usize = size_of::<Row<W, Long>>() + 1;

    /// Finds a key's row.
    #[inline(always)]
    pub(super) fn find<B: Size>(&mut self, hash: u64, identity: &Identity<B>) -> Option<Found<'_, W, B>> {
        let row = B::table(&mut self.rows).find_mut(hash, |row| row.is(identity))?;
        Some(Found { row, logs: &mut self.logs, allowed: &mut self.allowed, denied: &mut self.denied })
    }

    /// Decides for a key that has no row; `seed` is given to take the permits and put the row in.
    pub(super) fn decide_new<B: Size>(
        &mut self,
        hash: u64,
        identity: &Identity<B>,
        rules: &Rules,
        call: Call,
        seed: Option<&HashSeed>,
    ) -> Outcome {
        let mut words = [0; W];
        rules.fresh(&mut words);
        let mut state = State { clock: call.now, words: &mut words, logs: &mut self.logs };
        let outcome = rules.decide(&mut state, call, seed.is_some());
        if let Some(seed) = seed {
            self.allowed += 1;
            let table = B::table(&mut self.rows);
            if table.len() == table.capacity() {
                self.moves += 1;
            }
            table.insert_unique(hash, Row::new(identity, call.now, words), |row| row.key.hash(seed));
        }
        outcome
    }

    pub(super) fn remove<B: Size>(&mut self, hash: u64, identity: &Identity<B>, rules: &Rules) -> bool {
        let Ok(entry) = B::table(&mut self.rows).find_entry(hash, |row| row.is(identity)) else { return false };
        let (row, _) = entry.remove();
        rules.forget(&row.words(), &mut self.logs);
        true
    }

    /// Forgets every row, keeps what was counted, and returns how many rows there were.
    pub(super) fn clear(&mut self) -> u64 {
        let rows = core::mem::take(&mut self.rows);
        self.logs = Logs::default();
        self.moves += 1;
        rows.len()
    }

    /// Removes idle rows on from the cursor; returns how many, and whether it came to the end.
    pub(super) fn sweep(&mut self, cursor: &mut Cursor, broom: Broom<'_>) -> (u64, bool) {
        let removed = match cursor.size {
            0 => self.sweep_size::<Middle>(cursor, broom),
            #[cfg(feature = "std")]
            1 => self.sweep_size::<Short>(cursor, broom),
            _ => self.sweep_size::<Long>(cursor, broom),
        };
        (removed, cursor.size == SIZES)
    }

    fn sweep_size<B: Size>(&mut self, cursor: &mut Cursor, broom: Broom<'_>) -> u64 {
        if cursor.moves != self.moves {
            *cursor = Cursor { size: cursor.size, bucket: 0, moves: self.moves };
        }
        let table = B::table(&mut self.rows);
        let end = table.num_buckets().min(cursor.bucket.saturating_add(broom.budget));
        let mut removed = 0;
        for bucket in cursor.bucket..end {
            let Ok(entry) = table.get_bucket_entry(bucket) else { continue };
            let (clock, mut words) = (entry.get().clock(), entry.get().words());
            let state = State { clock, words: &mut words, logs: &mut self.logs };
            if clock <= broom.sweep_time && broom.rules.idle(&state, broom.sweep_time) {
                entry.remove();
                broom.rules.forget(&words, &mut self.logs);
                removed += 1;
            }
        }
        cursor.bucket = end;
        if end == table.num_buckets() {
            if table.capacity() > 4 * table.len() {
                table.shrink_to(table.len(), |row| row.key.hash(broom.seed));
                self.moves += 1;
            }
            *cursor = Cursor { size: cursor.size + 1, bucket: 0, moves: self.moves };
        }
        removed
    }
}
