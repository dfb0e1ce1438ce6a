//! The same layer before hyper and before tonic, and where the peer is not known.

use crate::world::{DEADLINE, by_ip, get, limited};
use axum::Router;
use axum::routing::get as on_get;
use bytes::Bytes;
use http::{Request, Response};
use http_body_util::{BodyExt, Empty, Full};
use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::service::TowerToHyperService;
use ratelimit_tower::{KeyFrom, RateLimit, RateLimitLayer, RequestKey};
use std::convert::Infallible;
use std::future::{Ready, ready};
use std::net::SocketAddr;
use std::task::{Context, Poll};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::timeout;
use tonic::transport::server::{Server, TcpIncoming};
use tower_layer::Layer;
use tower_service::Service;

/// A service that says hello, with any body.
struct Hello<B>(fn() -> B);

impl<B> Clone for Hello<B> {
    fn clone(&self) -> Hello<B> {
        Hello(self.0)
    }
}

impl<A, B> Service<Request<A>> for Hello<B> {
    type Response = Response<B>;
    type Error = Infallible;
    type Future = Ready<Result<Response<B>, Infallible>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, _: Request<A>) -> Self::Future {
        ready(Ok(Response::new(self.0())))
    }
}

impl<B> tonic::server::NamedService for Hello<B> {
    const NAME: &'static str = "hello.Hello";
}

/// Tells the layer within who the peer is, as whoever serves with hyper does.
#[derive(Clone)]
struct WithPeer<S>(S, SocketAddr);

impl<S: Service<Request<A>>, A> Service<Request<A>> for WithPeer<S> {
    type Response = S::Response;
    type Error = S::Error;
    type Future = S::Future;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.0.poll_ready(context)
    }

    fn call(&mut self, mut request: Request<A>) -> S::Future {
        request.extensions_mut().insert(self.1);
        self.0.call(request)
    }
}

async fn listener() -> (TcpListener, SocketAddr) {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("there is a free port");
    let address = listener.local_addr().expect("a listener has an address");
    (listener, address)
}

#[tokio::test]
async fn a_hyper_server_is_limited_by_the_peer_that_it_tells() {
    let limit = limited("2/hour", "site");
    let service: RateLimit<_> =
        RateLimitLayer::new(limit.clone(), by_ip()).layer(Hello(|| Full::new(Bytes::from("hello"))));
    let (listener, address) = listener().await;
    tokio::spawn(async move {
        while let Ok((stream, peer)) = listener.accept().await {
            let service = TowerToHyperService::new(WithPeer(service.clone(), peer));
            tokio::spawn(hyper::server::conn::http1::Builder::new().serve_connection(TokioIo::new(stream), service));
        }
    });
    for (left, body) in [(1, "hello"), (0, "hello")] {
        let answer = get(address, "/").await;
        assert_eq!((answer.body.as_str(), answer.field("ratelimit")), (body, &*format!("\"site\";r={left};t=3600")));
    }
    assert_eq!(get(address, "/").await.status.as_u16(), 429);
    assert!(limit.limiter().reset("127.0.0.1"));
}

#[tokio::test]
async fn a_tonic_server_is_limited_by_its_connections_peer() {
    let limit = limited("1/hour", "site");
    let layer = RateLimitLayer::new(limit.clone(), by_ip()).on_denied(|_, _| {
        let refused = tonic::Status::resource_exhausted("slow down").into_http::<tonic::body::Body>();
        refused.map(|_| Bytes::new())
    });
    let (listener, address) = listener().await;
    let server = Server::builder().layer(layer).add_service(Hello(tonic::body::Body::empty));
    tokio::spawn(server.serve_with_incoming(TcpIncoming::from(listener)));
    let stream = TcpStream::connect(address).await.expect("the server listens");
    let (mut client, connection) = hyper::client::conn::http2::handshake(TokioExecutor::new(), TokioIo::new(stream))
        .await
        .expect("it speaks HTTP/2");
    tokio::spawn(connection);
    for (grpc, item) in [("", "\"site\";r=0;t=3600"), ("8", "\"site\";r=0;t=3600")] {
        let request = Request::post(format!("http://{address}/hello.Hello/Greet"))
            .header("content-type", "application/grpc")
            .body(Empty::<Bytes>::new())
            .expect("the request is right");
        let answer = timeout(DEADLINE, client.send_request(request)).await.expect("in time").expect("an answer comes");
        let (parts, body) = answer.into_parts();
        let status = parts.headers.get("grpc-status").map_or("", |status| status.to_str().unwrap_or("?"));
        assert_eq!(
            (parts.status.as_u16(), status, &parts.headers["ratelimit"]),
            (200, grpc, &item.parse().expect("ASCII"))
        );
        assert!(body.collect().await.expect("the body ends").to_bytes().is_empty());
    }
    assert!(limit.limiter().reset("127.0.0.1"));
}

#[tokio::test]
async fn without_a_peer_all_clients_share_one_key() {
    let limit = limited("2/hour", "site");
    let app = Router::new().route("/", on_get(|| async { "hello" }));
    let app = app.layer(RateLimitLayer::new(limit.clone(), by_ip()));
    let (listener, address) = listener().await;
    tokio::spawn(async move { axum::serve(listener, app).await });
    assert_eq!(get(address, "/").await.status.as_u16(), 200);
    assert!(limit.limiter().reset("unknown"));
}

/// A service that has to be asked whether it is ready, each clone for itself.
struct Careful {
    ready: bool,
}

impl Clone for Careful {
    fn clone(&self) -> Careful {
        Careful { ready: false }
    }
}

impl Service<Request<()>> for Careful {
    type Response = Response<Full<Bytes>>;
    type Error = Infallible;
    type Future = Ready<Result<Self::Response, Infallible>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        self.ready = true;
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, _: Request<()>) -> Self::Future {
        assert!(std::mem::take(&mut self.ready), "it was called before it was ready");
        ready(Ok(Response::default()))
    }
}

#[tokio::test]
async fn the_service_that_was_ready_is_the_one_that_is_called() {
    let sync = KeyFrom::request(|_| Some("key"));
    let later = KeyFrom::request_async(|_| Box::pin(async { Some(RequestKey::from("key")) }));
    for key in [sync, later] {
        let mut service = RateLimitLayer::new(limited("9/hour", "site"), key).layer(Careful { ready: false });
        for left in ["\"site\";r=8;t=3600", "\"site\";r=7;t=3600"] {
            std::future::poll_fn(|context| service.poll_ready(context)).await.expect("it never fails");
            let response = service.call(Request::default()).await.expect("it never fails");
            assert_eq!(response.headers()["ratelimit"], left);
        }
    }
}
