//! The two ends of a busy log. Most calls of a key that comes often find at most the oldest grant out and others behind
//! it, and then the ends say all there is to know, in fewer steps than a [`Log`](super::log::Log) takes for any call.

use super::Call;
use super::log::Form;

/// Ends of a log whose oldest entry is not out, and so the last that went, or is about to, lies before it.
pub(super) struct Ends<'a> {
    ring: &'a mut [u64],
    form: Form,
    /// The row's word of where the entries lie, as it is once what is out has gone.
    span: u64,
    before: u64,
    oldest: u64,
    /// Place of the newest entry.
    newest: usize,
    /// A time's bits in an entry, of the call.
    now: u64,
}

/// One entry more in a row's word, and the oldest one less. The head lies above: what overflows there is lost, for it
/// counts places of a ring.
const MORE: u64 = 1;
const OLDEST_OUT: u64 = (1 << 32) - MORE;
const LEN: u64 = (1 << 32) - 1;

impl<'a> Ends<'a> {
    /// Reads the ends at `now`, a window being as long as `out` in the form's ages; nothing if they do not say it all.
    #[inline(always)]
    pub(super) fn read(ring: &'a mut [u64], mut span: u64, form: Form, now: u64, out: u64) -> Option<Ends<'a>> {
        let mask = ring.len().checked_sub(1)?;
        let (head, len) = (to_usize(span >> 32), to_usize(span & LEN));
        if len < 2 {
            return None;
        }
        let newest = head.wrapping_add(len).wrapping_sub(1) & mask;
        let now = form.write(now, 0);
        let mut before = ring[head.wrapping_sub(1) & mask];
        let mut oldest = ring[head & mask];
        if form.age(oldest, now) >= out {
            before = oldest;
            oldest = ring[head.wrapping_add(1) & mask];
            span = span.wrapping_add(OLDEST_OUT);
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

    /// Adds a grant, as [`charge`](super::log::charge) does, and returns the row's word; nothing, and nothing is
    /// changed, if the ring has too little room.
    #[inline(always)]
    pub(super) fn charge(self, call: Call) -> Option<u64> {
        let Ends { ring, form, mut span, newest, now, .. } = self;
        let last = ring[newest];
        let mut place = newest;
        if !form.is_total(last ^ now) {
            // With too much room it can be only after refunds, until more than one entry is out at once.
            if to_usize(span & LEN) + 2 > ring.len() {
                return None;
            }
            place = (newest + 1) & (ring.len() - 1);
            span += MORE;
        }
        ring[place] = now | form.total(last.wrapping_add(call.cost));
        Some(span)
    }
}

#[inline(always)]
fn to_usize(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}
