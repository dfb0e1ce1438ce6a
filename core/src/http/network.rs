//! A network whose addresses are trusted.

use super::address::Address;
use crate::error::{Error, Field};
use core::net::IpAddr;

const RULE: &str = "an address or a network such as 10.0.0.0/8, without bits beyond its length";

/// A network in CIDR form: its first address, and how many bits it keeps.
#[derive(Clone, Copy, Debug)]
pub(super) struct Network {
    start: IpAddr,
    length: u32,
}

impl Network {
    pub(super) fn parse(text: &str) -> Result<Network, Error> {
        Network::read(text).ok_or_else(|| Error::malformed(Field::TrustedProxies, text, RULE))
    }

    fn read(text: &str) -> Option<Network> {
        let (host, length) = match text.split_once('/') {
            Some((host, length)) => (host, Some(read_length(length)?)),
            None => (text, None),
        };
        let written: IpAddr = host.parse().ok()?;
        let bits = if written.is_ipv4() { 32 } else { 128 };
        let length = length.unwrap_or(bits);
        if length > bits || high_bits(written, length) != all_bits(written) {
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
        let address = address.ip();
        address.is_ipv4() == self.start.is_ipv4() && high_bits(address, self.length) == all_bits(self.start)
    }
}

/// Reads a length without a sign or a zero before it.
fn read_length(text: &str) -> Option<u32> {
    let plain = text == "0" || (text.len() <= 3 && text.starts_with(|sign: char| matches!(sign, '1'..='9')));
    text.parse().ok().filter(|_| plain)
}

/// Returns an address as a number whose first bits are the address's.
fn all_bits(address: IpAddr) -> u128 {
    match address {
        IpAddr::V4(address) => u128::from(address.to_bits()) << 96,
        IpAddr::V6(address) => address.to_bits(),
    }
}

fn high_bits(address: IpAddr, length: u32) -> u128 {
    all_bits(address) & u128::MAX.checked_shl(128 - length.min(128)).unwrap_or(0)
}
