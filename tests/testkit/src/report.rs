//! What a run of many cases came to.

use std::fmt;

use crate::Way;

/// Counts what ran in each way, names what was left out, and keeps every failure as text.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Vector files read.
    pub files: usize,
    /// Worlds and their steps, in each of [`Way::ALL`].
    pub ways: [(usize, usize); Way::ALL.len()],
    /// Configurations asked for.
    pub configs: usize,
    /// Policy texts read.
    pub texts: usize,
    /// The cases that were left out, each by name with the reason.
    pub left_out: Vec<String>,
    /// What went wrong: file, case, why it is there, way, step, what was expected and what came out.
    pub failures: Vec<String>,
}

impl Report {
    pub(crate) fn ran_world(&mut self, way: Way, steps: usize) {
        let (worlds, all) = &mut self.ways[way as usize];
        *worlds += 1;
        *all += steps;
    }

    pub(crate) fn record(&mut self, place: &str, why: &str, result: Result<(), String>) {
        if let Err(difference) = result {
            self.failures.push(format!("{place}: {why}\n  {difference}"));
        }
    }

    /// Counts the worlds that were run in a way.
    #[must_use]
    pub fn worlds(&self, way: Way) -> usize {
        self.ways[way as usize].0
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} files, {} configurations, {} texts", self.files, self.configs, self.texts)?;
        for way in Way::ALL {
            let (worlds, steps) = self.ways[way as usize];
            writeln!(f, "  {:<16} {worlds:>6} worlds {steps:>8} steps", way.name())?;
        }
        writeln!(f, "{} left out", self.left_out.len())?;
        for case in &self.left_out {
            writeln!(f, "  {case}")?;
        }
        writeln!(f, "{} failures", self.failures.len())?;
        self.failures.iter().try_for_each(|failure| writeln!(f, "{failure}"))
    }
}
