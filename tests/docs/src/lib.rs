//! Runs the Rust examples of the pages that people read: `build.rs` makes a module of each page, and its examples are
//! doc tests. The console blocks of the same pages are run by `test_console.py` beside this folder.

include!(concat!(env!("OUT_DIR"), "/pages.rs"));
