//! The names that a C header declares.

use std::collections::BTreeSet;

/// Holds the names of a header that is as plain as ours: functions, types, constants, and directives between them.
#[derive(Debug, Default)]
pub(crate) struct Declarations {
    /// Functions and types.
    pub(crate) names: BTreeSet<String>,
    /// What is defined by a directive.
    pub(crate) constants: BTreeSet<String>,
}

impl Declarations {
    pub(crate) fn read(header: &str) -> Declarations {
        let mut declarations = Declarations::default();
        let mut code = String::new();
        for line in without_comments(header).replace("\\\n", " ").lines() {
            match line.trim_start().strip_prefix('#') {
                Some(directive) => declarations.constants.extend(defined(directive)),
                None => code.extend([line, " "]),
            }
        }
        declarations.names = statements(&code).iter().filter_map(|statement| declared(statement)).collect();
        declarations
    }
}

fn without_comments(text: &str) -> String {
    let mut parts = text.split("/*");
    let mut kept = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        kept.push_str(part.split_once("*/").map_or("", |(_, code)| code));
    }
    kept.lines().map(|line| line.split("//").next().unwrap_or_default()).collect::<Vec<_>>().join("\n")
}

/// Gives the name that `define NAME VALUE` gives a value.
fn defined(directive: &str) -> Option<String> {
    let mut words = directive.split_whitespace();
    let name = (words.next() == Some("define")).then(|| words.next()).flatten();
    name.filter(|_| words.next().is_some()).map(str::to_owned)
}

/// Cuts code at each semicolon that is outside braces; `extern "C"` opens none.
fn statements(code: &str) -> Vec<String> {
    let mut depth = 0_usize;
    let mut statements = vec![String::new()];
    for sign in code.replace("extern \"C\" {", "").chars() {
        match sign {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            ';' if depth == 0 => statements.push(String::new()),
            _ if depth == 0 => statements.last_mut().into_iter().for_each(|statement| statement.push(sign)),
            _ => {}
        }
    }
    statements
}

/// Gives the name that a statement declares: before its first parenthesis, within it if it is a pointer, or at the end.
fn declared(statement: &str) -> Option<String> {
    let (before, rest) = statement.split_once('(').unwrap_or((statement, ""));
    let place = rest.strip_prefix('*').and_then(|rest| rest.split(')').next()).unwrap_or(before);
    let name = place.rsplit(|sign: char| !(sign.is_alphanumeric() || sign == '_')).find(|word| !word.is_empty());
    name.map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_types_and_constants_are_named_and_what_is_inside_them_is_not() {
        let header = "#ifndef A_H
            #define A_H
            #define A_MOST 4 /* not A_LEAST */
            #define A_INIT \\
              { 1, 2 }
            typedef enum { A_ONE = 1, A_TWO } a_kind;
            typedef struct a_thing a_thing;
            /** Has a_field; and (*a_pointer)(void). */
            typedef struct { int a_field; a_kind kind; } a_plain;
            typedef int (*a_callback)(void *context); // a_comment();
            extern \"C\" {
            A_API A_MUST_USE a_kind a_call(const a_thing *thing, int (*inner)(int));
            const char *a_text(void);
            }
            #endif";
        let Declarations { names, constants } = Declarations::read(header);
        assert_eq!(Vec::from_iter(names), ["a_call", "a_callback", "a_kind", "a_plain", "a_text", "a_thing"]);
        assert_eq!(Vec::from_iter(constants), ["A_INIT", "A_MOST"]);
    }
}
