//! At most `limit` permits in any span of `window_ms`, exactly: the row remembers each grant until it is out.
//!
//! A grant of time s is out when now >= s + window_ms. Up to two grants lie in the row's own words, each as its age at
//! the row's clock and its permits; more, or larger ones, in a log outside it. Both are read as a log: entries by time,
//! each with the running total of permits up to it, so the permits of any run are a difference and any question a
//! search.

use super::ends::Ends;
use super::log::{self, Form, Live, Log, Logs, Span, to_usize};
use super::{Call, Outcome, State, Verdict};
use alloc::boxed::Box;

/// Words of a row, and so entries that it holds itself.
pub(super) const WORDS: usize = 2;

/// A word is an entry's age and, below, its permits; 0 is none. Permits of 0 under an age are the number of a log, and
/// the other word then says where its entries lie.
const PERMIT_BITS: u32 = 29;
const MAX_PERMITS: u64 = (1 << PERMIT_BITS) - 1;

#[derive(Clone)]
pub(crate) struct SlidingWindow {
    pub(super) limit: u64,
    pub(super) window_ms: u64,
    form: Form,
    /// The age at which a grant is out.
    out: u64,
    /// How long after its last charge a row's ages can all be told.
    slack_ms: u64,
}

/// The log of a row that holds its entries itself, with room for one more.
struct Inline {
    ring: [u64; 4],
    span: Span,
}

impl Inline {
    #[inline]
    fn read(words: &[u64], clock: u64, form: Form) -> Inline {
        let mut inline = Inline { ring: [0; 4], span: Span { head: 1, len: 0 } };
        let mut total = 0;
        for &word in words.iter().take(WORDS).take_while(|&&word| word != 0) {
            total += word & MAX_PERMITS;
            inline.span.len += 1;
            inline.ring[inline.span.len] = form.write(clock - (word >> PERMIT_BITS), total);
        }
        inline
    }

    /// Adds a grant in place of the first `out` entries, and writes all into the words, or what they cannot hold into a
    /// log.
    fn charge(mut self, out: usize, words: &mut [u64], logs: &mut Logs, form: Form, call: Call) {
        // There is room.
        self.span = log::charge(&mut self.ring, self.span, form, call, out).unwrap_or(self.span);
        let log = Log::new(&self.ring, self.span, form, call.now);
        words[..WORDS].fill(0);
        if log.len() <= WORDS && (0..log.len()).all(|index| log.permits(index) <= MAX_PERMITS) {
            for (index, word) in words.iter_mut().enumerate().take(log.len()) {
                *word = (call.now - log.time(index)) << PERMIT_BITS | log.permits(index);
            }
            return;
        }
        let (number, span) = logs.add(&log);
        words[0] = (number as u64 + 1) << PERMIT_BITS;
        words[1] = span.word();
    }
}

/// A row's log: its number, and where its entries lie.
#[derive(Clone, Copy)]
struct LogOf {
    number: usize,
    span: Span,
}

impl LogOf {
    /// Returns what the words say, if they do not hold the entries themselves.
    #[inline(always)]
    fn read(words: &[u64]) -> Option<LogOf> {
        if words[0] & MAX_PERMITS != 0 {
            return None;
        }
        let number = to_usize((words[0] >> PERMIT_BITS).checked_sub(1)?);
        Some(LogOf { number, span: Span::read(words[1]) })
    }
}

impl SlidingWindow {
    pub(super) fn new(limit: u64, window_ms: u64) -> SlidingWindow {
        let form = Form::new(window_ms);
        let slack_ms = form.max_age_ms() - window_ms;
        SlidingWindow { limit, window_ms, form, out: form.write(window_ms, 0), slack_ms }
    }

    /// Returns the bytes of a log at its longest: an entry a permit or a millisecond, in room that has just doubled.
    pub(super) fn max_log_bytes(&self) -> u64 {
        let entries = 2 * self.limit.min(self.window_ms);
        entries * size_of::<u64>() as u64 + 2 * size_of::<Box<[u64]>>() as u64
    }

    pub(super) fn look(&self, words: &[u64], logs: &Logs, clock: u64, now: u64, cost: u64) -> Verdict {
        let (call, form) = (Call { now, cost }, self.form);
        if let Some(LogOf { number, span }) = LogOf::read(words) {
            return self.look_at(Log::new(logs.ring(number), span, form, clock), call);
        }
        let inline = Inline::read(words, clock, form);
        self.look_at(Log::new(&inline.ring, inline.span, form, clock), call)
    }

    /// Judges a call by the grants that are not out.
    #[inline(always)]
    fn look_at(&self, log: Log<'_>, call: Call) -> Verdict {
        let live = log.live(call.now, self.window_ms);
        let left = self.limit - log.permits_after(live.before);
        if call.cost > left {
            let last = log.first_with(live.first, live.before, call.cost - left);
            let retry_at = log.time(last) + self.window_ms;
            return Verdict { allowed: false, retry_at, ..self.verdict(&live, left) };
        }
        self.verdict(&live, left - call.cost)
    }

    /// Tells what is left of a call, and when that goes up.
    #[inline(always)]
    fn verdict(&self, live: &Live, remaining: u64) -> Verdict {
        let reset_at = if remaining == self.limit { 0 } else { live.oldest + self.window_ms };
        Verdict { allowed: true, remaining, reset_at, retry_at: 0, next: live.first as u64 }
    }

    /// Decides as [`decide`](SlidingWindow::decide) does, if the row has a busy log and the call needs no more than its
    /// ends; else nothing is changed.
    #[inline(always)]
    pub(crate) fn decide_by_ends(
        &self,
        words: &mut [u64],
        logs: &mut Logs,
        clock: u64,
        call: Call,
        take: bool,
    ) -> Option<Outcome> {
        // Ages that the row's clock can tell are no more than a window.
        if call.now - clock > self.slack_ms {
            return None;
        }
        let LogOf { number, span } = LogOf::read(words)?;
        let ends = Ends::read(logs.ring_mut(number), span, self.form, call.now, self.out)?;
        let permits = ends.permits() + call.cost;
        if permits > self.limit {
            return self.refuse_by_ends(&ends, permits, call);
        }
        let reset_at = call.now - ends.oldest_age() + self.window_ms;
        if take {
            words[1] = ends.charge(call.cost)?.word();
        }
        let verdict = Verdict { allowed: true, remaining: self.limit - permits, reset_at, retry_at: 0, next: 0 };
        Some(Outcome { now: call.now, limit: self.limit, index: 0, verdict })
    }

    #[cold]
    #[inline(always)]
    fn refuse_by_ends(&self, ends: &Ends<'_>, permits: u64, call: Call) -> Option<Outcome> {
        if permits - self.limit > ends.oldest_permits() {
            return None;
        }
        let reset_at = call.now - ends.oldest_age() + self.window_ms;
        let remaining = self.limit - (permits - call.cost);
        let verdict = Verdict { allowed: false, remaining, reset_at, retry_at: reset_at, next: 0 };
        Some(Outcome { now: call.now, limit: self.limit, index: 0, verdict })
    }

    /// Decides for a row that has no other policy, as [`Rules::decide`](super::Rules::decide) does.
    pub(super) fn decide(&self, state: &mut State<'_>, call: Call, take: bool) -> Outcome {
        let State { words, logs, clock } = state;
        let verdict = self.look(words, logs, *clock, call.now, call.cost);
        if verdict.allowed && take {
            self.charge(words, logs, *clock, call, verdict.next);
        }
        Outcome { now: call.now, limit: self.limit, index: 0, verdict }
    }

    /// Adds a grant that was allowed, in place of the first `out` entries; the row's clock moves to `call.now`.
    pub(super) fn charge(&self, words: &mut [u64], logs: &mut Logs, clock: u64, call: Call, out: u64) {
        let (out, form) = (to_usize(out), self.form);
        match LogOf::read(words) {
            None => Inline::read(words, clock, form).charge(out, words, logs, form, call),
            Some(LogOf { number, span }) => words[1] = logs.charge(number, span, form, call, out).word(),
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
        let form = self.form;
        if let Some(LogOf { number, span }) = LogOf::read(words) {
            let ring = logs.ring_mut(number);
            let log = Log::new(ring, span, form, clock);
            let Some(index) = log.of(at_ms) else { return 0 };
            let back = cost.min(log.permits(index));
            words[1] = log::refund(ring, span, form, index, back).word();
            return back;
        }
        let inline = Inline::read(words, clock, form);
        let Some(index) = Log::new(&inline.ring, inline.span, form, clock).of(at_ms) else { return 0 };
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
