//! The grants that a sliding window remembers: entries by time, each with the running total of permits up to it.

use super::Call;
use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;

/// How a policy's logs keep an entry in a word: its time above, its total below, each as far as it can be told.
///
/// No entry was older than a window when its row was last charged, and no difference of totals exceeds the limit. One
/// of both is at most 100 000, by what policies are judged; a window has at most 35 bits, and a limit 32.
#[derive(Clone, Copy)]
pub(super) struct Form {
    total_bits: u32,
    totals: u64,
}

impl Form {
    pub(super) fn new(window_ms: u64) -> Form {
        let total_bits = if window_ms <= 100_000 { 36 } else { 29 };
        Form { total_bits, totals: (1 << total_bits) - 1 }
    }

    #[inline(always)]
    pub(super) fn write(self, time: u64, total: u64) -> u64 {
        time << self.total_bits | total & self.totals
    }

    #[inline(always)]
    pub(super) fn is_of(self, entry: u64, time: u64) -> bool {
        entry ^ self.write(time, 0) <= self.totals
    }

    /// Returns an entry's age at a time, and below it something too small to matter where ages are compared. An age to
    /// compare it with is written as an entry's time.
    #[inline(always)]
    pub(super) fn age(self, entry: u64, now: u64) -> u64 {
        self.write(now, self.totals).wrapping_sub(entry)
    }

    /// Returns an age in milliseconds.
    #[inline(always)]
    pub(super) fn ms(self, age: u64) -> u64 {
        age >> self.total_bits
    }

    /// Returns the greatest age that can be told, in milliseconds.
    pub(super) fn max_age_ms(self) -> u64 {
        self.ms(u64::MAX)
    }

    /// Returns the permits from one entry's total to a later one's.
    #[inline(always)]
    pub(super) fn permits(self, from: u64, to: u64) -> u64 {
        to.wrapping_sub(from) & self.totals
    }
}

/// Where a log's entries lie in its ring: from `head` on, `len` of them. A row keeps it.
#[derive(Clone, Copy)]
pub(super) struct Span {
    pub(super) head: usize,
    pub(super) len: usize,
}

impl Span {
    /// Reads a row's word.
    #[inline(always)]
    pub(super) fn read(word: u64) -> Span {
        Span { head: to_usize(word >> 32), len: to_usize(word & u64::from(u32::MAX)) }
    }

    /// Returns the word that a row keeps.
    #[inline(always)]
    pub(super) fn word(self) -> u64 {
        (self.head as u64) << 32 | self.len as u64
    }
}

#[inline(always)]
pub(super) fn to_usize(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

/// Returns the place of the entry at `index`, counted from the one before the oldest.
#[inline(always)]
fn place(ring: &[u64], span: Span, index: usize) -> usize {
    span.head.wrapping_add(index).wrapping_sub(1) & ring.len().wrapping_sub(1)
}

/// Returns where the entries lie without the first `out`.
#[inline(always)]
fn without(ring: &[u64], span: Span, out: usize) -> Span {
    Span { head: place(ring, span, out + 1), len: span.len - out }
}

/// Entries in a ring whose room is a power of two. The oldest go at one end and new ones come at the other. Before the
/// oldest stays the one that went last, or a blank one: its total is what went before.
#[derive(Clone, Copy)]
pub(super) struct Log<'a> {
    ring: &'a [u64],
    span: Span,
    form: Form,
    clock: u64,
}

/// The entries that are not out: the first one, the one before it, and its time, or now if there is none.
pub(super) struct Live {
    pub(super) first: usize,
    pub(super) before: u64,
    pub(super) oldest: u64,
}

impl<'a> Log<'a> {
    /// Reads a log whose row was last charged at `clock`.
    #[inline(always)]
    pub(super) fn new(ring: &'a [u64], span: Span, form: Form, clock: u64) -> Log<'a> {
        Log { ring, span, form, clock }
    }

    #[inline(always)]
    pub(super) fn len(&self) -> usize {
        self.span.len
    }

    #[inline(always)]
    fn entry(&self, index: usize) -> u64 {
        self.entry_before(index + 1)
    }

    /// Returns the entry before the one at `index`, or the blank one.
    #[inline(always)]
    pub(super) fn entry_before(&self, index: usize) -> u64 {
        self.ring[place(self.ring, self.span, index)]
    }

    /// Returns an entry's [age](Form::age) at the row's clock.
    #[inline(always)]
    fn age(&self, entry: u64) -> u64 {
        self.form.age(entry, self.clock)
    }

    #[inline(always)]
    pub(super) fn time(&self, index: usize) -> u64 {
        self.clock - self.form.ms(self.age(self.entry(index)))
    }

    /// Returns the permits of all entries after `before`.
    #[inline(always)]
    pub(super) fn permits_after(&self, before: u64) -> u64 {
        self.form.permits(before, self.entry_before(self.span.len))
    }

    /// Returns the permits of one entry.
    pub(super) fn permits(&self, index: usize) -> u64 {
        self.form.permits(self.entry_before(index), self.entry(index))
    }

    /// Finds the grants that are not out at `now`. Seldom has more than one gone out since the last call.
    #[inline(always)]
    pub(super) fn live(&self, now: u64, window_ms: u64) -> Live {
        // A grant is out when it is as old as a window; that is at the row's clock, and until now they grow older.
        let out = self.form.write(window_ms.saturating_sub(now - self.clock), 0);
        let log = *self;
        let mut before = self.entry_before(0);
        for first in 0..2 {
            if first == self.len() {
                return Live { first, before, oldest: now };
            }
            let entry = self.entry(first);
            if log.age(entry) < out {
                return Live { first, before, oldest: self.time(first) };
            }
            before = entry;
        }
        let first = first(self.ring, self.span, 2, move |entry| log.age(entry) < out);
        let oldest = if first < self.len() { self.time(first) } else { now };
        Live { first, before: self.entry_before(first), oldest }
    }

    /// Finds the first entry from `index` on by which so many permits have been given since `before`.
    #[inline(always)]
    pub(super) fn first_with(&self, index: usize, before: u64, permits: u64) -> usize {
        let form = self.form;
        first(self.ring, self.span, index, move |entry| form.permits(before, entry) >= permits)
    }

    /// Finds the entry of a time.
    pub(super) fn of(&self, time: u64) -> Option<usize> {
        let (age, log) = (self.clock.checked_sub(time)?, *self);
        let index = first(self.ring, self.span, 0, move |entry| log.form.ms(log.age(entry)) <= age);
        (index < self.len() && self.time(index) == time).then_some(index)
    }

    /// Returns a ring of so much room with the entries from its second place on, and before them what went before.
    fn copied(&self, room: usize) -> Vec<u64> {
        let mut ring = vec![0; room];
        for (index, entry) in ring.iter_mut().enumerate().take(self.len() + 1) {
            *entry = self.entry_before(index);
        }
        ring
    }
}

/// Finds the first entry from `low` on that holds; all after it hold too. Looks near `low` first.
#[inline(never)]
fn first(ring: &[u64], span: Span, mut low: usize, holds: impl Fn(u64) -> bool) -> usize {
    let holds = |index| holds(ring[place(ring, span, index + 1)]);
    let (mut high, mut step) = (low, 1);
    while high < span.len && !holds(high) {
        low = high + 1;
        high = low.saturating_add(step - 1);
        step *= 2;
    }
    high = high.min(span.len);
    while low < high {
        let middle = low + (high - low) / 2;
        if holds(middle) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    low
}

/// Adds a grant in place of the first `out` entries; one of the same millisecond joins the last. Returns where the
/// entries lie now; nothing if the ring has too little room, or far too much.
#[inline(always)]
pub(super) fn charge(ring: &mut [u64], span: Span, form: Form, call: Call, out: usize) -> Option<Span> {
    let span = without(ring, span, out);
    let last = &mut ring[place(ring, span, span.len)];
    let entry = form.write(call.now, last.wrapping_add(call.cost));
    if span.len > 0 && form.is_of(*last, call.now) {
        *last = entry;
        return Some(span);
    }
    if span.len + 2 > ring.len() || ring.len() > 4 * span.len + 16 {
        return None;
    }
    ring[place(ring, span, span.len + 1)] = entry;
    Some(Span { head: span.head, len: span.len + 1 })
}

/// Gives back permits of the entry at `index`; returns where the entries lie now.
pub(super) fn refund(ring: &mut [u64], span: Span, form: Form, index: usize, permits: u64) -> Span {
    let log = Log::new(ring, span, form, 0);
    // An entry without permits is none: those behind it move up.
    let gone = usize::from(log.permits(index) == permits);
    for index in index..span.len - gone {
        let entry = ring[place(ring, span, index + gone + 1)];
        let total = entry.wrapping_sub(permits) & form.totals;
        ring[place(ring, span, index + 1)] = entry & !form.totals | total;
    }
    Span { head: span.head, len: span.len - gone }
}

/// The rings of a stripe's logs, by number; the numbers of forgotten rows are used again.
#[derive(Default)]
pub(crate) struct Logs {
    rings: Vec<Box<[u64]>>,
    unused: Vec<u32>,
}

impl Logs {
    /// Begins a log with the entries of another.
    pub(super) fn add(&mut self, log: &Log<'_>) -> (usize, Span) {
        let number = self.unused.pop().map_or(self.rings.len(), |number| number as usize);
        if number == self.rings.len() {
            self.rings.push(Box::default());
        }
        self.rings[number] = log.copied((log.len() + 1).next_power_of_two()).into();
        (number, Span { head: 1, len: log.len() })
    }

    #[inline(always)]
    pub(super) fn ring(&self, number: usize) -> &[u64] {
        &self.rings[number]
    }

    #[inline(always)]
    pub(super) fn ring_mut(&mut self, number: usize) -> &mut [u64] {
        &mut self.rings[number]
    }

    /// Adds a grant as [`charge`] does, whatever room it takes.
    pub(super) fn charge(&mut self, number: usize, span: Span, form: Form, call: Call, out: usize) -> Span {
        let done = charge(self.ring_mut(number), span, form, call, out);
        done.unwrap_or_else(|| self.charge_resized(number, span, form, call, out))
    }

    /// Adds a grant in place of the first `out` entries, in a ring of the right size: with room for one entry more, and
    /// seldom for many.
    #[cold]
    #[inline(never)]
    fn charge_resized(&mut self, number: usize, span: Span, form: Form, call: Call, out: usize) -> Span {
        let ring = &mut self.rings[number];
        let span = without(ring, span, out);
        let len = span.len;
        let mut new = Log::new(ring, span, form, 0).copied((len + 2).next_power_of_two());
        new[len + 1] = form.write(call.now, new[len].wrapping_add(call.cost));
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
