//! What is limited, and what a response says.

use crate::world::{ask, by_ip, get, limited, limiter, serve, statuses};
use axum::Router;
use axum::routing::get as on_get;
use bytes::Bytes;
use http::{Method, Response, StatusCode};
use ratelimit_core::http::{FieldStyle, TermsOptions};
use ratelimit_core::{Config, Limiter, ManualClock, Policy};
use ratelimit_tower::{Limited, RateLimitLayer};
use std::num::NonZeroU32;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

fn app(layer: RateLimitLayer) -> Router {
    Router::new().route("/", on_get(|| async { "hello" })).layer(layer)
}

#[tokio::test]
async fn an_allowed_request_goes_on_and_a_refused_one_is_told_how_long_to_wait() {
    let address = serve(app(RateLimitLayer::new(limited("2/minute", "site"), by_ip()))).await;
    for left in [1, 0] {
        let answer = get(address, "/").await;
        assert_eq!((answer.status, answer.body.as_str()), (StatusCode::OK, "hello"));
        assert_eq!(answer.field("ratelimit-policy"), "\"site\";q=2;w=60");
        assert_eq!(answer.field("ratelimit"), format!("\"site\";r={left};t=60"));
        assert_eq!(answer.field("retry-after"), "");
    }
    let answer = get(address, "/").await;
    assert_eq!(answer.status, StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(answer.field("ratelimit-policy"), "\"site\";q=2;w=60");
    assert_eq!(answer.field("ratelimit"), "\"site\";r=0;t=60");
    assert_eq!(answer.field("retry-after"), "60");
    assert_eq!(answer.field("content-type"), "application/problem+json");
    assert_eq!(answer.field("content-length"), answer.body.len().to_string());
    assert!(answer.body.contains("#quota-exceeded") && answer.body.contains("[\"site\"]"), "{}", answer.body);
    let answer = ask(address, Method::GET, "/", &[("accept", "text/html")]).await;
    assert_eq!((answer.status.as_u16(), answer.field("content-type")), (429, "text/plain; charset=utf-8"));
}

/// A layer is cloned for each route and connection.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn clones_routes_and_connections_share_one_limit_to_the_last_permit() {
    let layer = RateLimitLayer::new(limited("sliding 150/hour", "site"), by_ip());
    let served = Arc::new(AtomicUsize::new(0));
    let handler = || {
        let served = Arc::clone(&served);
        on_get(move || async move { served.fetch_add(1, Ordering::Relaxed).to_string() })
    };
    let app = Router::new().route("/a", handler().layer(layer.clone())).route("/b", handler().layer(layer));
    let address = serve(app).await;
    let asks: Vec<_> = (0..16)
        .map(|at| tokio::spawn(async move { statuses(address, if at % 2 == 0 { "/a" } else { "/b" }, &[], 20).await }))
        .collect();
    let mut allowed = 0;
    for ask in asks {
        allowed += ask.await.expect("a client ends").into_iter().filter(|status| *status == 200).count();
    }
    assert_eq!((allowed, served.load(Ordering::Relaxed)), (150, 150));
}

#[tokio::test]
async fn a_limiter_may_be_chosen_for_the_request_and_none_is_no_limit() {
    let (free, paid) = (limited("1/minute", "free"), limited("3/minute", "paid"));
    let choose = move |parts: &http::request::Parts| match parts.headers.get("x-plan")?.as_bytes() {
        b"paid" => Some(paid.clone()),
        _ => Some(free.clone()),
    };
    let address = serve(app(RateLimitLayer::choose(choose, by_ip()))).await;
    assert_eq!(statuses(address, "/", &[("x-plan", "free")], 2).await, [200, 429]);
    assert_eq!(statuses(address, "/", &[("x-plan", "paid")], 4).await, [200, 200, 200, 429]);
    assert_eq!(statuses(address, "/", &[], 5).await, [200; 5]);
    assert_eq!(get(address, "/").await.field("ratelimit"), "");
}

#[tokio::test]
async fn a_request_costs_what_was_said_or_what_a_function_says() {
    let layer = RateLimitLayer::new(limited("10/minute", "site"), by_ip());
    for cost in [0, 1 << 32, u64::MAX] {
        let error = layer.clone().cost(cost).expect_err("the cost is out of range");
        assert_eq!(error.to_string(), format!("cost is {cost}, must be from 1 to 4294967295"));
    }
    let address = serve(app(layer.cost(4).expect("4 is in range"))).await;
    assert_eq!(statuses(address, "/", &[], 3).await, [200, 200, 429]);

    let by_method = |parts: &http::request::Parts| match parts.headers.get("x-heavy") {
        Some(_) => NonZeroU32::new(11).unwrap_or(NonZeroU32::MIN),
        None => NonZeroU32::MIN,
    };
    let address = serve(app(RateLimitLayer::new(limited("10/minute", "site"), by_ip()).cost_of(by_method))).await;
    assert_eq!(get(address, "/").await.field("ratelimit"), "\"site\";r=9;t=60");
    let answer = ask(address, Method::GET, "/", &[("x-heavy", "1")]).await;
    assert_eq!((answer.status.as_u16(), answer.field("ratelimit")), (429, "\"site\";r=0"), "it exceeds the limit");
    assert_eq!(answer.field("retry-after"), "");
}

#[tokio::test]
async fn skipped_requests_are_not_limited_and_cost_nothing() {
    let limit = limited("1/minute", "site");
    let layer = RateLimitLayer::new(limit.clone(), by_ip()).skip(|parts| parts.method == Method::HEAD);
    let address = serve(app(layer)).await;
    for _ in 0..3 {
        assert_eq!(ask(address, Method::HEAD, "/", &[]).await.status, StatusCode::OK);
    }
    assert_eq!(limit.limiter().stats().allowed, 0);
    assert_eq!(statuses(address, "/", &[], 2).await, [200, 429]);
}

#[tokio::test]
async fn a_dry_run_counts_and_lets_pass_and_sends_no_fields() {
    let limit = limited("1/minute", "site");
    let address = serve(app(RateLimitLayer::new(limit.clone(), by_ip()).dry_run(true))).await;
    assert_eq!(statuses(address, "/", &[], 3).await, [200; 3]);
    assert_eq!(get(address, "/").await.field("ratelimit"), "");
    let stats = limit.limiter().stats();
    assert_eq!((stats.allowed, stats.denied), (1, 3));
}

#[tokio::test]
async fn a_refusal_may_be_a_response_of_ones_own_with_the_fields_added() {
    let layer = RateLimitLayer::new(limited("0/minute", "site"), by_ip()).on_denied(|parts, decision| {
        let text = format!("{} {}", parts.uri.path(), decision.kind);
        let mut response = Response::new(Bytes::from(text));
        *response.status_mut() = StatusCode::IM_A_TEAPOT;
        response
    });
    let answer = get(serve(app(layer)).await, "/").await;
    assert_eq!((answer.status, answer.body.as_str()), (StatusCode::IM_A_TEAPOT, "/ exceeds_limit"));
    assert_eq!(answer.field("ratelimit"), "\"site\";r=0");
}

#[tokio::test]
async fn older_fields_and_the_status_of_saturated_are_as_the_terms_say() {
    let policies = Policy::parse_stack("9/minute").expect("the policy is right");
    let config = Config::with_clock(policies, ManualClock::default()).max_identities(1);
    let limiter = Arc::new(Limiter::from_config(config).expect("the policies are in range"));
    let options = TermsOptions { fields: FieldStyle::Legacy, saturated_status: 503, ..TermsOptions::default() };
    let limit = Limited::new(Arc::clone(&limiter), &options).expect("the terms are right");
    let address = serve(app(RateLimitLayer::new(limit, by_ip()))).await;
    let answer = get(address, "/").await;
    assert_eq!(answer.field("ratelimit"), "\"default\";r=8;t=60");
    let old = ["limit", "remaining", "reset"].map(|name| answer.field(&format!("x-ratelimit-{name}")).to_owned());
    assert_eq!(old, ["9", "8", "60"]);

    assert!(limiter.reset("127.0.0.1") && limiter.allow("another"), "the one place is another's");
    let answer = get(address, "/").await;
    assert_eq!((answer.status.as_u16(), answer.field("x-ratelimit-saturated")), (503, "true"));
    assert_eq!((answer.field("ratelimit"), answer.field("x-ratelimit-limit")), ("", ""));
    assert_ne!(answer.field("retry-after"), "");
    assert!(answer.body.contains("#temporary-reduced-capacity"), "{}", answer.body);
}

#[test]
fn terms_that_are_wrong_are_refused_when_the_limit_is_made() {
    let options = TermsOptions { names: vec!["caf\u{e9}".to_owned()], ..TermsOptions::default() };
    let error = Limited::new(limiter("1/s"), &options).map(drop).expect_err("the name is no ASCII");
    assert_eq!(error.to_string(), "names is \"caf\u{e9}\", must be printable ASCII and not empty");
}
