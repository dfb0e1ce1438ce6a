//! Limits over HTTP: the vectors, the syntax of the fields, and addresses against the standard library's.

mod addresses;
mod questions;
mod syntax;
