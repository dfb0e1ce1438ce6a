//! The rows of a limiter: striped, capped, swept.

mod cap;
#[cfg(not(feature = "std"))]
mod packed;
mod row;
#[cfg(feature = "std")]
mod sized;
mod stripe;
mod sweep;

use crate::algorithm::{Call, Rules};
use crate::decision::Decision;
use crate::hash::{HashSeed, Shares};
use crate::key::{AsKey, Identity, KeyRef, with_identity, with_identity_at_once};
use crate::sync::{AtomicU64, Guard, Lock, Once, Ordering};
use alloc::boxed::Box;
use alloc::vec::Vec;
use cap::Cap;
use core::hint::black_box;
use stripe::{Broom, Size, Sizes, Stripe};
use sweep::{Progress, Sweep};

/// Buckets that one slice of a sweep looks at under one hold of a lock.
const SLICE: usize = 64;
/// Rows that a stripe is made for; with fewer there would be waiting, with more a sweep's or a growth's hold is longer.
const ROWS_PER_STRIPE: u64 = if cfg!(loom) { 1 } else { 1024 };
const MAX_STRIPES: u64 = 64;
/// Keys of a batch whose rows are fetched together; what they bring fits the nearest cache.
const BATCH: usize = 32;
/// Rows that stay in a cache anyway, so that fetching them first is work for nothing.
const ROWS_IN_CACHE: u64 = 1 << 14;

/// Keeps each stripe's lock on cache lines of its own.
#[repr(align(64))]
struct Padded<T>(T);

/// Rows whose policies take `W` words of state.
///
/// In this order what every call reads lies together, from the end of the rules to the beginning of the sweep: on as
/// few lines of the cache as it needs, and away from the numbers that other calls write.
#[repr(C)]
pub(crate) struct Table<const W: usize> {
    cap: Cap,
    /// Calls that asked for more than a limit, and so came to no stripe.
    exceeded: AtomicU64,
    draw_seed: fn() -> HashSeed,
    rules: Rules,
    seed: Once<HashSeed>,
    shares: Shares,
    stripes: Box<[Padded<Lock<Stripe<W>>>]>,
    sweep: Sweep,
}

impl<const W: usize> Table<W> {
    pub(crate) fn new(rules: Rules, max_identities: u64, draw_seed: fn() -> HashSeed) -> Table<W> {
        let stripes: Box<[_]> = (0..(max_identities / ROWS_PER_STRIPE).clamp(1, MAX_STRIPES))
            .map(|_| Padded(Lock::new(Stripe::new(rules.words()))))
            .collect();
        let sweep = Sweep::new(rules.sweep_interval_ms());
        Table {
            rules,
            shares: Shares::new(stripes.len()),
            stripes,
            seed: Once::new(),
            draw_seed,
            cap: Cap::new(max_identities),
            sweep,
            exceeded: AtomicU64::new(0),
        }
    }

    #[inline(always)]
    fn seed(&self) -> &HashSeed {
        // A closure, so that the function is fetched only if it is called.
        self.seed.get_or_init(|| (self.draw_seed)())
    }

    /// Hashes a key, where it need not be quick.
    #[cfg_attr(feature = "std", inline(always))]
    #[cfg_attr(not(feature = "std"), inline(never))]
    fn hash<B: Size>(&self, identity: &Identity<B>) -> u64 {
        identity.words.hash(self.seed())
    }

    #[inline(always)]
    fn stripe(&self, hash: u64) -> &Lock<Stripe<W>> {
        &self.stripes[self.shares.pick(hash)].0
    }

    /// Decides at `now_ms`, and takes the permits if `take`; such a decision is counted, a peek is not.
    // Without `std` there is one of these, built for speed where it is called first; all verbs that decide share it.
    #[cfg_attr(feature = "std", inline)]
    #[cfg_attr(not(feature = "std"), inline(never))]
    pub(crate) fn decide(&self, key: KeyRef<'_>, now_ms: u64, cost: u64, take: bool) -> Decision {
        if cost > self.rules.min_limit() {
            self.exceeded.fetch_add(u64::from(take), Ordering::Relaxed);
            return self.rules.exceeds_limit(now_ms, cost);
        }
        with_identity_at_once!(key, identity => self.decide_sized(&identity, now_ms, cost, take))
    }

    /// Decides for each key in order, as [`decide`](Table::decide) does.
    pub(crate) fn decide_many<K: AsKey>(&self, keys: &[K], now_ms: u64, cost: u64, mut answer: impl FnMut(Decision)) {
        for batch in keys.chunks(BATCH) {
            if batch.len() > 1 && self.cap.taken() > ROWS_IN_CACHE {
                self.touch(batch);
            }
            batch.iter().for_each(|key| answer(self.decide(key.as_key(), now_ms, cost, true)));
        }
    }

    /// Brings the rows of a batch into the cache: by look-ups with little between them, so that the processor waits for
    /// several at a time. Changes nothing.
    fn touch<K: AsKey>(&self, batch: &[K]) {
        let mut hashes = [0; BATCH];
        for (hash, key) in hashes.iter_mut().zip(batch) {
            *hash = with_identity!(key.as_key(), identity => identity.words.hash(self.seed()));
        }
        for (hash, key) in hashes.iter().zip(batch) {
            with_identity!(key.as_key(), identity => {
                black_box(self.stripe(*hash).lock().find(*hash, &identity).is_some());
            });
        }
    }

    // Without `std` there is one of these; who calls it often can have it built for speed, and the rest for size.
    #[cfg_attr(feature = "std", inline(never))]
    #[cfg_attr(not(feature = "std"), inline(always))]
    fn decide_sized<B: Size>(&self, identity: &Identity<B>, now_ms: u64, cost: u64, take: bool) -> Decision {
        self.call(now_ms);
        let hash = identity.words.hash(self.seed());
        let mut stripe = self.stripe(hash).lock();
        // Read under the lock: a sweep that went through this stripe is seen.
        let call = Call { now: now_ms.max(self.sweep.time()), cost };
        let Some(found) = stripe.find_at_once(hash, identity) else {
            return self.decide_new(identity, hash, stripe, now_ms, cost, take);
        };
        let outcome = if let (true, Some(rule)) = (W != 2, self.rules.one_word()) {
            found.decide_one_word(rule, call, take)
        } else if let (2, Some(rule)) = (W, self.rules.sliding()) {
            match found.decide_by_ends(rule, call, take) {
                Ok(outcome) => outcome,
                Err(found) => return found.decide(&self.rules, call, take).decision(now_ms, cost),
            }
        } else {
            return found.decide(&self.rules, call, take).decision(now_ms, cost);
        };
        drop(stripe); // Before the decision is written, which so delays nobody.
        outcome.decision(now_ms, cost)
    }

    /// Decides for a key without a row, unless it has come by one meanwhile.
    #[inline(never)]
    fn decide_new<'a, B: Size>(
        &'a self,
        identity: &Identity<B>,
        hash: u64,
        mut stripe: Guard<'a, Stripe<W>>,
        now_ms: u64,
        cost: u64,
        take: bool,
    ) -> Decision {
        let mut room = true;
        loop {
            let call = Call { now: now_ms.max(self.sweep.time()), cost };
            if let Some(found) = stripe.find(hash, identity) {
                return found.decide(&self.rules, call, take).decision(now_ms, cost);
            }
            if take && self.cap.take() || !take && !self.cap.is_full() {
                let seed = take.then(|| self.seed());
                return stripe.decide_new(hash, identity, &self.rules, call, seed).decision(now_ms, cost);
            }
            if !room {
                stripe.saturated += u64::from(take);
                return self.rules.saturated(now_ms, cost, self.sweep.due_at());
            }
            drop(stripe);
            // Whatever it says, look again: meanwhile another thread may have taken the room, and for this very key.
            room = self.make_room(now_ms);
            stripe = self.stripe(hash).lock();
        }
    }

    /// Returns the largest cost that would be allowed: what a peek at no permits finds left.
    pub(crate) fn remaining(&self, key: KeyRef<'_>, now_ms: u64) -> u32 {
        self.decide(key, now_ms, 0, false).remaining
    }

    /// Gives back what a decision took; returns the permits.
    pub(crate) fn refund(&self, key: KeyRef<'_>, now_ms: u64, decision: &Decision) -> u32 {
        self.finish();
        with_identity!(key, identity => self.refund_sized(&identity, now_ms, decision))
    }

    #[inline(never)]
    fn refund_sized<B: Size>(&self, identity: &Identity<B>, now_ms: u64, decision: &Decision) -> u32 {
        let hash = self.hash(identity);
        let mut stripe = self.stripe(hash).lock();
        let now = now_ms.max(self.sweep.time());
        let found = stripe.find(hash, identity);
        found.map_or(0, |found| found.visit(now, |state, now| self.rules.refund(state, now, decision)))
    }

    /// Forgets a key; says whether it had a row.
    pub(crate) fn reset(&self, key: KeyRef<'_>) -> bool {
        self.finish();
        with_identity!(key, identity => self.reset_sized(&identity))
    }

    #[inline(never)]
    fn reset_sized<B: Size>(&self, identity: &Identity<B>) -> bool {
        let hash = self.hash(identity);
        let mut stripe = self.stripe(hash).lock();
        let had_row = stripe.remove(hash, identity, &self.rules);
        self.cap.give_back(u64::from(had_row));
        had_row
    }

    /// Removes every idle row and gives memory back at once; returns how many, without those that a pending sweep would
    /// have removed.
    pub(crate) fn sweep_at(&self, now_ms: u64) -> u64 {
        let mut progress = self.sweep.lock();
        self.finish_locked(&mut progress, false);
        self.sweep.begin(&mut progress, now_ms, self.stripes.len());
        self.finish_locked(&mut progress, true)
    }

    /// Returns how many rows there are, after a pending sweep is finished.
    pub(crate) fn len(&self) -> u64 {
        self.finish();
        self.cap.taken()
    }

    /// Forgets all rows and all that sweeps have seen; what was counted stays.
    pub(crate) fn clear(&self) {
        let mut progress = self.sweep.lock();
        // All at once: a call on a stripe that was cleared before the sweep time is would leave a row with that time.
        let mut stripes: Vec<_> = self.stripes.iter().map(|stripe| stripe.0.lock()).collect();
        for stripe in &mut stripes {
            let rows = stripe.clear(self.rules.words());
            self.cap.give_back(rows);
        }
        self.sweep.clear(&mut progress);
    }

    pub(crate) fn sweep_interval_ms(&self) -> u64 {
        self.rules.sweep_interval_ms()
    }

    /// Returns the most bytes that a key can take.
    pub(crate) fn max_bytes_per_identity(&self) -> u64 {
        Sizes::<W>::max_row_bytes(self.rules.words()) + self.rules.max_log_bytes()
    }

    /// Returns the calls counted so far: allowed, denied, saturated, and those that exceeded a limit.
    pub(crate) fn counts(&self) -> [u64; 4] {
        let exceeded = self.exceeded.load(Ordering::Relaxed);
        self.stripes.iter().fold([0, 0, 0, exceeded], |[allowed, denied, saturated, exceeded], stripe| {
            let stripe = stripe.0.lock();
            [allowed + stripe.allowed, denied + stripe.denied, saturated + stripe.saturated, exceeded]
        })
    }

    /// Notes a call's time and does a slice of a pending sweep. Never waits: if another thread is at it, that suffices.
    #[inline(always)]
    fn call(&self, now_ms: u64) {
        if self.sweep.wants(now_ms) {
            self.call_slowly(now_ms);
        }
    }

    #[cold]
    fn call_slowly(&self, now_ms: u64) {
        let Some(mut progress) = self.sweep.try_lock() else { return };
        self.sweep.call(&mut progress, now_ms, self.stripes.len());
        self.slice(&mut progress, false);
    }

    /// Sweeps on until there is room or the sweep is finished; says whether there is room.
    fn make_room(&self, now_ms: u64) -> bool {
        let mut progress = self.sweep.lock();
        self.sweep.call(&mut progress, now_ms, self.stripes.len());
        while self.cap.is_full() && progress.is_pending() {
            self.slice(&mut progress, false);
        }
        !self.cap.is_full()
    }

    fn finish(&self) {
        if self.sweep.is_pending() {
            self.finish_locked(&mut self.sweep.lock(), false);
        }
    }

    fn finish_locked(&self, progress: &mut Progress, thorough: bool) -> u64 {
        let mut removed = 0;
        while progress.is_pending() {
            removed += self.slice(progress, thorough);
        }
        removed
    }

    /// Does one slice of a pending sweep; returns the rows removed.
    fn slice(&self, progress: &mut Progress, thorough: bool) -> u64 {
        if !progress.is_pending() {
            return 0;
        }
        let (rules, sweep_time, seed) = (&self.rules, self.sweep.time(), self.seed());
        let broom = Broom { rules, sweep_time, seed, budget: SLICE, thorough };
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
