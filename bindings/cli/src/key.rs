//! What a request is counted under: `--key`, and the key that it gives for a line.

use crate::address;
use crate::field::Field;
use crate::log::Record;
use ratelimit_core::{AsKey, Key, KeyRef};
use std::str::FromStr;

/// The fields that make a key: one gives a plain key, several a list of parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct KeySpec {
    text: String,
    fields: Vec<Field>,
}

impl KeySpec {
    /// Returns it as the user wrote it.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// Returns the fields, which a record must hold first and in this order.
    pub(crate) fn fields(&self) -> &[Field] {
        &self.fields
    }

    /// Says whether its keys are lists of parts.
    pub(crate) fn is_parts(&self) -> bool {
        self.fields.len() > 1
    }

    /// Borrows bytes that [`write`](KeySpec::write) wrote as the key that they are.
    pub(crate) fn key<'a>(&self, bytes: &'a [u8]) -> KeyRef<'a> {
        if self.is_parts() { KeyRef::parts(bytes) } else { KeyRef::plain(bytes) }
    }

    /// Writes the bytes of a record's key behind what `key` holds, and says whether the record has one.
    pub(crate) fn write(&self, record: &Record, ipv6_prefix: u8, key: &mut Vec<u8>) -> bool {
        if let [field] = &self.fields[..] {
            return record.value(0).map(|value| write_part(field, value, ipv6_prefix, key)).is_some();
        }
        let parts: Option<Vec<Vec<u8>>> = (0..)
            .zip(&self.fields)
            .map(|(index, field)| {
                let mut part = Vec::new();
                record.value(index).map(|value| write_part(field, value, ipv6_prefix, &mut part))?;
                Some(part)
            })
            .collect();
        let Some(parts) = parts else { return false };
        key.extend_from_slice(Key::parts(&parts).as_key().bytes());
        true
    }
}

fn write_part(field: &Field, value: &[u8], ipv6_prefix: u8, part: &mut Vec<u8>) {
    match field {
        Field::Ip(_) => address::write_key(value, ipv6_prefix, part),
        Field::Path(_) | Field::User | Field::Named(_) => part.extend_from_slice(value),
    }
}

impl FromStr for KeySpec {
    type Err = String;

    fn from_str(text: &str) -> Result<KeySpec, String> {
        let fields = text.split(',').map(|part| field(part.trim())).collect::<Result<_, _>>()?;
        Ok(KeySpec { text: text.to_owned(), fields })
    }
}

fn field(text: &str) -> Result<Field, String> {
    let (word, name) = text.split_once(':').map_or((text, None), |(word, name)| (word, Some(name)));
    let name = name.map(str::to_owned);
    match (word, name) {
        (_, Some(name)) if name.is_empty() => Err(format!("{word}: needs a field's name after the colon")),
        ("ip", name) => Ok(Field::Ip(name)),
        ("path", name) => Ok(Field::Path(name)),
        ("user", None) => Ok(Field::User),
        ("field", Some(name)) => Ok(Field::Named(name)),
        _ => Err(format!("\"{text}\" is not ip, path, user, ip:NAME, path:NAME or field:NAME")),
    }
}

/// Takes a joined key apart again.
pub(crate) fn parts(joined: &[u8]) -> Vec<&[u8]> {
    let mut parts = Vec::new();
    let mut rest = joined;
    while let Some(colon) = memchr::memchr(b':', rest) {
        let length = rest[..colon].iter().fold(0, |length, digit| length * 10 + usize::from(digit - b'0'));
        let (part, after) = rest[colon + 1..].split_at(length);
        parts.push(part);
        rest = after;
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::log::LineReader;
    use proptest::collection::vec;
    use proptest::prelude::*;

    const LINE: &[u8] = br#"{"time":1,"ip":"2001:db8::9","user":"ann","uri":"/a?b","x":"::ffff:192.0.2.1","n":null}"#;

    fn key(spec: &str) -> Option<Vec<u8>> {
        let spec: KeySpec = spec.parse().unwrap();
        let mut record = Record::default();
        LineReader::new(spec.fields(), None).read(LINE, &mut record).unwrap();
        let mut key = b"before".to_vec();
        spec.write(&record, 64, &mut key).then(|| key.split_off(6))
    }

    #[test]
    fn one_field_is_a_plain_key_and_several_are_parts() {
        assert_eq!(key("ip").unwrap(), b"2001:db8::/64");
        assert_eq!(key("ip:x").unwrap(), b"192.0.2.1");
        assert_eq!(key("field:x").unwrap(), b"::ffff:192.0.2.1");
        assert_eq!(key("path").unwrap(), b"/a");
        assert_eq!(key("field:uri").unwrap(), b"/a?b");
        assert_eq!(key("user, path").unwrap(), Key::parts(&["ann", "/a"]).as_key().bytes());
        assert!(!"ip".parse::<KeySpec>().unwrap().key(b"").is_parts());
        assert!("ip,user".parse::<KeySpec>().unwrap().key(b"").is_parts());
    }

    #[test]
    fn a_line_without_one_of_the_fields_has_no_key() {
        assert_eq!(key("field:n"), None);
        assert_eq!(key("ip,field:n"), None);
        assert_eq!(key("field:none"), None);
    }

    #[test]
    fn a_key_that_nobody_knows_is_refused_by_name() {
        for (text, reason) in [
            ("", "\"\" is not ip"),
            ("ips", "\"ips\" is not ip"),
            ("ip,", "\"\" is not ip"),
            ("field", "\"field\" is not ip"),
            ("field:", "field: needs a field's name"),
            ("user:x", "\"user:x\" is not ip"),
        ] {
            let error = text.parse::<KeySpec>().unwrap_err();
            assert!(error.starts_with(reason), "{text}: {error}");
        }
    }

    proptest! {
        #[test]
        fn what_is_joined_comes_apart_again(list in vec(vec(any::<u8>(), 0..12), 0..4)) {
            let key = Key::parts(&list);
            prop_assert_eq!(parts(key.as_key().bytes()), list);
        }
    }
}
