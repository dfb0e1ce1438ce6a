//! Examples in pages are run: every page with Rust in it is named by the crate that compiles them.

use crate::finding::Finding;
use crate::markdown::Page;
use crate::tree::Tree;

/// Makes doc tests of the pages that it names.
const RUNNER: &str = "tests/docs/build.rs";

/// Languages that the tests run, on all pages: Rust by tests/docs, C and console blocks by the Python tests in it, and
/// Python and JavaScript by the tests of their packages.
const RUN: [&str; 5] = ["rust", "c", "console", "js", "python"];
/// Languages that show and are not run.
const SHOWN: [&str; 5] = ["text", "toml", "json", "sh", "diff"];

pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    let runner = tree.get(RUNNER).map_or("", |file| file.text.as_str());
    let mut found = Vec::new();
    for file in tree.ending(&["md"]) {
        let named = runner.contains(&format!("\"{}\"", file.path));
        for fence in Page::read(&file.text).fences {
            let says = match fence.info.split(',').next().unwrap_or_default() {
                "rust" if !named => {
                    format!("an example that {RUNNER} does not name, so that nothing runs it")
                }
                language if RUN.contains(&language) || SHOWN.contains(&language) => continue,
                language => format!("a block in `{language}`: say one of {RUN:?} (run) or {SHOWN:?} (shown)"),
            };
            found.push(Finding::new(&file.path, fence.line, says));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_with_rust_that_nothing_runs_is_found() {
        let page = ("docs/a.md", "```rust\nf();\n```\n");
        assert_eq!(check(&Tree::of(&[page])).len(), 1);
        let runner = (RUNNER, "const PAGES: [&str; 1] = [\"docs/a.md\"];");
        assert!(check(&Tree::of(&[page, runner])).is_empty());
        let other = (RUNNER, "const PAGES: [&str; 1] = [\"core/docs/a.md\"];");
        assert_eq!(check(&Tree::of(&[page, other])).len(), 1);
    }

    #[test]
    fn a_block_without_a_language_is_found() {
        assert_eq!(check(&Tree::of(&[("docs/a.md", "```\nf();\n```\n")])).len(), 1);
        assert!(check(&Tree::of(&[("docs/a.md", "```text\nf();\n```\n```console\n$ ls\n```\n")])).is_empty());
    }
}
