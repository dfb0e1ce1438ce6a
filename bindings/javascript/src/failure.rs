//! What can go wrong on the way in.

use crate::number::decimal;
use alloc::boxed::Box;
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
        let (number, offset) =
            (decimal(number.into()), offset.map(|offset| decimal(offset as u64)).unwrap_or_default());
        let mut says = String::new();
        // A text takes whatever is written to it.
        let _ = self.write_to(&mut says);
        [&*number, word, field, &*offset, &*says].join("\n")
    }
}

impl Failure {
    fn write_to(&self, f: &mut impl fmt::Write) -> fmt::Result {
        match self {
            Failure::Core(error) => error.write_to(f),
            Failure::Disposed => f.write_str("limiter was disposed of before"),
            Failure::NotShared => f.write_str("handle is not one that share() returned in this process"),
            Failure::OneThread => f.write_str("share is not supported without the native addon"),
            Failure::Bug(says) => bug(f, says),
            Failure::Panicked(says) => bug(f, says),
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write_to(f)
    }
}

fn bug(f: &mut impl fmt::Write, says: &str) -> fmt::Result {
    f.write_str("the library has a bug: ")?;
    f.write_str(says)
}

/// In a box: so a call that could fail hands back little, and is little code.
impl From<Error> for Box<Failure> {
    #[cold]
    #[inline(never)]
    fn from(error: Error) -> Box<Failure> {
        Box::new(Failure::Core(error))
    }
}

impl Failure {
    /// Builds the failure of a side that is wrong.
    #[cold]
    #[inline(never)]
    pub(crate) fn bug(says: &'static str) -> Box<Failure> {
        Box::new(Failure::Bug(says))
    }

    /// Builds the failure of what was ended.
    #[cold]
    #[inline(never)]
    pub(crate) fn disposed() -> Box<Failure> {
        Box::new(Failure::Disposed)
    }
}
