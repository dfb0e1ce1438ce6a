//! Policies as any bytes.

use crate::twin::core;
use ratelimit::*;
use ratelimit_core::Policy;

const NOTHING: ratelimit_policy = ratelimit_policy { algorithm: -7, limit: 7, window_ms: 77, refill: 777 };

fn read(text: &[u8]) -> Result<Vec<ratelimit_policy>, i32> {
    let mut policies = [NOTHING; RATELIMIT_MAX_POLICIES];
    let mut count = usize::MAX;
    let (first, length, place) = (text.as_ptr().cast(), text.len(), policies.as_mut_ptr());
    // Safe because the text and the policies are as many as they say.
    let status = unsafe { ratelimit_policies_from_text(first, length, place, policies.len(), &mut count) } as i32;
    if status == 0 {
        return Ok(policies[..count].to_vec());
    }
    assert_eq!((policies, count), ([NOTHING; RATELIMIT_MAX_POLICIES], usize::MAX));
    Err(status)
}

/// Reads bytes as policies in C and in core, and what is written of them again.
pub fn run(bytes: &[u8]) {
    let mut limiter = std::ptr::null_mut();
    // Safe because the text is as long as it says.
    let made = unsafe { ratelimit_new_from_text(bytes.as_ptr().cast(), bytes.len(), &mut limiter) } as i32;
    // Safe because NULL may be freed.
    assert_eq!(unsafe { ratelimit_free(limiter) } as i32, 0);
    match read(bytes) {
        Ok(policies) => {
            let text = std::str::from_utf8(bytes).expect("policies are ASCII");
            let stack: Vec<Policy> = policies.iter().filter_map(core).collect();
            assert_eq!((made, Policy::parse_stack(text)), (0, Ok(stack)));
            let mut buffer = [0xAA_u8; 256];
            let (first, place) = (policies.as_ptr(), (&raw mut buffer).cast());
            let mut length = 0;
            // Safe because the policies and the buffer are as many as they say.
            let status = unsafe { ratelimit_policies_to_text(first, policies.len(), place, 256, &mut length) };
            assert_eq!((status as i32, buffer[length]), (0, 0));
            assert_eq!(read(&buffer[..length]), Ok(policies));
        }
        Err(status) => {
            assert_eq!(made, status);
            let offset = ratelimit_last_error_offset();
            assert!((1..=6).contains(&status) && offset <= bytes.len(), "{status} at {offset}");
            if let Ok(text) = std::str::from_utf8(bytes) {
                let error = Policy::parse_stack(text).expect_err("core reads what C reads");
                assert_eq!((i32::from(error.code()), error.offset()), (status, Some(offset)));
            } else {
                assert!(std::str::from_utf8(&bytes[..offset]).is_ok(), "policies end where text does");
            }
        }
    }
}
