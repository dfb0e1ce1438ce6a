//! Days and Unix milliseconds: the calendar that every time format is read and written by.

const MS_A_DAY: u64 = 86_400_000;
/// Days from 0000-03-01 to 1970-01-01.
const DAYS_TO_EPOCH: u64 = 719_468;

/// A date and a time of day as a log writes it, with the zone it is in.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Civil {
    pub(crate) year: u32,
    /// 1 to 12.
    pub(crate) month: u32,
    /// 1 to the month's last.
    pub(crate) day: u32,
    pub(crate) hour: u32,
    pub(crate) minute: u32,
    /// 0 to 60: a leap second is the next minute's first.
    pub(crate) second: u32,
    pub(crate) ms: u32,
    /// Minutes that the zone is ahead of UTC.
    pub(crate) zone: i32,
}

impl Civil {
    /// Returns the time in Unix milliseconds; none if a part is out of its range or the time is before 1970.
    pub(crate) fn unix_ms(self) -> Option<u64> {
        let leap = self.year.is_multiple_of(4) && (!self.year.is_multiple_of(100) || self.year.is_multiple_of(400));
        let last = match self.month {
            2 => 28 + u32::from(leap),
            4 | 6 | 9 | 11 => 30,
            1..=12 => 31,
            _ => return None,
        };
        let fits = (1..=last).contains(&self.day) && self.hour < 24 && self.minute < 60 && self.second <= 60;
        if !fits || self.ms > 999 || self.zone.unsigned_abs() >= 24 * 60 {
            return None;
        }
        // Years begin in March, so that the leap day is a year's last.
        let (year, month) =
            if self.month > 2 { (self.year, self.month - 3) } else { (self.year.checked_sub(1)?, self.month + 9) };
        let year = u64::from(year);
        let days = year * 365 + year / 4 - year / 100 + year / 400 + u64::from((153 * month + 2) / 5 + self.day - 1);
        let minutes = i64::try_from(days).ok()? * 1440 + i64::from(self.hour * 60 + self.minute) - i64::from(self.zone);
        let seconds = (minutes - i64::try_from(DAYS_TO_EPOCH).ok()? * 1440) * 60 + i64::from(self.second);
        Some(u64::try_from(seconds).ok()? * 1000 + u64::from(self.ms))
    }
}

/// Writes a Unix time as `2015-05-17 10:05:03`, in UTC, to the second.
pub(crate) fn text(unix_ms: u64) -> String {
    let days = unix_ms / MS_A_DAY + DAYS_TO_EPOCH;
    let second = unix_ms % MS_A_DAY / 1000;
    // 400 years have 146 097 days; inside them, only the last day of every fourth year but three is a leap day.
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let march = (5 * day + 2) / 153;
    let month = if march < 10 { march + 3 } else { march - 9 };
    let year = era * 400 + year + u64::from(month <= 2);
    let day = day - (153 * march + 2) / 5 + 1;
    format!("{year:04}-{month:02}-{day:02} {:02}:{:02}:{:02}", second / 3600, second / 60 % 60, second % 60)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn at(year: u32, month: u32, day: u32) -> Civil {
        Civil { year, month, day, hour: 0, minute: 0, second: 0, ms: 0, zone: 0 }
    }

    #[test]
    fn the_epoch_is_zero_and_nothing_comes_before_it() {
        assert_eq!(at(1970, 1, 1).unix_ms(), Some(0));
        assert_eq!(Civil { zone: 1, ..at(1970, 1, 1) }.unix_ms(), None);
        assert_eq!(Civil { zone: -1, ..at(1970, 1, 1) }.unix_ms(), Some(60_000));
        assert_eq!(at(0, 1, 1).unix_ms(), None);
    }

    #[test]
    fn a_day_that_the_month_does_not_have_is_no_time() {
        for (year, month, day) in
            [(2023, 2, 29), (1900, 2, 29), (2024, 4, 31), (2024, 13, 1), (2024, 0, 1), (2024, 1, 0)]
        {
            assert_eq!(at(year, month, day).unix_ms(), None, "{year}-{month}-{day}");
        }
        assert!(at(2024, 2, 29).unix_ms().is_some());
        assert!(at(2000, 2, 29).unix_ms().is_some());
        assert_eq!(Civil { hour: 24, ..at(2024, 1, 1) }.unix_ms(), None);
    }

    #[test]
    fn a_leap_second_is_the_next_minutes_first() {
        let leap = Civil { hour: 23, minute: 59, second: 60, ..at(2016, 12, 31) };
        assert_eq!(leap.unix_ms(), at(2017, 1, 1).unix_ms());
    }

    proptest! {
        #[test]
        fn both_ways_agree_with_a_calendar_of_other_authors(second in 0u64..253_402_300_799, zone in -720i32..=720) {
            let unix_ms = second * 1000 + second % 1000;
            let stamp = jiff::Timestamp::from_millisecond(i64::try_from(unix_ms).unwrap()).unwrap();
            prop_assert_eq!(text(unix_ms), stamp.strftime("%Y-%m-%d %H:%M:%S").to_string());
            let local = jiff::tz::Offset::from_seconds(zone * 60).unwrap().to_datetime(stamp);
            let part = |n: i8| u32::try_from(n).unwrap();
            if let Ok(year) = u32::try_from(local.year()) {
                let civil = Civil {
                    year,
                    month: part(local.month()),
                    day: part(local.day()),
                    hour: part(local.hour()),
                    minute: part(local.minute()),
                    second: part(local.second()),
                    ms: u32::try_from(unix_ms % 1000).unwrap(),
                    zone,
                };
                prop_assert_eq!(civil.unix_ms(), Some(unix_ms));
            }
        }
    }
}
