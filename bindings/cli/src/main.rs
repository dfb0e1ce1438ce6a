//! The `ratelimit` command.
fn main() {}
