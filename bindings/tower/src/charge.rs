//! What a request was decided, and what its response says of it.

use crate::body::RefusalBody;
use crate::key::RequestKey;
use crate::layer::{Picked, Settings};
use crate::limited::Limited;
use bytes::Bytes;
use http::header::{ACCEPT, CONTENT_TYPE};
use http::request::Parts;
use http::{HeaderMap, HeaderName, HeaderValue, Response, StatusCode};
use ratelimit_core::Decision;
use ratelimit_core::http::{Asked, OnMissingKey, Outcome, Refusal, each_field};
use std::num::NonZeroU32;
use std::sync::Arc;

/// Stands in the extensions of a refusal, for the limits further out: those that were asked, the outermost first.
#[derive(Clone)]
struct Refused(Vec<(Limited, Decision)>);

/// What a limit took for a request that is under way.
pub(crate) struct Charge {
    settings: Arc<Settings>,
    picked: Picked,
    key: RequestKey,
    decision: Decision,
}

/// Why a request ends here.
pub(crate) enum Refusing {
    NoKey,
    Decided(Limited, Decision),
}

/// Decides a request whose key is known: it goes on, with what was decided if it is limited at all.
#[inline]
pub(crate) fn decide(
    settings: &Settings,
    picked: &Picked,
    key: Option<&RequestKey>,
    cost: impl FnOnce() -> NonZeroU32,
) -> Result<Option<Decision>, Refusing> {
    let Some(limited) = settings.picked(picked) else {
        return Ok(None);
    };
    let Some(key) = key else {
        return match settings.on_missing_key {
            OnMissingKey::Allow => Ok(None),
            OnMissingKey::Deny => Err(Refusing::NoKey),
        };
    };
    let decision = match cost().get() {
        1 => limited.limiter().check(key),
        // A cost that is not 0 is in range.
        cost => limited.limiter().check_cost(key, cost.into()).unwrap_or_default(),
    };
    if !decision.is_allowed() {
        if !settings.dry_run {
            return Err(Refusing::Decided(limited.clone(), decision));
        }
        // Not by its key, which may be a secret.
        log::info!("dry_run: a request would have been refused: {}, policy {}", decision.kind, decision.policy);
    }
    Ok(Some(decision))
}

/// Returns the response that says why a request ends here.
#[cold]
pub(crate) fn refuse<B: RefusalBody>(settings: &Settings, why: Refusing, parts: &Parts) -> Response<B> {
    let Refusing::Decided(limited, decision) = why else {
        return tell(respond(Refusal::missing_key(&accept(&parts.headers))), Vec::new());
    };
    let mut response = match &settings.on_denied {
        Some(function) => function(parts, &decision).map(B::of),
        None => match limited.terms().refusal(&decision, &accept(&parts.headers)) {
            Some(refusal) => respond(refusal),
            None => Response::new(B::of(Bytes::new())),
        },
    };
    let asked = vec![(limited, decision)];
    write(response.headers_mut(), &asked);
    tell(response, asked)
}

fn tell<B>(mut response: Response<B>, asked: Vec<(Limited, Decision)>) -> Response<B> {
    response.extensions_mut().insert(Refused(asked));
    response
}

fn accept(headers: &HeaderMap) -> Vec<&[u8]> {
    headers.get_all(ACCEPT).into_iter().map(HeaderValue::as_bytes).collect()
}

fn respond<B: RefusalBody>(refusal: Refusal) -> Response<B> {
    let mut response = Response::new(B::of(refusal.body.into()));
    *response.status_mut() = StatusCode::from_u16(refusal.status).unwrap_or(StatusCode::TOO_MANY_REQUESTS);
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(refusal.content_type));
    response
}

/// Sets the fields of a refusal, for the limits that were asked, the outermost first.
fn write(headers: &mut HeaderMap, asked: &[(Limited, Decision)]) {
    let all: Vec<Asked<'_>> = asked.iter().map(|(limited, decision)| Asked::new(limited.terms(), decision)).collect();
    each_field(&all, |field, written| {
        if let Some(value) = value(written.into_owned()) {
            put(headers, HeaderName::from_static(field), value);
        }
    });
}

/// Puts the fields of a limit that let the request pass before those that limits further in have set.
fn put_before(headers: &mut HeaderMap, limited: &Limited, decision: &Decision) {
    // Without policies there are no fields.
    let Some(policies) = limited.policies() else { return };
    if headers.len() > headers.keys_len() {
        join_lines(headers);
    }
    let asked = Asked::new(limited.terms(), decision);
    if let Some(inner) = put(headers, RATELIMIT_POLICY, policies.clone()) {
        join(headers, RATELIMIT_POLICY, inner);
    }
    if let Some(inner) = value(asked.item()).and_then(|item| put(headers, RATELIMIT, item)) {
        join(headers, RATELIMIT, inner);
    }
    if limited.has_older_fields() {
        put_older(headers, asked);
    }
}

/// Puts the older fields, unless a limit further in has set any: all of them are those of the innermost.
#[cold]
fn put_older(headers: &mut HeaderMap, asked: Asked<'_>) {
    let mut older = Vec::with_capacity(3);
    each_field(&[asked], |field, written| {
        if field.starts_with("x-") {
            older.push((HeaderName::from_static(field), written));
        }
    });
    if older.iter().any(|(name, _)| headers.contains_key(name)) {
        return;
    }
    for (name, written) in older {
        value(written.into_owned()).and_then(|value| put(headers, name, value));
    }
}

/// Makes one line of the several that an application may have handed on from elsewhere.
#[cold]
fn join_lines(headers: &mut HeaderMap) {
    for name in [RATELIMIT_POLICY, RATELIMIT] {
        let lines: Vec<&[u8]> = headers.get_all(&name).into_iter().map(HeaderValue::as_bytes).filter(is_said).collect();
        if !lines.is_empty() {
            value(lines.join(&b", "[..])).and_then(|value| put(headers, name, value));
        }
    }
}

/// Puts what a limit further in has set after what was set in its place.
#[cold]
fn join(headers: &mut HeaderMap, name: HeaderName, inner: HeaderValue) {
    if let Some(place) = headers.get_mut(name).filter(|_| is_said(&inner.as_bytes())) {
        let joined = [place.as_bytes(), inner.as_bytes()].join(&b", "[..]);
        *place = HeaderValue::from_bytes(&joined).unwrap_or(inner);
    }
}

/// Says whether a line says anything: joined to others, an empty one would spoil them.
fn is_said(line: &&[u8]) -> bool {
    !line.trim_ascii().is_empty()
}

/// Puts a field; returns what was there. It fails only where a response has more fields than a map can hold.
fn put(headers: &mut HeaderMap, name: HeaderName, value: HeaderValue) -> Option<HeaderValue> {
    headers.try_insert(name, value).ok().flatten()
}

// Made when this is compiled: a name is looked through sign by sign when it is made.
const RATELIMIT_POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");
const RATELIMIT: HeaderName = HeaderName::from_static("ratelimit");

/// Makes a value of what core writes, which always is one.
fn value(written: Vec<u8>) -> Option<HeaderValue> {
    HeaderValue::from_maybe_shared(Bytes::from(written)).ok()
}

impl Charge {
    /// Notes what was decided; none if the request is not limited.
    #[inline]
    pub(crate) fn new(
        settings: &Arc<Settings>,
        picked: Picked,
        key: Option<RequestKey>,
        decision: Option<Decision>,
    ) -> Option<Charge> {
        let (key, decision) = (key?, decision?);
        Some(Charge { settings: Arc::clone(settings), picked, key, decision })
    }

    /// Gives back what is to be given back, and writes the fields.
    pub(crate) fn settle<B>(&self, response: &mut Response<B>) {
        let Charge { settings, picked, key, decision } = self;
        let Some(limited) = settings.picked(picked) else { return };
        if response.extensions().get::<Refused>().is_some() {
            return self.settle_refused(limited, response);
        }
        if settings.refunds(Outcome::Status(response.status().as_u16())) {
            limited.limiter().refund(key, decision);
        }
        if !settings.dry_run {
            put_before(response.headers_mut(), limited, decision);
        }
    }

    /// Does it for a request that a limit further in has refused.
    #[cold]
    fn settle_refused<B>(&self, limited: &Limited, response: &mut Response<B>) {
        let Charge { settings, key, decision, .. } = self;
        if settings.refunds(Outcome::RefusedWithin) {
            limited.limiter().refund(key, decision);
        }
        if settings.dry_run {
            return;
        }
        let Some(Refused(mut asked)) = response.extensions_mut().remove::<Refused>() else { return };
        asked.insert(0, (limited.clone(), *decision));
        write(response.headers_mut(), &asked);
        response.extensions_mut().insert(Refused(asked));
    }
}
