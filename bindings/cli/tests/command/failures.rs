use crate::{command, common, file, path, ratelimit, ratelimit_with, replay};
use serde_json::json;
use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;

#[test]
fn bad_lines_are_counted_and_the_first_are_shown_with_their_reasons() {
    let bad = (1..=7).map(|number| format!("bad line {number}\n")).collect::<String>();
    let log = file("failures-bad.log", common("a", 1) + "{\"time\":1\n" + &bad + &common("a", 2));
    let report = replay(&["--limit", "1/day", &log]);
    assert_eq!([&report["requests"], &report["bad_lines"]], [&json!(2), &json!(8)]);
    let shown = report["first_bad_lines"].as_array().unwrap();
    let lines: Vec<_> = shown.iter().map(|bad| bad["line"].as_u64().unwrap()).collect();
    assert_eq!(lines, [2, 3, 4, 5, 6]);
    assert_eq!(shown[0]["reason"], json!("no JSON: EOF while parsing an object at byte 9"));
    assert_eq!(shown[1], json!({"log": log, "line": 3, "reason": "no [time]"}));
    let table = ratelimit(&["replay", "--limit", "1/day", &log]).ok();
    assert!(table.contains(&format!("8 bad lines:\n  {log}:2: no JSON")), "{table}");
    assert!(table.contains(&format!("  {log}:6: no [time]\n  ...\n")), "{table}");
}

#[test]
fn of_all_logs_together_the_first_five_bad_lines_are_shown() {
    let logs = [1, 2].map(|number| file(&format!("failures-bad-{number}.log"), "bad\n".repeat(4) + &common("a", 1)));
    let report = replay(&["--limit", "1/day", &logs[0], &logs[1]]);
    assert_eq!(report["bad_lines"], json!(8));
    let shown = report["first_bad_lines"].as_array().unwrap();
    let places: Vec<_> =
        shown.iter().map(|bad| (bad["log"].as_str().unwrap(), bad["line"].as_u64().unwrap())).collect();
    let (one, two) = (logs[0].as_str(), logs[1].as_str());
    assert_eq!(places, [(one, 1), (one, 2), (one, 3), (one, 4), (two, 1)]);
}

#[test]
fn what_is_no_log_ends_with_status_2() {
    for (name, bytes, reason) in [
        ("one.txt", b"hello".to_vec(), "its one line is not a common, combined or JSON log's; line 1: neither"),
        ("text.txt", b"hello\nworld, hello\n".to_vec(), "none of 2 lines is a common"),
        ("binary", (0..=255).cycle().take(100_000).collect(), "no log"),
        ("empty.log", Vec::new(), "no log: there are no lines"),
        ("blank.log", b"\n\n".to_vec(), "no log: there are no lines"),
        ("long.txt", "nothing\n".repeat(1_000_000).into_bytes(), "none of 1000 lines"),
    ] {
        let log = file(&format!("failures-{name}"), bytes);
        let error = ratelimit(&["replay", "--limit", "1/day", &log]).failed(2);
        assert!(error.starts_with("error: ") && error.contains(&log) && error.contains(reason), "{error}");
    }
    let error = ratelimit_with(&["replay", "--limit", "1/day", "-"], b"hello\n").failed(2);
    assert!(error.starts_with("error: standard input: no log"), "{error}");
}

#[test]
fn an_empty_log_beside_another_is_fine_but_a_file_that_is_no_log_is_not() {
    let (log, empty) = (file("failures-a.log", common("a", 1)), file("failures-b.log", ""));
    assert_eq!(replay(&["--limit", "1/day", &empty, &log])["requests"], json!(1));
    let text = file("failures-c.txt", "hello\n");
    ratelimit(&["replay", "--limit", "1/day", &log, &text]).failed(2);
}

#[test]
fn a_log_that_is_not_there_is_a_failure_of_reading() {
    let error = ratelimit(&["replay", "--limit", "1/day", "no/such.log"]).failed(1);
    assert!(error.starts_with("error: no/such.log: "), "{error}");
}

#[test]
fn a_limit_that_does_not_parse_is_shown_with_a_caret() {
    let error = ratelimit(&["replay", "--limit", "5/s; 10/0s", "x"]).failed(2);
    assert!(error.contains("window_ms is 0"), "{error}");
    assert!(error.contains("\n  5/s; 10/0s\n          ^\n"), "{error}");
}

#[test]
fn what_cannot_be_asked_ends_with_status_2() {
    let log = file("failures-usage.log", common("a", 1));
    for (args, reason) in [
        (&["--limit", "1/s"][..], "required"),
        (&[&log[..]], "--limit"),
        (&["--limit", "1/s", &log, "--key", "ips"], "is not ip, path"),
        (&["--limit", "1/s", &log, "--ipv6-prefix", "31"], "must be a whole number from 32 to 128"),
        (&["--limit", "1/s", &log, "--ipv6-prefix", "129"], "'129' for '--ipv6-prefix <BITS>': must be a whole number"),
        (&["--limit", "1/s", &log, "--ipv6-prefix", "half"], "must be a whole number from 32 to 128"),
        (&["--limit", "1/s", &log, "--max-identities", "0"], "max_identities is 0, must be from 1 to"),
        (&["--limit", "1/s", &log, "--max-identities", "many"], "must be a whole number from 1 to 4294967295"),
        (&["--limit", "1/s", "--limit", "2/s", &log, "--decisions", "x"], "--decisions takes one --limit, there are 2"),
    ] {
        let error = ratelimit(&[&["replay"], args].concat()).failed(2);
        assert!(error.contains(reason), "{args:?}: {error}");
    }
    assert_eq!(ratelimit(&[]).status, 2);
    assert!(ratelimit(&["man", "nothing"]).failed(2).contains("no subcommand \"nothing\""));
}

#[test]
fn a_file_that_cannot_be_written_is_a_failure() {
    let log = file("failures-write.log", common("a", 1));
    for option in ["--decisions", "--plot"] {
        let error = ratelimit(&["replay", "--limit", "1/s", &log, option, "/no/such/folder/file"]).failed(1);
        assert!(error.starts_with("error: /no/such/folder/file: "), "{error}");
    }
}

/// By another name, through a link and from standard input too.
#[test]
fn a_log_is_never_written_over() {
    let log = file("failures-over.log", common("a", 1));
    let before = std::fs::read(&log).unwrap();
    let link = path("failures-over.link");
    std::fs::hard_link(&log, &link).unwrap();
    let other_name = link.parent().unwrap().join(".").join("failures-over.log");
    for name in [&log, link.to_str().unwrap(), other_name.to_str().unwrap()] {
        for option in ["--decisions", "--plot"] {
            let error = ratelimit(&["replay", "--limit", "1/s", &log, option, name]).failed(2);
            assert!(error.starts_with(&format!("error: {option} would write over a log: ")), "{error}");
        }
    }
    let mut from_stdin = command(&["replay", "--limit", "1/s", "-", "--decisions", &log]);
    let output = from_stdin.stdin(std::fs::File::open(&log).unwrap()).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(std::fs::read(&log).unwrap(), before);
    let one = path("failures-over.out");
    let one = one.to_str().unwrap();
    let error = ratelimit(&["replay", "--limit", "1/s", &log, "--decisions", one, "--plot", one]).failed(2);
    assert!(error.starts_with("error: --plot would write over --decisions: "), "{error}");
}

#[test]
fn nobody_reading_the_output_is_no_failure() {
    let mut child = command(&["completions", "bash"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), &b""[..]));
}

#[test]
fn completions_and_manual_pages_name_every_option() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = ratelimit(&["completions", shell]).ok();
        assert!(script.contains("max-identities") && script.contains("completions"), "{shell}");
    }
    assert!(ratelimit(&["man"]).ok().contains(".TH ratelimit 1"));
    let page = ratelimit(&["man", "replay"]).ok();
    let help = ratelimit(&["replay", "--help"]).ok();
    for option in BufReader::new(help.as_bytes()).lines().map_while(Result::ok) {
        if let Some(name) = option.split_whitespace().find_map(|word| word.strip_prefix("--")) {
            assert!(page.contains(&name.replace('-', "\\-")), "{name}");
        }
    }
    assert!(ratelimit(&["--version"]).ok().starts_with("ratelimit "));
}

/// Gives the command no more memory than a replay of so many lines would need to hold a tenth of them.
#[cfg(target_os = "linux")]
#[test]
fn memory_does_not_grow_with_lines() {
    let line = common("192.0.2.1", 1);
    let script = format!("ulimit -v 40000 && exec {} replay --json --limit 1/day -", env!("CARGO_BIN_EXE_ratelimit"));
    let mut shell = std::process::Command::new("bash");
    shell.args(["-c", &script]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = shell.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let block = line.repeat(10_000);
    let blocks = 60;
    let written = (0..blocks).all(|_| stdin.write_all(block.as_bytes()).is_ok());
    drop(stdin);
    let output = child.wait_with_output().unwrap();
    assert!(written && output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["requests"], json!(blocks * 10_000));
}

#[test]
fn the_bar_is_not_drawn_where_there_is_no_terminal() {
    let log = path("failures-large.log");
    let line = common("192.0.2.1", 1);
    std::fs::write(&log, line.repeat((17 << 20) / line.len())).unwrap();
    ratelimit(&["replay", "--limit", "1/s", log.to_str().unwrap()]).ok();
    std::fs::remove_file(&log).unwrap();
}
