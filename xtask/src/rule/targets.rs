//! A page that names a target of the Makefile names one that is there.

use crate::finding::Finding;
use crate::markdown::Page;
use crate::tree::Tree;

pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    let targets: Vec<&str> = tree.get("Makefile").map_or(Vec::new(), |file| {
        file.text.lines().filter_map(|line| line.split_once(':')).map(|(name, _)| name).collect()
    });
    let mut found = Vec::new();
    for file in tree.ending(&["md"]) {
        let page = Page::read(&file.text);
        let blocks = page.fences.iter().filter(|fence| matches!(fence.info.as_str(), "console" | "sh"));
        let lines = blocks.flat_map(|fence| fence.text.lines().map(|line| (line.trim_start_matches("$ "), fence.line)));
        let codes = page.codes.iter().map(|(code, line)| (code.as_str(), *line));
        for (command, line) in lines.chain(codes) {
            let Some(rest) = command.strip_prefix("make ") else {
                continue;
            };
            let target = rest.split_whitespace().next().unwrap_or_default();
            if !targets.contains(&target) {
                found.push(Finding::new(&file.path, line, format!("the Makefile has no target `{target}`")));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_target_that_is_not_there_is_found_in_code_and_in_blocks() {
        let makefile = ("Makefile", "test: tools ## Run\n\tcargo test\n");
        let page = ("a.md", "Run `make test` or `make tset`.\n\n```console\n$ make demo LOG=x\n$ make test\n```\n");
        let says: Vec<String> = check(&Tree::of(&[makefile, page])).iter().map(ToString::to_string).collect();
        assert_eq!(says, ["a.md:3: the Makefile has no target `demo`", "a.md:1: the Makefile has no target `tset`"]);
    }
}
