//! What can go wrong on the way in.

use alloc::string::String;
use core::fmt;
use ratelimit_core::Error;

/// Says why a call did nothing.
#[derive(Debug)]
pub enum Failure {
    /// What core refuses.
    Core(Error),
    /// The limiter was ended before.
    Disposed,
    /// The handle is of another process, or of none.
    NotShared,
    /// This build has one thread.
    OneThread,
    /// The JavaScript side or this one is wrong.
    Bug(&'static str),
    /// Core panicked.
    Panicked(String),
}

impl Failure {
    /// Writes the failure in lines: its number (0 if it is none of core's), its word, its field, its offset, and
    /// what it says.
    #[must_use]
    pub fn lines(&self) -> String {
        let (number, word, field, offset) = match self {
            Failure::Core(error) => (error.code(), error.name(), error.field().name(), error.offset()),
            Failure::Disposed => (0, "disposed", "limiter", None),
            Failure::NotShared => (0, "not_shared", "handle", None),
            Failure::OneThread => (0, "unsupported", "", None),
            Failure::Bug(_) | Failure::Panicked(_) => (0, "bug", "", None),
        };
        match offset {
            Some(offset) => alloc::format!("{number}\n{word}\n{field}\n{offset}\n{self}"),
            None => alloc::format!("{number}\n{word}\n{field}\n\n{self}"),
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Core(error) => error.fmt(f),
            Failure::Disposed => f.write_str("limiter was disposed of before"),
            Failure::NotShared => f.write_str("handle is not one that share() returned in this process"),
            Failure::OneThread => f.write_str("share is not supported without the native addon"),
            Failure::Bug(says) => write!(f, "the library has a bug: {says}"),
            Failure::Panicked(says) => write!(f, "the library has a bug: {says}"),
        }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        Failure::Core(error)
    }
}
