//! One limit on trial: the limiter, and what it did to the requests.

use crate::batch::{Batch, Place};
use crate::decisions::DecisionLog;
use crate::failure::Failure;
use crate::key::KeySpec;
use crate::limit::Limit;
use crate::timeline::Timeline;
use ratelimit_core::{Config, Decision, Kind, Limiter};
use std::time::{Duration, Instant};

/// Refusals that are kept as the first, and as the longest.
const KEPT: usize = 3;

/// A request that was not let through.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Refusal {
    pub(crate) identity: usize,
    pub(crate) time_ms: u64,
    pub(crate) place: Place,
    pub(crate) decision: Decision,
}

/// A limiter over the requests of the logs.
#[derive(Debug)]
pub(crate) struct Trial {
    limit: Limit,
    limiter: Limiter,
    log: Option<DecisionLog>,
    timeline: Option<Timeline>,
    /// Refusals of each identity, by its number.
    refused: Vec<u64>,
    first: Vec<Refusal>,
    longest: Vec<Refusal>,
    peak: u64,
    /// Allowed requests until the rows are counted again.
    until_look: u64,
    spent: Duration,
}

/// What came of a trial.
#[derive(Debug)]
pub(crate) struct Outcome {
    pub(crate) limit: Limit,
    pub(crate) allowed: u64,
    pub(crate) denied: u64,
    pub(crate) saturated: u64,
    pub(crate) exceeds_limit: u64,
    /// Most rows that existed at once, to within a 64th.
    pub(crate) peak: u64,
    /// Refusals of each identity, by its number.
    pub(crate) refused: Vec<u64>,
    /// The first refusals in the order of the logs.
    pub(crate) first: Vec<Refusal>,
    /// The longest waits, the longest first, one for an identity.
    pub(crate) longest: Vec<Refusal>,
    pub(crate) timeline: Option<Timeline>,
    pub(crate) digest: Option<String>,
    /// The time that the decisions took.
    pub(crate) spent: Duration,
}

impl Trial {
    /// Makes a trial; `max_identities` is judged by the core.
    pub(crate) fn new(
        limit: Limit,
        max_identities: u64,
        log: Option<DecisionLog>,
        with_timeline: bool,
    ) -> Result<Trial, Failure> {
        let config = Config::stack(limit.policies.clone()).max_identities(max_identities);
        let limiter = Limiter::from_config(config).map_err(|error| Failure::Usage(error.to_string()))?;
        Ok(Trial {
            limit,
            limiter,
            log,
            timeline: with_timeline.then(Timeline::default),
            refused: Vec::new(),
            first: Vec::new(),
            longest: Vec::new(),
            peak: 0,
            until_look: 1,
            spent: Duration::ZERO,
        })
    }

    /// Puts requests to the limit, in order; there are `identities` by now.
    pub(crate) fn run(&mut self, batch: &Batch, keys: &KeySpec, identities: usize) -> Result<(), Failure> {
        let began = Instant::now();
        self.refused.resize(identities, 0);
        for (bytes, request) in batch.iter() {
            let key = keys.key(bytes);
            let decision = self
                .limiter
                .check_at(key, request.time_ms, u64::from(request.cost))
                .map_err(|error| Failure::Usage(error.to_string()))?;
            if let Some(log) = &mut self.log {
                log.add(key, request.time_ms, &decision)?;
            }
            if decision.is_allowed() {
                self.look();
            } else {
                let (identity, time_ms, place) = (request.identity, request.time_ms, request.place);
                self.note(Refusal { identity, time_ms, place, decision });
            }
        }
        self.spent += began.elapsed();
        Ok(())
    }

    /// Ends the trial.
    pub(crate) fn finish(mut self) -> Result<Outcome, Failure> {
        self.peak = self.peak.max(self.limiter.len());
        let stats = self.limiter.stats();
        Ok(Outcome {
            limit: self.limit,
            allowed: stats.allowed,
            denied: stats.denied,
            saturated: stats.saturated,
            exceeds_limit: stats.exceeds_limit,
            peak: self.peak,
            refused: self.refused,
            first: self.first,
            longest: self.longest,
            timeline: self.timeline,
            digest: self.log.map(DecisionLog::finish).transpose()?,
            spent: self.spent,
        })
    }

    /// Counts the rows now and then. Only an allowed request adds one, so what is missed between two counts is at most
    /// a 64th; and counting them each time would walk them all each time.
    fn look(&mut self) {
        self.until_look -= 1;
        if self.until_look == 0 {
            let rows = self.limiter.len();
            self.peak = self.peak.max(rows);
            self.until_look = rows / 64 + 1;
        }
    }

    fn note(&mut self, refusal: Refusal) {
        self.refused[refusal.identity] += 1;
        if refusal.decision.kind == Kind::Saturated {
            self.peak = self.limiter.max_identities();
        }
        if let Some(timeline) = &mut self.timeline {
            timeline.count(refusal.time_ms);
        }
        if self.first.len() < KEPT {
            self.first.push(refusal);
        }
        self.rank(refusal);
    }

    /// Keeps the longest waits: a longer one takes the place of the same identity's, else of the shortest; of equals
    /// the earlier stays.
    fn rank(&mut self, refusal: Refusal) {
        let wait = |refusal: &Refusal| refusal.decision.retry_after_ms;
        if wait(&refusal).is_none() {
            return;
        }
        if self.longest.len() == KEPT && self.longest.iter().all(|kept| wait(kept) >= wait(&refusal)) {
            return;
        }
        match self.longest.iter().position(|kept| kept.identity == refusal.identity) {
            Some(same) if wait(&self.longest[same]) >= wait(&refusal) => return,
            Some(same) => self.longest[same] = refusal,
            None => self.longest.push(refusal),
        }
        self.longest.sort_by_key(|kept| std::cmp::Reverse(wait(kept)));
        self.longest.truncate(KEPT);
    }
}
