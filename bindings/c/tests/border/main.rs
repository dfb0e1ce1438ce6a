//! What the functions of C do with whatever they are called with.

#![allow(unsafe_code, reason = "it calls as C does")]

mod answers;
mod arguments;
mod clocks;
mod configs;
mod errors;
mod handles;
mod http;
mod keys;
mod policies;

use ratelimit::ratelimit_status::*;
use ratelimit::*;
use std::ffi::CStr;
use std::ptr;
use std::sync::{Mutex, PoisonError};

/// A decision as no limiter writes it, to see whether it was written over.
const UNTOUCHED: ratelimit_decision = ratelimit_decision {
    kind: -7,
    policy: 77,
    limit: 777,
    remaining: 7777,
    cost: 77_777,
    reserved: 777_777,
    reset_after_ms: 7,
    retry_after_ms: 77,
    at_ms: 777,
};

fn limiter(policies: &str) -> *mut ratelimit_limiter {
    let mut limiter = ptr::null_mut();
    // Safe because the text is as long as it says.
    let status = unsafe { ratelimit_new_from_text(policies.as_ptr().cast(), policies.len(), &mut limiter) };
    assert_eq!(status, RATELIMIT_OK, "{}", message());
    limiter
}

fn free(limiter: *mut ratelimit_limiter) {
    // Safe because each test frees what it made, once.
    assert_eq!(unsafe { ratelimit_free(limiter) }, RATELIMIT_OK);
}

fn key(bytes: &[u8]) -> ratelimit_key {
    let kind = ratelimit_key_kind::RATELIMIT_KEY_PLAIN as i32;
    ratelimit_key { bytes: bytes.as_ptr().cast(), length: bytes.len(), kind }
}

/// Checks at `now_ms`, which has to succeed.
fn check(limiter: *mut ratelimit_limiter, key: &ratelimit_key, now_ms: u64) -> ratelimit_decision {
    let mut decision = UNTOUCHED;
    // Safe because each pointer is to what it says.
    let status = unsafe { ratelimit_check(limiter, key, 1, now_ms, &mut decision) };
    assert_eq!(status, RATELIMIT_OK, "{}", message());
    decision
}

/// A copy of the last message, which outlives the next one.
fn message() -> &'static str {
    keep(text(ratelimit_last_error_message()))
}

/// A copy of the last field, which outlives the next one.
fn field() -> &'static str {
    keep(text(ratelimit_last_error_field()))
}

/// Copies a text for good, where a leak checker finds it.
fn keep(text: &str) -> &'static str {
    static KEPT: Mutex<Vec<&'static str>> = Mutex::new(Vec::new());
    let copy: &'static str = text.to_owned().leak();
    KEPT.lock().unwrap_or_else(PoisonError::into_inner).push(copy);
    copy
}

fn text(pointer: *const std::ffi::c_char) -> &'static str {
    // Safe because the library's strings end in a NUL; they are looked at before the next failure.
    unsafe { CStr::from_ptr(pointer) }.to_str().expect("the library writes UTF-8")
}
