//! A bucket that starts full and gains `refill` permits every `period_ms`, spread evenly.
//!
//! The word is the level at the row's clock, in units: one permit is `period_ms` units and one millisecond brings
//! `refill` of them, so nothing is ever rounded. A full bucket has at most 2^52 units, so no sum here leaves 64 bits.

use super::Verdict;
use super::divisor::Divisor;

#[derive(Clone)]
pub(crate) struct TokenBucket {
    pub(super) capacity: u64,
    pub(super) refill: Divisor,
    pub(super) period_ms: Divisor,
}

impl TokenBucket {
    #[inline]
    pub(super) fn full(&self) -> u64 {
        self.capacity * self.period_ms.get()
    }

    /// Returns the time from empty to full, rounded up.
    pub(super) fn fill_ms(&self) -> u64 {
        self.refill.divide_up(self.full())
    }

    /// Returns the level at `now`, of one that was `level` at `clock`.
    #[inline(always)]
    fn level(&self, level: u64, clock: u64, now: u64) -> u64 {
        let gained = (now - clock).saturating_mul(self.refill.get());
        if gained >= self.full() - level { self.full() } else { level + gained }
    }

    #[inline(always)]
    pub(super) fn look(&self, level: u64, clock: u64, now: u64, cost: u64) -> Verdict {
        let level = self.level(level, clock, now);
        let price = cost * self.period_ms.get();
        let allowed = price <= level;
        let after = if allowed { level - price } else { level };
        let remaining = self.period_ms.divide(after);
        let until = |units: u64| now + self.refill.divide_up(units);
        Verdict {
            allowed,
            remaining,
            reset_at: if after == self.full() { 0 } else { until((remaining + 1) * self.period_ms.get() - after) },
            retry_at: if allowed { 0 } else { until(price - level) },
            next: after,
        }
    }

    /// Gives back the units of the grant that time has not brought back already; returns whole permits.
    pub(super) fn refund(&self, level: &mut u64, clock: u64, now: u64, at_ms: u64, cost: u64) -> u64 {
        let price = cost * self.period_ms.get();
        let elapsed = now.saturating_sub(at_ms).min(self.refill.divide_up(price));
        let units = price.saturating_sub(elapsed * self.refill.get());
        let rise = units.min(self.full() - self.level(*level, clock, now));
        *level += rise;
        self.period_ms.divide(rise)
    }
}
