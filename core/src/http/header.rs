//! Keys from a header, and from several parts.

use crate::key::Key;
use alloc::borrow::Cow;
use alloc::vec::Vec;

/// Returns the key that a header's lines are: the value's bytes without the spaces and tabs about it; none if the
/// header is missing or empty.
///
/// Several lines are one value, joined by a comma and a space as HTTP joins them; empty ones are left out.
///
/// ```
/// use ratelimit_core::http::header_key;
///
/// assert_eq!(header_key(&[b" secret "]).as_deref(), Some(&b"secret"[..]));
/// assert_eq!(header_key(&[b" "]), None);
/// ```
#[must_use]
pub fn header_key<'a>(lines: &[&'a [u8]]) -> Option<Cow<'a, [u8]>> {
    let mut kept = lines.iter().map(|line| trim(line, b" \t")).filter(|line| !line.is_empty());
    let first = kept.next()?;
    let Some(second) = kept.next() else {
        return Some(Cow::Borrowed(first));
    };
    let mut joined = first.to_vec();
    for line in core::iter::once(second).chain(kept) {
        joined.extend_from_slice(b", ");
        joined.extend_from_slice(line);
    }
    Some(Cow::Owned(joined))
}

/// Joins parts into one key, as [`Key::parts`] does; none if a part is missing, for then there is no key.
///
/// ```
/// use ratelimit_core::Key;
/// use ratelimit_core::http::join;
///
/// assert_eq!(join(&[Some(&b"ada"[..]), Some(b"login")]), Some(Key::parts(&["ada", "login"])));
/// assert_eq!(join(&[Some(&b"ada"[..]), None]), None);
/// ```
#[must_use]
pub fn join(parts: &[Option<&[u8]>]) -> Option<Key> {
    let parts: Option<Vec<&[u8]>> = parts.iter().copied().collect();
    parts.map(|parts| Key::parts(&parts))
}

/// Takes these signs off both ends.
pub(super) fn trim<'a>(text: &'a [u8], blanks: &[u8]) -> &'a [u8] {
    let is_kept = |sign: &u8| !blanks.contains(sign);
    let start = text.iter().position(is_kept).unwrap_or(text.len());
    let end = text.iter().rposition(is_kept).map_or(start, |last| last + 1);
    &text[start..end]
}

/// Parts a text at the first of such signs.
pub(super) fn split_once(text: &[u8], sign: u8) -> Option<(&[u8], &[u8])> {
    let at = text.iter().position(|other| *other == sign)?;
    Some((&text[..at], &text[at + 1..]))
}
