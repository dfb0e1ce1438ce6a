//! Commands of the project that need logic.
fn main() {}
