//! New keys from many threads under a cap.

use crate::crowd::{crowd, crowd_beside, limiter};
use ratelimit_core::{Kind, Limiter, Policy};
use std::collections::VecDeque;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

const THREADS: u64 = 8;

fn policy() -> Policy {
    Policy::fixed_window(2, Duration::from_secs(1))
}

fn key(thread: u64, number: u64) -> [u8; 8] {
    (thread << 32 | number).to_le_bytes()
}

fn kind_at(limiter: &Limiter, key: [u8; 8], now_ms: u64) -> Kind {
    limiter.check_at(key, now_ms, 1).expect("the numbers are in range").kind
}

/// Runs the threads while one more looks at the number of rows all the time.
fn watched<R: Send>(limiter: &Limiter, run: impl Fn(u64) -> R + Sync) -> Vec<R> {
    let watch = || assert!(limiter.len() <= limiter.max_identities(), "more rows than the cap");
    crowd_beside(THREADS, watch, run)
}

/// Of one stripe and of several.
const CAPS: [u64; 2] = [500, 3000];

#[test]
fn threads_that_mint_keys_get_exactly_as_many_rows_as_the_cap() {
    for cap in CAPS {
        for _ in 0..5 {
            let limiter = limiter(&[policy()], cap);
            let minted = watched(&limiter, |thread| {
                let keys = (0..cap / 4).map(|number| key(thread, number));
                keys.partition::<Vec<_>, _>(|key| match kind_at(&limiter, *key, 0) {
                    Kind::Allowed => true,
                    kind => {
                        assert_eq!(kind, Kind::Saturated);
                        false
                    }
                })
            });
            let (allowed, saturated): (Vec<_>, Vec<_>) = minted.into_iter().unzip();
            let (allowed, saturated) = (allowed.concat(), saturated.concat());
            assert_eq!((limiter.len(), allowed.len() as u64), (cap, cap));
            // Each key that was allowed has a row that remembers it, and no other key has one.
            assert!(allowed.iter().all(|key| limiter.remaining(key) == 1));
            assert!(saturated.iter().all(|key| !limiter.reset(key)));
            assert!(allowed.iter().all(|key| limiter.reset(key)));
            assert_eq!(limiter.len(), 0);
        }
    }
}

/// Counts the rows from outside: a key is held from after its call was allowed until before it is reset, so never more
/// keys are held than there are rows. First all threads want twice the cap together, then each gives up its oldest key
/// for a new one.
#[test]
fn no_instant_sees_more_rows_than_the_cap_while_keys_come_and_go() {
    for cap in [4, 64] {
        let limiter = limiter(&[policy()], cap);
        let (held, most_held) = (AtomicU64::new(0), AtomicU64::new(0));
        let hold = |key: &[u8; 8]| {
            let allowed = kind_at(&limiter, *key, 0) == Kind::Allowed;
            if allowed {
                most_held.fetch_max(held.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
            }
            allowed
        };
        let give_up = |key| {
            held.fetch_sub(1, Ordering::SeqCst);
            assert!(limiter.reset(key), "the row was lost");
        };
        let share = 2 * cap / THREADS;
        let shares: Vec<Mutex<VecDeque<_>>> =
            watched(&limiter, |thread| Mutex::new((0..share).map(|number| key(thread, number)).filter(hold).collect()));
        assert_eq!(held.load(Ordering::SeqCst), cap);
        watched(&limiter, |thread| {
            let mut own = shares[usize::try_from(thread).expect("a handful")].lock().expect("held by this thread only");
            for number in share..4000 {
                own.extend(Some(key(thread, number)).filter(hold));
                if own.len() as u64 > share
                    && let Some(oldest) = own.pop_front()
                {
                    give_up(oldest);
                }
            }
            own.drain(..).for_each(give_up);
        });
        assert_eq!(most_held.into_inner(), cap, "more keys had rows than the cap");
        assert_eq!(limiter.len(), 0);
    }
}

#[test]
fn threads_with_new_keys_get_all_the_room_that_a_due_sweep_makes() {
    for cap in CAPS {
        let limiter = limiter(&[policy()], cap);
        for round in 0..5 {
            // A window later all rows are idle, and the first call makes a sweep due.
            let now_ms = round * 1000;
            let allowed = watched(&limiter, |thread| {
                let keys = (0..cap / 4).map(|number| key(thread + round * THREADS, number));
                keys.filter(|key| kind_at(&limiter, *key, now_ms) == Kind::Allowed).count() as u64
            });
            assert_eq!((allowed.iter().sum::<u64>(), limiter.len()), (cap, cap), "round {round}");
        }
    }
}

/// The table is full but for one row that owes nothing, and a sweep falls due: whoever of the threads makes the room
/// and takes it, the others must find the row that it has made, not an end of the room.
#[test]
fn threads_that_wait_for_the_last_room_for_one_key_are_granted_its_limit() {
    let hour = Duration::from_secs(3600);
    for round in 0..100 {
        let limiter = limiter(&[Policy::fixed_window(THREADS - 2, hour)], 500);
        let decisions: Vec<_> = (0..500).map(|number| limiter.check_at(key(0, number), 0, 1)).collect();
        let first = decisions[round].as_ref().expect("the numbers are in range");
        assert_eq!(limiter.refund_at(key(0, round as u64), first, 0), Ok(1));
        let kinds = crowd(THREADS, |_| kind_at(&limiter, key(1, 0), 60_000));
        let count = |kind| kinds.iter().filter(|&&other| other == kind).count() as u64;
        assert_eq!((count(Kind::Allowed), count(Kind::Denied)), (THREADS - 2, 2), "round {round}: {kinds:?}");
    }
}
