//! The peer of a request, where a server leaves it.

use http::Extensions;
use ratelimit_core::http::Address;
use std::net::SocketAddr;

/// Looks for the peer's address among a request's extensions.
#[inline(never)]
pub(crate) fn address(extensions: &Extensions) -> Option<Address> {
    match of_axum(extensions) {
        Some(peer) => Some(Address::from(peer.ip())),
        None => of_others(extensions),
    }
}

#[inline(never)]
fn of_others(extensions: &Extensions) -> Option<Address> {
    let peer = extensions.get().copied().or_else(|| of_tonic(extensions));
    peer.map(|peer: SocketAddr| Address::from(peer.ip()))
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
fn of_tonic(extensions: &Extensions) -> Option<SocketAddr> {
    extensions.get::<tonic::transport::server::TcpConnectInfo>().and_then(|info| info.remote_addr())
}

#[cfg(not(feature = "tonic"))]
fn of_tonic(_: &Extensions) -> Option<SocketAddr> {
    None
}
