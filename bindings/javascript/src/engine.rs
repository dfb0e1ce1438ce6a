//! The limiters of one JavaScript thread, by number, and the verbs upon them.

use crate::failure::Failure;
use crate::number::{index, judged, shown, whole};
use crate::slots::{ANSWER, BATCH, COST, COUNT, DECISION, LIMITER, LIST, NOW, Slots};
use crate::verb::Verb;
use crate::{decision, pack, policy};
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;
use ratelimit_core::{Config, Error, Field, Key, KeyRef, Limiter, Policy};

/// Fields by number; `node/src/error.ts` lists their words.
const FIELDS: [Field; 9] = [
    Field::Limit,
    Field::Capacity,
    Field::WindowMs,
    Field::Refill,
    Field::RefillPeriodMs,
    Field::Cost,
    Field::NowMs,
    Field::MaxIdentities,
    Field::Policies,
];

/// Whether limiters have a clock to read; else JavaScript gives each call its time.
const READS_CLOCK: bool = cfg!(feature = "std");

/// Holds the limiters of one JavaScript thread and obeys its verbs.
#[derive(Debug, Default)]
pub struct Engine {
    limiters: Vec<Option<Arc<Limiter>>>,
    vacant: Vec<usize>,
    failure: Option<Failure>,
}

impl Engine {
    /// Makes an engine without limiters; it allocates nothing.
    #[must_use]
    pub const fn new() -> Engine {
        Engine { limiters: Vec::new(), vacant: Vec::new(), failure: None }
    }

    /// Does what the verb says with the bytes and the numbers in the slots, and leaves the answer in them: its first
    /// number is -1 if that failed.
    #[inline]
    pub fn run(&mut self, verb: Verb, bytes: &[u8], slots: &mut Slots) {
        match self.obey(verb, bytes, slots) {
            Ok(answer) => slots[ANSWER] = answer,
            Err(failure) => self.fail(failure, slots),
        }
    }

    /// Notes a failure, and says in the slots that there was one.
    #[cold]
    pub fn fail(&mut self, failure: Failure, slots: &mut Slots) {
        slots[ANSWER] = -1.0;
        self.failure = Some(failure);
    }

    /// Returns what the last verb that failed has to say, in [lines](Failure::lines).
    #[must_use]
    pub fn failure(&self) -> String {
        self.failure.as_ref().map(Failure::lines).unwrap_or_default()
    }

    /// Returns a limiter's policies as text, in the one form that every language writes.
    #[must_use]
    pub fn text(&self, slots: &Slots) -> String {
        let policies = self.limiter(slots).map(|limiter| limiter.policies()).unwrap_or_default();
        policies.iter().map(Policy::to_string).collect::<Vec<_>>().join("; ")
    }

    #[inline]
    fn obey(&mut self, verb: Verb, bytes: &[u8], slots: &mut Slots) -> Result<f64, Failure> {
        match verb {
            Verb::Check => self.decide(bytes, slots, true),
            Verb::Peek => self.decide(bytes, slots, false),
            Verb::CheckMany => self.check_many(bytes, slots),
            _ => self.obey_slowly(verb, bytes, slots),
        }
    }

    #[inline(never)]
    fn obey_slowly(&mut self, verb: Verb, bytes: &[u8], slots: &mut Slots) -> Result<f64, Failure> {
        match verb {
            Verb::Make => self.make(policy::read(slots)?, slots),
            Verb::MakeFromText => {
                let text = core::str::from_utf8(bytes).map_err(|_| Failure::Bug("a text is not UTF-8"))?;
                self.make(Policy::parse_stack(text)?, slots)
            }
            Verb::Open => self.open(slots),
            Verb::Free => self.free(slots),
            Verb::Now => Ok(shown(clock::now_ms())),
            Verb::Refuse => {
                let field = *FIELDS.get(index(slots[COUNT])).ok_or(Failure::Bug("a field is none"))?;
                let shown = String::from_utf8_lossy(bytes);
                let whole = slots[COST] == 1.0;
                Err(if whole { Error::out_of_range(field, shown) } else { Error::not_an_integer(field, shown) }.into())
            }
            Verb::Sweep => self.limiter(slots).and_then(|limiter| Ok(shown(limiter.sweep_at(now(limiter, slots)?)?))),
            Verb::Size => self.limiter(slots).map(|limiter| shown(limiter.len())),
            Verb::Stats => self.stats(slots),
            Verb::Clear => self.limiter(slots).map(|limiter| limiter.clear()).map(|()| 0.0),
            Verb::MaxIdentities => self.limiter(slots).map(|limiter| shown(limiter.max_identities())),
            Verb::Policies => self.limiter(slots).map(|limiter| policy::write(limiter.policies(), slots)),
            Verb::Share => self.limiter(slots).and_then(share),
            Verb::Remaining => with_key(bytes, slots, |key| {
                let limiter = self.limiter(slots)?;
                Ok(f64::from(limiter.remaining_at(key, now(limiter, slots)?)?))
            }),
            Verb::Refund => with_key(bytes, slots, |key| {
                let (limiter, decision) = (self.limiter(slots)?, decision::read(slots)?);
                Ok(f64::from(limiter.refund_at(key, &decision, now(limiter, slots)?)?))
            }),
            Verb::Reset => with_key(bytes, slots, |key| Ok(f64::from(u8::from(self.limiter(slots)?.reset(key))))),
            Verb::Check | Verb::Peek | Verb::CheckMany => Err(Failure::Bug("a decision is not slow")),
        }
    }

    #[inline]
    fn decide(&self, bytes: &[u8], slots: &mut Slots, take: bool) -> Result<f64, Failure> {
        let decision = with_key(bytes, slots, |key| {
            let limiter = self.limiter(slots)?;
            let now = now(limiter, slots)?;
            let cost = judged(Field::Cost, slots[COST])?;
            Ok(if take { limiter.check_at(key, now, cost)? } else { limiter.peek_at(key, now, cost)? })
        })?;
        if let Some(to) = slots[DECISION..].first_chunk_mut() {
            decision::write(&decision, to);
        }
        Ok(slots[ANSWER])
    }

    /// Checks each key of a list at one time; the decisions stand in the slots' list.
    fn check_many(&self, bytes: &[u8], slots: &mut Slots) -> Result<f64, Failure> {
        let limiter = self.limiter(slots)?;
        let count = index(slots[COUNT]);
        if count > BATCH {
            return Err(Failure::Bug("a batch is too long"));
        }
        let keys: Vec<&[u8]> = pack::unpack(bytes, count)?.collect();
        let now = if READS_CLOCK && slots[NOW].is_nan() { None } else { Some(now(limiter, slots)?) };
        let cost = judged(Field::Cost, slots[COST])?;
        let places = slots[LIST..].as_chunks_mut().0.iter_mut();
        match now {
            Some(now) => {
                for (key, to) in keys.iter().zip(places) {
                    decision::write(&limiter.check_at(key, now, cost)?, to);
                }
            }
            None => {
                for (decision, to) in limiter.check_many(&keys, cost)?.iter().zip(places) {
                    decision::write(decision, to);
                }
            }
        }
        Ok(0.0)
    }

    #[inline]
    fn limiter(&self, slots: &Slots) -> Result<&Arc<Limiter>, Failure> {
        self.limiters.get(index(slots[LIMITER])).and_then(Option::as_ref).ok_or(Failure::Disposed)
    }

    #[allow(clippy::arc_with_non_send_sync, reason = "without std there is one thread")]
    fn make(&mut self, policies: Vec<Policy>, slots: &Slots) -> Result<f64, Failure> {
        let mut config = Config::with_clock(policies, clock::clock());
        if !slots[COST].is_nan() {
            config = config.max_identities(whole(Field::MaxIdentities, slots[COST])?);
        }
        Ok(self.keep(Arc::new(Limiter::from_config(config)?)))
    }

    /// Takes a limiter in and returns its number. 0 is nobody's: it is what JavaScript holds when a limiter is ended.
    fn keep(&mut self, limiter: Arc<Limiter>) -> f64 {
        let number = self.vacant.pop().unwrap_or_else(|| {
            if self.limiters.is_empty() {
                self.limiters.push(None);
            }
            self.limiters.push(None);
            self.limiters.len() - 1
        });
        self.limiters[number] = Some(limiter);
        shown(number as u64)
    }

    fn free(&mut self, slots: &Slots) -> Result<f64, Failure> {
        let number = index(slots[LIMITER]);
        let held = self.limiters.get_mut(number).and_then(Option::take);
        if held.is_some() {
            self.vacant.push(number);
        }
        Ok(f64::from(u8::from(held.is_some())))
    }

    #[cfg(feature = "std")]
    fn open(&mut self, slots: &Slots) -> Result<f64, Failure> {
        let number = index(slots[COUNT]) as u64;
        crate::share::open(number).map(|limiter| self.keep(limiter)).ok_or(Failure::NotShared)
    }

    #[cfg(not(feature = "std"))]
    fn open(&mut self, _: &Slots) -> Result<f64, Failure> {
        Err(Failure::OneThread)
    }

    fn stats(&self, slots: &mut Slots) -> Result<f64, Failure> {
        let stats = self.limiter(slots)?.stats();
        let counts = [stats.allowed, stats.denied, stats.saturated, stats.exceeds_limit].map(shown);
        slots[LIST..][..counts.len()].copy_from_slice(&counts);
        Ok(0.0)
    }
}

/// Reads the time of a call: the one that it gives, or else the limiter's own clock.
#[inline]
fn now(limiter: &Limiter, slots: &Slots) -> Result<u64, Failure> {
    if slots[NOW].is_nan() { Ok(limiter.clock().now_ms()) } else { judged(Field::NowMs, slots[NOW]) }
}

/// Runs a call on the key in the bytes, which is a plain one or a list of parts.
#[inline]
fn with_key<R>(bytes: &[u8], slots: &Slots, run: impl FnOnce(KeyRef<'_>) -> Result<R, Failure>) -> Result<R, Failure> {
    if slots[COUNT] < 0.0 {
        return run(KeyRef::plain(bytes));
    }
    let parts: Vec<&[u8]> = pack::unpack(bytes, index(slots[COUNT]))?.collect();
    run(ratelimit_core::AsKey::as_key(&Key::parts(&parts)))
}

#[cfg(feature = "std")]
fn share(limiter: &Arc<Limiter>) -> Result<f64, Failure> {
    Ok(shown(crate::share::share(limiter)))
}

#[cfg(not(feature = "std"))]
fn share(_: &Arc<Limiter>) -> Result<f64, Failure> {
    Err(Failure::OneThread)
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
