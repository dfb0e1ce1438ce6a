//! The layer: what a limit is made of.

use crate::key::KeyFrom;
use crate::limited::Limited;
use crate::service::RateLimit;
use bytes::Bytes;
use http::request::Parts;
use http::{Response, StatusCode};
use ratelimit_core::http::{OnMissingKey, Outcome, Statuses};
use ratelimit_core::{Decision, Error, Field};
use std::fmt;
use std::num::NonZeroU32;
use std::sync::Arc;
use tower_layer::Layer;

type Choose = dyn Fn(&Parts) -> Option<Limited> + Send + Sync;
type Cost = dyn Fn(&Parts) -> NonZeroU32 + Send + Sync;
type Skip = dyn Fn(&Parts) -> bool + Send + Sync;
type OnDenied = dyn Fn(&Parts, &Decision) -> Response<Bytes> + Send + Sync;
type RefundIf = dyn Fn(StatusCode) -> bool + Send + Sync;

/// Limits the requests to a service. Made once; attach it to a whole application, a group or one route, as often as you
/// like. Clones share one limit; one limit attached twice charges twice.
///
/// Limits that are nested all apply, the outermost first. A refusal ends it, and what outer limits took for the request
/// is given back.
///
/// ```
/// use ratelimit_core::Limiter;
/// use ratelimit_core::http::{ClientOptions, TermsOptions};
/// use ratelimit_tower::{KeyFrom, Limited, RateLimitLayer};
///
/// let limiter: Limiter = "100/minute".parse()?;
/// let limited = Limited::new(limiter, &TermsOptions::default())?;
/// let layer = RateLimitLayer::new(limited, KeyFrom::ip(&ClientOptions::default())?);
/// # Ok::<(), ratelimit_core::Error>(())
/// ```
#[derive(Clone)]
pub struct RateLimitLayer(Arc<Settings>);

#[derive(Clone)]
pub(crate) struct Settings {
    limit: Limit,
    pub(crate) key: KeyFrom,
    cost: Price,
    skip: Option<Arc<Skip>>,
    pub(crate) dry_run: bool,
    pub(crate) on_denied: Option<Arc<OnDenied>>,
    pub(crate) on_missing_key: OnMissingKey,
    refund: Refund,
    /// Whether a function has to be asked before a request is decided.
    pub(crate) asks_functions: bool,
}

#[derive(Clone)]
enum Limit {
    One(Limited),
    Chosen(Arc<Choose>),
}

/// The limit of one request: one that was chosen for it, or none for the settings' own. So a request counts no
/// reference to that, a word which all threads would write.
#[derive(Default)]
pub(crate) struct Picked(Option<Limited>);

#[derive(Clone)]
enum Price {
    Fixed(NonZeroU32),
    Function(Arc<Cost>),
}

#[derive(Clone)]
enum Refund {
    Statuses(Statuses),
    Function(Arc<RefundIf>),
}

impl RateLimitLayer {
    /// Limits each key by one limiter.
    #[must_use]
    pub fn new(limited: Limited, key: KeyFrom) -> RateLimitLayer {
        RateLimitLayer::with(Limit::One(limited), key)
    }

    /// Limits each key by the limiter that a function chooses for the request, such as that of a plan; none for no
    /// limit. Make the limiters once, at start: the function only picks.
    pub fn choose(
        function: impl Fn(&Parts) -> Option<Limited> + Send + Sync + 'static,
        key: KeyFrom,
    ) -> RateLimitLayer {
        RateLimitLayer::with(Limit::Chosen(Arc::new(function)), key)
    }

    fn with(limit: Limit, key: KeyFrom) -> RateLimitLayer {
        let asks_functions = matches!(limit, Limit::Chosen(_)) || key.asks_functions();
        RateLimitLayer(Arc::new(Settings {
            limit,
            key,
            cost: Price::Fixed(NonZeroU32::MIN),
            skip: None,
            dry_run: false,
            on_denied: None,
            on_missing_key: OnMissingKey::Allow,
            refund: Refund::Statuses(Statuses::default()),
            asks_functions,
        }))
    }

    fn set(mut self, change: impl FnOnce(&mut Settings)) -> RateLimitLayer {
        change(Arc::make_mut(&mut self.0));
        self
    }

    /// Sets a function that is asked before a request is decided.
    fn asking(self, change: impl FnOnce(&mut Settings)) -> RateLimitLayer {
        self.set(|settings| {
            change(settings);
            settings.asks_functions = true;
        })
    }

    /// Sets how many permits a request costs, instead of 1.
    ///
    /// # Errors
    /// If the cost is not in `1 ..= 2^32-1`.
    pub fn cost(self, permits: u64) -> Result<RateLimitLayer, Error> {
        let judged = u32::try_from(permits).ok().and_then(NonZeroU32::new);
        let permits = judged.ok_or_else(|| Error::out_of_range(Field::Cost, permits))?;
        Ok(self.set(|settings| settings.cost = Price::Fixed(permits)))
    }

    /// Asks a function how many permits a request costs.
    #[must_use]
    pub fn cost_of(self, function: impl Fn(&Parts) -> NonZeroU32 + Send + Sync + 'static) -> RateLimitLayer {
        self.asking(|settings| settings.cost = Price::Function(Arc::new(function)))
    }

    /// Asks a function which requests are not limited.
    #[must_use]
    pub fn skip(self, function: impl Fn(&Parts) -> bool + Send + Sync + 'static) -> RateLimitLayer {
        self.asking(|settings| settings.skip = Some(Arc::new(function)))
    }

    /// Decides and counts, but refuses nothing and sends no fields; what would have been refused is told to `log`.
    #[must_use]
    pub fn dry_run(self, dry_run: bool) -> RateLimitLayer {
        self.set(|settings| settings.dry_run = dry_run)
    }

    /// Answers refused requests with a response of your own; the limit's fields are added to it.
    #[must_use]
    pub fn on_denied(
        self,
        function: impl Fn(&Parts, &Decision) -> Response<Bytes> + Send + Sync + 'static,
    ) -> RateLimitLayer {
        self.set(|settings| settings.on_denied = Some(Arc::new(function)))
    }

    /// Sets what becomes of a request without a key: it is not limited, or it is refused with 403.
    #[must_use]
    pub fn on_missing_key(self, on_missing_key: OnMissingKey) -> RateLimitLayer {
        self.set(|settings| settings.on_missing_key = on_missing_key)
    }

    /// Gives back what a request took if a function says so of the status that the handler answered with: to count only
    /// failed logins, `status.as_u16() < 400`. The fields show what was decided before.
    #[must_use]
    pub fn refund_if(self, function: impl Fn(StatusCode) -> bool + Send + Sync + 'static) -> RateLimitLayer {
        self.set(|settings| settings.refund = Refund::Function(Arc::new(function)))
    }

    /// Does what [`refund_if`](RateLimitLayer::refund_if) does, for statuses that were read from a configuration.
    #[must_use]
    pub fn refund_statuses(self, statuses: Statuses) -> RateLimitLayer {
        self.set(|settings| settings.refund = Refund::Statuses(statuses))
    }
}

impl Settings {
    /// Picks the limit of a request; none if it is not limited.
    pub(crate) fn pick(&self, parts: &Parts) -> Option<Picked> {
        if self.skip.as_ref().is_some_and(|skip| skip(parts)) {
            return None;
        }
        match &self.limit {
            Limit::One(_) => Some(Picked(None)),
            Limit::Chosen(choose) => choose(parts).map(|limited| Picked(Some(limited))),
        }
    }

    /// Returns what was picked; none only of other settings' picks.
    pub(crate) fn picked<'a>(&'a self, picked: &'a Picked) -> Option<&'a Limited> {
        match (&picked.0, &self.limit) {
            (Some(limited), _) | (None, Limit::One(limited)) => Some(limited),
            (None, Limit::Chosen(_)) => None,
        }
    }

    /// Returns the cost of a request; its parts are needed only where functions are asked.
    pub(crate) fn cost(&self, parts: Option<&Parts>) -> NonZeroU32 {
        match (&self.cost, parts) {
            (Price::Fixed(permits), _) => *permits,
            (Price::Function(function), Some(parts)) => function(parts),
            (Price::Function(_), None) => NonZeroU32::MIN,
        }
    }

    /// Says whether what a request took is given back.
    pub(crate) fn refunds(&self, outcome: Outcome) -> bool {
        match (&self.refund, outcome) {
            (Refund::Function(function), Outcome::Status(status)) => {
                StatusCode::from_u16(status).is_ok_and(|s| function(s))
            }
            (Refund::Function(_), other) => Statuses::default().refunds(other),
            (Refund::Statuses(statuses), outcome) => statuses.refunds(outcome),
        }
    }
}

impl<S> Layer<S> for RateLimitLayer {
    type Service = RateLimit<S>;

    fn layer(&self, inner: S) -> RateLimit<S> {
        RateLimit::new(inner, Arc::clone(&self.0))
    }
}

impl fmt::Debug for RateLimitLayer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Settings { key, dry_run, on_missing_key, .. } = &*self.0;
        let mut debug = f.debug_struct("RateLimitLayer");
        debug
            .field("key", key)
            .field("dry_run", dry_run)
            .field("on_missing_key", on_missing_key)
            .finish_non_exhaustive()
    }
}
