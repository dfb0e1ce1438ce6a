//! Markdown pages as headings, links and fenced blocks.

use std::collections::BTreeMap;

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

/// What the rules want to know of a page.
#[derive(Debug, Default)]
pub(crate) struct Page {
    /// The names by which a link can jump to a heading, in order.
    pub(crate) anchors: Vec<String>,
    pub(crate) links: Vec<Link>,
    pub(crate) fences: Vec<Fence>,
    /// Code within a line, with its line.
    pub(crate) codes: Vec<(String, usize)>,
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Link {
    pub(crate) target: String,
    pub(crate) line: usize,
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Fence {
    /// What stands behind the opening fence: a language, perhaps with attributes.
    pub(crate) info: String,
    pub(crate) text: String,
    pub(crate) line: usize,
}

impl Page {
    pub(crate) fn read(text: &str) -> Page {
        let mut page = Page::default();
        let mut heading: Option<String> = None;
        let mut fence: Option<Fence> = None;
        let mut seen = BTreeMap::new();
        for (event, range) in Parser::new_ext(text, Options::ENABLE_TABLES).into_offset_iter() {
            let line = 1 + text[..range.start].matches('\n').count();
            match event {
                Event::Start(Tag::Heading { .. }) => heading = Some(String::new()),
                Event::End(TagEnd::Heading(_)) => {
                    page.anchors.extend(heading.take().map(|title| anchor(&title, &mut seen)));
                }
                Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                    page.links.push(Link { target: dest_url.to_string(), line });
                }
                Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(info))) => {
                    fence = Some(Fence { info: info.to_string(), text: String::new(), line });
                }
                Event::End(TagEnd::CodeBlock) => page.fences.extend(fence.take()),
                Event::Text(part) => match (&mut fence, &mut heading) {
                    (Some(fence), _) => fence.text.push_str(&part),
                    (None, Some(title)) => title.push_str(&part),
                    (None, None) => {}
                },
                Event::Code(code) => {
                    if let Some(title) = &mut heading {
                        title.push_str(&code);
                    }
                    page.codes.push((code.to_string(), line));
                }
                _ => {}
            }
        }
        page
    }
}

/// Makes the name that GitHub gives to a heading: `Two words!` is `two-words`, a second one `two-words-1`.
fn anchor(title: &str, seen: &mut BTreeMap<String, usize>) -> String {
    let name: String = title
        .to_lowercase()
        .chars()
        .filter(|sign| sign.is_alphanumeric() || matches!(sign, ' ' | '-' | '_'))
        .map(|sign| if sign == ' ' { '-' } else { sign })
        .collect();
    let times = seen.entry(name.clone()).or_insert(0);
    *times += 1;
    if *times == 1 { name } else { format!("{name}-{}", *times - 1) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_become_the_anchors_that_github_makes() {
        let page = Page::read("# Two words!\n\n## `code` and_more\n\n## Two words!\n");
        assert_eq!(page.anchors, ["two-words", "code-and_more", "two-words-1"]);
    }

    #[test]
    fn links_in_tables_and_images_are_seen_and_those_in_fences_are_not() {
        let page = Page::read("| a |\n|---|\n| [x](y.md) |\n\n![p](z.svg)\n\n```md\n[no](no.md)\n```\n");
        let targets: Vec<(&str, usize)> = page.links.iter().map(|link| (link.target.as_str(), link.line)).collect();
        assert_eq!(targets, [("y.md", 3), ("z.svg", 5)]);
    }

    #[test]
    fn a_fence_keeps_its_language_text_and_line() {
        let page = Page::read("a\n\n```rust,no_run\nlet x = 1;\n```\n");
        assert_eq!(page.fences, [Fence { info: "rust,no_run".into(), text: "let x = 1;\n".into(), line: 3 }]);
    }
}
