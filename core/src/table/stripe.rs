//! A share of the rows under one lock, in three tables by the length of their keys.

use super::row::Row;
use crate::algorithm::{Call, Logs, Rules, State};
use crate::decision::{Decision, Kind};
use crate::hash::HashSeed;
use crate::key::{Identity, MAX_WHOLE};
use hashbrown::HashTable;

/// Longest key of a short row: an IPv4 address in text fits.
const SHORT: usize = 16;
/// Longest key of a middle row: an IPv6 address in text, a UUID, a digest.
const MIDDLE: usize = 40;

#[derive(Debug, Default)]
pub(super) struct Stripe<const W: usize> {
    short: HashTable<Row<W, SHORT>>,
    middle: HashTable<Row<W, MIDDLE>>,
    long: HashTable<Row<W, MAX_WHOLE>>,
    pub(super) logs: Logs,
    pub(super) allowed: u64,
    pub(super) denied: u64,
    pub(super) saturated: u64,
    /// Counts the times that rows may have changed places, which a sweep half-way must know.
    moves: u64,
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
    ($stripe:expr, $length:expr, $table:ident => $run:expr) => {
        match $length {
            0..=SHORT => {
                let $table = &mut $stripe.short;
                $run
            }
            0..=MIDDLE => {
                let $table = &mut $stripe.middle;
                $run
            }
            _ => {
                let $table = &mut $stripe.long;
                $run
            }
        }
    };
}

impl<const W: usize> Stripe<W> {
    /// Decides for a key that has a row; `sweep_time` is the least time that may be used.
    #[inline]
    pub(super) fn decide(
        &mut self,
        hash: u64,
        identity: &Identity<'_>,
        rules: &Rules,
        mut call: Call,
        take: bool,
    ) -> Option<Decision> {
        by_length!(self, identity.bytes.len(), table => {
            let row = table.find_mut(hash, |row| row.is(identity))?;
            let clock = row.clock();
            call.now = call.now.max(clock);
            let mut state = State { clock, words: &mut row.words, logs: &mut self.logs };
            let decision = rules.decide(&mut state, call, take);
            if take && decision.is_allowed() {
                row.set_clock(call.now);
            }
            Some(decision)
        })
    }

    /// Decides for a key that has none; the row that an allowed call leaves is put in.
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
        let mut state = State { clock: call.now, words: &mut words, logs: &mut self.logs };
        let decision = rules.decide(&mut state, call, seed.is_some());
        if let Some(seed) = seed {
            by_length!(self, identity.bytes.len(), table => {
                if table.len() == table.capacity() {
                    self.moves += 1;
                }
                let row = Row::new(identity, call.now, words);
                table.insert_unique(hash, row, |row| seed.hash(row.bytes()));
            });
        }
        decision
    }

    /// Reads or changes what a key's row remembers, at the later of `now` and its clock; none without a row.
    pub(super) fn visit<R>(
        &mut self,
        hash: u64,
        identity: &Identity<'_>,
        now: u64,
        visit: impl FnOnce(&mut State<'_>, u64) -> R,
    ) -> Option<R> {
        by_length!(self, identity.bytes.len(), table => {
            let row = table.find_mut(hash, |row| row.is(identity))?;
            let clock = row.clock();
            let mut state = State { clock, words: &mut row.words, logs: &mut self.logs };
            Some(visit(&mut state, now.max(clock)))
        })
    }

    pub(super) fn remove(&mut self, hash: u64, identity: &Identity<'_>, rules: &Rules) -> bool {
        by_length!(self, identity.bytes.len(), table => {
            let Ok(entry) = table.find_entry(hash, |row| row.is(identity)) else { return false };
            let (row, _) = entry.remove();
            rules.forget(&row.words, &mut self.logs);
            true
        })
    }

    /// Forgets every row, keeps what was counted, and returns how many rows there were.
    pub(super) fn clear(&mut self) -> u64 {
        let rows = self.short.len() + self.middle.len() + self.long.len();
        *self = Stripe {
            allowed: self.allowed,
            denied: self.denied,
            saturated: self.saturated,
            moves: self.moves + 1,
            ..Stripe::default()
        };
        rows as u64
    }

    pub(super) fn count(&mut self, kind: Kind) {
        match kind {
            Kind::Allowed => self.allowed += 1,
            Kind::Denied => self.denied += 1,
            Kind::Saturated => self.saturated += 1,
            Kind::ExceedsLimit => {} // Never comes to a stripe.
        }
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
        let (removed, done) = by_length!(self, length, table => {
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
