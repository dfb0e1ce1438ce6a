//! A place in the source that breaks a rule.

use std::fmt;

/// Names a place and says what is wrong there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Finding {
    pub(crate) path: String,
    /// Counted from 1; 0 speaks of the whole file.
    pub(crate) line: usize,
    pub(crate) says: String,
}

impl Finding {
    pub(crate) fn new(path: &str, line: usize, says: impl Into<String>) -> Finding {
        Finding { path: path.to_owned(), line, says: says.into() }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.path, self.line, self.says)
    }
}
