//! Whom a request is counted for.

use crate::world::{ask, by_ip, get, limited, serve, statuses};
use axum::Router;
use axum::routing::get as on_get;
use http::{HeaderName, Method};
use ratelimit_core::Key;
use ratelimit_core::http::{ClientOptions, OnMissingKey, TrustedProxies};
use ratelimit_tower::{KeyFrom, RateLimitLayer, RequestKey};

fn app(layer: RateLimitLayer) -> Router {
    Router::new().route("/", on_get(|| async { "hello" })).layer(layer)
}

fn by_header() -> KeyFrom {
    KeyFrom::header(HeaderName::from_static("x-api-key"))
}

#[tokio::test]
async fn a_forged_field_of_a_peer_that_is_not_trusted_changes_nothing() {
    let limit = limited("2/minute", "site");
    let address = serve(app(RateLimitLayer::new(limit.clone(), by_ip()))).await;
    for (client, status) in [("6.6.6.1", 200), ("6.6.6.2", 200), ("6.6.6.3", 429)] {
        let answer = ask(address, Method::GET, "/", &[("x-forwarded-for", client)]).await;
        assert_eq!(answer.status.as_u16(), status);
    }
    assert!(limit.limiter().reset("127.0.0.1"), "the peer was the client");
}

#[tokio::test]
async fn behind_a_proxy_the_client_is_what_the_proxy_wrote_last() {
    let options = ClientOptions { trusted_proxies: TrustedProxies::Hops(1), ..ClientOptions::default() };
    let key = KeyFrom::ip(&options).expect("the options are right");
    let address = serve(app(RateLimitLayer::new(limited("1/minute", "site"), key))).await;
    let from = |list: &'static str| [("x-forwarded-for", list)];
    assert_eq!(statuses(address, "/", &from("6.6.6.6, 203.0.113.9"), 2).await, [200, 429]);
    assert_eq!(statuses(address, "/", &from("7.7.7.7, 203.0.113.9:80"), 1).await, [429]);
    assert_eq!(statuses(address, "/", &from("2001:db8::1"), 1).await, [200]);
    assert_eq!(statuses(address, "/", &from("2001:db8::2"), 1).await, [429], "one network is one client");
    let lines = [("x-forwarded-for", "203.0.113.9"), ("x-forwarded-for", "203.0.113.10")];
    assert_eq!(statuses(address, "/", &lines, 2).await, [200, 429]);
    let wrong = ClientOptions { ipv6_prefix: 129, ..options };
    let error = KeyFrom::ip(&wrong).expect_err("the prefix is out of range");
    assert_eq!(error.to_string(), "ipv6_prefix is 129, must be from 32 to 128");
}

#[tokio::test]
async fn a_request_without_its_header_is_let_through_or_refused_as_was_said() {
    let limit = limited("1/minute", "site");
    let address = serve(app(RateLimitLayer::new(limit.clone(), by_header()))).await;
    assert_eq!(statuses(address, "/", &[("x-api-key", "ada")], 2).await, [200, 429]);
    assert_eq!(statuses(address, "/", &[("x-api-key", " ada\t")], 1).await, [429]);
    assert_eq!(statuses(address, "/", &[], 3).await, [200; 3]);
    assert_eq!(statuses(address, "/", &[("x-api-key", "  ")], 3).await, [200; 3]);
    assert_eq!(get(address, "/").await.field("ratelimit"), "");
    assert_eq!(limit.limiter().len(), 1);

    let layer = RateLimitLayer::new(limit, by_header()).on_missing_key(OnMissingKey::Deny);
    let answer = get(serve(app(layer)).await, "/").await;
    assert_eq!((answer.status.as_u16(), answer.field("ratelimit-policy")), (403, ""));
    assert_eq!(answer.field("content-type"), "application/problem+json");
}

#[tokio::test]
async fn a_dry_run_lets_a_request_without_a_key_pass_too() {
    let later = KeyFrom::request_async(|_| Box::pin(async { None }));
    for key in [by_header(), KeyFrom::request(|_| None::<RequestKey>), later] {
        let layer = RateLimitLayer::new(limited("1/minute", "site"), key).on_missing_key(OnMissingKey::Deny);
        assert_eq!(statuses(serve(app(layer.clone())).await, "/", &[], 2).await, [403, 403]);
        assert_eq!(statuses(serve(app(layer.dry_run(true))).await, "/", &[], 2).await, [200, 200]);
    }
}

#[tokio::test]
async fn a_sync_and_an_async_function_give_the_same_keys() {
    let sync = KeyFrom::request(|parts| parts.uri.query().map(str::to_owned));
    let later = KeyFrom::request_async(|parts| {
        Box::pin(async move {
            tokio::task::yield_now().await;
            parts.uri.query().map(RequestKey::from)
        })
    });
    for key in [sync, later] {
        let limit = limited("2/minute", "site");
        let address = serve(app(RateLimitLayer::new(limit.clone(), key))).await;
        assert_eq!(statuses(address, "/?ada", &[], 3).await, [200, 200, 429]);
        assert_eq!(statuses(address, "/?bob", &[], 1).await, [200]);
        assert_eq!(statuses(address, "/", &[], 3).await, [200; 3]);
        assert_eq!(get(address, "/?bob").await.field("ratelimit"), "\"site\";r=0;t=60");
        assert!(limit.limiter().reset("ada") && limit.limiter().reset("bob"));
    }
}

#[tokio::test]
async fn several_parts_are_one_key_that_no_other_list_meets() {
    let path = KeyFrom::request(|parts| Some(parts.uri.path().to_owned()));
    let waits = KeyFrom::request_async(|_| Box::pin(async { Some(RequestKey::from("x")) }));
    let lists = [
        (vec![by_header(), by_ip()], vec!["ada", "127.0.0.1"]),
        (vec![by_header(), path.clone()], vec!["ada", "/"]),
        (vec![by_header(), path, waits, by_ip()], vec!["ada", "/", "x", "127.0.0.1"]),
    ];
    for (all, parts) in lists {
        let limit = limited("1/minute", "site");
        let address = serve(app(RateLimitLayer::new(limit.clone(), KeyFrom::all(all)))).await;
        assert_eq!(statuses(address, "/", &[("x-api-key", "ada")], 2).await, [200, 429]);
        assert_eq!(statuses(address, "/", &[("x-api-key", "bob")], 1).await, [200]);
        assert_eq!(statuses(address, "/", &[], 2).await, [200, 200], "a part is missing: there is no key");
        assert!(limit.limiter().reset(Key::parts(&parts)));
    }
}
