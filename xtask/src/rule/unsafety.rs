//! `unsafe` stands only where ARCHITECTURE.md lists it, each block and impl under a comment that begins "Safe because".
//!
//! An `unsafe fn` asks that of its callers and has its reasons at the blocks within; an attribute has no block.

use crate::finding::Finding;
use crate::rust;
use crate::tree::Tree;

/// Where it may stand, and why there.
const PLACES: [(&str, &str); 4] = [
    ("bindings/c/", "the border to C is made of pointers"),
    ("bindings/node/", "raw calls of Node-API"),
    ("bindings/wasm/", "the border to JavaScript is made of pointers"),
    ("core/tests/allocation/", "a counting allocator implements an unsafe trait"),
];

const REASON: &str = "Safe because";

pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    let mut found = Vec::new();
    for file in tree.ending(&["rs"]) {
        let Ok(stream) = rust::tokens(&file.text) else {
            continue;
        };
        let allowed = PLACES.iter().any(|(place, _)| file.path.starts_with(place));
        let lines: Vec<&str> = file.text.lines().collect();
        let words = rust::words(stream);
        for (at, word) in words.iter().enumerate().filter(|(_, word)| word.text == "unsafe") {
            let next = words.get(at + 1).map_or("", |word| word.text.as_str());
            let promises = !matches!(next, "fn" | "extern") && !lines[word.line - 1].contains("#[unsafe(");
            if !allowed {
                found.push(Finding::new(
                    &file.path,
                    word.line,
                    "`unsafe` outside the places that ARCHITECTURE.md lists",
                ));
            } else if promises && !has_reason(&lines, word.line) {
                found.push(Finding::new(
                    &file.path,
                    word.line,
                    "`unsafe` without a comment that begins \"Safe because\"",
                ));
            }
        }
    }
    found
}

/// Looks at the end of the line itself, then at the comment directly above it; attributes may stand between.
fn has_reason(lines: &[&str], line: usize) -> bool {
    let behind = lines[line - 1].split_once("//").is_some_and(|(_, comment)| begins(comment));
    behind
        || lines[..line - 1]
            .iter()
            .rev()
            .map(|above| above.trim())
            .take_while(|above| above.starts_with("//") || above.starts_with("#["))
            .any(begins)
}

fn begins(comment: &str) -> bool {
    comment.trim_start_matches(['/', '!', ' ']).starts_with(REASON)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(path: &str, source: &str) -> Vec<String> {
        check(&Tree::of(&[(path, source)])).into_iter().map(|finding| finding.to_string()).collect()
    }

    #[test]
    fn unsafe_outside_its_places_is_found_even_with_a_reason() {
        let source = "fn f() {\n    // Safe because nobody looks.\n    unsafe { g() }\n}\n";
        assert_eq!(found("core/src/key.rs", source).len(), 1);
        assert_eq!(found("core/src/key.rs", source)[0].split(':').nth(1), Some("3"));
    }

    #[test]
    fn unsafe_without_its_reason_is_found_in_its_places() {
        assert_eq!(found("bindings/c/src/lib.rs", "// It is fine.\nfn f() {\n    unsafe { g() }\n}\n").len(), 1);
        assert_eq!(found("bindings/c/src/lib.rs", "// Safe because far away.\n\nunsafe impl A for B {}\n").len(), 1);
    }

    #[test]
    fn unsafe_with_its_reason_directly_above_or_behind_passes() {
        let above = "// Safe because the pointer is ours,\n// and lives longer.\n#[inline]\nunsafe impl A for B {}\n";
        assert!(found("bindings/c/src/lib.rs", above).is_empty());
        assert!(found("bindings/c/src/lib.rs", "unsafe { f() } // Safe because it is ours.\n").is_empty());
    }

    #[test]
    fn a_function_that_asks_its_callers_needs_no_reason_of_its_own() {
        let source = "#[unsafe(no_mangle)]\npub unsafe extern \"C\" fn f() {}\nunsafe fn g() {}\n";
        assert!(found("bindings/c/src/lib.rs", source).is_empty());
        assert_eq!(found("core/src/key.rs", source).len(), 3);
    }

    #[test]
    fn the_word_in_a_comment_or_a_lint_is_not_the_keyword() {
        assert!(found("core/src/key.rs", "#![deny(unsafe_code)]\n// no unsafe here\n").is_empty());
    }
}
