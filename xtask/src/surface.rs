//! Compares the public names of the Rust crate, the C header and the packages with tests/surface.toml.

use std::collections::BTreeSet;

use crate::declarations::Declarations;
use crate::finding::Finding;
use crate::package;
use crate::tree::Tree;
use crate::typescript;

const LIST: &str = "tests/surface.toml";
/// The type whose public functions are the verbs.
const LIMITER: &str = "Limiter";
const HEADER: &str = "include/ratelimit.h";
/// Rows whose names are settled and not yet in every binding: they come with its middleware.
const LATER: &str = "http_";
const SECTIONS: [&str; 2] = ["verb", "name"];
const LANGUAGES: [&str; 4] = ["rust", "c", "python", "javascript"];

pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    let list = match tree.get(LIST).map(|file| file.text.parse::<toml::Table>()) {
        None => return vec![Finding::new(LIST, 0, "is not there")],
        Some(Err(error)) => return vec![Finding::new(LIST, 0, error.to_string())],
        Some(Ok(list)) => list,
    };
    let mut found = Vec::new();
    for (section, word, language) in every_column(&list) {
        if names(&list, section, word, language).is_none() {
            found.push(Finding::new(LIST, 0, format!("{section}.{word} does not say its {language} names")));
        }
    }
    let stated = |sections: &[&str], language| stated(&list, sections, language);
    found.extend(differences("rust", "a public function of Limiter", &stated(&["verb"], "rust"), &verbs(tree)));
    found.extend(differences("rust", "exported by the crate", &stated(&["name"], "rust"), &exports(tree)));
    let header = Declarations::read(tree.get(HEADER).map_or("", |file| &file.text));
    let c = stated(&SECTIONS, "c");
    // Not every constant is a name of its own: those that are listed have to be there.
    let real = header.constants.intersection(&c).chain(&header.names).cloned().collect();
    found.extend(differences("c", "declared in the header", &c, &real));
    for (language, real) in [("python", package::names(tree)), ("javascript", typescript::names(tree))] {
        let Some(real) = real else { continue };
        let mut here = list.clone();
        if let Some(names) = here.get_mut("name").and_then(toml::Value::as_table_mut) {
            names.retain(|word, _| !word.starts_with(LATER));
        }
        let here = self::stated(&here, &SECTIONS, language);
        found.extend(differences(language, "public in the package", &here, &real));
    }
    found
}

/// Gives each row's section and word with each language.
fn every_column(list: &toml::Table) -> impl Iterator<Item = (&'static str, &str, &'static str)> {
    let rows = SECTIONS.iter().flat_map(|section| {
        let words = list.get(*section).and_then(toml::Value::as_table).into_iter().flatten();
        words.map(|(word, _)| (*section, word.as_str()))
    });
    rows.flat_map(|(section, word)| LANGUAGES.iter().map(move |language| (section, word, *language)))
}

fn names(list: &toml::Table, section: &str, word: &str, language: &str) -> Option<Vec<String>> {
    let spellings = list.get(section)?.get(word)?.get(language)?.as_array()?;
    Some(spellings.iter().filter_map(toml::Value::as_str).map(str::to_owned).collect())
}

/// Lists the names that these sections give a language.
fn stated(list: &toml::Table, sections: &[&str], language: &str) -> BTreeSet<String> {
    let columns = every_column(list).filter(|(section, _, of)| sections.contains(section) && *of == language);
    columns.filter_map(|(section, word, of)| names(list, section, word, of)).flatten().collect()
}

fn differences(language: &str, what: &str, stated: &BTreeSet<String>, real: &BTreeSet<String>) -> Vec<Finding> {
    let missing = stated.difference(real).map(|name| format!("`{name}` is listed for {language}, but not {what}"));
    let unlisted = real.difference(stated).map(|name| format!("`{name}` is {what}, but not listed for {language}"));
    missing.chain(unlisted).map(|says| Finding::new(LIST, 0, says)).collect()
}

fn is_public(visibility: &syn::Visibility) -> bool {
    matches!(visibility, syn::Visibility::Public(_))
}

/// The public functions in the blocks of `impl Limiter` anywhere in core.
fn verbs(tree: &Tree) -> BTreeSet<String> {
    let files = tree.under("core/src").filter_map(|file| syn::parse_file(&file.text).ok());
    let mut verbs = BTreeSet::new();
    for item in files.flat_map(|file| file.items) {
        let syn::Item::Impl(block) = item else {
            continue;
        };
        let of_limiter = matches!(&*block.self_ty, syn::Type::Path(of) if of.path.is_ident(LIMITER));
        if block.trait_.is_none() && of_limiter {
            let functions = block.items.into_iter().filter_map(|item| match item {
                syn::ImplItem::Fn(function) if is_public(&function.vis) => Some(function.sig.ident.to_string()),
                _ => None,
            });
            verbs.extend(functions);
        }
    }
    verbs
}

/// The names that lib.rs hands on with `pub use` or declares as public constants, and with `http::` before them those
/// of its public modules.
fn exports(tree: &Tree) -> BTreeSet<String> {
    let items = |path: &str| tree.get(path).and_then(|file| syn::parse_file(&file.text).ok()).into_iter();
    let mut names = BTreeSet::new();
    for item in items("core/src/lib.rs").flat_map(|file| file.items) {
        match item {
            syn::Item::Mod(module) if is_public(&module.vis) => {
                let mut inside = BTreeSet::new();
                for item in items(&format!("core/src/{}/mod.rs", module.ident)).flat_map(|file| file.items) {
                    if let syn::Item::Use(item) = item {
                        leaves(&item.tree, &mut inside);
                    }
                }
                names.extend(inside.into_iter().map(|name| format!("{}::{name}", module.ident)));
            }
            syn::Item::Use(item) if is_public(&item.vis) => leaves(&item.tree, &mut names),
            syn::Item::Const(item) if is_public(&item.vis) => {
                names.insert(item.ident.to_string());
            }
            _ => {}
        }
    }
    names
}

fn leaves(tree: &syn::UseTree, names: &mut BTreeSet<String>) {
    match tree {
        syn::UseTree::Path(path) => leaves(&path.tree, names),
        syn::UseTree::Group(group) => group.items.iter().for_each(|item| leaves(item, names)),
        syn::UseTree::Name(name) => {
            names.insert(name.ident.to_string());
        }
        syn::UseTree::Rename(renamed) => {
            names.insert(renamed.rename.to_string());
        }
        syn::UseTree::Glob(_) => {
            names.insert("*".to_owned());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITER_SOURCE: &str =
        "impl Limiter { pub fn check(&self) {} fn inner(&self) {} pub(crate) fn near(&self) {} }
        impl Clone for Limiter { fn clone(&self) -> Self { loop {} } } impl Other { pub fn elsewhere() {} }";
    const LIB_SOURCE: &str = "pub use limiter::{Limiter, Stats as Counts}; use key::Hidden; pub const MOST: u64 = 1;
        pub mod web; mod inner;";
    const WEB_SOURCE: &str = "mod page; pub use page::Page;";
    const LIST_TEXT: &str = "[verb]
        check = { rust = [\"check\"], c = [], python = [], javascript = [] }
        [name]
        types = { rust = [\"Limiter\", \"Counts\", \"MOST\", \"web::Page\"], c = [\"a_check\", \"A_MOST\"], \
            python = [], javascript = [] }";
    const HEADER_TEXT: &str = "#define A_API extern\n#define A_MOST 1\nint a_check(void);\n";

    fn says(list: &str) -> Vec<String> {
        let core = [
            ("core/src/limiter.rs", LIMITER_SOURCE),
            ("core/src/lib.rs", LIB_SOURCE),
            ("core/src/web/mod.rs", WEB_SOURCE),
        ];
        check(&Tree::of(&[&core[..], &[(HEADER, HEADER_TEXT), (LIST, list)]].concat()))
            .into_iter()
            .map(|finding| finding.says)
            .collect()
    }

    #[test]
    fn a_list_that_says_what_is_public_passes() {
        assert_eq!(says(LIST_TEXT), [""; 0]);
    }

    #[test]
    fn a_public_function_that_is_not_listed_is_found() {
        let list = LIST_TEXT.replace("[\"check\"]", "[]");
        assert_eq!(says(&list), ["`check` is a public function of Limiter, but not listed for rust"]);
    }

    #[test]
    fn a_listed_name_that_is_not_exported_is_found() {
        let list = LIST_TEXT.replace("\"MOST\"", "\"MOST\", \"Gone\"");
        assert_eq!(says(&list), ["`Gone` is listed for rust, but not exported by the crate"]);
    }

    #[test]
    fn a_name_of_the_header_that_is_not_listed_and_one_that_is_not_there_are_found() {
        let list = LIST_TEXT.replace("\"a_check\", \"A_MOST\"", "\"a_gone\", \"A_GONE\"");
        let expected = [
            "`A_GONE` is listed for c, but not declared in the header",
            "`a_gone` is listed for c, but not declared in the header",
            "`a_check` is declared in the header, but not listed for c",
        ];
        assert_eq!(says(&list), expected);
    }

    #[test]
    fn a_verb_without_a_language_is_found() {
        let list = LIST_TEXT.replacen(", python = []", "", 1);
        assert_eq!(says(&list), ["verb.check does not say its python names"]);
    }
}
