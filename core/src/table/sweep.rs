//! When idle rows are looked for, and how far a look has come.
//!
//! Sweeps fall due by the calls' own times, in epochs counted from the first call. One that is begun goes on in small
//! slices, one a call, until it has been through all stripes; whoever needs its outcome finishes it.

use super::stripe::Cursor;
use crate::sync::{AtomicBool, AtomicU64, Guard, Lock, Ordering};

/// In this order what every call reads comes first. It is written only while a sweep goes on, when all calls take part.
#[repr(C)]
pub(super) struct Sweep {
    /// Time from which on a call has something to do here: when the next sweep falls due; 0 while one is pending, and
    /// until the first call.
    wanted_at: AtomicU64,
    /// Sweep time: the greatest time at which a sweep began; 0 if none did. Rows are decided at no earlier time. It is
    /// raised before the sweep takes its first stripe's lock, so whoever holds a stripe that was swept sees it.
    time: AtomicU64,
    /// Time at which the next sweep falls due; 0 until the first call.
    due_at: AtomicU64,
    pending: AtomicBool,
    progress: Lock<Progress>,
}

#[derive(Default)]
pub(super) struct Progress {
    interval_ms: u64,
    /// Time of the first call, whose epoch is 0.
    t0: Option<u64>,
    /// Greatest epoch that a call has had.
    epoch: u64,
    /// Stripes that the pending sweep has not been through, the one at the cursor included.
    stripes_left: usize,
    pub(super) stripe: usize,
    pub(super) cursor: Cursor,
}

impl Progress {
    /// Tells whether a sweep is begun and not finished.
    pub(super) fn is_pending(&self) -> bool {
        self.stripes_left > 0
    }
}

impl Sweep {
    pub(super) fn new(interval_ms: u64) -> Sweep {
        Sweep {
            wanted_at: AtomicU64::new(0),
            time: AtomicU64::new(0),
            due_at: AtomicU64::new(0),
            pending: AtomicBool::new(false),
            progress: Lock::new(Progress { interval_ms, ..Progress::default() }),
        }
    }

    /// Tells whether a call at `now_ms` has a sweep to begin or to go on with.
    #[inline(always)]
    pub(super) fn wants(&self, now_ms: u64) -> bool {
        now_ms >= self.wanted_at.load(Ordering::Relaxed)
    }

    /// Tells whether a sweep is begun and not finished; without the lock, so a moment ago.
    pub(super) fn is_pending(&self) -> bool {
        self.pending.load(Ordering::Relaxed)
    }

    #[inline(always)]
    pub(super) fn time(&self) -> u64 {
        self.time.load(Ordering::Relaxed)
    }

    pub(super) fn due_at(&self) -> u64 {
        self.due_at.load(Ordering::Relaxed)
    }

    pub(super) fn lock(&self) -> Guard<'_, Progress> {
        self.progress.lock()
    }

    pub(super) fn try_lock(&self) -> Option<Guard<'_, Progress>> {
        self.progress.try_lock()
    }

    /// Counts a call's epoch; begins a sweep of `stripes` if the epoch is greater than any before.
    pub(super) fn call(&self, progress: &mut Progress, now_ms: u64, stripes: usize) {
        match progress.t0 {
            None => progress.t0 = Some(now_ms),
            Some(t0) => {
                let epoch = now_ms.saturating_sub(t0) / progress.interval_ms;
                if epoch <= progress.epoch {
                    return;
                }
                progress.epoch = epoch;
                self.begin(progress, now_ms, stripes);
            }
        }
        let t0 = progress.t0.unwrap_or(now_ms);
        self.due_at.store(t0 + (progress.epoch + 1) * progress.interval_ms, Ordering::Relaxed);
        self.publish(progress);
    }

    /// Begins a sweep, in place of one that is pending: it goes on where that one stood, but all the way round.
    pub(super) fn begin(&self, progress: &mut Progress, now_ms: u64, stripes: usize) {
        self.time.fetch_max(now_ms, Ordering::Relaxed);
        progress.stripes_left = stripes;
        progress.cursor = Cursor::default();
        self.publish(progress);
    }

    /// Notes that the stripe at the cursor is done.
    pub(super) fn next_stripe(&self, progress: &mut Progress, stripes: usize) {
        progress.cursor = Cursor::default();
        progress.stripe = (progress.stripe + 1) % stripes;
        progress.stripes_left -= 1;
        self.publish(progress);
    }

    /// Forgets the first call, the epochs, the sweep time and a pending sweep.
    pub(super) fn clear(&self, progress: &mut Progress) {
        *progress = Progress { interval_ms: progress.interval_ms, ..Progress::default() };
        self.due_at.store(0, Ordering::Relaxed);
        self.time.store(0, Ordering::Relaxed);
        self.publish(progress);
    }

    /// Tells those without the lock how things stand.
    fn publish(&self, progress: &Progress) {
        let pending = progress.is_pending();
        self.pending.store(pending, Ordering::Relaxed);
        self.wanted_at.store(if pending { 0 } else { self.due_at() }, Ordering::Relaxed);
    }
}
