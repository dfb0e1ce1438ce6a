//! Limiters whose time stands, an axum server on a free port, and a client that opens a connection for each request.

use axum::Router;
use bytes::Bytes;
use http::{HeaderMap, Method, Request, StatusCode};
use http_body_util::{BodyExt, Empty};
use hyper_util::rt::TokioIo;
use ratelimit_core::http::{ClientOptions, TermsOptions};
use ratelimit_core::{Config, Limiter, ManualClock, Policy};
use ratelimit_tower::{KeyFrom, Limited};
use std::net::SocketAddr;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};

/// How long a test waits for what must come.
pub(crate) const DEADLINE: Duration = Duration::from_secs(60);

/// Makes a limiter whose clock stands at 0.
pub(crate) fn limiter(policies: &str) -> Limiter {
    let policies = Policy::parse_stack(policies).expect("the policies are right");
    let config = Config::with_clock(policies, ManualClock::default());
    Limiter::from_config(config).expect("the policies are in range")
}

pub(crate) fn limited(policies: &str, name: &str) -> Limited {
    let options = TermsOptions { names: vec![name.to_owned()], ..TermsOptions::default() };
    Limited::new(limiter(policies), &options).expect("the terms are right")
}

pub(crate) fn by_ip() -> KeyFrom {
    KeyFrom::ip(&ClientOptions::default()).expect("the defaults are right")
}

/// Serves an application on a free port of the loopback interface.
pub(crate) async fn serve(app: Router) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("there is a free port");
    let address = listener.local_addr().expect("a listener has an address");
    let service = app.into_make_service_with_connect_info::<SocketAddr>();
    tokio::spawn(async move { axum::serve(listener, service).await });
    address
}

/// What came back.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: String,
}

impl Answer {
    /// Returns a field's one value, or an empty text.
    pub(crate) fn field(&self, name: &str) -> &str {
        let mut values = self.headers.get_all(name).into_iter();
        let value = values.next().map_or("", |value| value.to_str().expect("a field is ASCII"));
        assert!(values.next().is_none(), "{name} is there twice");
        value
    }
}

/// Asks on a connection of its own.
pub(crate) async fn ask(to: SocketAddr, method: Method, path: &str, fields: &[(&str, &str)]) -> Answer {
    let stream = TcpStream::connect(to).await.expect("the server listens");
    let (mut sender, connection) =
        hyper::client::conn::http1::handshake(TokioIo::new(stream)).await.expect("the server speaks HTTP");
    tokio::spawn(connection);
    let mut request = Request::builder().method(method).uri(path).header("host", "localhost");
    for (name, value) in fields {
        request = request.header(*name, *value);
    }
    let request = request.body(Empty::<Bytes>::new()).expect("the request is right");
    let answer = tokio::time::timeout(DEADLINE, sender.send_request(request)).await;
    let (parts, body) = answer.expect("an answer comes in time").expect("an answer comes").into_parts();
    let body = body.collect().await.expect("the body ends").to_bytes();
    Answer { status: parts.status, headers: parts.headers, body: String::from_utf8_lossy(&body).into_owned() }
}

pub(crate) async fn get(to: SocketAddr, path: &str) -> Answer {
    ask(to, Method::GET, path, &[]).await
}

/// Asks so often, one after the other; gives the statuses.
pub(crate) async fn statuses(to: SocketAddr, path: &str, fields: &[(&str, &str)], times: usize) -> Vec<u16> {
    let mut statuses = Vec::new();
    for _ in 0..times {
        statuses.push(ask(to, Method::GET, path, fields).await.status.as_u16());
    }
    statuses
}
