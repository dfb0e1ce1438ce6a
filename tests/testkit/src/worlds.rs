//! Random worlds, as the generator makes them.

use std::env;
use std::io::{BufRead, BufReader, Error, ErrorKind, Result};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};

use serde::Deserialize;

use crate::World;

/// Hands over random worlds while the generator makes more of them.
#[derive(Debug)]
pub struct Worlds {
    generator: Child,
    lines: BufReader<ChildStdout>,
    line: String,
    summary: Option<Summary>,
}

/// Says what the generator made: the last thing that it says.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Summary {
    /// The seed.
    pub seed: u64,
    /// How many worlds.
    pub worlds: usize,
    /// How many steps they have together.
    pub steps: usize,
    /// How many of the steps are of each kind of decision, algorithm, operation.
    pub counts: serde_json::Map<String, serde_json::Value>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LastLine {
    summary: Summary,
}

impl Worlds {
    /// Starts `generate.py --worlds seed count` by the Python that `$PYTHON` names, else `python3`.
    ///
    /// # Errors
    /// Python cannot be started.
    pub fn stream(seed: u64, count: usize) -> Result<Worlds> {
        let generate = Path::new(env!("CARGO_MANIFEST_DIR")).join("../reference/generate.py");
        let python = env::var_os("PYTHON").unwrap_or_else(|| "python3".into());
        let mut generator = Command::new(&python)
            .arg(&generate)
            .args(["--worlds", &seed.to_string(), &count.to_string()])
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| Error::new(error.kind(), format!("{}: {error}", python.display())))?;
        let output = generator.stdout.take().ok_or_else(|| Error::other("the generator has no output"))?;
        Ok(Worlds { generator, lines: BufReader::with_capacity(1 << 16, output), line: String::new(), summary: None })
    }

    /// Reads the next world, or none after the last.
    ///
    /// # Errors
    /// A line that is no world, or output that ends before its summary.
    pub fn read(&mut self) -> Result<Option<World>> {
        self.line.clear();
        self.lines.read_line(&mut self.line)?;
        if self.line.starts_with("{\"summary\"") {
            let last: LastLine = serde_json::from_str(&self.line)?;
            self.summary = Some(last.summary);
            return Ok(None);
        }
        if self.line.is_empty() {
            return Err(Error::new(ErrorKind::UnexpectedEof, "the generator ended before its summary"));
        }
        Ok(Some(serde_json::from_str(&self.line)?))
    }

    /// Waits for the generator, after its last world, and returns what it made.
    ///
    /// # Errors
    /// The generator failed, which it also does where something happens in too few of the steps, or was not read to
    /// its end.
    pub fn finish(mut self) -> Result<Summary> {
        let status = self.generator.wait()?;
        match self.summary {
            Some(summary) if status.success() => Ok(summary),
            _ => Err(Error::other(format!("the generator failed: {status}"))),
        }
    }
}
