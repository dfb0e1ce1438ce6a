//! Access logs: a line of bytes in, a [`Record`] out, whatever the format.

mod clf;
mod fault;
mod json;
mod time;

pub(crate) use fault::Fault;

use crate::field::Field;
use clf::CommonReader;
use json::JsonReader;
use std::ops::Range;

/// The format that a line turned out to be in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Format {
    Common,
    Combined,
    JsonLines,
}

impl Format {
    /// Returns the words for it.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Format::Common => "common log",
            Format::Combined => "combined log",
            Format::JsonLines => "JSON lines",
        }
    }
}

/// What was read from one line: its time, and the asked fields in the order in which they were asked.
///
/// It is filled again and again, so that reading a line allocates nothing.
#[derive(Debug, Default)]
pub(crate) struct Record {
    pub(crate) time_ms: u64,
    text: Vec<u8>,
    spans: Vec<Option<Range<usize>>>,
}

impl Record {
    /// Returns the field that was asked as number `index`; none if the line has no value for it.
    pub(crate) fn value(&self, index: usize) -> Option<&[u8]> {
        self.spans.get(index).and_then(Clone::clone).map(|span| &self.text[span])
    }

    fn start(&mut self, time_ms: u64) {
        self.time_ms = time_ms;
        self.text.clear();
        self.spans.clear();
    }

    /// Adds the next field. An empty one and the formats' `-` are no value.
    fn push(&mut self, value: Option<&[u8]>) {
        let value = value.filter(|bytes| !bytes.is_empty() && *bytes != b"-");
        self.spans.push(value.map(|bytes| {
            let start = self.text.len();
            self.text.extend_from_slice(bytes);
            start..self.text.len()
        }));
    }
}

/// Reads lines of every format. Each line says by its first byte what it is, so a file may change its format midway.
#[derive(Debug)]
pub(crate) struct LineReader {
    common: CommonReader,
    json: JsonReader,
}

impl LineReader {
    /// Makes a reader that looks for these fields, and in JSON for the time in `time_field`, else in the usual places.
    pub(crate) fn new(fields: &[Field], time_field: Option<&str>) -> LineReader {
        LineReader { common: CommonReader::new(fields), json: JsonReader::new(fields, time_field) }
    }

    /// Reads one line, without its line feed, into `record`.
    pub(crate) fn read(&mut self, line: &[u8], record: &mut Record) -> Result<Format, Fault> {
        if line.trim_ascii_start().first() == Some(&b'{') {
            self.json.read(line, record)
        } else {
            self.common.read(line, record)
        }
    }
}
