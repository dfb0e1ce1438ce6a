//! Why a line is not a request.

use std::fmt;

/// Says what a line lacks. It costs nothing until it is shown.
#[derive(Debug)]
pub(crate) enum Fault {
    /// A rule of the format is broken.
    Rule(&'static str),
    /// The line begins like JSON and is none.
    Json(serde_json::Error),
    /// The line is longer than a line may be.
    TooLong(usize),
    /// The cost is not a number of permits; its text.
    Cost(String),
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Rule(rule) => f.write_str(rule),
            Fault::Json(error) => {
                // A log has lines of its own; the parser's is always 1.
                let text = error.to_string();
                let what = text.split(" at line ").next().unwrap_or(&text);
                write!(f, "no JSON: {what} at byte {}", error.column())
            }
            Fault::TooLong(most) => write!(f, "longer than {most} bytes"),
            Fault::Cost(text) => write!(f, "cost is {text}, must be a whole number, at most {}", u32::MAX),
        }
    }
}
