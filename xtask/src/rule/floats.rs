//! Decisions are integers: nothing in core names a floating point type or writes a fraction.

use crate::finding::Finding;
use crate::rust::{self, WordKind};
use crate::tree::Tree;

pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    let mut found = Vec::new();
    for file in tree.under("core/src") {
        let Ok(stream) = rust::tokens(&file.text) else {
            continue;
        };
        for word in rust::words(stream) {
            let float = match word.kind {
                WordKind::Literal => is_fraction(&word.text),
                WordKind::Name | WordKind::Macro => {
                    matches!(word.text.as_str(), "f16" | "f32" | "f64" | "f128")
                }
            };
            if float {
                found.push(Finding::new(
                    &file.path,
                    word.line,
                    format!("`{}` in core: decisions are integers", word.text),
                ));
            }
        }
    }
    found
}

/// Tells `1.5`, `1e3` and `2f64` from other literals.
fn is_fraction(literal: &str) -> bool {
    let digits = literal.starts_with(|sign: char| sign.is_ascii_digit());
    let other_base = ["0x", "0b", "0o"].iter().any(|prefix| literal.starts_with(prefix));
    digits
        && !other_base
        && literal.chars().any(|sign| matches!(sign, '.' | 'e' | 'E' | 'f'))
        && !literal.ends_with("size")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(source: &str) -> usize {
        check(&Tree::of(&[("core/src/algorithm/fixed_window.rs", source)])).len()
    }

    #[test]
    fn a_float_type_or_a_fraction_in_core_is_found() {
        assert_eq!(count("let a = b as f64;"), 1);
        assert_eq!(count("let a = 1.5;"), 1);
        assert_eq!(count("let a = 1e3;"), 1);
        assert_eq!(count("let a = 2f32;"), 1);
    }

    #[test]
    fn integers_comments_and_fields_are_not() {
        assert_eq!(count("// f64 would lose bits\nlet a = (0xfe, 1_000u64, 3usize, \"1.5\", b.0.1, 1..5);"), 0);
    }

    #[test]
    fn other_crates_may_use_floats() {
        assert!(check(&Tree::of(&[("bindings/cli/src/plot.rs", "let a = 1.5f64;")])).is_empty());
    }
}
