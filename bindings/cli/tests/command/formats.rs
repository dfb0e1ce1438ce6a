use crate::{common, file, ratelimit, replay, replay_with};
use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::{Value, json};
use std::io::Write;

/// Four requests of one address within a minute, of which 3/minute refuses the last.
fn four() -> String {
    (0..4).map(|second| common("192.0.2.1", second)).collect()
}

fn packed(text: &str) -> Vec<u8> {
    let mut packer = GzEncoder::new(Vec::new(), Compression::default());
    packer.write_all(text.as_bytes()).unwrap();
    packer.finish().unwrap()
}

fn counts(report: &Value) -> Value {
    json!([report["requests"], report["limits"][0]["allowed"], report["limits"][0]["denied"]])
}

#[test]
fn common_combined_and_json_logs_are_told_apart_by_what_is_in_them() {
    let combined = four().replace(" 500\n", " 500 \"-\" \"agent\"\n");
    let json: String =
        (0..4).map(|ms| format!("{{\"time\":{},\"ip\":\"192.0.2.1\"}}\n", 1_431_857_100_000_u64 + ms)).collect();
    for (name, text, format) in
        [("common", four(), "common"), ("combined", combined, "combined"), ("json", json, "json_lines")]
    {
        let log = file(&format!("formats-{name}.txt"), text);
        let report = replay(&["--limit", "3/minute", &log]);
        assert_eq!(counts(&report), json!([4, 3, 1]), "{name}");
        assert_eq!(report["logs"][0], json!({"name": log, "format": format, "lines": 4, "bad_lines": 0}));
    }
}

#[test]
fn gzip_is_known_by_its_first_bytes_and_may_have_several_members() {
    let four = four();
    let (first, second) = four.split_at(four.len() / 2);
    let log = file("formats-gzip.log", [packed(first), packed(second)].concat());
    assert_eq!(counts(&replay(&["--limit", "3/minute", &log])), json!([4, 3, 1]));
    assert_eq!(counts(&replay_with(&["--limit", "3/minute", "-"], &packed(&four))), json!([4, 3, 1]));
}

#[test]
fn gzip_that_breaks_off_is_a_failure_and_not_the_end_of_the_log() {
    let whole = packed(&four());
    let log = file("formats-broken.gz", &whole[..whole.len() - 10]);
    let error = ratelimit(&["replay", "--limit", "3/minute", &log]).failed(1);
    assert!(error.starts_with(&format!("error: {log}: ")), "{error}");
}

#[test]
fn several_logs_are_one_stream_in_the_order_given() {
    let (one, two) = (file("formats-1.log", four()), file("formats-2.log", common("192.0.2.1", 4)));
    let report = replay_with(&["--limit", "3/minute", &one, "-", &two], four().as_bytes());
    assert_eq!(counts(&report), json!([9, 3, 6]));
    let places: Vec<_> = report["limits"][0]["first_refusals"].as_array().unwrap().iter().collect();
    assert_eq!([&places[0]["log"], &places[0]["line"]], [&json!(one), &json!(4)]);
    assert_eq!([&places[1]["log"], &places[1]["line"]], [&json!("standard input"), &json!(1)]);
}

#[test]
fn line_ends_blank_lines_and_marks_at_the_start_do_not_matter() {
    let text = format!("\u{feff}{}\r\n\n  \n", four().trim_end().replace('\n', "\r\n"));
    let log = file("formats-ends.log", text);
    let report = replay(&["--limit", "3/minute", &log]);
    assert_eq!(counts(&report), json!([4, 3, 1]));
    assert_eq!([&report["logs"][0]["lines"], &report["bad_lines"]], [&json!(6), &json!(0)]);
}

#[test]
fn a_json_logs_time_is_looked_for_where_it_is_said() {
    let line = "{\"time\":\"2015-05-17T10:05:03Z\",\"start\":{\"ms\":1000},\"ip\":\"a\"}\n";
    let log = file("formats-time.log", line);
    assert_eq!(replay(&["--limit", "1/s", &log])["from_ms"], json!(1_431_857_103_000_u64));
    assert_eq!(replay(&["--limit", "1/s", "--time-field", "start.ms", &log])["from_ms"], json!(1_000_000));
}

#[test]
fn times_that_go_back_are_replayed_in_the_order_of_the_lines() {
    let log = file("formats-back.log", [59, 61, 60, 62].map(|second| common("192.0.2.1", second)).concat());
    let report = replay(&["--limit", "2/minute", &log]);
    // The third is decided at the second's time, in the new minute, and fills it.
    assert_eq!(counts(&report), json!([4, 3, 1]));
    assert_eq!(report["limits"][0]["first_refusals"][0]["line"], json!(4));
    assert_eq!([&report["backward"], &report["backward_ms"]], [&json!(1), &json!(1000)]);
}
