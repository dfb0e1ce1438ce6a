use crate::{file, path, ratelimit, replay, root};
use ratelimit_core::{Config, Decision, Key, Limiter, Policy};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::fs;
use std::process::Command;

/// The configurations whose digests are kept beside the sample log: digest, limit, key, cost, max_identities.
fn kept() -> Vec<Vec<String>> {
    let text = fs::read_to_string(root("tests/data/sample.digest")).unwrap();
    let rows = text.lines().filter(|line| !line.starts_with('#'));
    rows.map(|line| line.split('\t').map(str::to_owned).collect()).collect()
}

fn args<'a>(row: &'a [String], log: &'a str) -> Vec<&'a str> {
    let mut args = vec!["--limit", &row[1], "--key", &row[2], "--max-identities", &row[4], log];
    if !row[3].is_empty() {
        args.extend(["--cost", &row[3]]);
    }
    args
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn bytes(hex: &Value) -> Vec<u8> {
    let hex = hex.as_str().unwrap();
    (0..hex.len()).step_by(2).map(|at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap()).collect()
}

#[test]
fn the_sample_logs_decisions_are_those_that_were_kept() {
    let log = root("tests/data/sample.log");
    for row in kept() {
        let report = replay(&[args(&row, &log), vec!["--digest"]].concat());
        assert_eq!(report["limits"][0]["digest"], json!(row[0]), "{row:?}");
    }
    assert_eq!(kept().len(), 4);
}

#[test]
fn whoever_makes_the_files_calls_gets_the_file_again() {
    let log = root("tests/data/sample.log");
    for (number, row) in kept().iter().enumerate() {
        let written = path(&format!("decisions-{number}.ndjson"));
        let report = replay(&[args(row, &log), vec!["--digest", "--decisions", written.to_str().unwrap()]].concat());
        let written = fs::read_to_string(&written).unwrap();
        let limit: Config = row[1].parse().unwrap();
        let limiter = Limiter::from_config(limit.max_identities(row[4].parse().unwrap())).unwrap();
        let again: String = written.lines().map(|line| again(&limiter, &serde_json::from_str(line).unwrap())).collect();
        assert_eq!(again, written, "{row:?}");
        assert_eq!(hex(&Sha256::digest(&again)), row[0]);
        assert_eq!(written.lines().count() as u64, report["requests"].as_u64().unwrap());
    }
}

/// Makes the call that a line tells of, as any language would, and writes its line.
fn again(limiter: &Limiter, line: &Value) -> String {
    let (at_ms, cost) = (line["at_ms"].as_u64().unwrap(), line["cost"].as_u64().unwrap());
    let decision = match &line["key"] {
        Value::Array(parts) => limiter.check_at(Key::parts(&parts.iter().map(bytes).collect::<Vec<_>>()), at_ms, cost),
        key => limiter.check_at(bytes(key), at_ms, cost),
    };
    let Decision { kind, policy, limit, remaining, cost, reset_after_ms, retry_after_ms, at_ms, .. } =
        decision.unwrap();
    let retry = retry_after_ms.map_or("null".to_owned(), |ms| ms.to_string());
    format!(
        "{{\"key\":{},\"cost\":{cost},\"at_ms\":{at_ms},\"kind\":\"{kind}\",\"limit\":{limit},\
         \"remaining\":{remaining},\"reset_after_ms\":{reset_after_ms},\
         \"retry_after_ms\":{retry},\"policy\":{policy}}}\n",
        line["key"]
    )
}

#[test]
fn a_digest_needs_no_file_and_stands_for_each_limit() {
    let log = root("tests/data/sample.log");
    let rows = kept();
    let report = replay(&["--digest", "--limit", &rows[0][1], "--limit", "1/day", &log]);
    assert_eq!(report["limits"][0]["digest"], json!(rows[0][0]));
    assert_ne!(report["limits"][1]["digest"], json!(rows[0][0]));
    let table = ratelimit(&["replay", "--digest", "--limit", &rows[0][1], &log]).ok();
    assert!(table.contains(&rows[0][0]), "{table}");
    assert_eq!(replay(&["--limit", "1/day", &log])["limits"][0].get("digest"), None);
}

#[test]
fn the_policies_in_a_replay_are_those_of_the_text() {
    let log = file("decisions-policy.log", crate::common("a", 1).repeat(3));
    let report = replay(&["--limit", "bucket 2 + 1/h; 9/d", &log]);
    assert_eq!(report["limits"][0]["limit"], json!("bucket 2 + 1/hour; fixed 9/day"));
    assert_eq!(Policy::parse_stack("bucket 2 + 1/hour; fixed 9/day").unwrap().len(), 2);
    assert_eq!(report["limits"][0]["denied"], json!(1));
}

#[test]
fn the_sample_log_is_what_its_script_writes() {
    let script = root("tests/data/generate_log.py");
    let made = Command::new("python3").args([&script, "--lines", "1000", "--seed", "7"]).output().unwrap();
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    assert!(made.stdout == fs::read(root("tests/data/sample.log")).unwrap(), "run the script again, then the digests");
}
