//! The service: a request is decided, goes on, and its response is told.

use crate::body::RefusalBody;
use crate::charge::{Charge, decide, refuse};
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
        let settings = &self.settings;
        if settings.asks_functions {
            return self.call_asking(request);
        }
        // A request that is taken apart and put together moves twice: only functions need its parts.
        let key = settings.key.found(request.headers(), request.extensions());
        let charge = decide(settings, Picked::default(), key, None);
        if charge.is_refused {
            return ResponseFuture::refused(refuse(&charge, &request.into_parts().0));
        }
        ResponseFuture { state: State::Passing { inner: self.inner.call(request), charge: Some(charge) } }
    }
}

impl<S: Clone + Send + 'static> RateLimit<S> {
    /// Asks functions about the request.
    #[inline(never)]
    fn call_asking<A, B>(&mut self, request: Request<A>) -> ResponseFuture<S::Future, B, S::Error>
    where
        S: Service<Request<A>, Response = Response<B>>,
        S::Future: Send,
        A: Send + 'static,
        B: RefusalBody,
    {
        let settings = &self.settings;
        let (parts, body) = request.into_parts();
        let Some(picked) = settings.pick(&parts) else {
            let inner = self.inner.call(Request::from_parts(parts, body));
            return ResponseFuture { state: State::Passing { inner, charge: None } };
        };
        if settings.key.is_async() {
            return self.decide_later(picked, parts, body);
        }
        let key = settings.key.now(&parts);
        let charge = decide(settings, picked, key, Some(&parts));
        if charge.is_refused {
            return ResponseFuture::refused(refuse(&charge, &parts));
        }
        let inner = self.inner.call(Request::from_parts(parts, body));
        ResponseFuture { state: State::Passing { inner, charge: Some(charge) } }
    }

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
            let charge = decide(&settings, picked, key, Some(&parts));
            if charge.is_refused {
                return State::Refused { response: Some(refuse(&charge, &parts)) };
            }
            State::Passing { inner: inner.call(Request::from_parts(parts, body)), charge: Some(charge) }
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

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        self.project().state.poll(context)
    }
}

impl<F: Future<Output = Result<Response<B>, E>>, B, E> State<F, B, E> {
    #[inline]
    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<Response<B>, E>> {
        // Where it is written to, it also stays: so a response does not move on its way.
        let mut answer;
        if let Projected::Passing { inner, charge } = self.as_mut().project() {
            answer = inner.poll(context);
            if let (Poll::Ready(Ok(response)), Some(charge)) = (&mut answer, charge) {
                charge.settle(response);
            }
        } else {
            answer = self.poll_otherwise(context);
        }
        answer
    }

    /// Waits for what is decided, and goes on from there; or answers with a refusal.
    #[cold]
    fn poll_otherwise(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<Response<B>, E>> {
        match self.as_mut().project() {
            Projected::Deciding { later } => {
                let next = ready!(later.as_mut().poll(context));
                self.set(next);
                self.poll(context)
            }
            // None: it was ready before, and nobody may ask again.
            Projected::Refused { response } => {
                response.take().map_or(Poll::Pending, |response| Poll::Ready(Ok(response)))
            }
            Projected::Passing { .. } => Poll::Pending, // It does not come here.
        }
    }
}

impl<F, B, E> fmt::Debug for ResponseFuture<F, B, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ResponseFuture").finish_non_exhaustive()
    }
}
