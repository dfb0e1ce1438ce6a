//! JSON lines: one object a line, with the names that web servers and proxies use.

use super::{Fault, Format, Record, clf, time};
use crate::field::Field;
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::fmt;

/// Where the time is looked for, the first that is there.
const TIMES: &[&str] =
    &["time", "timestamp", "@timestamp", "ts", "datetime", "time_iso8601", "time_local", "msec", "StartUTC"];
/// Where the client's address is looked for.
const IPS: &[&str] = &[
    "ip",
    "client_ip",
    "clientip",
    "remote_ip",
    "remote_addr",
    "ClientHost",
    "request.client_ip",
    "request.remote_ip",
    "client.ip",
    "source.ip",
    "httpRequest.remoteIp",
];
/// Where the request's path is looked for.
const PATHS: &[&str] = &[
    "path",
    "uri",
    "request_uri",
    "url",
    "RequestPath",
    "request",
    "request.uri",
    "url.path",
    "httpRequest.requestUrl",
];
/// Where the user is looked for.
const USERS: &[&str] = &["user", "user_id", "username", "remote_user", "ClientUsername", "user.id", "user.name"];

/// A name, which may be the literal name of a member or lead through objects by dots.
#[derive(Debug)]
struct Name {
    whole: usize,
    /// The member before the first dot, and the rest after it.
    nested: Option<(usize, String)>,
}

/// Where one field is looked for: the first of the names that has a value.
#[derive(Debug)]
struct Place {
    names: Vec<Name>,
    is_path: bool,
}

/// Reads lines that are one JSON object each.
#[derive(Debug)]
pub(super) struct JsonReader {
    /// Every member of the outer object that is of interest.
    members: Vec<String>,
    time: Place,
    places: Vec<Place>,
}

impl JsonReader {
    pub(super) fn new(fields: &[Field], time_field: Option<&str>) -> JsonReader {
        let mut members = Vec::new();
        let time = place(&mut members, time_field.as_ref().map_or(TIMES, std::slice::from_ref), false);
        let places = fields
            .iter()
            .map(|field| match field {
                Field::Ip(None) => place(&mut members, IPS, false),
                Field::Path(None) => place(&mut members, PATHS, true),
                Field::User => place(&mut members, USERS, false),
                Field::Path(Some(name)) => place(&mut members, &[name], true),
                Field::Ip(Some(name)) | Field::Named(name) => place(&mut members, &[name], false),
            })
            .collect();
        JsonReader { members, time, places }
    }

    pub(super) fn read(&self, line: &[u8], record: &mut Record) -> Result<Format, Fault> {
        let found = members(line, &self.members).map_err(Fault::Json)?;
        let stamp = self.time.value(&found).ok_or(Fault::Rule("no time field"))?;
        record.start(time::any(stamp.as_bytes())?);
        for place in &self.places {
            let value = place.value(&found);
            let value = value.as_deref().map(str::as_bytes);
            record.push(if place.is_path { value.map(path) } else { value });
        }
        Ok(Format::JsonLines)
    }
}

/// Makes a place of names, and notes the members that it needs.
fn place(members: &mut Vec<String>, names: &[&str], is_path: bool) -> Place {
    let mut member = |name: &str| {
        members.iter().position(|known| known == name).unwrap_or_else(|| {
            members.push(name.to_owned());
            members.len() - 1
        })
    };
    let names = names
        .iter()
        .map(|name| Name {
            whole: member(name),
            nested: name.split_once('.').map(|(head, rest)| (member(head), rest.to_owned())),
        })
        .collect();
    Place { names, is_path }
}

impl Place {
    fn value<'a>(&self, found: &[Option<&'a RawValue>]) -> Option<Cow<'a, str>> {
        self.names.iter().find_map(|name| {
            let whole = found[name.whole].and_then(scalar);
            whole.or_else(|| {
                name.nested.as_ref().and_then(|(head, rest)| found[*head].and_then(|raw| inside(raw, rest)))
            })
        })
    }
}

/// Takes the path out of a target, a URL or a whole request.
fn path(text: &[u8]) -> &[u8] {
    let is_target = text.starts_with(b"/");
    clf::path(if is_target { text } else { clf::target(text).unwrap_or(text) })
}

/// Looks for a name in an inner object.
fn inside<'a>(raw: &'a RawValue, name: &str) -> Option<Cow<'a, str>> {
    let mut names = vec![name.to_owned()];
    let nested = name.split_once('.');
    names.extend(nested.map(|(head, _)| head.to_owned()));
    let found = members(raw.get().as_bytes(), &names).ok()?;
    let whole = found[0].and_then(scalar);
    whole.or_else(|| nested.and_then(|(_, rest)| found[1].and_then(|raw| inside(raw, rest))))
}

/// Returns a value's text; none for null, an object and an array.
fn scalar(raw: &RawValue) -> Option<Cow<'_, str>> {
    let json = raw.get();
    match json.as_bytes().first()? {
        b'"' if json.contains('\\') => serde_json::from_str(json).ok().map(Cow::Owned),
        b'"' => json.get(1..json.len() - 1).map(Cow::Borrowed),
        b'{' | b'[' | b'n' => None,
        _ => Some(Cow::Borrowed(json)),
    }
}

/// Reads an object and keeps the members of these names, the last of each.
fn members<'a>(json: &'a [u8], names: &[String]) -> Result<Vec<Option<&'a RawValue>>, serde_json::Error> {
    let mut reader = serde_json::Deserializer::from_slice(json);
    let found = reader.deserialize_map(Members(names))?;
    reader.end()?;
    Ok(found)
}

struct Members<'n>(&'n [String]);

impl<'de> Visitor<'de> for Members<'_> {
    type Value = Vec<Option<&'de RawValue>>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut found = vec![None; self.0.len()];
        while let Some(member) = map.next_key_seed(Member(self.0))? {
            match member {
                Some(index) => found[index] = Some(map.next_value()?),
                None => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(found)
    }
}

/// Tells a member's name by its place in the list, without keeping the name.
struct Member<'n>(&'n [String]);

impl<'de> DeserializeSeed<'de> for Member<'_> {
    type Value = Option<usize>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for Member<'_> {
    type Value = Option<usize>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a name")
    }

    fn visit_str<E: serde::de::Error>(self, name: &str) -> Result<Self::Value, E> {
        Ok(self.0.iter().position(|member| member == name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(fields: &[Field], time_field: Option<&str>, line: &str) -> Result<(u64, Vec<Option<String>>), String> {
        let mut record = Record::default();
        JsonReader::new(fields, time_field).read(line.as_bytes(), &mut record).map_err(|fault| fault.to_string())?;
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
        Ok((record.time_ms, (0..fields.len()).map(|index| record.value(index).map(text)).collect()))
    }

    fn usual(line: &str) -> (u64, [Option<String>; 3]) {
        let (time_ms, values) = read(&[Field::Ip(None), Field::Path(None), Field::User], None, line).unwrap();
        (time_ms, values.try_into().unwrap())
    }

    fn some(texts: [&str; 3]) -> [Option<String>; 3] {
        texts.map(|text| (!text.is_empty()).then(|| text.to_owned()))
    }

    #[test]
    fn the_usual_places_of_servers_and_proxies_are_known() {
        let nginx = r#"{"time_iso8601":"2015-05-17T10:05:03+00:00","remote_addr":"203.0.113.9",
            "request":"GET /a?b=c HTTP/1.1","remote_user":"-"}"#;
        assert_eq!(usual(nginx), (1_431_857_103_000, some(["203.0.113.9", "/a", ""])));
        let caddy = r#"{"level":"info","ts":1431857103.4567,"user_id":"ann",
            "request":{"remote_ip":"2001:db8::1","uri":"/x#y","headers":{"A":["b"]}}}"#;
        assert_eq!(usual(caddy), (1_431_857_103_456, some(["2001:db8::1", "/x", "ann"])));
        let traefik =
            r#"{"StartUTC":"2015-05-17T10:05:03.1Z","ClientHost":"h","RequestPath":"/p","ClientUsername":"bob"}"#;
        assert_eq!(usual(traefik), (1_431_857_103_100, some(["h", "/p", "bob"])));
        let cloud = r#"{"timestamp":"2015-05-17T10:05:03Z",
            "httpRequest":{"remoteIp":"h","requestUrl":"https://example.org/p?q"}}"#;
        assert_eq!(usual(cloud), (1_431_857_103_000, some(["h", "/p", ""])));
    }

    #[test]
    fn a_name_is_a_member_or_leads_through_objects() {
        let fields = ["a.b", "a.b.c", "n", "t", "e", "z"].map(|name| Field::Named(name.to_owned()));
        let line =
            r#"{"time":1,"a.b":null,"a":{"b":{"c":"deep"},"b.c":7},"n":-1.5e3,"t":true,"e":"","\u007a":"\u00e9\"\n"}"#;
        let (_, values) = read(&fields, None, line).unwrap();
        let expected = [None, Some("7"), Some("-1.5e3"), Some("true"), None, Some("é\"\n")];
        assert_eq!(values, expected.map(|value| value.map(str::to_owned)));
        let (_, values) = read(&fields[1..2], None, r#"{"time":1,"a":{"b":{"c":"deep"}}}"#).unwrap();
        assert_eq!(values, [Some("deep".to_owned())]);
    }

    #[test]
    fn a_named_time_field_is_the_only_place_for_the_time() {
        let line = r#"{"time":1,"at":{"ms":"1431857103250"}}"#;
        assert_eq!(read(&[], Some("at.ms"), line).unwrap().0, 1_431_857_103_250);
        assert_eq!(read(&[], Some("when"), line).unwrap_err(), "no time field");
    }

    #[test]
    fn a_line_that_is_no_object_says_where_it_breaks() {
        for (line, reason) in [
            (r#"{"time":1"#, "no JSON: EOF while parsing an object at byte 9"),
            (r#"{"time":1} x"#, "no JSON: trailing characters at byte 12"),
            (r#"{"ip":"h"}"#, "no time field"),
            (r#"{"time":[1]}"#, "no time field"),
            (r#"{"time":"noon"}"#, "time is neither"),
        ] {
            let fault = read(&[], None, line).unwrap_err();
            assert!(fault.starts_with(reason), "{line}: {fault}");
        }
    }
}
