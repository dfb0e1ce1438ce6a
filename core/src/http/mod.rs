//! Carries limits over HTTP: which client a request is from, and what its response says.
//!
//! Strings and numbers go in and come out; nothing here knows a framework. A middleware finds the key of a request
//! ([`ByIp`], [`header_key`], [`join`]), checks it, and writes what [`fields`] and [`Terms::refusal`] give it. So every
//! framework in every language answers alike, byte for byte.
//!
//! ```
//! use ratelimit_core::Limiter;
//! use ratelimit_core::http::{Address, Asked, ByIp, ClientOptions, Terms, TermsOptions, TrustedProxies, fields};
//!
//! // At start.
//! let limiter: Limiter = "2/hour".parse()?;
//! let terms = Terms::new(limiter.policies(), &TermsOptions::default())?;
//! let by_ip = ByIp::new(&ClientOptions { trusted_proxies: TrustedProxies::Hops(1), ..ClientOptions::default() })?;
//!
//! // For each request.
//! let client = by_ip.client(Address::parse(b"10.0.0.1:443"), &[b"6.6.6.6, 203.0.113.9"]);
//! assert_eq!(client.key.as_str(), "203.0.113.9");
//! let decision = limiter.check(client.key);
//! let sent = fields(&[Asked::new(&terms, &decision)]);
//! assert_eq!(sent[0], ("ratelimit-policy", "\"default\";q=2;w=3600".into()));
//! assert!(sent[1].1.starts_with("\"default\";r=1;t="));
//! assert!(terms.refusal(&decision, &[]).is_none());
//! # Ok::<(), ratelimit_core::Error>(())
//! ```

mod accept;
mod address;
mod client;
mod fields;
mod forwarded;
mod header;
mod ip;
mod network;
mod refusal;
mod statuses;
mod terms;

pub use address::{Address, AddressKey};
pub use client::{ByIp, Client, ClientOptions, TrustedProxies, UNTRUSTED_FIELD};
pub use fields::{Asked, HeaderField, each_field, fields};
pub use header::{header_key, join};
pub use refusal::{OnMissingKey, Refusal};
pub use statuses::{Outcome, Statuses};
pub use terms::{FieldStyle, Terms, TermsOptions};
