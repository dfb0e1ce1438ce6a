//! Measures a replay of a million lines against `mawk '{n[$1]++}'`, which counts the same lines by their first field.

use ratelimit_bench::{at_most, write};
use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const LINES: u32 = 1_000_000;

fn main() -> Result<(), Box<dyn Error>> {
    let log = generated()?;
    let mut ours = Command::new(env!("CARGO_BIN_EXE_ratelimit"));
    ours.args(["replay", "--limit", "100/minute", "--max-identities", "1000000"]).arg(&log);
    let mut mawk = Command::new("mawk");
    mawk.arg("{n[$1]++}").arg(&log);
    for command in [&mut ours, &mut mawk] {
        command.stdout(Stdio::null());
        run(command)?;
    }
    let ratio = at_most("replay-vs-mawk", 1.0, LINES, || must(&mut ours), || must(&mut mawk));
    write("cli", &[ratio])?;
    Ok(())
}

/// Returns the log of a million lines; it is made once and stays in the target folder.
fn generated() -> Result<PathBuf, Box<dyn Error>> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/generate_log.py");
    let log = Path::new(env!("CARGO_TARGET_TMPDIR")).join("million.log");
    let stale = |log: &Path| Some(log.metadata().ok()?.modified().ok()? < script.metadata().ok()?.modified().ok()?);
    if stale(&log) != Some(false) {
        let lines = LINES.to_string();
        run(Command::new("python3").arg(&script).args(["--lines", &lines]).arg("--output").arg(&log))?;
    }
    Ok(log)
}

fn run(command: &mut Command) -> Result<(), Box<dyn Error>> {
    let status = command.status().map_err(|error| format!("{}: {error}", command.get_program().display()))?;
    if status.success() { Ok(()) } else { Err(format!("{}: {status}", command.get_program().display()).into()) }
}

/// Runs a command that ran before.
fn must(command: &mut Command) {
    assert!(run(command).is_ok(), "a command that ran does not run again");
}
