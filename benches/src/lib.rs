//! Compares two ways of doing a thing: they alternate in the rounds of one run, and only the ratio is told.
//!
//! A time says little on a machine that others use too; the ratio of two times taken side by side says more. Each
//! comparison prints `ratio NAME VALUE BOUND ok|short`, the value being the median of the rounds' ratios, and their
//! spread; [`write()`] puts all of a run into `target/ratios-NAME.json`.

use serde::Serialize;
use std::path::PathBuf;
use std::time::{Duration, Instant};
use std::{env, fs, io};

/// Rounds of a comparison, if `RATELIMIT_BENCH_ROUNDS` does not say otherwise.
const ROUNDS: usize = 7;

/// What a comparison came to.
#[derive(Clone, Debug, Serialize)]
pub struct Ratio {
    /// What was compared.
    pub name: String,
    /// Median of the rounds' ratios, ours to the peer's.
    pub value: f64,
    /// What the ratio should be at most.
    pub bound: f64,
    /// Whether it is.
    pub ok: bool,
    /// Least and greatest ratio of a round.
    pub spread: [f64; 2],
    /// Rounds measured.
    pub rounds: usize,
    /// Median nanoseconds for one operation of ours and of the peer's; good only to see where a ratio comes from.
    pub ns: [f64; 2],
}

/// Compares the times of `ours` and `peer`, each of which does `operations` of them; the ratio should be at most
/// `bound`.
///
/// One round of each goes before and is not counted.
pub fn at_most(name: &str, bound: f64, operations: u32, ours: impl FnMut(), peer: impl FnMut()) -> Ratio {
    let rounds = env::var("RATELIMIT_BENCH_ROUNDS").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(ROUNDS);
    let times = alternate(rounds.max(1), ours, peer);
    let each: Vec<_> = times.iter().map(|round| round.map(|time| time / f64::from(operations))).collect();
    of_rounds(name, bound, &each)
}

/// Compares times that were taken elsewhere: in each round ours and the peer's, in seconds for one operation.
///
/// # Panics
/// If there are no rounds.
#[must_use]
pub fn of_rounds(name: &str, bound: f64, rounds: &[[f64; 2]]) -> Ratio {
    let mut ratios: Vec<f64> = rounds.iter().map(|[ours, peer]| ours / peer).collect();
    let value = median(&mut ratios);
    let ns = [0, 1].map(|side| median(&mut rounds.iter().map(|round| round[side] * 1e9).collect::<Vec<_>>()));
    let spread = [ratios[0], ratios[ratios.len() - 1]];
    let ratio = Ratio { name: name.to_owned(), value, bound, ok: value <= bound, spread, rounds: ratios.len(), ns };
    report(&ratio);
    let [least, greatest] = ratio.spread;
    note(&format!("spread {least:.3} to {greatest:.3} over {} rounds", ratio.rounds));
    note(&format!("about {:.1} ns against {:.1} ns", ratio.ns[0], ratio.ns[1]));
    ratio
}

/// Holds a number that is no time, and so the same in every round, against its bound.
#[must_use]
pub fn value_at_most(name: &str, bound: f64, value: f64) -> Ratio {
    let ratio =
        Ratio { name: name.to_owned(), value, bound, ok: value <= bound, spread: [value; 2], rounds: 1, ns: [0.0; 2] };
    report(&ratio);
    ratio
}

/// Writes a run's ratios to `target/ratios-NAME.json`.
///
/// # Errors
/// If the file cannot be written.
pub fn write(name: &str, ratios: &[Ratio]) -> io::Result<()> {
    let target = env::var_os("CARGO_TARGET_DIR")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../target"), PathBuf::from);
    fs::create_dir_all(&target)?;
    let json = serde_json::to_string_pretty(ratios)?;
    fs::write(target.join(format!("ratios-{name}.json")), json + "\n")
}

fn alternate(rounds: usize, mut ours: impl FnMut(), mut peer: impl FnMut()) -> Vec<[f64; 2]> {
    ours();
    peer();
    let mut times = Vec::with_capacity(rounds);
    for round in 0..rounds {
        let swapped = round % 2 == 1; // Neither is always the one that runs after the other.
        let first = if swapped { time(&mut peer) } else { time(&mut ours) };
        let second = if swapped { time(&mut ours) } else { time(&mut peer) };
        let [ours, peer] = if swapped { [second, first] } else { [first, second] };
        times.push([ours.as_secs_f64(), peer.as_secs_f64()]);
    }
    times
}

fn time(run: &mut impl FnMut()) -> Duration {
    let start = Instant::now();
    run();
    start.elapsed()
}

fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    if values.len() % 2 == 1 { values[middle] } else { (values[middle - 1] + values[middle]) / 2.0 }
}

#[expect(clippy::print_stdout, reason = "this is what a bench is for")]
fn report(ratio: &Ratio) {
    let word = if ratio.ok { "ok" } else { "short" };
    println!("ratio {} {:.3} {:.3} {word}", ratio.name, ratio.value, ratio.bound);
}

/// Prints a line that says more about the ratio above it.
#[expect(clippy::print_stdout, reason = "this is what a bench is for")]
pub fn note(line: &str) {
    println!("  {line}");
}
