//! Policies as text.

use crate::{field, message};
use ratelimit::ratelimit_status::*;
use ratelimit::*;
use std::ptr::null_mut;

const UNTOUCHED: ratelimit_policy = ratelimit_policy { algorithm: 7, limit: 7, window_ms: 7, refill: 7 };

fn read(text: &[u8], capacity: usize) -> Result<Vec<ratelimit_policy>, (ratelimit_status, usize)> {
    let mut policies = [UNTOUCHED; 4];
    let mut count = usize::MAX;
    let (first, length) = (text.as_ptr().cast(), text.len());
    // Safe because the text and the policies are as many as they say.
    let status = unsafe { ratelimit_policies_from_text(first, length, policies.as_mut_ptr(), capacity, &mut count) };
    match status {
        RATELIMIT_OK => Ok(policies[..count].to_vec()),
        _ => {
            assert_eq!((policies, count), ([UNTOUCHED; 4], usize::MAX), "an answer was written over");
            Err((status, ratelimit_last_error_offset()))
        }
    }
}

fn write(policies: &[ratelimit_policy], capacity: usize) -> Result<String, ratelimit_status> {
    let mut buffer = vec![b'#'; capacity];
    let mut length = usize::MAX;
    let (first, count) = (policies.as_ptr(), policies.len());
    // Safe because the policies and the buffer are as many as they say.
    let status = unsafe { ratelimit_policies_to_text(first, count, buffer.as_mut_ptr().cast(), capacity, &mut length) };
    match status {
        RATELIMIT_OK => {
            assert_eq!(buffer[length], 0, "the text ends in a NUL");
            Ok(String::from_utf8(buffer[..length].to_vec()).expect("the library writes UTF-8"))
        }
        _ => {
            assert!(length == usize::MAX && buffer.iter().all(|byte| *byte == b'#'), "an answer was written over");
            Err(status)
        }
    }
}

#[test]
fn a_stack_is_read_and_written_as_it_reads_back() {
    let text = b"5/second; sliding 30/10s; bucket 10 + 1/m; BUCKET 7 per day";
    let stack = [
        ratelimit_policy { algorithm: 1, limit: 5, window_ms: 1000, refill: 0 },
        ratelimit_policy { algorithm: 3, limit: 30, window_ms: 10_000, refill: 0 },
        ratelimit_policy { algorithm: 2, limit: 10, window_ms: 60_000, refill: 1 },
        ratelimit_policy { algorithm: 2, limit: 7, window_ms: 86_400_000, refill: 7 },
    ];
    assert_eq!(read(text, 4), Ok(stack.to_vec()));
    let written = write(&stack, 256).unwrap();
    assert_eq!(written, "fixed 5/second; sliding 30/10s; bucket 10 + 1/minute; bucket 7 + 7/day");
    assert_eq!(read(written.as_bytes(), 4), Ok(stack.to_vec()));
}

#[test]
fn room_that_is_said_to_be_enough_is_and_less_than_all_is_not() {
    assert_eq!(read(b"1/s; 2/s", 2).map(|policies| policies.len()), Ok(2));
    assert_eq!(read(b"1/s; 2/s", 1), Err((RATELIMIT_BUFFER_TOO_SMALL, RATELIMIT_NO_OFFSET)));
    assert_eq!(message(), "capacity is 1, must be at least 2");
    let longest = ratelimit_policy { algorithm: 2, limit: 142_418, window_ms: 31_622_399_999, refill: u32::MAX.into() };
    let written = write(&[longest; 4], 256).unwrap();
    assert_eq!(write(&[longest; 4], written.len() + 1).as_ref(), Ok(&written));
    assert_eq!(write(&[longest; 4], written.len()), Err(RATELIMIT_BUFFER_TOO_SMALL));
    assert_eq!(write(&[longest; 4], 0), Err(RATELIMIT_BUFFER_TOO_SMALL));
    assert!(written.len() < 256 - 20, "{}", written.len());
}

#[test]
fn bytes_that_are_no_text_are_refused_where_they_stand() {
    let places: [(&[u8], usize); 7] = [
        (b"\xff", 0),
        (b"5/s\xff", 3),
        (b"5/s; \xc3\xa9/s", 5),
        (b"5/s\0", 3),
        (b"5 \xe2\x82 /s", 2),
        (b"x\xff", 0),
        (b"5/s; 5/\xf0\x9f\x92", 7),
    ];
    for (text, offset) in places {
        assert_eq!(read(text, 4), Err((RATELIMIT_POLICY_SYNTAX, offset)), "{text:?}");
    }
}

#[test]
fn only_policies_that_a_limiter_takes_are_written() {
    let policy = ratelimit_policy { algorithm: 1, limit: 5, window_ms: 1000, refill: 0 };
    assert_eq!(write(&[], 256), Err(RATELIMIT_POLICY_COUNT));
    assert_eq!(write(&[policy; 5], 256), Err(RATELIMIT_POLICY_COUNT));
    assert_eq!(write(&[policy, ratelimit_policy { window_ms: 0, ..policy }], 256), Err(RATELIMIT_OUT_OF_RANGE));
    assert_eq!((message(), field()), ("window_ms is 0, must be from 1 to 31622400000", "window_ms"));
    let mut buffer = [0_u8; 256];
    // Safe because the length may be NULL.
    let status = unsafe { ratelimit_policies_to_text(&policy, 1, (&raw mut buffer).cast(), 256, null_mut()) };
    assert_eq!((status, &buffer[..15]), (RATELIMIT_OK, b"fixed 5/second\0".as_slice()));
}
