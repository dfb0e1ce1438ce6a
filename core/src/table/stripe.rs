//! A share of the rows under one lock.

use super::row::{Memory, Row};
use crate::algorithm::{Call, Logs, Rules, State};
use crate::decision::Decision;
use crate::hash::HashSeed;
use crate::key::{Identity, MAX_WHOLE};
use hashbrown::HashTable;

/// Longest key of a short row: an IPv4 address in text fits.
const SHORT: usize = 16;
/// Longest key of a middle row: an IPv6 address in text, a UUID, a digest.
const MIDDLE: usize = 40;

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

/// The rows, by the length of their keys.
#[derive(Debug, Default)]
struct Sizes<const W: usize> {
    short: HashTable<Row<W, SHORT>>,
    middle: HashTable<Row<W, MIDDLE>>,
    long: HashTable<Row<W, MAX_WHOLE>>,
}

/// Where a sweep stands within a stripe.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Cursor {
    size: usize,
    bucket: usize,
    moves: u64,
}

/// Runs the same expression on the table that holds keys of this length.
macro_rules! by_length {
    ($rows:expr, $length:expr, $table:ident => $run:expr) => {
        match $length {
            0..=SHORT => {
                let $table = &mut $rows.short;
                $run
            }
            0..=MIDDLE => {
                let $table = &mut $rows.middle;
                $run
            }
            _ => {
                let $table = &mut $rows.long;
                $run
            }
        }
    };
}

impl<const W: usize> Sizes<W> {
    #[inline(always)]
    fn find(&mut self, hash: u64, identity: &Identity<'_>) -> Option<Memory<'_, W>> {
        by_length!(self, identity.bytes.len(), table => table.find_mut(hash, |row| row.is(identity)).map(Row::memory))
    }
}

/// A row that was found, and what a decision for it changes.
pub(super) struct Found<'a, const W: usize> {
    memory: Memory<'a, W>,
    logs: &'a mut Logs,
    allowed: &'a mut u64,
    denied: &'a mut u64,
}

impl<const W: usize> Found<'_, W> {
    /// Decides at `call.now`, or the row's clock if that is later.
    #[inline(always)]
    pub(super) fn decide(mut self, rules: &Rules, mut call: Call, take: bool) -> Decision {
        let clock = self.memory.clock();
        call.now = call.now.max(clock);
        let decision = rules.decide(self.memory.words, self.logs, clock, call, take);
        let allowed = decision.is_allowed();
        if take && allowed {
            self.memory.set_clock(call.now);
        }
        *self.allowed += u64::from(take & allowed);
        *self.denied += u64::from(take & !allowed);
        decision
    }

    /// Reads or changes what the row remembers, at `now`, or the row's clock if that is later.
    pub(super) fn visit<R>(self, now: u64, visit: impl FnOnce(&mut State<'_>, u64) -> R) -> R {
        let clock = self.memory.clock();
        visit(&mut State { clock, words: self.memory.words, logs: self.logs }, now.max(clock))
    }
}

impl<const W: usize> Stripe<W> {
    /// Finds a key's row.
    #[inline(always)]
    pub(super) fn find(&mut self, hash: u64, identity: &Identity<'_>) -> Option<Found<'_, W>> {
        let memory = self.rows.find(hash, identity)?;
        Some(Found { memory, logs: &mut self.logs, allowed: &mut self.allowed, denied: &mut self.denied })
    }

    /// Decides for a key that has none; `seed` is given to take the permits and put the row in.
    pub(super) fn decide_new(
        &mut self,
        hash: u64,
        identity: &Identity<'_>,
        rules: &Rules,
        call: Call,
        seed: Option<&HashSeed>,
    ) -> Decision {
        let mut words = [0; W];
        rules.fresh(&mut words);
        let decision = rules.decide(&mut words, &mut self.logs, call.now, call, seed.is_some());
        if let Some(seed) = seed {
            self.allowed += 1;
            by_length!(self.rows, identity.bytes.len(), table => {
                if table.len() == table.capacity() {
                    self.moves += 1;
                }
                let row = Row::new(identity, call.now, words);
                table.insert_unique(hash, row, |row| seed.hash(row.bytes()));
            });
        }
        decision
    }

    pub(super) fn remove(&mut self, hash: u64, identity: &Identity<'_>, rules: &Rules) -> bool {
        by_length!(self.rows, identity.bytes.len(), table => {
            let Ok(entry) = table.find_entry(hash, |row| row.is(identity)) else { return false };
            let (row, _) = entry.remove();
            rules.forget(&row.words, &mut self.logs);
            true
        })
    }

    /// Forgets every row, keeps what was counted, and returns how many rows there were.
    pub(super) fn clear(&mut self) -> u64 {
        let Sizes { short, middle, long } = core::mem::take(&mut self.rows);
        self.logs = Logs::default();
        self.moves += 1;
        (short.len() + middle.len() + long.len()) as u64
    }

    /// Removes idle rows from up to `budget` buckets on from the cursor; returns how many, and whether it came to the end.
    pub(super) fn sweep(
        &mut self,
        cursor: &mut Cursor,
        budget: usize,
        rules: &Rules,
        sweep_time: u64,
        seed: &HashSeed,
    ) -> (u64, bool) {
        if cursor.moves != self.moves {
            *cursor = Cursor { size: cursor.size, bucket: 0, moves: self.moves };
        }
        let length = [SHORT, MIDDLE, MAX_WHOLE][cursor.size];
        let (removed, done) = by_length!(self.rows, length, table => {
            let end = table.num_buckets().min(cursor.bucket.saturating_add(budget));
            let mut removed = 0;
            for bucket in cursor.bucket..end {
                let Ok(entry) = table.get_bucket_entry(bucket) else { continue };
                let mut words = entry.get().words;
                let clock = entry.get().clock();
                let state = State { clock, words: &mut words, logs: &mut self.logs };
                if clock <= sweep_time && rules.idle(&state, sweep_time) {
                    entry.remove();
                    rules.forget(&words, &mut self.logs);
                    removed += 1;
                }
            }
            cursor.bucket = end;
            let done = end == table.num_buckets();
            if done && table.capacity() > 4 * table.len() {
                table.shrink_to(table.len(), |row| seed.hash(row.bytes()));
                self.moves += 1;
            }
            (removed, done)
        });
        if done {
            *cursor = Cursor { size: cursor.size + 1, bucket: 0, moves: self.moves };
        }
        (removed, cursor.size == 3)
    }
}
