//! Rate limits in front of axum, tonic and hyper servers: a tower layer.
//!
//! ```
//! use axum::{Router, routing::{get, post}};
//! use ratelimit_core::Limiter;
//! use ratelimit_core::http::{ClientOptions, TermsOptions};
//! use ratelimit_tower::{KeyFrom, Limited, RateLimitLayer};
//!
//! let limited = |text: &str, name: &str| {
//!     let options = TermsOptions { names: vec![name.to_owned()], ..TermsOptions::default() };
//!     Limited::new(text.parse::<Limiter>()?, &options)
//! };
//! let by_ip = KeyFrom::ip(&ClientOptions::default())?;
//! let site = RateLimitLayer::new(limited("100/minute", "site")?, by_ip.clone());
//! let logins = RateLimitLayer::new(limited("sliding 5/hour", "login")?, by_ip)
//!     .refund_if(|status| status.as_u16() < 400); // Only failures count.
//!
//! let app: Router = Router::new()
//!     .route("/login", post(|| async { "welcome" }).layer(logins))
//!     .route("/", get(|| async { "hello" }))
//!     .layer(site);
//! // axum::serve(listener, app.into_make_service_with_connect_info::<SocketAddr>())
//! # let _ = app;
//! # Ok::<(), ratelimit_core::Error>(())
//! ```
//!
//! With axum serve the application by `into_make_service_with_connect_info::<SocketAddr>()`: without it no peer is
//! known and all clients share the key `unknown`. Behind a proxy say so in
//! [`ClientOptions`](ratelimit_core::http::ClientOptions).
//!
//! A client of gRPC reads its status from fields of its own: before tonic answer refusals by
//! [`on_denied`](RateLimitLayer::on_denied), with `tonic::Status::resource_exhausted("…").into_http()`.
//!
//! What a response says, and which client a request is from, is decided in [`ratelimit_core::http`], alike for every
//! language; here it is carried. No lock is held while anything is waited for, and the bodies of requests and responses
//! are not touched.

mod body;
mod charge;
mod key;
mod layer;
mod limited;
mod peer;
mod service;

pub use body::RefusalBody;
pub use key::{BoxFuture, KeyFrom, RequestKey};
pub use layer::RateLimitLayer;
pub use limited::Limited;
pub use ratelimit_core;
pub use service::{RateLimit, ResponseFuture};
