//! A limiter of C and the limiter of core that it should be.

use arbitrary::{Arbitrary, Result, Unstructured};
use ratelimit::*;
use ratelimit_core::{Config, Decision, Key, KeyRef, Kind, Limiter, ManualClock, Policy};
use std::ffi::c_void;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// The last time that there is.
const LAST_MS: u64 = (1 << 52) - 1;

/// What the clock of every limiter here says.
static NOW_MS: AtomicU64 = AtomicU64::new(0);

pub(crate) fn set_now(now_ms: u64) {
    NOW_MS.store(now_ms, Ordering::Relaxed);
}

unsafe extern "C" fn read_clock(_context: *mut c_void) -> u64 {
    NOW_MS.load(Ordering::Relaxed)
}

/// Returns the time that a call with `now_ms` uses.
pub(crate) fn time(now_ms: u64) -> u64 {
    if now_ms == RATELIMIT_NOW { NOW_MS.load(Ordering::Relaxed).min(LAST_MS) } else { now_ms }
}

/// A value now and then: most calls should get somewhere.
#[derive(Clone, Copy, Debug)]
pub struct Rarely<T>(pub Option<T>);

impl<'a, T: Arbitrary<'a>> Arbitrary<'a> for Rarely<T> {
    fn arbitrary(bytes: &mut Unstructured<'a>) -> Result<Rarely<T>> {
        Ok(Rarely(if bytes.ratio(1_u8, 32)? { Some(T::arbitrary(bytes)?) } else { None }))
    }
}

/// A policy, mostly one that can be.
#[derive(Arbitrary, Clone, Copy, Debug)]
pub struct Rule {
    algorithm: u8,
    limit: u8,
    window: u16,
    refill: u8,
    other_algorithm: Rarely<i32>,
    wild: Rarely<(u64, u64, u64)>,
}

impl Rule {
    fn c(self) -> ratelimit_policy {
        let limit = [1, 2, 3, 3, 5, 8, 20, 0][usize::from(self.limit % 8)];
        let plain = (limit, u64::from(self.window) + 1, u64::from(self.refill % 8) + 1);
        let (limit, window_ms, refill) = self.wild.0.unwrap_or(plain);
        let algorithm = self.other_algorithm.0.unwrap_or(i32::from(self.algorithm % 3) + 1);
        ratelimit_policy { algorithm, limit, window_ms, refill }
    }
}

/// Returns core's policy; none for an algorithm that there is not.
pub(crate) fn core(policy: &ratelimit_policy) -> Option<Policy> {
    let window = Duration::from_millis(policy.window_ms);
    match policy.algorithm {
        1 => Some(Policy::fixed_window(policy.limit, window)),
        2 => Some(Policy::token_bucket(policy.limit, policy.refill, window)),
        3 => Some(Policy::sliding_window(policy.limit, window)),
        _ => None,
    }
}

/// A limiter of C, and core's as long as that of C lives.
pub(crate) struct Twin {
    pub(crate) c: *mut ratelimit_limiter,
    pub(crate) core: Option<Limiter>,
}

impl Twin {
    /// Makes both, or neither.
    pub(crate) fn make(rules: &[Rule], max_identities: u64, size: Option<usize>) -> Option<Twin> {
        let policies: Vec<ratelimit_policy> = rules.iter().map(|rule| rule.c()).collect();
        let right = size_of::<ratelimit_config>();
        let config = ratelimit_config {
            size: size.unwrap_or(right),
            policies: policies.as_ptr(),
            policy_count: policies.len(),
            max_identities,
            clock: Some(read_clock),
            clock_context: std::ptr::null_mut(),
            warning: None,
            warning_context: std::ptr::null_mut(),
        };
        let nothing = std::ptr::without_provenance_mut(64);
        let mut made = nothing;
        // Safe because each pointer is to what it says.
        let status = unsafe { ratelimit_new(&config, &mut made) } as i32;
        let stack: Option<Vec<Policy>> = policies.iter().map(core).collect();
        let expected = match stack {
            _ if size.is_some_and(|size| size != right) => Err(102),
            _ if policies.len() > 4 => Err(5),
            None => Err(101),
            Some(stack) => {
                let clock = ManualClock::default();
                let config = Config::with_clock(stack, clock).max_identities(max_identities);
                Limiter::from_config(config).map_err(|error| i32::from(error.code()))
            }
        };
        assert_eq!(status, expected.as_ref().err().copied().unwrap_or(0));
        assert_eq!(made == nothing, expected.is_err(), "an answer comes with success, and only so");
        expected.ok().map(|limiter| Twin { c: made, core: Some(limiter) })
    }

    /// Frees both, once; after that it sees that C tells.
    pub(crate) fn free(&mut self) {
        let due = if self.core.take().is_some() { 0 } else { 105 };
        // Safe because one that was freed is told.
        assert_eq!(unsafe { ratelimit_free(self.c) } as i32, due);
    }
}

/// A key, mostly one that can be.
#[derive(Arbitrary, Clone, Debug)]
pub struct Name {
    byte: u8,
    length: u8,
    parts: Rarely<()>,
    other_kind: Rarely<i32>,
    null: Rarely<()>,
}

impl Name {
    /// Returns the bytes that the key has if it is one.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        vec![self.byte % 2; [3, 3, 3, 3, 3, 20, 50, 70][usize::from(self.length % 8)]]
    }

    pub(crate) fn c(&self, bytes: &[u8]) -> ratelimit_key {
        let pointer = if self.null.0.is_some() { std::ptr::null() } else { bytes.as_ptr().cast() };
        let kind = self.other_kind.0.unwrap_or(self.parts.0.is_some().into());
        ratelimit_key { bytes: pointer, length: bytes.len(), kind }
    }
}

/// Returns core's key, or the status that is due.
pub(crate) fn key<'a>(key: &ratelimit_key, bytes: &'a [u8]) -> Result<KeyRef<'a>, i32> {
    match key.kind {
        _ if key.bytes.is_null() && key.length > 0 => Err(100),
        0 => Ok(KeyRef::plain(bytes)),
        1 => Ok(KeyRef::parts(bytes)),
        _ => Err(101),
    }
}

/// Joins parts in both, into a buffer of `capacity` bytes.
pub(crate) fn join(parts: &[Vec<u8>], capacity: usize) {
    let c: Vec<ratelimit_part> =
        parts.iter().map(|part| ratelimit_part { bytes: part.as_ptr().cast(), length: part.len() }).collect();
    let mut buffer = vec![0xAA_u8; capacity];
    let mut length = usize::MAX;
    let place = buffer.as_mut_ptr().cast();
    // Safe because the parts and the buffer are as long as they say.
    let status = unsafe { ratelimit_key_join(c.as_ptr(), c.len(), place, capacity, &mut length) } as i32;
    let joined = Key::parts(parts);
    let expected = ratelimit_core::AsKey::as_key(&joined).bytes();
    if expected.len() <= capacity {
        assert_eq!((status, &buffer[..length]), (0, expected));
    } else {
        assert_eq!((status, length), (104, usize::MAX));
        assert!(buffer.iter().all(|byte| *byte == 0xAA));
    }
}

/// Returns the decision of C that core's should become.
pub(crate) fn decision(core: &Decision) -> ratelimit_decision {
    let kind = match core.kind {
        Kind::Allowed => 0,
        Kind::Denied => 1,
        Kind::Saturated => 2,
        Kind::ExceedsLimit => 3,
    };
    ratelimit_decision {
        kind,
        policy: core.policy.into(),
        limit: core.limit,
        remaining: core.remaining,
        cost: core.cost,
        reserved: 0,
        reset_after_ms: core.reset_after_ms,
        retry_after_ms: core.retry_after_ms.unwrap_or(RATELIMIT_NEVER),
        at_ms: core.at_ms,
    }
}
