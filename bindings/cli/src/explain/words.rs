//! The explanation in words.

use super::bound::Numbers;
use super::{Explanation, PolicyExplanation};
use crate::text::{counted, grouped, span};
use std::fmt::{self, Display, Formatter};

impl Numbers {
    /// Returns the algorithm's name.
    pub(super) const fn algorithm(self) -> &'static str {
        match self {
            Numbers::Fixed { .. } => "fixed window",
            Numbers::Bucket { .. } => "token bucket",
            Numbers::Sliding { .. } => "sliding window",
        }
    }
}

impl Display for Explanation {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (index, policy) in self.policies.iter().enumerate() {
            if index > 0 {
                writeln!(f)?;
            }
            writeln!(f, "{}", policy.policy)?;
            policy.write(f, self)?;
        }
        if self.policies.len() > 1 {
            self.write_stack(f)?;
        }
        self.write_cost(f)
    }
}

impl Explanation {
    fn write_stack(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(f, "\n{}", self.limit)?;
        writeln!(f, "  A request passes if every policy lets it pass; if one refuses, none is charged.")?;
        line(
            f,
            "burst",
            &format!("{} at once, the smallest of them, also the largest cost", counted(self.burst, "permit")),
        )?;
        if let Some(slowest) = self.slowest.and_then(|slowest| self.policies.get(slowest)) {
            let rate = format!("{} every {}", counted(slowest.sustained, "permit"), unit(slowest.span_ms));
            line(f, "sustained", &format!("{rate}, by \"{}\"", slowest.policy))?;
        }
        for policy in &self.policies {
            if let Some(ms) = policy.used_up_after_ms {
                let text =
                    format!("\"{}\" is used up after about {} of all that the rest lets pass", policy.policy, span(ms));
                line(f, "in a rush", &text)?;
            }
        }
        Ok(())
    }

    fn write_cost(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(f, "\nmemory")?;
        line(f, "for a key", &format!("at worst about {}", bytes(self.bytes_per_identity_at_worst)))?;
        let keys = counted(self.max_identities, "key");
        line(
            f,
            "for all",
            &format!("at worst about {} with {keys}, the most that are tracked", bytes(self.bytes_at_worst)),
        )?;
        let every = span(self.sweep_interval_ms);
        line(f, "idle keys", &format!("are forgotten by a sweep, which falls due every {every}"))
    }
}

impl PolicyExplanation {
    fn write(&self, f: &mut Formatter<'_>, whole: &Explanation) -> fmt::Result {
        let length = unit(self.span_ms);
        writeln!(f, "  {}", self.in_words(&length))?;
        if self.burst == 0 {
            return writeln!(f, "  It admits nothing: every request asks for more than it ever has.");
        }
        line(f, "burst", &format!("{} at once, also the largest cost", counted(self.burst, "permit")))?;
        line(f, "sustained", &format!("{} every {length}{}", counted(self.sustained, "permit"), self.per_second()))?;
        line(f, "worst case", &self.worst_case(&length))?;
        line(f, "empty to full", &self.empty_to_full())?;
        if let Some(other) = self.idle_beside.and_then(|other| whole.policies.get(other)) {
            line(f, "in this stack", &format!("it never refuses: what \"{}\" lets pass, it does too", other.policy))?;
        }
        Ok(())
    }

    fn in_words(&self, length: &str) -> String {
        let count = grouped(self.burst);
        match self.numbers {
            Numbers::Fixed { .. } => {
                format!(
                    "Fixed window: up to {count} in each {length}, counted from 1970 on in UTC; each starts afresh."
                )
            }
            Numbers::Bucket { .. } => format!(
                "Token bucket: holds up to {count} and gains {} every {length}, spread evenly. It starts full.",
                grouped(self.sustained)
            ),
            Numbers::Sliding { .. } => {
                format!("Sliding window: up to {count} in any {length}, wherever it begins, exact to the millisecond.")
            }
        }
    }

    fn worst_case(&self, length: &str) -> String {
        let most = grouped(self.most_in_any_span);
        match self.numbers {
            Numbers::Fixed { .. } if self.span_ms == 1 => format!("{most} in any {length}"),
            Numbers::Fixed { limit, .. } => {
                let limit = grouped(limit);
                format!(
                    "{most} within 2 ms around a boundary: {limit} at a window's end, {limit} at the next one's start"
                )
            }
            Numbers::Bucket { capacity, refill, .. } => {
                format!(
                    "{} at once, and {} more until {} later",
                    grouped(capacity),
                    grouped(refill),
                    span(self.span_ms)
                )
            }
            Numbers::Sliding { .. } => format!("{most} in any {length}: there is no boundary"),
        }
    }

    fn empty_to_full(&self) -> String {
        let time = span(self.empty_to_full_ms);
        match self.numbers {
            Numbers::Fixed { .. } => format!("at the next boundary, at most {time}"),
            Numbers::Bucket { .. } => time,
            Numbers::Sliding { .. } => format!("{time} after the last request that passed"),
        }
    }

    /// Returns the rate once more by the second, where that says something new.
    fn per_second(&self) -> String {
        if self.span_ms == 1000 {
            return String::new();
        }
        let thousandths = u128::from(self.sustained) * 1_000_000 / u128::from(self.span_ms.max(1));
        if thousandths == 0 {
            return String::new();
        }
        let decimals = format!(".{:03}", thousandths % 1000);
        let decimals = decimals.trim_end_matches('0').trim_end_matches('.');
        let whole = u64::try_from(thousandths / 1000).unwrap_or(u64::MAX);
        format!(", about {}{decimals} a second", grouped(whole))
    }
}

/// Names a length of time by its unit if it is one.
fn unit(ms: u64) -> String {
    match ms {
        1 => "millisecond".to_owned(),
        1000 => "second".to_owned(),
        60_000 => "minute".to_owned(),
        3_600_000 => "hour".to_owned(),
        86_400_000 => "day".to_owned(),
        _ => span(ms),
    }
}

fn line(f: &mut Formatter<'_>, name: &str, text: &str) -> fmt::Result {
    writeln!(f, "  {name:15} {text}")
}

/// Writes a size in its largest unit, cut to a tenth.
fn bytes(count: u64) -> String {
    const UNITS: [(u64, &str); 4] = [(1_000_000_000_000, "TB"), (1_000_000_000, "GB"), (1_000_000, "MB"), (1000, "kB")];
    match UNITS.into_iter().find(|&(size, _)| count >= size) {
        Some((size, unit)) => format!("{}.{} {unit}", grouped(count / size), count % size / (size / 10)),
        None => format!("{count} bytes"),
    }
}
