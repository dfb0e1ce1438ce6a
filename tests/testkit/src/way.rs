//! The ways in which a world is run.

/// Says how the checks of a world are put to a limiter; whatever the way, the same must come out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// Each check as a check.
    Check,
    /// Each check as a peek first, which must foretell it and count nothing.
    PeekThenCheck,
    /// Each check as a batch of one.
    BatchOfOne,
    /// Checks that follow each other with one cost and time as one batch, after an empty batch that must do nothing.
    BatchOfMany,
    /// One policy twice, as a stack of two.
    Doubled,
}

impl Way {
    /// Lists all ways.
    pub const ALL: [Way; 5] = [Way::Check, Way::PeekThenCheck, Way::BatchOfOne, Way::BatchOfMany, Way::Doubled];

    /// Tells whether a limiter of that many policies can be run in this way.
    #[must_use]
    pub fn fits(self, policies: usize) -> bool {
        self != Way::Doubled || policies == 1
    }

    /// Names the way for people.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Way::Check => "check",
            Way::PeekThenCheck => "peek then check",
            Way::BatchOfOne => "batch of one",
            Way::BatchOfMany => "batch of many",
            Way::Doubled => "doubled",
        }
    }
}
