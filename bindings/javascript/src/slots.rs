//! The numbers that lie between JavaScript and core. `node/src/engine.ts` names the same places.

/// Numbers that both sides read and write.
pub type Slots = [f64; SLOTS];

/// How many numbers there are.
pub const SLOTS: usize = LIST + LIST_LENGTH;

/// Answer of a verb: a number, or -1 if it failed.
pub(crate) const ANSWER: usize = 0;
/// First number of the decision that a refund is given.
pub(crate) const GIVEN: usize = 0;
/// The limiter.
pub(crate) const LIMITER: usize = 8;
/// The cost; for a new limiter its cap, not a number if it is to be the default; 1 if what is refused is an integer.
pub(crate) const COST: usize = 9;
/// The time; not a number if the limiter's own clock is to be read.
pub(crate) const NOW: usize = 10;
/// How many keys or parts the bytes hold; less than 0 if they are one plain key.
pub(crate) const COUNT: usize = 11;
/// First number of a list: of policies, four numbers each, of counts, or of the decisions of a batch or of one check.
pub(crate) const LIST: usize = 12;

/// Numbers whose places one decision takes.
pub(crate) const DECISION_LENGTH: usize = 8;
/// Numbers of one policy: its algorithm and its fields.
pub(crate) const POLICY_LENGTH: usize = 4;
/// Keys that one batch may have.
pub const BATCH: usize = 64;
const LIST_LENGTH: usize = BATCH * DECISION_LENGTH;
