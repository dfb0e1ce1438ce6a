//! A network whose addresses are trusted.

use super::address::Address;
use super::header::split_once;
use super::ip;
use crate::error::{Error, Field};
use core::net::IpAddr;

const RULE: &str = "an address or a network such as 10.0.0.0/8, without bits beyond its length";

/// A network in CIDR form: its first address, and how many bits it keeps.
#[derive(Clone, Copy, Debug)]
pub(super) struct Network {
    start: IpAddr,
    length: usize,
}

impl Network {
    pub(super) fn parse(text: &str) -> Result<Network, Error> {
        Network::read(text).ok_or_else(|| Error::malformed_text(Field::TrustedProxies, text, RULE))
    }

    fn read(text: &str) -> Option<Network> {
        let (host, length) = match split_once(text.as_bytes(), b'/') {
            Some((host, length)) => (host, Some(usize::from(ip::plain_number(length)?))),
            None => (text.as_bytes(), None),
        };
        let written = ip::read(host)?;
        let bits = if written.is_ipv4() { 32 } else { 128 };
        let length = length.unwrap_or(bits);
        if length > bits || cut(written, length) != written {
            return None;
        }
        // IPv4 within IPv6 is IPv4, if all of the network is.
        let start = Address::from(written).ip();
        let mapped = start.is_ipv4() && bits == 128;
        match mapped {
            true if length >= 96 => Some(Network { start, length: length - 96 }),
            _ => Some(Network { start: written, length }),
        }
    }

    pub(super) fn contains(&self, address: Address) -> bool {
        cut(address.ip(), self.length) == self.start
    }
}

/// Returns an address with all but its first bits zero.
fn cut(address: IpAddr, length: usize) -> IpAddr {
    match address {
        IpAddr::V4(address) => {
            let mut octets = address.octets();
            ip::cut(&mut octets, length);
            octets.into()
        }
        IpAddr::V6(address) => {
            let mut octets = address.octets();
            ip::cut(&mut octets, length);
            octets.into()
        }
    }
}
