//! The rules of the house, one a file: each reads the tree and gives what breaks it.

pub(crate) mod arrows;
pub(crate) mod examples;
pub(crate) mod floats;
pub(crate) mod links;
pub(crate) mod machine;
pub(crate) mod names;
pub(crate) mod size;
pub(crate) mod skips;
pub(crate) mod targets;
pub(crate) mod unsafety;
pub(crate) mod version;
