//! The identity that is limited: how a caller's key is given, and how a row remembers it.

use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use sha2::{Digest, Sha256};

/// Longest key that a row keeps as it is; a longer one is kept as its SHA-256.
pub(crate) const MAX_WHOLE: usize = 64;

/// Borrows a key: bytes, and whether they are a plain key or a joined list of parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct KeyRef<'a> {
    bytes: &'a [u8],
    parts: bool,
}

impl<'a> KeyRef<'a> {
    /// Borrows a plain key: any bytes, of any length, also none.
    #[must_use]
    pub const fn plain(bytes: &'a [u8]) -> KeyRef<'a> {
        KeyRef { bytes, parts: false }
    }

    /// Borrows a list of parts that was joined before, as [`Key::parts`] joins them.
    #[must_use]
    pub const fn parts(joined: &'a [u8]) -> KeyRef<'a> {
        KeyRef { bytes: joined, parts: true }
    }

    /// Returns the key's bytes; of a list of parts, the joined ones.
    #[must_use]
    pub const fn bytes(self) -> &'a [u8] {
        self.bytes
    }

    /// Returns whether this is a list of parts, a kind of its own that never meets a plain key.
    #[must_use]
    pub const fn is_parts(self) -> bool {
        self.parts
    }
}

/// Owns a key made of several parts.
///
/// For each part its length in decimal, `:` and its bytes are written, so no two lists meet. An empty list is a key too.
///
/// ```
/// use ratelimit_core::{Key, Limiter};
///
/// let limiter: Limiter = "1/hour".parse()?;
/// assert!(limiter.allow(Key::parts(&["a", "bc"])));
/// assert!(limiter.allow(Key::parts(&["ab", "c"])));
/// assert!(limiter.allow("1:a2:bc"), "a plain key never meets a list");
/// assert!(!limiter.allow(Key::parts(&["a", "bc"])));
/// # Ok::<(), ratelimit_core::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Key(Box<[u8]>);

impl Key {
    /// Joins parts into one key.
    pub fn parts<P: AsRef<[u8]>>(parts: &[P]) -> Key {
        let mut joined = Vec::with_capacity(parts.iter().map(|part| part.as_ref().len() + 4).sum());
        for part in parts.iter().map(P::as_ref) {
            joined.extend_from_slice(part.len().to_string().as_bytes());
            joined.push(b':');
            joined.extend_from_slice(part);
        }
        Key(joined.into_boxed_slice())
    }
}

/// Borrows a value as a key. Text is its UTF-8.
pub trait AsKey {
    /// Returns the key.
    fn as_key(&self) -> KeyRef<'_>;
}

impl AsKey for KeyRef<'_> {
    fn as_key(&self) -> KeyRef<'_> {
        *self
    }
}

impl AsKey for Key {
    fn as_key(&self) -> KeyRef<'_> {
        KeyRef::parts(&self.0)
    }
}

impl AsKey for str {
    fn as_key(&self) -> KeyRef<'_> {
        KeyRef::plain(self.as_bytes())
    }
}

impl AsKey for String {
    fn as_key(&self) -> KeyRef<'_> {
        KeyRef::plain(self.as_bytes())
    }
}

impl AsKey for [u8] {
    fn as_key(&self) -> KeyRef<'_> {
        KeyRef::plain(self)
    }
}

impl<const N: usize> AsKey for [u8; N] {
    fn as_key(&self) -> KeyRef<'_> {
        KeyRef::plain(self)
    }
}

impl AsKey for Vec<u8> {
    fn as_key(&self) -> KeyRef<'_> {
        KeyRef::plain(self)
    }
}

impl<K: AsKey + ?Sized> AsKey for &K {
    fn as_key(&self) -> KeyRef<'_> {
        (**self).as_key()
    }
}

/// What a row remembers of a key: at most 64 bytes, and a tag that tells plain from parts and whole from digest.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Identity<'a> {
    pub(crate) bytes: &'a [u8],
    pub(crate) tag: u16,
}

/// Bits that a tag takes: seven for the length, one for parts, one for a digest.
pub(crate) const TAG_BITS: u32 = 9;
const PARTS: u16 = 1 << 7;
const DIGEST: u16 = 1 << 8;

impl<'a> Identity<'a> {
    /// Takes a key as it is, or as its digest, which is written to `room`.
    #[inline]
    pub(crate) fn of(key: KeyRef<'a>, room: &'a mut [u8; 32]) -> Identity<'a> {
        let parts = if key.parts { PARTS } else { 0 };
        if key.bytes.len() <= MAX_WHOLE {
            return Identity { bytes: key.bytes, tag: length(key.bytes) | parts };
        }
        digest(key.bytes, room);
        Identity { bytes: room, tag: length(room) | parts | DIGEST }
    }
}

#[inline(never)]
fn digest(bytes: &[u8], room: &mut [u8; 32]) {
    *room = Sha256::digest(bytes).into();
}

/// Returns how many bytes the identity with this tag has.
#[inline]
pub(crate) const fn tag_length(tag: u16) -> usize {
    (tag & (PARTS - 1)) as usize
}

#[inline]
#[expect(clippy::cast_possible_truncation, reason = "at most 64 bytes come here")]
fn length(bytes: &[u8]) -> u16 {
    bytes.len() as u16
}
