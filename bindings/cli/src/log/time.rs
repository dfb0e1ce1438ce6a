//! Times as logs write them.

use super::Fault;
use crate::civil::Civil;

/// The last time that a limiter takes, in Unix milliseconds.
const LAST_MS: u64 = (1 << 52) - 1;

const NO_COMMON_TIME: Fault = Fault::Rule("time is not like 17/May/2015:10:05:03 +0000, from 1970 on");
const NO_TIME: Fault = Fault::Rule("time is neither RFC 3339 nor a common log's nor a number since 1970");

/// Reads the time of common logs, `17/May/2015:10:05:03 +0000`, and remembers the last: neighbours mostly share it.
#[derive(Debug)]
pub(super) struct CommonTime {
    text: [u8; 26],
    unix_ms: u64,
}

impl CommonTime {
    pub(super) fn new() -> CommonTime {
        CommonTime { text: *b"01/Jan/1970:00:00:00 +0000", unix_ms: 0 }
    }

    /// Reads a time that is the whole of `text`.
    pub(super) fn read(&mut self, text: &[u8]) -> Result<u64, Fault> {
        if text == self.text {
            return Ok(self.unix_ms);
        }
        let text: [u8; 26] = text.try_into().map_err(|_| NO_COMMON_TIME)?;
        self.unix_ms = common(&text).ok_or(NO_COMMON_TIME)?;
        self.text = text;
        Ok(self.unix_ms)
    }
}

fn common(text: &[u8; 26]) -> Option<u64> {
    const MONTHS: &[u8; 36] = b"janfebmaraprmayjunjulaugsepoctnovdec";
    let signs = [(2, b'/'), (6, b'/'), (11, b':'), (14, b':'), (17, b':'), (20, b' ')];
    if signs.iter().any(|&(at, sign)| text[at] != sign) {
        return None;
    }
    let name = text[3..6].to_ascii_lowercase();
    let month = (1..).zip(MONTHS.chunks(3)).find(|(_, month)| *month == name)?.0;
    Civil {
        year: number(&text[7..11])?,
        month,
        day: number(&text[..2])?,
        hour: number(&text[12..14])?,
        minute: number(&text[15..17])?,
        second: number(&text[18..20])?,
        ms: 0,
        zone: zone(&text[21..])?,
    }
    .unix_ms()
    .filter(|&ms| ms <= LAST_MS)
}

/// Reads a time of a JSON log: RFC 3339, a common log's, or a number since 1970.
pub(super) fn any(text: &[u8]) -> Result<u64, Fault> {
    let read = match text {
        [b'0'..=b'9', b'0'..=b'9', b'/', ..] => text.try_into().ok().and_then(common),
        [_, _, _, _, b'-', ..] => rfc3339(text),
        _ => since_1970(text),
    };
    read.filter(|&ms| ms <= LAST_MS).ok_or(NO_TIME)
}

/// Reads `2015-05-17T10:05:03.5+02:00`: `T` or a space, any number of decimals (cut to milliseconds), no zone for UTC.
fn rfc3339(text: &[u8]) -> Option<u64> {
    let (date, rest) = text.split_at_checked(19)?;
    if date[4] != b'-' || date[7] != b'-' || !b"Tt ".contains(&date[10]) || date[13] != b':' || date[16] != b':' {
        return None;
    }
    let (ms, rest) = match rest {
        [b'.' | b',', rest @ ..] => {
            let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
            (thousandths(&rest[..digits])?, &rest[digits..])
        }
        _ => (0, rest),
    };
    Civil {
        year: number(&date[..4])?,
        month: number(&date[5..7])?,
        day: number(&date[8..10])?,
        hour: number(&date[11..13])?,
        minute: number(&date[14..16])?,
        second: number(&date[17..])?,
        ms,
        zone: zone(rest)?,
    }
    .unix_ms()
}

/// Reads a number since 1970 with at most one point. Its size tells the unit: seconds have up to 11 digits (until the
/// year 5138), milliseconds up to 14, microseconds up to 17, nanoseconds more.
fn since_1970(text: &[u8]) -> Option<u64> {
    let point = memchr::memchr(b'.', text).unwrap_or(text.len());
    let whole = digits(&text[..point])?;
    let ms = if point == text.len() { 0 } else { thousandths(&text[point + 1..])? };
    match whole {
        0..100_000_000_000 => Some(whole * 1000 + u64::from(ms)),
        100_000_000_000..100_000_000_000_000 => Some(whole),
        100_000_000_000_000..100_000_000_000_000_000 => Some(whole / 1000),
        _ => Some(whole / 1_000_000),
    }
}

/// Reads a zone: nothing, `Z`, `+02:00`, `+0200` or `+02`; minutes ahead of UTC.
fn zone(text: &[u8]) -> Option<i32> {
    let (sign, hours, minutes) = match text {
        [] | [b'Z' | b'z'] => return Some(0),
        [sign, h1, h2] => (sign, [*h1, *h2], *b"00"),
        [sign, h1, h2, m1, m2] | [sign, h1, h2, b':', m1, m2] => (sign, [*h1, *h2], [*m1, *m2]),
        _ => return None,
    };
    let (hours, minutes) = (number(&hours)?, number(&minutes)?);
    let ahead = i32::try_from(hours * 60 + minutes).ok().filter(|_| minutes < 60)?;
    match sign {
        b'+' => Some(ahead),
        b'-' => Some(-ahead),
        _ => None,
    }
}

/// Reads decimals as thousandths and cuts what is finer; at least one digit.
fn thousandths(decimals: &[u8]) -> Option<u32> {
    if decimals.is_empty() || !decimals.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let place = |at: usize| decimals.get(at).map_or(0, |digit| u32::from(digit - b'0'));
    Some(place(0) * 100 + place(1) * 10 + place(2))
}

/// Reads a few digits.
fn number(text: &[u8]) -> Option<u32> {
    digits(text).and_then(|value| value.try_into().ok())
}

/// Reads digits and nothing else.
fn digits(text: &[u8]) -> Option<u64> {
    if text.is_empty() {
        return None;
    }
    text.iter().try_fold(0_u64, |value, byte| {
        let digit = u64::from(byte.wrapping_sub(b'0'));
        if digit > 9 { None } else { value.checked_mul(10)?.checked_add(digit) }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOON: u64 = 1_431_857_103_000; // 2015-05-17 10:05:03 UTC

    #[test]
    fn a_common_time_is_read_in_its_zone() {
        let mut time = CommonTime::new();
        for (text, ms) in [
            ("17/May/2015:10:05:03 +0000", NOON),
            ("17/May/2015:12:05:03 +0200", NOON),
            ("17/May/2015:04:35:03 -0530", NOON),
            ("17/may/2015:10:05:04 +0000", NOON + 1000),
            ("01/Jan/1970:00:00:00 +0000", 0),
            ("31/Dec/9999:23:59:59 +0000", 253_402_300_799_000),
        ] {
            assert_eq!(time.read(text.as_bytes()).ok(), Some(ms), "{text}");
            assert_eq!(time.read(text.as_bytes()).ok(), Some(ms), "{text}, remembered");
        }
    }

    #[test]
    fn what_is_no_common_time_is_refused_and_not_remembered() {
        let mut time = CommonTime::new();
        for text in [
            "",
            "17/May/2015:10:05:03",
            "17/May/2015:10:05:03 +00000",
            "17/Mai/2015:10:05:03 +0000",
            "32/May/2015:10:05:03 +0000",
            "17/May/2015:25:05:03 +0000",
            "17/May/2015 10:05:03 +0000",
            "1x/May/2015:10:05:03 +0000",
            "17/May/1969:10:05:03 +0000",
            "17/May/2015:10:05:03 *0000",
            "17/May/2015:10:05:03 +0060",
        ] {
            assert!(time.read(text.as_bytes()).is_err(), "{text}");
            assert!(time.read(text.as_bytes()).is_err(), "{text}, again");
        }
        assert_eq!(time.read(b"17/May/2015:10:05:03 +0000").ok(), Some(NOON));
    }

    #[test]
    fn a_json_time_is_read_in_each_of_its_forms() {
        for (text, ms) in [
            ("2015-05-17T10:05:03Z", NOON),
            ("2015-05-17 10:05:03", NOON),
            ("2015-05-17t10:05:03.000z", NOON),
            ("2015-05-17T12:05:03.5+02:00", NOON + 500),
            ("2015-05-17T12:05:03,123456789+0200", NOON + 123),
            ("2015-05-17T09:05:03-01", NOON),
            ("17/May/2015:10:05:03 +0000", NOON),
            ("1431857103", NOON),
            ("1431857103.25", NOON + 250),
            ("1431857103.9999", NOON + 999),
            ("1431857103250", NOON + 250),
            ("1431857103250999", NOON + 250),
            ("1431857103250999999", NOON + 250),
            ("0", 0),
        ] {
            assert_eq!(any(text.as_bytes()).ok(), Some(ms), "{text}");
        }
    }

    #[test]
    fn what_is_no_time_is_refused() {
        for text in [
            "",
            "-1",
            "1e9",
            ".5",
            "1431857103.",
            "1431857103.5.5",
            "2015-05-17",
            "2015-05-17T10:05",
            "2015-05-17T10:05:03.Z",
            "2015-05-17T10:05:03 UTC",
            "2015-13-17T10:05:03Z",
            "1969-12-31T23:59:59Z",
            "99999999999999999999999",
            "yesterday",
            "2015",
        ] {
            let read = any(text.as_bytes()).ok();
            if text == "2015" {
                assert_eq!(read, Some(2_015_000), "a bare number is seconds");
            } else {
                assert_eq!(read, None, "{text}");
            }
        }
    }
}
