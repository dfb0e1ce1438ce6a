//! At most `limit` permits in any span of `window_ms`, exactly: the row remembers each grant until it is out.
//!
//! A grant of time s is out when now >= s + window_ms. Up to two grants lie in the row's own words, each as its age at
//! the row's clock and its permits; more, or larger ones, in a log outside it. Both read alike: entries by time, each
//! with the running total of permits up to it, so the permits of any run are a difference and any question a search.

use super::log::{self, Entries, Entry, Live, Log, Logs, Span};
use super::{Call, Outcome, Verdict};
use alloc::boxed::Box;

/// Words of a row, and so entries that it holds itself.
pub(super) const WORDS: usize = 2;

/// A word is an entry's age and, below, its permits; 0 is none. Permits of 0 under an age are the number of a log, and
/// the other word then says where its entries lie.
const PERMIT_BITS: u32 = 29;
const MAX_PERMITS: u64 = (1 << PERMIT_BITS) - 1;

#[derive(Clone, Debug)]
pub(crate) struct SlidingWindow {
    pub(super) limit: u64,
    pub(super) window_ms: u64,
}

/// The entries in a row's own words, spelled out.
#[derive(Clone, Copy)]
struct Inline {
    entries: [Entry; WORDS],
    len: usize,
}

impl Inline {
    #[inline]
    fn read(words: &[u64], clock: u64) -> Inline {
        let mut inline = Inline { entries: [Entry::default(); WORDS], len: 0 };
        let mut total = 0;
        for &word in words.iter().take(WORDS).take_while(|&&word| word != 0) {
            total += word & MAX_PERMITS;
            inline.entries[inline.len] = Entry::new(clock - (word >> PERMIT_BITS), total);
            inline.len += 1;
        }
        inline
    }

    /// Adds a grant in place of the first `out` entries, to the words or to a log.
    fn charge(&self, out: usize, words: &mut [u64], logs: &mut Logs, call: Call) {
        let mut log = Short::default();
        for index in out..self.len {
            let permits = self.entries[index].total.wrapping_sub(self.total_before(index));
            log.push(self.entries[index].time(), u64::from(permits));
        }
        log.push(call.now, call.cost);
        log.write(words, logs, call.now);
    }
}

impl Entries for Inline {
    fn len(&self) -> usize {
        self.len
    }

    fn entry(&self, index: usize) -> Entry {
        self.entries[index]
    }

    fn before(&self) -> u32 {
        0
    }
}

/// A row's log: its number, and where its entries lie.
#[derive(Clone, Copy)]
pub(crate) struct LogOf {
    number: usize,
    span: Span,
}

impl LogOf {
    /// Returns what the words say, if they do not hold the entries themselves.
    #[inline(always)]
    pub(crate) fn read(words: &[u64]) -> Option<LogOf> {
        let [word, span, ..] = *words else { return None };
        if word & MAX_PERMITS != 0 {
            return None;
        }
        let number = to_usize((word >> PERMIT_BITS).checked_sub(1)?);
        Some(LogOf { number, span: Span { head: to_usize(span >> 32), len: to_usize(span & u64::from(u32::MAX)) } })
    }
}

fn set_span(words: &mut [u64], span: Span) {
    words[1] = (span.head as u64) << 32 | span.len as u64;
}

#[inline(always)]
fn to_usize(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

impl SlidingWindow {
    /// Returns the bytes of a log at its longest: an entry a permit or a millisecond, in room that has just doubled.
    pub(super) fn max_log_bytes(&self) -> u64 {
        let entries = 2 * self.limit.min(self.window_ms);
        entries * size_of::<Entry>() as u64 + 2 * size_of::<Box<[Entry]>>() as u64
    }

    pub(super) fn look(&self, words: &[u64], logs: &Logs, clock: u64, now: u64, cost: u64) -> Verdict {
        match LogOf::read(words) {
            None => self.look_at(&Inline::read(words, clock), Call { now, cost }),
            Some(LogOf { number, span }) => self.look_at(&Log::new(logs.ring(number), span), Call { now, cost }),
        }
    }

    /// Judges a call by the grants that are not out.
    #[inline(always)]
    fn look_at(&self, entries: &impl Entries, call: Call) -> Verdict {
        let Call { now, cost } = call;
        let live = entries.live(now, |entry| entry.time() + self.window_ms > now);
        let left = self.limit - u64::from(entries.total().wrapping_sub(live.before));
        if cost > left {
            let retry_at = self.retry_at(*entries, live.first, live.before, cost - left);
            return Verdict { allowed: false, retry_at, ..self.verdict(&live, left) };
        }
        self.verdict(&live, left - cost)
    }

    /// Tells what is left of a call, and when that goes up.
    #[inline(always)]
    fn verdict(&self, live: &Live, remaining: u64) -> Verdict {
        let reset_at = if remaining == self.limit { 0 } else { live.oldest + self.window_ms };
        Verdict { allowed: true, remaining, reset_at, retry_at: 0, next: live.first as u64 }
    }

    /// Returns when grants with so many permits will be out, on from the entry at `first`; `before` it lie others.
    #[inline(never)]
    fn retry_at(&self, entries: impl Entries, first: usize, before: u32, missing: u64) -> u64 {
        let last = entries.first(first, |entry| u64::from(entry.total.wrapping_sub(before)) >= missing);
        entries.entry(last).time() + self.window_ms
    }

    /// Decides for a row that has a log and no other policy, as [`Rules::decide`](super::Rules::decide) does.
    #[inline(always)]
    pub(crate) fn decide(&self, words: &mut [u64], log: LogOf, logs: &mut Logs, call: Call, take: bool) -> Outcome {
        let LogOf { number, span } = log;
        let ring = logs.ring_mut(number);
        let verdict = self.look_at(&Log::new(ring, span), call);
        if verdict.allowed && take {
            let out = to_usize(verdict.next);
            let done = log::charge(ring, span, call, out);
            set_span(words, done.unwrap_or_else(|| logs.charge_resized(number, span, call, out)));
        }
        Outcome { now: call.now, limit: self.limit, index: 0, verdict }
    }

    /// Adds a grant that was allowed, in place of the first `out` entries; the row's clock moves to `call.now`.
    pub(super) fn charge(&self, words: &mut [u64], logs: &mut Logs, clock: u64, call: Call, out: u64) {
        match LogOf::read(words) {
            None => Inline::read(words, clock).charge(to_usize(out), words, logs, call),
            Some(LogOf { number, span }) => set_span(words, logs.charge(number, span, call, to_usize(out))),
        }
    }

    /// Gives back permits of the entry of `at_ms`, unless it is out.
    pub(super) fn refund(
        &self,
        words: &mut [u64],
        logs: &mut Logs,
        clock: u64,
        now: u64,
        at_ms: u64,
        cost: u64,
    ) -> u64 {
        if at_ms.saturating_add(self.window_ms) <= now {
            return 0;
        }
        if let Some(LogOf { number, span }) = LogOf::read(words) {
            let (back, span) = log::refund(logs.ring_mut(number), span, at_ms, cost);
            set_span(words, span);
            return back;
        }
        let inline = Inline::read(words, clock);
        let index = inline.first(0, |entry| entry.time() >= at_ms);
        if index == inline.len || inline.entry(index).time() != at_ms {
            return 0;
        }
        let back = cost.min(words[index] & MAX_PERMITS);
        words[index] -= back;
        if words[index] & MAX_PERMITS == 0 {
            words.copy_within(index + 1..WORDS, index);
            words[WORDS - 1] = 0;
        }
        back
    }

    pub(super) fn forget(&self, words: &[u64], logs: &mut Logs) {
        if let Some(LogOf { number, .. }) = LogOf::read(words) {
            logs.remove(number);
        }
    }
}

/// At most three grants: those of a row's words and a new one.
#[derive(Default)]
struct Short {
    grants: [(u64, u64); WORDS + 1],
    len: usize,
}

impl Short {
    fn push(&mut self, time: u64, permits: u64) {
        match self.len.checked_sub(1) {
            Some(last) if self.grants[last].0 == time => self.grants[last].1 += permits,
            _ => {
                self.grants[self.len] = (time, permits);
                self.len += 1;
            }
        }
    }

    /// Writes the grants into the words, or what they cannot hold into a log.
    fn write(&self, words: &mut [u64], logs: &mut Logs, clock: u64) {
        let grants = &self.grants[..self.len];
        words[..WORDS].fill(0);
        if grants.len() <= WORDS && grants.iter().all(|&(_, permits)| permits <= MAX_PERMITS) {
            for (word, &(time, permits)) in words.iter_mut().zip(grants) {
                *word = (clock - time) << PERMIT_BITS | permits;
            }
            return;
        }
        let (number, span) = logs.add(grants);
        words[0] = (number as u64 + 1) << PERMIT_BITS;
        set_span(words, span);
    }
}
