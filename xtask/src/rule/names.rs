//! A file is named for its one noun: names that fit anything are refused.

use crate::finding::Finding;
use crate::tree::Tree;

const VAGUE: [&str; 9] = ["util", "utils", "utility", "manager", "helper", "helpers", "common", "misc", "stuff"];

pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    let mut found = Vec::new();
    for file in tree.files() {
        let words = file.path.split(['/', '_', '-', '.']).map(str::to_lowercase);
        if let Some(word) = words.into_iter().find(|word| VAGUE.contains(&word.as_str())) {
            found.push(Finding::new(&file.path, 0, format!("`{word}` names nothing: call it by what it holds")));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_vague_word_anywhere_in_a_path_is_found() {
        for path in ["core/src/utils.rs", "core/src/common/mod.rs", "tests/test_helpers.py", "core/src/row-manager.rs"]
        {
            assert_eq!(check(&Tree::of(&[(path, "")])).len(), 1, "{path}");
        }
    }

    #[test]
    fn a_word_that_only_contains_one_is_not() {
        assert!(check(&Tree::of(&[("docs/commonmark.md", ""), ("src/management.rs", "")])).is_empty());
    }
}
