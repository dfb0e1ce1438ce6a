//! Where a limiter reads the time: from the system, by hand, or from the host.

use crate::error::{Error, Field, MAX_NOW_MS};
use alloc::sync::Arc;
use core::fmt;
use core::sync::atomic::{AtomicU64, Ordering};

/// Tells a limiter the time in milliseconds.
///
/// The system clock is Unix time, read once and then carried on by the machine's monotonic clock: so windows align to
/// UTC, [`check`](crate::Limiter::check) and [`check_at`](crate::Limiter::check_at) with Unix time agree, and setting
/// the machine's clock changes nothing. On Linux it is read from the coarse clock, a fifth of the price, and may lag by
/// a few milliseconds.
#[derive(Clone)]
pub struct Clock(Source);

#[derive(Clone)]
enum Source {
    #[cfg(feature = "std")]
    System,
    Manual(ManualClock),
    Host(Arc<dyn Fn() -> u64 + Send + Sync>),
}

impl Clock {
    /// Returns the system clock, anchored to Unix time when the process first reads it.
    #[cfg(feature = "std")]
    #[must_use]
    pub const fn system() -> Clock {
        Clock(Source::System)
    }

    /// Builds a clock from a function that returns milliseconds; one beyond `2^52-1` counts as that.
    ///
    /// It is called once for each call of the limiter, and with no lock held.
    pub fn from_fn(now_ms: impl Fn() -> u64 + Send + Sync + 'static) -> Clock {
        Clock(Source::Host(Arc::new(now_ms)))
    }

    /// Reads the time.
    #[inline]
    #[must_use]
    pub fn now_ms(&self) -> u64 {
        match &self.0 {
            #[cfg(feature = "std")]
            Source::System => system::now_ms(),
            Source::Manual(manual) => manual.now_ms(),
            Source::Host(now_ms) => now_ms().min(MAX_NOW_MS),
        }
    }
}

impl fmt::Debug for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            #[cfg(feature = "std")]
            Source::System => f.write_str("Clock::System"),
            Source::Manual(manual) => write!(f, "Clock::Manual({})", manual.now_ms()),
            Source::Host(_) => f.write_str("Clock::Host"),
        }
    }
}

/// Stands still until it is told to move: the clock for tests. Clones share one time.
///
/// ```
/// use ratelimit_core::{Config, Limiter, ManualClock, Policy};
/// use std::time::Duration;
///
/// let clock = ManualClock::new(0)?;
/// let config = Config::new(Policy::fixed_window(1, Duration::from_secs(1))).clock(clock.clone());
/// let limiter = Limiter::from_config(config)?;
/// assert!(limiter.allow("ada"));
/// assert!(!limiter.allow("ada"));
/// clock.advance(1_000)?;
/// assert!(limiter.allow("ada"));
/// # Ok::<(), ratelimit_core::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct ManualClock(Arc<AtomicU64>);

impl ManualClock {
    /// Builds a clock that stands at `now_ms`.
    ///
    /// # Errors
    /// If `now_ms` is beyond `2^52-1`.
    pub fn new(now_ms: u64) -> Result<ManualClock, Error> {
        Field::NowMs.judge(now_ms).map(|now_ms| ManualClock(Arc::new(AtomicU64::new(now_ms))))
    }

    /// Reads the time.
    #[must_use]
    pub fn now_ms(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }

    /// Sets the time, forwards or back.
    ///
    /// # Errors
    /// If `now_ms` is beyond `2^52-1`; the clock then stands where it stood.
    pub fn set(&self, now_ms: u64) -> Result<(), Error> {
        self.0.store(Field::NowMs.judge(now_ms)?, Ordering::Relaxed);
        Ok(())
    }

    /// Moves the time on.
    ///
    /// # Errors
    /// If `ms` is beyond `2^52-1`, or the time would come beyond it; the clock then stands where it stood.
    pub fn advance(&self, ms: u64) -> Result<(), Error> {
        let ms = Field::Ms.judge(ms)?;
        let mut now_ms = self.now_ms();
        loop {
            let next = Field::NowMs.judge(now_ms.saturating_add(ms))?;
            match self.0.compare_exchange_weak(now_ms, next, Ordering::Relaxed, Ordering::Relaxed) {
                Ok(_) => return Ok(()),
                Err(other) => now_ms = other,
            }
        }
    }
}

impl From<ManualClock> for Clock {
    fn from(clock: ManualClock) -> Clock {
        Clock(Source::Manual(clock))
    }
}

#[cfg(feature = "std")]
mod system {
    use super::{AtomicU64, MAX_NOW_MS, Ordering};
    use std::time::{SystemTime, UNIX_EPOCH};

    /// What Unix time was when the monotonic clock stood at 0; 0 until it is first read.
    static OFFSET_MS: AtomicU64 = AtomicU64::new(0);

    #[inline]
    pub(super) fn now_ms() -> u64 {
        let monotonic_ms = monotonic_ms();
        let offset_ms = match OFFSET_MS.load(Ordering::Relaxed) {
            0 => anchor(monotonic_ms),
            offset_ms => offset_ms,
        };
        (offset_ms + monotonic_ms).min(MAX_NOW_MS)
    }

    /// Fixes the offset; of several threads that come here at first, one fixes it for all.
    #[cold]
    fn anchor(monotonic_ms: u64) -> u64 {
        let offset_ms = unix_ms().saturating_sub(monotonic_ms).clamp(1, MAX_NOW_MS);
        match OFFSET_MS.compare_exchange(0, offset_ms, Ordering::Relaxed, Ordering::Relaxed) {
            Ok(_) => offset_ms,
            Err(offset_ms) => offset_ms,
        }
    }

    /// Reads Unix time; a time before 1970 counts as 0.
    fn unix_ms() -> u64 {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        u64::try_from(since.as_millis()).unwrap_or(MAX_NOW_MS)
    }

    #[cfg(target_os = "linux")]
    #[inline]
    fn monotonic_ms() -> u64 {
        use rustix::time::{ClockId, clock_gettime};
        let time = clock_gettime(ClockId::MonotonicCoarse);
        // Seconds since the machine began, so neither negative nor many, and nanoseconds below 10^9.
        time.tv_sec.cast_unsigned() * 1000 + time.tv_nsec.cast_unsigned() / 1_000_000
    }

    #[cfg(not(target_os = "linux"))]
    fn monotonic_ms() -> u64 {
        use std::{sync::OnceLock, time::Instant};
        static START: OnceLock<Instant> = OnceLock::new();
        u64::try_from(START.get_or_init(Instant::now).elapsed().as_millis()).unwrap_or(MAX_NOW_MS)
    }
}
