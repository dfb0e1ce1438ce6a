//! The replay: logs in, requests through every limit, outcomes out.

use crate::args::ReplayArgs;
use crate::batch::{Batch, Place};
use crate::decisions::DecisionLog;
use crate::failure::Failure;
use crate::field::Field;
use crate::identity::Identities;
use crate::key::KeySpec;
use crate::log::{Fault, Format, LineReader, Record};
use crate::progress;
use crate::source::{LONGEST_LINE, Line, Source};
use crate::timeline::Timeline;
use crate::trial::{Outcome, Trial};
use std::time::{Duration, Instant};

/// Lines of a log of which at least one must be a request, or it is no log.
const PROBED: u64 = 1000;
/// Bad lines of a log that are kept to be shown.
pub(crate) const SHOWN: usize = 5;

/// Everything that a replay found out.
#[derive(Debug)]
pub(crate) struct Replayed {
    pub(crate) logs: Vec<ReadLog>,
    pub(crate) tally: Tally,
    pub(crate) identities: Identities,
    pub(crate) timeline: Option<Timeline>,
    pub(crate) outcomes: Vec<Outcome>,
    /// The time from the first byte to the last decision.
    pub(crate) spent: Duration,
}

/// One log and what was in it.
#[derive(Debug)]
pub(crate) struct ReadLog {
    pub(crate) source: Source,
    /// The first request's format.
    pub(crate) format: Option<Format>,
    /// Lines, empty ones too.
    pub(crate) lines: u64,
    /// Lines that are no request.
    pub(crate) bad: u64,
    /// The first of them: number and reason.
    pub(crate) first_bad: Vec<(u64, String)>,
}

/// Counts over all logs.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    /// Requests that the limits decided on.
    pub(crate) requests: u64,
    /// Requests without the key.
    pub(crate) keyless: u64,
    /// Requests whose cost is missing or 0.
    pub(crate) costless: u64,
    /// Times of the earliest and the latest request decided on.
    pub(crate) span_ms: Option<(u64, u64)>,
    /// Requests whose time is before that of a request above them.
    pub(crate) backward: u64,
    /// How far before, at most.
    pub(crate) backward_ms: u64,
}

/// Replays logs as the command line asks.
pub(crate) fn replay(args: &ReplayArgs) -> Result<Replayed, Failure> {
    let sources: Vec<Source> = args.logs.iter().map(|path| Source::new(path)).collect();
    keep_apart(args, &sources)?;
    let mut run = Run::new(args)?;
    let began = Instant::now();
    let progress = progress::bar(&sources);
    let mut logs = Vec::new();
    for (index, source) in sources.into_iter().enumerate() {
        let mut log = ReadLog { source, format: None, lines: 0, bad: 0, first_bad: Vec::new() };
        let mut lines = log.source.open(&progress)?;
        while let Some(line) = lines.next().map_err(|error| log.source.failed(error))? {
            run.line(line, index, &mut log)?;
        }
        if log.format.is_none() && log.bad > 0 {
            return Err(log.is_none());
        }
        logs.push(log);
    }
    progress.finish_and_clear();
    run.finish(logs, began)
}

/// Refuses to write over a log, or one output over the other.
fn keep_apart(args: &ReplayArgs, sources: &[Source]) -> Result<(), Failure> {
    let outputs = [("--decisions", &args.decisions), ("--plot", &args.plot)];
    for (option, path) in outputs.into_iter().filter_map(|(option, path)| Some((option, path.as_ref()?))) {
        if let Some(source) = sources.iter().find(|source| source.is_at(path)) {
            return Err(Failure::Usage(format!("{option} would write over a log: {source}")));
        }
    }
    match outputs {
        [(_, Some(decisions)), (_, Some(plot))] if decisions == plot || Source::new(decisions).is_at(plot) => {
            Err(Failure::Usage(format!("--plot would write over --decisions: {}", plot.display())))
        }
        _ => Ok(()),
    }
}

struct Run<'a> {
    keys: &'a KeySpec,
    ipv6_prefix: u8,
    /// Index of the cost among a record's fields.
    cost: Option<usize>,
    reader: LineReader,
    record: Record,
    batch: Batch,
    trials: Vec<Trial>,
    identities: Identities,
    timeline: Option<Timeline>,
    tally: Tally,
}

impl<'a> Run<'a> {
    fn new(args: &'a ReplayArgs) -> Result<Run<'a>, Failure> {
        if args.decisions.is_some() && args.limits.len() > 1 {
            let text = format!("--decisions takes one --limit, there are {}", args.limits.len());
            return Err(Failure::Usage(text));
        }
        let mut fields = args.key.fields().to_vec();
        fields.extend(args.cost.clone().map(Field::Named));
        let trial = |limit: &_| {
            let logged = args.digest || args.decisions.is_some();
            let log = logged.then(|| DecisionLog::new(args.decisions.as_deref())).transpose()?;
            Trial::new(Clone::clone(limit), args.max_identities, log, args.plot.is_some())
        };
        Ok(Run {
            keys: &args.key,
            ipv6_prefix: args.ipv6_prefix,
            cost: args.cost.as_ref().map(|_| args.key.fields().len()),
            reader: LineReader::new(&fields, args.time_field.as_deref()),
            record: Record::default(),
            batch: Batch::default(),
            trials: args.limits.iter().map(trial).collect::<Result<_, _>>()?,
            identities: Identities::default(),
            timeline: args.plot.is_some().then(Timeline::default),
            tally: Tally::default(),
        })
    }

    /// Takes one line of the log at `index`.
    fn line(&mut self, line: Line<'_>, index: usize, log: &mut ReadLog) -> Result<(), Failure> {
        log.lines += 1;
        let place = Place { log: index, line: log.lines };
        let read = match line {
            Line::Bytes(bytes) => {
                let bytes = if log.lines == 1 { bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes) } else { bytes };
                if bytes.trim_ascii().is_empty() {
                    return Ok(());
                }
                self.reader.read(bytes, &mut self.record)
            }
            Line::TooLong => Err(Fault::TooLong(LONGEST_LINE)),
        };
        match read.and_then(|format| self.request(place).map(|()| format)) {
            Ok(format) => log.format = log.format.or(Some(format)),
            Err(fault) => {
                log.bad += 1;
                if log.first_bad.len() < SHOWN {
                    log.first_bad.push((log.lines, fault.to_string()));
                }
                if log.format.is_none() && log.bad >= PROBED {
                    return Err(log.is_none());
                }
            }
        }
        if self.batch.is_full() { self.decide() } else { Ok(()) }
    }

    /// Adds the record that was read to the batch, if it is limited.
    fn request(&mut self, place: Place) -> Result<(), Fault> {
        let cost = match self.cost {
            Some(index) => cost(self.record.value(index))?,
            None => 1,
        };
        if cost == 0 {
            self.tally.costless += 1;
            return Ok(());
        }
        if !self.keys.write(&self.record, self.ipv6_prefix, self.batch.room()) {
            self.tally.keyless += 1;
            return Ok(());
        }
        let time_ms = self.record.time_ms;
        let identity = self.identities.count(self.batch.new_key());
        self.batch.push(identity, time_ms, cost, place);
        self.tally.count(time_ms);
        if let Some(timeline) = &mut self.timeline {
            timeline.count(time_ms);
        }
        Ok(())
    }

    /// Puts the batch to each limit.
    fn decide(&mut self) -> Result<(), Failure> {
        for trial in &mut self.trials {
            trial.run(&self.batch, self.keys, self.identities.len())?;
        }
        self.batch.clear();
        Ok(())
    }

    fn finish(mut self, logs: Vec<ReadLog>, began: Instant) -> Result<Replayed, Failure> {
        self.decide()?;
        if logs.iter().all(|log| log.format.is_none()) {
            let names: Vec<String> = logs.iter().map(|log| log.source.to_string()).collect();
            return Err(Failure::NoLog(format!("{}: no log: there are no lines", names.join(", "))));
        }
        let outcomes = self.trials.into_iter().map(Trial::finish).collect::<Result<_, _>>()?;
        Ok(Replayed {
            logs,
            tally: self.tally,
            identities: self.identities,
            timeline: self.timeline,
            outcomes,
            spent: began.elapsed(),
        })
    }
}

impl ReadLog {
    /// Makes the failure that says that this is no log.
    fn is_none(&self) -> Failure {
        let lines =
            if self.bad == 1 { "its one line is not".to_owned() } else { format!("none of {} lines is", self.bad) };
        let why = self.first_bad.first().map(|(line, reason)| format!("; line {line}: {reason}")).unwrap_or_default();
        Failure::NoLog(format!("{}: no log: {lines} a common, combined or JSON log's{why}", self.source))
    }
}

impl Tally {
    fn count(&mut self, time_ms: u64) {
        self.requests += 1;
        let (from, to) = self.span_ms.unwrap_or((time_ms, time_ms));
        self.backward += u64::from(time_ms < to);
        self.backward_ms = self.backward_ms.max(to.saturating_sub(time_ms));
        self.span_ms = Some((from.min(time_ms), to.max(time_ms)));
    }
}

/// Reads a cost; none is 0.
fn cost(text: Option<&[u8]>) -> Result<u32, Fault> {
    let Some(text) = text else { return Ok(0) };
    let digits = std::str::from_utf8(text).ok().filter(|text| text.bytes().all(|byte| byte.is_ascii_digit()));
    digits.and_then(|digits| digits.parse().ok()).ok_or_else(|| Fault::Cost(crate::text::printable(text)))
}
