//! Runs the `ratelimit` command as a user would, and reads what it prints and writes.

#![allow(clippy::unwrap_used, reason = "a test may end its own process, and so may what it calls")]

mod decisions;
mod explain;
mod failures;
mod formats;
mod keys;
mod plot;
mod real_log;
mod report;

use serde_json::Value;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// What a run of the command came to.
struct Run {
    status: i32,
    out: String,
    err: String,
}

/// Runs the command with nothing on its standard input.
fn ratelimit(args: &[&str]) -> Run {
    ratelimit_with(args, b"")
}

/// Runs the command with bytes on its standard input.
fn ratelimit_with(args: &[&str], input: &[u8]) -> Run {
    let mut child = command(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    // From a thread, since the command may print before it has read everything. It may also stop reading early.
    let writer = std::thread::spawn(move || drop(stdin.write_all(&input)));
    let Output { status, stdout, stderr } = child.wait_with_output().unwrap();
    writer.join().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    Run { status: status.code().unwrap(), out: text(stdout), err: text(stderr) }
}

fn command(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ratelimit"));
    command.args(args);
    command
}

impl Run {
    /// Returns what it printed, where it must have succeeded without complaint.
    #[track_caller]
    fn ok(self) -> String {
        assert_eq!((self.status, self.err.as_str()), (0, ""), "{}", self.out);
        self.out
    }

    /// Returns its complaint, where it must have failed with that status and printed nothing else.
    #[track_caller]
    fn failed(self, status: i32) -> String {
        assert_eq!((self.status, self.out.as_str()), (status, ""), "{}", self.err);
        self.err
    }
}

/// Replays with `--json` and returns the report.
#[track_caller]
fn replay(args: &[&str]) -> Value {
    replay_with(args, b"")
}

#[track_caller]
fn replay_with(args: &[&str], input: &[u8]) -> Value {
    let out = ratelimit_with(&[&["replay", "--json"], args].concat(), input).ok();
    serde_json::from_str(&out).unwrap()
}

/// Returns a path for a file of one test, with nothing there.
fn path(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_file(&path);
    path
}

/// Writes a file of one test and returns its path.
fn file(name: &str, bytes: impl AsRef<[u8]>) -> String {
    let path = path(name);
    fs::write(&path, bytes).unwrap();
    path.into_os_string().into_string().unwrap()
}

/// Returns a path below the root of the project.
fn root(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(name).into_os_string().into_string().unwrap()
}

/// Writes a common log's line.
fn common(address: &str, second: u32) -> String {
    let (minute, second) = (second / 60, second % 60);
    format!("{address} - - [17/May/2015:10:{minute:02}:{second:02} +0000] \"GET /a?b HTTP/1.1\" 200 500\n")
}
