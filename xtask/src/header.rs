//! Writes the C headers from the crate `bindings/c`, or compares them with what stands there.

use std::fs;
use std::path::{Path, PathBuf};

use crate::finding::Finding;

const CRATE: &str = "bindings/c";
/// For compilers: the manual.
const HEADER: &str = "include/ratelimit.h";
/// For parsers of other languages: declarations alone.
const FFI: &str = "include/ratelimit.ffi.h";

/// Writes both headers.
pub(crate) fn write(root: &Path) -> Result<(), String> {
    for (path, text) in generate(root)? {
        fs::write(root.join(path), text).map_err(|error| format!("{path}: {error}"))?;
    }
    Ok(())
}

/// Says which header is not what the crate says.
pub(crate) fn check(root: &Path) -> Result<Vec<Finding>, String> {
    let stale = |(path, text): &(&'static str, String)| fs::read_to_string(root.join(path)).ok().as_ref() != Some(text);
    let stale = generate(root)?.into_iter().filter(stale);
    Ok(stale.map(|(path, _)| Finding::new(path, 0, "is not what bindings/c says: run `cargo xtask header`")).collect())
}

fn generate(root: &Path) -> Result<[(&'static str, String); 2], String> {
    let modules = Module::all(&root.join(CRATE).join("src"))?;
    let config = root.join(CRATE).join("cbindgen.toml");
    let manual = manual(cbindgen::Config::from_file(config)?);
    let text = with_short_comments(&with_sections(&bindings(manual.clone(), &modules)?, &modules));
    Ok([(HEADER, text), (FFI, bindings(declarations(manual), &modules)?)])
}

fn manual(mut config: cbindgen::Config) -> cbindgen::Config {
    let version = env!("CARGO_PKG_VERSION");
    let mut parts = version.split('.');
    let mut fill =
        |text: &str, word: &str| text.replace(&format!(" {word}\n"), &format!(" {}\n", parts.next().unwrap_or("0")));
    config.after_includes = config.after_includes.map(|text| {
        let text = text.replace("\"VERSION\"", &format!("\"{version}\""));
        ["MAJOR", "MINOR", "PATCH"].iter().fold(text, |text, word| fill(&text, word))
    });
    config
}

/// Leaves out what only a C compiler reads: directives, attributes, comments.
fn declarations(mut config: cbindgen::Config) -> cbindgen::Config {
    config.header = Some(
        "/* The declarations of ratelimit.h, for parsers that know no directives; its comments say what they mean.\n \
         * RATELIMIT_NOW, RATELIMIT_NEVER and RATELIMIT_NO_OFFSET are the greatest values of their types. */"
            .to_owned(),
    );
    config.include_guard = None;
    config.cpp_compat = false;
    config.sys_includes = Vec::new();
    config.after_includes = None;
    config.documentation = false;
    config.function.prefix = None;
    config.function.must_use = None;
    use cbindgen::ItemType::{Enums, Functions, OpaqueItems, Structs, Typedefs};
    config.export.item_types = vec![Enums, Functions, OpaqueItems, Structs, Typedefs];
    config
}

fn bindings(config: cbindgen::Config, modules: &[Module]) -> Result<String, String> {
    let builder = cbindgen::Builder::new().with_config(config);
    let builder = modules.iter().fold(builder, |builder, module| builder.with_src(&module.path));
    let mut text = Vec::new();
    builder.generate().map_err(|error| error.to_string())?.write(&mut text);
    String::from_utf8(text).map_err(|error| error.to_string())
}

/// A module of the crate: a section of the header, if it has functions.
struct Module {
    path: PathBuf,
    /// The first line of its documentation.
    title: String,
    functions: Vec<String>,
}

impl Module {
    /// Reads the modules in the order in which lib.rs names them.
    fn all(folder: &Path) -> Result<Vec<Module>, String> {
        let lib = parse(&folder.join("lib.rs"))?;
        let names = lib.items.iter().filter_map(|item| match item {
            syn::Item::Mod(module) => Some(module.ident.to_string()),
            _ => None,
        });
        names.map(|name| Module::read(folder.join(name).with_extension("rs"))).collect()
    }

    fn read(path: PathBuf) -> Result<Module, String> {
        let file = parse(&path)?;
        let functions = file.items.iter().filter_map(|item| match item {
            syn::Item::Fn(function) if function.sig.abi.is_some() => Some(function.sig.ident.to_string()),
            _ => None,
        });
        let functions = functions.collect();
        Ok(Module { title: title(&file.attrs), functions, path })
    }
}

fn parse(path: &Path) -> Result<syn::File, String> {
    let text = fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    syn::parse_file(&text).map_err(|error| format!("{}: {error}", path.display()))
}

fn title(attributes: &[syn::Attribute]) -> String {
    let first = attributes.iter().find_map(|attribute| match &attribute.meta {
        syn::Meta::NameValue(pair) if pair.path.is_ident("doc") => match &pair.value {
            syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(text), .. }) => Some(text.value()),
            _ => None,
        },
        _ => None,
    });
    first.unwrap_or_default().trim().trim_end_matches('.').to_owned()
}

/// Puts the title of each module above the comment of its first function.
fn with_sections(header: &str, modules: &[Module]) -> String {
    let mut text = header.to_owned();
    for module in modules {
        let Some(name) = module.functions.first() else { continue };
        let declared = [" ", "*"].iter().find_map(|before| text.find(&format!("{before}{name}(")));
        let Some(comment) = declared.and_then(|at| text[..at].rfind("/**")) else { continue };
        text.insert_str(comment, &format!("/* ---- {} ---- */\n\n", module.title));
    }
    text
}

/// Writes a comment of one line in one line.
fn with_short_comments(header: &str) -> String {
    let mut text = String::with_capacity(header.len());
    let mut lines = header.lines().peekable();
    while let Some(line) = lines.next() {
        text.push_str(line);
        if line.trim_start() == "/**" {
            let says = lines.next().unwrap_or_default();
            let short = lines.next_if(|next| next.trim_start() == "*/").is_some();
            let says = if short { says.trim_start().trim_start_matches('*') } else { says };
            text.push_str(if short { "" } else { "\n" });
            text.push_str(says);
            text.push_str(if short { " */" } else { "" });
        }
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn module(title: &str, functions: &[&str]) -> Module {
        let functions = functions.iter().map(|name| (*name).to_owned()).collect();
        Module { path: PathBuf::new(), title: title.to_owned(), functions }
    }

    #[test]
    fn the_title_of_a_module_stands_above_its_first_function_once() {
        let header = "/** A. */\nint a(void);\n\n/** B. */\nchar *b(void);\n\n/** C. */\nint c(void);\n";
        let modules = [module("First", &["a"]), module("Nothing", &[]), module("Second", &["b", "c"])];
        let expected = "/* ---- First ---- */\n\n/** A. */\nint a(void);\n\n\
                        /* ---- Second ---- */\n\n/** B. */\nchar *b(void);\n\n/** C. */\nint c(void);\n";
        assert_eq!(with_sections(header, &modules), expected);
    }

    #[test]
    fn a_comment_of_one_line_takes_one_line_and_a_longer_one_stays() {
        let header = "  /**\n   * One.\n   */\n  int a;\n/**\n * One,\n * two.\n */\nint b;\n";
        assert_eq!(with_short_comments(header), "  /** One. */\n  int a;\n/**\n * One,\n * two.\n */\nint b;\n");
    }

    #[test]
    fn the_headers_that_stand_here_are_those_of_the_crate() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        assert_eq!(check(root).unwrap(), []);
        let [(_, manual), (_, declarations)] = generate(root).unwrap();
        assert!(manual.contains(&format!("#define RATELIMIT_VERSION \"{}\"\n", env!("CARGO_PKG_VERSION"))));
        assert!(!manual.contains("MAJOR MAJOR") && !manual.contains("MINOR MINOR") && !manual.contains("PATCH PATCH"));
        assert!(!declarations.contains('#') && !declarations.contains("RATELIMIT_API"));
    }
}
