//! How a run of the command can fail, and the exit status that says so.

use std::fmt;
use std::io;
use std::path::Path;

/// Why the command stopped.
#[derive(Debug)]
pub(crate) enum Failure {
    /// What was asked cannot be done: status 2.
    Usage(String),
    /// What was given as a log is none: status 2.
    NoLog(String),
    /// Reading or writing failed: status 1. What was read or written, and the error.
    Io(String, io::Error),
}

impl Failure {
    /// Makes a way to turn the errors of one file into failures that name it.
    pub(crate) fn at(path: &Path) -> impl Fn(io::Error) -> Failure {
        move |error| Failure::Io(path.display().to_string(), error)
    }

    /// Makes the failure of writing to standard output.
    pub(crate) fn output(error: io::Error) -> Failure {
        Failure::Io("standard output".to_owned(), error)
    }

    /// Says whether the reader of our output went away, which is no news to anybody.
    pub(crate) fn is_broken_pipe(&self) -> bool {
        matches!(self, Failure::Io(_, error) if error.kind() == io::ErrorKind::BrokenPipe)
    }

    /// Returns the exit status.
    pub(crate) fn status(&self) -> u8 {
        match self {
            Failure::Usage(_) | Failure::NoLog(_) => 2,
            Failure::Io(..) => 1,
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Usage(text) | Failure::NoLog(text) => f.write_str(text),
            Failure::Io(what, error) => write!(f, "{what}: {error}"),
        }
    }
}
