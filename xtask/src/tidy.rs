//! Reads the source and names every place that breaks a rule of the house.

use crate::finding::Finding;
use crate::rule;
use crate::tree::Tree;

type Rule = fn(&Tree) -> Vec<Finding>;

const RULES: [Rule; 11] = [
    rule::arrows::check,
    rule::examples::check,
    rule::floats::check,
    rule::links::check,
    rule::machine::check,
    rule::names::check,
    rule::size::check,
    rule::skips::check,
    rule::targets::check,
    rule::unsafety::check,
    rule::version::check,
];

/// Applies all rules to all files.
pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    RULES.iter().flat_map(|rule| rule(tree)).collect()
}
