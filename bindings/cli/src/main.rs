//! The `ratelimit` command.

use std::process::ExitCode;

fn main() -> ExitCode {
    ratelimit_cli::run(std::env::args_os()).into()
}
