//! A share of the rows under one lock.
//!
//! A row is read and written by whoever holds that lock, and by nobody else: it is reached through the guard, and the
//! compiler sees to that, there being no `unsafe` here. So nobody sees a row half written, and a sweep finds each row
//! as one call left it and the next one will find it. Loom tries it in every order (`tests/loom`).

#[cfg(not(feature = "std"))]
pub(super) use super::packed::{Size, Sizes};
use super::row::Memory;
#[cfg(feature = "std")]
pub(super) use super::sized::{Size, Sizes};
use crate::algorithm::{Call, Logs, OneWord, Outcome, Rules, SlidingWindow, State};
use crate::hash::HashSeed;
use crate::key::Identity;

/// In this order what most calls need lies beside the lock, on one line of the cache: the first count, and where the
/// tables of the two smaller sizes of keys are.
#[repr(C)]
pub(super) struct Stripe<const W: usize> {
    pub(super) allowed: u64,
    rows: Sizes<W>,
    logs: Logs,
    pub(super) denied: u64,
    pub(super) saturated: u64,
    /// Counts the times that new rows have moved others to other places, which a sweep half-way must know.
    moves: u64,
    /// Sizes whose memory the last sweep left much too large.
    sparse: [bool; Sizes::<0>::COUNT],
}

/// Where a sweep stands within a stripe.
#[derive(Clone, Copy, Default)]
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
    /// Whether memory that is much too large is given back at once, not only if it was so after the last sweep too:
    /// rows that come back with every burst of calls would have their tables grow anew each time.
    pub(super) thorough: bool,
}

/// A row that was found, and what a decision for it changes.
pub(super) struct Found<'a, M> {
    row: M,
    logs: &'a mut Logs,
    allowed: &'a mut u64,
    denied: &'a mut u64,
}

impl<M: Memory> Found<'_, M> {
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

    /// Decides as [`decide`](Found::decide) does, by the ends of the one rule's log; itself again if that fails.
    #[inline(always)]
    pub(super) fn decide_by_ends(mut self, rule: &SlidingWindow, call: Call, take: bool) -> Result<Outcome, Self> {
        let (clock, call) = self.times(call);
        match rule.decide_by_ends(self.row.words_mut(), self.logs, clock, call, take) {
            Some(outcome) => Ok(self.note(call, take, outcome)),
            None => Err(self),
        }
    }

    #[inline(always)]
    fn decide_by(
        mut self,
        call: Call,
        take: bool,
        decide: impl FnOnce(&mut [u64], &mut Logs, u64, Call) -> Outcome,
    ) -> Outcome {
        let (clock, call) = self.times(call);
        let outcome = decide(self.row.words_mut(), self.logs, clock, call);
        self.note(call, take, outcome)
    }

    /// Returns the row's clock, and the call at that if it is ahead.
    #[inline(always)]
    fn times(&self, call: Call) -> (u64, Call) {
        let clock = self.row.clock();
        let now = if clock > call.now { ahead(clock) } else { call.now };
        (clock, Call { now, ..call })
    }

    /// Notes what came of a call.
    #[inline(always)]
    fn note(mut self, call: Call, take: bool, outcome: Outcome) -> Outcome {
        if take && outcome.is_allowed() {
            self.row.set_clock(call.now);
            *self.allowed += 1;
        } else if take {
            *self.denied += 1;
        }
        outcome
    }

    /// Reads or changes what the row remembers, at `now`, or the row's clock if that is later.
    pub(super) fn visit<R>(mut self, now: u64, visit: impl FnOnce(&mut State<'_>, u64) -> R) -> R {
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
    pub(super) fn new(words: usize) -> Stripe<W> {
        let (rows, logs) = (Sizes::new(words), Logs::default());
        let sparse = [false; Sizes::<0>::COUNT];
        Stripe { rows, logs, allowed: 0, denied: 0, saturated: 0, moves: 0, sparse }
    }

    /// Finds a key's row. Without `std` this is one piece of code; the quick one is built into its caller.
    #[cfg_attr(feature = "std", inline(always))]
    #[cfg_attr(not(feature = "std"), inline(never))]
    pub(super) fn find<B: Size>(&mut self, hash: u64, identity: &Identity<B>) -> Option<Found<'_, impl Memory>> {
        self.find_at_once(hash, identity)
    }

    #[inline(always)]
    pub(super) fn find_at_once<B: Size>(
        &mut self,
        hash: u64,
        identity: &Identity<B>,
    ) -> Option<Found<'_, impl Memory>> {
        let row = self.rows.find(hash, identity)?;
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
            if self.rows.insert(hash, identity, call.now, words, seed) {
                self.moved(seed);
            }
        }
        outcome
    }

    /// Notes that a new row has moved others, likely into more memory. Sizes that the last sweep left with too much
    /// give theirs back at once then, so that keys of one length are not paid for on top of those of another.
    #[cold]
    #[inline(never)]
    fn moved(&mut self, seed: &HashSeed) {
        self.moves += 1;
        for size in 0..Sizes::<W>::COUNT {
            if self.sparse[size] && self.rows.is_sparse(size) {
                self.rows.shrink(size, seed);
            }
        }
    }

    pub(super) fn remove<B: Size>(&mut self, hash: u64, identity: &Identity<B>, rules: &Rules) -> bool {
        let Some(words) = self.rows.remove(hash, identity) else { return false };
        rules.forget(&words, &mut self.logs);
        true
    }

    /// Forgets every row, keeps what was counted, and returns how many rows there were.
    pub(super) fn clear(&mut self, words: usize) -> u64 {
        let rows = core::mem::replace(&mut self.rows, Sizes::new(words));
        self.logs = Logs::default();
        rows.len()
    }

    /// Removes idle rows on from the cursor; returns how many, and whether it came to the end.
    pub(super) fn sweep(&mut self, cursor: &mut Cursor, broom: Broom<'_>) -> (u64, bool) {
        if cursor.moves != self.moves {
            *cursor = Cursor { size: cursor.size, bucket: 0, moves: self.moves };
        }
        let (mut removed, logs) = (0, &mut self.logs);
        let next = self.rows.sweep(cursor.size, cursor.bucket, broom.budget, |clock, words| {
            let state = State { clock, words, logs };
            let idle = clock <= broom.sweep_time && broom.rules.idle(&state, broom.sweep_time);
            if idle {
                broom.rules.forget(state.words, state.logs);
                removed += 1;
            }
            idle
        });
        match next {
            Some(bucket) => cursor.bucket = bucket,
            None => {
                let was_sparse = &mut self.sparse[cursor.size];
                let sparse = self.rows.is_sparse(cursor.size);
                if sparse && (*was_sparse || broom.thorough) {
                    self.rows.shrink(cursor.size, broom.seed);
                }
                *was_sparse = sparse;
                *cursor = Cursor { size: cursor.size + 1, bucket: 0, moves: self.moves };
            }
        }
        (removed, cursor.size == Sizes::<W>::COUNT)
    }
}
