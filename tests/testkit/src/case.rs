//! The cases of the vectors: worlds, configurations, and policies as text.

use serde::Deserialize;
use serde_json::Value;

use crate::{Failure, Step};

/// Limits one identity by one rule; numbers are as the case has them, also those that no limiter accepts.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(tag = "algorithm", rename_all = "snake_case", deny_unknown_fields)]
#[allow(missing_docs, reason = "the words are the contract's own")]
pub enum Policy {
    FixedWindow { limit: u64, window_ms: u64 },
    TokenBucket { capacity: u64, refill: u64, refill_period_ms: u64 },
    SlidingWindow { limit: u64, window_ms: u64 },
}

/// Runs one limiter through steps, in order.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct World {
    #[serde(rename = "type")]
    kind: String,
    /// What the case is called, once in its file.
    pub name: String,
    /// Why the case is there, to be printed when it fails.
    pub why: String,
    /// The public faults that the case shows, by number.
    #[serde(default)]
    pub fault: Vec<u64>,
    /// The limiter's policies.
    pub policies: Vec<Policy>,
    /// The limiter's cap; none for the default.
    pub max_identities: Option<u64>,
    /// What is asked of it.
    pub steps: Vec<Step>,
}

/// Says whether a limiter is made of a configuration.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs, reason = "as in World")]
pub struct Config {
    #[serde(rename = "type")]
    kind: String,
    pub name: String,
    pub why: String,
    #[serde(default)]
    pub fault: Vec<u64>,
    pub policies: Vec<Policy>,
    pub max_identities: Option<u64>,
    /// Nothing, or the error.
    #[serde(deserialize_with = "accepted")]
    pub expect: Result<(), Failure>,
}

/// Says what a policy text means.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs, reason = "as in World")]
pub struct Text {
    #[serde(rename = "type")]
    kind: String,
    pub name: String,
    pub why: String,
    #[serde(default)]
    pub fault: Vec<u64>,
    pub text: String,
    /// The policies and their one canonical text, or the error.
    #[serde(deserialize_with = "parsed")]
    pub expect: Result<Parsed, Failure>,
}

/// Holds what was read from a policy text.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Parsed {
    /// The policies, in order.
    pub policies: Vec<Policy>,
    /// The text that stands for them.
    pub canonical: String,
}

/// Is one case of a vector file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "each says it itself")]
pub enum Case {
    World(World),
    Config(Config),
    Text(Text),
}

impl Case {
    pub(crate) fn read(case: Value) -> serde_json::Result<Case> {
        match case["type"].as_str() {
            Some("config") => serde_json::from_value(case).map(Case::Config),
            Some("text") => serde_json::from_value(case).map(Case::Text),
            _ => serde_json::from_value(case).map(Case::World),
        }
    }
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Outcome<T> {
    Refused { error: Failure },
    Accepted(T),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Yes {
    #[serde(rename = "accepted")]
    _accepted: bool,
}

fn accepted<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Result<(), Failure>, D::Error> {
    Ok(match Outcome::<Yes>::deserialize(from)? {
        Outcome::Accepted(_) => Ok(()),
        Outcome::Refused { error } => Err(error),
    })
}

fn parsed<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Result<Parsed, Failure>, D::Error> {
    Ok(match Outcome::<Parsed>::deserialize(from)? {
        Outcome::Accepted(parsed) => Ok(parsed),
        Outcome::Refused { error } => Err(error),
    })
}
