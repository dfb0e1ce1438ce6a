//! Runs the commands of the project that need logic: `cargo xtask` says which.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command line program speaks through its streams")]

mod declarations;
mod finding;
mod header;
mod markdown;
mod package;
mod rule;
mod rust;
mod surface;
mod tidy;
mod tree;
mod typescript;

use std::path::Path;
use std::process::ExitCode;

use tree::Tree;

const USAGE: &str = "usage: cargo xtask COMMAND
  tidy             read the source and name every place that breaks a rule of the house
  surface          compare the public verbs with tests/surface.toml
  header           write the C headers from bindings/c
  header --check   compare the C headers with bindings/c";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    // xtask lies directly under the root of the project.
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap_or(Path::new("."));
    let read = || Tree::load(root).map_err(|error| format!("cannot read the source: {error}"));
    let command = arguments.iter().map(String::as_str).collect::<Vec<&str>>().join(" ");
    let findings = match command.as_str() {
        "tidy" => read().map(|tree| tidy::check(&tree)),
        "surface" => read().map(|tree| surface::check(&tree)),
        "header" => header::write(root).map(|()| Vec::new()),
        "header --check" => header::check(root),
        _ => Err(USAGE.to_owned()),
    };
    match findings {
        Ok(findings) => {
            for finding in &findings {
                println!("{finding}");
            }
            println!("{command}: {} findings", findings.len());
            if findings.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}
