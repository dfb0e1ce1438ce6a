//! Runs the Rust examples of the pages that people read: each page is the documentation of an empty item here, so that
//! its examples are doc tests. The console blocks of the same pages are run by `test_console.py` beside this folder.

macro_rules! pages {
    ($($name:ident: $path:literal,)*) => {
        $(#[cfg(doctest)]
        #[doc = include_str!($path)]
        #[allow(missing_docs, reason = "a place for a page")]
        pub mod $name {})*
    };
}

pages! {
    readme: "../../../README.md",
    usage_rules: "../../../usage-rules.md",
    core_readme: "../../../core/README.md",
    limits: "../../../docs/limits.md",
}
