//! On which terms a limiter stands before a server: the names of its policies, what is sent, how it refuses.

use super::refusal::escaped;
use crate::decimal::Decimal;
use crate::decision::Decision;
use crate::error::{Error, Field};
use crate::policy::Policy;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::str::FromStr;

/// Says which fields are sent with a response.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum FieldStyle {
    /// `RateLimit-Policy` and `RateLimit`, as the draft of the IETF has them.
    #[default]
    Standard,
    /// Those, and `X-RateLimit-Limit`, `-Remaining` and `-Reset`, the last in seconds from now.
    Legacy,
    /// None; a refusal still says when to come back.
    Off,
}

/// Reads `standard`, `legacy` or `off`.
impl FromStr for FieldStyle {
    type Err = Error;

    fn from_str(word: &str) -> Result<FieldStyle, Error> {
        match word {
            "standard" => Ok(FieldStyle::Standard),
            "legacy" => Ok(FieldStyle::Legacy),
            "off" => Ok(FieldStyle::Off),
            _ => Err(Error::malformed_text(Field::Fields, word, "standard, legacy or off")),
        }
    }
}

/// Collects the terms of a limiter: plain data, judged by [`Terms::new`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TermsOptions {
    /// The policies' names, printable ASCII, no two alike. None for `default`, or in a stack `default-0`, `default-1` …
    pub names: Vec<String>,
    /// The fields that are sent.
    pub fields: FieldStyle,
    /// What a saturated request is answered with: 429, or 503 for those who want it.
    pub saturated_status: u64,
}

impl Default for TermsOptions {
    fn default() -> TermsOptions {
        TermsOptions { names: Vec::new(), fields: FieldStyle::Standard, saturated_status: 429 }
    }
}

/// Holds the terms on which a limiter is attached: made once, beside it.
#[derive(Clone, Debug)]
pub struct Terms {
    /// Each policy's name in quotes, as both structured fields and JSON write it.
    quoted: Vec<String>,
    /// What its item in `RateLimit` begins with: the name, and `;r=`.
    heads: Vec<String>,
    /// What `RateLimit-Policy` says, which never changes.
    pub(super) policies: String,
    pub(super) style: FieldStyle,
    pub(super) saturated_status: u16,
}

impl Terms {
    /// Judges the terms of a limiter of these policies.
    ///
    /// # Errors
    /// If a policy is out of range; if there are other than no or as many names as policies, or a name is empty, is not
    /// printable ASCII or is there twice; if the status is neither 429 nor 503.
    ///
    /// ```
    /// use ratelimit_core::Limiter;
    /// use ratelimit_core::http::{Terms, TermsOptions};
    ///
    /// let limiter: Limiter = "5/second; 1000/day".parse()?;
    /// let names = vec!["burst".to_owned(), "burst".to_owned()];
    /// let error = Terms::new(limiter.policies(), &TermsOptions { names, ..TermsOptions::default() }).unwrap_err();
    /// assert_eq!(error.to_string(), "names is \"burst\", must be unlike the other names");
    /// # Ok::<(), ratelimit_core::Error>(())
    /// ```
    pub fn new(policies: &[Policy], options: &TermsOptions) -> Result<Terms, Error> {
        if policies.is_empty() {
            return Err(Error::PolicyCount { count: 0, offset: None });
        }
        let quoted = quoted_names(&options.names, policies.len())?;
        let mut items = String::new();
        for (policy, name) in policies.iter().zip(&quoted) {
            let separator = if items.is_empty() { "" } else { ", " };
            let [quota, window_seconds] = quota(policy)?;
            let [quota, window_seconds] = [quota, window_seconds].map(Decimal::of);
            for part in [separator, name, ";q=", quota.as_str(), ";w=", window_seconds.as_str()] {
                items.push_str(part);
            }
        }
        let saturated_status = match options.saturated_status {
            429 => 429,
            503 => 503,
            other => {
                return Err(Error::malformed_text(Field::SaturatedStatus, Decimal::of(other).as_str(), "429 or 503"));
            }
        };
        let heads = quoted.iter().map(|name| [name, ";r="].concat()).collect();
        Ok(Terms { quoted, heads, policies: items, style: options.fields, saturated_status })
    }

    /// Returns the name of the policy that a decision speaks of, in its quotes.
    pub(super) fn quoted_name(&self, decision: &Decision) -> &str {
        of_policy(&self.quoted, decision)
    }

    pub(super) fn item_head(&self, decision: &Decision) -> &str {
        of_policy(&self.heads, decision)
    }
}

/// Picks what belongs to the policy that a decision speaks of.
fn of_policy<'a>(texts: &'a [String], decision: &Decision) -> &'a str {
    texts.get(usize::from(decision.policy)).or(texts.first()).map_or("", String::as_str)
}

fn quoted_names(names: &[String], count: usize) -> Result<Vec<String>, Error> {
    if names.is_empty() {
        return Ok(match count {
            1 => Vec::from(["\"default\"".to_string()]),
            _ => (0..count).map(|index| ["\"default-", Decimal::of(index as u64).as_str(), "\""].concat()).collect(),
        });
    }
    if names.len() != count {
        let rule = "as many as there are policies, or none";
        return Err(Error::malformed_text(
            Field::Names,
            &[Decimal::of(names.len() as u64).as_str(), " names"].concat(),
            rule,
        ));
    }
    for (index, name) in names.iter().enumerate() {
        if name.is_empty() || !name.bytes().all(|sign| matches!(sign, b' '..=b'~')) {
            return Err(Error::malformed_text(Field::Names, name, "printable ASCII and not empty"));
        }
        if names[..index].contains(name) {
            return Err(Error::malformed_text(Field::Names, name, "unlike the other names"));
        }
    }
    Ok(names.iter().map(|name| ["\"", &*escaped(name), "\""].concat()).collect())
}

/// Returns how many permits a policy grants, and in how many seconds: its window's, a bucket's from empty to full.
fn quota(policy: &Policy) -> Result<[u64; 2], Error> {
    let [permits, second, third] = policy.numbers()?;
    let window_ms = match policy {
        Policy::FixedWindow { .. } | Policy::SlidingWindow { .. } => second,
        // At most 2^52 before it is divided, and the refill is not 0.
        Policy::TokenBucket { .. } => permits.saturating_mul(third).div_ceil(second.max(1)),
    };
    Ok([permits, window_ms.div_ceil(1000)])
}
