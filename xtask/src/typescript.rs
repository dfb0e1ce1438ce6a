//! The public names of the npm package: what its index exports, and the members of its Limiter.

use std::collections::BTreeSet;

use crate::tree::Tree;

const INDEX: &str = "node/src/index.ts";
const LIMITER: &str = "node/src/limiter.ts";
const CLASS: &str = "export class Limiter {";

/// Reads the names; none if the package is not there.
pub(crate) fn names(tree: &Tree) -> Option<BTreeSet<String>> {
    let (index, limiter) = (tree.get(INDEX)?, tree.get(LIMITER)?);
    Some(exports(&index.text).chain(members(&limiter.text)).collect())
}

/// Gives what stands between the braces of each `export`, as it is called outside; `default` is another name of one.
fn exports(index: &str) -> impl Iterator<Item = String> {
    let lists = index.split("export ").skip(1).filter_map(|rest| rest.split_once('{')?.1.split_once('}'));
    lists.flat_map(|(list, _)| list.split(',')).filter_map(|name| {
        let name = name.trim().trim_start_matches("type ");
        let outside = name.rsplit(' ').next().unwrap_or_default();
        (!outside.is_empty() && outside != "default").then(|| outside.to_owned())
    })
}

/// Gives the names of the methods and getters of the class, as the house indents them; those behind `#` are private.
fn members(source: &str) -> impl Iterator<Item = String> {
    let class = source.split_once(CLASS).and_then(|(_, rest)| rest.split_once("\n}")).map_or("", |(class, _)| class);
    class.lines().filter_map(|line| {
        let line = line.strip_prefix("  ")?;
        let line = line.trim_start_matches("static ").trim_start_matches("get ");
        let name: String = line.chars().take_while(|sign| sign.is_alphanumeric()).collect();
        let called = line[name.len()..].starts_with('(') && !line.trim_end().ends_with(';');
        (called && !name.is_empty() && name != "constructor").then_some(name)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_public_is_found_and_what_is_private_is_not() {
        let index = "export { Clock, type Key } from \"./a.js\";\nexport type {\n  Kind,\n} from \"./b.js\";\n\
                     export { Limiter as default } from \"./c.js\";\n";
        let limiter = [
            "class Other {\n  no(): void {\n  }\n}",
            "export class Limiter {\n  #hidden = 0;\n  constructor() {\n  }",
            "  static open(handle: Handle): Limiter {\n    inner(1);\n  }\n  #run(): void {\n  }",
            "  get size(): number {\n  }\n  [Symbol.dispose](): void {\n  }\n  check(key: Key): Decision {\n  }\n}",
            "function free(): void {\n}\n",
        ];
        let limiter = &limiter.join("\n");
        let names = names(&Tree::of(&[(INDEX, index), (LIMITER, limiter)])).unwrap();
        assert_eq!(names.into_iter().collect::<Vec<_>>(), ["Clock", "Key", "Kind", "check", "open", "size"]);
    }
}
