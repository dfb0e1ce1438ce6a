//! Any text is either a stack whose own text reads back as the same stack, or an error that points into the text.
//!
//! The text is made of the grammar's own tokens, and now and then of anything else, so that much of it is nearly right.
#![no_main]

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use ratelimit_core::{Config, Limiter, Policy};

const WORDS: [&str; 16] =
    ["fixed ", "SLIDING ", "bucket ", "/", " per ", "+", ";", " ", "s", "ms", "minute", "h", "days", "0", "1", "17"];

#[derive(Arbitrary, Debug)]
enum Token<'a> {
    Word(u8),
    Rate(u16, u8),
    Number(u64),
    Other(&'a str),
}

fuzz_target!(|tokens: Vec<Token<'_>>| {
    let word = |index: u8| WORDS[usize::from(index) % WORDS.len()];
    let text: String = tokens
        .iter()
        .map(|token| match token {
            Token::Word(index) => word(*index).to_owned(),
            Token::Rate(number, unit) => format!("{number}/{}", ["ms", "30s", "m", "h", "2d"][usize::from(*unit) % 5]),
            Token::Number(number) => number.to_string(),
            Token::Other(text) => (*text).to_owned(),
        })
        .collect();
    match Policy::parse_stack(&text) {
        Ok(stack) => {
            let written: Vec<String> = stack.iter().map(ToString::to_string).collect();
            assert_eq!(Policy::parse_stack(&written.join("; ")).as_ref(), Ok(&stack));
            let limiter = Limiter::from_config(Config::stack(stack));
            assert!(limiter.is_ok(), "what parses was judged");
        }
        Err(error) => {
            let offset = error.offset().expect("an error about text says where");
            assert!(offset <= text.len());
            assert!((1..=6).contains(&error.code()));
        }
    }
});
