//! What a client accepts.

use super::header::{split_once, trim};

const WANTED: [&[u8]; 2] = [b"application/problem+json", b"application/json"];

/// Says from the lines of `Accept` whether a client takes JSON: the most specific range that fits decides. No `Accept`,
/// or a blank one, takes anything.
pub(super) fn accepts_json(lines: &[&[u8]]) -> bool {
    // What each kind of range says of each type, the most specific first; what no range says is none.
    let mut said = [[None; 3]; WANTED.len()];
    let mut is_blank = true;
    for range in lines.iter().flat_map(|line| line.split(|sign| *sign == b',')) {
        is_blank &= trim(range, b" \t").is_empty();
        for (said, wanted) in said.iter_mut().zip(WANTED) {
            for (said, name) in said.iter_mut().zip([wanted, b"application/*", b"*/*"]) {
                if let Some(positive) = weight(range, name) {
                    *said = Some(positive || *said == Some(true));
                }
            }
        }
    }
    is_blank || said.iter().any(|[own, kind, any]| own.or(*kind).or(*any) == Some(true))
}

/// Returns whether a range of this name has a weight above 0; none if it has another name, or a weight that is none.
fn weight(range: &[u8], name: &[u8]) -> Option<bool> {
    let mut parts = range.split(|sign| *sign == b';').map(|part| trim(part, b" \t"));
    if !parts.next()?.eq_ignore_ascii_case(name) {
        return None;
    }
    let mut positive = true;
    for part in parts {
        let (name, value) = split_once(part, b'=').unwrap_or((part, b""));
        if trim(name, b" \t").eq_ignore_ascii_case(b"q") {
            positive = is_positive(trim(value, b" \t"))?;
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
