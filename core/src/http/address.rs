//! One address, however it is spelled, and the key of the client that has it.

use super::header::split_once;
use super::ip;
use crate::key::{AsKey, KeyRef};
use core::fmt;
use core::net::{IpAddr, Ipv4Addr};

/// Holds a client's address. IPv4 that is written within IPv6 (`::ffff:192.0.2.1`) is IPv4.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Address(IpAddr);

impl From<IpAddr> for Address {
    fn from(address: IpAddr) -> Address {
        match address {
            // As `to_canonical` does, but in few words, where that takes each byte by itself.
            IpAddr::V6(outer) if outer.to_bits() >> 32 == 0xffff => {
                let [.., a, b, c, d] = outer.octets();
                Address(IpAddr::V4(Ipv4Addr::new(a, b, c, d)))
            }
            _ => Address(address),
        }
    }
}

impl Address {
    /// Reads an address; none if the text is not one.
    ///
    /// Brackets, then a port, then a zone are taken off. A port is a number or, as RFC 7239 allows, a name that begins
    /// with `_`. Blanks are not taken off, and nothing beyond ASCII is an address, not even in its zone.
    ///
    /// ```
    /// use ratelimit_core::http::Address;
    ///
    /// let address = Address::parse(b"192.0.2.1");
    /// assert!(address.is_some());
    /// assert_eq!(Address::parse(b"[::ffff:c000:201%eth0]:443"), address);
    /// assert_eq!(Address::parse(b"client.example"), None);
    /// ```
    #[must_use]
    pub fn parse(text: &[u8]) -> Option<Address> {
        let host = without_port(text).filter(|_| text.is_ascii())?;
        let (host, _zone) = split_once(host, b'%').unwrap_or((host, b""));
        ip::read(host).map(Address::from)
    }

    pub(super) fn ip(self) -> IpAddr {
        self.0
    }

    /// Returns the client's key: IPv4 whole (`192.0.2.1`), IPv6 cut to its first `ipv6_prefix` bits
    /// (`2001:db8:1:2::/64`), for the client has the others to itself. A prefix of 128 or more cuts nothing.
    ///
    /// ```
    /// use ratelimit_core::http::Address;
    ///
    /// let address = Address::parse(b"2001:DB8:1:2:3::4").ok_or("no address")?;
    /// assert_eq!(address.key(64).as_str(), "2001:db8:1:2::/64");
    /// # Ok::<(), &str>(())
    /// ```
    #[must_use]
    pub fn key(self, ipv6_prefix: u8) -> AddressKey {
        let mut key = AddressKey { bytes: [0; AddressKey::LONGEST], length: 0 };
        match self.0 {
            IpAddr::V4(address) => key.push_ipv4(address.octets()),
            IpAddr::V6(address) => key.push_network(address.octets(), ipv6_prefix),
        }
        key
    }
}

fn without_port(text: &[u8]) -> Option<&[u8]> {
    if let [b'[', inner @ ..] = text {
        let (host, rest) = split_once(inner, b']')?;
        return match rest {
            [] => Some(host),
            [b':', port @ ..] if is_port(port) => Some(host),
            _ => None,
        };
    }
    match split_once(text, b':') {
        // One colon: not IPv6, which has two or more.
        Some((host, port)) if split_once(port, b':').is_none() => is_port(port).then_some(host),
        _ => Some(text),
    }
}

fn is_port(text: &[u8]) -> bool {
    if let [b'_', name @ ..] = text {
        return !name.is_empty()
            && name.iter().all(|sign| sign.is_ascii_alphanumeric() || matches!(sign, b'.' | b'_' | b'-'));
    }
    ip::number(text, 10, 5).is_some()
}

/// Holds the key of an address as text, in place: made without an allocation.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct AddressKey {
    bytes: [u8; AddressKey::LONGEST],
    length: u8,
}

impl AddressKey {
    /// Eight groups of four signs with seven colons, and `/127`.
    const LONGEST: usize = 43;

    /// Returns the key of a client whose address nobody knows.
    #[must_use]
    pub const fn unknown() -> AddressKey {
        let mut key = AddressKey { bytes: [0; AddressKey::LONGEST], length: 7 };
        key.bytes.split_at_mut(7).0.copy_from_slice(b"unknown");
        key
    }

    /// Returns the key as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        core::str::from_utf8(self.as_bytes()).unwrap_or_default()
    }

    /// Returns the key's bytes.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        self.bytes.get(..self.length.into()).unwrap_or_default()
    }

    fn push(&mut self, sign: u8) {
        if let Some(place) = self.bytes.get_mut(usize::from(self.length)) {
            *place = sign;
            self.length += 1;
        }
    }

    // Small code is what makes it fast: between two requests the processor has forgotten it. So the octets lie in one
    // word with a bit above them: the compiler cannot tell which is the last, and writes the loop once.
    fn push_ipv4(&mut self, octets: [u8; 4]) {
        let mut octets = u64::from(u32::from_le_bytes(octets)) | 1 << 32;
        let mut length = 0;
        while let (2.., Some(room)) = (octets, self.bytes.get_mut(length..).and_then(<[u8]>::first_chunk_mut)) {
            let octet = octets & 0xff;
            let (tens, hundreds) = (octet / 10, octet / 100);
            let digits = (octet - 10 * tens) << 16 | (tens - 10 * hundreds) << 8 | hundreds;
            let zeros = usize::from(octet < 100) + usize::from(octet < 10);
            *room = ((digits | u64::from(u32::from_le_bytes(*b"000."))) >> (8 * zeros)).to_le_bytes();
            length += 4 - zeros;
            octets >>= 8;
        }
        // Without the last point.
        length -= 1;
        self.bytes[length] = 0;
        self.length = u8::try_from(length).unwrap_or_default();
    }

    fn push_octet(&mut self, octet: u8) {
        if octet >= 100 {
            self.push(b'0' + octet / 100);
        }
        if octet >= 10 {
            self.push(b'0' + octet / 10 % 10);
        }
        self.push(b'0' + octet % 10);
    }

    #[inline(never)]
    fn push_network(&mut self, mut octets: [u8; 16], prefix: u8) {
        ip::cut(&mut octets, prefix.into());
        self.push_groups(octets);
        if prefix < 128 {
            self.push(b'/');
            self.push_octet(prefix);
        }
    }

    /// Writes IPv6 as RFC 5952 says: small letters, no zero before a number, the first of the longest runs of two or
    /// more zeros left out. What is IPv4 within it never comes here.
    fn push_groups(&mut self, octets: [u8; 16]) {
        let (groups, _) = octets.as_chunks::<2>();
        let (mut zeros, mut longest) = (0..0, 0..0);
        for (index, group) in groups.iter().enumerate() {
            zeros = if *group == [0, 0] { zeros.start..index + 1 } else { index + 1..index + 1 };
            if zeros.len() > longest.len().max(1) {
                longest = zeros.clone();
            }
        }
        for (index, [high, low]) in groups.iter().enumerate() {
            if longest.contains(&index) {
                if index == longest.start {
                    self.push(b':');
                    self.push(b':');
                }
                continue;
            }
            if index > 0 && index != longest.end {
                self.push(b':');
            }
            let digits = [high >> 4, high & 15, low >> 4, low & 15];
            let first = digits.iter().position(|digit| *digit > 0).unwrap_or(3);
            digits[first..].iter().for_each(|digit| self.push(b"0123456789abcdef"[usize::from(*digit)]));
        }
    }
}

impl AsKey for AddressKey {
    fn as_key(&self) -> KeyRef<'_> {
        KeyRef::plain(self.as_bytes())
    }
}

impl fmt::Display for AddressKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Debug for AddressKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.as_str())
    }
}
