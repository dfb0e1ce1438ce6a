//! What is told to the log, and how often. It is one log for the process, so this is one test.

use bytes::Bytes;
use http::{HeaderName, Request, Response};
use http_body_util::{Empty, Full};
use log::{Level, LevelFilter, Log, Metadata, Record};
use ratelimit_core::Limiter;
use ratelimit_core::http::{ClientOptions, OnMissingKey, TermsOptions, TrustedProxies};
use ratelimit_tower::{KeyFrom, Limited, RateLimitLayer};
use std::convert::Infallible;
use std::future::{Ready, ready};
use std::sync::Mutex;
use std::task::{Context, Poll};
use tower_layer::Layer;
use tower_service::Service;

struct Kept(Mutex<Vec<(Level, String)>>);

static KEPT: Kept = Kept(Mutex::new(Vec::new()));

impl Log for Kept {
    fn enabled(&self, _: &Metadata<'_>) -> bool {
        true
    }

    fn log(&self, record: &Record<'_>) {
        if record.target().starts_with("ratelimit") {
            self.0.lock().expect("no test has panicked").push((record.level(), record.args().to_string()));
        }
    }

    fn flush(&self) {}
}

#[derive(Clone)]
struct Hello;

impl Service<Request<Empty<Bytes>>> for Hello {
    type Response = Response<Full<Bytes>>;
    type Error = Infallible;
    type Future = Ready<Result<Self::Response, Infallible>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, _: Request<Empty<Bytes>>) -> Self::Future {
        ready(Ok(Response::default()))
    }
}

async fn ask(layer: &RateLimitLayer, name: &str, value: &str) -> u16 {
    let request = Request::builder().header(name, value).body(Empty::new()).expect("the request is right");
    let answer = layer.layer(Hello).call(request).await;
    answer.map_or(0, |response| response.status().as_u16())
}

#[tokio::test]
async fn what_is_odd_about_a_client_is_told_once_and_a_dry_run_each_time_without_the_key() {
    log::set_logger(&KEPT).expect("there is no other log");
    log::set_max_level(LevelFilter::Trace);
    let limited = || {
        let limiter: Limiter = "1/hour".parse().expect("the policy is right");
        Limited::new(limiter, &TermsOptions::default()).expect("the terms are right")
    };
    let by_proxy = ClientOptions { trusted_proxies: TrustedProxies::Hops(1), ..ClientOptions::default() };
    let layer = RateLimitLayer::new(limited(), KeyFrom::ip(&by_proxy).expect("the options are right"));
    for (client, status) in [("6.6.6.6", 200), ("7.7.7.7", 200), ("7.7.7.7", 429)] {
        assert_eq!(ask(&layer, "x-forwarded-for", client).await, status, "a proxy on a local socket has no address");
    }
    assert!(KEPT.0.lock().expect("no test has panicked").is_empty(), "nothing is odd about that");
    let by_ip = KeyFrom::ip(&ClientOptions::default()).expect("the options are right");
    let layer = RateLimitLayer::new(limited(), by_ip);
    for (client, status) in [("6.6.6.6", 200), ("7.7.7.7", 429), ("8.8.8.8", 429)] {
        assert_eq!(ask(&layer, "x-forwarded-for", client).await, status);
    }
    let by_header = KeyFrom::header(HeaderName::from_static("x-api-key"));
    let layer = RateLimitLayer::new(limited(), by_header).on_missing_key(OnMissingKey::Deny).dry_run(true);
    for _ in 0..3 {
        assert_eq!(ask(&layer, "x-api-key", "secret").await, 200);
    }
    assert_eq!(ask(&layer, "x-another", "secret").await, 200);
    let kept = KEPT.0.lock().expect("no test has panicked");
    let levels: Vec<Level> = kept.iter().map(|(level, _)| *level).collect();
    assert_eq!(levels, [Level::Warn, Level::Warn, Level::Info, Level::Info, Level::Info], "{kept:?}");
    assert!(kept[0].1.starts_with("unknown_peer: "), "{kept:?}");
    assert!(kept[1].1.starts_with("untrusted_forwarding_field: "), "{kept:?}");
    let told = ["denied, policy 0", "denied, policy 0", "it has no key"];
    for (told, (_, text)) in told.iter().zip(&kept[2..]) {
        assert_eq!(*text, format!("dry_run: a request would have been refused: {told}"));
    }
}
