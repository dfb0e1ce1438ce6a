//! A time axis: marks at round times, and labels that say no more than is new.

use crate::civil;
use plotters::coord::ranged1d::{KeyPointHint, NoDefaultFormatting, Ranged, ValueFormatter};
use std::ops::Range;

const MINUTE: u64 = 60;
const HOUR: u64 = 60 * MINUTE;
const DAY: u64 = 24 * HOUR;
/// Distances between marks in seconds.
const STEPS: [u64; 23] = [
    1,
    2,
    5,
    10,
    30,
    MINUTE,
    2 * MINUTE,
    5 * MINUTE,
    10 * MINUTE,
    30 * MINUTE,
    HOUR,
    2 * HOUR,
    3 * HOUR,
    6 * HOUR,
    12 * HOUR,
    DAY,
    2 * DAY,
    7 * DAY,
    14 * DAY,
    28 * DAY,
    91 * DAY,
    364 * DAY,
    3640 * DAY,
];
/// Marks that have room, at most.
const MARKS: u64 = 9;

/// Times in Unix seconds, from left to right.
#[derive(Clone, Debug)]
pub(super) struct TimeAxis {
    pub(super) from_s: u64,
    pub(super) to_s: u64,
}

impl TimeAxis {
    fn step(&self) -> u64 {
        let length = self.to_s - self.from_s;
        STEPS.into_iter().find(|step| length / step < MARKS).unwrap_or(length)
    }
}

impl Ranged for TimeAxis {
    type FormatOption = NoDefaultFormatting;
    type ValueType = u64;

    fn map(&self, second: &u64, limit: (i32, i32)) -> i32 {
        let length = i64::from(limit.1) - i64::from(limit.0);
        let whole = i128::from(self.to_s.saturating_sub(self.from_s).max(1));
        let part = i128::from(*second) - i128::from(self.from_s);
        let place = i128::from(limit.0) + part * i128::from(length) / whole;
        i32::try_from(place).unwrap_or(limit.1)
    }

    fn key_points<Hint: KeyPointHint>(&self, _: Hint) -> Vec<u64> {
        let step = self.step().max(1);
        let first = self.from_s.div_ceil(step) * step;
        (0..=MARKS).map(|index| first + index * step).take_while(|&mark| mark <= self.to_s).collect()
    }

    fn range(&self) -> Range<u64> {
        self.from_s..self.to_s
    }
}

impl ValueFormatter<u64> for TimeAxis {
    fn format_ext(&self, second: &u64) -> String {
        let text = civil::text(second * 1000);
        let (date, time) = text.split_once(' ').unwrap_or((&text, ""));
        let step = self.step();
        if second.is_multiple_of(DAY) || step >= DAY {
            date.to_owned()
        } else if step >= MINUTE {
            time[..5].to_owned()
        } else {
            time.to_owned()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use plotters::coord::ranged1d::BoldPoints;

    fn labels(from_s: u64, length_s: u64) -> Vec<String> {
        let axis = TimeAxis { from_s, to_s: from_s + length_s };
        axis.key_points(BoldPoints(10)).iter().map(|mark| axis.format_ext(mark)).collect()
    }

    #[test]
    fn marks_are_round_times_and_few() {
        let monday = 1_709_510_400; // 2024-03-04 00:00 UTC
        assert_eq!(labels(monday + 100, 7000)[..2], ["00:30", "01:00"].map(str::to_owned));
        assert_eq!(labels(monday, DAY)[..3], ["2024-03-04", "03:00", "06:00"].map(str::to_owned));
        assert_eq!(labels(monday + 61, 20)[..2], ["00:01:05", "00:01:10"].map(str::to_owned));
        for length_s in [1, 7, 59, 61, 3600, 5000, 86_400, 200_000, 3_000_000, 90_000_000, 4_000_000_000] {
            let count = labels(monday + 17, length_s).len();
            assert!((1..=9).contains(&count), "{count} marks in {length_s} s");
        }
    }

    #[test]
    fn times_are_mapped_from_end_to_end() {
        let axis = TimeAxis { from_s: 1000, to_s: 3000 };
        assert_eq!([1000, 2000, 3000].map(|second| axis.map(&second, (50, 250))), [50, 150, 250]);
        let instant = TimeAxis { from_s: 5, to_s: 5 };
        assert_eq!(instant.map(&5, (50, 250)), 50);
    }
}
