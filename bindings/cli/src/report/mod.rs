//! The report of a replay: the same figures as a table for people and as JSON for machines.

mod table;

use crate::args::ReplayArgs;
use crate::key;
use crate::key::KeySpec;
use crate::log::Format;
use crate::replay::{ReadLog, Replayed, SHOWN};
use crate::text;
use crate::trial::{Outcome, Refusal};
use serde::{Serialize, Serializer};
use std::cmp::Reverse;
use std::time::Duration;

/// Identities that are listed as the most refused.
const MOST_REFUSED: usize = 5;

/// A replay in figures. Its JSON has the members in this order.
#[derive(Debug, Serialize)]
pub(crate) struct Report {
    logs: Vec<LogReport>,
    key: String,
    cost: Option<String>,
    max_identities: u64,
    /// Requests that each limit decided on.
    requests: u64,
    not_limited: NotLimited,
    identities: usize,
    /// Earliest and latest time among the requests.
    from_ms: Option<u64>,
    to_ms: Option<u64>,
    /// Requests whose time is before that of a request above them.
    backward: u64,
    backward_ms: u64,
    bad_lines: u64,
    first_bad_lines: Vec<BadLine>,
    spent_us: u64,
    requests_per_second: u64,
    limits: Vec<LimitReport>,
}

#[derive(Debug, Serialize)]
struct LogReport {
    name: String,
    format: Option<Format>,
    lines: u64,
    bad_lines: u64,
}

/// Requests that no limit saw, and why.
#[derive(Debug, Serialize)]
struct NotLimited {
    without_key: u64,
    without_cost: u64,
}

#[derive(Debug, Serialize)]
struct BadLine {
    log: String,
    line: u64,
    reason: String,
}

#[derive(Debug, Serialize)]
struct LimitReport {
    limit: String,
    allowed: u64,
    denied: u64,
    saturated: u64,
    exceeds_limit: u64,
    /// Most identities that had a row at once.
    peak_tracked: u64,
    /// Identities with a refusal.
    identities_refused: usize,
    requests_per_second: u64,
    first_refusals: Vec<RefusalReport>,
    longest_waits: Vec<RefusalReport>,
    most_refused: Vec<RefusedKey>,
    #[serde(skip_serializing_if = "Option::is_none")]
    digest: Option<String>,
}

#[derive(Debug, Serialize)]
struct RefusalReport {
    log: String,
    line: u64,
    time_ms: u64,
    key: KeyText,
    kind: &'static str,
    policy: u8,
    retry_after_ms: Option<u64>,
}

#[derive(Debug, Serialize)]
struct RefusedKey {
    key: KeyText,
    refused: u64,
    requests: u64,
}

/// A key for reading: its text, of a list of parts each one's. Bytes that are no UTF-8 are replaced.
#[derive(Debug)]
enum KeyText {
    Plain(Vec<u8>),
    Parts(Vec<Vec<u8>>),
}

impl Report {
    /// Draws up the report of a replay.
    pub(crate) fn new(args: &ReplayArgs, replayed: &Replayed) -> Report {
        let tally = &replayed.tally;
        let first_bad = replayed.logs.iter().flat_map(|log| {
            log.first_bad.iter().map(|(line, reason)| BadLine {
                log: log.source.to_string(),
                line: *line,
                reason: reason.clone(),
            })
        });
        Report {
            logs: replayed.logs.iter().map(LogReport::new).collect(),
            key: args.key.text().to_owned(),
            cost: args.cost.clone(),
            max_identities: args.max_identities,
            requests: tally.requests,
            not_limited: NotLimited { without_key: tally.keyless, without_cost: tally.costless },
            identities: replayed.identities.len(),
            from_ms: tally.span_ms.map(|(from, _)| from),
            to_ms: tally.span_ms.map(|(_, to)| to),
            backward: tally.backward,
            backward_ms: tally.backward_ms,
            bad_lines: replayed.logs.iter().map(|log| log.bad).sum(),
            first_bad_lines: first_bad.take(SHOWN).collect(),
            spent_us: u64::try_from(replayed.spent.as_micros()).unwrap_or(u64::MAX),
            requests_per_second: per_second(tally.requests, replayed.spent),
            limits: replayed.outcomes.iter().map(|outcome| LimitReport::new(outcome, &args.key, replayed)).collect(),
        }
    }

    /// Writes it as JSON, indented.
    pub(crate) fn json(&self) -> serde_json::Result<String> {
        serde_json::to_string_pretty(self).map(|json| json + "\n")
    }
}

impl LogReport {
    fn new(log: &ReadLog) -> LogReport {
        LogReport { name: log.source.to_string(), format: log.format, lines: log.lines, bad_lines: log.bad }
    }
}

impl LimitReport {
    fn new(outcome: &Outcome, keys: &KeySpec, replayed: &Replayed) -> LimitReport {
        let refusals =
            |refusals: &[Refusal]| refusals.iter().map(|refusal| RefusalReport::new(refusal, keys, replayed)).collect();
        let refused = outcome.refused.iter().filter(|&&refused| refused > 0).count();
        LimitReport {
            limit: outcome.limit.to_string(),
            allowed: outcome.allowed,
            denied: outcome.denied,
            saturated: outcome.saturated,
            exceeds_limit: outcome.exceeds_limit,
            peak_tracked: outcome.peak,
            identities_refused: refused,
            requests_per_second: per_second(replayed.tally.requests, outcome.spent),
            first_refusals: refusals(&outcome.first),
            longest_waits: refusals(&outcome.longest),
            most_refused: most_refused(outcome, keys, replayed),
            digest: outcome.digest.clone(),
        }
    }
}

impl RefusalReport {
    fn new(refusal: &Refusal, keys: &KeySpec, replayed: &Replayed) -> RefusalReport {
        RefusalReport {
            log: replayed.logs.get(refusal.place.log).map(|log| log.source.to_string()).unwrap_or_default(),
            line: refusal.place.line,
            time_ms: refusal.time_ms,
            key: KeyText::new(replayed.identities.get(refusal.identity).0, keys),
            kind: refusal.decision.kind.as_str(),
            policy: refusal.decision.policy,
            retry_after_ms: refusal.decision.retry_after_ms,
        }
    }
}

/// Lists the identities with the most refusals; of equal ones the one that came first.
fn most_refused(outcome: &Outcome, keys: &KeySpec, replayed: &Replayed) -> Vec<RefusedKey> {
    let mut ranked: Vec<(usize, u64)> =
        outcome.refused.iter().copied().enumerate().filter(|&(_, refused)| refused > 0).collect();
    ranked.sort_by_key(|&(identity, refused)| (Reverse(refused), identity));
    ranked.truncate(MOST_REFUSED);
    let listed = |(identity, refused)| {
        let (key, requests) = replayed.identities.get(identity);
        RefusedKey { key: KeyText::new(key, keys), refused, requests }
    };
    ranked.into_iter().map(listed).collect()
}

impl KeyText {
    fn new(bytes: &[u8], keys: &KeySpec) -> KeyText {
        if keys.is_parts() {
            KeyText::Parts(key::parts(bytes).into_iter().map(<[u8]>::to_vec).collect())
        } else {
            KeyText::Plain(bytes.to_vec())
        }
    }

    /// Returns it for a terminal.
    fn printable(&self) -> String {
        match self {
            KeyText::Plain(bytes) => text::printable(bytes),
            KeyText::Parts(parts) => parts.iter().map(|part| text::printable(part)).collect::<Vec<_>>().join(", "),
        }
    }
}

impl Serialize for KeyText {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            KeyText::Plain(bytes) => serializer.serialize_str(&String::from_utf8_lossy(bytes)),
            KeyText::Parts(parts) => serializer.collect_seq(parts.iter().map(|part| String::from_utf8_lossy(part))),
        }
    }
}

/// Returns a rate in whole requests a second.
fn per_second(requests: u64, spent: Duration) -> u64 {
    let rate = u128::from(requests) * 1_000_000_000 / spent.as_nanos().max(1);
    u64::try_from(rate).unwrap_or(u64::MAX)
}
