//! The `ratelimit` command as a library.
