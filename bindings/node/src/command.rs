//! The command line, run in the process that calls it.

use crate::bytes;
use napi_sys::{napi_callback_info, napi_env, napi_value};
use std::ffi::OsString;
use std::panic::catch_unwind;
use std::ptr::null_mut;

/// Status of a run that panicked, which has said so itself.
const PANICKED: u8 = 101;

/// Runs the command with the arguments in a list, and returns its exit status.
pub(crate) unsafe extern "C" fn call(env: napi_env, info: napi_callback_info) -> napi_value {
    let (mut count, mut list, mut status) = (1, null_mut(), null_mut());
    // Safe because there is room for the one value that is asked for.
    unsafe { napi_sys::napi_get_cb_info(env, info, &raw mut count, &raw mut list, null_mut(), null_mut()) };
    let arguments = arguments(env, list);
    let ended = catch_unwind(|| ratelimit_cli::run(arguments)).unwrap_or(PANICKED);
    // Safe because the out-pointer is to a live value.
    unsafe { napi_sys::napi_create_uint32(env, ended.into(), &raw mut status) };
    status
}

/// Reads a list of texts; what is none is left out.
fn arguments(env: napi_env, list: napi_value) -> Vec<OsString> {
    let mut length = 0;
    // Safe because the out-pointer is to a live value; a value that is no list leaves it 0.
    unsafe { napi_sys::napi_get_array_length(env, list, &raw mut length) };
    let argument = |index| {
        let mut value = null_mut();
        // Safe because the out-pointer is to a live value.
        unsafe { napi_sys::napi_get_element(env, list, index, &raw mut value) };
        let text = bytes::with(env, value, |bytes| bytes.map(String::from_utf8_lossy).map(Into::into));
        text.map(|text: String| text.into())
    };
    (0..length).filter_map(argument).collect()
}
