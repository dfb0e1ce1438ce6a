//! Rust source as words and paths, without its comments and strings.

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// A word of the source: an identifier, a keyword, or a literal as it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Word {
    pub(crate) text: String,
    pub(crate) line: usize,
    pub(crate) kind: WordKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WordKind {
    Name,
    /// A name with a `!` behind it.
    Macro,
    Literal,
}

/// A path such as `crate::table::Table`, made whole: groups are taken apart, `self` and `super` are resolved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Path {
    pub(crate) segments: Vec<String>,
    pub(crate) line: usize,
    /// The module in which it stands, below that of the file.
    pub(crate) inside: Vec<String>,
}

/// Splits source into tokens; the error says where it is no Rust.
pub(crate) fn tokens(source: &str) -> Result<TokenStream, String> {
    let without_shebang = if source.starts_with("#!/") { "" } else { source };
    without_shebang.parse().map_err(|error: proc_macro2::LexError| error.to_string())
}

/// Lists the words of source in order.
pub(crate) fn words(stream: TokenStream) -> Vec<Word> {
    let mut found = Vec::new();
    collect_words(stream, &mut found);
    found
}

fn collect_words(stream: TokenStream, found: &mut Vec<Word>) {
    let trees: Vec<TokenTree> = stream.into_iter().collect();
    for (at, tree) in trees.iter().enumerate() {
        let line = tree.span().start().line;
        match tree {
            TokenTree::Ident(name) => {
                let kind = if is_punct(trees.get(at + 1), '!') && !is_punct(trees.get(at + 2), '=') {
                    WordKind::Macro
                } else {
                    WordKind::Name
                };
                found.push(Word { text: name.to_string(), line, kind });
            }
            // After a dot stands the number of a field: `pair.0.1` is no fraction.
            TokenTree::Literal(_) if at > 0 && is_punct(trees.get(at - 1), '.') => {}
            TokenTree::Literal(value) => {
                found.push(Word { text: value.to_string(), line, kind: WordKind::Literal });
            }
            TokenTree::Group(group) => collect_words(group.stream(), found),
            TokenTree::Punct(_) => {}
        }
    }
}

/// Lists the words of each attribute, `#[…]` or `#![…]`.
pub(crate) fn attributes(stream: TokenStream) -> Vec<Vec<Word>> {
    let trees: Vec<TokenTree> = stream.into_iter().collect();
    let mut found = Vec::new();
    for (at, tree) in trees.iter().enumerate() {
        let TokenTree::Group(group) = tree else { continue };
        let before = |steps: usize| at.checked_sub(steps).and_then(|at| trees.get(at));
        let marked = is_punct(before(1), '#') || is_punct(before(1), '!') && is_punct(before(2), '#');
        if marked && group.delimiter() == Delimiter::Bracket {
            found.push(words(group.stream()));
        } else {
            found.extend(attributes(group.stream()));
        }
    }
    found
}

fn is_punct(tree: Option<&TokenTree>, sign: char) -> bool {
    matches!(tree, Some(TokenTree::Punct(punct)) if punct.as_char() == sign)
}

/// Lists the paths of source that begin with a name followed by `::`, as seen from `module`.
pub(crate) fn paths(stream: TokenStream, module: &[String]) -> Vec<Path> {
    let mut walk = Walk { module: module.to_vec(), depth: module.len(), found: Vec::new() };
    walk.block(stream);
    walk.found
}

struct Walk {
    module: Vec<String>,
    depth: usize,
    found: Vec<Path>,
}

impl Walk {
    fn block(&mut self, stream: TokenStream) {
        let trees: Vec<TokenTree> = stream.into_iter().collect();
        let mut at = 0;
        while at < trees.len() {
            at = match &trees[at] {
                TokenTree::Group(group) => {
                    self.block(group.stream());
                    at + 1
                }
                TokenTree::Ident(word) if *word == "mod" => self.inline_module(&trees, at),
                TokenTree::Ident(_) => self.path(&trees, at, &[]),
                _ => at + 1,
            };
        }
    }

    fn inline_module(&mut self, trees: &[TokenTree], at: usize) -> usize {
        if let (Some(TokenTree::Ident(name)), Some(TokenTree::Group(body))) = (trees.get(at + 1), trees.get(at + 2)) {
            self.module.push(name.to_string());
            self.block(body.stream());
            self.module.pop();
            return at + 3;
        }
        at + 1
    }

    /// Reads the path that begins at `at`, after `prefix`; gives the place behind it.
    fn path(&mut self, trees: &[TokenTree], mut at: usize, prefix: &[String]) -> usize {
        let mut segments = prefix.to_vec();
        let line = trees[at].span().start().line;
        while let Some(TokenTree::Ident(name)) = trees.get(at) {
            segments.push(name.to_string());
            at += 1;
            if !(is_punct(trees.get(at), ':') && is_punct(trees.get(at + 1), ':')) {
                break;
            }
            at += 2;
            match trees.get(at) {
                Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace => {
                    self.group(group.stream(), &segments);
                    return at + 1;
                }
                Some(TokenTree::Punct(star)) if star.as_char() == '*' => segments.push("*".into()),
                _ => {}
            }
        }
        if segments.len() > 1 {
            let inside = self.module[self.depth..].to_vec();
            self.found.push(Path { segments: self.resolve(segments), line, inside });
        }
        at
    }

    /// Reads the branches of `prefix::{a, b::c}`.
    fn group(&mut self, stream: TokenStream, prefix: &[String]) {
        let trees: Vec<TokenTree> = stream.into_iter().collect();
        let mut at = 0;
        while at < trees.len() {
            at = match &trees[at] {
                TokenTree::Ident(word) if *word == "as" => at + 2,
                TokenTree::Ident(_) => self.path(&trees, at, prefix),
                _ => at + 1,
            };
        }
    }

    fn resolve(&self, segments: Vec<String>) -> Vec<String> {
        let mut base: Option<Vec<String>> = None;
        let mut rest = segments.as_slice();
        while let Some((first, others)) = rest.split_first() {
            match (first.as_str(), &mut base) {
                ("crate", None) => base = Some(Vec::new()),
                ("self", None) => base = Some(self.module.clone()),
                ("super", None) => {
                    let above = self.module.len().saturating_sub(1);
                    base = Some(self.module[..above].to_vec());
                }
                ("super", Some(module)) => {
                    module.pop();
                }
                _ => break,
            }
            rest = others;
        }
        match base {
            Some(module) => std::iter::once("crate".to_owned()).chain(module).chain(rest.iter().cloned()).collect(),
            None => segments,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paths_in(source: &str, module: &[&str]) -> Vec<String> {
        let module: Vec<String> = module.iter().map(|name| (*name).to_owned()).collect();
        paths(tokens(source).unwrap(), &module).iter().map(|path| path.segments.join("::")).collect()
    }

    #[test]
    fn words_leave_out_comments_and_strings() {
        let source = "// f32\n/* f32 */ let a = \"f32\"; /// f32\nlet b = c as f64;";
        let names: Vec<String> = words(tokens(source).unwrap())
            .into_iter()
            .filter(|word| word.kind == WordKind::Name)
            .map(|word| word.text)
            .collect();
        assert_eq!(names, ["let", "a", "doc", "let", "b", "c", "as", "f64"]);
    }

    #[test]
    fn a_field_of_a_field_is_no_fraction() {
        let literals =
            |source: &str| words(tokens(source).unwrap()).iter().filter(|word| word.kind == WordKind::Literal).count();
        assert_eq!(literals("a.0.1"), 0);
        assert_eq!(literals("f(0.1)"), 1);
    }

    #[test]
    fn a_macro_is_told_from_an_inequality() {
        let kinds: Vec<WordKind> =
            words(tokens("todo!(); a != b").unwrap()).into_iter().map(|word| word.kind).collect();
        assert_eq!(kinds, [WordKind::Macro, WordKind::Name, WordKind::Name]);
    }

    #[test]
    fn attributes_are_told_from_indices_and_lists() {
        let source = "#![deny(a)] mod tests { #[ignore] fn f() { b[ignore]; vec![c]; } }";
        let found: Vec<String> =
            attributes(tokens(source).unwrap()).iter().map(|words| words[0].text.clone()).collect();
        assert_eq!(found, ["deny", "ignore"]);
    }

    #[test]
    fn groups_are_taken_apart() {
        let found = paths_in("use crate::{table::{Row as R, Stripe}, error::*};", &["policy"]);
        assert_eq!(found, ["crate::table::Row", "crate::table::Stripe", "crate::error::*"]);
    }

    #[test]
    fn super_and_self_are_seen_from_the_module_they_stand_in() {
        let source = "use super::row; mod tests { use super::super::limiter::Limiter; use self::x::Y; }";
        let found = paths_in(source, &["table", "sweep"]);
        assert_eq!(found, ["crate::table::row", "crate::table::limiter::Limiter", "crate::table::sweep::tests::x::Y"]);
    }

    #[test]
    fn paths_in_expressions_types_and_macros_are_found() {
        let found = paths_in("fn f(a: crate::key::Key) { assert!(crate::table::open(a)); std::fs::read(b) }", &[]);
        assert_eq!(found, ["crate::key::Key", "crate::table::open", "std::fs::read"]);
    }
}
