//! Division by a number that is known long before: a multiplication and a shift, a third of the time.
//!
//! For a divisor d of l bits (2^(l-1) < d <= 2^l) let m be 2^(53+l) / d, rounded up. Then m d = 2^(53+l) + e with
//! e < d, and n m / 2^(53+l) = n / d + n e / (d 2^(53+l)). For n below 2^53 what is added is less than 1/d, since
//! n e < 2^53 2^l; and no n / d is nearer to the next whole number than 1/d. So both have the same whole part.

use core::num::NonZeroU64;

/// Dividends are below 2 to this.
const BITS: u32 = 53;

#[derive(Clone, Copy)]
pub(super) struct Divisor {
    number: NonZeroU64,
    /// m of the above, moved up to fill a word: the upper half of a product then lacks a shift by l - 1. 0 if the
    /// number is 1, for which that would be a shift the other way.
    magic: u64,
    shift: u32,
}

impl Divisor {
    /// Prepares division by a number of at most 2^52.
    pub(super) fn new(number: NonZeroU64) -> Divisor {
        let bits = (number.get() - 1).checked_ilog2().map_or(0, |log| log + 1);
        let Some(shift) = bits.checked_sub(1) else { return Divisor { number, magic: 0, shift: 0 } };
        let magic = (1_u128 << (BITS + bits)).div_ceil(u128::from(number.get())) << (63 - BITS);
        Divisor { number, magic: u64::try_from(magic).unwrap_or(0), shift }
    }

    #[inline(always)]
    pub(super) fn get(self) -> u64 {
        self.number.get()
    }

    /// Divides a number below 2^53, rounding down.
    #[inline(always)]
    pub(super) fn divide(self, dividend: u64) -> u64 {
        if self.magic == 0 {
            return dividend / self.number;
        }
        let upper = (u128::from(dividend) * u128::from(self.magic)) >> 64;
        upper as u64 >> self.shift
    }

    /// Divides a number of at most 2^52, rounding up, by one of at most 2^52.
    #[inline(always)]
    pub(super) fn divide_up(self, dividend: u64) -> u64 {
        self.divide(dividend + self.get() - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::Divisor;
    use core::num::NonZeroU64;
    use proptest::prelude::*;

    fn assert_divides(dividend: u64, number: u64) {
        let divisor = Divisor::new(NonZeroU64::new(number).expect("not 0"));
        assert_eq!(divisor.divide(dividend), dividend / number, "{dividend} by {number}");
        if dividend <= 1 << 52 {
            assert_eq!(divisor.divide_up(dividend), dividend.div_ceil(number), "{dividend} by {number}, up");
        }
    }

    /// Around the powers of two and the multiples of a divisor, where a wrong digit would show first.
    #[test]
    fn it_divides_as_division_does_at_every_edge() {
        for power in 0..=52 {
            for number in (1_u64 << power).saturating_sub(2)..=((1 << power) + 2).min(1 << 52) {
                for quotient in [0, 1, 2, 3, 1000, (1 << 52) / number.max(1), ((1 << 53) - 1) / number.max(1)] {
                    let middle = number.saturating_mul(quotient).min((1 << 53) - 1);
                    let dividends = middle.saturating_sub(2)..=(middle + 2).min((1 << 53) - 1);
                    dividends.filter(|_| number > 0).for_each(|dividend| assert_divides(dividend, number));
                }
            }
        }
    }

    proptest! {
        #[test]
        fn it_divides_as_division_does(dividend in 0..1_u64 << 53, number in 1..=1_u64 << 52, shift in 0..52_u32) {
            assert_divides(dividend, (number >> shift).max(1));
            assert_divides((dividend / number) * number, number);
        }
    }
}
