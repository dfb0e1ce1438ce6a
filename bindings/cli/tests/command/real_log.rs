use crate::{replay, root};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::fs;
use std::path::Path;

/// Ten thousand real requests, which lie beside the project and are not part of it.
const LOG: &str = "../shared/data/access.log";
const LINES: u64 = 10_000;

/// The address and second of the day of May 2015 of each line, read with as little as will do.
fn lines(text: &str) -> Vec<(&str, u64)> {
    text.lines()
        .map(|line| {
            let (address, rest) = line.split_once(' ').unwrap();
            let time = &rest[rest.find('[').unwrap() + 1..];
            let number = |at: usize| time[at..at + 2].parse::<u64>().unwrap();
            assert_eq!(&time[2..12], "/May/2015:");
            (address, ((number(0) * 24 + number(12)) * 60 + number(15)) * 60 + number(18))
        })
        .collect()
}

/// Counts what a fixed window lets through by plain counting under the clock rules: a key's time never goes back behind
/// its last request that passed, nor behind the last sweep, and a sweep is due once a window.
fn fixed_window(lines: &[(&str, u64)], limit: u64, window_s: u64) -> (u64, HashMap<String, u64>) {
    // The month begins at a multiple of every window used here, so its seconds do.
    let sweep_every = window_s.min(60);
    let first = lines[0].1;
    let (mut swept, mut epoch) = (0, 0);
    let mut keys: HashMap<&str, (u64, u64)> = HashMap::new();
    let (mut allowed, mut refused) = (0, HashMap::new());
    for &(address, second) in lines {
        let now_epoch = second.saturating_sub(first) / sweep_every;
        if now_epoch > epoch {
            (epoch, swept) = (now_epoch, second.max(swept));
        }
        let (clock, count) = keys.entry(address).or_insert((0, 0));
        let now = second.max(*clock).max(swept);
        let before = if now / window_s == *clock / window_s { *count } else { 0 };
        if before < limit {
            (*clock, *count) = (now, before + 1);
            allowed += 1;
        } else {
            *refused.entry(address.to_owned()).or_insert(0) += 1;
        }
    }
    (allowed, refused)
}

#[test]
fn ten_thousand_real_requests_come_to_what_plain_counting_says() {
    let log = root(LOG);
    if !Path::new(&log).exists() {
        println!("not run: {LOG} is not there");
        return;
    }
    let text = fs::read_to_string(&log).unwrap();
    let lines = lines(&text);
    assert_eq!(lines.len() as u64, LINES);
    for (limit, count, window_s) in
        [("100/minute", 100, 60), ("20/minute", 20, 60), ("50/hour", 50, 3600), ("3/10s", 3, 10)]
    {
        let report = replay(&["--limit", limit, "--key", "ip", &log]);
        let (allowed, refused) = fixed_window(&lines, count, window_s);
        let ours = &report["limits"][0];
        assert_eq!([&report["requests"], &report["bad_lines"]], [&json!(LINES), &json!(0)]);
        assert_eq!([&ours["allowed"], &ours["denied"]], [&json!(allowed), &json!(LINES - allowed)], "{limit}");
        assert_eq!(ours["identities_refused"], json!(refused.len()), "{limit}");
        for key in ours["most_refused"].as_array().unwrap() {
            assert_eq!(key["refused"], json!(refused[key["key"].as_str().unwrap()]), "{limit}: {key}");
        }
        assert!(allowed < LINES, "{limit} refuses something, or this shows little");
    }
}

#[test]
fn every_limit_decides_on_every_real_request() {
    let log = root(LOG);
    if !Path::new(&log).exists() {
        println!("not run: {LOG} is not there");
        return;
    }
    let limits = ["sliding 30/minute", "bucket 10 + 1/s", "5/s; 1000/day"];
    let mut args: Vec<&str> = limits.iter().flat_map(|limit| ["--limit", limit]).collect();
    args.extend(["--max-identities", "40", &log]);
    let report = replay(&args);
    for limit in report["limits"].as_array().unwrap() {
        let count = |kind: &str| limit.get(kind).and_then(Value::as_u64).unwrap();
        let decided = count("allowed") + count("denied") + count("saturated") + count("exceeds_limit");
        assert_eq!(decided, LINES, "{limit}");
        assert!(count("saturated") > 0 && count("peak_tracked") == 40, "{limit}");
    }
}
