//! How the client of a request is found.

use crate::failure::Failure;
use crate::http::parts;
use crate::key::ratelimit_part;
use crate::memory;
use core::ffi::c_char;
use ratelimit_core::http::{ClientOptions, TrustedProxies};
use ratelimit_core::{Error, Field};

/// Collects how a client's address is found and made a key. Start from RATELIMIT_HTTP_CLIENT_OPTIONS_INIT, which trusts
/// no proxy.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ratelimit_http_client_options {
    /// sizeof(ratelimit_http_client_options).
    pub size: usize,
    /// How many proxies stand before the server, 0 to 255: with 1 the peer is one, and what it wrote last is the
    /// client.
    pub trusted_hops: u64,
    /// Or the proxies' networks, "10.0.0.0/8", "2001:db8::/32", and addresses; then trusted_hops is 0. May be NULL if
    /// there are none.
    pub trusted_networks: *const ratelimit_part,
    /// How many networks.
    pub trusted_network_count: usize,
    /// The field in which they write whom they serve; NULL for X-Forwarded-For. "Forwarded" is read as RFC 7239 says,
    /// any other as a list of addresses.
    pub forwarding_field: *const c_char,
    /// The length of its name.
    pub forwarding_field_length: usize,
    /// Bits of an IPv6 address that are the client's network, 32 to 128.
    pub ipv6_prefix: u64,
}

/// Reads options.
///
/// # Safety
/// A pointer that is not NULL points at `size` bytes, and those options at what their fields say.
pub(crate) unsafe fn client_options(pointer: *const ratelimit_http_client_options) -> Result<ClientOptions, Failure> {
    let mut options = ClientOptions::default();
    if pointer.is_null() {
        return Ok(options);
    }
    // Safe because the caller promises options of the size that they say, and what they point at.
    let (given, networks, field) = unsafe {
        let given = memory::read_sized(pointer, ["options", "options.size"], "ratelimit_http_client_options")?;
        let fields = ["options.trusted_networks", "options.trusted_network_count"];
        let networks = parts(given.trusted_networks, given.trusted_network_count, fields)?;
        let fields = ["options.forwarding_field", "options.forwarding_field_length"];
        (given, networks, memory::bytes(given.forwarding_field.cast(), given.forwarding_field_length, fields)?)
    };
    options.trusted_proxies = match given.trusted_hops {
        hops if networks.is_empty() => TrustedProxies::Hops(hops),
        0 => TrustedProxies::Networks(networks.into_iter().map(text).collect()),
        _ => return Err(Error::malformed(Field::TrustedProxies, "hops and networks", "one of the two").into()),
    };
    if !given.forwarding_field.is_null() {
        options.forwarding_field = text(field);
    }
    options.ipv6_prefix = given.ipv6_prefix;
    Ok(options)
}

/// Reads text; what is no UTF-8 becomes signs that neither a network nor a name may have.
fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
