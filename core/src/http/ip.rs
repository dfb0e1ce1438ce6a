//! IP addresses as text, read from bytes; and their first bits.
//!
//! It accepts what the standard library does, which reads text alone, in three times the code.

use core::net::IpAddr;

/// Reads an address that has nothing about it.
pub(super) fn read(text: &[u8]) -> Option<IpAddr> {
    ipv4(text).map(IpAddr::from).or_else(|| ipv6(text).map(IpAddr::from))
}

/// Reads a number that is below 2^16, of one digit to so many.
pub(super) fn number(digits: &[u8], radix: u32, most: usize) -> Option<u16> {
    if digits.is_empty() || digits.len() > most {
        return None;
    }
    let mut number = 0;
    for digit in digits {
        number = number * radix + char::from(*digit).to_digit(radix)?;
    }
    u16::try_from(number).ok()
}

/// Reads a number in decimal of up to three digits, without a zero before it.
pub(super) fn plain_number(digits: &[u8]) -> Option<u16> {
    if let [b'0', _, ..] = digits { None } else { number(digits, 10, 3) }
}

fn ipv4(text: &[u8]) -> Option<[u8; 4]> {
    let (mut octets, mut parts) = ([0; 4], text.split(|sign| *sign == b'.'));
    for octet in &mut octets {
        *octet = u8::try_from(plain_number(parts.next()?)?).ok()?;
    }
    parts.next().is_none().then_some(octets)
}

/// Reads groups of two octets; what two colons leave out is one or more groups of zeros, and the last two may be IPv4.
fn ipv6(text: &[u8]) -> Option<[u8; 16]> {
    let (mut octets, mut end, mut gap) = ([0; 16], 0, None);
    let mut rest = text;
    loop {
        if let [b':', b':', behind @ ..] = rest {
            if gap.replace(end).is_some() {
                return None;
            }
            rest = behind;
            if rest.is_empty() {
                break;
            }
        } else if end > 0 {
            let [b':', behind @ ..] = rest else { return None };
            rest = behind;
        }
        let (group, behind) = rest.split_at(rest.iter().position(|sign| *sign == b':').unwrap_or(rest.len()));
        rest = behind;
        let room = octets.get_mut(end..)?;
        if let Some(last) = ipv4(group).filter(|_| rest.is_empty()) {
            *room.first_chunk_mut()? = last;
            end += 4;
        } else {
            *room.first_chunk_mut()? = number(group, 16, 4)?.to_be_bytes();
            end += 2;
        }
        if rest.is_empty() {
            break;
        }
    }
    match gap {
        Some(gap) if end < 16 => {
            // What stands behind the gap is moved to the end, over zeros.
            octets[gap..].rotate_right(16 - end);
            Some(octets)
        }
        None if end == 16 => Some(octets),
        _ => None,
    }
}

/// Makes all but the first `length` bits zero.
pub(super) fn cut(octets: &mut [u8], length: usize) {
    for (index, octet) in octets.iter_mut().enumerate() {
        let kept = length.saturating_sub(8 * index).min(8);
        *octet &= !(u16::from(u8::MAX) >> kept).to_be_bytes()[1];
    }
}

#[cfg(test)]
mod tests {
    use super::{cut, read};
    use alloc::string::String;
    use core::net::{IpAddr, Ipv4Addr, Ipv6Addr};
    use proptest::prelude::*;

    /// Texts of the signs that addresses are made of, most of them near to one.
    fn near() -> impl Strategy<Value = String> {
        let group = prop_oneof!["[0-9a-fA-F]{1,4}", "[0-9]{1,3}", Just(String::new()), "[0-9a-g.%]{0,5}"];
        let parts = proptest::collection::vec(group, 1..10).prop_map(|groups| groups.join(":"));
        let octets = proptest::collection::vec("[0-9]{1,3}", 3..6).prop_map(|octets| octets.join("."));
        let both = (parts.clone(), octets.clone()).prop_map(|(parts, octets)| [parts, octets].join(":"));
        prop_oneof![parts, octets, both, "[0-9a-f:.]{0,24}"]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20_000))]
        #[test]
        fn what_the_standard_library_reads_is_read_and_nothing_else(text in near()) {
            prop_assert_eq!(read(text.as_bytes()), text.parse().ok(), "{}", text);
        }
    }

    proptest! {
        #[test]
        fn every_address_is_read_as_it_is_written(v4: u32, v6: u128, gap in 0..128_u32, zeros in 0..128_u32) {
            let few = v6 & !((u128::MAX >> zeros) << gap.min(zeros));
            let v6s = [v6, few].map(|bits| IpAddr::from(Ipv6Addr::from_bits(bits)));
            for ip in [IpAddr::from(Ipv4Addr::from_bits(v4)), v6s[0], v6s[1]] {
                prop_assert_eq!(read(alloc::format!("{ip}").as_bytes()), Some(ip));
            }
        }

        #[test]
        fn a_cut_keeps_the_first_bits(bits: u128, length in 0..=128_u32) {
            let mut octets = bits.to_be_bytes();
            cut(&mut octets, length as usize);
            let kept = u128::MAX.checked_shl(128 - length).unwrap_or(0);
            prop_assert_eq!(u128::from_be_bytes(octets), bits & kept);
        }
    }
}
