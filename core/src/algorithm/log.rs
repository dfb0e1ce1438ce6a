//! The grants that a sliding window remembers: entries by time, each with the running total of permits up to it.

use super::Call;
use alloc::boxed::Box;
use alloc::collections::VecDeque;
use alloc::vec::Vec;

/// A grant and the total of all up to it since the log began. The total wraps; the differences taken never exceed a
/// limit, so they are exact. The time is cut in two, which saves a quarter of the room.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Entry {
    high: u32,
    low: u32,
    pub(super) total: u32,
}

impl Entry {
    #[expect(clippy::cast_possible_truncation, reason = "the two halves of one number, and a total that wraps")]
    pub(super) fn new(time: u64, total: u64) -> Entry {
        Entry { high: (time >> 32) as u32, low: time as u32, total: total as u32 }
    }

    #[inline]
    pub(super) fn time(self) -> u64 {
        u64::from(self.high) << 32 | u64::from(self.low)
    }
}

/// Reads entries, oldest first, wherever they lie.
pub(super) trait Entries {
    fn len(&self) -> usize;
    fn entry(&self, index: usize) -> Entry;
    /// The total before the oldest.
    fn before(&self) -> u32;

    /// Finds the first entry from `low` on that holds; all after it hold too. Looks near `low` first: seldom has more
    /// than an entry or two gone out since the last call.
    #[inline]
    fn first(&self, mut low: usize, holds: impl Fn(Entry) -> bool) -> usize {
        let (len, mut step) = (self.len(), 1);
        let mut high = low;
        while high < len && !holds(self.entry(high)) {
            low = high + 1;
            high = low.saturating_add(step - 1);
            step *= 2;
        }
        high = high.min(len);
        while low < high {
            let middle = low + (high - low) / 2;
            if holds(self.entry(middle)) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        low
    }

    /// Returns the total before the entry at `index`.
    #[inline]
    fn total_before(&self, index: usize) -> u32 {
        if index == 0 { self.before() } else { self.entry(index - 1).total }
    }

    /// The total with the newest.
    #[inline]
    fn total(&self) -> u32 {
        self.total_before(self.len())
    }

    /// Finds the grants that are not out.
    #[inline]
    fn live(&self, is_live: impl Fn(Entry) -> bool) -> Live {
        let first = self.first(0, is_live);
        let oldest = if first < self.len() { self.entry(first).time() } else { 0 };
        Live { first, before: self.total_before(first), oldest }
    }
}

/// The entries that are not out: the first one, the total before it, and its time.
pub(super) struct Live {
    pub(super) first: usize,
    pub(super) before: u32,
    pub(super) oldest: u64,
}

/// The entries that outgrew a row.
#[derive(Debug, Default)]
pub(super) struct Log {
    entries: VecDeque<Entry>,
    before: u32,
    total: u32,
}

impl Entries for Log {
    fn len(&self) -> usize {
        self.entries.len()
    }

    #[inline]
    fn entry(&self, index: usize) -> Entry {
        self.entries[index]
    }

    fn before(&self) -> u32 {
        self.before
    }

    fn total(&self) -> u32 {
        self.total
    }
}

impl Log {
    /// Adds a grant in place of the first `out` entries.
    #[inline]
    pub(super) fn charge(&mut self, call: Call, out: u64) {
        self.drop_first(usize::try_from(out).unwrap_or(usize::MAX));
        self.push(call.now, call.cost);
    }

    /// Drops the first `count` entries, and room that has become far too large.
    #[inline]
    fn drop_first(&mut self, count: usize) {
        if count == 0 {
            return;
        }
        self.before = self.total_before(count);
        for _ in 0..count {
            self.entries.pop_front();
        }
        if self.entries.capacity() > 4 * self.entries.len() + 16 {
            self.entries.shrink_to(2 * self.entries.len());
        }
    }

    /// Adds a grant; one of the same millisecond joins the last.
    #[expect(clippy::cast_possible_truncation, reason = "a total wraps")]
    pub(super) fn push(&mut self, time: u64, permits: u64) {
        self.total = self.total.wrapping_add(permits as u32);
        match self.entries.back_mut() {
            Some(last) if last.time() == time => last.total = self.total,
            _ => self.entries.push_back(Entry::new(time, u64::from(self.total))),
        }
    }

    /// Gives back permits of the entry of `at_ms`; returns how many.
    pub(super) fn refund(&mut self, at_ms: u64, cost: u64) -> u64 {
        let index = self.first(0, |entry| entry.time() >= at_ms);
        if index == self.len() || self.entry(index).time() != at_ms {
            return 0;
        }
        let permits = self.entry(index).total.wrapping_sub(self.total_before(index));
        let back = permits.min(u32::try_from(cost).unwrap_or(u32::MAX));
        for entry in self.entries.range_mut(index..) {
            entry.total = entry.total.wrapping_sub(back);
        }
        self.total = self.total.wrapping_sub(back);
        if back == permits {
            self.entries.remove(index);
        }
        u64::from(back)
    }
}

/// The logs of a stripe's rows, by number; the numbers of forgotten rows are used again.
#[derive(Debug, Default)]
pub(crate) struct Logs {
    /// Boxed, so that a number which is not in use costs little.
    logs: Vec<Option<Box<Log>>>,
    unused: Vec<u32>,
}

impl Logs {
    pub(super) fn add(&mut self, log: Log) -> usize {
        let number = self.unused.pop().map_or(self.logs.len(), |number| number as usize);
        if number == self.logs.len() {
            self.logs.push(None);
        }
        self.logs[number] = Some(Box::new(log));
        number
    }

    #[inline]
    pub(super) fn get(&self, number: usize) -> &Log {
        static NONE: Log = Log { entries: VecDeque::new(), before: 0, total: 0 };
        self.logs[number].as_deref().unwrap_or(&NONE)
    }

    #[inline]
    pub(super) fn get_mut(&mut self, number: usize) -> &mut Log {
        self.logs[number].get_or_insert_default()
    }

    pub(super) fn remove(&mut self, number: usize) {
        self.logs[number] = None;
        self.unused.extend(u32::try_from(number));
        if self.unused.len() == self.logs.len() {
            *self = Logs::default();
        }
    }
}
