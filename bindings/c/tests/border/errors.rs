//! What went wrong last, for each thread.

use crate::{field, free, limiter, message, text};
use ratelimit::ratelimit_status::*;
use ratelimit::*;
use std::cell::Cell;
use std::ptr::null_mut;
use std::sync::mpsc::{Sender, channel};
use std::thread;

fn parse(policies: &str) -> ratelimit_status {
    let mut limiter = null_mut();
    // Safe because the text is as long as it says.
    unsafe { ratelimit_new_from_text(policies.as_ptr().cast(), policies.len(), &mut limiter) }
}

#[test]
fn an_error_names_the_field_the_value_the_rule_and_the_place() {
    assert_eq!(parse("5/minute; 10/0s"), RATELIMIT_OUT_OF_RANGE);
    assert_eq!(message(), "window_ms is 0, must be from 1 to 31622400000 (at offset 13)");
    assert_eq!((field(), ratelimit_last_error_offset()), ("window_ms", 13));
    assert_eq!(parse("5/fortnight"), RATELIMIT_POLICY_SYNTAX);
    assert_eq!((field(), ratelimit_last_error_offset()), ("policies", 2));
    // Safe because NULL is no limiter and is not looked at.
    assert_eq!(unsafe { ratelimit_clear(null_mut()) }, RATELIMIT_NULL_POINTER);
    assert_eq!((field(), ratelimit_last_error_offset()), ("limiter", RATELIMIT_NO_OFFSET));
}

#[test]
fn a_call_that_succeeds_leaves_the_last_error() {
    assert_eq!(parse("5"), RATELIMIT_POLICY_SYNTAX);
    let before = message().to_owned();
    free(limiter("5/minute"));
    assert_eq!(message(), before);
}

#[test]
fn each_thread_has_its_own_error_and_at_first_none() {
    assert_eq!(parse("5"), RATELIMIT_POLICY_SYNTAX);
    let before = message().to_owned();
    let other = thread::spawn(|| {
        let first = (message().to_owned(), field().to_owned(), ratelimit_last_error_offset());
        assert_eq!(parse("0/0s"), RATELIMIT_OUT_OF_RANGE);
        (first, message().to_owned())
    });
    let (first, then) = other.join().unwrap();
    assert_eq!(first, (String::new(), String::new(), RATELIMIT_NO_OFFSET));
    assert_ne!(then, before);
    assert_eq!(message(), before);
}

/// Calls the library when its thread's memory is taken down.
struct Last(Cell<Option<Sender<(ratelimit_status, String)>>>);

impl Drop for Last {
    fn drop(&mut self) {
        let status = parse("at the end");
        let sender = self.0.take().expect("the test gave one");
        sender.send((status, message().to_owned())).expect("the test waits");
    }
}

thread_local! {
    static LAST: Last = const { Last(Cell::new(None)) };
}

#[test]
fn an_error_can_be_read_while_its_thread_ends() {
    let (sender, receiver) = channel();
    let ending = thread::spawn(move || {
        // Made before the library's own, so that it is taken down after it.
        LAST.with(|last| last.0.set(Some(sender)));
        assert_eq!(parse("5"), RATELIMIT_POLICY_SYNTAX);
    });
    ending.join().unwrap();
    let expected = "policies: expected fixed, sliding, bucket or a number (at offset 0)";
    assert_eq!(receiver.recv().unwrap(), (RATELIMIT_POLICY_SYNTAX, expected.to_owned()));
}

#[test]
fn a_message_is_cut_where_its_room_ends() {
    let number = "9".repeat(10_000);
    assert_eq!(parse(&format!("{number}/s")), RATELIMIT_OUT_OF_RANGE);
    assert_eq!(message().len(), 511);
    assert!(message().starts_with("limit is 9999"));
    assert_eq!(field(), "limit");
}

#[test]
fn each_status_has_a_text_of_its_own_and_other_numbers_have_one_too() {
    let known = (0..=8).chain(100..=107);
    let mut texts: Vec<&str> = known.map(|status| text(ratelimit_status_text(status))).collect();
    for other in [-1, 9, 99, 108, i32::MAX, i32::MIN] {
        assert_eq!(text(ratelimit_status_text(other)), "unknown status");
    }
    texts.push("unknown status");
    let count = texts.len();
    texts.sort_unstable();
    texts.dedup();
    assert_eq!(texts.len(), count);
    assert!(texts.iter().all(|text| !text.is_empty()));
}

#[test]
fn the_library_says_its_version() {
    assert_eq!(text(ratelimit_version()), env!("CARGO_PKG_VERSION"));
    assert_eq!(ratelimit_abi_version(), RATELIMIT_ABI_VERSION);
}
