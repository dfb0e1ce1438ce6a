use crate::{common, file, path, ratelimit, root};
use std::fs;

fn drawn(name: &str, args: &[&str]) -> String {
    let svg = path(name);
    ratelimit(&[&["replay", "--plot", svg.to_str().unwrap()], args].concat()).ok();
    fs::read_to_string(&svg).unwrap()
}

#[test]
fn a_plot_names_each_limit_and_its_refusals() {
    let log = root("tests/data/sample.log");
    let svg = drawn("plot-sample.svg", &["--limit", "10/minute", "--limit", "bucket 5 + 1/s", &log]);
    assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"));
    for text in ["fixed 10/minute: 53 refused, 5.2 %", "bucket 5 + 1/second: ", "by ip, per 5 min, UTC", "12:00"] {
        assert!(svg.contains(text), "{text}");
    }
    let lines = ["<polygon", "stroke-width=\"2\""].map(|shape| svg.matches(shape).count());
    assert_eq!(lines, [1, 2], "the requests are an area, and each limit a line");
}

#[test]
fn a_plot_of_one_instant_can_be_drawn() {
    let log = file("plot-instant.log", common("a", 1).repeat(3));
    assert!(drawn("plot-instant.svg", &["--limit", "1/s", &log]).contains("fixed 1/second: 2 refused"));
}

#[test]
fn names_that_are_no_text_cannot_break_the_drawing() {
    let log = file("plot-<&>\"name.log", common("a", 1));
    let svg = drawn("plot-name.svg", &["--limit", "1/s", &log]);
    assert!(svg.contains("plot-&lt;&amp;&gt;"), "{svg}");
}

#[test]
fn nothing_to_draw_is_said() {
    let log = file("plot-nothing.log", common("a", 1));
    let svg = path("plot-nothing.svg");
    let args = ["replay", "--limit", "1/s", "--key", "user", &log, "--plot", svg.to_str().unwrap()];
    let error = ratelimit(&args).failed(2);
    assert!(error.contains("there is nothing to draw") && !svg.exists(), "{error}");
}
