//! The limiter: policies over a table of identities, and a clock.

use crate::algorithm::Rules;
use crate::clock::Clock;
use crate::config::Config;
use crate::decision::Decision;
use crate::error::{Error, Field};
use crate::hash::HashSeed;
use crate::key::{AsKey, KeyRef};
use crate::policy::Policy;
use crate::table::Table;
use alloc::vec::Vec;
use core::fmt;

/// Counts a limiter's decisions by kind, since it was made. Peeks count nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Stats {
    /// Calls that took what they asked for.
    pub allowed: u64,
    /// Calls that a policy refused.
    pub denied: u64,
    /// Calls with a new key that found no room.
    pub saturated: u64,
    /// Calls that asked for more than a limit.
    pub exceeds_limit: u64,
}

/// Decides who may go on: one policy, or a stack of up to four, over at most `max_identities` keys.
///
/// Made once and shared, by reference or in an `Arc`: every method takes `&self`, locks only the key's stripe, and
/// starts no thread or timer. A key that has a row costs no allocation (a sliding window's log grows now and then).
///
/// Where a method has a form in `_at`, that form takes the caller's clock: milliseconds, `0 ..= 2^52-1`. Time never
/// goes back for a key: a decision uses the greatest of the caller's time, that of the key's last allowed call, and
/// that of the last sweep. So a time far in the future freezes keys until then; [`clear`](Limiter::clear) ends it.
///
/// ```
/// use ratelimit_core::Limiter;
///
/// let limiter: Limiter = "100/minute".parse()?;
/// if !limiter.allow("203.0.113.7") {
///     println!("slow down");
/// }
/// # Ok::<(), ratelimit_core::Error>(())
/// ```
#[repr(C)]
pub struct Limiter {
    policies: Vec<Policy>,
    max_identities: u64,
    // Side by side, for every call asks which of each there is.
    clock: Clock,
    rows: Rows,
}

/// The table, by how many words of state its rows have at most. Without `std` one table has rows of any, which is less
/// code.
enum Rows {
    #[cfg(feature = "std")]
    One(Table<1>),
    #[cfg(feature = "std")]
    Two(Table<2>),
    #[cfg(feature = "std")]
    Four(Table<4>),
    Eight(Table<8>),
}

/// Runs something on the limiter's table. A result is best made in there: where it was made outside, the compiler moved
/// the decision into it, and read it for that before the processor had written it.
macro_rules! rows {
    ($limiter:expr, $table:ident => $run:expr) => {
        match &$limiter.rows {
            #[cfg(feature = "std")]
            Rows::One($table) => $run,
            #[cfg(feature = "std")]
            Rows::Two($table) => $run,
            #[cfg(feature = "std")]
            Rows::Four($table) => $run,
            Rows::Eight($table) => $run,
        }
    };
}

impl Limiter {
    /// Makes a limiter of one policy, on the system clock, with the default cap.
    ///
    /// # Errors
    /// If a number of the policy is out of its range; the error names it.
    #[cfg(feature = "std")]
    pub fn new(policy: Policy) -> Result<Limiter, Error> {
        Limiter::from_config(Config::new(policy))
    }

    /// Makes a limiter.
    ///
    /// # Errors
    /// If there are no policies or more than four, or a number is out of its range; the error names it.
    pub fn from_config(config: Config) -> Result<Limiter, Error> {
        let Config { policies, max_identities, clock } = config;
        let rules = Rules::new(&policies)?;
        Field::MaxIdentities.judge(max_identities)?;
        let rows = match rules.words() {
            #[cfg(feature = "std")]
            0..=1 => Rows::One(Table::new(rules, max_identities, draw_seed)),
            #[cfg(feature = "std")]
            2 => Rows::Two(Table::new(rules, max_identities, draw_seed)),
            #[cfg(feature = "std")]
            3..=4 => Rows::Four(Table::new(rules, max_identities, draw_seed)),
            _ => Rows::Eight(Table::new(rules, max_identities, draw_seed)),
        };
        Ok(Limiter { rows, policies, max_identities, clock })
    }

    /// Decides now, and takes one permit if allowed.
    #[inline]
    pub fn check(&self, key: impl AsKey) -> Decision {
        self.decide(key.as_key(), self.clock.now_ms(), 1, true)
    }

    /// Decides now, and takes `cost` permits if allowed.
    ///
    /// # Errors
    /// If `cost` is not in `1 ..= 2^32-1`.
    #[inline]
    pub fn check_cost(&self, key: impl AsKey, cost: u64) -> Result<Decision, Error> {
        Field::Cost.judge(cost)?;
        rows!(self, table => Ok(table.decide(key.as_key(), self.clock.now_ms(), cost, true)))
    }

    /// Decides at `now_ms`, and takes `cost` permits if allowed.
    ///
    /// # Errors
    /// If `now_ms` or `cost` is out of its range; nothing was touched.
    pub fn check_at(&self, key: impl AsKey, now_ms: u64, cost: u64) -> Result<Decision, Error> {
        Field::NowMs.judge(now_ms)?;
        Field::Cost.judge(cost)?;
        rows!(self, table => Ok(table.decide(key.as_key(), now_ms, cost, true)))
    }

    /// Does what [`check`](Limiter::check) does, and says only whether it was allowed.
    #[inline]
    pub fn allow(&self, key: impl AsKey) -> bool {
        self.check(key).is_allowed()
    }

    /// Checks each key in order at one reading of the clock, each on its own, repeats included.
    ///
    /// # Errors
    /// If `cost` is not in `1 ..= 2^32-1`; nothing was touched.
    pub fn check_many<K: AsKey>(&self, keys: &[K], cost: u64) -> Result<Vec<Decision>, Error> {
        Field::Cost.judge(cost)?;
        let mut decisions = Vec::with_capacity(keys.len());
        self.check_each_at(keys, self.clock.now_ms(), cost, |decision| decisions.push(decision))?;
        Ok(decisions)
    }

    /// Does what [`check_many`](Limiter::check_many) does, at `now_ms`, and hands each decision on as soon as it is
    /// made: so it allocates nothing.
    ///
    /// # Errors
    /// If `now_ms` or `cost` is out of its range; nothing was touched.
    ///
    /// ```
    /// use ratelimit_core::Limiter;
    ///
    /// let limiter: Limiter = "2/minute".parse()?;
    /// let mut left = Vec::new();
    /// limiter.check_each_at(&["ada", "bob", "ada"], 0, 1, |decision| left.push(decision.remaining))?;
    /// assert_eq!(left, [1, 1, 0]);
    /// # Ok::<(), ratelimit_core::Error>(())
    /// ```
    pub fn check_each_at<K: AsKey>(
        &self,
        keys: &[K],
        now_ms: u64,
        cost: u64,
        each: impl FnMut(Decision),
    ) -> Result<(), Error> {
        Field::NowMs.judge(now_ms)?;
        Field::Cost.judge(cost)?;
        rows!(self, table => table.decide_many(keys, now_ms, cost, each));
        Ok(())
    }

    /// Returns what [`check`](Limiter::check) would, and takes nothing.
    pub fn peek(&self, key: impl AsKey) -> Decision {
        self.decide(key.as_key(), self.clock.now_ms(), 1, false)
    }

    /// Returns what [`check_cost`](Limiter::check_cost) would, and takes nothing.
    ///
    /// # Errors
    /// If `cost` is not in `1 ..= 2^32-1`.
    pub fn peek_cost(&self, key: impl AsKey, cost: u64) -> Result<Decision, Error> {
        Field::Cost.judge(cost)?;
        rows!(self, table => Ok(table.decide(key.as_key(), self.clock.now_ms(), cost, false)))
    }

    /// Returns what [`check_at`](Limiter::check_at) would, and takes nothing.
    ///
    /// # Errors
    /// If `now_ms` or `cost` is out of its range.
    pub fn peek_at(&self, key: impl AsKey, now_ms: u64, cost: u64) -> Result<Decision, Error> {
        Field::NowMs.judge(now_ms)?;
        Field::Cost.judge(cost)?;
        rows!(self, table => Ok(table.decide(key.as_key(), now_ms, cost, false)))
    }

    /// Returns the largest cost that a check would allow now; 0 if none, also for a new key that finds no room.
    ///
    /// A snapshot: other threads may take permits before its answer is read. To take, [`check`](Limiter::check).
    pub fn remaining(&self, key: impl AsKey) -> u32 {
        let now_ms = self.clock.now_ms();
        rows!(self, table => table.remaining(key.as_key(), now_ms))
    }

    /// Does what [`remaining`](Limiter::remaining) does, at `now_ms`.
    ///
    /// # Errors
    /// If `now_ms` is out of its range.
    pub fn remaining_at(&self, key: impl AsKey, now_ms: u64) -> Result<u32, Error> {
        Field::NowMs.judge(now_ms)?;
        Ok(rows!(self, table => table.remaining(key.as_key(), now_ms)))
    }

    /// Gives back what an allowed decision took, while its window, log entry or unrefilled level still holds it.
    ///
    /// Returns the permits given back: 0 for any other decision, or when time has given them back already. Whatever is
    /// refunded, and however often, nothing rises above its limit.
    ///
    /// ```
    /// use ratelimit_core::Limiter;
    ///
    /// let limiter: Limiter = "2/hour".parse()?;
    /// let decision = limiter.check("ada");
    /// assert_eq!(limiter.refund("ada", &decision), 1);
    /// assert_eq!(limiter.remaining("ada"), 2);
    /// # Ok::<(), ratelimit_core::Error>(())
    /// ```
    pub fn refund(&self, key: impl AsKey, decision: &Decision) -> u32 {
        let now_ms = self.clock.now_ms();
        rows!(self, table => table.refund(key.as_key(), now_ms, decision))
    }

    /// Does what [`refund`](Limiter::refund) does, at `now_ms`.
    ///
    /// # Errors
    /// If `now_ms` is out of its range.
    pub fn refund_at(&self, key: impl AsKey, decision: &Decision, now_ms: u64) -> Result<u32, Error> {
        Field::NowMs.judge(now_ms)?;
        Ok(rows!(self, table => table.refund(key.as_key(), now_ms, decision)))
    }

    /// Forgets a key, and all it owes; says whether it had a row.
    pub fn reset(&self, key: impl AsKey) -> bool {
        rows!(self, table => table.reset(key.as_key()))
    }

    /// Removes every row that owes nothing any more, gives back memory that is much too large for the others, and
    /// returns how many rows went.
    ///
    /// Sweeps also fall due by themselves, and then go on in small slices with the calls that follow; rows that such a
    /// sweep was still to remove are not counted here, and it gives memory back only if the one before it would have.
    pub fn sweep(&self) -> u64 {
        let now_ms = self.clock.now_ms();
        rows!(self, table => table.sweep_at(now_ms))
    }

    /// Does what [`sweep`](Limiter::sweep) does, at `now_ms`: no key is decided at an earlier time after it.
    ///
    /// # Errors
    /// If `now_ms` is out of its range.
    pub fn sweep_at(&self, now_ms: u64) -> Result<u64, Error> {
        Field::NowMs.judge(now_ms)?;
        Ok(rows!(self, table => table.sweep_at(now_ms)))
    }

    /// Returns how many keys have a row, at most [`max_identities`](Limiter::max_identities).
    ///
    /// A sweep that has fallen due is finished first, so this can take a while with many rows.
    pub fn len(&self) -> u64 {
        rows!(self, table => table.len())
    }

    /// Returns whether no key has a row.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the decisions counted since the limiter was made.
    pub fn stats(&self) -> Stats {
        let [allowed, denied, saturated, exceeds_limit] = rows!(self, table => table.counts());
        Stats { allowed, denied, saturated, exceeds_limit }
    }

    /// Forgets every key and every time seen; the counts of [`stats`](Limiter::stats) stay.
    pub fn clear(&self) {
        rows!(self, table => table.clear());
    }

    /// Returns the policies, in the order that a decision's `policy` counts them.
    pub fn policies(&self) -> &[Policy] {
        &self.policies
    }

    /// Returns how many rows may exist.
    pub fn max_identities(&self) -> u64 {
        self.max_identities
    }

    /// Returns the milliseconds from one due sweep to the next: until then a saturated caller is told to wait.
    pub fn sweep_interval_ms(&self) -> u64 {
        rows!(self, table => table.sweep_interval_ms())
    }

    /// Returns the most bytes that one key can take, to size [`max_identities`](Limiter::max_identities) by.
    ///
    /// It is that of a long key in a table that has just grown, its sliding windows' logs at their longest; most take a
    /// half of it, or less.
    ///
    /// ```
    /// use ratelimit_core::Limiter;
    ///
    /// let limiter: Limiter = "100/minute".parse()?;
    /// assert_eq!(limiter.max_bytes_per_identity() * limiter.max_identities(), 21_200_000);
    /// # Ok::<(), ratelimit_core::Error>(())
    /// ```
    pub fn max_bytes_per_identity(&self) -> u64 {
        rows!(self, table => table.max_bytes_per_identity())
    }

    /// Returns the clock.
    pub fn clock(&self) -> &Clock {
        &self.clock
    }

    /// Decides a call whose numbers were judged.
    #[cfg_attr(feature = "std", inline)]
    #[cfg_attr(not(feature = "std"), inline(always))]
    fn decide(&self, key: KeyRef<'_>, now_ms: u64, cost: u64, take: bool) -> Decision {
        rows!(self, table => table.decide(key, now_ms, cost, take))
    }
}

/// Says what the limiter is made of. Nothing of its rows, whose keys may be secrets, nor of the seed of their hash.
impl fmt::Debug for Limiter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Limiter { policies, max_identities, clock, .. } = self;
        let mut debug = f.debug_struct("Limiter");
        debug.field("policies", policies).field("max_identities", max_identities).field("clock", clock);
        debug.finish_non_exhaustive()
    }
}

/// Reads a stack of policies, as [`Policy::parse_stack`] does; on the system clock, with the default cap.
#[cfg(feature = "std")]
impl core::str::FromStr for Limiter {
    type Err = Error;

    fn from_str(text: &str) -> Result<Limiter, Error> {
        text.parse().and_then(Limiter::from_config)
    }
}

#[cfg(feature = "std")]
fn draw_seed() -> HashSeed {
    HashSeed::draw()
}

#[cfg(not(feature = "std"))]
fn draw_seed() -> HashSeed {
    crate::hash::host_seed()
}
