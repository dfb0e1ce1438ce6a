//! No test is skipped or sleeps, and no code is left for later.

use crate::finding::Finding;
use crate::markdown::Page;
use crate::rust::{self, WordKind};
use crate::tree::{SourceFile, Tree};

/// Ways to skip, to check nothing or to sleep in languages that are read line by line, by extension.
const PHRASES: [(&str, &[&str]); 5] = [
    (
        "py",
        &[
            "@unittest.skip",
            "@unittest.expectedFailure",
            "self.skipTest",
            "pytest.mark.skip",
            "time.sleep(",
            "xfail",
            "assert True",
        ],
    ),
    ("js", &["it.skip", "test.skip", "describe.skip", "test.todo"]),
    ("mjs", &["it.skip", "test.skip", "describe.skip", "test.todo"]),
    ("ts", &["it.skip", "test.skip", "describe.skip", "test.todo"]),
    ("go", &["t.Skip("]),
];

/// Where sleeping is what was asked for: the older Python package's `sleep_and_retry`.
const SLEEPS: &str = "python/ratelimit/decorators.py";

pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    tree.files().iter().filter(|file| file.path != SLEEPS).flat_map(check_file).collect()
}

fn check_file(file: &SourceFile) -> Vec<Finding> {
    match file.extension() {
        "rs" => rust_skips(file),
        "md" => page_skips(file),
        extension => {
            let phrases = PHRASES.iter().find(|(of, _)| *of == extension).map_or(&[][..], |(_, phrases)| *phrases);
            let lines = file.text.lines().enumerate();
            lines
                .filter_map(|(at, line)| {
                    phrases.iter().find(|phrase| line.contains(**phrase)).map(|phrase| (at, phrase))
                })
                .map(|(at, phrase)| {
                    Finding::new(&file.path, at + 1, format!("`{phrase}` skips, checks nothing or sleeps"))
                })
                .collect()
        }
    }
}

/// Whoever waits there for long naps: how long changes no answer.
const LOCKS: &str = "core/src/sync.rs";

fn rust_skips(file: &SourceFile) -> Vec<Finding> {
    let Ok(stream) = rust::tokens(&file.text) else {
        return vec![Finding::new(&file.path, 0, "cannot be read as Rust")];
    };
    let mut found = Vec::new();
    for attribute in rust::attributes(stream.clone()) {
        let conditional = attribute.first().is_some_and(|word| word.text == "cfg_attr");
        let ignore = attribute.iter().take(if conditional { usize::MAX } else { 1 }).find(|word| word.text == "ignore");
        found.extend(ignore.map(|word| Finding::new(&file.path, word.line, "a test that is skipped")));
    }
    let words = rust::words(stream);
    for (at, word) in words.iter().enumerate() {
        let says = match (word.text.as_str(), word.kind) {
            ("todo" | "unimplemented", WordKind::Macro) => "code that is left for later",
            ("true", _) if at > 0 && words[at - 1].text == "assert" => "an assertion that cannot fail",
            ("sleep" | "sleep_ms", _) if file.path != LOCKS => "time is an argument: nothing sleeps",
            _ => continue,
        };
        found.push(Finding::new(&file.path, word.line, format!("`{}`: {says}", word.text)));
    }
    for (at, line) in file.text.lines().enumerate() {
        let comment = line.trim_start();
        let fence = comment.strip_prefix("///").or_else(|| comment.strip_prefix("//!")).map(str::trim_start);
        if fence.and_then(|fence| fence.strip_prefix("```")).is_some_and(is_skipped) {
            found.push(Finding::new(&file.path, at + 1, "an example that is not run"));
        }
    }
    found
}

fn page_skips(file: &SourceFile) -> Vec<Finding> {
    let fences = Page::read(&file.text).fences;
    let skipped = fences.into_iter().filter(|fence| fence.info.starts_with("rust") && is_skipped(&fence.info));
    skipped.map(|fence| Finding::new(&file.path, fence.line, "an example that is not run")).collect()
}

fn is_skipped(info: &str) -> bool {
    info.split(',').any(|attribute| matches!(attribute.trim(), "ignore" | "no_run"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(path: &str, text: &str) -> usize {
        check(&Tree::of(&[(path, text)])).len()
    }

    #[test]
    fn skipped_tests_and_unwritten_code_in_rust_are_found() {
        assert_eq!(count("a.rs", "#[test]\n#[ignore = \"slow\"]\nfn f() {}"), 1);
        assert_eq!(count("a.rs", "#[ignore]\n#[test]\nfn f() {}"), 1);
        assert_eq!(count("a.rs", "#[cfg_attr(miri, ignore)]\n#[test]\nfn f() {}"), 1);
        assert_eq!(count("a.rs", "fn f() { std::thread::sleep(d); }"), 1);
        assert_eq!(count(LOCKS, "fn f() { std::thread::sleep(d); }"), 0);
        assert_eq!(count("a.rs", "fn f() { todo!() }"), 1);
        assert_eq!(count("a.rs", "fn f() { unimplemented!(\"x\") }"), 1);
        assert_eq!(count("a.rs", "fn f() { assert!(true); }"), 1);
        assert_eq!(count("a.rs", "/// ```no_run\n/// f();\n/// ```\nfn f() {}"), 1);
    }

    #[test]
    fn the_same_words_in_strings_comments_and_other_code_are_not() {
        assert_eq!(
            count("a.rs", "// todo!()\n#[allow(unused)]\nfn f(ignore: bool) -> &'static str { \"#[test] #[ignore]\" }"),
            0
        );
        assert_eq!(count("a.rs", "/// ```\n/// f();\n/// ```\nfn f() { assert!(is_true()); }"), 0);
    }

    #[test]
    fn skips_in_other_languages_and_pages_are_found() {
        assert_eq!(count("a.py", "@unittest.skip('x')\ndef f(): pass"), 1);
        assert_eq!(count("a.py", "time.sleep(1)"), 1);
        assert_eq!(count("a.mjs", "test.skip('x', () => {})"), 1);
        assert_eq!(count("a.md", "```rust,no_run\nf();\n```\n"), 1);
        assert_eq!(count("a.md", "```rust\nf();\n```\n"), 0);
    }
}
