//! The fields are structured fields, as a parser of RFC 9651 reads them.

use ratelimit_core::http::HeaderField;
use sfv::{BareItem, List, ListEntry, Parser};

/// Reads the two fields of the draft, and holds them to what it says of their items.
pub(crate) fn judge(fields: &[HeaderField<'_>]) {
    for (name, value) in fields {
        match *name {
            "ratelimit-policy" => items(value, &["q", "w"], 2),
            "ratelimit" => items(value, &["r", "t"], 1),
            "retry-after" | "x-ratelimit-limit" | "x-ratelimit-remaining" | "x-ratelimit-reset" => {
                assert!(value.parse::<u64>().is_ok_and(|number| number.to_string() == **value), "{name}: {value}");
            }
            _ => assert_eq!((*name, &**value), ("x-ratelimit-saturated", "true")),
        }
    }
}

/// Each item is a String with these parameters, in this order, of which the first few are always there.
fn items(value: &str, parameters: &[&str], required: usize) {
    let read = Parser::new(value).parse::<List>();
    assert!(read.as_ref().is_ok_and(|list| !list.is_empty()), "no list: {value}: {read:?}");
    for entry in read.into_iter().flatten() {
        assert!(matches!(entry, ListEntry::Item(_)), "{value}: an item is no list");
        let ListEntry::Item(item) = entry else { continue };
        assert!(matches!(item.bare_item, BareItem::String(_)), "{value}: a name is a String");
        let names: Vec<&str> = item.params.keys().map(|key| key.as_str()).collect();
        assert!(names.len() >= required && parameters.starts_with(&names), "{value}: {names:?}");
        for number in item.params.values() {
            assert!(matches!(number, BareItem::Integer(number) if *number >= 0.into()), "{value}: {number:?}");
        }
    }
}

#[test]
#[should_panic(expected = "a name is a String")]
fn a_name_without_quotes_is_found() {
    judge(&[("ratelimit", "default;r=1;t=2".into())]);
}

#[test]
#[should_panic(expected = "no list")]
fn a_name_whose_quotes_are_not_escaped_is_found() {
    judge(&[("ratelimit", "\"a\"b\";r=1;t=2".into())]);
}
