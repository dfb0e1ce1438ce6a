//! The native addon: the engine of `bindings/javascript` over raw calls of Node-API.
//!
//! Its exports are `slots`, numbers that both sides read and write; `verbs`, a function for each verb that takes the
//! key or nothing (a batch: its keys) and returns nothing; `failure` and `text`, which return text; and `command`, the
//! command line.

#![allow(unsafe_code, reason = "raw calls of Node-API, each with its reason")]

mod bytes;
mod command;
mod function;
mod state;

use napi_sys::{napi_env, napi_value};
use state::State;
use std::sync::Once;

/// Sets the addon up for one JavaScript thread. Node calls it when it has loaded the library.
///
/// # Safety
/// `env` and `exports` have to be Node's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn napi_register_module_v1(env: napi_env, exports: napi_value) -> napi_value {
    static LOADED: Once = Once::new();
    // Safe because it is done once, before any call of Node-API; the program itself is never unloaded.
    LOADED.call_once(|| std::mem::forget(unsafe { napi_sys::setup() }));
    State::set_up(env, exports);
    exports
}
