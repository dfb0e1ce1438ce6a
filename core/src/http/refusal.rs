//! What a refused request is answered with.

use super::accept::accepts_json;
use super::fields::wait_seconds;
use super::terms::Terms;
use crate::decimal::Decimal;
use crate::decision::{Decision, Kind};
use crate::error::{Error, Field};
use alloc::string::String;
use core::str::FromStr;

/// Holds status, content type and body of a refusal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The status: 429, 503 for saturated where the terms say so, 403 for a missing key.
    pub status: u16,
    /// The body's content type: `application/problem+json`, or plain text for a client that takes no JSON.
    pub content_type: &'static str,
    /// The body.
    pub body: String,
}

/// Says what becomes of a request that has no key.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum OnMissingKey {
    /// It is not limited.
    #[default]
    Allow,
    /// It is refused, with [`Refusal::missing_key`].
    Deny,
}

/// Reads `allow` or `deny`.
impl FromStr for OnMissingKey {
    type Err = Error;

    fn from_str(word: &str) -> Result<OnMissingKey, Error> {
        match word {
            "allow" => Ok(OnMissingKey::Allow),
            "deny" => Ok(OnMissingKey::Deny),
            _ => Err(Error::malformed_text(Field::OnMissingKey, word, "allow or deny")),
        }
    }
}

/// A kind of problem, by the draft's registry.
struct Problem {
    name: &'static str,
    title: &'static str,
}

const QUOTA: Problem =
    Problem { name: "quota-exceeded", title: "Request cannot be satisfied as assigned quota has been exceeded" };
const CAPACITY: Problem = Problem {
    name: "temporary-reduced-capacity",
    title: "Request cannot be satisfied due to temporary server capacity constraints",
};

impl Terms {
    /// Returns what a refused request is answered with, beside its [`fields`](super::fields()); none if it was allowed.
    ///
    /// The body is problem details (RFC 9457) with the name of the policy that refused. `accept` is the lines of the
    /// request's `Accept`: a client that takes no JSON gets the same as plain text.
    ///
    /// ```
    /// use ratelimit_core::Limiter;
    /// use ratelimit_core::http::{Terms, TermsOptions};
    ///
    /// let limiter: Limiter = "0/minute".parse()?;
    /// let terms = Terms::new(limiter.policies(), &TermsOptions::default())?;
    /// let refusal = terms.refusal(&limiter.check("ada"), &[b"text/html"]).ok_or("allowed")?;
    /// assert_eq!((refusal.status, refusal.content_type), (429, "text/plain; charset=utf-8"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn refusal(&self, decision: &Decision, accept: &[&[u8]]) -> Option<Refusal> {
        let quoted = self.quoted_name(decision);
        let again = || match wait_seconds(decision).unwrap_or_default() {
            1 => String::from("Try again in 1 second."),
            seconds => ["Try again in ", Decimal::of(seconds).as_str(), " seconds."].concat(),
        };
        let (status, problem, detail) = match decision.kind {
            Kind::Allowed => return None,
            Kind::Denied => (429, QUOTA, ["Policy ", &*unescaped(quoted), " is used up. ", &*again()].concat()),
            Kind::ExceedsLimit => {
                let name = unescaped(quoted);
                let says = ["The request asks for more than policy ", &name, " ever grants. Waiting does not help."];
                (429, QUOTA, says.concat())
            }
            Kind::Saturated => {
                (self.saturated_status, CAPACITY, ["There is no room for new clients. ", &*again()].concat())
            }
        };
        let Problem { name, title } = problem;
        if !accepts_json(accept) {
            return Some(Refusal::plain(status, &[title, ". ", &*detail].concat()));
        }
        let detail = escaped(&detail);
        Some(Refusal::json(
            status,
            [
                "{\"type\":\"https://iana.org/assignments/http-problem-types#",
                name,
                "\",\"title\":\"",
                title,
                "\",\"status\":",
                Decimal::of(status.into()).as_str(),
                ",\"detail\":\"",
                &*detail,
                "\",\"violated-policies\":[",
                quoted,
                "]}",
            ]
            .concat(),
        ))
    }
}

impl Refusal {
    /// Returns what a request without a key is answered with, where it is not let through.
    #[must_use]
    pub fn missing_key(accept: &[&[u8]]) -> Refusal {
        let detail = "The request has nothing to be limited by.";
        if !accepts_json(accept) {
            return Refusal::plain(403, &["Forbidden. ", detail].concat());
        }
        let head = "{\"type\":\"about:blank\",\"title\":\"Forbidden\",\"status\":403,\"detail\":\"";
        Refusal::json(403, [head, detail, "\"}"].concat())
    }

    fn plain(status: u16, text: &str) -> Refusal {
        Refusal { status, content_type: "text/plain; charset=utf-8", body: [text, "\n"].concat() }
    }

    fn json(status: u16, body: String) -> Refusal {
        Refusal { status, content_type: "application/problem+json", body }
    }
}

/// Puts a backslash before quotes and backslashes; JSON asks for no more where all is printable ASCII.
pub(super) fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for sign in text.chars() {
        if matches!(sign, '\\' | '"') {
            escaped.push('\\');
        }
        escaped.push(sign);
    }
    escaped
}

/// Takes away what [`escaped`] put there.
fn unescaped(text: &str) -> String {
    let mut signs = text.chars();
    let mut plain = String::with_capacity(text.len());
    while let Some(sign) = signs.next() {
        plain.extend(if sign == '\\' { signs.next() } else { Some(sign) });
    }
    plain
}
