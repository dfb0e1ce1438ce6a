//! Whose permits come back when the response is known.

use crate::decimal::Decimal;
use crate::error::{Error, Field};
use alloc::vec::Vec;

/// Says what became of a request that a limit let pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// The handler answered with this status.
    Status(u16),
    /// A limit further in refused it.
    RefusedWithin,
    /// There was no answer: it failed, or the client went away.
    None,
}

/// Holds the statuses for which a request costs nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Statuses(Vec<[u16; 2]>);

impl Statuses {
    /// Reads ranges of statuses, both ends within.
    ///
    /// # Errors
    /// If a number is not in `100 ..= 999`, or a range's first is above its last.
    ///
    /// ```
    /// use ratelimit_core::http::{Outcome, Statuses};
    ///
    /// // Count only failed logins.
    /// let refunded = Statuses::new(&[[100, 399]])?;
    /// assert!(refunded.refunds(Outcome::Status(204)) && !refunded.refunds(Outcome::Status(401)));
    /// assert!(refunded.refunds(Outcome::RefusedWithin));
    /// # Ok::<(), ratelimit_core::Error>(())
    /// ```
    pub fn new(ranges: &[[u64; 2]]) -> Result<Statuses, Error> {
        let mut judged = Vec::with_capacity(ranges.len());
        for [first, last] in ranges {
            Field::RefundIf.judge(*first)?;
            Field::RefundIf.judge(*last)?;
            if first > last {
                let [first, last] = [*first, *last].map(Decimal::of);
                let shown = [first.as_str(), " to ", last.as_str()].concat();
                return Err(Error::malformed_text(Field::RefundIf, &shown, "the lesser first"));
            }
            judged.push([*first, *last].map(|status| u16::try_from(status).unwrap_or_default()));
        }
        Ok(Statuses(judged))
    }

    /// Says whether what was taken is given back: for one of the statuses, and always if a limit further in refused.
    #[must_use]
    pub fn refunds(&self, outcome: Outcome) -> bool {
        match outcome {
            Outcome::Status(status) => self.0.iter().any(|[low, high]| (*low..=*high).contains(&status)),
            Outcome::RefusedWithin => true,
            Outcome::None => false,
        }
    }
}
