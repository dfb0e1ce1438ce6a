//! What a request took comes back when its response says so.

use crate::world::{DEADLINE, ask, by_ip, get, limited, serve, statuses};
use axum::Router;
use axum::routing::get as on_get;
use http::{Method, StatusCode};
use ratelimit_core::http::Statuses;
use ratelimit_tower::RateLimitLayer;
use std::sync::Arc;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio::sync::Notify;

/// Answers with the status that the request names.
async fn login(headers: http::HeaderMap) -> StatusCode {
    let status = headers.get("x-status").and_then(|status| status.to_str().ok()?.parse().ok());
    status.and_then(|status| StatusCode::from_u16(status).ok()).unwrap_or(StatusCode::OK)
}

#[tokio::test]
async fn only_failed_logins_count() {
    let by_function = |layer: RateLimitLayer| layer.refund_if(|status| status.as_u16() < 400);
    let by_ranges =
        |layer: RateLimitLayer| layer.refund_statuses(Statuses::new(&[[100, 399]]).expect("the range is right"));
    let ways: [fn(RateLimitLayer) -> RateLimitLayer; 2] = [by_function, by_ranges];
    for refund in ways {
        let layer = refund(RateLimitLayer::new(limited("sliding 3/hour", "login"), by_ip()));
        let address = serve(Router::new().route("/", on_get(login)).layer(layer)).await;
        assert_eq!(statuses(address, "/", &[], 9).await, [200; 9], "who succeeds is never refused");
        assert_eq!(get(address, "/").await.field("ratelimit"), "\"login\";r=2;t=3600", "the decision is shown");
        assert_eq!(statuses(address, "/", &[("x-status", "401")], 4).await, [401, 401, 401, 429]);
        assert_eq!(statuses(address, "/", &[], 1).await, [429]);
    }
}

#[tokio::test]
async fn a_status_that_the_handler_chose_is_no_refusal_of_a_limit() {
    let (inner, outer) = (limited("9/hour", "a"), limited("9/hour", "b"));
    let route = Router::new().route("/", on_get(login));
    let address =
        serve(route.layer(RateLimitLayer::new(inner, by_ip())).layer(RateLimitLayer::new(outer.clone(), by_ip())))
            .await;
    assert_eq!(statuses(address, "/", &[("x-status", "429")], 2).await, [429, 429]);
    assert_eq!(outer.limiter().remaining("127.0.0.1"), 7);
}

/// The refund is asked about the handler's own response only: never about a refusal, which took nothing.
#[tokio::test]
async fn a_refusal_is_never_refunded() {
    let limit = limited("sliding 2/hour", "login");
    let layer = RateLimitLayer::new(limit.clone(), by_ip()).refund_if(|status| status == StatusCode::TOO_MANY_REQUESTS);
    let address = serve(Router::new().route("/", on_get(login)).layer(layer)).await;
    assert_eq!(statuses(address, "/", &[], 5).await, [200, 200, 429, 429, 429]);
    assert_eq!(limit.limiter().remaining("127.0.0.1"), 0);
}

#[tokio::test]
async fn a_client_that_goes_away_has_paid_and_holds_nobody_up() {
    let (arrived, limit) = (Arc::new(Notify::new()), limited("9/hour", "site"));
    let told = Arc::clone(&arrived);
    let never = move || {
        let told = Arc::clone(&told);
        async move {
            told.notify_one();
            std::future::pending::<&str>().await
        }
    };
    let app = Router::new().route("/never", on_get(never)).route("/", on_get(|| async { "hello" }));
    let layer = RateLimitLayer::new(limit.clone(), by_ip()).refund_if(|_| true);
    let address = serve(app.layer(layer)).await;
    let mut gone = TcpStream::connect(address).await.expect("the server listens");
    gone.write_all(b"GET /never HTTP/1.1\r\nhost: localhost\r\n\r\n").await.expect("the request is sent");
    tokio::time::timeout(DEADLINE, arrived.notified()).await.expect("the handler is reached");
    assert_eq!(get(address, "/").await.body, "hello", "the waiting one holds no lock");
    drop(gone);
    assert_eq!(ask(address, Method::GET, "/", &[]).await.status, StatusCode::OK);
    assert_eq!(limit.limiter().remaining("127.0.0.1"), 8, "there was no response to refund it by");
}
