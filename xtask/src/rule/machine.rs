//! Nothing in the project speaks of one machine: no path of a checkout, no host of a registry.

use crate::finding::Finding;
use crate::tree::Tree;

/// Written in parts, so that this file does not hold what it looks for.
const TRACES: [&[&str]; 10] = [
    &["/work", "/"],
    &["/root", "/"],
    &["/farm", "/"],
    &["/tmp", "/brief"],
    &["deb.", "debian.org"],
    &["registry.", "npmjs.org"],
    &["files.", "pythonhosted.org"],
    &["static.", "crates.io"],
    &["index.", "crates.io"],
    &["repo1.", "maven.org"],
];

pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    let traces: Vec<String> = TRACES.iter().map(|parts| parts.concat()).collect();
    let mut found = Vec::new();
    for file in tree.files().iter().filter(|file| !is_lock(&file.path)) {
        for (at, line) in file.text.lines().enumerate() {
            for trace in traces.iter().filter(|trace| holds(line, trace)) {
                found.push(Finding::new(&file.path, at + 1, format!("`{trace}` belongs to one machine or registry")));
            }
        }
    }
    found
}

/// Lock files name the registry they were made from, by their own format.
fn is_lock(path: &str) -> bool {
    path.ends_with(".lock") || path.ends_with("package-lock.json")
}

/// Says whether a line holds a trace that is not the tail of a longer path, as `docs/work/` would be.
fn holds(line: &str, trace: &str) -> bool {
    line.match_indices(trace).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        !before.is_some_and(|sign| sign.is_alphanumeric() || matches!(sign, '.' | '_' | '-' | '}'))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_trace_is_found_and_said_with_its_line() {
        for parts in TRACES {
            let text = format!("fine\nsee {}x\n", parts.concat());
            let found = check(&Tree::of(&[("docs/a.md", &text)]));
            assert_eq!(found.len(), 1, "{parts:?}");
            assert_eq!(found[0].line, 2);
        }
    }

    #[test]
    fn a_folder_of_the_project_with_such_a_name_is_not_a_trace() {
        let text = ["docs", "/work", "/a.md and https://docs.rs"].concat();
        assert!(check(&Tree::of(&[("docs/a.md", &text)])).is_empty());
    }

    #[test]
    fn lock_files_may_name_their_registry() {
        let text = ["https://", "index.", "crates.io/"].concat();
        assert!(check(&Tree::of(&[("Cargo.lock", &text)])).is_empty());
    }
}
