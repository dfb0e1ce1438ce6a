use crate::ratelimit;
use serde_json::{Value, json};

fn explain(limit: &str) -> Value {
    serde_json::from_str(&ratelimit(&["explain", "--json", limit]).ok()).unwrap()
}

#[test]
fn a_fixed_window_is_explained_with_its_boundary() {
    let text = ratelimit(&["explain", "100/minute"]).ok();
    for words in [
        "Fixed window: up to 100 in each minute",
        "burst           100 permits at once",
        "sustained       100 permits every minute, about 1.666 a second",
        "worst case      200 within 2 ms around a boundary",
        "empty to full   at the next boundary, at most 1 min",
        "a sweep, which falls due every 1 min",
    ] {
        assert!(text.contains(words), "{words}\n{text}");
    }
    let json = explain("100/minute");
    assert_eq!(json["policies"][0]["most_in_any_span"], json!(200));
    assert_eq!([&json["burst"], &json["sweep_interval_ms"]], [&json!(100), &json!(60_000)]);
}

#[test]
fn a_bucket_and_a_sliding_window_are_explained_by_what_they_are() {
    let text = ratelimit(&["explain", "bucket 10 + 1/30s"]).ok();
    assert!(text.contains("holds up to 10 and gains 1 every 30 s") && text.contains("empty to full   5 min"), "{text}");
    assert!(text.contains("10 at once, and 1 more until 30 s later"), "{text}");
    let text = ratelimit(&["explain", "sliding 3/h"]).ok();
    assert!(text.contains("worst case      3 in any hour: there is no boundary"), "{text}");
    assert_eq!(explain("sliding 3/h")["policies"][0]["most_in_any_span"], json!(3));
}

#[test]
fn a_stack_is_explained_as_a_whole() {
    let text = ratelimit(&["explain", "5/s; 1000/day"]).ok();
    assert!(text.contains("if one refuses, none is charged"), "{text}");
    assert!(text.contains("burst           5 permits at once, the smallest of them"), "{text}");
    assert!(text.contains("sustained       1,000 permits every day, by \"fixed 1000/day\""), "{text}");
    assert!(text.contains("\"fixed 1000/day\" is used up after about 3 min 20 s"), "{text}");
    let json = explain("5/s; 1000/day");
    assert_eq!([&json["slowest"], &json["policies"][1]["used_up_after_ms"]], [&json!(1), &json!(200_000)]);
    assert_eq!([&json["burst"], &json["sweep_interval_ms"]], [&json!(5), &json!(1000)]);
}

#[test]
fn a_policy_that_never_refuses_beside_the_others_is_pointed_out() {
    assert_eq!(explain("10/s; 5/s")["policies"][0]["idle_beside"], json!(1));
    assert_eq!(explain("5/s; 300/min")["policies"][1]["idle_beside"], json!(0));
    assert_eq!(explain("5/s; 299/min")["policies"][1]["idle_beside"], Value::Null);
    assert_eq!(
        explain("5/s; 5/s")["policies"][0]["idle_beside"],
        Value::Null,
        "of two alike the first is the one that works"
    );
    let text = ratelimit(&["explain", "bucket 10 + 1/s; 100/min"]).ok();
    assert!(text.contains("it never refuses: what \"bucket 10 + 1/second\" lets pass"), "{text}");
}

#[test]
fn a_limit_of_nothing_says_so() {
    assert!(ratelimit(&["explain", "0/s"]).ok().contains("It admits nothing"));
}

#[test]
fn memory_is_told_for_a_key_and_for_all_of_them() {
    let json = explain("100/minute");
    let per_key = json["bytes_per_identity_at_worst"].as_u64().unwrap();
    assert_eq!(json["bytes_at_worst"], json!(per_key * 100_000));
    let text = ratelimit(&["explain", "100/minute", "--max-identities", "1"]).ok();
    assert!(text.contains(&format!("at worst about {per_key} bytes with 1 key, the most")), "{text}");
    let error = ratelimit(&["explain", "100/minute", "--max-identities", "0"]).failed(2);
    assert!(error.contains("max_identities is 0"), "{error}");
}

#[test]
fn a_limit_that_does_not_parse_is_shown_with_a_caret() {
    let error = ratelimit(&["explain", "5/parsec"]).failed(2);
    assert!(error.contains("\n  5/parsec\n    ^\n"), "{error}");
}
