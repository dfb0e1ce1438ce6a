//! Any calls with any arguments: each status is the one that is due, and each answer core's.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    ratelimit_c_fuzz::calls::run(bytes);
});
