//! The decision: pure steps over a row's words. Nothing here reads a clock, takes a lock or knows of a table.

#[cfg(feature = "std")]
mod divisor;
#[cfg(not(feature = "std"))]
#[path = "plain_divisor.rs"]
mod divisor;
mod ends;
mod fixed_window;
mod log;
mod sliding_window;
mod token_bucket;

use crate::decision::{Decision, Kind};
use crate::error::Error;
use crate::policy::Policy;
use alloc::vec::Vec;
use core::cmp::Reverse;
use core::num::NonZeroU64;
use divisor::Divisor;
use fixed_window::FixedWindow;
pub(crate) use log::Logs;
pub(crate) use sliding_window::SlidingWindow;
use token_bucket::TokenBucket;

const MAX_POLICIES: usize = 4;
const MAX_SWEEP_INTERVAL_MS: u64 = 60_000;

/// What one policy makes of a call. Times are on the limiter's clock, not yet waits.
#[derive(Clone, Copy)]
struct Verdict {
    allowed: bool,
    /// Permits left after this call: less its cost if it is allowed.
    remaining: u64,
    /// When `remaining` next goes up; 0 if it is full.
    reset_at: u64,
    /// When a refused call would be allowed.
    retry_at: u64,
    /// The word that an allowed call leaves in the row; of a sliding window the number of entries that are out.
    next: u64,
}

/// A policy as numbers that were judged.
#[derive(Clone)]
enum Rule {
    Fixed(FixedWindow),
    Bucket(TokenBucket),
    Sliding(SlidingWindow),
}

/// A rule whose memory is one word of a row.
#[derive(Clone)]
pub(crate) enum OneWord {
    Fixed(FixedWindow),
    Bucket(TokenBucket),
}

/// A row's memory as a step sees it: when it was last charged, its words, and the logs that may lie outside it.
pub(crate) struct State<'a> {
    pub(crate) clock: u64,
    pub(crate) words: &'a mut [u64],
    pub(crate) logs: &'a mut Logs,
}

/// One call: the time that is used, and the permits asked for.
#[derive(Clone, Copy)]
pub(crate) struct Call {
    pub(crate) now: u64,
    pub(crate) cost: u64,
}

/// What came of a call; a [`Decision`] but for the caller's own time.
pub(crate) struct Outcome {
    now: u64,
    limit: u64,
    index: usize,
    verdict: Verdict,
}

/// The policy of a stack that has least left; of several, the one whose `remaining` goes up last.
struct Scarcest {
    index: usize,
    remaining: u64,
    reset_at: u64,
}

impl Default for Scarcest {
    fn default() -> Scarcest {
        Scarcest { index: 0, remaining: u64::MAX, reset_at: 0 }
    }
}

impl Scarcest {
    #[inline]
    fn note(&mut self, index: usize, verdict: &Verdict) {
        let Verdict { remaining, reset_at, .. } = *verdict;
        if (Reverse(remaining), reset_at) > (Reverse(self.remaining), self.reset_at) {
            *self = Scarcest { index, remaining, reset_at };
        }
    }
}

/// One policy of a stack and where its words begin.
#[derive(Clone)]
struct Part {
    rule: Rule,
    first: usize,
}

/// The policies of a limiter, ready to decide: one, or a stack of up to four. In this order what every call asks for
/// lies together, at the end.
#[derive(Clone)]
#[repr(C)]
pub(crate) struct Rules {
    words: usize,
    sweep_interval_ms: u64,
    parts: Vec<Part>,
    /// All rules, if each takes one word.
    one_words: Vec<OneWord>,
    /// The rule of a limiter that has one policy, if it is a sliding window.
    sliding: Option<SlidingWindow>,
    /// The rule of a limiter that has one policy, if it takes one word: the short way to decide.
    one_word: Option<OneWord>,
    min_limit: u64,
}

impl Rules {
    /// Judges the policies and lays out their words.
    pub(crate) fn new(policies: &[Policy]) -> Result<Rules, Error> {
        if policies.is_empty() || policies.len() > MAX_POLICIES {
            return Err(Error::PolicyCount { count: policies.len(), offset: None });
        }
        let mut rules = Rules {
            one_word: None,
            one_words: Vec::new(),
            sliding: None,
            parts: Vec::with_capacity(policies.len()),
            words: 0,
            min_limit: u64::MAX,
            sweep_interval_ms: MAX_SWEEP_INTERVAL_MS,
        };
        for policy in policies {
            let rule = Rule::new(policy)?;
            rules.min_limit = rules.min_limit.min(rule.limit());
            rules.sweep_interval_ms = rules.sweep_interval_ms.min(rule.forgets_after_ms()).max(1);
            let first = rules.words;
            rules.words += rule.words();
            rules.parts.push(Part { rule, first });
        }
        if cfg!(feature = "std") {
            let words = rules.parts.iter().map(|part| part.rule.one_word());
            rules.one_words = words.collect::<Option<_>>().unwrap_or_default();
        }
        if let [Part { rule, .. }] = &*rules.parts {
            rules.one_word = rule.one_word();
            if let Rule::Sliding(window) = rule {
                rules.sliding = Some(window.clone());
            }
        }
        Ok(rules)
    }

    /// Returns how many words of state a row needs.
    pub(crate) fn words(&self) -> usize {
        self.words
    }

    pub(crate) fn sweep_interval_ms(&self) -> u64 {
        self.sweep_interval_ms
    }

    /// Returns the most bytes that a row can keep outside itself.
    pub(crate) fn max_log_bytes(&self) -> u64 {
        let logs = self.parts.iter().map(|part| match &part.rule {
            Rule::Sliding(window) => window.max_log_bytes(),
            Rule::Fixed(_) | Rule::Bucket(_) => 0,
        });
        logs.sum()
    }

    /// Returns the largest cost that can ever be allowed.
    #[inline]
    pub(crate) fn min_limit(&self) -> u64 {
        self.min_limit
    }

    /// Writes the words of a row that owes nothing.
    #[inline]
    pub(crate) fn fresh(&self, words: &mut [u64]) {
        for Part { rule, first } in &self.parts {
            match rule {
                Rule::Bucket(bucket) => words[*first] = bucket.full(),
                Rule::Fixed(_) | Rule::Sliding(_) => words[*first] = 0,
            }
        }
    }

    #[inline(always)]
    pub(crate) fn one_word(&self) -> Option<&OneWord> {
        self.one_word.as_ref()
    }

    #[inline(always)]
    pub(crate) fn sliding(&self) -> Option<&SlidingWindow> {
        self.sliding.as_ref()
    }

    /// Decides, and takes the permits if `take` and every policy allows; a refusal changes nothing.
    #[inline(never)]
    pub(crate) fn decide(&self, state: &mut State<'_>, call: Call, take: bool) -> Outcome {
        // Without `std`, where code is to be small, the way for all policies does.
        if cfg!(feature = "std") && !self.one_words.is_empty() {
            return self.decide_words(state, call, take);
        }
        // Quicker, but without `std` what counts is how much code there is.
        if cfg!(feature = "std")
            && let Some(window) = &self.sliding
        {
            return window.decide(state, call, take);
        }
        let mut next = [0; MAX_POLICIES];
        let mut scarcest = Scarcest::default();
        for ((index, part), next) in self.parts.iter().enumerate().zip(&mut next) {
            let verdict = part.look(state, call.now, call.cost);
            if !verdict.allowed {
                return self.refuse(state, call);
            }
            *next = verdict.next;
            scarcest.note(index, &verdict);
        }
        if take {
            for (part, next) in self.parts.iter().zip(next) {
                part.charge(state, call, next);
            }
        }
        self.allow(call, scarcest)
    }

    /// Decides as the rest of [`decide`](Rules::decide) does, for policies that take one word each.
    #[inline]
    fn decide_words(&self, state: &mut State<'_>, call: Call, take: bool) -> Outcome {
        let mut next = [0; MAX_POLICIES];
        let mut scarcest = Scarcest::default();
        for (index, ((rule, word), next)) in self.one_words.iter().zip(&*state.words).zip(&mut next).enumerate() {
            let (_, verdict) = rule.look(*word, state.clock, call);
            if !verdict.allowed {
                return self.refuse(state, call);
            }
            *next = verdict.next;
            scarcest.note(index, &verdict);
        }
        if take {
            // One after the other: there are too few for a copy to be quicker.
            for (word, next) in state.words.iter_mut().zip(next).take(self.one_words.len()) {
                *word = next;
            }
        }
        self.allow(call, scarcest)
    }

    /// Answers a call that every policy allows.
    #[inline]
    fn allow(&self, call: Call, scarcest: Scarcest) -> Outcome {
        let Scarcest { index, remaining, reset_at } = scarcest;
        let verdict = Verdict { allowed: true, remaining, reset_at, retry_at: 0, next: 0 };
        Outcome { now: call.now, limit: self.parts[index].rule.limit(), index, verdict }
    }

    /// Answers a call that some policy refuses: of those, the one that refuses longest speaks. No policy is charged, so
    /// what is left is told as it is without the call.
    fn refuse(&self, state: &State<'_>, call: Call) -> Outcome {
        let mut scarcest = Scarcest::default();
        let (mut longest, mut retry_at) = (0, 0);
        for (index, part) in self.parts.iter().enumerate() {
            let mut verdict = part.look(state, call.now, call.cost);
            if verdict.allowed {
                verdict = part.look(state, call.now, 0);
            } else if verdict.retry_at > retry_at {
                (longest, retry_at) = (index, verdict.retry_at);
            }
            scarcest.note(index, &verdict);
        }
        let Scarcest { remaining, reset_at, .. } = scarcest;
        let verdict = Verdict { allowed: false, remaining, reset_at, retry_at, next: 0 };
        Outcome { now: call.now, limit: self.parts[longest].rule.limit(), index: longest, verdict }
    }

    /// Answers a cost above [`min_limit`](Rules::min_limit), which no wait can bring.
    #[cold]
    pub(crate) fn exceeds_limit(&self, now_ms: u64, cost: u64) -> Decision {
        let index = self.parts.iter().position(|part| cost > part.rule.limit()).unwrap_or(0);
        Decision {
            kind: Kind::ExceedsLimit,
            policy: narrow_index(index),
            limit: narrow(self.parts[index].rule.limit()),
            cost: narrow(cost),
            at_ms: now_ms,
            ..Decision::default()
        }
    }

    /// Answers a new key that finds no room until `sweep_at`.
    pub(crate) fn saturated(&self, now_ms: u64, cost: u64, sweep_at: u64) -> Decision {
        let wait = sweep_at.saturating_sub(now_ms).max(1);
        Decision {
            kind: Kind::Saturated,
            limit: narrow(self.parts[0].rule.limit()),
            cost: narrow(cost),
            reset_after_ms: wait,
            retry_after_ms: Some(wait),
            at_ms: now_ms,
            ..Decision::default()
        }
    }

    /// Gives back what an allowed decision took, as far as it is still owed; returns the permits.
    pub(crate) fn refund(&self, state: &mut State<'_>, now: u64, decision: &Decision) -> u32 {
        let cost = u64::from(decision.cost);
        if decision.kind != Kind::Allowed || cost > self.min_limit {
            return 0;
        }
        let back = self.parts.iter().map(|part| part.refund(state, now, decision.at_ms, cost));
        narrow(back.max().unwrap_or(0))
    }

    /// Tells whether forgetting the row changes no decision at `now` or after it.
    pub(crate) fn idle(&self, state: &State<'_>, now: u64) -> bool {
        self.parts.iter().all(|part| part.look(state, now, 0).reset_at == 0)
    }

    /// Lets go of what the row keeps outside itself, before it is forgotten.
    pub(crate) fn forget(&self, words: &[u64], logs: &mut Logs) {
        for Part { rule, first } in &self.parts {
            if let Rule::Sliding(window) = rule {
                window.forget(&words[*first..], logs);
            }
        }
    }
}

impl OneWord {
    #[inline(always)]
    fn look(&self, word: u64, clock: u64, call: Call) -> (u64, Verdict) {
        match self {
            OneWord::Fixed(window) => (window.limit, window.look(word, clock, call.now, call.cost)),
            OneWord::Bucket(bucket) => (bucket.capacity, bucket.look(word, clock, call.now, call.cost)),
        }
    }

    /// Decides as [`Rules::decide`] does, all in place.
    #[inline(always)]
    pub(crate) fn decide(&self, word: &mut u64, clock: u64, call: Call, take: bool) -> Outcome {
        let (limit, verdict) = self.look(*word, clock, call);
        if verdict.allowed && take {
            *word = verdict.next;
        }
        Outcome { now: call.now, limit, index: 0, verdict }
    }
}

impl Rule {
    fn new(policy: &Policy) -> Result<Rule, Error> {
        let [permits, second, third] = policy.numbers()?;
        // Judged not to be 0; of windows there is no third.
        let [second, third] =
            [second, third].map(|number| Divisor::new(NonZeroU64::new(number).unwrap_or(NonZeroU64::MIN)));
        Ok(match policy {
            Policy::FixedWindow { .. } => Rule::Fixed(FixedWindow { limit: permits, window_ms: second }),
            Policy::SlidingWindow { .. } => Rule::Sliding(SlidingWindow::new(permits, second.get())),
            Policy::TokenBucket { .. } => {
                Rule::Bucket(TokenBucket { capacity: permits, refill: second, period_ms: third })
            }
        })
    }

    #[inline]
    fn limit(&self) -> u64 {
        match self {
            Rule::Fixed(FixedWindow { limit, .. }) | Rule::Sliding(SlidingWindow { limit, .. }) => *limit,
            Rule::Bucket(bucket) => bucket.capacity,
        }
    }

    fn one_word(&self) -> Option<OneWord> {
        match self {
            Rule::Fixed(window) => Some(OneWord::Fixed(window.clone())),
            Rule::Bucket(bucket) => Some(OneWord::Bucket(bucket.clone())),
            Rule::Sliding(_) => None,
        }
    }

    fn words(&self) -> usize {
        match self {
            Rule::Fixed(_) | Rule::Bucket(_) => 1,
            Rule::Sliding(_) => sliding_window::WORDS,
        }
    }

    /// Returns after how long a row can owe nothing any more.
    fn forgets_after_ms(&self) -> u64 {
        match self {
            Rule::Fixed(window) => window.window_ms.get(),
            Rule::Sliding(window) => window.window_ms,
            Rule::Bucket(bucket) => bucket.fill_ms(),
        }
    }

    #[inline]
    fn look(&self, words: &[u64], logs: &Logs, clock: u64, now: u64, cost: u64) -> Verdict {
        match self {
            Rule::Fixed(window) => window.look(words[0], clock, now, cost),
            Rule::Bucket(bucket) => bucket.look(words[0], clock, now, cost),
            Rule::Sliding(window) => window.look(words, logs, clock, now, cost),
        }
    }

    #[inline]
    fn charge(&self, words: &mut [u64], logs: &mut Logs, clock: u64, call: Call, next: u64) {
        match self {
            Rule::Fixed(_) | Rule::Bucket(_) => words[0] = next,
            Rule::Sliding(window) => window.charge(words, logs, clock, call, next),
        }
    }
}

impl Part {
    #[inline]
    fn look(&self, state: &State<'_>, now: u64, cost: u64) -> Verdict {
        self.rule.look(&state.words[self.first..], state.logs, state.clock, now, cost)
    }

    #[inline]
    fn charge(&self, state: &mut State<'_>, call: Call, next: u64) {
        self.rule.charge(&mut state.words[self.first..], state.logs, state.clock, call, next);
    }

    fn refund(&self, state: &mut State<'_>, now: u64, at_ms: u64, cost: u64) -> u64 {
        let words = &mut state.words[self.first..];
        match &self.rule {
            Rule::Fixed(window) => window.refund(&mut words[0], state.clock, now, at_ms, cost),
            Rule::Bucket(bucket) => bucket.refund(&mut words[0], state.clock, now, at_ms, cost),
            Rule::Sliding(window) => window.refund(words, state.logs, state.clock, now, at_ms, cost),
        }
    }
}

impl Outcome {
    #[inline(always)]
    pub(crate) fn is_allowed(&self) -> bool {
        self.verdict.allowed
    }

    /// Turns times into waits, counted from the caller's own time.
    #[inline(always)]
    pub(crate) fn decision(self, now_ms: u64, cost: u64) -> Decision {
        let Verdict { allowed, remaining, reset_at, retry_at, .. } = self.verdict;
        Decision {
            kind: if allowed { Kind::Allowed } else { Kind::Denied },
            policy: narrow_index(self.index),
            limit: narrow(self.limit),
            remaining: narrow(remaining),
            cost: narrow(cost),
            reset_after_ms: reset_at.saturating_sub(now_ms),
            retry_after_ms: Some(if allowed { 0 } else { retry_at.saturating_sub(now_ms) }),
            at_ms: self.now,
        }
    }
}

#[inline(always)]
#[expect(clippy::cast_possible_truncation, reason = "limits and costs were judged, and what is left exceeds no limit")]
fn narrow(permits: u64) -> u32 {
    permits as u32
}

#[inline(always)]
#[expect(clippy::cast_possible_truncation, reason = "at most four policies")]
fn narrow_index(index: usize) -> u8 {
    index as u8
}
