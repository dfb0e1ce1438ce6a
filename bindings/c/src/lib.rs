//! The C ABI: what `include/ratelimit.h` declares.
//!
//! Items are spelled here as C spells them, and their documentation is the header's: `cargo xtask header` writes it
//! from this crate, and each module with functions is a section of it, in the order below. Nothing is decided here; a
//! function reads its arguments, calls core, and writes the answer.
//!
//! Whatever comes in is judged before anything is done: pointers that are NULL, enum values that C cannot keep out,
//! lengths that no object has. A panic becomes a status at the border.

#![allow(unsafe_code, reason = "the border to C is made of pointers")]
#![allow(non_camel_case_types, clippy::enum_variant_names, reason = "spelled as C spells them")]
#![allow(clippy::missing_safety_doc, reason = "the header states once what it asks of every caller")]

mod limiter;

mod calls;

mod housekeeping;

mod config;

mod clock;

mod warning;

mod policy;

mod key;

mod decision;

mod http;

mod client;

mod error;

mod status;

mod version;

mod failure;
mod memory;

pub use calls::*;
pub use client::ratelimit_http_client_options;
pub use clock::{RATELIMIT_NOW, ratelimit_clock_fn};
pub use config::{RATELIMIT_DEFAULT_MAX_IDENTITIES, ratelimit_config};
pub use decision::{RATELIMIT_NEVER, ratelimit_decision, ratelimit_kind};
pub use error::*;
pub use housekeeping::*;
pub use http::{
    RATELIMIT_HTTP_REFUSED_WITHIN, ratelimit_http_client, ratelimit_http_fields, ratelimit_http_header_key,
    ratelimit_http_limit, ratelimit_http_refunds, ratelimit_http_refusal, ratelimit_http_statuses,
    ratelimit_http_style,
};
pub use key::*;
pub use limiter::*;
pub use policy::*;
pub use status::*;
pub use version::*;
pub use warning::{ratelimit_warning, ratelimit_warning_fn};
