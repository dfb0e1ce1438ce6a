//! What a limiter allows.

use crate::failure::{Failure, guarded};
use crate::memory::{self, Answer, Buffer, Items};
use crate::status::ratelimit_status;
use core::ffi::c_char;
use core::time::Duration;
use ratelimit_core::{Error, Policy};

/// Policies that a limiter may stack; all of them must allow a call.
pub const RATELIMIT_MAX_POLICIES: usize = 4;

/// Says how a policy counts. 0 is none, so that a policy that was never filled in is refused.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ratelimit_algorithm {
    /// `limit` permits in each window of `window_ms`, aligned to the clock's zero: cheapest; up to twice the limit
    /// passes around the boundary of two windows.
    RATELIMIT_FIXED_WINDOW = 1,
    /// A bucket of `limit` permits, full at first, that gains `refill` every `window_ms`, spread evenly: smooth; a
    /// burst after rest. `limit` times `window_ms` is at most 2^52.
    RATELIMIT_TOKEN_BUCKET = 2,
    /// At most `limit` permits in any span of `window_ms`, exactly: strictest; remembers each grant. The smaller of
    /// `limit` and `window_ms` is at most 100,000.
    RATELIMIT_SLIDING_WINDOW = 3,
}

/// States how many permits a key may take, and when it gets new ones.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ratelimit_policy {
    /// A ratelimit_algorithm.
    pub algorithm: i32,
    /// Permits in a window, or that a bucket holds (its capacity): 0 to 2^32 - 1. 0 admits nothing.
    pub limit: u64,
    /// Length of a window, or of a bucket's refill period, in milliseconds: 1 to 31,622,400,000 (366 days).
    pub window_ms: u64,
    /// Permits that a bucket gains every window_ms: 1 to 2^32 - 1. Not read for windows.
    pub refill: u64,
}

impl From<&Policy> for ratelimit_policy {
    fn from(policy: &Policy) -> ratelimit_policy {
        // What a limiter can be made of is judged, and so is below 2^64 ms.
        let ms = |duration: &Duration| u64::try_from(duration.as_millis()).unwrap_or(u64::MAX);
        let of = |algorithm: ratelimit_algorithm, limit: &u64, window: &Duration, refill: u64| ratelimit_policy {
            algorithm: algorithm as i32,
            limit: *limit,
            window_ms: ms(window),
            refill,
        };
        match policy {
            Policy::FixedWindow { limit, window } => of(ratelimit_algorithm::RATELIMIT_FIXED_WINDOW, limit, window, 0),
            Policy::TokenBucket { capacity, refill, refill_period } => {
                of(ratelimit_algorithm::RATELIMIT_TOKEN_BUCKET, capacity, refill_period, *refill)
            }
            Policy::SlidingWindow { limit, window } => {
                of(ratelimit_algorithm::RATELIMIT_SLIDING_WINDOW, limit, window, 0)
            }
        }
    }
}

impl ratelimit_policy {
    /// Returns core's policy, not judged.
    fn to_core(self) -> Result<Policy, Failure> {
        let window = Duration::from_millis(self.window_ms);
        match self.algorithm {
            1 => Ok(Policy::fixed_window(self.limit, window)),
            2 => Ok(Policy::token_bucket(self.limit, self.refill, window)),
            3 => Ok(Policy::sliding_window(self.limit, window)),
            algorithm => Err(Failure::Unknown {
                field: "policy.algorithm",
                value: algorithm.into(),
                known: "a ratelimit_algorithm, 1 to 3",
            }),
        }
    }
}

/// Reads an array of policies.
///
/// # Safety
/// A pointer that is not NULL points at `count` policies.
pub(crate) unsafe fn policies(
    pointer: *const ratelimit_policy,
    count: usize,
    fields: [&'static str; 2],
) -> Result<Vec<Policy>, Failure> {
    if count > RATELIMIT_MAX_POLICIES {
        return Err(Error::PolicyCount { count, offset: None }.into());
    }
    // Safe because the caller promises so many.
    let policies = unsafe { Items::new(pointer, count, fields) }?;
    policies.iter().map(ratelimit_policy::to_core).collect()
}

/// Reads a stack from text.
///
/// # Safety
/// A pointer that is not NULL points at `length` bytes.
pub(crate) unsafe fn stack(text: *const c_char, length: usize) -> Result<Vec<Policy>, Failure> {
    // Safe because the caller promises so many.
    let bytes = unsafe { memory::bytes(text.cast(), length, ["text", "length"]) }?;
    Ok(Policy::parse_stack(&as_text(bytes))?)
}

/// Returns the bytes as text of the same length, in which each byte that is no UTF-8 became one that no policy holds:
/// so core finds it, at its place.
fn as_text(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().map(|_| '?'));
    }
    text
}

/// Reads policies from text: "100/minute", "5/second; 1000/day", "sliding 30/10s", "bucket 10 + 1/s".
///
/// - `text`: `length` bytes, no NUL needed.
/// - `policies`: receives the policies, room for `capacity` of them; RATELIMIT_MAX_POLICIES is always enough.
/// - `count`: receives how many there are.
///
/// Fails with RATELIMIT_POLICY_SYNTAX, RATELIMIT_OUT_OF_RANGE, RATELIMIT_BUCKET_TOO_LARGE,
/// RATELIMIT_SLIDING_LOG_TOO_LONG, RATELIMIT_POLICY_COUNT (ratelimit_last_error_offset then points into the text);
/// RATELIMIT_BUFFER_TOO_SMALL; RATELIMIT_NULL_POINTER, RATELIMIT_TOO_LONG.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ratelimit_policies_from_text(
    text: *const c_char,
    length: usize,
    policies: *mut ratelimit_policy,
    capacity: usize,
    count: *mut usize,
) -> ratelimit_status {
    guarded(|| {
        // Safe because the header asks for `length` bytes, room for `capacity` policies, and a count.
        let (policies, count, stack) = unsafe {
            let policies = Answer::several(policies, capacity, ["policies", "capacity"])?;
            (policies, Answer::new(count, "count")?, stack(text, length)?)
        };
        if stack.len() > capacity {
            return Err(Failure::BufferTooSmall { capacity, length: stack.len() });
        }
        for (index, policy) in stack.iter().enumerate() {
            // Safe because there is room for `capacity`, and there are no more.
            unsafe { policies.at(index) }.put(policy.into());
        }
        count.put(stack.len());
        Ok(())
    })
}

/// Writes policies as the text that reads back as them, the algorithm always named: "fixed 100/minute; sliding 5/30s".
///
/// The policies are judged as ratelimit_new would judge them.
///
/// - `policies`: `count` of them.
/// - `buffer`: receives the text and a NUL; 256 bytes are always enough.
/// - `length`: receives the text's length, without the NUL; may be NULL.
///
/// Fails with RATELIMIT_OUT_OF_RANGE, RATELIMIT_BUCKET_TOO_LARGE, RATELIMIT_SLIDING_LOG_TOO_LONG,
/// RATELIMIT_POLICY_COUNT, RATELIMIT_UNKNOWN_VALUE; RATELIMIT_BUFFER_TOO_SMALL; RATELIMIT_NULL_POINTER.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ratelimit_policies_to_text(
    policies: *const ratelimit_policy,
    count: usize,
    buffer: *mut c_char,
    capacity: usize,
    length: *mut usize,
) -> ratelimit_status {
    guarded(|| {
        // Safe because the header asks for `count` policies.
        let stack = unsafe { self::policies(policies, count, ["policies", "count"]) }?;
        // Safe because the header asks for `capacity` bytes.
        let buffer = unsafe { Buffer::new(buffer.cast(), capacity) }?;
        if stack.is_empty() {
            return Err(Error::PolicyCount { count, offset: None }.into());
        }
        let mut text = String::new();
        for policy in &stack {
            policy.validate()?;
            if !text.is_empty() {
                text.push_str("; ");
            }
            text.push_str(&policy.to_string());
        }
        let written = text.len();
        text.push('\0');
        buffer.put(text.as_bytes())?;
        // Safe because the header asks for NULL or a length.
        unsafe { memory::put_if_wanted(length, written) }
        Ok(())
    })
}
