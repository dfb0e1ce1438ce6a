//! The fields of a response.

use super::terms::{FieldStyle, Terms};
use crate::decision::{Decision, Kind};
use alloc::borrow::Cow;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt::Write;

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

    fn is_shown(&self) -> bool {
        self.terms.style != FieldStyle::Off
    }

    fn write_item(&self, items: &mut String) {
        let separator = if items.is_empty() { "" } else { ", " };
        let (name, remaining) = (self.terms.quoted_name(self.decision), self.decision.remaining);
        // Writing to a string does not fail.
        let _ = match wait_seconds(self.decision) {
            Some(wait) => write!(items, "{separator}{name};r={remaining};t={wait}"),
            None => write!(items, "{separator}{name};r={remaining}"),
        };
    }
}

/// Returns t: whole seconds until more remains, or until the same request succeeds; none if waiting never helps.
pub(super) fn wait_seconds(decision: &Decision) -> Option<u64> {
    match decision.kind {
        Kind::Allowed => Some(decision.reset_after_seconds()),
        _ => decision.retry_after_seconds().map(|seconds| seconds.max(1)),
    }
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
    let mut fields = Vec::with_capacity(8);
    let mut policies: Option<Cow<'a, str>> = None;
    let mut items = String::with_capacity(64);
    let mut legacy = None;
    for limit in asked.iter().filter(|limit| limit.is_shown()) {
        let own = limit.terms.policies.as_str();
        policies = Some(policies.map_or(Cow::Borrowed(own), |outer| Cow::Owned(format!("{outer}, {own}"))));
        if limit.decision.kind != Kind::Saturated {
            limit.write_item(&mut items);
        }
        if limit.terms.style == FieldStyle::Legacy {
            legacy = Some(limit.decision);
        }
    }
    fields.extend(policies.map(|policies| ("ratelimit-policy", policies)));
    if !items.is_empty() {
        fields.push(("ratelimit", Cow::Owned(items)));
    }
    if let Some(decision) = legacy.filter(|decision| decision.kind != Kind::Saturated) {
        push_legacy(&mut fields, decision);
    }
    if let Some(last) = asked.last() {
        push_refusal(&mut fields, last.decision);
    }
    fields
}

fn push_legacy(fields: &mut Vec<HeaderField<'_>>, decision: &Decision) {
    let mut push = |name, number: u64| fields.push((name, Cow::Owned(number.to_string())));
    push("x-ratelimit-limit", decision.limit.into());
    push("x-ratelimit-remaining", decision.remaining.into());
    if let Some(wait) = wait_seconds(decision) {
        push("x-ratelimit-reset", wait);
    }
}

fn push_refusal(fields: &mut Vec<HeaderField<'_>>, decision: &Decision) {
    if decision.is_allowed() {
        return;
    }
    if let Some(wait) = wait_seconds(decision) {
        fields.push(("retry-after", Cow::Owned(wait.to_string())));
    }
    if decision.kind == Kind::Saturated {
        fields.push(("x-ratelimit-saturated", Cow::Borrowed("true")));
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
