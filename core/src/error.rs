//! What can be wrong with a configuration or an argument: a closed list, numbered alike in every language.

use crate::decimal::Decimal;
use alloc::string::{String, ToString};
use core::fmt;

/// What an [`Error`] speaks of; if it is a number, with the range it must lie in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Field {
    /// Permits in a window, `0 ..= 2^32-1`.
    Limit,
    /// Permits a bucket holds, `0 ..= 2^32-1`.
    Capacity,
    /// Length of a window in milliseconds, `1 ..= 31_622_400_000` (366 days).
    WindowMs,
    /// Permits a bucket gains each period, `1 ..= 2^32-1`.
    Refill,
    /// Length of a refill period in milliseconds, `1 ..= 31_622_400_000` (366 days).
    RefillPeriodMs,
    /// Permits that one call asks for, `1 ..= 2^32-1`.
    Cost,
    /// Milliseconds on the limiter's clock, `0 ..= 2^52-1`.
    NowMs,
    /// Milliseconds by which a manual clock moves on, `0 ..= 2^52-1`.
    Ms,
    /// Rows that may exist, `1 ..= 2^32-1`.
    MaxIdentities,
    /// How many policies a limiter stacks, `1 ..= 4`.
    Policies,
    /// Proxies before a server: how many, `0 ..= 255`, or their networks.
    TrustedProxies,
    /// The field in which proxies write whom they serve.
    ForwardingField,
    /// Bits of an IPv6 address that are one client's network, `32 ..= 128`.
    Ipv6Prefix,
    /// The policies' names in a response.
    Names,
    /// The style of the fields in a response.
    Fields,
    /// The status that a saturated request is answered with, 429 or 503.
    SaturatedStatus,
    /// The statuses for which a request costs nothing, `100 ..= 999`.
    RefundIf,
    /// What becomes of a request without a key.
    OnMissingKey,
}

const U32_MAX: u64 = u32::MAX as u64;
pub(crate) const MAX_NOW_MS: u64 = (1 << 52) - 1;
const MAX_WINDOW_MS: u64 = 366 * 24 * 60 * 60 * 1000;

impl Field {
    /// Returns the field's name, the same word in every language.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Field::Limit => "limit",
            Field::Capacity => "capacity",
            Field::WindowMs => "window_ms",
            Field::Refill => "refill",
            Field::RefillPeriodMs => "refill_period_ms",
            Field::Cost => "cost",
            Field::NowMs => "now_ms",
            Field::Ms => "ms",
            Field::MaxIdentities => "max_identities",
            Field::Policies => "policies",
            Field::TrustedProxies => "trusted_proxies",
            Field::ForwardingField => "forwarding_field",
            Field::Ipv6Prefix => "ipv6_prefix",
            Field::Names => "names",
            Field::Fields => "fields",
            Field::SaturatedStatus => "saturated_status",
            Field::RefundIf => "refund_if",
            Field::OnMissingKey => "on_missing_key",
        }
    }

    /// Returns the least value that is accepted.
    #[must_use]
    pub const fn min(self) -> u64 {
        match self {
            Field::Limit | Field::Capacity | Field::NowMs | Field::Ms | Field::TrustedProxies => 0,
            Field::Ipv6Prefix => 32,
            Field::RefundIf => 100,
            _ => 1,
        }
    }

    /// Returns the greatest value that is accepted.
    #[must_use]
    pub const fn max(self) -> u64 {
        match self {
            Field::WindowMs | Field::RefillPeriodMs => MAX_WINDOW_MS,
            Field::NowMs | Field::Ms => MAX_NOW_MS,
            Field::Policies => 4,
            Field::TrustedProxies => 255,
            Field::Ipv6Prefix => 128,
            Field::RefundIf => 999,
            _ => U32_MAX,
        }
    }

    /// Returns `value` if it is in the field's range.
    ///
    /// # Errors
    /// If it is not; the error names the field, the value and the range.
    #[inline]
    pub fn judge(self, value: u64) -> Result<u64, Error> {
        if value < self.min() || value > self.max() {
            return Err(self.refuse(value));
        }
        Ok(value)
    }

    #[cold]
    fn refuse(self, value: u64) -> Error {
        Error::out_of_range(self, Decimal::of(value).as_str())
    }
}

impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Says what is wrong with a configuration, an argument or a policy's text.
///
/// A refusal is not an error: it is a [`Decision`](crate::Decision). Whatever reports an error has changed nothing.
///
/// ```
/// use ratelimit_core::{Error, Limiter};
///
/// let error = "5/minute; 10/0s".parse::<Limiter>().unwrap_err();
/// assert_eq!(error.to_string(), "window_ms is 0, must be from 1 to 31622400000 (at offset 13)");
/// assert_eq!((error.code(), error.name()), (1, "out_of_range"));
/// assert_eq!(error.offset(), Some(13));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// A number lies outside its field's range.
    OutOfRange {
        /// The field.
        field: Field,
        /// The number as it was given, in decimal.
        value: String,
        /// Where the number begins in the text it was read from.
        offset: Option<usize>,
    },
    /// A duration is not a whole number of milliseconds.
    NotWholeMilliseconds {
        /// The field.
        field: Field,
        /// The duration in nanoseconds.
        value_ns: u128,
    },
    /// A bucket's `capacity * refill_period_ms` is above 2^52.
    BucketTooLarge {
        /// The bucket's capacity.
        capacity: u64,
        /// The bucket's refill period.
        refill_period_ms: u64,
        /// Where the capacity begins in the text it was read from.
        offset: Option<usize>,
    },
    /// A sliding window could have to remember more than 100 000 entries.
    SlidingLogTooLong {
        /// The window's limit.
        limit: u64,
        /// The window's length.
        window_ms: u64,
        /// Where the limit begins in the text it was read from.
        offset: Option<usize>,
    },
    /// A limiter has no policy, or more than four; or what should be one policy's text is a stack's.
    PolicyCount {
        /// How many were given.
        count: usize,
        /// Where the first one too many begins in the text it was read from.
        offset: Option<usize>,
    },
    /// A policy's text does not follow the grammar.
    PolicySyntax {
        /// Where the first token begins that cannot stand there; the text's length if it ends too early.
        offset: usize,
        /// What could stand there.
        expected: &'static str,
    },
    /// A value is no integer. Typed Rust never reports it; bindings of other languages do.
    NotAnInteger {
        /// The field.
        field: Field,
        /// The value as its language prints it.
        value: String,
    },
    /// A text, or one of a few values, is none that the field can have.
    Malformed {
        /// The field.
        field: Field,
        /// The value as it was given.
        value: String,
        /// What it must be.
        rule: &'static str,
    },
}

impl Error {
    /// Builds the error for a number outside `field`'s range; for bindings whose numbers are wider than ours.
    pub fn out_of_range(field: Field, value: impl ToString) -> Error {
        Error::OutOfRange { field, value: value.to_string(), offset: None }
    }

    /// Builds the error for a value that is no integer; for bindings of languages that cannot tell earlier.
    pub fn not_an_integer(field: Field, value: impl ToString) -> Error {
        Error::NotAnInteger { field, value: value.to_string() }
    }

    /// Builds the error for a value that breaks its field's rule, which is what it must be.
    pub fn malformed(field: Field, value: impl ToString, rule: &'static str) -> Error {
        Error::Malformed { field, value: value.to_string(), rule }
    }

    /// Does what [`malformed`](Error::malformed) does for a text, in one piece of code.
    #[cold]
    #[inline(never)]
    pub(crate) fn malformed_text(field: Field, value: &str, rule: &'static str) -> Error {
        Error::malformed(field, value, rule)
    }

    /// Returns the error's number, stable in every language.
    #[must_use]
    pub const fn code(&self) -> u16 {
        match self {
            Error::OutOfRange { .. } => 1,
            Error::NotWholeMilliseconds { .. } => 2,
            Error::BucketTooLarge { .. } => 3,
            Error::SlidingLogTooLong { .. } => 4,
            Error::PolicyCount { .. } => 5,
            Error::PolicySyntax { .. } => 6,
            Error::NotAnInteger { .. } => 7,
            Error::Malformed { .. } => 8,
        }
    }

    /// Returns the word for [`code`](Error::code), stable in every language.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Error::OutOfRange { .. } => "out_of_range",
            Error::NotWholeMilliseconds { .. } => "not_whole_milliseconds",
            Error::BucketTooLarge { .. } => "bucket_too_large",
            Error::SlidingLogTooLong { .. } => "sliding_log_too_long",
            Error::PolicyCount { .. } => "policy_count",
            Error::PolicySyntax { .. } => "policy_syntax",
            Error::NotAnInteger { .. } => "not_an_integer",
            Error::Malformed { .. } => "malformed",
        }
    }

    /// Returns the field that the error speaks of.
    #[must_use]
    pub const fn field(&self) -> Field {
        match self {
            Error::OutOfRange { field, .. }
            | Error::NotWholeMilliseconds { field, .. }
            | Error::NotAnInteger { field, .. }
            | Error::Malformed { field, .. } => *field,
            Error::BucketTooLarge { .. } => Field::Capacity,
            Error::SlidingLogTooLong { .. } => Field::Limit,
            Error::PolicyCount { .. } | Error::PolicySyntax { .. } => Field::Policies,
        }
    }

    /// Returns the byte offset in the text that was parsed; none if the value did not come from text.
    #[must_use]
    pub const fn offset(&self) -> Option<usize> {
        match self {
            Error::OutOfRange { offset, .. }
            | Error::BucketTooLarge { offset, .. }
            | Error::SlidingLogTooLong { offset, .. }
            | Error::PolicyCount { offset, .. } => *offset,
            Error::PolicySyntax { offset, .. } => Some(*offset),
            Error::NotWholeMilliseconds { .. } | Error::NotAnInteger { .. } | Error::Malformed { .. } => None,
        }
    }
}

impl Error {
    /// Writes what the error says, as its `Display` does; to a text in less code than that takes, which a build that is
    /// sent over a network saves.
    ///
    /// # Errors
    /// If the writer fails; a text does not.
    pub fn write_to(&self, f: &mut impl fmt::Write) -> fmt::Result {
        match self {
            Error::OutOfRange { field, value, .. } => write_range(f, "* is *, must be from * to *", *field, value)?,
            Error::NotWholeMilliseconds { field, value_ns } => {
                let value_ns = Decimal::of_wide(*value_ns);
                fill(f, "* is * ns, must be whole milliseconds", &[field.name(), value_ns.as_str()])?;
            }
            Error::BucketTooLarge { capacity, refill_period_ms, .. } => {
                let says = "capacity is * and refill_period_ms *, their product must be at most 4503599627370496";
                fill_numbers(f, says, [*capacity, *refill_period_ms])?;
            }
            Error::SlidingLogTooLong { limit, window_ms, .. } => {
                let says = "limit is * in a sliding window of window_ms *, the smaller of the two must be at most \
                    100000; a token bucket or a fixed window has no such bound";
                fill_numbers(f, says, [*limit, *window_ms])?;
            }
            Error::PolicyCount { count, .. } => {
                // A limiter takes so many: it was the text of a single policy.
                let single = (1..=4).contains(count);
                let says = if single { "policies are *, must be 1" } else { "policies are *, must be from 1 to 4" };
                fill(f, says, &[Decimal::of(*count as u64).as_str()])?;
            }
            Error::PolicySyntax { expected, .. } => fill(f, "policies: expected *", &[expected])?,
            Error::NotAnInteger { field, value } => {
                write_range(f, "* is *, must be an integer from * to *", *field, value)?;
            }
            Error::Malformed { field, value, rule } => {
                fill(f, "* is ", &[field.name()])?;
                write_quoted(f, value)?;
                fill(f, ", must be *", &[rule])?;
            }
        }
        match self.offset() {
            Some(offset) => fill(f, " (at offset *)", &[Decimal::of(offset as u64).as_str()]),
            None => Ok(()),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write_to(f)
    }
}

/// Writes a sentence with words in its gaps; in less code than formatting takes.
#[inline(never)]
fn fill(f: &mut impl fmt::Write, sentence: &str, words: &[&str]) -> fmt::Result {
    let mut words = words.iter();
    // A list of signs: what looks for a single one is quicker, and more.
    for (index, piece) in sentence.split(['*']).enumerate() {
        if index > 0 {
            f.write_str(words.next().copied().unwrap_or_default())?;
        }
        f.write_str(piece)?;
    }
    Ok(())
}

fn fill_numbers(f: &mut impl fmt::Write, sentence: &str, numbers: [u64; 2]) -> fmt::Result {
    let [one, other] = numbers.map(Decimal::of);
    fill(f, sentence, &[one.as_str(), other.as_str()])
}

fn write_range(f: &mut impl fmt::Write, sentence: &str, field: Field, value: &str) -> fmt::Result {
    let (min, max) = (Decimal::of(field.min()), Decimal::of(field.max()));
    fill(f, sentence, &[field.name(), value, min.as_str(), max.as_str()])
}

/// Writes a text in quotes, on one line.
#[cfg(feature = "std")]
fn write_quoted(f: &mut impl fmt::Write, text: &str) -> fmt::Result {
    write!(f, "{text:?}")
}

/// Writes a text in quotes, on one line; without the tables that tell which signs can be seen.
#[cfg(not(feature = "std"))]
fn write_quoted(f: &mut impl fmt::Write, text: &str) -> fmt::Result {
    f.write_str("\"")?;
    for sign in text.chars() {
        match sign {
            '"' | '\\' => f.write_str(if sign == '"' { "\\\"" } else { "\\\\" })?,
            '\n' => f.write_str("\\n")?,
            '\r' => f.write_str("\\r")?,
            '\t' => f.write_str("\\t")?,
            '\0' => f.write_str("\\0")?,
            '\x01'..='\x1f' | '\x7f'..='\u{9f}' => {
                let digit = |half: u32| char::from_digit(half, 16).unwrap_or('0');
                let number = u32::from(sign);
                f.write_str("\\u{")?;
                if number >= 16 {
                    f.write_char(digit(number >> 4))?;
                }
                f.write_char(digit(number & 15))?;
                f.write_str("}")?;
            }
            _ => f.write_char(sign)?,
        }
    }
    f.write_str("\"")
}

impl core::error::Error for Error {}
