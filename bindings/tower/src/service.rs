//! The service: a request is decided, goes on, and its response is told.

use crate::body::RefusalBody;
use crate::charge::{Charge, decide};
use crate::key::BoxFuture;
use crate::layer::{Picked, Settings};
use http::request::Parts;
use http::{Request, Response};
use pin_project_lite::pin_project;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use tower_service::Service;

/// Limits the requests to the service within; made by [`RateLimitLayer`](crate::RateLimitLayer).
#[derive(Clone)]
pub struct RateLimit<S> {
    inner: S,
    settings: Arc<Settings>,
}

impl<S> RateLimit<S> {
    pub(crate) fn new(inner: S, settings: Arc<Settings>) -> RateLimit<S> {
        RateLimit { inner, settings }
    }
}

impl<S: fmt::Debug> fmt::Debug for RateLimit<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RateLimit").field("inner", &self.inner).finish_non_exhaustive()
    }
}

impl<S, A, B> Service<Request<A>> for RateLimit<S>
where
    S: Service<Request<A>, Response = Response<B>> + Clone + Send + 'static,
    S::Future: Send,
    A: Send + 'static,
    B: RefusalBody,
{
    type Response = Response<B>;
    type Error = S::Error;
    type Future = ResponseFuture<S::Future, B, S::Error>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, request: Request<A>) -> Self::Future {
        let (parts, body) = request.into_parts();
        let charge = match self.settings.pick(&parts) {
            None => None,
            Some(picked) if self.settings.key.is_async() => return self.decide_later(picked, parts, body),
            Some(picked) => match decide(&self.settings, picked, self.settings.key.now(&parts), &parts) {
                Ok(charge) => charge,
                Err(response) => return ResponseFuture::refused(response),
            },
        };
        let inner = self.inner.call(Request::from_parts(parts, body));
        ResponseFuture { state: State::Passing { inner, charge } }
    }
}

impl<S: Clone + Send + 'static> RateLimit<S> {
    /// Waits for the key first.
    fn decide_later<A, B>(&mut self, picked: Picked, parts: Parts, body: A) -> ResponseFuture<S::Future, B, S::Error>
    where
        S: Service<Request<A>, Response = Response<B>>,
        S::Future: Send,
        A: Send + 'static,
        B: RefusalBody,
    {
        // The service that is ready goes along; the clone has still to become so.
        let clone = self.inner.clone();
        let mut inner = std::mem::replace(&mut self.inner, clone);
        let settings = Arc::clone(&self.settings);
        let later = async move {
            let key = settings.key.later(&parts).await;
            let charge = match decide(&settings, picked, key, &parts) {
                Ok(charge) => charge,
                Err(response) => return State::Refused { response: Some(response) },
            };
            State::Passing { inner: inner.call(Request::from_parts(parts, body)), charge }
        };
        ResponseFuture { state: State::Deciding { later: Box::pin(later) } }
    }
}

pin_project! {
    /// Becomes the response. Dropped before, as when a client goes away, it leaves what was taken taken.
    pub struct ResponseFuture<F, B, E> {
        #[pin]
        state: State<F, B, E>,
    }
}

pin_project! {
    #[project = Projected]
    enum State<F, B, E> {
        Deciding { later: BoxFuture<'static, State<F, B, E>> },
        Passing { #[pin] inner: F, charge: Option<Charge> },
        Refused { response: Option<Response<B>> },
    }
}

impl<F, B, E> ResponseFuture<F, B, E> {
    fn refused(response: Response<B>) -> Self {
        ResponseFuture { state: State::Refused { response: Some(response) } }
    }
}

impl<F: Future<Output = Result<Response<B>, E>>, B, E> Future for ResponseFuture<F, B, E> {
    type Output = Result<Response<B>, E>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        loop {
            match self.as_mut().project().state.as_mut().project() {
                Projected::Deciding { later } => {
                    let next = ready!(later.as_mut().poll(context));
                    self.as_mut().project().state.set(next);
                }
                Projected::Passing { inner, charge } => {
                    let mut response = ready!(inner.poll(context))?;
                    if let Some(charge) = charge.take() {
                        charge.settle(&mut response);
                    }
                    return Poll::Ready(Ok(response));
                }
                Projected::Refused { response } => match response.take() {
                    Some(response) => return Poll::Ready(Ok(response)),
                    None => return Poll::Pending, // It was ready before, and nobody may ask again.
                },
            }
        }
    }
}

impl<F, B, E> fmt::Debug for ResponseFuture<F, B, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ResponseFuture").finish_non_exhaustive()
    }
}
