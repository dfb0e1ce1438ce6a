//! The peer of a request, where a server leaves it.

use http::Extensions;
use std::net::SocketAddr;

/// Looks where axum leaves it.
#[cfg(feature = "axum")]
#[inline(never)]
pub(crate) fn of_axum(extensions: &Extensions) -> Option<&SocketAddr> {
    extensions.get::<axum::extract::ConnectInfo<SocketAddr>>().map(|info| &info.0)
}

#[cfg(not(feature = "axum"))]
pub(crate) fn of_axum(_: &Extensions) -> Option<&SocketAddr> {
    None
}

/// Looks where other servers leave it.
pub(crate) fn of_others(extensions: &Extensions) -> Option<SocketAddr> {
    extensions.get().copied().or_else(|| of_tonic(extensions))
}

#[cfg(feature = "tonic")]
fn of_tonic(extensions: &Extensions) -> Option<SocketAddr> {
    extensions.get::<tonic::transport::server::TcpConnectInfo>().and_then(|info| info.remote_addr())
}

#[cfg(not(feature = "tonic"))]
fn of_tonic(_: &Extensions) -> Option<SocketAddr> {
    None
}
