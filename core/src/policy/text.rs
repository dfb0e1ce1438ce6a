//! Policies as text: `100/minute`, `1/second; 5/minute`, `bucket 10 + 1/s`.

use super::Policy;
use crate::decimal::Decimal;
use crate::error::{Error, Field};
use alloc::string::ToString;
use alloc::vec::Vec;
use core::fmt;
use core::time::Duration;

/// Unit of time: its short name, its long one, its milliseconds. The largest first.
const UNITS: [(&str, &str, u64); 5] = [
    ("d", "day", 86_400_000),
    ("h", "hour", 3_600_000),
    ("m", "minute", 60_000),
    ("s", "second", 1_000),
    ("ms", "millisecond", 1),
];

/// Reads a stack: the grammar of the whole text first, then how many parts there are, then their numbers from the left.
pub(super) fn parse(text: &str) -> Result<Vec<Policy>, Error> {
    let mut tokens = Tokens::new(text);
    let mut parts = Vec::new();
    loop {
        parts.push(Part::read(&mut tokens)?);
        if !tokens.take(Token::Sign(b';')) {
            break;
        }
    }
    tokens.end()?;
    if parts.len() > 4 {
        return Err(Error::PolicyCount { count: parts.len(), offset: Some(parts[4].start) });
    }
    let mut policies = Vec::with_capacity(parts.len());
    for part in &parts {
        policies.push(part.policy()?);
    }
    Ok(policies)
}

/// Writes `/minute`, or `/30s`: the largest unit that divides the duration.
pub(super) fn write_period(f: &mut impl fmt::Write, period: Duration) -> fmt::Result {
    let whole = period.subsec_nanos().is_multiple_of(1_000_000);
    let Some(ms) = super::milliseconds_of(period).filter(|ms| whole && *ms > 0) else {
        return write_odd_period(f, period);
    };
    f.write_str("/")?;
    for (short, long, unit_ms) in UNITS {
        if ms == unit_ms {
            return f.write_str(long);
        }
        if ms.is_multiple_of(unit_ms) {
            f.write_str(Decimal::of(ms / unit_ms).as_str())?;
            return f.write_str(short);
        }
    }
    Ok(())
}

/// Writes a period that no policy may have, yet an error message may have to show.
fn write_odd_period(f: &mut impl fmt::Write, period: Duration) -> fmt::Result {
    f.write_str("/")?;
    f.write_str(Decimal::of_wide(period.as_nanos()).as_str())?;
    f.write_str("ns")
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Algorithm {
    Fixed,
    Sliding,
    Bucket,
}

/// A run of digits: where it begins and what it says.
#[derive(Clone, Copy)]
struct Number<'a> {
    offset: usize,
    digits: &'a str,
}

impl Number<'_> {
    /// Returns the value; one that no field's range reaches stands for all that are larger.
    fn value(self) -> u64 {
        self.digits.parse().unwrap_or(u64::MAX)
    }
}

/// One part of a stack, read but not judged.
struct Part<'a> {
    start: usize,
    algorithm: Algorithm,
    limit: Number<'a>,
    refill: Option<Number<'a>>,
    count: Option<Number<'a>>,
    unit_ms: u64,
}

impl<'a> Part<'a> {
    fn read(tokens: &mut Tokens<'a>) -> Result<Part<'a>, Error> {
        let start = tokens.offset();
        let algorithm = match tokens.word() {
            Some(word) if word.eq_ignore_ascii_case("fixed") => Some(Algorithm::Fixed),
            Some(word) if word.eq_ignore_ascii_case("sliding") => Some(Algorithm::Sliding),
            Some(word) if word.eq_ignore_ascii_case("bucket") => Some(Algorithm::Bucket),
            _ => None,
        };
        if algorithm.is_some() {
            tokens.advance();
        }
        let wanted = if algorithm.is_some() { "a number" } else { "fixed, sliding, bucket or a number" };
        let limit = tokens.number().ok_or_else(|| tokens.expected(wanted))?;
        let algorithm = algorithm.unwrap_or(Algorithm::Fixed);
        let refill = match algorithm == Algorithm::Bucket && tokens.take(Token::Sign(b'+')) {
            true => Some(tokens.number().ok_or_else(|| tokens.expected("a number"))?),
            false => None,
        };
        let per = tokens.word().is_some_and(|word| word.eq_ignore_ascii_case("per"));
        if per {
            tokens.advance();
        } else if !tokens.take(Token::Sign(b'/')) {
            return Err(tokens.expected(match algorithm {
                Algorithm::Bucket if refill.is_none() => "'/', 'per' or '+'",
                _ => "'/' or 'per'",
            }));
        }
        let count = tokens.number();
        let unit_ms = tokens.word().and_then(unit_ms).ok_or_else(|| {
            tokens.expected(if count.is_some() {
                "a unit: ms, s, m, h or d"
            } else {
                "a number or a unit: ms, s, m, h or d"
            })
        })?;
        tokens.advance();
        Ok(Part { start, algorithm, limit, refill, count, unit_ms })
    }

    /// Builds the policy; its error points at the number that is at fault.
    fn policy(&self) -> Result<Policy, Error> {
        let period_ms = self.count.map_or(1, Number::value).saturating_mul(self.unit_ms);
        let (limit, period) = (self.limit.value(), Duration::from_millis(period_ms));
        let policy = match self.algorithm {
            Algorithm::Fixed => Policy::fixed_window(limit, period),
            Algorithm::Sliding => Policy::sliding_window(limit, period),
            Algorithm::Bucket => Policy::token_bucket(limit, self.refill.map_or(limit, Number::value), period),
        };
        policy.validate().map_err(|error| self.locate(error))?;
        Ok(policy)
    }

    /// Adds the offset to a number's error, and the number as it was written if it is too long for ours.
    fn locate(&self, mut error: Error) -> Error {
        let number = match error.field() {
            Field::Refill => self.refill.unwrap_or(self.limit),
            Field::WindowMs | Field::RefillPeriodMs => self.count.unwrap_or(self.limit),
            _ => self.limit,
        };
        match &mut error {
            Error::OutOfRange { offset, value, .. } => {
                *offset = Some(number.offset);
                if *value == Decimal::of(u64::MAX).as_str() {
                    *value = number.digits.to_string();
                }
            }
            Error::BucketTooLarge { offset, .. } | Error::SlidingLogTooLong { offset, .. } => {
                *offset = Some(number.offset)
            }
            _ => {}
        }
        error
    }
}

fn unit_ms(word: &str) -> Option<u64> {
    let matches = |name: &str| {
        word.len() == name.len() && word.eq_ignore_ascii_case(name)
            || word.len() == name.len() + 1
                && word.get(..name.len()).is_some_and(|word| word.eq_ignore_ascii_case(name))
                && matches!(word.as_bytes().last(), Some(b's' | b'S'))
    };
    UNITS.iter().find_map(|&(short, long, ms)| {
        let found =
            word.eq_ignore_ascii_case(short) || matches(long) || ms == 60_000 && word.eq_ignore_ascii_case("min");
        found.then_some(ms)
    })
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Token<'a> {
    Number(&'a str),
    Word(&'a str),
    Sign(u8),
    Other,
    End,
}

/// Cuts the text into tokens, one looked at ahead.
struct Tokens<'a> {
    text: &'a str,
    start: usize,
    end: usize,
    current: Token<'a>,
}

impl<'a> Tokens<'a> {
    fn new(text: &'a str) -> Tokens<'a> {
        let mut tokens = Tokens { text, start: 0, end: 0, current: Token::End };
        tokens.advance();
        tokens
    }

    fn advance(&mut self) {
        let bytes = self.text.as_bytes();
        let run = |from: usize, class: fn(&u8) -> bool| bytes[from..].iter().take_while(|byte| class(byte)).count();
        self.start = self.end + run(self.end, |byte| matches!(byte, b' ' | b'\t'));
        let rest = &bytes[self.start..];
        self.end = self.start;
        self.current = match rest.first() {
            None => Token::End,
            Some(byte) if byte.is_ascii_digit() => {
                self.end += run(self.start, u8::is_ascii_digit);
                Token::Number(self.text.get(self.start..self.end).unwrap_or_default())
            }
            Some(byte) if byte.is_ascii_alphabetic() => {
                self.end += run(self.start, u8::is_ascii_alphabetic);
                Token::Word(self.text.get(self.start..self.end).unwrap_or_default())
            }
            Some(&byte @ (b'/' | b'+' | b';')) => {
                self.end += 1;
                Token::Sign(byte)
            }
            Some(_) => Token::Other, // Never taken, so never passed.
        };
    }

    fn offset(&self) -> usize {
        self.start
    }

    fn word(&self) -> Option<&'a str> {
        match self.current {
            Token::Word(word) => Some(word),
            _ => None,
        }
    }

    fn number(&mut self) -> Option<Number<'a>> {
        let Token::Number(digits) = self.current else { return None };
        let offset = self.start;
        self.advance();
        Some(Number { offset, digits })
    }

    fn take(&mut self, token: Token<'a>) -> bool {
        let found = self.current == token;
        if found {
            self.advance();
        }
        found
    }

    fn end(&self) -> Result<(), Error> {
        match self.current {
            Token::End => Ok(()),
            _ => Err(self.expected("';' or the end")),
        }
    }

    fn expected(&self, expected: &'static str) -> Error {
        Error::PolicySyntax { offset: self.start, expected }
    }
}
