//! Keys as the vectors write them.

use serde::Deserialize;

/// Names one identity, in the form in which a caller would give it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "Written")]
pub enum Key {
    /// Text, which stands for its UTF-8.
    Text(String),
    /// Bytes.
    Bytes(Vec<u8>),
    /// A list of parts, a key of its own kind.
    Parts(Vec<Vec<u8>>),
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Written {
    Text(String),
    Hex(String),
    Parts(Vec<String>),
}

impl TryFrom<Written> for Key {
    type Error = String;

    fn try_from(written: Written) -> Result<Key, String> {
        match written {
            Written::Text(text) => Ok(Key::Text(text)),
            Written::Hex(hex) => from_hex(&hex).map(Key::Bytes),
            Written::Parts(parts) => parts.iter().map(|part| from_hex(part)).collect::<Result<_, _>>().map(Key::Parts),
        }
    }
}

fn from_hex(hex: &str) -> Result<Vec<u8>, String> {
    let digit = |byte: u8| char::from(byte).to_digit(16);
    let whole = |pair: &[u8]| match pair {
        [high, low] => u8::try_from(digit(*high)? * 16 + digit(*low)?).ok(),
        _ => None,
    };
    hex.as_bytes().chunks(2).map(whole).collect::<Option<_>>().ok_or_else(|| format!("{hex} is not bytes in hex"))
}

#[cfg(test)]
mod tests {
    use super::Key;

    #[test]
    fn each_form_of_a_key_is_read() {
        let read = |json| serde_json::from_str::<Key>(json).map_err(|error| error.to_string());
        assert_eq!(read(r#"{"text":"é"}"#), Ok(Key::Text("é".to_owned())));
        assert_eq!(read(r#"{"hex":"00fF"}"#), Ok(Key::Bytes(vec![0, 255])));
        assert_eq!(read(r#"{"parts":["61",""]}"#), Ok(Key::Parts(vec![vec![97], vec![]])));
        for wrong in [r#"{"hex":"0"}"#, r#"{"hex":"+1"}"#, r#"{"hex":"é0"}"#, r#"{"parts":["x"]}"#, r#"{"bytes":""}"#]
        {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
