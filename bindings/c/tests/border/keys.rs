//! Keys of several parts.

use crate::{check, free, key, limiter};
use ratelimit::ratelimit_status::*;
use ratelimit::*;
use ratelimit_core::{AsKey, Key};
use std::ptr::null_mut;

/// Bytes of a long key; an interpreter takes shorter ones.
const LONG: usize = if cfg!(miri) { 1 << 9 } else { 1 << 20 };

fn part(bytes: &[u8]) -> ratelimit_part {
    ratelimit_part { bytes: bytes.as_ptr().cast(), length: bytes.len() }
}

/// Joins into a buffer of this capacity; says what was written.
fn join(parts: &[&[u8]], capacity: usize) -> Result<Vec<u8>, ratelimit_status> {
    let parts: Vec<ratelimit_part> = parts.iter().map(|bytes| part(bytes)).collect();
    let mut buffer = vec![b'#'; capacity];
    let mut length = usize::MAX;
    let (first, count, room) = (parts.as_ptr(), parts.len(), buffer.as_mut_ptr().cast());
    // Safe because the parts and the buffer are as long as they say.
    let status = unsafe { ratelimit_key_join(first, count, room, capacity, &mut length) };
    match status {
        RATELIMIT_OK => {
            assert!(buffer[length..].iter().all(|byte| *byte == b'#'), "more was written than is said");
            buffer.truncate(length);
            Ok(buffer)
        }
        _ => {
            assert!(length == usize::MAX && buffer.iter().all(|byte| *byte == b'#'), "an answer was written over");
            Err(status)
        }
    }
}

#[test]
fn parts_are_joined_as_core_joins_them() {
    let lists: [&[&[u8]]; 6] = [&[], &[b""], &[b"", b""], &[b"a", b"bc"], &[b"ab", b"c"], &[&[0; 1000], b"\xff:1"]];
    for list in lists {
        let joined = join(list, 2000).unwrap();
        assert_eq!(joined, Key::parts(list).as_key().bytes());
    }
}

#[test]
fn a_buffer_has_to_hold_all_and_what_is_said_to_be_enough_is() {
    for list in [&[b"a".as_slice(), b"bc"], &[&[b'x'; LONG], b"".as_slice()]] {
        let joined = join(list, 2 * LONG).unwrap();
        for capacity in 0..joined.len().min(10) {
            assert_eq!(join(list, capacity), Err(RATELIMIT_BUFFER_TOO_SMALL));
        }
        assert_eq!(join(list, joined.len() - 1), Err(RATELIMIT_BUFFER_TOO_SMALL));
        assert_eq!(join(list, joined.len()).as_ref(), Ok(&joined));
        let enough: usize = list.iter().map(|part| part.len() + 21).sum();
        assert_eq!(join(list, enough).as_ref(), Ok(&joined));
    }
    assert_eq!(join(&[], 0), Ok(Vec::new()), "no parts fit no buffer");
}

#[test]
fn parts_that_share_memory_do_not_take_more_than_the_buffer() {
    // A million times a megabyte: what is joined would be a terabyte.
    let long = vec![b'x'; LONG];
    let parts = vec![part(&long); LONG];
    let (mut buffer, mut length) = ([0_u8; 100], 7);
    // Safe because the parts and the buffer are as long as they say.
    let status = unsafe { ratelimit_key_join(parts.as_ptr(), parts.len(), (&raw mut buffer).cast(), 100, &mut length) };
    assert_eq!((status, length), (RATELIMIT_BUFFER_TOO_SMALL, 7));
}

#[test]
fn a_key_of_parts_never_meets_a_plain_one() {
    let limiter = limiter("5/minute");
    let joined = join(&[b"a", b"bc"], 100).unwrap();
    let plain = key(&joined);
    let parts = ratelimit_key { kind: ratelimit_key_kind::RATELIMIT_KEY_PARTS as i32, ..plain };
    assert_eq!(check(limiter, &plain, 0).remaining, 4);
    assert_eq!(check(limiter, &parts, 0).remaining, 4);
    assert_eq!(check(limiter, &parts, 0).remaining, 3);
    let mut rows = 0;
    // Safe because each pointer is to what it says.
    assert_eq!(unsafe { ratelimit_len(limiter, &mut rows) }, RATELIMIT_OK);
    assert_eq!(rows, 2);
    free(limiter);
}

#[test]
fn a_key_may_hold_any_bytes_and_be_long() {
    let limiter = limiter("5/minute");
    for bytes in [b"\0".as_slice(), b"\0\0", b"\xff\xfe", &[7; 64], &[7; 65], &[7; LONG]] {
        assert_eq!(check(limiter, &key(bytes), 0).remaining, 4);
        assert_eq!(check(limiter, &key(bytes), 0).remaining, 3);
    }
    // Safe because NULL is allowed.
    assert_eq!(unsafe { ratelimit_reset(limiter, &key(b"\0"), null_mut()) }, RATELIMIT_OK);
    free(limiter);
}
