//! Where a request's key comes from.

use crate::peer;
use http::request::Parts;
use http::{Extensions, HeaderMap, HeaderName};
use ratelimit_core::http::{Address, AddressKey, ByIp, ClientOptions, UNTRUSTED_FIELD, header_key, join};
use ratelimit_core::{AsKey, Error, Key, KeyRef};
use std::fmt;
use std::future::Future;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A future that may borrow the request it is about.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// Holds the key of one request: text, bytes, or a list of parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequestKey(Form);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Form {
    Address(AddressKey),
    Plain(Vec<u8>),
    Parts(Key),
}

impl AsKey for RequestKey {
    fn as_key(&self) -> KeyRef<'_> {
        match &self.0 {
            Form::Address(key) => key.as_key(),
            Form::Plain(bytes) => bytes.as_key(),
            Form::Parts(key) => key.as_key(),
        }
    }
}

impl From<&str> for RequestKey {
    fn from(text: &str) -> RequestKey {
        RequestKey(Form::Plain(text.into()))
    }
}

impl From<String> for RequestKey {
    fn from(text: String) -> RequestKey {
        RequestKey(Form::Plain(text.into_bytes()))
    }
}

impl From<Vec<u8>> for RequestKey {
    fn from(bytes: Vec<u8>) -> RequestKey {
        RequestKey(Form::Plain(bytes))
    }
}

impl From<Key> for RequestKey {
    fn from(key: Key) -> RequestKey {
        RequestKey(Form::Parts(key))
    }
}

impl From<AddressKey> for RequestKey {
    fn from(key: AddressKey) -> RequestKey {
        RequestKey(Form::Address(key))
    }
}

type Function = dyn Fn(&Parts) -> Option<RequestKey> + Send + Sync;
type AsyncFunction = dyn for<'a> Fn(&'a Parts) -> BoxFuture<'a, Option<RequestKey>> + Send + Sync;

/// Says where a request's key comes from: its client's address, a header, a function, or several of them.
#[derive(Clone)]
pub struct KeyFrom(Source);

#[derive(Clone)]
enum Source {
    Ip(Arc<FromIp>),
    Header(HeaderName),
    Function(Arc<Function>),
    Async(Arc<AsyncFunction>),
    All(Arc<[KeyFrom]>),
}

const UNKNOWN_PEER: &str = "unknown_peer: a request does not say which address it comes from, and all such share one \
    key; serve with into_make_service_with_connect_info::<SocketAddr>(), or put the SocketAddr into its extensions";

struct FromIp {
    by_ip: ByIp,
    field: HeaderName,
    told_untrusted: AtomicBool,
    told_unknown: AtomicBool,
}

impl KeyFrom {
    /// Takes the client's address: the peer's, or behind trusted proxies the one that they forward for. There always is
    /// a key, if only `unknown`.
    ///
    /// The peer is what axum's `ConnectInfo<SocketAddr>`, tonic's `TcpConnectInfo`, or a `SocketAddr` among the
    /// request's extensions say. An untrusted peer that claims to forward is reported once, by `log`.
    ///
    /// # Errors
    /// If the options are wrong; the error names the one.
    pub fn ip(options: &ClientOptions) -> Result<KeyFrom, Error> {
        let by_ip = ByIp::new(options)?;
        let rule = "the name of a field";
        let field = by_ip.forwarding_field();
        let field = HeaderName::from_bytes(field.as_bytes())
            .map_err(|_| Error::malformed(ratelimit_core::Field::ForwardingField, field, rule))?;
        let (told_untrusted, told_unknown) = (AtomicBool::new(false), AtomicBool::new(false));
        Ok(KeyFrom(Source::Ip(Arc::new(FromIp { by_ip, field, told_untrusted, told_unknown }))))
    }

    /// Takes the value of a header, without the blanks about it; a request where it is missing or empty has no key.
    #[must_use]
    pub fn header(name: HeaderName) -> KeyFrom {
        KeyFrom(Source::Header(name))
    }

    /// Asks a function; none is no key.
    pub fn request<K: Into<RequestKey>>(function: impl Fn(&Parts) -> Option<K> + Send + Sync + 'static) -> KeyFrom {
        KeyFrom(Source::Function(Arc::new(move |parts| function(parts).map(Into::into))))
    }

    /// Asks an async function; none is no key. No lock is held while it is waited for.
    ///
    /// ```
    /// use ratelimit_tower::{KeyFrom, RequestKey};
    ///
    /// let key = KeyFrom::request_async(|parts| Box::pin(async move {
    ///     let session = parts.headers.get("x-session")?;
    ///     // Here a store of sessions would be asked.
    ///     Some(RequestKey::from(session.as_bytes().to_vec()))
    /// }));
    /// ```
    pub fn request_async(
        function: impl for<'a> Fn(&'a Parts) -> BoxFuture<'a, Option<RequestKey>> + Send + Sync + 'static,
    ) -> KeyFrom {
        KeyFrom(Source::Async(Arc::new(function)))
    }

    /// Joins several into one key, so that no two lists meet; a request where one is missing has no key.
    #[must_use]
    pub fn all(parts: impl Into<Vec<KeyFrom>>) -> KeyFrom {
        KeyFrom(Source::All(parts.into().into()))
    }

    /// Says whether the key has to be waited for.
    pub(crate) fn is_async(&self) -> bool {
        self.any(|source| matches!(source, Source::Async(_)))
    }

    /// Says whether a function has to be asked for the key.
    pub(crate) fn asks_functions(&self) -> bool {
        self.any(|source| matches!(source, Source::Function(_) | Source::Async(_)))
    }

    fn any(&self, is: fn(&Source) -> bool) -> bool {
        match &self.0 {
            Source::All(parts) => parts.iter().any(|part| part.any(is)),
            source => is(source),
        }
    }

    /// Finds the key of a request, as far as no function is asked.
    #[inline(never)]
    pub(crate) fn found(&self, headers: &HeaderMap, extensions: &Extensions) -> Option<RequestKey> {
        match &self.0 {
            Source::Ip(from) => Some(from.key(headers, extensions).into()),
            _ => self.found_otherwise(headers, extensions),
        }
    }

    #[inline(never)]
    fn found_otherwise(&self, headers: &HeaderMap, extensions: &Extensions) -> Option<RequestKey> {
        match &self.0 {
            Source::Header(name) => header(headers, name).map(RequestKey::from),
            Source::All(all) => joined(all.iter().map(|from| from.found(headers, extensions)).collect()),
            Source::Ip(_) | Source::Function(_) | Source::Async(_) => None,
        }
    }

    /// Finds the key of a request, as far as nothing is waited for.
    pub(crate) fn now(&self, parts: &Parts) -> Option<RequestKey> {
        match &self.0 {
            Source::Function(function) => function(parts),
            Source::All(all) => joined(all.iter().map(|from| from.now(parts)).collect()),
            _ => self.found(&parts.headers, &parts.extensions),
        }
    }

    /// Finds the key of a request, and waits for it.
    pub(crate) fn later<'a>(&'a self, parts: &'a Parts) -> BoxFuture<'a, Option<RequestKey>> {
        match &self.0 {
            Source::Async(function) => function(parts),
            Source::All(all) => Box::pin(async move {
                let mut keys = Vec::with_capacity(all.len());
                for from in all.iter() {
                    keys.push(from.later(parts).await);
                }
                joined(keys)
            }),
            _ => Box::pin(async move { self.now(parts) }),
        }
    }
}

fn header(headers: &HeaderMap, name: &HeaderName) -> Option<Vec<u8>> {
    let lines: Vec<&[u8]> = headers.get_all(name).into_iter().map(|line| line.as_bytes()).collect();
    header_key(&lines).map(Vec::from)
}

fn joined(keys: Vec<Option<RequestKey>>) -> Option<RequestKey> {
    let parts: Vec<Option<&[u8]>> = keys.iter().map(|key| key.as_ref().map(|key| key.as_key().bytes())).collect();
    join(&parts).map(RequestKey::from)
}

impl FromIp {
    #[inline(never)]
    fn key(&self, headers: &HeaderMap, extensions: &Extensions) -> AddressKey {
        // Quicker than a look-up, which hashes the name: a request has few fields.
        let is_forwarded = headers.keys().any(|name| *name == self.field);
        match peer::of_axum(extensions) {
            Some(peer) if !is_forwarded => self.by_ip.peer_key(Some(peer.ip().into())),
            of_axum => self.key_otherwise(of_axum, headers, extensions),
        }
    }

    #[cold]
    fn tell_unknown(&self) {
        if !self.told_unknown.swap(true, Ordering::Relaxed) {
            log::warn!("{UNKNOWN_PEER}");
        }
    }

    #[inline(never)]
    fn key_otherwise(&self, of_axum: Option<&SocketAddr>, headers: &HeaderMap, extensions: &Extensions) -> AddressKey {
        let peer = of_axum.copied().or_else(|| peer::of_others(extensions)).map(|peer| Address::from(peer.ip()));
        let lines: Vec<&[u8]> = headers.get_all(&self.field).into_iter().map(|line| line.as_bytes()).collect();
        let client = self.by_ip.client(peer, &lines);
        // Not for want of a peer alone: behind a proxy on a local socket the client is known without.
        if client.key == AddressKey::unknown() {
            self.tell_unknown();
        }
        if client.untrusted_field && !self.told_untrusted.swap(true, Ordering::Relaxed) {
            log::warn!("{UNTRUSTED_FIELD}");
        }
        client.key
    }
}

impl fmt::Debug for KeyFrom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Source::Ip(from) => f.debug_tuple("KeyFrom::ip").field(&from.by_ip).finish(),
            Source::Header(name) => f.debug_tuple("KeyFrom::header").field(name).finish(),
            Source::Function(_) => f.write_str("KeyFrom::request"),
            Source::Async(_) => f.write_str("KeyFrom::request_async"),
            Source::All(all) => f.debug_tuple("KeyFrom::all").field(all).finish(),
        }
    }
}
