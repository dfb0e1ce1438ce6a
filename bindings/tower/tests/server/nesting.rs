//! Limits within limits.

use crate::world::{ask, by_ip, get, limited, limiter, serve, statuses};
use axum::Router;
use axum::response::AppendHeaders;
use axum::routing::get as on_get;
use http::{HeaderName, Method};
use ratelimit_core::http::{FieldStyle, OnMissingKey, TermsOptions};
use ratelimit_tower::{KeyFrom, Limited, RateLimitLayer};

/// Three layers, the outermost last.
fn app(layers: [RateLimitLayer; 3]) -> Router {
    let route = Router::new().route("/", on_get(|| async { "hello" }));
    layers.into_iter().fold(route, Router::layer)
}

fn named(policies: &str, name: &str) -> RateLimitLayer {
    RateLimitLayer::new(limited(policies, name), by_ip())
}

#[tokio::test]
async fn the_items_of_all_limits_are_listed_outermost_first() {
    let address = serve(app([named("9/second", "c"), named("sliding 9/minute", "b"), named("9/hour", "a")])).await;
    for left in [8, 7] {
        let answer = get(address, "/").await;
        assert_eq!(answer.field("ratelimit-policy"), "\"a\";q=9;w=3600, \"b\";q=9;w=60, \"c\";q=9;w=1");
        let items = [("a", 3600), ("b", 60), ("c", 1)].map(|(name, wait)| format!("\"{name}\";r={left};t={wait}"));
        assert_eq!(answer.field("ratelimit"), items.join(", "));
    }
}

#[tokio::test]
async fn what_outer_limits_took_for_a_request_that_an_inner_one_refuses_comes_back() {
    for dry in [false, true] {
        let [inner, middle, outer] = [limited("1/hour", "c"), limited("9/hour", "b"), limited("9/hour", "a")];
        let layers = [&inner, &middle, &outer].map(|limit| RateLimitLayer::new(limit.clone(), by_ip()));
        let [first, second, third] = layers;
        let address = serve(app([first, second.dry_run(dry), third])).await;
        assert_eq!(statuses(address, "/", &[], 5).await, [200, 429, 429, 429, 429]);
        let left = [&inner, &middle, &outer].map(|limit| limit.limiter().remaining("127.0.0.1"));
        assert_eq!(left, [0, 8, 8]);
        let answer = get(address, "/").await;
        let shown = if dry { "\"a\";r=7;t=3600, " } else { "\"a\";r=7;t=3600, \"b\";r=7;t=3600, " };
        assert_eq!(answer.field("ratelimit"), format!("{shown}\"c\";r=0;t=3600"), "decided, not what came back");
        assert_eq!(answer.field("retry-after"), "3600");
        assert!(answer.body.contains("[\"c\"]"), "{}", answer.body);
    }
}

#[tokio::test]
async fn an_outer_refusal_ends_it_before_inner_limits_are_asked() {
    let inner = limited("9/hour", "c");
    let layers = [RateLimitLayer::new(inner.clone(), by_ip()), named("9/hour", "b"), named("1/hour", "a")];
    let address = serve(app(layers)).await;
    assert_eq!(statuses(address, "/", &[], 3).await, [200, 429, 429]);
    assert_eq!(inner.limiter().remaining("127.0.0.1"), 8);
    let answer = get(address, "/").await;
    assert_eq!((answer.field("ratelimit-policy"), answer.field("ratelimit")), ("\"a\";q=1;w=3600", "\"a\";r=0;t=3600"));
}

#[tokio::test]
async fn one_limit_that_is_attached_twice_charges_twice() {
    let layer = named("4/hour", "a");
    let address = serve(app([layer.clone(), layer, named("9/hour", "b")])).await;
    assert_eq!(get(address, "/").await.field("ratelimit"), "\"b\";r=8;t=3600, \"a\";r=3;t=3600, \"a\";r=2;t=3600");
    assert_eq!(statuses(address, "/", &[], 2).await, [200, 429]);
}

/// As an application that hands on another server's response does.
#[tokio::test]
async fn what_the_application_says_of_limits_further_in_stays_behind_ours() {
    let theirs = [("ratelimit-policy", "\"up\";q=1;w=1"), ("ratelimit", "\"up\";r=0;t=1"), ("x-ratelimit-limit", "1")];
    let route = Router::new().route("/", on_get(move || async move { (theirs, "hello") }));
    let options = TermsOptions { fields: FieldStyle::Legacy, ..TermsOptions::default() };
    let limit = Limited::new(limiter("9/hour"), &options).expect("the terms are right");
    let answer = get(serve(route.layer(RateLimitLayer::new(limit, by_ip()))).await, "/").await;
    assert_eq!(answer.field("ratelimit-policy"), "\"default\";q=9;w=3600, \"up\";q=1;w=1");
    assert_eq!(answer.field("ratelimit"), "\"default\";r=8;t=3600, \"up\";r=0;t=1");
    assert_eq!((answer.field("x-ratelimit-limit"), answer.field("x-ratelimit-reset")), ("1", ""), "ours do not mix");
}

#[tokio::test]
async fn what_the_application_says_in_several_lines_stays_whole() {
    let up = "\"up\";q=1;w=1";
    let theirs = [
        ("ratelimit-policy", up),
        ("ratelimit-policy", "\"top\";q=2;w=2"),
        ("ratelimit", "\"up\";r=0;t=1"),
        ("ratelimit", "\"top\";r=1;t=2"),
        ("x-ratelimit-remaining", "0"),
        ("x-ratelimit-remaining", "1"),
    ];
    let route = Router::new().route("/", on_get(move || async move { (AppendHeaders(theirs), "hello") }));
    let options = TermsOptions { fields: FieldStyle::Legacy, ..TermsOptions::default() };
    let limit = Limited::new(limiter("9/hour"), &options).expect("the terms are right");
    let answer = get(serve(route.layer(RateLimitLayer::new(limit, by_ip()))).await, "/").await;
    assert_eq!(answer.field("ratelimit-policy"), format!("\"default\";q=9;w=3600, {up}, \"top\";q=2;w=2"));
    assert_eq!(answer.field("ratelimit"), "\"default\";r=8;t=3600, \"up\";r=0;t=1, \"top\";r=1;t=2");
    let old =
        answer.headers.iter().filter(|(name, _)| name.as_str().starts_with("x-")).map(|(_, value)| value.as_bytes());
    assert_eq!(old.collect::<Vec<_>>(), [b"0", b"1"], "the older ones are theirs, and theirs only");
}

#[tokio::test]
async fn an_empty_line_of_the_application_spoils_no_item_of_ours() {
    for theirs in [vec![("ratelimit", " ")], vec![("ratelimit", ""), ("ratelimit", "\"up\";r=0"), ("ratelimit", "")]] {
        let expected = if theirs.len() > 1 { "\"a\";r=8;t=3600, \"up\";r=0" } else { "\"a\";r=8;t=3600" };
        let route = Router::new().route("/", on_get(move || async move { (AppendHeaders(theirs), "hello") }));
        let answer = get(serve(route.layer(named("9/hour", "a"))).await, "/").await;
        assert_eq!(answer.field("ratelimit"), expected);
    }
}

#[tokio::test]
async fn a_missing_key_further_in_is_a_refusal_too() {
    let outer = limited("9/hour", "a");
    let header = KeyFrom::header(HeaderName::from_static("x-api-key"));
    let inner = RateLimitLayer::new(limited("9/hour", "c"), header).on_missing_key(OnMissingKey::Deny);
    let address = serve(app([inner, named("9/hour", "b"), RateLimitLayer::new(outer.clone(), by_ip())])).await;
    assert_eq!(statuses(address, "/", &[], 3).await, [403; 3]);
    assert_eq!(outer.limiter().remaining("127.0.0.1"), 9);
    assert_eq!(statuses(address, "/", &[("x-api-key", "k")], 1).await, [200]);
    assert_eq!(outer.limiter().remaining("127.0.0.1"), 8);
}

#[tokio::test]
async fn the_older_fields_are_those_of_the_innermost_limit() {
    let legacy = |policies: &str| {
        let options = TermsOptions { fields: FieldStyle::Legacy, ..TermsOptions::default() };
        let limit = Limited::new(limiter(policies), &options).expect("the terms are right");
        RateLimitLayer::new(limit, by_ip())
    };
    let address = serve(app([legacy("3/second"), legacy("5/minute"), legacy("7/hour")])).await;
    let answer = ask(address, Method::GET, "/", &[]).await;
    let old = ["limit", "remaining", "reset"].map(|name| answer.field(&format!("x-ratelimit-{name}")).to_owned());
    assert_eq!(old, ["3", "2", "1"]);
}
