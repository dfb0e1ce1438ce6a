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
use std::borrow::Cow;
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

/// Decides a request whose key is known. It goes on, with what was taken for it, if it is limited at all; or it ends
/// here, with the response that says so.
pub(crate) fn decide<B: RefusalBody>(
    settings: &Arc<Settings>,
    picked: Picked,
    key: Option<RequestKey>,
    parts: &Parts,
) -> Result<Option<Charge>, Response<B>> {
    let Some(limited) = settings.picked(&picked) else {
        return Ok(None);
    };
    let Some(key) = key else {
        return match settings.on_missing_key {
            OnMissingKey::Allow => Ok(None),
            OnMissingKey::Deny => Err(tell(respond(Refusal::missing_key(&accept(&parts.headers))), Vec::new())),
        };
    };
    let cost = settings.cost(parts).get();
    let decision = match cost {
        1 => limited.limiter().check(&key),
        // A cost that is not 0 is in range.
        cost => limited.limiter().check_cost(&key, cost.into()).unwrap_or_default(),
    };
    if decision.is_allowed() || settings.dry_run {
        if !decision.is_allowed() {
            // Not by its key, which may be a secret.
            log::info!("dry_run: a request would have been refused: {}, policy {}", decision.kind, decision.policy);
        }
        return Ok(Some(Charge { settings: Arc::clone(settings), picked, key, decision }));
    }
    let mut response = match &settings.on_denied {
        Some(function) => function(parts, &decision).map(B::of),
        None => match limited.terms().refusal(&decision, &accept(&parts.headers)) {
            Some(refusal) => respond(refusal),
            None => Response::new(B::of(Bytes::new())),
        },
    };
    let asked = vec![(limited.clone(), decision)];
    write(response.headers_mut(), &asked);
    Err(tell(response, asked))
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
        if let Some(value) = value(written) {
            // It fails only where a response has more fields than a map can hold.
            let _ = headers.try_insert(name(field), value);
        }
    });
}

/// Puts the fields of a limit that let the request pass before those that limits further in have set.
fn put_before(headers: &mut HeaderMap, limited: &Limited, decision: &Decision) {
    let mut inner_has_older = false;
    each_field(&[Asked::new(limited.terms(), decision)], |field, written| {
        if inner_has_older {
            return;
        }
        let value = match (written, limited.policies()) {
            // What core lends is what the terms hold: the policies.
            (Cow::Borrowed(_), Some(policies)) => Some(policies.clone()),
            (written, _) => value(written),
        };
        if let Some(Ok(Some(inner))) = value.map(|value| headers.try_insert(name(field), value)) {
            inner_has_older = join(headers, field, inner);
        }
    });
}

/// Puts what a limit further in has set after what was set in its place; says whether it stays alone instead: the older
/// fields, which come last, are all those of the innermost limit.
#[cold]
fn join(headers: &mut HeaderMap, field: &'static str, inner: HeaderValue) -> bool {
    let is_older = field.starts_with("x-");
    if let Some(place) = headers.get_mut(field) {
        let joined = [place.as_bytes(), inner.as_bytes()].join(&b", "[..]);
        *place = HeaderValue::from_bytes(&joined).ok().filter(|_| !is_older).unwrap_or(inner);
    }
    is_older
}

// Made when this is compiled: a name is looked through sign by sign when it is made.
const RATELIMIT_POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");
const RATELIMIT: HeaderName = HeaderName::from_static("ratelimit");

fn name(field: &'static str) -> HeaderName {
    match field {
        "ratelimit-policy" => RATELIMIT_POLICY,
        "ratelimit" => RATELIMIT,
        field => HeaderName::from_static(field),
    }
}

/// Makes a value of what core writes, which always is one.
fn value(written: Cow<'_, [u8]>) -> Option<HeaderValue> {
    HeaderValue::from_maybe_shared(Bytes::from(written.into_owned())).ok()
}

impl Charge {
    /// Gives back what is to be given back, and writes the fields.
    pub(crate) fn settle<B>(self, response: &mut Response<B>) {
        let Charge { settings, picked, key, decision } = self;
        let Some(limited) = settings.picked(&picked) else { return };
        let refused = response.extensions_mut().remove::<Refused>();
        let outcome = match &refused {
            Some(_) => Outcome::RefusedWithin,
            None => Outcome::Status(response.status().as_u16()),
        };
        if settings.refunds(outcome) {
            limited.limiter().refund(&key, &decision);
        }
        match refused {
            None if settings.dry_run => {}
            None => put_before(response.headers_mut(), limited, &decision),
            Some(Refused(mut asked)) => {
                if !settings.dry_run {
                    asked.insert(0, (limited.clone(), decision));
                    write(response.headers_mut(), &asked);
                }
                response.extensions_mut().insert(Refused(asked));
            }
        }
    }
}
