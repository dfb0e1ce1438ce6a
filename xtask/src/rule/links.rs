//! Links between pages lead somewhere, and every page of docs can be reached.

use std::collections::{BTreeMap, BTreeSet};

use crate::finding::Finding;
use crate::markdown::Page;
use crate::tree::Tree;

/// Where a reader begins.
const DOORS: [&str; 2] = ["README.md", "ARCHITECTURE.md"];

pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    let pages: BTreeMap<&str, Page> =
        tree.ending(&["md"]).map(|file| (file.path.as_str(), Page::read(&file.text))).collect();
    let mut found = broken(tree, &pages);
    let reached = reached(&pages);
    for path in pages.keys().filter(|path| path.starts_with("docs/") && !reached.contains(**path)) {
        found.push(Finding::new(path, 0, "no link leads here from README.md or ARCHITECTURE.md"));
    }
    found
}

fn broken(tree: &Tree, pages: &BTreeMap<&str, Page>) -> Vec<Finding> {
    let mut found = Vec::new();
    for (path, page) in pages {
        for link in &page.links {
            let Some((target, anchor)) = inside(path, &link.target) else {
                continue;
            };
            let says = match target {
                Err(says) => says.to_owned(),
                Ok(target) if !tree.has(&target) => format!("`{}` is not there", link.target),
                Ok(target) => match (pages.get(target.as_str()), anchor) {
                    (Some(page), Some(anchor)) if !page.anchors.contains(&anchor) => {
                        format!("{target} has no heading #{anchor}")
                    }
                    _ => continue,
                },
            };
            found.push(Finding::new(path, link.line, says));
        }
    }
    found
}

/// Follows the links from the doors, page by page.
fn reached<'a>(pages: &BTreeMap<&'a str, Page>) -> BTreeSet<&'a str> {
    let mut reached = BTreeSet::new();
    let mut open: Vec<&str> =
        DOORS.iter().filter_map(|door| pages.get_key_value(door)).map(|(path, _)| *path).collect();
    while let Some(path) = open.pop() {
        if reached.insert(path) {
            let targets = pages[path].links.iter().filter_map(|link| inside(path, &link.target)?.0.ok());
            open.extend(targets.filter_map(|target| pages.get_key_value(target.as_str())).map(|(path, _)| *path));
        }
    }
    reached
}

type Target = Result<String, &'static str>;

/// Resolves a link of a page to a path from the root and a heading; none for a link that leaves the project.
fn inside(page: &str, link: &str) -> Option<(Target, Option<String>)> {
    if link.contains("://") || link.starts_with("mailto:") {
        return None;
    }
    let (path, anchor) = match link.split_once('#') {
        Some((path, anchor)) => (path, Some(anchor.to_owned())),
        None => (link, None),
    };
    if path.is_empty() {
        return Some((Ok(page.to_owned()), anchor));
    }
    if path.starts_with('/') {
        return Some((Err("a link that begins at the root of a file system"), anchor));
    }
    let mut parts: Vec<&str> = page.split('/').collect();
    parts.pop();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                if parts.pop().is_none() {
                    return Some((Err("a link that leaves the project"), anchor));
                }
            }
            name => parts.push(name),
        }
    }
    Some((Ok(parts.join("/")), anchor))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn says(files: &[(&str, &str)]) -> Vec<String> {
        check(&Tree::of(files)).into_iter().map(|finding| finding.to_string()).collect()
    }

    #[test]
    fn a_link_to_nothing_is_found() {
        assert_eq!(says(&[("README.md", "[a](docs/a.md)")]), ["README.md:1: `docs/a.md` is not there"]);
        assert_eq!(says(&[("README.md", "[a](../a.md)")]), ["README.md:1: a link that leaves the project"]);
    }

    #[test]
    fn a_link_to_a_heading_that_is_not_there_is_found() {
        let files = [("README.md", "# One\n[a](#one) [b](#two) [c](docs/a.md#three)"), ("docs/a.md", "# Four")];
        assert_eq!(
            says(&files),
            ["README.md:2: README.md has no heading #two", "README.md:2: docs/a.md has no heading #three"]
        );
    }

    #[test]
    fn a_page_that_no_link_leads_to_is_found() {
        let files = [("README.md", "[a](docs/a.md)"), ("docs/a.md", "[b](b.md)"), ("docs/b.md", ""), ("docs/c.md", "")];
        assert_eq!(says(&files), ["docs/c.md:0: no link leads here from README.md or ARCHITECTURE.md"]);
    }

    #[test]
    fn links_to_folders_headings_and_the_web_pass() {
        let files = [
            ("README.md", "# A b\n[a](docs/) [b](docs/a.md#a-b) [c](https://example.com/x) [d](#a-b)"),
            ("docs/a.md", "# A b\n[up](../README.md#a-b)"),
        ];
        assert!(says(&files).is_empty());
    }
}
