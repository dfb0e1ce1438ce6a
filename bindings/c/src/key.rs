//! Whom a limiter limits.

use crate::failure::{Failure, guarded};
use crate::memory::{self, Answer, Buffer, Items};
use crate::status::ratelimit_status;
use core::ffi::c_void;
use ratelimit_core::{AsKey, Key, KeyRef};

/// Says what a key's bytes are.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ratelimit_key_kind {
    /// Any bytes: an address, a name.
    RATELIMIT_KEY_PLAIN = 0,
    /// A list of parts, as ratelimit_key_join wrote it. It never meets a plain key, whatever that one's bytes.
    RATELIMIT_KEY_PARTS = 1,
}

/// Names the identity that a call is about. The library keeps no pointer to it after the call.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ratelimit_key {
    /// The bytes, which may hold NUL and anything else; text should be UTF-8, as other languages take it. May be NULL
    /// if `length` is 0.
    pub bytes: *const c_void,
    /// How many bytes; 0 makes a key too.
    pub length: usize,
    /// A ratelimit_key_kind.
    pub kind: i32,
}

/// Is one part of a key that ratelimit_key_join makes.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ratelimit_part {
    /// The bytes. May be NULL if `length` is 0.
    pub bytes: *const c_void,
    /// How many bytes.
    pub length: usize,
}

/// Reads a key.
///
/// # Safety
/// A pointer that is not NULL points at a key, and that at its bytes, which nobody changes while they are borrowed.
#[inline]
pub(crate) unsafe fn key<'a>(pointer: *const ratelimit_key) -> Result<KeyRef<'a>, Failure> {
    // Safe because the caller promises the same.
    unsafe { borrow(memory::read(pointer, "key")?) }
}

/// Borrows the bytes of a key that was read.
///
/// # Safety
/// The key points at its bytes, which nobody changes while they are borrowed.
#[inline]
pub(crate) unsafe fn borrow<'a>(key: ratelimit_key) -> Result<KeyRef<'a>, Failure> {
    // Safe because the caller promises the same.
    let bytes = unsafe { memory::bytes(key.bytes, key.length, ["key.bytes", "key.length"]) }?;
    match key.kind {
        0 => Ok(KeyRef::plain(bytes)),
        1 => Ok(KeyRef::parts(bytes)),
        kind => Err(Failure::Unknown {
            field: "key.kind",
            value: kind.into(),
            known: "RATELIMIT_KEY_PLAIN (0) or RATELIMIT_KEY_PARTS (1)",
        }),
    }
}

/// Joins parts into the bytes of one key, so that no two lists meet: ("a", "bc") is not ("ab", "c").
///
/// Use the bytes as a ratelimit_key of kind RATELIMIT_KEY_PARTS. They are the same in every language. A `capacity` of
/// all the parts' lengths together and 21 more for each part is always enough.
///
/// - `parts`: `count` of them; may be NULL if `count` is 0, which makes a key too.
/// - `buffer`: receives the bytes, without a NUL.
/// - `length`: receives how many there are.
///
/// Fails with RATELIMIT_NULL_POINTER, RATELIMIT_TOO_LONG, RATELIMIT_BUFFER_TOO_SMALL.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ratelimit_key_join(
    parts: *const ratelimit_part,
    count: usize,
    buffer: *mut c_void,
    capacity: usize,
    length: *mut usize,
) -> ratelimit_status {
    guarded(|| {
        // Safe because the header asks for `count` parts, `capacity` bytes and a length.
        let (parts, buffer, length) = unsafe {
            let parts = Items::new(parts, count, ["parts", "count"])?;
            (parts, Buffer::new(buffer.cast(), capacity)?, Answer::new(length, "length")?)
        };
        let mut borrowed: Vec<&[u8]> = Vec::new();
        let mut least: usize = 0;
        for part in parts.iter() {
            // Safe because the header asks that a part points at its bytes.
            let part = unsafe { memory::bytes(part.bytes, part.length, ["part.bytes", "part.length"]) }?;
            // Each part takes a digit and a colon. Judged as it goes: parts may share memory and be longer than any.
            least = least.saturating_add(part.len()).saturating_add(2);
            buffer.fits(least)?;
            borrowed.push(part);
        }
        let joined = Key::parts(&borrowed);
        let bytes = joined.as_key().bytes();
        buffer.put(bytes)?;
        length.put(bytes.len());
        Ok(())
    })
}
