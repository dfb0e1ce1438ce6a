//! Any calls with any arguments, each put to core too.

use crate::twin::{Name, Rarely, Rule};
use crate::world::World;
use arbitrary::{Arbitrary, Unstructured};
use ratelimit::RATELIMIT_NOW;

/// More than these of one run would let memory of freed limiters come back.
const MOST_CALLS: usize = 500;

#[derive(Arbitrary, Debug)]
#[allow(missing_docs, reason = "the words are those of the C functions")]
pub enum Call {
    New { first: Rule, more: Vec<Rule>, max_identities: u8, wild: Rarely<u64>, size: Rarely<usize> },
    Free { who: u8, sure: u8 },
    Time { now_ms: u16, wild: Rarely<u64> },
    Check { ask: Ask, more: u8 },
    Peek { ask: Ask },
    CheckMany { ask: Ask, names: Vec<Name> },
    Remaining { ask: Ask },
    Refund { ask: Ask, back: u8, kind: Rarely<i32>, policy: Rarely<u32> },
    Reset { ask: Ask },
    Sweep { ask: Ask },
    Look { ask: Ask },
    Clear { who: u8, sure: u8 },
    Join { parts: Vec<Name>, capacity: u8 },
    StatusText { status: i32 },
}

/// The arguments that most calls have.
#[derive(Arbitrary, Debug)]
pub struct Ask {
    pub(crate) who: u8,
    pub(crate) name: Name,
    no_key: Rarely<()>,
    cost: u8,
    wild_cost: Rarely<u64>,
    now_ms: Option<u16>,
    wild_now_ms: Rarely<u64>,
    no_answer: Rarely<()>,
}

impl Ask {
    pub(crate) fn cost(&self) -> u64 {
        self.wild_cost.0.unwrap_or([1, 1, 1, 1, 1, 2, 3, 0][usize::from(self.cost % 8)])
    }

    pub(crate) fn now_ms(&self) -> u64 {
        self.wild_now_ms.0.or(self.now_ms.map(u64::from)).unwrap_or(RATELIMIT_NOW)
    }

    pub(crate) fn no_key(&self) -> bool {
        self.no_key.0.is_some()
    }

    pub(crate) fn no_answer(&self) -> bool {
        self.no_answer.0.is_some()
    }
}

/// Makes the calls that the bytes say, and frees what is left; returns how many calls came so far as to be decided.
pub fn run(bytes: &[u8]) -> usize {
    let mut bytes = Unstructured::new(bytes);
    let mut world = World::new(Rule::arbitrary(&mut bytes).ok());
    let calls = std::iter::from_fn(|| if bytes.is_empty() { None } else { Call::arbitrary(&mut bytes).ok() });
    for call in calls.take(MOST_CALLS) {
        world.call(call);
    }
    world.end()
}
