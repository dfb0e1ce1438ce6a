//! Memory that a limiter holds on to.

use crate::limiter;
use crate::meter::live_bytes;
use ratelimit_core::{DEFAULT_MAX_IDENTITIES, Limiter, Policy};
use std::time::Duration;

const SECOND: Duration = Duration::from_secs(1);

fn policies() -> [Policy; 3] {
    [Policy::fixed_window(5, SECOND), Policy::token_bucket(5, 5, SECOND), Policy::sliding_window(5, SECOND)]
}

/// The bytes that the limiter holds after its first call is forgotten again.
fn empty_bytes(stack: &[Policy], max_identities: u64) -> (Limiter, i64) {
    let before = live_bytes();
    let limiter = limiter(stack, max_identities);
    limiter.check("ada");
    limiter.clear();
    let bytes = live_bytes() - before;
    (limiter, bytes)
}

#[test]
fn an_empty_limiter_costs_little_memory_under_any_cap() {
    for (max_identities, most_bytes) in
        [(1, 1 << 10), (DEFAULT_MAX_IDENTITIES, 32 << 10), (1_000_000, 256 << 10), (u32::MAX.into(), 256 << 10)]
    {
        for stack in [&policies()[..1], &policies()[2..], &policies()] {
            let (_limiter, bytes) = empty_bytes(stack, max_identities);
            println!("{bytes} bytes under a cap of {max_identities}, {} policies", stack.len());
            assert!(bytes <= most_bytes, "{bytes} bytes under a cap of {max_identities}");
        }
    }
}

fn flood(limiter: &Limiter, keys: u64, calls: u64) {
    for key in 0..keys {
        for now_ms in 0..calls {
            assert!(limiter.check_at(key.to_le_bytes(), now_ms, 1).is_ok_and(|decision| decision.is_allowed()));
        }
    }
}

fn sweep_at(now_ms: u64, limiter: &Limiter) -> u64 {
    limiter.sweep_at(now_ms).expect("the time is in range")
}

#[test]
fn memory_comes_back_after_a_flood_was_swept() {
    for policy in policies() {
        let (limiter, empty) = empty_bytes(std::slice::from_ref(&policy), DEFAULT_MAX_IDENTITIES);
        let before = live_bytes();
        flood(&limiter, DEFAULT_MAX_IDENTITIES, 1);
        let full = live_bytes() - before;
        assert_eq!(sweep_at(10_000, &limiter), DEFAULT_MAX_IDENTITIES);
        let swept = live_bytes() - before;
        println!("{full} bytes more full, {swept} more swept, {empty} empty: {policy}");
        assert!(full > 24 * 100_000, "100 000 rows weigh more than that: {full} bytes");
        assert!(swept <= empty, "{swept} bytes stayed of {full}");
    }
}

/// A table that every burst of calls fills anew does not give its memory back in between, only to grow again. Keys of
/// each size have a table of their own.
#[test]
fn the_sweeps_of_calls_give_memory_back_when_it_was_not_needed_since_the_last_one() {
    for (policy, length) in policies().into_iter().zip([8, 30, 60]) {
        let (limiter, _) = empty_bytes(std::slice::from_ref(&policy), DEFAULT_MAX_IDENTITIES);
        let before = live_bytes();
        let allow = |number: u64, now_ms| {
            let key: Vec<u8> = number.to_le_bytes().into_iter().cycle().take(length).collect();
            assert!(limiter.check_at(key, now_ms, 1).is_ok_and(|decision| decision.is_allowed()));
        };
        let held_after = |now_ms| {
            allow(7, now_ms);
            assert_eq!(limiter.len(), 1, "a sweep that is begun is finished by who wants to know the number");
            live_bytes() - before
        };
        (0..50_000).for_each(|number| allow(number, 0));
        let full = live_bytes() - before;
        let (once, twice) = (held_after(10_000), held_after(20_000));
        println!("{full} bytes full, {once} after a sweep, {twice} after another: {length} bytes, {policy}");
        assert!(once > full / 2 && twice < full / 100, "{once} and {twice} bytes of {full} stayed");
    }
}

/// Each burst's keys are of another length than the last one's, whose memory the tables still hold when it begins.
#[test]
fn bursts_of_keys_of_other_lengths_take_no_more_than_what_is_stated() {
    for policy in policies() {
        let before = live_bytes();
        let limiter = limiter(std::slice::from_ref(&policy), 50_000);
        let most = i64::try_from(limiter.max_bytes_per_identity() * limiter.max_identities()).expect("fits");
        let mut held = [0; 6];
        for ((burst, length), held) in (0_u64..).zip([60, 30, 8, 60, 8, 30]).zip(&mut held) {
            for number in 0..50_000_u64 {
                let key: Vec<u8> = (burst << 32 | number).to_le_bytes().into_iter().cycle().take(length).collect();
                let decision = limiter.check_at(key, 10_000 * burst, 1);
                assert!(decision.is_ok_and(|decision| decision.is_allowed()));
                *held = (*held).max(live_bytes() - before);
            }
        }
        println!("{held:?} bytes in bursts, of {most}: {policy}");
        assert!(held.iter().all(|&held| held <= most), "{held:?} bytes of {most}");
    }
}

/// Five grants outgrow a row of a sliding window, so each key has a log too.
#[test]
fn the_logs_memory_comes_back_after_a_flood_was_swept() {
    let (limiter, empty) = empty_bytes(&[Policy::sliding_window(5, SECOND)], DEFAULT_MAX_IDENTITIES);
    let before = live_bytes();
    flood(&limiter, 20_000, 5);
    let full = live_bytes() - before;
    assert_eq!(sweep_at(10_000, &limiter), 20_000);
    let swept = live_bytes() - before;
    println!("{full} bytes more full, {swept} more swept, {empty} empty");
    assert!(swept <= empty, "{swept} bytes stayed of {full}");
}

/// A few keys that still owe something do not hold on to the memory of the others. Of sliding windows the list of logs
/// stays as long as it was, with nothing in it, while a stripe keeps any.
#[test]
fn a_few_rows_that_stay_after_a_flood_hold_little_memory() {
    for policy in policies() {
        let (limiter, empty) = empty_bytes(std::slice::from_ref(&policy), DEFAULT_MAX_IDENTITIES);
        let before = live_bytes();
        flood(&limiter, 50_000, 5);
        let full = live_bytes() - before;
        let stays =
            |key: u64| limiter.check_at(key.to_le_bytes(), 10_000, 1).is_ok_and(|decision| decision.is_allowed());
        assert!((0..50_000).step_by(500).all(stays));
        sweep_at(10_000, &limiter);
        assert_eq!(limiter.len(), 100);
        let swept = live_bytes() - before;
        println!("{full} bytes more full, {swept} with 100 rows left, {empty} empty: {policy}");
        let is_sliding = matches!(policy, Policy::SlidingWindow { .. });
        assert!(swept <= if is_sliding { full / 4 } else { full / 100 }, "{swept} bytes stayed of {full}");
    }
}

#[test]
fn the_log_of_a_key_that_is_reset_comes_back() {
    let limiter = limiter(&[Policy::sliding_window(1000, SECOND)], 1000);
    flood(&limiter, 1, 1);
    let before = live_bytes();
    flood(&limiter, 1, 900);
    let full = live_bytes() - before;
    assert!(limiter.reset(0_u64.to_le_bytes()));
    let reset = live_bytes() - before;
    assert!(full > 8_000 && reset < 500, "{full} bytes more full, {reset} after it was reset");
}

#[test]
fn a_dropped_limiter_leaves_nothing_behind() {
    let before = live_bytes();
    for policy in policies() {
        let limiter = limiter(&[policy], DEFAULT_MAX_IDENTITIES);
        flood(&limiter, 1000, 5);
    }
    assert_eq!(live_bytes(), before);
}

/// Entries that are out make room for new ones, and room for many is given back when few are left.
#[test]
fn the_log_of_a_busy_key_stays_within_what_is_stated_and_shrinks_again() {
    let limiter = limiter(&[Policy::sliding_window(1_000, SECOND)], 10);
    let before = live_bytes();
    let most = i64::try_from(limiter.max_bytes_per_identity()).expect("fits");
    let held = || live_bytes() - before;
    let check = |now_ms| assert!(limiter.check_at("ada", now_ms, 1).is_ok_and(|decision| decision.is_allowed()));
    for now_ms in 0..10_000 {
        check(now_ms);
        assert!(held() <= most, "{} bytes of {most}", held());
    }
    let busy = held();
    (0..40).for_each(|call| check(20_000 + 100 * call));
    println!("{busy} bytes while busy, {} after it", held());
    assert!(busy > 8_000 && held() < busy / 4, "{} bytes of {busy} stayed", held());
}

#[test]
fn permits_of_one_millisecond_take_one_entry() {
    let limiter = limiter(&[Policy::sliding_window(10_000, SECOND)], 10);
    let before = live_bytes();
    for call in 0..10_000 {
        assert!(limiter.check_at("ada", call / 2_000, 1).is_ok_and(|decision| decision.is_allowed()));
    }
    assert!(live_bytes() - before < 4_000, "{} bytes for five milliseconds", live_bytes() - before);
}

/// Stripes that all doubled at once would take 129 bytes a key after it, and 75.
#[test]
fn a_key_takes_about_as_much_memory_at_any_number_of_keys() {
    let per_second = [Policy::fixed_window(5, SECOND)];
    for (length, most) in [(40, 110), (15, 75)] {
        let before = live_bytes();
        let limiter = limiter(&per_second, 200_000);
        let mut worst = 0;
        for key in 0..200_000_i64 {
            assert!(limiter.check_at(format!("{key:0length$}"), 0, 1).is_ok_and(|decision| decision.is_allowed()));
            if key >= 50_000 {
                worst = worst.max((live_bytes() - before) / key);
            }
        }
        println!("{worst} bytes a key of {length} bytes at worst");
        assert!(worst <= most, "{worst} bytes a key of {length} bytes");
    }
}

/// Long keys, and sliding windows whose every grant is remembered, at all fills from one doubling of the tables to the
/// next.
#[test]
fn no_key_takes_more_than_the_most_that_is_stated() {
    for policy in policies() {
        let limiter = limiter(std::slice::from_ref(&policy), DEFAULT_MAX_IDENTITIES);
        let before = live_bytes();
        let most = i64::try_from(limiter.max_bytes_per_identity()).expect("fits");
        for key in 0..8_000_i64 {
            for now_ms in 0..5 {
                assert!(limiter.check_at(format!("{key:050}"), now_ms, 1).is_ok_and(|decision| decision.is_allowed()));
            }
            let bytes = live_bytes() - before;
            assert!(key < 2_000 || bytes <= most * key, "{bytes} bytes of {key} keys, {most} a key: {policy}");
        }
    }
}

/// A row that goes can leave a mark in its place, and marks fill a table as rows do. So few keys lie in one stripe.
#[test]
fn keys_that_come_and_go_take_no_more_than_what_is_stated() {
    for (max_identities, length) in [(230, 60), (300, 60), (440, 60), (300, 30), (2_000, 60)] {
        let limiter = limiter(&[Policy::fixed_window(5, SECOND)], max_identities);
        let before = live_bytes();
        // Each table ends with a part of a place.
        let most = i64::try_from(limiter.max_bytes_per_identity() * max_identities).expect("fits") + 200;
        let key = |number: u64| format!("{number:0length$}");
        for number in 0..30 * max_identities {
            assert!(number < max_identities || limiter.reset(key(number - max_identities)));
            assert!(limiter.check_at(key(number), 0, 1).is_ok_and(|decision| decision.is_allowed()));
            let held = live_bytes() - before;
            assert!(held <= most, "{held} bytes of {most} for {max_identities} keys of {length} bytes");
        }
    }
}
