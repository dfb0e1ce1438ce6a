//! What a limiter is made of.

use crate::clock::{clock, ratelimit_clock_fn};
use crate::failure::Failure;
use crate::memory;
use crate::policy::{policies, ratelimit_policy};
use crate::warning::{Warner, ratelimit_warning_fn};
use core::ffi::c_void;
use ratelimit_core::Config;

/// Keys that a limiter may hold unless it is told otherwise.
pub const RATELIMIT_DEFAULT_MAX_IDENTITIES: u64 = 100_000;

const _: () = assert!(RATELIMIT_DEFAULT_MAX_IDENTITIES == ratelimit_core::DEFAULT_MAX_IDENTITIES);

/// Collects what a limiter is made of. Start from RATELIMIT_CONFIG_INIT, which fills in `size` and the default cap.
///
/// The library copies what it needs: the config and the policies may be gone after ratelimit_new.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ratelimit_config {
    /// sizeof(ratelimit_config). By it a library tells an older header's config from its own.
    pub size: usize,
    /// The policies, all of which must allow a call.
    pub policies: *const ratelimit_policy,
    /// How many: 1 to RATELIMIT_MAX_POLICIES.
    pub policy_count: usize,
    /// Keys that the limiter may hold, 1 to 2^32 - 1. A new key beyond them is refused (RATELIMIT_SATURATED); none is
    /// forgotten for it.
    pub max_identities: u64,
    /// Where calls with RATELIMIT_NOW read the time; NULL is the system's clock: Unix time, carried on from its first
    /// reading by the machine's monotonic clock. Needed for as long as the limiter lives.
    pub clock: ratelimit_clock_fn,
    /// Passed to `clock`; the library never looks at it.
    pub clock_context: *mut c_void,
    /// Receives warnings; NULL for none. Needed for as long as the limiter lives.
    pub warning: ratelimit_warning_fn,
    /// Passed to `warning`; the library never looks at it.
    pub warning_context: *mut c_void,
}

/// Reads a config.
///
/// # Safety
/// A pointer that is not NULL points at `size` bytes, and that config at what its fields say.
pub(crate) unsafe fn config(pointer: *const ratelimit_config) -> Result<(Config, Warner), Failure> {
    // Safe because the caller promises a config of the size that it says.
    let config = unsafe { memory::read_sized(pointer, ["config", "config.size"], "ratelimit_config") }?;
    let fields = ["config.policies", "config.policy_count"];
    // Safe because the caller promises so many policies.
    let policies = unsafe { policies(config.policies, config.policy_count, fields) }?;
    let clock = clock(config.clock, config.clock_context);
    let core = Config::with_clock(policies, clock).max_identities(config.max_identities);
    Ok((core, Warner::new(config.warning, config.warning_context)))
}
