//! Numbers in decimal, written without the machinery of formatting: it takes several times as long, and where a build
//! is sent over a network, several kilobytes.

/// Puts a number at the end of a room, two digits at a time; returns where it begins.
// Small code is what makes it fast: between two requests the processor has forgotten it.
#[inline(never)]
pub(crate) fn put(room: &mut [u8], mut number: u64) -> usize {
    let mut first = room.len();
    while let Some([tens, ones]) = room.get_mut(..first).and_then(<[u8]>::last_chunk_mut) {
        let pair = u8::try_from(number % 100).unwrap_or_default();
        [*tens, *ones] = [b'0' | (pair / 10), b'0' | (pair % 10)];
        number /= 100;
        if number == 0 {
            // Without the zero that a pair of one digit begins with.
            return first - if pair < 10 { 1 } else { 2 };
        }
        first -= 2;
    }
    first
}

/// Holds a number in decimal.
pub(crate) struct Decimal {
    signs: [u8; Decimal::LONGEST],
    first: usize,
}

impl Decimal {
    /// Signs of the greatest number of 128 bits.
    const LONGEST: usize = 39;

    pub(crate) fn of(number: u64) -> Decimal {
        let mut signs = [b'0'; Decimal::LONGEST];
        let first = put(&mut signs, number);
        Decimal { signs, first }
    }

    /// Writes a number of twice the width, by long division of its quarters: seldom, so the shorter code.
    #[cold]
    pub(crate) fn of_wide(mut number: u128) -> Decimal {
        let mut decimal = Decimal { signs: [b'0'; Decimal::LONGEST], first: Decimal::LONGEST };
        for sign in decimal.signs.iter_mut().rev() {
            let (mut quotient, mut rest) = (0_u128, 0_u64);
            for quarter in [96, 64, 32, 0] {
                let part = rest << 32 | u64::try_from(number >> quarter & 0xffff_ffff).unwrap_or_default();
                quotient |= u128::from(part / 10) << quarter;
                rest = part % 10;
            }
            *sign += u8::try_from(rest).unwrap_or_default();
            decimal.first -= 1;
            number = quotient;
            if number == 0 {
                break;
            }
        }
        decimal
    }

    pub(crate) fn as_bytes(&self) -> &[u8] {
        &self.signs[self.first..]
    }

    pub(crate) fn as_str(&self) -> &str {
        core::str::from_utf8(self.as_bytes()).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::Decimal;
    use alloc::string::ToString;
    use proptest::prelude::*;

    #[test]
    fn the_greatest_and_the_least_are_written_whole() {
        assert_eq!(Decimal::of(0).as_str(), "0");
        assert_eq!(Decimal::of(u64::MAX).as_str(), u64::MAX.to_string());
        assert_eq!(Decimal::of_wide(0).as_str(), "0");
        assert_eq!(Decimal::of_wide(u128::MAX).as_str(), u128::MAX.to_string());
    }

    proptest! {
        #[test]
        fn a_number_is_written_as_formatting_writes_it(number: u128, shift in 0..128_u32) {
            let number = number >> shift;
            prop_assert_eq!(Decimal::of_wide(number).as_str().to_string(), number.to_string());
            let half = u64::try_from(number & u128::from(u64::MAX)).unwrap_or_default();
            prop_assert_eq!(Decimal::of(half).as_str().to_string(), half.to_string());
        }
    }
}
