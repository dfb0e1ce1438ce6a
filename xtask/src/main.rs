//! Runs the commands of the project that need logic: `cargo xtask tidy` and `cargo xtask surface`.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command line program speaks through its streams")]

mod finding;
mod markdown;
mod rule;
mod rust;
mod surface;
mod tidy;
mod tree;

use std::path::Path;
use std::process::ExitCode;

use tree::Tree;

const USAGE: &str = "usage: cargo xtask COMMAND
  tidy      read the source and name every place that breaks a rule of the house
  surface   compare the public verbs with tests/surface.toml";

fn main() -> ExitCode {
    let command = std::env::args().nth(1).unwrap_or_default();
    // xtask lies directly under the root of the project.
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap_or(Path::new("."));
    let tree = match Tree::load(root) {
        Ok(tree) => tree,
        Err(error) => {
            eprintln!("cannot read the source: {error}");
            return ExitCode::from(2);
        }
    };
    let findings = match command.as_str() {
        "tidy" => tidy::check(&tree),
        "surface" => surface::check(&tree),
        _ => {
            eprintln!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    for finding in &findings {
        println!("{finding}");
    }
    println!("{command}: {} files read, {} findings", tree.files().len(), findings.len());
    if findings.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
