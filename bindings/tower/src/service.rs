//! The service: a request is decided, goes on, and its response is told.

use crate::body::RefusalBody;
use crate::charge::{Charge, Verdict, decide};
use crate::key::BoxFuture;
use crate::layer::Settings;
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
        let Some(limited) = self.settings.limited(&parts) else {
            return ResponseFuture::passing(self.inner.call(Request::from_parts(parts, body)), None);
        };
        if self.settings.key.is_async() {
            // The service that is ready goes along; the clone has still to become so.
            let clone = self.inner.clone();
            let mut inner = std::mem::replace(&mut self.inner, clone);
            let settings = Arc::clone(&self.settings);
            let later = async move {
                let key = settings.key.later(&parts).await;
                go_on(decide(&settings, limited, key, &parts), |()| inner.call(Request::from_parts(parts, body)))
            };
            return ResponseFuture { state: State::Deciding { later: Box::pin(later) } };
        }
        let key = self.settings.key.now(&parts);
        let verdict = decide(&self.settings, limited, key, &parts);
        ResponseFuture { state: go_on(verdict, |()| self.inner.call(Request::from_parts(parts, body))) }
    }
}

/// Calls the service within, unless the request was refused.
fn go_on<F, B, E>(verdict: Verdict<B>, call: impl FnOnce(()) -> F) -> State<F, B, E> {
    match verdict {
        Verdict::Unlimited => State::Passing { inner: call(()), charge: None },
        Verdict::Charged(charge) => State::Passing { inner: call(()), charge: Some(charge) },
        Verdict::Refused(response) => State::Refused { response: Some(response) },
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
    fn passing(inner: F, charge: Option<Charge>) -> Self {
        ResponseFuture { state: State::Passing { inner, charge } }
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
