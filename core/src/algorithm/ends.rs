//! The two ends of a busy log. Most calls of a key that comes often find at most the oldest grant out and others behind
//! it, and then the ends say all there is to know, in fewer steps than a [`Log`](super::log::Log) takes for any call.

use super::log::{Form, Span};

/// Ends of a log whose oldest entry is not out, and so the last that went, or is about to, lies before it.
pub(super) struct Ends<'a> {
    ring: &'a mut [u64],
    form: Form,
    /// Where the entries lie that are not out.
    span: Span,
    before: u64,
    oldest: u64,
    /// Place of the newest entry.
    newest: usize,
    /// Time of the call.
    now: u64,
}

impl<'a> Ends<'a> {
    /// Reads the ends at `now`, a window being as long as `out` in the form's ages; nothing if they do not say it all.
    #[inline(always)]
    pub(super) fn read(ring: &'a mut [u64], mut span: Span, form: Form, now: u64, out: u64) -> Option<Ends<'a>> {
        let mask = ring.len().checked_sub(1)?;
        if span.len < 2 {
            return None;
        }
        let newest = span.head.wrapping_add(span.len).wrapping_sub(1) & mask;
        let mut before = ring[span.head.wrapping_sub(1) & mask];
        let mut oldest = ring[span.head & mask];
        if form.age(oldest, now) >= out {
            before = oldest;
            span = Span { head: span.head.wrapping_add(1) & mask, len: span.len - 1 };
            oldest = ring[span.head];
            if form.age(oldest, now) >= out {
                return None;
            }
        }
        Some(Ends { ring, form, span, before, oldest, newest, now })
    }

    /// Returns the permits in the window.
    #[inline(always)]
    pub(super) fn permits(&self) -> u64 {
        self.form.permits(self.before, self.ring[self.newest])
    }

    /// Returns the oldest grant's permits.
    #[inline(always)]
    pub(super) fn oldest_permits(&self) -> u64 {
        self.form.permits(self.before, self.oldest)
    }

    /// Returns the oldest grant's age in milliseconds.
    #[inline(always)]
    pub(super) fn oldest_age(&self) -> u64 {
        self.form.ms(self.form.age(self.oldest, self.now))
    }

    /// Adds a grant, as [`charge`](super::log::charge) does, and returns where the entries lie now; changes and returns
    /// nothing if the ring has too little room.
    #[inline(always)]
    pub(super) fn charge(self, cost: u64) -> Option<Span> {
        let Ends { ring, form, mut span, newest, now, .. } = self;
        let last = ring[newest];
        let mut place = newest;
        if !form.is_of(last, now) {
            // With too much room it can be only after refunds, until more than one entry is out at once.
            if span.len + 2 > ring.len() {
                return None;
            }
            place = (newest + 1) & (ring.len() - 1);
            span.len += 1;
        }
        ring[place] = form.write(now, last.wrapping_add(cost));
        Some(span)
    }
}
