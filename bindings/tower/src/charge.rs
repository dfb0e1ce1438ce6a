//! What a request was decided, and what its response says of it.

use crate::body::RefusalBody;
use crate::key::RequestKey;
use crate::layer::Settings;
use crate::limited::Limited;
use bytes::Bytes;
use http::header::InvalidHeaderValue;
use http::header::{ACCEPT, CONTENT_TYPE};
use http::request::Parts;
use http::{HeaderMap, HeaderName, HeaderValue, Response, StatusCode};
use ratelimit_core::Decision;
use ratelimit_core::http::{Asked, OnMissingKey, Outcome, Refusal, each_field};
use std::borrow::Cow;
use std::sync::Arc;

/// Stands in a request's extensions where a limit has let it pass: limits further in then tell it what they did.
#[derive(Clone, Copy)]
struct Within;

/// Stands in a response's extensions, for the limit next outward: the limits that were asked further in.
#[derive(Clone, Default)]
struct Told {
    asked: Vec<(Limited, Decision)>,
    refused: bool,
}

/// What a limit took for a request that is under way.
pub(crate) struct Charge {
    settings: Arc<Settings>,
    limited: Limited,
    key: RequestKey,
    decision: Decision,
    tells: bool,
}

/// What becomes of a request.
pub(crate) enum Verdict<B> {
    /// It goes on; nothing was taken.
    Unlimited,
    /// It goes on, and this was taken.
    Charged(Charge),
    /// It ends here.
    Refused(Response<B>),
}

/// Decides a request whose key is known.
pub(crate) fn decide<B: RefusalBody>(
    settings: &Arc<Settings>,
    limited: Limited,
    key: Option<RequestKey>,
    parts: &mut Parts,
) -> Verdict<B> {
    let tells = parts.extensions.get::<Within>().is_some();
    let Some(key) = key else {
        return match settings.on_missing_key {
            OnMissingKey::Allow => Verdict::Unlimited,
            OnMissingKey::Deny => {
                let told = Told { asked: Vec::new(), refused: true };
                Verdict::Refused(tell(respond(Refusal::missing_key(&accept(&parts.headers))), tells, told))
            }
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
        if !tells {
            parts.extensions.insert(Within);
        }
        return Verdict::Charged(Charge { settings: Arc::clone(settings), limited, key, decision, tells });
    }
    let mut response = match &settings.on_denied {
        Some(function) => function(parts, &decision).map(B::of),
        None => match limited.terms().refusal(&decision, &accept(&parts.headers)) {
            Some(refusal) => respond(refusal),
            None => Response::new(B::of(Bytes::new())),
        },
    };
    let asked = vec![(limited, decision)];
    write(response.headers_mut(), &asked);
    Verdict::Refused(tell(response, tells, Told { asked, refused: true }))
}

fn tell<B>(mut response: Response<B>, tells: bool, told: Told) -> Response<B> {
    if tells {
        response.extensions_mut().insert(told);
    }
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

/// Sets the fields for the limits that were asked, the outermost first.
fn write(headers: &mut HeaderMap, asked: &[(Limited, Decision)]) {
    let all: Vec<Asked<'_>> = asked.iter().map(|(limited, decision)| Asked::new(limited.terms(), decision)).collect();
    each_field(&all, |name, value| set(headers, name, HeaderValue::from_maybe_shared(Bytes::from(value.into_owned()))));
}

/// Sets the fields for one limit, whose policies are known as a value already.
fn write_one(headers: &mut HeaderMap, limited: &Limited, decision: &Decision) {
    each_field(&[Asked::new(limited.terms(), decision)], |name, value| match (value, limited.policies()) {
        (Cow::Borrowed(_), Some(policies)) if name == RATELIMIT_POLICY.as_str() => {
            set(headers, name, Ok(policies.clone()))
        }
        (value, _) => set(headers, name, HeaderValue::from_maybe_shared(Bytes::from(value.into_owned()))),
    });
}

// Made once: a name is looked through sign by sign when it is made.
static RATELIMIT_POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");
static RATELIMIT: HeaderName = HeaderName::from_static("ratelimit");

/// Sets a field that core names; what core writes is a value.
fn set(headers: &mut HeaderMap, name: &'static str, value: Result<HeaderValue, InvalidHeaderValue>) {
    let name = match name {
        "ratelimit-policy" => RATELIMIT_POLICY.clone(),
        "ratelimit" => RATELIMIT.clone(),
        name => HeaderName::from_static(name),
    };
    if let Ok(value) = value {
        headers.insert(name, value);
    }
}

impl Charge {
    /// Gives back what is to be given back, and writes the fields.
    pub(crate) fn settle<B>(self, response: &mut Response<B>) {
        let Charge { settings, limited, key, decision, tells } = self;
        let told = response.extensions_mut().remove::<Told>();
        let refused = told.as_ref().is_some_and(|told| told.refused);
        let outcome = match refused {
            true => Outcome::RefusedWithin,
            false => Outcome::Status(response.status().as_u16()),
        };
        if settings.refunds(outcome) {
            limited.limiter().refund(&key, &decision);
        }
        if !tells && told.is_none() {
            if !settings.dry_run {
                write_one(response.headers_mut(), &limited, &decision);
            }
            return;
        }
        let mut told = told.unwrap_or_default();
        if !settings.dry_run {
            told.asked.insert(0, (limited, decision));
            write(response.headers_mut(), &told.asked);
        }
        if tells {
            response.extensions_mut().insert(told);
        }
    }
}
