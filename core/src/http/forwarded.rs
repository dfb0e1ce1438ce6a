//! The field Forwarded of RFC 7239, read from the right.

use alloc::borrow::Cow;
use alloc::vec::Vec;

/// Lists each element's node, the rightmost first; none for an element that has not one.
pub(super) fn nodes(field: &[u8]) -> impl Iterator<Item = Option<Cow<'_, [u8]>>> {
    Elements { rest: Some(field) }.map(node)
}

/// Parts a field at the commas outside quotes. It looks from the right: so what a client wrote on the left, such as a
/// quote that nothing closes, cannot hide what a proxy added.
struct Elements<'a> {
    rest: Option<&'a [u8]>,
}

impl<'a> Iterator for Elements<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        let rest = self.rest?;
        let mut quoted = false;
        for (at, sign) in rest.iter().enumerate().rev() {
            match sign {
                b'"' if !is_escaped(&rest[..at]) => quoted = !quoted,
                b',' if !quoted => {
                    self.rest = Some(&rest[..at]);
                    return Some(&rest[at + 1..]);
                }
                _ => {}
            }
        }
        self.rest = None;
        Some(rest)
    }
}

/// Says whether what follows is escaped: by an odd number of backslashes.
fn is_escaped(before: &[u8]) -> bool {
    before.iter().rev().take_while(|sign| **sign == b'\\').count() % 2 == 1
}

/// Returns the value of an element's one `for`.
fn node(element: &[u8]) -> Option<Cow<'_, [u8]>> {
    let mut found = None;
    let mut rest = Some(element);
    while let Some(pairs) = rest {
        let end = pair_end(pairs);
        rest = pairs.get(end + 1..);
        let pair = super::header::trim(&pairs[..end], b" \t\r\n");
        let Some(value) = pair.get(..4).filter(|name| name.eq_ignore_ascii_case(b"for=")).map(|_| &pair[4..]) else {
            continue;
        };
        if found.replace(value).is_some() {
            return None;
        }
    }
    found.and_then(unquoted)
}

/// Finds the first semicolon outside quotes, or the end.
fn pair_end(pairs: &[u8]) -> usize {
    let (mut quoted, mut escaped) = (false, false);
    for (at, sign) in pairs.iter().enumerate() {
        match sign {
            _ if escaped => escaped = false,
            b'\\' if quoted => escaped = true,
            b'"' => quoted = !quoted,
            b';' if !quoted => return at,
            _ => {}
        }
    }
    pairs.len()
}

/// Reads a value: as it is, or what stands in its quotes; none if they are not closed at its end.
fn unquoted(value: &[u8]) -> Option<Cow<'_, [u8]>> {
    let Some(inner) = value.strip_prefix(b"\"") else {
        return Some(Cow::Borrowed(value));
    };
    let inner = inner.strip_suffix(b"\"")?;
    let mut text = Vec::with_capacity(inner.len());
    let mut signs = inner.iter();
    while let Some(sign) = signs.next() {
        match sign {
            b'"' => return None,
            b'\\' => text.push(*signs.next()?),
            _ => text.push(*sign),
        }
    }
    Some(Cow::Owned(text))
}
