//! The fields of a response.

use super::terms::{FieldStyle, Terms};
use crate::decimal::{self, Decimal};
use crate::decision::{Decision, Kind};
use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

/// The largest Integer of a structured field (RFC 9651): no limiter waits that long, but a decision made by hand may.
const MOST: u64 = 999_999_999_999_999;

/// Is a field of a response: its name in small letters, and its value.
pub type HeaderField<'a> = (&'static str, Cow<'a, str>);

/// Names a limit that a request was held to: on which terms, and what was decided.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'a> {
    terms: &'a Terms,
    decision: &'a Decision,
}

impl<'a> Asked<'a> {
    /// Names a limit that was asked, by the terms of the limiter that decided.
    #[must_use]
    pub const fn new(terms: &'a Terms, decision: &'a Decision) -> Asked<'a> {
        Asked { terms, decision }
    }

    /// Returns the limit's item of `ratelimit`, which is the field's value where this is the one limit; not for a
    /// saturated decision, which has none. It takes as much memory as it has bytes, so that it need not be moved.
    ///
    /// ```
    /// use ratelimit_core::Limiter;
    /// use ratelimit_core::http::{Asked, Terms, TermsOptions};
    ///
    /// let limiter: Limiter = "9/hour".parse()?;
    /// let terms = Terms::new(limiter.policies(), &TermsOptions::default())?;
    /// let decision = limiter.check_at("ada", 0, 1)?;
    /// assert_eq!(Asked::new(&terms, &decision).item(), b"\"default\";r=8;t=3600");
    /// # Ok::<(), ratelimit_core::Error>(())
    /// ```
    #[must_use]
    pub fn item(&self) -> Vec<u8> {
        let mut tail = Tail::new();
        if let Some(wait) = wait_seconds(self.decision) {
            tail.put_number(wait);
            tail.put_mark();
        }
        tail.put_number(self.decision.remaining.into());
        [self.terms.item_head(self.decision).as_bytes(), tail.as_bytes()].concat()
    }
}

/// What is written from its end on, numbers in decimal.
struct Tail {
    signs: [u8; Tail::LONGEST],
    first: usize,
}

impl Tail {
    /// Two numbers of up to 20 digits, and the mark between them.
    const LONGEST: usize = 43;

    const fn new() -> Tail {
        Tail { signs: [0; Tail::LONGEST], first: Tail::LONGEST }
    }

    /// Puts what stands between the two numbers.
    fn put_mark(&mut self) {
        if let Some(place) = self.signs.get_mut(..self.first).and_then(<[u8]>::last_chunk_mut) {
            *place = *b";t=";
            self.first -= place.len();
        }
    }

    /// Puts a number before the others.
    fn put_number(&mut self, number: u64) {
        if let Some(room) = self.signs.get_mut(..self.first) {
            self.first = decimal::put(room, number);
        }
    }

    fn as_bytes(&self) -> &[u8] {
        self.signs.get(self.first..).unwrap_or_default()
    }
}

/// Returns t: whole seconds until more remains, or until the same request succeeds; none if waiting never helps.
pub(super) fn wait_seconds(decision: &Decision) -> Option<u64> {
    let seconds = match decision.kind {
        Kind::Allowed => Some(decision.reset_after_seconds()),
        _ => decision.retry_after_seconds().map(|seconds| seconds.max(1)),
    };
    seconds.map(|seconds| seconds.min(MOST))
}

/// Lists the fields of a response, for the limits that its request was held to, the outermost first; the last alone can
/// have refused.
///
/// `ratelimit-policy` has an item for each policy, `ratelimit` one for each limit (a saturated one has none: nothing is
/// known of its key); the older three, where the terms ask for them, are those of the innermost limit. A refusal adds
/// `retry-after` if waiting helps, and `x-ratelimit-saturated`. Set them in place of what a limit further in has set.
///
/// ```
/// use ratelimit_core::Limiter;
/// use ratelimit_core::http::{Asked, Terms, TermsOptions, fields};
///
/// let limiter: Limiter = "1/hour; 9/day".parse()?;
/// let terms = Terms::new(limiter.policies(), &TermsOptions::default())?;
/// limiter.check_at("ada", 0, 1)?;
/// let refused = limiter.check_at("ada", 1, 1)?;
/// assert_eq!(fields(&[Asked::new(&terms, &refused)]), [
///     ("ratelimit-policy", "\"default-0\";q=1;w=3600, \"default-1\";q=9;w=86400".into()),
///     ("ratelimit", "\"default-0\";r=0;t=3600".into()),
///     ("retry-after", "3600".into()),
/// ]);
/// # Ok::<(), ratelimit_core::Error>(())
/// ```
#[must_use]
pub fn fields<'a>(asked: &[Asked<'a>]) -> Vec<HeaderField<'a>> {
    let mut fields = Vec::with_capacity(4);
    each_field(asked, |name, value| fields.push((name, text(value))));
    fields
}

/// Returns a value as text: all of it is printable ASCII.
fn text(value: Cow<'_, [u8]>) -> Cow<'_, str> {
    match value {
        Cow::Borrowed(value) => Cow::Borrowed(core::str::from_utf8(value).unwrap_or_default()),
        Cow::Owned(value) => Cow::Owned(String::from_utf8(value).unwrap_or_default()),
    }
}

/// Does what [`fields`] does, field by field, for who writes them somewhere at once. Values are printable ASCII.
pub fn each_field<'a>(asked: &[Asked<'a>], mut write: impl FnMut(&'static str, Cow<'a, [u8]>)) {
    let (mut policies, mut items, mut legacy) = (None::<Cow<'a, [u8]>>, Vec::new(), None);
    for limit in asked.iter().filter(|limit| limit.terms.style != FieldStyle::Off) {
        let own = limit.terms.policies.as_bytes();
        policies = Some(match policies {
            None => Cow::Borrowed(own),
            Some(outer) => Cow::Owned([&*outer, own].join(&b", "[..])),
        });
        let is_told = limit.decision.kind != Kind::Saturated;
        if is_told && items.is_empty() {
            items = limit.item();
        } else if is_told {
            items = [&*items, &*limit.item()].join(&b", "[..]);
        }
        if limit.terms.style == FieldStyle::Legacy {
            legacy = is_told.then_some(limit.decision);
        }
    }
    if let Some(policies) = policies {
        write("ratelimit-policy", policies);
    }
    if !items.is_empty() {
        write("ratelimit", Cow::Owned(items));
    }
    if let Some(decision) = legacy {
        write_legacy(decision, &mut write);
    }
    if let Some(last) = asked.last().filter(|last| !last.decision.is_allowed()) {
        write_refusal(last.decision, &mut write);
    }
}

fn number<'a>(number: u64) -> Cow<'a, [u8]> {
    Cow::Owned(Decimal::of(number).as_bytes().to_vec())
}

fn write_legacy<'a>(decision: &Decision, write: &mut impl FnMut(&'static str, Cow<'a, [u8]>)) {
    write("x-ratelimit-limit", number(decision.limit.into()));
    write("x-ratelimit-remaining", number(decision.remaining.into()));
    if let Some(wait) = wait_seconds(decision) {
        write("x-ratelimit-reset", number(wait));
    }
}

fn write_refusal<'a>(decision: &Decision, write: &mut impl FnMut(&'static str, Cow<'a, [u8]>)) {
    if let Some(wait) = wait_seconds(decision) {
        write("retry-after", number(wait));
    }
    if decision.kind == Kind::Saturated {
        write("x-ratelimit-saturated", Cow::Borrowed(b"true".as_slice()));
    }
}

impl Decision {
    /// Lists the fields that a response to this request has, where one limit stands before the server.
    ///
    /// ```
    /// use ratelimit_core::Limiter;
    /// use ratelimit_core::http::{Terms, TermsOptions};
    ///
    /// let limiter: Limiter = "100/minute".parse()?;
    /// let terms = Terms::new(limiter.policies(), &TermsOptions::default())?;
    /// let decision = limiter.check("203.0.113.7");
    /// for (name, value) in decision.headers(&terms) {
    ///     println!("{name}: {value}");
    /// }
    /// # Ok::<(), ratelimit_core::Error>(())
    /// ```
    #[must_use]
    pub fn headers<'a>(&'a self, terms: &'a Terms) -> Vec<HeaderField<'a>> {
        fields(&[Asked::new(terms, self)])
    }
}
