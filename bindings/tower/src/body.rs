//! The bodies that a refusal can be written to.

use bytes::Bytes;
use http_body_util::combinators::{BoxBody, UnsyncBoxBody};
use http_body_util::{BodyExt, Full};

/// Makes a server's response body of the text of a refusal. Bodies that a handler writes are never touched.
pub trait RefusalBody {
    /// Makes a body of these bytes.
    fn of(text: Bytes) -> Self;
}

impl RefusalBody for Full<Bytes> {
    fn of(text: Bytes) -> Self {
        Full::new(text)
    }
}

impl<E> RefusalBody for BoxBody<Bytes, E> {
    fn of(text: Bytes) -> Self {
        Full::new(text).map_err(|never| match never {}).boxed()
    }
}

impl<E> RefusalBody for UnsyncBoxBody<Bytes, E> {
    fn of(text: Bytes) -> Self {
        Full::new(text).map_err(|never| match never {}).boxed_unsync()
    }
}

#[cfg(feature = "axum")]
impl RefusalBody for axum::body::Body {
    fn of(text: Bytes) -> Self {
        axum::body::Body::from(text)
    }
}

#[cfg(feature = "tonic")]
impl RefusalBody for tonic::body::Body {
    fn of(text: Bytes) -> Self {
        tonic::body::Body::new(Full::new(text))
    }
}
