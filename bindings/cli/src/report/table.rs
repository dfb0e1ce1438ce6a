//! The report as a table: a row a figure, a column a limit.

use super::{LimitReport, RefusalReport, Report};
use crate::civil;
use crate::log::Format;
use crate::text::{counted, grouped, percent, span};
use std::fmt::{self, Display, Formatter};

/// A row of the table: its name, and a cell for each limit.
struct Row {
    name: &'static str,
    cells: Vec<String>,
}

impl Display for Report {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.write_logs(f)?;
        writeln!(f)?;
        write_rows(f, &self.rows())?;
        for limit in &self.limits {
            self.write_refusals(f, limit)?;
        }
        Ok(())
    }
}

impl Report {
    fn write_logs(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for log in &self.logs {
            let format = log.format.map_or("no requests", Format::as_str);
            writeln!(f, "{}: {format}, {}", log.name, counted(log.lines, "line"))?;
        }
        if let (Some(from_ms), Some(to_ms)) = (self.from_ms, self.to_ms) {
            write!(f, "{} to {} UTC", civil::text(from_ms), civil::text(to_ms))?;
            if self.backward > 0 {
                write!(f, "; {} out of order, by up to {}", grouped(self.backward), span(self.backward_ms))?;
            }
            writeln!(f)?;
        }
        let cost = self.cost.as_ref().map(|field| format!(", cost by {field}")).unwrap_or_default();
        writeln!(
            f,
            "key {}{cost}; replayed in {}.{:02} s, {} requests a second",
            self.key,
            self.spent_us / 1_000_000,
            self.spent_us / 10_000 % 100,
            grouped(self.requests_per_second)
        )?;
        self.write_warnings(f)
    }

    fn write_warnings(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if self.requests == 0 {
            writeln!(f, "no request was limited: is --key or --cost a field that this log has?")?;
        }
        if self.bad_lines > 0 {
            writeln!(f, "{}:", counted(self.bad_lines, "bad line"))?;
            for bad in &self.first_bad_lines {
                writeln!(f, "  {}:{}: {}", bad.log, bad.line, bad.reason)?;
            }
            if self.bad_lines > self.first_bad_lines.len() as u64 {
                writeln!(f, "  ...")?;
            }
        }
        Ok(())
    }

    fn rows(&self) -> Vec<Row> {
        let alike = |value: u64| self.limits.iter().map(|_| grouped(value)).collect();
        let each = |value: fn(&LimitReport) -> u64| self.limits.iter().map(|limit| grouped(value(limit))).collect();
        let share = |value: fn(&LimitReport) -> u64| {
            let cell = |limit| format!("{}  {:>7}", grouped(value(limit)), percent(value(limit), self.requests));
            self.limits.iter().map(cell).collect()
        };
        let row = |name, cells| Row { name, cells };
        let mut rows = vec![
            row("", self.limits.iter().map(|limit| limit.limit.clone()).collect()),
            row("requests", alike(self.requests)),
            row("allowed", share(|limit| limit.allowed)),
            row("denied", share(|limit| limit.denied)),
            row("saturated", share(|limit| limit.saturated)),
        ];
        if self.limits.iter().any(|limit| limit.exceeds_limit > 0) {
            rows.push(row("exceeds limit", share(|limit| limit.exceeds_limit)));
        }
        for (name, count) in [
            ("not limited, no key", self.not_limited.without_key),
            ("not limited, no cost", self.not_limited.without_cost),
        ] {
            if count > 0 {
                rows.push(row(name, alike(count)));
            }
        }
        rows.push(row("identities seen", alike(self.identities as u64)));
        rows.push(row("identities refused", each(|limit| limit.identities_refused as u64)));
        rows.push(row("peak tracked", each(|limit| limit.peak_tracked)));
        rows.push(row("decisions a second", each(|limit| limit.requests_per_second)));
        rows
    }

    fn write_refusals(&self, f: &mut Formatter<'_>, limit: &LimitReport) -> fmt::Result {
        writeln!(f, "\n{}", limit.limit)?;
        if let Some(digest) = &limit.digest {
            writeln!(f, "  decisions' SHA-256: {digest}")?;
        }
        if limit.first_refusals.is_empty() {
            return writeln!(f, "  refuses nothing");
        }
        writeln!(f, "  first refusals")?;
        self.write_list(f, &limit.first_refusals)?;
        if !limit.longest_waits.is_empty() {
            writeln!(f, "  longest waits")?;
            self.write_list(f, &limit.longest_waits)?;
        }
        writeln!(f, "  most refused")?;
        for key in &limit.most_refused {
            writeln!(f, "    {} of {}  {}", grouped(key.refused), grouped(key.requests), key.key.printable())?;
        }
        Ok(())
    }

    fn write_list(&self, f: &mut Formatter<'_>, refusals: &[RefusalReport]) -> fmt::Result {
        for refusal in refusals {
            let log = if self.logs.len() > 1 { format!("{}:", refusal.log) } else { "line ".to_owned() };
            write!(
                f,
                "    {log}{}  {}  {}",
                refusal.line,
                civil::text(refusal.time_ms),
                refusal.kind.replace('_', " ")
            )?;
            match refusal.retry_after_ms {
                Some(wait_ms) => write!(f, ", retry in {}", span(wait_ms))?,
                None => write!(f, ", whenever it is tried")?,
            }
            writeln!(f, "  {}", refusal.key.printable())?;
        }
        Ok(())
    }
}

/// Writes names to the left and each limit's cells to the right of a column of its own.
fn write_rows(f: &mut Formatter<'_>, rows: &[Row]) -> fmt::Result {
    let names = rows.iter().map(|row| row.name.len()).max().unwrap_or(0);
    let columns = rows.first().map_or(0, |row| row.cells.len());
    let width = |column: usize| rows.iter().map(|row| row.cells[column].len()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns).map(width).collect();
    for row in rows {
        write!(f, "{:names$}", row.name)?;
        for (cell, width) in row.cells.iter().zip(&widths) {
            write!(f, "   {cell:>width$}")?;
        }
        writeln!(f)?;
    }
    Ok(())
}
