//! The progress bar: on a terminal, for logs that take a while.

use crate::source::Source;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Bytes below which a replay is over before a bar could be read.
const WORTH_A_BAR: u64 = 16 << 20;

/// Makes a bar over all bytes of the logs. It hides itself if standard error is no terminal, or there is little to
/// read.
pub(crate) fn bar(sources: &[Source]) -> ProgressBar {
    let size: Option<u64> = sources.iter().map(Source::size).sum();
    if size.is_some_and(|size| size < WORTH_A_BAR) {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::with_draw_target(size, ProgressDrawTarget::stderr_with_hz(10));
    let template = match size {
        Some(_) => "replaying [{bar:32}] {bytes} of {total_bytes}, {eta} to go",
        None => "replaying {spinner} {bytes}, {bytes_per_sec}",
    };
    match ProgressStyle::with_template(template) {
        Ok(style) => bar.with_style(style.progress_chars("=> ")),
        Err(_) => bar,
    }
}
