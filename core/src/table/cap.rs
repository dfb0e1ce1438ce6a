//! The exact bound on rows: a slot is taken before a row is put in, and given back after it is gone.

use crate::sync::{AtomicU64, Ordering};

pub(super) struct Cap {
    max: u64,
    taken: AtomicU64,
}

impl Cap {
    pub(super) fn new(max: u64) -> Cap {
        Cap { max, taken: AtomicU64::new(0) }
    }

    /// Takes a slot, if there is one. Rows never outnumber slots: each is put in after its slot was taken and taken out
    /// before its slot is given back, both under its stripe's lock; and slots never outnumber `max`, since the count
    /// goes up only from below it. No order of memory is needed for that: one atomic number has one history, which each
    /// change extends. Loom tries it in every order of two threads (`tests/loom`).
    pub(super) fn take(&self) -> bool {
        let next = |taken| if taken < self.max { Some(taken + 1) } else { None };
        self.taken.fetch_update(Ordering::Relaxed, Ordering::Relaxed, next).is_ok()
    }

    pub(super) fn give_back(&self, slots: u64) {
        if slots > 0 {
            self.taken.fetch_sub(slots, Ordering::Relaxed);
        }
    }

    pub(super) fn taken(&self) -> u64 {
        self.taken.load(Ordering::Relaxed)
    }

    pub(super) fn is_full(&self) -> bool {
        self.taken() >= self.max
    }
}
