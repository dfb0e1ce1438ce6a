//! A few seconds of the fuzzers: fixed seeds, on stable Rust. `make fuzz` goes on from there.

#![allow(unsafe_code, unreachable_pub, reason = "what it shares with the fuzzers calls as C does, and is public there")]

#[path = "../fuzz/src/calls.rs"]
mod calls;
#[path = "../fuzz/src/texts.rs"]
mod texts;
#[path = "../fuzz/src/twin.rs"]
mod twin;
#[path = "../fuzz/src/world.rs"]
mod world;

/// Bytes that look random and are the same each time (SplitMix64).
fn bytes(seed: u64, length: usize) -> Vec<u8> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let next = move || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (state ^ state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ mixed >> 31).to_le_bytes()
    };
    std::iter::repeat_with(next).flatten().take(length).collect()
}

#[test]
fn any_calls_return_the_status_that_is_due_and_the_answers_of_core() {
    let decided: usize = (0..200).map(|seed| calls::run(&bytes(seed, 4096))).sum();
    println!("{decided} decisions");
    assert!(decided > 10_000, "{decided} decisions are too few to show anything");
}

#[test]
fn any_bytes_are_read_as_core_reads_them() {
    const WORDS: [&[u8]; 16] = [
        b"fixed ",
        b"SLIDING ",
        b"bucket ",
        b"/",
        b" per ",
        b"+",
        b"; ",
        b" ",
        b"s",
        b"ms",
        b"minute",
        b"h",
        b"5/m",
        b"0",
        b"17",
        b"\xc3\xa9",
    ];
    for seed in 0..20_000 {
        let bytes = bytes(seed, 12);
        let words: Vec<u8> = bytes.iter().flat_map(|byte| WORDS[usize::from(byte % 16)]).copied().collect();
        texts::run(&words);
        texts::run(&bytes);
    }
}
