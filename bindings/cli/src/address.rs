//! A client's address as a key: one spelling for one client.

use ratelimit_core::http::Address;

/// Writes the key of an address to `key`; what is no address, such as a host's name, is a key as it is.
///
/// IPv4 in IPv6 (`::ffff:192.0.2.1`) is IPv4. Other IPv6 is cut to its first `prefix` bits, written `2001:db8::/64`:
/// one client has the rest to itself. Ports, brackets and zones go.
pub(crate) fn write_key(text: &[u8], prefix: u8, key: &mut Vec<u8>) {
    if is_plain_ipv4(text) {
        key.extend_from_slice(text);
        return;
    }
    match Address::parse(text) {
        Some(address) => key.extend_from_slice(address.key(prefix).as_bytes()),
        None => key.extend_from_slice(text),
    }
}

/// Says whether a text is an IPv4 address in its one usual spelling, without building it: nearly every line has one.
fn is_plain_ipv4(text: &[u8]) -> bool {
    let mut octets = 1;
    let mut octet = 0_u32;
    let mut digits = 0;
    for &byte in text {
        match byte {
            b'0'..=b'9' if digits == 0 || octet > 0 => {
                octet = octet * 10 + u32::from(byte - b'0');
                digits += 1;
                if octet > 255 {
                    return false;
                }
            }
            b'.' if digits > 0 => {
                octets += 1;
                (octet, digits) = (0, 0);
            }
            _ => return false,
        }
    }
    octets == 4 && digits > 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::net::Ipv4Addr;

    fn key(text: &str, prefix: u8) -> String {
        let mut key = Vec::new();
        write_key(text.as_bytes(), prefix, &mut key);
        String::from_utf8(key).unwrap()
    }

    #[test]
    fn every_spelling_of_an_ipv4_address_is_one_key() {
        for text in ["192.0.2.1", "::ffff:192.0.2.1", "::FFFF:c000:201", "[::ffff:192.0.2.1]:80", "192.0.2.1:8080"] {
            assert_eq!(key(text, 64), "192.0.2.1", "{text}");
            assert_eq!(key(text, 32), "192.0.2.1", "{text}: the prefix is IPv6's");
        }
    }

    #[test]
    fn an_ipv6_address_is_cut_to_its_prefix() {
        for text in ["2001:db8:1:2:3:4:5:6", "2001:DB8:1:2::", "[2001:db8:1:2::9]:443", "2001:db8:1:2::1%eth0"] {
            assert_eq!(key(text, 64), "2001:db8:1:2::/64", "{text}");
        }
        assert_eq!(key("2001:db8:1:2:3:4:5:6", 56), "2001:db8:1::/56");
        assert_eq!(key("2001:db8:1:2:3:4:5:6", 32), "2001:db8::/32");
        assert_eq!(key("2001:db8:1:2:3:4:5:6", 128), "2001:db8:1:2:3:4:5:6");
    }

    #[test]
    fn what_is_no_address_stays_as_it_is() {
        for text in [
            "client.example",
            "unknown",
            "192.0.2",
            "192.0.2.1.5",
            "192.0.2.01",
            "256.0.0.1",
            "192.0.2.1:99999",
            "[::1",
            "[::1]x",
            "::1:x",
        ] {
            assert_eq!(key(text, 64), text);
        }
    }

    proptest! {
        #[test]
        fn the_quick_look_knows_the_usual_spelling_and_no_other(text in "[0-9.:]{0,16}", bits: u32) {
            let parsed = text.parse::<Ipv4Addr>().is_ok_and(|address| address.to_string() == text);
            prop_assert_eq!(is_plain_ipv4(text.as_bytes()), parsed);
            prop_assert!(is_plain_ipv4(Ipv4Addr::from_bits(bits).to_string().as_bytes()));
        }
    }
}
