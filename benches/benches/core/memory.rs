//! Bytes a key, counted by the allocator: at 16 numbers of keys from half a million to two millions, each with a cap
//! that it just meets and with one of four millions. Governor's stand beside it for one who wonders.

use crate::Outcome;
use crate::keys::Keys;
use crate::peers::{fixed, governor, limiter};
use ratelimit_bench::{Ratio, note, value_at_most};
use stats_alloc::{INSTRUMENTED_SYSTEM, Region};

const FILLS: u32 = 16;
const LEAST: f64 = 500_000.0;

pub(crate) fn run() -> Outcome {
    let mut ratios = Vec::new();
    for (length, worst, mean) in [(40, 110.0, 100.0), (15, 75.0, 70.0)] {
        ratios.extend(bytes(length, worst, mean)?);
    }
    Ok(ratios)
}

fn bytes(length: usize, worst_bound: f64, mean_bound: f64) -> Result<[Ratio; 2], Box<dyn std::error::Error>> {
    let counts: Vec<usize> = (0..FILLS).map(fill).collect();
    let keys = Keys::of(0..*counts.last().unwrap_or(&0) as u64, length);
    let mut all = Vec::new();
    // One limiter grows through all the fills, and one is made for each.
    let roomy = Filled::new(4_000_000, keys)?;
    all.extend(roomy.at(&counts)?);
    for count in &counts {
        all.extend(Filled::new(*count as u64, keys)?.at(&[*count])?);
    }
    let region = Region::new(&INSTRUMENTED_SYSTEM);
    let peer = governor();
    let mut theirs = Vec::new();
    let mut put_in = 0;
    for count in counts {
        (put_in..count).for_each(|at| assert!(peer.check_key(&keys.get(at)).is_ok()));
        put_in = count;
        theirs.push(per_key(&region, count));
    }
    let least = theirs.iter().copied().fold(f64::INFINITY, f64::min);
    note(&format!(
        "governor takes {least:.1} to {:.1} bytes a key, with keys of {length} bytes borrowed",
        greatest(&theirs)
    ));
    #[expect(clippy::cast_precision_loss, reason = "32 of them")]
    let mean = all.iter().sum::<f64>() / all.len() as f64;
    Ok([
        value_at_most(&format!("bytes-a-key-{length}-worst"), worst_bound, greatest(&all)),
        value_at_most(&format!("bytes-a-key-{length}-mean"), mean_bound, mean),
    ])
}

struct Filled {
    limiter: ratelimit_core::Limiter,
    region: Region<'static, std::alloc::System>,
    keys: Keys,
}

impl Filled {
    fn new(max_identities: u64, keys: Keys) -> Result<Filled, ratelimit_core::Error> {
        let region = Region::new(&INSTRUMENTED_SYSTEM);
        Ok(Filled { limiter: limiter(&[fixed()], max_identities)?, region, keys })
    }

    /// Fills it up to each of the counts in turn; returns the bytes a key at each.
    fn at(self, counts: &[usize]) -> Result<Vec<f64>, ratelimit_core::Error> {
        let mut bytes = Vec::with_capacity(counts.len());
        let mut put_in = 0;
        for count in counts {
            for at in put_in..*count {
                assert!(self.limiter.check_at(self.keys.get(at), 0, 1)?.is_allowed());
            }
            put_in = *count;
            bytes.push(per_key(&self.region, *count));
        }
        Ok(bytes)
    }
}

/// Returns the n-th number of keys: each is the same part greater than the one before.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from half a million to two millions")]
fn fill(nth: u32) -> usize {
    (LEAST * 4_f64.powf(f64::from(nth) / f64::from(FILLS - 1))) as usize
}

#[expect(clippy::cast_precision_loss, reason = "bytes here are far below 2^52")]
fn per_key(region: &Region<'_, std::alloc::System>, keys: usize) -> f64 {
    let change = region.change();
    (change.bytes_allocated as f64 - change.bytes_deallocated as f64) / keys as f64
}

fn greatest(values: &[f64]) -> f64 {
    values.iter().copied().fold(0.0, f64::max)
}
