//! Bodies are not touched: heads, streams, upgrades.

use crate::world::{DEADLINE, ask, by_ip, limited, serve};
use axum::Router;
use axum::body::Body;
use axum::routing::get as on_get;
use bytes::Bytes;
use http::{Method, Request, Response, StatusCode};
use http_body::Frame;
use http_body_util::{BodyExt, Empty};
use hyper_util::rt::TokioIo;
use ratelimit_tower::{KeyFrom, RateLimitLayer, RequestKey};
use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::{Notify, mpsc};
use tokio::time::timeout;

fn layer(policies: &str) -> RateLimitLayer {
    RateLimitLayer::new(limited(policies, "site"), by_ip())
}

#[tokio::test]
async fn an_answer_to_head_has_its_length_and_no_body_refused_or_not() {
    let address = serve(Router::new().route("/", on_get(|| async { "hello" })).layer(layer("1/hour"))).await;
    let answer = ask(address, Method::HEAD, "/", &[]).await;
    assert_eq!((answer.status, answer.field("content-length"), answer.body.as_str()), (StatusCode::OK, "5", ""));
    assert_eq!(answer.field("ratelimit"), "\"site\";r=0;t=3600");
    let refused = ask(address, Method::HEAD, "/", &[]).await;
    let whole = ask(address, Method::GET, "/", &[]).await;
    assert_eq!((refused.status.as_u16(), refused.body.as_str()), (429, ""));
    assert_eq!(refused.field("content-length"), whole.body.len().to_string());
}

/// A body whose chunks come when they are sent.
struct Chunks(mpsc::Receiver<Bytes>);

impl http_body::Body for Chunks {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        self.0.poll_recv(context).map(|chunk| chunk.map(|chunk| Ok(Frame::data(chunk))))
    }
}

#[tokio::test]
async fn a_stream_comes_chunk_by_chunk_after_the_fields() {
    let (sender, receiver) = mpsc::channel(1);
    let receiver = Arc::new(std::sync::Mutex::new(Some(receiver)));
    let handler = move || {
        let body = receiver.lock().ok().and_then(|mut place| place.take()).map(|chunks| Body::new(Chunks(chunks)));
        async move { body.unwrap_or_default() }
    };
    let address = serve(Router::new().route("/", on_get(handler)).layer(layer("9/hour"))).await;
    let stream = TcpStream::connect(address).await.expect("the server listens");
    let (mut client, connection) =
        hyper::client::conn::http1::handshake(TokioIo::new(stream)).await.expect("the server speaks HTTP");
    tokio::spawn(connection);
    let request = Request::get("/").header("host", "localhost").body(Empty::<Bytes>::new()).expect("it is right");
    let response = timeout(DEADLINE, client.send_request(request)).await.expect("in time").expect("an answer comes");
    assert_eq!(response.headers()["ratelimit"], "\"site\";r=8;t=3600");
    let mut body = response.into_body();
    for text in ["one", "two", "three"] {
        // Only now is there something to read: nothing was gathered before.
        sender.send(Bytes::from(text)).await.expect("the server waits for more");
        let frame =
            timeout(DEADLINE, body.frame()).await.expect("in time").expect("the body goes on").expect("it is whole");
        assert_eq!(frame.into_data().ok(), Some(Bytes::from(text)));
    }
    drop(sender);
    assert!(timeout(DEADLINE, body.frame()).await.expect("in time").is_none());
}

#[tokio::test]
async fn a_connection_is_upgraded_through_the_limit() {
    let echo = |mut request: Request<Body>| async move {
        tokio::spawn(async move {
            let upgraded = hyper::upgrade::on(&mut request).await.expect("it is upgraded");
            let (mut reader, mut writer) = tokio::io::split(TokioIo::new(upgraded));
            tokio::io::copy(&mut reader, &mut writer).await
        });
        let response = Response::builder().status(101).header("connection", "upgrade").header("upgrade", "echo");
        response.body(Body::empty()).expect("the response is right")
    };
    let address = serve(Router::new().route("/", on_get(echo)).layer(layer("9/hour"))).await;
    let mut stream = TcpStream::connect(address).await.expect("the server listens");
    let request = b"GET / HTTP/1.1\r\nhost: localhost\r\nconnection: upgrade\r\nupgrade: echo\r\n\r\n";
    stream.write_all(request).await.expect("the request is sent");
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(timeout(DEADLINE, stream.read_u8()).await.expect("in time").expect("a byte comes"));
    }
    let head = String::from_utf8_lossy(&head);
    assert!(head.starts_with("HTTP/1.1 101") && head.contains("\r\nratelimit: \"site\";r=8;t=3600\r\n"), "{head}");
    stream.write_all(b"over another protocol").await.expect("it is upgraded");
    let mut back = [0; 21];
    timeout(DEADLINE, stream.read_exact(&mut back)).await.expect("in time").expect("it comes back");
    assert_eq!(&back, b"over another protocol");
}

#[tokio::test]
async fn a_key_that_is_waited_for_holds_nobody_else_up() {
    let (asked, go) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
    let (told, waits) = (Arc::clone(&asked), Arc::clone(&go));
    let key = KeyFrom::request_async(move |parts| {
        let (told, waits) = (Arc::clone(&told), Arc::clone(&waits));
        Box::pin(async move {
            if parts.uri.path() == "/slow" {
                told.notify_one();
                waits.notified().await;
            }
            Some(RequestKey::from("one key"))
        })
    });
    let limit = RateLimitLayer::new(limited("2/hour", "site"), key);
    let app = Router::new().route("/slow", on_get(|| async { "slow" })).route("/", on_get(|| async { "hello" }));
    let address = serve(app.layer(limit)).await;
    let slow = tokio::spawn(async move { ask(address, Method::GET, "/slow", &[]).await });
    timeout(DEADLINE, asked.notified()).await.expect("the key is asked for");
    assert_eq!(ask(address, Method::GET, "/", &[]).await.field("ratelimit"), "\"site\";r=1;t=3600");
    go.notify_one();
    let slow = slow.await.expect("the slow one ends");
    assert_eq!((slow.body.as_str(), slow.field("ratelimit")), ("slow", "\"site\";r=0;t=3600"));
}
