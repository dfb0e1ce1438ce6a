//! The canonical line of a decision, the file of such lines, and their digest; docs/decisions-format.md is exact.

use crate::failure::Failure;
use crate::key;
use ratelimit_core::{Decision, KeyRef};
use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

/// Takes the decisions of one limit in order, to a file, to a digest or both.
#[derive(Debug)]
pub(crate) struct DecisionLog {
    line: String,
    digest: Sha256,
    file: Option<(PathBuf, BufWriter<File>)>,
}

impl DecisionLog {
    /// Starts a log; with a path, in that file, which is written anew.
    pub(crate) fn new(path: Option<&Path>) -> Result<DecisionLog, Failure> {
        let file = path
            .map(|path| Ok((path.to_owned(), BufWriter::new(File::create(path).map_err(Failure::at(path))?))))
            .transpose()?;
        Ok(DecisionLog { line: String::new(), digest: Sha256::new(), file })
    }

    /// Adds the decision on a call that was made at `now_ms`.
    pub(crate) fn add(&mut self, key: KeyRef<'_>, now_ms: u64, decision: &Decision) -> Result<(), Failure> {
        self.line.clear();
        write_line(key, now_ms, decision, &mut self.line);
        self.digest.update(&self.line);
        match &mut self.file {
            Some((path, file)) => file.write_all(self.line.as_bytes()).map_err(Failure::at(path)),
            None => Ok(()),
        }
    }

    /// Ends the log, and returns the digest in hex.
    pub(crate) fn finish(self) -> Result<String, Failure> {
        if let Some((path, mut file)) = self.file {
            file.flush().map_err(Failure::at(&path))?;
        }
        let mut text = String::new();
        write_hex(&self.digest.finalize(), &mut text);
        Ok(text)
    }
}

/// Writes one line with its line feed.
///
/// The line says what a call at `at_ms` is answered. Where the call came earlier, because the log's times went back,
/// that is the same answer but for the waits, which begin at `at_ms`: so whoever makes the lines' calls at `at_ms`, in
/// order, gets each line again.
fn write_line(key: KeyRef<'_>, now_ms: u64, decision: &Decision, line: &mut String) {
    let ahead_ms = decision.at_ms.saturating_sub(now_ms);
    line.push_str("{\"key\":");
    if key.is_parts() {
        line.push('[');
        for (index, part) in key::parts(key.bytes()).into_iter().enumerate() {
            line.push_str(if index == 0 { "\"" } else { ",\"" });
            write_hex(part, line);
            line.push('"');
        }
        line.push(']');
    } else {
        line.push('"');
        write_hex(key.bytes(), line);
        line.push('"');
    }
    write_number(",\"cost\":", u64::from(decision.cost), line);
    write_number(",\"at_ms\":", decision.at_ms, line);
    line.push_str(",\"kind\":\"");
    line.push_str(decision.kind.as_str());
    line.push('"');
    write_number(",\"limit\":", u64::from(decision.limit), line);
    write_number(",\"remaining\":", u64::from(decision.remaining), line);
    write_number(",\"reset_after_ms\":", decision.reset_after_ms.saturating_sub(ahead_ms), line);
    match decision.retry_after_ms {
        Some(wait_ms) => write_number(",\"retry_after_ms\":", wait_ms.saturating_sub(ahead_ms), line),
        None => line.push_str(",\"retry_after_ms\":null"),
    }
    write_number(",\"policy\":", u64::from(decision.policy), line);
    line.push_str("}\n");
}

fn write_number(name: &str, number: u64, line: &mut String) {
    line.push_str(name);
    line.push_str(&number.to_string());
}

fn write_hex(bytes: &[u8], text: &mut String) {
    const DIGITS: [char; 16] = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'];
    for byte in bytes {
        text.push(DIGITS[usize::from(byte >> 4)]);
        text.push(DIGITS[usize::from(byte & 15)]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ratelimit_core::{AsKey, Key, Limiter};

    fn line(key: impl AsKey, now_ms: u64, decision: &Decision) -> String {
        let mut line = String::new();
        write_line(key.as_key(), now_ms, decision, &mut line);
        line
    }

    #[test]
    fn a_line_is_written_to_the_byte() {
        let limiter: Limiter = "2/s; 3/min".parse().unwrap();
        let decision = limiter.check_at("k\u{7f}", 1500, 2).unwrap();
        assert_eq!(
            line("k\u{7f}", 1500, &decision),
            "{\"key\":\"6b7f\",\"cost\":2,\"at_ms\":1500,\"kind\":\"allowed\",\"limit\":2,\"remaining\":0,\
             \"reset_after_ms\":500,\"retry_after_ms\":0,\"policy\":0}\n"
        );
        let decision = limiter.check_at("k", 1500, 3).unwrap();
        assert_eq!(
            line("", 1500, &decision),
            "{\"key\":\"\",\"cost\":3,\"at_ms\":1500,\"kind\":\"exceeds_limit\",\"limit\":2,\"remaining\":0,\
             \"reset_after_ms\":0,\"retry_after_ms\":null,\"policy\":0}\n"
        );
    }

    #[test]
    fn a_list_of_parts_is_a_list() {
        let limiter: Limiter = "1/s".parse().unwrap();
        let decision = limiter.check_at("k", 0, 1).unwrap();
        for (key, text) in
            [(Key::parts(&["ann", ""]), r#"{"key":["616e6e",""],"#), (Key::parts::<&str>(&[]), r#"{"key":[],"#)]
        {
            assert!(line(key, 0, &decision).starts_with(text));
        }
        assert!(line("3:ann", 0, &decision).starts_with(r#"{"key":"333a616e6e","#));
    }

    #[test]
    fn a_call_that_came_early_is_written_as_one_at_the_time_that_was_used() {
        let limiter: Limiter = "2/s; bucket 3/min".parse().unwrap();
        let mirror: Limiter = "2/s; bucket 3/min".parse().unwrap();
        for now_ms in [1900, 1200, 1100, 2000, 1500, 1999, 0, 5000, 4000] {
            let decision = limiter.check_at("k", now_ms, 1).unwrap();
            let again = mirror.check_at("k", decision.at_ms, 1).unwrap();
            assert_eq!(line("k", now_ms, &decision), line("k", decision.at_ms, &again), "at {now_ms}");
        }
    }
}
