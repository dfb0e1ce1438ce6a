//! The public names of the Python package: what it hands on, and the verbs of its limiter.

use std::collections::BTreeSet;

use crate::tree::Tree;

const PACKAGE: &str = "python/ratelimit/__init__.py";
/// Where the class of the limiter is written: the part in Rust, and the part in Python.
const LIMITERS: [&str; 2] = ["python/ratelimit/_ratelimit.pyi", "python/ratelimit/_limiter.py"];

/// Lists the names; none if there is no package.
pub(crate) fn names(tree: &Tree) -> Option<BTreeSet<String>> {
    let mut names = exports(&tree.get(PACKAGE)?.text);
    for path in LIMITERS {
        names.extend(tree.get(path).map_or(BTreeSet::new(), |file| verbs(&file.text)));
    }
    Some(names)
}

/// Reads the strings of `__all__`, one a line.
fn exports(text: &str) -> BTreeSet<String> {
    let list = text.lines().skip_while(|line| *line != "__all__ = [").skip(1).take_while(|line| *line != "]");
    list.map(|line| line.trim().trim_matches(['"', ',']).to_owned()).collect()
}

/// Reads the methods of `class Limiter`. Of those whose name begins with `_`, only its length is a verb.
fn verbs(text: &str) -> BTreeSet<String> {
    let body = text.lines().skip_while(|line| !line.starts_with("class Limiter")).skip(1);
    let body = body.take_while(|line| line.is_empty() || line.starts_with(' ') || line.starts_with(')'));
    let methods = body.filter_map(|line| line.strip_prefix("    def ")?.split('(').next());
    methods.filter(|name| !name.starts_with('_') || *name == "__len__").map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_names_are_those_handed_on_and_the_verbs_of_the_limiter() {
        let text = "from a import b\n__all__ = [\n    \"Limiter\",\n    \"limit\",\n]\nx = \"y\"\n";
        let stub = "class Limiter:\n    def check(\n        self,\n    ) -> int: ...\n    def __len__(self): ...\n\n\
                    \x20   def _inner(self): ...\nclass Other:\n    def nothing(self): ...\n";
        let source = "class Limiter(Base):\n    def stats(self):\n        return 1\n\ndef f():\n    pass\n";
        let tree = Tree::of(&[(PACKAGE, text), (LIMITERS[0], stub), (LIMITERS[1], source)]);
        let expected = ["Limiter", "__len__", "check", "limit", "stats"].map(str::to_owned);
        assert_eq!(names(&tree), Some(BTreeSet::from(expected)));
        assert_eq!(names(&Tree::of(&[])), None);
    }
}
