//! How values are written for people: numbers, lengths of time, and bytes that somebody else chose.

/// Writes a number with commas between thousands.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.char_indices() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Writes a number and what it counts.
pub(crate) fn counted(number: u64, noun: &str) -> String {
    format!("{} {noun}{}", grouped(number), if number == 1 { "" } else { "s" })
}

/// Writes a share of a whole in percent, cut to a tenth: only all of it is 100.0 %.
pub(crate) fn percent(part: u64, whole: u64) -> String {
    let tenths = u128::from(part) * 1000 / u128::from(whole.max(1));
    format!("{}.{} %", tenths / 10, tenths % 10)
}

/// Writes a length of time in its two largest units, cut to the smaller: `1 h 30 min`, `2.5 s`.
pub(crate) fn span(ms: u64) -> String {
    const UNITS: [(u64, &str); 4] = [(86_400_000, "d"), (3_600_000, "h"), (60_000, "min"), (1000, "s")];
    if ms < 1000 {
        return format!("{ms} ms");
    }
    if ms < 60_000 {
        let decimals = format!(".{:03}", ms % 1000);
        return format!("{}{} s", ms / 1000, decimals.trim_end_matches('0').trim_end_matches('.'));
    }
    let largest = UNITS.iter().position(|&(length, _)| ms >= length).unwrap_or(0);
    let (length, unit) = UNITS[largest];
    let whole = format!("{} {unit}", ms / length);
    match UNITS.get(largest + 1).map(|&(length, unit)| (ms % UNITS[largest].0 / length, unit)) {
        None | Some((0, _)) => whole,
        Some((rest, unit)) => format!("{whole} {rest} {unit}"),
    }
}

/// Writes bytes as text on one line that no terminal takes for a command: what is not printable is escaped.
pub(crate) fn printable(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for letter in String::from_utf8_lossy(bytes).chars() {
        if letter.is_control()
            || matches!(letter, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
        {
            text.extend(letter.escape_default());
        } else {
            text.push(letter);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_commas_between_thousands() {
        for (number, text) in [(0, "0"), (999, "999"), (1000, "1,000"), (1_234_567, "1,234,567")] {
            assert_eq!(grouped(number), text);
        }
        assert_eq!([0, 1, 1000].map(|number| counted(number, "line")), ["0 lines", "1 line", "1,000 lines"]);
    }

    #[test]
    fn a_share_is_cut_so_that_nearly_all_is_not_all() {
        for (part, whole, text) in [(0, 0, "0.0 %"), (1, 3, "33.3 %"), (9999, 10_000, "99.9 %"), (7, 7, "100.0 %")] {
            assert_eq!(percent(part, whole), text);
        }
        assert_eq!(percent(u64::MAX, u64::MAX), "100.0 %");
    }

    #[test]
    fn a_span_has_its_two_largest_units() {
        for (ms, text) in [
            (0, "0 ms"),
            (999, "999 ms"),
            (1000, "1 s"),
            (2500, "2.5 s"),
            (59_999, "59.999 s"),
            (60_000, "1 min"),
            (61_500, "1 min 1 s"),
            (3_600_000, "1 h"),
            (5_400_000, "1 h 30 min"),
            (90_000_000, "1 d 1 h"),
            (86_400_000 * 366, "366 d"),
        ] {
            assert_eq!(span(ms), text);
        }
    }

    #[test]
    fn bytes_cannot_command_a_terminal() {
        assert_eq!(printable("a\u{1b}[2J\r\n\té\u{202e}b\u{9b}".as_bytes()), "a\\u{1b}[2J\\r\\n\\té\\u{202e}b\\u{9b}");
        assert_eq!(printable(b"a\xffb"), "a\u{fffd}b");
    }
}
