use crate::{common, file, replay};
use serde_json::{Value, json};

/// Requests of three users from two addresses, one without a user; the third's address is IPv6.
const JSON: &str = r#"{"time":1,"ip":"192.0.2.1","user":"ann","path":"/a?1","plan":"free","bytes":10}
{"time":1,"ip":"::ffff:192.0.2.1","user":"bo","path":"/a?2","plan":"free","bytes":0}
{"time":1,"ip":"2001:db8::1","user":"-","path":"/b","plan":7,"bytes":30}
{"time":1,"ip":"2001:db8::ffff:1","user":"ann","path":"/b","bytes":null}
"#;

fn most_refused(log: &str, args: &[&str]) -> Value {
    let report = replay(&[&["--limit", "1/day", log], args].concat());
    let keys = report["limits"][0]["most_refused"].as_array().unwrap();
    keys.iter().map(|key| key["key"].clone()).collect()
}

#[test]
fn requests_are_counted_under_the_key_that_was_asked_for() {
    let log = file("keys-json.log", JSON);
    for (key, identities, refused) in [
        ("ip", 2, json!(["192.0.2.1", "2001:db8::/64"])),
        ("path", 2, json!(["/a", "/b"])),
        ("user", 2, json!(["ann"])),
        ("field:plan", 2, json!(["free"])),
        ("field:ip", 4, json!([])),
        ("ip,path", 2, json!([["192.0.2.1", "/a"], ["2001:db8::/64", "/b"]])),
        ("path,user", 3, json!([])),
    ] {
        let report = replay(&["--limit", "1/day", "--key", key, &log]);
        assert_eq!(report["identities"], json!(identities), "{key}");
        assert_eq!(most_refused(&log, &["--key", key]), refused, "{key}");
    }
}

#[test]
fn the_prefix_says_which_ipv6_addresses_are_one_client() {
    let log = file("keys-prefix.log", JSON);
    assert_eq!(most_refused(&log, &["--ipv6-prefix", "32"]), json!(["192.0.2.1", "2001:db8::/32"]));
    assert_eq!(most_refused(&log, &["--ipv6-prefix", "128"]), json!(["192.0.2.1"]));
}

#[test]
fn a_line_without_the_key_is_not_limited_and_counted_apart() {
    let log = file("keys-missing.log", JSON);
    let report = replay(&["--limit", "1/day", "--key", "user", &log]);
    assert_eq!(report["requests"], json!(3));
    assert_eq!(report["not_limited"], json!({"without_key": 1, "without_cost": 0}));
    let report = replay(&["--limit", "1/day", "--key", "field:plan", &log]);
    assert_eq!(report["not_limited"]["without_key"], json!(1));
}

#[test]
fn a_cost_is_what_its_field_says_and_none_or_nothing_is_not_limited() {
    let log = file("keys-cost.log", JSON);
    let report = replay(&["--limit", "25/day", "--cost", "bytes", &log]);
    assert_eq!(report["not_limited"], json!({"without_key": 0, "without_cost": 2}));
    let limit = &report["limits"][0];
    assert_eq!([&limit["allowed"], &limit["exceeds_limit"]], [&json!(1), &json!(1)]);
    assert_eq!(limit["first_refusals"][0]["retry_after_ms"], Value::Null);
    assert_eq!(limit["longest_waits"], json!([]), "waiting does not help, so there is no wait");
}

#[test]
fn a_cost_that_is_no_number_of_permits_makes_a_bad_line() {
    for cost in ["-1", "0.5", "1e3", "4294967296", "\"many\"", "true"] {
        let text = format!("{}{{\"time\":1,\"ip\":\"b\",\"bytes\":{cost}}}\n", JSON);
        let report = replay(&["--limit", "25/day", "--cost", "bytes", &file("keys-bad-cost.log", text)]);
        assert_eq!(report["bad_lines"], json!(1), "{cost}");
        let reason = report["first_bad_lines"][0]["reason"].as_str().unwrap();
        assert!(reason.starts_with(&format!("cost is {}, must be", cost.trim_matches('"'))), "{reason}");
    }
}

#[test]
fn the_fields_of_a_common_log_go_by_names_too() {
    let log = file("keys-common.log", common("192.0.2.1", 1) + &common("192.0.2.2", 2));
    let report = replay(&["--limit", "700/day", "--key", "field:method", "--cost", "bytes", &log]);
    assert_eq!(report["limits"][0]["most_refused"], json!([{"key": "GET", "refused": 1, "requests": 2}]));
    let report = replay(&["--limit", "700/day", "--key", "field:nothing", &log]);
    assert_eq!([&report["requests"], &report["not_limited"]["without_key"]], [&json!(0), &json!(2)]);
}
