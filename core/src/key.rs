//! The identity that is limited: how a caller's key is given, and how a row remembers it.

use crate::decimal::Decimal;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use sha2::{Digest, Sha256};

/// Longest key that a row keeps as it is; a longer one is kept as its SHA-256.
const MAX_WHOLE: usize = 64;

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
/// For each part its length in decimal, `:` and its bytes are written, so no two lists meet. An empty list is a key
/// too.
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
            joined.extend_from_slice(Decimal::of(part.len() as u64).as_bytes());
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

/// What a row remembers of a key: its bytes as words, and a tag that tells the length, plain from parts and whole from
/// digest. The words are read from both ends and may overlap; with the length they tell every byte.
#[derive(Clone, Copy)]
pub(crate) struct Identity<B> {
    pub(crate) words: B,
    pub(crate) tag: u64,
}

/// Bits that a tag takes: seven for the length, one for parts, one for a digest.
pub(crate) const TAG_BITS: u32 = 9;
const PARTS: u64 = 1 << 7;
const DIGEST: u64 = 1 << 8;

/// Words of a key of at most 16 bytes: an IPv4 address in text fits.
pub(crate) type Short = [u64; 2];
/// Words of a key of 17 to 40 bytes: an IPv6 address in text, a UUID, a digest.
pub(crate) type Middle = [u64; 5];
/// Words of a key of 41 to 64 bytes.
pub(crate) type Long = [u64; 8];

/// Words of a key of any size, where one piece of code serves them all.
#[cfg(not(feature = "std"))]
#[derive(Clone, Copy)]
pub(crate) struct Words {
    words: Long,
    length: usize,
}

#[cfg(not(feature = "std"))]
impl Words {
    /// Returns all of them, and how many are the key's; those behind are 0.
    #[inline(always)]
    pub(crate) fn padded(&self) -> (&Long, usize) {
        (&self.words, self.length)
    }
}

#[cfg(not(feature = "std"))]
impl AsRef<[u64]> for Words {
    #[inline(always)]
    fn as_ref(&self) -> &[u64] {
        &self.words[..self.length]
    }
}

/// Runs the same expression on a key's identity, whatever its size.
#[cfg(feature = "std")]
macro_rules! with_identity {
    ($key:expr, $identity:ident => $run:expr) => {{
        let key: $crate::key::KeyRef<'_> = $key;
        if let Some($identity) = key.middle() {
            $run
        } else if let Some($identity) = key.short() {
            $run
        } else if let Some($identity) = key.long() {
            $run
        } else {
            let $identity = key.digest();
            $run
        }
    }};
}

/// Runs an expression on a key's identity.
#[cfg(not(feature = "std"))]
macro_rules! with_identity {
    ($key:expr, $identity:ident => $run:expr) => {{
        let $identity = $crate::key::KeyRef::any($key);
        $run
    }};
}
pub(crate) use with_identity;

/// Does the same where it has to be quick.
#[cfg(not(feature = "std"))]
macro_rules! with_identity_at_once {
    ($key:expr, $identity:ident => $run:expr) => {{
        let $identity = $crate::key::KeyRef::any_at_once($key);
        $run
    }};
}
#[cfg(feature = "std")]
pub(crate) use with_identity as with_identity_at_once;
#[cfg(not(feature = "std"))]
pub(crate) use with_identity_at_once;

#[cfg(not(feature = "std"))]
impl KeyRef<'_> {
    /// Returns the identity of a key of any size.
    #[inline(never)]
    pub(crate) fn any(self) -> Identity<Words> {
        self.any_at_once()
    }

    #[inline(always)]
    pub(crate) fn any_at_once(self) -> Identity<Words> {
        let of = |words, length, tag| Identity { words: Words { words, length }, tag };
        if let Some(Identity { words: [a, b, c, d, e], tag }) = self.middle() {
            of([a, b, c, d, e, 0, 0, 0], 5, tag)
        } else if let Some(Identity { words: [a, b], tag }) = self.short() {
            of([a, b, 0, 0, 0, 0, 0, 0], 2, tag)
        } else if let Some(Identity { words, tag }) = self.long() {
            of(words, 8, tag)
        } else {
            let Identity { words: [a, b, c, d, e], tag } = self.digest();
            of([a, b, c, d, e, 0, 0, 0], 5, tag)
        }
    }
}

impl KeyRef<'_> {
    #[inline(always)]
    pub(crate) fn short(self) -> Option<Identity<Short>> {
        let mut words = Short::default();
        [words[0], words[1]] = match (self.bytes.first_chunk(), self.bytes.last_chunk()) {
            (Some(first), Some(last)) => [u64::from_le_bytes(*first), u64::from_le_bytes(*last)],
            _ => shortest(self.bytes),
        };
        (self.bytes.len() <= 16).then(|| self.identity(words))
    }

    #[inline(always)]
    pub(crate) fn middle(self) -> Option<Identity<Middle>> {
        let words = middle(self.bytes)?;
        (17..=40).contains(&self.bytes.len()).then(|| self.identity(words))
    }

    #[inline(always)]
    pub(crate) fn long(self) -> Option<Identity<Long>> {
        let [a, b, c, d] = words(self.bytes.first_chunk::<32>()?);
        let [e, f, g, h] = words(self.bytes.last_chunk::<32>()?);
        (self.bytes.len() <= MAX_WHOLE).then(|| self.identity([a, b, c, d, e, f, g, h]))
    }

    /// Takes the SHA-256 in a long key's place.
    #[inline(never)]
    pub(crate) fn digest(self) -> Identity<Middle> {
        let digest = Sha256::digest(self.bytes);
        let Identity { words, tag } =
            KeyRef { bytes: &digest, parts: self.parts }.identity(middle(&digest).unwrap_or_default());
        Identity { words, tag: tag | DIGEST }
    }

    #[inline(always)]
    fn identity<B>(self, words: B) -> Identity<B> {
        Identity { words, tag: self.bytes.len() as u64 | if self.parts { PARTS } else { 0 } }
    }
}

/// Reads 16 to 40 bytes: the first 16, the last 16, and 8 that reach from those to these.
#[inline(always)]
fn middle(bytes: &[u8]) -> Option<Middle> {
    let [a, b] = words(bytes.first_chunk::<16>()?);
    let [d, e] = words(bytes.last_chunk::<16>()?);
    let [c] = words(bytes[usize::min(16, bytes.len() - 8)..].first_chunk::<8>()?);
    Some([a, b, c, d, e])
}

/// Reads up to 7 bytes.
fn shortest(bytes: &[u8]) -> [u64; 2] {
    let mut word = [0; 8];
    for (to, from) in word.iter_mut().zip(bytes) {
        *to = *from;
    }
    [u64::from_le_bytes(word), 0]
}

#[inline(always)]
fn words<const BYTES: usize, const WORDS: usize>(bytes: &[u8; BYTES]) -> [u64; WORDS] {
    let (chunks, _) = bytes.as_chunks::<8>();
    core::array::from_fn(|index| u64::from_le_bytes(chunks[index]))
}
