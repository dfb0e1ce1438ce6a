//! At most `limit` permits in each window; windows are aligned to the clock's zero.
//!
//! The word is the count of the window that the row's clock lies in.

use super::Verdict;
use super::divisor::Divisor;

#[derive(Clone)]
pub(crate) struct FixedWindow {
    pub(super) limit: u64,
    pub(super) window_ms: Divisor,
}

impl FixedWindow {
    #[inline(always)]
    pub(super) fn look(&self, count: u64, clock: u64, now: u64, cost: u64) -> Verdict {
        let start = self.window_ms.divide(now) * self.window_ms.get();
        let count = if clock >= start { count } else { 0 };
        let next = count + cost;
        let allowed = next <= self.limit;
        let after = if allowed { next } else { count };
        let end = start + self.window_ms.get();
        Verdict {
            allowed,
            remaining: self.limit - after,
            reset_at: if after == 0 { 0 } else { end },
            retry_at: end,
            next,
        }
    }

    /// Gives back at most the count, if the grant, the row's last one and now lie in one window; a grant beyond all
    /// times lies in none of theirs, however it is rounded.
    pub(super) fn refund(&self, count: &mut u64, clock: u64, now: u64, at_ms: u64, cost: u64) -> u64 {
        let window = self.window_ms.divide(now);
        if self.window_ms.divide(clock) != window || self.window_ms.divide(at_ms) != window {
            return 0;
        }
        let back = cost.min(*count);
        *count -= back;
        back
    }
}
