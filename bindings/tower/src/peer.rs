//! The peer of a request, where a server leaves it.

use http::Extensions;
use ratelimit_core::http::Address;
use std::net::SocketAddr;

/// Looks for the peer's address among a request's extensions.
pub(crate) fn address(extensions: &Extensions) -> Option<Address> {
    match of_axum(extensions).or_else(|| extensions.get()) {
        Some(peer) => Some(Address::from(peer.ip())),
        None => of_tonic(extensions).map(|peer| Address::from(peer.ip())),
    }
}

#[cfg(feature = "axum")]
fn of_axum(extensions: &Extensions) -> Option<&SocketAddr> {
    extensions.get::<axum::extract::ConnectInfo<SocketAddr>>().map(|info| &info.0)
}

#[cfg(not(feature = "axum"))]
fn of_axum(_: &Extensions) -> Option<&SocketAddr> {
    None
}

#[cfg(feature = "tonic")]
#[inline(never)]
fn of_tonic(extensions: &Extensions) -> Option<SocketAddr> {
    extensions.get::<tonic::transport::server::TcpConnectInfo>().and_then(|info| info.remote_addr())
}

#[cfg(not(feature = "tonic"))]
fn of_tonic(_: &Extensions) -> Option<SocketAddr> {
    None
}
