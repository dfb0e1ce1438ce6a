//! JavaScript's numbers as integers, and back.

use crate::failure::Failure;
use alloc::boxed::Box;
use alloc::string::String;
use ratelimit_core::{Error, Field};

const NS_PER_MS: f64 = 1_000_000.0;

/// Reads an integer that is in `field`'s range.
#[allow(clippy::cast_possible_truncation, clippy::cast_precision_loss, reason = "what does not come back is refused")]
#[inline(always)]
pub(crate) fn judged(field: Field, value: f64) -> Result<u64, Box<Failure>> {
    // Signed, since that conversion is one instruction and no field reaches so far.
    let whole = value as i64;
    match u64::try_from(whole) {
        Ok(number) if whole as f64 == value && number >= field.min() && number <= field.max() => Ok(number),
        _ => refuse(field, value),
    }
}

#[cold]
fn refuse(field: Field, value: f64) -> Result<u64, Box<Failure>> {
    Err(Error::out_of_range(field, decimal(whole(field, value)?)).into())
}

/// Reads an integer that core will judge.
#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "the casts saturate, and what does not come back as it was is refused"
)]
pub(crate) fn whole(field: Field, value: f64) -> Result<u64, Box<Failure>> {
    let whole = value as u64;
    if whole as f64 == value {
        return Ok(whole);
    }
    let error = match (value as i64, field) {
        (shown, _) if shown as f64 == value => Error::out_of_range(field, signed(shown)),
        (_, Field::WindowMs | Field::RefillPeriodMs) => {
            Error::NotWholeMilliseconds { field, value_ns: (value * NS_PER_MS) as u128 }
        }
        // JavaScript has refused it before; this holds if it should not have.
        (shown, _) => Error::not_an_integer(field, signed(shown)),
    };
    Err(error.into())
}

/// Writes an integer that is below 2^53 by the contract, as every number of an answer is.
#[allow(clippy::cast_precision_loss, reason = "nothing is lost below 2^53")]
#[inline(always)]
pub(crate) fn shown(value: u64) -> f64 {
    // Signed, since that conversion is one instruction.
    value.cast_signed() as f64
}

/// Writes a number as text, without the machinery of formatting, which is several kilobytes of a wasm module.
pub(crate) fn decimal(mut value: u64) -> String {
    let mut text = String::new();
    loop {
        text.insert(0, char::from(b'0' + u8::try_from(value % 10).unwrap_or_default()));
        value /= 10;
        if value == 0 {
            return text;
        }
    }
}

fn signed(value: i64) -> String {
    let mut text = decimal(value.unsigned_abs());
    if value < 0 {
        text.insert(0, '-');
    }
    text
}

/// Reads a count or a number of ours; what is none is 0.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the cast saturates")]
pub(crate) fn index(value: f64) -> usize {
    value as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    #[test]
    fn a_number_is_the_integer_that_it_shows_or_an_error_with_core_s_words() {
        let reads = |value: f64| judged(Field::Cost, value).map_err(|failure| failure.to_string());
        let out = |value: &str| Err(alloc::format!("cost is {value}, must be from 1 to 4294967295"));
        assert_eq!(reads(1.0), Ok(1));
        assert_eq!(reads(4_294_967_295.0), Ok(4_294_967_295));
        assert_eq!(reads(4_294_967_296.0), out("4294967296"));
        assert_eq!(reads(0.0), out("0"));
        assert_eq!(reads(-0.0), out("0"));
        assert_eq!(reads(-1.0), out("-1"));
        assert!(reads(1.5).is_err() && reads(f64::NAN).is_err() && reads(f64::INFINITY).is_err());
    }
}
