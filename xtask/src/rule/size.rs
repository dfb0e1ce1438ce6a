//! A file is one noun and a line fits a screen: files end at 500 lines, lines at 120 signs.

use crate::finding::Finding;
use crate::tree::Tree;

const CODE: [&str; 10] = ["rs", "py", "ts", "mjs", "js", "go", "java", "c", "h", "hpp"];
const MOST_LINES: usize = 500;
const MOST_SIGNS: usize = 120;

/// Files that may be longer, and why.
const LONG: [(&str, &str); 1] = [("include/ratelimit.h", "the whole manual, written from bindings/c")];

pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    let mut found = Vec::new();
    for file in tree.ending(&CODE) {
        let lines = file.text.lines().count();
        let allowed = LONG.iter().any(|(path, _)| *path == file.path);
        if lines > MOST_LINES && !allowed {
            found.push(Finding::new(&file.path, 0, format!("{lines} lines: more than {MOST_LINES}, is it one noun?")));
        }
        for (at, line) in file.text.lines().enumerate() {
            let signs = line.chars().count();
            if signs > MOST_SIGNS {
                found.push(Finding::new(&file.path, at + 1, format!("{signs} signs: more than {MOST_SIGNS}")));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_may_have_500_lines_and_not_501() {
        assert!(check(&Tree::of(&[("core/src/key.rs", &"a\n".repeat(500))])).is_empty());
        assert_eq!(check(&Tree::of(&[("core/src/key.rs", &"a\n".repeat(501))])).len(), 1);
    }

    #[test]
    fn a_line_may_have_120_signs_and_not_121_counted_as_a_reader_would() {
        assert!(check(&Tree::of(&[("a.py", &"é".repeat(120))])).is_empty());
        assert_eq!(check(&Tree::of(&[("a.py", &format!("\n{}", "a".repeat(121)))]))[0].line, 2);
    }

    #[test]
    fn prose_and_data_have_their_own_lengths() {
        assert!(check(&Tree::of(&[("README.md", &"a ".repeat(400)), ("a.json", &"1\n".repeat(900))])).is_empty());
    }
}
