//! What is under test.

use crate::{Decision, Failure, Key, Parsed, Policy, Stats};

/// Makes limiters and reads policy texts: an implementation, seen through its public names only.
pub trait Subject {
    /// The limiters that it makes.
    type Limiter: Limiter;

    /// Makes a limiter, with the default cap if none is given, or tells why not.
    ///
    /// # Errors
    /// The implementation's own, in shared words.
    fn make(&self, policies: &[Policy], max_identities: Option<u64>) -> Result<Self::Limiter, Failure>;

    /// Reads a policy text and writes what it read.
    ///
    /// # Errors
    /// The implementation's own, in shared words.
    fn parse(&self, text: &str) -> Result<Parsed, Failure>;
}

/// Answers what the steps of a world ask; times are in milliseconds and given with each call.
#[allow(clippy::missing_errors_doc, reason = "an error is the implementation's own, in shared words")]
#[allow(clippy::len_without_is_empty, reason = "the vectors have no such step")]
pub trait Limiter {
    /// Decides and takes.
    fn check(&self, key: &Key, cost: u64, now_ms: u64) -> Result<Decision, Failure>;

    /// Checks each key in order at one reading of the limiter's own clock, which stands at `now_ms`.
    fn check_many(&self, keys: &[Key], cost: u64, now_ms: u64) -> Result<Vec<Decision>, Failure>;

    /// Decides and takes nothing.
    fn peek(&self, key: &Key, cost: u64, now_ms: u64) -> Result<Decision, Failure>;

    /// Returns the largest cost that check would allow.
    fn remaining(&self, key: &Key, now_ms: u64) -> Result<u64, Failure>;

    /// Gives a decision back and returns how many permits that gave.
    fn refund(&self, key: &Key, decision: &Decision, now_ms: u64) -> Result<u64, Failure>;

    /// Forgets a key and returns whether it had a row.
    fn reset(&self, key: &Key) -> bool;

    /// Removes idle rows and returns how many.
    fn sweep(&self, now_ms: u64) -> Result<u64, Failure>;

    /// Counts rows.
    fn len(&self) -> u64;

    /// Counts decisions by kind.
    fn stats(&self) -> Stats;

    /// Forgets all but the stats.
    fn clear(&self);
}
