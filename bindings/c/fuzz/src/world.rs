//! Limiters under way, and what each call does to C and to core.

use crate::calls::{Ask, Call};
use crate::twin::{Name, Rule, Twin, decision, join, key, set_now, time};
use ratelimit::*;
use ratelimit_core::{Decision, Error, KeyRef, Kind, Limiter};
use std::ffi::CStr;
use std::fmt::Debug;
use std::ptr::{null, null_mut};

const MOST_LIMITERS: usize = 3;

/// A decision that nobody has written over.
const NOTHING: ratelimit_decision = ratelimit_decision {
    kind: -7,
    policy: 7,
    limit: 77,
    remaining: 777,
    cost: 7777,
    reserved: 7,
    reset_after_ms: 7,
    retry_after_ms: 7,
    at_ms: 7,
};

type Decide = unsafe extern "C" fn(
    *mut ratelimit_limiter,
    *const ratelimit_key,
    u64,
    u64,
    *mut ratelimit_decision,
) -> ratelimit_status;

/// Compares what C returned and wrote with what is due: an answer, or a status and none.
#[track_caller]
fn compare<A: PartialEq + Debug>(status: ratelimit_status, wrote: A, untouched: A, due: Result<A, i32>) {
    let expected = due.map_or_else(|status| (status, untouched), |answer| (0, answer));
    assert_eq!((status as i32, wrote), expected);
}

fn code(error: Error) -> i32 {
    error.code().into()
}

pub(crate) struct World {
    twins: Vec<Twin>,
    /// What was decided.
    decisions: Vec<Decision>,
}

/// A call's first arguments for C, and for core or the status that is due.
struct Given<'a> {
    limiter: *mut ratelimit_limiter,
    key: Option<ratelimit_key>,
    core: Result<(&'a Limiter, KeyRef<'a>), i32>,
}

impl Given<'_> {
    fn key(&self) -> *const ratelimit_key {
        self.key.as_ref().map_or(null(), |key| key)
    }
}

impl World {
    /// Begins at time 0 with a limiter, if there is one of the rule.
    pub(crate) fn new(rule: Option<Rule>) -> World {
        set_now(0);
        let twins = rule.and_then(|rule| Twin::make(&[rule], 4, None)).into_iter().collect();
        World { twins, decisions: Vec::new() }
    }

    /// Frees what is left; returns how many decisions were made.
    pub(crate) fn end(mut self) -> usize {
        self.twins.iter_mut().for_each(Twin::free);
        self.decisions.len()
    }

    /// Returns a limiter of C, and that of core or the status that is due: sometimes none, one that was freed, or what
    /// never was one.
    fn limiter(&self, who: u8) -> (*mut ratelimit_limiter, Result<&Limiter, i32>) {
        static FOREIGN: [u64; 2] = [7; 2];
        match (who % 16, self.twins.len()) {
            (0, _) | (_, 0) => (null_mut(), Err(100)),
            (1, _) => ((&raw const FOREIGN).cast_mut().cast(), Err(106)),
            (_, count) => {
                let first = usize::from(who) % count;
                let (before, from) = self.twins.split_at(first);
                // The next that lives, for most calls.
                let live = from.iter().chain(before).find(|twin| twin.core.is_some());
                let twin = live.filter(|_| who < 224).unwrap_or(&self.twins[first]);
                (twin.c, twin.core.as_ref().ok_or(105))
            }
        }
    }

    fn given<'a>(&'a self, ask: &Ask, bytes: &'a [u8]) -> Given<'a> {
        let (limiter, core) = self.limiter(ask.who);
        let c = (!ask.no_key()).then(|| ask.name.c(bytes));
        let key = c.as_ref().ok_or(100).and_then(|c| key(c, bytes));
        Given { limiter, key: c, core: core.and_then(|core| Ok((core, key?))) }
    }

    pub(crate) fn call(&mut self, call: Call) {
        match call {
            // Else no limiter would live long.
            Call::New { max_identities: 64.., .. } if self.twins.len() == MOST_LIMITERS => {}
            Call::Free { sure: 32.., .. } | Call::Clear { sure: 32.., .. } => {}
            Call::New { first, more, max_identities, wild, size } => {
                let rules: Vec<Rule> = std::iter::once(first).chain(more).collect();
                let max_identities = wild.0.unwrap_or(u64::from(max_identities % 8) + 1);
                self.twins.extend(Twin::make(&rules, max_identities, size.0));
                if self.twins.len() > MOST_LIMITERS {
                    self.twins.remove(0).free();
                }
            }
            Call::Free { who, .. } => {
                let (c, _) = self.limiter(who);
                match self.twins.iter_mut().find(|twin| twin.c == c) {
                    Some(twin) => twin.free(),
                    // Safe because what is no limiter is told.
                    None => assert_eq!(unsafe { ratelimit_free(c) } as i32, if c.is_null() { 0 } else { 106 }),
                }
            }
            Call::Time { now_ms, wild } => set_now(wild.0.unwrap_or(now_ms.into())),
            Call::Check { ask, more } => {
                for _ in 0..=more % 8 {
                    self.decide(&ask, ratelimit_check, |limiter, key, now_ms, cost| {
                        limiter.check_at(key, now_ms, cost)
                    });
                }
            }
            Call::Peek { ask } => {
                self.decide(&ask, peek, |limiter, key, now_ms, cost| limiter.peek_at(key, now_ms, cost))
            }
            Call::CheckMany { ask, names } => self.check_many(&ask, &names),
            Call::Remaining { ask } => self.remaining(&ask),
            Call::Refund { ask, back, kind, policy } => self.refund(&ask, back, kind.0, policy.0),
            Call::Reset { ask } => self.reset(&ask),
            Call::Sweep { ask } => self.sweep(&ask),
            Call::Look { ask } => self.look(&ask),
            Call::Clear { who, .. } => {
                let (c, core) = self.limiter(who);
                // Safe because what is no limiter is told.
                compare(unsafe { ratelimit_clear(c) }, (), (), core.map(Limiter::clear));
            }
            Call::Join { parts, capacity } => {
                let parts: Vec<Vec<u8>> = parts.iter().map(Name::bytes).collect();
                join(&parts, capacity.into());
            }
            Call::StatusText { status } => {
                // Safe because the text ends in a NUL.
                assert!(!unsafe { CStr::from_ptr(ratelimit_status_text(status)) }.is_empty());
            }
        }
    }

    fn decide(
        &mut self,
        ask: &Ask,
        c: Decide,
        core: impl Fn(&Limiter, KeyRef<'_>, u64, u64) -> Result<Decision, Error>,
    ) {
        let bytes = ask.name.bytes();
        let given = self.given(ask, &bytes);
        let mut wrote = NOTHING;
        let place = if ask.no_answer() { null_mut() } else { &raw mut wrote };
        // Safe because each pointer is to what it says, or is told.
        let status = unsafe { c(given.limiter, given.key(), ask.cost(), ask.now_ms(), place) };
        let due = given.core.and_then(|(limiter, key)| match ask.no_answer() {
            true => Err(100),
            false => core(limiter, key, time(ask.now_ms()), ask.cost()).map_err(code),
        });
        compare(status, wrote, NOTHING, due.as_ref().map(decision).map_err(|status| *status));
        self.decisions.extend(due.ok());
    }

    fn check_many(&mut self, ask: &Ask, names: &[Name]) {
        let bytes: Vec<Vec<u8>> = names.iter().map(Name::bytes).collect();
        let keys: Vec<ratelimit_key> = names.iter().zip(&bytes).map(|(name, bytes)| name.c(bytes)).collect();
        let (limiter, core) = self.limiter(ask.who);
        let untouched = vec![NOTHING; keys.len()];
        let mut wrote = untouched.clone();
        let place = if ask.no_answer() { null_mut() } else { wrote.as_mut_ptr() };
        let (first, count) = (if ask.no_key() { null() } else { keys.as_ptr() }, keys.len());
        // Safe because each pointer is to what it says, or is told.
        let status = unsafe { ratelimit_check_many(limiter, first, count, ask.cost(), ask.now_ms(), place) };
        let due = || {
            let missing = |no: bool| if no && count > 0 { Err(100) } else { Ok(()) };
            missing(ask.no_key())?;
            let core = core?;
            missing(ask.no_answer())?;
            // A limiter of its own judges the numbers, for there may be no key.
            let judge: Limiter = "1/s".parse().expect("it is a policy");
            if ask.now_ms() != RATELIMIT_NOW {
                judge.sweep_at(ask.now_ms()).map_err(code)?;
            }
            let keys: Vec<KeyRef<'_>> =
                keys.iter().zip(&bytes).map(|(c, bytes)| key(c, bytes)).collect::<Result<_, _>>()?;
            judge.check_cost("", ask.cost()).map_err(code)?;
            let check = |key: &KeyRef<'_>| core.check_at(*key, time(ask.now_ms()), ask.cost()).map_err(code);
            keys.iter().map(check).collect::<Result<Vec<Decision>, i32>>()
        };
        let due = due();
        let expected = due.as_ref().map(|decisions| decisions.iter().map(decision).collect());
        compare(status, wrote, untouched, expected.map_err(|status| *status));
        self.decisions.extend(due.unwrap_or_default());
    }

    fn remaining(&mut self, ask: &Ask) {
        let bytes = ask.name.bytes();
        let given = self.given(ask, &bytes);
        let mut wrote = 7_777_777;
        let place = if ask.no_answer() { null_mut() } else { &raw mut wrote };
        // Safe because each pointer is to what it says, or is told.
        let status = unsafe { ratelimit_remaining(given.limiter, given.key(), ask.now_ms(), place) };
        let due = given.core.and_then(|(limiter, key)| match ask.no_answer() {
            true => Err(100),
            false => limiter.remaining_at(key, time(ask.now_ms())).map_err(code),
        });
        compare(status, wrote, 7_777_777, due);
    }

    fn refund(&mut self, ask: &Ask, back: u8, kind: Option<i32>, policy: Option<u32>) {
        let Some(core) = self.decisions.iter().rev().nth(back.into()).copied() else { return };
        let mut c = decision(&core);
        c.kind = kind.unwrap_or(c.kind);
        c.policy = policy.unwrap_or(c.policy);
        let bytes = ask.name.bytes();
        let given = self.given(ask, &bytes);
        let mut wrote = 7_777_777;
        let place = if ask.no_answer() { null_mut() } else { &raw mut wrote };
        // Safe because each pointer is to what it says, or is told.
        let status = unsafe { ratelimit_refund(given.limiter, given.key(), &c, ask.now_ms(), place) };
        let due = given.core.and_then(|(limiter, key)| {
            let mut core = core;
            let kinds = [Kind::Allowed, Kind::Denied, Kind::Saturated, Kind::ExceedsLimit];
            core.kind = usize::try_from(c.kind).ok().and_then(|kind| kinds.get(kind)).copied().ok_or(101)?;
            core.policy = u8::try_from(c.policy).ok().filter(|policy| *policy < 4).ok_or(101)?;
            limiter.refund_at(key, &core, time(ask.now_ms())).map_err(code)
        });
        compare(status, wrote, 7_777_777, due.map(|permits| if ask.no_answer() { 7_777_777 } else { permits }));
    }

    fn reset(&mut self, ask: &Ask) {
        let bytes = ask.name.bytes();
        let given = self.given(ask, &bytes);
        for untouched in [true, false] {
            let mut wrote = untouched;
            let place = if ask.no_answer() { null_mut() } else { &raw mut wrote };
            // Safe because each pointer is to what it says, or is told.
            let status = unsafe { ratelimit_reset(given.limiter, given.key(), place) };
            let due = given.core.map(|(limiter, key)| limiter.reset(key));
            compare(status, wrote, untouched, due.map(|had_row| if ask.no_answer() { untouched } else { had_row }));
        }
    }

    fn sweep(&mut self, ask: &Ask) {
        let (limiter, core) = self.limiter(ask.who);
        let mut wrote = u64::MAX;
        let place = if ask.no_answer() { null_mut() } else { &raw mut wrote };
        // Safe because each pointer is to what it says, or is told.
        let status = unsafe { ratelimit_sweep(limiter, ask.now_ms(), place) };
        let due = core.and_then(|core| core.sweep_at(time(ask.now_ms())).map_err(code));
        compare(status, wrote, u64::MAX, due.map(|rows| if ask.no_answer() { u64::MAX } else { rows }));
    }

    /// Counts rows, and what was decided.
    fn look(&mut self, ask: &Ask) {
        let (limiter, core) = self.limiter(ask.who);
        let answered = |core| if ask.no_answer() { Err(100) } else { Ok(core) };
        let mut len = u64::MAX;
        let place = if ask.no_answer() { null_mut() } else { &raw mut len };
        // Safe because each pointer is to what it says, or is told.
        let status = unsafe { ratelimit_len(limiter, place) };
        compare(status, len, u64::MAX, core.and_then(answered).map(Limiter::len));
        let untouched = ratelimit_stats_t { allowed: 7, denied: 77, saturated: 777, exceeds_limit: 7777 };
        let mut stats = untouched;
        let place = if ask.no_answer() { null_mut() } else { &raw mut stats };
        // Safe because each pointer is to what it says, or is told.
        let status = unsafe { ratelimit_stats(limiter, place) };
        let due = core.and_then(answered).map(Limiter::stats).map(|core| ratelimit_stats_t {
            allowed: core.allowed,
            denied: core.denied,
            saturated: core.saturated,
            exceeds_limit: core.exceeds_limit,
        });
        compare(status, stats, untouched, due);
    }
}

/// Is `ratelimit_peek`, of the same type as `ratelimit_check`.
unsafe extern "C" fn peek(
    limiter: *mut ratelimit_limiter,
    key: *const ratelimit_key,
    cost: u64,
    now_ms: u64,
    decision: *mut ratelimit_decision,
) -> ratelimit_status {
    // Safe because the caller promises the same.
    unsafe { ratelimit_peek(limiter, key, cost, now_ms, decision) }
}
