//! The fields of a response.

use super::terms::{FieldStyle, Terms};
use crate::decision::{Decision, Kind};
use alloc::borrow::Cow;
use alloc::format;
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

    fn push_item(&self, items: &mut Vec<u8>) {
        let separator: &[u8] = if items.is_empty() { b"" } else { b", " };
        let head = self.terms.item_head(self.decision).as_bytes();
        let remaining = Digits::of(self.decision.remaining.into());
        let wait = wait_seconds(self.decision).map(Digits::of);
        let (mark, wait): (&[u8], &[u8]) = wait.as_ref().map_or((b"", b""), |wait| (b";t=", wait.as_bytes()));
        let parts = [separator, head, remaining.as_bytes(), mark, wait];
        // As much as it takes and no more: a field's value then needs no memory of its own.
        items.reserve_exact(parts.iter().map(|part| part.len()).sum());
        parts.iter().for_each(|part| items.extend_from_slice(part));
    }
}

/// A number in decimal, written without the machinery of formatting, which takes several times as long.
struct Digits {
    signs: [u8; 20],
    first: usize,
}

impl Digits {
    fn of(mut number: u64) -> Digits {
        let mut digits = Digits { signs: [b'0'; 20], first: 20 };
        for sign in digits.signs.iter_mut().rev() {
            *sign += u8::try_from(number % 10).unwrap_or_default();
            digits.first -= 1;
            number /= 10;
            if number == 0 {
                break;
            }
        }
        digits
    }

    fn as_bytes(&self) -> &[u8] {
        &self.signs[self.first..]
    }
}

/// Returns what was written as text, which it is.
fn text<'a>(written: Vec<u8>) -> Cow<'a, str> {
    Cow::Owned(String::from_utf8(written).unwrap_or_default())
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
    each_field(asked, |name, value| fields.push((name, value)));
    fields
}

/// Does what [`fields`] does, field by field, for who writes them somewhere at once.
pub fn each_field<'a>(asked: &[Asked<'a>], mut write: impl FnMut(&'static str, Cow<'a, str>)) {
    let (mut policies, mut items, mut legacy) = (None, Vec::new(), None);
    for limit in asked.iter().filter(|limit| limit.terms.style != FieldStyle::Off) {
        let own = limit.terms.policies.as_str();
        policies = Some(match policies {
            None => Cow::Borrowed(own),
            Some(outer) => Cow::Owned(format!("{outer}, {own}")),
        });
        let is_told = limit.decision.kind != Kind::Saturated;
        if is_told {
            limit.push_item(&mut items);
        }
        if limit.terms.style == FieldStyle::Legacy {
            legacy = is_told.then_some(limit.decision);
        }
    }
    if let Some(policies) = policies {
        write("ratelimit-policy", policies);
    }
    if !items.is_empty() {
        write("ratelimit", text(items));
    }
    if let Some(decision) = legacy {
        write_legacy(decision, &mut write);
    }
    if let Some(last) = asked.last().filter(|last| !last.decision.is_allowed()) {
        write_refusal(last.decision, &mut write);
    }
}

fn number<'a>(number: u64) -> Cow<'a, str> {
    text(Digits::of(number).as_bytes().to_vec())
}

fn write_legacy<'a>(decision: &Decision, write: &mut impl FnMut(&'static str, Cow<'a, str>)) {
    write("x-ratelimit-limit", number(decision.limit.into()));
    write("x-ratelimit-remaining", number(decision.remaining.into()));
    if let Some(wait) = wait_seconds(decision) {
        write("x-ratelimit-reset", number(wait));
    }
}

fn write_refusal<'a>(decision: &Decision, write: &mut impl FnMut(&'static str, Cow<'a, str>)) {
    if let Some(wait) = wait_seconds(decision) {
        write("retry-after", number(wait));
    }
    if decision.kind == Kind::Saturated {
        write("x-ratelimit-saturated", Cow::Borrowed("true"));
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
