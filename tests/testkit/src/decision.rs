//! What a limiter answers: decisions, counts, and failures.

use serde::Deserialize;

/// Says how a call was decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, reason = "the words are the contract's own")]
pub enum Kind {
    Allowed,
    Denied,
    Saturated,
    ExceedsLimit,
}

/// Holds every field of one answer to check or peek.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs, reason = "the words are the contract's own")]
pub struct Decision {
    pub kind: Kind,
    pub policy: u64,
    pub limit: u64,
    pub remaining: u64,
    pub cost: u64,
    pub reset_after_ms: u64,
    pub retry_after_ms: Option<u64>,
    pub at_ms: u64,
}

/// Counts final decisions by kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs, reason = "the words are the contract's own")]
pub struct Stats {
    pub allowed: u64,
    pub denied: u64,
    pub saturated: u64,
    pub exceeds_limit: u64,
}

/// Says which rule a call, a configuration or a text broke, in the words that all languages share.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Failure {
    /// The error's number.
    pub code: u64,
    /// The error's name.
    pub name: String,
    /// The field that broke the rule.
    pub field: String,
    /// The byte at which a policy text is wrong; none for anything else.
    #[serde(default)]
    pub offset: Option<u64>,
}
