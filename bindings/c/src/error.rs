//! What went wrong last, for each thread.

use crate::failure::Failure;
use core::cell::UnsafeCell;
use core::ffi::c_char;
use core::fmt::{self, Write};

/// The offset of an error that does not speak of a text.
///
/// cbindgen:ignore
pub const RATELIMIT_NO_OFFSET: usize = usize::MAX;

/// A C string in place: never allocates, cut where it is full, always ended by a NUL.
struct Line<const N: usize> {
    bytes: [u8; N],
    length: usize,
}

impl<const N: usize> Line<N> {
    const EMPTY: Line<N> = Line { bytes: [0; N], length: 0 };

    fn set(&mut self, text: impl fmt::Display) {
        self.length = 0;
        // It fails only when the line is full.
        let _ = write!(self, "{text}");
        self.bytes[self.length] = 0;
    }
}

impl<const N: usize> fmt::Write for Line<N> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for character in text.chars() {
            let end = self.length + character.len_utf8();
            if end >= N {
                return Err(fmt::Error);
            }
            character.encode_utf8(&mut self.bytes[self.length..end]);
            self.length = end;
        }
        Ok(())
    }
}

struct Last {
    message: Line<512>,
    field: Line<32>,
    offset: usize,
}

thread_local! {
    // Without a destructor, so that it is there until the thread's memory is gone, also for other destructors.
    static LAST: UnsafeCell<Last> =
        const { UnsafeCell::new(Last { message: Line::EMPTY, field: Line::EMPTY, offset: RATELIMIT_NO_OFFSET }) };
}

const _: () = assert!(!core::mem::needs_drop::<UnsafeCell<Last>>());

/// Keeps what went wrong until this thread's next failure.
pub(crate) fn remember(failure: &Failure) {
    LAST.with(|last| {
        // Safe because the cell is this thread's own and nothing here calls back into it.
        let last = unsafe { &mut *last.get() };
        last.message.set(failure);
        last.field.set(failure.field());
        last.offset = failure.offset().unwrap_or(RATELIMIT_NO_OFFSET);
    });
}

/// Returns what went wrong in this thread's last call that failed: the field, its value and the rule, in English and
/// UTF-8. Empty if none has failed; calls that succeed leave it. Never NULL; valid until this thread's next failure or
/// its end; never free it.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn ratelimit_last_error_message() -> *const c_char {
    // Safe because the cell is this thread's own and no reference into it is alive.
    LAST.with(|last| unsafe { (*last.get()).message.bytes.as_ptr().cast() })
}

/// Returns the name of the argument or field that this thread's last failure speaks of ("cost", "max_identities"), the
/// same in every language: of a token bucket `limit` is "capacity" and `window_ms` is "refill_period_ms". Empty if
/// there is none. Never NULL; valid as long as the message is.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn ratelimit_last_error_field() -> *const c_char {
    // Safe because the cell is this thread's own and no reference into it is alive.
    LAST.with(|last| unsafe { (*last.get()).field.bytes.as_ptr().cast() })
}

/// Returns the byte of a policy's text at which this thread's last failure lies, counted from 0; RATELIMIT_NO_OFFSET if
/// it was not about a text.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn ratelimit_last_error_offset() -> usize {
    // Safe because the cell is this thread's own and no reference into it is alive.
    LAST.with(|last| unsafe { (*last.get()).offset })
}
