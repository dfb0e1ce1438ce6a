//! The rows of a limiter: striped, capped, swept.

mod cap;
mod row;
mod stripe;
mod sweep;

use crate::algorithm::{Call, Rules};
use crate::decision::Decision;
use crate::hash::{HashSeed, stripe_of};
use crate::key::{Identity, KeyRef, with_identity};
use crate::sync::{Guard, Lock, Once};
use alloc::boxed::Box;
use cap::Cap;
use stripe::{Broom, Size, Stripe};
use sweep::{Progress, Sweep};

/// Buckets that one slice of a sweep looks at under one hold of a lock.
const SLICE: usize = 64;
/// Rows that a stripe is made for; with fewer there would be waiting, with more a sweep's or a growth's hold is longer.
const ROWS_PER_STRIPE: u64 = 1024;
const MAX_STRIPES: u64 = 64;

/// Keeps each stripe's lock on cache lines of its own.
#[derive(Debug, Default)]
#[repr(align(64))]
struct Padded<T>(T);

/// Rows whose policies take `W` words of state.
#[derive(Debug)]
pub(crate) struct Table<const W: usize> {
    stripes: Box<[Padded<Lock<Stripe<W>>>]>,
    seed: Once<HashSeed>,
    draw_seed: fn() -> HashSeed,
    cap: Cap,
    sweep: Sweep,
}

/// What is asked for a key.
#[derive(Clone, Copy)]
pub(crate) struct Ask {
    /// The caller's time.
    pub(crate) now_ms: u64,
    pub(crate) cost: u64,
    /// Whether to take the permits if allowed, or only to look.
    pub(crate) take: bool,
}

/// Where a key's row is, if it has one.
struct Place<'a, const W: usize> {
    hash: u64,
    stripe: &'a Lock<Stripe<W>>,
    seed: &'a HashSeed,
}

impl<const W: usize> Table<W> {
    pub(crate) fn new(max_identities: u64, sweep_interval_ms: u64, draw_seed: fn() -> HashSeed) -> Table<W> {
        let stripes = (max_identities / ROWS_PER_STRIPE).clamp(1, MAX_STRIPES);
        Table {
            stripes: (0..stripes).map(|_| Padded::default()).collect(),
            seed: Once::new(),
            draw_seed,
            cap: Cap::new(max_identities),
            sweep: Sweep::new(sweep_interval_ms),
        }
    }

    #[inline(always)]
    fn place<B: Size>(&self, identity: &Identity<B>) -> Place<'_, W> {
        let seed = self.seed.get_or_init(self.draw_seed);
        let hash = identity.words.hash(seed);
        Place { hash, stripe: &self.stripes[stripe_of(hash, self.stripes.len())].0, seed }
    }

    /// Decides; a decision that may take is counted, a peek is not.
    #[inline]
    pub(crate) fn decide(&self, rules: &Rules, key: KeyRef<'_>, ask: Ask) -> Decision {
        with_identity!(key, identity => self.decide_sized(rules, identity, ask))
    }

    #[inline(never)]
    fn decide_sized<B: Size>(&self, rules: &Rules, identity: Identity<B>, ask: Ask) -> Decision {
        let Ask { now_ms, cost, take } = ask;
        self.call(rules, now_ms);
        let place = self.place(&identity);
        let mut stripe = place.stripe.lock();
        // Read under the lock: a sweep that went through this stripe is seen.
        let call = Call { now: now_ms.max(self.sweep.time()), cost };
        if let Some(found) = stripe.find(place.hash, &identity) {
            if let Some(rule) = rules.one_word() {
                let outcome = found.decide_one_word(rule, call, take);
                drop(stripe); // Before the decision is written, which so delays nobody.
                return outcome.decision(now_ms, cost);
            }
            return found.decide(rules, call, take).decision(now_ms, cost);
        }
        self.decide_new(rules, &identity, &place, stripe, ask)
    }

    /// Decides for a key without a row, unless it has come by one meanwhile.
    #[inline(never)]
    fn decide_new<'a, B: Size>(
        &self,
        rules: &Rules,
        identity: &Identity<B>,
        place: &Place<'a, W>,
        mut stripe: Guard<'a, Stripe<W>>,
        Ask { now_ms, cost, take }: Ask,
    ) -> Decision {
        loop {
            let call = Call { now: now_ms.max(self.sweep.time()), cost };
            if let Some(found) = stripe.find(place.hash, identity) {
                return found.decide(rules, call, take).decision(now_ms, cost);
            }
            if take && self.cap.take() || !take && !self.cap.is_full() {
                let outcome = stripe.decide_new(place.hash, identity, rules, call, take.then_some(place.seed));
                return outcome.decision(now_ms, cost);
            }
            drop(stripe);
            let room = self.make_room(rules, now_ms);
            stripe = place.stripe.lock();
            if !room {
                stripe.saturated += u64::from(take);
                return rules.saturated(now_ms, cost, self.sweep.due_at());
            }
        }
    }

    /// Returns the largest cost that would be allowed.
    pub(crate) fn remaining(&self, rules: &Rules, key: KeyRef<'_>, now_ms: u64) -> u32 {
        with_identity!(key, identity => self.remaining_sized(rules, &identity, now_ms))
    }

    fn remaining_sized<B: Size>(&self, rules: &Rules, identity: &Identity<B>, now_ms: u64) -> u32 {
        self.call(rules, now_ms);
        let place = self.place(identity);
        let look = || {
            let mut stripe = place.stripe.lock();
            let found = stripe.find(place.hash, identity)?;
            Some(found.visit(now_ms.max(self.sweep.time()), |state, now| rules.remaining(state, now)))
        };
        match look() {
            Some(remaining) => remaining,
            None if !self.cap.is_full() || self.make_room(rules, now_ms) => rules.remaining_new(),
            None => look().unwrap_or(0),
        }
    }

    /// Gives back what a decision took; returns the permits.
    pub(crate) fn refund(&self, rules: &Rules, key: KeyRef<'_>, now_ms: u64, decision: &Decision) -> u32 {
        self.finish(rules);
        with_identity!(key, identity => {
            let place = self.place(&identity);
            let mut stripe = place.stripe.lock();
            let now = now_ms.max(self.sweep.time());
            let found = stripe.find(place.hash, &identity);
            found.map_or(0, |found| found.visit(now, |state, now| rules.refund(state, now, decision)))
        })
    }

    /// Forgets a key; says whether it had a row.
    pub(crate) fn reset(&self, rules: &Rules, key: KeyRef<'_>) -> bool {
        self.finish(rules);
        with_identity!(key, identity => {
            let place = self.place(&identity);
            let mut stripe = place.stripe.lock();
            let had_row = stripe.remove(place.hash, &identity, rules);
            self.cap.give_back(u64::from(had_row));
            had_row
        })
    }

    /// Removes every idle row; returns how many, without those that a pending sweep would have removed.
    pub(crate) fn sweep_at(&self, rules: &Rules, now_ms: u64) -> u64 {
        let mut progress = self.sweep.lock();
        self.finish_locked(rules, &mut progress);
        self.sweep.begin(&mut progress, now_ms, self.stripes.len());
        self.finish_locked(rules, &mut progress)
    }

    /// Returns how many rows there are, after a pending sweep is finished.
    pub(crate) fn len(&self, rules: &Rules) -> u64 {
        self.finish(rules);
        self.cap.taken()
    }

    /// Forgets all rows and all that sweeps have seen; what was counted stays.
    pub(crate) fn clear(&self) {
        let mut progress = self.sweep.lock();
        for stripe in &self.stripes {
            let mut stripe = stripe.0.lock();
            let rows = stripe.clear();
            self.cap.give_back(rows);
        }
        self.sweep.clear(&mut progress);
    }

    /// Returns the calls counted so far: allowed, denied, saturated.
    pub(crate) fn counts(&self) -> [u64; 3] {
        self.stripes.iter().fold([0; 3], |[allowed, denied, saturated], stripe| {
            let stripe = stripe.0.lock();
            [allowed + stripe.allowed, denied + stripe.denied, saturated + stripe.saturated]
        })
    }

    /// Notes a call's time and does a slice of a pending sweep. Never waits: if another thread is at it, that suffices.
    #[inline(always)]
    fn call(&self, rules: &Rules, now_ms: u64) {
        if self.sweep.wants(now_ms) {
            self.call_slowly(rules, now_ms);
        }
    }

    #[cold]
    fn call_slowly(&self, rules: &Rules, now_ms: u64) {
        let Some(mut progress) = self.sweep.try_lock() else { return };
        self.sweep.call(&mut progress, now_ms, self.stripes.len());
        self.slice(rules, &mut progress);
    }

    /// Sweeps on until there is room or the sweep is finished; says whether there is room.
    fn make_room(&self, rules: &Rules, now_ms: u64) -> bool {
        let mut progress = self.sweep.lock();
        self.sweep.call(&mut progress, now_ms, self.stripes.len());
        while self.cap.is_full() && progress.is_pending() {
            self.slice(rules, &mut progress);
        }
        !self.cap.is_full()
    }

    fn finish(&self, rules: &Rules) {
        if self.sweep.is_pending() {
            self.finish_locked(rules, &mut self.sweep.lock());
        }
    }

    fn finish_locked(&self, rules: &Rules, progress: &mut Progress) -> u64 {
        let mut removed = 0;
        while progress.is_pending() {
            removed += self.slice(rules, progress);
        }
        removed
    }

    /// Does one slice of a pending sweep; returns the rows removed.
    fn slice(&self, rules: &Rules, progress: &mut Progress) -> u64 {
        if !progress.is_pending() {
            return 0;
        }
        let seed = self.seed.get_or_init(self.draw_seed);
        let broom = Broom { rules, sweep_time: self.sweep.time(), seed, budget: SLICE };
        let mut stripe = self.stripes[progress.stripe].0.lock();
        let (removed, done) = stripe.sweep(&mut progress.cursor, broom);
        self.cap.give_back(removed);
        drop(stripe);
        if done {
            self.sweep.next_stripe(progress, self.stripes.len());
        }
        removed
    }
}
