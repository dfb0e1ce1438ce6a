//! Keys as Python gives them: text, bytes, or a tuple of these.

use crate::failure::wrong_type;
use pyo3::exceptions::PyMemoryError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyMemoryView, PyString, PyTuple};
use ratelimit_core::{AsKey, Key, KeyRef};
use std::borrow::Cow;
use std::hint::black_box;

/// Bytes for which there always is memory.
const SMALL: usize = 1 << 20;

const PART: &str = "str, bytes, bytearray or memoryview";
const KEY: &str = "str, bytes, bytearray, memoryview or a tuple of these";

/// Runs something on a key; a value of no key's type is a `TypeError`.
///
/// Text, the key of nearly every call, goes there without a `GivenKey`: that is moved as soon as it is made, and the
/// processor would wait until it is written, a quarter of what `allow` takes.
#[inline(always)]
pub(crate) fn with<R>(given: &Bound<'_, PyAny>, run: impl Fn(KeyRef<'_>) -> PyResult<R>) -> PyResult<R> {
    match text(given) {
        Some(text) => run(text),
        None => run(GivenKey::read(given)?.as_key()),
    }
}

/// Borrows a key that is text.
#[inline]
pub(crate) fn text<'a>(given: &'a Bound<'_, PyAny>) -> Option<KeyRef<'a>> {
    let text = given.cast::<PyString>().ok()?;
    text.to_str().ok().map(|text| KeyRef::plain(text.as_bytes()))
}

/// A key of a call. Text and bytes are borrowed from their objects.
pub(crate) enum GivenKey<'a> {
    Plain(Cow<'a, [u8]>),
    Parts(Key),
}

impl<'a> GivenKey<'a> {
    /// Reads a key; a value of any other type is a `TypeError`.
    pub(crate) fn read(given: &'a Bound<'_, PyAny>) -> PyResult<GivenKey<'a>> {
        if let Some(bytes) = bytes(given)? {
            return Ok(GivenKey::Plain(bytes));
        }
        let Ok(tuple) = given.cast::<PyTuple>() else {
            return Err(wrong_type("key", given, KEY));
        };
        let parts: Vec<_> = tuple.iter().collect();
        let read = |part| bytes(part)?.ok_or_else(|| wrong_type("a part of key", part, PART));
        let parts = parts.iter().map(read).collect::<PyResult<Vec<_>>>()?;
        // Twice, for what is joined can grow once more as it is written.
        room(parts.iter().fold(0_usize, |sum, part| sum.saturating_add(part.len())).saturating_mul(2))?;
        Ok(GivenKey::Parts(Key::parts(&parts)))
    }
}

impl AsKey for GivenKey<'_> {
    #[inline]
    fn as_key(&self) -> KeyRef<'_> {
        match self {
            GivenKey::Plain(bytes) => KeyRef::plain(bytes),
            GivenKey::Parts(key) => key.as_key(),
        }
    }
}

/// Tells whether something is a key of its own, also where it could be read as a list of others.
pub(crate) fn is_one(given: &Bound<'_, PyAny>) -> bool {
    given.is_instance_of::<PyString>()
        || given.is_instance_of::<PyBytes>()
        || given.is_instance_of::<PyByteArray>()
        || given.is_instance_of::<PyMemoryView>()
}

/// Returns the bytes of text or of something that holds bytes; none for anything else.
fn bytes<'a>(given: &'a Bound<'_, PyAny>) -> PyResult<Option<Cow<'a, [u8]>>> {
    if let Ok(text) = given.cast::<PyString>() {
        return utf8(text).map(Some);
    }
    if let Ok(bytes) = given.cast::<PyBytes>() {
        return Ok(Some(Cow::Borrowed(bytes.as_bytes())));
    }
    if let Ok(bytes) = given.cast::<PyByteArray>() {
        room(bytes.len())?;
        return Ok(Some(Cow::Owned(bytes.to_vec())));
    }
    if given.is_instance_of::<PyMemoryView>() {
        let bytes = given.call_method0(intern!(given.py(), "tobytes"))?;
        return copied(&bytes).map(Some);
    }
    Ok(None)
}

/// Returns the UTF-8 of text, in which each surrogate became U+FFFD.
fn utf8<'a>(text: &'a Bound<'_, PyString>) -> PyResult<Cow<'a, [u8]>> {
    if let Ok(text) = text.to_str() {
        return Ok(Cow::Borrowed(text.as_bytes()));
    }
    let py = text.py();
    // That of `str`: a class of the caller's may have an `encode` of its own, which is not asked for other text either.
    let encode = py.get_type::<PyString>().getattr(intern!(py, "encode"))?;
    let encoded = encode.call1((text, intern!(py, "utf-8"), intern!(py, "surrogatepass")))?;
    let mut bytes = copied(&encoded)?.into_owned();
    for at in 1..bytes.len() {
        // Three bytes that begin with 0xED and go on above 0x9F are a surrogate's, and nothing else begins so.
        if bytes[at - 1] == 0xED && bytes[at] > 0x9F {
            bytes[at - 1..at + 2].copy_from_slice("\u{FFFD}".as_bytes());
        }
    }
    Ok(Cow::Owned(bytes))
}

/// Copies the bytes of an object that is not kept.
fn copied<'a>(given: &Bound<'_, PyAny>) -> PyResult<Cow<'a, [u8]>> {
    let bytes = given.cast::<PyBytes>()?.as_bytes();
    room(bytes.len())?;
    Ok(Cow::Owned(bytes.to_vec()))
}

/// Raises a `MemoryError` if there is no memory for so many bytes; taken without asking, they would end the process.
fn room(bytes: usize) -> PyResult<()> {
    let mut room = Vec::<u8>::new();
    let made = if bytes > SMALL { room.try_reserve_exact(bytes) } else { Ok(()) };
    // Else the compiler does without memory that nobody writes to.
    black_box(&room);
    made.map_err(|_| PyMemoryError::new_err("no memory for a key of this length"))
}
