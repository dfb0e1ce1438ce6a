//! A limit as the command line gives it.

use crate::text;
use ratelimit_core::Policy;
use std::fmt;
use std::str::FromStr;

/// One policy or a stack, read from text; it prints in the one spelling that the core has for it.
#[derive(Clone, Debug)]
pub(crate) struct Limit {
    pub(crate) policies: Vec<Policy>,
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, policy) in self.policies.iter().enumerate() {
            write!(f, "{}{policy}", if index == 0 { "" } else { "; " })?;
        }
        Ok(())
    }
}

impl FromStr for Limit {
    type Err = String;

    /// Reads a limit; the error is the core's, and where it has an offset, the text with a caret under it.
    fn from_str(text: &str) -> Result<Limit, String> {
        let policies = Policy::parse_stack(text).map_err(|error| match error.offset() {
            Some(offset) => format!("{error}\n\n{}", pointed(text, offset)),
            None => error.to_string(),
        })?;
        Ok(Limit { policies })
    }
}

/// Writes the text, and under it a caret at the byte.
fn pointed(text: &str, offset: usize) -> String {
    let before = text.get(..offset).unwrap_or(text);
    let column = text::printable(before.as_bytes()).chars().count();
    format!("  {}\n  {:column$}^", text::printable(text.as_bytes()), "")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_prints_in_one_spelling() {
        let limit: Limit = "5/S;bucket 10+1/s ; sliding 3 per 90s".parse().unwrap();
        assert_eq!(limit.to_string(), "fixed 5/second; bucket 10 + 1/second; sliding 3/90s");
    }

    #[test]
    fn the_caret_stands_under_what_is_wrong() {
        for (text, lines) in [
            ("5/s; 10/0s", "  5/s; 10/0s\n          ^"),
            ("5/s;", "  5/s;\n      ^"),
            ("\t5/parsec", "  \\t5/parsec\n      ^"),
            ("é/s", "  é/s\n  ^"),
        ] {
            let error = text.parse::<Limit>().unwrap_err();
            assert!(error.ends_with(&format!("\n\n{lines}")), "{error}");
        }
    }
}
