//! Any bytes as the text of policies: they read as core reads them, and what is written reads back.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| ratelimit_c_fuzz::texts::run(bytes));
