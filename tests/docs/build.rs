//! Makes a module of each page, documented by it, so that the page's Rust examples are doc tests.
//!
//! Readers see an example as they would write it. A doc test that uses `?` must end in a typed `Ok`, so that line is
//! put in here.

use std::error::Error;
use std::fmt::Write;
use std::path::Path;
use std::{env, fs};

const PAGES: [&str; 5] = ["README.md", "core/README.md", "docs/http.md", "docs/limits.md", "usage-rules.md"];

const OK: &str = "# Ok::<(), ratelimit_core::Error>(())\n";

fn main() -> Result<(), Box<dyn Error>> {
    let root = Path::new(&env::var("CARGO_MANIFEST_DIR")?).join("../..");
    let mut modules = String::new();
    for page in PAGES {
        println!("cargo::rerun-if-changed={}", root.join(page).display());
        let name = page.trim_end_matches(".md").replace(['/', '-'], "_").to_lowercase();
        let text = with_results(&fs::read_to_string(root.join(page))?);
        write!(modules, "#[cfg(doctest)]\n#[doc = {text:?}]\npub mod {name} {{}}\n\n")?;
    }
    fs::write(Path::new(&env::var("OUT_DIR")?).join("pages.rs"), modules)?;
    Ok(())
}

/// Ends each Rust block that uses `?` in the line that gives its result a type.
fn with_results(page: &str) -> String {
    let mut text = String::new();
    let mut fallible = None;
    for line in page.split_inclusive('\n') {
        match (&mut fallible, line.trim_end()) {
            (None, "```rust") => fallible = Some(false),
            (Some(uses), "```") => {
                if *uses {
                    text.push_str(OK);
                }
                fallible = None;
            }
            (Some(uses), code) => *uses |= code.contains("?;") || code.contains("?)") || code.contains("?."),
            (None, _) => {}
        }
        text.push_str(line);
    }
    text
}
