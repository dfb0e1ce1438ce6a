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
}

impl State {
    /// Makes the exports of a thread. What cannot be made is missing in them, and JavaScript sees that.
    pub(crate) fn set_up(env: napi_env, exports: napi_value) {
        let Some((slots, array)) = make_slots(env) else { return };
        let state = Box::into_raw(Box::new(State { engine: Engine::new(), slots, bound: Vec::new() }));
        // Safe because the state is new and not yet known to anybody else.
        let bound = unsafe { &mut (*state).bound };
        // The addresses of these are given away, so they are all there before the first is.
        bound.extend(Verb::ALL.map(|verb| Bound::new(state, verb)));
        let mut verbs = null_mut();
        // Safe because the pointers are to live values, and `end` gives the state back once, after the last call.
        unsafe {
            napi_sys::napi_set_instance_data(env, state.cast(), Some(end), null_mut());
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

/// Frees the state of a thread that ends.
unsafe extern "C" fn end(_: napi_env, state: *mut c_void, _: *mut c_void) {
    // Safe because Node calls it once, with what was given to it, after the last call of a function.
    drop(unsafe { Box::from_raw(state.cast::<State>()) });
}
