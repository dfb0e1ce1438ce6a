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

/// What was decided of a request: what a limit took for it, or why it ends here.
pub(crate) struct Charge {
    settings: Arc<Settings>,
    picked: Picked,
    key: Option<RequestKey>,
    /// None if the request is not limited, or has no key.
    decision: Option<Decision>,
    pub(crate) is_refused: bool,
}

/// Decides a request whose key is known, if it has one. Its parts are for who says the cost, where a function does.
// Not built into the service's code, which there is for each kind of server: between two requests the processor has
// forgotten most of it, so the less of it a request runs through, the better.
#[inline(never)]
pub(crate) fn decide(
    settings: &Arc<Settings>,
    picked: Picked,
    key: Option<RequestKey>,
    parts: Option<&Parts>,
) -> Charge {
    let limited = settings.picked(&picked);
    let decision = match (limited, &key) {
        (Some(limited), Some(key)) => Some(check(limited, key, settings.cost(parts))),
        _ => None,
    };
    let would_be_refused = match &decision {
        Some(decision) => !decision.is_allowed(),
        None => limited.is_some() && settings.on_missing_key == OnMissingKey::Deny,
    };
    let is_refused = would_be_refused && !is_only_told(settings, decision.as_ref());
    // Counted only now, soon after a lock was taken: for either the processor waits until all that it has written is in
    // the cache.
    Charge { settings: Arc::clone(settings), picked, key, decision, is_refused }
}

/// Tells of a request that would be refused if this were no dry run.
#[cold]
fn is_only_told(settings: &Settings, decision: Option<&Decision>) -> bool {
    if !settings.dry_run {
        return false;
    }
    // Not by its key, which may be a secret.
    match decision {
        Some(Decision { kind, policy, .. }) => {
            log::info!("dry_run: a request would have been refused: {kind}, policy {policy}");
        }
        None => log::info!("dry_run: a request would have been refused: it has no key"),
    }
    true
}

#[inline(never)]
fn check(limited: &Limited, key: &RequestKey, cost: NonZeroU32) -> Decision {
    match cost.get() {
        1 => limited.limiter().check(key),
        // A cost that is not 0 is in range.
        cost => limited.limiter().check_cost(key, cost.into()).unwrap_or_default(),
    }
}

/// Returns the response that says why a request ends here.
#[cold]
pub(crate) fn refuse<B: RefusalBody>(charge: &Charge, parts: &Parts) -> Response<B> {
    let (Some(limited), Some(decision)) = (charge.limited(), charge.decision) else {
        return tell(respond(Refusal::missing_key(&accept(&parts.headers))), Vec::new());
    };
    let mut response = match &charge.settings.on_denied {
        Some(function) => function(parts, &decision).map(B::of),
        None => match limited.terms().refusal(&decision, &accept(&parts.headers)) {
            Some(refusal) => respond(refusal),
            None => Response::new(B::of(Bytes::new())),
        },
    };
    let asked = vec![(limited.clone(), decision)];
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
        put(headers, HeaderName::from_static(field), written.into_owned());
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
    if let Some(inner) = put(headers, RATELIMIT_POLICY, policies.into()) {
        join(headers, RATELIMIT_POLICY, *inner);
    }
    if let Some(inner) = put(headers, RATELIMIT, asked.item()) {
        join(headers, RATELIMIT, *inner);
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
        put(headers, name, written.into_owned());
    }
}

/// Makes one line of the several that an application may have handed on from elsewhere.
#[cold]
fn join_lines(headers: &mut HeaderMap) {
    for name in [RATELIMIT_POLICY, RATELIMIT] {
        let lines: Vec<&[u8]> = headers.get_all(&name).into_iter().map(HeaderValue::as_bytes).filter(is_said).collect();
        if !lines.is_empty() {
            put(headers, name, lines.join(&b", "[..]));
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

/// Puts a field of what core writes, which always is a value; returns what was there, seldom anything, and so as a
/// pointer. It fails only where a response has more fields than a map can hold.
#[inline(never)]
fn put(headers: &mut HeaderMap, name: HeaderName, written: Vec<u8>) -> Option<Box<HeaderValue>> {
    let value = HeaderValue::try_from(written).ok()?;
    headers.try_insert(name, value).ok().flatten().map(Box::new)
}

// Made when this is compiled: a name is looked through sign by sign when it is made.
const RATELIMIT_POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");
const RATELIMIT: HeaderName = HeaderName::from_static("ratelimit");

impl Charge {
    fn limited(&self) -> Option<&Limited> {
        self.settings.picked(&self.picked)
    }

    /// Gives back what is to be given back, and writes the fields.
    #[inline]
    pub(crate) fn settle<B>(&self, response: &mut Response<B>) {
        // A handler's response seldom has any.
        if response.extensions().is_empty() || !self.settle_refused(response) {
            self.settle_answered(response.status(), response.headers_mut());
        }
    }

    #[inline(never)]
    fn settle_answered(&self, status: StatusCode, headers: &mut HeaderMap) {
        let (Some(limited), Some(decision)) = (self.limited(), &self.decision) else { return };
        if self.settings.refunds(Outcome::Status(status.as_u16())) {
            self.give_back();
        }
        if !self.settings.dry_run {
            put_before(headers, limited, decision);
        }
    }

    /// Does it for a request that a limit further in has refused; says whether one has.
    #[cold]
    fn settle_refused<B>(&self, response: &mut Response<B>) -> bool {
        let Some(Refused(mut asked)) = response.extensions_mut().remove::<Refused>() else { return false };
        if self.settings.refunds(Outcome::RefusedWithin) {
            self.give_back();
        }
        if let (Some(limited), Some(decision), false) = (self.limited(), self.decision, self.settings.dry_run) {
            asked.insert(0, (limited.clone(), decision));
            write(response.headers_mut(), &asked);
        }
        response.extensions_mut().insert(Refused(asked));
        true
    }

    #[cold]
    fn give_back(&self) {
        if let (Some(limited), Some(key), Some(decision)) = (self.limited(), &self.key, &self.decision) {
            limited.limiter().refund(key, decision);
        }
    }
}
