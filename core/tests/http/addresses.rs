//! Addresses are read as the standard library reads them, once what stands about them is gone.

use proptest::prelude::*;
use ratelimit_core::http::{Address, ByIp, ClientOptions, TrustedProxies, header_key};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

fn key(text: &str, prefix: u8) -> Option<String> {
    Address::parse(text.as_bytes()).map(|address| address.key(prefix).to_string())
}

/// Cuts an address in the plainest way: bit by bit.
fn cut(address: Ipv6Addr, prefix: u8) -> String {
    let kept = (0..prefix).fold(0_u128, |kept, bit| kept | address.to_bits() & (1 << (127 - bit)));
    let network = Ipv6Addr::from_bits(kept);
    if prefix == 128 { network.to_string() } else { format!("{network}/{prefix}") }
}

fn dressed(address: IpAddr) -> impl Strategy<Value = String> {
    let zones = prop::sample::select(vec!["", "%eth0", "%25en1"]);
    let ports = prop::sample::select(vec!["", ":0", ":443", ":65535", ":_web"]);
    (zones, ports).prop_map(move |(zone, port)| format!("[{address}{zone}]{port}"))
}

proptest! {
    #[test]
    fn every_ipv4_address_is_its_own_key_in_every_dress(bits: u32, prefix in 32..=128_u8) {
        let address = Ipv4Addr::from_bits(bits);
        let mapped = address.to_ipv6_mapped();
        let [.., high, low] = mapped.segments();
        let hex = format!("::FFFF:{high:x}:{low:04X}");
        for text in [address.to_string(), mapped.to_string(), hex, format!("{address}:1")] {
            prop_assert_eq!(key(&text, prefix), Some(address.to_string()));
        }
    }

    #[test]
    fn every_ipv6_address_is_cut_to_its_prefix_in_every_dress(
        (address, text) in any::<u128>()
            .prop_map(Ipv6Addr::from_bits)
            .prop_flat_map(|address| (Just(address), dressed(address.into()))),
        prefix in 32..=128_u8,
    ) {
        prop_assume!(address.to_ipv4_mapped().is_none());
        prop_assert_eq!(key(&text, prefix), Some(cut(address, prefix)));
        prop_assert_eq!(key(&address.to_string(), prefix), Some(cut(address, prefix)));
    }

    #[test]
    fn a_key_is_read_back_as_the_address_that_it_names(bits: u128) {
        let whole = key(&Ipv6Addr::from_bits(bits).to_string(), 128);
        prop_assert_eq!(whole.as_deref().and_then(|text| key(text, 128)), whole);
    }

    #[test]
    fn whatever_is_written_there_is_a_key_and_no_panic(
        peer in prop::option::of(prop::collection::vec(any::<u8>(), 0..50)),
        lines in prop::collection::vec("[0-9.:, \\t\"\\\\;=forFOR\\[\\]%]{0,60}", 0..4),
        hops in 0..=3_u64,
        field in prop::sample::select(vec!["forwarded", "x-forwarded-for"]),
    ) {
        let options = ClientOptions {
            trusted_proxies: TrustedProxies::Hops(hops),
            forwarding_field: field.to_owned(),
            ..ClientOptions::default()
        };
        let by_ip = ByIp::new(&options).map_err(|error| TestCaseError::fail(error.to_string()))?;
        let lines: Vec<&[u8]> = lines.iter().map(|line| line.as_bytes()).collect();
        let client = by_ip.client(peer.as_deref().and_then(Address::parse), &lines);
        let own = client.key.as_str();
        prop_assert!(own == "unknown" || key(own.trim_end_matches("/64"), 64).is_some(), "{}", own);
        prop_assert_eq!(client.untrusted_field, hops == 0 && !lines.is_empty());
    }

    /// What a client wrote, however broken, lies on the left of what the proxy adds.
    #[test]
    fn nothing_that_a_client_writes_hides_what_its_proxy_adds(written in "[^\\r\\n]{0,80}", quoted: bool, bits: u32) {
        let client = Ipv4Addr::from_bits(bits);
        let options = |field: &str| ClientOptions {
            trusted_proxies: TrustedProxies::Hops(1),
            forwarding_field: field.to_owned(),
            ..ClientOptions::default()
        };
        let node = if quoted { format!("for=\"{client}:80\"") } else { format!("for={client}") };
        for (field, added) in [("x-forwarded-for", client.to_string()), ("forwarded", node)] {
            let by_ip = ByIp::new(&options(field)).map_err(|error| TestCaseError::fail(error.to_string()))?;
            let whole = format!("{written}, {added}");
            for lines in [&[whole.as_bytes()][..], &[written.as_bytes(), added.as_bytes()]] {
                let found = by_ip.client(Address::parse(b"10.0.0.1"), lines);
                prop_assert_eq!(found.key.as_str(), client.to_string());
            }
        }
    }

    #[test]
    fn a_header_is_a_key_without_the_blanks_about_it(value in "[ \\t]{0,3}[a-z][a-z \\t]{0,9}[ \\t]{0,3}") {
        let trimmed = value.trim_matches([' ', '\t']);
        let key = header_key(&[value.as_bytes()]).map(Vec::from);
        prop_assert_eq!(key.as_deref(), Some(trimmed.as_bytes()));
    }
}
