//! What one JavaScript thread has of the addon.

use crate::command;
use crate::function::{self, Bound};
use napi_sys::{TypedarrayType, napi_env, napi_value};
use ratelimit_javascript::{Engine, SLOTS, Slots, Verb};
use std::ffi::{CStr, c_void};
use std::ptr::null_mut;

/// Holds the engine of one thread, and the functions that JavaScript calls upon it.
#[derive(Debug)]
pub(crate) struct State {
    pub(crate) engine: Engine,
    /// In the memory of an ArrayBuffer that this thread keeps.
    slots: *mut Slots,
    bound: Vec<Bound>,
    /// Bytes that the collector was told that the limiters weigh.
    weight: i64,
    has_ended: bool,
}

impl State {
    /// Makes the exports of a thread. What cannot be made is missing in them, and JavaScript sees that.
    pub(crate) fn set_up(env: napi_env, exports: napi_value) {
        let Some((slots, array)) = make_slots(env) else { return };
        let state = State { engine: Engine::new(), slots, bound: Vec::new(), weight: 0, has_ended: false };
        let state = Box::into_raw(Box::new(state));
        // Safe because the state is new and not yet known to anybody else.
        let bound = unsafe { &mut (*state).bound };
        // The addresses of these are given away, so they are all there before the first is.
        bound.extend(Verb::ALL.map(|verb| Bound::new(state, verb)));
        let mut verbs = null_mut();
        // Safe because the pointers are to live values, and `end` gives the state back when both have called it, after
        // the last call: that of the instance comes when the thread ends.
        unsafe {
            napi_sys::napi_set_instance_data(env, state.cast(), Some(end), null_mut());
            napi_sys::napi_add_finalizer(env, array, state.cast(), Some(end), null_mut(), null_mut());
            napi_sys::napi_create_array(env, &raw mut verbs);
            for (bound, index) in bound.iter().zip(0..) {
                let data = std::ptr::from_ref(bound).cast_mut().cast();
                let call = if bound.is_many() { function::call_many } else { function::call };
                napi_sys::napi_set_element(env, verbs, index, function::make(env, c"verb", call, data));
            }
        }
        let texts = [(c"failure", function::make(env, c"failure", function::failure, state.cast())), {
            (c"text", function::make(env, c"text", function::text, state.cast()))
        }];
        let others = [(c"slots", array), (c"verbs", verbs)];
        let command = (c"command", function::make(env, c"command", command::call, null_mut()));
        for (name, value) in texts.into_iter().chain(others).chain([command]) {
            set(env, exports, name, value);
        }
    }

    /// Tells the collector what limiters weigh that there are more.
    ///
    /// # Safety
    /// No call may be under way.
    pub(crate) unsafe fn weigh(state: *mut State, env: napi_env, more: i64) {
        // Safe because the caller says so, and the state lives as long as the functions that lead here.
        unsafe { (*state).weight += more };
        weigh(env, more);
    }

    /// Gives the engine and the slots.
    ///
    /// # Safety
    /// No other reference to either may be alive.
    pub(crate) unsafe fn parts<'a>(state: *mut State) -> (&'a mut Engine, &'a mut Slots) {
        // Safe because the caller has no other reference, and the state lives as long as the functions that lead here.
        unsafe { (&mut (*state).engine, &mut *(*state).slots) }
    }
}

/// Makes the array of the slots, and keeps its memory for as long as the thread lives.
fn make_slots(env: napi_env) -> Option<(*mut Slots, napi_value)> {
    let (mut memory, mut buffer, mut array, mut kept) = (null_mut(), null_mut(), null_mut(), null_mut());
    let kind = TypedarrayType::float64_array;
    // Safe because every out-pointer is to a live value; the memory is zeroed, which is a number in each slot.
    let made = unsafe {
        napi_sys::napi_create_arraybuffer(env, size_of::<Slots>(), &raw mut memory, &raw mut buffer) == 0
            && napi_sys::napi_create_typedarray(env, kind, SLOTS, buffer, 0, &raw mut array) == 0
            && napi_sys::napi_create_reference(env, buffer, 1, &raw mut kept) == 0
    };
    (made && !memory.is_null()).then_some((memory.cast(), array))
}

fn set(env: napi_env, exports: napi_value, name: &CStr, value: napi_value) {
    // Safe because both values are this environment's.
    unsafe { napi_sys::napi_set_named_property(env, exports, name.as_ptr(), value) };
}

/// Ends what a thread has that ends, or a copy of the package whose slots were collected: so it was too, and will free
/// no limiter any more. A test runner loads a copy for each file. Whichever comes second frees the state.
unsafe extern "C" fn end(env: napi_env, state: *mut c_void, _: *mut c_void) {
    let state = state.cast::<State>();
    // Safe because no call is under way, and the state is there until this was called twice.
    let (has_ended, weight) = unsafe {
        (*state).engine = Engine::new();
        (std::mem::replace(&mut (*state).has_ended, true), std::mem::take(&mut (*state).weight))
    };
    weigh(env, -weight);
    if has_ended {
        // Safe because nobody else is given it any more.
        drop(unsafe { Box::from_raw(state) });
    }
}

/// Tells the collector of so many bytes more.
fn weigh(env: napi_env, more: i64) {
    let mut all = 0;
    // Safe because the out-pointer is to a live value.
    unsafe { napi_sys::napi_adjust_external_memory(env, more, &raw mut all) };
}
