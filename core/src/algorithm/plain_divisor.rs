//! Division as it is, without `std`: wasm has no product of 128 bits, and would be slower by one that is put together.

use core::num::NonZeroU64;

#[derive(Clone, Copy)]
pub(super) struct Divisor(NonZeroU64);

impl Divisor {
    pub(super) fn new(number: NonZeroU64) -> Divisor {
        Divisor(number)
    }

    #[inline(always)]
    pub(super) fn get(self) -> u64 {
        self.0.get()
    }

    /// Divides, rounding down.
    #[inline(always)]
    pub(super) fn divide(self, dividend: u64) -> u64 {
        dividend / self.0
    }

    /// Divides, rounding up.
    #[inline(always)]
    pub(super) fn divide_up(self, dividend: u64) -> u64 {
        dividend.div_ceil(self.get())
    }
}
