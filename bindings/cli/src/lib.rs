//! Runs the `ratelimit` command: what would this limit have done to my traffic?
//!
//! The command reads access logs and replays their requests, at their own times, against limits
//! ([`ratelimit_core`] decides), or says in words what a limit means. [`run`] is all of it.

#![forbid(unsafe_code)]

mod address;
mod args;
mod batch;
mod civil;
mod decisions;
mod explain;
mod failure;
mod field;
mod identity;
mod key;
mod limit;
mod log;
mod plot;
mod progress;
mod replay;
mod report;
mod source;
mod text;
mod timeline;
mod trial;

use args::{Cli, Command, ExplainArgs, ReplayArgs};
use clap::{CommandFactory, Parser};
use explain::Explanation;
use failure::Failure;
use report::Report;
use std::ffi::OsString;
use std::io::{Write, stderr, stdout};

/// Runs the command with these arguments, the first of which is its own name, and returns the exit status.
///
/// 0 is success; 2 that what was asked makes no sense or what was given is no log; 1 any other failure. Results go to
/// standard output, complaints to standard error. If nobody reads the output any more, it ends quietly with 0.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    let outcome = match Cli::try_parse_from(arguments) {
        Ok(cli) => obey(cli.command),
        Err(error) => {
            // Help and version are no errors, and have status 0.
            let status = u8::try_from(error.exit_code()).unwrap_or(2);
            return if error.print().is_ok() { status } else { 1 };
        }
    };
    match outcome {
        Ok(()) => 0,
        Err(failure) if failure.is_broken_pipe() => 0,
        Err(failure) => {
            // Where even this cannot be written, the status still says it.
            let _ = writeln!(stderr(), "error: {failure}");
            failure.status()
        }
    }
}

fn obey(command: Command) -> Result<(), Failure> {
    match command {
        Command::Replay(args) => print(&replayed(&args)?),
        Command::Explain(args) => print(&explained(&args)?),
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Cli::command(), "ratelimit", &mut script);
            print_bytes(&script)
        }
        Command::Man { subcommand } => print_bytes(&manual(subcommand.as_deref())?),
    }
}

/// Replays, draws if asked, and returns the report.
fn replayed(args: &ReplayArgs) -> Result<String, Failure> {
    let replayed = replay::replay(args)?;
    if let Some(path) = &args.plot {
        plot::draw(path, args.key.text(), &replayed)?;
    }
    let report = Report::new(args, &replayed);
    if args.json { report.json().map_err(|error| Failure::output(error.into())) } else { Ok(report.to_string()) }
}

/// Explains a limit.
fn explained(args: &ExplainArgs) -> Result<String, Failure> {
    let explanation = Explanation::new(args)?;
    if args.json {
        explanation.json().map_err(|error| Failure::output(error.into()))
    } else {
        Ok(explanation.to_string())
    }
}

fn manual(subcommand: Option<&str>) -> Result<Vec<u8>, Failure> {
    let mut command = Cli::command();
    command.build();
    let page = match subcommand {
        None => command,
        Some(name) => {
            command.find_subcommand(name).cloned().ok_or_else(|| Failure::Usage(format!("no subcommand \"{name}\"")))?
        }
    };
    let mut text = Vec::new();
    clap_mangen::Man::new(page).render(&mut text).map_err(Failure::output)?;
    Ok(text)
}

fn print(text: &str) -> Result<(), Failure> {
    print_bytes(text.as_bytes())
}

fn print_bytes(text: &[u8]) -> Result<(), Failure> {
    let mut output = stdout().lock();
    output.write_all(text).and_then(|()| output.flush()).map_err(Failure::output)
}
