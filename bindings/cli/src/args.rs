//! The command line.

use crate::key::KeySpec;
use crate::limit::Limit;
use clap::{Args, Parser, Subcommand};
use clap_complete::Shell;
use ratelimit_core::DEFAULT_MAX_IDENTITIES;
use std::path::PathBuf;

/// What would this limit have done to my traffic?
#[derive(Debug, Parser)]
#[command(name = "ratelimit", version, arg_required_else_help = true)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Replay(ReplayArgs),
    Explain(ExplainArgs),
    /// Print a script that completes the command's words in a shell
    Completions {
        /// Which shell
        shell: Shell,
    },
    /// Print a manual page
    Man {
        /// The page of this subcommand instead of the command's own
        subcommand: Option<String>,
    },
}

/// Replay access logs against limits and say what these would have done
///
/// Reads common, combined and JSON-lines logs, plain or gzip, whichever each turns out to be. Every limit sees the same
/// requests, in the order of the logs and at the logs' times.
#[derive(Args, Debug)]
pub(crate) struct ReplayArgs {
    /// Access logs, read one after the other; - is standard input
    #[arg(value_name = "LOG", required = true)]
    pub(crate) logs: Vec<PathBuf>,

    /// A limit, such as "100/minute", "sliding 20/10s", "bucket 10 + 1/s", or a stack: "5/s; 1000/day"
    ///
    /// Given several times, the limits are tried side by side.
    #[arg(short, long = "limit", value_name = "LIMIT", required = true)]
    pub(crate) limits: Vec<Limit>,

    /// What requests are counted under: ip, path, user, field:NAME, or several, such as ip,path
    ///
    /// ip:NAME and path:NAME look in a field of that name. A path goes without its query. A line that has no such field
    /// is not limited.
    #[arg(short, long, value_name = "KEY", default_value = "ip")]
    pub(crate) key: KeySpec,

    /// How many bits of an IPv6 address tell clients apart, 32 to 128
    #[arg(long, value_name = "BITS", default_value_t = 64, value_parser = bits)]
    pub(crate) ipv6_prefix: u8,

    /// The field that holds a request's cost, such as bytes; without it each costs 1
    ///
    /// A request whose cost is missing or 0 is not limited.
    #[arg(long, value_name = "FIELD")]
    pub(crate) cost: Option<String>,

    /// The field of a JSON log that holds the time
    #[arg(long, value_name = "FIELD")]
    pub(crate) time_field: Option<String>,

    /// How many identities a limit may track at once
    #[arg(long, value_name = "N", default_value_t = DEFAULT_MAX_IDENTITIES, value_parser = rows)]
    pub(crate) max_identities: u64,

    /// Print the report as JSON
    #[arg(long)]
    pub(crate) json: bool,

    /// Draw requests and refusals over time into this SVG file
    #[arg(long, value_name = "FILE")]
    pub(crate) plot: Option<PathBuf>,

    /// Write each decision to this file, a line of JSON each; takes one limit
    #[arg(long, value_name = "FILE")]
    pub(crate) decisions: Option<PathBuf>,

    /// Print the SHA-256 of the decisions' lines
    #[arg(long)]
    pub(crate) digest: bool,
}

/// Say in words and numbers what a limit means
#[derive(Args, Debug)]
pub(crate) struct ExplainArgs {
    /// A limit, such as "100/minute", or a stack: "5/s; 1000/day"
    #[arg(value_name = "LIMIT")]
    pub(crate) limit: Limit,

    /// How many identities a limiter may track at once
    #[arg(long, value_name = "N", default_value_t = DEFAULT_MAX_IDENTITIES, value_parser = rows)]
    pub(crate) max_identities: u64,

    /// Print the numbers as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

fn bits(text: &str) -> Result<u8, &'static str> {
    let bits = text.parse().ok().filter(|bits| (32..=128).contains(bits));
    bits.ok_or("must be a whole number from 32 to 128")
}

/// Reads what is a number; core says whether it is in range.
fn rows(text: &str) -> Result<u64, &'static str> {
    text.parse().map_err(|_| "must be a whole number from 1 to 4294967295")
}
