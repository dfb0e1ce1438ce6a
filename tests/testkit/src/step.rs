//! The steps of a world: an operation, its arguments, and what must come out.

use serde::Deserialize;

use crate::{Decision, Failure, Key, Kind, Stats};

/// Holds the arguments of a check or a peek.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the words are the contract's own")]
pub struct Call {
    pub key: Key,
    pub cost: u64,
    pub now_ms: u64,
}

/// Names the decision that a refund gives back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Given {
    /// What the subject itself answered at that step of the world.
    Step(usize),
    /// A decision that is written out.
    Decision(Decision),
}

/// Asks one thing of a limiter, with the answer that is expected.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "Written")]
#[allow(missing_docs, reason = "the words are the contract's own")]
pub enum Step {
    Check { call: Call, expect: Result<Decision, Failure> },
    Peek { call: Call, expect: Result<Decision, Failure> },
    Remaining { key: Key, now_ms: u64, expect: Result<u64, Failure> },
    Refund { key: Key, given: Given, now_ms: u64, expect: Result<u64, Failure> },
    Reset { key: Key, expect: bool },
    Sweep { now_ms: u64, expect: Result<u64, Failure> },
    Len { expect: u64 },
    Stats { expect: Stats },
    Clear,
}

/// A step as it stands in the file. Its members are read flat, which is several times faster than trying one form
/// of step after the other, and there are millions of steps.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    op: String,
    key: Option<Key>,
    cost: Option<u64>,
    now_ms: Option<u64>,
    of: Option<usize>,
    decision: Option<Decision>,
    expect: Expect,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Expect {
    error: Option<Failure>,
    kind: Option<Kind>,
    policy: Option<u64>,
    limit: Option<u64>,
    remaining: Option<u64>,
    cost: Option<u64>,
    reset_after_ms: Option<u64>,
    retry_after_ms: Option<u64>,
    at_ms: Option<u64>,
    refunded: Option<u64>,
    had_row: Option<bool>,
    removed: Option<u64>,
    len: Option<u64>,
    stats: Option<Stats>,
}

impl Expect {
    fn decision(&mut self) -> Option<Result<Decision, Failure>> {
        if let Some(error) = self.error.take() {
            return Some(Err(error));
        }
        Some(Ok(Decision {
            kind: self.kind?,
            policy: self.policy?,
            limit: self.limit?,
            remaining: self.remaining?,
            cost: self.cost?,
            reset_after_ms: self.reset_after_ms?,
            retry_after_ms: self.retry_after_ms,
            at_ms: self.at_ms?,
        }))
    }

    fn number(&mut self, number: Option<u64>) -> Option<Result<u64, Failure>> {
        self.error.take().map(Err).or(number.map(Ok))
    }
}

impl TryFrom<Written> for Step {
    type Error = String;

    fn try_from(written: Written) -> Result<Step, String> {
        let op = written.op.clone();
        written.into_step().ok_or_else(|| format!("a step `{op}` lacks a member, or there is no such step"))
    }
}

impl Written {
    fn into_step(mut self) -> Option<Step> {
        let expect = &mut self.expect;
        Some(match self.op.as_str() {
            "check" => Step::Check { expect: expect.decision()?, call: self.call()? },
            "peek" => Step::Peek { expect: expect.decision()?, call: self.call()? },
            "remaining" => {
                Step::Remaining { key: self.key?, now_ms: self.now_ms?, expect: expect.number(expect.remaining)? }
            }
            "refund" => Step::Refund {
                key: self.key?,
                given: self.of.map(Given::Step).or(self.decision.map(Given::Decision))?,
                now_ms: self.now_ms?,
                expect: expect.number(expect.refunded)?,
            },
            "reset" => Step::Reset { key: self.key?, expect: expect.had_row? },
            "sweep" => Step::Sweep { now_ms: self.now_ms?, expect: expect.number(expect.removed)? },
            "len" => Step::Len { expect: expect.len? },
            "stats" => Step::Stats { expect: expect.stats? },
            "clear" => Step::Clear,
            _ => return None,
        })
    }

    fn call(self) -> Option<Call> {
        Some(Call { key: self.key?, cost: self.cost?, now_ms: self.now_ms? })
    }
}
