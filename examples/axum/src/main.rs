//! An API with two limits: all of it 100 requests a minute for each client, and the login 5 failures an hour.
//!
//! ```console
//! $ cargo run -p example-axum            # or with an address: 127.0.0.1:3000
//! $ curl -i localhost:3000/
//! $ curl -i -X POST localhost:3000/login -H 'authorization: Basic wrong'
//! ```

use axum::Router;
use axum::http::{HeaderMap, StatusCode};
use axum::routing::{get, post};
use ratelimit_core::http::{ClientOptions, TermsOptions};
use ratelimit_core::{Error, Limiter};
use ratelimit_tower::{KeyFrom, Limited, RateLimitLayer};
use std::net::SocketAddr;
use tokio::net::TcpListener;

fn limited(policy: &str, name: &str) -> Result<Limited, Error> {
    let options = TermsOptions { names: vec![name.to_owned()], ..TermsOptions::default() };
    Limited::new(policy.parse::<Limiter>()?, &options)
}

fn app() -> Result<Router, Error> {
    // Behind a proxy: ClientOptions { trusted_proxies: TrustedProxies::Hops(1), .. }.
    let by_ip = KeyFrom::ip(&ClientOptions::default())?;
    let site = RateLimitLayer::new(limited("100/minute", "site")?, by_ip.clone());
    // The permit of a login that succeeds comes back, so only failures count.
    let logins =
        RateLimitLayer::new(limited("sliding 5/hour", "login")?, by_ip).refund_if(|status| status.is_success());
    let login = post(login).route_layer(logins);
    Ok(Router::new().route("/login", login).route("/", get(|| async { "hello\n" })).layer(site))
}

/// Knows one user.
async fn login(headers: HeaderMap) -> StatusCode {
    match headers.get("authorization") {
        Some(given) if given == "Basic YWRhOnNlY3JldA==" => StatusCode::NO_CONTENT,
        _ => StatusCode::UNAUTHORIZED,
    }
}

#[tokio::main]
#[expect(clippy::print_stdout, reason = "it says where it listens")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let address = std::env::args().nth(1).unwrap_or_else(|| "127.0.0.1:3000".to_owned());
    let listener = TcpListener::bind(address).await?;
    println!("listening on {}", listener.local_addr()?);
    // So that the limits know their clients.
    axum::serve(listener, app()?.into_make_service_with_connect_info::<SocketAddr>()).await?;
    Ok(())
}
