//! Keys of one length, one after the other in memory.

use rand::SeedableRng;
use rand::distr::Distribution;
use rand::rngs::SmallRng;
use rand::seq::SliceRandom;
use rand_distr::Zipf;

const SEED: u64 = 7;

/// Keys in the order of their calls. What is shown is a copy of its own, as a service reads keys from requests: not the
/// memory of the key that a limiter has borrowed.
#[derive(Clone, Copy)]
pub(crate) struct Keys {
    text: &'static str,
    length: usize,
}

impl Keys {
    /// Makes each key from 0 to `count` once, of 40 bytes.
    pub(crate) fn new(count: usize) -> Keys {
        Keys::of(0..count as u64, 40)
    }

    /// Makes each key once, in an order of chance.
    pub(crate) fn shuffled(count: usize) -> Keys {
        let mut numbers: Vec<u64> = (0..count as u64).collect();
        numbers.shuffle(&mut SmallRng::seed_from_u64(SEED));
        Keys::of(numbers.into_iter(), 40)
    }

    /// Draws `calls` keys of `count`, the n-th one as often as 1/n says; which one is the n-th is left to chance.
    pub(crate) fn zipf(count: usize, calls: usize) -> Result<Keys, rand_distr::ZipfError> {
        let mut random = SmallRng::seed_from_u64(SEED);
        let mut numbers: Vec<u64> = (0..count as u64).collect();
        numbers.shuffle(&mut random);
        #[expect(clippy::cast_precision_loss, reason = "counts here are far below 2^52")]
        let ranks = Zipf::new(count as f64, 1.0)?;
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "ranks go from 1 to count")]
        let draw = (0..calls).map(|_| numbers[ranks.sample(&mut random) as usize - 1]);
        Ok(Keys::of(draw, 40))
    }

    /// Makes keys of `length` bytes from numbers.
    pub(crate) fn of(numbers: impl Iterator<Item = u64>, length: usize) -> Keys {
        let prefix = if length < 30 { "u" } else { "tenant-7:user:" };
        let digits = length - prefix.len();
        let text: String = numbers.map(|number| format!("{prefix}{number:0digits$}")).collect();
        Keys { text: text.leak(), length }
    }

    pub(crate) fn len(self) -> usize {
        self.text.len() / self.length
    }

    #[inline]
    pub(crate) fn get(self, at: usize) -> &'static str {
        &self.text[at * self.length..][..self.length]
    }

    #[inline]
    pub(crate) fn each(self, mut run: impl FnMut(&'static str)) {
        for at in 0..self.len() {
            run(self.get(at));
        }
    }
}
