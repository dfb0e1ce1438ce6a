//! The client behind proxies, and its key.

use super::address::{Address, AddressKey};
use super::forwarded;
use super::header::trim;
use super::network::Network;
use crate::error::{Error, Field};
use alloc::borrow::Cow;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// What to write to the log, once, where a client came with an [`untrusted_field`](Client::untrusted_field): the code
/// that every language has for it, and what it means.
pub const UNTRUSTED_FIELD: &str = "untrusted_forwarding_field: a request says whom it is forwarded for, but its peer \
    is not trusted, so the peer is limited; if it is a proxy of yours, say so by trusted_proxies";

/// Says which proxies stand before the server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TrustedProxies {
    /// So many, `0 ..= 255`: with 1 the peer is a proxy, and what it wrote last is the client.
    Hops(u64),
    /// Those in these networks, in CIDR form, or at these addresses: `10.0.0.0/8`, `2001:db8::/32`, `192.0.2.7`.
    Networks(Vec<String>),
}

/// Collects how a client's address is found and made a key: plain data, judged by [`ByIp::new`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClientOptions {
    /// The proxies before the server; none unless it is said.
    pub trusted_proxies: TrustedProxies,
    /// The field in which they write whom they serve, in letters of either case: `x-forwarded-for`, or another list of
    /// addresses; `forwarded` is read as RFC 7239 says.
    pub forwarding_field: String,
    /// Bits of an IPv6 address that are the client's network, `32 ..= 128`.
    pub ipv6_prefix: u64,
}

impl Default for ClientOptions {
    fn default() -> ClientOptions {
        ClientOptions {
            trusted_proxies: TrustedProxies::Hops(0),
            forwarding_field: "x-forwarded-for".to_string(),
            ipv6_prefix: 64,
        }
    }
}

/// Finds the client of a request: the rightmost address that no trusted proxy has.
#[derive(Clone, Debug)]
pub struct ByIp {
    trusted: Trusted,
    field: String,
    ipv6_prefix: u8,
}

#[derive(Clone, Debug)]
enum Trusted {
    Hops(usize),
    Networks(Vec<Network>),
}

/// Names the client of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Client {
    /// The key: of the last address that can be believed; `unknown` if there is none, so that there always is a key.
    pub key: AddressKey,
    /// Whether there was a forwarding field, and it was passed over because the peer is not trusted. Worth a line in
    /// the log, once: either somebody lies, or a proxy is not configured.
    pub untrusted_field: bool,
}

impl ByIp {
    /// Judges the options.
    ///
    /// # Errors
    /// If there are more hops than 255, a network is not one or has bits beyond its length, the field's name is none
    /// that HTTP allows, or the prefix is not in `32 ..= 128`.
    pub fn new(options: &ClientOptions) -> Result<ByIp, Error> {
        let trusted = match &options.trusted_proxies {
            TrustedProxies::Hops(hops) => {
                let hops = Field::TrustedProxies.judge(*hops)?;
                Trusted::Hops(usize::try_from(hops).unwrap_or_default())
            }
            TrustedProxies::Networks(networks) => {
                let mut trusted = Vec::with_capacity(networks.len());
                for text in networks {
                    trusted.push(Network::parse(text)?);
                }
                Trusted::Networks(trusted)
            }
        };
        let field = options.forwarding_field.to_ascii_lowercase();
        if !is_token(&field) {
            return Err(Error::malformed_text(
                Field::ForwardingField,
                &options.forwarding_field,
                "the name of a field",
            ));
        }
        let ipv6_prefix = Field::Ipv6Prefix.judge(options.ipv6_prefix)?;
        Ok(ByIp { trusted, field, ipv6_prefix: u8::try_from(ipv6_prefix).unwrap_or(128) })
    }

    /// Returns the name of the field to hand to [`client`](ByIp::client), in small letters.
    #[must_use]
    pub fn forwarding_field(&self) -> &str {
        &self.field
    }

    /// Finds the client from the peer's address and the lines of the forwarding field, in their order.
    ///
    /// Without a peer (a local socket) the key is `unknown`, unless hops are trusted. At the first entry that is no
    /// address, and when entries run out, the client is the last address that is trusted.
    ///
    /// ```
    /// use ratelimit_core::http::{Address, ByIp, ClientOptions, TrustedProxies};
    ///
    /// let networks = TrustedProxies::Networks(vec!["10.0.0.0/8".to_owned()]);
    /// let by_ip = ByIp::new(&ClientOptions { trusted_proxies: networks, ..ClientOptions::default() })?;
    /// let lines: [&[u8]; 2] = [b"6.6.6.6, 203.0.113.9", b"10.0.0.2"];
    ///
    /// let client = by_ip.client(Address::parse(b"10.0.0.1"), &lines);
    /// assert_eq!((client.key.as_str(), client.untrusted_field), ("203.0.113.9", false));
    ///
    /// let client = by_ip.client(Address::parse(b"198.51.100.7"), &lines);
    /// assert_eq!((client.key.as_str(), client.untrusted_field), ("198.51.100.7", true));
    /// # Ok::<(), ratelimit_core::Error>(())
    /// ```
    #[must_use]
    pub fn client(&self, peer: Option<Address>, lines: &[&[u8]]) -> Client {
        if lines.is_empty() || !self.trusts(peer, 0) {
            return Client { key: self.peer_key(peer), untrusted_field: !lines.is_empty() };
        }
        let last = if self.field == "forwarded" {
            let joined = match lines {
                [line] => Cow::Borrowed(*line),
                lines => Cow::Owned(lines.join(&b","[..])),
            };
            self.last(peer, forwarded::nodes(&joined))
        } else {
            let entries = lines.iter().rev().flat_map(|line| line.rsplit(|sign| *sign == b','));
            self.last(peer, entries.map(|entry| Some(Cow::Borrowed(entry))))
        };
        Client { key: self.peer_key(last), untrusted_field: false }
    }

    /// Returns the key of a request without the forwarding field: the client is its peer.
    #[must_use]
    pub fn peer_key(&self, peer: Option<Address>) -> AddressKey {
        match peer {
            Some(address) => address.key(self.ipv6_prefix),
            None => AddressKey::unknown(),
        }
    }

    /// Goes from proxy to proxy, and returns the first address that is not trusted, or the last one that is.
    fn last<'a>(&self, peer: Option<Address>, nodes: impl Iterator<Item = Option<Cow<'a, [u8]>>>) -> Option<Address> {
        let mut last = peer;
        for (hop, node) in (1..).zip(nodes) {
            if !node.is_some_and(|node| self.goes_on(&mut last, hop, &node)) {
                break;
            }
        }
        last
    }

    /// Notes the address that so many hops away wrote, if it is one; says whether it is one that is trusted.
    fn goes_on(&self, last: &mut Option<Address>, hop: usize, node: &[u8]) -> bool {
        let address = Address::parse(trim(node, b" \t\r\n"));
        if address.is_some() {
            *last = address;
        }
        address.is_some() && self.trusts(address, hop)
    }

    /// Says whether what so many hops away wrote is believed.
    fn trusts(&self, address: Option<Address>, hops: usize) -> bool {
        match &self.trusted {
            Trusted::Hops(trusted) => hops < *trusted,
            Trusted::Networks(networks) => {
                address.is_some_and(|address| networks.iter().any(|network| network.contains(address)))
            }
        }
    }
}

/// Says whether a text can be a field's name: a token of RFC 9110.
fn is_token(text: &str) -> bool {
    let is_sign = |sign: u8| {
        let is_mark = matches!(sign, b'!' | b'#'..=b'\'' | b'*' | b'+' | b'-' | b'.' | b'^'..=b'`' | b'|' | b'~');
        sign.is_ascii_alphanumeric() || is_mark
    };
    !text.is_empty() && text.bytes().all(is_sign)
}
