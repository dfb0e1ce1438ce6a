//! Bytes that JavaScript gives: text as its UTF-8, or a `Uint8Array`.

use napi_sys::{TypedarrayType, napi_env, napi_value};
use std::mem::MaybeUninit;
use std::ptr::null_mut;

/// Room for text that needs no allocation.
const ROOM: usize = 256;
/// Room that Node may leave at the end: it writes no half of a character, and a zero behind the last.
const LEFT: usize = 4;

/// Runs a call on the value's bytes, or on none if it is neither text nor bytes. Nothing in it may run JavaScript.
#[inline]
pub(crate) fn with<R>(env: napi_env, value: napi_value, run: impl FnOnce(Option<&[u8]>) -> R) -> R {
    let mut room = [const { MaybeUninit::uninit() }; ROOM];
    match ascii(env, value, &mut room) {
        Some(bytes) => run(Some(bytes)),
        None => with_any(env, value, run),
    }
}

/// Appends the value's bytes; says whether it has any, being text or bytes.
#[inline]
pub(crate) fn append(env: napi_env, value: napi_value, to: &mut Vec<u8>) -> bool {
    to.reserve(ROOM);
    let short = to.spare_capacity_mut().first_chunk_mut().and_then(|room| ascii(env, value, room)).map(<[u8]>::len);
    let Some(length) = short else {
        return with_any(env, value, |bytes| bytes.map(|bytes| to.extend_from_slice(bytes)).is_some());
    };
    // Safe because that many bytes have just been written there.
    unsafe { to.set_len(to.len() + length) };
    true
}

/// Writes short texts that are all ASCII, one behind the other, and says where each ends; writes none if any of them is
/// not. They are narrowed at once.
#[inline]
pub(crate) fn all<'a, const MANY: usize>(
    env: napi_env,
    values: &[napi_value],
    ends: &mut [usize],
    bytes: &'a mut [MaybeUninit<u8>; MANY],
) -> Option<&'a [u8]> {
    let (mut units, mut end) = ([const { MaybeUninit::<u16>::uninit() }; MANY], 0);
    for (value, to) in values.iter().zip(ends) {
        let (room, mut length) = (&mut units[end..], 0);
        // Safe because Node writes at most as much as there is room for.
        let status = unsafe {
            napi_sys::napi_get_value_string_utf16(env, *value, room.as_mut_ptr().cast(), room.len(), &raw mut length)
        };
        // Where all the room was needed there may be more.
        if status != 0 || length + 1 >= room.len() {
            return None;
        }
        end += length;
        *to = end;
    }
    // Safe because Node has written that many units, without a gap.
    narrow(unsafe { std::slice::from_raw_parts(units.as_ptr().cast(), end) }, bytes)
}

/// Writes text as its bytes if it is short and all ASCII. Node hands out its units, of two bytes each, quicker than its
/// UTF-8, which it writes byte by byte.
#[inline]
fn ascii(env: napi_env, value: napi_value, room: &mut [MaybeUninit<u8>; ROOM]) -> Option<&[u8]> {
    let (mut units, mut length) = ([const { MaybeUninit::<u16>::uninit() }; ROOM], 0);
    let to = units.as_mut_ptr().cast();
    // Safe because Node writes at most as much as there is room for.
    let status = unsafe { napi_sys::napi_get_value_string_utf16(env, value, to, ROOM, &raw mut length) };
    // Where all the room was needed there may be more.
    if status != 0 || length >= ROOM - 1 {
        return None;
    }
    // Safe because Node has written that many units.
    narrow(unsafe { std::slice::from_raw_parts(units.as_ptr().cast(), length) }, room)
}

/// Writes units as bytes; none if not all are ASCII.
#[inline]
fn narrow<'a>(units: &[u16], room: &'a mut [MaybeUninit<u8>]) -> Option<&'a [u8]> {
    let mut all = 0;
    for (byte, unit) in room.iter_mut().zip(units) {
        all |= *unit;
        byte.write(unit.to_le_bytes()[0]);
    }
    // Safe because so many bytes have just been written.
    (all < 0x80).then(|| unsafe { std::slice::from_raw_parts(room.as_ptr().cast(), units.len()) })
}

#[cold]
fn with_any<R>(env: napi_env, value: napi_value, run: impl FnOnce(Option<&[u8]>) -> R) -> R {
    let mut room = [const { MaybeUninit::uninit() }; ROOM];
    match write(env, value, &mut room) {
        Some(bytes) if bytes.len() < ROOM - LEFT => run(Some(bytes)),
        Some(_) => run(long(env, value).as_deref()),
        None => run(array(env, value)),
    }
}

/// Writes the UTF-8 of text, as much of it as there is room for, and returns it; none if it is no text.
#[inline]
fn write(env: napi_env, value: napi_value, room: &mut [MaybeUninit<u8>]) -> Option<&[u8]> {
    let mut length = 0;
    // Safe because Node writes at most as much as there is room for.
    let status = unsafe {
        let to = room.as_mut_ptr().cast();
        napi_sys::napi_get_value_string_utf8(env, value, to, room.len(), &raw mut length)
    };
    // Safe because Node has written that many bytes.
    (status == 0).then(|| unsafe { std::slice::from_raw_parts(room.as_ptr().cast(), length) })
}

#[cold]
fn long(env: napi_env, value: napi_value) -> Option<Vec<u8>> {
    let mut length = 0;
    // Safe because without a place to write to Node only says the length.
    let status = unsafe { napi_sys::napi_get_value_string_utf8(env, value, null_mut(), 0, &raw mut length) };
    let mut bytes: Vec<u8> = Vec::with_capacity(if status == 0 { length } else { 0 } + 1);
    let written = write(env, value, bytes.spare_capacity_mut())?;
    Some(written.to_vec())
}

fn array<'a>(env: napi_env, value: napi_value) -> Option<&'a [u8]> {
    let (mut kind, mut length, mut data) = (-1, 0, null_mut());
    // Safe because every out-pointer is to a live value.
    let status = unsafe {
        let out = (&raw mut kind, &raw mut length, &raw mut data);
        napi_sys::napi_get_typedarray_info(env, value, out.0, out.1, out.2, null_mut(), null_mut())
    };
    if status != 0 || kind != TypedarrayType::uint8_array {
        return None;
    }
    if length == 0 {
        return Some(&[]);
    }
    // Safe because the array is of bytes, that many, and no JavaScript runs before the call that it was given to ends;
    // JavaScript gives no array whose memory other threads share.
    Some(unsafe { std::slice::from_raw_parts(data.cast(), length) })
}
