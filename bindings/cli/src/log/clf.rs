//! Common and combined access logs, as Apache and nginx write them:
//! `host ident user [time] "request" status bytes`, in combined ones followed by `"referer" "agent"`.

use super::time::CommonTime;
use super::{Fault, Format, Record};
use crate::field::Field;
use memchr::memchr;

/// One line, cut into its fields; nothing is copied.
#[derive(Debug)]
struct Line<'a> {
    host: &'a [u8],
    ident: &'a [u8],
    user: &'a [u8],
    time: &'a [u8],
    request: &'a [u8],
    status: &'a [u8],
    bytes: &'a [u8],
    rest: &'a [u8],
}

/// The fields that a line has, by the names a user may give.
#[derive(Clone, Copy, Debug)]
enum Column {
    Host,
    Ident,
    User,
    Request,
    Method,
    Target,
    Path,
    Protocol,
    Status,
    Bytes,
    Referer,
    Agent,
}

impl Column {
    fn of(field: &Field) -> Option<Column> {
        match field {
            Field::Ip(None) => Some(Column::Host),
            Field::Path(None) => Some(Column::Path),
            Field::User => Some(Column::User),
            Field::Ip(Some(name)) | Field::Path(Some(name)) | Field::Named(name) => Column::named(name),
        }
    }

    fn named(name: &str) -> Option<Column> {
        Some(match name {
            "host" | "ip" => Column::Host,
            "ident" => Column::Ident,
            "user" => Column::User,
            "request" => Column::Request,
            "method" => Column::Method,
            "target" => Column::Target,
            "path" => Column::Path,
            "protocol" => Column::Protocol,
            "status" => Column::Status,
            "bytes" => Column::Bytes,
            "referer" => Column::Referer,
            "agent" => Column::Agent,
            _ => return None,
        })
    }
}

/// Reads lines of common and combined logs.
#[derive(Debug)]
pub(super) struct CommonReader {
    time: CommonTime,
    /// None for a field that these logs do not have.
    columns: Vec<Option<Column>>,
}

impl CommonReader {
    pub(super) fn new(fields: &[Field]) -> CommonReader {
        CommonReader { time: CommonTime::new(), columns: fields.iter().map(Column::of).collect() }
    }

    pub(super) fn read(&mut self, line: &[u8], record: &mut Record) -> Result<Format, Fault> {
        let line = Line::cut(line)?;
        record.start(self.time.read(line.time)?);
        for column in &self.columns {
            record.push(column.and_then(|column| line.value(column)));
        }
        Ok(if line.rest.starts_with(b" \"") { Format::Combined } else { Format::Common })
    }
}

impl<'a> Line<'a> {
    fn cut(line: &'a [u8]) -> Result<Line<'a>, Fault> {
        let line = line.trim_ascii_end();
        let (host, after) =
            split(line, b' ').ok_or(Fault::Rule("neither a JSON object nor fields with blanks between"))?;
        let open = memchr(b'[', after).ok_or(Fault::Rule("no [time]"))?;
        let (ident, user) = after[..open]
            .strip_suffix(b" ")
            .and_then(|two| split(two, b' '))
            .ok_or(Fault::Rule("no host, ident and user before the [time]"))?;
        let (time, after) = split(&after[open + 1..], b']').ok_or(Fault::Rule("no [time]"))?;
        let after = after.strip_prefix(b" \"").ok_or(Fault::Rule("no \"request\" after the time"))?;
        let close = quote(after).ok_or(Fault::Rule("the \"request\" does not end"))?;
        let (request, after) = (&after[..close], &after[close + 1..]);
        let after = after.strip_prefix(b" ").ok_or(Fault::Rule("no status after the request"))?;
        let (status, after) = split(after, b' ').ok_or(Fault::Rule("no bytes after the status"))?;
        let end = memchr(b' ', after).unwrap_or(after.len());
        let (bytes, rest) = after.split_at(end);
        if host.is_empty() || !is_number(status) || !is_number(bytes) {
            return Err(Fault::Rule("host, status or bytes is missing or no number"));
        }
        Ok(Line { host, ident, user, time, request, status, bytes, rest })
    }

    fn value(&self, column: Column) -> Option<&'a [u8]> {
        match column {
            Column::Host => Some(self.host),
            Column::Ident => Some(self.ident),
            Column::User => Some(self.user),
            Column::Request => Some(self.request),
            Column::Method => split(self.request, b' ').map(|(method, _)| method),
            Column::Target => target(self.request),
            Column::Path => target(self.request).map(path),
            Column::Protocol => {
                self.request.rsplitn(2, |&byte| byte == b' ').next().filter(|last| last.starts_with(b"HTTP/"))
            }
            Column::Status => Some(self.status),
            Column::Bytes => Some(self.bytes),
            Column::Referer => quoted(self.rest).map(|(referer, _)| referer),
            Column::Agent => quoted(self.rest).and_then(|(_, rest)| quoted(rest)).map(|(agent, _)| agent),
        }
    }
}

/// Takes the path out of a target: no scheme and host, no query, no fragment.
pub(super) fn path(target: &[u8]) -> &[u8] {
    let target = &target[..memchr::memchr2(b'?', b'#', target).unwrap_or(target.len())];
    match memchr::memmem::find(target, b"://") {
        Some(at) if !target.starts_with(b"/") => {
            let host = &target[at + 3..];
            memchr(b'/', host).map_or(b"/", |slash| &host[slash..])
        }
        _ => target,
    }
}

/// Returns what a request asked for: it without its method and protocol.
pub(super) fn target(request: &[u8]) -> Option<&[u8]> {
    let (_, after) = split(request, b' ')?;
    let end = memchr::memrchr(b' ', after).filter(|&end| after[end + 1..].starts_with(b"HTTP/"));
    Some(&after[..end.unwrap_or(after.len())])
}

/// Cuts at the first `sign`, which is in neither half.
fn split(text: &[u8], sign: u8) -> Option<(&[u8], &[u8])> {
    memchr(sign, text).map(|at| (&text[..at], &text[at + 1..]))
}

/// Finds the quote that ends a field: the first without a backslash that stands for itself before it.
fn quote(text: &[u8]) -> Option<usize> {
    let mut from = 0;
    loop {
        let at = from + memchr(b'"', &text[from..])?;
        let backslashes = text[..at].iter().rev().take_while(|&&byte| byte == b'\\').count();
        if backslashes.is_multiple_of(2) {
            return Some(at);
        }
        from = at + 1;
    }
}

/// Takes one ` "…"` off the front.
fn quoted(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let after = text.strip_prefix(b" \"")?;
    quote(after).map(|close| (&after[..close], &after[close + 1..]))
}

/// Says whether a status or a size is one: digits, or `-` for none.
fn is_number(text: &[u8]) -> bool {
    text == b"-" || (!text.is_empty() && text.iter().all(u8::is_ascii_digit))
}

#[cfg(test)]
mod tests {
    use super::*;

    const COMMON: &str = r#"203.0.113.9 - ann [17/May/2015:10:05:03 +0000] "GET /a/b?c=1 HTTP/1.1" 200 2326"#;
    const COMBINED: &str =
        r#"2001:db8::1 id - [17/May/2015:10:05:03 +0000] "GET /say\"so HTTP/1.0" 404 - "http://x/" "a \\" 5"#;
    const NAMES: [&str; 12] = [
        "host", "ident", "user", "request", "method", "target", "path", "protocol", "status", "bytes", "referer",
        "agent",
    ];

    fn read(line: &str) -> Result<(Format, u64, Vec<Option<String>>), String> {
        let fields: Vec<Field> = NAMES.iter().map(|name| Field::Named((*name).to_owned())).collect();
        let mut record = Record::default();
        let format =
            CommonReader::new(&fields).read(line.as_bytes(), &mut record).map_err(|fault| fault.to_string())?;
        let values = (0..fields.len())
            .map(|index| record.value(index).map(|value| String::from_utf8_lossy(value).into_owned()))
            .collect();
        Ok((format, record.time_ms, values))
    }

    fn values(line: &str) -> Vec<(&'static str, String)> {
        let values = read(line).unwrap().2;
        NAMES.into_iter().zip(values).filter_map(|(name, value)| value.map(|value| (name, value))).collect()
    }

    #[test]
    fn every_field_of_a_common_line_is_found() {
        let (format, time_ms, _) = read(COMMON).unwrap();
        assert_eq!((format, time_ms), (Format::Common, 1_431_857_103_000));
        let expected = [
            ("host", "203.0.113.9"),
            ("user", "ann"),
            ("request", "GET /a/b?c=1 HTTP/1.1"),
            ("method", "GET"),
            ("target", "/a/b?c=1"),
            ("path", "/a/b"),
            ("protocol", "HTTP/1.1"),
            ("status", "200"),
            ("bytes", "2326"),
        ];
        assert_eq!(values(COMMON), expected.map(|(name, value)| (name, value.to_owned())));
    }

    #[test]
    fn every_field_of_a_combined_line_is_found_behind_escaped_quotes() {
        assert_eq!(read(COMBINED).unwrap().0, Format::Combined);
        let expected = [
            ("host", "2001:db8::1"),
            ("ident", "id"),
            ("request", r#"GET /say\"so HTTP/1.0"#),
            ("method", "GET"),
            ("target", r#"/say\"so"#),
            ("path", r#"/say\"so"#),
            ("protocol", "HTTP/1.0"),
            ("status", "404"),
            ("referer", "http://x/"),
            ("agent", r"a \\"),
        ];
        assert_eq!(values(COMBINED), expected.map(|(name, value)| (name, value.to_owned())));
    }

    #[test]
    fn a_request_that_is_no_http_still_counts() {
        let broken = r#"203.0.113.9 - - [17/May/2015:10:05:03 +0000] "\x16\x03\x01" 400 226"#;
        assert_eq!(read(broken).unwrap().0, Format::Common);
        assert!(values(broken).iter().all(|(name, _)| !["path", "method", "protocol"].contains(name)));
        let old = r#"203.0.113.9 - - [17/May/2015:10:05:03 +0000] "GET /old" 200 1"#;
        assert!(values(old).contains(&("path", "/old".to_owned())));
        let user = r#"203.0.113.9 - ann lee [17/May/2015:10:05:03 +0000] "GET / HTTP/1.1" 401 1"#;
        assert!(values(user).contains(&("user", "ann lee".to_owned())));
    }

    #[test]
    fn a_line_that_lacks_something_says_what() {
        for (line, reason) in [
            ("", "neither"),
            ("hello", "neither"),
            ("hello world", "no [time]"),
            ("h - [17/May/2015:10:05:03 +0000]", "before the [time]"),
            ("h - - [17/May/2015:10:05:03 +0000", "no [time]"),
            ("h - - [17/May/2015] \"GET /\" 200 1", "time is not like"),
            ("h - - [17/May/2015:10:05:03 +0000] GET / 200 1", "no \"request\""),
            ("h - - [17/May/2015:10:05:03 +0000] \"GET / 200 1", "does not end"),
            ("h - - [17/May/2015:10:05:03 +0000] \"GET /\"", "no status"),
            ("h - - [17/May/2015:10:05:03 +0000] \"GET /\" 200", "no bytes"),
            ("h - - [17/May/2015:10:05:03 +0000] \"GET /\" ok 1", "no number"),
            (" - - - [17/May/2015:10:05:03 +0000] \"GET /\" 200 1", "missing"),
        ] {
            let fault = read(line).unwrap_err();
            assert!(fault.contains(reason), "{line}: {fault}");
        }
    }
}
