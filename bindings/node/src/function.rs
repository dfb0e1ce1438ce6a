//! The functions that JavaScript calls.

use crate::bytes;
use crate::state::State;
use napi_sys::{napi_callback_info, napi_env, napi_value};
use ratelimit_javascript::{BATCH, Engine, Failure, Slots, Verb};
use std::ffi::{CStr, c_void};
use std::mem::MaybeUninit;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr::null_mut;

/// What the collector of JavaScript is told that a limiter weighs: about that of an empty one.
const LIMITER_BYTES: i64 = 16 << 10;
/// Bytes that a key of a batch has at most as a rule.
const USUAL: usize = 64;
/// What neither text nor bytes is.
const NO_KEY: Failure = Failure::Bug("a key is neither text nor bytes");

/// One verb upon one thread's state.
#[derive(Debug)]
pub(crate) struct Bound {
    state: *mut State,
    verb: Verb,
    /// Limiters that there are more after the verb, if its answer is not 0.
    limiters: i64,
}

impl Bound {
    pub(crate) fn new(state: *mut State, verb: Verb) -> Bound {
        let limiters = match verb {
            Verb::Make | Verb::MakeFromText | Verb::Open => 1,
            Verb::Free => -1,
            _ => 0,
        };
        Bound { state, verb, limiters }
    }

    /// Says whether the verb takes many keys.
    pub(crate) fn is_many(&self) -> bool {
        self.verb == Verb::CheckMany
    }
}

type Function = unsafe extern "C" fn(napi_env, napi_callback_info) -> napi_value;

/// Makes a function that is called with `data`.
pub(crate) fn make(env: napi_env, name: &CStr, function: Function, data: *mut c_void) -> napi_value {
    let mut made = null_mut();
    let length = name.count_bytes().cast_signed();
    // Safe because the name has that length and the out-pointer is to a live value.
    unsafe {
        napi_sys::napi_create_function(env, name.as_ptr(), length, Some(function), data, &raw mut made);
    }
    made
}

/// Does a verb with the bytes of the key that is given, if one is.
pub(crate) unsafe extern "C" fn call(env: napi_env, info: napi_callback_info) -> napi_value {
    let (mut count, mut key, mut data) = (1, null_mut(), null_mut());
    // Safe because there is room for the one value that is asked for.
    unsafe { napi_sys::napi_get_cb_info(env, info, &raw mut count, &raw mut key, null_mut(), &raw mut data) };
    // Safe because the function was made with a bound verb, which lives as long as the thread.
    let bound = unsafe { &*data.cast::<Bound>() };
    run(bound, |engine, slots| match count {
        0 => engine.run(bound.verb, &[], slots),
        _ => bytes::with(env, key, |bytes| match bytes {
            Some(bytes) => engine.run(bound.verb, bytes, slots),
            None => engine.fail(NO_KEY, slots),
        }),
    });
    if bound.limiters != 0 {
        weigh(env, bound);
    }
    null_mut()
}

/// Does a verb with the keys that are given, each an argument: so they need no list, whose elements are dear.
pub(crate) unsafe extern "C" fn call_many(env: napi_env, info: napi_callback_info) -> napi_value {
    let (mut count, mut keys, mut data) = (BATCH, [null_mut(); BATCH], null_mut());
    // Safe because there is room for as many values as are asked for.
    unsafe { napi_sys::napi_get_cb_info(env, info, &raw mut count, keys.as_mut_ptr(), null_mut(), &raw mut data) };
    // Safe because the function was made with a bound verb, which lives as long as the thread.
    let bound = unsafe { &*data.cast::<Bound>() };
    run(bound, |engine, slots| {
        let (count, mut ends) = (count.min(BATCH), [0; BATCH]);
        let (keys, ends) = (&keys[..count], &mut ends[..count]);
        let mut room = [const { MaybeUninit::uninit() }; BATCH * USUAL];
        match bytes::all(env, keys, ends, &mut room) {
            Some(bytes) => check_many(engine, slots, bytes, ends),
            None => many(env, engine, slots, keys, ends),
        }
    });
    null_mut()
}

/// Checks keys of any length and kind.
#[cold]
fn many(env: napi_env, engine: &mut Engine, slots: &mut Slots, keys: &[napi_value], ends: &mut [usize]) {
    let mut bytes = Vec::with_capacity(BATCH * USUAL);
    for (key, end) in keys.iter().zip(&mut *ends) {
        if !bytes::append(env, *key, &mut bytes) {
            return engine.fail(NO_KEY, slots);
        }
        *end = bytes.len();
    }
    check_many(engine, slots, &bytes, ends);
}

/// Checks keys that lie one behind the other and end there.
fn check_many(engine: &mut Engine, slots: &mut Slots, bytes: &[u8], ends: &[usize]) {
    let (mut keys, mut from) = ([&[][..]; BATCH], 0);
    for (key, end) in keys.iter_mut().zip(ends) {
        *key = bytes.get(from..*end).unwrap_or_default();
        from = *end;
    }
    engine.check_many(&keys[..ends.len()], slots);
}

/// Runs a call upon a thread's state; a panic of it is a failure.
#[inline(always)]
fn run(bound: &Bound, call: impl FnOnce(&mut Engine, &mut Slots)) {
    // Safe because nothing in a call comes back to JavaScript, so no other is under way.
    let (engine, slots) = unsafe { State::parts(bound.state) };
    if let Err(payload) = catch_unwind(AssertUnwindSafe(|| call(engine, slots))) {
        let text = payload.downcast_ref::<&str>().copied().or(payload.downcast_ref::<String>().map(String::as_str));
        engine.fail(Failure::Panicked(text.unwrap_or("it panicked").to_owned()), slots);
    }
}

/// Tells the collector what limiters there are more or less after a verb.
#[cold]
fn weigh(env: napi_env, bound: &Bound) {
    // Safe because no call is under way.
    unsafe {
        if State::parts(bound.state).1[0] > 0.0 {
            State::weigh(bound.state, env, bound.limiters * LIMITER_BYTES);
        }
    }
}

/// Returns what the last failure says.
pub(crate) unsafe extern "C" fn failure(env: napi_env, info: napi_callback_info) -> napi_value {
    // Safe because nothing here comes back to JavaScript, so no other call is under way.
    let (engine, _) = unsafe { State::parts(state(env, info)) };
    string(env, &engine.failure())
}

/// Returns what the last verb that answers with text has written.
pub(crate) unsafe extern "C" fn text(env: napi_env, info: napi_callback_info) -> napi_value {
    // Safe because nothing here comes back to JavaScript, so no other call is under way.
    let (engine, _) = unsafe { State::parts(state(env, info)) };
    string(env, engine.text())
}

fn state(env: napi_env, info: napi_callback_info) -> *mut State {
    let mut data = null_mut();
    // Safe because only the data is asked for, and these two functions were made with the state.
    unsafe { napi_sys::napi_get_cb_info(env, info, null_mut(), null_mut(), null_mut(), &raw mut data) };
    data.cast()
}

fn string(env: napi_env, text: &str) -> napi_value {
    let mut value = null_mut();
    // Safe because the text has that length, which no allocation exceeds, and the out-pointer is to a live value.
    unsafe { napi_sys::napi_create_string_utf8(env, text.as_ptr().cast(), text.len().cast_signed(), &raw mut value) };
    value
}
