//! What a client accepts.

use super::header::trim;

const WANTED: [&[u8]; 2] = [b"application/problem+json", b"application/json"];

/// Says from the lines of `Accept` whether a client takes JSON: the most specific range that fits decides. No `Accept`,
/// or a blank one, takes anything.
pub(super) fn accepts_json(lines: &[&[u8]]) -> bool {
    let ranges = || lines.iter().flat_map(|line| line.split(|sign| *sign == b','));
    if ranges().all(|range| trim(range, b" \t").is_empty()) {
        return true;
    }
    let weighs = |name: &[u8]| ranges().filter_map(|range| weight(range, name)).reduce(|one, other| one || other);
    WANTED.into_iter().any(|wanted| [wanted, b"application/*", b"*/*"].into_iter().find_map(weighs).unwrap_or(false))
}

/// Returns whether a range of this name has a weight above 0; none if it has another name, or a weight that is none.
fn weight(range: &[u8], name: &[u8]) -> Option<bool> {
    let mut parts = range.split(|sign| *sign == b';').map(|part| trim(part, b" \t"));
    if !parts.next()?.eq_ignore_ascii_case(name) {
        return None;
    }
    let mut positive = true;
    for part in parts {
        let end = part.iter().position(|sign| *sign == b'=').unwrap_or(part.len());
        if trim(&part[..end], b" \t").eq_ignore_ascii_case(b"q") {
            positive = is_positive(trim(part.get(end + 1..).unwrap_or_default(), b" \t"))?;
        }
    }
    Some(positive)
}

/// Reads a weight: 0 to 1 with at most three decimals.
fn is_positive(text: &[u8]) -> Option<bool> {
    let (whole, decimals) = match text {
        [whole] => (*whole, &[][..]),
        [whole, b'.', decimals @ ..] if decimals.len() <= 3 => (*whole, decimals),
        _ => return None,
    };
    let zeros = decimals.iter().all(|digit| *digit == b'0');
    match whole {
        b'0' if decimals.iter().all(u8::is_ascii_digit) => Some(!zeros),
        b'1' if zeros => Some(true),
        _ => None,
    }
}
