//! Counts over time in a bounded number of slots, whatever time a log spans.

/// Slots at most; a longer time makes them wider.
const MOST: usize = 2048;
/// Widths in seconds, each a multiple of the one before: seconds, minutes, hours, days, four weeks and more.
const WIDTHS: [u64; 15] =
    [1, 5, 15, 60, 300, 900, 3600, 10_800, 43_200, 86_400, 604_800, 2_419_200, 31_449_600, 314_496_000, 3_144_960_000];

/// Counts by time.
#[derive(Clone, Debug, Default)]
pub(crate) struct Timeline {
    /// Index into [`WIDTHS`].
    width: usize,
    /// Number of the first slot, counted from 1970.
    first: u64,
    slots: Vec<u64>,
}

impl Timeline {
    /// Counts one at a time in Unix milliseconds. Times may come in any order.
    pub(crate) fn count(&mut self, unix_ms: u64) {
        let second = unix_ms / 1000;
        let slot = loop {
            let number = second / WIDTHS[self.width];
            if self.reach(number) {
                break number - self.first;
            }
            self.widen();
        };
        if let Some(count) = usize::try_from(slot).ok().and_then(|slot| self.slots.get_mut(slot)) {
            *count += 1;
        }
    }

    /// Returns the slots' width in seconds.
    pub(crate) fn width_s(&self) -> u64 {
        WIDTHS[self.width]
    }

    /// Returns a copy whose slots are at least `width_s` wide.
    pub(crate) fn widened_to(&self, width_s: u64) -> Timeline {
        let mut wider = self.clone();
        while wider.width_s() < width_s && wider.width + 1 < WIDTHS.len() {
            wider.widen();
        }
        wider
    }

    /// Returns a copy with at most `most` slots.
    pub(crate) fn narrowed(&self, most: usize) -> Timeline {
        let mut wider = self.clone();
        while wider.slots.len() > most && wider.width + 1 < WIDTHS.len() {
            wider.widen();
        }
        wider
    }

    /// Returns when the first slot begins, in Unix seconds.
    pub(crate) fn start_s(&self) -> u64 {
        self.first * self.width_s()
    }

    /// Returns the counts, one a slot.
    pub(crate) fn counts(&self) -> &[u64] {
        &self.slots
    }

    /// Returns the count of the slot that begins at that Unix second; 0 outside the slots.
    pub(crate) fn at(&self, start_s: u64) -> u64 {
        let slot = (start_s / self.width_s()).checked_sub(self.first);
        slot.and_then(|slot| usize::try_from(slot).ok()).and_then(|slot| self.slots.get(slot)).copied().unwrap_or(0)
    }

    /// Adds empty slots up to this one, at either end; says whether that was possible.
    fn reach(&mut self, number: u64) -> bool {
        if self.slots.is_empty() {
            self.first = number;
        }
        let before = self.first.saturating_sub(number);
        let behind = number.saturating_sub(self.first).saturating_add(1);
        let length = before + behind.max(self.slots.len() as u64);
        let Some(length) = usize::try_from(length).ok().filter(|&length| length <= MOST) else {
            return self.width + 1 == WIDTHS.len();
        };
        if before > 0 {
            self.slots.splice(0..0, std::iter::repeat_n(0, length - self.slots.len()));
            self.first = number;
        }
        self.slots.resize(length, 0);
        true
    }

    /// Goes to the next width.
    fn widen(&mut self) {
        let factor = WIDTHS[self.width + 1] / WIDTHS[self.width];
        let mut wider = Timeline { width: self.width + 1, first: self.first / factor, slots: Vec::new() };
        for (number, &count) in (self.first..).zip(&self.slots) {
            if number / factor == wider.first + wider.slots.len() as u64 {
                wider.slots.push(0);
            }
            if let Some(last) = wider.slots.last_mut() {
                *last += count;
            }
        }
        *self = wider;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn every_width_is_a_multiple_of_the_one_before() {
        assert!(WIDTHS.windows(2).all(|pair| pair[1].is_multiple_of(pair[0])));
        let last_s = ((1 << 52) - 1) / 1000;
        assert!(last_s / WIDTHS[WIDTHS.len() - 1] < MOST as u64, "the widest slots reach over all times");
    }

    proptest! {
        #[test]
        fn nothing_is_lost_and_each_count_stands_at_its_time(
            times in proptest::collection::vec(prop_oneof![0u64..5_000, 0u64..10_000_000, 0u64..(1 << 52)], 1..60),
            most in 1usize..100,
        ) {
            let mut timeline = Timeline::default();
            for &time in &times {
                timeline.count(time);
            }
            prop_assert!(timeline.counts().len() <= MOST);
            for seen in [timeline.clone(), timeline.narrowed(most), timeline.widened_to(3600)] {
                prop_assert_eq!(seen.counts().iter().sum::<u64>(), times.len() as u64);
                for &time in &times {
                    let slot = time / 1000 / seen.width_s();
                    let here = times.iter().filter(|&&other| other / 1000 / seen.width_s() == slot).count();
                    prop_assert_eq!(seen.at(slot * seen.width_s()), here as u64);
                }
            }
        }
    }
}
