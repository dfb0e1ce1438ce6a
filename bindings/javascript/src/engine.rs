//! The limiters of one JavaScript thread, by number, and the verbs upon them.

use crate::failure::Failure;
use crate::http::{self, Http};
use crate::number::{index, judged, shown, whole};
use crate::shelf::Shelf;
use crate::slots::{ANSWER, BATCH, COST, COUNT, DECISION_LENGTH, GIVEN, LIMITER, LIST, NOW, Slots};
use crate::verb::Verb;
use crate::{decision, pack, policy};
use alloc::boxed::Box;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use ratelimit_core::{AsKey, Config, Decision, Error, Field, Key, KeyRef, Limiter, Policy};

/// Fields by number; `node/src/error.ts` lists their words.
const FIELDS: [Field; 10] = [
    Field::Limit,
    Field::Capacity,
    Field::WindowMs,
    Field::Refill,
    Field::RefillPeriodMs,
    Field::Cost,
    Field::NowMs,
    Field::MaxIdentities,
    Field::Policies,
    Field::Ms,
];

/// Holds the limiters of one JavaScript thread and obeys its verbs.
#[derive(Debug, Default)]
pub struct Engine {
    limiters: Shelf<Arc<Limiter>>,
    http: Http,
    /// What the last verb that answers with text has written.
    said: String,
    failure: Option<Box<Failure>>,
}

impl Engine {
    /// Makes an engine without limiters; it allocates nothing.
    #[must_use]
    pub const fn new() -> Engine {
        Engine { limiters: Shelf::new(), http: Http::new(), said: String::new(), failure: None }
    }

    /// Does what the verb says with the bytes and the numbers in the slots, and leaves the answer in them: its first
    /// number is -1 if that failed.
    #[inline(always)]
    pub fn run(&mut self, verb: Verb, bytes: &[u8], slots: &mut Slots) {
        let answer = self.obey(verb, bytes, slots);
        self.answer(answer, slots);
    }

    /// Does what [`Verb::CheckMany`] says, with keys that are apart already.
    #[inline(always)]
    pub fn check_many(&mut self, keys: &[&[u8]], slots: &mut Slots) {
        let answer = self.check_each(keys, slots, check_at);
        self.answer(answer, slots);
    }

    #[inline(always)]
    fn answer(&mut self, answer: Result<f64, Box<Failure>>, slots: &mut Slots) {
        match answer {
            Ok(answer) => slots[ANSWER] = answer,
            Err(failure) => self.fail_with(failure, slots),
        }
    }

    /// Notes a failure, and says in the slots that there was one.
    pub fn fail(&mut self, failure: Failure, slots: &mut Slots) {
        self.fail_with(Box::new(failure), slots);
    }

    #[cold]
    fn fail_with(&mut self, failure: Box<Failure>, slots: &mut Slots) {
        slots[ANSWER] = -1.0;
        self.failure = Some(failure);
    }

    /// Returns what the last verb that failed has to say, in [lines](Failure::lines).
    #[must_use]
    #[inline(never)]
    pub fn failure(&self) -> String {
        self.failure.as_ref().map(|failure| failure.lines()).unwrap_or_default()
    }

    /// Returns what the last verb that answers with text has written.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.said
    }

    #[inline(always)]
    fn obey(&mut self, verb: Verb, bytes: &[u8], slots: &mut Slots) -> Result<f64, Box<Failure>> {
        match verb {
            Verb::Check => self.decide(bytes, slots, check_at),
            _ => self.obey_slowly(verb, bytes, slots, [check_at, peek_at, remaining_at]),
        }
    }

    #[inline(never)]
    fn obey_slowly(
        &mut self,
        verb: Verb,
        bytes: &[u8],
        slots: &mut Slots,
        [check_at, ask_at @ ..]: [Decide; 3],
    ) -> Result<f64, Box<Failure>> {
        match verb {
            Verb::CheckMany => self.check_each(&pack::list(bytes, slots)?, slots, check_at),
            Verb::Make => self.make(policy::read(slots)?, slots),
            Verb::MakeFromText => self.make(Policy::parse_stack(utf8(bytes)?)?, slots),
            Verb::Open => self.open(slots),
            Verb::Free => Ok(u8::from(self.limiters.free(index(slots[LIMITER]))).into()),
            Verb::Now => Ok(shown(clock::now_ms())),
            Verb::Refuse => {
                let field = *FIELDS.get(index(slots[COUNT])).ok_or_else(|| Failure::bug("a field is none"))?;
                let shown = utf8(bytes)?;
                let whole = slots[COST] == 1.0;
                Err(if whole { Error::out_of_range(field, shown) } else { Error::not_an_integer(field, shown) }.into())
            }
            Verb::Peek | Verb::Remaining | Verb::Refund | Verb::Reset => {
                let mut joined = None;
                self.obey_about(verb, key(bytes, slots, &mut joined)?, slots, ask_at)
            }
            Verb::Sweep
            | Verb::Size
            | Verb::Stats
            | Verb::Clear
            | Verb::MaxIdentities
            | Verb::Policies
            | Verb::Share => obey_on_all(verb, limiter(&self.limiters, slots)?, slots),
            _ => self.obey_over_http(verb, bytes, slots),
        }
    }

    fn obey_about(
        &self,
        verb: Verb,
        key: KeyRef<'_>,
        slots: &mut Slots,
        [peek_at, remaining_at]: [Decide; 2],
    ) -> Result<f64, Box<Failure>> {
        let limiter = self.limiter(slots)?;
        if verb == Verb::Reset {
            return Ok(u8::from(limiter.reset(key)).into());
        }
        let decision = match verb {
            Verb::Refund => Some(decision::read(slots[GIVEN..].first_chunk().unwrap_or(&[0.0; _]))?),
            _ => None,
        };
        let now = now(limiter, slots)?;
        Ok(match (verb, decision) {
            (_, Some(decision)) => limiter.refund_at(key, &decision, now)?.into(),
            (Verb::Remaining, _) => remaining_at(limiter, key, now, 0, slots)?,
            _ => peek_at(limiter, key, now, judged(Field::Cost, slots[COST])?, slots)?,
        })
    }

    fn obey_over_http(&mut self, verb: Verb, bytes: &[u8], slots: &Slots) -> Result<f64, Box<Failure>> {
        self.said.clear();
        match verb {
            Verb::Text => {
                for policy in limiter(&self.limiters, slots)?.policies() {
                    self.said.push_str(if self.said.is_empty() { "" } else { "; " });
                    // A text takes whatever is written to it.
                    let _ = policy.write_to(&mut self.said);
                }
                Ok(0.0)
            }
            Verb::MakeClient => self.http.make_client(bytes, slots),
            Verb::Client => self.http.client(bytes, slots, &mut self.said),
            Verb::Header => http::header(bytes, slots, &mut self.said),
            Verb::MakeTerms => {
                let limiter = Arc::clone(self.limiter(slots)?);
                self.http.make_terms(limiter.policies(), bytes, slots)
            }
            Verb::Fields => self.http.fields(slots, &mut self.said),
            Verb::Refusal => self.http.refusal(bytes, slots, &mut self.said),
            Verb::Refunds => Http::refunds(slots),
            Verb::FreeHttp => Ok(self.http.free(slots)),
            _ => Err(Failure::bug("a verb is done elsewhere")),
        }
    }

    /// Answers by one of core's two ways to decide.
    #[inline(always)]
    fn decide(&self, bytes: &[u8], slots: &mut Slots, decide: Decide) -> Result<f64, Box<Failure>> {
        let mut joined = None;
        let key = key(bytes, slots, &mut joined)?;
        let limiter = self.limiter(slots)?;
        let now = now(limiter, slots)?;
        Ok(decide(limiter, key, now, judged(Field::Cost, slots[COST])?, slots)?)
    }

    /// Checks each key at one time; the decisions stand in the slots' list.
    #[inline(never)]
    fn check_each(&self, keys: &[&[u8]], slots: &mut Slots, check_at: Decide) -> Result<f64, Box<Failure>> {
        let limiter = self.limiter(slots)?;
        if keys.len() > BATCH {
            return Err(Failure::bug("a batch is too long"));
        }
        let now = now(limiter, slots)?;
        let cost = judged(Field::Cost, slots[COST])?;
        check_all(limiter, keys, now, cost, slots, check_at)?;
        Ok(0.0)
    }

    #[inline(always)]
    fn limiter(&self, slots: &Slots) -> Result<&Arc<Limiter>, Box<Failure>> {
        limiter(&self.limiters, slots)
    }

    #[allow(clippy::arc_with_non_send_sync, reason = "without std there is one thread")]
    fn make(&mut self, policies: Vec<Policy>, slots: &Slots) -> Result<f64, Box<Failure>> {
        let mut config = Config::with_clock(policies, clock::clock());
        if !slots[COST].is_nan() {
            config = config.max_identities(whole(Field::MaxIdentities, slots[COST])?);
        }
        Ok(self.keep(Arc::new(Limiter::from_config(config)?)))
    }

    fn keep(&mut self, limiter: Arc<Limiter>) -> f64 {
        shown(self.limiters.keep(limiter) as u64)
    }

    #[cfg(feature = "std")]
    fn open(&mut self, slots: &Slots) -> Result<f64, Box<Failure>> {
        let number = index(slots[COUNT]) as u64;
        crate::share::open(number).map(|limiter| self.keep(limiter)).ok_or_else(|| Failure::NotShared.into())
    }

    #[cfg(not(feature = "std"))]
    fn open(&mut self, _: &Slots) -> Result<f64, Box<Failure>> {
        Err(Failure::OneThread.into())
    }
}

/// Does what concerns all keys of a limiter.
fn obey_on_all(verb: Verb, limiter: &Arc<Limiter>, slots: &mut Slots) -> Result<f64, Box<Failure>> {
    Ok(match verb {
        Verb::Sweep => shown(limiter.sweep_at(now(limiter, slots)?)?),
        Verb::Size => shown(limiter.len()),
        Verb::Stats => {
            let stats = limiter.stats();
            let counts = [stats.allowed, stats.denied, stats.saturated, stats.exceeds_limit];
            for (to, count) in slots[LIST..].iter_mut().zip(counts) {
                *to = shown(count);
            }
            0.0
        }
        Verb::Clear => {
            limiter.clear();
            0.0
        }
        Verb::MaxIdentities => shown(limiter.max_identities()),
        Verb::Policies => policy::write(limiter.policies(), slots),
        _ => share(limiter)?,
    })
}

#[inline(always)]
fn limiter<'a>(limiters: &'a Shelf<Arc<Limiter>>, slots: &Slots) -> Result<&'a Arc<Limiter>, Box<Failure>> {
    limiters.get(index(slots[LIMITER])).ok_or_else(Failure::disposed)
}

/// Decides for a key at a time and a cost, writes the decision into the slots and returns its kind, or what remains.
type Decide = fn(&Limiter, KeyRef<'_>, u64, u64, &mut Slots) -> Result<f64, Error>;

/// Checks, and writes the decision where core makes it: one in a result would be copied by wide reads of what has just
/// been written in narrow ones, for which the processor waits.
#[cfg(feature = "std")]
#[inline(always)]
fn check_at(limiter: &Limiter, key: KeyRef<'_>, now_ms: u64, cost: u64, slots: &mut Slots) -> Result<f64, Error> {
    let mut kind = 0.0;
    limiter.check_each_at(&[key], now_ms, cost, |decision| kind = answer(&decision, slots))?;
    Ok(kind)
}

/// Checks. This and the next two are inlined, so that all, and what of core they share, are built where `run` is called
/// from: in the wasm module's own crate, for speed.
#[cfg(not(feature = "std"))]
#[inline(always)]
fn check_at(limiter: &Limiter, key: KeyRef<'_>, now_ms: u64, cost: u64, slots: &mut Slots) -> Result<f64, Error> {
    limiter.check_at(key, now_ms, cost).map(|decision| answer(&decision, slots))
}

#[inline(always)]
fn peek_at(limiter: &Limiter, key: KeyRef<'_>, now_ms: u64, cost: u64, slots: &mut Slots) -> Result<f64, Error> {
    limiter.peek_at(key, now_ms, cost).map(|decision| answer(&decision, slots))
}

#[inline(always)]
fn remaining_at(limiter: &Limiter, key: KeyRef<'_>, now_ms: u64, _: u64, _: &mut Slots) -> Result<f64, Error> {
    limiter.remaining_at(key, now_ms).map(f64::from)
}

/// Checks each key, and writes the decisions into the slots' list. Without `std` by `check_at`, the code that a single
/// check takes.
fn check_all(
    limiter: &Limiter,
    keys: &[&[u8]],
    now_ms: u64,
    cost: u64,
    slots: &mut Slots,
    check_at: Decide,
) -> Result<(), Error> {
    if cfg!(feature = "std") {
        let mut places = slots[LIST..].as_chunks_mut().0.iter_mut();
        return limiter.check_each_at(keys, now_ms, cost, |decision| {
            if let Some(to) = places.next() {
                decision::write(&decision, to);
            }
        });
    }
    for (index, key) in keys.iter().enumerate() {
        check_at(limiter, key.as_key(), now_ms, cost, slots)?;
        // Each is written where the first one belongs, which so has to wait elsewhere.
        let to = if index == 0 { GIVEN } else { LIST + index * DECISION_LENGTH };
        slots.copy_within(LIST..LIST + DECISION_LENGTH, to);
    }
    slots.copy_within(GIVEN..GIVEN + DECISION_LENGTH, LIST);
    Ok(())
}

/// Writes a decision into the slots, and returns its kind.
#[inline(always)]
fn answer(decision: &Decision, slots: &mut Slots) -> f64 {
    slots[LIST..].first_chunk_mut().map_or(0.0, |to| decision::write(decision, to))
}

/// Reads the time of a call: the one that it gives, or else the limiter's own clock.
#[inline(always)]
fn now(limiter: &Limiter, slots: &Slots) -> Result<u64, Box<Failure>> {
    if slots[NOW].is_nan() { Ok(limiter.clock().now_ms()) } else { judged(Field::NowMs, slots[NOW]) }
}

/// Reads the key in the bytes, which is a plain one or a list of parts; of a list it is `joined` that keeps it.
#[inline(always)]
fn key<'a>(bytes: &'a [u8], slots: &Slots, joined: &'a mut Option<Key>) -> Result<KeyRef<'a>, Box<Failure>> {
    if slots[COUNT] < 0.0 {
        return Ok(KeyRef::plain(bytes));
    }
    parts(bytes, slots, joined)
}

#[cold]
#[inline(never)]
fn parts<'a>(bytes: &[u8], slots: &Slots, joined: &'a mut Option<Key>) -> Result<KeyRef<'a>, Box<Failure>> {
    let parts = pack::list(bytes, slots)?;
    Ok(joined.insert(Key::parts(&parts)).as_key())
}

fn utf8(bytes: &[u8]) -> Result<&str, Box<Failure>> {
    core::str::from_utf8(bytes).map_err(|_| Failure::bug("a text is not UTF-8"))
}

#[cfg(feature = "std")]
fn share(limiter: &Arc<Limiter>) -> Result<f64, Box<Failure>> {
    Ok(shown(crate::share::share(limiter)))
}

#[cfg(not(feature = "std"))]
fn share(_: &Arc<Limiter>) -> Result<f64, Box<Failure>> {
    Err(Failure::OneThread.into())
}

#[cfg(feature = "std")]
mod clock {
    use ratelimit_core::Clock;

    pub(super) fn clock() -> Clock {
        Clock::system()
    }

    pub(super) fn now_ms() -> u64 {
        Clock::system().now_ms()
    }
}

/// Where there is no clock JavaScript gives each call its time; one that it forgot is 0.
#[cfg(not(feature = "std"))]
mod clock {
    use ratelimit_core::ManualClock;

    pub(super) fn clock() -> ManualClock {
        ManualClock::default()
    }

    pub(super) fn now_ms() -> u64 {
        0
    }
}
