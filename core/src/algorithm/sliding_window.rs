//! At most `limit` permits in any span of `window_ms`, exactly: the row remembers each grant until it is out.
//!
//! A grant of time s is out when now >= s + window_ms. Up to two grants lie in the row's own words, each as its age at
//! the row's clock and its permits; more, or larger ones, in a log outside it. Both read alike: entries by time, each
//! with the running total of permits up to it, so the permits of any run are a difference and any question a search.

use super::log::{Entries, Entry, Live, Log, Logs};
use super::{Call, State, Verdict};
use alloc::boxed::Box;

/// Words of a row, and so entries that it holds itself.
pub(super) const WORDS: usize = 2;

/// A word is an entry's age and, below, its permits; 0 is none. Permits of 0 under an age are the number of a log.
const PERMIT_BITS: u32 = 29;
const MAX_PERMITS: u64 = (1 << PERMIT_BITS) - 1;

#[derive(Clone, Debug)]
pub(super) struct SlidingWindow {
    pub(super) limit: u64,
    pub(super) window_ms: u64,
}

/// The entries in a row's own words, spelled out.
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

/// Returns the number of the log that the words name.
#[inline]
fn log_number(words: &[u64]) -> Option<usize> {
    let word = words[0];
    let named = word != 0 && word & MAX_PERMITS == 0;
    if named { usize::try_from((word >> PERMIT_BITS) - 1).ok() } else { None }
}

impl SlidingWindow {
    /// Returns the bytes of a log at its longest: an entry a permit or a millisecond, in room that has just doubled.
    pub(super) fn max_log_bytes(&self) -> u64 {
        let entries = 2 * self.limit.min(self.window_ms);
        entries * size_of::<Entry>() as u64 + (size_of::<Log>() + 2 * size_of::<Option<Box<Log>>>()) as u64
    }

    pub(super) fn look(&self, words: &[u64], logs: &Logs, clock: u64, now: u64, cost: u64) -> Verdict {
        match log_number(words) {
            None => self.look_at(&Inline::read(words, clock), now, cost),
            Some(number) => self.look_at(logs.get(number), now, cost),
        }
    }

    #[inline]
    fn look_at(&self, entries: &impl Entries, now: u64, cost: u64) -> Verdict {
        let Live { first, before, oldest } = entries.live(|entry| entry.time() + self.window_ms > now);
        let taken = entries.total().wrapping_sub(before);
        let left = self.limit - u64::from(taken);
        let allowed = cost <= left;
        let remaining = if allowed { left - cost } else { left };
        let retry_at = if allowed {
            0
        } else {
            let missing = cost - left;
            let last = entries.first(first, |entry| u64::from(entry.total.wrapping_sub(before)) >= missing);
            entries.entry(last).time() + self.window_ms
        };
        let oldest = if taken == 0 { now } else { oldest };
        let reset_at = if remaining == self.limit { 0 } else { oldest + self.window_ms };
        Verdict { allowed, remaining, reset_at, retry_at, next: first as u64 }
    }

    /// Decides for a row that has no other policy, and takes the permits if `take`.
    #[inline]
    pub(super) fn decide(&self, state: &mut State<'_>, call: Call, take: bool) -> Verdict {
        let Call { now, cost } = call;
        let Some(number) = log_number(state.words) else {
            let verdict = self.look_at(&Inline::read(state.words, state.clock), now, cost);
            if verdict.allowed && take {
                self.charge(state.words, state.logs, state.clock, call, verdict.next);
            }
            return verdict;
        };
        let log = state.logs.get_mut(number);
        let verdict = self.look_at(log, now, cost);
        if verdict.allowed && take {
            log.charge(call, verdict.next);
        }
        verdict
    }

    /// Adds a grant that was allowed, in place of the first `out` entries; the row's clock moves to `call.now`.
    pub(super) fn charge(&self, words: &mut [u64], logs: &mut Logs, clock: u64, call: Call, out: u64) {
        let Call { now, cost } = call;
        if let Some(number) = log_number(words) {
            return logs.get_mut(number).charge(call, out);
        }
        let out = usize::try_from(out).unwrap_or(usize::MAX);
        let mut log = Short::default();
        let inline = Inline::read(words, clock);
        for index in out..inline.len {
            let permits = inline.entries[index].total.wrapping_sub(inline.total_before(index));
            log.push(inline.entries[index].time(), u64::from(permits));
        }
        log.push(now, cost);
        log.write(words, logs, now);
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
        if let Some(number) = log_number(words) {
            return logs.get_mut(number).refund(at_ms, cost);
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
        if let Some(number) = log_number(words) {
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
        let mut log = Log::default();
        for &(time, permits) in grants {
            log.push(time, permits);
        }
        words[0] = (logs.add(log) as u64 + 1) << PERMIT_BITS;
    }
}
