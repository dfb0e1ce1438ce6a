//! The grants that a sliding window remembers: entries by time, each with the running total of permits up to it.

use super::Call;
use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;

/// A grant and the total of all up to it since the log began. The total wraps; the differences taken never exceed a
/// limit, so they are exact. The time is cut in two, which saves a quarter of the room.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Entry {
    low: u32,
    high: u32,
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
pub(super) trait Entries: Copy {
    fn len(&self) -> usize;
    fn entry(&self, index: usize) -> Entry;
    /// The total before the oldest.
    fn before(&self) -> u32;

    /// Finds the first entry from `low` on that holds; all after it hold too. Looks near `low` first.
    #[inline(never)]
    fn first(self, mut low: usize, holds: impl Fn(Entry) -> bool) -> usize {
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

    /// Finds the grants that are not out at `now`. Seldom has more than one gone out since the last call.
    #[inline(always)]
    fn live(&self, now: u64, is_live: impl Fn(Entry) -> bool) -> Live {
        let mut before = self.before();
        for first in 0..2 {
            if first == self.len() {
                return Live { first, before, oldest: now };
            }
            let entry = self.entry(first);
            if is_live(entry) {
                return Live { first, before, oldest: entry.time() };
            }
            before = entry.total;
        }
        let first = self.first(2, is_live);
        let oldest = if first < self.len() { self.entry(first).time() } else { now };
        Live { first, before: self.total_before(first), oldest }
    }
}

/// The entries that are not out: the first one, the total before it, and its time, or now if there is none.
pub(super) struct Live {
    pub(super) first: usize,
    pub(super) before: u32,
    pub(super) oldest: u64,
}

/// Where a log's entries lie in its ring: from `head` on, `len` of them. A row keeps it.
#[derive(Clone, Copy)]
pub(super) struct Span {
    pub(super) head: usize,
    pub(super) len: usize,
}

/// The entries that outgrew a row, in a ring whose room is a power of two. The oldest go at one end and new ones come
/// at the other. Before the oldest stays the one that went last, or a blank one: its total is what went before.
#[derive(Clone, Copy)]
pub(super) struct Log<'a> {
    ring: &'a [Entry],
    span: Span,
}

/// Returns the place of the entry at `index`, counted from the one before the oldest.
#[inline(always)]
fn place(ring: &[Entry], span: Span, index: usize) -> usize {
    span.head.wrapping_add(index).wrapping_sub(1) & ring.len().wrapping_sub(1)
}

impl Entries for Log<'_> {
    #[inline(always)]
    fn len(&self) -> usize {
        self.span.len
    }

    #[inline(always)]
    fn entry(&self, index: usize) -> Entry {
        self.ring[place(self.ring, self.span, index + 1)]
    }

    #[inline(always)]
    fn before(&self) -> u32 {
        self.total_before(0)
    }

    #[inline(always)]
    fn total_before(&self, index: usize) -> u32 {
        self.ring[place(self.ring, self.span, index)].total
    }
}

impl<'a> Log<'a> {
    #[inline(always)]
    pub(super) fn new(ring: &'a [Entry], span: Span) -> Log<'a> {
        Log { ring, span }
    }
}

/// Adds a grant in place of the first `out` entries; one of the same millisecond joins the last. Returns where the
/// entries lie now; nothing if the ring has too little room, or far too much.
#[expect(clippy::cast_possible_truncation, reason = "a total wraps")]
#[inline(always)]
pub(super) fn charge(ring: &mut [Entry], span: Span, call: Call, out: usize) -> Option<Span> {
    let span = Span { head: place(ring, span, out + 1), len: span.len - out };
    let last = &mut ring[place(ring, span, span.len)];
    let total = last.total.wrapping_add(call.cost as u32);
    if span.len > 0 && last.time() == call.now {
        last.total = total;
        return Some(span);
    }
    if span.len + 2 > ring.len() || ring.len() > 4 * span.len + 16 {
        return None;
    }
    ring[place(ring, span, span.len + 1)] = Entry::new(call.now, u64::from(total));
    Some(Span { head: span.head, len: span.len + 1 })
}

/// Gives back permits of the entry of `at_ms`; returns how many, and where the entries lie now.
pub(super) fn refund(ring: &mut [Entry], span: Span, at_ms: u64, cost: u64) -> (u64, Span) {
    let log = Log { ring, span };
    let index = log.first(0, |entry| entry.time() >= at_ms);
    if index == span.len || log.entry(index).time() != at_ms {
        return (0, span);
    }
    let permits = log.entry(index).total.wrapping_sub(log.total_before(index));
    let back = permits.min(u32::try_from(cost).unwrap_or(u32::MAX));
    // An entry without permits is none: those behind it move up.
    let gone = usize::from(back == permits);
    for index in index..span.len - gone {
        let mut entry = ring[place(ring, span, index + gone + 1)];
        entry.total = entry.total.wrapping_sub(back);
        ring[place(ring, span, index + 1)] = entry;
    }
    (u64::from(back), Span { head: span.head, len: span.len - gone })
}

/// The logs of a stripe's rows, by number; the numbers of forgotten rows are used again.
#[derive(Debug, Default)]
pub(crate) struct Logs {
    rings: Vec<Box<[Entry]>>,
    unused: Vec<u32>,
}

impl Logs {
    /// Begins a log of so many grants, each a time and its permits.
    pub(super) fn add(&mut self, grants: &[(u64, u64)]) -> (usize, Span) {
        let number = self.unused.pop().map_or(self.rings.len(), |number| number as usize);
        if number == self.rings.len() {
            self.rings.push(Box::default());
        }
        let mut ring = vec![Entry::default(); (grants.len() + 1).next_power_of_two()];
        let mut total = 0;
        for (entry, &(time, permits)) in ring[1..].iter_mut().zip(grants) {
            total += permits;
            *entry = Entry::new(time, total);
        }
        self.rings[number] = ring.into();
        (number, Span { head: 1, len: grants.len() })
    }

    #[inline(always)]
    pub(super) fn ring(&self, number: usize) -> &[Entry] {
        &self.rings[number]
    }

    #[inline(always)]
    pub(super) fn ring_mut(&mut self, number: usize) -> &mut [Entry] {
        &mut self.rings[number]
    }

    /// Adds a grant as [`charge`] does, whatever room it takes.
    pub(super) fn charge(&mut self, number: usize, span: Span, call: Call, out: usize) -> Span {
        let done = charge(self.ring_mut(number), span, call, out);
        done.unwrap_or_else(|| self.charge_resized(number, span, call, out))
    }

    /// Adds a grant in place of the first `out` entries, in a ring of the right size: with room for one entry more, and
    /// seldom for many.
    #[cold]
    #[inline(never)]
    pub(super) fn charge_resized(&mut self, number: usize, span: Span, call: Call, out: usize) -> Span {
        let (ring, len) = (&mut self.rings[number], span.len - out);
        let mut new = vec![Entry::default(); (len + 2).next_power_of_two()];
        for (index, entry) in new.iter_mut().enumerate().take(len + 1) {
            *entry = ring[place(ring, span, out + index)];
        }
        new[len + 1] = Entry::new(call.now, u64::from(new[len].total) + call.cost);
        *ring = new.into();
        Span { head: 1, len: len + 1 }
    }

    pub(super) fn remove(&mut self, number: usize) {
        self.rings[number] = Box::default();
        self.unused.extend(u32::try_from(number));
        if self.unused.len() == self.rings.len() {
            *self = Logs::default();
        }
    }
}
