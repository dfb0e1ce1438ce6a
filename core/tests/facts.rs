//! What a limiter and a key say of themselves, and that nothing of a key is left out.

use ratelimit_core::{AsKey, Config, Key, KeyRef, Limiter, ManualClock, Policy};
use std::time::Duration;

const SECOND: Duration = Duration::from_secs(1);

fn limiter(policies: &[Policy]) -> Limiter {
    let clock = ManualClock::new(0).expect("0 is in range");
    Limiter::from_config(Config::with_clock(policies, clock)).expect("the policies are in range")
}

#[test]
fn a_limiter_shows_what_it_is_made_of_and_no_key_and_no_seed() {
    let limiter = limiter(&[Policy::sliding_window(5, SECOND)]);
    let made_of = "Limiter { policies: [SlidingWindow { limit: 5, window: 1s }], max_identities: 100000, \
        clock: Clock::Manual(0), .. }";
    assert!(limiter.allow("a key that may be a secret"));
    assert_eq!(format!("{limiter:?}"), made_of);
}

#[test]
fn a_sweep_falls_due_once_a_window_or_a_filling_and_at_least_once_a_minute() {
    for (policies, interval_ms) in [
        (vec![Policy::fixed_window(5, SECOND)], 1_000),
        (vec![Policy::sliding_window(5, 7 * SECOND)], 7_000),
        (vec![Policy::token_bucket(5, 1, SECOND)], 5_000),
        (vec![Policy::fixed_window(5, 3600 * SECOND)], 60_000),
        (vec![Policy::fixed_window(5, 3600 * SECOND), Policy::fixed_window(5, 3 * SECOND)], 3_000),
    ] {
        assert_eq!(limiter(&policies).sweep_interval_ms(), interval_ms, "{policies:?}");
    }
}

/// A row of the longest key in a table that has just grown: 128 places for 49 rows of so many bytes and one of the
/// table's, in one of four widths; without `std` 15 places for 8 rows, as wide as they need; and, of a sliding window,
/// twice as many entries as it can have, of 8 bytes.
#[test]
fn the_most_that_a_key_takes_is_its_row_and_its_longest_logs() {
    let (own, places, rows) = if cfg!(feature = "std") { (1, 128, 49) } else { (0, 15, 8) };
    let wide = |words: u64| if cfg!(feature = "std") { words.next_power_of_two() } else { words };
    let row = |words| ((8 + 8 * wide(words) + 64 + own) * places).div_ceil(rows);
    let log = |entries: u64| 2 * 8 * entries + 32;
    let sliding = |limit, window_ms| Policy::sliding_window(limit, Duration::from_millis(window_ms));
    for (policies, bytes) in [
        (vec![Policy::fixed_window(5, SECOND)], row(1)),
        (vec![Policy::token_bucket(5, 1, SECOND)], row(1)),
        (vec![Policy::fixed_window(5, SECOND), Policy::token_bucket(5, 1, SECOND)], row(2)),
        (vec![sliding(5, 1_000)], row(2) + log(5)),
        (vec![sliding(1_000, 7)], row(2) + log(7)),
        (vec![Policy::fixed_window(5, SECOND), sliding(5, 1_000)], row(3) + log(5)),
        (vec![sliding(5, 1_000), sliding(9, 60_000), sliding(30, 60_000)], row(6) + log(5) + log(9) + log(30)),
    ] {
        assert_eq!(limiter(&policies).max_bytes_per_identity(), bytes, "{policies:?}");
    }
}

#[test]
fn a_key_says_what_it_is() {
    let (plain, parts) = (KeyRef::plain(b"1:a"), KeyRef::parts(b"1:a"));
    assert_eq!((plain.bytes(), plain.is_parts()), (&b"1:a"[..], false));
    assert_eq!((parts.bytes(), parts.is_parts()), (&b"1:a"[..], true));
    assert_eq!(Key::parts(&["a"]).as_key().bytes(), b"1:a");
}

/// Of every length that is kept in another way, and each byte of it.
#[test]
fn keys_that_differ_in_one_byte_or_in_length_are_two() {
    for length in 0..=130 {
        let limiter = limiter(&[Policy::fixed_window(1, SECOND)]);
        let mut key = vec![0x61; length];
        assert!(limiter.allow(&*key));
        for at in 0..length {
            key[at] ^= 1;
            assert!(limiter.allow(&*key), "byte {at} of {length}");
            assert!(!limiter.allow(&*key), "byte {at} of {length}");
            key[at] ^= 1;
        }
        key.push(0);
        assert!(limiter.allow(&*key), "one byte more than {length}");
    }
}

/// A look searches the log for the oldest grant that is not out, from its front on.
#[test]
fn grants_are_out_when_they_are_a_window_old_however_many_at_once() {
    for grants in [1, 2, 3, 4, 5, 6, 7, 8, 9, 31, 32, 33, 200] {
        let limiter = limiter(&[Policy::sliding_window(300, SECOND)]);
        for now_ms in 0..grants {
            assert!(limiter.check_at("ada", now_ms, 1).is_ok_and(|decision| decision.is_allowed()));
        }
        for out in 0..=grants {
            let decision = limiter.peek_at("ada", 999, 300 - grants + out).expect("the numbers are in range");
            assert_eq!(decision.retry_after_ms, Some(out), "{out} of {grants} have to go");
        }
        for out in 0..=grants {
            let left = u32::try_from(300 - (grants - out)).expect("at most 300");
            assert_eq!(limiter.remaining_at("ada", 999 + out), Ok(left), "{out} of {grants} are out");
        }
    }
}

/// When most of a long log is out, the rest moves to less room.
#[test]
fn a_log_that_becomes_short_keeps_what_is_not_out() {
    for grants in [40, 200] {
        let limiter = limiter(&[Policy::sliding_window(300, SECOND)]);
        let check = |now_ms| limiter.check_at("ada", now_ms, 1).expect("the numbers are in range").remaining;
        for now_ms in 0..grants {
            assert_eq!(u64::from(check(now_ms)), 299 - now_ms);
        }
        // Three are left of the first, and one more comes with each call.
        for call in 0..50 {
            let left = 3_u32.saturating_sub(call) + call + 1;
            assert_eq!(check(996 + grants + u64::from(call)), 300 - left, "call {call} after {grants}");
        }
    }
}

/// A log keeps totals only as far as their differences need, so in time they begin anew: here at 2^29 and at 2^36.
#[test]
fn a_log_that_has_seen_any_number_of_permits_still_counts_exactly() {
    for (limit, window_ms) in [(100_000, 101_000), (4_000_000_000, 100_000)] {
        let limiter = limiter(&[Policy::sliding_window(limit, Duration::from_millis(window_ms))]);
        for step in 0..30_000 {
            let now_ms = step * window_ms / 5;
            let decision = limiter.check_at("ada", now_ms, limit / 5).expect("the numbers are in range");
            let left = limit - (step + 1).min(5) * limit / 5;
            assert!(decision.is_allowed() && u64::from(decision.remaining) == left, "{decision:?}");
            assert_eq!(limiter.remaining_at("ada", now_ms).map(u64::from), Ok(left), "of {limit} at {now_ms}");
        }
    }
}

#[test]
fn a_policy_that_is_none_is_still_shown_as_it_is() {
    let fixed = |micros| Policy::fixed_window(5, Duration::from_micros(micros)).to_string();
    assert_eq!(
        [fixed(1_500), fixed(500), fixed(0), fixed(2_000)].join(" "),
        "fixed 5/1500000ns fixed 5/500000ns fixed 5/0ns fixed 5/2ms"
    );
}

#[test]
fn an_error_in_a_text_shows_what_was_wanted_and_the_number_that_is_wrong() {
    for (text, says) in [
        ("bucket 10 x", "'/', 'per' or '+'"),
        ("bucket 10 + 1 x", "'/' or 'per'"),
        ("10 x", "'/' or 'per'"),
        ("99999999999999999999/s", "limit is 99999999999999999999, must"),
        ("1/99999999999d", "window_ms is 8639999999913600000, must"),
    ] {
        let error = Policy::parse_stack(text).map_err(|error| error.to_string());
        assert!(error.as_ref().is_err_and(|error| error.contains(says)), "{text}: {error:?} lacks {says}");
    }
}
