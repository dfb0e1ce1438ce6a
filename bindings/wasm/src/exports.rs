//! What JavaScript calls.
#![allow(unsafe_code, reason = "the border to JavaScript is made of pointers")]
#![allow(unreachable_pub, reason = "reached from JavaScript")]

extern crate alloc;

use alloc::string::String;
use alloc::vec::Vec;
use core::cell::UnsafeCell;
use ratelimit_javascript::{Engine, SLOTS, Slots, Verb};

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    core::arch::wasm32::unreachable()
}

struct State {
    engine: Engine,
    slots: Slots,
    bytes: Vec<u8>,
    failure: String,
}

struct OneThread(UnsafeCell<State>);

// Safe because a module built without the feature for threads has one.
unsafe impl Sync for OneThread {}

static STATE: OneThread = OneThread(UnsafeCell::new(State {
    engine: Engine::new(),
    slots: [0.0; SLOTS],
    bytes: Vec::new(),
    failure: String::new(),
}));

fn with<R>(run: impl FnOnce(&mut State) -> R) -> R {
    // Safe because there is one thread and no export calls another, so this is the only reference.
    run(unsafe { &mut *STATE.0.get() })
}

/// Returns where the slots lie; they never move.
#[unsafe(no_mangle)]
pub extern "C" fn slots() -> *mut f64 {
    with(|state| state.slots.as_mut_ptr())
}

/// Makes room for `length` bytes and returns where they go; what lay there is gone, and may lie elsewhere. Null if
/// there is no memory for them: then all is as it was.
#[unsafe(no_mangle)]
pub extern "C" fn buffer(length: usize) -> *mut u8 {
    with(|state| {
        let mut bytes = Vec::new();
        if bytes.try_reserve_exact(length).is_err() {
            return core::ptr::null_mut();
        }
        bytes.resize(length, 0);
        state.bytes = bytes;
        state.bytes.as_mut_ptr()
    })
}

/// Gives the seed of the hash, in two halves of random bits.
#[unsafe(no_mangle)]
pub extern "C" fn seed(own: u64, shared: u64) {
    ratelimit_core::seed_hash([own, shared]);
}

/// Does what the verb of that number says, with the first `length` bytes of the buffer.
#[unsafe(no_mangle)]
pub extern "C" fn run(verb: usize, length: usize) {
    with(|state| {
        let bytes = state.bytes.get(..length).unwrap_or_default();
        if let Some(verb) = Verb::ALL.get(verb) {
            state.engine.run(*verb, bytes, &mut state.slots);
        }
    });
}

/// Writes down what the last failure says and returns where; the first slot holds its length.
#[unsafe(no_mangle)]
pub extern "C" fn failure() -> *const u8 {
    with(|state| {
        state.failure = state.engine.failure();
        show(&state.failure, &mut state.slots)
    })
}

/// Returns where the text is that the last verb has written, which answers with text; the first slot holds its length.
#[unsafe(no_mangle)]
pub extern "C" fn text() -> *const u8 {
    with(|state| show(state.engine.text(), &mut state.slots))
}

fn show(text: &str, slots: &mut Slots) -> *const u8 {
    slots[0] = f64::from(u32::try_from(text.len()).unwrap_or(u32::MAX));
    text.as_ptr()
}
