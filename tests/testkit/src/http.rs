//! The cases of limits over HTTP: each a question with one answer.

use std::fs;
use std::io::Result;
use std::path::Path;

use serde::{Deserialize, Deserializer};

use crate::vectors::{malformed, read};
use crate::{Decision, Failure, Policy};

/// Holds bytes, in a file as text or in hex.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "crate::Key")]
pub struct Bytes(pub Vec<u8>);

impl TryFrom<crate::Key> for Bytes {
    type Error = String;

    fn try_from(key: crate::Key) -> std::result::Result<Bytes, String> {
        match key {
            crate::Key::Text(text) => Ok(Bytes(text.into_bytes())),
            crate::Key::Bytes(bytes) => Ok(Bytes(bytes)),
            crate::Key::Parts(_) => Err("a list of parts is no bytes".to_owned()),
        }
    }
}

/// Says which proxies are trusted, as the case has it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
#[allow(missing_docs, reason = "the words are the contract's own")]
pub enum Proxies {
    Hops(u64),
    Networks(Vec<String>),
}

/// Says how a client is found; what is left out has its default.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs, reason = "the words are the contract's own")]
pub struct ClientOptions {
    pub trusted_proxies: Option<Proxies>,
    pub forwarding_field: Option<String>,
    pub ipv6_prefix: Option<u64>,
}

/// Is a limit that was asked, with its decision; what is left out has its default.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs, reason = "the words are the contract's own")]
pub struct Limit {
    pub policies: Vec<Policy>,
    #[serde(default)]
    pub names: Vec<String>,
    pub fields: Option<String>,
    pub saturated_status: Option<u64>,
    pub decision: Decision,
}

/// Holds what a refused request is answered with.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs, reason = "the words are the contract's own")]
pub struct Refusal {
    pub status: u64,
    pub content_type: String,
    pub body: String,
}

/// Says what became of a request: the handler's status, or a word.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
#[allow(missing_docs, reason = "the words are the contract's own")]
pub enum Ended {
    Status(u16),
    Word(String),
}

/// Is what a case asks, with what must come out.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[allow(missing_docs, reason = "the schema says what they mean")]
pub enum Question {
    Address { text: Bytes, ipv6_prefix: u8, expect: AddressIs },
    Client { options: ClientOptions, peer: Option<Bytes>, lines: Vec<Bytes>, expect: Outcome<ClientIs> },
    Header { lines: Vec<Bytes>, expect: HeaderIs },
    Parts { parts: Vec<Option<Bytes>>, expect: Joined },
    Answer { limits: Vec<Limit>, accept: Vec<Bytes>, expect: Outcome<Answer> },
    MissingKey { accept: Vec<Bytes>, expect: Refused },
    Refund { refund_if: Vec<[u64; 2]>, outcome: Ended, expect: Outcome<Refund> },
}

/// Is an answer, or an error.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
#[allow(missing_docs, reason = "the schema says what they mean")]
pub enum Outcome<T> {
    Error { error: Failure },
    Is(T),
}

macro_rules! answers {
    ($($name:ident { $($field:ident: $kind:ty),* })*) => {$(
        #[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
        #[serde(deny_unknown_fields)]
        #[allow(missing_docs, reason = "the schema says what they mean")]
        pub struct $name { $(pub $field: $kind),* }
    )*};
}

answers! {
    AddressIs { key: Option<String> }
    ClientIs { key: String, untrusted_field: bool }
    HeaderIs { key: Option<Bytes> }
    Joined { joined: Option<Bytes> }
    Answer { fields: Vec<(String, String)>, refusal: Option<Refusal> }
    Refused { refusal: Refusal }
    Refund { refund: bool }
}

/// Is one case: its file and name, why it is there, and the question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HttpCase {
    /// File and name.
    pub place: String,
    /// Why the case is there, to be printed when it fails.
    pub why: String,
    /// What is asked, and what must come out.
    pub question: Question,
}

#[derive(Deserialize)]
struct Index {
    http_files: Vec<Listed>,
}

#[derive(Deserialize)]
struct Listed {
    file: String,
    cases: usize,
}

#[derive(Deserialize)]
struct Written {
    cases: Vec<WrittenCase>,
}

struct WrittenCase {
    name: String,
    why: String,
    question: Question,
}

impl<'de> Deserialize<'de> for WrittenCase {
    fn deserialize<D: Deserializer<'de>>(from: D) -> std::result::Result<WrittenCase, D::Error> {
        let mut case = serde_json::Map::<String, serde_json::Value>::deserialize(from)?;
        let mut text = |name| match case.remove(name) {
            Some(serde_json::Value::String(text)) => text,
            _ => String::new(),
        };
        let (name, why) = (text("name"), text("why"));
        let question = serde_json::from_value(serde_json::Value::Object(case))
            .map_err(|error| serde::de::Error::custom(format!("{name}: {error}")))?;
        Ok(WrittenCase { name, why, question })
    }
}

/// Reads every case of the files that `tests/vectors/index.json` lists under `http_files`.
///
/// # Errors
/// A file that cannot be read, is not in the form that `http-schema.json` describes, or has not as many cases as the
/// index says.
pub fn http_cases() -> Result<Vec<HttpCase>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../vectors");
    let index: Index = read(&folder.join("index.json"))?;
    let mut cases = Vec::new();
    for Listed { file, cases: count } in index.http_files {
        let path = fs::canonicalize(folder.join(&file))?;
        let written: Written = read(&path)?;
        if written.cases.len() != count {
            return Err(malformed(&path, "has not as many cases as the index says"));
        }
        let file = file.trim_end_matches(".json");
        cases.extend(written.cases.into_iter().map(|WrittenCase { name, why, question }| HttpCase {
            place: format!("{file}/{name}"),
            why,
            question,
        }));
    }
    Ok(cases)
}
