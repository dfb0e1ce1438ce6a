use crate::{common, file, ratelimit, replay};
use serde_json::json;

#[test]
fn the_table_has_a_column_for_each_limit() {
    let log = file("report-table.log", (0..6).map(|second| common("192.0.2.1", second)).collect::<String>());
    let table = ratelimit(&["replay", "--limit", "4/minute", "--limit", "sliding 2/3s", &log]).ok();
    let row = |name: &str| {
        let line = table.lines().find(|line| line.starts_with(name)).unwrap();
        line[name.len()..].split_whitespace().filter(|word| *word != "%").map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(row("requests"), ["6", "6"]);
    assert_eq!(row("allowed"), ["4", "66.6", "4", "66.6"]);
    assert_eq!(row("denied"), ["2", "33.3", "2", "33.3"]);
    assert_eq!(row("saturated"), ["0", "0.0", "0", "0.0"]);
    assert_eq!(row("identities seen"), ["1", "1"]);
    assert_eq!(row("peak tracked"), ["1", "1"]);
    assert_eq!(row("decisions a second").len(), 2);
    assert!(!table.contains("exceeds limit") && !table.contains("not limited"), "{table}");
    assert!(table.contains("    line 5  2015-05-17 10:00:04  denied, retry in 56 s  192.0.2.1\n"), "{table}");
    assert!(table.contains("  most refused\n    2 of 6  192.0.2.1\n"), "{table}");
}

#[test]
fn saturation_is_counted_and_the_peak_is_the_cap() {
    let crowd = (0..200).map(|host| common(&format!("192.0.2.{host}"), 1)).collect::<String>();
    let log = file("report-cap.log", crowd + &common("192.0.2.1", 100));
    let report = replay(&["--limit", "4/minute", "--max-identities", "199", &log]);
    let limit = &report["limits"][0];
    assert_eq!([&limit["allowed"], &limit["saturated"]], [&json!(200), &json!(1)]);
    assert_eq!([&report["identities"], &limit["peak_tracked"]], [&json!(200), &json!(199)]);
    assert_eq!(limit["first_refusals"][0]["kind"], json!("saturated"));
}

#[test]
fn the_peak_is_what_was_tracked_at_once_and_not_what_was_seen() {
    // Three, five and two addresses in three minutes: each minute's are forgotten before the next one's come.
    let minutes = [0, 0, 0, 1, 1, 1, 1, 1, 2, 2];
    let line = |(host, minute): (usize, &u32)| common(&format!("192.0.2.{host}"), minute * 60);
    let log = minutes.iter().enumerate().map(line).collect::<String>();
    let report = replay(&["--limit", "4/minute", &file("report-peak.log", log)]);
    assert_eq!([&report["identities"], &report["limits"][0]["peak_tracked"]], [&json!(10), &json!(5)]);
}

#[test]
fn the_longest_waits_are_one_for_each_identity() {
    let calls = [("a", 10), ("a", 20), ("b", 5), ("b", 6), ("b", 30), ("c", 50), ("c", 55), ("d", 1), ("d", 40)];
    let log = file("report-waits.log", calls.map(|(host, second)| common(host, second)).concat());
    let report = replay(&["--limit", "1/minute", &log]);
    let waits = report["limits"][0]["longest_waits"].as_array().unwrap();
    let waits: Vec<_> = waits.iter().map(|wait| json!([wait["key"], wait["line"], wait["retry_after_ms"]])).collect();
    assert_eq!(waits, [json!(["b", 4, 54_000]), json!(["a", 2, 40_000]), json!(["d", 9, 20_000])]);
}

#[test]
fn the_first_three_refusals_are_listed_and_the_five_most_refused_in_order() {
    let calls = (1..=7).flat_map(|host| vec![common(&format!("192.0.2.{host}"), host); host as usize + 1]);
    let log = file("report-lists.log", calls.collect::<String>());
    let limit = &replay(&["--limit", "1/minute", &log])["limits"][0];
    let lines: Vec<_> = limit["first_refusals"].as_array().unwrap().iter().map(|first| &first["line"]).collect();
    assert_eq!(lines, [2, 4, 5]);
    let keys = limit["most_refused"].as_array().unwrap().iter();
    let keys: Vec<_> = keys.map(|key| json!([key["key"], key["refused"], key["requests"]])).collect();
    assert_eq!(keys, [7, 6, 5, 4, 3].map(|host| json!([format!("192.0.2.{host}"), host, host + 1])));
    assert_eq!(limit["identities_refused"], json!(7));
}

#[test]
fn what_a_client_sent_cannot_command_the_terminal() {
    let log = file("report-escape.log", "{\"time\":1,\"ip\":\"\\u001b[2J\"}\n".repeat(2));
    let table = ratelimit(&["replay", "--limit", "1/day", &log]).ok();
    assert!(table.contains("\\u{1b}[2J") && !table.contains('\u{1b}'), "{table}");
}
