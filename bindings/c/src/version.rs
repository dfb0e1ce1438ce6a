//! Which library this is.

use core::ffi::{CStr, c_char};

/// The version of the ABI that this header describes: it changes whenever a program has to be compiled anew.
pub const RATELIMIT_ABI_VERSION: u32 = 0;

const VERSION: &CStr = match CStr::from_bytes_with_nul(concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes()) {
    Ok(version) => version,
    Err(_) => c"",
};

/// Returns the version of the ABI that the library was built with. A program that was compiled with this header and
/// loads the library by itself can go on if it equals RATELIMIT_ABI_VERSION.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn ratelimit_abi_version() -> u32 {
    RATELIMIT_ABI_VERSION
}

/// Returns the version of the library, such as "0.1.0". Never NULL; never free it.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn ratelimit_version() -> *const c_char {
    VERSION.as_ptr()
}
